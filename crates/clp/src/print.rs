//! Rules as text, in the notation of the papers.
//!
//! ```text
//! % Lcm.gcd(II)I
//! :- procedure('Lcm', gcd, '(II)I', static, 'Lcm.java').
//! :- callee(abs, 'Lcm', abs, '(I)I').
//!
//! :- predicate(gcd, entry, 0).
//! gcd([A,B],[R],H,H1,E,gcd(1,[],[T])) :-
//!     gcd_loop_0([A,B],[R],H,H1,E,T).
//!
//! :- predicate(gcd_loop_0, loop, 0).
//! %@ 14: 0 iload_1, 1 ifne; 18: 15 iload_0, 16 invokestatic
//! gcd_loop_0([A,B],[R],H,H2,E,gcd_loop_0(1,[],[T1,T2])) :-
//!     B #= 0,
//!     abs([A],[X],H,H1,E1,T1),
//!     gcd_exit_16([X,exit(E1)],[R],H1,H2,E,T2).
//! ```
//!
//! [`crate::parse`] reads it back. What the text says beyond the data (heaps, traces, the wrappers
//! of arguments) is redundant, and the parser checks it.
//!
//! **Directives.** A procedure starts with `procedure(Class, Name, Descriptor, static|instance)`,
//! followed by the source file if that is known; a predicate with `predicate(Functor, Kind, Pc)`,
//! followed by its name if the functor is another. `callee(Functor, Class, Name, Descriptor)` and
//! `field(Name, Class, Name, Descriptor)` say what the short names in the rules stand for, in the
//! order of the procedure's tables; `dynamic_site(N, Name, Descriptor, Bootstrap, Arguments)` is
//! the table of dynamic call sites and constants. Classes, strings and method handles are written
//! where they are used. Their tables are in the order in which the text mentions them; if not,
//! `classes([..])`, `strings([..])` and `handles([..])` give the tables.
//!
//! **Rules.** `name(Inputs,Output,HeapIn,HeapOut,Exit,name(K,P,Ts)) :- guards, literals.` The trace
//! term has the number of the rule, the trace parameters and the traces of what the rule calls. The
//! exit is `ok` (the rule returns, the output is the result or `[]`), `exc(X)` (it throws), or a
//! variable: then the last literal is the predicate in which the rule goes on. A comment
//! `%@ line: pc mnemonic, ...; line: ...` before the rule gives its instructions; line 0 is unknown.
//! Each literal comes from the first instruction that does what it says, behind the one that the literal
//! before comes from; a call or an exception comes from the last. The first may be the instruction that
//! decides the rules of the predicate. Where a literal comes from another one, a comment
//! `%@ literals: n at pc, ...` says so. It numbers the literals behind the guards from 1 on.
//!
//! **Variables.** An input is wrapped by its kind: `X` is an `int`, `l(X)` a `long`, `f(X)` a
//! `float`, `d(X)` a `double`, `ref(X)` a reference, `r(X)` one that is not null,
//! `array(X,'[I',3)` an array with known class and length, `exit(X)` the exit of a call. Arguments
//! are wrapped as the input that they become. A variable that a literal binds has the kind that the
//! literal gives it, and as for facts all that the literal implies (`new_object` binds a reference
//! that is not null, `get_field` one that may be); only where it claims less is it wrapped.
//! The names of heaps (`H`), traces (`T`), output (`R`) and exit (`E`) get underscores if the rule
//! has variables of that name.
//!
//! **Constants.** `5` is an `int`, `5L` a `long`, `1.5f` a `float`, `1.5` a `double`,
//! `float(0x7fc00000)` and `double(0x7ff0000000000000)` are values by their bits, and `null`.
//!
//! **Calls.** `f([Inputs],[Result],H,H1,Exit,T)` calls exactly the method `f`: a static one, or, if
//! there is one input more than the descriptor has, a special one with a receiver.
//! `virtual:f(..)` and `interface:f(..)` select by the class of the receiver, as the rules of a
//! `dispatch` say; `polymorphic:f(..)` is a signature-polymorphic call, `dynamic(N,..)` and
//! `dynamic_constant(N,..)` are dynamic ones, and `initialise('C',H,H1,Exit)` initialises a class.
//! A result that nobody wants is `_`.

mod lexical;
mod literal;
mod names;
mod rule;
mod variables;

pub use names::Names;

