//! The tests of a class: planned, written, judged.

mod overflows;

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use petrel_classfile::{Operand, op};
use petrel_junit::{JUnit, Kind, Test, TestClass, Written};
use petrel_program::{Class, Program, ResolvedMethod};
use petrel_testcase::{
    Case, Coverage, Objects, Observations, Observing, Options, Overflow, Policy, Ranking,
    Selection, Solution, Summary, TargetCode, generate,
};
use petrel_translate::cache::Procedures;
use petrel_value::{FieldValue, Heap};

use crate::SuiteOptions;
use crate::account::{
    BranchAccount, ClassAccount, Dropped, Finding, MethodAccount, TestAccount, Verdict,
};
use crate::findings::finding;
use crate::inputs::with_more_inputs;
use crate::pool::{Candidate, Exploration, Pool};
use crate::select::Choices;

/// Defects of one method that get tests.
const MOST_FINDINGS: usize = 3;
/// So many other inputs of a method are tried for what their calls leave behind.
const MOST_EARLIER: usize = 8;
/// Why a case is no test although it can be written.
const DEPENDS_ON_STATICS: &str =
    "ends in another way after other calls: it depends on static state that a test cannot put back";

/// A case that becomes a test.
#[derive(Debug)]
struct Chosen {
    case: Case,
    /// What is seen after the calls of its inputs, in their order.
    observed: Vec<Observations>,
    kind: Kind,
    notes: Vec<String>,
    /// Exception and place, of a finding.
    finding: Option<(String, String)>,
    /// The operations that it shows to overflow, if that is what it is for.
    overflows: Vec<Overflow>,
}

/// The test of a case sets static fields to what they are expected to hold, and puts them back.
fn keep_statics(case: &mut Case, statics: &[FieldValue], heap: &Heap) {
    for solution in case.solutions.iter_mut().filter(|solution| solution.statics.is_empty()) {
        for field in statics {
            let value = solution.heap.append(heap, field.value);
            solution.statics.push(FieldValue { value, ..field.clone() });
        }
    }
}

/// The tests of one method.
#[derive(Debug)]
pub(crate) struct MethodPlan {
    method: ResolvedMethod,
    pool: Pool,
    chosen: Vec<Chosen>,
    /// Cases that cannot be written, with the reasons.
    refused: BTreeMap<usize, String>,
    /// How the search for overflows ended, if there was one.
    overflow: Option<Summary>,
    failure: Option<String>,
}

impl MethodPlan {
    pub(crate) fn failed(method: &ResolvedMethod, failure: String) -> MethodPlan {
        MethodPlan {
            method: method.clone(),
            pool: Pool::default(),
            chosen: Vec::new(),
            refused: BTreeMap::new(),
            overflow: None,
            failure: Some(failure),
        }
    }

    pub(crate) fn n_cases(&self) -> usize {
        self.pool.candidates.len()
    }
}

/// What a method is planned with.
pub(crate) struct Planning<'a> {
    pub(crate) procedures: &'a Procedures<'a>,
    pub(crate) options: &'a SuiteOptions,
}

