use super::*;
use crate::Program;
use crate::testing::*;

fn virtually(program: &Program, resolved: &str, receiver: &str) -> String {
    let receiver = program.get(receiver);
    shown(program.method(resolved).select_virtual(Receiver::Class(&receiver)))
}

fn by_interface(program: &Program, resolved: &str, receiver: &str) -> String {
    let (method, receiver) = (program.method(resolved), program.get(receiver));
    shown(method.select_interface(Receiver::Class(&receiver), method.class()))
}

/// The call, as linked in `current`, runs this method.
fn specially(
    program: &Program,
    current: &str,
    reference: petrel_classfile::MemberRef<'_>,
) -> String {
    let current = program.get(current);
    let call = program.link_call(&current, InvokeKind::Special, reference).unwrap();
    shown(call.select(&current, Receiver::Class(&current)))
}

#[test]
fn the_most_derived_method_is_selected() {
    let program = program([
        class("A").method(PUBLIC, "m", "()V"),
        class("B").extends("A").method(PUBLIC, "m", "()V"),
        class("C").extends("B"),
    ]);
    assert_eq!(virtually(&program, "A.m()V", "A"), "A.m()V");
    assert_eq!(virtually(&program, "A.m()V", "C"), "B.m()V");
}

#[test]
fn private_and_static_methods_do_not_override() {
    let program = program([
        class("A").method(PROTECTED, "m", "()V").method(PRIVATE, "p", "()V"),
        class("B").extends("A").method(PRIVATE, "m", "()V").method(PUBLIC, "p", "()V"),
        class("C").extends("B").method(STATIC, "m", "()V"),
    ]);
    assert_eq!(virtually(&program, "A.m()V", "C"), "A.m()V");
    assert_eq!(virtually(&program, "A.p()V", "C"), "A.p()V");
    assert_eq!(virtually(&program, "B.p()V", "C"), "B.p()V");
}

#[test]
fn a_package_private_method_is_overridden_in_its_package_only() {
    let program = program([
        class("a/A").method(PACKAGE, "m", "()V"),
        class("b/B").extends("a/A").method(PUBLIC, "m", "()V"),
        class("a/C").extends("b/B"),
        class("a/D").extends("b/B").method(PACKAGE, "m", "()V"),
        class("b/E").extends("a/D").method(PUBLIC, "m", "()V"),
    ]);
    for (resolved, receiver, expected) in [
        ("a/A.m()V", "b/B", "a/A.m()V"),
        ("a/A.m()V", "a/C", "a/A.m()V"),
        ("a/A.m()V", "a/D", "a/D.m()V"),
        ("b/B.m()V", "a/C", "b/B.m()V"),
        // It overrides the public method of another package, whatever its own flags.
        ("b/B.m()V", "a/D", "a/D.m()V"),
        // a/D.m is not seen from b, and b/B.m does not override a/A.m.
        ("a/A.m()V", "b/E", "a/D.m()V"),
        ("b/B.m()V", "b/E", "b/E.m()V"),
    ] {
        assert_eq!(virtually(&program, resolved, receiver), expected, "{resolved} on {receiver}");
    }
}

#[test]
fn overriding_is_transitive_across_packages() {
    let program = program([
        class("a/A").method(PACKAGE, "m", "()V"),
        class("a/B").extends("a/A").method(PUBLIC, "m", "()V"),
        class("b/C").extends("a/B").method(PUBLIC, "m", "()V"),
        class("c/D").extends("b/C").method(PROTECTED, "m", "()V"),
        class("c/E").extends("c/D").method(PRIVATE, "m", "()V"),
    ]);
    assert_eq!(virtually(&program, "a/A.m()V", "b/C"), "b/C.m()V");
    assert_eq!(virtually(&program, "a/A.m()V", "c/E"), "c/D.m()V");
}

#[test]
fn a_diamond_of_defaults_is_decided_by_the_most_specific_one() {
    let program = program([
        interface("Top").method(PUBLIC, "m", "()V"),
        interface("Left").implements(&["Top"]).method(PUBLIC, "m", "()V"),
        interface("Right").implements(&["Top"]),
        class("A").implements(&["Top", "Right"]),
        class("B").extends("A").implements(&["Right", "Left"]),
        class("C").extends("B").method(PUBLIC, "m", "()V"),
        class("D").extends("C").implements(&["Left"]),
    ]);
    assert_eq!(by_interface(&program, "Top.m()V", "A"), "Top.m()V");
    assert_eq!(by_interface(&program, "Top.m()V", "B"), "Left.m()V");
    assert_eq!(virtually(&program, "Top.m()V", "B"), "Left.m()V");
    assert_eq!(by_interface(&program, "Top.m()V", "D"), "C.m()V");
}

#[test]
fn conflicting_defaults_are_an_incompatible_change() {
    let program = program([
        interface("p/I").method(PUBLIC, "m", "()V"),
        interface("p/J").method(PUBLIC, "m", "()V"),
        interface("p/K").method(PUBLIC | ABSTRACT, "m", "()V"),
        class("p/A").implements(&["p/I", "p/J"]),
        class("p/B").implements(&["p/I", "p/K"]),
    ]);
    let conflict =
        "java/lang/IncompatibleClassChangeError: Conflicting default methods: p/I.m p/J.m";
    assert_eq!(by_interface(&program, "p/I.m()V", "p/A"), conflict);
    assert_eq!(virtually(&program, "p/J.m()V", "p/A"), conflict);
    // One of them is abstract: the other is selected.
    assert_eq!(by_interface(&program, "p/K.m()V", "p/B"), "p/I.m()V");
}

