//! Inputs of a path that make its operations overflow.

use petrel_engine::{Reason, Site};
use petrel_solver::Labelling;

use super::{Derived, Worker};
use crate::case::{Case, Summary};
use crate::overflow::{CaseOverflow, Overflow};

impl Worker<'_> {
    /// Inputs of the path of a case that make operations overflow for which none are known yet.
    pub(super) fn overflows(&mut self, case: &Case, summary: &mut Summary) -> Vec<CaseOverflow> {
        let mut all = Vec::new();
        for (goal, site) in self.explorer.overflow_goals() {
            // Inputs that were found for another one may do.
            if self.explorer.is_overflow_found(site) {
                continue;
            }
            match self.explorer.label_overflow(goal) {
                Labelling::Found(assignments) => {
                    let Some(assignment) = assignments.first() else { continue };
                    match self.overflow(case, site, assignment) {
                        Ok(found) => {
                            let pcs = found.overflows.iter().map(|of| of.arithmetic.pc);
                            summary.overflow.get_or_insert_default().found.extend(pcs);
                            all.push(found);
                        }
                        Err(reason) => {
                            let place = self.goal.method.to_string();
                            self.stopped(&reason, Some(place), summary);
                        }
                    }
                }
                Labelling::Unsatisfiable => {}
                Labelling::Unknown => {
                    let pc = self.goal.operations.get(&site).map(|operation| operation.pc);
                    summary.overflow.get_or_insert_default().undecided.extend(pc);
                }
            }
        }
        all
    }

    /// Derives an input again: what it gives, and what overflows.
    fn overflow(
        &mut self,
        case: &Case,
        goal: Site,
        assignment: &[i64],
    ) -> Result<CaseOverflow, Reason> {
        let Derived { solution, overflowed, .. } = self.solution(case, assignment)?;
        // The second derivation is the judge of the first.
        if !overflowed.iter().any(|of| of.site == goal) {
            let why = "an overflow that its inputs do not show: this is a bug of Petrel";
            return Err(Reason::Unsupported(why.to_owned()));
        }
        self.explorer.found_overflows(overflowed.iter().map(|of| of.site));
        let known = overflowed.iter().filter_map(|of| {
            let arithmetic = *self.goal.operations.get(&of.site)?;
            Some(Overflow { arithmetic, operands: of.operands })
        });
        Ok(CaseOverflow { overflows: known.collect(), solution })
    }

    /// Notes the operations of a path that is left: they may overflow on it.
    pub(super) fn leave_overflows(&mut self, summary: &mut Summary) {
        let goals = self.explorer.overflow_goals().into_iter();
        let pcs = goals.filter_map(|(_, site)| self.goal.operations.get(&site)).map(|of| of.pc);
        let pcs: Vec<u16> = pcs.collect();
        if !pcs.is_empty() {
            summary.overflow.get_or_insert_default().left.extend(pcs);
        }
    }
}
