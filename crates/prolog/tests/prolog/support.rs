//! Programs in the text of the rule language, and SWI-Prolog to run them.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use petrel_clp::{Dispatch, Procedure, parse};
use petrel_prolog::{ClassFacts, ClassKind, Export, FieldFacts};

/// A program to export.
pub(crate) struct Program {
    procedures: Vec<Procedure>,
    dispatches: Vec<Dispatch>,
    classes: Vec<ClassFacts>,
}

impl Program {
    pub(crate) fn new(text: &str, classes: Vec<ClassFacts>) -> Program {
        let (procedures, dispatches) = parse::program(text).expect("the program can be read");
        Program { procedures, dispatches, classes }
    }

    /// No program: the runtime library alone.
    pub(crate) fn empty() -> Program {
        Program::new("", vec![])
    }

    /// Calls `write` with what there is to export.
    pub(crate) fn export(&self, write: impl FnOnce(&Export<'_>) -> String) -> String {
        write(&Export {
            procedures: &self.procedures.iter().collect::<Vec<_>>(),
            dispatches: &self.dispatches.iter().collect::<Vec<_>>(),
            classes: &self.classes,
            entries: &[],
        })
    }

    /// What a goal prints. The test fails if the goal fails, or if there is an error or warning.
    pub(crate) fn run(&self, goal: &str) -> String {
        self.run_with("", goal)
    }

    /// The same with more clauses after the program.
    pub(crate) fn run_with(&self, clauses: &str, goal: &str) -> String {
        swipl(&(self.export(petrel_prolog::export) + clauses), goal)
    }
}

fn swipl(program: &str, goal: &str) -> String {
    let path = temporary_file();
    std::fs::write(&path, program).expect("a temporary file can be written");
    let output = Command::new("swipl")
        .args(["-q", "--on-error=status", "--on-warning=status", "-t", "halt", "-g", goal])
        .arg(&path)
        .stdin(Stdio::null())
        .output();
    let _ = std::fs::remove_file(path);
    let output = match output {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            panic!("swipl is not installed; run: make setup")
        }
        output => output.expect("swipl should run"),
    };
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    assert!(
        output.status.success() && stderr.is_empty(),
        "{}\nstdout: {stdout}\nstderr: {stderr}",
        output.status
    );
    stdout
}

/// A file of its own for each run.
fn temporary_file() -> PathBuf {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("petrel-prolog-{}-{number}.pl", std::process::id());
    std::env::temp_dir().join(name)
}

/// A class with fields as `name descriptor`, `static` in front of it if so, and the classes whose
/// initialisers run. Its superclass is after a colon, `java/lang/Object` if there is none.
pub(crate) fn class(name: &str, fields: &[&str], initialisation: &[&str]) -> ClassFacts {
    let (name, super_name) = name.split_once(':').unwrap_or((name, "java/lang/Object"));
    let fields = fields.iter().map(|field| {
        let (is_static, field) = match field.strip_prefix("static ") {
            Some(field) => (true, field),
            None => (false, *field),
        };
        let (name, descriptor) = field.split_once(' ').expect("name and descriptor");
        let (name, descriptor) = (name.into(), descriptor.into());
        FieldFacts { name, descriptor, is_static, constant: None }
    });
    ClassFacts {
        name: name.into(),
        super_name: Some(super_name.into()),
        interfaces: vec![],
        kind: ClassKind::Concrete,
        fields: fields.collect(),
        initialisation: initialisation.iter().map(|&name| name.into()).collect(),
    }
}
