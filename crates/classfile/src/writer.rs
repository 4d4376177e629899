//! Writes small class files: the classes that are synthesised for lambdas, string concatenation,
//! record methods and pattern switches.
//!
//! The result is a real class file (version 50, so that no stack maps are due), which is why it can
//! be looked at with `javap` and run on a JVM like any other.

use std::collections::BTreeMap;

use crate::java_string::JavaString;
use crate::opcode::op;

/// Java 6: the last version whose classes verify without stack maps.
const MAJOR_VERSION: u16 = 50;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum PoolEntry {
    Utf8(Vec<u8>),
    Integer(i32),
    Float(u32),
    Long(i64),
    Double(u64),
    Class(u16),
    String(u16),
    NameAndType(u16, u16),
    /// Tag (9 to 11), class, name and type.
    Member(u8, u16, u16),
}

#[derive(Debug, Default)]
struct Pool {
    indices: BTreeMap<PoolEntry, u16>,
    bytes: Vec<u8>,
    count: u16,
    /// Something did not fit into a class file.
    overflow: bool,
}

impl Pool {
    fn add(&mut self, entry: PoolEntry) -> u16 {
        if let Some(&index) = self.indices.get(&entry) {
            return index;
        }
        let out = &mut self.bytes;
        let mut pair = |tag: u8, a: u16, b: u16| {
            out.push(tag);
            out.extend(a.to_be_bytes());
            out.extend(b.to_be_bytes());
        };
        let mut slots = 1;
        match &entry {
            PoolEntry::Member(tag, class, name_and_type) => pair(*tag, *class, *name_and_type),
            PoolEntry::NameAndType(name, descriptor) => pair(12, *name, *descriptor),
            PoolEntry::Class(name) => out.extend([7].into_iter().chain(name.to_be_bytes())),
            PoolEntry::String(text) => out.extend([8].into_iter().chain(text.to_be_bytes())),
            PoolEntry::Utf8(text) => {
                self.overflow |= text.len() > usize::from(u16::MAX);
                out.push(1);
                out.extend((text.len() as u16).to_be_bytes());
                out.extend(text);
            }
            PoolEntry::Integer(value) => out.extend([3].into_iter().chain(value.to_be_bytes())),
            PoolEntry::Float(bits) => out.extend([4].into_iter().chain(bits.to_be_bytes())),
            PoolEntry::Long(value) => {
                out.extend([5].into_iter().chain(value.to_be_bytes()));
                slots = 2;
            }
            PoolEntry::Double(bits) => {
                out.extend([6].into_iter().chain(bits.to_be_bytes()));
                slots = 2;
            }
        }
        let index = self.count.wrapping_add(1);
        match self.count.checked_add(slots) {
            // One is left for the count itself.
            Some(count) if count < u16::MAX => self.count = count,
            _ => self.overflow = true,
        }
        self.indices.insert(entry, index);
        index
    }

    fn utf8(&mut self, text: &str) -> u16 {
        self.add(PoolEntry::Utf8(JavaString::from(text).to_modified_utf8()))
    }

    fn class(&mut self, name: &str) -> u16 {
        let name = self.utf8(name);
        self.add(PoolEntry::Class(name))
    }

    fn member(&mut self, tag: u8, class: &str, name: &str, descriptor: &str) -> u16 {
        let class = self.class(class);
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        let name_and_type = self.add(PoolEntry::NameAndType(name, descriptor));
        self.add(PoolEntry::Member(tag, class, name_and_type))
    }
}

/// Builds one class.
#[derive(Debug)]
pub struct ClassWriter {
    pool: Pool,
    header: Vec<u8>,
    fields: Vec<u8>,
    field_count: u16,
    methods: Vec<u8>,
    method_count: u16,
}

impl ClassWriter {
    /// Starts a class.
    pub fn new(access_flags: u16, name: &str, super_name: &str, interfaces: &[&str]) -> Self {
        ClassWriter::below(access_flags, name, Some(super_name), interfaces)
    }

    /// Starts the class above all others.
    pub fn root(access_flags: u16, name: &str) -> Self {
        ClassWriter::below(access_flags, name, None, &[])
    }

    fn below(access_flags: u16, name: &str, super_name: Option<&str>, interfaces: &[&str]) -> Self {
        let mut pool = Pool::default();
        let mut header = Vec::new();
        header.extend(access_flags.to_be_bytes());
        header.extend(pool.class(name).to_be_bytes());
        header.extend(super_name.map_or(0, |name| pool.class(name)).to_be_bytes());
        header.extend((interfaces.len() as u16).to_be_bytes());
        for interface in interfaces {
            header.extend(pool.class(interface).to_be_bytes());
        }
        let (fields, methods) = (Vec::new(), Vec::new());
        ClassWriter { pool, header, fields, field_count: 0, methods, method_count: 0 }
    }

