//! What a condition compares: sums of costs, of inputs, and of numbers (`10 * memory + 8`).

use std::fmt;

use petrel_clp::Comparison;

/// Larger numbers are refused, so that sums of products stay numbers.
const GREATEST: i64 = i32::MAX as i64;

/// A sum of costs and inputs, each with a factor, and of a number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sum {
    /// The number.
    pub constant: i64,
    /// Costs and inputs by their names, each once, in the order of the text.
    pub terms: Vec<(i64, String)>,
}

impl Sum {
    /// Reads `memory`, `10 * memory + 8`, `20*icap - ns.length`. An error says what is wrong with the text.
    pub(super) fn parse(text: &str) -> Result<Sum, String> {
        let spaced = text.replace('*', " * ").replace('+', " + ");
        let mut words = spaced.split_whitespace().peekable();
        let mut sum = Sum::default();
        let mut sign = 1;
        loop {
            let word = words.next().ok_or_else(|| format!("{text:?}: something is missing"))?;
            let factor_follows = words.next_if_eq(&"*").is_some();
            match (number(word), factor_follows) {
                (Some(factor), true) => {
                    let name = words.next().filter(|name| is_name(name)).ok_or_else(|| {
                        format!("{text:?}: a cost model or a parameter stands behind `{word} *`")
                    })?;
                    sum.add(sign * checked(factor)?, name);
                }
                (Some(constant), false) => sum.constant += sign * checked(constant)?,
                (None, _) if !is_name(word) => {
                    return Err(format!("{text:?}: `{word}` is no number and no name"));
                }
                (None, true) => {
                    let factor = words
                        .next()
                        .and_then(number)
                        .ok_or_else(|| format!("{text:?}: a number stands behind `{word} *`"))?;
                    sum.add(sign * checked(factor)?, word);
                }
                (None, false) => sum.add(sign, word),
            }
            sign = match words.next() {
                None => return Ok(sum),
                Some("+") => 1,
                Some("-") => -1,
                Some(other) => {
                    return Err(format!("{text:?}: `{other}` is neither `+`, `-` nor `*`"));
                }
            };
        }
    }

    fn add(&mut self, factor: i64, name: &str) {
        match self.terms.iter_mut().find(|(_, known)| known == name) {
            Some((known, _)) => *known += factor,
            None => self.terms.push((factor, name.to_owned())),
        }
    }

    /// This sum without another one.
    pub(super) fn minus(&self, other: &Sum) -> Sum {
        let mut difference = self.clone();
        difference.constant -= other.constant;
        other.terms.iter().for_each(|(factor, name)| difference.add(-factor, name));
        difference.terms.retain(|(factor, _)| *factor != 0);
        difference
    }
}

/// A number, if it is one, however large.
fn number(word: &str) -> Option<Result<i64, String>> {
    let digits = word.strip_prefix('-').unwrap_or(word);
    let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
    is_number.then(|| word.parse().map_err(|_| too_large(word)))
}

fn checked(number: Result<i64, String>) -> Result<i64, String> {
    let number = number?;
    let is_small = (-GREATEST..=GREATEST).contains(&number);
    if is_small { Ok(number) } else { Err(too_large(&number.to_string())) }
}

fn too_large(number: &str) -> String {
    format!("numbers in policies are at most {GREATEST}, and {number} is not")
}

/// Whether a word may be the name of a model or parameter, which no operator is.
fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$' | '/' | '.'))
}

/// Displays as it is read.
impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let products = self.terms.iter().map(|(factor, name)| match factor {
            1 | -1 => (*factor, name.clone()),
            factor => (*factor, format!("{} * {name}", factor.abs())),
        });
        let constant = (self.constant != 0 || self.terms.is_empty())
            .then(|| (self.constant, self.constant.abs().to_string()));
        write_sum(f, products.chain(constant))
    }
}

/// Summands by their signs.
fn write_sum(
    f: &mut impl fmt::Write,
    summands: impl Iterator<Item = (i64, String)>,
) -> fmt::Result {
    for (number, (sign, text)) in summands.enumerate() {
        let operator = match (number, sign < 0) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        write!(f, "{operator}{text}")?;
    }
    Ok(())
}

/// `sum(factor * x) CMP bound` of whole numbers, as simply as can be said: without a common factor, and the first factor positive
/// (`-4*icap < -36` is `icap > 9`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LinearCondition {
    terms: Vec<(i64, String)>,
    comparison: Comparison,
    bound: i64,
}

impl LinearCondition {
    pub(crate) fn new(
        mut terms: Vec<(i64, String)>,
        comparison: Comparison,
        bound: i64,
    ) -> LinearCondition {
        let sign = if terms.first().is_some_and(|(factor, _)| *factor < 0) { -1 } else { 1 };
        let comparison = if sign < 0 { comparison.mirrored() } else { comparison };
        let factors = terms.iter().map(|(factor, _)| factor.unsigned_abs());
        let divisor = i64::try_from(factors.fold(0, gcd).max(1)).unwrap_or(1);
        let bound = bound.saturating_mul(sign);
        // With equations, what is no multiple holds never or always: then nothing is divided.
        let is_exact = bound % divisor == 0;
        let is_equation = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        let divisor = if is_equation && !is_exact { 1 } else { divisor };
        let bound = match comparison {
            Comparison::GreaterOrEqual | Comparison::Less => {
                bound.div_euclid(divisor) + i64::from(!is_exact)
            }
            _ => bound.div_euclid(divisor),
        };
        terms.iter_mut().for_each(|(factor, _)| *factor = *factor * sign / divisor);
        LinearCondition { terms, comparison, bound }
    }

