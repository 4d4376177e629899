//! Resource policies ("Resource-driven CLP-based test case generation", section 3.2): which cases are of
//! interest because of what they cost.
//!
//! A condition on the cost of a case (`memory > 48`) is one more constraint on its inputs where the cost
//! depends on them. A ranking (`worst-case instructions`, `top 3 memory`) compares the cases with one
//! another; conditions are looked at first.

mod sum;

use std::fmt;
use std::str::FromStr;

use petrel_clp::Comparison;

pub(crate) use sum::LinearCondition;
pub use sum::Sum;

/// What the costs of cases have to be like. Models are named as `--cost` names them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policy {
    /// All of them hold.
    pub conditions: Vec<CostCondition>,
    /// Only the most expensive cases.
    pub ranking: Option<Ranking>,
}

/// A condition on costs: `memory > 48`, `instructions > 10 * memory`, `instructions > 20 * icap`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CostCondition {
    /// What is compared.
    pub left: Sum,
    /// How.
    pub comparison: Comparison,
    /// What it is compared with.
    pub right: Sum,
}

/// The most expensive cases, the first found where they are equally expensive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranking {
    /// How many; `None` for all of them in this order.
    pub count: Option<usize>,
    /// The model.
    pub model: String,
}

impl CostCondition {
    /// `left - right`, which the comparison compares with 0.
    pub fn difference(&self) -> Sum {
        self.left.minus(&self.right)
    }

    /// The model, the comparison and the bound, if it compares one cost with a number.
    fn of_one_model(&self) -> Option<(String, Comparison, i64)> {
        let Sum { constant, terms } = self.difference();
        let [(factor, name)] = terms.as_slice() else { return None };
        let comparison = if *factor < 0 { self.comparison.mirrored() } else { self.comparison };
        let (factor, bound) = (factor.abs(), constant.saturating_neg() * factor.signum());
        let is_exact = bound % factor == 0;
        let bound = match comparison {
            Comparison::GreaterOrEqual | Comparison::Less => {
                bound.div_euclid(factor) + i64::from(!is_exact)
            }
            // One that never holds has no bounds, and each path is asked.
            Comparison::Equal | Comparison::NotEqual if !is_exact => return None,
            _ => bound.div_euclid(factor),
        };
        Some((name.clone(), comparison, bound))
    }

    /// The cost beyond which no case is of interest, however the path goes on, with its name.
    pub fn most(&self) -> Option<(String, i64)> {
        let (name, comparison, bound) = self.of_one_model()?;
        match comparison {
            Comparison::Less => Some((name, bound.saturating_sub(1))),
            Comparison::LessOrEqual | Comparison::Equal => Some((name, bound)),
            _ => None,
        }
    }

    /// The cost below which no case is of interest, with its name.
    pub fn least(&self) -> Option<(String, i64)> {
        let (name, comparison, bound) = self.of_one_model()?;
        match comparison {
            Comparison::Greater => Some((name, bound.saturating_add(1))),
            Comparison::GreaterOrEqual | Comparison::Equal => Some((name, bound)),
            _ => None,
        }
    }

    /// Whether it may hold of costs that are so large at most, and may be anything from 0 on; `None` stands for no bound, as that of an
    /// input.
    pub fn may_hold(&self, most: impl Fn(&str) -> Option<i64>) -> bool {
        let Sum { constant, terms } = self.difference();
        // Of the positive and of the negative summands.
        let mut bounds = (Some(i128::from(constant)), Some(i128::from(constant)));
        for (factor, name) in &terms {
            let of_term = most(name).map(|most| i128::from(most) * i128::from(*factor));
            let is_cost = of_term.is_some();
            let add = |bound: Option<i128>| bound.zip(of_term).map(|(sum, more)| sum + more);
            if *factor < 0 || !is_cost {
                bounds.0 = add(bounds.0);
            }
            if *factor > 0 || !is_cost {
                bounds.1 = add(bounds.1);
            }
        }
        let (low, high) = bounds;
        let above = |least: i128| high.is_none_or(|high| high >= least);
        let below = |most: i128| low.is_none_or(|low| low <= most);
        match self.comparison {
            Comparison::Greater => above(1),
            Comparison::GreaterOrEqual => above(0),
            Comparison::Less => below(-1),
            Comparison::LessOrEqual => below(0),
            Comparison::Equal => above(0) && below(0),
            Comparison::NotEqual => above(1) || below(-1),
        }
    }
}

