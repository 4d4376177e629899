//! Guards and literals of one rule as Prolog terms.

use petrel_clp::{
    ArithmeticKind, Call, Callee, Guard, Literal, Message, MethodRef, Operand, Operation, VarId,
};

use crate::clause::RuleWriter;
use crate::names::functor;
use crate::term::Term;

impl RuleWriter<'_> {
    /// A guard; `None` if it holds by what is known of its variable.
    pub(crate) fn guard(&self, guard: &Guard) -> Option<Term> {
        let heap = self.heap();
        let reference = |name: &str, object: Operand, other: Term| {
            Term::compound(name, [heap.clone(), self.operand(object), other])
        };
        Some(match guard {
            Guard::Compare { kind, comparison, left, right, nan } => {
                let (left, right) = (self.operand(*left), self.operand(*right));
                let comparison = Term::infix(left, comparison.symbol(), right);
                match (kind, nan) {
                    (ArithmeticKind::Int | ArithmeticKind::Long, _) => comparison,
                    (_, false) => Term::compound("float", [comparison]),
                    (_, true) => Term::compound("nan_or", [comparison]),
                }
            }
            Guard::OneOf(operand, values) => {
                Term::compound("one_of", [self.operand(*operand), integers(values)])
            }
            Guard::NoneOf(operand, values) => {
                Term::compound("none_of", [self.operand(*operand), integers(values)])
            }
            Guard::NonNull(operand) if self.is_non_null(*operand) => return None,
            Guard::IsNull(operand) => Term::compound("null", [self.operand(*operand)]),
            Guard::NonNull(operand) => {
                Term::compound("nonnull", [heap.clone(), self.operand(*operand)])
            }
            Guard::Same(left, right) => reference("same", *left, self.operand(*right)),
            Guard::Different(left, right) => {
                Term::compound("different", [self.operand(*left), self.operand(*right)])
            }
            Guard::InBounds { array, index } => {
                reference("in_bounds", *array, self.operand(*index))
            }
            Guard::OutOfBounds { array, index } => {
                reference("out_of_bounds", *array, self.operand(*index))
            }
            Guard::Storable { array, value } => reference("storable", *array, self.operand(*value)),
            Guard::NotStorable { array, value } => {
                reference("not_storable", *array, self.operand(*value))
            }
            Guard::Instance(object, class) => reference("instance", *object, self.class(*class)),
            Guard::NotInstance(object, class) => {
                reference("not_instance", *object, self.class(*class))
            }
            Guard::Castable(object, class) => reference("castable", *object, self.class(*class)),
            Guard::NotCastable(object, class) => {
                reference("not_castable", *object, self.class(*class))
            }
            Guard::Returned(exit) => Term::infix(self.variable(*exit), "=", Term::atom("ok")),
            Guard::Threw(exit, exception) => {
                let thrown = Term::compound("exc", [self.variable(*exception)]);
                Term::infix(self.variable(*exit), "=", thrown)
            }
        })
    }

    /// A literal.
    pub(crate) fn literal(&mut self, literal: &Literal) -> Term {
        match literal {
            Literal::Compute { target, operation, operands } => {
                self.compute(*target, *operation, operands)
            }
            Literal::NewObject { target, class } => {
                self.writing("new_object", [self.class(*class), self.variable(*target)])
            }
            Literal::NewArray { target, class, length } => {
                let arguments = [self.class(*class), self.operand(*length), self.variable(*target)];
                self.writing("new_array", arguments)
            }
            Literal::NewMultiArray { target, class, lengths } => {
                let arguments =
                    [self.class(*class), self.operands(lengths), self.variable(*target)];
                self.writing("new_multi_array", arguments)
            }
            Literal::ArrayLength { target, array } => {
                self.reading("array_length", [self.operand(*array), self.variable(*target)])
            }
            Literal::GetField { target, object, field } => self.reading(
                "get_field",
                [self.operand(*object), self.field(*field), self.variable(*target)],
            ),
            Literal::SetField { object, field, value } => {
                let arguments = [self.operand(*object), self.field(*field), self.operand(*value)];
                self.writing("set_field", arguments)
            }
            Literal::GetStatic { target, field } => {
                self.reading("get_static", [self.field(*field), self.variable(*target)])
            }
            Literal::SetStatic { field, value } => {
                self.writing("set_static", [self.field(*field), self.operand(*value)])
            }
            // The array itself knows what its elements are.
            Literal::GetArray { target, array, index, .. } => self.reading(
                "get_array",
                [self.operand(*array), self.operand(*index), self.variable(*target)],
            ),
            Literal::SetArray { array, index, value, .. } => {
                let arguments = [self.operand(*array), self.operand(*index), self.operand(*value)];
                self.writing("set_array", arguments)
            }
            Literal::InstanceOf { target, object, class } => self.reading(
                "instance_of",
                [self.operand(*object), self.class(*class), self.variable(*target)],
            ),
            Literal::LoadString { target, string } => {
                self.writing("string_constant", [self.string(*string), self.variable(*target)])
            }
            Literal::LoadClass { target, class } => {
                self.writing("class_object", [self.class(*class), self.variable(*target)])
            }
            Literal::LoadMethodHandle { .. } => give_up("method handle"),
            Literal::LoadMethodType { .. } => give_up("method type"),
            Literal::NewThrowable { target, class, message } => {
                let arguments = [self.class(*class), self.message(message), self.variable(*target)];
                self.writing("throwable", arguments)
            }
            Literal::Call(call) => self.call(call),
        }
    }

    /// `name(Heap, arguments...)`.
    fn reading<const N: usize>(&self, name: &str, arguments: [Term; N]) -> Term {
        let mut all = vec![self.heap()];
        all.extend(arguments);
        Term::compound(name, all)
    }

    /// `name(Heap, arguments..., NextHeap)`.
    fn writing<const N: usize>(&mut self, name: &str, arguments: [Term; N]) -> Term {
        let mut all = vec![self.heap()];
        all.extend(arguments);
        all.push(self.next_heap());
        Term::compound(name, all)
    }

    fn compute(&self, target: VarId, operation: Operation, operands: &[Operand]) -> Term {
        use Operation::*;
        let (kind, name) = match operation {
            Add(kind) => (kind, "+"),
            Subtract(kind) => (kind, "-"),
            Multiply(kind) => (kind, "*"),
            Divide(kind @ (ArithmeticKind::Int | ArithmeticKind::Long)) => (kind, "//"),
            Divide(kind) => (kind, "/"),
            Remainder(kind) => (kind, "rem"),
            Negate(kind) => (kind, "-"),
            SquareRoot(kind) => (kind, "sqrt"),
            ShiftLeft(kind) => (kind, "<<"),
            ShiftRight(kind) => (kind, ">>"),
            ShiftRightUnsigned(kind) => (kind, ">>>"),
            And(kind) => (kind, "/\\"),
            Or(kind) => (kind, "\\/"),
            ExclusiveOr(kind) => (kind, "xor"),
            Compare(kind @ (ArithmeticKind::Int | ArithmeticKind::Long), _) => (kind, "cmp"),
            Compare(kind, nan) => (kind, if nan < 0 { "cmpl" } else { "cmpg" }),
            Convert(conversion) => (ArithmeticKind::Int, conversion.mnemonic()),
        };
        let value = match operands {
            [left, right] if !name.starts_with("cmp") => {
                Term::infix(self.operand(*left), name, self.operand(*right))
            }
            _ => {
                Term::compound(name, operands.iter().map(|o| self.operand(*o)).collect::<Vec<_>>())
            }
        };
        let constraint = Term::infix(self.variable(target), "#=", value);
        match kind {
            ArithmeticKind::Int => constraint,
            ArithmeticKind::Long => Term::compound("long", [constraint]),
            ArithmeticKind::Float => Term::compound("float", [constraint]),
            ArithmeticKind::Double => Term::compound("double", [constraint]),
        }
    }

    fn message(&self, message: &Message) -> Term {
        match message {
            Message::None => Term::atom("none"),
            Message::Text(text) => self.string(*text),
            Message::Bounds { array, index } => {
                Term::compound("bounds", [self.operand(*array), self.operand(*index)])
            }
            Message::Size(size) => Term::compound("size", [self.operand(*size)]),
            Message::Cast { object, class } => {
                Term::compound("cast", [self.operand(*object), self.class(*class)])
            }
            Message::Store { value } => Term::compound("store", [self.operand(*value)]),
            Message::Null { pc } => Term::compound("null_at", [Term::Integer(i64::from(*pc))]),
        }
    }

    fn call(&mut self, call: &Call) -> Term {
        if let Callee::Initialise(class) = call.callee {
            let arguments =
                [self.class(class), self.heap(), self.next_heap(), self.variable(call.exit)];
            return Term::compound("initialise", arguments);
        }
        let method = call.callee.method().and_then(|method| self.tables().method(method));
        let Some(method) = method.cloned() else {
            return give_up("dynamic call site or constant");
        };
        let inputs = self.operands(&call.arguments);
        let output = match call.result {
            Some(result) => Term::List(vec![self.variable(result)]),
            None if self.tables().result_kind(call.callee).is_some() => Term::List(vec![Term::Any]),
            None => Term::List(vec![]),
        };
        let name = functor(self.context.names.method(&method));
        match call.callee {
            Callee::Polymorphic(_) => give_up("signature-polymorphic call"),
            callee if self.context.is_direct(callee, &method) => {
                let arguments = self.call_arguments(inputs, output, call.exit);
                Term::Compound(name, arguments)
            }
            Callee::Virtual(_) | Callee::Interface(_) => {
                let arguments = self.call_arguments(inputs, output, call.exit);
                Term::infix(Term::atom("virtual"), ":", Term::Compound(name, arguments))
            }
            _ => {
                let (before, after) = (self.heap(), self.next_heap());
                let exit = self.variable(call.exit);
                Term::compound("library", [qualified(&method), inputs, output, before, after, exit])
            }
        }
    }

    fn call_arguments(&mut self, inputs: Term, output: Term, exit: VarId) -> Vec<Term> {
        let (before, after) = (self.heap(), self.next_heap());
        vec![inputs, output, before, after, self.variable(exit), self.next_trace()]
    }
}

/// `Class:Name:Descriptor`.
pub(crate) fn qualified(method: &MethodRef) -> Term {
    let name = Term::infix(Term::atom(&*method.name), ":", Term::atom(&*method.descriptor));
    Term::infix(Term::atom(&*method.class), ":", name)
}

/// Ends the path, with the reason.
fn give_up(reason: &str) -> Term {
    Term::compound("give_up", [Term::atom(reason)])
}

fn integers(values: &[i32]) -> Term {
    Term::List(values.iter().map(|&value| Term::Integer(i64::from(value))).collect())
}
