//! Derivations of calls on known arguments, whose costs are measured.

use petrel_classfile::op;
use petrel_clp::{FieldRef, Literal, Procedure, Rule};
use petrel_cost::Costing;
use petrel_engine::{Import, Limits, Machine, Outcome, Reason};
use petrel_program::ResolvedMethod;
use petrel_replay::Call;
use petrel_testcase::{Options, Scope};
use petrel_translate::cache::Procedures;

use super::prices::{BYTES, CALLS, Ending, INSTRUCTIONS, Price};

/// Methods whose results the JVM does not fix. Where hash tables use them, the outcome may well be fixed,
/// but not how many keys are looked at.
const NOT_FIXED: [&str; 4] = [
    "java.lang.System#identityHashCode",
    "java.lang.Object#hashCode",
    "java.util.ImmutableCollections$SetN#probe",
    "java.util.ImmutableCollections$MapN#probe",
];

/// Methods of the library that allocate nothing, stack traces apart, which the JVM is told not to make.
const ALLOCATES_NOTHING: [&str; 16] = [
    "java.lang.Object#<init>()",
    "java.lang.Object#getClass()",
    "java.lang.Record#<init>()",
    "java.lang.Enum#ordinal()",
    "java.lang.Throwable#<init>()",
    "java.lang.Throwable#<init>(Ljava/lang/String;)V",
    "java.lang.Throwable#fillInStackTrace",
    "java.lang.Exception#<init>()",
    "java.lang.Exception#<init>(Ljava/lang/String;)V",
    "java.lang.RuntimeException#<init>()",
    "java.lang.RuntimeException#<init>(Ljava/lang/String;)V",
    "java.lang.IllegalStateException#<init>()",
    "java.lang.IllegalArgumentException#<init>(Ljava/lang/String;)V",
    "java.lang.Integer#compare(",
    "java.lang.Math#min(",
    "java.lang.Math#max(",
];

/// Machines that derive calls of methods of one class, and measure what they cost.
pub(crate) struct Derivation<'a> {
    procedures: &'a Procedures<'a>,
    /// Measures what the code of the class path costs.
    project: Machine<'a>,
    /// Measures what all code costs.
    everything: Machine<'a>,
    steps: u64,
}

/// What a call does that decides what can be compared.
#[derive(Debug, Default)]
pub(crate) struct Conduct {
    /// Whether something in it depends on what the JVM does not fix.
    pub(crate) is_unstable: bool,
    /// Why the bytes that it allocates cannot be compared; `None` if they can be.
    pub(crate) other_allocations: Option<String>,
    /// What contradicts itself in the costs of all code.
    pub(crate) contradiction: Option<String>,
}

impl<'a> Derivation<'a> {
    pub(crate) fn new(
        procedures: &'a Procedures<'a>,
        class: &str,
        options: &Options,
    ) -> Derivation<'a> {
        let machine = |scope: Scope| {
            let mut machine =
                Machine::observing(procedures, Limits::default(), options.termination);
            let (models, version) = (options.models.clone(), options.feature_version);
            let most = vec![None; models.len()];
            machine
                .measure(Costing::new(procedures.program(), models, scope, class, version), most);
            machine.keep_profile();
            machine
        };
        let (project, everything) = (machine(Scope::Project), machine(Scope::All));
        Derivation { procedures, project, everything, steps: options.steps }
    }

    /// How a call ends and what it costs; or why it is not known.
    pub(crate) fn price(
        &mut self,
        method: &ResolvedMethod,
        call: &Call,
    ) -> Result<(Ending, Price), String> {
        derive(&mut self.project, method, self.steps, call, |machine, outcome| {
            let ending = match outcome {
                Outcome::Stopped { reason, .. } => return Err(reason.to_string()),
                Outcome::Returned(_) => Ending::Derived(None),
                Outcome::Threw(exception) => {
                    Ending::Derived(Some(machine.class_name(*exception).replace('.', "/")))
                }
            };
            let costs: Vec<i64> = machine.costs().iter().map(|cost| cost.constant).collect();
            let price = Price {
                instructions: costs[INSTRUCTIONS],
                calls: costs[CALLS],
                calls_by_method: called(machine).into_iter().collect(),
                bytes: costs[BYTES],
                instructions_by_method: machine.profile(INSTRUCTIONS),
                bytes_by_line: machine.profile(BYTES),
            };
            Ok((ending, price))
        })
        .unwrap_or_else(|reason| Err(reason.to_string()))
    }

    /// What a call does.
    ///
    /// Bytes are compared if nobody but instructions of the class path allocates: the call leads to
    /// nothing outside of it but methods that are known to allocate nothing, to no dynamic call sites,
    /// whose objects the JVM makes in its own way, and to no exceptions that the JVM makes. Besides, it
    /// writes no static fields but those that it is given, because the JVM measures a second call, which
    /// finds what the first one left.
    pub(crate) fn conduct(&mut self, method: &ResolvedMethod, call: &Call) -> Conduct {
        let procedures = self.procedures;
        let unknown = |reason: &Reason| Conduct {
            other_allocations: Some(reason.to_string()),
            ..Conduct::default()
        };
        let found = derive(&mut self.everything, method, self.steps, call, |machine, outcome| {
            if let Outcome::Stopped { reason, .. } = outcome {
                return unknown(reason);
            }
            Conduct {
                is_unstable: is_unstable(machine),
                other_allocations: others(procedures, method, call, machine),
                contradiction: contradiction(machine),
            }
        });
        found.unwrap_or_else(|reason| unknown(&reason))
    }
}

