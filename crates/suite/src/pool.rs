//! The cases of one method that may become tests.
//!
//! Two explorations complete each other. One takes every combination of fields for an object: what it does not
//! reach is not reachable, but not all of its inputs can be built. The other takes only objects that code of the
//! package can build ("JTestCraft", section 6.3.2, has the sequences of calls that do). Where the first
//! finds more, its traces are goals for the second: the path is given, the calls and their arguments are not. Where the
//! first comes to its limits, an abstraction proposes traces towards the branches that are missing. What
//! all of them miss may depend on static fields: then these are inputs, too.

use std::sync::Arc;

use petrel_budget::Purse;
use petrel_clp::Trace;
use petrel_program::ResolvedMethod;
use petrel_testcase::{
    AnswerOrigin, Case, Executed, GenerateError, Limit, Objects, Options, Outcome, Point,
    Selection, Spot, Strategy, Summary, TargetCode, generate,
};
use petrel_translate::cache::Procedures;
use petrel_value::Object;

use crate::stages::Stages;

/// So many cases of a method are kept in mind.
pub(crate) const MOST_CASES: usize = 200;
/// When everything is covered, so many cases are enough.
const ENOUGH_CASES: usize = 32;
/// So many traces of one method are goals.
const MOST_GOALS: usize = 8;
/// One search along a trace may use one of so many parts of what there is for all of them.
const PARTS_FOR_GOALS: u32 = 4;
/// Calls after the constructor.
const MOST_CALLS: u8 = 2;

/// A case, and what is of interest for choosing it.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) case: Case,
    pub(crate) executed: Executed,
    /// Whether code of the package can build its inputs, and sets nothing else.
    pub(crate) is_buildable: bool,
    /// How objects came about where it was found, and whether static fields were inputs.
    pub(crate) found_among: (Objects, bool),
}

impl Candidate {
    fn new(code: &TargetCode, case: Case, options: &Options) -> Candidate {
        let executed = code.executed(&case.rules);
        let is_buildable = is_buildable(&case);
        let found_among = (options.objects, options.symbolic_statics);
        Candidate { case, executed, is_buildable, found_among }
    }

    /// What speaks against it, the most important first: that it needs reflection, ends in an exception, has
    /// large inputs, or is long.
    pub(crate) fn badness(&self) -> (bool, bool, usize, u64) {
        let size = self.case.solutions.first().map_or(0, |solution| {
            let objects = solution.heap.objects.iter();
            objects
                .map(|object| match object {
                    Object::String(text) => 1 + text.0.len() / 4,
                    Object::Built { calls, .. } => 2 + 3 * calls.len(),
                    Object::Array { elements, .. } => 1 + elements.len() / 4,
                    _ => 1,
                })
                .sum()
        });
        let throws = self.case.outcome != Outcome::Return;
        (!self.is_buildable, throws, size, self.case.steps)
    }
}

/// Whether code of the package can build the input of a case, and sets nothing else.
pub(crate) fn is_buildable(case: &Case) -> bool {
    case.solutions.first().is_some_and(|solution| {
        let is_bare =
            |object: &Object| matches!(object, Object::Instance { .. } | Object::Opaque { .. });
        !solution.heap.objects.iter().any(is_bare)
            && solution.statics.is_empty()
            && !solution.answers.iter().any(|answer| answer.origin == AnswerOrigin::Declared)
    })
}

/// Notes if there were as many cases as are looked at: what was not may be anything but infeasible.
pub(crate) fn note_most_cases(found: usize, summary: &mut Summary) {
    if found == MOST_CASES {
        summary.note_left_over(Limit::Cases(MOST_CASES as u64));
    }
}

/// All that is known of a method.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    pub(crate) candidates: Vec<Candidate>,
    /// How the exploration over fields ended: reasons for what is not covered.
    pub(crate) summary: Summary,
    /// Work of everything that was done for the method.
    pub(crate) work: u64,
    /// Whether the first exploration found every path within the bounds.
    pub(crate) is_complete: bool,
    /// Cases of the first exploration, or of the second if that had none.
    pub(crate) n_behaviours: usize,
}

/// Explores one method.
pub(crate) struct Exploration<'a> {
    pub(crate) procedures: &'a Procedures<'a>,
    pub(crate) method: &'a ResolvedMethod,
    pub(crate) options: &'a Options,
    pub(crate) stages: &'a Stages,
    /// Whether every path is wanted, not only enough of them.
    pub(crate) all_paths: bool,
}

