//! A path as tests make it: constraints, the heap solver and the dictionary N.

use petrel_clp::{ArithmeticKind, Comparison, Kind, Operation};
use petrel_expression::Expression;
use petrel_solver::{BitBlaster, Conflict, Constraint, Expr, Simplified, Solver, Unknown};

use super::INT;
use super::world::{Dictionary, INT_ELEMENTS, INTS, REFERENCE_ELEMENTS, field};
use crate::objects::InputObject;
use crate::solver::{Context, HeapSolver};
use crate::truth::{not, truth};
use crate::world::{ClassId, FieldId, Sort};

pub(super) struct Path {
    pub(super) solver: Solver,
    pub(super) heap: HeapSolver,
    pub(super) world: Dictionary,
}

/// A state of a path to go back to.
pub(super) struct State {
    constraints: petrel_solver::Mark,
    heap: crate::solver::Mark,
    world: Dictionary,
}

impl Path {
    pub(super) fn new() -> Path {
        Path {
            solver: Solver::new(Box::new(BitBlaster::default())),
            heap: HeapSolver::default(),
            world: Dictionary::new(),
        }
    }

    /// Asks the heap solver.
    pub(super) fn ask<T>(&mut self, ask: impl FnOnce(&mut HeapSolver, &mut Context<'_>) -> T) -> T {
        let mut context = Context { store: &mut self.solver.store, world: &mut self.world };
        ask(&mut self.heap, &mut context)
    }

    /// As [`Path::ask`], for what is possible on this path.
    pub(super) fn get<T>(
        &mut self,
        ask: impl FnOnce(&mut HeapSolver, &mut Context<'_>) -> Result<T, Conflict>,
    ) -> T {
        self.ask(ask).expect("the constraints exclude each other")
    }

    /// An unknown object.
    pub(super) fn object(&mut self, name: &str, of: ClassId) -> Expr {
        self.get(|heap, context| {
            heap.unknown(context, Expression::name(name), Sort::Reference(of), false)
        })
    }

    /// An unknown object, or null.
    pub(super) fn nullable(&mut self, name: &str, of: ClassId) -> Expr {
        self.get(|heap, context| {
            heap.unknown(context, Expression::name(name), Sort::Reference(of), true)
        })
    }

    /// An unknown number in a range.
    pub(super) fn number(&mut self, name: &str, low: i64, high: i64) -> Expr {
        let unknown = Unknown { name: Expression::name(name), kind: Kind::Int, low, high, own: 0 };
        self.solver.store.unknown(unknown)
    }

    pub(super) fn get_field(&mut self, object: Expr, id: FieldId) -> Expr {
        self.get(|heap, context| heap.get_field(context, object, id, field(id).sort))
    }

    pub(super) fn set_field(&mut self, object: Expr, id: FieldId, value: Expr) {
        self.ask(|heap, context| heap.set_field(context, object, id, field(id).sort, value));
    }

    /// An element of an array of any numbers.
    pub(super) fn get_int(&mut self, array: Expr, index: Expr) -> Expr {
        self.get(|heap, context| heap.get_element(context, array, index, INT_ELEMENTS, INT))
    }

    pub(super) fn set_int(&mut self, array: Expr, index: Expr, value: Expr) {
        self.ask(|heap, context| heap.set_element(context, array, index, INT_ELEMENTS, value));
    }

    /// An element of an array of references to a class.
    pub(super) fn get_reference(&mut self, array: Expr, index: Expr, of: ClassId) -> Expr {
        let sort = Sort::Reference(of);
        let elements = REFERENCE_ELEMENTS;
        self.get(|heap, context| heap.get_element(context, array, index, elements, sort))
    }

    pub(super) fn set_reference(&mut self, array: Expr, index: Expr, value: Expr) {
        let elements = REFERENCE_ELEMENTS;
        self.ask(|heap, context| heap.set_element(context, array, index, elements, value));
    }

    pub(super) fn length(&mut self, array: Expr) -> Expr {
        self.get(|heap, context| heap.length(context, array))
    }

    /// A new array of numbers.
    pub(super) fn new_ints(&mut self, length: Expr) -> Expr {
        self.world.new_array(INTS, length)
    }

    pub(super) fn is_instance(&mut self, object: Expr, of: ClassId) -> Expr {
        self.get(|heap, context| heap.is_instance(context, object, of))
    }

    pub(super) fn add(&mut self, left: Expr, right: i64) -> Expr {
        let add = Operation::Add(ArithmeticKind::Int);
        self.solver.store.apply(add, left, Expr::Constant(right))
    }

    /// Whether two references are the same.
    pub(super) fn same(&mut self, left: Expr, right: Expr) -> Expr {
        self.ask(|heap, context| heap.ref_eq(context.store, left, right))
    }

    /// `ref_eq` of the paper.
    pub(super) fn ref_eq(&mut self, left: Expr, right: Expr) -> Result<(), Conflict> {
        let same = self.same(left, right);
        self.assume(truth(same))
    }

    /// `ref_neq` of the paper.
    pub(super) fn ref_neq(&mut self, left: Expr, right: Expr) -> Result<(), Conflict> {
        let same = self.same(left, right);
        let different = not(&mut self.solver.store, same);
        self.assume(truth(different))
    }

    pub(super) fn assume(&mut self, constraint: Constraint) -> Result<(), Conflict> {
        match self.solver.store.simplify(constraint) {
            Simplified::True => Ok(()),
            Simplified::False => Err(Conflict),
            Simplified::Open(open) => {
                self.solver.store.assume(open)?;
                self.heap.propagate_equalities(&mut self.solver.store)
            }
        }
    }

    pub(super) fn assume_compared(
        &mut self,
        left: Expr,
        comparison: Comparison,
        right: impl Into<Number>,
    ) -> Result<(), Conflict> {
        self.assume(Constraint::int(left, comparison, right.into().0))
    }

    /// Whether a comparison holds for all values of the unknowns that take this path.
    pub(super) fn follows(
        &mut self,
        left: Expr,
        comparison: Comparison,
        right: impl Into<Number>,
    ) -> bool {
        let holds = Constraint::int(left, comparison, right.into().0);
        let alternatives = [holds.clone(), holds.negated()];
        let possible = self.solver.branch(None, &alternatives, &mut self.heap);
        assert!(!possible.is_empty(), "the path is not possible");
        possible.iter().all(|alternative| alternative.index == 0)
    }

    /// Whether something is a number for all values of the unknowns.
    pub(super) fn is(&mut self, value: Expr, number: impl Into<Number>) -> bool {
        self.follows(value, Comparison::Equal, number)
    }

    /// What propagation knows of a value.
    pub(super) fn fixed(&self, value: Expr) -> Option<i64> {
        self.solver.store.fixed(value).constant()
    }

    /// The domain of a value, as the paper writes it.
    pub(super) fn domain(&self, value: Expr) -> Vec<i64> {
        self.heap.domain(&self.solver.store, value).expect("it is made of constants")
    }

    /// How many terms there are.
    pub(super) fn terms(&self) -> usize {
        self.solver.store.terms().len()
    }

    /// Values of the unknowns, and the initial heap for them.
    pub(super) fn solve(&mut self) -> Option<(Vec<i64>, Vec<InputObject>)> {
        match self.solver.satisfiable(&mut self.heap) {
            petrel_solver::Answer::Satisfiable(model) => {
                let terms = self.solver.store.terms();
                let values = petrel_solver::evaluate(terms, &model, terms.len());
                let objects = self.heap.objects(&|expr| value(&values, expr));
                Some((values, objects))
            }
            petrel_solver::Answer::Unsatisfiable => None,
            petrel_solver::Answer::Unknown => panic!("too hard"),
        }
    }

    pub(super) fn mark(&self) -> State {
        State { constraints: self.solver.mark(), heap: self.heap.mark(), world: self.world.clone() }
    }

    pub(super) fn undo(&mut self, state: &State) {
        self.heap.undo(state.heap);
        self.solver.undo(state.constraints);
        self.world = state.world.clone();
    }
}

/// What an expression is when terms have values.
pub(super) fn value(values: &[i64], expr: Expr) -> i64 {
    match expr {
        Expr::Constant(number) => number,
        Expr::Term(term) => values[term.index()],
    }
}

/// A number that is known, or not.
pub(super) struct Number(Expr);

impl From<i64> for Number {
    fn from(number: i64) -> Number {
        Number(Expr::Constant(number))
    }
}

impl From<Expr> for Number {
    fn from(expr: Expr) -> Number {
        Number(expr)
    }
}
