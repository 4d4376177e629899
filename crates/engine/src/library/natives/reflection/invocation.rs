//! Calls and accesses through `Method`, `Constructor` and `Field`.
//!
//! Where the class library would make code at run time or go through method handles, it is led to the
//! accessors that are native, which are modelled here. A call catches what the target throws and boxes
//! what it returns: the code for that is a class that is made up here.

use petrel_classfile::writer::ClassWriter;
use petrel_classfile::{JavaType, flags, op};
use petrel_program::ResolvedMethod;
use smallvec::smallvec;

use super::parsed;
use crate::library::natives::{
    Answer, Entry, Then, argument, give, reference, throw, throw_null_pointer, yes,
};
use crate::machine::{
    Arguments, Defect, Initialisation, Machine, MethodNumber, Reason, Reference, Stop, TypeId,
    Undecided, Value,
};

const ACCESSORS: &str = "jdk/internal/reflect/MethodHandleAccessorFactory";
const TARGET_EXCEPTION: &str = "java/lang/reflect/InvocationTargetException";
const ILLEGAL_ARGUMENT: &str = "java/lang/IllegalArgumentException";
const INVOKE: &str =
    "(Ljava/lang/reflect/Method;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;";
const NEW_INSTANCE: &str = "(Ljava/lang/reflect/Constructor;[Ljava/lang/Object;)Ljava/lang/Object;";
/// Of an accessor until Java 17: without the member, which it knows.
const ACCESSOR_INVOKE: &str = "(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;";
const ACCESSOR_NEW_INSTANCE: &str = "([Ljava/lang/Object;)Ljava/lang/Object;";

/// A name that no class file can mention.
const CALLER: &str = "petrel/Reflection.jvm";

pub(in crate::library::natives) const TABLE: &[Entry] = &[
    (ACCESSORS, "useNativeAccessor", "(Ljava/lang/reflect/Executable;)Z", yes),
    (
        ACCESSORS,
        "newFieldAccessor",
        "(Ljava/lang/reflect/Field;Z)Ljdk/internal/reflect/FieldAccessorImpl;",
        field_accessor,
    ),
    ("sun/reflect/NativeMethodAccessorImpl", "invoke", ACCESSOR_INVOKE, invoke_by_accessor),
    (
        "jdk/internal/reflect/NativeMethodAccessorImpl",
        "invoke",
        ACCESSOR_INVOKE,
        invoke_by_accessor,
    ),
    ("jdk/internal/reflect/DirectMethodHandleAccessor$NativeAccessor", "invoke0", INVOKE, invoke),
    (
        "sun/reflect/NativeConstructorAccessorImpl",
        "newInstance",
        ACCESSOR_NEW_INSTANCE,
        construct_by_accessor,
    ),
    (
        "jdk/internal/reflect/NativeConstructorAccessorImpl",
        "newInstance",
        ACCESSOR_NEW_INSTANCE,
        construct_by_accessor,
    ),
    (
        "jdk/internal/reflect/DirectConstructorHandleAccessor$NativeAccessor",
        "newInstance0",
        NEW_INSTANCE,
        construct,
    ),
    (CALLER, "target", "(Ljava/lang/Object;Ljava/lang/Object;[Ljava/lang/Object;)Z", call_target),
    (CALLER, "target", "(Ljava/lang/Object;Ljava/lang/Object;[Ljava/lang/Object;)B", call_target),
    (CALLER, "target", "(Ljava/lang/Object;Ljava/lang/Object;[Ljava/lang/Object;)S", call_target),
    (CALLER, "target", "(Ljava/lang/Object;Ljava/lang/Object;[Ljava/lang/Object;)C", call_target),
    (CALLER, "target", "(Ljava/lang/Object;Ljava/lang/Object;[Ljava/lang/Object;)I", call_target),
    (CALLER, "target", "(Ljava/lang/Object;Ljava/lang/Object;[Ljava/lang/Object;)J", call_target),
    (CALLER, "target", "(Ljava/lang/Object;Ljava/lang/Object;[Ljava/lang/Object;)F", call_target),
    (CALLER, "target", "(Ljava/lang/Object;Ljava/lang/Object;[Ljava/lang/Object;)D", call_target),
    (CALLER, "target", "(Ljava/lang/Object;Ljava/lang/Object;[Ljava/lang/Object;)V", call_target),
    (
        CALLER,
        "target",
        "(Ljava/lang/Object;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;",
        call_target,
    ),
];

