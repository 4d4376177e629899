//! Register code: what rules are compiled to.
//!
//! Each variable of a rule has a register of its method's frame; a call of another predicate of the
//! same procedure is a jump. Guards are jumps that are taken where they do not hold.

use std::sync::Arc;

use petrel_clp::{ArithmeticKind, Comparison, MethodRef, Operation};
use rustc_hash::FxHashMap;

use crate::machine::link::MethodNumber;
use crate::machine::stop::{Feature, SourceLine};
use crate::machine::types::TypeId;
use crate::machine::value::Value;
use crate::observers::Site;

/// A register of a frame.
pub(crate) type Register = u16;

/// For results that nobody uses.
pub(super) const NO_REGISTER: Register = Register::MAX;

/// Place in the code.
pub(crate) type Address = u32;

/// An instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Op {
    Nop,
    Jump(Address),
    /// A jump backwards, which every iteration of a loop has: it is counted against the limit.
    JumpBack(Address),
    Move {
        to: Register,
        from: Register,
    },
    /// Loads an `int`.
    Int {
        to: Register,
        value: i32,
    },
    Constant {
        to: Register,
        constant: u32,
    },

    // The operations on ints that are frequent, and with a constant.
    AddInt {
        to: Register,
        left: Register,
        right: Register,
    },
    SubtractInt {
        to: Register,
        left: Register,
        right: Register,
    },
    MultiplyInt {
        to: Register,
        left: Register,
        right: Register,
    },
    AndInt {
        to: Register,
        left: Register,
        right: Register,
    },
    AddConstant {
        to: Register,
        left: Register,
        right: i32,
    },
    MultiplyConstant {
        to: Register,
        left: Register,
        right: i32,
    },
    AndConstant {
        to: Register,
        left: Register,
        right: i32,
    },
    ShiftLeftConstant {
        to: Register,
        left: Register,
        right: i32,
    },
    ShiftRightConstant {
        to: Register,
        left: Register,
        right: i32,
    },
    ShiftRightUnsignedConstant {
        to: Register,
        left: Register,
        right: i32,
    },
    AddLong {
        to: Register,
        left: Register,
        right: Register,
    },
    AddDouble {
        to: Register,
        left: Register,
        right: Register,
    },
    MultiplyDouble {
        to: Register,
        left: Register,
        right: Register,
    },
    IntToLong {
        to: Register,
        from: Register,
    },
    /// Any other operation.
    Compute {
        to: Register,
        operation: Operation,
        left: Register,
        right: Register,
    },

    // Guards: jumps where they do not hold.
    UnlessEqual {
        left: Register,
        right: Register,
        to: Address,
    },
    UnlessNotEqual {
        left: Register,
        right: Register,
        to: Address,
    },
    UnlessLess {
        left: Register,
        right: Register,
        to: Address,
    },
    UnlessGreaterOrEqual {
        left: Register,
        right: Register,
        to: Address,
    },
    UnlessEqualConstant {
        left: Register,
        right: i32,
        to: Address,
    },
    UnlessNotEqualConstant {
        left: Register,
        right: i32,
        to: Address,
    },
    UnlessLessConstant {
        left: Register,
        right: i32,
        to: Address,
    },
    UnlessGreaterOrEqualConstant {
        left: Register,
        right: i32,
        to: Address,
    },
    UnlessGreaterConstant {
        left: Register,
        right: i32,
        to: Address,
    },
    UnlessLessOrEqualConstant {
        left: Register,
        right: i32,
        to: Address,
    },
    /// A comparison of other numbers; whether NaN satisfies it is the last part.
    UnlessCompares {
        test: NumberTest,
        left: Register,
        right: Register,
        to: Address,
    },
    UnlessNull {
        object: Register,
        to: Address,
    },
    UnlessNonNull {
        object: Register,
        to: Address,
    },
    UnlessSame {
        left: Register,
        right: Register,
        to: Address,
    },
    UnlessDifferent {
        left: Register,
        right: Register,
        to: Address,
    },
    UnlessInBounds {
        array: Register,
        index: Register,
        to: Address,
    },
    UnlessOutOfBounds {
        array: Register,
        index: Register,
        to: Address,
    },
    /// `instanceof` as a guard: not null, and an instance.
    UnlessInstance {
        object: Register,
        class: TypeId,
        to: Address,
    },
    UnlessNotInstance {
        object: Register,
        class: TypeId,
        to: Address,
    },
    /// Null or an instance.
    UnlessCastable {
        object: Register,
        class: TypeId,
        to: Address,
    },
    UnlessNotCastable {
        object: Register,
        class: TypeId,
        to: Address,
    },
    UnlessStorable {
        array: Register,
        value: Register,
        to: Address,
    },
    UnlessNotStorable {
        array: Register,
        value: Register,
        to: Address,
    },
    Switch {
        value: Register,
        table: u32,
    },

    NewObject {
        to: Register,
        class: TypeId,
    },
    NewArray {
        to: Register,
        class: TypeId,
        length: Register,
    },
    NewMultiArray {
        to: Register,
        class: TypeId,
        lengths: u32,
    },
    ArrayLength {
        to: Register,
        array: Register,
    },
    GetField {
        to: Register,
        object: Register,
        slot: u16,
    },
    /// Reads a field if the object is known and not null, and skips the guard and the general
    /// instruction, which follow.
    TryGetField {
        to: Register,
        object: Register,
        slot: u16,
        then: Address,
    },
    SetField {
        object: Register,
        slot: u16,
        value: Register,
    },
    GetStatic {
        to: Register,
        field: u32,
    },
    /// A static field is going to be read that may hold something else in other runs.
    SeeChangingStatic(u32),
    /// Calls a method once, before a static field is read.
    Prepare(MethodNumber),
    SetStatic {
        field: u32,
        value: Register,
    },
    /// The same for an element, if the array and the index are known and fit.
    TryGetArray {
        to: Register,
        array: Register,
        index: Register,
        then: Address,
    },
    /// The same for writing a number into an array.
    TrySetArray {
        array: Register,
        index: Register,
        value: Register,
        then: Address,
    },
    GetArray {
        to: Register,
        array: Register,
        index: Register,
    },
    SetArray {
        array: Register,
        index: Register,
        value: Register,
    },
    InstanceOf {
        to: Register,
        object: Register,
        class: TypeId,
    },
    LoadString {
        to: Register,
        string: u32,
    },
    LoadClass {
        to: Register,
        class: TypeId,
    },
    NewThrowable {
        to: Register,
        throwable: u32,
    },
    /// What this engine does not do, by the number of its description.
    Unsupported(u32),

    Call(u32),
    Return {
        value: Register,
    },
    ReturnNothing,
    Throw {
        exception: Register,
    },
    /// The end of what was asked for.
    Halt,

    // What is observed of a derivation that makes choices.
    /// A rule is applied, by its number among all rules.
    Apply(u32),
    /// The same for a rule of the class library, which is no step of the program.
    ApplyLibrary(u32),
    /// An operation follows that may overflow, by its number among those that are watched.
    Watch(u32),
    /// The rule applied last makes an array of this size.
    Parameter {
        size: Register,
    },
    /// A call of the method begins: its counters, from the first on, are set.
    Activate {
        first: Register,
        count: u16,
    },
    /// A predicate occurs once more among the ancestors.
    Occur {
        counter: Register,
    },
    /// A loop is entered.
    EnterLoop {
        counter: Register,
    },
    /// An iteration of a loop is over.
    Iterate {
        counter: Register,
    },
}

