//! The `ClassFile` structure (JVMS 4.1): header, members and the attributes that Petrel reads.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::annotations;
use crate::code::Code;
use crate::constant_pool::{Constant, ConstantPool, Names};
use crate::descriptor::{JavaType, MethodDescriptor};
use crate::error::{ClassFileError, Within};
use crate::flags;
use crate::reader::Reader;

/// Java 1.0.2 and 1.1.
pub const OLDEST_MAJOR_VERSION: u16 = 45;
/// Java 25.
pub const NEWEST_MAJOR_VERSION: u16 = 69;

/// A parsed class file.
#[derive(Debug, Clone)]
pub struct ClassFile {
    /// Major version, 45 (Java 1.1) to 69 (Java 25).
    pub major_version: u16,
    /// Minor version.
    pub minor_version: u16,
    /// Access flags of the class.
    pub access_flags: u16,
    /// The constant pool.
    pub constant_pool: ConstantPool,
    this_class: u16,
    super_class: u16,
    interfaces: Vec<u16>,
    /// Declared fields, in the file's order.
    pub fields: Vec<Field>,
    /// Declared methods, in the file's order.
    pub methods: Vec<Method>,
    /// Generic signature of the class.
    signature: Option<u16>,
    source_file: Option<u16>,
    /// `Class` constant of the class around a local or anonymous class, and the `NameAndType` of the
    /// method around it; 0 if it is in none.
    enclosing_method: Option<(u16, u16)>,
    nest_host: Option<u16>,
    nest_members: Vec<u16>,
    permitted_subclasses: Vec<u16>,
    /// The types of the annotations that are visible at run time.
    annotations: Vec<u16>,
    /// `InnerClasses` as they stand.
    pub inner_classes: Vec<InnerClass>,
    /// `Some` for a record class.
    pub record_components: Option<Vec<RecordComponent>>,
    /// `BootstrapMethods` for dynamic constants and call sites.
    pub bootstrap_methods: Vec<BootstrapMethod>,
    file: Arc<[u8]>,
}

/// A field declaration.
#[derive(Debug, Clone)]
pub struct Field {
    /// Access flags.
    pub access_flags: u16,
    name: u16,
    descriptor: u16,
    signature: Option<u16>,
    /// Index of the `ConstantValue`, if there is one.
    pub constant_value: Option<u16>,
}

/// A method declaration; its code is decoded by [`ClassFile::code`].
#[derive(Debug, Clone)]
pub struct Method {
    /// Access flags.
    pub access_flags: u16,
    name: u16,
    descriptor: u16,
    signature: Option<u16>,
    exceptions: Vec<u16>,
    /// `MethodParameters`, if the compiler wrote them.
    pub parameters: Vec<MethodParameter>,
    /// Where the `Code` attribute's contents lie in the file.
    code: Option<(u32, u32)>,
}

/// An entry of `MethodParameters`.
#[derive(Debug, Clone, Copy)]
pub struct MethodParameter {
    /// Name index; 0 if the parameter has none.
    pub name: u16,
    /// `final`, synthetic, mandated.
    pub access_flags: u16,
}

/// An entry of `InnerClasses`.
#[derive(Debug, Clone, Copy)]
pub struct InnerClass {
    /// `Class` constant of the member class.
    pub inner_class: u16,
    /// `Class` constant of the class that declares it; 0 for local and anonymous classes.
    pub outer_class: u16,
    /// Simple name; 0 for an anonymous class.
    pub inner_name: u16,
    /// The flags in the source.
    pub access_flags: u16,
}

/// A component of a record class.
#[derive(Debug, Clone, Copy)]
pub struct RecordComponent {
    /// Name index.
    pub name: u16,
    /// Descriptor index.
    pub descriptor: u16,
    /// Signature index.
    pub signature: Option<u16>,
}

/// A bootstrap method and its static arguments.
#[derive(Debug, Clone)]
pub struct BootstrapMethod {
    /// `MethodHandle` constant.
    pub method_handle: u16,
    /// Loadable constants.
    pub arguments: Vec<u16>,
}

impl Method {
    /// Whether the method has a `Code` attribute.
    pub fn has_code(&self) -> bool {
        self.code.is_some()
    }

    /// Whether all of these flag bits are set.
    pub fn has_flags(&self, wanted: u16) -> bool {
        self.access_flags & wanted == wanted
    }
}

impl Field {
    /// Whether all of these flag bits are set.
    pub fn has_flags(&self, wanted: u16) -> bool {
        self.access_flags & wanted == wanted
    }
}

