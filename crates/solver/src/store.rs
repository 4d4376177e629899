//! The constraint store of a path: its terms, its constraints, and an interval for every term.
//!
//! Intervals are computed when terms are built. From then on only *connected* terms are kept up to
//! date: those that some constraint reaches, directly or through operands. When the interval of a
//! connected term narrows, the constraints on it are looked at again, its definition narrows its
//! operands, and the definitions that use it are looked at again, until nothing changes or the
//! budget is used up. All of that is on a trail, so that going back costs what changed, and all
//! lists are chains through flat vectors that shrink with it.
//!
//! Terms that are not connected keep the interval that they were built with; when they are asked
//! for, it is narrowed by what is known of their operands now. So the answers depend on the path's
//! own terms and constraints alone, never on what was asked before.

mod build;
mod connect;
mod leaves;
mod propagate;
mod revise;
mod simplify;

pub use self::propagate::Diligence;

#[cfg(test)]
mod tests;

use std::rc::Rc;

use petrel_clp::{ArithmeticKind, Conversion, Kind, Operation};
use petrel_expression::Expression;

use crate::constraint::Constraint;
use crate::express::{self, Numbered};
use crate::interval::Interval;
use crate::term::{Expr, Node, TermId, TermName, Terms, Unknown};

/// What is known of a constraint before it is assumed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Simplified {
    /// It holds in every solution.
    True,
    /// It holds in none.
    False,
    /// It may hold or not; given the constraints so far, this one says the same.
    Open(Constraint),
}

/// The constraints exclude each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the constraints exclude each other")]
pub struct Conflict;

/// A state of the store to go back to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    terms: u32,
    tables: u32,
    names: u32,
    constraints: u32,
    trail: u32,
    uses: u32,
    guards: u32,
    connected: u32,
}

/// The end of a chain.
const NONE: u32 = u32::MAX;

/// What the store knows of a term.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cell {
    low: i64,
    high: i64,
    /// The last of [`Store::uses`] with this operand.
    uses: u32,
    /// The last of [`Store::guards`] on this term.
    guards: u32,
    /// How long the trail was when the term was built. The interval is up to date as long as the
    /// trail has not grown: nothing was narrowed since.
    built_at: u32,
    /// Whether it is known not to be 0, even if 0 is in the interval.
    is_not_zero: bool,
    /// Whether the interval is kept up to date.
    is_connected: bool,
    /// Whether the definition is in the queue.
    is_queued: bool,
    /// Whether it has operands.
    is_compound: bool,
}

impl Cell {
    #[inline]
    fn interval(&self) -> Interval {
        Interval::new(self.low, self.high)
    }

    #[inline]
    fn set(&mut self, interval: Interval) {
        self.low = interval.low;
        self.high = interval.high;
    }
}

/// A constant, or a term by its number. Unlike an [`Expr`] it is two words of the same layout
/// whatever it is, so that it stays in registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operand {
    Constant(i64),
    Term(u64),
}

impl Operand {
    #[inline]
    fn of(expr: &Expr) -> Operand {
        match *expr {
            Expr::Constant(value) => Operand::Constant(value),
            Expr::Term(term) => Operand::term(term),
        }
    }

    #[inline]
    fn term(term: TermId) -> Operand {
        Operand::Term(term.0.into())
    }

    #[inline]
    fn expr(self) -> Expr {
        match self {
            Operand::Constant(value) => Expr::Constant(value),
            Operand::Term(term) => Expr::Term(TermId(term as u32)),
        }
    }
}

/// A connected term has an operand: its definition is looked at when the operand narrows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Use {
    operand: u32,
    user: u32,
    /// The use of the same operand before.
    next: u32,
}

/// A constraint is looked at when a term narrows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Guard {
    term: u32,
    constraint: u32,
    /// The guard on the same term before.
    next: u32,
}

/// What was known of a term before it was narrowed.
#[derive(Debug, Clone, Copy)]
struct Change {
    low: i64,
    high: i64,
    term: u32,
    is_not_zero: bool,
}

