//! Which cases become tests: the smallest set found that covers what all cases cover.
//!
//! What there is to be covered is all in which selection criteria differ: each case has items, and the set of tests
//! has to have those of all cases. Greedy, the cases that are built through the API before others; then each is left
//! out that the others make superfluous.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use petrel_testcase::{Edge, Point, Selection, Spot};

use crate::pool::Candidate;

/// See [`Candidate::badness`].
type Badness = (bool, bool, usize, u64);

/// Something that a case covers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Item {
    /// The method is called: even one without any choice gets a test.
    Call,
    Edge(Edge),
    Instruction(u16),
    /// A way through the method's own code: rules, by names and numbers.
    LocalPath(Vec<(String, u32)>),
    /// A wanted point, by its place among them.
    Point(usize),
    /// The case itself, by its number.
    Path(usize),
}

/// What counts of a case.
#[derive(Debug)]
struct Choice {
    items: BTreeSet<Item>,
    is_buildable: bool,
    badness: Badness,
}

/// The cases of a method, as a criterion sees them.
#[derive(Debug)]
pub(crate) struct Choices {
    choices: Vec<Choice>,
}

impl Choices {
    /// The cases of a method whose class has this source file.
    pub(crate) fn new(
        selection: &Selection,
        source_file: Option<&str>,
        candidates: &[Candidate],
    ) -> Choices {
        let choice = |(number, candidate): (usize, &Candidate)| Choice {
            items: items(selection, source_file, number, candidate),
            is_buildable: candidate.is_buildable,
            badness: candidate.badness(),
        };
        Choices { choices: candidates.iter().enumerate().map(choice).collect() }
    }

    /// Whether a case covers anything that is wanted.
    pub(crate) fn is_wanted(&self, number: usize) -> bool {
        !self.choices[number].items.is_empty()
    }

    /// The numbers of the cases that are chosen, in ascending order. Cases for which `is_out` holds are not looked
    /// at.
    pub(crate) fn select(&self, is_out: &dyn Fn(usize) -> bool) -> Vec<usize> {
        let choices = &self.choices;
        let mut times: BTreeMap<&Item, u32> = BTreeMap::new();
        let mut chosen: Vec<usize> = Vec::new();
        for buildable in [true, false] {
            let mut open: Vec<usize> = (0..choices.len())
                .filter(|&number| choices[number].is_buildable == buildable && !is_out(number))
                .collect();
            // What each would add at most: it only ever gets less, so that only the best has to be counted again.
            let mut gains: Vec<usize> =
                open.iter().map(|&number| choices[number].items.len()).collect();
            let worth = |gains: &[usize], open: &[usize], place: usize| {
                // Of those that gain the same, the least bad one.
                (gains[place], Reverse((choices[open[place]].badness, open[place])))
            };
            while let Some(place) = (0..open.len()).max_by_key(|&place| worth(&gains, &open, place))
            {
                let items = &choices[open[place]].items;
                let gain = items.iter().filter(|item| !times.contains_key(item)).count();
                if gain < gains[place] {
                    gains[place] = gain;
                    continue;
                }
                if gain == 0 {
                    break;
                }
                for item in items {
                    *times.entry(item).or_default() += 1;
                }
                chosen.push(open.remove(place));
                gains.remove(place);
            }
        }
        self.reduce(&mut chosen, &mut times);
        chosen.sort_unstable();
        chosen
    }

    /// Leaves out what others make superfluous, the worst first.
    fn reduce<'a>(&'a self, chosen: &mut Vec<usize>, times: &mut BTreeMap<&'a Item, u32>) {
        let mut order = chosen.clone();
        order.sort_by_key(|&number| Reverse((self.choices[number].badness, number)));
        for number in order {
            let items = &self.choices[number].items;
            if items.iter().all(|item| times.get(item).is_some_and(|&n| n > 1)) {
                for item in items {
                    times.entry(item).and_modify(|n| *n -= 1);
                }
                chosen.retain(|&other| other != number);
            }
        }
    }
}

