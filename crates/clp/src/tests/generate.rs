//! Random well-formed procedures.
//!
//! A procedure is made from a string of bytes, each of which decides something. When they run out,
//! every further decision is for the first alternative, which is always the one that ends things.
//! So shorter strings give smaller procedures, and proptest's shrinking of the bytes works.

mod body;
mod decisions;
mod end;

use petrel_classfile::{JavaString, Opcode, ReferenceKind};

use crate::facts::Facts;
use crate::*;

pub(super) struct Choices<'a> {
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> Choices<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Choices<'a> {
        Choices { bytes: bytes.iter() }
    }

    pub(super) fn byte(&mut self) -> u8 {
        self.bytes.next().copied().unwrap_or(0)
    }

    pub(super) fn below(&mut self, n: usize) -> usize {
        if n > 250 {
            (usize::from(self.byte()) << 8 | usize::from(self.byte())) % n
        } else {
            usize::from(self.byte()) % n.max(1)
        }
    }

    pub(super) fn flag(&mut self) -> bool {
        self.byte() % 2 == 1
    }

    fn of<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }
}

const KINDS: [Kind; 5] = [Kind::Int, Kind::Reference, Kind::Long, Kind::Float, Kind::Double];
const ARITHMETIC: [ArithmeticKind; 4] =
    [ArithmeticKind::Int, ArithmeticKind::Long, ArithmeticKind::Float, ArithmeticKind::Double];
const CLASSES: [&str; 6] =
    ["A", "java/lang/Object", "p/q/B$C", "java/lang/ArithmeticException", "it's", "null"];
const ARRAYS: [&str; 6] = ["[I", "[Ljava/lang/Object;", "[[J", "[Z", "[D", "[Ljava/lang/String;"];
/// Some of them are what the text itself calls things.
const NAMES: [&str; 14] =
    ["X", "H", "E", "T", "R", "H1", "T1", "This", "E1", "_Z", "Été", "A_1", "O", "H_"];
const METHODS: [(&str, &str, &str); 12] = [
    ("A", "f", "()V"),
    ("A", "f", "(I)V"),
    ("p/A", "f", "()V"),
    ("B", "g", "(IJLjava/lang/Object;)I"),
    ("B", "string", "(D)[I"),
    ("B", "<init>", "()V"),
    ("java/lang/Object", "<init>", "()V"),
    ("C", "init", "()V"),
    ("C", "h", "(F[[D)J"),
    ("C", "pred_1", "()D"),
    ("q/C", "<clinit>", "()V"),
    ("C", "lambda$0", "()Ljava/lang/String;"),
];
const FIELDS: [(&str, &str, &str); 7] = [
    ("A", "size", "I"),
    ("B", "size", "J"),
    ("p/B", "size", "J"),
    ("B", "elems", "[I"),
    ("B", "f", "F"),
    ("B", "d", "D"),
    ("B", "flag", "Z"),
];

pub(super) fn method(choices: &mut Choices<'_>) -> MethodRef {
    let (class, name, descriptor) = choices.of(&METHODS);
    MethodRef { class: class.into(), name: name.into(), descriptor: descriptor.into() }
}

fn field(choices: &mut Choices<'_>) -> FieldRef {
    let (class, name, descriptor) = choices.of(&FIELDS);
    FieldRef { class: class.into(), name: name.into(), descriptor: descriptor.into() }
}

fn handle(choices: &mut Choices<'_>) -> MethodHandle {
    if choices.flag() {
        MethodHandle::Field(ReferenceKind::PutStatic, field(choices))
    } else {
        MethodHandle::Method(ReferenceKind::InvokeStatic, method(choices))
    }
}

