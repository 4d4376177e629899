//! The code of one method, with probes and at other offsets.

use std::collections::BTreeMap;

use petrel_classfile::{ClassFileError, Code, Instruction, Operand, op};
use petrel_testcase::Edge;

use super::TooLarge;

/// The longest code of a method.
const MOST_CODE: usize = 65_535;
/// The longest code in which every jump can be a short one.
const MOST_SHORT: usize = 32_767;

/// How probes are called.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProbeCall {
    /// The constant of the method that is called.
    pub(super) method: u16,
    /// Number of the first probe.
    pub(super) first: u32,
    /// The constant of the first number that does not fit into an instruction. Those of the others follow.
    pub(super) first_constant: u16,
}

/// Probe numbers up to here are in the instruction itself.
pub(super) const MOST_SMALL: u32 = i16::MAX as u32;

/// Code with probes.
pub(super) struct Assembled {
    pub(super) code: Vec<u8>,
    /// For each old offset of an instruction, and for the end, the new one. Jumps lead there.
    offsets: BTreeMap<u32, u32>,
    /// As `offsets`, with the probe of the edge that falls into the instruction.
    pub(super) edges: Vec<Edge>,
}

impl Assembled {
    /// The new offset of an instruction, or of the end.
    pub(super) fn offset(&self, old: u32) -> Result<u16, ClassFileError> {
        let new = self.offsets.get(&old).and_then(|&new| u16::try_from(new).ok());
        new.ok_or_else(|| ClassFileError::new(format!("no instruction starts at {old}")))
    }
}

/// The edges of a conditional jump or switch in the order of the code, each once.
fn edges_of(instruction: &Instruction, next: u32) -> Vec<Edge> {
    let mut targets = Vec::new();
    instruction.for_each_target(|target| targets.push(target));
    if !is_switch(instruction.opcode.byte()) {
        // Behind the last instruction there is nothing to fall into: such code never gets there.
        targets.extend(u16::try_from(next).ok());
    }
    targets.sort_unstable();
    targets.dedup();
    targets.into_iter().map(|target| (instruction.pc, target)).collect()
}

fn is_switch(opcode: u8) -> bool {
    matches!(opcode, op::TABLESWITCH | op::LOOKUPSWITCH)
}

fn is_conditional(opcode: u8) -> bool {
    matches!(opcode, op::IFEQ..=op::IF_ACMPNE | op::IFNULL | op::IFNONNULL)
}

/// The edges of all conditional jumps and switches.
pub(super) fn edges(code: &Code) -> Vec<Edge> {
    let ends = next_offsets(code);
    let instructions = code.instructions.iter().zip(ends);
    instructions
        .filter(|(instruction, _)| {
            let opcode = instruction.opcode.byte();
            is_conditional(opcode) || is_switch(opcode)
        })
        .flat_map(|(instruction, next)| edges_of(instruction, next))
        .collect()
}

/// Where the next instruction is, for each one.
fn next_offsets(code: &Code) -> impl Iterator<Item = u32> {
    let starts = code.instructions.iter().skip(1).map(|instruction| u32::from(instruction.pc));
    starts.chain([code.length])
}

/// The jump that is taken when another one is not.
fn inverse(opcode: u8) -> u8 {
    match opcode {
        op::IFNULL => op::IFNONNULL,
        op::IFNONNULL => op::IFNULL,
        // The pairs begin with an odd number.
        _ => ((opcode + 1) ^ 1) - 1,
    }
}

/// Puts probes into code, whose bytes are `raw`.
pub(super) fn assemble(
    code: &Code,
    raw: &[u8],
    probes: ProbeCall,
) -> Result<Result<Assembled, TooLarge>, ClassFileError> {
    for wide in [false, true] {
        let mut assembler = Assembler {
            raw,
            probes,
            wide,
            out: Vec::new(),
            offsets: BTreeMap::new(),
            jumps: Vec::new(),
            edges: Vec::new(),
        };
        for (instruction, next) in code.instructions.iter().zip(next_offsets(code)) {
            assembler.instruction(instruction, next);
        }
        assembler.offsets.insert(code.length, assembler.out.len() as u32);
        let length = assembler.out.len();
        if length > MOST_CODE {
            return Ok(Err(TooLarge::Code));
        }
        if wide || length <= MOST_SHORT {
            return assembler.finish().map(Ok);
        }
    }
    Ok(Err(TooLarge::Code))
}

/// Where the distance of a jump is to be written.
#[derive(Debug, Clone, Copy)]
struct Jump {
    /// The offset that it is counted from.
    from: usize,
    /// Where the distance stands.
    at: usize,
    is_wide: bool,
    to: Place,
}

#[derive(Debug, Clone, Copy)]
enum Place {
    /// An instruction, by its old offset.
    Old(u16),
    /// A new offset.
    New(usize),
}

struct Assembler<'a> {
    raw: &'a [u8],
    probes: ProbeCall,
    /// Whether jumps of any distance are written.
    wide: bool,
    out: Vec<u8>,
    offsets: BTreeMap<u32, u32>,
    jumps: Vec<Jump>,
    edges: Vec<Edge>,
}

