//! Dynamic constants of `ConstantBootstraps` that have a plain meaning.

use petrel_classfile::writer::CodeWriter;
use petrel_classfile::{JavaType, MethodDescriptor, ReferenceKind, op};
use petrel_clp::{MethodHandle, MethodRef, StaticArgument};

use super::Synthesis;
use super::convert::{cast, convert, return_value, wrapper};
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
    let descriptor = format!("(){java_type}");
    match (&*bootstrap.name, &*site.arguments) {
        ("nullConstant", []) if java_type.is_reference() => {
            synthesis.define_method("Constant", &descriptor, |code| {
                code.op(op::ACONST_NULL).op(op::ARETURN);
            })
        }
        ("primitiveClass", []) => {
            let Ok(primitive) = JavaType::parse(&site.name) else {
                return Ok(None);
            };
            let Some((class, _)) = wrapper(&primitive) else {
                return Ok(None);
            };
            synthesis.define_method("Constant", &descriptor, |code| {
                code.field(op::GETSTATIC, class, "TYPE", "Ljava/lang/Class;")
                    .op(op::ARETURN);
            })
        }
        ("enumConstant", []) => static_field(synthesis, &java_type, &java_type),
        ("getStaticFinal", []) => static_field(synthesis, &java_type, &java_type),
        ("getStaticFinal", [StaticArgument::Class(owner)]) => {
            static_field(synthesis, &JavaType::of_class_constant(owner)?, &java_type)
        }
        (
            "invoke",
            [
                StaticArgument::MethodHandle(MethodHandle::Method(kind, method)),
                arguments @ ..,
            ],
        ) => invoke(synthesis, *kind, method, arguments, &java_type),
        _ => Ok(None),
    }
}

fn static_field(
    synthesis: &Synthesis<'_>,
    owner: &JavaType,
    java_type: &JavaType,
) -> Result<Option<MethodRef>, Refusal> {
    let JavaType::Object(owner) = owner else {
        return Ok(None);
    };
    synthesis.define_method("Constant", &format!("(){java_type}"), |code| {
        code.field(
            op::GETSTATIC,
            owner,
            &synthesis.site.name,
            &java_type.to_string(),
        );
        return_value(code, Some(java_type));
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
    let supported = (constructs || kind == ReferenceKind::InvokeStatic)
        && called.parameters.len() == arguments.len()
        && arguments
            .iter()
            .zip(&called.parameters)
            .all(|(a, wanted)| is_plain(a, wanted));
    if !supported {
        return Ok(None);
    }
    let is_interface = synthesis.is_interface(&method.class);
    let mut fits = true;
    let defined = synthesis.define_method("Constant", &format!("(){java_type}"), |code| {
        if constructs {
            code.class(op::NEW, &method.class).op(op::DUP);
        }
        arguments.iter().for_each(|argument| push(code, argument));
        let opcode = if constructs {
            op::INVOKESPECIAL
        } else {
            op::INVOKESTATIC
        };
        code.invoke(
            opcode,
            &method.class,
            &method.name,
            &method.descriptor,
            is_interface,
        );
        match &called.result {
            Some(result) => fits = convert(code, result, java_type),
            None => cast(code, java_type),
        }
        return_value(code, Some(java_type));
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
