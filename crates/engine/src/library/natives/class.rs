//! `java.lang.Class`, as far as it is no reflection on members.

use std::sync::Arc;

use smallvec::smallvec;

use petrel_classfile::flags;
use petrel_program::{Class, Origin};
use petrel_translate::stub::is_stub;

use super::{
    Answer, Entry, Then, argument, give, give_reference, nothing, reference, throw,
    throw_null_pointer, yes,
};
use crate::machine::{
    Feature, LeftOut, MOST_DIMENSIONS, Machine, Platform, Reference, Stop, TypeId, Value,
    dimensions,
};

const CLASS: &str = "java/lang/Class";
const TO_CLASS: &str = "()Ljava/lang/Class;";
const TO_STRING: &str = "()Ljava/lang/String;";

pub(super) const TABLE: &[Entry] = &[
    (CLASS, "getPrimitiveClass", "(Ljava/lang/String;)Ljava/lang/Class;", primitive_class),
    (CLASS, "desiredAssertionStatus", "()Z", has_assertions),
    (CLASS, "desiredAssertionStatus0", "(Ljava/lang/Class;)Z", has_assertions),
    (CLASS, "initClassName", TO_STRING, name),
    (CLASS, "getName0", TO_STRING, name),
    (CLASS, "getSimpleName", TO_STRING, simple_name),
    (CLASS, "isArray", "()Z", is_array),
    (CLASS, "isPrimitive", "()Z", is_primitive),
    (CLASS, "isInterface", "()Z", is_interface),
    (CLASS, "isHidden", "()Z", is_hidden),
    (CLASS, "isEnum", "()Z", is_enum),
    (CLASS, "isRecord", "()Z", is_record),
    (CLASS, "isRecord0", "()Z", is_record),
    (CLASS, "isInstance", "(Ljava/lang/Object;)Z", is_instance),
    (CLASS, "isAssignableFrom", "(Ljava/lang/Class;)Z", is_assignable_from),
    (CLASS, "getSuperclass", TO_CLASS, superclass),
    (CLASS, "getComponentType", TO_CLASS, component_type),
    (CLASS, "getInterfaces", "()[Ljava/lang/Class;", interfaces),
    (CLASS, "getInterfaces", "(Z)[Ljava/lang/Class;", interfaces),
    (CLASS, "getInterfaces0", "()[Ljava/lang/Class;", interfaces),
    (CLASS, "getModifiers", "()I", modifiers),
    (CLASS, "getEnumConstantsShared", "()[Ljava/lang/Object;", enum_constants),
    (CLASS, "getClassLoader", "()Ljava/lang/ClassLoader;", class_loader),
    (CLASS, "getModule", "()Ljava/lang/Module;", module),
    (CLASS, "getResource", "(Ljava/lang/String;)Ljava/net/URL;", resources),
    (CLASS, "getResourceAsStream", "(Ljava/lang/String;)Ljava/io/InputStream;", resources),
    ("java/lang/Thread", "getContextClassLoader", "()Ljava/lang/ClassLoader;", context_loader),
    (CLASS, "getClassLoader0", "()Ljava/lang/ClassLoader;", nothing),
    (CLASS, "getPackageName", TO_STRING, package_name),
    (
        CLASS,
        "forName0",
        "(Ljava/lang/String;ZLjava/lang/ClassLoader;Ljava/lang/Class;)Ljava/lang/Class;",
        for_name,
    ),
    ("java/lang/ClassLoader", "getSystemClassLoader", "()Ljava/lang/ClassLoader;", loaders),
    ("jdk/internal/loader/BootLoader", "<clinit>", "()V", nothing),
    ("jdk/internal/misc/VM", "isSystemDomainLoader", "(Ljava/lang/ClassLoader;)Z", yes),
];

fn loaders(_: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    Err(Stop::unsupported(Platform::ClassLoaders))
}

fn resources(_: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    Err(Stop::unsupported(Platform::Resources))
}

/// Classes of the library that go through a module to a file of data.
const RESOURCE_READERS: &[&str] = &["sun/util/resources/BreakIteratorResourceBundle"];

/// There are no objects for modules. The class library compares them, and finds all the same; what
/// does more with one would take null for an error of the program.
fn module(machine: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    match machine.calling_class() {
        Some(caller) if RESOURCE_READERS.iter().any(|reader| caller.name().contains(reader)) => {
            Err(Stop::unsupported(Platform::Resources))
        }
        _ if machine.is_called_by_library() => give(Value::NULL),
        _ => Err(Stop::unsupported(Platform::Modules)),
    }
}

