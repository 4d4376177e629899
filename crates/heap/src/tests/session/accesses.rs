//! Accesses to fields and elements, with the checks that come before them.

use petrel_clp::{ArithmeticKind, Comparison, Operation};

use super::{MOST_ELEMENTS, Session, Type, type_of};
use crate::tests::program::{Action, Step, Test, ValueId};
use crate::tests::world::{AS, BS, INTS, OBJECT, OBJECTS, element_sort, field, group, is_subtype};
use crate::world::{ClassId, Sort};

impl Session {
    pub(super) fn access(&mut self, action: &Action) -> Option<()> {
        match *action {
            Action::Instance(object, class) => {
                let object = self.pick(object, |of| matches!(of, Type::Reference(_)))?;
                self.cast(object, class)?;
            }
            Action::GetField { object, field: id } => {
                let object = self.pick_holder(object, field(id).of)?;
                let expr = self.path.get_field(self.exprs[object], id);
                self.make(Step::GetField(object, id), expr, type_of(field(id).sort));
            }
            Action::SetField { object, field: id, value } => {
                let value = self.pick_sort(value, field(id).sort)?;
                let object = self.pick_holder(object, field(id).of)?;
                self.path.set_field(self.exprs[object], id, self.exprs[value]);
                self.act(Step::SetField(object, id, value));
            }
            Action::GetElement { array, of, index } => {
                let (array, of) = self.pick_array(array, of)?;
                let index = self.pick_index(array, index)?;
                let sort = element_sort(of)?;
                let (array_expr, index_expr) = (self.exprs[array], self.exprs[index]);
                let expr = self.path.get(|heap, context| {
                    heap.get_element(context, array_expr, index_expr, group(of), sort)
                });
                self.make(Step::GetElement(array, index), expr, type_of(sort));
            }
            Action::SetElement { array, of, index, value } => {
                let (array, of) = self.pick_array(array, of)?;
                let value = self.pick_sort(value, element_sort(of)?)?;
                let index = self.pick_index(array, index)?;
                self.require_storable(array, of, value)?;
                let [array_expr, index_expr, value_expr] =
                    [array, index, value].map(|id| self.exprs[id]);
                self.path.ask(|heap, context| {
                    heap.set_element(context, array_expr, index_expr, group(of), value_expr);
                });
                self.act(Step::SetElement(array, index, value));
            }
            Action::Copy { from, from_start, to, to_start, length } => {
                self.copy((from, from_start), (to, to_start), length)?;
            }
            Action::NewArray { class, length } => {
                let class = [INTS, OBJECTS, AS, BS][usize::from(class) % 4];
                let length = self.pick_within(length, 1..MOST_ELEMENTS + 1)?;
                self.require(Test::Compare(Comparison::GreaterOrEqual, length, Session::ZERO))?;
                self.require(Test::Compare(Comparison::LessOrEqual, length, Session::MOST))?;
                let new = self.path.world.new_array(class, self.exprs[length]);
                self.make(Step::NewArray(class, length), new, Type::Reference(class));
            }
            _ => unreachable!("it is no access"),
        }
        Some(())
    }

    /// An object that is an instance of a class, after a check.
    fn pick_holder(&mut self, choice: u8, of: ClassId) -> Option<ValueId> {
        let fits = |class: ClassId| is_subtype(class, of) || is_subtype(of, class);
        let object = self.pick_instance(choice, of, fits)?;
        self.cast(object, of)
    }

    /// An object as an instance of a class, if it is one.
    fn cast(&mut self, object: ValueId, of: ClassId) -> Option<ValueId> {
        self.forbid(Test::Null(object))?;
        if self.types[object].is_below(of) {
            return Some(object);
        }
        self.require(Test::Instance(object, of))?;
        Some(self.make(Step::Cast(object), self.exprs[object], Type::Reference(of)))
    }

    /// An array, with the type that it has at least.
    fn pick_array(&mut self, choice: u8, of: u8) -> Option<(ValueId, ClassId)> {
        let of = [INTS, OBJECTS, AS][usize::from(of) % 3];
        let is_array = |class: ClassId| class == OBJECT || is_subtype(class, of);
        let array = self.pick_instance(choice, of, is_array)?;
        let Type::Reference(class) = self.types[array] else { return None };
        let of = if class == OBJECT { of } else { class };
        self.cast(array, of).map(|array| (array, of))
    }

    fn length(&mut self, array: ValueId) -> Option<ValueId> {
        let expr = self.path.length(self.exprs[array]);
        let length = self.make(Step::Length(array), expr, Type::Int);
        self.require(Test::Compare(Comparison::LessOrEqual, length, Session::MOST))?;
        Some(length)
    }

