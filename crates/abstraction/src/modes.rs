//! Which variables an abstraction keeps ("A Framework for Guided Test Case Generation in Constraint Logic
//! Programming", section 6.1; "Resource-driven CLP-based Test Case Generation", section 4.1).
//!
//! A variable is *dynamic* if nothing can be inferred about it: an element of an array, what code outside
//! of the program returns, a floating-point number, and everything that is computed from such. The others
//! are *static*: they are known, or the guards constrain them. A guard on static variables is kept, and
//! with it the variables that it depends on, through arithmetic, fields, calls and results. What no kept
//! guard depends on is left out, static or not: it would tell traces apart that are the same.
//!
//! Array sizes are kept if memory is to be observed in the abstraction (000, Def. 8).

use petrel_clp::{End, FieldRef, Guard, Kind, Literal, Operand, Rule, VarId};
use rustc_hash::FxHashMap;

use crate::program::{AbstractProgram, RuleName, Target};

/// How much an abstraction keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// The control flow alone: trace abstraction as in Def. 6 (001) and Def. 7 (000).
    Naive,
    /// Static variables with their guards and arithmetic.
    Enhanced {
        /// Whether the sizes of new arrays are kept, too.
        observes_sizes: bool,
    },
}

/// What an abstraction keeps.
#[derive(Debug)]
pub struct Modes {
    pub(crate) precision: Precision,
    places: Places,
    kept: Vec<bool>,
    /// Numbers of kept instance fields.
    pub(crate) fields: FxHashMap<FieldRef, u32>,
    dynamic: Vec<bool>,
    /// What guards depend on that are left out, and code outside of the program.
    entangled: Vec<bool>,
}

/// Numbers for everything that can be static or dynamic: variables of rules, fields, results.
#[derive(Debug, Default)]
struct Places {
    /// For each procedure, predicate and rule, the number of its first variable that is no parameter.
    rules: FxHashMap<RuleName, usize>,
    /// For each procedure and predicate, the number of its first parameter, and how many there are.
    parameters: FxHashMap<(u32, u32), (usize, usize)>,
    results: Vec<usize>,
    fields: FxHashMap<FieldRef, usize>,
    count: usize,
}

impl Places {
    fn variable(&self, rule: RuleName, variable: VarId) -> usize {
        let (first, count) = self.parameters[&(rule.procedure, rule.predicate)];
        let number = variable.0 as usize;
        if number < count { first + number } else { self.rules[&rule] + number - count }
    }
}

/// What depends on what.
#[derive(Default)]
struct Dependencies {
    /// From a place to those that it is computed from.
    sources: Vec<Vec<usize>>,
    /// Places about which nothing can be inferred.
    dynamic: Vec<usize>,
    /// Places whose values go where they are not followed: into arrays, static fields, other code.
    escaping: Vec<usize>,
    /// Places that are wanted where another one is: objects whose fields are written.
    beside: Vec<Vec<usize>>,
}

impl Modes {
    /// What to keep of a program.
    pub fn of(program: &AbstractProgram<'_>, precision: Precision) -> Modes {
        let places = number(program);
        let mut modes = Modes {
            precision,
            kept: vec![false; places.count],
            dynamic: vec![true; places.count],
            entangled: vec![true; places.count],
            fields: FxHashMap::default(),
            places,
        };
        let Precision::Enhanced { observes_sizes } = precision else { return modes };
        let dependencies = modes.dependencies(program);
        modes.dynamic = spread(&dependencies.dynamic, &inverse(&dependencies.sources));
        let mut wanted = Vec::new();
        for name in program.rules() {
            let rule = program.rule(name);
            for guard in &rule.guards {
                if modes.is_static_guard(name, guard) {
                    wanted.extend(operands(guard).map(|of| modes.places.variable(name, of)));
                }
            }
            // Which method is called, the class of the receiver decides.
            let receiver = rule.call().filter(|_| program.is_choice(name));
            let receiver = receiver.and_then(|call| call.arguments.first().copied());
            wanted.extend(receiver.and_then(variable).map(|of| modes.places.variable(name, of)));
            if observes_sizes {
                let sizes = petrel_clp::trace_parameters(&rule.body);
                wanted.extend(sizes.into_iter().map(|of| modes.places.variable(name, of)));
            }
        }
        let mut left_out = dependencies.escaping;
        for name in program.rules() {
            for guard in &program.rule(name).guards {
                if !modes.is_static_guard(name, guard) {
                    left_out.extend(operands(guard).map(|of| modes.places.variable(name, of)));
                }
            }
        }
        modes.entangled = spread(&left_out, &dependencies.sources);
        let mut towards = dependencies.sources;
        for (sources, beside) in towards.iter_mut().zip(dependencies.beside) {
            sources.extend(beside);
        }
        modes.kept = spread(&wanted, &towards);
        let mut fields: Vec<&FieldRef> = modes.places.fields.keys().collect();
        fields.sort_unstable();
        let kept: Vec<FieldRef> =
            fields.into_iter().filter(|of| modes.kept[modes.places.fields[*of]]).cloned().collect();
        modes.fields = kept.into_iter().zip(0..).collect();
        modes
    }