impl Planning<'_> {
    pub(crate) fn plan(&self, method: &ResolvedMethod) -> MethodPlan {
        let exploration = Exploration {
            procedures: self.procedures,
            method,
            options: &self.options.cases,
            budget: self.options.budget,
            all_paths: !matches!(
                self.options.selection,
                Selection::Branches | Selection::Statements
            ),
        };
        let mut pool = match exploration.run() {
            Ok(pool) => pool,
            Err(error) => return MethodPlan::failed(method, error.to_string()),
        };
        let mut observing = Observing::new(self.procedures, method, self.options.cases.assertions);
        let (statics, heap) = observing.statics();
        for candidate in &mut pool.candidates {
            keep_statics(&mut candidate.case, &statics, &heap);
        }
        let source_file = method.class().file.source_file();
        let choices = Choices::new(&self.options.selection, source_file, &pool.candidates);
        let mut refused = BTreeMap::new();
        let numbers =
            self.writable(method, &pool.candidates, &choices, &mut observing, &mut refused);
        let earlier = earlier(&numbers, &pool.candidates);
        let mut chosen: Vec<Chosen> = numbers
            .iter()
            .map(|&number| {
                let candidate = &pool.candidates[number];
                let mut case = with_more_inputs(self.procedures, method, self.options, candidate);
                keep_statics(&mut case, &statics, &heap);
                self.chosen(case, Kind::Ordinary, &mut observing, &earlier)
            })
            .collect();
        let wanted = pool.candidates.iter().enumerate();
        let wanted = wanted.filter(|(number, _)| choices.is_wanted(*number));
        let wanted = wanted.map(|(_, candidate)| candidate);
        self.add_findings(method, wanted, &mut observing, &earlier, &mut chosen);
        if let Some((mut case, notes)) = self.worst_case(method) {
            keep_statics(&mut case, &statics, &heap);
            if self.why_refused(method, &case, &mut observing).is_none() {
                let new = self.chosen(case, Kind::WorstCase, &mut observing, &earlier);
                chosen.push(Chosen { notes, ..new });
            }
        }
        let mut overflow = None;
        if self.options.overflow {
            let statics = (&*statics, &heap);
            let (work, summary) =
                self.add_overflows(method, statics, &mut observing, &earlier, &mut chosen);
            pool.work += work;
            overflow = summary;
        }
        MethodPlan { method: method.clone(), pool, chosen, refused, overflow, failure: None }
    }

    /// Which cases become tests. Those that cannot be written are left out, and others chosen for them.
    fn writable(
        &self,
        method: &ResolvedMethod,
        candidates: &[Candidate],
        choices: &Choices,
        observing: &mut Observing<'_>,
        refused: &mut BTreeMap<usize, String>,
    ) -> Vec<usize> {
        let mut known: BTreeSet<usize> = BTreeSet::new();
        loop {
            let numbers = choices.select(&|number| refused.contains_key(&number));
            let n_refused = refused.len();
            for &number in &numbers {
                if known.insert(number) {
                    let case = &candidates[number].case;
                    let reason = self.why_refused(method, case, observing);
                    refused.extend(reason.map(|reason| (number, reason)));
                }
            }
            if refused.len() > n_refused {
                continue;
            }
            let earlier = earlier(&numbers, candidates);
            let depends_on_others = |number: &usize| {
                let solution = candidates[*number].case.solutions.first();
                solution.is_some_and(|solution| !observing.is_independent(solution, &earlier))
            };
            let dependent: Vec<usize> = numbers.iter().copied().filter(depends_on_others).collect();
            let out = match &*dependent {
                [] => return numbers,
                [only] => std::slice::from_ref(only),
                // They may depend on each other: one can stay.
                [_, others @ ..] => others,
            };
            refused.extend(out.iter().map(|&number| (number, DEPENDS_ON_STATICS.to_owned())));
        }
    }

    fn why_refused(
        &self,
        method: &ResolvedMethod,
        case: &Case,
        observing: &mut Observing<'_>,
    ) -> Option<String> {
        let Some(solution) = case.solutions.first() else { return Some("no input".to_owned()) };
        let observed = Observations::default();
        let kind = Kind::Ordinary;
        let (notes, more) = (Vec::new(), Vec::new());
        let test = Test { method, case, solution, observed: &observed, kind, notes, more };
        let program = self.procedures.program();
        let written = write(program, method.class(), self.options, vec![test]);
        let unwritable = written.refused.into_iter().next().map(|(_, reason)| reason);
        unwritable.or_else(|| {
            let is_repeatable = observing.is_independent(solution, &[solution]);
            (!is_repeatable).then(|| DEPENDS_ON_STATICS.to_owned())
        })
    }

    fn chosen(
        &self,
        mut case: Case,
        kind: Kind,
        observing: &mut Observing<'_>,
        earlier: &[&Solution],
    ) -> Chosen {
        // The first was looked at already.
        let mut is_first = true;
        case.solutions.retain(|solution| {
            std::mem::take(&mut is_first) || observing.is_independent(solution, &[solution])
        });
        let solutions = case.solutions.iter();
        let observed = solutions.map(|solution| observing.observe(solution, earlier)).collect();
        let notes = Vec::new();
        Chosen { case, observed, kind, notes, finding: None, overflows: Vec::new() }
    }

    /// Tests of exceptions that look like defects: one for each exception and place.
    fn add_findings<'c>(
        &self,
        method: &ResolvedMethod,
        candidates: impl Iterator<Item = &'c Candidate>,
        observing: &mut Observing<'_>,
        earlier: &[&Solution],
        chosen: &mut Vec<Chosen>,
    ) {
        let file = &method.class().file;
        let declared: Vec<String> = file
            .method_exceptions(method.declaration())
            .map(|name| name.replace('/', "."))
            .collect();
        // Few cases ask for it, and it takes a look at all of the class.
        let made = LazyCell::new(|| exceptions_made(method.class()));
        let throws_itself = |exception: &str| made.iter().any(|made| made == exception);
        let mut known: Vec<(String, String)> = Vec::new();
        for candidate in candidates.filter(|candidate| candidate.is_buildable) {
            let Some(found) = finding(&candidate.case, &declared, &throws_itself) else { continue };
            if known.contains(&found) || known.len() == MOST_FINDINGS {
                continue;
            }
            if self.why_refused(method, &candidate.case, observing).is_some() {
                continue;
            }
            known.push(found.clone());
            // A case that is chosen already shows it as well.
            let is_same = |chosen: &&mut Chosen| {
                chosen.finding.is_none()
                    && finding(&chosen.case, &declared, &throws_itself).as_ref() == Some(&found)
            };
            if let Some(chosen) = chosen.iter_mut().find(is_same) {
                chosen.kind = Kind::Defect;
                chosen.finding = Some(found);
            } else {
                let mut new = self.chosen(candidate.case.clone(), Kind::Defect, observing, earlier);
                new.finding = Some(found);
                chosen.push(new);
            }
        }
    }

    /// The case of the most expensive input, if it is wanted, and what is said of its cost.
    fn worst_case(&self, method: &ResolvedMethod) -> Option<(Case, Vec<String>)> {
        let model = self.options.worst_case.as_ref()?;
        let name = model.name().to_owned();
        let ranking = Ranking { count: Some(1), model: name.clone() };
        let options = Options {
            models: vec![model.clone()],
            policy: Policy { ranking: Some(ranking), ..Policy::default() },
            objects: Objects::Calls(0),
            work: Some(self.options.budget / 2),
            ..self.options.cases.clone()
        };
        let mut worst = None;
        let found = generate(self.procedures, method, &options, &mut |case| {
            worst = Some(case);
            false
        });
        let case = worst.filter(|_| found.is_ok())?;
        let notes = case.costs.iter().map(|cost| {
            let unit = cost.unit.as_deref().map(|unit| format!(" {unit}")).unwrap_or_default();
            let bound = &self.options.cases.termination;
            format!("{name}: {}{unit}, up to {bound}", cost.value)
        });
        let notes = notes.collect();
        Some((case, notes))
    }
}

