//! Java's strings on the heap, and between there and here.
//!
//! The class library's own `String` decides what a string looks like inside: `char[]` until Java 8,
//! `byte[]` with a coder (0 for Latin-1, 1 for UTF-16) since then.

use rustc_hash::FxHashMap;

use crate::machine::heap::Body;
use crate::machine::types::TypeId;
use crate::machine::value::{Reference, Value};
use crate::machine::{Machine, Stop};

const STRING: &str = "java/lang/String";

/// What is known about strings.
#[derive(Debug, Default)]
pub(super) struct Strings {
    interned: FxHashMap<Box<[u16]>, Reference>,
    layout: Option<StringLayout>,
    builder: Option<BuilderLayout>,
}

#[derive(Debug, Clone, Copy)]
struct StringLayout {
    slots: usize,
    value: u16,
    /// `None` where strings hold a `char[]`.
    coder: Option<u16>,
}

/// Where a builder of strings keeps what.
#[derive(Debug, Clone, Copy)]
struct BuilderLayout {
    /// The two classes of builders.
    classes: [TypeId; 2],
    value: u16,
    count: u16,
    coder: Option<u16>,
}

const BUILDER: &str = "java/lang/AbstractStringBuilder";

impl Strings {
    /// A string is not interned any more.
    pub(super) fn forget(&mut self, units: &[u16]) {
        self.interned.remove(units);
    }

    /// The strings that have to be the same objects whenever they are asked for.
    #[allow(clippy::iter_over_hash_type, reason = "marking does not depend on the order")]
    pub(super) fn for_each_constant(&self, mut visit: impl FnMut(Reference)) {
        for &reference in self.interned.values() {
            visit(reference);
        }
    }
}

