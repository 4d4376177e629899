//! Inputs and outputs that are objects.

use super::*;

fn field(name: &str, value: Value) -> FieldValue {
    FieldValue { class: "Node".into(), name: name.into(), value }
}

pub(super) fn instance(heap: &mut Heap, class: &str, fields: &[(&str, Value)]) -> Value {
    let fields = fields.iter().map(|&(name, value)| field(name, value)).collect();
    heap.add(Object::Instance { class: class.into(), fields })
}

pub(super) fn node(heap: &mut Heap, value: i32, next: Value) -> Value {
    instance(heap, "Node", &[("value", Value::Int(value)), ("next", next)])
}

/// A list of nodes.
fn list(heap: &mut Heap, values: &[i32]) -> Value {
    values.iter().rev().fold(Value::Null, |next, &value| node(heap, value, next))
}

fn set(heap: &mut Heap, object: Value, name: &str, value: Value) {
    let Some(Object::Instance { fields, .. }) = heap.get_mut(object) else { return };
    for field in fields.iter_mut().filter(|field| &*field.name == name) {
        field.value = value;
    }
}

/// The case of a method with these parameters. `call` makes the arguments, and what they are after the
/// call and the result in a heap of their own.
pub(super) fn calling(
    arguments: &[&str],
    call: impl Fn(&mut Heap, &mut Heap) -> (Vec<Value>, Vec<Value>, Option<Value>),
) -> Case {
    let mut case = returning(arguments, vec![solution(&[], None)]);
    let first = &mut case.solutions[0];
    let (before, after, value) = call(&mut first.heap, &mut first.output.heap);
    first.arguments = before;
    first.output.arguments = after;
    first.output.value = value;
    case
}

