//! What the code under test tells about the classes of its inputs.

use std::collections::BTreeSet;
use std::sync::Arc;

use petrel_classfile::{
    ClassFile, Instruction, JavaString, JavaType, LoadableConstant, MethodDescriptor, Operand, op,
};
use rustc_hash::FxHashSet;

use crate::members::ResolvedMethod;

/// Which classes are worth trying first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hints {
    /// Types that the code casts to or checks for, and those of fields where it compares references, the most important
    /// first: internal names, or descriptors of array types.
    pub checked: Vec<Arc<str>>,
    /// The package of the code in internal form.
    pub package: Arc<str>,
    /// The length of the longest string that the code compares strings with.
    pub longest_constant: usize,
    /// Numbers that the code compares lengths, sizes and indices with, ascending.
    pub sizes: Vec<u32>,
    /// Whether the code asks if two references are the same object.
    pub compares_references: bool,
    /// Classes of the class library on whose objects the code calls methods that may change them, by their names.
    pub changed: Vec<Arc<str>>,
    /// What the code compares references with.
    pub compared: Vec<Compared>,
    /// The types whose `Class` objects the code names, by their descriptors.
    pub named_classes: Vec<Arc<str>>,
}

/// Something that code compares references with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compared {
    /// A constant string.
    Text(JavaString),
    /// What a static field holds, or an element of the array that it holds.
    Static {
        /// The class that the code names.
        class: Arc<str>,
        /// Its name.
        name: Arc<str>,
        /// Its descriptor.
        descriptor: Arc<str>,
    },
}

impl Hints {
    /// What a method's code tells.
    pub fn of(method: &ResolvedMethod) -> Hints {
        let reached = reached_in_class(method);
        let compares_references = reached.iter().any(compares_references);
        let mut checked = checked_types(method);
        let compared = compared(&reached);
        if compares_references {
            // What is in one field may be in another one, too, or in a static field.
            add_field_types(&reached, &mut checked);
            let statics = compared.iter().filter_map(|compared| match compared {
                Compared::Static { descriptor, .. } => type_name(descriptor),
                Compared::Text(_) => None,
            });
            statics.for_each(|name| add_new(&mut checked, name));
        }
        Hints {
            checked,
            package: method.class().package().into(),
            longest_constant: longest_constant(&reached),
            sizes: sizes(&reached),
            compares_references,
            changed: changed_classes(&reached),
            compared,
            named_classes: named_classes(&reached),
        }
    }
}

/// The types of `checkcast` and `instanceof` in the code of a method, then in the other methods of
/// its class, each once: internal names, or descriptors of array types. Types of exception handlers
/// do not count. Code that is malformed has none.
pub fn checked_types(method: &ResolvedMethod) -> Vec<Arc<str>> {
    let mut types = Vec::new();
    let mut seen = FxHashSet::default();
    let others = method.class().methods().filter(|other| other != method).take(MOST_OTHERS);
    for method in [method.clone()].into_iter().chain(others) {
        let file = &method.class().file;
        let Ok(Some(code)) = file.code(method.declaration()) else {
            continue;
        };
        for instruction in &code.instructions {
            if matches!(instruction.opcode.byte(), op::CHECKCAST | op::INSTANCEOF)
                && let Operand::Constant(index) = instruction.operand
                && let Ok(name) = file.constant_pool.class_name(index)
            {
                let name: Arc<str> = name.into();
                if seen.insert(Arc::clone(&name)) {
                    types.push(name);
                }
            }
        }
    }
    types
}

/// So many other methods of a class are looked through.
const MOST_OTHERS: usize = 256;

/// Longer constants are messages, as a rule.
const LONGEST: usize = 40;

/// So many instructions lie between a constant and the comparison that it is for.
const DISTANCE: usize = 4;

/// What is next to smaller sizes is tried anyway, and nobody makes larger ones.
const SIZES: std::ops::RangeInclusive<i64> = 3..=10_000;

/// So many sizes are of interest: the small ones, and the largest.
const MOST_SIZES: usize = 4;
/// So many things that references are compared with are worth trying.
const MOST_COMPARED: usize = 4;

/// So many classes that code names are worth trying where a `Class` is an input.
const MOST_NAMED_CLASSES: usize = 8;

/// A method, and what it calls in its class.
fn reached_in_class(method: &ResolvedMethod) -> Vec<ResolvedMethod> {
    let mut reached = vec![method.clone()];
    let mut next = 0;
    while let Some(method) = reached.get(next).cloned() {
        next += 1;
        let file = &method.class().file;
        let Ok(Some(code)) = file.code(method.declaration()) else { continue };
        for instruction in &code.instructions {
            let Operand::Constant(index) = instruction.operand else { continue };
            let is_call =
                (op::INVOKEVIRTUAL..=op::INVOKESTATIC).contains(&instruction.opcode.byte());
            let member = file.constant_pool.method(index).ok().filter(|_| is_call);
            let member = member.filter(|member| member.class == method.class().name());
            let called = member
                .and_then(|member| method.class().declared_method(member.name, member.descriptor));
            if let Some(called) = called
                && reached.len() < MOST_OTHERS
                && !reached.contains(&called)
            {
                reached.push(called);
            }
        }
    }
    reached
}

