//! The initial heap as data, when the unknowns have values.

use std::sync::Arc;

use petrel_classfile::JavaType;
use petrel_clp::MethodRef;
use petrel_heap::{InputElement, InputObject, Sort};
use petrel_program::LoadError;
use petrel_solver::{Expr, evaluate};
use petrel_translate::method_ref;
use petrel_value as data;
use rustc_hash::FxHashMap;

use super::fields::kind_of;
use crate::exploration::choose::expr_of;
use crate::exploration::made::{Argument, Outline, OutsideAnswer, primitive_datum};
use crate::machine::{Defect, Feature, Limit, Machine, Reason, Stop, TypeId};

/// Inputs as data.
#[derive(Debug, Clone, Default)]
pub struct InputHeap {
    /// The values, in the order in which they were asked for.
    pub values: Vec<data::Value>,
    /// What the world outside answers, in the order of the calls.
    pub answers: Vec<InputAnswer>,
    /// The objects that they refer to.
    pub heap: data::Heap,
}

/// What the world outside answers to a call.
#[derive(Debug, Clone, PartialEq)]
pub struct InputAnswer {
    /// The method that is called.
    pub method: MethodRef,
    /// The name of the setting that is asked for, if the method takes one.
    pub key: Option<String>,
    /// What it returns.
    pub value: data::Value,
    /// Who answers.
    pub origin: AnswerOrigin,
}

/// Who answers a call that leaves the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerOrigin {
    /// A method that the user declares to be unknown.
    Declared,
    /// The machine: nobody can set it.
    Machine,
}

/// Inputs that become data.
struct Building<'a> {
    heap: data::Heap,
    /// The objects by their numbers.
    places: FxHashMap<i64, data::Value>,
    /// What a term is.
    value: &'a dyn Fn(Expr) -> i64,
}

