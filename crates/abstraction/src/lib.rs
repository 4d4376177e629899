//! Trace abstraction: programs reduced to the traces of their derivations.
//!
//! "A Framework for Guided Test Case Generation in Constraint Logic Programming" (Def. 6 to 8, section 6)
//! and "Resource-driven CLP-based Test Case Generation" (section 4). An abstraction keeps of each rule
//! what it calls and what it goes on with; a *refined* (enhanced) one keeps the variables, too, that decide
//! the control flow and can be followed, with their guards and arithmetic ([`Modes`]). Its derivations
//! ([`Derivation`]) are cheap, and their traces a superset of those of the program: complete traces, and
//! partial ones where the abstraction cannot know how far a loop goes.
//!
//! This crate derives nothing of the program itself: whether a trace is feasible, the engine finds out.

mod bounds;
mod criterion;
mod derive;
mod estimate;
mod evaluate;
mod modes;
mod prices;
mod print;
mod program;
mod prospect;
mod reach;
mod search;
pub mod slice;
mod state;
mod values;

pub use derive::{Derivation, Settings, Step};
pub use estimate::estimates;
pub use modes::{Modes, Precision};
pub use print::{print, rules};
pub use program::{AbstractProgram, RuleName};
pub use prospect::{Followed, Place, Prospect};
pub use reach::{Applied, Reach};
pub use search::{Candidate, Order, Search};
