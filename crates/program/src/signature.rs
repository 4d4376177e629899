//! Generic signatures (JVMS 4.7.9.1): what the `Signature` attributes of classes, methods and
//! fields say about type parameters and type arguments.
//!
//! The JVM itself ignores them, so a malformed signature is no reason to refuse a class. Every
//! type displays as the text that it was read from.

use std::fmt;
use std::str::FromStr;

mod parse;

pub use parse::SignatureError;

/// The signature of a class or interface.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ClassSignature {
    /// Type parameters.
    pub parameters: Vec<TypeParameter>,
    /// The superclass.
    pub super_class: ClassType,
    /// The superinterfaces.
    pub interfaces: Vec<ClassType>,
}

/// The signature of a method.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MethodSignature {
    /// Type parameters.
    pub type_parameters: Vec<TypeParameter>,
    /// Types of the parameters. Compilers leave out parameters that they add themselves, so that
    /// there may be fewer than in the descriptor.
    pub parameters: Vec<TypeSignature>,
    /// `None` for `void`.
    pub result: Option<TypeSignature>,
    /// Exceptions: classes or type variables.
    pub exceptions: Vec<TypeSignature>,
}

/// A type parameter and its bounds: `T::Ljava/lang/Runnable;`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TypeParameter {
    /// Its name.
    pub name: Box<str>,
    /// The bound that is a class or type variable; `None` if there is none, which means `Object`.
    pub class_bound: Option<TypeSignature>,
    /// The bounds that are interfaces.
    pub interface_bounds: Vec<TypeSignature>,
}

/// A type. As the signature of a field it is not primitive.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TypeSignature {
    /// A primitive type.
    Primitive(PrimitiveType),
    /// A class or interface.
    Class(ClassType),
    /// A type variable.
    Variable(Box<str>),
    /// An array with this component type.
    Array(Box<TypeSignature>),
}

/// A primitive type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are Java's own")]
pub enum PrimitiveType {
    Boolean,
    Byte,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
}

/// A class type: `Ljava/util/Map<TK;TV;>.Entry<TK;TV;>;`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ClassType {
    /// The package in internal form; empty for the unnamed package.
    pub package: Box<str>,
    /// The outermost class that the signature tells apart. Its name may contain `$`.
    pub outermost: SimpleClassType,
    /// The member classes, from the outside in.
    pub members: Vec<SimpleClassType>,
}

/// A class name without qualification, and its type arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SimpleClassType {
    /// Its name.
    pub name: Box<str>,
    /// Type arguments; none for a raw or non-generic type.
    pub arguments: Vec<TypeArgument>,
}

/// A type argument. The types are not primitive.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TypeArgument {
    /// `?`.
    Any,
    /// A type.
    Exact(TypeSignature),
    /// `? extends` a type.
    Extends(TypeSignature),
    /// `? super` a type.
    Super(TypeSignature),
}

impl PrimitiveType {
    /// The letter in descriptors.
    pub fn letter(self) -> char {
        match self {
            Self::Boolean => 'Z',
            Self::Byte => 'B',
            Self::Char => 'C',
            Self::Short => 'S',
            Self::Int => 'I',
            Self::Long => 'J',
            Self::Float => 'F',
            Self::Double => 'D',
        }
    }

    fn from_letter(letter: u8) -> Option<PrimitiveType> {
        Some(match letter {
            b'Z' => Self::Boolean,
            b'B' => Self::Byte,
            b'C' => Self::Char,
            b'S' => Self::Short,
            b'I' => Self::Int,
            b'J' => Self::Long,
            b'F' => Self::Float,
            b'D' => Self::Double,
            _ => return None,
        })
    }
}

impl ClassType {
    /// The internal name of the class, with `$` before each member class.
    pub fn internal_name(&self) -> String {
        let mut name = self.package.to_string();
        if !name.is_empty() {
            name.push('/');
        }
        name.push_str(&self.outermost.name);
        for member in &self.members {
            name.push('$');
            name.push_str(&member.name);
        }
        name
    }

    /// The type arguments of the innermost class.
    pub fn arguments(&self) -> &[TypeArgument] {
        &self.members.last().unwrap_or(&self.outermost).arguments
    }
}

macro_rules! from_str {
    ($($type:ty),*) => {
        $(impl FromStr for $type {
            type Err = SignatureError;

            fn from_str(text: &str) -> Result<Self, SignatureError> {
                parse::whole(text)
            }
        })*
    };
}

from_str!(ClassSignature, MethodSignature, TypeSignature);

fn write_all<T: fmt::Display>(f: &mut fmt::Formatter<'_>, parts: &[T]) -> fmt::Result {
    parts.iter().try_for_each(|part| write!(f, "{part}"))
}

fn write_angled<T: fmt::Display>(f: &mut fmt::Formatter<'_>, parts: &[T]) -> fmt::Result {
    if parts.is_empty() {
        return Ok(());
    }
    f.write_str("<")?;
    write_all(f, parts)?;
    f.write_str(">")
}

impl fmt::Display for ClassSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_angled(f, &self.parameters)?;
        write!(f, "{}", self.super_class)?;
        write_all(f, &self.interfaces)
    }
}

impl fmt::Display for MethodSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_angled(f, &self.type_parameters)?;
        f.write_str("(")?;
        write_all(f, &self.parameters)?;
        match &self.result {
            Some(result) => write!(f, "){result}")?,
            None => f.write_str(")V")?,
        }
        self.exceptions.iter().try_for_each(|exception| write!(f, "^{exception}"))
    }
}

impl fmt::Display for TypeParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.name)?;
        if let Some(bound) = &self.class_bound {
            write!(f, "{bound}")?;
        }
        self.interface_bounds.iter().try_for_each(|bound| write!(f, ":{bound}"))
    }
}

impl fmt::Display for TypeSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TypeSignature::Primitive(primitive) => write!(f, "{}", primitive.letter()),
            TypeSignature::Class(class) => write!(f, "{class}"),
            TypeSignature::Variable(name) => write!(f, "T{name};"),
            TypeSignature::Array(component) => write!(f, "[{component}"),
        }
    }
}

impl fmt::Display for ClassType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("L")?;
        if !self.package.is_empty() {
            write!(f, "{}/", self.package)?;
        }
        write!(f, "{}", self.outermost)?;
        self.members.iter().try_for_each(|member| write!(f, ".{member}"))?;
        f.write_str(";")
    }
}

impl fmt::Display for SimpleClassType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        write_angled(f, &self.arguments)
    }
}

impl fmt::Display for TypeArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TypeArgument::Any => f.write_str("*"),
            TypeArgument::Exact(argument) => write!(f, "{argument}"),
            TypeArgument::Extends(bound) => write!(f, "+{bound}"),
            TypeArgument::Super(bound) => write!(f, "-{bound}"),
        }
    }
}
