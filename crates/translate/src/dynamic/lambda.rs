//! Lambdas and method references (`LambdaMetafactory`): a class that implements the interface, keeps
//! the captured values in fields, and passes calls on to the implementation.

use petrel_classfile::writer::{ClassWriter, CodeWriter};
use petrel_classfile::{JavaType, MethodDescriptor, ReferenceKind, flags, op};
use petrel_clp::{MethodHandle, MethodRef, StaticArgument};

use super::convert::{cast, convert, load, return_value};
use super::{Place, SITE_METHOD, Synthesis};
use crate::error::Refusal;

const FLAG_SERIALIZABLE: i32 = 1;
const FLAG_MARKERS: i32 = 2;
const FLAG_BRIDGES: i32 = 4;

/// The static arguments of a metafactory.
struct Lambda {
    /// Types of the captured values.
    captured: Vec<JavaType>,
    interface: String,
    markers: Vec<String>,
    /// Descriptors under which the method is to be found; the first is the interface's own.
    erased: Vec<MethodDescriptor>,
    /// Descriptor with type arguments put in.
    instantiated: MethodDescriptor,
    kind: ReferenceKind,
    implementation: MethodRef,
    /// The implementation is a method of an interface.
    in_interface: bool,
}

impl Lambda {
    /// Adds an interface, unless it is there.
    fn mark(&mut self, interface: &str) {
        if *interface != *self.interface && !self.markers.iter().any(|marker| marker == interface) {
            self.markers.push(interface.to_owned());
        }
    }
}

pub(super) fn synthesise(
    synthesis: &Synthesis<'_>,
    place: Place,
) -> Result<Option<MethodRef>, Refusal> {
    let Some(lambda) = read(synthesis)? else {
        return Ok(None);
    };
    let name = synthesis.class_name_of_site("Lambda", place);
    let mut interfaces = vec![&*lambda.interface];
    interfaces.extend(lambda.markers.iter().map(String::as_str));
    let access = flags::FINAL | flags::SYNTHETIC;
    let mut class = ClassWriter::new(access, &name, "java/lang/Object", &interfaces);
    for (number, captured) in lambda.captured.iter().enumerate() {
        class.field(flags::PRIVATE | flags::FINAL, &field_name(number), &captured.to_string());
    }
    let mut complete = true;
    for erased in &lambda.erased {
        let slots = erased.parameter_slots() as u16 + 1;
        let descriptor = erased.to_string();
        class.method(flags::PUBLIC, &synthesis.site.name, &descriptor, slots, |code| {
            complete &= pass_on(code, &name, &lambda, erased);
        });
    }
    if !complete {
        return Ok(None);
    }
    let descriptor = &*synthesis.site.descriptor;
    let slots: usize = lambda.captured.iter().map(JavaType::slots).sum();
    // The interface's method may have the site method's name.
    let site = if *synthesis.site.name == *SITE_METHOD { "site$" } else { SITE_METHOD };
    let of_name = format!("L{};", lambda.interface);
    if lambda.captured.is_empty() {
        // HotSpot has one object for a call site that captures nothing.
        let access = flags::STATIC | flags::FINAL | flags::SYNTHETIC;
        class.field(access, ONLY_INSTANCE, &of_name);
        class.method(flags::STATIC, "<clinit>", "()V", 0, |code| {
            code.class(op::NEW, &name);
            code.field(op::PUTSTATIC, &name, ONLY_INSTANCE, &of_name);
            code.op(op::RETURN);
        });
    }
    class.method(flags::STATIC | flags::SYNTHETIC, site, descriptor, slots as u16, |code| {
        if lambda.captured.is_empty() {
            code.field(op::GETSTATIC, &name, ONLY_INSTANCE, &of_name);
            code.op(op::ARETURN);
        } else {
            make_instance(code, &name, &lambda.captured);
        }
    });
    synthesis.define(class, &name, site, descriptor)
}

/// The field with the object of a call site that captures nothing.
const ONLY_INSTANCE: &str = "INSTANCE";

fn field_name(number: usize) -> String {
    format!("captured{}", number + 1)
}

fn read(synthesis: &Synthesis<'_>) -> Result<Option<Lambda>, Refusal> {
    let site = synthesis.site;
    let [
        StaticArgument::MethodType(erased),
        StaticArgument::MethodHandle(MethodHandle::Method(kind, implementation)),
        StaticArgument::MethodType(instantiated),
        rest @ ..,
    ] = &*site.arguments
    else {
        return Ok(None);
    };
    let factory = MethodDescriptor::parse(&site.descriptor)?;
    let Some(JavaType::Object(interface)) = factory.result else {
        return Ok(None);
    };
    let mut lambda = Lambda {
        captured: factory.parameters,
        interface: interface.to_string(),
        markers: Vec::new(),
        erased: vec![MethodDescriptor::parse(erased)?],
        instantiated: MethodDescriptor::parse(instantiated)?,
        kind: *kind,
        implementation: implementation.clone(),
        in_interface: synthesis.is_interface(&implementation.class),
    };
    let Some(bits) = read_extras(&mut lambda, rest)? else { return Ok(None) };
    if bits & FLAG_SERIALIZABLE != 0 {
        lambda.mark("java/io/Serializable");
    }
    Ok(Some(lambda))
}

