//! Class files for the tests of this crate, and a provider that has them in memory.
//!
//! `ClassWriter` of the class file crate is for synthesised code; here the declarations matter and
//! the code does not, and some of the classes have to be wrong.

use std::collections::BTreeMap;
use std::sync::Arc;

use petrel_classfile::{MemberRef, flags};

use crate::class::Class;
use crate::members::ResolvedMethod;
use crate::program::{ClassBytes, ClassProvider, Origin, Program};

pub(crate) const PUBLIC: u16 = flags::PUBLIC;
pub(crate) const PRIVATE: u16 = flags::PRIVATE;
pub(crate) const PROTECTED: u16 = flags::PROTECTED;
pub(crate) const PACKAGE: u16 = 0;
pub(crate) const STATIC: u16 = flags::STATIC;
pub(crate) const FINAL: u16 = flags::FINAL;
pub(crate) const NATIVE: u16 = flags::NATIVE;
pub(crate) const ABSTRACT: u16 = flags::ABSTRACT;
pub(crate) const INTERFACE: u16 = flags::INTERFACE | flags::ABSTRACT;

/// A class to be written.
#[derive(Debug, Clone)]
pub(crate) struct ClassSpec {
    pub(crate) flags: u16,
    pub(crate) version: u16,
    name: String,
    super_class: Option<String>,
    interfaces: Vec<String>,
    fields: Vec<(u16, String, String)>,
    methods: Vec<(u16, String, String)>,
    /// Attributes that are a list of classes, or one class.
    attributes: Vec<(&'static str, Vec<String>)>,
}

/// A public class that extends `Object`.
pub(crate) fn class(name: &str) -> ClassSpec {
    ClassSpec {
        flags: PUBLIC | flags::SUPER,
        version: 61,
        name: name.to_owned(),
        super_class: (name != "java/lang/Object").then(|| "java/lang/Object".to_owned()),
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods: Vec::new(),
        attributes: Vec::new(),
    }
}

/// A public interface.
pub(crate) fn interface(name: &str) -> ClassSpec {
    class(name).flags(PUBLIC | INTERFACE)
}

impl ClassSpec {
    pub(crate) fn flags(mut self, flags: u16) -> Self {
        self.flags = flags;
        self
    }

    pub(crate) fn version(mut self, version: u16) -> Self {
        self.version = version;
        self
    }

    pub(crate) fn extends(mut self, name: &str) -> Self {
        self.super_class = Some(name.to_owned());
        self
    }

    pub(crate) fn implements(mut self, names: &[&str]) -> Self {
        self.interfaces = owned(names);
        self
    }

    pub(crate) fn field(mut self, flags: u16, name: &str, descriptor: &str) -> Self {
        self.fields.push((flags, name.to_owned(), descriptor.to_owned()));
        self
    }

    /// The method has code unless it is abstract or native.
    pub(crate) fn method(mut self, flags: u16, name: &str, descriptor: &str) -> Self {
        self.methods.push((flags, name.to_owned(), descriptor.to_owned()));
        self
    }

    pub(crate) fn initialiser(self) -> Self {
        self.method(STATIC, "<clinit>", "()V")
    }

    pub(crate) fn nest_host(mut self, name: &str) -> Self {
        self.attributes.push(("NestHost", owned(&[name])));
        self
    }

    pub(crate) fn nest_members(mut self, names: &[&str]) -> Self {
        self.attributes.push(("NestMembers", owned(names)));
        self
    }

