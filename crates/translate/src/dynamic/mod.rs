//! Dynamic call sites and constants: methods synthesised from the bootstrap's static arguments.
//!
//! Running the JDK's own bootstrap methods would need hidden classes. Their meaning is fixed by
//! their documentation, so that a site becomes a call of a static method in a small class that says
//! the same in bytecode and is translated like any other. One class for each constant: its name is
//! made from that of the class that holds the site and the number of the constant. One class for each site of a lambda, as HotSpot
//! has it: method references that look alike share a constant, and are different objects.

mod concat;
mod constants;
pub(crate) mod convert;
mod lambda;
mod linkage;
mod records;
mod switches;

use std::sync::Arc;

use petrel_classfile::writer::{ClassWriter, CodeWriter};
use petrel_classfile::{
    ClassFile, ClassFileError, DynamicRef, LoadableConstant, MethodDescriptor, MethodHandleRef,
    ReferenceKind, flags,
};
use petrel_clp::{DynamicSite, FieldRef, MethodHandle, MethodRef, StaticArgument};
use petrel_program::{Class, LinkageError, Program};

use self::linkage::Linkage;
use crate::error::Refusal;

/// Dynamic constants may be arguments of others. The JVM forbids cycles, but a few constants that
/// name each other several times stand for very many.
const MAX_NESTED: usize = 256;

/// A site with everything that the class file says of it.
pub(crate) fn site(
    class: &ClassFile,
    site: &DynamicRef<'_>,
) -> Result<DynamicSite, ClassFileError> {
    nested_site(class, site, &mut 0)
}

fn nested_site(
    class: &ClassFile,
    site: &DynamicRef<'_>,
    count: &mut usize,
) -> Result<DynamicSite, ClassFileError> {
    *count += 1;
    if *count > MAX_NESTED {
        return Err(ClassFileError::new("too many dynamic constants are nested in one"));
    }
    let bootstrap = class.bootstrap_methods.get(usize::from(site.bootstrap)).ok_or_else(|| {
        ClassFileError::new(format!("there is no bootstrap method {}", site.bootstrap))
    })?;
    let pool = &class.constant_pool;
    let mut arguments = Vec::with_capacity(bootstrap.arguments.len());
    for &argument in &bootstrap.arguments {
        arguments.push(match pool.loadable(argument)? {
            LoadableConstant::Integer(value) => StaticArgument::Int(value),
            LoadableConstant::Float(bits) => StaticArgument::Float(bits),
            LoadableConstant::Long(value) => StaticArgument::Long(value),
            LoadableConstant::Double(bits) => StaticArgument::Double(bits),
            LoadableConstant::String(value) => StaticArgument::String(value),
            LoadableConstant::Class(name) => StaticArgument::Class(name.into()),
            LoadableConstant::MethodType(descriptor) => {
                StaticArgument::MethodType(descriptor.into())
            }
            LoadableConstant::MethodHandle(reference) => {
                StaticArgument::MethodHandle(handle(reference))
            }
            LoadableConstant::Dynamic(inner) => {
                StaticArgument::Dynamic(Box::new(nested_site(class, &inner, count)?))
            }
        });
    }
    Ok(DynamicSite {
        bootstrap: handle(pool.method_handle(bootstrap.method_handle)?),
        name: site.name.into(),
        descriptor: site.descriptor.into(),
        arguments,
    })
}

pub(crate) fn handle(reference: MethodHandleRef<'_>) -> MethodHandle {
    let MethodHandleRef { kind, member } = reference;
    let (class, name, descriptor) =
        (member.class.into(), member.name.into(), member.descriptor.into());
    if kind <= ReferenceKind::PutStatic {
        MethodHandle::Field(kind, FieldRef { class, name, descriptor })
    } else {
        MethodHandle::Method(kind, MethodRef { class, name, descriptor })
    }
}

/// What becomes of a dynamic call site or constant.
pub(crate) enum Outcome {
    /// A call of this synthesised method.
    Method(MethodRef),
    /// The bootstrap method is not one that is known.
    Unknown,
    /// Linking throws.
    Linkage(LinkageError),
}

/// What becomes of a call site.
pub(crate) fn call(
    program: &Program,
    caller: &Arc<Class>,
    site: &DynamicSite,
    index: u16,
    place: Place,
) -> Result<Outcome, Refusal> {
    resolve(program, caller, site, index, |synthesis| {
        let MethodHandle::Method(_, bootstrap) = &site.bootstrap else { return Ok(None) };
        match (&*bootstrap.class, &*bootstrap.name) {
            ("java/lang/invoke/LambdaMetafactory", "metafactory" | "altMetafactory") => {
                lambda::synthesise(synthesis, place)
            }
            ("java/lang/invoke/StringConcatFactory", "makeConcatWithConstants" | "makeConcat") => {
                concat::synthesise(synthesis)
            }
            ("java/lang/runtime/ObjectMethods", "bootstrap") => records::synthesise(synthesis),
            ("java/lang/runtime/SwitchBootstraps", "typeSwitch") => {
                switches::synthesise(synthesis, switches::Flavour::Type)
            }
            ("java/lang/runtime/SwitchBootstraps", "enumSwitch") => {
                switches::synthesise(synthesis, switches::Flavour::Enum)
            }
            _ => Ok(None),
        }
    })
}

