//! Choices: what a derivation does at a guard on values that depend on unknown inputs.
//!
//! The solver says which sides of the guard are possible. If only one is, the guard is decided and the
//! derivation goes on there. Otherwise the state is kept as a choice point with the other sides, and
//! the derivation goes on with the first.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use petrel_clp::{ArithmeticKind, Comparison, Kind, Operation};
use petrel_solver::{Constraint, Expr, Mark, Membership, Model, Simplified, TermId};
use smallvec::{SmallVec, smallvec};

use crate::calls::{Halt, Step};
use crate::code::{Address, NumberTest, SwitchTable};
use crate::guide::{Guide, Position};
use crate::heap::HeapMark;
use crate::local::LocalPaths;
use crate::machine::{Machine, Stop};
use crate::made::Aside;
use crate::meter::MeterMark;
use crate::stop::Reason;
use crate::trail::TrailMark;
use crate::types::TypeId;
use crate::unknown::kind_of;
use crate::unstable::Instability;
use crate::value::{Reference, Value};

/// What a derivation decided at a guard that rewriting and intervals left open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Decision {
    /// The alternative that it went on with.
    pub alternative: u32,
    /// Whether there were others.
    pub is_choice: bool,
}

/// A way to go on from a guard.
#[derive(Debug, Clone)]
pub(crate) struct Way {
    /// What has to hold.
    condition: Constraint,
    /// Whether it is assumed as it stands. What rewriting makes of it may narrow other terms only.
    is_literal: bool,
    /// Where the code goes on.
    pc: Address,
    /// Whether the trace shows it: by the rule that is applied then, or by the method that is called.
    shown: Shown,
}

/// How a trace shows which way was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// By a rule, if it is one of the program.
    ByRule,
    /// By the method of the program that is called.
    ByCallee,
    /// Not by what follows.
    AsChoice,
}

impl Way {
    fn new(condition: Constraint, pc: Address) -> Way {
        Way { condition, is_literal: false, pc, shown: Shown::ByRule }
    }

    pub(crate) fn literal(condition: Constraint, pc: Address) -> Way {
        Way { is_literal: true, shown: Shown::AsChoice, ..Way::new(condition, pc) }
    }

    /// The same, where a method of the program is called then.
    pub(crate) fn to_callee(condition: Constraint, pc: Address) -> Way {
        Way { shown: Shown::ByCallee, ..Way::literal(condition, pc) }
    }
}

/// A way that is open.
#[derive(Debug)]
pub(crate) struct OpenWay {
    pub(crate) number: u32,
    way: Way,
    pub(crate) model: Option<Model>,
}

/// A state that can be gone back to.
#[derive(Debug, Clone, Copy)]
struct State {
    base: usize,
    trail: TrailMark,
    heap: HeapMark,
    store: Mark,
    unknown: petrel_heap::Mark,
    made: crate::made::Mark,
    output: (usize, usize),
    memory: usize,
    steps: u64,
    applied: u64,
    own_applied: u64,
    choices: u32,
    decisions: usize,
    observe_at: u64,
    logged: usize,
    has_begun: bool,
    is_hidden: bool,
    modelled: u64,
}

/// A state that can be gone back to, and the ways that are left from there.
#[derive(Debug)]
pub(crate) struct ChoicePoint {
    state: State,
    instability: Instability,
    position: Position,
    local: u32,
    meter: Option<MeterMark>,
    /// The last is taken next.
    pub(crate) open: SmallVec<[OpenWay; 1]>,
}

impl ChoicePoint {
    /// How many decisions lead here.
    pub(crate) fn decisions(&self) -> usize {
        self.state.decisions
    }
}