impl Policy {
    /// The names that its conditions speak of: models and parameters.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let sums = self.conditions.iter().flat_map(|condition| [&condition.left, &condition.right]);
        sums.flat_map(|sum| &sum.terms).map(|(_, name)| &**name)
    }

    /// Whether it leaves nothing out.
    pub fn is_everything(&self) -> bool {
        self.conditions.is_empty()
            && self.ranking.as_ref().is_none_or(|ranking| ranking.count.is_none())
    }

    /// Both policies at once.
    ///
    /// # Errors
    ///
    /// If both rank the cases.
    pub fn and(mut self, other: Policy) -> Result<Policy, String> {
        if self.ranking.is_some() && other.ranking.is_some() {
            return Err("cases can be ranked by one cost only".to_owned());
        }
        self.conditions.extend(other.conditions);
        self.ranking = self.ranking.or(other.ranking);
        Ok(self)
    }
}

const COMPARISONS: [(&str, Comparison); 7] = [
    (">=", Comparison::GreaterOrEqual),
    ("<=", Comparison::LessOrEqual),
    ("==", Comparison::Equal),
    ("!=", Comparison::NotEqual),
    (">", Comparison::Greater),
    ("<", Comparison::Less),
    ("=", Comparison::Equal),
];

/// Reads `memory > 48 and calls:realloc >= 1`, `instructions > 20 * icap`, `worst-case instructions`, `top 3 memory`.
impl FromStr for Policy {
    type Err = String;

    fn from_str(text: &str) -> Result<Policy, String> {
        let mut policy = Policy::default();
        for part in text.split(" and ") {
            policy = policy.and(one(part.trim())?)?;
        }
        Ok(policy)
    }
}

fn one(text: &str) -> Result<Policy, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let ranking = |count, model: &str| {
        Ok(Policy {
            ranking: Some(Ranking { count: Some(count), model: model.to_owned() }),
            ..Policy::default()
        })
    };
    match words.as_slice() {
        ["worst-case", model] => return ranking(1, model),
        ["top", count, model] => {
            let count = count.parse().ok().filter(|&count| count > 0);
            let count = count.ok_or_else(|| format!("{text:?}: how many of them?"))?;
            return ranking(count, model);
        }
        _ => {}
    }
    let Some((left, comparison, right)) = split(text) else {
        return Err(format!(
            "{text:?} is no policy: there are conditions such as `memory > 48` and `instructions > 10 * memory`, `worst-case M` \
             and `top N M`"
        ));
    };
    let (left, right) = (Sum::parse(left)?, Sum::parse(right)?);
    if left.terms.is_empty() && right.terms.is_empty() {
        return Err(format!("{text:?} is no policy: no cost is compared"));
    }
    let condition = CostCondition { left, comparison, right };
    Ok(Policy { conditions: vec![condition], ranking: None })
}

/// What is left and right of a comparison. One with spaces around it counts before others, which may be part of a name
/// (`calls:Vector#<init> > 3`).
fn split(text: &str) -> Option<(&str, Comparison, &str)> {
    let with = |symbol: &str| text.find(symbol).map(|at| (at, symbol.len()));
    let spaced = COMPARISONS.iter().find_map(|(symbol, comparison)| {
        with(&format!(" {symbol} ")).map(|found| (found, *comparison))
    });
    let any = || {
        COMPARISONS
            .iter()
            .find_map(|(symbol, comparison)| with(symbol).map(|found| (found, *comparison)))
    };
    let ((at, length), comparison) = spaced.or_else(any)?;
    Some((&text[..at], comparison, &text[at + length..]))
}

/// How a comparison is written.
pub(crate) fn symbol(comparison: Comparison) -> &'static str {
    COMPARISONS.iter().find(|(_, known)| *known == comparison).map_or("?", |(symbol, _)| symbol)
}

/// Displays as it is read.
impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let conditions = self.conditions.iter().map(ToString::to_string);
        let ranking = self.ranking.iter().map(ToString::to_string);
        f.write_str(&conditions.chain(ranking).collect::<Vec<_>>().join(" and "))
    }
}

impl fmt::Display for CostCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.left, symbol(self.comparison), self.right)
    }
}

