//! Types at run time, by dense numbers: what objects point to and checks compare.

use std::rc::Rc;
use std::sync::Arc;

use petrel_clp::ElementKind;
use petrel_program::{Class, LoadError, Program};
use rustc_hash::FxHashMap;

use crate::machine::value::Reference;

/// A type by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TypeId(pub(crate) u32);

/// Types with fixed numbers: references first, then the primitive ones.
macro_rules! fixed_types {
    ($($name:ident $text:literal),* $(,)?) => {
        const FIXED: &[&str] = &[$($text),*];

        #[allow(dead_code, reason = "the table is one list, whatever part of it is mentioned")]
        impl TypeId {
            fixed_types!(@number 0; $($name)*);
        }
    };
    (@number $number:expr; $name:ident $($rest:ident)*) => {
        pub(crate) const $name: TypeId = TypeId($number);
        fixed_types!(@number $number + 1; $($rest)*);
    };
    (@number $number:expr;) => {};
}

fixed_types! {
    BOOLEAN "Z", BYTE "B", SHORT "S", CHAR "C", INT "I", LONG "J", FLOAT "F", DOUBLE "D", VOID "V",
    OBJECT "java/lang/Object", CLASS "java/lang/Class", STRING "java/lang/String",
    THROWABLE "java/lang/Throwable", CLONEABLE "java/lang/Cloneable",
    SERIALIZABLE "java/io/Serializable",
    BOOLEANS "[Z", BYTES "[B", SHORTS "[S", CHARS "[C", INTS "[I", LONGS "[J", FLOATS "[F",
    DOUBLES "[D", OBJECTS "[Ljava/lang/Object;", STRINGS "[Ljava/lang/String;",
    CLASSES "[Ljava/lang/Class;",
}

/// How far the initialisation of a class got (JVMS 5.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Initialisation {
    NotStarted,
    UnderWay,
    Done,
    Failed,
}

/// Where the fields of a class are.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    /// How many slots an instance has.
    pub(crate) slots: u16,
    /// For each declared field its slot in instances, or its number among all static fields.
    pub(crate) declared: Box<[u32]>,
}

/// A class, interface, array or primitive type.
#[derive(Debug)]
pub(crate) struct Type {
    /// As in a `Class` constant; the descriptor of a primitive type.
    pub(crate) name: Arc<str>,
    /// Of an array: the type and kind of its elements.
    pub(crate) component: Option<(TypeId, ElementKind)>,
    /// Of a class or interface that was needed as such.
    pub(crate) class: Option<Arc<Class>>,
    pub(super) layout: Option<Layout>,
    pub(crate) initialisation: Initialisation,
    /// Whether it is of the JDK, once that was asked.
    pub(crate) of_library: Option<bool>,
    /// Its `Class` object, once there is one.
    pub(crate) mirror: Reference,
    /// All supertypes of a class with itself, ascending, once they were needed.
    supertypes: Option<Box<[TypeId]>>,
    /// The names of a class and its supertypes, once they were needed.
    names: Option<Rc<[Box<str>]>>,
}

/// All types that were mentioned.
#[derive(Debug)]
pub(crate) struct Types {
    types: Vec<Type>,
    numbers: FxHashMap<Arc<str>, TypeId>,
}

const PRIMITIVES: usize = TypeId::OBJECT.0 as usize;

impl Types {
    pub(super) fn new() -> Types {
        let mut types = Types { types: Vec::new(), numbers: FxHashMap::default() };
        for (number, name) in FIXED.iter().enumerate() {
            if number < PRIMITIVES {
                types.push((*name).into(), None);
            } else {
                types.of_name(name);
            }
        }
        types
    }

    fn push(&mut self, name: Arc<str>, component: Option<(TypeId, ElementKind)>) -> TypeId {
        self.types.push(Type {
            name,
            component,
            class: None,
            layout: None,
            initialisation: Initialisation::NotStarted,
            of_library: None,
            mirror: Reference::NULL,
            supertypes: None,
            names: None,
        });
        TypeId(self.types.len() as u32 - 1)
    }

    /// The class, interface or array with this name, as in a `Class` constant.
    pub(crate) fn of_name(&mut self, name: &str) -> TypeId {
        if let Some(&id) = self.numbers.get(name) {
            return id;
        }
        let component = name.strip_prefix('[').map(|component| {
            let kind = ElementKind::of_array(name).unwrap_or(ElementKind::Reference);
            (self.of_descriptor(component), kind)
        });
        let name: Arc<str> = name.into();
        let id = self.push(Arc::clone(&name), component);
        self.numbers.insert(name, id);
        id
    }

    /// The type of a field descriptor.
    pub(crate) fn of_descriptor(&mut self, descriptor: &str) -> TypeId {
        match descriptor.strip_prefix('L').and_then(|name| name.strip_suffix(';')) {
            Some(name) => self.of_name(name),
            None => match Types::primitive(descriptor) {
                Some(id) => id,
                None => self.of_name(descriptor),
            },
        }
    }

    /// The primitive type with this descriptor.
    pub(super) fn primitive(descriptor: &str) -> Option<TypeId> {
        let number = FIXED[..PRIMITIVES].iter().position(|&name| name == descriptor)?;
        Some(TypeId(number as u32))
    }

    /// The array type with elements of this type.
    pub(crate) fn array_of(&mut self, component: TypeId) -> TypeId {
        let name = format!("[{}", self.descriptor(component));
        self.of_name(&name)
    }

