//! Exploration: all paths of a call, one after the other.
//!
//! The tree of derivations ("Test Data Generation of Bytecode by CLP Partial Evaluation", section 4) is
//! walked depth first, the rules of a predicate in their order. Each path ends in one of the ways of
//! [`PathEnd`]; what is to be known about it is asked of the machine before the next one.
//!
//! A part of the tree is named by the decisions that lead to it ([`Prefix`]): another machine follows
//! them without asking the solver, and goes on from there.

use std::collections::VecDeque;

use petrel_clp::{Kind, Termination};
use petrel_expression::Expression;
use petrel_program::{ResolvedMethod, handlers_of_machine_errors};
use petrel_solver::{Answer, Complete, Constraint, Diligence, Model, Solver, Statistics};
use petrel_translate::cache::Procedures;
use thiserror::Error;

use crate::exploration::choose::{ChoicePoint, Decision, Tree};
use crate::machine::{
    Criterion, Extent, Halt, LeftOut, Limits, Machine, MethodNumber, Outcome, Place, Reason,
    Reference, Stop, Value,
};

/// How unknown objects and arrays are handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HeapMode {
    /// By the heap solver of "A CLP Heap Solver for Test Case Generation": aliasing is part of the
    /// values, and paths branch only where the program does.
    #[default]
    Solver,
    /// Lazy initialisation: when a reference is first looked at, a path each for null, each object
    /// that it may be, and a new one.
    Lazy,
    /// Lazy initialisation without aliasing: null or a new object.
    LazyNoAlias,
    /// As the heap solver, but an access to an array at an unknown index is a path for each index
    /// (JTestCraft's heap simulation).
    Simulation,
}

/// How unknown objects of the project's own classes come about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Objects {
    /// Each combination of fields is an object.
    #[default]
    Fields,
    /// Objects are what code of the method's own package can make: by a constructor or a factory, and then at most
    /// so many calls of methods that change what the method looks at.
    Calls(u8),
}

/// How far the paths of a call are followed.
#[derive(Debug, Clone)]
pub struct Bounds {
    /// The termination criterion.
    pub termination: Termination,
    /// The most choices on a path.
    pub choices: u32,
    /// The most rule applications on a path.
    pub steps: u64,
    /// The longest array of unknown length that is made.
    pub max_array: u32,
    /// The longest string of unknown length that is made. If it is given, such long ones are tried wherever all units count.
    pub max_string: Option<u32>,
    /// The largest collection of unknown size that is made. If it is given, such large ones are tried wherever elements count.
    pub max_elements: Option<u32>,
    /// How unknown objects are handled.
    pub heap: HeapMode,
    /// How objects of the project's classes come about.
    pub objects: Objects,
    /// The range of integral inputs: arguments, fields and elements.
    pub domain: Option<(i64, i64)>,
    /// How many classes an unknown object may have.
    pub max_receivers: usize,
    /// Whether propagation alone decides which paths are possible, as in a system for constraint logic
    /// programming that does not label: some of them are not.
    pub by_propagation: bool,
}

/// Longer arrays, strings and collections are not made unless somebody asks for them.
pub(super) const MOST_MADE: u32 = 10_000;

impl Default for Bounds {
    fn default() -> Self {
        Bounds {
            termination: Termination::Loop(2),
            choices: u32::MAX,
            steps: 1_000_000,
            max_array: MOST_MADE,
            max_string: None,
            max_elements: None,
            heap: HeapMode::Solver,
            objects: Objects::Fields,
            domain: None,
            max_receivers: 8,
            by_propagation: false,
        }
    }
}

/// How a path ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathEnd {
    /// The method returned, with a value unless it is `void`.
    Returned(Option<Value>),
    /// It threw.
    Threw(Reference),
    /// The termination criterion cut it.
    Cut,
    /// No input takes it.
    Infeasible,
    /// It is no instance of the trace that is followed.
    Astray,
    /// It costs more than is wanted.
    TooExpensive,
    /// It stopped short of an outcome.
    Stopped {
        /// Why.
        reason: Reason,
        /// Where: the innermost first.
        places: Vec<Place>,
    },
    /// The part of the tree that was to be gone on with is none of the program's.
    Unfollowed {
        /// The part.
        part: Prefix,
        /// Why.
        why: Unfollowed,
    },
}

