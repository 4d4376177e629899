//! The tests of one method: cases are looked for, some of them chosen, and what is seen after their calls.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use petrel_budget::Purse;
use petrel_classfile::{Operand, op};
use petrel_junit::{Kind, Test};
use petrel_program::{Class, ResolvedMethod};
use petrel_testcase::{
    Case, Objects, Observations, Observing, Options, Policy, Ranking, Selection, Solution, generate,
};
use petrel_translate::cache::Procedures;
use petrel_value::{FieldValue, Heap};

use super::class::write;
use super::{Chosen, MethodPlan};
use crate::SuiteOptions;
use crate::findings::finding;
use crate::inputs::with_more_inputs;
use crate::pool::{Candidate, Exploration};
use crate::select::Choices;
use crate::stages::Stages;

/// Defects of one method that get tests.
const MOST_FINDINGS: usize = 3;
/// So many other inputs of a method are tried for what their calls leave behind.
const MOST_EARLIER: usize = 8;
/// Why a case is no test that nobody had the time to look at.
const TOO_LATE: &str = "the time was over";
/// Why a case is no test although it can be written.
const DEPENDS_ON_STATICS: &str =
    "ends in another way after other calls: it depends on static state that a test cannot put back";

/// The test of a case sets static fields to what they are expected to hold, and puts them back.
pub(super) fn keep_statics(case: &mut Case, statics: &[FieldValue], heap: &Heap) {
    for solution in case.solutions.iter_mut().filter(|solution| solution.statics.is_empty()) {
        for field in statics {
            let value = solution.heap.append(heap, field.value);
            solution.statics.push(FieldValue { value, ..field.clone() });
        }
    }
}

/// What a method is planned with.
pub(crate) struct Planning<'a> {
    pub(crate) procedures: &'a Procedures<'a>,
    pub(crate) options: &'a SuiteOptions,
    /// What the method is paid from.
    pub(crate) purse: Purse,
}

impl Planning<'_> {
    pub(crate) fn plan(&self, method: &ResolvedMethod) -> MethodPlan {
        let stages = Stages::new(&self.purse, self.options);
        let exploration = Exploration {
            procedures: self.procedures,
            method,
            options: &self.options.cases,
            stages: &stages,
            all_paths: !matches!(
                self.options.selection,
                Selection::Branches | Selection::Statements
            ),
        };
        let mut pool = match exploration.run() {
            Ok(pool) => pool,
            Err(error) => return MethodPlan::failed(method, error.to_string()),
        };
        let purse = stages.choosing();
        let assertions = self.options.cases.assertions;
        let mut observing = Observing::new(self.procedures, method, assertions, &purse);
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
                let mut case =
                    with_more_inputs(self.procedures, method, self.options, candidate, &purse);
                keep_statics(&mut case, &statics, &heap);
                self.chosen(case, Kind::Ordinary, &mut observing, &earlier)
            })
            .collect();
        let wanted = pool.candidates.iter().enumerate();
        let wanted = wanted.filter(|(number, _)| choices.is_wanted(*number));
        let wanted = wanted.map(|(_, candidate)| candidate);
        self.add_findings(method, wanted, &mut observing, &earlier, &mut chosen);
        let purse = stages.worst_case();
        observing.pay_from(&purse);
        if let Some((mut case, notes)) = self.worst_case(method, &purse) {
            keep_statics(&mut case, &statics, &heap);
            if self.why_refused(method, &case, &mut observing).is_none() {
                let new = self.chosen(case, Kind::WorstCase, &mut observing, &earlier);
                chosen.push(Chosen { notes, ..new });
            }
        }
        let (mut overflow, mut failure) = (None, None);
        if self.options.overflow {
            let statics = (&*statics, &heap);
            let purse = stages.overflow();
            match self.add_overflows(method, statics, &mut observing, &earlier, &purse, &mut chosen)
            {
                Ok(summary) => overflow = summary,
                Err(error) => failure = Some(error.to_string()),
            }
        }
        drop(observing);
        pool.work = stages.spent();
        MethodPlan { method: method.clone(), pool, chosen, refused, overflow, failure }
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
                    let reason = match self.purse.alarm().is_raised() {
                        true => Some(TOO_LATE.to_owned()),
                        false => self.why_refused(method, case, observing),
                    };
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

    pub(super) fn why_refused(
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

    pub(super) fn chosen(
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
    fn worst_case(&self, method: &ResolvedMethod, purse: &Purse) -> Option<(Case, Vec<String>)> {
        let model = self.options.worst_case.as_ref()?;
        let name = model.name().to_owned();
        let ranking = Ranking { count: Some(1), model: name.clone() };
        let options = Options {
            models: vec![model.clone()],
            policy: Policy { ranking: Some(ranking), ..Policy::default() },
            objects: Objects::Calls(0),
            purse: purse.clone(),
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
