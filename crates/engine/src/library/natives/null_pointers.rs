//! The texts of `NullPointerException`s that the JVM throws (JEP 358).
//!
//! The text tells what could not be done, from the instruction, and what was null, from the
//! instructions that put it on the operand stack. To find these, the code is walked through with a
//! stack that holds, for each slot, the instruction that it comes from. The walk, its limits and its
//! quirks are those of HotSpot (`bytecodeUtils.cpp`), so that the texts are, too.

use petrel_classfile::{
    ClassFile, Code, Instruction, JavaType, MemberRef, MethodDescriptor, Operand, op,
};
use petrel_program::control_flow::falls_through;
use petrel_program::{ResolvedMethod, external_type};

use super::{Answer, Entry, give, give_reference, reference};
use crate::machine::{Machine, Platform, Stop, Value};

pub(super) const TABLE: &[Entry] =
    &[("java/lang/NullPointerException", "getExtendedNPEMessage", "()Ljava/lang/String;", message)];

/// How many dereferences are described.
const MOST_DETAIL: u32 = 5;

/// HotSpot gives up on code with more stack slots than this in all.
const MOST_SLOTS: usize = 1_000_000;

/// Null for exceptions that the program made itself.
fn message(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let known = machine.library.modelled.null_pointers.get(&reference(arguments, 0));
    let Some(&(method, pc)) = known else { return give(Value::NULL) };
    let method = machine.methods.get(method).resolved.clone();
    match describe(&method, pc) {
        Some(text) => give_reference(machine.new_text(&text)?),
        None => give(Value::NULL),
    }
}

/// Classes of which the library gets null where a JVM has an object, and what is missing then.
const WITHOUT_OBJECTS: &[(&str, Platform)] =
    &[("java/lang/Module", Platform::Modules), ("java/lang/ClassLoader", Platform::ClassLoaders)];

/// What is missing if an instruction of the class library found null: on a JVM, there is an object.
pub(crate) fn is_missing(method: &ResolvedMethod, pc: u16) -> Option<Platform> {
    let file = &method.class().file;
    let code = file.code(method.declaration()).ok()??;
    let called = file.member_named(&code.instructions[code.index_of(pc)?])?;
    let (_, topic) = WITHOUT_OBJECTS.iter().find(|(class, _)| *class == called.class)?;
    Some(*topic)
}

/// The text for a method's instruction that found null.
fn describe(method: &ResolvedMethod, pc: u16) -> Option<String> {
    if method.class().is_synthesised() {
        return None;
    }
    let file = &method.class().file;
    let code = file.code(method.declaration()).ok()??;
    let failed = code.index_of(pc)?;
    let walk = Walk::through(file, &code, failed);
    let description = Description { method, file, code: &code, walk: &walk };
    let instruction = &code.instructions[failed];
    let slot = null_slot(file, instruction)?;
    let mut text = description.failed_action(instruction)?;
    description.cause(&mut text, failed, slot);
    Some(text)
}

/// How deep in the stack an instruction expects the reference that was null.
fn null_slot(file: &ClassFile, instruction: &Instruction) -> Option<usize> {
    match instruction.opcode.byte() {
        op::GETFIELD | op::ATHROW | op::MONITORENTER | op::MONITOREXIT | op::ARRAYLENGTH => Some(0),
        op::IALOAD..=op::SALOAD => Some(1),
        op::LASTORE | op::DASTORE => Some(3),
        op::IASTORE..=op::SASTORE => Some(2),
        op::PUTFIELD => {
            let field = file.member_named(instruction)?;
            Some(JavaType::parse(field.descriptor).ok()?.slots())
        }
        op::INVOKEVIRTUAL | op::INVOKESPECIAL | op::INVOKEINTERFACE => {
            let called = file.member_named(instruction)?;
            // An exception that the program makes has a constructor's call for its place.
            let is_constructor = called.name == "<init>";
            let parsed = MethodDescriptor::parse(called.descriptor).ok()?;
            (!is_constructor).then(|| parsed.parameter_slots())
        }
        _ => None,
    }
}

/// An operand stack in which each slot is the number of the instruction that it comes from; `None`
/// if that depends on the way that was taken.
#[derive(Debug, Clone, Default)]
struct Stack {
    slots: Vec<Option<usize>>,
    /// Local variables below 64 that were assigned, as bits.
    written: u64,
}

impl Stack {
    fn push(&mut self, source: usize, width: usize) {
        self.slots.extend(std::iter::repeat_n(Some(source), width));
    }

    fn pop(&mut self, width: usize) {
        self.slots.truncate(self.slots.len().saturating_sub(width));
    }

    /// The source of a slot, counted from the top.
    fn source(&self, depth: usize) -> Option<usize> {
        let at = self.slots.len().checked_sub(depth + 1)?;
        self.slots.get(at).copied().flatten()
    }

    fn write(&mut self, slot: u16, width: u32) {
        for slot in u32::from(slot)..u32::from(slot) + width {
            self.written |= 1_u64.checked_shl(slot).unwrap_or_default();
        }
    }