/// The lowest and the highest value of each of some unknowns.
pub type Ranges = Box<[(i64, i64)]>;

/// A constraint as a condition, the unknowns in it that choose, and how many names there were when it was told.
#[derive(Debug, Clone)]
struct Told {
    condition: Expression,
    numbered: Rc<Numbered>,
    /// The condition where it is known what these choose, and the ranges that they had.
    on_choices: Option<(Expression, Ranges)>,
    names: usize,
}

/// The terms and constraints of a path, with what follows from them.
#[derive(Debug, Clone, Default)]
pub struct Store {
    terms: Terms,
    /// By term.
    cells: Vec<Cell>,
    constraints: Vec<Constraint>,
    /// By constraint: what was told of it, as long as it stands.
    told: Vec<Option<Told>>,
    /// By constraint: whether it is in the queue.
    is_queued: Vec<bool>,
    trail: Vec<Change>,
    uses: Vec<Use>,
    guards: Vec<Guard>,
    /// The compound terms that are connected, in the order in which they were.
    connected: Vec<TermId>,
    queue: Vec<propagate::Task>,
    /// Terms that are being connected; empty in between.
    pending: Vec<TermId>,
    /// Whether so many steps were made for one constraint that small changes are ignored.
    is_impatient: bool,
    steps: u64,
    /// How far propagation goes.
    pub diligence: Diligence,
}

impl Store {
    /// An empty store.
    pub fn new() -> Store {
        Store::default()
    }

    /// The terms.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// A new unknown input; going back before it forgets it.
    pub fn unknown(&mut self, unknown: Unknown) -> Expr {
        let declared = Interval::new(unknown.low, unknown.high);
        let range = match unknown.kind {
            Kind::Long => declared,
            Kind::Int | Kind::Reference => Interval::INT.intersect(declared),
            kind => Interval::of(kind),
        };
        let term = self.terms.unknown(unknown);
        self.add_cell(range, false);
        Expr::Term(term)
    }

    /// The constraints assumed so far, in order.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// A constraint, by its number, as a condition, and the unknowns in it that say which of several things something is
    /// (`condition_on_choices`). Paths that follow each other have most of their constraints in common: what was told of one is
    /// shared.
    ///
    /// # Panics
    ///
    /// If there is no such constraint.
    pub fn condition(&mut self, number: usize) -> (Expression, Rc<Numbered>) {
        let names = self.terms.name_count();
        let told = self.told.get(number).and_then(Option::as_ref);
        if let Some(told) = told.filter(|told| told.names == names) {
            return (told.condition.clone(), Rc::clone(&told.numbered));
        }
        let condition = express::condition(&self.terms, &self.constraints[number]);
        let numbered = Rc::new(express::numbered(&self.terms, &self.constraints[number]));
        if self.told.len() <= number {
            self.told.resize(number + 1, None);
        }
        self.told[number] = Some(Told {
            condition: condition.clone(),
            numbered: Rc::clone(&numbered),
            on_choices: None,
            names,
        });
        (condition, numbered)
    }

    /// What was told of a constraint, by its number, where it was known what some unknowns choose, if these had the same ranges.
    pub fn told_on_choices(&self, number: usize, ranges: &[(i64, i64)]) -> Option<Expression> {
        let (condition, before) = self.told.get(number)?.as_ref()?.on_choices.as_ref()?;
        (**before == *ranges).then(|| condition.clone())
    }

    /// Keeps what is told of a constraint, where it is known what some unknowns choose that have these ranges.
    pub fn keep_told_on_choices(&mut self, number: usize, ranges: Ranges, condition: &Expression) {
        if let Some(Some(told)) = self.told.get_mut(number) {
            told.on_choices = Some((condition.clone(), ranges));
        }
    }

