//! A test method while it is written.

use std::collections::BTreeSet;

use petrel_classfile::JavaType;
use petrel_value::Heap;

use crate::JUnit;
use crate::helpers::Helpers;
use crate::imports::Imports;
use crate::java::{Declaration, Form, JavaExpression, Statement};
use crate::literal;
use crate::types::Type;
use crate::typing::Typing;
use crate::visible::is_identifier;

/// What the test method declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Throws {
    Nothing,
    Exception,
    Throwable,
}

/// The statements so far, and what they need.
pub(crate) struct Body<'a> {
    pub(crate) imports: Imports<'a>,
    pub(crate) helpers: Helpers,
    pub(crate) typing: Typing<'a>,
    /// The objects of the input.
    pub(crate) heap: &'a Heap,
    pub(crate) java: u16,
    pub(crate) junit: JUnit,
    /// Names that are taken.
    names: BTreeSet<String>,
    pub(crate) statements: Vec<Statement>,
    /// Steps of four columns.
    pub(crate) depth: usize,
    pub(crate) throws: Throws,
    /// Whether javac warns although the code is right.
    pub(crate) is_unchecked: bool,
    pub(crate) by_reflection: Option<String>,
    /// How the objects of the input are written, by object.
    pub(crate) made: Vec<Option<JavaExpression>>,
    /// How often each of them is used.
    pub(crate) uses: Vec<u32>,
    /// Objects that are made in steps, because of cycles; empty if there are none.
    pub(crate) late: Vec<bool>,
    /// Strings that have to be objects of their own.
    pub(crate) is_fresh: Vec<bool>,
}

impl<'a> Body<'a> {
    pub(crate) fn new(
        imports: Imports<'a>,
        helpers: Helpers,
        typing: Typing<'a>,
        heap: &'a Heap,
        (junit, java): (JUnit, u16),
    ) -> Body<'a> {
        let n = heap.objects.len();
        Body {
            imports,
            helpers,
            is_unchecked: typing.is_raw || typing.is_unchecked,
            typing,
            heap,
            java,
            junit,
            names: BTreeSet::new(),
            statements: Vec::new(),
            depth: 0,
            throws: Throws::Nothing,
            by_reflection: None,
            made: vec![None; n],
            uses: vec![0; n],
            late: Vec::new(),
            is_fresh: vec![false; n],
        }
    }

    /// Adds a line, or several.
    pub(crate) fn push(&mut self, text: impl Into<String>) {
        self.add(Form::Text(text.into()));
    }

    /// Adds a call as a statement.
    pub(crate) fn push_call(&mut self, call: &JavaExpression) {
        self.push(format!("{call};"));
    }

    /// Declares a variable that has a name already.
    pub(crate) fn push_variable(&mut self, of: String, name: String, value: JavaExpression) {
        self.add(Form::Declaration(Declaration { is_final: false, of, name, value }));
    }

    fn add(&mut self, form: Form) {
        self.statements.push(Statement { depth: self.depth, form });
    }

    /// Lets code of an anonymous class use the variables of an expression: before Java 8, they have to be final.
    pub(crate) fn make_final(&mut self, used: &JavaExpression) {
        let names = used.variables();
        for statement in &mut self.statements {
            if let Form::Declaration(variable) = &mut statement.form {
                variable.is_final |= names.contains(&variable.name.as_str());
            }
        }
    }

    /// A name that no other local variable has.
    pub(crate) fn local(&mut self, wanted: &str) -> String {
        let base: String = wanted.chars().filter(char::is_ascii_alphanumeric).collect();
        let base = base.trim_start_matches(|c: char| c.is_ascii_digit());
        let base = match base.chars().next() {
            None => "value".to_owned(),
            Some(first) => first.to_ascii_lowercase().to_string() + &base[1..],
        };
        let numbered = (2..).map(|number| format!("{base}{number}"));
        let mut names = std::iter::once(base.clone()).chain(numbered);
        let free = names.find(|name| is_identifier(name) && !self.names.contains(name));
        let free = free.unwrap_or(base);
        self.names.insert(free.clone());
        free
    }

    pub(crate) fn declares(&mut self, throws: Throws) {
        self.throws = self.throws.max(throws);
    }

    /// Notes why the test uses reflection; the first reason counts.
    pub(crate) fn note_reflection(&mut self, reason: String) {
        self.by_reflection.get_or_insert(reason);
    }

    /// How the file writes a type.
    pub(crate) fn type_text(&mut self, of: &Type) -> Result<String, String> {
        let text = of.text(&mut self.imports);
        text.ok_or_else(|| format!("a test cannot name the type {}", shown(of)))
    }

    /// How the file writes a class that the JDK has.
    pub(crate) fn class_text(&mut self, internal: &str) -> String {
        self.imports.class(internal).unwrap_or_else(|| internal.replace('/', "."))
    }

    /// The same in front of a static member.
    pub(crate) fn class(&mut self, internal: &str) -> JavaExpression {
        JavaExpression::Class(self.class_text(internal))
    }

    /// The `Class` object of a type.
    pub(crate) fn class_literal(&mut self, of: &JavaType) -> JavaExpression {
        match Type::of(of).text(&mut self.imports) {
            Some(text) => JavaExpression::Class(text).member("class"),
            None => {
                self.declares(Throws::Exception);
                let name = of.class_constant_name().unwrap_or_default().replace('/', ".");
                self.helpers.load = true;
                JavaExpression::own_call("load", vec![literal::name(&name)])
            }
        }
    }

    /// Adds an assertion.
    pub(crate) fn assert(&mut self, name: &str, arguments: Vec<JavaExpression>) {
        let name = self.assertion(name);
        self.push_call(&JavaExpression::own_call(&name, arguments));
    }

    /// An assertion, by its name.
    pub(crate) fn assertion(&mut self, name: &str) -> String {
        let class = match self.junit {
            JUnit::Four => "org/junit/Assert",
            JUnit::Five => "org/junit/jupiter/api/Assertions",
        };
        self.imports.assertion(class, name)
    }
}

/// A type for messages.
fn shown(of: &Type) -> String {
    of.constant_name().unwrap_or_default().replace('/', ".")
}

/// `Foo` of `a/b/Foo`, and `Bar` of `a/b/Foo$Bar`.
pub(crate) fn simple_name(internal: &str) -> &str {
    internal.rsplit(['/', '$']).find(|part| !part.is_empty()).unwrap_or(internal)
}