impl ClassFile {
    /// Parses a class file. The code of its methods is checked when it is asked for.
    pub fn parse(bytes: impl Into<Arc<[u8]>>) -> Result<ClassFile, ClassFileError> {
        Self::parse_named(bytes.into(), Names::Checked)
    }

    /// Parses a class file of our own making: its classes may have names that no other class file
    /// can mention.
    pub fn parse_synthesised(bytes: impl Into<Arc<[u8]>>) -> Result<ClassFile, ClassFileError> {
        Self::parse_named(bytes.into(), Names::Free)
    }

    fn parse_named(file: Arc<[u8]>, names: Names) -> Result<ClassFile, ClassFileError> {
        let mut reader = Reader::new(&file, 0);
        if reader.u32()? != 0xcafe_babe {
            return Err(ClassFileError::at(0, "the file does not start with 0xCAFEBABE"));
        }
        let minor_version = reader.u16()?;
        let major_version = reader.u16()?;
        if !(OLDEST_MAJOR_VERSION..=NEWEST_MAJOR_VERSION).contains(&major_version) {
            return Err(ClassFileError::at(
                6,
                format!(
                    "class file version {major_version} is not supported \
                     ({OLDEST_MAJOR_VERSION} to {NEWEST_MAJOR_VERSION} are: Java 1.1 to 25)"
                ),
            ));
        }
        let constant_pool = ConstantPool::parse(&mut reader, Arc::clone(&file), names)
            .within(|| "constant pool".to_owned())?;
        let access_flags = reader.u16()?;
        let this_class = reader.u16()?;
        let class = ClassFile {
            major_version,
            minor_version,
            access_flags,
            constant_pool,
            this_class,
            super_class: 0,
            interfaces: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            signature: None,
            source_file: None,
            enclosing_method: None,
            nest_host: None,
            nest_members: Vec::new(),
            permitted_subclasses: Vec::new(),
            annotations: Vec::new(),
            inner_classes: Vec::new(),
            record_components: None,
            bootstrap_methods: Vec::new(),
            file: Arc::clone(&file),
        };
        let name = class
            .constant_pool
            .class_name(this_class)
            .within(|| "this_class".to_owned())?
            .to_owned();
        class.parse_rest(reader).map_err(|error| error.in_class(&name))
    }

    fn parse_rest(mut self, mut reader: Reader<'_>) -> Result<ClassFile, ClassFileError> {
        if self.name().starts_with('[') {
            return Err(reader.error("a class cannot have the name of an array type"));
        }
        self.super_class = reader.u16()?;
        let count = usize::from(reader.u16()?);
        self.interfaces = reader.table(count, 2, Reader::u16)?;
        let count = usize::from(reader.u16()?);
        let mut known = KnownTexts::default();
        self.fields = reader.table(count, 8, |reader| self.parse_field(reader, &mut known))?;
        let count = usize::from(reader.u16()?);
        self.methods = reader.table(count, 8, |reader| self.parse_method(reader, &mut known))?;
        self.parse_class_attributes(&mut reader)?;
        if !reader.is_empty() {
            return Err(reader.error(format!("{} bytes follow the class", reader.remaining())));
        }
        self.check_references()?;
        Ok(self)
    }

    /// Follows the references that accessors hand out without a `Result`, once.
    fn check_references(&self) -> Result<(), ClassFileError> {
        let pool = &self.constant_pool;
        let is_root = self.name() == "java/lang/Object" || self.access_flags & flags::MODULE != 0;
        if self.super_class == 0 && !is_root {
            return Err(ClassFileError::new("only java/lang/Object has no superclass"));
        }
        if self.super_class != 0 {
            let name = pool.class_name(self.super_class).within(|| "super_class".to_owned())?;
            if name.starts_with('[') {
                return Err(ClassFileError::new("the superclass cannot be an array type"));
            }
        }
        for &interface in &self.interfaces {
            let name = pool.class_name(interface).within(|| "interfaces".to_owned())?;
            if name.starts_with('[') {
                return Err(ClassFileError::new("an interface cannot be an array type"));
            }
        }
        for &class in
            self.nest_host.iter().chain(&self.nest_members).chain(&self.permitted_subclasses)
        {
            pool.class_name(class).within(|| "nest or permitted subclasses".to_owned())?;
        }
        for text in self.signature.iter().chain(&self.source_file) {
            pool.utf8(*text)?;
        }
        Ok(())
    }

