//! The same call in the engine and on the JVM: whether both end alike.

mod describe;
mod engine;
mod isomorphism;
mod loader;
mod tally;
#[cfg(test)]
mod tests;

use petrel_replay as replay;
use petrel_value::{Heap, Value};

pub use describe::{described, described_call, described_outcome};
pub use engine::Engine;
pub use isomorphism::Isomorphism;
pub use tally::Tally;

/// How a call ended in the engine.
#[derive(Debug, Clone)]
pub enum Ending {
    /// It returned; nothing for `void`.
    Returned(Option<Value>),
    /// It threw an exception of the class, by its internal name.
    Threw {
        /// The class.
        class: String,
        /// The message, in UTF-16 units; or why it could not be asked for.
        message: Result<Option<Vec<u16>>, String>,
    },
    /// A limit was reached.
    Limit(String),
    /// The engine does not do that.
    Unsupported {
        /// What it does not do.
        reason: String,
        /// Where that was.
        places: Vec<String>,
    },
    /// Anything else, which is never right.
    Broken(String),
}

/// What of a call depends on what the JVM does not fix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instability {
    /// Nothing.
    None,
    /// Values, but not which way the call went.
    Values,
    /// Anything.
    All,
}

impl Instability {
    /// Of a call that made decisions on, or gave, values that are not fixed.
    pub fn of(decision: bool, values: bool) -> Instability {
        match (decision, values) {
            (true, _) => Instability::All,
            (false, true) => Instability::Values,
            (false, false) => Instability::None,
        }
    }
}

/// What a call left in the engine, or is to leave.
#[derive(Debug, Clone)]
pub struct Derived {
    /// How it ended.
    pub ending: Ending,
    /// What of that depends on what the JVM does not fix.
    pub instability: Instability,
    /// The receiver afterwards.
    pub receiver: Option<Value>,
    /// The arguments afterwards: arrays and objects may have changed.
    pub arguments: Vec<Value>,
    /// The objects that result, receiver and arguments refer to.
    pub heap: Heap,
    /// What was written to `System.out` and `System.err`, unless nothing is said about it.
    pub written: Option<[Vec<u8>; 2]>,
}

impl Derived {
    /// A call of which nothing is known but how it ended.
    pub fn of_ending(ending: Ending, instability: Instability) -> Derived {
        Derived {
            ending,
            instability,
            receiver: None,
            arguments: Vec::new(),
            heap: Heap::new(),
            written: None,
        }
    }
}

/// What a comparison says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Both end alike.
    Same,
    /// The end depends on what the JVM does not fix.
    Unstable,
    /// One or both ran out of memory, or both out of time or stack.
    Exhausted,
    /// The JVM cannot make such a call.
    NotCallable(String),
    /// The engine gave up.
    Unsupported {
        /// What it does not do.
        reason: String,
        /// Where that was.
        places: Vec<String>,
    },
    /// The engine reached a limit, and the JVM came to an end.
    Limit(String),
    /// A wrong answer.
    Different(String),
}

/// Whether the text of such an exception is not compared: the JVM makes it up from the bytecode, or
/// from the modules of the classes.
pub fn has_free_text(class: &str) -> bool {
    matches!(class, "java/lang/NullPointerException" | "java/lang/ClassCastException")
}

/// Whether a class stands for the end of memory or stack.
fn is_exhaustion(class: &str) -> bool {
    matches!(class, "java/lang/OutOfMemoryError" | "java/lang/StackOverflowError")
}

/// Compares how a call ended in the engine with how it ended on the JVM.
pub fn judge(derived: &Derived, outcome: &replay::Outcome) -> Verdict {
    let exhausted = match outcome {
        replay::Outcome::TimedOut => true,
        replay::Outcome::Threw { class, .. } => is_exhaustion(class),
        replay::Outcome::NotCallable(reason) => return Verdict::NotCallable(reason.clone()),
        _ => false,
    };
    let out_of_memory = matches!(outcome, replay::Outcome::Threw { class, .. }
        if class == "java/lang/OutOfMemoryError");
    match &derived.ending {
        Ending::Unsupported { reason, places } => {
            return Verdict::Unsupported { reason: reason.clone(), places: places.clone() };
        }
        // How much memory there is, is a setting.
        Ending::Limit(what) if exhausted || what.contains("heap") => return Verdict::Exhausted,
        Ending::Limit(what) => return Verdict::Limit(what.clone()),
        // That one of the lengths of a new array is negative does not keep HotSpot from this.
        Ending::Returned(_) | Ending::Threw { .. } if out_of_memory => return Verdict::Exhausted,
        _ => {}
    }
    let is_unstable = derived.instability != Instability::None;
    if derived.instability == Instability::All {
        return Verdict::Unstable;
    }
    let difference = match (&derived.ending, outcome) {
        (Ending::Returned(_), replay::Outcome::Returned { .. }) if is_unstable => None,
        (Ending::Returned(ours), replay::Outcome::Returned { value, after }) => {
            left_behind(derived, *ours, *value, after)
        }
        (
            Ending::Threw { class, message },
            replay::Outcome::Threw { class: actual, message: text, after },
        ) => {
            if is_exhaustion(class) && class == actual {
                return Verdict::Exhausted;
            }
            let text = text.as_ref().map(|text| text.0.to_vec());
            // The class is what it is, even if making the message takes something unsupported.
            let is_same_text = match message {
                Ok(ours) => *ours == text,
                Err(reason) => reason.starts_with("unsupported"),
            };
            let is_same_text = is_same_text || has_free_text(class) || is_unstable;
            match class == actual && is_same_text {
                true if is_unstable => None,
                true => left_behind(derived, None, None, after),
                false => Some(String::new()),
            }
        }
        _ => Some(String::new()),
    };
    match difference {
        None if is_unstable => Verdict::Unstable,
        None => Verdict::Same,
        Some(what) => Verdict::Different(format!(
            "{what}\n      engine: {}\n      JVM:    {}",
            described(derived),
            described_outcome(outcome)
        )),
    }
}

/// Compares results and what else there is after a call.
fn left_behind(
    derived: &Derived,
    ours: Option<Value>,
    theirs: Option<Value>,
    after: &replay::After,
) -> Option<String> {
    let mut isomorphism = Isomorphism::new(&derived.heap, &after.heap);
    match (ours, theirs) {
        (None, None) => {}
        (Some(ours), Some(theirs)) => {
            if let Some(what) = isomorphism.difference(ours, theirs, "result") {
                return Some(what);
            }
        }
        _ => return Some("a result and none".to_owned()),
    }
    if let (Some(ours), Some(theirs)) = (derived.receiver, after.receiver)
        && let Some(what) = isomorphism.difference(ours, theirs, "receiver afterwards")
    {
        return Some(what);
    }
    let arguments = derived.arguments.iter().zip(&after.arguments).enumerate();
    for (number, (&ours, &theirs)) in arguments {
        let name = format!("argument {number} afterwards");
        if let Some(what) = isomorphism.difference(ours, theirs, &name) {
            return Some(what);
        }
    }
    for (ours, theirs) in derived.written.iter().flatten().zip([&after.out, &after.err]) {
        if !theirs.is_cut && *ours != theirs.bytes {
            let ours = String::from_utf8_lossy(ours);
            return Some(format!("written {ours:?} and on the JVM {:?}", theirs.text()));
        }
    }
    None
}
