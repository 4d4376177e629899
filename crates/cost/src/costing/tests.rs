mod calls;

use std::path::Path;

use petrel_program::ResolvedMethod;
use petrel_session::Session;
use petrel_translate::{method_ref, translate};

use super::*;

fn fixtures(topic: &str) -> Session {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let folder = root.join("build/fixtures").join(topic);
    Session::open(folder.as_os_str(), None).expect("run: make setup fixtures")
}

fn model(text: &str) -> Model {
    let read = |path: &Path| panic!("{} is not read", path.display());
    Model::parse(text, &read).unwrap()
}

fn file_model(text: &str) -> Model {
    Model::parse("own.toml", &|_: &Path| Ok(text.to_owned())).unwrap()
}

fn costing<'p>(session: &'p Session, models: &[&str], scope: Scope, target: &str) -> Costing<'p> {
    let models = models.iter().map(|text| model(text)).collect();
    Costing::new(session.program(), models, scope, target, 17)
}

fn method(session: &Session, class: &str, name: &str) -> ResolvedMethod {
    let class = session.program().class(class).unwrap();
    class.methods().find(|method| method.name() == name).unwrap()
}

fn procedure_of(session: &Session, method: &ResolvedMethod) -> Procedure {
    translate(session.program(), method.class(), method.index()).unwrap().unwrap()
}

fn procedure(session: &Session, class: &str, name: &str) -> Procedure {
    procedure_of(session, &method(session, class, name))
}

/// The sum over all rules of a procedure.
fn of_all_rules(costing: &Costing<'_>, procedure: &Procedure) -> Vec<i64> {
    let mut sum = vec![0; costing.models().len()];
    for (number, predicate) in procedure.predicates.iter().enumerate() {
        for rule in 0..predicate.rules.len() {
            let costs = costing.of_rule(procedure, number.into(), rule);
            for (sum, cost) in sum.iter_mut().zip(costs) {
                *sum += cost;
            }
        }
    }
    sum
}

/// What a call of a method costs if some other method of the same session makes it.
fn called(costing: &Costing<'_>, caller: &Procedure, callee: &ResolvedMethod) -> i64 {
    costing.of_call(Some(caller), &method_ref(callee))[0]
}

#[test]
fn each_instruction_of_a_rule_counts_once() {
    let session = fixtures("papers");
    let costing = costing(&session, &["instructions"], Scope::Project, "Vector");
    for name in ["<init>", "add", "realloc", "multiples"] {
        let method = method(&session, "Vector", name);
        let code = method.class().file.code(method.declaration()).unwrap().unwrap();
        let procedure = procedure_of(&session, &method);
        assert_eq!(of_all_rules(&costing, &procedure), [code.instructions.len() as i64], "{name}");
    }
    let realloc = procedure(&session, "Vector", "realloc");
    assert_eq!(*costing.of_rule(&realloc, 0.into(), 0), [7], "up to newarray");
}

#[test]
fn what_is_not_there_costs_nothing() {
    let session = fixtures("papers");
    let costing = costing(&session, &["instructions"], Scope::Project, "Vector");
    let realloc = procedure(&session, "Vector", "realloc");
    assert_eq!(*costing.of_rule(&realloc, 0.into(), 1), [0]);
    assert_eq!(*costing.of_rule(&realloc, 1000.into(), 0), [0]);
}

#[test]
fn the_paper_counts_four_bytes_for_each_field() {
    let session = fixtures("papers");
    let costing = costing(&session, &["memory"], Scope::Project, "Vector");
    let multiples = procedure(&session, "Vector", "multiples");
    assert_eq!(of_all_rules(&costing, &multiples), [12], "elems, size and cap");
    let realloc = procedure(&session, "Vector", "realloc");
    assert_eq!(of_all_rules(&costing, &realloc), [0], "arrays are not constant");
    let ints = ArrayCost { base: 0, per_element: 4, alignment: 1 };
    for class in ["[I", "[J", "[B", "[[I", "[Ljava/lang/String;"] {
        assert_eq!(*costing.of_array(&realloc, class), [Some(ints)], "{class}");
    }
}

