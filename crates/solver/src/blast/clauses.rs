//! The clauses of a circuit: a variable for each gate that an assertion depends on, and what makes it
//! the output of its gate.

use super::circuit::{Bit, Circuit, Gate};
use crate::sat::{Literal, Outcome, SatSolver};

/// The clauses of a circuit in a SAT solver.
pub(super) struct Clauses<'a, S> {
    circuit: &'a Circuit,
    solver: &'a mut S,
    /// The variable of each gate that has one.
    variables: Vec<Option<u32>>,
    /// Gates with a variable whose clauses are still to be added.
    open: Vec<usize>,
}

impl<'a, S: SatSolver> Clauses<'a, S> {
    /// Adds the clauses of all assertions and of the gates that they depend on.
    pub(super) fn add(circuit: &'a Circuit, solver: &'a mut S) -> Self {
        let mut clauses =
            Clauses { circuit, solver, variables: vec![None; circuit.len()], open: Vec::new() };
        let Some(assertions) = circuit.assertions() else {
            clauses.solver.add_clause(&[]);
            return clauses;
        };
        let mut literals = Vec::new();
        for clause in assertions {
            clauses.add_clause(clause, &mut literals);
        }
        while let Some(gate) = clauses.open.pop() {
            clauses.define(gate, &mut literals);
        }
        clauses
    }

    /// Searches for an assignment, with at most so many conflicts. Gives how many there were, too.
    pub(super) fn solve(&mut self, conflicts: u64) -> (Outcome, u64) {
        (self.solver.solve(conflicts), self.solver.conflicts())
    }

    /// The value of a bit in the assignment that the solver found; bits that nothing depends on are
    /// `false`.
    pub(super) fn value(&self, bit: Bit) -> bool {
        let value = match (self.circuit.known(bit.gate()), self.variables[bit.gate()]) {
            (Some(value), _) => value,
            (None, Some(variable)) => self.solver.value(variable),
            (None, None) => false,
        };
        value != bit.is_negated()
    }

    fn literal(&mut self, bit: Bit) -> Literal {
        let gate = bit.gate();
        let variable = match self.variables[gate] {
            Some(variable) => variable,
            None => {
                let variable = self.solver.new_variable();
                self.variables[gate] = Some(variable);
                self.open.push(gate);
                variable
            }
        };
        Literal { variable, is_negated: bit.is_negated() }
    }

    fn add_clause(&mut self, bits: &[Bit], literals: &mut Vec<Literal>) {
        literals.clear();
        for &bit in bits {
            literals.push(self.literal(bit));
        }
        self.solver.add_clause(literals);
    }

    /// Adds the clauses that make the variable of a gate what the gate is.
    fn define(&mut self, gate: usize, literals: &mut Vec<Literal>) {
        let circuit = self.circuit;
        let out = Bit::of_gate(gate);
        if let Some(value) = circuit.known(gate) {
            self.add_clause(&[out.negated_if(!value)], literals);
        }
        let mut add = |bits: &[Bit]| self.add_clause(bits, literals);
        match circuit.gate_at(gate) {
            Gate::True => add(&[out]),
            Gate::Input => {}
            Gate::And(a, b) => {
                add(&[!out, a]);
                add(&[!out, b]);
                add(&[out, !a, !b]);
            }
            Gate::All(start, end) => {
                let mut long = vec![out];
                for &input in circuit.all_inputs(start, end) {
                    add(&[!out, input]);
                    long.push(!input);
                }
                add(&long);
            }
            Gate::Xor(a, b) => {
                for (a, b) in [(a, b), (!a, !b)] {
                    add(&[!out, a, b]);
                    add(&[out, !a, b]);
                }
            }
            Gate::Parity(a, b, c) => {
                for (a, b) in [(a, b), (!a, !b)] {
                    for (a, c) in [(a, c), (!a, !c)] {
                        add(&[!out, a, b, c]);
                        add(&[out, !a, b, c]);
                    }
                }
            }
            Gate::Majority(a, b, c) => {
                for (a, b) in [(a, b), (a, c), (b, c)] {
                    add(&[!out, a, b]);
                    add(&[out, !a, !b]);
                }
            }
            Gate::Choose(condition, then, otherwise) => {
                add(&[!condition, !then, out]);
                add(&[!condition, then, !out]);
                add(&[condition, !otherwise, out]);
                add(&[condition, otherwise, !out]);
                // Implied by the others; they let the solver see what is independent of the choice.
                add(&[!then, !otherwise, out]);
                add(&[then, otherwise, !out]);
            }
        }
    }
}
