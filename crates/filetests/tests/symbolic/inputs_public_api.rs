//! Every input is something that a programmer can write: of the inputs of cases that have library objects, a
//! sample of each fixture is written as Java source that uses public constructors, factories and methods alone,
//! compiled, and compared with the objects that a replay of the case gets: by class, `equals`, `hashCode`,
//! `toString` and the order of iteration.
//!
//! `FIXTURE=Inventory` looks only at fixtures with that in their path, `METHOD=merge` only at methods with that
//! in their names.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use petrel_checks::{Part, Picking, Size, is_filtered, size};
use petrel_classfile::JavaType;
use petrel_filetests::fixture::Fixture;
use petrel_filetests::inputs_fixtures::{is_about_inputs, options};
use petrel_filetests::inputs_source::{Source, source_of};
use petrel_filetests::sample::sample;
use petrel_filetests::scratch::Scratch;
use petrel_filetests::stubs::write_stubs;
use petrel_filetests::symbolic::all_cases;
use petrel_filetests::walk::{for_each_fixture, is_chosen, start_replay};
use petrel_filetests::{derive, world};
use petrel_program::{Program, ResolvedMethod};
use petrel_replay::{Call, Outcome};
use petrel_testcase::Solution;
use petrel_translate::cache::Procedures;
use petrel_value::{Heap, Object, Value};

/// So many inputs of each fixture are written.
const N_INPUTS: usize = 60;
const SEED: u64 = 1;
/// There are inputs enough in the fixtures.
const LEAST_WRITTEN: usize = 300;
/// Of the methods.
const PART: Part = Part::one_of(20, 10);

/// An input with its source.
struct Written {
    method: String,
    heap: Heap,
    /// Its receiver and arguments, as far as they are references.
    values: Vec<Value>,
    source: Source,
}

/// The inputs of one fixture.
struct OfFixture {
    name: String,
    folder: PathBuf,
    inputs: Vec<Written>,
}

/// What inputs have in them that is easily forgotten.
#[derive(Debug, Default)]
struct Census {
    null_elements: usize,
    empty_strings: usize,
    nul_characters: usize,
    surrogates: usize,
}

#[derive(Default)]
struct Found {
    fixtures: Vec<OfFixture>,
    /// Inputs that no source was written for, by reason.
    not_written: BTreeMap<String, usize>,
    census: Census,
}

#[test]
fn inputs_can_be_written_as_java() {
    let scratch = Scratch::new();
    let found = Mutex::new(Found::default());
    let picking = PART.picking();
    for_each_fixture(
        |_| (),
        |(), jdk, fixture| {
            if is_about_inputs(fixture) {
                let procedures = derive::procedures(jdk, &fixture.class_folder());
                collect(procedures, fixture, scratch.path(), &picking, &found);
            }
        },
    );
    picking.tell("methods of fixtures");
    let mut found = found.into_inner().expect("no thread panics");
    found.fixtures.sort_by(|a, b| a.name.cmp(&b.name));
    let differences = differences(scratch.path(), &found.fixtures);
    let n_written: usize = found.fixtures.iter().map(|fixture| fixture.inputs.len()).sum();
    eprintln!("{n_written} inputs written, {:?}", found.census);
    for (reason, count) in &found.not_written {
        eprintln!("  {count} not written: {reason}");
    }
    assert!(
        differences.is_empty(),
        "{} differences\n{}",
        differences.len(),
        differences.join("\n")
    );
    let census = &found.census;
    let rare =
        [census.null_elements, census.empty_strings, census.nul_characters, census.surrogates];
    assert!(n_written >= PART.least(LEAST_WRITTEN), "only {n_written} inputs were written");
    let is_all = size() == Size::Full && !is_filtered();
    assert!(!is_all || rare.iter().all(|&count| count > 0), "something never occurs: {census:?}");
}

/// The classes of the stubs of its inputs go to the folder.
fn collect(
    procedures: &Procedures<'_>,
    fixture: &Fixture,
    folder: &Path,
    picking: &Picking,
    found: &Mutex<Found>,
) {
    let mut inputs = Vec::new();
    let mut not_written: BTreeMap<String, usize> = BTreeMap::new();
    let mut census = Census::default();
    let mut methods = fixture.callable_methods(procedures.program());
    methods.retain(|method| is_chosen(method) && picking.picks(&method.to_string()));
    for method in &methods {
        let Ok((cases, _)) = all_cases(procedures, method, &options()) else { continue };
        for solution in cases.iter().flat_map(|case| &case.solutions) {
            census.add(&solution.heap);
            if !solution.heap.objects.iter().any(is_of_library) {
                continue;
            }
            match write(procedures.program(), method, solution) {
                Ok(written) => inputs.push(written),
                Err(reason) => *not_written.entry(reason).or_default() += 1,
            }
        }
    }
    let numbers = sample(&(0..inputs.len()).collect::<Vec<usize>>(), N_INPUTS, SEED);
    let mut number = 0;
    inputs.retain(|_| {
        number += 1;
        numbers.contains(&(number - 1))
    });
    for input in &inputs {
        write_stubs(procedures.program(), &input.heap, folder);
    }
    let mut found = found.lock().expect("no thread panics");
    for (reason, count) in not_written {
        *found.not_written.entry(reason).or_default() += count;
    }
    found.census.null_elements += census.null_elements;
    found.census.empty_strings += census.empty_strings;
    found.census.nul_characters += census.nul_characters;
    found.census.surrogates += census.surrogates;
    let name = fixture.class.clone();
    found.fixtures.push(OfFixture { name, folder: fixture.class_folder(), inputs });
}

