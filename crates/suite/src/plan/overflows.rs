//! Tests of operations that overflow, and what is said of the others.

use petrel_budget::Purse;
use petrel_junit::{Kind, WrittenTest};
use petrel_program::ResolvedMethod;
use petrel_testcase::{Coverage, GenerateError, Observing, Overflow, Solution, Summary};
use petrel_translate::TranslateError;
use petrel_translate::cache::Procedures;
use petrel_value::{FieldValue, Heap};

use super::method::keep_statics;
use super::{Chosen, MethodPlan, Planning};
use crate::account::{MethodAccount, OperationAccount};
use crate::overflow::{OverflowSearch, Overflowing, choose};

impl Planning<'_> {
    /// Adds tests of operations that overflow. Gives what the search tells of the others.
    pub(super) fn add_overflows(
        &self,
        method: &ResolvedMethod,
        (statics, heap): (&[FieldValue], &Heap),
        observing: &mut Observing<'_>,
        earlier: &[&Solution],
        purse: &Purse,
        chosen: &mut Vec<Chosen>,
    ) -> Result<Option<Summary>, GenerateError> {
        observing.pay_from(purse);
        let (procedures, options) = (self.procedures, &self.options.cases);
        let search = OverflowSearch { procedures, method, options, purse };
        let mut all = search.run()?;
        for found in &mut all.found {
            keep_statics(&mut found.case, statics, heap);
        }
        let found =
            choose(all.found, &mut |case| self.why_refused(method, case, observing).is_none());
        for Overflowing { case, overflows, .. } in found {
            let of = overflows.first().map_or("int", |first| first.arithmetic.type_name());
            let new = self.chosen(case, Kind::Overflow(of), observing, earlier);
            let notes = overflows.iter().map(told).collect();
            chosen.push(Chosen { notes, overflows, ..new });
        }
        Ok(all.summary)
    }
}

/// A line of comment.
fn told(overflow: &Overflow) -> String {
    match overflow.arithmetic.line {
        0 => overflow.told(),
        line => format!("line {line}: {}", overflow.told()),
    }
}

impl MethodPlan {
    /// What is known of the operations that may overflow.
    pub(super) fn judge_operations<'t>(
        &self,
        procedures: &Procedures<'_>,
        project: &[String],
        written: &dyn Fn(usize) -> Option<&'t WrittenTest>,
        account: &mut MethodAccount,
    ) -> Result<(), TranslateError> {
        let Some(summary) = &self.overflow else { return Ok(()) };
        let coverage = Coverage::of(procedures, project, &self.method, summary)?;
        for judged in coverage.operations {
            let shown = self.chosen.iter().enumerate().find_map(|(number, chosen)| {
                let is_it = |overflow: &&Overflow| overflow.arithmetic == judged.arithmetic;
                let overflow = chosen.overflows.iter().find(is_it)?;
                Some((written(number)?.name.clone(), overflow.told()))
            });
            account.operations.push(OperationAccount { judged, shown });
        }
        Ok(())
    }
}
