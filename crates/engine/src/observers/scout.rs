//! Derivations that know what may follow: somebody who looks ahead says what a path may still come to. Ways that lead to
//! nothing that is wanted are not taken, and the most promising one is taken first.
//!
//! Nothing is derived that a derivation of all paths would not derive: the tree is the same, walked in another order,
//! with parts left out.

use petrel_clp::MethodRef;
use petrel_cost::Costs;

use super::ahead::NextRules;
use super::{Ahead, Event, Observer};
use crate::machine::{Halt, Machine, Step};

/// A rule of the program that a derivation applies, or may apply next.
#[derive(Debug, Clone, Copy)]
pub struct AppliedRule<'a> {
    /// Its number among all rules of the machine.
    pub number: u32,
    /// The method that has it.
    pub method: &'a MethodRef,
    /// The predicate in the method.
    pub predicate: u32,
    /// The rule in the predicate, from 0.
    pub rule: u32,
    /// How many calls are under way.
    pub depth: u32,
}

/// Foretells what paths may come to. It follows the derivation and is where that is.
pub trait Forecast {
    /// A derivation starts.
    fn start(&mut self);

    /// A rule is applied.
    fn apply(&mut self, rule: &AppliedRule<'_>);

    /// What the path may come to if one of some rules is applied next, or, without, from where it is. `spent` is what it
    /// costs so far, at most, for each model that is measured. What is larger is followed first; `None` is left.
    fn promise(&mut self, next: Option<&[AppliedRule<'_>]>, spent: &[i64]) -> Option<i64>;

    /// The place here can be gone back to.
    fn open_choice(&mut self);

    /// Goes back to the last choice.
    fn go_back(&mut self);

    /// The last choice was just gone back to for the last time.
    fn close_choice(&mut self);
}

/// Asks somebody who looks ahead.
pub(super) struct Scout<'p> {
    forecast: Box<dyn Forecast + 'p>,
    /// What is not known of arrays is that they have no more elements.
    longest_array: i64,
    next_rules: NextRules,
    /// Whether a way has been gone back to whose promise is that of an earlier time.
    is_in_doubt: bool,
}

impl Scout<'_> {
    fn spent(&self, machine: &Machine<'_>) -> Costs {
        machine.most_spent(self.longest_array)
    }

    /// What a way promises.
    fn promise(&mut self, machine: &Machine<'_>, way: Ahead) -> Option<i64> {
        let spent = self.spent(machine);
        let code = &machine.code;
        let next = match way {
            Ahead::Code(address) => self.next_rules.from(code, address),
            Ahead::Choice(_) => None,
        };
        let Some(next) = next else { return self.forecast.promise(None, &spent) };
        let rules: Vec<AppliedRule<'_>> = next.iter().map(|&rule| applied(machine, rule)).collect();
        self.forecast.promise(Some(&rules), &spent)
    }
}

fn applied<'m>(machine: &'m Machine<'_>, number: u32) -> AppliedRule<'m> {
    let origin = machine.code.rule_origin(number);
    let method = &machine.code.rules_shown()[number as usize].method;
    let (predicate, rule) = (origin.predicate, origin.rule);
    AppliedRule { number, method, predicate, rule, depth: machine.depth() }
}

impl Observer for Scout<'_> {
    fn start(&mut self) {
        self.is_in_doubt = false;
        self.forecast.start();
    }

    fn see(&mut self, machine: &mut Machine<'_>, event: Event<'_>) -> Step {
        let Event::Rule { number, of_library: false } = event else { return Ok(()) };
        self.forecast.apply(&applied(machine, number));
        if std::mem::take(&mut self.is_in_doubt) {
            let spent = self.spent(machine);
            if self.forecast.promise(None, &spent).is_none() {
                return Err(Halt::Astray);
            }
        }
        Ok(())
    }

    fn open_choice(&mut self) {
        self.forecast.open_choice();
    }

    fn go_back(&mut self) -> bool {
        self.is_in_doubt = true;
        self.forecast.go_back();
        true
    }

    fn close_choice(&mut self) {
        self.forecast.close_choice();
    }
}

impl<'p> Machine<'p> {
    /// Derives paths from now on as somebody suggests who looks ahead; in the order of the tree, and all of them, with `None`.
    /// Arrays of unknown lengths are taken to be no longer than the limit.
    pub fn look_ahead(&mut self, forecast: Option<Box<dyn Forecast + 'p>>, longest_array: u32) {
        self.observers.scout = forecast.map(|forecast| {
            Box::new(Scout {
                forecast,
                longest_array: longest_array.into(),
                next_rules: NextRules::default(),
                is_in_doubt: false,
            })
        });
    }

    /// What a way promises; `None` if it leads to nothing that is wanted. Without somebody who looks ahead, all promise
    /// the same.
    pub(crate) fn promise_of(&mut self, way: Ahead) -> Option<i64> {
        if !self.observation.has_begun {
            return Some(0);
        }
        let Some(mut scout) = self.observers.scout.take() else { return Some(0) };
        let promise = scout.promise(self, way);
        self.observers.scout = Some(scout);
        promise
    }
}
