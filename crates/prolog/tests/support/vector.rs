//! The running example of "Resource-driven CLP-based test case generation": class `Vector` (Fig. 1)
//! and method `multiples` (Fig. 4).

use petrel_clp::{
    Callee, Comparison, Dispatch, End, Guard, Message, Operand, Operation, PredicateId,
    PredicateKind, Procedure,
};

use super::build::{Body, Builder, INT, method};
use PredicateKind::{Block, Choice, Entry, Loop};

const ELEMS: &str = "Vector elems [I";
const SIZE: &str = "Vector size I";
const CAP: &str = "Vector cap I";
const BOUNDS: &str = "java/lang/ArrayIndexOutOfBoundsException";

pub fn procedures() -> Vec<Procedure> {
    vec![multiples(), init(), add(), realloc()]
}

pub fn dispatches() -> Vec<Dispatch> {
    [("add", "(I)V"), ("realloc", "()V")]
        .map(|(name, descriptor)| Dispatch {
            method: method("Vector", name, descriptor),
            cases: vec![(vec!["Vector".into()], method("Vector", name, descriptor))],
        })
        .to_vec()
}

fn null_pointer(r: &mut Body<'_>) -> End {
    r.throw("java/lang/NullPointerException", Message::Null { pc: 0 })
}

/// The rules of an array access: null, in bounds, out of bounds.
fn access(
    b: &mut Builder,
    predicate: PredicateId,
    (array, index): (&str, &str),
    in_bounds: impl FnOnce(&mut Body<'_>) -> End,
) {
    b.rule(predicate, |r| {
        let array = r.get(array);
        r.guard(Guard::IsNull(array));
        null_pointer(r)
    });
    b.rule(predicate, |r| {
        let (array, index) = (r.get(array), r.get(index));
        r.guard(Guard::NonNull(array));
        r.guard(Guard::InBounds { array, index });
        in_bounds(r)
    });
    b.rule(predicate, |r| {
        let (array, index) = (r.get(array), r.get(index));
        r.guard(Guard::NonNull(array));
        r.guard(Guard::OutOfBounds { array, index });
        r.throw(BOUNDS, Message::Bounds { array, index })
    });
}

/// The rules of a new array: the length is negative or not.
fn new_array(
    b: &mut Builder,
    predicate: PredicateId,
    length: &str,
    allocate: impl FnOnce(&mut Body<'_>) -> End,
) {
    b.rule(predicate, |r| {
        r.when(length, Comparison::GreaterOrEqual, Operand::Int(0));
        allocate(r)
    });
    b.rule(predicate, |r| {
        r.when(length, Comparison::Less, Operand::Int(0));
        let length = r.get(length);
        r.throw(
            "java/lang/NegativeArraySizeException",
            Message::Size(length),
        )
    });
}

fn init() -> Procedure {
    let mut b = Builder::new(method("Vector", "<init>", "(I)V"), false);
    let entry = b.predicate("init", Entry, "This:nonnull ICap");
    let exit = b.predicate("init_exit_1", Choice, "This:nonnull ICap Exit:exit");
    let choice = b.predicate("init_if_5", Choice, "This:nonnull ICap");
    let size = b.predicate("init_size_10", Choice, "This:nonnull ICap");
    let class = b.predicate("init_exit_28", Choice, "This:nonnull ICap Init:exit");
    let thrown = b.exit("init_exit_32", "X:nonnull Exit:exit", |r| {
        End::Throw(r.get("X"))
    });
    b.rule(entry, |r| {
        let this = r.all("This");
        r.call(
            Callee::Special,
            method("java/lang/Object", "<init>", "()V"),
            &this,
            None,
        );
        r.go(exit, "This ICap Exit")
    });
    b.exit_rules(exit, |r| r.go(choice, "This ICap"));
    b.rule(choice, |r| {
        r.when("ICap", Comparison::Greater, Operand::Int(0));
        r.go(size, "This ICap")
    });
    b.rule(choice, |r| {
        r.when("ICap", Comparison::LessOrEqual, Operand::Int(0));
        r.initialise("java/lang/Exception");
        r.go(class, "This ICap Exit")
    });
    new_array(&mut b, size, "ICap", |r| {
        let capacity = r.get("ICap");
        r.new_array("Array", "[I", capacity);
        let array = r.get("Array");
        r.set_field("This", ELEMS, array);
        r.set_field("This", CAP, capacity);
        r.set_field("This", SIZE, Operand::Int(0));
        End::Return(None)
    });
    b.exit_rules(class, |r| {
        r.new_object("X", "java/lang/Exception");
        let x = r.all("X");
        r.call(
            Callee::Special,
            method("java/lang/Exception", "<init>", "()V"),
            &x,
            None,
        );
        r.go(thrown, "X Exit")
    });
    b.finish()
}

fn add() -> Procedure {
    let mut b = Builder::new(method("Vector", "add", "(I)V"), false);
    let entry = b.predicate("add", Entry, "This:nonnull X");
    let choice = b.predicate("add_if_8", Choice, "This:nonnull X Size Cap");
    let exit = b.predicate("add_exit_12", Choice, "This:nonnull X Exit:exit");
    let block = b.predicate("add_block_15", Block, "This:nonnull X");
    let store = b.predicate("add_store_31", Choice, "Elems:ref Size X");
    b.rule(entry, |r| {
        r.get_field("Size", "This", SIZE);
        r.get_field("Cap", "This", CAP);
        r.go(choice, "This X Size Cap")
    });
    b.rule(choice, |r| {
        let cap = r.get("Cap");
        r.when("Size", Comparison::Less, cap);
        r.go(block, "This X")
    });
    b.rule(choice, |r| {
        let cap = r.get("Cap");
        r.when("Size", Comparison::GreaterOrEqual, cap);
        let this = r.all("This");
        r.call(
            Callee::Virtual,
            method("Vector", "realloc", "()V"),
            &this,
            None,
        );
        r.go(exit, "This X Exit")
    });
    b.exit_rules(exit, |r| r.go(block, "This X"));
    b.rule(block, |r| {
        r.get_field("Elems:ref", "This", ELEMS);
        r.get_field("Size", "This", SIZE);
        let size = r.get("Size");
        r.compute("Size1", Operation::Add(INT), &[size, Operand::Int(1)]);
        let size = r.get("Size1");
        r.set_field("This", SIZE, size);
        r.go(store, "Elems Size X")
    });
    access(&mut b, store, ("Elems", "Size"), |r| {
        let x = r.get("X");
        r.set_array("Elems", "Size", x);
        End::Return(None)
    });
    b.finish()
}

fn realloc() -> Procedure {
    let mut b = Builder::new(method("Vector", "realloc", "()V"), false);
    let entry = b.predicate("realloc", Entry, "This:nonnull");
    let size = b.predicate("realloc_size_8", Choice, "This:nonnull NCap");
    let head = b.predicate(
        "realloc_loop_13",
        Loop,
        "This:nonnull NCap NElems:nonnull I",
    );
    let choice = b.predicate(
        "realloc_if_18",
        Choice,
        "This:nonnull NCap NElems:nonnull I Cap",
    );
    let load = b.predicate(
        "realloc_load_27",
        Choice,
        "This:nonnull NCap NElems:nonnull I Elems:ref",
    );
    let store = b.predicate(
        "realloc_store_28",
        Choice,
        "This:nonnull NCap NElems:nonnull I E",
    );
    b.rule(entry, |r| {
        r.get_field("Cap", "This", CAP);
        let cap = r.get("Cap");
        r.compute("NCap", Operation::Multiply(INT), &[cap, Operand::Int(2)]);
        r.go(size, "This NCap")
    });
    new_array(&mut b, size, "NCap", |r| {
        let length = r.get("NCap");
        r.new_array("NElems", "[I", length);
        let mut arguments = r.all("This NCap NElems");
        arguments.push(Operand::Int(0));
        End::Continue(head, arguments)
    });
    b.rule(head, |r| {
        r.get_field("Cap", "This", CAP);
        r.go(choice, "This NCap NElems I Cap")
    });
    b.rule(choice, |r| {
        let cap = r.get("Cap");
        r.when("I", Comparison::GreaterOrEqual, cap);
        let (cap, elems) = (r.get("NCap"), r.get("NElems"));
        r.set_field("This", CAP, cap);
        r.set_field("This", ELEMS, elems);
        End::Return(None)
    });
    b.rule(choice, |r| {
        let cap = r.get("Cap");
        r.when("I", Comparison::Less, cap);
        r.get_field("Elems:ref", "This", ELEMS);
        r.go(load, "This NCap NElems I Elems")
    });
    access(&mut b, load, ("Elems", "I"), |r| {
        r.get_array("E", "Elems", "I");
        r.go(store, "This NCap NElems I E")
    });
    access(&mut b, store, ("NElems", "I"), |r| {
        let e = r.get("E");
        r.set_array("NElems", "I", e);
        let i = r.get("I");
        r.compute("I1", Operation::Add(INT), &[i, Operand::Int(1)]);
        r.go(head, "This NCap NElems I1")
    });
    b.finish()
}

fn multiples() -> Procedure {
    const STATE: &str = "Ns:ref Div V:nonnull I";
    let state = |more: &str| format!("{STATE} {more}");
    let mut b = Builder::new(method("Vector", "multiples", "([III)LVector;"), true);
    let entry = b.predicate("multiples", Entry, "Ns:ref Div ICap");
    let made = b.predicate("multiples_exit_5", Choice, "Ns:ref Div V:nonnull Exit:exit");
    let head = b.predicate("multiples_loop_12", Loop, STATE);
    let length = b.predicate("multiples_length_15", Choice, STATE);
    let choice = b.predicate("multiples_if_16", Choice, &state("L"));
    let load = b.predicate("multiples_load_22", Choice, STATE);
    let rem = b.predicate("multiples_rem_24", Choice, &state("E"));
    let test = b.predicate("multiples_if_25", Choice, &state("R"));
    let again = b.predicate("multiples_load_32", Choice, STATE);
    let added = b.predicate("multiples_exit_33", Choice, &state("Exit:exit"));
    let next = b.predicate("multiples_block_36", Block, STATE);
    b.rule(entry, |r| {
        r.new_object("V", "Vector");
        let arguments = r.all("V ICap");
        r.call(
            Callee::Special,
            method("Vector", "<init>", "(I)V"),
            &arguments,
            None,
        );
        r.go(made, "Ns Div V Exit")
    });
    b.exit_rules(made, |r| {
        let mut arguments = r.all("Ns Div V");
        arguments.push(Operand::Int(0));
        End::Continue(head, arguments)
    });
    b.rule(head, |r| r.go(length, "Ns Div V I"));
    b.rule(length, |r| {
        let array = r.get("Ns");
        r.guard(Guard::IsNull(array));
        null_pointer(r)
    });
    b.rule(length, |r| {
        let array = r.get("Ns");
        r.guard(Guard::NonNull(array));
        let target = r.variable("L");
        r.literals
            .push(petrel_clp::Literal::ArrayLength { target, array });
        r.go(choice, "Ns Div V I L")
    });
    b.rule(choice, |r| {
        let length = r.get("L");
        r.when("I", Comparison::GreaterOrEqual, length);
        End::Return(Some(r.get("V")))
    });
    b.rule(choice, |r| {
        let length = r.get("L");
        r.when("I", Comparison::Less, length);
        r.go(load, "Ns Div V I")
    });
    access(&mut b, load, ("Ns", "I"), |r| {
        r.get_array("E", "Ns", "I");
        r.go(rem, "Ns Div V I E")
    });
    b.rule(rem, |r| {
        r.when("Div", Comparison::NotEqual, Operand::Int(0));
        let operands = r.all("E Div");
        r.compute("R", Operation::Remainder(INT), &operands);
        r.go(test, "Ns Div V I R")
    });
    b.rule(rem, |r| {
        r.when("Div", Comparison::Equal, Operand::Int(0));
        let message = r.text("/ by zero");
        r.throw("java/lang/ArithmeticException", message)
    });
    b.rule(test, |r| {
        r.when("R", Comparison::NotEqual, Operand::Int(0));
        r.go(next, "Ns Div V I")
    });
    b.rule(test, |r| {
        r.when("R", Comparison::Equal, Operand::Int(0));
        r.go(again, "Ns Div V I")
    });
    access(&mut b, again, ("Ns", "I"), |r| {
        r.get_array("E", "Ns", "I");
        let arguments = r.all("V E");
        r.call(
            Callee::Virtual,
            method("Vector", "add", "(I)V"),
            &arguments,
            None,
        );
        r.go(added, "Ns Div V I Exit")
    });
    b.exit_rules(added, |r| r.go(next, "Ns Div V I"));
    b.rule(next, |r| {
        let i = r.get("I");
        r.compute("I1", Operation::Add(INT), &[i, Operand::Int(1)]);
        r.go(head, "Ns Div V I1")
    });
    b.finish()
}
