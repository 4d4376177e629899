//! Decisions as text: numbers, with `+` behind those that had others beside them.

use std::borrow::Cow;
use std::fmt;

use petrel_testcase::Decision;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What a derivation decided, in its order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decisions(pub Vec<Decision>);

impl fmt::Display for Decisions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, Decision { alternative, is_choice }) in self.0.iter().enumerate() {
            let space = if number > 0 { " " } else { "" };
            let sign = if *is_choice { "+" } else { "" };
            write!(f, "{space}{alternative}{sign}")?;
        }
        Ok(())
    }
}

impl Serialize for Decisions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Decisions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let decision = |text: &str| {
            let number = text.strip_suffix('+');
            let alternative = number.unwrap_or(text).parse().map_err(|_| {
                Error::custom(format!("{text:?} is no decision: a number, or a number and `+`"))
            })?;
            Ok(Decision { alternative, is_choice: number.is_some() })
        };
        let parts = (!text.is_empty()).then(|| text.split(' ')).into_iter().flatten();
        parts.map(decision).collect::<Result<_, _>>().map(Decisions)
    }
}

impl JsonSchema for Decisions {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Decisions".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^([0-9]+\\+?( [0-9]+\\+?)*)?$" })
    }
}