/// The inputs of chosen cases, whose tests may run before any other.
fn earlier<'c>(numbers: &[usize], candidates: &'c [Candidate]) -> Vec<&'c Solution> {
    let solutions = numbers.iter().filter_map(|&number| candidates[number].case.solutions.first());
    solutions.take(MOST_EARLIER).collect()
}

/// What is unsupported, without the terms of the path that met it: so that it can be counted.
fn feature(what: &str) -> String {
    if what.starts_with("the guard ") {
        return "a guard on what is only evaluated, such as Math.sin".to_owned();
    }
    match what.split_once(" on ") {
        Some((feature, _)) => feature.to_owned(),
        None => what.to_owned(),
    }
}

/// Names of the classes of which the code of a class makes objects.
fn exceptions_made(class: &Arc<Class>) -> Vec<String> {
    let file = &class.file;
    let mut made = Vec::new();
    for method in class.methods() {
        let Ok(Some(code)) = file.code(method.declaration()) else { continue };
        for instruction in &code.instructions {
            if instruction.opcode.byte() == op::NEW
                && let Operand::Constant(index) = instruction.operand
                && let Ok(name) = file.constant_pool.class_name(index)
            {
                made.push(name.replace('/', "."));
            }
        }
    }
    made
}

fn write(
    program: &Program,
    class: &Arc<Class>,
    options: &SuiteOptions,
    tests: Vec<Test<'_>>,
) -> Written {
    let java = java_version(class, options.junit);
    let class = Arc::clone(class);
    let test_class =
        TestClass { class, junit: options.junit, suffix: &options.suffix, java, tests };
    petrel_junit::write(program, &test_class)
}

