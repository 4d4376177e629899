//! Resource-driven generation ("Resource-driven CLP-based Test Case Generation", section 4): an abstraction follows the
//! derivation, and ways are left whose costs the policy cannot want; for a worst case, the way that may cost most comes first.
//!
//! The cases are those of resource-aware generation (Theorem 1), and nothing is derived that that does not derive. What the
//! abstraction costs is kept small beside that: first it has to bound the costs of the call for little work, then it has to
//! leave enough of the ways that it is asked about. Else the rest is derived without it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use petrel_abstraction::{
    AbstractProgram, Derivation, Followed, Modes, Place, Precision, Prospect,
};
use petrel_budget::Purse;
use petrel_engine::{AppliedRule, Forecast};

use super::guided::{abstract_program, settings};
use super::names::RuleNames;
use super::worker::{Goal, Progress, Worker};
use super::{GenerateError, Options, Oracle};
use crate::case::{Case, Summary};
use crate::policy::CostCondition;

/// A tree that costs less is derived without an abstraction.
const SMALL_TREE: u64 = 250;
/// To bound the costs of the call an abstraction may cost so much, and beyond that as much as was derived so far.
const FIRST_WORK: u64 = 40_000;
/// Of the ways that it is asked about, an abstraction has to leave one of so many, once it was asked about enough of them.
const PARTS_LEFT: u64 = 8;
const ENOUGH_ASKED: u64 = 200;

/// Generates the cases that a policy wants.
pub(super) fn generate(
    goal: &Goal<'_, '_>,
    emit: &mut dyn FnMut(Case) -> bool,
) -> Result<Summary, GenerateError> {
    let goal = &Goal { ..*goal };
    let program = abstract_program(goal)?;
    let precision = match goal.options.oracle {
        Oracle::Enhanced => Precision::Enhanced { observes_sizes: true },
        Oracle::Naive | Oracle::Estimate | Oracle::None => Precision::Naive,
    };
    let modes = Modes::of(&program, precision);
    let costing = super::costing(goal.procedures, goal.method, goal.options);
    let purse = goal.purse.with_work(u64::MAX);
    let derivation =
        Derivation::new(&program, &modes, &costing, settings(goal.options)).paid_from(&purse);
    let mut outlook = Outlook::new(goal, &derivation);
    let news = Rc::clone(&outlook.news);
    let foretold = Foretold::new(goal, &program, &outlook);
    let mut worker = Worker::new(goal)?;
    worker.look_ahead(Some(Box::new(foretold)));
    let mut summary = Summary::default();
    let parts = goal.options.parts.to_vec();
    worker.explore(parts, &mut summary, &mut |worker, case| {
        let goes_on = case.is_none_or(&mut *emit);
        news.least.set(worker.least_of_best());
        outlook.look();
        Progress::from(goes_on)
    })?;
    worker.look_ahead(None);
    // Beyond the criterion there may be more.
    summary.ends.cut = summary.ends.cut.max(news.has_left_cut.get().into());
    Ok(summary)
}

/// Whether the abstraction is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Mode {
    /// Not yet.
    #[default]
    Waiting,
    Asked,
    /// Not any more: it is not worth what it costs.
    Useless,
}

/// What those tell each other who derive and who look ahead.
#[derive(Default)]
struct News {
    mode: Cell<Mode>,
    /// Cases that cost as much, or less, are of no interest.
    least: Cell<Option<i64>>,
    /// Whether something was left that the criterion may cut.
    has_left_cut: Cell<bool>,
}

/// The models that a policy asks about.
fn models(options: &Options) -> Vec<usize> {
    let bounded = options.policy.conditions.iter().filter_map(CostCondition::least);
    let ranked = options.policy.ranking.iter().map(|ranking| ranking.model.clone());
    let names = bounded.map(|(model, _)| model).chain(ranked);
    names.filter_map(|model| options.model(&model)).collect()
}

