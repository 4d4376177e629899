//! What exploring trees costs: beside SWI-Prolog on the exported program, with the complete solver,
//! with two workers, and with a million paths.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use petrel_classpath::Jdk;
use petrel_engine::{Bounds, Counts, Limits, Machine, PathEnd, Prefix, Termination};
use petrel_filetests::petrel::Petrel;
use petrel_filetests::swipl;
use petrel_filetests::world::root;
use petrel_program::ResolvedMethod;
use petrel_session::Session;
use petrel_solver::BitBlaster;
use petrel_testcase::{Options, Summary, generate};
use petrel_translate::cache::Procedures;

use crate::{Clock, Failure, Findings};

/// A tree: folder of the fixture, class, method, bound of block-count and range of the inputs.
struct Tree {
    folder: &'static str,
    class: &'static str,
    method: &'static str,
    bound: u32,
    domain: (i64, i64),
}

/// Trees of more than 100,000 steps, in ranges in which nothing overflows that a guard looks at.
const BESIDE_PROLOG: &[Tree] = &[
    Tree {
        folder: "papers",
        class: "Lcm003",
        method: "lcm",
        bound: 4_500,
        domain: (-30_000, 30_000),
    },
    Tree {
        folder: "papers",
        class: "Lcm001",
        method: "lcm",
        bound: 2_200,
        domain: (-30_000, 30_000),
    },
    Tree { folder: "bench", class: "Trees", method: "power", bound: 14, domain: (-100, 30_000) },
    Tree { folder: "bench", class: "Trees", method: "nest", bound: 1, domain: (-10_000, 10_000) },
];

/// How many times as fast as SWI-Prolog it has to be.
const LEAST_RATIO: f64 = 100.0;

pub(crate) fn run(jdk: &Jdk, full: bool, findings: &mut Findings) -> Result<(), Failure> {
    println!();
    println!(
        "{:<44} {:>8} {:>9} {:>10} {:>8} {:>9} {:>10} {:>7}",
        "propagation beside SWI-Prolog",
        "paths",
        "steps",
        "steps/s",
        "there",
        "steps",
        "steps/s",
        "ratio"
    );
    for tree in BESIDE_PROLOG {
        beside_prolog(jdk, tree, findings)?;
    }
    println!();
    println!(
        "{:<44} {:>8} {:>9} {:>8} {:>9} {:>8} {:>8}",
        "cases, labelled and predicted", "cases", "decisions", "queries", "unknown", "ms", "jobs"
    );
    with_solver(jdk, full, findings)?;
    Ok(())
}

pub(crate) struct Opened {
    pub(crate) session: Session,
}

impl Opened {
    pub(crate) fn new(jdk: &Jdk, folder: &str) -> Result<Opened, Failure> {
        let folder = fixtures(folder);
        Ok(Opened { session: Session::open(folder.as_os_str(), Some(jdk.home()))? })
    }

    pub(crate) fn method(&self, class: &str, method: &str) -> Result<ResolvedMethod, Failure> {
        let class = self.session.program().class(class)?;
        let found = class.methods().find(|found| found.name() == method);
        found.ok_or_else(|| format!("there is no method {method}").into())
    }
}

fn fixtures(folder: &str) -> PathBuf {
    root().join("build").join("fixtures").join(folder)
}

fn beside_prolog(jdk: &Jdk, tree: &Tree, findings: &mut Findings) -> Result<(), Failure> {
    let opened = Opened::new(jdk, tree.folder)?;
    let method = opened.method(tree.class, tree.method)?;
    let procedures = Procedures::new(opened.session.program());
    // The first round compiles.
    let (mut best, mut paths, mut counts) = (Duration::MAX, 0, Counts::default());
    for _ in 0..3 {
        let (elapsed, found, counted) = explore(&procedures, &method, tree)?;
        (best, paths, counts) = (best.min(elapsed), found, counted);
    }
    let theirs = prolog(jdk, tree)?;
    let ours = counts.steps as f64 / best.as_secs_f64().max(1e-9);
    let ratio = ours / theirs.steps_per_second;
    println!(
        "{:<44} {paths:>8} {:>9} {ours:>10.0} {:>8} {:>9} {:>10.0} {ratio:>7.0}",
        format!("{}.{}, block-count {}", tree.class, tree.method, tree.bound),
        counts.steps,
        theirs.cases,
        theirs.steps,
        theirs.steps_per_second,
    );
    // What propagation does not exclude differs; nobody may have fewer than there are.
    if paths > theirs.cases {
        findings.push(format!(
            "{}.{}: {paths} paths here and {} in SWI-Prolog",
            tree.class, tree.method, theirs.cases
        ));
    }
    if ratio < LEAST_RATIO {
        findings.miss(format!(
            "{}.{}: {ratio:.0} times as fast as SWI-Prolog, not {LEAST_RATIO}",
            tree.class, tree.method
        ));
    }
    Ok(())
}

