//! What the steps of a derivation cost: at least and at most.

use std::cell::RefCell;

use petrel_clp::{Literal, MethodRef, Operand, PredicateId};
use petrel_cost::{Costing, Costs};
use rustc_hash::FxHashMap;

use crate::derive::Settings;
use crate::program::{AbstractProgram, Case, RuleName};
use crate::values::Range;

/// A cost that is not known.
pub(crate) const UNBOUNDED: i64 = i64::MAX / 4;

/// The prices of rules, arrays and calls.
pub(crate) struct Prices<'a> {
    program: &'a AbstractProgram<'a>,
    costing: &'a Costing<'a>,
    /// The longest array.
    max_array: u32,
    /// See [`Settings::estimates`].
    estimates: Option<Vec<Costs>>,
    /// Costs of rules that were asked for.
    rules: RefCell<FxHashMap<RuleName, Costs>>,
}

/// What something costs, for each model: at least, and at most.
#[derive(Debug, Clone)]
pub(crate) struct Price {
    pub(crate) least: Costs,
    pub(crate) most: Costs,
}

impl Price {
    /// Adds what certainly comes to it.
    pub(crate) fn add(&mut self, costs: &Costs) {
        add_costs(&mut self.least, costs);
        add_costs(&mut self.most, costs);
    }

    /// Adds what may come to it.
    pub(crate) fn add_possible(&mut self, costs: &Costs) {
        add_costs(&mut self.most, costs);
    }
}

impl<'a> Prices<'a> {
    pub(crate) fn new(
        program: &'a AbstractProgram<'a>,
        costing: &'a Costing<'a>,
        settings: &Settings,
    ) -> Prices<'a> {
        Prices {
            program,
            costing,
            max_array: settings.max_array,
            estimates: settings.estimates.clone(),
            rules: RefCell::default(),
        }
    }

    /// How many models there are.
    pub(crate) fn models(&self) -> usize {
        self.costing.models().len()
    }

    /// What a rule costs without its arrays and its call.
    pub(crate) fn of_rule(&self, name: RuleName) -> Price {
        if let Some(known) = self.rules.borrow().get(&name) {
            return Price { least: known.clone(), most: known.clone() };
        }
        let procedure = self.program.procedure(name.procedure);
        let costs =
            self.costing.of_rule(procedure, PredicateId(name.predicate), name.rule as usize);
        self.rules.borrow_mut().insert(name, costs.clone());
        Price { least: costs.clone(), most: costs }
    }

    /// The most that something may cost of which nothing is known.
    pub(crate) fn of_unknown(&self) -> i64 {
        if self.estimates.is_some() { 0 } else { UNBOUNDED }
    }

    /// The most that a call may cost that is left open, besides the call itself.
    pub(crate) fn of_open_call(&self, cases: &[Case]) -> Costs {
        let unknown = self.unknown();
        let Some(estimates) = &self.estimates else { return unknown };
        cases.iter().fold(unknown, |most, case| {
            let of_case = &estimates[case.procedure as usize];
            most.iter().zip(of_case).map(|(most, of_case)| *most.max(of_case)).collect()
        })
    }

    /// As [`Prices::of_unknown`], for each model.
    pub(crate) fn unknown(&self) -> Costs {
        std::iter::repeat_n(self.of_unknown(), self.models()).collect()
    }

    /// What a call costs besides the rules that it applies.
    pub(crate) fn of_call(&self, caller: RuleName, callee: &MethodRef) -> Costs {
        self.costing.of_call(Some(self.program.procedure(caller.procedure)), callee)
    }

    /// Adds what an array costs that a literal makes, or several.
    pub(crate) fn add_arrays(
        &self,
        name: RuleName,
        literal: &Literal,
        length: impl FnOnce(Operand) -> Option<Range>,
        price: &mut Price,
    ) {
        match literal {
            Literal::NewArray { class, length: of, .. } => {
                let class = self.program.procedure(name.procedure).tables.class_name(*class);
                self.add_array(name, class, length(*of), price);
            }
            Literal::NewMultiArray { .. } => price.add_possible(&self.unknown()),
            _ => {}
        }
    }

    fn add_array(&self, name: RuleName, class: &str, length: Option<Range>, price: &mut Price) {
        let (low, high) = length.unwrap_or((0, i64::from(i32::MAX)));
        let longest = i64::from(self.max_array).max(low);
        let costs = self.costing.of_array(self.program.procedure(name.procedure), class);
        let Price { least, most } = price;
        for (model, cost) in costs.iter().enumerate() {
            let Some(cost) = cost else { continue };
            least[model] = least[model].saturating_add(cost.of_length(low.max(0)));
            most[model] = most[model].saturating_add(cost.of_length(high.min(longest).max(0)));
        }
    }
}

/// Adds costs model by model.
pub(crate) fn add_costs(costs: &mut Costs, more: &Costs) {
    for (cost, more) in costs.iter_mut().zip(more) {
        *cost = cost.saturating_add(*more);
    }
}
