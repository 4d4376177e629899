//! Generation: the paths of a method to test cases.
//!
//! One machine explores the tree and labels what it finds; a second one derives each concrete input
//! again, which gives the expected outcome and checks the first. Several workers share the tree by
//! prefixes of decisions (`share`); cases come in the order of the tree, whoever finds them.

mod crew;
mod driven;
mod fewest;
mod foretold;
mod guided;
mod listed;
mod names;
mod paths;
mod rank;
mod share;
mod worker;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use petrel_abstraction::RuleName;
use petrel_budget::Purse;
use petrel_classfile::{JavaType, MethodDescriptor};
use petrel_clp::{ToldTrace, Trace};
use petrel_cost::{Costing, Model, Scope};
use petrel_engine::{
    Assumption, Bounds, HeapMode, LabelOrder, Objects, Prefix, Termination, Unfollowed,
};
use petrel_program::ResolvedMethod;
use petrel_solver::{BitBlaster, Complete, SmtProcess};
use petrel_translate::TranslateError;
use petrel_translate::cache::Procedures;
use thiserror::Error;

pub use listed::{ListedSummary, ListedTrace, TraceVerdict, list_traces};
pub use paths::ToldPaths;
pub(crate) use worker::import_input;

use crate::case::{Case, CaseCost, Outcome, Profile, RuleApplied, Summary};
use crate::coverage::{ProgramCoverage, TargetCode};
use crate::overflow::Operations;
use crate::policy::Policy;
use crate::selection::{Selection, Strategy};

/// What is wanted of the test cases of a method.
#[derive(Debug, Clone)]
pub struct Options {
    /// The termination criterion.
    pub termination: Termination,
    /// The most choices on a path.
    pub depth: Option<u32>,
    /// The most rule applications on a path.
    pub steps: u64,
    /// What everything is paid from. Work is iterations, calls, those of initialisers included, and what the solver and
    /// abstractions try; unlike time, it is the same everywhere, and with a limit there is one worker.
    pub purse: Purse,
    /// The longest time in all, if the purse has more.
    pub time: Option<Duration>,
    /// The longest array of unknown length.
    pub max_array: u32,
    /// The most units of an unknown string; such long ones are tried if it is given.
    pub max_string: Option<u32>,
    /// The most elements of an unknown collection; such large ones are tried if it is given.
    pub max_elements: Option<u32>,
    /// The range of integral inputs.
    pub domain: Option<(i64, i64)>,
    /// How unknown heap is handled.
    pub heap: HeapMode,
    /// How unknown objects of the project's classes come about.
    pub objects: Objects,
    /// What is assumed of the initial heap.
    pub assumptions: Vec<Assumption>,
    /// How many classes an unknown object may have, the likeliest first.
    pub max_receivers: usize,
    /// Whether the static fields of the target's own class that can change are unknown inputs.
    pub symbolic_statics: bool,
    /// Which paths become cases.
    pub selection: Selection,
    /// How they are found, if not all of them are wanted.
    pub strategy: Strategy,
    /// Which abstraction proposes traces that the policy may want.
    pub oracle: Oracle,
    /// The trace that all cases are instances of.
    pub trace: Option<Arc<Trace>>,
    /// Whether the first case is enough (firstOf of "A Framework for Guided Test Case Generation in
    /// Constraint Logic Programming", Def. 4).
    pub first: bool,
    /// The cost models that are applied to the cases.
    pub models: Vec<Model>,
    /// Whose code has costs.
    pub scope: Scope,
    /// The release of the JDK (17), whose objects have sizes of their own.
    pub feature_version: u16,
    /// What the costs of cases have to be like. Its models are among those that are applied.
    pub policy: Policy,
    /// Whether `assert` statements of the project are executed.
    pub assertions: bool,
    /// Whether paths that end in an uncaught exception become cases.
    pub exceptions: bool,
    /// How many concrete inputs each case gets, if there are so many.
    pub solutions: usize,
    /// Which of them come first.
    pub label: LabelOrder,
    /// The parts of the tree that are looked at, in its order: by default all of it.
    pub parts: Arc<[Prefix]>,
    /// The paths that have cases already, if inputs have to be valid.
    pub told_paths: Arc<ToldPaths>,
    /// Whether derivations that can be gone on with are kept.
    pub keep_unfinished: bool,
    /// Whether each case also gets inputs on the edges of its conditions, and next to them.
    pub boundary: bool,
    /// Whether as few cases as possible are wanted of a selection that asks for things to be executed; they come at the end.
    pub fewest: bool,
    /// Whether it is wanted what cases of a selection cover of the methods that the target reaches.
    pub covers_program: bool,
    /// Whether inputs are wanted that make operations of the method's own code overflow.
    pub overflow: bool,
    /// Worker threads.
    pub jobs: usize,
    /// The command of an SMT-LIB solver that takes the place of the complete procedure.
    pub smt: Option<String>,
    /// Conflicts after which the complete procedure gives up.
    pub conflicts: u64,
}

