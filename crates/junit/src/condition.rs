//! Path conditions as a reader wants them: without what follows from the rest, and without terms of the engine.

use petrel_classfile::JavaType;
use petrel_clp::Comparison;
use petrel_expression::{Engine, Expression, Node, Number};

use crate::Test;
use crate::types::{MethodTypes, Type};

/// A constraint that is longer is not understood at a glance.
const LONGEST: usize = 90;

/// The path condition of a test as it is told.
pub(crate) fn of(test: &Test<'_>) -> Vec<Expression> {
    let method = test.method;
    let types = MethodTypes::erased(method).parameters;
    let names = method.parameter_names();
    let is_boolean = |term: &Expression| match term.node() {
        Node::Member(of, field) if is_receiver(of) => method
            .class()
            .fields()
            .any(|declared| *declared.name() == **field && declared.descriptor() == "Z"),
        Node::Name(name) => {
            let place = names.iter().position(|parameter| parameter.as_str() == &**name);
            let of = place.and_then(|place| types.get(place));
            of.is_some_and(|of| *of == Type::Primitive(JavaType::Boolean))
        }
        _ => false,
    };
    let told = readable(&test.case.own_condition()).into_iter();
    told.map(|constraint| truth(&constraint, &is_boolean).unwrap_or(constraint)).collect()
}

/// Whether an expression is `this`.
pub(crate) fn is_receiver(expression: &Expression) -> bool {
    matches!(expression.node(), Node::Name(name) if **name == *"this")
}

/// A constraint on a boolean as Java has it: `isLast` for `isLast != 0`.
fn truth(constraint: &Expression, is_boolean: &dyn Fn(&Expression) -> bool) -> Option<Expression> {
    match comparison(constraint)? {
        (term, Comparison::NotEqual, 0) if is_boolean(term) => Some(term.clone()),
        (term, Comparison::Equal, 0) if is_boolean(term) => Some(term.clone().not()),
        _ => None,
    }
}

/// The constraints that say something to a reader, in their order.
fn readable(constraints: &[&Expression]) -> Vec<Expression> {
    let mut told: Vec<&Expression> = Vec::new();
    for (at, constraint) in constraints.iter().enumerate() {
        let is_implied = constraints[at + 1..].iter().any(|later| implies(later, constraint));
        if is_readable(constraint) && !is_implied && !told.contains(constraint) {
            told.push(constraint);
        }
    }
    told.into_iter().map(with_characters).collect()
}

/// Whether a constraint is in words of the program: choices among classes, and what calls of the library come down to,
/// are terms of the engine.
fn is_readable(constraint: &Expression) -> bool {
    let is_of_engine = |node: &Node| {
        let is_term = |engine: &Engine| !matches!(engine, Engine::ClassOf(_) | Engine::LeftOut);
        matches!(node, Node::Engine(engine) if is_term(engine)) || matches!(node, Node::Choose(..))
    };
    !constraint.has(&is_of_engine) && constraint.fits(LONGEST)
}

/// A comparison with a number: what is compared, how, and the number.
fn comparison(constraint: &Expression) -> Option<(&Expression, Comparison, i64)> {
    let Node::Compare(comparison, left, right) = constraint.node() else { return None };
    match right.node() {
        Node::Number(Number::Int(number) | Number::Long(number)) => {
            Some((left, *comparison, *number))
        }
        _ => None,
    }
}

/// Whether a constraint on a number says all that an earlier one did.
fn implies(later: &Expression, earlier: &Expression) -> bool {
    use Comparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual};
    let (Some((left, operator, number)), Some((same, before, bound))) =
        (comparison(later), comparison(earlier))
    else {
        return false;
    };
    left == same
        && match (operator, before) {
            // Otherwise the path would have ended before.
            (Equal, _) => true,
            (Less | LessOrEqual, Less | LessOrEqual) => number <= bound,
            (Greater | GreaterOrEqual, Greater | GreaterOrEqual) => number >= bound,
            _ => false,
        }
}

/// With characters in place of their numbers: `text.charAt(0) == '-'`.
fn with_characters(constraint: &Expression) -> Expression {
    let character = comparison(constraint).and_then(|(left, operator, number)| {
        let unit = u16::try_from(number).ok().filter(|unit| matches!(unit, 0x20..=0x7e))?;
        let unit = Expression::new(Node::Character(unit));
        is_character(left).then(|| Expression::new(Node::Compare(operator, left.clone(), unit)))
    });
    character.unwrap_or_else(|| constraint.clone())
}

