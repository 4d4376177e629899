use petrel_clp::{ArithmeticKind, Comparison, Operation};

use crate::{Engine, Expression, Node, Number};

fn check(expression: &Expression, expected: &str) {
    assert_eq!(expression.to_string(), expected);
}

fn compare(comparison: Comparison, left: Expression, right: Expression) -> Expression {
    Expression::new(Node::Compare(comparison, left, right))
}

#[test]
fn access_paths_are_written_as_java_has_them() {
    let list = Expression::name("list");
    check(&list.member("next").element(Expression::int(0)).member("key"), "list.next[0].key");
    let text = list.call("get", vec![Expression::int(1)]).call("trim", Vec::new());
    check(&text, "list.get(1).trim()");
    let sum = Expression::new(Node::Concatenation(list.clone(), text));
    check(&sum.call("length", Vec::new()), "(list + list.get(1).trim()).length()");
}

#[test]
fn conditions_are_nested_with_parentheses_only_where_the_connective_changes() {
    let x = Expression::name("x");
    let low = compare(Comparison::Less, x.clone(), Expression::int(-1));
    let high = compare(Comparison::Greater, x.clone(), Expression::int(1));
    let either = Expression::new(Node::Any([low.clone(), high.clone()].into()));
    check(&either, "x < -1 || x > 1");
    let all = Expression::new(Node::All([either.clone(), high.clone()].into()));
    check(&all, "(x < -1 || x > 1) && x > 1");
    check(&high.not(), "!(x > 1)");
    check(&x.call("isEmpty", Vec::new()).not(), "!x.isEmpty()");
}

#[test]
fn literals_are_escaped() {
    let units: Vec<u16> = "a\"{#} ? b\n".encode_utf16().collect();
    check(&Expression::new(Node::Text(units.into())), "\"a\\\"{#} ? b\\n\"");
    check(&Expression::new(Node::Character(u16::from(b'\''))), "'\\''");
    check(&Expression::new(Node::Character(7)), "7");
    check(&Expression::new(Node::Number(Number::Double((-0.0f64).to_bits()))), "-0.0");
    check(&Expression::new(Node::Number(Number::Float(f32::NAN.to_bits()))), "NaN");
}

#[test]
fn negative_numbers_are_told_from_differences() {
    let x = Expression::name("x");
    let negate = Operation::Negate(ArithmeticKind::Int);
    let negated = Expression::new(Node::Apply(negate, Expression::int(-5), None));
    check(&negated, "-(-5)");
    let subtract = Operation::Subtract(ArithmeticKind::Int);
    let less = Expression::new(Node::Apply(subtract, x, Some(negated)));
    check(&less, "x - -(-5)");
}

#[test]
fn terms_of_the_engine_are_found_wherever_they_are() {
    let inside = Expression::engine(Engine::Origin(Expression::name("list")));
    let condition = compare(Comparison::Equal, inside.member("size"), Expression::int(0));
    assert!(condition.has(&|node| matches!(node, Node::Engine(_))));
    let literal = Expression::new(Node::Text("origin of {".encode_utf16().collect()));
    assert!(!literal.has(&|node| matches!(node, Node::Engine(_))));
}

#[test]
fn long_chains_are_printed_and_dropped_without_recursion() {
    let mut path = Expression::name("x");
    for _ in 0..300_000 {
        path = path.member("n");
    }
    assert_eq!(path.to_string().len(), 600_001);
}
