//! What the code under test tells about the classes of its inputs.

use std::sync::Arc;

use petrel_classfile::{LoadableConstant, Operand, op};
use rustc_hash::FxHashSet;

use crate::members::ResolvedMethod;

/// Which classes are worth trying first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hints {
    /// Types that the code casts to or checks for, the most important first: internal names, or
    /// descriptors of array types.
    pub checked: Vec<Arc<str>>,
    /// The package of the code in internal form.
    pub package: Arc<str>,
    /// The length of the longest string that the code compares strings with.
    pub longest_constant: usize,
}

impl Hints {
    /// What a method's code tells.
    pub fn of(method: &ResolvedMethod) -> Hints {
        Hints {
            checked: checked_types(method),
            package: method.class().package().into(),
            longest_constant: longest_constant(method),
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

/// The length of the longest string constant in the code of a method's class that is an operand of a method of
/// `String` that gives a number or a truth value.
fn longest_constant(method: &ResolvedMethod) -> usize {
    let mut longest = 0;
    for method in method.class().methods().take(MOST_OTHERS) {
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
