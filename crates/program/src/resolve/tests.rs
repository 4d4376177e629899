use super::*;
use crate::testing::*;

fn field(program: &Program, text: &str) -> String {
    shown(program.resolve_field(&program.get("Main"), crate::testing::reference(text)))
}

fn method(program: &Program, text: &str) -> String {
    shown(program.resolve_method(&program.get("Main"), crate::testing::reference(text)))
}

fn interface_method(program: &Program, text: &str) -> String {
    shown(program.resolve_method(&program.get("Main"), interface_reference(text)))
}

#[test]
fn a_field_is_looked_for_in_the_class_its_interfaces_and_its_superclass() {
    let constant = |name: &str| interface(name).field(PUBLIC | STATIC | FINAL, "f", "I");
    let program = program([
        constant("Top"),
        constant("Sub").implements(&["Top"]),
        interface("Empty").implements(&["Top"]),
        class("Base").implements(&["Sub"]).field(PUBLIC, "f", "I").field(PUBLIC, "f", "J"),
        class("A").extends("Base").implements(&["Empty", "Sub"]),
        class("B").extends("Base"),
        class("C").extends("B").field(PRIVATE, "f", "I"),
        class("Main"),
    ]);
    assert_eq!(field(&program, "A.f:I"), "Top.f:I");
    assert_eq!(field(&program, "A.f:J"), "Base.f:J");
    assert_eq!(field(&program, "B.f:I"), "Base.f:I");
    assert_eq!(field(&program, "Sub.f:I"), "Sub.f:I");
    assert_eq!(
        field(&program, "C.f:I"),
        "java/lang/IllegalAccessError: class Main tried to access private field C.f"
    );
    assert_eq!(field(&program, "A.f:F"), "java/lang/NoSuchFieldError: f");
    assert_eq!(field(&program, "Gone.f:F"), "java/lang/NoClassDefFoundError: Gone");
    assert_eq!(field(&program, "[LGone;.f:F"), "java/lang/NoClassDefFoundError: [LGone;");
    assert_eq!(field(&program, "[I.length:I"), "java/lang/NoSuchFieldError: length");
}

#[test]
fn a_method_is_looked_for_in_superclasses_and_then_in_superinterfaces() {
    let program = program([
        interface("I").method(PUBLIC, "m", "()V").method(PUBLIC | ABSTRACT, "n", "()V"),
        class("Base").method(PUBLIC, "m", "()V").method(PUBLIC | STATIC, "s", "()V"),
        class("A").extends("Base").implements(&["I"]),
        class("Main"),
    ]);
    assert_eq!(method(&program, "A.m()V"), "Base.m()V");
    assert_eq!(method(&program, "A.n()V"), "I.n()V");
    assert_eq!(method(&program, "A.s()V"), "Base.s()V");
    assert_eq!(method(&program, "A.hashCode()I"), "java/lang/Object.hashCode()I");
    assert_eq!(
        method(&program, "A.gone([ILjava/lang/String;)J"),
        "java/lang/NoSuchMethodError: 'long A.gone(int[], java.lang.String)'"
    );
    assert_eq!(method(&program, "A.m()I"), "java/lang/NoSuchMethodError: 'int A.m()'");
}

#[test]
fn class_and_interface_references_are_not_interchangeable() {
    let program = program([
        interface("I").method(PUBLIC | ABSTRACT, "m", "()V"),
        class("A").method(PUBLIC, "m", "()V"),
        class("Main"),
    ]);
    let change = "java/lang/IncompatibleClassChangeError: Found";
    assert_eq!(method(&program, "I.m()V"), format!("{change} interface I, but class was expected"));
    assert_eq!(
        interface_method(&program, "A.m()V"),
        format!("{change} class A, but interface was expected")
    );
}

#[test]
fn the_maximally_specific_method_wins() {
    let program = program([
        interface("Top").method(PUBLIC, "m", "()V"),
        interface("Left").implements(&["Top"]).method(PUBLIC, "m", "()V"),
        interface("Right").implements(&["Top"]),
        interface("Abstract").implements(&["Top"]).method(PUBLIC | ABSTRACT, "m", "()V"),
        class("A").implements(&["Top", "Right", "Left"]),
        class("B").extends("A").implements(&["Top"]),
        class("C").implements(&["Abstract", "Right"]),
        class("D").implements(&["Abstract", "Left"]),
        interface("J").implements(&["Right", "Left"]),
        class("Main"),
    ]);
    assert_eq!(method(&program, "A.m()V"), "Left.m()V");
    assert_eq!(method(&program, "B.m()V"), "Left.m()V");
    assert_eq!(method(&program, "C.m()V"), "Abstract.m()V");
    assert_eq!(method(&program, "D.m()V"), "Left.m()V");
    assert_eq!(interface_method(&program, "J.m()V"), "Left.m()V");
}