/// Whether the code of a method asks if two references are the same object.
fn compares_references(method: &ResolvedMethod) -> bool {
    let Ok(Some(code)) = method.class().file.code(method.declaration()) else { return false };
    code.instructions.iter().any(is_comparison)
}

/// The types of the references in fields that methods look into: internal names, or descriptors of array types.
fn add_field_types(methods: &[ResolvedMethod], types: &mut Vec<Arc<str>>) {
    for method in methods {
        let file = &method.class().file;
        let Ok(Some(code)) = file.code(method.declaration()) else { continue };
        for instruction in &code.instructions {
            if instruction.opcode.byte() != op::GETFIELD {
                continue;
            }
            let Some(member) = file.member_named(instruction) else { continue };
            if let Some(name) = type_name(member.descriptor) {
                add_new(types, name);
            }
        }
    }
}

fn add_new(types: &mut Vec<Arc<str>>, name: Arc<str>) {
    if !types.contains(&name) {
        types.push(name);
    }
}

/// What a reference of a type is called in class constants; `None` if it is no reference.
fn type_name(descriptor: &str) -> Option<Arc<str>> {
    match JavaType::parse(descriptor) {
        Ok(JavaType::Object(name)) => Some(name.into()),
        Ok(array @ JavaType::Array(_)) => Some(array.to_string().into()),
        _ => None,
    }
}

/// What is put on the stack shortly before methods compare references.
fn compared(methods: &[ResolvedMethod]) -> Vec<Compared> {
    let mut found = Vec::new();
    for method in methods {
        let file = &method.class().file;
        let Ok(Some(code)) = file.code(method.declaration()) else { continue };
        for (at, instruction) in code.instructions.iter().enumerate() {
            if !is_comparison(instruction) {
                continue;
            }
            for before in &code.instructions[at.saturating_sub(DISTANCE)..at] {
                let what = put_there(file, before);
                found.extend(what.filter(|what| !found.contains(what)));
            }
        }
    }
    found.truncate(MOST_COMPARED);
    found
}

/// A string or the content of a static field that an instruction puts on the stack.
fn put_there(file: &ClassFile, instruction: &Instruction) -> Option<Compared> {
    if instruction.opcode.byte() == op::GETSTATIC {
        let member = file.member_named(instruction)?;
        let is_reference = member.descriptor.starts_with(['L', '[']);
        return is_reference.then(|| Compared::Static {
            class: member.class.into(),
            name: member.name.into(),
            descriptor: member.descriptor.into(),
        });
    }
    let Operand::Constant(index) = instruction.operand else { return None };
    match file.constant_pool.loadable(index) {
        Ok(LoadableConstant::String(text)) => Some(Compared::Text(text)),
        _ => None,
    }
}

/// The types whose `Class` objects methods put on the stack: the first ones.
fn named_classes(methods: &[ResolvedMethod]) -> Vec<Arc<str>> {
    let mut found = Vec::new();
    for method in methods {
        let file = &method.class().file;
        let Ok(Some(code)) = file.code(method.declaration()) else { continue };
        for instruction in &code.instructions {
            if let Some(descriptor) = named_class(file, instruction) {
                add_new(&mut found, descriptor);
            }
        }
    }
    found.truncate(MOST_NAMED_CLASSES);
    found
}

/// The descriptor of the type whose `Class` object an instruction puts on the stack.
fn named_class(file: &ClassFile, instruction: &Instruction) -> Option<Arc<str>> {
    let Operand::Constant(index) = instruction.operand else { return None };
    if !matches!(instruction.opcode.byte(), op::LDC | op::LDC_W) {
        return None;
    }
    match file.constant_pool.loadable(index) {
        Ok(LoadableConstant::Class(name)) if name.starts_with('[') => Some(name.into()),
        Ok(LoadableConstant::Class(name)) => Some(format!("L{name};").into()),
        _ => None,
    }
}

fn is_comparison(instruction: &Instruction) -> bool {
    matches!(instruction.opcode.byte(), op::IF_ACMPEQ | op::IF_ACMPNE)
}

/// Methods whose names start so only look at their object, as a rule.
const LOOKING: [&str; 20] = [
    "get",
    "is",
    "has",
    "size",
    "length",
    "contains",
    "index",
    "lastIndex",
    "equals",
    "hashCode",
    "compare",
    "to",
    "char",
    "code",
    "sub",
    "starts",
    "ends",
    "iterator",
    "stream",
    "value",
];

