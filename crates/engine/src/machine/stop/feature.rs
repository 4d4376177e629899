//! What Petrel does not do, where a path came to it.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A part of the Java platform that is not modelled.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it, and `Display` says it to users")]
pub enum Platform {
    Annotations,
    ClassLoaders,
    Clock,
    Environment,
    Files,
    MethodHandles,
    Modules,
    Monitors,
    Network,
    Processes,
    Properties,
    ResourceBundles,
    Resources,
    Threads,
    TimeZone,
}

impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Platform::Annotations => "annotations",
            Platform::ClassLoaders => "class loaders",
            Platform::Clock => "the clock",
            Platform::Environment => "the environment",
            Platform::Files => "files",
            Platform::MethodHandles => "method handles",
            Platform::Modules => "modules",
            Platform::Monitors => "monitors",
            Platform::Network => "the network",
            Platform::Processes => "processes",
            Platform::Properties => "changes of system properties after one was asked for",
            Platform::ResourceBundles => "resource bundles",
            Platform::Resources => "resources",
            Platform::Threads => "threads",
            Platform::TimeZone => "the time zone of the machine",
        })
    }
}

/// Providers of a service that are looked for.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Providers {
    /// As a stream.
    Stream,
    /// Of a service that is not known.
    OfUnknown,
    /// Of this service.
    Of(String),
}

impl fmt::Display for Providers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Providers::Stream => f.write_str("streams of service providers"),
            Providers::OfUnknown => f.write_str("unknown service providers"),
            Providers::Of(service) => write!(f, "{service} service providers"),
        }
    }
}

/// A class library that is not what the models expect.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Library {
    /// It has no such method: `pkg/Class.name(descriptor)`.
    WithoutMethod(String),
    /// It has no such field: `pkg/Class.name`.
    WithoutField(String),
    /// Its `Throwable` cannot be initialised.
    WithoutThrowable,
    /// Its `Character` does not answer.
    WithoutCharacters,
}

impl fmt::Display for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Library::WithoutMethod(method) => write!(f, "a class library without {method}"),
            Library::WithoutField(field) => write!(f, "a class library without the field {field}"),
            Library::WithoutThrowable => {
                f.write_str("exceptions of a class library whose Throwable cannot be initialised")
            }
            Library::WithoutCharacters => f.write_str("Character on this class library"),
        }
    }
}

/// A decision that depends on unknown inputs in a way that the solver does not know. Terms are told for people.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Undecided {
    /// A guard; nothing more is said of it where guards are counted.
    Guard(Option<String>),
    /// A choice by a term.
    ChoiceBy(String),
    /// A native method on unknowns, of which nothing more is said where they are counted.
    Native {
        /// The method.
        method: String,
        /// What it is called on: a term, or contents of an array.
        on: Option<String>,
    },
    /// How large an array is.
    ArraySize,
    /// The bytes that numbers are made of.
    Bytes,
    /// A checksum.
    Checksum,
    /// A comparison by `Unsafe`.
    UnsafeComparison,
    /// A method of a `VarHandle` on unknowns, by its name.
    Handle(String),
    /// The conversion of an argument of a reflective call.
    ReflectiveArgument,
    /// A value that is to be shown: the term.
    Shown(String),
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undecided::Guard(Some(guard)) => write!(f, "the guard {guard}"),
            Undecided::Guard(None) => {
                f.write_str("a guard on what is only evaluated, such as Math.sin")
            }
            Undecided::ChoiceBy(term) => write!(f, "a choice by {term}"),
            Undecided::Native { method, on } => {
                write!(f, "the native method {method}")?;
                on.as_ref().map_or(Ok(()), |on| write!(f, " on {on}"))
            }
            Undecided::ArraySize => f.write_str("the size of an array"),
            Undecided::Bytes => f.write_str("the bytes of unknown numbers"),
            Undecided::Checksum => f.write_str("a checksum of unknown bytes"),
            Undecided::UnsafeComparison => {
                f.write_str("the comparison of an unknown value by Unsafe")
            }
            Undecided::Handle(method) => write!(f, "VarHandle.{method} on an unknown place"),
            Undecided::ReflectiveArgument => {
                f.write_str("the conversion of an unknown argument of a reflective call")
            }
            Undecided::Shown(term) => f.write_str(term),
        }
    }
}

