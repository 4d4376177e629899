//! Targets: `pkg.Class`, `pkg.Class#method` or `pkg.Class#method(descriptor)`.

use petrel_program::{LoadError, Program, ResolvedMethod};

use crate::failure::Failure;

/// The methods that targets name, in the order of the targets and of the class files; each once.
pub(crate) fn resolve(
    program: &Program,
    targets: &[String],
) -> Result<Vec<ResolvedMethod>, Failure> {
    let mut methods = Vec::new();
    for target in targets {
        for method in resolve_one(program, target)? {
            if !methods.contains(&method) {
                methods.push(method);
            }
        }
    }
    Ok(methods)
}

fn resolve_one(program: &Program, target: &str) -> Result<Vec<ResolvedMethod>, Failure> {
    let (class_name, member) = match target.split_once('#') {
        Some((class, member)) => (class, Some(member)),
        None => (target, None),
    };
    let class = program.class(&class_name.replace('.', "/")).map_err(|error| match error {
        LoadError::NotFound { needed_by: None, .. } => Failure(format!(
            "{target}: there is no class {class_name} on the class path or in the JDK; \
             name the folder or jar that has it with --class-path"
        )),
        other => Failure(format!("{target}: {other}")),
    })?;
    let Some(member) = member else {
        return Ok(class.methods().collect());
    };
    let (name, descriptor) = match member.find('(') {
        Some(start) => (&member[..start], Some(&member[start..])),
        None => (member, None),
    };
    let found: Vec<ResolvedMethod> = class
        .methods()
        .filter(|method| method.name() == name)
        .filter(|method| descriptor.is_none_or(|descriptor| method.descriptor() == descriptor))
        .collect();
    if found.is_empty() {
        let known: Vec<String> = class
            .methods()
            .map(|method| format!("{}{}", method.name(), method.descriptor()))
            .collect();
        return Err(Failure(format!(
            "{target}: class {class_name} has no method {member}; it has {}",
            known.join(", ")
        )));
    }
    Ok(found)
}
