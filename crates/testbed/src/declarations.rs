//! The classes that a text of rules is about.
//!
//! Most of it the rules say themselves: which methods there are, and which fields of which classes they
//! read and write. What they do not say stands in comments, a line for each class:
//!
//! ```text
//! % class Square extends Shape implements Sized
//! % abstract class Shape
//! % interface Sized
//! ```

use std::collections::{BTreeMap, BTreeSet};

use petrel_classfile::writer::ClassWriter;
use petrel_classfile::{JavaType, MethodDescriptor, flags, op};
use petrel_clp::{Callee, FieldRef, Literal, MethodRef, Procedure};

use crate::library::{LIBRARY, OBJECT};

/// A class to be written.
#[derive(Debug, Default)]
pub(crate) struct Declaration {
    kind: Kind,
    above: Option<String>,
    interfaces: Vec<String>,
    /// The fields, and whether they are static.
    fields: BTreeMap<FieldRef, bool>,
    /// The methods with their flags.
    methods: BTreeMap<MethodRef, u16>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Kind {
    #[default]
    Class,
    Abstract,
    Interface,
}

/// The project's classes by name.
#[derive(Debug, Default)]
pub(crate) struct Declarations(pub(crate) BTreeMap<String, Declaration>);

impl Declarations {
    /// What a text declares, given its procedures.
    pub(crate) fn of(text: &str, procedures: &[Procedure]) -> Result<Declarations, String> {
        let mut found = Declarations::default();
        for line in text.lines() {
            found.read_line(line)?;
        }
        for procedure in procedures {
            let access = if procedure.is_static { flags::STATIC } else { 0 };
            let declared = found.class(&procedure.method.class);
            declared.methods.insert(procedure.method.clone(), flags::PUBLIC | access);
        }
        for procedure in procedures {
            found.add_mentioned(procedure);
        }
        Ok(found)
    }

    fn class(&mut self, name: &str) -> &mut Declaration {
        self.0.entry(name.to_owned()).or_default()
    }

    /// A class that something has as its type; those of the library are there.
    fn mention(&mut self, of: &JavaType) {
        match of {
            JavaType::Object(name) if !LIBRARY.iter().any(|known| known.name == &**name) => {
                self.class(name);
            }
            JavaType::Array(component) => self.mention(component),
            _ => {}
        }
    }

    fn read_line(&mut self, line: &str) -> Result<(), String> {
        let Some(line) = line.trim().strip_prefix("% ") else { return Ok(()) };
        let words: Vec<&str> = line.split_whitespace().collect();
        let (kind, name, mut rest) = match words[..] {
            ["class", name, ref rest @ ..] => (Kind::Class, name, rest),
            ["abstract", "class", name, ref rest @ ..] => (Kind::Abstract, name, rest),
            ["interface", name, ref rest @ ..] => (Kind::Interface, name, rest),
            // Any other comment.
            _ => return Ok(()),
        };
        let declared = self.class(name);
        declared.kind = kind;
        while let [what, of, ref others @ ..] = *rest {
            match what {
                "extends" => declared.above = Some(of.to_owned()),
                "implements" => declared.interfaces.push(of.to_owned()),
                _ => return Err(format!("`{line}`: `{what}` is neither extends nor implements")),
            }
            rest = others;
        }
        if rest.is_empty() { Ok(()) } else { Err(format!("`{line}`: `{}` of what?", rest[0])) }
    }

    /// What the rules of a procedure name.
    fn add_mentioned(&mut self, procedure: &Procedure) {
        let tables = &procedure.tables;
        for name in tables.classes.entries() {
            let descriptor =
                if name.starts_with('[') { name.to_string() } else { format!("L{name};") };
            if let Ok(of) = JavaType::parse(&descriptor) {
                self.mention(&of);
            }
        }
        if let Ok(descriptor) = MethodDescriptor::parse(&procedure.method.descriptor) {
            descriptor.parameters.iter().chain(&descriptor.result).for_each(|of| self.mention(of));
        }
        let statics: BTreeSet<usize> = procedure
            .rules()
            .flat_map(|rule| rule.literals())
            .filter_map(|literal| match literal {
                Literal::GetStatic { field, .. } | Literal::SetStatic { field, .. } => {
                    Some(field.index())
                }
                _ => None,
            })
            .collect();
        for (number, field) in tables.fields.entries().iter().enumerate() {
            if let Ok(of) = JavaType::parse(&field.descriptor) {
                self.mention(&of);
            }
            self.class(&field.class).fields.insert(field.clone(), statics.contains(&number));
        }
        for call in procedure.rules().filter_map(petrel_clp::Rule::call) {
            let (Callee::Virtual(method) | Callee::Interface(method)) = call.callee else {
                continue;
            };
            let Some(method) = tables.method(method) else { continue };
            // A method that has no rules is one of the classes below.
            let declared = self.class(&method.class);
            let without_code = flags::PUBLIC | flags::ABSTRACT;
            declared.methods.entry(method.clone()).or_insert(without_code);
        }
    }
}

impl Declaration {
    /// The class file. Its methods have code that nobody looks at: their rules are given.
    pub(crate) fn bytes(&self, name: &str) -> Option<Vec<u8>> {
        let kind = match self.kind {
            Kind::Class => flags::SUPER,
            Kind::Abstract => flags::SUPER | flags::ABSTRACT,
            Kind::Interface => flags::INTERFACE | flags::ABSTRACT,
        };
        let interfaces: Vec<&str> = self.interfaces.iter().map(String::as_str).collect();
        let above = self.above.as_deref().unwrap_or(OBJECT);
        let mut writer = ClassWriter::new(flags::PUBLIC | kind, name, above, &interfaces);
        for (field, is_static) in &self.fields {
            let access = if *is_static { flags::STATIC } else { 0 };
            writer.field(access, &field.name, &field.descriptor);
        }
        for (MethodRef { name, descriptor, .. }, access) in &self.methods {
            if access & flags::ABSTRACT != 0 {
                writer.method_without_code(*access, name, descriptor);
                continue;
            }
            // Each parameter has two slots at most.
            let parsed = MethodDescriptor::parse(descriptor).ok()?;
            let max_locals = 1 + 2 * parsed.parameters.len() as u16;
            writer.method(*access, name, descriptor, max_locals, |code| {
                code.op(op::ACONST_NULL).op(op::ATHROW);
            });
        }
        writer.finish()
    }
}
