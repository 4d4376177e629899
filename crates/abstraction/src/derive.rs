//! Derivations in an abstraction, one rule at a time.

use std::sync::atomic::{AtomicBool, Ordering};

use petrel_clp::{Comparison, End, Guard, Kind, Literal, MethodRef, Operand, PredicateId, VarId};
use petrel_cost::{Costing, Costs};
use petrel_program::ResolvedMethod;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

use crate::modes::{Modes, variable};
use crate::program::{AbstractProgram, Case, Outside, RuleName, Target};
use crate::state::{Counter, Exit, Frame, State, Truth};
use crate::values::{self, INTS, Value};

/// How far a derivation unfolds; the termination criterion of the program's own derivations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// A predicate occurs at most so often in an ancestor sequence.
    BlockCount(u32),
    /// Per entry of a loop at most so many iterations with a choice, and such recursive calls.
    Loop(u32),
}

/// What is derived.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How far.
    pub bound: Bound,
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

/// A rule that can be applied next, and what comes of it.
#[derive(Debug, Clone)]
pub(crate) struct Next {
    pub(crate) step: Step,
    pub(crate) state: State,
    pub(crate) way: Way,
    /// What it costs, for each model: at least, and at most.
    pub(crate) least: Costs,
    pub(crate) most: Costs,
}

/// Derives in an abstraction.
pub struct Derivation<'a> {
    pub(crate) program: &'a AbstractProgram<'a>,
    modes: &'a Modes,
    costing: &'a Costing<'a>,
    settings: Settings,
    /// Set from outside when it is time to end.
    interrupt: Option<&'a AtomicBool>,
    /// Costs of rules.
    rules: std::cell::RefCell<FxHashMap<RuleName, Costs>>,
}

/// A cost that is not known.
pub(crate) const UNBOUNDED: i64 = i64::MAX / 4;

