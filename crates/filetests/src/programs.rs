//! Random Java programs, each following from its seed alone.
//!
//! A program is one file. Its method `run(int, long, int)` returns a checksum over all that
//! happens: values of variables, fields and elements, and the names and messages of exceptions.
//! Loops have few iterations, and every method takes from a supply that is soon used up, so that
//! calls end.

use std::fmt::Write as _;

use crate::sample::Random;

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

const INTS: [&str; 24] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "5",
    "7",
    "8",
    "31",
    "32",
    "33",
    "-2",
    "-7",
    "100",
    "127",
    "128",
    "-128",
    "255",
    "32767",
    "-32768",
    "65535",
    "1000003",
    "Integer.MAX_VALUE",
    "Integer.MIN_VALUE",
];
const LONGS: [&str; 14] = [
    "0L",
    "1L",
    "-1L",
    "2L",
    "63L",
    "64L",
    "-3L",
    "4294967296L",
    "2147483648L",
    "-2147483649L",
    "1000000007L",
    "Long.MAX_VALUE",
    "Long.MIN_VALUE",
    "0x123456789abcdefL",
];
const FLOATS: [&str; 12] = [
    "0f",
    "-0f",
    "1f",
    "-1.5f",
    "0.1f",
    "1e10f",
    "-3e38f",
    "Float.NaN",
    "Float.MIN_VALUE",
    "16777217f",
    "Float.POSITIVE_INFINITY",
    "Float.NEGATIVE_INFINITY",
];
const DOUBLES: [&str; 12] = [
    "0.0",
    "-0.0",
    "1.0",
    "-1.5",
    "0.1",
    "1e19",
    "-1e300",
    "Double.NaN",
    "Double.MIN_VALUE",
    "2147483648.5",
    "Double.POSITIVE_INFINITY",
    "Double.NEGATIVE_INFINITY",
];
const CHARS: [&str; 6] = ["'a'", "'z'", "'0'", "'\\n'", "'\\uffff'", "'\\u0000'"];
const TEXTS: [&str; 10] = [
    "\"\"",
    "\"a\"",
    "\"b\"",
    "\"Aa\"",
    "\"BB\"",
    "\"hello\"",
    "\"\\u20ac\"",
    "null",
    "\"x1\"",
    "\"long text\"",
];

