use super::*;
use crate::testing::*;

fn error(program: &Program, name: &str) -> LoadError {
    program.class(name).unwrap_err()
}

fn thrown(program: &Program, name: &str) -> String {
    error(program, name).to_linkage_error(name).to_string()
}

#[test]
fn a_class_is_loaded_once_with_its_supertypes() {
    let program =
        program([class("a/A").implements(&["a/I"]), interface("a/I"), class("a/B").extends("a/A")]);
    let b = program.get("a/B");
    assert!(Arc::ptr_eq(&b, &program.get("a/B")));
    let lineage: Vec<_> = b.lineage().map(|class| class.name().to_owned()).collect();
    assert_eq!(lineage, ["a/B", "a/A", "java/lang/Object"]);
    assert!(Arc::ptr_eq(b.super_class().unwrap(), &program.get("a/A")));
    assert_eq!(b.all_interfaces().len(), 1);
    assert_eq!((b.package(), b.depth()), ("a", 3));
    assert_eq!(b.place, "memory/a/B.class");
}

#[test]
fn a_missing_supertype_is_named_together_with_the_class_that_needs_it() {
    let program = program([class("a/B").extends("a/Gone"), class("a/C").extends("a/B")]);
    for name in ["a/C", "a/B"] {
        let text = error(&program, name).to_string();
        assert_eq!(text, "class a/Gone was not found, a supertype of a/B");
        assert_eq!(thrown(&program, name), "java/lang/NoClassDefFoundError: a/Gone");
    }
    assert_eq!(error(&program, "a/Gone").to_string(), "class a/Gone was not found");
}

#[test]
fn every_class_on_a_cycle_is_circular_whichever_is_asked_for_first() {
    let names = ["a/A", "a/B", "a/C", "a/Above"];
    for first in names {
        let program = program([
            class("a/A").extends("a/B"),
            class("a/B").extends("a/C"),
            class("a/C").extends("a/A"),
            class("a/Above").extends("a/C"),
        ]);
        let _ = program.class(first);
        let errors = names.map(|name| thrown(&program, name));
        let circular = |name| format!("java/lang/ClassCircularityError: {name}");
        assert_eq!(errors, ["a/A", "a/B", "a/C", "a/C"].map(circular), "{first} first");
        let LoadError::Circular { cycle, .. } = error(&program, "a/B") else { panic!() };
        assert_eq!(cycle.iter().map(|name| &**name).collect::<Vec<_>>(), ["a/A", "a/B", "a/C"]);
    }
}

#[test]
fn an_interface_that_extends_itself_is_circular() {
    let program = program([interface("a/I").implements(&["a/I"])]);
    assert_eq!(thrown(&program, "a/I"), "java/lang/ClassCircularityError: a/I");
}

#[test]
fn supertypes_of_the_wrong_kind_are_refused_in_the_words_of_hotspot() {
    let program = program([
        interface("a/I"),
        class("a/Final").flags(PUBLIC | FINAL),
        class("b/Hidden").flags(PACKAGE),
        interface("b/HiddenI").flags(INTERFACE),
        class("a/Sealed").permits(&["a/Permitted"]),
        class("a/Permitted").extends("a/Sealed"),
        interface("a/SealedI").permits(&["a/PermittedI"]),
        class("a/C1").extends("a/I"),
        class("a/C2").extends("a/Final"),
        class("a/C3").extends("b/Hidden"),
        class("a/C4").extends("a/Sealed"),
        class("a/C5").implements(&["a/Permitted"]),
        class("a/C6").implements(&["b/HiddenI"]),
        class("a/C7").implements(&["a/SealedI"]),
    ]);
    assert!(program.class("a/Permitted").is_ok());
    let change = "java/lang/IncompatibleClassChangeError: class";
    let access = "java/lang/IllegalAccessError: class";
    for (name, expected) in [
        ("a/C1", format!("{change} a.C1 has interface a.I as super class")),
        ("a/C2", format!("{change} a.C2 cannot inherit from final class a.Final")),
        ("a/C3", format!("{access} a.C3 cannot access its superclass b.Hidden")),
        ("a/C4", format!("{change} a.C4 cannot inherit from sealed class a.Sealed")),
        (
            "a/C5",
            format!("{change} a.C5 can not implement a.Permitted, because it is not an interface"),
        ),
        ("a/C6", format!("{access} a.C6 cannot access its superinterface b.HiddenI")),
        ("a/C7", format!("{change} a.C7 cannot implement sealed interface a.SealedI")),
    ] {
        assert_eq!(thrown(&program, name), expected);
    }
}

#[test]
fn a_final_method_cannot_be_overridden_where_it_is_visible() {
    let program = program([
        class("a/A")
            .method(PUBLIC | FINAL, "m", "()V")
            .method(FINAL, "n", "()V")
            .method(PRIVATE | FINAL, "p", "()V")
            .method(STATIC | FINAL, "s", "()V"),
        class("a/B").extends("a/A"),
        class("a/C").extends("a/B").method(PUBLIC, "m", "()V"),
        class("a/D").extends("a/B").method(PUBLIC, "n", "()V"),
        class("b/E").extends("a/B").method(PUBLIC, "n", "()V").method(PUBLIC, "p", "()V"),
        class("b/F").extends("a/B").method(PRIVATE, "m", "()V").method(PUBLIC, "m", "(I)V"),
    ]);
    let overrides = "java/lang/IncompatibleClassChangeError: class a.";
    assert_eq!(thrown(&program, "a/C"), format!("{overrides}C overrides final method a.A.m()V"));
    assert_eq!(thrown(&program, "a/D"), format!("{overrides}D overrides final method a.A.n()V"));
    assert!(program.class("b/E").is_ok());
    assert!(program.class("b/F").is_ok());
}

