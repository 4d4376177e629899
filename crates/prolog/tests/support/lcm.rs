//! The running example of "Test data generation of bytecode by CLP partial evaluation": lcm, gcd
//! and abs.

use petrel_clp::{Callee, Comparison, End, Operand, Operation, PredicateKind, Procedure};

use super::build::{Builder, INT, method};

pub fn procedures() -> Vec<Procedure> {
    vec![lcm(), gcd(), abs()]
}

/// `int gcd = gcd(x, y); return abs(x*y/gcd);`
fn lcm() -> Procedure {
    let mut b = Builder::new(method("Lcm", "lcm", "(II)I"), true);
    let entry = b.predicate("lcm", PredicateKind::Entry, "X Y");
    let exit = b.predicate("lcm_exit_2", PredicateKind::Choice, "X Y Gcd Exit:exit");
    let div = b.predicate("lcm_div_9", PredicateKind::Choice, "P Gcd");
    let last = b.exit("lcm_exit_10", "Abs Exit:exit", |r| {
        End::Return(Some(r.get("Abs")))
    });
    b.rule(entry, |r| {
        let arguments = r.all("X Y");
        r.call(
            Callee::Static,
            method("Lcm", "gcd", "(II)I"),
            &arguments,
            Some("Gcd"),
        );
        r.go(exit, "X Y Gcd Exit")
    });
    b.exit_rules(exit, |r| {
        let factors = r.all("X Y");
        r.compute("P", Operation::Multiply(INT), &factors);
        r.go(div, "P Gcd")
    });
    b.rule(div, |r| {
        r.when("Gcd", Comparison::NotEqual, Operand::Int(0));
        let operands = r.all("P Gcd");
        r.compute("D", Operation::Divide(INT), &operands);
        let arguments = r.all("D");
        r.call(
            Callee::Static,
            method("Lcm", "abs", "(I)I"),
            &arguments,
            Some("Abs"),
        );
        r.go(last, "Abs Exit")
    });
    b.rule(div, |r| {
        r.when("Gcd", Comparison::Equal, Operand::Int(0));
        let message = r.text("/ by zero");
        r.throw("java/lang/ArithmeticException", message)
    });
    b.finish()
}

/// `while (y != 0) { int r = x % y; x = y; y = r; } return abs(x);`
fn gcd() -> Procedure {
    let mut b = Builder::new(method("Lcm", "gcd", "(II)I"), true);
    let entry = b.predicate("gcd", PredicateKind::Entry, "X Y");
    let head = b.predicate("gcd_loop_0", PredicateKind::Loop, "X Y");
    let choice = b.predicate("gcd_if_1", PredicateKind::Choice, "X Y");
    let rem = b.predicate("gcd_rem_6", PredicateKind::Choice, "X Y");
    let last = b.exit("gcd_exit_15", "Abs Exit:exit", |r| {
        End::Return(Some(r.get("Abs")))
    });
    b.rule(entry, |r| r.go(head, "X Y"));
    b.rule(head, |r| r.go(choice, "X Y"));
    b.rule(choice, |r| {
        r.when("Y", Comparison::Equal, Operand::Int(0));
        let arguments = r.all("X");
        r.call(
            Callee::Static,
            method("Lcm", "abs", "(I)I"),
            &arguments,
            Some("Abs"),
        );
        r.go(last, "Abs Exit")
    });
    b.rule(choice, |r| {
        r.when("Y", Comparison::NotEqual, Operand::Int(0));
        r.go(rem, "X Y")
    });
    b.rule(rem, |r| {
        r.when("Y", Comparison::NotEqual, Operand::Int(0));
        let operands = r.all("X Y");
        r.compute("R", Operation::Remainder(INT), &operands);
        r.go(head, "Y R")
    });
    b.rule(rem, |r| {
        r.when("Y", Comparison::Equal, Operand::Int(0));
        let message = r.text("/ by zero");
        r.throw("java/lang/ArithmeticException", message)
    });
    b.finish()
}

/// `if (x >= 0) return x; else return -x;`
fn abs() -> Procedure {
    let mut b = Builder::new(method("Lcm", "abs", "(I)I"), true);
    let entry = b.predicate("abs", PredicateKind::Entry, "X");
    let choice = b.predicate("abs_if_1", PredicateKind::Choice, "X");
    b.rule(entry, |r| r.go(choice, "X"));
    b.rule(choice, |r| {
        r.when("X", Comparison::GreaterOrEqual, Operand::Int(0));
        End::Return(Some(r.get("X")))
    });
    b.rule(choice, |r| {
        r.when("X", Comparison::Less, Operand::Int(0));
        let x = r.get("X");
        r.compute("Z", Operation::Negate(INT), &[x]);
        End::Return(Some(r.get("Z")))
    });
    b.finish()
}