    /// The constants in terms and constraints.
    pub fn for_each_constant(&self, mut visit: impl FnMut(Expr)) {
        let mut of_node = |node: &Node| match *node {
            Node::Apply(_, left, right) | Node::Test(_, _, left, right) => {
                visit(left);
                visit(right);
            }
            Node::Choose(_, _, then, otherwise) => {
                visit(then);
                visit(otherwise);
            }
            Node::MultiplyAdd(_, operands) => operands.into_iter().for_each(&mut visit),
            Node::Select(_, table, _) => self.terms.table(table).iter().for_each(|&e| visit(e)),
            Node::Unknown(_) | Node::Opaque(..) => {}
        };
        self.terms.nodes().iter().for_each(&mut of_node);
        self.constraints.iter().flat_map(Constraint::operands).for_each(visit);
    }

    /// The smallest and the largest value that something can have, as far as known.
    pub fn interval(&self, expr: Expr) -> (i64, i64) {
        let interval = self.domain(expr);
        (interval.low, interval.high)
    }

    /// How many steps of propagation were made so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The current state, to go back to.
    #[inline]
    pub fn mark(&self) -> Mark {
        Mark {
            terms: self.terms.len() as u32,
            tables: self.terms.table_count() as u32,
            names: self.terms.name_count() as u32,
            constraints: self.constraints.len() as u32,
            trail: self.trail.len() as u32,
            uses: self.uses.len() as u32,
            guards: self.guards.len() as u32,
            connected: self.connected.len() as u32,
        }
    }

    /// Gives a term a name for people: the Java expression that it is the value of. A truth value is 0 or 1.
    pub fn name(&mut self, expr: Expr, expression: Expression, is_truth: bool) {
        if let Expr::Term(term) = expr {
            self.terms.name(term, TermName { expression, is_truth });
        }
    }

    /// Goes back to a state: terms, tables, constraints and intervals are as they were.
    pub fn undo(&mut self, mark: Mark) {
        if self.terms.name_count() > mark.names as usize {
            // Other terms may get as many names.
            for told in &mut self.told {
                told.take_if(|told| told.names > mark.names as usize);
            }
            self.terms.truncate_names(mark.names as usize);
        }
        while self.trail.len() > mark.trail as usize {
            if let Some(change) = self.trail.pop() {
                let cell = &mut self.cells[change.term as usize];
                cell.low = change.low;
                cell.high = change.high;
                cell.is_not_zero = change.is_not_zero;
            }
        }
        while self.guards.len() > mark.guards as usize {
            if let Some(guard) = self.guards.pop() {
                self.cells[guard.term as usize].guards = guard.next;
            }
        }
        while self.uses.len() > mark.uses as usize {
            if let Some(edge) = self.uses.pop() {
                self.cells[edge.operand as usize].uses = edge.next;
            }
        }
        while self.connected.len() > mark.connected as usize {
            if let Some(term) = self.connected.pop() {
                self.cells[term.index()].is_connected = false;
            }
        }
        self.constraints.truncate(mark.constraints as usize);
        self.told.truncate(mark.constraints as usize);
        self.is_queued.truncate(mark.constraints as usize);
        if self.cells.len() > mark.terms as usize {
            self.cells.truncate(mark.terms as usize);
            self.terms.truncate(mark.terms as usize, mark.tables as usize);
        }
    }

    fn add_cell(&mut self, interval: Interval, is_compound: bool) {
        self.cells.push(Cell {
            low: interval.low,
            high: interval.high,
            uses: NONE,
            guards: NONE,
            built_at: self.trail.len() as u32,
            is_not_zero: false,
            is_connected: !is_compound,
            is_queued: false,
            is_compound,
        });
    }

    /// The interval of a constant, or of a term as its cell has it.
    #[inline]
    fn known(&self, operand: Operand) -> Interval {
        match operand {
            Operand::Constant(value) => Interval::constant(value),
            Operand::Term(term) => self.cells[term as usize].interval(),
        }
    }

    /// What is known now of a term or constant.
    #[inline]
    pub(crate) fn domain(&self, expr: Expr) -> Interval {
        match expr {
            Expr::Constant(value) => Interval::constant(value),
            Expr::Term(term) => self.refreshed(term, REFRESH_DEPTH),
        }
    }

