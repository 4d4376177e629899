use petrel_classfile::JavaType;

use super::*;
use crate::case::Output;

fn field(name: &str, value: Value) -> FieldValue {
    FieldValue { class: "demo/Node".into(), name: name.into(), value }
}

/// A node with this next one.
fn node(heap: &mut Heap, next: Value) -> Value {
    heap.add(Object::Instance { class: "demo/Node".into(), fields: vec![field("next", next)] })
}

fn solution(arguments: Vec<Value>, heap: Heap, output: Output) -> Solution {
    Solution { receiver: None, arguments, statics: Vec::new(), answers: Vec::new(), heap, output }
}

/// Names of all objects by their places.
fn names(names: &Names, heap: &Heap) -> Vec<String> {
    all(heap).map(|id| names.get(id)).collect()
}

#[test]
fn receiver_arguments_and_statics_come_before_what_they_lead_to() {
    let mut heap = Heap::new();
    let last = node(&mut heap, Value::Null);
    let first = node(&mut heap, last);
    let other = node(&mut heap, last);
    let receiver = node(&mut heap, first);
    let text = heap.add_string("text");
    let unreached = node(&mut heap, first);
    let mut solution = solution(vec![text, first], heap, Output::default());
    solution.receiver = Some(receiver);
    solution.statics = vec![field("instance", other)];
    let before = Names::before(&solution);
    assert_eq!(names(&before, &solution.heap), ["o4", "o2", "o3", "o1", "", "o5"]);
    let order: Vec<Value> = before.objects().into_iter().map(Value::Reference).collect();
    assert_eq!(order, [receiver, first, other, last, unreached]);
}

#[test]
fn arguments_keep_their_names_and_others_get_new_ones() {
    let mut heap = Heap::new();
    let next = node(&mut heap, Value::Null);
    let x = node(&mut heap, next);
    let array = heap.add_array(JavaType::Int, Vec::new());
    let mut output = Output::default();
    let new_array = output.heap.add_array(JavaType::Int, Vec::new());
    let result = output.heap.add_array(JavaType::Int, Vec::new());
    let new_next = node(&mut output.heap, Value::Null);
    let new_x = node(&mut output.heap, new_next);
    output.arguments = vec![new_x, Value::Int(1), new_array, new_x];
    output.value = Some(result);
    let solution = solution(vec![x, Value::Int(1), array, x], heap, output);
    let before = Names::before(&solution);
    assert_eq!(names(&before, &solution.heap), ["o3", "o1", "o2"]);
    let after = before.after(&solution);
    assert_eq!(names(&after, &solution.output.heap), ["o2", "o4", "o5", "o1"]);
}

#[test]
fn the_nearest_objects_are_reached_first_and_cycles_end() {
    let mut heap = Heap::new();
    let shared = node(&mut heap, Value::Null);
    let left = node(&mut heap, shared);
    let right = node(&mut heap, shared);
    let both = heap.add_array(JavaType::Object("demo/Node".into()), vec![left, right]);
    if let Some(Object::Instance { fields, .. }) = heap.get_mut(shared) {
        fields[0].value = both;
    }
    let order: Vec<Value> =
        heap.reached([Value::Int(1), both]).into_iter().map(Value::Reference).collect();
    assert_eq!(order, [both, left, right, shared]);
    assert_eq!(heap.reached([Value::Null, Value::Reference(ObjectId(99))]), []);
}
