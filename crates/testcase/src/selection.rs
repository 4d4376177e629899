//! Selection criteria ("A Framework for Guided Test Case Generation in Constraint Logic Programming",
//! section 2): which of the paths within the bound are wanted.

mod goals;
mod points;

use std::fmt;
use std::str::FromStr;

pub(crate) use goals::{Covered, Goal, goals};
pub use points::{NamedMethod, Point, Spot};

/// Which paths become cases.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Selection {
    /// All of them.
    #[default]
    AllPaths,
    /// One for each path through the target's own code.
    LocalPaths,
    /// Enough to execute each instruction of the target's own code.
    Statements,
    /// Enough to execute each instruction of the program: of the target and of all methods that it reaches.
    ProgramStatements,
    /// Enough to take each branch of the target's own code.
    Branches,
    /// Enough to execute these points.
    Points(Vec<Point>),
}

/// How the paths of a criterion are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strategy {
    /// As the control flow suggests.
    #[default]
    Auto,
    /// By traces of an abstraction.
    Guided,
    /// By deriving all paths and leaving out those that add nothing.
    Plain,
}

impl FromStr for Selection {
    type Err = String;

    fn from_str(text: &str) -> Result<Selection, String> {
        Ok(match text {
            "all-paths" => Selection::AllPaths,
            "local-paths" => Selection::LocalPaths,
            "statements" => Selection::Statements,
            "program-statements" => Selection::ProgramStatements,
            "branches" => Selection::Branches,
            _ => {
                let Some(points) = text.strip_prefix("points:") else {
                    return Err(
                        "there are all-paths, local-paths, statements, program-statements, \
                                branches and points:LINE,..."
                            .to_owned(),
                    );
                };
                Selection::Points(points.split(',').map(str::parse).collect::<Result<_, _>>()?)
            }
        })
    }
}

/// Displays as it is read.
impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selection::AllPaths => f.write_str("all-paths"),
            Selection::LocalPaths => f.write_str("local-paths"),
            Selection::Statements => f.write_str("statements"),
            Selection::ProgramStatements => f.write_str("program-statements"),
            Selection::Branches => f.write_str("branches"),
            Selection::Points(points) => {
                let points: Vec<String> = points.iter().map(ToString::to_string).collect();
                write!(f, "points:{}", points.join(","))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selections_read_back_as_they_are_written() {
        for text in [
            "all-paths",
            "local-paths",
            "statements",
            "program-statements",
            "branches",
            "points:12,Vector.java:30,@17,@17-24",
            "points:a.B#c@3,B#<init>@1-7,a.B$C#d(I[J)V@0",
        ] {
            assert_eq!(text.parse::<Selection>().expect(text).to_string(), text);
        }
    }

    #[test]
    fn what_is_no_selection_is_refused() {
        for text in [
            "",
            "paths",
            "points:",
            "points:x",
            "points:12,,13",
            "points:@",
            "points:@1-",
            "points::4",
            "points:a.B@3",
            "points:#c@3",
            "points:a.B#@3",
            "points:a.B#c",
            "points:a.B#c@",
            "points:a.B#c@x",
            "points:a.B#c(@3",
            "points:a.B#c#d@3",
            "points:a/B#c@3",
        ] {
            assert!(text.parse::<Selection>().is_err(), "{text}");
        }
    }
}