    /// The interval of a term. If it is not up to date, operands down to some depth narrow it.
    #[inline]
    fn refreshed(&self, term: TermId, depth: u32) -> Interval {
        let cell = &self.cells[term.index()];
        if cell.is_connected || depth == 0 || cell.built_at as usize == self.trail.len() {
            return cell.interval();
        }
        self.recomputed(term, depth)
    }

    #[inline(never)]
    fn recomputed(&self, term: TermId, depth: u32) -> Interval {
        let known = self.cells[term.index()].interval();
        let narrowed = known.intersect(match self.taken(term) {
            Expr::Constant(value) => Interval::constant(value),
            // What was chosen is as deep as the choice itself.
            Expr::Term(taken) => {
                let computed = self.forward(self.terms.node(taken), &|expr| match expr {
                    Expr::Constant(value) => Interval::constant(value),
                    Expr::Term(term) => self.refreshed(term, depth - 1),
                });
                self.cells[taken.index()].interval().intersect(computed)
            }
        });
        // Nothing in common says that the path has no solution: any answer is right then.
        if narrowed.is_empty() { known } else { narrowed }
    }

    /// What a choice is as long as conditions are known, and any other term itself.
    fn taken(&self, term: TermId) -> Expr {
        let mut taken = term;
        for _ in 0..CHOICES_FOLLOWED {
            let Node::Choose(_, condition, then, otherwise) = *self.terms.node_ref(taken) else {
                break;
            };
            match self.truth_of(condition).map(|is_true| if is_true { then } else { otherwise }) {
                Some(Expr::Term(term)) => taken = term,
                Some(constant) => return constant,
                None => break,
            }
        }
        Expr::Term(taken)
    }

    /// Whether a condition is known to be 0 (`false`), or not to be 0.
    fn truth_of(&self, condition: TermId) -> Option<bool> {
        let known = self.refreshed(condition, CONDITION_DEPTH);
        if !known.contains(0) || self.cells[condition.index()].is_not_zero {
            return Some(true);
        }
        known.fixed().map(|_| false)
    }

    /// Whether a term is known not to be 0, whatever its interval says. What only changes the type
    /// or the sign of a number is 0 if that is.
    #[inline]
    pub(crate) fn is_not_zero(&self, expr: Expr) -> bool {
        self.is_operand_not_zero(Operand::of(&expr))
    }

    #[inline]
    fn is_operand_not_zero(&self, operand: Operand) -> bool {
        let Operand::Term(term) = operand else { return false };
        if self.cells[term as usize].is_not_zero {
            return true;
        }
        match *self.terms.node_ref(TermId(term as u32)) {
            Node::Apply(
                Operation::Convert(Conversion::IntToLong)
                | Operation::Negate(ArithmeticKind::Int | ArithmeticKind::Long),
                Expr::Term(operand),
                _,
            ) => self.cells[operand.index()].is_not_zero,
            _ => false,
        }
    }

    /// The constant that a term is known to be, or the term.
    #[inline]
    pub fn fixed(&self, expr: Expr) -> Expr {
        self.fixed_operand(Operand::of(&expr)).expr()
    }

    /// The constant that a term is known to be, or the term.
    #[inline]
    fn fixed_operand(&self, operand: Operand) -> Operand {
        match operand {
            Operand::Constant(_) => operand,
            Operand::Term(term) => {
                let interval = self.refreshed(TermId(term as u32), REFRESH_DEPTH);
                interval.fixed().map_or(operand, Operand::Constant)
            }
        }
    }

    /// What a term is, for patterns.
    #[inline]
    pub(crate) fn node(&self, expr: Expr) -> Option<Node> {
        expr.term().map(|term| self.terms.node(term))
    }
}

/// How deep operands are looked at for the interval of a term that is not connected. Deeper ones
/// count when it is connected: a limit keeps long sums from being recomputed at every question.
const REFRESH_DEPTH: u32 = 2;

/// How deep operands are looked at for the condition of a choice: two comparisons, and what they
/// compare.
const CONDITION_DEPTH: u32 = 2;

/// How many choices with known conditions are followed for the interval of a term.
const CHOICES_FOLLOWED: usize = 16;
