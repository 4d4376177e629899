//! `petrel generate` on classes of real libraries, as a user runs it: what becomes of the tests, what they cover by
//! JaCoCo's count, what keeps them from covering more, and how long it takes.
//!
//! All tests of a library run in one JVM, in the usual order, in the reverse one, and in some by chance. `CLASSES=10` in the
//! environment takes so many classes of each library, `ORDERS=10` so many orders by chance, `JAR=jsoup` only libraries with that in their
//! names, `SEED=2` others, `KEEP=DIR` leaves tests and accounts in a folder, and `SUITES=0` does not run the tests that libraries
//! publish.

mod published;
mod reasons;
mod targets;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use petrel_checks::number;
use petrel_classpath::Jdk;
use petrel_filetests::generated::account::{Account, Dropped, MethodAccount};
use petrel_filetests::generated::binary::generate;
use petrel_filetests::generated::coverage::{Counter, Coverage};
use petrel_filetests::generated::suite::{Order, Suite};
use petrel_filetests::scratch::Scratch;
use petrel_filetests::world::{jar_file, root};

use self::reasons::Reasons;
use self::targets::{Targets, is_public};
use crate::{Failure, Findings};

const JARS: [&str; 5] = [
    "commons-lang3-3.17.0.jar",
    "commons-math3-3.6.1.jar",
    "jsoup-1.18.1.jar",
    "joda-time-2.12.7.jar",
    "guava-33.3.1-jre.jar",
];
const SEED: u64 = 8;
/// Classes of each library: of all of them, and in a sample.
const N_CLASSES: (usize, usize) = (60, 4);
/// Besides the usual order and its reverse.
const N_RANDOM_ORDERS: usize = 1;
/// Of hundred tests that were built: those that are dropped, and those whose outcome was predicted wrongly.
const MOST_DROPPED: f64 = 1.0;
const MOST_WRONG: f64 = 0.1;
/// Of hundred branches, by JaCoCo's count.
const LEAST_COVERED: f64 = 55.0;
/// Of hundred branches: those that one unsupported feature costs.
const MOST_FOR_ONE_REASON: f64 = 5.0;
/// Reasons that are shown.
const MOST_SHOWN: usize = 10;
/// What a small class may take: its generation, and all of it with compiling and running the tests.
const SMALL_CLASS: (&str, &str) = ("papers", "Lcm001");
const SMALL_GENERATED: Duration = Duration::from_millis(300);
const SMALL_VALIDATED: Duration = Duration::from_millis(2500);
/// What takes longer hangs: time for each class, and for compiling or running all tests of a library.
const MOST_FOR_CLASS: Duration = Duration::from_secs(600);
const MOST_FOR_TESTS: Duration = Duration::from_secs(1800);

pub(crate) fn run(jdk: &Jdk, full: bool, findings: &mut Findings) -> Result<(), Failure> {
    println!();
    println!(
        "{:<26} {:>7} {:>7} {:>6} {:>8} {:>7} {:>7} {:>9} {:>6} {:>7} {:>7} {:>9}",
        "generated tests",
        "classes",
        "methods",
        "tests",
        "dropped%",
        "wrong%",
        "public%",
        "with test",
        "line%",
        "branch%",
        "s",
        "ms/method",
    );
    let n_classes = if full { N_CLASSES.0 } else { N_CLASSES.1 };
    let wanted = std::env::var("JAR").unwrap_or_default();
    let mut total = Row::default();
    for name in JARS.into_iter().filter(|name| name.contains(&wanted)) {
        let library = Library { jdk, jar: jar_file(name), name };
        let row = library.measure(number("CLASSES").unwrap_or(n_classes), findings)?;
        row.print(name);
        total.add(row);
        if full && number("SUITES") != Some(0) {
            library.print_published(number("CLASSES").unwrap_or(n_classes), findings)?;
        }
    }
    total.print("all");
    total.print_details();
    small_class(findings)?;
    if full {
        total.judge(findings);
    }
    Ok(())
}

/// What is asked of the whole.
#[derive(Default)]
struct Row {
    classes: usize,
    methods: usize,
    public_methods: usize,
    /// Public methods with a test.
    tested: usize,
    tests: usize,
    by_reflection: usize,
    dropped: Vec<Dropped>,
    reasons: Reasons,
    lines: Counter,
    branches: Counter,
    elapsed: Duration,
}

impl Row {
    fn add(&mut self, other: Row) {
        self.classes += other.classes;
        self.methods += other.methods;
        self.public_methods += other.public_methods;
        self.tested += other.tested;
        self.tests += other.tests;
        self.by_reflection += other.by_reflection;
        self.dropped.extend(other.dropped);
        self.reasons.add(other.reasons);
        self.lines += other.lines;
        self.branches += other.branches;
        self.elapsed += other.elapsed;
    }

