//! Which tests are run, in which orders, and what follows from how they end.
//!
//! What a test sees depends on which classes were initialised before it and by whom, and on what other tests leave behind.
//! So each test is run alone, with classes that nobody has used before, and another one after it, which shows whether it
//! leaves behind what others can bear. After that it is run with the tests of its class and with all tests of the batch in
//! several orders. Each of two processes does half of that.

use petrel_replay::Isolation;

use crate::{TestSource, Verdict, Why};

/// One of two processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    First,
    Second,
}

pub(crate) const SIDES: [Side; 2] = [Side::First, Side::Second];
/// How often a test is run that passes.
pub(crate) const RUNS: usize = 6;

/// All tests once, or those that are left for a side, in an order and with classes that are loaded anew now and then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Round {
    /// As in the sources.
    Forwards,
    /// The other way round.
    Backwards,
    /// As JUnit runs them.
    Usual,
    /// By chance, though always the same.
    Shuffled,
    /// As JUnit runs the tests of a class, with nobody before them.
    ByClass,
    /// Each with nobody before it, and another one after it.
    Alone,
}

/// What comes first.
pub(crate) const ALONE: &[Round] = &[Round::Alone];

impl Side {
    /// The name of its folder.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Side::First => "first",
            Side::Second => "second",
        }
    }

    /// What follows. A test that does not pass in the first of these rounds is not run in the others.
    pub(crate) fn rounds(self) -> &'static [Round] {
        match self {
            Side::First => &[Round::Forwards, Round::ByClass, Round::Shuffled],
            Side::Second => &[Round::Backwards, Round::Usual],
        }
    }
}

/// A test that is to be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    /// Its number in the plan.
    pub(crate) test: usize,
    pub(crate) isolation: Isolation,
    /// The number of the test before it, if it is run only to see what that one leaves behind.
    pub(crate) after: Option<usize>,
}

/// What was found out by some rounds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Findings {
    /// Whether they came to their end.
    pub(crate) is_complete: bool,
    /// For each test, from each round in which it was run, why it did not pass.
    pub(crate) endings: Vec<Vec<Option<Why>>>,
    /// Tests after which another one did not pass, and which one, and how it ended.
    pub(crate) disturbing: Vec<(usize, usize, String)>,
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

    /// What a side runs in a round, of the tests that are wanted.
    pub(crate) fn steps(&self, side: Side, round: Round, is_wanted: &[bool]) -> Vec<Step> {
        let numbers = 0..self.tests.len();
        let mut order: Vec<usize> = numbers.filter(|test| is_wanted[*test]).collect();
        match round {
            Round::Forwards => {}
            Round::Backwards => order.reverse(),
            Round::Shuffled => order.sort_by_key(|test| mixed(*test)),
            // The classes stay together: they have their places by the first of their tests.
            Round::Usual | Round::ByClass => order.sort_by_key(|test| self.usual_place(*test)),
            Round::Alone => return alone(side, &order),
        }
        let mut before = None;
        let step = |test: usize| {
            let class = Some(self.tests[test].class);
            let is_new = before.is_none() || round == Round::ByClass && before != class;
            before = class;
            let isolation = if is_new { Isolation::Renewed } else { Isolation::Shared };
            Step { test, isolation, after: None }
        };
        order.into_iter().map(step).collect()
    }

    /// Which tests are worth another run after those in which they were alone: not those that leave behind what others cannot
    /// bear, which would fail for it, and not those that end in a way that does not depend on others.
    pub(crate) fn wanted(&self, alone: [&Findings; 2]) -> Vec<bool> {
        let is_borne = |test: usize| {
            let mut endings = alone.iter().filter_map(|found| found.endings.get(test)).flatten();
            endings.all(|why| matches!(why, None | Some(Why::Failed { .. })))
        };
        let mut wanted: Vec<bool> = (0..self.tests.len()).map(is_borne).collect();
        let passes = |test: usize| {
            let mut endings = alone.iter().filter_map(|found| found.endings.get(test)).flatten();
            endings.all(Option::is_none)
        };
        for (test, other, _) in alone.iter().flat_map(|found| &found.disturbing) {
            wanted[*test] &= !passes(*other);
        }
        wanted
    }

    /// JUnit takes methods in the order of the hash codes of their names.
    fn usual_place(&self, test: usize) -> (usize, i32, &'a str) {
        let TestName { class, method, .. } = self.tests[test];
        let first = self.tests.iter().position(|other| other.class == class);
        let add = |hash: i32, unit: u16| hash.wrapping_mul(31).wrapping_add(i32::from(unit));
        (first.unwrap_or(test), method.encode_utf16().fold(0, add), method)
    }

    /// The verdicts on all tests, of those of the plan by what was found. If nothing is run, what compiles is kept. If the
    /// runs did not come to their end, nothing is known of any class.
    pub(crate) fn verdicts(
        &self,
        errors: Vec<Vec<Option<String>>>,
        found: Option<&[Findings]>,
    ) -> Vec<Option<Vec<Verdict>>> {
        if found.is_some_and(|found| found.iter().any(|found| !found.is_complete)) {
            return vec![None; errors.len()];
        }
        let mut tests = found.map(|found| self.judge(found)).into_iter().flatten();
        let mut verdict = |error: Option<String>| match error {
            Some(error) => Some(Verdict::Dropped(Why::NotCompiled(error))),
            None if found.is_none() => Some(Verdict::Kept),
            None => tests.next(),
        };
        errors.into_iter().map(|errors| errors.into_iter().map(&mut verdict).collect()).collect()
    }

    /// The verdict on each test of the plan.
    fn judge(&self, found: &[Findings]) -> Vec<Verdict> {
        let verdict =
            |test: usize| judge(found.iter().filter_map(|found| found.endings.get(test)).flatten());
        let mut verdicts: Vec<Verdict> = (0..self.tests.len()).map(verdict).collect();
        let is_kept: Vec<bool> = verdicts.iter().map(|verdict| *verdict == Verdict::Kept).collect();
        for (test, other, how) in found.iter().flat_map(|found| &found.disturbing) {
            // What others have failed by themselves is not the fault of the test before them.
            let is_dropped_for_more =
                !is_kept[*test] && !matches!(verdicts[*test], Verdict::Dropped(Why::Failed { .. }));
            if is_kept[*other] && !is_dropped_for_more {
                let TestName { class, method, .. } = self.tests[*other];
                let how = format!("{}.{method} {how}", class.replace('/', "."));
                verdicts[*test] = Verdict::Dropped(Why::Disturbs(how));
            }
        }
        verdicts
    }
}

