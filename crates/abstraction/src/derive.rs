//! Derivations in an abstraction, one rule at a time: which rules can be applied to a state, and how the
//! derivation goes on after each. What guards and literals say about values is in [`crate::evaluate`],
//! what it costs in [`crate::prices`], and how far it goes in [`crate::criterion`].

mod calls;

use std::cell::Cell;

use petrel_budget::Purse;
use petrel_clp::{End, Kind, Operand, PredicateId, Termination, VarId};
use petrel_cost::{Costing, Costs};
use petrel_program::ResolvedMethod;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::criterion::{Criterion, Reach};
use crate::evaluate::{Evaluator, value_of};
use crate::modes::Modes;
use crate::prices::{Price, Prices};
use crate::program::{AbstractProgram, RuleName, Target};
use crate::state::{Exit, Frame, State, Truth};
use crate::values::{INTS, Value};

/// What is derived.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How far: the termination criterion of the program's own derivations.
    pub termination: Termination,
    /// The range of integral inputs.
    pub domain: Option<(i64, i64)>,
    /// The longest array.
    pub max_array: u32,
    /// If set, only these rules are followed; calls of other procedures are left open.
    pub slice: Option<FxHashSet<RuleName>>,
    /// Whether calls are followed at all, those of the target by itself included.
    pub follows_calls: bool,
    /// If set, what calls that are left open cost, for each procedure: what is not known of them then
    /// counts nothing. Else they may cost anything.
    pub estimates: Option<Vec<Costs>>,
}

/// A rule that a derivation applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The rule.
    pub rule: RuleName,
    /// How many calls are under way, that of the target included.
    pub depth: u32,
    /// Whether its method is not the one that the caller names.
    pub is_qualified: bool,
}

/// How a derivation goes on after a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// It goes on.
    On,
    /// The target returned or threw.
    End { threw: bool },
    /// The abstraction cannot tell how far the program's own derivation goes from here.
    Open,
    /// The termination criterion cuts it.
    Cut,
}

impl From<Reach> for Way {
    fn from(reach: Reach) -> Way {
        match reach {
            Reach::Within => Way::On,
            Reach::Perhaps => Way::Open,
            Reach::Beyond => Way::Cut,
        }
    }
}

/// A rule that can be applied next, and what comes of it.
#[derive(Debug, Clone)]
pub(crate) struct Next {
    pub(crate) step: Step,
    pub(crate) state: State,
    pub(crate) way: Way,
    /// What it costs.
    pub(crate) price: Price,
}

/// Derives in an abstraction.
pub struct Derivation<'a> {
    pub(crate) program: &'a AbstractProgram<'a>,
    modes: &'a Modes,
    evaluator: Evaluator<'a>,
    pub(crate) prices: Prices<'a>,
    criterion: Criterion<'a>,
    settings: Settings,
    /// What rules are paid from, and up to what is spent from it bounds are looked for.
    purse: Purse,
    most_spent: Cell<u64>,
}

/// What a rule counts, in the units of the program's own derivations.
const WORK_OF_RULE: u64 = 4;

