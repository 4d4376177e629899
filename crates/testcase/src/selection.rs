//! Selection criteria ("A Framework for Guided Test Case Generation in Constraint Logic Programming",
//! section 2): which of the paths within the bound are wanted.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use petrel_abstraction::AbstractProgram;
use petrel_abstraction::slice::{self, Slice};
use petrel_clp::{End, PredicateKind};

use crate::coverage::{Edge, is_branch};
use crate::generate::GenerateError;

/// Which paths become cases.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Selection {
    /// All of them.
    #[default]
    AllPaths,
    /// One for each path through the target's own code.
    LocalPaths,
    /// Enough to execute each instruction of the target's own code.
    Statements,
    /// Enough to take each branch of the target's own code.
    Branches,
    /// Enough to execute these points.
    Points(Vec<Point>),
}

/// A place in the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Point {
    /// A source line of the target's class, or of a file that is named: `Vector.java:12`.
    Line(Option<String>, u16),
    /// An instruction of the target's own code, by its offset: `@17`.
    Instruction(u16),
    /// A branch of the target's own code, by the offsets of the jump and of where it leads: `@17-24`.
    Branch(Edge),
}

impl Point {
    /// The rules of a program that have it.
    ///
    /// # Errors
    ///
    /// If there are none.
    pub fn rules(&self, program: &AbstractProgram<'_>) -> Result<Slice, GenerateError> {
        let rules = match self {
            Point::Line(file, line) => slice::at_line(program, file.as_deref(), *line),
            Point::Instruction(offset) => slice::at_instruction(program, *offset),
            Point::Branch(edge) => branches(program).remove(edge).unwrap_or_default(),
        };
        if rules.is_empty() {
            let method = &program.procedures[0].procedure.method;
            return Err(GenerateError::Point(self.in_words(), method.to_string()));
        }
        Ok(rules)
    }

    /// How it is called in messages.
    pub(crate) fn in_words(&self) -> String {
        match self {
            Point::Line(None, line) => format!("line {line}"),
            Point::Line(Some(file), line) => format!("{file}:{line}"),
            Point::Instruction(offset) => format!("instruction {offset}"),
            Point::Branch((from, to)) => format!("the branch from instruction {from} to {to}"),
        }
    }
}

/// The branches of the target's own code, with the rules that stand for them.
pub(crate) fn branches(program: &AbstractProgram<'_>) -> BTreeMap<Edge, Slice> {
    let procedure = &program.procedures[0].procedure;
    let branching: BTreeSet<u16> = procedure
        .rules()
        .flat_map(|rule| &rule.instructions)
        .filter(|instruction| is_branch(instruction.opcode.byte()))
        .map(|instruction| instruction.pc)
        .collect();
    let mut branches: BTreeMap<Edge, Slice> = BTreeMap::new();
    for name in program.rules().filter(|name| name.procedure == 0) {
        let predicate = &procedure.predicates[name.predicate as usize];
        let rule = program.rule(name);
        let to = match (rule.instructions.first(), &rule.end) {
            (Some(first), _) => Some(first.pc),
            (None, End::Continue(next, _)) => Some(procedure.predicates[next.index()].pc),
            (None, _) => None,
        };
        if let (PredicateKind::Choice, Some(to)) = (predicate.kind, to)
            && branching.contains(&predicate.pc)
        {
            branches.entry((predicate.pc, to)).or_default().insert(name);
        }
    }
    branches
}

/// How the paths of a criterion are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strategy {
    /// As the control flow suggests.
    #[default]
    Auto,
    /// By traces of an abstraction.
    Guided,
    /// By deriving all paths and leaving out those that add nothing.
    Plain,
}

impl FromStr for Selection {
    type Err = String;

    fn from_str(text: &str) -> Result<Selection, String> {
        Ok(match text {
            "all-paths" => Selection::AllPaths,
            "local-paths" => Selection::LocalPaths,
            "statements" => Selection::Statements,
            "branches" => Selection::Branches,
            _ => {
                let Some(points) = text.strip_prefix("points:") else {
                    return Err("there are all-paths, local-paths, statements, branches and \
                                points:LINE,..."
                        .to_owned());
                };
                Selection::Points(points.split(',').map(str::parse).collect::<Result<_, _>>()?)
            }
        })
    }
}

impl FromStr for Point {
    type Err = String;

    fn from_str(text: &str) -> Result<Point, String> {
        let wrong = || {
            format!(
                "{text:?} is no point: there are lines (12, Vector.java:12), offsets (@17) and \
                 branches (@17-24)"
            )
        };
        let number = |digits: &str| digits.parse::<u16>().map_err(|_| wrong());
        let text = text.trim();
        if let Some(offset) = text.strip_prefix('@') {
            return Ok(match offset.split_once('-') {
                Some((from, to)) => Point::Branch((number(from)?, number(to)?)),
                None => Point::Instruction(number(offset)?),
            });
        }
        let (file, line) = match text.rsplit_once(':') {
            Some((file, line)) if !file.is_empty() => (Some(file.to_owned()), line),
            Some(_) => return Err(wrong()),
            None => (None, text),
        };
        Ok(Point::Line(file, number(line)?))
    }
}

/// Displays as it is read.
impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selection::AllPaths => f.write_str("all-paths"),
            Selection::LocalPaths => f.write_str("local-paths"),
            Selection::Statements => f.write_str("statements"),
            Selection::Branches => f.write_str("branches"),
            Selection::Points(points) => {
                let points: Vec<String> = points.iter().map(ToString::to_string).collect();
                write!(f, "points:{}", points.join(","))
            }
        }
    }
}

/// Displays as it is read.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Point::Line(Some(file), line) => write!(f, "{file}:{line}"),
            Point::Line(None, line) => write!(f, "{line}"),
            Point::Instruction(offset) => write!(f, "@{offset}"),
            Point::Branch((from, to)) => write!(f, "@{from}-{to}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selections_read_back_as_they_are_written() {
        for text in [
            "all-paths",
            "local-paths",
            "statements",
            "branches",
            "points:12,Vector.java:30,@17,@17-24",
        ] {
            assert_eq!(text.parse::<Selection>().expect(text).to_string(), text);
        }
    }

    #[test]
    fn what_is_no_selection_is_refused() {
        for text in [
            "",
            "paths",
            "points:",
            "points:x",
            "points:12,,13",
            "points:@",
            "points:@1-",
            "points::4",
        ] {
            assert!(text.parse::<Selection>().is_err(), "{text}");
        }
    }
}
