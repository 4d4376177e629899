//! The embedded SAT solver: what the encoding needs of one, and the one that is used.
//!
//! The budget is a count of conflicts and never a time, so that the same clauses always get the same
//! answer. An instance answers one query: fresh instances are far faster than one long-lived
//! instance that drags along the clauses of other queries.

use batsat::{Callbacks, ClauseKind, Lit, Solver, SolverInterface, SolverOpts, Var, lbool};
use petrel_budget::Alarm;

/// A variable or its negation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Literal {
    /// The variable, by its number.
    pub(crate) variable: u32,
    /// Whether it is the negation.
    pub(crate) is_negated: bool,
}

/// What a search ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// There is an assignment: see [`SatSolver::value`].
    Satisfiable,
    /// There is none.
    Unsatisfiable,
    /// The budget is used up, or the alarm is raised.
    OutOfBudget,
}

/// A SAT solver that answers one query.
pub(crate) trait SatSolver {
    /// A new variable. They are numbered from 0 in the order in which they are made.
    fn new_variable(&mut self) -> u32;

    /// Adds a clause: one of the literals holds.
    fn add_clause(&mut self, clause: &[Literal]);

    /// Searches for an assignment, with at most so many conflicts.
    fn solve(&mut self, conflicts: u64) -> Outcome;

    /// The value of a variable in the assignment that was found; `false` for one that is open in it.
    fn value(&self, variable: u32) -> bool;

    /// How many conflicts there were so far.
    fn conflicts(&self) -> u64;
}

/// BatSat: MiniSat in Rust.
pub(crate) struct BatSat {
    solver: Solver<ConflictBudget>,
    /// Kept to be used again.
    clause: Vec<Lit>,
}

/// Stops the search after a number of conflicts, or when the alarm is raised.
struct ConflictBudget {
    conflicts: u64,
    limit: u64,
    alarm: Alarm,
}

impl Callbacks for ConflictBudget {
    fn on_new_clause(&mut self, _: &[Lit], kind: ClauseKind) {
        // Every conflict has one learnt clause.
        if kind == ClauseKind::Learnt {
            self.conflicts += 1;
        }
    }

    fn stop(&self) -> bool {
        self.conflicts > self.limit || self.alarm.is_raised()
    }
}

impl BatSat {
    /// A solver without clauses, whose search ends when an alarm is raised.
    pub(crate) fn ended_by(alarm: &Alarm) -> BatSat {
        let budget = ConflictBudget { conflicts: 0, limit: u64::MAX, alarm: alarm.clone() };
        BatSat { solver: Solver::new(SolverOpts::default(), budget), clause: Vec::new() }
    }
}

impl SatSolver for BatSat {
    fn new_variable(&mut self) -> u32 {
        self.solver.new_var_default().idx()
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        self.clause.clear();
        self.clause.extend(
            clause.iter().map(|literal| {
                Lit::new(Var::unsafe_from_idx(literal.variable), !literal.is_negated)
            }),
        );
        // That the clauses contradict each other already is noticed by `solve`.
        self.solver.add_clause_reuse(&mut self.clause);
    }

    fn solve(&mut self, conflicts: u64) -> Outcome {
        self.solver.cb_mut().limit = conflicts;
        let status = self.solver.solve_limited(&[]);
        if status == lbool::TRUE {
            Outcome::Satisfiable
        } else if status == lbool::FALSE {
            Outcome::Unsatisfiable
        } else {
            Outcome::OutOfBudget
        }
    }

    fn value(&self, variable: u32) -> bool {
        self.solver.value_var(Var::unsafe_from_idx(variable)) == lbool::TRUE
    }

    fn conflicts(&self) -> u64 {
        self.solver.cb().conflicts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literal(number: i32) -> Literal {
        Literal { variable: number.unsigned_abs() - 1, is_negated: number < 0 }
    }

    fn solver(variables: usize, clauses: &[&[i32]]) -> BatSat {
        let mut solver = BatSat::ended_by(&Alarm::default());
        for number in 0..variables {
            assert_eq!(solver.new_variable() as usize, number);
        }
        for clause in clauses {
            let clause: Vec<Literal> = clause.iter().map(|&number| literal(number)).collect();
            solver.add_clause(&clause);
        }
        solver
    }

    /// More pigeons than holes.
    fn pigeons(holes: i32) -> BatSat {
        let variable = |pigeon: i32, hole: i32| pigeon * holes + hole + 1;
        let mut clauses: Vec<Vec<i32>> = Vec::new();
        for pigeon in 0..=holes {
            clauses.push((0..holes).map(|hole| variable(pigeon, hole)).collect());
            for other in 0..pigeon {
                clauses.extend(
                    (0..holes).map(|hole| vec![-variable(pigeon, hole), -variable(other, hole)]),
                );
            }
        }
        let clauses: Vec<&[i32]> = clauses.iter().map(Vec::as_slice).collect();
        solver(((holes + 1) * holes) as usize, &clauses)
    }

    #[test]
    fn finds_the_only_assignment() {
        let mut solver = solver(3, &[&[1, 2], &[-1], &[-2, 3]]);
        assert_eq!(solver.solve(10), Outcome::Satisfiable);
        assert_eq!([0, 1, 2].map(|variable| solver.value(variable)), [false, true, true]);
    }

    #[test]
    fn sees_contradictions() {
        assert_eq!(solver(1, &[&[1], &[-1]]).solve(10), Outcome::Unsatisfiable);
        assert_eq!(solver(0, &[&[]]).solve(10), Outcome::Unsatisfiable);
        assert_eq!(pigeons(4).solve(100_000), Outcome::Unsatisfiable);
    }

    #[test]
    fn stops_at_the_budget() {
        let mut solver = pigeons(8);
        assert_eq!(solver.solve(20), Outcome::OutOfBudget);
        assert!((20..40).contains(&solver.conflicts()), "{}", solver.conflicts());
    }
}