/// The state of a derivation that makes choices.
#[derive(Debug, Default)]
pub(crate) struct Exploring {
    pub(crate) points: Vec<ChoicePoint>,
    /// Inputs that take the path so far; `None` if the solver found none and could not exclude it.
    pub(crate) model: Option<Model>,
    /// What was decided on the path so far.
    pub(crate) decisions: Vec<Decision>,
    /// Decisions that are given: the derivation follows them first.
    pub(crate) given: Vec<Decision>,
    /// The model at the end of the given decisions.
    pub(crate) given_model: Option<Model>,
    /// Sides of guards that are impossible.
    pub(crate) infeasible: u64,
    /// Choices that were made.
    pub(crate) choices: u64,
    /// Calls on unknown objects that may have classes that are not tried.
    pub(crate) receivers_left_out: u64,
    /// Comparisons of an input with an object of an initialiser, which it might be.
    pub(crate) static_objects_left_out: u64,
    /// Calls on the path so far that a model answered instead of the library's code.
    pub(crate) modelled: u64,
    /// Inputs of library types that may have classes which were not tried.
    pub(crate) classes_left_out: u64,
    /// Choices in hash tables of which one side was taken.
    pub(crate) key_orders_left_out: u64,
    /// Applications of the program's own rules before the call itself: those of invariants.
    pub(crate) steps_before: u64,
    /// The most choices on a path.
    pub(crate) most_choices: u32,
    /// Arrays of unknown length are tried up to this length.
    pub(crate) max_array: u32,
    /// Whether propagation alone decides what is possible.
    pub(crate) by_propagation: bool,
    /// Set from outside when the derivation has to end.
    pub(crate) interrupt: Arc<AtomicBool>,
    /// The call that is to be started.
    pub(crate) pending: Option<(u32, Box<[Value]>)>,
    /// Rule applications that were counted, and those up to the end of the given decisions.
    pub(crate) counted_steps: u64,
    pub(crate) followed_steps: u64,
    /// Iterations and calls on the paths before, those of the class library included, and the most in all.
    pub(crate) work_before: u64,
    pub(crate) most_work: u64,
    /// Iterations and calls when the path under way was gone back to, and what the solver had done then.
    pub(crate) steps_at_start: u64,
    pub(crate) solver_at_start: u64,
}

/// Tables of more elements are not made terms of.
const MOST_ELEMENTS: usize = 1 << 14;

/// Arrays of more elements are not written at an unknown index.
const MOST_WRITTEN: usize = 256;

/// An expression of the solver as a value of the machine.
pub(crate) fn value_of(expr: Expr, kind: Kind) -> Value {
    match expr {
        // Objects of the machine have negative numbers in terms, those of the initial heap positive ones.
        Expr::Constant(number) if kind == Kind::Reference && number > 0 => {
            Value::input(number as u32)
        }
        Expr::Constant(number) if kind == Kind::Reference => {
            Value::reference(Reference(number.unsigned_abs() as u32))
        }
        Expr::Term(TermId(term)) => Value::symbolic(term),
        Expr::Constant(number) if kind == Kind::Int || kind == Kind::Float => {
            Value::int(number as i32)
        }
        Expr::Constant(number) => Value::long(number),
    }
}

/// A value of the machine as an expression of the solver.
pub(crate) fn expr_of(value: Value, kind: Kind) -> Expr {
    if let Some(number) = value.as_input() {
        return Expr::Constant(number.into());
    }
    if value.is_symbolic() {
        return Expr::Term(TermId(value.bits as u32));
    }
    match kind {
        Kind::Reference => Expr::Constant(-i64::from(value.as_reference().0)),
        Kind::Int => Expr::Constant(value.as_int().into()),
        Kind::Float => Expr::Constant((value.bits as u32).into()),
        _ => Expr::Constant(value.as_long()),
    }
}

