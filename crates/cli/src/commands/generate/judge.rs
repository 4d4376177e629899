//! What a JVM says of tests.

use std::path::PathBuf;

use petrel_budget::Purse;
use petrel_session::Session;
use petrel_suite::{ClassPlan, Judged, Prediction};
use petrel_validate::{Options, TestPlace, TestSource, Verdict, Why, validate};
use petrel_wall::Wall;

use super::watch::Watching;
use crate::args::generate::Generate;
use crate::failure::Failure;

/// A verdict for each test of each class that was judged in time.
pub(super) fn judge(
    session: &Session,
    generate: &Generate,
    wall: Option<&Wall>,
    plans: &[ClassPlan],
    jobs: usize,
    watching: &Watching,
    purse: &Purse,
) -> Result<Vec<Option<Vec<Judged>>>, Failure> {
    let with_tests = plans.iter().filter(|plan| !plan.is_empty());
    let sources: Vec<TestSource> = with_tests.map(source).collect();
    let options = Options {
        class_path: absolute(session.class_path().paths()),
        time_limit: generate.test_time,
        heap_megabytes: generate.test_memory,
        jobs,
        run: !generate.no_run,
        wall: wall.cloned(),
        alarm: purse.alarm().clone(),
        ..Options::new(session.jdk())
    };
    let verdicts = validate(&options, &sources, &|done, all| watching.judged(done, all));
    let mut verdicts = verdicts.map_err(|error| Failure(error.to_string()))?.into_iter();
    let of_plan = |plan: &ClassPlan| match plan.is_empty() {
        true => Some(Vec::new()),
        false => verdicts.next()?.map(|verdicts| verdicts.into_iter().map(judged).collect()),
    };
    Ok(plans.iter().map(of_plan).collect())
}

/// Paths that mean the same in another working directory.
fn absolute(paths: &[PathBuf]) -> Vec<PathBuf> {
    let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    paths.iter().map(absolute).collect()
}

fn source(plan: &ClassPlan) -> TestSource {
    let written = plan.written();
    let package = written.package.replace('.', "/");
    let class = if package.is_empty() {
        written.name.clone()
    } else {
        format!("{package}/{}", written.name)
    };
    let tests = written.tests.iter();
    TestSource {
        class,
        file: PathBuf::from(&written.file),
        release: Some(plan.java_version()),
        text: written.source.clone(),
        tests: tests
            .map(|test| TestPlace {
                name: test.name.clone(),
                has_parameters: test.n_inputs > 1,
                lines: test.lines.clone(),
            })
            .collect(),
    }
}

fn judged(verdict: Verdict) -> Judged {
    let why = match verdict {
        Verdict::Kept => return Judged::Kept,
        Verdict::Dropped(why) => why,
    };
    if let Some(class) = missing_class(&why) {
        let why = format!("the class path does not have the class {class}: add it with -c");
        return Judged::Dropped { prediction: Prediction::Unrefuted, why };
    }
    let prediction = match why {
        Why::Failed { .. } => Prediction::Wrong,
        Why::Flickers(_) => Prediction::Varies,
        _ => Prediction::Unrefuted,
    };
    Judged::Dropped { prediction, why: why.to_string() }
}

/// The class that a test has failed for, if the JVM has not found one: it needs more classes than the test executes.
fn missing_class(why: &Why) -> Option<String> {
    let Why::Failed { exception, message } = why else { return None };
    let is_missing = exception == "java.lang.NoClassDefFoundError"
        || exception == "java.lang.ClassNotFoundException";
    let is_part = |character: char| character.is_alphanumeric() || "/._$-".contains(character);
    let is_name = !message.is_empty() && message.chars().all(is_part);
    (is_missing && is_name).then(|| message.replace('/', "."))
}
