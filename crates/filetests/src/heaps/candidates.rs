//! What an object can be whose static type is known. This is simpler than what Petrel does, and has
//! nothing in common with it.

use std::sync::Arc;

use petrel_classfile::{JavaType, flags};
use petrel_program::{Class, Program, ResolvedMethod};
use petrel_value::{Call, Object, Shared, Value};

/// Of a type that is not the project's, at most so many classes of the project are tried.
const MOST_CLASSES: usize = 3;
const OBJECT: &str = "java/lang/Object";
const ENUM: &str = "java/lang/Enum";

/// What a new object can be.
#[derive(Debug, Clone)]
pub(super) enum Candidate {
    /// An object of a class.
    Class(Arc<Class>),
    /// A constant of an enum, or another object that is no new one but the one that there is.
    Constant(Object),
    /// An object of the class library, of this class.
    Library(Object, &'static str),
    /// An array of this component type.
    Array(JavaType),
}

/// The candidates of the inputs of a method.
#[derive(Debug, Clone)]
pub(super) struct Candidates<'a> {
    pub(super) program: &'a Program,
    /// The project's own classes.
    pub(super) classes: &'a [Arc<Class>],
    /// Whether objects of the class library, constant strings and objects of static fields are tried.
    pub(super) has_library: bool,
    pub(super) method: &'a ResolvedMethod,
}

impl Candidates<'_> {
    /// The receivers for which the method is selected.
    pub(super) fn of_receiver(&self) -> Vec<Candidate> {
        let method = self.method;
        let mut candidates = self.of_type(&JavaType::Object(method.class().name().into()));
        candidates.retain(|candidate| {
            let Candidate::Class(class) = candidate else { return true };
            let declared =
                |above: &Arc<Class>| above.declared_method(method.name(), method.descriptor());
            // Private methods are not overridden.
            method.is_private()
                || class.lineage().find_map(declared).is_none_or(|selected| selected == *method)
        });
        candidates
    }

    /// The objects of a type.
    pub(super) fn of_type(&self, of: &JavaType) -> Vec<Candidate> {
        match of {
            JavaType::Array(component) => {
                let mut found = vec![Candidate::Array((**component).clone())];
                if let JavaType::Object(name) = &**component {
                    let below = self.classes_below(name).into_iter();
                    let others = below.filter(|class| class.name() != &**name);
                    let array = |class: Arc<Class>| JavaType::Object(class.name().into());
                    found.extend(others.map(array).map(Candidate::Array));
                }
                found
            }
            JavaType::Object(name) => {
                let classes = self.classes_below(name);
                let of_project = classes.iter().flat_map(|class| self.of_class(class));
                of_project.chain(self.of_library(name)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn of_library(&self, name: &str) -> Vec<Candidate> {
        if !self.has_library {
            return Vec::new();
        }
        let fits = |class: &str| self.program.is_assignable(class, name) == Ok(true);
        let mut found: Vec<Candidate> = library_objects()
            .into_iter()
            .filter(|(_, class)| fits(class))
            .map(|(object, class)| Candidate::Library(object, class))
            .collect();
        if fits("java/lang/String") {
            found.push(Candidate::Constant(Object::Shared(Shared::Constant("k".into()))));
        }
        if fits("java/lang/Integer") {
            // The one that the class library keeps.
            found.push(Candidate::Constant(Object::Boxed(Value::Int(7))));
        }
        if name == OBJECT {
            let arrays = [JavaType::Int, JavaType::Object("java/lang/String".into())];
            found.extend(arrays.map(Candidate::Array));
        }
        found.extend(self.of_static_fields(&fits));
        found
    }

    /// What the static fields of the file of the method hold that are references, and the first two elements of arrays.
    fn of_static_fields(&self, fits: &dyn Fn(&str) -> bool) -> Vec<Candidate> {
        let file = outermost(self.method.class().name());
        let here = self.classes.iter().filter(|class| outermost(class.name()) == file);
        let of_classes = here.flat_map(|class| class.fields().filter(|field| field.is_static()));
        let mut found = Vec::new();
        for field in of_classes.filter(|field| !field.has_flags(flags::SYNTHETIC | flags::ENUM)) {
            let (of, elements) = match JavaType::parse(field.descriptor()) {
                Ok(JavaType::Object(name)) => (name, vec![None]),
                Ok(JavaType::Array(component)) => match *component {
                    JavaType::Object(name) => (name, vec![Some(0), Some(1)]),
                    _ => continue,
                },
                _ => continue,
            };
            let shared = |element| {
                let (class, field) = (field.class().name().into(), field.name().into());
                Candidate::Constant(Object::Shared(Shared::Static { class, field, element }))
            };
            if fits(&of) {
                found.extend(elements.into_iter().map(shared));
            }
        }
        found
    }

    fn of_class(&self, class: &Arc<Class>) -> Vec<Candidate> {
        // A constant with a body has a class of its own, which declares no constants.
        if class.lineage().any(|above| above.name() == ENUM) {
            return constants(class).map(Candidate::Constant).collect();
        }
        // Of what the JDK keeps in its objects nothing is made up.
        let is_plain = |above: &Arc<Class>| {
            self.program.is_project_class(above.name())
                || above.fields().all(|field| field.is_static())
        };
        let is_made_up =
            !class.is_abstract() && !class.is_interface() && class.lineage().all(is_plain);
        if is_made_up { vec![Candidate::Class(Arc::clone(class))] } else { Vec::new() }
    }

    /// The classes that are assignable to a type. Of a type of the JDK, a few from the file of the method.
    fn classes_below(&self, name: &str) -> Vec<Arc<Class>> {
        let is_below =
            |class: &&Arc<Class>| self.program.is_assignable(class.name(), name).unwrap_or(false);
        let below = self.classes.iter().filter(is_below);
        if self.program.is_project_class(name) {
            return below.cloned().collect();
        }
        let file = outermost(self.method.class().name());
        let here = below.filter(|class| outermost(class.name()) == file);
        let mut found: Vec<Arc<Class>> = here.take(MOST_CLASSES).cloned().collect();
        if name == OBJECT {
            found.extend(self.program.class(name));
        }
        found
    }
}

/// One object of each kind: each may be made several times.
fn library_objects() -> [(Object, &'static str); 4] {
    let made = |class: &str, descriptor: &str, arguments: Vec<Value>| Object::Built {
        class: class.into(),
        by: Call {
            class: class.into(),
            name: "<init>".into(),
            descriptor: descriptor.into(),
            arguments,
        },
        calls: Vec::new(),
    };
    [
        (Object::String("k".into()), "java/lang/String"),
        (Object::Boxed(Value::Int(1000)), "java/lang/Integer"),
        (made("java/util/Date", "(J)V", vec![Value::Long(5)]), "java/util/Date"),
        (made("java/util/ArrayList", "()V", Vec::new()), "java/util/ArrayList"),
    ]
}

/// The class that a nested class is in, at the outside.
fn outermost(name: &str) -> &str {
    name.split('$').next().unwrap_or(name)
}

fn constants(class: &Arc<Class>) -> impl Iterator<Item = Object> {
    let fields = class.fields().filter(|field| field.has_flags(flags::ENUM));
    fields.map(|field| Object::EnumConstant {
        class: field.class().name().into(),
        name: field.name().into(),
    })
}
