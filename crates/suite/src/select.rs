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
        // What each would add at most: it only ever gets less, so that only the best has to be counted again.
        let mut gains: Vec<usize> =
            open.iter().map(|&number| goals(&candidates[number]).count()).collect();
        while !open.is_empty() {
            let best = |left: &usize, right: &usize| {
                let badness = |place: usize| (candidates[open[place]].badness(), open[place]);
                // Of those that gain the same, the least bad one.
                gains[*left].cmp(&gains[*right]).then_with(|| badness(*right).cmp(&badness(*left)))
            };
            let Some(place) = (0..open.len()).max_by(best) else { break };
            let number = open[place];
            let is_new = |goal: &Goal| !times.contains_key(goal);
            let gain = goals(&candidates[number]).filter(is_new).count();
            if gain < gains[place] {
                gains[place] = gain;
                continue;
            }
            // A method without branches has one behaviour at least.
            if gain == 0 && !(chosen.is_empty() && times.is_empty()) {
                break;
            }
            open.remove(place);
            gains.remove(place);
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
