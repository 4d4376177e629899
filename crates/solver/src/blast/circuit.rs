//! Circuits: bits that depend on other bits, and assertions about them.
//!
//! Equal gates are one gate, and a gate with constant inputs is folded away. The circuit is built
//! first and turned into clauses afterwards, so that only the gates that an assertion depends on
//! reach the SAT solver. A bit that was asserted counts as a constant for what is built later.

use rustc_hash::FxHashMap;
use std::ops::Not;

use crate::sat::{Literal, Outcome, SatSolver};

/// A constant, the output of a gate, or the negation of one: twice the number of the gate, plus 1 if
/// it is negated. Gate 0 is the constant `true`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Bit(u32);

impl Bit {
    pub(super) const TRUE: Bit = Bit(0);
    pub(super) const FALSE: Bit = Bit(1);

    pub(super) fn constant(value: bool) -> Bit {
        if value { Bit::TRUE } else { Bit::FALSE }
    }

    pub(super) fn as_constant(self) -> Option<bool> {
        (self.gate() == 0).then_some(self == Bit::TRUE)
    }

    fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The bit, negated if asked for.
    pub(super) fn negated_if(self, negate: bool) -> Bit {
        Bit(self.0 ^ u32::from(negate))
    }
}

impl Not for Bit {
    type Output = Bit;

    fn not(self) -> Bit {
        self.negated_if(true)
    }
}

/// What a bit depends on. Gates have no constants, and no bit twice, for inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Gate {
    /// The constant `true`.
    True,
    /// A free bit.
    Input,
    And(Bit, Bit),
    /// Three or more bits: a range of the pool.
    All(u32, u32),
    /// Inputs are never negated.
    Xor(Bit, Bit),
    /// The exclusive or of three bits, none negated: the sum of a full adder.
    Parity(Bit, Bit, Bit),
    /// At least two of three bits: the carry of a full adder.
    Majority(Bit, Bit, Bit),
    /// The second if the first, which is never negated, holds; else the third.
    Choose(Bit, Bit, Bit),
}

/// A circuit and what is asserted of it.
pub(super) struct Circuit {
    gates: Vec<Gate>,
    /// The value of each gate if assertions fix it.
    known: Vec<Option<bool>>,
    interned: FxHashMap<Gate, u32>,
    interned_alls: FxHashMap<Box<[Bit]>, u32>,
    /// The inputs of `All` gates.
    pool: Vec<Bit>,
    /// At least one bit of each holds.
    clauses: Vec<Vec<Bit>>,
    /// Whether assertions contradict each other.
    is_contradictory: bool,
}

impl Default for Circuit {
    fn default() -> Self {
        Circuit {
            gates: vec![Gate::True],
            known: vec![Some(true)],
            interned: FxHashMap::default(),
            interned_alls: FxHashMap::default(),
            pool: Vec::new(),
            clauses: Vec::new(),
            is_contradictory: false,
        }
    }
}

impl Circuit {
    /// A free bit.
    pub(super) fn input(&mut self) -> Bit {
        self.push(Gate::Input)
    }

    /// A bit, as a constant if it is known to be one.
    pub(super) fn resolve(&self, bit: Bit) -> Bit {
        match self.known[bit.gate()] {
            Some(value) => Bit::constant(value != bit.is_negated()),
            None => bit,
        }
    }

    pub(super) fn and(&mut self, a: Bit, b: Bit) -> Bit {
        let (a, b) = (self.resolve(a), self.resolve(b));
        let (a, b) = (a.min(b), a.max(b));
        match (a, b) {
            (Bit::TRUE, _) => b,
            (Bit::FALSE, _) => Bit::FALSE,
            _ if a == b => a,
            _ if a == !b => Bit::FALSE,
            _ => self.gate(Gate::And(a, b)),
        }
    }

    pub(super) fn or(&mut self, a: Bit, b: Bit) -> Bit {
        !self.and(!a, !b)
    }

