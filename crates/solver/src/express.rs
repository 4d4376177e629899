//! Terms and constraints as Java expressions, which outlive them.

mod choices;

use petrel_clp::{ArithmeticKind, Comparison, Kind, Operation};
use petrel_expression::{Engine, Expression, Node as Told, Number};

use crate::constraint::Constraint;
use crate::evaluate::compares;
use crate::interval::Outcomes;
use crate::real::Real;
use crate::term::{Expr, Node, TableId, TermId, Terms, Unknown};

pub use choices::{Choice, Choices, Numbered, Options};
use choices::{all, any};

/// Terms are shared, so that what is told of them can be longer than any screen: more nodes are left out.
const MOST_NODES: u32 = 300;

/// Tables show so many elements.
const MOST_ELEMENTS: usize = 8;

/// Truth values are looked into so deep.
const DEEPEST_TRUTH: u32 = 16;

/// A term of a kind as an expression.
pub fn expression(terms: &Terms, expr: Expr, kind: Kind) -> Expression {
    Teller::new(terms, &Choices::default()).expr(expr, kind)
}

/// A constraint as a condition.
pub fn condition(terms: &Terms, constraint: &Constraint) -> Expression {
    condition_on_choices(terms, constraint, &Choices::default())
}

/// A constraint as a condition, where it is known what some unknowns choose.
pub fn condition_on_choices(
    terms: &Terms,
    constraint: &Constraint,
    choices: &Choices,
) -> Expression {
    Teller::new(terms, choices).constraint(constraint)
}

/// What a constraint has that is known by number alone: unknowns by which it looks something up in a table, origins, and objects. What
/// they stand for makes the condition one in words of Java.
pub(crate) fn numbered(terms: &Terms, constraint: &Constraint) -> Numbered {
    let mut found = Numbered::default();
    let mut open: Vec<TermId> = constraint.operands().filter_map(Expr::term).collect();
    let is_reference =
        |side: Expr| side.term().is_some_and(|term| terms.kind(term) == Kind::Reference);
    let object = |side: Expr| side.constant().filter(|&number| number < 0);
    if constraint.operands().any(is_reference) {
        found.objects.extend(constraint.operands().filter_map(object));
    }
    for _ in 0..MOST_NODES {
        let Some(term) = open.pop() else { break };
        if terms.name_of(term).is_some() {
            continue;
        }
        match terms.node(term) {
            Node::Apply(_, first, second) | Node::Test(_, _, first, second) => {
                let sides = [first, second];
                if sides.into_iter().any(is_reference) {
                    found.objects.extend(sides.into_iter().filter_map(object));
                }
                open.extend(sides.into_iter().filter_map(Expr::term));
            }
            Node::Choose(kind, condition, then, otherwise) => {
                let sides = [then, otherwise];
                if kind == Kind::Reference {
                    found.objects.extend(sides.into_iter().filter_map(object));
                }
                open.push(condition);
                open.extend(sides.into_iter().filter_map(Expr::term));
            }
            Node::MultiplyAdd(_, operands) => {
                open.extend(operands.into_iter().filter_map(Expr::term));
            }
            Node::Select(kind, table, index) => {
                if kind == Kind::Reference && !terms.chooses(index) {
                    found.objects.extend(terms.table(table).iter().copied().filter_map(object));
                }
                match terms.node(index) {
                    Node::Unknown(_) => found.unknowns.push(index),
                    _ => open.push(index),
                }
            }
            Node::Unknown(unknown) => {
                let name = &terms.unknowns()[unknown.index()].name;
                if matches!(name.node(), Told::Engine(Engine::Origin(_))) {
                    found.unknowns.push(term);
                }
            }
            Node::Opaque(..) => {}
        }
    }
    found.unknowns.sort_unstable();
    found.unknowns.dedup();
    found.objects.sort_unstable();
    found.objects.dedup();
    found
}

struct Teller<'t> {
    terms: &'t Terms,
    choices: &'t Choices,
    left: u32,
}

