//! Parts of arrays that were copied, of unknown length or between unknown places.

use std::rc::Rc;

use petrel_clp::{ArithmeticKind, Comparison, Operation};
use petrel_solver::{Conflict, Constraint, Expr, Store};
use smallvec::SmallVec;

use crate::leaves::Leaf;
use crate::log::{Location, Read, Write};
use crate::solver::{Context, HeapSolver};
use crate::truth::{FALSE, both};
use crate::world::{Known, Sort};

/// Elements that were copied.
#[derive(Debug, Clone)]
pub(crate) struct Copied {
    to: Expr,
    to_start: Expr,
    length: Expr,
    /// As it was at the time of the copy.
    from: Expr,
    from_start: Expr,
    /// What the arrays of N that it may have been had in them at that time.
    held: SmallVec<[(Known, Rc<[Expr]>); 1]>,
}

impl Copied {
    pub(crate) fn for_each_value(&self, visit: &mut impl FnMut(Expr)) {
        visit(self.to);
        visit(self.from);
        for (_, elements) in &self.held {
            elements.iter().for_each(|&element| visit(element));
        }
    }
}

/// A part of an array: a reference to it, and where the part starts.
pub type Part = (Expr, Expr);

impl HeapSolver {
    /// Copies elements between two arrays of a kind that are not null, within their bounds. Either may be
    /// unknown, of unknown length, or one of several arrays.
    pub fn copy(
        &mut self,
        context: &mut Context<'_>,
        elements: u32,
        sort: Sort,
        (from, from_start): Part,
        (to, to_start): Part,
        length: Expr,
    ) -> Result<(), Conflict> {
        self.copied_from.clear();
        let mut held = SmallVec::new();
        for known in self.known_leaves(context.store, from) {
            held.extend(elements_of(context, known).map(|elements| (known, elements)));
        }
        let copied = Copied { to, to_start, length, from, from_start, held };
        let location = Location::Elements(elements);
        let before = self.log(location).writes.len();
        let mut is_logged = self.may_be_input(context.store, to);
        // All of them are read before the first one is written: the arrays may be the same.
        let mut changes: SmallVec<[(Known, Expr, Expr, Expr); 8]> = SmallVec::new();
        for known in self.known_leaves(context.store, to) {
            let Some(old) = elements_of(context, known) else {
                is_logged |= context.world.is_logged(known);
                continue;
            };
            for at in 0..old.len() as i64 {
                if self.is_over() {
                    return Ok(());
                }
                let index = Expr::Constant(at);
                let applies = self.is_copied(context.store, known.reference(), index, &copied);
                if applies != FALSE {
                    let read = Read { location, index, sort, before };
                    let element = self.read_copied(context, &copied, read)?;
                    changes.push((known, index, applies, element));
                }
            }
        }
        for (known, index, applies, element) in changes {
            context.world.set_element(context.store, known, index, applies, element);
        }
        if is_logged {
            self.write(location, Write::Copy(copied));
        }
        Ok(())
    }

    /// Whether a place is one that elements were copied to.
    pub(crate) fn is_copied(
        &self,
        store: &mut Store,
        object: Expr,
        index: Expr,
        copied: &Copied,
    ) -> Expr {
        let offset = difference(store, index, copied.to_start);
        let from = store.test(&Constraint::int(index, Comparison::GreaterOrEqual, copied.to_start));
        let to = store.test(&Constraint::int(offset, Comparison::Less, copied.length));
        let is_within = both(store, from, to);
        if is_within == FALSE {
            return FALSE;
        }
        let same_object = self.same_object(store, object, copied.to);
        both(store, same_object, is_within)
    }

    /// The element that was copied to a place.
    pub(crate) fn read_copied(
        &mut self,
        context: &mut Context<'_>,
        copied: &Copied,
        read: Read,
    ) -> Result<Expr, Conflict> {
        let offset = difference(context.store, read.index, copied.to_start);
        let add = Operation::Add(ArithmeticKind::Int);
        let index = context.store.apply(add, offset, copied.from_start);
        let kind = read.sort.kind();
        let read = Read { index, ..read };
        let element =
            self.for_leaves(context, copied.from, kind, &mut |solver, context, leaf| match leaf {
                Leaf::Known(known) => match copied.held.iter().find(|(held, _)| *held == known) {
                    Some((_, elements)) => {
                        Ok(context.store.select(kind, Rc::clone(elements), index))
                    }
                    None => solver.read_copied_from(context, known.reference(), read),
                },
                Leaf::Input(input) => solver.read_copied_from(context, input, read),
            })?;
        Ok(element.unwrap_or(FALSE))
    }

    /// The value at a place of one object of S that was copied, found once for each access.
    fn read_copied_from(
        &mut self,
        context: &mut Context<'_>,
        object: Expr,
        read: Read,
    ) -> Result<Expr, Conflict> {
        let place = (object, read.index, read.before);
        if let Some(&known) = self.copied_from.get(&place) {
            return Ok(known);
        }
        let value = self.read_logged(context, object, read)?;
        self.copied_from.insert(place, value);
        Ok(value)
    }
}

/// The elements of an array of N that has some of its own.
fn elements_of(context: &mut Context<'_>, array: Known) -> Option<Rc<[Expr]>> {
    if context.world.is_logged(array) {
        return None;
    }
    let length = context.world.length(array).constant()?;
    let Context { store, world } = context;
    Some((0..length).map(|at| world.element(store, array, Expr::Constant(at))).collect())
}

fn difference(store: &mut Store, left: Expr, right: Expr) -> Expr {
    store.apply(Operation::Subtract(ArithmeticKind::Int), left, right)
}
