//! Frames from the JVM. Nothing in them is taken on trust: a program under test runs over there.

use petrel_classfile::{JavaString, JavaType};
use petrel_value::{FieldValue, Heap, Object, ObjectId, Value};

use super::PROTOCOL;
use crate::measure::MethodCounts;
use crate::{After, Captured, Measured, MethodName, Outcome, ReplayError};

/// Whether the JVM speaks the same protocol.
pub(crate) fn check_hello(frame: &[u8]) -> Result<(), ReplayError> {
    let mut frame = Frame::new(frame);
    match (frame.u8()?, frame.u32()?) {
        (b'H', PROTOCOL) => frame.finish(),
        (kind, version) => Err(malformed(format!("{kind} {version} is no greeting"))),
    }
}

/// Reads an answer: how the call ended, or `None` if the process ends before it comes to that.
pub(crate) fn answer(frame: &[u8]) -> Result<Option<Outcome>, ReplayError> {
    let mut frame = Frame::new(frame);
    let outcome = match frame.u8()? {
        b'R' => {
            let (out, err) = (frame.captured()?, frame.captured()?);
            let value = frame.optional(Frame::value)?;
            let after = frame.state(out, err)?;
            check_reference(&after.heap, value)?;
            Outcome::Returned { value, after }
        }
        b'E' => {
            let class = frame.name()?.to_owned();
            let message = frame.optional(Frame::text)?;
            let (out, err) = (frame.captured()?, frame.captured()?);
            Outcome::Threw { class, message, after: frame.state(out, err)? }
        }
        b'T' => Outcome::TimedOut,
        b'N' => Outcome::NotCallable(frame.lossy_text()?),
        b'D' => Outcome::Died(frame.lossy_text()?),
        b'L' => {
            frame.finish()?;
            return Ok(None);
        }
        kind => return Err(malformed(format!("there is no answer of kind {kind}"))),
    };
    frame.finish()?;
    Ok(Some(outcome))
}

fn malformed(message: impl Into<String>) -> ReplayError {
    ReplayError::Malformed { message: message.into() }
}

fn check_reference(
    heap: &Heap,
    values: impl IntoIterator<Item = Value>,
) -> Result<(), ReplayError> {
    let dangles =
        |value: &Value| matches!(value, Value::Reference(_)) && heap.get(*value).is_none();
    match values.into_iter().find(dangles) {
        Some(value) => Err(malformed(format!("there is no object for {value:?}"))),
        None => Ok(()),
    }
}

/// A frame that is being read.
struct Frame<'a> {
    rest: &'a [u8],
    names: Vec<Box<str>>,
}

