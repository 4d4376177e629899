//! Guards and literals as text.

use super::lexical::atom;
use super::rule::RuleText;
use crate::facts::Facts;
use crate::literal::{Call, Callee, ElementKind, Guard, Literal, Message};
use crate::notation::{COMPARES, guard_name, infix_symbol, name_of};
use crate::rule::FieldId;
use crate::term::{Operand, Operation};

impl RuleText<'_, '_> {
    pub(super) fn guard(&mut self, guard: &Guard) -> String {
        match guard {
            Guard::Compare { comparison, left, right, nan, .. } => {
                let (left, right) = (self.operand(*left), self.operand(*right));
                let comparison = format!("{left} {} {right}", comparison.symbol());
                if *nan { format!("nan_or({comparison})") } else { comparison }
            }
            Guard::OneOf(operand, values) => {
                format!("{} in {}", self.operand(*operand), ints(values))
            }
            Guard::NoneOf(operand, values) => {
                format!("{} not_in {}", self.operand(*operand), ints(values))
            }
            Guard::IsNull(operand) => format!("{} == null", self.operand(*operand)),
            Guard::NonNull(operand) => format!("{} \\== null", self.operand(*operand)),
            // Written like the others these would read as the null checks above.
            Guard::Same(left, Operand::Null) => format!("same({},null)", self.operand(*left)),
            Guard::Different(left, Operand::Null) => {
                format!("different({},null)", self.operand(*left))
            }
            Guard::Same(left, right) => {
                format!("{} == {}", self.operand(*left), self.operand(*right))
            }
            Guard::Different(left, right) => {
                format!("{} \\== {}", self.operand(*left), self.operand(*right))
            }
            Guard::InBounds { array: left, index: right }
            | Guard::OutOfBounds { array: left, index: right }
            | Guard::Storable { array: left, value: right }
            | Guard::NotStorable { array: left, value: right } => format!(
                "{}({},{},{})",
                guard_name(guard),
                self.heap(),
                self.operand(*left),
                self.operand(*right)
            ),
            Guard::Instance(operand, class)
            | Guard::NotInstance(operand, class)
            | Guard::Castable(operand, class)
            | Guard::NotCastable(operand, class) => format!(
                "{}({},{},{})",
                guard_name(guard),
                self.heap(),
                self.operand(*operand),
                self.text.class(*class)
            ),
            Guard::Returned(exit) => format!("{} = ok", self.variable(*exit)),
            Guard::Threw(exit, exception) => format!(
                "{} = exc({})",
                self.variable(*exit),
                self.binding(*exception, Facts::NON_NULL)
            ),
        }
    }

    pub(super) fn literal(&mut self, literal: &Literal) -> String {
        // Arguments are made in the order in which they are written: that is the order in which
        // the parser meets classes and strings.
        match literal {
            Literal::Compute { target, operation, operands } => {
                let target = self.target(*target, literal);
                format!("{target} #= {}", self.operation(*operation, operands))
            }
            Literal::NewObject { target, class } => {
                let (heap, class) = (self.heap(), self.text.class(*class));
                let target = self.target(*target, literal);
                format!("new_object({heap},{class},{target},{})", self.next_heap())
            }
            Literal::NewArray { target, class, length } => {
                let (heap, class) = (self.heap(), self.text.class(*class));
                let length = self.operand(*length);
                let target = self.target(*target, literal);
                let after = self.next_heap();
                format!("new_array({heap},{class},{length},{target},{after})")
            }
            Literal::NewMultiArray { target, class, lengths } => {
                let (heap, class) = (self.heap(), self.text.class(*class));
                let lengths = self.operands(lengths);
                let target = self.target(*target, literal);
                let after = self.next_heap();
                format!("new_multi_array({heap},{class},[{lengths}],{target},{after})")
            }
            Literal::ArrayLength { target, array } => {
                let (heap, array) = (self.heap(), self.operand(*array));
                format!("array_length({heap},{array},{})", self.target(*target, literal))
            }
            Literal::GetField { target, object, field } => {
                let (heap, object, field) =
                    (self.heap(), self.operand(*object), self.field(*field));
                let target = self.target(*target, literal);
                format!("get_field({heap},{object},{field},{target})")
            }
            Literal::SetField { object, field, value } => {
                let (heap, object, field) =
                    (self.heap(), self.operand(*object), self.field(*field));
                let value = self.operand(*value);
                format!("set_field({heap},{object},{field},{value},{})", self.next_heap())
            }
            Literal::GetStatic { target, field } => {
                let (heap, field) = (self.heap(), self.field(*field));
                format!("get_static({heap},{field},{})", self.target(*target, literal))
            }
            Literal::SetStatic { field, value } => {
                let (heap, field, value) = (self.heap(), self.field(*field), self.operand(*value));
                format!("set_static({heap},{field},{value},{})", self.next_heap())
            }
            Literal::GetArray { target, element, array, index } => {
                let (heap, element) = (self.heap(), name_of(&ElementKind::ALL, *element));
                let (array, index) = (self.operand(*array), self.operand(*index));
                let target = self.target(*target, literal);
                format!("get_array({heap},{element},{array},{index},{target})")
            }
            Literal::SetArray { element, array, index, value } => {
                let (heap, element) = (self.heap(), name_of(&ElementKind::ALL, *element));
                let (array, index) = (self.operand(*array), self.operand(*index));
                let (value, after) = (self.operand(*value), self.next_heap());
                format!("set_array({heap},{element},{array},{index},{value},{after})")
            }
            Literal::InstanceOf { target, object, class } => {
                let (heap, object) = (self.heap(), self.operand(*object));
                let class = self.text.class(*class);
                let target = self.target(*target, literal);
                format!("instance_of({heap},{object},{class},{target})")
            }
            Literal::LoadString { target, string } => {
                let string = self.text.string(*string);
                format!("string({string},{})", self.target(*target, literal))
            }
            Literal::LoadClass { target, class } => {
                let class = self.text.class(*class);
                format!("class_object({class},{})", self.target(*target, literal))
            }
            Literal::LoadMethodHandle { target, handle } => {
                let handle = self.text.handle(*handle);
                format!("method_handle({handle},{})", self.target(*target, literal))
            }
            Literal::LoadMethodType { target, descriptor } => {
                let descriptor = self.text.string(*descriptor);
                format!("method_type({descriptor},{})", self.target(*target, literal))
            }
            Literal::NewThrowable { target, class, message } => {
                let (heap, class) = (self.heap(), self.text.class(*class));
                let message = self.message(message);
                let target = self.target(*target, literal);
                format!("throwable({heap},{class},{message},{target},{})", self.next_heap())
            }
            Literal::Call(call) => self.call(call),
        }
    }

