//! What is said of a method: its tests, and of each branch which test covers it or why none does.

use std::collections::BTreeMap;

use petrel_junit::WrittenTest;
use petrel_testcase::{Case, Coverage, Edge, TargetCode, Why};
use petrel_translate::TranslateError;
use petrel_translate::cache::Procedures;

use super::MethodPlan;
use crate::account::{
    BranchAccount, Dropped, Finding, MethodAccount, Prediction, TestAccount, Verdict,
};
use crate::pool::Candidate;

impl MethodPlan {
    pub(super) fn account<'t>(
        &self,
        procedures: &Procedures<'_>,
        project: &[String],
        written: &dyn Fn(usize) -> Option<&'t WrittenTest>,
        dropped: &dyn Fn(usize) -> Option<(&'t str, &'t str, Prediction)>,
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
            .unsupported_in_order()
            .into_iter()
            .map(|(stopped, count)| (stopped.what.general(), stopped.place.clone(), count))
            .collect();
        let limits = ends.limits_in_order().into_iter();
        account.limits = limits.map(|(limit, count)| (limit.clone(), count)).collect();
        let defects = ends.defects.iter();
        account.defects = defects.map(|(stopped, &count)| (stopped.clone(), count)).collect();
        for (number, why) in &self.refused {
            let case = &self.pool.candidates[*number].case;
            account.dropped.push(Dropped {
                name: condition_of(case),
                why: why.clone(),
                prediction: Prediction::Unrefuted,
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
            } else if let Some((name, why, prediction)) = dropped(number) {
                let (name, why) = (name.to_owned(), why.to_owned());
                account.dropped.push(Dropped { name, why, prediction, was_written: true });
            }
        }
        let judged = self
            .judge_branches(procedures, project, written, &mut account)
            .and_then(|()| self.judge_operations(procedures, project, written, &mut account));
        if let Err(error) = judged {
            account.failure.get_or_insert_with(|| error.to_string());
        }
        account
    }

    fn judge_branches<'t>(
        &self,
        procedures: &Procedures<'_>,
        project: &[String],
        written: &dyn Fn(usize) -> Option<&'t WrittenTest>,
        account: &mut MethodAccount,
    ) -> Result<(), TranslateError> {
        // What has no code has no branches.
        let Some(code) = TargetCode::of(procedures, &self.method)? else { return Ok(()) };
        let mut summary = self.pool.summary.clone();
        // An early end because everything is covered leaves nothing to be explained.
        summary.is_selective = false;
        summary.rules.clear();
        let coverage = Coverage::of(procedures, project, &self.method, &summary)?;
        // Where the JVM has done something else than was predicted, nothing is proved.
        let is_refuted =
            account.dropped.iter().any(|dropped| dropped.prediction != Prediction::Unrefuted);
        account.is_complete &= !is_refuted;
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
                    None if is_refuted && branch.why == Why::Infeasible => {
                        Verdict::of(Why::Unknown)
                    }
                    None => Verdict::of(branch.why),
                },
            };
            verdict.count(&mut account.counts);
            let target_line = code.line(branch.target_pc).unwrap_or_default();
            account.branches.push(BranchAccount::uncovered(branch, target_line, verdict));
        }
        Ok(())
    }

    /// Why a branch that cases take has no test.
    fn why_without_test(&self, edge: Edge) -> Option<String> {
        let taking = |candidate: &Candidate| candidate.executed.edges.contains(&edge);
        let mut numbers = (0..self.pool.candidates.len())
            .filter(|&number| taking(&self.pool.candidates[number]))
            .peekable();
        numbers.peek()?;
        let reason = numbers.find_map(|number| self.refused.get(&number));
        Some(reason.cloned().unwrap_or_else(|| "its test was dropped".to_owned()))
    }
}

/// The path condition of a case, for people.
fn condition_of(case: &Case) -> String {
    let tests: Vec<String> = case.own_condition().iter().map(ToString::to_string).collect();
    tests.join(" && ")
}
