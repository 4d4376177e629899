//! Rules in the making: what the walk over a method's blocks produces before blocks are merged and
//! variables named.

use petrel_clp::{
    End, Guard, InstructionRef, Kind, KnownArray, Operand, Placed, PredicateId, PredicateKind,
    VarId,
};

/// Where a variable's name can come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum NameHint {
    /// The receiver.
    This,
    /// A `Utf8` constant with the name of a source variable.
    Source(u16),
    /// A parameter or local variable slot without a name in the class file.
    Slot(u16),
    /// The field that the value was read from.
    Field(petrel_clp::FieldId),
    /// The method that returned the value.
    Result(petrel_clp::MethodId),
    /// A word for the value.
    Word(&'static str),
}

/// A variable of a draft rule, with what is known about its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DraftVariable {
    pub(crate) kind: Kind,
    pub(crate) non_null: bool,
    pub(crate) array: Option<KnownArray>,
    /// The exact class of an object that this method made, for the handlers of a `throw new`.
    pub(crate) exact: Option<petrel_clp::ClassId>,
    /// The narrow types that the value of an `int` is known to fit.
    pub(crate) fits: NarrowTypes,
    pub(crate) hint: NameHint,
}

/// A set of the types `boolean`, `byte`, `char` and `short`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct NarrowTypes(u8);

impl NarrowTypes {
    pub(crate) const NONE: NarrowTypes = NarrowTypes(0);
    const BOOLEAN: u8 = 1;
    const BYTE: u8 = 2;
    const CHAR: u8 = 4;
    const SHORT: u8 = 8;

    /// The types that every value of a type fits, by its descriptor.
    pub(crate) fn of_descriptor(descriptor: &str) -> NarrowTypes {
        NarrowTypes(match descriptor {
            "Z" => Self::BOOLEAN | Self::BYTE | Self::CHAR | Self::SHORT,
            "B" => Self::BYTE | Self::SHORT,
            "C" => Self::CHAR,
            "S" => Self::SHORT,
            _ => 0,
        })
    }

    /// The types that a constant fits.
    pub(crate) fn of_constant(value: i32) -> NarrowTypes {
        let bit = |fits: bool, bit: u8| if fits { bit } else { 0 };
        NarrowTypes(
            bit(matches!(value, 0 | 1), Self::BOOLEAN)
                | bit(i8::try_from(value).is_ok(), Self::BYTE)
                | bit(u16::try_from(value).is_ok(), Self::CHAR)
                | bit(i16::try_from(value).is_ok(), Self::SHORT),
        )
    }

    /// What two sets have in common.
    pub(crate) fn and(self, other: NarrowTypes) -> NarrowTypes {
        NarrowTypes(self.0 & other.0)
    }

    /// Whether values fit a type, by its descriptor.
    pub(crate) fn fits(self, descriptor: &str) -> bool {
        self.0
            & match descriptor {
                "Z" => Self::BOOLEAN,
                "B" => Self::BYTE,
                "C" => Self::CHAR,
                "S" => Self::SHORT,
                _ => return true,
            }
            != 0
    }
}

impl DraftVariable {
    pub(crate) fn new(kind: Kind, hint: NameHint) -> Self {
        let fits = NarrowTypes::NONE;
        DraftVariable { kind, non_null: false, array: None, exact: None, fits, hint }
    }

    /// A variable for the values of a type.
    pub(crate) fn of_descriptor(descriptor: &str, hint: NameHint) -> Self {
        let fits = NarrowTypes::of_descriptor(descriptor);
        DraftVariable { fits, ..Self::new(Kind::of_descriptor(descriptor), hint) }
    }

    pub(crate) fn non_null(hint: NameHint) -> Self {
        DraftVariable { non_null: true, ..Self::new(Kind::Reference, hint) }
    }
}

/// A rule in the making. Its end names predicates by [`Target`].
#[derive(Debug, Clone)]
pub(crate) struct DraftRule {
    pub(crate) guards: Vec<Guard>,
    pub(crate) body: Vec<Placed>,
    pub(crate) end: DraftEnd,
    pub(crate) variables: Vec<DraftVariable>,
    pub(crate) instructions: Vec<InstructionRef>,
}

impl DraftRule {
    pub(crate) fn new(variables: Vec<DraftVariable>) -> Self {
        DraftRule {
            guards: Vec::new(),
            body: Vec::new(),
            end: DraftEnd::Open,
            variables,
            instructions: Vec::new(),
        }
    }

    pub(crate) fn bind(&mut self, variable: DraftVariable) -> VarId {
        self.variables.push(variable);
        VarId(self.variables.len() as u32 - 1)
    }
}

/// How a draft rule ends.
#[derive(Debug, Clone)]
pub(crate) enum DraftEnd {
    /// It does not yet.
    Open,
    /// Goes on at a leader; one argument for each live slot there and each stack entry. A slot
    /// that holds nothing here has `None`: then it cannot be a parameter of the leader.
    Leader(u32, Vec<Option<Operand>>),
    /// Goes on in a choice predicate of the same block.
    Choice(u32, Vec<Operand>),
    Return(Option<Operand>),
    Throw(Operand),
}

/// A predicate in the making.
#[derive(Debug, Clone)]
pub(crate) struct DraftPredicate {
    pub(crate) kind: PredicateKind,
    /// What its name says: the decision that it stands for.
    pub(crate) word: &'static str,
    pub(crate) pc: u16,
    pub(crate) parameters: Vec<DraftVariable>,
    pub(crate) rules: Vec<DraftRule>,
}

/// A predicate with final numbering, before names.
#[derive(Debug)]
pub(crate) struct NumberedRule {
    pub(crate) guards: Vec<Guard>,
    pub(crate) body: Vec<Placed>,
    pub(crate) end: End,
    pub(crate) variables: Vec<DraftVariable>,
    pub(crate) instructions: Vec<InstructionRef>,
}

/// A predicate whose rules refer to others by number.
#[derive(Debug)]
pub(crate) struct NumberedPredicate {
    pub(crate) kind: PredicateKind,
    pub(crate) word: &'static str,
    pub(crate) pc: u16,
    pub(crate) parameters: Vec<DraftVariable>,
    pub(crate) rules: Vec<NumberedRule>,
}

impl NumberedRule {
    pub(crate) fn continues_in(&self) -> Option<PredicateId> {
        match self.end {
            End::Continue(predicate, _) => Some(predicate),
            _ => None,
        }
    }
}