/// Something that Petrel does not do.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Feature {
    /// A part of the platform.
    Platform(Platform),
    /// A native method without a model, and the part of the platform that it belongs to.
    Native {
        /// The method.
        method: String,
        /// What it is about.
        topic: Option<Platform>,
    },
    /// A call through a method handle that nothing is known of: name and descriptor.
    HandleCall(String, String),
    /// A method of `MethodHandle`: `pkg/Class.name`.
    HandleMethod(String),
    /// A constant that is a method handle.
    HandleConstant,
    /// A constant that is a method type.
    MethodTypeConstant,
    /// The bootstrap method of a dynamic call site.
    Bootstrap(String),
    /// The program ends the JVM, with this status.
    Exit(i32),
    /// Providers of services.
    Services(Providers),
    /// The class library is another one than expected.
    Library(Library),
    /// A `Class` object that stands for no type.
    ClassWithoutType,
    /// A `Class` object of an unknown class.
    ClassWithoutClass,
    /// A `Method` or `Constructor` that the program made itself.
    OwnMethodObject,
    /// A `Field` that the program made itself.
    OwnFieldObject,
    /// A member object whose class is not known.
    MemberWithoutClass,
    /// Access by reflection from nowhere.
    AccessWithoutCaller,
    /// Access by reflection to the inside of a package of the library.
    AccessInside(String),
    /// Memory that is no part of the heap.
    MemoryOutsideHeap,
    /// Memory that is no part of the object that was given.
    MemoryOutsideObject,
    /// A choice where none can be made.
    Choice,
    /// A choice in a static initialiser.
    ChoiceInInitialiser,
    /// A choice in a call that the machine makes by itself.
    ChoiceOutsideCode,
    /// A method cannot be selected: the error.
    Selection(String),
    /// An invariant that changes its object.
    ChangingInvariant,
    /// A receiver of a class that has no instances.
    Receiver(String),
    /// An unknown object of a class.
    UnknownObject(String),
    /// A look into an unknown object of a class that is not opened.
    Inside {
        /// The object, as a term.
        object: String,
        /// Its class.
        class: String,
    },
    /// An object of which nothing but the class is known, as an argument.
    OpaqueArgument(String),
    /// A constant of an enum that is not there: class and name.
    MissingConstant(String, String),
    /// A class whose initialisation throws: class and exception.
    FailedInitialisation(String, String),
    /// An array whose type is not known.
    UntypedArray,
    /// An unknown object as an element of an array of which only the elements' interface is known.
    UnknownElement,
    /// A copy of enum constants that are unknown.
    CopyOfConstants,
    /// A copy of elements to an array that may not take them: both types.
    CopyOfElements(String, String),
    /// An answer from outside that is no part of the call, by the method that gives it.
    AnswerBeside(String),
    /// A stub that is no input.
    StrayStub,
    /// A method that a stub does not have.
    StubMethod,
    /// A comparator that does not compare two objects.
    ComparatorArguments,
    /// A call on an object of which only an interface is known; of the object nothing is said where calls are counted.
    CallOnInterface {
        /// The method.
        method: String,
        /// The receiver, as a term.
        receiver: Option<String>,
    },
    /// The class of an object of which only an interface is known: the term.
    ClassOfInterface(String),
    /// Whether an object of which only an interface is known is of a class: the term, and the class.
    InstanceOfInterface(String, String),
    /// The exception's own `getMessage` throws.
    ThrowingMessage,
    /// A method of the program that is called for an input or a message throws: exception and method.
    Throwing(String, String),
    /// A decision that the solver does not know.
    Undecided(Undecided),
    /// A class or method that is broken or missing.
    Broken(String),
}

