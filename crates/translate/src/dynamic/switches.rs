//! Pattern switches (`SwitchBootstraps`): the number of the first label, from a start on, that fits
//! the selector; -1 for null; the number of labels if none fits.

use petrel_classfile::writer::CodeWriter;
use petrel_classfile::{JavaString, MethodDescriptor, op};
use petrel_clp::{DynamicSite, MethodHandle, MethodRef, StaticArgument};

use super::Synthesis;
use crate::error::Refusal;

/// Which of the two bootstrap methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flavour {
    /// Strings are string constants.
    Type,
    /// Strings are names of constants of the selector's enum.
    Enum,
}

/// A label of a switch.
enum Label {
    /// Instances of a class.
    Class(String),
    /// An equal string.
    String(JavaString),
    /// A number with this value, or a `Character` with this code.
    Integer(i32),
    /// The constant of an enum: its class, if it is not the selector's, and name.
    Constant(Option<String>, JavaString),
}

pub(super) fn synthesise(
    synthesis: &Synthesis<'_>,
    flavour: Flavour,
) -> Result<Option<MethodRef>, Refusal> {
    let site = synthesis.site;
    let descriptor = MethodDescriptor::parse(&site.descriptor)?;
    let takes_reference = descriptor.parameters.first().is_some_and(|first| first.is_reference());
    let labels: Option<Vec<Label>> =
        site.arguments.iter().map(|argument| label(argument, flavour)).collect();
    let Some(labels) = labels.filter(|_| takes_reference && descriptor.parameters.len() == 2)
    else {
        return Ok(None);
    };
    synthesis.define_method("Switch", &site.descriptor, |code| {
        let not_null = code.label();
        code.local(op::ALOAD, 0).jump(op::IFNONNULL, not_null);
        code.int(-1).op(op::IRETURN);
        code.place(not_null);
        for (number, label) in labels.iter().enumerate() {
            let next = code.label();
            code.local(op::ILOAD, 1).int(number as i32).jump(op::IF_ICMPGT, next);
            test(code, label, next);
            code.int(number as i32).op(op::IRETURN);
            code.place(next);
        }
        code.int(labels.len() as i32).op(op::IRETURN);
    })
}

fn label(argument: &StaticArgument, flavour: Flavour) -> Option<Label> {
    Some(match (argument, flavour) {
        (StaticArgument::Class(name), _) => Label::Class(name.to_string()),
        (StaticArgument::String(name), Flavour::Enum) => Label::Constant(None, name.clone()),
        (StaticArgument::String(text), Flavour::Type) => Label::String(text.clone()),
        (StaticArgument::Int(value), Flavour::Type) => Label::Integer(*value),
        (StaticArgument::Dynamic(site), Flavour::Type) => enum_constant(site)?,
        _ => return None,
    })
}

/// `EnumDesc.of(ClassDesc.of("a.B"), "C")`, which javac writes as two nested dynamic constants.
fn enum_constant(site: &DynamicSite) -> Option<Label> {
    let of_class = |site: &DynamicSite, class: &str| {
        let [StaticArgument::MethodHandle(MethodHandle::Method(_, method)), ..] = &*site.arguments
        else {
            return false;
        };
        *site.name == *"invoke" && *method.class == *class && *method.name == *"of"
    };
    let [_, StaticArgument::Dynamic(class), StaticArgument::String(name)] = &*site.arguments else {
        return None;
    };
    let [_, StaticArgument::String(class_name)] = &*class.arguments else {
        return None;
    };
    let well_known = of_class(site, "java/lang/Enum$EnumDesc")
        && of_class(class, "java/lang/constant/ClassDesc");
    if !well_known {
        return None;
    }
    Some(Label::Constant(Some(class_name.to_text()?.replace('.', "/")), name.clone()))
}

/// Goes on if the selector fits the label, else jumps.
fn test(code: &mut CodeWriter<'_>, label: &Label, next: petrel_classfile::writer::Label) {
    let equals = "(Ljava/lang/Object;)Z";
    match label {
        Label::Class(name) => {
            code.local(op::ALOAD, 0).class(op::INSTANCEOF, name).jump(op::IFEQ, next);
        }
        Label::String(text) => {
            code.string(text).local(op::ALOAD, 0);
            code.invoke(op::INVOKEVIRTUAL, "java/lang/String", "equals", equals, false);
            code.jump(op::IFEQ, next);
        }
        Label::Integer(value) => {
            let fits = code.label();
            let no_number = code.label();
            let unboxed = [
                ("java/lang/Number", "intValue", "()I"),
                ("java/lang/Character", "charValue", "()C"),
            ];
            for ((class, method, descriptor), otherwise) in
                unboxed.into_iter().zip([no_number, next])
            {
                code.local(op::ALOAD, 0).class(op::INSTANCEOF, class).jump(op::IFEQ, otherwise);
                code.local(op::ALOAD, 0).class(op::CHECKCAST, class);
                code.invoke(op::INVOKEVIRTUAL, class, method, descriptor, false);
                code.int(*value).jump(op::IF_ICMPNE, next);
                code.jump(op::GOTO, fits);
                if class == "java/lang/Number" {
                    code.place(no_number);
                }
            }
            code.place(fits);
        }
        Label::Constant(class, name) => {
            // A constant with a body is an instance of a subclass of its enum.
            let enum_class = class.as_deref().unwrap_or("java/lang/Enum");
            code.local(op::ALOAD, 0).class(op::INSTANCEOF, enum_class).jump(op::IFEQ, next);
            code.string(name).local(op::ALOAD, 0).class(op::CHECKCAST, "java/lang/Enum");
            code.invoke(op::INVOKEVIRTUAL, "java/lang/Enum", "name", "()Ljava/lang/String;", false);
            code.invoke(op::INVOKEVIRTUAL, "java/lang/String", "equals", equals, false);
            code.jump(op::IFEQ, next);
        }
    }
}
