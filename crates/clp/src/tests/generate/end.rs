//! Calls and ends of rules.

use petrel_classfile::op;

use super::*;
use crate::origin::may_be_of;

impl Generator<'_> {
    pub(super) fn finish(&mut self, predicate: usize, mut path: Path, must: Option<usize>) -> Rule {
        for _ in 0..self.choices.below(5) {
            self.literal(&mut path);
        }
        let end = match (must, self.choices.below(3)) {
            (Some(target), _) => self.go_on(&mut path, target),
            (None, 1) => End::Throw(self.object(&mut path)),
            (None, 2) => {
                let target = self.choices.below(self.procedure.predicates.len());
                self.go_on(&mut path, target)
            }
            _ => {
                let kind = self.procedure.result_kind();
                End::Return(kind.map(|kind| self.operand(&path, kind)))
            }
        };
        let (body, instructions) = self.place(predicate, &path.guards, path.body);
        Rule { guards: path.guards, body, end, variables: path.variables, instructions }
    }

    /// Gives the literals of a rule instructions to come from, among others.
    fn place(
        &mut self,
        predicate: usize,
        guards: &[Guard],
        literals: Vec<Literal>,
    ) -> (Vec<Placed>, Vec<InstructionRef>) {
        let (kind, decision) = {
            let predicate = &self.procedure.predicates[predicate];
            (predicate.kind, predicate.pc)
        };
        let threw = guards.iter().any(|guard| matches!(guard, Guard::Threw(..)));
        let goes_on = kind == PredicateKind::Choice && !threw;
        let has_instructions = self.choices.below(4) > 0;
        let mut instructions = Vec::new();
        let mut body = Vec::new();
        for literal in literals {
            let is_of_decision = goes_on && instructions.is_empty() && self.choices.flag();
            if !has_instructions || is_of_decision {
                body.push(Placed { pc: decision, literal });
                continue;
            }
            self.others(5, &mut instructions);
            let of_literal: Vec<Opcode> =
                opcodes().filter(|opcode| may_be_of(&literal, *opcode)).collect();
            let opcode = self.choices.of(&of_literal);
            let pc = self.instruction(opcode, &mut instructions);
            body.push(Placed { pc, literal });
        }
        if has_instructions {
            self.others(10, &mut instructions);
        }
        (body, instructions)
    }

    /// Instructions that no literal comes from, though it could.
    fn others(&mut self, limit: usize, instructions: &mut Vec<InstructionRef>) {
        let opcodes: Vec<Opcode> = opcodes().collect();
        for _ in 0..self.choices.below(limit) {
            let opcode = self.choices.of(&opcodes);
            self.instruction(opcode, instructions);
        }
    }

    /// Each is in one rule only; the order within a rule is that of execution.
    fn instruction(&mut self, opcode: Opcode, instructions: &mut Vec<InstructionRef>) -> u16 {
        self.next_pc = self.next_pc.wrapping_sub(3);
        let line = self.choices.of(&[7, 8, 0, 65535]);
        instructions.push(InstructionRef { pc: self.next_pc, opcode, line });
        self.next_pc
    }

    pub(super) fn go_on(&mut self, path: &mut Path, target: usize) -> End {
        let parameters = self.procedure.predicates[target].parameters.clone();
        let mut arguments = Vec::new();
        for parameter in &parameters {
            arguments.push(self.argument(path, parameter));
        }
        if let Some(exit) = parameters.iter().position(|p| p.kind == Kind::Exit) {
            let (result, exit_variable) = self.call(path);
            arguments[exit] = Operand::Variable(exit_variable);
            if let (Some(position), Some(result)) = (self.results[target], result)
                && path.variables[result.0 as usize].kind == parameters[position].kind
            {
                arguments[position] = Operand::Variable(result);
            }
        }
        End::Continue(target.into(), arguments)
    }

    pub(super) fn argument(&mut self, path: &mut Path, parameter: &Variable) -> Operand {
        let target = VarId(0);
        match parameter.array {
            Some(array) => {
                let known = path.known.iter().position(|known| known.array == Some(array));
                match known {
                    Some(index) => Operand::Variable(VarId(index as u32)),
                    None => {
                        let literal = Literal::NewArray {
                            target,
                            class: array.class,
                            length: Operand::Int(array.length),
                        };
                        self.push(path, Kind::Reference, literal)
                    }
                }
            }
            None if parameter.non_null => self.object(path),
            None => self.operand(path, parameter.kind),
        }
    }

    pub(super) fn call(&mut self, path: &mut Path) -> (Option<VarId>, VarId) {
        let (callee, descriptor, has_receiver) = self.callee();
        let mut arguments = Vec::new();
        if has_receiver {
            arguments.push(self.object(path));
        }
        for kind in Kind::of_parameters(&descriptor) {
            arguments.push(self.operand(path, kind));
        }
        let result = match self.procedure.tables.result_kind(callee) {
            Some(kind) if self.choices.flag() => Some(self.bind(path, kind, Facts::NOTHING)),
            _ => None,
        };
        let exit = self.bind(path, Kind::Exit, Facts::NOTHING);
        path.body.push(Literal::Call(Call { callee, arguments, result, exit }));
        (result, exit)
    }

    pub(super) fn callee(&mut self) -> (Callee, String, bool) {
        let method = method(&mut self.choices);
        let descriptor = method.descriptor.to_string();
        let tables = &mut self.procedure.tables;
        let mut method = || tables.methods.add(method.clone()).into();
        match self.choices.below(8) {
            0 => (Callee::Static(method()), descriptor, false),
            1 => (Callee::Special(method()), descriptor, true),
            2 => (Callee::Virtual(method()), descriptor, true),
            3 => (Callee::Interface(method()), descriptor, true),
            4 => (Callee::Polymorphic(method()), descriptor, true),
            5 => {
                let site = site(&mut self.choices, &descriptor, 0);
                let site = self.procedure.tables.dynamics.add(site).into();
                (Callee::Dynamic(site), descriptor, false)
            }
            6 => {
                let site = site(&mut self.choices, "Ljava/lang/Object;", 0);
                let site = self.procedure.tables.dynamics.add(site).into();
                (Callee::DynamicConstant(site), String::new(), false)
            }
            _ => (Callee::Initialise(self.class()), String::new(), false),
        }
    }
}

/// All opcodes but those of subroutines, whose code may be there twice.
fn opcodes() -> impl Iterator<Item = Opcode> {
    let is_subroutine = |opcode: &Opcode| matches!(opcode.byte(), op::JSR | op::JSR_W);
    (0..=u8::MAX).filter_map(Opcode::from_byte).filter(move |opcode| !is_subroutine(opcode))
}
