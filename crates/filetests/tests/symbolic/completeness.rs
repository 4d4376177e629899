//! Every input takes a path that is a case: nothing that happens is missing, and no path that happens
//! was given up as one that no input takes.
//!
//! Of the `paths` lines of fixtures each domain is tried input by input, or a sample of it. The concrete
//! derivation of an input takes a trace, and a case has the same trace, number of steps and outcome.
//! Where the termination criterion cuts paths, an input may have none; it then takes one with a bound
//! that cuts nothing. So no input takes a path that was found infeasible, which "Automatic Unit Test
//! Generation", section 5.9, asks for.
//!
//! `FIXTURE=PathLoops` looks only at fixtures with that in their path.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use petrel_checks::is_filtered;
use petrel_classfile::{JavaType, MethodDescriptor};
use petrel_filetests::derive;
use petrel_filetests::fixture::{self, Bound, Complaint, Fixture, Paths};
use petrel_filetests::heaps::{Way, ways_of_numbers};
use petrel_filetests::jvm::Jdks;
use petrel_filetests::sample::Random;
use petrel_filetests::symbolic::{all_cases, is_target, options_of};
use petrel_program::ResolvedMethod;
use petrel_testcase::Options;
use petrel_translate::cache::Procedures;

/// Domains with more inputs are sampled.
const MOST_INPUTS: u64 = 2_000;
/// No path of a domain of fixtures has more iterations with a choice.
const NO_BOUND: u32 = 4_096;
/// The criteria are tested where there are methods enough.
const LEAST_METHODS: usize = 40;

#[derive(Default)]
struct Totals {
    methods: BTreeSet<String>,
    inputs: usize,
    within_cases: usize,
    within_cuts: usize,
}

#[test]
fn every_input_takes_the_path_of_a_case() {
    let (fixtures, mut complaints) = fixture::read_all(&fixture::not_built());
    let jdks = Jdks::find();
    let totals = Mutex::new(Totals::default());
    complaints.extend(fixture::check_all(&fixtures, |fixture| check(&jdks, fixture, &totals)));
    let lines: Vec<String> = complaints.iter().map(ToString::to_string).collect();
    assert!(lines.is_empty(), "{} failures\n{}", lines.len(), lines.join("\n"));
    let totals = totals.into_inner().expect("no thread panics");
    let n_methods = totals.methods.len();
    eprintln!(
        "{n_methods} methods, {} inputs: {} take the path of a case, {} one that is cut",
        totals.inputs, totals.within_cases, totals.within_cuts
    );
    assert!(is_filtered() || n_methods >= LEAST_METHODS, "there are only {n_methods} methods");
}

fn check(jdks: &Jdks, fixture: &Fixture, totals: &Mutex<Totals>) -> Vec<Complaint> {
    if fixture.paths.is_empty() {
        return Vec::new();
    }
    let Some(jdk) = jdks.for_release(fixture.release) else { return Vec::new() };
    let procedures = derive::procedures(jdk, &fixture.class_folder());
    // Lines that differ in the bound alone have the same inputs.
    let mut lines: BTreeMap<_, Vec<&Paths>> = BTreeMap::new();
    for paths in &fixture.paths {
        let inputs = (&paths.method, &paths.descriptor, paths.domain);
        lines.entry(inputs).or_default().push(paths);
    }
    let mut complaints = Vec::new();
    for lines in lines.values() {
        let method = fixture.counted_method(procedures.program(), lines[0]);
        if !is_target(&method) {
            continue;
        }
        complaints.extend(check_lines(procedures, fixture, &method, lines, totals));
    }
    complaints
}

