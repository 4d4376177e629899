//! Literals, calls and moves to instructions.

use std::rc::Rc;

use petrel_clp::{
    ArithmeticKind, Call, Callee, ClassId, Conversion, End, FieldId, Guard, Literal, Message,
    MethodId, Operand, Operation, Rule, StringId,
};
use smallvec::SmallVec;

use super::registers::for_each_operand;
use super::{CompileError, Compiler, Linker, Location, Open, Patch, cached, location_of, set};
use crate::machine::code::{
    Address, CallSite, MessageSource, NO_REGISTER, Op, Register, StringConstant, Target,
    ThrowableSource,
};
use crate::machine::link::MethodNumber;
use crate::machine::stop::Feature;
use crate::machine::types::TypeId;
use crate::machine::value::{Reference, Value};

/// The operands of a literal: registers, or an `int` that the instruction holds itself.
#[derive(Debug, Clone, Copy)]
pub(super) enum Input {
    Register(Register),
    Constant(i32),
}

impl Input {
    fn register(self) -> Register {
        match self {
            Input::Register(register) => register,
            Input::Constant(_) => NO_REGISTER,
        }
    }
}

pub(super) type Inputs = SmallVec<[Input; 3]>;

impl<L: Linker> Compiler<'_, L> {
    pub(super) fn push(&mut self, op: Op) {
        self.code.ops.push(op);
        self.code.origins.push(self.origin);
    }

    pub(super) fn patch(&mut self, patch: Patch, address: Address) {
        match patch {
            Patch::OnThrow(site) => self.code.sites[site as usize].on_throw = address,
            Patch::Case(table, case) => {
                let table = &mut self.code.switches[table as usize];
                match case {
                    Some(case) => table.cases[case].1 = address,
                    None => table.default = address,
                }
            }
            Patch::Op(at) => {
                if let Some(target) = self.code.ops[at as usize].target_mut() {
                    *target = address;
                }
            }
        }
    }

    /// The register that holds an operand; a constant is loaded into a temporary one.
    pub(super) fn register_of(
        &mut self,
        operand: Operand,
        locations: &[Location],
    ) -> Result<Register, CompileError> {
        match location_of(operand, locations)? {
            Location::Register(register) => Ok(register),
            Location::Exit => Err(CompileError("the exit of a call is used as a value".to_owned())),
            Location::Constant(constant) => {
                let register = self.registers.temporary();
                self.load(constant, register);
                Ok(register)
            }
        }
    }

    fn load(&mut self, constant: Operand, to: Register) {
        if let Operand::Int(value) = constant {
            return self.push(Op::Int { to, value });
        }
        self.code.constants.push(constant_value(constant));
        let constant = self.code.constants.len() as u32 - 1;
        self.push(Op::Constant { to, constant });
    }

    pub(super) fn literal_operands(
        &mut self,
        literal: &Literal,
        locations: &[Location],
    ) -> Result<Inputs, CompileError> {
        let mut operands: SmallVec<[Operand; 3]> = SmallVec::new();
        for_each_operand(literal, |operand| operands.push(operand));
        let takes_constant = matches!(
            literal,
            Literal::Compute {
                operation: Operation::Add(ArithmeticKind::Int)
                    | Operation::Subtract(ArithmeticKind::Int)
                    | Operation::Multiply(ArithmeticKind::Int)
                    | Operation::And(ArithmeticKind::Int)
                    | Operation::ShiftLeft(ArithmeticKind::Int)
                    | Operation::ShiftRight(ArithmeticKind::Int)
                    | Operation::ShiftRightUnsigned(ArithmeticKind::Int),
                ..
            }
        );
        let mut inputs = Inputs::new();
        for (position, &operand) in operands.iter().enumerate() {
            let location = location_of(operand, locations)?;
            inputs.push(match location {
                Location::Constant(Operand::Int(value)) if takes_constant && position == 1 => {
                    Input::Constant(value)
                }
                _ => Input::Register(self.register_of(operand, locations)?),
            });
        }
        Ok(inputs)
    }

    pub(super) fn literal(
        &mut self,
        literal: &Literal,
        target: Option<Register>,
        inputs: &[Input],
    ) -> Result<(), CompileError> {
        let to = target.unwrap_or(NO_REGISTER);
        let input =
            |position: usize| inputs.get(position).copied().map_or(NO_REGISTER, Input::register);
        let op = match literal {
            Literal::Compute { operation, .. } => compute(*operation, to, inputs),
            Literal::NewObject { class, .. } => Op::NewObject { to, class: self.class(*class)? },
            Literal::NewArray { class, .. } => {
                Op::NewArray { to, class: self.class(*class)?, length: input(0) }
            }
            Literal::NewMultiArray { class, .. } => {
                let class = self.class(*class)?;
                let lengths = inputs.iter().map(|input| input.register()).collect();
                self.code.register_lists.push(lengths);
                let lengths = self.code.register_lists.len() as u32 - 1;
                Op::NewMultiArray { to, class, lengths }
            }
            Literal::ArrayLength { .. } => Op::ArrayLength { to, array: input(0) },
            Literal::GetField { field, .. } => {
                Op::GetField { to, object: input(0), slot: self.accessed_slot(*field)? }
            }
            Literal::SetField { field, .. } => {
                let value = self.narrowed(*field, input(1));
                Op::SetField { object: input(0), slot: self.accessed_slot(*field)?, value }
            }
            Literal::GetStatic { field, .. } => {
                let reference = self.procedure.tables.field(*field).ok_or_else(in_no_table)?;
                if let Some(method) = self.linker.preparation(reference)? {
                    self.push(Op::Prepare(method));
                }
                let field = self.static_field(*field)?;
                if self.linker.is_changing(reference)? {
                    self.push(Op::SeeChangingStatic(field));
                }
                Op::GetStatic { to, field }
            }
            Literal::SetStatic { field, .. } => {
                let value = self.narrowed(*field, input(0));
                Op::SetStatic { field: self.static_field(*field)?, value }
            }
            Literal::GetArray { .. } => Op::GetArray { to, array: input(0), index: input(1) },
            Literal::SetArray { .. } => {
                Op::SetArray { array: input(0), index: input(1), value: input(2) }
            }
            Literal::InstanceOf { class, .. } => {
                Op::InstanceOf { to, object: input(0), class: self.class(*class)? }
            }
            Literal::LoadString { string, .. } => {
                Op::LoadString { to, string: self.string(*string)? }
            }
            Literal::LoadClass { class, .. } => {
                let name = self.procedure.tables.class_name(*class);
                Op::LoadClass { to, class: self.linker.class_object_type(name)? }
            }
            Literal::LoadMethodHandle { .. } => self.unsupported(Feature::HandleConstant),
            Literal::LoadMethodType { .. } => self.unsupported(Feature::MethodTypeConstant),
            Literal::NewThrowable { class, message, .. } => {
                let class = self.class(*class)?;
                let message = match message {
                    Message::None => MessageSource::None,
                    Message::Text(text) => MessageSource::Text(self.string(*text)?),
                    Message::Bounds { .. } => {
                        MessageSource::Bounds { array: input(0), index: input(1) }
                    }
                    Message::Size(_) => MessageSource::Size(input(0)),
                    Message::Cast { class, .. } => {
                        MessageSource::Cast { object: input(0), class: self.class(*class)? }
                    }
                    Message::Store { .. } => MessageSource::Store { value: input(0) },
                    Message::Null { pc } => MessageSource::Null { pc: *pc },
                };
                self.code.throwables.push(ThrowableSource { class, message });
                Op::NewThrowable { to, throwable: self.code.throwables.len() as u32 - 1 }
            }
            Literal::Call(_) => return Err(CompileError("a call inside of a body".to_owned())),
        };
        self.push(op);
        Ok(())
    }

    fn unsupported(&mut self, what: Feature) -> Op {
        self.code.unsupported.push(what);
        Op::Unsupported(self.code.unsupported.len() as u32 - 1)
    }

    pub(super) fn class(&mut self, class: ClassId) -> Result<TypeId, CompileError> {
        cached(&mut self.linked.types, class, || {
            self.linker.type_of(self.procedure.tables.class_name(class))
        })
    }

    fn string(&mut self, string: StringId) -> Result<u32, CompileError> {
        let (procedure, strings) = (self.procedure, &mut self.code.strings);
        cached(&mut self.linked.strings, string, || {
            let units = procedure.tables.strings.entries().get(string.index());
            let units = units.cloned().unwrap_or_default();
            strings.push(StringConstant { units, reference: Reference::NULL });
            Ok(strings.len() as u32 - 1)
        })
    }

    /// The slot of a field in instances, and its number among all fields.
    pub(super) fn instance_field(&mut self, field: FieldId) -> Result<(u16, u32), CompileError> {
        let reference = self.procedure.tables.field(field).ok_or_else(in_no_table)?;
        cached(&mut self.linked.instance_fields, field, || self.linker.instance_field(reference))
    }

    /// The slot of a field that the next instruction accesses.
    fn accessed_slot(&mut self, field: FieldId) -> Result<u16, CompileError> {
        let (slot, number) = self.instance_field(field)?;
        self.code.fields.push((self.code.next(), number));
        Ok(slot)
    }

    fn static_field(&mut self, field: FieldId) -> Result<u32, CompileError> {
        let reference = self.procedure.tables.field(field).ok_or_else(in_no_table)?;
        cached(&mut self.linked.static_fields, field, || self.linker.static_field(reference))
    }

    fn method(&mut self, method: MethodId) -> Result<MethodNumber, CompileError> {
        let reference = self.procedure.tables.method(method).ok_or_else(in_no_table)?;
        cached(&mut self.linked.methods, method, || self.linker.method(reference))
    }

    /// The value as a narrow field takes it, in a temporary register.
    fn narrowed(&mut self, field: FieldId, value: Register) -> Register {
        let descriptor = self.procedure.tables.field(field).map(|field| &*field.descriptor);
        let op = |to| match descriptor {
            Some("B") => Some(convert(to, Conversion::IntToByte, value)),
            Some("S") => Some(convert(to, Conversion::IntToShort, value)),
            Some("C") => Some(convert(to, Conversion::IntToChar, value)),
            Some("Z") => Some(Op::AndConstant { to, left: value, right: 1 }),
            _ => None,
        };
        if op(0).is_none() {
            return value;
        }
        let to = self.registers.temporary();
        if let Some(op) = op(to) {
            self.push(op);
        }
        to
    }

    /// A call ends its body; the rule goes on in a predicate that tells the exits apart.
    pub(super) fn call(
        &mut self,
        rule: &Rule,
        call: &Call,
        position: usize,
        locations: &[Location],
        last_uses: &[Option<usize>],
    ) -> Result<(), CompileError> {
        let End::Continue(target, passed) = &rule.end else {
            return Err(CompileError("a call without a predicate for its exits".to_owned()));
        };
        if self.arrivals[target.index()] != 1 {
            return Err(CompileError("several calls share the predicate of exits".to_owned()));
        }
        let arguments = call
            .arguments
            .iter()
            .map(|&argument| self.register_of(argument, locations))
            .collect::<Result<Box<[Register]>, _>>()?;
        let target_of_call = self.target(call.callee)?;
        self.registers.release(locations, last_uses, position);
        self.registers.release_temporaries();
        let mut locations = locations.to_vec();
        let mut result = NO_REGISTER;
        if let Some(variable) = call.result {
            let wanted = self.wanted_registers(rule);
            result = self.registers.take(wanted.get(variable.0 as usize).copied().flatten());
            set(&mut locations, variable, Location::Register(result));
        }
        set(&mut locations, call.exit, Location::Exit);
        let operands = passed;
        let passed = passed
            .iter()
            .map(|&argument| location_of(argument, &locations))
            .collect::<Result<Vec<_>, _>>()?;
        self.registers.start_all(&passed);
        let exception = self.registers.take(None);
        let site = self.code.sites.len() as u32;
        self.code.sites.push(CallSite {
            target: target_of_call,
            arguments,
            result,
            exception,
            on_throw: 0,
            frame: 0,
        });
        self.sites.push(site);
        self.push(Op::Call(site));
        self.note_needed_by_call(rule, call, operands, &passed);
        let exits = &self.procedure.predicates[target.index()].rules;
        let mut returned = Vec::new();
        let mut threw = Vec::new();
        let mut threw_locations = passed.clone();
        for (number, rule) in exits.iter().enumerate() {
            match rule.guards.first() {
                Some(Guard::Returned(_)) => returned.push(number),
                Some(Guard::Threw(_, variable)) => {
                    set(&mut threw_locations, *variable, Location::Register(exception));
                    threw.push(number);
                }
                _ => return Err(CompileError("a rule after a call that ignores its exit".into())),
            }
        }
        let open = |rules, locations, from| Open {
            predicate: *target,
            rules,
            decided: 1,
            locations: Rc::new(locations),
            from,
        };
        self.open.push(open(threw, threw_locations, vec![Patch::OnThrow(site)]));
        // Popped at once: the code follows the call.
        self.open.push(open(returned, passed, vec![]));
        Ok(())
    }

    fn target(&mut self, callee: Callee) -> Result<Target, CompileError> {
        let tables = &self.procedure.tables;
        let method = callee.method().and_then(|method| tables.method(method));
        Ok(match (callee, method) {
            (Callee::Initialise(class), _) => Target::Initialise(self.class(class)?),
            (Callee::Dynamic(site) | Callee::DynamicConstant(site), _) => {
                let name =
                    tables.dynamics.entries().get(site.index()).map(|site| match &site.bootstrap {
                        petrel_clp::MethodHandle::Method(_, method) => method.to_string(),
                        petrel_clp::MethodHandle::Field(..) => "a field".to_owned(),
                    });
                Target::Unsupported(Feature::Bootstrap(name.unwrap_or_default()).into())
            }
            (Callee::Polymorphic(_), Some(method)) => Target::Polymorphic {
                name: method.name.clone(),
                descriptor: method.descriptor.clone(),
            },
            (Callee::Static(_), Some(method))
                if &*method.class == "java/lang/invoke/MethodHandle" =>
            {
                Target::Unsupported(
                    Feature::HandleMethod(format!("{}.{}", method.class, method.name)).into(),
                )
            }
            (Callee::Static(method) | Callee::Special(method), Some(_)) => {
                Target::Method(self.method(method)?)
            }
            (Callee::Virtual(method) | Callee::Interface(method), Some(_)) => Target::Selected {
                method: self.method(method)?,
                last: (TypeId::VOID, MethodNumber::NONE),
            },
            (_, None) => return Err(in_no_table()),
        })
    }

    /// Moves values to registers, all at once.
    pub(super) fn move_all(
        &mut self,
        from: &[Location],
        to: &[Register],
    ) -> Result<(), CompileError> {
        let mut moves: Vec<(Register, Register)> = Vec::new();
        let mut constants: Vec<(Operand, Register)> = Vec::new();
        self.registers.start_all(from);
        for &register in to {
            self.registers.hold(register);
        }
        for (&from, &to) in from.iter().zip(to) {
            match from {
                Location::Register(from) if from == to => {}
                Location::Register(from) => moves.push((from, to)),
                Location::Constant(constant) => constants.push((constant, to)),
                Location::Exit => {
                    return Err(CompileError("the exit of a call is used as a value".to_owned()));
                }
            }
        }
        while !moves.is_empty() {
            // A register that no other move reads can be written.
            let free = moves.iter().position(|&(_, to)| !moves.iter().any(|&(from, _)| from == to));
            match free {
                Some(at) => {
                    let (from, to) = moves.swap_remove(at);
                    self.push(Op::Move { to, from });
                }
                None => {
                    // Only cycles are left: one value is put aside.
                    let (from, _) = moves[0];
                    let aside = self.registers.temporary();
                    self.push(Op::Move { to: aside, from });
                    for (source, _) in &mut moves {
                        if *source == from {
                            *source = aside;
                        }
                    }
                }
            }
        }
        for (constant, to) in constants {
            self.load(constant, to);
        }
        self.registers.release_temporaries();
        Ok(())
    }
}

