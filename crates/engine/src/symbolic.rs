//! Values over unknown inputs as text: a term for each field and element that is reached.

use petrel_classfile::JavaType;
use petrel_clp::Kind;
use petrel_heap::Location;
use petrel_solver::Expr;
use rustc_hash::FxHashMap;

use crate::choose::{expr_of, value_of};
use crate::machine::{Machine, Stop};
use crate::types::TypeId;
use crate::value::{Reference, Value};

/// Objects and elements beyond this number are left out.
const MOST_PARTS: usize = 1000;

/// A value and the heap as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolicState {
    /// A term, or the name of an object.
    pub result: Option<String>,
    /// The objects: those of the initial heap that the path looked at, and others in the order in which
    /// they are reached.
    pub objects: Vec<SymbolicObject>,
}

/// An object whose fields or elements are terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolicObject {
    /// Its name in terms: `o1`.
    pub name: String,
    /// Its class as Java writes it: `Vector`, `int[]`.
    pub class: String,
    /// Names (or indices, for an array) and terms.
    pub parts: Vec<(String, String)>,
    /// Whether it is an array.
    pub is_array: bool,
    /// The length of an array, if that is a term.
    pub length: Option<String>,
}

struct Reached {
    names: FxHashMap<Reference, String>,
    order: Vec<Reference>,
}

impl Machine<'_> {
    /// The state over unknown inputs: a value of a type, if there is one, and the objects that it or
    /// an input reaches. Strings and objects of the class library are shown as what they are made of only
    /// if they hold terms.
    pub fn symbolic_state(&mut self, value: Option<(Value, &JavaType)>) -> SymbolicState {
        let mut reached = Reached { names: FxHashMap::default(), order: Vec::new() };
        let result = value.map(|(value, of)| self.symbolic_text(value, of, &mut reached));
        let mut objects = Vec::new();
        let inputs: Vec<_> = self.unknown.solver.inputs().to_vec();
        for input in inputs {
            if self.solver.store.fixed(input.reference) == Expr::Constant(0) {
                continue;
            }
            let class = TypeId(input.classes[0].0);
            let reference = value_of(input.reference, Kind::Reference);
            let mut found = self.outline(input.name.to_string(), class);
            if self.touched_parts(reference, &mut found, &mut reached) {
                objects.push(found);
            }
        }
        let mut next = 0;
        let mut left = MOST_PARTS;
        while let Some(&object) = reached.order.get(next) {
            next += 1;
            let name = reached.names.get(&object).cloned().unwrap_or_default();
            // A class that cannot be laid out has no objects.
            if let Ok(found) = self.symbolic_object(object, name, &mut reached, &mut left) {
                objects.push(found);
            }
        }
        SymbolicState { result, objects }
    }

    fn outline(&self, name: String, class: TypeId) -> SymbolicObject {
        SymbolicObject {
            name,
            class: self.types.java_name(class),
            parts: Vec::new(),
            is_array: self.types.get(class).component.is_some(),
            length: None,
        }
    }

    /// Adds what is known of an object from its accesses; `false` if there were none.
    fn touched_parts(
        &mut self,
        object: Value,
        found: &mut SymbolicObject,
        reached: &mut Reached,
    ) -> bool {
        let reference = expr_of(object, Kind::Reference);
        let mut touched = self.unknown.solver.touched(reference);
        // The order in which fields came up depends on the paths before.
        touched.sort_by_key(|(location, _)| match location {
            Location::Field(field) => self.unknown.fields.get(*field).slot,
            _ => 0,
        });
        let mut is_touched = false;
        for (location, index) in touched {
            let (name, of) = match location {
                Location::Field(field) => {
                    let field = self.unknown.fields.get(field);
                    (field.name.to_string(), field.of)
                }
                Location::Elements(group) => (self.int_text(index), TypeId(group)),
                Location::Length => {
                    if let Ok(length) = self.length_of(object) {
                        found.length = Some(self.int_text(length));
                    }
                    is_touched = true;
                    continue;
                }
                Location::Class | Location::Ghost(_) => continue,
            };
            let sort = self.sort(of);
            let value = self.ask_heap(|heap, context| match location {
                Location::Field(field) => heap.get_field(context, reference, field, sort),
                _ => heap.get_element(context, reference, index, of.0, sort),
            });
            let (Ok(value), Ok(of)) = (value, JavaType::parse(&self.types.descriptor(of))) else {
                continue;
            };
            let text = self.symbolic_text(value_of(value, sort.kind()), &of, reached);
            found.parts.push((name, text));
            is_touched = true;
        }
        is_touched
    }

    fn int_text(&self, expr: Expr) -> String {
        petrel_solver::text(self.solver.store.terms(), expr, Kind::Int)
    }

    fn symbolic_text(
        &mut self,
        value: Value,
        java_type: &JavaType,
        reached: &mut Reached,
    ) -> String {
        match java_type {
            JavaType::Object(_) | JavaType::Array(_) if !value.is_symbolic() => {
                let object = value.as_reference();
                if object.is_null() {
                    return "null".to_owned();
                }
                if let Some(class) = self.mirrored(object) {
                    return format!("{}.class", self.types.java_name(class));
                }
                if let Some(units) = self.units(object) {
                    let text = String::from_utf16_lossy(&units);
                    return format!("{text:?}");
                }
                let number = reached.order.len() + 1;
                if let Some(known) = reached.names.get(&object) {
                    return known.clone();
                }
                let name = format!("o{number}");
                reached.names.insert(object, name.clone());
                reached.order.push(object);
                name
            }
            JavaType::Boolean if !value.is_symbolic() => (value.as_int() & 1 != 0).to_string(),
            _ => self.text(value, Kind::of_descriptor(&java_type.to_string())),
        }
    }

    fn symbolic_object(
        &mut self,
        object: Reference,
        name: String,
        reached: &mut Reached,
        left: &mut usize,
    ) -> Result<SymbolicObject, Stop> {
        let class = self.heap.class(object);
        let component = self.types.get(class).component.map(|(component, _)| component);
        let mut found = self.outline(name, class);
        if let Err(length) = self.heap.known_length(object) {
            found.length = Some(self.int_text(expr_of(length, Kind::Int)));
            self.touched_parts(Value::reference(object), &mut found, reached);
            return Ok(found);
        }
        if let Some(component) = component {
            let Ok(java_type) = JavaType::parse(&self.types.descriptor(component)) else {
                return Ok(found);
            };
            for index in 0..self.heap.length(object).min(*left) {
                let element = self.heap.get_element(object, index);
                let text = self.symbolic_text(element, &java_type, reached);
                found.parts.push((index.to_string(), text));
            }
        } else {
            let loaded = self.class(class)?;
            for declaring in loaded.lineage() {
                let id = self.types.of_name(declaring.name());
                for field in declaring.fields().filter(|field| !field.is_static()) {
                    let Ok(java_type) = JavaType::parse(field.descriptor()) else { continue };
                    if found.parts.len() >= *left {
                        break;
                    }
                    let slot = self.layout(id)?.declared.get(field.index()).copied();
                    let value = self.heap.get_field(object, slot.unwrap_or_default() as u16);
                    let text = self.symbolic_text(value, &java_type, reached);
                    found.parts.push((field.name().to_owned(), text));
                }
            }
        }
        *left -= found.parts.len().min(*left);
        Ok(found)
    }
}