    /// An index within the bounds of an array.
    fn pick_index(&mut self, array: ValueId, choice: u8) -> Option<ValueId> {
        let length = self.length(array)?;
        let index = self.pick_within(choice, 0..self.machine.values[length])?;
        self.require(Test::Compare(Comparison::GreaterOrEqual, index, Session::ZERO))?;
        self.require(Test::Compare(Comparison::Less, index, length))?;
        Some(index)
    }

    fn require_storable(&mut self, array: ValueId, of: ClassId, value: ValueId) -> Option<()> {
        if of == INTS || self.decide(Test::Null(value)) {
            return Some(());
        }
        self.require(Test::Storable(array, value))
    }

    fn copy(
        &mut self,
        (from, from_start): (u8, u8),
        (to, to_start): (u8, u8),
        length: u8,
    ) -> Option<()> {
        let (from, of) = self.pick_array(from, to_start)?;
        let target = if of == INTS { INTS } else { OBJECTS };
        let to = self.pick_instance(to, target, |class| is_subtype(class, target))?;
        self.forbid(Test::Null(to))?;
        if of != INTS && of != BS {
            // Every element fits.
            self.forbid(Test::Instance(to, AS))?;
        }
        let (from_length, to_length) = (self.length(from)?, self.length(to)?);
        let [from_end, to_end] = [from_length, to_length].map(|id| self.machine.values[id]);
        let length = self.pick_within(length, 0..from_end.min(to_end) + 1)?;
        self.require(Test::Compare(Comparison::GreaterOrEqual, length, Session::ZERO))?;
        let from_start = self.pick_start(from_start, from_length, length)?;
        let to_start = self.pick_start(to_start, to_length, length)?;
        let sort = element_sort(of)?;
        let part = |(array, start): (ValueId, ValueId)| (self.exprs[array], self.exprs[start]);
        let (source, target) = (part((from, from_start)), part((to, to_start)));
        let count = self.exprs[length];
        self.path.get(|heap, context| heap.copy(context, group(of), sort, source, target, count));
        self.act(Step::Copy((from, from_start), (to, to_start), length));
        Some(())
    }

    /// Where a part of a length is within an array.
    fn pick_start(&mut self, choice: u8, whole: ValueId, length: ValueId) -> Option<ValueId> {
        let last = self.apply(Operation::Subtract(ArithmeticKind::Int), whole, length);
        let start = self.pick_within(choice, 0..self.machine.values[last] + 1)?;
        self.require(Test::Compare(Comparison::GreaterOrEqual, start, Session::ZERO))?;
        self.require(Test::Compare(Comparison::LessOrEqual, start, last))?;
        Some(start)
    }

    /// A value that fits, the newer ones more often.
    pub(super) fn pick(&self, choice: u8, fits: impl Fn(Type) -> bool) -> Option<ValueId> {
        self.pick_like(choice, |id| fits(self.types[id]), |_| true)
    }

    /// A value that fits. Mostly it is one that goes on well on the own heap of the path, so that programs
    /// get somewhere.
    fn pick_like(
        &self,
        choice: u8,
        fits: impl Fn(ValueId) -> bool,
        goes_well: impl Fn(i64) -> bool,
    ) -> Option<ValueId> {
        let goes_well =
            |id: &ValueId| choice.is_multiple_of(8) || goes_well(self.machine.values[*id]);
        let fitting: Vec<ValueId> =
            (0..self.types.len()).rev().filter(|&id| fits(id)).filter(goes_well).collect();
        let choice = usize::from(choice);
        fitting.get(choice * choice * fitting.len() / (1 << 16)).copied()
    }

    /// A reference that fits, mostly to an instance of a class.
    fn pick_instance(
        &self,
        choice: u8,
        of: ClassId,
        fits: impl Fn(ClassId) -> bool,
    ) -> Option<ValueId> {
        self.pick_like(
            choice,
            |id| matches!(self.types[id], Type::Reference(class) if fits(class)),
            |object| object != 0 && is_subtype(self.machine.heap.class(object), of),
        )
    }

    /// A number, mostly one in a range.
    fn pick_within(&self, choice: u8, range: std::ops::Range<i64>) -> Option<ValueId> {
        self.pick_like(choice, |id| self.types[id] == Type::Int, |number| range.contains(&number))
    }

    pub(super) fn pick_int(&self, choice: u8) -> Option<ValueId> {
        self.pick(choice, |of| of == Type::Int)
    }

    fn pick_sort(&self, choice: u8, sort: Sort) -> Option<ValueId> {
        match sort {
            Sort::Number { .. } => self.pick(choice, |of| of == type_of(sort)),
            Sort::Reference(class) => self.pick(choice, |of| of.is_below(class)),
        }
    }
}
