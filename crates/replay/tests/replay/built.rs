//! Objects that constructors, factories and further calls build for a call.

use petrel_classfile::JavaType;
use petrel_replay::{Call, Isolation, Outcome, Replay};
use petrel_value::{Call as BuildingCall, FieldValue, Heap, Object, ObjectId, Value};

use crate::support::{returned, run, with_each_jdk};

const LIST: &str = "java/util/ArrayList";
const ADD: &str = "add(Ljava/lang/Object;)Z";
const PUT: &str = "put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
const KEY: &str = "Built$Key";
const PERSON: &str = "Built$Person";

/// A call of `name(parameters)result`.
fn building(class: &str, method: &str, arguments: &[Value]) -> BuildingCall {
    let (name, _) = method.split_once('(').expect("a descriptor follows");
    let descriptor = method[name.len()..].into();
    BuildingCall {
        class: class.into(),
        name: name.into(),
        descriptor,
        arguments: arguments.to_vec(),
    }
}

/// An object that a call makes, and further calls on it.
fn built(class: &str, by: BuildingCall, calls: Vec<BuildingCall>) -> Object {
    Object::Built { class: class.into(), by, calls }
}

/// A collection of a class that is made empty.
fn collection(class: &str, elements: &[Value]) -> Object {
    let calls = elements.iter().map(|&element| building(class, ADD, &[element])).collect();
    built(class, building(class, "<init>()V", &[]), calls)
}

/// A map of a class that is made from these.
fn map(class: &str, constructor: &str, from: &[Value], entries: &[(Value, Value)]) -> Object {
    let calls = entries.iter().map(|&(key, value)| building(class, PUT, &[key, value])).collect();
    built(class, building(class, constructor, from), calls)
}

fn instance(class: &str, fields: &[(&str, Value)]) -> Object {
    let field = |&(name, value): &(&str, Value)| FieldValue {
        class: class.into(),
        name: name.into(),
        value,
    };
    Object::Instance { class: class.into(), fields: fields.iter().map(field).collect() }
}

fn reference(index: u32) -> Value {
    Value::Reference(ObjectId(index))
}

/// A call of a method of the test class with objects of the heap.
fn taking(method: &str, heap: Heap, arguments: &[Value]) -> Call {
    let (name, _) = method.split_once('(').expect("a descriptor follows");
    let arguments = arguments.to_vec();
    Call { arguments, heap, ..Call::new("Built", name, &method[name.len()..]) }
}

/// What `toString` and `getClass` say of an object.
#[track_caller]
fn shown(replay: &mut Replay, make: impl Fn(&mut Heap) -> Object) -> String {
    let mut heap = Heap::new();
    let object = make(&mut heap);
    let object = heap.add(object);
    let show = taking("show(Ljava/lang/Object;)Ljava/lang/String;", heap, &[object]);
    let (value, after) = returned(run(replay, &show));
    after.heap.literal(value).expect("it is a string")
}

fn boxed(heap: &mut Heap, value: i32) -> Value {
    heap.add(Object::Boxed(Value::Int(value)))
}

#[test]
fn collections_have_their_elements_in_their_order() {
    let elements =
        |heap: &mut Heap| [heap.add_string("b"), Value::Null, boxed(heap, -1), heap.add_string("")];
    with_each_jdk(|replay| {
        for class in [LIST, "java/util/LinkedList", "java/util/LinkedHashSet"] {
            let text = shown(replay, |heap| collection(class, &elements(heap)));
            assert_eq!(text, format!("\"[b, null, -1, ] is a {}\"", class.replace('/', ".")));
        }
        let text = shown(replay, |_| collection("java/util/ArrayDeque", &[]));
        assert_eq!(text, "\"[] is a java.util.ArrayDeque\"");
        let text = shown(replay, |heap| {
            let inner = collection(LIST, &elements(heap));
            let inner = heap.add(inner);
            collection(LIST, &[inner, Value::Null, inner])
        });
        let inner = "[b, null, -1, ]";
        assert_eq!(text, format!("\"[{inner}, null, {inner}] is a java.util.ArrayList\""));
    });
}

