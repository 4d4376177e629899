//! What Petrel calls infeasible, and random calls: see docs/testing.md.

mod instrumented;
mod verdicts;
