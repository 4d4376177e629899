//! What of a list is there already.

use std::hash::Hash;

use rustc_hash::FxHashSet;

/// So many are compared one by one, which is cheaper than hashing them.
const FEW: usize = 32;

/// What is in a list that grows: few are compared one by one, many are looked up.
#[derive(Debug)]
pub struct Seen<T>(FxHashSet<T>);

impl<T> Default for Seen<T> {
    fn default() -> Self {
        Seen(FxHashSet::default())
    }
}

impl<T: Clone + Eq + Hash> Seen<T> {
    /// Whether the next element of a list is none of those before it.
    pub fn is_new<'a>(&mut self, next: &T, mut before: impl ExactSizeIterator<Item = &'a T>) -> bool
    where
        T: 'a,
    {
        if before.len() < FEW {
            return !before.any(|before| before == next);
        }
        if self.0.is_empty() {
            self.0.extend(before.cloned());
        }
        self.0.insert(next.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_searched_like_short_ones() {
        let mut list: Vec<u32> = Vec::new();
        let mut seen = Seen::default();
        for next in (0..200).map(|number| number % 70) {
            assert_eq!(seen.is_new(&next, list.iter()), !list.contains(&next), "{next}");
            list.push(next);
        }
    }
}
