//! Combination: the solutions of independent parts, put together.

/// Solutions of some unknowns, the most preferred first.
#[derive(Debug)]
pub(super) struct Stream {
    /// The numbers of the unknowns.
    pub(super) unknowns: Vec<usize>,
    /// At least one: a value for each of the unknowns.
    pub(super) solutions: Vec<Vec<i64>>,
}

/// The first combinations: those with the smallest sum of ranks, and of these the ones first whose
/// first parts have the larger ranks, so that the first unknowns vary first.
pub(super) fn combine(streams: &[Stream], width: usize, count: usize) -> Vec<Vec<i64>> {
    // What the parts from each one on can take of a sum of ranks.
    let mut capacities = vec![0; streams.len() + 1];
    for (number, stream) in streams.iter().enumerate().rev() {
        capacities[number] = capacities[number + 1] + stream.solutions.len().saturating_sub(1);
    }
    let mut combination =
        Combination { streams, capacities, count, values: vec![0; width], found: Vec::new() };
    let most = combination.capacities[0];
    for sum in 0..=most {
        if !combination.descend(0, sum) {
            break;
        }
    }
    combination.found
}

struct Combination<'a> {
    streams: &'a [Stream],
    capacities: Vec<usize>,
    count: usize,
    values: Vec<i64>,
    found: Vec<Vec<i64>>,
}

impl Combination<'_> {
    /// Spreads a sum of ranks over the parts from a number on. The result is whether to go on.
    fn descend(&mut self, number: usize, sum: usize) -> bool {
        let streams = self.streams;
        let Some(stream) = streams.get(number) else {
            self.found.push(self.values.clone());
            return self.found.len() < self.count;
        };
        let most = sum.min(stream.solutions.len().saturating_sub(1));
        let least = sum.saturating_sub(self.capacities[number + 1]);
        for rank in (least..=most).rev() {
            for (&unknown, &value) in stream.unknowns.iter().zip(&stream.solutions[rank]) {
                self.values[unknown] = value;
            }
            if !self.descend(number + 1, sum - rank) {
                return false;
            }
        }
        true
    }
}
