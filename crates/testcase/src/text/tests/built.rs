//! Inputs that are built by calls.

use petrel_value::Call;

use super::objects::{calling, instance, node};
use super::*;

const LIST: &str = "java/util/ArrayList";

fn built(class: &str, name: &str, arguments: &[Value], calls: Vec<Call>) -> Object {
    Object::Built { class: class.into(), by: call(class, name, arguments), calls }
}

fn call(class: &str, name: &str, arguments: &[Value]) -> Call {
    let (class, name, descriptor) = (class.into(), name.into(), "".into());
    Call { class, name, descriptor, arguments: arguments.to_vec() }
}

fn list(heap: &mut Heap, elements: &[Value]) -> Value {
    let calls = elements.iter().map(|&element| call(LIST, "add", &[element])).collect();
    heap.add(built(LIST, "<init>", &[], calls))
}

fn boxed(heap: &mut Heap, value: i32) -> Value {
    heap.add(Object::Boxed(Value::Int(value)))
}

/// What is left of a list.
fn list_after(heap: &mut Heap, elements: Vec<Value>) -> Value {
    let size = Value::Int(elements.len() as i32);
    let data = heap.add_array(JavaType::Object("java/lang/Object".into()), elements);
    instance(heap, LIST, &[("elementData", data), ("size", size)])
}

#[test]
fn the_calls_are_told_and_what_is_left() {
    check(
        &calling(&["list"], |before, after| {
            let text = before.add_string("a");
            let input = list(before, &[text, Value::Null]);
            (vec![input], vec![list_after(after, vec![Value::Null])], Some(Value::Int(1)))
        }),
        expect![[r#"
            case 1: returns 1
              input   list = o1
              where   o1: new java.util.ArrayList() add("a") add(null)
              leaves  o1: java.util.ArrayList { elementData: {null}, size: 1 }
              trace   lcm(1,[],[])

        "#]],
    );
}

#[test]
fn what_is_in_no_other_object_is_told_where_it_is() {
    check(
        &calling(&["map"], |before, _| {
            let (key, number) = (before.add_string("k"), boxed(before, 1));
            let inner = list(before, &[number]);
            let optional = before.add(built("java/util/Optional", "ofNullable", &[key], vec![]));
            let put = |key, value| call("java/util/HashMap", "put", &[key, value]);
            let puts = vec![put(Value::Null, inner), put(key, optional)];
            let map = before.add(built("java/util/HashMap", "<init>", &[Value::Int(16)], puts));
            (vec![map], vec![Value::Null], None)
        }),
        expect![[r#"
            case 1: returns
              input   map = new java.util.HashMap(16) put(null, new java.util.ArrayList() add(1)) put("k", java.util.Optional.ofNullable("k"))
              trace   lcm(1,[],[])

        "#]],
    );
}

#[test]
fn elements_with_names_are_recognised_in_what_is_left() {
    check(
        &calling(&["list", "other"], |before, after| {
            let (one, two) = (node(before, 1, Value::Null), node(before, 2, Value::Null));
            let lists = vec![list(before, &[one, two]), list(before, &[two])];
            // The first node is taken out of the list.
            let two = node(after, 2, Value::Null);
            (lists, vec![list_after(after, vec![two]), list_after(after, vec![two])], None)
        }),
        expect![[r#"
            case 1: returns
              input   list = o1, other = o2
              where   o1: new java.util.ArrayList() add(o3) add(o4)
                      o2: new java.util.ArrayList() add(o4)
                      o3: Node { value: 1, next: null }
                      o4: Node { value: 2, next: null }
              leaves  o1: java.util.ArrayList { elementData: {o4}, size: 1 }
                      o2: java.util.ArrayList { elementData: {o4}, size: 1 }
              trace   lcm(1,[],[])

        "#]],
    );
}

#[test]
fn a_built_object_in_a_field_is_recognised_by_its_place() {
    check(
        &calling(&["x"], |before, after| {
            let first = list(before, &[]);
            let shared = list(before, &[Value::Null]);
            let x = [("first", first), ("second", shared), ("third", shared)];
            let second = list_after(after, vec![]);
            let y = [("first", Value::Null), ("second", second), ("third", second)];
            (vec![instance(before, "X", &x)], vec![instance(after, "X", &y)], None)
        }),
        expect![[r#"
            case 1: returns
              input   x = o1
              where   o1: X { first: new java.util.ArrayList(), second: o3, third: o3 }
                      o3: new java.util.ArrayList() add(null)
              leaves  o1: X { first: null, second: o3, third: o3 }
                      o3: java.util.ArrayList { elementData: {}, size: 0 }
              trace   lcm(1,[],[])

        "#]],
    );
}

#[test]
fn a_list_in_itself_has_a_name_and_many_calls_are_counted() {
    check(
        &calling(&["own", "many"], |before, _| {
            let own = list(before, &[]);
            if let Some(Object::Built { calls, .. }) = before.get_mut(own) {
                calls.push(call(LIST, "add", &[own]));
            }
            let many = list(before, &[Value::Null; 35]);
            (vec![own, many], vec![Value::Null, Value::Null], None)
        }),
        expect![[r#"
            case 1: returns
              input   own = o1, many = new java.util.ArrayList() add(null) add(null) add(null) add(null) add(null) add(null) add(null) add(null) add(null) add(null) add(null) add(null) add(null) add(null) add(null) add(null) add(null) add(null) add(null) add(null) add(null) add(null) add(null) add(null) add(null) add(null) add(null) add(null) add(null) add(null) add(null) add(null) and 3 more
              where   o1: new java.util.ArrayList() add(o1)
              trace   lcm(1,[],[])

        "#]],
    );
}
