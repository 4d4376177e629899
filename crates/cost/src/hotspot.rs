//! How many bytes objects take on 64-bit HotSpot with compressed references and class pointers, which
//! is what it uses unless the heap is huge or options say otherwise.
//!
//! An object is a header of 12 bytes and its fields, rounded up to 8 bytes. Where the fields go is not
//! specified; two algorithms are known here, that of JDK 15 and later and that of the releases before.
//! Some classes of the JDK have fields that no class file shows, or keep fields apart so that threads
//! do not disturb each other (`hidden`).

mod best_fit;
mod hidden;
mod in_order;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use petrel_program::Class;

use crate::array::{ArrayCost, align_up};

/// Bytes before the first field.
const HEADER: i64 = 12;
/// Bytes before the first element of an array.
const ARRAY_HEADER: i64 = 16;
/// Bytes of a compressed reference.
const REFERENCE: i64 = 4;
/// All sizes are multiples of this.
const OBJECT_ALIGNMENT: i64 = 8;
/// Bytes around fields that are kept apart.
const PADDING: i64 = 128;
/// The first JDK that fills the gaps of superclasses.
const BEST_FIT_SINCE: u16 = 15;

/// The bytes of an instance of a class on 64-bit HotSpot of this feature version.
pub fn instance_size(class: &Arc<Class>, feature_version: u16) -> i64 {
    let mut levels: Vec<Level> =
        class.lineage().map(|class| Level::of(class, feature_version)).collect();
    levels.reverse();
    size_of(&levels, feature_version)
}

/// What an array costs, by the constant name of its class such as `[I`.
pub(crate) fn array_cost(class: &str) -> ArrayCost {
    let element = class.strip_prefix('[').unwrap_or(class);
    ArrayCost {
        base: ARRAY_HEADER,
        per_element: Field::of_descriptor(element).size,
        alignment: OBJECT_ALIGNMENT,
    }
}

/// Bytes of an object with these fields, those of the topmost class first.
fn size_of(levels: &[Level], feature_version: u16) -> i64 {
    let end = if feature_version >= BEST_FIT_SINCE {
        best_fit::end(levels)
    } else {
        in_order::end(levels)
    };
    align_up(end, OBJECT_ALIGNMENT)
}

/// What one class of a hierarchy adds to its instances.
#[derive(Debug, Clone, Default)]
struct Level {
    /// In the order of the class file.
    fields: Vec<Field>,
    /// Whether the class keeps all its fields apart from others.
    is_contended: bool,
    /// Whether old releases lay it out in a way of its own, see `in_order`.
    has_references_first: bool,
}

impl Level {
    fn of(class: &Arc<Class>, feature_version: u16) -> Level {
        let name = class.name();
        let declared = class.fields().filter(|field| !field.is_static()).map(|field| Field {
            group: hidden::group(name, field.name(), feature_version),
            ..Field::of_descriptor(field.descriptor())
        });
        let injected = hidden::injected_fields(name, feature_version).map(Field::of_descriptor);
        Level {
            fields: declared.chain(injected).collect(),
            is_contended: hidden::is_contended(name, feature_version),
            has_references_first: in_order::has_references_first(name),
        }
    }

    /// Whether something in it is kept apart.
    fn has_padding(&self) -> bool {
        self.is_contended || self.fields.iter().any(|field| field.group != Group::Regular)
    }

    fn regular_fields(&self) -> impl Iterator<Item = Field> {
        self.fields.iter().copied().filter(|field| field.group == Group::Regular)
    }

    /// The fields that are kept apart, in groups that stay together.
    fn contended_groups(&self) -> Vec<Vec<Field>> {
        let mut groups: Vec<Vec<Field>> = Vec::new();
        for &field in &self.fields {
            match field.group {
                Group::Regular => {}
                Group::Alone => groups.push(vec![field]),
                Group::Named(_) => {
                    let own = groups.iter_mut().find(|group| group[0].group == field.group);
                    match own {
                        Some(group) => group.push(field),
                        None => groups.push(vec![field]),
                    }
                }
            }
        }
        groups
    }
}

/// Which fields a field is kept with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Group {
    /// With all the others.
    Regular,
    /// With none.
    Alone,
    /// With those of the same group.
    Named(&'static str),
}

/// An instance field. Its alignment is its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Field {
    size: i64,
    is_reference: bool,
    group: Group,
}

impl Field {
    fn of_descriptor(descriptor: &str) -> Field {
        let size = match descriptor.as_bytes().first() {
            Some(b'Z' | b'B') => 1,
            Some(b'C' | b'S') => 2,
            Some(b'I' | b'F') => 4,
            Some(b'J' | b'D') => 8,
            _ => return Field { size: REFERENCE, is_reference: true, group: Group::Regular },
        };
        Field { size, is_reference: false, group: Group::Regular }
    }
}
