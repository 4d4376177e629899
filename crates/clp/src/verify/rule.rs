//! Rules and their guards.

use super::{Verifier, exits};
use crate::facts::Facts;
use crate::literal::{Guard, Literal};
use crate::origin::{Origins, may_be_of};
use crate::rule::{Placed, Predicate, PredicateId, Rule};
use crate::term::{ArithmeticKind, Kind, Operand, VarId};

impl<'a> Verifier<'a> {
    pub(super) fn rule(&mut self, id: PredicateId, predicate: &'a Predicate, rule: &'a Rule) {
        let n_parameters = predicate.parameters.len();
        if rule.variables.get(..n_parameters) != Some(&predicate.parameters) {
            self.problem("its variables do not start with the predicate's parameters");
        }
        self.variables(n_parameters, rule);
        for guard in &rule.guards {
            self.guard(rule, guard);
        }
        self.places(predicate, rule);
        for (index, literal) in rule.literals().enumerate() {
            self.literal(rule, literal);
            if matches!(literal, Literal::Call(_)) && index + 1 < rule.body.len() {
                self.problem("a call is not the last literal");
            }
        }
        self.end(rule);
        if self.n_bound < rule.variables.len() {
            self.problem("it has variables that nothing binds");
        }
        self.exit_parameter(id, predicate, rule);
    }

    /// Literals are in the order of the instructions that they come from, and do what those do.
    fn places(&mut self, predicate: &Predicate, rule: &Rule) {
        let mut origins = Origins::of(&self.opcodes, predicate, rule);
        for (number, Placed { pc, literal }) in (1..).zip(&rule.body) {
            let Some(origin) = origins.take(*pc) else {
                self.problem(format!("no instruction at {pc} can be that of literal {number}"));
                return;
            };
            if let Some(opcode) = origin.opcode.filter(|opcode| !may_be_of(literal, *opcode)) {
                let mnemonic = opcode.mnemonic();
                self.problem(format!("literal {number} does not come from {mnemonic} at {pc}"));
            }
        }
    }

    fn variables(&mut self, n_parameters: usize, rule: &'a Rule) {
        self.used.clear();
        self.used.resize(rule.variables.len(), false);
        self.n_bound = n_parameters.min(rule.variables.len());
        let (parameters, others) = rule.variables.split_at(self.n_bound);
        self.known.clear();
        self.known.extend(parameters.iter().map(Facts::of));
        self.known.resize(rule.variables.len(), Facts::NOTHING);
        for variable in others {
            self.name(variable);
            self.claims(variable);
        }
        // The names of the parameters stay for the next rule.
        for variable in others {
            self.names.remove(&*variable.name);
        }
    }

    /// A predicate that a call's exit is passed to has to look at it. Notes what its rules use if
    /// the call threw.
    fn exit_parameter(&mut self, id: PredicateId, predicate: &Predicate, rule: &Rule) {
        let Some(exit) = exits(predicate).next() else {
            return;
        };
        let exit = VarId(exit as u32);
        let threw = rule.guards.iter().find_map(|guard| match guard {
            Guard::Returned(tested) if *tested == exit => Some(false),
            Guard::Threw(tested, _) if *tested == exit => Some(true),
            _ => None,
        });
        match threw {
            None => self.problem("it does not tell how the call ended"),
            Some(false) => {}
            Some(true) => {
                let index = self.rule.unwrap_or_default();
                let used = self.used.iter().take(predicate.parameters.len());
                let used = used.enumerate().filter(|(_, used)| **used);
                self.used_after_throw.extend(used.map(|(parameter, _)| (id, parameter, index)));
            }
        }
    }

    fn guard(&mut self, rule: &Rule, guard: &Guard) {
        match guard {
            Guard::Compare { kind, left, right, nan, .. } => {
                self.expect(rule, *left, (*kind).into());
                self.expect(rule, *right, (*kind).into());
                if *nan && matches!(kind, ArithmeticKind::Int | ArithmeticKind::Long) {
                    self.problem("a guard for integers speaks of NaN");
                }
            }
            Guard::OneOf(operand, values) | Guard::NoneOf(operand, values) => {
                self.expect(rule, *operand, Kind::Int);
                if !values.is_sorted_by(|one, other| one < other) {
                    self.problem("the values of a switch are not in ascending order");
                }
                if values.is_empty() && matches!(guard, Guard::OneOf(..)) {
                    self.problem("a case of a switch has no values");
                }
            }
            Guard::IsNull(operand) => self.expect(rule, *operand, Kind::Reference),
            Guard::NonNull(operand) => {
                self.expect(rule, *operand, Kind::Reference);
                self.learn_non_null(*operand);
            }
            Guard::Same(left, right) | Guard::Different(left, right) => {
                self.expect(rule, *left, Kind::Reference);
                self.expect(rule, *right, Kind::Reference);
                match (guard, left, right) {
                    (Guard::Different(..), Operand::Null, other)
                    | (Guard::Different(..), other, Operand::Null) => self.learn_non_null(*other),
                    _ => {}
                }
            }
            Guard::InBounds { array, index } | Guard::OutOfBounds { array, index } => {
                self.expect_non_null(rule, *array);
                self.expect(rule, *index, Kind::Int);
            }
            Guard::Storable { array, value } | Guard::NotStorable { array, value } => {
                self.expect_non_null(rule, *array);
                self.expect(rule, *value, Kind::Reference);
                // Every array of references can hold null.
                if matches!(guard, Guard::NotStorable { .. }) {
                    self.learn_non_null(*value);
                }
            }
            Guard::Instance(operand, class) | Guard::NotCastable(operand, class) => {
                self.expect(rule, *operand, Kind::Reference);
                self.class(*class);
                self.learn_non_null(*operand);
            }
            Guard::NotInstance(operand, class) | Guard::Castable(operand, class) => {
                self.expect(rule, *operand, Kind::Reference);
                self.class(*class);
            }
            Guard::Returned(exit) => self.expect(rule, Operand::Variable(*exit), Kind::Exit),
            Guard::Threw(exit, exception) => {
                self.expect(rule, Operand::Variable(*exit), Kind::Exit);
                self.bind(rule, *exception, Kind::Reference, Facts::NON_NULL);
            }
        }
    }
}
