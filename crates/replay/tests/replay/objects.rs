//! Graphs of objects: built for a call, and described after it.

use petrel_classfile::JavaType;
use petrel_replay::{Call, Outcome};
use petrel_value::{FieldValue, Heap, Object, Value};

use crate::support::{call, returned, run, with_each_jdk, with_options};

const NODE: &str = "Shapes$Node";

fn int_array(heap: &mut Heap, elements: &[i32]) -> Value {
    heap.add_array(JavaType::Int, elements.iter().map(|&element| Value::Int(element)).collect())
}

fn field(class: &str, name: &str, value: Value) -> FieldValue {
    FieldValue { class: class.into(), name: name.into(), value }
}

fn node(heap: &mut Heap, value: i32, next: Value) -> Value {
    let fields = vec![field(NODE, "value", Value::Int(value)), field(NODE, "next", next)];
    heap.add(Object::Instance { class: NODE.into(), fields })
}

/// What a field of an instance holds.
#[track_caller]
fn get(heap: &Heap, object: Value, class: &str, name: &str) -> Value {
    let Some(Object::Instance { fields, .. }) = heap.get(object) else {
        panic!("{object:?} in {heap:?}")
    };
    let field = fields.iter().find(|field| &*field.class == class && &*field.name == name);
    field.unwrap_or_else(|| panic!("{class}.{name} in {fields:?}")).value
}

