//! Rules in, paths out.
//!
//! A path is shown in two lines: what its inputs satisfy, how it ends, and what its first labelled input
//! gives, which a second machine derives for itself; and its trace.

use std::fmt::Write;
use std::sync::Arc;

use petrel_budget::Purse;
use petrel_classfile::{JavaType, MethodDescriptor};
use petrel_clp::{Termination, parse};
use petrel_engine::{
    Bounds, Import, InputHeap, LeftOutAt, Limits, Machine, Outcome, PathEnd, Prefix, Reason,
};
use petrel_program::ResolvedMethod;
use petrel_solver::{BitBlaster, Labelling};
use petrel_testbed::Testbed;
use petrel_translate::cache::Procedures;
use petrel_value::{Heap, Object, ObjectId, Value};

/// Paths of a procedure: the first one of a text.
pub(crate) struct Exploration {
    pub(crate) bounds: Bounds,
    pub(crate) limits: Limits,
    /// Only instances of this trace are wanted.
    pub(crate) trace: Option<&'static str>,
    /// The parts of the tree that are wanted.
    pub(crate) parts: Vec<Prefix>,
    /// What the paths may cost.
    pub(crate) purse: Purse,
    /// After so many paths the rest is split off.
    pub(crate) split_after: Option<usize>,
}

impl Default for Exploration {
    fn default() -> Exploration {
        Exploration {
            bounds: Bounds::default(),
            limits: Limits::default(),
            trace: None,
            parts: vec![Prefix::default()],
            purse: Purse::unlimited(),
            split_after: None,
        }
    }
}

/// All paths within the usual bounds.
pub(crate) fn paths(text: &str) -> String {
    Exploration::default().paths(text).0
}

/// All paths within a termination criterion.
pub(crate) fn paths_within(termination: Termination, text: &str) -> String {
    let bounds = Bounds { termination, ..Bounds::default() };
    Exploration { bounds, ..Exploration::default() }.paths(text).0
}

impl Exploration {
    /// The paths, and what was split off.
    pub(crate) fn paths(&self, text: &str) -> (String, Vec<Prefix>) {
        let testbed = Testbed::new(text).expect("the text is a program");
        let procedures = testbed.procedures().expect("its classes load");
        let (method, names) = testbed.target().expect("it has a procedure");
        let mut explorer = Explorer::new(self, &procedures, method, &names);
        let mut shown = String::new();
        let mut split = Vec::new();
        let mut count = 0;
        while let Some(end) = explorer.machine.next_path() {
            count += 1;
            explorer.write_path(&end, &mut shown);
            if self.split_after == Some(count) {
                split = explorer.machine.split_all();
            }
        }
        for (LeftOutAt { what, .. }, count) in explorer.machine.left_out() {
            let _ = writeln!(shown, "left out {count} times: {what}");
        }
        (shown, split)
    }
}

/// A machine that explores, and one that derives its inputs again.
struct Explorer<'p> {
    machine: Machine<'p>,
    judge: Machine<'p>,
    method: ResolvedMethod,
    result: Option<JavaType>,
}

