//! `petrel-refuter -c JAR --most-referenced 50 --seconds 60`: which verdicts of Petrel random calls refute.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is a command")]

use std::error::Error;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use clap::Parser;
use petrel_refuter::{Catalogue, Effort, Judging, Refuter, RefuterOptions, compare};
use petrel_session::Session;
use petrel_suite::Visibility;
use petrel_testcase::BranchCount;
use petrel_wall::Wall;

/// Drives classes with random calls, and lists the branches that they take although Petrel calls them infeasible.
///
/// The classes do what their code says. On Linux they do it in a sandbox, without a network and without writing files.
#[derive(Parser)]
struct Arguments {
    /// Directories and jars with the classes
    #[arg(short, long, value_name = "PATHS")]
    class_path: OsString,
    /// The JDK; by default JAVA_HOME, else the java on the path
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
    /// The N classes that most others of the class path mention; by default all classes
    #[arg(long, value_name = "N")]
    most_referenced: Option<usize>,
    /// Only classes with this in their names
    #[arg(long, value_name = "TEXT")]
    class: Option<String>,
    /// Seconds for calls
    #[arg(long, value_name = "S", default_value_t = 60)]
    seconds: u64,
    /// Calls at most
    #[arg(long, value_name = "N", default_value_t = u64::MAX)]
    calls: u64,
    /// What chance follows from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Work for each method, in thousands, as of `petrel generate`
    #[arg(long, value_name = "N", default_value_t = 500)]
    budget: u64,
    /// Worker threads of the verdicts; by default all cores
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    /// Verdicts on private methods, too
    #[arg(long)]
    private: bool,
    /// Verdicts of `petrel cases`, method by method, instead of those of `petrel generate`
    #[arg(long)]
    by_cases: bool,
    /// Stubs are as Petrel says that they are: they throw nothing, and comparators keep their contract
    #[arg(long)]
    keep_premises: bool,
    /// Classes run with your rights, not in a sandbox
    #[arg(long)]
    no_sandbox: bool,
    /// Calls public members of public classes alone
    #[arg(long)]
    public_only: bool,
}

fn main() -> ExitCode {
    if let Some(launched) = petrel_wall::launched(std::env::args_os().skip(1)) {
        return match launched {
            Ok(answer) => {
                println!("{answer}");
                ExitCode::SUCCESS
            }
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        };
    }
    match run(&Arguments::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<ExitCode, Box<dyn Error>> {
    let session = Session::open(&arguments.class_path, arguments.jdk.as_deref())?;
    let catalogue = Catalogue::of(session.class_path())?;
    let mut classes = match arguments.most_referenced {
        Some(count) => catalogue.most_referenced(count),
        None => catalogue.names().map(str::to_owned).collect(),
    };
    if let Some(wanted) = &arguments.class {
        classes.retain(|name| name.replace('/', ".").contains(wanted.as_str()));
    }
    // What a class misses is the class path's fault: it cannot be driven, and Petrel says the same.
    classes.retain(|name| match session.program().class(name) {
        Ok(_) => true,
        Err(error) => {
            eprintln!("{name} is left out: {error}");
            false
        }
    });
    let paths = session.class_path().paths().iter().map(std::path::absolute);
    let mut options = RefuterOptions::new(session.jdk(), paths.collect::<Result<_, _>>()?);
    if !arguments.no_sandbox {
        let wall = Wall::probe(&std::env::current_exe()?)?;
        if let Some(gap) = wall.gap() {
            eprintln!("note: {gap}");
        }
        options.behind(wall);
    }
    options.public_only = arguments.public_only;
    options.keep_premises = arguments.keep_premises;
    let refuter = Refuter::start(options)?;
    let mut judging = Judging::usual(session.jdk().feature_version());
    judging.suite.budget = arguments.budget.saturating_mul(1_000);
    judging.by_cases = arguments.by_cases;
    if arguments.private {
        judging.visibility = Visibility::All;
    }
    judging.jobs =
        arguments.jobs.or_else(|| available_parallelism().ok().map(usize::from)).unwrap_or(1);
    let effort = Effort {
        seed: arguments.seed,
        calls: arguments.calls,
        time: Duration::from_secs(arguments.seconds),
    };
    let started = Instant::now();
    let found = compare(&session, &catalogue, &refuter, &classes, &judging, effort)?;
    let mut out = std::io::stdout().lock();
    let judging = started.elapsed().saturating_sub(found.taken.elapsed);
    writeln!(out, "classes: {}, judged in {} s", classes.len(), judging.as_secs())?;
    let (taken, all) = found.taken.count();
    let (calls, elapsed) = (found.taken.calls, found.taken.elapsed.as_secs_f64());
    let speed = calls as f64 / elapsed.max(0.001);
    writeln!(out, "calls: {calls} in {elapsed:.1} s, {speed:.0} a second")?;
    writeln!(out, "branches taken: {taken} of {all} with probes")?;
    write_counts(&mut out, &found.judgement.counts())?;
    for (method, why) in &found.judgement.failures {
        writeln!(out, "not judged: {method}: {why}")?;
    }
    for (name, class) in &found.taken.classes {
        for method in &class.left_alone {
            writeln!(out, "no probes: {name}.{}: {}", method.method, method.why)?;
        }
    }
    for member in &found.taken.ends {
        writeln!(out, "process ended: by {}", member.as_deref().unwrap_or("an unknown call"))?;
    }
    for note in &found.taken.notes {
        writeln!(out, "note: {note}")?;
    }
    for refuted in &found.refuted {
        writeln!(out, "refuted: {refuted}")?;
    }
    writeln!(out, "refuted verdicts: {}", found.refuted.len())?;
    Ok(if found.refuted.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn write_counts(out: &mut impl Write, counts: &BranchCount) -> std::io::Result<()> {
    let BranchCount {
        total,
        covered,
        infeasible,
        beyond_bound,
        unsupported,
        not_constructible,
        not_selected,
        budget,
        unknown,
    } = counts;
    writeln!(
        out,
        "verdicts: {total} branches, {covered} covered, {infeasible} infeasible, {beyond_bound} beyond_bound, \
         {unsupported} unsupported, {not_constructible} not_constructible, {not_selected} not_selected, \
         {budget} budget, {unknown} unknown"
    )
}
