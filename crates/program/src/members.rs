//! Fields and methods of one class: finding them by name and descriptor, and handles to them.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use petrel_classfile::{
    ClassFile, ClassFileError, Field, JavaType, Method, MethodDescriptor, flags,
};
use rustc_hash::FxHasher;

use crate::class::Class;

/// A name and descriptor, hashed once for all the classes in which they are looked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MemberKey<'a> {
    pub(crate) name: &'a str,
    pub(crate) descriptor: &'a str,
    hash: u32,
}

impl<'a> MemberKey<'a> {
    pub(crate) fn new(name: &'a str, descriptor: &'a str) -> MemberKey<'a> {
        let mut hasher = FxHasher::default();
        hasher.write(name.as_bytes());
        hasher.write(descriptor.as_bytes());
        // `finish` puts the well mixed bits into the lower half.
        let hash = hasher.finish() as u32;
        MemberKey { name, descriptor, hash }
    }

    fn order(&self) -> (u32, &'a str, &'a str) {
        (self.hash, self.name, self.descriptor)
    }
}

/// An index over the fields or methods of a class, ordered by [`MemberKey`].
#[derive(Debug)]
pub(crate) struct MemberTable {
    /// Hash of the key, and number of the member in the class file.
    entries: Box<[(u32, u16)]>,
}

impl MemberTable {
    /// Builds the index; `Err` is a key that occurs twice.
    fn new<'a>(keys: &[MemberKey<'a>]) -> Result<MemberTable, MemberKey<'a>> {
        // The counts in a class file are 16 bits wide.
        let mut sorted: Vec<_> = keys.iter().zip(0..=u16::MAX).collect();
        sorted.sort_unstable_by_key(|(key, _)| key.order());
        for pair in sorted.windows(2) {
            if let [(first, _), (second, _)] = pair
                && first.order() == second.order()
            {
                return Err(**second);
            }
        }
        let entries = sorted.into_iter().map(|(key, index)| (key.hash, index)).collect();
        Ok(MemberTable { entries })
    }

    /// The number of the member with this key; `text` gives the name and descriptor of a member.
    fn find<'c>(
        &self,
        key: MemberKey<'_>,
        text: impl Fn(usize) -> (&'c str, &'c str),
    ) -> Option<usize> {
        let found = self.entries.binary_search_by(|&(hash, index)| {
            hash.cmp(&key.hash).then_with(|| {
                let (name, descriptor) = text(usize::from(index));
                (name, descriptor).cmp(&(key.name, key.descriptor))
            })
        });
        found.ok().and_then(|at| self.entries.get(at)).map(|&(_, index)| usize::from(index))
    }
}

/// The tables of a class file.
#[derive(Debug)]
pub(crate) struct MemberTables {
    fields: MemberTable,
    methods: MemberTable,
}

impl MemberTables {
    /// JVMS 4.5 and 4.6: no two fields of a class have the same name and descriptor, and no two
    /// methods.
    pub(crate) fn new(file: &ClassFile) -> Result<MemberTables, ClassFileError> {
        let key = |field| MemberKey::new(file.field_name(field), file.field_descriptor(field));
        let keys: Vec<_> = file.fields.iter().map(key).collect();
        let fields = MemberTable::new(&keys).map_err(|key| declared_twice("field", key))?;
        let key = |method| MemberKey::new(file.method_name(method), file.method_descriptor(method));
        let keys: Vec<_> = file.methods.iter().map(key).collect();
        let methods = MemberTable::new(&keys).map_err(|key| declared_twice("method", key))?;
        Ok(MemberTables { fields, methods })
    }
}

fn declared_twice(kind: &str, MemberKey { name, descriptor, .. }: MemberKey<'_>) -> ClassFileError {
    ClassFileError::new(format!("Duplicate {kind} name \"{name}\" with signature \"{descriptor}\""))
}

impl Class {
    fn field_with_key(&self, key: MemberKey<'_>) -> Option<usize> {
        let file = &self.file;
        self.tables.fields.find(key, |index| {
            let field = &file.fields[index];
            (file.field_name(field), file.field_descriptor(field))
        })
    }

    fn method_with_key(&self, key: MemberKey<'_>) -> Option<usize> {
        let file = &self.file;
        self.tables.methods.find(key, |index| {
            let method = &file.methods[index];
            (file.method_name(method), file.method_descriptor(method))
        })
    }

