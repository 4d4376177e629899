//! Two implementations beside each other ("Resource-driven CLP-based Test Case Generation", section 5: to find out which of two
//! systems performs better): what each costs at most within each bound, and what the worst input of one costs the other.

use petrel_classfile::MethodDescriptor;
use petrel_engine::{Limits, Machine, Outcome as Ended, Reason, Termination};
use petrel_program::ResolvedMethod;
use petrel_translate::cache::Procedures;

use crate::case::{Case, Outcome, Solution};
use crate::generate::{GenerateError, Options, costing, generate, import_input};
use crate::policy::{Policy, Ranking};
use crate::text::left_open;

/// What two methods cost.
#[derive(Debug, Clone)]
pub struct Versus {
    /// The methods: `pkg.Class#method(descriptor)`.
    pub targets: [String; 2],
    /// The cost model.
    pub model: String,
    /// What it counts.
    pub unit: Option<String>,
    /// The largest costs, from the smallest bound to the largest.
    pub bounds: Vec<BoundCosts>,
    /// The worst cases within the largest bound.
    pub worst: [Option<WorstCase>; 2],
    /// What keeps the costs from being comparable.
    pub doubts: Vec<String>,
    /// What keeps the search for the worst cases of each from being complete.
    pub left_open: [Vec<String>; 2],
}

/// The largest costs within a bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundCosts {
    /// The bound: `loop-3`.
    pub bound: String,
    /// What each of the methods costs at most; `None` without a case.
    pub costs: [Option<i64>; 2],
}

/// The worst case of a method.
#[derive(Debug, Clone)]
pub struct WorstCase {
    /// The case.
    pub case: Case,
    /// What it costs.
    pub cost: i64,
    /// What its input costs the other method, where that takes such inputs.
    pub on_other: Option<i64>,
}

/// From which bound on nothing changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lasting<'v> {
    /// The bound.
    pub from: &'v str,
    /// The number of the method that costs less from there on; `None` if they cost the same.
    pub better: Option<usize>,
}

impl BoundCosts {
    /// The number of the method that costs less; `None` if they cost the same, or it is not known.
    pub fn better(&self) -> Option<usize> {
        let (left, right) = (self.costs[0]?, self.costs[1]?);
        (left != right).then_some(usize::from(right < left))
    }
}

impl Versus {
    /// The first bound from which on one is better up to the largest bound; `None` if it is not known what they cost there.
    pub fn lasting(&self) -> Option<Lasting<'_>> {
        let is_known = |bound: &&BoundCosts| bound.costs.iter().all(Option::is_some);
        let better = self.bounds.last().filter(is_known)?.better();
        let from_last = self.bounds.iter().rev();
        let same = from_last.take_while(|bound| is_known(bound) && bound.better() == better);
        Some(Lasting { from: &same.last()?.bound, better })
    }
}

/// What two methods cost within each of some bounds, under one of the models of the options.
///
/// # Errors
///
/// If one of the methods or the options are not such that there could be any cases.
pub fn compare(
    procedures: &Procedures<'_>,
    methods: [&ResolvedMethod; 2],
    options: &Options,
    bounds: impl Iterator<Item = Termination>,
    model: usize,
) -> Result<Versus, (usize, GenerateError)> {
    let of = &options.models[model];
    let mut found = Versus {
        targets: methods.map(told),
        model: of.name().to_owned(),
        unit: of.unit().map(ToOwned::to_owned),
        bounds: Vec::new(),
        worst: [None, None],
        doubts: doubts_of_inputs(methods),
        left_open: [Vec::new(), Vec::new()],
    };
    for termination in bounds {
        let mut bound = BoundCosts { bound: termination.to_string(), costs: [None, None] };
        for side in [0, 1] {
            let ranking = Some(Ranking { count: Some(1), model: of.name().to_owned() });
            let policy = Policy { ranking, ..options.policy.clone() };
            let options = Options { termination, policy, ..options.clone() };
            let mut worst = None;
            let summary = generate(procedures, methods[side], &options, &mut |case| {
                worst = Some(case);
                true
            });
            let summary = summary.map_err(|error| (side, error))?;
            for line in left_open(&summary.ends) {
                if !found.left_open[side].contains(&line) {
                    found.left_open[side].push(line);
                }
            }
            found.worst[side] = worst.map(|case| {
                let cost = case.costs[model].value;
                bound.costs[side] = Some(cost);
                WorstCase { case, cost, on_other: None }
            });
        }
        found.bounds.push(bound);
    }
    if found.doubts.is_empty() {
        found.exchange(procedures, methods, options, model);
    }
    found.doubt_sizes(options);
    Ok(found)
}

impl Versus {
    /// What the worst input of each method costs the other one.
    fn exchange(
        &mut self,
        procedures: &Procedures<'_>,
        methods: [&ResolvedMethod; 2],
        options: &Options,
        model: usize,
    ) {
        let most = self.bounds.last().map_or([None, None], |bound| bound.costs);
        for side in [0, 1] {
            let other = 1 - side;
            let Some(worst) = &mut self.worst[side] else { continue };
            let Some(input) = worst.case.solutions.first() else { continue };
            let [this, that] = [&self.targets[side], &self.targets[other]];
            match price(procedures, methods[other], options, input) {
                Ok((outcome, costs)) => {
                    let cost = costs[model];
                    worst.on_other = Some(cost);
                    if outcome != worst.case.outcome {
                        self.doubts.push(format!(
                            "the worst input of {this} {}, and {that} {}: they do not do the same",
                            ends(&worst.case.outcome),
                            ends(&outcome)
                        ));
                    }
                    if let Some(most) = most[other].filter(|&most| cost > most) {
                        self.doubts.push(format!(
                            "the worst input of {this} costs {that} {cost}, more than {most}, its worst within the bound: the bound \
                             does not mean the same inputs for both"
                        ));
                    }
                }
                Err(reason) => self.doubts.push(format!(
                    "it is not known what the worst input of {this} costs {that}: {reason}"
                )),
            }
        }
    }

