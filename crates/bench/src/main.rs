//! `make bench`: what loading, translation, execution and replay cost.
//!
//! `--sample` takes the JDK in use: all its classes are loaded, and all of `java.base` is translated.
//! `--full` takes every JDK of the machine, all their modules, and the jars of `make jars`.
//! `--trees` explores trees and nothing else, `--heaps` data structures; `--guided` is guided generation,
//! `--resources` resource-driven generation, `--more` residual generators, `--inputs` strings, library objects and
//! interfaces as inputs, `--texts` long strings, `--generation` the command `generate` on real libraries, `--floats` numbers that are no
//! integers.
//! Derivations of fixtures with loops are timed beside the JVM's interpreter, in processor time and in
//! the same run, so that the ratio means something on a busy machine, too.
//! Everything runs on one core. The exit status is 1 if anything is wrong: what did not load, translate or verify, other results than
//! the JVM's, tests that fail. Those are listed with their reasons, and so are aims that are not reached, which change no exit status.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the table is the point")]

mod execution;
mod exploration;
mod floats;
mod generation;
mod guidance;
mod inputs;
mod residuals;
mod resources;
mod structures;
mod texts;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use petrel_classfile::ClassFile;
use petrel_classpath::{ClassSource, Jdk};
use petrel_filetests::library::problems;
use petrel_program::LoadError;
use petrel_replay::{ReplayOptions, measure_throughput};
use petrel_session::Session;
use petrel_translate::translate;

/// Enough for the JVM to warm up, as it does in use.
const REPLAYED_CALLS: usize = 50_000;