/// Why a part of the tree is none of the program's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Unfollowed {
    /// The guard has fewer ways.
    #[error("decision {decision} is {alternative}, and there are only {ways} ways to go")]
    NoSuchWay {
        /// Number of the decision, from 1 on.
        decision: usize,
        /// The way that it takes, from 0 on.
        alternative: u32,
        /// How many there are.
        ways: usize,
    },
    /// Its inputs go another way.
    #[error("its model does not take decision {decision}")]
    OtherWay {
        /// Number of the decision, from 1 on.
        decision: usize,
    },
    /// No input goes there.
    #[error("no input takes decision {decision}")]
    Impossible {
        /// Number of the decision, from 1 on.
        decision: usize,
    },
    /// The derivation is at its end.
    #[error("the derivation ends before decision {decision}")]
    Ended {
        /// Number of the decision, from 1 on.
        decision: usize,
    },
    /// Its inputs are none of the path.
    #[error("its model is none: there is no such input, or it does not take the path")]
    NoModel,
    /// The derivation is shorter.
    #[error("it has {counted} steps, and the derivation ends behind {applied}")]
    Steps {
        /// What is said of it.
        counted: u64,
        /// What it has.
        applied: u64,
    },
}

/// A part of the tree: the decisions that lead to it, and inputs that take them. Prefixes are in the order of the
/// tree.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Prefix {
    /// The decisions.
    pub decisions: Vec<Decision>,
    /// Inputs, unless they are not known.
    pub model: Option<Vec<i64>>,
    /// Applications of the program's own rules that were counted on the way there, those behind the last decision
    /// included.
    pub counted_steps: u64,
}

/// What was counted.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    /// Applications of the program's own rules: those of the class library are not among them.
    pub steps: u64,
    /// Guards at which there was a choice.
    pub choices: u64,
    /// Sides of guards that no input takes.
    pub infeasible: u64,
    /// What the solver did.
    pub solver: Statistics,
}

/// Alternatives that were not tried, and where the program would have gone on with them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeftOutAt {
    /// What.
    pub what: LeftOut,
    /// Offset of the instruction of the target's own code that was under way; 0 before the call.
    pub pc: u16,
    /// Whether that is a call, and something was left out in it.
    pub in_callee: bool,
}

