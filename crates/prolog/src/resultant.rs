//! Resultants: derivations as rules.
//!
//! "Test Data Generation of Bytecode by CLP Partial Evaluation", section 6.2: the resultant of a derivation is a rule
//! whose head is the atom that it starts from, and whose body is what its leaf leaves. Here the derivation is a trace:
//! along it, each atom is replaced by the body of the rule that the trace names, and its guards become the *store*,
//! constraints that keep the paths out which the other resultants stand for. Atoms that the trace does not reach are
//! the goal that is left.
//!
//! The predicates of that goal are those of the program; `specialise` closes a residual program with versions of them.

use std::collections::{BTreeMap, BTreeSet};

use petrel_clp::{
    Callee, End, HIDDEN_CHOICE, Literal, MethodRef, PredicateId, Procedure, Trace, TraceNode,
    TraceParameter, TracePart,
};

use crate::bindings::Bindings;
use crate::clause::{Context, RuleWriter};
use crate::names::{fresh, functor, variables};
use crate::term::Term;

/// A derivation as a rule.
#[derive(Debug, Clone)]
pub struct Resultant {
    head: Vec<Term>,
    body: Vec<BodyGoal>,
    /// Whether it stands for the derivation alone: choices that no rule shows are not in it.
    pub is_exact: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct BodyGoal {
    pub(crate) term: Term,
    pub(crate) kind: GoalKind,
}

/// What stands in a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GoalKind {
    /// A literal or guard.
    Literal,
    /// An atom that is left, of a predicate of a procedure.
    Left(usize, PredicateId),
    /// A virtual call that is left.
    Virtual,
}

impl BodyGoal {
    fn is_left(&self) -> bool {
        self.kind != GoalKind::Literal
    }

    pub(crate) fn is_guard(&self) -> bool {
        matches!(&self.term, Term::Compound(name, _) if name == GUARD)
    }
}

/// What is to be put into the body next.
enum Item {
    /// Something that stays as it is.
    Goal(BodyGoal),
    /// A call of a predicate, and the node of the trace that says which rule is applied.
    Atom { term: Term, procedure: usize, predicate: PredicateId, node: Option<usize> },
}

impl Item {
    /// A literal or guard.
    fn literal(term: Term) -> Item {
        Item::Goal(BodyGoal { term, kind: GoalKind::Literal })
    }
}

impl Resultant {
    /// The atoms that the derivation leaves, as text.
    pub fn goal(&self) -> Vec<String> {
        let left = self.body.iter().filter(|goal| goal.is_left());
        left.map(|goal| goal.term.to_string()).collect()
    }

    /// The constraints that are connected with the variables of the goal, as text.
    pub fn store(&self) -> Vec<String> {
        let mut of_variable: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (number, goal) in self.body.iter().enumerate() {
            for name in goal.term.variables() {
                of_variable.entry(name).or_default().push(number);
            }
        }
        let mut is_connected: Vec<bool> = self.body.iter().map(BodyGoal::is_left).collect();
        let numbers = 0..self.body.len();
        let mut open: Vec<usize> = numbers.filter(|&number| is_connected[number]).collect();
        while let Some(number) = open.pop() {
            for name in self.body[number].term.variables() {
                // Whoever has the variable is reached once.
                for other in of_variable.remove(name).into_iter().flatten() {
                    if !std::mem::replace(&mut is_connected[other], true) {
                        open.push(other);
                    }
                }
            }
        }
        let connected = self.body.iter().zip(is_connected);
        let store = connected.filter(|(goal, is_connected)| *is_connected && !goal.is_left());
        store.map(|(goal, _)| unguarded(&goal.term).to_string()).collect()
    }

    pub(crate) fn head(&self) -> &[Term] {
        &self.head
    }

    pub(crate) fn body(&self) -> &[BodyGoal] {
        &self.body
    }
}

fn unguarded(term: &Term) -> &Term {
    match term {
        Term::Compound(name, arguments) if name == GUARD => arguments.first().unwrap_or(term),
        other => other,
    }
}

/// How the runtime knows a guard in a body.
pub(crate) const GUARD: &str = "guard";

