//! What is assumed of the initial heap holds for every input that is generated, and every small heap that
//! is as assumed takes the path of a case: an assumption takes away neither too little nor too much.
//!
//! The methods are those of `fixtures/heap`, the assumptions a sample of those that can be made of their
//! receivers, parameters and fields. A plain function on concrete heaps is the judge; whether an object
//! is valid is found out by derivation. `METHOD=reverse` looks only at methods with that in their names.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use petrel_checks::Part;
use petrel_filetests::heaps::{
    Bounded, Ending, Input, Observer, Target, Way, Workshop, assumptions, bounded_cases,
    check_methods, holds, invariant,
};
use petrel_filetests::sample::sample;
use petrel_filetests::symbolic::contradictions;
use petrel_testcase::{Assumption, Options, Termination};
use petrel_value::{Object, Value};

/// Of more heaps of up to three objects there is a sample.
const MOST_HEAPS: usize = 400;
/// So many larger heaps.
const MORE_HEAPS: usize = 100;
/// A bound with more cases is too large.
const MOST_CASES: usize = 100;
const BOUNDS: std::ops::RangeInclusive<u32> = 1..=3;
/// How many inputs of a case are looked at.
const SOLUTIONS: usize = 5;
/// How many assumptions are tried on a method.
const MOST_ASSUMPTIONS: usize = 8;
/// Rule applications after which an input is taken for one that has no end.
const MOST_STEPS: u64 = 300;
/// There are methods enough in the fixtures.
const LEAST_ASSUMPTIONS: usize = 1_000;

/// Of the methods.
const PART: Part = Part::one_of(30, 5);

#[derive(Debug, Default)]
struct Totals {
    methods: usize,
    assumptions: usize,
    /// Assumptions with which a method has fewer paths.
    effective: usize,
    /// Assumptions that an object is valid.
    invariants: usize,
    generated: usize,
    /// Heaps that are as assumed and take the path of a case.
    taken: usize,
    /// What is not checked, and why.
    left: Vec<String>,
}

impl Totals {
    fn add(&mut self, of_method: Totals) {
        self.methods += of_method.methods;
        self.assumptions += of_method.assumptions;
        self.effective += of_method.effective;
        self.invariants += of_method.invariants;
        self.generated += of_method.generated;
        self.taken += of_method.taken;
        self.left.extend(of_method.left);
    }
}

#[test]
fn assumptions_are_kept_and_nothing_else_is() {
    let totals = Mutex::new(Totals::default());
    let complaints = check_methods(PART, |workshop, target| check(workshop, target, &totals));
    let totals = totals.into_inner().expect("no thread panics");
    eprintln!(
        "{} methods with {} assumptions ({} of them take paths away, {} are about invariants): \
         {} inputs are as assumed, {} heaps that are as assumed take the path of a case",
        totals.methods,
        totals.assumptions,
        totals.effective,
        totals.invariants,
        totals.generated,
        totals.taken
    );
    eprintln!("{} are not checked:\n{}", totals.left.len(), totals.left.join("\n"));
    assert!(complaints.is_empty(), "{} failures\n{}", complaints.len(), complaints.join("\n"));
    let n_assumptions = totals.assumptions;
    assert!(n_assumptions >= PART.least(LEAST_ASSUMPTIONS), "there are only {n_assumptions}");
}

/// A heap, and the path that it takes if it ends.
type Tried = (Input, Option<Way>);

/// A method that is being checked.
struct Check<'a> {
    workshop: &'a Workshop<'a>,
    target: &'a Target,
    bound: u32,
    /// The names of the parameters.
    names: Vec<String>,
    tried: Vec<Tried>,
    /// Machines that derive invariants, by class and name.
    invariants: BTreeMap<(String, Option<String>), Option<Observer<'a>>>,
    /// How many paths there are if nothing is assumed.
    paths: usize,
    counts: Totals,
    complaints: Vec<String>,
}

fn options() -> Options {
    Options { max_array: 8, domain: Some((-4, 4)), ..Options::default() }
}

fn check(workshop: &Workshop<'_>, target: &Target, totals: &Mutex<Totals>) -> Vec<String> {
    let method = &target.method;
    let left = |why: String| {
        totals.lock().expect("no thread panics").left.push(format!("  {method}: {why}"));
        Vec::new()
    };
    let cases = bounded_cases(workshop.procedures, method, &options(), BOUNDS, MOST_CASES);
    let Bounded { bound, cases, .. } = match cases {
        Ok(Some(generated)) => generated,
        Ok(None) => return left(format!("more than {MOST_CASES} cases")),
        Err(error) => return left(error.to_string()),
    };
    let Some(first) = cases.first() else { return left("no cases".to_owned()) };
    let termination = Termination::BlockCount(bound);
    let observer = Observer::new(workshop.procedures, method, termination, MOST_STEPS);
    let mut observer = match observer {
        Ok(observer) => observer,
        Err(reason) => return left(reason.to_string()),
    };
    let heaps = workshop.shapes.inputs(method, MOST_HEAPS, MORE_HEAPS).inputs.into_iter();
    let mut check = Check {
        workshop,
        target,
        bound,
        names: first.symbolic.arguments.clone(),
        tried: heaps.map(|input| (input.clone(), way(&mut observer, &input))).collect(),
        invariants: BTreeMap::new(),
        paths: cases.iter().map(Way::of).collect::<BTreeSet<_>>().len(),
        counts: Totals { methods: 1, ..Totals::default() },
        complaints: Vec::new(),
    };
    let all = assumptions(workshop.procedures.program(), method, &check.names);
    for assumption in sample(&all, MOST_ASSUMPTIONS, 1) {
        check.assume(&assumption);
    }
    totals.lock().expect("no thread panics").add(check.counts);
    check.complaints
}

