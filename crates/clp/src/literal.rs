//! Guards and the literals of rule bodies.

use petrel_classfile::{JavaString, ReferenceKind};

use crate::rule::{ClassId, DynamicId, FieldId, FieldRef, HandleId, MethodId, MethodRef, StringId};
use crate::term::{ArithmeticKind, Comparison, Operand, Operation, VarId};

/// A condition under which a rule applies. Guards come in complementary pairs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Guard {
    /// A comparison of two numbers. For floats, `nan` says whether it holds when one is NaN.
    Compare {
        /// Kind of both operands.
        kind: ArithmeticKind,
        /// The relation.
        comparison: Comparison,
        /// Left side.
        left: Operand,
        /// Right side.
        right: Operand,
        /// Whether NaN satisfies the guard; `false` for integers.
        nan: bool,
    },
    /// An `int` is one of these, in ascending order.
    OneOf(Operand, Vec<i32>),
    /// An `int` is none of these, in ascending order.
    NoneOf(Operand, Vec<i32>),
    /// The reference is null.
    IsNull(Operand),
    /// The reference is not null.
    NonNull(Operand),
    /// Both references are the same.
    Same(Operand, Operand),
    /// The references differ.
    Different(Operand, Operand),
    /// The index is within the (non-null) array.
    InBounds {
        /// The array.
        array: Operand,
        /// The index.
        index: Operand,
    },
    /// The index is outside of the (non-null) array.
    OutOfBounds {
        /// The array.
        array: Operand,
        /// The index.
        index: Operand,
    },
    /// Not null and an instance of the class: Java's `instanceof`.
    Instance(Operand, ClassId),
    /// Null or no instance of the class.
    NotInstance(Operand, ClassId),
    /// Null or an instance of the class: the cast succeeds.
    Castable(Operand, ClassId),
    /// Not null and no instance of the class.
    NotCastable(Operand, ClassId),
    /// The (non-null) array may hold the reference.
    Storable {
        /// The array.
        array: Operand,
        /// The value to store.
        value: Operand,
    },
    /// The (non-null) array may not hold the reference.
    NotStorable {
        /// The array.
        array: Operand,
        /// The value to store.
        value: Operand,
    },
    /// The call ended normally.
    Returned(VarId),
    /// The call ended with an exception, which the second variable is bound to.
    Threw(VarId, VarId),
}

impl Guard {
    /// An integer comparison.
    pub fn compare_ints(comparison: Comparison, left: Operand, right: Operand) -> Guard {
        Guard::Compare { kind: ArithmeticKind::Int, comparison, left, right, nan: false }
    }

    /// Whether the two cannot hold together because one is the other's negation, or because they
    /// are cases of one switch.
    pub fn excludes(&self, other: &Guard) -> bool {
        use Guard::*;
        match (self, other) {
            (OneOf(left, values), OneOf(right, others)) => {
                left == right && !values.iter().any(|value| others.contains(value))
            }
            (OneOf(left, values), NoneOf(right, others))
            | (NoneOf(right, others), OneOf(left, values)) => {
                left == right && values.iter().all(|value| others.contains(value))
            }
            (Returned(left), Threw(right, _)) | (Threw(right, _), Returned(left)) => left == right,
            _ => self.negated().as_ref() == Some(other),
        }
    }

    /// The guard that holds exactly when this does not; `None` where the negation is not one guard
    /// (of a switch's case) or binds a variable (of a normal exit).
    pub fn negated(&self) -> Option<Guard> {
        use Guard::*;
        Some(match self.clone() {
            Compare { kind, comparison, left, right, nan } => {
                let float = matches!(kind, ArithmeticKind::Float | ArithmeticKind::Double);
                let comparison = comparison.negated();
                Compare { kind, comparison, left, right, nan: float && !nan }
            }
            OneOf(operand, values) => NoneOf(operand, values),
            NoneOf(operand, values) => OneOf(operand, values),
            IsNull(operand) => NonNull(operand),
            NonNull(operand) => IsNull(operand),
            Same(left, right) => Different(left, right),
            Different(left, right) => Same(left, right),
            InBounds { array, index } => OutOfBounds { array, index },
            OutOfBounds { array, index } => InBounds { array, index },
            Instance(operand, class) => NotInstance(operand, class),
            NotInstance(operand, class) => Instance(operand, class),
            Castable(operand, class) => NotCastable(operand, class),
            NotCastable(operand, class) => Castable(operand, class),
            Storable { array, value } => NotStorable { array, value },
            NotStorable { array, value } => Storable { array, value },
            Threw(exit, _) => Returned(exit),
            Returned(_) => return None,
        })
    }

    /// The variable that the guard binds.
    pub fn defines(&self) -> Option<VarId> {
        match self {
            Guard::Threw(_, exception) => Some(*exception),
            _ => None,
        }
    }
}