#[test]
fn files_that_are_not_the_class_are_refused() {
    let module = class("module-info").flags(flags::MODULE);
    let twice = class("a/Twice").method(PUBLIC, "m", "()V").method(STATIC, "m", "()V");
    let fields = class("a/Fields").field(0, "f", "I").field(0, "f", "J").field(0, "f", "I");
    let interfaces = class("a/Interfaces").implements(&["a/I", "a/J", "a/I"]);
    let derived = interface("a/Derived").extends("a/Twice");
    let mut memory = Memory::default();
    for (name, spec) in [
        ("a/Asked", &class("a/Other")),
        ("module-info", &module),
        ("a/Twice", &twice),
        ("a/Fields", &fields),
        ("a/Interfaces", &interfaces),
        ("a/Derived", &derived),
    ] {
        memory.0.insert(name.to_owned(), Ok(spec.bytes()));
    }
    memory.0.insert("a/Junk".to_owned(), Ok(b"junk".to_vec()));
    memory.0.insert("a/Locked".to_owned(), Err("x.jar: permission denied".to_owned()));
    let program = Program::new(Box::new(memory));
    for (name, expected) in [
        ("a/Asked", "NoClassDefFoundError: a/Asked (wrong name: a/Other)"),
        (
            "module-info",
            "NoClassDefFoundError: module-info is not a class because access_flag ACC_MODULE is set",
        ),
        ("a/Twice", "ClassFormatError: Duplicate method name \"m\" with signature \"()V\""),
        ("a/Fields", "ClassFormatError: Duplicate field name \"f\" with signature \"I\""),
        ("a/Interfaces", "ClassFormatError: Duplicate interface name \"a/I\""),
        ("a/Derived", "ClassFormatError: Interfaces must have java.lang.Object as superclass"),
        ("a/Junk", "ClassFormatError: the file does not start with 0xCAFEBABE"),
        ("a/Locked", "NoClassDefFoundError: a/Locked"),
    ] {
        assert_eq!(thrown(&program, name), format!("java/lang/{expected}"));
    }
    let text = error(&program, "a/Locked").to_string();
    assert_eq!(text, "class a/Locked cannot be read: x.jar: permission denied");
    let text = error(&program, "a/Junk").to_string();
    assert!(text.starts_with("memory/a/Junk.class: class a/Junk"), "{text}");
}

fn chain(length: u32) -> Program {
    program((1..length).map(|number| {
        let above = if number == 1 { "java/lang/Object" } else { &format!("C{}", number - 1) };
        class(&format!("C{number}")).extends(above)
    }))
}

#[test]
fn a_hierarchy_that_is_too_deep_is_refused_without_a_stack_overflow() {
    let program = chain(30_000);
    let first = MAX_DEPTH + 1;
    for name in ["C29999", &format!("C{first}")] {
        let expected = LoadError::TooDeep { name: format!("C{first}").into() };
        assert_eq!(error(&program, name), expected);
    }
    assert_eq!(program.get(&format!("C{MAX_DEPTH}")).depth(), MAX_DEPTH);
}

#[test]
fn threads_that_load_the_same_classes_get_the_same_ones() {
    let mut specs: Vec<_> = (1..200)
        .map(|number: u32| class(&format!("C{number}")).extends(&format!("C{}", number / 2)))
        .collect();
    specs.push(class("C0"));
    specs.push(class("L0").extends("L1"));
    specs.push(class("L1").extends("L2"));
    specs.push(class("L2").extends("L0"));
    for round in 0..20 {
        let program = program(specs.clone());
        let load = |thread: usize| {
            let mut names: Vec<_> = (0..200).map(|number| format!("C{number}")).collect();
            names.extend(["L0", "L1", "L2"].map(str::to_owned));
            names.rotate_left((thread * 57 + round) % 203);
            names.sort_by_key(|name| name.len() * (thread % 2));
            let mut loaded: Vec<_> = names
                .into_iter()
                .map(|name| {
                    let class = program.class(&name);
                    (name, class.map(|class| Arc::as_ptr(&class) as usize))
                })
                .collect();
            loaded.sort_by(|one, other| one.0.cmp(&other.0));
            loaded
        };
        let all = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|thread| scope.spawn(move || load(thread))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        });
        assert!(all.windows(2).all(|pair| pair[0] == pair[1]));
        assert_eq!(thrown(&program, "L1"), "java/lang/ClassCircularityError: L1");
    }
}

#[test]
fn a_synthesised_class_is_defined_once_and_found_by_name() {
    let program = program([class("a/Hidden").flags(PACKAGE), class("a/Real")]);
    let spec = class("b/Lambda$1").extends("a/Hidden");
    assert!(program.class("b/Lambda$1").is_err());
    let made = program.define_synthetic(spec.bytes()).unwrap();
    assert!(made.is_synthesised());
    assert!(Arc::ptr_eq(&made, &program.define_synthetic(spec.bytes()).unwrap()));
    assert!(Arc::ptr_eq(&made, &program.get("b/Lambda$1")));
    let other = spec.method(PUBLIC, "m", "()V").bytes();
    assert_eq!(
        shown(program.define_synthetic(other).map(|class| class.name().to_owned())),
        "class b/Lambda$1 cannot be synthesised: there is one in synthesised"
    );
    assert_eq!(
        shown(program.define_synthetic(class("a/Real").bytes()).map(|_| "")),
        "class a/Real cannot be synthesised: there is one in memory/a/Real.class"
    );
}
