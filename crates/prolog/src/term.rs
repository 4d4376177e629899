//! Prolog terms and how they are written.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

use petrel_classfile::JavaString;

/// SWI-Prolog's prefix operators that can be the names of methods or fields.
const PREFIX_OPERATORS: [&str; 12] = [
    "discontiguous",
    "dynamic",
    "initialization",
    "meta_predicate",
    "module_transparent",
    "multifile",
    "public",
    "table",
    "thread_initialization",
    "thread_local",
    "tnot",
    "volatile",
];

/// A term of the exported program.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Term {
    /// A variable, by its name.
    Variable(String),
    /// A variable that occurs nowhere else.
    Any,
    /// An atom.
    Atom(String),
    /// An integer.
    Integer(i64),
    /// A float.
    Float(f64),
    /// A string.
    Text(JavaString),
    /// A list.
    List(Vec<Term>),
    /// A list of one element and a tail.
    Cons(Box<Term>, Box<Term>),
    /// A compound term.
    Compound(String, Vec<Term>),
    /// A compound term that is written with its operator in the middle.
    Infix(Box<Term>, &'static str, Box<Term>),
}

impl Term {
    pub(crate) fn variable(name: impl Into<String>) -> Term {
        Term::Variable(name.into())
    }

    pub(crate) fn atom(name: impl Into<String>) -> Term {
        Term::Atom(name.into())
    }

    pub(crate) fn compound(name: impl Into<String>, arguments: impl Into<Vec<Term>>) -> Term {
        Term::Compound(name.into(), arguments.into())
    }

    pub(crate) fn infix(left: Term, operator: &'static str, right: Term) -> Term {
        Term::Infix(Box::new(left), operator, Box::new(right))
    }

    /// The names of its variables.
    pub(crate) fn variables(&self) -> BTreeSet<&str> {
        let mut counts = BTreeMap::new();
        self.count(&mut counts);
        counts.into_keys().collect()
    }

    /// Whether there is something in it that is not known.
    pub(crate) fn has_variables(&self) -> bool {
        match self {
            Term::Variable(_) | Term::Any => true,
            Term::List(terms) | Term::Compound(_, terms) => terms.iter().any(Term::has_variables),
            Term::Cons(left, right) | Term::Infix(left, _, right) => {
                left.has_variables() || right.has_variables()
            }
            Term::Atom(_) | Term::Integer(_) | Term::Float(_) | Term::Text(_) => false,
        }
    }

    /// The same with other variables: each has a number behind its name.
    pub(crate) fn renamed(&self, number: usize) -> Term {
        self.substituted(&|name| Some(Term::Variable(format!("{name}_{number}"))))
    }

    /// The same with terms in the place of variables.
    pub(crate) fn substituted(&self, of: &dyn Fn(&str) -> Option<Term>) -> Term {
        let all = |terms: &[Term]| terms.iter().map(|term| term.substituted(of)).collect();
        match self {
            Term::Variable(name) => of(name).unwrap_or_else(|| self.clone()),
            Term::List(elements) => Term::List(all(elements)),
            Term::Compound(name, arguments) => Term::Compound(name.clone(), all(arguments)),
            Term::Cons(head, tail) => {
                Term::Cons(Box::new(head.substituted(of)), Box::new(tail.substituted(of)))
            }
            Term::Infix(left, operator, right) => {
                Term::infix(left.substituted(of), operator, right.substituted(of))
            }
            Term::Any | Term::Atom(_) | Term::Integer(_) | Term::Float(_) | Term::Text(_) => {
                self.clone()
            }
        }
    }

