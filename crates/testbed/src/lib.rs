//! Programs for tests, written as rules: rules in, paths and traces out, in the manner of Cranelift's file
//! tests.
//!
//! A [`Testbed`] is made from the text of some procedures in the notation of `petrel_clp`. The classes that
//! the rules are about are made up in memory (see `declarations`), below a class library of a few empty
//! classes (see `library`): neither a JDK nor class files are needed, and a test takes milliseconds.

mod declarations;
mod library;

use std::collections::BTreeMap;
use std::sync::Arc;

use petrel_clp::{Procedure, parse, verify};
use petrel_program::{ClassBytes, ClassProvider, Origin, Program, ResolvedMethod};
use petrel_translate::cache::Procedures;
use thiserror::Error;

use declarations::Declarations;
use library::LIBRARY;

/// A program that is written as rules.
pub struct Testbed {
    program: Program,
    rules: Vec<Procedure>,
}

/// Why a text is no program.
#[derive(Debug, Error)]
pub enum TestbedError {
    /// It does not parse.
    #[error(transparent)]
    Parse(#[from] parse::ParseError),
    /// Its rules are not well-formed.
    #[error("{0}")]
    IllFormed(String),
    /// Its classes are not.
    #[error("{0}")]
    Classes(String),
    /// There are no procedures.
    #[error("there are no procedures")]
    Empty,
    /// There is no such method.
    #[error("there is no method {0}")]
    NoMethod(String),
}

impl Testbed {
    /// The program of a text.
    ///
    /// # Errors
    ///
    /// If the text does not parse, or what it says is not well-formed.
    pub fn new(text: &str) -> Result<Testbed, TestbedError> {
        let rules = parse::procedures(text)?;
        for procedure in &rules {
            if let Some(problem) = verify::verify(procedure).first() {
                let method = &procedure.method;
                return Err(TestbedError::IllFormed(format!("{method}: {problem}")));
            }
        }
        let declared = Declarations::of(text, &rules).map_err(TestbedError::Classes)?;
        let project: Vec<String> = declared.0.keys().cloned().collect();
        let mut classes = BTreeMap::new();
        let of_library = LIBRARY.iter().map(|class| (class.name, class.bytes()));
        let of_project = declared.0.iter().map(|(name, class)| (&**name, class.bytes(name)));
        for (name, bytes) in of_library.chain(of_project) {
            let too_large =
                || TestbedError::Classes(format!("{name} is too large for a class file"));
            classes.insert(name.to_owned(), Arc::from(bytes.ok_or_else(too_large)?));
        }
        let program = Program::new(Box::new(Memory { classes, project }));
        Ok(Testbed { program, rules })
    }

    /// The classes.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The names of the classes that are not of the library.
    pub fn project(&self) -> Vec<String> {
        let classes = self.program.project_classes().unwrap_or_default();
        classes.iter().map(ToString::to_string).collect()
    }

    /// The rules, as if they were translations of the methods.
    ///
    /// # Errors
    ///
    /// If the classes cannot be loaded.
    pub fn procedures(&self) -> Result<Procedures<'_>, TestbedError> {
        let procedures = Procedures::new(&self.program);
        for procedure in &self.rules {
            let method = self.resolved(procedure)?;
            procedures.define(method, procedure.clone());
        }
        Ok(procedures)
    }

    /// The method of the first procedure, and the names of its arguments, the receiver not among them.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn target(&self) -> Result<(ResolvedMethod, Vec<&str>), TestbedError> {
        let procedure = self.rules.first().ok_or(TestbedError::Empty)?;
        let parameters = procedure.predicates.first().map_or(&[][..], |entry| &entry.parameters);
        let names = parameters.iter().skip(usize::from(!procedure.is_static));
        Ok((self.resolved(procedure)?, names.map(|parameter| &*parameter.name).collect()))
    }

    fn resolved(&self, procedure: &Procedure) -> Result<ResolvedMethod, TestbedError> {
        let method = &procedure.method;
        let class = self.program.class(&method.class);
        let class = class.map_err(|error| TestbedError::Classes(error.to_string()))?;
        let found = class.declared_method(&method.name, &method.descriptor);
        found.ok_or_else(|| TestbedError::NoMethod(method.to_string()))
    }
}

/// Classes that are in memory.
struct Memory {
    classes: BTreeMap<String, Arc<[u8]>>,
    project: Vec<String>,
}

impl ClassProvider for Memory {
    fn find(&self, name: &str) -> Result<Option<ClassBytes>, String> {
        let place = || format!("memory/{name}.class");
        let found = self.classes.get(name);
        Ok(found.map(|bytes| ClassBytes {
            bytes: Arc::clone(bytes),
            place: place(),
            origin: Origin::Project,
        }))
    }

    fn project_classes(&self) -> Result<Vec<String>, String> {
        Ok(self.project.clone())
    }
}
