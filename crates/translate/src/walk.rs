//! Blocks to rules: a symbolic walk over the instructions of each block.
//!
//! The operand stack and the local variables exist only during the walk, as operands (variables of
//! the rule under way, or constants); loads, stores and stack shuffling leave no trace in the rule.
//! Straight-line instructions add literals. Where control can go two ways, the rule ends in a choice
//! predicate: a block is one rule, as in "Test Data Generation of Bytecode by CLP Partial
//! Evaluation", Def. 1.
//!
//! The families of instructions live in `operands`, `arrays`, `members` and `jumps`; `choices` has
//! what they share where a rule splits.

use std::collections::BTreeSet;

use petrel_classfile::{ClassFile, Instruction, Method, MethodDescriptor, flags, op};
use petrel_clp::{
    ClassId, InstructionRef, Kind, Literal, MethodRef, Operand, Placed, PredicateKind, Tables,
    VarId,
};
use petrel_program::control_flow::{ControlFlow, NodeId};
use petrel_program::liveness::Liveness;

use crate::draft::{DraftEnd, DraftPredicate, DraftRule, DraftVariable, NameHint, NarrowTypes};
use crate::error::{Refusal, TranslateError, refuse};
use crate::leaders::{Entry, Leaders, constant_kind};
use crate::linker::Linker;

/// The method that is translated.
pub(crate) struct Source<'a> {
    pub(crate) class: &'a ClassFile,
    pub(crate) method: &'a Method,
    pub(crate) reference: MethodRef,
    pub(crate) descriptor: MethodDescriptor,
    pub(crate) linker: Linker<'a>,
    pub(crate) flow: ControlFlow<'a>,
    pub(crate) liveness: Liveness,
    /// Source line of each instruction of the code; 0 where there is none.
    pub(crate) lines: Vec<u16>,
}

/// The values during the walk over a block.
#[derive(Debug, Clone, Default)]
pub(crate) struct State {
    pub(crate) locals: Vec<Option<Operand>>,
    pub(crate) stack: Vec<Operand>,
    /// Classes that are certainly initialised, ascending.
    pub(crate) initialised: Vec<ClassId>,
}

/// What follows an instruction within its block.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The next instruction.
    Next,
    /// The rule has ended.
    Done,
}

/// Blocks of real code are walked once or twice; only tangled code loses its facts one by one.
const MAX_PRECISE_WALKS: u32 = 8;

/// Limits for code that was made to hurt: parameters and guards of all rules together, and instructions
/// walked. The largest methods of the class library stay far below both.
const MAX_SIZE: usize = 1 << 23;
const MAX_STEPS: usize = 1 << 24;

/// The walk over a method.
pub(crate) struct Walk<'a> {
    pub(crate) source: &'a Source<'a>,
    pub(crate) tables: Tables,
    pub(crate) leaders: Leaders,
    /// Leaders to walk (again), in the order of the code.
    open: BTreeSet<u32>,
    // The block under way: its predicates, the first of which starts at the leader.
    pub(crate) predicates: Vec<DraftPredicate>,
    pub(crate) rule: DraftRule,
    /// The predicate that the rule under way belongs to.
    pub(crate) predicate: usize,
    pub(crate) state: State,
    pub(crate) node: NodeId,
    size: usize,
    steps: usize,
}

/// The predicates of each leader that control reaches; those of one leader refer to each other by
/// their position.
pub(crate) struct Walked {
    pub(crate) blocks: Vec<Option<Vec<DraftPredicate>>>,
    pub(crate) leaders: Leaders,
    pub(crate) tables: Tables,
    /// The entry's parameters, and its call of the first leader.
    pub(crate) entry: DraftPredicate,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(source: &'a Source<'a>) -> Self {
        Walk {
            source,
            tables: Tables::default(),
            leaders: Leaders::of(&source.flow, &source.liveness),
            open: BTreeSet::new(),
            predicates: Vec::new(),
            rule: DraftRule::new(Vec::new()),
            predicate: 0,
            state: State::default(),
            node: 0,
            size: 0,
            steps: 0,
        }
    }

    /// Walks all blocks that control reaches until nothing more is lost on arrival anywhere.
    pub(crate) fn run(mut self) -> Result<Walked, TranslateError> {
        let entry = self.enter().map_err(|refusal| self.place(refusal))?;
        let mut blocks = vec![None; self.leaders.leaders.len()];
        while let Some(number) = self.open.pop_first() {
            blocks[number as usize] =
                Some(self.walk_block(number).map_err(|refusal| self.place(refusal))?);
        }
        Ok(Walked { blocks, leaders: self.leaders, tables: self.tables, entry })
    }

