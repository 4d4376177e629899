//! One rule as text.

use super::ProcedureText;
use super::lexical::{atom, constant};
use crate::facts::Facts;
use crate::literal::{Callee, Literal};
use crate::notation::PLACES;
use crate::origin::Origins;
use crate::rule::trace_parameters;
use crate::rule::{End, InstructionRef, Placed, PredicateId, Rule, Variable};
use crate::term::{Kind, Operand, VarId};

/// Instructions are wrapped into several comments beyond this many columns.
const COMMENT_WIDTH: usize = 100;

/// Appends a rule of a predicate. Malformed ids are written as something that does not read back.
pub(super) fn write<'a>(
    text: &mut ProcedureText<'a>,
    predicate: PredicateId,
    index: usize,
    out: &mut String,
) {
    let Some(definition) = text.procedure.predicates.get(predicate.index()) else {
        return;
    };
    let Some(rule) = definition.rules.get(index) else {
        return;
    };
    write_instructions(&rule.instructions, out);
    write_places(Origins::of(&text.opcodes, definition, rule), rule, out);
    let functor = atom(text.names.predicate(text.number, predicate));
    let mut writer = RuleText::new(text, rule);
    let inputs: Vec<String> = definition
        .parameters
        .iter()
        .map(|parameter| writer.wrapped(&parameter.name, parameter.kind, Facts::of(parameter)))
        .collect();
    let first_heap = writer.heap();
    let mut body: Vec<String> = Vec::with_capacity(rule.guards.len() + rule.body.len() + 1);
    body.extend(rule.guards.iter().map(|guard| writer.guard(guard)));
    body.extend(rule.literals().map(|literal| writer.literal(literal)));
    let is_void = writer.text.procedure.result_kind().is_none();
    let output_of = |name: String| if is_void { String::new() } else { name };
    let (output, exit) = match &rule.end {
        End::Return(None) => (String::new(), "ok".to_string()),
        End::Return(Some(value)) => (writer.operand(*value), "ok".to_string()),
        End::Throw(exception) => {
            let exception = writer.operand(*exception);
            (output_of("_".to_string()), format!("exc({exception})"))
        }
        End::Continue(target, arguments) => {
            let output = output_of(fresh("R", &rule.variables));
            let exit = fresh("E", &rule.variables);
            body.push(writer.continuation(*target, arguments, &output, &exit));
            (output, exit)
        }
    };
    let parameters: Vec<String> = trace_parameters(&rule.body)
        .into_iter()
        .map(|variable| writer.variable(variable))
        .collect();
    out.push_str(&format!(
        "{functor}([{}],[{output}],{first_heap},{},{exit},{functor}({},[{}],[{}]))",
        inputs.join(","),
        writer.heap(),
        index + 1,
        parameters.join(","),
        writer.traces().join(",")
    ));
    if !body.is_empty() {
        out.push_str(" :-\n    ");
        out.push_str(&body.join(",\n    "));
    }
    out.push_str(".\n");
}

fn write_instructions(instructions: &[InstructionRef], out: &mut String) {
    let mut line = String::new();
    let mut previous = None;
    for instruction in instructions {
        let item = format!("{} {}", instruction.pc, instruction.opcode.mnemonic());
        let item = match previous {
            Some(source_line) if source_line == instruction.line => format!(", {item}"),
            Some(_) => format!("; {}: {item}", instruction.line),
            None => format!("{}: {item}", instruction.line),
        };
        if !line.is_empty() && line.len() + item.len() > COMMENT_WIDTH {
            out.push_str(&format!("{line}\n"));
            line = format!(
                "%@ {}: {} {}",
                instruction.line,
                instruction.pc,
                instruction.opcode.mnemonic()
            );
        } else {
            if line.is_empty() {
                line.push_str("%@ ");
            }
            line.push_str(&item);
        }
        previous = Some(instruction.line);
    }
    if !line.is_empty() {
        out.push_str(&format!("{line}\n"));
    }
}

/// The literals that come from other instructions than their order lets one expect.
fn write_places(mut origins: Origins<'_>, rule: &Rule, out: &mut String) {
    let mut line = String::new();
    for (number, Placed { pc, literal }) in (1_usize..).zip(&rule.body) {
        let is_expected = origins.expected(literal) == *pc;
        origins.take(*pc);
        if is_expected {
            continue;
        }
        let item = format!("{number} at {pc}");
        if !line.is_empty() && line.len() + item.len() > COMMENT_WIDTH {
            out.push_str(&format!("{line}\n"));
            line.clear();
        }
        let before = if line.is_empty() { format!("%@ {PLACES} ") } else { ", ".to_owned() };
        line.push_str(&before);
        line.push_str(&item);
    }
    if !line.is_empty() {
        out.push_str(&format!("{line}\n"));
    }
}

/// The state of writing one rule: which heap is current, and how many traces there are.
pub(super) struct RuleText<'t, 'a> {
    pub(super) text: &'t mut ProcedureText<'a>,
    rule: &'a Rule,
    heap_name: String,
    n_heaps_written: usize,
    trace_name: String,
    /// Whether there is one trace only, which needs no number.
    one_trace: bool,
    n_traces: usize,
}

