//! Points of a program: places that a case is to execute ("A Framework for Guided Test Case Generation in
//! Constraint Logic Programming", Def. 8).

use std::fmt;
use std::str::FromStr;

use petrel_abstraction::AbstractProgram;
use petrel_abstraction::slice::{self, Slice};
use petrel_classfile::MethodDescriptor;
use petrel_program::{LoadError, ResolvedMethod};

use super::goals::branches;
use crate::coverage::{Edge, all_edges, bytecode};
use crate::generate::GenerateError;

/// A place in the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Point {
    /// A source line of the target's class, or of a file that is named: `Vector.java:12`.
    Line(Option<String>, u16),
    /// A place in the bytecode of the target, or of a method that is named: `@17`, `pkg.Vector#add@17`.
    Code(Option<NamedMethod>, Spot),
}

/// A place in the bytecode of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    /// An instruction, by its offset: `@17`.
    Instruction(u16),
    /// A branch, by the offsets of the jump and of where it leads: `@17-24`.
    Branch(Edge),
}

/// A method as users name it: `pkg.Class#method` or `pkg.Class#method(descriptor)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedMethod {
    class: Box<str>,
    name: Box<str>,
    descriptor: Option<Box<str>>,
}

impl Point {
    /// The rules of a program that have it. There are none of an instruction that certainly never runs.
    ///
    /// # Errors
    ///
    /// If it is not in the code that the target reaches.
    pub fn rules(&self, program: &AbstractProgram<'_>) -> Result<Slice, GenerateError> {
        match self {
            Point::Line(file, line) => {
                let rules = slice::at_line(program, file.as_deref(), *line);
                if rules.is_empty() {
                    let target = &program.procedures[0].procedure.method;
                    let words = self.in_words();
                    let why = format!("{words} is nowhere in the code that {target} reaches");
                    return Err(GenerateError::Point(why));
                }
                Ok(rules)
            }
            Point::Code(method, spot) => {
                let procedure = match method {
                    None => 0,
                    Some(named) => named.procedure(program)?,
                };
                spot.rules(program, procedure)
            }
        }
    }

    /// How it is called in messages.
    pub(crate) fn in_words(&self) -> String {
        match self {
            Point::Line(None, line) => format!("line {line}"),
            Point::Line(Some(file), line) => format!("{file}:{line}"),
            Point::Code(None, spot) => spot.in_words(),
            Point::Code(Some(method), spot) => format!("{method}, {}", spot.in_words()),
        }
    }
}

impl Spot {
    /// How it is called in messages.
    pub(crate) fn in_words(self) -> String {
        match self {
            Spot::Instruction(offset) => format!("instruction {offset}"),
            Spot::Branch((from, to)) => format!("the branch from instruction {from} to {to}"),
        }
    }

    /// The rules of a procedure that have it.
    fn rules(self, program: &AbstractProgram<'_>, procedure: u32) -> Result<Slice, GenerateError> {
        let rules = match self {
            Spot::Instruction(offset) => slice::at_instruction(program, procedure, offset),
            Spot::Branch(edge) => branches(program, procedure).remove(&edge).unwrap_or_default(),
        };
        if !rules.is_empty() || self.is_in_code(program, procedure) {
            return Ok(rules);
        }
        let method = &program.procedures[procedure as usize].procedure.method;
        Err(GenerateError::Point(match self {
            Spot::Instruction(offset) => format!("{method} has no instruction at offset {offset}"),
            Spot::Branch((from, to)) => {
                format!("{method} has no branch from instruction {from} to {to}")
            }
        }))
    }

    /// Whether the bytecode has it: rules leave out what certainly never runs.
    fn is_in_code(self, program: &AbstractProgram<'_>, procedure: u32) -> bool {
        let method = &program.procedures[procedure as usize].procedure.method;
        let Some(code) = bytecode(program.classes(), method) else { return false };
        match self {
            Spot::Instruction(offset) => code.index_of(offset).is_some(),
            Spot::Branch(edge) => all_edges(&code).contains(&edge),
        }
    }
}

