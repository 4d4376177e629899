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
    /// pass. If nothing was run, what compiles is kept.
    pub(crate) fn verdicts(
        &self,
        errors: Vec<Vec<Option<String>>>,
        [forwards, backwards]: [&[Option<Why>]; 2],
    ) -> Vec<Vec<Verdict>> {
        let mut runs = forwards.iter().zip(backwards.iter().rev());
        let mut verdict = |error: Option<String>| match error {
            Some(error) => Verdict::Dropped(Why::NotCompiled(error)),
            None => match runs.next() {
                Some((first, second)) => judge(first.as_ref(), second.as_ref()),
                None => Verdict::Kept,
            },
        };
        let mut verdicts = |errors: Vec<_>| errors.into_iter().map(&mut verdict).collect();
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
        let verdicts = plan.verdicts(errors, [&forwards, &backwards]);
        let dropped = Verdict::Dropped;
        let flickers = |why: Why| dropped(Why::Flickers(why.to_string()));
        let expected = [
            Verdict::Kept,
            dropped(Why::NotCompiled("wrong".to_owned())),
            dropped(Why::TimedOut),
            flickers(Why::Exited(1)),
            flickers(Why::Flooded),
        ];
        assert_eq!(verdicts, [expected.to_vec()]);
    }
}
