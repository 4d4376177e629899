//! Programs for SWI-Prolog.
//!
//! [`export`] writes one self-contained file: a small runtime library (`runtime/`), then facts about
//! classes, fields and methods, then the rules in the notation of the papers ("Resource-driven
//! CLP-based test case generation", Def. 1 and 2). SWI-Prolog 9 loads it, runs methods on concrete
//! arguments, and unfolds them on unknown ones with the ancestor stack of "Test data generation of
//! bytecode by CLP partial evaluation", section 6.1. The head of `runtime/petrel.pl` says what there
//! is to call.
//!
//! This crate only writes text: it runs nothing and reads no class files.

mod bindings;
mod clause;
mod facts;
mod left_out;
mod literal;
mod names;
mod residual;
mod resultant;
mod settings;
mod specialise;
mod store;
mod term;

use petrel_clp::print::Names;
use petrel_clp::{Dispatch, MethodRef, Procedure};

pub use facts::{ClassFacts, ClassKind, Constant, FieldFacts};
pub use residual::Generator;
pub use resultant::Resultant;
pub use settings::{Assumption, Datum, Entity, FinishedCase, Labelling, Place, Settings};

/// The runtime library, in the order in which it is loaded.
const RUNTIME: [&str; 11] = [
    include_str!("../runtime/petrel.pl"),
    include_str!("../runtime/engine.pl"),
    include_str!("../runtime/arithmetic.pl"),
    include_str!("../runtime/floats.pl"),
    include_str!("../runtime/guards.pl"),
    include_str!("../runtime/references.pl"),
    include_str!("../runtime/heap.pl"),
    include_str!("../runtime/label.pl"),
    include_str!("../runtime/classes.pl"),
    include_str!("../runtime/residual.pl"),
    include_str!("../runtime/run.pl"),
];

/// What to export. Names are unique within it, and the same as in the text of the rule language for
/// the same procedures and dispatches.
#[derive(Debug, Clone, Copy)]
pub struct Export<'a> {
    /// The translated methods. A call of any other method is one of the library: the runtime knows
    /// a few and ends the path at the others, with the reason.
    pub procedures: &'a [&'a Procedure],
    /// Which methods virtual and interface calls go to. One that has no dispatch goes to the method
    /// that it names.
    pub dispatches: &'a [&'a Dispatch],
    /// The classes that the program makes, tests or initialises; common exceptions of the class
    /// library may be left out.
    pub classes: &'a [ClassFacts],
    /// The methods that were asked for: the file shows how to call them.
    pub entries: &'a [&'a MethodRef],
}

/// The whole file. Its top says what the program uses and the runtime does not have.
pub fn export(export: &Export<'_>) -> String {
    let left_out = left_out::lines(export, &clause::Context::of(export));
    let mut out = String::new();
    if left_out.is_empty() {
        out.push_str("% Nothing that this program uses is left out.\n");
    } else {
        out.push_str(
            "% Left out: a path that comes to one of these ends, and unsupported/2 counts it.\n",
        );
        left_out.iter().for_each(|line| out.extend([line, "\n"]));
    }
    out.push_str("%\n");
    out + &RUNTIME.join("\n") + &program(export)
}

/// The program without the runtime library.
pub fn program(export: &Export<'_>) -> String {
    let context = clause::Context::of(export);
    let mut out = String::from(
        "% The program
",
    );
    for entry in export.entries {
        let functor = term::atom(&names::functor(context.names.method(entry)));
        let entry = clause::comment(&entry.to_string());
        out.push_str(&format!("%\n% {entry}: try  ?- show_cases({functor}, 2).\n"));
    }
    out.push('\n');
    facts::write_classes(export.classes, &context, &mut out);
    facts::write_other_fields(export.procedures, export.classes, &context, &mut out);
    facts::write_methods(export.procedures, &context, &mut out);
    facts::write_virtual_methods(export.procedures, &context, &mut out);
    for (number, procedure) in export.procedures.iter().enumerate() {
        clause::write_procedure(procedure, number, &context, &mut out);
    }
    for dispatch in export.dispatches {
        facts::write_dispatch(dispatch, &context, &mut out);
    }
    out
}

/// The functor that a method has in the exported program.
pub fn functor(export: &Export<'_>, method: &MethodRef) -> String {
    let names = Names::of(export.procedures, export.dispatches);
    names::functor(names.method(method))
}
