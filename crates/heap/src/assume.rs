//! Assumptions about the initial heap (section 4 of the paper).
//!
//! The paper tracks what is reached from where by rules. Here an assumption has fields of its own, which
//! no program sees: whether an object is reached from a root, and its rank in an order. That no object
//! is reached from two roots, or that an order exists in which every reference leads downwards, is
//! then a constraint for every reference of the initial heap that comes up, whatever it may be the
//! same as.

use petrel_clp::{Comparison, Kind};
use petrel_solver::{Conflict, Constraint, Expr};

use crate::log::{Cell, Location, NO_INDEX, Read};
use crate::solver::{Context, HeapSolver};
use crate::truth::{FALSE, TRUE, both, either, not, truth};
use crate::world::{FieldId, Sort};

/// What holds for every reference of the initial heap from one object to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Assumed {
    /// What is reached from an object with this mark has it too, and never the other mark.
    Apart {
        /// The mark.
        mark: u32,
        /// The other mark.
        other: u32,
    },
    /// What is reached, through this field and elements of arrays alone if there is one, from an object with this mark has it
    /// too, and a smaller rank.
    Downwards {
        /// The mark.
        mark: u32,
        /// The rank.
        rank: u32,
        /// The field.
        field: Option<FieldId>,
    },
}

/// Ranks are below this: no heap has more objects.
const MOST_RANKS: i64 = 1 << 16;

impl HeapSolver {
    /// Two references are different, or null.
    pub fn assume_non_aliasing(
        &mut self,
        context: &mut Context<'_>,
        left: Expr,
        right: Expr,
    ) -> Result<(), Conflict> {
        let store = &mut *context.store;
        let same = self.ref_eq(store, left, right);
        let different = not(store, same);
        let is_null = self.ref_eq(store, left, Expr::Constant(0));
        let holds = either(store, is_null, different);
        self.assume(store, truth(holds))
    }

    /// No object of the initial heap is reached from both references.
    pub fn assume_non_sharing(
        &mut self,
        context: &mut Context<'_>,
        left: Expr,
        right: Expr,
    ) -> Result<(), Conflict> {
        let (of_left, of_right) = (self.new_ghost(), self.new_ghost());
        let first = self.assumptions.len();
        self.assumptions.push(Assumed::Apart { mark: of_left, other: of_right });
        self.assumptions.push(Assumed::Apart { mark: of_right, other: of_left });
        self.assume_marked(context, left, of_left, of_right)?;
        self.assume_marked(context, right, of_right, of_left)?;
        self.assume_of_known_edges(context, first)
    }

    fn assume_marked(
        &mut self,
        context: &mut Context<'_>,
        reference: Expr,
        mark: u32,
        other: u32,
    ) -> Result<(), Conflict> {
        if !self.may_be_input(context.store, reference) {
            return Ok(());
        }
        let is_null = self.ref_eq(context.store, reference, FALSE);
        let marked = self.ghost(context, reference, mark, 1)?;
        let other = self.ghost(context, reference, other, 1)?;
        let unmarked = not(context.store, other);
        let alone = both(context.store, marked, unmarked);
        let holds = either(context.store, is_null, alone);
        self.assume(context.store, truth(holds))
    }

    /// No object of the initial heap that is reached from a reference, through a field and elements of arrays alone if
    /// one is given, reaches itself.
    pub fn assume_acyclic(
        &mut self,
        context: &mut Context<'_>,
        reference: Expr,
        field: Option<FieldId>,
    ) -> Result<(), Conflict> {
        if !self.may_be_input(context.store, reference) {
            return Ok(());
        }
        let (mark, rank) = (self.new_ghost(), self.new_ghost());
        let first = self.assumptions.len();
        self.assumptions.push(Assumed::Downwards { mark, rank, field });
        let is_null = self.ref_eq(context.store, reference, FALSE);
        let marked = self.ghost(context, reference, mark, 1)?;
        let holds = either(context.store, is_null, marked);
        self.assume(context.store, truth(holds))?;
        self.assume_of_known_edges(context, first)
    }

    fn new_ghost(&mut self) -> u32 {
        self.ghosts += 1;
        self.ghosts - 1
    }

    /// What an assumption knows of an object: a number from 0 to a largest one.
    fn ghost(
        &mut self,
        context: &mut Context<'_>,
        reference: Expr,
        ghost: u32,
        high: i64,
    ) -> Result<Expr, Conflict> {
        let sort = Sort::Number { kind: Kind::Int, low: 0, high };
        let location = Location::Ghost(ghost);
        self.read(context, reference, Read { location, index: NO_INDEX, sort, before: 0 })
    }

    /// What the assumptions from a number on say of the references that have come up before.
    fn assume_of_known_edges(
        &mut self,
        context: &mut Context<'_>,
        first: usize,
    ) -> Result<(), Conflict> {
        for number in 0..self.locations.len() {
            let location = self.locations[number];
            if !matches!(location, Location::Field(_) | Location::Elements(_)) {
                continue;
            }
            for at in 0..self.log(location).initial.len() {
                let Cell { reference, value, .. } = self.log(location).initial[at];
                let of_value = value.term().map(|term| context.store.terms().kind(term));
                if of_value == Some(Kind::Reference) {
                    for assumption in first..self.assumptions.len() {
                        self.assume_edge(context, assumption, reference, location, value)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// What the assumptions say of a reference of the initial heap that has come up.
    pub(crate) fn assume_of_edge(
        &mut self,
        context: &mut Context<'_>,
        from: Expr,
        location: Location,
        to: Expr,
    ) -> Result<(), Conflict> {
        if !self.may_be_input(context.store, to) {
            // Constants of enums are no part of the initial heap: everybody may have them.
            return Ok(());
        }
        for assumption in 0..self.assumptions.len() {
            self.assume_edge(context, assumption, from, location, to)?;
        }
        Ok(())
    }

    /// What an assumption says of a reference of the initial heap.
    fn assume_edge(
        &mut self,
        context: &mut Context<'_>,
        assumption: usize,
        from: Expr,
        location: Location,
        to: Expr,
    ) -> Result<(), Conflict> {
        let (mark, is_followed) = match self.assumptions[assumption] {
            Assumed::Apart { mark, .. } => (mark, true),
            Assumed::Downwards { mark, field, .. } => {
                // What a field has in an array, it has.
                let is_element = matches!(location, Location::Elements(_));
                (mark, is_element || field.is_none_or(|field| location == Location::Field(field)))
            }
        };
        // Constants of an enum are not reached: they are there anyway.
        if !is_followed || !self.may_be_input(context.store, to) {
            return Ok(());
        }
        let is_null = self.ref_eq(context.store, to, FALSE);
        let is_marked = self.ghost(context, from, mark, 1)?;
        let unmarked = not(context.store, is_marked);
        let is_free = either(context.store, is_null, unmarked);
        if is_free == TRUE {
            return Ok(());
        }
        let marked = self.ghost(context, to, mark, 1)?;
        let follows = match self.assumptions[assumption] {
            Assumed::Apart { other, .. } => {
                let other = self.ghost(context, to, other, 1)?;
                not(context.store, other)
            }
            Assumed::Downwards { rank, .. } => {
                let above = self.ghost(context, from, rank, MOST_RANKS)?;
                let below = self.ghost(context, to, rank, MOST_RANKS)?;
                context.store.test(&Constraint::int(below, Comparison::Less, above))
            }
        };
        let follows = both(context.store, marked, follows);
        let holds = either(context.store, is_free, follows);
        self.assume(context.store, truth(holds))
    }
}