/// The classes of the class library on whose objects methods are called that may change them. What is missed here is a
/// matter of what is tried, not of what is true.
fn changed_classes(methods: &[ResolvedMethod]) -> Vec<Arc<str>> {
    let mut found: Vec<Arc<str>> = Vec::new();
    for method in methods {
        let file = &method.class().file;
        let Ok(Some(code)) = file.code(method.declaration()) else { continue };
        for instruction in &code.instructions {
            if !matches!(instruction.opcode.byte(), op::INVOKEVIRTUAL | op::INVOKEINTERFACE) {
                continue;
            }
            let Some(called) = file.member_named(instruction) else { continue };
            let is_looking = LOOKING.iter().any(|start| called.name.starts_with(start));
            let is_known = found.iter().any(|known| **known == *called.class);
            if called.class.starts_with("java/") && !is_looking && !is_known {
                found.push(called.class.into());
            }
        }
    }
    found
}

/// Numbers in the code of methods next to calls of library methods that take or give an `int`.
fn sizes(methods: &[ResolvedMethod]) -> Vec<u32> {
    let mut found = BTreeSet::new();
    for method in methods {
        let file = &method.class().file;
        let Ok(Some(code)) = file.code(method.declaration()) else { continue };
        let called = |instruction: &Instruction| {
            let is_call =
                (op::INVOKEVIRTUAL..=op::INVOKEINTERFACE).contains(&instruction.opcode.byte());
            let member = file.member_named(instruction).filter(|_| is_call)?;
            let is_of_library = member.class.starts_with("java/");
            Some((is_of_library, MethodDescriptor::parse(member.descriptor).ok()?))
        };
        let is_about_size = |instruction: &Instruction, is_argument: bool| {
            let Some((true, descriptor)) = called(instruction) else { return false };
            let takes = |of| descriptor.parameters.contains(&of);
            let gives = |of| descriptor.result.as_ref() == Some(&of);
            match gives(JavaType::Char) || takes(JavaType::Char) {
                // What is next to it is a character, as a rule.
                true => is_argument && descriptor.parameters.last() == Some(&JavaType::Int),
                false => takes(JavaType::Int) || gives(JavaType::Int),
            }
        };
        let takes_character = |instruction: &Instruction| {
            called(instruction)
                .is_some_and(|(_, taken)| taken.parameters.last() == Some(&JavaType::Char))
        };
        for (at, instruction) in code.instructions.iter().enumerate() {
            let Some(number) = int_constant(file, instruction) else { continue };
            let is_character = code.instructions.get(at + 1).is_some_and(takes_character);
            if !SIZES.contains(&number) || is_character {
                continue;
            }
            let around = at.saturating_sub(DISTANCE)..(at + DISTANCE).min(code.instructions.len());
            let first = around.start;
            let mut calls = code.instructions[around].iter().enumerate();
            if calls.any(|(place, call)| is_about_size(call, first + place == at + 1)) {
                found.insert(number as u32);
            }
        }
    }
    let mut sizes: Vec<u32> = found.into_iter().collect();
    if sizes.len() > MOST_SIZES {
        let largest = sizes.split_off(sizes.len() - 1);
        sizes.truncate(MOST_SIZES - 1);
        sizes.extend(largest);
    }
    sizes
}

/// The number that an instruction pushes.
fn int_constant(file: &ClassFile, instruction: &Instruction) -> Option<i64> {
    let opcode = instruction.opcode.byte();
    match instruction.operand {
        _ if (op::ICONST_M1..=op::ICONST_5).contains(&opcode) => {
            Some(i64::from(opcode) - i64::from(op::ICONST_0))
        }
        Operand::Value(number) => Some(number.into()),
        Operand::Constant(index) => match file.constant_pool.loadable(index) {
            Ok(LoadableConstant::Integer(number)) => Some(number.into()),
            _ => None,
        },
        _ => None,
    }
}

/// The length of the longest string constant in the code of methods that is an operand of a method of
/// `String` that gives a number or a truth value.
fn longest_constant(methods: &[ResolvedMethod]) -> usize {
    let mut longest = 0;
    for method in methods {
        let file = &method.class().file;
        let Ok(Some(code)) = file.code(method.declaration()) else { continue };
        let pool = &file.constant_pool;
        for (at, instruction) in code.instructions.iter().enumerate() {
            let Operand::Constant(index) = instruction.operand else { continue };
            let Ok(LoadableConstant::String(text)) = pool.loadable(index) else { continue };
            let is_compared = code.instructions[at + 1..].iter().take(DISTANCE).any(|after| {
                let Operand::Constant(index) = after.operand else { return false };
                pool.method(index).is_ok_and(|member| {
                    member.class == "java/lang/String" && member.descriptor.ends_with(['Z', 'I'])
                })
            });
            if is_compared {
                longest = longest.max(text.0.len().min(LONGEST));
            }
        }
    }
    longest
}
