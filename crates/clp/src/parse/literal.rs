//! Literals.

use super::Fault;
use super::procedure::{method_handle, text};
use super::reader::{Node, Term};
use super::rule::RuleReading;
use crate::facts::Facts;
use crate::literal::{Call, Callee, ElementKind, Literal, Message};
use crate::notation::{COMPARES, infix_operation, value_of};
use crate::rule::{ClassId, DynamicId, FieldId, Placed};
use crate::term::{ArithmeticKind, Conversion, Kind, Operand, Operation, VarId};

/// Stands for the variable that a literal binds until that is known: what a variable may claim
/// depends on the rest of the literal.
const UNBOUND: VarId = VarId(u32::MAX);

impl<'a> RuleReading<'_, '_, 'a> {
    /// Reads a guard or a literal.
    pub(super) fn literal(&mut self, term: &Term<'a>) -> Result<(), Fault> {
        if let Some(guard) = self.guard(term)? {
            if !self.body.is_empty() {
                return term.wrong("a guard is expected before the other literals");
            }
            self.guards.push(guard);
            return Ok(());
        }
        let literal = match &term.node {
            Node::Infix("#=", target, operation) => self.compute(target, operation)?,
            Node::Compound(name, _) => match self.builtin(term, name)? {
                Some(literal) => literal,
                None => self.call(term, name)?,
            },
            Node::Qualified(..) => self.selected_call(term)?,
            _ => return term.wrong("a guard or literal is expected here"),
        };
        // The instruction is known when all rules are.
        self.body.push(Placed { pc: 0, literal });
        Ok(())
    }

    pub(super) fn arithmetic_kind(
        &self,
        term: &Term<'a>,
        operand: Operand,
    ) -> Result<ArithmeticKind, Fault> {
        match ArithmeticKind::try_from(self.kind(operand)) {
            Ok(kind) => Ok(kind),
            Err(_) => term.wrong("a number is expected here"),
        }
    }

    fn compute(&mut self, target: &Term<'a>, term: &Term<'a>) -> Result<Literal, Fault> {
        let (operation, operands) = match &term.node {
            Node::Infix(symbol, left, right) => {
                let operands = vec![self.operand(left)?, self.operand(right)?];
                let kind = self.arithmetic_kind(left, self.operand(left)?)?;
                (infix_operation(symbol, kind), operands)
            }
            Node::Compound(name, arguments) => {
                let operands = self.operands(arguments)?;
                let operation = match (&**name, arguments.as_slice(), operands.as_slice()) {
                    ("-", [term], [operand]) => {
                        Some(Operation::Negate(self.arithmetic_kind(term, *operand)?))
                    }
                    ("sqrt", [term], [operand]) => {
                        Some(Operation::SquareRoot(self.arithmetic_kind(term, *operand)?))
                    }
                    ("xor", [term, _], [operand, _]) => {
                        Some(Operation::ExclusiveOr(self.arithmetic_kind(term, *operand)?))
                    }
                    (name, _, [_]) => value_of(&Conversion::ALL, name).map(Operation::Convert),
                    (name, _, [_, _]) => {
                        value_of(&COMPARES, name).map(|(kind, nan)| Operation::Compare(kind, nan))
                    }
                    _ => None,
                };
                (operation, operands)
            }
            _ => (None, Vec::new()),
        };
        let Some(operation) = operation else {
            return term.wrong("an operation is expected here");
        };
        let (_, kind) = operation.signature();
        Ok(Literal::Compute {
            target: self.target(target, kind, Facts::NOTHING)?,
            operation,
            operands,
        })
    }

    /// Gives a literal that was read without its target the target, and in this way what is
    /// certain about that.
    fn bind_target(
        &mut self,
        mut literal: Literal,
        term: &Term<'a>,
        kind: Kind,
    ) -> Result<Literal, Fault> {
        let certain = Facts::of_binder(&literal);
        let bound = self.target(term, kind, certain)?;
        if let Some(target) = literal.target_mut() {
            *target = bound;
        }
        Ok(literal)
    }

