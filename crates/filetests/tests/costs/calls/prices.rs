//! What calls should cost.

use std::collections::BTreeMap;

use petrel_filetests::compare::Verdict;
use petrel_filetests::symbolic::Prediction;
use petrel_replay::{Call, Measured, MethodName, Outcome};
use petrel_testcase::Case;

use super::derivation::Conduct;

/// The models. Where costs arise is compared by method; by line, their sum.
pub(crate) const MODELS: [&str; 3] = ["instructions@method", "calls", "memory:hotspot@line"];
/// Their numbers.
pub(crate) const INSTRUCTIONS: usize = 0;
pub(crate) const CALLS: usize = 1;
pub(crate) const BYTES: usize = 2;

/// A call with what it should cost.
pub(crate) struct Priced {
    pub(crate) call: Call,
    pub(crate) ending: Ending,
    pub(crate) price: Price,
    pub(crate) conduct: Conduct,
}

/// How a call should end.
pub(crate) enum Ending {
    /// As a case says.
    Predicted(Box<Prediction>),
    /// As a derivation ended: with an exception of a class, by its internal name, or none. That values are
    /// right is tested elsewhere: here the way to them counts.
    Derived(Option<String>),
}

impl Ending {
    pub(crate) fn judge(&self, outcome: &Outcome) -> Verdict {
        match self {
            Ending::Predicted(prediction) => prediction.judge(outcome),
            Ending::Derived(exception) => match (exception, outcome) {
                (None, Outcome::Returned { .. }) => Verdict::Same,
                (Some(ours), Outcome::Threw { class, .. }) if ours == class => Verdict::Same,
                _ => Verdict::Different(format!("{exception:?}")),
            },
        }
    }
}

/// What a call should cost.
pub(crate) struct Price {
    pub(crate) instructions: i64,
    /// Those of each method.
    pub(crate) instructions_by_method: Vec<(String, i64)>,
    pub(crate) calls: i64,
    /// How often each method is called: `Vector#realloc()V`.
    pub(crate) calls_by_method: BTreeMap<String, u64>,
    pub(crate) bytes: i64,
    /// Those of each source line.
    pub(crate) bytes_by_line: Vec<(String, i64)>,
}

/// What a case says that its first input costs.
pub(crate) fn of_case(case: &Case) -> Price {
    Price {
        instructions: case.costs[INSTRUCTIONS].value,
        calls: case.costs[CALLS].value,
        calls_by_method: case.costs[CALLS].calls.iter().flatten().cloned().collect(),
        bytes: case.costs[BYTES].value,
        instructions_by_method: case.costs[INSTRUCTIONS].parts.clone().unwrap_or_default(),
        bytes_by_line: case.costs[BYTES].parts.clone().unwrap_or_default(),
    }
}

impl Price {
    /// How instructions and calls differ from those of the JVM.
    pub(crate) fn wrong_execution(&self, call: &Call, measured: &Measured) -> Option<String> {
        let mut wrong = Vec::new();
        if u64::try_from(self.instructions) != Ok(measured.n_instructions()) {
            wrong.push(format!(
                "{} instructions, and on the JVM {}: {}",
                self.instructions,
                measured.n_instructions(),
                by_method(&measured.instructions)
            ));
        }
        let own = self.instructions_by_method.iter();
        let own: BTreeMap<String, u64> =
            own.map(|(method, count)| (method.clone(), count.unsigned_abs())).collect();
        let theirs = measured.instructions.iter().filter(|(_, count)| *count > 0);
        let theirs: BTreeMap<String, u64> =
            theirs.map(|(method, count)| (name(method), *count)).collect();
        if own != theirs {
            wrong.push(format!("instructions of {own:?}, and on the JVM {theirs:?}"));
        }
        if sum(&self.instructions_by_method) != self.instructions {
            wrong.push(format!("{} is no sum of {own:?}", self.instructions));
        }
        if sum(&self.bytes_by_line) != self.bytes {
            wrong.push(format!("{} bytes are no sum of {:?}", self.bytes, self.bytes_by_line));
        }
        // The JVM also counts the call by the test.
        let counts = measured
            .calls
            .iter()
            .map(|(method, count)| (name(method), count - u64::from(is_outermost(call, method))));
        let theirs: BTreeMap<String, u64> = counts.filter(|(_, count)| *count > 0).collect();
        if self.calls_by_method != theirs {
            wrong.push(format!("calls {:?}, and on the JVM {theirs:?}", self.calls_by_method));
        }
        let sum: u64 = self.calls_by_method.values().sum();
        if u64::try_from(self.calls) != Ok(sum) {
            wrong.push(format!("{} calls, and {sum} by method", self.calls));
        }
        (!wrong.is_empty()).then(|| wrong.join("; "))
    }

    /// How bytes differ from those of the JVM.
    pub(crate) fn wrong_allocation(&self, bytes: u64) -> Option<String> {
        let is_wrong = u64::try_from(self.bytes) != Ok(bytes);
        is_wrong.then(|| format!("{} bytes, and on the JVM {bytes}", self.bytes))
    }
}

fn sum(parts: &[(String, i64)]) -> i64 {
    parts.iter().map(|(_, cost)| cost).sum()
}

fn is_outermost(call: &Call, method: &MethodName) -> bool {
    (call.class.replace('.', "/"), &call.method, &call.descriptor)
        == (method.class.clone(), &method.name, &method.descriptor)
}

fn name(method: &MethodName) -> String {
    format!("{}#{}{}", method.class.replace('/', "."), method.name, method.descriptor)
}

fn by_method(counts: &[(MethodName, u64)]) -> String {
    let texts: Vec<String> =
        counts.iter().map(|(method, count)| format!("{} {count}", name(method))).collect();
    texts.join(", ")
}
