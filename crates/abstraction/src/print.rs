//! Abstractions as text: of each rule what is kept, in the papers' notation.
//!
//! `loop(E,I,loop(2,[],[T1])) :- I #=< E, I2 #= I+1, loop(E,I2,T1).` Heaps are implicit: `get_field`,
//! `set_field` and the like name the object, the field and the value.

use std::fmt::Write;

use petrel_clp::{
    End, Guard, Literal, Operand, Operation, Predicate, Rule, Tables, VarId, infix_symbol,
    push_atom, trace_parameters,
};

use crate::modes::Modes;
use crate::program::{AbstractProgram, RuleName, Target};
use crate::slice::Slice;

/// The rules of an abstraction, or of a slice of it, a line each. A call that dispatches has a line for each
/// method. What is no part of the slice is not called, and its trace is left open.
pub fn print(program: &AbstractProgram<'_>, modes: &Modes, slice: Option<&Slice>) -> String {
    let mut text = String::new();
    let mut procedure = None;
    for name in program.rules().filter(|name| slice.is_none_or(|slice| slice.contains(name))) {
        if procedure.replace(name.procedure) != Some(name.procedure) {
            let method = &program.procedure(name.procedure).method;
            let separator = if text.is_empty() { "" } else { "\n" };
            let _ = writeln!(text, "{separator}% {method}");
        }
        let printer = RulePrinter {
            program,
            modes,
            slice,
            name,
            rule: program.rule(name),
            tables: &program.procedure(name.procedure).tables,
        };
        printer.write(&mut text);
    }
    text
}

struct RulePrinter<'a> {
    program: &'a AbstractProgram<'a>,
    modes: &'a Modes,
    slice: Option<&'a Slice>,
    name: RuleName,
    rule: &'a Rule,
    tables: &'a Tables,
}

