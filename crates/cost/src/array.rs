//! What a new array costs, as a function of its length.

/// The cost of a new array: `base + per_element * length`, rounded up to a multiple of `alignment`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ArrayCost {
    /// What an array costs however long it is.
    pub base: i64,
    /// What each of its elements costs.
    pub per_element: i64,
    /// What the sum is rounded up to; 1 leaves it as it is.
    pub alignment: i64,
}

impl ArrayCost {
    /// The cost of an array of this length.
    pub fn of_length(&self, length: i64) -> i64 {
        let sum = self.base.saturating_add(self.per_element.saturating_mul(length));
        align_up(sum, self.alignment)
    }
}

/// The next multiple of an alignment, or as far as numbers go.
pub(crate) fn align_up(size: i64, alignment: i64) -> i64 {
    match size.checked_rem(alignment) {
        None | Some(0) => size,
        Some(rest) => size.saturating_add(alignment - rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_rounded_up() {
        let ints = ArrayCost { base: 16, per_element: 4, alignment: 8 };
        let costs: Vec<_> = (0..5).map(|length| ints.of_length(length)).collect();
        assert_eq!(costs, [16, 24, 24, 32, 32]);
        let paper = ArrayCost { base: 0, per_element: 4, alignment: 1 };
        assert_eq!((paper.of_length(0), paper.of_length(3)), (0, 12));
    }

    #[test]
    fn long_arrays_do_not_overflow() {
        let dear = ArrayCost { base: i64::MAX, per_element: i64::MAX, alignment: 8 };
        assert_eq!(dear.of_length(i64::from(i32::MAX)), i64::MAX);
    }
}
