//! Rules, predicates and procedures.

use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

use petrel_classfile::{JavaString, Opcode};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::literal::{Callee, DynamicSite, Guard, Literal, MethodHandle};
use crate::loops::LoopForest;
use crate::term::{Kind, Operand, VarId};

/// A method, by the class that declares it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodRef {
    /// Internal name of the class.
    pub class: Box<str>,
    /// Name of the method.
    pub name: Box<str>,
    /// Method descriptor.
    pub descriptor: Box<str>,
}

/// Displays as `pkg/Class.name(descriptor)`.
impl fmt::Display for MethodRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}{}", self.class, self.name, self.descriptor)
    }
}

/// A field, by the class that declares it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldRef {
    /// Internal name of the class.
    pub class: Box<str>,
    /// Name of the field.
    pub name: Box<str>,
    /// Field descriptor.
    pub descriptor: Box<str>,
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index into its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            fn from(index: usize) -> $name {
                $name(index as u32)
            }
        }
    )*};
}

ids! {
    /// A class in the tables of a procedure.
    ClassId;
    /// A field in the tables of a procedure.
    FieldId;
    /// A method in the tables of a procedure.
    MethodId;
    /// A string in the tables of a procedure.
    StringId;
    /// A method handle in the tables of a procedure.
    HandleId;
    /// A dynamic call site or constant in the tables of a procedure.
    DynamicId;
    /// A predicate of a procedure.
    PredicateId;
}

/// A set with numbered elements.
#[derive(Debug, Clone)]
pub struct Table<T> {
    entries: Vec<T>,
    /// Number by hash; entries with equal hashes take the next free ones.
    numbers: FxHashMap<u64, u32>,
}

impl<T: Eq + Hash> Table<T> {
    /// The number of an element, which is added if it is new.
    pub fn add(&mut self, entry: T) -> usize {
        let mut hash = FxBuildHasher.hash_one(&entry);
        while let Some(&number) = self.numbers.get(&hash) {
            if self.entries[number as usize] == entry {
                return number as usize;
            }
            hash = hash.wrapping_add(1);
        }
        let number = self.entries.len();
        self.numbers.insert(hash, number as u32);
        self.entries.push(entry);
        number
    }
}

impl<T> Table<T> {
    /// The elements in the order of their numbers.
    pub fn entries(&self) -> &[T] {
        &self.entries
    }
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table { entries: Vec::new(), numbers: FxHashMap::default() }
    }
}

impl<T: PartialEq> PartialEq for Table<T> {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

/// What the rules of a procedure name. Each procedure has its own tables, so that translating one
/// method shares nothing with translating another.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tables {
    /// Classes by `Class` constant name (or primitive descriptor, for `Class` objects).
    pub classes: Table<Box<str>>,
    /// Fields.
    pub fields: Table<FieldRef>,
    /// Methods.
    pub methods: Table<MethodRef>,
    /// Strings.
    pub strings: Table<JavaString>,
    /// Method handles.
    pub handles: Table<MethodHandle>,
    /// Dynamic call sites and constants.
    pub dynamics: Table<DynamicSite>,
}

impl Tables {
    /// The number of a class.
    pub fn class(&mut self, name: &str) -> ClassId {
        self.classes.add(name.into()).into()
    }

    /// The number of a string.
    pub fn string(&mut self, value: JavaString) -> StringId {
        self.strings.add(value).into()
    }

    /// A class's name. Numbers come from the same tables, see [`crate::verify`].
    pub fn class_name(&self, class: ClassId) -> &str {
        self.classes.entries.get(class.index()).map_or("?", |name| name)
    }

    /// A field.
    pub fn field(&self, field: FieldId) -> Option<&FieldRef> {
        self.fields.entries.get(field.index())
    }

    /// A method.
    pub fn method(&self, method: MethodId) -> Option<&MethodRef> {
        self.methods.entries.get(method.index())
    }

    /// Kind of a field's values.
    pub fn field_kind(&self, field: FieldId) -> Kind {
        self.field(field).map_or(Kind::Int, |field| Kind::of_descriptor(&field.descriptor))
    }

    /// The method descriptor that a callee is called with; `None` for initialisation.
    pub fn callee_descriptor(&self, callee: Callee) -> Option<&str> {
        match callee {
            Callee::Dynamic(site) | Callee::DynamicConstant(site) => {
                self.dynamics.entries.get(site.index()).map(|site| &*site.descriptor)
            }
            _ => callee.method().and_then(|method| self.method(method)).map(|m| &*m.descriptor),
        }
    }

    /// Kind of a callee's result.
    pub fn result_kind(&self, callee: Callee) -> Option<Kind> {
        match callee {
            Callee::DynamicConstant(_) => self.callee_descriptor(callee).map(Kind::of_descriptor),
            _ => self.callee_descriptor(callee).and_then(Kind::of_result),
        }
    }
}

/// An array whose class and length are known because the same rules made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KnownArray {
    /// The array class.
    pub class: ClassId,
    /// Its constant length.
    pub length: i32,
}

/// A variable of a rule, or a parameter of a predicate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Name, unique in the rule: from the source where the class file has it.
    pub name: Arc<str>,
    /// What it ranges over.
    pub kind: Kind,
    /// A reference that is certainly not null.
    pub non_null: bool,
    /// A reference that is certainly this array.
    pub array: Option<KnownArray>,
}

