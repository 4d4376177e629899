//! A static estimate of what methods cost: for an oracle that leads executions through costly methods
//! ("Resource-driven CLP-based Test Case Generation", section 4).
//!
//! The estimate of a method is the cost of the most expensive way through its predicates. Loops count as
//! often as the criterion lets them iterate, and so do methods that call themselves. Nothing is known of
//! values: arrays are of the shortest length. So it is neither an upper nor a lower bound.

use petrel_clp::{End, Literal, PredicateId, Termination};
use petrel_cost::{Costing, Costs};

use crate::prices::add_costs;
use crate::program::{AbstractProgram, RuleName, Target};

/// What a call of each procedure costs, by estimate.
pub fn estimates(
    program: &AbstractProgram<'_>,
    costing: &Costing<'_>,
    termination: Termination,
) -> Vec<Costs> {
    let iterations = i64::from(termination.bound().most().max(1));
    let known = vec![Known::Not; program.procedures.len()];
    let mut estimator = Estimator { program, costing, iterations, known };
    (0..program.procedures.len() as u32).map(|procedure| estimator.of(procedure)).collect()
}

#[derive(Clone)]
enum Known {
    Not,
    /// It is being found; whether it was asked for meanwhile.
    Underway {
        is_recursive: bool,
    },
    Costs(Costs),
}

struct Estimator<'a> {
    program: &'a AbstractProgram<'a>,
    costing: &'a Costing<'a>,
    iterations: i64,
    known: Vec<Known>,
}

/// Calls that are nested deeper than this count nothing.
const MOST_DEPTH: usize = 200;

impl Estimator<'_> {
    fn nothing(&self) -> Costs {
        std::iter::repeat_n(0, self.costing.models().len()).collect()
    }

    fn of(&mut self, procedure: u32) -> Costs {
        let depth = self.known.iter().filter(|of| matches!(of, Known::Underway { .. })).count();
        match &mut self.known[procedure as usize] {
            Known::Costs(costs) => return costs.clone(),
            Known::Underway { is_recursive } => {
                *is_recursive = true;
                return self.nothing();
            }
            Known::Not if depth >= MOST_DEPTH => return self.nothing(),
            known @ Known::Not => *known = Known::Underway { is_recursive: false },
        }
        let mut costs = self.longest(procedure);
        let known = &mut self.known[procedure as usize];
        if matches!(known, Known::Underway { is_recursive: true }) {
            scale(&mut costs, self.iterations.saturating_add(1));
        }
        *known = Known::Costs(costs.clone());
        costs
    }

    /// The most expensive way from the first predicate to an end, for each model by itself.
    fn longest(&mut self, procedure: u32) -> Costs {
        let count = self.program.procedure(procedure).predicates.len();
        let mut of_predicates: Vec<Option<Costs>> = vec![None; count];
        let mut is_open = vec![false; count];
        let mut open = vec![0];
        // What follows a predicate is found before it; ways back to what is open are loops.
        while let Some(&predicate) = open.last() {
            is_open[predicate] = true;
            let missing = self
                .following(procedure, predicate)
                .into_iter()
                .find(|&next| of_predicates[next].is_none() && !is_open[next]);
            if let Some(next) = missing {
                open.push(next);
                continue;
            }
            of_predicates[predicate] =
                Some(self.of_predicate(procedure, predicate, &of_predicates));
            open.pop();
        }
        of_predicates.swap_remove(0).unwrap_or_else(|| self.nothing())
    }

    fn following(&self, procedure: u32, predicate: usize) -> Vec<usize> {
        let rules = &self.program.procedure(procedure).predicates[predicate].rules;
        let next = rules.iter().filter_map(|rule| match &rule.end {
            End::Continue(next, _) => Some(next.index()),
            End::Return(_) | End::Throw(_) => None,
        });
        next.collect()
    }

    fn of_predicate(
        &mut self,
        procedure: u32,
        predicate: usize,
        of_predicates: &[Option<Costs>],
    ) -> Costs {
        let program = self.program;
        let loops = &program.procedures[procedure as usize].loops;
        let innermost = loops.innermost.get(predicate).copied().flatten();
        let depth = std::iter::successors(innermost, |&of| loops.loops[of].parent).count();
        let weight = self.iterations.saturating_pow(depth as u32);
        let count = program.procedure(procedure).predicates[predicate].rules.len() as u32;
        let mut most = self.nothing();
        for rule in 0..count {
            let name = RuleName { procedure, predicate: predicate as u32, rule };
            let mut costs = self.of_rule(name);
            scale(&mut costs, weight);
            if let End::Continue(next, _) = &program.rule(name).end
                && let Some(ahead) = &of_predicates[next.index()]
            {
                add_costs(&mut costs, ahead);
            }
            raise(&mut most, &costs);
        }
        most
    }

    fn of_rule(&mut self, name: RuleName) -> Costs {
        let program = self.program;
        let procedure = program.procedure(name.procedure);
        let predicate = PredicateId(name.predicate);
        let mut costs = self.costing.of_rule(procedure, predicate, name.rule as usize);
        for literal in program.rule(name).literals() {
            if let Literal::NewArray { class, .. } = literal {
                let of_array =
                    self.costing.of_array(procedure, procedure.tables.class_name(*class));
                for (cost, of_array) in costs.iter_mut().zip(&of_array) {
                    let more = of_array.as_ref().map_or(0, |cost| cost.of_length(1));
                    *cost = cost.saturating_add(more);
                }
            }
        }
        if let Target::Inside { cases, .. } = program.target(name) {
            let mut most = self.nothing();
            for case in cases.iter() {
                let callee = &program.procedure(case.procedure).method;
                let mut of_callee = self.costing.of_call(Some(procedure), callee);
                add_costs(&mut of_callee, &self.of(case.procedure));
                raise(&mut most, &of_callee);
            }
            add_costs(&mut costs, &most);
        }
        costs
    }
}

fn scale(costs: &mut Costs, factor: i64) {
    costs.iter_mut().for_each(|cost| *cost = cost.saturating_mul(factor));
}

fn raise(most: &mut Costs, others: &Costs) {
    for (most, other) in most.iter_mut().zip(others) {
        *most = (*most).max(*other);
    }
}
