use petrel_classfile::JavaType;
use petrel_value::{Call, FieldValue, Object};

use super::*;

/// A heap with a node for each of these, and the index of the node that follows it.
fn nodes(following: &[Option<usize>]) -> (Heap, Vec<Value>) {
    let mut heap = Heap::new();
    let ids: Vec<Value> = following
        .iter()
        .map(|_| heap.add(Object::Instance { class: "Node".into(), fields: Vec::new() }))
        .collect();
    for (&id, next) in ids.iter().zip(following) {
        let value = next.map_or(Value::Null, |next| ids[next]);
        let next = FieldValue { class: "Node".into(), name: "next".into(), value };
        *heap.get_mut(id).unwrap() = Object::Instance { class: "Node".into(), fields: vec![next] };
    }
    (heap, ids)
}

fn difference(ours: &[Option<usize>], theirs: &[Option<usize>]) -> Option<String> {
    let (ours, theirs) = (nodes(ours), nodes(theirs));
    Isomorphism::new(&ours.0, &theirs.0).difference(ours.1[0], theirs.1[0], "result")
}

#[test]
fn shapes_are_compared_with_their_aliasing_in_both_directions() {
    let (cycle, chain) = ([Some(1), Some(0)], [Some(1), Some(2), None]);
    assert_eq!(difference(&cycle, &cycle), None);
    assert_eq!(difference(&chain, &[Some(2), None, Some(1)]), None);
    let own = [Some(0)];
    let found = difference(&own, &cycle).unwrap();
    assert_eq!(found, "at result.next: an object that is two on the JVM");
    let found = difference(&cycle, &own).unwrap();
    assert_eq!(found, "at result.next: two objects that are one on the JVM");
    assert!(difference(&chain, &cycle).unwrap().starts_with("at result.next.next: "));
}

#[test]
fn an_object_is_the_same_from_wherever_it_is_reached() {
    let (ours, our_ids) = nodes(&[None, None]);
    let (theirs, their_ids) = nodes(&[None, None]);
    let mut isomorphism = Isomorphism::new(&ours, &theirs);
    assert_eq!(isomorphism.difference(our_ids[0], their_ids[0], "receiver"), None);
    assert_eq!(isomorphism.difference(our_ids[1], their_ids[1], "argument"), None);
    assert_eq!(isomorphism.difference(our_ids[0], their_ids[0], "result"), None);
    assert!(isomorphism.difference(our_ids[0], their_ids[1], "result").is_some());
}

#[test]
fn the_identity_of_equal_strings_and_boxes_is_free_and_that_of_arrays_is_not() {
    let pair = |heap: &mut Heap, one: Value, other: Value| {
        heap.add_array(JavaType::Object("java/lang/Object".into()), vec![one, other])
    };
    let check = |object: Object, is_free: bool| {
        let (mut once, mut twice) = (Heap::new(), Heap::new());
        let one = once.add(object.clone());
        let ours = pair(&mut once, one, one);
        let (one, other) = (twice.add(object.clone()), twice.add(object));
        let theirs = pair(&mut twice, one, other);
        let there = Isomorphism::new(&once, &twice).difference(ours, theirs, "result");
        let back = Isomorphism::new(&twice, &once).difference(theirs, ours, "result");
        assert_eq!((there.is_none(), back.is_none()), (is_free, is_free), "{there:?} {back:?}");
    };
    check(Object::String("a".into()), true);
    check(Object::Boxed(Value::Int(1)), true);
    check(Object::Array { component: JavaType::Int, elements: Vec::new() }, false);
    check(Object::Opaque { class: "java/lang/Class".into() }, false);
}

fn returned(value: i32, after: replay::After) -> replay::Outcome {
    replay::Outcome::Returned { value: Some(Value::Int(value)), after }
}

fn derived(value: i32) -> Derived {
    Derived::of_ending(Ending::Returned(Some(Value::Int(value))), Instability::None)
}

fn is_different(derived: &Derived, outcome: &replay::Outcome) -> bool {
    matches!(judge(derived, outcome), Verdict::Different(_))
}

#[test]
fn receiver_and_arguments_are_compared_after_the_call() {
    let (heap, ids) = nodes(&[Some(1), None]);
    let after = |receiver: usize, argument: usize| {
        let heap = heap.clone();
        let (receiver, arguments) = (Some(ids[receiver]), vec![ids[argument]]);
        returned(1, replay::After { heap, receiver, arguments, ..replay::After::default() })
    };
    let (receiver, arguments) = (Some(ids[0]), vec![ids[1]]);
    let derived = Derived { receiver, arguments, heap: heap.clone(), ..derived(1) };
    assert_eq!(judge(&derived, &after(0, 1)), Verdict::Same);
    assert!(is_different(&derived, &after(1, 1)));
    assert!(is_different(&derived, &after(0, 0)));
}

#[test]
fn what_is_not_fixed_is_not_compared_and_the_rest_is() {
    let unstable = |instability| Derived { instability, ..derived(1) };
    let other = returned(2, replay::After::default());
    let thrown = replay::Outcome::Threw {
        class: "java/lang/RuntimeException".to_owned(),
        message: None,
        after: replay::After::default(),
    };
    assert!(is_different(&unstable(Instability::None), &other));
    assert_eq!(judge(&unstable(Instability::Values), &other), Verdict::Unstable);
    assert!(is_different(&unstable(Instability::Values), &thrown));
    assert_eq!(judge(&unstable(Instability::All), &thrown), Verdict::Unstable);
}

/// An empty list.
fn built() -> Object {
    let (class, name, descriptor) = ("java/util/ArrayList".into(), "<init>".into(), "()V".into());
    let by = Call { class, name, descriptor, arguments: Vec::new() };
    Object::Built { class: "java/util/ArrayList".into(), by, calls: Vec::new() }
}

#[test]
fn no_call_leaves_a_built_object() {
    let heap = |object: Object| Heap { objects: vec![object] };
    let first = Value::Reference(petrel_value::ObjectId(0));
    let class = || "java/util/ArrayList".into();
    let others = [
        built(),
        Object::Instance { class: class(), fields: Vec::new() },
        Object::Opaque { class: class() },
    ];
    for other in others {
        let (ours, theirs) = (heap(built()), heap(other));
        assert!(Isomorphism::new(&ours, &theirs).difference(first, first, "result").is_some());
        assert!(Isomorphism::new(&theirs, &ours).difference(first, first, "result").is_some());
    }
}

#[test]
fn inputs_that_calls_build_are_told_by_these() {
    let mut call = replay::Call::new("a/B", "m", "(Ljava/util/List;)V");
    let list = call.heap.add(built());
    let text = call.heap.add_string("x");
    if let Some(Object::Built { calls, .. }) = call.heap.get_mut(list) {
        let add = |value| Call {
            class: "java/util/ArrayList".into(),
            name: "add".into(),
            descriptor: "(Ljava/lang/Object;)Z".into(),
            arguments: vec![value],
        };
        *calls = vec![add(text), add(list)];
    }
    call.arguments.push(list);
    let expected =
        "a.B.m(Ljava/util/List;)V: (o1) where o1: new java.util.ArrayList() add(\"x\") add(o1)";
    assert_eq!(described_call(&call), expected);
}