fn elements(heap: &Heap, array: Value) -> &[Value] {
    match heap.get(array) {
        Some(Object::Array { elements, .. }) => elements,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_changed_argument_is_seen_and_is_the_result() {
    let mut increment = Call::new("Shapes", "increment", "([I)[I");
    let array = int_array(&mut increment.heap, &[1, 2]);
    increment.arguments.push(array);
    with_each_jdk(|replay| {
        let (value, after) = returned(run(replay, &increment));
        assert_eq!(after.arguments, [value]);
        assert_eq!(after.heap.literal(value).unwrap(), "{2, 2}");
        assert_eq!(after.heap.objects.len(), 1);
    });
}

#[test]
fn identity_is_kept_both_ways() {
    let mut same = Call::new("Shapes", "areSame", "(Ljava/lang/Object;Ljava/lang/Object;)Z");
    let (one, other) = (int_array(&mut same.heap, &[1]), int_array(&mut same.heap, &[1]));
    let mut different = same.clone();
    same.arguments = vec![one, one];
    different.arguments = vec![one, other];
    let mut grid = Call::new("Shapes", "grid", "([[I)[[I");
    let rows = vec![int_array(&mut grid.heap, &[1]), int_array(&mut grid.heap, &[2])];
    let rows = grid.heap.add_array(JavaType::parse("[I").unwrap(), rows);
    grid.arguments.push(rows);
    with_each_jdk(|replay| {
        assert_eq!(returned(run(replay, &same)).0, Value::Boolean(true));
        assert_eq!(returned(run(replay, &different)).0, Value::Boolean(false));
        let (value, after) = returned(run(replay, &grid));
        let [first, second] = elements(&after.heap, value) else { panic!() };
        assert_eq!(first, second);
        let mut twice = same.clone();
        twice.method = "twice".to_owned();
        twice.descriptor = "(Ljava/lang/Object;)[Ljava/lang/Object;".to_owned();
        twice.arguments.pop();
        let (value, after) = returned(run(replay, &twice));
        let [first, second, inner] = *elements(&after.heap, value) else { panic!() };
        assert_eq!([first, second], [after.arguments[0]; 2]);
        assert_eq!(elements(&after.heap, inner), [first]);
    });
}

#[test]
fn cycles_are_built_and_described() {
    let mut sum = Call::new(NODE, "sum", "()I");
    let last = node(&mut sum.heap, 3, Value::Null);
    let first = node(&mut sum.heap, 4, last);
    let Some(Object::Instance { fields, .. }) = sum.heap.get_mut(last) else { panic!() };
    fields[1].value = first;
    sum.receiver = Some(first);
    with_each_jdk(|replay| {
        let (value, after) = returned(run(replay, &sum));
        assert_eq!(value, Value::Int(7));
        let receiver = after.receiver.unwrap();
        let next = get(&after.heap, receiver, NODE, "next");
        assert_eq!(get(&after.heap, next, NODE, "value"), Value::Int(3));
        assert_eq!(get(&after.heap, next, NODE, "next"), receiver);

        let cycle = call("Shapes", "cycle", &format!("(I)L{NODE};"), &[Value::Int(3)]);
        let (value, after) = returned(run(replay, &cycle));
        let next = |node| get(&after.heap, node, NODE, "next");
        assert_eq!(next(next(next(value))), value);
        assert_eq!(after.heap.objects.len(), 3);
    });
}

#[test]
fn what_a_method_does_to_its_receiver_is_seen() {
    let mut prepend = Call::new(NODE, "prepend", format!("(L{NODE};)V"));
    let receiver = node(&mut prepend.heap, 1, Value::Null);
    let other = node(&mut prepend.heap, 2, Value::Null);
    prepend.receiver = Some(receiver);
    prepend.arguments.push(other);
    with_each_jdk(|replay| {
        let Outcome::Returned { value: None, after } = run(replay, &prepend) else { panic!() };
        assert_eq!(get(&after.heap, after.receiver.unwrap(), NODE, "next"), after.arguments[0]);
    });
}

#[test]
fn constructors_make_objects() {
    with_each_jdk(|replay| {
        let (value, after) = returned(run(replay, &Call::new("Shapes$Named", "<init>", "()V")));
        let text = get(&after.heap, value, "Shapes$Named", "next");
        assert_eq!(after.heap.literal(text).unwrap(), "\"mine\"");
        assert_eq!(get(&after.heap, value, NODE, "next"), Value::Null);
        assert_eq!(get(&after.heap, value, NODE, "value"), Value::Int(7));
        let abstract_class = Call::new("Shapes$Shape", "<init>", "()V");
        assert!(matches!(run(replay, &abstract_class), Outcome::NotCallable(_)));
    });
}

#[test]
fn enum_constants_are_the_ones_of_the_program() {
    let descriptor = "(LShapes$Colour;)LShapes$Colour;";
    let constant =
        |name: &str| Object::EnumConstant { class: "Shapes$Colour".into(), name: name.into() };
    with_each_jdk(|replay| {
        for (name, other) in [("RED", "GREEN"), ("GREEN", "RED")] {
            let mut call = Call::new("Shapes", "other", descriptor);
            let argument = call.heap.add(constant(name));
            call.arguments.push(argument);
            let (value, after) = returned(run(replay, &call));
            assert_eq!(after.heap.get(value), Some(&constant(other)));
        }
        let mut call = Call::new("Shapes", "other", descriptor);
        let argument = call.heap.add(constant("BLUE"));
        call.arguments.push(argument);
        let reason = "Shapes$Colour has no constant BLUE".to_owned();
        assert_eq!(run(replay, &call), Outcome::NotCallable(reason));
    });
}

#[test]
fn records_are_built_without_their_constructor() {
    let point = "Shapes$Point";
    let mut show = Call::new("Shapes", "show", format!("(L{point};)Ljava/lang/String;"));
    let name = show.heap.add_string("n");
    let fields = vec![
        field(point, "x", Value::Int(1000)),
        field(point, "y", Value::Long(-1)),
        field(point, "name", name),
    ];
    let argument = show.heap.add(Object::Instance { class: point.into(), fields });
    show.arguments.push(argument);
    with_each_jdk(|replay| {
        let (value, after) = returned(run(replay, &show));
        assert_eq!(after.heap.literal(value).unwrap(), "\"Point[x=1000, y=-1, name=n]\"");
        let y = get(&after.heap, after.arguments[0], point, "y");
        assert_eq!(y, Value::Long(-1));
        let mut wrong = show.clone();
        let Some(Object::Instance { fields, .. }) = wrong.heap.get_mut(argument) else { panic!() };
        fields[0].value = name;
        assert!(matches!(run(replay, &wrong), Outcome::NotCallable(_)));
    });
}

#[test]
fn objects_of_the_class_library_are_graphs_too() {
    let mut list = Call::new("Shapes", "list", "(Ljava/lang/Object;)Ljava/util/List;");
    let text = list.heap.add_string("in a list");
    list.arguments.push(text);
    with_each_jdk(|replay| {
        let (value, after) = returned(run(replay, &list));
        assert_eq!(get(&after.heap, value, "java/util/ArrayList", "size"), Value::Int(1));
        let data = get(&after.heap, value, "java/util/ArrayList", "elementData");
        assert_eq!(elements(&after.heap, data)[0], after.arguments[0]);

        // What was described can be built again.
        let mut size = Call::new("Shapes", "size", "(Ljava/util/ArrayList;)I");
        size.heap = after.heap;
        size.arguments.push(value);
        assert_eq!(returned(run(replay, &size)).0, Value::Int(1));

        let (value, after) =
            returned(run(replay, &Call::new("Shapes", "map", "()Ljava/util/Map;")));
        assert_eq!(get(&after.heap, value, "java/util/HashMap", "size"), Value::Int(1));
        assert!(!after.is_cut);
    });
}

#[test]
fn what_only_the_jvm_understands_is_opaque() {
    with_each_jdk(|replay| {
        let opaque = Call::new("Shapes", "opaque", "()Ljava/lang/Object;");
        let (value, after) = returned(run(replay, &opaque));
        let classes: Vec<&str> = elements(&after.heap, value)
            .iter()
            .map(|element| match after.heap.get(*element) {
                Some(Object::Opaque { class }) => &**class,
                other => panic!("{other:?}"),
            })
            .collect();
        assert!(classes[0].starts_with("Shapes$$Lambda"), "{classes:?}");
        assert_eq!(classes[1..], ["java/lang/Class", "java/lang/Thread"]);
        assert!(!after.is_cut);

        let mut echo = Call::new("Values", "same", "(Ljava/lang/Object;)Ljava/lang/Object;");
        let argument = echo.heap.add(Object::Opaque { class: "java/lang/Thread".into() });
        echo.arguments.push(argument);
        assert!(matches!(run(replay, &echo), Outcome::NotCallable(_)));
    });
}

#[test]
fn large_graphs_are_cut() {
    with_options(
        |options| options.max_objects = 10,
        |replay| {
            let cycle = call("Shapes", "cycle", &format!("(I)L{NODE};"), &[Value::Int(100)]);
            let (_, after) = returned(run(replay, &cycle));
            assert!(after.is_cut);
            assert_eq!(after.heap.objects.len(), 11);
            let opaque = Object::Opaque { class: NODE.into() };
            assert_eq!(after.heap.objects[10], opaque);
        },
    );
    with_options(
        |options| options.max_values = 10,
        |replay| {
            let mut increment = Call::new("Shapes", "increment", "([I)[I");
            let array = int_array(&mut increment.heap, &[0; 11]);
            increment.arguments.push(array);
            let (value, after) = returned(run(replay, &increment));
            assert!(after.is_cut);
            assert_eq!(after.heap.get(value), Some(&Object::Opaque { class: "[I".into() }));
        },
    );
}

#[test]
fn deep_structures_need_no_stack() {
    with_each_jdk(|replay| {
        let cycle = call("Shapes", "cycle", &format!("(I)L{NODE};"), &[Value::Int(9_999)]);
        let (value, after) = returned(run(replay, &cycle));
        assert_eq!(after.heap.objects.len(), 9_999);
        let mut sum = Call::new(NODE, "sum", "()I");
        sum.heap = after.heap;
        sum.receiver = Some(value);
        assert_eq!(returned(run(replay, &sum)).0, Value::Int(9_998 * 9_999 / 2));
    });
}

#[test]
fn what_cannot_be_built_is_not_called() {
    let build = |object: Object| {
        let mut echo = Call::new("Values", "same", "(Ljava/lang/Object;)Ljava/lang/Object;");
        let argument = echo.heap.add(object);
        echo.arguments.push(argument);
        echo
    };
    let instance = |class: &str, fields| Object::Instance { class: class.into(), fields };
    let object = JavaType::parse("Ljava/lang/String;").unwrap();
    let calls = [
        build(instance("Missing", vec![])),
        build(instance("Shapes$Shape", vec![])),
        build(instance(NODE, vec![field(NODE, "missing", Value::Null)])),
        build(instance(NODE, vec![field("Values", "value", Value::Null)])),
        build(instance(NODE, vec![field(NODE, "value", Value::Null)])),
        build(Object::Boxed(Value::Null)),
        build(Object::Array { component: JavaType::Int, elements: vec![Value::Null] }),
        build(Object::Array { component: object, elements: vec![Value::Int(1)] }),
        call(
            "Values",
            "same",
            "(Ljava/lang/Object;)Ljava/lang/Object;",
            &[Value::Reference(petrel_value::ObjectId(5))],
        ),
        call("Values", "same", "(I)I", &[Value::Long(1)]),
        call("Values", "same", "(I)I", &[]),
        Call::new(NODE, "sum", "()I"),
    ];
    with_each_jdk(|replay| {
        for (call, outcome) in calls.iter().zip(replay.call_all(&calls).unwrap()) {
            assert!(matches!(outcome, Outcome::NotCallable(_)), "{call:?}: {outcome:?}");
        }
        assert_eq!(replay.starts(), 1);
    });
}

#[test]
fn static_fields_have_other_values_for_one_call() {
    let swap = |heap: Heap| Call { heap, ..Call::new("State", "swapLast", "([I)[I") };
    let mut heap = Heap::new();
    let array = int_array(&mut heap, &[1]);
    let mut set = swap(heap);
    set.arguments.push(array);
    set.statics.push(field("State", "last", array));
    let mut next = Call::new("State", "next", "()I");
    next.statics.push(field("State", "counter", Value::Int(41)));
    with_each_jdk(|replay| {
        let (value, after) = returned(run(replay, &set));
        assert_eq!(after.arguments, [value]);
        let (value, after) =
            returned(run(replay, &call("State", "swapLast", "([I)[I", &[Value::Null])));
        assert_eq!(after.heap.literal(value).unwrap(), "{7}");
        assert_eq!(returned(run(replay, &next)).0, Value::Int(42));
        assert_eq!(returned(run(replay, &call("State", "next", "()I", &[]))).0, Value::Int(1));
    });
}

#[test]
fn static_fields_that_are_not_there_or_fixed_or_of_another_type_are_told() {
    let with = |name: &str, value: Value| {
        let mut next = Call::new("State", "next", "()I");
        next.statics.push(field("State", name, value));
        next
    };
    with_each_jdk(|replay| {
        for (name, value, reason) in [
            ("missing", Value::Int(1), "State has no static field missing"),
            ("FIXED", Value::Null, "static field FIXED: "),
            ("counter", Value::Null, "static field counter: "),
        ] {
            match run(replay, &with(name, value)) {
                Outcome::NotCallable(found) => assert!(found.starts_with(reason), "{found}"),
                other => panic!("{other:?}"),
            }
        }
    });
}

#[test]
fn the_class_of_the_method_is_initialised_before_objects_are_made() {
    let mut distance = Call::new("Earlier", "distance", "(LLater;)I");
    let later = Object::Instance { class: "Later".into(), fields: Vec::new() };
    let later = distance.heap.add(later);
    distance.arguments.push(later);
    with_each_jdk(|replay| assert_eq!(returned(run(replay, &distance)).0, Value::Int(1)));
}