impl Feature {
    /// What it is without the terms of the path that met it: so that it can be counted.
    pub fn general(&self) -> Feature {
        match self {
            Feature::Undecided(Undecided::Guard(_)) => Feature::Undecided(Undecided::Guard(None)),
            Feature::Undecided(Undecided::Native { method, .. }) => {
                Feature::Undecided(Undecided::Native { method: method.clone(), on: None })
            }
            Feature::CallOnInterface { method, .. } => {
                Feature::CallOnInterface { method: method.clone(), receiver: None }
            }
            other => other.clone(),
        }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Feature::Platform(part) => write!(f, "{part}"),
            Feature::Native { method, topic: Some(topic) } => {
                write!(f, "{topic} (the native method {method})")
            }
            Feature::Native { method, topic: None } => write!(f, "the native method {method}"),
            Feature::HandleCall(name, descriptor) => {
                write!(f, "method handles ({name}{descriptor})")
            }
            Feature::HandleMethod(method) => f.write_str(method),
            Feature::HandleConstant => f.write_str("a method-handle constant"),
            Feature::MethodTypeConstant => f.write_str("a method-type constant"),
            Feature::Bootstrap(method) => write!(f, "the bootstrap method {method}"),
            Feature::Exit(status) => write!(f, "the end of the JVM (exit status {status})"),
            Feature::Services(providers) => write!(f, "{providers}"),
            Feature::Library(library) => write!(f, "{library}"),
            Feature::ClassWithoutType => f.write_str("a Class object that stands for no type"),
            Feature::ClassWithoutClass => f.write_str("a Class object without a class"),
            Feature::OwnMethodObject => f.write_str("a method object that the program made itself"),
            Feature::OwnFieldObject => f.write_str("a Field that the program made itself"),
            Feature::MemberWithoutClass => f.write_str("a member object without a class"),
            Feature::AccessWithoutCaller => f.write_str("access by reflection without a caller"),
            Feature::AccessInside(name) => write!(f, "access to the inside of {name}"),
            Feature::MemoryOutsideHeap => f.write_str("memory outside of the heap"),
            Feature::MemoryOutsideObject => f.write_str("memory outside of an object"),
            Feature::Choice => f.write_str("a choice"),
            Feature::ChoiceInInitialiser => f.write_str("a choice while a class is initialised"),
            Feature::ChoiceOutsideCode => {
                f.write_str("a choice in a call that no instruction makes")
            }
            Feature::Selection(error) | Feature::Broken(error) => f.write_str(error),
            Feature::ChangingInvariant => f.write_str("an invariant that changes its object"),
            Feature::Receiver(class) => write!(f, "an unknown receiver of class {class}"),
            Feature::UnknownObject(class) => write!(f, "an unknown {class}"),
            Feature::Inside { object, class } => write!(f, "the inside of {object}, a {class}"),
            Feature::OpaqueArgument(class) => write!(f, "an opaque {class} as an argument"),
            Feature::MissingConstant(class, name) => {
                write!(f, "{class}.{name}, a constant that is not there")
            }
            Feature::FailedInitialisation(class, thrown) => {
                write!(f, "{class}, whose initialisation throws {thrown}")
            }
            Feature::UntypedArray => f.write_str("an array of unknown type"),
            Feature::UnknownElement => f.write_str("an unknown object as an element of an array"),
            Feature::CopyOfConstants => f.write_str("a copy of unknown enum constants"),
            Feature::CopyOfElements(from, to) => {
                write!(f, "a copy of elements of {from}[] that {to}[] may not take")
            }
            Feature::AnswerBeside(method) => {
                write!(f, "an answer of {method} while a class is initialised or an input is built")
            }
            Feature::StrayStub => f.write_str("a stub that is no input"),
            Feature::StubMethod => f.write_str("a stub without this method"),
            Feature::ComparatorArguments => f.write_str("a comparison of other than two objects"),
            Feature::CallOnInterface { method, receiver } => {
                write!(f, "a call of {method}")?;
                receiver.as_ref().map_or(Ok(()), |receiver| {
                    write!(f, " on {receiver}, of which only an interface is known")
                })
            }
            Feature::ClassOfInterface(object) => write!(f, "the class of {object}"),
            Feature::InstanceOfInterface(object, class) => {
                write!(f, "whether {object}, of which only an interface is known, is a {class}")
            }
            Feature::ThrowingMessage => f.write_str("getMessage throws"),
            Feature::Throwing(exception, method) => write!(f, "{exception} thrown by {method}"),
            Feature::Undecided(what) => write!(f, "{what}"),
        }
    }
}
