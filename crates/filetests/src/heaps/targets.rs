//! The methods under test, and their cases within a bound that is not too large.

use std::ops::RangeInclusive;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use petrel_checks::{Part, filter};
use petrel_classfile::flags;
use petrel_program::{Program, ResolvedMethod};
use petrel_testcase::{Case, GenerateError, Limit, Options, Summary, Termination, generate};
use petrel_translate::cache::Procedures;
use petrel_translate::reach::reach;

use super::Shapes;
use crate::{derive, world};

/// A method under test.
#[derive(Debug, Clone)]
pub struct Target {
    /// The method.
    pub method: ResolvedMethod,
    /// Whether all code that it runs is the project's, but for constructors of exceptions and the like.
    /// Traces say nothing of what happens elsewhere.
    pub is_closed: bool,
}

/// What a check of a method works with.
pub struct Workshop<'p> {
    /// Rules of methods.
    pub procedures: &'p Procedures<'p>,
    /// The heaps to be tried.
    pub shapes: Shapes<'p>,
}

/// Cases within a bound.
#[derive(Debug)]
pub struct Bounded {
    /// The bound of block-count.
    pub bound: u32,
    /// All cases.
    pub cases: Vec<Case>,
    /// What is known about other paths.
    pub summary: Summary,
}

/// Checks methods of `fixtures/heap` on all cores. The complaints are in the order of the methods.
///
/// With the environment variable `HEAP_CLASSES`, the methods are those of a folder with class files; with
/// `METHOD`, those whose names have that in them.
///
/// # Panics
///
/// If the classes are not there, or the check panics.
pub fn check_methods(
    part: Part,
    check: impl Fn(&Workshop<'_>, &Target) -> Vec<String> + Sync,
) -> Vec<String> {
    let fixtures = || world::root().join("build").join("fixtures").join("heap");
    let folder = std::env::var_os("HEAP_CLASSES").map_or_else(fixtures, Into::into);
    let procedures = derive::procedures(&world::jdk(), &folder);
    let shapes = Shapes::small(procedures.program());
    let workshop = Workshop { procedures, shapes };
    let methods = part.of(methods(procedures.program()), "methods of fixtures/heap");
    let next = AtomicUsize::new(0);
    let complaints = Mutex::new(Vec::new());
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..n_threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(method) = methods.get(number) else { break };
                    let found = check(&workshop, &target(procedures, method));
                    let all = complaints.lock();
                    all.expect("no thread panics").push((number, found));
                }
            });
        }
    });
    let mut complaints = complaints.into_inner().expect("no thread panics");
    complaints.sort_by_key(|&(number, _)| number);
    complaints.into_iter().flat_map(|(_, found)| found).collect()
}

/// The methods of the project that have code that somebody wrote, in the order of names and class files.
fn methods(program: &Program) -> Vec<ResolvedMethod> {
    let names = program.project_classes().unwrap_or_else(|error| panic!("{error}"));
    assert!(!names.is_empty(), "there are no classes; `make fixtures` builds them");
    let wanted = filter("METHOD");
    let mut found = Vec::new();
    for name in names {
        let class = program.class(name).unwrap_or_else(|error| panic!("{error}"));
        found.extend(class.methods().filter(|method| {
            method.name() != "<clinit>"
                && !method.has_flags(flags::SYNTHETIC)
                && !method.is_native()
                && !method.is_abstract()
                && method.to_string().contains(&wanted)
        }));
    }
    found
}

fn target(procedures: &Procedures<'_>, method: &ResolvedMethod) -> Target {
    let program = procedures.program();
    let project = program.project_classes().unwrap_or_default();
    let project: Vec<String> = project.iter().map(ToString::to_string).collect();
    let reached = reach(procedures, &project, std::slice::from_ref(method));
    let is_own = |class: &str| program.is_project_class(class);
    // What is made for dynamic call sites is of no class of the project.
    let is_closed = reached.outside.iter().all(|called| &*called.name == "<init>")
        && reached.procedures.iter().all(|procedure| is_own(&procedure.method.class));
    Target { method: method.clone(), is_closed }
}

/// The cases of a method within the largest of these bounds that has at most so many; `None` if they all
/// have more, or it took too long.
///
/// # Errors
///
/// If there cannot be any.
pub fn bounded_cases(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    options: &Options,
    bounds: RangeInclusive<u32>,
    most: usize,
) -> Result<Option<Bounded>, GenerateError> {
    for bound in bounds.rev() {
        let termination = Termination::BlockCount(bound);
        let options = Options { termination, ..options.clone() };
        let mut cases = Vec::new();
        let summary = generate(procedures, method, &options, &mut |case| {
            cases.push(case);
            cases.len() <= most
        })?;
        let is_late = summary.ends.limits.contains_key(&Limit::Time);
        if cases.len() <= most && !is_late {
            return Ok(Some(Bounded { bound, cases, summary }));
        }
    }
    Ok(None)
}

impl Bounded {
    /// Whether a path that is within the bound and no case must be a mistake.
    pub fn is_complete(&self, target: &Target) -> bool {
        // What a method of the class library does counts for the bound, but is in no trace.
        let is_known = target.is_closed || self.summary.ends.cut == 0;
        is_known && self.summary.ends.is_complete()
    }
}
