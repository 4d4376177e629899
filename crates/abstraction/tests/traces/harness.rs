//! Rules in, traces out: one line for each trace, in the order in which they come.

use std::fmt::Write;

use petrel_abstraction::{
    AbstractProgram, Derivation, Modes, Order, Precision, RuleName, Search, Settings, rules, slice,
};
use petrel_clp::Termination;
use petrel_cost::{Costing, Model, Scope};
use petrel_testbed::Testbed;

pub(crate) const ENHANCED: Precision = Precision::Enhanced { observes_sizes: false };

/// Traces of a procedure: the first one of a text.
#[derive(Clone)]
pub(crate) struct Tracing {
    pub(crate) precision: Precision,
    pub(crate) termination: Termination,
    pub(crate) domain: Option<(i64, i64)>,
    pub(crate) without_exceptions: bool,
    pub(crate) follows_calls: bool,
    /// A cost model, by which the most expensive traces come first.
    pub(crate) most_expensive: Option<&'static str>,
    /// A line, or nothing: whatever leads there comes first, and nothing else comes at all.
    pub(crate) towards_line: Option<u16>,
    /// Of each trace, how many rules the program follows, if it does not follow all of them.
    pub(crate) refuted: fn(&str) -> Option<usize>,
}

impl Default for Tracing {
    fn default() -> Tracing {
        Tracing {
            precision: ENHANCED,
            termination: Termination::Loop(2),
            domain: None,
            without_exceptions: false,
            follows_calls: true,
            most_expensive: None,
            towards_line: None,
            refuted: |_| None,
        }
    }
}

/// The traces of an abstraction within the usual criterion.
pub(crate) fn traces(precision: Precision, text: &str) -> String {
    Tracing { precision, ..Tracing::default() }.traces(text)
}

/// The rules of an abstraction.
pub(crate) fn abstraction(precision: Precision, text: &str) -> String {
    let testbed = Testbed::new(text).expect("the text is a program");
    let procedures = testbed.procedures().expect("its classes load");
    let (target, _) = testbed.target().expect("it has a procedure");
    let project = testbed.project();
    let program = AbstractProgram::of(&procedures, &project, &target).expect("it has rules");
    rules(&program, &Modes::of(&program, precision), None)
}

impl Tracing {
    pub(crate) fn traces(&self, text: &str) -> String {
        let testbed = Testbed::new(text).expect("the text is a program");
        let procedures = testbed.procedures().expect("its classes load");
        let (target, _) = testbed.target().expect("it has a procedure");
        let project = testbed.project();
        let program = AbstractProgram::of(&procedures, &project, &target).expect("it has rules");
        let modes = Modes::of(&program, self.precision);
        let unread = |_: &std::path::Path| Err(std::io::ErrorKind::NotFound.into());
        let models = self
            .most_expensive
            .iter()
            .map(|name| Model::parse(name, &unread).expect("there is such a model"));
        let class = target.class().name().to_owned();
        let costing =
            Costing::new(testbed.program(), models.collect(), Scope::default(), &class, 17);
        let goals = self.towards_line.map(|line| slice::at_line(&program, None, line));
        let kept = goals.as_ref().map(|goals| slice::towards(&program, goals));
        let settings = Settings {
            termination: self.termination,
            domain: self.domain,
            max_array: 64,
            slice: kept,
            follows_calls: self.follows_calls,
            estimates: None,
        };
        let derivation = Derivation::new(&program, &modes, &costing, settings);
        let order = match (goals, self.most_expensive) {
            (Some(goals), _) => Order::Shortest(goals),
            (None, Some(_)) => Order::MostExpensive(0),
            (None, None) => Order::Tree,
        };
        let mut search = Search::new(&derivation, &target, order, self.without_exceptions);
        let mut shown = String::new();
        while let Some(candidate) = search.next_trace() {
            let trace = candidate.trace.to_string();
            let end = match candidate.threw {
                Some(true) => "throws",
                Some(false) => "returns",
                None => "goes on",
            };
            let cost = match candidate.most[..] {
                [] => String::new(),
                [most, ..] => format!(", at most {most}"),
            };
            let _ = writeln!(shown, "{trace} {end}{cost}");
            if let Some(followed) = (self.refuted)(&trace) {
                search.refute(&candidate, followed);
            }
        }
        if search.cut > 0 {
            let _ = writeln!(shown, "{} cut", search.cut);
        }
        shown
    }
}

/// Whether an abstraction keeps each parameter of the target's first predicate.
pub(crate) fn kept_parameters(precision: Precision, text: &str) -> Vec<(String, bool)> {
    let testbed = Testbed::new(text).expect("the text is a program");
    let procedures = testbed.procedures().expect("its classes load");
    let (target, names) = testbed.target().expect("it has a procedure");
    let project = testbed.project();
    let program = AbstractProgram::of(&procedures, &project, &target).expect("it has rules");
    let modes = Modes::of(&program, precision);
    let first = RuleName { procedure: 0, predicate: 0, rule: 0 };
    let entry = &program.procedures[0].procedure.predicates[0];
    let skipped = entry.parameters.len() - names.len();
    let kept = |position: usize| modes.keeps_parameter(first.procedure, first.predicate, position);
    let kept = names.iter().enumerate().map(|(at, name)| (name.to_string(), kept(skipped + at)));
    kept.collect()
}
