//! Random programs on a path and on a plain heap side by side: the path takes the branches that the plain
//! heap takes.

use std::collections::BTreeMap;

use petrel_clp::{ArithmeticKind, Comparison, Kind, Operation};
use petrel_solver::{Constraint, Expr, Model, Node, TermId, Theory, Unknown, evaluate, holds};

use super::concrete::{Heap, Machine};
use super::fixture::{Path, State, value};
use super::initial::{Inputs, Numbers, assignment, some_object};
use super::program::{Action, Step, Test, ValueId};
use super::world::{
    AS, BS, E, INTS, OBJECT, OBJECTS, SMALL, element_sort, field, group, is_subtype,
};
use crate::log::Location;
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

    /// A value that fits, the newer ones more often.
    fn pick(&self, choice: u8, fits: impl Fn(Type) -> bool) -> Option<ValueId> {
        self.pick_like(choice, |id| fits(self.types[id]), |_| true)
    }

    /// A value that fits. Mostly it is one that goes on well on the own heap of the path, so that programs
    /// get somewhere.
    fn pick_like(
        &self,
        choice: u8,
        fits: impl Fn(ValueId) -> bool,
        goes_well: impl Fn(i64) -> bool,
    ) -> Option<ValueId> {
        let goes_well = |id: &ValueId| choice % 8 == 0 || goes_well(self.machine.values[*id]);
        let fitting: Vec<ValueId> =
            (0..self.types.len()).rev().filter(|&id| fits(id)).filter(goes_well).collect();
        let choice = usize::from(choice);
        fitting.get(choice * choice * fitting.len() / (1 << 16)).copied()
    }

    /// A reference that fits, mostly to an instance of a class.
    fn pick_instance(
        &self,
        choice: u8,
        of: ClassId,
        fits: impl Fn(ClassId) -> bool,
    ) -> Option<ValueId> {
        self.pick_like(
            choice,
            |id| matches!(self.types[id], Type::Reference(class) if fits(class)),
            |object| object != 0 && is_subtype(self.machine.heap.class(object), of),
        )
    }

    /// A number, mostly one in a range.
    fn pick_within(&self, choice: u8, range: std::ops::Range<i64>) -> Option<ValueId> {
        self.pick_like(choice, |id| self.types[id] == Type::Int, |number| range.contains(&number))
    }

    fn pick_int(&self, choice: u8) -> Option<ValueId> {
        self.pick(choice, |of| of == Type::Int)
    }

    fn pick_sort(&self, choice: u8, sort: Sort) -> Option<ValueId> {
        match sort {
            Sort::Number { .. } => self.pick(choice, |of| of == type_of(sort)),
            Sort::Reference(class) => self.pick(choice, |of| of.is_below(class)),
        }
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

    fn access(&mut self, action: &Action) -> Option<()> {
        match *action {
            Action::Instance(object, class) => {
                let object = self.pick(object, |of| matches!(of, Type::Reference(_)))?;
                self.cast(object, class)?;
            }
            Action::GetField { object, field: id } => {
                let object = self.pick_holder(object, field(id).of)?;
                let expr = self.path.get_field(self.exprs[object], id);
                self.make(Step::GetField(object, id), expr, type_of(field(id).sort));
            }
            Action::SetField { object, field: id, value } => {
                let value = self.pick_sort(value, field(id).sort)?;
                let object = self.pick_holder(object, field(id).of)?;
                self.path.set_field(self.exprs[object], id, self.exprs[value]);
                self.act(Step::SetField(object, id, value));
            }
            Action::GetElement { array, of, index } => {
                let (array, of) = self.pick_array(array, of)?;
                let index = self.pick_index(array, index)?;
                let sort = element_sort(of)?;
                let (array_expr, index_expr) = (self.exprs[array], self.exprs[index]);
                let expr = self.path.get(|heap, context| {
                    heap.get_element(context, array_expr, index_expr, group(of), sort)
                });
                self.make(Step::GetElement(array, index), expr, type_of(sort));
            }
            Action::SetElement { array, of, index, value } => {
                let (array, of) = self.pick_array(array, of)?;
                let value = self.pick_sort(value, element_sort(of)?)?;
                let index = self.pick_index(array, index)?;
                self.require_storable(array, of, value)?;
                let [array_expr, index_expr, value_expr] =
                    [array, index, value].map(|id| self.exprs[id]);
                self.path.ask(|heap, context| {
                    heap.set_element(context, array_expr, index_expr, group(of), value_expr);
                });
                self.act(Step::SetElement(array, index, value));
            }
            Action::Copy { from, from_start, to, to_start, length } => {
                self.copy((from, from_start), (to, to_start), length)?;
            }
            Action::NewArray { class, length } => {
                let class = [INTS, OBJECTS, AS, BS][usize::from(class) % 4];
                let length = self.pick_within(length, 1..MOST_ELEMENTS + 1)?;
                self.require(Test::Compare(Comparison::GreaterOrEqual, length, Session::ZERO))?;
                self.require(Test::Compare(Comparison::LessOrEqual, length, Session::MOST))?;
                let new = self.path.world.new_array(class, self.exprs[length]);
                self.make(Step::NewArray(class, length), new, Type::Reference(class));
            }
            _ => unreachable!("it is no access"),
        }
        Some(())
    }

    pub(super) fn input(&mut self, sort: Sort, is_nullable: bool, value: i64) -> ValueId {
        let number = self.path.solver.store.terms().unknowns().len();
        let name = format!("input {number}").into();
        let expr = self.path.get(|heap, context| heap.unknown(context, name, sort, is_nullable));
        self.inputs.insert(number, (expr, value));
        self.make_input(Step::Input, expr, type_of(sort), value)
    }

    fn apply(&mut self, operation: Operation, left: ValueId, right: ValueId) -> ValueId {
        let expr = self.path.solver.store.apply(operation, self.exprs[left], self.exprs[right]);
        self.make(Step::Apply(operation, left, right), expr, Type::Int)
    }

    /// An object that is an instance of a class, after a check.
    fn pick_holder(&mut self, choice: u8, of: ClassId) -> Option<ValueId> {
        let fits = |class: ClassId| is_subtype(class, of) || is_subtype(of, class);
        let object = self.pick_instance(choice, of, fits)?;
        self.cast(object, of)
    }

    /// An object as an instance of a class, if it is one.
    fn cast(&mut self, object: ValueId, of: ClassId) -> Option<ValueId> {
        self.forbid(Test::Null(object))?;
        if self.types[object].is_below(of) {
            return Some(object);
        }
        self.require(Test::Instance(object, of))?;
        Some(self.make(Step::Cast(object), self.exprs[object], Type::Reference(of)))
    }

    /// An array, with the type that it has at least.
    fn pick_array(&mut self, choice: u8, of: u8) -> Option<(ValueId, ClassId)> {
        let of = [INTS, OBJECTS, AS][usize::from(of) % 3];
        let is_array = |class: ClassId| class == OBJECT || is_subtype(class, of);
        let array = self.pick_instance(choice, of, is_array)?;
        let Type::Reference(class) = self.types[array] else { return None };
        let of = if class == OBJECT { of } else { class };
        self.cast(array, of).map(|array| (array, of))
    }

    fn length(&mut self, array: ValueId) -> Option<ValueId> {
        let expr = self.path.length(self.exprs[array]);
        let length = self.make(Step::Length(array), expr, Type::Int);
        self.require(Test::Compare(Comparison::LessOrEqual, length, Session::MOST))?;
        Some(length)
    }

    /// An index within the bounds of an array.
    fn pick_index(&mut self, array: ValueId, choice: u8) -> Option<ValueId> {
        let length = self.length(array)?;
        let index = self.pick_within(choice, 0..self.machine.values[length])?;
        self.require(Test::Compare(Comparison::GreaterOrEqual, index, Session::ZERO))?;
        self.require(Test::Compare(Comparison::Less, index, length))?;
        Some(index)
    }

    fn require_storable(&mut self, array: ValueId, of: ClassId, value: ValueId) -> Option<()> {
        if of == INTS || self.decide(Test::Null(value)) {
            return Some(());
        }
        self.require(Test::Storable(array, value))
    }

    fn copy(
        &mut self,
        (from, from_start): (u8, u8),
        (to, to_start): (u8, u8),
        length: u8,
    ) -> Option<()> {
        let (from, of) = self.pick_array(from, to_start)?;
        let target = if of == INTS { INTS } else { OBJECTS };
        let to = self.pick_instance(to, target, |class| is_subtype(class, target))?;
        self.forbid(Test::Null(to))?;
        if of != INTS && of != BS {
            // Every element fits.
            self.forbid(Test::Instance(to, AS))?;
        }
        let (from_length, to_length) = (self.length(from)?, self.length(to)?);
        let [from_end, to_end] = [from_length, to_length].map(|id| self.machine.values[id]);
        let length = self.pick_within(length, 0..from_end.min(to_end) + 1)?;
        self.require(Test::Compare(Comparison::GreaterOrEqual, length, Session::ZERO))?;
        let from_start = self.pick_start(from_start, from_length, length)?;
        let to_start = self.pick_start(to_start, to_length, length)?;
        let sort = element_sort(of)?;
        let part = |(array, start): (ValueId, ValueId)| (self.exprs[array], self.exprs[start]);
        let (source, target) = (part((from, from_start)), part((to, to_start)));
        let count = self.exprs[length];
        self.path.get(|heap, context| heap.copy(context, group(of), sort, source, target, count));
        self.act(Step::Copy((from, from_start), (to, to_start), length));
        Some(())
    }

    /// Where a part of a length is within an array.
    fn pick_start(&mut self, choice: u8, whole: ValueId, length: ValueId) -> Option<ValueId> {
        let last = self.apply(Operation::Subtract(ArithmeticKind::Int), whole, length);
        let start = self.pick_within(choice, 0..self.machine.values[last] + 1)?;
        self.require(Test::Compare(Comparison::GreaterOrEqual, start, Session::ZERO))?;
        self.require(Test::Compare(Comparison::LessOrEqual, start, last))?;
        Some(start)
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
            let taken = possible.iter().find(|alternative| alternative.index == 0);
            let taken = taken.unwrap_or_else(|| panic!("{test:?} is not {outcome}"));
            self.model = Some(taken.model.clone().expect("it is not too hard"));
        }
        self.path.assume(wanted).expect("a heap was lost");
        self.act(Step::Guard(test, outcome));
        self.check_model();
        outcome
    }

    /// The model that is carried along satisfies everything.
    fn check_model(&mut self) {
        let Some(model) = self.model.clone() else { return };
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
                petrel_solver::constraint_text(terms, constraint)
            );
        }
        assert_eq!(self.path.heap.lemmas(store, model), []);
    }

    /// The path is that of its initial heap.
    pub(super) fn check_own(&mut self) {
        let model = assignment(&self.path, &self.initial, &self.inputs, &self.numbers);
        self.check(&model);
        self.check_model();
    }

    /// The plain interpreter takes the path with the heap that a model stands for, and every value is
    /// the one that its term has.
    pub(super) fn check(&mut self, model: &[i64]) {
        let text = self.dump(model);
        let _on_panic = OnPanic(text);
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
    pub(super) fn initial_heap(&self, model: &[i64]) -> (Heap, Vec<i64>) {
        let terms = self.path.solver.store.terms();
        let values = evaluate(terms, model, terms.len());
        let objects = self.path.heap.objects(&|expr| value(&values, expr));
        (Heap::of(&objects), values)
    }

    /// Whether the path is possible with its own initial heap, whatever else the solver knows of that.
    pub(super) fn is_own_possible(&mut self) -> bool {
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

    fn dump(&self, model: &[i64]) -> String {
        use std::fmt::Write;
        let mut out = String::new();
        if std::env::var("HEAP_DEBUG").is_err() {
            return out;
        }
        let terms = self.path.solver.store.terms();
        let values = evaluate(terms, model, terms.len());
        let objects = self.path.heap.objects(&|expr| value(&values, expr));
        let mut made = 0;
        for step in &self.steps {
            let is_made = !matches!(
                step,
                Step::SetField(..) | Step::SetElement(..) | Step::Copy(..) | Step::Guard(..)
            );
            if is_made {
                let kind = if self.types[made] == Type::Int {
                    petrel_clp::Kind::Int
                } else {
                    petrel_clp::Kind::Reference
                };
                writeln!(
                    out,
                    "v{made} = {step:?}  {:?} = {} = {}",
                    self.types[made],
                    petrel_solver::text(terms, self.exprs[made], kind),
                    value(&values, self.exprs[made])
                )
                .unwrap();
                made += 1;
            } else {
                writeln!(out, "{step:?}").unwrap();
            }
        }
        for (unknown, value) in terms.unknowns().iter().zip(model) {
            writeln!(out, "{} {}..{} = {value}", unknown.name, unknown.low, unknown.high).unwrap();
        }
        for constraint in self.path.solver.store.constraints() {
            writeln!(out, "  {}", petrel_solver::constraint_text(terms, constraint)).unwrap();
        }
        writeln!(out, "{objects:?}").unwrap();
        out
    }

    /// A test that a path may be refined by, whatever it says on the own heap of the path.
    pub(super) fn steps(&self) -> &[Step] {
        &self.steps
    }

    pub(super) fn refine(
        &mut self,
        left: u8,
        right: u8,
        comparison: Comparison,
    ) -> Option<Refined> {
        let test = if left % 2 == 0 {
            Test::Same(self.pick(left, Type::is_reference)?, self.pick(right, Type::is_reference)?)
        } else {
            Test::Compare(comparison, self.pick_int(left)?, self.pick_int(right)?)
        };
        let is_own = self.machine.test(test);
        Some(Refined { constraint: self.constraint(test), is_own })
    }
}

/// A constraint, and whether the own heap of a path satisfies it.
pub(super) struct Refined {
    pub(super) constraint: Constraint,
    pub(super) is_own: bool,
}

fn type_of(sort: Sort) -> Type {
    match sort {
        Sort::Number { kind: Kind::Long, .. } => Type::Long,
        Sort::Number { .. } => Type::Int,
        Sort::Reference(of) => Type::Reference(of),
    }
}

struct OnPanic(String);
impl Drop for OnPanic {
    fn drop(&mut self) {
        if std::thread::panicking() && !self.0.is_empty() {
            eprintln!("=====BEGIN\n{}=====END", self.0);
        }
    }
}
