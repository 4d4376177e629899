//! Texts over unknown inputs: bounded sequences of UTF-16 units whose length and units are terms.
//!
//! What is asked of a text is a term, so that a program branches on it where it branches itself and nowhere
//! else. Units behind the end mean nothing: whatever uses them asks for the length as well.

use std::rc::Rc;

use petrel_clp::{ArithmeticKind, Comparison, Kind, Operation};
use petrel_expression::Expression;
use petrel_heap::{both, either, not};
use petrel_solver::{Constraint, Expr, Store};

use crate::exploration::MadeId;
use crate::machine::Reference;

/// The contents of a string or of a builder of strings.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Text {
    /// How many units it has: at most as many as there are, unless it is that of an input.
    pub(crate) length: Expr,
    pub(crate) units: Rc<[Expr]>,
    /// The Java expression that gives it, for people.
    pub(crate) name: Option<Expression>,
    /// The string that it is if something holds: methods that change nothing give the same object.
    pub(crate) same_as: Option<(Reference, Expr)>,
    /// The input that it has its contents from, if there may be more units.
    pub(crate) source: Option<MadeId>,
}

const FALSE: Expr = Expr::Constant(0);
const TRUE: Expr = Expr::Constant(1);

fn number(number: usize) -> Expr {
    Expr::Constant(number as i64)
}

/// Whether two `int`s compare so, as a truth value.
pub(crate) fn test(store: &mut Store, left: Expr, comparison: Comparison, right: Expr) -> Expr {
    store.test(&Constraint::int(left, comparison, right))
}

fn equal(store: &mut Store, left: Expr, right: Expr) -> Expr {
    test(store, left, Comparison::Equal, right)
}

fn less(store: &mut Store, left: Expr, right: Expr) -> Expr {
    test(store, left, Comparison::Less, right)
}

pub(super) fn add(store: &mut Store, left: Expr, right: Expr) -> Expr {
    store.apply(Operation::Add(ArithmeticKind::Int), left, right)
}

pub(crate) fn subtract(store: &mut Store, left: Expr, right: Expr) -> Expr {
    store.apply(Operation::Subtract(ArithmeticKind::Int), left, right)
}

pub(super) fn choose(store: &mut Store, condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    match condition {
        FALSE => otherwise,
        Expr::Constant(_) => then,
        Expr::Term(_) => store.choose(Kind::Int, condition, then, otherwise),
    }
}

fn is_between(store: &mut Store, unit: Expr, low: i64, high: i64) -> Expr {
    let not_below = test(store, unit, Comparison::GreaterOrEqual, Expr::Constant(low));
    let not_above = test(store, unit, Comparison::LessOrEqual, Expr::Constant(high));
    both(store, not_below, not_above)
}

fn larger(store: &mut Store, left: Expr, right: Expr) -> Expr {
    let is_less = less(store, left, right);
    choose(store, is_less, right, left)
}

fn smaller(store: &mut Store, left: Expr, right: Expr) -> Expr {
    let is_less = less(store, left, right);
    choose(store, is_less, left, right)
}

impl Text {
    /// A text that is known.
    pub(crate) fn constant(units: &[u16]) -> Text {
        let units: Rc<[Expr]> = units.iter().map(|&unit| Expr::Constant(unit.into())).collect();
        Text::new(number(units.len()), units)
    }

    /// A text without a name.
    pub(in crate::library) fn new(length: Expr, units: Rc<[Expr]>) -> Text {
        Text { length, units, name: None, same_as: None, source: None }
    }

    /// The units, if all of them are known.
    pub(crate) fn known(&self, store: &Store) -> Option<Vec<u16>> {
        let length = usize::try_from(store.fixed(self.length).constant()?).ok()?;
        let units = self.units.get(..length)?;
        units.iter().map(|&unit| Some(store.fixed(unit).constant()? as u16)).collect()
    }

    /// The fewest units that it can have.
    fn least(&self, store: &Store) -> usize {
        (store.interval(self.length).0.max(0) as usize).min(self.units.len())
    }

