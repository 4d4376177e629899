//! Terms and constraints as text, in Java's notation.

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Kind, Operation};

use crate::constraint::Constraint;
use crate::evaluate::compares;
use crate::interval::Outcomes;
use crate::real::Real;
use crate::term::{Expr, Node, TermId, Terms, Unknown};

/// Terms are shared, so that their text can be longer than any screen: more nodes are left out.
const MOST_NODES: u32 = 300;

/// Tables show so many elements.
const MOST_ELEMENTS: usize = 8;

/// Truth values are looked into so deep.
const DEEPEST_TRUTH: u32 = 16;

/// How tightly operators bind; larger numbers bind tighter.
mod binding {
    pub(super) const WHOLE: u32 = 0;
    pub(super) const TERNARY: u32 = 1;
    pub(super) const OR: u32 = 2;
    pub(super) const EXCLUSIVE_OR: u32 = 3;
    pub(super) const AND: u32 = 4;
    pub(super) const EQUALITY: u32 = 5;
    pub(super) const RELATION: u32 = 6;
    pub(super) const SHIFT: u32 = 7;
    pub(super) const SUM: u32 = 8;
    pub(super) const PRODUCT: u32 = 9;
    pub(super) const UNARY: u32 = 10;
    pub(super) const PRIMARY: u32 = 11;
}

/// An expression of a kind as text.
pub fn text(terms: &Terms, expr: Expr, kind: Kind) -> String {
    let mut writer = Writer { terms, text: String::new(), left: MOST_NODES };
    writer.expr(expr, kind, binding::WHOLE);
    writer.text
}

/// A constraint as text.
pub fn constraint_text(terms: &Terms, constraint: &Constraint) -> String {
    let mut writer = Writer { terms, text: String::new(), left: MOST_NODES };
    match constraint {
        Constraint::Compare { kind, comparison, left, right } => {
            match writer.truth(*comparison, *left, *right) {
                Some((test, is_true)) => writer.test(test, is_true),
                None => writer.comparison((*kind).into(), *comparison, *left, *right),
            }
        }
        Constraint::Among(membership) => {
            let (comparison, between) = if membership.is_member {
                (Comparison::Equal, " || ")
            } else {
                (Comparison::NotEqual, " && ")
            };
            for (position, &constant) in membership.constants.iter().enumerate() {
                if position > 0 {
                    writer.text.push_str(between);
                }
                let constant = Expr::Constant(constant.into());
                writer.comparison(Kind::Int, comparison, membership.value, constant);
            }
        }
    }
    writer.text
}

struct Writer<'t> {
    terms: &'t Terms,
    text: String,
    left: u32,
}

