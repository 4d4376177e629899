//! One rule: guards, literals, end.

use super::{Verifier, exits};
use crate::facts::Facts;
use crate::is_variable_name;
use crate::literal::{Call, Callee, ElementKind, Guard, Literal, Message};
use crate::rule::{
    ClassId, DynamicId, End, FieldId, HandleId, MethodId, Predicate, PredicateId, Rule, StringId,
};
use crate::term::{ArithmeticKind, Comparison, Kind, Operand, Operation, VarId};

impl<'a> Verifier<'a> {
    pub(super) fn rule(&mut self, id: PredicateId, predicate: &'a Predicate, rule: &'a Rule) {
        let n_parameters = predicate.parameters.len();
        if rule.variables.get(..n_parameters) != Some(&predicate.parameters) {
            self.problem("its variables do not start with the predicate's parameters");
        }
        self.variables(n_parameters, rule);
        self.instructions(rule);
        for guard in &rule.guards {
            self.guard(rule, guard);
        }
        for (index, literal) in rule.body.iter().enumerate() {
            self.literal(rule, literal);
            if matches!(literal, Literal::Call(_)) && index + 1 < rule.body.len() {
                self.problem("a call is not the last literal");
            }
        }
        self.end(rule);
        if self.n_bound < rule.variables.len() {
            self.problem("it has variables that nothing binds");
        }
        self.exit_parameter(id, predicate, rule);
    }

    fn variables(&mut self, n_parameters: usize, rule: &'a Rule) {
        self.names.clear();
        self.known.clear();
        self.used.clear();
        self.used.resize(rule.variables.len(), false);
        self.n_bound = n_parameters.min(rule.variables.len());
        for (index, variable) in rule.variables.iter().enumerate() {
            if !self.names.insert(&variable.name) {
                self.problem(format!("two variables are called {}", variable.name));
            }
            if !is_variable_name(&variable.name) {
                self.problem(format!("{:?} is no name of a variable", variable.name));
            }
            if index < self.n_bound {
                self.known.push(Facts::of(variable));
            } else {
                self.known.push(Facts::NOTHING);
                self.claims(variable);
            }
        }
    }

    fn instructions(&mut self, rule: &Rule) {
        self.pcs.clear();
        self.pcs
            .extend(rule.instructions.iter().map(|instruction| instruction.pc));
        self.pcs.sort_unstable();
        if let Some(pair) = self.pcs.windows(2).find(|pair| pair[0] == pair[1]) {
            let message = format!("the instruction at {} occurs twice", pair[0]);
            self.problem(message);
        }
    }

    /// A predicate that a call's exit is passed to has to look at it. Notes what its rules use if
    /// the call threw.
    fn exit_parameter(&mut self, id: PredicateId, predicate: &Predicate, rule: &Rule) {
        let Some(exit) = exits(predicate).next() else {
            return;
        };
        let exit = VarId(exit as u32);
        let threw = rule.guards.iter().find_map(|guard| match guard {
            Guard::Returned(tested) if *tested == exit => Some(false),
            Guard::Threw(tested, _) if *tested == exit => Some(true),
            _ => None,
        });
        match threw {
            None => self.problem("it does not tell how the call ended"),
            Some(false) => {}
            Some(true) => {
                let index = self.rule.unwrap_or_default();
                let used = self.used.iter().take(predicate.parameters.len());
                let used = used.enumerate().filter(|(_, used)| **used);
                self.used_after_throw
                    .extend(used.map(|(parameter, _)| (id, parameter, index)));
            }
        }
    }

    // Variables and operands.

    fn bind(&mut self, rule: &Rule, variable: VarId, kind: Kind, certain: Facts) {
        let index = variable.0 as usize;
        let Some(declaration) = rule.variables.get(index) else {
            self.problem(format!("there is no variable {index}"));
            return;
        };
        if index != self.n_bound {
            self.problem(format!("{} is not bound in its turn", declaration.name));
        }
        self.n_bound = self.n_bound.max(index + 1);
        if declaration.kind != kind {
            self.problem(format!(
                "{} is of kind {:?}, and bound to {kind:?}",
                declaration.name, declaration.kind
            ));
        }
        let claimed = Facts::of(declaration);
        if !covers(certain, claimed) {
            self.problem(format!("{} claims more than is certain", declaration.name));
        }
        if let Some(known) = self.known.get_mut(index) {
            *known = certain;
        }
    }

