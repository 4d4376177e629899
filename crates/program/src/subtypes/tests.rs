use petrel_classfile::writer::{ClassWriter, CodeWriter};
use petrel_classfile::{ClassFile, op};

use super::*;
use crate::ClassProvider;
use crate::program::ClassBytes;
use crate::testing::*;

/// Classes in memory; those outside of `java` are the project's.
struct Project(Memory);

impl ClassProvider for Project {
    fn find(&self, name: &str) -> Result<Option<ClassBytes>, String> {
        self.0.find(name)
    }

    fn project_classes(&self) -> Result<Vec<String>, String> {
        let names = self.0.0.keys().filter(|name| !name.starts_with("java/"));
        // In no order, and twice: to sort them is not the provider's task.
        Ok(names.clone().rev().chain(names).cloned().collect())
    }
}

/// A JDK in small.
fn jdk() -> Vec<ClassSpec> {
    let mut jdk = vec![
        class("java/lang/Object"),
        class("java/lang/String").flags(PUBLIC | FINAL),
        class("java/lang/Enum")
            .flags(PUBLIC | ABSTRACT)
            .implements(&["java/lang/Comparable"])
            .field(PRIVATE, "ordinal", "I"),
        class("java/lang/Record").flags(PUBLIC | ABSTRACT),
        class("java/lang/Number").flags(PUBLIC | ABSTRACT).field(STATIC, "serialVersionUID", "J"),
        class("java/lang/Integer")
            .flags(PUBLIC | FINAL)
            .extends("java/lang/Number")
            .implements(&["java/lang/Comparable"])
            .field(PRIVATE, "value", "I"),
        class("java/lang/Throwable").field(PRIVATE, "detailMessage", "Ljava/lang/String;"),
        class("java/util/AbstractList")
            .flags(PUBLIC | ABSTRACT)
            .implements(&["java/util/List"])
            .field(PROTECTED, "modCount", "I"),
        class("java/util/AbstractCollection")
            .flags(PUBLIC | ABSTRACT)
            .implements(&["java/util/Collection"]),
        class("java/util/ArrayList").extends("java/util/AbstractList"),
        interface("java/util/List").implements(&["java/util/Collection"]),
    ];
    jdk.extend(
        [
            "java/lang/Comparable",
            "java/lang/Cloneable",
            "java/io/Serializable",
            "java/util/Collection",
        ]
        .map(interface),
    );
    jdk
}

/// The JDK and these classes.
fn memory(classes: impl IntoIterator<Item = Vec<u8>>) -> Memory {
    let jdk = jdk();
    let bytes = jdk.iter().map(ClassSpec::bytes).chain(classes);
    let named = bytes.map(|bytes| {
        let name = ClassFile::parse(bytes.clone()).unwrap().name().to_owned();
        (name, Ok(bytes))
    });
    Memory(named.collect())
}

fn project(classes: impl IntoIterator<Item = ClassSpec>) -> Program {
    Program::new(Box::new(Project(memory(classes.into_iter().map(|spec| spec.bytes())))))
}

fn hints(package: &str, checked: &[&str]) -> Hints {
    let checked = checked.iter().map(|&name| name.into()).collect();
    Hints { checked, package: package.into(), ..Hints::default() }
}

/// The candidates, with `...` behind them if there are others.
fn with_hints(program: &Program, declared: &str, hints: &Hints, most: usize) -> String {
    let Candidates { classes, is_complete } = program.candidates(declared, hints, most);
    let more = (!is_complete).then_some("...");
    classes.iter().map(|name| &**name).chain(more).collect::<Vec<_>>().join(" ")
}

fn candidates(program: &Program, declared: &str) -> String {
    with_hints(program, declared, &Hints::default(), 100)
}

/// An interface and what is below it, in two packages.
fn shapes() -> Vec<ClassSpec> {
    vec![
        interface("a/Shape"),
        interface("b/Solid").implements(&["a/Shape"]),
        class("a/Base").flags(PUBLIC | ABSTRACT).implements(&["a/Shape"]),
        class("a/Round").extends("a/Base"),
        class("b/Ball").extends("a/Round").implements(&["b/Solid"]),
        class("b/Alone").implements(&["a/Shape"]),
        class("b/Cube").flags(PUBLIC | FINAL).extends("a/Base").implements(&["b/Solid"]),
        class("c/Other"),
    ]
}

