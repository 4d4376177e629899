//! Calls.

use super::Fault;
use super::reader::{Node, Term};
use super::rule::RuleReading;
use crate::facts::Facts;
use crate::literal::{Call, Callee, Literal};
use crate::term::{Kind, Operand};

impl<'a> RuleReading<'_, '_, 'a> {
    /// `f(..)`: a static method, or a special one if there is an input for the receiver.
    pub(super) fn call(&mut self, term: &Term<'a>, name: &str) -> Result<Literal, Fault> {
        let method = match self.reading.callees.get(name) {
            Some(method) => *method,
            None => return term.wrong(format!("no callee directive for {name}")),
        };
        let [inputs, rest @ ..] = term.arguments::<6>()?;
        let inputs = self.arguments(inputs)?;
        let n_declared = self
            .reading
            .procedure
            .tables
            .method(method)
            .map_or(0, |method| Kind::of_parameters(&method.descriptor).count());
        let callee = if inputs.len() == n_declared {
            Callee::Static(method)
        } else if inputs.len() == n_declared + 1 {
            Callee::Special(method)
        } else {
            return term
                .wrong(format!("{name} has {n_declared} inputs, or one more with a receiver"));
        };
        self.call_of(callee, inputs, rest)
    }

    /// `virtual:f(..)` and the like.
    pub(super) fn selected_call(&mut self, term: &Term<'a>) -> Result<Literal, Fault> {
        let Node::Qualified(selection, call) = &term.node else {
            return term.wrong("a call is expected here");
        };
        let method = match &call.node {
            Node::Compound(name, _) => self.reading.callees.get(&**name).copied(),
            _ => None,
        };
        let Some(method) = method else {
            return call.wrong("no callee directive for this method");
        };
        let callee = match &**selection {
            "virtual" => Callee::Virtual(method),
            "interface" => Callee::Interface(method),
            "polymorphic" => Callee::Polymorphic(method),
            _ => return term.wrong("a call is virtual, interface or polymorphic, or plain"),
        };
        let [inputs, rest @ ..] = call.arguments::<6>()?;
        let inputs = self.arguments(inputs)?;
        self.call_of(callee, inputs, rest)
    }

    /// A call, from what follows its inputs: `[Result],H,H1,Exit,T`.
    pub(super) fn call_of(
        &mut self,
        callee: Callee,
        arguments: Vec<Operand>,
        [output, before, after, exit, trace]: &[Term<'a>; 5],
    ) -> Result<Literal, Fault> {
        let result = match (output.list()?, self.reading.procedure.tables.result_kind(callee)) {
            ([] | [Term { node: Node::Variable("_"), .. }], _) => None,
            ([result], Some(kind)) => Some(self.target(result, kind, Facts::NOTHING)?),
            ([_], None) => return output.wrong("this call has no result"),
            _ => return output.wrong("a call has at most one result"),
        };
        self.heap(before)?;
        self.next_heap(after)?;
        let exit = self.target(exit, Kind::Exit, Facts::NOTHING)?;
        self.trace(trace)?;
        Ok(Literal::Call(Call { callee, arguments, result, exit }))
    }
}