fn site(choices: &mut Choices<'_>, descriptor: &str, depth: usize) -> DynamicSite {
    let arguments = (0..choices.below(4))
        .map(|_| match choices.below(9) {
            0 => StaticArgument::Int(int(choices)),
            1 => StaticArgument::Long(i64::MIN),
            2 => StaticArgument::Float(float(choices)),
            3 => StaticArgument::Double(double(choices)),
            4 => StaticArgument::String(string(choices)),
            5 => StaticArgument::Class(choices.of(&CLASSES).into()),
            6 => StaticArgument::MethodType("()V".into()),
            7 => StaticArgument::MethodHandle(handle(choices)),
            _ if depth < 3 => StaticArgument::Dynamic(Box::new(site(choices, "I", depth + 1))),
            _ => StaticArgument::Int(0),
        })
        .collect();
    DynamicSite {
        bootstrap: handle(choices),
        name: choices.of(&["run", "Apply", "<init>"]).into(),
        descriptor: descriptor.into(),
        arguments,
    }
}

fn int(choices: &mut Choices<'_>) -> i32 {
    choices.of(&[0, 1, -1, 7, i32::MIN, i32::MAX])
}

fn float(choices: &mut Choices<'_>) -> u32 {
    let values = [0f32, -0.0, 1.5, -1e-40, 3.4e38, 1e16, f32::INFINITY];
    match choices.below(values.len() + 2) {
        7 => 0x7fc0_0000,
        8 => 0xffc0_1234,
        index => values[index].to_bits(),
    }
}

fn double(choices: &mut Choices<'_>) -> u64 {
    let values = [0f64, -0.0, 0.1, -1e300, 5e-324, 1e16, f64::NEG_INFINITY];
    match choices.below(values.len() + 1) {
        7 => 0x7ff8_0000_0000_0001,
        index => values[index].to_bits(),
    }
}

fn string(choices: &mut Choices<'_>) -> JavaString {
    match choices.below(5) {
        0 => JavaString::from("/ by zero"),
        1 => JavaString::from(""),
        2 => JavaString::from("say \"%@\"\\\n\u{0}. 'x' \u{1f600}"),
        3 => JavaString([0xd800, 0x41, 0xdc00].into()),
        _ => JavaString::from("(I)V"),
    }
}

/// A well-formed procedure.
pub(super) fn procedure(bytes: &[u8]) -> Procedure {
    let mut choices = Choices::new(bytes);
    let mut parameters = String::new();
    for _ in 0..choices.below(5) {
        let descriptors = ["I", "Ljava/lang/Object;", "J", "F", "D", "[I", "Z"];
        parameters.push_str(choices.of(&descriptors));
    }
    let result = choices.of(&["V", "I", "J", "Ljava/lang/String;", "D", "F"]);
    let procedure = Procedure {
        method: MethodRef {
            descriptor: format!("({parameters}){result}").into(),
            ..method(&mut choices)
        },
        is_static: choices.flag(),
        source_file: choices.flag().then(|| "A.java".into()),
        predicates: Vec::new(),
        tables: Tables::default(),
    };
    let mut generator = Generator { choices, procedure, results: Vec::new(), next_pc: 0 };
    generator.tables();
    generator.predicates();
    generator.procedure
}

struct Generator<'a> {
    choices: Choices<'a>,
    procedure: Procedure,
    /// For each predicate with an exit, the parameter for the call's result, if any.
    results: Vec<Option<usize>>,
    next_pc: u16,
}

/// A rule in the making, or a path of decisions to several.
#[derive(Clone)]
struct Path {
    guards: Vec<Guard>,
    body: Vec<Literal>,
    variables: Vec<Variable>,
    known: Vec<Facts>,
    /// The result of a call that threw.
    hidden: Option<usize>,
}

