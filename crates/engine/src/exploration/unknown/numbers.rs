//! Inputs as numbers that conditions speak of.

use petrel_clp::{Comparison, Kind};
use petrel_solver::{Constraint, Expr};

use super::fields::kind_of;
use crate::exploration::choose::expr_of;
use crate::machine::Machine;

impl Machine<'_> {
    /// A parameter by its name, with its kind.
    pub(crate) fn number_of_input(&self, name: &str) -> Option<(Expr, Kind)> {
        let input = self.exploration.inputs.all.iter().find(|input| *input.name == *name)?;
        let kind = kind_of(input.of);
        Some((expr_of(input.value, kind), kind))
    }

    /// The length of an array, which is not null from now on; `None` if the path leaves it none.
    pub(crate) fn length_of_input(&mut self, name: &str) -> Option<Expr> {
        let input = self.exploration.inputs.all.iter().find(|input| *input.name == *name)?;
        let (value, null) = (input.value, Expr::Constant(0));
        let array = expr_of(value, Kind::Reference);
        self.assume_if_open(Constraint::int(array, Comparison::NotEqual, null)).ok()?;
        self.length_of(value).ok()
    }
}
