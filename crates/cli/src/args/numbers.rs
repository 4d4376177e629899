//! Numbers in options. What is wrong with one is said behind its name, which clap adds.

use petrel_testcase::Objects;

use std::num::NonZeroUsize;
use std::str::FromStr;
use std::time::Duration;

use super::generate::Budget;
use super::unprotected;

/// A number that is at least 1.
fn positive<T: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<T, String> {
    let number = whole::<T>(text)?;
    if number < T::from(1) { Err("it must be at least 1".to_owned()) } else { Ok(number) }
}

/// A number that is not negative.
fn whole<T: FromStr>(text: &str) -> Result<T, String> {
    let Ok(text) = unprotected(text);
    let digits = text.strip_prefix(['-', '+']).unwrap_or(&text);
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    match text.parse() {
        Ok(number) => Ok(number),
        Err(_) if !is_number => Err("it is no whole number".to_owned()),
        Err(_) if text.starts_with('-') => Err("it must not be negative".to_owned()),
        Err(_) => Err("it is too large".to_owned()),
    }
}

fn size(text: &str) -> Result<NonZeroUsize, String> {
    NonZeroUsize::new(whole(text)?).ok_or_else(|| "it must be at least 1".to_owned())
}

/// More threads than this are more likely a mistake than a machine.
const MOST_JOBS: usize = 1024;

pub(super) fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    match size(text)? {
        jobs if jobs.get() > MOST_JOBS => Err(format!("it must be at most {MOST_JOBS}")),
        jobs => Ok(jobs),
    }
}

pub(super) fn seed(text: &str) -> Result<u64, String> {
    whole(text)
}

/// Of a termination criterion, or of the choices on a path.
pub(super) fn bound(text: &str) -> Result<u32, String> {
    positive(text)
}

pub(super) fn steps(text: &str) -> Result<u64, String> {
    positive(text)
}

/// How many others there are to be.
pub(super) fn others(text: &str) -> Result<u32, String> {
    whole(text)
}

pub(super) fn length(text: &str) -> Result<u32, String> {
    whole(text)
}

pub(super) fn count(text: &str) -> Result<NonZeroUsize, String> {
    size(text)
}

pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let Ok(text) = unprotected(text);
    let seconds: f64 = text.parse().map_err(|_| "it is no number of seconds".to_owned())?;
    let duration = Duration::try_from_secs_f64(seconds).ok().filter(|duration| !duration.is_zero());
    duration.ok_or_else(|| "it must be a time above 0".to_owned())
}

pub(super) fn domain(text: &str) -> Result<(i64, i64), String> {
    let Ok(text) = unprotected(text);
    let (low, high) = text
        .split_once("..")
        .ok_or_else(|| "it must be two numbers with `..` between them".to_owned())?;
    let number = |text: &str| {
        text.parse::<i64>()
            .map_err(|_| format!("`{text}` is no whole number that fits into a long"))
    };
    let (low, high) = (number(low)?, number(high)?);
    if low > high {
        return Err(format!("{low} is above {high}: no number is between them"));
    }
    Ok((low, high))
}

/// Where objects come from.
pub(crate) fn objects(text: &str) -> Result<Objects, String> {
    const MOST_CALLS: u8 = 3;
    let calls = match text {
        "fields" => return Ok(Objects::Fields),
        "calls" => Some(0),
        _ => text.strip_prefix("calls:").and_then(|number| number.parse().ok()),
    };
    calls
        .filter(|&calls| calls <= MOST_CALLS)
        .map(Objects::Calls)
        .ok_or_else(|| format!("must be fields, calls, or calls:N with N up to {MOST_CALLS}"))
}

/// What may be spent on a method: thousands of units of work, or a time.
pub(crate) fn budget(text: &str) -> Result<Budget, String> {
    const MOST: u64 = 1_000_000_000;
    if let Some(number) = text.strip_suffix('s') {
        return seconds(number).map(Budget::Time);
    }
    match text.parse::<u64>() {
        Ok(thousands @ 1..=MOST) => Ok(Budget::Work(thousands * 1000)),
        _ => Err(format!("must be a number from 1 to {MOST}, or a time such as 2s")),
    }
}

/// Of a hundred.
pub(crate) fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches('%').parse::<f64>().ok();
    number
        .filter(|number| (0.0..=100.0).contains(number))
        .ok_or_else(|| "must be from 0 to 100".to_owned())
}
