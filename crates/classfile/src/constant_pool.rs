//! The constant pool (JVMS 4.4): entries are kept as they stand, and references are followed and
//! checked when they are asked for.

use std::ops::Range;
use std::sync::Arc;

use crate::error::{ClassFileError, Within};
use crate::java_string::JavaString;
use crate::reader::Reader;

/// One entry. Indices point into the same pool.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Constant {
    /// Entry 0, and the second half of a `Long` or `Double`.
    Unusable,
    /// Modified UTF-8; where its text lies is the pool's business.
    Utf8 {
        /// Number among the pool's texts.
        text: u32,
    },
    /// `int` (also for the smaller types).
    Integer(i32),
    /// `float`, as its bits.
    Float(u32),
    /// `long`.
    Long(i64),
    /// `double`, as its bits.
    Double(u64),
    /// A class or array type by name.
    Class(u16),
    /// A string constant.
    String(u16),
    /// A field: class, name and type.
    Field(u16, u16),
    /// A method of a class.
    Method(u16, u16),
    /// A method of an interface.
    InterfaceMethod(u16, u16),
    /// Name and descriptor.
    NameAndType(u16, u16),
    /// A method handle: kind and member.
    MethodHandle(u8, u16),
    /// A method type by descriptor.
    MethodType(u16),
    /// A dynamically computed constant: bootstrap method, name and type.
    Dynamic(u16, u16),
    /// A dynamic call site: bootstrap method, name and type.
    InvokeDynamic(u16, u16),
    /// A module's name.
    Module(u16),
    /// A package's name.
    Package(u16),
}

impl Constant {
    fn kind(&self) -> &'static str {
        match self {
            Constant::Unusable => "unusable",
            Constant::Utf8 { .. } => "Utf8",
            Constant::Integer(_) => "Integer",
            Constant::Float(_) => "Float",
            Constant::Long(_) => "Long",
            Constant::Double(_) => "Double",
            Constant::Class(_) => "Class",
            Constant::String(_) => "String",
            Constant::Field(..) => "Fieldref",
            Constant::Method(..) => "Methodref",
            Constant::InterfaceMethod(..) => "InterfaceMethodref",
            Constant::NameAndType(..) => "NameAndType",
            Constant::MethodHandle(..) => "MethodHandle",
            Constant::MethodType(_) => "MethodType",
            Constant::Dynamic(..) => "Dynamic",
            Constant::InvokeDynamic(..) => "InvokeDynamic",
            Constant::Module(_) => "Module",
            Constant::Package(_) => "Package",
        }
    }
}

/// A symbolic reference to a field or method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MemberRef<'a> {
    /// Internal name of the class, interface or array type that is named.
    pub class: &'a str,
    /// The member's name.
    pub name: &'a str,
    /// Its field or method descriptor.
    pub descriptor: &'a str,
    /// The reference is an `InterfaceMethodref`.
    pub is_interface: bool,
}

/// A dynamic constant or call site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DynamicRef<'a> {
    /// Number of the bootstrap method in the class's `BootstrapMethods`.
    pub bootstrap: u16,
    /// Name that is passed to it.
    pub name: &'a str,
    /// Field descriptor (dynamic constant) or method descriptor (call site).
    pub descriptor: &'a str,
}

/// How a method handle behaves (JVMS table 5.4.3.5-A).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are the JVM's own")]
pub enum ReferenceKind {
    GetField = 1,
    GetStatic,
    PutField,
    PutStatic,
    InvokeVirtual,
    InvokeStatic,
    InvokeSpecial,
    NewInvokeSpecial,
    InvokeInterface,
}

impl ReferenceKind {
    /// The kind with this number.
    pub fn from_number(number: u8) -> Option<ReferenceKind> {
        use ReferenceKind::*;
        Some(match number {
            1 => GetField,
            2 => GetStatic,
            3 => PutField,
            4 => PutStatic,
            5 => InvokeVirtual,
            6 => InvokeStatic,
            7 => InvokeSpecial,
            8 => NewInvokeSpecial,
            9 => InvokeInterface,
            _ => return None,
        })
    }
}

