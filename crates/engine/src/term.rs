//! Terms: values that depend on unknown inputs.

use petrel_clp::{Kind, Operation};

use crate::value::Value;

/// A term over unknown inputs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Term {
    /// An unknown input, by its name.
    Unknown(Box<str>),
    /// An operation of which at least one operand is unknown.
    Apply(Operation, [Value; 2]),
}

/// Terms that are nested deeper are cut in messages.
const READABLE_DEPTH: u32 = 6;

/// The terms of a derivation.
#[derive(Debug, Default)]
pub(crate) struct Terms {
    terms: Vec<Term>,
}

impl Terms {
    pub(crate) fn add(&mut self, term: Term) -> Value {
        self.terms.push(term);
        Value::symbolic(self.terms.len() as u32 - 1)
    }

    /// A value as text in the notation of the rules.
    pub(crate) fn text(&self, value: Value, kind: Kind) -> String {
        self.text_within(value, kind, READABLE_DEPTH)
    }

    fn text_within(&self, value: Value, kind: Kind, depth: u32) -> String {
        let term = if value.is_symbolic() { self.terms.get(value.bits as usize) } else { None };
        match term {
            None => number(value, kind),
            Some(Term::Unknown(name)) => name.to_string(),
            Some(Term::Apply(..)) if depth == 0 => "...".to_owned(),
            Some(Term::Apply(operation, operands)) => {
                let (kinds, _) = operation.signature();
                let texts: Vec<String> = operands
                    .iter()
                    .zip(kinds)
                    .map(|(&operand, kind)| self.text_within(operand, kind, depth - 1))
                    .collect();
                match (petrel_clp::infix_symbol(*operation), texts.as_slice()) {
                    (Some(symbol), [left, right]) => format!("({left} {symbol} {right})"),
                    _ => format!("{}({})", function_name(*operation), texts.join(", ")),
                }
            }
        }
    }
}

/// The name of an operation that is not written between its operands.
fn function_name(operation: Operation) -> &'static str {
    match operation {
        Operation::Convert(conversion) => conversion.mnemonic(),
        Operation::ExclusiveOr(_) => "xor",
        Operation::Compare(..) => "compare",
        _ => "-",
    }
}

fn number(value: Value, kind: Kind) -> String {
    match kind {
        Kind::Int => value.as_int().to_string(),
        Kind::Long => value.as_long().to_string(),
        Kind::Float => value.as_float().to_string(),
        Kind::Double => value.as_double().to_string(),
        Kind::Reference | Kind::Exit => format!("{:?}", value.as_reference()),
    }
}
