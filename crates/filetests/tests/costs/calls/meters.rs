//! JVMs that measure calls, and the comparison with what they measure.

use std::path::Path;
use std::time::Duration;

use petrel_classpath::Jdk;
use petrel_filetests::compare::{Verdict, described_call};
use petrel_filetests::jvmti;
use petrel_replay::{Call, Isolation, Measure, Measured, Outcome, Replay, ReplayOptions};

use super::counts::Counts;
use super::prices::Priced;

/// A call that ends within the steps is done long before, unless the machine is very busy.
const REPLAY_LIMIT: Duration = Duration::from_secs(60);

/// One JVM for each thing that is measured.
pub(crate) struct Meters {
    execution: Replay,
    allocation: Replay,
}

impl Meters {
    pub(crate) fn start(jdk: &Jdk) -> Meters {
        let start = |measure: Measure| {
            let options = ReplayOptions {
                time_limit: REPLAY_LIMIT,
                heap_megabytes: 128,
                measure,
                ..ReplayOptions::new(jdk)
            };
            Replay::start(options).expect("the JVM starts")
        };
        let agent = jvmti::agent(jdk).unwrap_or_else(|error| panic!("{error}"));
        Meters {
            execution: start(Measure::Execution { agent }),
            allocation: start(Measure::Allocation),
        }
    }

    /// Makes calls, and compares what they cost.
    pub(crate) fn compare(&mut self, class_path: &Path, priced: Vec<Priced>, counts: &mut Counts) {
        // A call begins with what initialisers leave, whatever was called before.
        let call = |priced: &Priced| Call {
            isolation: Isolation::Fresh,
            class_path: Some(vec![class_path.to_owned()]),
            ..priced.call.clone()
        };
        let outcomes = self.execution.call_all(priced.iter().map(call)).expect("the JVM answers");
        let mut exact = Vec::new();
        for (priced, outcome) in priced.into_iter().zip(&outcomes) {
            let Some(measured) = measured(&priced, outcome, counts) else { continue };
            counts.add_execution(measured);
            let name = described_call(&priced.call);
            let wrong = priced.price.wrong_execution(&priced.call, measured);
            let wrong = wrong.into_iter().chain(priced.conduct.contradiction.clone());
            counts.wrong.extend(wrong.map(|what| format!("{name}: {what}")));
            match &priced.conduct.other_allocations {
                Some(why) => counts.add_other_allocation(why),
                None => exact.push(priced),
            }
        }
        let outcomes = self.allocation.call_all(exact.iter().map(call)).expect("the JVM answers");
        for (priced, outcome) in exact.iter().zip(&outcomes) {
            let Some(measured) = measured(priced, outcome, counts) else { continue };
            if !measured.ended_as_before {
                counts.add_other_allocation("a call that ends otherwise when it is made again");
                continue;
            }
            let Some(bytes) = measured.allocated_bytes else { continue };
            counts.add_allocation(bytes);
            let name = described_call(&priced.call);
            let wrong = priced.price.wrong_allocation(bytes);
            counts.wrong.extend(wrong.map(|what| format!("{name}: {what}")));
        }
    }
}

/// What the JVM measured, if the call ended as it should: only then can it be compared.
fn measured<'o>(
    priced: &Priced,
    outcome: &'o Outcome,
    counts: &mut Counts,
) -> Option<&'o Measured> {
    match priced.ending.judge(outcome) {
        Verdict::Same if !priced.conduct.is_unstable => {}
        Verdict::Same | Verdict::Unstable => {
            counts.unstable += 1;
            return None;
        }
        Verdict::Exhausted => {
            counts.add_ended_otherwise("exhausted");
            return None;
        }
        other => {
            let name = described_call(&priced.call);
            counts.add_ended_otherwise(&format!("{name}: {other:?}"));
            return None;
        }
    }
    match outcome {
        Outcome::Returned { after, .. } | Outcome::Threw { after, .. } => after.measured.as_ref(),
        _ => None,
    }
}
