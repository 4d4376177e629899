//! What `petrel generate` says that its tests cover is what JaCoCo counts when they run: on every line of the fixtures that
//! has branches, as many branches, and as many of them covered.
//!
//! Both may differ where one of [`Difference`] is the reason; each is recognised by what the class files or the account
//! say, and listed. Nothing else may differ. `TOPIC=control` in the environment looks only at one topic, and shows the
//! lines.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

mod facts;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use petrel_checks::Part;
use petrel_filetests::generated::account::Account;
use petrel_filetests::generated::binary::generate;
use petrel_filetests::generated::coverage::{Counter, Coverage};
use petrel_filetests::generated::suite::{Order, Suite};
use petrel_filetests::scratch::Scratch;
use petrel_filetests::world::{jdk, root};

use self::facts::{Construct, Facts, MethodFacts};

const TOPICS: [&str; 11] = [
    "arithmetic",
    "arrays",
    "control",
    "exceptions",
    "fields",
    "java8",
    "language",
    "nested",
    "papers",
    "symbolic",
    "types",
];
const MOST_TIME: Duration = Duration::from_secs(300);
/// Enough for methods of fixtures.
const OPTIONS: [&str; 2] = ["--budget", "200"];
/// One of so many topics.
const PART: Part = Part::one_of(11, 11);
/// There are branches enough in the fixtures.
const LEAST_EQUAL: usize = 500;
/// Tests that pass, but not under JaCoCo's agent, and why.
const DISTURBED: [(&str, &str); 2] = [
    (
        "HelpfulMessagesPetrelTest:ways()",
        "the JVM's messages have numbers of local variables, and the agent adds a variable",
    ),
    (
        "InitialisationOrderPetrelTest:singleReturns15()",
        "it returns which initialisers have run, and the agent adds initialisers to interfaces",
    ),
];

/// Why the counts of a line differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Difference {
    /// The line has code of a method that is no target: a private method, the body of a lambda expression, a static
    /// initialiser, or what compilers add. JaCoCo counts it, the account does not.
    NoTarget,
    /// Both sides of a jump lead to the same instruction: one branch in the account, two for JaCoCo; or all cases of a
    /// switch do, which is no branch for JaCoCo.
    OneTarget,
    /// JaCoCo leaves out the branch of `assert` that asks whether assertions are enabled.
    Assertion,
    /// JaCoCo leaves out the case that compilers add to a switch that has all cases.
    ExhaustiveSwitch,
    /// JaCoCo counts the cases of a switch over strings, the account what compilers make of it: hash codes, and `equals`.
    StringSwitch,
    /// JaCoCo leaves out the code that compilers add to close resources.
    Resources,
    /// Compilers copy a `finally` block to each way out: JaCoCo counts the copies as one.
    Finally,
    /// An exception that an instruction raises leaves a block before JaCoCo has noted that it was entered.
    ImplicitException,
    /// Tests of other methods take branches, too; the account of a method has its own tests.
    OtherTests,
}

/// What is predicted of a line.
#[derive(Debug, Default)]
struct Predicted {
    total: usize,
    covered: usize,
    infeasible: usize,
    /// Those that are covered by a test of an exception.
    throwing: usize,
}

/// All that is known of a line.
struct Line<'a> {
    number: u16,
    counted: Counter,
    predicted: Predicted,
    /// Methods with branches on it: those of the account, and others.
    targets: Vec<&'a MethodFacts>,
    others: Vec<&'a MethodFacts>,
}

#[test]
fn predicted_coverage_is_what_jacoco_counts() {
    let wanted = std::env::var("TOPIC").ok();
    let mut totals = Totals::default();
    let topics = match &wanted {
        Some(wanted) => TOPICS.into_iter().filter(|topic| topic == wanted).collect(),
        None => PART.of(TOPICS.to_vec(), "topics of fixtures"),
    };
    for topic in topics {
        compare(topic, wanted.is_some(), &mut totals);
    }
    eprintln!("{} lines with branches are equal", totals.equal);
    for (difference, count) in &totals.different {
        eprintln!("{count:>4} lines differ: {difference:?}");
    }
    assert!(totals.problems.is_empty(), "{}", totals.problems.join("\n"));
    assert!(
        wanted.is_some() || totals.equal >= PART.least(LEAST_EQUAL),
        "only {} lines",
        totals.equal
    );
}

