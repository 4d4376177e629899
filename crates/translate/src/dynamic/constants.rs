//! Dynamic constants of `ConstantBootstraps` that have a plain meaning. A constant is computed once:
//! the class that is synthesised for it keeps the value.

use petrel_classfile::writer::{ClassWriter, CodeWriter};
use petrel_classfile::{JavaType, MethodDescriptor, ReferenceKind, flags, op};
use petrel_clp::{MethodHandle, MethodRef, StaticArgument};

use super::convert::{cast, convert, return_value, wrapper};
use super::{SITE_METHOD, Synthesis};
use crate::error::Refusal;

pub(super) fn synthesise(synthesis: &Synthesis<'_>) -> Result<Option<MethodRef>, Refusal> {
    let site = synthesis.site;
    let MethodHandle::Method(_, bootstrap) = &site.bootstrap else {
        return Ok(None);
    };
    if *bootstrap.class != *"java/lang/invoke/ConstantBootstraps" {
        return Ok(None);
    }
    let java_type = JavaType::parse(&site.descriptor)?;
    match (&*bootstrap.name, &*site.arguments) {
        ("nullConstant", []) if java_type.is_reference() => define(synthesis, &java_type, |code| {
            code.op(op::ACONST_NULL);
        }),
        ("primitiveClass", []) => {
            let Ok(primitive) = JavaType::parse(&site.name) else {
                return Ok(None);
            };
            let Some((class, _)) = wrapper(&primitive) else {
                return Ok(None);
            };
            define(synthesis, &java_type, |code| {
                code.field(op::GETSTATIC, class, "TYPE", "Ljava/lang/Class;");
            })
        }
        ("enumConstant", []) => static_field(synthesis, &java_type, &java_type),
        ("getStaticFinal", []) => static_field(synthesis, &java_type, &java_type),
        ("getStaticFinal", [StaticArgument::Class(owner)]) => {
            static_field(synthesis, &JavaType::of_class_constant(owner)?, &java_type)
        }
        (
            "invoke",
            [StaticArgument::MethodHandle(MethodHandle::Method(kind, method)), arguments @ ..],
        ) => invoke(synthesis, *kind, method, arguments, &java_type),
        _ => Ok(None),
    }
}

/// A class whose site method computes a value the first time and keeps it. `compute` pushes it.
fn define(
    synthesis: &Synthesis<'_>,
    java_type: &JavaType,
    compute: impl FnOnce(&mut CodeWriter<'_>),
) -> Result<Option<MethodRef>, Refusal> {
    let name = synthesis.class_name("Constant");
    let mut class =
        ClassWriter::new(flags::FINAL | flags::SYNTHETIC, &name, "java/lang/Object", &[]);
    let value_type = java_type.to_string();
    class.field(flags::STATIC, "value", &value_type);
    class.field(flags::STATIC, "known", "Z");
    let descriptor = format!("(){java_type}");
    class.method(flags::STATIC | flags::SYNTHETIC, SITE_METHOD, &descriptor, 0, |code| {
        let known = code.label();
        code.field(op::GETSTATIC, &name, "known", "Z").jump(op::IFNE, known);
        compute(code);
        code.field(op::PUTSTATIC, &name, "value", &value_type);
        code.int(1).field(op::PUTSTATIC, &name, "known", "Z");
        code.place(known).field(op::GETSTATIC, &name, "value", &value_type);
        return_value(code, Some(java_type));
    });
    synthesis.define(class, &name, SITE_METHOD, &descriptor)
}

/// A handle of such a method collects trailing arguments into an array.
fn takes_varargs(synthesis: &Synthesis<'_>, method: &MethodRef) -> bool {
    let class = synthesis.program.class(&method.class).ok();
    class
        .and_then(|class| class.declared_method(&method.name, &method.descriptor))
        .is_none_or(|method| method.has_flags(flags::VARARGS))
}

fn static_field(
    synthesis: &Synthesis<'_>,
    owner: &JavaType,
    java_type: &JavaType,
) -> Result<Option<MethodRef>, Refusal> {
    let JavaType::Object(owner) = owner else {
        return Ok(None);
    };
    define(synthesis, java_type, |code| {
        code.field(op::GETSTATIC, owner, &synthesis.site.name, &java_type.to_string());
    })
}

/// A call of a static method, or construction of an object, with constant arguments.
fn invoke(
    synthesis: &Synthesis<'_>,
    kind: ReferenceKind,
    method: &MethodRef,
    arguments: &[StaticArgument],
    java_type: &JavaType,
) -> Result<Option<MethodRef>, Refusal> {
    let called = MethodDescriptor::parse(&method.descriptor)?;
    let constructs = kind == ReferenceKind::NewInvokeSpecial;
    let supported = !takes_varargs(synthesis, method)
        && (constructs || kind == ReferenceKind::InvokeStatic)
        && called.parameters.len() == arguments.len()
        && arguments.iter().zip(&called.parameters).all(|(a, wanted)| is_plain(a, wanted));
    if !supported {
        return Ok(None);
    }
    let is_interface = synthesis.is_interface(&method.class);
    let mut fits = true;
    let defined = define(synthesis, java_type, |code| {
        if constructs {
            code.class(op::NEW, &method.class).op(op::DUP);
        }
        arguments.iter().for_each(|argument| push(code, argument));
        let opcode = if constructs { op::INVOKESPECIAL } else { op::INVOKESTATIC };
        code.invoke(opcode, &method.class, &method.name, &method.descriptor, is_interface);
        match &called.result {
            Some(result) => fits = convert(code, result, java_type),
            None => cast(code, java_type),
        }
    })?;
    Ok(defined.filter(|_| fits))
}

fn is_plain(argument: &StaticArgument, wanted: &JavaType) -> bool {
    match argument {
        StaticArgument::Int(_) => {
            !wanted.is_reference()
                && !matches!(wanted, JavaType::Long | JavaType::Float | JavaType::Double)
        }
        StaticArgument::Long(_) => *wanted == JavaType::Long,
        StaticArgument::Float(_) => *wanted == JavaType::Float,
        StaticArgument::Double(_) => *wanted == JavaType::Double,
        StaticArgument::String(_) | StaticArgument::Class(_) => wanted.is_reference(),
        _ => false,
    }
}

fn push(code: &mut CodeWriter<'_>, argument: &StaticArgument) {
    match argument {
        StaticArgument::Int(value) => code.int(*value),
        StaticArgument::Long(value) => code.long(*value),
        StaticArgument::Float(bits) => code.float_bits(*bits),
        StaticArgument::Double(bits) => code.double_bits(*bits),
        StaticArgument::String(text) => code.string(text),
        StaticArgument::Class(name) => code.class(op::LDC_W, name),
        StaticArgument::MethodType(_)
        | StaticArgument::MethodHandle(_)
        | StaticArgument::Dynamic(_) => code,
    };
}