#[test]
fn maps_have_their_entries_and_what_they_are_made_from() {
    with_each_jdk(|replay| {
        let text = shown(replay, |heap| {
            let entries = [(Value::Null, heap.add_string("v")), (boxed(heap, 1), Value::Null)];
            map("java/util/HashMap", "<init>()V", &[], &entries)
        });
        assert_eq!(text, "\"{null=v, 1=null} is a java.util.HashMap\"");
        for (longest_first, expected) in [(true, "{ccc=1, a=2}"), (false, "{a=2, ccc=1}")] {
            let text = shown(replay, |heap| {
                let field = ("longestFirst", Value::Boolean(longest_first));
                let order = heap.add(instance("Built$ByLength", &[field]));
                let (long, short) = (heap.add_string("ccc"), heap.add_string("a"));
                let entries = [(long, boxed(heap, 1)), (short, boxed(heap, 2))];
                map("java/util/TreeMap", "<init>(Ljava/util/Comparator;)V", &[order], &entries)
            });
            assert_eq!(text, format!("\"{expected} is a java.util.TreeMap\""));
        }
    });
}

#[test]
fn factories_make_objects() {
    let optional = |argument| {
        let class = "java/util/Optional";
        let method = "ofNullable(Ljava/lang/Object;)Ljava/util/Optional;";
        built(class, building(class, method, &[argument]), Vec::new())
    };
    let number = |value| {
        let class = "java/math/BigInteger";
        let by = building(class, "valueOf(J)Ljava/math/BigInteger;", &[Value::Long(value)]);
        built(class, by, Vec::new())
    };
    with_each_jdk(|replay| {
        let text = shown(replay, |heap| optional(heap.add_string("x")));
        assert_eq!(text, "\"Optional[x] is a java.util.Optional\"");
        let text = shown(replay, |_| optional(Value::Null));
        assert_eq!(text, "\"Optional.empty is a java.util.Optional\"");
        let text = shown(replay, |_| number(i64::MIN));
        assert_eq!(text, "\"-9223372036854775808 is a java.math.BigInteger\"");
        let text = shown(replay, |heap| {
            let number = heap.add(number(7));
            optional(heap.add(optional(number)))
        });
        assert_eq!(text, "\"Optional[Optional[7]] is a java.util.Optional\"");
    });
}

#[test]
fn classes_that_are_not_public_are_built_too() {
    let hidden = "java/util/Collections$UnmodifiableRandomAccessList";
    with_each_jdk(|replay| {
        let text = shown(replay, |heap| {
            let element = heap.add_string("a");
            let list = heap.add(collection(LIST, &[element]));
            let by = "unmodifiableList(Ljava/util/List;)Ljava/util/List;";
            built(hidden, building("java/util/Collections", by, &[list]), Vec::new())
        });
        assert_eq!(text, format!("\"[a] is a {}\"", hidden.replace('/', ".")));
        // The method is called by the class that declares it, by an interface, and by a class that inherits it.
        for owner in ["java/util/Arrays$ArrayList", "java/util/List", "java/util/AbstractList"] {
            let text = shown(replay, |heap| {
                let element = heap.add_string("a");
                let object = JavaType::parse("Ljava/lang/Object;").unwrap();
                let array = heap.add_array(object, vec![element, element]);
                let by = "asList([Ljava/lang/Object;)Ljava/util/List;";
                let set = "set(ILjava/lang/Object;)Ljava/lang/Object;";
                let calls = vec![building(owner, set, &[Value::Int(1), Value::Null])];
                built(
                    "java/util/Arrays$ArrayList",
                    building("java/util/Arrays", by, &[array]),
                    calls,
                )
            });
            assert_eq!(text, "\"[a, null] is a java.util.Arrays$ArrayList\"");
        }
    });
}

/// A set of a key with tags, with everything in this order of places.
fn keys(set: u32, key: u32, name: u32, tags: u32) -> Heap {
    let mut objects = vec![Object::Boxed(Value::Int(0)); 4];
    let mut put = |at: u32, object: Object| objects[at as usize] = object;
    put(set, collection("java/util/HashSet", &[reference(key)]));
    put(key, instance(KEY, &[("name", reference(name)), ("tags", reference(tags))]));
    put(name, Object::String("n".into()));
    put(tags, collection(LIST, &[reference(name), Value::Null]));
    Heap { objects }
}

