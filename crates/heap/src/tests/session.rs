//! Random programs on a path and on a plain heap side by side: the path takes the branches that the plain
//! heap takes.

mod accesses;
mod checks;

use std::collections::BTreeMap;

use petrel_clp::{Comparison, Kind, Operation};
use petrel_solver::{Constraint, Expr, Model};

use super::concrete::{Heap, Machine};
use super::fixture::{Path, State};
use super::initial::{Inputs, Numbers, some_object};
use super::program::{Action, Step, Test, ValueId};
use super::world::{SMALL, element_sort, is_subtype};
use crate::truth::truth;
use crate::world::{ClassId, Sort};

/// No array is longer than this.
const MOST_ELEMENTS: i64 = 4;

/// What is known of a value without running the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    Int,
    Long,
    Null,
    Reference(ClassId),
}

impl Type {
    fn is_reference(self) -> bool {
        !matches!(self, Type::Int | Type::Long)
    }

    fn is_below(self, of: ClassId) -> bool {
        match self {
            Type::Int | Type::Long => false,
            Type::Null => true,
            Type::Reference(class) => is_subtype(class, of),
        }
    }
}

pub(super) struct Session {
    pub(super) path: Path,
    /// The same on a plain heap.
    machine: Machine,
    initial: Heap,
    inputs: Inputs,
    types: Vec<Type>,
    pub(super) exprs: Vec<Expr>,
    steps: Vec<Step>,
    /// A model of the path that is carried along, if it is to be.
    model: Option<Model>,
    /// The numbers of objects that were decided: with lazy initialisation a reference is when it is first
    /// looked at.
    numbers: Numbers,
}

/// How a session goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Plain,
    /// A model is carried along, and asked first.
    WithModel,
    /// References are decided when they are first looked at.
    Lazy,
}

/// A state of a session to go back to.
pub(super) struct Saved {
    path: State,
    machine: Machine,
    inputs: Inputs,
    steps: usize,
    model: Option<Model>,
    numbers: Numbers,
}

impl Session {
    pub(super) fn new(initial: &Heap, mode: Mode) -> Session {
        let mut session = Session {
            path: Path::new(),
            machine: Machine::new(initial.clone()),
            initial: initial.clone(),
            inputs: BTreeMap::new(),
            types: Vec::new(),
            exprs: Vec::new(),
            steps: Vec::new(),
            model: (mode == Mode::WithModel).then(|| [].into()),
            numbers: Numbers::new(),
        };
        session.path.heap.is_lazy = mode == Mode::Lazy;
        session.make(Step::Constant(0), Expr::Constant(0), Type::Null);
        session.make(Step::Constant(0), Expr::Constant(0), Type::Int);
        session.make(Step::Constant(1), Expr::Constant(1), Type::Int);
        session.make(Step::Constant(MOST_ELEMENTS), Expr::Constant(MOST_ELEMENTS), Type::Int);
        session.make(Step::Constant(1 << 40), Expr::Constant(1 << 40), Type::Long);
        session
    }

    const ZERO: ValueId = 1;
    const MOST: ValueId = 3;

    /// Makes a step that makes a value.
    fn make(&mut self, step: Step, expr: Expr, of: Type) -> ValueId {
        self.make_input(step, expr, of, 0)
    }

    fn make_input(&mut self, step: Step, expr: Expr, of: Type, input: i64) -> ValueId {
        self.steps.push(step);
        self.machine.step(step, input);
        self.types.push(of);
        self.exprs.push(expr);
        assert_eq!(self.machine.values.len(), self.exprs.len());
        self.exprs.len() - 1
    }

    /// Makes a step that makes no value.
    fn act(&mut self, step: Step) {
        self.steps.push(step);
        self.machine.step(step, 0);
    }

    pub(super) fn save(&self) -> Saved {
        Saved {
            path: self.path.mark(),
            machine: self.machine.clone(),
            inputs: self.inputs.clone(),
            steps: self.steps.len(),
            model: self.model.clone(),
            numbers: self.numbers.clone(),
        }
    }

    pub(super) fn restore(&mut self, saved: Saved) {
        let Saved { path, machine, inputs, steps, model, numbers } = saved;
        self.path.undo(&path);
        self.types.truncate(machine.values.len());
        self.exprs.truncate(machine.values.len());
        self.steps.truncate(steps);
        (self.machine, self.inputs) = (machine, inputs);
        (self.model, self.numbers) = (model, numbers);
    }

