//! Further inputs of the cases that become tests, for tests with parameters.
//!
//! A case is found with one input. Its trace leads there again, without looking at anything else: so only the cases that are
//! kept have more inputs, and which those are does not depend on how many.

use std::sync::Arc;

use petrel_budget::Purse;
use petrel_program::ResolvedMethod;
use petrel_testcase::{Case, Options, generate};
use petrel_translate::cache::Procedures;

use crate::SuiteOptions;
use crate::pool::Candidate;

/// The further inputs of one case may use one of so many parts of what there is.
const PARTS: u32 = 4;

/// The case of a candidate, with as many inputs as are wanted.
pub(crate) fn with_more_inputs(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    options: &SuiteOptions,
    candidate: &Candidate,
    purse: &Purse,
) -> Case {
    let mut case = candidate.case.clone();
    if options.solutions <= 1 && !options.boundary {
        return case;
    }
    let (objects, symbolic_statics) = candidate.found_among;
    let again = Options {
        trace: Some(Arc::new(case.trace.term())),
        first: true,
        solutions: options.solutions,
        boundary: options.boundary,
        objects,
        symbolic_statics,
        purse: purse.share(PARTS),
        ..options.cases.clone()
    };
    let mut found = None;
    let derived = generate(procedures, method, &again, &mut |case| {
        found = Some(case);
        false
    });
    // Objects that are built by calls may have several ways to the same trace.
    let is_same = |found: &Case| {
        (&found.outcome, found.steps, found.own_condition())
            == (&case.outcome, case.steps, case.own_condition())
    };
    let found = found.filter(|found| derived.is_ok() && is_same(found));
    for solution in found.into_iter().flat_map(|found| found.solutions) {
        if !case.solutions.iter().any(|known| known.is_same_call(&solution)) {
            case.solutions.push(solution);
        }
    }
    case
}