/// Looks for bounds of the whole call.
struct Outlook<'a> {
    derivation: &'a Derivation<'a>,
    prospect: Rc<RefCell<Prospect<'a>>>,
    models: Vec<usize>,
    news: Rc<News>,
    /// What everything is paid from, and what was spent before.
    purse: &'a Purse,
    before: u64,
    /// Looks again when the tree has cost so much.
    next: u64,
}

impl<'a> Outlook<'a> {
    fn new(goal: &'a Goal<'a, 'a>, derivation: &'a Derivation<'a>) -> Outlook<'a> {
        let prospect = Prospect::new(derivation, goal.method, !goal.options.exceptions);
        Outlook {
            derivation,
            prospect: Rc::new(RefCell::new(prospect)),
            models: models(goal.options),
            news: Rc::default(),
            purse: goal.purse,
            before: goal.purse.spent(),
            next: SMALL_TREE,
        }
    }

    /// Goes on to look for the bounds, if it is time.
    fn look(&mut self) {
        let spent = self.derivation.spent();
        let of_tree = self.purse.spent().saturating_sub(self.before).saturating_sub(spent);
        if self.news.mode.get() != Mode::Waiting || of_tree < self.next {
            return;
        }
        self.next = of_tree.saturating_add(of_tree / 2).max(FIRST_WORK);
        self.derivation.spend_up_to(of_tree.max(FIRST_WORK));
        let mut prospect = self.prospect.borrow_mut();
        let first = prospect.first();
        for &model in &self.models {
            prospect.most(&first, model);
        }
        if !self.derivation.is_over() {
            // Upper bounds end a path where it exceeds them.
            let is_asked = !self.models.is_empty();
            self.news.mode.set(if is_asked { Mode::Asked } else { Mode::Useless });
            self.derivation.spend_up_to(u64::MAX);
        }
    }
}

/// Foretells costs.
struct Foretold<'a> {
    options: &'a Options,
    prospect: Rc<RefCell<Prospect<'a>>>,
    names: RuleNames,
    news: Rc<News>,
    /// The rules that the derivation has applied, those that the abstraction has followed, and where it is.
    log: Vec<Followed>,
    n_followed: usize,
    place: Place,
    /// What was asked about ways from here.
    asked: Vec<(Followed, Place)>,
    marks: Vec<Mark>,
    /// How many ways it was asked about, and how many of them were left.
    n_asked: u64,
    n_left: u64,
}

/// Where a derivation was.
struct Mark {
    n_applied: usize,
    n_followed: usize,
    place: Place,
    asked: Vec<(Followed, Place)>,
}

