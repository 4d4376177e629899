//! Bugs of Petrel that it notices itself.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Something that cannot be, and is: a bug of Petrel. It is reported as such, and never counts as a limit or as
/// something unsupported.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Defect {
    /// The second derivation, of concrete inputs, takes another path than the first: the values of the unknowns.
    PathNotTaken(Vec<i64>),
    /// The second derivation of an input that is to make an operation overflow shows no overflow.
    OverflowNotSeen,
    /// Code came to its end without a return.
    CodeEnded,
    /// A derivation without choices was cut.
    CutWithoutChoices,
    /// An initialisation was cut.
    CutInitialisation,
    /// A receiver that the constraints exclude before anything happened.
    ImpossibleReceiver,
    /// An input that the constraints exclude before anything happened.
    ImpossibleInput,
    /// An input object that no recipe belongs to.
    InputFromNowhere,
    /// An input refers to an object that the path made.
    InputRefersToNewObject,
    /// An instruction on a field that has none.
    AccessToNoField,
    /// A class that Petrel writes itself is refused: which, and why.
    Synthesised(String, String),
    /// A procedure cannot be compiled: which method, and why.
    Compilation(String, String),
    /// More answers of the world outside are asked for than the path has.
    NoAnswer,
    /// A class without fields of its own was asked for them.
    NoLayout,
    /// A type that is no array was asked for its elements.
    NoArray(String),
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Defect::PathNotTaken(inputs) => {
                f.write_str("a path that its inputs (")?;
                for (position, input) in inputs.iter().enumerate() {
                    write!(f, "{}{input}", if position > 0 { ", " } else { "" })?;
                }
                f.write_str(") do not take")
            }
            Defect::OverflowNotSeen => f.write_str("an overflow that its inputs do not show"),
            Defect::CodeEnded => f.write_str("the code came to an end"),
            Defect::CutWithoutChoices => f.write_str("a derivation without choices was cut"),
            Defect::CutInitialisation => f.write_str("an initialisation was cut"),
            Defect::ImpossibleReceiver => f.write_str("a receiver that cannot be"),
            Defect::ImpossibleInput => f.write_str("an input that cannot be"),
            Defect::InputFromNowhere => f.write_str("an input object from nowhere"),
            Defect::InputRefersToNewObject => f.write_str("an input that refers to a new object"),
            Defect::AccessToNoField => f.write_str("an access to no field"),
            Defect::Synthesised(class, why) => write!(f, "{class}: {why}"),
            Defect::Compilation(method, why) => write!(f, "method {method}: {why}"),
            Defect::NoAnswer => f.write_str("a call that nobody answers"),
            Defect::NoLayout => f.write_str("a class without fields of its own"),
            Defect::NoArray(class) => write!(f, "{class} is no array class"),
        }?;
        f.write_str(": this is a bug of Petrel")
    }
}