    fn place(&self, refusal: Refusal) -> TranslateError {
        let pc = self.source.flow.instruction(self.node).pc;
        let method = self.source.reference.to_string();
        match refusal {
            Refusal::Unverifiable(reason) => TranslateError::Unverifiable { method, pc, reason },
            Refusal::Class(reason) => TranslateError::Class { method, reason },
            Refusal::ClassFile(error) => TranslateError::ClassFile(
                error
                    .within(format!("instruction {pc}"))
                    .within(format!(
                        "method {}{}",
                        self.source.reference.name, self.source.reference.descriptor
                    ))
                    .in_class(&self.source.reference.class),
            ),
        }
    }

    /// The entry predicate: all parameters of the method, and the call of the first block.
    fn enter(&mut self) -> Result<DraftPredicate, Refusal> {
        let source = self.source;
        let mut parameters = Vec::new();
        self.state.locals = vec![None; source.liveness.slots().len()];
        let mut slot = 0;
        let receiver = (!source.method.has_flags(flags::STATIC))
            .then(|| (1, DraftVariable::non_null(NameHint::This)));
        let declared = source.descriptor.parameters.iter().map(|java_type| {
            let variable = DraftVariable::of_descriptor(&java_type.to_string(), NameHint::Slot(0));
            (java_type.slots(), variable)
        });
        for (slots, mut variable) in receiver.into_iter().chain(declared) {
            if variable.hint != NameHint::This {
                variable.hint = self.parameter_hint(slot, parameters.len());
            }
            let operand = Operand::Variable(VarId(parameters.len() as u32));
            if let Some(index) = source.liveness.index(slot) {
                self.state.locals[index] = Some(operand);
            }
            parameters.push(variable);
            slot += slots as u16;
        }
        let mut rule = DraftRule::new(parameters.clone());
        rule.end = self.arrive(&rule, 0, &[])?;
        Ok(DraftPredicate {
            kind: PredicateKind::Entry,
            word: "",
            pc: 0,
            parameters,
            rules: vec![rule],
        })
    }

