//! Guided generation: Tables 1 and 2 of "A Framework for Guided Test Case Generation in Constraint Logic
//! Programming", with structures of the same kind.
//!
//! BCs are the instructions that can be reached, Tt is the time to load and translate them, the JDK included. T, N and CC
//! are time, cases and covered instructions of plain generation, Tg, Ng and CCg those of guided
//! generation; GT/UT are the traces that were proposed, and those of them that no input takes. Times are
//! milliseconds of processor time, the best of some runs.

use std::time::Duration;

use petrel_classpath::Jdk;
use petrel_program::ResolvedMethod;
use petrel_testcase::{
    Case, Coverage, Options, Selection, Strategy, Summary, Termination, generate,
};
use petrel_translate::cache::Procedures;
use petrel_translate::reach::reach;

use crate::exploration::Opened;
use crate::{Failure, Findings, measured};

/// Where the fixtures are.
const FOLDER: &str = "heap";

/// A method with three program points: lines of its file or of another one, and offsets of its own
/// instructions.
struct Target {
    class: &'static str,
    method: &'static str,
    points: &'static str,
    /// Whether reaching the points has to be much faster with guidance.
    has_to_gain: bool,
}

const fn target(
    class: &'static str,
    method: &'static str,
    points: &'static str,
    has_to_gain: bool,
) -> Target {
    Target { class, method, points, has_to_gain }
}

/// Points behind different branches, in the target or in what it calls, that have nearly all of the target
/// covered: its last instruction is one where it stands on the line of a call. Where guidance has to gain,
/// one is a point that plain generation comes to late, as in the paper, if there is any: where plain
/// generation meets all of them in its first cases, there is little to gain.
const TARGETS: &[Target] = &[
    // Both ways to a node, and the return.
    target("NodeSequence", "elementAt", "19,24,@10", false),
    // The long way to a node, and the ends of both insertions.
    target("NodeSequence", "insertAt", "24,47,@38", true),
    target("NodeSequence", "removeAt", "19,24,@18", false),
    target("NodeSequence", "replaceAt", "19,24,@19", false),
    // An empty queue, a key that comes behind others, and the other order.
    target("SortedListPriorityQueue", "insert", "64,70,ReverseOrdering.java:14", true),
    // An empty queue, a broken list, and the return.
    target("SortedListPriorityQueue", "removeMin", "79,DoublyLinkedList.java:43,@34", false),
    // An external node, the last call, and the other order.
    target("BinarySearchTree", "addAll", "91,97,ReverseOrdering.java:14", true),
    // A key to the right, one that is there, and one that is not.
    target("BinarySearchTree", "find", "62,@33,77", false),
    // A tree without a root, the last call of what it calls, and the return.
    target("BinarySearchTree", "findAll", "LinkedBinaryTree.java:29,97,85", true),
    // A tree without a root, a key that is there already, and the return.
    target("BinarySearchTree", "insert", "LinkedBinaryTree.java:29,106,@57", true),
    // A node whose left child is internal, one with two such children, and the return.
    target("BinarySearchTree", "remove", "125,132,138", false),
    // A full tree, the return, and the other order.
    target(
        "HeapPriorityQueue",
        "insert",
        "CompleteTree.java:109,@28,ReverseOrdering.java:14",
        true,
    ),
    // An empty queue, an exchange, and the return.
    target("HeapPriorityQueue", "removeMin", "45,90,54", false),
];

/// Nothing in these tables may take longer.
const MOST_TIME: Duration = Duration::from_millis(100);

/// How many times as fast as plain generation guided generation has to be for some targets.
const LEAST_GAIN: f64 = 10.0;

/// How many times as long as the better strategy the automatic choice may take.
const MOST_LOSS: f64 = 1.2;

/// What one strategy gave.
struct Column {
    time: Duration,
    cases: Vec<Case>,
    summary: Summary,
    coverage: Coverage,
}

impl Column {
    fn milliseconds(&self) -> f64 {
        milliseconds(self.time)
    }

    fn covered(&self) -> f64 {
        let instructions = &self.coverage.instructions;
        100.0 * f64::from(instructions.covered) / f64::from(instructions.total.max(1))
    }

    /// Of guided generation.
    fn text(&self) -> String {
        let (proposed, without_case) = self.summary.traces;
        format!(
            "{:>8.2} {:>5} {:>4.0}% {:>9}",
            self.milliseconds(),
            self.cases.len(),
            self.covered(),
            format!("{proposed}/{without_case}"),
        )
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

struct Bench<'a> {
    jdk: &'a Jdk,
    opened: &'a Opened,
    procedures: Procedures<'a>,
    project: Vec<String>,
}

pub(crate) fn run(jdk: &Jdk, findings: &mut Findings) -> Result<(), Failure> {
    let opened = Opened::new(jdk, FOLDER)?;
    let program = opened.session.program();
    let project = program.project_classes()?.iter().map(ToString::to_string).collect();
    let bench = Bench { jdk, opened: &opened, procedures: Procedures::new(program), project };
    bench.local_paths(findings)?;
    bench.points(findings)
}

impl Bench<'_> {
    /// Table 1, with the automatic choice of a strategy in addition.
    fn local_paths(&self, findings: &mut Findings) -> Result<(), Failure> {
        println!();
        println!(
            "{:<34} {:>5} {:>6} {:>8} {:>5} {:>5} {:>8} {:>5} {:>5} {:>9} {:>8} {:>6}",
            "local-paths, loop-1",
            "BCs",
            "Tt",
            "T",
            "N",
            "CC",
            "Tg",
            "Ng",
            "CCg",
            "GT/UT",
            "Tauto",
            "ratio"
        );
        for target in TARGETS {
            let method = self.method(target)?;
            let (instructions, translation) = self.translation(target)?;
            let selection = Selection::LocalPaths;
            let plain = self.measure(&method, &selection, Strategy::Plain)?;
            let guided = self.measure(&method, &selection, Strategy::Guided)?;
            let auto = self.measure(&method, &selection, Strategy::Auto)?;
            let ratio = auto.milliseconds() / milliseconds(plain.time.min(guided.time)).max(1e-6);
            let name = format!("{}.{}", target.class, target.method);
            println!(
                "{name:<34} {instructions:>5} {:>6.1} {:>8.2} {:>5} {:>4.0}% {} {:>8.2} {ratio:>6.2}",
                milliseconds(translation),
                plain.milliseconds(),
                self.paths_until(&method, None)?,
                plain.covered(),
                guided.text(),
                auto.milliseconds(),
            );
            let what = format!("{name}, local-paths");
            check(&what, &plain, &guided, findings);
            if guided.cases.len() != plain.cases.len() {
                let (many, others) = (guided.cases.len(), plain.cases.len());
                findings.push(format!("{what}: {many} cases with guidance, {others} without"));
            }
            if ratio > MOST_LOSS {
                findings.miss(format!("{what}: auto takes {ratio:.2} times the better strategy"));
            }
        }
        Ok(())
    }

