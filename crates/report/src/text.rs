//! Texts of answers: borrowed or shown when they are written, owned when they are read.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A text. What it is made of is put together only where it is written, so that nothing is copied on the way.
#[derive(Clone)]
pub struct Text<'a>(Form<'a>);

#[derive(Clone)]
enum Form<'a> {
    Plain(Cow<'a, str>),
    Shown(&'a dyn fmt::Display),
    Class(&'a str),
    Member(&'a str, &'a str),
    Method(&'a str, &'a str),
    Object(u32),
    Number(i64),
}

impl<'a> Text<'a> {
    /// What something shows itself as.
    pub fn shown(shown: &'a dyn fmt::Display) -> Text<'a> {
        Text(Form::Shown(shown))
    }

    /// `pkg.Class` for `pkg/Class`.
    pub(crate) fn class(internal_name: &'a str) -> Text<'a> {
        Text(Form::Class(internal_name))
    }

    /// `pkg.Class.field` for a field of `pkg/Class`.
    pub(crate) fn member(internal_name: &'a str, member: &'a str) -> Text<'a> {
        Text(Form::Member(internal_name, member))
    }

    /// A name with its descriptor.
    pub(crate) fn method(name: &'a str, descriptor: &'a str) -> Text<'a> {
        Text(Form::Method(name, descriptor))
    }

    /// `o1`.
    pub(crate) fn object(number: u32) -> Text<'a> {
        Text(Form::Object(number))
    }

    /// A number that readers of JSON would round.
    pub(crate) fn number(number: i64) -> Text<'a> {
        Text(Form::Number(number))
    }

    /// The text itself.
    pub(crate) fn into_text(self) -> Cow<'a, str> {
        match self.0 {
            Form::Plain(text) => text,
            _ => Cow::Owned(self.to_string()),
        }
    }
}

impl Default for Text<'_> {
    fn default() -> Self {
        Text(Form::Plain(Cow::Borrowed("")))
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Text(Form::Plain(Cow::Borrowed(text)))
    }
}

impl<'a> From<Cow<'a, str>> for Text<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Text(Form::Plain(text))
    }
}

impl From<String> for Text<'_> {
    fn from(text: String) -> Self {
        Text(Form::Plain(Cow::Owned(text)))
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Form::Plain(text) => f.write_str(text),
            Form::Shown(shown) => shown.fmt(f),
            Form::Class(name) => with_dots(name, f),
            Form::Member(class, member) => {
                with_dots(class, f)?;
                f.write_str(".")?;
                f.write_str(member)
            }
            Form::Method(name, descriptor) => {
                f.write_str(name)?;
                f.write_str(descriptor)
            }
            Form::Object(number) => write!(f, "o{number}"),
            Form::Number(number) => number.fmt(f),
        }
    }
}

fn with_dots(internal_name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (number, part) in internal_name.split('/').enumerate() {
        if number > 0 {
            f.write_str(".")?;
        }
        f.write_str(part)?;
    }
    Ok(())
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_string())
    }
}

impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Form::Plain(one), Form::Plain(other)) => one == other,
            _ => self.to_string() == other.to_string(),
        }
    }
}

impl Eq for Text<'_> {}

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Form::Plain(text) => serializer.serialize_str(text),
            _ => serializer.collect_str(self),
        }
    }
}

impl<'de> Deserialize<'de> for Text<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Text::from)
    }
}

impl JsonSchema for Text<'_> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Text".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }
}