    /// The kind of an operand. `None` is for variables that there are not, which are reported.
    fn kind(&mut self, rule: &Rule, operand: Operand) -> Option<Kind> {
        Some(match operand {
            Operand::Variable(variable) => {
                let index = variable.0 as usize;
                match rule.variables.get(index) {
                    Some(declaration) if index < self.n_bound => {
                        if let Some(used) = self.used.get_mut(index) {
                            *used = true;
                        }
                        declaration.kind
                    }
                    Some(declaration) => {
                        self.problem(format!("{} is used before it is bound", declaration.name));
                        return None;
                    }
                    None => {
                        self.problem(format!("there is no variable {index}"));
                        return None;
                    }
                }
            }
            Operand::Int(_) => Kind::Int,
            Operand::Long(_) => Kind::Long,
            Operand::Float(_) => Kind::Float,
            Operand::Double(_) => Kind::Double,
            Operand::Null => Kind::Reference,
        })
    }

    fn expect(&mut self, rule: &Rule, operand: Operand, expected: Kind) {
        if let Some(kind) = self.kind(rule, operand)
            && kind != expected
        {
            let name = name(rule, operand);
            self.problem(format!(
                "{name} is of kind {kind:?} where {expected:?} is needed"
            ));
        }
    }

    fn facts(&self, operand: Operand) -> Facts {
        match operand {
            Operand::Variable(variable) => self
                .known
                .get(variable.0 as usize)
                .copied()
                .unwrap_or(Facts::NOTHING),
            _ => Facts::NOTHING,
        }
    }

    fn learn_non_null(&mut self, operand: Operand) {
        if let Operand::Variable(variable) = operand
            && let Some(known) = self.known.get_mut(variable.0 as usize)
        {
            known.non_null = true;
        }
    }

    /// A reference that is dereferenced.
    fn expect_non_null(&mut self, rule: &Rule, operand: Operand) {
        self.expect(rule, operand, Kind::Reference);
        if !self.facts(operand).non_null {
            let name = name(rule, operand);
            self.problem(format!("{name} may be null"));
        }
    }

    // Ids.

    /// Whether there is such a class.
    pub(super) fn class(&mut self, class: ClassId) -> bool {
        let len = self.procedure.tables.classes.entries().len();
        self.index("class", class.index(), len)
    }

    fn index(&mut self, what: &str, index: usize, len: usize) -> bool {
        if index >= len {
            self.problem(format!("there is no {what} {index}"));
        }
        index < len
    }

    fn field(&mut self, field: FieldId) -> bool {
        let len = self.procedure.tables.fields.entries().len();
        self.index("field", field.index(), len)
    }

    fn method(&mut self, method: MethodId) -> bool {
        let len = self.procedure.tables.methods.entries().len();
        self.index("method", method.index(), len)
    }

    fn string(&mut self, string: StringId) {
        let len = self.procedure.tables.strings.entries().len();
        self.index("string", string.index(), len);
    }

    fn handle(&mut self, handle: HandleId) {
        let len = self.procedure.tables.handles.entries().len();
        self.index("method handle", handle.index(), len);
    }

    fn dynamic_site(&mut self, site: DynamicId) -> bool {
        let len = self.procedure.tables.dynamics.entries().len();
        self.index("dynamic site", site.index(), len)
    }

    /// A class with at least this many dimensions; exactly none if zero.
    fn class_with_dimensions(&mut self, class: ClassId, needed: usize) {
        if !self.class(class) {
            return;
        }
        let name = self.procedure.tables.class_name(class);
        let dimensions = name.len() - name.trim_start_matches('[').len();
        if dimensions < needed || (needed == 0 && dimensions > 0) {
            self.problem(format!("{name} does not have {needed} dimensions"));
        }
    }