impl fmt::Display for Ranking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count {
            Some(1) => write!(f, "worst-case {}", self.model),
            Some(count) => write!(f, "top {count} {}", self.model),
            None => write!(f, "by {}", self.model),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_read_back_as_they_are_written() {
        for text in [
            "memory > 48",
            "memory:hotspot <= 1024 and calls:Vector#realloc == 2",
            "worst-case instructions",
            "top 3 memory",
            "instructions != 7 and top 2 calls",
            "instructions > 10 * memory",
            "instructions >= 20 * icap - 3 and 2 * memory < 48",
            "calls:Vector#<init> > 3",
            "memory:ref=8 > 48",
            "my-energy <= calls@method",
        ] {
            assert_eq!(text.parse::<Policy>().expect(text).to_string(), text);
        }
        assert_eq!("memory>48".parse::<Policy>().expect("spaces").to_string(), "memory > 48");
    }

    #[test]
    fn what_is_no_policy_is_refused() {
        for (text, message) in [
            ("memory", "is no policy"),
            ("memory >", "something is missing"),
            ("memory > 4 *", "stands behind `4 *`"),
            ("1 > 0", "no cost is compared"),
            ("memory > 4 calls", "`calls` is neither"),
            ("top 0 memory", "how many"),
            ("top x memory", "how many"),
            ("a b > 4", "`b` is neither"),
            ("> 4", "something is missing"),
            ("worst-case a and worst-case b", "by one cost only"),
        ] {
            let error = text.parse::<Policy>().expect_err(text);
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn only_upper_bounds_end_a_path_early() {
        let most = |text: &str| {
            let most = text.parse::<Policy>().expect(text).conditions[0].most();
            most.map(|(name, most)| {
                assert_eq!(name, "memory");
                most
            })
        };
        for (text, expected) in [
            ("memory < 48", Some(47)),
            ("memory <= 48", Some(48)),
            ("memory == 48", Some(48)),
            ("48 >= memory", Some(48)),
            ("2 * memory < 97", Some(48)),
            ("2 * memory <= 97", Some(48)),
            ("2 * memory < 96", Some(47)),
            ("2 * memory == 97", None),
            ("memory > 48", None),
            ("memory != 48", None),
            ("memory < icap", None),
            ("memory < 10 * calls", None),
        ] {
            assert_eq!(most(text), expected, "{text}");
        }
    }

    /// Against all small costs and inputs.
    #[test]
    fn a_condition_may_hold_if_it_holds_of_some_costs() {
        let holds = |condition: &CostCondition, value: &dyn Fn(&str) -> i64| {
            let of = |sum: &Sum| {
                let terms = sum.terms.iter().map(|(factor, name)| factor * value(name));
                sum.constant + terms.sum::<i64>()
            };
            let (left, right) = (of(&condition.left), of(&condition.right));
            match condition.comparison {
                Comparison::Equal => left == right,
                Comparison::NotEqual => left != right,
                Comparison::Less => left < right,
                Comparison::LessOrEqual => left <= right,
                Comparison::Greater => left > right,
                Comparison::GreaterOrEqual => left >= right,
            }
        };
        for text in ["m > 3", "m > 2 * c", "2 * m - c <= -4", "c == m + 5", "m > 3 * x", "m != 0"] {
            let condition = text.parse::<Policy>().expect(text).conditions.remove(0);
            for (m, c) in [(0, 0), (3, 0), (4, 3), (1, 6), (0, 4)] {
                let value = |name: &str, (of_m, of_c, of_x)| match name {
                    "m" => of_m,
                    "c" => of_c,
                    _ => of_x,
                };
                let all = (0..=m).flat_map(|of_m| (0..=c).map(move |of_c| (of_m, of_c)));
                let mut all = all.flat_map(|(m, c)| (-9..=9).map(move |x| (m, c, x)));
                let some = all.any(|values| holds(&condition, &|name| value(name, values)));
                let may = condition.may_hold(|name| match name {
                    "m" => Some(m),
                    "c" => Some(c),
                    _ => None,
                });
                // What it says of whole intervals is exact for one comparison but `==`, whose sums may have gaps.
                assert!(may || !some, "{text} at {m}, {c}");
                assert!(some || !may || text.contains("=="), "{text} at {m}, {c}");
            }
        }
    }
}
