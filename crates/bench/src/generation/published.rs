//! The test suites that libraries publish: what they cover of the same classes.

use std::path::Path;
use std::time::Duration;

use petrel_classpath::Jdk;
use petrel_filetests::generated::coverage::Coverage;
use petrel_filetests::generated::suite::{Order, Suite};
use petrel_filetests::world::jar_file;

use super::targets::Targets;

/// Time for a whole suite.
const MOST_TIME: Duration = Duration::from_secs(3600);

/// The jar of a library, that of its tests, and what those need.
const SUITES: &[(&str, &str, &[&str])] = &[
    (
        "commons-lang3-3.17.0.jar",
        "commons-lang3-3.17.0-tests.jar",
        &[
            "commons-text-1.12.0.jar",
            "commons-io-2.16.1.jar",
            "easymock-5.4.0.jar",
            "objenesis-3.4.jar",
            "hamcrest-2.2.jar",
            "junit-pioneer-1.9.1.jar",
            "jmh-core-1.37.jar",
        ],
    ),
    (
        "commons-math3-3.6.1.jar",
        "commons-math3-3.6.1-tests.jar",
        &["junit-4.13.2.jar", "hamcrest-core-1.3.jar"],
    ),
];

/// Runs the suite of a library, if it is published, and prints what it covers.
///
/// # Errors
///
/// If it cannot be run.
pub(super) fn print(
    jdk: &Jdk,
    library: &str,
    targets: &Targets,
    folder: &Path,
) -> Result<(), String> {
    let Some((jar, tests, needed)) = SUITES.iter().find(|(jar, ..)| *jar == library) else {
        return Ok(());
    };
    let class_path: Vec<_> = [jar].into_iter().chain(*needed).map(|name| jar_file(name)).collect();
    let suite = Suite::published(jdk, &jar_file(tests), &class_path);
    let classes = folder.join("targets");
    targets.write(&classes).map_err(|error| error.to_string())?;
    let executed = folder.join("executed-by-suite");
    let noted = Some((&*targets.names, &*executed));
    let ran = suite.run(&folder.join("work-of-suite"), Order::Usual, noted, MOST_TIME)?;
    let Coverage { lines, branches, .. } = Coverage::of(jdk, &executed, &classes)?;
    println!(
        "  its own suite: {} tests pass, {} fail; {:.1} % of the lines, {:.1} % of the branches",
        ran.passed,
        ran.failed,
        lines.percent(),
        branches.percent()
    );
    Ok(())
}