/// The boot loader is null for the program, too.
fn class_loader(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let class = machine.type_argument(arguments, 0)?;
    let module = machine.module_of(class);
    let is_booted =
        machine.is_of_library(class) && module.as_deref().and_then(loader_of_module).is_none();
    if is_booted || machine.is_called_by_library() {
        return give(Value::NULL);
    }
    Err(Stop::unsupported(Platform::ClassLoaders))
}

fn context_loader(machine: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    if machine.is_called_by_library() {
        return give(Value::NULL);
    }
    Err(Stop::unsupported(Platform::ClassLoaders))
}

/// Modules whose classes the platform class loader has, the others of a JDK being the boot loader's.
const PLATFORM_MODULES: &[&str] = &[
    "java.compiler",
    "java.net.http",
    "java.scripting",
    "java.security.jgss",
    "java.smartcardio",
    "java.sql",
    "java.sql.rowset",
    "java.transaction.xa",
    "java.xml.crypto",
    "jdk.accessibility",
    "jdk.charsets",
    "jdk.crypto.cryptoki",
    "jdk.crypto.ec",
    "jdk.dynalink",
    "jdk.httpserver",
    "jdk.jsobject",
    "jdk.localedata",
    "jdk.naming.dns",
    "jdk.security.auth",
    "jdk.security.jgss",
    "jdk.xml.dom",
    "jdk.zipfs",
];

/// The name of the class loader of a module of the JDK; the boot loader has none.
pub(crate) fn loader_of_module(module: &str) -> Option<&'static str> {
    PLATFORM_MODULES.contains(&module).then_some("platform")
}

impl Machine<'_> {
    /// Whether a class is of the JDK. Arrays are where their elements are.
    pub(crate) fn is_of_library(&mut self, id: TypeId) -> bool {
        if let Some(known) = self.types.get(id).of_library {
            return known;
        }
        let innermost = self.innermost(id);
        let found = innermost.is_primitive()
            || self.class(innermost).is_ok_and(|class| matches!(class.origin, Origin::Jdk { .. }));
        self.types.get_mut(id).of_library = Some(found);
        found
    }

    /// The module of the JDK that has a class.
    pub(crate) fn module_of(&mut self, id: TypeId) -> Option<String> {
        if self.library.modelled.is_java_8(self.program) {
            return None;
        }
        let innermost = self.innermost(id);
        if innermost.is_primitive() {
            return Some("java.base".to_owned());
        }
        match &self.class(innermost).ok()?.origin {
            Origin::Jdk { module } => module.as_deref().map(str::to_owned),
            _ => None,
        }
    }

    /// The class whose code calls the native method under way.
    pub(super) fn calling_class(&self) -> Option<Arc<Class>> {
        let address = self.calls_under_way().next()?;
        let (method, _) = self.code.origin(address)?;
        Some(Arc::clone(self.methods.get(method).resolved.class()))
    }

    pub(crate) fn is_called_by_library(&mut self) -> bool {
        let address = self.calls_under_way().next();
        address.is_some_and(|address| self.is_of_library_code(address))
    }

    /// Whether an instruction belongs to the class library, or to a class that was made up.
    pub(crate) fn is_of_library_code(&self, address: u32) -> bool {
        let Some((method, _)) = self.code.origin(address) else { return false };
        self.methods.get(method).of_library
    }

    fn innermost(&self, id: TypeId) -> TypeId {
        let mut innermost = id;
        while let Some((component, _)) = self.types.get(innermost).component {
            innermost = component;
        }
        innermost
    }

    /// The type behind a `Class` object that is an argument.
    fn type_argument(&self, arguments: &[Value], position: usize) -> Result<TypeId, Stop> {
        self.mirrored(reference(arguments, position))
            .ok_or_else(|| Stop::unsupported(Feature::ClassWithoutType))
    }

    /// `Class.getModifiers`.
    pub(in crate::library) fn class_modifiers(&mut self, of: TypeId) -> Result<i32, Stop> {
        let innermost = self.innermost(of);
        let declared = if innermost.is_primitive() {
            flags::PUBLIC | flags::FINAL | flags::ABSTRACT
        } else {
            let class = self.class(innermost)?;
            let file = &class.file;
            let own = file
                .inner_classes
                .iter()
                .find(|inner| file.constant_pool.class_name(inner.inner_class) == Ok(file.name()));
            own.map_or(file.access_flags, |inner| inner.access_flags) & !flags::SUPER
        };
        let modifiers = if of == innermost {
            declared
        } else {
            let access = flags::PUBLIC | flags::PRIVATE | flags::PROTECTED;
            declared & access | flags::FINAL | flags::ABSTRACT
        };
        Ok(i32::from(modifiers))
    }
}

