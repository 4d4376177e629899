//! Access control (JVMS 5.4.4).
//!
//! Two parts of it are left out. Modules are not modelled, so every package counts as exported and
//! read. And that the receiver of a protected member is an instance of the accessing class or a
//! subclass is checked by verification (JVMS 4.10.1.8), which Petrel takes as done.
//!
//! A synthesised class may access everything.

use std::sync::Arc;

use petrel_classfile::flags;

use crate::class::Class;
use crate::error::LinkageError;
use crate::members::{ResolvedField, ResolvedMethod};
use crate::names::{external_class, external_method};
use crate::program::Program;
use crate::resolve::Named;

impl Program {
    /// Whether `from` may name `class`.
    pub fn can_access_class(&self, from: &Class, class: &Class) -> bool {
        from.is_synthesised() || class.file.has_flags(flags::PUBLIC) || from.same_package(class)
    }

    pub(crate) fn check_class_access(
        &self,
        from: &Class,
        class: &Class,
    ) -> Result<(), LinkageError> {
        if self.can_access_class(from, class) {
            return Ok(());
        }
        let (class, from) = (external_class(class.name()), external_class(from.name()));
        let message = format!("failed to access class {class} from class {from}");
        Err(LinkageError::illegal_access(message))
    }

    pub(crate) fn check_field_access(
        &self,
        from: &Class,
        named: &Named,
        field: &ResolvedField,
    ) -> Result<(), LinkageError> {
        if self.can_access_member(from, named, field.class(), field.flags()) {
            return Ok(());
        }
        let kind = visibility(field.flags());
        let (from, class) = (external_class(from.name()), external_class(field.class().name()));
        let name = field.name();
        let message = format!("class {from} tried to access {kind}field {class}.{name}");
        Err(LinkageError::illegal_access(message))
    }

    pub(crate) fn check_method_access(
        &self,
        from: &Class,
        named: &Named,
        method: &ResolvedMethod,
    ) -> Result<(), LinkageError> {
        // Arrays override `clone` with a public method (JLS 10.7), which has no declaration.
        let is_array_clone = named.is_array && method.name() == "clone";
        if is_array_clone || self.can_access_member(from, named, method.class(), method.flags()) {
            return Ok(());
        }
        let kind = visibility(method.flags());
        let abstractness = if method.is_abstract() { "abstract " } else { "" };
        let class = Some(method.class().name());
        let method = external_method(class, method.name(), method.descriptor());
        let from = external_class(from.name());
        let message = format!("class {from} tried to access {abstractness}{kind}method '{method}'");
        Err(LinkageError::illegal_access(message))
    }

    /// `declaring` declares the member, which was referred to as a member of `named`.
    fn can_access_member(
        &self,
        from: &Class,
        named: &Named,
        declaring: &Class,
        member_flags: u16,
    ) -> bool {
        let has = |flag| member_flags & flag != 0;
        if has(flags::PUBLIC) || from.is_synthesised() || std::ptr::eq(from, declaring) {
            return true;
        }
        if has(flags::PRIVATE) {
            return self.are_nest_mates(from, declaring);
        }
        if from.same_package(declaring) {
            return true;
        }
        has(flags::PROTECTED)
            && from.is_subclass_of(declaring)
            && (has(flags::STATIC) || named.is_related_to(from))
    }

    /// Whether both classes belong to the same nest.
    pub fn are_nest_mates(&self, one: &Class, other: &Class) -> bool {
        std::ptr::eq(one, other) || self.nest_host(one) == self.nest_host(other)
    }

    /// Name of the nest host. A class whose host cannot be loaded, is in another package or does
    /// not list it as a member is its own host.
    pub fn nest_host(&self, class: &Class) -> Arc<str> {
        let host = class.nest_host.get_or_init(|| {
            let valid = class.file.nest_host().and_then(|name| self.class(name).ok());
            let valid = valid.filter(|host| {
                host.same_package(class)
                    && host.file.nest_members().any(|member| member == class.name())
            });
            Arc::clone(valid.as_deref().unwrap_or(class).shared_name())
        });
        Arc::clone(host)
    }
}

impl Named {
    /// JVMS 5.4.4: a reference to a protected instance member names a subclass, a superclass or
    /// the class itself.
    fn is_related_to(&self, from: &Class) -> bool {
        // Of an array class, only `Object` is a superclass.
        let below = !self.is_array && from.is_subclass_of(&self.class);
        below || self.class.is_subclass_of(from)
    }
}