/// Exceptions, those of subclasses first.
const CAUGHT: [&str; 16] = [
    "ArrayIndexOutOfBoundsException",
    "IndexOutOfBoundsException",
    "ArithmeticException",
    "ClassCastException",
    "NegativeArraySizeException",
    "NullPointerException",
    "ArrayStoreException",
    "E2",
    "E1",
    "IllegalStateException",
    "java.util.NoSuchElementException",
    "RuntimeException",
    "NoClassDefFoundError",
    "ExceptionInInitializerError",
    "Error",
    "Throwable",
];

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

    // Expressions.

    fn value(&mut self, of: Type, depth: usize) -> String {
        match of {
            Type::Of(primitive) => self.primitive(primitive, depth),
            Type::Array(primitive) => self.array(primitive, depth),
            Type::Grid => self.grid(depth),
            Type::Objects => self.objects(depth),
            Type::Text => self.text(depth),
            Type::Boxed => self.boxed(depth),
            Type::Node => self.node(depth),
            Type::Any => self.any(depth),
        }
    }

    fn primitive(&mut self, of: Primitive, depth: usize) -> String {
        if self.once_in(3)
            && let Some(name) = self.variable(Type::Of(of))
        {
            return name;
        }
        if depth == 0 {
            return match self.below(6) {
                0 => of.field().to_owned(),
                1 if self.place.is_instance => format!("this.{}", of.member()),
                2 | 3 => self.literal(of),
                _ => self.variable(Type::Of(of)).unwrap_or_else(|| of.field().to_owned()),
            };
        }
        let depth = depth - 1;
        match self.below(24) {
            0 => return self.literal(of),
            1 => return of.field().to_owned(),
            2 => return format!("{}[{}]", self.array_place(of, depth), self.index(depth)),
            3 | 4 => {
                let condition = self.condition(depth);
                let (yes, no) = (self.primitive(of, depth), self.primitive(of, depth));
                // The type of the whole is that of its parts.
                return format!("({condition} ? {yes} : {no})");
            }
            5 => {
                if let Some(target) = self.target(Type::Of(of)) {
                    return format!("({target} = {})", self.primitive(of, depth));
                }
            }
            6 => return format!("{}.{}", self.node_place(depth), of.member()),
            7 | 8 => {
                let found: Vec<Method> =
                    self.methods.iter().filter(|method| method.result == of).cloned().collect();
                if !found.is_empty() {
                    let method = found[self.below(found.len())].clone();
                    return self.call(&method, depth);
                }
            }
            9 => {
                let from = self.random.one_of(&USUAL);
                if from != Boolean && of != Boolean {
                    return format!("({}) ({})", of.name(), self.primitive(from, depth));
                }
            }
            10 if of != Boolean => {
                if let Some(target) = self.target(Type::Of(of)) {
                    return match self.below(5) {
                        0 => format!("{target}++"),
                        1 => format!("{target}--"),
                        2 => format!("++{target}"),
                        3 => format!("(--{target})"),
                        _ => {
                            format!("({target} {} {})", self.compound(of), self.operand(of, depth))
                        }
                    };
                }
            }
            11 if self.place.is_instance => return format!("this.{}", of.member()),
            12 if depth > 0 => {
                let selector = self.primitive(Int, depth);
                let (first, second, third) =
                    (self.primitive(of, depth), self.primitive(of, depth), self.primitive(of, 0));
                let (name, kept) = (of.name(), self.fresh("y"));
                return format!(
                    "(switch (({selector}) & 3) {{ case 0 -> {first}; case 1, 3 -> {{ \
                     {name} {kept} = {second}; yield {kept}; }} default -> {third}; }})"
                );
            }
            _ => {}
        }
        match of {
            Int => self.int(depth),
            Long => self.long(depth),
            Float => self.floating(Float, depth),
            Double => self.floating(Double, depth),
            Byte | Short | Char => format!("({}) ({})", of.name(), self.int(depth)),
            Boolean => self.condition(depth),
        }
    }

    fn literal(&mut self, of: Primitive) -> String {
        match of {
            Int => self.pick(&INTS),
            Long => self.pick(&LONGS),
            Float => self.pick(&FLOATS),
            Double => self.pick(&DOUBLES),
            Byte | Short => format!("({}) {}", of.name(), self.pick(&INTS).replace("-", "- ")),
            Char => self.pick(&CHARS),
            Boolean => self.pick(&["true", "false"]),
        }
    }

    /// An operator that assigns to a number or `boolean`.
    fn compound(&mut self, of: Primitive) -> String {
        match of {
            Boolean => self.pick(&["&=", "|=", "^="]),
            Float | Double => self.pick(&["+=", "-=", "*=", "/=", "%="]),
            _ => self.pick(&["+=", "-=", "*=", "+=", "-=", "&=", "|=", "^=", "<<=", ">>=", ">>>="]),
        }
    }

    /// The right side of such an operator.
    fn operand(&mut self, of: Primitive, depth: usize) -> String {
        match of {
            Boolean => self.condition(depth),
            _ if of.is_integral() => {
                let from = self.random.one_of(&[Int, Long, Byte, Char, Short]);
                self.primitive(from, depth)
            }
            _ => {
                let from = self.random.one_of(&[Int, Long, Float, Double]);
                self.primitive(from, depth)
            }
        }
    }

    fn int(&mut self, depth: usize) -> String {
        let a = |writer: &mut Writer| {
            let of = writer.random.one_of(&[Int, Int, Int, Byte, Short, Char]);
            writer.primitive(of, depth)
        };
        match self.below(30) {
            0..=7 => {
                let operator = self.pick(&["+", "-", "*", "&", "|", "^", "+", "-"]);
                format!("({} {operator} {})", a(self), a(self))
            }
            8 | 9 => {
                let operator = self.pick(&["<<", ">>", ">>>"]);
                let by = self.random.one_of(&[Int, Long, Byte]);
                format!("({} {operator} {})", a(self), self.primitive(by, depth))
            }
            10 | 11 => {
                let operator = self.pick(&["/", "%"]);
                format!("({} {operator} ({} | 1))", a(self), a(self))
            }
            12 => {
                let operator = self.pick(&["/", "%"]);
                format!("({} {operator} {})", a(self), a(self))
            }
            13 => format!("(-({}))", a(self)),
            14 => format!("(~{})", a(self)),
            15 => {
                let name = self.variable_where(|variable| matches!(variable.of, Type::Array(_)));
                name.map_or_else(|| "0".to_owned(), |name| format!("{name}.length"))
            }
            16 => {
                let text = self.text(depth);
                let method = self.pick(&["length()", "hashCode()", "indexOf('a')"]);
                format!("text({text}).{method}")
            }
            17 => format!("((int) text({}).charAt({}))", self.text(depth), self.primitive(Int, 0)),
            18 => format!("((int) {})", self.boxed(depth)),
            19 => format!("{}.over({})", self.node_place(depth), self.overloaded(depth)),
            20 => {
                let first = self.random.one_of(&[Int, Long, Double]);
                let (left, right) = (self.primitive(first, depth), self.primitive(first, depth));
                let boxed = match first {
                    Int => "Integer",
                    Long => "Long",
                    _ => "Double",
                };
                format!("{boxed}.compare({left}, {right})")
            }
            21 => {
                let method =
                    self.pick(&["bitCount", "reverse", "numberOfTrailingZeros", "highestOneBit"]);
                format!("Integer.{method}({})", a(self))
            }
            22 => {
                let count = self.below(4);
                let all: Vec<String> = (0..count).map(|_| self.primitive(Int, depth)).collect();
                format!("total({})", all.join(", "))
            }
            23 => {
                let any = self.any(depth);
                let name = self.fresh("p");
                let (yes, no) = (self.primitive(Int, 0), self.primitive(Int, 0));
                match self.below(3) {
                    0 => format!("({any} instanceof Integer {name} ? {name} + {yes} : {no})"),
                    1 => format!("({any} instanceof String {name} ? {name}.length() : {no})"),
                    _ => format!("({any} instanceof Left {name} && {name}.i > 0 ? {yes} : {no})"),
                }
            }
            24 if self.n_lazy > 0 => {
                let lazy = self.below(self.n_lazy);
                match self.below(3) {
                    0 => format!("Lazy{lazy}.x"),
                    1 => format!("Lazy{lazy}.get({})", a(self)),
                    _ => format!("new Lazy{lazy}().y"),
                }
            }
            25 => format!("Float.floatToIntBits({})", self.primitive(Float, depth)),
            26 => {
                let grid = self.grid_place(depth);
                let (first, second) = (self.index(depth), self.index(0));
                if self.once_in(4) {
                    format!("{grid}[{first}].length")
                } else {
                    format!("{grid}[{first}][{second}]")
                }
            }
            27 => format!("((Integer) {}).intValue()", self.any(depth)),
            28 => format!("Objects.hash({}, {})", self.text(0), self.primitive(Int, depth)),
            _ => format!("Math.max({}, {})", a(self), a(self)),
        }
    }

    fn long(&mut self, depth: usize) -> String {
        let a = |writer: &mut Writer| {
            let of = writer.random.one_of(&[Long, Long, Long, Int, Char]);
            writer.primitive(of, depth)
        };
        match self.below(16) {
            0..=4 => {
                let operator = self.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("((long) {} {operator} {})", self.primitive(Long, depth), a(self))
            }
            5 | 6 => {
                let operator = self.pick(&["<<", ">>", ">>>"]);
                format!("({} {operator} {})", self.primitive(Long, depth), a(self))
            }
            7 | 8 => {
                let operator = self.pick(&["/", "%"]);
                format!("({} {operator} ({} | 1))", self.primitive(Long, depth), a(self))
            }
            9 => {
                let operator = self.pick(&["/", "%"]);
                format!("({} {operator} {})", self.primitive(Long, depth), a(self))
            }
            10 => format!("(-({}))", self.primitive(Long, depth)),
            11 => {
                let method = self.pick(&["area", "twice"]);
                format!("{}.{method}({})", self.node_place(depth), self.primitive(Int, depth))
            }
            12 => format!("Double.doubleToLongBits({})", self.primitive(Double, depth)),
            13 => format!("apply({}, {}, {})", self.lambda(depth), a(self), a(self)),
            14 => format!("(long) ({})", self.int(depth)),
            _ => format!("Long.rotateLeft({}, {})", self.primitive(Long, depth), self.int(0)),
        }
    }

    fn floating(&mut self, of: Primitive, depth: usize) -> String {
        let name = of.name();
        match self.below(8) {
            0..=3 => {
                let operator = self.pick(&["+", "-", "*", "/", "%"]);
                let other = self.random.one_of(&[of, of, Int, Long]);
                let (left, right) = (self.primitive(of, depth), self.primitive(other, depth));
                format!("({left} {operator} {right})")
            }
            4 => format!("(-({}))", self.primitive(of, depth)),
            5 => format!("({name}) Math.sqrt({})", self.primitive(of, depth)),
            6 => format!("Math.min({}, {})", self.primitive(of, depth), self.primitive(of, depth)),
            _ => {
                let from = self.random.one_of(&[Int, Long, Float, Double]);
                format!("({name}) ({})", self.primitive(from, depth))
            }
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        let depth = depth.saturating_sub(1);
        match self.below(14) {
            0..=4 => {
                let operator = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
                let of = self.random.one_of(&[Int, Int, Int, Long, Float, Double, Char, Byte]);
                let (left, right) = (self.primitive(of, depth), self.primitive(of, depth));
                format!("({left} {operator} {right})")
            }
            5 | 6 => {
                let operator = self.pick(&["&&", "||", "&", "|", "^"]);
                format!("({} {operator} {})", self.condition(depth), self.condition(depth))
            }
            7 => format!("!{}", self.condition(depth)),
            8 => self.variable(Type::Of(Boolean)).unwrap_or_else(|| "sz".to_owned()),
            9 => {
                let (left, right) = (self.any(depth), self.any(depth));
                format!("same({left}, {right})")
            }
            10 => {
                let operator = self.pick(&["==", "!="]);
                format!("((Object) {} {operator} null)", self.any(depth))
            }
            11 => {
                let class = self.pick(&["Left", "Right", "Integer", "String", "int[]", "Shape"]);
                format!("((Object) {} instanceof {class})", self.any(depth))
            }
            12 => {
                let (left, right) = (self.boxed(depth), self.boxed(depth));
                format!("((Object) {left} == (Object) {right})")
            }
            _ => {
                let constant = self.pick(&INTS);
                let operator = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!("({} {operator} {constant})", self.primitive(Int, depth))
            }
        }
    }

    /// Mostly within the bounds of arrays of eight elements.
    fn index(&mut self, depth: usize) -> String {
        match self.below(12) {
            0 => self.primitive(Int, depth),
            1 => self.pick(&["0", "7", "8", "3"]),
            2 => format!("{} & 7", self.primitive(Byte, depth)),
            _ => format!("({}) & 7", self.primitive(Int, depth)),
        }
    }

    /// An array, rarely null.
    fn array_place(&mut self, of: Primitive, depth: usize) -> String {
        match self.variable(Type::Array(of)) {
            Some(name) if !self.once_in(8) => name,
            _ => {
                let array = self.array(of, depth);
                if array.starts_with("new") { format!("({array})") } else { array }
            }
        }
    }

    fn array(&mut self, of: Primitive, depth: usize) -> String {
        let name = of.name();
        match self.below(12) {
            0..=4 => self.variable(Type::Array(of)).unwrap_or_else(|| format!("new {name}[8]")),
            5 | 6 => format!("new {name}[8]"),
            7 => {
                let all: Vec<String> =
                    (0..8).map(|_| self.primitive(of, depth.saturating_sub(2))).collect();
                format!("new {name}[] {{{}}}", all.join(", "))
            }
            8 => {
                let small = self.primitive(Byte, depth.saturating_sub(1));
                format!("new {name}[{small}]")
            }
            9 => format!("((({name}[]) null))"),
            10 => match self.variable(Type::Array(of)) {
                Some(array) => format!("{array}.clone()"),
                None => format!("new {name}[9]"),
            },
            _ => format!("(({name}[]) (Object) {})", self.array_of_any(of)),
        }
    }

    fn array_of_any(&mut self, of: Primitive) -> String {
        if self.once_in(3)
            && let Some(any) = self.variable(Type::Any)
        {
            return any;
        }
        format!("new {}[8]", of.name())
    }

    fn grid_place(&mut self, depth: usize) -> String {
        match self.variable(Type::Grid) {
            Some(name) if !self.once_in(8) => name,
            _ => format!("({})", self.grid(depth)),
        }
    }

    fn grid(&mut self, depth: usize) -> String {
        match self.below(8) {
            0 => "new int[8][]".to_owned(),
            1 => {
                let (first, second) = (self.primitive(Byte, 0), self.primitive(Int, 0));
                format!("new int[{first}][({second}) % 5]")
            }
            2 => {
                let array = self.array(Int, depth.saturating_sub(1));
                format!("new int[][] {{{array}, new int[3], null, {{1, 2, 3}}, {{}}}}")
            }
            3 => "(new int[2][8][8])[1]".to_owned(),
            4..=5 => "new int[8][8]".to_owned(),
            _ => self.variable(Type::Grid).unwrap_or_else(|| "new int[8][8]".to_owned()),
        }
    }

    fn objects(&mut self, depth: usize) -> String {
        match self.below(7) {
            0 => "new Integer[8]".to_owned(),
            1 => "new String[8]".to_owned(),
            2 => "new Base[8]".to_owned(),
            3 => {
                let all: Vec<String> = (0..8).map(|_| self.any(depth.saturating_sub(2))).collect();
                format!("new Object[] {{{}}}", all.join(", "))
            }
            4 => "new int[8][8]".to_owned(),
            _ => self.variable(Type::Objects).unwrap_or_else(|| "new Object[8]".to_owned()),
        }
    }

    fn text(&mut self, depth: usize) -> String {
        if depth == 0 {
            let literal = self.pick(&TEXTS);
            let found = self.variable(Type::Text).filter(|_| literal.len() > 4);
            return found.unwrap_or_else(|| format!("((String) {literal})"));
        }
        let depth = depth - 1;
        match self.below(10) {
            0..=2 => self.text(0),
            3..=5 => {
                let count = 1 + self.below(3);
                let mut whole = format!("({}", self.text(0));
                for _ in 0..count {
                    let _ = write!(whole, " + {}", self.shown(depth));
                }
                whole.push(')');
                whole
            }
            6 => {
                let text = self.text(depth);
                format!("text({text}).substring({})", self.pick(&["0", "1", "2", "si & 3"]))
            }
            7 => format!("String.valueOf({})", self.shown(depth)),
            8 => {
                let (first, second) = (self.shown(depth), self.shown(depth));
                format!("new StringBuilder().append({first}).append({second}).reverse().toString()")
            }
            _ => format!("((String) {})", self.any(depth)),
        }
    }

    /// Something whose text is fixed.
    fn shown(&mut self, depth: usize) -> String {
        let of = self.random.one_of(&[Int, Int, Long, Char, Boolean, Byte, Double, Float]);
        match self.below(5) {
            0 => self.text(depth),
            1 => format!("(Object) {}", self.boxed(depth)),
            _ => format!("({})", self.primitive(of, depth)),
        }
    }

    fn boxed(&mut self, depth: usize) -> String {
        match self.below(6) {
            0 => self.pick(&["((Integer) 127)", "((Integer) 128)", "((Integer) (-129))"]),
            1 => format!("Integer.valueOf({})", self.primitive(Int, depth.saturating_sub(1))),
            2 => format!("((Integer) ({} & 255))", self.primitive(Int, depth.saturating_sub(1))),
            3 => "((Integer) map.get(si & 3))".to_owned(),
            _ => self.variable(Type::Boxed).unwrap_or_else(|| "((Integer) 5)".to_owned()),
        }
    }

    fn node_place(&mut self, depth: usize) -> String {
        if self.place.is_instance && self.once_in(3) {
            return "this".to_owned();
        }
        match self.variable(Type::Node) {
            Some(name) if !self.once_in(6) => name,
            _ => self.node(depth),
        }
    }

    fn node(&mut self, depth: usize) -> String {
        let depth = depth.saturating_sub(1);
        match self.below(10) {
            0 => "((Base) null)".to_owned(),
            1 => format!("((Base) new Left({}))", self.primitive(Int, depth)),
            2 => format!("((Base) new Right({}))", self.primitive(Int, depth)),
            3 => format!("make({})", self.primitive(Int, depth)),
            4 => "sn".to_owned(),
            5 => format!("((Left) {})", self.node_place(0)),
            6 => format!("{}.next", self.node_place(0)),
            7 => format!("((Base) {})", self.any(depth)),
            _ => self.variable(Type::Node).unwrap_or_else(|| "sn".to_owned()),
        }
    }

    fn any(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.variable(Type::Any).unwrap_or_else(|| "so".to_owned());
        }
        let depth = depth - 1;
        match self.below(10) {
            0 => format!("((Object) {})", self.boxed(depth)),
            1 => format!("((Object) {})", self.text(depth)),
            2 => format!("((Object) {})", self.node(depth)),
            3 => {
                let of = self.random.one_of(&PRIMITIVES);
                format!("((Object) ({}))", self.primitive(of, depth))
            }
            4 => format!("{}[{}]", self.objects_place(), self.index(depth)),
            5 => "so".to_owned(),
            6 => "map.get(si & 7)".to_owned(),
            7 => {
                let of = self.random.one_of(&PRIMITIVES);
                let array = self.array_place(of, depth);
                format!("((Object) {array})")
            }
            _ => self.variable(Type::Any).unwrap_or_else(|| "so".to_owned()),
        }
    }

    fn objects_place(&mut self) -> String {
        self.variable(Type::Objects).unwrap_or_else(|| "sa".to_owned())
    }

    fn overloaded(&mut self, depth: usize) -> String {
        match self.below(6) {
            0 => self.any(depth),
            1 => self.boxed(depth),
            2 => self.text(depth),
            3 => String::new(),
            _ => {
                let of = self.random.one_of(&PRIMITIVES);
                self.primitive(of, depth)
            }
        }
    }

    fn call(&mut self, method: &Method, depth: usize) -> String {
        let arguments: Vec<String> =
            method.parameters.iter().map(|&of| self.primitive(of, depth)).collect();
        format!("{}({})", method.name, arguments.join(", "))
    }

    /// A function of two `long`s.
    fn lambda(&mut self, depth: usize) -> String {
        match self.below(6) {
            0 => return "Long::sum".to_owned(),
            1 => {
                let found = self.variable_where(|variable| {
                    variable.of == Type::Node && variable.access == Access::Capture
                });
                if let Some(node) = found {
                    return format!("{node}::both");
                }
            }
            2 => return "OPS[si & 3]".to_owned(),
            3 => return "P::plus".replace('P', &self.class),
            _ => {}
        }
        let (left, right) = (self.fresh("l"), self.fresh("l"));
        let scope = self.scope.clone();
        self.scope.retain(|variable| variable.access == Access::Capture);
        self.declare(&left, Type::Of(Long), Access::Assign);
        self.declare(&right, Type::Of(Long), Access::Assign);
        let body = self.primitive(Long, depth.min(3));
        self.scope = scope;
        format!("(({left}, {right}) -> {body})")
    }

    // Statements.

    fn block(&mut self, count: usize) {
        let visible = self.scope.len();
        self.nesting += 1;
        for _ in 0..count {
            self.statement();
        }
        self.nesting -= 1;
        self.scope.truncate(visible);
    }

    fn small_block(&mut self) {
        let count = if self.budget == 0 { 1 } else { 1 + self.below(4) };
        self.block(count);
    }

    fn statement(&mut self) {
        let nested = self.nesting < 5 && self.budget > 0;
        self.budget = self.budget.saturating_sub(1);
        match self.below(46) {
            0..=3 => self.declaration(),
            4..=9 => self.assignment(),
            10..=12 => self.permutation(),
            13..=14 => {
                let of = self.random.one_of(&PRIMITIVES);
                let value = self.primitive(of, 3);
                self.line(&format!("mix({value});"));
            }
            15..=17 if nested => {
                let condition = self.condition(2);
                self.open(&format!("if ({condition})"));
                self.small_block();
                if self.once_in(2) {
                    self.next("else");
                    self.small_block();
                }
                self.close();
            }
            18..=22 if nested => self.repetition(),
            23..=24 => self.exit(),
            25..=27 if nested => self.choice(),
            28..=32 if nested => self.attempt(),
            33 if nested => self.resources(),
            34..=36 => self.store(),
            37 => self.collection(),
            38 => self.garbage(),
            39 => self.function(),
            40 if nested => self.local_class(),
            41 => {
                let any = self.any(2);
                self.line(&format!("mix({any});"));
            }
            42 if nested => {
                let label = self.fresh("b");
                self.open(&format!("{label}:"));
                self.place.labels.push((label, false));
                self.small_block();
                self.place.labels.pop();
                self.close();
            }
            43 => self.builder(),
            44 if nested => {
                self.open("synchronized (LOCK)");
                self.small_block();
                self.close();
            }
            _ => self.assignment(),
        }
    }

    fn type_of_variable(&mut self) -> Type {
        match self.below(20) {
            0..=10 => Type::Of(self.random.one_of(&USUAL)),
            11..=13 => Type::Array(self.random.one_of(&USUAL)),
            14 => Type::Grid,
            15 => Type::Objects,
            16 => Type::Text,
            17 => Type::Boxed,
            18 => Type::Node,
            _ => Type::Any,
        }
    }

    fn declaration(&mut self) {
        let of = self.type_of_variable();
        let value = self.value(of, 3);
        let name = self.fresh("v");
        let (access, word) = match self.below(4) {
            0 => (Access::Capture, "final "),
            _ => (Access::Assign, ""),
        };
        self.line(&format!("{word}{} {name} = {value};", of.name()));
        self.declare(&name, of, access);
    }

    fn assignment(&mut self) {
        let found = self.variable_where(|variable| variable.access == Access::Assign);
        let Some(name) = found else { return self.declaration() };
        let Some(of) = self.scope.iter().find(|variable| variable.name == name).map(|v| v.of)
        else {
            return;
        };
        match of {
            Type::Of(primitive) if self.once_in(2) => {
                let (operator, operand) = (self.compound(primitive), self.operand(primitive, 3));
                self.line(&format!("{name} {operator} {operand};"));
            }
            Type::Of(primitive) if primitive != Boolean && self.once_in(4) => {
                let operator = self.pick(&["++", "--"]);
                self.line(&format!("{name}{operator};"));
            }
            Type::Text if self.once_in(2) => {
                let shown = self.shown(2);
                self.line(&format!("if (text({name}).length() < 50) {name} += {shown};"));
            }
            _ => {
                let value = self.value(of, 3);
                self.line(&format!("{name} = {value};"));
            }
        }
    }

    /// Assigns variables of one type to one another.
    fn permutation(&mut self) {
        let of = self.type_of_variable();
        let mut names: Vec<String> = self
            .scope
            .iter()
            .filter(|variable| variable.of == of && variable.access == Access::Assign)
            .map(|variable| variable.name.clone())
            .collect();
        while names.len() > 2 + self.below(5) {
            let gone = self.below(names.len());
            names.remove(gone);
        }
        if names.len() < 2 {
            return self.declaration();
        }
        for at in (1..names.len()).rev() {
            let other = self.below(at + 1);
            names.swap(at, other);
        }
        match (self.below(3), of) {
            (0, Type::Of(primitive)) if primitive.is_integral() => {
                // Chained, with what was read before.
                let (first, second) = (&names[0], &names[1]);
                let name = primitive.name();
                self.line(&format!(
                    "{first} = ({name}) ({first} + {second} - ({second} = {first}));"
                ));
            }
            (1, _) => {
                for pair in names.windows(2) {
                    self.line(&format!("{} = {};", pair[0], pair[1]));
                }
            }
            _ => {
                let kept = self.fresh("t");
                self.line(&format!("{} {kept} = {};", of.name(), names[0]));
                for pair in names.windows(2) {
                    self.line(&format!("{} = {};", pair[0], pair[1]));
                }
                self.line(&format!("{} = {kept};", names[names.len() - 1]));
            }
        }
    }

    fn repetition(&mut self) {
        let (label, counter) = (self.fresh("loop"), self.fresh("i"));
        let visible = self.scope.len();
        let trips = 2 + self.below(5);
        self.place.labels.push((label.clone(), true));
        match self.below(6) {
            0 => {
                self.line(&format!("int {counter} = {trips};"));
                self.declare(&counter, Type::Of(Int), Access::Read);
                let condition = self.condition(2);
                self.open(&format!("{label}: while ({counter}-- > 0 && {condition})"));
                self.small_block();
                self.close();
            }
            1 => {
                self.line(&format!("int {counter} = 0;"));
                self.declare(&counter, Type::Of(Int), Access::Read);
                self.open(&format!("{label}: do"));
                self.small_block();
                self.close_with(&format!("}} while (++{counter} < {trips});"));
            }
            2 => {
                let of = self.random.one_of(&PRIMITIVES);
                let array = self.array_place(of, 1);
                self.open(&format!("{label}: for ({} {counter} : {array})", of.name()));
                self.declare(&counter, Type::Of(of), Access::Assign);
                self.line("if (--fuel < 0) break;");
                self.small_block();
                self.close();
            }
            3 => {
                let other = self.fresh("j");
                self.open(&format!(
                    "{label}: for (int {counter} = 0, {other} = {trips}; {counter} < {other}; \
                     {counter}++, {other}--)"
                ));
                self.declare(&counter, Type::Of(Int), Access::Read);
                self.declare(&other, Type::Of(Int), Access::Read);
                self.small_block();
                self.close();
            }
            _ => {
                self.open(&format!(
                    "{label}: for (int {counter} = 0; {counter} < {trips}; {counter}++)"
                ));
                self.declare(&counter, Type::Of(Int), Access::Read);
                self.small_block();
                if self.once_in(3) {
                    self.permutation();
                }
                self.close();
            }
        }
        self.place.labels.pop();
        self.scope.truncate(visible);
    }

    /// A conditional end of the block, of one around it, or of the method.
    fn exit(&mut self) {
        let condition = self.condition(2);
        let labels = self.place.labels.clone();
        let chosen = labels.get(self.below(labels.len()));
        let exit = match (self.below(8), chosen) {
            (0..=2, Some((label, _))) => format!("break {label};"),
            (3..=5, Some((label, true))) => format!("continue {label};"),
            (6, _) if let Some(result) = self.place.result => {
                format!("return {};", self.primitive(result, 2))
            }
            _ => format!("throw {};", self.exception()),
        };
        self.line(&format!("if ({condition}) {exit}"));
    }

    fn exception(&mut self) -> String {
        let class =
            self.pick(&["E1", "E2", "E1", "IllegalStateException", "Error", "RuntimeException"]);
        let text = self.text(1);
        format!("new {class}({text})")
    }

    fn choice(&mut self) {
        let count = 2 + self.below(5);
        let label = self.fresh("s");
        let kind = self.below(5);
        let selector = match kind {
            0 => format!("({}) & 7", self.primitive(Int, 2)),
            1 => self.primitive(Int, 2),
            2 => format!("text({})", self.text(2)),
            3 => format!("(int) ({})", self.primitive(Long, 2)),
            _ => format!("Color.values()[({}) & 3]", self.primitive(Int, 2)),
        };
        self.open(&format!("{label}: switch ({selector})"));
        self.place.labels.push((label.clone(), false));
        let mut cases: Vec<String> = match kind {
            0 => (0..8).map(|case| case.to_string()).collect(),
            2 => {
                TEXTS.iter().filter(|text| **text != "null").map(|text| text.to_string()).collect()
            }
            4 => ["RED", "GREEN", "BLUE", "GREY"].map(str::to_owned).to_vec(),
            _ => INTS.map(str::to_owned).to_vec(),
        };
        let default = self.below(count + 2);
        for number in 0..count {
            if number == default {
                self.line("default:");
            } else if !cases.is_empty() {
                let case = self.below(cases.len());
                let case = cases.swap_remove(case);
                self.line(&format!("case {case}:"));
            } else {
                continue;
            }
            self.indent += 1;
            self.open("");
            self.small_block();
            self.close();
            if !self.once_in(3) {
                self.line("break;");
            }
            self.indent -= 1;
        }
        self.place.labels.pop();
        self.close();
    }

    fn attempt(&mut self) {
        self.open("try");
        self.small_block();
        if self.once_in(3) {
            let exception = self.exception();
            let condition = self.condition(1);
            self.line(&format!("if ({condition}) throw {exception};"));
        }
        let mut first = self.below(CAUGHT.len());
        let mut has_handler = false;
        while first < CAUGHT.len() && (!has_handler || self.once_in(2)) {
            has_handler = true;
            let name = self.fresh("e");
            let class = CAUGHT[first];
            self.next(&format!("catch ({class} {name})"));
            self.line(&format!("note({name});"));
            self.small_block();
            match self.below(8) {
                0 => self.line(&format!("if (fuel > 0) throw {name};").replace(
                    &format!("throw {name}"),
                    &if matches!(class, "Throwable") {
                        format!("throw new E1({name}.getClass().getName(), {name})")
                    } else {
                        format!("throw {name}")
                    },
                )),
                1 => self.exit(),
                _ => {}
            }
            first += 1 + self.below(4);
        }
        if !has_handler || self.once_in(3) {
            self.next("finally");
            self.small_block();
            if self.once_in(3) {
                self.exit();
            }
        }
        self.close();
    }

    fn resources(&mut self) {
        let (first, second) = (self.fresh("r"), self.fresh("r"));
        let number = self.primitive(Int, 2);
        let other = self.primitive(Int, 2);
        let all = match self.below(3) {
            0 => format!("Res {first} = new Res({number})"),
            1 => format!("Res {first} = null"),
            _ => format!("Res {first} = new Res({number}); Res {second} = new Res({other})"),
        };
        self.open(&format!("try ({all})"));
        self.line(&format!("mix({first} == null);"));
        self.small_block();
        let name = self.fresh("e");
        let class = self.pick(&["RuntimeException", "E1", "Throwable"]);
        self.next(&format!("catch ({class} {name})"));
        self.line(&format!("note({name});"));
        self.close();
    }

    fn store(&mut self) {
        let of = self.random.one_of(&USUAL);
        match self.below(12) {
            0..=3 => {
                let (array, index) = (self.array_place(of, 1), self.index(2));
                if array.starts_with("(new") {
                    return self.assignment();
                }
                if self.once_in(2) {
                    let value = self.primitive(of, 3);
                    self.line(&format!("{array}[{index}] = {value};"));
                } else {
                    let (operator, operand) = (self.compound(of), self.operand(of, 2));
                    self.line(&format!("{array}[{index}] {operator} {operand};"));
                }
            }
            4 | 5 => {
                let field = of.field();
                let (operator, operand) = (self.compound(of), self.operand(of, 3));
                self.line(&format!("{field} {operator} {operand};"));
            }
            6 | 7 => {
                let node = self.node_place(2);
                let value = self.primitive(of, 3);
                self.line(&format!("{node}.{} = {value};", of.member()));
            }
            8 => {
                let (node, next) = (self.node_place(1), self.node(2));
                self.line(&format!("{node}.next = {next};"));
            }
            9 => {
                let (objects, index, any) = (self.objects_place(), self.index(2), self.any(2));
                self.line(&format!("{objects}[{index}] = {any};"));
            }
            10 => {
                let grid = self.variable(Type::Grid);
                let Some(grid) = grid else { return self.declaration() };
                let (first, second) = (self.index(1), self.index(1));
                if self.once_in(3) {
                    let array = self.array(Int, 1);
                    self.line(&format!("{grid}[{first}] = {array};"));
                } else {
                    let value = self.primitive(Int, 2);
                    self.line(&format!("{grid}[{first}][{second}] += {value};"));
                }
            }
            _ => {
                let (from, to) = (self.array_place(of, 0), self.array_place(of, 0));
                let (start, end) = (self.index(1), self.index(1));
                self.line(&format!("System.arraycopy({from}, {start}, {to}, {end}, {end});"));
            }
        }
    }

    fn collection(&mut self) {
        let any = self.any(2);
        let index = self.primitive(Int, 1);
        let line = match self.below(9) {
            0 => format!("list.add({any});"),
            1 => format!("mix(list.get(({index}) & 3));"),
            2 => format!("if (!list.isEmpty()) list.remove(({index}) % list.size());"),
            3 => format!("map.put(({index}) & 7, {any});"),
            4 => format!("mix(map.remove({}));", self.boxed(1)),
            5 => format!("queue.addLast((Object) {any});"),
            6 => "mix(queue.pollFirst());".to_owned(),
            7 => "for (Object o : list) { mix(o); }".to_owned(),
            _ => {
                "for (Map.Entry<Object, Object> o : map.entrySet()) { mix(o.getKey()); }".to_owned()
            }
        };
        self.line(&line);
    }

    /// Objects that are soon forgotten, and some that are not.
    fn garbage(&mut self) {
        let (name, counter) = (self.fresh("g"), self.fresh("i"));
        let kept = self.pick(&["so", "sa[3]", "sn"]);
        let made = match kept.as_str() {
            "sn" => format!("new Left({counter})"),
            "so" => format!("new int[] {{{counter}, si}}"),
            _ => format!("\"g\" + {counter}"),
        };
        let count = 20 + self.below(60);
        self.line(&format!("Object[] {name} = new Object[{count}];"));
        self.open(&format!("for (int {counter} = 0; {counter} < {count}; {counter}++)"));
        self.line(&format!("{name}[{counter}] = {counter} % 3 == 0 ? new long[8] : {made};"));
        self.close();
        let at = self.below(count);
        self.line(&format!("mix({name}[{at}]);"));
        if !kept.contains('n') {
            self.line(&format!("{kept} = {name}[{at}];"));
        }
    }

    fn function(&mut self) {
        let name = self.fresh("f");
        let lambda = self.lambda(3);
        self.line(&format!("Op {name} = {lambda};"));
        let (left, right) = (self.primitive(Long, 2), self.primitive(Long, 2));
        match self.below(4) {
            0 => {
                let other = self.lambda(2);
                self.line(&format!("mix({name}.then({other}).apply({left}, {right}));"));
            }
            1 => self.line(&format!("OPS[si & 3] = {name};")),
            2 => {
                let supplier = self.fresh("f");
                let scope = self.scope.clone();
                self.scope.retain(|variable| variable.access == Access::Capture);
                let any = self.any(2);
                self.scope = scope;
                self.line(&format!("Supplier<Object> {supplier} = () -> {any};"));
                self.line(&format!("mix({supplier}.get());"));
            }
            _ => self.line(&format!("mix({name}.apply({left}, {right}));")),
        }
    }

    /// A class within the method that uses its variables.
    fn local_class(&mut self) {
        let name = self.fresh("Local");
        let field = self.fresh("w");
        self.line(&format!("class {name} extends Left {{"));
        self.indent += 1;
        let (scope, place) = (self.scope.clone(), std::mem::take(&mut self.place));
        self.scope.retain(|variable| variable.access == Access::Capture);
        self.place.is_instance = true;
        let value = self.primitive(Long, 2);
        self.line(&format!("long {field} = {value};"));
        self.line(&format!("{name}() {{ super(3); {field}++; }}"));
        self.line("@Override public long area(int k) {");
        self.indent += 1;
        self.line("if (--fuel < 0) throw new IllegalStateException(\"fuel\");");
        self.declare("k", Type::Of(Int), Access::Assign);
        self.declare(&field, Type::Of(Long), Access::Assign);
        self.place.result = Some(Long);
        self.small_block();
        let value = self.primitive(Long, 2);
        self.line(&format!("return {value} + super.area(k) + {field};"));
        self.close();
        self.close();
        self.place = place;
        self.scope = scope;
        let object = self.fresh("v");
        self.line(&format!("Base {object} = new {name}();"));
        self.line(&format!("mix({object}.twice(2));"));
        self.declare(&object, Type::Node, Access::Assign);
    }

    fn builder(&mut self) {
        let name = self.fresh("sb");
        self.line(&format!("StringBuilder {name} = new StringBuilder();"));
        for _ in 0..1 + self.below(3) {
            let shown = self.shown(2);
            self.line(&format!("{name}.append({shown});"));
        }
        match self.below(4) {
            0 => self.line(&format!("{name}.insert(si & 3, si);")),
            1 => self.line(&format!("{name}.setLength(si & 7);")),
            2 => self.line(&format!("{name}.deleteCharAt(sb & 3);")),
            _ => {}
        }
        self.line(&format!("mix({name}.toString());"));
    }

    // Methods and classes.

    /// A method with a random body.
    fn method(&mut self, head: &str, parameters: &[(String, Primitive)], result: Primitive) {
        let count = 2 + self.below(5);
        self.budget = 6;
        let listed: Vec<String> =
            parameters.iter().map(|(name, of)| format!("{} {name}", of.name())).collect();
        self.open(&format!("{head}({})", listed.join(", ")));
        self.line("if (--fuel < 0) throw new IllegalStateException(\"fuel\");");
        for (name, of) in parameters {
            self.declare(name, Type::Of(*of), Access::Assign);
        }
        self.place.result = Some(result);
        let visible = self.scope.len();
        for _ in 0..1 + self.below(5) {
            self.declaration();
        }
        for _ in 0..count {
            self.statement();
        }
        self.mix_variables(visible);
        let value = self.primitive(result, 3);
        self.line(&format!("return {value};"));
        self.close();
        self.scope.clear();
        self.place = Place::default();
    }

    fn mix_variables(&mut self, from: usize) {
        let names: Vec<String> = self.scope[from..].iter().map(|v| v.name.clone()).collect();
        for name in names {
            self.line(&format!("mix({name});"));
        }
    }

    /// Many variables that are all alive, moved around in loops.
    fn wide(&mut self) {
        let count = 257 + self.below(60);
        self.open("static long wide(int a, long b)");
        for number in 0..count {
            let of = if number % 5 == 0 { "long" } else { "int" };
            self.line(&format!("{of} w{number} = a + {number};"));
        }
        let trips = 2 + self.below(4);
        self.open(&format!("for (int i = 0; i < {trips}; i++)"));
        for _ in 0..30 + self.below(40) {
            let (first, second, third) = (self.below(count), self.below(count), self.below(count));
            let line = match self.below(6) {
                0 => format!("w{first} += w{second} * i;"),
                1 => format!("w{first} -= plus(w{second}, w{third});"),
                2 => format!("if (w{first} > w{second}) {{ w{third} ^= w{first}; continue; }}"),
                3 => format!("w{first} += text(\"x\" + w{second}).length();"),
                _ => {
                    let start = 1 + self.below(count / 5 - 1) * 5;
                    format!(
                        "{{ int t = w{0}; w{0} = w{1}; w{1} = w{2}; w{2} = w{3}; w{3} = t; }}",
                        start,
                        start + 1,
                        start + 2,
                        start + 3
                    )
                }
            };
            self.line(&line);
        }
        self.close();
        self.line("long h = b;");
        for number in 0..count {
            self.line(&format!("h = h * 31 + w{number};"));
        }
        self.line("return h;");
        self.close();
    }

    fn lazy_classes(&mut self) {
        let all = self.n_lazy;
        for number in 0..all {
            let parent = match number {
                0 => String::new(),
                _ if self.once_in(2) => format!(" extends Lazy{}", self.below(number)),
                _ => String::new(),
            };
            let interface =
                if self.once_in(3) { format!(" implements LazyI{number}") } else { String::new() };
            let x = self.primitive(Int, 3);
            let get = self.primitive(Int, 3);
            if !interface.is_empty() {
                let value = self.primitive(Int, 3);
                self.open(&format!("interface LazyI{number}"));
                self.line(&format!("int Z = tick({value});"));
                if !self.once_in(3) {
                    self.line(&format!("default int plus{number}(int k) {{ return k + Z; }}"));
                }
                self.close();
            }
            self.open(&format!("static class Lazy{number}{parent}{interface}"));
            if self.once_in(5) {
                self.line("static int x;");
            } else {
                self.line(&format!("static int x = tick({x});"));
            }
            self.line("int y = 3;");
            if self.once_in(2) {
                self.open("static");
                self.budget = 6;
                self.block(2);
                self.close();
            }
            self.open("static int get(int k)");
            self.line("if (--fuel < 0) throw new IllegalStateException(\"fuel\");");
            self.line(&format!("x += k; return {get};"));
            self.close();
            self.close();
        }
    }

    fn node_classes(&mut self) {
        self.open("interface Shape");
        self.line("long area(int k);");
        let value = self.primitive(Long, 2);
        self.line("default long twice(int k) {");
        self.line(&format!("    return 2 * area(k) + {value};"));
        self.line("}");
        self.close();
        self.open("static abstract class Base implements Shape");
        for of in PRIMITIVES {
            self.line(&format!("{} {};", of.name(), of.member()));
        }
        self.line("Base next;");
        self.line(
            "Base(int k) { i = k; b = (byte) k; c = (char) k; s = (short) (k * 3); hook(k); }",
        );
        self.line("void hook(int k) { j += k; }");
        self.line("long both(long x, long y) { return x * 31 + y + i; }");
        self.line("int over(int x) { return x + 1; }");
        self.line("int over(long x) { return (int) x + 2; }");
        self.line("int over(double x) { return (int) x + 3; }");
        self.line("int over(Object x) { return x == null ? 4 : 5; }");
        self.line("int over(Integer x) { return x == null ? 6 : x + 7; }");
        self.line("int over(int... x) { return x.length + 8; }");
        self.line("int over(char x) { return x + 9; }");
        self.place.is_instance = true;
        self.method("public long area", &[("k".to_owned(), Int)], Long);
        self.close();
        self.open("static class Left extends Base");
        self.line("long extra = 17;");
        self.line("Left(int k) { super(k); extra += k; }");
        self.line("@Override void hook(int k) { extra = k; d = k / 2.0; super.hook(k + 1); }");
        if self.once_in(2) {
            self.line("@Override int over(long x) { return super.over(x) * 2; }");
        }
        if self.once_in(2) {
            self.place.is_instance = true;
            self.method("@Override public long area", &[("k".to_owned(), Int)], Long);
        }
        self.place.is_instance = true;
        self.method("long both", &[("x".to_owned(), Long), ("y".to_owned(), Long)], Long);
        self.close();
        self.open("static class Right extends Left");
        self.line("Right(int k) { super(k / 2); f = k; z = k > 3; }");
        self.line("@Override public long area(int k) { return super.area(k + 1) + extra; }");
        self.line("@Override public long twice(int k) { return super.twice(k) - 1; }");
        self.close();
    }

    fn class(&mut self) {
        let class = self.class.clone();
        self.n_lazy = 2 + self.below(4);
        for number in 0..2 + self.below(3) {
            let parameters = (0..self.below(5)).map(|_| self.random.one_of(&USUAL)).collect();
            let result = self.random.one_of(&USUAL);
            self.methods.push(Method { name: format!("m{number}"), parameters, result });
        }
        self.line("import java.util.*;");
        self.line("import java.util.function.*;");
        self.line("");
        self.open(&format!("public class {class}"));
        for line in FIXED.lines() {
            self.line(line);
        }
        self.line(&format!(
            "static final Op[] OPS = {{Long::sum, {class}::plus, Math::max, null}};"
        ));
        for of in PRIMITIVES {
            let value = self.literal(of);
            self.line(&format!("static {} {} = {value};", of.name(), of.field()));
        }
        self.node_classes();
        self.lazy_classes();
        for method in self.methods.clone() {
            let parameters: Vec<(String, Primitive)> = method
                .parameters
                .iter()
                .enumerate()
                .map(|(n, &of)| (format!("p{n}_"), of))
                .collect();
            let head = format!("static {} {}", method.result.name(), method.name);
            self.method(&head, &parameters, method.result);
        }
        let has_wide = self.once_in(12);
        if has_wide {
            self.wide();
        }
        self.budget = 18;
        self.open("public static long run(int a, long b, int c)");
        self.line("fuel = 120;");
        for (name, of) in [("a", Int), ("b", Long), ("c", Int)] {
            self.declare(name, Type::Of(of), Access::Assign);
        }
        for _ in 0..4 + self.below(12) {
            self.declaration_in_safety();
        }
        self.place.result = Some(Long);
        if has_wide {
            self.line("mix(wide(a, b));");
        }
        for _ in 0..5 + self.below(7) {
            if self.once_in(4) {
                self.statement();
                continue;
            }
            let visible = self.scope.len();
            self.open("try");
            self.block(2);
            self.next("catch (Throwable e)");
            self.line("note(e);");
            self.close();
            self.scope.truncate(visible);
        }
        self.mix_variables(0);
        for of in PRIMITIVES {
            self.line(&format!("mix({});", of.field()));
        }
        self.line(
            "mix(so); mix(sa); mix(sn); mix(list.size()); mix(map.size()); mix(queue.size());",
        );
        self.line("return acc;");
        self.close();
        self.close();
    }

    /// A variable whose first value is one that always can be computed.
    fn declaration_in_safety(&mut self) {
        let of = self.type_of_variable();
        let name = self.fresh("v");
        let value = match of {
            Type::Of(primitive) => match self.below(3) {
                0 => self.literal(primitive),
                _ if primitive == Boolean => "a < c".to_owned(),
                1 => format!("({}) a", primitive.name()),
                _ => format!("({}) (b + {})", primitive.name(), self.n_names),
            },
            Type::Array(primitive) => format!("new {}[8]", primitive.name()),
            Type::Grid => "new int[8][8]".to_owned(),
            Type::Objects => "new Object[8]".to_owned(),
            Type::Text => self.pick(&TEXTS),
            Type::Boxed => "a".to_owned(),
            Type::Node => "new Right(c)".to_owned(),
            Type::Any => "b".to_owned(),
        };
        self.line(&format!("{} {name} = {value};", of.name()));
        self.declare(&name, of, Access::Assign);
    }
}

