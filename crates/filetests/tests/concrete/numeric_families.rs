//! Numeric instructions on random operands: what the engine computes is what the JVM computes, bit
//! for bit.
//!
//! The families are the classes within `fixtures/arithmetic/Families.java`. `FAMILY=Floats` looks at
//! one of them, and `INPUTS=1000000` draws so many operands for each.

#![allow(clippy::print_stderr, reason = "the counts are of interest when a test fails")]

use petrel_checks::{Amount, filter, seed};
use petrel_classfile::MethodDescriptor;
use petrel_filetests::compare::{Engine, Tally, judge};
use petrel_filetests::derive;
use petrel_filetests::inputs::Inputs;
use petrel_filetests::world::{jdk, root};
use petrel_program::ResolvedMethod;
use petrel_replay::{Call, Replay, ReplayOptions};
use petrel_translate::cache::Procedures;

const INPUTS_PER_FAMILY: Amount = Amount::new(1_000, 5_000, 10_000);
const MOST_STEPS: u64 = 1_000_000_000;

#[test]
fn numeric_instructions_compute_what_the_jvm_computes() {
    let jdk = jdk();
    let folder = root().join("build").join("fixtures").join("arithmetic");
    let session = derive::open(&jdk, &folder);
    let program = session.program();
    let procedures = Procedures::new(program);
    let families = program.class("Families").expect("`make fixtures` builds it");
    let wanted = filter("FAMILY");
    let n_inputs = INPUTS_PER_FAMILY.drawn("INPUTS", "inputs of each family");
    let options = ReplayOptions { class_path: vec![folder], ..ReplayOptions::new(&jdk) };
    let mut replay = Replay::start(options).expect("the JVM starts");
    let mut failures = Vec::new();
    let mut n_families = 0;
    for family in families.file.nest_members().filter(|name| name.contains(&wanted)) {
        n_families += 1;
        let class = program.class(family).expect("it was compiled with the others");
        let methods: Vec<ResolvedMethod> =
            class.methods().filter(ResolvedMethod::is_static).collect();
        let mut inputs = Inputs::new(seed());
        let drawn: Vec<(&ResolvedMethod, Call)> = (0..n_inputs)
            .map(|number| {
                let method = &methods[number % methods.len()];
                let descriptor = MethodDescriptor::parse(method.descriptor())
                    .expect("the class file was checked");
                let arguments = inputs.operands(&descriptor.parameters);
                let call = Call::new(family, method.name(), method.descriptor());
                (method, Call { arguments, ..call })
            })
            .collect();
        let outcomes = replay.call_all(drawn.iter().map(|(_, call)| call)).expect("it answers");
        let mut engine = Engine::new(&procedures, MOST_STEPS);
        let mut tally = Tally::default();
        for ((method, call), outcome) in drawn.iter().zip(&outcomes) {
            let derived = engine.call(method, &call.arguments, &call.heap);
            tally.add(call, judge(&derived, outcome));
        }
        eprintln!("{family}: {} same of {}", tally.same, tally.compared);
        if tally.same != n_inputs {
            failures.push(format!("{family}: {}", tally.report()));
        }
    }
    assert!(n_families > 0, "no family is named like {wanted}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