/// Unfolds a method along a trace.
///
/// # Errors
///
/// If the trace is none of the method: tells what does not fit.
pub(crate) fn unfold(
    procedures: &[&Procedure],
    context: &Context<'_>,
    method: &MethodRef,
    trace: &Trace,
) -> Result<Resultant, String> {
    let entry = find(procedures, method).ok_or_else(|| format!("{method} has no rules"))?;
    let procedure = procedures[entry];
    let parameters = variables(&procedure.predicates[0].parameters);
    let implicit = |name: &str| Term::Variable(fresh(name, &parameters));
    let output = procedure.result_kind().map(|_| implicit("Result"));
    let head = vec![
        Term::List(parameters.iter().map(Term::variable).collect()),
        Term::List(output.into_iter().collect()),
        implicit("HeapIn"),
        implicit("HeapOut"),
        implicit("Exit"),
    ];
    let mut arguments = head.clone();
    arguments.push(Term::Any);
    let term = Term::Compound(functor(context.names.predicate(entry, PredicateId(0))), arguments);
    let root = match trace.root() {
        TracePart::Node(number) => Some(*number),
        TracePart::Free(_) | TracePart::Any => None,
    };
    let mut unfolding = Unfolding {
        procedures,
        context,
        trace,
        bindings: Bindings::default(),
        body: Vec::new(),
        is_exact: true,
    };
    let mut next =
        vec![Item::Atom { term, procedure: entry, predicate: PredicateId(0), node: root }];
    while let Some(item) = next.pop() {
        match item {
            Item::Goal(goal) => unfolding.body.push(goal),
            Item::Atom { term, procedure, predicate, node: None } => {
                let kind = GoalKind::Left(procedure, predicate);
                unfolding.body.push(BodyGoal { term, kind });
            }
            Item::Atom { term, procedure, predicate, node: Some(node) } => {
                let mut items = unfolding.apply(&term, procedure, predicate, node)?;
                items.reverse();
                next.append(&mut items);
            }
        }
    }
    Ok(unfolding.finish(head))
}

fn find(procedures: &[&Procedure], method: &MethodRef) -> Option<usize> {
    procedures.iter().position(|procedure| procedure.method == *method)
}

struct Unfolding<'a> {
    procedures: &'a [&'a Procedure],
    context: &'a Context<'a>,
    trace: &'a Trace,
    bindings: Bindings,
    body: Vec<BodyGoal>,
    is_exact: bool,
}

