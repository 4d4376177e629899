//! How costs that depend on the input compare with those that do not ("Resource-driven CLP-based Test Case
//! Generation", Ex. 5).

use std::collections::BTreeMap;

use petrel_clp::Comparison;

use crate::case::CaseCost;
use crate::policy::LinearCondition;

/// A cost `constant + factor*x`: these, and the text of `x`.
pub type Line = (i64, i64, String);

/// Costs of paths under one model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parametric {
    /// The largest cost that depends on no input.
    pub largest: Option<i64>,
    /// Costs that depend on one, with the smallest and the largest value that it has on paths that cost so.
    pub linear: BTreeMap<Line, (i64, i64)>,
}

/// A cost that depends on the input and may be the largest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exceeding {
    /// The cost: `12 + 4*icap`.
    pub expression: String,
    /// When it is the largest, unless it always is: `icap > 9`.
    pub condition: Option<String>,
}

impl Parametric {
    /// Notes the cost of a path.
    pub(crate) fn note(&mut self, cost: &CaseCost) {
        match (&cost.expression, &cost.linear) {
            (None, _) => self.largest = self.largest.max(Some(cost.value)),
            (Some(_), Some((constant, linear))) => {
                let line = (*constant, linear.factor, linear.of.clone());
                self.note_line(line, linear.range);
            }
            (Some(_), None) => {}
        }
    }

    fn note_line(&mut self, line: Line, range: (i64, i64)) {
        let known = self.linear.entry(line).or_insert(range);
        *known = (known.0.min(range.0), known.1.max(range.1));
    }

    pub(crate) fn add(&mut self, other: &Parametric) {
        self.largest = self.largest.max(other.largest);
        for (line, range) in &other.linear {
            self.note_line(line.clone(), *range);
        }
    }

    /// When costs that depend on the input are larger than all others. What all paths demand that cost so is no condition, and
    /// a cost that never is the largest is left out.
    pub fn exceeds(&self) -> Vec<Exceeding> {
        let Some(largest) = self.largest else { return Vec::new() };
        let positive = self.linear.iter().filter(|((_, factor, _), _)| *factor > 0);
        let exceeding = positive.filter_map(|((constant, factor, of), &(low, high))| {
            // It exceeds the others from the value behind this one on.
            let bound = largest.saturating_sub(*constant).div_euclid(*factor);
            if high <= bound {
                return None;
            }
            let product = if *factor == 1 { of.clone() } else { format!("{factor}*{of}") };
            let expression = match constant {
                0 => product,
                constant => format!("{constant} + {product}"),
            };
            let one = |comparison, bound| {
                LinearCondition::new(vec![(1, of.clone())], comparison, bound).to_string()
            };
            let condition = match low > bound {
                true => None,
                false if high == bound + 1 => Some(one(Comparison::Equal, high)),
                false => Some(one(Comparison::Greater, bound)),
            };
            Some(Exceeding { expression, condition })
        });
        exceeding.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conditions(largest: i64, low: i64, high: i64) -> Vec<Option<String>> {
        let linear = BTreeMap::from([((12, 4, "icap".to_owned()), (low, high))]);
        let parametric = Parametric { largest: Some(largest), linear };
        parametric.exceeds().into_iter().map(|exceeding| exceeding.condition).collect()
    }

    #[test]
    fn what_the_paths_demand_anyway_is_no_condition() {
        let most = i64::from(i32::MAX);
        assert_eq!(conditions(48, 1, most), [Some("icap > 9".to_owned())]);
        assert_eq!(conditions(48, 9, most), [Some("icap > 9".to_owned())]);
        assert_eq!(conditions(48, 10, most), [None]);
        assert_eq!(conditions(-92, 1, most), [None]);
    }

    #[test]
    fn what_no_path_allows_is_left_out() {
        assert_eq!(conditions(48, 1, 9), []);
        assert_eq!(conditions(48, 1, 10), [Some("icap == 10".to_owned())]);
        assert_eq!(conditions(48, 10, 10), [None]);
    }
}
