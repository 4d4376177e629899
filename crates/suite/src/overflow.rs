//! Inputs that make operations overflow, and which of them become tests.
//!
//! As with cases, one exploration is over fields: what it does not find, no program meets. If its inputs cannot be built,
//! another one looks for those that can.

use std::collections::BTreeSet;

use petrel_budget::Purse;
use petrel_program::ResolvedMethod;
use petrel_testcase::{
    Arithmetic, Case, CaseOverflow, GenerateError, Objects, Options, Overflow, Summary, TargetCode,
    generate,
};
use petrel_translate::cache::Procedures;

use crate::pool::{MOST_CASES, is_buildable, note_most_cases};

/// Calls after the constructor.
const MOST_CALLS: u8 = 1;

/// A case whose only input makes operations overflow.
#[derive(Debug)]
pub(crate) struct Overflowing {
    pub(crate) case: Case,
    pub(crate) overflows: Vec<Overflow>,
    is_buildable: bool,
}

impl Overflowing {
    fn shows(&self, pc: u16) -> bool {
        self.overflows.iter().any(|overflow| overflow.arithmetic.pc == pc)
    }
}

/// What was found of one method.
#[derive(Debug, Default)]
pub(crate) struct Overflows {
    pub(crate) found: Vec<Overflowing>,
    /// How the exploration over fields ended, if there is anything that can overflow.
    pub(crate) summary: Option<Summary>,
}

/// Looks for inputs of a method that make its operations overflow.
pub(crate) struct OverflowSearch<'a> {
    pub(crate) procedures: &'a Procedures<'a>,
    pub(crate) method: &'a ResolvedMethod,
    pub(crate) options: &'a Options,
    pub(crate) purse: &'a Purse,
}

impl OverflowSearch<'_> {
    pub(crate) fn run(&self) -> Result<Overflows, GenerateError> {
        let mut all = Overflows::default();
        let code = TargetCode::of(self.procedures, self.method)
            .map_err(|error| GenerateError::Translation(error.to_string()))?;
        let Some(code) = code else { return Ok(all) };
        let n_operations = code.n_operations();
        if n_operations == 0 {
            return Ok(all);
        }
        let summary =
            self.explore(Objects::Fields, self.purse.up_to(5, 10), n_operations, &mut all)?;
        all.summary = Some(summary);
        for calls in 0..=MOST_CALLS {
            let n_missing = shown_only_by_others(&all.found).len();
            if n_missing == 0 {
                break;
            }
            let purse = self.purse.up_to(7 + u32::from(calls), 10);
            self.explore(Objects::Calls(calls), purse, n_operations, &mut all)?;
        }
        // Those that can be built come first.
        all.found.sort_by_key(|found| !found.is_buildable);
        Ok(all)
    }

    fn explore(
        &self,
        objects: Objects,
        purse: Purse,
        n_operations: usize,
        all: &mut Overflows,
    ) -> Result<Summary, GenerateError> {
        let options = Options { overflow: true, objects, purse, ..self.options.clone() };
        let mut n_cases = 0;
        let mut known: BTreeSet<u16> = BTreeSet::new();
        let found = &mut all.found;
        let mut summary = generate(self.procedures, self.method, &options, &mut |mut case| {
            n_cases += 1;
            for CaseOverflow { overflows, solution } in std::mem::take(&mut case.overflows) {
                known.extend(overflows.iter().map(|overflow| overflow.arithmetic.pc));
                let case = Case { solutions: vec![solution], ..case.clone() };
                let is_buildable = is_buildable(&case);
                found.push(Overflowing { case, overflows, is_buildable });
            }
            known.len() < n_operations && n_cases < MOST_CASES
        })?;
        note_most_cases(n_cases, &mut summary);
        Ok(summary)
    }
}

/// Operations that only inputs show which cannot be built.
fn shown_only_by_others(found: &[Overflowing]) -> BTreeSet<Arithmetic> {
    let shown_by = |is_buildable: bool| -> BTreeSet<Arithmetic> {
        let found = found.iter().filter(|found| found.is_buildable == is_buildable);
        found.flat_map(|found| &found.overflows).map(|overflow| overflow.arithmetic).collect()
    };
    &shown_by(false) - &shown_by(true)
}

/// Chooses inputs so that each operation is shown by one, as far as they are accepted.
pub(crate) fn choose(
    mut found: Vec<Overflowing>,
    is_accepted: &mut dyn FnMut(&Case) -> bool,
) -> Vec<Overflowing> {
    let pcs: BTreeSet<u16> =
        found.iter().flat_map(|found| &found.overflows).map(|of| of.arithmetic.pc).collect();
    let mut chosen: Vec<Overflowing> = Vec::new();
    for pc in pcs {
        while !chosen.iter().any(|chosen| chosen.shows(pc)) {
            let Some(next) = found.iter().position(|found| found.shows(pc)) else { break };
            let next = found.remove(next);
            if is_accepted(&next.case) {
                chosen.push(next);
            }
        }
    }
    chosen
}