    /// The few local variables beyond are taken to be written.
    fn was_written(&self, slot: u16) -> bool {
        1_u64.checked_shl(slot.into()).is_none_or(|bit| self.written & bit != 0)
    }

    fn merge(&mut self, other: &Stack) {
        for (slot, other) in self.slots.iter_mut().zip(&other.slots) {
            if slot != other {
                *slot = None;
            }
        }
        self.written |= other.written;
    }

    /// Puts a copy of the `count` topmost slots below the `below` ones that are under them.
    fn duplicate(&mut self, count: usize, below: usize) {
        let Some(start) = self.slots.len().checked_sub(count + below) else { return };
        let copy = self.slots[start + below..].to_vec();
        self.slots.splice(start..start, copy);
    }
}

/// The stacks before the instructions.
struct Walk {
    before: Vec<Option<Stack>>,
    found_new: bool,
    n_slots: usize,
}

impl Walk {
    /// Walks through the code, from its start on and again while that finds something new, until the
    /// stack at an instruction is known.
    fn through(file: &ClassFile, code: &Code, until: usize) -> Walk {
        let mut before = vec![None; code.instructions.len() + 1];
        before[0] = Some(Stack::default());
        for handler in &code.handlers {
            if let Some(at) = code.index_of(handler.handler)
                && before[at].is_none()
            {
                before[at] = Some(Stack { slots: vec![Some(at)], written: 0 });
            }
        }
        let mut walk = Walk { before, found_new: true, n_slots: 0 };
        let mut all_known = false;
        while !all_known && walk.found_new {
            all_known = true;
            walk.found_new = false;
            for at in 0..code.instructions.len() {
                all_known &= walk.before[at].is_some();
                walk.step(file, code, at);
                if at + 1 == until && walk.before[until].is_some() {
                    return walk;
                }
                if walk.n_slots > MOST_SLOTS {
                    return walk;
                }
            }
        }
        walk
    }

    fn step(&mut self, file: &ClassFile, code: &Code, at: usize) {
        let (Some(stack), Some(instruction)) = (&self.before[at], code.instructions.get(at)) else {
            return;
        };
        let mut stack = stack.clone();
        execute(file, instruction, at, &mut stack);
        if falls_through(instruction.opcode.byte()) {
            self.arrive(at + 1, &mut stack);
        }
        instruction.for_each_target(|target| {
            if let Some(target) = code.index_of(target) {
                self.arrive(target, &mut stack);
            }
        });
    }

    fn arrive(&mut self, at: usize, stack: &mut Stack) {
        match &self.before[at] {
            Some(known) => stack.merge(known),
            None => {
                self.found_new = true;
                self.n_slots += stack.slots.len();
            }
        }
        self.before[at] = Some(stack.clone());
    }
}

/// What an instruction does to the stack.
fn execute(file: &ClassFile, instruction: &Instruction, at: usize, stack: &mut Stack) {
    let byte = instruction.opcode.byte();
    match byte {
        op::DUP => stack.duplicate(1, 0),
        op::DUP_X1 => stack.duplicate(1, 1),
        op::DUP_X2 => stack.duplicate(1, 2),
        op::DUP2 => stack.duplicate(2, 0),
        op::DUP2_X1 => stack.duplicate(2, 1),
        op::DUP2_X2 => stack.duplicate(2, 2),
        op::SWAP => {
            let length = stack.slots.len();
            if length >= 2 {
                stack.slots.swap(length - 1, length - 2);
            }
        }
        _ => {
            let (popped, pushed) = file.stack_effect(instruction).unwrap_or_default();
            stack.pop(popped);
            stack.push(at, pushed);
        }
    }
    let is_write = matches!(byte, op::ISTORE..=op::ASTORE_3 | op::IINC);
    if let (true, Some((slot, width))) = (is_write, instruction.local()) {
        stack.write(slot, width);
    }
}

/// What words are made from.
struct Description<'a> {
    method: &'a ResolvedMethod,
    file: &'a ClassFile,
    code: &'a Code,
    walk: &'a Walk,
}

