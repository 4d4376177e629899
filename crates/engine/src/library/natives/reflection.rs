//! Members as objects: `Field`, `Method`, `Constructor` and `RecordComponent`.
//!
//! The objects are filled in as the JVM does it, field by field; everything else about them is the
//! class library's own code.

pub(super) mod invocation;

use petrel_classfile::{JavaType, MethodDescriptor, flags};
use petrel_program::{ResolvedField, ResolvedMethod};
use smallvec::smallvec;

use super::{
    Answer, Entry, Then, argument, give, give_reference, nothing, reference, throw_null_pointer,
};
use crate::machine::{Feature, Machine, Platform, Reference, Stop, TypeId, Value};

const CLASS: &str = "java/lang/Class";
const FIELD: &str = "java/lang/reflect/Field";
const METHOD: &str = "java/lang/reflect/Method";
const CONSTRUCTOR: &str = "java/lang/reflect/Constructor";
const COMPONENT: &str = "java/lang/reflect/RecordComponent";
const PARAMETER: &str = "java/lang/reflect/Parameter";
const SECRETS: &str = "jdk/internal/access/SharedSecrets";
const TO_CLASSES: &str = "()[Ljava/lang/Class;";
const TO_BYTES: &str = "()[B";

pub(super) const TABLE: &[Entry] = &[
    (CLASS, "getDeclaredFields0", "(Z)[Ljava/lang/reflect/Field;", declared_fields),
    (CLASS, "getDeclaredMethods0", "(Z)[Ljava/lang/reflect/Method;", declared_methods),
    (
        CLASS,
        "getDeclaredConstructors0",
        "(Z)[Ljava/lang/reflect/Constructor;",
        declared_constructors,
    ),
    (CLASS, "getDeclaredClasses0", TO_CLASSES, declared_classes),
    (CLASS, "getDeclaringClass0", "()Ljava/lang/Class;", declaring_class),
    (CLASS, "getSimpleBinaryName0", "()Ljava/lang/String;", simple_binary_name),
    (CLASS, "getEnclosingMethod0", "()[Ljava/lang/Object;", enclosing_method),
    (CLASS, "getGenericSignature0", "()Ljava/lang/String;", generic_signature),
    (CLASS, "getRecordComponents0", "()[Ljava/lang/reflect/RecordComponent;", record_components),
    (CLASS, "getPermittedSubclasses0", TO_CLASSES, permitted_subclasses),
    (CLASS, "getNestHost0", "()Ljava/lang/Class;", nest_host),
    (CLASS, "getNestMembers0", TO_CLASSES, nest_members),
    (CLASS, "getProtectionDomain0", "()Ljava/security/ProtectionDomain;", nothing),
    (CLASS, "getSigners", "()[Ljava/lang/Object;", nothing),
    (CLASS, "getRawAnnotations", TO_BYTES, nothing),
    (CLASS, "getRawTypeAnnotations", TO_BYTES, nothing),
    (CLASS, "getConstantPool", "()Ljdk/internal/reflect/ConstantPool;", nothing),
    (CLASS, "getConstantPool", "()Lsun/reflect/ConstantPool;", nothing),
    (CLASS, "getClassFileVersion0", "()I", class_file_version),
    (CLASS, "getClassAccessFlagsRaw0", "()I", class_file_flags),
    (FIELD, "getTypeAnnotationBytes0", TO_BYTES, nothing),
    ("java/lang/reflect/Executable", "getTypeAnnotationBytes0", TO_BYTES, nothing),
    (
        "java/lang/reflect/Executable",
        "getParameters0",
        "()[Ljava/lang/reflect/Parameter;",
        parameters,
    ),
    (
        "sun/reflect/annotation/AnnotationParser",
        "parseAnnotations",
        "([BLjdk/internal/reflect/ConstantPool;Ljava/lang/Class;)Ljava/util/Map;",
        annotations,
    ),
    (
        "sun/reflect/annotation/AnnotationParser",
        "parseAnnotations",
        "([BLsun/reflect/ConstantPool;Ljava/lang/Class;)Ljava/util/Map;",
        annotations,
    ),
    (
        "jdk/internal/reflect/Reflection",
        "isCallerSensitive",
        "(Ljava/lang/reflect/Method;)Z",
        nothing,
    ),
    ("sun/reflect/Reflection", "isCallerSensitive", "(Ljava/lang/reflect/Method;)Z", nothing),
    (
        "jdk/internal/reflect/Reflection",
        "areNestMates",
        "(Ljava/lang/Class;Ljava/lang/Class;)Z",
        are_nest_mates,
    ),
    (
        "jdk/internal/reflect/Reflection",
        "verifyPublicMemberAccess",
        "(Ljava/lang/Class;I)Z",
        is_public_member,
    ),
    (
        "java/lang/reflect/AccessibleObject",
        "checkCanSetAccessible",
        "(Ljava/lang/Class;Ljava/lang/Class;Z)Z",
        can_set_accessible,
    ),
    // In Java 8: it looks at the standard streams to see whether the JVM has started.
    (CLASS, "checkInitted", "()V", nothing),
    (
        SECRETS,
        "getJavaLangReflectAccess",
        "()Ljdk/internal/access/JavaLangReflectAccess;",
        java_lang_reflect_access,
    ),
    (
        "jdk/internal/reflect/Reflection",
        "newIllegalAccessException",
        "(Ljava/lang/Class;Ljava/lang/Class;Ljava/lang/Class;I)Ljava/lang/IllegalAccessException;",
        illegal_access,
    ),
    (SECRETS, "ensureClassInitialized", "(Ljava/lang/Class;)V", initialise_class),
];