#[test]
fn objects_have_lines_and_what_changed_is_told() {
    let mut case = calling(&["x", "key"], |before, after| {
        let cut = node(after, 1, Value::Null);
        let key = Value::Int(0);
        (vec![list(before, &[1, 0]), key], vec![cut, key], Some(Value::Boolean(true)))
    });
    case.condition = conditions(&["x != null", "x.next != null", "x.next.value == 0"]);
    check(
        &case,
        expect![[r#"
            case 1: returns true
              if      x != null, x.next != null, x.next.value == 0
              input   x = o1, key = 0
              where   o1: Node { value: 1, next: o2 }
                      o2: Node { value: 0, next: null }
              leaves  o1: Node { value: 1, next: null }
              trace   lcm(1,[],[])

        "#]],
    );
}

#[test]
fn nothing_is_left_if_nothing_changed() {
    check(
        &calling(&["x"], |before, after| {
            let x = list(after, &[1, 2, 3]);
            let Some(Object::Instance { fields, .. }) = after.get(x) else { panic!() };
            let next = fields[1].value;
            (vec![list(before, &[1, 2, 3])], vec![x], Some(next))
        }),
        expect![[r#"
            case 1: returns o2
              input   x = o1
              where   o1: Node { value: 1, next: o2 }
                      o2: Node { value: 2, next: o3 }
                      o3: Node { value: 3, next: null }
              trace   lcm(1,[],[])

        "#]],
    );
}

#[test]
fn objects_inside_of_a_structure_are_recognised() {
    // A node is taken out, one gets another value, and one is put in.
    let change = |values: &'static [i32]| {
        calling(&["x"], |before, after| {
            (vec![list(before, &[1, 2, 3])], vec![list(after, values)], None)
        })
    };
    check(
        &change(&[1, 3]),
        expect![[r#"
            case 1: returns
              input   x = o1
              where   o1: Node { value: 1, next: o2 }
                      o2: Node { value: 2, next: o3 }
                      o3: Node { value: 3, next: null }
              leaves  o1: Node { value: 1, next: o3 }
              trace   lcm(1,[],[])

        "#]],
    );
    check(
        &change(&[1, 7, 3]),
        expect![[r#"
            case 1: returns
              input   x = o1
              where   o1: Node { value: 1, next: o2 }
                      o2: Node { value: 2, next: o3 }
                      o3: Node { value: 3, next: null }
              leaves  o2: Node { value: 7, next: o3 }
              trace   lcm(1,[],[])

        "#]],
    );
    check(
        &change(&[1, 7, 2, 3]),
        expect![[r#"
            case 1: returns
              input   x = o1
              where   o1: Node { value: 1, next: o2 }
                      o2: Node { value: 2, next: o3 }
                      o3: Node { value: 3, next: null }
              leaves  o1: Node { value: 1, next: o4 }
                      o4: Node { value: 7, next: o2 }
              trace   lcm(1,[],[])

        "#]],
    );
}

#[test]
fn a_copy_that_is_returned_is_new() {
    check(
        &calling(&["x"], |before, after| {
            let x = list(after, &[1, 2]);
            (vec![list(before, &[1, 2])], vec![x], Some(list(after, &[1, 2])))
        }),
        expect![[r#"
            case 1: returns o3
              input   x = o1
              where   o1: Node { value: 1, next: o2 }
                      o2: Node { value: 2, next: null }
              gives   o3: Node { value: 1, next: o4 }
                      o4: Node { value: 2, next: null }
              trace   lcm(1,[],[])

        "#]],
    );
}

#[test]
fn receivers_and_static_fields_are_inputs() {
    let mut case = calling(&["other"], |before, after| {
        let ring = node(before, 5, Value::Null);
        set(before, ring, "next", ring);
        (vec![ring], vec![node(after, 5, Value::Null)], None)
    });
    let first = &mut case.solutions[0];
    let receiver = list(&mut first.heap, &[4]);
    first.receiver = Some(receiver);
    let pool = node(&mut first.heap, 6, first.arguments[0]);
    let field =
        |name: &str, value| FieldValue { class: "demo/Counter".into(), name: name.into(), value };
    first.statics = vec![field("count", Value::Int(3)), field("pool", pool)];
    first.output.receiver = Some(node(&mut first.output.heap, 4, first.output.arguments[0]));
    check(
        &case,
        expect![[r#"
            case 1: returns
              input   this = o1, other = o2, demo.Counter.count = 3, demo.Counter.pool = o3
              where   o1: Node { value: 4, next: null }
                      o2: Node { value: 5, next: o2 }
                      o3: Node { value: 6, next: o2 }
              leaves  o1: Node { value: 4, next: o2 }
                      o2: Node { value: 5, next: null }
              trace   lcm(1,[],[])

        "#]],
    );
}

fn ints(heap: &mut Heap, elements: &[i32]) -> Value {
    heap.add_array(JavaType::Int, elements.iter().copied().map(Value::Int).collect())
}

#[test]
fn an_array_has_a_name_only_if_it_is_needed() {
    let pass = |content: &'static [i32], result: Option<&'static [i32]>| {
        calling(&["a"], move |before, after| {
            let a = ints(before, &[2, 1]);
            let new = ints(after, content);
            (vec![a], vec![new], result.map(|elements| ints(after, elements)))
        })
    };
    check(
        &pass(&[2, 1], Some(&[3])),
        expect![[r#"
            case 1: returns {3}
              input   a = {2, 1}
              trace   lcm(1,[],[])

        "#]],
    );
    check(
        &pass(&[1, 2], None),
        expect![[r#"
            case 1: returns
              input   a = o1
              where   o1: int[] {2, 1}
              leaves  o1: int[] {1, 2}
              trace   lcm(1,[],[])

        "#]],
    );
    let mut returned = pass(&[2, 1], None);
    let output = &mut returned.solutions[0].output;
    output.value = Some(output.arguments[0]);
    check(
        &returned,
        expect![[r#"
            case 1: returns o1
              input   a = o1
              where   o1: int[] {2, 1}
              trace   lcm(1,[],[])

        "#]],
    );
}

#[test]
fn arrays_that_are_shared_have_names() {
    check(
        &calling(&["a", "b", "c"], |before, after| {
            let (a, c) = (ints(before, &[1]), ints(before, &[1]));
            let (new_a, new_c) = (ints(after, &[1]), ints(after, &[1]));
            (vec![a, a, c], vec![new_a, new_a, new_c], None)
        }),
        expect![[r#"
            case 1: returns
              input   a = o1, b = o1, c = {1}
              where   o1: int[] {1}
              trace   lcm(1,[],[])

        "#]],
    );
    let nodes = || JavaType::Object("Node".into());
    check(
        &calling(&["table"], |before, after| {
            let shared = node(before, 1, Value::Null);
            let row = before.add_array(nodes(), vec![shared, Value::Null, shared]);
            let table = before.add_array(JavaType::Array(Box::new(nodes())), vec![row, row]);
            let new = after.add_array(JavaType::Array(Box::new(nodes())), vec![Value::Null; 2]);
            (vec![table], vec![new], None)
        }),
        expect![[r#"
            case 1: returns
              input   table = o1
              where   o1: Node[][] {o2, o2}
                      o2: Node[] {o3, null, o3}
                      o3: Node { value: 1, next: null }
              leaves  o1: Node[][] {null, null}
              trace   lcm(1,[],[])

        "#]],
    );
}

#[test]
fn what_is_in_an_object_is_told_with_it() {
    check(
        &calling(&["stack"], |before, after| {
            let stack = |heap: &mut Heap, items: &[i32], top: i32| {
                let items = ints(heap, items);
                let name = heap.add_string("s \"1\"");
                let constant =
                    heap.add(Object::EnumConstant { class: "a/Level".into(), name: "LOW".into() });
                let boxed = heap.add(Object::Boxed(Value::Long(5)));
                let thread = heap.add(Object::Opaque { class: "java/lang/Thread".into() });
                let fields = [
                    ("items", items),
                    ("top", Value::Int(top)),
                    ("name", name),
                    ("level", constant),
                    ("again", constant),
                    ("boxed", boxed),
                    ("owner", thread),
                ];
                instance(heap, "Stack", &fields)
            };
            (vec![stack(before, &[7, 8], 2)], vec![stack(after, &[7, 0], 1)], Some(Value::Int(8)))
        }),
        expect![[r#"
            case 1: returns 8
              input   stack = o1
              where   o1: Stack { items: {7, 8}, top: 2, name: "s \"1\"", level: a.Level.LOW, again: a.Level.LOW, boxed: 5L, owner: o5 }
                      o5: java.lang.Thread (unknown)
              leaves  o1: Stack { items: {7, 0}, top: 1, name: "s \"1\"", level: a.Level.LOW, again: a.Level.LOW, boxed: 5L, owner: o5 }
              trace   lcm(1,[],[])

        "#]],
    );
}

#[test]
fn boxes_that_are_shared_have_names() {
    check(
        &calling(&["a", "b"], |before, after| {
            let (old, new) = (
                before.add(Object::Boxed(Value::Int(128))),
                after.add(Object::Boxed(Value::Int(128))),
            );
            (vec![old, old], vec![new, new], Some(Value::Boolean(true)))
        }),
        expect![[r#"
            case 1: returns true
              input   a = o1, b = o1
              where   o1: java.lang.Integer 128
              trace   lcm(1,[],[])

        "#]],
    );
}

#[test]
fn each_of_several_inputs_has_its_objects() {
    let mut case = calling(&["x"], |before, after| {
        (vec![list(before, &[1])], vec![list(after, &[2])], Some(Value::Int(1)))
    });
    case.solutions.push(solution(&[Value::Null], Some(Value::Int(0))));
    check(
        &case,
        expect![[r#"
            case 1: returns 1
              input   x = o1: returns 1
              where   o1: Node { value: 1, next: null }
              leaves  o1: Node { value: 2, next: null }
              input   x = null: returns 0
              trace   lcm(1,[],[])

        "#]],
    );
}

#[test]
fn many_objects_are_counted() {
    let case = calling(&["x"], |before, after| {
        (vec![list(before, &[1; 100])], vec![list(after, &[1; 100])], None)
    });
    let text = written(|out| TextReport::new(asked()).case(&case, out));
    assert!(text.contains("o40: Node { value: 1, next: o41 }\n          and 60 more\n"), "{text}");
    assert!(!text.contains("leaves"), "{text}");
}

#[test]
fn many_elements_are_counted_and_compared() {
    let zeros = |last: i32| [vec![0; 99], vec![last]].concat();
    check(
        &calling(&["a"], |before, after| {
            (vec![ints(before, &zeros(1))], vec![ints(after, &zeros(2))], Some(Value::Int(1)))
        }),
        expect![[r#"
            case 1: returns 1
              input   a = o1
              where   o1: int[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, and 68 more}
              leaves  o1: int[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, and 68 more}
              trace   lcm(1,[],[])

        "#]],
    );
}

#[test]
fn arrays_in_arrays_are_written_to_some_depth() {
    let objects = || JavaType::Object("java/lang/Object".into());
    let nested = |heap: &mut Heap| {
        let ones = ints(heap, &[1]);
        (0..20_000).fold(ones, |inner, _| heap.add_array(objects(), vec![inner]))
    };
    let case = calling(&["x"], |before, after| (vec![nested(before)], vec![nested(after)], None));
    let text = written(|out| TextReport::new(asked()).case(&case, out));
    assert!(text.contains("where   o1: java.lang.Object[] {{{{{{{{{o10}}}}}}}}}\n"), "{text}");
    assert!(!text.contains("leaves"), "{text}");
}

#[test]
fn the_opening_says_how_the_heap_is_handled_and_what_is_assumed() {
    let assumptions = texts(&["acyclic(x)", "non-sharing(x, y)"]);
    let heap = "lazy-no-alias".to_owned();
    let report = TextReport::new(Asked { heap, assumptions, ..asked() });
    let expected = "demo.Lcm#lcm(II)I, loop-2, all paths, heap lazy-no-alias, acyclic(x), \
                    non-sharing(x, y)\n\n";
    assert_eq!(written(|out| report.opening(out)), expected);
    assert_eq!(
        written(|out| TextReport::new(asked()).opening(out)),
        "demo.Lcm#lcm(II)I, loop-2, all paths\n\n"
    );
}