    /// Declares a field.
    pub fn field(&mut self, access_flags: u16, name: &str, descriptor: &str) {
        let (name, descriptor) = (self.pool.utf8(name), self.pool.utf8(descriptor));
        for part in [access_flags, name, descriptor, 0] {
            self.fields.extend(part.to_be_bytes());
        }
        self.field_count += 1;
    }

    /// Declares a method without code: an abstract or native one.
    pub fn method_without_code(&mut self, access_flags: u16, name: &str, descriptor: &str) {
        let (name, descriptor) = (self.pool.utf8(name), self.pool.utf8(descriptor));
        for part in [access_flags, name, descriptor, 0] {
            self.methods.extend(part.to_be_bytes());
        }
        self.method_count += 1;
    }

    /// Declares a method whose code `build` writes. `max_locals` counts slots.
    pub fn method(
        &mut self,
        access_flags: u16,
        name: &str,
        descriptor: &str,
        max_locals: u16,
        build: impl FnOnce(&mut CodeWriter<'_>),
    ) {
        let mut writer = CodeWriter {
            pool: &mut self.pool,
            bytes: Vec::new(),
            targets: Vec::new(),
            jumps: Vec::new(),
            handlers: Vec::new(),
        };
        build(&mut writer);
        let (code, handlers) = writer.finish();
        self.pool.overflow |= code.len() > usize::from(u16::MAX);
        let attribute = self.pool.utf8("Code");
        let (name, descriptor) = (self.pool.utf8(name), self.pool.utf8(descriptor));
        for part in [access_flags, name, descriptor, 1, attribute] {
            self.methods.extend(part.to_be_bytes());
        }
        self.methods.extend((12 + code.len() as u32 + handlers.len() as u32).to_be_bytes());
        // No synthesised method nests deeper than its parameters and a few operands.
        let max_stack = max_locals.saturating_add(16);
        self.methods.extend(max_stack.to_be_bytes());
        self.methods.extend(max_locals.to_be_bytes());
        self.methods.extend((code.len() as u32).to_be_bytes());
        self.methods.extend(code);
        self.methods.extend((handlers.len() as u16 / 8).to_be_bytes());
        self.methods.extend(handlers);
        self.methods.extend([0; 2]);
        self.method_count += 1;
    }

    /// The class file; `None` if constants, code or jumps were too large for one.
    pub fn finish(self) -> Option<Vec<u8>> {
        if self.pool.overflow {
            return None;
        }
        let mut out = 0xcafe_babe_u32.to_be_bytes().to_vec();
        out.extend(0_u16.to_be_bytes());
        out.extend(MAJOR_VERSION.to_be_bytes());
        out.extend((self.pool.count + 1).to_be_bytes());
        out.extend(self.pool.bytes);
        out.extend(self.header);
        out.extend(self.field_count.to_be_bytes());
        out.extend(self.fields);
        out.extend(self.method_count.to_be_bytes());
        out.extend(self.methods);
        out.extend(0_u16.to_be_bytes());
        Some(out)
    }
}

/// A place in the code that jumps can name before it is known.
#[derive(Debug, Clone, Copy)]
pub struct Label(usize);

/// Writes the code of one method.
#[derive(Debug)]
pub struct CodeWriter<'a> {
    pool: &'a mut Pool,
    bytes: Vec<u8>,
    targets: Vec<Option<usize>>,
    /// Offset of the jumping instruction, and its label.
    jumps: Vec<(usize, Label)>,
    /// Start, end and handler, and the caught class (0 for all).
    handlers: Vec<([Label; 3], u16)>,
}

