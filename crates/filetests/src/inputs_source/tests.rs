//! Expected statements, as a programmer would write them but for the names.

use petrel_classfile::JavaType;
use petrel_value::{Call, Heap, Object, Value};

use super::{Source, source_of};
use crate::{derive, world};

/// The source with the class library alone.
fn written(heap: &Heap, values: &[Value]) -> Result<Source, String> {
    let session = derive::open(&world::jdk(), &std::env::temp_dir());
    source_of(session.program(), heap, values)
}

fn call(class: &str, name: &str, descriptor: &str, arguments: &[Value]) -> Call {
    Call {
        class: class.into(),
        name: name.into(),
        descriptor: descriptor.into(),
        arguments: arguments.to_vec(),
    }
}

fn built(class: &str, by: Call, calls: Vec<Call>) -> Object {
    Object::Built { class: class.into(), by, calls }
}

fn list(elements: &[Value]) -> Object {
    let class = "java/util/ArrayList";
    let add = |&element: &Value| call(class, "add", "(Ljava/lang/Object;)Z", &[element]);
    built(class, call(class, "<init>", "()V", &[]), elements.iter().map(add).collect())
}

fn check(heap: &Heap, values: &[Value], expected: &[&str]) {
    let source = written(heap, values).expect("it can be written");
    assert_eq!(source.statements, expected);
}

#[test]
fn a_list_is_made_and_filled_by_calls() {
    let mut heap = Heap::new();
    let text = heap.add_string("a\"\n");
    let number = heap.add(Object::Boxed(Value::Int(-3)));
    let list = heap.add(list(&[text, Value::Null, number]));
    check(
        &heap,
        &[list],
        &[
            r#"String object0 = new String("a\"\n");"#,
            "java.lang.Integer object1 = java.lang.Integer.valueOf((-3));",
            "java.util.ArrayList object2 = new java.util.ArrayList();",
            "((java.util.ArrayList) object2).add((java.lang.Object) object0);",
            "((java.util.ArrayList) object2).add((java.lang.Object) null);",
            "((java.util.ArrayList) object2).add((java.lang.Object) object1);",
        ],
    );
}

#[test]
fn an_object_of_a_factory_has_the_type_that_the_factory_gives() {
    let mut heap = Heap::new();
    let text = heap.add_string("");
    let descriptor = "(Ljava/lang/Object;)Ljava/util/List;";
    let of = call("java/util/List", "of", descriptor, &[text]);
    let list = heap.add(built("java/util/ImmutableCollections$List12", of, Vec::new()));
    check(
        &heap,
        &[list],
        &[
            r#"String object0 = new String("");"#,
            "java.util.List object1 = java.util.List.of((java.lang.Object) object0);",
        ],
    );
}

#[test]
fn an_iterator_comes_from_its_list() {
    let mut heap = Heap::new();
    let list = heap.add(list(&[Value::Null]));
    let class = "java/util/ArrayList";
    let iterator = call(class, "iterator", "()Ljava/util/Iterator;", &[list]);
    let iterator = heap.add(built("java/util/Iterator", iterator, Vec::new()));
    check(
        &heap,
        &[iterator],
        &[
            "java.util.ArrayList object0 = new java.util.ArrayList();",
            "((java.util.ArrayList) object0).add((java.lang.Object) null);",
            "java.util.Iterator object1 = ((java.util.ArrayList) object0).iterator();",
        ],
    );
}

#[test]
fn a_stub_is_an_anonymous_class_with_answers() {
    let mut heap = Heap::new();
    let class = "petrel/stub/java/util/function/IntPredicate$PetrelStub";
    let answer = call(class, "answer$", "(Ljava/lang/Object;)V", &[Value::Boolean(true)]);
    let stub = heap.add(built(class, call(class, "<init>", "()V", &[]), vec![answer]));
    check(
        &heap,
        &[stub],
        &[
            "java.util.function.IntPredicate object0 = new java.util.function.IntPredicate() { \
             final java.util.ArrayList answers$ = new java.util.ArrayList(); int next$; \
             public boolean test(int a0) { return (Boolean) answers$.get(next$++); } };",
            "Same.answers(object0).add((java.lang.Object) true);",
        ],
    );
}

#[test]
fn arrays_are_filled_when_their_elements_are_made() {
    let mut heap = Heap::new();
    let numbers = heap.add_array(JavaType::Long, vec![Value::Long(1)]);
    let component = JavaType::Array(Box::new(JavaType::Long));
    let rows = heap.add_array(component, vec![numbers, Value::Null]);
    check(
        &heap,
        &[rows],
        &[
            "long[] object0 = new long[1];",
            "long[][] object1 = new long[2][];",
            "object0[0] = (long) (1L);",
            "object1[0] = (long[]) object0;",
            "object1[1] = (long[]) null;",
        ],
    );
}

#[test]
fn a_list_may_be_in_itself_by_way_of_an_array() {
    let mut heap = Heap::new();
    let array = heap.add_array(JavaType::Object("java/lang/Object".into()), vec![Value::Null]);
    let list = heap.add(list(&[array]));
    if let Some(Object::Array { elements, .. }) = heap.get_mut(array) {
        elements[0] = list;
    }
    check(
        &heap,
        &[array],
        &[
            "java.lang.Object[] object0 = new java.lang.Object[1];",
            "java.util.ArrayList object1 = new java.util.ArrayList();",
            "object0[0] = (java.lang.Object) object1;",
            "((java.util.ArrayList) object1).add((java.lang.Object) object0);",
        ],
    );
}

#[test]
fn what_no_value_refers_to_is_not_written() {
    let mut heap = Heap::new();
    heap.add(Object::Opaque { class: "java/lang/Thread".into() });
    let source = written(&heap, &[Value::Int(7), Value::Null]).expect("nothing is needed");
    assert!(source.statements.is_empty());
    assert_eq!(source.values, ["(7)", "null"]);
}

#[test]
fn objects_by_their_fields_are_refused() {
    let mut heap = Heap::new();
    let object = heap.add(Object::Instance { class: "p/A".into(), fields: Vec::new() });
    assert!(written(&heap, &[object]).is_err());
}