    /// The field that this very class declares.
    pub fn declared_field(self: &Arc<Self>, name: &str, descriptor: &str) -> Option<ResolvedField> {
        self.field_named(MemberKey::new(name, descriptor))
    }

    /// The method that this very class declares.
    pub fn declared_method(
        self: &Arc<Self>,
        name: &str,
        descriptor: &str,
    ) -> Option<ResolvedMethod> {
        self.method_named(MemberKey::new(name, descriptor))
    }

    pub(crate) fn field_named(self: &Arc<Self>, key: MemberKey<'_>) -> Option<ResolvedField> {
        let index = self.field_with_key(key)?;
        Some(ResolvedField { class: Arc::clone(self), index })
    }

    pub(crate) fn method_named(self: &Arc<Self>, key: MemberKey<'_>) -> Option<ResolvedMethod> {
        let index = self.method_with_key(key)?;
        Some(ResolvedMethod { class: Arc::clone(self), index })
    }

    /// The fields that the class declares, in the file's order.
    pub fn fields(self: &Arc<Self>) -> impl ExactSizeIterator<Item = ResolvedField> + use<> {
        let class = Arc::clone(self);
        (0..self.file.fields.len())
            .map(move |index| ResolvedField { class: Arc::clone(&class), index })
    }

    /// The methods that the class declares, in the file's order.
    pub fn methods(self: &Arc<Self>) -> impl ExactSizeIterator<Item = ResolvedMethod> + use<> {
        let class = Arc::clone(self);
        (0..self.file.methods.len())
            .map(move |index| ResolvedMethod { class: Arc::clone(&class), index })
    }
}

/// What fields and methods have in common. Equality, order and hash go by the name of the class
/// and the member's number, so that they mean the same in every run.
macro_rules! resolved_member {
    ($name:ident, $declaration:ty, $table:ident, $text:ident, $descriptor:ident) => {
        impl $name {
            /// The class that declares it.
            pub fn class(&self) -> &Arc<Class> {
                &self.class
            }

            /// Its number among the class's declarations of its kind.
            pub fn index(&self) -> usize {
                self.index
            }

            /// Its declaration in the class file.
            pub fn declaration(&self) -> &$declaration {
                // A handle is made by looking into the table, which does not change.
                &self.class.file.$table[self.index]
            }

            /// Its name.
            pub fn name(&self) -> &str {
                self.class.file.$text(self.declaration())
            }

            /// Its descriptor.
            pub fn descriptor(&self) -> &str {
                self.class.file.$descriptor(self.declaration())
            }

            /// Its access flags.
            pub fn flags(&self) -> u16 {
                self.declaration().access_flags
            }

            /// Whether all of these flag bits are set.
            pub fn has_flags(&self, wanted: u16) -> bool {
                self.declaration().has_flags(wanted)
            }

            /// Whether it is static.
            pub fn is_static(&self) -> bool {
                self.has_flags(flags::STATIC)
            }

            /// Whether it is final.
            pub fn is_final(&self) -> bool {
                self.has_flags(flags::FINAL)
            }

            fn order(&self) -> (&str, usize) {
                (self.class.name(), self.index)
            }
        }

        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.index == other.index
                    && (Arc::ptr_eq(&self.class, &other.class)
                        || self.class.name() == other.class.name())
            }
        }

        impl Eq for $name {}

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $name {
            fn cmp(&self, other: &Self) -> Ordering {
                self.order().cmp(&other.order())
            }
        }

        impl Hash for $name {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.order().hash(state);
            }
        }
    };
}

/// A field, by its class and its number there.
#[derive(Clone)]
pub struct ResolvedField {
    pub(crate) class: Arc<Class>,
    pub(crate) index: usize,
}

/// A method, by its class and its number there.
#[derive(Clone)]
pub struct ResolvedMethod {
    pub(crate) class: Arc<Class>,
    pub(crate) index: usize,
}

resolved_member!(ResolvedField, Field, fields, field_name, field_descriptor);
resolved_member!(ResolvedMethod, Method, methods, method_name, method_descriptor);

impl ResolvedMethod {
    /// Whether it is abstract.
    pub fn is_abstract(&self) -> bool {
        self.has_flags(flags::ABSTRACT)
    }

    /// Whether it is private.
    pub fn is_private(&self) -> bool {
        self.has_flags(flags::PRIVATE)
    }

    /// Whether it is native.
    pub fn is_native(&self) -> bool {
        self.has_flags(flags::NATIVE)
    }