    // Guards.

    fn guard(&mut self, rule: &Rule, guard: &Guard) {
        match guard {
            Guard::Compare {
                kind,
                left,
                right,
                nan,
                ..
            } => {
                self.expect(rule, *left, (*kind).into());
                self.expect(rule, *right, (*kind).into());
                if *nan && matches!(kind, ArithmeticKind::Int | ArithmeticKind::Long) {
                    self.problem("a guard for integers speaks of NaN");
                }
            }
            Guard::OneOf(operand, values) | Guard::NoneOf(operand, values) => {
                self.expect(rule, *operand, Kind::Int);
                if !values.is_sorted_by(|one, other| one < other) {
                    self.problem("the values of a switch are not in ascending order");
                }
                if values.is_empty() && matches!(guard, Guard::OneOf(..)) {
                    self.problem("a case of a switch has no values");
                }
            }
            Guard::IsNull(operand) => self.expect(rule, *operand, Kind::Reference),
            Guard::NonNull(operand) => {
                self.expect(rule, *operand, Kind::Reference);
                self.learn_non_null(*operand);
            }
            Guard::Same(left, right) | Guard::Different(left, right) => {
                self.expect(rule, *left, Kind::Reference);
                self.expect(rule, *right, Kind::Reference);
                match (guard, left, right) {
                    (Guard::Different(..), Operand::Null, other)
                    | (Guard::Different(..), other, Operand::Null) => self.learn_non_null(*other),
                    _ => {}
                }
            }
            Guard::InBounds { array, index } | Guard::OutOfBounds { array, index } => {
                self.expect_non_null(rule, *array);
                self.expect(rule, *index, Kind::Int);
            }
            Guard::Storable { array, value } | Guard::NotStorable { array, value } => {
                self.expect_non_null(rule, *array);
                self.expect(rule, *value, Kind::Reference);
                // Every array of references can hold null.
                if matches!(guard, Guard::NotStorable { .. }) {
                    self.learn_non_null(*value);
                }
            }
            Guard::Instance(operand, class) | Guard::NotCastable(operand, class) => {
                self.expect(rule, *operand, Kind::Reference);
                self.class(*class);
                self.learn_non_null(*operand);
            }
            Guard::NotInstance(operand, class) | Guard::Castable(operand, class) => {
                self.expect(rule, *operand, Kind::Reference);
                self.class(*class);
            }
            Guard::Returned(exit) => self.expect(rule, Operand::Variable(*exit), Kind::Exit),
            Guard::Threw(exit, exception) => {
                self.expect(rule, Operand::Variable(*exit), Kind::Exit);
                self.bind(rule, *exception, Kind::Reference, Facts::NON_NULL);
            }
        }
    }

    // Literals.

