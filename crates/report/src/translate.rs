//! What `translate` answers: for each rule which instructions and lines it stands for, and the text of all.

use std::io;

use petrel_clp::{Procedure, print};
use petrel_translate::reach::Reached;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::SCHEMA;
use crate::layout::pretty;
use crate::text::Text;

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "petrel translate --json")]
pub struct TranslateAnswer<'a> {
    /// The version of the format.
    pub schema: u32,
    /// What was asked for.
    pub targets: Vec<Text<'a>>,
    /// The procedures, the targets first.
    pub procedures: Vec<TranslatedMethod<'a>>,
    /// Methods outside of the class path that are called.
    pub outside: Vec<Text<'a>>,
    /// Methods that could not be translated, and why.
    pub failures: Vec<Text<'a>>,
}

/// A procedure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TranslatedMethod<'a> {
    /// The method: `pkg.Class#method(descriptor)`.
    pub method: Text<'a>,
    /// Its rules.
    pub rules: Vec<TranslatedRule<'a>>,
    /// Its text.
    pub text: Text<'a>,
}

/// A rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TranslatedRule<'a> {
    /// The predicate.
    pub predicate: Text<'a>,
    /// Its number in the predicate, from 1 on.
    pub rule: usize,
    /// Its instructions: offset and mnemonic.
    pub instructions: Vec<Text<'a>>,
    /// Its source lines.
    pub lines: Vec<u16>,
}

impl<'a> TranslateAnswer<'a> {
    /// The answer for what targets reach.
    pub fn of(targets: &'a [String], reached: &'a Reached) -> TranslateAnswer<'a> {
        TranslateAnswer {
            schema: SCHEMA,
            targets: targets.iter().map(|target| (&**target).into()).collect(),
            procedures: reached.procedures.iter().map(|it| TranslatedMethod::of(it)).collect(),
            outside: reached.outside.iter().map(|method| Text::shown(method)).collect(),
            failures: reached.failures.iter().map(|failure| Text::shown(failure)).collect(),
        }
    }

    /// Writes the document.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(&self, out: impl io::Write) -> io::Result<()> {
        pretty(self, out)
    }
}

impl<'a> TranslatedMethod<'a> {
    fn of(procedure: &'a Procedure) -> TranslatedMethod<'a> {
        let method = &procedure.method;
        let rules = procedure.predicates.iter().flat_map(|predicate| {
            predicate.rules.iter().enumerate().map(|(number, rule)| TranslatedRule {
                predicate: Text::shown(&predicate.name),
                rule: number + 1,
                instructions: rule
                    .instructions
                    .iter()
                    .map(|instruction| format!("{} {}", instruction.pc, instruction.opcode).into())
                    .collect(),
                lines: rule.lines(),
            })
        });
        let class = method.class.replace('/', ".");
        TranslatedMethod {
            method: format!("{class}#{}{}", method.name, method.descriptor).into(),
            rules: rules.collect(),
            text: print::procedure(procedure).into(),
        }
    }
}
