//! Trace terms of derivations in an abstraction.
//!
//! The engine follows a trace that leaves room everywhere for what no rule shows: choices inside of the class library, or
//! about the object that a reference may be, and methods that other code calls. People read a trace in which that room is only
//! left where something of the kind can happen, as in the papers' figures.

use petrel_clp::{
    End, Guard, Literal, Trace, TraceNode, TraceParameter, TracePart, VarId, trace_parameters,
};

use crate::derive::Step;
use crate::program::{AbstractProgram, RuleName, Target};

/// A rule that was applied, and the rules that its parts are the traces of.
struct Applied {
    step: Step,
    /// The first rule of the method that it calls.
    call: Option<usize>,
    /// The rule of the predicate that it goes on with.
    goes_on: Option<usize>,
    /// Whether it was under way when the derivation ended.
    is_under_way: bool,
}

/// Rules that are applied one after the other, as a tree; numbers are their places.
fn applied(steps: &[Step]) -> Vec<Applied> {
    let mut all: Vec<Applied> = Vec::with_capacity(steps.len());
    // The rules that are under way, with the depths of their calls.
    let mut open: Vec<(u32, usize)> = Vec::new();
    for &step in steps {
        let is_call = step.rule.predicate == 0;
        while open
            .last()
            .is_some_and(|&(depth, _)| depth > step.depth || (is_call && depth == step.depth))
        {
            open.pop();
        }
        let number = all.len();
        if let Some(&(depth, around)) = open.last() {
            let place = match depth == step.depth {
                true => &mut all[around].goes_on,
                false => &mut all[around].call,
            };
            *place = Some(number);
        }
        open.push((step.depth, number));
        all.push(Applied { step, call: None, goes_on: None, is_under_way: false });
    }
    for (_, number) in open {
        all[number].is_under_way = true;
    }
    all
}

/// The trace that the program's own derivations may follow. What comes behind the last rule is left open.
pub(super) fn followed(program: &AbstractProgram<'_>, steps: &[Step]) -> Trace {
    let node = |applied: &Applied| {
        let mut parts = Vec::new();
        for part in [applied.call, applied.goes_on].into_iter().flatten() {
            parts.extend([TracePart::Any, TracePart::Node(part)]);
        }
        let is_left_open = applied.is_under_way && applied.goes_on.is_none();
        if parts.is_empty() || is_left_open {
            parts.push(TracePart::Any);
        }
        named(program, applied.step, Vec::new(), parts)
    };
    of_nodes(applied(steps).iter().map(node).collect())
}

/// The same for people: a call that the derivation passes is one variable.
pub(super) fn shown(program: &AbstractProgram<'_>, steps: &[Step]) -> Trace {
    let node = |applied: &Applied| {
        let name = applied.step.rule;
        let rule = program.rule(name);
        let hides = hides_choices(program, name);
        let mut parts: Vec<TracePart> = Vec::new();
        let add = |part: TracePart, parts: &mut Vec<TracePart>| {
            if hides && parts.last() != Some(&TracePart::Any) {
                parts.push(TracePart::Any);
            }
            parts.push(part);
        };
        match (applied.call, program.target(name)) {
            (Some(call), _) => add(TracePart::Node(call), &mut parts),
            (None, Target::Inside { otherwise: None, .. }) if !hides => {
                add(TracePart::Free("_".into()), &mut parts);
            }
            (None, _) => {}
        }
        let goes_on_elsewhere = matches!(rule.end, End::Continue(..));
        match applied.goes_on {
            Some(next) => add(TracePart::Node(next), &mut parts),
            None if hides || goes_on_elsewhere => parts.push(TracePart::Any),
            None => {}
        }
        let size = |of: VarId| {
            let known = rule.variables.get(of.0 as usize);
            TraceParameter::Free(known.map_or("_", |known| &*known.name).into())
        };
        let sizes = trace_parameters(&rule.body).into_iter().map(size).collect();
        named(program, applied.step, sizes, parts)
    };
    of_nodes(applied(steps).iter().map(node).collect())
}

fn of_nodes(nodes: Vec<TraceNode>) -> Trace {
    match nodes.is_empty() {
        true => Trace::free(),
        false => Trace::new(TracePart::Node(0), nodes),
    }
}

fn named(
    program: &AbstractProgram<'_>,
    step: Step,
    parameters: Vec<TraceParameter>,
    parts: Vec<TracePart>,
) -> TraceNode {
    let procedure = program.procedure(step.rule.procedure);
    let predicate = &procedure.predicates[step.rule.predicate as usize];
    let name = if step.is_qualified {
        format!("{}.{}", procedure.method.class.replace('/', "."), predicate.name).into()
    } else {
        (&*predicate.name).into()
    };
    TraceNode { name, rule: step.rule.rule + 1, parameters, parts }
}

/// Whether the derivation of a rule, up to the next one, may have parts that no rule shows. Arithmetic, exceptions of the
/// JVM, numbers that are compared and calls that can go to one method have none.
fn hides_choices(program: &AbstractProgram<'_>, name: RuleName) -> bool {
    let rule = program.rule(name);
    let is_plain =
        |literal: &Literal| matches!(literal, Literal::Compute { .. } | Literal::Call(_));
    let (calls_one, callee) = match program.target(name) {
        Target::Nowhere => (true, None),
        Target::Inside { cases, otherwise: None } => match &**cases {
            [case] => (case.classes.is_none(), Some((case.procedure, 0))),
            _ => (false, None),
        },
        _ => (false, None),
    };
    let next = match &rule.end {
        End::Continue(next, _) => Some((name.procedure, next.0)),
        _ => None,
    };
    let decides_by_numbers = |(procedure, predicate): (u32, u32)| {
        let rules = &program.procedure(procedure).predicates[predicate as usize].rules;
        rules.iter().flat_map(|rule| &rule.guards).all(is_about_numbers)
    };
    let followers = next.into_iter().chain(callee);
    !(calls_one && rule.literals().all(is_plain) && followers.into_iter().all(decides_by_numbers))
}

fn is_about_numbers(guard: &Guard) -> bool {
    matches!(
        guard,
        Guard::Compare { .. }
            | Guard::OneOf(..)
            | Guard::NoneOf(..)
            | Guard::Returned(_)
            | Guard::Threw(..)
    )
}