impl Assembler<'_> {
    fn instruction(&mut self, instruction: &Instruction, next: u32) {
        // What jumps here has its own probe; the one of the edge that falls in stands before.
        self.offsets.insert(u32::from(instruction.pc), self.out.len() as u32);
        let opcode = instruction.opcode.byte();
        match &instruction.operand {
            Operand::Target(target) if is_conditional(opcode) => {
                self.conditional(instruction, opcode, *target, next);
            }
            Operand::Target(target) => {
                let is_subroutine = matches!(opcode, op::JSR | op::JSR_W);
                self.jump(is_subroutine, *target);
            }
            Operand::Table(table) => {
                let mut words = vec![table.low];
                words.push(table.low.wrapping_add(table.targets.len() as i32 - 1));
                let cases = table.targets.iter().map(|&target| (None, target));
                self.switch(instruction, next, table.default, &words, cases.collect());
            }
            Operand::Lookup(lookup) => {
                let cases = lookup.cases.iter().map(|&(value, target)| (Some(value), target));
                let words = [lookup.cases.len() as i32];
                self.switch(instruction, next, lookup.default, &words, cases.collect());
            }
            _ => {
                let range = usize::from(instruction.pc)..next as usize;
                self.out.extend(self.raw.get(range).unwrap_or_default());
            }
        }
    }

    fn conditional(&mut self, instruction: &Instruction, opcode: u8, target: u16, next: u32) {
        let first = self.edges.len();
        let edges = edges_of(instruction, next);
        self.edges.extend(&edges);
        let number_of = |to: u32| edges.iter().position(|&(_, target)| u32::from(target) == to);
        let from = self.out.len();
        self.out.extend([inverse(opcode), 0, 0]);
        if let Some(number) = number_of(u32::from(target)) {
            self.probe(first + number);
        }
        self.jump(false, target);
        let behind = self.out.len();
        self.jumps.push(Jump { from, at: from + 1, is_wide: false, to: Place::New(behind) });
        if let Some(number) = number_of(next) {
            self.probe(first + number);
        }
    }

    /// A jump that is always taken, or the call of a subroutine.
    fn jump(&mut self, is_subroutine: bool, target: u16) {
        let from = self.out.len();
        let opcode = match (is_subroutine, self.wide) {
            (false, false) => op::GOTO,
            (false, true) => op::GOTO_W,
            (true, false) => op::JSR,
            (true, true) => op::JSR_W,
        };
        self.out.push(opcode);
        self.distance(from, self.wide, Place::Old(target));
    }

    fn distance(&mut self, from: usize, is_wide: bool, to: Place) {
        self.jumps.push(Jump { from, at: self.out.len(), is_wide, to });
        self.out.extend(std::iter::repeat_n(0, if is_wide { 4 } else { 2 }));
    }

    fn switch(
        &mut self,
        instruction: &Instruction,
        next: u32,
        default: u16,
        words: &[i32],
        cases: Vec<(Option<i32>, u16)>,
    ) {
        let first = self.edges.len();
        let edges = edges_of(instruction, next);
        self.edges.extend(&edges);
        let from = self.out.len();
        self.out.push(instruction.opcode.byte());
        while !self.out.len().is_multiple_of(4) {
            self.out.push(0);
        }
        // The probes follow the table, whose length is known.
        let mut slots = vec![(self.out.len(), default)];
        self.out.extend([0; 4]);
        self.out.extend(words.iter().flat_map(|word| word.to_be_bytes()));
        for (value, target) in cases {
            self.out.extend(value.into_iter().flat_map(i32::to_be_bytes));
            slots.push((self.out.len(), target));
            self.out.extend([0; 4]);
        }
        let mut places = BTreeMap::new();
        for (number, &(_, target)) in edges.iter().enumerate() {
            places.insert(target, self.out.len());
            self.probe(first + number);
            self.jump(false, target);
        }
        for (at, target) in slots {
            let to = places.get(&target).map_or(Place::Old(target), |&place| Place::New(place));
            self.jumps.push(Jump { from, at, is_wide: true, to });
        }
    }

    fn probe(&mut self, edge: usize) {
        let number = self.probes.first + edge as u32;
        match i16::try_from(number) {
            Ok(small) => {
                self.out.push(op::SIPUSH);
                self.out.extend(small.to_be_bytes());
            }
            Err(_) => {
                let large = number - self.probes.first.max(MOST_SMALL + 1);
                self.out.push(op::LDC_W);
                self.out.extend((self.probes.first_constant + large as u16).to_be_bytes());
            }
        }
        self.out.push(op::INVOKESTATIC);
        self.out.extend(self.probes.method.to_be_bytes());
    }

    fn finish(mut self) -> Result<Assembled, ClassFileError> {
        for jump in std::mem::take(&mut self.jumps) {
            let to = match jump.to {
                Place::New(offset) => offset as u32,
                Place::Old(target) => {
                    let found = self.offsets.get(&u32::from(target)).copied();
                    found.ok_or_else(|| {
                        ClassFileError::new(format!("the jump to {target} leads to no instruction"))
                    })?
                }
            };
            let distance = i64::from(to) - jump.from as i64;
            let far = || ClassFileError::new(format!("the jump by {distance} is too far"));
            let bytes = if jump.is_wide {
                i32::try_from(distance).map_err(|_| far())?.to_be_bytes().to_vec()
            } else {
                i16::try_from(distance).map_err(|_| far())?.to_be_bytes().to_vec()
            };
            for (byte, value) in self.out.iter_mut().skip(jump.at).zip(bytes) {
                *byte = value;
            }
        }
        Ok(Assembled { code: self.out, offsets: self.offsets, edges: self.edges })
    }
}
