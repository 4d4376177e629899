//! Values over unknown inputs as text: a term for each field and element that is reached.

use petrel_classfile::JavaType;
use petrel_clp::Kind;
use rustc_hash::FxHashMap;

use crate::machine::{Machine, Stop};
use crate::value::{Reference, Value};

/// Objects and elements beyond this number are left out.
const MOST_PARTS: usize = 1000;

/// A value as text, with the objects that it reaches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolicValue {
    /// A term, or the name of an object.
    pub text: String,
    /// The objects, in the order in which they are reached.
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
    /// A value of a type over unknown inputs. Strings and objects of the class library are shown as what
    /// they are made of only if they hold terms.
    pub fn symbolic(&mut self, value: Value, java_type: &JavaType) -> SymbolicValue {
        let mut reached = Reached { names: FxHashMap::default(), order: Vec::new() };
        let text = self.symbolic_text(value, java_type, &mut reached);
        let mut objects = Vec::new();
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
        SymbolicValue { text, objects }
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
        let mut found = SymbolicObject {
            name,
            class: self.types.java_name(class),
            parts: Vec::new(),
            is_array: component.is_some(),
            length: None,
        };
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
