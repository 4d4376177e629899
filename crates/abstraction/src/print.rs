//! Abstractions as text: of each rule what is kept, in the papers' notation, and as a program that SWI-Prolog loads.
//!
//! `loop(E,I,loop(2,[],[T1])) :- I #=< E, I2 #= I+1, loop(E,I2,T1).` Heaps are implicit: `get_field`,
//! `set_field` and the like name the object, the field and the value. Behind the parameters that are kept come the result of
//! a method, if it is kept, and how its call ends, if it may throw.

mod rule;

use std::fmt::Write;

use petrel_clp::print::Names;
use petrel_clp::{Kind, Procedure, Variable};

use crate::modes::{Modes, Precision};
use crate::program::AbstractProgram;
use crate::slice::Slice;
use rule::RulePrinter;

/// What runs the rules.
const RUNTIME: &str = include_str!("../runtime/traces.pl");
/// What their guards and literals mean, if they have some.
const GUARDS: &str = include_str!("../runtime/guards.pl");
const VALUES: &str = include_str!("../runtime/values.pl");
/// Where a method has the name of something that the runtime calls, it is called otherwise.
const TAKEN: [&str; 2] = ["traces", "clause"];

/// An abstraction, or a slice of it, as a program for SWI-Prolog: its rules, and what enumerates their traces.
pub fn print(program: &AbstractProgram<'_>, modes: &Modes, slice: Option<&Slice>) -> String {
    let printer = Printer::new(program, modes, slice);
    let has_values = modes.precision != Precision::Naive;
    let (what, guards, values) = match modes.precision {
        Precision::Naive => ("Trace abstraction", "", ""),
        Precision::Enhanced { .. } => ("Refined trace abstraction", GUARDS, VALUES),
    };
    let target = comment(&program.procedure(0).method.to_string());
    let goal = printer.goal(0);
    let mut text =
        format!("% {what} of {target}, for SWI-Prolog:\n%\n%   ?- traces({goal}, 2).\n%\n");
    text.push_str(
        "% gives the traces in which no predicate occurs more than twice among its ancestors.\n",
    );
    if has_values {
        text.push_str(
            "% Numbers may be constrained before, as in  ?- [A,B] ins -1000..1000, traces(..., 2).\n\n\
             :- use_module(library(clpfd)).\n:- set_prolog_flag(clpfd_goal_expansion, false).\n:- op(700, xfx, not_in).\n",
        );
    } else {
        text.push('\n');
    }
    text.push_str(":- style_check(-singleton).\n");
    let entries: Vec<String> = printer.entries().map(|number| printer.indicator(number)).collect();
    let _ = writeln!(
        text,
        ":- forall(member(Name/N, [{}]), (functor(Goal, Name, N), redefine_system_predicate(Goal))).\n",
        entries.join(", ")
    );
    text + &printer.rules() + RUNTIME + guards + DERIVE + values
}

/// A goal that has no meaning of its own is one of rules.
const DERIVE: &str = "'/body'(Goal, K, Ancestors) :- '/derive'(Goal, K, Ancestors).\n";

/// The rules of an abstraction, or of a slice of it, a line each. A call that dispatches has a line for each
/// method. What is no part of the slice is not called, and its trace is left open.
pub fn rules(program: &AbstractProgram<'_>, modes: &Modes, slice: Option<&Slice>) -> String {
    Printer::new(program, modes, slice).rules()
}

/// What is printed, and the names in it.
struct Printer<'a> {
    program: &'a AbstractProgram<'a>,
    modes: &'a Modes,
    slice: Option<&'a Slice>,
    names: Names<'a>,
}

impl<'a> Printer<'a> {
    fn new(
        program: &'a AbstractProgram<'a>,
        modes: &'a Modes,
        slice: Option<&'a Slice>,
    ) -> Printer<'a> {
        let procedures: Vec<&Procedure> =
            program.procedures.iter().map(|known| &*known.procedure).collect();
        Printer { program, modes, slice, names: Names::of(&procedures, &[]) }
    }

    /// The procedures that have rules here.
    fn entries(&self) -> impl Iterator<Item = u32> {
        (0..self.program.procedures.len() as u32).filter(|&number| {
            let mut rules = self.program.rules_of(number);
            rules.any(|name| self.slice.is_none_or(|slice| slice.contains(&name)))
        })
    }

    fn rules(&self) -> String {
        let mut text = String::new();
        for procedure in self.entries() {
            let method = &self.program.procedure(procedure).method;
            let separator = if text.is_empty() { "" } else { "\n" };
            let _ = writeln!(text, "{separator}% {}", comment(&method.to_string()));
            self.write_modes(procedure, &mut text);
            for name in self.program.rules_of(procedure) {
                if self.slice.is_none_or(|slice| slice.contains(&name)) {
                    RulePrinter::new(self, name).write(&mut text);
                }
            }
        }
        text
    }

    /// Which variables of predicates are kept, if any may be: those are static in the words of 001 (Fig. 5), where nothing guards the
    /// others.
    fn write_modes(&self, procedure: u32, out: &mut String) {
        if self.modes.precision == Precision::Naive {
            return;
        }
        for (predicate, number) in self.program.procedure(procedure).predicates.iter().zip(0..) {
            let mode = |(position, parameter): (usize, &Variable)| {
                let is_kept = self.modes.keeps_parameter(procedure, number, position);
                let mode = if is_kept { "static" } else { "dynamic" };
                let is_value = parameter.kind != Kind::Exit;
                is_value.then(|| format!("{} = {mode}", comment(&parameter.name)))
            };
            let modes: Vec<String> =
                predicate.parameters.iter().enumerate().filter_map(mode).collect();
            if !modes.is_empty() {
                let name = comment(&predicate.name);
                let _ = writeln!(out, "%   <{name}, {{{}}}>", modes.join(", "));
            }
        }
    }

    /// How many arguments the entry of a procedure has.
    fn arity(&self, procedure: u32) -> usize {
        let parameters = &self.program.procedure(procedure).predicates[0].parameters;
        let kept = (0..parameters.len())
            .filter(|&position| self.modes.keeps_parameter(procedure, 0, position));
        kept.count()
            + usize::from(self.modes.keeps_result(procedure))
            + usize::from(self.tells_exit(procedure))
            + 1
    }

    fn indicator(&self, procedure: u32) -> String {
        format!("{}/{}", self.functor(procedure, 0), self.arity(procedure))
    }

    /// A call of a procedure on unknown arguments.
    fn goal(&self, procedure: u32) -> String {
        let mut arguments = vec!["_"; self.arity(procedure)];
        if let Some(last) = arguments.last_mut() {
            *last = "Trace";
        }
        format!("{}({})", self.functor(procedure, 0), arguments.join(","))
    }

    /// Whether the predicates of a procedure tell how its call ends.
    fn tells_exit(&self, procedure: u32) -> bool {
        self.modes.precision != Precision::Naive
            && self.program.procedures[procedure as usize].may_throw
    }

    /// The functor of a predicate, which no other has.
    fn functor(&self, procedure: u32, predicate: u32) -> String {
        let name = self.names.predicate(procedure as usize, petrel_clp::PredicateId(predicate));
        match TAKEN.contains(&name) {
            // No other name ends so.
            true => rule::quoted(&format!("{name}()")),
            false => rule::quoted(name),
        }
    }
}

/// Text for a comment, which ends with its line.
fn comment(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}
