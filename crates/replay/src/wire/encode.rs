//! Frames to the JVM.

use std::path::{Path, PathBuf};
use std::time::Duration;

use petrel_value::{self as value, BuildStep, FieldValue, Heap, Object, ObjectId, Shared, Value};
use rustc_hash::FxHashMap;

use crate::{Call, Isolation, Measure, ReplayError, ReplayOptions};

/// The settings.
pub(crate) fn settings(options: &ReplayOptions) -> Result<Vec<u8>, ReplayError> {
    let mut frame = Frame::new();
    frame.u32(milliseconds(options.time_limit));
    // Java counts in signed numbers.
    for limit in [options.max_objects, options.max_values, options.max_output] {
        frame.u32(limit.min(i32::MAX as u32));
    }
    let path = absolute_names(&options.class_path)?;
    frame.names(&path);
    frame.u8(match options.measure {
        Measure::Nothing => b'n',
        Measure::Allocation => b'a',
        Measure::Execution { .. } => b'x',
    });
    Ok(frame.finish())
}

fn milliseconds(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(u32::MAX).clamp(1, i32::MAX as u32)
}

/// A call.
pub(crate) fn call(call: &Call) -> Result<Vec<u8>, ReplayError> {
    let path = call.class_path.as_deref().map(absolute_names).transpose()?;
    let mut frame = Frame::new();
    frame.u8(match call.isolation {
        Isolation::Shared => b's',
        Isolation::Renewed => b'r',
        Isolation::Fresh => b'f',
    });
    frame.bool(path.is_some());
    if let Some(path) = &path {
        frame.names(path);
    }
    frame.name(&call.class);
    frame.name(&call.method);
    frame.name(&call.descriptor);
    frame.heap(&call.heap);
    frame.bool(call.receiver.is_some());
    if let Some(receiver) = call.receiver {
        frame.value(receiver);
    }
    frame.values(&call.arguments);
    frame.fields(&call.statics);
    Ok(frame.finish())
}

fn absolute_names(paths: &[PathBuf]) -> Result<Vec<String>, ReplayError> {
    let name = |path: &PathBuf| {
        let absolute = std::path::absolute(path).ok();
        let name = absolute.as_deref().and_then(Path::to_str).map(str::to_owned);
        name.ok_or_else(|| ReplayError::Path { path: path.clone() })
    };
    paths.iter().map(name).collect()
}

/// A frame that is being written.
struct Frame {
    bytes: Vec<u8>,
    names: FxHashMap<Box<str>, u32>,
}

impl Frame {
    fn new() -> Frame {
        // The length comes in the end.
        Frame { bytes: vec![0; 4], names: FxHashMap::default() }
    }

    fn finish(mut self) -> Vec<u8> {
        let length = count(self.bytes.len() - 4);
        for (place, byte) in self.bytes.iter_mut().zip(length.to_be_bytes()) {
            *place = byte;
        }
        self.bytes
    }

    fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    fn bool(&mut self, value: bool) {
        self.u8(u8::from(value));
    }

    fn u16(&mut self, value: u16) {
        self.bytes.extend(value.to_be_bytes());
    }

    fn u32(&mut self, value: u32) {
        self.bytes.extend(value.to_be_bytes());
    }

    fn u64(&mut self, value: u64) {
        self.bytes.extend(value.to_be_bytes());
    }

    fn text(&mut self, units: impl ExactSizeIterator<Item = u16>) {
        self.u32(count(units.len()));
        units.for_each(|unit| self.u16(unit));
    }

    fn name(&mut self, name: &str) {
        if let Some(&index) = self.names.get(name) {
            self.u32(index);
            return;
        }
        let index = count(self.names.len());
        self.names.insert(name.into(), index);
        self.u32(index);
        let units: Vec<u16> = name.encode_utf16().collect();
        self.text(units.into_iter());
    }

    fn names(&mut self, names: &[String]) {
        self.u32(count(names.len()));
        names.iter().for_each(|name| self.name(name));
    }

    fn value(&mut self, value: Value) {
        match value {
            Value::Null => self.u8(b'N'),
            Value::Boolean(value) => {
                self.u8(b'Z');
                self.bool(value);
            }
            Value::Byte(value) => {
                self.u8(b'B');
                self.u8(value.cast_unsigned());
            }
            Value::Short(value) => {
                self.u8(b'S');
                self.u16(value.cast_unsigned());
            }
            Value::Char(unit) => {
                self.u8(b'C');
                self.u16(unit);
            }
            Value::Int(value) => {
                self.u8(b'I');
                self.u32(value.cast_unsigned());
            }
            Value::Long(value) => {
                self.u8(b'J');
                self.u64(value.cast_unsigned());
            }
            Value::Float(bits) => {
                self.u8(b'F');
                self.u32(bits);
            }
            Value::Double(bits) => {
                self.u8(b'D');
                self.u64(bits);
            }
            Value::Reference(ObjectId(index)) => {
                self.u8(b'L');
                self.u32(index);
            }
        }
    }

    fn values(&mut self, values: &[Value]) {
        self.u32(count(values.len()));
        values.iter().for_each(|value| self.value(*value));
    }

    fn fields(&mut self, fields: &[FieldValue]) {
        self.u32(count(fields.len()));
        for field in fields {
            self.name(&field.class);
            self.name(&field.name);
            self.value(field.value);
        }
    }

    fn heap(&mut self, heap: &Heap) {
        self.u32(count(heap.objects.len()));
        heap.objects.iter().for_each(|object| self.object(object));
        let steps = heap.order_of_building();
        self.u32(count(steps.len()));
        for step in steps {
            let (kind, ObjectId(index)) = match step {
                BuildStep::Make(id) => (b'm', id),
                BuildStep::Fill(id) => (b'f', id),
                BuildStep::Call(id) => (b'c', id),
            };
            self.u8(kind);
            self.u32(index);
        }
    }

    fn object(&mut self, object: &Object) {
        match object {
            Object::String(text) => {
                self.u8(b's');
                self.text(text.0.iter().copied());
            }
            Object::Boxed(value) => {
                self.u8(b'b');
                self.value(*value);
            }
            Object::EnumConstant { class, name } => {
                self.u8(b'e');
                self.name(class);
                self.name(name);
            }
            Object::Shared(Shared::Constant(text)) => {
                self.u8(b'k');
                self.text(text.0.iter().copied());
            }
            Object::Shared(Shared::Static { class, field, element }) => {
                self.u8(b'f');
                self.name(class);
                self.name(field);
                // No array has so many elements.
                self.u32(element.unwrap_or(u32::MAX));
            }
            Object::Array { component, elements } => {
                self.u8(b'a');
                self.name(&component.to_string());
                self.values(elements);
            }
            Object::Instance { class, fields } => {
                self.u8(b'i');
                self.name(class);
                self.fields(fields);
            }
            Object::Built { class, by, calls } => {
                self.u8(b'c');
                self.name(class);
                self.building_call(by);
                self.u32(count(calls.len()));
                calls.iter().for_each(|call| self.building_call(call));
            }
            Object::Opaque { class } => {
                self.u8(b'o');
                self.name(class);
            }
        }
    }

    fn building_call(&mut self, call: &value::Call) {
        self.name(&call.class);
        self.name(&call.name);
        self.name(&call.descriptor);
        self.values(&call.arguments);
    }
}

/// Memory ends long before a `u32` does; if it did not, the JVM would refuse the frame.
fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
