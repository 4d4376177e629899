//! Reads the text that [`crate::print`] writes; the syntax is described there.
//!
//! What the text says twice has to agree: heaps are threaded through the literals, traces are those
//! of the calls, wrappers fit the kinds of their variables. Whether the rules make sense beyond that
//! is for [`crate::verify`] to say. A class, string or method handle that no directive lists is
//! added to its table where it is first mentioned, so that text written by hand needs no tables.

mod call;
mod dispatch;
mod guard;
mod lexer;
mod literal;
mod procedure;
mod reader;
mod rule;
#[cfg(test)]
mod tests;
mod trace;

use thiserror::Error;

use crate::dispatch::Dispatch;
use crate::rule::Procedure;
use crate::trace::Trace;
use reader::{Clause, Node, Reader, Term};

/// Why a text is no program, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{line}:{column}: {message}")]
pub struct ParseError {
    /// Line, the first being 1.
    pub line: usize,
    /// Column in characters, the first being 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

/// The procedures of a text.
pub fn procedures(text: &str) -> Result<Vec<Procedure>, ParseError> {
    program(text).map(|(procedures, _)| procedures)
}

/// The procedures and dispatches of a text.
pub fn program(text: &str) -> Result<(Vec<Procedure>, Vec<Dispatch>), ParseError> {
    sections(text).map_err(|fault| fault.in_text(text))
}

/// A trace term, see [`crate::Trace`].
pub fn trace(text: &str) -> Result<Trace, ParseError> {
    trace::read(text).map_err(|fault| fault.in_text(text))
}

fn sections(text: &str) -> Result<(Vec<Procedure>, Vec<Dispatch>), Fault> {
    let mut reader = Reader::new(text)?;
    let mut procedures = Vec::new();
    let mut dispatches = Vec::new();
    let mut next = reader.clause()?;
    while let Some(heading) = next {
        let mut section = Vec::new();
        next = reader.clause()?;
        while let Some(clause) = next.take_if(|clause| heading_name(clause).is_none()) {
            section.push(clause);
            next = reader.clause()?;
        }
        match heading_name(&heading) {
            Some("procedure") => procedures.push(procedure::read(&heading, &section)?),
            Some(_) => dispatches.push(dispatch::read(&heading, &section)?),
            None => {
                return Err(fault(heading.at, "a procedure or dispatch directive comes first"));
            }
        }
    }
    Ok((procedures, dispatches))
}

/// The directive's name, for those that start a section.
fn heading_name<'c>(clause: &'c Clause<'_>) -> Option<&'c str> {
    match (&clause.head, clause.body.as_slice()) {
        (None, [Term { node: Node::Compound(name, _), .. }])
            if matches!(&**name, "procedure" | "dispatch") =>
        {
            Some(name)
        }
        _ => None,
    }
}

/// An error, by offset.
#[derive(Debug)]
struct Fault {
    at: usize,
    message: String,
}

fn fault(at: usize, message: impl Into<String>) -> Fault {
    Fault { at, message: message.into() }
}

impl Fault {
    fn in_text(self, text: &str) -> ParseError {
        let before = text.get(..self.at).unwrap_or(text);
        let last_line = before.rsplit('\n').next().unwrap_or_default();
        ParseError {
            line: before.matches('\n').count() + 1,
            column: last_line.chars().count() + 1,
            message: self.message,
        }
    }
}

/// What directives and literals are made of.
impl<'a> Term<'a> {
    fn wrong<T>(&self, message: impl Into<String>) -> Result<T, Fault> {
        Err(fault(self.at, message))
    }

    fn atom(&self) -> Result<&str, Fault> {
        match &self.node {
            Node::Atom(name) => Ok(name),
            _ => self.wrong("a name is expected here"),
        }
    }

    /// The name of a variable that is not `_`.
    fn variable(&self) -> Result<&'a str, Fault> {
        match self.node {
            Node::Variable(name) if name != "_" => Ok(name),
            _ => self.wrong("a variable is expected here"),
        }
    }

    /// The items of a list without a tail.
    fn list(&self) -> Result<&[Term<'a>], Fault> {
        match &self.node {
            Node::List(items, None) => Ok(items),
            _ => self.wrong("a list is expected here"),
        }
    }

    fn is_variable(&self, name: &str) -> bool {
        matches!(self.node, Node::Variable(other) if other == name)
    }

    fn is_atom(&self, name: &str) -> bool {
        matches!(&self.node, Node::Atom(other) if other == name)
    }

    /// A number that is not negative.
    fn count<T: TryFrom<i32>>(&self) -> Result<T, Fault> {
        match self.node {
            Node::Number(crate::Operand::Int(value)) => match T::try_from(value) {
                Ok(count) if value >= 0 => Ok(count),
                _ => self.wrong("the number is out of range"),
            },
            _ => self.wrong("a number is expected here"),
        }
    }

    /// The arguments of a term with this many of them.
    fn arguments<const N: usize>(&self) -> Result<&[Term<'a>; N], Fault> {
        match &self.node {
            Node::Compound(name, arguments) => match arguments.as_slice().try_into() {
                Ok(arguments) => Ok(arguments),
                Err(_) => self.wrong(format!(
                    "{name} has {} arguments here, and should have {N}",
                    arguments.len()
                )),
            },
            _ => self.wrong("a name with arguments is expected here"),
        }
    }
}
