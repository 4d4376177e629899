//! Values over unknown inputs: an expression for each field and element that is reached.

use std::fmt;
use std::sync::Arc;

use petrel_classfile::JavaType;
use petrel_clp::Kind;
use petrel_expression::{Expression, Node};
use petrel_heap::{Cell, Location};
use petrel_solver::Expr;
use rustc_hash::FxHashMap;

use crate::exploration::choose::{expr_of, value_of};
use crate::exploration::unknown::kind_of;
use crate::machine::{Body, Machine, Reference, Stop, TypeId, Value};

/// Objects and elements beyond this number are left out.
const MOST_PARTS: usize = 1000;

/// A value and the heap over unknown inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolicState {
    /// A term, or an object.
    pub result: Option<Expression>,
    /// The objects: those of the initial heap that the path looked at, and others in the order in which
    /// they are reached.
    pub objects: Vec<SymbolicObject>,
}

/// An object whose fields or elements are terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolicObject {
    /// What it is in terms: the access path that leads to it first, or a new object.
    pub name: Expression,
    /// Its class as Java writes it: `Vector`, `int[]`.
    pub class: Arc<str>,
    /// Its fields or elements, and what is there.
    pub parts: Vec<(Part, Expression)>,
    /// Whether it is an array.
    pub is_array: bool,
    /// The length of an array, if that is a term.
    pub length: Option<Expression>,
    /// The lengths of the arrays in a new one that was made together with them.
    pub lengths_inside: Vec<Expression>,
}

/// A place in an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// A field, by its name.
    Field(Arc<str>),
    /// An element, by its index.
    Element(Expression),
}

/// Displays as the name or the index.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Field(name) => f.write_str(name),
            Part::Element(index) => write!(f, "{index}"),
        }
    }
}

impl SymbolicObject {
    /// Whether it is none of the input.
    pub fn is_new(&self) -> bool {
        matches!(self.name.node(), Node::NewObject(_))
    }

    /// Whether it is an array and the parts are its elements, not just some of them. Of an array of the
    /// input a path has only what it looks at.
    pub fn has_all_elements(&self) -> bool {
        let is_at = |(at, (part, _)): (usize, &(Part, Expression))| match part {
            Part::Field(_) => false,
            Part::Element(index) => *index == Expression::int(at as i64),
        };
        self.is_array
            && self.length.is_none()
            && self.is_new()
            && self.parts.iter().enumerate().all(is_at)
    }
}

struct Reached {
    names: FxHashMap<Reference, Expression>,
    order: Vec<Reference>,
}