#[test]
fn the_projects_classes_are_listed_sorted_and_without_the_jdk() {
    let listed = project(shapes());
    let names = listed.project_classes().unwrap();
    let expected =
        ["a/Base", "a/Round", "a/Shape", "b/Alone", "b/Ball", "b/Cube", "b/Solid", "c/Other"];
    assert_eq!(names.iter().map(|name| &**name).collect::<Vec<_>>(), expected);
    assert!(listed.is_project_class("b/Cube"));
    assert!(!listed.is_project_class("java/lang/Object"));
    // A provider need not list anything.
    assert_eq!(program(shapes()).project_classes(), Ok(&[][..]));
}

#[test]
fn classes_below_come_by_package_then_distance_then_name() {
    let program = project(shapes());
    let near = |package| with_hints(&program, "a/Shape", &hints(package, &[]), 100);
    assert_eq!(near(""), "b/Alone a/Round b/Ball b/Cube");
    assert_eq!(near("a"), "a/Round b/Alone b/Ball b/Cube");
    assert_eq!(near("b"), "b/Alone b/Ball b/Cube a/Round");
    assert_eq!(candidates(&program, "a/Base"), "a/Round b/Cube b/Ball");
    assert_eq!(candidates(&program, "a/Round"), "a/Round b/Ball");
    assert_eq!(candidates(&program, "b/Solid"), "b/Ball b/Cube");
    assert_eq!(candidates(&program, "b/Cube"), "b/Cube");
}

#[test]
fn a_limit_that_leaves_classes_out_makes_the_list_incomplete() {
    let program = project(shapes());
    let first = |most| with_hints(&program, "a/Shape", &Hints::default(), most);
    assert_eq!(first(4), "b/Alone a/Round b/Ball b/Cube");
    assert_eq!(first(3), "b/Alone a/Round b/Ball ...");
    assert_eq!(first(0), "...");
}

#[test]
fn checked_types_come_first() {
    let program = project(shapes());
    let hinted =
        |declared, checked: &[&str]| with_hints(&program, declared, &hints("", checked), 9);
    assert_eq!(hinted("a/Shape", &["b/Cube", "a/Round"]), "b/Cube a/Round b/Alone b/Ball");
    // Types that no object of the declared type has, and those that all have, tell nothing.
    let useless = ["c/Other", "a/Gone", "a/Shape", "java/lang/Object", "java/lang/String"];
    assert_eq!(hinted("a/Shape", &useless), candidates(&program, "a/Shape"));
    let above = with_hints(&program, "a/Round", &hints("b", &["a/Base"]), 9);
    assert_eq!(above, "a/Round b/Ball");
    // One for each type, then the others of abstract types.
    let checked = ["a/Base", "b/Solid", "c/Other"];
    let object = hinted("java/lang/Object", &checked);
    assert_eq!(object, "a/Round b/Ball c/Other b/Cube java/lang/Object b/Alone ...");
    // An array is an object.
    let object = hinted("java/lang/Object", &["[I", "[La/Shape;"]);
    assert!(object.starts_with("[I [La/Shape; java/lang/Object b/Alone "), "{object}");
}

#[test]
fn types_of_the_jdk_have_classes_of_the_project_and_a_few_of_their_own() {
    let program = project([
        class("a/Key").implements(&["java/lang/Comparable"]),
        class("a/Money").extends("java/lang/Number"),
        class("a/Bag").extends("java/util/AbstractCollection"),
        class("a/Own").implements(&["java/util/List"]),
        class("a/Inherits").extends("java/util/AbstractList"),
    ]);
    let by_type = [
        ("java/lang/Comparable", "a/Key java/lang/Integer ..."),
        ("java/lang/Number", "a/Money java/lang/Integer ..."),
        ("java/lang/Integer", "java/lang/Integer"),
        ("java/lang/String", "..."),
        // Elements are kept in fields of the JDK, or none.
        ("java/util/List", "a/Own ..."),
        ("java/util/Collection", "a/Bag a/Own ..."),
        ("java/util/ArrayList", "..."),
        ("java/lang/Object", "java/lang/Object a/Key a/Own a/Bag a/Money ..."),
        ("java/lang/Gone", "..."),
        ("a/Inherits", "..."),
    ];
    for (declared, expected) in by_type {
        assert_eq!(candidates(&program, declared), expected, "{declared}");
    }
}

