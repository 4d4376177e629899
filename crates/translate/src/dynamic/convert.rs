//! Conversions between types as method handles make them (`MethodHandle.asType`): casts, boxing,
//! unboxing and widening.

use petrel_classfile::JavaType;
use petrel_classfile::op;
use petrel_classfile::writer::CodeWriter;

/// The box of a primitive type, with the method that opens it.
pub(super) fn wrapper(java_type: &JavaType) -> Option<(&'static str, &'static str)> {
    Some(match java_type {
        JavaType::Boolean => ("java/lang/Boolean", "booleanValue"),
        JavaType::Byte => ("java/lang/Byte", "byteValue"),
        JavaType::Char => ("java/lang/Character", "charValue"),
        JavaType::Short => ("java/lang/Short", "shortValue"),
        JavaType::Int => ("java/lang/Integer", "intValue"),
        JavaType::Long => ("java/lang/Long", "longValue"),
        JavaType::Float => ("java/lang/Float", "floatValue"),
        JavaType::Double => ("java/lang/Double", "doubleValue"),
        JavaType::Object(_) | JavaType::Array(_) => return None,
    })
}

fn unwrapped(class: &str) -> Option<JavaType> {
    [
        JavaType::Boolean,
        JavaType::Byte,
        JavaType::Char,
        JavaType::Short,
        JavaType::Int,
        JavaType::Long,
        JavaType::Float,
        JavaType::Double,
    ]
    .into_iter()
    .find(|primitive| wrapper(primitive).is_some_and(|(name, _)| name == class))
}

/// Position among int, long, float, double, as the JVM's instructions count them; references last.
fn typed_offset(java_type: &JavaType) -> u8 {
    match java_type {
        JavaType::Long => 1,
        JavaType::Float => 2,
        JavaType::Double => 3,
        JavaType::Object(_) | JavaType::Array(_) => 4,
        _ => 0,
    }
}

/// Loads a local variable of a type.
pub(super) fn load(code: &mut CodeWriter<'_>, java_type: &JavaType, slot: u16) {
    code.local(op::ILOAD + typed_offset(java_type), slot);
}

/// Returns a value of a type, or nothing.
pub(crate) fn return_value(code: &mut CodeWriter<'_>, java_type: Option<&JavaType>) {
    match java_type {
        Some(java_type) => code.op(op::IRETURN + typed_offset(java_type)),
        None => code.op(op::RETURN),
    };
}

/// Converts the value on top of the stack. `false`: there is no such conversion.
pub(crate) fn convert(code: &mut CodeWriter<'_>, from: &JavaType, to: &JavaType) -> bool {
    match (from.is_reference(), to.is_reference()) {
        _ if from == to => true,
        (true, true) => {
            cast(code, to);
            true
        }
        (false, false) => widen(code, from, to),
        (false, true) => box_value(code, from),
        (true, false) => unbox(code, from, to),
    }
}

/// Casts the reference on top of the stack.
pub(super) fn cast(code: &mut CodeWriter<'_>, to: &JavaType) {
    if let Some(name) = to.class_constant_name()
        && name != "java/lang/Object"
    {
        code.class(op::CHECKCAST, &name);
    }
}

/// Boxes the primitive value on top of the stack.
pub(super) fn box_value(code: &mut CodeWriter<'_>, from: &JavaType) -> bool {
    let Some((class, _)) = wrapper(from) else {
        return false;
    };
    code.invoke(op::INVOKESTATIC, class, "valueOf", &format!("({from})L{class};"), false);
    true
}

fn unbox(code: &mut CodeWriter<'_>, from: &JavaType, to: &JavaType) -> bool {
    let JavaType::Object(name) = from else {
        return false;
    };
    let Some((class, method)) = wrapper(to) else {
        return false;
    };
    match unwrapped(name) {
        // The box tells what is in it; it may be narrower than what is wanted.
        Some(inner) => {
            let Some((class, method)) = wrapper(&inner) else {
                return false;
            };
            code.invoke(op::INVOKEVIRTUAL, class, method, &format!("(){inner}"), false);
            widen(code, &inner, to)
        }
        // What comes out of a type variable may be any box that widens to what is wanted.
        None => {
            let class = match to {
                JavaType::Char | JavaType::Boolean => class,
                _ => "java/lang/Number",
            };
            code.class(op::CHECKCAST, class);
            code.invoke(op::INVOKEVIRTUAL, class, method, &format!("(){to}"), false);
            true
        }
    }
}

fn widen(code: &mut CodeWriter<'_>, from: &JavaType, to: &JavaType) -> bool {
    let opcode = match (typed_offset(from), typed_offset(to)) {
        (a, b) if a == b => return true,
        (0, 1) => op::I2L,
        (0, 2) => op::I2F,
        (0, 3) => op::I2D,
        (1, 2) => op::L2F,
        (1, 3) => op::L2D,
        (2, 3) => op::F2D,
        _ => return false,
    };
    code.op(opcode);
    true
}
