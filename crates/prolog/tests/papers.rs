//! The figures of the papers, from programs that are built by hand as the translation builds them.

use expect_test::expect;
use petrel_clp::{Dispatch, Procedure};
use petrel_prolog::{ClassFacts, ClassKind, Export, FieldFacts};

mod support;
use support::{lcm, swipl, vector};

fn class(name: &str, fields: &[(&str, &str)]) -> ClassFacts {
    ClassFacts {
        name: name.into(),
        super_name: Some("java/lang/Object".into()),
        interfaces: vec![],
        kind: ClassKind::Concrete,
        fields: fields
            .iter()
            .map(|&(name, descriptor)| FieldFacts {
                name: name.into(),
                descriptor: descriptor.into(),
                is_static: false,
                constant: None,
            })
            .collect(),
        initialisation: vec![],
    }
}

fn run(
    procedures: &[Procedure],
    dispatches: &[Dispatch],
    classes: &[ClassFacts],
    goal: &str,
) -> String {
    let procedures: Vec<&Procedure> = procedures.iter().collect();
    let dispatches: Vec<&Dispatch> = dispatches.iter().collect();
    let export = Export {
        procedures: &procedures,
        dispatches: &dispatches,
        classes,
        entries: &[],
    };
    if std::env::var_os("PETREL_PL").is_some() {
        std::fs::write("/tmp/proto/out.pl", petrel_prolog::export(&export)).unwrap();
    }
    swipl::run(&export, goal)
}

fn run_lcm(goal: &str) -> String {
    run(&lcm::procedures(), &[], &[class("Lcm", &[])], goal)
}

fn run_vector(goal: &str) -> String {
    let vector = class("Vector", &[("elems", "[I"), ("size", "I"), ("cap", "I")]);
    run(
        &vector::procedures(),
        &vector::dispatches(),
        &[vector],
        goal,
    )
}

#[test]
fn lcm_has_3_7_and_11_cases() {
    let goal = "set_width(unbounded), set_domain(-1000..1000),
        forall(between(1, 8, K), ( count_cases(lcm, K, N), format('~w ', [N]) ))";
    expect!["3 7 11 15 19 23 27 31 "].assert_eq(&run_lcm(goal));
}

#[test]
fn multiples_has_54_cases_with_up_to_four_iterations() {
    let goal = "set_width(unbounded), set_exceptions(exclude),
        forall(between(1, 6, K),
               ( initial_heap('Vector', H0), input_array('[I', Ns, _, H0, H),
                 answers(multiples([Ns, _, _], _, H, _, _, _), K, N),
                 format('~w ', [N]) )), counters(C), print(C)";
    expect![[""]].assert_eq(&run_vector(goal));
}