impl<'t> Teller<'t> {
    fn new(terms: &'t Terms, choices: &'t Choices) -> Teller<'t> {
        Teller { terms, choices, left: MOST_NODES }
    }

    fn constraint(&mut self, constraint: &Constraint) -> Expression {
        let membership = match constraint {
            Constraint::Compare { kind, comparison, left, right } => {
                return self.comparison((*kind).into(), *comparison, *left, *right);
            }
            Constraint::Among(membership) => membership,
        };
        let is_among = |number: i64| {
            let found = membership.constants.iter().any(|&constant| i64::from(constant) == number);
            found == membership.is_member
        };
        if let Some(chosen) = self.choice(membership.value, &is_among) {
            return chosen;
        }
        let comparison =
            if membership.is_member { Comparison::Equal } else { Comparison::NotEqual };
        let mut one = |&constant: &i32| {
            let constant = Expr::Constant(constant.into());
            self.comparison(Kind::Int, comparison, membership.value, constant)
        };
        let sides: Vec<Expression> = membership.constants.iter().map(&mut one).collect();
        if membership.is_member { any(sides) } else { all(sides) }
    }

    /// What something is that is looked up in tables of constants by what an unknown chooses, if its value is such; `None` for
    /// other terms.
    fn choice(&self, expr: Expr, is_such: &dyn Fn(i64) -> bool) -> Option<Expression> {
        let term = expr.term().filter(|&term| self.terms.name_of(term).is_none())?;
        if let Some(choice) = self.choices.by_unknown.get(&term) {
            return Some(choice.condition(is_such));
        }
        let Node::Select(_, table, index) = self.terms.node(term) else { return None };
        let elements = self.constants(table)?;
        let is_element_such = |at: i64| {
            let element = usize::try_from(at).ok().and_then(|at| elements.get(at));
            element.is_some_and(|&element| is_such(element))
        };
        self.choice(Expr::Term(index), &is_element_such)
    }

    /// The elements of a table that has constants alone.
    fn constants(&self, table: TableId) -> Option<Vec<i64>> {
        self.terms.table(table).iter().map(|element| element.constant()).collect()
    }

    /// A comparison of a truth value with a constant: the test, and whether it holds.
    fn truth(&self, comparison: Comparison, left: Expr, right: Expr) -> Option<(TermId, bool)> {
        let test = left.term()?;
        let is_true = match (comparison, right.constant()?) {
            (Comparison::Equal, 0) => false,
            (Comparison::NotEqual, 0) => true,
            (Comparison::Equal, 1) => true,
            (Comparison::NotEqual, 1) => false,
            _ => return None,
        };
        let is_with_zero = right == Expr::Constant(0);
        let is_truth = self.is_truth(test, DEEPEST_TRUTH) || is_with_zero && self.is_either(test);
        is_truth.then_some((test, is_true))
    }

    /// Whether a term is one of two numbers combined, one of them a truth value: it is 0 if both are.
    fn is_either(&self, term: TermId) -> bool {
        let is_truth =
            |side: Expr| side.term().is_some_and(|side| self.is_truth(side, DEEPEST_TRUTH));
        match self.terms.node(term) {
            Node::Apply(Operation::Or(_), a, b) => {
                self.terms.name_of(term).is_none() && (is_truth(a) || is_truth(b))
            }
            _ => false,
        }
    }

    /// Whether a term is made of tests.
    fn is_truth(&self, term: TermId, depth: u32) -> bool {
        if let Some(name) = self.terms.name_of(term) {
            return name.is_truth;
        }
        let is_bit = |number: i64| number == 0 || number == 1;
        match self.terms.node(term) {
            Node::Test(..) => true,
            Node::Apply(Operation::Or(_) | Operation::And(_), a, b) if depth > 0 => [a, b]
                .iter()
                .all(|side| side.term().is_some_and(|side| self.is_bit(side, depth - 1))),
            Node::Select(Kind::Int, table, _) => {
                self.constants(table).is_some_and(|all| all.into_iter().all(is_bit))
                    && self.choice(Expr::Term(term), &|_| true).is_some()
            }
            _ => false,
        }
    }

    /// Whether a term is 0 or 1: a test, or an unknown that is nothing else. References are combined with tests only where there is
    /// one object that they can be, the number of which is 1.
    fn is_bit(&self, term: TermId, depth: u32) -> bool {
        let is_unknown_bit = match self.terms.node(term) {
            Node::Unknown(unknown) => {
                let unknown = &self.terms.unknowns()[unknown.index()];
                unknown.kind == Kind::Reference || (unknown.low, unknown.high) == (0, 1)
            }
            _ => false,
        };
        is_unknown_bit || self.is_truth(term, depth)
    }

    /// A term that is a truth value, or its negation.
    fn test(&mut self, test: TermId, is_true: bool) -> Expression {
        if let Some(name) = self.terms.name_of(test).filter(|name| name.is_truth) {
            let name = name.expression.clone();
            return if is_true { name } else { name.not() };
        }
        if let Some(chosen) = self.choice(Expr::Term(test), &|number| (number != 0) == is_true) {
            return chosen;
        }
        let comparison = if is_true { Comparison::NotEqual } else { Comparison::Equal };
        match self.terms.node(test) {
            Node::Test(kind, comparison, left, right) => {
                let comparison = if is_true { comparison } else { comparison.negated() };
                self.comparison(kind, comparison, left, right)
            }
            Node::Apply(
                operation @ (Operation::Or(_) | Operation::And(_)),
                Expr::Term(left),
                Expr::Term(right),
            ) if self.is_truth(test, DEEPEST_TRUTH) || self.is_either(test) => {
                let sides = [self.test(left, is_true), self.test(right, is_true)];
                if matches!(operation, Operation::Or(_)) == is_true {
                    any(sides)
                } else {
                    all(sides)
                }
            }
            _ => self.plain_comparison(Kind::Int, comparison, Expr::Term(test), Expr::Constant(0)),
        }
    }

    /// A comparison of numbers that are no integers, if a constraint on its outcome is one.
    fn outcome(
        &self,
        comparison: Comparison,
        left: Expr,
        right: Expr,
    ) -> Option<(Kind, Comparison, bool, [Expr; 2])> {
        let (outcome, constant) = (left.term()?, right.constant()?);
        if self.terms.name_of(outcome).is_some() {
            return None;
        }
        let Node::Apply(Operation::Compare(kind, nan), first, second) = self.terms.node(outcome)
        else {
            return None;
        };
        let outcomes = Outcomes::of_signs(|sign| compares(comparison, sign, constant));
        let is_satisfied = compares(comparison, nan.into(), constant);
        let is_real = matches!(kind, ArithmeticKind::Float | ArithmeticKind::Double);
        outcomes
            .comparison()
            .filter(|_| is_real)
            .map(|comparison| (kind.into(), comparison, is_satisfied, [first, second]))
    }

    fn comparison(
        &mut self,
        kind: Kind,
        comparison: Comparison,
        left: Expr,
        right: Expr,
    ) -> Expression {
        if let Some((test, is_true)) = self.truth(comparison, left, right) {
            return self.test(test, is_true);
        }
        if let Some(number) = right.constant()
            && let Some(chosen) = self.choice(left, &|chosen| compares(comparison, chosen, number))
        {
            return chosen;
        }
        if let Some((kind, comparison, by_nan, [first, second])) =
            self.outcome(comparison, left, right)
        {
            // Where NaN makes a difference, the opposite is what it does not satisfy.
            if by_nan == (comparison == Comparison::NotEqual) {
                return self.plain_comparison(kind, comparison, first, second);
            }
            return self.plain_comparison(kind, comparison.negated(), first, second).not();
        }
        let real = [left, right].iter().find_map(|side| {
            let kind = self.terms.kind(side.term()?);
            matches!(kind, Kind::Float | Kind::Double).then_some(kind)
        });
        self.plain_comparison(real.unwrap_or(kind), comparison, left, right)
    }

    fn plain_comparison(
        &mut self,
        kind: Kind,
        comparison: Comparison,
        left: Expr,
        right: Expr,
    ) -> Expression {
        let is_reference =
            |side: Expr| side.term().is_some_and(|term| self.terms.kind(term) == Kind::Reference);
        let kind = if is_reference(left) || is_reference(right) { Kind::Reference } else { kind };
        let (left, right) = (self.expr(left, kind), self.expr(right, kind));
        Expression::new(Told::Compare(comparison, left, right))
    }

    fn expr(&mut self, expr: Expr, kind: Kind) -> Expression {
        match expr {
            Expr::Constant(number) if kind == Kind::Reference => self.object(number),
            Expr::Constant(number) => constant(number, kind),
            Expr::Term(term) => self.term(term),
        }
    }

    /// An object by its number: the unknown that it belongs to; all others are new.
    fn object(&self, number: i64) -> Expression {
        let owner = |unknown: &&Unknown| unknown.kind == Kind::Reference && unknown.own == number;
        match number {
            0 => Expression::new(Told::Null),
            _ if self.choices.objects.contains_key(&number) => {
                self.choices.objects[&number].clone()
            }
            _ => match self.terms.unknowns().iter().find(owner) {
                Some(owner) => owner.name.clone(),
                None => Expression::new(Told::SomeNew),
            },
        }
    }

    fn term(&mut self, term: TermId) -> Expression {
        let Some(left) = self.left.checked_sub(1) else {
            return Expression::engine(Engine::LeftOut);
        };
        self.left = left;
        if let Some(name) = self.terms.name_of(term) {
            return name.expression.clone();
        }
        match self.terms.node(term) {
            Node::Unknown(unknown) => match self.terms.unknowns().get(unknown.index()) {
                Some(unknown) => unknown.name.clone(),
                None => Expression::engine(Engine::Opaque),
            },
            Node::Apply(operation, first, second) => self.apply(operation, first, second),
            Node::Test(kind, comparison, first, second) => {
                let condition = self.comparison(kind, comparison, first, second);
                Expression::engine(Engine::Truth(condition))
            }
            Node::Choose(kind, condition, then, otherwise) => {
                let zero = Expr::Constant(0);
                let condition =
                    self.comparison(Kind::Int, Comparison::NotEqual, Expr::Term(condition), zero);
                let (then, otherwise) = (self.expr(then, kind), self.expr(otherwise, kind));
                Expression::new(Told::Choose(condition, then, otherwise))
            }
            Node::MultiplyAdd(kind, operands) => {
                Expression::new(Told::MultiplyAdd(operands.map(|operand| self.expr(operand, kind))))
            }
            // An unknown reference is called like the unknown that says which object it is.
            Node::Select(Kind::Reference, _, index) if self.terms.chooses(index) => {
                self.term(index)
            }
            Node::Select(kind, table, index) => {
                let all = self.terms.table(table);
                let shown = all.iter().take(MOST_ELEMENTS);
                let elements = shown.map(|&element| self.expr(element, kind)).collect();
                let (has_more, index) = (all.len() > MOST_ELEMENTS, self.term(index));
                Expression::engine(Engine::Table { elements, has_more, index })
            }
            Node::Opaque(..) => Expression::engine(Engine::Opaque),
        }
    }

    fn apply(&mut self, operation: Operation, first: Expr, second: Expr) -> Expression {
        let kind = operation.result_kind();
        let (operation, second) = match (operation, second) {
            (Operation::Add(of), Expr::Constant(number))
                if number < 0 && number != minimum(kind) =>
            {
                (Operation::Subtract(of), Expr::Constant(-number))
            }
            _ => (operation, second),
        };
        let (first_kind, second_kind) = match operation {
            Operation::Negate(_) | Operation::SquareRoot(_) => (kind, None),
            Operation::Convert(conversion) => (conversion.kinds().0, None),
            Operation::Compare(of, _) => (of.into(), Some(of.into())),
            Operation::ShiftLeft(_)
            | Operation::ShiftRight(_)
            | Operation::ShiftRightUnsigned(_) => (kind, Some(Kind::Int)),
            _ => (kind, Some(kind)),
        };
        let first = self.expr(first, first_kind);
        let second = second_kind.map(|kind| self.expr(second, kind));
        Expression::new(Told::Apply(operation, first, second))
    }
}

