//! Lazy initialisation: the baseline of "A CLP Heap Solver for Test Case Generation", columns 1 and 2.
//!
//! When a reference is first looked at, each object that it may be is a path of its own.

use petrel_clp::Comparison;
use petrel_solver::{Constraint, Expr};

use crate::calls::Halt;
use crate::choose::Way;
use crate::explore::HeapMode;
use crate::machine::Machine;
use crate::value::Value;

impl Machine<'_> {
    /// Decides which object a reference is, if that is the way that unknown objects are handled. `false`
    /// if the instruction under way is executed again with each of them.
    pub(crate) fn is_settled(&mut self, reference: Value) -> Result<bool, Halt> {
        let with_aliasing = match self.unknown.mode {
            HeapMode::Solver | HeapMode::Simulation => return Ok(true),
            HeapMode::Lazy => true,
            HeapMode::LazyNoAlias => false,
        };
        let expr = self.reference_expr(reference)?;
        // An iteration whose guard depends on the shape of the heap is one that makes a choice, even
        // if the choice was made before: otherwise rings would be walked for ever.
        self.criterion.choices += 1;
        let Expr::Term(_) = self.solver.store.fixed(expr) else { return Ok(true) };
        let choices = self.unknown.solver.choices(&self.solver.store, expr, with_aliasing);
        if choices.is_empty() {
            // Not a plain unknown: all that it is made of was decided before.
            return Ok(true);
        }
        let again = self.pc - 1;
        let ways = choices.into_iter().map(|object| {
            let is_it = Constraint::int(expr, Comparison::Equal, Expr::Constant(object));
            Way::literal(is_it, again)
        });
        self.choose_assuming(ways.collect(), true)?;
        Ok(false)
    }
}