    /// Tests that were written and not kept; of hundred that were built.
    fn dropped_percent(&self, is_meant: impl Fn(&Dropped) -> bool) -> f64 {
        let built = self.tests + self.dropped.iter().filter(|test| test.is_written).count();
        let meant = self.dropped.iter().filter(|test| test.is_written && is_meant(test));
        percent(meant.count(), built)
    }

    fn print(&self, name: &str) {
        println!(
            "{name:<26} {:>7} {:>7} {:>6} {:>8.2} {:>7.2} {:>7.1} {:>8.1}% {:>6.1} {:>7.1} {:>7.1} {:>9.0}",
            self.classes,
            self.methods,
            self.tests,
            self.dropped_percent(|_| true),
            self.dropped_percent(|test| test.is_wrong_prediction),
            percent(self.tests - self.by_reflection, self.tests),
            percent(self.tested, self.public_methods),
            self.lines.percent(),
            self.branches.percent(),
            self.elapsed.as_secs_f64(),
            self.elapsed.as_millis() as f64 / self.methods.max(1) as f64,
        );
    }

    fn print_details(&self) {
        let (all, verdicts) = self.reasons.verdicts();
        let verdicts: Vec<String> = verdicts
            .map(|(verdict, count)| format!("{verdict} {:.1} %", percent(count, all)))
            .collect();
        println!("branches of the methods: {all}: {}", verdicts.join(", "));
        for (reason, count) in self.reasons.most_frequent().take(MOST_SHOWN) {
            println!("  {count:>5} branches, {:>4.1} %: {reason}", percent(count, all));
        }
        for (what, is_written) in [("dropped", true), ("not written", false)] {
            let dropped = self.dropped.iter().filter(|test| test.is_written == is_written);
            for (reason, count) in reasons::frequent(dropped.map(|test| &*test.reason)) {
                println!("  {count:>5} tests {what}: {reason}");
            }
        }
    }

    /// Whether the figures are reached.
    fn judge(&self, findings: &mut Findings) {
        let dropped = self.dropped_percent(|_| true);
        if dropped > MOST_DROPPED {
            findings.push(format!("generated tests: {dropped:.2} % are dropped"));
        }
        let wrong = self.dropped_percent(|test| test.is_wrong_prediction);
        if wrong > MOST_WRONG {
            findings.push(format!("generated tests: {wrong:.2} % are predicted wrongly"));
        }
        let covered = self.branches.percent();
        if covered < LEAST_COVERED {
            findings.miss(format!("generated tests: {covered:.1} % of the branches are covered"));
        }
        let (all, _) = self.reasons.verdicts();
        for (reason, count) in self.reasons.unsupported() {
            let share = percent(count, all);
            if share > MOST_FOR_ONE_REASON {
                findings
                    .miss(format!("generated tests: {share:.1} % of the branches end at {reason}"));
            }
        }
    }
}

struct Library<'a> {
    jdk: &'a Jdk,
    jar: PathBuf,
    name: &'a str,
}

