//! Choices: what a derivation does at a guard on values that depend on unknown inputs.
//!
//! The solver says which sides of the guard are possible. If only one is, the guard is decided and the
//! derivation goes on there. Otherwise the state is kept as a choice point with the other sides, and
//! the derivation goes on with the first.

mod elements;
mod points;
mod tree;

use petrel_clp::{ArithmeticKind, Comparison, Kind, Operation};
use petrel_expression::Expression;
use petrel_solver::{Constraint, Expr, Membership, Simplified, TermId, bits_of_rank, rank_of_bits};
use smallvec::{SmallVec, smallvec};

pub(super) use points::ChoicePoint;
use tree::Shown;
pub(crate) use tree::{OpenWay, Tree, Way};

use crate::exploration::explore::Unfollowed;
use crate::exploration::made::Aside;
use crate::machine::{
    Address, Feature, Halt, LeftOut, Limit, Machine, NumberTest, Reason, Reference, Step, Stop,
    SwitchTable, Undecided, Value,
};
use crate::observers::Ahead;

/// What a derivation decided at a guard that rewriting and intervals left open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decision {
    /// The alternative that it went on with.
    pub alternative: u32,
    /// Whether there were others.
    pub is_choice: bool,
}

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
        Expr::Constant(number) => match kind {
            Kind::Int => Value::int(number as i32),
            Kind::Float | Kind::Double => Value::known(bits_of_rank(kind, number)),
            _ => Value::long(number),
        },
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
        Kind::Float | Kind::Double => Expr::Constant(rank_of_bits(kind, value.bits)),
        _ => Expr::Constant(value.as_long()),
    }
}

/// Strings of more units are long.
const LONG_TEXT: i64 = 32;