    fn literal(&mut self, rule: &Rule, literal: &Literal) {
        let certain = Facts::of_binder(literal);
        match literal {
            Literal::Compute {
                target,
                operation,
                operands,
            } => self.compute(rule, *target, *operation, operands),
            Literal::NewObject { target, class } => {
                self.class_with_dimensions(*class, 0);
                self.bind(rule, *target, Kind::Reference, certain);
            }
            Literal::NewArray {
                target,
                class,
                length,
            } => {
                self.class_with_dimensions(*class, 1);
                self.length(rule, *length);
                self.bind(rule, *target, Kind::Reference, certain);
            }
            Literal::NewMultiArray {
                target,
                class,
                lengths,
            } => {
                self.class_with_dimensions(*class, lengths.len().max(1));
                if lengths.is_empty() {
                    self.problem("an array of arrays has no length");
                }
                for length in lengths {
                    self.length(rule, *length);
                }
                self.bind(rule, *target, Kind::Reference, certain);
            }
            Literal::ArrayLength { target, array } => {
                self.expect_non_null(rule, *array);
                self.bind(rule, *target, Kind::Int, certain);
            }
            Literal::GetField {
                target,
                object,
                field,
            } => {
                self.expect_non_null(rule, *object);
                if self.field(*field) {
                    let kind = self.procedure.tables.field_kind(*field);
                    self.bind(rule, *target, kind, certain);
                }
            }
            Literal::SetField {
                object,
                field,
                value,
            } => {
                self.expect_non_null(rule, *object);
                if self.field(*field) {
                    self.expect(rule, *value, self.procedure.tables.field_kind(*field));
                }
            }
            Literal::GetStatic { target, field } => {
                if self.field(*field) {
                    let kind = self.procedure.tables.field_kind(*field);
                    self.bind(rule, *target, kind, certain);
                }
            }
            Literal::SetStatic { field, value } => {
                if self.field(*field) {
                    self.expect(rule, *value, self.procedure.tables.field_kind(*field));
                }
            }
            Literal::GetArray {
                target,
                element,
                array,
                index,
            } => {
                self.element(rule, *element, *array, *index);
                self.bind(rule, *target, element.kind(), certain);
            }
            Literal::SetArray {
                element,
                array,
                index,
                value,
            } => {
                self.element(rule, *element, *array, *index);
                self.expect(rule, *value, element.kind());
                if *element == ElementKind::Reference {
                    self.store(rule, *array, *value);
                }
            }
            Literal::InstanceOf {
                target,
                object,
                class,
            } => {
                self.expect(rule, *object, Kind::Reference);
                self.class(*class);
                self.bind(rule, *target, Kind::Int, certain);
            }
            Literal::LoadString { target, string }
            | Literal::LoadMethodType {
                target,
                descriptor: string,
            } => {
                self.string(*string);
                self.bind(rule, *target, Kind::Reference, certain);
            }
            Literal::LoadClass { target, class } => {
                self.class(*class);
                self.bind(rule, *target, Kind::Reference, certain);
            }
            Literal::LoadMethodHandle { target, handle } => {
                self.handle(*handle);
                self.bind(rule, *target, Kind::Reference, certain);
            }
            Literal::NewThrowable {
                target,
                class,
                message,
            } => {
                self.class_with_dimensions(*class, 0);
                self.message(rule, message);
                self.bind(rule, *target, Kind::Reference, certain);
            }
            Literal::Call(call) => self.call(rule, call),
        }
    }

    fn compute(&mut self, rule: &Rule, target: VarId, operation: Operation, operands: &[Operand]) {
        use ArithmeticKind::{Double, Float, Int, Long};
        let (kinds, result) = operation.signature();
        if kinds.len() != operands.len() {
            self.problem(format!("{operation:?} has {} operands", operands.len()));
        }
        for (operand, kind) in operands.iter().zip(kinds) {
            self.expect(rule, *operand, kind);
        }
        let is_wrong = match operation {
            Operation::ShiftLeft(kind)
            | Operation::ShiftRight(kind)
            | Operation::ShiftRightUnsigned(kind)
            | Operation::And(kind)
            | Operation::Or(kind)
            | Operation::ExclusiveOr(kind) => matches!(kind, Float | Double),
            Operation::Compare(kind, nan) => match kind {
                Int => true,
                Long => nan != 0,
                Float | Double => !matches!(nan, -1 | 1),
            },
            _ => false,
        };
        if is_wrong {
            self.problem(format!("there is no {operation:?}"));
        }
        if let (
            Operation::Divide(kind @ (Int | Long)) | Operation::Remainder(kind @ (Int | Long)),
            [_, divisor],
        ) = (operation, operands)
            && !is_non_zero(rule, kind, *divisor)
        {
            let name = name(rule, *divisor);
            self.problem(format!("the divisor {name} may be zero"));
        }
        self.bind(rule, target, result, Facts::NOTHING);
    }

    fn length(&mut self, rule: &Rule, length: Operand) {
        self.expect(rule, length, Kind::Int);
        let at_least_zero =
            Guard::compare_ints(Comparison::GreaterOrEqual, length, Operand::Int(0));
        let is_certain = match length {
            Operand::Int(length) => length >= 0,
            _ => rule.guards.contains(&at_least_zero),
        };
        if !is_certain {
            let name = name(rule, length);
            self.problem(format!("the length {name} may be negative"));
        }
    }

