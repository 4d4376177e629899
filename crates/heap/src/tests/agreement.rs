//! Random programs: values of terms are what a plain interpreter computes on the initial heaps that the
//! solver makes up, and no heap is lost.

use petrel_clp::Comparison;
use petrel_solver::{Answer, Labelling};
use proptest::prelude::*;

use super::concrete::Heap;
use super::initial::heap;
use super::program::{Program, program};
use super::repeatable;
use super::session::Session;

/// How paths are refined, to see other models of them.
type Refinements = Vec<Vec<(u8, u8, Comparison)>>;

fn refinements() -> impl Strategy<Value = Refinements> {
    let one = (any::<u8>(), any::<u8>(), proptest::sample::select(Comparison::ALL.to_vec()));
    proptest::collection::vec(proptest::collection::vec(one, 0..4), 3)
}

fn check(heap: &Heap, carries_model: bool, program: &Program, refinements: &Refinements) {
    let mut session = Session::new(heap, carries_model);
    for action in &program.0 {
        session.run(action);
    }
    session.check_own();
    for refinement in refinements {
        let state = session.path.mark();
        check_refined(&mut session, refinement);
        session.path.undo(&state);
    }
    check_labels(&mut session);
}

fn check_refined(session: &mut Session, refinement: &[(u8, u8, Comparison)]) {
    let mut is_own = true;
    for &(left, right, comparison) in refinement {
        let Some(refined) = session.refine(left, right, comparison) else { continue };
        is_own &= refined.is_own;
        if session.path.assume(refined.constraint).is_err() {
            assert!(!is_own, "a heap was lost");
            return;
        }
    }
    match session.path.solver.satisfiable(&mut session.path.heap) {
        Answer::Satisfiable(model) => session.check(&model),
        Answer::Unsatisfiable => assert!(!is_own, "a heap was lost"),
        Answer::Unknown => panic!("it is not too hard"),
    }
}

fn check_labels(session: &mut Session) {
    match session.path.solver.label(2, &mut session.path.heap) {
        Labelling::Found(labels) => {
            for label in labels {
                session.check(&label);
            }
        }
        Labelling::Unsatisfiable => panic!("a heap was lost"),
        Labelling::Unknown => panic!("it is not too hard"),
    }
}

proptest! {
    #![proptest_config(repeatable(600))]

    #[test]
    fn terms_are_what_a_plain_interpreter_computes(
        heap in heap(),
        carries_model in any::<bool>(),
        program in program(70),
        refinements in refinements(),
    ) {
        check(&heap, carries_model, &program, &refinements);
    }
}

#[test]
fn zz_stats() {
    use proptest::strategy::{Strategy, ValueTree};
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    let n = 3000;
    for _ in 0..n {
        let heap = heap().new_tree(&mut runner).unwrap().current();
        let program = program(70).new_tree(&mut runner).unwrap().current();
        let mut session = Session::new(&heap, false);
        for action in &program.0 {
            session.run(action);
        }
        *counts.entry("actions".into()).or_default() += program.0.len();
        for step in session.steps() {
            let name = format!("{step:?}");
            let name = name.split(['(', '{']).next().unwrap().to_owned();
            *counts.entry(name).or_default() += 1;
        }
        *counts.entry("x terms".into()).or_default() += session.path.terms();
        *counts.entry("x constraints".into()).or_default() +=
            session.path.solver.store.constraints().len();
        *counts.entry("x inputs".into()).or_default() += session.path.heap.inputs().len();
    }
    for (name, count) in counts {
        eprintln!("{name}: {:.2}", count as f64 / n as f64);
    }
}