    fn parse_field(
        &self,
        reader: &mut Reader<'_>,
        known: &mut KnownTexts,
    ) -> Result<Field, ClassFileError> {
        let offset = reader.offset();
        let mut field = Field {
            access_flags: reader.u16()?,
            name: reader.u16()?,
            descriptor: reader.u16()?,
            signature: None,
            constant_value: None,
        };
        let pool = &self.constant_pool;
        let name = pool.utf8(field.name)?;
        let place = || format!("field {name}");
        if known.names.insert(field.name) {
            check_member_name(name, offset)?;
        }
        if known.field_descriptors.insert(field.descriptor) {
            JavaType::parse(pool.utf8(field.descriptor).within(place)?).within(place)?;
        }
        self.attributes(reader, |name, mut contents| {
            match name {
                "ConstantValue" => {
                    let constant = contents.u16()?;
                    match pool.get(constant)? {
                        Constant::String(text) => pool.utf8(text).map(drop)?,
                        _ => pool.loadable(constant).map(drop)?,
                    }
                    field.constant_value = Some(constant);
                }
                "Signature" => field.signature = Some(self.checked_text(contents.u16()?)?),
                _ => {}
            }
            Ok(())
        })
        .within(place)?;
        Ok(field)
    }

    fn parse_method(
        &self,
        reader: &mut Reader<'_>,
        known: &mut KnownTexts,
    ) -> Result<Method, ClassFileError> {
        let offset = reader.offset();
        let mut method = Method {
            access_flags: reader.u16()?,
            name: reader.u16()?,
            descriptor: reader.u16()?,
            signature: None,
            exceptions: Vec::new(),
            parameters: Vec::new(),
            code: None,
        };
        let pool = &self.constant_pool;
        let name = pool.utf8(method.name)?;
        let descriptor = pool.utf8(method.descriptor)?;
        let place = || format!("method {name}{descriptor}");
        if known.names.insert(method.name) {
            check_member_name(name, offset).within(place)?;
        }
        let parameters = match known.method_descriptors.get(&method.descriptor) {
            Some(&slots) => slots,
            None => {
                let slots = MethodDescriptor::parse(descriptor).within(place)?.parameter_slots();
                known.method_descriptors.insert(method.descriptor, slots);
                slots
            }
        };
        let receiver = usize::from(!method.has_flags(flags::STATIC));
        if parameters + receiver > 255 {
            return Err(ClassFileError::at(offset, "more than 255 parameter slots")).within(place);
        }
        self.attributes(reader, |name, mut contents| {
            match name {
                "Code" => {
                    if method.code.is_some() {
                        return Err(contents.error("a second Code attribute"));
                    }
                    // Files of 4 GiB and more cannot be: attribute lengths are 32 bits.
                    method.code = Some((contents.offset() as u32, contents.remaining() as u32));
                }
                "Exceptions" => {
                    let count = usize::from(contents.u16()?);
                    method.exceptions = contents.table(count, 2, |reader| {
                        let class = reader.u16()?;
                        pool.class_name(class).map(|_| class)
                    })?;
                }
                "Signature" => method.signature = Some(self.checked_text(contents.u16()?)?),
                "MethodParameters" => {
                    let count = usize::from(contents.u8()?);
                    method.parameters = contents.table(count, 4, |reader| {
                        Ok(MethodParameter { name: reader.u16()?, access_flags: reader.u16()? })
                    })?;
                }
                _ => {}
            }
            Ok(())
        })
        .within(place)?;
        let needs_code = method.access_flags & (flags::NATIVE | flags::ABSTRACT) == 0;
        if needs_code != method.has_code() {
            let reason = if needs_code {
                "the method is neither native nor abstract but has no code"
            } else {
                "a native or abstract method has code"
            };
            return Err(ClassFileError::at(offset, reason)).within(place);
        }
        Ok(method)
    }

