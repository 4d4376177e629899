//! Calls and ends of rules.

use super::*;

impl Generator<'_> {
    pub(super) fn finish(&mut self, mut path: Path, must: Option<usize>) -> Rule {
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
        let mut instructions = Vec::new();
        for _ in 0..self.choices.below(30) {
            // Each in one rule only; the order within a rule is that of execution.
            self.next_pc = self.next_pc.wrapping_sub(3);
            instructions.push(InstructionRef {
                pc: self.next_pc,
                opcode: Opcode::from_byte((self.choices.byte()) % 100).unwrap(),
                line: self.choices.of(&[7, 8, 0, 65535]),
            });
        }
        Rule { guards: path.guards, body: path.body, end, variables: path.variables, instructions }
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