    pub(super) fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        let (a, b) = (self.resolve(a), self.resolve(b));
        let negate = a.is_negated() != b.is_negated();
        let (a, b) = (a.negated_if(a.is_negated()), b.negated_if(b.is_negated()));
        let (a, b) = (a.min(b), a.max(b));
        let positive = if a == Bit::TRUE {
            !b
        } else if a == b {
            Bit::FALSE
        } else {
            self.gate(Gate::Xor(a, b))
        };
        positive.negated_if(negate)
    }

    /// The exclusive or of three bits.
    pub(super) fn parity(&mut self, a: Bit, b: Bit, c: Bit) -> Bit {
        let mut bits = [self.resolve(a), self.resolve(b), self.resolve(c)];
        let negate = bits.iter().filter(|bit| bit.is_negated()).count() % 2 == 1;
        bits = bits.map(|bit| bit.negated_if(bit.is_negated()));
        bits.sort_unstable();
        let [a, b, c] = bits;
        let positive = if a == Bit::TRUE {
            !self.xor(b, c)
        } else if a == b {
            c
        } else if b == c {
            a
        } else {
            self.gate(Gate::Parity(a, b, c))
        };
        positive.negated_if(negate)
    }

    /// Whether at least two of three bits hold.
    pub(super) fn majority(&mut self, a: Bit, b: Bit, c: Bit) -> Bit {
        let mut bits = [self.resolve(a), self.resolve(b), self.resolve(c)];
        bits.sort_unstable();
        // The majority of the negations is the negation of the majority.
        let negate = bits.iter().filter(|bit| bit.is_negated()).count() >= 2;
        let [a, b, c] = bits;
        if a == b || b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        match a {
            Bit::TRUE => self.or(b, c),
            Bit::FALSE => self.and(b, c),
            _ => {
                let [a, b, c] = bits.map(|bit| bit.negated_if(negate));
                self.gate(Gate::Majority(a, b, c)).negated_if(negate)
            }
        }
    }

    /// One of two bits.
    pub(super) fn choose(&mut self, condition: Bit, then: Bit, otherwise: Bit) -> Bit {
        let condition = self.resolve(condition);
        let (then, otherwise) = (self.resolve(then), self.resolve(otherwise));
        if condition.is_negated() && condition != Bit::FALSE {
            return self.choose(!condition, otherwise, then);
        }
        if condition == Bit::TRUE || then == otherwise {
            return then;
        }
        if condition == Bit::FALSE {
            return otherwise;
        }
        if then == !otherwise {
            return self.xor(condition, otherwise);
        }
        if then == Bit::TRUE || then == condition {
            return self.or(condition, otherwise);
        }
        if then == Bit::FALSE || then == !condition {
            return self.and(!condition, otherwise);
        }
        if otherwise == Bit::TRUE || otherwise == !condition {
            return self.or(!condition, then);
        }
        if otherwise == Bit::FALSE || otherwise == condition {
            return self.and(condition, then);
        }
        // The negation of both is the negation of the choice.
        let negate = then.is_negated();
        let gate = Gate::Choose(condition, then.negated_if(negate), otherwise.negated_if(negate));
        self.gate(gate).negated_if(negate)
    }

    /// Whether all bits hold.
    pub(super) fn all(&mut self, bits: impl IntoIterator<Item = Bit>) -> Bit {
        let mut bits: Vec<Bit> = bits.into_iter().map(|bit| self.resolve(bit)).collect();
        bits.sort_unstable();
        bits.dedup();
        // A bit and its negation are neighbours.
        if bits.contains(&Bit::FALSE) || bits.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Bit::FALSE;
        }
        bits.retain(|&bit| bit != Bit::TRUE);
        match *bits.as_slice() {
            [] => Bit::TRUE,
            [bit] => bit,
            [a, b] => self.and(a, b),
            _ => {
                if let Some(&gate) = self.interned_alls.get(bits.as_slice()) {
                    return self.resolve(Bit(gate << 1));
                }
                let start = self.pool.len() as u32;
                self.pool.extend_from_slice(&bits);
                let bit = self.push(Gate::All(start, self.pool.len() as u32));
                self.interned_alls.insert(bits.into(), bit.0 >> 1);
                bit
            }
        }
    }

    /// Whether any bit holds.
    pub(super) fn any(&mut self, bits: impl IntoIterator<Item = Bit>) -> Bit {
        !self.all(bits.into_iter().map(Not::not))
    }

    /// Demands that a bit holds.
    pub(super) fn assert(&mut self, bit: Bit) {
        let bit = self.resolve(bit);
        match bit.as_constant() {
            Some(true) => return,
            Some(false) => {
                self.is_contradictory = true;
                return;
            }
            None => self.known[bit.gate()] = Some(!bit.is_negated()),
        }
        match (self.gates[bit.gate()], bit.is_negated()) {
            (Gate::And(a, b), false) => {
                self.assert(a);
                self.assert(b);
            }
            (Gate::And(a, b), true) => self.assert_any(&[!a, !b]),
            (Gate::All(start, end), false) => {
                for at in start..end {
                    self.assert(self.pool[at as usize]);
                }
            }
            (Gate::All(start, end), true) => {
                let bits = &self.pool[start as usize..end as usize];
                let clause: Vec<Bit> = bits.iter().map(|&bit| !bit).collect();
                self.assert_any(&clause);
            }
            (Gate::Xor(a, b), is_negated) => {
                self.clauses.push(vec![a, b.negated_if(is_negated)]);
                self.clauses.push(vec![!a, b.negated_if(!is_negated)]);
            }
            _ => self.clauses.push(vec![bit]),
        }
    }

    /// Demands that two bits are equal.
    pub(super) fn assert_equal(&mut self, a: Bit, b: Bit) {
        let differ = self.xor(a, b);
        self.assert(!differ);
    }

    /// Demands that at least one bit holds.
    pub(super) fn assert_any(&mut self, bits: &[Bit]) {
        let mut clause = Vec::with_capacity(bits.len());
        for &bit in bits {
            match self.resolve(bit) {
                Bit::TRUE => return,
                Bit::FALSE => {}
                bit => clause.push(bit),
            }
        }
        match *clause.as_slice() {
            [] => self.is_contradictory = true,
            [bit] => self.assert(bit),
            _ => self.clauses.push(clause),
        }
    }

    fn gate(&mut self, gate: Gate) -> Bit {
        if let Some(&number) = self.interned.get(&gate) {
            return self.resolve(Bit(number << 1));
        }
        let bit = self.push(gate);
        self.interned.insert(gate, bit.0 >> 1);
        bit
    }

    fn push(&mut self, gate: Gate) -> Bit {
        self.gates.push(gate);
        self.known.push(None);
        Bit((self.gates.len() as u32 - 1) << 1)
    }
}

