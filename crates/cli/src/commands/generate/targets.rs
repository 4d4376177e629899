//! Targets of `generate`: classes, methods, folders and jars.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use petrel_classpath::{ClassPath, ClassSource};
use petrel_program::{LoadError, ResolvedMethod, matches_pattern};
use petrel_session::Session;
use petrel_suite::{ClassTarget, targets_of};

use super::visibility;
use crate::args::generate::Generate;
use crate::failure::Failure;
use crate::target;

/// Whether a target is a folder or a jar.
fn is_place(target: &str) -> bool {
    let path = Path::new(target);
    path.is_dir()
        || path.is_file() && path.extension().is_some_and(|end| end == "jar" || end == "zip")
}

/// The class path, with the folders and jars among the targets in front. What nobody asked for (`.`) is left
/// out then.
pub(super) fn class_path(given: &OsStr, targets: &[String]) -> OsString {
    let places =
        targets.iter().filter(|target| is_place(target)).map(|target| Path::new(target).to_owned());
    let places: Vec<_> = places.collect();
    if places.is_empty() {
        return given.to_owned();
    }
    let others: Vec<_> =
        std::env::split_paths(given).filter(|path| path.as_os_str() != ".").collect();
    let all = places.into_iter().chain(others);
    std::env::join_paths(all).unwrap_or_else(|_| given.to_owned())
}

/// Internal names of the classes of the class path.
pub(super) fn project_classes(session: &Session) -> Result<Vec<String>, Failure> {
    Ok(session.class_path().class_names()?)
}

/// What the targets name.
#[derive(Default)]
pub(super) struct Resolved {
    /// The classes that are to be tested, each once.
    pub(super) classes: Vec<ClassTarget>,
    /// Classes that cannot be loaded, with the reasons: they do not stop the others.
    pub(super) unloadable: Vec<(String, String)>,
}

/// The classes that are to be tested.
pub(super) fn resolve(session: &Session, generate: &Generate) -> Result<Resolved, Failure> {
    let program = session.program();
    let mut resolved = Resolved::default();
    let found = &mut resolved.classes;
    for target in &generate.targets {
        if is_place(target) {
            let place = ClassPath::parse(OsStr::new(target), session.jdk().feature_version())?;
            let mut names = place.class_names()?;
            names.sort_unstable();
            for name in names {
                match program.class(&name) {
                    Ok(class) => add(found, targets_of(program, &class, visibility(generate))),
                    Err(error) => resolved.unloadable.push((name, why_unloadable(&error))),
                }
            }
            continue;
        }
        let (class, member) = target.split_once('#').unwrap_or((target, ""));
        let class = class.replace('.', "/");
        match program.class(&class) {
            Err(error) if !matches!(error, LoadError::NotFound { needed_by: None, .. }) => {
                resolved.unloadable.push((class, why_unloadable(&error)));
            }
            Ok(class) if member.is_empty() => {
                add(found, targets_of(program, &class, visibility(generate)));
            }
            _ => {
                let methods = target::resolve(program, &[target.to_owned()])?;
                let is_code =
                    |method: &ResolvedMethod| !method.is_abstract() && !method.is_native();
                for method in methods.into_iter().filter(is_code) {
                    let class = method.class().clone();
                    add(found, ClassTarget { class, methods: vec![method] });
                }
            }
        }
    }
    found.retain(|target| is_included(generate, target.class.name()));
    // Who names a class wants to hear of it, even if there is nothing to test.
    let is_named =
        |target: &ClassTarget| generate.targets.contains(&target.class.name().replace('/', "."));
    found.retain(|target| !target.methods.is_empty() || is_named(target));
    resolved.unloadable.retain(|(name, _)| is_included(generate, name));
    Ok(resolved)
}

fn why_unloadable(error: &LoadError) -> String {
    match error {
        LoadError::NotFound { .. } => format!("{error}; add it with -c"),
        _ => error.to_string(),
    }
}

fn add(found: &mut Vec<ClassTarget>, target: ClassTarget) {
    match found.iter_mut().find(|known| known.class.name() == target.class.name()) {
        Some(known) => {
            for method in target.methods {
                if !known.methods.contains(&method) {
                    known.methods.push(method);
                }
            }
        }
        None => found.push(target),
    }
}

fn is_included(generate: &Generate, internal_name: &str) -> bool {
    let name = internal_name.replace('/', ".");
    let matches = |pattern: &String| matches_pattern(pattern, &name);
    (generate.include.is_empty() || generate.include.iter().any(matches))
        && !generate.exclude.iter().any(matches)
}