/// A bytecode instruction that a rule stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InstructionRef {
    /// Offset in the method's code.
    pub pc: u16,
    /// Its opcode.
    pub opcode: Opcode,
    /// Source line; 0 if the class file does not say.
    pub line: u16,
}

/// A literal of the body of a rule, with the place of what it was translated from.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// Offset of its instruction: one of the rule's, or the one that decides the rules of the predicate. A
    /// division by an unknown number is a choice; the rule before has the instruction, and the rule in which
    /// the divisor is not zero has the literal.
    pub pc: u16,
    /// The literal.
    pub literal: Literal,
}

/// How a rule ends.
#[derive(Debug, Clone, PartialEq)]
pub enum End {
    /// Goes on in another predicate of the procedure.
    Continue(PredicateId, Vec<Operand>),
    /// Returns from the method.
    Return(Option<Operand>),
    /// Ends the method with an uncaught exception.
    Throw(Operand),
}

/// One rule: `head :- guards, body, end`.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// Conditions under which it applies.
    pub guards: Vec<Guard>,
    /// What it does.
    pub body: Vec<Placed>,
    /// How it ends.
    pub end: End,
    /// Its variables in the order in which they are bound; the parameters first.
    pub variables: Vec<Variable>,
    /// `instr` of the papers: the instructions that were translated into this rule.
    pub instructions: Vec<InstructionRef>,
}

impl Rule {
    /// The source lines that the rule stands for, each once, in the order of execution.
    pub fn lines(&self) -> Vec<u16> {
        let mut lines = Vec::new();
        for instruction in &self.instructions {
            if instruction.line != 0 && !lines.contains(&instruction.line) {
                lines.push(instruction.line);
            }
        }
        lines
    }

    /// The literals of the body, wherever they come from.
    pub fn literals(&self) -> impl ExactSizeIterator<Item = &Literal> {
        self.body.iter().map(|placed| &placed.literal)
    }

    /// The call that the body ends with.
    pub fn call(&self) -> Option<&crate::Call> {
        match self.body.last() {
            Some(Placed { literal: Literal::Call(call), .. }) => Some(call),
            _ => None,
        }
    }
}

/// Trace parameters ("Resource-driven CLP-based test case generation", Def. 2) of the body of a rule, or of
/// its beginning: the variables that the memory consumption depends on, which are the sizes of new arrays.
pub fn trace_parameters(body: &[Placed]) -> Vec<VarId> {
    let mut parameters = Vec::new();
    for Placed { literal, .. } in body {
        let lengths = match literal {
            Literal::NewArray { length, .. } => std::slice::from_ref(length),
            Literal::NewMultiArray { lengths, .. } => lengths,
            _ => &[],
        };
        for length in lengths {
            if let Operand::Variable(variable) = length
                && !parameters.contains(variable)
            {
                parameters.push(*variable);
            }
        }
    }
    parameters
}

/// What a predicate stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PredicateKind {
    /// The method's entry.
    Entry,
    /// A block that several others lead to.
    Block,
    /// A block that starts a loop.
    Loop,
    /// An exception handler that several places lead to.
    Catch,
    /// The continuation of a block that ends in a choice.
    Choice,
}

/// A predicate: rules with mutually exclusive guards.
#[derive(Debug, Clone, PartialEq)]
pub struct Predicate {
    /// Name, unique in the procedure.
    pub name: Box<str>,
    /// What it stands for.
    pub kind: PredicateKind,
    /// Offset of the instruction that it starts at, or that decides its rules.
    pub pc: u16,
    /// Its parameters.
    pub parameters: Vec<Variable>,
    /// Its rules; the first is rule 1 in traces.
    pub rules: Vec<Rule>,
}

/// The translation of one method. Predicate 0 is the entry.
#[derive(Debug, Clone, PartialEq)]
pub struct Procedure {
    /// The method.
    pub method: MethodRef,
    /// Whether it has no receiver.
    pub is_static: bool,
    /// The `SourceFile` of its class.
    pub source_file: Option<Box<str>>,
    /// Its predicates.
    pub predicates: Vec<Predicate>,
    /// What its rules name.
    pub tables: Tables,
}

impl Procedure {
    /// The loops of the procedure: cycles of predicates.
    pub fn loops(&self) -> LoopForest {
        let successors: Vec<Vec<usize>> = self
            .predicates
            .iter()
            .map(|predicate| {
                let mut successors = Vec::new();
                for rule in &predicate.rules {
                    if let End::Continue(target, _) = &rule.end {
                        successors.push(target.index());
                    }
                }
                successors
            })
            .collect();
        LoopForest::of(&successors)
    }

    /// All rules.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.predicates.iter().flat_map(|predicate| &predicate.rules)
    }

    /// All instructions, in the order of the rules.
    pub fn instructions(&self) -> impl Iterator<Item = &InstructionRef> {
        self.rules().flat_map(|rule| &rule.instructions)
    }

    /// Kind of the result; `None` for `void`.
    pub fn result_kind(&self) -> Option<Kind> {
        Kind::of_result(&self.method.descriptor)
    }
}
