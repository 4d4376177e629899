//! From sources to classes: what does not compile is cut out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::diagnostics::{SOURCE_FOLDER, errors};
use crate::javac::{Javac, Made};
use crate::scratch::Scratch;
use crate::{TestSource, ValidateError};

/// How often tests are cut out before whole classes are given up.
const CUTTING_ROUNDS: usize = 4;

/// Compiles test classes. The answer says for each test of each source why it does not compile, if so.
pub(crate) fn compile(
    javac: &Javac<'_>,
    scratch: &Scratch,
    sources: &[TestSource],
) -> Result<Vec<Vec<Option<String>>>, ValidateError> {
    let mut units = Vec::new();
    for (number, source) in sources.iter().enumerate() {
        let unit = Unit::new(number, source);
        scratch.write(&unit.file, &source.text)?;
        units.push(unit);
    }
    // A compiler takes one release at a time; within one, the units stay in the order of their numbers.
    let mut by_release: BTreeMap<Option<u16>, Vec<&mut Unit<'_>>> = BTreeMap::new();
    for unit in &mut units {
        by_release.entry(javac.release_for(unit.source)).or_default().push(unit);
    }
    for (release, mut units) in by_release {
        compile_units(javac, scratch, release, &mut units)?;
    }
    Ok(units.into_iter().map(|unit| unit.reasons).collect())
}

/// A source, and what is known of its tests.
struct Unit<'a> {
    number: usize,
    source: &'a TestSource,
    /// Relative to the scratch folder.
    file: PathBuf,
    /// Why tests do not compile.
    reasons: Vec<Option<String>>,
    /// Whether tests were found not to compile since the source was written.
    is_changed: bool,
}

impl<'a> Unit<'a> {
    fn new(number: usize, source: &'a TestSource) -> Unit<'a> {
        // The compiler wants public classes in files of their names; packages it does not look at.
        let name = source.file.file_name().unwrap_or_default();
        let file = Path::new(SOURCE_FOLDER).join(number.to_string()).join(name);
        let reasons = vec![None; source.tests.len()];
        Unit { number, source, file, reasons, is_changed: false }
    }

    /// Whether there is nothing left to compile.
    fn is_given_up(&self) -> bool {
        self.reasons.iter().all(Option::is_some)
    }

    fn give_up(&mut self, message: &str) {
        for reason in &mut self.reasons {
            reason.get_or_insert_with(|| message.to_owned());
        }
    }

    /// Gives up the test with an error, or all tests if it is in none of them or cutting is over.
    fn blame(&mut self, line: u32, message: &str, whole_class: bool) {
        let tests = &self.source.tests;
        let found = tests.iter().position(|test| test.lines.contains(&line));
        match found.filter(|_| !whole_class) {
            // The second error of a test.
            Some(test) if self.reasons[test].is_some() && self.is_changed => {}
            Some(test) if self.reasons[test].is_none() => {
                self.reasons[test] = Some(message.to_owned());
                self.is_changed = true;
            }
            _ => self.give_up(message),
        }
    }

    /// The text with empty lines for the tests that do not compile.
    fn text(&self) -> String {
        let mut lines: Vec<&str> = self.source.text.lines().collect();
        let tests = self.source.tests.iter().zip(&self.reasons);
        for (test, _) in tests.filter(|(_, reason)| reason.is_some()) {
            let before = test.lines.start.saturating_sub(1) as usize;
            let cut = lines.iter_mut().skip(before).take(test.lines.len());
            cut.for_each(|line| *line = "");
        }
        lines.iter().flat_map(|line| [line, "\n"]).collect()
    }
}

/// Compiles until nothing is wrong with what is left.
fn compile_units(
    javac: &Javac<'_>,
    scratch: &Scratch,
    release: Option<u16>,
    units: &mut [&mut Unit<'_>],
) -> Result<(), ValidateError> {
    for round in 0.. {
        let mut left: Vec<&mut &mut Unit<'_>> =
            units.iter_mut().filter(|unit| !unit.is_given_up()).collect();
        if left.is_empty() {
            return Ok(());
        }
        for unit in left.iter_mut().filter(|unit| unit.is_changed) {
            scratch.write(&unit.file, &unit.text())?;
            unit.is_changed = false;
        }
        let files: Vec<&Path> = left.iter().map(|unit| &*unit.file).collect();
        let said = match javac.compile(scratch, release, &files)? {
            Made::Classes => return Ok(()),
            Made::Errors(said) => said,
        };
        let mut is_blamed = false;
        for error in errors(&said) {
            // The units are in the order of their numbers.
            if let Ok(index) = left.binary_search_by_key(&error.source, |unit| unit.number) {
                left[index].blame(error.line, &error.message, round >= CUTTING_ROUNDS);
                is_blamed = true;
            }
        }
        match left.as_mut_slice() {
            _ if is_blamed => {}
            [unit] => unit.give_up(first_line(&said)),
            // Some class is too much for the compiler: what remains is to find it.
            _ => {
                let (first, second) = units.split_at_mut(units.len() / 2);
                compile_units(javac, scratch, release, first)?;
                return compile_units(javac, scratch, release, second);
            }
        }
    }
    Ok(())
}

/// What a compiler says that gives no place.
fn first_line(said: &str) -> &str {
    said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("the compiler breaks down")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TestPlace;

    fn source() -> TestSource {
        let place =
            |name: &str, lines| TestPlace { name: name.to_owned(), has_parameters: false, lines };
        TestSource {
            class: "p/ATest".to_owned(),
            file: "p/ATest.java".into(),
            release: None,
            text: "head\na\na\nb\nfoot\n".to_owned(),
            tests: vec![place("a", 2..4), place("b", 4..5)],
        }
    }

    #[test]
    fn tests_with_errors_are_cut_out_and_lines_stay_where_they_are() {
        let source = source();
        let mut unit = Unit::new(0, &source);
        unit.blame(3, "wrong", false);
        unit.blame(2, "wrong too", false);
        assert_eq!(unit.text(), "head\n\n\nb\nfoot\n");
        assert_eq!(unit.reasons, [Some("wrong".to_owned()), None]);
        assert!(unit.is_changed && !unit.is_given_up());
    }

    #[test]
    fn errors_elsewhere_cost_all_that_is_left() {
        let source = source();
        let mut unit = Unit::new(0, &source);
        unit.blame(4, "b is wrong", false);
        unit.blame(5, "all is wrong", false);
        let reasons = ["all is wrong", "b is wrong"].map(|reason| Some(reason.to_owned()));
        assert_eq!(unit.reasons, reasons);
        assert!(unit.is_given_up());
    }

    #[test]
    fn an_error_in_lines_that_are_gone_costs_the_class() {
        let source = source();
        let mut unit = Unit::new(0, &source);
        unit.blame(4, "b is wrong", false);
        unit.is_changed = false;
        unit.blame(4, "still wrong", false);
        assert!(unit.is_given_up());
    }
}
