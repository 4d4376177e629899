//! Whether guards may hold in a state; then they are assumed.

use petrel_clp::{Comparison, Guard, Operand};

use super::Evaluator;
use crate::program::RuleName;
use crate::state::{Exit, State, Truth};
use crate::values::Value;

impl Evaluator<'_> {
    /// Whether the guards of a rule may hold; then they are assumed.
    pub(crate) fn assume_guards(&self, name: RuleName, state: &mut State) -> Truth {
        let rule = self.program.rule(name);
        rule.guards.iter().fold(Truth::Certainly, |truth, guard| {
            truth.and(|| {
                if self.modes.keeps_guard(name, guard) {
                    self.assume_guard(name, guard, state)
                } else {
                    Truth::Perhaps
                }
            })
        })
    }

    /// Whether a guard may hold; then it is assumed.
    fn assume_guard(&self, name: RuleName, guard: &Guard, state: &mut State) -> Truth {
        let tables = &self.program.procedure(name.procedure).tables;
        // Of references it is not known whether the program excludes an answer.
        let perhaps = |is_possible: bool| if is_possible { Truth::Perhaps } else { Truth::Never };
        let answer = |decided: Option<bool>, wanted: bool| {
            decided.map_or(Truth::Perhaps, |decided| Truth::from(decided == wanted))
        };
        let value = |state: &State, operand: Operand| self.value(state, operand);
        match guard {
            Guard::Compare { comparison, left, right, .. } => {
                let (left, right) = (value(state, *left), value(state, *right));
                state.assume(*comparison, left, right)
            }
            Guard::OneOf(operand, numbers) => {
                let operand = value(state, *operand);
                let range = state.range(operand);
                let is_possible = range.is_none_or(|(low, high)| {
                    numbers.iter().any(|&number| (low..=high).contains(&number.into()))
                });
                match numbers.as_slice() {
                    [only] => {
                        state.assume(Comparison::Equal, operand, Value::Number((*only).into()))
                    }
                    _ if range.is_some_and(|(low, high)| low == high) => is_possible.into(),
                    _ => perhaps(is_possible),
                }
            }
            Guard::NoneOf(operand, numbers) => {
                let operand = value(state, *operand);
                numbers.iter().fold(Truth::Certainly, |truth, &number| {
                    truth.and(|| {
                        state.assume(Comparison::NotEqual, operand, Value::Number(number.into()))
                    })
                })
            }
            Guard::IsNull(operand) => assume_null(state, value(state, *operand), true),
            Guard::NonNull(operand) => assume_null(state, value(state, *operand), false),
            Guard::Same(left, right) => {
                let is_same = is_same(state, value(state, *left), value(state, *right));
                if is_same.is_none() {
                    // Numbers of one object are numbers of the other.
                    state.blur_all();
                }
                answer(is_same, true)
            }
            Guard::Different(left, right) => {
                answer(is_same(state, value(state, *left), value(state, *right)), false)
            }
            Guard::InBounds { array, index } => {
                let length = self.length(name, *array, state);
                let index = value(state, *index);
                let is_inside = state.assume(Comparison::GreaterOrEqual, index, Value::Number(0));
                is_inside.and(|| state.assume(Comparison::Less, index, length))
            }
            Guard::OutOfBounds { array, index } => {
                let length = self.length(name, *array, state);
                let index = value(state, *index);
                let (mut below, mut above) = (state.clone(), state.clone());
                let is_below = below.assume(Comparison::Less, index, Value::Number(0));
                let is_above = above.assume(Comparison::GreaterOrEqual, index, length);
                // Where it is outside is known only if it cannot be on both sides.
                match (is_below, is_above) {
                    (Truth::Never, truth) => {
                        *state = above;
                        truth
                    }
                    (truth, Truth::Never) => {
                        *state = below;
                        truth
                    }
                    _ => Truth::Perhaps,
                }
            }
            Guard::Instance(operand, class) | Guard::NotInstance(operand, class) => {
                let operand = value(state, *operand);
                let is_it = self.is_instance(state, operand, tables.class_name(*class), false);
                answer(is_it, matches!(guard, Guard::Instance(..)))
            }
            Guard::Castable(operand, class) | Guard::NotCastable(operand, class) => {
                let operand = value(state, *operand);
                let is_it = self.is_instance(state, operand, tables.class_name(*class), true);
                answer(is_it, matches!(guard, Guard::Castable(..)))
            }
            Guard::Returned(_) => answer(exit(state).map(|exit| exit == Exit::Returned), true),
            Guard::Threw(..) => answer(exit(state).map(|exit| exit == Exit::Threw), true),
            Guard::Storable { .. } | Guard::NotStorable { .. } => Truth::Perhaps,
        }
    }

    /// Whether a reference has a class, if that is known.
    pub(super) fn is_instance(
        &self,
        state: &State,
        value: Value,
        class: &str,
        of_null: bool,
    ) -> Option<bool> {
        if state.is_null(value) == Some(true) {
            return Some(of_null);
        }
        let thing = state.thing(value)?;
        let is_null_known = thing.is_null == Some(false);
        let mut answers = thing
            .classes
            .iter()
            .flat_map(|classes| classes.iter())
            .map(|of| self.program.program.is_assignable(of, class).ok());
        let first = answers.next()??;
        if answers.any(|other| other != Some(first)) {
            return None;
        }
        // Null is an answer of its own.
        (is_null_known || first == of_null).then_some(first)
    }
}

fn exit(state: &State) -> Option<Exit> {
    state.frames.last().and_then(|frame| frame.exit)
}

fn assume_null(state: &mut State, value: Value, is_null: bool) -> Truth {
    match state.is_null(value) {
        Some(known) => Truth::from(known == is_null),
        None => {
            if let Some(thing) = state.thing_mut(value) {
                thing.is_null = Some(is_null);
            }
            Truth::Perhaps
        }
    }
}

fn is_same(state: &State, left: Value, right: Value) -> Option<bool> {
    match (left, right) {
        (Value::Anything, _) | (_, Value::Anything) => None,
        (left, right) if left == right => Some(true),
        (Value::Null, other) | (other, Value::Null) => state.is_null(other),
        (Value::Made(_), Value::Made(_)) => Some(false),
        (Value::Made(made), Value::Input(_)) | (Value::Input(_), Value::Made(made)) => {
            let is_shared = state.made.get(made as usize).is_none_or(|thing| thing.is_shared);
            if is_shared { None } else { Some(false) }
        }
        _ => None,
    }
}
