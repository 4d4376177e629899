//! Inputs and outputs that are objects.

use petrel_classfile::{JavaString, JavaType};
use petrel_testcase::{Part, SymbolicObject};
use petrel_value::{Call, FieldValue, Object};

use super::*;

#[test]
fn strings_are_values_and_other_objects_are_in_the_heap() {
    let mut heap = Heap::new();
    let text = heap.add_string("a \"b\" \u{1f600}");
    let lone = heap.add(Object::String(JavaString([0x61, 0xd800].into())));
    let boxed = heap.add(Object::Boxed(Value::Long(5)));
    let constant = heap.add(Object::EnumConstant { class: "a/Level".into(), name: "LOW".into() });
    let opaque = heap.add(Object::Opaque { class: "java/lang/Thread".into() });
    let component = JavaType::Object("java/lang/Object".into());
    let array = heap.add_array(component, vec![text, lone, boxed, constant, opaque]);
    let field = |class: &str, name: &str, value| FieldValue {
        class: class.into(),
        name: name.into(),
        value,
    };
    let node = heap.add(Object::Instance { class: "a/Node".into(), fields: Vec::new() });
    if let Some(Object::Instance { fields, .. }) = heap.get_mut(node) {
        *fields = vec![
            field("a/Base", "id", Value::Int(1)),
            field("a/Node", "id", Value::Int(2)),
            field("a/Node", "next", node),
            field("a/Node", "items", array),
        ];
    }
    let case = read_case(with_solutions(vec![solution(node, heap)]));
    assert_eq!(case["input"]["args"], json!([{ "ref": "o1" }]));
    let expected = json!({
        "o1": {
            "class": "a.Node",
            "fields": {
                "a.Base.id": 1,
                "a.Node.id": 2,
                "next": { "ref": "o1" },
                "items": { "ref": "o2" },
            },
        },
        "o2": {
            "class": "java.lang.Object[]",
            "length": 5,
            "elements": [
                "a \"b\" \u{1f600}",
                { "utf16": [0x61, 0xd800] },
                { "ref": "o3" },
                { "ref": "o4" },
                { "ref": "o5" },
            ],
        },
        "o3": { "class": "java.lang.Long", "value": "5" },
        "o4": { "class": "a.Level", "constant": "LOW" },
        "o5": { "class": "java.lang.Thread" },
    });
    assert_eq!(case["input"]["heap"], expected);
    let order: Vec<&String> = case["input"]["heap"].as_object().unwrap().keys().collect();
    assert_eq!(order, ["o1", "o2", "o3", "o4", "o5"]);
}

#[test]
fn objects_that_calls_build_have_these_before_the_call_and_fields_after_it() {
    let call = |class: &str, name: &str, descriptor: &str, arguments: &[Value]| Call {
        class: class.into(),
        name: name.into(),
        descriptor: descriptor.into(),
        arguments: arguments.to_vec(),
    };
    let mut heap = Heap::new();
    let text = heap.add_string("a");
    let class = "java/util/Optional";
    let by = call(class, "of", "(Ljava/lang/Object;)Ljava/util/Optional;", &[text]);
    let optional = heap.add(Object::Built { class: class.into(), by, calls: Vec::new() });
    let class = "java/util/ArrayList";
    let add = |class: &str, value| call(class, "add", "(Ljava/lang/Object;)Z", &[value]);
    let calls = vec![add(class, optional), add("java/util/Collection", Value::Null)];
    let by = call(class, "<init>", "(I)V", &[Value::Int(3)]);
    let list = heap.add(Object::Built { class: class.into(), by, calls });
    let mut case = with_solutions(vec![solution(list, heap)]);
    let output = &mut case.solutions[0].output;
    let size = FieldValue { class: class.into(), name: "size".into(), value: Value::Int(3) };
    let after = Object::Instance { class: class.into(), fields: vec![size] };
    output.heap = Heap::new();
    output.arguments = vec![output.heap.add(after)];
    output.value = None;
    let case = read_case(case);
    let list = &case["input"]["args"][0];
    let input = &case["input"]["heap"];
    let built = &input[list["ref"].as_str().unwrap()];
    assert_eq!(built["class"], json!("java.util.ArrayList"));
    let optional = &built["built"][1]["args"][0];
    let expected = json!([
        { "call": "<init>(I)V", "args": [3] },
        { "call": "add(Ljava/lang/Object;)Z", "args": [optional] },
        { "class": "java.util.Collection", "call": "add(Ljava/lang/Object;)Z", "args": [null] },
    ]);
    assert_eq!(built["built"], expected);
    let by = json!({ "call": "of(Ljava/lang/Object;)Ljava/util/Optional;", "args": ["a"] });
    let expected = json!({ "class": "java.util.Optional", "built": [by] });
    assert_eq!(input[optional["ref"].as_str().unwrap()], expected);
    assert_eq!(input.as_object().unwrap().len(), 2);
    let after = &case["output"]["heap"][list["ref"].as_str().unwrap()];
    assert_eq!(*after, json!({ "class": "java.util.ArrayList", "fields": { "size": 3 } }));
}