fn derive<'a, T>(
    machine: &mut Machine<'a>,
    method: &ResolvedMethod,
    steps: u64,
    call: &Call,
    then: impl FnOnce(&mut Machine<'a>, &Outcome) -> T,
) -> Result<T, Reason> {
    machine.prepare_call(method)?;
    machine.observe_call(
        method,
        steps,
        |machine| {
            let import = Import::new(machine, &call.heap)?;
            for field in &call.statics {
                let value = import.value(field.value);
                machine.set_static_named(&field.class, &field.name, value)?;
            }
            import.arguments(machine, method, call.receiver.iter().chain(&call.arguments))
        },
        |machine, _, outcome| then(machine, &outcome),
    )
}

/// The methods that were called, and how often.
fn called(machine: &Machine<'_>) -> Vec<(String, u64)> {
    machine.calls_measured(CALLS)
}

fn is_unstable(machine: &Machine<'_>) -> bool {
    let is_not_fixed = |name: &str| NOT_FIXED.iter().any(|method| name.starts_with(method));
    machine.unstable_decision().is_some()
        || called(machine).iter().any(|(name, _)| is_not_fixed(name))
}

/// The number of calls is the sum of those of all methods.
fn contradiction(machine: &mut Machine<'_>) -> Option<String> {
    let sum = called(machine).iter().map(|(_, count)| *count).sum();
    let calls = machine.costs()[CALLS].constant;
    let is_wrong = u64::try_from(calls) != Ok(sum);
    is_wrong.then(|| format!("{calls} calls with the library, and {sum} by method"))
}

/// Who else may have allocated in the call that a machine has just derived.
fn others(
    procedures: &Procedures<'_>,
    target: &ResolvedMethod,
    call: &Call,
    machine: &mut Machine<'_>,
) -> Option<String> {
    let program = procedures.program();
    let mut methods = vec![target.clone()];
    for (called, _) in called(machine) {
        let (class, rest) = called.split_once('#').expect("a class stands before the method");
        let class = class.replace('.', "/");
        if !program.is_project_class(&class) {
            if ALLOCATES_NOTHING.iter().any(|method| called.starts_with(method)) {
                continue;
            }
            return Some(called);
        }
        let at = rest.find('(').expect("the method has a descriptor");
        let class = program.class(&class).expect("a method of it was called");
        methods.extend(class.declared_method(&rest[..at], &rest[at..]));
    }
    for method in &methods {
        let Ok(Some(procedure)) = procedures.get(method) else { continue };
        for (predicate, rule) in machine.rules_applied(method) {
            let rule = &procedure.predicates[predicate as usize].rules[rule as usize];
            if let Some(other) = other_of_rule(&procedure, rule, call) {
                return Some(other.to_owned());
            }
        }
    }
    None
}

fn other_of_rule(procedure: &Procedure, rule: &Rule, call: &Call) -> Option<&'static str> {
    let mut opcodes = rule.instructions.iter().map(|instruction| instruction.opcode.byte());
    if opcodes.any(|byte| byte == op::INVOKEDYNAMIC) {
        return Some("a dynamic call site");
    }
    let is_given = |field: &FieldRef| {
        let fields = call.statics.iter();
        fields
            .map(|given| (&*given.class, &*given.name))
            .any(|of| of == (&*field.class, &*field.name))
    };
    rule.literals().find_map(|literal| match literal {
        Literal::NewThrowable { .. } => Some("an exception of the JVM"),
        Literal::SetStatic { field, .. } => {
            let is_given = procedure.tables.field(*field).is_some_and(is_given);
            (!is_given).then_some("a write to a static field")
        }
        _ => None,
    })
}
