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
        from: &Arc<Class>,
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
        from: &Arc<Class>,
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
                _ if reference.is_interface => "Expected instance not static method",
                _ => "Expecting non-static method",
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
    pub fn link_new(&self, from: &Arc<Class>, name: &str) -> Result<Arc<Class>, LinkageError> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    fn fields() -> Program {
        let final_fields = |name: &str| {
            class(name).field(PUBLIC | FINAL, "ff", "I").field(PUBLIC | STATIC | FINAL, "sf", "I")
        };
        program([
            class("A").field(PUBLIC, "f", "I").field(PUBLIC | STATIC, "s", "I"),
            class("B").extends("A"),
            final_fields("New").version(53),
            final_fields("Old").version(52),
        ])
    }

    fn link_field(from: &str, within: &str, access: FieldAccess, text: &str) -> String {
        let program = fields();
        shown(program.link_field(&program.get(from), within, access, reference(text)))
    }

    #[test]
    fn fields_are_static_as_the_instruction_expects() {
        use FieldAccess::{GetField, GetStatic, PutField, PutStatic};
        let change = "java/lang/IncompatibleClassChangeError: Expected";
        assert_eq!(link_field("A", "m", GetField, "B.f:I"), "A.f:I");
        assert_eq!(link_field("A", "m", PutStatic, "B.s:I"), "A.s:I");
        let text = format!("{change} non-static field B.s");
        assert_eq!(link_field("A", "m", PutField, "B.s:I"), text);
        assert_eq!(link_field("A", "m", GetStatic, "A.f:I"), format!("{change} static field A.f"));
    }

    #[test]
    fn final_fields_are_written_by_initialisers_of_their_class() {
        use FieldAccess::{GetField, PutField, PutStatic};
        let update = "java/lang/IllegalAccessError: Update to";
        assert_eq!(link_field("A", "m", GetField, "New.ff:I"), "New.ff:I");
        assert_eq!(
            link_field("A", "<init>", PutField, "New.ff:I"),
            format!(
                "{update} non-static final field New.ff attempted from a different class (A) than \
                 the field's declaring class"
            )
        );
        assert_eq!(link_field("New", "<init>", PutField, "New.ff:I"), "New.ff:I");
        assert_eq!(link_field("New", "<clinit>", PutStatic, "New.sf:I"), "New.sf:I");
        assert_eq!(
            link_field("New", "m", PutStatic, "New.sf:I"),
            format!(
                "{update} static final field New.sf attempted from a different method (m) than the \
                 initializer method <clinit> "
            )
        );
        assert_eq!(link_field("Old", "m", PutField, "Old.ff:I"), "Old.ff:I");
    }

    fn link_call(kind: InvokeKind, reference: MemberRef<'_>) -> String {
        let program = program([
            class("A").method(PUBLIC, "m", "()V").method(PUBLIC | STATIC, "s", "()V"),
            interface("I").method(PUBLIC | ABSTRACT, "m", "()V").method(
                PUBLIC | STATIC,
                "s",
                "()V",
            ),
            class("Main"),
        ]);
        shown(program.link_call(&program.get("Main"), kind, reference).map(|call| call.method))
    }

    #[test]
    fn methods_are_static_as_the_instruction_expects() {
        use InvokeKind::{Interface, Special, Static, Virtual};
        let change = "java/lang/IncompatibleClassChangeError:";
        assert_eq!(link_call(Static, reference("A.s()V")), "A.s()V");
        assert_eq!(link_call(Static, interface_reference("I.s()V")), "I.s()V");
        let text = format!("{change} Expected static method 'void A.m()'");
        assert_eq!(link_call(Static, reference("A.m()V")), text);
        for kind in [Virtual, Special] {
            let text = format!("{change} Expecting non-static method 'void A.s()'");
            assert_eq!(link_call(kind, reference("A.s()V")), text);
        }
        let text = format!("{change} Expected instance not static method 'void I.s()'");
        assert_eq!(link_call(Interface, interface_reference("I.s()V")), text);
    }

    #[test]
    fn instruction_reference_and_class_go_together() {
        use InvokeKind::{Interface, Special, Static, Virtual};
        let change = "java/lang/IncompatibleClassChangeError:";
        for (kind, reference, expected) in [
            (Virtual, reference("I.m()V"), "Found interface I, but class was expected"),
            (Interface, interface_reference("A.m()V"), "Found class A, but interface was expected"),
            (
                Static,
                reference("I.s()V"),
                "Method 'void I.s()' must be InterfaceMethodref constant",
            ),
            (
                Special,
                interface_reference("A.m()V"),
                "Method 'void A.m()' must be Methodref constant",
            ),
        ] {
            assert_eq!(link_call(kind, reference), format!("{change} {expected}"));
        }
        assert!(link_call(Virtual, interface_reference("I.m()V")).contains("VerifyError"));
    }

    #[test]
    fn a_constructor_is_not_inherited() {
        assert_eq!(
            link_call(InvokeKind::Special, reference("A.<init>()V")),
            "java/lang/NoSuchMethodError: A: method 'void <init>()' not found"
        );
    }

    #[test]
    fn abstract_classes_cannot_be_instantiated() {
        let program =
            program([interface("p/I"), class("p/Abs").flags(PUBLIC | ABSTRACT), class("p/A")]);
        let main = program.get("p/A");
        let new = |name| shown(program.link_new(&main, name).map(|class| class.name().to_owned()));
        assert_eq!(new("p/A"), "p/A");
        assert_eq!(new("p/Abs"), "java/lang/InstantiationError: p.Abs");
        assert_eq!(new("p/I"), "java/lang/InstantiationError: p.I");
        assert_eq!(new("[I"), "java/lang/InstantiationError: [I");
    }
}
