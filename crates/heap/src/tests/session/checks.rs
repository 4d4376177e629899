//! What has to hold of a session.

use petrel_clp::Comparison;
use petrel_solver::{
    Alternatives, Constraint, Expr, Node, TermId, Theory, Unknown, condition, evaluate, holds,
};

use super::{Session, Type};
use crate::log::Location;
use crate::tests::concrete::{Heap, Machine};
use crate::tests::fixture::value;
use crate::tests::initial::assignment;
use crate::tests::program::Test;

impl Session {
    /// The model that is carried along satisfies everything.
    pub(super) fn check_model(&mut self) {
        if let Some(model) = self.model.clone() {
            self.check_extended(&model);
        }
    }

    /// A model from before the last unknowns satisfies everything, with values for these.
    fn check_extended(&mut self, model: &[i64]) {
        let mut values = model.to_vec();
        self.path.heap.extend(self.path.solver.store.terms(), &mut values);
        self.check_satisfied(&values);
    }

    fn check_satisfied(&mut self, model: &[i64]) {
        let store = &mut self.path.solver.store;
        let terms = store.terms();
        let in_range = |(unknown, value): (&Unknown, &i64)| {
            assert!((unknown.low..=unknown.high).contains(value), "{value} as {unknown:?}");
        };
        assert_eq!(model.len(), terms.unknowns().len());
        terms.unknowns().iter().zip(model).for_each(in_range);
        let values = evaluate(terms, model, terms.len());
        for constraint in store.constraints() {
            assert!(
                holds(constraint, |expr| value(&values, expr)),
                "{}",
                condition(terms, constraint).to_string()
            );
        }
        let lemmas = self.path.heap.lemmas(store, model);
        let text = |lemma: &Constraint| condition(store.terms(), lemma).to_string();
        assert_eq!(lemmas.iter().map(text).collect::<Vec<_>>(), Vec::<String>::new());
    }

    /// The path is that of its initial heap.
    pub(crate) fn check_own(&mut self) {
        let model = assignment(&self.path, &self.initial, &self.inputs, &self.numbers);
        self.check(&model);
        self.check_model();
    }

    /// The plain interpreter takes the path with the heap that a model stands for, and every value is
    /// the one that its term has.
    pub(crate) fn check(&mut self, model: &[i64]) {
        self.check_satisfied(model);
        let (heap, values) = self.initial_heap(model);
        let mut machine = Machine::new(heap);
        for &step in &self.steps {
            let input = match self.exprs.get(machine.values.len()) {
                Some(&expr) => value(&values, expr),
                None => 0,
            };
            machine.step(step, input);
        }
        let expected: Vec<i64> = self.exprs.iter().map(|&expr| value(&values, expr)).collect();
        assert_eq!(machine.values, expected);
    }

    /// The initial heap that a model stands for, and the values of all terms.
    pub(crate) fn initial_heap(&self, model: &[i64]) -> (Heap, Vec<i64>) {
        let terms = self.path.solver.store.terms();
        let values = evaluate(terms, model, terms.len());
        let objects = self.path.heap.objects(&|expr| value(&values, expr));
        (Heap::of(&objects), values)
    }

    /// Whether the path is possible with its own initial heap, whatever else the solver knows of that.
    pub(crate) fn is_own_possible(&mut self) -> bool {
        let model = assignment(&self.path, &self.initial, &self.inputs, &self.numbers);
        let state = self.path.mark();
        let ghosts: Vec<Expr> = self
            .path
            .heap
            .cells()
            .filter(|(location, _)| matches!(location, Location::Ghost(_)))
            .map(|(_, cell)| cell.value)
            .collect();
        let terms = self.path.solver.store.terms();
        let all = (0..terms.len() as u32).map(|number| Expr::Term(TermId(number)));
        let fixed: Vec<(Expr, i64)> = all
            .filter(|expr| !ghosts.contains(expr))
            .filter_map(|expr| match terms.node(expr.term()?) {
                Node::Unknown(unknown) => Some((expr, model[unknown.index()])),
                _ => None,
            })
            .collect();
        let mut is_possible = true;
        for (expr, number) in fixed {
            is_possible &= self.path.assume_compared(expr, Comparison::Equal, number).is_ok();
        }
        let is_possible = is_possible && self.path.solve().is_some();
        self.path.undo(&state);
        is_possible
    }

    /// Whether so much of the initial heap was looked at that the solver may give up.
    pub(crate) fn is_large(&self) -> bool {
        self.path.heap.cells().count() > 100
    }

    /// The models of alternatives satisfy them.
    pub(super) fn check_alternatives(
        &mut self,
        alternatives: &[Constraint],
        possible: &Alternatives,
    ) {
        for alternative in possible {
            let Some(model) = &alternative.model else { continue };
            let state = self.path.mark();
            self.path.assume(alternatives[alternative.index].clone()).expect("it has a model");
            self.check_extended(model);
            self.path.undo(&state);
        }
    }

    /// A test that a path may be refined by, whatever it says on the own heap of the path.
    pub(crate) fn refine(
        &mut self,
        left: u8,
        right: u8,
        comparison: Comparison,
    ) -> Option<Refined> {
        let test = if left.is_multiple_of(2) {
            Test::Same(self.pick(left, Type::is_reference)?, self.pick(right, Type::is_reference)?)
        } else {
            Test::Compare(comparison, self.pick_int(left)?, self.pick_int(right)?)
        };
        let is_own = self.machine.test(test);
        Some(Refined { constraint: self.constraint(test), is_own })
    }
}

/// A constraint, and whether the own heap of a path satisfies it.
pub(crate) struct Refined {
    pub(crate) constraint: Constraint,
    pub(crate) is_own: bool,
}
