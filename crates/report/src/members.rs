//! Members of objects whose names are data, in the order in which they are told.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::text::Text;

/// Named members in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Members<'a, V>(pub Vec<(Text<'a>, V)>);

/// So many members are compared one by one; for more there is an index.
const FEW: usize = 16;

impl<'a, V> Members<'a, V> {
    /// Members whose names may come twice, as those of fields of a class and of its superclass do: the last value is
    /// kept, in the place of the first.
    pub(crate) fn distinct(members: impl ExactSizeIterator<Item = (Text<'a>, V)>) -> Self {
        if members.len() < 2 {
            return Members(members.collect());
        }
        let are_many = members.len() > FEW;
        let mut known: Vec<(Cow<'a, str>, V)> = Vec::with_capacity(members.len());
        let mut places: BTreeMap<Cow<'a, str>, usize> = BTreeMap::new();
        for (name, value) in members {
            let name = name.into_text();
            let place = if are_many {
                places.get(&name).copied()
            } else {
                known.iter().position(|(other, _)| *other == name)
            };
            match place {
                Some(place) => known[place].1 = value,
                None => {
                    if are_many {
                        places.insert(name.clone(), known.len());
                    }
                    known.push((name, value));
                }
            }
        }
        Members(known.into_iter().map(|(name, value)| (Text::from(name), value)).collect())
    }

    /// The value of a member.
    pub fn get(&self, name: &str) -> Option<&V> {
        let name = Text::from(name);
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<V> Default for Members<'_, V> {
    fn default() -> Self {
        Members(Vec::new())
    }
}

impl<'a, V> FromIterator<(Text<'a>, V)> for Members<'a, V> {
    fn from_iter<I: IntoIterator<Item = (Text<'a>, V)>>(members: I) -> Self {
        Members(members.into_iter().collect())
    }
}

impl<V: Serialize> Serialize for Members<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Members<'_, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder<V>(PhantomData<V>);
        impl<'de, V: Deserialize<'de>> Visitor<'de> for InOrder<V> {
            type Value = Vec<(Text<'static>, V)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(InOrder(PhantomData)).map(Members)
    }
}

impl<V: JsonSchema> JsonSchema for Members<'_, V> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("MembersOf{}", V::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<V>();
        json_schema!({ "type": "object", "additionalProperties": value })
    }
}
