//! The rules of virtual calls.

use rustc_hash::FxHashMap;

use super::procedure::method_ref;
use super::reader::{Clause, Node, Term};
use super::{Fault, fault};
use crate::dispatch::Dispatch;
use crate::rule::MethodRef;

/// Reads what follows a `dispatch` directive.
pub(super) fn read(heading: &Clause<'_>, section: &[Clause<'_>]) -> Result<Dispatch, Fault> {
    let [directive] = heading.body.as_slice() else {
        return Err(fault(heading.at, "a directive is expected here"));
    };
    let [functor, class, name, descriptor] = directive.arguments()?;
    let functor = functor.atom()?;
    let mut dispatch = Dispatch { method: method_ref(class, name, descriptor)?, cases: Vec::new() };
    let mut callees: FxHashMap<&str, MethodRef> = FxHashMap::default();
    for clause in section {
        if !clause.instructions.is_empty() || !clause.places.is_empty() {
            return Err(fault(clause.at, "a dispatch has no instructions"));
        }
        match (&clause.head, clause.body.as_slice()) {
            (None, [directive]) => {
                let [short, class, name, descriptor] = directive.arguments()?;
                if !matches!(&directive.node, Node::Compound(name, _) if name == "callee") {
                    return directive.wrong("only callee directives are expected in a dispatch");
                }
                let method = method_ref(class, name, descriptor)?;
                if callees.insert(short.atom()?, method).is_some() {
                    return short.wrong("there is another callee of this name");
                }
            }
            (Some(head), body) => {
                let case = read_case(functor, dispatch.cases.len() + 1, head, body, &callees)?;
                dispatch.cases.push(case);
            }
            (None, _) => return Err(fault(clause.at, "a single directive is expected here")),
        }
    }
    Ok(dispatch)
}

/// `virtual:f([r(This)|A],O,H,H1,E,f(K,[],[T])) :- class_of(H,This,Classes), g([r(This)|A],O,H,H1,E,T).`
fn read_case(
    functor: &str,
    number: usize,
    head: &Term<'_>,
    body: &[Term<'_>],
    callees: &FxHashMap<&str, MethodRef>,
) -> Result<(Vec<Box<str>>, MethodRef), Fault> {
    let Node::Qualified(module, head) = &head.node else {
        return head.wrong("the rules of a dispatch are about virtual:name(..)");
    };
    let [inputs, output, before, after, exit, trace] = head.arguments()?;
    if module != "virtual" || !is_compound(head, functor) {
        return head.wrong(format!("a rule for virtual:{functor} is expected here"));
    }
    let Some((receiver, rest)) = receiver_and_rest(inputs) else {
        return inputs.wrong("the inputs of a dispatch are [r(This)|A]");
    };
    let [in_trace_number, in_trace_parameters, in_trace_calls] = trace.arguments()?;
    let [called_trace] = in_trace_calls.list()? else {
        return in_trace_calls.wrong("a dispatch calls one method");
    };
    if !is_compound(trace, functor) || in_trace_number.count::<usize>()? != number {
        return trace.wrong(format!("the trace of this rule is {functor}({number},..)"));
    }
    if !in_trace_parameters.list()?.is_empty() {
        return in_trace_parameters.wrong("a dispatch has no trace parameters");
    }
    let mut names = Vec::new();
    for variable in [output, before, after, exit, called_trace] {
        names.push(variable.variable()?);
    }
    names.extend([receiver, rest]);
    names.sort_unstable();
    if names.windows(2).any(|pair| pair[0] == pair[1]) {
        return head.wrong("the variables of a dispatch rule are different ones");
    }

    let [class_of, call] = body else {
        return head.wrong("the body of a dispatch rule is class_of(..) and a call");
    };
    let [heap, object, classes] = class_of.arguments()?;
    if !is_compound(class_of, "class_of")
        || !same_variable(heap, before)
        || !object.is_variable(receiver)
    {
        return class_of.wrong(format!("class_of(H,{receiver},[..]) is expected here"));
    }
    let mut class_names: Vec<Box<str>> = Vec::new();
    for class in classes.list()? {
        class_names.push(class.atom()?.into());
    }
    let [inputs, arguments @ ..] = call.arguments::<6>()?;
    let passed_on = [output, before, after, exit, called_trace];
    if receiver_and_rest(inputs) != Some((receiver, rest))
        || arguments.iter().zip(passed_on).any(|(a, b)| !same_variable(a, b))
    {
        return call.wrong("a dispatch passes on what it gets");
    }
    let target = match &call.node {
        Node::Compound(name, _) => callees.get(&**name),
        _ => None,
    };
    match target {
        Some(method) => Ok((class_names, method.clone())),
        None => call.wrong("no callee directive for this method"),
    }
}

fn is_compound(term: &Term<'_>, name: &str) -> bool {
    matches!(&term.node, Node::Compound(other, _) if other == name)
}

fn same_variable(left: &Term<'_>, right: &Term<'_>) -> bool {
    matches!((&left.node, &right.node), (Node::Variable(a), Node::Variable(b)) if a == b)
}

/// The variables of `[r(This)|A]`.
fn receiver_and_rest<'a>(inputs: &Term<'a>) -> Option<(&'a str, &'a str)> {
    let Node::List(items, Some(rest)) = &inputs.node else {
        return None;
    };
    match (items.as_slice(), &rest.node) {
        ([receiver], Node::Variable(rest)) if is_compound(receiver, "r") => {
            let [receiver] = receiver.arguments().ok()?;
            Some((receiver.variable().ok()?, rest))
        }
        _ => None,
    }
}
