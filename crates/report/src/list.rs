//! What `list` answers: the bytecode of methods.

use std::io;

use petrel_program::ResolvedMethod;
use petrel_program::listing::Listing;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::SCHEMA;
use crate::layout::pretty;
use crate::text::Text;

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "petrel list --json")]
pub struct ListAnswer<'a> {
    /// The version of the format.
    pub schema: u32,
    /// The methods.
    pub methods: Vec<ListedMethod<'a>>,
}

/// A method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ListedMethod<'a> {
    /// The method: `pkg.Class#method(descriptor)`.
    pub method: Text<'a>,
    /// Its instructions: offset, mnemonic and operands.
    pub instructions: Vec<Text<'a>>,
    /// `line N: offset`.
    pub lines: Vec<Text<'a>>,
    /// `start end target type`.
    pub handlers: Vec<Text<'a>>,
}

impl<'a> ListedMethod<'a> {
    /// The listing of a method.
    pub fn new(method: &ResolvedMethod, listing: Listing) -> ListedMethod<'a> {
        let texts = |texts: Vec<String>| texts.into_iter().map(Text::from).collect();
        let class = method.class().name().replace('/', ".");
        ListedMethod {
            method: format!("{class}#{}{}", method.name(), method.descriptor()).into(),
            instructions: texts(listing.instructions),
            lines: texts(listing.lines),
            handlers: texts(listing.handlers),
        }
    }
}

impl<'a> ListAnswer<'a> {
    /// The answer for methods.
    pub fn new(methods: Vec<ListedMethod<'a>>) -> ListAnswer<'a> {
        ListAnswer { schema: SCHEMA, methods }
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
