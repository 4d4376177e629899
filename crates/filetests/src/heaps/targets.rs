//! The methods of a folder of classes, and their cases within a bound that is not too large.

use petrel_classfile::flags;
use petrel_program::ResolvedMethod;
use petrel_testcase::{Case, GenerateError, Options, Summary, Termination, generate};
use petrel_translate::cache::Procedures;
use petrel_translate::reach::reach;

/// A method under test.
#[derive(Debug, Clone)]
pub struct Target {
    /// The method.
    pub method: ResolvedMethod,
    /// Whether it calls nothing of the class library but constructors. Traces say nothing of what happens
    /// there.
    pub is_closed: bool,
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

/// The methods of the project that have code that somebody wrote, in the order of names and class files.
/// The environment variable `METHOD` is part of their names, if it is set.
///
/// # Panics
///
/// If a class of the project cannot be loaded.
pub fn targets(procedures: &Procedures<'_>) -> Vec<Target> {
    let program = procedures.program();
    let names = program.project_classes().unwrap_or_else(|error| panic!("{error}"));
    let project: Vec<String> = names.iter().map(ToString::to_string).collect();
    let wanted = std::env::var("METHOD").unwrap_or_default();
    let mut found = Vec::new();
    for name in names {
        let class = program.class(name).unwrap_or_else(|error| panic!("{error}"));
        let methods = class.methods().filter(|method| {
            method.name() != "<clinit>"
                && !method.has_flags(flags::SYNTHETIC)
                && !method.is_native()
                && !method.is_abstract()
                && method.to_string().contains(&wanted)
        });
        for method in methods {
            let reached = reach(procedures, &project, std::slice::from_ref(&method));
            let is_closed = reached.outside.iter().all(|method| &*method.name == "<init>");
            found.push(Target { method, is_closed });
        }
    }
    found
}

/// The cases of a method within the largest of these bounds that has at most so many; `None` if they all
/// have more.
///
/// # Errors
///
/// If there cannot be any.
pub fn bounded_cases(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    options: &Options,
    bounds: std::ops::RangeInclusive<u32>,
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
        if cases.len() <= most {
            return Ok(Some(Bounded { bound, cases, summary }));
        }
    }
    Ok(None)
}