fn is_public(flags: u16) -> bool {
    flags & flags::PUBLIC != 0
}

impl Machine<'_> {
    /// The type behind the `Class` object that is called, if it has a class file.
    fn reflected(&mut self, arguments: &[Value]) -> Result<Option<TypeId>, Stop> {
        let id = self.mirrored(reference(arguments, 0));
        let id = id.ok_or_else(|| Stop::unsupported(Feature::ClassWithoutType))?;
        let has_file = !id.is_primitive() && self.types.get(id).component.is_none();
        Ok(has_file.then_some(id))
    }

    fn optional_text(&mut self, text: Option<&str>) -> Value {
        text.map_or(Value::NULL, |text| self.intern_text(text))
    }

    fn mirror_of_descriptor(&mut self, descriptor: &str) -> Result<Value, Stop> {
        let id = self.types.of_descriptor(descriptor);
        self.mirror(id).map(Value::reference)
    }

    fn class_array(&mut self, types: &[TypeId]) -> Result<Reference, Stop> {
        let array = self.new_array(TypeId::CLASSES, types.len())?;
        for (index, &id) in types.iter().enumerate() {
            let mirror = self.mirror(id)?;
            self.heap.set_element(array, index, Value::reference(mirror));
        }
        Ok(array)
    }

    pub(super) fn class_array_of_names<'n>(
        &mut self,
        names: impl Iterator<Item = &'n str>,
    ) -> Result<Reference, Stop> {
        let types: Vec<TypeId> = names.map(|name| self.types.of_name(name)).collect();
        self.class_array(&types)
    }

    fn object_array(&mut self, class: &str, elements: &[Reference]) -> Result<Reference, Stop> {
        let class = self.types.of_name(&format!("[L{class};"));
        let array = self.new_array(class, elements.len())?;
        for (index, &element) in elements.iter().enumerate() {
            self.heap.set_element(array, index, Value::reference(element));
        }
        Ok(array)
    }

    /// A `Field`.
    fn field_object(&mut self, field: &ResolvedField) -> Result<Reference, Stop> {
        let class = self.types.of_name(FIELD);
        let object = self.new_object(class)?;
        let declaring = self.types.of_name(field.class().name());
        let file = &field.class().file;
        let is_trusted = field.is_final()
            && (field.is_static() || file.super_name() == Some("java/lang/Record"));
        let values = [
            ("clazz", Value::reference(self.mirror(declaring)?)),
            ("slot", Value::int(field.index() as i32)),
            ("name", self.intern_text(field.name())),
            ("type", self.mirror_of_descriptor(field.descriptor())?),
            ("modifiers", Value::int(field.flags().into())),
            ("signature", self.optional_text(file.field_signature(field.declaration()))),
        ];
        for (name, value) in values {
            self.set_named(object, FIELD, name, value)?;
        }
        if self.has_field(FIELD, "trustedFinal") {
            self.set_named(object, FIELD, "trustedFinal", Value::boolean(is_trusted))?;
        }
        Ok(object)
    }

    /// A `Method` or `Constructor`.
    fn method_object(&mut self, method: &ResolvedMethod) -> Result<Reference, Stop> {
        let kind = if method.is_constructor() { CONSTRUCTOR } else { METHOD };
        let class = self.types.of_name(kind);
        let object = self.new_object(class)?;
        let declaring = self.types.of_name(method.class().name());
        let file = &method.class().file;
        let descriptor = parsed(method)?;
        let parameters: Vec<TypeId> =
            descriptor.parameters.iter().map(|java_type| self.type_of(java_type)).collect();
        let exceptions = file.method_exceptions(method.declaration());
        let values = [
            ("clazz", Value::reference(self.mirror(declaring)?)),
            ("slot", Value::int(method.index() as i32)),
            ("parameterTypes", Value::reference(self.class_array(&parameters)?)),
            ("exceptionTypes", Value::reference(self.class_array_of_names(exceptions)?)),
            ("modifiers", Value::int(method.flags().into())),
            ("signature", self.optional_text(file.method_signature(method.declaration()))),
        ];
        for (name, value) in values {
            self.set_named(object, kind, name, value)?;
        }
        if !method.is_constructor() {
            let name = self.intern_text(method.name());
            self.set_named(object, kind, "name", name)?;
            let result = match &descriptor.result {
                Some(result) => self.type_of(result),
                None => TypeId::VOID,
            };
            let result = self.mirror(result)?;
            self.set_named(object, kind, "returnType", Value::reference(result))?;
        }
        Ok(object)
    }

    fn type_of(&mut self, java_type: &JavaType) -> TypeId {
        self.types.of_descriptor(&java_type.to_string())
    }

    /// The method behind a `Method` or `Constructor`.
    fn method_behind(&mut self, object: Reference) -> Result<ResolvedMethod, Stop> {
        let kind = self.types.get(self.heap.class(object)).name.to_string();
        let (class, index) = self.member_behind(object, &kind)?;
        let found = self.class(class)?.methods().nth(index);
        found.ok_or_else(|| Stop::unsupported(Feature::OwnMethodObject))
    }

    /// The class and field behind a `Field`.
    fn field_behind(&mut self, object: Reference) -> Result<(TypeId, ResolvedField), Stop> {
        let (class, index) = self.member_behind(object, FIELD)?;
        let found = self.class(class)?.fields().nth(index);
        let found = found.ok_or_else(|| Stop::unsupported(Feature::OwnFieldObject))?;
        Ok((class, found))
    }

    fn member_behind(&mut self, object: Reference, kind: &str) -> Result<(TypeId, usize), Stop> {
        let mirror = self.get_named(object, kind, "clazz")?.as_reference();
        let class = self.mirrored(mirror);
        let class = class.ok_or_else(|| Stop::unsupported(Feature::MemberWithoutClass))?;
        let index = self.get_named(object, kind, "slot")?.as_int();
        Ok((class, index.max(0) as usize))
    }

    /// Where the field behind a `Field` is: its slot, or its number among all static fields.
    pub(super) fn place_behind(&mut self, object: Reference) -> Result<(TypeId, u32), Stop> {
        let (class, field) = self.field_behind(object)?;
        let place = self.layout(class)?.declared.get(field.index()).copied();
        Ok((class, place.unwrap_or_default()))
    }
}

