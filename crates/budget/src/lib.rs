//! One budget: what a command may spend, handed down to everything that can run long.
//!
//! A [`Purse`] is a ledger of work with a deadline. Work is counted in units that are the same on every machine, and
//! whoever does something spends it. A share of a purse is a purse, too: what is spent from the share is spent from
//! the whole, so that all shares together never spend more than the whole, and what one of them leaves is there for
//! those that follow.
//!
//! Time and signals are one flag, the [`Alarm`] of a purse. A thread raises it when the time is over; loops look at
//! it, which costs one load from memory. Nobody else reads a clock to find out whether to go on.

mod alarm;
mod purse;
mod watchdog;

pub use alarm::{Alarm, Cause, Listener};
pub use purse::Purse;