    pub(crate) fn permits(mut self, names: &[&str]) -> Self {
        self.attributes.push(("PermittedSubclasses", owned(names)));
        self
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut pool = Pool::default();
        let mut body = Bytes::default();
        body.u16(self.flags);
        body.u16(pool.class(&self.name));
        body.u16(self.super_class.as_ref().map_or(0, |name| pool.class(name)));
        body.u16(self.interfaces.len() as u16);
        for name in &self.interfaces {
            body.u16(pool.class(name));
        }
        body.u16(self.fields.len() as u16);
        for (flags, name, descriptor) in &self.fields {
            body.u16s([*flags, pool.utf8(name), pool.utf8(descriptor), 0]);
        }
        body.u16(self.methods.len() as u16);
        for (flags, name, descriptor) in &self.methods {
            let has_code = flags & (ABSTRACT | NATIVE) == 0;
            body.u16s([*flags, pool.utf8(name), pool.utf8(descriptor), u16::from(has_code)]);
            if has_code {
                body.u16(pool.utf8("Code"));
                // One `return`, with enough locals for any descriptor here.
                body.0.extend([0, 0, 0, 13, 0, 9, 0, 99, 0, 0, 0, 1, 177, 0, 0, 0, 0]);
            }
        }
        body.u16(self.attributes.len() as u16);
        for (attribute, names) in &self.attributes {
            body.u16(pool.utf8(attribute));
            let is_list = *attribute != "NestHost";
            let length = 2 * (names.len() + usize::from(is_list));
            body.u16s([0, length as u16]);
            if is_list {
                body.u16(names.len() as u16);
            }
            for name in names {
                body.u16(pool.class(name));
            }
        }
        let mut file = Bytes(vec![0xca, 0xfe, 0xba, 0xbe]);
        file.u16s([0, self.version, pool.count + 1]);
        file.0.extend(pool.bytes.0);
        file.0.extend(body.0);
        file.0
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn u16(&mut self, value: u16) {
        self.0.extend(value.to_be_bytes());
    }

    fn u16s(&mut self, values: impl IntoIterator<Item = u16>) {
        values.into_iter().for_each(|value| self.u16(value));
    }
}

/// Entries are not shared: a class file may say the same thing twice.
#[derive(Default)]
struct Pool {
    bytes: Bytes,
    count: u16,
}

impl Pool {
    fn utf8(&mut self, text: &str) -> u16 {
        self.bytes.0.push(1);
        self.bytes.u16(text.len() as u16);
        self.bytes.0.extend(text.as_bytes());
        self.count += 1;
        self.count
    }

    fn class(&mut self, name: &str) -> u16 {
        let name = self.utf8(name);
        self.bytes.0.push(7);
        self.bytes.u16(name);
        self.count += 1;
        self.count
    }
}

/// Classes by name, with their bytes or why they cannot be read.
#[derive(Default)]
pub(crate) struct Memory(pub(crate) BTreeMap<String, Result<Vec<u8>, String>>);

impl ClassProvider for Memory {
    fn find(&self, name: &str) -> Result<Option<ClassBytes>, String> {
        let Some(found) = self.0.get(name) else {
            return Ok(None);
        };
        let bytes = found.clone()?.into();
        let place = format!("memory/{name}.class");
        Ok(Some(ClassBytes { bytes, place, origin: Origin::Project }))
    }
}

/// The classes, and a small `java/lang`.
pub(crate) fn program(classes: impl IntoIterator<Item = ClassSpec>) -> Program {
    let object = class("java/lang/Object")
        .method(PUBLIC, "<init>", "()V")
        .method(PUBLIC | NATIVE, "hashCode", "()I")
        .method(PUBLIC, "toString", "()Ljava/lang/String;")
        .method(PROTECTED | NATIVE, "clone", "()Ljava/lang/Object;")
        .method(PROTECTED, "finalize", "()V");
    let basics = [object, class("java/lang/String")]
        .into_iter()
        .chain(["java/lang/Cloneable", "java/io/Serializable"].map(interface));
    let classes = basics.chain(classes);
    let bytes = classes.map(|spec| (spec.name.clone(), Ok(spec.bytes())));
    Program::new(Box::new(Memory(bytes.collect())))
}

/// `a/B.m(I)V` or `a/B.f:I`, as `Display` of the resolved members writes it.
pub(crate) fn reference(text: &str) -> MemberRef<'_> {
    let is_method = text.contains('(');
    let (class, rest) = text.split_once('.').unwrap();
    let end = rest.find(['(', ':']).unwrap();
    let descriptor = if is_method { &rest[end..] } else { &rest[end + 1..] };
    MemberRef { class, name: &rest[..end], descriptor, is_interface: false }
}

/// As `reference`, for an interface method.
pub(crate) fn interface_reference(text: &str) -> MemberRef<'_> {
    MemberRef { is_interface: true, ..reference(text) }
}

impl Program {
    /// The class, which is there.
    pub(crate) fn get(&self, name: &str) -> Arc<Class> {
        self.class(name).unwrap()
    }

    /// The declared method, which is there.
    pub(crate) fn method(&self, text: &str) -> ResolvedMethod {
        let MemberRef { class, name, descriptor, .. } = reference(text);
        self.get(class).declared_method(name, descriptor).unwrap()
    }
}

/// Displays either side.
pub(crate) fn shown<T: ToString, E: ToString>(result: Result<T, E>) -> String {
    result.map_or_else(|error| error.to_string(), |value| value.to_string())
}