    /// Whether it is an instance initialisation method (JVMS 2.9.1).
    pub fn is_constructor(&self) -> bool {
        self.name() == "<init>"
    }

    /// The type of what it returns; `None` if that is nothing.
    pub fn result_type(&self) -> Option<JavaType> {
        MethodDescriptor::parse(self.descriptor()).ok()?.result
    }

    /// The names of the parameters: no two are the same.
    pub fn parameter_names(&self) -> Vec<ParameterName> {
        let Ok(descriptor) = MethodDescriptor::parse(self.descriptor()) else { return Vec::new() };
        let file = &self.class().file;
        let code = file.code(self.declaration()).ok().flatten();
        let mut slot = u16::from(!self.is_static());
        let mut names: Vec<ParameterName> = Vec::new();
        for (position, parameter) in descriptor.parameters.iter().enumerate() {
            let known = code.as_ref().and_then(|code| code.variable_at(slot, 0));
            let known = known.and_then(|variable| file.constant_pool.utf8(variable.name).ok());
            let known = known.filter(|known| names.iter().all(|name| name.as_str() != *known));
            names.push(match known {
                Some(name) => ParameterName::OfSource(name.to_string()),
                None => ParameterName::MadeUp(format!("arg{position}")),
            });
            slot += if matches!(parameter, JavaType::Long | JavaType::Double) { 2 } else { 1 };
        }
        names
    }

    /// Whether calls of it pass whatever their descriptor says (JVMS 2.9.3).
    pub fn is_signature_polymorphic(&self) -> bool {
        self.class.has_signature_polymorphic_methods()
            && self.has_flags(flags::VARARGS | flags::NATIVE)
            && self.descriptor().starts_with("([Ljava/lang/Object;)")
    }

    pub(crate) fn key(&self) -> MemberKey<'_> {
        MemberKey::new(self.name(), self.descriptor())
    }
}

/// The name of a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParameterName {
    /// As the source calls it.
    OfSource(String),
    /// By its position, because the class file does not tell.
    MadeUp(String),
}

impl ParameterName {
    /// The name, wherever it comes from.
    pub fn as_str(&self) -> &str {
        match self {
            ParameterName::OfSource(name) | ParameterName::MadeUp(name) => name,
        }
    }

    /// The name that the source has for it, if that is known.
    pub fn of_source(&self) -> Option<&str> {
        match self {
            ParameterName::OfSource(name) => Some(name),
            ParameterName::MadeUp(_) => None,
        }
    }
}

impl fmt::Display for ParameterName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Displays as `a/B.f:I`.
impl fmt::Display for ResolvedField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}:{}", self.class.name(), self.name(), self.descriptor())
    }
}

/// Displays as `a/B.m(I)V`.
impl fmt::Display for ResolvedMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}{}", self.class.name(), self.name(), self.descriptor())
    }
}

impl fmt::Debug for ResolvedField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for ResolvedMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::*;

    #[test]
    fn members_are_found_by_name_and_descriptor() {
        let mut spec = class("a/A");
        for number in 0..300 {
            spec = spec.method(PUBLIC, &format!("m{}", number / 2), ["()V", "(I)V"][number % 2]);
            spec = spec.field(PUBLIC, &format!("f{}", number / 2), ["I", "J"][number % 2]);
        }
        let program = program([spec]);
        let class = program.get("a/A");
        for (index, method) in class.methods().enumerate() {
            let found = class.declared_method(method.name(), method.descriptor()).unwrap();
            assert_eq!((found.index(), &found), (index, &method));
        }
        for field in class.fields() {
            assert_eq!(class.declared_field(field.name(), field.descriptor()), Some(field));
        }
        assert_eq!(class.declared_method("m1", "(J)V"), None);
        assert_eq!(class.declared_field("f150", "I"), None);
    }

    #[test]
    fn members_are_ordered_by_class_and_number_and_display_as_references() {
        let spec = |name| class(name).method(PUBLIC, "z", "()V").method(PUBLIC, "a", "()V");
        let program = program([spec("a/B"), spec("a/A")]);
        let mut methods: Vec<_> =
            ["a/B", "a/A"].iter().flat_map(|name| program.get(name).methods()).collect();
        methods.sort();
        let shown: Vec<_> = methods.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["a/A.z()V", "a/A.a()V", "a/B.z()V", "a/B.a()V"]);
    }
}