/// What all programs have.
const FIXED: &str = r#"static long acc;
static int fuel = 50;
static final Object LOCK = new Object();
static Object so = 5;
static Object[] sa = new Object[8];
static Base sn = new Left(4);
static final ArrayList<Object> list = new ArrayList<>();
static final HashMap<Object, Object> map = new HashMap<>();
static final ArrayDeque<Object> queue = new ArrayDeque<>();
enum Color { RED, GREEN, BLUE, GREY }
interface Op {
    long apply(long x, long y);
    default Op then(Op other) { return (x, y) -> other.apply(apply(x, y), y); }
}
static class E1 extends RuntimeException {
    E1(String text) { super(text); }
    E1(String text, Throwable cause) { super(text, cause); }
}
static class E2 extends E1 {
    E2(String text) { super(text + "!"); }
}
static class Res implements AutoCloseable {
    final int k;
    Res(int k) { this.k = k; if (k % 5 == 4) throw new E1("open " + k); mix(k); }
    @Override public void close() { mix(-k); if (k % 3 == 2) throw new E2("close " + k); }
}
static long plus(long x, long y) { return x + y; }
static int tick(int k) { acc = acc * 7 + k; return k; }
static int total(int... all) { int t = 0; for (int one : all) t += one; return t * 3 + all.length; }
static long apply(Op op, long x, long y) { return op.apply(x, y); }
static String text(String text) { return text == null ? "" : text; }
static boolean same(Object x, Object y) { return x == y; }
static Base make(int k) {
    switch (k & 3) {
        case 0: return new Left(k);
        case 1: return new Right(k);
        case 2: return new Base(k) { @Override public long area(int x) { return x + k + i; } };
        default: return null;
    }
}
static void mix(long x) { acc = (acc ^ x) * 0x100000001b3L + (acc >>> 29); }
static void mix(int x) { mix((long) x + 1); }
static void mix(byte x) { mix((long) x + 2); }
static void mix(short x) { mix((long) x + 3); }
static void mix(char x) { mix((long) x + 4); }
static void mix(float x) { mix((long) Float.floatToIntBits(x) + 5); }
static void mix(double x) { mix(Double.doubleToLongBits(x) + 6); }
static void mix(boolean x) { mix(x ? 7L : 8L); }
static void mix(Object x) {
    if (x == null) mix(9L);
    else if (x instanceof Base n) { mix(n.getClass().getName().length()); mix(n.b); mix(n.c); mix(n.d);
        mix(n.f); mix(n.i); mix(n.j); mix(n.s); mix(n.z); mix(n.next == null); }
    else if (x instanceof int[] all) { for (int one : all) mix(one); }
    else if (x instanceof long[] all) { for (long one : all) mix(one); }
    else if (x instanceof byte[] all) { for (byte one : all) mix(one); }
    else if (x instanceof short[] all) { for (short one : all) mix(one); }
    else if (x instanceof char[] all) { for (char one : all) mix(one); }
    else if (x instanceof float[] all) { for (float one : all) mix(one); }
    else if (x instanceof double[] all) { for (double one : all) mix(one); }
    else if (x instanceof boolean[] all) { for (boolean one : all) mix(one); }
    else if (x instanceof int[][] all) { mix(all.length); for (int[] one : all) mix((Object) one); }
    else if (x instanceof Object[] all) { mix(all.length); for (Object one : all) mixFlat(one); }
    else if (x instanceof Throwable e) note(e);
    else { mix(x.hashCode()); mix(x.getClass().getName().length()); }
}
static void mixFlat(Object x) { if (!(x instanceof Object[])) mix(x); else mix(11L); }
static void note(Throwable e) {
    mix((Object) e.getClass().getName());
    if (!(e instanceof NullPointerException) && !(e instanceof ClassCastException))
        mix((Object) e.getMessage());
    // Whether this error has a cause, and with which text, depends on the JVM.
    if (e.getCause() != null && !(e instanceof NoClassDefFoundError)) note(e.getCause());
    for (Throwable other : e.getSuppressed()) note(other);
}"#;