    /// Adds a condition to others that hold, too. One that follows from another is left out.
    pub(crate) fn add_to(self, others: &mut Vec<LinearCondition>) {
        if others.iter().any(|other| other.implies(&self)) {
            return;
        }
        others.retain(|other| !self.implies(other));
        others.push(self);
    }

    /// Whether another condition on the same sum follows from it.
    fn implies(&self, other: &LinearCondition) -> bool {
        let ((low, high), (other_low, other_high)) = (self.bounds(), other.bounds());
        self == other
            || (self.terms == other.terms
                && [self.comparison, other.comparison].iter().all(|of| *of != Comparison::NotEqual)
                && low >= other_low
                && high <= other_high)
    }

    /// The smallest and the largest sum that satisfies it.
    fn bounds(&self) -> (i64, i64) {
        match self.comparison {
            Comparison::Equal => (self.bound, self.bound),
            Comparison::NotEqual => (i64::MIN, i64::MAX),
            Comparison::Less => (i64::MIN, self.bound.saturating_sub(1)),
            Comparison::LessOrEqual => (i64::MIN, self.bound),
            Comparison::Greater => (self.bound.saturating_add(1), i64::MAX),
            Comparison::GreaterOrEqual => (self.bound, i64::MAX),
        }
    }
}

/// Displays without signs where it can: `ns.length > 2*icap + 9`.
impl fmt::Display for LinearCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let product = |(factor, of): &(i64, String)| match factor.abs() {
            1 => (1, of.clone()),
            factor => (1, format!("{factor}*{of}")),
        };
        let (left, right): (Vec<_>, Vec<_>) =
            self.terms.iter().partition(|(factor, _)| *factor > 0);
        let number = (self.bound != 0 || right.is_empty())
            .then(|| (self.bound, self.bound.saturating_abs().to_string()));
        write_sum(f, left.into_iter().map(product))?;
        write!(f, " {} ", super::symbol(self.comparison))?;
        write_sum(f, right.into_iter().map(product).chain(number))
    }
}

fn gcd(left: u64, right: u64) -> u64 {
    if right == 0 { left } else { gcd(right, left % right) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_read_back_as_they_are_written() {
        for text in ["memory", "10 * memory", "20 * icap - 2 * ns.length + 8", "-3", "0", "-a + b"]
        {
            let parsed = match text {
                // A name has no sign of its own.
                "-a + b" => Sum { constant: 0, terms: vec![(-1, "a".into()), (1, "b".into())] },
                text => Sum::parse(text).expect(text),
            };
            assert_eq!(parsed.to_string(), text);
        }
        for (text, same) in [("memory*10", "10 * memory"), ("a+a", "2 * a"), ("3 + a - 1", "a + 2")]
        {
            assert_eq!(Sum::parse(text).expect(text).to_string(), same);
        }
    }

    #[test]
    fn what_is_no_sum_is_refused() {
        for text in ["", "3 *", "a b", "* 3", "a * b", "3 * 4", "a -", "99999999999", "a / 2"] {
            assert!(Sum::parse(text).is_err(), "{text}");
        }
    }

    /// Against all small numbers.
    #[test]
    fn conditions_mean_the_same_when_they_are_simple() {
        let holds = |left: i64, comparison: Comparison, right: i64| match comparison {
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::Less => left < right,
            Comparison::LessOrEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterOrEqual => left >= right,
        };
        for comparison in Comparison::ALL {
            for factor in [-4, -3, -1, 1, 2, 6] {
                for bound in -7..=7 {
                    let text = LinearCondition::new(vec![(factor, "x".into())], comparison, bound);
                    let text = text.to_string();
                    let words: Vec<&str> = text.split(' ').collect();
                    let (x, symbol, right) = (words[0], words[1], words[2]);
                    let own_factor = x.strip_suffix("*x").map_or(1, |f| f.parse().unwrap());
                    let own = super::super::COMPARISONS.iter().find(|(known, _)| *known == symbol);
                    for value in -20..=20 {
                        assert_eq!(
                            holds(own_factor * value, own.unwrap().1, right.parse().unwrap()),
                            holds(factor * value, comparison, bound),
                            "{factor}*x {comparison:?} {bound}: {text} at {value}"
                        );
                    }
                }
            }
        }
        let two = vec![(4, "n".to_owned()), (-8, "m".to_owned())];
        let text =
            |bound| LinearCondition::new(two.clone(), Comparison::Greater, bound).to_string();
        assert_eq!((text(36), text(0)), ("n > 2*m + 9".to_owned(), "n > 2*m".to_owned()));
    }

    #[test]
    fn what_follows_from_another_condition_is_left_out() {
        let x = |comparison, bound| LinearCondition::new(vec![(2, "x".into())], comparison, bound);
        let mut all = Vec::new();
        for (comparison, bound) in [
            (Comparison::LessOrEqual, 16),
            (Comparison::Less, 14),
            (Comparison::Less, 15),
            (Comparison::Greater, 2),
            (Comparison::GreaterOrEqual, 0),
            (Comparison::NotEqual, 8),
        ] {
            x(comparison, bound).add_to(&mut all);
        }
        let texts: Vec<String> = all.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["x < 7", "x > 1", "x != 4"]);
    }
}
