//! What new objects and arrays cost.

use std::sync::Arc;

use petrel_classfile::JavaType;
use petrel_program::{Class, external_type};

use crate::array::ArrayCost;
use crate::hotspot;
use crate::sizes::{PRIMITIVES, Sizes};

/// What new objects and arrays cost.
#[derive(Debug, Clone)]
pub(crate) enum Allocations {
    /// Nothing.
    Free,
    /// The paper's model, with sizes of primitives, references and headers.
    Sized(Sizes),
    /// What 64-bit HotSpot allocates, with compressed references and class pointers.
    HotSpot,
    /// What a file says.
    Listed(AllocationTable),
}

impl Allocations {
    /// Of a new instance of a class.
    pub(crate) fn of_object(&self, class: &Arc<Class>, feature_version: u16) -> i64 {
        match self {
            Allocations::Free => 0,
            Allocations::Sized(sizes) => sizes.of_object(class),
            Allocations::HotSpot => hotspot::instance_size(class, feature_version),
            Allocations::Listed(table) => {
                match (table.of(&class.name().replace('/', ".")), table.rest) {
                    (Some(cost), _) => cost.base,
                    (None, Some(sizes)) => sizes.of_object(class),
                    (None, None) => table.default.unwrap_or_default(),
                }
            }
        }
    }

    /// The classes that are named, with and without packages; beginnings of names are left out.
    pub(crate) fn class_names(&self) -> impl Iterator<Item = &str> {
        let entries = match self {
            Allocations::Listed(table) => &*table.entries,
            _ => &[],
        };
        let exact = entries.iter().filter(|(pattern, _)| !pattern.is_prefix);
        let elements = exact.map(|(pattern, _)| pattern.text.trim_end_matches("[]"));
        elements.filter(|name| !is_primitive(name))
    }

    /// Of a new array, by the constant name of its class such as `[I`; `None` if it costs nothing.
    pub(crate) fn of_array(&self, class: &str) -> Option<ArrayCost> {
        let cost = match self {
            Allocations::Free => return None,
            Allocations::Sized(sizes) => sizes.of_array(class),
            Allocations::HotSpot => hotspot::array_cost(class),
            Allocations::Listed(table) => {
                let java_type = JavaType::of_class_constant(class).ok()?;
                match (table.of(&external_type(&java_type)), table.rest) {
                    (Some(AllocationCost { base, element }), _) => {
                        ArrayCost { base, per_element: element, alignment: 1 }
                    }
                    (None, Some(sizes)) => sizes.of_array(class),
                    (None, None) => ArrayCost {
                        base: table.default.unwrap_or_default(),
                        per_element: 0,
                        alignment: 1,
                    },
                }
            }
        };
        (cost.base != 0 || cost.per_element != 0).then_some(cost)
    }
}

/// What a file says about the allocation of a type.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct AllocationCost {
    pub(crate) base: i64,
    /// For each element of an array.
    pub(crate) element: i64,
}

/// What a file says about allocations.
#[derive(Debug, Clone, Default)]
pub(crate) struct AllocationTable {
    /// Of what no entry names.
    pub(crate) default: Option<i64>,
    /// The same, as sizes.
    pub(crate) rest: Option<Sizes>,
    pub(crate) entries: Vec<(TypePattern, AllocationCost)>,
}

impl AllocationTable {
    /// Of the type with this name in Java's notation, if an entry means it. The most specific one decides.
    fn of(&self, name: &str) -> Option<AllocationCost> {
        let matching = self.entries.iter().filter_map(|(pattern, cost)| {
            pattern.precision(name).map(|precision| (precision, cost))
        });
        matching.max_by_key(|(precision, _)| *precision).map(|(_, cost)| *cost)
    }
}

/// A type, or several: `pkg.Vector`, `Vector` in any package, `pkg.*`, `int[]`, `pkg.*[]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TypePattern {
    /// Of the class, or of the component type if arrays are meant.
    pub(crate) text: Box<str>,
    /// Whether more may follow the text.
    pub(crate) is_prefix: bool,
    pub(crate) is_array: bool,
}