    /// Whether a variable of a rule is kept.
    pub fn keeps(&self, rule: RuleName, variable: VarId) -> bool {
        self.kept[self.places.variable(rule, variable)]
    }

    /// Whether a parameter of a predicate is kept.
    pub fn keeps_parameter(&self, procedure: u32, predicate: u32, parameter: usize) -> bool {
        let (first, count) = self.places.parameters[&(procedure, predicate)];
        parameter < count && self.kept[first + parameter]
    }

    /// Whether nothing that is left out depends on a variable of a rule.
    pub(crate) fn is_exact(&self, rule: RuleName, variable: VarId) -> bool {
        !self.entangled[self.places.variable(rule, variable)]
    }

    /// Whether nothing that is left out depends on a field.
    pub(crate) fn is_field_exact(&self, field: &FieldRef) -> bool {
        self.places.fields.get(field).is_some_and(|&place| !self.entangled[place])
    }

    /// Whether the result of a procedure is kept.
    pub(crate) fn keeps_result(&self, procedure: u32) -> bool {
        self.kept[self.places.results[procedure as usize]]
    }

    /// Whether a guard is kept.
    pub fn keeps_guard(&self, rule: RuleName, guard: &Guard) -> bool {
        match (self.precision, guard) {
            (Precision::Naive, _) => false,
            (_, Guard::Returned(_) | Guard::Threw(..)) => true,
            _ => self.is_static_guard(rule, guard),
        }
    }

    /// Whether a literal is kept.
    pub fn keeps_literal(
        &self,
        rule: RuleName,
        tables: &petrel_clp::Tables,
        literal: &Literal,
    ) -> bool {
        match literal {
            Literal::Call(_) => true,
            Literal::SetField { field, .. } => {
                tables.field(*field).is_some_and(|field| self.fields.contains_key(field))
            }
            other => other.defines().is_some_and(|variable| self.keeps(rule, variable)),
        }
    }

    fn is_static_guard(&self, rule: RuleName, guard: &Guard) -> bool {
        let is_float = matches!(guard, Guard::Compare { kind, .. }
            if !matches!(kind, petrel_clp::ArithmeticKind::Int | petrel_clp::ArithmeticKind::Long));
        let is_exit = matches!(guard, Guard::Returned(_) | Guard::Threw(..));
        let is_static = |of: VarId| !self.dynamic[self.places.variable(rule, of)];
        !is_float && !is_exit && operands(guard).all(is_static)
    }

    fn dependencies(&self, program: &AbstractProgram<'_>) -> Dependencies {
        let mut found = Dependencies {
            sources: vec![Vec::new(); self.places.count],
            dynamic: Vec::new(),
            escaping: Vec::new(),
            beside: vec![Vec::new(); self.places.count],
        };
        for name in program.rules() {
            self.of_rule(program, name, &mut found);
        }
        found
    }

    fn of_rule(&self, program: &AbstractProgram<'_>, name: RuleName, found: &mut Dependencies) {
        let rule = program.rule(name);
        let tables = &program.procedure(name.procedure).tables;
        let place = |variable: VarId| self.places.variable(name, variable);
        let places = |operands: &[Operand]| -> Vec<usize> {
            operands.iter().filter_map(|of| variable(*of)).map(place).collect()
        };
        for literal in rule.literals() {
            let target = literal.defines().map(place);
            match literal {
                Literal::Compute { target, operands, .. } => {
                    found.sources[place(*target)].extend(places(operands));
                    if is_real(kind_of(rule, *target)) {
                        found.dynamic.push(place(*target));
                    }
                }
                Literal::ArrayLength { target, array } => {
                    found.sources[place(*target)].extend(places(&[*array]));
                }
                Literal::GetField { target, object, field } => {
                    let of_object = places(&[*object]);
                    match tables.field(*field).and_then(|of| self.places.fields.get(of)) {
                        Some(&field) => found.sources[place(*target)].push(field),
                        None => found.dynamic.push(place(*target)),
                    }
                    found.sources[place(*target)].extend(of_object);
                }
                Literal::SetField { object, field, value } => {
                    let field = tables.field(*field).and_then(|of| self.places.fields.get(of));
                    if let Some(&field) = field {
                        found.sources[field].extend(places(&[*value]));
                        found.beside[field].extend(places(&[*object]));
                    }
                }
                Literal::InstanceOf { target, object, .. } => {
                    found.sources[place(*target)].extend(places(&[*object]));
                }
                Literal::NewArray { target, length, .. } => {
                    // The array is known even if its size is not.
                    found.beside[place(*target)].extend(places(&[*length]));
                }
                Literal::NewObject { .. } => {}
                // What is known of an element says something about its index.
                Literal::SetArray { value, index, .. } => {
                    found.escaping.extend(places(&[*value, *index]));
                }
                Literal::SetStatic { value, .. } => found.escaping.extend(places(&[*value])),
                Literal::GetArray { target, index, .. } => {
                    found.dynamic.push(place(*target));
                    found.escaping.extend(places(&[*index]));
                }
                Literal::Call(call) => self.of_call(program, name, call, found),
                _ => found.dynamic.extend(target),
            }
        }
        match &rule.end {
            End::Continue(next, arguments) => {
                let next = (name.procedure, next.0);
                let (first, count) = self.places.parameters[&next];
                for (position, argument) in arguments.iter().enumerate().take(count) {
                    found.sources[first + position].extend(places(&[*argument]));
                }
            }
            End::Return(Some(value)) => {
                let result = self.places.results[name.procedure as usize];
                found.sources[result].extend(places(&[*value]));
            }
            End::Return(None) | End::Throw(_) => {}
        }
        // Exceptions that a rule catches: nothing is known about them.
        for guard in &rule.guards {
            found.dynamic.extend(guard.defines().map(place));
        }
    }