/// The tests of a side, each with another one after it: the next one, or one that is far away.
fn alone(side: Side, order: &[usize]) -> Vec<Step> {
    let count = order.len();
    let is_ours = |place: &usize| place.is_multiple_of(2) == (side == Side::First);
    let steps = |place: usize| {
        let distance = if place % 4 < 2 { 1 } else { 1 + count / 2 };
        let (test, other) = (order[place], order[(place + distance) % count]);
        let after = Step { test: other, isolation: Isolation::Shared, after: Some(test) };
        let first = Step { test, isolation: Isolation::Renewed, after: None };
        [Some(first), Some(after).filter(|_| other != test)].into_iter().flatten()
    };
    (0..count).filter(is_ours).flat_map(steps).collect()
}

/// What follows from all runs of a test.
fn judge<'e>(endings: impl Iterator<Item = &'e Option<Why>> + Clone) -> Verdict {
    let mut reasons = endings.clone().flatten();
    // How it ends otherwise follows from that.
    let refused = reasons.clone().find(|why| matches!(why, Why::Refused(_)));
    match refused.or_else(|| reasons.next()) {
        None => Verdict::Kept,
        Some(why @ Why::Refused(_)) => Verdict::Dropped(why.clone()),
        Some(why) if endings.clone().all(Option::is_some) => Verdict::Dropped(why.clone()),
        Some(why) => Verdict::Dropped(Why::Flickers(why.to_string())),
    }
}

