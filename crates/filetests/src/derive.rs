//! The engine under test: what derivations of calls give, in the form of the JVM's answers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use petrel_classfile::JavaType;
use petrel_classpath::Jdk;
use petrel_engine::{Import, Limits, Machine, Outcome};
use petrel_program::ResolvedMethod;
use petrel_session::Session;
use petrel_translate::cache::Procedures;
use petrel_value::{Heap, Value, escaped};

use petrel_clp::Kind;

use crate::fixture::{Argument, Derivation, Fixture, Run};

/// No fixture needs more than this; one that does not end is to be noticed. Garbage is collected
/// often, so that a collection that takes too much is noticed, too.
pub const LIMITS: Limits = Limits {
    steps: 50_000_000,
    frames: 16_000,
    heap: 1 << 30,
    garbage: 1 << 17,
    assertions: false,
};

/// Opens a folder with classes that nobody else looks into; [`procedures`] is for others.
///
/// # Panics
///
/// If that cannot be done.
pub fn open(jdk: &Jdk, folder: &Path) -> Session {
    Session::open(folder.as_os_str(), Some(jdk.home())).unwrap_or_else(|error| panic!("{error}"))
}

/// The procedures of a folder or jar with classes. A process opens it once, and translates nothing of it or of the class
/// library twice, however many tests ask: what was opened stays open.
///
/// # Panics
///
/// If it cannot be opened.
pub fn procedures(jdk: &Jdk, folder: &Path) -> &'static Procedures<'static> {
    static OPENED: Mutex<BTreeMap<[PathBuf; 2], &Procedures<'static>>> =
        Mutex::new(BTreeMap::new());
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    let key = [jdk.home().to_owned(), folder.to_owned()];
    opened.entry(key).or_insert_with(|| {
        let session: &'static Session = Box::leak(Box::new(open(jdk, folder)));
        Box::leak(Box::new(Procedures::new(session.program())))
    })
}

/// Derives a `run` line of a fixture in a fresh machine. The answer is a literal, `void`,
/// `throws Class: message`, or `error: ..` with the reason why the derivation stopped.
pub fn run(procedures: &Procedures<'_>, fixture: &Fixture, run: &Run) -> String {
    let class = match procedures.program().class(&fixture.class.replace('.', "/")) {
        Ok(class) => class,
        Err(error) => return format!("error: {error}"),
    };
    let Some(method) = class.declared_method(&run.method, &run.descriptor) else {
        return format!("error: there is no method {}", run.method);
    };
    let mut machine = Machine::new(procedures, LIMITS);
    call(&mut machine, &method, &run.arguments, &run.heap, run.result.as_ref())
}

/// Derives a `derive` line of a fixture in a fresh machine: `stable`, `unstable`, or why and where
/// it stops.
pub fn describe(procedures: &Procedures<'_>, fixture: &Fixture, line: &Derivation) -> String {
    let class = match procedures.program().class(&fixture.class.replace('.', "/")) {
        Ok(class) => class,
        Err(error) => return format!("error: {error}"),
    };
    let Some(method) = class.declared_method(&line.method, &line.descriptor) else {
        return format!("error: there is no method {}", line.method);
    };
    let mut machine = Machine::new(procedures, LIMITS);
    let import = match Import::new(&mut machine, &line.heap) {
        Ok(import) => import,
        Err(reason) => return format!("error: {reason}"),
    };
    let arguments: Vec<_> = line
        .arguments
        .iter()
        .zip(Kind::of_parameters(&line.descriptor))
        .map(|(argument, kind)| match argument {
            Argument::Known(value) => import.value(*value),
            Argument::Unknown(name) => {
                let int = (i32::MIN.into(), i32::MAX.into());
                let range = if kind == Kind::Int { int } else { (i64::MIN, i64::MAX) };
                machine.unknown(name, kind, range)
            }
        })
        .collect();
    let outcome = machine.call(&method, &arguments);
    let mut unstable = machine.unstable_decision().is_some();
    match outcome {
        Outcome::Stopped { reason, places } => {
            let own = format!("{}.java", fixture.class.rsplit('.').next().unwrap_or_default());
            let sources = places.iter().filter_map(|place| place.source.as_ref());
            let place = sources.clone().find(|(file, _)| *file == own).or(sources.clone().next());
            return match place {
                Some((file, line)) => format!("{reason} at {file}:{line}"),
                None => reason.to_string(),
            };
        }
        Outcome::Returned(Some(value)) => {
            if let Some(result) = &line.result {
                match machine.show(value, result) {
                    Ok(shown) => unstable |= shown.unstable,
                    Err(reason) => return reason.to_string(),
                }
            }
        }
        Outcome::Returned(None) | Outcome::Threw(_) => {}
    }
    if unstable { "unstable".to_owned() } else { "stable".to_owned() }
}

/// Derives a call.
pub fn call(
    machine: &mut Machine<'_>,
    method: &ResolvedMethod,
    arguments: &[Value],
    heap: &Heap,
    result: Option<&JavaType>,
) -> String {
    let outcome = match Import::new(machine, heap) {
        Ok(import) => {
            let arguments: Vec<_> =
                arguments.iter().map(|&argument| import.value(argument)).collect();
            machine.call(method, &arguments)
        }
        Err(reason) => return format!("error: {reason}"),
    };
    match outcome {
        Outcome::Returned(value) => match (value, result) {
            (Some(value), Some(result)) => {
                let (value, heap) = machine.export(value, result);
                let no_literal = || "error: the result has no literal".to_owned();
                heap.literal(value).unwrap_or_else(no_literal)
            }
            _ => "void".to_owned(),
        },
        Outcome::Threw(exception) => {
            let class = machine.class_name(exception);
            match machine.exception_message(exception) {
                Ok(Some(message)) => format!("throws {class}: {}", escaped(&message.units)),
                Ok(None) => format!("throws {class}"),
                Err(reason) => format!("throws {class} (error: its message: {reason})"),
            }
        }
        Outcome::Stopped { reason, places } => {
            let places: Vec<String> = places.iter().take(4).map(ToString::to_string).collect();
            format!("error: {reason} at {}", places.join(", "))
        }
    }
}