impl Default for Options {
    fn default() -> Self {
        let bounds = Bounds::default();
        Options {
            termination: bounds.termination,
            depth: None,
            steps: bounds.steps,
            purse: Purse::unlimited(),
            time: None,
            max_array: bounds.max_array,
            max_string: bounds.max_string,
            max_elements: bounds.max_elements,
            domain: None,
            heap: HeapMode::Solver,
            objects: Objects::Fields,
            assumptions: Vec::new(),
            max_receivers: 8,
            symbolic_statics: false,
            selection: Selection::AllPaths,
            strategy: Strategy::Auto,
            oracle: Oracle::None,
            trace: None,
            first: false,
            models: Vec::new(),
            scope: Scope::default(),
            feature_version: 17,
            policy: Policy::default(),
            assertions: false,
            exceptions: true,
            solutions: 1,
            label: LabelOrder::default(),
            parts: [Prefix::default()].into(),
            told_paths: Arc::default(),
            keep_unfinished: false,
            boundary: false,
            fewest: false,
            covers_program: false,
            overflow: false,
            jobs: 1,
            smt: None,
            conflicts: BitBlaster::default().conflicts,
        }
    }
}

impl Options {
    pub(crate) fn bounds(&self) -> Bounds {
        Bounds {
            termination: self.termination,
            choices: self.depth.unwrap_or(u32::MAX),
            steps: self.steps,
            max_array: self.max_array,
            max_string: self.max_string,
            max_elements: self.max_elements,
            heap: self.heap,
            objects: self.objects,
            domain: self.domain,
            max_receivers: self.max_receivers,
            by_propagation: false,
        }
    }

    /// The number of a cost model, by its name.
    pub(crate) fn model(&self, name: &str) -> Option<usize> {
        self.models.iter().position(|model| model.is_named(name))
    }

    /// A new complete procedure.
    pub(crate) fn complete(&self, purse: &Purse) -> Result<Box<dyn Complete>, GenerateError> {
        Ok(match &self.smt {
            None => Box::new(BitBlaster::new(self.conflicts)),
            Some(command) => Box::new(
                SmtProcess::start(command, purse)
                    .map_err(|error| GenerateError::Smt(command.clone(), error.to_string()))?,
            ),
        })
    }
}

/// Which abstraction proposes traces ("Resource-driven CLP-based Test Case Generation", section 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Oracle {
    /// None: all paths are derived.
    #[default]
    None,
    /// The control flow alone.
    Naive,
    /// With the variables that decide the control flow, and the sizes of arrays.
    Enhanced,
    /// The paths through the target's own code, by an estimate of what the methods cost that it calls. It is
    /// neither sound nor complete: other cases may be more expensive.
    Estimate,
}

