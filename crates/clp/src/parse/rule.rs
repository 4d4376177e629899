//! Rules: heads, ends, and what is implicit in the data.

use rustc_hash::FxHashMap;

use super::procedure::{Reading, constant};
use super::reader::{Clause, Node, Term};
use super::{Fault, fault};
use crate::facts::Facts;
use crate::literal::Guard;
use crate::rule::trace_parameters;
use crate::rule::{End, KnownArray, Placed, PredicateId, Rule, Variable};
use crate::term::{Kind, Operand, VarId};

/// Reads one rule and adds it to its predicate.
pub(super) fn read<'c, 'a>(
    reading: &mut Reading<'c>,
    head: &Term<'a>,
    clause: &'c Clause<'a>,
) -> Result<(), Fault> {
    let [inputs, output, before, after, exit, trace] = head.arguments()?;
    let (functor, id) = match &head.node {
        Node::Compound(functor, _) => (functor, reading.predicates.get(&**functor).copied()),
        _ => return head.wrong("the head of a rule is expected here"),
    };
    let Some(id) = id else {
        return head.wrong(format!("no predicate directive for {functor}"));
    };
    let mut rule = RuleReading::new(reading, before.variable()?);
    for input in inputs.list()? {
        rule.parameter(input)?;
    }
    rule.implicit(before)?;
    let n_parameters = rule.variables.len();

    // The exit says how the rule ends, and so whether the last literal is its continuation.
    let (body, continuation) = match (&exit.node, clause.body.as_slice()) {
        (Node::Variable(_), [body @ .., last]) => (body, Some(last)),
        (Node::Variable(_), []) => return exit.wrong("this rule has no last literal to exit by"),
        (_, body) => (body, None),
    };
    for literal in body {
        rule.literal(literal)?;
    }
    let end = match continuation {
        Some(call) => rule.continuation(call, output, exit)?,
        None => rule.end(output, exit)?,
    };
    if after.variable()? != rule.heap {
        return after.wrong(format!("the last heap of this rule is {}", rule.heap));
    }

    let traces = std::mem::take(&mut rule.traces);
    let rule = Rule {
        guards: rule.guards,
        body: rule.body,
        end,
        variables: rule.variables,
        instructions: clause.instructions.clone(),
    };
    let Some(predicate) = reading.procedure.predicates.get_mut(id.index()) else {
        return head.wrong("no such predicate");
    };
    let parameters = rule.variables.get(..n_parameters).unwrap_or_default();
    if predicate.rules.is_empty() {
        predicate.parameters = parameters.to_vec();
    } else if predicate.parameters != parameters {
        return inputs.wrong("the rules of a predicate have the same inputs");
    }
    check_trace(trace, functor, predicate.rules.len() + 1, &rule, &traces)?;
    let numbers = || clause.places.iter().map(|(number, _)| *number);
    if !numbers().is_sorted_by(|one, next| one < next)
        || numbers().any(|number| number == 0 || number > rule.body.len())
    {
        return Err(fault(clause.at, "the literals of this rule are not numbered like that"));
    }
    if !clause.places.is_empty() {
        reading.places.insert((id, predicate.rules.len()), &clause.places);
    }
    predicate.rules.push(rule);
    Ok(())
}

/// `name(K, Parameters, Traces)` as the rule implies it.
fn check_trace(
    trace: &Term<'_>,
    functor: &str,
    number: usize,
    rule: &Rule,
    calls: &[&str],
) -> Result<(), Fault> {
    let [in_number, in_parameters, in_calls] = trace.arguments()?;
    let named = matches!(&trace.node, Node::Compound(name, _) if name == functor);
    if !named || in_number.count::<usize>()? != number {
        return trace.wrong(format!("the trace of this rule is {functor}({number},..)"));
    }
    let parameters: Vec<&str> = trace_parameters(&rule.body)
        .into_iter()
        .filter_map(|variable| rule.variables.get(variable.0 as usize))
        .map(|variable| &*variable.name)
        .collect();
    for (list, expected) in [(in_parameters, parameters.as_slice()), (in_calls, calls)] {
        let items = list.list()?;
        let agrees = items.len() == expected.len()
            && items.iter().zip(expected).all(|(item, name)| item.is_variable(name));
        if !agrees {
            return list.wrong(format!("[{}] is expected here", expected.join(",")));
        }
    }
    Ok(())
}

