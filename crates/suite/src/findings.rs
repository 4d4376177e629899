//! Exceptions that look like defects of the code under test.
//!
//! An exception that the code throws itself, or declares, is what its author wants. One that the JVM or the class library
//! raises on an input without null is more likely a surprise.

use petrel_testcase::{Case, Outcome};
use petrel_value::{Object, Value};

/// Exceptions that code meets rather than throws.
const SURPRISES: [&str; 9] = [
    "java.lang.ArithmeticException",
    "java.lang.ArrayIndexOutOfBoundsException",
    "java.lang.ArrayStoreException",
    "java.lang.ClassCastException",
    "java.lang.NegativeArraySizeException",
    "java.lang.NullPointerException",
    "java.lang.StackOverflowError",
    "java.lang.StringIndexOutOfBoundsException",
    "java.util.ConcurrentModificationException",
];

/// What a case tells of a defect: the exception, and the last line of the project before it. `declared` are the
/// exceptions that the method declares, `throws_itself` knows those that the code of its class makes.
pub(crate) fn finding(
    case: &Case,
    declared: &[String],
    throws_itself: &dyn Fn(&str) -> bool,
) -> Option<(String, String)> {
    let Outcome::Throw(exception) = &case.outcome else { return None };
    let solution = case.solutions.first()?;
    let is_surprise = SURPRISES.contains(&&**exception) && !declared.contains(exception);
    if !is_surprise || throws_itself(exception) || case.unstable_decision.is_some() {
        return None;
    }
    // Who passes null gets what null gives.
    let inputs = solution.receiver.iter().chain(&solution.arguments);
    let objects = solution.heap.objects.iter();
    let has_null = inputs.copied().any(|value| value == Value::Null)
        || objects.flat_map(Object::parts).any(|value| value == Value::Null);
    if exception == "java.lang.NullPointerException" && has_null {
        return None;
    }
    Some((exception.clone(), case.lines.last().map(ToString::to_string).unwrap_or_default()))
}