    /// Counts the occurrences of each variable.
    fn count<'a>(&'a self, counts: &mut BTreeMap<&'a str, usize>) {
        match self {
            Term::Variable(name) => *counts.entry(name).or_default() += 1,
            Term::List(arguments) | Term::Compound(_, arguments) => {
                arguments.iter().for_each(|argument| argument.count(counts));
            }
            Term::Cons(left, right) | Term::Infix(left, _, right) => {
                left.count(counts);
                right.count(counts);
            }
            Term::Any | Term::Atom(_) | Term::Integer(_) | Term::Float(_) | Term::Text(_) => {}
        }
    }

    /// An operand of an infix operator; an atom that is a prefix operator needs brackets there.
    fn write_operand(&self, singletons: &BTreeSet<&str>, out: &mut String) {
        match self {
            Term::Atom(name) if PREFIX_OPERATORS.contains(&&**name) => {
                let _ = write!(out, "({name})");
            }
            other => other.write(singletons, out),
        }
    }

    fn write(&self, singletons: &BTreeSet<&str>, out: &mut String) {
        match self {
            // Prolog warns of variables that occur once, unless they start with an underscore.
            Term::Variable(name) if singletons.contains(&**name) => {
                out.push('_');
                out.push_str(name);
            }
            Term::Variable(name) => out.push_str(name),
            Term::Any => out.push('_'),
            Term::Atom(name) => out.push_str(&atom(name)),
            Term::Integer(value) => out.push_str(&value.to_string()),
            Term::Float(value) => out.push_str(&float(*value)),
            Term::Text(text) => out.push_str(&string(text)),
            Term::List(elements) => {
                out.push('[');
                write_all(elements, singletons, out);
                out.push(']');
            }
            Term::Cons(head, tail) => {
                out.push('[');
                head.write(singletons, out);
                out.push('|');
                tail.write(singletons, out);
                out.push(']');
            }
            Term::Compound(name, arguments) if name == "-" && is_variable(arguments) => {
                out.push('-');
                write_all(arguments, singletons, out);
            }
            Term::Compound(name, arguments) => {
                out.push_str(&atom(name));
                out.push('(');
                write_all(arguments, singletons, out);
                out.push(')');
            }
            // The operands in this program need no brackets: they are no infix terms themselves,
            // but for the right side of a constraint and of a colon.
            Term::Infix(left, ":", right) => {
                left.write_operand(singletons, out);
                out.push(':');
                right.write_operand(singletons, out);
            }
            Term::Infix(left, operator, right) => {
                left.write(singletons, out);
                let _ = write!(out, " {operator} ");
                right.write(singletons, out);
            }
        }
    }
}

fn is_variable(terms: &[Term]) -> bool {
    matches!(terms, [Term::Variable(_)])
}

fn write_all(terms: &[Term], singletons: &BTreeSet<&str>, out: &mut String) {
    for (index, term) in terms.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        term.write(singletons, out);
    }
}

/// A term on its own.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        self.write(&BTreeSet::new(), &mut out);
        f.write_str(&out)
    }
}

/// `head :- guards | body.`
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Clause {
    pub(crate) head: Term,
    pub(crate) guards: Vec<Term>,
    pub(crate) body: Vec<Term>,
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut counts = BTreeMap::new();
        let terms = [&self.head].into_iter().chain(&self.guards).chain(&self.body);
        terms.for_each(|term| term.count(&mut counts));
        let singletons =
            counts.into_iter().filter(|&(_, count)| count == 1).map(|(name, _)| name).collect();

        let mut out = String::new();
        self.head.write(&singletons, &mut out);
        let conjunction = |terms: &[Term], out: &mut String| {
            for (index, term) in terms.iter().enumerate() {
                out.push_str(if index == 0 { "\n    " } else { ",\n    " });
                term.write(&singletons, out);
            }
            if terms.is_empty() {
                out.push_str("\n    true");
            }
        };
        if !self.guards.is_empty() {
            out.push_str(" :-");
            conjunction(&self.guards, &mut out);
            out.push_str(" |");
            conjunction(&self.body, &mut out);
        } else if !self.body.is_empty() {
            out.push_str(" :-");
            conjunction(&self.body, &mut out);
        }
        out.push('.');
        f.write_str(&out)
    }
}

/// An atom, in quotes where it needs them. Everything outside of ASCII is escaped, so that the
/// encoding of the file does not matter.
pub(crate) fn atom(name: &str) -> String {
    let solo = name == "[]" || name == "!";
    let plain = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let symbol = !name.is_empty() && name.bytes().all(|b| b"+-*/\\^<>=~:.?@#&$".contains(&b));
    if plain || symbol && !matches!(name, "." | "/*") || solo {
        return name.to_owned();
    }
    let mut out = String::with_capacity(name.len() + 2);
    out.push('\'');
    name.chars().for_each(|c| escape(u32::from(c), '\'', &mut out));
    out.push('\'');
    out
}

