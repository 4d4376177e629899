//! One rule of an abstraction, as a clause for each way that its call can go.

use std::fmt::Write;

use petrel_clp::print::{fresh_name, variable_names};
use petrel_clp::{
    ArithmeticKind, Conversion, End, Guard, Kind, Literal, Operand, Operation, Predicate, Rule,
    Tables, VarId, infix_symbol, push_atom, trace_parameters,
};

use super::Printer;
use crate::modes::Precision;
use crate::program::{Case, RuleName, Target};

/// One rule, and the names of its variables.
pub(super) struct RulePrinter<'a> {
    printer: &'a Printer<'a>,
    name: RuleName,
    rule: &'a Rule,
    tables: &'a Tables,
    variables: Vec<String>,
}

/// Where a clause lets the call of its rule go.
#[derive(Clone, Copy)]
enum Way<'a> {
    /// There is none, or one of code that traces do not show.
    Past,
    /// Past a method that is left open.
    Open,
    /// Into a method.
    Into(&'a Case),
}

impl<'a> RulePrinter<'a> {
    pub(super) fn new(printer: &'a Printer<'a>, name: RuleName) -> RulePrinter<'a> {
        let rule = printer.program.rule(name);
        let tables = &printer.program.procedure(name.procedure).tables;
        RulePrinter { printer, name, rule, tables, variables: variable_names(&rule.variables) }
    }

    fn predicate(&self, procedure: u32, predicate: u32) -> &'a Predicate {
        &self.printer.program.procedure(procedure).predicates[predicate as usize]
    }

    /// Whether the slice has rules of a predicate.
    fn is_in_slice(&self, procedure: u32, predicate: u32) -> bool {
        let count = self.predicate(procedure, predicate).rules.len() as u32;
        let mut rules = (0..count).map(|rule| RuleName { procedure, predicate, rule });
        self.printer.slice.is_none_or(|slice| rules.any(|name| slice.contains(&name)))
    }

    pub(super) fn write(&self, out: &mut String) {
        let ways = match self.printer.program.target(self.name) {
            Target::Inside { cases, otherwise } => {
                let is_followed = |case: &Case| self.is_in_slice(case.procedure, 0);
                let into = |case| if is_followed(case) { Way::Into(case) } else { Way::Open };
                let mut ways: Vec<Way<'_>> = cases.iter().map(into).collect();
                ways.extend(otherwise.map(|_| Way::Past));
                // One of them stands for all.
                if !cases.iter().any(is_followed) {
                    ways.truncate(1);
                }
                ways
            }
            _ => vec![Way::Past],
        };
        ways.into_iter().for_each(|way| self.write_clause(way, out));
    }

    fn write_clause(&self, way: Way<'_>, out: &mut String) {
        let modes = self.printer.modes;
        let mut body: Vec<String> = Vec::new();
        let guards = self.rule.guards.iter().filter(|of| modes.keeps_guard(self.name, of));
        body.extend(guards.map(|guard| self.guard(guard)));
        let literals = self.rule.literals();
        let kept = literals.filter(|of| modes.keeps_literal(self.name, self.tables, of));
        body.extend(kept.filter_map(|literal| self.literal(literal)));
        let mut traces: Vec<String> = Vec::new();
        match way {
            Way::Past => {}
            Way::Open => traces.push("_".to_owned()),
            Way::Into(case) => self.call(case, &mut traces, &mut body),
        }
        let outputs = self.outputs();
        match &self.rule.end {
            End::Continue(next, _) if !self.is_in_slice(self.name.procedure, next.0) => {
                traces.push("_".to_owned());
            }
            End::Continue(next, arguments) => {
                let exit = self.known_exit(way);
                let mut arguments = self.kept(self.name.procedure, next.0, arguments, exit);
                arguments.extend(outputs.iter().cloned());
                let trace = format!("{}{}", self.fresh("T"), traces.len() + 1);
                arguments.push(trace.clone());
                traces.push(trace);
                let functor = self.printer.functor(self.name.procedure, next.0);
                body.push(compound(&functor, &arguments));
            }
            End::Return(_) | End::Throw(_) => {}
        }
        let RuleName { procedure, predicate, rule } = self.name;
        let definition = self.predicate(procedure, predicate);
        let parameters: Vec<Operand> =
            (0..definition.parameters.len() as u32).map(|n| Operand::Variable(VarId(n))).collect();
        let mut head = self.kept(procedure, predicate, &parameters, None);
        head.extend(outputs);
        let sizes: Vec<String> =
            trace_parameters(&self.rule.body).into_iter().map(|of| self.variable(of)).collect();
        let parts = [
            (rule + 1).to_string(),
            format!("[{}]", sizes.join(",")),
            format!("[{}]", traces.join(",")),
        ];
        head.push(compound(&quoted(&definition.name), &parts));
        out.push_str(&compound(&self.printer.functor(procedure, predicate), &head));
        if !body.is_empty() {
            let _ = write!(out, " :- {}", body.join(", "));
        }
        out.push_str(".\n");
    }

    /// The call of a method, and its trace.
    fn call(&self, case: &Case, traces: &mut Vec<String>, body: &mut Vec<String>) {
        let Some(call) = self.rule.call() else { return };
        let mut arguments = self.kept(case.procedure, 0, &call.arguments, None);
        if self.printer.modes.keeps_result(case.procedure) {
            let kept = call.result.filter(|of| self.printer.modes.keeps(self.name, *of));
            arguments.push(kept.map_or_else(|| "_".to_owned(), |result| self.variable(result)));
        }
        if self.printer.tells_exit(case.procedure) {
            arguments.push(self.variable(call.exit));
        }
        let trace = format!("{}1", self.fresh("T"));
        traces.push(trace.clone());
        let functor = self.printer.functor(case.procedure, 0);
        if case.is_named {
            arguments.push(trace);
            body.push(compound(&functor, &arguments));
            return;
        }
        let own = format!("{}0", self.fresh("T"));
        arguments.push(own.clone());
        body.push(compound(&functor, &arguments));
        let class = self.printer.program.procedure(case.procedure).method.class.replace('/', ".");
        let name = quoted(&format!("{class}.{}", self.predicate(case.procedure, 0).name));
        body.push(compound("traced_as", &[own, name, trace]));
    }

    /// How the call of the rule ends, if that is the same for all inputs, or if nothing is known of it.
    fn known_exit(&self, way: Way<'_>) -> Option<&'static str> {
        let program = self.printer.program;
        let may_throw = |case: &Case| program.procedures[case.procedure as usize].may_throw;
        let returns = match (way, program.target(self.name)) {
            (Way::Into(case), _) => match may_throw(case) {
                true => return None,
                false => true,
            },
            (Way::Open, Target::Inside { cases, otherwise }) => {
                otherwise.is_none() && !cases.iter().any(may_throw)
            }
            (_, Target::Initialise { may_fail }) => !may_fail,
            _ => false,
        };
        Some(if returns { "ok" } else { "_" })
    }

    /// What the rule's predicate tells behind its parameters: a result, and how the call ends.
    fn outputs(&self) -> Vec<String> {
        let procedure = self.name.procedure;
        let mut outputs = Vec::new();
        if self.printer.modes.keeps_result(procedure) {
            outputs.push(match &self.rule.end {
                End::Return(Some(value)) => self.value(*value),
                End::Return(None) | End::Throw(_) => "_".to_owned(),
                End::Continue(..) => self.fresh("R"),
            });
        }
        if self.printer.tells_exit(procedure) {
            outputs.push(match &self.rule.end {
                End::Return(_) => "ok".to_owned(),
                End::Throw(_) => "exc".to_owned(),
                End::Continue(..) => self.fresh("E"),
            });
        }
        outputs
    }

    /// The arguments of a predicate that are kept; of the call that its rule made, the exit may be known.
    fn kept(
        &self,
        procedure: u32,
        predicate: u32,
        arguments: &[Operand],
        known_exit: Option<&str>,
    ) -> Vec<String> {
        let modes = self.printer.modes;
        let parameters = &self.predicate(procedure, predicate).parameters;
        let own_exit = self.rule.call().map(|call| Operand::Variable(call.exit));
        let mut kept = Vec::new();
        for (position, (parameter, argument)) in parameters.iter().zip(arguments).enumerate() {
            let is_exit = parameter.kind == Kind::Exit && modes.precision != Precision::Naive;
            match known_exit {
                Some(exit) if is_exit && own_exit == Some(*argument) => kept.push(exit.to_owned()),
                _ if is_exit => kept.push(self.operand(*argument)),
                _ if modes.keeps_parameter(procedure, predicate, position) => {
                    kept.push(self.value(*argument));
                }
                _ => {}
            }
        }
        kept
    }

    fn fresh(&self, usual: &str) -> String {
        fresh_name(usual, &self.variables)
    }

    fn variable(&self, variable: VarId) -> String {
        self.variables.get(variable.0 as usize).map_or("_", |name| name).to_owned()
    }

    /// An operand as far as it is known.
    fn value(&self, operand: Operand) -> String {
        match operand {
            Operand::Float(_) | Operand::Double(_) => "_".to_owned(),
            other => self.operand(other),
        }
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
            compound(name, &[self.operand(*left), self.operand(*right)])
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
            Guard::Instance(value, of) => compound("instance", &[self.operand(*value), class(*of)]),
            Guard::NotInstance(value, of) => {
                compound("not_instance", &[self.operand(*value), class(*of)])
            }
            Guard::Castable(value, of) => compound("castable", &[self.operand(*value), class(*of)]),
            Guard::NotCastable(value, of) => {
                compound("not_castable", &[self.operand(*value), class(*of)])
            }
            Guard::Returned(exit) => format!("{} = ok", self.variable(*exit)),
            Guard::Threw(exit, _) => {
                format!("{} = exc", self.variable(*exit))
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
                return Some(self.compute(*target, *operation, operands));
            }
            Literal::NewObject { target, class: of } => {
                compound("new_object", &[class(*of), self.variable(*target)])
            }
            Literal::NewArray { target, class: of, length } => {
                let length = self.operand(*length);
                compound("new_array", &[class(*of), length, self.variable(*target)])
            }
            Literal::ArrayLength { target, array } => {
                compound("array_length", &[self.operand(*array), self.variable(*target)])
            }
            Literal::GetField { target, object, field: of } => {
                let object = self.operand(*object);
                compound("get_field", &[object, field(*of), self.variable(*target)])
            }
            Literal::SetField { object, field: of, value } => {
                let object = self.operand(*object);
                compound("set_field", &[object, field(*of), self.operand(*value)])
            }
            Literal::InstanceOf { target, object, class: of } => {
                let object = self.operand(*object);
                compound("instance_of", &[object, class(*of), self.variable(*target)])
            }
            _ => return None,
        })
    }

    /// What is known of a number that is computed.
    fn compute(&self, target: VarId, operation: Operation, operands: &[Operand]) -> String {
        let target = self.variable(target);
        let operands: Vec<String> = operands.iter().map(|of| self.value(*of)).collect();
        let (kind, expression) = match (operation, &*operands) {
            (
                Operation::Add(kind)
                | Operation::Subtract(kind)
                | Operation::Multiply(kind)
                | Operation::Divide(kind)
                | Operation::Remainder(kind),
                [left, right],
            ) => {
                let symbol = infix_symbol(operation).unwrap_or_default();
                // In brackets, since two signs in a row are one.
                let right =
                    if right.starts_with('-') { format!("({right})") } else { right.clone() };
                (kind, format!("{left} {symbol} {right}"))
            }
            (Operation::Negate(kind), [operand]) => (kind, format!("-({operand})")),
            (Operation::Convert(Conversion::IntToLong), [operand]) => {
                return format!("{target} = {operand}");
            }
            _ => return compound("any", &[target]),
        };
        match kind {
            ArithmeticKind::Int => format!("{target} #= {expression}"),
            ArithmeticKind::Long => format!("long({target} #= {expression})"),
            ArithmeticKind::Float | ArithmeticKind::Double => compound("any", &[target]),
        }
    }
}

/// An atom, in quotes where it needs them.
pub(super) fn quoted(name: &str) -> String {
    let mut text = String::new();
    push_atom(&mut text, name);
    text
}

/// A term, whose functor is written as it is.
fn compound(functor: &str, arguments: &[String]) -> String {
    format!("{functor}({})", arguments.join(","))
}
