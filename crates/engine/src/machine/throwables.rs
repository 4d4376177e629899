//! Exceptions that the JVM itself makes.

use petrel_program::LinkageError;

use crate::library::natives::null_pointers;
use crate::machine::calls::{Doing, Step};
use crate::machine::code::MessageSource;
use crate::machine::stop::{Library, Limit};
use crate::machine::types::{Initialisation, TypeId};
use crate::machine::value::{Reference, Value};
use crate::machine::{Machine, Stop};

const THROWABLE: &str = "java/lang/Throwable";
const NULL_POINTER: &str = "java/lang/NullPointerException";
const MISSING: &str = "java/lang/NoClassDefFoundError";

impl Machine<'_> {
    /// Makes an exception and throws it in the frame on top.
    pub(crate) fn throw_new(
        &mut self,
        class: TypeId,
        message: Option<Box<[u16]>>,
        callee_base: usize,
    ) -> Step {
        if !self.is_initialised(TypeId::THROWABLE)? {
            if self.types.get(TypeId::THROWABLE).initialisation == Initialisation::Failed {
                return Err(Stop::unsupported(Library::WithoutThrowable).into());
            }
            self.push_special(Doing::ThrowNew(class, message), callee_base);
            return self.initialise(TypeId::THROWABLE, callee_base);
        }
        let exception = self.new_throwable(class, message.as_deref())?;
        self.throw(exception)
    }

    pub(crate) fn throw_linkage(&mut self, error: &LinkageError, callee_base: usize) -> Step {
        if error.java_class == MISSING {
            self.refuse_missing(&error.message)?;
        }
        let class = self.types.of_name(error.java_class);
        let message = error.message.encode_utf16().collect();
        self.throw_new(class, Some(message), callee_base)
    }

    /// A class is not there that code refers to. That is how the JVM ends a call, but not what the program does: the class path is
    /// incomplete.
    pub(crate) fn refuse_missing(&self, name: &str) -> Result<(), Stop> {
        if self.exploration.is_on() {
            return Err(Stop::limit(Limit::MissingClass(name.replace('/', "."))));
        }
        Ok(())
    }

    /// The instruction that makes an exception; it is executed again if a class has to be
    /// initialised first.
    pub(super) fn make_throwable(&mut self, to: u16, number: u32) -> Step {
        if self.types.get(TypeId::THROWABLE).initialisation == Initialisation::NotStarted
            && !self.is_initialised(TypeId::THROWABLE)?
        {
            let callee_base = self.callee_base_here();
            self.pc -= 1;
            self.push_special(Doing::Again, callee_base);
            return self.initialise(TypeId::THROWABLE, callee_base);
        }
        let source = self.code.throwables[number as usize].clone();
        if let MessageSource::Text(text) = source.message
            && &*self.types.get(source.class).name == MISSING
        {
            let name = &self.code.strings[text as usize].units;
            self.refuse_missing(&String::from_utf16_lossy(&name.0))?;
        }
        let unknown = match source.message {
            MessageSource::Bounds { array, index } => {
                self.register(index).is_symbolic() || !self.is_plain_array(self.register(array))
            }
            MessageSource::Size(value)
            | MessageSource::Cast { object: value, .. }
            | MessageSource::Store { value } => self.register(value).is_symbolic(),
            _ => false,
        };
        let message = if unknown { None } else { self.message(&source.message)? };
        let exception = self.new_throwable(source.class, message.as_deref())?;
        if unknown {
            self.make_message_opaque(exception)?;
        }
        if let MessageSource::Null { pc } = source.message
            && let Some((method, _)) = self.code.origin(self.pc.saturating_sub(1))
        {
            let of = self.methods.get(method);
            if of.of_library
                && let Some(topic) = null_pointers::is_missing(&of.resolved, pc)
            {
                return Err(Stop::unsupported(topic).into());
            }
            self.library.note_null_pointer(exception, method, pc);
            self.note_modelled(exception);
            // The constructor notes that the stack trace is the first: only then is there a text.
            if self.has_field(NULL_POINTER, "extendedMessageState") {
                self.set_named(exception, NULL_POINTER, "extendedMessageState", Value::int(1))?;
            }
        }
        self.set_register(to, Value::reference(exception));
        Ok(())
    }

    /// Gives an exception a text over something unknown: nothing can be decided by it.
    pub(crate) fn make_message_opaque(&mut self, exception: Reference) -> Result<(), Stop> {
        let text = self.solver.store.opaque(petrel_clp::Kind::Reference);
        let text = crate::exploration::value_of(text, petrel_clp::Kind::Reference);
        self.set_named(exception, THROWABLE, "detailMessage", text)
    }

    /// Where registers are free while an instruction that is no call is under way: behind its frame.
    pub(crate) fn callee_base_here(&self) -> usize {
        let method = self.code.origin(self.pc.saturating_sub(1)).map(|(method, _)| method);
        let frame = method.map(|method| self.methods.get(method).entry);
        match frame {
            Some(crate::machine::link::Entry::Code { frame, .. }) => self.base + usize::from(frame),
            _ => self.base,
        }
    }

    /// As the constructor with this message makes it.
    pub(crate) fn new_throwable(
        &mut self,
        class: TypeId,
        message: Option<&[u16]>,
    ) -> Result<Reference, Stop> {
        let exception = self.new_object(class)?;
        let this = Value::reference(exception);
        self.set_named(exception, THROWABLE, "cause", this)?;
        for (field, initial) in
            [("stackTrace", "UNASSIGNED_STACK"), ("suppressedExceptions", "SUPPRESSED_SENTINEL")]
        {
            let slot = self.slot_named(THROWABLE, field)?;
            let initial = self.static_named(THROWABLE, initial)?;
            let value = self.statics[initial as usize];
            self.heap.set_field(exception, slot, value);
        }
        if let Some(message) = message {
            let message = self.new_string(message)?;
            self.set_named(exception, THROWABLE, "detailMessage", Value::reference(message))?;
        }
        self.keep_stack_trace(exception)?;
        Ok(exception)
    }

    fn message(&mut self, source: &MessageSource) -> Result<Option<Vec<u16>>, Stop> {
        let text = match source {
            MessageSource::None | MessageSource::Null { .. } => return Ok(None),
            MessageSource::Text(text) => {
                return Ok(Some(self.code.strings[*text as usize].units.0.to_vec()));
            }
            MessageSource::Bounds { array, index } => {
                let length = self.heap.length(self.register(*array).as_reference());
                let index = self.register(*index).as_int();
                if self.library.is_java_8(self.program) {
                    index.to_string()
                } else {
                    format!("Index {index} out of bounds for length {length}")
                }
            }
            MessageSource::Size(_) if self.library.is_java_8(self.program) => return Ok(None),
            MessageSource::Size(size) => self.register(*size).as_int().to_string(),
            MessageSource::Cast { object, class } => {
                let object = self.heap.class(self.register(*object).as_reference());
                self.cast_message(object, *class)
            }
            MessageSource::Store { value } => {
                let class = self.heap.class(self.register(*value).as_reference());
                self.types.class_name(class)
            }
        };
        Ok(Some(text.encode_utf16().collect()))
    }

    /// The text of a `ClassCastException`: since Java 11 with where the classes come from.
    fn cast_message(&mut self, from: TypeId, to: TypeId) -> String {
        let names = [from, to].map(|id| self.types.class_name(id));
        let [from_name, to_name] = &names;
        if self.library.is_java_8(self.program) {
            return format!("{from_name} cannot be cast to {to_name}");
        }
        let [from, to] = [from, to].map(|id| self.home(id));
        let homes = if from == to {
            format!("{from_name} and {to_name} are in {from}")
        } else {
            format!("{from_name} is in {from}; {to_name} is in {to}")
        };
        format!("class {from_name} cannot be cast to class {to_name} ({homes})")
    }

    /// The module and class loader of a class, in HotSpot's words.
    fn home(&mut self, id: TypeId) -> String {
        match self.module_of(id) {
            Some(module) => {
                let loader = crate::library::loader_of_module(&module).unwrap_or("bootstrap");
                format!("module {module} of loader '{loader}'")
            }
            None => "unnamed module of loader 'app'".to_owned(),
        }
    }
}