impl Writer<'_> {
    /// A comparison of a truth value with a constant: the test, and whether it holds.
    fn truth(&self, comparison: Comparison, left: Expr, right: Expr) -> Option<(TermId, bool)> {
        let test = left.term()?;
        if !self.is_truth(test, DEEPEST_TRUTH) {
            return None;
        }
        match (comparison, right.constant()?) {
            (Comparison::Equal, 0) | (Comparison::NotEqual, 1) => Some((test, false)),
            (Comparison::Equal, 1) | (Comparison::NotEqual, 0) => Some((test, true)),
            _ => None,
        }
    }

    /// Whether a term is made of tests.
    fn is_truth(&self, term: TermId, depth: u32) -> bool {
        if let Some(name) = self.terms.name_of(term) {
            return name.is_truth;
        }
        match self.terms.node(term) {
            Node::Test(..) => true,
            Node::Apply(Operation::Or(_) | Operation::And(_), a, b) if depth > 0 => [a, b]
                .iter()
                .all(|side| side.term().is_some_and(|side| self.is_truth(side, depth - 1))),
            _ => false,
        }
    }

    /// A term that is a truth value, or its negation.
    fn test(&mut self, test: TermId, is_true: bool) {
        if let Some(name) = self.terms.name_of(test) {
            self.text.push_str(if is_true { "" } else { "!" });
            self.text.push_str(&name.text);
            return;
        }
        match self.terms.node(test) {
            Node::Test(kind, comparison, left, right) => {
                let comparison = if is_true { comparison } else { comparison.negated() };
                self.comparison(kind, comparison, left, right);
            }
            Node::Apply(operation, Expr::Term(left), Expr::Term(right)) => {
                let is_or = matches!(operation, Operation::Or(_)) == is_true;
                let is_nested = |writer: &Self, side| matches!(writer.terms.node(side), Node::Apply(inner, ..) if inner != operation);
                let parentheses = is_nested(self, left);
                self.parenthesised(parentheses, |writer| writer.test(left, is_true));
                self.text.push_str(if is_or { " || " } else { " && " });
                let parentheses = is_nested(self, right);
                self.parenthesised(parentheses, |writer| writer.test(right, is_true));
            }
            _ => self.text.push('?'),
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

    fn comparison(&mut self, kind: Kind, comparison: Comparison, left: Expr, right: Expr) {
        if let Some((kind, comparison, by_nan, [first, second])) =
            self.outcome(comparison, left, right)
        {
            // Where NaN makes a difference, the opposite is what it does not satisfy.
            if by_nan == (comparison == Comparison::NotEqual) {
                return self.plain_comparison(kind, comparison, first, second);
            }
            self.text.push_str("!(");
            self.plain_comparison(kind, comparison.negated(), first, second);
            self.text.push(')');
            return;
        }
        let real = [left, right].iter().find_map(|side| {
            let kind = self.terms.kind(side.term()?);
            matches!(kind, Kind::Float | Kind::Double).then_some(kind)
        });
        self.plain_comparison(real.unwrap_or(kind), comparison, left, right);
    }

    fn plain_comparison(&mut self, kind: Kind, comparison: Comparison, left: Expr, right: Expr) {
        let (symbol, level) = match comparison {
            Comparison::Equal => ("==", binding::EQUALITY),
            Comparison::NotEqual => ("!=", binding::EQUALITY),
            Comparison::Less => ("<", binding::RELATION),
            Comparison::GreaterOrEqual => (">=", binding::RELATION),
            Comparison::Greater => (">", binding::RELATION),
            Comparison::LessOrEqual => ("<=", binding::RELATION),
        };
        let is_reference =
            |side: Expr| side.term().is_some_and(|term| self.terms.kind(term) == Kind::Reference);
        let kind = if is_reference(left) || is_reference(right) { Kind::Reference } else { kind };
        self.expr(left, kind, level);
        self.text.push(' ');
        self.text.push_str(symbol);
        self.text.push(' ');
        self.expr(right, kind, level + 1);
    }

    fn expr(&mut self, expr: Expr, kind: Kind, around: u32) {
        match expr {
            Expr::Constant(number) => {
                let text = match kind {
                    Kind::Reference => self.object(number),
                    _ => constant(number, kind),
                };
                let is_negative = text.starts_with('-') && around >= binding::UNARY;
                self.parenthesised(is_negative, |writer| writer.text.push_str(&text));
            }
            Expr::Term(term) => self.term(term, around),
        }
    }

    /// An object by its number: the unknown that it belongs to; all others are new.
    fn object(&self, number: i64) -> String {
        let owner = |unknown: &&Unknown| unknown.kind == Kind::Reference && unknown.own == number;
        match number {
            0 => "null".to_owned(),
            _ => match self.terms.unknowns().iter().find(owner) {
                Some(owner) => owner.name.to_string(),
                None => "new".to_owned(),
            },
        }
    }

    fn parenthesised(&mut self, yes: bool, write: impl FnOnce(&mut Self)) {
        if yes {
            self.text.push('(');
        }
        write(self);
        if yes {
            self.text.push(')');
        }
    }

    fn term(&mut self, term: TermId, around: u32) {
        let Some(left) = self.left.checked_sub(1) else {
            self.text.push_str("...");
            return;
        };
        self.left = left;
        if let Some(name) = self.terms.name_of(term) {
            self.text.push_str(&name.text);
            return;
        }
        match self.terms.node(term) {
            Node::Unknown(unknown) => {
                let name = self.terms.unknowns().get(unknown.index()).map(|known| &*known.name);
                self.text.push_str(name.unwrap_or("?"));
            }
            Node::Apply(operation, first, second) => self.apply(operation, first, second, around),
            Node::Test(kind, comparison, first, second) => {
                self.parenthesised(around > binding::TERNARY, |writer| {
                    writer.comparison(kind, comparison, first, second);
                    writer.text.push_str(" ? 1 : 0");
                });
            }
            Node::Choose(kind, condition, then, otherwise) => {
                self.parenthesised(around > binding::TERNARY, |writer| {
                    if writer.is_truth(condition, 0) {
                        writer.test(condition, true);
                    } else {
                        writer.term(condition, binding::EQUALITY);
                        writer.text.push_str(" != 0");
                    }
                    writer.text.push_str(" ? ");
                    writer.expr(then, kind, binding::TERNARY + 1);
                    writer.text.push_str(" : ");
                    writer.expr(otherwise, kind, binding::TERNARY);
                });
            }
            Node::MultiplyAdd(kind, operands) => {
                self.text.push_str("Math.fma(");
                for (position, operand) in operands.into_iter().enumerate() {
                    if position > 0 {
                        self.text.push_str(", ");
                    }
                    self.expr(operand, kind, binding::WHOLE);
                }
                self.text.push(')');
            }
            // An unknown reference is called like the unknown that says which object it is.
            Node::Select(Kind::Reference, _, index)
                if matches!(self.terms.node(index), Node::Unknown(_)) =>
            {
                self.term(index, around);
            }
            Node::Select(kind, table, index) => {
                self.text.push('{');
                let elements = self.terms.table(table);
                for (position, &element) in elements.iter().take(MOST_ELEMENTS).enumerate() {
                    if position > 0 {
                        self.text.push_str(", ");
                    }
                    self.expr(element, kind, binding::WHOLE);
                }
                if elements.len() > MOST_ELEMENTS {
                    self.text.push_str(", ...");
                }
                self.text.push_str("}[");
                self.term(index, binding::WHOLE);
                self.text.push(']');
            }
            Node::Opaque(..) => self.text.push('?'),
        }
    }

    fn apply(&mut self, operation: Operation, first: Expr, second: Expr, around: u32) {
        let kind = operation.result_kind();
        let (symbol, level) = match operation {
            Operation::Add(_) => match (first, second) {
                (_, Expr::Constant(number)) if number < 0 && number != minimum(kind) => {
                    return self.infix("-", binding::SUM, (first, kind), around, |writer| {
                        let negated = Expr::Constant(-number);
                        writer.expr(negated, kind, binding::SUM + 1);
                    });
                }
                _ => ("+", binding::SUM),
            },
            Operation::Subtract(_) => ("-", binding::SUM),
            Operation::Multiply(_) => ("*", binding::PRODUCT),
            Operation::Divide(_) => ("/", binding::PRODUCT),
            Operation::Remainder(_) => ("%", binding::PRODUCT),
            Operation::ShiftLeft(_) => ("<<", binding::SHIFT),
            Operation::ShiftRight(_) => (">>", binding::SHIFT),
            Operation::ShiftRightUnsigned(_) => (">>>", binding::SHIFT),
            Operation::And(_) => ("&", binding::AND),
            Operation::Or(_) => ("|", binding::OR),
            Operation::ExclusiveOr(_) => ("^", binding::EXCLUSIVE_OR),
            Operation::Negate(_) => {
                return self.parenthesised(around > binding::UNARY, |writer| {
                    writer.text.push('-');
                    writer.expr(first, kind, binding::UNARY + 1);
                });
            }
            Operation::SquareRoot(_) => {
                self.text.push_str("Math.sqrt(");
                self.expr(first, kind, binding::WHOLE);
                self.text.push(')');
                return;
            }
            Operation::Convert(conversion) => {
                return self.parenthesised(around > binding::UNARY, |writer| {
                    writer.text.push_str(cast(conversion));
                    writer.expr(first, conversion.kinds().0, binding::UNARY);
                });
            }
            Operation::Compare(of, _) => {
                let class = match of {
                    ArithmeticKind::Int => "Integer",
                    ArithmeticKind::Long => "Long",
                    ArithmeticKind::Float => "Float",
                    ArithmeticKind::Double => "Double",
                };
                self.text.push_str(class);
                self.text.push_str(".compare(");
                self.expr(first, of.into(), binding::WHOLE);
                self.text.push_str(", ");
                self.expr(second, of.into(), binding::WHOLE);
                self.text.push(')');
                return;
            }
        };
        let second_kind = if level == binding::SHIFT { Kind::Int } else { kind };
        self.infix(symbol, level, (first, kind), around, |writer| {
            writer.expr(second, second_kind, level + 1);
        });
    }

    fn infix(
        &mut self,
        symbol: &str,
        level: u32,
        (first, kind): (Expr, Kind),
        around: u32,
        second: impl FnOnce(&mut Self),
    ) {
        self.parenthesised(around > level && around <= binding::PRIMARY, |writer| {
            writer.expr(first, kind, level);
            writer.text.push(' ');
            writer.text.push_str(symbol);
            writer.text.push(' ');
            second(writer);
        });
    }
}

fn minimum(kind: Kind) -> i64 {
    if kind == Kind::Long { i64::MIN } else { i32::MIN.into() }
}

fn cast(conversion: Conversion) -> &'static str {
    match conversion {
        Conversion::IntToLong | Conversion::FloatToLong | Conversion::DoubleToLong => "(long) ",
        Conversion::IntToFloat | Conversion::LongToFloat | Conversion::DoubleToFloat => "(float) ",
        Conversion::IntToDouble | Conversion::LongToDouble | Conversion::FloatToDouble => {
            "(double) "
        }
        Conversion::LongToInt | Conversion::FloatToInt | Conversion::DoubleToInt => "(int) ",
        Conversion::IntToByte => "(byte) ",
        Conversion::IntToChar => "(char) ",
        Conversion::IntToShort => "(short) ",
    }
}