impl Description<'_> {
    fn failed_action(&self, instruction: &Instruction) -> Option<String> {
        let byte = instruction.opcode.byte();
        Some(match byte {
            op::IALOAD..=op::SALOAD => {
                format!("Cannot load from {} array", element_name(byte - op::IALOAD))
            }
            op::IASTORE..=op::SASTORE => {
                format!("Cannot store to {} array", element_name(byte - op::IASTORE))
            }
            op::ARRAYLENGTH => "Cannot read the array length".to_owned(),
            op::ATHROW => "Cannot throw exception".to_owned(),
            op::MONITORENTER => "Cannot enter synchronized block".to_owned(),
            op::MONITOREXIT => "Cannot exit synchronized block".to_owned(),
            op::GETFIELD => {
                format!("Cannot read field \"{}\"", self.file.member_named(instruction)?.name)
            }
            op::PUTFIELD => {
                format!("Cannot assign field \"{}\"", self.file.member_named(instruction)?.name)
            }
            _ => {
                format!("Cannot invoke \"{}\"", method_text(&self.file.member_named(instruction)?))
            }
        })
    }

    /// Adds what was null, if there are words for it.
    fn cause(&self, text: &mut String, at: usize, slot: usize) {
        let source = self.walk.before[at].as_ref().and_then(|stack| stack.source(slot));
        let Some(source) = source else { return };
        let mut words = String::new();
        if !self.expression(&mut words, at, slot, MOST_DETAIL) {
            return;
        }
        let is_call = matches!(
            self.code.instructions[source].opcode.byte(),
            op::INVOKEVIRTUAL..=op::INVOKEINTERFACE
        );
        let because = if is_call { "the return value of " } else { "" };
        text.push_str(&format!(" because {because}\"{words}\" is null"));
    }

    /// Writes the expression whose value is in a slot before an instruction; `false` if there are no
    /// words for it.
    fn expression(&self, text: &mut String, at: usize, slot: usize, detail: u32) -> bool {
        let Some(stack) = &self.walk.before[at] else { return false };
        let (true, Some(source)) = (detail > 0, stack.source(slot)) else { return false };
        let instruction = &self.code.instructions[source];
        let byte = instruction.opcode.byte();
        match byte {
            op::ILOAD | op::ALOAD | op::ILOAD_0..=op::ILOAD_3 | op::ALOAD_0..=op::ALOAD_3 => {
                let Some((local, _)) = instruction.local() else { return false };
                text.push_str(&self.local(instruction.pc, local, !stack.was_written(local)));
            }
            op::ACONST_NULL => text.push_str("null"),
            op::ICONST_M1..=op::ICONST_5 => {
                text.push_str(&(i32::from(byte) - i32::from(op::ICONST_0)).to_string());
            }
            op::BIPUSH | op::SIPUSH => match instruction.operand {
                Operand::Value(value) => text.push_str(&value.to_string()),
                _ => return false,
            },
            op::GETSTATIC => {
                let Some(field) = self.file.member_named(instruction) else { return false };
                text.push_str(&format!("{}.{}", class_text(field.class), field.name));
            }
            op::GETFIELD => {
                let Some(field) = self.file.member_named(instruction) else { return false };
                if self.expression(text, source, 0, detail - 1) {
                    text.push('.');
                }
                text.push_str(field.name);
            }
            op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => {
                let Some(called) = self.file.member_named(instruction) else { return false };
                text.push_str(&method_text(&called));
            }
            op::IALOAD | op::AALOAD => {
                if !self.expression(text, source, 1, detail - 1) {
                    text.push_str("<array>");
                }
                text.push('[');
                // The index keeps its words however deep the array is.
                if !self.expression(text, source, 0, detail) {
                    text.push_str("...");
                }
                text.push(']');
            }
            _ => return false,
        }
        true
    }

    fn local(&self, pc: u16, slot: u16, is_unwritten: bool) -> String {
        let named = self.code.local_variables.iter().find(|variable| {
            let end = u32::from(variable.start) + u32::from(variable.length);
            variable.slot == slot && variable.start <= pc && u32::from(pc) < end
        });
        if let Some(name) = named.and_then(|named| self.file.constant_pool.utf8(named.name).ok()) {
            return name.to_owned();
        }
        if !self.method.is_static() && slot == 0 && is_unwritten {
            return "this".to_owned();
        }
        match self.parameter(slot) {
            Some(number) if is_unwritten => format!("<parameter{number}>"),
            _ => format!("<local{slot}>"),
        }
    }

    /// The number of the parameter that starts out in a local variable, from 1 on.
    fn parameter(&self, slot: u16) -> Option<usize> {
        let parsed = MethodDescriptor::parse(self.method.descriptor()).ok()?;
        let mut first = usize::from(!self.method.is_static());
        let position = parsed.parameters.iter().position(|parameter| {
            let range = first..first + parameter.slots();
            first = range.end;
            range.contains(&usize::from(slot))
        });
        position.map(|position| position + 1)
    }
}

/// In the order of the instructions.
fn element_name(kind: u8) -> &'static str {
    const NAMES: [&str; 8] =
        ["int", "long", "float", "double", "object", "byte/boolean", "char", "short"];
    NAMES.get(usize::from(kind)).copied().unwrap_or_default()
}

fn class_text(name: &str) -> String {
    match name {
        "java/lang/Object" => "Object".to_owned(),
        "java/lang/String" => "String".to_owned(),
        _ => name.replace('/', "."),
    }
}

/// `String.indexOf(String, int)`.
fn method_text(method: &MemberRef<'_>) -> String {
    let parameters = MethodDescriptor::parse(method.descriptor).map(|parsed| parsed.parameters);
    let parameters: Vec<String> =
        parameters.unwrap_or_default().iter().map(parameter_text).collect();
    format!("{}.{}({})", class_text(method.class), method.name, parameters.join(", "))
}

fn parameter_text(java_type: &JavaType) -> String {
    let name = external_type(java_type);
    // HotSpot compares only the first letters, so that `StringBuilder` is shortened as well.
    let is_shortened = name.starts_with("java.lang.Object") || name.starts_with("java.lang.String");
    if is_shortened { name["java.lang.".len()..].to_owned() } else { name }
}
