use petrel_classfile::{JavaString, JavaType};
use proptest::prelude::*;

use crate::{Heap, Literals, Object, Value, argument};

const STRING: &str = "Ljava/lang/String;";
const OBJECT: &str = "Ljava/lang/Object;";

fn parse(text: &str, descriptor: &str) -> Result<(Value, Heap), String> {
    let mut heap = Heap::new();
    let mut literals = Literals::new(text);
    let value = literals.value(&JavaType::parse(descriptor).unwrap(), &mut heap)?;
    assert_eq!(literals.rest(), "", "{text}");
    Ok((value, heap))
}

#[track_caller]
fn check(text: &str, descriptor: &str, expected: Value) {
    assert_eq!(parse(text, descriptor), Ok((expected, Heap::new())), "{text}");
}

#[track_caller]
fn check_error(text: &str, descriptor: &str, message: &str) {
    assert_eq!(parse(text, descriptor).unwrap_err(), message, "{text}");
}

/// Reads a word of a command line and writes it as a literal.
fn word(text: &str, descriptor: &str) -> Result<String, String> {
    let mut heap = Heap::new();
    let value = argument(text, &JavaType::parse(descriptor).unwrap(), &mut heap)?;
    Ok(heap.literal(value).unwrap())
}

#[test]
fn integers_in_all_radices() {
    check("-5", "I", Value::Int(-5));
    check("+5", "B", Value::Byte(5));
    check("-128", "B", Value::Byte(-128));
    check("32_767", "S", Value::Short(i16::MAX));
    check("0x7fff_ffff", "I", Value::Int(i32::MAX));
    check("0xFFFFFFFF", "I", Value::Int(-1));
    check("0xFFFFFFFF", "J", Value::Long(0xffff_ffff));
    check("0XFFFFFFFFFFFFFFFFl", "J", Value::Long(-1));
    check("-0x1", "I", Value::Int(-1));
    check("-0x80000000", "I", Value::Int(i32::MIN));
    check("017", "I", Value::Int(15));
    check("0_7", "I", Value::Int(7));
    check("0b1__01", "I", Value::Int(5));
    check("0", "I", Value::Int(0));
    check("5", "J", Value::Long(5));
    check("-9223372036854775808L", "J", Value::Long(i64::MIN));
}

#[test]
fn an_integer_has_to_fit_its_type() {
    check_error(
        "2147483648",
        "I",
        "2147483648 is out of range: an int is from -2147483648 to 2147483647",
    );
    check_error("128", "B", "128 is out of range: a byte is from -128 to 127");
    check_error("0xff", "B", "0xff is out of range: a byte is from -128 to 127");
    check_error("-1", "C", "-1 is out of range: a char is from 0 to 65535");
    check_error("5L", "I", "5L is a long, not an int");
    check_error("abc", "I", "\"abc\" is not an int");
    for text in ["08", "0x", "_1", "1_", "0x_1", "--1", "0b2", "1.0", "null", ""] {
        assert!(parse(text, "I").is_err(), "{text}");
    }
    for text in ["9223372036854775808", "0x10000000000000000", "99999999999999999999999"] {
        assert!(parse(text, "J").unwrap_err().contains("out of range"), "{text}");
    }
}

#[test]
fn booleans_and_characters() {
    check("true", "Z", Value::Boolean(true));
    check("0", "Z", Value::Boolean(false));
    check("'c'", "C", Value::Char(99));
    check("99", "C", Value::Char(99));
    check("'c'", "I", Value::Int(99));
    check("'c'", "D", Value::double(99.0));
    for (text, unit) in [
        ("'\\b'", 8),
        ("'\\t'", 9),
        ("'\\n'", 10),
        ("'\\f'", 12),
        ("'\\r'", 13),
        ("'\\s'", 32),
        ("'\\0'", 0),
        ("'\\377'", 255),
        ("'\\''", 39),
        ("'\"'", 34),
        ("'\\\\'", 92),
        ("'\\u0041'", 65),
        ("'\\uuud83d'", 0xd83d),
    ] {
        check(text, "C", Value::Char(unit));
    }
    for text in ["''", "'ab'", "'a", "'\\q'", "'\\u+123'", "'\\400'", "a"] {
        assert!(parse(text, "C").is_err(), "{text}");
    }
    for text in ["truey", "2", "null", "TRUE"] {
        assert!(parse(text, "Z").is_err(), "{text}");
    }
}