    fn parse_class_attributes(&mut self, reader: &mut Reader<'_>) -> Result<(), ClassFileError> {
        // `attributes` borrows the class, so that the results are put in afterwards.
        let mut signature = None;
        let mut source_file = None;
        let mut enclosing_method = None;
        let mut nest_host = None;
        let mut nest_members = Vec::new();
        let mut permitted = Vec::new();
        let mut visible_annotations = Vec::new();
        let mut inner_classes = Vec::new();
        let mut record = None;
        let mut bootstrap_methods = Vec::new();
        self.attributes(reader, |name, mut contents| {
            match name {
                "Signature" => signature = Some(contents.u16()?),
                "SourceFile" => source_file = Some(contents.u16()?),
                "EnclosingMethod" => enclosing_method = Some((contents.u16()?, contents.u16()?)),
                "NestHost" => nest_host = Some(contents.u16()?),
                "NestMembers" => {
                    let count = usize::from(contents.u16()?);
                    nest_members = contents.table(count, 2, Reader::u16)?;
                }
                "PermittedSubclasses" => {
                    let count = usize::from(contents.u16()?);
                    permitted = contents.table(count, 2, Reader::u16)?;
                }
                "RuntimeVisibleAnnotations" => visible_annotations = annotations::types(contents),
                "InnerClasses" => {
                    let count = usize::from(contents.u16()?);
                    inner_classes = contents.table(count, 8, |reader| {
                        Ok(InnerClass {
                            inner_class: reader.u16()?,
                            outer_class: reader.u16()?,
                            inner_name: reader.u16()?,
                            access_flags: reader.u16()?,
                        })
                    })?;
                }
                "Record" => {
                    let count = usize::from(contents.u16()?);
                    record = Some(
                        contents.table(count, 6, |reader| self.parse_record_component(reader))?,
                    );
                }
                "BootstrapMethods" => {
                    let count = usize::from(contents.u16()?);
                    bootstrap_methods = contents.table(count, 4, |reader| {
                        let method_handle = reader.u16()?;
                        let count = usize::from(reader.u16()?);
                        let arguments = reader.table(count, 2, Reader::u16)?;
                        Ok(BootstrapMethod { method_handle, arguments })
                    })?;
                }
                _ => {}
            }
            Ok(())
        })?;
        self.signature = signature;
        self.source_file = source_file;
        self.enclosing_method = enclosing_method;
        self.nest_host = nest_host;
        self.nest_members = nest_members;
        self.permitted_subclasses = permitted;
        self.annotations = visible_annotations;
        self.inner_classes = inner_classes;
        self.record_components = record;
        self.bootstrap_methods = bootstrap_methods;
        Ok(())
    }

    fn parse_record_component(
        &self,
        reader: &mut Reader<'_>,
    ) -> Result<RecordComponent, ClassFileError> {
        let name = self.checked_text(reader.u16()?)?;
        let descriptor = self.checked_text(reader.u16()?)?;
        JavaType::parse(self.constant_pool.utf8(descriptor)?)?;
        let mut signature = None;
        self.attributes(reader, |name, mut contents| {
            if name == "Signature" {
                signature = Some(self.checked_text(contents.u16()?)?);
            }
            Ok(())
        })?;
        Ok(RecordComponent { name, descriptor, signature })
    }

    fn checked_text(&self, index: u16) -> Result<u16, ClassFileError> {
        self.constant_pool.utf8(index).map(|_| index)
    }

    /// Calls `visit` with the name and contents of each attribute in a table.
    pub(crate) fn attributes<'r>(
        &self,
        reader: &mut Reader<'r>,
        mut visit: impl FnMut(&str, Reader<'r>) -> Result<(), ClassFileError>,
    ) -> Result<(), ClassFileError> {
        let count = reader.u16()?;
        for _ in 0..count {
            let name = self.constant_pool.utf8(reader.u16()?).within(|| "attribute".to_owned())?;
            let length = reader.u32()? as usize;
            let place = || format!("attribute {name}");
            let contents = reader.sub(length).within(place)?;
            visit(name, contents).within(place)?;
        }
        Ok(())
    }

    /// Internal name of the class.
    pub fn name(&self) -> &str {
        self.checked_class_name(self.this_class)
    }

    /// Internal name of the superclass; `None` for `java/lang/Object` and modules.
    pub fn super_name(&self) -> Option<&str> {
        (self.super_class != 0).then(|| self.checked_class_name(self.super_class))
    }

    /// Internal names of the direct superinterfaces, in order.
    pub fn interfaces(&self) -> impl Iterator<Item = &str> {
        self.interfaces.iter().map(|&index| self.checked_class_name(index))
    }

    /// The class around a local or anonymous class, and the name and descriptor of the method if it
    /// is in one. A broken `EnclosingMethod` counts as none: it says nothing about execution.
    pub fn enclosing_method(&self) -> Option<(&str, Option<(&str, &str)>)> {
        let (class, method) = self.enclosing_method?;
        let pool = &self.constant_pool;
        let class = pool.class_name(class).ok()?;
        let Constant::NameAndType(name, descriptor) = pool.get(method).ok()? else {
            return Some((class, None));
        };
        Some((class, pool.utf8(name).ok().zip(pool.utf8(descriptor).ok())))
    }

