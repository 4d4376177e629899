//! Calls, and how rules end.

use super::Verifier;
use super::values::{covers, name};
use crate::facts::Facts;
use crate::literal::{Call, Callee};
use crate::rule::{End, PredicateId, Rule};
use crate::term::{Kind, Operand};

impl Verifier<'_> {
    pub(super) fn call(&mut self, rule: &Rule, call: &Call) {
        let exists = match call.callee {
            Callee::Static(method)
            | Callee::Special(method)
            | Callee::Virtual(method)
            | Callee::Interface(method)
            | Callee::Polymorphic(method) => self.method(method),
            Callee::Dynamic(site) | Callee::DynamicConstant(site) => self.dynamic_site(site),
            Callee::Initialise(class) => self.class(class),
        };
        if exists {
            self.inputs(rule, call);
            match (call.result, self.procedure.tables.result_kind(call.callee)) {
                (Some(result), Some(kind)) => self.bind(rule, result, kind, Facts::NOTHING),
                (Some(_), None) => self.problem("a call that has no result binds one"),
                (None, _) => {}
            }
        }
        self.bind(rule, call.exit, Kind::Exit, Facts::NOTHING);
        if !matches!(rule.end, End::Continue(..)) {
            self.problem("it ends with a call whose exit nothing tells");
        }
    }

    fn inputs(&mut self, rule: &Rule, call: &Call) {
        let has_receiver = matches!(
            call.callee,
            Callee::Special(_) | Callee::Virtual(_) | Callee::Interface(_) | Callee::Polymorphic(_)
        );
        let mut arguments = call.arguments.iter();
        if has_receiver && let Some(receiver) = arguments.next() {
            self.expect_non_null(rule, *receiver);
        }
        let procedure = self.procedure;
        let descriptor = match call.callee {
            Callee::DynamicConstant(_) => None,
            callee => procedure.tables.callee_descriptor(callee),
        };
        let mut n_expected = usize::from(has_receiver);
        for kind in Kind::of_parameters(descriptor.unwrap_or_default()) {
            n_expected += 1;
            if let Some(argument) = arguments.next() {
                self.expect(rule, *argument, kind);
            }
        }
        if call.arguments.len() != n_expected {
            self.problem(format!(
                "a call has {} inputs where {n_expected} are needed",
                call.arguments.len()
            ));
        }
    }

    pub(super) fn end(&mut self, rule: &Rule) {
        match &rule.end {
            End::Return(result) => match (result, self.procedure.result_kind()) {
                (Some(result), Some(kind)) => self.expect(rule, *result, kind),
                (None, None) => {}
                (Some(_), None) => self.problem("a void method returns a value"),
                (None, Some(_)) => self.problem("the method returns no value"),
            },
            End::Throw(exception) => self.expect_non_null(rule, *exception),
            End::Continue(target, arguments) => self.continuation(rule, *target, arguments),
        }
    }

    fn continuation(&mut self, rule: &Rule, id: PredicateId, arguments: &[Operand]) {
        let Some(target) = self.procedure.predicates.get(id.index()) else {
            self.problem(format!("there is no predicate {}", id.0));
            return;
        };
        if arguments.len() != target.parameters.len() {
            self.problem(format!(
                "{} has {} parameters and gets {} arguments",
                target.name,
                target.parameters.len(),
                arguments.len()
            ));
        }
        let call = rule.call();
        let own_exit = call.map(|call| Operand::Variable(call.exit));
        let result = call.and_then(|call| call.result).map(Operand::Variable);
        let mut n_exits = 0;
        for (index, (argument, parameter)) in arguments.iter().zip(&target.parameters).enumerate() {
            self.expect(rule, *argument, parameter.kind);
            if !covers(self.facts(*argument), Facts::of(parameter)) {
                let name = name(rule, *argument);
                self.problem(format!(
                    "{name} is not known to be what {} of {} claims",
                    parameter.name, target.name
                ));
            }
            if parameter.kind == Kind::Exit {
                n_exits += 1;
                if Some(*argument) != own_exit {
                    self.problem("it passes on an exit that is not that of its call");
                }
            }
            if Some(*argument) == result {
                self.results_passed.push((id, index));
            }
        }
        if call.is_some() && n_exits != 1 {
            self.problem("it does not pass on the exit of its call");
        }
    }
}
