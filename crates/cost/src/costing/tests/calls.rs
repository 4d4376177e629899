//! What calls cost, and which methods a name means.

use super::*;

#[test]
fn classes_of_dynamic_call_sites_never_count() {
    let session = fixtures("lambdas");
    let class = session.program().class("Lambdas").unwrap();
    let costing = costing(&session, &["calls", "instructions"], Scope::All, "Lambdas");
    let mut synthesised = 0;
    for method in class.methods() {
        let Ok(Some(caller)) = translate(session.program(), &class, method.index()) else {
            continue;
        };
        for callee in caller.tables.methods.entries() {
            if !session.program().class(&callee.class).unwrap().is_synthesised() {
                continue;
            }
            synthesised += 1;
            let method = named::resolved(session.program(), callee).unwrap();
            let procedure = procedure_of(&session, &method);
            assert_eq!(of_all_rules(&costing, &procedure), [0, 0], "{callee}");
            assert_eq!(*costing.of_call(Some(&caller), callee), [0, 0], "{callee}");
        }
    }
    assert!(synthesised > 5, "{synthesised}");
}

#[test]
fn every_call_of_a_method_in_scope_counts_but_that_by_the_test() {
    let session = fixtures("papers");
    let costing = costing(&session, &["calls", "memory"], Scope::Project, "Vector");
    let caller = procedure(&session, "Vector", "add");
    let realloc = method_ref(&method(&session, "Vector", "realloc"));
    assert_eq!(*costing.of_call(Some(&caller), &realloc), [1, 0]);
    assert_eq!(*costing.of_call(None, &realloc), [0, 0]);
    let library = method_ref(&method(&session, "java/lang/Exception", "<init>"));
    assert_eq!(*costing.of_call(Some(&caller), &library), [0, 0]);
    assert_eq!(of_all_rules(&costing, &caller), [0, 0], "calls are no part of rules");
}

#[test]
fn initialisers_are_not_called() {
    let session = fixtures("fields");
    let costing = costing(&session, &["calls"], Scope::All, "StaticFields");
    let initialiser = method(&session, "StaticFields", "<clinit>");
    let caller = procedure_of(&session, &initialiser);
    assert_eq!(called(&costing, &caller, &initialiser), 0);
}

#[test]
fn a_library_method_counts_where_it_is_named_and_called_from_the_scope() {
    let session = fixtures("papers");
    let own = procedure(&session, "Vector", "multiples");
    let library = procedure(&session, "java/util/ArrayList", "clone");
    let println = method(&session, "java/io/PrintStream", "println");
    for (name, scope, from_own, from_library) in [
        ("calls:java.io.PrintStream#println", Scope::Project, 1, 0),
        ("calls:println", Scope::Class, 1, 0),
        ("calls:println()V", Scope::Project, 1, 0),
        ("calls:println(I)V", Scope::Project, 0, 0),
        ("calls:java.io.PrintStream#print", Scope::Project, 0, 0),
        ("calls:println", Scope::All, 1, 1),
        ("calls", Scope::Project, 0, 0),
        ("calls", Scope::All, 1, 1),
    ] {
        let costing = costing(&session, &[name], scope, "Vector");
        let costs = (called(&costing, &own, &println), called(&costing, &library, &println));
        assert_eq!(costs, (from_own, from_library), "{name} in scope {scope}");
    }
}

#[test]
fn a_method_in_scope_counts_by_name_whoever_calls_it() {
    let session = fixtures("papers");
    let library = procedure(&session, "java/util/ArrayList", "clone");
    let realloc = method(&session, "Vector", "realloc");
    for (name, expected) in [
        ("calls:realloc", 1),
        ("calls:Vector#realloc", 1),
        ("calls:Vector#realloc()V", 1),
        ("calls:Vector#realloc(I)V", 0),
        ("calls:Vector#add", 0),
        ("calls:java.util.Vector#realloc", 0),
        ("calls:Other#realloc", 0),
        ("calls:<init>", 0),
    ] {
        let costing = costing(&session, &[name], Scope::Project, "Vector");
        assert_eq!(called(&costing, &library, &realloc), expected, "{name}");
    }
}

#[test]
fn overriding_methods_count_under_the_name_of_what_they_override() {
    let session = fixtures("calls");
    let caller = procedure(&session, "Dispatch", "area");
    let count = |name: &str, class: &str, method_name: &str| {
        let costing = costing(&session, &[name], Scope::Project, "Dispatch");
        costing.check().unwrap();
        called(&costing, &caller, &method(&session, class, method_name))
    };
    assert_eq!(count("calls:Dispatch$Shape#area", "Dispatch$Rectangle", "area"), 1);
    assert_eq!(count("calls:Dispatch$Shape#area", "Dispatch$Blob", "area"), 1);
    assert_eq!(count("calls:Dispatch$Rectangle#area", "Dispatch$Blob", "area"), 0);
    // An inherited method is the one of the class that declares it.
    assert_eq!(count("calls:Dispatch$Square#area", "Dispatch$Rectangle", "area"), 1);
    assert_eq!(count("calls:Dispatch$Blob#doubled", "Dispatch$Shape", "doubled"), 1);
    assert_eq!(count("calls:Dispatch$Blob#doubled", "Dispatch$Square", "doubled"), 1);
    // A constructor is never inherited.
    assert_eq!(count("calls:Dispatch$Shape#<init>", "Dispatch$Rectangle", "<init>"), 0);
    assert_eq!(count("calls:Dispatch$Shape#<init>", "Dispatch$Shape", "<init>"), 1);
}