#[test]
fn a_missing_implementation_is_an_abstract_method_error() {
    let program = program([
        interface("p/I").method(PUBLIC | ABSTRACT, "m", "()V"),
        class("p/Abs").flags(PUBLIC | ABSTRACT).method(PUBLIC | ABSTRACT, "n", "(I)I"),
        class("p/A").extends("p/Abs").implements(&["p/I"]),
        class("p/B").extends("p/A").method(PUBLIC, "n", "(I)I"),
        class("p/C").extends("p/B").method(PUBLIC | ABSTRACT, "n", "(I)I"),
    ]);
    let error = "java/lang/AbstractMethodError: Receiver class";
    let none = "does not define or inherit an implementation of the resolved method";
    assert_eq!(
        by_interface(&program, "p/I.m()V", "p/A"),
        format!("{error} p.A {none} 'abstract void m()' of interface p.I.")
    );
    assert_eq!(
        virtually(&program, "p/Abs.n(I)I", "p/A"),
        format!("{error} p.A {none} 'abstract int n(int)' of abstract class p.Abs.")
    );
    assert_eq!(virtually(&program, "p/Abs.n(I)I", "p/B"), "p/B.n(I)I");
    assert_eq!(
        virtually(&program, "p/B.n(I)I", "p/C"),
        format!(
            "{error} p.C {none} 'int n(int)' of class p.B. Selected method is 'abstract int p.C.n(int)'."
        )
    );
}

#[test]
fn an_interface_call_needs_a_receiver_that_implements_it_with_a_public_method() {
    let program = program([
        interface("I").method(PUBLIC | ABSTRACT, "m", "()V").method(PRIVATE, "p", "()V"),
        class("Base").method(PROTECTED, "m", "()V"),
        class("A").extends("Base").implements(&["I"]),
    ]);
    assert_eq!(
        by_interface(&program, "I.m()V", "Base"),
        "java/lang/IncompatibleClassChangeError: Class Base does not implement the requested \
         interface I"
    );
    let error = "java/lang/IllegalAccessError: 'void A.m()'";
    assert_eq!(by_interface(&program, "I.m()V", "A"), error);
    assert_eq!(by_interface(&program, "I.p()V", "A"), "I.p()V");
}

#[test]
fn arrays_have_the_methods_of_object_through_their_interfaces_too() {
    let program = program([interface("I"), class("Main")]);
    let call = |text| {
        let kind = InvokeKind::Interface;
        let main = program.get("Main");
        let call = program.link_call(&main, kind, interface_reference(text)).unwrap();
        shown(call.select(&main, Receiver::Array))
    };
    let hash_code = "java/lang/Object.hashCode()I";
    assert_eq!(call("java/lang/Cloneable.hashCode()I"), hash_code);
    assert!(call("I.hashCode()I").contains("does not implement the requested interface I"));
}

#[test]
fn super_calls_start_at_the_direct_superclass_of_the_calling_class() {
    let program = program([
        class("A").method(PUBLIC, "m", "()V").method(PUBLIC, "n", "()V"),
        class("B").extends("A").method(PUBLIC, "m", "()V"),
        class("C").extends("B").method(PUBLIC, "m", "()V").method(PRIVATE, "p", "()V"),
        class("D").extends("C").method(PUBLIC, "m", "()V"),
    ]);
    // Compiled when B had no m: the call still reaches what is there now.
    assert_eq!(specially(&program, "C", reference("A.m()V")), "B.m()V");
    assert_eq!(specially(&program, "C", reference("B.n()V")), "A.n()V");
    assert_eq!(specially(&program, "C", reference("C.p()V")), "C.p()V");
    assert_eq!(specially(&program, "C", reference("C.m()V")), "C.m()V");
    let init = reference("java/lang/Object.<init>()V");
    assert_eq!(specially(&program, "A", init), "java/lang/Object.<init>()V");
    assert_eq!(specially(&program, "D", init), "java/lang/Object.<init>()V");
}

#[test]
fn super_calls_of_interfaces_start_at_the_named_interface() {
    let program = program([
        interface("Top").method(PUBLIC, "m", "()V").method(PUBLIC | ABSTRACT, "n", "()V"),
        interface("Left").implements(&["Top"]),
        interface("Right").implements(&["Top"]).method(PUBLIC, "m", "()V"),
        interface("Both").implements(&["Right", "Other"]),
        interface("Other").method(PUBLIC, "m", "()V"),
        class("A").implements(&["Left", "Right", "Both"]).method(PUBLIC, "m", "()V"),
    ]);
    assert_eq!(specially(&program, "A", interface_reference("Left.m()V")), "Top.m()V");
    assert_eq!(specially(&program, "A", interface_reference("Right.m()V")), "Right.m()V");
    assert_eq!(
        specially(&program, "A", interface_reference("Both.m()V")),
        "java/lang/IncompatibleClassChangeError: Conflicting default methods: Right.m Other.m"
    );
    assert_eq!(
        specially(&program, "A", interface_reference("Left.n()V")),
        "java/lang/AbstractMethodError: Method Left.n()V is abstract"
    );
    let hash_code = specially(&program, "A", interface_reference("Left.hashCode()I"));
    assert_eq!(hash_code, "java/lang/Object.hashCode()I");
}