fn minimum(kind: Kind) -> i64 {
    if kind == Kind::Long { i64::MIN } else { i32::MIN.into() }
}

fn constant(number: i64, kind: Kind) -> Expression {
    Expression::new(Told::Number(match kind {
        Kind::Int => Number::Int(number),
        Kind::Long => Number::Long(number),
        Kind::Float => Number::Float(f32::of_rank(number).to_bits()),
        Kind::Double => Number::Double(f64::of_rank(number).to_bits()),
        Kind::Reference | Kind::Exit => return Expression::engine(Engine::Opaque),
    }))
}

#[cfg(test)]
mod tests {
    use petrel_clp::Conversion;

    use super::*;
    use crate::store::Store;

    fn unknown(store: &mut Store, name: &str, kind: Kind) -> Expr {
        let (low, high) =
            if kind == Kind::Long { (i64::MIN, i64::MAX) } else { (-(1 << 31), (1 << 31) - 1) };
        store.unknown(Unknown { name: Expression::name(name), kind, low, high, own: 0 })
    }

    #[test]
    fn terms_are_written_with_the_parentheses_that_java_needs() {
        use ArithmeticKind::Int;
        let mut store = Store::new();
        let x = unknown(&mut store, "x", Kind::Int);
        let y = unknown(&mut store, "y", Kind::Int);
        let sum = store.apply(Operation::Add(Int), x, y);
        let minus = store.apply(Operation::Subtract(Int), x, sum);
        let product = store.apply(Operation::Multiply(Int), sum, minus);
        let shifted = store.apply(Operation::ShiftLeft(Int), product, Expr::Constant(3));
        let less = store.apply(Operation::Add(Int), shifted, Expr::Constant(-5));
        let wide = store.apply(Operation::Convert(Conversion::IntToLong), less, Expr::Constant(0));
        let negated = store.apply(Operation::Negate(ArithmeticKind::Long), wide, Expr::Constant(0));
        let mask = store.apply(Operation::And(Int), x, y);
        let mixed = store.apply(Operation::ExclusiveOr(Int), mask, sum);
        let of = |expr, kind| expression(store.terms(), expr, kind).to_string();
        assert_eq!(of(product, Kind::Int), "(x + y) * (x - (x + y))");
        assert_eq!(of(less, Kind::Int), "((x + y) * (x - (x + y)) << 3) - 5");
        assert_eq!(of(negated, Kind::Long), "-((long) (((x + y) * (x - (x + y)) << 3) - 5))");
        assert_eq!(of(mixed, Kind::Int), "x + y ^ x & y");
        assert_eq!(of(Expr::Constant(7), Kind::Long), "7L");
    }