/// Result types of methods, and the class of the box.
const RESULTS: &[(&str, &str)] = &[
    ("Z", "java/lang/Boolean"),
    ("B", "java/lang/Byte"),
    ("S", "java/lang/Short"),
    ("C", "java/lang/Character"),
    ("I", "java/lang/Integer"),
    ("J", "java/lang/Long"),
    ("F", "java/lang/Float"),
    ("D", "java/lang/Double"),
];

/// What a method handle stands for that the accessor of a field has.
#[derive(Debug, Clone, Copy)]
pub(in crate::library) enum FieldHandle {
    /// A field of the instances of a class.
    Instance { class: TypeId, slot: u16 },
    /// A static field.
    Static { number: u32 },
}

impl Machine<'_> {
    /// A call of a method handle that the accessor of a field has.
    pub(in crate::library::natives) fn call_field_handle(
        &mut self,
        handle: FieldHandle,
        arguments: &[Value],
    ) -> Result<Answer, Stop> {
        match handle {
            FieldHandle::Static { number } => match arguments.get(1) {
                None => give(self.static_at(number)),
                Some(&value) => {
                    self.set_static(number, value);
                    give(Value::NULL)
                }
            },
            FieldHandle::Instance { class, slot } => {
                let object = reference(arguments, 1);
                if object.is_null() {
                    return throw_null_pointer();
                }
                if !self.is_instance(object, class) {
                    // The accessor makes another exception of it.
                    return Ok(Answer::Throw("java/lang/ClassCastException", None));
                }
                match arguments.get(2) {
                    None => give(self.heap.field(object, slot)),
                    Some(&value) => {
                        self.heap.set_field(object, slot, value);
                        give(Value::NULL)
                    }
                }
            }
        }
    }

    /// The method of the made-up class that calls a target and does what has to be done after.
    fn caller(&mut self, name: &str) -> Result<MethodNumber, Stop> {
        let broken = |why| Stop::defect(Defect::Synthesised("the caller".to_owned(), why));
        let bytes = caller_class().ok_or_else(|| broken("does not fit".to_owned()))?;
        self.program.define_synthetic(bytes).map_err(|error| broken(error.to_string()))?;
        self.declared(
            CALLER,
            name,
            "(Ljava/lang/Object;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;",
        )
    }

    /// The arguments in an `Object[]`, as a method wants them. `None` if one does not fit.
    fn unpack(
        &mut self,
        method: &ResolvedMethod,
        array: Reference,
    ) -> Result<Option<Arguments>, Stop> {
        let mut unpacked = Arguments::new();
        for (index, parameter) in parsed(method)?.parameters.iter().enumerate() {
            let object = self.heap.element(array, index);
            let wanted = self.type_of(parameter);
            let value = if wanted.is_primitive() {
                self.unbox(object.as_reference(), parameter)?
            } else {
                let reference = object.as_reference();
                let fits = reference.is_null() || self.is_instance(reference, wanted);
                fits.then_some(object)
            };
            let Some(value) = value else { return Ok(None) };
            unpacked.push(value);
        }
        Ok(Some(unpacked))
    }

    /// What is in a box, widened to a primitive type (JLS 5.1.2); `None` if that is not possible.
    fn unbox(&mut self, object: Reference, to: &JavaType) -> Result<Option<Value>, Stop> {
        if object.is_null() {
            return Ok(None);
        }
        let class = self.types.get(self.heap.class(object)).name.to_string();
        let Some((from, _)) = RESULTS.iter().find(|(_, boxed)| *boxed == class) else {
            return Ok(None);
        };
        let value = self.get_named(object, &class, "value")?;
        let to = to.to_string();
        if *from == to {
            return Ok(Some(value));
        }
        if value.is_symbolic() {
            return Err(Stop(Reason::Undecided(Undecided::ReflectiveArgument)));
        }
        let unstable = value.is_unstable();
        let widened = match (*from, &*to) {
            ("B", "S" | "I") | ("S" | "C", "I") => Some(value),
            ("B" | "S" | "C" | "I", "J") => Some(Value::long(value.as_int().into())),
            ("B" | "S" | "C" | "I", "F") => Some(Value::float(value.as_int() as f32)),
            ("B" | "S" | "C" | "I", "D") => Some(Value::double(value.as_int().into())),
            ("J", "F") => Some(Value::float(value.as_long() as f32)),
            ("J", "D") => Some(Value::double(value.as_long() as f64)),
            ("F", "D") => Some(Value::double(value.as_float().into())),
            _ => None,
        };
        Ok(widened.map(|value| value.marked(unstable)))
    }
}