    /// The most units that it can have.
    pub(in crate::library) fn most(&self, store: &Store) -> usize {
        (store.interval(self.length).1.max(0) as usize).min(self.units.len())
    }

    /// Whether all units are there that it can have.
    pub(in crate::library) fn is_whole(&self, store: &Store) -> bool {
        self.source.is_none() || store.interval(self.length).1 <= self.units.len() as i64
    }

    /// The unit at an index that is within the text.
    pub(in crate::library) fn unit(&self, store: &mut Store, index: Expr) -> Expr {
        store.select(Kind::Int, Rc::clone(&self.units), index)
    }

    /// Whether an index is that of a unit, as a truth value.
    pub(in crate::library) fn has(&self, store: &mut Store, index: Expr) -> Expr {
        let not_negative = test(store, index, Comparison::GreaterOrEqual, FALSE);
        let not_behind = less(store, index, self.length);
        both(store, not_negative, not_behind)
    }

    /// Whether there is a unit at a known place, as a truth value.
    fn reaches(&self, store: &mut Store, place: usize) -> Expr {
        less(store, number(place), self.length)
    }

    /// Something that has to hold at a place, unless that is behind the end, which it can be from `least` on.
    fn unless_behind(&self, store: &mut Store, place: usize, least: usize, holds: Expr) -> Expr {
        if place < least {
            return holds;
        }
        let is_there = self.reaches(store, place);
        let is_behind = not(store, is_there);
        either(store, is_behind, holds)
    }

    /// Whether something holds for all units, as a truth value.
    pub(crate) fn all(
        &self,
        store: &mut Store,
        mut holds: impl FnMut(&mut Store, Expr) -> Expr,
    ) -> Expr {
        let (least, most) = (self.least(store), self.most(store));
        let mut all = TRUE;
        for place in 0..most {
            let here = holds(store, self.units[place]);
            let here = self.unless_behind(store, place, least, here);
            all = both(store, all, here);
        }
        all
    }

    /// Whether two texts have the same units once these are mapped, as a truth value.
    pub(in crate::library) fn equals(
        &self,
        store: &mut Store,
        other: &Text,
        mut mapped: impl FnMut(&mut Store, Expr) -> Expr,
    ) -> Expr {
        let mut same = equal(store, self.length, other.length);
        let most = self.most(store).min(other.most(store));
        // One of the two lengths may be known.
        let least = self.least(store).max(other.least(store));
        for place in 0..most {
            if same == FALSE {
                break;
            }
            let (left, right) =
                (mapped(store, self.units[place]), mapped(store, other.units[place]));
            let here = equal(store, left, right);
            let here = self.unless_behind(store, place, least, here);
            same = both(store, same, here);
        }
        same
    }

    /// `String.hashCode`.
    pub(in crate::library) fn hash(&self, store: &mut Store) -> Expr {
        let most = self.most(store);
        let mut hashes = vec![FALSE];
        let mut hash = FALSE;
        for place in 0..most {
            let shifted =
                store.apply(Operation::Multiply(ArithmeticKind::Int), hash, Expr::Constant(31));
            hash = add(store, shifted, self.units[place]);
            hashes.push(hash);
        }
        store.select(Kind::Int, hashes.into(), self.length)
    }

    /// `String.compareTo`, once units are mapped.
    pub(in crate::library) fn compare(
        &self,
        store: &mut Store,
        other: &Text,
        mut mapped: impl FnMut(&mut Store, Expr) -> Expr,
    ) -> Expr {
        let common = self.most(store).min(other.most(store));
        let mut result = subtract(store, self.length, other.length);
        for place in (0..common).rev() {
            let (left, right) =
                (mapped(store, self.units[place]), mapped(store, other.units[place]));
            let difference = subtract(store, left, right);
            let is_same = equal(store, left, right);
            let in_left = self.reaches(store, place);
            let in_right = other.reaches(store, place);
            let in_both = both(store, in_left, in_right);
            let is_different = not(store, is_same);
            let decides = both(store, in_both, is_different);
            result = choose(store, decides, difference, result);
        }
        result
    }