#[test]
fn elements_are_complete_before_they_are_asked_for_their_hash_code() {
    with_each_jdk(|replay| {
        for [set, key, name, tags] in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]] {
            let heap = keys(set, key, name, tags);
            let method = "contains(Ljava/util/Set;LBuilt$Key;)Z";
            let contains = taking(method, heap, &[reference(set), reference(key)]);
            assert_eq!(returned(run(replay, &contains)).0, Value::Boolean(true));
        }
    });
}

#[test]
fn cycles_through_built_objects_are_closed() {
    let person = |at: u32, friends: u32| {
        let (name, friends_of) = (reference(2), reference(friends));
        let person = instance(PERSON, &[("name", name), ("friends", friends_of)]);
        let friends = collection("java/util/HashSet", &[reference(at)]);
        let objects = if at == 0 { vec![person, friends] } else { vec![friends, person] };
        let name = Object::String("p".into());
        let heap = Heap { objects: objects.into_iter().chain([name]).collect() };
        Call { receiver: Some(reference(at)), heap, ..Call::new(PERSON, "likesItself", "()Z") }
    };
    with_each_jdk(|replay| {
        for call in [person(0, 1), person(1, 0)] {
            assert_eq!(returned(run(replay, &call)).0, Value::Boolean(true));
        }
        let heap = Heap { objects: vec![collection(LIST, &[reference(0)])] };
        let own = taking("isOwnElement(Ljava/util/List;)Z", heap, &[reference(0)]);
        assert_eq!(returned(run(replay, &own)).0, Value::Boolean(true));
        // A copy of a list of an array that has the copy.
        let object = JavaType::parse("Ljava/lang/Object;").unwrap();
        let copy = building(LIST, "<init>(Ljava/util/Collection;)V", &[reference(1)]);
        let heap = Heap {
            objects: vec![
                built(LIST, copy, Vec::new()),
                collection(LIST, &[reference(2)]),
                Object::Array { component: object, elements: vec![reference(0)] },
            ],
        };
        let first = taking("first(Ljava/util/List;)Ljava/lang/Object;", heap, &[reference(0)]);
        let (value, after) = returned(run(replay, &first));
        let Some(Object::Array { elements, .. }) = after.heap.get(value) else { panic!() };
        assert_eq!(*elements, after.arguments);
    });
}

#[test]
fn identity_is_kept_and_answers_have_fields() {
    let mut heap = Heap::new();
    let shared = heap.add(collection(LIST, &[]));
    let entries = [(heap.add_string("first"), shared), (heap.add_string("second"), shared)];
    let map = heap.add(map("java/util/HashMap", "<init>()V", &[], &entries));
    let are_shared = taking("areShared(Ljava/util/Map;Ljava/lang/Object;)Z", heap, &[map, shared]);
    let mut heap = Heap::new();
    let list = heap.add(collection(LIST, &[Value::Null]));
    let text = heap.add_string("new");
    let add = "add(Ljava/util/Collection;Ljava/lang/Object;)Ljava/lang/Object;";
    let add = taking(add, heap, &[list, text]);
    with_each_jdk(|replay| {
        assert_eq!(returned(run(replay, &are_shared)).0, Value::Boolean(true));
        let (value, after) = returned(run(replay, &add));
        assert_eq!(value, after.arguments[0]);
        let Some(Object::Instance { class, fields }) = after.heap.get(value) else { panic!() };
        assert_eq!(&**class, LIST);
        let size = fields.iter().find(|field| &*field.name == "size").unwrap();
        assert_eq!(size.value, Value::Int(2));
    });
}

#[test]
fn what_is_built_belongs_to_the_world_of_the_call() {
    let ticket = || built("Built$Ticket", building("Built$Ticket", "<init>()V", &[]), Vec::new());
    let number = |isolation| {
        let heap = Heap { objects: vec![ticket()] };
        Call { isolation, ..taking("number(LBuilt$Ticket;)I", heap, &[reference(0)]) }
    };
    with_each_jdk(|replay| {
        let mut numbers = |isolation| {
            let mut next = || returned(run(replay, &number(isolation))).0;
            [next(), next()]
        };
        assert_eq!(numbers(Isolation::Shared), [Value::Int(1), Value::Int(2)]);
        assert_eq!(numbers(Isolation::Fresh), [Value::Int(1); 2]);
    });
}

