//! Names of predicates, fields and variables in the exported program.
//!
//! Methods, predicates and fields are called as in the text of the rule language
//! ([`petrel_clp::print::Names`]), so that both texts of a program can be read side by side.

pub(crate) use petrel_clp::print::{fresh_name as fresh, variable_names as variables};

/// Predicates with six arguments that are there already: one of SWI-Prolog, one of the runtime; and
/// one whose calls a library that clpfd loads would expand.
const TAKEN: [&str; 3] = ["call", "run_concrete", "maplist"];

/// The functor of a predicate with this name.
pub(crate) fn functor(name: &str) -> String {
    // No other name ends so: what has a descriptor has its class, too.
    if TAKEN.contains(&name) { format!("{name}()") } else { name.to_owned() }
}