fn parsed(method: &ResolvedMethod) -> Result<MethodDescriptor, Stop> {
    MethodDescriptor::parse(method.descriptor()).map_err(Stop::broken)
}

/// The library's class whose objects are made has to be initialised: it registers itself.
fn needs_initialisation(machine: &mut Machine<'_>, class: &str) -> Result<Option<Answer>, Stop> {
    let id = machine.types.of_name(class);
    let initialised = machine.is_initialised(id)?;
    Ok((!initialised).then_some(Answer::Initialise(id, Then::Again)))
}

fn declared_fields(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    if let Some(first) = needs_initialisation(machine, FIELD)? {
        return Ok(first);
    }
    let mut objects = Vec::new();
    if let Some(id) = machine.reflected(arguments)? {
        let only_public = argument(arguments, 1).as_int() != 0;
        for field in machine.class(id)?.fields() {
            if !only_public || is_public(field.flags()) {
                objects.push(machine.field_object(&field)?);
            }
        }
    }
    give_reference(machine.object_array(FIELD, &objects)?)
}

fn declared_methods(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    methods_of_kind(machine, arguments, METHOD)
}

fn declared_constructors(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    methods_of_kind(machine, arguments, CONSTRUCTOR)
}

fn methods_of_kind(
    machine: &mut Machine<'_>,
    arguments: &[Value],
    kind: &str,
) -> Result<Answer, Stop> {
    if let Some(first) = needs_initialisation(machine, kind)? {
        return Ok(first);
    }
    let mut objects = Vec::new();
    if let Some(id) = machine.reflected(arguments)? {
        let only_public = argument(arguments, 1).as_int() != 0;
        for method in machine.class(id)?.methods() {
            let is_of_kind =
                method.name() != "<clinit>" && method.is_constructor() == (kind == CONSTRUCTOR);
            if is_of_kind && (!only_public || is_public(method.flags())) {
                objects.push(machine.method_object(&method)?);
            }
        }
    }
    give_reference(machine.object_array(kind, &objects)?)
}