impl Op {
    /// Where it may lead to besides the next instruction.
    pub(crate) fn target_mut(&mut self) -> Option<&mut Address> {
        match self {
            Op::Jump(to)
            | Op::UnlessEqual { to, .. }
            | Op::UnlessNotEqual { to, .. }
            | Op::UnlessLess { to, .. }
            | Op::UnlessGreaterOrEqual { to, .. }
            | Op::UnlessEqualConstant { to, .. }
            | Op::UnlessNotEqualConstant { to, .. }
            | Op::UnlessLessConstant { to, .. }
            | Op::UnlessGreaterOrEqualConstant { to, .. }
            | Op::UnlessGreaterConstant { to, .. }
            | Op::UnlessLessOrEqualConstant { to, .. }
            | Op::UnlessCompares { to, .. }
            | Op::UnlessNull { to, .. }
            | Op::UnlessNonNull { to, .. }
            | Op::UnlessSame { to, .. }
            | Op::UnlessDifferent { to, .. }
            | Op::UnlessInBounds { to, .. }
            | Op::UnlessOutOfBounds { to, .. }
            | Op::UnlessInstance { to, .. }
            | Op::UnlessNotInstance { to, .. }
            | Op::UnlessCastable { to, .. }
            | Op::UnlessNotCastable { to, .. }
            | Op::UnlessStorable { to, .. }
            | Op::UnlessNotStorable { to, .. }
            | Op::JumpBack(to) => Some(to),
            _ => None,
        }
    }
}