impl Generator<'_> {
    /// Entries that nothing mentions, or not in this order.
    fn tables(&mut self) {
        for _ in 0..self.choices.below(3) {
            let class = self.choices.of(&CLASSES);
            self.procedure.tables.class(class);
            self.procedure.tables.string(string(&mut self.choices));
            let handle = handle(&mut self.choices);
            self.procedure.tables.handles.add(handle);
        }
    }

    fn predicates(&mut self) {
        let n_predicates = 1 + self.choices.below(4);
        let receiver = (!self.procedure.is_static).then_some(Kind::Reference);
        let descriptor = self.procedure.method.descriptor.clone();
        let mut entry = Vec::new();
        for (index, kind) in
            receiver.into_iter().chain(Kind::of_parameters(&descriptor)).enumerate()
        {
            let known = if index == 0 && receiver.is_some() && self.choices.flag() {
                Facts::NON_NULL
            } else {
                Facts::NOTHING
            };
            let variable = self.variable(&entry, kind, known);
            entry.push(variable);
        }
        self.predicate("main".into(), PredicateKind::Entry, entry, None);
        for index in 1..n_predicates {
            let kind = self.choices.of(&[
                PredicateKind::Block,
                PredicateKind::Loop,
                PredicateKind::Catch,
                PredicateKind::Choice,
            ]);
            let mut parameters = Vec::new();
            for _ in 0..self.choices.below(5) {
                let kind = self.choices.of(&KINDS);
                let facts = self.facts(kind);
                parameters.push(self.variable(&parameters, kind, facts));
            }
            let mut result = None;
            if self.choices.flag() {
                parameters.push(self.variable(&parameters, Kind::Exit, Facts::NOTHING));
                if self.choices.flag() {
                    let kind = self.choices.of(&KINDS);
                    result = Some(parameters.len());
                    parameters.push(self.variable(&parameters, kind, Facts::NOTHING));
                }
            }
            self.predicate(format!("pred_{index}").into(), kind, parameters, result);
        }
        for index in 0..n_predicates {
            self.rules(index);
        }
    }

    fn predicate(
        &mut self,
        name: Box<str>,
        kind: PredicateKind,
        parameters: Vec<Variable>,
        result: Option<usize>,
    ) {
        self.procedure.predicates.push(Predicate {
            name,
            kind,
            pc: self.choices.byte().into(),
            parameters,
            rules: Vec::new(),
        });
        self.results.push(result);
    }

    fn facts(&mut self, kind: Kind) -> Facts {
        match (kind, self.choices.below(3)) {
            (Kind::Reference, 1) => Facts::NON_NULL,
            (Kind::Reference, 2) => {
                let class = self.choices.of(&ARRAYS);
                Facts::array(KnownArray {
                    class: self.procedure.tables.class(class),
                    length: self.choices.below(4) as i32,
                })
            }
            _ => Facts::NOTHING,
        }
    }

    fn variable(&mut self, others: &[Variable], kind: Kind, facts: Facts) -> Variable {
        let mut name = self.choices.of(&NAMES).to_string();
        while others.iter().any(|other| *other.name == name) {
            name.push('2');
        }
        Variable { name: name.into(), kind, non_null: facts.non_null, array: facts.array }
    }

    fn rules(&mut self, index: usize) {
        let parameters = self.procedure.predicates[index].parameters.clone();
        let path = Path {
            guards: Vec::new(),
            body: Vec::new(),
            known: parameters.iter().map(Facts::of).collect(),
            variables: parameters,
            hidden: None,
        };
        let mut paths = self.decide(index, path, 3);
        // So that all predicates are reachable.
        let mut next = index + 1;
        for path in paths.drain(..) {
            let must = (next < self.procedure.predicates.len()).then_some(next);
            next = usize::MAX;
            let rule = self.finish(index, path, must);
            self.procedure.predicates[index].rules.push(rule);
        }
    }
}

/// A dispatch with up to four cases.
pub(super) fn dispatch(bytes: &[u8]) -> Dispatch {
    let mut choices = Choices::new(bytes);
    let mut cases = Vec::new();
    for _ in 0..choices.below(5) {
        let mut classes = Vec::new();
        for _ in 0..choices.below(3) {
            classes.push(choices.of(&CLASSES).into());
        }
        cases.push((classes, method(&mut choices)));
    }
    Dispatch { method: method(&mut choices), cases }
}