impl<'a> Foretold<'a> {
    fn new(
        goal: &'a Goal<'a, 'a>,
        program: &'a AbstractProgram<'a>,
        outlook: &Outlook<'a>,
    ) -> Foretold<'a> {
        Foretold {
            options: goal.options,
            prospect: Rc::clone(&outlook.prospect),
            names: RuleNames::new(program),
            news: Rc::clone(&outlook.news),
            log: Vec::new(),
            n_followed: 0,
            place: outlook.prospect.borrow().first(),
            asked: Vec::new(),
            marks: Vec::new(),
            n_asked: 0,
            n_left: 0,
        }
    }

    /// Follows the derivation to where it is, and notes where it was on the way.
    fn catch_up(&mut self) {
        let prospect = self.prospect.borrow();
        let first_mark = self.marks.partition_point(|mark| mark.n_applied <= self.n_followed);
        let mut marks = self.marks[first_mark..].iter_mut().peekable();
        while self.n_followed < self.log.len() {
            let followed = self.log[self.n_followed];
            let known = self.asked.iter().find(|(other, _)| *other == followed);
            self.place = match known {
                Some((_, place)) => place.clone(),
                None => prospect.after(&self.place, followed),
            };
            self.asked.clear();
            self.n_followed += 1;
            while let Some(mark) = marks.next_if(|mark| mark.n_applied == self.n_followed) {
                (mark.n_followed, mark.place) = (self.n_followed, self.place.clone());
            }
        }
    }

    /// Notes what the answer was about a way. An abstraction that leaves nearly nothing is not worth what it costs.
    fn note(&mut self, is_left: bool) {
        self.n_asked += 1;
        self.n_left += u64::from(is_left);
        if self.n_asked >= ENOUGH_ASKED && self.n_left * PARTS_LEFT < self.n_asked {
            self.news.mode.set(Mode::Useless);
        }
    }

    /// The largest cost that is foretold, if the policy may want it: of a place, with what was spent before what is foretold.
    fn wanted(&mut self, place: &Place, rule: Option<Followed>, spent: &[i64]) -> Option<i64> {
        let options = self.options;
        let mut prospect = self.prospect.borrow_mut();
        let mut most = |model: usize| {
            let (ahead, is_cut) = prospect.most(place, model);
            let of_rule = rule.map_or(0, |rule| prospect.of_rule(rule, model));
            let sum = |ahead: i64| spent[model].saturating_add(of_rule).saturating_add(ahead);
            (ahead.map(sum), is_cut)
        };
        let mut may_be_cut = false;
        let mut is_wanted = true;
        for condition in &options.policy.conditions {
            if let Some((name, least)) = condition.least()
                && let Some(model) = options.model(&name)
            {
                let (most, is_cut) = most(model);
                is_wanted &= most.is_some_and(|most| most >= least);
                may_be_cut |= is_cut;
            }
        }
        let mut promise = 0;
        let ranking = options.policy.ranking.as_ref();
        if let Some(model) = ranking.and_then(|ranking| options.model(&ranking.model)) {
            let (most, is_cut) = most(model);
            let least = self.news.least.get();
            is_wanted &= most.is_some_and(|most| least.is_none_or(|least| most > least));
            may_be_cut |= is_cut;
            promise = most.unwrap_or_default();
        }
        if !is_wanted && may_be_cut {
            self.news.has_left_cut.set(true);
        }
        is_wanted.then_some(promise)
    }
}

impl Forecast for Foretold<'_> {
    fn start(&mut self) {
        self.log.clear();
        self.n_followed = 0;
        self.place = self.prospect.borrow().first();
        self.asked.clear();
    }

    fn apply(&mut self, rule: &AppliedRule<'_>) {
        self.log.push((self.names.of(rule), rule.depth));
    }

    fn promise(&mut self, next: Option<&[AppliedRule<'_>]>, spent: &[i64]) -> Option<i64> {
        if self.news.mode.get() != Mode::Asked {
            return Some(0);
        }
        self.catch_up();
        let here = self.place.clone();
        let mut promise = match next {
            Some(_) => None,
            None => self.wanted(&here, None, spent),
        };
        for rule in next.unwrap_or_default() {
            let followed = (self.names.of(rule), rule.depth);
            let known = self.asked.iter().find(|(other, _)| *other == followed);
            let place = match known {
                Some((_, place)) => place.clone(),
                None => {
                    let place = self.prospect.borrow().after(&here, followed);
                    self.asked.push((followed, place.clone()));
                    place
                }
            };
            promise = promise.max(self.wanted(&place, Some(followed), spent));
        }
        self.note(promise.is_none());
        promise
    }

    fn open_choice(&mut self) {
        self.marks.push(Mark {
            n_applied: self.log.len(),
            n_followed: self.n_followed,
            place: self.place.clone(),
            asked: self.asked.clone(),
        });
    }

    fn go_back(&mut self) {
        if let Some(mark) = self.marks.last() {
            self.log.truncate(mark.n_applied);
            self.n_followed = mark.n_followed;
            self.place = mark.place.clone();
            self.asked.clone_from(&mark.asked);
        }
    }

    fn close_choice(&mut self) {
        self.marks.pop();
    }
}
