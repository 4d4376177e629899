//! Lazy initialisation: the baseline of "A CLP Heap Solver for Test Case Generation", columns 1 and 2.
//!
//! When a reference is first looked at, each object that it may be is a path of its own.

use petrel_clp::Comparison;
use petrel_solver::{Constraint, Expr, Node};

use crate::exploration::choose::Way;
use crate::exploration::explore::HeapMode;
use crate::machine::{Halt, LeftOut, Machine, Value};

impl Machine<'_> {
    /// Decides which object a reference is, if that is the way that unknown objects are handled. `false`
    /// if the instruction under way is executed again with each of them.
    pub(crate) fn is_settled(&mut self, reference: Value) -> Result<bool, Halt> {
        let with_aliasing = match self.exploration.unknown.mode {
            HeapMode::Solver | HeapMode::Simulation => return Ok(true),
            HeapMode::Lazy => true,
            HeapMode::LazyNoAlias => false,
        };
        let expr = self.reference_expr(reference)?;
        // An iteration whose guard depends on the shape of the heap is one that makes a choice, even
        // if the choice was made before: otherwise rings would be walked for ever.
        self.criterion.choices += 1;
        let Some(expr) = self.undecided_leaf(expr) else { return Ok(true) };
        let solver = &self.exploration.unknown.solver;
        let choices = solver.choices(&self.solver.store, expr, with_aliasing);
        if !with_aliasing && solver.choices(&self.solver.store, expr, true).len() > choices.len() {
            self.note_left_out(LeftOut::Aliases);
        }
        if choices.is_empty() {
            return Err(Halt::Infeasible);
        }
        let again = self.address();
        let ways = choices.into_iter().map(|object| {
            let is_it = Constraint::int(expr, Comparison::Equal, Expr::Constant(object));
            Way::literal(is_it, again)
        });
        self.choose_assuming(ways.collect(), true)?;
        Ok(false)
    }

    /// The first unknown among the objects that a reference may be of which it is not decided which object
    /// it is.
    fn undecided_leaf(&self, reference: Expr) -> Option<Expr> {
        let store = &self.solver.store;
        let mut open = vec![reference];
        while let Some(expr) = open.pop() {
            let Expr::Term(term) = store.fixed(expr) else { continue };
            match store.terms().node(term) {
                Node::Unknown(_) => return Some(Expr::Term(term)),
                Node::Choose(_, condition, then, otherwise) => {
                    match store.fixed(Expr::Term(condition)) {
                        Expr::Constant(0) => open.push(otherwise),
                        Expr::Constant(_) => open.push(then),
                        Expr::Term(_) => open.extend([otherwise, then]),
                    }
                }
                Node::Select(_, table, _) => open.extend(store.terms().table(table).iter().rev()),
                _ => {}
            }
        }
        None
    }
}
