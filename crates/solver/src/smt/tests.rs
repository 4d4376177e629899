use petrel_clp::{ArithmeticKind, Comparison, Kind, Operation};

use super::*;
use crate::term::{Expr, Node, TermId, Unknown};

const Z3: &str = "z3 -in";

fn int(terms: &mut Terms, low: i64, high: i64) -> TermId {
    terms.unknown(Unknown { name: "x".into(), kind: Kind::Int, low, high, own: 0 })
}

fn start(command: &str) -> SmtProcess {
    SmtProcess::start(command, &Purse::unlimited())
        .unwrap_or_else(|error| panic!("{error}: this test needs Z3, which `make setup` installs"))
}

#[test]
fn one_process_answers_many_queries() {
    let mut terms = Terms::default();
    let x = Expr::Term(int(&mut terms, -5, 5));
    let above = |bound| Constraint::int(x, Comparison::Greater, Expr::Constant(bound));
    let mut z3 = start(Z3);
    for _ in 0..3 {
        assert_eq!(z3.check(&terms, &[above(4)]), Answer::Satisfiable(vec![5]));
        assert_eq!(z3.check(&terms, &[above(5)]), Answer::Unsatisfiable);
    }
}

#[test]
fn unknowns_that_are_not_mentioned_are_close_to_0() {
    let mut terms = Terms::default();
    int(&mut terms, -5, 5);
    int(&mut terms, 7, 9);
    assert_eq!(start(Z3).check(&terms, &[]), Answer::Satisfiable(vec![0, 7]));
}

#[test]
fn shared_terms_are_printed_once() {
    let mut terms = Terms::default();
    let mut term = int(&mut terms, -5, 5);
    for _ in 0..100 {
        let twice =
            Node::Apply(Operation::Add(ArithmeticKind::Int), Expr::Term(term), Expr::Term(term));
        term = terms.intern(twice, Kind::Int);
    }
    let zero = Constraint::int(Expr::Term(term), Comparison::NotEqual, Expr::Constant(0));
    let script = smt_lib(&terms, std::slice::from_ref(&zero)).unwrap();
    assert_eq!(script.lines().filter(|line| line.starts_with("(define-fun")).count(), 101);
    // 2^100 is 0 modulo 2^32.
    assert_eq!(start(Z3).check(&terms, &[zero]), Answer::Unsatisfiable);
}

#[test]
fn other_numbers_are_in_the_theory_of_floating_point() {
    use crate::real::Real;
    let mut terms = Terms::default();
    let unknown = Unknown { name: "d".into(), kind: Kind::Double, low: 0, high: 0, own: 0 };
    let d = Expr::Term(terms.unknown(unknown));
    let double = ArithmeticKind::Double;
    let square = terms.intern(Node::Apply(Operation::Multiply(double), d, d), Kind::Double);
    let equals = |terms: &mut Terms, number: f64| {
        let compare = Operation::Compare(double, -1);
        let compare = Node::Apply(compare, Expr::Term(square), Expr::Constant(number.rank()));
        let compared = Expr::Term(terms.intern(compare, Kind::Int));
        Constraint::int(compared, Comparison::Equal, Expr::Constant(0))
    };
    let mut z3 = start(Z3);
    let negative = equals(&mut terms, -1.0);
    assert_eq!(z3.check(&terms, &[negative]), Answer::Unsatisfiable);
    let quarter = equals(&mut terms, 2.25);
    let below = Constraint::long(d, Comparison::Less, Expr::Constant(0));
    let model = vec![(-1.5f64).rank()];
    assert_eq!(z3.check(&terms, &[quarter, below]), Answer::Satisfiable(model));
}

#[test]
fn what_is_opaque_is_beyond_it() {
    let mut terms = Terms::default();
    let opaque = Expr::Term(terms.intern(Node::Opaque(Kind::Int, 0), Kind::Int));
    let constraint = Constraint::int(opaque, Comparison::Equal, Expr::Constant(0));
    assert_eq!(smt_lib(&terms, std::slice::from_ref(&constraint)), None);
    assert_eq!(start(Z3).check(&terms, &[constraint]), Answer::Unknown);
}

#[test]
fn commands_that_are_no_solvers_are_refused() {
    assert!(matches!(SmtProcess::start(" ", &Purse::unlimited()), Err(SmtError::NoCommand)));
    assert!(matches!(
        SmtProcess::start("petrel-no-such-solver", &Purse::unlimited()),
        Err(SmtError::Run { .. })
    ));
    assert!(matches!(SmtProcess::start("true", &Purse::unlimited()), Err(SmtError::Run { .. })));
    let Err(SmtError::Answer { answer, .. }) = SmtProcess::start("cat", &Purse::unlimited()) else {
        panic!("`cat` is taken for a solver");
    };
    assert_eq!(answer, "(set-option :produce-models true)");
}

#[test]
fn a_dead_process_is_replaced() {
    let mut terms = Terms::default();
    let x = Expr::Term(int(&mut terms, 3, 3));
    let equal = Constraint::int(x, Comparison::Equal, Expr::Constant(3));
    let mut z3 = start(Z3);
    end(&z3.process.as_ref().unwrap().child);
    assert_eq!(z3.check(&terms, std::slice::from_ref(&equal)), Answer::Unknown);
    assert_eq!(z3.check(&terms, &[equal]), Answer::Satisfiable(vec![3]));
}
