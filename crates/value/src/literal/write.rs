//! Values as literals.

use std::fmt::Write;

use crate::literal::units::{escaped, escaped_within};
use crate::{Heap, Object, ObjectId, Shared, Value};

/// A heap in which arrays share elements can stand for a text that is exponentially longer.
const MAX_TEXT: usize = 1 << 24;
/// Deeper than any array type; only arrays in an `Object[]` can be nested more.
const MAX_DEPTH: usize = 255;

impl Heap {
    /// A value as a Java literal, which [`crate::Literals`] reads back to an equal value where the
    /// same type is expected. All NaNs are written as `NaN`, and sharing is not shown.
    ///
    /// `None` if no literal can write the value: another object than a string, a box or an array is
    /// part of it, an array contains itself, or the text would be out of all proportion.
    pub fn literal(&self, value: Value) -> Option<String> {
        let mut out = String::new();
        self.write_literal(value, &mut out).then_some(out)
    }

    /// Writes a value as a Java literal behind a text, unless no literal can write it. Tells whether one can.
    pub fn write_literal(&self, value: Value, out: &mut String) -> bool {
        let start = out.len();
        let mut writer = Writer { heap: self, out, start, around: Vec::new() };
        let is_written = writer.value(value).is_some();
        if !is_written {
            out.truncate(start);
        }
        is_written
    }
}

struct Writer<'a> {
    heap: &'a Heap,
    out: &'a mut String,
    /// Where the literal starts.
    start: usize,
    /// The arrays that are being written.
    around: Vec<ObjectId>,
}

impl Writer<'_> {
    fn value(&mut self, value: Value) -> Option<()> {
        let written = match value {
            Value::Reference(id) => return self.object(id),
            Value::Null => self.out.write_str("null"),
            Value::Boolean(value) => write!(self.out, "{value}"),
            Value::Byte(value) => write!(self.out, "{value}"),
            Value::Short(value) => write!(self.out, "{value}"),
            Value::Char(unit) => write!(self.out, "'{}'", escaped_within('\'', &[unit])),
            Value::Int(value) => write!(self.out, "{value}"),
            Value::Long(value) => write!(self.out, "{value}L"),
            Value::Float(bits) => {
                let value = f32::from_bits(bits);
                let suffix = if value.is_finite() { "f" } else { "" };
                let digits = real(f64::from(value), &format!("{value:?}"));
                write!(self.out, "{digits}{suffix}")
            }
            Value::Double(bits) => {
                let value = f64::from_bits(bits);
                self.out.write_str(&real(value, &format!("{value:?}")))
            }
        };
        written.ok()?;
        self.is_in_proportion()
    }

    fn is_in_proportion(&self) -> Option<()> {
        (self.out.len() - self.start <= MAX_TEXT).then_some(())
    }

    fn object(&mut self, id: ObjectId) -> Option<()> {
        match self.heap.get(Value::Reference(id))? {
            Object::String(text) | Object::Shared(Shared::Constant(text)) => {
                self.out.push_str(&format!("\"{}\"", escaped(&text.0)));
                Some(())
            }
            Object::Boxed(value) => {
                // A reference in a box would be no box.
                value.box_class()?;
                self.value(*value)
            }
            Object::Array { elements, .. } => {
                if self.around.contains(&id) || self.around.len() == MAX_DEPTH {
                    return None;
                }
                self.around.push(id);
                self.out.push('{');
                for (index, element) in elements.iter().enumerate() {
                    if index > 0 {
                        self.out.push_str(", ");
                    }
                    self.value(*element)?;
                }
                self.out.push('}');
                self.around.pop();
                self.is_in_proportion()
            }
            Object::EnumConstant { .. }
            | Object::Shared(Shared::Static { .. })
            | Object::Instance { .. }
            | Object::Built { .. }
            | Object::Opaque { .. } => None,
        }
    }
}

/// Rust's shortest digits, in Java's spelling.
fn real(value: f64, digits: &str) -> String {
    if value.is_nan() {
        "NaN".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned()
    } else {
        match digits.split_once('e') {
            Some((digits, exponent)) if digits.contains('.') => format!("{digits}E{exponent}"),
            Some((digits, exponent)) => format!("{digits}.0E{exponent}"),
            None => digits.to_owned(),
        }
    }
}