fn is_of_library(object: &Object) -> bool {
    matches!(object, Object::Built { .. } | Object::Boxed(_) | Object::String(_))
}

impl Census {
    fn add(&mut self, heap: &Heap) {
        for object in &heap.objects {
            match object {
                Object::String(text) => {
                    self.empty_strings += usize::from(text.0.is_empty());
                    self.nul_characters += usize::from(text.0.contains(&0));
                    let is_surrogate = |unit: &u16| (0xd800..0xe000).contains(unit);
                    self.surrogates += usize::from(text.0.iter().any(is_surrogate));
                }
                Object::Built { calls, .. } => {
                    let arguments = calls.iter().flat_map(|call| &call.arguments);
                    self.null_elements += arguments.filter(|&&value| value == Value::Null).count();
                }
                _ => {}
            }
        }
    }
}

fn write(
    program: &Program,
    method: &ResolvedMethod,
    solution: &Solution,
) -> Result<Written, String> {
    let all = solution.receiver.iter().chain(&solution.arguments).copied();
    let values: Vec<Value> =
        all.filter(|value| matches!(value, Value::Reference(_) | Value::Null)).collect();
    let source = source_of(program, &solution.heap, &values)?;
    Ok(Written { method: method.to_string(), heap: solution.heap.clone(), values, source })
}

/// Compiles the sources of all inputs, and asks the JVM what differs.
fn differences(scratch: &Path, fixtures: &[OfFixture]) -> Vec<String> {
    let jdk = world::jdk();
    compile(scratch, fixtures);
    let mut calls = Vec::new();
    let mut names = Vec::new();
    for fixture in fixtures {
        for (number, input) in fixture.inputs.iter().enumerate() {
            let mut heap = input.heap.clone();
            let object = JavaType::Object("java/lang/Object".into());
            let given = heap.add_array(object, input.values.clone());
            let descriptor = "([Ljava/lang/Object;)Ljava/lang/String;";
            let call = Call::new(class_of(fixture), format!("compare{number}"), descriptor);
            let class_path = Some(vec![scratch.to_owned(), fixture.folder.clone()]);
            calls.push(Call { arguments: vec![given], heap, class_path, ..call });
            names.push((&input.method, &input.source));
        }
    }
    let outcomes = start_replay(&jdk).call_all(calls).unwrap_or_else(|error| panic!("{error}"));
    let different = names.iter().zip(&outcomes).filter_map(|((method, source), outcome)| {
        let what = match outcome {
            Outcome::Returned { value: Some(Value::Null), .. } => return None,
            Outcome::Returned { value: Some(value), after } => {
                after.heap.literal(*value).unwrap_or_default()
            }
            other => format!("{other:?}"),
        };
        Some(format!("{method}: {what}\n    {}", source.statements.join("\n    ")))
    });
    different.collect()
}

fn class_of(fixture: &OfFixture) -> String {
    format!("Written{}", fixture.name.replace('.', "_"))
}

/// All in one run of `javac`.
fn compile(scratch: &Path, fixtures: &[OfFixture]) {
    let same = include_str!("../../src/inputs_source/Same.java");
    let mut files = vec![("Same".to_owned(), same.to_owned())];
    files.extend(fixtures.iter().map(|fixture| (class_of(fixture), source(fixture))));
    let file = |(class, text): &(String, String)| {
        let file = scratch.join(format!("{class}.java"));
        fs::write(&file, text).expect("the file can be written");
        file
    };
    let files: Vec<PathBuf> = files.iter().map(file).collect();
    let folders = fixtures.iter().map(|fixture| fixture.folder.clone());
    let class_path = std::env::join_paths(folders).expect("folders of the checkout can be joined");
    let output = Command::new(world::tool(&world::jdk(), "javac"))
        .args(["-encoding", "UTF-8", "-proc:none", "-Xlint:none", "-nowarn", "-XDsuppressNotes"])
        .args(["-Xmaxerrs", "20", "-d"])
        .arg(scratch)
        .arg("-cp")
        .arg(class_path)
        .args(&files)
        .output()
        .expect("javac can be started");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "javac refuses inputs:\n{messages}");
}

fn source(fixture: &OfFixture) -> String {
    let mut text = format!(
        "@SuppressWarnings({{\"unchecked\", \"rawtypes\"}})\nclass {} {{\n",
        class_of(fixture)
    );
    for (number, input) in fixture.inputs.iter().enumerate() {
        let statements = input.source.statements.join("\n        ");
        let values = input.source.values.join(", ");
        text.push_str(&format!(
            "    // {}\n    static Object[] make{number}() throws Exception {{\n        {statements}\n        \
             return new Object[] {{{values}}};\n    }}\n\n    static String compare{number}(Object[] given) \
             throws Exception {{\n        return Same.difference(given, make{number}());\n    }}\n\n",
            input.method
        ));
    }
    text.push_str("}\n");
    text
}