impl Machine<'_> {
    fn string_layout(&mut self) -> Result<StringLayout, Stop> {
        if let Some(layout) = self.strings.layout {
            return Ok(layout);
        }
        let value = self.slot_named(STRING, "value")?;
        let has_coder = self.has_field(STRING, "coder");
        let coder = if has_coder { Some(self.slot_named(STRING, "coder")?) } else { None };
        let slots = usize::from(self.layout(TypeId::STRING)?.slots);
        let layout = StringLayout { slots, value, coder };
        self.strings.layout = Some(layout);
        Ok(layout)
    }

    /// Looks at the fields of `String`: from then on strings can be read.
    pub(super) fn learn_string_layout(&mut self) -> Result<(), Stop> {
        self.string_layout()?;
        if self.strings.builder.is_none() {
            let has_coder = self.has_field(BUILDER, "coder");
            self.strings.builder = Some(BuilderLayout {
                classes: ["java/lang/StringBuilder", "java/lang/StringBuffer"]
                    .map(|name| self.types.of_name(name)),
                value: self.slot_named(BUILDER, "value")?,
                count: self.slot_named(BUILDER, "count")?,
                coder: if has_coder { Some(self.slot_named(BUILDER, "coder")?) } else { None },
            });
        }
        Ok(())
    }

    /// The units in a builder of strings; `None` if it is none, or if they are not known.
    pub(crate) fn builder_units(&self, builder: Reference) -> Option<Vec<u16>> {
        let layout = self.strings.builder?;
        let class = self.heap.class(builder);
        if !layout.classes.contains(&class) {
            return None;
        }
        let Body::Fields(fields) = &self.heap.object(builder).body else { return None };
        let known = |slot: u16| fields.get(usize::from(slot)).filter(|value| value.is_known());
        let count = known(layout.count)?.as_int().max(0) as usize;
        let value = known(layout.value)?.as_reference();
        let is_wide = match layout.coder {
            Some(coder) => known(coder)?.as_int() == 1,
            None => false,
        };
        if value.is_null() {
            return None;
        }
        match &self.heap.object(value).body {
            Body::Chars(chars) => chars.get(..count).map(<[u16]>::to_vec),
            Body::Bytes(bytes) => {
                let size = if is_wide { 2 * count } else { count };
                bytes.get(..size).map(|bytes| decoded(bytes, is_wide))
            }
            _ => None,
        }
    }

    /// A new string.
    pub(crate) fn new_string(&mut self, units: &[u16]) -> Result<Reference, Stop> {
        let layout = self.string_layout()?;
        let mut fields = vec![Value::NULL; layout.slots].into_boxed_slice();
        let is_latin = units.iter().all(|&unit| unit < 256);
        let value = match layout.coder {
            None => self.heap.add(TypeId::CHARS, Body::Chars(units.into())),
            Some(_) if is_latin => {
                let bytes = units.iter().map(|&unit| unit as u8 as i8).collect();
                self.heap.add(TypeId::BYTES, Body::Bytes(bytes))
            }
            Some(_) => {
                // In the byte order of the machine, which is taken to be that of all JVMs in use.
                let bytes = units.iter().flat_map(|unit| unit.to_le_bytes().map(|b| b as i8));
                self.heap.add(TypeId::BYTES, Body::Bytes(bytes.collect()))
            }
        };
        fields[usize::from(layout.value)] = Value::reference(value);
        if let Some(coder) = layout.coder {
            fields[usize::from(coder)] = Value::int(i32::from(!is_latin));
        }
        Ok(self.heap.add(TypeId::STRING, Body::Fields(fields)))
    }

    /// A new string from text.
    pub(crate) fn new_text(&mut self, text: &str) -> Result<Reference, Stop> {
        let units: Vec<u16> = text.encode_utf16().collect();
        self.new_string(&units)
    }

    /// A new string as a value.
    ///
    /// # Errors
    ///
    /// If the class library has no usable `String`.
    pub fn string(&mut self, units: &[u16]) -> Result<Value, crate::Reason> {
        self.new_string(units).map(Value::reference).map_err(|Stop(reason)| reason)
    }

    /// The string constant with these units: always the same object.
    pub(crate) fn intern(&mut self, units: &[u16]) -> Reference {
        if let Some(&reference) = self.strings.interned.get(units) {
            return reference;
        }
        let made = self.permanently(|machine| machine.new_string(units));
        let reference = made.unwrap_or_default();
        self.strings.interned.insert(units.into(), reference);
        reference
    }

    /// The string constant with this text.
    pub(crate) fn intern_text(&mut self, text: &str) -> Value {
        let units: Vec<u16> = text.encode_utf16().collect();
        Value::reference(self.intern(&units))
    }

    /// `String.intern`.
    pub(crate) fn intern_object(&mut self, string: Reference) -> Reference {
        let units = self.units(string).unwrap_or_default();
        if let Some(&known) = self.strings.interned.get(&*units) {
            return known;
        }
        self.note_interned(&units);
        self.strings.interned.insert(units.into(), string);
        string
    }

    /// The units of a string object; `None` for null and for what is no string.
    pub fn units(&self, string: Reference) -> Option<Vec<u16>> {
        if string.is_null() || self.heap.class(string) != TypeId::STRING {
            return None;
        }
        let layout = self.strings.layout?;
        let value = self.heap.field(string, layout.value).as_reference();
        let is_wide =
            layout.coder.is_some_and(|coder| self.heap.field(string, coder).as_int() == 1);
        match &self.heap.object(value).body {
            Body::Chars(chars) => Some(chars.to_vec()),
            Body::Bytes(bytes) => Some(decoded(bytes, is_wide)),
            other => {
                self.heap.note_terms(other);
                None
            }
        }
    }

    /// Whether the contents of a string depend on what the JVM does not fix.
    pub fn is_unstable_string(&self, string: Reference) -> bool {
        let Some(layout) = self.strings.layout else { return false };
        if string.is_null() || self.heap.class(string) != TypeId::STRING {
            return false;
        }
        let value = self.heap.field(string, layout.value);
        value.is_unstable() || self.heap.object(value.as_reference()).unstable
    }

    /// Marks the contents of a string as something that the JVM does not fix.
    pub(crate) fn set_unstable_string(&mut self, string: Reference, unstable: bool) {
        if let Some(layout) = self.strings.layout {
            let value = self.heap.field(string, layout.value).as_reference();
            self.heap.object_mut(value).unstable |= unstable;
        }
    }

    /// A string object as text, unpaired surrogates replaced.
    pub(crate) fn text_of(&self, string: Reference) -> Option<String> {
        self.units(string).map(|units| String::from_utf16_lossy(&units))
    }
}

/// The units that bytes stand for.
fn decoded(bytes: &[i8], is_wide: bool) -> Vec<u16> {
    if !is_wide {
        return bytes.iter().map(|&byte| u16::from(byte as u8)).collect();
    }
    let pairs = bytes.chunks_exact(2);
    pairs.map(|pair| u16::from_le_bytes([pair[0] as u8, pair[1] as u8])).collect()
}
