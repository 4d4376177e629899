//! Traces and names of methods that the user writes: what no derivation can do is a mistake, and told as one.

use std::collections::BTreeMap;
use std::sync::Arc;

use petrel_clp::{End, HIDDEN_CHOICE, MethodRef, Procedure, Rule, Trace, TraceNode, TracePart};
use petrel_program::ResolvedMethod;
use petrel_testcase::{Model, Options, Scope};
use petrel_translate::cache::Procedures;
use petrel_translate::reach::reach;

use crate::failure::Failure;

/// Refuses traces and cost models that name what a method does not reach.
pub(super) fn check(
    procedures: &Procedures<'_>,
    project: &[String],
    method: &ResolvedMethod,
    options: &Options,
) -> Result<(), Failure> {
    let names_calls =
        |model: &&Model| options.scope != Scope::All && model.called_by_name().next().is_some();
    let counted: Vec<&Model> = options.models.iter().filter(names_calls).collect();
    if options.trace.is_none() && counted.is_empty() {
        return Ok(());
    }
    let reached = reach(procedures, project, std::slice::from_ref(method));
    for model in counted {
        for (name, descriptor) in model.called_by_name() {
            let is_meant = |of: &MethodRef| {
                *of.name == *name && descriptor.is_none_or(|known| *of.descriptor == *known)
            };
            let mut inside = reached.procedures.iter().map(|procedure| &procedure.method);
            let is_called = inside.any(is_meant) || reached.outside.iter().any(is_meant);
            // A file says what methods cost, and may be meant for other targets, too.
            if is_called
                || (model.is_of_file() && is_declared(procedures, project, name, descriptor))
            {
                continue;
            }
            let shown = format!("{name}{}", descriptor.unwrap_or_default());
            return Err(Failure(match model.is_of_file() {
                true => format!(
                    "the cost model {}: no class of the class path has a method {shown}, and nothing \
                     that is reached calls one",
                    model.name()
                ),
                false => {
                    format!("calls:{shown}: nothing that is reached calls a method {shown}")
                }
            }));
        }
    }
    match &options.trace {
        Some(trace) => check_trace(&reached.procedures, method, trace),
        None => Ok(()),
    }
}

/// Whether a class of the project declares a method of this name.
fn is_declared(
    procedures: &Procedures<'_>,
    project: &[String],
    name: &str,
    descriptor: Option<&str>,
) -> bool {
    let classes = project.iter().filter_map(|class| procedures.program().class(class).ok());
    classes.into_iter().any(|class| {
        class.methods().any(|method| {
            method.name() == name && descriptor.is_none_or(|known| known == method.descriptor())
        })
    })
}

/// Refuses a trace with a predicate, a rule or more parts than what is reached has.
fn check_trace(
    reached: &[Arc<Procedure>],
    method: &ResolvedMethod,
    trace: &Trace,
) -> Result<(), Failure> {
    let mut predicates: BTreeMap<&str, Vec<&[Rule]>> = BTreeMap::new();
    for (name, rules) in reached.iter().flat_map(|procedure| predicates_of(procedure)) {
        predicates.entry(name).or_default().push(rules);
    }
    let refused = |why: String| Failure(format!("--trace: {why}"));
    if let TracePart::Node(root) = trace.root()
        && let Some(entry) = reached.first().and_then(|target| predicates_of(target).next())
    {
        let name = &*trace.nodes()[*root].name;
        if name != entry.0 {
            return Err(refused(format!(
                "the trace of {} begins with {}, not with {name}",
                method.name(),
                entry.0
            )));
        }
    }
    for node in trace.nodes().iter().filter(|node| *node.name != *HIDDEN_CHOICE) {
        // A method of another class than the one that the caller names has its class before it.
        let own_name = node.name.rsplit('.').next().unwrap_or(&node.name);
        let Some(of_name) = predicates.get(own_name) else {
            return Err(refused(format!("there is no predicate {} in what is reached", node.name)));
        };
        let rules = || of_name.iter().flat_map(|rules| of_number(rules, node.rule));
        if rules().next().is_none() {
            let most = of_name.iter().map(|rules| rules.len()).max().unwrap_or(0);
            let rules = if most == 1 { "rule" } else { "rules" };
            return Err(refused(format!(
                "{} has {most} {rules}, and none with number {}",
                node.name, node.rule
            )));
        }
        let most = rules().map(parts_of).max().unwrap_or(0);
        if parts_told(trace, node) > most {
            let parts = if most == 1 { "part" } else { "parts" };
            return Err(refused(format!(
                "rule {} of {} has at most {most} {parts}: a call, and what it goes on with",
                node.rule, node.name
            )));
        }
    }
    Ok(())
}

fn predicates_of(procedure: &Procedure) -> impl Iterator<Item = (&str, &[Rule])> {
    procedure.predicates.iter().map(|predicate| (&*predicate.name, &*predicate.rules))
}

fn of_number(rules: &[Rule], number: u32) -> &[Rule] {
    match number {
        TraceNode::ANY_RULE => rules,
        number => {
            let at = number as usize - 1;
            rules.get(at..=at).unwrap_or_default()
        }
    }
}

/// What a rule calls, and what it goes on with.
fn parts_of(rule: &Rule) -> usize {
    usize::from(rule.call().is_some()) + usize::from(matches!(rule.end, End::Continue(..)))
}

/// The parts that are rules. A variable may be a choice that no rule shows, of which there are any number.
fn parts_told(trace: &Trace, node: &TraceNode) -> usize {
    let is_rule = |part: &&TracePart| match part {
        TracePart::Node(number) => *trace.nodes()[*number].name != *HIDDEN_CHOICE,
        TracePart::Free(_) | TracePart::Any => false,
    };
    node.parts.iter().filter(is_rule).count()
}
