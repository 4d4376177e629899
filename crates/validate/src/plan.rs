//! Which tests are run, in which orders, and what follows from how they end.

use crate::{TestSource, Verdict, Why};

/// An order of the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Forwards,
    Backwards,
}

/// Each test is run once in each order.
pub(crate) const ORDERS: [Order; 2] = [Order::Forwards, Order::Backwards];

impl Order {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Order::Forwards => "forwards",
            Order::Backwards => "backwards",
        }
    }
}

/// What a test is called by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TestName<'a> {
    /// Internal name of the class.
    pub(crate) class: &'a str,
    /// Name of the method.
    pub(crate) method: &'a str,
    pub(crate) has_parameters: bool,
}

/// The tests that compile.
pub(crate) struct Plan<'a> {
    pub(crate) tests: Vec<TestName<'a>>,
    /// How many tests there are with those that do not compile.
    pub(crate) n_all: usize,
}

impl<'a> Plan<'a> {
    /// A plan for tests, of which some do not compile for these reasons.
    pub(crate) fn new(sources: &'a [TestSource], errors: &[Vec<Option<String>>]) -> Plan<'a> {
        let all = sources.iter().zip(errors).flat_map(|(source, errors)| {
            let tests = source.tests.iter().zip(errors);
            tests.map(|(test, error)| {
                let (class, method) = (&*source.class, &*test.name);
                (TestName { class, method, has_parameters: test.has_parameters }, error)
            })
        });
        let is_compiled =
            |(name, error): (TestName<'a>, &Option<String>)| error.is_none().then_some(name);
        let tests = all.filter_map(is_compiled).collect();
        Plan { tests, n_all: errors.iter().map(Vec::len).sum() }
    }

    /// The tests in an order.
    pub(crate) fn ordered(&self, order: Order) -> Vec<TestName<'a>> {
        match order {
            Order::Forwards => self.tests.clone(),
            Order::Backwards => self.tests.iter().rev().copied().collect(),
        }
    }

    /// The verdicts on all tests, of those of the plan by what they did in both orders: why they did not
    /// pass. If nothing is run, what compiles is kept. Classes have none of which a test was not run in both orders.
    pub(crate) fn verdicts(
        &self,
        errors: Vec<Vec<Option<String>>>,
        runs: Option<[&[Option<Why>]; 2]>,
    ) -> Vec<Option<Vec<Verdict>>> {
        let mut tests = 0..self.tests.len();
        let mut verdict = |error: Option<String>| match (error, runs) {
            (Some(error), _) => Some(Verdict::Dropped(Why::NotCompiled(error))),
            (None, None) => Some(Verdict::Kept),
            (None, Some([forwards, backwards])) => {
                let test = tests.next()?;
                let second = backwards.get(self.tests.len() - 1 - test);
                Some(judge(forwards.get(test)?.as_ref(), second?.as_ref()))
            }
        };
        let mut verdicts = |errors: Vec<_>| {
            // All are looked at, so that each has its place.
            let all: Vec<Option<Verdict>> = errors.into_iter().map(&mut verdict).collect();
            all.into_iter().collect()
        };
        errors.into_iter().map(&mut verdicts).collect()
    }
}

fn judge(first: Option<&Why>, second: Option<&Why>) -> Verdict {
    match (first, second) {
        (None, None) => Verdict::Kept,
        (Some(why), Some(_)) => Verdict::Dropped(why.clone()),
        (Some(why), None) | (None, Some(why)) => Verdict::Dropped(Why::Flickers(why.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TestPlace;

    #[test]
    fn verdicts_follow_from_both_runs() {
        let names = ["a", "b", "c", "d", "e"];
        let tests = names.map(|name| TestPlace {
            name: name.to_owned(),
            has_parameters: false,
            lines: 1..2,
        });
        let source = TestSource {
            class: "p/A".to_owned(),
            file: "p/A.java".into(),
            release: None,
            text: String::new(),
            tests: tests.to_vec(),
        };
        let sources = [source];
        let errors = vec![vec![None, Some("wrong".to_owned()), None, None, None]];
        let plan = Plan::new(&sources, &errors);
        assert_eq!(plan.n_all, 5);
        let backwards = ["e", "d", "c", "a"];
        let backwards =
            backwards.map(|method| TestName { class: "p/A", method, has_parameters: false });
        assert_eq!(plan.ordered(Order::Backwards), backwards);
        let forwards = [None, Some(Why::TimedOut), Some(Why::Exited(1)), None];
        let backwards = [Some(Why::Flooded), None, Some(Why::TimedOut), None];
        let verdicts = plan.verdicts(errors, Some([&forwards, &backwards]));
        let dropped = Verdict::Dropped;
        let flickers = |why: Why| dropped(Why::Flickers(why.to_string()));
        let expected = [
            Verdict::Kept,
            dropped(Why::NotCompiled("wrong".to_owned())),
            dropped(Why::TimedOut),
            flickers(Why::Exited(1)),
            flickers(Why::Flooded),
        ];
        assert_eq!(verdicts, [Some(expected.to_vec())]);
    }

    #[test]
    fn only_classes_that_ran_in_both_orders_are_judged() {
        let source = |class: &str| TestSource {
            class: class.to_owned(),
            file: "A.java".into(),
            release: None,
            text: String::new(),
            tests: ["a", "b"]
                .map(|name| TestPlace { name: name.to_owned(), has_parameters: false, lines: 1..2 })
                .to_vec(),
        };
        let sources = ["A", "B", "C"].map(source);
        let errors = vec![vec![None, None]; 3];
        let plan = Plan::new(&sources, &errors);
        // Forwards it came to the end of the second class, backwards to the middle of the second.
        let (forwards, backwards) = ([None, None, None, None], [None, None, None]);
        let verdicts = plan.verdicts(errors.clone(), Some([&forwards, &backwards]));
        assert_eq!(verdicts, [None, None, None]);
        let backwards = [None, None, None, Some(Why::Flooded)];
        let verdicts = plan.verdicts(errors, Some([&forwards, &backwards]));
        let judged = vec![Verdict::Dropped(Why::Flickers(Why::Flooded.to_string())), Verdict::Kept];
        assert_eq!(verdicts, [None, Some(judged), None]);
    }
}
