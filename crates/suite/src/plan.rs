//! Plans: which cases of a method become tests (`method`, `overflows`), the test class that they make (`class`), and what
//! is said of the method when a JVM has judged them (`verdicts`).

mod class;
mod method;
mod overflows;
mod verdicts;

use std::collections::BTreeMap;

use petrel_junit::Kind;
use petrel_program::ResolvedMethod;
use petrel_testcase::{Case, Cut, Incomplete, Limit, Observations, Overflow, Summary};

use crate::pool::Pool;

pub use class::{ClassPlan, Judged};
pub(crate) use method::Planning;

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
    /// A method that something is wrong with.
    pub(crate) fn failed(method: &ResolvedMethod, failure: String) -> MethodPlan {
        // Nothing is proved of it.
        let cut = Cut { why: Incomplete::Defect, pc: 0, in_callee: false };
        let mut pool = Pool::default();
        pool.summary.cuts.insert(cut);
        MethodPlan { failure: Some(failure), ..MethodPlan::without_tests(method, pool) }
    }

    /// A method that was not looked at, because a limit was reached before.
    pub(crate) fn left_out(method: &ResolvedMethod, limit: Limit) -> MethodPlan {
        let mut pool = Pool::default();
        pool.summary.note_left_over(limit);
        MethodPlan::without_tests(method, pool)
    }

    fn without_tests(method: &ResolvedMethod, pool: Pool) -> MethodPlan {
        MethodPlan {
            method: method.clone(),
            pool,
            chosen: Vec::new(),
            refused: BTreeMap::new(),
            overflow: None,
            failure: None,
        }
    }

    pub(crate) fn n_cases(&self) -> usize {
        self.pool.candidates.len()
    }
}
