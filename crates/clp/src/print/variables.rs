//! Names of variables as Prolog systems read them.

use std::collections::BTreeSet;

use crate::rule::Variable;

/// Prolog's names for the variables of a rule.
pub fn variable_names(variables: &[Variable]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    variables
        .iter()
        .map(|variable| {
            let base = variable_name(&variable.name);
            let mut name = base.clone();
            let mut number = 1;
            while !taken.insert(name.clone()) {
                number += 1;
                name = format!("{base}_{number}");
            }
            name
        })
        .collect()
}

/// ASCII, with a capital letter first: an underscore would mark a variable that occurs once.
fn variable_name(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        out.push(if c.is_ascii_alphanumeric() { c } else { '_' });
    }
    if out.starts_with(|c: char| c.is_ascii_lowercase()) {
        let (first, rest) = out.split_at(1);
        return first.to_ascii_uppercase() + rest;
    }
    if out.starts_with(|c: char| c.is_ascii_uppercase()) { out } else { format!("V{out}") }
}

/// A name for something that is implicit in a rule, such as a heap: the usual one, with underscores
/// until no variable is called so, with or without a number.
pub fn fresh_name(usual: &str, variables: &[String]) -> String {
    let mut name = usual.to_owned();
    let is_taken = |name: &str| {
        variables.iter().any(|variable| {
            let rest = variable.strip_prefix(name);
            rest.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
        })
    };
    while is_taken(&name) {
        name.push('_');
    }
    name
}

#[cfg(test)]
mod tests {
    use crate::term::Kind;

    use super::*;

    #[test]
    fn variables_are_capitalised_ascii_and_different() {
        let source = ["x", "X", "This", "_tmp", "\u{e9}t\u{e9}", "a$b", "1st", ""];
        let source: Vec<Variable> = source
            .iter()
            .map(|&name| Variable {
                name: name.into(),
                kind: Kind::Int,
                non_null: false,
                array: None,
            })
            .collect();
        let expected = ["X", "X_2", "This", "V_tmp", "V_t_", "A_b", "V1st", "V"];
        assert_eq!(variable_names(&source), expected);
    }

    #[test]
    fn implicit_names_give_way() {
        let variables = ["H1", "E", "Trace"].map(String::from);
        assert_eq!(fresh_name("H", &variables), "H_");
        assert_eq!(fresh_name("E", &variables), "E_");
        assert_eq!(fresh_name("T", &variables), "T");
    }
}
