//! Invariants of unknown objects: methods that have to return true before the call (`valid(x)`).
//!
//! They run as part of the derivation, on the same unknowns: a conjunction of calls is a goal like any
//! other.

use petrel_clp::Kind;
use petrel_heap::truth;
use petrel_solver::{Answer, Constraint, Expr, Simplified};

use crate::exploration::choose::{Way, expr_of};
use crate::machine::{Doing, Feature, Halt, Machine, MethodNumber, RESUME, Step, Stop, Value};

impl Machine<'_> {
    /// Puts what has to be checked before the call on top of it.
    pub(crate) fn push_invariants(&mut self) {
        if self.exploration.tree.is_none() {
            return;
        }
        self.push_special(Doing::Begin, 0);
        for (object, method) in self.exploration.inputs.valid.clone().into_iter().rev() {
            self.push_special(Doing::CheckInvariant(object, method), 0);
        }
        for (object, opener) in self.exploration.inputs.opened.clone() {
            self.push_special(Doing::Call(opener, smallvec::smallvec![object]), 0);
        }
    }

    /// Calls the invariant of an object, unless that is null: which is a choice.
    pub(crate) fn check_invariant(
        &mut self,
        object: Value,
        method: MethodNumber,
        callee_base: usize,
    ) -> Step {
        let reference = self.reference_expr(object)?;
        let is_null =
            self.ask_heap(|heap, context| heap.ref_eq(context.store, reference, Expr::Constant(0)));
        match self.solver.store.simplify(truth(is_null)) {
            Simplified::True => self.return_value(Value::NULL),
            Simplified::False => {
                let Some(class) = self.class_for_invariant(object, method, callee_base)? else {
                    return Ok(());
                };
                let selected = self.select(class, method)?;
                let selected = selected
                    .map_err(|error| Stop::unsupported(Feature::Selection(error.message)))?;
                self.push_special(Doing::Require, callee_base);
                self.invoke(selected, &[object], callee_base)
            }
            Simplified::Open(open) => {
                let negated = open.negated();
                self.push_special(Doing::CheckInvariant(object, method), callee_base);
                self.go_to(RESUME + 1);
                let ways = [Way::literal(open, RESUME), Way::literal(negated, RESUME)];
                self.choose_assuming(ways.into_iter().collect(), true)
            }
        }
    }

    /// The class of an object that selects its invariant; `None` if that is a choice, after which it is
    /// looked at again.
    fn class_for_invariant(
        &mut self,
        object: Value,
        method: MethodNumber,
        callee_base: usize,
    ) -> Result<Option<crate::machine::TypeId>, Halt> {
        self.push_special(Doing::CheckInvariant(object, method), callee_base);
        self.go_to(RESUME + 1);
        let class = self.class_for_call(object, method)?;
        if class.is_some() {
            self.pop_frame();
            self.pop_special();
        }
        Ok(class)
    }

    /// An invariant returned: only objects for which it holds are inputs.
    pub(crate) fn require(&mut self, result: Value) -> Step {
        self.require_that(truth(expr_of(result, Kind::Int)))
    }

    /// Something has to hold on the path, or there is none.
    pub(in crate::exploration) fn require_that(&mut self, holds: Constraint) -> Step {
        match self.solver.store.simplify(holds) {
            Simplified::True => Ok(()),
            Simplified::False => Err(Halt::Infeasible),
            Simplified::Open(open) => {
                self.solver.store.assume(open)?;
                // The inputs that led here need not satisfy it.
                let model = match self.solver.satisfiable(&mut self.exploration.unknown.solver) {
                    Answer::Satisfiable(values) => Some(values.into()),
                    Answer::Unsatisfiable => return Err(Halt::Infeasible),
                    Answer::Unknown => None,
                };
                if let Some(tree) = &mut self.exploration.tree {
                    tree.model = model;
                }
                Ok(())
            }
        }
    }

    /// All invariants hold: the call follows.
    pub(crate) fn begin_call(&mut self) -> Step {
        if !self.exploration.inputs.valid.is_empty() && self.exploration.unknown.solver.has_writes()
        {
            return Err(Stop::unsupported(Feature::ChangingInvariant).into());
        }
        if let Some(tree) = &mut self.exploration.tree {
            tree.steps_before = self.observation.own_applied();
        }
        self.observation.has_begun = true;
        Ok(())
    }
}