/// Why there are no test cases.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GenerateError {
    /// An assumption that speaks of what there is not.
    #[error("the assumption {0} makes no sense here: {1}")]
    Assumption(String, String),
    /// A range without a value of a parameter's type.
    #[error("parameter {0} ({1}): the domain {2}..{3} has no value of this type")]
    Domain(String, String, i64, i64),
    /// A cost model that speaks of what there is not.
    #[error("{0}")]
    Cost(String),
    /// A policy that speaks of what there is not.
    #[error("the policy speaks of {0}")]
    Policy(String),
    /// A point that is nowhere in the code.
    #[error("{0}")]
    Point(String),
    /// The method has no code.
    #[error("it has no code")]
    NoCode,
    /// The method cannot be translated.
    #[error("{0}")]
    Translation(String),
    /// A part of the tree that was to be gone on with is none.
    #[error("a derivation cannot be gone on with: {why}")]
    Unfollowed {
        /// The part.
        part: Prefix,
        /// Why.
        why: Unfollowed,
    },
    /// The SMT solver cannot be started.
    #[error("the SMT solver {0:?} cannot be started: {1}")]
    Smt(String, String),
}

/// One of so many parts of the time, and at most this much, is kept for telling what was found.
const PARTS_FOR_TELLING: u32 = 10;
const MOST_FOR_TELLING: Duration = Duration::from_secs(1);

/// An unknown input.
#[derive(Debug, Clone)]
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) java_type: JavaType,
}

/// The test cases of a method, one by one in the order of the tree. `emit` says whether to go on.
///
/// # Errors
///
/// If the method or the options are not such that there could be any.
pub fn generate(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    options: &Options,
    emit: &mut dyn FnMut(Case) -> bool,
) -> Result<Summary, GenerateError> {
    generate_told(procedures, method, options, &|| Box::new(|case| case), emit)
}

/// What somebody makes of cases.
type Tell<T> = Box<dyn FnMut(Case) -> T>;

/// As [`generate`], but `emit` gets what is told of the cases. Each worker has somebody who tells those that it finds, so
/// that this is shared, too.
///
/// # Errors
///
/// If the method or the options are not such that there could be any.
pub fn generate_told<T: Send>(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    options: &Options,
    tellers: &(dyn Fn() -> Tell<T> + Sync),
    emit: &mut dyn FnMut(T) -> bool,
) -> Result<Summary, GenerateError> {
    let started = Instant::now();
    let inputs = inputs(procedures, method, options)?;
    check_policy(options, &inputs)?;
    // Whether it can be started is found out here, not in a thread.
    let purse = match options.time {
        Some(time) => options.purse.within(time),
        None => options.purse.share(1),
    };
    drop(options.complete(&purse)?);
    // What is done within a limit of work must not depend on who does it first.
    let is_limited = purse.most() != u64::MAX;
    let options = &Options { jobs: if is_limited { 1 } else { options.jobs }, ..options.clone() };
    let operations = operations(procedures, method, options)?;
    // What was found has to be told within the time, too.
    let searching = match purse.time_left() {
        Some(left) => purse.within(left - (left / PARTS_FOR_TELLING).min(MOST_FOR_TELLING)),
        None => purse.clone(),
    };
    let goal = worker::Goal {
        procedures,
        method,
        inputs: &inputs,
        options,
        operations: &operations,
        purse: &searching,
    };
    costing(procedures, method, options).check().map_err(|e| GenerateError::Cost(e.to_string()))?;
    // The first case is that of the first worker; and what is known of the costs so far tells which paths
    // are worth more work; and operations that are known to overflow need no further inputs.
    let is_alone =
        options.jobs <= 1 || options.first || options.policy.ranking.is_some() || options.overflow;
    let mut ranked = rank::Ranked::new(options);
    let mut kept = Kept::default();
    let mut tell = tellers();
    let mut told = ToldCases { paths: paths::Paths::told_before(options), same_path: 0 };
    let keep: &mut dyn FnMut(Case) -> bool = &mut |case| match &mut ranked {
        _ if !told.is_wanted(&case.trace, case.solutions.len()) => true,
        Some(ranked) => ranked.add(case),
        None => {
            kept.add(&case.outcome, &case.rules, &case.costs);
            kept.program_rules.extend(&case.program_rules);
            emit(tell(case)) && !options.first
        }
    };
    let program = match options.selection {
        Selection::AllPaths => None,
        _ => Some(guided::abstract_program(&goal)?),
    };
    let is_cover = fewest::is_cover(&options.selection);
    let keeps_all = options.first || options.policy.ranking.is_some();
    let mut summary = if let Some(program) = &program {
        if options.fewest && is_cover && !keeps_all {
            fewest::select(&goal, program, keep)
        } else {
            guided::select(&goal, program, keep)
        }
    } else if options.oracle == Oracle::Estimate && !options.policy.is_everything() {
        driven::drive(&goal, keep)
    } else if options.oracle != Oracle::None && !options.policy.is_everything() {
        foretold::generate(&goal, keep)
    } else if is_alone {
        worker::alone(&goal, keep)
    } else {
        share::together(&goal, purse.alarm(), tellers, &mut |found: share::Found<T>| {
            if found.path.is_some_and(|(trace, inputs)| !told.is_wanted(&trace, inputs)) {
                return true;
            }
            kept.add(&found.outcome, &found.rules, &found.costs);
            emit(found.told)
        })
    }?;
    summary.ends.same_path += told.same_path;
    summary.told_paths = told.paths.map(paths::Paths::into_told).unwrap_or_default();
    summary.work = purse.spent();
    summary.is_selective = options.trace.is_some()
        || options.first
        || options.selection != Selection::AllPaths
        || !options.policy.is_everything();
    if let Some(ranked) = ranked {
        summary.ends.refused += ranked.left_out;
        let _ = ranked.cases.into_iter().all(|case| {
            kept.add(&case.outcome, &case.rules, &case.costs);
            kept.program_rules.extend(&case.program_rules);
            emit(tell(case))
        });
    }
    if let Some(program) = program.as_ref().filter(|_| options.covers_program) {
        summary.program = Some(ProgramCoverage::by(program, &kept.program_rules));
    }
    kept.tell(&mut summary);
    // Several workers come to them in any order.
    summary.unfinished.sort_by(|left, right| left.prefix.cmp(&right.prefix));
    if options.overflow {
        summary.overflow.get_or_insert_default();
    }
    summary.elapsed_us = started.elapsed().as_micros() as u64;
    Ok(summary)
}

