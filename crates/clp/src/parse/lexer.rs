//! Text to tokens.

use std::borrow::Cow;

use super::{Fault, fault};
use crate::notation::{continues_name, starts_variable};

/// A token.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token<'a> {
    /// `X`, or `_`.
    Variable(&'a str),
    /// `f` or `'F'`.
    Atom(Cow<'a, str>),
    /// An unsigned number as it is written, suffix included.
    Number(&'a str),
    /// What stands between the quotes of a string, escapes and all.
    Text(&'a str),
    /// Brackets, commas, operators.
    Symbol(&'static str),
    /// The point at the end of a clause.
    End,
    /// What follows the `%@` of a comment.
    Instructions(&'a str),
    /// The end of the text.
    Nothing,
}

/// Longer ones before those that they start with.
const SYMBOLS: [&str; 26] = [
    ":-", ":", "(", ")", "[", "]", "|", ",", "#=<", "#=", "#\\=", "#<", "#>=", "#>", "\\==", "\\/",
    "==", "=", ">>>", ">>", "<<", "/\\", "+", "-", "*", "/",
];

#[derive(Clone)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, at: 0 }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Takes the characters up to the first that is not wanted.
    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let taken = rest.split(|c| !wanted(c)).next().unwrap_or_default();
        self.at += taken.len();
        taken
    }

    /// The next token and where it starts.
    pub(super) fn next(&mut self) -> Result<(usize, Token<'a>), Fault> {
        loop {
            self.take_while(char::is_whitespace);
            let start = self.at;
            let rest = self.rest();
            if !rest.starts_with('%') {
                return Ok((start, self.token(start)?));
            }
            let line = self.take_while(|c| c != '\n');
            if let Some(instructions) = line.strip_prefix("%@") {
                return Ok((start, Token::Instructions(instructions)));
            }
        }
    }

    fn token(&mut self, start: usize) -> Result<Token<'a>, Fault> {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return Ok(Token::Nothing);
        };
        if first.is_ascii_digit() {
            return self.number(start);
        }
        if starts_variable(first) {
            return Ok(Token::Variable(self.take_while(continues_name)));
        }
        if first.is_ascii_lowercase() {
            return Ok(Token::Atom(self.take_while(continues_name).into()));
        }
        if first == '\'' {
            return self.quoted_atom(start);
        }
        if first == '"' {
            return self.string(start);
        }
        if let Some(after) = rest.strip_prefix('.')
            && after.chars().next().is_none_or(|c| c.is_whitespace() || c == '%')
        {
            self.at += 1;
            return Ok(Token::End);
        }
        match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            Some(symbol) => {
                self.at += symbol.len();
                Ok(Token::Symbol(symbol))
            }
            None => Err(fault(start, format!("{first:?} is not expected here"))),
        }
    }

    /// Digits, perhaps with a fraction and an exponent, perhaps with a suffix; or `0x` and digits.
    fn number(&mut self, start: usize) -> Result<Token<'a>, Fault> {
        let digit = |c: char| c.is_ascii_digit();
        self.take_while(digit);
        // A point that no digit follows ends the clause.
        if let Some(after) = self.rest().strip_prefix('.')
            && after.starts_with(digit)
        {
            self.at += 1;
            self.take_while(digit);
        }
        if let Some(after) = self.rest().strip_prefix('e') {
            let digits = after.strip_prefix(['-', '+']).unwrap_or(after);
            if digits.starts_with(digit) {
                self.at += 1 + after.len() - digits.len();
                self.take_while(digit);
            }
        }
        // Whatever letters follow belong to the number; those that do not fit are found when it
        // is converted.
        self.take_while(continues_name);
        match self.text.get(start..self.at) {
            Some(number) => Ok(Token::Number(number)),
            None => Err(fault(start, "this is no number")),
        }
    }

    fn string(&mut self, start: usize) -> Result<Token<'a>, Fault> {
        self.at += 1;
        let body = self.rest();
        let mut escaped = false;
        for (length, c) in body.char_indices() {
            match c {
                '\n' => break,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => {
                    self.at += length + 1;
                    return Ok(Token::Text(body.get(..length).unwrap_or_default()));
                }
                _ => {}
            }
        }
        Err(fault(start, "this string does not end in its line"))
    }

    fn quoted_atom(&mut self, start: usize) -> Result<Token<'a>, Fault> {
        self.at += 1;
        let plain = self.take_while(|c| c != '\'' && c != '\\' && c != '\n');
        if self.rest().starts_with('\'') {
            self.at += 1;
            return Ok(Token::Atom(plain.into()));
        }
        let mut name = plain.to_string();
        let body = self.rest();
        let mut chars = body.char_indices();
        while let Some((length, c)) = chars.next() {
            match c {
                '\n' => break,
                '\'' => {
                    self.at += length + 1;
                    return Ok(Token::Atom(name.into()));
                }
                '\\' => name.push(match chars.next() {
                    Some((_, c @ ('\'' | '\\'))) => c,
                    Some((_, 'x')) => {
                        let digits: String = chars
                            .by_ref()
                            .map(|(_, c)| c)
                            .take_while(|&c| c != '\\')
                            .take(8)
                            .collect();
                        u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32).ok_or_else(
                            || fault(self.at + length, "this escape names no character"),
                        )?
                    }
                    _ => return Err(fault(self.at + length, "this escape is not known")),
                }),
                c => name.push(c),
            }
        }
        Err(fault(start, "this name does not end in its line"))
    }
}
