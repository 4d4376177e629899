//! The fewest sets that have everything: exact, by branch and bound, as long as that is not too much work.

/// A set of goals, by their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Goals(Box<[u64]>);

impl Goals {
    /// None of so many.
    pub(super) fn none(count: usize) -> Goals {
        Goals(vec![0; count.div_ceil(64)].into())
    }

    pub(super) fn insert(&mut self, number: usize) {
        if let Some(word) = self.0.get_mut(number / 64) {
            *word |= 1 << (number % 64);
        }
    }

    pub(super) fn has(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    pub(super) fn add(&mut self, other: &Goals) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    /// Whether it has all of another set.
    pub(super) fn includes(&self, other: &Goals) -> bool {
        self.0.iter().zip(&other.0).all(|(word, other)| other & !word == 0)
    }

    /// How many it has that another set has not.
    fn count_beyond(&self, other: &Goals) -> usize {
        let beyond = self.0.iter().zip(&other.0).map(|(word, other)| word & !other);
        beyond.map(|word| word.count_ones() as usize).sum()
    }

    fn numbers(&self) -> impl Iterator<Item = usize> {
        (0..self.0.len() * 64).filter(|&number| self.has(number))
    }
}

/// Sets that have everything together.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cover {
    /// Their numbers.
    pub(super) chosen: Vec<usize>,
    /// Whether no fewer do.
    pub(super) is_smallest: bool,
}

/// After so many choices the search gives up.
const MOST_CHOICES: u32 = 20_000;

/// A choice of the search: the sets that have some goal, in turn.
struct Choice {
    sets: std::vec::IntoIter<usize>,
    /// What the sets have that are chosen before.
    covered: Goals,
}

/// The fewest sets that have all that is wanted; together they have to have it.
pub(super) fn smallest(sets: &[&Goals], wanted: &Goals) -> Cover {
    let mut best = greedy(sets, wanted);
    let nothing = Goals(vec![0; wanted.0.len()].into());
    let mut chosen: Vec<usize> = Vec::new();
    let mut open = vec![choice(sets, wanted, nothing)];
    let mut choices = 0;
    while let Some(last) = open.last_mut() {
        let Some(next) = last.sets.next() else {
            open.pop();
            chosen.pop();
            continue;
        };
        choices += 1;
        if choices > MOST_CHOICES {
            return Cover { chosen: best, is_smallest: false };
        }
        let mut covered = last.covered.clone();
        covered.add(sets[next]);
        let left = wanted.count_beyond(&covered);
        if left == 0 {
            if chosen.len() + 1 < best.len() {
                best = chosen.iter().copied().chain([next]).collect();
            }
            continue;
        }
        let most = sets.iter().map(|set| set.count_beyond(&covered)).max().unwrap_or(0);
        // No set adds more than this, so that so many are still needed.
        let needed = left.div_ceil(most.max(1));
        if chosen.len() + 1 + needed < best.len() {
            chosen.push(next);
            open.push(choice(sets, wanted, covered));
        }
    }
    Cover { chosen: best, is_smallest: true }
}

/// The goal that the fewest sets have: one of these has to be chosen. Of them those come first that add most.
fn choice(sets: &[&Goals], wanted: &Goals, covered: Goals) -> Choice {
    let missing = wanted.numbers().filter(|&goal| !covered.has(goal));
    let with = |goal: usize| (0..sets.len()).filter(move |&number| sets[number].has(goal));
    let rarest = missing.min_by_key(|&goal| with(goal).count());
    let mut options: Vec<usize> = rarest.into_iter().flat_map(with).collect();
    options.sort_by_key(|&number| std::cmp::Reverse(sets[number].count_beyond(&covered)));
    Choice { sets: options.into_iter(), covered }
}

/// Always the set that adds most.
fn greedy(sets: &[&Goals], wanted: &Goals) -> Vec<usize> {
    let mut covered = Goals(vec![0; wanted.0.len()].into());
    let mut chosen = Vec::new();
    while wanted.count_beyond(&covered) > 0 {
        let adds =
            |number: &usize| (sets[*number].count_beyond(&covered), std::cmp::Reverse(*number));
        let Some(next) = (0..sets.len()).max_by_key(adds) else { break };
        if sets[next].count_beyond(&covered) == 0 {
            break;
        }
        covered.add(sets[next]);
        chosen.push(next);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn goals(count: usize, of: &[usize]) -> Goals {
        let mut goals = Goals::none(count);
        of.iter().for_each(|&number| goals.insert(number));
        goals
    }

    fn cover(count: usize, sets: &[&[usize]]) -> (usize, bool) {
        let sets: Vec<Goals> = sets.iter().map(|of| goals(count, of)).collect();
        let sets: Vec<&Goals> = sets.iter().collect();
        let all: Vec<usize> = (0..count).collect();
        let Cover { chosen, is_smallest } = smallest(&sets, &goals(count, &all));
        let mut covered = Goals::none(count);
        chosen.iter().for_each(|&number| covered.add(sets[number]));
        assert!(covered.includes(&goals(count, &all)), "{chosen:?}");
        (chosen.len(), is_smallest)
    }

    #[test]
    fn who_has_most_is_not_always_needed() {
        assert_eq!(cover(6, &[&[0, 1, 2, 3], &[0, 1, 4], &[2, 3, 5]]), (2, true));
    }

    #[test]
    fn one_set_may_be_all() {
        assert_eq!(cover(3, &[&[0], &[1], &[0, 1, 2]]), (1, true));
        assert_eq!(cover(70, &[&(0..70).collect::<Vec<_>>()]), (1, true));
        assert_eq!(cover(0, &[]), (0, true));
    }

    /// All subsets of the sets are tried, whatever the search thinks of them.
    #[test]
    fn no_subset_is_smaller() {
        let mut state = 7_u64;
        let mut random = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for _ in 0..300 {
            let count = 1 + random(9) as usize;
            let n_sets = 1 + random(9) as usize;
            let mut sets: Vec<Goals> = (0..n_sets)
                .map(|_| goals(count, &(0..count).filter(|_| random(3) == 0).collect::<Vec<_>>()))
                .collect();
            // Everything is in some set.
            sets.push(goals(count, &(0..count).filter(|goal| goal % 2 == 0).collect::<Vec<_>>()));
            sets.push(goals(count, &(0..count).filter(|goal| goal % 2 == 1).collect::<Vec<_>>()));
            let refs: Vec<&Goals> = sets.iter().collect();
            let wanted = goals(count, &(0..count).collect::<Vec<_>>());
            let found = smallest(&refs, &wanted);
            let fewest = (0_u32..1 << sets.len())
                .filter(|subset| {
                    let mut covered = Goals::none(count);
                    for (number, set) in sets.iter().enumerate() {
                        if subset >> number & 1 == 1 {
                            covered.add(set);
                        }
                    }
                    covered.includes(&wanted)
                })
                .map(u32::count_ones)
                .min();
            assert_eq!((Some(found.chosen.len() as u32), found.is_smallest), (fewest, true));
        }
    }
}
