//! Translating whole class libraries, with everything that can be checked without running them.

use petrel_classfile::ClassFile;
use petrel_clp::Procedure;
use petrel_clp::verify::verify;
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
    problems.iter().map(|problem| format!("{}: {problem}", procedure.method)).collect()
}