#[test]
fn objects_with_state_of_the_jdk_are_left_out_but_known_to_exist() {
    let program = project([
        interface("a/I"),
        class("a/Fine").implements(&["a/I"]),
        class("a/Problem").extends("java/lang/Throwable").implements(&["a/I"]),
        interface("a/J"),
        class("a/Generated").flags(flags::SYNTHETIC).implements(&["a/J"]),
    ]);
    assert_eq!(candidates(&program, "a/I"), "a/Fine ...");
    assert_eq!(candidates(&program, "a/Problem"), "...");
    assert_eq!(candidates(&program, "a/J"), "...");
}

#[test]
fn an_enum_stands_for_its_constants() {
    let program = project([
        interface("a/Unit"),
        class("a/Operator")
            .flags(PUBLIC | ABSTRACT | flags::ENUM)
            .extends(ENUM)
            .implements(&["a/Unit"]),
        class("a/Operator$1").flags(FINAL | flags::ENUM).extends("a/Operator"),
        class("a/Colour").flags(PUBLIC | FINAL | flags::ENUM).extends(ENUM),
        class("a/Point").flags(PUBLIC | FINAL).extends(RECORD).implements(&["a/Unit"]),
    ]);
    assert_eq!(candidates(&program, "a/Operator"), "a/Operator");
    assert_eq!(candidates(&program, "a/Colour"), "a/Colour");
    assert_eq!(candidates(&program, "a/Unit"), "a/Operator a/Point");
    // The receiver of a method in the body of a constant.
    assert_eq!(candidates(&program, "a/Operator$1"), "a/Operator$1");
    assert_eq!(candidates(&program, "[La/Operator;"), "[La/Operator;");
}

#[test]
fn arrays_have_the_candidates_of_their_elements_and_their_own_type() {
    let program = project(shapes());
    let by_type = [
        ("[I", "[I"),
        ("[[J", "[[J"),
        ("[Lb/Cube;", "[Lb/Cube;"),
        ("[[La/Round;", "[[La/Round; [[Lb/Ball;"),
        ("[Ljava/lang/String;", "[Ljava/lang/String;"),
        ("[Lb/Solid;", "[Lb/Solid; [Lb/Ball; [Lb/Cube;"),
        // There can be arrays of `Base`, too.
        ("[La/Shape;", "[La/Shape; [Lb/Alone; [La/Round; [Lb/Ball; [Lb/Cube; ..."),
        ("[La/Gone;", "..."),
    ];
    for (declared, expected) in by_type {
        assert_eq!(candidates(&program, declared), expected, "{declared}");
    }
    let checked = hints("", &["a/Base", "[La/Base;", "[I", "[[I", "[[[I"]);
    assert_eq!(with_hints(&program, "[La/Shape;", &checked, 2), "[La/Base; [La/Shape; ...");
    let objects = with_hints(&program, "[Ljava/lang/Object;", &checked, 4);
    assert_eq!(objects, "[La/Base; [[I [[[I [Ljava/lang/Object; ...");
}

#[test]
fn classes_that_cannot_be_loaded_are_no_candidates() {
    let mut broken = class("a/Broken").implements(&["a/I"]).bytes();
    broken.truncate(broken.len() - 4);
    let specs = [
        interface("a/I"),
        class("a/Fine").implements(&["a/I"]),
        class("a/Orphan").extends("a/Gone").implements(&["a/I"]),
        class("a/Ring").extends("a/Rong").implements(&["a/I"]),
        class("a/Rong").extends("a/Ring"),
    ];
    let mut memory = memory(specs.map(|spec| spec.bytes()));
    memory.0.insert("a/Broken".to_owned(), Ok(broken));
    memory.0.insert("a/Junk".to_owned(), Ok(b"junk".to_vec()));
    memory.0.insert("a/Locked".to_owned(), Err("permission denied".to_owned()));
    memory.0.insert("a/Misplaced".to_owned(), Ok(class("b/C").extends("a/Fine").bytes()));
    let program = Program::new(Box::new(Project(memory)));
    assert_eq!(candidates(&program, "a/I"), "a/Fine");
    assert!(program.is_leaf("a/Fine"));
    assert_eq!(candidates(&program, "a/Ring"), "...");
    let below = program.subtypes().below("a/Ring", ConstantBodies::Apart);
    assert_eq!(below.map(|(_, class)| &*class.name).collect::<Vec<_>>(), ["a/Rong"]);
}