/// What becomes of a dynamic constant.
pub(crate) fn constant(
    program: &Program,
    caller: &Arc<Class>,
    site: &DynamicSite,
    index: u16,
) -> Result<Outcome, Refusal> {
    resolve(program, caller, site, index, constants::synthesise)
}

fn resolve(
    program: &Program,
    caller: &Arc<Class>,
    site: &DynamicSite,
    index: u16,
    synthesise: impl FnOnce(&Synthesis<'_>) -> Result<Option<MethodRef>, Refusal>,
) -> Result<Outcome, Refusal> {
    if let Some(error) = unlinked(Linkage { program, from: caller }.site(site))? {
        return Ok(Outcome::Linkage(error));
    }
    let method = synthesise(&Synthesis { program, caller, site, index })?;
    Ok(method.map_or(Outcome::Unknown, Outcome::Method))
}

/// The error with which the JVM fails to resolve a method-handle constant.
pub(crate) fn unlinked_handle(
    program: &Program,
    caller: &Arc<Class>,
    handle: &MethodHandle,
) -> Result<Option<LinkageError>, Refusal> {
    unlinked(Linkage { program, from: caller }.handle(handle))
}

/// The error with which the JVM fails to resolve a method-type constant.
pub(crate) fn unlinked_method_type(
    program: &Program,
    caller: &Arc<Class>,
    descriptor: &str,
) -> Result<Option<LinkageError>, Refusal> {
    unlinked(Linkage { program, from: caller }.method_type(descriptor))
}

fn unlinked(linked: Result<(), linkage::Failure>) -> Result<Option<LinkageError>, Refusal> {
    match linked {
        Ok(()) => Ok(None),
        Err(linkage::Failure::Linkage(error)) => Ok(Some(error)),
        Err(linkage::Failure::Malformed(error)) => Err(error.into()),
    }
}

/// What a synthesised class is made from.
struct Synthesis<'a> {
    program: &'a Program,
    caller: &'a Arc<Class>,
    site: &'a DynamicSite,
    index: u16,
}

/// Where a call site is: constants are shared by sites that look alike, and each has a lambda of its own all the same.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    /// Which method of its class it is in.
    pub(crate) method: usize,
    pub(crate) pc: u16,
}

/// Name of the static method in a synthesised class that stands for the site.
const SITE_METHOD: &str = "site";

impl Synthesis<'_> {
    /// A name that no class file can mention: `.` is not allowed in one.
    fn class_name(&self, what: &str) -> String {
        format!("{}$${what}.{}", self.caller.name(), self.index)
    }

    /// The same for a class of which each call site has one.
    fn class_name_of_site(&self, what: &str, place: Place) -> String {
        format!("{}$${what}.{}.{}", self.caller.name(), place.method, place.pc)
    }

    fn is_interface(&self, class: &str) -> bool {
        self.program.class(class).is_ok_and(|class| class.is_interface())
    }

    /// Defines a class with nothing but the site's method.
    fn define_method(
        &self,
        what: &str,
        descriptor: &str,
        build: impl FnOnce(&mut CodeWriter<'_>),
    ) -> Result<Option<MethodRef>, Refusal> {
        let name = self.class_name(what);
        let mut class =
            ClassWriter::new(flags::FINAL | flags::SYNTHETIC, &name, "java/lang/Object", &[]);
        let slots = MethodDescriptor::parse(descriptor)?.parameter_slots() as u16;
        class.method(flags::STATIC | flags::SYNTHETIC, SITE_METHOD, descriptor, slots, build);
        self.define(class, &name, SITE_METHOD, descriptor)
    }

    /// `None` if the class does not fit into a class file.
    fn define(
        &self,
        class: ClassWriter,
        name: &str,
        method: &str,
        descriptor: &str,
    ) -> Result<Option<MethodRef>, Refusal> {
        let Some(bytes) = class.finish() else { return Ok(None) };
        self.program
            .define_synthetic(Arc::<[u8]>::from(bytes))
            .map_err(|error| Refusal::Class(error.to_string()))?;
        Ok(Some(MethodRef {
            class: name.into(),
            name: method.into(),
            descriptor: descriptor.into(),
        }))
    }
}