impl Machine<'_> {
    /// An operation on values of which one is a term.
    pub(crate) fn apply(&mut self, operation: Operation, left: Value, right: Value) -> Value {
        let (of_left, of_right) = operand_kinds(operation);
        let left = expr_of(left, of_left);
        let right = if operation.is_unary() { Expr::Constant(0) } else { expr_of(right, of_right) };
        value_of(self.solver.store.apply(operation, left, right), operation.result_kind())
    }

    /// A value as text, for people.
    pub(crate) fn text_of_value(&self, value: Value, kind: Kind) -> String {
        petrel_solver::text(self.solver.store.terms(), expr_of(value, kind), kind)
    }

    /// A decision that depends on an unknown input, of a kind that the solver does not know.
    pub(crate) fn undecided(&self, what: String) -> Stop {
        match self.exploring {
            Some(_) => Stop::unsupported(what),
            None => Stop(Reason::Undecided(what)),
        }
    }

    fn is_exact(&self, expr: Expr) -> bool {
        expr.term().is_none_or(|term| self.solver.store.terms().is_exact(term))
    }

    /// A guard on numbers, which leads to `to` where it does not hold.
    pub(crate) fn choose_by_comparison(
        &mut self,
        test: NumberTest,
        left: Value,
        right: Value,
        to: Address,
    ) -> Step {
        let NumberTest { kind, comparison, .. } = test;
        let (left, right) = (expr_of(left, kind.into()), expr_of(right, kind.into()));
        let holds = Constraint::Compare { kind, comparison, left, right };
        if self.exploring.is_none() || !self.is_exact(left) || !self.is_exact(right) {
            let guard = format!("the guard {}", self.constraint_text(&holds));
            return Err(self.undecided(guard).into());
        }
        let preferred = self.preferred_comparison(comparison, right);
        self.choose_one_of_two(holds, self.pc, to, preferred)
    }

    /// Rewrites a constraint; if that decides it, the solver has nothing more to do, and counts it.
    fn simplify(&mut self, constraint: Constraint) -> Simplified {
        let simplified = self.solver.store.simplify(constraint);
        // What leads to a part of the tree was counted by whoever looks at the rest of it.
        let is_following = self
            .exploring
            .as_ref()
            .is_some_and(|exploring| exploring.decisions.len() < exploring.given.len());
        if !is_following && !matches!(simplified, Simplified::Open(_)) {
            self.solver.statistics.decisions += 1;
            self.solver.statistics.by_rewriting += 1;
        }
        simplified
    }

    /// Goes on at one address if a constraint holds and at another if not. If both are possible, one of them
    /// may be taken alone.
    pub(crate) fn choose_one_of_two(
        &mut self,
        holds: Constraint,
        here: Address,
        there: Address,
        preferred: Option<bool>,
    ) -> Step {
        let holds = match self.simplify(holds) {
            Simplified::True => {
                self.pc = here;
                return Ok(());
            }
            Simplified::False => {
                self.pc = there;
                return Ok(());
            }
            Simplified::Open(open) => open,
        };
        let negated = holds.negated();
        let ways = smallvec![Way::new(holds, here), Way::new(negated, there)];
        self.choose_preferring(ways, false, preferred.map(|is_first| u32::from(!is_first)))
    }

    /// A guard on an index: within bounds it goes on at one address, else at another. The one that the
    /// code goes on to is the first rule.
    pub(crate) fn choose_by_bounds(
        &mut self,
        array: Value,
        index: Value,
        inside: Address,
        outside: Address,
    ) -> Step {
        if array.is_symbolic() && !self.is_settled(array)? {
            return Ok(());
        }
        if array.is_unstable() || index.is_unstable() {
            self.note_unstable_decision();
        }
        let length = self.length_of(array)?;
        if let (Expr::Constant(length), false) = (length, index.is_symbolic()) {
            let is_inside = (0..length).contains(&i64::from(index.as_int()));
            self.pc = if is_inside { inside } else { outside };
            return Ok(());
        }
        let index = self.to_choose_by(index)?;
        let zero = Expr::Constant(0);
        let store = &mut self.solver.store;
        let (low, high) = store.interval(index);
        let not_negative = Constraint::int(index, Comparison::GreaterOrEqual, zero);
        let not_too_large = Constraint::int(index, Comparison::Less, length);
        if low >= 0 {
            return self.choose_bound(not_too_large, inside, outside);
        }
        if high < store.interval(length).0 {
            return self.choose_bound(not_negative, inside, outside);
        }
        let negative = store.test(&not_negative.negated());
        let too_large = store.test(&not_too_large.negated());
        let is_outside = store.apply(Operation::Or(ArithmeticKind::Int), negative, too_large);
        let out = Constraint::int(is_outside, Comparison::NotEqual, zero);
        match store.simplify(out) {
            Simplified::True => self.pc = outside,
            Simplified::False => self.pc = inside,
            Simplified::Open(out) => {
                let inside = Way::new(out.negated(), inside);
                let outside = Way::new(out, outside);
                let is_inside_first = inside.pc == self.pc;
                return self.choose(if is_inside_first {
                    smallvec![inside, outside]
                } else {
                    smallvec![outside, inside]
                });
            }
        }
        Ok(())
    }

    fn choose_bound(&mut self, within: Constraint, inside: Address, outside: Address) -> Step {
        if inside == self.pc {
            self.choose_one_of_two(within, inside, outside, None)
        } else {
            self.choose_one_of_two(within.negated(), outside, inside, None)
        }
    }

    /// An unknown `int` that is to be chosen by, if that is possible.
    fn to_choose_by(&self, value: Value) -> Result<Expr, Stop> {
        let expr = expr_of(value, Kind::Int);
        if self.exploring.is_none() || !self.is_exact(expr) {
            let text = self.text(value, Kind::Int);
            return Err(self.undecided(format!("a choice by {text}")));
        }
        Ok(expr)
    }

    /// A choice by the value of an `int`: one way for each place that it leads to.
    pub(crate) fn choose_case(&mut self, value: Value, table: u32) -> Step {
        let expr = self.to_choose_by(value)?;
        let ways = cases(&self.code.switches[table as usize], expr);
        let mut open: SmallVec<[Way; 2]> = SmallVec::new();
        for (constraint, pc) in ways {
            match self.simplify(constraint) {
                Simplified::True => {
                    self.pc = pc;
                    return Ok(());
                }
                Simplified::False => {}
                Simplified::Open(open_constraint) => {
                    open.push(Way::new(open_constraint, pc));
                }
            }
        }
        self.choose(open)
    }

    /// The length of a new array: if it is unknown, the possible ones are tried, the shortest first.
    /// `None` if the instruction is executed again.
    pub(crate) fn fixed_length(&mut self, length: Value) -> Result<Option<Value>, Halt> {
        if !length.is_symbolic() {
            return Ok(Some(length));
        }
        let max_array = self.exploring.as_ref().map_or(0, |exploring| exploring.max_array);
        self.assume_known_bound(expr_of(length, Kind::Int), Comparison::GreaterOrEqual, 0)?;
        let (low, high) = self.solver.store.interval(expr_of(length, Kind::Int));
        if self.exploring.is_some() && low > i64::from(max_array) && low != high {
            return Err(Stop(Reason::Limit(format!("arrays of {max_array} elements"))).into());
        }
        self.fix(length, self.pc - 1)
    }

    /// The value of a term: if several are possible they are tried one by one, each executing the
    /// instruction at the address again. `None` if that happens.
    pub(crate) fn fix(&mut self, value: Value, again: Address) -> Result<Option<Value>, Halt> {
        let expr = self.to_choose_by(value)?;
        let (low, high) = self.solver.store.interval(expr);
        if low == high {
            return Ok(Some(Value::int(low as i32)));
        }
        let is_low = Constraint::int(expr, Comparison::Equal, Expr::Constant(low));
        let is_other = is_low.negated();
        let ways = smallvec![Way::literal(is_low, again), Way::literal(is_other, again)];
        self.choose_assuming(ways, true)?;
        Ok(None)
    }

    /// An element of an array at an unknown index, which is within bounds.
    pub(crate) fn get_unknown_element(&mut self, to: u16, array: Value, index: Value) -> Step {
        let array = array.as_reference();
        let expr = expr_of(index, Kind::Int);
        let (low, high) = self.bounded(expr, self.heap.length(array));
        let kind = self.element_kind(array);
        if high - low >= MOST_ELEMENTS {
            self.assume_known_bound(expr, Comparison::GreaterOrEqual, low)?;
            self.assume_known_bound(expr, Comparison::LessOrEqual, high)?;
            let Some(index) = self.fix(index, self.pc - 1)? else { return Ok(()) };
            let element = self.heap.get_element(array, index.as_int() as usize);
            self.set_register(to, element);
            return Ok(());
        }
        if self.heap.object(array).unstable {
            self.note_unstable_decision();
        }
        let elements: std::rc::Rc<[Expr]> =
            (low..=high).map(|at| expr_of(self.heap.get_element(array, at), kind)).collect();
        let offset = Expr::Constant(-(low as i64));
        let store = &mut self.solver.store;
        let at = store.apply(Operation::Add(ArithmeticKind::Int), expr, offset);
        let selected = store.select(kind, elements, at);
        self.set_register(to, value_of(selected, kind));
        Ok(())
    }

    /// Sets an element at an unknown index, which is within bounds: each element that it may be is the
    /// value or what it was.
    pub(crate) fn set_unknown_element(
        &mut self,
        array: Reference,
        index: Value,
        value: Value,
    ) -> Step {
        let expr = expr_of(index, Kind::Int);
        let (low, high) = self.bounded(expr, self.heap.length(array));
        let kind = self.element_kind(array);
        if high - low >= MOST_WRITTEN || self.exploring.is_none() {
            self.assume_known_bound(expr, Comparison::GreaterOrEqual, low)?;
            self.assume_known_bound(expr, Comparison::LessOrEqual, high)?;
            let Some(index) = self.fix(index, self.pc - 1)? else { return Ok(()) };
            self.heap.set_element(array, index.as_int() as usize, value);
            return Ok(());
        }
        for at in low..=high {
            let old = expr_of(self.heap.get_element(array, at), kind);
            let is_here = Constraint::int(expr, Comparison::Equal, Expr::Constant(at as i64));
            let store = &mut self.solver.store;
            let is_here = store.test(&is_here);
            let element = store.choose(kind, is_here, expr_of(value, kind), old);
            self.heap.set_element(array, at, value_of(element, kind));
        }
        Ok(())
    }

    /// Tells propagation of a bound that the rules before guard. If only the complete procedure could
    /// show that there was no choice, the intervals do not have it, and values that are tried one by
    /// one would start far outside.
    fn assume_known_bound(&mut self, expr: Expr, comparison: Comparison, bound: usize) -> Step {
        if self.exploring.is_none() || !self.is_exact(expr) {
            return Ok(());
        }
        let (low, high) = self.solver.store.interval(expr);
        let bound = bound as i64;
        let is_known = match comparison {
            Comparison::GreaterOrEqual => low >= bound,
            _ => high <= bound,
        };
        if is_known {
            return Ok(());
        }
        // Rewriting might make of it something about other terms.
        let bound = Constraint::int(expr, comparison, Expr::Constant(bound));
        self.solver.store.assume(bound).map_err(|_| Halt::Infeasible)
    }

    /// What the elements of an array are computed with.
    fn element_kind(&self, array: Reference) -> Kind {
        let component = self.types.get(self.heap.class(array)).component;
        component.map_or(Kind::Reference, |(component, _)| kind_of(component))
    }

    /// The range of an index that is within the bounds of an array.
    fn bounded(&self, index: Expr, length: usize) -> (usize, usize) {
        let (low, high) = self.solver.store.interval(index);
        let last = length.saturating_sub(1);
        (low.clamp(0, last as i64) as usize, high.clamp(0, last as i64) as usize)
    }

    /// A value as an element of this type is.
    pub(crate) fn narrowed(&mut self, component: TypeId, value: Value) -> Value {
        use petrel_clp::Conversion::{IntToByte, IntToChar, IntToShort};
        if !value.is_symbolic() {
            return value;
        }
        match component {
            TypeId::BOOLEAN => {
                self.apply(Operation::And(ArithmeticKind::Int), value, Value::int(1))
            }
            TypeId::BYTE => self.apply(Operation::Convert(IntToByte), value, Value::NULL),
            TypeId::CHAR => self.apply(Operation::Convert(IntToChar), value, Value::NULL),
            TypeId::SHORT => self.apply(Operation::Convert(IntToShort), value, Value::NULL),
            _ => value,
        }
    }

    /// Takes one of several ways, whose constraints exclude each other and of which one always
    /// holds. Rewriting has left them open.
    fn choose(&mut self, ways: SmallVec<[Way; 2]>) -> Step {
        self.choose_assuming(ways, false)
    }

    pub(crate) fn choose_assuming(
        &mut self,
        ways: SmallVec<[Way; 2]>,
        assume_implied: bool,
    ) -> Step {
        self.choose_preferring(ways, assume_implied, None)
    }

    /// Takes one of several ways. The preferred one is the only one that is followed, if it is possible.
    fn choose_preferring(
        &mut self,
        mut ways: SmallVec<[Way; 2]>,
        assume_implied: bool,
        preferred: Option<u32>,
    ) -> Step {
        if !self.heap.is_noting() {
            return Err(Stop::unsupported("a choice while a class is initialised").into());
        }
        let Some(exploring) = &mut self.exploring else {
            return Err(Stop::unsupported("a choice").into());
        };
        if exploring.interrupt.load(Ordering::Relaxed) {
            return Err(Stop(Reason::Limit("time".to_owned())).into());
        }
        self.check_work()?;
        let Some(exploring) = &mut self.exploring else {
            return Err(Stop::unsupported("a choice").into());
        };
        if let Some(&given) = exploring.given.get(exploring.decisions.len()) {
            return self.follow(given, &mut ways, assume_implied);
        }
        let mut open: SmallVec<[OpenWay; 1]> = if exploring.by_propagation {
            // What propagation excludes is found out when it is its turn, as in Prolog.
            let numbered = ways.drain(..).enumerate().rev();
            numbered
                .map(|(number, way)| OpenWay { number: number as u32, way, model: None })
                .collect()
        } else {
            let constraints: SmallVec<[Constraint; 2]> =
                ways.iter().map(|way| way.condition.clone()).collect();
            let possible = self.solver.branch(
                exploring.model.as_ref(),
                &constraints,
                &mut self.unknown.solver,
            );
            exploring.infeasible += (ways.len() - possible.len()) as u64;
            possible
                .into_iter()
                .rev()
                .map(|alternative| {
                    let mut way = ways[alternative.index].clone();
                    if let Some(rewritten) = alternative.constraint
                        && !way.is_literal
                    {
                        way.condition = rewritten;
                    }
                    OpenWay { number: alternative.index as u32, way, model: alternative.model }
                })
                .collect()
        };
        let is_choice = open.len() > 1;
        if is_choice && open.iter().any(|way| Some(way.number) == preferred) {
            open.retain(|way| Some(way.number) == preferred);
            exploring.key_orders_left_out += 1;
        }
        if is_choice && self.guide.is_some() {
            open.retain(|way| self.is_guided(way));
            if open.is_empty() {
                return Err(Halt::Astray);
            }
        }
        let Some(first) = open.pop() else { return Err(Halt::Infeasible) };
        let Some(exploring) = &mut self.exploring else {
            return Err(Stop::unsupported("a choice").into());
        };
        if !is_choice {
            exploring.decisions.push(Decision { alternative: first.number, is_choice });
            exploring.model = first.model;
            self.pc = first.way.pc;
            return if assume_implied { self.assume(&first.way) } else { Ok(()) };
        }
        if self.criterion.choices >= exploring.most_choices {
            let limit = format!("{} choices", exploring.most_choices);
            return Err(Stop(Reason::Limit(limit)).into());
        }
        exploring.choices += 1;
        if !open.is_empty() {
            self.push_choice_point(open);
        }
        self.take(first)
    }

    /// Whether a way may lead to what the trace that is followed has next.
    fn is_guided(&mut self, open: &OpenWay) -> bool {
        match open.way.shown {
            Shown::ByRule if self.is_in_program() => self.is_guided_to(open.way.pc),
            Shown::ByCallee => true,
            Shown::ByRule | Shown::AsChoice => self.is_guided_choice(open.number),
        }
    }

    /// Whether the code under way is the program's own.
    fn is_in_program(&self) -> bool {
        let method = self.frames.last().map(|frame| frame.method);
        let known = method.filter(|&method| method != u32::MAX);
        known.is_some_and(|method| !self.methods.get(method).of_library)
    }

    /// Puts a way that was chosen into the trace, unless what follows shows it.
    fn show_choice(&mut self, way: &Way, number: u32) -> Step {
        match way.shown {
            Shown::ByRule if self.is_in_program() => Ok(()),
            Shown::ByCallee => Ok(()),
            Shown::ByRule | Shown::AsChoice => self.observe_choice(number),
        }
    }

    /// An array gets the size that the trace that is followed gives it.
    pub(crate) fn require_size(&mut self, size: Value, guided: i64) -> Step {
        let expr = expr_of(size, Kind::Int);
        let is_it = Constraint::int(expr, Comparison::Equal, Expr::Constant(guided));
        match self.solver.store.simplify(is_it.clone()) {
            Simplified::True => return Ok(()),
            Simplified::False => return Err(Halt::Astray),
            Simplified::Open(_) => {}
        }
        let Some(exploring) = &mut self.exploring else {
            return Err(self.undecided("the size of an array".to_owned()).into());
        };
        if exploring.decisions.len() >= exploring.given.len() {
            let constraints = [is_it.clone(), is_it.negated()];
            let model = exploring.model.as_ref();
            let possible = self.solver.branch(model, &constraints, &mut self.unknown.solver);
            let Some(found) = possible.into_iter().find(|possible| possible.index == 0) else {
                return Err(Halt::Astray);
            };
            exploring.model = found.model;
        }
        self.assume_constraint(is_it)
    }

    /// Follows a decision that was made before.
    fn follow(&mut self, given: Decision, ways: &mut [Way], assume_implied: bool) -> Step {
        let Some(way) = ways.get(given.alternative as usize).cloned() else {
            return Err(Stop::unsupported("a trace that does not fit the program").into());
        };
        if let Some(exploring) = &mut self.exploring {
            exploring.decisions.push(given);
            if exploring.decisions.len() == exploring.given.len() {
                exploring.model = exploring.given_model.take();
                exploring.followed_steps = self.own_applied;
            }
        }
        self.criterion.choices += u32::from(given.is_choice);
        if given.is_choice {
            self.show_choice(&way, given.alternative)?;
        }
        self.pc = way.pc;
        if given.is_choice || assume_implied { self.assume(&way) } else { Ok(()) }
    }

    fn assume(&mut self, way: &Way) -> Step {
        if way.is_literal {
            return self.assume_constraint(way.condition.clone());
        }
        match self.solver.store.simplify(way.condition.clone()) {
            Simplified::True => Ok(()),
            Simplified::False => Err(Halt::Infeasible),
            Simplified::Open(open) => self.assume_constraint(open),
        }
    }

    /// Adds a constraint, and what the heap solver concludes from it.
    fn assume_constraint(&mut self, constraint: Constraint) -> Step {
        let terms = self.solver.store.terms();
        let is_equality = matches!(
            constraint,
            Constraint::Compare {
                comparison: Comparison::Equal,
                left: Expr::Term(left),
                right,
                ..
            } if terms.kind(left) == Kind::Reference && right != Expr::Constant(0)
        );
        self.solver.store.assume(constraint)?;
        if is_equality {
            self.unknown.solver.propagate_equalities(&mut self.solver.store)?;
        }
        Ok(())
    }

    fn take(&mut self, open: OpenWay) -> Step {
        self.criterion.choices += 1;
        if let Some(exploring) = &mut self.exploring {
            let decision = Decision { alternative: open.number, is_choice: true };
            exploring.decisions.push(decision);
            exploring.model = open.model;
        }
        self.show_choice(&open.way, open.number)?;
        self.pc = open.way.pc;
        let before = self.solver.store.constraints().len();
        let aside = match (self.log.has_begun, self.is_in_program() || self.log.is_hidden) {
            (false, _) => Some(Aside::Building),
            (true, false) => Some(Aside::Library),
            (true, true) => None,
        };
        // It was rewritten in the same state of the store.
        self.assume_constraint(open.way.condition)?;
        if let Some(aside) = aside {
            let after = self.solver.store.constraints().len();
            self.unknown.made.note_aside(before..after, aside);
        }
        Ok(())
    }

    /// Keeps the state here, with what is left to try.
    pub(crate) fn push_choice_point(&mut self, open: SmallVec<[OpenWay; 1]>) {
        let top = self.base + self.frame_size();
        let trail = self.mark_trail(top);
        let state = State {
            base: self.base,
            trail,
            heap: self.heap.open_choice(),
            store: self.solver.store.mark(),
            unknown: self.unknown.solver.mark(),
            made: self.unknown.made.mark(),
            output: (self.modelled.output.len(), self.modelled.errors.len()),
            memory: self.modelled.memory.len(),
            steps: self.steps,
            applied: self.applied,
            own_applied: self.own_applied,
            choices: self.criterion.choices,
            decisions: self.exploring.as_ref().map_or(0, |exploring| exploring.decisions.len()),
            observe_at: self.observe_at,
            logged: self.log.len(),
            has_begun: self.log.has_begun,
            is_hidden: self.log.is_hidden,
            modelled: self.exploring.as_ref().map_or(0, |exploring| exploring.modelled),
        };
        let position = self.guide.as_ref().and_then(Guide::position);
        let local = self.local.as_ref().map_or(0, LocalPaths::position);
        let meter = self.mark_meter();
        if let Some(exploring) = &mut self.exploring {
            let instability = self.instability.clone();
            exploring.points.push(ChoicePoint { state, instability, position, local, meter, open });
        }
    }

    /// The registers of the frame on top.
    fn frame_size(&self) -> usize {
        let method = self.frames.last().map(|frame| frame.method);
        let known = method.filter(|&method| method != u32::MAX);
        match known.map(|method| self.methods.get(method).entry) {
            Some(crate::link::Entry::Code { frame, .. }) => usize::from(frame),
            _ => 0,
        }
    }

    /// Goes back to the last choice that has a way left and takes it; `false` if there is none: then
    /// the state is that before the first.
    pub(crate) fn go_back(&mut self) -> bool {
        loop {
            let Some(exploring) = &mut self.exploring else { return false };
            let Some(point) = exploring.points.last_mut() else { return false };
            if let Some(local) = &mut self.local {
                local.go_back(point.local);
                if !local.is_worthwhile(point.local) {
                    point.open.clear();
                }
            }
            let (state, next) = (point.state, point.open.pop());
            let is_last = point.open.is_empty();
            self.instability.clone_from(&point.instability);
            if let Some(guide) = &mut self.guide {
                guide.go_back(point.position.clone());
            }
            if let (Some(meter), Some(mark)) = (&mut self.meter, &point.meter) {
                meter.go_back(mark);
            }
            exploring.decisions.truncate(state.decisions);
            if is_last {
                exploring.points.pop();
            }
            self.restore(&state);
            if is_last {
                self.heap.close_choice(state.heap);
                self.forget_mark(state.trail);
            }
            let Some(next) = next else { continue };
            match self.take(next) {
                Ok(()) => return true,
                Err(Halt::Astray) => {}
                Err(_) => {
                    if let Some(exploring) = &mut self.exploring {
                        exploring.infeasible += 1;
                    }
                }
            }
        }
    }

    /// Undoes everything since a choice.
    fn restore(&mut self, state: &State) {
        self.base = state.base;
        self.undo_trail(state.trail, state.base);
        self.heap.undo(state.heap);
        self.solver.undo(state.store);
        self.unknown.solver.undo(state.unknown);
        self.unknown.made.undo(state.made);
        self.modelled.output.truncate(state.output.0);
        self.modelled.errors.truncate(state.output.1);
        self.modelled.memory.truncate(state.memory);
        self.steps = state.steps;
        self.applied = state.applied;
        self.own_applied = state.own_applied;
        self.criterion.choices = state.choices;
        self.observe_at = state.observe_at;
        self.log.truncate(state.logged);
        self.log.has_begun = state.has_begun;
        self.log.is_hidden = state.is_hidden;
        if let Some(exploring) = &mut self.exploring {
            exploring.modelled = state.modelled;
        }
    }
}

