//! Random programs: values of terms are what a plain interpreter computes on the initial heaps that the
//! solver makes up, and no heap is lost.

use petrel_clp::Comparison;
use petrel_solver::{Answer, Labelling};
use proptest::prelude::*;

use super::concrete::Heap;
use super::initial::heap;
use super::program::{Action, program};
use super::repeatable;
use super::session::Session;

/// How paths are refined, to see other models of them.
type Refinements = Vec<Vec<(u8, u8, Comparison)>>;

fn refinements() -> impl Strategy<Value = Refinements> {
    let one = (any::<u8>(), any::<u8>(), proptest::sample::select(Comparison::ALL.to_vec()));
    proptest::collection::vec(proptest::collection::vec(one, 0..4), 3)
}

fn check(heap: &Heap, carries_model: bool, program: &[Action], refinements: &Refinements) {
    let mut session = Session::new(heap, carries_model);
    for action in program {
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
        program in program(40),
        refinements in refinements(),
    ) {
        check(&heap, carries_model, &program, &refinements);
    }
}
