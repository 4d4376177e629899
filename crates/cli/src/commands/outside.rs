//! What `--unknown` and `--assume-by` declare.

use petrel_program::{MethodPattern, Program};
use petrel_translate::outside::{ASSUMPTION, Outside};

use crate::failure::Failure;

/// The methods that stand for the world outside. What is named and is not there is a mistake; where stars stand for
/// classes, nobody knows.
pub(super) fn declared(
    program: &Program,
    unknown: &[MethodPattern],
    assumed_by: &[MethodPattern],
) -> Result<Outside, Failure> {
    for pattern in unknown {
        check(program, "--unknown", pattern, |_| true, "there is no such method")?;
    }
    let why = "there is no such method that takes a boolean and returns nothing";
    for pattern in assumed_by {
        check(program, "--assume-by", pattern, |descriptor| descriptor == ASSUMPTION, why)?;
    }
    Ok(Outside { unknown: unknown.to_vec(), assumed_by: assumed_by.to_vec() })
}

fn check(
    program: &Program,
    option: &str,
    pattern: &MethodPattern,
    is_fit: impl Fn(&str) -> bool,
    why: &str,
) -> Result<(), Failure> {
    let Some(class) = pattern.only_class() else { return Ok(()) };
    let loaded = program.class(&class.replace('.', "/"));
    let loaded = loaded.map_err(|error| Failure(format!("{option} {pattern}: {error}")))?;
    let mut methods = loaded.methods();
    if methods.any(|method| pattern.matches(&method) && is_fit(method.descriptor())) {
        return Ok(());
    }
    Err(Failure(format!("{option} {pattern}: {why}")))
}