/// The version of Java that a class was compiled for: tests of it use nothing newer, except what JUnit needs itself.
fn java_version(class: &Class, junit: JUnit) -> u16 {
    // The first release with a version of its own was Java 5, with 49.
    let of_class = class.file.major_version.saturating_sub(44);
    match junit {
        JUnit::Four => of_class,
        JUnit::Five => of_class.max(8),
    }
}

/// The tests of a class, before they are judged.
pub struct ClassPlan {
    class: Arc<Class>,
    methods: Vec<MethodPlan>,
    /// For each test of the source: method, and place among its tests.
    places: Vec<(usize, usize)>,
    written: Written,
    java_version: u16,
    elapsed_us: u64,
}

/// What a JVM says of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judged {
    /// It is kept.
    Kept,
    /// It is not.
    Dropped {
        /// Why.
        why: String,
        /// Whether it ran and something else came out than was predicted.
        is_wrong_prediction: bool,
    },
}

impl ClassPlan {
    pub(crate) fn new(
        program: &Program,
        class: &Arc<Class>,
        options: &SuiteOptions,
        methods: Vec<MethodPlan>,
        elapsed_us: u64,
    ) -> ClassPlan {
        let places: Vec<(usize, usize)> = methods
            .iter()
            .enumerate()
            .flat_map(|(method, plan)| (0..plan.chosen.len()).map(move |test| (method, test)))
            .collect();
        let (places, written) = write_places(program, class, options, &methods, places);
        let java_version = java_version(class, options.junit);
        ClassPlan { class: Arc::clone(class), methods, places, written, java_version, elapsed_us }
    }

    /// The source with all tests.
    pub fn written(&self) -> &Written {
        &self.written
    }

    /// The version of Java that the tests are written for.
    pub fn java_version(&self) -> u16 {
        self.java_version
    }

    /// Whether there are no tests.
    pub fn is_empty(&self) -> bool {
        self.written.tests.is_empty()
    }

    /// The source with the tests that are kept, and the account. There is a verdict for each test of
    /// [`ClassPlan::written`].
    pub fn finish(
        &self,
        procedures: &Procedures<'_>,
        project: &[String],
        options: &SuiteOptions,
        judged: &[Judged],
        is_validated: bool,
    ) -> (Written, ClassAccount) {
        let program = procedures.program();
        let mut dropped: BTreeMap<(usize, usize), (&str, &str, bool)> = BTreeMap::new();
        let mut kept = Vec::new();
        for (test, judged) in self.written.tests.iter().zip(judged) {
            let place = self.places[test.test];
            match judged {
                Judged::Kept => kept.push(place),
                Judged::Dropped { why, is_wrong_prediction } => {
                    dropped.insert(place, (&test.name, why, *is_wrong_prediction));
                }
            }
        }
        // What was judged is what is written, if nothing is dropped.
        let (places, written) = match dropped.is_empty() {
            true => (self.places.clone(), self.written.clone()),
            false => write_places(program, &self.class, options, &self.methods, kept),
        };
        let mut names: BTreeMap<(usize, usize), &petrel_junit::WrittenTest> = BTreeMap::new();
        for test in &written.tests {
            names.insert(places[test.test], test);
        }
        let methods = self.methods.iter().enumerate().map(|(number, plan)| {
            let of_method = |test: usize| names.get(&(number, test)).copied();
            let dropped = |test: usize| dropped.get(&(number, test)).copied();
            plan.account(procedures, project, &of_method, &dropped)
        });
        let account = ClassAccount {
            class: self.class.name().replace('/', "."),
            source: self.class.file.source_file().map(str::to_owned),
            methods: methods.collect(),
            file: (!written.tests.is_empty()).then(|| written.file.clone()),
            not_written: None,
            is_validated,
            elapsed_us: self.elapsed_us,
        };
        (written, account)
    }
}

/// Writes some tests. What cannot be written although each by itself can, is left out.
fn write_places(
    program: &Program,
    class: &Arc<Class>,
    options: &SuiteOptions,
    methods: &[MethodPlan],
    places: Vec<(usize, usize)>,
) -> (Vec<(usize, usize)>, Written) {
    let tests = places.iter().filter_map(|&(method, test)| {
        let plan = &methods[method];
        let Chosen { case, observed, kind, notes, .. } = &plan.chosen[test];
        let mut inputs = case.solutions.iter().zip(observed);
        let (solution, observed) = inputs.next()?;
        let (method, kind, notes) = (&plan.method, *kind, notes.clone());
        Some(Test { method, case, solution, observed, kind, notes, more: inputs.collect() })
    });
    let written = write(program, class, options, tests.collect());
    (places, written)
}