/// What an array instruction moves. `ByteOrBoolean` is one kind, as on the JVM: the array decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names are Java's own")]
pub enum ElementKind {
    Int,
    Long,
    Float,
    Double,
    Reference,
    ByteOrBoolean,
    Char,
    Short,
}

impl ElementKind {
    /// In the order of the JVM's array load and store opcodes, with the name in the text.
    pub const ALL: [(ElementKind, &'static str); 8] = [
        (ElementKind::Int, "int"),
        (ElementKind::Long, "long"),
        (ElementKind::Float, "float"),
        (ElementKind::Double, "double"),
        (ElementKind::Reference, "reference"),
        (ElementKind::ByteOrBoolean, "byte"),
        (ElementKind::Char, "char"),
        (ElementKind::Short, "short"),
    ];

    /// Of the elements of an array class, by its name.
    pub fn of_array(class: &str) -> Option<ElementKind> {
        Some(match class.strip_prefix('[')?.as_bytes().first()? {
            b'I' => ElementKind::Int,
            b'J' => ElementKind::Long,
            b'F' => ElementKind::Float,
            b'D' => ElementKind::Double,
            b'B' | b'Z' => ElementKind::ByteOrBoolean,
            b'C' => ElementKind::Char,
            b'S' => ElementKind::Short,
            b'L' | b'[' => ElementKind::Reference,
            _ => return None,
        })
    }

    /// Kind of the element's value in a variable.
    pub fn kind(self) -> crate::Kind {
        match self {
            ElementKind::Long => crate::Kind::Long,
            ElementKind::Float => crate::Kind::Float,
            ElementKind::Double => crate::Kind::Double,
            ElementKind::Reference => crate::Kind::Reference,
            _ => crate::Kind::Int,
        }
    }
}

/// A literal of a rule body. None of them throws or branches, a call apart: the guards of the rule
/// and the known facts about its variables rule that out (see `verify`).
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    /// `Target #= operation(operands)`.
    Compute {
        /// Variable that gets the result.
        target: VarId,
        /// The function.
        operation: Operation,
        /// Its arguments.
        operands: Vec<Operand>,
    },
    /// A new object with default field values.
    NewObject {
        /// Its reference.
        target: VarId,
        /// Its class.
        class: ClassId,
    },
    /// A new array with default elements; the length is not negative.
    NewArray {
        /// Its reference.
        target: VarId,
        /// The array class, such as `[I`.
        class: ClassId,
        /// Its length.
        length: Operand,
    },
    /// A new array of arrays; no length is negative.
    NewMultiArray {
        /// Its reference.
        target: VarId,
        /// The array class.
        class: ClassId,
        /// Lengths of the outer dimensions.
        lengths: Vec<Operand>,
    },
    /// Length of a non-null array.
    ArrayLength {
        /// The length.
        target: VarId,
        /// The array.
        array: Operand,
    },
    /// Reads a field of a non-null object.
    GetField {
        /// The value.
        target: VarId,
        /// The object.
        object: Operand,
        /// The field.
        field: FieldId,
    },
    /// Writes a field of a non-null object. Narrow fields truncate the value.
    SetField {
        /// The object.
        object: Operand,
        /// The field.
        field: FieldId,
        /// The value.
        value: Operand,
    },
    /// Reads a static field of an initialised class.
    GetStatic {
        /// The value.
        target: VarId,
        /// The field.
        field: FieldId,
    },
    /// Writes a static field of an initialised class.
    SetStatic {
        /// The field.
        field: FieldId,
        /// The value.
        value: Operand,
    },
    /// Reads an element; the array is not null and the index within its bounds.
    GetArray {
        /// The value.
        target: VarId,
        /// What is read.
        element: ElementKind,
        /// The array.
        array: Operand,
        /// The index.
        index: Operand,
    },
    /// Writes an element; the array is not null, the index within its bounds and the value storable.
    SetArray {
        /// What is written.
        element: ElementKind,
        /// The array.
        array: Operand,
        /// The index.
        index: Operand,
        /// The value.
        value: Operand,
    },
    /// 1 if the reference is a non-null instance of the class, else 0.
    InstanceOf {
        /// The answer.
        target: VarId,
        /// The reference.
        object: Operand,
        /// The class.
        class: ClassId,
    },
    /// The interned string with this value.
    LoadString {
        /// Its reference.
        target: VarId,
        /// Its value.
        string: StringId,
    },
    /// The `Class` object of a type, by `Class` constant name or primitive descriptor.
    LoadClass {
        /// Its reference.
        target: VarId,
        /// The type.
        class: ClassId,
    },
    /// A `MethodHandle` constant.
    LoadMethodHandle {
        /// Its reference.
        target: VarId,
        /// The handle.
        handle: HandleId,
    },
    /// A `MethodType` constant.
    LoadMethodType {
        /// Its reference.
        target: VarId,
        /// The method descriptor, as a string constant.
        descriptor: StringId,
    },
    /// An exception object that the JVM itself makes.
    NewThrowable {
        /// Its reference.
        target: VarId,
        /// Its exact class.
        class: ClassId,
        /// What its message says.
        message: Message,
    },
    /// A call of another procedure.
    Call(Call),
}

