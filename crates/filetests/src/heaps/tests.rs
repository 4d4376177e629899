use petrel_value::{Call, FieldValue, Heap, Object, Value};

use super::*;

fn way(trace: &str) -> Way {
    Way { trace: trace.to_owned(), lines: Vec::new(), steps: 0, thrown: None }
}

#[test]
fn occurrences_are_counted_along_ancestors() {
    assert_eq!(way("").block_count(), 0);
    assert_eq!(way("m(1,[],[])").block_count(), 1);
    assert_eq!(way("m(1,[],[a(1,[],[]),a(2,[],[])])").block_count(), 1);
    assert_eq!(way("m(1,[],[a(1,[],[a(2,[],[])]),a(2,[],[])])").block_count(), 2);
    assert_eq!(
        way("m(1,[],[a(1,[],[b(2,[],[])]),b(2,[],[a(1,[],[b(1,[],[])])])])").block_count(),
        2
    );
}

#[test]
fn sizes_and_hidden_choices_are_not_of_the_rules() {
    let trace = "m(1,[N,2],['?'(2,[],[]),'A.n'(1,[3],[]),m_call(2,[],['?'(1,[],[])])])";
    let trace = trace.parse().expect("it is a trace");
    assert_eq!(of_rules(&trace), "m(1,[],['A.n'(1,[],[]),m_call(2,[],[])])");
}

/// An object with the fields `a` and `b`.
fn node(heap: &mut Heap, a: Value, b: Value) -> Value {
    let field = |name: &str, value| FieldValue { class: "N".into(), name: name.into(), value };
    let fields = vec![field("a", a), field("b", b)];
    heap.add(Object::Instance { class: "N".into(), fields })
}

fn set(heap: &mut Heap, object: Value, position: usize, value: Value) {
    let Some(Object::Instance { fields, .. }) = heap.get_mut(object) else { panic!("no object") };
    fields[position].value = value;
}

#[track_caller]
fn check(input: &Input, assumption: &str, expected: bool) {
    let names = ["x".to_owned(), "y".to_owned()];
    assert_eq!(
        holds(&assumption.parse().unwrap(), input, &names, &mut |_, _| true),
        Ok(expected),
        "{assumption}"
    );
}

#[test]
fn references_are_judged() {
    let mut heap = Heap::new();
    let end = node(&mut heap, Value::Null, Value::Null);
    let x = node(&mut heap, end, Value::Null);
    let y = node(&mut heap, Value::Null, end);
    let input = Input { receiver: Some(end), arguments: vec![x, y], heap };
    check(&input, "non-aliasing(x, y)", true);
    check(&input, "non-aliasing(x.a, y.b)", false);
    check(&input, "non-aliasing(x.a, this)", false);
    check(&input, "non-aliasing(x.b, y.a)", true);
    check(&input, "different(x, y)", true);
    check(&input, "different(x.a, y.b)", false);
    check(&input, "different(x.a, x.b)", true);
    check(&input, "different(x.b, y.a)", false);
    check(&input, "different(x.b.a, y.a)", true);
    check(&input, "non-null(x.a)", true);
    check(&input, "non-null(x.b)", false);
    check(&input, "non-null(x.b.a)", true);
    check(&input, "non-sharing(x, y)", false);
    check(&input, "non-sharing(x.b, y)", true);
    check(&input, "non-sharing(x, y.a)", true);
    check(&input, "acyclic(x)", true);
}