/// A number that has nothing to do with another one, and is always the same.
fn mixed(number: usize) -> u64 {
    let mixed = (number as u64).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TestPlace;

    fn source(class: &str, names: &[&str]) -> TestSource {
        let place = |name: &&str| TestPlace {
            name: (*name).to_owned(),
            has_parameters: false,
            lines: 1..2,
        };
        TestSource {
            class: class.to_owned(),
            file: "A.java".into(),
            release: None,
            text: String::new(),
            tests: names.iter().map(place).collect(),
        }
    }

    fn findings(endings: &[Vec<Option<Why>>], is_complete: bool) -> Findings {
        Findings { is_complete, endings: endings.to_vec(), disturbing: Vec::new() }
    }

    #[test]
    fn verdicts_follow_from_all_runs() {
        let sources = [source("p/A", &["a", "b", "c", "d", "e", "f"])];
        let errors = vec![vec![None, Some("wrong".to_owned()), None, None, None, None]];
        let plan = Plan::new(&sources, &errors);
        assert_eq!((plan.n_all, plan.tests.len()), (6, 5));
        let refused = || Why::Refused("no".to_owned());
        let late = || Some(Why::TimedOut);
        let first =
            [vec![None], vec![late()], vec![Some(Why::Exited(1))], vec![None], vec![late()]];
        let second =
            [vec![None], vec![Some(Why::Flooded)], vec![None], vec![], vec![Some(refused())]];
        let found = [findings(&first, true), findings(&second, true)];
        let verdicts = plan.verdicts(errors.clone(), Some(&found));
        let dropped = Verdict::Dropped;
        let expected = [
            Verdict::Kept,
            dropped(Why::NotCompiled("wrong".to_owned())),
            dropped(Why::TimedOut),
            dropped(Why::Flickers(Why::Exited(1).to_string())),
            Verdict::Kept,
            dropped(refused()),
        ];
        assert_eq!(verdicts, [Some(expected.to_vec())]);
        let stopped = [findings(&first, true), findings(&second, false)];
        assert_eq!(plan.verdicts(errors, Some(&stopped)), [None]);
    }

    #[test]
    fn who_disturbs_tests_that_are_fine_otherwise_is_dropped() {
        let sources = [source("p/A", &["a", "b", "c"])];
        let errors = vec![vec![None; 3]];
        let plan = Plan::new(&sources, &errors);
        let failed = Why::Failed { exception: "E".to_owned(), message: String::new() };
        let mut found = findings(&[vec![None], vec![None], vec![Some(failed.clone())]], true);
        let how = || "does not end".to_owned();
        found.disturbing = vec![(0, 1, how()), (1, 2, how())];
        assert_eq!(plan.wanted([&found, &Findings::default()]), [false, true, true]);
        let verdicts = plan.verdicts(errors, Some(&[found]));
        let disturbs = Why::Disturbs("p.A.b does not end".to_owned());
        let expected = [Verdict::Dropped(disturbs), Verdict::Kept, Verdict::Dropped(failed)];
        assert_eq!(verdicts, [Some(expected.to_vec())]);
    }

    #[test]
    fn each_test_is_run_alone_and_in_several_orders() {
        let sources = [source("A", &["one", "two", "three"]), source("B", &["four", "five"])];
        let errors = vec![vec![None; 3], vec![None; 2]];
        let plan = Plan::new(&sources, &errors);
        let all = [true; 5];
        let order = |round| {
            let steps = plan.steps(Side::First, round, &all);
            steps.iter().map(|step| step.test).collect::<Vec<_>>()
        };
        assert_eq!(order(Round::Forwards), [0, 1, 2, 3, 4]);
        assert_eq!(order(Round::Backwards), [4, 3, 2, 1, 0]);
        // The hash codes of `one`, `two` and `three` are 110182, 115276 and 110339486; of `four` and `five` 3149094 and
        // 3143346.
        assert_eq!(order(Round::Usual), [0, 1, 2, 4, 3]);
        let by_class = plan.steps(Side::First, Round::ByClass, &all);
        let renewed = by_class.iter().filter(|step| step.isolation == Isolation::Renewed);
        assert_eq!(renewed.map(|step| step.test).collect::<Vec<_>>(), [0, 4]);
        let both = || SIDES.iter().flat_map(|side| plan.steps(*side, Round::Alone, &all));
        let mut alone: Vec<usize> =
            both().filter(|step| step.after.is_none()).map(|step| step.test).collect();
        alone.sort_unstable();
        assert_eq!(alone, [0, 1, 2, 3, 4]);
        assert!(both().all(|step| step.after != Some(step.test)));
        let one = plan.steps(Side::First, Round::Alone, &[false, true, false, false, false]);
        assert_eq!(one, [Step { test: 1, isolation: Isolation::Renewed, after: None }]);
        let rounds: usize = SIDES.iter().map(|side| side.rounds().len()).sum();
        assert_eq!(rounds + ALONE.len(), RUNS);
    }
}