    /// Whether another text is at a place, as a truth value.
    pub(in crate::library) fn has_at(&self, store: &mut Store, other: &Text, place: Expr) -> Expr {
        let most = other.most(store);
        let not_negative = test(store, place, Comparison::GreaterOrEqual, FALSE);
        let room = subtract(store, self.length, other.length);
        let has_room = test(store, place, Comparison::LessOrEqual, room);
        let mut same = both(store, not_negative, has_room);
        let least = other.least(store);
        for offset in 0..most {
            if same == FALSE {
                break;
            }
            let index = add(store, place, number(offset));
            let unit = self.unit(store, index);
            let here = equal(store, unit, other.units[offset]);
            let here = other.unless_behind(store, offset, least, here);
            same = both(store, same, here);
        }
        same
    }

    /// Whether another text is at the end, as a truth value.
    pub(in crate::library) fn ends_with(&self, store: &mut Store, other: &Text) -> Expr {
        let place = subtract(store, self.length, other.length);
        self.has_at(store, other, place)
    }

    /// The first place from an index on where something holds, -1 if there is none.
    fn first_place(
        &self,
        store: &mut Store,
        from: Expr,
        mut holds: impl FnMut(&mut Store, usize) -> Expr,
    ) -> Expr {
        let first = store.interval(from).0.max(0) as usize;
        let mut result = Expr::Constant(-1);
        for place in (first..=self.most(store)).rev() {
            let is_behind = test(store, number(place), Comparison::GreaterOrEqual, from);
            let here = holds(store, place);
            let found = both(store, is_behind, here);
            result = choose(store, found, number(place), result);
        }
        result
    }

    /// The last place up to an index where something holds, -1 if there is none.
    fn last_place(
        &self,
        store: &mut Store,
        up_to: Expr,
        mut holds: impl FnMut(&mut Store, usize) -> Expr,
    ) -> Expr {
        let last = store.interval(up_to).1.min(self.most(store) as i64);
        let mut result = Expr::Constant(-1);
        for place in 0..=last {
            let is_before = test(store, Expr::Constant(place), Comparison::LessOrEqual, up_to);
            let here = holds(store, place as usize);
            let found = both(store, is_before, here);
            result = choose(store, found, Expr::Constant(place), result);
        }
        result
    }

    fn is_at(&self, store: &mut Store, place: usize, unit: Expr) -> Expr {
        let Some(&here) = self.units.get(place) else { return FALSE };
        let is_there = self.reaches(store, place);
        let is_it = equal(store, here, unit);
        both(store, is_there, is_it)
    }

    /// `String.indexOf` of a unit.
    pub(in crate::library) fn index_of_unit(
        &self,
        store: &mut Store,
        unit: Expr,
        from: Expr,
    ) -> Expr {
        self.first_place(store, from, |store, place| self.is_at(store, place, unit))
    }

    /// `String.lastIndexOf` of a unit.
    pub(in crate::library) fn last_index_of_unit(
        &self,
        store: &mut Store,
        unit: Expr,
        up_to: Expr,
    ) -> Expr {
        self.last_place(store, up_to, |store, place| self.is_at(store, place, unit))
    }

    /// `String.indexOf` of a text.
    pub(in crate::library) fn index_of(&self, store: &mut Store, other: &Text, from: Expr) -> Expr {
        // An empty text is found at the end, however far behind it the search starts.
        let end = self.length;
        let is_empty = equal(store, other.length, FALSE);
        let within = smaller(store, from, end);
        let from = choose(store, is_empty, within, from);
        self.first_place(store, from, |store, place| self.has_at(store, other, number(place)))
    }

    /// `String.lastIndexOf` of a text.
    pub(in crate::library) fn last_index_of(
        &self,
        store: &mut Store,
        other: &Text,
        up_to: Expr,
    ) -> Expr {
        self.last_place(store, up_to, |store, place| self.has_at(store, other, number(place)))
    }