    /// Access to an array element.
    fn element(&mut self, rule: &Rule, element: ElementKind, array: Operand, index: Operand) {
        self.expect_non_null(rule, array);
        self.expect(rule, index, Kind::Int);
        let known = self.facts(array).array;
        let by_facts = match (known, index) {
            (Some(known), Operand::Int(index)) => (0..known.length).contains(&index),
            _ => false,
        };
        let is_within = by_facts || rule.guards.contains(&Guard::InBounds { array, index });
        if !is_within {
            let (array, index) = (name(rule, array), name(rule, index));
            self.problem(format!("{index} may be out of the bounds of {array}"));
        }
        if let Some(known) = known
            && !has_elements(self.procedure.tables.class_name(known.class), element)
        {
            let array = name(rule, array);
            self.problem(format!(
                "the elements of {array} are not of kind {element:?}"
            ));
        }
    }

    fn store(&mut self, rule: &Rule, array: Operand, value: Operand) {
        let takes_all = self.facts(array).array.is_some_and(|known| {
            self.procedure.tables.class_name(known.class) == "[Ljava/lang/Object;"
        });
        let is_storable = takes_all
            || value == Operand::Null
            || rule.guards.iter().any(|guard| match guard {
                Guard::Storable { .. } => *guard == Guard::Storable { array, value },
                Guard::IsNull(null) => *null == value,
                _ => false,
            });
        if !is_storable {
            let (array, value) = (name(rule, array), name(rule, value));
            self.problem(format!("{array} may not be able to hold {value}"));
        }
    }

    fn message(&mut self, rule: &Rule, message: &Message) {
        match message {
            Message::None | Message::Null { .. } => {}
            Message::Text(text) => self.string(*text),
            Message::Bounds { array, index } => {
                self.expect_non_null(rule, *array);
                self.expect(rule, *index, Kind::Int);
            }
            Message::Size(size) => self.expect(rule, *size, Kind::Int),
            Message::Cast { object, class } => {
                self.expect_non_null(rule, *object);
                self.class(*class);
            }
            Message::Store { value } => self.expect_non_null(rule, *value),
        }
    }

    // Calls and ends.

    fn call(&mut self, rule: &Rule, call: &Call) {
        let exists = match call.callee {
            Callee::Static(method)
            | Callee::Special(method)
            | Callee::Virtual(method)
            | Callee::Interface(method)
            | Callee::Polymorphic(method) => self.method(method),
            Callee::Dynamic(site) | Callee::DynamicConstant(site) => self.dynamic_site(site),
            Callee::Initialise(class) => self.class(class),
        };
        if exists {
            self.inputs(rule, call);
            match (call.result, self.procedure.tables.result_kind(call.callee)) {
                (Some(result), Some(kind)) => self.bind(rule, result, kind, Facts::NOTHING),
                (Some(_), None) => self.problem("a call that has no result binds one"),
                (None, _) => {}
            }
        }
        self.bind(rule, call.exit, Kind::Exit, Facts::NOTHING);
        if !matches!(rule.end, End::Continue(..)) {
            self.problem("it ends with a call whose exit nothing tells");
        }
    }

    fn inputs(&mut self, rule: &Rule, call: &Call) {
        let has_receiver = matches!(
            call.callee,
            Callee::Special(_) | Callee::Virtual(_) | Callee::Interface(_) | Callee::Polymorphic(_)
        );
        let mut arguments = call.arguments.iter();
        if has_receiver && let Some(receiver) = arguments.next() {
            self.expect_non_null(rule, *receiver);
        }
        let procedure = self.procedure;
        let descriptor = match call.callee {
            Callee::DynamicConstant(_) => None,
            callee => procedure.tables.callee_descriptor(callee),
        };
        let mut n_expected = usize::from(has_receiver);
        for kind in Kind::of_parameters(descriptor.unwrap_or_default()) {
            n_expected += 1;
            if let Some(argument) = arguments.next() {
                self.expect(rule, *argument, kind);
            }
        }
        if call.arguments.len() != n_expected {
            self.problem(format!(
                "a call has {} inputs where {n_expected} are needed",
                call.arguments.len()
            ));
        }
    }

