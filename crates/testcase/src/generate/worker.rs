//! One worker: explores a part of the tree and makes cases of its paths.

mod outcome;
mod overflow;
mod timed;
mod wanted;

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use petrel_abstraction::{AbstractProgram, RuleName};
use petrel_budget::Purse;
use petrel_classfile::{JavaType, MethodDescriptor};
use petrel_clp::Trace;
use petrel_engine::{
    Condition, Defect, Feature, Forecast, Import, InputAnswer, InputHeap, LeftOutAt, Limit, Limits,
    LocalPaths, Machine, Overflowed, PathEnd, Place, Prefix, Reason, SymbolicState, Unfollowed,
    Value, ended_by,
};
use petrel_program::ResolvedMethod;
use petrel_solver::Labelling;
use petrel_translate::cache::Procedures;
use petrel_value as data;

use self::outcome::Roots;
use self::timed::Timed;
use self::wanted::Wanted;
use super::names::RuleNames;
use super::paths::Paths;
use super::rank::Best;
use super::{GenerateError, Input, Options, longest_array};
use crate::case::{
    Case, CaseCost, Cut, Incomplete, Outcome, RuleApplied, Solution, Stopped, Summary, Symbolic,
    Unfinished,
};
use crate::overflow::Operations;

/// What is to be generated.
pub(super) struct Goal<'a, 'p> {
    pub(super) procedures: &'a Procedures<'p>,
    pub(super) method: &'a ResolvedMethod,
    pub(super) inputs: &'a [Input],
    pub(super) options: &'a Options,
    /// Operations of which it is wanted whether they overflow.
    pub(super) operations: &'a Operations,
    /// What everything is paid from.
    pub(super) purse: &'a Purse,
}

/// Bytes of the heap of each machine.
const MOST_HEAP: usize = 256 << 20;

/// So many inputs of a path on edges of its conditions are kept.
const MOST_BOUNDARIES: usize = 16;

/// What the worker learns after each path.
pub(super) enum Progress {
    /// The rest of its part of the tree is wanted.
    GoOn,
    /// The rest is not wanted.
    Stop,
}

impl From<bool> for Progress {
    fn from(goes_on: bool) -> Progress {
        if goes_on { Progress::GoOn } else { Progress::Stop }
    }
}

/// A machine that explores, and one that predicts what concrete inputs give.
pub(super) struct Worker<'a> {
    goal: &'a Goal<'a, 'a>,
    explorer: Machine<'a>,
    predictor: Machine<'a>,
    arguments: Vec<Value>,
    /// Static fields that are unknown.
    statics: Vec<data::FieldValue>,
    result: Option<JavaType>,
    /// The object that a constructor makes, with its class.
    made: Option<(Value, JavaType)>,
    /// Why no path can be derived at all.
    refused: Option<Reason>,
    /// A part of the tree that is none, and why.
    unfollowed: Option<(Prefix, Unfollowed)>,
    /// The costs of the most expensive cases so far, if others are of no interest.
    best: Option<Best>,
    /// The paths of the part under way that have cases, if several derivations may be of the same path.
    paths: Option<Paths>,
    /// Microseconds in the complete procedure.
    complete_us: Rc<Cell<u64>>,
    /// What the derivation under way is paid from.
    purse: Purse,
    /// Which rules of the program the explorer's are, if cases tell of them.
    rule_names: Option<RuleNames>,
}

/// Why a path is no case, and where, if that is somewhere else than in the method as a whole.
type Obstacle = Box<(Reason, Option<Place>)>;

/// What a concrete input gives when it is derived.
struct Derived {
    solution: Solution,
    /// What it costs, for each model.
    costs: Vec<i64>,
    /// What its parts cost, for each model that is split up.
    parts: Vec<Option<Vec<(String, i64)>>>,
    overflowed: Vec<Overflowed>,
    /// Where it first depends on what the JVM does not fix.
    unstable_decision: Option<String>,
}

