//! The literals of a rule.

use super::*;

impl Generator<'_> {
    /// What a variable claims may be less than what is certain.
    pub(super) fn weaker(&mut self, certain: Facts) -> Facts {
        match self.choices.below(4) {
            1 => Facts::NOTHING,
            2 if certain.non_null => Facts::NON_NULL,
            _ => certain,
        }
    }

    pub(super) fn bind(&mut self, path: &mut Path, kind: Kind, certain: Facts) -> VarId {
        let claimed = self.weaker(certain);
        let variable = self.variable(&path.variables, kind, claimed);
        path.variables.push(variable);
        path.known.push(certain);
        VarId(path.variables.len() as u32 - 1)
    }

    /// Adds a literal that binds a variable.
    pub(super) fn push(&mut self, path: &mut Path, kind: Kind, mut literal: Literal) -> Operand {
        let target = self.bind(path, kind, Facts::of_binder(&literal));
        *literal.target_mut().unwrap() = target;
        path.body.push(literal);
        Operand::Variable(target)
    }

    pub(super) fn class(&mut self) -> ClassId {
        let class = self.choices.of(&CLASSES);
        self.procedure.tables.class(class)
    }

    pub(super) fn array_class(&mut self) -> ClassId {
        let class = self.choices.of(&ARRAYS);
        self.procedure.tables.class(class)
    }

    pub(super) fn object(&mut self, path: &mut Path) -> Operand {
        match self.usable(path, Kind::Reference, true) {
            Some(operand) => operand,
            None => {
                let class = self.class();
                let target = VarId(0);
                self.push(path, Kind::Reference, Literal::NewObject { target, class })
            }
        }
    }

    pub(super) fn literal(&mut self, path: &mut Path) {
        let target = VarId(0);
        match self.choices.below(15) {
            0 => self.compute(path),
            1 => {
                let class = self.class();
                self.push(path, Kind::Reference, Literal::NewObject { target, class });
            }
            2 => {
                let guarded = path.guards.iter().find_map(|guard| match guard {
                    Guard::Compare {
                        kind: ArithmeticKind::Int,
                        comparison: Comparison::GreaterOrEqual,
                        left,
                        right: Operand::Int(0),
                        ..
                    } => Some(*left),
                    _ => None,
                });
                let length = guarded.unwrap_or(Operand::Int(self.choices.below(3) as i32));
                let class = self.array_class();
                let literal = Literal::NewArray { target, class, length };
                self.push(path, Kind::Reference, literal);
            }
            3 => {
                let class = self.procedure.tables.class("[[[I");
                let lengths = vec![Operand::Int(2); 1 + self.choices.below(3)];
                let literal = Literal::NewMultiArray { target, class, lengths };
                self.push(path, Kind::Reference, literal);
            }
            4 => {
                let array = self.object(path);
                self.push(path, Kind::Int, Literal::ArrayLength { target, array });
            }
            5 => self.field_access(path),
            6 => self.array_access(path),
            7 => {
                let (object, class) = (self.operand(path, Kind::Reference), self.class());
                let literal = Literal::InstanceOf { target, object, class };
                self.push(path, Kind::Int, literal);
            }
            8 => {
                let string = self.procedure.tables.string(string(&mut self.choices));
                self.push(path, Kind::Reference, Literal::LoadString { target, string });
            }
            9 => {
                let class = self.class();
                self.push(path, Kind::Reference, Literal::LoadClass { target, class });
            }
            10 => {
                let handle = handle(&mut self.choices);
                let handle = self.procedure.tables.handles.add(handle).into();
                let literal = Literal::LoadMethodHandle { target, handle };
                self.push(path, Kind::Reference, literal);
            }
            11 => {
                let descriptor = self.procedure.tables.string("(I)V".into());
                let literal = Literal::LoadMethodType { target, descriptor };
                self.push(path, Kind::Reference, literal);
            }
            _ => {
                let message = self.message(path);
                let class = self.class();
                let literal = Literal::NewThrowable { target, class, message };
                self.push(path, Kind::Reference, literal);
            }
        }
    }

    pub(super) fn compute(&mut self, path: &mut Path) {
        use Operation::*;
        let kind = self.choices.of(&ARITHMETIC);
        let integer = self.choices.of(&ARITHMETIC[..2]);
        let operation = match self.choices.below(14) {
            0 => Add(kind),
            1 => Subtract(kind),
            2 => Multiply(kind),
            3 => Divide(kind),
            4 => Remainder(kind),
            5 => Negate(kind),
            6 => ShiftLeft(integer),
            7 => ShiftRight(integer),
            8 => ShiftRightUnsigned(integer),
            9 => And(integer),
            10 => Or(integer),
            11 => ExclusiveOr(integer),
            12 => {
                let ((kind, nan), _) = self.choices.of(&notation::COMPARES);
                Compare(kind, nan)
            }
            13 => SquareRoot(self.choices.of(&ARITHMETIC[2..])),
            _ => Convert(self.choices.of(&Conversion::ALL).0),
        };
        let (kinds, result) = operation.signature();
        let mut operands: Vec<Operand> = Vec::new();
        for kind in kinds {
            operands.push(self.operand(path, kind));
        }
        if let Divide(kind) | Remainder(kind) = operation {
            let guarded = path.guards.iter().find_map(|guard| match guard {
                Guard::Compare {
                    kind: compared,
                    comparison: Comparison::NotEqual,
                    left,
                    right: Operand::Int(0) | Operand::Long(0),
                    ..
                } if *compared == kind => Some(*left),
                _ => None,
            });
            match kind {
                ArithmeticKind::Int => operands[1] = guarded.unwrap_or(Operand::Int(-3)),
                ArithmeticKind::Long => operands[1] = guarded.unwrap_or(Operand::Long(-3)),
                _ => {}
            }
        }
        let literal = Literal::Compute { target: VarId(0), operation, operands };
        self.push(path, result, literal);
    }

    pub(super) fn field_access(&mut self, path: &mut Path) {
        let target = VarId(0);
        let field = field(&mut self.choices);
        let kind = Kind::of_descriptor(&field.descriptor);
        let field = self.procedure.tables.fields.add(field).into();
        match self.choices.below(4) {
            0 => {
                let object = self.object(path);
                let literal = Literal::GetField { target, object, field };
                self.push(path, kind, literal);
            }
            1 => {
                self.push(path, kind, Literal::GetStatic { target, field });
            }
            2 => {
                let object = self.object(path);
                let value = self.operand(path, kind);
                path.body.push(Literal::SetField { object, field, value });
            }
            _ => {
                let value = self.operand(path, kind);
                path.body.push(Literal::SetStatic { field, value });
            }
        }
    }

    pub(super) fn array_access(&mut self, path: &mut Path) {
        let known = path.known.iter().enumerate().find_map(|(index, facts)| {
            let array = facts.array.filter(|array| array.length > 0)?;
            Some((Operand::Variable(VarId(index as u32)), array))
        });
        let guarded = path.guards.iter().find_map(|guard| match guard {
            Guard::InBounds { array: array @ Operand::Variable(v), index }
                if path.known[v.0 as usize].array.is_none() =>
            {
                Some((*array, *index))
            }
            _ => None,
        });
        let (array, index, element) = match (known, guarded) {
            (Some((array, known)), _) => {
                let element = match self.procedure.tables.class_name(known.class) {
                    "[I" => ElementKind::Int,
                    "[Z" => ElementKind::ByteOrBoolean,
                    "[D" => ElementKind::Double,
                    _ => ElementKind::Reference,
                };
                (array, Operand::Int(known.length - 1), element)
            }
            (None, Some((array, index))) => (array, index, self.choices.of(&ElementKind::ALL).0),
            (None, None) => return,
        };
        if self.choices.flag() {
            let value = match element {
                ElementKind::Reference => Operand::Null,
                _ => self.operand(path, element.kind()),
            };
            path.body.push(Literal::SetArray { element, array, index, value });
        } else {
            let literal = Literal::GetArray { target: VarId(0), element, array, index };
            self.push(path, element.kind(), literal);
        }
    }

    pub(super) fn message(&mut self, path: &mut Path) -> Message {
        match self.choices.below(7) {
            0 => Message::None,
            1 => Message::Text(self.procedure.tables.string(string(&mut self.choices))),
            2 => Message::Bounds { array: self.object(path), index: self.operand(path, Kind::Int) },
            3 => Message::Size(self.operand(path, Kind::Int)),
            4 => Message::Cast { object: self.object(path), class: self.class() },
            5 => Message::Store { value: self.object(path) },
            _ => Message::Null { pc: self.choices.byte().into() },
        }
    }
}