    fn walk_block(&mut self, number: u32) -> Result<Vec<DraftPredicate>, Refusal> {
        let leader = &mut self.leaders.leaders[number as usize];
        self.node = leader.node;
        leader.walks += 1;
        if let Some(entry) = leader.entry.as_mut().filter(|_| leader.walks > MAX_PRECISE_WALKS) {
            entry.forget();
        }
        let leader = &self.leaders.leaders[number as usize];
        let pc = self.source.flow.instruction(leader.node).pc;
        let Some(entry) = leader.entry.clone() else {
            return refuse("nothing leads here");
        };
        self.state = State {
            locals: vec![None; self.state.locals.len()],
            stack: Vec::new(),
            initialised: entry.initialised,
        };
        let mut parameters = Vec::new();
        for (position, value) in entry.values.iter().enumerate() {
            let operand = value.map(|variable| {
                parameters.push(variable);
                Operand::Variable(VarId(parameters.len() as u32 - 1))
            });
            match (leader.locals.get(position), operand) {
                (Some(&index), operand) => self.state.locals[index] = operand,
                (None, Some(operand)) => self.state.stack.push(operand),
                (None, None) => return refuse("the operand stacks that meet here do not fit"),
            }
        }
        let kind = if leader.is_handler { PredicateKind::Catch } else { PredicateKind::Block };
        let word = if leader.is_handler { "catch" } else { "cont" };
        self.predicates = vec![DraftPredicate { kind, word, pc, parameters, rules: Vec::new() }];
        self.predicate = 0;
        self.rule = self.new_rule()?;
        loop {
            self.note_instruction();
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return refuse("the code is too tangled to be translated");
            }
            if self.step()? == Step::Done {
                break;
            }
            let Some(next) = self.source.flow.next(self.node) else {
                return refuse("control falls off the end of the code");
            };
            if self.leaders.number(next).is_some() {
                self.go_to(next)?;
                break;
            }
            self.node = next;
        }
        Ok(std::mem::take(&mut self.predicates))
    }

    /// A new rule of the predicate under way.
    pub(crate) fn new_rule(&mut self) -> Result<DraftRule, Refusal> {
        let parameters = self.predicates[self.predicate].parameters.clone();
        self.charge(parameters.len())?;
        Ok(DraftRule::new(parameters))
    }

    /// Counts variables and guards against the limit.
    pub(crate) fn charge(&mut self, count: usize) -> Result<(), Refusal> {
        self.size += count;
        if self.size > MAX_SIZE {
            return refuse("the method has too many rules with too many variables or guards");
        }
        Ok(())
    }

    fn note_instruction(&mut self) {
        let instruction = self.instruction();
        let code = self.source.flow.code();
        let line = code.index_of(instruction.pc).map_or(0, |index| self.source.lines[index]);
        self.rule.instructions.push(InstructionRef {
            pc: instruction.pc,
            opcode: instruction.opcode,
            line,
        });
    }

    pub(crate) fn instruction(&self) -> &'a Instruction {
        self.source.flow.instruction(self.node)
    }

    /// Dispatches to the family of the instruction.
    fn step(&mut self) -> Result<Step, Refusal> {
        let instruction = self.instruction();
        match instruction.opcode.byte() {
            op::LDC | op::LDC_W | op::LDC2_W => self.load_constant(instruction),
            op::NOP..=op::SIPUSH => self.push_constant(instruction),
            op::ILOAD..=op::ALOAD_3 => self.load_local(instruction),
            op::IALOAD..=op::SALOAD => self.load_element(instruction),
            op::ISTORE..=op::ASTORE_3 => self.store_local(instruction),
            op::IASTORE..=op::SASTORE => self.store_element(instruction),
            op::POP..=op::SWAP => self.shuffle(instruction),
            op::IADD..=op::LXOR => self.arithmetic(instruction),
            op::IINC => self.increment(instruction),
            op::I2L..=op::I2S => self.convert(instruction),
            op::LCMP..=op::DCMPG => self.compare(instruction),
            op::IFEQ..=op::IF_ACMPNE | op::IFNULL | op::IFNONNULL => self.branch(instruction),
            op::GOTO | op::GOTO_W | op::JSR | op::JSR_W | op::RET => self.jump(instruction),
            op::TABLESWITCH | op::LOOKUPSWITCH => self.switch(instruction),
            op::IRETURN..=op::RETURN => self.return_from_method(instruction),
            op::GETSTATIC..=op::PUTFIELD => self.access_field(instruction),
            op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => self.invoke(instruction),
            op::INVOKEDYNAMIC => self.invoke_dynamic(instruction),
            op::NEW => self.new_object(instruction),
            op::NEWARRAY | op::ANEWARRAY => self.new_array(instruction),
            op::MULTIANEWARRAY => self.new_multi_array(instruction),
            op::ARRAYLENGTH => self.array_length(),
            op::ATHROW => self.throw(),
            op::CHECKCAST => self.check_cast(instruction),
            op::INSTANCEOF => self.instance_of(instruction),
            op::MONITORENTER | op::MONITOREXIT => self.monitor(),
            other => refuse(format!("opcode {other} has no place here")),
        }
    }

    /// Ends the rule under way. The rule that goes on normally is the first of its predicate: the
    /// exceptional ones were added before it was finished.
    pub(crate) fn finish(&mut self, end: DraftEnd) {
        let mut rule = std::mem::replace(&mut self.rule, DraftRule::new(Vec::new()));
        rule.end = end;
        self.predicates[self.predicate].rules.insert(0, rule);
    }

    /// Ends the rule under way by going on at a leader.
    pub(crate) fn go_to(&mut self, target: NodeId) -> Result<(), Refusal> {
        let rule = std::mem::replace(&mut self.rule, DraftRule::new(Vec::new()));
        let stack = std::mem::take(&mut self.state.stack);
        let end = self.arrive(&rule, target, &stack)?;
        self.rule = rule;
        self.finish(end);
        Ok(())
    }

    /// Control goes from a rule to a leader: notes what is known there, and gives the rule's end.
    pub(crate) fn arrive(
        &mut self,
        rule: &DraftRule,
        target: NodeId,
        stack: &[Operand],
    ) -> Result<DraftEnd, Refusal> {
        let Some(number) = self.leaders.number(target) else {
            return refuse("a jump leads into the middle of a block");
        };
        let leader = &self.leaders.leaders[number as usize];
        let arguments: Vec<Option<Operand>> = leader
            .locals
            .iter()
            .map(|&index| self.state.locals[index])
            .chain(stack.iter().copied().map(Some))
            .collect();
        let pc = self.source.flow.instruction(target).pc;
        let values = arguments
            .iter()
            .enumerate()
            .map(|(position, argument)| {
                argument.map(|operand| {
                    let mut value = describe(rule, operand);
                    if let Some(&index) = leader.locals.get(position) {
                        let slot = self.source.liveness.slots()[index];
                        value.hint = self.slot_hint(slot, pc, value.hint);
                    }
                    value
                })
            })
            .collect();
        let arrival = Entry { values, initialised: self.state.initialised.clone() };
        let leader = &mut self.leaders.leaders[number as usize];
        let changed = match &mut leader.entry {
            Some(entry) => entry.meet(&arrival),
            none => {
                *none = Some(arrival);
                Some(true)
            }
        };
        match changed {
            Some(true) => {
                self.open.insert(number);
            }
            Some(false) => {}
            None => return refuse("the operand stacks that meet at a jump target do not fit"),
        }
        Ok(DraftEnd::Leader(number, arguments))
    }

    /// The name of a local variable slot at an offset; `fallback` if the class file has none.
    pub(crate) fn slot_hint(&self, slot: u16, pc: u16, fallback: NameHint) -> NameHint {
        match self.source.flow.code().variable_at(slot, pc) {
            Some(_) if fallback == NameHint::This => fallback,
            Some(variable) => NameHint::Source(variable.name),
            None => match fallback {
                NameHint::Word(_) => NameHint::Slot(slot),
                known => known,
            },
        }
    }

    fn parameter_hint(&self, slot: u16, position: usize) -> NameHint {
        if let hint @ NameHint::Source(_) = self.slot_hint(slot, 0, NameHint::Slot(slot)) {
            return hint;
        }
        let receiver = usize::from(!self.source.method.has_flags(flags::STATIC));
        let declared = &self.source.method.parameters;
        let named = declared.len() == self.source.descriptor.parameters.len();
        match declared.get(position - receiver).filter(|parameter| named && parameter.name != 0) {
            Some(parameter) => NameHint::Source(parameter.name),
            None => NameHint::Slot(slot),
        }
    }

    // The operand stack.

    pub(crate) fn push(&mut self, operand: Operand) {
        self.state.stack.push(operand);
    }

    pub(crate) fn pop_any(&mut self) -> Result<Operand, Refusal> {
        match self.state.stack.pop() {
            Some(operand) => Ok(operand),
            None => refuse("the operand stack is empty"),
        }
    }

    pub(crate) fn pop(&mut self, kind: Kind) -> Result<Operand, Refusal> {
        let operand = self.pop_any()?;
        let found = self.kind(operand);
        if found != kind {
            return refuse(format!("{found:?} is on the operand stack instead of {kind:?}"));
        }
        Ok(operand)
    }

    pub(crate) fn kind(&self, operand: Operand) -> Kind {
        describe(&self.rule, operand).kind
    }

    pub(crate) fn variable(&self, operand: Operand) -> Option<&DraftVariable> {
        match operand {
            Operand::Variable(variable) => self.rule.variables.get(variable.0 as usize),
            _ => None,
        }
    }

    /// A literal of the instruction under way.
    pub(crate) fn placed(&self, literal: Literal) -> Placed {
        Placed { pc: self.instruction().pc, literal }
    }

    /// Adds a literal to the rule under way.
    pub(crate) fn add(&mut self, literal: Literal) {
        let placed = self.placed(literal);
        self.rule.body.push(placed);
    }

    /// Adds a literal that binds a new variable, and pushes that.
    pub(crate) fn push_bound(
        &mut self,
        variable: DraftVariable,
        literal: impl FnOnce(VarId) -> Literal,
    ) {
        let target = self.bind(variable, literal);
        self.push(target);
    }

    /// Adds a literal that binds a new variable.
    pub(crate) fn bind(
        &mut self,
        variable: DraftVariable,
        literal: impl FnOnce(VarId) -> Literal,
    ) -> Operand {
        let target = self.rule.bind(variable);
        self.add(literal(target));
        Operand::Variable(target)
    }
}

/// What is known of an operand of a rule.
pub(crate) fn describe(rule: &DraftRule, operand: Operand) -> DraftVariable {
    match operand {
        Operand::Variable(variable) => rule.variables[variable.0 as usize],
        constant => {
            let kind = constant_kind(constant).unwrap_or(Kind::Int);
            let fits = match constant {
                Operand::Int(value) => NarrowTypes::of_constant(value),
                _ => NarrowTypes::NONE,
            };
            DraftVariable { fits, ..DraftVariable::new(kind, NameHint::Word("C")) }
        }
    }
}
