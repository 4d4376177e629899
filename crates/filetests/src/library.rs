//! Translating whole class libraries, with everything that can be checked without running them.

use std::collections::BTreeSet;

use petrel_classfile::ClassFile;
use petrel_clp::verify::verify;
use petrel_clp::{ArithmeticKind, Literal, Operation, Placed, Procedure};
use petrel_engine::can_overflow;
use petrel_translate::check_instructions;

/// What the verifier, and the comparison with the bytecode, say of a procedure.
pub fn problems(class: &ClassFile, method: usize, procedure: &Procedure) -> Vec<String> {
    let mut problems: Vec<String> = verify(procedure).iter().map(ToString::to_string).collect();
    let checked = class.methods.get(method).map(|method| class.code(method)).transpose();
    match checked.map(|code| code.flatten().map(|code| check_instructions(&code, procedure))) {
        Ok(None) => problems.push("it has no code".to_owned()),
        Ok(Some(Ok(found))) => problems.extend(found),
        Ok(Some(Err(error))) | Err(error) => problems.push(error.to_string()),
    }
    problems.extend(misplaced_operations(class, method, procedure));
    problems.iter().map(|problem| format!("{}: {problem}", procedure.method)).collect()
}

/// The operations that may overflow whose instruction in the class file is another one than they say, and the
/// instructions with such operations, of those translated, that no literal says.
fn misplaced_operations(class: &ClassFile, method: usize, procedure: &Procedure) -> Vec<String> {
    let Some(code) = class.methods.get(method).and_then(|method| class.code(method).ok().flatten())
    else {
        return Vec::new();
    };
    let overflowing = |pc: u16| {
        let instruction = &code.instructions[code.index_of(pc)?];
        operation(instruction.opcode.mnemonic())
    };
    let mut problems = Vec::new();
    let mut said = BTreeSet::new();
    let mut throwing = BTreeSet::new();
    for Placed { pc, literal } in procedure.rules().flat_map(|rule| &rule.body) {
        match literal {
            Literal::Compute { operation, .. } if can_overflow(*operation) => {
                said.insert(*pc);
                if overflowing(*pc) != Some(*operation) {
                    problems.push(format!("{operation:?} does not come from {pc}"));
                }
            }
            Literal::NewThrowable { .. } => {
                throwing.insert(*pc);
            }
            _ => {}
        }
    }
    let translated: BTreeSet<u16> = procedure.instructions().map(|of| of.pc).collect();
    for pc in translated {
        // A division by a constant zero does nothing but throw.
        if overflowing(pc).is_some() && !said.contains(&pc) && !throwing.contains(&pc) {
            problems.push(format!("no literal comes from {pc}"));
        }
    }
    problems
}

/// What an instruction computes that may overflow.
fn operation(mnemonic: &str) -> Option<Operation> {
    use ArithmeticKind::{Int, Long};
    Some(match mnemonic {
        "iadd" | "iinc" => Operation::Add(Int),
        "ladd" => Operation::Add(Long),
        "isub" => Operation::Subtract(Int),
        "lsub" => Operation::Subtract(Long),
        "imul" => Operation::Multiply(Int),
        "lmul" => Operation::Multiply(Long),
        "idiv" => Operation::Divide(Int),
        "ldiv" => Operation::Divide(Long),
        "ineg" => Operation::Negate(Int),
        "lneg" => Operation::Negate(Long),
        _ => return None,
    })
}