/// A list node.
fn node(heap: &mut Heap, value: i32, next: Value) -> Value {
    let field = |name: &str, value| FieldValue { class: "Node".into(), name: name.into(), value };
    let fields = vec![field("value", Value::Int(value)), field("next", next)];
    heap.add(Object::Instance { class: "Node".into(), fields })
}

fn node_json(value: i32, next: Json) -> Json {
    json!({ "class": "Node", "fields": { "value": value, "next": next } })
}

/// `boolean Node.cut(int key, Node other)`: `this.next` becomes a new node, and `other` is untouched.
fn cutting() -> Case {
    let mut heap = Heap::new();
    let last = node(&mut heap, 2, Value::Null);
    let receiver = node(&mut heap, 1, last);
    let other = node(&mut heap, 7, last);
    let mut after = Heap::new();
    let new_other = node(&mut after, 7, Value::Null);
    let new = node(&mut after, 3, Value::Null);
    let new_receiver = node(&mut after, 1, new);
    let key = Value::Int(5);
    let output = Output {
        value: Some(Value::Boolean(true)),
        receiver: Some(new_receiver),
        arguments: vec![key, new_other],
        heap: after,
        ..Output::default()
    };
    with_solutions(vec![Solution {
        receiver: Some(receiver),
        arguments: vec![key, other],
        statics: Vec::new(),
        answers: Vec::new(),
        heap,
        output,
    }])
}

#[test]
fn receiver_and_arguments_are_told_before_and_after_the_call() {
    let case = read_case(cutting());
    let input = json!({
        "this": { "ref": "o1" },
        "args": [5, { "ref": "o2" }],
        "heap": {
            "o1": node_json(1, json!({ "ref": "o3" })),
            "o2": node_json(7, json!({ "ref": "o3" })),
            "o3": node_json(2, Json::Null),
        },
    });
    assert_eq!(case["input"], input);
    // Which of the others are the same objects is not known: their names are new.
    let output = json!({
        "value": true,
        "this": { "ref": "o1" },
        "args": [5, { "ref": "o2" }],
        "heap": {
            "o1": node_json(1, json!({ "ref": "o4" })),
            "o2": node_json(7, Json::Null),
            "o4": node_json(3, Json::Null),
        },
    });
    assert_eq!(case["output"], output);
}

#[test]
fn a_call_that_throws_leaves_objects_too() {
    let mut throwing = cutting();
    throwing.outcome = Outcome::Throw("java.lang.IllegalStateException".to_owned());
    throwing.solutions[0].output.value = None;
    let case = read_case(throwing);
    let members: Vec<&String> = case["output"].as_object().unwrap().keys().collect();
    assert_eq!(members, ["value", "this", "args", "heap", "message"]);
    assert_eq!(case["output"]["heap"]["o1"], node_json(1, json!({ "ref": "o4" })));
}

#[test]
fn an_argument_that_is_returned_has_one_name() {
    let mut case = cutting();
    let output = &mut case.solutions[0].output;
    output.value = Some(output.arguments[1]);
    let case = read_case(case);
    assert_eq!(case["output"]["value"], json!({ "ref": "o2" }));
    assert_eq!(case["output"]["args"][1], json!({ "ref": "o2" }));
}

#[test]
fn arguments_that_cannot_change_are_told_once() {
    let mut heap = Heap::new();
    let text = heap.add_string("text");
    let mut case = with_solutions(vec![solution(Value::Null, heap)]);
    let first = &mut case.solutions[0];
    first.arguments = vec![text, Value::Null, Value::Int(1)];
    first.output.arguments = first.arguments.clone();
    let case = read_case(case);
    assert_eq!(case["input"]["args"], json!(["text", null, 1]));
    assert_eq!(case["output"], json!({ "value": null, "heap": {} }));
}

