//! Tokens to clauses: terms in Prolog's syntax, without regard to what they mean.

use std::borrow::Cow;

use petrel_classfile::{JavaString, Opcode};

use super::lexer::{Lexer, Token};
use super::{Fault, fault};
use crate::notation::PLACES;
use crate::rule::InstructionRef;
use crate::term::{Comparison, Operand};

/// Brackets within brackets. Only dynamic constants among the arguments of dynamic constants nest
/// at all deeply.
const MAX_DEPTH: usize = 400;

/// A term and where it starts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Term<'a> {
    pub(super) at: usize,
    pub(super) node: Node<'a>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node<'a> {
    /// `X`, or `_`.
    Variable(&'a str),
    /// `f`.
    Atom(Cow<'a, str>),
    /// A number with a decimal notation.
    Number(Operand),
    /// `0x7fc00000`.
    Bits(u64),
    /// `"text"`.
    Text(JavaString),
    /// `f(X,Y)`; `-X` is `-(X)`.
    Compound(Cow<'a, str>, Vec<Term<'a>>),
    /// `module:f(X,Y)`.
    Qualified(Cow<'a, str>, Box<Term<'a>>),
    /// `[X,Y]` or `[X,Y|Z]`.
    List(Vec<Term<'a>>, Option<Box<Term<'a>>>),
    /// `X #= Y` and the like.
    Infix(&'static str, Box<Term<'a>>, Box<Term<'a>>),
}

/// `head :- body.`, `head.` or `:- body.`
#[derive(Debug)]
pub(super) struct Clause<'a> {
    pub(super) at: usize,
    pub(super) head: Option<Term<'a>>,
    pub(super) body: Vec<Term<'a>>,
    /// From the comments before it.
    pub(super) instructions: Vec<InstructionRef>,
    /// Numbers of literals, from 1 on, and offsets of their instructions.
    pub(super) places: Vec<(usize, u16)>,
}

pub(super) struct Reader<'a> {
    pub(super) lexer: Lexer<'a>,
    pub(super) at: usize,
    pub(super) token: Token<'a>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Result<Reader<'a>, Fault> {
        let mut lexer = Lexer::new(text);
        let (at, token) = lexer.next()?;
        Ok(Reader { lexer, at, token })
    }

    pub(super) fn advance(&mut self) -> Result<Token<'a>, Fault> {
        let (at, token) = self.lexer.next()?;
        self.at = at;
        Ok(std::mem::replace(&mut self.token, token))
    }

    pub(super) fn is_next(&self, symbol: &str) -> bool {
        matches!(self.token, Token::Symbol(next) if next == symbol)
    }

    /// Takes the symbol if it is next.
    pub(super) fn accept(&mut self, symbol: &str) -> Result<bool, Fault> {
        let found = self.is_next(symbol);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    pub(super) fn expect(&mut self, symbol: &str) -> Result<(), Fault> {
        if self.accept(symbol)? {
            Ok(())
        } else {
            Err(fault(self.at, format!("{symbol:?} is expected here")))
        }
    }

    /// The next clause; `None` at the end of the text.
    pub(super) fn clause(&mut self) -> Result<Option<Clause<'a>>, Fault> {
        let (mut instructions, mut places) = (Vec::new(), Vec::new());
        while let Token::Instructions(comment) = self.token {
            match comment.trim_start().strip_prefix(PLACES) {
                Some(comment) => read_places(comment, self.at, &mut places)?,
                None => read_instructions(comment, self.at, &mut instructions)?,
            }
            self.advance()?;
        }
        let at = self.at;
        if self.token == Token::Nothing {
            return if instructions.is_empty() && places.is_empty() {
                Ok(None)
            } else {
                Err(fault(at, "instructions without a rule"))
            };
        }
        let mut clause = Clause { at, head: None, body: Vec::new(), instructions, places };
        if !self.accept(":-")? {
            clause.head = Some(self.term(0)?);
            if self.token == Token::End {
                self.advance()?;
                return Ok(Some(clause));
            }
            self.expect(":-")?;
        }
        loop {
            clause.body.push(self.term(0)?);
            if self.token == Token::End {
                self.advance()?;
                return Ok(Some(clause));
            }
            self.expect(",")?;
        }
    }

    /// A term with at most one relation, and at most one operation on each side of it.
    fn term(&mut self, depth: usize) -> Result<Term<'a>, Fault> {
        let left = self.operation(depth)?;
        match self.relation() {
            None => Ok(left),
            Some(relation) => {
                self.advance()?;
                let right = self.operation(depth)?;
                Ok(infix(relation, left, right))
            }
        }
    }

    fn operation(&mut self, depth: usize) -> Result<Term<'a>, Fault> {
        let left = self.primary(depth)?;
        match self.arithmetic() {
            None => Ok(left),
            Some(operator) => {
                self.advance()?;
                let right = self.primary(depth)?;
                Ok(infix(operator, left, right))
            }
        }
    }

    fn relation(&self) -> Option<&'static str> {
        match &self.token {
            Token::Symbol(symbol @ ("==" | "\\==" | "=")) => Some(symbol),
            Token::Symbol(symbol) => Comparison::ALL
                .iter()
                .map(|comparison| comparison.symbol())
                .find(|candidate| candidate == symbol),
            Token::Atom(name) if name == "in" => Some("in"),
            Token::Atom(name) if name == "not_in" => Some("not_in"),
            _ => None,
        }
    }

    fn arithmetic(&self) -> Option<&'static str> {
        match &self.token {
            Token::Symbol(
                symbol @ ("+" | "-" | "*" | "/" | "<<" | ">>" | ">>>" | "/\\" | "\\/"),
            ) => Some(symbol),
            Token::Atom(name) if name == "rem" => Some("rem"),
            _ => None,
        }
    }

    fn primary(&mut self, depth: usize) -> Result<Term<'a>, Fault> {
        if depth > MAX_DEPTH {
            return Err(fault(self.at, "too many brackets within brackets"));
        }
        let at = self.at;
        let node = match self.advance()? {
            Token::Variable(name) => Node::Variable(name),
            Token::Number(number) => self::number(number, false, at)?,
            Token::Text(text) => match JavaString::from_escaped(text) {
                Some(text) => Node::Text(text),
                None => return Err(fault(at, "an escape in this string is wrong")),
            },
            Token::Symbol("-") => self.after_minus(at, depth)?,
            Token::Symbol("[") => self.list(depth)?,
            Token::Atom(name) => {
                if self.accept("(")? {
                    Node::Compound(name, self.arguments(")", depth)?)
                } else if self.accept(":")? {
                    Node::Qualified(name, Box::new(self.primary(depth + 1)?))
                } else {
                    Node::Atom(name)
                }
            }
            Token::Nothing => return Err(fault(at, "the text ends within a clause")),
            Token::End => return Err(fault(at, "the clause ends too early")),
            Token::Symbol(_) | Token::Instructions(_) => {
                return Err(fault(at, "a term is expected here"));
            }
        };
        Ok(Term { at, node })
    }

    /// A negative number, the negation of a variable, or of a constant in brackets.
    fn after_minus(&mut self, at: usize, depth: usize) -> Result<Node<'a>, Fault> {
        if let Token::Number(number) = self.token
            && self.at == at + 1
        {
            self.advance()?;
            return self::number(number, true, at);
        }
        let operand = if self.accept("(")? {
            let operand = self.primary(depth + 1)?;
            self.expect(")")?;
            operand
        } else {
            self.primary(depth + 1)?
        };
        Ok(Node::Compound("-".into(), vec![operand]))
    }

    fn list(&mut self, depth: usize) -> Result<Node<'a>, Fault> {
        if self.accept("]")? {
            return Ok(Node::List(Vec::new(), None));
        }
        let mut items = Vec::new();
        loop {
            items.push(self.term(depth + 1)?);
            if self.accept("]")? {
                return Ok(Node::List(items, None));
            }
            if self.accept("|")? {
                let tail = self.term(depth + 1)?;
                self.expect("]")?;
                return Ok(Node::List(items, Some(Box::new(tail))));
            }
            self.expect(",")?;
        }
    }

    fn arguments(&mut self, closing: &str, depth: usize) -> Result<Vec<Term<'a>>, Fault> {
        let mut arguments = Vec::new();
        loop {
            arguments.push(self.term(depth + 1)?);
            if self.accept(closing)? {
                return Ok(arguments);
            }
            self.expect(",")?;
        }
    }
}

