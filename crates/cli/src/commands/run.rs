//! `petrel run`: derives a call of a static method on concrete arguments.

use std::io::{self, Write};

use petrel_budget::Purse;
use petrel_classfile::{JavaType, MethodDescriptor};
use petrel_engine::{Import, Limits, Machine, Outcome, Place, Reason, Shown};
use petrel_program::ResolvedMethod;
use petrel_report::{RunAnswer, RunOutcome};
use petrel_translate::cache::Procedures;
use petrel_value::{Heap, argument};

use crate::args::{Common, Run};
use crate::failure::{Failure, Status};
use crate::output::{Output, say};
use crate::target;

/// How the call ended, as it is printed.
enum Answer {
    Value(Option<Shown>),
    Exception { class: String, message: Option<Shown> },
    Stopped { reason: Reason, places: Vec<Place> },
}

pub(crate) fn run(common: &Common, run: &Run, purse: &Purse) -> Result<Status, Failure> {
    let session = super::open(common)?;
    let method = method(session.program(), run)?;
    let parameters = MethodDescriptor::parse(method.descriptor())
        .map_err(|error| Failure(format!("{}: {error}", run.target)))?;
    let (heap, values) = arguments(run, &parameters)?;
    let procedures = Procedures::new(session.program());
    let mut limits = Limits::default();
    if let Some(steps) = run.steps {
        limits.steps = steps;
    }
    let mut machine = Machine::new(&procedures, limits);
    machine.pay_from(purse);
    let import = Import::new(&mut machine, &heap)
        .map_err(|reason| Failure(format!("{}: {reason}", run.target)))?;
    let values: Vec<_> = values.into_iter().map(|value| import.value(value)).collect();
    let outcome = machine.call(&method, &values);
    let decision = machine.unstable_decision().cloned();
    let answer = answer(&mut machine, outcome, parameters.result.as_ref());
    let (output, errors) = (machine.take_output(), machine.take_errors());
    print(common, &answer, decision.as_ref(), &output, &errors)?;
    Ok(match answer {
        Answer::Stopped { .. } => Status::Incomplete,
        Answer::Value(_) | Answer::Exception { .. } => Status::Complete,
    })
}

fn method(program: &petrel_program::Program, run: &Run) -> Result<ResolvedMethod, Failure> {
    let found = target::resolve(program, std::slice::from_ref(&run.target))?;
    let mut fitting: Vec<ResolvedMethod> = found
        .iter()
        .filter(|method| method.is_static() && method.name() != "<clinit>")
        .filter(|method| {
            let parameters = MethodDescriptor::parse(method.descriptor());
            parameters.is_ok_and(|descriptor| descriptor.parameters.len() == run.arguments.len())
        })
        .cloned()
        .collect();
    match (fitting.pop(), fitting.is_empty()) {
        (Some(method), true) => Ok(method),
        (Some(method), false) => {
            fitting.push(method);
            let names: Vec<String> = fitting
                .iter()
                .map(|method| format!("{}{}", method.name(), method.descriptor()))
                .collect();
            Err(Failure(format!(
                "{}: several methods take {} arguments; name one of {}",
                run.target,
                run.arguments.len(),
                names.join(", ")
            )))
        }
        (None, _) => {
            let names: Vec<String> = found
                .iter()
                .filter(|method| method.is_static())
                .map(|method| format!("{}{}", method.name(), method.descriptor()))
                .collect();
            let known = if names.is_empty() {
                "it is not static".to_owned()
            } else {
                format!("there is {}", names.join(", "))
            };
            Err(Failure(format!(
                "{}: no static method takes {} arguments; {known}",
                run.target,
                run.arguments.len()
            )))
        }
    }
}

fn arguments(
    run: &Run,
    descriptor: &MethodDescriptor,
) -> Result<(Heap, Vec<petrel_value::Value>), Failure> {
    let mut heap = Heap::new();
    let mut values = Vec::new();
    for (position, (text, java_type)) in
        run.arguments.iter().zip(&descriptor.parameters).enumerate()
    {
        let value = argument(text, java_type, &mut heap).map_err(|error| {
            Failure(format!("{}: argument {}: {error}", run.target, position + 1))
        })?;
        values.push(value);
    }
    Ok((heap, values))
}

fn answer(machine: &mut Machine<'_>, outcome: Outcome, result: Option<&JavaType>) -> Answer {
    let stopped = |reason| Answer::Stopped { reason, places: Vec::new() };
    match outcome {
        Outcome::Stopped { reason, places } => Answer::Stopped { reason, places },
        Outcome::Threw(exception) => Answer::Exception {
            class: machine.class_name(exception),
            message: machine.exception_message(exception).unwrap_or_default(),
        },
        Outcome::Returned(value) => match (value, result) {
            (Some(value), Some(java_type)) => match machine.show(value, java_type) {
                Ok(shown) => Answer::Value(Some(shown)),
                Err(reason) => stopped(reason),
            },
            _ => Answer::Value(None),
        },
    }
}

fn print(
    common: &Common,
    answer: &Answer,
    decision: Option<&Place>,
    output: &[u8],
    errors: &[u8],
) -> Result<(), Failure> {
    let mut out = Output::stdout();
    let unstable = decision.is_some()
        || match answer {
            Answer::Value(Some(shown)) => shown.unstable,
            Answer::Exception { message: Some(shown), .. } => shown.unstable,
            _ => false,
        };
    if common.json {
        json(answer, decision, unstable, (output, errors)).write(&mut out)?;
    } else {
        // Nobody may be reading it.
        let _ = io::stderr().write_all(errors);
        out.write_all(output)?;
        match answer {
            Answer::Value(None) => {}
            Answer::Value(Some(shown)) => writeln!(out, "{}", text(shown))?,
            Answer::Exception { class, message: None } => writeln!(out, "throws {class}")?,
            Answer::Exception { class, message: Some(message) } => {
                writeln!(out, "throws {class}: {}", text(message))?;
            }
            Answer::Stopped { .. } => {}
        }
    }
    if let Answer::Stopped { reason, places } = answer {
        say!("{reason}");
        for place in places {
            say!("  at {place}");
        }
    }
    if unstable && !common.json {
        match decision {
            Some(place) => {
                say!("note: the outcome depends on what the JVM does not fix, first at {place}")
            }
            None => say!("note: the value depends on what the JVM does not fix"),
        }
    }
    Ok(())
}

fn text(shown: &Shown) -> String {
    String::from_utf16_lossy(&shown.units)
}

fn json<'a>(
    answer: &'a Answer,
    decision: Option<&'a Place>,
    unstable: bool,
    printed: (&[u8], &[u8]),
) -> RunAnswer<'a> {
    let text = |shown: &Shown| text(shown).into();
    let outcome = match answer {
        Answer::Value(shown) => RunOutcome::Return { value: shown.as_ref().map(text) },
        Answer::Exception { class, message } => {
            RunOutcome::Throw { exception: (&**class).into(), message: message.as_ref().map(text) }
        }
        Answer::Stopped { reason, places } => RunOutcome::stopped(reason, places),
    };
    RunAnswer::new(outcome, unstable, decision, printed)
}