#[test]
fn floating_point_numbers() {
    for (text, value) in [
        ("0.5", 0.5),
        ("5", 5.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e3", 1000.0),
        ("1_0.2_5E-1", 1.025),
        ("1.0d", 1.0),
        ("017", 17.0),
        ("0x10", 16.0),
        ("1.5f", 1.5),
        ("0.1f", f64::from(0.1_f32)),
        ("-0.0", -0.0),
        ("-0", -0.0),
        ("Infinity", f64::INFINITY),
        ("-Infinity", f64::NEG_INFINITY),
        ("Double.NEGATIVE_INFINITY", f64::NEG_INFINITY),
        ("4.9E-324", f64::from_bits(1)),
        ("0x1.8p1", 3.0),
        ("-0x.8P0D", -0.5),
        ("0x1.fffffffffffffp1023", f64::MAX),
        ("0x0.0000000000001p-1022", f64::from_bits(1)),
        // Halves go to the even neighbour, unless there is a little more.
        ("0x1.00000000000008p0", 1.0),
        ("0x1.000000000000080000000001p0", 1.0 + f64::EPSILON),
        ("0x1.00000000000018p0", 1.0 + 2.0 * f64::EPSILON),
        ("0x123456789abcdef01.8p-64", 1.137_777_777_777_777_8),
    ] {
        check(text, "D", Value::double(value));
    }
    check("NaN", "D", Value::double(f64::NAN));
    check("Float.NaN", "F", Value::float(f32::NAN));
    check("0x1.000001p0f", "F", Value::float(1.0));
    check("0x1.0000011p0f", "F", Value::float(1.0 + f32::EPSILON));
    check("0x1p-149f", "F", Value::Float(1));
    check("1.5", "F", Value::float(1.5));
    for text in ["1e400", "1e-400", "0x1p1024", "0x1p-1076", "0x1p99999999999999999999"] {
        assert!(parse(text, "D").unwrap_err().contains("out of range"), "{text}");
    }
    check("0e-400", "D", Value::double(0.0));
    assert!(parse("1e39f", "F").unwrap_err().contains("out of range"));
    for text in ["inf", "nan", "infinity", ".", "1_.5", "1._5", "1e", "0x1.8", "0x.p1", "1ff", ""] {
        assert!(parse(text, "D").is_err(), "{text}");
    }
}

#[test]
fn a_float_that_was_not_rounded_is_no_float() {
    check("0.10000000149011612", "F", Value::float(0.1));
    check_error("0.1", "F", "0.1 is not a float, 0.1f would be");
    check_error("0.1d", "F", "0.1d is a double, not a float");
    assert_eq!(word("0.1", "F").unwrap(), "0.1f");
}

#[test]
fn strings_and_arrays_are_objects() {
    let (value, heap) = parse("\"a\\n\\ud83d\"", STRING).unwrap();
    let units = JavaString([0x61, 0xa, 0xd83d].into());
    assert_eq!(heap.get(value), Some(&Object::String(units)));
    let (value, heap) = parse("{{1, 2}, null, {},}", "[[I").unwrap();
    assert_eq!(heap.literal(value).unwrap(), "{{1, 2}, null, {}}");
    let Some(Object::Array { component, elements }) = heap.get(value) else { panic!() };
    assert_eq!((component.to_string().as_str(), elements.len()), ("[I", 3));
    for (text, descriptor) in [
        ("{1", "[I"),
        ("{1 2}", "[I"),
        ("{,}", "[I"),
        ("\"a", STRING),
        ("abc", STRING),
        ("1", "[I"),
        ("null", "I"),
        ("\"a\"", "Ljava/util/List;"),
    ] {
        assert!(parse(text, descriptor).is_err(), "{text} {descriptor}");
    }
    assert_eq!(parse("null", "Ljava/util/List;"), Ok((Value::Null, Heap::new())));
}

#[test]
fn a_box_is_written_as_what_is_in_it() {
    let boxed = |text: &str, descriptor: &str| {
        let (value, heap) = parse(text, descriptor)?;
        match heap.get(value) {
            Some(Object::Boxed(value)) => Ok(*value),
            other => Err(format!("{other:?}")),
        }
    };
    assert_eq!(boxed("5", "Ljava/lang/Long;"), Ok(Value::Long(5)));
    assert_eq!(boxed("5", OBJECT), Ok(Value::Int(5)));
    assert_eq!(boxed("5L", "Ljava/lang/Number;"), Ok(Value::Long(5)));
    assert_eq!(boxed("0x1f", OBJECT), Ok(Value::Int(31)));
    assert_eq!(boxed("1f", OBJECT), Ok(Value::float(1.0)));
    assert_eq!(boxed("1e3", "Ljava/lang/Comparable;"), Ok(Value::double(1000.0)));
    assert_eq!(boxed("'c'", OBJECT), Ok(Value::Char(99)));
    assert_eq!(boxed("true", OBJECT), Ok(Value::Boolean(true)));
    assert!(boxed("'c'", "Ljava/lang/Number;").is_err());
    assert!(boxed("\"c\"", OBJECT).unwrap_err().contains("String"));
}

#[test]
fn a_word_of_a_command_line_needs_no_quotes() {
    for (text, descriptor, literal) in [
        ("5", "J", "5L"),
        ("abc", STRING, "\"abc\""),
        ("", STRING, "\"\""),
        (" a, b} ", STRING, "\" a, b} \""),
        ("5", STRING, "\"5\""),
        ("'a'", STRING, "\"'a'\""),
        ("null", STRING, "null"),
        ("nullable", STRING, "\"nullable\""),
        ("\"a\\tb\"", STRING, "\"a\\u0009b\""),
        (
            "{a b, \"c,d\", null, nullable}",
            "[Ljava/lang/String;",
            "{\"a b\", \"c,d\", null, \"nullable\"}",
        ),
        ("c", "C", "'c'"),
        ("'", "C", "'\\''"),
        ("5", "C", "'\\u0005'"),
        ("é", "C", "'\\u00e9'"),
        ("{a,'b',99}", "[C", "{'a', 'b', 'c'}"),
        ("true", "Z", "true"),
        ("abc", OBJECT, "\"abc\""),
        ("5", OBJECT, "5"),
        ("abc", "Ljava/lang/CharSequence;", "\"abc\""),
        ("1e3", "F", "1000.0f"),
    ] {
        assert_eq!(word(text, descriptor).as_deref(), Ok(literal), "{text}");
    }
    assert_eq!(word("5 6", "I").unwrap_err(), "there is \"6\" behind the value");
    assert_eq!(word("\"a\"b", STRING).unwrap_err(), "there is \"b\" behind the value");
    assert!(word("abc", "Ljava/util/List;").is_err());
    assert!(word("😀", "C").is_err());
}

#[test]
fn what_no_literal_can_write() {
    let mut heap = Heap::new();
    let array = heap.add_array(JavaType::parse(OBJECT).unwrap(), vec![]);
    let Some(Object::Array { elements, .. }) = heap.get_mut(array) else { panic!() };
    elements.push(array);
    assert_eq!(heap.literal(array), None);
    let opaque = heap.add(Object::Opaque { class: "java/lang/Class".into() });
    assert_eq!(heap.literal(opaque), None);
    // 2^40 elements, if sharing is undone.
    let mut shared = Value::Null;
    for _ in 0..40 {
        shared = heap.add_array(JavaType::parse(OBJECT).unwrap(), vec![shared, shared]);
    }
    assert_eq!(heap.literal(shared), None);
}

/// A type, and a value of it in a heap of its own.
fn typed_value() -> impl Strategy<Value = (JavaType, Heap, Value)> {
    let primitive = prop_oneof![
        any::<bool>().prop_map(|value| (JavaType::Boolean, Value::Boolean(value))),
        any::<i8>().prop_map(|value| (JavaType::Byte, Value::Byte(value))),
        any::<i16>().prop_map(|value| (JavaType::Short, Value::Short(value))),
        any::<u16>().prop_map(|value| (JavaType::Char, Value::Char(value))),
        any::<i32>().prop_map(|value| (JavaType::Int, Value::Int(value))),
        any::<i64>().prop_map(|value| (JavaType::Long, Value::Long(value))),
        any::<u32>().prop_map(|bits| (JavaType::Float, Value::float(one_nan(bits)))),
        any::<u64>().prop_map(|bits| {
            let value = f64::from_bits(bits);
            (JavaType::Double, Value::double(if value.is_nan() { f64::NAN } else { value }))
        }),
    ];
    let leaf = prop_oneof![
        primitive.clone().prop_map(|(java_type, value)| (java_type, Heap::new(), value)),
        primitive.prop_map(|(_, value)| {
            let mut heap = Heap::new();
            let class = value.box_class().unwrap();
            let value = heap.add(Object::Boxed(value));
            (JavaType::Object(class.into()), heap, value)
        }),
        proptest::collection::vec(any::<u16>(), 0..8).prop_map(|units| {
            let mut heap = Heap::new();
            let value = heap.add(Object::String(JavaString(units.into())));
            (JavaType::parse(STRING).unwrap(), heap, value)
        }),
        Just((JavaType::parse(STRING).unwrap(), Heap::new(), Value::Null)),
    ];
    leaf.prop_recursive(3, 16, 1, |inner| {
        (inner, any::<bool>()).prop_map(|((component, mut heap, value), is_empty)| {
            // An empty array is written before its element could be.
            let (mut empty, none) = (Heap::new(), vec![]);
            let array = if is_empty {
                let array = empty.add_array(component.clone(), none);
                heap = empty;
                array
            } else {
                heap.add_array(component.clone(), vec![value])
            };
            (JavaType::Array(Box::new(component)), heap, array)
        })
    })
}

fn one_nan(bits: u32) -> f32 {
    let value = f32::from_bits(bits);
    if value.is_nan() { f32::NAN } else { value }
}

proptest! {
    #[test]
    fn what_is_written_is_read_back((java_type, heap, value) in typed_value()) {
        let text = heap.literal(value).unwrap();
        prop_assert_eq!(parse(&text, &java_type.to_string()), Ok((value, heap.clone())), "{}", &text);
        // A command line reads the same.
        let mut again = Heap::new();
        prop_assert_eq!(argument(&text, &java_type, &mut again), Ok(value));
        prop_assert_eq!(again, heap);
    }

    #[test]
    fn no_text_is_too_much(text in "[-+0-9a-fxXpPeElLdD._'\"\\\\{},u ]{0,12}", descriptor in 0_usize..7) {
        let descriptor = ["I", "J", "C", "F", "D", OBJECT, "[Ljava/lang/String;"][descriptor];
        let java_type = JavaType::parse(descriptor).unwrap();
        let _ = Literals::new(&text).value(&java_type, &mut Heap::new());
        let _ = argument(&text, &java_type, &mut Heap::new());
    }

    #[test]
    fn hexadecimal_numbers_are_exact(bits in any::<u64>()) {
        let value = f64::from_bits(bits & !(1 << 63));
        prop_assume!(value.is_finite());
        let (exponent, fraction) = (bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
        let (whole, power) =
            if exponent == 0 { (0, -1022) } else { (1, exponent as i64 - 1023) };
        let text = format!("0x{whole}.{fraction:013x}p{power}");
        prop_assert_eq!(parse(&text, "D").unwrap().0, Value::double(value));
    }
}