fn check_lines(
    procedures: &Procedures<'_>,
    fixture: &Fixture,
    method: &ResolvedMethod,
    lines: &[&Paths],
    totals: &Mutex<Totals>,
) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    let inputs = inputs(method, lines[0].domain);
    let termination = options_of(lines[0]).termination;
    let steps = Options::default().steps;
    let taken = ways_of_numbers(procedures, method, &inputs, termination, steps);
    let unbounded = Paths { bound: Bound::Loop(NO_BOUND), ..lines[0].clone() };
    for paths in lines.iter().copied().chain([&unbounded]) {
        // Paths that end in exceptions are paths.
        let options = Options { exceptions: true, ..options_of(paths) };
        let (cases, summary) = match all_cases(procedures, method, &options) {
            Ok(generated) => generated,
            Err(error) => {
                complaints.push(fixture.complaint(paths.line, error.to_string()));
                continue;
            }
        };
        let ends = &summary.ends;
        let is_unbounded = paths.bound == unbounded.bound;
        if !ends.is_complete_at_first() || (is_unbounded && ends.cut > 0) {
            complaints.push(fixture.complaint(paths.line, format!("paths were left: {ends:?}")));
        }
        let of_cases: BTreeSet<Way> = cases.iter().map(Way::of).collect();
        let (mut within_cases, mut within_cuts) = (0, 0);
        for (input, way) in inputs.iter().zip(&taken) {
            if of_cases.contains(way) {
                within_cases += 1;
            } else if ends.cut > 0 {
                within_cuts += 1;
            } else {
                let what = format!("{}{input:?} takes no path of a case: {way:?}", paths.method);
                complaints.push(fixture.complaint(paths.line, what));
                break;
            }
        }
        let mut totals = totals.lock().expect("no thread panics");
        totals.methods.insert(method.to_string());
        totals.inputs += inputs.len();
        totals.within_cases += within_cases;
        totals.within_cuts += within_cuts;
    }
    complaints
}

/// All inputs of a domain, or a sample with its corners.
fn inputs(method: &ResolvedMethod, domain: Option<(i64, i64)>) -> Vec<Vec<i64>> {
    let descriptor = MethodDescriptor::parse(method.descriptor()).expect("it was read before");
    let ranges: Vec<(i64, i64)> =
        descriptor.parameters.iter().map(|java_type| range(java_type, domain)).collect();
    let size = |&(low, high): &(i64, i64)| high.abs_diff(low).saturating_add(1);
    let n_inputs = ranges.iter().map(size).fold(1_u64, u64::saturating_mul);
    if n_inputs <= MOST_INPUTS {
        let all = (0..n_inputs).map(|number| {
            let mut rest = number;
            let pick = |range: &(i64, i64)| {
                let value = range.0 + (rest % size(range)) as i64;
                rest /= size(range);
                value
            };
            ranges.iter().map(pick).collect()
        });
        return all.collect();
    }
    let mut random = Random::new(1);
    let corners = 1_u64 << ranges.len().min(8);
    let sample = (0..MOST_INPUTS).map(|number| {
        let pick = |(place, &(low, high)): (usize, &(i64, i64))| {
            if number < corners {
                return if number >> place & 1 == 0 { low } else { high };
            }
            let offset = random.number() % high.abs_diff(low).saturating_add(1).max(1);
            low.wrapping_add(offset as i64)
        };
        ranges.iter().enumerate().map(pick).collect()
    });
    sample.collect()
}

/// The values of a type that are in the domain.
fn range(java_type: &JavaType, domain: Option<(i64, i64)>) -> (i64, i64) {
    let (low, high): (i64, i64) = match java_type {
        JavaType::Boolean => return (0, 1),
        JavaType::Byte => (i8::MIN.into(), i8::MAX.into()),
        JavaType::Short => (i16::MIN.into(), i16::MAX.into()),
        JavaType::Char => (0, u16::MAX.into()),
        JavaType::Int => (i32::MIN.into(), i32::MAX.into()),
        _ => (i64::MIN, i64::MAX),
    };
    domain.map_or((low, high), |domain| (low.max(domain.0), high.min(domain.1)))
}
