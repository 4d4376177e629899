//! The sizes of objects and arrays as parameters: S_prim and S_ref of the paper, and headers.

use std::sync::Arc;

use petrel_program::Class;

use crate::array::{ArrayCost, align_up};

/// Bytes of a field or element in the paper, whatever its type.
const PAPER_SLOT: i64 = 4;

/// The largest alignment.
const GREATEST_ALIGNMENT: i64 = 4096;

/// The primitive types with the letters of their descriptors.
pub(crate) const PRIMITIVES: [(&str, u8); 8] = [
    ("boolean", b'Z'),
    ("byte", b'B'),
    ("char", b'C'),
    ("short", b'S'),
    ("int", b'I'),
    ("long", b'J'),
    ("float", b'F'),
    ("double", b'D'),
];

/// What takes how many bytes. Without anything said, it is as in the paper: 4 bytes for each field, inherited ones included, and
/// for each element; no headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// Of a primitive whose type has no size of its own.
    primitive: i64,
    /// Of the primitive types, in their order.
    of_types: [Option<i64>; 8],
    reference: i64,
    /// Beside the fields of an object.
    object: i64,
    /// Beside the elements of an array.
    array: i64,
    /// What the size of an object or array is rounded up to.
    alignment: i64,
}

impl Default for Sizes {
    fn default() -> Self {
        Sizes {
            primitive: PAPER_SLOT,
            of_types: [None; 8],
            reference: PAPER_SLOT,
            object: 0,
            array: 0,
            alignment: 1,
        }
    }
}

impl Sizes {
    /// What can be set, for messages.
    pub(crate) const KEYS: &'static str =
        "prim, ref, object, array, align, and the primitive types";

    /// Sets a size. An error says what is wrong with it.
    pub(crate) fn set(&mut self, key: &str, size: i64) -> Result<(), String> {
        match key {
            "prim" => self.primitive = size,
            "ref" => self.reference = size,
            "object" => self.object = size,
            "array" => self.array = size,
            "align" if !(1..=GREATEST_ALIGNMENT).contains(&size) => {
                return Err(format!("an alignment is a number from 1 to {GREATEST_ALIGNMENT}"));
            }
            "align" => self.alignment = size,
            other => match PRIMITIVES.iter().position(|(name, _)| *name == other) {
                Some(position) => self.of_types[position] = Some(size),
                None => {
                    return Err(format!("`{other}` has no size; there are {}", Sizes::KEYS));
                }
            },
        }
        Ok(())
    }

    /// Of a new instance of a class.
    pub(crate) fn of_object(&self, class: &Arc<Class>) -> i64 {
        let fields = class.lineage().flat_map(|class| class.fields());
        let sizes =
            fields.filter(|field| !field.is_static()).map(|field| self.of_slot(field.descriptor()));
        align_up(sizes.fold(self.object, i64::saturating_add), self.alignment)
    }

    /// Of a new array, by the constant name of its class such as `[I`.
    pub(crate) fn of_array(&self, class: &str) -> ArrayCost {
        let element = class.strip_prefix('[').unwrap_or(class);
        ArrayCost {
            base: self.array,
            per_element: self.of_slot(element),
            alignment: self.alignment,
        }
    }

    /// Of a field or element of the type with this descriptor.
    fn of_slot(&self, descriptor: &str) -> i64 {
        let letter = descriptor.as_bytes().first();
        match PRIMITIVES.iter().position(|(_, of)| Some(of) == letter) {
            Some(position) => self.of_types[position].unwrap_or(self.primitive),
            None => self.reference,
        }
    }
}
