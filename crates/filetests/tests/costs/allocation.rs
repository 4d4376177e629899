//! Whether all that a call allocates is allocated by instructions of the class path.
//!
//! That is so if the path calls nothing outside of the class path (the constructor of `Object` apart,
//! which does nothing), has no dynamic call sites, whose objects the JVM makes in its own way, and no
//! exceptions that the JVM makes.

use petrel_classfile::op;
use petrel_clp::{Literal, Rule};
use petrel_cost::Costing;
use petrel_engine::{Import, Limits, Machine, Outcome, Reason};
use petrel_program::ResolvedMethod;
use petrel_testcase::{Model, Options, Scope, Solution};
use petrel_translate::cache::Procedures;

/// Derives calls of a method again to see who allocates.
pub(crate) struct Allocator<'a> {
    procedures: &'a Procedures<'a>,
    method: &'a ResolvedMethod,
    machine: Machine<'a>,
    steps: u64,
}

impl<'a> Allocator<'a> {
    pub(crate) fn new(
        procedures: &'a Procedures<'a>,
        method: &'a ResolvedMethod,
        options: &Options,
    ) -> Allocator<'a> {
        let mut machine = Machine::observing(procedures, Limits::default(), options.termination);
        let calls = options.models.iter().filter(|model| model.counts_calls());
        let models: Vec<Model> = calls.cloned().collect();
        let most = vec![None; models.len()];
        let class = method.class().name();
        let version = options.feature_version;
        let costing = Costing::new(procedures.program(), models, Scope::All, class, version);
        machine.measure(costing, most);
        Allocator { procedures, method, machine, steps: options.steps }
    }

    /// Who besides instructions of the class path may allocate; `None` if nobody does.
    pub(crate) fn other_allocations(&mut self, input: &Solution) -> Option<String> {
        match self.look(input) {
            Ok(found) => found,
            Err(reason) => Some(reason.to_string()),
        }
    }

    fn look(&mut self, input: &Solution) -> Result<Option<String>, Reason> {
        let (procedures, method) = (self.procedures, self.method);
        self.machine.prepare_call(method)?;
        self.machine.observe_call(
            method,
            self.steps,
            |machine| {
                let import = Import::new(machine, &input.heap)?;
                for field in &input.statics {
                    let value = import.value(field.value);
                    machine.set_static_named(&field.class, &field.name, value)?;
                }
                let mut all = Vec::new();
                if method.is_constructor() {
                    all.push(machine.new_instance(method.class().name())?);
                }
                let known = input.receiver.iter().chain(&input.arguments);
                all.extend(known.map(|&value| import.value(value)));
                Ok(all)
            },
            |machine, _, outcome| match outcome {
                Outcome::Stopped { reason, .. } => Some(reason.to_string()),
                _ => others(procedures, method, machine),
            },
        )
    }
}

/// Who else may have allocated in the call that a machine has just derived.
fn others(
    procedures: &Procedures<'_>,
    target: &ResolvedMethod,
    machine: &Machine<'_>,
) -> Option<String> {
    let program = procedures.program();
    let mut methods = vec![target.clone()];
    for (called, _) in machine.calls_measured(0) {
        let (class, rest) = called.split_once('#')?;
        let class = class.replace('.', "/");
        if !program.is_project_class(&class) {
            return Some(called);
        }
        let at = rest.find('(')?;
        let class = program.class(&class).ok()?;
        methods.extend(class.declared_method(&rest[..at], &rest[at..]));
    }
    for method in &methods {
        let procedure = procedures.get(method).ok().flatten()?;
        for (predicate, rule) in machine.rules_applied(method) {
            let rule = &procedure.predicates[predicate as usize].rules[rule as usize];
            if let Some(other) = other_of_rule(rule) {
                return Some(other.to_owned());
            }
        }
    }
    None
}

fn other_of_rule(rule: &Rule) -> Option<&'static str> {
    let is_dynamic = |byte: u8| byte == op::INVOKEDYNAMIC;
    if rule.instructions.iter().any(|instruction| is_dynamic(instruction.opcode.byte())) {
        return Some("dynamic call sites");
    }
    let is_made = |literal: &Literal| matches!(literal, Literal::NewThrowable { .. });
    rule.body.iter().any(is_made).then_some("exceptions of the JVM")
}
