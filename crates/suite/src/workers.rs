//! Planning many methods at once.
//!
//! Each method is a task of its own with a budget of work, so that what is found does not depend on the number of
//! threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use petrel_budget::{Cause, Purse};
use petrel_program::ResolvedMethod;
use petrel_testcase::Limit;
use petrel_translate::cache::Procedures;

use crate::plan::{ClassPlan, MethodPlan, Planning};
use crate::{ClassTarget, SuiteOptions};

/// Who wants to know how far it is.
pub trait Watch: Sync {
    /// A method is being looked at.
    fn started(&self, method: &ResolvedMethod);
    /// It has so many cases.
    fn finished(&self, method: &ResolvedMethod, cases: usize);
}

/// Plans test suites.
pub struct Suite<'a> {
    /// The program.
    pub procedures: &'a Procedures<'a>,
    /// Internal names of the classes of the class path.
    pub project: &'a [String],
    /// What is wanted.
    pub options: &'a SuiteOptions,
    /// Threads.
    pub jobs: usize,
    /// What all methods are paid from. When its alarm is raised, methods under way end with what they have, and no other
    /// is started.
    pub purse: &'a Purse,
}

impl Suite<'_> {
    /// The tests of some classes, in their order. If the time is over before, classes are left out that were not started,
    /// and others have the tests that were found; if it is interrupted, all are left out that were not finished.
    pub fn plan(&self, targets: &[ClassTarget], watch: &dyn Watch) -> Vec<ClassPlan> {
        let tasks: Vec<(usize, &ResolvedMethod)> = targets
            .iter()
            .enumerate()
            .flat_map(|(class, target)| target.methods.iter().map(move |method| (class, method)))
            .collect();
        let next = AtomicUsize::new(0);
        let done: Mutex<Vec<Option<(MethodPlan, u64)>>> =
            Mutex::new(tasks.iter().map(|_| None).collect());
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.clamp(1, tasks.len().max(1)) {
                scope.spawn(|| {
                    while !self.purse.alarm().is_raised() {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(&(_, method)) = tasks.get(number) else { break };
                        watch.started(method);
                        let started = Instant::now();
                        let plan = self.plan_method(method);
                        // Nobody knows what it would have been.
                        if self.purse.alarm().cause() == Some(Cause::Interrupt) {
                            break;
                        }
                        watch.finished(method, plan.n_cases());
                        let elapsed = started.elapsed().as_micros() as u64;
                        let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                        done[number] = Some((plan, elapsed));
                    }
                });
            }
        });
        let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut by_class: Vec<Vec<Option<(MethodPlan, u64)>>> =
            targets.iter().map(|_| Vec::new()).collect();
        for (&(class, _), plan) in tasks.iter().zip(done) {
            by_class[class].push(plan);
        }
        let program = self.procedures.program();
        let plans = targets.iter().zip(by_class).filter_map(|(target, plans)| {
            let plans = self.of_class(target, plans)?;
            let elapsed = plans.iter().map(|(_, elapsed)| elapsed).sum();
            let methods = plans.into_iter().map(|(plan, _)| plan).collect();
            Some(ClassPlan::new(program, &target.class, self.options, methods, elapsed))
        });
        plans.collect()
    }

    /// The methods of a class, if there is something to be said of it.
    fn of_class(
        &self,
        target: &ClassTarget,
        plans: Vec<Option<(MethodPlan, u64)>>,
    ) -> Option<Vec<(MethodPlan, u64)>> {
        let is_complete = plans.iter().all(Option::is_some);
        let is_started = plans.iter().any(Option::is_some);
        if !is_complete && (!is_started || self.purse.alarm().cause() == Some(Cause::Interrupt)) {
            return None;
        }
        let late = |method| (MethodPlan::left_out(method, Limit::Time), 0);
        let plans = plans.into_iter().zip(&target.methods);
        Some(plans.map(|(plan, method)| plan.unwrap_or_else(|| late(method))).collect())
    }

    /// What one method may spend.
    fn purse_of_method(&self) -> Purse {
        let purse = self.purse.with_work(self.options.budget);
        self.options.time.map_or(purse.clone(), |time| purse.within(time))
    }

    /// A defect that shows in one method costs that method.
    fn plan_method(&self, method: &ResolvedMethod) -> MethodPlan {
        let (procedures, options) = (self.procedures, self.options);
        let planning = Planning { procedures, options, purse: self.purse_of_method() };
        catch_unwind(AssertUnwindSafe(|| planning.plan(method))).unwrap_or_else(|panic| {
            let text = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("no message");
            MethodPlan::failed(method, format!("a defect of Petrel: {text}"))
        })
    }
}
