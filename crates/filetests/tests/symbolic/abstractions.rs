//! How many traces the abstractions of the papers' examples have.

use petrel_abstraction::{AbstractProgram, Derivation, Modes, Order, Precision, Search, Settings};
use petrel_clp::Termination;
use petrel_cost::{Costing, Scope};
use petrel_filetests::derive;
use petrel_filetests::world::{jdk, root};

/// The complete traces of an abstraction of a method of the papers, and those whose ends are open.
fn count_traces(
    class: &str,
    method: &str,
    precision: Precision,
    termination: Termination,
) -> (usize, usize) {
    let folder = root().join("build/fixtures/papers");
    let procedures = derive::procedures(&jdk(), &folder);
    let project = procedures.program().project_classes().expect("they can be listed");
    let project: Vec<String> = project.iter().map(ToString::to_string).collect();
    let class = procedures.program().class(class).expect("`make fixtures` builds it");
    let method = class.methods().find(|found| found.name() == method).expect("it is there");
    let program = AbstractProgram::of(procedures, &project, &method).expect("it has code");
    let modes = Modes::of(&program, precision);
    let costing =
        Costing::new(procedures.program(), Vec::new(), Scope::default(), class.name(), 17);
    let settings = Settings {
        termination,
        domain: None,
        max_array: 64,
        slice: None,
        follows_calls: true,
        estimates: None,
    };
    let derivation = Derivation::new(&program, &modes, &costing, settings);
    let mut search = Search::new(&derivation, &method, Order::Tree, false);
    let (mut complete, mut open) = (0, 0);
    while let Some(candidate) = search.next_trace() {
        *(if candidate.threw.is_some() { &mut complete } else { &mut open }) += 1;
    }
    (complete, open)
}

/// An iteration goes on in five ways, of which four are those of `power`, and ends in nine: at the load,
/// in each way of `power` with what it throws, and at the store. Two of three iterations can go on.
#[test]
fn without_variables_arraypower_has_all_combinations() {
    let (ways_on, ways_out) = (5, 9);
    let prefixes = 1 + ways_on + ways_on * ways_on;
    let all = 1 + prefixes + ways_out * prefixes;
    let count =
        |termination| count_traces("ArrayPower", "arraypower", Precision::Naive, termination);
    assert_eq!(count(Termination::BlockCount(3)), (all, 0));
    // Whether an iteration beyond the second counts depends on values.
    let (complete, open) = count(Termination::Loop(2));
    assert!(complete == all && open > 0, "{complete} complete, {open} open");
}

/// The variables that decide the control flow leave the traces of the program's own paths.
#[test]
fn the_refined_abstraction_of_arraypower_has_no_infeasible_trace() {
    let refined = Precision::Enhanced { observes_sizes: false };
    for (bound, n_cases) in [
        (Termination::BlockCount(2), 5),
        (Termination::BlockCount(3), 10),
        (Termination::Loop(1), 5),
        (Termination::Loop(2), 10),
    ] {
        let traces = count_traces("ArrayPower", "arraypower", refined, bound);
        assert_eq!(traces, (n_cases, 0), "{bound:?}");
    }
}
