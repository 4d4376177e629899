//! Resource-driven generation: Fig. 7 of "Resource-driven CLP-based Test Case Generation", the paths that
//! are looked at for the most expensive case of larger programs, and the whole tree of the paper's example
//! beside SWI-Prolog.
//!
//! Resource-aware generation derives all paths and keeps the most expensive one. With an oracle, an
//! abstraction says which paths may be wanted, and only those are derived.

use std::time::Duration;

use petrel_classfile::MethodDescriptor;
use petrel_classpath::Jdk;
use petrel_engine::{Bounds, Limits, Machine, PathEnd, Prefix, Termination};
use petrel_filetests::petrel::Petrel;
use petrel_filetests::swipl;
use petrel_filetests::world::root;
use petrel_program::ResolvedMethod;
use petrel_solver::BitBlaster;
use petrel_testcase::{Limit, Model, Options, Oracle, generate};
use petrel_translate::cache::Procedures;

use crate::exploration::Opened;
use crate::{Clock, Failure, Findings, measured};

/// The bounds of Fig. 7.
const FIGURE_7: std::ops::RangeInclusive<u32> = 1..=8;

/// From this bound on the enhanced abstraction has to be so many times as fast.
const LEAST_GAIN: (u32, f64) = (5, 2.0);

/// One derivation of Fig. 7 is stopped after this time.
const MOST_TIME: Duration = Duration::from_secs(20);

/// Methods whose costs differ from path to path: a quicksort, a hash table, a vector.
const WORST_CASES: &[(&str, &str)] =
    &[("QuickSort", "sort"), ("ChainedTable", "insertAll"), ("Growing", "positives")];

/// How many percent of the paths are looked at with the enhanced abstraction.
const MOST_PATHS: f64 = 10.0;

/// The bound of the tree that is derived beside SWI-Prolog, how many cases it has, and how many times as
/// fast it has to be.
const BESIDE_PROLOG: (u32, u64, f64) = (12, 45_070, 50.0);

/// With `full`, worst cases get a minute, else ten seconds.
pub(crate) fn run(jdk: &Jdk, full: bool, findings: &mut Findings) -> Result<(), Failure> {
    figure_7(jdk, findings)?;
    worst_cases(jdk, Duration::from_secs(if full { 60 } else { 10 }), findings)?;
    beside_prolog(jdk, findings)
}

/// What looking for the most expensive case took.
struct Column {
    time: Duration,
    /// Paths that came to an end.
    tried: u64,
    /// Paths that the criterion cut; those in parts that were left count as one.
    cut: u64,
    steps: u64,
    /// The cost of the case, if there is one.
    cost: Option<i64>,
    is_cut: bool,
}

impl Column {
    fn milliseconds(&self) -> String {
        match self.is_cut {
            true => "-".to_owned(),
            false => format!("{:.2}", self.time.as_secs_f64() * 1000.0),
        }
    }
}

/// Looks for the case with the most instructions, exceptions excluded.
fn most_expensive(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    bound: u32,
    oracle: Oracle,
    most_time: Duration,
) -> Result<Column, Failure> {
    let read = |_: &std::path::Path| Err(std::io::ErrorKind::NotFound.into());
    let options = Options {
        termination: Termination::Loop(bound),
        oracle,
        models: vec![Model::parse("instructions", &read)?],
        policy: "worst-case instructions".parse()?,
        exceptions: false,
        time: Some(most_time),
        ..Options::default()
    };
    let (time, (cost, summary)) = measured(|| {
        let mut cost = None;
        let summary = generate(procedures, method, &options, &mut |case| {
            cost = case.costs.first().map(|cost| cost.value);
            true
        })?;
        Ok((cost, summary))
    })?;
    let (tried, cut) = (summary.ends.returned + summary.ends.refused, summary.ends.cut);
    // A search that is stopped leaves no path behind that tells it.
    let is_late = Duration::from_micros(summary.elapsed_us) >= most_time;
    let is_cut = is_late || summary.ends.limits.contains_key(&Limit::Time);
    Ok(Column { time, tried, cut, steps: summary.steps, cost, is_cut })
}