/// Whether a term is a character of a text, and nothing is done with it.
fn is_character(term: &Expression) -> bool {
    match term.node() {
        Node::Call(text, method, place) => {
            **method == *"charAt" && is_path(text) && place.iter().all(is_path)
        }
        _ => false,
    }
}

/// Whether an expression is made of names, numbers and calls alone.
fn is_path(expression: &Expression) -> bool {
    match expression.node() {
        Node::Name(_) => true,
        Node::Number(Number::Int(number)) => *number >= 0,
        Node::Member(of, _) => is_path(of),
        Node::Call(of, _, arguments) => {
            is_path(of) && arguments.len() <= 1 && arguments.iter().all(is_path)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::terms::{char_at, compare, int, name, text};

    fn check(constraints: &[Expression], expected: &[&str]) {
        let constraints: Vec<&Expression> = constraints.iter().collect();
        let told: Vec<String> = readable(&constraints).iter().map(ToString::to_string).collect();
        assert_eq!(told, expected);
    }

    #[test]
    fn terms_of_the_engine_are_left_out() {
        let left = name("left");
        let null = Expression::new(Node::Null);
        let elements = [int(0), int(0), int(1)].into();
        let table = Engine::Table { elements, has_more: false, index: left.clone() };
        check(
            &[
                compare(left.clone(), Comparison::NotEqual, null),
                compare(Expression::engine(table), Comparison::Equal, int(0)),
                compare(name("x"), Comparison::Greater, int(0)),
            ],
            &["left != null", "x > 0"],
        );
        let is_long = compare(left.call("length", Vec::new()), Comparison::Greater, int(0));
        let truth = Expression::engine(Engine::Truth(is_long));
        let origin = Expression::engine(Engine::Origin(name("list")));
        let answer = Expression::engine(Engine::Answer(name("wanted"), "test".into(), 1));
        check(
            &[
                compare(truth, Comparison::Equal, int(1)),
                compare(origin, Comparison::Equal, int(0)),
                answer,
            ],
            &[],
        );
    }

    #[test]
    fn what_a_literal_holds_is_no_term_of_the_engine() {
        let literals = ["a ? b", "{", "#", "origin of x"];
        let conditions: Vec<Expression> =
            literals.iter().map(|literal| name("s").call("equals", vec![text(literal)])).collect();
        check(
            &conditions,
            &[
                "s.equals(\"a ? b\")",
                "s.equals(\"{\")",
                "s.equals(\"#\")",
                "s.equals(\"origin of x\")",
            ],
        );
    }

    #[test]
    fn what_follows_from_the_rest_is_left_out() {
        use Comparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
        let n = |comparison, number| compare(name("n"), comparison, int(number));
        check(&[n(Less, 4), n(Greater, 0), n(Less, 3), n(LessOrEqual, 2)], &["n > 0", "n <= 2"]);
        let d = compare(name("d"), NotEqual, int(45));
        check(&[n(NotEqual, 45), n(GreaterOrEqual, 7), n(Equal, 48), d], &["n == 48", "d != 45"]);
        let (a, b) = (name("a"), name("b"));
        check(
            &[
                compare(a.clone(), Less, b.clone()),
                compare(a, Less, int(5)),
                compare(b, Less, int(4)),
            ],
            &["a < b", "a < 5", "b < 4"],
        );
    }

    #[test]
    fn booleans_are_no_numbers() {
        let is_boolean = |term: &Expression| *term == name("isLast");
        let told = |comparison, subject: &str| {
            let constraint = compare(name(subject), comparison, int(0));
            truth(&constraint, &is_boolean).map(|told| told.to_string())
        };
        assert_eq!(told(Comparison::NotEqual, "isLast").as_deref(), Some("isLast"));
        assert_eq!(told(Comparison::Equal, "isLast").as_deref(), Some("!isLast"));
        assert_eq!(told(Comparison::Equal, "count"), None);
    }

    #[test]
    fn characters_are_shown_as_such() {
        let first = || char_at(name("text"), int(0));
        check(&[compare(first(), Comparison::Equal, int(45))], &["text.charAt(0) == '-'"]);
        let at_i = char_at(name("text"), name("i"));
        check(&[compare(at_i, Comparison::NotEqual, int(39))], &["text.charAt(i) != '\\''"]);
        check(
            &[
                compare(first(), Comparison::Greater, int(200)),
                compare(name("n"), Comparison::Equal, int(45)),
            ],
            &["text.charAt(0) > 200", "n == 45"],
        );
    }
}
