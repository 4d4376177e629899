//! What JaCoCo measured: its agent writes what was executed, and its report, as XML, counts.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use petrel_classpath::Jdk;

use super::binary;
use crate::scratch::Scratch;
use crate::world::{jar_file, tool};

const REPORTER: &str = "org.jacoco.cli-0.8.14-nodeps.jar";
const MOST_TIME: Duration = Duration::from_secs(300);

/// How many of something were executed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counter {
    /// Not executed.
    pub missed: usize,
    /// Executed.
    pub covered: usize,
}

impl Counter {
    /// All.
    pub fn total(self) -> usize {
        self.missed + self.covered
    }

    /// Of hundred.
    pub fn percent(self) -> f64 {
        100.0 * self.covered as f64 / self.total().max(1) as f64
    }
}

impl std::ops::AddAssign for Counter {
    fn add_assign(&mut self, other: Counter) {
        self.missed += other.missed;
        self.covered += other.covered;
    }
}

/// What was executed of some classes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Lines.
    pub lines: Counter,
    /// Branches.
    pub branches: Counter,
    /// Branches of each source file, such as `pkg/File.java`, on each line that has some.
    pub of_lines: BTreeMap<String, BTreeMap<u16, Counter>>,
}

impl Coverage {
    /// Counts what the agent noted in a file, for exactly the classes in a folder.
    ///
    /// # Errors
    ///
    /// If the report cannot be made or read.
    pub fn of(jdk: &Jdk, executed: &Path, classes: &Path) -> Result<Coverage, String> {
        let scratch = Scratch::new();
        let report = scratch.path().join("report.xml");
        let mut command = Command::new(tool(jdk, "java"));
        command.arg("-jar").arg(jar_file(REPORTER)).arg("report").arg(executed);
        command.arg("--classfiles").arg(classes).arg("--xml").arg(&report).arg("--quiet");
        let ended = binary::run(&mut command, MOST_TIME)?;
        if ended.status != Some(0) {
            return Err(format!("JaCoCo: {}", ended.describe()));
        }
        let text = fs::read_to_string(&report).map_err(|error| format!("JaCoCo: {error}"))?;
        Coverage::parse(&text)
    }

    /// Reads a report.
    fn parse(xml: &str) -> Result<Coverage, String> {
        let mut coverage = Coverage::default();
        let mut package = "";
        let mut file: Option<String> = None;
        // Counters of the whole report are those outside of all packages.
        let mut is_in_package = false;
        for tag in tags(xml) {
            match tag.name {
                "package" => {
                    package = tag.attribute("name")?;
                    is_in_package = true;
                }
                "/package" => is_in_package = false,
                "sourcefile" => {
                    let name = tag.attribute("name")?;
                    let is_named = !package.is_empty();
                    file =
                        Some(if is_named { format!("{package}/{name}") } else { name.to_owned() });
                }
                "/sourcefile" => file = None,
                "line" => {
                    let counter = Counter { missed: tag.number("mb")?, covered: tag.number("cb")? };
                    let line = tag.number("nr")? as u16;
                    if let Some(file) = file.as_ref().filter(|_| counter.total() > 0) {
                        coverage.of_lines.entry(file.clone()).or_default().insert(line, counter);
                    }
                }
                "counter" if !is_in_package => {
                    let counter =
                        Counter { missed: tag.number("missed")?, covered: tag.number("covered")? };
                    match tag.attribute("type")? {
                        "LINE" => coverage.lines = counter,
                        "BRANCH" => coverage.branches = counter,
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        Ok(coverage)
    }
}

/// A tag of a report: there is no text between tags, and values of attributes that matter have no entities.
struct Tag<'a> {
    name: &'a str,
    attributes: &'a str,
}

impl<'a> Tag<'a> {
    fn attribute(&self, name: &str) -> Result<&'a str, String> {
        let start = format!("{name}=\"");
        let mut rest = self.attributes;
        loop {
            let at = rest.find(&start).ok_or_else(|| {
                format!("JaCoCo: <{} {}> has no {name}", self.name, self.attributes)
            })?;
            let is_whole = rest[..at].chars().next_back().is_none_or(char::is_whitespace);
            let value = &rest[at + start.len()..];
            if is_whole {
                return Ok(value.split('"').next().unwrap_or_default());
            }
            rest = value;
        }
    }

    fn number(&self, name: &str) -> Result<usize, String> {
        let text = self.attribute(name)?;
        text.parse().map_err(|_| format!("JaCoCo: {name} is {text}"))
    }
}

fn tags(xml: &str) -> impl Iterator<Item = Tag<'_>> {
    xml.split('<').skip(1).map(|rest| {
        let inside = rest.split('>').next().unwrap_or_default().trim_end_matches('/');
        let (name, attributes) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
        Tag { name, attributes }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read() {
        let xml = concat!(
            r#"<?xml version="1.0"?><!DOCTYPE report PUBLIC "a" "b"><report name="r">"#,
            r#"<package name="a/b"><class name="a/b/C" sourcefilename="C.java">"#,
            r#"<method name="&lt;init&gt;" desc="()V" line="1"><counter type="LINE" missed="9" covered="9"/>"#,
            r#"</method></class><sourcefile name="C.java"><line nr="3" mi="0" ci="2" mb="1" cb="3"/>"#,
            r#"<line nr="4" mi="0" ci="2" mb="0" cb="0"/></sourcefile></package>"#,
            r#"<package name=""><sourcefile name="D.java"><line nr="7" mi="0" ci="1" mb="2" cb="0"/>"#,
            r#"</sourcefile></package><counter type="LINE" missed="1" covered="2"/>"#,
            r#"<counter type="BRANCH" missed="3" covered="3"/></report>"#,
        );
        let coverage = Coverage::parse(xml).unwrap();
        assert_eq!(coverage.lines, Counter { missed: 1, covered: 2 });
        assert_eq!(coverage.branches, Counter { missed: 3, covered: 3 });
        let c = BTreeMap::from([(3, Counter { missed: 1, covered: 3 })]);
        let d = BTreeMap::from([(7, Counter { missed: 2, covered: 0 })]);
        let lines = BTreeMap::from([("a/b/C.java".to_owned(), c), ("D.java".to_owned(), d)]);
        assert_eq!(coverage.of_lines, lines);
    }

    #[test]
    fn a_name_that_ends_like_another_is_another() {
        let tag = Tag { name: "line", attributes: r#"xmb="1" mb="2""# };
        assert_eq!(tag.number("mb"), Ok(2));
        assert!(tag.number("cb").is_err());
    }
}
