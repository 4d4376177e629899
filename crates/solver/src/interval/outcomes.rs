//! Comparisons as sets of outcomes.

use petrel_clp::Comparison;

use crate::evaluate::compares;

/// How two numbers may compare: the first is below, equal to or above the second, as a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Outcomes(u8);

impl Outcomes {
    pub(crate) const NONE: Outcomes = Outcomes(0);
    pub(crate) const ALL: Outcomes = Outcomes(0b111);
    const BELOW: u8 = 0b001;
    const EQUAL: u8 = 0b010;
    const ABOVE: u8 = 0b100;

    /// Those of -1 (below), 0 (equal) and 1 (above) that are wanted.
    #[inline]
    pub(crate) fn of_signs(is_wanted: impl Fn(i64) -> bool) -> Outcomes {
        Outcomes(
            u8::from(is_wanted(-1)) | u8::from(is_wanted(0)) << 1 | u8::from(is_wanted(1)) << 2,
        )
    }

    /// Those in which numbers compare so.
    #[inline]
    pub(crate) fn of(comparison: Comparison) -> Outcomes {
        Outcomes::of_signs(|sign| compares(comparison, sign, 0))
    }

    /// The comparison with these outcomes, unless they are all or none.
    #[inline]
    pub(crate) fn comparison(self) -> Option<Comparison> {
        const BELOW_OR_EQUAL: u8 = Outcomes::BELOW | Outcomes::EQUAL;
        const ABOVE_OR_EQUAL: u8 = Outcomes::ABOVE | Outcomes::EQUAL;
        const DIFFERENT: u8 = Outcomes::BELOW | Outcomes::ABOVE;
        Some(match self.0 {
            Outcomes::BELOW => Comparison::Less,
            Outcomes::EQUAL => Comparison::Equal,
            Outcomes::ABOVE => Comparison::Greater,
            BELOW_OR_EQUAL => Comparison::LessOrEqual,
            ABOVE_OR_EQUAL => Comparison::GreaterOrEqual,
            DIFFERENT => Comparison::NotEqual,
            _ => return None,
        })
    }

    /// Those in both.
    #[inline]
    pub(crate) fn intersect(self, other: Outcomes) -> Outcomes {
        Outcomes(self.0 & other.0)
    }
}