#[test]
fn inherited_fields_count_and_static_ones_do_not() {
    let session = fixtures("costs");
    let costing = costing(&session, &["memory", "memory:hotspot"], Scope::Project, "Layouts");
    for (class, paper, hotspot) in [
        ("Layouts$Nothing", 0, 16),
        ("Layouts$OnlyStatics", 0, 16),
        ("Layouts$OneLong", 4, 24),
        ("Layouts$ByteThenInt", 8, 24),
        ("Layouts$NothingAgain", 8, 24),
        ("Layouts$Chain10", 72, 72),
        ("java/lang/Object", 0, 16),
        ("java/lang/Integer", 4, 16),
    ] {
        assert_eq!(*costing.of_object(class), [paper, hotspot], "{class}");
    }
}

#[test]
fn hotspot_counts_the_elements_by_their_size() {
    let session = fixtures("papers");
    let costing = costing(&session, &["memory:hotspot"], Scope::Project, "Vector");
    let realloc = procedure(&session, "Vector", "realloc");
    for (class, per_element) in [
        ("[Z", 1),
        ("[B", 1),
        ("[C", 2),
        ("[S", 2),
        ("[I", 4),
        ("[F", 4),
        ("[J", 8),
        ("[D", 8),
        ("[[J", 4),
        ("[Ljava/lang/Long;", 4),
    ] {
        let expected = ArrayCost { base: 16, per_element, alignment: 8 };
        assert_eq!(*costing.of_array(&realloc, class), [Some(expected)], "{class}");
    }
}

#[test]
fn exceptions_that_the_jvm_makes_cost_no_memory() {
    let session = fixtures("papers");
    let costing = costing(&session, &["memory", "memory:hotspot"], Scope::All, "Vector");
    let add = procedure(&session, "Vector", "add");
    let makes_exceptions =
        add.rules().any(|rule| rule.literals().any(|l| matches!(l, Literal::NewThrowable { .. })));
    assert!(makes_exceptions);
    assert_eq!(of_all_rules(&costing, &add), [0, 0]);
}

#[test]
fn models_without_allocations_say_nothing_about_arrays() {
    let session = fixtures("papers");
    let costing = costing(&session, &["instructions", "memory", "calls"], Scope::All, "Vector");
    let realloc = procedure(&session, "Vector", "realloc");
    let costs = costing.of_array(&realloc, "[I");
    assert_eq!(costs.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true, false]);
}

#[test]
fn the_scope_decides_whose_rules_count() {
    let session = fixtures("calls");
    let of_scope = |scope| {
        let costing = costing(&session, &["instructions"], scope, "Dispatch");
        ["Dispatch", "Dispatch$Shape", "java/util/ArrayList", "NoSuchClass"]
            .map(|class| costing.is_in_scope(class))
    };
    assert_eq!(of_scope(Scope::Class), [true, false, false, false]);
    assert_eq!(of_scope(Scope::Project), [true, true, false, false]);
    assert_eq!(of_scope(Scope::All), [true, true, true, true]);
}

#[test]
fn rules_outside_of_the_scope_cost_nothing() {
    let session = fixtures("calls");
    let library = procedure(&session, "java/util/ArrayList", "clone");
    let nested = procedure(&session, "Dispatch$Square", "doubled");
    for (scope, counts_library, counts_nested) in
        [(Scope::Class, false, false), (Scope::Project, false, true), (Scope::All, true, true)]
    {
        let costing = costing(&session, &["instructions", "memory"], scope, "Dispatch");
        assert_eq!(of_all_rules(&costing, &library)[0] > 0, counts_library, "{scope}");
        assert_eq!(of_all_rules(&costing, &nested)[0] > 0, counts_nested, "{scope}");
        assert_eq!(costing.of_array(&library, "[I")[1].is_some(), counts_library, "{scope}");
    }
}

