//! Strings, library objects and interfaces as unknown inputs: how much of the fixtures' code their cases cover
//! within the time that a user waits, and how many methods of real libraries have no unsupported path.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use petrel_classfile::{JavaType, MethodDescriptor, flags};
use petrel_classpath::Jdk;
use petrel_engine::Termination;
use petrel_filetests::inputs_fixtures::{TOPICS, options};
use petrel_filetests::sample::sample;
use petrel_filetests::symbolic::{Totals, all_cases, contradictions, is_callable};
use petrel_filetests::world::jar_file;
use petrel_program::{Program, ResolvedMethod};
use petrel_session::Session;
use petrel_testcase::{BranchCount, Coverage, GenerateError, Options, Selection, Summary};
use petrel_translate::cache::Procedures;
use petrel_value::unboxed;

use crate::exploration::Opened;
use crate::{Clock, Failure, Findings};

const JARS: [&str; 3] = ["commons-lang3-3.17.0.jar", "guava-33.3.1-jre.jar", "jsoup-1.18.1.jar"];
const SEED: u64 = 1;
/// The bounds of loops that are tried one after the other, while there is time.
const BOUNDS: [u32; 3] = [2, 4, 12];
/// Methods of each jar: of all of them, and in a sample.
const N_METHODS: (usize, usize) = (100, 20);
/// Methods of each family of fixtures in a sample.
const N_IN_SAMPLE: usize = 15;
/// Of hundred feasible branches of a family.
const LEAST_COVERED: f64 = 95.0;
/// Of hundred methods of libraries: those without unsupported paths.
const LEAST_SUPPORTED: f64 = 70.0;
/// Of hundred methods of libraries: those that one reason costs.
const MOST_FOR_ONE_REASON: f64 = 3.0;
/// Reasons and incomplete methods that are shown.
const MOST_SHOWN: usize = 10;

pub(crate) fn run(jdk: &Jdk, full: bool, findings: &mut Findings) -> Result<(), Failure> {
    println!();
    println!(
        "{:<28} {:>7} {:>6} {:>8} {:>7} {:>6} {:>6} {:>6} {:>7} {:>6} {:>9} {:>9} {:>8} {:>7}",
        "unknown inputs, 2 s each",
        "methods",
        "cases",
        "branches",
        "covered",
        "infeas",
        "unsupp",
        "budget",
        "unknown",
        "bound",
        "steps",
        "queries",
        "cpu ms",
        "share"
    );
    for topic in TOPICS {
        family(jdk, topic, full, findings)?;
    }
    libraries(jdk, full, findings)
}

fn percent(part: usize, of: usize) -> f64 {
    100.0 * part as f64 / of.max(1) as f64
}

/// What came of the methods of a family.
#[derive(Default)]
struct Family {
    methods: usize,
    cases: usize,
    branches: BranchCount,
    steps: u64,
    queries: u64,
    time: Duration,
    /// Methods with feasible branches that no case takes: how many, and what is said of them.
    incomplete: Vec<(u32, String)>,
}

impl Family {
    fn add(
        &mut self,
        method: &ResolvedMethod,
        n_cases: usize,
        summary: &Summary,
        found: &Coverage,
    ) {
        self.methods += 1;
        self.cases += n_cases;
        self.steps += summary.steps;
        self.queries += summary.solver.queries;
        self.branches.add(&found.branches);
        let missing = missing(found);
        if missing > 0 {
            let reasons = summary.ends.unsupported.keys().map(|stopped| stopped.what.to_string());
            let reason = reasons.chain(summary.ends.limits.keys().map(ToString::to_string)).next();
            let (total, reason) = (found.branches.total, reason.unwrap_or("cut".to_owned()));
            self.incomplete.push((missing, format!("{method}: {missing} of {total}, {reason}")));
        }
    }

    fn share(&self) -> f64 {
        let feasible = self.branches.total - self.branches.infeasible;
        if feasible == 0 {
            100.0
        } else {
            percent(self.branches.covered as usize, feasible as usize)
        }
    }