/// What is no finite number, as Java prints it.
fn special(number: f64) -> String {
    if number.is_nan() {
        "NaN".to_owned()
    } else if number > 0.0 {
        "Infinity".to_owned()
    } else {
        "-Infinity".to_owned()
    }
}

fn constant(number: i64, kind: Kind) -> String {
    match kind {
        Kind::Long => format!("{number}L"),
        Kind::Float if f32::of_rank(number).is_finite() => format!("{:?}f", f32::of_rank(number)),
        Kind::Float => special(f32::of_rank(number).into()),
        Kind::Double if f64::of_rank(number).is_finite() => format!("{:?}", f64::of_rank(number)),
        Kind::Double => special(f64::of_rank(number)),
        Kind::Reference | Kind::Exit => "?".to_owned(),
        Kind::Int => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    fn unknown(store: &mut Store, name: &str, kind: Kind) -> Expr {
        let (low, high) =
            if kind == Kind::Long { (i64::MIN, i64::MAX) } else { (-(1 << 31), (1 << 31) - 1) };
        store.unknown(Unknown { name: name.into(), kind, low, high, own: 0 })
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
        let of = |expr, kind| text(store.terms(), expr, kind);
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
        let of = |constraint: &Constraint| constraint_text(store.terms(), constraint);
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
            constraint_text(store.terms(), &constraint)
        };
        assert_eq!(text(low, Comparison::Greater), "d > 18.5");
        assert_eq!(text(low, Comparison::LessOrEqual), "!(d > 18.5)");
        assert_eq!(text(high, Comparison::Less), "d < 18.5");
        assert_eq!(text(high, Comparison::GreaterOrEqual), "!(d < 18.5)");
        assert_eq!(text(low, Comparison::Equal), "d == 18.5");
        assert_eq!(text(low, Comparison::NotEqual), "d != 18.5");
        let infinite = compared(&mut store, 1, f64::NEG_INFINITY);
        let infinite = Constraint::int(infinite, Comparison::Equal, Expr::Constant(0));
        assert_eq!(constraint_text(store.terms(), &infinite), "d == -Infinity");
    }

    #[test]
    fn what_is_shared_many_times_is_not_written_many_times() {
        let mut store = Store::new();
        let mut term = unknown(&mut store, "x", Kind::Int);
        for _ in 0..64 {
            term = store.apply(Operation::Multiply(ArithmeticKind::Int), term, term);
        }
        let written = text(store.terms(), term, Kind::Int);
        assert!(written.len() < 10_000 && written.contains("..."));
    }
}
