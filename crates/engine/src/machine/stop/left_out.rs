//! Sets of alternatives that are not all there are.
//!
//! Wherever something unknown can be one of several things, a set of them is tried. Such a set is *all* there are, or it
//! is *some* of them, and says what it leaves out ([`Extent`]). Whoever uses a set that is some of them notes it
//! (`Machine::offer`) at the place where the program would go on with what is left out: nothing that control can reach from
//! there is ever called infeasible.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a set of alternatives leaves out.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum LeftOut {
    /// Classes that an unknown object may have, beyond so many.
    Receivers(u64),
    /// Classes that an unknown object may have, and whose objects are not made whatever the limits are.
    Classes,
    /// Objects that static fields lead to, as inputs.
    StaticObjects,
    /// Other contents of static fields than those after initialisation: of this class.
    StaticState(String),
    /// Other orders in which classes are initialised.
    Initialisers,
    /// Keys that share a place in a hash table, or are in another order.
    KeyOrders,
    /// Values of NaN with unusual bits.
    NanBits,
    /// Arrays of other types of elements that take other elements.
    ElementTypes,
    /// Classes of library types that are not tried.
    LibraryClasses,
    /// Objects of a library class, or of one below it, that its first constructor or factory does not make: of this class.
    States(String),
    /// Strings of more units.
    StringLength(u64),
    /// Collections of more elements.
    Elements(u64),
    /// Other contents of collections of more elements.
    LargeContents(u64),
    /// References that are the same object, where those are not asked for.
    Aliases,
    /// Inputs of library types that are the same object.
    SharedObjects,
    /// Boxes and strings that are equal to others and not the same.
    Identity,
    /// Objects that take other calls, or more than so many after the constructor: of this class.
    Sequences(String, u64),
    /// What code behind an interface may do beside its answer: throw, or change something.
    StubEffects,
    /// What the machine decides: time, chance, hash codes, settings.
    Machine,
    /// `assert` statements that are executed, or not.
    Assertions,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LeftOut::Receivers(most) => {
                write!(f, "more than {most} classes of an unknown object (--max-receivers)")
            }
            LeftOut::Classes => f.write_str("other classes of an unknown object than those tried"),
            LeftOut::StaticObjects => f.write_str("inputs that are objects of static fields"),
            LeftOut::StaticState(class) => {
                write!(f, "other contents of the static fields of {class}")
            }
            LeftOut::Initialisers => f.write_str("other orders in which classes are initialised"),
            LeftOut::KeyOrders => {
                f.write_str("keys that share a place in a hash table, or another order of them")
            }
            LeftOut::NanBits => f.write_str("other bits of NaN than the usual ones"),
            LeftOut::ElementTypes => f.write_str("arrays of other types of elements"),
            LeftOut::LibraryClasses => {
                f.write_str("classes of library types other than the usual ones")
            }
            LeftOut::States(class) => write!(f, "other objects of {class} than the usual ones"),
            LeftOut::StringLength(most) => {
                write!(f, "strings of more than {most} units (--max-string)")
            }
            LeftOut::Elements(most) => {
                write!(f, "collections of more than {most} elements (--max-elements)")
            }
            LeftOut::LargeContents(most) => {
                write!(f, "other elements of collections of more than {most}")
            }
            LeftOut::Aliases => f.write_str("references that are the same object (--heap)"),
            LeftOut::SharedObjects => f.write_str("library objects that are the same object"),
            LeftOut::Identity => f.write_str("boxes and strings that are equal, but not the same"),
            LeftOut::Sequences(class, most) => {
                write!(f, "objects of {class} that take more than {most} calls, or other ones")
            }
            LeftOut::StubEffects => {
                f.write_str("implementations of an interface that throw or change something")
            }
            LeftOut::Machine => f.write_str("what the machine decides"),
            LeftOut::Assertions => {
                f.write_str("runs in which assertions are switched the other way (-ea)")
            }
        }
    }
}

/// Whether a set of alternatives is all there are.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Extent {
    /// There are no others.
    #[default]
    All,
    /// There are others.
    Some(LeftOut),
}