impl<'a> Frame<'a> {
    fn new(bytes: &'a [u8]) -> Frame<'a> {
        Frame { rest: bytes, names: Vec::new() }
    }

    fn finish(&self) -> Result<(), ReplayError> {
        match self.rest.len() {
            0 => Ok(()),
            more => Err(malformed(format!("there are {more} bytes too many"))),
        }
    }

    fn bytes(&mut self, count: usize) -> Result<&'a [u8], ReplayError> {
        let (bytes, rest) =
            self.rest.split_at_checked(count).ok_or_else(|| malformed("it is cut off"))?;
        self.rest = rest;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ReplayError> {
        let (bytes, rest) =
            self.rest.split_first_chunk().ok_or_else(|| malformed("it is cut off"))?;
        self.rest = rest;
        Ok(*bytes)
    }

    fn u8(&mut self) -> Result<u8, ReplayError> {
        Ok(u8::from_be_bytes(self.array()?))
    }

    fn bool(&mut self) -> Result<bool, ReplayError> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(malformed(format!("{other} is no boolean"))),
        }
    }

    fn u16(&mut self) -> Result<u16, ReplayError> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    fn u32(&mut self) -> Result<u32, ReplayError> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    fn u64(&mut self) -> Result<u64, ReplayError> {
        Ok(u64::from_be_bytes(self.array()?))
    }

    fn optional<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, ReplayError>,
    ) -> Result<Option<T>, ReplayError> {
        if self.bool()? { read(self).map(Some) } else { Ok(None) }
    }

    /// As many as a number says. Memory grows with what is read and not with the number.
    fn many<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Result<T, ReplayError>,
    ) -> Result<Vec<T>, ReplayError> {
        let count = self.u32()? as usize;
        // None takes less than a byte.
        let mut all = Vec::with_capacity(count.min(self.rest.len()).min(1 << 12));
        for _ in 0..count {
            all.push(read(self)?);
        }
        Ok(all)
    }

    fn text(&mut self) -> Result<JavaString, ReplayError> {
        Ok(JavaString(self.many(Frame::u16)?.into()))
    }

    fn lossy_text(&mut self) -> Result<String, ReplayError> {
        Ok(String::from_utf16_lossy(&self.text()?.0))
    }

    fn name(&mut self) -> Result<&str, ReplayError> {
        let index = self.u32()? as usize;
        if index == self.names.len() {
            let name = self.lossy_text()?;
            self.names.push(name.into());
        }
        let name = self.names.get(index).ok_or_else(|| malformed("there is no such name"))?;
        Ok(name)
    }

    fn captured(&mut self) -> Result<Captured, ReplayError> {
        let count = self.u32()? as usize;
        Ok(Captured { bytes: self.bytes(count)?.to_vec(), is_cut: self.bool()? })
    }

    fn value(&mut self) -> Result<Value, ReplayError> {
        Ok(match self.u8()? {
            b'N' => Value::Null,
            b'Z' => Value::Boolean(self.bool()?),
            b'B' => Value::Byte(self.u8()?.cast_signed()),
            b'S' => Value::Short(self.u16()?.cast_signed()),
            b'C' => Value::Char(self.u16()?),
            b'I' => Value::Int(self.u32()?.cast_signed()),
            b'J' => Value::Long(self.u64()?.cast_signed()),
            b'F' => Value::Float(self.u32()?),
            b'D' => Value::Double(self.u64()?),
            b'L' => Value::Reference(ObjectId(self.u32()?)),
            kind => return Err(malformed(format!("there is no value of kind {kind}"))),
        })
    }

    fn state(&mut self, out: Captured, err: Captured) -> Result<After, ReplayError> {
        let receiver = self.optional(Frame::value)?;
        let arguments = self.many(Frame::value)?;
        let is_cut = self.bool()?;
        let heap = Heap { objects: self.many(Frame::object)? };
        check_reference(&heap, receiver)?;
        check_reference(&heap, arguments.iter().copied())?;
        for object in &heap.objects {
            check_reference(&heap, object.parts())?;
        }
        let measured = self.optional(Frame::measured)?;
        Ok(After { heap, receiver, arguments, is_cut, out, err, measured })
    }

    fn measured(&mut self) -> Result<Measured, ReplayError> {
        let ended_as_before = self.bool()?;
        let allocated_bytes = self.optional(Frame::u64)?;
        let methods = self.many(Frame::method)?;
        Ok(Measured::new(ended_as_before, allocated_bytes, methods))
    }

    fn method(&mut self) -> Result<MethodCounts, ReplayError> {
        Ok(MethodCounts {
            method: MethodName {
                class: self.name()?.to_owned(),
                name: self.name()?.to_owned(),
                descriptor: self.name()?.to_owned(),
            },
            instructions: self.u64()?,
            calls: self.u64()?,
        })
    }

    fn object(&mut self) -> Result<Object, ReplayError> {
        Ok(match self.u8()? {
            b's' => Object::String(self.text()?),
            b'b' => match self.value()? {
                Value::Null | Value::Reference(_) => {
                    return Err(malformed("there is no primitive value in a box"));
                }
                primitive => Object::Boxed(primitive),
            },
            b'e' => Object::EnumConstant { class: self.name()?.into(), name: self.name()?.into() },
            b'a' => {
                let component = JavaType::parse(self.name()?);
                let component = component.map_err(|error| malformed(error.to_string()))?;
                Object::Array { component, elements: self.many(Frame::value)? }
            }
            b'i' => Object::Instance {
                class: self.name()?.into(),
                fields: self.many(|frame| {
                    let (class, name) = (frame.name()?.into(), frame.name()?.into());
                    Ok(FieldValue { class, name, value: frame.value()? })
                })?,
            },
            b'o' => Object::Opaque { class: self.name()?.into() },
            kind => return Err(malformed(format!("there is no object of kind {kind}"))),
        })
    }
}
