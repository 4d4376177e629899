//! Generation by an estimate of costs ("Resource-driven CLP-based Test Case Generation", section 4): the ways through the
//! target's own code are derived from the most expensive one down, by estimate, until one has a case.

use std::sync::Arc;

use petrel_abstraction::{
    Candidate, Derivation, Modes, Order, Precision, Search, Settings, estimates, slice,
};
use petrel_clp::ToldTrace;
use rustc_hash::FxHashSet;

use super::crew::{self, Follow, Followed, Task};
use super::guided::{abstract_program, settings};
use super::rank::Best;
use super::worker::{Goal, note_if_over};
use super::{GenerateError, Options, Oracle};
use crate::case::{Case, Summary};

/// Generates the cases that a policy wants. The order is that of the tree, or from the most expensive trace
/// down if cases are ranked: then nothing that may still come costs more than the cases there are.
pub(super) fn drive(
    goal: &Goal<'_, '_>,
    emit: &mut dyn FnMut(Case) -> bool,
) -> Result<Summary, GenerateError> {
    let program = abstract_program(goal)?;
    let options = goal.options;
    let precision = match options.oracle {
        Oracle::Enhanced | Oracle::Estimate => Precision::Enhanced { observes_sizes: true },
        Oracle::Naive | Oracle::None => Precision::Naive,
    };
    let modes = Modes::of(&program, precision);
    let costing = super::costing(goal.procedures, goal.method, options);
    let mut settings = settings(options);
    if options.oracle == Oracle::Estimate {
        settings = Settings {
            slice: Some(slice::local_paths(&program)),
            // What the target does when it calls itself is estimated as any other call.
            follows_calls: false,
            estimates: Some(estimates(&program, &costing, settings.termination)),
            ..settings
        };
    }
    let derivation = Derivation::new(&program, &modes, &costing, settings).paid_from(goal.purse);
    let ranking = options.policy.ranking.as_ref();
    let ranked_by = ranking.and_then(|ranking| options.model(&ranking.model));
    let order = ranked_by.map_or(Order::Tree, Order::MostExpensive);
    let search = Search::new(&derivation, goal.method, order, !options.exceptions);
    let summary = Summary { is_estimate: options.oracle == Oracle::Estimate, ..Summary::default() };
    let best = Best::new(options);
    let driving = Driving { goal, search, best, known: FxHashSet::default(), summary };
    crew::with_crew(goal, |follow| driving.run(follow, emit))
}

struct Driving<'a> {
    goal: &'a Goal<'a, 'a>,
    search: Search<'a>,
    /// The costs of the most expensive cases so far, if others are of no interest.
    best: Option<Best>,
    /// The traces of the cases so far.
    known: FxHashSet<ToldTrace>,
    summary: Summary,
}

impl Driving<'_> {
    /// Traces are followed as many at once as there are workers. What came of them is looked at in the order
    /// in which they were proposed, as if each had waited for the one before.
    fn run(
        mut self,
        follow: &mut Follow<'_>,
        emit: &mut dyn FnMut(Case) -> bool,
    ) -> Result<Summary, GenerateError> {
        loop {
            let (candidates, is_last) = self.next_candidates();
            let task = |candidate: &Candidate| Task {
                trace: Arc::new(candidate.trace.clone()),
                best: self.best.clone(),
            };
            let followed = follow(candidates.iter().map(task).collect())?;
            for (candidate, followed) in candidates.iter().zip(followed) {
                if self.search.is_refuted(candidate) {
                    continue;
                }
                if self.is_enough(candidate) || !self.take(candidate, followed, emit) {
                    return Ok(self.summary);
                }
            }
            let is_over = note_if_over(self.goal.purse, &mut self.summary);
            if is_last || is_over {
                return Ok(self.summary);
            }
        }
    }

    /// The next traces that are to be followed, and whether there are no others.
    fn next_candidates(&mut self) -> (Vec<Candidate>, bool) {
        let mut candidates = Vec::new();
        while candidates.len() < self.goal.options.jobs.max(1) {
            let candidate = self.search.next_trace();
            let Some(candidate) = candidate.filter(|candidate| !self.is_enough(candidate)) else {
                return (candidates, true);
            };
            // A complete trace whose costs the policy does not want is not derived.
            if candidate.threw.is_none() || is_wanted(self.goal.options, &candidate.most) {
                candidates.push(candidate);
            }
        }
        (candidates, false)
    }

    /// Whether a trace, and all that come behind it, can have no case that is as expensive as those that are
    /// known. By estimate, the first cases are taken for the most expensive ones.
    fn is_enough(&self, candidate: &Candidate) -> bool {
        let Some(best) = &self.best else { return false };
        let Some(least) = best.least() else { return false };
        self.summary.is_estimate
            || (candidate.threw.is_some() && candidate.most[best.model] <= least)
    }

    /// Takes the cases of a trace. `false` if no more are wanted.
    fn take(
        &mut self,
        candidate: &Candidate,
        followed: Followed,
        emit: &mut dyn FnMut(Case) -> bool,
    ) -> bool {
        self.summary.add(&followed.summary);
        self.summary.traces.0 += 1;
        if followed.cases.is_empty() {
            self.summary.traces.1 += 1;
            self.search.refute(candidate, followed.rules);
        }
        for case in followed.cases {
            // Where a trace leaves a call open, it may have instances of others.
            if !self.known.insert(case.trace.clone()) {
                continue;
            }
            if let Some(best) = &mut self.best {
                best.add(&case);
            }
            if !emit(case) {
                return false;
            }
        }
        true
    }
}

/// Whether traces with these costs at most can satisfy the policy.
fn is_wanted(options: &Options, most: &[i64]) -> bool {
    let most = |name: &str| options.model(name).map(|model| most[model]);
    options.policy.conditions.iter().all(|condition| condition.may_hold(most))
}
