//! What derivations cost, beside the JVM's interpreter.

use std::process::Command;
use std::time::Duration;

use petrel_classpath::Jdk;
use petrel_engine::{Limits, Machine, Outcome, Value};
use petrel_filetests::world::{root, tool};
use petrel_session::Session;
use petrel_translate::cache::Procedures;

use crate::{Clock, Failure, Findings};

/// Fixtures with loops, and sizes at which they take some hundred milliseconds.
const LOOPS: &[(&str, i32)] = &[
    ("Sieve", 8_000),
    ("Matrix", 4_000),
    ("StringBuilding", 8_000),
    ("HashMapChurn", 200_000),
    ("SortObjects", 800),
    ("RecursiveSearch", 1_500),
];

/// Calls that show what it takes to start, and the milliseconds that they may take.
const STARTS: &[(&str, &str, u128)] =
    &[("trivial", "trivial", 100), ("HashMap, String.format", "library", 300)];

/// The best of so many rounds counts: the machine may be doing something else.
const ROUNDS: u32 = 3;

/// How many times the time of `java -Xint` a derivation may take.
const MOST: f64 = 5.0;

pub(crate) fn run(jdk: &Jdk, findings: &mut Findings) -> Result<(), Failure> {
    println!();
    println!(
        "{:<44} {:>8} {:>8} {:>8}",
        "derivation beside java -Xint", "cpu ms", "-Xint", "ratio"
    );
    for &(class, n) in LOOPS {
        compare(jdk, class, n, findings)?;
    }
    println!();
    println!("{:<44} {:>8} {:>8}", "start-up", "cpu ms", "at most");
    for &(label, method, most) in STARTS {
        start(jdk, label, method, most, findings)?;
    }
    Ok(())
}

fn folder() -> std::path::PathBuf {
    root().join("build").join("fixtures").join("bench")
}

fn compare(jdk: &Jdk, class: &str, n: i32, findings: &mut Findings) -> Result<(), Failure> {
    let (ours, result) = derive(jdk, class, n)?;
    let (theirs, expected) = interpret(jdk, class, n)?;
    let ratio = ours.as_secs_f64() / theirs.as_secs_f64().max(1e-9);
    println!(
        "{:<44} {:>8} {:>8} {ratio:>8.2}",
        format!("{class}.run({n})"),
        ours.as_millis(),
        theirs.as_millis()
    );
    if result != expected {
        findings.push(format!("{class}.run({n}) is {expected} on the JVM and {result} here"));
    }
    if ratio > MOST {
        findings.miss(format!("{class}.run({n}) takes {ratio:.1} times the time of java -Xint"));
    }
    Ok(())
}

/// Processor time and result of a derivation, everything compiled before.
fn derive(jdk: &Jdk, class: &str, n: i32) -> Result<(Duration, String), Failure> {
    let session = Session::open(folder().as_os_str(), Some(jdk.home()))?;
    let procedures = Procedures::new(session.program());
    let mut machine = Machine::new(&procedures, Limits::default());
    let (mut best, mut result) = (Duration::MAX, String::new());
    for _ in 0..ROUNDS {
        let clock = Clock::start();
        result = call(&session, &mut machine, class, "run", &[Value::int(n)])?;
        best = best.min(clock.stop().1);
    }
    Ok((best, result))
}

fn call(
    session: &Session,
    machine: &mut Machine<'_>,
    class: &str,
    name: &str,
    arguments: &[Value],
) -> Result<String, Failure> {
    let loaded = session.program().class(class)?;
    let method = loaded
        .methods()
        .find(|method| method.name() == name)
        .ok_or_else(|| format!("{class} has no method {name}; run: make fixtures"))?;
    match machine.call(&method, arguments) {
        Outcome::Returned(Some(value)) => {
            let descriptor = petrel_classfile::MethodDescriptor::parse(method.descriptor())?;
            let result = descriptor.result.ok_or("a benchmark returns something")?;
            let shown = machine.show(value, &result).map_err(|reason| reason.to_string())?;
            Ok(String::from_utf16_lossy(&shown.units))
        }
        other => Err(format!("{class}.{name}: {other:?}").into()),
    }
}

fn interpret(jdk: &Jdk, class: &str, n: i32) -> Result<(Duration, String), Failure> {
    let output = Command::new(tool(jdk, "java"))
        .args(["-Xint", "-XX:+UseSerialGC", "-cp"])
        .arg(folder())
        .args(["Timed", class, &n.to_string(), &ROUNDS.to_string()])
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let Some((time, result)) = text.trim().split_once(' ') else {
        return Err(format!("java: {}", String::from_utf8_lossy(&output.stderr)).into());
    };
    Ok((Duration::from_nanos(time.parse()?), result.to_owned()))
}

/// Opening the JDK and the class path, and everything up to the result of one call.
fn start(
    jdk: &Jdk,
    label: &str,
    method: &str,
    most: u128,
    findings: &mut Findings,
) -> Result<(), Failure> {
    let mut best = Duration::MAX;
    for _ in 0..ROUNDS {
        let clock = Clock::start();
        let session = Session::open(folder().as_os_str(), Some(jdk.home()))?;
        let procedures = Procedures::new(session.program());
        let mut machine = Machine::new(&procedures, Limits::default());
        call(&session, &mut machine, "StartUp", method, &[Value::int(7)])?;
        best = best.min(clock.stop().1);
    }
    println!("{label:<44} {:>8} {most:>8}", best.as_millis());
    if best.as_millis() > most {
        findings.miss(format!("start-up of {label} takes {} ms", best.as_millis()));
    }
    Ok(())
}