fn main() -> ExitCode {
    let done = match std::env::args().nth(1).as_deref() {
        None | Some("--sample") => run(false),
        Some("--full") => run(true),
        Some("--trees") => only(|jdk, findings| exploration::run(jdk, false, findings)),
        Some("--heaps") => only(structures::run),
        Some("--floats") => only(floats::run),
        Some("--guided") => only(guidance::run),
        Some("--resources") => only(|jdk, findings| resources::run(jdk, true, findings)),
        Some("--more") => only(residuals::run),
        Some("--inputs") => only(|jdk, findings| inputs::run(jdk, true, findings)),
        Some("--texts") => only(texts::run),
        Some("--generation") => only(|jdk, findings| generation::run(jdk, true, findings)),
        Some(other) => {
            eprintln!(
                "error: {other} is none of --sample, --full, --trees, --heaps, --floats, --guided, \
                 --resources, --more, --inputs, --texts and --generation"
            );
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(findings) => {
            findings.missed.iter().for_each(|aim| println!("aim missed: {aim}"));
            findings.wrong.iter().for_each(|what| println!("wrong: {what}"));
            if findings.wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) }
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

type Failure = Box<dyn std::error::Error>;

/// What benchmarks find beside their figures.
#[derive(Debug, Default)]
struct Findings {
    /// What is not as it has to be.
    wrong: Vec<String>,
    /// Aims that are not reached: of times and shares, which depend on the machine and on what else it does.
    missed: Vec<String>,
}

impl Findings {
    fn push(&mut self, wrong: String) {
        self.wrong.push(wrong);
    }

    fn miss(&mut self, aim: String) {
        self.missed.push(aim);
    }
}

/// Only a part of it.
fn only(
    part: impl FnOnce(&Jdk, &mut Findings) -> Result<(), Failure>,
) -> Result<Findings, Failure> {
    let jdk = Jdk::locate(None)?;
    let mut findings = Findings::default();
    part(&jdk, &mut findings)?;
    Ok(findings)
}

fn run(full: bool) -> Result<Findings, Failure> {
    let jdk = Jdk::locate(None)?;
    let homes = if full { sibling_jdks(jdk.home()) } else { vec![jdk.home().to_owned()] };
    let mut findings = Findings::default();
    println!(
        "{:<44} {:>8} {:>8} {:>9} {:>7} {:>8} {:>8} {:>8}",
        "work", "classes", "methods", "rules", "failed", "ms", "cpu ms", "us each"
    );
    for home in &homes {
        load(home, &mut findings)?;
    }
    for home in &homes {
        let session = Session::open(OsStr::new("."), Some(home))?;
        let modules =
            if full { session.jdk().module_names()? } else { vec!["java.base".to_owned()] };
        let mut rest = Row::default();
        for module in modules {
            let names = session.jdk().class_names_of_module(&module)?;
            let row = translate_all(&session, &names, &mut findings);
            let label = format!("translate, verify {module} {}", session.jdk().feature_version());
            if module == "java.base" { row.print(&label) } else { rest.add(&row) }
        }
        if rest.classes > 0 {
            rest.print(&format!("translate, verify others {}", session.jdk().feature_version()));
        }
    }
    for jar in if full { jars()? } else { Vec::new() } {
        let session = Session::open(jar.as_os_str(), None)?;
        let names = session.class_path().class_names()?;
        let row = translate_all(&session, &names, &mut findings);
        let name = jar.file_name().unwrap_or_default().to_string_lossy().into_owned();
        row.print(&format!("translate, verify {name}"));
    }
    for home in &homes {
        replay(home, &mut findings)?;
    }
    execution::run(&jdk, &mut findings)?;
    exploration::run(&jdk, full, &mut findings)?;
    structures::run(&jdk, &mut findings)?;
    floats::run(&jdk, &mut findings)?;
    guidance::run(&jdk, &mut findings)?;
    resources::run(&jdk, full, &mut findings)?;
    residuals::run(&jdk, &mut findings)?;
    inputs::run(&jdk, full, &mut findings)?;
    texts::run(&jdk, &mut findings)?;
    generation::run(&jdk, full, &mut findings)?;
    if let Some(peak) = peak_memory() {
        println!("peak memory {peak}");
    }
    Ok(findings)
}

/// Runs simple calls in the JVM of a JDK. Most of the work is done over there, so that the time of
/// this process on the core means nothing.
fn replay(home: &Path, findings: &mut Findings) -> Result<(), Failure> {
    let jdk = Jdk::open(home)?;
    let measured = measure_throughput(ReplayOptions::new(&jdk), REPLAYED_CALLS)?;
    let failed = measured.calls - measured.right;
    let version = jdk.feature_version();
    let each = measured.elapsed.as_micros() as f64 / measured.calls.max(1) as f64;
    println!(
        "{:<44} {:>8} {:>8} {:>9} {failed:>7} {:>8} {:>8} {each:>8.1}",
        format!("replay on JDK {version}, {:.0} calls/s", measured.calls_per_second()),
        "-",
        measured.calls,
        "-",
        measured.elapsed.as_millis(),
        "-",
    );
    if failed > 0 {
        findings.push(format!("replayed wrongly: {failed} calls of Math.abs on JDK {version}"));
    }
    Ok(())
}

/// The JDKs in the folder of a JDK, each once (some are links to others).
fn sibling_jdks(home: &Path) -> Vec<PathBuf> {
    let home = home.canonicalize().unwrap_or_else(|_| home.to_owned());
    let entries = home.parent().and_then(|parent| std::fs::read_dir(parent).ok());
    let mut homes: Vec<PathBuf> = entries
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.path().canonicalize().ok())
        .filter(|path| Jdk::open(path).is_ok())
        .collect();
    homes.push(home);
    homes.sort();
    homes.dedup();
    homes
}

fn jars() -> Result<Vec<PathBuf>, Failure> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../build/jars");
    let mut jars: Vec<PathBuf> = std::fs::read_dir(&folder)
        .map_err(|error| format!("{}: {error}; run: make jars", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "jar"))
        .collect();
    jars.sort();
    Ok(jars)
}

/// Finds and parses all classes of a JDK, and decodes the code of all methods.
fn load(home: &Path, findings: &mut Findings) -> Result<(), Failure> {
    let started = Clock::start();
    let jdk = Jdk::open(home)?;
    let mut row = Row::default();
    for name in jdk.class_names()? {
        row.classes += 1;
        let parsed = jdk.find(&name).map_err(|error| error.to_string()).and_then(|found| {
            let bytes = found.map(|found| found.bytes).unwrap_or_default();
            load_class(bytes).map_err(|error| error.to_string())
        });
        match parsed {
            Ok(methods) => row.methods += methods,
            Err(reason) => {
                row.failed += 1;
                findings.push(format!("not loaded: {name}: {reason}"));
            }
        }
    }
    (row.elapsed, row.cpu) = started.stop();
    row.print(&format!("load all classes of JDK {}", jdk.feature_version()));
    Ok(())
}

