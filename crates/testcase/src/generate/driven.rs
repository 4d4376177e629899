//! Resource-driven generation ("Resource-driven CLP-based Test Case Generation", section 4): an abstraction
//! proposes the traces whose costs the policy may want, and only those are derived.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use petrel_abstraction::{Derivation, Modes, Order, Precision, Search};

use rustc_hash::FxHashSet;

use super::guided::{abstract_program, settings};
use super::worker::{Goal, Worker};
use super::{GenerateError, Oracle};
use crate::case::{Case, Summary};

/// Generates the cases that a policy wants. The order is that of the tree, or from the most expensive trace
/// down if cases are ranked: then nothing that may still come costs more than the cases there are.
pub(super) fn drive(
    goal: &Goal<'_, '_>,
    emit: &mut dyn FnMut(Case) -> bool,
) -> Result<Summary, GenerateError> {
    let program = abstract_program(goal)?;
    let goal = Goal { ..*goal };
    let options = goal.options;
    let precision = match options.oracle {
        Oracle::Enhanced => Precision::Enhanced { observes_sizes: true },
        Oracle::Naive | Oracle::None => Precision::Naive,
    };
    let modes = Modes::of(&program, precision);
    let costing = super::costing(goal.procedures, goal.method, options);
    let derivation = Derivation::new(&program, &modes, &costing, settings(options));
    let ranking = options.policy.ranking.as_ref();
    let ranked = ranking.and_then(|ranking| Some((options.model(&ranking.model)?, ranking.count)));
    let order = ranked.map_or(Order::Tree, |(model, _)| Order::MostExpensive(model));
    let mut search = Search::new(&derivation, goal.method, order, !options.exceptions);
    let mut worker = Worker::new(&goal)?;
    let mut summary = Summary::default();
    let mut best: Vec<i64> = Vec::new();
    let mut known: FxHashSet<String> = FxHashSet::default();
    while let Some(candidate) = search.next_trace() {
        if goal.interrupt.load(Ordering::Relaxed) {
            summary.note_late();
            break;
        }
        if let Some((model, Some(count))) = ranked
            && let Some(&least) = best.get(count - 1)
            && candidate.most[model] <= least
            && candidate.threw.is_some()
        {
            break;
        }
        // A complete trace whose costs the policy does not want is not derived.
        if candidate.threw.is_some() && !is_wanted(&goal, &candidate.most) {
            continue;
        }
        let mut goes_on = true;
        let trace = Arc::new(candidate.trace.clone());
        let (count, followed) = worker.follow(trace, &mut summary, &mut |case| {
            // Where a trace leaves a call open, it may have instances of others.
            if !known.insert(case.trace.clone()) {
                return true;
            }
            if let Some((model, Some(count))) = ranked {
                let cost = case.costs[model].value;
                let position = best.partition_point(|&known| known >= cost);
                best.insert(position, cost);
                best.truncate(count);
            }
            goes_on = emit(case);
            goes_on
        });
        summary.traces.0 += 1;
        if count == 0 {
            summary.traces.1 += 1;
            search.refute(&candidate, followed);
        }
        if !goes_on {
            break;
        }
    }
    Ok(summary)
}

/// Whether traces with these costs at most can satisfy the lower bounds of the policy.
fn is_wanted(goal: &Goal<'_, '_>, most: &[i64]) -> bool {
    goal.options.policy.conditions.iter().all(|condition| {
        let model = goal.options.model(&condition.model);
        model.is_none_or(|model| condition.least().is_none_or(|least| most[model] >= least))
    })
}