/// The operations of the method that may overflow, if it is wanted which do.
fn operations(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    options: &Options,
) -> Result<Operations, GenerateError> {
    if !options.overflow {
        return Ok(Operations::new());
    }
    let translation = |error: TranslateError| GenerateError::Translation(error.to_string());
    let code = TargetCode::of(procedures, method).map_err(translation)?;
    Ok(code.map(|code| code.operations()).unwrap_or_default())
}

/// Which cases are told, where derivations may differ in the invariants of their inputs alone.
struct ToldCases {
    paths: Option<paths::Paths>,
    same_path: u64,
}

impl ToldCases {
    fn is_wanted(&mut self, trace: &ToldTrace, n_inputs: usize) -> bool {
        let Some(paths) = &mut self.paths else { return true };
        let has_room = paths.has_room(trace);
        if has_room {
            paths.add(trace, n_inputs);
        } else {
            self.same_path += 1;
        }
        has_room
    }
}

/// What the cases are that were kept: paths may have been derived whose cases are not wanted.
#[derive(Default)]
struct Kept {
    returned: u64,
    threw: u64,
    rules: BTreeSet<RuleApplied>,
    /// Those of all methods, if cases tell them.
    program_rules: BTreeSet<RuleName>,
    /// Those of the last case: most apply the same ones.
    last: Vec<RuleApplied>,
    profiles: BTreeMap<String, Profile>,
}

impl Kept {
    fn add(&mut self, outcome: &Outcome, rules: &[RuleApplied], costs: &[CaseCost]) {
        for cost in costs {
            if let Some(parts) = &cost.parts {
                let parts = parts.iter().map(|(part, cost)| (&**part, *cost));
                self.profiles.entry(cost.model.clone()).or_default().add(parts);
            }
        }
        match outcome {
            Outcome::Return => self.returned += 1,
            Outcome::Throw(_) => self.threw += 1,
        }
        if self.last != rules {
            self.rules.extend(rules);
            self.last.clear();
            self.last.extend_from_slice(rules);
        }
    }