    fn print(&mut self, name: &str) {
        let branches = &self.branches;
        println!(
            "{name:<28} {:>7} {:>6} {:>8} {:>7} {:>6} {:>6} {:>6} {:>7} {:>6} {:>9} {:>9} {:>8} {:>6.1}%",
            self.methods,
            self.cases,
            branches.total,
            branches.covered,
            branches.infeasible,
            branches.unsupported,
            branches.budget,
            branches.unknown,
            branches.beyond_bound,
            self.steps,
            self.queries,
            self.time.as_millis(),
            self.share(),
        );
        self.incomplete.sort_by_key(|&(missing, _)| std::cmp::Reverse(missing));
        for (_, method) in self.incomplete.iter().take(MOST_SHOWN) {
            println!("  not covered: {method}");
        }
    }
}

fn family(jdk: &Jdk, topic: &str, full: bool, findings: &mut Findings) -> Result<(), Failure> {
    let opened = Opened::new(jdk, topic)?;
    let program = opened.session.program();
    let procedures = Procedures::new(program);
    let project: Vec<String> = program.project_classes()?.iter().map(ToString::to_string).collect();
    let mut methods = callable_methods(program)?;
    if !full {
        methods = sample(&methods, N_IN_SAMPLE, SEED);
    }
    let mut found = Family::default();
    let clock = Clock::start();
    for method in &methods {
        let started = Instant::now();
        let mut best: Option<(usize, Summary, Coverage)> = None;
        for bound in BOUNDS {
            let all = options();
            let left = all.time.unwrap_or_default().saturating_sub(started.elapsed());
            let is_first = best.is_none();
            let is_done = best.as_ref().is_some_and(|(.., found)| missing(found) == 0);
            if is_done || !is_first && left.is_zero() {
                break;
            }
            // What the first bound leaves out, the others look for, and for nothing else.
            let selection = if is_first { Selection::AllPaths } else { Selection::Branches };
            let termination = Termination::Loop(bound);
            let options = Options { time: Some(left), termination, selection, ..all };
            let Some(generated) = summary_of(&procedures, method, &options, findings) else {
                break;
            };
            let (n_cases, summary) = generated.map_err(|error| format!("{method}: {error}"))?;
            let coverage = Coverage::of(&procedures, &project, method, &summary)?;
            let is_better = best
                .as_ref()
                .is_none_or(|(.., known)| coverage.branches.covered > known.branches.covered);
            if is_better {
                best = Some((n_cases, summary, coverage));
            }
        }
        if let Some((n_cases, summary, coverage)) = best {
            found.add(method, n_cases, &summary, &coverage);
        }
    }
    found.time = clock.stop().1;
    found.print(topic);
    if full && found.share() < LEAST_COVERED {
        findings.miss(format!("{topic}: {:.1} % of the feasible branches covered", found.share()));
    }
    Ok(())
}

/// Feasible branches that no case takes.
fn missing(coverage: &Coverage) -> u32 {
    let branches = &coverage.branches;
    branches.total - branches.covered - branches.infeasible
}

/// The number of cases and the rest; `None` if generation panicked. That is a failure, and so are paths that
/// their own inputs do not take.
fn summary_of(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    options: &Options,
    findings: &mut Findings,
) -> Option<Result<(usize, Summary), GenerateError>> {
    let generated = catch_unwind(AssertUnwindSafe(|| all_cases(procedures, method, options)));
    let Ok(generated) = generated else {
        findings.push(format!("{method}: generation panicked"));
        return None;
    };
    Some(generated.map(|(cases, summary)| {
        let wrong = contradictions(&summary);
        if let Some(first) = wrong.first() {
            findings.push(format!("{method}: {} wrong paths, the first is {first}", wrong.len()));
        }
        (cases.len(), summary)
    }))
}

fn callable_methods(program: &Program) -> Result<Vec<ResolvedMethod>, Failure> {
    let classes = program.project_classes()?.iter().filter_map(|name| program.class(name).ok());
    let methods = classes.flat_map(|class| class.methods().collect::<Vec<_>>());
    Ok(methods.filter(is_callable).collect())
}