/// A string. SWI-Prolog has no surrogates: one without its other half is written as the character
/// of the private plane 16 with the same last digits.
pub(crate) fn string(text: &JavaString) -> String {
    let mut out = String::with_capacity(text.0.len() + 2);
    out.push('"');
    for unit in char::decode_utf16(text.0.iter().copied()) {
        let lone =
            |error: std::char::DecodeUtf16Error| 0x10_0000 + u32::from(error.unpaired_surrogate());
        escape(unit.map_or_else(lone, u32::from), '"', &mut out);
    }
    out.push('"');
    out
}

fn escape(code: u32, quote: char, out: &mut String) {
    match char::from_u32(code) {
        Some(c) if c == quote || c == '\\' => out.extend(['\\', c]),
        Some(c) if c.is_ascii() && !c.is_ascii_control() => out.push(c),
        _ => {
            let _ = write!(out, "\\x{code:x}\\");
        }
    }
}

/// A float as SWI-Prolog reads it, infinities and NaN included.
pub(crate) fn float(value: f64) -> String {
    if value.is_nan() {
        return "1.5NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "1.0Inf" } else { "-1.0Inf" }.to_owned();
    }
    let text = format!("{value:?}");
    match text.split_once('e') {
        // The point is not optional there.
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0e{exponent}"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_are_quoted_where_needed() {
        for (name, text) in [
            ("gcd_loop_0", "gcd_loop_0"),
            ("Lcm", "'Lcm'"),
            ("java/lang/Object", "'java/lang/Object'"),
            ("#=<", "#=<"),
            ("<init>", "'<init>'"),
            ("()V", "'()V'"),
            ("[I", "'[I'"),
            ("[]", "[]"),
            ("", "''"),
            ("/*", "'/*'"),
            ("it's\\", "'it\\'s\\\\'"),
            ("\u{e9}t\u{e9}\n", "'\\xe9\\t\\xe9\\\\xa\\'"),
        ] {
            assert_eq!(atom(name), text);
        }
    }

    #[test]
    fn strings_escape_quotes_control_characters_and_lone_surrogates() {
        let units = [0x22, 0x41, 0x5c, 0xa, 0xd83d, 0xde00, 0xd800];
        let text = JavaString(units.into());
        assert_eq!(string(&text), "\"\\\"A\\\\\\xa\\\\x1f600\\\\x10d800\\\"");
    }

    #[test]
    fn floats_have_a_point() {
        for (value, text) in [
            (1.5, "1.5"),
            (-0.0, "-0.0"),
            (1e300, "1.0e300"),
            (5e-324, "5.0e-324"),
            (1.25e-7, "1.25e-7"),
            (f64::NAN, "1.5NaN"),
            (f64::INFINITY, "1.0Inf"),
            (f64::NEG_INFINITY, "-1.0Inf"),
        ] {
            assert_eq!(float(value), text);
        }
    }

    #[test]
    fn operands_have_brackets_where_needed() {
        let [x, table] = [Term::variable("X"), Term::atom("table")];
        for (term, text) in [
            (Term::compound("-", [x.clone()]), "-X"),
            (Term::compound("-", [Term::Integer(1)]), "-(1)"),
            (Term::infix(x.clone(), "-", Term::Integer(-1)), "X - -1"),
            (Term::infix(Term::atom("C"), ":", table), "'C':(table)"),
            (Term::infix(Term::atom("C"), ":", Term::atom("rem")), "'C':rem"),
        ] {
            assert_eq!(term.to_string(), text);
        }
    }

    #[test]
    fn a_variable_that_occurs_once_gets_an_underscore() {
        let clause = Clause {
            head: Term::compound("p", [Term::variable("X"), Term::variable("Y"), Term::Any]),
            guards: vec![Term::infix(Term::variable("X"), "#<", Term::Integer(-1))],
            body: vec![],
        };
        assert_eq!(clause.to_string(), "p(X, _Y, _) :-\n    X #< -1 |\n    true.");
    }
}