fn declared_classes(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let Some(id) = machine.reflected(arguments)? else {
        return give_reference(machine.class_array(&[])?);
    };
    let class = machine.class(id)?;
    let pool = &class.file.constant_pool;
    let members = class.file.inner_classes.iter().filter(|inner| {
        inner.outer_class != 0
            && pool.class_name(inner.outer_class) == Ok(class.name())
            && pool.class_name(inner.inner_class) != Ok(class.name())
    });
    let names = members.filter_map(|inner| pool.class_name(inner.inner_class).ok());
    give_reference(machine.class_array_of_names(names)?)
}

/// The class that declares a member class.
fn declaring_class(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let Some(id) = machine.reflected(arguments)? else { return give(Value::NULL) };
    let class = machine.class(id)?;
    let pool = &class.file.constant_pool;
    let own = class.file.inner_classes.iter().find(|inner| {
        inner.outer_class != 0 && pool.class_name(inner.inner_class) == Ok(class.name())
    });
    match own.and_then(|inner| pool.class_name(inner.outer_class).ok()) {
        Some(outer) => {
            let outer = machine.types.of_name(outer);
            give_reference(machine.mirror(outer)?)
        }
        None => give(Value::NULL),
    }
}

/// The name in the source of a class inside of another; null for others and anonymous ones.
fn simple_binary_name(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let Some(id) = machine.reflected(arguments)? else { return give(Value::NULL) };
    let class = machine.class(id)?;
    let pool = &class.file.constant_pool;
    let own = class.file.inner_classes.iter().find(|inner| {
        inner.inner_name != 0 && pool.class_name(inner.inner_class) == Ok(class.name())
    });
    let name = own.and_then(|inner| pool.utf8(inner.inner_name).ok());
    give(machine.optional_text(name))
}

/// The class around a local or anonymous class, and the name and descriptor of the method if it is
/// inside of one.
fn enclosing_method(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let Some(id) = machine.reflected(arguments)? else { return give(Value::NULL) };
    let class = machine.class(id)?;
    let Some((outer, method)) = class.file.enclosing_method() else { return give(Value::NULL) };
    let outer = machine.types.of_name(outer);
    let array = machine.new_array(TypeId::OBJECTS, 3)?;
    let outer = machine.mirror(outer)?;
    machine.heap.set_element(array, 0, Value::reference(outer));
    if let Some((name, descriptor)) = method {
        let (name, descriptor) = (machine.intern_text(name), machine.intern_text(descriptor));
        machine.heap.set_element(array, 1, name);
        machine.heap.set_element(array, 2, descriptor);
    }
    give_reference(array)
}

fn generic_signature(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let Some(id) = machine.reflected(arguments)? else { return give(Value::NULL) };
    let class = machine.class(id)?;
    give(machine.optional_text(class.file.signature()))
}

fn record_components(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    for class in [COMPONENT, METHOD] {
        if let Some(first) = needs_initialisation(machine, class)? {
            return Ok(first);
        }
    }
    let mut objects = Vec::new();
    if let Some(id) = machine.reflected(arguments)? {
        let class = machine.class(id)?;
        let pool = &class.file.constant_pool;
        let component_class = machine.types.of_name(COMPONENT);
        for component in class.file.record_components.iter().flatten() {
            let name = pool.utf8(component.name).unwrap_or_default();
            let descriptor = pool.utf8(component.descriptor).unwrap_or_default();
            let signature = component.signature.and_then(|signature| pool.utf8(signature).ok());
            let accessor = class.declared_method(name, &format!("(){descriptor}"));
            let accessor = match accessor {
                Some(accessor) => machine.method_object(&accessor)?,
                None => Reference::NULL,
            };
            let object = machine.new_object(component_class)?;
            let values = [
                ("clazz", argument(arguments, 0)),
                ("name", machine.intern_text(name)),
                ("type", machine.mirror_of_descriptor(descriptor)?),
                ("accessor", Value::reference(accessor)),
                ("signature", machine.optional_text(signature)),
            ];
            for (field, value) in values {
                machine.set_named(object, COMPONENT, field, value)?;
            }
            objects.push(object);
        }
    }
    give_reference(machine.object_array(COMPONENT, &objects)?)
}

