use petrel_classfile::JavaType;
use petrel_value::{Call, FieldValue};

use super::*;
use crate::case::Output;

fn instance(class: &str, fields: &[(&str, Value)]) -> Object {
    let fields = fields.iter().map(|&(name, value)| FieldValue {
        class: class.into(),
        name: name.into(),
        value,
    });
    Object::Instance { class: class.into(), fields: fields.collect() }
}

/// A deque with sentinels at both ends, and what is in between; the deque comes first, then the nodes in
/// their order.
fn deque(values: &[i32]) -> Heap {
    let node = |at: usize| Value::Reference(ObjectId(1 + at as u32));
    let all: Vec<i32> = [0].iter().chain(values).chain(&[0]).copied().collect();
    let last = all.len() - 1;
    let mut heap = Heap::new();
    heap.add(instance("Deque", &[("header", node(0)), ("trailer", node(last))]));
    for (at, value) in all.iter().enumerate() {
        let previous = if at == 0 { Value::Null } else { node(at - 1) };
        let next = if at == last { Value::Null } else { node(at + 1) };
        let fields = [("value", Value::Int(*value)), ("prev", previous), ("next", next)];
        heap.add(instance("Node", &fields));
    }
    heap
}

const FIRST: Value = Value::Reference(ObjectId(0));

fn called(before: Heap, after: Heap) -> Solution {
    Solution {
        receiver: Some(FIRST),
        arguments: Vec::new(),
        statics: Vec::new(),
        answers: Vec::new(),
        heap: before,
        output: Output { receiver: Some(FIRST), heap: after, ..Output::default() },
    }
}

/// The objects of the second heap by their places: which one of the first heap each is.
fn recognised(before: Heap, after: Heap) -> Vec<Option<u32>> {
    let mut found = vec![None; after.objects.len()];
    for (old, new) in pairs(&called(before, after)) {
        found[new.0 as usize] = Some(old.0);
    }
    found
}

#[test]
fn nodes_around_a_new_one_are_recognised() {
    let one_two = || deque(&[1, 2]);
    let same = [0, 1, 2, 3, 4].map(Some);
    assert_eq!(recognised(one_two(), one_two()), same);
    let [this, header, one, two, trailer] = same;
    assert_eq!(recognised(one_two(), deque(&[1, 2, 3])), [this, header, one, two, None, trailer]);
    assert_eq!(recognised(one_two(), deque(&[3, 1, 2])), [this, header, None, one, two, trailer]);
    assert_eq!(recognised(one_two(), deque(&[2])), [this, header, two, trailer]);
    assert_eq!(recognised(one_two(), deque(&[2, 1])), [this, header, two, one, trailer]);
}

#[test]
fn an_object_with_another_content_is_recognised_by_its_place() {
    let expected = [0, 1, 2, 3].map(Some);
    assert_eq!(recognised(deque(&[1]), deque(&[9])), expected);
}

#[test]
fn another_class_or_length_is_another_object() {
    let holder = |object: Object| {
        let mut heap = Heap::new();
        let content = Value::Reference(ObjectId(1));
        heap.add(instance("Holder", &[("content", content)]));
        heap.add(object);
        heap
    };
    let array =
        |length| Object::Array { component: JavaType::Int, elements: vec![Value::Int(0); length] };
    let check = |old: Object, new: Object, is_same: bool| {
        let found = recognised(holder(old), holder(new));
        assert_eq!(found, [Some(0), is_same.then_some(1)]);
    };
    check(array(2), array(2), true);
    check(array(2), array(3), false);
    check(instance("A", &[]), instance("A", &[]), true);
    check(instance("A", &[]), instance("B", &[]), false);
    check(instance("A", &[]), array(0), false);
}

/// An object with these in its fields.
fn holding(objects: Vec<(&str, Object)>) -> Heap {
    let names = objects.iter().map(|(name, _)| *name).zip(1..);
    let fields: Vec<(&str, Value)> =
        names.map(|(name, at)| (name, Value::Reference(ObjectId(at)))).collect();
    let holder = instance("Holder", &fields);
    let objects = objects.into_iter().map(|(_, object)| object);
    Heap { objects: [holder].into_iter().chain(objects).collect() }
}

#[test]
fn a_built_object_is_recognised_by_its_class_and_place_alone() {
    let built = |class: &str| {
        let (declaring, name, descriptor) = (class.into(), "<init>".into(), "()V".into());
        let by = Call { class: declaring, name, descriptor, arguments: Vec::new() };
        Object::Built { class: class.into(), by, calls: Vec::new() }
    };
    let list = || instance("List", &[("size", Value::Int(2))]);
    let before = || holding(vec![("a", built("List")), ("b", built("List"))]);
    let after = holding(vec![("a", list()), ("b", list())]);
    assert_eq!(recognised(before(), after), [Some(0), Some(1), Some(2)]);
    let after = holding(vec![("a", instance("Set", &[])), ("b", list())]);
    assert_eq!(recognised(before(), after), [Some(0), None, Some(2)]);
    // Elsewhere it may be any list.
    let after = holding(vec![("c", list())]);
    assert_eq!(recognised(before(), after), [Some(0), None]);
}

#[test]
fn what_only_the_result_leads_to_is_new() {
    let mut solution = called(deque(&[1]), deque(&[]));
    let taken_out = instance("Node", &[("value", Value::Int(1))]);
    solution.output.value = Some(solution.output.heap.add(taken_out));
    let new: Vec<u32> = pairs(&solution).into_iter().map(|(_, new)| new.0).collect();
    assert_eq!(new, [0, 1, 2]);
}

#[test]
fn a_reference_to_nothing_is_no_object() {
    let mut heap = Heap::new();
    heap.add(instance("Holder", &[("content", Value::Reference(ObjectId(7)))]));
    assert_eq!(recognised(heap.clone(), heap), [Some(0)]);
    assert_eq!(pairs(&called(Heap::new(), Heap::new())), []);
}
