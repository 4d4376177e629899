//! Slicings of a trace abstraction ("A Framework for Guided Test Case Generation in Constraint Logic
//! Programming", Def. 7 and 8).

use petrel_clp::End;
use rustc_hash::FxHashSet;

use crate::program::{AbstractProgram, RuleName, Target};

/// Rules that are kept.
pub type Slice = FxHashSet<RuleName>;

/// The rules of the target itself (Def. 7): what the methods do that it calls is left open.
pub fn local_paths(program: &AbstractProgram<'_>) -> Slice {
    program.rules_of(0).collect()
}

/// The rules with instructions of a source line, of the target's file unless another is named.
pub fn at_line(program: &AbstractProgram<'_>, file: Option<&str>, line: u16) -> Slice {
    let file = file.or(program.procedure(0).source_file.as_deref());
    let is_there = |name: &RuleName| {
        program.procedure(name.procedure).source_file.as_deref() == file
            && program.rule(*name).instructions.iter().any(|at| at.line == line)
    };
    program.rules().filter(is_there).collect()
}

/// The rules with an instruction of a procedure, by its offset.
pub fn at_instruction(program: &AbstractProgram<'_>, procedure: u32, offset: u16) -> Slice {
    let is_there =
        |name: &RuleName| program.rule(*name).instructions.iter().any(|at| at.pc == offset);
    program.rules_of(procedure).filter(is_there).collect()
}

/// The rules that lead to some others (Def. 8), and those.
pub fn towards(program: &AbstractProgram<'_>, goals: &Slice) -> Slice {
    let mut slice = goals.clone();
    let mut predicates: FxHashSet<(u32, u32)> =
        goals.iter().map(|name| (name.procedure, name.predicate)).collect();
    loop {
        let before = slice.len();
        for name in program.rules() {
            let goes_on = match &program.rule(name).end {
                End::Continue(next, _) => predicates.contains(&(name.procedure, next.0)),
                _ => false,
            };
            let calls = match program.target(name) {
                Target::Inside { cases, .. } => {
                    cases.iter().any(|case| predicates.contains(&(case.procedure, 0)))
                }
                _ => false,
            };
            if (goes_on || calls) && slice.insert(name) {
                predicates.insert((name.procedure, name.predicate));
            }
        }
        if slice.len() == before {
            return slice;
        }
    }
}
