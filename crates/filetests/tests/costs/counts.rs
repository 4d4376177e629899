//! What was compared, and what differs.

use std::collections::BTreeMap;

use petrel_replay::{Call, Measured, MethodName};
use petrel_testcase::{Case, CaseCost};

/// Counts of a run.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    /// Methods.
    pub(crate) methods: usize,
    /// Methods without cases.
    pub(crate) without_cases: usize,
    /// Cases.
    pub(crate) cases: usize,
    /// Cases whose outcome depends on what the JVM does not fix.
    pub(crate) unstable: usize,
    /// Cases that end in another way on the JVM, by what is known of that.
    pub(crate) ended_otherwise: BTreeMap<String, usize>,
    /// Cases whose instructions and calls were compared.
    pub(crate) executions: usize,
    /// The instructions and calls of these.
    pub(crate) instructions: u64,
    pub(crate) calls: u64,
    /// Cases whose bytes were compared.
    pub(crate) allocations: usize,
    /// Those of them that allocate anything.
    pub(crate) allocating: usize,
    /// The bytes of these.
    pub(crate) bytes: u64,
    /// Cases in which others than instructions of the class path may allocate, by who that is.
    pub(crate) other_allocations: BTreeMap<String, usize>,
    /// Cases that end in another way if they are called twice.
    pub(crate) other_second_calls: usize,
    /// What differs.
    pub(crate) wrong: Vec<String>,
}

impl Counts {
    pub(crate) fn add(&mut self, other: Counts) {
        self.methods += other.methods;
        self.without_cases += other.without_cases;
        self.cases += other.cases;
        self.unstable += other.unstable;
        self.executions += other.executions;
        self.instructions += other.instructions;
        self.calls += other.calls;
        self.allocations += other.allocations;
        self.allocating += other.allocating;
        self.bytes += other.bytes;
        self.other_second_calls += other.other_second_calls;
        for (what, count) in other.ended_otherwise {
            *self.ended_otherwise.entry(what).or_default() += count;
        }
        for (what, count) in other.other_allocations {
            *self.other_allocations.entry(what).or_default() += count;
        }
        self.wrong.extend(other.wrong);
    }

    pub(crate) fn report(&self) -> String {
        let mut lines = vec![format!(
            "{} methods ({} without cases), {} cases ({} unstable, {} that end otherwise); \
             {} with {} instructions and {} calls compared, {} with {} bytes compared \
             ({} allocate anything, {} end otherwise when called twice, {} have other allocations), \
             {} wrong",
            self.methods,
            self.without_cases,
            self.cases,
            self.unstable,
            self.ended_otherwise.values().sum::<usize>(),
            self.executions,
            self.instructions,
            self.calls,
            self.allocations,
            self.bytes,
            self.allocating,
            self.other_second_calls,
            self.other_allocations.values().sum::<usize>(),
            self.wrong.len(),
        )];
        let counted = |what: &str, counts: &BTreeMap<String, usize>| -> Vec<String> {
            let mut counts: Vec<_> = counts.iter().collect();
            counts.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            counts.iter().map(|(text, count)| format!("  {what} {count}: {text}")).collect()
        };
        lines.extend(counted("ends otherwise", &self.ended_otherwise));
        lines.extend(counted("allocations of others", &self.other_allocations));
        lines.extend(self.wrong.iter().map(|wrong| format!("  wrong: {wrong}")));
        lines.join("\n")
    }
}

/// What a case costs under a model.
pub(crate) fn cost<'c>(case: &'c Case, model: &str) -> &'c CaseCost {
    case.costs.iter().find(|cost| cost.model == model).expect("the model was asked for")
}

/// How instructions and calls of a case differ from those of the JVM.
pub(crate) fn wrong_execution(case: &Case, call: &Call, measured: &Measured) -> Option<String> {
    let mut wrong = Vec::new();
    let instructions = cost(case, "instructions").value;
    if u64::try_from(instructions) != Ok(measured.n_instructions()) {
        wrong.push(format!(
            "{instructions} instructions, and on the JVM {}: {:?}",
            measured.n_instructions(),
            measured.instructions
        ));
    }
    let calls = cost(case, "calls");
    let ours: BTreeMap<String, u64> = calls.calls.iter().flatten().cloned().collect();
    let theirs: BTreeMap<String, u64> = measured
        .calls
        .iter()
        .map(|(method, count)| (name(method), count - u64::from(is_outermost(call, method))))
        .filter(|(_, count)| *count > 0)
        .collect();
    if ours != theirs {
        wrong.push(format!("calls {ours:?}, and on the JVM {theirs:?}"));
    }
    // The JVM counts the call by the test too.
    if u64::try_from(calls.value + 1) != Ok(measured.n_calls()) {
        wrong.push(format!("{} calls, and on the JVM {}", calls.value, measured.n_calls() - 1));
    }
    (!wrong.is_empty()).then(|| wrong.join("; "))
}

fn is_outermost(call: &Call, method: &MethodName) -> bool {
    (&call.class, &call.method, &call.descriptor)
        == (&method.class, &method.name, &method.descriptor)
}

fn name(method: &MethodName) -> String {
    format!("{}#{}{}", method.class.replace('/', "."), method.name, method.descriptor)
}
