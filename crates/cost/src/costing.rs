//! Models applied to the rules of a program.

#[cfg(test)]
mod tests;

use std::cell::RefCell;

use petrel_classfile::{Opcode, Operand, op};
use petrel_clp::{Literal, MethodRef, PredicateId, Procedure, Rule};
use petrel_program::Program;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::array::ArrayCost;
use crate::model::Model;
use crate::named::{self, Fit, NamedMethods};
use crate::{ModelError, Scope};

/// One number for each model, in their order.
pub type Costs = SmallVec<[i64; 4]>;

/// Models, and the program whose rules they are applied to.
///
/// Answers are functions of the program; what was computed once is kept.
pub struct Costing<'p> {
    program: &'p Program,
    models: Vec<Model>,
    scope: Scope,
    /// Internal name of the class whose method is the target.
    target_class: Box<str>,
    feature_version: u16,
    /// For each model, the names of its calls with their costs.
    named: Vec<Vec<(NamedMethods, i64)>>,
    known: RefCell<Known>,
}

/// What was computed before.
#[derive(Debug, Default)]
struct Known {
    in_scope: FxHashMap<Box<str>, bool>,
    /// Costs of new objects by class.
    objects: FxHashMap<Box<str>, Costs>,
    /// For each model, what it says about calls of a method by name.
    calls: FxHashMap<MethodRef, NamedCosts>,
    /// Offsets at which a method calls the constructor of `Object`.
    object_constructor_calls: FxHashMap<MethodRef, Box<[u16]>>,
}

type NamedCosts = SmallVec<[Option<i64>; 4]>;