use crate::dispatch::Dispatch;
use crate::literal::{DynamicSite, Guard, MethodHandle, StaticArgument};
use crate::notation::{PREDICATE_KINDS, REFERENCE_KINDS, name_of};
use crate::origin::Opcodes;
use crate::rule::{ClassId, HandleId, MethodRef, Predicate, PredicateId, Procedure, StringId};
use lexical::atom;
pub use lexical::push_atom;
pub use variables::{fresh_name, variable_names};

/// One procedure as text.
pub fn procedure(procedure: &Procedure) -> String {
    program(&[procedure], &[])
}

/// Procedures and the rules of virtual calls as text, with names that are unique among all of them.
pub fn program(procedures: &[&Procedure], dispatches: &[&Dispatch]) -> String {
    let names = Names::of(procedures, dispatches);
    let mut sections = Vec::with_capacity(procedures.len() + dispatches.len());
    for (number, procedure) in procedures.iter().enumerate() {
        sections.push(ProcedureText::of(procedure, number, &names));
    }
    for dispatch in dispatches {
        sections.push(dispatch_text(dispatch, &names));
    }
    sections.join("\n")
}

/// A guard of a rule as text, for messages.
pub(crate) fn guard(
    procedure: &Procedure,
    predicate: PredicateId,
    rule: usize,
    guard: &Guard,
) -> String {
    let names = Names::default();
    let mut text = ProcedureText::new(procedure, 0, &names);
    let predicate = procedure.predicates.get(predicate.index());
    match predicate.and_then(|predicate| predicate.rules.get(rule)) {
        Some(rule) => rule::RuleText::new(&mut text, rule).guard(guard),
        None => "?".to_string(),
    }
}

/// The state of writing one procedure.
struct ProcedureText<'a> {
    procedure: &'a Procedure,
    number: usize,
    names: &'a Names<'a>,
    opcodes: Opcodes,
    classes: Mentions,
    strings: Mentions,
    handles: Mentions,
}

/// Finds out whether the entries of a table are mentioned in the order of the table.
#[derive(Default)]
struct Mentions {
    next: usize,
    out_of_order: bool,
}

impl Mentions {
    fn mention(&mut self, index: usize) {
        self.out_of_order |= index > self.next;
        if index == self.next {
            self.next += 1;
        }
    }

    /// Whether the mentions alone give the table.
    fn give(&self, table_len: usize) -> bool {
        !self.out_of_order && self.next == table_len
    }
}

