//! The rules of a virtual call.

use crate::rule::MethodRef;

/// Which method a virtual or interface call of a method goes to, by the receiver's class. One rule
/// per case; the classes of different cases are different.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dispatch {
    /// The method that the call names.
    pub method: MethodRef,
    /// The receiver's exact classes, and the method that is selected for them.
    pub cases: Vec<(Vec<Box<str>>, MethodRef)>,
}
