//! JDKs, and test classes from text.

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use petrel_classpath::Jdk;
use petrel_validate::{Options, TestPlace, TestSource, Verdict, Why, validate};

/// The JDK in use, and those beside it.
fn jdks() -> &'static [Jdk] {
    static JDKS: OnceLock<Vec<Jdk>> = OnceLock::new();
    JDKS.get_or_init(|| {
        let main = Jdk::locate(None).unwrap_or_else(|error| panic!("{error}"));
        let home = fs::canonicalize(main.home()).expect("the JDK is there");
        let folder = home.parent().expect("it is in a folder");
        let beside = fs::read_dir(folder).expect("it is readable");
        let mut others: Vec<PathBuf> = beside
            .filter_map(|entry| fs::canonicalize(entry.ok()?.path()).ok())
            .filter(|other| *other != home && other.join("bin/javac").is_file())
            .collect();
        others.sort();
        others.dedup();
        let others = others.iter().filter_map(|home| Jdk::open(home).ok());
        std::iter::once(main).chain(others).collect()
    })
}

/// Options for the JDK in use, with little time.
pub(crate) fn options() -> Options {
    options_for(&jdks()[0])
}

fn options_for(jdk: &Jdk) -> Options {
    Options { time_limit: Duration::from_secs(4), heap_megabytes: 64, ..Options::new(jdk) }
}

/// Options for each JDK of the machine.
pub(crate) fn options_of_all() -> impl Iterator<Item = Options> {
    jdks().iter().map(options_for)
}

/// A test class. A test starts on a line with an annotation, and ends there or at the brace on a line of
/// its own with the same indentation.
pub(crate) fn source(class: &str, text: &str) -> TestSource {
    let lines: Vec<&str> = text.lines().collect();
    let mut tests = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let indentation = line.len() - line.trim_start().len();
        let annotation = line.trim_start();
        if !annotation.starts_with("@Test") && !annotation.starts_with("@ParameterizedTest") {
            continue;
        }
        let is_end = |line: &&str| line.len() == indentation + 1 && line.ends_with('}');
        let more = match line.trim_end().ends_with('}') {
            true => 0,
            false => lines[index..].iter().position(is_end).expect("the test ends"),
        };
        let text = lines[index..=index + more].join(" ");
        let (_, rest) = text.split_once("void ").expect("it is a method");
        let name = rest.split('(').next().unwrap_or_default().trim().to_owned();
        let number = |index| u32::try_from(index).expect("there are not so many lines");
        let has_parameters = text.contains("@MethodSource");
        let lines = number(index + 1)..number(index + more + 2);
        tests.push(TestPlace { name, has_parameters, lines });
    }
    let file = PathBuf::from(format!("{class}.java"));
    TestSource { class: class.to_owned(), file, release: None, text: text.to_owned(), tests }
}

/// A test class of JUnit 5 without a package, with these members.
pub(crate) fn jupiter(class: &str, members: &str) -> TestSource {
    let header =
        "import static org.junit.jupiter.api.Assertions.*;\nimport org.junit.jupiter.api.Test;\n";
    source(class, &format!("{header}class {class} {{\n{members}\n}}\n"))
}

/// The verdicts on the tests of classes.
#[track_caller]
pub(crate) fn verdicts(options: &Options, sources: &[TestSource]) -> Vec<Vec<Verdict>> {
    let verdicts = validate(options, sources, &|_, _| {}).unwrap_or_else(|error| panic!("{error}"));
    let verdicts: Vec<Vec<Verdict>> = verdicts.into_iter().flatten().collect();
    let lengths = |all: &[Vec<Verdict>]| all.iter().map(Vec::len).collect::<Vec<_>>();
    let tests: Vec<usize> = sources.iter().map(|source| source.tests.len()).collect();
    assert_eq!(lengths(&verdicts), tests);
    verdicts
}

/// The verdicts on the tests of a class.
#[track_caller]
pub(crate) fn verdicts_on(options: &Options, source: TestSource) -> Vec<Verdict> {
    verdicts(options, &[source]).remove(0)
}

pub(crate) fn failed(exception: &str, message: &str) -> Verdict {
    let (exception, message) = (exception.to_owned(), message.to_owned());
    Verdict::Dropped(Why::Failed { exception, message })
}

/// The reason of a test that is dropped.
#[track_caller]
pub(crate) fn reason(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Dropped(why) => why.to_string(),
        Verdict::Kept => panic!("the test is kept"),
    }
}
