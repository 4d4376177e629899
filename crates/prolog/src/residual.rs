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
use crate::settings::{FinishedCase, Settings};
use crate::specialise::Specialiser;
use crate::store::Store;
use crate::term::Term;
use crate::{Export, Resultant, export, facts, term};

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
        settings: &Settings,
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
             % {}: try  ?- next_case(Case).  or  ?- show_cases({shown}, 3).\n\n",
            comment(&self.method.to_string())
        );
        settings.write(&residual, &mut out);
        let _ = writeln!(out, "generator({shown}, {method}).");
        out.push_str(
            "\n% test_case(Method, Arguments, Objects, Outcome): derivations that are finished.\n",
        );
        for case in finished {
            if let Some(fact) = case.fact(self.method, &self.context) {
                let _ = writeln!(out, "{fact}.");
            }
        }
        let others = finished.iter().filter(|case| case.inputs.is_none()).count();
        if others > 0 {
            let _ = writeln!(out, "% {others} more, whose inputs no fact can state");
        }
        out.push_str("\n% Those that are not: the paths above are kept out by their guards.\n");
        let procedures = self.export.procedures.iter();
        for procedure in procedures.filter(|procedure| procedure.method == *self.method) {
            facts::write_method(procedure, &residual, &mut out);
        }
        let resultants: Vec<Resultant> =
            unfinished.iter().map(|trace| self.resultant(trace)).collect::<Result<_, _>>()?;
        let mut specialiser =
            Specialiser::new(self.export.procedures, &self.context, [residual.clone()]);
        resultants.iter().for_each(|resultant| specialiser.keep(resultant.body()));
        let mut clauses = Vec::with_capacity(resultants.len());
        for (number, resultant) in resultants.iter().enumerate() {
            let (head, body) = (resultant.head(), resultant.body());
            clauses.push(specialiser.clause(&residual, number + 1, head, body, &Store::default()));
        }
        let versions = specialiser.versions();
        out.push_str("\n% specialised(Version, Predicate): the versions of a predicate are counted together.\n");
        // The runtime has to know them before the first rule that calls them.
        for (version, original, _) in &versions {
            let names = [Term::atom(&**version), Term::atom(&**original)];
            let _ = writeln!(out, "{}.", Term::compound("specialised", names));
        }
        for (resultant, clause) in resultants.iter().zip(clauses) {
            if !resultant.is_exact {
                out.push_str(
                    "\n% With other derivations that differ in choices that no rule shows.",
                );
            }
            let _ = writeln!(out, "\n{clause}");
        }
        out.push_str(
            "\n% What these go on with: versions of predicates for what is decided before.\n",
        );
        for (_, _, clauses) in &versions {
            out.push('\n');
            for clause in clauses {
                let _ = writeln!(out, "{clause}");
            }
        }
        Ok(out)
    }
}