fn primitive_class(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let name = machine.text_of(reference(arguments, 0)).unwrap_or_default();
    match TypeId::of_primitive_name(&name) {
        Some(id) => give_reference(machine.mirror(id)?),
        None => throw("java/lang/ClassNotFoundException", name),
    }
}

/// The name is kept in the object, as `getName` expects.
fn name(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let class = machine.type_argument(arguments, 0)?;
    let name = machine.types.class_name(class);
    if is_synthesised(machine, class) {
        let string = name_of_synthesised(machine, &name)?;
        return give_reference(string);
    }
    let string = machine.intern_text(&name);
    machine.set_named(reference(arguments, 0), CLASS, "name", string)?;
    give(string)
}

fn is_synthesised(machine: &mut Machine<'_>, class: TypeId) -> bool {
    machine.class(class).is_ok_and(|class| class.is_synthesised())
}

/// Classes of lambdas are.
fn is_hidden(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let id = machine.type_argument(arguments, 0)?;
    let is_hidden = machine.class(id).is_ok_and(|class| class.is_synthesised() && !is_stub(&class));
    give(Value::boolean(is_hidden))
}

/// Each JVM chooses names of its own for classes that no class file has, with a number behind a slash at their end.
fn name_of_synthesised(machine: &mut Machine<'_>, name: &str) -> Result<Reference, Stop> {
    let name = match name.rsplit_once("$$Lambda.") {
        Some((name, number)) => format!("{name}$$Lambda${number}/0x0000000000000000"),
        None => name.to_owned(),
    };
    let string = machine.new_text(&name)?;
    machine.set_unstable_string(string, true);
    Ok(string)
}

fn simple_name(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let class = machine.type_argument(arguments, 0)?;
    let text = simple_name_of(machine, class)?;
    if is_synthesised(machine, class) {
        let string = name_of_synthesised(machine, &text)?;
        return give_reference(string);
    }
    give(machine.intern_text(&text))
}

fn simple_name_of(machine: &mut Machine<'_>, id: TypeId) -> Result<String, Stop> {
    if let Some((component, _)) = machine.types.get(id).component {
        return Ok(format!("{}[]", simple_name_of(machine, component)?));
    }
    if id.is_primitive() {
        return Ok(machine.types.class_name(id));
    }
    let class = machine.class(id)?;
    let file = &class.file;
    let pool = &file.constant_pool;
    let inner = file
        .inner_classes
        .iter()
        .find(|inner| pool.class_name(inner.inner_class) == Ok(file.name()));
    Ok(match inner {
        Some(inner) if inner.inner_name == 0 => String::new(),
        Some(inner) => pool.utf8(inner.inner_name).unwrap_or_default().to_owned(),
        None => file.name().rsplit('/').next().unwrap_or_default().to_owned(),
    })
}

fn is_array(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let class = machine.type_argument(arguments, 0)?;
    give(Value::boolean(machine.types.get(class).component.is_some()))
}

fn is_primitive(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    give(Value::boolean(machine.type_argument(arguments, 0)?.is_primitive()))
}

/// Whether a class has these flags; arrays and primitive types have not.
fn has_flags(machine: &mut Machine<'_>, arguments: &[Value], wanted: u16) -> Result<bool, Stop> {
    let id = machine.type_argument(arguments, 0)?;
    if id.is_primitive() || machine.types.get(id).component.is_some() {
        return Ok(false);
    }
    Ok(machine.class(id)?.file.has_flags(wanted))
}

/// As with `java -ea`, the class library has none.
fn has_assertions(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let class = machine.type_argument(arguments, 0)?;
    let is_of_project = machine.program.is_project_class(&machine.types.get(class).name);
    if is_of_project {
        machine.note_left_out(LeftOut::Assertions);
    }
    give(Value::boolean(machine.limits().assertions && is_of_project))
}

fn is_interface(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    give(Value::boolean(has_flags(machine, arguments, flags::INTERFACE)?))
}

fn super_name(machine: &mut Machine<'_>, id: TypeId) -> Result<Option<String>, Stop> {
    if id.is_primitive() || machine.types.get(id).component.is_some() {
        return Ok(None);
    }
    Ok(machine.class(id)?.super_class().map(|above| above.name().to_owned()))
}

fn is_enum(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let id = machine.type_argument(arguments, 0)?;
    let direct = super_name(machine, id)?.as_deref() == Some("java/lang/Enum");
    give(Value::boolean(direct && has_flags(machine, arguments, flags::ENUM)?))
}

fn is_record(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let id = machine.type_argument(arguments, 0)?;
    give(Value::boolean(super_name(machine, id)?.as_deref() == Some("java/lang/Record")))
}