impl<'a> Derivation<'a> {
    /// Derivations of the target of a program.
    pub fn new(
        program: &'a AbstractProgram<'a>,
        modes: &'a Modes,
        costing: &'a Costing<'a>,
        settings: Settings,
    ) -> Derivation<'a> {
        let evaluator = Evaluator::new(program, modes);
        let prices = Prices::new(program, costing, &settings);
        let criterion = Criterion::new(program, settings.termination);
        let purse = Purse::unlimited();
        let most_spent = Cell::new(u64::MAX);
        Derivation { program, modes, evaluator, prices, criterion, settings, purse, most_spent }
    }

    /// The same derivations, paid from a purse: a search for traces ends when that is over.
    #[must_use]
    pub fn paid_from(self, purse: &Purse) -> Derivation<'a> {
        Derivation { purse: purse.clone(), ..self }
    }

    pub(crate) fn purse(&self) -> &Purse {
        &self.purse
    }

    /// Bounds are not looked for any more once so much is spent from the purse: what is known of them is kept.
    pub fn spend_up_to(&self, most: u64) {
        self.most_spent.set(most);
    }

    /// What was spent from the purse.
    pub fn spent(&self) -> u64 {
        self.purse.spent()
    }

    /// Whether nothing more is to be looked for.
    pub fn is_over(&self) -> bool {
        self.purse.is_over() || self.purse.spent() >= self.most_spent.get()
    }

    /// The call of the target on unknown inputs.
    pub(crate) fn start(&self, target: &ResolvedMethod) -> State {
        let mut state = State::default();
        let procedure = self.program.procedure(0);
        let has_receiver = !procedure.is_static;
        let parameters = &procedure.predicates[0].parameters;
        let descriptors = petrel_clp::Kind::of_parameters(target.descriptor());
        let kinds: Vec<Kind> =
            has_receiver.then_some(Kind::Reference).into_iter().chain(descriptors).collect();
        let mut values: SmallVec<[Value; 6]> = SmallVec::new();
        for (position, _) in parameters.iter().enumerate() {
            let is_receiver = has_receiver && position == 0;
            values.push(match kinds.get(position) {
                _ if !self.modes.keeps_parameter(0, 0, position) => Value::Anything,
                Some(Kind::Int) => {
                    let first = RuleName { procedure: 0, predicate: 0, rule: 0 };
                    let is_exact = self.modes.is_exact(first, VarId(position as u32));
                    state.new_number(self.domain(), is_exact)
                }
                Some(Kind::Reference) => state.new_input(is_receiver.then_some(false)),
                _ => Value::Anything,
            });
        }
        state.frames.push(Frame {
            procedure: 0,
            predicate: 0,
            values,
            exit: None,
            waiting: None,
            is_qualified: false,
            tallies: SmallVec::new(),
        });
        self.activate(&mut state);
        state
    }

    fn domain(&self) -> (i64, i64) {
        self.settings.domain.map_or(INTS, |(low, high)| (low.max(INTS.0), high.min(INTS.1)))
    }

    /// The rules that can be applied next. Costs are those of the rules.
    pub(crate) fn next(&self, mut state: State) -> Vec<Next> {
        let Some(frame) = state.frames.last() else { return Vec::new() };
        let (procedure, predicate) = (frame.procedure, frame.predicate);
        let count =
            self.program.procedure(procedure).predicates[predicate as usize].rules.len() as u32;
        self.purse.spend(u64::from(count) * WORK_OF_RULE);
        let mut enabled: SmallVec<[(RuleName, State); 2]> = SmallVec::new();
        let mut certain = 0;
        for rule in 0..count {
            let name = RuleName { procedure, predicate, rule };
            // The last needs no state of its own.
            let mut guarded =
                if rule + 1 == count { std::mem::take(&mut state) } else { state.clone() };
            let truth = self.evaluator.assume_guards(name, &mut guarded);
            if truth.is_possible() {
                certain += u32::from(truth == Truth::Certainly);
                enabled.push((name, guarded));
            }
        }
        let is_choice = enabled.len() > 1;
        let is_certain = certain > 1;
        let mut next = Vec::new();
        for (name, mut state) in enabled {
            if self.settings.slice.as_ref().is_some_and(|slice| !slice.contains(&name)) {
                continue;
            }
            if is_choice {
                state.note_choice(is_certain);
            }
            self.apply(name, state, &mut next);
        }
        next
    }

    /// Applies a rule: one state for each method that it may call.
    fn apply(&self, name: RuleName, mut state: State, next: &mut Vec<Next>) {
        let rule = self.program.rule(name);
        let Some(frame) = state.frames.last_mut() else { return };
        frame.exit = None;
        let is_qualified = frame.is_qualified && name.predicate == 0;
        frame.values.resize(rule.variables.len().max(frame.values.len()), Value::Anything);
        let depth = state.frames.len() as u32;
        let step = Step { rule: name, depth, is_qualified };
        let mut price = self.prices.of_rule(name);
        for literal in rule.literals() {
            let length = |length| state.range(self.evaluator.value(&state, length));
            self.prices.add_arrays(name, literal, length, &mut price);
            self.evaluator.execute(name, literal, &mut state);
        }
        match self.program.target(name) {
            Target::Nowhere => {
                let way = self.finish(name, &mut state, None);
                next.push(Next { step, state, way, price });
            }
            Target::Initialise { may_fail } => {
                let exit = (!may_fail).then_some(Exit::Returned);
                let way = self.leave_call(name, &mut state, exit, Value::Anything);
                next.push(Next { step, state, way, price });
            }
            Target::Outside(outside) => {
                let template = Next { step, state: State::default(), way: Way::On, price };
                next.push(self.call_outside(name, state, *outside, template));
            }
            Target::Inside { cases, otherwise } => {
                let template = Next { step, state: State::default(), way: Way::On, price };
                self.call_inside(name, state, cases, *otherwise, &template, next);
            }
        }
    }

    /// The end of a rule, and of the calls that end with it.
    fn finish(&self, mut name: RuleName, state: &mut State, mut exit: Option<Exit>) -> Way {
        loop {
            match &self.program.rule(name).end {
                End::Continue(next, arguments) => {
                    return self.go_on(name, *next, arguments, exit, state);
                }
                End::Return(value) => {
                    let values = state.frames.last().map(|frame| &frame.values[..]);
                    let result = value.map_or(Value::Anything, |value| {
                        value_of(value, values.unwrap_or_default())
                    });
                    exit = Some(Exit::Returned);
                    state.frames.pop();
                    match self.returned(state, result) {
                        Some(caller) => name = caller,
                        None => return Way::End { threw: false },
                    }
                }
                End::Throw(_) => {
                    exit = Some(Exit::Threw);
                    state.frames.pop();
                    match self.returned(state, Value::Anything) {
                        Some(caller) => name = caller,
                        None => return Way::End { threw: true },
                    }
                }
            }
        }
    }

    fn go_on(
        &self,
        name: RuleName,
        next: PredicateId,
        arguments: &[Operand],
        exit: Option<Exit>,
        state: &mut State,
    ) -> Way {
        let Some(frame) = state.frames.last_mut() else { return Way::Open };
        let kept = |position: usize| self.modes.keeps_parameter(name.procedure, next.0, position);
        let values: SmallVec<[Value; 6]> = arguments
            .iter()
            .enumerate()
            .map(
                |(position, &of)| {
                    if kept(position) { value_of(of, &frame.values) } else { Value::Anything }
                },
            )
            .collect();
        frame.values = values;
        frame.exit = exit;
        let from = std::mem::replace(&mut frame.predicate, next.0);
        let procedure = frame.procedure;
        self.criterion.pass(procedure, &mut frame.tallies, from as usize, next.index()).into()
    }

    /// Sets the counters of the innermost call, which begins.
    fn activate(&self, state: &mut State) -> Way {
        let Some((frame, below)) = state.frames.split_last_mut() else { return Way::On };
        let around = below.iter().rev().find(|other| other.procedure == frame.procedure);
        let around = around.map(|around| &around.tallies);
        let (tallies, reach) = self.criterion.begin(frame.procedure, around);
        frame.tallies = tallies;
        reach.into()
    }
}