/// Generates with one worker, in the thread that asks for it.
pub(super) fn alone(
    goal: &Goal<'_, '_>,
    emit: &mut dyn FnMut(Case) -> bool,
) -> Result<Summary, GenerateError> {
    let goal = Goal { ..*goal };
    let mut worker = Worker::new(&goal)?;
    let mut summary = Summary::default();
    worker.explore(goal.options.parts.to_vec(), &mut summary, &mut |_, case| {
        if case.is_none_or(&mut *emit) { Progress::GoOn } else { Progress::Stop }
    })?;
    Ok(summary)
}

impl<'a> Worker<'a> {
    pub(super) fn new(goal: &'a Goal<'a, 'a>) -> Result<Worker<'a>, GenerateError> {
        let bounds = goal.options.bounds();
        let complete_us = Rc::new(Cell::new(0));
        let complete = goal.options.complete(goal.purse)?;
        let complete = Box::new(Timed { complete, micros: Rc::clone(&complete_us) });
        let limits =
            || Limits { heap: MOST_HEAP, assertions: goal.options.assertions, ..Limits::default() };
        let mut explorer = Machine::exploring(goal.procedures, limits(), &bounds, complete);
        explorer.pay_from(goal.purse);
        let mut predictor = Machine::observing(goal.procedures, limits(), bounds.termination);
        predictor.pay_from(goal.purse);
        if !goal.options.models.is_empty() {
            let costing = || super::costing(goal.procedures, goal.method, goal.options);
            explorer.measure(costing(), wanted::most(goal.options));
            predictor.measure(costing(), vec![None; goal.options.models.len()]);
            if goal.options.models.iter().any(|model| model.part().is_some()) {
                predictor.keep_profile();
            }
            predictor.keep_live();
        }
        if !goal.operations.is_empty() {
            explorer.watch_overflows(goal.method);
            predictor.watch_overflows(goal.method);
        }
        let prepared = explorer
            .prepare_call(goal.method)
            .and_then(|()| predictor.prepare_call(goal.method))
            .and_then(|()| unknown_inputs(goal, &mut explorer));
        let (arguments, statics, refused) = match prepared {
            Ok((arguments, statics)) => (arguments, statics, None),
            Err(reason) => (Vec::new(), Vec::new(), Some(reason)),
        };
        if refused.is_none() {
            for assumption in &goal.options.assumptions {
                explorer
                    .assume_of_heap(assumption)
                    .map_err(|why| GenerateError::Assumption(assumption.to_string(), why))?;
            }
        }
        let descriptor = MethodDescriptor::parse(goal.method.descriptor());
        let result = descriptor.ok().and_then(|descriptor| descriptor.result);
        let is_made = goal.method.is_constructor();
        let class = || JavaType::Object(goal.method.class().name().into());
        let made = arguments.first().filter(|_| is_made).map(|&made| (made, class()));
        Ok(Worker {
            goal,
            explorer,
            predictor,
            arguments,
            statics,
            result,
            made,
            refused,
            unfollowed: None,
            best: Best::new(goal.options),
            paths: None,
            complete_us,
            purse: goal.purse.clone(),
            rule_names: None,
        })
    }

    /// Whether inputs have invariants, so that several derivations may be of the same path.
    pub(super) fn has_invariants(&self) -> bool {
        self.paths.is_some()
    }

    /// The same worker; its cases tell which rules of a program they apply.
    pub(super) fn telling_rules_of(self, program: &AbstractProgram<'_>) -> Worker<'a> {
        Worker { rule_names: Some(RuleNames::new(program)), ..self }
    }

    /// Gives the last part of what is left away.
    pub(super) fn split(&mut self) -> Option<Prefix> {
        self.explorer.split()
    }

    /// Explores the parts of the tree that prefixes lead to. After each path, `seen` gets the case, if
    /// there is one.
    ///
    /// # Errors
    ///
    /// If a part is none of the tree.
    pub(super) fn explore(
        &mut self,
        parts: Vec<Prefix>,
        summary: &mut Summary,
        seen: &mut dyn FnMut(&mut Self, Option<Case>) -> Progress,
    ) -> Result<(), GenerateError> {
        let trace = self.goal.options.trace.clone();
        self.derive(trace, parts, self.goal.purse, summary, seen);
        match self.unfollowed.take() {
            Some((part, why)) => Err(GenerateError::Unfollowed { part, why }),
            None => Ok(()),
        }
    }

    /// Explores from now on as somebody suggests who looks ahead, or all paths in the order of the tree.
    pub(super) fn look_ahead(&mut self, forecast: Option<Box<dyn Forecast + 'a>>) {
        self.explorer.look_ahead(forecast, longest_array(self.goal.options));
    }

    /// What a case costs that is of no interest any more.
    pub(super) fn least_of_best(&self) -> Option<i64> {
        self.best.as_ref().and_then(Best::least)
    }

    /// Explores as long as there may be local paths among the wanted ones that are not found. Tells how many
    /// were wanted, and how many of them are left.
    pub(super) fn explore_locally(
        &mut self,
        wanted: LocalPaths,
        summary: &mut Summary,
        emit: &mut dyn FnMut(Case) -> bool,
    ) -> (usize, usize) {
        self.explorer.want_local_paths(Some(wanted));
        let trace = self.goal.options.trace.clone();
        self.derive(trace, vec![Prefix::default()], self.goal.purse, summary, &mut |_, case| {
            Progress::from(case.is_none_or(&mut *emit))
        });
        self.explorer.local_paths().map_or((0, 0), |local| (local.n_wanted(), local.n_left()))
    }

    /// Derives the instances of a trace, paid from a purse. Tells how many rules of the trace the program followed.
    pub(super) fn follow(
        &mut self,
        trace: Arc<Trace>,
        purse: &Purse,
        summary: &mut Summary,
        emit: &mut dyn FnMut(Case) -> bool,
    ) -> usize {
        self.derive(Some(trace), vec![Prefix::default()], purse, summary, &mut |_, case| {
            Progress::from(case.is_none_or(&mut *emit))
        });
        self.explorer.followed()
    }

    fn derive(
        &mut self,
        trace: Option<Arc<Trace>>,
        parts: Vec<Prefix>,
        purse: &Purse,
        summary: &mut Summary,
        seen: &mut dyn FnMut(&mut Self, Option<Case>) -> Progress,
    ) {
        if let Some(reason) = self.refused.clone() {
            self.stopped(reason, None, summary);
            return;
        }
        self.purse = purse.clone();
        self.explorer.pay_from(purse);
        self.predictor.pay_from(purse);
        self.paths = Paths::told_before(self.goal.options);
        self.explorer.guide_by(trace);
        self.explorer.start_paths(self.goal.method, &self.arguments, parts);
        while let Some(end) = self.explorer.next_path() {
            if let PathEnd::Unfollowed { part, why } = end {
                self.unfollowed = Some((part, why));
                self.explorer.abandon_paths();
                break;
            }
            let case = self.case(end, summary);
            let is_over = note_if_over(purse, summary);
            if matches!(seen(self, case), Progress::Stop) || is_over {
                if is_over && self.goal.options.keep_unfinished {
                    let rest = self.explorer.split_all().into_iter();
                    let rest = rest.map(|prefix| Unfinished { prefix, trace: None });
                    summary.unfinished.extend(rest);
                }
                self.explorer.abandon_paths();
                break;
            }
        }
        self.explorer.pay();
        self.predictor.pay();
        let counts = self.explorer.counts();
        summary.steps += counts.steps;
        summary.choices += counts.choices;
        summary.ends.infeasible += counts.infeasible;
        for (LeftOutAt { what, pc, in_callee }, count) in self.explorer.left_out() {
            *summary.ends.limits.entry(Limit::LeftOut(what.clone())).or_default() += count;
            let (pc, in_callee) = (*pc, *in_callee);
            summary.cuts.insert(Cut { why: Incomplete::LeftOut, pc, in_callee });
        }
        summary.solver.add(&counts.solver);
        summary.solver_us += self.complete_us.take();
    }

    fn case(&mut self, end: PathEnd, summary: &mut Summary) -> Option<Case> {
        let (outcome, value) = match end {
            PathEnd::Returned(value) => (Outcome::Return, value),
            PathEnd::Threw(_) if !self.goal.options.exceptions => {
                summary.ends.excluded += 1;
                return None;
            }
            PathEnd::Threw(exception) => {
                let thrown = Value::reference(exception);
                (Outcome::Throw(self.explorer.class_name(exception)), Some(thrown))
            }
            PathEnd::Cut => {
                summary.ends.cut += 1;
                self.left(Incomplete::Cut, summary);
                self.keep_unfinished(summary);
                return None;
            }
            PathEnd::Infeasible => {
                summary.ends.infeasible += 1;
                return None;
            }
            PathEnd::Astray | PathEnd::Unfollowed { .. } => return None,
            PathEnd::TooExpensive => {
                summary.ends.refused += 1;
                return None;
            }
            PathEnd::Stopped { reason, places } => {
                self.stopped(reason, places.into_iter().next(), summary);
                return None;
            }
        };
        if !self.explorer.is_local_path_new() {
            return None;
        }
        if let Some(paths) = &self.paths
            && !paths.has_room(&self.explorer.trace())
        {
            summary.ends.same_path += 1;
            return None;
        }
        // What the policy demands is no condition of the path.
        let condition = self.explorer.conditions();
        let costs = self.costs();
        let models = self.goal.options.models.iter();
        for (cost, _) in costs.iter().zip(models).filter(|(_, model)| !model.is_live()) {
            summary.parametric.entry(cost.model.clone()).or_default().note(cost);
        }
        let (wanted_if, is_narrower) = match self.wanted() {
            Wanted::If { conditions, is_narrower } => (conditions, is_narrower),
            Wanted::No => {
                summary.ends.refused += 1;
                return None;
            }
            Wanted::Undecided => {
                summary.ends.unknown += 1;
                self.left(Incomplete::Unknown, summary);
                return None;
            }
        };
        // Different values of unknowns can be the same heap.
        let wanted = self.goal.options.solutions;
        let count = if wanted > 1 { wanted * 4 } else { 1 };
        let solutions = match self.explorer.label_in(self.goal.options.label, count) {
            Labelling::Found(solutions) => solutions,
            Labelling::Unknown => {
                match why_over(&self.purse) {
                    Some(limit) => self.stopped(Reason::Limit(limit), None, summary),
                    None => {
                        summary.ends.unknown += 1;
                        self.left(Incomplete::Unknown, summary);
                    }
                }
                return None;
            }
            Labelling::Unsatisfiable if is_narrower => {
                summary.ends.unknown += 1;
                self.left(Incomplete::Unknown, summary);
                return None;
            }
            Labelling::Unsatisfiable => {
                let is_of_policy = !self.goal.options.policy.conditions.is_empty();
                let counter = &mut summary.ends;
                let counter =
                    if is_of_policy { &mut counter.refused } else { &mut counter.infeasible };
                *counter += 1;
                return None;
            }
        };
        let symbolic = self.symbolic(&outcome, value);
        match self.predict(outcome, symbolic, condition, costs, &solutions) {
            Ok(case) if !self.is_live_wanted(&case) => {
                if self.is_cost_certain() {
                    summary.ends.refused += 1;
                } else {
                    summary.ends.unknown += 1;
                    self.left(Incomplete::Unknown, summary);
                }
                None
            }
            Ok(mut case) => {
                case.wanted_if = wanted_if;
                case.overflows = self.overflows(&case, summary);
                if let Some(best) = &mut self.best {
                    best.add(&case);
                }
                self.explorer.found_local_path();
                if let Some(paths) = &mut self.paths {
                    paths.add(&case.trace, case.solutions.len());
                }
                Some(case)
            }
            Err(obstacle) => {
                let (reason, place) = *obstacle;
                let place = place.unwrap_or_else(|| Place::whole(self.goal.method));
                self.stopped(reason, Some(place), summary);
                None
            }
        }
    }

    /// The case over source names.
    fn symbolic(&mut self, outcome: &Outcome, value: Option<Value>) -> Symbolic {
        let arguments = self.goal.inputs.iter().map(|input| input.name.clone()).collect();
        let heap_in = self.explorer.symbolic_inputs();
        let returned = value.filter(|_| *outcome == Outcome::Return);
        let made = self.made.as_ref().filter(|_| *outcome == Outcome::Return);
        let made = made.map(|(value, class)| (*value, class));
        let shown = returned.zip(self.result.as_ref()).or(made);
        let SymbolicState { result, objects } = self.explorer.symbolic_state(shown);
        Symbolic { arguments, heap_in, result, heap_out: objects }
    }

    /// Derives concrete inputs again: what they give, and that they take the path.
    fn predict(
        &mut self,
        outcome: Outcome,
        symbolic: Symbolic,
        condition: Vec<Condition>,
        costs: Vec<CaseCost>,
        assignments: &[Vec<i64>],
    ) -> Result<Case, Obstacle> {
        let mut case = Case {
            condition,
            wanted_if: Vec::new(),
            outcome,
            symbolic,
            solutions: Vec::new(),
            trace: self.explorer.trace(),
            lines: self.explorer.lines_applied(),
            rules: self.rules_applied(),
            program_rules: self.program_rules(),
            steps: self.explorer.path_steps(),
            costs,
            unstable_decision: self.explorer.unstable_decision().map(ToString::to_string),
            overflows: Vec::new(),
        };
        for assignment in assignments {
            if case.solutions.len() == self.goal.options.solutions {
                break;
            }
            let Derived { solution, costs, parts, unstable_decision, .. } =
                self.solution(&case, assignment)?;
            case.unstable_decision = case.unstable_decision.or(unstable_decision);
            if case.solutions.is_empty() {
                for ((cost, derived), parts) in case.costs.iter_mut().zip(costs).zip(parts) {
                    cost.value = derived;
                    cost.parts = parts;
                }
            }
            add_solution(&mut case, solution);
        }
        if self.goal.options.boundary {
            self.add_boundaries(&mut case)?;
        }
        Ok(case)
    }

    /// Adds inputs on the edges of the path's conditions, and next to them.
    fn add_boundaries(&mut self, case: &mut Case) -> Result<(), Obstacle> {
        let most = case.solutions.len() + MOST_BOUNDARIES;
        for boundary in self.explorer.boundaries() {
            if case.solutions.len() == most || self.purse.is_over() {
                break;
            }
            let Labelling::Found(found) = self.explorer.label_boundary(&boundary) else { continue };
            let Some(assignment) = found.first() else { continue };
            match self.solution(case, assignment) {
                Ok(Derived { solution, .. }) => add_solution(case, solution),
                // An input that is too large is not made; the path has others.
                Err(obstacle) if matches!(*obstacle, (Reason::Limit(_), _)) => {}
                Err(obstacle) => return Err(obstacle),
            }
        }
        Ok(())
    }

    /// Tells what the best cases of others cost.
    pub(super) fn know_best(&mut self, best: Option<Best>) {
        self.best = best;
    }

    /// What the path costs; concrete inputs give the numbers.
    fn costs(&mut self) -> Vec<CaseCost> {
        let costs = self.explorer.costs();
        let models = self.goal.options.models.iter().enumerate();
        models
            .zip(costs)
            .map(|((number, model), cost)| CaseCost {
                model: model.name().to_owned(),
                unit: model.unit().map(ToOwned::to_owned),
                value: cost.constant,
                // What is in use at once is known of concrete inputs alone.
                linear: cost
                    .linear
                    .filter(|_| !model.is_live())
                    .map(|linear| (cost.constant, linear)),
                expression: cost.expression.filter(|_| !model.is_live()),
                calls: model.counts_calls().then(|| self.explorer.calls_measured(number)),
                parts: None,
            })
            .collect()
    }

    /// A concrete input of a case, derived again.
    fn solution(&mut self, case: &Case, assignment: &[i64]) -> Result<Derived, Obstacle> {
        let nowhere = |reason| Box::new((reason, None));
        let InputHeap { values, answers, heap } =
            self.explorer.input_heap(assignment).map_err(nowhere)?;
        let method = self.goal.method;
        let has_receiver = !method.is_static() && !method.is_constructor();
        let (receiver, others) = values.split_at(usize::from(has_receiver));
        let (arguments, statics) = others.split_at(self.goal.inputs.len());
        let statics: Vec<data::FieldValue> = self
            .statics
            .iter()
            .zip(statics)
            .map(|(field, &value)| data::FieldValue { value, ..field.clone() })
            .collect();
        let roots = Roots {
            result: self.result.as_ref(),
            class: JavaType::Object(method.class().name().into()),
            inputs: self.goal.inputs,
            is_constructor: method.is_constructor(),
        };
        let models = &self.goal.options.models;
        let observed = self.predictor.observe_call(
            method,
            self.goal.options.steps,
            |machine| {
                let inputs = receiver.iter().chain(arguments);
                import_input(machine, method, &heap, (&statics, &answers), inputs)
            },
            |machine, arguments, outcome| {
                let costs: Vec<i64> = machine.costs().iter().map(|cost| cost.constant).collect();
                let parts = models
                    .iter()
                    .enumerate()
                    .map(|(number, model)| model.part().is_some().then(|| machine.profile(number)));
                let measured = (costs, parts.collect());
                let (overflowed, is_unstable) = (machine.overflowed(), machine.has_unstable_path());
                let decision = machine.unstable_decision().map(ToString::to_string);
                // Output comes last: it may run code for a message.
                let taken = machine.path_steps();
                let derived = roots.output(machine, arguments, outcome);
                (taken, measured, overflowed, (is_unstable, decision), derived)
            },
        );
        let (taken, (costs, parts), overflowed, (is_unstable, decision), derived) =
            observed.map_err(nowhere)?;
        let (outcome, output) = derived?;
        // The second derivation is the judge of the first.
        let is_same_cost = self.explorer.is_cost_partial()
            || case.costs.iter().zip(&costs).zip(models).all(|((case, &derived), model)| {
                model.is_live() || case.expression.is_some() || case.value == derived
            });
        let is_taken = outcome == case.outcome && taken == case.steps && is_same_cost;
        if !is_taken && (is_unstable || self.explorer.has_unstable_path()) {
            return Err(nowhere(Limit::Unstable.into()));
        }
        if !is_taken {
            return Err(nowhere(Defect::PathNotTaken(assignment.to_vec()).into()));
        }
        let (receiver, arguments) = (receiver.first().copied(), arguments.to_vec());
        let solution = Solution { receiver, arguments, statics, answers, heap, output };
        Ok(Derived { solution, costs, parts, overflowed, unstable_decision: decision })
    }

    fn stopped(&mut self, reason: Reason, place: Option<Place>, summary: &mut Summary) {
        let what = match reason {
            Reason::Limit(limit) => {
                let why = Incomplete::from(&limit);
                self.left(why, summary);
                if why == Incomplete::Time {
                    self.keep_unfinished(summary);
                }
                *summary.ends.limits.entry(limit).or_default() += 1;
                return;
            }
            Reason::Defect(what) => {
                *summary.ends.defects.entry(Stopped { what, place }).or_default() += 1;
                return self.left(Incomplete::Defect, summary);
            }
            Reason::Unsupported(what) => what,
            Reason::Undecided(what) => Feature::Undecided(what),
            Reason::Broken(what) => Feature::Broken(what),
        };
        *summary.ends.unsupported.entry(Stopped { what, place }).or_default() += 1;
        self.left(Incomplete::Unsupported, summary);
    }

    /// Keeps the path under way, so that it can be gone on with.
    fn keep_unfinished(&mut self, summary: &mut Summary) {
        if self.goal.options.keep_unfinished {
            let (prefix, trace) = (self.explorer.unfinished(), Some(self.explorer.trace().term()));
            summary.unfinished.push(Unfinished { prefix, trace });
        }
    }

    /// The target's own rules that the path has applied.
    fn rules_applied(&mut self) -> Vec<RuleApplied> {
        let rules = self.explorer.rules_applied(self.goal.method).into_iter();
        rules.map(|(predicate, rule)| RuleApplied { predicate, rule }).collect()
    }

    /// The program's rules that the path has applied, if cases tell of them.
    fn program_rules(&mut self) -> Vec<RuleName> {
        let Some(names) = &mut self.rule_names else { return Vec::new() };
        let numbers = self.explorer.rules_by_number();
        let mut rules: Vec<RuleName> = numbers
            .into_iter()
            .filter_map(|number| names.of_number(&self.explorer, number))
            .collect();
        rules.sort_unstable();
        rules
    }

    fn left(&mut self, why: Incomplete, summary: &mut Summary) {
        let (pc, in_callee) = self.explorer.place_in(self.goal.method).unwrap_or((0, false));
        summary.cuts.insert(Cut { why, pc, in_callee });
        summary.left_rules.extend(self.rules_applied().into_iter().map(|rule| (why, rule)));
        self.leave_overflows(summary);
    }
}

/// Why a purse is over, if it is.
fn why_over(purse: &Purse) -> Option<Limit> {
    let by_alarm = purse.alarm().cause().map(ended_by);
    by_alarm.or_else(|| purse.is_empty().then_some(Limit::Budget))
}

/// Notes that a purse is over, if it is: what is left may be anywhere.
pub(super) fn note_if_over(purse: &Purse, summary: &mut Summary) -> bool {
    let limit = why_over(purse);
    let is_over = limit.is_some();
    limit.into_iter().for_each(|limit| summary.note_left_over(limit));
    is_over
}

/// Adds an input to a case, unless it has it: unknowns of other paths through the same heap make no difference.
fn add_solution(case: &mut Case, solution: Solution) {
    let is_same =
        |known: &Solution| known.statics == solution.statics && known.is_same_call(&solution);
    if !case.solutions.iter().any(is_same) {
        case.solutions.push(solution);
    }
}

/// The receiver and arguments of the call, and the static fields that are unknown.
fn unknown_inputs(
    goal: &Goal<'_, '_>,
    explorer: &mut Machine<'_>,
) -> Result<(Vec<Value>, Vec<data::FieldValue>), Reason> {
    let method = goal.method;
    explorer.expect_inputs_of(method, goal.options.assumptions.is_empty());
    let mut arguments = Vec::new();
    if method.is_constructor() {
        arguments.push(explorer.new_instance(method.class().name())?);
    } else if !method.is_static() {
        arguments.push(explorer.unknown_receiver(method)?);
    }
    let names: Vec<&str> = goal.inputs.iter().map(|input| &*input.name).collect();
    arguments.extend(explorer.unknown_arguments(method, &names)?);
    let statics =
        if goal.options.symbolic_statics { explorer.unknown_statics(method)? } else { Vec::new() };
    Ok((arguments, statics))
}

/// Brings a concrete input into a machine: sets static fields, says what the world outside answers, and gives receiver and arguments.
pub(crate) fn import_input<'v>(
    machine: &mut Machine<'_>,
    method: &ResolvedMethod,
    heap: &data::Heap,
    (statics, answers): (&[data::FieldValue], &[InputAnswer]),
    inputs: impl Iterator<Item = &'v data::Value>,
) -> Result<Vec<Value>, Reason> {
    let import = Import::new(machine, heap)?;
    for field in statics {
        let value = import.value(field.value);
        machine.set_static_named(&field.class, &field.name, value)?;
    }
    let given = answers.iter().map(|answer| (answer.clone(), import.value(answer.value)));
    machine.give_answers(given);
    import.arguments(machine, method, inputs)
}
