//! Writes class files that no compiler would.

use petrel_classfile::flags;

pub(crate) const NAME: &str = "a/Hostile";

/// Writes class files that no compiler would.
pub(crate) struct Raw {
    pub(crate) version: u16,
    pub(crate) pool: Vec<u8>,
    pub(crate) constants: u16,
    pub(crate) this_class: u16,
    pub(crate) super_class: u16,
    pub(crate) methods: Vec<Vec<u8>>,
    pub(crate) attributes: Vec<Vec<u8>>,
}

impl Raw {
    pub(crate) fn new(name: &str, super_name: &str) -> Raw {
        let mut raw = Raw {
            version: 52,
            pool: Vec::new(),
            constants: 0,
            this_class: 0,
            super_class: 0,
            methods: Vec::new(),
            attributes: Vec::new(),
        };
        raw.this_class = raw.class(name);
        raw.super_class = raw.class(super_name);
        raw
    }

    /// A class with a method `static void m()`.
    pub(crate) fn with_code(code: &[u8]) -> Vec<u8> {
        let mut raw = Raw::new(NAME, "java/lang/Object");
        raw.method("m", "()V", 10, code);
        raw.bytes()
    }

    pub(crate) fn constant(&mut self, tag: u8, contents: &[u8]) -> u16 {
        self.pool.push(tag);
        self.pool.extend(contents);
        self.constants += 1;
        self.constants
    }

    pub(crate) fn utf8(&mut self, text: &str) -> u16 {
        let length = (text.len() as u16).to_be_bytes();
        self.constant(1, &[&length, text.as_bytes()].concat())
    }

    pub(crate) fn class(&mut self, name: &str) -> u16 {
        let name = self.utf8(name);
        self.constant(7, &name.to_be_bytes())
    }

    /// A constant that consists of two indices.
    pub(crate) fn pair(&mut self, tag: u8, first: u16, second: u16) -> u16 {
        self.constant(tag, &shorts(&[first, second]))
    }

    /// A field (tag 9) or method (10) of a class.
    pub(crate) fn member(&mut self, tag: u8, class: &str, name: &str, descriptor: &str) -> u16 {
        let class = self.class(class);
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        let name_and_type = self.pair(12, name, descriptor);
        self.pair(tag, class, name_and_type)
    }

    pub(crate) fn attribute(&mut self, name: &str, contents: &[u8]) -> Vec<u8> {
        let name = self.utf8(name).to_be_bytes();
        let length = (contents.len() as u32).to_be_bytes();
        [&name, &length[..], contents].concat()
    }

    /// A static method.
    pub(crate) fn method(&mut self, name: &str, descriptor: &str, max_locals: u16, code: &[u8]) {
        self.method_with(name, descriptor, max_locals, code, &[], &[]);
    }

    /// A static method with handlers, which are start, end, target and type, and with attributes
    /// of its code.
    pub(crate) fn method_with(
        &mut self,
        name: &str,
        descriptor: &str,
        max_locals: u16,
        code: &[u8],
        handlers: &[[u16; 4]],
        attributes: &[Vec<u8>],
    ) {
        let contents = [
            &shorts(&[u16::MAX, max_locals])[..],
            &(code.len() as u32).to_be_bytes(),
            code,
            &shorts(&[handlers.len() as u16]),
            &shorts(&handlers.concat()),
            &shorts(&[attributes.len() as u16]),
            &attributes.concat(),
        ];
        let code = self.attribute("Code", &contents.concat());
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        let header = shorts(&[flags::STATIC, name, descriptor, 1]);
        self.methods.push([header, code].concat());
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let count = |list: &[Vec<u8>]| shorts(&[list.len() as u16]);
        [
            &0xcafe_babe_u32.to_be_bytes()[..],
            &shorts(&[0, self.version, self.constants + 1]),
            &self.pool,
            &shorts(&[flags::PUBLIC | flags::SUPER, self.this_class, self.super_class, 0, 0]),
            &count(&self.methods),
            &self.methods.concat(),
            &count(&self.attributes),
            &self.attributes.concat(),
        ]
        .concat()
    }
}

pub(crate) fn shorts(values: &[u16]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_be_bytes()).collect()
}

pub(crate) fn words(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_be_bytes()).collect()
}
