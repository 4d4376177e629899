//! A wall around processes that execute code which nobody has read: what such a process may do is decided before it
//! starts, by the kernel, and holds for all that it starts in turn.
//!
//! A process gets behind the wall by a launcher, which is the program that uses this crate, called with a first argument
//! that nobody types: it gives up its rights, one after the other, and then replaces itself by the program that is wanted.
//! [`Wall::probe`] asks the launcher once what the system offers, [`Wall::command`] makes the command that starts a
//! program behind the wall, and [`launched`] is the launcher.
//!
//! **What it guards**, on Linux:
//!
//! - Files are read as before, and written, made, renamed and removed only below the folders that are named, and in
//!   `/dev/null` (Landlock, from Linux 5.13 on). That they have other times, owners or permissions, it does not guard.
//! - Nothing is executed but the program itself, and the loader that it names (Landlock).
//! - There is no network, not even the machine's own (a network namespace, where the system allows one). Where there is
//!   none, no TCP (Landlock, from Linux 6.7 on).
//! - Processes outside are sent no signals, and abstract Unix sockets do not lead outside (Landlock, from Linux 6.12 on).
//! - Addresses, the size of each file, and the number of processes and threads are limited; nobody leaves an image of their
//!   memory. The number of processes needs a user namespace of its own, and does not hold for root.
//!
//! What the system does not offer is missing, and [`Wall::gap`] says what that means. What it does offer, a process has, or
//! it does not start.
//!
//! **What it does not guard against:** reading, by whoever can carry off what they read; Unix sockets that are files, before
//! Linux 7.1; use of the processor, and of the disk by many files, which only time limits end; and defects of the kernel.
//!
//! [`has_ended`] and [`end_all`] are for what is left of a process behind the wall, or before it: it and all that it has started.

mod error;
mod group;
mod launcher;
#[cfg(target_os = "linux")]
mod linux;
mod protection;
mod wall;

pub use error::WallError;
pub use group::{end_all, has_ended};
pub use launcher::launched;
pub use wall::{Allowance, Wall};

use protection::{Namespace, Protection};