    #[test]
    fn constraints_are_written_as_conditions() {
        let mut store = Store::new();
        let x = unknown(&mut store, "x", Kind::Int);
        let zero = Expr::Constant(0);
        let low = store.test(&Constraint::int(x, Comparison::Less, zero));
        let high = store.test(&Constraint::int(x, Comparison::GreaterOrEqual, Expr::Constant(9)));
        let either = store.apply(Operation::Or(ArithmeticKind::Int), low, high);
        let outside = Constraint::int(either, Comparison::NotEqual, zero);
        let among =
            crate::Membership { value: x, constants: [1, 2].as_slice().into(), is_member: false };
        let of = |constraint: &Constraint| condition(store.terms(), constraint).to_string();
        assert_eq!(of(&outside), "x < 0 || x >= 9");
        assert_eq!(of(&outside.negated()), "x >= 0 && x < 9");
        assert_eq!(of(&Constraint::Among(among)), "x != 1 && x != 2");
    }

    #[test]
    fn comparisons_of_numbers_are_written_as_java_has_them() {
        let mut store = Store::new();
        let d = unknown(&mut store, "d", Kind::Double);
        let number = |number: f64| Expr::Constant(number.rank());
        let compared = |store: &mut Store, nan, with: f64| {
            store.apply(Operation::Compare(ArithmeticKind::Double, nan), d, number(with))
        };
        let (low, high) = (compared(&mut store, -1, 18.5), compared(&mut store, 1, 18.5));
        let text = |outcome, comparison| {
            let constraint = Constraint::int(outcome, comparison, Expr::Constant(0));
            condition(store.terms(), &constraint).to_string()
        };
        assert_eq!(text(low, Comparison::Greater), "d > 18.5");
        assert_eq!(text(low, Comparison::LessOrEqual), "!(d > 18.5)");
        assert_eq!(text(high, Comparison::Less), "d < 18.5");
        assert_eq!(text(high, Comparison::GreaterOrEqual), "!(d < 18.5)");
        assert_eq!(text(low, Comparison::Equal), "d == 18.5");
        assert_eq!(text(low, Comparison::NotEqual), "d != 18.5");
        let infinite = compared(&mut store, 1, f64::NEG_INFINITY);
        let infinite = Constraint::int(infinite, Comparison::Equal, Expr::Constant(0));
        assert_eq!(condition(store.terms(), &infinite).to_string(), "d == -Infinity");
    }

    #[test]
    fn what_is_shared_many_times_is_not_written_many_times() {
        let mut store = Store::new();
        let mut term = unknown(&mut store, "x", Kind::Int);
        for _ in 0..64 {
            term = store.apply(Operation::Multiply(ArithmeticKind::Int), term, term);
        }
        let written = expression(store.terms(), term, Kind::Int).to_string();
        assert!(written.len() < 10_000 && written.contains("..."));
    }
}