/// Null for a class that is not sealed.
fn permitted_subclasses(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let Some(id) = machine.reflected(arguments)? else { return give(Value::NULL) };
    let class = machine.class(id)?;
    if class.file.permitted_subclasses().next().is_none() {
        return give(Value::NULL);
    }
    give_reference(machine.class_array_of_names(class.file.permitted_subclasses())?)
}

fn nest_host_of(machine: &mut Machine<'_>, id: TypeId) -> Result<TypeId, Stop> {
    if id.is_primitive() || machine.types.get(id).component.is_some() {
        return Ok(id);
    }
    let class = machine.class(id)?;
    Ok(class.file.nest_host().map_or(id, |host| machine.types.of_name(host)))
}

fn nest_host(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let Some(id) = machine.reflected(arguments)? else { return give(argument(arguments, 0)) };
    let host = nest_host_of(machine, id)?;
    give_reference(machine.mirror(host)?)
}

fn nest_members(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let Some(id) = machine.reflected(arguments)? else {
        let array = machine.object_array(CLASS, &[reference(arguments, 0)])?;
        return give_reference(array);
    };
    let host = nest_host_of(machine, id)?;
    let class = machine.class(host)?;
    let names = std::iter::once(class.name()).chain(class.file.nest_members());
    give_reference(machine.class_array_of_names(names)?)
}

fn are_nest_mates(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let [first, second] = [0, 1].map(|at| machine.mirrored(reference(arguments, at)));
    let (Some(first), Some(second)) = (first, second) else { return throw_null_pointer() };
    give(Value::boolean(nest_host_of(machine, first)? == nest_host_of(machine, second)?))
}

fn class_file_version(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let Some(id) = machine.reflected(arguments)? else { return give(Value::int(0)) };
    let class = machine.class(id)?;
    let (major, minor) = (class.file.major_version, class.file.minor_version);
    give(Value::int(i32::from(minor) << 16 | i32::from(major)))
}

fn class_file_flags(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let flags = match machine.reflected(arguments)? {
        Some(id) => machine.class(id)?.file.access_flags,
        None => flags::PUBLIC | flags::FINAL | flags::ABSTRACT,
    };
    give(Value::int(flags.into()))
}

/// Null if the class file does not name the parameters.
fn parameters(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    if let Some(first) = needs_initialisation(machine, PARAMETER)? {
        return Ok(first);
    }
    let method = machine.method_behind(reference(arguments, 0))?;
    let declared = &method.declaration().parameters;
    if declared.is_empty() {
        return give(Value::NULL);
    }
    let class = machine.types.of_name(PARAMETER);
    let mut objects = Vec::new();
    for (index, parameter) in declared.iter().enumerate() {
        let object = machine.new_object(class)?;
        let name = match parameter.name {
            0 => Value::NULL,
            name => {
                let name = method.class().file.constant_pool.utf8(name).unwrap_or_default();
                machine.intern_text(name)
            }
        };
        let values = [
            ("name", name),
            ("modifiers", Value::int(parameter.access_flags.into())),
            ("executable", argument(arguments, 0)),
            ("index", Value::int(index as i32)),
        ];
        for (field, value) in values {
            machine.set_named(object, PARAMETER, field, value)?;
        }
        objects.push(object);
    }
    give_reference(machine.object_array(PARAMETER, &objects)?)
}

/// Annotations are instances of classes that the JVM makes at run time. The class library asks for
/// those of its own members and gets by without.
fn annotations(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let class = machine.mirrored(reference(arguments, 2));
    let class = class.ok_or_else(|| Stop::unsupported(Platform::Annotations))?;
    if !machine.is_of_library(class) {
        return Err(Stop::unsupported(Platform::Annotations));
    }
    let none = machine.declared("java/util/Collections", "emptyMap", "()Ljava/util/Map;")?;
    Ok(Answer::Call(none, smallvec![], Then::Result))
}

