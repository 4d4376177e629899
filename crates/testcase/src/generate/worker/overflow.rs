//! Inputs of a path that make its operations overflow.

use petrel_engine::{Defect, Place, Site};
use petrel_solver::Labelling;

use super::{Derived, Obstacle, Worker};
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
            if self.purse.is_over() {
                self.leave_overflows(summary);
                break;
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
                        Err(obstacle) => {
                            let (reason, place) = *obstacle;
                            let place = place.unwrap_or_else(|| Place::whole(self.goal.method));
                            self.stopped(reason, Some(place), summary);
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
    ) -> Result<CaseOverflow, Obstacle> {
        let Derived { solution, overflowed, .. } = self.solution(case, assignment)?;
        // The second derivation is the judge of the first.
        if !overflowed.iter().any(|of| of.site == goal) {
            return Err(Box::new((Defect::OverflowNotSeen.into(), None)));
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
