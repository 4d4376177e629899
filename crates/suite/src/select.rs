//! Which cases become tests: the smallest set found that covers what all cases cover.
//!
//! Greedy, the cases that are built through the API before others; then each is left out that the others make
//! superfluous.

use std::collections::BTreeMap;

use petrel_testcase::Edge;

use crate::pool::Candidate;

/// Something that cases cover: an edge, or an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Goal {
    Edge(Edge),
    Instruction(u16),
}

fn goals(candidate: &Candidate) -> impl Iterator<Item = Goal> {
    let edges = candidate.executed.edges.iter().map(|&edge| Goal::Edge(edge));
    let instructions = candidate.executed.instructions.iter();
    edges.chain(instructions.map(|&pc| Goal::Instruction(pc)))
}

/// The numbers of the cases that are chosen, in ascending order. Cases for which `is_out` holds are not looked at.
pub(crate) fn select(candidates: &[Candidate], is_out: &dyn Fn(usize) -> bool) -> Vec<usize> {
    let numbers: Vec<usize> = (0..candidates.len()).filter(|&number| !is_out(number)).collect();
    let mut times: BTreeMap<Goal, u32> = BTreeMap::new();
    let mut chosen: Vec<usize> = Vec::new();
    for buildable in [true, false] {
        let mut open: Vec<usize> = numbers
            .iter()
            .copied()
            .filter(|&number| candidates[number].is_buildable == buildable)
            .collect();
        loop {
            let is_new = |goal: &Goal| !times.contains_key(goal);
            let gains = open.iter().enumerate().map(|(place, &number)| {
                (goals(&candidates[number]).filter(is_new).count(), place, number)
            });
            let best = gains.max_by(|left, right| {
                let badness = |number: usize| (candidates[number].badness(), number);
                // Of those that gain the same, the least bad one.
                left.0.cmp(&right.0).then_with(|| badness(right.2).cmp(&badness(left.2)))
            });
            let Some((gain, place, number)) = best else { break };
            // A method without branches has one behaviour at least.
            if gain == 0 && !(chosen.is_empty() && times.is_empty()) {
                break;
            }
            open.swap_remove(place);
            open.sort_unstable();
            for goal in goals(&candidates[number]) {
                *times.entry(goal).or_default() += 1;
            }
            chosen.push(number);
        }
    }
    reduce(candidates, &mut chosen, &mut times);
    chosen.sort_unstable();
    chosen
}

/// Leaves out what others make superfluous, the worst first.
fn reduce(candidates: &[Candidate], chosen: &mut Vec<usize>, times: &mut BTreeMap<Goal, u32>) {
    let mut order = chosen.clone();
    order.sort_by_key(|&number| std::cmp::Reverse((candidates[number].badness(), number)));
    for number in order {
        let candidate = &candidates[number];
        let is_superfluous = goals(candidate).all(|goal| times.get(&goal).is_some_and(|&n| n > 1));
        if is_superfluous && chosen.len() > 1 {
            for goal in goals(candidate) {
                times.entry(goal).and_modify(|n| *n -= 1);
            }
            chosen.retain(|&other| other != number);
        }
    }
}
