//! The class library of a testbed: no code, and of each class what the machine looks at.

use petrel_classfile::flags;
use petrel_classfile::writer::ClassWriter;

/// A class of the library: its name, the class above it, and its fields. Fields that begin with a capital
/// letter are static.
pub(crate) struct LibraryClass {
    pub(crate) name: &'static str,
    above: Option<&'static str>,
    is_interface: bool,
    fields: &'static [(&'static str, &'static str)],
}

const fn class(name: &'static str, above: &'static str) -> LibraryClass {
    LibraryClass { name, above: Some(above), is_interface: false, fields: &[] }
}

const fn interface(name: &'static str) -> LibraryClass {
    LibraryClass { is_interface: true, ..class(name, OBJECT) }
}

pub(crate) const OBJECT: &str = "java/lang/Object";
const THROWABLE: &str = "java/lang/Throwable";
const EXCEPTION: &str = "java/lang/Exception";
const RUNTIME_EXCEPTION: &str = "java/lang/RuntimeException";
const INDEX_EXCEPTION: &str = "java/lang/IndexOutOfBoundsException";
const ERROR: &str = "java/lang/Error";
const LINKAGE_ERROR: &str = "java/lang/LinkageError";
const MACHINE_ERROR: &str = "java/lang/VirtualMachineError";

/// All classes of the library.
pub(crate) const LIBRARY: &[LibraryClass] = &[
    LibraryClass { name: OBJECT, above: None, is_interface: false, fields: &[] },
    interface("java/lang/Cloneable"),
    interface("java/io/Serializable"),
    // Messages are those of Java 9 and later if this class is there.
    class("java/lang/Module", OBJECT),
    class("java/lang/Class", OBJECT),
    LibraryClass {
        fields: &[("value", "[B"), ("coder", "B")],
        ..class("java/lang/String", OBJECT)
    },
    LibraryClass {
        fields: &[("value", "[B"), ("coder", "B"), ("count", "I")],
        ..class("java/lang/AbstractStringBuilder", OBJECT)
    },
    class("java/lang/StringBuilder", "java/lang/AbstractStringBuilder"),
    class("java/lang/StringBuffer", "java/lang/AbstractStringBuilder"),
    LibraryClass {
        fields: &[
            ("backtrace", "Ljava/lang/Object;"),
            ("depth", "I"),
            ("cause", "Ljava/lang/Throwable;"),
            ("detailMessage", "Ljava/lang/String;"),
            ("stackTrace", "[Ljava/lang/Object;"),
            ("suppressedExceptions", "Ljava/lang/Object;"),
            ("UNASSIGNED_STACK", "[Ljava/lang/Object;"),
            ("SUPPRESSED_SENTINEL", "Ljava/lang/Object;"),
        ],
        ..class(THROWABLE, OBJECT)
    },
    class(EXCEPTION, THROWABLE),
    class(RUNTIME_EXCEPTION, EXCEPTION),
    class("java/lang/ArithmeticException", RUNTIME_EXCEPTION),
    class("java/lang/ArrayStoreException", RUNTIME_EXCEPTION),
    class("java/lang/ClassCastException", RUNTIME_EXCEPTION),
    class("java/lang/IllegalArgumentException", RUNTIME_EXCEPTION),
    class("java/lang/NegativeArraySizeException", RUNTIME_EXCEPTION),
    class("java/lang/NullPointerException", RUNTIME_EXCEPTION),
    class(INDEX_EXCEPTION, RUNTIME_EXCEPTION),
    class("java/lang/ArrayIndexOutOfBoundsException", INDEX_EXCEPTION),
    class(ERROR, THROWABLE),
    class(LINKAGE_ERROR, ERROR),
    class("java/lang/ExceptionInInitializerError", LINKAGE_ERROR),
    class("java/lang/NoClassDefFoundError", LINKAGE_ERROR),
    class("java/lang/IncompatibleClassChangeError", LINKAGE_ERROR),
    class("java/lang/AbstractMethodError", "java/lang/IncompatibleClassChangeError"),
    class(MACHINE_ERROR, ERROR),
    class("java/lang/OutOfMemoryError", MACHINE_ERROR),
    class("java/lang/StackOverflowError", MACHINE_ERROR),
];

impl LibraryClass {
    /// The class file.
    pub(crate) fn bytes(&self) -> Option<Vec<u8>> {
        let kind =
            if self.is_interface { flags::INTERFACE | flags::ABSTRACT } else { flags::SUPER };
        let mut writer = match self.above {
            Some(above) => ClassWriter::new(flags::PUBLIC | kind, self.name, above, &[]),
            None => ClassWriter::root(flags::PUBLIC | kind, self.name),
        };
        for (name, descriptor) in self.fields {
            let is_static = name.starts_with(|first: char| first.is_ascii_uppercase());
            writer.field(if is_static { flags::STATIC } else { 0 }, name, descriptor);
        }
        writer.finish()
    }
}