/// All abstractions have to lead to the same cost.
fn compare(what: &str, expected: &Column, found: &Column, findings: &mut Findings) {
    let is_complete = !expected.is_cut && !found.is_cut;
    if is_complete && expected.cost != found.cost {
        let (expected, found) = (expected.cost, found.cost);
        findings.push(format!("{what}: the worst case costs {found:?} instead of {expected:?}"));
    }
}

fn figure_7(jdk: &Jdk, findings: &mut Findings) -> Result<(), Failure> {
    println!();
    println!("Fig. 7, Vector.multiples, worst-case instructions");
    println!(
        "{:<4} {:>6}   {:>8} {:>8} {:>8} {:>8} {:>8}   {:>10} {:>10} {:>10} {:>6}",
        "k",
        "cost",
        "aware",
        "naive",
        "cut",
        "enhanced",
        "cut",
        "aware ms",
        "naive ms",
        "enh. ms",
        "gain"
    );
    let opened = Opened::new(jdk, "papers")?;
    let method = opened.method("Vector", "multiples")?;
    let procedures = Procedures::new(opened.session.program());
    for bound in FIGURE_7 {
        let measure = |oracle| most_expensive(&procedures, &method, bound, oracle, MOST_TIME);
        let aware = measure(Oracle::None)?;
        let naive = measure(Oracle::Naive)?;
        let enhanced = measure(Oracle::Enhanced)?;
        let gain = aware.time.as_secs_f64() / enhanced.time.as_secs_f64().max(1e-9);
        println!(
            "{bound:<4} {:>6}   {:>8} {:>8} {:>8} {:>8} {:>8}   {:>10} {:>10} {:>10} {gain:>6.1}",
            aware.cost.unwrap_or_default(),
            aware.tried,
            naive.tried,
            naive.cut,
            enhanced.tried,
            enhanced.cut,
            aware.milliseconds(),
            naive.milliseconds(),
            enhanced.milliseconds(),
        );
        let what = format!("Fig. 7, loop-{bound}");
        compare(&format!("{what}, naive"), &aware, &naive, findings);
        compare(&format!("{what}, enhanced"), &aware, &enhanced, findings);
        let (from, most) = LEAST_GAIN;
        let least = if bound < from { 1.0 } else { most };
        if gain < least {
            findings.miss(format!("{what}: enhanced is {gain:.1} times as fast, not {least}"));
        }
    }
    Ok(())
}

fn worst_cases(jdk: &Jdk, most_time: Duration, findings: &mut Findings) -> Result<(), Failure> {
    println!();
    println!(
        "{:<34} {:>4} {:>6}   {:>8} {:>10} {:>10}   {:>8} {:>8} {:>10} {:>10}   {:>6}",
        format!("worst case within {} s", most_time.as_secs()),
        "k",
        "cost",
        "paths",
        "steps",
        "ms",
        "enhanced",
        "cut",
        "steps",
        "ms",
        "paths"
    );
    let opened = Opened::new(jdk, "costs")?;
    let procedures = Procedures::new(opened.session.program());
    for &(class, name) in WORST_CASES {
        let method = opened.method(class, name)?;
        let measure =
            |bound, oracle| most_expensive(&procedures, &method, bound, oracle, most_time);
        let mut last: Option<(u32, Column)> = None;
        for bound in 2.. {
            let aware = measure(bound, Oracle::None)?;
            if aware.is_cut {
                break;
            }
            last = Some((bound, aware));
        }
        let Some((bound, aware)) = last else {
            findings.push(format!("{class}.{name}: loop-2 does not finish"));
            continue;
        };
        let enhanced = measure(bound, Oracle::Enhanced)?;
        let percent = 100.0 * enhanced.tried as f64 / aware.tried.max(1) as f64;
        println!(
            "{:<34} {bound:>4} {:>6}   {:>8} {:>10} {:>10}   {:>8} {:>8} {:>10} {:>10}   {percent:>5.1}%",
            format!("{class}.{name}"),
            aware.cost.unwrap_or_default(),
            aware.tried,
            aware.steps,
            aware.milliseconds(),
            enhanced.tried,
            enhanced.cut,
            enhanced.steps,
            enhanced.milliseconds(),
        );
        let what = format!("{class}.{name}, loop-{bound}");
        compare(&what, &aware, &enhanced, findings);
        if percent >= MOST_PATHS || enhanced.is_cut {
            let end = if enhanced.is_cut { ", and is not done" } else { "" };
            findings.miss(format!("{what}: enhanced looks at {percent:.1}% of the paths{end}"));
        }
    }
    Ok(())
}