impl TypePattern {
    /// `None` if the text is not the name of a type that can be allocated.
    pub(crate) fn parse(key: &str) -> Option<TypePattern> {
        let (text, is_array) = match key.strip_suffix("[]") {
            Some(component) => (component, true),
            None => (key, false),
        };
        let (text, is_prefix) = match text.strip_suffix('*') {
            Some(prefix) => (prefix, true),
            None => (text, false),
        };
        let element = text.trim_end_matches("[]");
        let parts_of_name = element.split('.').filter(|part| !part.is_empty());
        let is_name = element.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '$'))
            && parts_of_name.count() + usize::from(is_prefix) > element.matches('.').count();
        let is_allocated = is_array || !is_primitive(text);
        (is_name && is_allocated).then(|| TypePattern { text: text.into(), is_prefix, is_array })
    }

    /// How precisely it means the type with this name; `None` if it means others. A name in full is
    /// better than one without the package, which is better than any beginning.
    fn precision(&self, name: &str) -> Option<usize> {
        let component = name.strip_suffix("[]");
        if component.is_some() != self.is_array {
            return None;
        }
        let name = component.unwrap_or(name);
        if self.is_prefix {
            return name.starts_with(&*self.text).then_some(self.text.len());
        }
        if *name == *self.text {
            return Some(usize::MAX);
        }
        let (_, simple) = name.rsplit_once('.')?;
        (*simple == *self.text).then_some(usize::MAX - 1)
    }
}

/// Whether a name is that of a type of which there are arrays alone.
fn is_primitive(name: &str) -> bool {
    PRIMITIVES.iter().any(|(primitive, _)| *primitive == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(entries: &[&str], name: &str) -> Option<usize> {
        let entries = entries.iter().zip(1..).map(|(key, base)| {
            (TypePattern::parse(key).unwrap(), AllocationCost { base, element: 0 })
        });
        let table = AllocationTable { entries: entries.collect(), ..AllocationTable::default() };
        usize::try_from(table.of(name)?.base).unwrap().checked_sub(1)
    }

    #[test]
    fn the_most_specific_entry_decides() {
        let entries = ["*", "a.*", "a.b.*", "Vector", "a.b.Vector"];
        assert_eq!(cost(&entries, "a.b.Vector"), Some(4));
        assert_eq!(cost(&entries, "a.Vector"), Some(3));
        assert_eq!(cost(&entries, "Vector"), Some(3));
        assert_eq!(cost(&entries, "a.b.c.Other"), Some(2));
        assert_eq!(cost(&entries, "a.Other"), Some(1));
        assert_eq!(cost(&entries, "Other"), Some(0));
    }

    #[test]
    fn only_names_of_types_that_can_be_allocated_are_patterns() {
        for key in ["a.B", "B", "a.*", "*", "*[]", "int[]", "a.B[][]", "a.Outer$Inner", "a.B*"] {
            assert!(TypePattern::parse(key).is_some(), "{key}");
        }
        for key in ["", ".", "a.", ".a", "a..b", "int", "a/B", "a.*.b", "[I", "[]", "a b"] {
            assert!(TypePattern::parse(key).is_none(), "{key}");
        }
    }

    #[test]
    fn arrays_and_classes_are_told_apart() {
        let entries = ["a.*", "a.*[]", "int[]", "*[]", "int[][]"];
        assert_eq!(cost(&entries, "a.B"), Some(0));
        assert_eq!(cost(&entries, "a.B[]"), Some(1));
        assert_eq!(cost(&entries, "a.B[][]"), Some(1));
        assert_eq!(cost(&entries, "int[]"), Some(2));
        assert_eq!(cost(&entries, "int[][]"), Some(4));
        assert_eq!(cost(&entries, "long[]"), Some(3));
        assert_eq!(cost(&entries, "long[][]"), Some(3));
        assert_eq!(cost(&entries, "b.C"), None);
    }
}
