//! Why a class could not be loaded, and why a reference could not be linked.
//!
//! A [`LoadError`] is about classes and is reported to the user; a [`LinkageError`] is what the JVM
//! would throw into the running program, so that it is data for the translation.

use std::sync::Arc;

use petrel_classfile::ClassFileError;

use crate::names::external_class;

/// Why a class is not there or cannot be used. The error of a class depends on the classes alone,
/// not on the order in which they were asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// There is no such class.
    #[error("class {name} was not found{}", needed(.needed_by))]
    NotFound {
        /// The missing class.
        name: Arc<str>,
        /// The class that has it as a direct supertype, if it was not asked for itself.
        needed_by: Option<Arc<str>>,
    },
    /// The class is there but its bytes cannot be had.
    #[error("class {name} cannot be read: {message}")]
    Unreadable {
        /// The class.
        name: Arc<str>,
        /// What the provider said; it names the file.
        message: String,
    },
    /// The bytes are not a class file.
    #[error("{origin}: {error}")]
    Malformed {
        /// The class that was asked for.
        name: Arc<str>,
        /// Where the bytes come from.
        origin: String,
        /// What is wrong with them.
        error: Box<ClassFileError>,
    },
    /// The class file holds another class.
    #[error("{origin} should hold class {name} but holds {found}")]
    WrongName {
        /// The class that was asked for.
        name: Arc<str>,
        /// The class in the file.
        found: String,
        /// Where the bytes come from.
        origin: String,
    },
    /// The file describes a module.
    #[error("{origin}: {name} describes a module and is not a class")]
    Module {
        /// The name in the file.
        name: Arc<str>,
        /// Where the bytes come from.
        origin: String,
    },
    /// The class is its own supertype.
    #[error("class {name} is its own superclass or superinterface")]
    Circular {
        /// The class: itself on the cycle.
        name: Arc<str>,
        /// All classes on the cycle, the least name first; each is a direct supertype of the one
        /// before it.
        cycle: Arc<[Arc<str>]>,
    },
    /// There are more supertypes above one another than [`MAX_DEPTH`](crate::MAX_DEPTH).
    #[error("class {name} has more than {} supertypes above one another", crate::MAX_DEPTH)]
    TooDeep {
        /// The first class that is too deep.
        name: Arc<str>,
    },
    /// A class and a direct supertype do not fit.
    #[error("{}", .problem.message(.class, .supertype))]
    Supertype {
        /// The class.
        class: Arc<str>,
        /// Its direct superclass or superinterface.
        supertype: Arc<str>,
        /// Why they do not fit.
        problem: SupertypeProblem,
    },
    /// A method overrides a final one.
    #[error("{}", overrides_final(.class, .supertype, .method))]
    OverridesFinal {
        /// The class that declares the method.
        class: Arc<str>,
        /// The superclass whose method is final.
        supertype: Arc<str>,
        /// Name and descriptor.
        method: String,
    },
    /// A synthesised class has the name of a class that exists with other contents.
    #[error("class {name} cannot be synthesised: there is one in {origin}")]
    AlreadyDefined {
        /// The class.
        name: Arc<str>,
        /// Where the other one is.
        origin: String,
    },
}

/// How a class and its direct supertype fail to fit (JVMS 5.3.5, steps 3 and 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SupertypeProblem {
    /// The superclass is an interface.
    SuperclassIsInterface,
    /// The superclass is final.
    SuperclassIsFinal,
    /// The superclass is not accessible to the class.
    SuperclassIsInaccessible,
    /// The superclass is sealed and does not permit the class.
    SuperclassIsSealed,
    /// A superinterface is a class.
    InterfaceIsClass,
    /// A superinterface is not accessible to the class.
    InterfaceIsInaccessible,
    /// A superinterface is sealed and does not permit the class.
    InterfaceIsSealed,
}

impl SupertypeProblem {
    /// As HotSpot 17 words it.
    fn message(self, class: &str, supertype: &str) -> String {
        let (class, supertype) = (external_class(class), external_class(supertype));
        match self {
            Self::SuperclassIsInterface => {
                format!("class {class} has interface {supertype} as super class")
            }
            Self::SuperclassIsFinal => {
                format!("class {class} cannot inherit from final class {supertype}")
            }
            Self::SuperclassIsInaccessible => {
                format!("class {class} cannot access its superclass {supertype}")
            }
            Self::SuperclassIsSealed => {
                format!("class {class} cannot inherit from sealed class {supertype}")
            }
            Self::InterfaceIsClass => {
                format!(
                    "class {class} can not implement {supertype}, because it is not an interface"
                )
            }
            Self::InterfaceIsInaccessible => {
                format!("class {class} cannot access its superinterface {supertype}")
            }
            Self::InterfaceIsSealed => {
                format!("class {class} cannot implement sealed interface {supertype}")
            }
        }
    }