impl<'t, 'a> RuleText<'t, 'a> {
    pub(super) fn new(text: &'t mut ProcedureText<'a>, rule: &'a Rule) -> RuleText<'t, 'a> {
        let n_calls = rule.literals().filter(has_trace).count();
        let n_traces = n_calls + usize::from(matches!(rule.end, End::Continue(..)));
        RuleText {
            text,
            rule,
            heap_name: fresh_with_numbers("H", &rule.variables),
            n_heaps_written: 0,
            trace_name: fresh_with_numbers("T", &rule.variables),
            one_trace: n_traces == 1,
            n_traces: 0,
        }
    }

    /// The current heap.
    pub(super) fn heap(&self) -> String {
        match self.n_heaps_written {
            0 => self.heap_name.clone(),
            number => format!("{}{number}", self.heap_name),
        }
    }

    /// The heap after a literal that writes it, which becomes the current one.
    pub(super) fn next_heap(&mut self) -> String {
        self.n_heaps_written += 1;
        self.heap()
    }

    /// The trace of one more call.
    pub(super) fn next_trace(&mut self) -> String {
        self.n_traces += 1;
        self.trace(self.n_traces)
    }

    fn trace(&self, number: usize) -> String {
        if self.one_trace {
            self.trace_name.clone()
        } else {
            format!("{}{number}", self.trace_name)
        }
    }

    fn traces(&self) -> Vec<String> {
        (1..=self.n_traces).map(|number| self.trace(number)).collect()
    }

    fn continuation(
        &mut self,
        target: PredicateId,
        arguments: &[Operand],
        output: &str,
        exit: &str,
    ) -> String {
        let functor = atom(self.text.names.predicate(self.text.number, target));
        let target = self.text.procedure.predicates.get(target.index());
        let inputs: Vec<String> = arguments
            .iter()
            .enumerate()
            .map(|(index, argument)| {
                let parameter = target.and_then(|target| target.parameters.get(index));
                self.argument(*argument, parameter.map_or(Facts::NOTHING, Facts::of))
            })
            .collect();
        let (before, after, trace) = (self.heap(), self.next_heap(), self.next_trace());
        format!("{functor}([{}],[{output}],{before},{after},{exit},{trace})", inputs.join(","))
    }

    pub(super) fn declaration(&self, variable: VarId) -> Option<&'a Variable> {
        self.rule.variables.get(variable.0 as usize)
    }

    pub(super) fn variable(&self, variable: VarId) -> String {
        match self.declaration(variable) {
            Some(declaration) => declaration.name.to_string(),
            None => format!("_UNKNOWN_{}", variable.0),
        }
    }

    pub(super) fn operand(&self, operand: Operand) -> String {
        match operand {
            Operand::Variable(variable) => self.variable(variable),
            other => constant(other).unwrap_or_default(),
        }
    }

    /// An argument, wrapped by its kind and by what the parameter claims.
    pub(super) fn argument(&mut self, operand: Operand, claimed: Facts) -> String {
        match operand {
            Operand::Variable(variable) => {
                let kind =
                    self.declaration(variable).map_or(Kind::Int, |declaration| declaration.kind);
                let name = self.variable(variable);
                self.wrapped(&name, kind, claimed)
            }
            other => self.operand(other),
        }
    }

    /// A variable where it is bound, `certain` being what its binder implies.
    pub(super) fn binding(&mut self, variable: VarId, certain: Facts) -> String {
        let name = self.variable(variable);
        match self.declaration(variable) {
            Some(declaration)
                if declaration.kind == Kind::Reference && Facts::of(declaration) != certain =>
            {
                self.wrapped(&name, Kind::Reference, Facts::of(declaration))
            }
            _ => name,
        }
    }

    /// The variable that a literal binds first.
    pub(super) fn target(&mut self, variable: VarId, binder: &Literal) -> String {
        self.binding(variable, Facts::of_binder(binder))
    }

    fn wrapped(&mut self, name: &str, kind: Kind, facts: Facts) -> String {
        match (kind, facts) {
            (Kind::Int, _) => name.to_string(),
            (Kind::Long, _) => format!("l({name})"),
            (Kind::Float, _) => format!("f({name})"),
            (Kind::Double, _) => format!("d({name})"),
            (Kind::Exit, _) => format!("exit({name})"),
            (Kind::Reference, Facts { array: Some(array), .. }) => {
                let class = self.text.class(array.class);
                format!("array({name},{class},{})", array.length)
            }
            (Kind::Reference, Facts { non_null: true, .. }) => format!("r({name})"),
            (Kind::Reference, Facts::NOTHING) => format!("ref({name})"),
        }
    }
}

fn has_trace(literal: &&Literal) -> bool {
    matches!(literal, Literal::Call(call) if !matches!(call.callee, Callee::Initialise(_)))
}

/// A name for something that is implicit in the data: the usual one, with underscores until no
/// variable of the rule is called so.
fn fresh(usual: &str, variables: &[Variable]) -> String {
    with_underscores(usual, variables, |rest| rest.is_empty())
}

/// The same where numbers are appended to the name.
fn fresh_with_numbers(usual: &str, variables: &[Variable]) -> String {
    with_underscores(usual, variables, |rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
}

fn with_underscores(
    usual: &str,
    variables: &[Variable],
    collides_before: impl Fn(&str) -> bool,
) -> String {
    let mut name = usual.to_string();
    let is_taken = |name: &str| {
        variables.iter().any(|variable| {
            let rest = variable.name.strip_prefix(name);
            rest.is_some_and(&collides_before)
        })
    };
    while is_taken(&name) {
        name.push('_');
    }
    name
}
