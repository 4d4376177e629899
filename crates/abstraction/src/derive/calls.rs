//! Calls of a derivation: into methods that it follows, and past those that it does not.

use petrel_clp::End;
use smallvec::{SmallVec, smallvec};

use super::{Derivation, Next, Way};
use crate::evaluate::value_of;
use crate::modes::variable;
use crate::program::{Case, Outside, RuleName};
use crate::state::{Exit, Frame, State};
use crate::values::Value;

impl Derivation<'_> {
    /// Past a call of code that traces do not show.
    pub(super) fn call_outside(
        &self,
        name: RuleName,
        mut state: State,
        outside: Outside,
        mut template: Next,
    ) -> Next {
        let arguments = self.arguments(name, &state);
        // Methods of the program that it calls have costs that are not known.
        if outside.may_change {
            state.forget(&arguments);
            template.price.add_possible(&self.prices.unknown());
        }
        let way = self.leave_call(name, &mut state, None, Value::Anything);
        Next { state, way, ..template }
    }

    fn arguments(&self, name: RuleName, state: &State) -> SmallVec<[Value; 6]> {
        let call = self.program.rule(name).call();
        let values = state.frames.last().map(|frame| &frame.values[..]).unwrap_or_default();
        let arguments = call.map_or(&[][..], |call| &call.arguments);
        arguments.iter().map(|&argument| value_of(argument, values)).collect()
    }

    /// Into the methods that a call may reach, and past them where they are left open.
    pub(super) fn call_inside(
        &self,
        name: RuleName,
        state: State,
        cases: &[Case],
        otherwise: Option<Outside>,
        template: &Next,
        next: &mut Vec<Next>,
    ) {
        let arguments = self.arguments(name, &state);
        let receiver = arguments.first().copied().unwrap_or(Value::Anything);
        let known = state.thing(receiver).and_then(|thing| thing.classes.clone());
        let possible: SmallVec<[&Case; 4]> = cases
            .iter()
            .filter(|case| match (&case.classes, &known) {
                (Some(wanted), Some(known)) => known.iter().any(|class| wanted.contains(class)),
                _ => true,
            })
            .collect();
        let is_elsewhere = otherwise.filter(|_| {
            known.as_ref().is_none_or(|known| {
                known.iter().any(|class| {
                    !cases.iter().any(|case| case.classes.iter().any(|of| of.contains(class)))
                })
            })
        });
        let is_choice = possible.len() + usize::from(is_elsewhere.is_some()) > 1;
        let is_followed = |case: &Case| {
            let entry = RuleName { procedure: case.procedure, predicate: 0, rule: 0 };
            let slice = self.settings.slice.as_ref();
            self.settings.follows_calls && slice.is_none_or(|slice| slice.contains(&entry))
        };
        // A callee is left open if what follows it is wanted, or if nothing of it is.
        let is_any_followed = possible.iter().any(|case| is_followed(case));
        let leaves_open = self.may_leave_open(name) || !is_any_followed;
        let is_sliced = self.settings.slice.is_some() || !self.settings.follows_calls;
        let mut is_left_open = !is_sliced || !leaves_open;
        for case in possible {
            let mut state = state.clone();
            if is_choice {
                state.note_choice(false);
            }
            if let (Some(thing), Some(classes)) = (state.thing_mut(receiver), &case.classes) {
                let known = thing.classes.take();
                let both = match known {
                    Some(known) => {
                        known.iter().filter(|of| classes.contains(of)).cloned().collect()
                    }
                    None => classes.clone(),
                };
                thing.classes = Some(both);
            }
            let mut entered = Next { state: State::default(), ..template.clone() };
            let callee = &self.program.procedure(case.procedure).method;
            entered.price.add(&self.prices.of_call(name, callee));
            if !std::mem::replace(&mut is_left_open, true) {
                // One of them stands for all.
                let mut state = state.clone();
                state.forget(&arguments);
                let mut left = Next { state: State::default(), ..entered.clone() };
                let may_throw = otherwise.is_some()
                    || cases
                        .iter()
                        .any(|of| self.program.procedures[of.procedure as usize].may_throw);
                let exit = (!may_throw).then_some(Exit::Returned);
                left.way = self.leave_call(name, &mut state, exit, Value::Anything);
                left.price.add_possible(&self.prices.of_open_call(cases));
                left.state = state;
                next.push(left);
            }
            if !is_followed(case) {
                continue;
            }
            entered.way = self.enter(name, &mut state, case, &arguments);
            entered.state = state;
            next.push(entered);
        }
        if let Some(outside) = is_elsewhere {
            let mut state = state;
            if is_choice {
                state.note_choice(false);
            }
            next.push(self.call_outside(name, state, outside, template.clone()));
        }
    }

    /// Whether what follows a call is part of the slice.
    fn may_leave_open(&self, name: RuleName) -> bool {
        let (End::Continue(next, _), Some(slice)) =
            (&self.program.rule(name).end, &self.settings.slice)
        else {
            return true;
        };
        let rules = &self.program.procedure(name.procedure).predicates[next.index()].rules;
        (0..rules.len() as u32).any(|rule| {
            slice.contains(&RuleName { procedure: name.procedure, predicate: next.0, rule })
        })
    }

    fn enter(&self, name: RuleName, state: &mut State, case: &Case, arguments: &[Value]) -> Way {
        if let Some(frame) = state.frames.last_mut() {
            frame.waiting = Some(name.rule);
            // What the rule does not need any more is forgotten.
            let needed = self.needed_after_call(name);
            for (position, value) in frame.values.iter_mut().enumerate() {
                if !needed.contains(&(position as u32)) {
                    *value = Value::Anything;
                }
            }
        }
        let count = self.program.procedure(case.procedure).predicates[0].parameters.len();
        let values = (0..count)
            .map(|position| match arguments.get(position) {
                Some(&value) if self.modes.keeps_parameter(case.procedure, 0, position) => value,
                _ => Value::Anything,
            })
            .collect();
        state.frames.push(Frame {
            procedure: case.procedure,
            predicate: 0,
            values,
            exit: None,
            waiting: None,
            is_qualified: !case.is_named,
            tallies: SmallVec::new(),
        });
        self.activate(state)
    }

    fn needed_after_call(&self, name: RuleName) -> SmallVec<[u32; 8]> {
        match &self.program.rule(name).end {
            End::Continue(_, arguments) => {
                arguments.iter().filter_map(|&of| variable(of)).map(|of| of.0).collect()
            }
            _ => smallvec![],
        }
    }

    /// A call of the frame on top has ended: its rule goes on.
    pub(super) fn leave_call(
        &self,
        name: RuleName,
        state: &mut State,
        exit: Option<Exit>,
        result: Value,
    ) -> Way {
        let call = self.program.rule(name).call();
        if let (Some(frame), Some(variable)) =
            (state.frames.last_mut(), call.and_then(|call| call.result))
            && let Some(place) = frame.values.get_mut(variable.0 as usize)
        {
            *place = result;
        }
        self.finish(name, state, exit)
    }

    /// The rule that waited for the call that has ended.
    pub(super) fn returned(&self, state: &mut State, result: Value) -> Option<RuleName> {
        let frame = state.frames.last_mut()?;
        let rule = frame.waiting.take()?;
        let name = RuleName { procedure: frame.procedure, predicate: frame.predicate, rule };
        let call = self.program.rule(name).call()?;
        if let Some(variable) = call.result
            && let Some(place) = frame.values.get_mut(variable.0 as usize)
        {
            *place = if self.modes.keeps(name, variable) { result } else { Value::Anything };
        }
        Some(name)
    }
}
