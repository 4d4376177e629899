//! Stubs: classes that implement an interface or an abstract class by answers that are given beforehand
//! ("Automatic Unit Test Generation", section 7.4, mock objects).
//!
//! A stub is a real class, so that the engine and a JVM run the same code. It keeps its answers in a list, in
//! the order of the calls that they belong to.

use std::sync::Arc;

use petrel_classfile::writer::{ClassWriter, CodeWriter};
use petrel_classfile::{JavaType, MethodDescriptor, flags, op};
use petrel_program::{Class, Program, ResolvedMethod};
use rustc_hash::FxHashSet;

use crate::dynamic::convert::{convert, return_value};

/// Name of the method that adds an answer, and its descriptor.
pub const ANSWER: (&str, &str) = ("answer$", "(Ljava/lang/Object;)V");

const OBJECT: &str = "java/lang/Object";
const LIST: &str = "java/util/ArrayList";
const ANSWERS: &str = "answers$";
const NEXT: &str = "next$";

/// How the names of stubs end.
const SUFFIX: &str = "$PetrelStub";
/// Where stubs of the class library's types are: no class can be added to its packages.
const PACKAGE: &str = "petrel/stub/";

/// A stub.
#[derive(Debug, Clone)]
pub struct Stub {
    /// The class.
    pub class: Arc<Class>,
    /// The abstract methods that it implements.
    pub methods: Vec<ResolvedMethod>,
}

/// Whether a class is a stub.
pub fn is_stub(class: &Class) -> bool {
    class.is_synthesised() && class.name().ends_with(SUFFIX)
}

/// The class file of a stub of a type; `None` if there can be none.
pub fn class_file(program: &Program, of: &str) -> Option<Vec<u8>> {
    let class = program.class(of).ok()?;
    let methods = abstract_methods(&class)?;
    write(program, &class, &methods)
}

/// The type that a stub implements, by the stub's name; `None` if it is the name of none.
pub fn stubbed(name: &str) -> Option<String> {
    let of = name.strip_suffix(SUFFIX)?;
    Some(of.strip_prefix(PACKAGE).unwrap_or(of).to_owned())
}

/// Makes a stub of an interface or an abstract class; `None` if there can be none.
pub fn stub(program: &Program, of: &str) -> Option<Stub> {
    let class = program.class(of).ok()?;
    let methods = abstract_methods(&class)?;
    let bytes = write(program, &class, &methods)?;
    let class = program.define_synthetic(Arc::<[u8]>::from(bytes)).ok()?;
    Some(Stub { class, methods })
}

/// Whether an interface has exactly one abstract method.
pub fn is_functional(class: &Arc<Class>) -> bool {
    class.is_interface() && abstract_methods(class).is_some_and(|methods| methods.len() == 1)
}

/// The methods that a class has to implement to be no longer abstract; `None` if no class outside of it may.
fn abstract_methods(class: &Arc<Class>) -> Option<Vec<ResolvedMethod>> {
    // Only compilers extend these.
    if !class.is_abstract() || matches!(class.name(), "java/lang/Record" | "java/lang/Enum") {
        return None;
    }
    let mut known: FxHashSet<(String, String)> = FxHashSet::default();
    let mut found = Vec::new();
    let object = class.lineage().last()?;
    // What a class declares counts before what interfaces do, and an interface before those above it.
    let interfaces = class.all_interfaces().iter().rev();
    let own = class.is_interface().then_some(class);
    let types = [object].into_iter().filter(|_| class.is_interface());
    let types = types.chain(class.lineage().filter(|_| !class.is_interface()));
    for declaring in types.chain(own).chain(interfaces) {
        for method in declaring.methods() {
            let is_instance =
                !method.is_static() && !method.is_constructor() && !method.is_private();
            let key = (method.name().to_owned(), method.descriptor().to_owned());
            if !is_instance || !known.insert(key) || !method.is_abstract() {
                continue;
            }
            found.push(method);
        }
    }
    Some(found)
}

fn write(program: &Program, class: &Arc<Class>, methods: &[ResolvedMethod]) -> Option<Vec<u8>> {
    let of_project = program.is_project_class(class.name());
    if !of_project && !class.file.has_flags(flags::PUBLIC) {
        return None;
    }
    let name = if of_project {
        format!("{}{SUFFIX}", class.name())
    } else {
        format!("{PACKAGE}{}{SUFFIX}", class.name())
    };
    let (above, interfaces) = if class.is_interface() {
        (OBJECT, vec![class.name()])
    } else {
        (class.name(), Vec::new())
    };
    if above != OBJECT {
        let constructor = class.declared_method("<init>", "()V")?;
        let is_open = constructor.has_flags(flags::PUBLIC)
            || constructor.has_flags(flags::PROTECTED)
            || of_project && !constructor.is_private();
        if !is_open {
            return None;
        }
    }
    let mut writer = ClassWriter::new(flags::PUBLIC | flags::SUPER, &name, above, &interfaces);
    writer.field(flags::PRIVATE, ANSWERS, "Ljava/util/ArrayList;");
    writer.field(flags::PRIVATE, NEXT, "I");
    writer.method(flags::PUBLIC, "<init>", "()V", 1, |code| {
        code.local(op::ALOAD, 0);
        code.invoke(op::INVOKESPECIAL, above, "<init>", "()V", false);
        code.local(op::ALOAD, 0);
        code.class(op::NEW, LIST).op(op::DUP);
        code.invoke(op::INVOKESPECIAL, LIST, "<init>", "()V", false);
        code.field(op::PUTFIELD, &name, ANSWERS, "Ljava/util/ArrayList;");
        code.op(op::RETURN);
    });
    writer.method(flags::PUBLIC, ANSWER.0, ANSWER.1, 2, |code| {
        code.local(op::ALOAD, 0).field(op::GETFIELD, &name, ANSWERS, "Ljava/util/ArrayList;");
        code.local(op::ALOAD, 1);
        code.invoke(op::INVOKEVIRTUAL, LIST, "add", "(Ljava/lang/Object;)Z", false);
        code.op(op::POP).op(op::RETURN);
    });
    for method in methods {
        let descriptor = MethodDescriptor::parse(method.descriptor()).ok()?;
        let slots = descriptor.parameter_slots() as u16 + 1;
        let result = descriptor.result.clone();
        let access =
            if method.has_flags(flags::PROTECTED) { flags::PROTECTED } else { flags::PUBLIC };
        writer.method(access, method.name(), method.descriptor(), slots, |code| {
            if let Some(result) = &result {
                next_answer(code, &name, result);
            }
            return_value(code, result.as_ref());
        });
    }
    writer.finish()
}

/// Pushes the next answer.
fn next_answer(code: &mut CodeWriter<'_>, name: &str, result: &JavaType) {
    code.local(op::ALOAD, 0).field(op::GETFIELD, name, ANSWERS, "Ljava/util/ArrayList;");
    code.local(op::ALOAD, 0).op(op::DUP).field(op::GETFIELD, name, NEXT, "I");
    code.op(op::DUP_X1).int(1).op(op::IADD).field(op::PUTFIELD, name, NEXT, "I");
    code.invoke(op::INVOKEVIRTUAL, LIST, "get", "(I)Ljava/lang/Object;", false);
    convert(code, &JavaType::Object(OBJECT.into()), result);
}
