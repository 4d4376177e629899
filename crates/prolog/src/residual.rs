//! Residual programs: what is left of a generation, as a generator of further test cases.
//!
//! "Test Data Generation of Bytecode by CLP Partial Evaluation", Ex. 6: facts for the finished derivations, and a rule
//! for each unfinished one, whose store keeps the finished paths out. SWI-Prolog enumerates further test cases from it
//! as from any other predicate.

use std::fmt::Write;

use petrel_clp::{MethodRef, Trace};

use crate::clause::{Context, comment};
use crate::names::functor;
use crate::resultant::unfold;
use crate::{Export, Resultant, export, facts, term};

/// A finished derivation with the inputs that were found for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedCase {
    /// The arguments, if all of them are numbers.
    pub arguments: Option<Vec<i64>>,
    /// What they give: a number, or the class of an exception.
    pub outcome: Result<Option<i64>, String>,
}

/// What is left of a generation.
pub struct Generator<'a> {
    export: &'a Export<'a>,
    context: Context<'a>,
    method: &'a MethodRef,
}

impl<'a> Generator<'a> {
    /// A generator for a method of a program.
    pub fn new(export: &'a Export<'a>, method: &'a MethodRef) -> Generator<'a> {
        Generator { export, context: Context::of(export), method }
    }

    /// A derivation as a rule.
    ///
    /// # Errors
    ///
    /// If the trace is none of the method: tells what does not fit.
    pub fn resultant(&self, trace: &Trace) -> Result<Resultant, String> {
        unfold(self.export.procedures, &self.context, self.method, trace)
    }

    /// The whole file.
    ///
    /// # Errors
    ///
    /// If a trace is none of the method: tells what does not fit.
    pub fn program(
        &self,
        finished: &[FinishedCase],
        unfinished: &[Trace],
    ) -> Result<String, String> {
        let name = functor(self.context.names.method(self.method));
        let residual = format!("{name}_residual");
        let (method, shown) = (term::atom(&name), term::atom(&residual));
        let mut out = export(self.export);
        let _ = write!(
            out,
            "\n% ---------------------------------------------------------------------------------------------\n\
             % The generator of further test cases\n%\n\
             % {}: try  ?- show_cases({shown}, 3).\n\n",
            comment(&self.method.to_string())
        );
        out.push_str("% test_case(Method, Arguments, Outcome): derivations that are finished.\n");
        out.push_str(":- dynamic test_case/3.\n");
        for case in finished {
            let Some(arguments) = &case.arguments else { continue };
            let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
            let outcome = match &case.outcome {
                Ok(Some(value)) => value.to_string(),
                Ok(None) => "void".to_owned(),
                Err(class) => format!("throws({})", term::atom(class)),
            };
            let _ = writeln!(out, "test_case({method}, [{}], {outcome}).", arguments.join(", "));
        }
        let others = finished.iter().filter(|case| case.arguments.is_none()).count();
        if others > 0 {
            let _ = writeln!(out, "% {others} more, whose inputs are not all numbers");
        }
        out.push_str("\n% Those that are not: the paths above are kept out by their guards.\n");
        let procedures = self.export.procedures.iter();
        for procedure in procedures.filter(|procedure| procedure.method == *self.method) {
            facts::write_method(procedure, &residual, &mut out);
        }
        for (number, trace) in unfinished.iter().enumerate() {
            let resultant = self.resultant(trace)?;
            if !resultant.is_exact {
                out.push_str(
                    "\n% With other derivations that differ in choices that no rule shows.",
                );
            }
            let _ = writeln!(out, "\n{}", resultant.clause(&residual, number + 1));
        }
        Ok(out)
    }
}
