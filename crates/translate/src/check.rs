//! Rules against bytecode: a check of the translation that shares nothing with the walk but the
//! control flow.
//!
//! It verifies, for a method without subroutines, that
//!
//! - the instructions of a rule follow each other in the control flow, normally or by an exception;
//! - where a rule goes on, the instructions there follow its last one in the same way;
//! - everything that normally follows a translated instruction is translated too, unless the rule
//!   with the instruction certainly throws.

use petrel_classfile::{ClassFileError, Code, op};
use petrel_clp::{End, Literal, PredicateId, Procedure, Rule};
use petrel_program::control_flow::{ControlFlow, NodeId};
use rustc_hash::FxHashSet;

/// Everything in which the rules' instructions do not fit the code, in the order of the rules.
///
/// # Errors
///
/// If the code has no control flow.
pub fn check_instructions(
    code: &Code,
    procedure: &Procedure,
) -> Result<Vec<String>, ClassFileError> {
    let has_subroutines = code
        .instructions
        .iter()
        .any(|instruction| matches!(instruction.opcode.byte(), op::JSR | op::JSR_W | op::RET));
    if has_subroutines {
        return Ok(Vec::new());
    }
    let flow = ControlFlow::of(code)?;
    let check = Check { flow, procedure, translated: translated(procedure) };
    let mut problems = Vec::new();
    for rule in procedure.rules() {
        check.rule(rule, &mut problems);
    }
    Ok(problems)
}

fn translated(procedure: &Procedure) -> FxHashSet<u16> {
    procedure.instructions().map(|instruction| instruction.pc).collect()
}

struct Check<'a> {
    flow: ControlFlow<'a>,
    procedure: &'a Procedure,
    translated: FxHashSet<u16>,
}

impl Check<'_> {
    fn rule(&self, rule: &Rule, problems: &mut Vec<String>) {
        for pair in rule.instructions.windows(2) {
            if !self.follows(pair[0].pc, pair[1].pc) {
                problems.push(format!("{} does not follow {}", pair[1].pc, pair[0].pc));
            }
        }
        let Some(last) = rule.instructions.last() else { return };
        if let End::Continue(target, _) = rule.end {
            for next in self.first_instructions(target) {
                if !self.follows(last.pc, next) {
                    problems.push(format!("{next} does not follow {}", last.pc));
                }
            }
        }
        let throws = rule.literals().any(|literal| matches!(literal, Literal::NewThrowable { .. }));
        for instruction in rule.instructions.iter().filter(|_| !throws) {
            for next in self.successors(instruction.pc) {
                if !self.translated.contains(&next) {
                    problems.push(format!("{next} follows {} but is missing", instruction.pc));
                }
            }
        }
    }

    fn node(&self, pc: u16) -> Option<NodeId> {
        self.flow.code().index_of(pc).map(|index| index as NodeId)
    }

    fn successors(&self, pc: u16) -> Vec<u16> {
        let Some(node) = self.node(pc) else { return Vec::new() };
        let next = self.flow.next(node).into_iter();
        let nodes = next.chain(self.flow.targets(node).iter().copied());
        nodes.map(|node| self.flow.instruction(node).pc).collect()
    }

    /// Normally or by an exception: one that is certain leads to its handler within a rule.
    fn follows(&self, pc: u16, next: u16) -> bool {
        if self.successors(pc).contains(&next) {
            return true;
        }
        let (Some(node), Some(next)) = (self.node(pc), self.node(next)) else { return false };
        self.flow.handlers(node).any(|(_, handler)| handler == next)
    }

    /// The first instructions behind a predicate, through rules that have none.
    fn first_instructions(&self, from: PredicateId) -> Vec<u16> {
        let mut first = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![from];
        while let Some(predicate) = open.pop() {
            if !seen.insert(predicate) {
                continue;
            }
            let Some(predicate) = self.procedure.predicates.get(predicate.index()) else {
                continue;
            };
            for rule in &predicate.rules {
                match (rule.instructions.first(), &rule.end) {
                    (Some(instruction), _) => first.push(instruction.pc),
                    (None, End::Continue(target, _)) => open.push(*target),
                    (None, _) => {}
                }
            }
        }
        first
    }
}