    /// How many dimensions an array type has; 0 for other types.
    pub(crate) fn dimensions(&self, id: TypeId) -> usize {
        if id.is_primitive() { 0 } else { dimensions(&self.get(id).name) }
    }

    pub(crate) fn descriptor(&self, id: TypeId) -> String {
        let name = &self.get(id).name;
        if id.is_primitive() || name.starts_with('[') {
            name.to_string()
        } else {
            format!("L{name};")
        }
    }

    /// The `Class` objects.
    pub(super) fn for_each_mirror(&self, visit: impl FnMut(Reference)) {
        self.types.iter().map(|known| known.mirror).for_each(visit);
    }

    #[inline]
    pub(crate) fn get(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, id: TypeId) -> &mut Type {
        &mut self.types[id.0 as usize]
    }

    /// The class file behind a type that is no array and not primitive.
    pub(crate) fn class(&mut self, program: &Program, id: TypeId) -> Result<Arc<Class>, LoadError> {
        if let Some(class) = &self.get(id).class {
            return Ok(Arc::clone(class));
        }
        let name = Arc::clone(&self.get(id).name);
        let class = program.class(&name)?;
        self.get_mut(id).class = Some(Arc::clone(&class));
        Ok(class)
    }

    /// Whether a type is an enum: the class of a constant with a body of its own is none.
    pub(crate) fn is_enum(&mut self, program: &Program, id: TypeId) -> bool {
        if id.is_primitive() || self.get(id).component.is_some() {
            return false;
        }
        let Ok(class) = self.class(program, id) else { return false };
        class.super_class().is_some_and(|above| above.name() == "java/lang/Enum")
    }

    /// Whether objects of the exact class `id` are instances of `of`. A class that cannot be loaded
    /// has no instances, and is no reason to fail.
    pub(crate) fn is_subtype(&mut self, program: &Program, id: TypeId, of: TypeId) -> bool {
        if id == of || (of == TypeId::OBJECT && !id.is_primitive()) {
            return true;
        }
        if id.is_primitive() || of.is_primitive() {
            return false;
        }
        if let Some((component, _)) = self.get(id).component {
            return match self.get(of).component {
                Some((target, _)) => self.is_subtype(program, component, target),
                None => of == TypeId::CLONEABLE || of == TypeId::SERIALIZABLE,
            };
        }
        if self.get(id).supertypes.is_none() {
            let Ok(class) = self.class(program, id) else { return false };
            let above = class.lineage().chain(class.all_interfaces()).cloned().collect::<Vec<_>>();
            let mut supertypes: Vec<TypeId> =
                above.iter().map(|class| self.of_name(class.name())).collect();
            supertypes.sort_unstable();
            self.get_mut(id).supertypes = Some(supertypes.into());
        }
        let supertypes = self.get(id).supertypes.as_deref().unwrap_or_default();
        supertypes.binary_search(&of).is_ok()
    }

    /// The types that objects of an exact class are instances of, as Java writes them: the class itself, those above it from
    /// below, interfaces. `Object` is not told.
    pub(crate) fn supertype_names(&mut self, program: &Program, id: TypeId) -> Rc<[Box<str>]> {
        if let Some(names) = &self.get(id).names {
            return Rc::clone(names);
        }
        let names: Rc<[Box<str>]> = match self.get(id).component {
            Some((component, _)) => {
                let above = self.supertype_names(program, component);
                above.iter().map(|name| format!("{name}[]").into()).collect()
            }
            None => {
                let class = self.class(program, id).ok().filter(|_| !id.is_primitive());
                let above = class.iter().flat_map(|class| {
                    let names = class.lineage().chain(class.all_interfaces()).skip(1);
                    names.map(|class| class.name().replace('/', "."))
                });
                let above = above.filter(|name| name != "java.lang.Object");
                std::iter::once(self.java_name(id)).chain(above).map(Into::into).collect()
            }
        };
        self.get_mut(id).names = Some(Rc::clone(&names));
        names
    }

    /// How Java writes the type: `int`, `java.lang.String[]`.
    pub(crate) fn java_name(&self, id: TypeId) -> String {
        match self.get(id).component {
            Some((component, _)) => format!("{}[]", self.java_name(component)),
            None if id.is_primitive() => primitive_name(id).to_owned(),
            None => self.get(id).name.replace('/', "."),
        }
    }

    /// `Class.getName()`.
    pub(crate) fn class_name(&self, id: TypeId) -> String {
        if id.is_primitive() {
            primitive_name(id).to_owned()
        } else {
            self.get(id).name.replace('/', ".")
        }
    }
}

/// The most dimensions that an array can have (JVMS 4.4.1).
pub(crate) const MOST_DIMENSIONS: usize = 255;

/// How many dimensions the array type of this name has.
pub(crate) fn dimensions(name: &str) -> usize {
    name.bytes().take_while(|&byte| byte == b'[').count()
}

impl TypeId {
    pub(crate) fn is_primitive(self) -> bool {
        (self.0 as usize) < PRIMITIVES
    }

    /// The primitive type that Java calls so.
    pub(crate) fn of_primitive_name(name: &str) -> Option<TypeId> {
        (0..PRIMITIVES as u32).map(TypeId).find(|&id| primitive_name(id) == name)
    }
}

fn primitive_name(id: TypeId) -> &'static str {
    match id {
        TypeId::BOOLEAN => "boolean",
        TypeId::BYTE => "byte",
        TypeId::SHORT => "short",
        TypeId::CHAR => "char",
        TypeId::INT => "int",
        TypeId::LONG => "long",
        TypeId::FLOAT => "float",
        TypeId::DOUBLE => "double",
        _ => "void",
    }
}
