//! Random well-formed procedures.
//!
//! A procedure is made from a string of bytes, each of which decides something. When they run out,
//! every further decision is for the first alternative, which is always the one that ends things.
//! So shorter strings give smaller procedures, and proptest's shrinking of the bytes works.

use petrel_classfile::{JavaString, Opcode, ReferenceKind};

use crate::facts::Facts;
use crate::*;

pub(super) struct Choices<'a> {
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> Choices<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Choices<'a> {
        Choices {
            bytes: bytes.iter(),
        }
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

const KINDS: [Kind; 5] = [
    Kind::Int,
    Kind::Reference,
    Kind::Long,
    Kind::Float,
    Kind::Double,
];
const ARITHMETIC: [ArithmeticKind; 4] = [
    ArithmeticKind::Int,
    ArithmeticKind::Long,
    ArithmeticKind::Float,
    ArithmeticKind::Double,
];
const CLASSES: [&str; 6] = [
    "A",
    "java/lang/Object",
    "p/q/B$C",
    "java/lang/ArithmeticException",
    "it's",
    "null",
];
const ARRAYS: [&str; 6] = [
    "[I",
    "[Ljava/lang/Object;",
    "[[J",
    "[Z",
    "[D",
    "[Ljava/lang/String;",
];
/// Some of them are what the text itself calls things.
const NAMES: [&str; 14] = [
    "X", "H", "E", "T", "R", "H1", "T1", "This", "E1", "_Z", "Été", "A_1", "O", "H_",
];
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
    MethodRef {
        class: class.into(),
        name: name.into(),
        descriptor: descriptor.into(),
    }
}

fn field(choices: &mut Choices<'_>) -> FieldRef {
    let (class, name, descriptor) = choices.of(&FIELDS);
    FieldRef {
        class: class.into(),
        name: name.into(),
        descriptor: descriptor.into(),
    }
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
    let mut generator = Generator {
        choices,
        procedure,
        results: Vec::new(),
    };
    generator.tables();
    generator.predicates();
    generator.procedure
}