impl CodeWriter<'_> {
    /// An instruction without operands.
    pub fn op(&mut self, opcode: u8) -> &mut Self {
        self.bytes.push(opcode);
        self
    }

    /// A load or store of a local variable (`iload` and the like).
    pub fn local(&mut self, opcode: u8, slot: u16) -> &mut Self {
        match u8::try_from(slot) {
            Ok(slot) => self.bytes.extend([opcode, slot]),
            Err(_) => {
                self.bytes.extend([op::WIDE, opcode]);
                self.bytes.extend(slot.to_be_bytes());
            }
        }
        self
    }

    fn with_constant(&mut self, opcode: u8, index: u16) -> &mut Self {
        self.bytes.push(opcode);
        self.bytes.extend(index.to_be_bytes());
        self
    }

    /// `new`, `checkcast`, `instanceof`, `anewarray`, or `ldc_w` of a class.
    pub fn class(&mut self, opcode: u8, name: &str) -> &mut Self {
        let index = self.pool.class(name);
        self.with_constant(opcode, index)
    }

    /// A field access.
    pub fn field(&mut self, opcode: u8, class: &str, name: &str, descriptor: &str) -> &mut Self {
        let index = self.pool.member(9, class, name, descriptor);
        self.with_constant(opcode, index)
    }

    /// A call of a method of a class, or (`is_interface`) of an interface.
    pub fn invoke(
        &mut self,
        opcode: u8,
        class: &str,
        name: &str,
        descriptor: &str,
        is_interface: bool,
    ) -> &mut Self {
        let index = self.pool.member(if is_interface { 11 } else { 10 }, class, name, descriptor);
        self.with_constant(opcode, index);
        if opcode == op::INVOKEINTERFACE {
            let slots = crate::MethodDescriptor::parse(descriptor)
                .map_or(0, |descriptor| descriptor.parameter_slots());
            self.bytes.extend([slots as u8 + 1, 0]);
        }
        self
    }

    /// Pushes an `int`.
    pub fn int(&mut self, value: i32) -> &mut Self {
        match i16::try_from(value) {
            Ok(value @ -1..=5) => self.op((i16::from(op::ICONST_0) + value) as u8),
            Ok(value) => {
                self.bytes.push(op::SIPUSH);
                self.bytes.extend(value.to_be_bytes());
                self
            }
            Err(_) => {
                let index = self.pool.add(PoolEntry::Integer(value));
                self.with_constant(op::LDC_W, index)
            }
        }
    }

    /// Pushes a `float`, by its bits.
    pub fn float_bits(&mut self, bits: u32) -> &mut Self {
        let index = self.pool.add(PoolEntry::Float(bits));
        self.with_constant(op::LDC_W, index)
    }

    /// Pushes a `long`.
    pub fn long(&mut self, value: i64) -> &mut Self {
        let index = self.pool.add(PoolEntry::Long(value));
        self.with_constant(op::LDC2_W, index)
    }

    /// Pushes a `double`, by its bits.
    pub fn double_bits(&mut self, bits: u64) -> &mut Self {
        let index = self.pool.add(PoolEntry::Double(bits));
        self.with_constant(op::LDC2_W, index)
    }

    /// Pushes a string constant.
    pub fn string(&mut self, text: &JavaString) -> &mut Self {
        let text = self.pool.add(PoolEntry::Utf8(text.to_modified_utf8()));
        let index = self.pool.add(PoolEntry::String(text));
        self.with_constant(op::LDC_W, index)
    }

    /// A new label, to be placed once.
    pub fn label(&mut self) -> Label {
        self.targets.push(None);
        Label(self.targets.len() - 1)
    }

    /// Places a label here.
    pub fn place(&mut self, label: Label) -> &mut Self {
        let here = self.bytes.len();
        if let Some(target) = self.targets.get_mut(label.0) {
            *target = Some(here);
        }
        self
    }

    /// A jump with a 16-bit distance.
    pub fn jump(&mut self, opcode: u8, label: Label) -> &mut Self {
        self.jumps.push((self.bytes.len(), label));
        self.bytes.extend([opcode, 0, 0]);
        self
    }

    /// From one label to another, exceptions of a class (`None`: all) go to a third.
    pub fn handler(&mut self, start: Label, end: Label, target: Label, class: Option<&str>) {
        let class = class.map_or(0, |class| self.pool.class(class));
        self.handlers.push(([start, end, target], class));
    }

    /// The code, and the entries of the exception table.
    fn finish(mut self) -> (Vec<u8>, Vec<u8>) {
        for (from, label) in std::mem::take(&mut self.jumps) {
            let target = self.targets.get(label.0).copied().flatten().unwrap_or(from);
            let distance = i16::try_from(target as i64 - from as i64).unwrap_or_else(|_| {
                self.pool.overflow = true;
                0
            });
            if let Some(operand) = self.bytes.get_mut(from + 1..from + 3) {
                operand.copy_from_slice(&distance.to_be_bytes());
            }
        }
        let mut table = Vec::with_capacity(8 * self.handlers.len());
        for (labels, class) in &self.handlers {
            for label in labels {
                let place = self.targets.get(label.0).copied().flatten().unwrap_or_default();
                table.extend((place as u16).to_be_bytes());
            }
            table.extend(class.to_be_bytes());
        }
        (self.bytes, table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ClassFile, flags};

    #[test]
    fn a_written_class_reads_back() {
        let mut class = ClassWriter::new(flags::PUBLIC, "a/Sign", "java/lang/Object", &["a/I"]);
        class.field(flags::PRIVATE, "value", "J");
        class.method(flags::PUBLIC | flags::STATIC, "sign", "(I)I", 1, |code| {
            let negative = code.label();
            code.local(op::ILOAD, 0).jump(op::IFLT, negative).int(70000).op(op::IRETURN);
            code.place(negative).int(-1).op(op::IRETURN);
        });
        let class = ClassFile::parse(class.finish().unwrap()).unwrap();
        assert_eq!(class.name(), "a/Sign");
        assert_eq!(class.interfaces().collect::<Vec<_>>(), ["a/I"]);
        assert_eq!(class.field_descriptor(&class.fields[0]), "J");
        let code = class.code(&class.methods[0]).unwrap().unwrap();
        let listing: Vec<_> =
            code.instructions.iter().map(|i| format!("{} {}", i.pc, i.opcode)).collect();
        assert_eq!(
            listing,
            ["0 iload", "2 iflt", "5 ldc_w", "8 ireturn", "9 iconst_m1", "10 ireturn"]
        );
    }
}
