//! The initial heap as data, when the unknowns have values.

use std::sync::Arc;

use petrel_classfile::JavaType;
use petrel_heap::{InputElement, InputObject, Sort};
use petrel_solver::{Expr, evaluate};
use petrel_value as data;
use rustc_hash::FxHashMap;

use super::fields::kind_of;
use crate::choose::expr_of;
use crate::machine::{Machine, Stop};
use crate::stop::Reason;
use crate::types::TypeId;

/// Inputs as data.
#[derive(Debug, Clone, Default)]
pub struct InputHeap {
    /// The values, in the order in which they were asked for.
    pub values: Vec<data::Value>,
    /// The objects that they refer to.
    pub heap: data::Heap,
}

/// Inputs that become data.
struct Building {
    heap: data::Heap,
    /// The objects by their numbers.
    places: FxHashMap<i64, data::Value>,
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
        let objects = self.unknown.solver.objects(&value);
        let mut building = Building { heap: data::Heap::new(), places: FxHashMap::default() };
        for object in &objects {
            let outline = self.input_outline(object)?;
            let place = building.heap.add(outline);
            building.places.insert(object.number, place);
        }
        for object in &objects {
            self.fill(object, &mut building)?;
        }
        let inputs: Vec<(Expr, TypeId)> = self
            .inputs
            .all
            .iter()
            .map(|named| (expr_of(named.value, kind_of(named.of)), named.of))
            .collect();
        let mut made = Vec::new();
        for (expr, of) in inputs {
            made.push(self.datum(value(expr), of, &mut building)?);
        }
        Ok(InputHeap { values: made, heap: building.heap })
    }

    fn input_outline(&mut self, object: &InputObject) -> Result<data::Object, Reason> {
        let class = TypeId(object.class.0);
        let name = self.types.java_name(class);
        if self.unknown.classes.opaque.contains(&class) {
            return Err(Reason::Unsupported(format!("an unknown {name}")));
        }
        let Some((component, _)) = self.types.get(class).component else {
            let class = Arc::clone(&self.types.get(class).name);
            return Ok(data::Object::Instance { class, fields: Vec::new() });
        };
        let length = object.length.unwrap_or(0);
        let most = self.exploring.as_ref().map_or(0, |exploring| exploring.max_array);
        if length > i64::from(most) {
            return Err(Reason::Limit(format!("arrays of {most} elements")));
        }
        let component = JavaType::parse(&self.types.descriptor(component));
        let component = component.map_err(|error| Reason::Broken(error.to_string()))?;
        Ok(data::Object::Array { component, elements: Vec::with_capacity(length as usize) })
    }

    fn fill(&mut self, object: &InputObject, building: &mut Building) -> Result<(), Reason> {
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
        building: &mut Building,
    ) -> Result<data::Value, Reason> {
        Ok(match of {
            TypeId::BOOLEAN => data::Value::Boolean(number != 0),
            TypeId::BYTE => data::Value::Byte(number as i8),
            TypeId::SHORT => data::Value::Short(number as i16),
            TypeId::CHAR => data::Value::Char(number as u16),
            TypeId::INT => data::Value::Int(number as i32),
            TypeId::LONG => data::Value::Long(number),
            TypeId::FLOAT => data::Value::Float(number as u32),
            TypeId::DOUBLE => data::Value::Double(number as u64),
            _ if number == 0 => data::Value::Null,
            _ => match building.places.get(&number) {
                Some(&place) => place,
                // A constant of an enum: it exists once.
                None => {
                    let known = crate::value::Reference(number.unsigned_abs() as u32);
                    let object = crate::exchange::enum_constant(self, known).ok_or_else(|| {
                        Reason::Broken("an input that refers to a new object".to_owned())
                    })?;
                    let place = building.heap.add(object);
                    building.places.insert(number, place);
                    place
                }
            },
        })
    }
}
