//! Checks what every user of rules may rely on.
//!
//! It verifies:
//!
//! - **Ids** are within the procedure's tables, predicates and variables, and method handles are of
//!   a kind that fits what they stand for.
//! - **Predicates**: the first one, and no other, is the entry; its parameters are those of the
//!   method. Names are unique. Each predicate has a rule and is reachable from the entry.
//! - **Variables**: those of a rule start with the predicate's parameters. Names are unique in the
//!   rule and can be written (see [`crate::is_variable_name`]). Every variable is bound once, in the
//!   order of ids, before it is used.
//! - **Kinds** agree with the signatures of operations, fields, methods and array elements, and with
//!   the parameters of the predicate in which a rule goes on. The result fits the method.
//! - **Calls**: a call is the last literal of its body. Its rule goes on in another predicate and
//!   passes the call's exit on, once; no other exit is bound or passed on. A predicate with an exit
//!   among its parameters has one only and tells in every rule how the call ended. The result of a
//!   call is not used where the call threw.
//! - **Guards** speak of parameters, or of what an earlier guard of the rule bound. The rules of one
//!   predicate are mutually exclusive and exhaustive, in that they are the leaves of a tree of
//!   decisions.
//! - **Facts**: what a variable claims follows from the literal or guard that binds it, or for a
//!   parameter, from every place that leads to its predicate. Only a receiver is known to be not
//!   null when a method is entered.
//! - **Nothing throws**: what is dereferenced (by literals, calls and guards) or thrown is not null;
//!   array indices are within bounds, stored references storable, lengths of new arrays not
//!   negative, integer divisors not zero, each by a guard of the same rule or by constants.
//! - **Instructions**: each is in one rule only, once, unless subroutines were inlined. A literal comes
//!   from an instruction of its rule, or from the one that decides the rules of its predicate, which is in
//!   a rule before: an instruction that may throw is a choice, and what it does otherwise comes behind. The
//!   instruction is one that does what the literal says, and not before that of another literal before it.
//!
//! It does not verify that the rules mean what the bytecode means, that classes, fields and methods
//! exist, or that references have the classes that they should have.
//!
//! The time is linear in the size of the procedure but for sorting: it runs on every translated
//! method.

mod cases;
mod end;
mod literal;
mod rule;
#[cfg(test)]
mod tests;
mod values;

use std::fmt;

use cases::Flaw;
use rustc_hash::FxHashSet;

use crate::facts::Facts;
use crate::literal::{DynamicSite, MethodHandle, StaticArgument};
use crate::notation::{is_field_kind, is_variable_name};
use crate::origin::Opcodes;
use crate::print;
use crate::rule::{End, Predicate, PredicateId, PredicateKind, Procedure, Variable};
use crate::term::Kind;

/// Something that is wrong with a procedure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The predicate, unless the procedure as a whole is meant.
    pub predicate: Option<PredicateId>,
    /// The rule, by its index in the predicate, unless the predicate as a whole is meant.
    pub rule: Option<usize>,
    /// What is wrong.
    pub message: String,
}

/// Displays as `predicate 3, rule 1: message`, the rule as it is numbered in traces.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.predicate, self.rule) {
            (Some(predicate), Some(rule)) => {
                write!(f, "predicate {}, rule {}: ", predicate.0, rule + 1)?;
            }
            (Some(predicate), None) => write!(f, "predicate {}: ", predicate.0)?,
            (None, _) => {}
        }
        f.write_str(&self.message)
    }
}

/// Everything that is wrong with a procedure, in the order of its predicates and rules.
pub fn verify(procedure: &Procedure) -> Vec<Problem> {
    let mut verifier = Verifier {
        procedure,
        opcodes: Opcodes::of(procedure),
        problems: Vec::new(),
        predicate: None,
        rule: None,
        names: FxHashSet::default(),
        known: Vec::new(),
        used: Vec::new(),
        n_bound: 0,
        used_after_throw: Vec::new(),
        results_passed: Vec::new(),
    };
    verifier.procedure();
    verifier.problems
}

/// The state of verifying a procedure. The vectors are reused from rule to rule.
struct Verifier<'a> {
    procedure: &'a Procedure,
    opcodes: Opcodes,
    problems: Vec<Problem>,
    /// Where we are.
    predicate: Option<PredicateId>,
    rule: Option<usize>,
    /// Names of the current predicate's parameters and of the current rule's variables so far.
    names: FxHashSet<&'a str>,
    /// What is known about the variables of the current rule.
    known: Vec<Facts>,
    /// Which variables the current rule used so far.
    used: Vec<bool>,
    /// How many variables of the current rule are bound so far.
    n_bound: usize,
    /// Parameters that are used in rules for the case that a call threw: the predicate, the
    /// parameter and the rule.
    used_after_throw: Vec<(PredicateId, usize, usize)>,
    /// Parameters through which results of calls are passed on.
    results_passed: Vec<(PredicateId, usize)>,
}

impl<'a> Verifier<'a> {
    fn problem(&mut self, message: impl Into<String>) {
        self.problems.push(Problem {
            predicate: self.predicate,
            rule: self.rule,
            message: message.into(),
        });
    }