impl<'a> ProcedureText<'a> {
    fn new(procedure: &'a Procedure, number: usize, names: &'a Names<'a>) -> ProcedureText<'a> {
        ProcedureText {
            procedure,
            number,
            names,
            opcodes: Opcodes::of(procedure),
            classes: Mentions::default(),
            strings: Mentions::default(),
            handles: Mentions::default(),
        }
    }

    fn of(procedure: &'a Procedure, number: usize, names: &'a Names<'a>) -> String {
        let mut text = ProcedureText::new(procedure, number, names);
        // The rules first: the directives depend on what they mention.
        let mut predicates = String::new();
        for (index, predicate) in procedure.predicates.iter().enumerate() {
            text.predicate(PredicateId::from(index), predicate, &mut predicates);
        }
        text.directives() + &predicates
    }

    fn directives(&self) -> String {
        let procedure = self.procedure;
        let tables = &procedure.tables;
        let mut out = format!("% {}\n", lexical::comment(&procedure.method.to_string()));
        let mut directive = |text: String| {
            out.push_str(":- ");
            out.push_str(&text);
            out.push_str(".\n");
        };
        let receiver = if procedure.is_static { "static" } else { "instance" };
        let mut arguments = format!("{}, {receiver}", method(&procedure.method));
        if let Some(source_file) = &procedure.source_file {
            arguments = format!("{arguments}, {}", atom(source_file));
        }
        directive(format!("procedure({arguments})"));

        let classes = tables.classes.entries();
        if !self.classes.give(classes.len()) {
            directive(format!("classes([{}])", join(classes, |class| atom(class))));
        }
        let strings = tables.strings.entries();
        if !self.strings.give(strings.len()) {
            directive(format!("strings([{}])", join(strings, lexical::string)));
        }
        let handles = tables.handles.entries();
        if !self.handles.give(handles.len()) {
            directive(format!("handles([{}])", join(handles, method_handle)));
        }
        for callee in tables.methods.entries() {
            let functor = atom(self.names.method(callee));
            directive(format!("callee({functor}, {})", method(callee)));
        }
        for field in tables.fields.entries() {
            directive(format!(
                "field({}, {}, {}, {})",
                atom(self.names.field(field)),
                atom(&field.class),
                atom(&field.name),
                atom(&field.descriptor)
            ));
        }
        for (number, site) in tables.dynamics.entries().iter().enumerate() {
            directive(format!(
                "dynamic_site({number}, {}, {},\n    {},\n    [{}])",
                atom(&site.name),
                atom(&site.descriptor),
                method_handle(&site.bootstrap),
                join(&site.arguments, static_argument)
            ));
        }
        out
    }

    fn predicate(&mut self, id: PredicateId, predicate: &'a Predicate, out: &mut String) {
        let functor = self.names.predicate(self.number, id);
        out.push_str(&format!(
            "\n:- predicate({}, {}, {}",
            atom(functor),
            name_of(&PREDICATE_KINDS, predicate.kind),
            predicate.pc
        ));
        if functor != &*predicate.name {
            out.push_str(&format!(", {}", atom(&predicate.name)));
        }
        out.push_str(").\n");
        for index in 0..predicate.rules.len() {
            rule::write(self, id, index, out);
        }
    }

    fn class(&mut self, class: ClassId) -> String {
        self.classes.mention(class.index());
        atom(self.procedure.tables.class_name(class))
    }

    fn string(&mut self, string: StringId) -> String {
        self.strings.mention(string.index());
        let entries = self.procedure.tables.strings.entries();
        entries.get(string.index()).map_or_else(|| "\"?\"".to_string(), lexical::string)
    }

    fn handle(&mut self, handle: HandleId) -> String {
        self.handles.mention(handle.index());
        let entries = self.procedure.tables.handles.entries();
        entries.get(handle.index()).map_or_else(|| atom("?"), method_handle)
    }
}

fn join<T>(items: &[T], text: impl Fn(&T) -> String) -> String {
    let items: Vec<String> = items.iter().map(text).collect();
    items.join(", ")
}

fn method(method: &MethodRef) -> String {
    format!("{}, {}, {}", atom(&method.class), atom(&method.name), atom(&method.descriptor))
}

fn method_handle(handle: &MethodHandle) -> String {
    let (kind, class, name, descriptor) = match handle {
        MethodHandle::Field(kind, field) => (*kind, &field.class, &field.name, &field.descriptor),
        MethodHandle::Method(kind, method) => {
            (*kind, &method.class, &method.name, &method.descriptor)
        }
    };
    format!(
        "{}({},{},{})",
        name_of(&REFERENCE_KINDS, kind),
        atom(class),
        atom(name),
        atom(descriptor)
    )
}

fn static_argument(argument: &StaticArgument) -> String {
    match argument {
        StaticArgument::Int(value) => value.to_string(),
        StaticArgument::Long(value) => format!("{value}L"),
        StaticArgument::Float(bits) => lexical::float(*bits),
        StaticArgument::Double(bits) => lexical::double(*bits),
        StaticArgument::String(value) => lexical::string(value),
        StaticArgument::Class(name) => format!("class({})", atom(name)),
        StaticArgument::MethodType(descriptor) => format!("method_type({})", atom(descriptor)),
        StaticArgument::MethodHandle(handle) => method_handle(handle),
        StaticArgument::Dynamic(site) => dynamic_constant(site),
    }
}

fn dynamic_constant(site: &DynamicSite) -> String {
    format!(
        "dynamic({},{},{},[{}])",
        atom(&site.name),
        atom(&site.descriptor),
        method_handle(&site.bootstrap),
        join(&site.arguments, static_argument)
    )
}

fn dispatch_text(dispatch: &Dispatch, names: &Names<'_>) -> String {
    let functor = atom(names.method(&dispatch.method));
    let heading = lexical::comment(&dispatch.method.to_string());
    let mut out =
        format!("% dispatch of {heading}\n:- dispatch({functor}, {}).\n", method(&dispatch.method));
    let mut targets: Vec<&MethodRef> = Vec::new();
    for (_, target) in &dispatch.cases {
        if !targets.contains(&target) {
            targets.push(target);
            let short = atom(names.method(target));
            out.push_str(&format!(":- callee({short}, {}).\n", method(target)));
        }
    }
    if !dispatch.cases.is_empty() {
        out.push('\n');
    }
    for (index, (classes, target)) in dispatch.cases.iter().enumerate() {
        let classes: Vec<String> = classes.iter().map(|class| atom(class)).collect();
        out.push_str(&format!(
            "virtual:{functor}([r(This)|A],O,H,H1,E,{functor}({},[],[T])) :-\n    \
             class_of(H,This,[{}]),\n    {}([r(This)|A],O,H,H1,E,T).\n",
            index + 1,
            classes.join(","),
            atom(names.method(target))
        ));
    }
    out
}
