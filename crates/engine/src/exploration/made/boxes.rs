//! Boxes of unknown numbers: which of them are the same object.
//!
//! The class library keeps boxes of small numbers, so that two of them are the same object when their numbers
//! are equal. Boxes of unknown numbers are taken to come from `valueOf`, as those in a test do.

use petrel_clp::Comparison;
use petrel_heap::{both, either};
use petrel_solver::{Constraint, Expr};

use super::{Origin, PartKind};
use crate::exploration::choose::expr_of;
use crate::exploration::unknown::kind_of;
use crate::machine::{Body, Extent, Halt, LeftOut, Machine, Reference, TypeId};

/// The numbers whose boxes are kept.
fn kept(primitive: TypeId) -> Option<(i64, i64)> {
    match primitive {
        TypeId::BOOLEAN => Some((0, 1)),
        TypeId::BYTE | TypeId::SHORT | TypeId::INT | TypeId::LONG => Some((-128, 127)),
        TypeId::CHAR => Some((0, 127)),
        _ => None,
    }
}

impl Machine<'_> {
    /// Whether two different objects are the same box on the JVM, as a truth value: one of them is an
    /// input.
    pub(in crate::exploration) fn is_same_box(
        &mut self,
        left: Reference,
        right: Reference,
    ) -> Result<Expr, Halt> {
        let (Some(of_left), Some(of_right)) = (self.boxed(left)?, self.boxed(right)?) else {
            return Ok(Expr::Constant(0));
        };
        let (primitive, left) = of_left;
        let (low, high) = match kept(primitive) {
            Some(range) if primitive == of_right.0 => range,
            _ => return Ok(Expr::Constant(0)),
        };
        let store = &mut self.solver.store;
        let mut test = |comparison, left, right| {
            store.test(&if primitive == TypeId::LONG {
                Constraint::long(left, comparison, right)
            } else {
                Constraint::int(left, comparison, right)
            })
        };
        let is_equal = test(Comparison::Equal, left, of_right.1);
        let not_small = test(Comparison::GreaterOrEqual, left, Expr::Constant(low));
        let not_large = test(Comparison::LessOrEqual, left, Expr::Constant(high));
        let is_kept = both(store, not_small, not_large);
        Ok(both(store, is_equal, is_kept))
    }

    /// The primitive type and number of a box that is an input, or that `valueOf` keeps.
    fn boxed(&mut self, object: Reference) -> Result<Option<(TypeId, Expr)>, Halt> {
        if object.is_null() {
            return Ok(None);
        }
        let class = self.heap.class(object);
        let name = std::sync::Arc::clone(&self.types.get(class).name);
        let Some(of) = petrel_value::unboxed(&name) else { return Ok(None) };
        let primitive = self.types.of_descriptor(&of.to_string());
        if let Some(number) = self.exploration.unknown.made.number(object) {
            if !self.heap.is_made(object)
                && let Origin::Box(primitive) = self.exploration.unknown.made.get(number).origin
            {
                self.open_box(number, object, primitive)?;
            }
            let inside = self.exploration.unknown.made.parts(number).find_map(|part| match part {
                PartKind::Number(inside) => Some(*inside),
                _ => None,
            });
            return Ok(inside.map(|inside| (primitive, inside)));
        }
        // What the class library keeps outlives all paths.
        if !self.heap.is_permanent(object) {
            return Ok(None);
        }
        let slot = self.slot_named(&name, "value")?;
        let inside = expr_of(self.heap.get_field(object, slot), kind_of(primitive));
        Ok(Some((primitive, inside)))
    }

    /// Two different objects are compared of which one is an input: some inputs that are the same object are not tried.
    fn offer_same(&mut self, one: Reference, other: Reference) {
        let is_input = |object| self.exploration.unknown.made.number(object).is_some();
        let (of_one, of_other) = (is_input(one), is_input(other));
        if !of_one && !of_other || one.is_null() || other.is_null() {
            return;
        }
        // Two boxes of one small number may still be different objects, if somebody made one by `new`.
        if self.exploration.unknown.made.are_alternatives(one, other) && !self.is_box(one) {
            return;
        }
        let (left, right) = (self.heap.class(one), self.heap.class(other));
        let is_below =
            |machine: &mut Self, class, of| machine.types.is_subtype(machine.program, class, of);
        let is_related = is_below(self, left, right) || is_below(self, right, left);
        if !is_related && !self.may_have_one_class(one, other) {
            return;
        }
        if !(of_one && of_other) {
            let known = if of_one { other } else { one };
            // What the path itself has made is no input, and what is tried is not left out.
            if self.as_shared(known).is_some() || !self.is_of_initialisers(known) {
                return;
            }
        }
        let is_value = left == TypeId::STRING || self.is_box(one);
        self.note_left_out(match (is_value, of_one && of_other) {
            (true, _) => LeftOut::Identity,
            (false, true) => LeftOut::SharedObjects,
            (false, false) => LeftOut::StaticObjects,
        });
    }

    /// Whether inputs of other classes than those that are tried could have the class of an object, or of another such input.
    fn may_have_one_class(&mut self, one: Reference, other: Reference) -> bool {
        let made = &self.exploration.unknown.made;
        let static_type = |object: Reference| {
            let made = made.number(object).map(|number| made.get(number));
            made.filter(|made| made.classes != Extent::All).map(|made| made.of)
        };
        let exact = [other, one].map(|object| self.heap.class(object));
        let open = [static_type(one), static_type(other)];
        match open {
            // Some class may be below both.
            [Some(_), Some(_)] => true,
            [None, None] => false,
            [Some(of), None] => self.types.is_subtype(self.program, exact[0], of),
            [None, Some(of)] => self.types.is_subtype(self.program, exact[1], of),
        }
    }

    /// Whether one string is what a method gave for the other without changing it, as a truth value.
    fn same_text(&self, left: Reference, right: Reference) -> Option<Expr> {
        let same_as = |object: Reference| match &self.heap.object(object).body {
            Body::Text(text, _) => text.same_as,
            _ => None,
        };
        let is_of = |made: Reference, from: Reference| {
            same_as(made).filter(|&(of, _)| of == from).map(|(_, is_same)| is_same)
        };
        is_of(left, right).or_else(|| is_of(right, left))
    }

    /// Whether two references are the same object, as a truth value, when boxes of unknown numbers are among
    /// them.
    pub(in crate::exploration) fn same_with_boxes(
        &mut self,
        left: Expr,
        right: Expr,
        same: Expr,
    ) -> Result<Expr, Halt> {
        let store = &self.solver.store;
        let lefts = self.exploration.unknown.solver.known_leaves(store, left);
        let rights = self.exploration.unknown.solver.known_leaves(store, right);
        let mut all = same;
        for &one in &lefts {
            for &other in &rights {
                let (first, second) = (Reference(one.0), Reference(other.0));
                if first == second {
                    continue;
                }
                self.offer_same(first, second);
                let is_input = |object| self.exploration.unknown.made.number(object).is_some();
                let same_box = match self.same_text(first, second) {
                    Some(is_same) => is_same,
                    None if is_input(first) || is_input(second) => {
                        self.is_same_box(first, second)?
                    }
                    None => continue,
                };
                if same_box == Expr::Constant(0) {
                    continue;
                }
                let store = &mut self.solver.store;
                let mut is_it = |reference: Expr, object: petrel_heap::Known| {
                    store.test(&Constraint::int(reference, Comparison::Equal, object.reference()))
                };
                let is_one = is_it(left, one);
                let is_other = is_it(right, other);
                let here = both(store, is_one, is_other);
                let here = both(store, here, same_box);
                all = either(store, all, here);
            }
        }
        Ok(all)
    }
}