    /// A literal with a name of its own; `None` if there is none of this name.
    fn builtin(&mut self, term: &Term<'a>, name: &str) -> Result<Option<Literal>, Fault> {
        let target = UNBOUND;
        Ok(Some(match name {
            "new_object" => {
                let [heap, class, bound, after] = term.arguments()?;
                self.heap(heap)?;
                let class = self.class(class)?;
                let literal = Literal::NewObject { target, class };
                let literal = self.bind_target(literal, bound, Kind::Reference)?;
                self.next_heap(after)?;
                literal
            }
            "new_array" => {
                let [heap, class, length, bound, after] = term.arguments()?;
                self.heap(heap)?;
                let (class, length) = (self.class(class)?, self.operand(length)?);
                let literal = Literal::NewArray { target, class, length };
                let literal = self.bind_target(literal, bound, Kind::Reference)?;
                self.next_heap(after)?;
                literal
            }
            "new_multi_array" => {
                let [heap, class, lengths, bound, after] = term.arguments()?;
                self.heap(heap)?;
                let (class, lengths) = (self.class(class)?, self.operands(lengths.list()?)?);
                let literal = Literal::NewMultiArray { target, class, lengths };
                let literal = self.bind_target(literal, bound, Kind::Reference)?;
                self.next_heap(after)?;
                literal
            }
            "throwable" => {
                let [heap, class, message, bound, after] = term.arguments()?;
                self.heap(heap)?;
                let (class, message) = (self.class(class)?, self.message(message)?);
                let literal = Literal::NewThrowable { target, class, message };
                let literal = self.bind_target(literal, bound, Kind::Reference)?;
                self.next_heap(after)?;
                literal
            }
            "array_length" => {
                let [heap, array, bound] = term.arguments()?;
                self.heap(heap)?;
                let array = self.operand(array)?;
                self.bind_target(Literal::ArrayLength { target, array }, bound, Kind::Int)?
            }
            "instance_of" => {
                let [heap, object, class, bound] = term.arguments()?;
                self.heap(heap)?;
                let (object, class) = (self.operand(object)?, self.class(class)?);
                let literal = Literal::InstanceOf { target, object, class };
                self.bind_target(literal, bound, Kind::Int)?
            }
            "get_field" | "set_field" | "get_static" | "set_static" => {
                self.field_access(term, name)?
            }
            "get_array" | "set_array" => self.array_access(term, name)?,
            "string" => {
                let [value, bound] = term.arguments()?;
                let string = self.string(value)?;
                let literal = Literal::LoadString { target, string };
                self.bind_target(literal, bound, Kind::Reference)?
            }
            "class_object" => {
                let [class, bound] = term.arguments()?;
                let class = self.class(class)?;
                let literal = Literal::LoadClass { target, class };
                self.bind_target(literal, bound, Kind::Reference)?
            }
            "method_handle" => {
                let [handle, bound] = term.arguments()?;
                let handles = &mut self.reading.procedure.tables.handles;
                let handle = handles.add(method_handle(handle)?).into();
                let literal = Literal::LoadMethodHandle { target, handle };
                self.bind_target(literal, bound, Kind::Reference)?
            }
            "method_type" => {
                let [descriptor, bound] = term.arguments()?;
                let descriptor = self.string(descriptor)?;
                let literal = Literal::LoadMethodType { target, descriptor };
                self.bind_target(literal, bound, Kind::Reference)?
            }
            "initialise" => {
                let [class, before, after, exit] = term.arguments()?;
                let class = self.class(class)?;
                self.heap(before)?;
                self.next_heap(after)?;
                Literal::Call(Call {
                    callee: Callee::Initialise(class),
                    arguments: Vec::new(),
                    result: None,
                    exit: self.target(exit, Kind::Exit, Facts::NOTHING)?,
                })
            }
            "dynamic" | "dynamic_constant" => {
                let [number, inputs, rest @ ..] = term.arguments::<7>()?;
                let site = number.count::<usize>()?;
                if site >= self.reading.procedure.tables.dynamics.entries().len() {
                    return number.wrong("no dynamic_site directive for this number");
                }
                let site = DynamicId::from(site);
                let callee = if name == "dynamic" {
                    Callee::Dynamic(site)
                } else {
                    Callee::DynamicConstant(site)
                };
                let inputs = self.arguments(inputs)?;
                self.call_of(callee, inputs, rest)?
            }
            _ => return Ok(None),
        }))
    }

