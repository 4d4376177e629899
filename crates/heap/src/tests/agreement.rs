//! Random programs: values of terms are what a plain interpreter computes on the initial heaps that the
//! solver makes up, and no heap is lost.

use petrel_checks::{Amount, sample};
use petrel_clp::Comparison;
use petrel_solver::{Answer, Labelling};
use proptest::prelude::*;

use super::concrete::Heap;
use super::initial::heap;
use super::program::{Program, program};
use super::repeatable;
use super::session::{Mode, Session};

/// How paths are refined, to see other models of them.
pub(super) type Refinements = Vec<Vec<(u8, u8, Comparison)>>;

pub(super) fn refinements() -> impl Strategy<Value = Refinements> {
    let one = (any::<u8>(), any::<u8>(), proptest::sample::select(Comparison::ALL.to_vec()));
    proptest::collection::vec(proptest::collection::vec(one, 0..4), 3)
}

fn check(heap: &Heap, mode: Mode, program: &Program, refinements: &Refinements) {
    let mut session = Session::new(heap, mode);
    for action in &program.0 {
        session.run(action);
    }
    session.check_own();
    for refinement in refinements {
        let state = session.path.mark();
        if let Some(model) = refined_model(&mut session, refinement) {
            session.check(&model);
        }
        session.path.undo(&state);
    }
    check_labels(&mut session);
}

/// A model of a path with more constraints, if there is one.
pub(super) fn refined_model(
    session: &mut Session,
    refinement: &[(u8, u8, Comparison)],
) -> Option<Vec<i64>> {
    let mut is_own = true;
    for &(left, right, comparison) in refinement {
        let Some(refined) = session.refine(left, right, comparison) else { continue };
        is_own &= refined.is_own;
        if session.path.assume(refined.constraint).is_err() {
            assert!(!is_own, "a heap was lost");
            return None;
        }
    }
    match session.path.solver.satisfiable(&mut session.path.heap) {
        Answer::Satisfiable(model) => Some(model),
        Answer::Unsatisfiable => {
            assert!(!is_own, "a heap was lost");
            None
        }
        Answer::Unknown => {
            assert!(session.is_large(), "it is not too hard");
            None
        }
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
        Labelling::Unknown => assert!(session.is_large(), "it is not too hard"),
    }
}

/// How many programs are tried.
fn programs() -> u32 {
    const PROGRAMS: Amount = Amount::new(250, 600, 2_500);
    let count = PROGRAMS.now();
    sample(count, PROGRAMS.full, "random programs");
    count as u32
}

proptest! {
    #![proptest_config(repeatable(programs()))]

    #[test]
    fn terms_are_what_a_plain_interpreter_computes(
        heap in heap(),
        mode in proptest::sample::select(vec![Mode::Plain, Mode::WithModel, Mode::Lazy]),
        program in program(150),
        refinements in refinements(),
    ) {
        check(&heap, mode, &program, &refinements);
    }
}
