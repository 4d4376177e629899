//! The test class of a class: written, judged, and written again without what is dropped.

use std::collections::BTreeMap;
use std::sync::Arc;

use petrel_junit::{JUnit, Test, TestClass, Written};
use petrel_program::{Class, Program};
use petrel_translate::cache::Procedures;

use super::{Chosen, MethodPlan};
use crate::SuiteOptions;
use crate::account::{ClassAccount, Prediction};

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
        /// What its runs say of the outcome that was predicted.
        prediction: Prediction,
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
        let mut dropped: BTreeMap<(usize, usize), (&str, &str, Prediction)> = BTreeMap::new();
        let mut kept = Vec::new();
        for (test, judged) in self.written.tests.iter().zip(judged) {
            let place = self.places[test.test];
            match judged {
                Judged::Kept => kept.push(place),
                Judged::Dropped { why, prediction } => {
                    dropped.insert(place, (&test.name, why, *prediction));
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

pub(super) fn write(
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