impl Machine<'_> {
    /// The initial heap, when the unknowns have these values.
    ///
    /// # Errors
    ///
    /// If an object cannot be made as it would have to be.
    pub fn input_heap(&mut self, assignment: &[i64]) -> Result<InputHeap, Reason> {
        let terms = self.solver.store.terms();
        let values = evaluate(terms, assignment, terms.len());
        let value = |expr: Expr| match expr {
            Expr::Constant(number) => number,
            Expr::Term(term) => values[term.index()],
        };
        let most = i64::from(self.exploration.unknown.units.most());
        if self.exploration.unknown.made.text_lengths().any(|of| value(of) > most) {
            return Err(Limit::StringUnits(most as u64).into());
        }
        let objects = self.exploration.unknown.solver.objects(&value);
        let (heap, places) = (data::Heap::new(), FxHashMap::default());
        let mut building = Building { heap, places, value: &value };
        for object in &objects {
            let outline = self.input_outline(object)?;
            let place = building.heap.add(outline);
            building.places.insert(object.number, place);
        }
        for object in &objects {
            self.fill(object, &mut building)?;
        }
        let inputs: Vec<(Expr, TypeId)> = self
            .exploration
            .inputs
            .all
            .iter()
            .map(|named| (expr_of(named.value, kind_of(named.of)), named.of))
            .collect();
        let mut made = Vec::new();
        for (expr, of) in inputs {
            made.push(self.datum(value(expr), of, &mut building)?);
        }
        let mut answers = Vec::new();
        for OutsideAnswer { method, value: given, of, origin, question } in
            self.exploration.unknown.made.answers.clone()
        {
            let number = value(expr_of(given, kind_of(of)));
            let method = method_ref(&self.methods.get(method).resolved);
            answers.push(InputAnswer {
                key: question.key(&method.descriptor).map(str::to_owned),
                method,
                value: self.datum(number, of, &mut building)?,
                origin,
            });
        }
        Ok(InputHeap { values: made, answers, heap: building.heap })
    }

    fn input_outline(&mut self, object: &InputObject) -> Result<data::Object, Reason> {
        let class = TypeId(object.class.0);
        let name = self.types.java_name(class);
        if self.exploration.unknown.classes.opaque.contains(&class) {
            let internal = Arc::clone(&self.types.get(class).name);
            return Err(match self.program.class(&internal) {
                Err(LoadError::NotFound { name, .. }) => {
                    Limit::MissingClass(name.replace('/', ".")).into()
                }
                _ => Feature::UnknownObject(name).into(),
            });
        }
        let Some((component, _)) = self.types.get(class).component else {
            let class = Arc::clone(&self.types.get(class).name);
            return Ok(data::Object::Instance { class, fields: Vec::new() });
        };
        let length = object.length.unwrap_or(0);
        let most = self.exploration.tree.as_ref().map_or(0, |tree| tree.max_array);
        if length > i64::from(most) {
            return Err(Limit::ArrayLength(most.into()).into());
        }
        let component = JavaType::parse(&self.types.descriptor(component));
        let component = component.map_err(|error| Reason::Broken(error.to_string()))?;
        Ok(data::Object::Array { component, elements: Vec::with_capacity(length as usize) })
    }

    fn fill(&mut self, object: &InputObject, building: &mut Building<'_>) -> Result<(), Reason> {
        let class = TypeId(object.class.0);
        let place = building.places.get(&object.number).copied().unwrap_or(data::Value::Null);
        if let Some((component, _)) = self.types.get(class).component {
            let length = object.length.unwrap_or(0);
            let group = if component.is_primitive() { component } else { TypeId::OBJECT };
            let mut made = Vec::new();
            for index in 0..length {
                let is_it =
                    |element: &&InputElement| element.index == index && element.elements == group.0;
                let known = object.elements.iter().find(is_it);
                let number = known.map_or_else(|| self.unread(component), |known| known.value);
                made.push(self.datum(number, component, building)?);
            }
            if let Some(data::Object::Array { elements, .. }) = building.heap.get_mut(place) {
                *elements = made;
            }
            return Ok(());
        }
        let outlines = self.field_outlines(class).map_err(|Stop(reason)| reason)?;
        let mut made = Vec::with_capacity(outlines.len());
        for field in outlines.iter() {
            let known = object.fields.iter().find(|&&(known, _)| known == field.number);
            let content = known.map_or_else(|| self.unread(field.of), |&(_, content)| content);
            made.push(data::FieldValue {
                class: Arc::clone(&field.class),
                name: Arc::clone(&field.name),
                value: self.datum(content, field.of, building)?,
            });
        }
        if let Some(data::Object::Instance { fields, .. }) = building.heap.get_mut(place) {
            *fields = made;
        }
        Ok(())
    }

    /// What a field or element holds that no path has looked at.
    fn unread(&self, of: TypeId) -> i64 {
        match self.sort(of) {
            Sort::Number { low, high, .. } => 0.clamp(low, high),
            Sort::Reference(_) => 0,
        }
    }

    fn datum(
        &mut self,
        number: i64,
        of: TypeId,
        building: &mut Building<'_>,
    ) -> Result<data::Value, Reason> {
        if of.is_primitive() {
            return Ok(primitive_datum(of, number));
        }
        if number == 0 {
            return Ok(data::Value::Null);
        }
        if let Some(&place) = building.places.get(&number) {
            return Ok(place);
        }
        let known = crate::machine::Reference(number.unsigned_abs() as u32);
        if let Some(outline) = self.made_outline(known, building.value) {
            return self.made_datum(number, outline, building);
        }
        // It exists once.
        let object = match self.as_shared(known).cloned() {
            Some(shared) => data::Object::Shared(shared),
            None => crate::machine::enum_constant(self, known)
                .ok_or(Reason::Defect(Defect::InputRefersToNewObject))?,
        };
        let place = building.heap.add(object);
        building.places.insert(number, place);
        Ok(place)
    }

    /// A made object, with the arguments of the calls that make it.
    fn made_datum(
        &mut self,
        number: i64,
        outline: Outline,
        building: &mut Building<'_>,
    ) -> Result<data::Value, Reason> {
        let place = building.heap.add(outline.object);
        building.places.insert(number, place);
        let mut passed = Vec::with_capacity(outline.arguments.len());
        for of_call in outline.arguments {
            let mut values = Vec::with_capacity(of_call.len());
            for argument in of_call {
                values.push(match argument {
                    Argument::Term(expr, of) => {
                        let number = (building.value)(expr);
                        self.datum(number, of, building)?
                    }
                    Argument::Any(object) => building.heap.add(object),
                });
            }
            passed.push(values);
        }
        if let Some(data::Object::Built { class, by, calls }) = building.heap.get_mut(place) {
            let is_stub = petrel_translate::stub::stubbed(class).is_some();
            for (call, arguments) in std::iter::once(by).chain(calls).zip(passed) {
                call.arguments = arguments;
            }
            if is_stub {
                box_answers(&mut building.heap, place);
            }
        }
        Ok(place)
    }
}

/// A stub takes its answers as objects.
fn box_answers(heap: &mut data::Heap, stub: data::Value) {
    let answers: Vec<data::Value> = match heap.get(stub) {
        Some(data::Object::Built { calls, .. }) => {
            calls.iter().filter_map(|call| call.arguments.first().copied()).collect()
        }
        _ => return,
    };
    let boxed: Vec<data::Value> = answers
        .into_iter()
        .map(|answer| match answer.box_class() {
            Some(_) => heap.add(data::Object::Boxed(answer)),
            None => answer,
        })
        .collect();
    if let Some(data::Object::Built { calls, .. }) = heap.get_mut(stub) {
        for (call, answer) in calls.iter_mut().zip(boxed) {
            call.arguments = vec![answer];
        }
    }
}
