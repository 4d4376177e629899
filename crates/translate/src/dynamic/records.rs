//! `equals`, `hashCode` and `toString` of records (`ObjectMethods`).

use petrel_classfile::writer::{CodeWriter, Label};
use petrel_classfile::{JavaString, JavaType, ReferenceKind, op};
use petrel_clp::{FieldRef, MethodHandle, MethodRef, StaticArgument};

use petrel_program::Program;

use super::convert::wrapper;
use super::{Synthesis, concat};
use crate::error::Refusal;

pub(super) fn synthesise(synthesis: &Synthesis<'_>) -> Result<Option<MethodRef>, Refusal> {
    let [StaticArgument::Class(record), StaticArgument::String(names), getters @ ..] =
        &*synthesis.site.arguments
    else {
        return Ok(None);
    };
    let mut fields = Vec::new();
    for getter in getters {
        let StaticArgument::MethodHandle(MethodHandle::Field(ReferenceKind::GetField, field)) =
            getter
        else {
            return Ok(None);
        };
        fields.push((field, JavaType::parse(&field.descriptor)?));
    }
    let descriptor = &*synthesis.site.descriptor;
    match &*synthesis.site.name {
        "toString" => {
            let Some(names) = names.to_text() else {
                return Ok(None);
            };
            let names: Vec<&str> = names.split(';').filter(|name| !name.is_empty()).collect();
            let Some(simple_name) = simple_name(synthesis.program, record) else { return Ok(None) };
            if names.len() != fields.len() {
                return Ok(None);
            }
            synthesis.define_method("ToString", descriptor, |code| {
                to_string(code, &simple_name, &names, &fields);
            })
        }
        "hashCode" => synthesis.define_method("HashCode", descriptor, |code| {
            hash_code(code, &fields);
        }),
        "equals" => synthesis.define_method("Equals", descriptor, |code| {
            equals(code, record, &fields);
        }),
        _ => Ok(None),
    }
}

fn get(code: &mut CodeWriter<'_>, slot: u16, field: &FieldRef) {
    code.local(op::ALOAD, slot);
    code.field(op::GETFIELD, &field.class, &field.name, &field.descriptor);
}

/// `Name[a=1, b=x]`.
fn to_string(
    code: &mut CodeWriter<'_>,
    simple_name: &str,
    names: &[&str],
    fields: &[(&FieldRef, JavaType)],
) {
    concat::start(code);
    let mut text = format!("{simple_name}[");
    for (name, (field, java_type)) in names.iter().zip(fields) {
        text.push_str(name);
        text.push('=');
        concat::append_text(code, &JavaString::from(text.as_str()));
        text = ", ".to_owned();
        get(code, 0, field);
        concat::append(code, java_type);
    }
    let end = if fields.is_empty() { text + "]" } else { "]".to_owned() };
    concat::append_text(code, &JavaString::from(end.as_str()));
    concat::finish(code);
}

/// `Class.getSimpleName` of the record, as its own class file says.
fn simple_name(program: &Program, record: &str) -> Option<String> {
    let class = program.class(record).ok()?;
    let pool = &class.file.constant_pool;
    let declared = class
        .file
        .inner_classes
        .iter()
        .find(|inner| pool.class_name(inner.inner_class).is_ok_and(|name| name == record));
    match declared {
        Some(inner) if inner.inner_name == 0 => Some(String::new()),
        Some(inner) => pool.utf8(inner.inner_name).ok().map(str::to_owned),
        None => record.rsplit('/').next().map(str::to_owned),
    }
}

/// `31 * hash + hash of the component`, starting at 0.
fn hash_code(code: &mut CodeWriter<'_>, fields: &[(&FieldRef, JavaType)]) {
    code.int(0);
    for (field, java_type) in fields {
        code.int(31).op(op::IMUL);
        get(code, 0, field);
        match wrapper(java_type) {
            Some((class, _)) => {
                let descriptor = format!("({java_type})I");
                code.invoke(op::INVOKESTATIC, class, "hashCode", &descriptor, false);
            }
            None => {
                let (class, descriptor) = ("java/util/Objects", "(Ljava/lang/Object;)I");
                code.invoke(op::INVOKESTATIC, class, "hashCode", descriptor, false);
            }
        }
        code.op(op::IADD);
    }
    code.op(op::IRETURN);
}

/// The same class, and equal components: floats as their boxes compare, references as `equals` says.
fn equals(code: &mut CodeWriter<'_>, record: &str, fields: &[(&FieldRef, JavaType)]) {
    let different = code.label();
    let same = code.label();
    code.local(op::ALOAD, 0).local(op::ALOAD, 1).jump(op::IF_ACMPEQ, same);
    code.local(op::ALOAD, 1).class(op::INSTANCEOF, record).jump(op::IFEQ, different);
    // The JDK tests the last component first.
    for (field, java_type) in fields.iter().rev() {
        get(code, 0, field);
        code.local(op::ALOAD, 1).class(op::CHECKCAST, record);
        code.field(op::GETFIELD, &field.class, &field.name, &field.descriptor);
        compare(code, java_type, different);
    }
    code.place(same).int(1).op(op::IRETURN);
    code.place(different).int(0).op(op::IRETURN);
}

fn compare(code: &mut CodeWriter<'_>, java_type: &JavaType, different: Label) {
    match java_type {
        JavaType::Float | JavaType::Double => {
            let class = wrapper(java_type).map_or("", |(class, _)| class);
            let descriptor = format!("({java_type}{java_type})I");
            code.invoke(op::INVOKESTATIC, class, "compare", &descriptor, false);
            code.jump(op::IFNE, different);
        }
        JavaType::Long => {
            code.op(op::LCMP).jump(op::IFNE, different);
        }
        JavaType::Object(_) | JavaType::Array(_) => {
            let descriptor = "(Ljava/lang/Object;Ljava/lang/Object;)Z";
            code.invoke(op::INVOKESTATIC, "java/util/Objects", "equals", descriptor, false);
            code.jump(op::IFEQ, different);
        }
        _ => {
            code.jump(op::IF_ICMPNE, different);
        }
    }
}