struct Generator<'a> {
    choices: Choices<'a>,
    procedure: Procedure,
    /// For each predicate with an exit, the parameter for the call's result, if any.
    results: Vec<Option<usize>>,
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
        for (index, kind) in receiver
            .into_iter()
            .chain(Kind::of_parameters(&descriptor))
            .enumerate()
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
        Variable {
            name: name.into(),
            kind,
            non_null: facts.non_null,
            array: facts.array,
        }
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
            let rule = self.finish(path, must);
            self.procedure.predicates[index].rules.push(rule);
        }
    }

    /// Splits a path by questions.
    fn decide(&mut self, predicate: usize, path: Path, depth: usize) -> Vec<Path> {
        let untested_exit = path.variables.iter().position(|v| v.kind == Kind::Exit);
        let tested = |guard: &Guard| matches!(guard, Guard::Returned(_) | Guard::Threw(..));
        if let Some(exit) = untested_exit
            && !path.guards.iter().any(tested)
        {
            let exit = VarId(exit as u32);
            let mut returned = path.clone();
            returned.guards.push(Guard::Returned(exit));
            let mut threw = path;
            threw.hidden = self.results[predicate];
            let exception = VarId(threw.variables.len() as u32);
            let claimed = self.weaker(Facts::NON_NULL);
            let variable = self.variable(&threw.variables, Kind::Reference, claimed);
            threw.variables.push(variable);
            threw.known.push(Facts::NON_NULL);
            threw.guards.push(Guard::Threw(exit, exception));
            let mut paths = self.decide(predicate, returned, depth);
            paths.extend(self.decide(predicate, threw, depth));
            return paths;
        }
        if depth == 0 || !self.choices.flag() {
            return vec![path];
        }
        let answers = self.question(&path);
        if answers.is_empty() {
            return vec![path];
        }
        let mut paths = Vec::new();
        for answer in answers {
            let mut path = path.clone();
            if let Guard::NonNull(Operand::Variable(v)) | Guard::Instance(Operand::Variable(v), _) =
                answer
            {
                path.known[v.0 as usize].non_null = true;
            }
            path.guards.push(answer);
            paths.extend(self.decide(predicate, path, depth - 1));
        }
        paths
    }

    /// The answers to a question that the path has not asked yet.
    fn question(&mut self, path: &Path) -> Vec<Guard> {
        let guard = match self.choices.below(8) {
            0 => {
                let kind = self.choices.of(&ARITHMETIC);
                let comparison = self.choices.of(&Comparison::ALL);
                let float = matches!(kind, ArithmeticKind::Float | ArithmeticKind::Double);
                let Some(left) = self.usable(path, kind.into(), false) else {
                    return Vec::new();
                };
                Guard::Compare {
                    kind,
                    comparison,
                    left,
                    right: self.operand(path, kind.into()),
                    nan: float && self.choices.flag(),
                }
            }
            1 => return self.switch(path),
            2 => match self.usable(path, Kind::Reference, false) {
                Some(operand) => Guard::IsNull(operand),
                None => return Vec::new(),
            },
            3 => Guard::Same(
                self.operand(path, Kind::Reference),
                self.operand(path, Kind::Reference),
            ),
            4 => match self.usable(path, Kind::Reference, true) {
                Some(array) => Guard::InBounds {
                    array,
                    index: self.operand(path, Kind::Int),
                },
                None => return Vec::new(),
            },
            5 => match self.usable(path, Kind::Reference, true) {
                Some(array) => Guard::NotStorable {
                    array,
                    value: self.operand(path, Kind::Reference),
                },
                None => return Vec::new(),
            },
            kind => {
                let class = self.choices.of(&CLASSES);
                let class = self.procedure.tables.class(class);
                match self.usable(path, Kind::Reference, false) {
                    Some(operand) if kind == 6 => Guard::Castable(operand, class),
                    Some(operand) => Guard::NotInstance(operand, class),
                    None => return Vec::new(),
                }
            }
        };
        let other = guard.negated().unwrap();
        if path.guards.contains(&guard) || path.guards.contains(&other) {
            return Vec::new();
        }
        if self.choices.flag() {
            vec![guard, other]
        } else {
            vec![other, guard]
        }
    }

    fn switch(&mut self, path: &Path) -> Vec<Guard> {
        let operand = self.operand(path, Kind::Int);
        let asked = |guard: &Guard| match guard {
            Guard::OneOf(other, _) | Guard::NoneOf(other, _) => *other == operand,
            _ => false,
        };
        if path.guards.iter().any(asked) {
            return Vec::new();
        }
        let mut answers = Vec::new();
        let mut all = Vec::new();
        for case in 0..self.choices.below(4) as i32 {
            let values = if self.choices.flag() {
                vec![case - 1]
            } else {
                vec![case - 1, case + 100]
            };
            all.extend(&values);
            answers.push(Guard::OneOf(operand, values));
        }
        all.sort_unstable();
        answers.push(Guard::NoneOf(operand, all));
        answers
    }

    /// A variable of this kind.
    fn usable(&mut self, path: &Path, kind: Kind, non_null: bool) -> Option<Operand> {
        let candidates: Vec<usize> = (0..path.variables.len())
            .filter(|&index| path.variables[index].kind == kind && path.hidden != Some(index))
            .filter(|&index| path.known[index].non_null || !non_null)
            .collect();
        if candidates.is_empty() {
            return None;
        }
        let index = self.choices.of(&candidates);
        Some(Operand::Variable(VarId(index as u32)))
    }

    /// A variable or constant of this kind.
    fn operand(&mut self, path: &Path, kind: Kind) -> Operand {
        if self.choices.flag()
            && let Some(operand) = self.usable(path, kind, false)
        {
            return operand;
        }
        match kind {
            Kind::Int | Kind::Exit => Operand::Int(int(&mut self.choices)),
            Kind::Long => Operand::Long(self.choices.of(&[0, 1, -1, i64::MIN, i64::MAX])),
            Kind::Float => Operand::Float(float(&mut self.choices)),
            Kind::Double => Operand::Double(double(&mut self.choices)),
            Kind::Reference => Operand::Null,
        }
    }

    /// What a variable claims may be less than what is certain.
    fn weaker(&mut self, certain: Facts) -> Facts {
        match self.choices.below(4) {
            1 => Facts::NOTHING,
            2 if certain.non_null => Facts::NON_NULL,
            _ => certain,
        }
    }

    fn bind(&mut self, path: &mut Path, kind: Kind, certain: Facts) -> VarId {
        let claimed = self.weaker(certain);
        let variable = self.variable(&path.variables, kind, claimed);
        path.variables.push(variable);
        path.known.push(certain);
        VarId(path.variables.len() as u32 - 1)
    }

    /// Adds a literal that binds a variable.
    fn push(&mut self, path: &mut Path, kind: Kind, mut literal: Literal) -> Operand {
        let target = self.bind(path, kind, Facts::of_binder(&literal));
        *substitute::target_mut(&mut literal).unwrap() = target;
        path.body.push(literal);
        Operand::Variable(target)
    }

    fn class(&mut self) -> ClassId {
        let class = self.choices.of(&CLASSES);
        self.procedure.tables.class(class)
    }

    fn array_class(&mut self) -> ClassId {
        let class = self.choices.of(&ARRAYS);
        self.procedure.tables.class(class)
    }

    fn object(&mut self, path: &mut Path) -> Operand {
        match self.usable(path, Kind::Reference, true) {
            Some(operand) => operand,
            None => {
                let class = self.class();
                let target = VarId(0);
                self.push(path, Kind::Reference, Literal::NewObject { target, class })
            }
        }
    }

    fn literal(&mut self, path: &mut Path) {
        let target = VarId(0);
        match self.choices.below(14) {
            0 => self.compute(path),
            1 => {
                let class = self.class();
                self.push(path, Kind::Reference, Literal::NewObject { target, class });
            }
            2 => {
                let guarded = path.guards.iter().find_map(|guard| match guard {
                    Guard::Compare {
                        kind: ArithmeticKind::Int,
                        comparison: Comparison::GreaterOrEqual,
                        left,
                        right: Operand::Int(0),
                        ..
                    } => Some(*left),
                    _ => None,
                });
                let length = guarded.unwrap_or(Operand::Int(self.choices.below(3) as i32));
                let class = self.array_class();
                let literal = Literal::NewArray {
                    target,
                    class,
                    length,
                };
                self.push(path, Kind::Reference, literal);
            }
            3 => {
                let class = self.procedure.tables.class("[[[I");
                let lengths = vec![Operand::Int(2); 1 + self.choices.below(3)];
                let literal = Literal::NewMultiArray {
                    target,
                    class,
                    lengths,
                };
                self.push(path, Kind::Reference, literal);
            }
            4 => {
                let array = self.object(path);
                self.push(path, Kind::Int, Literal::ArrayLength { target, array });
            }
            5 => self.field_access(path),
            6 => self.array_access(path),
            7 => {
                let (object, class) = (self.operand(path, Kind::Reference), self.class());
                let literal = Literal::InstanceOf {
                    target,
                    object,
                    class,
                };
                self.push(path, Kind::Int, literal);
            }
            8 => {
                let string = self.procedure.tables.string(string(&mut self.choices));
                self.push(
                    path,
                    Kind::Reference,
                    Literal::LoadString { target, string },
                );
            }
            9 => {
                let class = self.class();
                self.push(path, Kind::Reference, Literal::LoadClass { target, class });
            }
            10 => {
                let handle = handle(&mut self.choices);
                let handle = self.procedure.tables.handles.add(handle).into();
                let literal = Literal::LoadMethodHandle { target, handle };
                self.push(path, Kind::Reference, literal);
            }
            11 => {
                let descriptor = self.procedure.tables.string("(I)V".into());
                let literal = Literal::LoadMethodType { target, descriptor };
                self.push(path, Kind::Reference, literal);
            }
            _ => {
                let message = self.message(path);
                let class = self.class();
                let literal = Literal::NewThrowable {
                    target,
                    class,
                    message,
                };
                self.push(path, Kind::Reference, literal);
            }
        }
    }

    fn compute(&mut self, path: &mut Path) {
        use Operation::*;
        let kind = self.choices.of(&ARITHMETIC);
        let integer = self.choices.of(&ARITHMETIC[..2]);
        let operation = match self.choices.below(14) {
            0 => Add(kind),
            1 => Subtract(kind),
            2 => Multiply(kind),
            3 => Divide(kind),
            4 => Remainder(kind),
            5 => Negate(kind),
            6 => ShiftLeft(integer),
            7 => ShiftRight(integer),
            8 => ShiftRightUnsigned(integer),
            9 => And(integer),
            10 => Or(integer),
            11 => ExclusiveOr(integer),
            12 => {
                let ((kind, nan), _) = self.choices.of(&notation::COMPARES);
                Compare(kind, nan)
            }
            _ => Convert(self.choices.of(&Conversion::ALL).0),
        };
        let (kinds, result) = operation.signature();
        let mut operands: Vec<Operand> = Vec::new();
        for kind in kinds {
            operands.push(self.operand(path, kind));
        }
        if let Divide(kind) | Remainder(kind) = operation {
            let guarded = path.guards.iter().find_map(|guard| match guard {
                Guard::Compare {
                    kind: compared,
                    comparison: Comparison::NotEqual,
                    left,
                    right: Operand::Int(0) | Operand::Long(0),
                    ..
                } if *compared == kind => Some(*left),
                _ => None,
            });
            match kind {
                ArithmeticKind::Int => operands[1] = guarded.unwrap_or(Operand::Int(-3)),
                ArithmeticKind::Long => operands[1] = guarded.unwrap_or(Operand::Long(-3)),
                _ => {}
            }
        }
        let literal = Literal::Compute {
            target: VarId(0),
            operation,
            operands,
        };
        self.push(path, result, literal);
    }

    fn field_access(&mut self, path: &mut Path) {
        let target = VarId(0);
        let field = field(&mut self.choices);
        let kind = Kind::of_descriptor(&field.descriptor);
        let field = self.procedure.tables.fields.add(field).into();
        match self.choices.below(4) {
            0 => {
                let object = self.object(path);
                let literal = Literal::GetField {
                    target,
                    object,
                    field,
                };
                self.push(path, kind, literal);
            }
            1 => {
                self.push(path, kind, Literal::GetStatic { target, field });
            }
            2 => {
                let object = self.object(path);
                let value = self.operand(path, kind);
                path.body.push(Literal::SetField {
                    object,
                    field,
                    value,
                });
            }
            _ => {
                let value = self.operand(path, kind);
                path.body.push(Literal::SetStatic { field, value });
            }
        }
    }

    fn array_access(&mut self, path: &mut Path) {
        let known = path.known.iter().enumerate().find_map(|(index, facts)| {
            let array = facts.array.filter(|array| array.length > 0)?;
            Some((Operand::Variable(VarId(index as u32)), array))
        });
        let guarded = path.guards.iter().find_map(|guard| match guard {
            Guard::InBounds {
                array: array @ Operand::Variable(v),
                index,
            } if path.known[v.0 as usize].array.is_none() => Some((*array, *index)),
            _ => None,
        });
        let (array, index, element) = match (known, guarded) {
            (Some((array, known)), _) => {
                let element = match self.procedure.tables.class_name(known.class) {
                    "[I" => ElementKind::Int,
                    "[Z" => ElementKind::ByteOrBoolean,
                    "[D" => ElementKind::Double,
                    _ => ElementKind::Reference,
                };
                (array, Operand::Int(known.length - 1), element)
            }
            (None, Some((array, index))) => (array, index, self.choices.of(&ElementKind::ALL).0),
            (None, None) => return,
        };
        if self.choices.flag() {
            let value = match element {
                ElementKind::Reference => Operand::Null,
                _ => self.operand(path, element.kind()),
            };
            path.body.push(Literal::SetArray {
                element,
                array,
                index,
                value,
            });
        } else {
            let literal = Literal::GetArray {
                target: VarId(0),
                element,
                array,
                index,
            };
            self.push(path, element.kind(), literal);
        }
    }

    fn message(&mut self, path: &mut Path) -> Message {
        match self.choices.below(7) {
            0 => Message::None,
            1 => Message::Text(self.procedure.tables.string(string(&mut self.choices))),
            2 => Message::Bounds {
                array: self.object(path),
                index: self.operand(path, Kind::Int),
            },
            3 => Message::Size(self.operand(path, Kind::Int)),
            4 => Message::Cast {
                object: self.object(path),
                class: self.class(),
            },
            5 => Message::Store {
                value: self.object(path),
            },
            _ => Message::Null {
                pc: self.choices.byte().into(),
            },
        }
    }

    fn finish(&mut self, mut path: Path, must: Option<usize>) -> Rule {
        for _ in 0..self.choices.below(5) {
            self.literal(&mut path);
        }
        let end = match (must, self.choices.below(3)) {
            (Some(target), _) => self.go_on(&mut path, target),
            (None, 1) => End::Throw(self.object(&mut path)),
            (None, 2) => {
                let target = self.choices.below(self.procedure.predicates.len());
                self.go_on(&mut path, target)
            }
            _ => {
                let kind = self.procedure.result_kind();
                End::Return(kind.map(|kind| self.operand(&path, kind)))
            }
        };
        let mut instructions = Vec::new();
        for index in 0..self.choices.below(30) as u16 {
            instructions.push(InstructionRef {
                pc: 1000 - 3 * index,
                opcode: Opcode::from_byte((self.choices.byte()) % 100).unwrap(),
                line: self.choices.of(&[7, 8, 0, 65535]),
            });
        }
        Rule {
            guards: path.guards,
            body: path.body,
            end,
            variables: path.variables,
            instructions,
        }
    }

    fn go_on(&mut self, path: &mut Path, target: usize) -> End {
        let parameters = self.procedure.predicates[target].parameters.clone();
        let mut arguments = Vec::new();
        for parameter in &parameters {
            arguments.push(self.argument(path, parameter));
        }
        if let Some(exit) = parameters.iter().position(|p| p.kind == Kind::Exit) {
            let (result, exit_variable) = self.call(path);
            arguments[exit] = Operand::Variable(exit_variable);
            if let (Some(position), Some(result)) = (self.results[target], result)
                && path.variables[result.0 as usize].kind == parameters[position].kind
            {
                arguments[position] = Operand::Variable(result);
            }
        }
        End::Continue(target.into(), arguments)
    }

    fn argument(&mut self, path: &mut Path, parameter: &Variable) -> Operand {
        let target = VarId(0);
        match parameter.array {
            Some(array) => {
                let known = path
                    .known
                    .iter()
                    .position(|known| known.array == Some(array));
                match known {
                    Some(index) => Operand::Variable(VarId(index as u32)),
                    None => {
                        let literal = Literal::NewArray {
                            target,
                            class: array.class,
                            length: Operand::Int(array.length),
                        };
                        self.push(path, Kind::Reference, literal)
                    }
                }
            }
            None if parameter.non_null => self.object(path),
            None => self.operand(path, parameter.kind),
        }
    }

    fn call(&mut self, path: &mut Path) -> (Option<VarId>, VarId) {
        let (callee, descriptor, has_receiver) = self.callee();
        let mut arguments = Vec::new();
        if has_receiver {
            arguments.push(self.object(path));
        }
        for kind in Kind::of_parameters(&descriptor) {
            arguments.push(self.operand(path, kind));
        }
        let result = match self.procedure.tables.result_kind(callee) {
            Some(kind) if self.choices.flag() => Some(self.bind(path, kind, Facts::NOTHING)),
            _ => None,
        };
        let exit = self.bind(path, Kind::Exit, Facts::NOTHING);
        path.body.push(Literal::Call(Call {
            callee,
            arguments,
            result,
            exit,
        }));
        (result, exit)
    }

    fn callee(&mut self) -> (Callee, String, bool) {
        let method = method(&mut self.choices);
        let descriptor = method.descriptor.to_string();
        let tables = &mut self.procedure.tables;
        let mut method = || tables.methods.add(method.clone()).into();
        match self.choices.below(8) {
            0 => (Callee::Static(method()), descriptor, false),
            1 => (Callee::Special(method()), descriptor, true),
            2 => (Callee::Virtual(method()), descriptor, true),
            3 => (Callee::Interface(method()), descriptor, true),
            4 => (Callee::Polymorphic(method()), descriptor, true),
            5 => {
                let site = site(&mut self.choices, &descriptor, 0);
                let site = self.procedure.tables.dynamics.add(site).into();
                (Callee::Dynamic(site), descriptor, false)
            }
            6 => {
                let site = site(&mut self.choices, "Ljava/lang/Object;", 0);
                let site = self.procedure.tables.dynamics.add(site).into();
                (Callee::DynamicConstant(site), String::new(), false)
            }
            _ => (Callee::Initialise(self.class()), String::new(), false),
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
    Dispatch {
        method: method(&mut choices),
        cases,
    }
}
