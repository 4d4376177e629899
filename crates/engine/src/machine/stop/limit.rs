//! Limits that end a path, or that leave alternatives out.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::LeftOut;

/// A limit that was reached. What lies behind it was not looked at: nothing behind it is ever called infeasible.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// The time was over. It can be met at any place, and it is not the same everywhere.
    Time,
    /// Somebody interrupted it, wherever it was.
    Interrupt,
    /// The work that all paths together may take.
    Budget,
    /// The work that one path may take of that.
    ShareOfPath,
    /// Steps of a derivation.
    Steps(u64),
    /// Choices on a path.
    Choices(u32),
    /// Bytes of the heap.
    HeapBytes(u64),
    /// The length of an unknown array.
    ArrayLength(i64),
    /// Elements that are terms, in an array that is made.
    UnknownElements(u64),
    /// Units of an unknown string.
    StringUnits(u64),
    /// Letters that change their case together with others.
    JointCase,
    /// Outcomes that the JVM does not fix, where they decide which path is taken.
    Unstable,
    /// Cases of one method that are looked at.
    Cases(u64),
    /// A class that the class path does not have: what code does with it is not known.
    MissingClass(String),
    /// Alternatives that are not tried.
    LeftOut(LeftOut),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Time => f.write_str("time"),
            Limit::Interrupt => f.write_str("interrupt"),
            Limit::Budget => f.write_str("budget"),
            Limit::ShareOfPath => f.write_str("the share of a path in the budget"),
            Limit::Steps(most) => write!(f, "{most} steps"),
            Limit::Choices(most) => write!(f, "{most} choices"),
            Limit::HeapBytes(most) => write!(f, "{most} bytes of heap"),
            Limit::ArrayLength(most) => write!(f, "arrays of {most} elements (--max-array)"),
            Limit::UnknownElements(most) => write!(f, "unknown elements in arrays of {most}"),
            Limit::StringUnits(most) => write!(f, "unknown strings of {most} units (--max-string)"),
            Limit::JointCase => f.write_str("strings whose letters change their case together"),
            Limit::Unstable => f.write_str("paths that depend on what the JVM does not fix"),
            Limit::Cases(most) => write!(f, "{most} cases"),
            Limit::MissingClass(class) => {
                write!(f, "the class path does not have the class {class}: add it with -c")
            }
            Limit::LeftOut(what) => what.fmt(f),
        }
    }
}