    fn of_call(
        &self,
        program: &AbstractProgram<'_>,
        name: RuleName,
        call: &petrel_clp::Call,
        found: &mut Dependencies,
    ) {
        let place = |variable: VarId| self.places.variable(name, variable);
        let arguments = call.arguments.iter().filter_map(|of| variable(*of)).map(place);
        let Target::Inside { cases, otherwise } = program.target(name) else {
            found.dynamic.extend(call.result.map(place));
            found.escaping.extend(arguments);
            return;
        };
        if otherwise.is_some() {
            found.dynamic.extend(call.result.map(place));
            found.escaping.extend(arguments);
        }
        for case in cases.iter() {
            let (first, count) = self.places.parameters[&(case.procedure, 0)];
            for (position, argument) in call.arguments.iter().enumerate().take(count) {
                let source = variable(*argument).map(place);
                found.sources[first + position].extend(source);
            }
            if let Some(result) = call.result {
                found.sources[place(result)].push(self.places.results[case.procedure as usize]);
            }
        }
    }
}

/// The variables that a guard is about.
pub(crate) fn operands(guard: &Guard) -> impl Iterator<Item = VarId> {
    let (first, second) = match guard {
        Guard::Compare { left, right, .. } => (Some(*left), Some(*right)),
        Guard::OneOf(value, _) | Guard::NoneOf(value, _) => (Some(*value), None),
        Guard::IsNull(value) | Guard::NonNull(value) => (Some(*value), None),
        Guard::Same(left, right) | Guard::Different(left, right) => (Some(*left), Some(*right)),
        Guard::InBounds { array, index } | Guard::OutOfBounds { array, index } => {
            (Some(*array), Some(*index))
        }
        Guard::Instance(value, _)
        | Guard::NotInstance(value, _)
        | Guard::Castable(value, _)
        | Guard::NotCastable(value, _) => (Some(*value), None),
        Guard::Storable { array, value } | Guard::NotStorable { array, value } => {
            (Some(*array), Some(*value))
        }
        Guard::Returned(_) | Guard::Threw(..) => (None, None),
    };
    first.into_iter().chain(second).filter_map(variable)
}

pub(crate) fn variable(operand: Operand) -> Option<VarId> {
    match operand {
        Operand::Variable(variable) => Some(variable),
        _ => None,
    }
}

fn kind_of(rule: &Rule, variable: VarId) -> Kind {
    rule.variables.get(variable.0 as usize).map_or(Kind::Reference, |known| known.kind)
}

fn is_real(kind: Kind) -> bool {
    matches!(kind, Kind::Float | Kind::Double)
}

fn number(program: &AbstractProgram<'_>) -> Places {
    let mut places = Places::default();
    for (known, procedure) in program.procedures.iter().zip(0..) {
        places.results.push(places.count);
        places.count += 1;
        let definition = &known.procedure;
        for (of, predicate) in definition.predicates.iter().zip(0..) {
            let parameters = of.parameters.len();
            places.parameters.insert((procedure, predicate), (places.count, parameters));
            places.count += parameters;
            for (rule, number) in of.rules.iter().zip(0..) {
                let name = RuleName { procedure, predicate, rule: number };
                places.rules.insert(name, places.count);
                places.count += rule.variables.len().saturating_sub(parameters);
            }
        }
        for field in definition.tables.fields.entries() {
            // The fields of other classes may change without being seen.
            if program.program.is_project_class(&field.class) && !places.fields.contains_key(field)
            {
                places.fields.insert(field.clone(), places.count);
                places.count += 1;
            }
        }
    }
    places
}

fn inverse(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut inverse = vec![Vec::new(); edges.len()];
    for (from, targets) in edges.iter().enumerate() {
        targets.iter().for_each(|&to| inverse[to].push(from));
    }
    inverse
}

/// Everything that the edges lead to from some places.
fn spread(from: &[usize], edges: &[Vec<usize>]) -> Vec<bool> {
    let mut reached = vec![false; edges.len()];
    let mut open = from.to_vec();
    while let Some(place) = open.pop() {
        if !std::mem::replace(&mut reached[place], true) {
            open.extend(&edges[place]);
        }
    }
    reached
}
