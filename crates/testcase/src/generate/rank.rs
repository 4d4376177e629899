//! The most expensive cases.

use crate::case::Case;

use super::Options;

/// Cases by their costs, the most expensive first; of equally expensive ones the first found.
pub(super) struct Ranked {
    model: usize,
    count: usize,
    /// The cases.
    pub(super) cases: Vec<Case>,
    /// How many others there were.
    pub(super) left_out: u64,
}

impl Ranked {
    /// If cases are ranked at all.
    pub(super) fn new(options: &Options) -> Option<Ranked> {
        let ranking = options.policy.ranking.as_ref()?;
        let model = options.model(&ranking.model)?;
        let count = ranking.count.unwrap_or(usize::MAX);
        Some(Ranked { model, count, cases: Vec::new(), left_out: 0 })
    }

    fn cost(&self, case: &Case) -> i64 {
        case.costs.get(self.model).map_or(0, |cost| cost.value)
    }

    /// Adds a case. More are always wanted.
    pub(super) fn add(&mut self, case: Case) -> bool {
        let cost = self.cost(&case);
        let position = self.cases.partition_point(|known| self.cost(known) >= cost);
        self.cases.insert(position, case);
        if self.cases.len() > self.count {
            self.cases.pop();
            self.left_out += 1;
        }
        true
    }
}

/// What the most expensive cases so far cost, if there is a number of them that is wanted.
#[derive(Clone)]
pub(super) struct Best {
    pub(super) model: usize,
    count: usize,
    /// The largest first.
    costs: Vec<i64>,
}

impl Best {
    pub(super) fn new(options: &Options) -> Option<Best> {
        let ranking = options.policy.ranking.as_ref()?;
        let (model, count) = (options.model(&ranking.model)?, ranking.count?);
        Some(Best { model, count, costs: Vec::new() })
    }

    /// Notes a case.
    pub(super) fn add(&mut self, case: &Case) {
        let cost = case.costs[self.model].value;
        let position = self.costs.partition_point(|&known| known >= cost);
        self.costs.insert(position, cost);
        self.costs.truncate(self.count);
    }

    /// What the last of them costs, once there are so many; no other that costs as much is of interest.
    pub(super) fn least(&self) -> Option<i64> {
        self.costs.get(self.count.checked_sub(1)?).copied()
    }
}