#[test]
fn a_class_path_that_cannot_be_listed_has_no_candidates() {
    struct Unlisted(Memory);
    impl ClassProvider for Unlisted {
        fn find(&self, name: &str) -> Result<Option<ClassBytes>, String> {
            self.0.find(name)
        }
        fn project_classes(&self) -> Result<Vec<String>, String> {
            Err("the folder is endless".to_owned())
        }
    }
    let program = Program::new(Box::new(Unlisted(memory([class("A").bytes()]))));
    assert_eq!(program.project_classes(), Err("the folder is endless"));
    assert_eq!(candidates(&program, "A"), "...");
    assert!(!program.is_leaf("A"));
}

#[test]
fn a_leaf_has_no_objects_of_other_classes() {
    let mut specs = shapes();
    specs.extend([
        class("a/Parent"),
        class("a/Child").flags(PUBLIC | ABSTRACT).extends("a/Parent"),
        class("a/Operator").flags(PUBLIC | flags::ENUM).extends(ENUM),
        class("a/Operator$1").flags(FINAL | flags::ENUM).extends("a/Operator"),
        class("a/Stateful"),
        class("a/Unsupported").flags(flags::SYNTHETIC).extends("a/Stateful"),
    ]);
    let program = project(specs);
    let lambda = class("a/Lambda").implements(&["a/Shape"]).bytes();
    program.define_synthetic(lambda).unwrap();
    for (name, expected) in [
        ("b/Ball", true),
        ("b/Cube", true),
        ("a/Round", false),
        ("a/Base", false),
        ("a/Shape", false),
        ("a/Parent", true),
        ("a/Child", false),
        ("a/Operator", false),
        ("a/Stateful", false),
        ("a/Lambda", true),
        ("a/Gone", false),
        ("java/lang/Object", false),
        ("java/lang/String", true),
        ("[I", true),
        ("[[I", true),
        ("[Lb/Ball;", true),
        ("[[Lb/Ball;", true),
        ("[La/Round;", false),
        ("[La/Parent;", false),
        ("[Ljava/lang/String;", true),
        ("[Ljava/lang/Object;", false),
    ] {
        assert_eq!(program.is_leaf(name), expected, "{name}");
    }
}

#[test]
fn threads_share_one_index() {
    let program = project(shapes());
    let expected = candidates(&project(shapes()), "java/lang/Object");
    let ask = || {
        let found = candidates(&program, "java/lang/Object");
        (found, std::ptr::from_ref(program.subtypes()).addr())
    };
    let answers = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    let index = std::ptr::from_ref(program.subtypes()).addr();
    assert!(answers.iter().all(|answer| *answer == (expected.clone(), index)), "{answers:?}");
}

#[test]
fn checked_types_are_those_of_the_method_and_then_of_its_class() {
    let mut writer = ClassWriter::new(flags::PUBLIC, "a/A", "java/lang/Object", &[]);
    let mut method = |name, build: fn(&mut CodeWriter<'_>)| {
        writer.method(flags::STATIC, name, "(Ljava/lang/Object;)V", 1, build);
    };
    method("first", |code| {
        code.local(op::ALOAD, 0).class(op::CHECKCAST, "a/C").op(op::POP).op(op::RETURN);
    });
    method("second", |code| {
        let (start, end) = (code.label(), code.label());
        code.place(start).local(op::ALOAD, 0).class(op::INSTANCEOF, "a/B").op(op::POP);
        code.local(op::ALOAD, 0).class(op::CHECKCAST, "[La/B;").op(op::POP);
        code.class(op::NEW, "a/New").op(op::POP).place(end).op(op::RETURN);
        code.handler(start, end, end, Some("a/Caught"));
    });
    method("third", |code| {
        code.local(op::ALOAD, 0).class(op::CHECKCAST, "a/B").class(op::CHECKCAST, "a/D");
        code.op(op::POP).op(op::RETURN);
    });
    let program = Program::new(Box::new(Project(memory([writer.finish().unwrap()]))));
    let method = program.method("a/A.second(Ljava/lang/Object;)V");
    let types = checked_types(&method);
    let types: Vec<_> = types.iter().map(|name| &**name).collect();
    assert_eq!(types, ["a/B", "[La/B;", "a/C", "a/D"]);
    assert_eq!(Hints::of(&method), hints("a", &types));
}