    fn field_access(&mut self, term: &Term<'a>, name: &str) -> Result<Literal, Fault> {
        let target = UNBOUND;
        Ok(match name {
            "get_field" => {
                let [heap, object, field, bound] = term.arguments()?;
                self.heap(heap)?;
                let (object, field) = (self.operand(object)?, self.field(field)?);
                let literal = Literal::GetField { target, object, field };
                let kind = self.reading.procedure.tables.field_kind(field);
                self.bind_target(literal, bound, kind)?
            }
            "set_field" => {
                let [heap, object, field, value, after] = term.arguments()?;
                self.heap(heap)?;
                self.next_heap(after)?;
                Literal::SetField {
                    object: self.operand(object)?,
                    field: self.field(field)?,
                    value: self.operand(value)?,
                }
            }
            "get_static" => {
                let [heap, field, bound] = term.arguments()?;
                self.heap(heap)?;
                let field = self.field(field)?;
                let kind = self.reading.procedure.tables.field_kind(field);
                self.bind_target(Literal::GetStatic { target, field }, bound, kind)?
            }
            _ => {
                let [heap, field, value, after] = term.arguments()?;
                self.heap(heap)?;
                self.next_heap(after)?;
                Literal::SetStatic { field: self.field(field)?, value: self.operand(value)? }
            }
        })
    }

    fn array_access(&mut self, term: &Term<'a>, name: &str) -> Result<Literal, Fault> {
        let element_kind = |term: &Term<'a>| match value_of(&ElementKind::ALL, term.atom()?) {
            Some(element) => Ok(element),
            None => term.wrong("this is no kind of array elements"),
        };
        if name == "get_array" {
            let [heap, element, array, index, bound] = term.arguments()?;
            self.heap(heap)?;
            let element = element_kind(element)?;
            let literal = Literal::GetArray {
                target: UNBOUND,
                element,
                array: self.operand(array)?,
                index: self.operand(index)?,
            };
            return self.bind_target(literal, bound, element.kind());
        }
        let [heap, element, array, index, value, after] = term.arguments()?;
        self.heap(heap)?;
        self.next_heap(after)?;
        Ok(Literal::SetArray {
            element: element_kind(element)?,
            array: self.operand(array)?,
            index: self.operand(index)?,
            value: self.operand(value)?,
        })
    }

    fn message(&mut self, term: &Term<'a>) -> Result<Message, Fault> {
        let name = match &term.node {
            Node::Atom(name) | Node::Compound(name, _) => &**name,
            _ => "",
        };
        Ok(match name {
            "none" if term.is_atom("none") => Message::None,
            "text" => {
                let [value] = term.arguments()?;
                Message::Text(self.string(value)?)
            }
            "bounds" => {
                let [array, index] = term.arguments()?;
                Message::Bounds { array: self.operand(array)?, index: self.operand(index)? }
            }
            "size" => {
                let [size] = term.arguments()?;
                Message::Size(self.operand(size)?)
            }
            "cast" => {
                let [object, class] = term.arguments()?;
                Message::Cast { object: self.operand(object)?, class: self.class(class)? }
            }
            "store" => {
                let [value] = term.arguments()?;
                Message::Store { value: self.operand(value)? }
            }
            "null_at" => {
                let [pc] = term.arguments()?;
                Message::Null { pc: pc.count()? }
            }
            _ => return term.wrong("the message of an exception is expected here"),
        })
    }

    pub(super) fn class(&mut self, term: &Term<'a>) -> Result<ClassId, Fault> {
        Ok(self.reading.procedure.tables.class(term.atom()?))
    }

    fn string(&mut self, term: &Term<'a>) -> Result<crate::StringId, Fault> {
        Ok(self.reading.procedure.tables.string(text(term)?.clone()))
    }

    fn field(&self, term: &Term<'a>) -> Result<FieldId, Fault> {
        let name = term.atom()?;
        match self.reading.fields.get(name) {
            Some(field) => Ok(*field),
            None => term.wrong(format!("no field directive for {name}")),
        }
    }
}
