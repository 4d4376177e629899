//! Going on with a residual generator: its work beside the work that is new.
//!
//! New is what a generation with the larger bound does beyond one with the smaller bound. Work is counted in steps of
//! the machine and of the solver, those on the way to where a derivation goes on included; the time on the processor
//! is beside it.

use petrel_classpath::Jdk;
use petrel_program::ResolvedMethod;
use petrel_testcase::{Options, Prefix, Summary, Termination, generate};
use petrel_translate::cache::Procedures;

use crate::exploration::Opened;
use crate::{Failure, Findings, measured};

/// Folder of the fixture, class, method, and the smaller bound of loop-k.
const METHODS: &[(&str, &str, &str, u32)] = &[
    ("papers", "Lcm001", "lcm", 8),
    ("papers", "ArrayPower", "arraypower", 3),
    ("papers", "Vector", "multiples", 4),
    ("symbolic", "PathLoops", "area", 12),
    ("symbolic", "PathClassics", "pascal", 3),
    ("heap", "structures/BinarySearchTree", "find", 1),
    ("heap", "structures/SortedListPriorityQueue", "insert", 3),
    ("heap", "structures/NodeSequence", "removeAt", 2),
    ("heap", "HeapTrees", "leaves", 2),
];

/// Going on may cost so many times what is new.
const MOST_RATIO: f64 = 1.1;

/// What a generation took.
struct Run {
    work: u64,
    cases: u64,
    time: f64,
    summary: Summary,
}

pub(crate) fn run(jdk: &Jdk, findings: &mut Findings) -> Result<(), Failure> {
    println!();
    println!(
        "{:<44} {:>8} {:>8} {:>10} {:>10} {:>6} {:>8} {:>8} {:>6}",
        "going on", "cases", "further", "new work", "done", "ratio", "new ms", "ms", "ratio"
    );
    let (mut new, mut done) = (0, 0);
    for &(folder, class, method, bound) in METHODS {
        let opened = Opened::new(jdk, folder)?;
        let procedures = Procedures::new(opened.session.program());
        let resolved = opened.method(class, method)?;
        let at = |bound: u32, parts: Option<Vec<Prefix>>| -> Result<Run, Failure> {
            let mut options =
                Options { termination: Termination::Loop(bound), ..Options::default() };
            options.keep_unfinished = parts.is_none();
            if let Some(parts) = parts {
                options.parts = parts.into();
            }
            measure(&procedures, &resolved, &options)
        };
        let small = at(bound, None)?;
        let large = at(bound + 1, None)?;
        let parts = small.summary.unfinished.iter().map(|unfinished| unfinished.prefix.clone());
        let rest = at(bound + 1, Some(parts.collect()))?;
        let label = format!("{class}#{method}, loop-{bound} to loop-{}", bound + 1);
        if small.cases + rest.cases != large.cases {
            findings.push(format!("{label}: {} further cases", rest.cases));
        }
        let of_new = large.work.saturating_sub(small.work);
        (new, done) = (new + of_new, done + rest.work);
        println!(
            "{label:<44} {:>8} {:>8} {of_new:>10} {:>10} {:>6.2} {:>8.2} {:>8.2} {:>6.2}",
            small.cases,
            rest.cases,
            rest.work,
            rest.work as f64 / of_new.max(1) as f64,
            large.time - small.time,
            rest.time,
            rest.time / (large.time - small.time)
        );
    }
    let ratio = done as f64 / new.max(1) as f64;
    println!("{:<44} {:>8} {:>8} {new:>10} {done:>10} {ratio:>6.2}", "all", "", "");
    if ratio > MOST_RATIO {
        findings.miss(format!("going on takes {ratio:.2} times the work that is new"));
    }
    Ok(())
}

fn measure(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    options: &Options,
) -> Result<Run, Failure> {
    let (time, (cases, summary)) = measured(|| {
        let mut cases = 0;
        let summary = generate(procedures, method, options, &mut |_| {
            cases += 1;
            true
        })?;
        Ok((cases, summary))
    })?;
    Ok(Run { work: summary.work, cases, time: time.as_secs_f64() * 1000.0, summary })
}
