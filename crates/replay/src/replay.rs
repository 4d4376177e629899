//! The driver: keeps the JVM busy, and brings it back when a call has ended it.

use std::borrow::Borrow;
use std::collections::VecDeque;
use std::path::PathBuf;

use crate::process::{End, Process, Received};
use crate::{Call, Outcome, ReplayError, ReplayOptions, harness, wire};

/// How many calls, and about how many bytes of them, are sent before their answers are there.
const WINDOW: usize = 512;
const WINDOW_BYTES: usize = 1 << 20;

/// A JVM that runs calls.
pub struct Replay {
    options: ReplayOptions,
    classes: PathBuf,
    process: Option<Process>,
    starts: usize,
}

/// Calls that are not answered yet.
#[derive(Default)]
struct Pending {
    frames: VecDeque<Vec<u8>>,
    n_bytes: usize,
    /// How many of them the process has got.
    n_sent: usize,
}

impl Pending {
    fn push(&mut self, frame: Vec<u8>) {
        self.n_bytes += frame.len();
        self.frames.push_back(frame);
    }

    fn pop(&mut self) {
        if let Some(frame) = self.frames.pop_front() {
            self.n_bytes -= frame.len();
            self.n_sent -= 1;
        }
    }

    fn has_room(&self) -> bool {
        self.frames.len() < WINDOW && self.n_bytes < WINDOW_BYTES
    }

    /// What is to be sent, in one piece.
    fn take_unsent(&mut self) -> Vec<u8> {
        let unsent: Vec<&[u8]> = self.frames.range(self.n_sent..).map(Vec::as_slice).collect();
        self.n_sent = self.frames.len();
        unsent.concat()
    }
}

impl Replay {
    /// Starts a JVM.
    ///
    /// # Errors
    ///
    /// If the JDK cannot compile or run the harness.
    pub fn start(options: ReplayOptions) -> Result<Replay, ReplayError> {
        let classes = harness::classes(&options)?;
        let mut replay = Replay { options, classes, process: None, starts: 0 };
        replay.ensure_process()?;
        Ok(replay)
    }

    /// How many processes there were so far; each but the first one is a restart.
    pub fn starts(&self) -> usize {
        self.starts
    }

    /// Ends the process; the next call starts another one.
    pub fn leave(&mut self) {
        self.process = None;
    }

    /// Runs a call.
    ///
    /// # Errors
    ///
    /// If the JVM cannot be restarted or makes no sense. The next call starts another one.
    pub fn call(&mut self, call: &Call) -> Result<Outcome, ReplayError> {
        let mut outcome = None;
        self.call_each([call], |found| outcome = Some(found))?;
        outcome.ok_or_else(|| ReplayError::Malformed { message: "there is none".to_owned() })
    }

    /// Runs calls, and returns their outcomes in the same order.
    ///
    /// # Errors
    ///
    /// As [`Replay::call`]; then the other outcomes are lost.
    pub fn call_all<C: Borrow<Call>>(
        &mut self,
        calls: impl IntoIterator<Item = C>,
    ) -> Result<Vec<Outcome>, ReplayError> {
        let mut outcomes = Vec::new();
        self.call_each(calls, |outcome| outcomes.push(outcome))?;
        Ok(outcomes)
    }

    /// Runs calls, and hands on each outcome as soon as it is there, in the order of the calls. Calls
    /// are taken from the iterator ahead of that.
    ///
    /// # Errors
    ///
    /// As [`Replay::call`].
    pub fn call_each<C: Borrow<Call>>(
        &mut self,
        calls: impl IntoIterator<Item = C>,
        mut hand_on: impl FnMut(Outcome),
    ) -> Result<(), ReplayError> {
        // A thread that an earlier call has left may have ended the process.
        if self.process.as_mut().is_some_and(|process| !process.is_running()) {
            self.process = None;
        }
        let mut calls = calls.into_iter().fuse();
        let mut pending = Pending::default();
        loop {
            // Sending many calls at once saves switching between the processes.
            if pending.frames.len() <= WINDOW / 2 {
                while pending.has_room()
                    && let Some(call) = calls.next()
                {
                    pending.push(wire::call(call.borrow())?);
                }
            }
            if pending.frames.is_empty() {
                return Ok(());
            }
            match self.answer(&mut pending) {
                Ok(Some(outcome)) => {
                    pending.pop();
                    hand_on(outcome);
                }
                Ok(None) => {}
                Err(error) => {
                    self.process = None;
                    return Err(error);
                }
            }
            if self.process.is_none() {
                pending.n_sent = 0;
            }
        }
    }

    fn ensure_process(&mut self) -> Result<&mut Process, ReplayError> {
        let process = match self.process.take() {
            Some(process) => process,
            None => {
                self.starts += 1;
                Process::start(&self.options, &self.classes)?
            }
        };
        Ok(self.process.insert(process))
    }

    /// The outcome of the first pending call; `None` if the process left before it came to that.
    fn answer(&mut self, pending: &mut Pending) -> Result<Option<Outcome>, ReplayError> {
        let limit = self.options.time_limit + self.options.grace;
        let process = self.ensure_process()?;
        let unsent = pending.take_unsent();
        if !unsent.is_empty() {
            process.send(unsent);
        }
        let outcome = match process.receive(limit) {
            Received::Frame(frame) => match wire::answer(&frame)? {
                Some(outcome) => return Ok(Some(outcome)),
                None => None,
            },
            Received::End => Some(match process.end() {
                End::Exited(status) => Outcome::Exited(status),
                End::Died(reason) => Outcome::Died(reason),
            }),
            Received::Nothing => Some(Outcome::TimedOut),
            Received::Stopped => return Err(ReplayError::Stopped),
        };
        self.process = None;
        Ok(outcome)
    }
}