impl Machine<'_> {
    /// The state over unknown inputs: a value of a type, if there is one, and the objects that it or
    /// an input reaches. Strings and objects of the class library are shown as what they are made of only
    /// if they hold terms.
    pub fn symbolic_state(&mut self, value: Option<(Value, &JavaType)>) -> SymbolicState {
        let mut reached = Reached { names: FxHashMap::default(), order: Vec::new() };
        let result = value.map(|(value, of)| self.symbolic_value(value, of, &mut reached));
        let mut objects = Vec::new();
        let inputs: Vec<_> = self.exploration.unknown.solver.inputs().to_vec();
        for input in inputs {
            if self.solver.store.fixed(input.reference) == Expr::Constant(0) {
                continue;
            }
            let class = TypeId(input.classes[0].0);
            let reference = value_of(input.reference, Kind::Reference);
            let mut found = self.outline(input.name.clone(), class);
            if self.touched_parts(reference, &mut found, &mut reached) {
                objects.push(found);
            }
        }
        let mut next = 0;
        let mut left = MOST_PARTS;
        while let Some(&object) = reached.order.get(next) {
            next += 1;
            let name = Expression::new(Node::NewObject(next as u32));
            // A class that cannot be laid out has no objects.
            if let Ok(found) = self.symbolic_object(object, name, &mut reached, &mut left) {
                objects.push(found);
            }
        }
        SymbolicState { result, objects }
    }

    fn outline(&self, name: Expression, class: TypeId) -> SymbolicObject {
        SymbolicObject {
            name,
            class: self.types.java_name(class).into(),
            parts: Vec::new(),
            is_array: self.types.get(class).component.is_some(),
            length: None,
            lengths_inside: Vec::new(),
        }
    }

    /// The objects of the initial heap that the path has looked at, as terms.
    pub fn symbolic_inputs(&mut self) -> Vec<SymbolicObject> {
        let mut reached = Reached { names: FxHashMap::default(), order: Vec::new() };
        let cells: Vec<_> = self
            .exploration
            .unknown
            .solver
            .cells()
            .map(|(location, cell)| (location, *cell))
            .collect();
        let mut objects = Vec::new();
        for input in self.exploration.unknown.solver.inputs().to_vec() {
            if self.solver.store.fixed(input.reference) == Expr::Constant(0) {
                continue;
            }
            let class = TypeId(input.classes[0].0);
            let mut found = self.outline(input.name.clone(), class);
            let mut of_input: Vec<(Location, Cell)> = cells
                .iter()
                .filter(|(_, cell)| cell.reference == input.reference)
                .copied()
                .collect();
            of_input.sort_by_key(|&(location, _)| self.place_in_class(location));
            let mut is_seen = false;
            for (location, Cell { index, value, .. }) in of_input {
                is_seen |= self.add_part(&mut found, location, index, value, &mut reached);
            }
            if is_seen {
                objects.push(found);
            }
        }
        objects
    }

    /// The order in which the fields of an object are shown: that in which they came up depends on the
    /// paths before.
    fn place_in_class(&self, location: Location) -> u16 {
        match location {
            Location::Field(field) => self.exploration.unknown.fields.get(field).slot,
            _ => 0,
        }
    }

    /// Adds what is at a place of an object; `false` if that is nothing to be shown.
    fn add_part(
        &mut self,
        found: &mut SymbolicObject,
        location: Location,
        index: Expr,
        value: Expr,
        reached: &mut Reached,
    ) -> bool {
        let (name, of) = match location {
            Location::Field(field) => {
                let field = self.exploration.unknown.fields.get(field);
                (Part::Field((&*field.name).into()), field.of)
            }
            Location::Elements(group) => (Part::Element(self.int(index)), TypeId(group)),
            Location::Length => {
                found.length = Some(self.int(value));
                return true;
            }
            Location::Class | Location::Ghost(_) => return false,
        };
        let Ok(java_type) = JavaType::parse(&self.types.descriptor(of)) else { return false };
        let value = value_of(value, kind_of(of));
        let value = self.symbolic_value(value, &java_type, reached);
        found.parts.push((name, value));
        true
    }

    /// Adds what is known of an object from its accesses; `false` if there were none.
    fn touched_parts(
        &mut self,
        object: Value,
        found: &mut SymbolicObject,
        reached: &mut Reached,
    ) -> bool {
        let reference = expr_of(object, Kind::Reference);
        let mut touched = self.exploration.unknown.solver.touched(reference);
        touched.sort_by_key(|&(location, _)| self.place_in_class(location));
        let mut is_touched = false;
        for (location, index) in touched {
            let value = match location {
                Location::Field(field) => {
                    let sort = self.sort(self.exploration.unknown.fields.get(field).of);
                    self.ask_heap(|heap, context| heap.get_field(context, reference, field, sort))
                }
                Location::Elements(group) => {
                    let sort = self.sort(TypeId(group));
                    self.ask_heap(|heap, context| {
                        heap.get_element(context, reference, index, group, sort)
                    })
                }
                Location::Length => self.ask_heap(|heap, context| heap.length(context, reference)),
                Location::Class | Location::Ghost(_) => continue,
            };
            if let Ok(value) = value {
                is_touched |= self.add_part(found, location, index, value, reached);
            }
        }
        is_touched
    }

    fn int(&self, expr: Expr) -> Expression {
        petrel_solver::expression(self.solver.store.terms(), expr, Kind::Int)
    }

    fn symbolic_value(
        &mut self,
        value: Value,
        java_type: &JavaType,
        reached: &mut Reached,
    ) -> Expression {
        match java_type {
            JavaType::Object(_) | JavaType::Array(_) if !value.is_symbolic() => {
                let object = value.as_reference();
                if object.is_null() {
                    return Expression::new(Node::Null);
                }
                if let Some(class) = self.mirrored(object) {
                    return Expression::new(Node::Class(self.types.java_name(class).into()));
                }
                if let Some(units) = self.units(object) {
                    return Expression::new(Node::Text(units.into()));
                }
                let is_whole = self.heap.is_made(object);
                if let Some(name) = self.object_expression(value).filter(|_| !is_whole) {
                    return name;
                }
                let number = reached.order.len() + 1;
                if let Some(known) = reached.names.get(&object) {
                    return known.clone();
                }
                let name = Expression::new(Node::NewObject(number as u32));
                reached.names.insert(object, name.clone());
                reached.order.push(object);
                name
            }
            JavaType::Boolean if !value.is_symbolic() => {
                Expression::new(Node::Boolean(value.as_int() & 1 != 0))
            }
            _ => self.expression(value, Kind::of_type(java_type)),
        }
    }

    fn symbolic_object(
        &mut self,
        object: Reference,
        name: Expression,
        reached: &mut Reached,
        left: &mut usize,
    ) -> Result<SymbolicObject, Stop> {
        let class = self.heap.class(object);
        let component = self.types.get(class).component.map(|(component, _)| component);
        let mut found = self.outline(name, class);
        if let Body::Logged(array) = &self.heap.object(object).body {
            let length = |&length: &Value| self.int(expr_of(length, Kind::Int));
            found.length = Some(length(&array.length));
            found.lengths_inside = array.lengths_inside.iter().map(length).collect();
            self.touched_parts(Value::reference(object), &mut found, reached);
            return Ok(found);
        }
        if let Some(component) = component {
            let Ok(java_type) = JavaType::parse(&self.types.descriptor(component)) else {
                return Ok(found);
            };
            for index in 0..self.heap.length(object).min(*left) {
                let element = self.heap.get_element(object, index);
                let value = self.symbolic_value(element, &java_type, reached);
                found.parts.push((Part::Element(Expression::int(index as i64)), value));
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
                    let value = self.symbolic_value(value, &java_type, reached);
                    found.parts.push((Part::Field(field.name().into()), value));
                }
            }
        }
        *left -= found.parts.len().min(*left);
        Ok(found)
    }
}
