//! Resource policies ("Resource-driven CLP-based test case generation", section 3.2): which cases are of
//! interest because of what they cost.
//!
//! A condition on the cost of a case (`memory > 48`) is one more constraint on its inputs where the cost
//! depends on them. A ranking (`worst-case instructions`, `top 3 memory`) compares the cases with one
//! another; conditions are looked at first.

use std::fmt;
use std::str::FromStr;

use petrel_clp::Comparison;

/// What the costs of cases have to be like. Models are named as `--cost` names them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policy {
    /// All of them hold.
    pub conditions: Vec<CostCondition>,
    /// Only the most expensive cases.
    pub ranking: Option<Ranking>,
}

/// A condition on a cost: `memory > 48`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CostCondition {
    /// The model.
    pub model: String,
    /// How its cost compares with the bound.
    pub comparison: Comparison,
    /// The bound.
    pub bound: i64,
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
    /// The cost beyond which no case is of interest, however the path goes on.
    pub fn most(&self) -> Option<i64> {
        match self.comparison {
            Comparison::Less => Some(self.bound.saturating_sub(1)),
            Comparison::LessOrEqual | Comparison::Equal => Some(self.bound),
            _ => None,
        }
    }
}

impl CostCondition {
    /// The cost below which no case is of interest.
    pub fn least(&self) -> Option<i64> {
        match self.comparison {
            Comparison::Greater => Some(self.bound.saturating_add(1)),
            Comparison::GreaterOrEqual | Comparison::Equal => Some(self.bound),
            _ => None,
        }
    }
}

impl Policy {
    /// The names of the models that it speaks of.
    pub fn models(&self) -> impl Iterator<Item = &str> {
        let ranked = self.ranking.iter().map(|ranking| &*ranking.model);
        self.conditions.iter().map(|condition| &*condition.model).chain(ranked)
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

/// Reads `memory > 48 and calls:realloc >= 1`, `worst-case instructions`, `top 3 memory`.
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
    let found = COMPARISONS.iter().find_map(|(symbol, comparison)| {
        text.split_once(symbol).map(|(model, bound)| (model.trim(), *comparison, bound.trim()))
    });
    let Some((model, comparison, bound)) = found else {
        return Err(format!(
            "{text:?} is no policy: there are conditions such as `memory > 48`, `worst-case M` and `top N M`"
        ));
    };
    if model.is_empty() || model.contains(char::is_whitespace) {
        return Err(format!("{text:?}: one cost model stands on the left"));
    }
    let bound = bound.parse().map_err(|_| format!("{text:?}: {bound:?} is no number"))?;
    let condition = CostCondition { model: model.to_owned(), comparison, bound };
    Ok(Policy { conditions: vec![condition], ranking: None })
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
        let symbol = COMPARISONS.iter().find(|(_, comparison)| *comparison == self.comparison);
        write!(f, "{} {} {}", self.model, symbol.map_or("?", |(symbol, _)| symbol), self.bound)
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
        ] {
            assert_eq!(text.parse::<Policy>().expect(text).to_string(), text);
        }
        assert_eq!("memory>48".parse::<Policy>().expect("spaces").to_string(), "memory > 48");
    }

    #[test]
    fn what_is_no_policy_is_refused() {
        for (text, message) in [
            ("memory", "is no policy"),
            ("memory > lots", "is no number"),
            ("top 0 memory", "how many"),
            ("top x memory", "how many"),
            ("a b > 4", "one cost model"),
            ("> 4", "one cost model"),
            ("worst-case a and worst-case b", "by one cost only"),
        ] {
            let error = text.parse::<Policy>().expect_err(text);
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn only_upper_bounds_end_a_path_early() {
        let most = |text: &str| text.parse::<Policy>().expect(text).conditions[0].most();
        assert_eq!(most("memory < 48"), Some(47));
        assert_eq!(most("memory <= 48"), Some(48));
        assert_eq!(most("memory == 48"), Some(48));
        assert_eq!(most("memory > 48"), None);
        assert_eq!(most("memory != 48"), None);
    }
}
