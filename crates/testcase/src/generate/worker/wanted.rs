//! Which paths a policy lets become cases, and what it demands of their inputs.

use petrel_clp::Comparison;
use petrel_cost::Model;
use petrel_engine::{CostSum, Linear, Required};
use petrel_value::{Object, Value};

use super::super::Options;
use super::super::rank::Best;
use super::Worker;
use crate::case::Case;
use crate::policy::{CostCondition, LinearCondition, Sum};

/// Whether a path becomes a case.
pub(super) enum Wanted {
    If {
        /// What the policy demands of the inputs, where the path does not demand it anyway.
        conditions: Vec<String>,
        /// Whether the constraints of the path demand more than that, so that no number is too large.
        is_narrower: bool,
    },
    No,
    /// Numbers would be too large to say.
    Undecided,
}

impl Worker<'_> {
    /// Whether the policy lets the path become a case. What it demands of the inputs is demanded from now
    /// on.
    pub(super) fn wanted(&mut self) -> Wanted {
        let options = self.goal.options;
        let (mut conditions, mut is_any_narrower) = (Vec::new(), false);
        for condition in &options.policy.conditions {
            let sum = cost_sum(options, &condition.difference());
            let comparison = condition.comparison;
            if is_live(options, &sum) {
                if !self.may_be_live(&sum, comparison) {
                    return Wanted::No;
                }
                continue;
            }
            // A cost that is a number needs no words.
            let linear = self.explorer.linear_sum(&sum).filter(|(_, terms)| !terms.is_empty());
            let is_certain = linear.is_none() || self.explorer.satisfies_anyway(&sum, comparison);
            match self.explorer.require_costs(&sum, comparison) {
                Required::Yes { is_narrower } => is_any_narrower |= is_narrower,
                Required::No => return Wanted::No,
                Required::Undecided => return Wanted::Undecided,
            }
            if let Some(before) = linear.filter(|_| !is_certain) {
                let then = self.explorer.linear_sum(&sum);
                told(before, comparison, then).add_to(&mut conditions);
            }
        }
        let conditions = conditions.iter().map(ToString::to_string).collect();
        let wanted = Wanted::If { conditions, is_narrower: is_any_narrower };
        let Some(ranking) = &options.policy.ranking else { return wanted };
        let Some(model) = options.model(&ranking.model) else { return wanted };
        let least = self.best.as_ref().and_then(Best::least);
        let range = self.explorer.cost_range(model);
        if least.is_some_and(|least| range.1 <= least) {
            return Wanted::No;
        }
        // The most expensive of its inputs stands for the path.
        let is_found = range.0 == range.1 || self.explorer.maximise_cost(model).is_some();
        if is_found { wanted } else { Wanted::No }
    }
}

