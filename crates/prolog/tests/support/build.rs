//! Builds procedures by hand, in the form that the translation gives them.

use petrel_clp::{
    ArithmeticKind, Call, Callee, ClassId, Comparison, ElementKind, End, FieldRef, Guard, Kind,
    Literal, Message, MethodRef, Operand, Operation, Predicate, PredicateId, PredicateKind,
    Procedure, Rule, Tables, VarId, Variable,
};

pub const INT: ArithmeticKind = ArithmeticKind::Int;

pub fn method(class: &str, name: &str, descriptor: &str) -> MethodRef {
    MethodRef {
        class: class.into(),
        name: name.into(),
        descriptor: descriptor.into(),
    }
}

/// A parameter: `X` is an int, `X:ref`, `X:nonnull`, `X:exit`, `X:long` and `X:double` are others.
fn variable(text: &str) -> Variable {
    let (name, kind) = text.split_once(':').unwrap_or((text, "int"));
    Variable {
        name: name.into(),
        kind: match kind {
            "ref" | "nonnull" => Kind::Reference,
            "exit" => Kind::Exit,
            "long" => Kind::Long,
            "double" => Kind::Double,
            _ => Kind::Int,
        },
        non_null: kind == "nonnull",
        array: None,
    }
}

pub struct Builder(Procedure);

impl Builder {
    pub fn new(method: MethodRef, is_static: bool) -> Builder {
        Builder(Procedure {
            method,
            is_static,
            source_file: None,
            predicates: Vec::new(),
            tables: Tables::default(),
        })
    }

    /// Declares a predicate; parameters are separated by spaces.
    pub fn predicate(&mut self, name: &str, kind: PredicateKind, parameters: &str) -> PredicateId {
        self.0.predicates.push(Predicate {
            name: name.into(),
            kind,
            pc: 0,
            parameters: parameters.split_whitespace().map(variable).collect(),
            rules: Vec::new(),
        });
        PredicateId::from(self.0.predicates.len() - 1)
    }