/// Processor time, finished paths and counts of a tree, by propagation alone.
fn explore(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    tree: &Tree,
) -> Result<(Duration, u64, Counts), Failure> {
    let bounds = Bounds {
        termination: Termination::BlockCount(tree.bound),
        by_propagation: true,
        ..Bounds::default()
    };
    let solver = Box::new(BitBlaster::default());
    let mut machine = Machine::exploring(procedures, Limits::default(), &bounds, solver);
    let parameters = petrel_clp::Kind::of_parameters(method.descriptor());
    let arguments: Vec<_> = parameters
        .enumerate()
        .map(|(number, kind)| machine.unknown(&format!("x{number}"), kind, tree.domain))
        .collect();
    machine.prepare_call(method).map_err(|reason| reason.to_string())?;
    let clock = Clock::start();
    machine.start_paths(method, &arguments, [Prefix::default()]);
    let mut finished = 0;
    while let Some(end) = machine.next_path() {
        finished += u64::from(matches!(end, PathEnd::Returned(_) | PathEnd::Threw(_)));
    }
    Ok((clock.stop().1, finished, machine.counts()))
}

struct Theirs {
    cases: u64,
    steps: u64,
    steps_per_second: f64,
}

/// The same tree in SWI-Prolog: its processor time from inside, loading not counted.
fn prolog(jdk: &Jdk, tree: &Tree) -> Result<Theirs, Failure> {
    let petrel = std::env::current_exe()?.with_file_name("petrel");
    if !petrel.exists() {
        return Err(format!("{} is missing: `make bench` builds it", petrel.display()).into());
    }
    let folder = fixtures(tree.folder);
    let program = Petrel::new(petrel).prolog(jdk, folder.as_os_str(), tree.class)?;
    let (low, high) = tree.domain;
    let goal = format!(
        "goal((set_width(unbounded), set_answers(propagated), set_domain(({low})..({high})), set_exceptions(include), \
         method('{}', '{}', _, P, _), statistics(cputime, T0), count_cases(P, {}, N), \
         statistics(cputime, T1), T is T1 - T0, counters(C), \
         memberchk(steps = S, C), format(atom(A), '~w ~w ~w', [N, S, T])), A)",
        tree.class, tree.method, tree.bound
    );
    let answers = swipl::answer(&program, &[goal])?;
    let answer = answers.first().map_or("", |answer| answer.trim_matches('\''));
    let numbers: Vec<f64> = answer.split(' ').filter_map(|word| word.parse().ok()).collect();
    let [cases, steps, seconds] = numbers.as_slice() else {
        return Err(format!("SWI-Prolog: {answer}").into());
    };
    Ok(Theirs {
        cases: *cases as u64,
        steps: *steps as u64,
        steps_per_second: steps / seconds.max(1e-9),
    })
}

fn with_solver(jdk: &Jdk, full: bool, findings: &mut Findings) -> Result<(), Failure> {
    let lcm = Options { termination: Termination::BlockCount(8), ..Options::default() };
    let (summary, elapsed) = cases(jdk, "papers", "Lcm003", "lcm", &lcm)?;
    if summary.ends.returned + summary.ends.threw != 31 || elapsed > Duration::from_secs(1) {
        findings.push(format!("Lcm003.lcm: not its 31 cases within a second ({elapsed:?})"));
    }
    cases(jdk, "papers", "Lcm001", "lcm", &Options::default())?;
    let nest = Options { domain: Some((-10_000, 10_000)), ..Options::default() };
    cases(jdk, "bench", "Trees", "nest", &nest)?;
    let power = Options {
        termination: Termination::BlockCount(15),
        domain: Some((-100, 30_000)),
        ..Options::default()
    };
    let (_, one) = cases(jdk, "bench", "Trees", "power", &power)?;
    let (_, two) = cases(jdk, "bench", "Trees", "power", &Options { jobs: 2, ..power })?;
    let speedup = one.as_secs_f64() / two.as_secs_f64().max(1e-9);
    println!("{:<44} {speedup:>8.2}", "two workers, times as fast");
    if full {
        let flags = Options { jobs: 2, ..Options::default() };
        cases(jdk, "bench", "Trees", "flags", &flags)?;
    }
    Ok(())
}

fn cases(
    jdk: &Jdk,
    folder: &str,
    class: &str,
    method: &str,
    options: &Options,
) -> Result<(Summary, Duration), Failure> {
    let opened = Opened::new(jdk, folder)?;
    let resolved = opened.method(class, method)?;
    let procedures = Procedures::new(opened.session.program());
    let started = Instant::now();
    let summary = generate(&procedures, &resolved, options, &mut |_| true)?;
    let elapsed = started.elapsed();
    println!(
        "{:<44} {:>8} {:>9} {:>8} {:>9} {:>8} {:>8}",
        format!("{class}.{method}, {}", options.termination),
        summary.ends.returned + summary.ends.threw,
        summary.solver.decisions,
        summary.solver.queries,
        summary.solver.unknown,
        elapsed.as_millis(),
        options.jobs,
    );
    Ok((summary, elapsed))
}
