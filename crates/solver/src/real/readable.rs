//! Which numbers people like to see in a test.

use petrel_clp::{Comparison, Kind};

use super::{Real, ranks};

/// Numbers that come first, each before its opposite.
const FAVOURITES: [f64; 24] = [
    1.0, 2.0, 0.5, 3.0, 4.0, 5.0, 10.0, 1.5, 2.5, 0.25, 100.0, 6.0, 7.0, 8.0, 9.0, 20.0, 50.0,
    0.75, 0.1, 0.01, 1000.0, 10_000.0, 1e6, 1e9,
];

/// How many whole numbers from each end of an interval are among the first.
const WHOLE: u32 = 6;

/// How many digits behind the point a number may have to be tried.
const MOST_DIGITS: i32 = 15;

/// The ranks of readable numbers from an interval of ranks, the most readable first, each once.
pub(crate) fn readable(kind: Kind, (low, high): (i64, i64)) -> Vec<i64> {
    match kind {
        Kind::Float => readable_of::<f32>(low, high),
        _ => readable_of::<f64>(low, high),
    }
}

/// The ranks of numbers that a constant of the constraints suggests: itself and its neighbours, whether it is
/// an integer, or the rank of a `float` or `double`. Ranks of numbers that people write are large.
pub(crate) fn suggested(kind: Kind, constant: i64) -> Vec<i64> {
    let magnitude = constant.max(!constant);
    let rank = if magnitude < 1 << 24 {
        of_number(kind, constant as f64)
    } else if kind == Kind::Float && magnitude > f32::RANK_OF_NAN {
        of_number(kind, f64::of_rank(constant))
    } else if kind == Kind::Double && magnitude <= f32::RANK_OF_NAN {
        f64::from(f32::of_rank(constant)).rank()
    } else {
        constant
    };
    let mut all = vec![rank];
    all.extend(beside(kind, Comparison::Greater, rank).into_iter().take(1));
    all.extend(beside(kind, Comparison::Less, rank).into_iter().take(1));
    all
}

/// The ranks of a number rounded to fewer digits, the fewest first.
pub(crate) fn rounded(kind: Kind, rank: i64) -> Vec<i64> {
    let number = if kind == Kind::Float { f32::of_rank(rank).to_f64() } else { f64::of_rank(rank) };
    let scales = (-3..=MOST_DIGITS).map(|digits| 10f64.powi(digits));
    let mut all: Vec<i64> =
        scales.map(|scale| of_number(kind, (number * scale).round() / scale)).collect();
    all.dedup();
    all
}

/// The rank of the number of a kind that is closest to another.
fn of_number(kind: Kind, number: f64) -> i64 {
    match kind {
        Kind::Float => f32::of_f64(number).rank(),
        _ => number.rank(),
    }
}

/// The ranks of some numbers that compare so with another one: readable ones, and the next one. There are none
/// for NaN.
pub(crate) fn beside(kind: Kind, comparison: Comparison, rank: i64) -> Vec<i64> {
    let Some((first, nan)) = ranks(kind) else { return Vec::new() };
    if rank >= nan {
        return Vec::new();
    }
    // The zeros are equal.
    let (low, high) = match comparison {
        Comparison::Less => (first, if rank == 0 { -2 } else { rank - 1 }),
        Comparison::Greater => (if rank == -1 { 1 } else { rank + 1 }, nan - 1),
        _ => return vec![rank],
    };
    if low > high {
        return Vec::new();
    }
    let number = if kind == Kind::Float { f32::of_rank(rank).to_f64() } else { f64::of_rank(rank) };
    let direction = if comparison == Comparison::Less { -1.0 } else { 1.0 };
    let next = if comparison == Comparison::Less { high } else { low };
    let mut found = Vec::new();
    for step in [1.0, 0.5, 10.0, 100.0] {
        let guess = of_number(kind, number + direction * step);
        if (low..=high).contains(&guess) && !found.contains(&guess) {
            found.push(guess);
        }
    }
    if !found.contains(&next) {
        found.push(next);
    }
    found
}

fn readable_of<R: Real>(low: i64, high: i64) -> Vec<i64> {
    let mut found = Found { low, high, ranks: Vec::new() };
    found.add(0);
    for favourite in FAVOURITES {
        let rank = R::of_f64(favourite).rank();
        found.add(rank);
        found.add(!rank);
    }
    let numbers = (low.max(R::FIRST_RANK + 1), high.min(R::RANK_OF_INFINITY - 1));
    if numbers.0 <= numbers.1 {
        let (least, most) = (R::of_rank(numbers.0).to_f64(), R::of_rank(numbers.1).to_f64());
        found.shortest::<R>(least, most);
        for step in 0..WHOLE {
            found.add(R::of_f64(least.ceil() + f64::from(step)).rank());
            found.add(R::of_f64(most.floor() - f64::from(step)).rank());
        }
        let middle = least / 2.0 + most / 2.0;
        found.add(R::of_f64(middle.round()).rank());
        found.add(R::of_f64(middle).rank());
    }
    found.add(-1);
    found.add(R::RANK_OF_INFINITY);
    found.add(R::FIRST_RANK);
    found.add(R::RANK_OF_NAN);
    found.add(low);
    found.add(high);
    found.ranks
}

/// Ranks of an interval.
struct Found {
    low: i64,
    high: i64,
    ranks: Vec<i64>,
}

impl Found {
    fn add(&mut self, rank: i64) {
        if (self.low..=self.high).contains(&rank) && !self.ranks.contains(&rank) {
            self.ranks.push(rank);
        }
    }

    /// Adds the numbers next to the ends with the fewest digits behind the point, and those with some more.
    fn shortest<R: Real>(&mut self, least: f64, most: f64) {
        let before = self.ranks.len();
        for digits in 0..=MOST_DIGITS {
            let scale = 10f64.powi(digits);
            self.add(R::of_f64((least * scale).ceil() / scale).rank());
            self.add(R::of_f64((most * scale).floor() / scale).rank());
            if self.ranks.len() >= before + 4 {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests;
