//! Trace terms.

use super::lexer::{Lexer, Token};
use super::reader::Reader;
use super::{Fault, fault};
use crate::trace::{Trace, TraceNode, TraceParameter, TracePart};

/// Reads a trace that is the whole text. The nodes that are open are a list: traces are deep.
pub(super) fn read(text: &str) -> Result<Trace, Fault> {
    let mut reader = Reader::new(text)?;
    let mut root = None;
    let mut nodes: Vec<TraceNode> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    loop {
        let (part, is_open) = match reader.part()? {
            Head::Free(name) => (TracePart::Free(name), false),
            Head::Any if !open.is_empty() => (TracePart::Any, false),
            Head::Any => return Err(fault(0, "a trace is expected here")),
            Head::Node(node) => {
                nodes.push(node);
                (TracePart::Node(nodes.len() - 1), true)
            }
            Head::Closed(node) => {
                nodes.push(node);
                (TracePart::Node(nodes.len() - 1), false)
            }
        };
        match open.last() {
            Some(&around) => nodes[around].parts.push(part),
            None => root = Some(part),
        }
        if is_open {
            open.push(nodes.len() - 1);
            if !reader.is_next("]") {
                continue;
            }
        }
        // Closes what ends here.
        while !open.is_empty() && reader.accept("]")? {
            reader.expect(")")?;
            open.pop();
        }
        if open.is_empty() {
            break;
        }
        reader.expect(",")?;
    }
    if reader.token != Token::Nothing {
        return Err(fault(reader.at, "the trace ends before this"));
    }
    root.map(|root| Trace::new(root, nodes)).ok_or_else(|| fault(0, "a trace is expected here"))
}

/// A variable, or any number of parts, or a term: up to the bracket that its parts follow, or the whole of it.
enum Head {
    Free(Box<str>),
    Any,
    Node(TraceNode),
    Closed(TraceNode),
}

impl Reader<'_> {
    fn part(&mut self) -> Result<Head, Fault> {
        let name = match &self.token {
            Token::Variable(name) => {
                let name = (*name).into();
                self.advance()?;
                return Ok(Head::Free(name));
            }
            Token::Atom(name) => name.as_ref().into(),
            Token::Symbol("*") => {
                self.advance()?;
                return Ok(Head::Any);
            }
            _ => return Err(fault(self.at, "a trace is expected here")),
        };
        self.advance()?;
        self.expect("(")?;
        let rule = self.rule()?;
        self.expect(",")?;
        let mut node = TraceNode { name, rule, parameters: Vec::new(), parts: Vec::new() };
        if self.is_free()? {
            // Of sizes nothing is said; or of the parts, if these are all that follows.
            if self.is_next(")") {
                self.advance()?;
                node.parts.push(TracePart::Any);
                return Ok(Head::Closed(node));
            }
            self.expect(",")?;
            return self.parts(node);
        }
        self.expect("[")?;
        if self.has_parameters() {
            while !self.accept("]")? {
                if !node.parameters.is_empty() {
                    self.expect(",")?;
                }
                node.parameters.push(self.parameter()?);
            }
            self.expect(",")?;
            return self.parts(node);
        }
        Ok(Head::Node(node))
    }

    /// The number of a rule, from 1 on; 0 if nothing is said of it.
    fn rule(&mut self) -> Result<u32, Fault> {
        let at = self.at;
        if self.is_free()? {
            return Ok(TraceNode::ANY_RULE);
        }
        let rule = self.number("the number of a rule, or a variable, is expected here")?;
        let rule = u32::try_from(rule).ok().filter(|&rule| rule != TraceNode::ANY_RULE);
        rule.ok_or_else(|| fault(at, "rules are numbered from 1"))
    }

    /// The list of parts: a variable stands for any parts.
    fn parts(&mut self, mut node: TraceNode) -> Result<Head, Fault> {
        if self.is_free()? {
            self.expect(")")?;
            node.parts.push(TracePart::Any);
            return Ok(Head::Closed(node));
        }
        self.expect("[")?;
        Ok(Head::Node(node))
    }

    /// Takes a variable.
    fn is_free(&mut self) -> Result<bool, Fault> {
        let is_free = matches!(self.token, Token::Variable(_));
        if is_free {
            self.advance()?;
        }
        Ok(is_free)
    }

    /// Whether the list that begins here is the first of two. Without parameters a term may do with one.
    fn has_parameters(&self) -> bool {
        let mut ahead = self.lexer.clone();
        let mut token = self.token.clone();
        loop {
            match token {
                Token::Variable(_) | Token::Number(_) | Token::Symbol("," | "-") => {}
                Token::Symbol("]") => break,
                Token::Symbol("*") => return false,
                // What is no size is told where it is read.
                token => return !is_term(&token, &ahead),
            }
            match ahead.next() {
                Ok((_, next)) => token = next,
                Err(_) => return true,
            }
        }
        matches!(ahead.next(), Ok((_, Token::Symbol(","))))
            && matches!(ahead.next(), Ok((_, Token::Symbol("[") | Token::Variable(_))))
    }

    fn parameter(&mut self) -> Result<TraceParameter, Fault> {
        if let Token::Variable(name) = self.token {
            self.advance()?;
            return Ok(TraceParameter::Free(name.into()));
        }
        let is_negative = self.accept("-")?;
        let size = self.number("a size is a number or a variable")?;
        Ok(TraceParameter::Known(if is_negative { -size } else { size }))
    }

    fn number(&mut self, expected: &str) -> Result<i64, Fault> {
        let Token::Number(digits) = self.token else { return Err(fault(self.at, expected)) };
        let number = digits.parse().map_err(|_| fault(self.at, expected))?;
        self.advance()?;
        Ok(number)
    }
}

/// Whether an atom starts a term.
fn is_term(token: &Token<'_>, after: &Lexer<'_>) -> bool {
    matches!(token, Token::Atom(_)) && matches!(after.clone().next(), Ok((_, Token::Symbol("("))))
}
