//! Rules as Prolog clauses: "Resource-driven CLP-based test case generation", Def. 2.

use std::collections::BTreeSet;

use petrel_clp::print::Names;
use petrel_clp::trace_parameters;
use petrel_clp::{
    Callee, ClassId, End, FieldId, FieldRef, InstructionRef, MethodRef, Operand, PredicateId,
    Procedure, Rule, StringId, Tables, VarId,
};

use crate::Export;
use crate::names::{fresh, functor, variables};
use crate::term::{Clause, Term};

/// What the rules of all procedures share.
pub(crate) struct Context<'a> {
    pub(crate) names: Names<'a>,
    /// The methods whose rules are exported.
    pub(crate) exported: BTreeSet<&'a MethodRef>,
    /// The methods whose virtual calls have rules of their own.
    pub(crate) dispatched: BTreeSet<&'a MethodRef>,
    /// The fields that rules name.
    pub(crate) fields: BTreeSet<&'a FieldRef>,
}

impl<'a> Context<'a> {
    pub(crate) fn of(export: &Export<'a>) -> Context<'a> {
        let procedures = export.procedures.iter();
        Context {
            names: Names::of(export.procedures, export.dispatches),
            exported: procedures.clone().map(|procedure| &procedure.method).collect(),
            dispatched: export.dispatches.iter().map(|dispatch| &dispatch.method).collect(),
            fields: procedures.flat_map(|procedure| procedure.tables.fields.entries()).collect(),
        }
    }

    pub(crate) fn is_exported(&self, method: &MethodRef) -> bool {
        self.exported.contains(method)
    }

    /// Whether a call names the method that it goes to. A virtual call without dispatch rules does.
    pub(crate) fn is_direct(&self, callee: Callee, method: &MethodRef) -> bool {
        let selects = matches!(callee, Callee::Virtual(_) | Callee::Interface(_));
        self.is_exported(method) && !(selects && self.dispatched.contains(method))
    }
}

/// The rules of a procedure, with their instructions as comments.
pub(crate) fn write_procedure(
    procedure: &Procedure,
    number: usize,
    context: &Context<'_>,
    out: &mut String,
) {
    out.push_str(&format!("\n% {}\n", comment(&procedure.method.to_string())));
    for (index, predicate) in procedure.predicates.iter().enumerate() {
        let name = functor(context.names.predicate(number, PredicateId::from(index)));
        out.push('\n');
        for (index, rule) in predicate.rules.iter().enumerate() {
            write_instructions(&rule.instructions, out);
            let writer = RuleWriter::new(procedure, number, rule, context);
            let parameters = predicate.parameters.len();
            out.push_str(&format!("{}\n", writer.clause(&name, index + 1, parameters)));
        }
    }
}

/// `instr` of the papers, by source line: `% 14: 0 iload_1, 1 ifne`.
fn write_instructions(instructions: &[InstructionRef], out: &mut String) {
    for group in instructions.chunk_by(|left, right| left.line == right.line) {
        let items: Vec<String> =
            group.iter().map(|i| format!("{} {}", i.pc, i.opcode.mnemonic())).collect();
        let line = group.first().map_or(0, |instruction| instruction.line);
        out.push_str(&format!("% {line}: {}\n", items.join(", ")));
    }
}

/// Text for a comment, which ends with its line.
pub(crate) fn comment(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

/// The state of writing one rule: which heap is current, and how many traces there are.
pub(crate) struct RuleWriter<'a> {
    pub(crate) context: &'a Context<'a>,
    procedure: &'a Procedure,
    number: usize,
    rule: &'a Rule,
    variables: Vec<String>,
    heap: String,
    n_heaps: usize,
    trace: String,
    n_traces: usize,
}

impl<'a> RuleWriter<'a> {
    pub(crate) fn new(
        procedure: &'a Procedure,
        number: usize,
        rule: &'a Rule,
        context: &'a Context<'a>,
    ) -> RuleWriter<'a> {
        let variables = variables(&rule.variables);
        let (heap, trace) = (fresh("H", &variables), fresh("T", &variables));
        RuleWriter {
            context,
            procedure,
            number,
            rule,
            variables,
            heap,
            n_heaps: 0,
            trace,
            n_traces: 0,
        }
    }

