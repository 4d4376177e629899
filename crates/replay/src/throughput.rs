//! How fast calls are, for the benchmarks.

use std::time::{Duration, Instant};

use petrel_value::Value;

use crate::{Call, Outcome, Replay, ReplayError, ReplayOptions};

/// How long many simple calls took.
#[derive(Debug, Clone, Copy)]
pub struct Throughput {
    /// How many calls there were.
    pub calls: usize,
    /// How many of them had the right result.
    pub right: usize,
    /// How long they took; starting the JVM does not count.
    pub elapsed: Duration,
}

impl Throughput {
    /// Calls in a second.
    pub fn calls_per_second(&self) -> f64 {
        self.calls as f64 / self.elapsed.as_secs_f64().max(f64::EPSILON)
    }
}

/// Runs `Math.abs` many times in one JVM.
///
/// # Errors
///
/// If the JVM cannot be run.
pub fn measure_throughput(
    options: ReplayOptions,
    n_calls: usize,
) -> Result<Throughput, ReplayError> {
    let mut replay = Replay::start(options)?;
    let numbers = || (0..n_calls).map(|number| i32::try_from(number).unwrap_or(i32::MAX));
    let calls = numbers().map(|number| {
        let mut call = Call::new("java/lang/Math", "abs", "(I)I");
        call.arguments.push(Value::Int(-number));
        call
    });
    let (mut expected, mut right) = (numbers(), 0);
    let started = Instant::now();
    replay.call_each(calls, |outcome| {
        let result = expected.next().map(Value::Int);
        if matches!(outcome, Outcome::Returned { value, .. } if value == result) {
            right += 1;
        }
    })?;
    Ok(Throughput { calls: n_calls, right, elapsed: started.elapsed() })
}
