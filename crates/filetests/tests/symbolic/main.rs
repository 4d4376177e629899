//! Cases of methods on unknown inputs, against the JVM and against derivations of all small inputs.

mod abstractions;
mod completeness;
mod fewest;
mod guided;
mod inputs_completeness;
mod inputs_public_api;
mod inputs_soundness;
mod libraries;
mod listed;
mod overflow;
mod paths;
mod programs;
mod residuals;
mod soundness;
mod traces;
mod verdicts;
mod worthwhile;