/// A method-handle constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MethodHandleRef<'a> {
    /// What calling the handle does.
    pub kind: ReferenceKind,
    /// The member that it stands for.
    pub member: MemberRef<'a>,
}

/// A constant that `ldc` can load or that can be a bootstrap argument (JVMS table 4.4-C).
#[derive(Debug, Clone, PartialEq)]
pub enum LoadableConstant<'a> {
    /// `int`.
    Integer(i32),
    /// `float` bits.
    Float(u32),
    /// `long`.
    Long(i64),
    /// `double` bits.
    Double(u64),
    /// A string.
    String(JavaString),
    /// A class object, by internal name or array descriptor.
    Class(&'a str),
    /// A method handle.
    MethodHandle(MethodHandleRef<'a>),
    /// A method type.
    MethodType(&'a str),
    /// A dynamically computed constant.
    Dynamic(DynamicRef<'a>),
}

/// Whether the names of classes have to be well-formed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Names {
    Checked,
    Free,
}

/// The constant pool of one class.
#[derive(Debug, Clone)]
pub struct ConstantPool {
    entries: Vec<Constant>,
    /// All texts one after the other, as Rust text. Unpaired surrogates, which only string constants
    /// have in practice, stand here as `\uXXXX`; exact strings come from `raw`.
    text: String,
    /// For each text, where it ends in `text` and where its bytes lie in `file`.
    texts: Vec<(u32, Range<u32>)>,
    file: Arc<[u8]>,
}

impl ConstantPool {
    pub(crate) fn parse(
        reader: &mut Reader<'_>,
        file: Arc<[u8]>,
        names: Names,
    ) -> Result<ConstantPool, ClassFileError> {
        let count = reader.u16()?;
        if count == 0 {
            return Err(reader.error("the constant pool count should be at least 1"));
        }
        // The smallest entry has three bytes.
        let mut entries = Vec::with_capacity(usize::from(count).min(reader.remaining() / 3 + 1));
        let mut pool =
            ConstantPool { entries: Vec::new(), text: String::new(), texts: Vec::new(), file };
        entries.push(Constant::Unusable);
        while entries.len() < usize::from(count) {
            let index = entries.len();
            let constant = pool
                .parse_entry(reader)
                .map_err(|error| error.within(format!("constant {index}")))?;
            entries.push(constant);
            if matches!(constant, Constant::Long(_) | Constant::Double(_)) {
                entries.push(Constant::Unusable);
            }
        }
        pool.entries = entries;
        if names == Names::Checked {
            pool.check_class_names()?;
        }
        Ok(pool)
    }

    /// Class names are asked for often, so that they are checked once.
    fn check_class_names(&self) -> Result<(), ClassFileError> {
        // Thousands of constants can share a long name.
        let mut checked = vec![false; self.texts.len()];
        for (index, constant) in self.entries.iter().enumerate() {
            if let Constant::Class(name) = *constant {
                let place = || format!("constant {index}");
                let text = self.text_number(name).within(place)?;
                if checked.get_mut(text).is_some_and(|done| !std::mem::replace(done, true)) {
                    self.utf8(name).and_then(crate::descriptor::check_class_name).within(place)?;
                }
            }
        }
        Ok(())
    }

    fn parse_entry(&mut self, reader: &mut Reader<'_>) -> Result<Constant, ClassFileError> {
        let tag_error = reader.error("");
        Ok(match reader.u8()? {
            1 => self.parse_utf8(reader)?,
            3 => Constant::Integer(reader.i32()?),
            4 => Constant::Float(reader.u32()?),
            5 => Constant::Long(reader.u64()? as i64),
            6 => Constant::Double(reader.u64()?),
            7 => Constant::Class(reader.u16()?),
            8 => Constant::String(reader.u16()?),
            9 => Constant::Field(reader.u16()?, reader.u16()?),
            10 => Constant::Method(reader.u16()?, reader.u16()?),
            11 => Constant::InterfaceMethod(reader.u16()?, reader.u16()?),
            12 => Constant::NameAndType(reader.u16()?, reader.u16()?),
            15 => Constant::MethodHandle(reader.u8()?, reader.u16()?),
            16 => Constant::MethodType(reader.u16()?),
            17 => Constant::Dynamic(reader.u16()?, reader.u16()?),
            18 => Constant::InvokeDynamic(reader.u16()?, reader.u16()?),
            19 => Constant::Module(reader.u16()?),
            20 => Constant::Package(reader.u16()?),
            tag => {
                return Err(ClassFileError {
                    reason: format!("{tag} is not the tag of a constant"),
                    ..tag_error
                });
            }
        })
    }

    fn parse_utf8(&mut self, reader: &mut Reader<'_>) -> Result<Constant, ClassFileError> {
        let length = usize::from(reader.u16()?);
        let start = reader.offset();
        let bytes = reader.take(length)?;
        let plain = bytes.iter().all(|&byte| (0x01..=0x7f).contains(&byte));
        if plain && let Ok(text) = std::str::from_utf8(bytes) {
            self.text.push_str(text);
        } else {
            let string = JavaString::from_modified_utf8(bytes)
                .ok_or_else(|| ClassFileError::at(start, "the text is not modified UTF-8"))?;
            match string.to_text() {
                Some(text) => self.text.push_str(&text),
                None => self.text.push_str(&string.escaped()),
            }
        }
        // Offsets fit 32 bits: a pool holds at most 65535 texts of at most 65535 bytes.
        let text = self.texts.len() as u32;
        self.texts.push((self.text.len() as u32, start as u32..(start + length) as u32));
        Ok(Constant::Utf8 { text })
    }

    /// Number of entries, the unusable ones included.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no entries at all.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entry itself.
    pub fn get(&self, index: u16) -> Result<Constant, ClassFileError> {
        self.entries.get(usize::from(index)).copied().ok_or_else(|| {
            ClassFileError::new(format!(
                "constant {index} lies beyond the pool of {} entries",
                self.entries.len()
            ))
        })
    }

    fn wrong<T>(&self, index: u16, wanted: &str) -> Result<T, ClassFileError> {
        let found = self.get(index)?;
        Err(ClassFileError::new(format!(
            "constant {index} should be a {wanted} but is {}",
            found.kind()
        )))
    }

    fn text_number(&self, index: u16) -> Result<usize, ClassFileError> {
        match self.get(index)? {
            Constant::Utf8 { text } => Ok(text as usize),
            _ => self.wrong(index, "Utf8"),
        }
    }

    /// The text of a `Utf8`.
    pub fn utf8(&self, index: u16) -> Result<&str, ClassFileError> {
        let number = self.text_number(index)?;
        let start = number.checked_sub(1).and_then(|before| self.texts.get(before));
        let start = start.map_or(0, |(end, _)| *end as usize);
        self.texts
            .get(number)
            .and_then(|(end, _)| self.text.get(start..*end as usize))
            .ok_or_else(|| ClassFileError::new(format!("constant {index} has no text")))
    }

    /// The exact value of a `Utf8` as a Java string.
    pub fn java_string(&self, index: u16) -> Result<JavaString, ClassFileError> {
        let number = self.text_number(index)?;
        self.texts
            .get(number)
            .and_then(|(_, raw)| self.file.get(raw.start as usize..raw.end as usize))
            .and_then(JavaString::from_modified_utf8)
            .ok_or_else(|| ClassFileError::new(format!("constant {index} has no text")))
    }

    /// The name of a `Class`: internal name, or descriptor of an array type.
    pub fn class_name(&self, index: u16) -> Result<&str, ClassFileError> {
        match self.get(index)? {
            Constant::Class(name) => self.utf8(name),
            _ => self.wrong(index, "Class"),
        }
    }

    fn name_and_type(&self, index: u16) -> Result<(&str, &str), ClassFileError> {
        match self.get(index)? {
            Constant::NameAndType(name, descriptor) => {
                Ok((self.utf8(name)?, self.utf8(descriptor)?))
            }
            _ => self.wrong(index, "NameAndType"),
        }
    }

    fn member(
        &self,
        class: u16,
        name_and_type: u16,
        is_interface: bool,
    ) -> Result<MemberRef<'_>, ClassFileError> {
        let (name, descriptor) = self.name_and_type(name_and_type)?;
        Ok(MemberRef { class: self.class_name(class)?, name, descriptor, is_interface })
    }

    /// A `Fieldref`.
    pub fn field(&self, index: u16) -> Result<MemberRef<'_>, ClassFileError> {
        match self.get(index)? {
            Constant::Field(class, name_and_type) => self.member(class, name_and_type, false),
            _ => self.wrong(index, "Fieldref"),
        }
    }

    /// A `Methodref` or `InterfaceMethodref`.
    pub fn method(&self, index: u16) -> Result<MemberRef<'_>, ClassFileError> {
        match self.get(index)? {
            Constant::Method(class, name_and_type) => self.member(class, name_and_type, false),
            Constant::InterfaceMethod(class, name_and_type) => {
                self.member(class, name_and_type, true)
            }
            _ => self.wrong(index, "Methodref"),
        }
    }

    /// An `InvokeDynamic`.
    pub fn invoke_dynamic(&self, index: u16) -> Result<DynamicRef<'_>, ClassFileError> {
        match self.get(index)? {
            Constant::InvokeDynamic(bootstrap, name_and_type) => {
                let (name, descriptor) = self.name_and_type(name_and_type)?;
                Ok(DynamicRef { bootstrap, name, descriptor })
            }
            _ => self.wrong(index, "InvokeDynamic"),
        }
    }

    /// A `MethodHandle`.
    pub fn method_handle(&self, index: u16) -> Result<MethodHandleRef<'_>, ClassFileError> {
        match self.get(index)? {
            Constant::MethodHandle(number, member) => {
                let kind = ReferenceKind::from_number(number).ok_or_else(|| {
                    ClassFileError::new(format!("{number} is not a kind of method handle"))
                })?;
                let is_field = kind <= ReferenceKind::PutStatic;
                let member = if is_field { self.field(member)? } else { self.method(member)? };
                Ok(MethodHandleRef { kind, member })
            }
            _ => self.wrong(index, "MethodHandle"),
        }
    }

    /// A constant for `ldc` or a bootstrap argument.
    pub fn loadable(&self, index: u16) -> Result<LoadableConstant<'_>, ClassFileError> {
        Ok(match self.get(index)? {
            Constant::Integer(value) => LoadableConstant::Integer(value),
            Constant::Float(bits) => LoadableConstant::Float(bits),
            Constant::Long(value) => LoadableConstant::Long(value),
            Constant::Double(bits) => LoadableConstant::Double(bits),
            Constant::String(text) => LoadableConstant::String(self.java_string(text)?),
            Constant::Class(_) => LoadableConstant::Class(self.class_name(index)?),
            Constant::MethodHandle(..) => {
                LoadableConstant::MethodHandle(self.method_handle(index)?)
            }
            Constant::MethodType(text) => LoadableConstant::MethodType(self.utf8(text)?),
            Constant::Dynamic(bootstrap, name_and_type) => {
                let (name, descriptor) = self.name_and_type(name_and_type)?;
                LoadableConstant::Dynamic(DynamicRef { bootstrap, name, descriptor })
            }
            _ => return self.wrong(index, "loadable constant"),
        })
    }
}
