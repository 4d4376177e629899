//! Values during a derivation.
//!
//! A value is a word of bits with a tag. The kind (int, long, reference and so on) is not in it: the
//! rules know the kind of each variable, so that decided code tests one tag and no more. The tag
//! says whether the bits are all that there is to know.

use std::fmt;

/// A reference to an object on the heap; zero is null.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Reference(pub(crate) u32);

impl Reference {
    /// Null.
    pub const NULL: Reference = Reference(0);

    /// Whether it is null.
    pub fn is_null(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_null() { f.write_str("null") } else { write!(f, "o{}", self.0) }
    }
}

/// What the bits of a value are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Tag {
    /// The value.
    Known = 0,
    /// The value here, which the JVM does not fix: another run may have another.
    Unstable = 1,
    /// A term over unknown inputs, by its number; or an object of the initial heap, by its own.
    Symbolic = 2,
}

/// Beside the number of an object of the initial heap.
const INPUT: u64 = 1 << 32;

/// A value: an `int` (also for `boolean`, `byte`, `short` and `char`), a `long`, a `float`, a
/// `double` or a reference.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Value {
    pub(crate) bits: u64,
    pub(crate) tag: Tag,
}

impl Default for Value {
    fn default() -> Self {
        Value::NULL
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}({:#x})", self.tag, self.bits)
    }
}

impl Value {
    /// Null. All default values have the same bits.
    pub const NULL: Value = Value::known(0);

    pub(crate) const fn known(bits: u64) -> Value {
        Value { bits, tag: Tag::Known }
    }

    pub(crate) const fn symbolic(term: u32) -> Value {
        Value { bits: term as u64, tag: Tag::Symbolic }
    }

    /// An object of the initial heap, by its number.
    pub(crate) const fn input(number: u32) -> Value {
        Value { bits: INPUT | number as u64, tag: Tag::Symbolic }
    }

    /// The number of an object of the initial heap, if it is known which one it is.
    pub(crate) const fn as_input(self) -> Option<u32> {
        if self.is_symbolic() && self.bits & INPUT != 0 { Some(self.bits as u32) } else { None }
    }

    /// An `int`, or what is one on the JVM's stack.
    pub const fn int(value: i32) -> Value {
        Value::known(value as u32 as u64)
    }

    /// A `long`.
    pub const fn long(value: i64) -> Value {
        Value::known(value as u64)
    }

    /// A `float`.
    pub const fn float(value: f32) -> Value {
        Value::known(value.to_bits() as u64)
    }

    /// A `double`.
    pub const fn double(value: f64) -> Value {
        Value::known(value.to_bits())
    }

    /// A reference.
    pub const fn reference(reference: Reference) -> Value {
        Value::known(reference.0 as u64)
    }

    /// A `boolean`.
    pub const fn boolean(value: bool) -> Value {
        Value::int(value as i32)
    }

    /// As an `int`.
    pub const fn as_int(self) -> i32 {
        self.bits as i32
    }

    /// As a `long`.
    pub const fn as_long(self) -> i64 {
        self.bits as i64
    }

    /// As a `float`.
    pub const fn as_float(self) -> f32 {
        f32::from_bits(self.bits as u32)
    }

    /// As a `double`.
    pub const fn as_double(self) -> f64 {
        f64::from_bits(self.bits)
    }

    /// As a reference.
    pub const fn as_reference(self) -> Reference {
        Reference(self.bits as u32)
    }

    pub(crate) const fn is_known(self) -> bool {
        matches!(self.tag, Tag::Known)
    }

    /// Whether it is a term over unknown inputs.
    pub const fn is_symbolic(self) -> bool {
        matches!(self.tag, Tag::Symbolic)
    }

    /// Whether the JVM does not fix it.
    pub const fn is_unstable(self) -> bool {
        matches!(self.tag, Tag::Unstable)
    }

    /// The same, but marked as something that the JVM does not fix if `unstable`.
    pub(crate) fn marked(self, unstable: bool) -> Value {
        if unstable && self.is_known() { Value { tag: Tag::Unstable, ..self } } else { self }
    }
}