#[derive(Default)]
struct Totals {
    equal: usize,
    different: BTreeMap<Difference, usize>,
    problems: Vec<String>,
}

fn compare(topic: &str, is_shown: bool, totals: &mut Totals) {
    let classes = root().join("build").join("fixtures").join(topic);
    assert!(classes.is_dir(), "{} is missing; `make fixtures` builds it", classes.display());
    let scratch = Scratch::new();
    let sources = scratch.path().join("src");
    let ended = generate(
        &sources,
        &classes,
        OPTIONS.map(PathBuf::from).iter().chain([&classes]),
        MOST_TIME,
    );
    let ended = ended.expect("the binary starts");
    assert_eq!(ended.status, Some(0), "{topic}: {}", ended.describe());
    let account = Account::parse(&ended.stdout).expect("there is an account");
    let (coverage, tests) = measure(topic, scratch.path(), &sources, &classes, totals);
    let facts = Facts::of(&classes);
    let topic = Topic { account: &account, facts: &facts, tests: &tests };
    for (source, methods) in &facts.methods {
        let counted = coverage.of_lines.get(source);
        let numbers: BTreeSet<u16> =
            methods.iter().flat_map(|method| &method.jumps).map(|jump| jump.line).collect();
        for number in numbers {
            let counted = counted.and_then(|lines| lines.get(&number)).copied();
            let line = topic.line(source, number, counted.unwrap_or_default());
            let found = topic.difference(&line);
            if is_shown && found != Ok(None) {
                let Line { counted, predicted, .. } = &line;
                eprintln!("{source}:{number}: {found:?}: {counted:?}, {predicted:?}");
            }
            match found {
                Ok(None) => totals.equal += 1,
                Ok(Some(difference)) => *totals.different.entry(difference).or_default() += 1,
                Err(why) => {
                    let Line { counted, predicted, .. } = &line;
                    let problem = format!(
                        "{source}:{number}: {why}: counted {counted:?}, told {predicted:?}"
                    );
                    totals.problems.push(problem);
                }
            }
        }
    }
}

/// Runs the tests; what they cover, and what their class files say.
fn measure(
    topic: &str,
    folder: &Path,
    sources: &Path,
    classes: &Path,
    totals: &mut Totals,
) -> (Coverage, Facts) {
    let jdk = jdk();
    let class_path = [classes.to_owned()];
    let tests = folder.join("tests");
    let suite = Suite::compile(&jdk, sources, &tests, &class_path, MOST_TIME)
        .expect("the program starts and ends");
    let executed = folder.join("executed");
    let agent = Some((&["*".to_owned()][..], &*executed));
    let passed = suite
        .run(&folder.join("work"), Order::Usual, agent, MOST_TIME)
        .expect("the program starts and ends");
    let failed = passed.failures.lines().filter(|line| line.contains("JUnit Jupiter:"));
    for line in failed {
        let reason = DISTURBED.iter().find(|(test, _)| line.contains(test));
        match reason {
            Some((test, why)) => eprintln!("{topic}: {test} fails: {why}"),
            None => totals.problems.push(format!("{topic}: fails: {line}")),
        }
    }
    (Coverage::of(&jdk, &executed, classes).expect("JaCoCo reports"), Facts::of(suite.tests()))
}

struct Topic<'a> {
    account: &'a Account,
    facts: &'a Facts,
    tests: &'a Facts,
}

