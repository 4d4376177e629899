//! Test cases under test: those that Petrel generates for methods on unknown inputs, in a form in which
//! they can be compared with the JVM and with concrete derivations.

mod totals;
mod trial;

use petrel_classfile::{JavaType, MethodDescriptor, flags};
use petrel_program::ResolvedMethod;
use petrel_replay::{self as replay, Call};
use petrel_testcase::{
    Case, GenerateError, Options, Outcome, Solution, Summary, Termination, generate,
};
use petrel_translate::cache::Procedures;

use crate::compare::{Derived, Ending, Instability, Verdict, judge};
use crate::fixture::{Bound, Paths};

pub use totals::Totals;
pub use trial::{Trial, for_each_in_threads};

/// Whether a method is static, its parameters are integers and booleans, and there is code that is not
/// the compiler's.
pub fn is_target(method: &ResolvedMethod) -> bool {
    let is_integral = |java_type: &JavaType| {
        !matches!(
            java_type,
            JavaType::Float | JavaType::Double | JavaType::Object(_) | JavaType::Array(_)
        )
    };
    let descriptor = MethodDescriptor::parse(method.descriptor());
    method.is_static()
        && is_callable(method)
        && descriptor.is_ok_and(|descriptor| descriptor.parameters.iter().all(is_integral))
}

/// Whether a method is static, its parameters are numbers and booleans, and there is code that is not the
/// compiler's.
pub fn is_numeric_target(method: &ResolvedMethod) -> bool {
    let descriptor = MethodDescriptor::parse(method.descriptor());
    method.is_static()
        && is_callable(method)
        && descriptor.is_ok_and(|descriptor| {
            descriptor.parameters.iter().all(|parameter| !parameter.is_reference())
        })
}

/// Whether a method is such a one and has a `float` or `double` as parameter.
pub fn is_real_target(method: &ResolvedMethod) -> bool {
    let is_real = |parameter: &JavaType| matches!(parameter, JavaType::Float | JavaType::Double);
    let descriptor = MethodDescriptor::parse(method.descriptor());
    is_numeric_target(method)
        && descriptor.is_ok_and(|descriptor| descriptor.parameters.iter().any(is_real))
}

/// Whether a method or constructor can be called by itself, and there is code that is not the
/// compiler's.
pub fn is_callable(method: &ResolvedMethod) -> bool {
    let class = method.class();
    // Nobody but the enum makes its constants.
    let is_made = !class.is_abstract() && !class.file.has_flags(flags::ENUM);
    method.name() != "<clinit>"
        && !method.has_flags(flags::SYNTHETIC)
        && !method.has_flags(flags::NATIVE)
        && !method.has_flags(flags::ABSTRACT)
        && !class.file.has_flags(flags::SYNTHETIC)
        && (!method.is_constructor() || is_made)
}

/// The options that a `paths` line stands for.
pub fn options_of(paths: &Paths) -> Options {
    Options {
        termination: match paths.bound {
            Bound::BlockCount(most) => Termination::BlockCount(most),
            Bound::Loop(most) => Termination::Loop(most),
        },
        domain: paths.domain,
        exceptions: paths.exceptions,
        heap: paths.heap,
        assumptions: paths.assumptions.clone(),
        ..Options::default()
    }
}

/// All cases of a method, and what is known about the rest of its paths.
///
/// # Errors
///
/// If there cannot be any.
pub fn all_cases(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    options: &Options,
) -> Result<(Vec<Case>, Summary), GenerateError> {
    let mut cases = Vec::new();
    let summary = generate(procedures, method, options, &mut |case| {
        cases.push(case);
        true
    })?;
    Ok((cases, summary))
}

/// What is wrong with a summary whatever the method is: paths that Petrel found and its own concrete
/// derivation did not take, and whatever else it knows to be a bug of its own.
pub fn contradictions(summary: &Summary) -> Vec<String> {
    summary.ends.defects.keys().map(ToString::to_string).collect()
}

/// What a case predicts for one of its inputs.
#[derive(Debug, Clone)]
pub struct Prediction {
    /// The call with these inputs.
    pub call: Call,
    derived: Derived,
}

/// The predictions of a case.
pub fn predictions(method: &ResolvedMethod, case: &Case) -> Vec<Prediction> {
    case.solutions.iter().map(|solution| prediction(method, case, solution)).collect()
}

fn prediction(method: &ResolvedMethod, case: &Case, solution: &Solution) -> Prediction {
    let call = Call {
        receiver: solution.receiver,
        arguments: solution.arguments.clone(),
        statics: solution.statics.clone(),
        heap: solution.heap.clone(),
        ..Call::new(method.class().name(), method.name(), method.descriptor())
    };
    let output = &solution.output;
    let ending = match &case.outcome {
        Outcome::Return => Ending::Returned(output.value),
        Outcome::Throw(class) => Ending::Threw {
            class: class.replace('.', "/"),
            message: match &output.message_unknown {
                None => Ok(output.message.as_ref().map(|message| message.0.to_vec())),
                Some(why) => Err(why.clone()),
            },
        },
    };
    let derived = Derived {
        ending,
        instability: Instability::of(case.unstable_decision.is_some(), output.unstable),
        receiver: output.receiver,
        arguments: output.arguments.clone(),
        heap: output.heap.clone(),
        // A case says nothing about what is printed.
        written: None,
    };
    Prediction { call, derived }
}

impl Prediction {
    /// Compares it with what the JVM did.
    pub fn judge(&self, outcome: &replay::Outcome) -> Verdict {
        judge(&self.derived, outcome)
    }
}