/// The further arguments of `altMetafactory`: flags, then counted marker interfaces, then counted
/// bridge descriptors. Gives the flags.
fn read_extras(lambda: &mut Lambda, arguments: &[StaticArgument]) -> Result<Option<i32>, Refusal> {
    let Some((StaticArgument::Int(bits), mut rest)) = arguments.split_first() else {
        return Ok(arguments.is_empty().then_some(0));
    };
    let mut counted = |wanted: i32| -> Option<Vec<StaticArgument>> {
        if bits & wanted == 0 {
            return Some(Vec::new());
        }
        let (StaticArgument::Int(count), after) = rest.split_first()? else {
            return None;
        };
        let (group, after) = after.split_at_checked(usize::try_from(*count).ok()?)?;
        rest = after;
        Some(group.to_vec())
    };
    let (Some(markers), Some(bridges)) = (counted(FLAG_MARKERS), counted(FLAG_BRIDGES)) else {
        return Ok(None);
    };
    for marker in markers {
        let StaticArgument::Class(name) = marker else {
            return Ok(None);
        };
        lambda.mark(&name);
    }
    for bridge in bridges {
        let StaticArgument::MethodType(descriptor) = bridge else {
            return Ok(None);
        };
        let descriptor = MethodDescriptor::parse(&descriptor)?;
        if !lambda.erased.contains(&descriptor) {
            lambda.erased.push(descriptor);
        }
    }
    Ok(Some(*bits))
}

/// `new` of the class, with the captured values put straight into its fields.
fn make_instance(code: &mut CodeWriter<'_>, class: &str, captured: &[JavaType]) {
    code.class(op::NEW, class);
    let mut slot = 0;
    for (number, java_type) in captured.iter().enumerate() {
        code.op(op::DUP);
        load(code, java_type, slot);
        code.field(op::PUTFIELD, class, &field_name(number), &java_type.to_string());
        slot += java_type.slots() as u16;
    }
    code.op(op::ARETURN);
}

/// The body of an interface method: captured values and arguments go to the implementation, its
/// result comes back. `false`: the types do not fit.
fn pass_on(
    code: &mut CodeWriter<'_>,
    class: &str,
    lambda: &Lambda,
    erased: &MethodDescriptor,
) -> bool {
    let Ok(called) = MethodDescriptor::parse(&lambda.implementation.descriptor) else {
        return false;
    };
    let owner = &*lambda.implementation.class;
    let Ok(owner_type) = JavaType::of_class_constant(owner) else {
        return false;
    };
    let has_receiver = matches!(
        lambda.kind,
        ReferenceKind::InvokeVirtual
            | ReferenceKind::InvokeInterface
            | ReferenceKind::InvokeSpecial
    );
    if lambda.kind == ReferenceKind::NewInvokeSpecial {
        code.class(op::NEW, owner).op(op::DUP);
    }
    let receiver = has_receiver.then_some(&owner_type);
    let mut wanted = receiver.into_iter().chain(&called.parameters);
    for (number, captured) in lambda.captured.iter().enumerate() {
        let Some(wanted) = wanted.next() else {
            return false;
        };
        code.op(op::ALOAD_0);
        code.field(op::GETFIELD, class, &field_name(number), &captured.to_string());
        // A captured value of an interface type may be passed where a class is expected.
        if !convert(code, captured, wanted) {
            return false;
        }
    }
    let mut slot = 1;
    for (given, instantiated) in erased.parameters.iter().zip(&lambda.instantiated.parameters) {
        let Some(wanted) = wanted.next() else {
            return false;
        };
        load(code, given, slot);
        slot += given.slots() as u16;
        if given != instantiated {
            cast(code, instantiated);
        }
        if !convert(code, instantiated, wanted) {
            return false;
        }
    }
    if wanted.next().is_some() {
        return false;
    }
    let opcode = match lambda.kind {
        ReferenceKind::InvokeStatic => op::INVOKESTATIC,
        ReferenceKind::NewInvokeSpecial => op::INVOKESPECIAL,
        // A private method is called by `invokespecial` in its own class; from here the other two
        // make the same selection.
        _ if lambda.in_interface => op::INVOKEINTERFACE,
        _ => op::INVOKEVIRTUAL,
    };
    let MethodRef { name, descriptor, .. } = &lambda.implementation;
    code.invoke(opcode, owner, name, descriptor, lambda.in_interface);
    let constructed = (lambda.kind == ReferenceKind::NewInvokeSpecial).then_some(owner_type);
    pass_back(code, constructed.as_ref().or(called.result.as_ref()), lambda, erased)
}

fn pass_back(
    code: &mut CodeWriter<'_>,
    result: Option<&JavaType>,
    lambda: &Lambda,
    erased: &MethodDescriptor,
) -> bool {
    let Some(wanted) = &erased.result else {
        if let Some(result) = result {
            code.op(if result.slots() == 2 { op::POP2 } else { op::POP });
        }
        return_value(code, None);
        return true;
    };
    let Some(result) = result else { return false };
    let instantiated = lambda.instantiated.result.as_ref().unwrap_or(wanted);
    let fits = convert(code, result, instantiated) && convert(code, instantiated, wanted);
    return_value(code, Some(wanted));
    fits
}