fn libraries(jdk: &Jdk, full: bool, findings: &mut Findings) -> Result<(), Failure> {
    let n_methods = if full { N_METHODS.0 } else { N_METHODS.1 };
    println!();
    println!(
        "{:<44} {:>8} {:>8} {:>11} {:>8} {:>9} {:>8} {:>8}",
        "with strings, boxes or collections",
        "methods",
        "cases",
        "unsupported",
        "limited",
        "unknown",
        "cpu ms",
        "share"
    );
    let mut totals = Totals::default();
    for name in JARS {
        let session = Session::open(jar_file(name).as_os_str(), Some(jdk.home()))?;
        let program = session.program();
        let procedures = Procedures::new(program);
        let mut targets = callable_methods(program)?;
        targets.retain(|method| is_target(program, method));
        let mut of_jar = Totals::default();
        let clock = Clock::start();
        for method in sample(&targets, n_methods, SEED) {
            explore(&procedures, &method, [&mut of_jar, &mut totals], findings);
        }
        print_libraries(name, &of_jar, clock.stop().1);
    }
    let (supported, reasons) = (supported(&totals), reasons(&totals));
    println!("{:<44} {:>8} {supported:>60.1}%", "all three", totals.methods);
    for (reason, count) in reasons.iter().take(MOST_SHOWN) {
        println!("  {count:>4} methods, {:>4.1} %: {reason}", percent(*count, totals.methods));
    }
    if !full {
        return Ok(());
    }
    if supported < LEAST_SUPPORTED {
        findings.miss(format!("libraries: {supported:.1} % of the methods are supported"));
    }
    for (reason, count) in reasons {
        let share = percent(count, totals.methods);
        if share > MOST_FOR_ONE_REASON {
            findings.miss(format!("libraries: {share:.1} % of the methods end at {reason}"));
        }
    }
    Ok(())
}

fn explore(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    totals: [&mut Totals; 2],
    findings: &mut Findings,
) {
    let generated = summary_of(procedures, method, &options(), findings);
    for totals in totals {
        match &generated {
            Some(Ok((n_cases, summary))) => totals.add(&method.to_string(), *n_cases, summary),
            Some(Err(error)) => totals.add_refused(error),
            None => totals.panics.push(method.to_string()),
        }
    }
}

fn print_libraries(name: &str, totals: &Totals, time: Duration) {
    println!(
        "{name:<44} {:>8} {:>8} {:>11} {:>8} {:>9} {:>8} {:>7.1}%",
        totals.methods,
        totals.cases,
        totals.n_unsupported(),
        totals.limited_methods,
        totals.unknown_paths,
        time.as_millis(),
        supported(totals),
    );
}

/// Of hundred methods, those that have cases and no unsupported path.
fn supported(totals: &Totals) -> f64 {
    percent(totals.methods - totals.n_unsupported(), totals.methods)
}

/// Why methods have unsupported paths, and how many; the most frequent reasons first.
fn reasons(totals: &Totals) -> Vec<(&str, usize)> {
    let stops = totals.unsupported.iter().map(|(reason, methods)| (&**reason, methods.len()));
    let refused = totals.refused.iter().map(|(reason, &count)| (&**reason, count));
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for (reason, count) in stops.chain(refused) {
        *reasons.entry(reason).or_default() += count;
    }
    let mut reasons: Vec<(&str, usize)> = reasons.into_iter().collect();
    reasons.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    reasons
}

/// Whether a method is public, as is its class, and takes a string, a box or a collection.
fn is_target(program: &Program, method: &ResolvedMethod) -> bool {
    let Ok(descriptor) = MethodDescriptor::parse(method.descriptor()) else { return false };
    method.has_flags(flags::PUBLIC)
        && method.class().file.has_flags(flags::PUBLIC)
        && descriptor.parameters.iter().any(|java_type| match java_type {
            JavaType::Object(name) => {
                &**name == "java/lang/String"
                    || unboxed(name).is_some()
                    || is_collection(program, name)
            }
            _ => false,
        })
}

fn is_collection(program: &Program, name: &str) -> bool {
    const KINDS: [&str; 3] = ["java/lang/Iterable", "java/util/Map", "java/util/Iterator"];
    let is_below = |kind: &&str| program.is_assignable(name, kind).unwrap_or(false);
    (name.starts_with("java/util/") || name == KINDS[0]) && KINDS.iter().any(is_below)
}