    fn procedure(&mut self) {
        self.handles();
        self.predicate_names();
        let Some(entry) = self.procedure.predicates.first() else {
            self.problem("there is no predicate");
            return;
        };
        self.entry(entry);
        let reachable = reachable(self.procedure);
        for (index, predicate) in self.procedure.predicates.iter().enumerate() {
            let id = PredicateId::from(index);
            self.predicate = Some(id);
            self.rule = None;
            if (predicate.kind == PredicateKind::Entry) != (index == 0) {
                self.problem("the first predicate is the entry, and no other");
            }
            if reachable.get(index) != Some(&true) {
                self.problem("it is not reachable from the entry");
            }
            self.parameters(predicate);
            for (index, rule) in predicate.rules.iter().enumerate() {
                self.rule = Some(index);
                self.rule(id, predicate, rule);
            }
            self.rule = None;
            match cases::flaw(&predicate.rules) {
                None => {}
                Some(Flaw::Other(message)) => self.problem(message),
                Some(Flaw::Gap(rule, guard)) => {
                    let guard = print::guard(self.procedure, id, rule, guard);
                    self.problem(format!(
                        "no rule applies where rule {} does not because of {guard}",
                        rule + 1
                    ));
                }
            }
        }
        self.predicate = None;
        if let Some(pc) = self.opcodes.duplicate() {
            self.problem(format!("the instruction at {pc} occurs twice"));
        }
        self.results_after_throw();
    }

    fn handles(&mut self) {
        let tables = &self.procedure.tables;
        let mut is_wrong = tables.handles.entries().iter().any(handle_is_wrong);
        // Dynamic constants can be arguments of others; there are no cycles.
        let mut pending: Vec<&DynamicSite> = tables.dynamics.entries().iter().collect();
        while let Some(site) = pending.pop() {
            is_wrong |= handle_is_wrong(&site.bootstrap);
            for argument in &site.arguments {
                match argument {
                    StaticArgument::MethodHandle(handle) => is_wrong |= handle_is_wrong(handle),
                    StaticArgument::Dynamic(site) => pending.push(site),
                    _ => {}
                }
            }
        }
        if is_wrong {
            self.problem("a method handle is of a kind that does not fit its member");
        }
    }

    fn predicate_names(&mut self) {
        let mut names = FxHashSet::default();
        for (index, predicate) in self.procedure.predicates.iter().enumerate() {
            if !names.insert(&*predicate.name) {
                self.predicate = Some(index.into());
                self.problem(format!("another predicate is called {}", predicate.name));
            }
        }
        self.predicate = None;
    }

    fn entry(&mut self, entry: &Predicate) {
        self.predicate = Some(PredicateId(0));
        let method = &self.procedure.method;
        let receiver = (!self.procedure.is_static).then_some(Kind::Reference);
        let expected = receiver.into_iter().chain(Kind::of_parameters(&method.descriptor));
        if !expected.eq(entry.parameters.iter().map(|parameter| parameter.kind)) {
            self.problem(format!("its parameters are not those of {method}"));
        }
        for (index, parameter) in entry.parameters.iter().enumerate() {
            let is_receiver = index == 0 && receiver.is_some();
            if parameter.array.is_some() || (parameter.non_null && !is_receiver) {
                self.problem(format!("nothing is known about {} on entry", parameter.name));
            }
        }
        self.predicate = None;
    }

    fn parameters(&mut self, predicate: &'a Predicate) {
        if predicate.rules.is_empty() {
            self.problem("it has no rules");
        }
        self.names.clear();
        for parameter in &predicate.parameters {
            self.name(parameter);
            self.claims(parameter);
        }
        if exits(predicate).count() > 1 {
            self.problem("it has more than one exit among its parameters");
        }
    }

    /// The name of a parameter of the current predicate, or of another variable of a rule.
    fn name(&mut self, variable: &'a Variable) {
        if !self.names.insert(&variable.name) {
            self.problem(format!("two variables are called {}", variable.name));
        }
        if !is_variable_name(&variable.name) {
            self.problem(format!("{:?} is no name of a variable", variable.name));
        }
    }

    /// Whether what a variable claims can be true at all.
    fn claims(&mut self, variable: &Variable) {
        let is_reference = variable.kind == Kind::Reference;
        if variable.non_null && !is_reference {
            self.problem(format!("{} is said to be not null", variable.name));
        }
        let Some(array) = variable.array else {
            return;
        };
        if !self.class(array.class) {
            return;
        }
        let is_array = self.procedure.tables.class_name(array.class).starts_with('[');
        if !is_reference || !variable.non_null || !is_array || array.length < 0 {
            self.problem(format!("{} cannot be the array it is said to be", variable.name));
        }
    }

    /// Results of calls are bound only if the call returned.
    fn results_after_throw(&mut self) {
        if self.used_after_throw.is_empty() {
            return;
        }
        let results: FxHashSet<_> = self.results_passed.drain(..).collect();
        for (predicate, parameter, rule) in std::mem::take(&mut self.used_after_throw) {
            if results.contains(&(predicate, parameter)) {
                self.predicate = Some(predicate);
                self.rule = Some(rule);
                self.problem(format!(
                    "parameter {} is the result of a call that threw",
                    parameter + 1
                ));
            }
        }
    }
}

/// The exits among a predicate's parameters.
fn exits(predicate: &Predicate) -> impl Iterator<Item = usize> {
    let is_exit = |index: &usize| {
        let parameter = predicate.parameters.get(*index);
        parameter.is_some_and(|parameter| parameter.kind == Kind::Exit)
    };
    (0..predicate.parameters.len()).filter(is_exit)
}

fn handle_is_wrong(handle: &MethodHandle) -> bool {
    match handle {
        MethodHandle::Field(kind, _) => !is_field_kind(*kind),
        MethodHandle::Method(kind, _) => is_field_kind(*kind),
    }
}

fn reachable(procedure: &Procedure) -> Vec<bool> {
    let mut reached = vec![false; procedure.predicates.len()];
    let mut pending = vec![0];
    while let Some(index) = pending.pop() {
        let Some(predicate) = procedure.predicates.get(index) else {
            continue;
        };
        if std::mem::replace(&mut reached[index], true) {
            continue;
        }
        for rule in &predicate.rules {
            if let End::Continue(target, _) = &rule.end {
                pending.push(target.index());
            }
        }
    }
    reached
}