/// The tree of the paper's example, by propagation alone on both sides.
fn beside_prolog(jdk: &Jdk, findings: &mut Findings) -> Result<(), Failure> {
    let (bound, expected, least) = BESIDE_PROLOG;
    let opened = Opened::new(jdk, "papers")?;
    let method = opened.method("Vector", "multiples")?;
    let procedures = Procedures::new(opened.session.program());
    let (mut best, mut paths) = (Duration::MAX, 0);
    // The first round compiles.
    for _ in 0..3 {
        let (elapsed, found) = explore(&procedures, &method, bound)?;
        (best, paths) = (best.min(elapsed), found);
    }
    let (theirs, seconds) = prolog(jdk, bound)?;
    let ratio = seconds / best.as_secs_f64().max(1e-9);
    println!();
    println!(
        "Vector.multiples, loop-{bound}: {paths} cases in {:.0} ms, SWI-Prolog {theirs} in {:.0} ms: \
         {ratio:.0} times as fast",
        best.as_secs_f64() * 1000.0,
        seconds * 1000.0,
    );
    if (paths, theirs) != (expected, expected) {
        findings.push(format!("Vector.multiples, loop-{bound}: there are {expected} cases"));
    }
    if ratio < least {
        findings.miss(format!(
            "Vector.multiples, loop-{bound}: {ratio:.0} times as fast as SWI-Prolog, not {least}"
        ));
    }
    Ok(())
}

/// Processor time of the tree, and paths that return.
fn explore(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    bound: u32,
) -> Result<(Duration, u64), Failure> {
    let bounds =
        Bounds { termination: Termination::Loop(bound), by_propagation: true, ..Bounds::default() };
    let solver = Box::new(BitBlaster::default());
    let mut machine = Machine::exploring(procedures, Limits::default(), &bounds, solver);
    machine.prepare_call(method).map_err(|reason| reason.to_string())?;
    machine.expect_inputs_of(method, true);
    let mut arguments = Vec::new();
    for (number, of) in MethodDescriptor::parse(method.descriptor())?.parameters.iter().enumerate()
    {
        let argument = machine.unknown_input(&format!("x{number}"), of, true);
        arguments.push(argument.map_err(|reason| reason.to_string())?);
    }
    let clock = Clock::start();
    machine.start_paths(method, &arguments, [Prefix::default()]);
    let mut returned = 0;
    while let Some(end) = machine.next_path() {
        returned += u64::from(matches!(end, PathEnd::Returned(_)));
    }
    Ok((clock.stop().1, returned))
}

/// Cases in SWI-Prolog, and its processor time from inside, loading not counted.
fn prolog(jdk: &Jdk, bound: u32) -> Result<(u64, f64), Failure> {
    let petrel = std::env::current_exe()?.with_file_name("petrel");
    if !petrel.exists() {
        return Err(format!("{} is missing: `make bench` builds it", petrel.display()).into());
    }
    let folder = root().join("build/fixtures/papers");
    let program = Petrel::new(petrel).prolog(jdk, folder.as_os_str(), "Vector")?;
    // Entering a loop counts there.
    let count = bound + 1;
    let goal = format!(
        "goal((set_width(unbounded), set_answers(propagated), set_exceptions(exclude), \
         method('Vector', multiples, _, P, _), statistics(cputime, T0), count_cases(P, {count}, N), \
         statistics(cputime, T1), T is T1 - T0, format(atom(A), '~w ~w', [N, T])), A)"
    );
    let answers = swipl::answer(&program, &[goal])?;
    let answer = answers.first().map_or("", |answer| answer.trim_matches('\''));
    let numbers: Vec<f64> = answer.split(' ').filter_map(|word| word.parse().ok()).collect();
    let [cases, seconds] = numbers.as_slice() else {
        return Err(format!("SWI-Prolog: {answer}").into());
    };
    Ok((*cases as u64, *seconds))
}
