//! Values go to the JVM and come back as they were.

use petrel_classfile::{JavaString, JavaType};
use petrel_replay::{Call, Outcome};
use petrel_value::{Heap, Object, Value};

use crate::support::{call, returned, run, with_each_jdk};

#[test]
fn primitive_values_come_back_bit_by_bit() {
    let mut calls = Vec::new();
    let mut check = |descriptor: &str, value: Value| {
        calls.push(call("Values", "same", &format!("({descriptor}){descriptor}"), &[value]));
    };
    for value in [false, true] {
        check("Z", Value::Boolean(value));
    }
    for value in [i8::MIN, -1, 0, 1, i8::MAX] {
        check("B", Value::Byte(value));
    }
    for value in [i16::MIN, -1, 0, 1, i16::MAX] {
        check("S", Value::Short(value));
    }
    for value in [0, 1, 0x7fff, 0x8000, 0xd800, 0xffff] {
        check("C", Value::Char(value));
    }
    for value in [i32::MIN, -1, 0, 1, i32::MAX] {
        check("I", Value::Int(value));
    }
    for value in [i64::MIN, -1, 0, 1, 1 << 32, i64::MAX] {
        check("J", Value::Long(value));
    }
    for value in [0.0, -0.0, 1.5, f32::MIN_POSITIVE, f32::MAX, f32::INFINITY, f32::NAN] {
        check("F", Value::float(value));
    }
    // The smallest number, and a NaN with a payload.
    check("F", Value::Float(1));
    check("F", Value::Float(0x7fc0_1234));
    for value in [0.0, -0.0, 0.1, f64::MIN_POSITIVE, f64::MAX, f64::NEG_INFINITY, f64::NAN] {
        check("D", Value::double(value));
    }
    check("D", Value::Double(1));
    check("D", Value::Double(0xfff8_0000_0000_1234));
    with_each_jdk(|replay| {
        let outcomes = replay.call_all(&calls).unwrap();
        assert_eq!(outcomes.len(), calls.len());
        for (call, outcome) in calls.iter().zip(outcomes) {
            let (value, after) = returned(outcome);
            assert_eq!([value], *call.arguments, "{}", call.descriptor);
            assert_eq!(after.arguments, call.arguments);
        }
    });
}

#[test]
fn all_kinds_of_arguments_at_once() {
    let mut many = call(
        "Values",
        "all",
        "(ZBSCIJFDLjava/lang/String;)Ljava/lang/String;",
        &[
            Value::Boolean(true),
            Value::Byte(-1),
            Value::Short(-2),
            Value::Char(99),
            Value::Int(-3),
            Value::Long(-4),
            Value::float(0.5),
            Value::double(0.25),
        ],
    );
    let text = many.heap.add_string("text");
    many.arguments.push(text);
    with_each_jdk(|replay| {
        let (value, after) = returned(run(replay, &many));
        assert_eq!(after.heap.literal(value).unwrap(), "\"true -1 -2 c -3 -4 0.5 0.25 text\"");
    });
}

/// An object, sent as an argument and returned.
fn echoed(object: Object) -> Call {
    let mut echo = Call::new("Values", "same", "(Ljava/lang/Object;)Ljava/lang/Object;");
    let argument = echo.heap.add(object);
    echo.arguments.push(argument);
    echo
}

#[test]
fn strings_boxes_and_null_come_back() {
    let strings: [&[u16]; 4] =
        [&[], &[0x61, 0, 0xffff], &[0xd83d, 0xde00], &[0xde00, 0x20, 0xd83d]];
    let long: Vec<u16> = (0..=u16::MAX).collect();
    let strings = strings.into_iter().chain([&*long]);
    let mut objects: Vec<Object> =
        strings.map(|units| Object::String(JavaString(units.into()))).collect();
    for value in [
        Value::Boolean(true),
        Value::Byte(-1),
        Value::Short(-1),
        Value::Char(0xd800),
        Value::Int(1000),
        Value::Long(-1),
        Value::float(-0.0),
        Value::Double(0x7ff8_0000_0000_0001),
    ] {
        objects.push(Object::Boxed(value));
    }
    with_each_jdk(|replay| {
        for object in &objects {
            let (value, after) = returned(run(replay, &echoed(object.clone())));
            assert_eq!(after.heap, Heap { objects: vec![object.clone()] });
            assert_eq!(after.arguments, [value]);
        }
        let mut null = echoed(Object::Boxed(Value::Int(1)));
        null.arguments = vec![Value::Null];
        let (value, after) = returned(run(replay, &null));
        assert_eq!((value, after.heap), (Value::Null, Heap::new()));
    });
}

#[test]
fn small_boxes_are_the_ones_that_java_shares() {
    let mut is_shared = Call::new("Values", "isSmallBoxShared", "(Ljava/lang/Integer;)Z");
    let argument = is_shared.heap.add(Object::Boxed(Value::Int(5)));
    is_shared.arguments.push(argument);
    with_each_jdk(|replay| {
        assert_eq!(returned(run(replay, &is_shared)).0, Value::Boolean(true));
    });
}

#[test]
fn void_is_no_value() {
    with_each_jdk(|replay| {
        let outcome = run(replay, &Call::new("Values", "nothing", "()V"));
        assert!(matches!(outcome, Outcome::Returned { value: None, .. }), "{outcome:?}");
    });
}

#[test]
fn arrays_of_all_types_come_back() {
    let texts = [
        ("[Z", "{true, false}"),
        ("[B", "{-128, 127}"),
        ("[S", "{-32768}"),
        ("[C", "{'a', '\\ud800'}"),
        ("[I", "{}"),
        ("[J", "{-1L}"),
        ("[F", "{-0.0f, NaN}"),
        ("[D", "{0.1, -Infinity}"),
        ("[[I", "{{1, 2}, null, {}}"),
        ("[Ljava/lang/String;", "{\"a\", null, \"\"}"),
        ("[Ljava/lang/Integer;", "{1, null}"),
    ];
    with_each_jdk(|replay| {
        for (descriptor, text) in texts {
            let java_type = JavaType::parse(descriptor).unwrap();
            let mut echo = Call::new("Values", "same", "(Ljava/lang/Object;)Ljava/lang/Object;");
            let argument = petrel_value::argument(text, &java_type, &mut echo.heap).unwrap();
            echo.arguments.push(argument);
            let (value, after) = returned(run(replay, &echo));
            assert_eq!(after.heap.literal(value).as_deref(), Some(text));
            let Some(Object::Array { component, .. }) = after.heap.get(value) else { panic!() };
            assert_eq!(format!("[{component}"), descriptor);
        }
    });
}

#[test]
fn many_calls_are_sent_ahead() {
    let calls = (0..20_000).map(|n| call("Values", "same", "(I)I", &[Value::Int(n)]));
    with_each_jdk(|replay| {
        let outcomes = replay.call_all(calls.clone()).unwrap();
        assert_eq!(outcomes.len(), 20_000);
        for (n, outcome) in (0..).zip(outcomes) {
            assert_eq!(returned(outcome).0, Value::Int(n));
        }
        assert_eq!(replay.starts(), 1);
    });
}

#[test]
fn a_large_argument_does_not_stop_the_traffic() {
    let mut large = Call::new("Values", "same", "(Ljava/lang/Object;)Ljava/lang/Object;");
    let argument = large.heap.add_string(&"long text ".repeat(20_000));
    large.arguments.push(argument);
    with_each_jdk(|replay| {
        for outcome in replay.call_all(std::iter::repeat_n(&large, 20)).unwrap() {
            assert_eq!(returned(outcome).1.heap, large.heap);
        }
    });
}
