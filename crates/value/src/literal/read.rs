//! Reading literals where the type is known.

use petrel_classfile::{JavaString, JavaType};

use super::integer::{BOOLEAN, BYTE, CHAR, INT, Integral, LONG, SHORT};
use super::real::Real;
use super::{LiteralError, units};
use crate::{Heap, Object, Value, unboxed};

/// A place in a text with literals.
#[derive(Debug, Clone)]
pub struct Literals<'a> {
    rest: &'a str,
    /// Whether words without quotes may be strings and characters, and numbers be rounded.
    bare_words: bool,
}

/// Reads a word of a command line as one value of a type.
///
/// Besides a literal it may be a bare word where the type allows that: a string without quotes, a
/// single character (a digit is the code of one, as in Java), and for a `float` any number, which is
/// rounded. In an array a bare word ends before a comma or brace.
///
/// # Errors
///
/// If it is no value of the type; the message says why.
pub fn argument(text: &str, java_type: &JavaType, heap: &mut Heap) -> Result<Value, LiteralError> {
    let is_null = java_type.is_reference() && text.trim() == "null";
    if !is_null && class_of(java_type) == Some("java/lang/String") && !is_quoted(text) {
        return Ok(heap.add_string(text));
    }
    if *java_type == JavaType::Char
        && let Some(unit) = single_unit(text)
    {
        return Ok(Value::Char(unit));
    }
    let mut literals = Literals { rest: text, bare_words: true };
    let value = literals.value(java_type, heap)?;
    match literals.rest() {
        "" => Ok(value),
        rest => Err(LiteralError::new(format!("there is {rest:?} behind the value"))),
    }
}

fn is_quoted(text: &str) -> bool {
    text.trim_start().starts_with('"')
}

/// The only character of a text, unless it is a digit or takes two units.
fn single_unit(text: &str) -> Option<u16> {
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) if !c.is_ascii_digit() => u16::try_from(u32::from(c)).ok(),
        _ => None,
    }
}

fn class_of(java_type: &JavaType) -> Option<&str> {
    match java_type {
        JavaType::Object(name) => Some(name),
        _ => None,
    }
}

impl<'a> Literals<'a> {
    /// The start of a text.
    pub fn new(text: &'a str) -> Self {
        Literals { rest: text, bare_words: false }
    }