/// What a case covers of what a criterion wants.
fn items(
    selection: &Selection,
    source_file: Option<&str>,
    number: usize,
    candidate: &Candidate,
) -> BTreeSet<Item> {
    let executed = &candidate.executed;
    let instructions = executed.instructions.iter().map(|&pc| Item::Instruction(pc));
    let call = [Item::Call];
    match selection {
        Selection::AllPaths => call.into_iter().chain([Item::Path(number)]).collect(),
        Selection::LocalPaths => {
            let trace = candidate.case.trace.term();
            let rules = trace.local_path().into_iter();
            let rules = rules.map(|(name, rule)| (name.to_owned(), rule));
            let path = Item::LocalPath(rules.collect());
            call.into_iter().chain([path]).collect()
        }
        Selection::Statements | Selection::ProgramStatements => {
            call.into_iter().chain(instructions).collect()
        }
        Selection::Branches => {
            let edges = executed.edges.iter().map(|&edge| Item::Edge(edge));
            call.into_iter().chain(instructions).chain(edges).collect()
        }
        Selection::Points(points) => {
            let is_reached = |point: &Point| match point {
                Point::Code(None, Spot::Instruction(pc)) => executed.instructions.contains(pc),
                Point::Code(None, Spot::Branch(edge)) => executed.edges.contains(edge),
                // Of each target its own code is looked at.
                Point::Code(Some(_), _) => false,
                Point::Line(file, line) => {
                    let file = file.as_deref().or(source_file);
                    let mut lines = candidate.case.lines.iter();
                    lines.any(|at| Some(&*at.file) == file && at.line == *line)
                }
            };
            let reached = points.iter().enumerate().filter(|(_, point)| is_reached(point));
            reached.map(|(place, _)| Item::Point(place)).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A case that code of the package can build, of some size, and that covers instructions.
    fn choice(size: usize, instructions: &[u16]) -> Choice {
        let items = instructions.iter().map(|&pc| Item::Instruction(pc)).collect();
        Choice { items, is_buildable: true, badness: (false, false, size, 0) }
    }

    fn bare(size: usize, instructions: &[u16]) -> Choice {
        let badness = (true, false, size, 0);
        Choice { is_buildable: false, badness, ..choice(size, instructions) }
    }

    fn selected(choices: Vec<Choice>) -> Vec<usize> {
        Choices { choices }.select(&|_| false)
    }

    #[test]
    fn who_covers_most_comes_first_and_the_rest_is_filled_up() {
        let choices =
            vec![choice(1, &[1]), choice(1, &[2, 3]), choice(9, &[1, 2]), choice(1, &[4])];
        assert_eq!(selected(choices), [0, 1, 3]);
    }

    #[test]
    fn of_those_that_cover_the_same_the_simplest_is_taken() {
        assert_eq!(selected(vec![choice(3, &[1]), choice(1, &[1]), choice(1, &[1])]), [1]);
    }

    #[test]
    fn what_the_others_cover_together_is_left_out_again() {
        // The first covers most, and each other adds something.
        let choices = vec![choice(9, &[1, 2, 3, 4]), choice(1, &[1, 2, 5]), choice(1, &[3, 4, 6])];
        assert_eq!(selected(choices), [1, 2]);
    }

    #[test]
    fn what_cannot_be_built_only_adds_to_what_can() {
        let choices = vec![bare(1, &[1, 2, 3]), choice(9, &[1]), choice(9, &[2])];
        assert_eq!(selected(choices), [0]);
        let choices = vec![bare(1, &[1, 2]), choice(9, &[1]), choice(9, &[2])];
        assert_eq!(selected(choices), [1, 2]);
    }

    #[test]
    fn what_is_out_is_replaced_and_what_is_not_wanted_is_never_taken() {
        let choices = Choices { choices: vec![choice(1, &[1]), choice(2, &[1]), choice(0, &[])] };
        assert_eq!(choices.select(&|number| number == 0), [1]);
        assert!(choices.is_wanted(0) && !choices.is_wanted(2));
        assert_eq!(choices.select(&|number| number < 2), Vec::<usize>::new());
    }
}