fn infix<'a>(operator: &'static str, left: Term<'a>, right: Term<'a>) -> Term<'a> {
    Term { at: left.at, node: Node::Infix(operator, Box::new(left), Box::new(right)) }
}

fn number<'a>(text: &str, negative: bool, at: usize) -> Result<Node<'a>, Fault> {
    let wrong = || fault(at, format!("{text} is no number of its kind"));
    if let Some(digits) = text.strip_prefix("0x") {
        let bits = u64::from_str_radix(digits, 16).ok().filter(|_| !negative);
        return bits.map(Node::Bits).ok_or_else(wrong);
    }
    let signed = |digits: &str| {
        if negative { format!("-{digits}") } else { digits.to_string() }
    };
    let operand = if let Some(digits) = text.strip_suffix('L') {
        Operand::Long(signed(digits).parse().map_err(|_| wrong())?)
    } else if let Some(digits) = text.strip_suffix('f') {
        let value: f32 = signed(digits).parse().map_err(|_| wrong())?;
        Operand::Float(finite(value, f32::is_finite).ok_or_else(wrong)?.to_bits())
    } else if text.contains(['.', 'e']) {
        let value: f64 = signed(text).parse().map_err(|_| wrong())?;
        Operand::Double(finite(value, f64::is_finite).ok_or_else(wrong)?.to_bits())
    } else {
        Operand::Int(signed(text).parse().map_err(|_| wrong())?)
    };
    Ok(Node::Number(operand))
}