/// The variable that a literal other than a call binds, from a shared or an exclusive reference.
macro_rules! target {
    ($literal:expr) => {
        match $literal {
            Literal::Compute { target, .. }
            | Literal::NewObject { target, .. }
            | Literal::NewArray { target, .. }
            | Literal::NewMultiArray { target, .. }
            | Literal::ArrayLength { target, .. }
            | Literal::GetField { target, .. }
            | Literal::GetStatic { target, .. }
            | Literal::GetArray { target, .. }
            | Literal::InstanceOf { target, .. }
            | Literal::LoadString { target, .. }
            | Literal::LoadClass { target, .. }
            | Literal::LoadMethodHandle { target, .. }
            | Literal::LoadMethodType { target, .. }
            | Literal::NewThrowable { target, .. } => Some(target),
            Literal::Call(_)
            | Literal::SetField { .. }
            | Literal::SetStatic { .. }
            | Literal::SetArray { .. } => None,
        }
    };
}

impl Literal {
    /// The variable that the literal binds first; a call binds its exit too.
    pub fn defines(&self) -> Option<VarId> {
        match self {
            Literal::Call(call) => call.result,
            other => target!(other).copied(),
        }
    }

    /// The variable that a literal other than a call binds.
    pub fn target_mut(&mut self) -> Option<&mut VarId> {
        target!(self)
    }
}

/// The message of an exception that the JVM makes, in terms of the values it speaks of.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// No message.
    None,
    /// A fixed text.
    Text(StringId),
    /// `Index 5 out of bounds for length 3`.
    Bounds {
        /// The array.
        array: Operand,
        /// The index.
        index: Operand,
    },
    /// The negative array size.
    Size(Operand),
    /// `class A cannot be cast to class B ...`.
    Cast {
        /// What was to be cast.
        object: Operand,
        /// The class that it is not an instance of.
        class: ClassId,
    },
    /// The class of the value that an array does not take.
    Store {
        /// The value.
        value: Operand,
    },
    /// The helpful message of a `NullPointerException`, made from the instruction at this offset.
    Null {
        /// Offset of the instruction.
        pc: u16,
    },
}

/// A call. It is the last literal of its rule's body: the rule goes on in a predicate that tells the
/// exits apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// What is called.
    pub callee: Callee,
    /// The arguments, the receiver first.
    pub arguments: Vec<Operand>,
    /// Variable for the result; bound only if the call returns normally.
    pub result: Option<VarId>,
    /// Variable for the way it ends.
    pub exit: VarId,
}

/// What a call goes to. Methods are resolved; virtual and interface calls select among the methods
/// that override the resolved one by the class of the receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Callee {
    /// A static method of an initialised class.
    Static(MethodId),
    /// Exactly this method: constructors, private methods, `super` calls.
    Special(MethodId),
    /// Selected in the receiver's class; the resolved method belongs to a class.
    Virtual(MethodId),
    /// Selected in the receiver's class; the resolved method belongs to an interface.
    Interface(MethodId),
    /// A signature-polymorphic method (`MethodHandle.invokeExact` and the like); the descriptor is
    /// the call's own.
    Polymorphic(MethodId),
    /// A dynamic call site whose bootstrap method is not one that the translation knows.
    Dynamic(DynamicId),
    /// A dynamic constant whose bootstrap method is not one that the translation knows.
    DynamicConstant(DynamicId),
    /// Initialisation of a class, unless that has happened.
    Initialise(ClassId),
}

impl Callee {
    /// The method, for calls that name one.
    pub fn method(self) -> Option<MethodId> {
        match self {
            Callee::Static(method)
            | Callee::Special(method)
            | Callee::Virtual(method)
            | Callee::Interface(method)
            | Callee::Polymorphic(method) => Some(method),
            Callee::Dynamic(_) | Callee::DynamicConstant(_) | Callee::Initialise(_) => None,
        }
    }
}

/// A dynamic call site or constant, as the class file states it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DynamicSite {
    /// The bootstrap method.
    pub bootstrap: MethodHandle,
    /// Name that is passed to it.
    pub name: Box<str>,
    /// Method descriptor (call site) or field descriptor (constant).
    pub descriptor: Box<str>,
    /// Static arguments.
    pub arguments: Vec<StaticArgument>,
}

/// A method-handle constant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum MethodHandle {
    /// Access to a field.
    Field(ReferenceKind, FieldRef),
    /// Call of a method.
    Method(ReferenceKind, MethodRef),
}

/// A static argument of a bootstrap method.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are those of the constants")]
pub enum StaticArgument {
    Int(i32),
    Long(i64),
    Float(u32),
    Double(u64),
    String(JavaString),
    Class(Box<str>),
    MethodType(Box<str>),
    MethodHandle(MethodHandle),
    Dynamic(Box<DynamicSite>),
}