impl<'p> Explorer<'p> {
    fn new(
        asked: &Exploration,
        procedures: &'p Procedures<'p>,
        method: ResolvedMethod,
        names: &[&str],
    ) -> Explorer<'p> {
        let (bounds, limits) = (&asked.bounds, asked.limits.clone());
        let complete = Box::new(BitBlaster::default());
        let mut machine = Machine::exploring(procedures, limits.clone(), bounds, complete);
        let mut judge = Machine::observing(procedures, limits, bounds.termination);
        machine.prepare_call(&method).expect("its class can be initialised");
        judge.prepare_call(&method).expect("its class can be initialised");
        machine.expect_inputs_of(&method, true);
        let mut arguments = Vec::new();
        if !method.is_static() {
            arguments.push(machine.unknown_receiver(&method).expect("there are receivers"));
        }
        let others = machine.unknown_arguments(&method, names);
        arguments.extend(others.expect("there are such inputs"));
        let trace = asked.trace.map(|trace| Arc::new(parse::trace(trace).expect("it is a trace")));
        machine.guide_by(trace);
        machine.pay_from(&asked.purse);
        machine.start_paths(&method, &arguments, asked.parts.clone());
        let result = MethodDescriptor::parse(method.descriptor()).expect("it was resolved").result;
        Explorer { machine, judge, method, result }
    }

    fn write_path(&mut self, end: &PathEnd, shown: &mut String) {
        let machine = &mut self.machine;
        let tests = machine.conditions().into_iter().map(|condition| condition.test.to_string());
        let condition = tests.collect::<Vec<_>>().join(", ");
        let ends = match end {
            PathEnd::Returned(value) => {
                let result = value.zip(self.result.as_ref());
                let state = machine.symbolic_state(result);
                match state.result {
                    Some(result) => format!("returns {result}"),
                    None => "returns nothing".to_owned(),
                }
            }
            PathEnd::Threw(exception) => format!("throws {}", machine.class_name(*exception)),
            PathEnd::Cut => "is cut".to_owned(),
            PathEnd::Infeasible => "is infeasible".to_owned(),
            PathEnd::Astray => "is astray".to_owned(),
            PathEnd::TooExpensive => "is too expensive".to_owned(),
            PathEnd::Unfollowed { why, .. } => format!("is none: {why}"),
            PathEnd::Stopped { reason, .. } => format!("stops: {reason}"),
        };
        let trace = machine.trace().to_string();
        let _ = write!(shown, "[{condition}] {ends}");
        if matches!(end, PathEnd::Returned(_) | PathEnd::Threw(_)) {
            let steps = machine.path_steps();
            match machine.label(1) {
                Labelling::Found(found) => {
                    let _ = match self.judged(&found[0], steps) {
                        Ok(given) => write!(shown, ", as {given}"),
                        Err(reason) => write!(shown, ", but {reason}"),
                    };
                }
                Labelling::Unsatisfiable => shown.push_str(", but for no input"),
                Labelling::Unknown => shown.push_str(", perhaps"),
            }
        }
        let _ = writeln!(shown, "\n  {trace}");
    }

    /// An input and what the other machine makes of it, on a path of the same length.
    fn judged(&mut self, assignment: &[i64], steps: u64) -> Result<String, Reason> {
        let InputHeap { values, heap, .. } = self.machine.input_heap(assignment)?;
        let inputs: Vec<String> = values.iter().map(|&value| shown_value(&heap, value)).collect();
        let (method, result) = (&self.method, self.result.as_ref());
        let (given, taken) = self.judge.observe_call(
            method,
            u64::MAX,
            |machine| Import::new(machine, &heap)?.arguments(machine, method, values.iter()),
            |machine, _, outcome| (shown_outcome(machine, outcome, result), machine.path_steps()),
        )?;
        assert_eq!(taken, steps, "the judge takes another path");
        Ok(format!("({}) -> {given}", inputs.join(", ")))
    }
}

fn shown_outcome(machine: &mut Machine<'_>, outcome: Outcome, result: Option<&JavaType>) -> String {
    match outcome {
        Outcome::Returned(value) => match value.zip(result) {
            None => "nothing".to_owned(),
            Some((value, of)) => {
                let (value, heap) = machine.export(value, of);
                shown_value(&heap, value)
            }
        },
        Outcome::Threw(exception) => machine.class_name(exception),
        Outcome::Stopped { reason, .. } => format!("stops: {reason}"),
    }
}

/// Objects have numbers, so that it is seen which are the same: `Cell@0{next=null}`.
fn shown_value(heap: &Heap, value: Value) -> String {
    let mut shown = String::new();
    write_value(heap, value, &mut Vec::new(), &mut shown);
    shown
}

fn write_value(heap: &Heap, value: Value, seen: &mut Vec<ObjectId>, shown: &mut String) {
    let (Value::Reference(id), Some(object)) = (value, heap.get(value)) else {
        shown.push_str(&heap.literal(value).unwrap_or_else(|| "?".to_owned()));
        return;
    };
    let parts: Vec<(&str, Value)> = match object {
        Object::Instance { class, fields } => {
            let _ = write!(shown, "{class}@{}", id.0);
            fields.iter().map(|field| (&*field.name, field.value)).collect()
        }
        Object::Array { component, elements } => {
            let _ = write!(shown, "{component}[]@{}", id.0);
            elements.iter().map(|&element| ("", element)).collect()
        }
        other => {
            let _ = write!(shown, "{other:?}");
            Vec::new()
        }
    };
    if seen.contains(&id) {
        return;
    }
    seen.push(id);
    shown.push('{');
    for (position, (name, part)) in parts.into_iter().enumerate() {
        shown.push_str(if position == 0 { "" } else { ", " });
        shown.push_str(name);
        shown.push_str(if name.is_empty() { "" } else { "=" });
        write_value(heap, part, seen, shown);
    }
    shown.push('}');
}