    fn tell(self, summary: &mut Summary) {
        summary.ends.returned = self.returned;
        summary.ends.threw = self.threw;
        summary.rules = self.rules;
        summary.profiles = self.profiles;
    }
}

/// The names in a policy are those of cost models, or of inputs that are numbers.
fn check_policy(options: &Options, inputs: &[Input]) -> Result<(), GenerateError> {
    for name in options.policy.names().filter(|name| options.model(name).is_none()) {
        let find = |name: &str| inputs.iter().find(|input| input.name == name);
        let length_of = name.strip_suffix(".length").and_then(find);
        let problem = match (find(name), length_of) {
            (Some(Input { java_type, .. }), _) => match java_type {
                JavaType::Array(_) => format!("the array `{name}`; its length is `{name}.length`"),
                java_type if is_whole_number(java_type) => continue,
                java_type => {
                    let of = external(java_type);
                    format!("`{name}`, which is a {of}; costs are compared with whole numbers")
                }
            },
            (None, Some(Input { java_type: JavaType::Array(_), .. })) => continue,
            (None, Some(array)) => format!("`{name}`, but `{}` is no array", array.name),
            (None, None) => {
                let names: Vec<&str> = inputs.iter().map(|input| &*input.name).collect();
                let known = match names.as_slice() {
                    [] => "the method has no parameters".to_owned(),
                    names => format!("the method has the parameters {}", names.join(", ")),
                };
                format!("`{name}`, which is neither a cost model nor a parameter; {known}")
            }
        };
        return Err(GenerateError::Policy(problem));
    }
    Ok(())
}

fn is_whole_number(java_type: &JavaType) -> bool {
    use JavaType::{Byte, Char, Int, Long, Short};
    matches!(java_type, Byte | Short | Char | Int | Long)
}

/// The longest array that a path may make. Whoever looks for the most expensive path takes arrays of some length; a condition on
/// the cost may hold for longer ones only.
fn longest_array(options: &Options) -> u32 {
    match options.policy.ranking {
        Some(_) => options.max_array,
        None => i32::MAX as u32,
    }
}

/// What the rules of the program cost.
pub(crate) fn costing<'p>(
    procedures: &Procedures<'p>,
    method: &ResolvedMethod,
    options: &Options,
) -> Costing<'p> {
    let class = method.class().name();
    let models = options.models.clone();
    Costing::new(procedures.program(), models, options.scope, class, options.feature_version)
}

fn inputs(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    options: &Options,
) -> Result<Vec<Input>, GenerateError> {
    match procedures.get(method) {
        Ok(Some(_)) => {}
        Ok(None) => return Err(GenerateError::NoCode),
        Err(error) => return Err(GenerateError::Translation(error.to_string())),
    }
    let descriptor = MethodDescriptor::parse(method.descriptor())
        .map_err(|error| GenerateError::Translation(error.to_string()))?;
    let names = method.parameter_names();
    let inputs = descriptor.parameters.iter().zip(names).map(|(java_type, name)| {
        let name = name.to_string();
        let range = match java_type {
            JavaType::Byte => Some((i8::MIN.into(), i8::MAX.into())),
            JavaType::Short => Some((i16::MIN.into(), i16::MAX.into())),
            JavaType::Char => Some((0, u16::MAX.into())),
            JavaType::Int => Some((i32::MIN.into(), i32::MAX.into())),
            _ => None,
        };
        if let (Some((low, high)), Some((from, to))) = (range, options.domain)
            && (from > high || to < low)
        {
            return Err(GenerateError::Domain(name, external(java_type), from, to));
        }
        Ok(Input { name, java_type: java_type.clone() })
    });
    inputs.collect()
}

fn external(java_type: &JavaType) -> String {
    petrel_program::external_type(java_type)
}