impl RulePrinter<'_> {
    fn predicate(&self, procedure: u32, predicate: u32) -> &Predicate {
        &self.program.procedure(procedure).predicates[predicate as usize]
    }

    /// Whether the slice has rules of a predicate.
    fn is_in_slice(&self, procedure: u32, predicate: u32) -> bool {
        let count = self.predicate(procedure, predicate).rules.len() as u32;
        let mut rules = (0..count).map(|rule| RuleName { procedure, predicate, rule });
        self.slice.is_none_or(|slice| rules.any(|name| slice.contains(&name)))
    }

    fn write(&self, out: &mut String) {
        let mut callees: Vec<Option<u32>> = match self.program.target(self.name) {
            Target::Inside { cases, otherwise } => {
                let inside = cases.iter().map(|case| Some(case.procedure));
                inside.chain(otherwise.map(|_| None)).collect()
            }
            _ => vec![None],
        };
        if callees.iter().all(|callee| callee.is_none_or(|callee| !self.is_in_slice(callee, 0))) {
            // One of them stands for all.
            callees.truncate(1);
        }
        callees.into_iter().for_each(|callee| self.write_clause(callee, out));
    }

    /// The rule with a call of one procedure, or of none that is followed.
    fn write_clause(&self, callee: Option<u32>, out: &mut String) {
        let mut body: Vec<String> = Vec::new();
        let guards = self.rule.guards.iter().filter(|of| self.modes.keeps_guard(self.name, of));
        body.extend(guards.map(|guard| self.guard(guard)));
        let literals = self.rule.literals();
        let kept = literals.filter(|of| self.modes.keeps_literal(self.name, self.tables, of));
        body.extend(kept.filter_map(|literal| self.literal(literal)));
        let mut traces: Vec<String> = Vec::new();
        let is_followed = callee.is_some_and(|callee| self.is_in_slice(callee, 0));
        if callee.is_some() && !is_followed {
            traces.push("_".to_owned());
        }
        if let (Some(procedure), Some(call), true) = (callee, self.rule.call(), is_followed) {
            let mut arguments = self.kept_arguments(procedure, 0, &call.arguments);
            arguments.extend(
                call.result
                    .filter(|result| self.modes.keeps(self.name, *result))
                    .map(|result| self.variable(result)),
            );
            traces.push("T1".to_owned());
            arguments.push("T1".to_owned());
            let name = &self.predicate(procedure, 0).name;
            body.push(term(name, &arguments));
        }
        if let End::Continue(next, _) = &self.rule.end
            && !self.is_in_slice(self.name.procedure, next.0)
        {
            traces.push("_".to_owned());
        } else if let End::Continue(next, arguments) = &self.rule.end {
            let mut arguments = self.kept_arguments(self.name.procedure, next.0, arguments);
            traces.push(format!("T{}", traces.len() + 1));
            arguments.extend(traces.last().cloned());
            body.push(term(&self.predicate(self.name.procedure, next.0).name, &arguments));
        }
        let predicate = self.predicate(self.name.procedure, self.name.predicate);
        let parameters = predicate.parameters.iter().enumerate();
        let mut head: Vec<String> = parameters
            .filter(|(position, _)| {
                self.modes.keeps_parameter(self.name.procedure, self.name.predicate, *position)
            })
            .map(|(_, parameter)| parameter.name.to_string())
            .collect();
        let sizes: Vec<String> =
            trace_parameters(&self.rule.body).into_iter().map(|of| self.variable(of)).collect();
        let parts = [
            (self.name.rule + 1).to_string(),
            format!("[{}]", sizes.join(",")),
            format!("[{}]", traces.join(",")),
        ];
        head.push(term(&predicate.name, &parts));
        out.push_str(&term(&predicate.name, &head));
        if !body.is_empty() {
            let _ = write!(out, " :- {}", body.join(", "));
        }
        out.push_str(".\n");
    }

    fn kept_arguments(&self, procedure: u32, predicate: u32, arguments: &[Operand]) -> Vec<String> {
        let arguments = arguments.iter().enumerate();
        let kept = arguments
            .filter(|(position, _)| self.modes.keeps_parameter(procedure, predicate, *position));
        kept.map(|(_, argument)| self.operand(*argument)).collect()
    }

    fn variable(&self, variable: VarId) -> String {
        let known = self.rule.variables.get(variable.0 as usize);
        known.map_or_else(|| "_".to_owned(), |known| known.name.to_string())
    }

    fn operand(&self, operand: Operand) -> String {
        match operand {
            Operand::Variable(variable) => self.variable(variable),
            Operand::Int(number) => number.to_string(),
            Operand::Long(number) => number.to_string(),
            Operand::Float(bits) => f32::from_bits(bits).to_string(),
            Operand::Double(bits) => f64::from_bits(bits).to_string(),
            Operand::Null => "null".to_owned(),
        }
    }

    fn guard(&self, guard: &Guard) -> String {
        let class = |class| quoted(self.tables.class_name(class));
        let ints = |numbers: &[i32]| {
            let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            numbers.join(",")
        };
        let of_two = |name: &str, left: &Operand, right: &Operand| {
            term(name, &[self.operand(*left), self.operand(*right)])
        };
        match guard {
            Guard::Compare { comparison, left, right, .. } => {
                let symbol = comparison.symbol();
                format!("{} {symbol} {}", self.operand(*left), self.operand(*right))
            }
            Guard::OneOf(value, numbers) => {
                format!("{} in [{}]", self.operand(*value), ints(numbers))
            }
            Guard::NoneOf(value, numbers) => {
                format!("{} not_in [{}]", self.operand(*value), ints(numbers))
            }
            Guard::IsNull(value) => format!("{} == null", self.operand(*value)),
            Guard::NonNull(value) => format!("{} \\== null", self.operand(*value)),
            Guard::Same(left, right) => {
                format!("{} == {}", self.operand(*left), self.operand(*right))
            }
            Guard::Different(left, right) => {
                format!("{} \\== {}", self.operand(*left), self.operand(*right))
            }
            Guard::InBounds { array, index } => of_two("in_bounds", array, index),
            Guard::OutOfBounds { array, index } => of_two("out_of_bounds", array, index),
            Guard::Storable { array, value } => of_two("storable", array, value),
            Guard::NotStorable { array, value } => of_two("not_storable", array, value),
            Guard::Instance(value, of) => term("instance", &[self.operand(*value), class(*of)]),
            Guard::NotInstance(value, of) => {
                term("not_instance", &[self.operand(*value), class(*of)])
            }
            Guard::Castable(value, of) => term("castable", &[self.operand(*value), class(*of)]),
            Guard::NotCastable(value, of) => {
                term("not_castable", &[self.operand(*value), class(*of)])
            }
            Guard::Returned(exit) => format!("{} = ok", self.variable(*exit)),
            Guard::Threw(exit, exception) => {
                format!("{} = exc({})", self.variable(*exit), self.variable(*exception))
            }
        }
    }

    fn literal(&self, literal: &Literal) -> Option<String> {
        let class = |class| quoted(self.tables.class_name(class));
        let field = |field| {
            let known = self.tables.field(field);
            known.map_or_else(String::new, |known| quoted(&known.name))
        };
        Some(match literal {
            Literal::Compute { target, operation, operands } => {
                format!("{} #= {}", self.variable(*target), self.arithmetic(*operation, operands))
            }
            Literal::NewObject { target, class: of } => {
                term("new_object", &[class(*of), self.variable(*target)])
            }
            Literal::NewArray { target, class: of, length } => {
                let length = self.operand(*length);
                term("new_array", &[class(*of), length, self.variable(*target)])
            }
            Literal::ArrayLength { target, array } => {
                term("array_length", &[self.operand(*array), self.variable(*target)])
            }
            Literal::GetField { target, object, field: of } => {
                let object = self.operand(*object);
                term("get_field", &[object, field(*of), self.variable(*target)])
            }
            Literal::SetField { object, field: of, value } => {
                let object = self.operand(*object);
                term("set_field", &[object, field(*of), self.operand(*value)])
            }
            Literal::InstanceOf { target, object, class: of } => {
                let object = self.operand(*object);
                term("instance_of", &[object, class(*of), self.variable(*target)])
            }
            _ => return None,
        })
    }

    fn arithmetic(&self, operation: Operation, operands: &[Operand]) -> String {
        let operands: Vec<String> = operands.iter().map(|of| self.operand(*of)).collect();
        match (infix_symbol(operation), operands.as_slice()) {
            (Some(symbol), [left, right]) => format!("{left} {symbol} {right}"),
            _ => term(&format!("{operation:?}").to_lowercase(), &operands),
        }
    }
}

fn quoted(name: &str) -> String {
    let mut text = String::new();
    push_atom(&mut text, name);
    text
}

fn term(name: &str, arguments: &[String]) -> String {
    format!("{}({})", quoted(name), arguments.join(","))
}
