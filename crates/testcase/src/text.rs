//! Cases for people.

mod closing;
mod heap;
#[cfg(test)]
mod tests;

use crate::case::{Case, Outcome, Solution, Summary};
use crate::coverage::Coverage;
use crate::report::{Asked, Report};

pub use closing::left_open;

/// A row that goes on behind this column is continued in the next line.
const WIDTH: usize = 100;
/// Traces are cut here: nobody reads on, and scripts have them in full.
const MAX_TRACE: usize = 200;
/// Behind the name of a row.
const INDENT: usize = 10;

/// The report for people.
#[derive(Debug)]
pub struct TextReport {
    asked: Asked,
    cases: u64,
}

impl TextReport {
    /// A report on what was asked for.
    pub fn new(asked: Asked) -> TextReport {
        TextReport { asked, cases: 0 }
    }
}

impl Report for TextReport {
    fn opening(&self) -> String {
        let Asked { target, termination, selection, .. } = &self.asked;
        format!("{target}, {termination}, {}\n\n", selection.replace('-', " "))
    }

    fn case(&mut self, case: &Case) -> String {
        self.cases += 1;
        format!("case {}: {}\n", self.cases, self::case(case))
    }

    fn closing(&self, summary: &Summary, coverage: &Coverage) -> String {
        closing::closing(&self.asked, summary, coverage)
    }

    fn abandoned(&self, _reason: &str) -> String {
        String::new()
    }
}

/// The outcome, and a row for everything else.
fn case(case: &Case) -> String {
    let mut text = case.solutions.first().map(|first| outcome(case, first)).unwrap_or_default();
    text.push('\n');
    text += &list("if", &case.constraints, ", ");
    text += &inputs(case);
    text += &symbolic_result(case);
    text += &list("lines", &lines_by_file(&case.lines), "; ");
    text += &row("trace", &cut(&case.trace));
    if let Some(place) = &case.unstable_decision {
        text += &row("note", &format!("depends on what the JVM does not fix, first at {place}"));
    } else if case.solutions.iter().any(|solution| solution.output.unstable) {
        text += &row("note", "the outcome depends on what the JVM does not fix");
    }
    text
}

/// `returns 5`, or `throws java.lang.ArithmeticException: / by zero`.
fn outcome(case: &Case, solution: &Solution) -> String {
    let output = &solution.output;
    match &case.outcome {
        Outcome::Return => {
            let value = output.value.map(|value| heap::value(value, &output.heap));
            value.map_or_else(|| "returns".to_owned(), |value| format!("returns {value}"))
        }
        Outcome::Throw(class) => match &output.message {
            Some(message) => format!("throws {class}: {}", message.escaped()),
            None => format!("throws {class}"),
        },
    }
}

/// A row for each solution; of several, each says what it gives.
fn inputs(case: &Case) -> String {
    let mut text = String::new();
    let several = case.solutions.len() > 1;
    for (number, solution) in case.solutions.iter().enumerate() {
        let name = if number == 0 { "input" } else { "" };
        let values = solution.arguments.iter().map(|value| heap::value(*value, &solution.heap));
        let arguments: Vec<String> = case
            .symbolic
            .arguments
            .iter()
            .zip(values)
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        let mut inputs = arguments.join(", ");
        if several {
            inputs = format!("{inputs}: {}", outcome(case, solution));
        }
        if !inputs.is_empty() {
            text += &row(name, &inputs);
        }
        text += &rows("where", heap::objects(&solution.heap, &solution.arguments));
        let output = &solution.output;
        text += &rows("gives", heap::objects(&output.heap, output.value.as_slice()));
    }
    text
}

/// The result over the names of the source. A constant says no more than the value.
fn symbolic_result(case: &Case) -> String {
    let mut text = String::new();
    let first = case.solutions.first().map(|solution| &solution.output);
    let value = first.and_then(|output| Some(heap::value(output.value?, &output.heap)));
    let is_constant = |result: &str| {
        Some(result) == value.as_deref() || result.trim_end_matches('L').parse::<i64>().is_ok()
    };
    let result = case.symbolic.result.as_ref().filter(|result| !is_constant(result));
    if let Some(result) = result {
        text += &row("result", result);
    }
    let objects = case.symbolic.heap_out.iter().map(|object| {
        let parts = object.parts.iter();
        let parts: Vec<String> = if object.is_array {
            parts.map(|(_, term)| term.clone()).collect()
        } else {
            parts.map(|(name, term)| format!("{name} = {term}")).collect()
        };
        format!("{} = {} {{{}}}", object.name, object.class, parts.join(", "))
    });
    text + &rows(if result.is_some() { "" } else { "result" }, objects)
}

/// `Lcm.java:8, 13` for each file, in the order in which they come first.
fn lines_by_file(lines: &[String]) -> Vec<String> {
    let mut files: Vec<(&str, String)> = Vec::new();
    for place in lines {
        let (file, line) = place.rsplit_once(':').unwrap_or((place, ""));
        match files.iter_mut().find(|(known, _)| *known == file) {
            Some((_, lines)) => *lines += &format!(", {line}"),
            None => files.push((file, place.clone())),
        }
    }
    files.into_iter().map(|(_, lines)| lines).collect()
}

fn row(name: &str, content: &str) -> String {
    format!("  {name:<width$}{content}\n", width = INDENT - 2)
}

/// Rows of which the first has the name.
fn rows(name: &str, contents: impl IntoIterator<Item = String>) -> String {
    let contents = contents.into_iter().enumerate();
    contents.map(|(number, text)| row(if number == 0 { name } else { "" }, &text)).collect()
}

/// A row of many items, on as many lines as it takes; nothing if there are none.
fn list(name: &str, items: &[String], separator: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for (number, item) in items.iter().enumerate() {
        let last = number + 1 == items.len();
        let item = if last { item.clone() } else { format!("{item}{separator}") };
        match lines.last_mut() {
            Some(line)
                if INDENT + line.chars().count() + item.trim_end().chars().count() <= WIDTH =>
            {
                *line += &item;
            }
            _ => lines.push(item),
        }
    }
    rows(name, lines.into_iter().map(|line| line.trim_end().to_owned()))
}

fn cut(text: &str) -> String {
    const CUT: &str = "...";
    if text.chars().count() <= MAX_TRACE {
        return text.to_owned();
    }
    text.chars().take(MAX_TRACE - CUT.len()).chain(CUT.chars()).collect()
}