impl<'p> Costing<'p> {
    /// The costs under these models of the rules in scope. The target's class has an internal name;
    /// the feature version is that of the JDK, whose releases lay out objects in different ways.
    pub fn new(
        program: &'p Program,
        models: Vec<Model>,
        scope: Scope,
        target_class: &str,
        feature_version: u16,
    ) -> Costing<'p> {
        let named = |model: &Model| {
            let names = model.calls.named.iter();
            names.map(|(name, cost)| (NamedMethods::new(program, name), *cost)).collect()
        };
        Costing {
            program,
            named: models.iter().map(named).collect(),
            models,
            scope,
            target_class: target_class.into(),
            feature_version,
            known: RefCell::default(),
        }
    }

    /// The models.
    pub fn models(&self) -> &[Model] {
        &self.models
    }

    /// Looks for names in the models that mean nothing in the program, such as misspelt ones.
    ///
    /// # Errors
    ///
    /// If there is one: a class that is not there, or a class without the method.
    pub fn check(&self) -> Result<(), ModelError> {
        for (model, named) in self.models.iter().zip(&self.named) {
            let missing = |text: &str, problem| ModelError::Missing {
                model: model.name().to_owned(),
                text: text.to_owned(),
                problem,
            };
            for class in model.allocations.class_names() {
                if named::classes_named(self.program, &class.replace('.', "/")).is_empty() {
                    return Err(missing(class, named::no_such_class(class)));
                }
            }
            for (methods, _) in named {
                if let Some(problem) = methods.problem(self.program) {
                    return Err(missing(methods.text(), problem));
                }
            }
        }
        Ok(())
    }

    /// Whether the rules of a class, by its internal name, have costs.
    ///
    /// Classes that were synthesised for dynamic call sites never have: the JVM runs other code there.
    pub fn is_in_scope(&self, class: &str) -> bool {
        if let Some(&known) = self.known.borrow().in_scope.get(class) {
            return known;
        }
        let is_wanted = match self.scope {
            Scope::Class => *class == *self.target_class,
            Scope::Project => self.program.is_project_class(class),
            Scope::All => true,
        };
        let is_synthesised = || self.program.class(class).is_ok_and(|class| class.is_synthesised());
        let in_scope = is_wanted && !is_synthesised();
        self.known.borrow_mut().in_scope.insert(class.into(), in_scope);
        in_scope
    }

    /// The constant part of what one application of a rule costs: its instructions and its new
    /// objects. New arrays ([`Costing::of_array`]) and calls ([`Costing::of_call`]) come on top.
    ///
    /// Rules of a predicate are numbered from 0.
    pub fn of_rule(&self, procedure: &Procedure, predicate: PredicateId, rule: usize) -> Costs {
        let mut costs = self.nothing();
        for (_, of_part) in self.of_rule_by_offset(procedure, predicate, rule) {
            add(&mut costs, &of_part);
        }
        costs
    }

    /// The same, by the offsets of the instructions that it is for.
    pub fn of_rule_by_offset(
        &self,
        procedure: &Procedure,
        predicate: PredicateId,
        rule: usize,
    ) -> Vec<(u16, Costs)> {
        let predicate = procedure.predicates.get(predicate.index());
        let Some(rule) = predicate.and_then(|predicate| predicate.rules.get(rule)) else {
            return Vec::new();
        };
        if !self.is_in_scope(&procedure.method.class) {
            return Vec::new();
        }
        let mut parts = Vec::new();
        for instruction in &rule.instructions {
            let mut costs = self.nothing();
            self.add_instruction(&mut costs, instruction.opcode);
            parts.push((instruction.pc, costs));
        }
        for placed in &rule.body {
            if let Literal::NewObject { class, .. } = &placed.literal {
                parts.push((placed.pc, self.of_object(procedure.tables.class_name(*class))));
            }
        }
        for pc in self.object_constructors(procedure, rule) {
            parts.push((pc, self.of_object_constructor()));
        }
        parts
    }

    /// How often a rule calls the constructor of `Object`: [`Costing::of_rule`] has what that costs,
    /// because the rule does not have the call. Where it costs nothing, it need not be counted.
    pub fn object_constructors_of_rule(
        &self,
        procedure: &Procedure,
        predicate: PredicateId,
        rule: usize,
    ) -> usize {
        let predicate = procedure.predicates.get(predicate.index());
        let rule = predicate.and_then(|predicate| predicate.rules.get(rule));
        let rule = rule.filter(|_| self.is_in_scope(&procedure.method.class));
        rule.map_or(0, |rule| self.object_constructors(procedure, rule).len())
    }

    /// What a new instance of a class costs that code of another class has made, both by their internal names.
    pub fn of_made(&self, maker: &str, class: &str) -> Costs {
        if self.is_in_scope(maker) { self.of_object(class) } else { self.nothing() }
    }

    /// What a call costs by itself, whatever the called method does then: for models that count
    /// calls. It is to be asked for every call with the method that was selected, be there rules for
    /// it or not. The call by the test, which has no caller, is free.
    ///
    /// Methods in scope count whoever calls them. A method outside of the scope counts where a model
    /// names it, if the caller is in scope.
    pub fn of_call(&self, caller: Option<&Procedure>, method: &MethodRef) -> Costs {
        let mut costs = self.nothing();
        let Some(caller) = caller else { return costs };
        let is_in_scope = self.is_in_scope(&method.class);
        if &*method.name == "<clinit>" || (!is_in_scope && !self.is_in_scope(&caller.method.class))
        {
            return costs;
        }
        self.add_call(&mut costs, method, is_in_scope);
        costs
    }

    /// What new arrays of a class, by its constant name such as `[I`, cost if rules of the procedure
    /// make them. Each array counts, also each of those inside an array of arrays.
    pub fn of_array(&self, procedure: &Procedure, class: &str) -> SmallVec<[Option<ArrayCost>; 4]> {
        let is_in_scope = self.is_in_scope(&procedure.method.class);
        let cost = |model: &Model| model.allocations.of_array(class).filter(|_| is_in_scope);
        self.models.iter().map(cost).collect()
    }

    fn nothing(&self) -> Costs {
        SmallVec::from_elem(0, self.models.len())
    }

    fn add_instruction(&self, costs: &mut Costs, opcode: Opcode) {
        for (cost, model) in costs.iter_mut().zip(&self.models) {
            *cost = cost.saturating_add(model.instructions.of(opcode));
        }
    }

    fn add_call(&self, costs: &mut Costs, method: &MethodRef, is_in_scope: bool) {
        let named = self.of_named(method);
        for ((cost, model), named) in costs.iter_mut().zip(&self.models).zip(named) {
            let default = if is_in_scope { model.calls.default } else { 0 };
            *cost = cost.saturating_add(named.unwrap_or(default));
        }
    }

    /// The constructor of `Object` does nothing, and rules leave its calls out. It is a call and an
    /// instruction nevertheless where it is in scope.
    fn of_object_constructor(&self) -> Costs {
        let constructor = object_constructor();
        let is_in_scope = self.is_in_scope(&constructor.class);
        let mut costs = self.nothing();
        self.add_call(&mut costs, &constructor, is_in_scope);
        if is_in_scope && let Some(opcode) = Opcode::from_byte(op::RETURN) {
            self.add_instruction(&mut costs, opcode);
        }
        costs
    }

    /// Where a rule calls the constructor of `Object`, if that can cost anything.
    fn object_constructors(&self, procedure: &Procedure, rule: &Rule) -> Vec<u16> {
        let is_named = self.named.iter().any(|named| !named.is_empty());
        if !is_named && !self.is_in_scope(&object_constructor().class) {
            return Vec::new();
        }
        let offsets = self.object_constructor_calls(&procedure.method);
        let all = rule.instructions.iter().map(|instruction| instruction.pc);
        all.filter(|pc| offsets.contains(pc)).collect()
    }

    fn object_constructor_calls(&self, method: &MethodRef) -> Box<[u16]> {
        if let Some(known) = self.known.borrow().object_constructor_calls.get(method) {
            return known.clone();
        }
        let offsets = find_object_constructor_calls(self.program, method).unwrap_or_default();
        self.known.borrow_mut().object_constructor_calls.insert(method.clone(), offsets.clone());
        offsets
    }

    /// Of a new instance. A class that cannot be loaded has none.
    fn of_object(&self, class: &str) -> Costs {
        if let Some(known) = self.known.borrow().objects.get(class) {
            return known.clone();
        }
        let costs: Costs = match self.program.class(class) {
            Ok(class) => {
                let models = self.models.iter();
                models
                    .map(|model| model.allocations.of_object(&class, self.feature_version))
                    .collect()
            }
            Err(_) => self.nothing(),
        };
        self.known.borrow_mut().objects.insert(class.into(), costs.clone());
        costs
    }

    /// For each model, what the best fitting of its names says about a method.
    fn of_named(&self, method: &MethodRef) -> NamedCosts {
        if let Some(known) = self.known.borrow().calls.get(method) {
            return known.clone();
        }
        let resolved = named::resolved(self.program, method);
        let cost = |named: &Vec<(NamedMethods, i64)>| {
            let resolved = resolved.as_ref()?;
            let fits = named.iter().filter_map(|(name, cost)| {
                let fit: Fit = name.fit(resolved)?;
                Some((fit, *cost))
            });
            fits.max_by_key(|(fit, _)| *fit).map(|(_, cost)| cost)
        };
        let costs: NamedCosts = self.named.iter().map(cost).collect();
        self.known.borrow_mut().calls.insert(method.clone(), costs.clone());
        costs
    }
}

/// The constructor of `Object`.
pub fn object_constructor() -> MethodRef {
    MethodRef { class: "java/lang/Object".into(), name: "<init>".into(), descriptor: "()V".into() }
}

fn add(costs: &mut Costs, more: &Costs) {
    for (cost, more) in costs.iter_mut().zip(more) {
        *cost = cost.saturating_add(*more);
    }
}

/// Offsets in a method's code at which it calls the constructor of `Object`.
fn find_object_constructor_calls(program: &Program, method: &MethodRef) -> Option<Box<[u16]>> {
    let method = named::resolved(program, method)?;
    let file = &method.class().file;
    let code = file.code(method.declaration()).ok()??;
    let is_call = |operand: &Operand| match operand {
        Operand::Constant(index) => file
            .constant_pool
            .method(*index)
            .is_ok_and(|callee| callee.class == "java/lang/Object" && callee.name == "<init>"),
        _ => false,
    };
    let calls = code.instructions.iter().filter(|instruction| {
        instruction.opcode.byte() == op::INVOKESPECIAL && is_call(&instruction.operand)
    });
    Some(calls.map(|instruction| instruction.pc).collect())
}