/// For each type of result a method that calls `target`, which has a model, wraps what that throws,
/// and boxes what it returns; and one for constructors.
fn caller_class() -> Option<Vec<u8>> {
    let parameters = "Ljava/lang/Object;Ljava/lang/Object;[Ljava/lang/Object;";
    let to_object = format!("({parameters})Ljava/lang/Object;");
    let mut class = ClassWriter::new(flags::FINAL, CALLER, "java/lang/Object", &[]);
    let results = RESULTS.iter().copied().chain([("Ljava/lang/Object;", ""), ("V", "")]);
    for (result, boxed) in results {
        let target = format!("({parameters}){result}");
        // Its model is found before anything looks at the code.
        class.method(flags::STATIC, "target", &target, 3, |code| {
            code.op(op::RETURN);
        });
        let names = if result == "V" { ["V", "new"] } else { [&result[..1], ""] };
        for name in names.into_iter().filter(|name| !name.is_empty()) {
            class.method(flags::STATIC, name, &to_object, 3, |code| {
                let [start, end, handler] = [code.label(), code.label(), code.label()];
                code.place(start);
                code.local(op::ALOAD, 0).local(op::ALOAD, 1).local(op::ALOAD, 2);
                code.invoke(op::INVOKESTATIC, CALLER, "target", &target, false);
                code.place(end);
                match name {
                    "V" => {
                        code.op(op::ACONST_NULL);
                    }
                    "new" => {
                        code.local(op::ALOAD, 1);
                    }
                    "L" => {}
                    _ => {
                        let value_of = format!("({result})L{boxed};");
                        code.invoke(op::INVOKESTATIC, boxed, "valueOf", &value_of, false);
                    }
                }
                code.op(op::ARETURN);
                code.place(handler).local(op::ASTORE, 0);
                code.class(op::NEW, TARGET_EXCEPTION).op(op::DUP).local(op::ALOAD, 0);
                let wrap = "(Ljava/lang/Throwable;)V";
                code.invoke(op::INVOKESPECIAL, TARGET_EXCEPTION, "<init>", wrap, false);
                code.op(op::ATHROW);
                code.handler(start, end, handler, None);
            });
        }
    }
    class.finish()
}

fn invoke_by_accessor(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let passed = with_member(machine, arguments, "method")?;
    invoke(machine, &passed)
}

fn construct_by_accessor(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let passed = with_member(machine, arguments, "c")?;
    construct(machine, &passed)
}

/// The arguments of an accessor, with the member in place of the accessor.
fn with_member(
    machine: &mut Machine<'_>,
    arguments: &[Value],
    field: &str,
) -> Result<Arguments, Stop> {
    let accessor = reference(arguments, 0);
    let class = machine.types.get(machine.heap.class(accessor)).name.to_string();
    let mut passed: Arguments = arguments.into();
    passed[0] = machine.get_named(accessor, &class, field)?;
    Ok(passed)
}

/// What is wrong with the arguments of a call.
fn wrong_arguments(
    machine: &mut Machine<'_>,
    method: &ResolvedMethod,
    array: Reference,
) -> Result<Option<Answer>, Stop> {
    let expected = parsed(method)?.parameters.len();
    let given = if array.is_null() { 0 } else { machine.heap.length(array) };
    if given != expected {
        let is_counted = machine.has_method_handle_accessors();
        let text = if is_counted {
            format!("wrong number of arguments: {given} expected: {expected}")
        } else {
            "wrong number of arguments".to_owned()
        };
        return throw(ILLEGAL_ARGUMENT, text).map(Some);
    }
    if expected > 0 && machine.unpack(method, array)?.is_none() {
        return throw(ILLEGAL_ARGUMENT, "argument type mismatch").map(Some);
    }
    Ok(None)
}

impl Machine<'_> {
    /// Until Java 21 there are the accessors of earlier releases as well, and their message.
    fn has_native_accessors(&self) -> bool {
        self.program.class("jdk/internal/reflect/NativeMethodAccessorImpl").is_ok()
            || self.program.class("sun/reflect/NativeMethodAccessorImpl").is_ok()
    }

    /// Since Java 18 calls go through method handles, and some messages are others.
    fn has_method_handle_accessors(&self) -> bool {
        self.program.class("jdk/internal/reflect/DirectMethodHandleAccessor").is_ok()
    }
}