fn visibility(member_flags: u16) -> &'static str {
    if member_flags & flags::PRIVATE != 0 {
        "private "
    } else if member_flags & flags::PROTECTED != 0 {
        "protected "
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::*;
    use crate::{Program, Receiver};

    fn members(name: &str) -> ClassSpec {
        let visibilities =
            [("pub", PUBLIC), ("prot", PROTECTED), ("pkg", PACKAGE), ("priv", PRIVATE)];
        visibilities.into_iter().fold(class(name), |class, (name, flags)| {
            let on_class = format!("s{name}");
            class
                .method(flags, name, "()V")
                .method(flags | STATIC, &on_class, "()V")
                .field(flags, name, "I")
                .field(flags | STATIC, &on_class, "I")
        })
    }

    /// Which members of `named` the class `from` may access.
    fn accessible(program: &Program, from: &str, named: &str) -> String {
        let from = program.get(from);
        let names = ["pub", "prot", "pkg", "priv", "spub", "sprot", "spkg", "spriv"];
        let ok = names.into_iter().filter(|name| {
            let method = format!("{named}.{name}()V");
            let field = format!("{named}.{name}:I");
            let method = program.resolve_method(&from, reference(&method)).is_ok();
            let field = program.resolve_field(&from, reference(&field)).is_ok();
            assert_eq!(method, field, "{name}");
            method
        });
        ok.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn members_are_accessible_as_their_flags_say() {
        let program = program([
            members("a/A"),
            class("a/Neighbour"),
            class("b/Sub").extends("a/A"),
            class("b/SubSub").extends("b/Sub"),
            class("b/Sibling").extends("a/A"),
            class("b/Stranger"),
        ]);
        let all = "pub prot pkg priv spub sprot spkg spriv";
        for (from, named, expected) in [
            ("a/A", "a/A", all),
            ("a/A", "b/Sub", all),
            ("a/Neighbour", "a/A", "pub prot pkg spub sprot spkg"),
            ("a/Neighbour", "b/Sub", "pub prot pkg spub sprot spkg"),
            ("b/Sub", "b/Sub", "pub prot spub sprot"),
            ("b/Sub", "a/A", "pub prot spub sprot"),
            ("b/Sub", "b/SubSub", "pub prot spub sprot"),
            ("b/Sub", "b/Sibling", "pub spub sprot"),
            ("b/Stranger", "a/A", "pub spub"),
        ] {
            assert_eq!(accessible(&program, from, named), expected, "{named} from {from}");
        }
    }

    #[test]
    fn a_synthesised_class_may_access_everything() {
        let program = program([members("a/A").flags(PACKAGE)]);
        program.define_synthetic(class("b/Made").bytes()).unwrap();
        let all = "pub prot pkg priv spub sprot spkg spriv";
        assert_eq!(accessible(&program, "b/Made", "a/A"), all);
    }

    #[test]
    fn refusals_are_worded_as_hotspot_words_them() {
        let program = program([
            members("a/A").method(PROTECTED | ABSTRACT, "abs", "(I)I"),
            class("a/Hidden").flags(PACKAGE),
            class("b/B"),
        ]);
        let from = program.get("b/B");
        let method = |text| shown(program.resolve_method(&from, reference(text)));
        let field = |text| shown(program.resolve_field(&from, reference(text)));
        let tried = "java/lang/IllegalAccessError: class b.B tried to access";
        assert_eq!(method("a/A.priv()V"), format!("{tried} private method 'void a.A.priv()'"));
        assert_eq!(method("a/A.pkg()V"), format!("{tried} method 'void a.A.pkg()'"));
        let text = format!("{tried} abstract protected method 'int a.A.abs(int)'");
        assert_eq!(method("a/A.abs(I)I"), text);
        assert_eq!(field("a/A.prot:I"), format!("{tried} protected field a.A.prot"));
        let failed = "java/lang/IllegalAccessError: failed to access class a.Hidden from class b.B";
        assert_eq!(method("a/Hidden.m()V"), failed);
        assert_eq!(method("[[La/Hidden;.hashCode()I"), failed);
    }

    #[test]
    fn nest_mates_share_private_members_if_host_and_member_agree() {
        let private = |name: &str| class(name).method(PRIVATE, "m", "()V");
        let program = program([
            private("a/Host").nest_members(&["a/Host$1", "a/Host$2", "b/Far"]),
            private("a/Host$1").nest_host("a/Host"),
            private("a/Host$2").nest_host("a/Host"),
            private("a/Intruder").nest_host("a/Host"),
            private("a/Lonely").nest_host("a/Gone"),
            private("b/Far").nest_host("a/Host"),
        ]);
        for (from, named, expected) in [
            ("a/Host", "a/Host$1", true),
            ("a/Host$1", "a/Host", true),
            ("a/Host$1", "a/Host$2", true),
            ("a/Intruder", "a/Host", false),
            ("a/Host", "a/Intruder", false),
            ("a/Host", "b/Far", false),
            ("b/Far", "a/Host$1", false),
            ("a/Lonely", "a/Lonely", true),
            ("a/Lonely", "a/Host", false),
        ] {
            let method = format!("{named}.m()V");
            let resolved = program.resolve_method(&program.get(from), reference(&method));
            assert_eq!(resolved.is_ok(), expected, "{named} from {from}");
        }
        assert_eq!(&*program.nest_host(&program.get("a/Host$2")), "a/Host");
        assert_eq!(&*program.nest_host(&program.get("a/Intruder")), "a/Intruder");
    }

    #[test]
    fn the_clone_method_of_arrays_is_public_and_finalize_is_not() {
        let program = program([class("a/A")]);
        let from = program.get("a/A");
        let clone =
            program.resolve_method(&from, reference("[I.clone()Ljava/lang/Object;")).unwrap();
        assert_eq!(clone.to_string(), "java/lang/Object.clone()Ljava/lang/Object;");
        assert_eq!(clone.select_virtual(Receiver::Array).unwrap(), clone);
        assert!(program.resolve_method(&from, reference("[[La/A;.finalize()V")).is_err());
        assert!(program.resolve_method(&from, reference("a/A.finalize()V")).is_ok());
    }
}