/// A comparison of two numbers of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NumberTest {
    pub(crate) kind: ArithmeticKind,
    pub(crate) comparison: Comparison,
    /// Whether NaN satisfies it.
    pub(crate) nan: bool,
}

/// What a call goes to.
#[derive(Debug, Clone)]
pub(super) enum Target {
    /// This method.
    Method(MethodNumber),
    /// The method that is selected for the receiver; with the last receiver's class and method.
    Selected { method: MethodNumber, last: (TypeId, MethodNumber) },
    /// Initialisation of a class.
    Initialise(TypeId),
    /// A signature-polymorphic method: its name, and the descriptor of the call.
    Polymorphic { name: Box<str>, descriptor: Box<str> },
    /// What this engine does not do.
    Unsupported(Box<Feature>),
}

/// A call as it stands in the code. Its instruction is followed by what happens on return.
#[derive(Debug, Clone)]
pub(super) struct CallSite {
    pub(super) target: Target,
    pub(super) arguments: Box<[Register]>,
    /// Where the result goes.
    pub(super) result: Register,
    /// Where an exception goes, and where the derivation goes on then.
    pub(super) exception: Register,
    pub(super) on_throw: Address,
    /// Size of the caller's frame.
    pub(super) frame: u16,
}

/// A choice by the value of an `int`.
#[derive(Debug, Clone)]
pub(crate) struct SwitchTable {
    /// Values in ascending order, with where they lead to.
    pub(crate) cases: Vec<(i32, Address)>,
    pub(crate) default: Address,
    /// The same for values that lie close together: the first, and the targets from there on.
    pub(super) dense: Option<(i32, Box<[Address]>)>,
}

impl SwitchTable {
    /// Builds the direct table if it is not much larger than the cases are many.
    pub(super) fn seal(&mut self) {
        self.cases.sort_unstable_by_key(|&(value, _)| value);
        let (Some(&(low, _)), Some(&(high, _))) = (self.cases.first(), self.cases.last()) else {
            return;
        };
        let span = i64::from(high) - i64::from(low) + 1;
        if span > 4 * self.cases.len() as i64 + 8 {
            return;
        }
        let mut targets = vec![self.default; span as usize].into_boxed_slice();
        for &(value, target) in &self.cases {
            targets[(value - low) as usize] = target;
        }
        self.dense = Some((low, targets));
    }

    #[inline]
    pub(super) fn target(&self, value: i32) -> Address {
        if let Some((low, targets)) = &self.dense {
            let offset = value.wrapping_sub(*low) as u32 as usize;
            return targets.get(offset).copied().unwrap_or(self.default);
        }
        match self.cases.binary_search_by_key(&value, |&(value, _)| value) {
            Ok(at) => self.cases[at].1,
            Err(_) => self.default,
        }
    }
}

/// The message of an exception that the JVM makes, in registers.
#[derive(Debug, Clone)]
pub(super) enum MessageSource {
    None,
    Text(u32),
    Bounds { array: Register, index: Register },
    Size(Register),
    Cast { object: Register, class: TypeId },
    Store { value: Register },
    Null { pc: u16 },
}

/// An exception that the JVM makes.
#[derive(Debug, Clone)]
pub(super) struct ThrowableSource {
    pub(crate) class: TypeId,
    pub(super) message: MessageSource,
}

/// Where a stretch of code comes from.
#[derive(Debug, Clone, Copy)]
pub(super) struct CodeRange {
    pub(super) start: Address,
    pub(crate) method: MethodNumber,
}

/// A rule that was compiled.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RuleOrigin {
    pub(crate) method: MethodNumber,
    pub(crate) predicate: u32,
    pub(crate) rule: u32,
}