#[test]
fn static_fields_are_inputs_with_the_names_of_their_classes() {
    let mut case = cutting();
    let first = &mut case.solutions[0];
    let field =
        |name: &str, value| FieldValue { class: "demo/Counter".into(), name: name.into(), value };
    first.statics = vec![field("count", Value::Long(3)), field("head", first.arguments[1])];
    let statics = json!({ "demo.Counter.count": "3", "demo.Counter.head": { "ref": "o2" } });
    assert_eq!(read_case(case)["input"]["statics"], statics);
}

/// An object over source names; an array has indices for names.
fn symbolic(name: &str, class: &str, parts: &[(&str, &str)]) -> SymbolicObject {
    let is_array = class.ends_with(']');
    let part = |(name, value): &(&str, &str)| {
        let place = if is_array { Part::Element(term(name)) } else { Part::Field((*name).into()) };
        (place, term(value))
    };
    let parts = parts.iter().map(part).collect();
    SymbolicObject {
        name: term(name),
        class: class.into(),
        parts,
        is_array,
        length: None,
        lengths_inside: Vec::new(),
    }
}

#[test]
fn of_members_with_the_same_name_the_last_is_told() {
    let mut case = with_solutions(vec![solution(Value::Int(1), Heap::new())]);
    let parts = [("id", "x"), ("next", "null"), ("id", "y")];
    case.symbolic.heap_out = vec![symbolic("o1", "Node", &parts)];
    let expected = json!({ "id": "y", "next": "null" });
    assert_eq!(read_case(case.clone())["symbolic"]["heap_out"]["o1"]["fields"], expected);
    let names: Vec<String> = (0..40).map(|number| format!("f{}", number % 30)).collect();
    let values: Vec<String> = (0..40).map(|number| format!("v{number}")).collect();
    let parts: Vec<(&str, &str)> =
        names.iter().zip(&values).map(|(name, value)| (&**name, &**value)).collect();
    case.symbolic.heap_out = vec![symbolic("o1", "Node", &parts)];
    let fields = read_case(case)["symbolic"]["heap_out"]["o1"]["fields"].take();
    let fields = fields.as_object().unwrap();
    assert_eq!(fields.len(), 30);
    assert_eq!(fields.iter().next().unwrap(), (&"f0".to_owned(), &json!("v30")));
}

#[test]
fn symbolic_objects_have_terms() {
    let mut case = with_solutions(vec![solution(Value::Int(1), Heap::new())]);
    case.symbolic.result = Some(term("o1"));
    case.symbolic.heap_out = vec![
        symbolic("o1", "Vector", &[("size", "x + 1")]),
        symbolic("o2", "int[]", &[("0", "x"), ("1", "0")]),
    ];
    let expected = json!({
        "o1": { "class": "Vector", "fields": { "size": "x + 1" } },
        "o2": { "class": "int[]", "length": 2, "elements": ["x", "0"] },
    });
    assert_eq!(read_case(case)["symbolic"]["heap_out"], expected);
}

#[test]
fn symbolic_objects_of_the_input_have_what_the_path_looks_at() {
    let mut case = with_solutions(vec![solution(Value::Int(1), Heap::new())]);
    case.symbolic.heap_in = vec![
        symbolic("x.next", "Node", &[("value", "x.next.value")]),
        SymbolicObject {
            length: Some(term("a.length")),
            ..symbolic("a", "int[]", &[("0", "a[0]"), ("i", "a[i]")])
        },
        symbolic("b", "int[]", &[("0", "b[0]")]),
    ];
    let expected = json!({
        "x.next": { "class": "Node", "fields": { "value": "x.next.value" } },
        "a": { "class": "int[]", "length": "a.length", "elements": { "0": "a[0]", "i": "a[i]" } },
        "b": { "class": "int[]", "elements": { "0": "b[0]" } },
    });
    case.symbolic.heap_out = case.symbolic.heap_in.clone();
    let case = read_case(case);
    assert_eq!(case["symbolic"]["heap_in"], expected);
    assert_eq!(case["symbolic"]["heap_out"], expected);
}
