//! Parts of arrays that were copied, of unknown length or between unknown places.

use std::rc::Rc;

use petrel_clp::{ArithmeticKind, Comparison, Operation};
use petrel_solver::{Conflict, Constraint, Expr, Store};

use crate::log::{Location, Read, Write};
use crate::solver::{Context, HeapSolver};
use crate::truth::{FALSE, both};

/// Elements that were copied to an array of S.
#[derive(Debug, Clone)]
pub(crate) struct Copied {
    to: Expr,
    to_start: Expr,
    length: Expr,
    from: Source,
    from_start: Expr,
}

/// Where elements were copied from.
#[derive(Debug, Clone)]
enum Source {
    /// An array of S, as it was at the time of the copy.
    Logged(Expr),
    /// These elements.
    Elements(Rc<[Expr]>),
}

impl Copied {
    pub(crate) fn for_each_value(&self, visit: &mut impl FnMut(Expr)) {
        visit(self.to);
        match &self.from {
            Source::Logged(from) => visit(*from),
            Source::Elements(elements) => elements.iter().for_each(|&element| visit(element)),
        }
    }
}

/// A part of an array: a reference to it, and where the part starts.
pub type Part = (Expr, Expr);

impl HeapSolver {
    /// Copies elements to an array of S. The source is an array of S, or the elements given.
    pub fn copy_elements(
        &mut self,
        elements: u32,
        (from, from_start): Part,
        content: Option<Rc<[Expr]>>,
        (to, to_start): Part,
        length: Expr,
    ) {
        let from = content.map_or(Source::Logged(from), Source::Elements);
        let copied = Copied { to, to_start, length, from, from_start };
        self.write(Location::Elements(elements), Write::Copy(copied));
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
        match &copied.from {
            Source::Logged(from) => self.read(context, *from, Read { index, ..read }),
            Source::Elements(elements) => {
                Ok(context.store.select(read.sort.kind(), Rc::clone(elements), index))
            }
        }
    }
}

fn difference(store: &mut Store, left: Expr, right: Expr) -> Expr {
    store.apply(Operation::Subtract(ArithmeticKind::Int), left, right)
}