fn finite<T: Copy>(value: T, is_finite: fn(T) -> bool) -> Option<T> {
    is_finite(value).then_some(value)
}

/// `14: 0 iload_1, 1 ifeq; 15: 4 iload_0`
fn read_instructions(
    comment: &str,
    at: usize,
    instructions: &mut Vec<InstructionRef>,
) -> Result<(), Fault> {
    let wrong = |text: &str| fault(at, format!("{:?} is no instruction", text.trim()));
    let number = |text: &str| text.trim().parse::<u16>().map_err(|_| wrong(text));
    for group in comment.split(';') {
        let (line, items) = group.split_once(':').ok_or_else(|| wrong(group))?;
        let line = number(line)?;
        for item in items.split(',') {
            let (pc, mnemonic) = item.trim().split_once(' ').ok_or_else(|| wrong(item))?;
            let opcode = Opcode::from_mnemonic(mnemonic.trim()).ok_or_else(|| wrong(item))?;
            instructions.push(InstructionRef { pc: number(pc)?, opcode, line });
        }
    }
    Ok(())
}

/// `2 at 7, 5 at 16`
fn read_places(comment: &str, at: usize, places: &mut Vec<(usize, u16)>) -> Result<(), Fault> {
    for item in comment.split(',') {
        let place = item.trim().split_once(" at ");
        let place = place.and_then(|(number, pc)| Some((number.parse().ok()?, pc.parse().ok()?)));
        let wrong = || fault(at, format!("{:?} is no literal with an offset", item.trim()));
        places.push(place.ok_or_else(wrong)?);
    }
    Ok(())
}
