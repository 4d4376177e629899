//! Which registers are in use while a rule is compiled.

use petrel_clp::{Call, End, Literal, Message, Operand, Rule, VarId};

use super::Location;
use crate::machine::code::{NO_REGISTER, Register};

/// The registers of a frame.
#[derive(Debug, Default)]
pub(super) struct Registers {
    /// How many variables of the rule under way have each register.
    holders: Vec<u32>,
    /// Registers that variables of the rule are wanted in.
    reserved: Vec<Register>,
    temporaries: Vec<Register>,
    /// Registers that are in use all the time.
    fixed: std::ops::Range<Register>,
    most: usize,
    overflow: bool,
}

impl Registers {
    /// Size of the frame; `None` if it has too many registers.
    pub(super) fn frame_size(&self) -> Option<u16> {
        (!self.overflow).then_some(self.most as u16)
    }

    /// Takes registers that no variable gets.
    pub(super) fn fix(&mut self, registers: std::ops::Range<Register>) {
        self.fixed = registers;
    }

    /// Starts a rule, whose parameters are in these places; those that it does not use are free.
    pub(super) fn start(&mut self, locations: &[Location], last_uses: &[Option<usize>]) {
        self.holders.clear();
        self.reserved.clear();
        self.temporaries.clear();
        for register in self.fixed.clone() {
            self.hold(register);
        }
        for (index, location) in locations.iter().enumerate() {
            if let Location::Register(register) = location
                && last_uses.get(index).copied().flatten().is_some()
            {
                self.hold(*register);
            }
        }
    }

    /// Starts with everything in these places in use.
    pub(super) fn start_all(&mut self, locations: &[Location]) {
        self.start(locations, &vec![Some(usize::MAX); locations.len()]);
    }

    pub(super) fn hold(&mut self, register: Register) {
        let index = usize::from(register);
        if self.holders.len() <= index {
            self.holders.resize(index + 1, 0);
        }
        self.holders[index] += 1;
        self.most = self.most.max(index + 1);
    }

    pub(super) fn reserve(&mut self, registers: impl Iterator<Item = Register>) {
        self.reserved.extend(registers);
    }

    fn is_free(&self, register: Register) -> bool {
        self.holders.get(usize::from(register)).is_none_or(|&holders| holders == 0)
    }

    /// A register for a new variable: the wanted one if it is free.
    pub(super) fn take(&mut self, wanted: Option<Register>) -> Register {
        let register = match wanted {
            Some(register) if self.is_free(register) => register,
            _ => self.lowest_free(),
        };
        self.hold(register);
        register
    }

    fn lowest_free(&mut self) -> Register {
        let found = (0..NO_REGISTER - 1)
            .find(|&register| self.is_free(register) && !self.reserved.contains(&register));
        found.unwrap_or_else(|| {
            self.overflow = true;
            0
        })
    }

    pub(super) fn free(&mut self, register: Register) {
        if let Some(holders) = self.holders.get_mut(usize::from(register)) {
            *holders = holders.saturating_sub(1);
        }
    }

    /// A register until [`Registers::release_temporaries`].
    pub(super) fn temporary(&mut self) -> Register {
        let register = self.take(None);
        self.temporaries.push(register);
        register
    }

    pub(super) fn release_temporaries(&mut self) {
        for register in std::mem::take(&mut self.temporaries) {
            self.free(register);
        }
    }

    /// Frees the registers of variables that are used here for the last time.
    pub(super) fn release(
        &mut self,
        locations: &[Location],
        last_uses: &[Option<usize>],
        position: usize,
    ) {
        for (location, last_use) in locations.iter().zip(last_uses) {
            if *last_use == Some(position)
                && let Location::Register(register) = location
            {
                self.free(*register);
            }
        }
    }

    /// Registers for the parameters of a predicate that these arguments reach first: their own,
    /// unless they are constants or passed twice.
    pub(super) fn for_parameters(&mut self, arguments: &[Location]) -> Vec<Register> {
        self.start_all(arguments);
        let mut used = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let register = match argument {
                Location::Register(register) if !used.contains(register) => *register,
                _ => self.take(None),
            };
            used.push(register);
        }
        used
    }
}

/// For each variable of a rule the position in the body where it is used last: the length of the
/// body for its end, `None` if it is not used.
pub(super) fn last_uses(rule: &Rule) -> Vec<Option<usize>> {
    let mut last = vec![None; rule.variables.len()];
    let mut note = |operand: Operand, position: usize| {
        if let Operand::Variable(VarId(variable)) = operand
            && let Some(last) = last.get_mut(variable as usize)
        {
            *last = Some(position);
        }
    };
    for (position, literal) in rule.literals().enumerate() {
        for_each_operand(literal, |operand| note(operand, position));
    }
    let end = rule.body.len();
    match &rule.end {
        End::Continue(_, arguments) => {
            arguments.iter().for_each(|&argument| note(argument, end));
        }
        End::Return(value) => value.iter().for_each(|&value| note(value, end)),
        End::Throw(exception) => note(*exception, end),
    }
    last
}

/// The operands of a literal, in the order in which the code takes them.
pub(super) fn for_each_operand(literal: &Literal, mut visit: impl FnMut(Operand)) {
    match literal {
        Literal::Compute { operands, .. } => operands.iter().copied().for_each(visit),
        Literal::NewArray { length, .. } => visit(*length),
        Literal::NewMultiArray { lengths, .. } => lengths.iter().copied().for_each(visit),
        Literal::ArrayLength { array, .. } => visit(*array),
        Literal::GetField { object, .. } | Literal::InstanceOf { object, .. } => visit(*object),
        Literal::SetField { object, value, .. } => {
            visit(*object);
            visit(*value);
        }
        Literal::SetStatic { value, .. } => visit(*value),
        Literal::GetArray { array, index, .. } => {
            visit(*array);
            visit(*index);
        }
        Literal::SetArray { array, index, value, .. } => {
            visit(*array);
            visit(*index);
            visit(*value);
        }
        Literal::NewThrowable { message, .. } => match message {
            Message::Bounds { array, index } => {
                visit(*array);
                visit(*index);
            }
            Message::Size(operand)
            | Message::Cast { object: operand, .. }
            | Message::Store { value: operand } => visit(*operand),
            Message::None | Message::Text(_) | Message::Null { .. } => {}
        },
        Literal::Call(Call { arguments, .. }) => arguments.iter().copied().for_each(visit),
        Literal::NewObject { .. }
        | Literal::GetStatic { .. }
        | Literal::LoadString { .. }
        | Literal::LoadClass { .. }
        | Literal::LoadMethodHandle { .. }
        | Literal::LoadMethodType { .. } => {}
    }
}