    fn end(&mut self, rule: &Rule) {
        match &rule.end {
            End::Return(result) => match (result, self.procedure.result_kind()) {
                (Some(result), Some(kind)) => self.expect(rule, *result, kind),
                (None, None) => {}
                (Some(_), None) => self.problem("a void method returns a value"),
                (None, Some(_)) => self.problem("the method returns no value"),
            },
            End::Throw(exception) => self.expect_non_null(rule, *exception),
            End::Continue(target, arguments) => self.continuation(rule, *target, arguments),
        }
    }

    fn continuation(&mut self, rule: &Rule, id: PredicateId, arguments: &[Operand]) {
        let Some(target) = self.procedure.predicates.get(id.index()) else {
            self.problem(format!("there is no predicate {}", id.0));
            return;
        };
        if arguments.len() != target.parameters.len() {
            self.problem(format!(
                "{} has {} parameters and gets {} arguments",
                target.name,
                target.parameters.len(),
                arguments.len()
            ));
        }
        let call = rule.call();
        let own_exit = call.map(|call| Operand::Variable(call.exit));
        let result = call.and_then(|call| call.result).map(Operand::Variable);
        let mut n_exits = 0;
        for (index, (argument, parameter)) in arguments.iter().zip(&target.parameters).enumerate() {
            self.expect(rule, *argument, parameter.kind);
            if !covers(self.facts(*argument), Facts::of(parameter)) {
                let name = name(rule, *argument);
                self.problem(format!(
                    "{name} is not known to be what {} of {} claims",
                    parameter.name, target.name
                ));
            }
            if parameter.kind == Kind::Exit {
                n_exits += 1;
                if Some(*argument) != own_exit {
                    self.problem("it passes on an exit that is not that of its call");
                }
            }
            if Some(*argument) == result {
                self.results_passed.push((id, index));
            }
        }
        if call.is_some() && n_exits != 1 {
            self.problem("it does not pass on the exit of its call");
        }
    }
}

/// Whether what is certain covers what is claimed.
fn covers(certain: Facts, claimed: Facts) -> bool {
    (certain.non_null || !claimed.non_null)
        && (claimed.array.is_none() || certain.array == claimed.array)
}

fn is_non_zero(rule: &Rule, kind: ArithmeticKind, divisor: Operand) -> bool {
    let zero = match divisor {
        Operand::Int(value) => return value != 0,
        Operand::Long(value) => return value != 0,
        _ if kind == ArithmeticKind::Long => Operand::Long(0),
        _ => Operand::Int(0),
    };
    rule.guards.contains(&Guard::Compare {
        kind,
        comparison: Comparison::NotEqual,
        left: divisor,
        right: zero,
        nan: false,
    })
}

/// Whether the elements of an array class are of this kind.
fn has_elements(class: &str, element: ElementKind) -> bool {
    match class.as_bytes().get(1) {
        Some(b'I') => element == ElementKind::Int,
        Some(b'J') => element == ElementKind::Long,
        Some(b'F') => element == ElementKind::Float,
        Some(b'D') => element == ElementKind::Double,
        Some(b'B' | b'Z') => element == ElementKind::ByteOrBoolean,
        Some(b'C') => element == ElementKind::Char,
        Some(b'S') => element == ElementKind::Short,
        Some(b'L' | b'[') => element == ElementKind::Reference,
        _ => false,
    }
}

/// How a message calls an operand.
fn name(rule: &Rule, operand: Operand) -> String {
    match operand {
        Operand::Variable(variable) => match rule.variables.get(variable.0 as usize) {
            Some(declaration) => declaration.name.to_string(),
            None => format!("variable {}", variable.0),
        },
        Operand::Int(value) => value.to_string(),
        Operand::Long(value) => value.to_string(),
        Operand::Float(bits) => f32::from_bits(bits).to_string(),
        Operand::Double(bits) => f64::from_bits(bits).to_string(),
        Operand::Null => "null".to_string(),
    }
}
