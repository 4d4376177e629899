//! Whose code counts.

use std::fmt;
use std::str::FromStr;

use crate::ModelError;

/// Whose rules have costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    /// Those of methods that the target's class declares.
    Class,
    /// Those of the project: the class path without the JDK.
    #[default]
    Project,
    /// All of them, the class library included.
    All,
}

impl Scope {
    const NAMES: [(Scope, &'static str); 3] =
        [(Scope::Class, "class"), (Scope::Project, "project"), (Scope::All, "all")];
}

impl FromStr for Scope {
    type Err = ModelError;

    fn from_str(text: &str) -> Result<Scope, ModelError> {
        let known = Scope::NAMES.iter().find(|(_, name)| *name == text);
        known.map(|&(scope, _)| scope).ok_or_else(|| ModelError::Scope { text: text.to_owned() })
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Scope::NAMES.iter().find(|(scope, _)| scope == self);
        f.write_str(known.map_or("", |(_, name)| name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_printed_as_they_are_read() {
        for (scope, name) in Scope::NAMES {
            assert_eq!(name.parse::<Scope>().unwrap(), scope);
            assert_eq!(scope.to_string(), name);
        }
        assert_eq!(Scope::default().to_string(), "project");
        let problem = "package".parse::<Scope>().unwrap_err().to_string();
        assert!(problem.contains("`package`") && problem.contains("project"), "{problem}");
    }
}