impl Worker<'_> {
    /// What is in use at once is known of concrete inputs alone, and is no more than what is allocated: whether that leaves a
    /// condition possible. Then it is required.
    fn may_be_live(&mut self, sum: &CostSum, comparison: Comparison) -> bool {
        let options = self.goal.options;
        let mut of_live = sum.costs.iter().filter(|(_, model)| options.models[*model].is_live());
        let wants_more = match comparison {
            Comparison::Greater | Comparison::GreaterOrEqual => {
                of_live.all(|(factor, _)| *factor > 0)
            }
            Comparison::Less | Comparison::LessOrEqual => of_live.all(|(factor, _)| *factor < 0),
            Comparison::Equal | Comparison::NotEqual => false,
        };
        !wants_more || self.explorer.require_costs(sum, comparison) != Required::No
    }

    /// Whether the first input of a case satisfies what the policy demands of what is in use at once.
    pub(super) fn is_live_wanted(&self, case: &Case) -> bool {
        let options = self.goal.options;
        options.policy.conditions.iter().all(|condition| {
            let sum = cost_sum(options, &condition.difference());
            if !is_live(options, &sum) {
                return true;
            }
            let product = |factor: i64, value: i64| i128::from(factor) * i128::from(value);
            let costs = sum.costs.iter();
            let costs = costs.map(|&(factor, model)| product(factor, case.costs[model].value));
            let inputs = sum.inputs.iter();
            let inputs = inputs
                .map(|(factor, name)| number_of(case, name).map(|value| product(*factor, value)));
            let Some(inputs) = inputs.sum::<Option<i128>>() else { return false };
            let total = i128::from(sum.constant) + costs.sum::<i128>() + inputs;
            match condition.comparison {
                Comparison::Equal => total == 0,
                Comparison::NotEqual => total != 0,
                Comparison::Less => total < 0,
                Comparison::LessOrEqual => total <= 0,
                Comparison::Greater => total > 0,
                Comparison::GreaterOrEqual => total >= 0,
            }
        })
    }

    /// Whether all inputs of the path cost the same, and no condition speaks of them.
    pub(super) fn is_cost_certain(&self) -> bool {
        let options = self.goal.options;
        let is_certain = |model: usize| {
            let (low, high) = self.explorer.cost_range(model);
            low == high
        };
        (0..options.models.len()).all(is_certain)
            && options
                .policy
                .conditions
                .iter()
                .all(|condition| cost_sum(options, &condition.difference()).inputs.is_empty())
    }
}

/// An input of a case that a policy names.
fn number_of(case: &Case, name: &str) -> Option<i64> {
    let solution = case.solutions.first()?;
    let named = |name: &str| {
        let position = case.symbolic.arguments.iter().position(|argument| argument == name)?;
        solution.arguments.get(position).copied()
    };
    if let Some(array) = name.strip_suffix(".length").and_then(named) {
        return match solution.heap.get(array)? {
            Object::Array { elements, .. } => i64::try_from(elements.len()).ok(),
            _ => None,
        };
    }
    match named(name)? {
        Value::Byte(value) => Some(value.into()),
        Value::Short(value) => Some(value.into()),
        Value::Char(value) => Some(value.into()),
        Value::Int(value) => Some(value.into()),
        Value::Long(value) => Some(value),
        _ => None,
    }
}

/// Whether a sum has a cost that is known of concrete inputs alone.
fn is_live(options: &Options, sum: &CostSum) -> bool {
    sum.costs.iter().any(|&(_, model)| options.models[model].is_live())
}

/// A condition on inputs as simply as it can be said, by what the sum is before the condition holds and then.
fn told(
    (constant, terms): Linear,
    comparison: Comparison,
    then: Option<Linear>,
) -> LinearCondition {
    if let ([(factor, of)], Some((fixed, rest))) = (terms.as_slice(), then)
        && rest.is_empty()
    {
        let value = fixed.saturating_sub(constant) / factor;
        return LinearCondition::new(vec![(1, of.clone())], Comparison::Equal, value);
    }
    LinearCondition::new(terms, comparison, constant.saturating_neg())
}

/// A sum with the numbers of its models. Names that are none are those of inputs.
fn cost_sum(options: &Options, sum: &Sum) -> CostSum {
    let mut found = CostSum { constant: sum.constant, ..CostSum::default() };
    for (factor, name) in &sum.terms {
        match options.model(name) {
            Some(model) => found.costs.push((*factor, model)),
            None => found.inputs.push((*factor, name.clone())),
        }
    }
    found
}

/// What paths may cost at most, for each model.
pub(super) fn most(options: &Options) -> Vec<Option<i64>> {
    let conditions: Vec<(String, i64)> =
        options.policy.conditions.iter().filter_map(CostCondition::most).collect();
    let of_model = |model: &Model| {
        // Of what is allocated, less may be in use at once.
        let of_it = conditions.iter().filter(|(name, _)| model.is_named(name) && !model.is_live());
        of_it.map(|(_, most)| *most).min()
    };
    options.models.iter().map(of_model).collect()
}