#[test]
fn the_constructor_of_object_counts_where_the_library_does() {
    let session = fixtures("papers");
    let models = ["instructions", "calls", "calls:java.lang.Object#<init>"];
    let constructor = procedure(&session, "Vector", "<init>");
    let of_scope = |scope| {
        let costing = costing(&session, &models, scope, "Vector");
        assert_eq!(costing.object_constructors_of_rule(&constructor, 0.into(), 0), 1);
        assert_eq!(costing.object_constructors_of_rule(&constructor, 1.into(), 0), 0);
        costing.of_rule(&constructor, 0.into(), 0).to_vec()
    };
    // aload, invokespecial, iload, ifle; and return.
    assert_eq!(of_scope(Scope::Project), [4, 0, 1]);
    assert_eq!(of_scope(Scope::All), [5, 1, 1]);
    let costing = costing(&session, &models[..2], Scope::Project, "Vector");
    assert_eq!(costing.object_constructors_of_rule(&constructor, 0.into(), 0), 0);
}

#[test]
fn files_say_what_instructions_objects_and_calls_cost() {
    let session = fixtures("papers");
    let text = r#"
        [instructions]
        default = 1
        "invoke*" = 10
        invokestatic = 100
        newarray = 0
        [allocations]
        default = 7
        Vector = 1000
        "int[]" = { base = 3, element = 2 }
        [calls]
        default = 5
        realloc = 50
    "#;
    let models = vec![file_model(text)];
    let costing = Costing::new(session.program(), models, Scope::Project, "Vector", 17);
    let add = procedure(&session, "Vector", "add");
    // 19 instructions, one of which is a call.
    let code_length = add.rules().map(|rule| rule.instructions.len() as i64).sum::<i64>();
    assert_eq!(of_all_rules(&costing, &add), [code_length + 9]);
    let realloc = procedure(&session, "Vector", "realloc");
    assert_eq!(*costing.of_rule(&realloc, 0.into(), 0), [6], "newarray is free");
    assert_eq!(*costing.of_object("Vector"), [1000]);
    assert_eq!(*costing.of_object("java/lang/Exception"), [7]);
    let costs = |class| costing.of_array(&realloc, class)[0].unwrap();
    assert_eq!(costs("[I"), ArrayCost { base: 3, per_element: 2, alignment: 1 });
    assert_eq!(costs("[J"), ArrayCost { base: 7, per_element: 0, alignment: 1 });
    assert_eq!(called(&costing, &add, &method(&session, "Vector", "realloc")), 50);
    assert_eq!(called(&costing, &add, &method(&session, "Vector", "add")), 5);
}

#[test]
fn names_that_mean_nothing_are_found() {
    let session = fixtures("papers");
    let problem = |model: Model| {
        let costing = Costing::new(session.program(), vec![model], Scope::Project, "Vector", 17);
        costing.check().map_err(|error| error.to_string())
    };
    assert_eq!(problem(model("calls:anything")), Ok(()), "it may be in any class");
    assert_eq!(problem(model("calls:java.io.PrintStream#println")), Ok(()));
    let missing = problem(model("calls:Vector#realoc")).unwrap_err();
    assert!(missing.contains("realloc()V") && missing.contains("calls:Vector#realoc"), "{missing}");
    let missing = problem(model("calls:Vektor#realloc")).unwrap_err();
    assert!(missing.contains("there is no class Vektor"), "{missing}");
    let missing = problem(file_model("[allocations]\n\"a.Vektor\" = 1")).unwrap_err();
    assert!(missing.contains("there is no class a.Vektor"), "{missing}");
    assert_eq!(
        problem(file_model("[allocations]\nVector = 1\n\"int[][]\" = 2\n\"a.*\" = 3")),
        Ok(())
    );
}

#[test]
fn sums_saturate() {
    let mut costs: Costs = SmallVec::from_slice(&[i64::MAX - 1]);
    add(&mut costs, &SmallVec::from_slice(&[5]));
    assert_eq!(*costs, [i64::MAX]);
}