impl Unfolding<'_> {
    /// What is in the place of an atom when a rule is applied to it.
    fn apply(
        &mut self,
        atom: &Term,
        number: usize,
        predicate: PredicateId,
        node: usize,
    ) -> Result<Vec<Item>, String> {
        let TraceNode { name, rule, parameters, parts } = &self.trace.nodes()[node];
        let procedure = self.procedures[number];
        let known = &procedure.predicates[predicate.index()];
        let rule = (*rule as usize).checked_sub(1).and_then(|rule| known.rules.get(rule));
        let Some(rule) = rule else {
            return Err(format!("{name} has no such rule"));
        };
        let writer = RuleWriter::new(procedure, number, rule, self.context);
        let clause = writer.clause(&known.name, 0, known.parameters.len());
        let applied =
            self.bindings.apply(&clause, atom).map_err(|reason| format!("{name} {reason}"))?;
        // The sizes of arrays, as far as they are known, are a part of the trace.
        for (size, parameter) in applied.sizes.into_iter().zip(parameters) {
            if let TraceParameter::Known(known) = parameter {
                self.bindings.unify(size, Term::Integer(*known));
            }
        }
        let guards = applied.guards.into_iter().map(|guard| Term::compound(GUARD, [guard]));
        let mut items: Vec<Item> = guards.map(Item::literal).collect();
        let continuation = match &rule.end {
            End::Continue(target, _) => Some(*target),
            _ => None,
        };
        let (of_call, of_rest) = self.parts(procedure, continuation, parts);
        let mut terms = applied.body.into_iter();
        for (literal, term) in rule.literals().zip(terms.by_ref()) {
            items.extend(match literal {
                Literal::Call(call) => {
                    let callee = call.callee.method().and_then(|m| procedure.tables.method(m));
                    self.call(term, call.callee, callee, of_call)?
                }
                _ => vec![Item::literal(term)],
            });
        }
        if let (Some(target), Some(term)) = (continuation, terms.next()) {
            items.push(Item::Atom { term, procedure: number, predicate: target, node: of_rest });
        }
        Ok(items)
    }

    /// The nodes of the method that a rule calls, and of the predicate that it goes on in.
    fn parts(
        &mut self,
        procedure: &Procedure,
        continuation: Option<PredicateId>,
        parts: &[TracePart],
    ) -> (Option<usize>, Option<usize>) {
        let (mut of_call, mut of_rest) = (None, None);
        let name = continuation.map(|target| &*procedure.predicates[target.index()].name);
        for part in parts {
            let TracePart::Node(node) = part else { continue };
            match &*self.trace.nodes()[*node].name {
                HIDDEN_CHOICE => self.is_exact = false,
                other if Some(other) == name => of_rest = Some(*node),
                _ => of_call = Some(*node),
            }
        }
        (of_call, of_rest)
    }

    /// A call: of a method whose rules are there, or of one that the runtime knows.
    fn call(
        &mut self,
        term: Term,
        callee: Callee,
        method: Option<&MethodRef>,
        node: Option<usize>,
    ) -> Result<Vec<Item>, String> {
        let predicate = PredicateId(0);
        match term {
            Term::Infix(_, ":", selected) => {
                let (Some(node), Some(method)) = (node, method) else {
                    let term = Term::infix(Term::atom("virtual"), ":", *selected);
                    return Ok(vec![Item::Goal(BodyGoal { term, kind: GoalKind::Virtual })]);
                };
                let procedure = self.selected(method, node).ok_or_else(|| {
                    format!("{} is no method that {method} selects", self.trace.nodes()[node].name)
                })?;
                let class = Term::atom(&*self.procedures[procedure].method.class);
                let of_class = class_of(&selected, class);
                let atom = Item::Atom { term: *selected, procedure, predicate, node: Some(node) };
                Ok(of_class.map(Item::literal).into_iter().chain([atom]).collect())
            }
            term => match method.filter(|method| self.context.is_direct(callee, method)) {
                Some(method) => {
                    let procedure = find(self.procedures, method)
                        .ok_or_else(|| format!("{method} has no rules"))?;
                    Ok(vec![Item::Atom { term, procedure, predicate, node }])
                }
                None => Ok(vec![Item::literal(term)]),
            },
        }
    }

    /// The procedure of the method that a virtual call selects, by the name that the trace has for it.
    fn selected(&self, method: &MethodRef, node: usize) -> Option<usize> {
        let name = &*self.trace.nodes()[node].name;
        self.procedures.iter().position(|procedure| {
            let selected = &procedure.method;
            let plain = &*procedure.predicates[0].name;
            let is_named = selected.class == method.class && name == plain;
            let qualified = format!("{}.{plain}", selected.class.replace('/', "."));
            (selected.name == method.name && selected.descriptor == method.descriptor)
                && (is_named || name == qualified)
        })
    }

    fn finish(self, head: Vec<Term>) -> Resultant {
        let applied = |term: &Term| self.bindings.applied(term);
        let head = head.iter().map(applied).collect();
        let mut body: Vec<BodyGoal> = Vec::with_capacity(self.body.len());
        let mut asked: BTreeSet<String> = BTreeSet::new();
        for goal in &self.body {
            let goal = BodyGoal { term: applied(&goal.term), kind: goal.kind };
            // What was asked before, often right before, holds.
            if !goal.is_guard() || asked.insert(goal.term.to_string()) {
                body.push(goal);
            }
        }
        Resultant { head, body, is_exact: self.is_exact }
    }
}

/// The receiver of a call has a class.
fn class_of(call: &Term, class: Term) -> Option<Term> {
    let Term::Compound(_, arguments) = call else { return None };
    let Term::List(inputs) = arguments.first()? else { return None };
    Some(Term::compound("class_of", [arguments.get(2)?.clone(), inputs.first()?.clone(), class]))
}