impl Library<'_> {
    fn targets(&self, n_classes: usize) -> Result<Targets, Failure> {
        let seed = number("SEED").map_or(SEED, |seed| seed as u64);
        Targets::choose(self.jdk, &self.jar, n_classes, seed)
    }

    /// What the library's own tests cover of the same classes.
    fn print_published(&self, n_classes: usize, findings: &mut Findings) -> Result<(), Failure> {
        let scratch = Scratch::new();
        let targets = self.targets(n_classes)?;
        if let Err(error) = published::print(self.jdk, self.name, &targets, scratch.path()) {
            findings.push(format!("{}: its own suite: {error}", self.name));
        }
        Ok(())
    }

    fn measure(&self, n_classes: usize, findings: &mut Findings) -> Result<Row, Failure> {
        let targets = self.targets(n_classes)?;
        let scratch = Scratch::new();
        let folder = match std::env::var_os("KEEP") {
            Some(folder) => PathBuf::from(folder).join(self.name),
            None => scratch.path().to_owned(),
        };
        let sources = folder.join("src");
        fs::create_dir_all(&sources)?;
        let started = Instant::now();
        let account = self.generate(&targets.names, &sources, findings)?;
        let elapsed = started.elapsed();
        let mut row = row_of(&targets, &account);
        row.elapsed = elapsed;
        for class in &account.classes {
            for why in class.not_written.iter() {
                findings.push(format!("{}: {}: {why}", self.name, class.name));
            }
        }
        let coverage = self.run_tests(&targets, &folder, row.tests, findings)?;
        (row.lines, row.branches) = (coverage.lines, coverage.branches);
        Ok(row)
    }

    /// Generates tests for all classes in one run. If that has no account, each class is tried alone, so that one bad
    /// class does not hide the others.
    fn generate(
        &self,
        names: &[String],
        sources: &Path,
        findings: &mut Findings,
    ) -> Result<Account, Failure> {
        let limit = MOST_FOR_CLASS * names.len() as u32;
        let ended = generate(sources, &self.jar, names, limit)?;
        if ended.status == Some(0) {
            fs::write(sources.with_file_name("account.json"), &ended.stdout)?;
            return Ok(Account::parse(&ended.stdout)?);
        }
        let mut account = Account::default();
        match names {
            [name] => findings.push(format!("{}: {name}: {}", self.name, ended.describe())),
            _ => {
                // What the run left has no account.
                fs::remove_dir_all(sources)?;
                for name in names {
                    let of_class = self.generate(std::slice::from_ref(name), sources, findings)?;
                    account.classes.extend(of_class.classes);
                }
            }
        }
        Ok(account)
    }

    /// Runs all tests in several orders, and tells what they cover.
    fn run_tests(
        &self,
        targets: &Targets,
        folder: &Path,
        n_tests: usize,
        findings: &mut Findings,
    ) -> Result<Coverage, Failure> {
        let classes = folder.join("targets");
        targets.write(&classes)?;
        let executed = folder.join("executed");
        let (sources, tests) = (folder.join("src"), folder.join("tests"));
        let jar = std::slice::from_ref(&self.jar);
        let suite = match Suite::compile(self.jdk, &sources, &tests, jar, MOST_FOR_TESTS) {
            Ok(suite) => suite,
            Err(error) => {
                findings.push(format!("{}: {error}", self.name));
                return Ok(Coverage::default());
            }
        };
        // As in any build, and under JaCoCo.
        let noted = Some((&*targets.names, &*executed));
        let n_random = number("ORDERS").unwrap_or(N_RANDOM_ORDERS) as u64;
        let random = (SEED..SEED + n_random).map(Order::Random);
        let without = random.chain([Order::Reverse]).map(|order| (order, None));
        for (order, noted) in without.chain([(Order::Usual, noted)]) {
            let work = folder.join("work");
            let ran = suite.run(&work, order, noted, MOST_FOR_TESTS);
            match ran {
                Ok(ran) if ran.failed == 0 && ran.passed == n_tests => {}
                Ok(ran) => findings.push(format!(
                    "{}: {order:?}: of {n_tests} tests {} pass and {} fail\n{}",
                    self.name, ran.passed, ran.failed, ran.failures
                )),
                Err(error) => findings.push(format!("{}: {order:?}: {error}", self.name)),
            }
        }
        Ok(Coverage::of(self.jdk, &executed, &classes)?)
    }
}

fn row_of(targets: &Targets, account: &Account) -> Row {
    let mut row = Row { classes: targets.names.len(), ..Row::default() };
    for class in &account.classes {
        let of_class = targets.classes.get(&class.name);
        for method in &class.methods {
            row.methods += 1;
            row.tests += method.tests.len();
            row.by_reflection += method.tests.iter().filter(|test| test.is_by_reflection).count();
            if of_class.is_some_and(|class| is_public(class, &method.name)) {
                row.public_methods += 1;
                row.tested += usize::from(is_tested(method));
            }
            row.reasons.count(method);
        }
    }
    row.dropped = account.dropped().cloned().collect();
    row
}

fn is_tested(method: &MethodAccount) -> bool {
    !method.tests.is_empty()
}

/// A small class is done while the user looks.
fn small_class(findings: &mut Findings) -> Result<(), Failure> {
    let (topic, class) = SMALL_CLASS;
    let classes = root().join("build").join("fixtures").join(topic);
    let scratch = Scratch::new();
    let ended = generate(scratch.path(), &classes, [class], MOST_FOR_CLASS)?;
    if ended.status != Some(0) {
        findings.push(format!("{class}: petrel generate: {}", ended.describe()));
        return Ok(());
    }
    let account = Account::parse(&ended.stdout)?;
    let generated: Duration = account.classes.iter().map(|class| class.elapsed).sum();
    println!(
        "a small class, {class}: {} ms to generate, {} ms with compiling and running {} tests",
        generated.as_millis(),
        ended.elapsed.as_millis(),
        account.methods().map(|method| method.tests.len()).sum::<usize>(),
    );
    if generated > SMALL_GENERATED || ended.elapsed > SMALL_VALIDATED {
        findings.miss(format!(
            "{class}: {} ms to generate, {} ms with validation",
            generated.as_millis(),
            ended.elapsed.as_millis()
        ));
    }
    Ok(())
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}