impl<'a> Derivation<'a> {
    /// Derivations of the target of a program.
    pub fn new(
        program: &'a AbstractProgram<'a>,
        modes: &'a Modes,
        costing: &'a Costing<'a>,
        settings: Settings,
    ) -> Derivation<'a> {
        Derivation { program, modes, costing, settings, interrupt: None, rules: Default::default() }
    }

    /// What ends the search for traces when it is set.
    #[must_use]
    pub fn interrupted_by(self, interrupt: &'a AtomicBool) -> Derivation<'a> {
        Derivation { interrupt: Some(interrupt), ..self }
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.is_some_and(|interrupt| interrupt.load(Ordering::Relaxed))
    }

    pub(crate) fn models(&self) -> usize {
        self.costing.models().len()
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
            counters: SmallVec::new(),
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
        let mut enabled: SmallVec<[(RuleName, State); 2]> = SmallVec::new();
        let mut certain = 0;
        for rule in 0..count {
            let name = RuleName { procedure, predicate, rule };
            // The last needs no state of its own.
            let mut guarded =
                if rule + 1 == count { std::mem::take(&mut state) } else { state.clone() };
            let truth = self.assume_guards(name, &mut guarded);
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

    fn assume_guards(&self, name: RuleName, state: &mut State) -> Truth {
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

    fn length(&self, name: RuleName, array: Operand, state: &mut State) -> Value {
        let is_exact = variable(array).is_some_and(|array| self.modes.is_exact(name, array));
        let array = self.value(state, array);
        state.length(array, is_exact)
    }

    fn is_instance(&self, state: &State, value: Value, class: &str, of_null: bool) -> Option<bool> {
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

    /// Applies a rule: one state for each method that it may call.
    fn apply(&self, name: RuleName, mut state: State, next: &mut Vec<Next>) {
        let rule = self.program.rule(name);
        let Some(frame) = state.frames.last_mut() else { return };
        frame.exit = None;
        let is_qualified = frame.is_qualified && name.predicate == 0;
        frame.values.resize(rule.variables.len().max(frame.values.len()), Value::Anything);
        let depth = state.frames.len() as u32;
        let step = Step { rule: name, depth, is_qualified };
        let mut least = self.of_rule(name);
        let mut most = least.clone();
        for literal in &rule.body {
            self.execute(name, literal, &mut state, &mut least, &mut most);
        }
        let done = |state: State, way: Way, least: &Costs, most: &Costs| Next {
            step,
            state,
            way,
            least: least.clone(),
            most: most.clone(),
        };
        match self.program.target(name) {
            Target::Nowhere => {
                let way = self.finish(name, &mut state, None);
                next.push(done(state, way, &least, &most));
            }
            Target::Initialise { may_fail } => {
                let exit = (!may_fail).then_some(Exit::Returned);
                let way = self.leave_call(name, &mut state, exit, Value::Anything);
                next.push(done(state, way, &least, &most));
            }
            Target::Outside(outside) => {
                let (state, way, more) = self.call_outside(name, state, *outside);
                add(&mut most, more);
                next.push(done(state, way, &least, &most));
            }
            Target::Inside { cases, otherwise } => {
                self.call_inside(
                    name,
                    state,
                    cases,
                    *otherwise,
                    &done(State::default(), Way::On, &least, &most),
                    next,
                );
            }
        }
    }

    fn call_outside(
        &self,
        name: RuleName,
        mut state: State,
        outside: Outside,
    ) -> (State, Way, i64) {
        let arguments = self.arguments(name, &state);
        // Methods of the program that it calls have costs that are not known.
        let mut more = 0;
        if outside.may_change {
            state.forget(&arguments);
            more = self.unknown_cost();
        }
        let way = self.leave_call(name, &mut state, None, Value::Anything);
        (state, way, more)
    }

    fn arguments(&self, name: RuleName, state: &State) -> SmallVec<[Value; 6]> {
        let call = self.program.rule(name).call();
        let values = state.frames.last().map(|frame| &frame.values[..]).unwrap_or_default();
        let arguments = call.map_or(&[][..], |call| &call.arguments);
        arguments.iter().map(|&argument| value_of(argument, values)).collect()
    }

    fn call_inside(
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
            let cost = self.of_call(name, callee);
            add_costs(&mut entered.least, &cost);
            add_costs(&mut entered.most, &cost);
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
                add_costs(&mut left.most, &self.of_open_call(cases));
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
            let (state, way, more) = self.call_outside(name, state, outside);
            let mut left = Next { state, way, ..template.clone() };
            add(&mut left.most, more);
            next.push(left);
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
            counters: SmallVec::new(),
        });
        self.activate(state).way()
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
    fn leave_call(
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

    /// The rule that waited for the call that has ended.
    fn returned(&self, state: &mut State, result: Value) -> Option<RuleName> {
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
        self.pass(state, from as usize, next.index()).way()
    }

    fn execute(
        &self,
        name: RuleName,
        literal: &Literal,
        state: &mut State,
        least: &mut Costs,
        most: &mut Costs,
    ) {
        let tables = &self.program.procedure(name.procedure).tables;
        if let Literal::NewArray { class, length, .. } = literal {
            let length = self.value(state, *length);
            self.add_array(name, tables.class_name(*class), state.range(length), least, most);
        }
        if let Literal::NewMultiArray { .. } = literal {
            add(most, self.unknown_cost());
        }
        if let Literal::SetArray { value, .. } | Literal::SetStatic { value, .. } = literal {
            let value = self.value(state, *value);
            state.share(value);
        }
        if !self.modes.keeps_literal(name, tables, literal) {
            return;
        }
        let result = match literal {
            Literal::Compute { operation, operands, .. } => {
                let operands: SmallVec<[Value; 2]> =
                    operands.iter().map(|&of| self.value(state, of)).collect();
                let result = values::apply(*operation, &operands, |unknown| {
                    state.numbers[unknown as usize].range
                });
                if result == Value::Anything {
                    operands.iter().for_each(|&operand| state.blur(operand));
                }
                result
            }
            Literal::NewObject { class, .. } => {
                let class: Box<str> = tables.class_name(*class).into();
                let object = state.make(class.clone(), None);
                for (field, number) in self.fields_of(&class) {
                    let is_reference = Kind::of_descriptor(&field) == Kind::Reference;
                    let default = if is_reference { Value::Null } else { Value::Number(0) };
                    state.put(object, number, default);
                }
                object
            }
            Literal::NewArray { class, length, .. } => {
                let length = self.value(state, *length);
                state.make(tables.class_name(*class).into(), Some(length))
            }
            Literal::ArrayLength { array, .. } => self.length(name, *array, state),
            Literal::GetField { object, field, .. } => {
                let object = self.value(state, *object);
                let Some(known) = tables.field(*field) else { return };
                let kind = Kind::of_descriptor(&known.descriptor);
                match self.modes.fields.get(known) {
                    Some(&number) if matches!(kind, Kind::Int | Kind::Reference) => {
                        let is_exact = self.modes.is_field_exact(known);
                        state.get_field(object, number, kind == Kind::Reference, is_exact)
                    }
                    _ => Value::Anything,
                }
            }
            Literal::SetField { object, field, value } => {
                let (object, value) = (self.value(state, *object), self.value(state, *value));
                let number = tables.field(*field).and_then(|field| self.modes.fields.get(field));
                if let Some(&number) = number {
                    let field = tables.field(*field).map_or("", |field| &*field.descriptor);
                    // Narrow fields may change the value.
                    let is_whole = !matches!(field, "B" | "S" | "C" | "Z");
                    let value = if is_whole { value } else { narrow(field, value) };
                    state.set_field(object, number, value);
                }
                return;
            }
            Literal::InstanceOf { object, class, .. } => {
                let object = self.value(state, *object);
                match self.is_instance(state, object, tables.class_name(*class), false) {
                    Some(is_instance) => Value::Number(is_instance.into()),
                    None => state.new_number((0, 1), false),
                }
            }
            _ => Value::Anything,
        };
        if let (Some(target), Some(frame)) = (literal.defines(), state.frames.last_mut())
            && let Some(place) = frame.values.get_mut(target.0 as usize)
        {
            *place = result;
        }
    }

    fn value(&self, state: &State, operand: Operand) -> Value {
        let values = state.frames.last().map(|frame| &frame.values[..]).unwrap_or_default();
        state.settled(value_of(operand, values))
    }

    /// The kept fields of a class: descriptors and numbers.
    fn fields_of(&self, class: &str) -> Vec<(Box<str>, u32)> {
        let Ok(class) = self.program.program.class(class) else { return Vec::new() };
        let mut fields: Vec<(Box<str>, u32)> = self
            .modes
            .fields
            .iter()
            .filter(|(field, _)| class.lineage().any(|above| above.name() == &*field.class))
            .map(|(field, &number)| (field.descriptor.clone(), number))
            .collect();
        fields.sort_unstable_by_key(|&(_, number)| number);
        fields
    }

    fn of_rule(&self, name: RuleName) -> Costs {
        if let Some(known) = self.rules.borrow().get(&name) {
            return known.clone();
        }
        let procedure = self.program.procedure(name.procedure);
        let costs =
            self.costing.of_rule(procedure, PredicateId(name.predicate), name.rule as usize);
        self.rules.borrow_mut().insert(name, costs.clone());
        costs
    }

    /// The most that something may cost of which nothing is known.
    pub(crate) fn unknown_cost(&self) -> i64 {
        if self.settings.estimates.is_some() { 0 } else { UNBOUNDED }
    }

    /// The most that a call may cost that is left open, besides the call itself.
    fn of_open_call(&self, cases: &[Case]) -> Costs {
        let unknown = std::iter::repeat_n(self.unknown_cost(), self.models()).collect();
        let Some(estimates) = &self.settings.estimates else { return unknown };
        cases.iter().fold(unknown, |most, case| {
            let of_case = &estimates[case.procedure as usize];
            most.iter().zip(of_case).map(|(most, of_case)| *most.max(of_case)).collect()
        })
    }

    fn of_call(&self, caller: RuleName, callee: &MethodRef) -> Costs {
        self.costing.of_call(Some(self.program.procedure(caller.procedure)), callee)
    }

    fn add_array(
        &self,
        name: RuleName,
        class: &str,
        length: Option<values::Range>,
        least: &mut Costs,
        most: &mut Costs,
    ) {
        let (low, high) = length.unwrap_or((0, i64::from(i32::MAX)));
        let longest = i64::from(self.settings.max_array).max(low);
        let costs = self.costing.of_array(self.program.procedure(name.procedure), class);
        for (model, cost) in costs.iter().enumerate() {
            let Some(cost) = cost else { continue };
            least[model] = least[model].saturating_add(cost.of_length(low.max(0)));
            most[model] = most[model].saturating_add(cost.of_length(high.min(longest).max(0)));
        }
    }

    /// Sets the counters of a call that begins; `false` if it is beyond the criterion.
    fn activate(&self, state: &mut State) -> Reach {
        let Some((frame, below)) = state.frames.split_last_mut() else { return Reach::Within };
        let around = below.iter().rev().find(|other| other.procedure == frame.procedure);
        let known = &self.program.procedures[frame.procedure as usize];
        match self.settings.bound {
            Bound::Loop(bound) => {
                let recursion = around.map_or((0, 0), |around| around.counters[0].counted());
                frame.counters = smallvec![Counter::default(); 1 + known.loops.loops.len()];
                frame.counters[0].count = recursion;
                within(recursion, bound)
            }
            Bound::BlockCount(bound) => {
                let count = known.procedure.predicates.len();
                frame.counters = match around {
                    Some(around) => around.counters.clone(),
                    None => smallvec![Counter::default(); count],
                };
                occur(&mut frame.counters[0], bound)
            }
        }
    }

    /// Counts that a call goes from one predicate to another; `false` if that is beyond the criterion.
    fn pass(&self, state: &mut State, from: usize, to: usize) -> Reach {
        let Some(frame) = state.frames.last_mut() else { return Reach::Within };
        let loops = &self.program.procedures[frame.procedure as usize].loops;
        match self.settings.bound {
            Bound::Loop(bound) => {
                let innermost = loops.innermost.get(to).copied().flatten();
                let around = std::iter::successors(innermost, |&of| loops.loops[of].parent);
                for number in around {
                    let counter = &mut frame.counters[1 + number];
                    if !loops.contains(number, from) {
                        *counter = Counter::default();
                    } else if loops.loops[number].header == to {
                        let count = counter.counted();
                        *counter = Counter { count, ..Counter::default() };
                        match within(count, bound) {
                            Reach::Within => {}
                            beyond => return beyond,
                        }
                    }
                }
                Reach::Within
            }
            Bound::BlockCount(bound) => occur(&mut frame.counters[to], bound),
        }
    }
}

/// Where a derivation is with regard to the criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    Within,
    /// Beyond it, unless iterations are decided in the program that are choices here.
    Perhaps,
    Beyond,
}

impl Reach {
    fn way(self) -> Way {
        match self {
            Reach::Within => Way::On,
            Reach::Perhaps => Way::Open,
            Reach::Beyond => Way::Cut,
        }
    }
}

fn within((least, most): (u32, u32), bound: u32) -> Reach {
    if least > bound {
        Reach::Beyond
    } else if most > bound {
        Reach::Perhaps
    } else {
        Reach::Within
    }
}

/// Occurrences of predicates are the same here and in the program.
fn occur(counter: &mut Counter, bound: u32) -> Reach {
    counter.count.0 += 1;
    counter.count.1 += 1;
    within(counter.count, bound)
}

fn exit(state: &State) -> Option<Exit> {
    state.frames.last().and_then(|frame| frame.exit)
}

fn value_of(operand: Operand, values: &[Value]) -> Value {
    match operand {
        Operand::Variable(VarId(number)) => {
            values.get(number as usize).copied().unwrap_or(Value::Anything)
        }
        Operand::Int(number) => Value::Number(number.into()),
        Operand::Long(number) => Value::Number(number),
        Operand::Null => Value::Null,
        Operand::Float(_) | Operand::Double(_) => Value::Anything,
    }
}

/// A number as a narrow field holds it.
fn narrow(descriptor: &str, value: Value) -> Value {
    match (descriptor, value) {
        ("B", Value::Number(number)) => Value::Number((number as i8).into()),
        ("S", Value::Number(number)) => Value::Number((number as i16).into()),
        ("C", Value::Number(number)) => Value::Number((number as u16).into()),
        ("Z", Value::Number(number)) => Value::Number(number & 1),
        _ => Value::Anything,
    }
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

fn add(costs: &mut Costs, more: i64) {
    costs.iter_mut().for_each(|cost| *cost = cost.saturating_add(more));
}

pub(crate) fn add_costs(costs: &mut Costs, more: &Costs) {
    for (cost, more) in costs.iter_mut().zip(more) {
        *cost = cost.saturating_add(*more);
    }
}