/// The clauses of a circuit in a SAT solver.
pub(super) struct Clauses<'a, S> {
    circuit: &'a Circuit,
    solver: &'a mut S,
    /// The variable of each gate that has one.
    variables: Vec<Option<u32>>,
    /// Gates with a variable whose clauses are still to be added.
    open: Vec<u32>,
}

impl<'a, S: SatSolver> Clauses<'a, S> {
    /// Adds the clauses of all assertions and of the gates that they depend on.
    pub(super) fn add(circuit: &'a Circuit, solver: &'a mut S) -> Self {
        let mut clauses = Clauses {
            circuit,
            solver,
            variables: vec![None; circuit.gates.len()],
            open: Vec::new(),
        };
        if circuit.is_contradictory {
            clauses.solver.add_clause(&[]);
            return clauses;
        }
        let mut literals = Vec::new();
        for clause in &circuit.clauses {
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
        let value = match (self.circuit.known[bit.gate()], self.variables[bit.gate()]) {
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
                self.open.push(gate as u32);
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
    fn define(&mut self, number: u32, literals: &mut Vec<Literal>) {
        let circuit = self.circuit;
        let out = Bit(number << 1);
        if let Some(value) = circuit.known[number as usize] {
            self.add_clause(&[out.negated_if(!value)], literals);
        }
        let mut add = |bits: &[Bit]| self.add_clause(bits, literals);
        match circuit.gates[number as usize] {
            Gate::True => add(&[out]),
            Gate::Input => {}
            Gate::And(a, b) => {
                add(&[!out, a]);
                add(&[!out, b]);
                add(&[out, !a, !b]);
            }
            Gate::All(start, end) => {
                let inputs = &circuit.pool[start as usize..end as usize];
                let mut long = vec![out];
                for &input in inputs {
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
