//! What a machine spends.
//!
//! Each machine has a purse: one that explores, one that derives known inputs again, one that looks at what a call
//! leaves behind. Steps (iterations and calls) are paid for, those of initialisers included, and so is what the
//! solver does. A machine looks up from time to time to see whether it may go on; its purse never is further ahead
//! than that.

use petrel_budget::{Alarm, Cause, Purse};

use crate::machine::stop::Limit;
use crate::machine::{Machine, Stop};

/// A derivation looks up after so many steps.
const STEPS_BETWEEN_LOOKS: u64 = 1 << 12;

/// Less work is not paid for at once: several machines may have the same purse.
const LEAST_PAID: u64 = 64;

/// One path may use this part of the budget.
const SHARE_OF_PATH: u64 = 3;

/// What is spent, and what is not paid for yet.
#[derive(Debug, Default)]
pub(super) struct Spending {
    purse: Purse,
    /// Steps that are counted below, or paid for.
    counted_steps: u64,
    due: u64,
    /// What was spent when the path under way was started.
    before_path: u64,
}

impl Machine<'_> {
    /// From now on, what the machine does is paid from a purse. Derivations stop when that is over.
    pub fn pay_from(&mut self, purse: &Purse) {
        self.pay();
        self.spending.purse = purse.clone();
        self.spending.before_path = purse.spent();
        self.solver.pay_from(purse);
        self.exploration.theory().pay_from(purse);
    }

    /// What ends the derivation from outside.
    pub(super) fn alarm(&self) -> &Alarm {
        self.spending.purse.alarm()
    }

    /// Pays for everything that was done.
    pub fn pay(&mut self) {
        self.count_steps();
        self.spending.purse.spend(std::mem::take(&mut self.spending.due));
    }

    fn count_steps(&mut self) {
        let new = self.steps.saturating_sub(self.spending.counted_steps);
        self.spending.counted_steps = self.steps;
        self.spending.due += new + self.solver.take_work() + self.exploration.theory().take_work();
    }

    /// Goes back to an earlier number of steps, or on to another one: those that were made stay made.
    pub(crate) fn set_steps(&mut self, steps: u64) {
        self.count_steps();
        self.steps = steps;
        self.spending.counted_steps = steps;
        self.limit_steps(self.last_step);
    }

    /// Lets the derivation go on up to a number of steps.
    pub(crate) fn limit_steps(&mut self, last: u64) {
        self.last_step = last;
        self.look_at = last.min(self.steps.saturating_add(STEPS_BETWEEN_LOOKS));
    }

    /// Ends the derivation if it has taken too many steps, or may not go on for another reason.
    pub(super) fn check_steps(&mut self) -> Result<(), Stop> {
        if self.steps <= self.look_at {
            return Ok(());
        }
        if self.steps > self.last_step {
            return Err(Stop::limit(Limit::Steps(self.limits.steps)));
        }
        self.check_purse()?;
        self.limit_steps(self.last_step);
        Ok(())
    }

    /// A new path begins.
    pub(crate) fn start_path(&mut self) {
        self.pay();
        self.spending.before_path = self.spending.purse.spent();
    }

    /// Ends the derivation if the purse is over, and the path if it alone has cost too much.
    pub(crate) fn check_purse(&mut self) -> Result<(), Stop> {
        if let Some(cause) = self.alarm().cause() {
            return Err(Stop::limit(ended_by(cause)));
        }
        self.count_steps();
        if self.spending.due >= LEAST_PAID {
            self.pay();
        }
        let Spending { purse, due, before_path, .. } = &self.spending;
        if purse.left() <= *due {
            return Err(Stop::limit(Limit::Budget));
        }
        // One that does not come to its end leaves something for the others.
        let on_path = purse.spent().saturating_sub(*before_path) + due;
        let is_on_path = self.exploration.is_on_path();
        if is_on_path && on_path > purse.most() / SHARE_OF_PATH {
            return Err(Stop::limit(Limit::ShareOfPath));
        }
        Ok(())
    }
}

/// The limit that an alarm stands for.
pub fn ended_by(cause: Cause) -> Limit {
    match cause {
        Cause::Time => Limit::Time,
        Cause::Interrupt => Limit::Interrupt,
    }
}