/// The ways of a switch in the order of the rules, which is that of their code.
fn cases(table: &SwitchTable, value: Expr) -> Vec<(Constraint, Address)> {
    let mut targets: Vec<Address> = table.cases.iter().map(|&(_, target)| target).collect();
    targets.push(table.default);
    targets.sort_unstable();
    targets.dedup();
    let among = |constants: Vec<i32>, is_member| {
        Constraint::Among(Membership { value, constants: constants.into(), is_member })
    };
    targets
        .into_iter()
        .map(|target| {
            let constants = |is_wanted: &dyn Fn(Address) -> bool| -> Vec<i32> {
                let cases = table.cases.iter().filter(|&&(_, to)| is_wanted(to));
                cases.map(|&(constant, _)| constant).collect()
            };
            let constraint = if target == table.default {
                among(constants(&|to| to != target), false)
            } else {
                among(constants(&|to| to == target), true)
            };
            (constraint, target)
        })
        .collect()
}

/// The kinds of an operation's operands.
fn operand_kinds(operation: Operation) -> (Kind, Kind) {
    match operation {
        Operation::Convert(conversion) => (conversion.kinds().0, Kind::Int),
        Operation::Compare(kind, _) => (kind.into(), kind.into()),
        Operation::ShiftLeft(kind)
        | Operation::ShiftRight(kind)
        | Operation::ShiftRightUnsigned(kind) => (kind.into(), Kind::Int),
        _ => (operation.result_kind(), operation.result_kind()),
    }
}
