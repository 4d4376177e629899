//! Results as Java would write them.

use petrel_classfile::JavaType;

use crate::machine::stop::{Feature, Outcome, Reason, Undecided};
use crate::machine::types::TypeId;
use crate::machine::value::{Reference, Value};
use crate::machine::{Machine, Stop};

/// What `String.valueOf` makes of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The text, in UTF-16 units.
    pub units: Vec<u16>,
    /// Whether it depends on what the JVM does not fix.
    pub unstable: bool,
}

impl Machine<'_> {
    /// A value as `String.valueOf` writes it, arrays as `Arrays.deepToString`: with the class
    /// library's own code, so that the digits of a `double` are those of the JDK in use.
    ///
    /// # Errors
    ///
    /// If the code stops or throws.
    pub fn show(&mut self, value: Value, java_type: &JavaType) -> Result<Shown, Reason> {
        if value.is_symbolic() {
            let kind = petrel_clp::Kind::of_descriptor(&java_type.to_string());
            return Err(Reason::Undecided(Undecided::Shown(self.text(value, kind))));
        }
        let plain = |text: String| {
            Ok(Shown { units: text.encode_utf16().collect(), unstable: value.is_unstable() })
        };
        let text = match java_type {
            JavaType::Boolean => return plain((value.as_int() & 1 != 0).to_string()),
            JavaType::Byte | JavaType::Short | JavaType::Int => {
                return plain(value.as_int().to_string());
            }
            JavaType::Long => return plain(value.as_long().to_string()),
            JavaType::Char => {
                let units = vec![value.as_int() as u16];
                return Ok(Shown { units, unstable: value.is_unstable() });
            }
            JavaType::Float => {
                self.call_library("java/lang/Float", "toString", "(F)Ljava/lang/String;", &[value])?
            }
            JavaType::Double => self.call_library(
                "java/lang/Double",
                "toString",
                "(D)Ljava/lang/String;",
                &[value],
            )?,
            _ => return self.show_object(value),
        };
        self.shown(text, value.is_unstable())
    }

    fn shown(&mut self, string: Value, unstable: bool) -> Result<Shown, Reason> {
        let reference = string.as_reference();
        let null = || "null".encode_utf16().collect();
        let units = self.units(reference).unwrap_or_else(null);
        let unstable = unstable || string.is_unstable() || self.is_unstable_string(reference);
        Ok(Shown { units, unstable })
    }

    fn show_object(&mut self, value: Value) -> Result<Shown, Reason> {
        let reference = value.as_reference();
        let is_array = !reference.is_null() && {
            let class = self.heap.class(reference);
            self.types.get(class).component.is_some()
        };
        if reference.is_null() || self.units(reference).is_some() {
            return self.shown(value, value.is_unstable());
        }
        if !is_array {
            let text = self.call_library(
                "java/lang/String",
                "valueOf",
                "(Ljava/lang/Object;)Ljava/lang/String;",
                &[value],
            )?;
            return self.shown(text, value.is_unstable());
        }
        let outer = self.new_array(TypeId::OBJECTS, 1).map_err(|Stop(reason)| reason)?;
        self.heap.set_element(outer, 0, value);
        let text = self.call_library(
            "java/util/Arrays",
            "deepToString",
            "([Ljava/lang/Object;)Ljava/lang/String;",
            &[Value::reference(outer)],
        )?;
        let mut shown = self.shown(text, value.is_unstable())?;
        // Without the brackets of the array around it.
        shown.units.pop();
        shown.units.remove(0);
        Ok(shown)
    }

    /// The message of an exception, as `getMessage` gives it.
    ///
    /// # Errors
    ///
    /// If the code stops or throws.
    pub fn exception_message(&mut self, exception: Reference) -> Result<Option<Shown>, Reason> {
        let stopped = |Stop(reason): Stop| reason;
        let declared = self
            .declared("java/lang/Throwable", "getMessage", "()Ljava/lang/String;")
            .map_err(stopped)?;
        let class = self.heap.class(exception);
        let selected = self.select(class, declared).map_err(stopped)?;
        let method = selected.map_err(|error| Reason::Broken(error.message))?;
        match self.execute_beside(method, &[Value::reference(exception)]) {
            Outcome::Returned(Some(text)) if !text.as_reference().is_null() => {
                self.shown(text, false).map(Some)
            }
            Outcome::Returned(_) => Ok(None),
            Outcome::Threw(_) => Err(Feature::ThrowingMessage.into()),
            Outcome::Stopped { reason, .. } => Err(reason),
        }
    }
}