fn way(observer: &mut Observer<'_>, input: &Input) -> Option<Way> {
    match observer.derive(input) {
        Ending::Taken(way, _) => Some(way),
        Ending::Limit | Ending::Unsupported(_) => None,
    }
}

impl<'a> Check<'a> {
    fn complain(&mut self, assumption: &Assumption, what: &str) {
        let (method, bound) = (&self.target.method, self.bound);
        self.complaints.push(format!("{method}, block-count {bound}, {assumption}: {what}"));
    }

    fn assume(&mut self, assumption: &Assumption) {
        let assumptions = vec![assumption.clone()];
        let options = Options { assumptions, solutions: SOLUTIONS, ..options() };
        let (bound, method) = (self.bound, &self.target.method);
        // Each way through an invariant makes cases of its own.
        let is_invariant = matches!(assumption, Assumption::Valid(..));
        let most = if is_invariant { 20 * MOST_CASES } else { MOST_CASES };
        let cases = bounded_cases(self.workshop.procedures, method, &options, bound..=bound, most);
        let generated = match cases {
            Ok(Some(generated)) => generated,
            Ok(None) if is_invariant => {
                self.counts.left.push(format!("  {method}, {assumption}: more than {most} cases"));
                return;
            }
            Ok(None) => return self.complain(assumption, "there are more cases than without it"),
            Err(error) => return self.complain(assumption, &error.to_string()),
        };
        self.counts.assumptions += 1;
        self.counts.invariants += usize::from(is_invariant);
        for what in contradictions(&generated.summary) {
            self.complain(assumption, &what);
        }
        self.check_generated(assumption, &generated);
        self.check_heaps(assumption, &generated);
    }

    /// Everything that is generated is as assumed.
    fn check_generated(&mut self, assumption: &Assumption, generated: &Bounded) {
        for solution in generated.cases.iter().flat_map(|case| &case.solutions) {
            let input = Input::from(solution);
            self.counts.generated += 1;
            if self.holds(assumption, &input) != Some(true) {
                self.complain(assumption, &format!("{input:?} is not as assumed"));
                break;
            }
        }
    }

    /// Every heap that is as assumed takes the path of a case.
    fn check_heaps(&mut self, assumption: &Assumption, generated: &Bounded) {
        let ways: BTreeSet<Way> = generated.cases.iter().map(Way::of).collect();
        self.counts.effective += usize::from(ways.len() < self.paths);
        let is_complete = generated.is_complete(self.target);
        let tried = std::mem::take(&mut self.tried);
        for (input, way) in &tried {
            if let Some(way) = way
                && way.block_count() <= self.bound as usize
                && self.holds(assumption, input) == Some(true)
            {
                let is_taken = ways.contains(way);
                self.counts.taken += usize::from(is_taken);
                if !is_taken && is_complete {
                    self.complain(
                        assumption,
                        &format!("{input:?} takes no path of a case: {way:?}"),
                    );
                    break;
                }
            }
        }
        self.tried = tried;
    }

    /// Whether an input is as assumed; `None` if that is not known.
    fn holds(&mut self, assumption: &Assumption, input: &Input) -> Option<bool> {
        let names = std::mem::take(&mut self.names);
        let mut is_known = true;
        let judged = holds(assumption, input, &names, &mut |object, name| {
            let is_valid = self.is_valid(object, name, input);
            is_known &= is_valid.is_some();
            is_valid == Some(true)
        });
        self.names = names;
        match judged {
            Ok(holds) => is_known.then_some(holds),
            Err(no_path) => {
                self.complain(assumption, &format!("{input:?}: {no_path:?}"));
                None
            }
        }
    }

    /// Whether an object is valid; `None` if that is not found out within the bound.
    fn is_valid(&mut self, object: Value, name: Option<&str>, input: &Input) -> Option<bool> {
        let Some(Object::Instance { class, .. }) = input.heap.get(object) else { return None };
        let procedures = self.workshop.procedures;
        let (bound, key) = (self.bound, (class.to_string(), name.map(str::to_owned)));
        let observer = self.invariants.entry(key).or_insert_with(|| {
            let method = invariant(procedures.program(), class, name)?;
            Observer::new(procedures, &method, Termination::BlockCount(bound), MOST_STEPS).ok()
        });
        let heap = input.heap.clone();
        let call = Input { receiver: Some(object), arguments: Vec::new(), heap };
        match observer.as_mut()?.derive(&call) {
            Ending::Taken(way, _) if way.block_count() > bound as usize => None,
            Ending::Taken(_, value) => Some(value == Some(Value::Int(1))),
            Ending::Limit | Ending::Unsupported(_) => None,
        }
    }
}