/// What a name stands for in a rule.
#[derive(Clone, Copy)]
enum Role {
    Variable(VarId),
    /// A heap, trace, output or exit.
    Implicit,
}

/// A rule that is being read.
pub(super) struct RuleReading<'r, 'c, 'a> {
    pub(super) reading: &'r mut Reading<'c>,
    pub(super) guards: Vec<Guard>,
    pub(super) body: Vec<Placed>,
    variables: Vec<Variable>,
    names: FxHashMap<&'a str, Role>,
    /// The current heap.
    heap: &'a str,
    /// The traces of the calls so far.
    traces: Vec<&'a str>,
}

impl<'r, 'c, 'a> RuleReading<'r, 'c, 'a> {
    fn new(reading: &'r mut Reading<'c>, heap: &'a str) -> RuleReading<'r, 'c, 'a> {
        RuleReading {
            reading,
            guards: Vec::new(),
            body: Vec::new(),
            variables: Vec::new(),
            names: FxHashMap::default(),
            heap,
            traces: Vec::new(),
        }
    }

    /// Binds a variable.
    fn bind(&mut self, term: &Term<'a>, kind: Kind, facts: Facts) -> Result<VarId, Fault> {
        let name = term.variable()?;
        let id = VarId(self.variables.len() as u32);
        if self.names.insert(name, Role::Variable(id)).is_some() {
            return term.wrong(format!("{name} stands for something else already"));
        }
        self.variables.push(Variable {
            name: name.into(),
            kind,
            non_null: facts.non_null,
            array: facts.array,
        });
        Ok(id)
    }

    /// Takes a new name for something implicit.
    fn implicit(&mut self, term: &Term<'a>) -> Result<&'a str, Fault> {
        let name = term.variable()?;
        if self.names.insert(name, Role::Implicit).is_some() {
            return term.wrong(format!("{name} stands for something else already"));
        }
        Ok(name)
    }

    /// What a wrapper says about its variable.
    fn unwrap<'t>(
        &mut self,
        term: &'t Term<'a>,
    ) -> Result<Option<(&'t Term<'a>, Kind, Facts)>, Fault> {
        let Node::Compound(wrapper, _) = &term.node else {
            return Ok(None);
        };
        let (kind, facts) = match &**wrapper {
            "l" => (Kind::Long, Facts::NOTHING),
            "f" => (Kind::Float, Facts::NOTHING),
            "d" => (Kind::Double, Facts::NOTHING),
            "exit" => (Kind::Exit, Facts::NOTHING),
            "ref" => (Kind::Reference, Facts::NOTHING),
            "r" => (Kind::Reference, Facts::NON_NULL),
            "array" => {
                let [variable, class, length] = term.arguments()?;
                let class = self.reading.procedure.tables.class(class.atom()?);
                let length = length.count()?;
                let facts = Facts::array(KnownArray { class, length });
                return Ok(Some((variable, Kind::Reference, facts)));
            }
            _ => return Ok(None),
        };
        let [variable] = term.arguments()?;
        Ok(Some((variable, kind, facts)))
    }

    fn parameter(&mut self, term: &Term<'a>) -> Result<(), Fault> {
        match self.unwrap(term)? {
            Some((variable, kind, facts)) => self.bind(variable, kind, facts)?,
            None => self.bind(term, Kind::Int, Facts::NOTHING)?,
        };
        Ok(())
    }

    /// A variable that a literal binds: of this kind, and with these facts unless it is wrapped.
    pub(super) fn target(
        &mut self,
        term: &Term<'a>,
        kind: Kind,
        certain: Facts,
    ) -> Result<VarId, Fault> {
        match self.unwrap(term)? {
            Some((variable, Kind::Reference, facts)) if kind == Kind::Reference => {
                self.bind(variable, kind, facts)
            }
            Some(_) => term.wrong("only references that are bound here can be wrapped"),
            None => self.bind(term, kind, certain),
        }
    }

    /// A bound variable.
    pub(super) fn bound(&self, term: &Term<'a>) -> Result<VarId, Fault> {
        let name = term.variable()?;
        match self.names.get(name) {
            Some(Role::Variable(id)) => Ok(*id),
            Some(Role::Implicit) => term.wrong(format!("{name} is no value")),
            None => term.wrong(format!("{name} is not bound")),
        }
    }

    pub(super) fn operand(&self, term: &Term<'a>) -> Result<Operand, Fault> {
        match constant(term)? {
            Some(operand) => Ok(operand),
            None => self.bound(term).map(Operand::Variable),
        }
    }

    pub(super) fn operands(&self, terms: &[Term<'a>]) -> Result<Vec<Operand>, Fault> {
        terms.iter().map(|term| self.operand(term)).collect()
    }

    /// An input of a call: a wrapper has to fit the kind of its variable.
    fn argument(&mut self, term: &Term<'a>) -> Result<Operand, Fault> {
        let Some((variable, kind, _)) = self.unwrap(term)? else {
            let operand = self.operand(term)?;
            return match operand {
                Operand::Variable(_) if self.kind(operand) != Kind::Int => {
                    term.wrong("an input that is no int is wrapped by its kind")
                }
                _ => Ok(operand),
            };
        };
        let operand = Operand::Variable(self.bound(variable)?);
        if self.kind(operand) == kind {
            Ok(operand)
        } else {
            term.wrong("the variable is of another kind")
        }
    }

    pub(super) fn arguments(&mut self, term: &Term<'a>) -> Result<Vec<Operand>, Fault> {
        term.list()?.iter().map(|term| self.argument(term)).collect()
    }

    pub(super) fn kind(&self, operand: Operand) -> Kind {
        match operand {
            Operand::Variable(id) => {
                self.variables.get(id.0 as usize).map_or(Kind::Int, |variable| variable.kind)
            }
            Operand::Int(_) => Kind::Int,
            Operand::Long(_) => Kind::Long,
            Operand::Float(_) => Kind::Float,
            Operand::Double(_) => Kind::Double,
            Operand::Null => Kind::Reference,
        }
    }

    /// The heap argument of a literal: the current heap.
    pub(super) fn heap(&self, term: &Term<'a>) -> Result<(), Fault> {
        if term.is_variable(self.heap) {
            Ok(())
        } else {
            term.wrong(format!("the current heap is {}", self.heap))
        }
    }

    /// The heap after a literal.
    pub(super) fn next_heap(&mut self, term: &Term<'a>) -> Result<(), Fault> {
        self.heap = self.implicit(term)?;
        Ok(())
    }

    pub(super) fn trace(&mut self, term: &Term<'a>) -> Result<(), Fault> {
        let trace = self.implicit(term)?;
        self.traces.push(trace);
        Ok(())
    }

    /// The end of a rule that does not go on.
    fn end(&mut self, output: &Term<'a>, exit: &Term<'a>) -> Result<End, Fault> {
        let outputs = output.list()?;
        if exit.is_atom("ok") {
            return match outputs {
                [] => Ok(End::Return(None)),
                [value] => Ok(End::Return(Some(self.operand(value)?))),
                _ => output.wrong("a method has at most one result"),
            };
        }
        match (&exit.node, outputs) {
            (Node::Compound(name, _), outputs) if name == "exc" => {
                if !matches!(outputs, [] | [Term { node: Node::Variable("_"), .. }]) {
                    return output.wrong("a rule that throws has no result");
                }
                let [exception] = exit.arguments()?;
                Ok(End::Throw(self.operand(exception)?))
            }
            _ => exit.wrong("ok, exc(X) or a variable is expected here"),
        }
    }

    /// `name([Inputs],Output,H,H1,Exit,T)` as the last literal: output and exit are those of the
    /// head.
    fn continuation(
        &mut self,
        call: &Term<'a>,
        output: &Term<'a>,
        exit: &Term<'a>,
    ) -> Result<End, Fault> {
        let [inputs, call_output, before, after, call_exit, trace] = call.arguments()?;
        let target: Option<PredicateId> = match &call.node {
            Node::Compound(functor, _) => self.reading.predicates.get(&**functor).copied(),
            _ => None,
        };
        let Some(target) = target else {
            return call.wrong("a predicate of this procedure is expected here");
        };
        let arguments = self.arguments(inputs)?;
        self.heap(before)?;
        self.next_heap(after)?;
        self.trace(trace)?;
        let exit_name = self.implicit(exit)?;
        if !call_exit.is_variable(exit_name) {
            return call_exit.wrong(format!("the exit of this rule is {exit_name}"));
        }
        match (output.list()?, call_output.list()?) {
            ([], []) => {}
            ([result], [passed_on]) => {
                let name = self.implicit(result)?;
                if !passed_on.is_variable(name) {
                    return passed_on.wrong(format!("the result of this rule is {name}"));
                }
            }
            _ => return call_output.wrong("the output is not that of the rule"),
        }
        Ok(End::Continue(target, arguments))
    }
}