    /// The part between two indices that are within the text, in their order.
    pub(in crate::library) fn part(&self, store: &mut Store, start: Expr, end: Expr) -> Text {
        let length = subtract(store, end, start);
        let (first, _) = store.interval(start);
        let (_, last) = store.interval(end);
        let first = first.max(0);
        let last = last.min(self.units.len() as i64);
        let most = store.interval(length).1.min(last - first).max(0);
        let units = (0..most as usize)
            .map(|offset| {
                let index = add(store, start, number(offset));
                self.unit(store, index)
            })
            .collect();
        Text::new(length, units)
    }

    /// One text after the other.
    pub(in crate::library) fn followed_by(&self, store: &mut Store, other: &Text) -> Text {
        let length = add(store, self.length, other.length);
        let (least, most) = (self.least(store), self.most(store));
        let all = most + other.most(store);
        let units = (0..all)
            .map(|place| {
                if place < least {
                    return self.units[place];
                }
                let index = subtract(store, number(place), self.length);
                let behind = other.unit(store, index);
                match self.units.get(place).filter(|_| place < most) {
                    Some(&own) => {
                        let is_own = self.reaches(store, place);
                        choose(store, is_own, own, behind)
                    }
                    None => behind,
                }
            })
            .collect();
        Text::new(length, units)
    }

    /// The same with other units.
    pub(in crate::library) fn map(
        &self,
        store: &mut Store,
        mut mapped: impl FnMut(&mut Store, Expr) -> Expr,
    ) -> Text {
        let units =
            self.units[..self.most(store)].iter().map(|&unit| mapped(store, unit)).collect();
        Text::new(self.length, units)
    }

    /// The same with another unit at an index, which is within the text.
    pub(in crate::library) fn with(&self, store: &mut Store, index: Expr, unit: Expr) -> Text {
        let units = (0..self.most(store))
            .map(|place| {
                let is_it = equal(store, index, number(place));
                choose(store, is_it, unit, self.units[place])
            })
            .collect();
        Text::new(self.length, units)
    }

    /// The units in the opposite order; pairs of surrogates keep theirs.
    pub(in crate::library) fn reversed(&self, store: &mut Store) -> Text {
        let last = subtract(store, self.length, TRUE);
        let units: Vec<Expr> = (0..self.most(store))
            .map(|place| {
                let index = subtract(store, last, number(place));
                self.unit(store, index)
            })
            .collect();
        // Whether a unit and the next one are a pair the wrong way round.
        let swapped: Vec<Expr> = (0..units.len())
            .map(|place| {
                let Some(&next) = units.get(place + 1) else { return FALSE };
                let is_low = is_between(store, units[place], 0xDC00, 0xDFFF);
                let is_high = is_between(store, next, 0xD800, 0xDBFF);
                let is_there = self.reaches(store, place + 1);
                let is_pair = both(store, is_low, is_high);
                both(store, is_there, is_pair)
            })
            .collect();
        let paired = (0..units.len())
            .map(|place| {
                let mut unit = units[place];
                if let Some(before) = place.checked_sub(1) {
                    unit = choose(store, swapped[before], units[before], unit);
                }
                match units.get(place + 1) {
                    Some(&next) => choose(store, swapped[place], next, unit),
                    None => unit,
                }
            })
            .collect();
        Text::new(self.length, paired)
    }

    /// Where the text starts and ends without the units at its ends of which something holds.
    pub(in crate::library) fn bounds_without(
        &self,
        store: &mut Store,
        mut is_left_out: impl FnMut(&mut Store, Expr) -> Expr,
    ) -> (Expr, Expr) {
        let most = self.most(store);
        let kept: Vec<Expr> = (0..most)
            .map(|place| {
                let is_there = self.reaches(store, place);
                let is_out = is_left_out(store, self.units[place]);
                let is_in = not(store, is_out);
                both(store, is_there, is_in)
            })
            .collect();
        // A text of which nothing is left is empty at its end.
        let (mut start, mut end) = (self.length, FALSE);
        for (place, &is_kept) in kept.iter().enumerate() {
            end = choose(store, is_kept, number(place + 1), end);
        }
        for (place, &is_kept) in kept.iter().enumerate().rev() {
            start = choose(store, is_kept, number(place), start);
        }
        let end = larger(store, start, end);
        (start, end)
    }
}

#[cfg(test)]
mod tests;
