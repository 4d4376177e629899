//! Where a variable of some type can be used.

use super::{Misfit, Typing};
use crate::types::{Type, view};

impl Typing<'_> {
    /// Whether a variable of one type can be used where another is expected.
    pub(super) fn check(&mut self, found: &Type, expected: &Type) -> Result<(), Misfit> {
        if self.is_raw || self.fits(found, expected) { Ok(()) } else { Err(Misfit) }
    }

    pub(super) fn fits(&mut self, found: &Type, expected: &Type) -> bool {
        let expected = match expected {
            Type::Variable(_) | Type::Any => return true,
            Type::Extends(bound) | Type::Super(bound) => bound,
            other => other,
        };
        if let (Type::Array(found), Type::Array(expected)) = (found, expected) {
            return self.fits(found, expected);
        }
        let (Some(from), Some(to)) = (found.constant_name(), expected.constant_name()) else {
            return found == expected;
        };
        if !self.program().is_assignable(&from, &to).unwrap_or(false) {
            // A class without a name here is seen as something above it, and is cast.
            return !expected.erased().is_named(self.visible);
        }
        let Type::Class(to, wanted) = expected else { return true };
        if wanted.is_empty() {
            return true;
        }
        match view(self.program(), found, to) {
            Some(Type::Class(_, given)) if given.len() == wanted.len() => {
                given.iter().zip(wanted).all(|(given, wanted)| self.contains(wanted, given))
            }
            _ => {
                self.is_unchecked = true;
                true
            }
        }
    }

    pub(super) fn contains(&mut self, wanted: &Type, given: &Type) -> bool {
        match wanted {
            Type::Any | Type::Variable(_) => true,
            Type::Extends(bound) => self.fits(given, bound),
            Type::Super(bound) => self.fits(bound, given),
            other => other == given,
        }
    }
}