    /// Internal name of the nest host, if the class is not its own.
    pub fn nest_host(&self) -> Option<&str> {
        self.nest_host.map(|index| self.checked_class_name(index))
    }

    /// Internal names of the members of the nest that this class hosts.
    pub fn nest_members(&self) -> impl Iterator<Item = &str> {
        self.nest_members.iter().map(|&index| self.checked_class_name(index))
    }

    /// Internal names of the permitted subclasses of a sealed class.
    pub fn permitted_subclasses(&self) -> impl Iterator<Item = &str> {
        self.permitted_subclasses.iter().map(|&index| self.checked_class_name(index))
    }

    /// Whether the class has an annotation that is visible at run time, by the descriptor of its type.
    pub fn has_annotation(&self, descriptor: &str) -> bool {
        let mut types = self.annotations.iter();
        types.any(|&of| self.constant_pool.utf8(of).is_ok_and(|of| of == descriptor))
    }

    /// The `SourceFile`, such as `Vector.java`.
    pub fn source_file(&self) -> Option<&str> {
        self.source_file.map(|index| self.checked_utf8(index))
    }

    /// Generic signature of the class.
    pub fn signature(&self) -> Option<&str> {
        self.signature.map(|index| self.checked_utf8(index))
    }

    /// Whether all of these flag bits are set on the class.
    pub fn has_flags(&self, wanted: u16) -> bool {
        self.access_flags & wanted == wanted
    }

    /// Name of a field.
    pub fn field_name(&self, field: &Field) -> &str {
        self.checked_utf8(field.name)
    }

    /// Descriptor of a field.
    pub fn field_descriptor(&self, field: &Field) -> &str {
        self.checked_utf8(field.descriptor)
    }

    /// Generic signature of a field.
    pub fn field_signature(&self, field: &Field) -> Option<&str> {
        field.signature.map(|index| self.checked_utf8(index))
    }

    /// Name of a method.
    pub fn method_name(&self, method: &Method) -> &str {
        self.checked_utf8(method.name)
    }

    /// Descriptor of a method.
    pub fn method_descriptor(&self, method: &Method) -> &str {
        self.checked_utf8(method.descriptor)
    }

    /// Generic signature of a method.
    pub fn method_signature(&self, method: &Method) -> Option<&str> {
        method.signature.map(|index| self.checked_utf8(index))
    }

    /// Internal names of the exceptions that the method declares.
    pub fn method_exceptions(&self, method: &Method) -> impl Iterator<Item = &str> {
        method.exceptions.iter().map(|&index| self.checked_class_name(index))
    }

    /// The decoded code of a method; `None` for native and abstract ones.
    pub fn code(&self, method: &Method) -> Result<Option<Code>, ClassFileError> {
        let Some((start, length)) = method.code else {
            return Ok(None);
        };
        let place =
            || format!("method {}{}", self.method_name(method), self.method_descriptor(method));
        let range = start as usize..start as usize + length as usize;
        let bytes = self.file.get(range).unwrap_or_default();
        Code::parse(self, method, Reader::new(bytes, start as usize))
            .within(place)
            .map_err(|error| error.in_class(self.name()))
            .map(Some)
    }

    /// Parsing has followed these indices already.
    fn checked_utf8(&self, index: u16) -> &str {
        self.constant_pool.utf8(index).unwrap_or_default()
    }

    fn checked_class_name(&self, index: u16) -> &str {
        self.constant_pool.class_name(index).unwrap_or_default()
    }
}

/// Constants that are known to be names or descriptors of members: thousands of members can share
/// long ones.
#[derive(Default)]
struct KnownTexts {
    names: BTreeSet<u16>,
    field_descriptors: BTreeSet<u16>,
    /// With the slots that the parameters take.
    method_descriptors: BTreeMap<u16, usize>,
}

/// JVMS 4.2.2, unqualified names; the special method names apart.
fn check_member_name(name: &str, offset: usize) -> Result<(), ClassFileError> {
    let special = matches!(name, "<init>" | "<clinit>");
    if !special && (name.is_empty() || name.contains(['.', ';', '[', '/'])) {
        return Err(ClassFileError::at(offset, format!("\"{name}\" is not the name of a member")));
    }
    Ok(())
}
