//! Sets, maps and queues of many elements.
//!
//! They are there because somebody asks for so many. What the code of a set or a map does with an element that is added (its hash
//! code, its place in a table, comparisons) would be a path for each order of elements, so one content is made: each element is an
//! example, 0, 1, 2 for numbers, "a", "b", "c" for strings. Lists and queues take any elements. What queues do with them is done in
//! one way, and they stay unknown. Nor does it matter what is in a collection that is asked for its size alone.

use petrel_classfile::JavaString;
use petrel_clp::Kind;
use petrel_heap::{ClassId, Sort};
use petrel_program::ResolvedMethod;
use petrel_solver::{Expr, rank_of_bits};
use petrel_value as data;

use super::{Argument, Call, Elements, MadeId, Origin, PartKind, Recipe, primitive_datum};
use crate::machine::{Doing, LeftOut, Machine, TypeId};

/// So many elements are tried anyway. Of collections of more, one content is made.
pub(super) const MORE_ELEMENTS: u32 = 3;

/// Letters of the strings that are examples.
const LETTERS: u32 = 26;

impl Machine<'_> {
    /// Whether a collection of many elements is being built.
    pub(in crate::exploration) fn is_building_large(&self) -> bool {
        self.large_under_way().is_some()
    }

    fn large_under_way(&self) -> Option<MadeId> {
        self.specials().iter().find_map(|special| match special.doing {
            Doing::Build(number, _) if self.is_large(number) => Some(number),
            _ => None,
        })
    }

    fn is_large(&self, number: MadeId) -> bool {
        self.number_of_elements(number).is_some_and(|size| size > MORE_ELEMENTS.into())
    }

    /// One content of collections of many elements is made.
    pub(in crate::exploration) fn note_large_contents(&mut self) {
        self.note_left_out(LeftOut::LargeContents(MORE_ELEMENTS.into()));
    }

    /// Whether null is no element of a collection that is being built. Whether many elements may hold it is not tried.
    pub(super) fn leaves_null_out(&mut self, number: MadeId) -> bool {
        if self.what_becomes_of_elements(number) == Elements::Free || !self.is_large(number) {
            return false;
        }
        self.note_large_contents();
        true
    }

    /// What a made object does with elements that are added to it.
    pub(super) fn what_becomes_of_elements(&self, number: MadeId) -> Elements {
        match &self.exploration.unknown.made.get(number).origin {
            Origin::Built(recipe) => recipe.elements,
            _ => Elements::Free,
        }
    }

    /// The place of the element that is being added to a large collection, if it is an example. What is opened meanwhile is a part
    /// of it.
    pub(super) fn example_under_way(&mut self) -> Option<u32> {
        let collection = self.large_under_way()?;
        if self.what_becomes_of_elements(collection) != Elements::Distinct {
            return None;
        }
        let parts = self.exploration.unknown.made.parts(collection);
        let added = parts.filter(|part| matches!(part, PartKind::Call(Call::Add, _))).count();
        let place = (added as u32).checked_sub(1)?;
        self.note_large_contents();
        Some(place)
    }

    /// The most elements of a collection, and whether it can be told them apart without a look at them: what takes each element once
    /// has no more of them than there are examples.
    pub(super) fn most_elements(
        &mut self,
        recipe: &Recipe,
        add: &ResolvedMethod,
        arguments: &[ClassId],
    ) -> (u64, bool) {
        let most = u64::from(self.exploration.unknown.elements.most());
        if recipe.elements == Elements::Free {
            return (most, true);
        }
        let types = self.parameter_types(add, arguments);
        let Some(of) = types.first().map(|&of| self.erased(of)) else { return (most, false) };
        if self.example(of, 0).is_none() {
            return (most, false);
        }
        match recipe.elements {
            Elements::Distinct => (most.min(self.number_of_examples(of)), true),
            _ => (most, true),
        }
    }

    fn number_of_examples(&mut self, of: TypeId) -> u64 {
        let numbers = match petrel_value::unboxed(&self.types.get(of).name) {
            Some(primitive) => self.types.of_descriptor(&primitive.to_string()),
            None => of,
        };
        match self.sort(numbers) {
            Sort::Number { kind: Kind::Int, low, high, .. } => low.abs_diff(high).saturating_add(1),
            _ => u64::MAX,
        }
    }

    /// An element of a type of the class library: another one at each place.
    pub(super) fn example(&mut self, of: TypeId, place: u32) -> Option<Argument> {
        if let Some(primitive) = petrel_value::unboxed(&self.types.get(of).name) {
            let primitive = self.types.of_descriptor(&primitive.to_string());
            let number = primitive_datum(primitive, self.example_number(primitive, place)?);
            return Some(Argument::Any(data::Object::Boxed(number)));
        }
        if of.is_primitive() {
            return Some(Argument::Term(Expr::Constant(self.example_number(of, place)?), of));
        }
        self.types
            .is_subtype(self.program, TypeId::STRING, of)
            .then(|| Argument::Any(data::Object::String(example_text(place))))
    }

    /// A number for each place, as far as a type has them.
    pub(super) fn example_number(&self, primitive: TypeId, place: u32) -> Option<i64> {
        match self.sort(primitive) {
            Sort::Number { kind: Kind::Float, .. } => {
                Some(rank_of_bits(Kind::Float, (place as f32).to_bits().into()))
            }
            Sort::Number { kind: Kind::Double, .. } => {
                Some(rank_of_bits(Kind::Double, f64::from(place).to_bits()))
            }
            Sort::Number { low, high, .. } => {
                let first = if primitive == TypeId::CHAR { i64::from(b'a') } else { 0 };
                let number = first + i64::from(place);
                // Those below the first come behind the last one.
                if number <= high {
                    Some(number)
                } else {
                    Some(low + (number - high - 1)).filter(|&number| number < first)
                }
            }
            Sort::Reference(_) => None,
        }
    }
}

/// A string for each place: "a" to "z", "aa", and so on.
pub(super) fn example_text(place: u32) -> JavaString {
    let mut units = Vec::new();
    let mut rest = place + 1;
    while rest > 0 {
        rest -= 1;
        units.push(u16::from(b'a') + (rest % LETTERS) as u16);
        rest /= LETTERS;
    }
    units.reverse();
    JavaString(units.into())
}