    /// What was not read yet, without space before it.
    pub fn rest(&self) -> &'a str {
        self.rest.trim_start()
    }

    /// Whether this comes next; it is read then.
    pub fn skip(&mut self, token: &str) -> bool {
        match self.rest().strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Reads a literal of a type; its objects are added to the heap.
    ///
    /// Boxes are written as what is in them. Where any object is allowed (`Object`, `Comparable`),
    /// a literal means what it means in Java: `5` is an `Integer`.
    ///
    /// # Errors
    ///
    /// If what comes next is no value of the type; the message says why.
    pub fn value(&mut self, java_type: &JavaType, heap: &mut Heap) -> Result<Value, LiteralError> {
        if java_type.is_reference() && self.skip_word("null") {
            return Ok(Value::Null);
        }
        match java_type {
            JavaType::Array(component) => self.array(component, heap),
            JavaType::Object(class) => self.object(class, heap),
            primitive => self.primitive(primitive),
        }
    }

    fn primitive(&mut self, java_type: &JavaType) -> Result<Value, LiteralError> {
        let in_range = "the range of the type was checked";
        Ok(match java_type {
            JavaType::Boolean if self.skip_word("true") => Value::Boolean(true),
            JavaType::Boolean if self.skip_word("false") => Value::Boolean(false),
            JavaType::Boolean => Value::Boolean(self.integer(BOOLEAN)? != 0),
            JavaType::Byte => Value::Byte(self.integer(BYTE)?.try_into().expect(in_range)),
            JavaType::Short => Value::Short(self.integer(SHORT)?.try_into().expect(in_range)),
            JavaType::Char => Value::Char(self.integer(CHAR)?.try_into().expect(in_range)),
            JavaType::Int => Value::Int(self.integer(INT)?.try_into().expect(in_range)),
            JavaType::Long => Value::Long(self.integer(LONG)?),
            JavaType::Float => {
                Value::float(self.real(Real::Float { rounds: self.bare_words })? as f32)
            }
            JavaType::Double => Value::double(self.real(Real::Double)?),
            JavaType::Object(_) | JavaType::Array(_) => {
                return Err(LiteralError::new("a reference is not primitive"));
            }
        })
    }

    fn object(&mut self, class: &str, heap: &mut Heap) -> Result<Value, LiteralError> {
        if let Some(primitive) = unboxed(class) {
            let value = self.primitive(&primitive)?;
            return Ok(heap.add(Object::Boxed(value)));
        }
        let rest = self.rest();
        let is_bare = self.bare_words && !rest.starts_with(['"', '\'', '{']);
        let of_string = ["java/lang/String", "java/lang/CharSequence"].contains(&class);
        let of_both = [
            "java/lang/Object",
            "java/lang/Comparable",
            "java/io/Serializable",
            "java/lang/constant/Constable",
            "java/lang/constant/ConstantDesc",
        ]
        .contains(&class);
        if (of_string || of_both) && rest.starts_with('"') {
            let units = self.units('"')?;
            return Ok(heap.add(Object::String(JavaString(units.into()))));
        }
        if of_string && is_bare {
            return Ok(heap.add_string(self.bare_word()));
        }
        if of_both || class == "java/lang/Number" {
            let start = self.clone();
            return match self.any_primitive() {
                Ok(value) if class != "java/lang/Number" || is_number(value) => {
                    Ok(heap.add(Object::Boxed(value)))
                }
                Ok(_) => Err(LiteralError::new(format!("{rest:?} is not a number"))),
                Err(_) if of_both && is_bare => {
                    *self = start;
                    Ok(heap.add_string(self.bare_word()))
                }
                Err(error) => Err(error),
            };
        }
        Err(LiteralError::new(if of_string {
            format!("\" is expected before {rest:?}")
        } else {
            format!("no literal but null is of class {}", class.replace('/', "."))
        }))
    }

    /// A literal whose type is the one that it has in Java.
    fn any_primitive(&mut self) -> Result<Value, LiteralError> {
        let rest = self.rest();
        if rest.starts_with('\'') {
            return self.primitive(&JavaType::Char);
        }
        let word = self.clone().word();
        let is_integral_radix = ["0x", "0X", "0b", "0B"]
            .iter()
            .any(|prefix| word.trim_start_matches(['+', '-']).starts_with(prefix))
            && !word.contains(['p', 'P']);
        let java_type = if ["true", "false"].contains(&word) {
            JavaType::Boolean
        } else if word.ends_with(['l', 'L']) {
            JavaType::Long
        } else if is_integral_radix {
            JavaType::Int
        } else if word.ends_with(['f', 'F']) || word.contains("Float.") {
            JavaType::Float
        } else if word.contains(|c: char| c == '.' || c.is_ascii_alphabetic()) {
            JavaType::Double
        } else {
            JavaType::Int
        };
        self.primitive(&java_type)
    }

    fn array(&mut self, component: &JavaType, heap: &mut Heap) -> Result<Value, LiteralError> {
        let expected = |token: &str, literals: &Self| {
            LiteralError::new(format!("`{token}` is expected before {:?}", literals.rest()))
        };
        if !self.skip("{") {
            return Err(expected("{", self));
        }
        let mut elements = Vec::new();
        while !self.skip("}") {
            if !elements.is_empty() && !self.skip(",") {
                return Err(expected(",", self));
            }
            // As in Java, the last element may have a comma behind it.
            if !elements.is_empty() && self.skip("}") {
                break;
            }
            elements.push(self.value(component, heap)?);
        }
        Ok(heap.add_array(component.clone(), elements))
    }

    /// Whether this word comes next; it is read then.
    fn skip_word(&mut self, wanted: &str) -> bool {
        let start = self.clone();
        let found = if self.bare_words { self.bare_word() } else { self.word() } == wanted;
        if !found {
            *self = start;
        }
        found
    }

    /// The letters, digits, signs and points that come next.
    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let in_word = |c: char| c.is_ascii_alphanumeric() || "+-._".contains(c);
        let end = rest.find(|c| !in_word(c)).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        word
    }

    /// All that comes next up to where an element of an array ends.
    fn bare_word(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find([',', '}']).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        word.trim_end()
    }

    fn integer(&mut self, integral: Integral) -> Result<i64, LiteralError> {
        if self.rest().starts_with('\'') {
            let unit = i64::from(self.character()?);
            let wrong = || LiteralError::new("a character is no value of this type");
            return if integral.holds(unit) { Ok(unit) } else { Err(wrong()) };
        }
        if self.bare_words
            && integral == CHAR
            && let Some(unit) = single_unit(self.clone().bare_word())
        {
            self.bare_word();
            return Ok(i64::from(unit));
        }
        integral.read(self.word())
    }

    fn real(&mut self, real: Real) -> Result<f64, LiteralError> {
        if self.rest().starts_with('\'') {
            return Ok(f64::from(self.character()?));
        }
        real.read(self.word())
    }

    fn character(&mut self) -> Result<u16, LiteralError> {
        match &*self.units('\'')? {
            [unit] => Ok(*unit),
            _ => Err(LiteralError::new("a character literal has one character")),
        }
    }

    fn units(&mut self, quote: char) -> Result<Vec<u16>, LiteralError> {
        let (units, rest) = units::read(self.rest(), quote)?;
        self.rest = rest;
        Ok(units)
    }
}

fn is_number(value: Value) -> bool {
    !matches!(value, Value::Boolean(_) | Value::Char(_))
}