#[test]
fn static_fields_hold_built_objects() {
    let mut heap = Heap::new();
    let value = heap.add(collection(LIST, &[Value::Null, Value::Null]));
    let (class, name) = ("Built".into(), "kept".into());
    let mut size = taking("keptSize()I", heap, &[]);
    size.statics.push(FieldValue { class, name, value });
    with_each_jdk(|replay| assert_eq!(returned(run(replay, &size)).0, Value::Int(2)));
}

#[test]
fn deep_nestings_need_no_stack() {
    const DEPTH: u32 = 20_000;
    let lists = (1..=DEPTH).map(|inner| match inner {
        DEPTH => collection(LIST, &[]),
        _ => collection(LIST, &[reference(inner)]),
    });
    let heap = Heap { objects: lists.collect() };
    let depth = taking("depth(Ljava/lang/Object;)I", heap, &[reference(0)]);
    with_each_jdk(|replay| {
        let depth = returned(run(replay, &depth)).0;
        assert_eq!(depth, Value::Int(DEPTH.cast_signed() - 1));
    });
}

#[test]
fn what_building_calls_throw_is_told_and_nothing_is_called() {
    let new = |class: &str| building(class, "<init>()V", &[]);
    let list = |calls| built(LIST, new(LIST), calls);
    let set =
        building(LIST, "set(ILjava/lang/Object;)Ljava/lang/Object;", &[Value::Int(9), Value::Null]);
    let capacity = building(LIST, "<init>(I)V", &[Value::Int(-1)]);
    let none = building("Built$Ticket", "none()LBuilt$Ticket;", &[]);
    let own = building(LIST, "<init>(Ljava/util/Collection;)V", &[reference(0)]);
    let cases = [
        (
            list(vec![set]),
            "java.util.ArrayList.set(ILjava/lang/Object;)Ljava/lang/Object; throws java.lang.Index",
        ),
        (
            built(LIST, capacity, vec![]),
            "java.util.ArrayList.<init>(I)V throws java.lang.IllegalArgument",
        ),
        (built(LIST, own, vec![]), "object 0 is needed to make itself"),
        (list(vec![building(LIST, ADD, &[reference(5)])]), "there is no object 5"),
        (list(vec![building(LIST, "missing()V", &[])]), "java.util.ArrayList has no missing()V"),
        (list(vec![building(LIST, ADD, &[])]), "java.lang.IllegalArgumentException"),
        (list(vec![new(LIST)]), "java.util.ArrayList.<init>()V is no instance method"),
        (
            built(LIST, building(LIST, "size()I", &[]), vec![]),
            "java.util.ArrayList.size()I has nothing to make an object from",
        ),
        (built("Missing", new("Missing"), vec![]), "there is no class Missing"),
        (
            built(LIST, new("java/util/LinkedList"), vec![]),
            "java.util.LinkedList.<init>()V makes a java.util.LinkedList, no java.util.ArrayList",
        ),
        (
            built("Built$Ticket", none, vec![]),
            "Built$Ticket.none()LBuilt$Ticket; makes null, no Built$Ticket",
        ),
        (
            built("Built$Broken", new("Built$Broken"), vec![]),
            "Built$Broken.<init>()V throws java.lang.ExceptionInInitializerError",
        ),
        (
            built("java/util/AbstractList", new("java/util/AbstractList"), vec![]),
            "java.lang.InstantiationException",
        ),
    ];
    with_each_jdk(|replay| {
        for (object, expected) in &cases {
            let heap = Heap { objects: vec![object.clone()] };
            let show = taking("show(Ljava/lang/Object;)Ljava/lang/String;", heap, &[reference(0)]);
            match run(replay, &show) {
                Outcome::NotCallable(reason) => assert!(reason.starts_with(expected), "{reason}"),
                other => panic!("{object:?}: {other:?}"),
            }
        }
        assert_eq!(replay.starts(), 1);
    });
}