/// How a rule is shown.
#[derive(Debug)]
pub(crate) struct RuleShown {
    /// The name of its predicate in a trace.
    pub(crate) name: Arc<str>,
    /// The same with the class.
    pub(super) qualified_name: Arc<str>,
    /// Its number, from 1 on.
    pub(crate) number: u32,
    /// Whether a call of its method begins with it.
    pub(crate) is_entry: bool,
    /// Whether it goes on in another predicate.
    pub(crate) goes_on: bool,
    /// Its method.
    pub(crate) method: MethodRef,
    /// The method that it calls.
    pub(super) callee: Option<MethodRef>,
    /// The names of the sizes of arrays that it makes.
    pub(crate) parameters: Box<[Box<str>]>,
    /// Its source lines, by number, if it is one of the program.
    pub(crate) lines: Box<[u32]>,
}

impl RuleShown {
    /// What it is called in the trace of a rule that calls its method. A method that the rule does not
    /// name itself has its class before it.
    pub(crate) fn name_for(&self, caller: Option<&RuleShown>) -> &Arc<str> {
        let is_named = caller.is_none_or(|caller| caller.callee.as_ref() == Some(&self.method));
        if is_named { &self.name } else { &self.qualified_name }
    }
}

/// An operation that is looked at before it is performed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Watched {
    pub(crate) site: Site,
    pub(crate) operation: Operation,
    pub(crate) left: WatchedOperand,
    pub(crate) right: WatchedOperand,
}

/// An operand of an operation that is looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) enum WatchedOperand {
    Register(Register),
    Constant(Value),
}

/// The code of all methods that were compiled.
#[derive(Debug, Default)]
pub(crate) struct Code {
    /// Rules, if their application is observed.
    pub(crate) rules: Vec<RuleOrigin>,
    /// How they are shown.
    pub(crate) rules_shown: Vec<RuleShown>,
    /// The source lines of rules of the program, each once.
    pub(crate) lines: Vec<SourceLine>,
    line_numbers: FxHashMap<SourceLine, u32>,
    pub(crate) ops: Vec<Op>,
    /// For each instruction the offset of the bytecode instruction that it comes from.
    pub(super) origins: Vec<u16>,
    pub(super) ranges: Vec<CodeRange>,
    pub(super) sites: Vec<CallSite>,
    pub(super) constants: Vec<Value>,
    pub(crate) switches: Vec<SwitchTable>,
    pub(super) register_lists: Vec<Box<[Register]>>,
    pub(super) throwables: Vec<ThrowableSource>,
    pub(super) strings: Vec<StringConstant>,
    pub(super) unsupported: Vec<Feature>,
    pub(super) watched: Vec<Watched>,
    /// For instructions that make objects, and calls: the registers with references that are needed behind them, if somebody asks
    /// what is reachable.
    pub(super) needed: FxHashMap<Address, Box<[Register]>>,
    /// The fields that instructions access, by ascending address.
    pub(super) fields: Vec<(Address, u32)>,
}

/// A string constant, and its object once it was made.
#[derive(Debug)]
pub(super) struct StringConstant {
    pub(crate) units: petrel_classfile::JavaString,
    pub(super) reference: crate::machine::value::Reference,
}

impl Code {
    /// How rules are shown, by their numbers.
    pub(crate) fn rules_shown(&self) -> &[RuleShown] {
        &self.rules_shown
    }

    /// Where a rule comes from, by its number.
    pub(crate) fn rule_origin(&self, rule: u32) -> RuleOrigin {
        self.rules[rule as usize]
    }

    /// An operation that is watched, by its number.
    pub(crate) fn watched(&self, number: u32) -> Watched {
        self.watched[number as usize]
    }

    /// The number of a source line.
    pub(super) fn line(&mut self, line: SourceLine) -> u32 {
        if let Some(&number) = self.line_numbers.get(&line) {
            return number;
        }
        let number = self.lines.len() as u32;
        self.lines.push(line.clone());
        self.line_numbers.insert(line, number);
        number
    }

    pub(super) fn next(&self) -> Address {
        self.ops.len() as Address
    }

    /// The field that an instruction accesses.
    pub(crate) fn field_at(&self, address: Address) -> Option<u32> {
        let found = self.fields.binary_search_by_key(&address, |&(address, _)| address).ok()?;
        Some(self.fields[found].1)
    }

    /// The method that an instruction belongs to, and the offset in its bytecode.
    pub(crate) fn origin(&self, address: Address) -> Option<(MethodNumber, u16)> {
        let after = self.ranges.partition_point(|range| range.start <= address);
        let range = self.ranges.get(after.checked_sub(1)?)?;
        Some((range.method, *self.origins.get(address as usize)?))
    }
}
