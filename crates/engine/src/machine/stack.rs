//! The registers of all frames.
//!
//! A frame sees a window of the size of all register numbers, so that no access needs a check. That is a
//! megabyte, which the first touch of each page makes expensive: machines of one thread hand their stacks on.

use std::cell::RefCell;

use crate::machine::value::Value;

/// How many registers a frame sees: as many as a register number can name.
pub(super) const WINDOW: usize = 1 << 16;

/// How many registers there are before the first window that does not fit.
const FIRST: usize = WINDOW + (1 << 13);

/// More registers than these are not kept: clearing them takes longer than a new stack.
const MOST_KEPT: usize = 4 * WINDOW;

/// So many stacks wait in a thread for a machine: generation has two at a time.
const MOST_WAITING: usize = 2;

thread_local! {
    static WAITING: RefCell<Vec<Vec<Value>>> = const { RefCell::new(Vec::new()) };
}

/// A stack on which nothing is.
pub(super) fn take() -> Vec<Value> {
    let waiting = WAITING.try_with(|waiting| waiting.borrow_mut().pop());
    waiting.ok().flatten().unwrap_or_else(|| vec![Value::NULL; FIRST])
}

/// Makes a stack so long, if it is shorter.
pub(super) fn extend(stack: &mut Vec<Value>, length: usize) {
    if stack.len() < length {
        stack.resize(length * 2, Value::NULL);
    }
}

/// Keeps a stack for the next machine. Nothing lies beyond the start of the last window.
pub(super) fn give_back(mut stack: Vec<Value>, last_window_end: usize) {
    if stack.len() > MOST_KEPT {
        return;
    }
    let used = (last_window_end - WINDOW).min(stack.len());
    stack[..used].fill(Value::NULL);
    // A thread that ends keeps nothing.
    let _ = WAITING.try_with(|waiting| {
        let mut waiting = waiting.borrow_mut();
        if waiting.len() < MOST_WAITING {
            waiting.push(stack);
        }
    });
}