    pub fn rule(&mut self, predicate: PredicateId, write: impl FnOnce(&mut Body<'_>) -> End) {
        let predicate = &mut self.0.predicates[predicate.index()];
        let mut body = Body {
            tables: &mut self.0.tables,
            guards: Vec::new(),
            literals: Vec::new(),
            variables: predicate.parameters.clone(),
        };
        let end = write(&mut body);
        predicate.rules.push(Rule {
            guards: body.guards,
            body: body.literals,
            end,
            variables: body.variables,
            instructions: Vec::new(),
        });
    }

    /// A predicate that tells the exits of a call apart: its last parameter is the exit. After a
    /// normal one the rule is `returned`; an exception is thrown on.
    pub fn exit(
        &mut self,
        name: &str,
        parameters: &str,
        returned: impl FnOnce(&mut Body<'_>) -> End,
    ) -> PredicateId {
        let predicate = self.predicate(name, PredicateKind::Choice, parameters);
        self.exit_rules(predicate, returned);
        predicate
    }

    pub fn exit_rules(
        &mut self,
        predicate: PredicateId,
        returned: impl FnOnce(&mut Body<'_>) -> End,
    ) {
        let exit = VarId(self.0.predicates[predicate.index()].parameters.len() as u32 - 1);
        self.rule(predicate, |body| {
            body.guards.push(Guard::Returned(exit));
            returned(body)
        });
        self.rule(predicate, |body| {
            let exception = body.variable("Exception:nonnull");
            body.guards.push(Guard::Threw(exit, exception));
            End::Throw(Operand::Variable(exception))
        });
    }

    pub fn finish(self) -> Procedure {
        self.0
    }
}

/// The rule that is being written.
pub struct Body<'a> {
    tables: &'a mut Tables,
    pub guards: Vec<Guard>,
    pub literals: Vec<Literal>,
    variables: Vec<Variable>,
}

impl Body<'_> {
    /// A variable of the rule by its name.
    pub fn get(&self, name: &str) -> Operand {
        let found = self
            .variables
            .iter()
            .position(|variable| &*variable.name == name);
        Operand::Variable(VarId(found.expect("the rule has this variable") as u32))
    }

    pub fn all(&self, names: &str) -> Vec<Operand> {
        names
            .split_whitespace()
            .map(|name| self.get(name))
            .collect()
    }

    pub fn variable(&mut self, text: &str) -> VarId {
        self.variables.push(variable(text));
        VarId(self.variables.len() as u32 - 1)
    }

    pub fn class(&mut self, name: &str) -> ClassId {
        self.tables.class(name)
    }

    pub fn guard(&mut self, guard: Guard) {
        self.guards.push(guard);
    }

    pub fn when(&mut self, left: &str, comparison: Comparison, right: Operand) {
        let left = self.get(left);
        self.guards
            .push(Guard::compare_ints(comparison, left, right));
    }

    pub fn compute(&mut self, target: &str, operation: Operation, operands: &[Operand]) {
        let target = self.variable(target);
        self.literals.push(Literal::Compute {
            target,
            operation,
            operands: operands.to_vec(),
        });
    }

    fn field(&mut self, field: &str) -> petrel_clp::FieldId {
        let mut parts = field.split(' ').map(Box::from);
        let mut next = || parts.next().expect("class, name and descriptor");
        let field = FieldRef {
            class: next(),
            name: next(),
            descriptor: next(),
        };
        self.tables.fields.add(field).into()
    }

    pub fn get_field(&mut self, target: &str, object: &str, field: &str) {
        let (object, field, target) = (self.get(object), self.field(field), self.variable(target));
        self.literals.push(Literal::GetField {
            target,
            object,
            field,
        });
    }

    pub fn set_field(&mut self, object: &str, field: &str, value: Operand) {
        let (object, field) = (self.get(object), self.field(field));
        self.literals.push(Literal::SetField {
            object,
            field,
            value,
        });
    }

    pub fn get_static(&mut self, target: &str, field: &str) {
        let (field, target) = (self.field(field), self.variable(target));
        self.literals.push(Literal::GetStatic { target, field });
    }

    pub fn set_static(&mut self, field: &str, value: Operand) {
        let field = self.field(field);
        self.literals.push(Literal::SetStatic { field, value });
    }

    pub fn new_object(&mut self, target: &str, class: &str) {
        let (class, target) = (
            self.class(class),
            self.variable(&format!("{target}:nonnull")),
        );
        self.literals.push(Literal::NewObject { target, class });
    }

    pub fn new_array(&mut self, target: &str, class: &str, length: Operand) {
        let (class, target) = (
            self.class(class),
            self.variable(&format!("{target}:nonnull")),
        );
        self.literals.push(Literal::NewArray {
            target,
            class,
            length,
        });
    }

    pub fn get_array(&mut self, target: &str, array: &str, index: &str) {
        let (array, index) = (self.get(array), self.get(index));
        let target = self.variable(target);
        self.literals.push(Literal::GetArray {
            target,
            element: ElementKind::Int,
            array,
            index,
        });
    }

    pub fn set_array(&mut self, array: &str, index: &str, value: Operand) {
        let (array, index) = (self.get(array), self.get(index));
        self.literals.push(Literal::SetArray {
            element: ElementKind::Int,
            array,
            index,
            value,
        });
    }

    pub fn string(&mut self, target: &str, text: &str) {
        let string = self.tables.string(text.into());
        let target = self.variable(&format!("{target}:nonnull"));
        self.literals.push(Literal::LoadString { target, string });
    }

    /// Throws an exception that the JVM makes.
    pub fn throw(&mut self, class: &str, message: Message) -> End {
        let class = self.class(class);
        let target = self.variable("Thrown:nonnull");
        self.literals.push(Literal::NewThrowable {
            target,
            class,
            message,
        });
        End::Throw(Operand::Variable(target))
    }

    pub fn text(&mut self, text: &str) -> Message {
        Message::Text(self.tables.string(text.into()))
    }

    /// A call; the result, if any, goes to `result`. Gives the exit.
    pub fn call(
        &mut self,
        callee: fn(petrel_clp::MethodId) -> Callee,
        method: MethodRef,
        arguments: &[Operand],
        result: Option<&str>,
    ) -> Operand {
        let callee = callee(self.tables.methods.add(method).into());
        self.call_of(callee, arguments, result)
    }

    pub fn initialise(&mut self, class: &str) -> Operand {
        let class = self.class(class);
        self.call_of(Callee::Initialise(class), &[], None)
    }

    fn call_of(&mut self, callee: Callee, arguments: &[Operand], result: Option<&str>) -> Operand {
        let result = result.map(|result| self.variable(result));
        let exit = self.variable("Exit:exit");
        self.literals.push(Literal::Call(Call {
            callee,
            arguments: arguments.to_vec(),
            result,
            exit,
        }));
        Operand::Variable(exit)
    }

    /// Goes on in a predicate, with these variables.
    pub fn go(&self, target: PredicateId, names: &str) -> End {
        End::Continue(target, self.all(names))
    }
}
