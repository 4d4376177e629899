//! Jumps, switches, returns and throws: instructions that end a block.

use petrel_classfile::{Instruction, Operand as Immediate, op};
use petrel_clp::{
    ArithmeticKind, Comparison, Conversion, Guard, Kind, Literal, Operand, Operation,
};
use petrel_program::control_flow::NodeId;

use crate::draft::{DraftEnd, DraftRule};
use crate::error::{Refusal, refuse};
use crate::operands::TYPED;
use crate::walk::{Step, Walk, describe};

/// Makes a guard of operands, which a split renames in between.
type MakeGuard = Box<dyn Fn(&[Operand]) -> Guard>;

impl Walk<'_> {
    /// Conditional jumps. Rule 1 is the jump, rule 2 goes on with the next instruction.
    pub(crate) fn branch(&mut self, instruction: &Instruction) -> Result<Step, Refusal> {
        let (mut operands, guard) = self.condition(instruction.opcode.byte())?;
        let (Some(next), &[target]) =
            (self.source.flow.next(self.node), self.source.flow.targets(self.node))
        else {
            return refuse("control falls off the end of the code");
        };
        self.split("if", &mut operands)?;
        let taken = guard(&operands);
        let Some(not_taken) = taken.negated() else {
            return refuse("not a condition");
        };
        self.leave_by(taken, target)?;
        self.leave_by(not_taken, next)?;
        Ok(Step::Done)
    }

    /// What a conditional jump asks: its operands, and the guard that they make.
    fn condition(&mut self, opcode: u8) -> Result<(Vec<Operand>, MakeGuard), Refusal> {
        let comparison = |first: u8| Comparison::ALL[usize::from(opcode - first)];
        Ok(match opcode {
            op::IFEQ..=op::IFLE => {
                let operand = self.pop(Kind::Int)?;
                self.compare_with_zero(comparison(op::IFEQ), operand)
            }
            op::IF_ICMPEQ..=op::IF_ICMPLE => {
                let right = self.pop(Kind::Int)?;
                let left = self.pop(Kind::Int)?;
                let comparison = comparison(op::IF_ICMPEQ);
                (vec![left, right], Box::new(move |o| Guard::compare_ints(comparison, o[0], o[1])))
            }
            op::IF_ACMPEQ | op::IF_ACMPNE => {
                let mut operands = vec![self.pop(Kind::Reference)?, self.pop(Kind::Reference)?];
                // Null, if it is one of them, comes first now or is put there.
                if operands[1] == Operand::Null {
                    operands.swap(0, 1);
                }
                let same = opcode == op::IF_ACMPEQ;
                let guard = move |o: &[Operand]| match (same, o[0]) {
                    (true, Operand::Null) => Guard::IsNull(o[1]),
                    (false, Operand::Null) => Guard::NonNull(o[1]),
                    (true, _) => Guard::Same(o[1], o[0]),
                    (false, _) => Guard::Different(o[1], o[0]),
                };
                (operands, Box::new(guard))
            }
            op::IFNULL => (vec![self.pop(Kind::Reference)?], Box::new(|o| Guard::IsNull(o[0]))),
            _ => (vec![self.pop(Kind::Reference)?], Box::new(|o| Guard::NonNull(o[0]))),
        })
    }

    /// Adds a rule that goes to a leader under a guard.
    fn leave_by(&mut self, guard: Guard, target: NodeId) -> Result<(), Refusal> {
        let mut rule = self.new_rule()?;
        if let Guard::NonNull(Operand::Variable(variable))
        | Guard::Instance(Operand::Variable(variable), _) = guard
        {
            rule.variables[variable.0 as usize].non_null = true;
        }
        rule.guards = vec![guard];
        let stack = self.state.stack.clone();
        rule.end = self.arrive(&rule, target, &stack)?;
        self.predicates[self.predicate].rules.push(rule);
        Ok(())
    }

    /// A comparison with zero; of the outcome of a comparison or type test that was made just for
    /// this, it is a guard on what was compared.
    fn compare_with_zero(
        &mut self,
        comparison: Comparison,
        operand: Operand,
    ) -> (Vec<Operand>, MakeGuard) {
        let fused = self.fuse(comparison, operand);
        if fused.is_some() {
            self.rule.body.pop();
            self.rule.variables.pop();
        }
        fused.unwrap_or_else(|| {
            let guard = move |o: &[Operand]| Guard::compare_ints(comparison, o[0], Operand::Int(0));
            (vec![operand], Box::new(guard))
        })
    }

    fn fuse(&self, comparison: Comparison, operand: Operand) -> Option<(Vec<Operand>, MakeGuard)> {
        let Operand::Variable(variable) = operand else {
            return None;
        };
        let is_last = variable.0 as usize + 1 == self.rule.variables.len();
        let stays =
            self.state.stack.contains(&operand) || self.state.locals.contains(&Some(operand));
        if !is_last || stays {
            return None;
        }
        match &self.rule.body.last()?.literal {
            Literal::Compute { target, operation: Operation::Compare(kind, nan), operands }
                if *target == variable =>
            {
                let (kind, nan) = (*kind, holds_for_nan(comparison, *nan));
                let guard = move |o: &[Operand]| Guard::Compare {
                    kind,
                    comparison,
                    left: o[0],
                    right: o[1],
                    nan,
                };
                Some((operands.clone(), Box::new(guard)))
            }
            &Literal::InstanceOf { target, object, class } if target == variable => {
                let guard: MakeGuard = match comparison {
                    Comparison::Equal => Box::new(move |o| Guard::NotInstance(o[0], class)),
                    Comparison::NotEqual => Box::new(move |o| Guard::Instance(o[0], class)),
                    _ => return None,
                };
                Some((vec![object], guard))
            }
            _ => None,
        }
    }

    /// `goto`, and `jsr` and `ret`, which are jumps once subroutines are inlined.
    pub(crate) fn jump(&mut self, instruction: &Instruction) -> Result<Step, Refusal> {
        if matches!(instruction.opcode.byte(), op::JSR | op::JSR_W) {
            // The return address: stored by the subroutine and read by nobody.
            self.push(Operand::Null);
        }
        let &[target] = self.source.flow.targets(self.node) else {
            return refuse("a jump leads nowhere");
        };
        self.go_to(target)?;
        Ok(Step::Done)
    }

    /// One rule for each place that a switch leads to, in the order of the smallest case; the
    /// default comes last.
    pub(crate) fn switch(&mut self, instruction: &Instruction) -> Result<Step, Refusal> {
        let targets = self.source.flow.targets(self.node);
        let Some((&default, targets)) = targets.split_first() else {
            return refuse("a switch leads nowhere");
        };
        let values: Vec<i32> = match &instruction.operand {
            Immediate::Table(table) => {
                (0..table.targets.len() as i32).map(|case| table.low.wrapping_add(case)).collect()
            }
            Immediate::Lookup(lookup) => lookup.cases.iter().map(|case| case.0).collect(),
            _ => return refuse("a switch has no cases"),
        };
        let mut groups: Vec<(NodeId, Vec<i32>)> = Vec::new();
        let mut group_of: rustc_hash::FxHashMap<NodeId, usize> = Default::default();
        for (value, &target) in values.into_iter().zip(targets) {
            if target == default {
                continue;
            }
            let group = *group_of.entry(target).or_insert_with(|| {
                groups.push((target, Vec::new()));
                groups.len() - 1
            });
            groups[group].1.push(value);
        }
        let mut operands = [self.pop(Kind::Int)?];
        if groups.is_empty() {
            self.go_to(default)?;
            return Ok(Step::Done);
        }
        self.split("switch", &mut operands)?;
        let [operand] = operands;
        let mut all: Vec<i32> = Vec::new();
        for (target, values) in groups {
            all.extend(&values);
            self.leave_by(Guard::OneOf(operand, values), target)?;
        }
        all.sort_unstable();
        self.leave_by(Guard::NoneOf(operand, all), default)?;
        Ok(Step::Done)
    }

    pub(crate) fn return_from_method(
        &mut self,
        instruction: &Instruction,
    ) -> Result<Step, Refusal> {
        let opcode = instruction.opcode.byte();
        let value = if opcode == op::RETURN {
            None
        } else {
            Some(self.pop(TYPED[usize::from(opcode - op::IRETURN)])?)
        };
        let wanted = Kind::of_result(&self.source.reference.descriptor);
        if wanted != value.map(|value| self.kind(value)) {
            return refuse("the returned value does not fit the method's descriptor");
        }
        let value = value.map(|value| self.narrow(value)).transpose()?;
        self.finish(DraftEnd::Return(value));
        Ok(Step::Done)
    }

    /// `ireturn` narrows to the type of the method. Compilers narrow before, so that hardly any
    /// value needs it.
    fn narrow(&mut self, value: Operand) -> Result<Operand, Refusal> {
        let descriptor = &self.source.reference.descriptor;
        let result = descriptor.rsplit(')').next().unwrap_or_default();
        if describe(&self.rule, value).fits.fits(result) {
            return Ok(value);
        }
        let (operation, operands) = match result {
            "Z" => (Operation::And(ArithmeticKind::Int), vec![value, Operand::Int(1)]),
            "B" => (Operation::Convert(Conversion::IntToByte), vec![value]),
            "C" => (Operation::Convert(Conversion::IntToChar), vec![value]),
            _ => (Operation::Convert(Conversion::IntToShort), vec![value]),
        };
        self.compute(operation, operands);
        self.pop(Kind::Int)
    }

    pub(crate) fn throw(&mut self) -> Result<Step, Refusal> {
        let mut exception = self.pop(Kind::Reference)?;
        if self.require_non_null(&mut exception, &mut [])? == Step::Done {
            return Ok(Step::Done);
        }
        let exact = self.variable(exception).and_then(|variable| variable.exact);
        if let Some(exact) = exact {
            let class = self.tables.class_name(exact).to_owned();
            let rule = std::mem::replace(&mut self.rule, DraftRule::new(Vec::new()));
            let end = self.throw_exact(&rule, &class, exception)?;
            self.rule = rule;
            self.finish(end);
            return Ok(Step::Done);
        }
        let is_covered = self.source.flow.handlers(self.node).next().is_some();
        if !is_covered {
            self.finish(DraftEnd::Throw(exception));
            return Ok(Step::Done);
        }
        let mut operands = [exception];
        self.state.stack.clear();
        self.split("throw", &mut operands)?;
        let [exception] = operands;
        self.add_handler_rules(&[], |_| exception)?;
        Ok(Step::Done)
    }
}

/// Whether a comparison of the outcome with zero holds for NaN, whose outcome is -1 or 1; `long` has
/// no NaN, which an outcome of 0 says.
fn holds_for_nan(comparison: Comparison, outcome: i8) -> bool {
    outcome != 0
        && match comparison {
            Comparison::Equal => false,
            Comparison::NotEqual => true,
            Comparison::Less | Comparison::LessOrEqual => outcome < 0,
            Comparison::Greater | Comparison::GreaterOrEqual => outcome > 0,
        }
}
