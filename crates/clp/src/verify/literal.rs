//! The literals of a body, calls apart.

use super::Verifier;
use super::values::name;
use crate::facts::Facts;
use crate::literal::{ElementKind, Guard, Literal, Message};
use crate::rule::Rule;
use crate::term::{ArithmeticKind, Comparison, Kind, Operand, Operation, VarId};

impl Verifier<'_> {
    pub(super) fn literal(&mut self, rule: &Rule, literal: &Literal) {
        let certain = Facts::of_binder(literal);
        match literal {
            Literal::Compute { target, operation, operands } => {
                self.compute(rule, *target, *operation, operands)
            }
            Literal::NewObject { target, class } => {
                self.class_with_dimensions(*class, 0);
                self.bind(rule, *target, Kind::Reference, certain);
            }
            Literal::NewArray { target, class, length } => {
                self.class_with_dimensions(*class, 1);
                self.length(rule, *length);
                self.bind(rule, *target, Kind::Reference, certain);
            }
            Literal::NewMultiArray { target, class, lengths } => {
                self.class_with_dimensions(*class, lengths.len().max(1));
                if lengths.is_empty() {
                    self.problem("an array of arrays has no length");
                }
                for length in lengths {
                    self.length(rule, *length);
                }
                self.bind(rule, *target, Kind::Reference, certain);
            }
            Literal::ArrayLength { target, array } => {
                self.expect_non_null(rule, *array);
                self.bind(rule, *target, Kind::Int, certain);
            }
            Literal::GetField { target, object, field } => {
                self.expect_non_null(rule, *object);
                if self.field(*field) {
                    let kind = self.procedure.tables.field_kind(*field);
                    self.bind(rule, *target, kind, certain);
                }
            }
            Literal::SetField { object, field, value } => {
                self.expect_non_null(rule, *object);
                if self.field(*field) {
                    self.expect(rule, *value, self.procedure.tables.field_kind(*field));
                }
            }
            Literal::GetStatic { target, field } => {
                if self.field(*field) {
                    let kind = self.procedure.tables.field_kind(*field);
                    self.bind(rule, *target, kind, certain);
                }
            }
            Literal::SetStatic { field, value } => {
                if self.field(*field) {
                    self.expect(rule, *value, self.procedure.tables.field_kind(*field));
                }
            }
            Literal::GetArray { target, element, array, index } => {
                self.element(rule, *element, *array, *index);
                self.bind(rule, *target, element.kind(), certain);
            }
            Literal::SetArray { element, array, index, value } => {
                self.element(rule, *element, *array, *index);
                self.expect(rule, *value, element.kind());
                if *element == ElementKind::Reference {
                    self.store(rule, *array, *value);
                }
            }
            Literal::InstanceOf { target, object, class } => {
                self.expect(rule, *object, Kind::Reference);
                self.class(*class);
                self.bind(rule, *target, Kind::Int, certain);
            }
            Literal::LoadString { target, string }
            | Literal::LoadMethodType { target, descriptor: string } => {
                self.string(*string);
                self.bind(rule, *target, Kind::Reference, certain);
            }
            Literal::LoadClass { target, class } => {
                self.class(*class);
                self.bind(rule, *target, Kind::Reference, certain);
            }
            Literal::LoadMethodHandle { target, handle } => {
                self.handle(*handle);
                self.bind(rule, *target, Kind::Reference, certain);
            }
            Literal::NewThrowable { target, class, message } => {
                self.class_with_dimensions(*class, 0);
                self.message(rule, message);
                self.bind(rule, *target, Kind::Reference, certain);
            }
            Literal::Call(call) => self.call(rule, call),
        }
    }

    fn compute(&mut self, rule: &Rule, target: VarId, operation: Operation, operands: &[Operand]) {
        use ArithmeticKind::{Double, Float, Int, Long};
        let (kinds, result) = operation.signature();
        if kinds.len() != operands.len() {
            self.problem(format!("{operation:?} has {} operands", operands.len()));
        }
        for (operand, kind) in operands.iter().zip(kinds) {
            self.expect(rule, *operand, kind);
        }
        let is_wrong = match operation {
            Operation::ShiftLeft(kind)
            | Operation::ShiftRight(kind)
            | Operation::ShiftRightUnsigned(kind)
            | Operation::And(kind)
            | Operation::Or(kind)
            | Operation::ExclusiveOr(kind) => matches!(kind, Float | Double),
            Operation::SquareRoot(kind) => matches!(kind, Int | Long),
            Operation::Compare(kind, nan) => match kind {
                Int => true,
                Long => nan != 0,
                Float | Double => !matches!(nan, -1 | 1),
            },
            _ => false,
        };
        if is_wrong {
            self.problem(format!("there is no {operation:?}"));
        }
        if let (
            Operation::Divide(kind @ (Int | Long)) | Operation::Remainder(kind @ (Int | Long)),
            [_, divisor],
        ) = (operation, operands)
            && !is_non_zero(rule, kind, *divisor)
        {
            let name = name(rule, *divisor);
            self.problem(format!("the divisor {name} may be zero"));
        }
        self.bind(rule, target, result, Facts::NOTHING);
    }

    fn length(&mut self, rule: &Rule, length: Operand) {
        self.expect(rule, length, Kind::Int);
        let at_least_zero =
            Guard::compare_ints(Comparison::GreaterOrEqual, length, Operand::Int(0));
        let is_certain = match length {
            Operand::Int(length) => length >= 0,
            _ => rule.guards.contains(&at_least_zero),
        };
        if !is_certain {
            let name = name(rule, length);
            self.problem(format!("the length {name} may be negative"));
        }
    }

    /// Access to an array element.
    fn element(&mut self, rule: &Rule, element: ElementKind, array: Operand, index: Operand) {
        self.expect_non_null(rule, array);
        self.expect(rule, index, Kind::Int);
        let known = self.facts(array).array;
        let by_facts = match (known, index) {
            (Some(known), Operand::Int(index)) => (0..known.length).contains(&index),
            _ => false,
        };
        let is_within = by_facts || rule.guards.contains(&Guard::InBounds { array, index });
        if !is_within {
            let (array, index) = (name(rule, array), name(rule, index));
            self.problem(format!("{index} may be out of the bounds of {array}"));
        }
        let of_array = |class| ElementKind::of_array(self.procedure.tables.class_name(class));
        if known.is_some_and(|known| of_array(known.class) != Some(element)) {
            let array = name(rule, array);
            self.problem(format!("the elements of {array} are not of kind {element:?}"));
        }
    }

    fn store(&mut self, rule: &Rule, array: Operand, value: Operand) {
        let takes_all = self.facts(array).array.is_some_and(|known| {
            self.procedure.tables.class_name(known.class) == "[Ljava/lang/Object;"
        });
        let is_storable = takes_all
            || value == Operand::Null
            || rule.guards.iter().any(|guard| match guard {
                Guard::Storable { .. } => *guard == Guard::Storable { array, value },
                Guard::IsNull(null) => *null == value,
                _ => false,
            });
        if !is_storable {
            let (array, value) = (name(rule, array), name(rule, value));
            self.problem(format!("{array} may not be able to hold {value}"));
        }
    }

    fn message(&mut self, rule: &Rule, message: &Message) {
        match message {
            Message::None | Message::Null { .. } => {}
            Message::Text(text) => self.string(*text),
            Message::Bounds { array, index } => {
                self.expect_non_null(rule, *array);
                self.expect(rule, *index, Kind::Int);
            }
            Message::Size(size) => self.expect(rule, *size, Kind::Int),
            Message::Cast { object, class } => {
                self.expect_non_null(rule, *object);
                self.class(*class);
            }
            Message::Store { value } => self.expect_non_null(rule, *value),
        }
    }
}

fn is_non_zero(rule: &Rule, kind: ArithmeticKind, divisor: Operand) -> bool {
    let zero = match divisor {
        Operand::Int(value) => return value != 0,
        Operand::Long(value) => return value != 0,
        _ if kind == ArithmeticKind::Long => Operand::Long(0),
        _ => Operand::Int(0),
    };
    rule.guards.contains(&Guard::Compare {
        kind,
        comparison: Comparison::NotEqual,
        left: divisor,
        right: zero,
        nan: false,
    })
}