fn is_instance(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let class = machine.type_argument(arguments, 0)?;
    let object = reference(arguments, 1);
    give(Value::boolean(!object.is_null() && machine.is_instance(object, class)))
}

fn is_assignable_from(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let class = machine.type_argument(arguments, 0)?;
    if reference(arguments, 1).is_null() {
        return throw_null_pointer();
    }
    let other = machine.type_argument(arguments, 1)?;
    give(Value::boolean(machine.types.is_subtype(machine.program, other, class)))
}

fn superclass(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let id = machine.type_argument(arguments, 0)?;
    if machine.types.get(id).component.is_some() {
        return give_reference(machine.mirror(TypeId::OBJECT)?);
    }
    if has_flags(machine, arguments, flags::INTERFACE)? {
        return give(Value::NULL);
    }
    match super_name(machine, id)? {
        Some(name) => {
            let above = machine.types.of_name(&name);
            give_reference(machine.mirror(above)?)
        }
        None => give(Value::NULL),
    }
}

fn component_type(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let id = machine.type_argument(arguments, 0)?;
    match machine.types.get(id).component {
        Some((component, _)) => give_reference(machine.mirror(component)?),
        None => give(Value::NULL),
    }
}

fn interfaces(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let id = machine.type_argument(arguments, 0)?;
    let mut names = Vec::new();
    if machine.types.get(id).component.is_some() {
        names = vec!["java/lang/Cloneable".to_owned(), "java/io/Serializable".to_owned()];
    } else if !id.is_primitive() {
        let class = machine.class(id)?;
        names.extend(class.interfaces().iter().map(|interface| interface.name().to_owned()));
    }
    give_reference(machine.class_array_of_names(names.iter().map(String::as_str))?)
}

fn modifiers(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let id = machine.type_argument(arguments, 0)?;
    give(Value::int(machine.class_modifiers(id)?))
}

/// The class library calls `values` by reflection and keeps what it gives.
fn enum_constants(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let id = machine.type_argument(arguments, 0)?;
    if super_name(machine, id)?.as_deref() != Some("java/lang/Enum") {
        return give(Value::NULL);
    }
    if !machine.is_initialised(id)? {
        return Ok(Answer::Initialise(id, Then::Again));
    }
    let mirror = machine.mirror(id)?;
    let slot = machine.slot_named(CLASS, "enumConstants")?;
    let kept = machine.heap.field(mirror, slot);
    if !kept.as_reference().is_null() {
        return give(kept);
    }
    let name = machine.types.get(id).name.to_string();
    let values = machine.declared(&name, "values", &format!("()[L{name};"))?;
    Ok(Answer::Call(values, smallvec![], Then::Keep(mirror, slot)))
}

fn package_name(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let id = machine.type_argument(arguments, 0)?;
    let id = machine.innermost(id);
    let name = if id.is_primitive() {
        "java.lang".to_owned()
    } else {
        let name = machine.types.class_name(id);
        name.rsplit_once('.').map_or(String::new(), |(package, _)| package.to_owned())
    };
    give(machine.intern_text(&name))
}

/// The name of the class of the elements of an array, or of a class that is no array.
fn element_name(name: &str) -> &str {
    let element = name.trim_start_matches('[');
    let class = element.strip_prefix('L').and_then(|class| class.strip_suffix(';'));
    class.filter(|_| element.len() < name.len()).unwrap_or(name)
}

/// Whether there could be a class that is no array with this name.
fn is_class_name(name: &str) -> bool {
    name.split('.').all(|part| !part.is_empty() && !part.contains(['/', ';', '[']))
}

fn for_name(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let Some(name) = machine.text_of(reference(arguments, 0)) else {
        return throw_null_pointer();
    };
    if dimensions(&name) > MOST_DIMENSIONS {
        return throw("java/lang/ClassNotFoundException", name);
    }
    let id = machine.types.of_name(&name.replace('.', "/"));
    let innermost = machine.innermost(id);
    let exists = innermost.is_primitive() && innermost != id
        || !name.contains('/') && machine.class(innermost).is_ok();
    if !exists {
        // What the JDK in use does not have is not there. Anything else may be missing on the class path alone.
        let element = element_name(&name);
        if is_class_name(element) && !element.starts_with("java.") {
            machine.refuse_missing(element)?;
        }
        return throw("java/lang/ClassNotFoundException", name);
    }
    let mirror = machine.mirror(id)?;
    if argument(arguments, 1).as_int() != 0 && innermost == id && !machine.is_initialised(id)? {
        return Ok(Answer::Initialise(id, Then::Give(Value::reference(mirror))));
    }
    give_reference(mirror)
}