impl<'p> Machine<'p> {
    /// A machine that makes choices.
    pub fn exploring(
        procedures: &'p Procedures<'p>,
        limits: Limits,
        bounds: &Bounds,
        complete: Box<dyn Complete>,
    ) -> Machine<'p> {
        let mut machine = Machine::observing(procedures, limits, bounds.termination);
        machine.solver = Solver::new(complete);
        if bounds.by_propagation {
            machine.solver.store.diligence = Diligence::LIGHT;
        }
        machine.handle_unknowns(bounds);
        machine.observation.limit(bounds.steps);
        machine.criterion = Criterion::new(bounds.termination.bound());
        machine.exploration.tree = Some(Tree {
            most_choices: bounds.choices,
            max_array: bounds.max_array,
            by_propagation: bounds.by_propagation,
            ..Tree::default()
        });
        machine
    }

    /// A machine for known arguments that keeps the rules that it applies. The code counts what it
    /// counts for the criterion, but nothing is cut.
    pub fn observing(
        procedures: &'p Procedures<'p>,
        limits: Limits,
        termination: Termination,
    ) -> Machine<'p> {
        let mut machine = Machine::new(procedures, limits);
        machine.count_for(termination.counting());
        machine
    }

    /// Initialises the classes that are initialised before a method runs. What that does is there
    /// for every path.
    ///
    /// # Errors
    ///
    /// If the initialisation fails or stops.
    pub fn prepare_call(&mut self, method: &ResolvedMethod) -> Result<(), Reason> {
        self.exploration.target = Some(self.method_number(method));
        let class = self.types.of_name(method.class().name());
        self.prepare_class(class)
    }

    /// Starts with the parts of the tree of a call that prefixes lead to, in the order of the tree; what they have
    /// in common is derived once. [`Machine::prepare_call`] was called before, and unknowns have been made.
    pub fn start_paths(
        &mut self,
        method: &ResolvedMethod,
        arguments: &[Value],
        prefixes: impl IntoIterator<Item = Prefix>,
    ) {
        let number = self.method_number(method);
        self.exploration.target = Some(number);
        let mut to_follow: VecDeque<Prefix> = prefixes.into_iter().collect();
        let first = to_follow.pop_front();
        let is_empty = first.is_none();
        let prefix = first.unwrap_or_default();
        let mut given_model: Option<Model> = prefix.model.map(Into::into);
        if prefix.decisions.is_empty() {
            let theory = &self.exploration.unknown.solver;
            given_model = given_model.filter(|model| self.solver.is_model(model, theory));
            given_model = given_model.or_else(|| self.first_model());
        }
        self.start_observation();
        self.criterion.choices = 0;
        self.set_steps(0);
        self.limit_steps(u64::MAX);
        self.library.instability.start();
        self.solver.reset_statistics();
        if let Some(tree) = &mut self.exploration.tree {
            tree.model = None;
            tree.given = prefix.decisions;
            tree.given_model = given_model;
            tree.given_steps = prefix.counted_steps;
            tree.to_follow = to_follow;
            tree.decisions.clear();
            tree.start_to_follow(0);
            tree.counted_steps = 0;
            tree.infeasible = 0;
            tree.choices = 0;
            tree.left_out.clear();
            tree.modelled = 0;
            tree.pending = (!is_empty).then(|| (number, arguments.into()));
        }
        self.clear_calls();
        if !is_empty {
            self.see_constants_of_arguments();
            self.see_errors_of_machine(method);
        }
        self.push_choice_point(smallvec::SmallVec::new());
    }

    /// Handlers of the method that may catch what the JVM throws do so, although no path throws it.
    fn see_errors_of_machine(&mut self, method: &ResolvedMethod) {
        if self.is_repeating() {
            return;
        }
        let places = handlers_of_machine_errors(method);
        let Some(tree) = &mut self.exploration.tree else { return };
        for pc in places {
            let at = LeftOutAt { what: LeftOut::Machine, pc, in_callee: false };
            *tree.left_out.entry(at).or_default() += 1;
        }
    }

    /// Inputs that satisfy what is assumed of them.
    fn first_model(&mut self) -> Option<Model> {
        if self.solver.store.constraints().is_empty() {
            return Some(self.solver.first_model());
        }
        match self.solver.satisfiable(&mut self.exploration.unknown.solver) {
            Answer::Satisfiable(values) => Some(values.into()),
            Answer::Unsatisfiable | Answer::Unknown => None,
        }
    }

    /// Derives the next path to its end; `None` if there are no more. Then everything is as it was
    /// before the first.
    pub fn next_path(&mut self) -> Option<PathEnd> {
        self.start_path();
        let pending = self.exploration.tree.as_mut()?.pending.take();
        let started = match pending {
            Some((method, arguments)) => self.start(method, &arguments),
            None => self.go_back()?,
        };
        let before = self.observation.own_applied();
        let ended = started.and_then(|()| self.run());
        self.pay();
        let tree = self.exploration.tree.as_mut()?;
        // What leads to the part of the tree was counted by whoever looks at the rest of it.
        let before = before.max(tree.followed_steps);
        tree.counted_steps += self.observation.own_applied().saturating_sub(before);
        let is_astray = !self.observers.accept_end();
        let ended = match self.unfollowed(&ended) {
            Some(why) => Err(Halt::Unfollowed(why)),
            None => ended,
        };
        Some(match ended {
            Ok(_) | Err(Halt::Done(_)) if is_astray => PathEnd::Astray,
            Ok(outcome) | Err(Halt::Done(outcome)) => match outcome {
                Outcome::Returned(value) => PathEnd::Returned(value),
                Outcome::Threw(exception) => PathEnd::Threw(exception),
                Outcome::Stopped { reason, places } => PathEnd::Stopped { reason, places },
            },
            Err(Halt::Cut) => PathEnd::Cut,
            Err(Halt::Infeasible) => PathEnd::Infeasible,
            Err(Halt::Astray) => PathEnd::Astray,
            Err(Halt::TooExpensive) => PathEnd::TooExpensive,
            Err(Halt::Unfollowed(why)) => {
                let part = self.exploration.tree.as_ref().map(Tree::given_part).unwrap_or_default();
                PathEnd::Unfollowed { part, why }
            }
            Err(Halt::Stop(Stop(reason))) => {
                let places = self.places(self.address());
                PathEnd::Stopped { reason, places }
            }
        })
    }

    /// Whether a path ended where the part of the tree that is given does not. Limits may end it anywhere.
    fn unfollowed(&self, ended: &Result<Outcome, Halt>) -> Option<Unfollowed> {
        let tree = self.exploration.tree.as_ref()?;
        let (applied, counted) = (self.observation.own_applied(), tree.given_steps);
        match ended {
            Ok(Outcome::Stopped { reason: Reason::Limit(_), .. })
            | Err(
                Halt::Stop(Stop(Reason::Limit(_)))
                | Halt::Astray
                | Halt::TooExpensive
                | Halt::Unfollowed(_),
            ) => None,
            _ if tree.is_following() => {
                Some(Unfollowed::Ended { decision: tree.decisions.len() + 1 })
            }
            _ if applied < counted => Some(Unfollowed::Steps { counted, applied }),
            _ => None,
        }
    }

    /// The part of the tree below the end of the path under way; one that ended on the way to a given part has all of
    /// that before it.
    pub fn unfinished(&self) -> Prefix {
        let Some(tree) = &self.exploration.tree else { return Prefix::default() };
        let (decisions, model, counted_steps) = if tree.is_following() {
            (&tree.given, &tree.given_model, tree.given_steps)
        } else {
            let counted_steps = self.observation.own_applied().max(tree.followed_steps);
            (&tree.decisions, &tree.model, counted_steps)
        };
        let model = model.as_ref().map(|model| model.to_vec());
        Prefix { decisions: decisions.clone(), model, counted_steps }
    }

    /// Gives the last part of the tree that is left away, if there is one.
    pub fn split(&mut self) -> Option<Prefix> {
        let tree = self.exploration.tree.as_mut()?;
        // Parts that are given come behind what is left of the one under way.
        if let Some(last) = tree.to_follow.pop_back() {
            return Some(last);
        }
        let is_left = |point: &&mut ChoicePoint| point.open.iter().any(|way| !way.is_given);
        let point = tree.points.iter_mut().find(is_left)?;
        let way = point.open.remove(0);
        let mut decisions = tree.decisions[..point.decisions()].to_vec();
        decisions.push(Decision { alternative: way.number, is_choice: true });
        Some(Prefix { decisions, model: way.model.map(|model| model.to_vec()), counted_steps: 0 })
    }

    /// Gives all parts of the tree that are left away.
    pub fn split_all(&mut self) -> Vec<Prefix> {
        std::iter::from_fn(|| self.split()).collect()
    }

    /// Leaves the rest of the tree.
    pub fn abandon_paths(&mut self) {
        if let Some(tree) = &mut self.exploration.tree {
            tree.points.iter_mut().for_each(|point| point.open.clear());
            tree.to_follow.clear();
            tree.pending = None;
        }
        self.go_back();
    }

    /// What was counted since the start.
    pub fn counts(&self) -> Counts {
        let tree = self.exploration.tree.as_ref();
        Counts {
            steps: tree.map_or(0, |tree| tree.counted_steps),
            choices: tree.map_or(0, |tree| tree.choices),
            infeasible: tree.map_or(0, |tree| tree.infeasible),
            solver: self.solver.statistics,
        }
    }

    /// Alternatives that were not tried since the start, and how often that was so at each place.
    pub fn left_out(&self) -> impl Iterator<Item = (&LeftOutAt, u64)> {
        let tree = self.exploration.tree.iter();
        tree.flat_map(|tree| tree.left_out.iter().map(|(at, &count)| (at, count)))
    }

    /// A set of alternatives is used here: what it leaves out is noted.
    pub(crate) fn offer(&mut self, extent: &Extent) {
        if let Extent::Some(what) = extent {
            self.note_left_out(what.clone());
        }
    }

    /// Counts something that is left out here, once: not where decisions are followed that another path has counted for.
    pub(crate) fn note_left_out(&mut self, what: LeftOut) {
        if self.is_repeating() || self.is_doubted(&what) {
            return;
        }
        // What is decided before the call may be anywhere in it.
        let target = self.exploration.target;
        let place = target.and_then(|target| self.place_in_number(target));
        let (pc, in_callee) = place.unwrap_or_default();
        if let Some(tree) = &mut self.exploration.tree {
            *tree.left_out.entry(LeftOutAt { what, pc, in_callee }).or_default() += 1;
        }
    }

    /// Whether the path is where another one has been and counted what happens.
    pub(super) fn is_repeating(&self) -> bool {
        self.exploration.tree.as_ref().is_some_and(|tree| {
            tree.is_following() || self.observation.own_applied() < tree.followed_steps
        })
    }

    /// What was decided on the path.
    pub fn decisions(&self) -> &[Decision] {
        self.exploration.tree.as_ref().map_or(&[], |tree| &tree.decisions)
    }

    /// Applications of the program's own rules on the path, or in the last call.
    pub fn path_steps(&self) -> u64 {
        let before = self.exploration.tree.as_ref().map_or(0, |tree| tree.steps_before);
        self.observation.own_applied() - before
    }

    /// Whether models answered for code of the class library on the path: then its costs are not all that the
    /// path costs.
    pub fn is_cost_partial(&self) -> bool {
        self.exploration.tree.as_ref().is_some_and(|tree| tree.modelled > 0)
    }

    /// A constraint as a condition on the inputs.
    pub(super) fn condition(&self, constraint: &Constraint) -> Expression {
        petrel_solver::condition(self.solver.store.terms(), constraint)
    }

    /// The instruction of a method's own code that is under way in the outermost call of it, and whether
    /// that is a call.
    pub fn place_in(&self, method: &ResolvedMethod) -> Option<(u16, bool)> {
        self.place_in_one_of(|of| self.methods.get(of).resolved == *method)
    }

    fn place_in_number(&self, method: MethodNumber) -> Option<(u16, bool)> {
        self.place_in_one_of(|of| of == method)
    }

    fn place_in_one_of(&self, is_it: impl Fn(MethodNumber) -> bool) -> Option<(u16, bool)> {
        let mut frames = self.frames().iter();
        let frame = frames.position(|frame| frame.named_method().is_some_and(&is_it))?;
        let (address, is_call) = match self.frames().get(frame + 1) {
            Some(callee) => (callee.return_to.saturating_sub(1), true),
            None => (self.address(), false),
        };
        self.code.origin(address).map(|(_, pc)| (pc, is_call))
    }

    /// Calls a method on the known arguments that `prepare` makes, and keeps the rules that it applies;
    /// everything is as before afterwards, but for what `then` takes with it. [`Machine::prepare_call`]
    /// was called before.
    ///
    /// # Errors
    ///
    /// Those of `prepare`.
    pub fn observe_call<T>(
        &mut self,
        method: &ResolvedMethod,
        steps: u64,
        prepare: impl FnOnce(&mut Machine<'p>) -> Result<Vec<Value>, Reason>,
        then: impl FnOnce(&mut Machine<'p>, &[Value], Outcome) -> T,
    ) -> Result<T, Reason> {
        self.clear_calls();
        self.criterion.choices = 0;
        self.library.instability.start();
        self.exploration.tree = Some(Tree::default());
        self.push_choice_point(smallvec::SmallVec::new());
        // Without a choice to come, guards on unknown values are errors.
        let root = self.exploration.tree.take();
        let taken = prepare(self).map(|arguments| {
            self.library.instability.start();
            self.observation.limit(steps);
            self.start_observation();
            self.observation.has_begun = true;
            let number = self.method_number(method);
            let outcome = match self.execute(number, &arguments) {
                Outcome::Returned(_) if Kind::of_result(method.descriptor()).is_none() => {
                    Outcome::Returned(None)
                }
                outcome => outcome,
            };
            self.observation.end();
            then(self, &arguments, outcome)
        });
        self.exploration.tree = root;
        self.go_back();
        self.exploration.tree = None;
        taken
    }
}