impl<'a> Topic<'a> {
    fn line(&self, source: &str, number: u16, counted: Counter) -> Line<'a> {
        let mut predicted = Predicted::default();
        let mut told = BTreeSet::new();
        for class in &self.account.classes {
            if self.facts.sources.get(&class.name).is_none_or(|file| file != source) {
                continue;
            }
            for method in &class.methods {
                told.insert((&*class.name, &*method.name));
                for branch in method.branches.iter().filter(|branch| branch.line == number) {
                    let test = branch.test.as_deref().unwrap_or_default();
                    predicted.total += 1;
                    predicted.covered += usize::from(branch.is_covered());
                    predicted.infeasible += usize::from(branch.is_infeasible());
                    predicted.throwing += usize::from(test.contains("Throws"));
                }
            }
        }
        let methods = self.facts.methods.get(source).into_iter().flatten();
        let here = methods.filter(|method| method.jumps.iter().any(|jump| jump.line == number));
        let (targets, others) =
            here.partition(|method| told.contains(&(&*method.class, &*method.name)));
        Line { number, counted, predicted, targets, others }
    }

    /// Why the counts of a line differ, if they do.
    fn difference(&self, line: &Line<'_>) -> Result<Option<Difference>, &'static str> {
        let Line { counted, predicted, .. } = line;
        if counted.total() == predicted.total {
            if counted.covered > predicted.total - predicted.infeasible {
                return Err("a branch that is said to be infeasible was taken");
            }
            if counted.covered == predicted.covered {
                return Ok(None);
            }
        }
        if !line.others.is_empty() {
            return Ok(Some(Difference::NoTarget));
        }
        if counted.total() != predicted.total {
            return self.other_total(line).map(Some);
        }
        if counted.covered < predicted.covered {
            let missing = predicted.covered - counted.covered;
            let is_caught = line.has(Construct::Handler);
            return match missing <= predicted.throwing || is_caught {
                true => Ok(Some(Difference::ImplicitException)),
                false => Err("a branch that is said to be covered was not taken"),
            };
        }
        match line.targets.iter().any(|method| self.is_called_elsewhere(method)) {
            true => Ok(Some(Difference::OtherTests)),
            false => Err("a branch that is not said to be covered was taken"),
        }
    }

    /// Why there are more branches in one count than in the other.
    fn other_total(&self, line: &Line<'_>) -> Result<Difference, &'static str> {
        let jumps = line.targets.iter().flat_map(|method| &method.jumps);
        let jumps = jumps.filter(|jump| jump.line == line.number);
        let sides = jumps.map(|jump| match (jump.n_targets, jump.is_switch) {
            (1, false) => 2,
            (1, true) => 0,
            (n, _) => n,
        });
        if sides.sum::<usize>() == line.counted.total() {
            return Ok(Difference::OneTarget);
        }
        if line.counted.total() > line.predicted.total {
            return Err("there are branches that the account does not have");
        }
        let known = [
            (Construct::Assertion, Difference::Assertion),
            (Construct::ExhaustiveSwitch, Difference::ExhaustiveSwitch),
            (Construct::StringSwitch, Difference::StringSwitch),
            (Construct::Resources, Difference::Resources),
            (Construct::Finally, Difference::Finally),
        ];
        let found = known.into_iter().find(|(construct, _)| line.has(*construct));
        let missing = "the account has branches that are not there";
        found.map(|(_, difference)| difference).ok_or(missing)
    }

    fn is_called_elsewhere(&self, method: &MethodFacts) -> bool {
        let told = self.account.classes.iter().filter(|class| class.name == method.class);
        let told = told.flat_map(|class| &class.methods).find(|told| told.name == method.name);
        let tests = told.into_iter().flat_map(|told| &told.tests);
        let own_tests = tests.map(|test| test.name.clone()).collect();
        self.facts.is_called_elsewhere(method, self.tests, &own_tests)
    }
}

impl Line<'_> {
    fn has(&self, construct: Construct) -> bool {
        self.targets.iter().any(|method| method.constructs.contains(&construct))
    }
}
