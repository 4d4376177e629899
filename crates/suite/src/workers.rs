//! Planning many methods at once.
//!
//! Each method is a task of its own with a budget of work, so that what is found does not depend on the number of
//! threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use petrel_program::ResolvedMethod;
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
    /// Set when no further method is to be started.
    pub stop: &'a AtomicBool,
}

impl Suite<'_> {
    /// The tests of some classes, in their order. Classes that were not finished when it was stopped are left out.
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
                    while !self.stop.load(Ordering::Relaxed) {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(&(_, method)) = tasks.get(number) else { break };
                        watch.started(method);
                        let started = Instant::now();
                        let plan = self.plan_method(method);
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
            let plans: Option<Vec<(MethodPlan, u64)>> = plans.into_iter().collect();
            let plans = plans?;
            let elapsed = plans.iter().map(|(_, elapsed)| elapsed).sum();
            let methods = plans.into_iter().map(|(plan, _)| plan).collect();
            Some(ClassPlan::new(program, &target.class, self.options, methods, elapsed))
        });
        plans.collect()
    }

    /// A defect that shows in one method costs that method.
    fn plan_method(&self, method: &ResolvedMethod) -> MethodPlan {
        let planning = Planning { procedures: self.procedures, options: self.options };
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