#[test]
fn cycles_are_judged() {
    let mut heap = Heap::new();
    let x = node(&mut heap, Value::Null, Value::Null);
    let y = node(&mut heap, Value::Null, x);
    set(&mut heap, x, 0, y);
    let mut input = Input { receiver: None, arguments: vec![x, y], heap };
    check(&input, "acyclic(x)", false);
    check(&input, "acyclic(x, a)", true);
    check(&input, "acyclic(x, b)", true);
    check(&input, "acyclic(x.b)", true);
    set(&mut input.heap, y, 0, y);
    check(&input, "acyclic(x, a)", false);
    check(&input, "acyclic(x, b)", true);
    let array = input.heap.add_array(petrel_classfile::JavaType::Object("N".into()), vec![x]);
    input.arguments[0] = array;
    check(&input, "acyclic(x)", false);
    check(&input, "non-sharing(x, y)", false);
    // Elements are followed along any field, other fields are not.
    set(&mut input.heap, y, 0, array);
    set(&mut input.heap, x, 0, Value::Null);
    check(&input, "acyclic(x, a)", true);
    set(&mut input.heap, x, 0, y);
    check(&input, "acyclic(x, a)", false);
    check(&input, "acyclic(y, a)", false);
    check(&input, "acyclic(x, b)", true);
    set(&mut input.heap, x, 1, array);
    check(&input, "acyclic(x, b)", false);
}

#[test]
fn what_is_not_there_is_refused() {
    let input = Input { receiver: None, arguments: vec![Value::Null], heap: Heap::new() };
    let names = ["x".to_owned()];
    let judge = |text: &str| holds(&text.parse().unwrap(), &input, &names, &mut |_, _| false);
    assert_eq!(judge("non-null(this)"), Err(NoPath("this".to_owned())));
    assert_eq!(judge("non-null(y)"), Err(NoPath("y".to_owned())));
    assert_eq!(judge("non-null(x.a)"), Ok(true));
}

#[test]
fn invariants_are_asked_of_objects() {
    let mut heap = Heap::new();
    let x = node(&mut heap, Value::Null, Value::Null);
    let input = Input { receiver: None, arguments: vec![x], heap };
    let judge = |text: &str, expected: Option<&str>, valid: bool| {
        let names = ["x".to_owned()];
        holds(&text.parse().unwrap(), &input, &names, &mut |object, name| {
            assert_eq!((object, name), (x, expected));
            valid
        })
    };
    assert_eq!(judge("valid(x)", None, true), Ok(true));
    assert_eq!(judge("valid(x, ok)", Some("ok"), false), Ok(false));
    assert_eq!(judge("valid(x.a)", None, false), Ok(true));
}

#[test]
fn constants_of_enums_are_not_shared() {
    let mut heap = Heap::new();
    let red = heap.add(Object::EnumConstant { class: "Colour".into(), name: "RED".into() });
    let x = node(&mut heap, red, Value::Null);
    let y = node(&mut heap, red, Value::Null);
    let mut input = Input { receiver: None, arguments: vec![x, y], heap };
    check(&input, "non-sharing(x, y)", true);
    check(&input, "non-aliasing(x.a, y.a)", false);
    set(&mut input.heap, x, 1, y);
    check(&input, "non-sharing(x, y)", false);
}

#[test]
fn what_a_built_object_is_given_is_reached_through_it() {
    let mut heap = Heap::new();
    let element = node(&mut heap, Value::Null, Value::Null);
    let call = |name: &str, arguments: &[Value]| Call {
        class: "List".into(),
        name: name.into(),
        descriptor: "".into(),
        arguments: arguments.to_vec(),
    };
    let (by, calls) = (call("<init>", &[]), vec![call("add", &[element])]);
    let list = heap.add(Object::Built { class: "List".into(), by, calls });
    let x = node(&mut heap, list, Value::Null);
    let mut input = Input { receiver: None, arguments: vec![x, element], heap };
    check(&input, "non-sharing(x, y)", false);
    check(&input, "acyclic(x)", true);
    set(&mut input.heap, element, 0, x);
    check(&input, "acyclic(x)", false);
    // The field alone does not lead through the list.
    check(&input, "acyclic(x, a)", true);
}

#[test]
fn picks_in_turn_are_all_sequences() {
    let mut picks = picks::Picks::in_turn();
    let mut seen = Vec::new();
    loop {
        // What there is to pick from depends on what was picked.
        let first = picks.pick(3);
        seen.push((first, picks.pick(first + 1)));
        if !picks.advance() {
            break;
        }
    }
    assert_eq!(seen, [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)]);
}
