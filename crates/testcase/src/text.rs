//! Cases for people.

mod closing;
mod collapsed;
mod heap;
mod matching;
mod symbolic;
#[cfg(test)]
mod tests;
mod versus;

use std::io::{self, Write};

use petrel_classfile::JavaString;
use petrel_engine::SourceLine;

use crate::case::{Case, CaseCost, Outcome, Solution, Summary};
use crate::coverage::Coverage;
use crate::overflow::CaseOverflow;
use crate::report::objects::qualified;
use crate::report::{Asked, Report, Teller};
use heap::Pictures;

pub use closing::left_open;
pub use collapsed::CollapsedReport;
pub use versus::versus_text;

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

    /// A report on further cases: so many came before.
    pub fn after(self, before: u64) -> TextReport {
        TextReport { cases: before, ..self }
    }
}

impl Report for TextReport {
    fn opening(&self, out: &mut Vec<u8>) -> io::Result<()> {
        write!(out, "{}\n\n", self.asked.heading())
    }

    fn next_case(&mut self, out: &mut Vec<u8>) {
        self.cases += 1;
        out.extend_from_slice(format!("case {}: ", self.cases).as_bytes());
    }

    fn teller(&self) -> Box<dyn Teller> {
        Box::new(TextTeller)
    }

    fn closing(&self, summary: &Summary, coverage: &Coverage, out: &mut Vec<u8>) -> io::Result<()> {
        out.write_all(closing::closing(&self.asked, summary, coverage).as_bytes())
    }

    fn abandoned(&self, _reason: &str, _out: &mut Vec<u8>) -> io::Result<()> {
        Ok(())
    }
}

struct TextTeller;

impl Teller for TextTeller {
    fn tell(&mut self, case: &Case, out: &mut Vec<u8>) -> io::Result<()> {
        writeln!(out, "{}", self::case(case))
    }
}

