//! Circuits: bits that depend on other bits, and assertions about them.
//!
//! Equal gates are one gate, and a gate with constant inputs is folded away. The circuit is built
//! first and turned into clauses afterwards, so that only the gates that an assertion depends on
//! reach the SAT solver. A bit that was asserted counts as a constant for what is built later.

use std::ops::Not;

use rustc_hash::FxHashMap;

/// A constant, the output of a gate, or the negation of one: twice the number of the gate, plus 1 if
/// it is negated. Gate 0 is the constant `true`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Bit(u32);

impl Bit {
    pub(super) const TRUE: Bit = Bit(0);
    pub(super) const FALSE: Bit = Bit(1);

    /// The output of a gate.
    pub(super) fn of_gate(gate: usize) -> Bit {
        Bit((gate as u32) << 1)
    }

    pub(super) fn constant(value: bool) -> Bit {
        if value { Bit::TRUE } else { Bit::FALSE }
    }

    pub(super) fn as_constant(self) -> Option<bool> {
        (self.gate() == 0).then_some(self == Bit::TRUE)
    }

    pub(super) fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(super) fn is_negated(self) -> bool {
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
pub(super) enum Gate {
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
    interned: FxHashMap<Gate, Bit>,
    interned_alls: FxHashMap<Box<[Bit]>, Bit>,
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
            _ => self.intern(Gate::And(a, b)),
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
            self.intern(Gate::Xor(a, b))
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
            self.intern(Gate::Parity(a, b, c))
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
                self.intern(Gate::Majority(a, b, c)).negated_if(negate)
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
        self.intern(gate).negated_if(negate)
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
                if let Some(&bit) = self.interned_alls.get(bits.as_slice()) {
                    return self.resolve(bit);
                }
                let start = self.pool.len() as u32;
                self.pool.extend_from_slice(&bits);
                let bit = self.push(Gate::All(start, self.pool.len() as u32));
                self.interned_alls.insert(bits.into(), bit);
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
                let clause: Vec<Bit> =
                    self.all_inputs(start, end).iter().map(|&bit| !bit).collect();
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

    /// How many gates there are.
    pub(super) fn len(&self) -> usize {
        self.gates.len()
    }

    /// What a gate is.
    pub(super) fn gate_at(&self, gate: usize) -> Gate {
        self.gates[gate]
    }

    /// The inputs of an `All` gate.
    pub(super) fn all_inputs(&self, start: u32, end: u32) -> &[Bit] {
        &self.pool[start as usize..end as usize]
    }

    /// The value of a gate if assertions fix it.
    pub(super) fn known(&self, gate: usize) -> Option<bool> {
        self.known[gate]
    }

    /// What is asserted: at least one bit of each clause holds. `None` if that is contradictory.
    pub(super) fn assertions(&self) -> Option<&[Vec<Bit>]> {
        (!self.is_contradictory).then_some(&self.clauses)
    }

    fn intern(&mut self, gate: Gate) -> Bit {
        if let Some(&bit) = self.interned.get(&gate) {
            return self.resolve(bit);
        }
        let bit = self.push(gate);
        self.interned.insert(gate, bit);
        bit
    }

    fn push(&mut self, gate: Gate) -> Bit {
        self.gates.push(gate);
        self.known.push(None);
        Bit::of_gate(self.gates.len() - 1)
    }
}