/// The value of a constant.
pub(super) fn constant_value(constant: Operand) -> Value {
    match constant {
        Operand::Int(value) => Value::int(value),
        Operand::Long(value) => Value::long(value),
        Operand::Float(bits) => Value::known(bits.into()),
        Operand::Double(bits) => Value::known(bits),
        Operand::Null | Operand::Variable(_) => Value::NULL,
    }
}

fn in_no_table() -> CompileError {
    CompileError("something that is in no table".to_owned())
}

fn convert(to: Register, conversion: Conversion, from: Register) -> Op {
    Op::Compute { to, operation: Operation::Convert(conversion), left: from, right: from }
}

fn compute(operation: Operation, to: Register, inputs: &[Input]) -> Op {
    use ArithmeticKind::{Double, Int, Long};
    let left = inputs.first().copied().map_or(NO_REGISTER, Input::register);
    match (operation, inputs.get(1).copied()) {
        (Operation::Convert(Conversion::IntToLong), _) => Op::IntToLong { to, from: left },
        (_, None) => Op::Compute { to, operation, left, right: left },
        (_, Some(Input::Constant(right))) => match operation {
            Operation::Add(_) => Op::AddConstant { to, left, right },
            Operation::Subtract(_) => Op::AddConstant { to, left, right: right.wrapping_neg() },
            Operation::Multiply(_) => Op::MultiplyConstant { to, left, right },
            Operation::And(_) => Op::AndConstant { to, left, right },
            Operation::ShiftLeft(_) => Op::ShiftLeftConstant { to, left, right },
            Operation::ShiftRight(_) => Op::ShiftRightConstant { to, left, right },
            _ => Op::ShiftRightUnsignedConstant { to, left, right },
        },
        (_, Some(Input::Register(right))) => match operation {
            Operation::Add(Int) => Op::AddInt { to, left, right },
            Operation::Subtract(Int) => Op::SubtractInt { to, left, right },
            Operation::Multiply(Int) => Op::MultiplyInt { to, left, right },
            Operation::And(Int) => Op::AndInt { to, left, right },
            Operation::Add(Long) => Op::AddLong { to, left, right },
            Operation::Add(Double) => Op::AddDouble { to, left, right },
            Operation::Multiply(Double) => Op::MultiplyDouble { to, left, right },
            _ => Op::Compute { to, operation, left, right },
        },
    }
}
