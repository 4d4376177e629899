//! Residual generators: what a generation leaves, so that a larger bound goes on from there.
//!
//! "Test Data Generation of Bytecode by CLP Partial Evaluation", section 6.2: the resultants of finished derivations
//! are test cases, those of unfinished ones lead to further test cases. Here the second are the decisions that lead to the
//! end of each derivation, with inputs that take them. What is known of the rest of the tree is kept with them, so that
//! the account of both parts together is that of one generation with the larger bound.

use petrel_engine::{Limit, Prefix};

use crate::case::{Incomplete, Summary, Unfinished};

/// What a generation leaves.
#[derive(Debug, Clone, Default)]
pub struct Residual {
    /// What is known of the finished part of the tree.
    pub finished: Summary,
    /// The derivations that can be gone on with, in the order of the tree.
    pub unfinished: Vec<Unfinished>,
}

impl Residual {
    /// The residual of a generation that looked at a whole tree, or went on with a residual.
    pub fn new(mut summary: Summary) -> Residual {
        summary.ends.cut = 0;
        summary.ends.limits.remove(&Limit::Time);
        summary.ends.limits.remove(&Limit::Interrupt);
        let is_for_good = |why: Incomplete| !matches!(why, Incomplete::Cut | Incomplete::Time);
        summary.cuts.retain(|cut| is_for_good(cut.why));
        summary.left_rules.retain(|&(why, _)| is_for_good(why));
        let unfinished = std::mem::take(&mut summary.unfinished);
        Residual { finished: summary, unfinished }
    }

    /// The parts of the tree that are left.
    pub fn parts(&self) -> impl Iterator<Item = Prefix> {
        self.unfinished.iter().map(|unfinished| unfinished.prefix.clone())
    }

    /// What is known when its parts of the tree have been looked at, too.
    pub fn and(&self, mut rest: Summary) -> Summary {
        rest.add(&self.finished);
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Cut;

    #[test]
    fn what_can_be_gone_on_with_does_not_count_twice() {
        let mut summary = Summary::default();
        summary.ends.cut = 3;
        summary.ends.returned = 2;
        summary.steps = 10;
        summary.ends.limits.insert(Limit::Time, 1);
        summary.ends.limits.insert(Limit::Choices(5), 4);
        for why in [Incomplete::Cut, Incomplete::Time, Incomplete::Limit, Incomplete::Unsupported] {
            summary.cuts.insert(Cut { why, pc: 7, in_callee: true });
        }
        let residual = Residual::new(summary);
        assert_eq!(residual.finished.ends.cut, 0);
        assert_eq!(residual.finished.ends.limits.len(), 1);
        assert_eq!(residual.finished.cuts.len(), 2);
        let mut rest = Summary::default();
        rest.ends.cut = 1;
        rest.steps = 5;
        let whole = residual.and(rest);
        assert_eq!((whole.ends.cut, whole.ends.returned, whole.steps), (1, 2, 15));
        assert!(whole.unfinished.is_empty());
    }
}
