//! Assumptions as text, and back: `acyclic(x.next)`, `non-sharing(x, y)`.

use std::fmt;
use std::str::FromStr;

use super::{AccessPath, Assumption, AssumptionError};

/// The kinds of assumptions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    NonAliasing,
    Different,
    NonSharing,
    Acyclic,
    NonNull,
    Valid,
}

impl Form {
    const ALL: [Form; 6] = [
        Form::NonAliasing,
        Form::Different,
        Form::NonSharing,
        Form::Acyclic,
        Form::NonNull,
        Form::Valid,
    ];

    fn name(self) -> &'static str {
        match self {
            Form::NonAliasing => "non-aliasing",
            Form::Different => "different",
            Form::NonSharing => "non-sharing",
            Form::Acyclic => "acyclic",
            Form::NonNull => "non-null",
            Form::Valid => "valid",
        }
    }

    /// How it is written.
    fn usage(self) -> &'static str {
        match self {
            Form::NonAliasing => "non-aliasing(x, y)",
            Form::Different => "different(x, y)",
            Form::NonSharing => "non-sharing(x, y)",
            Form::Acyclic => "acyclic(x) or acyclic(x, field)",
            Form::NonNull => "non-null(x)",
            Form::Valid => "valid(x) or valid(x, method)",
        }
    }
}

impl fmt::Display for AccessPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.root)?;
        self.fields.iter().try_for_each(|field| write!(f, ".{field}"))
    }
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (form, path, second): (_, _, Option<&dyn fmt::Display>) = match self {
            Assumption::NonAliasing(one, other) => (Form::NonAliasing, one, Some(other)),
            Assumption::Different(one, other) => (Form::Different, one, Some(other)),
            Assumption::NonSharing(one, other) => (Form::NonSharing, one, Some(other)),
            Assumption::Acyclic(path, field) => {
                (Form::Acyclic, path, field.as_ref().map(|field| field as _))
            }
            Assumption::NonNull(path) => (Form::NonNull, path, None),
            Assumption::Valid(path, method) => {
                (Form::Valid, path, method.as_ref().map(|method| method as _))
            }
        };
        write!(f, "{}({path}", form.name())?;
        if let Some(second) = second {
            write!(f, ", {second}")?;
        }
        f.write_str(")")
    }
}

impl FromStr for AccessPath {
    type Err = AssumptionError;

    fn from_str(text: &str) -> Result<AccessPath, AssumptionError> {
        let mut reader = Reader { text, at: 0 };
        let path = reader.path()?;
        reader.end()?;
        Ok(path)
    }
}

impl FromStr for Assumption {
    type Err = AssumptionError;

    fn from_str(text: &str) -> Result<Assumption, AssumptionError> {
        let mut reader = Reader { text, at: 0 };
        let form = reader.form()?;
        reader.arguments(form).map_err(|mut error| {
            error.problem += &format!("; it is written {}", form.usage());
            error
        })
    }
}

struct Reader<'a> {
    text: &'a str,
    /// In bytes.
    at: usize,
}

impl<'a> Reader<'a> {
    fn form(&mut self) -> Result<Form, AssumptionError> {
        let start = self.next_token();
        let word = self.word(|c| is_part_of_name(c) || c == '-');
        let form = Form::ALL.into_iter().find(|form| form.name() == word);
        form.ok_or_else(|| {
            let unknown = if word.is_empty() {
                "an assumption is expected".to_owned()
            } else {
                format!("there is no assumption `{word}`")
            };
            let all = Form::ALL.map(Form::usage).join(", ");
            self.error(start, format!("{unknown}; there are {all}"))
        })
    }

    fn arguments(&mut self, form: Form) -> Result<Assumption, AssumptionError> {
        self.expect('(')?;
        let path = self.path()?;
        let assumption = match form {
            Form::NonAliasing => {
                self.expect(',')?;
                Assumption::NonAliasing(path, self.path()?)
            }
            Form::Different => {
                self.expect(',')?;
                Assumption::Different(path, self.path()?)
            }
            Form::NonSharing => {
                self.expect(',')?;
                Assumption::NonSharing(path, self.path()?)
            }
            Form::Acyclic => Assumption::Acyclic(path, self.option("the name of a field")?),
            Form::NonNull => Assumption::NonNull(path),
            Form::Valid => Assumption::Valid(path, self.option("the name of a method")?),
        };
        self.expect(')')?;
        self.end()?;
        Ok(assumption)
    }

    fn path(&mut self) -> Result<AccessPath, AssumptionError> {
        let root = self.name("a parameter or `this`")?;
        let mut fields = Vec::new();
        while self.accept('.') {
            fields.push(self.name("the name of a field")?);
        }
        Ok(AccessPath { root, fields })
    }

    /// A comma with a name behind it, if there is one.
    fn option(&mut self, what: &str) -> Result<Option<String>, AssumptionError> {
        if self.accept(',') { self.name(what).map(Some) } else { Ok(None) }
    }

    fn name(&mut self, what: &str) -> Result<String, AssumptionError> {
        let start = self.next_token();
        if self.text[start..].starts_with(|c: char| c.is_numeric()) {
            return Err(self.expected(what));
        }
        match self.word(is_part_of_name) {
            "" => Err(self.expected(what)),
            name => Ok(name.to_owned()),
        }
    }

    fn expect(&mut self, symbol: char) -> Result<(), AssumptionError> {
        if self.accept(symbol) { Ok(()) } else { Err(self.expected(&format!("`{symbol}`"))) }
    }

    fn accept(&mut self, symbol: char) -> bool {
        let start = self.next_token();
        let found = self.text[start..].starts_with(symbol);
        if found {
            self.at += symbol.len_utf8();
        }
        found
    }

    fn end(&mut self) -> Result<(), AssumptionError> {
        let start = self.next_token();
        if start == self.text.len() { Ok(()) } else { Err(self.expected("the end")) }
    }

    /// Skips spaces; where the next token starts.
    fn next_token(&mut self) -> usize {
        self.word(char::is_whitespace);
        self.at
    }

    /// The characters from here on that are such.
    fn word(&mut self, is_such: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let length = rest.find(|c| !is_such(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn expected(&self, what: &str) -> AssumptionError {
        let found = match self.text[self.at..].chars().next() {
            Some(found) => format!("`{}` is there", found.escape_debug()),
            None => "the text ends".to_owned(),
        };
        self.error(self.at, format!("{what} is expected, but {found}"))
    }

    fn error(&self, at: usize, problem: String) -> AssumptionError {
        AssumptionError { position: self.text[..at].chars().count() + 1, problem }
    }
}

/// Whether a name can have it. Names of Java programs are made of letters, digits, `_` and `$`.
fn is_part_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}
