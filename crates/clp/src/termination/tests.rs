//! Counters against the definitions, read off the whole history of a derivation.

use proptest::prelude::*;

use super::*;

/// What a derivation of a procedure that calls itself does next.
#[derive(Debug, Clone, Copy)]
enum Action {
    /// It goes on in a successor of the predicate under way, if there is one.
    GoOn(usize),
    Choose,
    Call,
    Return,
}

fn actions() -> impl Strategy<Value = Vec<Action>> {
    let action = prop_oneof![
        6 => (0_usize..4).prop_map(Action::GoOn),
        2 => Just(Action::Choose),
        1 => Just(Action::Call),
        1 => Just(Action::Return),
    ];
    prop::collection::vec(action, 0..120)
}

fn graph() -> impl Strategy<Value = Vec<Vec<usize>>> {
    (1_usize..7).prop_flat_map(|n| prop::collection::vec(prop::collection::vec(0..n, 0..3), n))
}

/// A derivation that counts as [`Counters`] say.
struct Counted {
    termination: Termination,
    counters: Counters,
    calls: Vec<Vec<Counter>>,
}

impl Counted {
    fn is_cut(&self, number: usize) -> bool {
        let counter = self.calls.last().and_then(|call| call.get(number));
        counter.is_some_and(|&counter| self.termination.bound().cuts(counter))
    }

    fn count(&mut self, number: usize, event: Event) -> bool {
        if let Some(call) = self.calls.last_mut() {
            call[number] = call[number].after(event);
        }
        self.is_cut(number)
    }

    fn occur(&mut self, predicate: usize) -> bool {
        self.counters
            .occurrence_of(predicate)
            .is_some_and(|number| self.count(number, Event::Occur))
    }

    fn call(&mut self) -> bool {
        let counting = self.termination.counting();
        let new = match self.calls.last() {
            None => vec![Counter::default(); self.counters.count()],
            Some(around) => {
                let inherited = |(number, &of): (usize, &Counter)| counting.inherited(number, of);
                around.iter().enumerate().map(inherited).collect()
            }
        };
        self.calls.push(new);
        let is_nested_too_deep = self.is_cut(0);
        for number in self.counters.entered_by_call().collect::<Vec<_>>() {
            self.count(number, Event::Enter);
        }
        is_nested_too_deep || self.occur(0)
    }

    fn go_on(&mut self, from: usize, to: usize) -> bool {
        let passing: Vec<(usize, Event)> = self.counters.passing(from, to).collect();
        let is_cut = passing
            .into_iter()
            .fold(false, |is_cut, (number, event)| self.count(number, event) || is_cut);
        is_cut || self.occur(to)
    }

    fn choose(&mut self) {
        self.calls.iter_mut().flatten().for_each(|counter| counter.has_choice = true);
    }
}

/// A derivation that forgets nothing: for each call under way, the predicates and when it came there.
#[derive(Default)]
struct Remembered {
    calls: Vec<Vec<(usize, usize)>>,
    /// When choices were made.
    choices: Vec<usize>,
    now: usize,
}

impl Remembered {
    fn has_choice(&self, from: usize, to: usize) -> bool {
        self.choices.iter().any(|time| (from..to).contains(time))
    }

    /// Def. 4: a predicate occurs more than K times among the ancestors, itself included.
    fn exceeds_block_count(&self, most: u32) -> bool {
        let current = self.calls.last().and_then(|call| call.last());
        let ancestors = self.calls.iter().flatten();
        current.is_some_and(|&(predicate, _)| {
            ancestors.filter(|(of, _)| *of == predicate).count() > most as usize
        })
    }

    /// A loop has more than k iterations with a choice since it was entered, or calls are nested more than
    /// k times with a choice between them.
    fn exceeds_loop(&self, most: u32, loops: &LoopForest) -> bool {
        let begins: Vec<usize> = self.calls.iter().map(|call| call[0].1).collect();
        let nested = begins.windows(2).filter(|pair| self.has_choice(pair[0], pair[1])).count();
        if nested > most as usize {
            return true;
        }
        let Some(call) = self.calls.last() else { return false };
        (0..loops.loops.len()).any(|number| {
            let inside = call.iter().rev().take_while(|(of, _)| loops.contains(number, *of));
            let mut visits: Vec<(usize, usize)> = inside.copied().collect();
            visits.reverse();
            // The first iteration begins with the loop, the others with its header.
            let header = loops.loops[number].header;
            let mut starts: Vec<usize> =
                visits.first().map(|&(_, time)| time).into_iter().collect();
            starts.extend(visits.iter().skip(1).filter(|(of, _)| *of == header).map(|&(_, at)| at));
            let iterations = starts.windows(2).filter(|pair| self.has_choice(pair[0], pair[1]));
            iterations.count() > most as usize
        })
    }
}

/// Derives until a cut; the two have to agree at every step.
fn check(
    termination: Termination,
    successors: &[Vec<usize>],
    actions: &[Action],
) -> Result<(), TestCaseError> {
    let loops = LoopForest::of(successors);
    let counters = Counters::new(loops.clone(), successors.len(), termination.counting());
    let mut counted = Counted { termination, counters, calls: Vec::new() };
    let mut remembered = Remembered::default();
    let first = [Action::Call];
    for action in first.iter().chain(actions) {
        remembered.now += 1;
        let now = remembered.now;
        let current = remembered.calls.last().and_then(|call| call.last()).copied();
        let is_cut = match (*action, current) {
            (Action::Call, _) => {
                remembered.calls.push(vec![(0, now)]);
                counted.call()
            }
            (Action::GoOn(which), Some((from, _))) if !successors[from].is_empty() => {
                let to = successors[from][which % successors[from].len()];
                remembered.calls.iter_mut().next_back().into_iter().for_each(|c| c.push((to, now)));
                counted.go_on(from, to)
            }
            (Action::Choose, _) => {
                remembered.choices.push(now);
                counted.choose();
                false
            }
            (Action::Return, _) if remembered.calls.len() > 1 => {
                remembered.calls.pop();
                counted.calls.pop();
                false
            }
            _ => false,
        };
        let moves = matches!(action, Action::Call | Action::GoOn(_));
        let exceeds = match termination {
            Termination::BlockCount(most) => remembered.exceeds_block_count(most),
            Termination::Loop(most) => remembered.exceeds_loop(most, &loops),
        };
        prop_assert_eq!(is_cut, moves && exceeds, "at step {} of {:?}", now, successors);
        if is_cut {
            break;
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn block_count_is_that_of_the_definition(
        most in 1_u32..4, successors in graph(), actions in actions(),
    ) {
        check(Termination::BlockCount(most), &successors, &actions)?;
    }

    #[test]
    fn loop_k_is_that_of_the_definition(
        most in 0_u32..4, successors in graph(), actions in actions(),
    ) {
        check(Termination::Loop(most), &successors, &actions)?;
    }
}

#[test]
fn criteria_are_named_with_their_bounds() {
    assert_eq!(Termination::Loop(2).to_string(), "loop-2");
    assert_eq!(Termination::BlockCount(10).to_string(), "block-count-10");
}

#[test]
fn without_a_bound_nothing_is_cut() {
    let far = Counter { count: u32::MAX, has_choice: true };
    assert!(!Bound::NONE.cuts(far.after(Event::Iterate)));
    assert!(!Bound::NONE.cuts(far.after(Event::Occur)));
}