    /// Costs that depend on the input are those of the largest arrays that are made.
    fn doubt_sizes(&mut self, options: &Options) {
        let worst = self.targets.iter().zip(&self.worst);
        for (target, worst) in worst {
            let costs = worst.iter().flat_map(|worst| &worst.case.costs);
            let of_model = costs.filter(|cost| cost.model == self.model);
            for expression in of_model.filter_map(|cost| cost.expression.as_ref()) {
                self.doubts.push(format!(
                    "{target} costs {expression}: the number is that of arrays of at most {} elements",
                    options.max_array
                ));
            }
        }
    }
}

/// How the call of a concrete input ends, and what it costs under each model.
fn price(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    options: &Options,
    input: &Solution,
) -> Result<(Outcome, Vec<i64>), Reason> {
    let limits = Limits { assertions: options.assertions, ..Limits::default() };
    let mut machine = Machine::observing(procedures, limits, options.termination);
    machine.pay_from(&options.purse);
    machine.measure(costing(procedures, method, options), vec![None; options.models.len()]);
    machine.prepare_call(method)?;
    let observed = machine.observe_call(
        method,
        options.steps,
        |machine| {
            let inputs = input.receiver.iter().chain(&input.arguments);
            import_input(machine, method, &input.heap, (&input.statics, &input.answers), inputs)
        },
        |machine, _, ended| {
            let costs = machine.costs().iter().map(|cost| cost.constant).collect();
            match ended {
                Ended::Returned(_) => Ok((Outcome::Return, costs)),
                Ended::Threw(exception) => {
                    Ok((Outcome::Throw(machine.class_name(exception)), costs))
                }
                Ended::Stopped { reason, .. } => Err(reason),
            }
        },
    );
    observed?
}

fn ends(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Return => "returns".to_owned(),
        Outcome::Throw(class) => format!("throws {class}"),
    }
}

/// Why an input of one method is none of the other.
fn doubts_of_inputs(methods: [&ResolvedMethod; 2]) -> Vec<String> {
    let [left, right] = methods;
    let receiver = |method: &ResolvedMethod| {
        let is_called_on = !method.is_static() && !method.is_constructor();
        is_called_on.then(|| method.class().name().replace('/', "."))
    };
    let mut doubts = Vec::new();
    if receiver(left) != receiver(right) {
        let on = |method| match receiver(method) {
            Some(class) => format!("is called on a {class}"),
            None => "is called on no object".to_owned(),
        };
        let [this, that] = methods.map(told);
        doubts.push(format!(
            "the inputs are not the same: {this} {}, and {that} {}",
            on(left),
            on(right)
        ));
    }
    let parameters = |method: &ResolvedMethod| {
        let descriptor = MethodDescriptor::parse(method.descriptor()).ok();
        let types = descriptor.map_or_else(Vec::new, |parsed| parsed.parameters);
        let types: Vec<String> = types.iter().map(petrel_program::external_type).collect();
        format!("({})", types.join(", "))
    };
    let [this, that] = methods.map(parameters);
    if this != that {
        let [left, right] = methods.map(told);
        doubts.push(format!(
            "the inputs are not the same: {left} has the parameters {this}, and {right} {that}"
        ));
    }
    doubts
}

/// `pkg.Class#method(descriptor)`.
fn told(method: &ResolvedMethod) -> String {
    let class = method.class().name().replace('/', ".");
    format!("{class}#{}{}", method.name(), method.descriptor())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn versus(costs: &[[Option<i64>; 2]]) -> Versus {
        let bounds = costs.iter().zip(1..);
        Versus {
            targets: ["A#m()V".to_owned(), "B#n()V".to_owned()],
            model: "instructions".to_owned(),
            unit: None,
            bounds: bounds
                .map(|(&costs, number)| BoundCosts { bound: format!("loop-{number}"), costs })
                .collect(),
            worst: [None, None],
            doubts: Vec::new(),
            left_open: [Vec::new(), Vec::new()],
        }
    }

    #[track_caller]
    fn check(costs: &[(i64, i64)], from: &str, better: Option<usize>) {
        let costs: Vec<_> = costs.iter().map(|&(left, right)| [Some(left), Some(right)]).collect();
        assert_eq!(versus(&costs).lasting(), Some(Lasting { from, better }));
    }

    #[test]
    fn one_is_better_from_the_first_bound_on_after_which_it_always_is() {
        check(&[(1, 2), (5, 4), (9, 6), (20, 8)], "loop-2", Some(1));
        check(&[(5, 4), (1, 2), (5, 4), (1, 2)], "loop-4", Some(0));
        check(&[(1, 2), (3, 4)], "loop-1", Some(0));
        check(&[(1, 2), (3, 3), (4, 4)], "loop-2", None);
    }

    #[test]
    fn what_is_not_known_is_not_compared() {
        assert_eq!(versus(&[]).lasting(), None);
        assert_eq!(versus(&[[Some(1), Some(2)], [Some(1), None]]).lasting(), None);
        let late = versus(&[[None, Some(1)], [Some(1), Some(2)], [Some(1), Some(3)]]);
        assert_eq!(late.lasting(), Some(Lasting { from: "loop-2", better: Some(0) }));
    }
}