fn invoke(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let method = machine.method_behind(reference(arguments, 0))?;
    let class = machine.types.of_name(method.class().name());
    if method.is_static() {
        if !machine.is_initialised(class)? {
            return Ok(Answer::Initialise(class, Then::Again));
        }
    } else {
        let receiver = reference(arguments, 1);
        if receiver.is_null() {
            return throw_null_pointer();
        }
        if !machine.is_instance(receiver, class) {
            let text = if !machine.has_native_accessors() {
                let given = machine.class_name(receiver);
                let wanted = machine.types.class_name(class);
                format!("object of type {given} is not an instance of {wanted}")
            } else {
                "object is not an instance of declaring class".to_owned()
            };
            return throw(ILLEGAL_ARGUMENT, text);
        }
    }
    if let Some(wrong) = wrong_arguments(machine, &method, reference(arguments, 2))? {
        return Ok(wrong);
    }
    let result = method.descriptor().split_once(')').map_or("V", |(_, result)| result);
    let name = if result.starts_with('[') { "L" } else { &result[..1] };
    let caller = machine.caller(name)?;
    Ok(Answer::Call(caller, arguments.into(), Then::Result))
}

fn construct(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let constructor = machine.method_behind(reference(arguments, 0))?;
    let class = machine.types.of_name(constructor.class().name());
    if constructor.class().is_abstract() {
        let name = machine.types.class_name(class);
        return throw("java/lang/InstantiationException", name);
    }
    machine.layout(class)?;
    if machine.types.get(class).initialisation == Initialisation::NotStarted {
        return Ok(Answer::Initialise(class, Then::Again));
    }
    let array = reference(arguments, 1);
    if let Some(wrong) = wrong_arguments(machine, &constructor, array)? {
        return Ok(wrong);
    }
    let object = machine.new_object(class)?;
    let caller = machine.caller("new")?;
    let passed =
        smallvec![argument(arguments, 0), Value::reference(object), argument(arguments, 1)];
    Ok(Answer::Call(caller, passed, Then::Result))
}

/// The call itself; what could be wrong with it was looked at before.
fn call_target(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let method = machine.method_behind(reference(arguments, 0))?;
    let array = reference(arguments, 2);
    let mut passed = Arguments::new();
    if !method.is_static() {
        passed.push(argument(arguments, 1));
    }
    passed.extend(machine.unpack(&method, array)?.unwrap_or_default());
    let number = machine.method_number(&method);
    let is_selected = !method.is_static() && !method.is_private() && !method.is_constructor();
    Ok(if is_selected {
        Answer::CallVirtual(number, passed, Then::Result)
    } else {
        Answer::Call(number, passed, Then::Result)
    })
}

/// Since Java 18 the accessor of a field has method handles that get and set it.
fn field_accessor(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let (class, field) = machine.field_behind(reference(arguments, 0))?;
    if !machine.is_initialised(class)? {
        return Ok(Answer::Initialise(class, Then::Again));
    }
    let (_, place) = machine.place_behind(reference(arguments, 0))?;
    let stands_for = if field.is_static() {
        FieldHandle::Static { number: place }
    } else {
        FieldHandle::Instance { class, slot: place as u16 }
    };
    let handle_class = machine.types.of_name("java/lang/invoke/MethodHandle");
    let handle = machine.new_object(handle_class)?;
    machine.library.modelled.field_handles.insert(handle, stands_for);
    machine.note_modelled(handle);
    let boxed = RESULTS.iter().find(|(descriptor, _)| *descriptor == field.descriptor());
    let kind = boxed.map_or("Object", |(_, boxed)| boxed.trim_start_matches("java/lang/"));
    let accessor = format!("jdk/internal/reflect/MethodHandle{kind}FieldAccessorImpl");
    let accessor_class = machine.types.of_name(&accessor);
    let object = machine.new_object(accessor_class)?;
    let constructor = machine.declared(
        &accessor,
        "<init>",
        "(Ljava/lang/reflect/Field;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodHandle;ZZ)V",
    )?;
    let passed = smallvec![
        Value::reference(object),
        argument(arguments, 0),
        Value::reference(handle),
        Value::reference(handle),
        argument(arguments, 1),
        Value::boolean(field.is_static()),
    ];
    Ok(Answer::Call(constructor, passed, Then::Give(Value::reference(object))))
}