    fn operation(&self, operation: Operation, operands: &[Operand]) -> String {
        if let ([left, right], Some(symbol)) = (operands, infix_symbol(operation)) {
            let (left, right) = (self.operand(*left), self.operand(*right));
            // Letters need space around them, and so does a minus sign after another symbol.
            return if symbol == "rem" {
                format!("{left} rem {right}")
            } else if right.starts_with('-') {
                format!("{left}{symbol} {right}")
            } else {
                format!("{left}{symbol}{right}")
            };
        }
        let name = match (operation, operands) {
            (Operation::Negate(_), [variable @ Operand::Variable(_)]) => {
                return format!("-{}", self.operand(*variable));
            }
            // In brackets, since without them it would be a negative constant.
            (Operation::Negate(_), _) => "-",
            (Operation::SquareRoot(_), _) => "sqrt",
            (Operation::ExclusiveOr(_), _) => "xor",
            (Operation::Compare(kind, nan), _) => name_of(&COMPARES, (kind, nan)),
            (Operation::Convert(conversion), _) => conversion.mnemonic(),
            _ => infix_symbol(operation).unwrap_or_default(),
        };
        format!("{name}({})", self.operands(operands))
    }

    fn operands(&self, operands: &[Operand]) -> String {
        let operands: Vec<String> = operands.iter().map(|o| self.operand(*o)).collect();
        operands.join(",")
    }

    fn field(&self, field: FieldId) -> String {
        let field = self.text.procedure.tables.field(field);
        atom(field.map_or("?", |field| self.text.names.field(field)))
    }

    fn message(&mut self, message: &Message) -> String {
        match message {
            Message::None => "none".to_string(),
            Message::Text(text) => format!("text({})", self.text.string(*text)),
            Message::Bounds { array, index } => {
                format!("bounds({},{})", self.operand(*array), self.operand(*index))
            }
            Message::Size(size) => format!("size({})", self.operand(*size)),
            Message::Cast { object, class } => {
                format!("cast({},{})", self.operand(*object), self.text.class(*class))
            }
            Message::Store { value } => format!("store({})", self.operand(*value)),
            Message::Null { pc } => format!("null_at({pc})"),
        }
    }

    fn call(&mut self, call: &Call) -> String {
        if let Callee::Initialise(class) = call.callee {
            let (class, before, after) = (self.text.class(class), self.heap(), self.next_heap());
            return format!("initialise({class},{before},{after},{})", self.variable(call.exit));
        }
        let has_receiver = !matches!(
            call.callee,
            Callee::Static(_) | Callee::Dynamic(_) | Callee::DynamicConstant(_)
        );
        let inputs: Vec<String> = call
            .arguments
            .iter()
            .enumerate()
            .map(|(index, argument)| {
                let is_receiver = has_receiver && index == 0;
                let claimed = if is_receiver { Facts::NON_NULL } else { Facts::NOTHING };
                self.argument(*argument, claimed)
            })
            .collect();
        let output = match call.result {
            Some(result) => self.binding(result, Facts::NOTHING),
            None if self.text.procedure.tables.result_kind(call.callee).is_some() => "_".into(),
            None => String::new(),
        };
        let (before, after) = (self.heap(), self.next_heap());
        let (exit, trace) = (self.variable(call.exit), self.next_trace());
        let rest = format!("[{}],[{output}],{before},{after},{exit},{trace})", inputs.join(","));
        let method =
            call.callee.method().and_then(|method| self.text.procedure.tables.method(method));
        let functor = atom(method.map_or("?", |method| self.text.names.method(method)));
        match call.callee {
            Callee::Static(_) | Callee::Special(_) => format!("{functor}({rest}"),
            Callee::Virtual(_) => format!("virtual:{functor}({rest}"),
            Callee::Interface(_) => format!("interface:{functor}({rest}"),
            Callee::Polymorphic(_) => format!("polymorphic:{functor}({rest}"),
            Callee::Dynamic(site) => format!("dynamic({},{rest}", site.0),
            Callee::DynamicConstant(site) => format!("dynamic_constant({},{rest}", site.0),
            Callee::Initialise(_) => String::new(),
        }
    }
}

fn ints(values: &[i32]) -> String {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    format!("[{}]", values.join(","))
}