    /// Does something, as far as it can be done.
    pub(super) fn run(&mut self, action: &Action) {
        match *action {
            Action::Input { of, is_nullable, value } => {
                let object = some_object(&self.initial, of, value);
                if object.is_some() || is_nullable {
                    self.input(Sort::Reference(of), is_nullable, object.unwrap_or(0));
                }
            }
            Action::Number(number) => {
                self.input(SMALL, false, number);
            }
            Action::Constant(number) => {
                self.make(Step::Constant(number), Expr::Constant(number), Type::Int);
            }
            Action::Apply { operation, left, right } => {
                if let (Some(left), Some(right)) = (self.pick_int(left), self.pick_int(right)) {
                    self.apply(operation, left, right);
                }
            }
            Action::New(class) => {
                if element_sort(class).is_none() {
                    let new = self.path.world.new_object(class);
                    self.make(Step::New(class), new, Type::Reference(class));
                }
            }
            Action::Null(object) => {
                if let Some(object) = self.pick(object, Type::is_reference) {
                    self.decide(Test::Null(object));
                }
            }
            Action::Same(left, right) => {
                let left = self.pick(left, Type::is_reference);
                let right = self.pick(right, Type::is_reference);
                if let (Some(left), Some(right)) = (left, right) {
                    self.decide(Test::Same(left, right));
                }
            }
            Action::Compare(comparison, left, right) => {
                let of = if left % 4 == 1 { Type::Long } else { Type::Int };
                let [left, right] =
                    [left, right].map(|choice| self.pick(choice, |known| known == of));
                if let (Some(left), Some(right)) = (left, right) {
                    self.decide(Test::Compare(comparison, left, right));
                }
            }
            _ => {
                // `None` says that it cannot be done.
                let _ = self.access(action);
            }
        }
    }

    pub(super) fn input(&mut self, sort: Sort, is_nullable: bool, value: i64) -> ValueId {
        let number = self.path.solver.store.terms().unknowns().len();
        let name = petrel_expression::Expression::name(&format!("input {number}"));
        let expr = self.path.get(|heap, context| heap.unknown(context, name, sort, is_nullable));
        self.inputs.insert(number, (expr, value));
        self.make_input(Step::Input, expr, type_of(sort), value)
    }

    fn apply(&mut self, operation: Operation, left: ValueId, right: ValueId) -> ValueId {
        let expr = self.path.solver.store.apply(operation, self.exprs[left], self.exprs[right]);
        self.make(Step::Apply(operation, left, right), expr, Type::Int)
    }

    fn require(&mut self, test: Test) -> Option<()> {
        self.decide(test).then_some(())
    }

    fn forbid(&mut self, test: Test) -> Option<()> {
        (!self.decide(test)).then_some(())
    }

    /// A test as a constraint.
    fn constraint(&mut self, test: Test) -> Constraint {
        let expr = |id: ValueId| self.exprs[id];
        let holds = match test {
            Test::Compare(comparison, left, right) => {
                let compared = [left, right].map(expr);
                return match self.types[left] {
                    Type::Long => Constraint::long(compared[0], comparison, compared[1]),
                    _ => Constraint::int(compared[0], comparison, compared[1]),
                };
            }
            Test::Null(object) => {
                let object = expr(object);
                self.path.same(object, Expr::Constant(0))
            }
            Test::Same(left, right) => {
                let (left, right) = (expr(left), expr(right));
                self.path.same(left, right)
            }
            Test::Instance(object, of) => {
                let object = expr(object);
                self.path.is_instance(object, of)
            }
            Test::Storable(array, object) => {
                let (array, object) = (expr(array), expr(object));
                self.path.get(|heap, context| heap.is_storable(context, array, object))
            }
        };
        truth(holds)
    }

    /// With lazy initialisation, decides which object a reference is before it is looked at.
    fn settle(&mut self, reference: ValueId) {
        let expr = self.exprs[reference];
        if !self.path.heap.is_lazy || self.path.fixed(expr).is_some() {
            return;
        }
        let choices = self.path.heap.choices(&self.path.solver.store, expr, true);
        if choices.is_empty() {
            return;
        }
        let object = self.machine.values[reference];
        let number = match object {
            0 => 0,
            object => {
                let own = choices[usize::from(choices[0] == 0)];
                *self.numbers.entry(object).or_insert(own)
            }
        };
        assert!(choices.contains(&number), "{number} is not in {choices:?}");
        self.path.assume_compared(expr, Comparison::Equal, number).expect("a heap was lost");
    }

    /// Takes the branch that the plain heap takes.
    fn decide(&mut self, test: Test) -> bool {
        match test {
            Test::Null(object) | Test::Instance(object, _) => self.settle(object),
            Test::Same(left, right) | Test::Storable(left, right) => {
                self.settle(left);
                self.settle(right);
            }
            Test::Compare(..) => {}
        }
        let outcome = self.machine.test(test);
        let holds = self.constraint(test);
        let wanted = if outcome { holds } else { holds.negated() };
        if let Some(model) = self.model.clone() {
            let alternatives = [wanted.clone(), wanted.negated()];
            let possible =
                self.path.solver.branch(Some(&model), &alternatives, &mut self.path.heap);
            self.check_alternatives(&alternatives, &possible);
            let taken = possible.iter().find(|alternative| alternative.index == 0);
            let taken = taken.unwrap_or_else(|| panic!("{test:?} is not {outcome}"));
            self.model = taken.model.clone();
            assert!(self.model.is_some() || self.is_large(), "it is not too hard");
        }
        self.path.assume(wanted).expect("a heap was lost");
        self.act(Step::Guard(test, outcome));
        self.check_model();
        outcome
    }
}

fn type_of(sort: Sort) -> Type {
    match sort {
        Sort::Number { kind: Kind::Long, .. } => Type::Long,
        Sort::Number { .. } => Type::Int,
        Sort::Reference(of) => Type::Reference(of),
    }
}