impl NamedMethod {
    /// The number of its procedure in a program.
    fn procedure(&self, program: &AbstractProgram<'_>) -> Result<u32, GenerateError> {
        let procedures = program.procedures.iter().zip(0..);
        let fitting: Vec<u32> = procedures
            .filter(|(known, _)| {
                let method = &known.procedure.method;
                method.class.replace('/', ".") == *self.class
                    && method.name == self.name
                    && self.descriptor.as_ref().is_none_or(|known| *known == method.descriptor)
            })
            .map(|(_, number)| number)
            .collect();
        match *fitting {
            [only] => Ok(only),
            [] => Err(GenerateError::Point(self.why_not_reached(program))),
            _ => {
                let descriptor = |&number: &u32| {
                    program.procedures[number as usize].procedure.method.descriptor.to_string()
                };
                let all: Vec<String> = fitting.iter().map(descriptor).collect();
                Err(GenerateError::Point(format!(
                    "{self} is more than one method; name it with its descriptor, one of {}",
                    all.join(", ")
                )))
            }
        }
    }

    fn why_not_reached(&self, program: &AbstractProgram<'_>) -> String {
        let class = match program.classes().class(&self.class.replace('.', "/")) {
            Ok(class) => class,
            Err(LoadError::NotFound { needed_by: None, .. }) => {
                return format!(
                    "{self}: there is no class {} on the class path or in the JDK",
                    self.class
                );
            }
            Err(error) => return format!("{self}: {error}"),
        };
        let is_named = |method: &ResolvedMethod| {
            method.name() == &*self.name
                && self.descriptor.as_deref().is_none_or(|known| known == method.descriptor())
        };
        if !class.methods().any(|method| is_named(&method)) {
            return format!("{self}: class {} declares no such method", self.class);
        }
        let target = &program.procedures[0].procedure.method;
        format!("{self} is not reached from {target}")
    }
}

impl FromStr for Point {
    type Err = String;

    fn from_str(text: &str) -> Result<Point, String> {
        let wrong = || {
            format!(
                "{text:?} is no point: there are lines (12, Vector.java:12), offsets (@17, \
                 pkg.Vector#add@17) and branches (@17-24, pkg.Vector#add@17-24)"
            )
        };
        let number = |digits: &str| digits.parse::<u16>().map_err(|_| wrong());
        let text = text.trim();
        if let Some((method, offset)) = text.rsplit_once('@') {
            let method = match method {
                "" => None,
                method => Some(NamedMethod::parse(method).ok_or_else(wrong)?),
            };
            let spot = match offset.split_once('-') {
                Some((from, to)) => Spot::Branch((number(from)?, number(to)?)),
                None => Spot::Instruction(number(offset)?),
            };
            return Ok(Point::Code(method, spot));
        }
        let (file, line) = match text.rsplit_once(':') {
            Some((file, line)) if !file.is_empty() => (Some(file.to_owned()), line),
            Some(_) => return Err(wrong()),
            None => (None, text),
        };
        Ok(Point::Line(file, number(line)?))
    }
}

impl NamedMethod {
    /// The method that a text names, if it names one.
    fn parse(text: &str) -> Option<NamedMethod> {
        let (class, method) = text.split_once('#')?;
        let (name, descriptor) = match method.find('(') {
            Some(at) => (&method[..at], Some(&method[at..])),
            None => (method, None),
        };
        let is_name = |name: &str| !name.is_empty() && !name.contains(['#', '/', ';', '[']);
        let is_descriptor = |text: &str| MethodDescriptor::parse(text).is_ok();
        let is_named = is_name(class) && is_name(name) && descriptor.is_none_or(is_descriptor);
        is_named.then(|| NamedMethod {
            class: class.into(),
            name: name.into(),
            descriptor: descriptor.map(Into::into),
        })
    }
}

/// Displays as it is read.
impl fmt::Display for NamedMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}{}", self.class, self.name, self.descriptor.as_deref().unwrap_or_default())
    }
}

/// Displays as it is read.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Point::Line(Some(file), line) => write!(f, "{file}:{line}"),
            Point::Line(None, line) => write!(f, "{line}"),
            Point::Code(method, spot) => {
                if let Some(method) = method {
                    write!(f, "{method}")?;
                }
                match spot {
                    Spot::Instruction(offset) => write!(f, "@{offset}"),
                    Spot::Branch((from, to)) => write!(f, "@{from}-{to}"),
                }
            }
        }
    }
}
