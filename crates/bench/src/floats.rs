//! Numbers that are no integers: the branches of the body mass index, equations that have a solution and that have
//! none, and all methods of the fixtures on `float` and `double`.

use std::time::Duration;

use petrel_classpath::Jdk;
use petrel_filetests::symbolic::{all_cases, contradictions, is_numeric_target};
use petrel_program::ResolvedMethod;
use petrel_solver::Statistics;
use petrel_testcase::{BranchCount, Coverage, LeftOut, Limit, Options, Summary};
use petrel_translate::cache::Procedures;

use crate::exploration::Opened;
use crate::{Failure, Findings, measured};

/// What all branches of the body mass index may take.
const BODY_MASS: Duration = Duration::from_millis(50);
/// What JBMC takes for the equations: a goal to be below.
const SOLVED: Duration = Duration::from_millis(500);
const REFUTED: Duration = Duration::from_millis(1200);
/// Of hundred decisions that took more than rewriting, those without an answer.
const MOST_UNKNOWN: f64 = 2.0;
/// As many methods at least.
const LEAST_METHODS: usize = 30;

/// A method with a goal.
struct Single {
    class: &'static str,
    method: &'static str,
    assertions: bool,
    cases: usize,
    limit: Duration,
}

const fn single(
    class: &'static str,
    method: &'static str,
    assertions: bool,
    cases: usize,
    limit: Duration,
) -> Single {
    Single { class, method, assertions, cases, limit }
}

const SINGLES: &[Single] = &[
    single("Thresholds", "bodyMass", false, 6, BODY_MASS),
    single("BodyMass", "weightCategory", false, 3, BODY_MASS),
    single("BodyMass", "weightCategory", true, 5, BODY_MASS),
    single("Equations", "isRoot", false, 2, SOLVED),
    single("Equations", "isRootOfTwo", false, 1, REFUTED),
];

/// Which of its branches is feasible depends on the machine: it asks for the sign of a NaN that arithmetic gave.
const LEFT_TO_THE_MACHINE: &str = "signOfNaN";

pub(crate) fn run(jdk: &Jdk, findings: &mut Findings) -> Result<(), Failure> {
    println!();
    println!(
        "{:<44} {:>8} {:>8} {:>9} {:>9} {:>8} {:>8} {:>8}",
        "floats", "cases", "covered", "feasible", "decisions", "unknown", "ms", "goal"
    );
    let opened = Opened::new(jdk, "floats")?;
    let program = opened.session.program();
    let procedures = Procedures::new(program);
    let project = program.project_classes()?.iter().map(ToString::to_string).collect();
    let bench = Bench { procedures, project };
    for single in SINGLES {
        let method = opened.method(single.class, single.method)?;
        let options = Options { assertions: single.assertions, ..Options::default() };
        let (time, row) = measured(|| bench.measure(&method, &options))?;
        let with = if single.assertions { ", assertions" } else { "" };
        let name = format!("{}.{}{with}", single.class, single.method);
        row.print(&name, time, &format!("{}", single.limit.as_millis()));
        if row.cases != single.cases || row.missing() > 0 {
            findings.push(format!("{name}: {} cases instead of {}", row.cases, single.cases));
        }
        if time > single.limit {
            findings.miss(format!("{name}: {time:?}, not {:?}", single.limit));
        }
        findings.wrong.extend(row.wrong);
    }
    let mut all = Row::default();
    let mut n_methods = 0;
    let (time, ()) = measured(|| {
        (all, n_methods) = (Row::default(), 0);
        for class in program.project_classes()?.iter() {
            let methods = program.class(class)?;
            let methods = methods.methods().filter(is_numeric_target);
            for method in methods.filter(|method| method.name() != LEFT_TO_THE_MACHINE) {
                all.add(bench.measure(&method, &Options::default())?);
                n_methods += 1;
            }
        }
        Ok(())
    })?;
    let name = format!("all {n_methods} methods of the fixtures");
    all.print(&name, time, &format!("< {MOST_UNKNOWN} %"));
    let unknown = all.unknown_percent();
    if n_methods < LEAST_METHODS || all.missing() > 0 || unknown >= MOST_UNKNOWN {
        let missing = all.missing();
        findings.push(format!("{name}: {missing} branches missing, {unknown:.1} % unknown"));
    }
    findings.wrong.extend(all.wrong);
    Ok(())
}

struct Bench<'a> {
    procedures: Procedures<'a>,
    project: Vec<String>,
}

impl Bench<'_> {
    fn measure(&self, method: &ResolvedMethod, options: &Options) -> Result<Row, Failure> {
        let (cases, summary) = all_cases(&self.procedures, method, options)?;
        let coverage = Coverage::of(&self.procedures, &self.project, method, &summary)?;
        Ok(Row::of(method, cases.len(), &summary, &coverage))
    }
}

/// What came of some methods.
#[derive(Default)]
struct Row {
    cases: usize,
    branches: BranchCount,
    /// Branches that are taken where assertions are switched the other way.
    of_other_setting: u32,
    solver: Statistics,
    /// Paths that their inputs do not take.
    wrong: Vec<String>,
}

impl Row {
    fn of(method: &ResolvedMethod, cases: usize, summary: &Summary, coverage: &Coverage) -> Row {
        let wrong =
            contradictions(summary).iter().map(|what| format!("{method}: {what}")).collect();
        let mut limits = summary.ends.limits.keys();
        let is_setting = limits.all(|limit| *limit == Limit::LeftOut(LeftOut::Assertions));
        let branches = coverage.branches;
        let of_other_setting = if is_setting { branches.budget } else { 0 };
        Row { cases, branches, of_other_setting, solver: summary.solver, wrong }
    }

    fn add(&mut self, other: Row) {
        self.cases += other.cases;
        self.branches.add(&other.branches);
        self.of_other_setting += other.of_other_setting;
        self.solver.add(&other.solver);
        self.wrong.extend(other.wrong);
    }

    fn feasible(&self) -> u32 {
        self.branches.total - self.branches.infeasible - self.of_other_setting
    }

    /// Feasible branches that no case takes.
    fn missing(&self) -> u32 {
        self.feasible() - self.branches.covered
    }

    fn unknown_percent(&self) -> f64 {
        let decisions = self.solver.decisions - self.solver.by_rewriting;
        self.solver.unknown as f64 * 100.0 / decisions.max(1) as f64
    }

    fn print(&self, name: &str, time: Duration, goal: &str) {
        println!(
            "{name:<44} {:>8} {:>8} {:>9} {:>9} {:>7.1}% {:>8.2} {goal:>8}",
            self.cases,
            self.branches.covered,
            self.feasible(),
            self.solver.decisions - self.solver.by_rewriting,
            self.unknown_percent(),
            time.as_secs_f64() * 1000.0,
        );
    }
}