impl MethodPlan {
    fn account<'t>(
        &self,
        procedures: &Procedures<'_>,
        project: &[String],
        written: &dyn Fn(usize) -> Option<&'t petrel_junit::WrittenTest>,
        dropped: &dyn Fn(usize) -> Option<(&'t str, &'t str, bool)>,
    ) -> MethodAccount {
        let mut account = MethodAccount {
            name: format!("{}{}", self.method.name(), self.method.descriptor()),
            n_cases: self.pool.n_behaviours,
            is_complete: self.pool.is_complete,
            failure: self.failure.clone(),
            work: self.pool.work,
            ..MethodAccount::default()
        };
        let ends = &self.pool.summary.ends;
        account.unsupported = ends
            .unsupported
            .iter()
            .map(|(stopped, &count)| (feature(&stopped.what), stopped.place.clone(), count))
            .collect();
        account.limits = ends.limits.iter().map(|(limit, &count)| (limit.clone(), count)).collect();
        for (number, why) in &self.refused {
            let case = &self.pool.candidates[*number].case;
            account.dropped.push(Dropped {
                name: case.condition.join(" && "),
                why: why.clone(),
                is_wrong_prediction: false,
                was_written: false,
            });
        }
        for (number, chosen) in self.chosen.iter().enumerate() {
            if let Some(test) = written(number) {
                account.tests.push(TestAccount {
                    name: test.name.clone(),
                    by_reflection: test.by_reflection.clone(),
                    n_inputs: test.n_inputs,
                });
                if let Some((exception, place)) = chosen.finding.clone() {
                    account.findings.push(Finding { test: test.name.clone(), exception, place });
                }
            } else if let Some((name, why, is_wrong_prediction)) = dropped(number) {
                let (name, why) = (name.to_owned(), why.to_owned());
                account.dropped.push(Dropped { name, why, is_wrong_prediction, was_written: true });
            }
        }
        self.judge_branches(procedures, project, written, &mut account);
        self.judge_operations(procedures, project, written, &mut account);
        account
    }

    fn judge_branches<'t>(
        &self,
        procedures: &Procedures<'_>,
        project: &[String],
        written: &dyn Fn(usize) -> Option<&'t petrel_junit::WrittenTest>,
        account: &mut MethodAccount,
    ) {
        let code = TargetCode::of(procedures, &self.method).ok().flatten();
        let mut summary = self.pool.summary.clone();
        // An early end because everything is covered leaves nothing to be explained.
        summary.is_selective = false;
        summary.rules.clear();
        let coverage = Coverage::of(procedures, project, &self.method, &summary);
        let (Some(code), Ok(coverage)) = (code, coverage) else { return };
        let mut by_test = BTreeMap::new();
        for (number, chosen) in self.chosen.iter().enumerate() {
            let Some(test) = written(number) else { continue };
            for edge in code.executed(&chosen.case.rules).edges {
                by_test.entry(edge).or_insert_with(|| test.name.clone());
            }
        }
        for branch in &coverage.uncovered {
            let edge = (branch.pc, branch.target_pc);
            let verdict = match by_test.get(&edge) {
                Some(test) => Verdict::Covered(test.clone()),
                None => match self.why_without_test(edge) {
                    Some(why) => Verdict::NotConstructible(why),
                    None => Verdict::of(branch.why),
                },
            };
            verdict.count(&mut account.counts);
            let target_line = code.line(branch.target_pc).unwrap_or_default();
            account.branches.push(BranchAccount::uncovered(branch, target_line, verdict));
        }
    }

    /// Why a branch that cases take has no test.
    fn why_without_test(&self, edge: petrel_testcase::Edge) -> Option<String> {
        let taking = |candidate: &Candidate| candidate.executed.edges.contains(&edge);
        let mut numbers = (0..self.pool.candidates.len())
            .filter(|&number| taking(&self.pool.candidates[number]))
            .peekable();
        numbers.peek()?;
        let reason = numbers.find_map(|number| self.refused.get(&number));
        Some(reason.cloned().unwrap_or_else(|| "its test was dropped".to_owned()))
    }
}
