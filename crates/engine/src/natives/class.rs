//! `java.lang.Class`, as far as it is no reflection on members.

use smallvec::smallvec;

use petrel_classfile::flags;

use super::{Answer, Entry, Then, argument, give, give_reference, nothing, reference, throw, throw_null_pointer, yes};
use crate::machine::{Machine, Stop};
use crate::types::TypeId;
use crate::value::Value;

const CLASS: &str = "java/lang/Class";
const TO_CLASS: &str = "()Ljava/lang/Class;";
const TO_STRING: &str = "()Ljava/lang/String;";

pub(super) const TABLE: &[Entry] = &[
    (CLASS, "getPrimitiveClass", "(Ljava/lang/String;)Ljava/lang/Class;", primitive_class),
    (CLASS, "desiredAssertionStatus", "()Z", nothing),
    (CLASS, "desiredAssertionStatus0", "(Ljava/lang/Class;)Z", nothing),
    (CLASS, "initClassName", TO_STRING, name),
    (CLASS, "getName0", TO_STRING, name),
    (CLASS, "getSimpleName", TO_STRING, simple_name),
    (CLASS, "isArray", "()Z", is_array),
    (CLASS, "isPrimitive", "()Z", is_primitive),
    (CLASS, "isInterface", "()Z", is_interface),
    (CLASS, "isHidden", "()Z", nothing),
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
    (CLASS, "getClassLoader", "()Ljava/lang/ClassLoader;", nothing),
    (CLASS, "getClassLoader0", "()Ljava/lang/ClassLoader;", nothing),
    (CLASS, "getPackageName", TO_STRING, package_name),
    (CLASS, "getNestHost0", TO_CLASS, itself),
    (CLASS, "forName0", "(Ljava/lang/String;ZLjava/lang/ClassLoader;Ljava/lang/Class;)Ljava/lang/Class;", for_name),
    (CLASS, "isSealed", "()Z", nothing),
    ("java/lang/ClassLoader", "getSystemClassLoader", "()Ljava/lang/ClassLoader;", loaders),
    ("jdk/internal/loader/BootLoader", "<clinit>", "()V", nothing),
    ("jdk/internal/misc/VM", "isSystemDomainLoader", "(Ljava/lang/ClassLoader;)Z", yes),
];

fn loaders(_: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    Err(Stop::unsupported("class loaders"))
}

impl Machine<'_> {
    /// The type behind a `Class` object that is an argument.
    fn type_argument(&self, arguments: &[Value], position: usize) -> Result<TypeId, Stop> {
        self.mirrored(reference(arguments, position))
            .ok_or_else(|| Stop::unsupported("a Class object that stands for no type"))
    }

    /// `Class.getModifiers`.
    pub(crate) fn class_modifiers(&mut self, of: TypeId) -> Result<i32, Stop> {
        let mut innermost = of;
        while let Some((component, _)) = self.types.get(innermost).component {
            innermost = component;
        }
        let declared = if innermost.is_primitive() {
            flags::PUBLIC | flags::FINAL | flags::ABSTRACT
        } else {
            let class = self.class(innermost)?;
            let file = &class.file;
            let own = file.inner_classes.iter().find(|inner| {
                file.constant_pool.class_name(inner.inner_class) == Ok(file.name())
            });
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

fn itself(_: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    give(argument(arguments, 0))
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
    let units: Vec<u16> = name.encode_utf16().collect();
    let string = Value::reference(machine.intern(&units));
    let slot = machine.slot_named(CLASS, "name")?;
    machine.heap.set_field(reference(arguments, 0), slot, string);
    give(string)
}

fn simple_name(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let class = machine.type_argument(arguments, 0)?;
    let text = simple_name_of(machine, class)?;
    let units: Vec<u16> = text.encode_utf16().collect();
    give_reference(machine.intern(&units))
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
    let inner =
        file.inner_classes.iter().find(|inner| pool.class_name(inner.inner_class) == Ok(file.name()));
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
    let array = machine.new_array(TypeId::CLASSES, names.len())?;
    for (index, name) in names.iter().enumerate() {
        let interface = machine.types.of_name(name);
        let mirror = machine.mirror(interface)?;
        machine.heap.set_element(array, index, Value::reference(mirror));
    }
    give_reference(array)
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
    let name = machine.types.get(id).name.to_string();
    let values = machine.declared(&name, "values", &format!("()[L{name};"))?;
    Ok(Answer::Call(values, smallvec![], Then::Result))
}

fn package_name(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let mut id = machine.type_argument(arguments, 0)?;
    while let Some((component, _)) = machine.types.get(id).component {
        id = component;
    }
    let name = if id.is_primitive() {
        "java.lang".to_owned()
    } else {
        let name = machine.types.class_name(id);
        name.rsplit_once('.').map_or(String::new(), |(package, _)| package.to_owned())
    };
    let units: Vec<u16> = name.encode_utf16().collect();
    give_reference(machine.intern(&units))
}

fn for_name(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let Some(name) = machine.text_of(reference(arguments, 0)) else {
        return throw_null_pointer();
    };
    let id = machine.types.of_name(&name.replace('.', "/"));
    let mut innermost = id;
    while let Some((component, _)) = machine.types.get(innermost).component {
        innermost = component;
    }
    let exists = innermost.is_primitive() && innermost != id
        || !name.contains('/') && machine.class(innermost).is_ok();
    if !exists {
        return throw("java/lang/ClassNotFoundException", name);
    }
    let mirror = machine.mirror(id)?;
    if argument(arguments, 1).as_int() != 0 && innermost == id && !machine.is_initialised(id)? {
        return Ok(Answer::Initialise(id, Then::Give(Value::reference(mirror))));
    }
    give_reference(mirror)
}
