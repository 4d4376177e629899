//! Random Java programs, each following from its seed alone.
//!
//! A program is one file. Its method `run(int, long, int)` returns a checksum over all that
//! happens: values of variables, fields and elements, and the names and messages of exceptions.
//! Loops have few iterations, and every method takes from a supply that is soon used up, so that
//! calls end.

mod classes;
mod compile;
mod expressions;
mod statements;

use std::fmt::Write as _;

use crate::sample::Random;

pub use compile::compile;

/// A program.
#[derive(Debug, Clone)]
pub struct JavaProgram {
    /// Name of its class.
    pub class: String,
    /// The file.
    pub source: String,
}

/// The program of a seed.
pub fn program(seed: u64) -> JavaProgram {
    let class = format!("P{seed}");
    let mut writer = Writer::new(&class, seed);
    writer.class();
    JavaProgram { class, source: writer.out }
}

/// A primitive type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Primitive {
    Int,
    Long,
    Float,
    Double,
    Byte,
    Short,
    Char,
    Boolean,
}

use Primitive::{Boolean, Byte, Char, Double, Float, Int, Long, Short};

const PRIMITIVES: [Primitive; 8] = [Int, Long, Float, Double, Byte, Short, Char, Boolean];
/// As often as they are worth.
const USUAL: [Primitive; 14] =
    [Int, Int, Int, Int, Long, Long, Long, Float, Double, Double, Byte, Short, Char, Boolean];

impl Primitive {
    fn name(self) -> &'static str {
        match self {
            Int => "int",
            Long => "long",
            Float => "float",
            Double => "double",
            Byte => "byte",
            Short => "short",
            Char => "char",
            Boolean => "boolean",
        }
    }

    /// The static field of the type.
    fn field(self) -> &'static str {
        match self {
            Int => "si",
            Long => "sj",
            Float => "sf",
            Double => "sd",
            Byte => "sb",
            Short => "ss",
            Char => "sc",
            Boolean => "sz",
        }
    }

    /// The instance field of the type.
    fn member(self) -> &'static str {
        &self.field()[1..]
    }

    fn is_integral(self) -> bool {
        !matches!(self, Float | Double | Boolean)
    }
}

/// The type of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    Of(Primitive),
    Array(Primitive),
    /// `int[][]`
    Grid,
    /// `Object[]`, which may be an array of something else.
    Objects,
    Text,
    Boxed,
    Node,
    Any,
}

impl Type {
    fn name(self) -> String {
        match self {
            Type::Of(primitive) => primitive.name().to_owned(),
            Type::Array(primitive) => format!("{}[]", primitive.name()),
            Type::Grid => "int[][]".to_owned(),
            Type::Objects => "Object[]".to_owned(),
            Type::Text => "String".to_owned(),
            Type::Boxed => "Integer".to_owned(),
            Type::Node => "Base".to_owned(),
            Type::Any => "Object".to_owned(),
        }
    }
}

/// What may be done with a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    Assign,
    /// It is assigned, but nowhere else.
    Read,
    /// It is never assigned again, so that lambdas may use it.
    Capture,
}

#[derive(Debug, Clone)]
struct Variable {
    name: String,
    of: Type,
    access: Access,
}

#[derive(Debug, Clone)]
struct Method {
    name: String,
    parameters: Vec<Primitive>,
    result: Primitive,
}

/// Where a statement stands: what may leave it.
#[derive(Debug, Clone, Default)]
struct Place {
    /// Labels, and whether they are of loops.
    labels: Vec<(String, bool)>,
    /// What the method returns, if it may be left.
    result: Option<Primitive>,
    /// Whether there are a receiver's fields.
    is_instance: bool,
}

struct Writer {
    random: Random,
    class: String,
    out: String,
    indent: usize,
    scope: Vec<Variable>,
    place: Place,
    methods: Vec<Method>,
    n_names: usize,
    n_lazy: usize,
    /// How deep statements are nested.
    nesting: usize,
    /// How many statements the method may still have.
    budget: usize,
}

impl Writer {
    fn new(class: &str, seed: u64) -> Writer {
        Writer {
            random: Random::new(seed),
            class: class.to_owned(),
            out: String::new(),
            indent: 0,
            scope: Vec::new(),
            place: Place::default(),
            methods: Vec::new(),
            n_names: 0,
            n_lazy: 0,
            nesting: 0,
            budget: 0,
        }
    }

    fn below(&mut self, limit: usize) -> usize {
        self.random.below(limit)
    }

    /// Whether something happens that does once in so many times.
    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn pick(&mut self, of: &[&str]) -> String {
        self.random.one_of(of).to_owned()
    }

    fn line(&mut self, text: &str) {
        let indent = self.indent * 4;
        let _ = writeln!(self.out, "{:indent$}{text}", "");
    }

    fn open(&mut self, text: &str) {
        self.line(&format!("{text} {{"));
        self.indent += 1;
    }

    fn close(&mut self) {
        self.close_with("}");
    }

    fn close_with(&mut self, text: &str) {
        self.indent -= 1;
        self.line(text);
    }

    /// Ends a block and begins another.
    fn next(&mut self, text: &str) {
        self.indent -= 1;
        self.line(&format!("}} {text} {{"));
        self.indent += 1;
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.n_names += 1;
        format!("{prefix}{}", self.n_names)
    }

    fn declare(&mut self, name: &str, of: Type, access: Access) {
        self.scope.push(Variable { name: name.to_owned(), of, access });
    }

    fn variable(&mut self, of: Type) -> Option<String> {
        self.variable_where(|variable| variable.of == of)
    }

    fn target(&mut self, of: Type) -> Option<String> {
        self.variable_where(|variable| variable.of == of && variable.access == Access::Assign)
    }

    fn variable_where(&mut self, holds: impl Fn(&Variable) -> bool) -> Option<String> {
        let found: Vec<usize> =
            (0..self.scope.len()).filter(|&index| holds(&self.scope[index])).collect();
        let chosen = *found.get(self.random.below(found.len()))?;
        Some(self.scope[chosen].name.clone())
    }
}