    /// The rule as a clause of a predicate, under its number.
    pub(crate) fn clause(mut self, name: &str, rule_number: usize, n_parameters: usize) -> Clause {
        let rule = self.rule;
        let parameters = (0..n_parameters).map(|i| self.variable(VarId(i as u32))).collect();
        let first_heap = self.heap();
        let guards = rule.guards.iter().filter_map(|guard| self.guard(guard)).collect();
        let mut body: Vec<Term> = Vec::with_capacity(rule.body.len() + 1);
        for literal in rule.literals() {
            let term = self.literal(literal);
            body.push(term);
        }
        let output = |value: Term| {
            let is_void = self.procedure.result_kind().is_none();
            Term::List(if is_void { vec![] } else { vec![value] })
        };
        let (output, exit) = match &rule.end {
            End::Return(None) => (Term::List(vec![]), Term::atom("ok")),
            End::Return(Some(value)) => (output(self.operand(*value)), Term::atom("ok")),
            End::Throw(exception) => {
                (output(Term::Any), Term::compound("exc", [self.operand(*exception)]))
            }
            End::Continue(target, arguments) => {
                let output = output(Term::Variable(fresh("R", &self.variables)));
                let exit = Term::Variable(fresh("E", &self.variables));
                let target = functor(self.context.names.predicate(self.number, *target));
                let arguments = vec![
                    self.operands(arguments),
                    output.clone(),
                    self.heap(),
                    self.next_heap(),
                    exit.clone(),
                    self.next_trace(),
                ];
                body.push(Term::Compound(target, arguments));
                (output, exit)
            }
        };
        let trace = Term::compound(
            name,
            [
                Term::Integer(rule_number as i64),
                Term::List(
                    trace_parameters(&rule.body).into_iter().map(|v| self.variable(v)).collect(),
                ),
                Term::List((1..=self.n_traces).map(|number| self.trace(number)).collect()),
            ],
        );
        let head = Term::compound(
            name,
            [Term::List(parameters), output, first_heap, self.heap(), exit, trace],
        );
        Clause { head, guards, body }
    }

    pub(crate) fn tables(&self) -> &'a Tables {
        &self.procedure.tables
    }

    /// The current heap.
    pub(crate) fn heap(&self) -> Term {
        match self.n_heaps {
            0 => Term::variable(&*self.heap),
            number => Term::Variable(format!("{}{number}", self.heap)),
        }
    }

    /// The heap after a literal that writes it, which becomes the current one.
    pub(crate) fn next_heap(&mut self) -> Term {
        self.n_heaps += 1;
        self.heap()
    }

    /// The trace of one more call.
    pub(crate) fn next_trace(&mut self) -> Term {
        self.n_traces += 1;
        self.trace(self.n_traces)
    }

    fn trace(&self, number: usize) -> Term {
        Term::Variable(format!("{}{number}", self.trace))
    }

    pub(crate) fn variable(&self, variable: VarId) -> Term {
        let name = self.variables.get(variable.0 as usize);
        name.map_or(Term::Any, |name| Term::variable(&**name))
    }

    pub(crate) fn is_non_null(&self, operand: Operand) -> bool {
        match operand {
            Operand::Variable(variable) => {
                let declaration = self.rule.variables.get(variable.0 as usize);
                declaration.is_some_and(|declaration| declaration.non_null)
            }
            _ => false,
        }
    }

    pub(crate) fn operand(&self, operand: Operand) -> Term {
        match operand {
            Operand::Variable(variable) => self.variable(variable),
            Operand::Int(value) => Term::Integer(i64::from(value)),
            Operand::Long(value) => Term::Integer(value),
            Operand::Float(bits) => Term::Float(f64::from(f32::from_bits(bits))),
            Operand::Double(bits) => Term::Float(f64::from_bits(bits)),
            Operand::Null => Term::compound("r", [Term::Integer(0)]),
        }
    }

    pub(crate) fn operands(&self, operands: &[Operand]) -> Term {
        Term::List(operands.iter().map(|operand| self.operand(*operand)).collect())
    }

    pub(crate) fn class(&self, class: ClassId) -> Term {
        Term::atom(self.tables().class_name(class))
    }

    pub(crate) fn field(&self, field: FieldId) -> Term {
        let field = self.tables().field(field);
        Term::atom(field.map_or_else(|| "?".to_owned(), |field| self.context.field(field)))
    }

    pub(crate) fn string(&self, string: StringId) -> Term {
        let text = self.tables().strings.entries().get(string.index());
        text.map_or(Term::Any, |text| Term::Text(text.clone()))
    }
}