fn load_class(bytes: Vec<u8>) -> Result<usize, petrel_classfile::ClassFileError> {
    let class = ClassFile::parse(bytes)?;
    for method in &class.methods {
        class.code(method)?;
    }
    Ok(class.methods.len())
}

fn translate_all(session: &Session, names: &[String], findings: &mut Findings) -> Row {
    let started = Clock::start();
    let mut row = Row::default();
    for name in names {
        let class = match session.program().class(name) {
            Ok(class) => class,
            // A jar may hold classes that need other jars: that is no failure of loading.
            Err(LoadError::NotFound { name: missing, needed_by: Some(_) }) => {
                *row.missing.entry(missing.to_string()).or_default() += 1;
                continue;
            }
            Err(error) => {
                findings.push(format!("not loaded: {error}"));
                continue;
            }
        };
        row.classes += 1;
        for method in 0..class.file.methods.len() {
            let problems = match translate(session.program(), &class, method) {
                Ok(None) => continue,
                Ok(Some(procedure)) => {
                    row.rules += procedure.rules().count();
                    problems(&class.file, method, &procedure)
                }
                Err(error) => vec![error.to_string()],
            };
            row.methods += 1;
            row.failed += usize::from(!problems.is_empty());
            findings.wrong.extend(problems);
        }
    }
    (row.elapsed, row.cpu) = started.stop();
    row
}

/// Wall-clock and processor time.
struct Clock {
    started: Instant,
    cpu: Duration,
}

impl Clock {
    fn start() -> Clock {
        Clock { started: Instant::now(), cpu: processor_time() }
    }

    fn stop(self) -> (Duration, Duration) {
        (self.started.elapsed(), processor_time().saturating_sub(self.cpu))
    }
}

/// Processor time of one run of some work, the best of several rounds, and what the last run gave. The
/// system counts in steps of milliseconds: shorter work is done many times in a round, and what takes a
/// second is done once.
fn measured<T>(mut work: impl FnMut() -> Result<T, Failure>) -> Result<(Duration, T), Failure> {
    const ROUNDS: u32 = 3;
    const ROUND: Duration = Duration::from_millis(60);
    let mut once = || {
        let clock = Clock::start();
        work().map(|given| (clock.stop(), given))
    };
    // The first run translates.
    let ((elapsed, cpu), given) = once()?;
    if elapsed > Duration::from_secs(1) {
        return Ok((cpu, given));
    }
    let ((elapsed, _), mut given) = once()?;
    let runs = (ROUND.as_micros() / elapsed.as_micros().max(1) + 1) as u32;
    let mut best = Duration::MAX;
    for _ in 0..ROUNDS {
        let clock = Clock::start();
        for _ in 0..runs {
            given = work()?;
        }
        best = best.min(clock.stop().1 / runs);
    }
    Ok((best, given))
}

/// Processor time of this process so far; zero where the system does not tell.
fn processor_time() -> Duration {
    let nanoseconds = std::fs::read_to_string("/proc/self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or_default())
}

/// The most memory that the process had, where the system tells.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    Some(line.split_whitespace().skip(1).collect::<Vec<_>>().join(" "))
}

#[derive(Default)]
struct Row {
    classes: usize,
    methods: usize,
    rules: usize,
    failed: usize,
    elapsed: Duration,
    /// Time on the core, which a busy machine does not stretch.
    cpu: Duration,
    /// Classes that other classes need and nobody has: how many were left out for each.
    missing: BTreeMap<String, usize>,
}

impl Row {
    fn add(&mut self, other: &Row) {
        self.classes += other.classes;
        self.methods += other.methods;
        self.rules += other.rules;
        self.failed += other.failed;
        self.elapsed += other.elapsed;
        self.cpu += other.cpu;
        self.missing.extend(other.missing.clone());
    }

    fn print(&self, work: &str) {
        // Loading is a matter of classes, translation of methods.
        let units = if self.rules == 0 { self.classes } else { self.methods };
        let each = self.cpu.as_micros() as f64 / units.max(1) as f64;
        println!(
            "{work:<44} {:>8} {:>8} {:>9} {:>7} {:>8} {:>8} {each:>8.1}",
            self.classes,
            self.methods,
            self.rules,
            self.failed,
            self.elapsed.as_millis(),
            self.cpu.as_millis(),
        );
        for (missing, count) in &self.missing {
            println!("  {count} classes left out: they need {missing}, which is not there");
        }
    }
}