/// The initialiser of `AccessibleObject` puts the object there, when the JVM boots. It cannot be run
/// from here: it wants a factory that may be waiting for this very object, which has no state.
fn java_lang_reflect_access(machine: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    let field = machine.static_named(SECRETS, "javaLangReflectAccess")?;
    if machine.static_at(field).as_reference().is_null() {
        let class = machine.types.of_name("java/lang/reflect/ReflectAccess");
        let made = Value::reference(machine.new_object(class)?);
        machine.set_static(field, made);
    }
    give(machine.static_at(field))
}

/// The library does it through a `Lookup`, whose objects have no class here.
fn initialise_class(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    match machine.mirrored(reference(arguments, 0)) {
        Some(class) if !class.is_primitive() => {
            Ok(Answer::Initialise(class, Then::Give(Value::NULL)))
        }
        _ => throw_null_pointer(),
    }
}

/// There are no objects for modules: packages count as exported.
fn is_public_member(_: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let modifiers = argument(arguments, 1).as_int();
    give(Value::boolean(modifiers & i32::from(flags::PUBLIC) != 0))
}

/// In the words of the library, which has the modules from the classes.
fn illegal_access(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let [current, member] = [0, 1].map(|at| machine.mirrored(reference(arguments, at)));
    let (Some(current), Some(member)) = (current, member) else {
        return Err(Stop::unsupported(Feature::AccessWithoutCaller));
    };
    let throwable = machine.types.of_name("java/lang/Throwable");
    if !machine.is_initialised(throwable)? {
        return Ok(Answer::Initialise(throwable, Then::Again));
    }
    let name = machine.types.class_name(member);
    // Whether a package is exported is said only where it is not.
    if machine.is_of_library(member) && !name.starts_with("java") {
        return Err(Stop::unsupported(Feature::AccessInside(name)));
    }
    let [current, member] = [current, member].map(|id| {
        let module = machine.module_of(id);
        let suffix = module.map_or(String::new(), |module| format!(" (in module {module})"));
        format!("class {}{suffix}", machine.types.class_name(id))
    });
    let modifiers = argument(arguments, 3).as_int();
    let access = i32::from(flags::PUBLIC | flags::PROTECTED | flags::PRIVATE);
    let library = machine.program.class("jdk/internal/reflect/Reflection");
    // Later releases have words for members without a modifier.
    let has_words = library.is_ok_and(|class| class.methods().any(|m| m.name() == "msgSuffix"));
    let with = if has_words && modifiers & access == 0 {
        "package access".to_owned()
    } else {
        format!("modifiers \"{}\"", modifiers_text(modifiers))
    };
    let text = format!("{current} cannot access a member of {member} with {with}");
    let units: Vec<u16> = text.encode_utf16().collect();
    let class = machine.types.of_name("java/lang/IllegalAccessException");
    give_reference(machine.new_throwable(class, Some(&units))?)
}

/// `Modifier.toString`.
fn modifiers_text(modifiers: i32) -> String {
    const WORDS: &[(i32, &str)] = &[
        (0x1, "public"),
        (0x4, "protected"),
        (0x2, "private"),
        (0x400, "abstract"),
        (0x8, "static"),
        (0x10, "final"),
        (0x80, "transient"),
        (0x40, "volatile"),
        (0x20, "synchronized"),
        (0x100, "native"),
        (0x800, "strictfp"),
        (0x200, "interface"),
    ];
    let words = WORDS.iter().filter(|(bit, _)| modifiers & bit != 0).map(|(_, word)| *word);
    words.collect::<Vec<_>>().join(" ")
}

/// Since Java 16 a program cannot open the inside of the JDK to itself; the text of the exception
/// has an identity hash code in it.
fn can_set_accessible(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let [caller, declaring] = [1, 2].map(|at| machine.mirrored(reference(arguments, at)));
    let (Some(caller), Some(declaring)) = (caller, declaring) else { return throw_null_pointer() };
    let is_strict = machine.program.class("jdk/internal/module/IllegalAccessLogger").is_err();
    if is_strict && machine.is_of_library(declaring) && !machine.is_of_library(caller) {
        let member = reference(arguments, 0);
        let kind = machine.types.get(machine.heap.class(member)).name.to_string();
        let class_modifiers = machine.class_modifiers(declaring)?;
        let modifiers = machine.get_named(member, &kind, "modifiers")?.as_int() & class_modifiers;
        let name = machine.types.class_name(declaring);
        if modifiers & i32::from(flags::PUBLIC) == 0 || !name.starts_with("java") {
            return Err(Stop::unsupported(Feature::AccessInside(name)));
        }
    }
    give(Value::boolean(true))
}