#[test]
fn a_method_of_another_package_does_not_override_one_without_a_modifier() {
    let session = fixtures("packages");
    let costing =
        costing(&session, &["calls:outer.Visibility#secret"], Scope::Project, "outer/Visibility");
    let caller = procedure(&session, "outer/Visibility", "open");
    let secret = |class| method(&session, class, "secret");
    assert_eq!(called(&costing, &caller, &secret("outer/Visibility$Friend")), 1);
    assert_eq!(called(&costing, &caller, &secret("outer/inner/Stranger")), 0);
}

#[test]
fn a_class_can_be_named_without_its_package() {
    let session = fixtures("packages");
    let caller = procedure(&session, "outer/Visibility", "open");
    let secret = method(&session, "outer/Visibility", "secret");
    let costing =
        costing(&session, &["calls:Visibility#secret"], Scope::Project, "outer/Visibility");
    costing.check().unwrap();
    assert_eq!(called(&costing, &caller, &secret), 1);
}

#[test]
fn bridges_do_not_count_by_name_but_what_they_call_does() {
    let session = fixtures("library");
    let class = session.program().class("GenericBridges$Node").unwrap();
    let caller = procedure(&session, "GenericBridges$Node", "compareTo");
    let own = class.declared_method("compareTo", "(LGenericBridges$Node;)I").unwrap();
    let bridge = class.declared_method("compareTo", "(Ljava/lang/Object;)I").unwrap();
    for name in [
        "calls:compareTo",
        "calls:GenericBridges$Node#compareTo",
        "calls:java.lang.Comparable#compareTo",
    ] {
        let costing = costing(&session, &[name], Scope::Project, "GenericBridges");
        assert_eq!(called(&costing, &caller, &own), 1, "{name}");
        assert_eq!(called(&costing, &caller, &bridge), 0, "{name}");
    }
    let all = costing(&session, &["calls"], Scope::Project, "GenericBridges");
    assert_eq!(called(&all, &caller, &bridge), 1, "the JVM executes both");
}

#[test]
fn calls_through_a_library_interface_count_once() {
    let session = fixtures("library");
    let caller = procedure(&session, "GenericBridges$Node", "compareTo");
    let abstract_one = method(&session, "java/lang/Comparable", "compareTo");
    let selected = method(&session, "java/lang/Integer", "compareTo");
    let costing = costing(
        &session,
        &["calls:java.lang.Comparable#compareTo"],
        Scope::Project,
        "GenericBridges",
    );
    assert_eq!(called(&costing, &caller, &abstract_one), 1, "as the literal names it");
    assert_eq!(called(&costing, &caller, &selected), 1, "as it is selected");
}

#[test]
fn the_best_fitting_name_decides() {
    let session = fixtures("calls");
    let text = r#"
        [calls]
        area = 1
        "Dispatch$Shape#area" = 2
        "Dispatch$Rectangle#area" = 3
        "Dispatch$Shape#area()I" = 4
    "#;
    let models = vec![file_model(text)];
    let costing = Costing::new(session.program(), models, Scope::Project, "Dispatch", 17);
    let caller = procedure(&session, "Dispatch", "doubled");
    let cost = |class| called(&costing, &caller, &method(&session, class, "area"));
    assert_eq!(cost("Dispatch"), 1, "by the name alone");
    assert_eq!(cost("Dispatch$Rectangle"), 3, "its own class");
    assert_eq!(cost("Dispatch$Blob"), 4, "what it overrides, with a descriptor");
}

#[test]
fn methods_with_descriptors_of_their_own_count_by_name() {
    let session = fixtures("papers");
    let caller = procedure(&session, "Vector", "add");
    let name = ["calls:java.lang.invoke.MethodHandle#invoke"];
    let costing = costing(&session, &name, Scope::Project, "Vector");
    let call = MethodRef {
        class: "java/lang/invoke/MethodHandle".into(),
        name: "invoke".into(),
        descriptor: "(IJ)V".into(),
    };
    assert_eq!(*costing.of_call(Some(&caller), &call), [1]);
}

#[test]
fn a_lambda_counts_under_the_name_of_its_interface() {
    let session = fixtures("lambdas");
    let caller = procedure(&session, "Lambdas", "apply");
    let maker = procedure(&session, "Lambdas", "noCapture");
    let site = maker.tables.methods.entries().iter().find_map(|callee| {
        let method = named::resolved(session.program(), callee)?;
        method.class().is_synthesised().then_some(method)
    });
    let site = site.expect("the method that makes the lambda");
    let lambda = site.class().declared_method("apply", "(I)I").unwrap();
    for (name, expected) in [
        ("calls:apply", [1, 0]),
        ("calls:Lambdas$IntOperator#apply", [1, 0]),
        ("calls:Lambdas$BinaryDouble#apply", [0, 0]),
        ("calls:site", [0, 0]),
        ("calls", [0, 0]),
    ] {
        let costing = costing(&session, &[name], Scope::Project, "Lambdas");
        let costs = [called(&costing, &caller, &lambda), called(&costing, &maker, &site)];
        assert_eq!(costs, expected, "{name}");
    }
}