    /// Table 2.
    fn points(&self, findings: &mut Findings) -> Result<(), Failure> {
        println!();
        println!(
            "{:<34} {:>12} {:>8} {:>5} {:>5} {:>8} {:>5} {:>5} {:>9} {:>8}",
            "program-points, loop-1", "", "T", "N", "CC", "Tg", "Ng", "CCg", "GT/UT", "T/Tg"
        );
        for target in TARGETS {
            let method = self.method(target)?;
            let selection: Selection = format!("points:{}", target.points).parse()?;
            let plain = self.measure(&method, &selection, Strategy::Plain)?;
            let guided = self.measure(&method, &selection, Strategy::Guided)?;
            let gain = plain.milliseconds() / guided.milliseconds().max(1e-6);
            let name = format!("{}.{}", target.class, target.method);
            let last = plain.cases.last().filter(|_| plain.summary.unreached.is_empty());
            println!(
                "{name:<47} {:>8.2} {:>5} {:>4.0}% {} {gain:>8.1}",
                plain.milliseconds(),
                self.paths_until(&method, last)?,
                plain.covered(),
                guided.text(),
            );
            let what = format!("{name}, points {}", target.points);
            check(&what, &plain, &guided, findings);
            if target.has_to_gain && gain < LEAST_GAIN {
                findings
                    .miss(format!("{what}: {gain:.1} times as fast as plain, not {LEAST_GAIN}"));
            }
            for unreached in &plain.summary.unreached {
                println!("  without guidance, no case executes {}", unreached.point);
            }
            for unreached in &guided.summary.unreached {
                println!("  with guidance, no case executes {}", unreached.point);
            }
        }
        Ok(())
    }

    fn method(&self, target: &Target) -> Result<ResolvedMethod, Failure> {
        self.opened.method(&format!("structures/{}", target.class), target.method)
    }

    /// How many instructions there are to translate, and how long that takes from the class files on.
    fn translation(&self, target: &Target) -> Result<(usize, Duration), Failure> {
        let (time, reached) = measured(|| {
            let opened = Opened::new(self.jdk, FOLDER)?;
            let method = opened.method(&format!("structures/{}", target.class), target.method)?;
            let procedures = Procedures::new(opened.session.program());
            Ok(reach(&procedures, &self.project, &[method]))
        })?;
        let instructions = reached.procedures.iter().map(|procedure| {
            let mut offsets: Vec<u16> =
                procedure.rules().flat_map(|rule| &rule.instructions).map(|at| at.pc).collect();
            offsets.sort_unstable();
            offsets.dedup();
            offsets.len()
        });
        Ok((instructions.sum(), time))
    }

    fn measure(
        &self,
        method: &ResolvedMethod,
        selection: &Selection,
        strategy: Strategy,
    ) -> Result<Column, Failure> {
        let selection = selection.clone();
        let options = Options { selection, strategy, ..options() };
        let (time, (cases, summary)) = measured(|| {
            let mut cases = Vec::new();
            let summary = generate(&self.procedures, method, &options, &mut |case| {
                cases.push(case);
                true
            })?;
            Ok((cases, summary))
        })?;
        let coverage = Coverage::of(&self.procedures, &self.project, method, &summary)?;
        Ok(Column { time, cases, summary, coverage })
    }

    /// How many cases plain generation has found before it stops at one of them: all of them if it does
    /// not stop.
    fn paths_until(&self, method: &ResolvedMethod, last: Option<&Case>) -> Result<u64, Failure> {
        let mut count = 0;
        generate(&self.procedures, method, &options(), &mut |case| {
            count += 1;
            last.is_none_or(|last| last.trace != case.trace)
        })?;
        Ok(count)
    }
}

fn options() -> Options {
    Options { termination: Termination::Loop(1), ..Options::default() }
}

/// What has to hold for both tables.
fn check(what: &str, plain: &Column, guided: &Column, findings: &mut Findings) {
    let (here, there) = (guided.covered(), plain.covered());
    if here < there {
        findings.push(format!("{what}: {here:.0}% covered with guidance, {there:.0}% without"));
    }
    if guided.summary.unreached.len() > plain.summary.unreached.len() {
        findings.push(format!("{what}: guidance does not reach all points that can be reached"));
    }
    if guided.time > MOST_TIME {
        findings.miss(format!("{what}: {:.0} ms with guidance", guided.milliseconds()));
    }
}