/// The outcome, and a row for everything else.
fn case(case: &Case) -> String {
    let solutions: Vec<(&Solution, Pictures<'_>)> =
        case.solutions.iter().map(|solution| (solution, Pictures::of(solution))).collect();
    let outcomes: Vec<String> =
        solutions.iter().map(|(solution, pictures)| outcome(case, solution, pictures)).collect();
    let mut text = outcomes.first().cloned().unwrap_or_default();
    text.push('\n');
    let constraints: Vec<String> = case.constraints().iter().map(ToString::to_string).collect();
    text += &list("if", &constraints, ", ");
    text += &list("wanted", &case.wanted_if, ", ");
    let mut name = "input";
    for ((solution, pictures), outcome) in solutions.iter().zip(&outcomes) {
        let mut inputs = inputs(case, solution, pictures);
        if solutions.len() > 1 {
            inputs += &format!(": {outcome}");
        }
        if !inputs.is_empty() {
            text += &row(name, &inputs);
        }
        let objects = rows("where", pictures.before_the_call())
            + &rows("gives", pictures.given())
            + &rows("leaves", pictures.left());
        // The next inputs go on in the same row, unless there is another one in between.
        name = if objects.is_empty() { "" } else { "input" };
        text += &objects;
    }
    let value = solutions.first().and_then(|(solution, pictures)| {
        solution.output.value.map(|value| pictures.after.value(value))
    });
    text += &rows("result", symbolic::result(&case.symbolic, value.as_deref()));
    text += &rows("cost", case.costs.iter().flat_map(cost));
    text += &rows("finding", case.overflows.iter().flat_map(|found| overflow(case, found)));
    text += &list("lines", &lines_by_file(&case.lines), "; ");
    text += &row("trace", &cut(case.trace.as_str()));
    if let Some(place) = &case.unstable_decision {
        text += &row("note", &format!("depends on what the JVM does not fix, first at {place}"));
    } else if case.solutions.iter().any(|solution| solution.output.unstable) {
        text += &row("note", "the outcome depends on what the JVM does not fix");
    }
    text
}

/// The input and what it gives, and a line for each operation that overflows.
fn overflow(case: &Case, found: &CaseOverflow) -> Vec<String> {
    let pictures = Pictures::of(&found.solution);
    let inputs = inputs(case, &found.solution, &pictures);
    let outcome = outcome(case, &found.solution, &pictures);
    let mut lines = vec![if inputs.is_empty() { outcome } else { format!("{inputs}: {outcome}") }];
    lines.extend(pictures.before_the_call().into_iter().map(|object| format!("where {object}")));
    for overflow in &found.overflows {
        let place = match overflow.arithmetic.line {
            0 => format!("instruction {}", overflow.arithmetic.pc),
            line => format!("line {line}"),
        };
        lines.push(format!("  {place}: {}", overflow.told()));
    }
    lines
}

/// `memory 12 + 4*icap = 28 bytes`, and a line for each part that it is split up by.
fn cost(cost: &CaseCost) -> Vec<String> {
    let expression = cost.expression.as_ref().map_or(String::new(), |text| format!("{text} = "));
    let unit = cost.unit.as_ref().filter(|unit| **unit != cost.model && cost.calls.is_none());
    let unit = unit.map_or(String::new(), |unit| format!(" {unit}"));
    let calls = cost.calls.iter().flatten();
    let calls: Vec<String> = calls.map(|(name, count)| format!("{count} {name}")).collect();
    let calls = if calls.is_empty() { String::new() } else { format!(": {}", calls.join(", ")) };
    let mut lines = vec![format!("{} {expression}{}{unit}{calls}", cost.model, cost.value)];
    let parts: Vec<(&str, i64)> =
        cost.parts.iter().flatten().map(|(part, cost)| (&**part, *cost)).collect();
    lines.extend(profile(&parts).into_iter().map(|line| format!("  {line}")));
    lines
}

/// `120   48.0%  Vector#realloc()V` for each part.
fn profile(parts: &[(&str, i64)]) -> Vec<String> {
    let total: i128 = parts.iter().map(|(_, cost)| i128::from(*cost)).sum();
    let digits = parts.iter().map(|(_, cost)| cost.to_string().len()).max().unwrap_or_default();
    let line = |(part, cost): &(&str, i64)| {
        // In tenths of a percent.
        let share = (i128::from(*cost) * 1000 + total / 2) / total.max(1);
        format!("{cost:>digits$} {:>5}.{}%  {part}", share / 10, share % 10)
    };
    parts.iter().map(line).collect()
}

/// `returns 5`, or `throws java.lang.ArithmeticException: / by zero`.
fn outcome(case: &Case, solution: &Solution, pictures: &Pictures<'_>) -> String {
    let output = &solution.output;
    match &case.outcome {
        Outcome::Return => match output.value {
            Some(value) => format!("returns {}", pictures.after.value(value)),
            None => "returns".to_owned(),
        },
        Outcome::Throw(class) => match &output.message {
            Some(message) => format!("throws {class}: {}", in_one_line(message)),
            None => format!("throws {class}"),
        },
    }
}

/// A text with escapes, but for the quotes that are common in messages.
fn in_one_line(text: &JavaString) -> String {
    const QUOTE: u16 = b'"' as u16;
    let parts = text.0.split(|unit| *unit == QUOTE);
    let parts: Vec<String> = parts.map(|part| JavaString(part.into()).escaped()).collect();
    parts.join("\"")
}

/// `this = o1, x = 4, pkg.Class.count = 0, pkg.Sensor.read() = 7`.
fn inputs(case: &Case, solution: &Solution, pictures: &Pictures<'_>) -> String {
    let receiver = solution.receiver.iter().map(|value| ("this".to_owned(), *value));
    let names = case.symbolic.arguments.iter().cloned();
    let arguments = names.zip(solution.arguments.iter().copied());
    let statics = solution.statics.iter().map(|field| (qualified(field), field.value));
    let answers = solution.answers.iter().map(|answer| {
        let method = &answer.method;
        let class = method.class.replace('/', ".");
        let key = answer.key.as_deref().map(|key| format!("{:?}", JavaString::from(key)));
        (format!("{class}.{}({})", method.name, key.unwrap_or_default()), answer.value)
    });
    let all = receiver.chain(arguments).chain(statics).chain(answers);
    let all: Vec<String> =
        all.map(|(name, value)| format!("{name} = {}", pictures.before.value(value))).collect();
    all.join(", ")
}

/// `Lcm.java:8, 13` for each file, in the order in which they come first.
fn lines_by_file(lines: &[SourceLine]) -> Vec<String> {
    let mut files: Vec<(&str, String)> = Vec::new();
    for place in lines {
        match files.iter_mut().find(|(known, _)| *known == &*place.file) {
            Some((_, lines)) => *lines += &format!(", {}", place.line),
            None => files.push((&place.file, place.to_string())),
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
    // Of the last line, in characters.
    let mut width = 0;
    for (number, item) in items.iter().enumerate() {
        let between = if number + 1 == items.len() { "" } else { separator };
        let own_width = item.chars().count();
        let seen_width = own_width + between.trim_end().len();
        match lines.last_mut() {
            Some(line) if INDENT + width + seen_width <= WIDTH => {
                line.extend([item, between]);
                width += own_width + between.len();
            }
            _ => {
                lines.push(format!("{item}{between}"));
                width = own_width + between.len();
            }
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