impl Exploration<'_> {
    pub(crate) fn run(&self) -> Result<Pool, GenerateError> {
        let translation =
            |error: petrel_translate::TranslateError| GenerateError::Translation(error.to_string());
        let code = TargetCode::of(self.procedures, self.method).map_err(translation)?;
        let Some(code) = code else { return Err(GenerateError::NoCode) };
        let mut pool = Pool::default();
        let mut covered = Executed::default();
        let options = self.options_of(Objects::Fields, self.stages.fields());
        let is_all = |covered: &Executed| code.is_all(covered);
        let summary = self.collect(&code, &mut pool, &options, &is_all, &mut covered)?;
        pool.is_complete = summary.ends.is_complete() && pool.candidates.len() < ENOUGH_CASES;
        pool.summary = summary;
        pool.n_behaviours = pool.candidates.len();
        // What is left out is left out by whoever is guided, too.
        if !pool.summary.ends.is_followed() && !code.are_all_edges(&covered) {
            let possible = code.translated_edges();
            let missing = possible.difference(&covered.edges).copied();
            let missing = missing.map(|edge| Point::Code(None, Spot::Branch(edge)));
            let options = Options {
                selection: Selection::Points(missing.collect()),
                strategy: Strategy::Guided,
                ..self.options_of(Objects::Fields, self.stages.guided())
            };
            self.collect(&code, &mut pool, &options, &|_| false, &mut covered)?;
        }
        if !code.are_all_edges(&covered) && self.uses_statics() {
            let options = self.options_of(Objects::Fields, self.stages.statics());
            let options = Options { symbolic_statics: true, ..options };
            self.collect(&code, &mut pool, &options, &|_| false, &mut covered)?;
        }
        let is_buildable = |candidate: &Candidate| candidate.is_buildable;
        let is_refused = pool.candidates.is_empty();
        if is_refused || !pool.candidates.iter().all(is_buildable) {
            self.build(&code, &mut pool, &covered)?;
        }
        if is_refused {
            pool.n_behaviours = pool.candidates.len();
        }
        Ok(pool)
    }

    /// Whether the method may look at static fields of its class that can change.
    fn uses_statics(&self) -> bool {
        let class = self.method.class();
        let used = self.procedures.program().fields_used(self.method).statics;
        let mut fields = class.fields().filter(|field| field.is_static() && !field.is_final());
        fields.any(|field| {
            used.iter().any(|(of, name)| **of == *class.name() && **name == *field.name())
        })
    }

    /// Options of an exploration that is paid from a purse.
    fn options_of(&self, objects: Objects, purse: Purse) -> Options {
        Options { objects, purse, ..self.options.clone() }
    }

    /// Looks for inputs that code of the package can build: for all paths, and then along the traces that cover
    /// what is missing.
    fn build(
        &self,
        code: &TargetCode,
        pool: &mut Pool,
        wanted: &Executed,
    ) -> Result<(), GenerateError> {
        let mut covered = Executed::default();
        for candidate in pool.candidates.iter().filter(|candidate| candidate.is_buildable) {
            covered.add(&candidate.executed);
        }
        let is_enough =
            |covered: &Executed| !wanted.instructions.is_empty() && covered.includes(wanted);
        if !is_enough(&covered) {
            let options = self.options_of(Objects::Calls(0), self.stages.built());
            self.collect(code, pool, &options, &is_enough, &mut covered)?;
        }
        let mut goals: Vec<usize> = (0..pool.candidates.len())
            .filter(|&number| !pool.candidates[number].is_buildable)
            .collect();
        goals.sort_by_key(|&number| (pool.candidates[number].badness(), number));
        let mut n_tried = 0;
        let purse = self.stages.goals();
        for number in goals {
            if n_tried == MOST_GOALS || purse.is_over() || covered.includes(wanted) {
                break;
            }
            let goal = &pool.candidates[number];
            if covered.includes(&goal.executed) {
                continue;
            }
            let trace = Arc::new(goal.case.trace.term().local());
            n_tried += 1;
            self.follow(code, pool, trace, &purse, &mut covered)?;
        }
        Ok(())
    }

    /// Looks for inputs that take the path of a trace.
    fn follow(
        &self,
        code: &TargetCode,
        pool: &mut Pool,
        trace: Arc<Trace>,
        purse: &Purse,
        covered: &mut Executed,
    ) -> Result<(), GenerateError> {
        for calls in 1..=MOST_CALLS {
            let options = self.options_of(Objects::Calls(calls), purse.share(PARTS_FOR_GOALS));
            let options = Options { trace: Some(Arc::clone(&trace)), first: true, ..options };
            let before = pool.candidates.len();
            self.collect(code, pool, &options, &|_| false, covered)?;
            if pool.candidates.len() > before {
                break;
            }
        }
        Ok(())
    }

    fn collect(
        &self,
        code: &TargetCode,
        pool: &mut Pool,
        options: &Options,
        is_enough: &dyn Fn(&Executed) -> bool,
        covered: &mut Executed,
    ) -> Result<Summary, GenerateError> {
        // What the first exploration finds beyond what covers everything may be a defect.
        let least = if options.objects == Objects::Fields { ENOUGH_CASES } else { 1 };
        let mut found = 0;
        let candidates = &mut pool.candidates;
        let mut summary = generate(self.procedures, self.method, options, &mut |case| {
            found += 1;
            let candidate = Candidate::new(code, case, options);
            if candidate.is_buildable || options.objects == Objects::Fields {
                covered.add(&candidate.executed);
                candidates.push(candidate);
            }
            let is_done = !self.all_paths && found >= least && is_enough(covered);
            !is_done && found < MOST_CASES
        })?;
        note_most_cases(found, &mut summary);
        Ok(summary)
    }
}
