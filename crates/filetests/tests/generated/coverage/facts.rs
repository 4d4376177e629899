//! What the class files say: where branches are, which constructs of Java methods have, and who calls whom.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use petrel_classfile::{ClassFile, Code, Constant, Operand, op};
use petrel_filetests::generated::suite::files_below;

/// Constructs for which compilers write code that is not in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Construct {
    Assertion,
    ExhaustiveSwitch,
    StringSwitch,
    Resources,
    Finally,
    Handler,
}

/// A jump with a choice, or a switch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Jump {
    pub(crate) line: u16,
    /// Different instructions that it leads to.
    pub(crate) n_targets: usize,
    pub(crate) is_switch: bool,
}

/// A method.
#[derive(Debug)]
pub(crate) struct MethodFacts {
    /// Class with dots, name and descriptor.
    pub(crate) class: String,
    pub(crate) name: String,
    pub(crate) jumps: Vec<Jump>,
    pub(crate) constructs: BTreeSet<Construct>,
    /// Methods that it calls.
    calls: BTreeSet<String>,
    /// Whether code of the class library may call it.
    is_callback: bool,
}

/// The methods of a folder by source file.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(crate) methods: BTreeMap<String, Vec<MethodFacts>>,
    /// Source files of classes.
    pub(crate) sources: BTreeMap<String, String>,
    /// What is called through method handles, such as those of lambda expressions.
    handled: BTreeSet<String>,
}

impl Facts {
    pub(crate) fn of(folder: &Path) -> Facts {
        let files: Vec<ClassFile> = files_below(folder, "class")
            .iter()
            .map(|file| {
                ClassFile::parse(fs::read(file).expect("it can be read")).expect("it is valid")
            })
            .collect();
        let own: BTreeSet<&str> = files.iter().map(ClassFile::name).collect();
        let mut facts = Facts::default();
        for file in &files {
            let class = file.name().replace('/', ".");
            let folder = file.name().rsplit_once('/').map(|(package, _)| format!("{package}/"));
            let source = file.source_file().unwrap_or("?");
            let source = format!("{}{source}", folder.unwrap_or_default());
            let pool = &file.constant_pool;
            let handles = (1..pool.len() as u16).filter_map(|index| match pool.get(index) {
                Ok(Constant::MethodHandle(_, member)) => pool.method(member).ok(),
                _ => None,
            });
            facts
                .handled
                .extend(handles.map(|method| key(method.class, method.name, method.descriptor)));
            // What extends or implements a type of the library may be called from there.
            let mut above = file.super_name().into_iter().chain(file.interfaces());
            let is_known_there =
                above.any(|name| name != "java/lang/Object" && !own.contains(name));
            for method in &file.methods {
                let Some(code) = file.code(method).expect("it is valid") else { continue };
                let (name, descriptor) = (file.method_name(method), file.method_descriptor(method));
                facts.methods.entry(source.clone()).or_default().push(MethodFacts {
                    class: class.clone(),
                    name: format!("{name}{descriptor}"),
                    jumps: jumps(&code),
                    constructs: constructs(file, &code),
                    calls: calls(file, &code),
                    is_callback: is_known_there
                        || matches!(name, "equals" | "hashCode" | "toString" | "<clinit>"),
                });
            }
            facts.sources.insert(class, source);
        }
        facts
    }

    /// Whether somebody else than tests of a method calls it: other methods, tests of other methods, or the library.
    pub(crate) fn is_called_elsewhere(
        &self,
        method: &MethodFacts,
        tests: &Facts,
        own_tests: &BTreeSet<String>,
    ) -> bool {
        let wanted = key(&method.class.replace('.', "/"), method_name(method), descriptor(method));
        let is_other =
            |other: &MethodFacts| other.class != method.class || other.name != method.name;
        let calls = |other: &MethodFacts| other.calls.contains(&wanted);
        method.is_callback
            || self.handled.contains(&wanted)
            || self.methods.values().flatten().any(|other| is_other(other) && calls(other))
            || tests.handled.contains(&wanted)
            || tests
                .methods
                .values()
                .flatten()
                .any(|test| calls(test) && !own_tests.contains(method_name(test)))
    }
}

fn method_name(method: &MethodFacts) -> &str {
    method.name.split('(').next().unwrap_or_default()
}

fn descriptor(method: &MethodFacts) -> &str {
    &method.name[method_name(method).len()..]
}

/// Calls of a method may name any class above; those of a constructor name its own.
fn key(class: &str, name: &str, descriptor: &str) -> String {
    let class = if name == "<init>" { class } else { "" };
    format!("{class}.{name}{descriptor}")
}

fn jumps(code: &Code) -> Vec<Jump> {
    let mut jumps = Vec::new();
    for (number, instruction) in code.instructions.iter().enumerate() {
        let mut targets = BTreeSet::new();
        let is_switch = match &instruction.operand {
            Operand::Table(table) => {
                targets.extend(table.targets.iter().copied().chain([table.default]));
                true
            }
            Operand::Lookup(lookup) => {
                targets.extend(lookup.cases.iter().map(|case| case.1).chain([lookup.default]));
                true
            }
            Operand::Target(target) if !is_unconditional(instruction.opcode.byte()) => {
                targets.insert(*target);
                targets.extend(code.instructions.get(number + 1).map(|next| next.pc));
                false
            }
            _ => continue,
        };
        let line = code.line_at(instruction.pc).unwrap_or_default();
        jumps.push(Jump { line, n_targets: targets.len(), is_switch });
    }
    jumps
}

fn is_unconditional(opcode: u8) -> bool {
    matches!(opcode, op::GOTO | op::GOTO_W | op::JSR | op::JSR_W)
}

fn calls(file: &ClassFile, code: &Code) -> BTreeSet<String> {
    let pool = &file.constant_pool;
    let called = code.instructions.iter().filter_map(|instruction| match instruction.operand {
        Operand::Constant(index) => pool.method(index).ok(),
        _ => None,
    });
    called.map(|method| key(method.class, method.name, method.descriptor)).collect()
}

fn constructs(file: &ClassFile, code: &Code) -> BTreeSet<Construct> {
    let pool = &file.constant_pool;
    let mut found = BTreeSet::new();
    for instruction in &code.instructions {
        let Operand::Constant(index) = instruction.operand else { continue };
        if pool.field(index).is_ok_and(|field| field.name == "$assertionsDisabled") {
            found.insert(Construct::Assertion);
        }
        if let Ok(method) = pool.method(index) {
            match (method.class, method.name) {
                ("java/lang/String", "hashCode") => found.insert(Construct::StringSwitch),
                ("java/lang/Throwable", "addSuppressed") => found.insert(Construct::Resources),
                ("java/lang/MatchException" | "java/lang/IncompatibleClassChangeError", _) => {
                    found.insert(Construct::ExhaustiveSwitch)
                }
                _ => false,
            };
        }
    }
    if !code.handlers.is_empty() {
        found.insert(Construct::Handler);
    }
    if code.handlers.iter().any(|handler| handler.catch_type == 0) {
        found.insert(Construct::Finally);
    }
    found
}