impl Machine<'_> {
    /// An operation on values of which one is a term.
    pub(crate) fn apply(&mut self, operation: Operation, left: Value, right: Value) -> Value {
        let (of_left, of_right) = operand_kinds(operation);
        let left = expr_of(left, of_left);
        let right = if operation.is_unary() { Expr::Constant(0) } else { expr_of(right, of_right) };
        value_of(self.solver.store.apply(operation, left, right), operation.result_kind())
    }

    /// A value as an expression over the inputs.
    pub(crate) fn expression(&self, value: Value, kind: Kind) -> Expression {
        petrel_solver::expression(self.solver.store.terms(), expr_of(value, kind), kind)
    }

    /// A decision that depends on an unknown input, of a kind that the solver does not know.
    pub(crate) fn undecided(&self, what: Undecided) -> Stop {
        match self.exploration.tree {
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
        let NumberTest { kind, comparison, nan } = test;
        let (left, right) = (expr_of(left, kind.into()), expr_of(right, kind.into()));
        let holds = match kind {
            ArithmeticKind::Int | ArithmeticKind::Long => {
                Constraint::Compare { kind, comparison, left, right }
            }
            ArithmeticKind::Float | ArithmeticKind::Double => {
                let if_nan = outcome_of_nan(comparison, nan);
                let compared = Operation::Compare(kind, if_nan);
                let compared = self.solver.store.apply(compared, left, right);
                Constraint::int(compared, comparison, Expr::Constant(0))
            }
        };
        if self.exploration.tree.is_none() || !self.is_exact(left) || !self.is_exact(right) {
            let guard = self.condition(&holds).to_string();
            return Err(self.undecided(Undecided::Guard(Some(guard))).into());
        }
        let preferred = self.preferred_comparison(comparison, right);
        self.choose_one_of_two(holds, self.next_address(), to, preferred)
    }

    /// Rewrites a constraint; if that decides it, the solver has nothing more to do, and counts it.
    fn simplify(&mut self, constraint: Constraint) -> Simplified {
        let simplified = self.solver.store.simplify(constraint);
        if !self.is_repeating() && !matches!(simplified, Simplified::Open(_)) {
            self.solver.statistics.decisions += 1;
            self.solver.statistics.by_rewriting += 1;
        }
        simplified
    }

    /// Goes on at one address if a constraint holds and at another if not. If both are possible, one of them
    /// may be taken alone.
    pub(super) fn choose_one_of_two(
        &mut self,
        holds: Constraint,
        here: Address,
        there: Address,
        preferred: Option<bool>,
    ) -> Step {
        let holds = match self.simplify(holds) {
            Simplified::True => {
                self.go_to(here);
                return Ok(());
            }
            Simplified::False => {
                self.go_to(there);
                return Ok(());
            }
            Simplified::Open(open) => open,
        };
        let negated = holds.negated();
        let is_long = self.needs_long_text(&holds);
        let mut ways = smallvec![Way::new(holds, here), Way::new(negated, there)];
        if is_long && preferred.is_none() {
            ways.reverse();
        }
        let preferred = preferred.map(|is_first| Preferred {
            number: u32::from(!is_first),
            left_out: LeftOut::KeyOrders,
            is_choice: true,
        });
        self.choose_preferring(ways, false, preferred)
    }

    /// Whether a constraint holds for long strings alone. Paths of shorter ones come first: they are less work, and better to read.
    fn needs_long_text(&self, constraint: &Constraint) -> bool {
        let Constraint::Compare { comparison, left, right: Expr::Constant(least), .. } =
            *constraint
        else {
            return false;
        };
        let is_from_below = matches!(
            comparison,
            Comparison::Greater | Comparison::GreaterOrEqual | Comparison::Equal
        );
        is_from_below
            && least >= LONG_TEXT
            && self.exploration.unknown.made.text_lengths().any(|length| length == left)
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
            self.go_to(if is_inside { inside } else { outside });
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
            Simplified::True => self.go_to(outside),
            Simplified::False => self.go_to(inside),
            Simplified::Open(out) => {
                let inside = Way::new(out.negated(), inside);
                let outside = Way::new(out, outside);
                let is_inside_first = inside.pc == self.next_address();
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
        if inside == self.next_address() {
            self.choose_one_of_two(within, inside, outside, None)
        } else {
            self.choose_one_of_two(within.negated(), outside, inside, None)
        }
    }

    /// An unknown `int` that is to be chosen by, if that is possible.
    fn to_choose_by(&self, value: Value) -> Result<Expr, Stop> {
        let expr = expr_of(value, Kind::Int);
        if self.exploration.tree.is_none() || !self.is_exact(expr) {
            let text = self.text(value, Kind::Int);
            return Err(self.undecided(Undecided::ChoiceBy(text)));
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
                    self.go_to(pc);
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

    /// The value of a term: if several are possible they are tried one by one, each executing the
    /// instruction at the address again. `None` if that happens.
    pub(super) fn fix(&mut self, value: Value, again: Address) -> Result<Option<Value>, Halt> {
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

    /// Takes one of several ways, whose constraints exclude each other and of which one always
    /// holds. Rewriting has left them open.
    fn choose(&mut self, ways: SmallVec<[Way; 2]>) -> Step {
        self.choose_assuming(ways, false)
    }

    pub(super) fn choose_assuming(
        &mut self,
        ways: SmallVec<[Way; 2]>,
        assume_implied: bool,
    ) -> Step {
        self.choose_preferring(ways, assume_implied, None)
    }

    /// Takes the first of several ways if it is possible, and leaves the others out. That is no choice.
    pub(super) fn choose_first(&mut self, ways: SmallVec<[Way; 2]>, left_out: LeftOut) -> Step {
        self.choose_preferring(
            ways,
            true,
            Some(Preferred { number: 0, left_out, is_choice: false }),
        )
    }

    /// Takes one of several ways. The preferred one is the only one that is followed, if it is possible.
    fn choose_preferring(
        &mut self,
        mut ways: SmallVec<[Way; 2]>,
        assume_implied: bool,
        preferred: Option<Preferred>,
    ) -> Step {
        if !self.heap.is_noting() {
            return Err(Stop::unsupported(Feature::ChoiceInInitialiser).into());
        }
        self.check_purse()?;
        let is_building_large = self.is_building_large();
        // The one way that is left of several is no consequence of what is known.
        let assume_implied = assume_implied || is_building_large;
        let Some(tree) = &mut self.exploration.tree else {
            return Err(Stop::unsupported(Feature::Choice).into());
        };
        if let Some(&given) = tree.given.get(tree.decisions.len()) {
            return self.follow(given, &mut ways, assume_implied);
        }
        let mut open: SmallVec<[OpenWay; 1]> = if tree.by_propagation {
            // What propagation excludes is found out when it is its turn, as in Prolog.
            let numbered = ways.drain(..).enumerate().rev();
            numbered
                .map(|(number, way)| {
                    let number = number as u32;
                    OpenWay { number, way, model: None, is_given: false }
                })
                .collect()
        } else {
            let constraints: SmallVec<[Constraint; 2]> =
                ways.iter().map(|way| way.condition.clone()).collect();
            let possible = self.solver.branch(
                tree.model.as_ref(),
                &constraints,
                &mut self.exploration.unknown.solver,
            );
            // What a solver says that was told to stop is no decision: whoever goes on from here asks again.
            self.check_purse()?;
            let Some(tree) = &mut self.exploration.tree else {
                return Err(Stop::unsupported(Feature::Choice).into());
            };
            tree.infeasible += (ways.len() - possible.len()) as u64;
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
                    let (number, model) = (alternative.index as u32, alternative.model);
                    OpenWay { number, way, model, is_given: false }
                })
                .collect()
        };
        let mut is_choice = open.len() > 1;
        if let Some(preferred) = preferred
            && is_choice
            && open.iter().any(|way| way.number == preferred.number)
        {
            open.retain(|way| way.number == preferred.number);
            is_choice = preferred.is_choice;
            self.note_left_out(preferred.left_out);
        } else if is_choice && is_building_large {
            // Whatever comes first will do.
            open.drain(..open.len() - 1);
            is_choice = false;
            self.note_large_contents();
        }
        if is_choice && self.observers.choose_ways() {
            open.retain(|way| self.ahead(way).is_none_or(|ahead| self.is_way_wanted(ahead)));
            if open.is_empty() {
                return Err(Halt::Astray);
            }
        }
        if is_choice && self.observers.look_ahead() {
            self.weigh(&mut open);
            if open.is_empty() {
                return Err(Halt::Astray);
            }
        }
        let Some(first) = open.pop() else { return Err(Halt::Infeasible) };
        let Some(tree) = &mut self.exploration.tree else {
            return Err(Stop::unsupported(Feature::Choice).into());
        };
        if !is_choice {
            tree.decisions.push(Decision { alternative: first.number, is_choice });
            tree.model = first.model;
            self.go_to(first.way.pc);
            return if assume_implied { self.assume(&first.way) } else { Ok(()) };
        }
        if self.criterion.choices >= tree.most_choices {
            return Err(Stop::limit(Limit::Choices(tree.most_choices)).into());
        }
        tree.choices += 1;
        if !open.is_empty() {
            self.push_choice_point(open);
        }
        self.take(first)
    }

    /// Leaves ways that promise nothing, and puts the most promising one where it is taken first.
    fn weigh(&mut self, open: &mut SmallVec<[OpenWay; 1]>) {
        let mut weighed: SmallVec<[(i64, OpenWay); 2]> = SmallVec::new();
        for way in open.drain(..) {
            let ahead = self.ahead(&way).unwrap_or(Ahead::Choice(way.number));
            weighed.extend(self.promise_of(ahead).map(|promise| (promise, way)));
        }
        weighed.sort_by_key(|(promise, _)| *promise);
        open.extend(weighed.into_iter().map(|(_, way)| way));
    }

    /// How a way shows in what follows; `None` if the method shows it that is called.
    fn ahead(&self, open: &OpenWay) -> Option<Ahead> {
        match open.way.shown {
            Shown::ByRule if self.is_in_program() => Some(Ahead::Code(open.way.pc)),
            Shown::ByCallee => None,
            Shown::ByRule | Shown::AsChoice => Some(Ahead::Choice(open.number)),
        }
    }

    /// Whether the code under way is the program's own.
    fn is_in_program(&self) -> bool {
        self.method_under_way().is_some_and(|method| !self.methods.get(method).of_library)
    }

    /// Puts a way that was chosen into the trace, unless what follows shows it.
    fn show_choice(&mut self, way: &Way, number: u32) -> Step {
        match way.shown {
            Shown::ByRule if self.is_in_program() => Ok(()),
            Shown::ByCallee => Ok(()),
            Shown::ByRule | Shown::AsChoice => self.see_choice(number),
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
        let Some(tree) = &mut self.exploration.tree else {
            return Err(self.undecided(Undecided::ArraySize).into());
        };
        if !tree.is_following() {
            let constraints = [is_it.clone(), is_it.negated()];
            let model = tree.model.as_ref();
            let possible =
                self.solver.branch(model, &constraints, &mut self.exploration.unknown.solver);
            let Some(found) = possible.into_iter().find(|possible| possible.index == 0) else {
                return Err(Halt::Astray);
            };
            tree.model = found.model;
        }
        self.assume_constraint(is_it)
    }

    /// Follows a decision that was made before.
    fn follow(&mut self, given: Decision, ways: &mut [Way], assume_implied: bool) -> Step {
        let decision = self.exploration.tree.as_ref().map_or(0, |tree| tree.decisions.len()) + 1;
        let no_such_way =
            |alternative| Unfollowed::NoSuchWay { decision, alternative, ways: ways.len() };
        let Some(way) = ways.get(given.alternative as usize).cloned() else {
            return Err(Halt::Unfollowed(no_such_way(given.alternative)));
        };
        if !self.given_model_agrees(&way.condition) {
            return Err(Halt::Unfollowed(Unfollowed::OtherWay { decision }));
        }
        let beside = self.exploration.tree.as_ref().map(Tree::given_beside).unwrap_or_default();
        let mut open: SmallVec<[OpenWay; 1]> = SmallVec::new();
        for other in beside.iter().rev() {
            let number = other.alternative;
            let Some(mut way) = ways.get(number as usize).cloned() else {
                if let Some(tree) = &mut self.exploration.tree {
                    tree.turn_to(*other);
                }
                return Err(Halt::Unfollowed(no_such_way(number)));
            };
            if !way.is_literal
                && let Simplified::Open(rewritten) =
                    self.solver.store.simplify(way.condition.clone())
            {
                way.condition = rewritten;
            }
            open.push(OpenWay { number, way, model: None, is_given: true });
        }
        if !open.is_empty() {
            self.push_choice_point(open);
        }
        if let Some(tree) = &mut self.exploration.tree {
            tree.decisions.push(given);
            tree.end_of_given(self.observation.own_applied());
        }
        self.criterion.choices += u32::from(given.is_choice);
        if given.is_choice {
            self.show_choice(&way, given.alternative)?;
        }
        self.go_to(way.pc);
        let assumed = match (given.is_choice, assume_implied) {
            (true, _) => self.noting_aside(|machine| machine.assume(&way)),
            (false, true) => self.assume(&way),
            (false, false) => Ok(()),
        };
        self.check_followed(assumed, decision)
    }

    /// Whether inputs that are given take a way.
    fn given_model_agrees(&mut self, condition: &Constraint) -> bool {
        let given = self.exploration.tree.as_ref().and_then(|tree| tree.given_model.as_ref());
        given.is_none_or(|model| {
            self.solver.agrees(model, condition, &self.exploration.unknown.solver)
        })
    }

    /// What it means that a decision was followed, or could not be.
    fn check_followed(&mut self, assumed: Step, decision: usize) -> Step {
        if matches!(assumed, Err(Halt::Infeasible)) {
            return Err(Halt::Unfollowed(Unfollowed::Impossible { decision }));
        }
        assumed?;
        let tree = self.exploration.tree.as_ref().filter(|tree| !tree.is_following());
        let model = tree.and_then(|tree| tree.model.as_ref());
        match model {
            Some(model) if !self.solver.is_model(model, &self.exploration.unknown.solver) => {
                Err(Halt::Unfollowed(Unfollowed::NoModel))
            }
            _ => Ok(()),
        }
    }

    /// Assumes something, and notes whether it is of the code that builds inputs, or of the class library.
    fn noting_aside(&mut self, assume: impl FnOnce(&mut Self) -> Step) -> Step {
        let before = self.solver.store.constraints().len();
        let aside = match (
            self.observation.has_begun,
            self.is_in_program() || self.observation.is_hidden,
        ) {
            (false, _) => Some(Aside::Building),
            (true, false) => Some(Aside::Library),
            (true, true) => None,
        };
        assume(self)?;
        if let Some(aside) = aside {
            let after = self.solver.store.constraints().len();
            self.exploration.unknown.made.note_aside(before..after, aside);
        }
        Ok(())
    }

    fn assume(&mut self, way: &Way) -> Step {
        let before = self.solver.store.constraints().len();
        if way.is_literal {
            self.assume_constraint(way.condition.clone())?;
        } else {
            match self.solver.store.simplify(way.condition.clone()) {
                Simplified::True => {}
                Simplified::False => return Err(Halt::Infeasible),
                Simplified::Open(open) => self.assume_constraint(open)?,
            }
        }
        if way.is_aside {
            let after = self.solver.store.constraints().len();
            self.exploration.unknown.made.note_aside(before..after, Aside::Library);
        }
        Ok(())
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
            self.exploration.unknown.solver.propagate_equalities(&mut self.solver.store)?;
        }
        Ok(())
    }

    fn take(&mut self, open: OpenWay) -> Step {
        self.criterion.choices += 1;
        let mut number = 0;
        if let Some(tree) = &mut self.exploration.tree {
            let decision = Decision { alternative: open.number, is_choice: true };
            tree.decisions.push(decision);
            tree.model = open.model;
            if open.is_given {
                // Somebody else may have taken it.
                if !tree.is_on_the_way() {
                    return Err(Halt::Astray);
                }
                number = tree.decisions.len();
                tree.follow_next(self.observation.own_applied());
            }
        }
        self.show_choice(&open.way, open.number)?;
        self.go_to(open.way.pc);
        // It was rewritten in the same state of the store.
        let is_given = open.is_given;
        let assumed = self.noting_aside(|machine| machine.assume_constraint(open.way.condition));
        if is_given { self.check_followed(assumed, number) } else { assumed }
    }
}

/// A way that is followed instead of all that are possible.
struct Preferred {
    number: u32,
    left_out: LeftOut,
    /// Whether it counts as one of several.
    is_choice: bool,
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

/// What a comparison of NaN has to give, so that NaN satisfies a test, or does not. NaN is never equal to
/// anything.
fn outcome_of_nan(comparison: Comparison, is_satisfied: bool) -> i8 {
    let is_above = match comparison {
        Comparison::Equal | Comparison::NotEqual => false,
        Comparison::Less | Comparison::LessOrEqual => !is_satisfied,
        Comparison::Greater | Comparison::GreaterOrEqual => is_satisfied,
    };
    if is_above { 1 } else { -1 }
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
