//! What no compiler of today writes: `jsr` and `ret`, jumps that no statement makes, instructions
//! that shuffle the operand stack in all their forms, and references that do not resolve. Classes of
//! version 48 are assembled, translated, verified, and run on the JVM and in Prolog.

mod jumps;
mod linkage;
mod shuffles;
mod subroutines;

use std::fs;
use std::path::PathBuf;

use petrel_classfile::flags;
use petrel_classfile::writer::{ClassWriter, CodeWriter};
use petrel_filetests::petrel::Petrel;
use petrel_filetests::value::Value;
use petrel_filetests::{jvm, swipl, world};
use petrel_session::Session;

/// Java 1.4, the last release whose compiler wrote subroutines by default.
const VERSION: u16 = 48;
/// `int name(int)`.
const DESCRIPTOR: &str = "(I)I";
const N_LOCALS: u16 = 302;

/// A class of static methods that take and return an `int`.
struct Assembled {
    name: &'static str,
    writer: ClassWriter,
    /// Further classes that its methods use.
    others: Vec<(&'static str, ClassWriter)>,
    /// Whether only the classes of exceptions are compared.
    ignores_messages: bool,
    /// Method, argument and answer.
    calls: Vec<(String, i32, String)>,
}

impl Assembled {
    fn new(name: &'static str) -> Assembled {
        let writer = ClassWriter::new(flags::PUBLIC, name, "java/lang/Object", &[]);
        Assembled { name, writer, others: vec![], ignores_messages: false, calls: vec![] }
    }

    /// A method, and its answers to some arguments.
    fn method(&mut self, name: &str, answers: &[(i32, &str)], write: impl Fn(&mut CodeWriter<'_>)) {
        let access = flags::PUBLIC | flags::STATIC;
        self.writer.method(access, name, DESCRIPTOR, N_LOCALS, |code| write(code));
        let calls = answers.iter().map(|&(x, answer)| (name.to_owned(), x, answer.to_owned()));
        self.calls.extend(calls);
    }

    /// Checks everything that can be done with the class.
    fn check(self) {
        let Assembled { name, writer, others, ignores_messages, calls } = self;
        let cut = |answers: Vec<String>| -> Vec<String> {
            let cut = |answer: &String| answer.split(": ").next().unwrap_or_default().to_owned();
            if ignores_messages { answers.iter().map(cut).collect() } else { answers }
        };
        let folder = Folder::new(name);
        for (name, writer) in others.into_iter().chain([(name, writer)]) {
            let mut bytes = writer.finish().expect("the class is small");
            bytes[6..8].copy_from_slice(&VERSION.to_be_bytes());
            folder.write(name, &bytes);
        }
        translate(&folder, name);

        let jdk = world::jdk();
        let in_jvm: Vec<_> = calls
            .iter()
            .map(|(method, x, _)| {
                jvm::call(&folder.0, name, method, DESCRIPTOR, vec![Value::Int(*x)])
            })
            .collect();
        compare("the JVM", &calls, &cut(jvm::run(&jdk, &in_jvm)));

        let petrel = Petrel::new(env!("CARGO_BIN_EXE_petrel"));
        let program = petrel.prolog(&jdk, folder.0.as_os_str(), name).expect("it is exported");
        let in_prolog: Vec<String> = calls
            .iter()
            .map(|(method, x, _)| swipl::call_goal(name, method, DESCRIPTOR, &x.to_string()))
            .collect();
        let answers = swipl::answer(&program, &in_prolog).expect("swipl answers");
        compare("Prolog", &calls, &cut(answers));
    }
}

#[track_caller]
fn compare(whose: &str, calls: &[(String, i32, String)], answers: &[String]) {
    let pairs = calls.iter().zip(answers).filter(|((_, _, wanted), found)| wanted != *found);
    let wrong: Vec<String> = pairs
        .map(|((method, x, wanted), found)| format!("{method}({x}): {found}, not {wanted}"))
        .collect();
    assert!(wrong.is_empty(), "{whose}:\n{}", wrong.join("\n"));
}

/// Translates all methods; the rules have to be valid, and their text to parse back.
fn translate(folder: &Folder, class: &str) {
    let session = Session::open(folder.0.as_os_str(), None).expect("there is a JDK");
    let class = session.program().class(class).expect("the class loads");
    for number in 0..class.file.methods.len() {
        let translated = petrel_translate::translate(session.program(), &class, number);
        let procedure = translated.expect("it is translated").expect("it has code");
        let problems = petrel_clp::verify::verify(&procedure);
        assert!(problems.is_empty(), "{}: {problems:?}", procedure.method);
        let text = petrel_clp::print::procedure(&procedure);
        assert_eq!(petrel_clp::parse::procedures(&text), Ok(vec![procedure]), "{text}");
    }
}

/// A folder of its own, removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("petrel-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a temporary folder can be made");
        Folder(path)
    }

    fn write(&self, class: &str, bytes: &[u8]) {
        fs::write(self.0.join(format!("{class}.class")), bytes).expect("it can be written to");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