    fn java_class(self) -> &'static str {
        match self {
            Self::SuperclassIsInaccessible | Self::InterfaceIsInaccessible => {
                "java/lang/IllegalAccessError"
            }
            _ => "java/lang/IncompatibleClassChangeError",
        }
    }
}

fn needed(by: &Option<Arc<str>>) -> String {
    by.as_ref().map_or_else(String::new, |class| format!(", a supertype of {class}"))
}

fn overrides_final(class: &str, supertype: &str, method: &str) -> String {
    let (class, supertype) = (external_class(class), external_class(supertype));
    format!("class {class} overrides final method {supertype}.{method}")
}

impl LoadError {
    /// The error of a class one of whose direct supertypes has this error.
    pub(crate) fn in_subtype(self, class: &Arc<str>) -> LoadError {
        match self {
            LoadError::NotFound { name, needed_by: None } => {
                LoadError::NotFound { name, needed_by: Some(Arc::clone(class)) }
            }
            // Every class on the cycle is reported as circular itself, whichever came first.
            LoadError::Circular { cycle, .. } if cycle.contains(class) => {
                LoadError::Circular { name: Arc::clone(class), cycle }
            }
            other => other,
        }
    }

    /// What the JVM throws when it resolves a reference to the class. `asked` is the name in the
    /// reference.
    pub fn to_linkage_error(&self, asked: &str) -> LinkageError {
        let (java_class, message) = match self {
            // A missing supertype is named, and not the class that was asked for.
            LoadError::NotFound { name, needed_by: Some(_) } => {
                ("java/lang/NoClassDefFoundError", name.to_string())
            }
            // A class loader that cannot read a file says that it did not find the class.
            LoadError::NotFound { .. }
            | LoadError::Unreadable { .. }
            | LoadError::AlreadyDefined { .. } => {
                ("java/lang/NoClassDefFoundError", asked.to_owned())
            }
            LoadError::Malformed { error, .. } => {
                ("java/lang/ClassFormatError", error.reason.clone())
            }
            LoadError::WrongName { name, found, .. } => {
                ("java/lang/NoClassDefFoundError", format!("{name} (wrong name: {found})"))
            }
            LoadError::Module { name, .. } => (
                "java/lang/NoClassDefFoundError",
                format!("{name} is not a class because access_flag ACC_MODULE is set"),
            ),
            LoadError::Circular { name, .. } => {
                ("java/lang/ClassCircularityError", name.to_string())
            }
            LoadError::TooDeep { .. } => ("java/lang/StackOverflowError", String::new()),
            LoadError::Supertype { problem, .. } => (problem.java_class(), self.to_string()),
            LoadError::OverridesFinal { .. } => {
                ("java/lang/IncompatibleClassChangeError", self.to_string())
            }
        };
        LinkageError { java_class, message, cause: Some(Box::new(self.clone())) }
    }
}

/// An error that the JVM throws when it links a reference or selects a method (JVMS 5.4). The
/// messages are those of HotSpot 17, without what it adds in brackets on modules and class loaders.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{java_class}: {message}")]
pub struct LinkageError {
    /// Internal name of the exception class.
    pub java_class: &'static str,
    /// The exception's message.
    pub message: String,
    /// The class that could not be loaded, if that is why.
    pub cause: Option<Box<LoadError>>,
}

impl LinkageError {
    fn new(java_class: &'static str, message: String) -> LinkageError {
        LinkageError { java_class, message, cause: None }
    }

    pub(crate) fn incompatible_class_change(message: String) -> LinkageError {
        Self::new("java/lang/IncompatibleClassChangeError", message)
    }

    pub(crate) fn illegal_access(message: String) -> LinkageError {
        Self::new("java/lang/IllegalAccessError", message)
    }

    pub(crate) fn no_class_def_found(message: String) -> LinkageError {
        Self::new("java/lang/NoClassDefFoundError", message)
    }

    pub(crate) fn no_such_field(message: String) -> LinkageError {
        Self::new("java/lang/NoSuchFieldError", message)
    }

    pub(crate) fn no_such_method(message: String) -> LinkageError {
        Self::new("java/lang/NoSuchMethodError", message)
    }

    pub(crate) fn abstract_method(message: String) -> LinkageError {
        Self::new("java/lang/AbstractMethodError", message)
    }

    pub(crate) fn instantiation(message: String) -> LinkageError {
        Self::new("java/lang/InstantiationError", message)
    }

    pub(crate) fn verify(message: String) -> LinkageError {
        Self::new("java/lang/VerifyError", message)
    }
}
