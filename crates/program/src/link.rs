//! What an instruction demands of the field, method or class that it names, beyond resolution: the
//! "Linking Exceptions" of JVMS 6.5.

use std::sync::Arc;

use petrel_classfile::MemberRef;

use crate::class::Class;
use crate::error::LinkageError;
use crate::members::{ResolvedField, ResolvedMethod};
use crate::names::{external_class, external_method};
use crate::program::Program;
use crate::resolve::Named;

/// An instruction that accesses a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the JVM's own")]
pub enum FieldAccess {
    GetField,
    PutField,
    GetStatic,
    PutStatic,
}

/// An instruction that calls a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the JVM's own")]
pub enum InvokeKind {
    Virtual,
    Special,
    Static,
    Interface,
}

/// A call whose method is resolved. [`LinkedCall::select`] tells what it runs.
#[derive(Debug, Clone)]
pub struct LinkedCall {
    /// The calling instruction.
    pub kind: InvokeKind,
    /// The class or interface in the reference; `Object` for array types.
    pub named: Arc<Class>,
    /// The resolved method.
    pub method: ResolvedMethod,
}

/// From this class file version on (Java 9), final fields are written in initialisers alone.
/// Before, any method of their class will do.
const FINAL_FIELDS_IN_INITIALISERS: u16 = 53;

impl Program {
    /// Resolves a field for an instruction in the method `within` of the class `from`.
    ///
    /// # Errors
    ///
    /// As [`Program::resolve_field`], and if the field is static or not as the instruction does not
    /// expect, or is final and may not be written there.
    pub fn link_field(
        &self,
        from: &Class,
        within: &str,
        access: FieldAccess,
        reference: MemberRef<'_>,
    ) -> Result<ResolvedField, LinkageError> {
        let field = self.resolve_field(from, reference)?;
        let wants_static = matches!(access, FieldAccess::GetStatic | FieldAccess::PutStatic);
        if field.is_static() != wants_static {
            // HotSpot writes the class of the reference here.
            let kind = if wants_static { "static" } else { "non-static" };
            let class = external_class(reference.class);
            let message = format!("Expected {kind} field {class}.{}", field.name());
            return Err(LinkageError::incompatible_class_change(message));
        }
        if matches!(access, FieldAccess::PutField | FieldAccess::PutStatic) {
            check_final_write(from, within, &field)?;
        }
        Ok(field)
    }

    /// Resolves a method for a call in the class `from`.
    ///
    /// # Errors
    ///
    /// As [`Program::resolve_method`], and if the method is static or not as the instruction does
    /// not expect, or is the constructor of another class.
    pub fn link_call(
        &self,
        from: &Class,
        kind: InvokeKind,
        reference: MemberRef<'_>,
    ) -> Result<LinkedCall, LinkageError> {
        let named = self.named_class(from, reference.class)?;
        check_kind(kind, &named, reference)?;
        let method = self.method_of(from, &named, reference)?;
        if method.is_constructor() && !Arc::ptr_eq(method.class(), &named.class) {
            let class = external_class(reference.class);
            let method = external_method(None, reference.name, reference.descriptor);
            let message = format!("{class}: method '{method}' not found");
            return Err(LinkageError::no_such_method(message));
        }
        if method.is_static() != (kind == InvokeKind::Static) {
            let expected = match kind {
                InvokeKind::Static => "Expected static method",
                InvokeKind::Interface => "Expected instance not static method",
                InvokeKind::Virtual | InvokeKind::Special => "Expecting non-static method",
            };
            let message = format!("{expected} '{}'", written(&method));
            return Err(LinkageError::incompatible_class_change(message));
        }
        Ok(LinkedCall { kind, named: named.class, method })
    }

    /// Resolves the class of a `new` instruction.
    ///
    /// # Errors
    ///
    /// If the class cannot be resolved, or is abstract, an interface or an array type.
    pub fn link_new(&self, from: &Class, name: &str) -> Result<Arc<Class>, LinkageError> {
        let named = self.named_class(from, name)?;
        if named.is_array || named.class.is_abstract() {
            return Err(LinkageError::instantiation(external_class(name)));
        }
        Ok(named.class)
    }
}

/// Whether the instruction, the kind of reference and the class go together. The messages are
/// those of HotSpot, which has another one for each instruction.
fn check_kind(
    kind: InvokeKind,
    named: &Named,
    reference: MemberRef<'_>,
) -> Result<(), LinkageError> {
    let fixed = match kind {
        InvokeKind::Virtual => Some(false),
        InvokeKind::Interface => Some(true),
        InvokeKind::Special | InvokeKind::Static => None,
    };
    if fixed.is_some_and(|is_interface| is_interface != reference.is_interface) {
        return Err(LinkageError::verify("Illegal type at constant pool entry".to_owned()));
    }
    if named.class.is_interface() == reference.is_interface {
        return Ok(());
    }
    let class = external_class(named.class.name());
    let MemberRef { name, descriptor, .. } = reference;
    let method = external_method(Some(reference.class), name, descriptor);
    Err(LinkageError::incompatible_class_change(match kind {
        InvokeKind::Virtual => format!("Found interface {class}, but class was expected"),
        InvokeKind::Interface => format!("Found class {class}, but interface was expected"),
        _ if reference.is_interface => format!("Method '{method}' must be Methodref constant"),
        _ => format!("Method '{method}' must be InterfaceMethodref constant"),
    }))
}

/// JVMS 6.5, `putfield` and `putstatic`.
fn check_final_write(
    from: &Class,
    within: &str,
    field: &ResolvedField,
) -> Result<(), LinkageError> {
    if !field.is_final() || from.is_synthesised() {
        return Ok(());
    }
    let (kind, initialiser) =
        if field.is_static() { ("static", "<clinit>") } else { ("non-static", "<init>") };
    let class = external_class(field.class().name());
    let update = format!("Update to {kind} final field {class}.{} attempted", field.name());
    if !std::ptr::eq(from, &**field.class()) {
        let from = external_class(from.name());
        return Err(LinkageError::illegal_access(format!(
            "{update} from a different class ({from}) than the field's declaring class"
        )));
    }
    if from.file.major_version >= FINAL_FIELDS_IN_INITIALISERS && within != initialiser {
        return Err(LinkageError::illegal_access(format!(
            "{update} from a different method ({within}) than the initializer method {initialiser} "
        )));
    }
    Ok(())
}

/// `int a.B.m(java.lang.String)`.
pub(crate) fn written(method: &ResolvedMethod) -> String {
    external_method(Some(method.class().name()), method.name(), method.descriptor())
}