#[test]
fn private_and_static_methods_of_superinterfaces_are_not_inherited() {
    let program = program([
        interface("I").method(PRIVATE, "p", "()V").method(PUBLIC | STATIC, "s", "()V"),
        interface("J").implements(&["I"]),
        class("A").implements(&["I"]),
        class("Main"),
    ]);
    let missing = |text| format!("java/lang/NoSuchMethodError: '{text}'");
    assert_eq!(method(&program, "A.s()V"), missing("void A.s()"));
    assert_eq!(method(&program, "A.p()V"), missing("void A.p()"));
    assert_eq!(interface_method(&program, "J.s()V"), missing("void J.s()"));
    assert_eq!(interface_method(&program, "I.s()V"), "I.s()V");
    let own = program.resolve_method(&program.get("I"), interface_reference("I.p()V"));
    assert_eq!(shown(own), "I.p()V");
}

#[test]
fn an_interface_has_the_public_methods_of_object() {
    let program = program([
        interface("Top").method(PUBLIC | ABSTRACT, "hashCode", "()I"),
        interface("I").implements(&["Top"]),
        class("Main"),
    ]);
    assert_eq!(interface_method(&program, "I.hashCode()I"), "java/lang/Object.hashCode()I");
    assert_eq!(interface_method(&program, "Top.hashCode()I"), "Top.hashCode()I");
    assert_eq!(
        interface_method(&program, "I.clone()Ljava/lang/Object;"),
        "java/lang/NoSuchMethodError: 'java.lang.Object I.clone()'"
    );
}

#[test]
fn signature_polymorphic_methods_are_found_under_any_descriptor() {
    let variable = PUBLIC | NATIVE | flags::VARARGS;
    let program = program([
        class("java/lang/invoke/MethodHandle")
            .method(variable, "invokeExact", "([Ljava/lang/Object;)Ljava/lang/Object;")
            .method(variable, "twice", "([Ljava/lang/Object;)Ljava/lang/Object;")
            .method(PUBLIC, "twice", "()V")
            .method(PUBLIC, "plain", "([Ljava/lang/Object;)V"),
        class("java/lang/invoke/VarHandle").method(variable, "cas", "([Ljava/lang/Object;)Z"),
        class("java/lang/invoke/Sub").extends("java/lang/invoke/VarHandle"),
        class("a/Other").method(variable, "cas", "([Ljava/lang/Object;)Z"),
        class("Main"),
    ]);
    let exact = "java/lang/invoke/MethodHandle.invokeExact([Ljava/lang/Object;)Ljava/lang/Object;";
    let cas = "java/lang/invoke/VarHandle.cas([Ljava/lang/Object;)Z";
    assert_eq!(method(&program, "java/lang/invoke/MethodHandle.invokeExact(IJ)D"), exact);
    assert_eq!(method(&program, "java/lang/invoke/VarHandle.cas([LMain;I)Z"), cas);
    assert_eq!(method(&program, "java/lang/invoke/Sub.cas(I)V"), cas);
    assert_eq!(
        method(&program, "java/lang/invoke/VarHandle.cas([LGone;I)Z"),
        "java/lang/NoClassDefFoundError: [LGone;"
    );
    for text in [
        "java/lang/invoke/MethodHandle.twice(I)V",
        "java/lang/invoke/MethodHandle.plain(I)V",
        "a/Other.cas(I)V",
    ] {
        assert!(method(&program, text).contains("NoSuchMethodError"), "{text}");
    }
}

#[test]
fn array_types_resolve_when_their_element_type_does() {
    let program = program([class("Main")]);
    let main = program.get("Main");
    for (name, expected) in [("[[I", "[[I"), ("[LMain;", "[LMain;")] {
        let ResolvedClass::Array(array) = program.resolve_class(&main, name).unwrap() else {
            panic!("{name}");
        };
        assert_eq!(array.to_string(), expected);
    }
    for name in ["[LGone;", "[V", "[", "["] {
        assert!(program.resolve_class(&main, name).is_err(), "{name}");
    }
}

#[test]
fn many_paths_to_the_same_interface_are_walked_once() {
    // 60 diamonds on top of one another: 2^60 paths.
    let mut specs = vec![interface("I0"), class("Main")];
    for level in 1..60 {
        let above = format!("I{}", level - 1);
        let (left, right) = (format!("L{level}"), format!("R{level}"));
        specs.push(interface(&left).implements(&[&above]));
        specs.push(interface(&right).implements(&[&above]));
        specs.push(interface(&format!("I{level}")).implements(&[&left, &right]));
    }
    specs.push(class("A").implements(&["I59"]));
    let program = program(specs);
    assert_eq!(field(&program, "A.f:I"), "java/lang/NoSuchFieldError: f");
    assert_eq!(method(&program, "A.m()V"), "java/lang/NoSuchMethodError: 'void A.m()'");
    assert_eq!(program.get("A").initialisation_chain().len(), 0);
}
