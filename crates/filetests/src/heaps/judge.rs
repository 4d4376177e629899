//! Assumptions, judged on concrete heaps.

use std::collections::BTreeSet;

use petrel_engine::{AccessPath, Assumption};
use petrel_value::{FieldValue, Heap, Object, ObjectId, Value};

use super::Input;

/// A path that starts or goes on where there is nothing of that name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoPath(pub String);

/// Where a path leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Through null: nowhere.
    Nowhere,
    Null,
    Object(ObjectId),
}

/// Whether an input is as assumed; `parameters` are the names of its arguments, and `is_valid` says what the
/// invariant of an object does, the one of this name if there is one.
///
/// # Errors
///
/// If a path of the assumption names something that is not there.
pub fn holds(
    assumption: &Assumption,
    input: &Input,
    parameters: &[String],
    is_valid: &mut dyn FnMut(Value, Option<&str>) -> bool,
) -> Result<bool, NoPath> {
    let place = |path| place(path, input, parameters);
    Ok(match assumption {
        Assumption::NonNull(path) => place(path)? != Place::Null,
        Assumption::NonAliasing(left, right) => match (place(left)?, place(right)?) {
            (Place::Object(left), Place::Object(right)) => left != right,
            _ => true,
        },
        Assumption::Different(left, right) => match (place(left)?, place(right)?) {
            (Place::Nowhere, _) | (_, Place::Nowhere) => true,
            (left, right) => left != right,
        },
        Assumption::NonSharing(left, right) => {
            let left = reached(&input.heap, place(left)?, None);
            let right = reached(&input.heap, place(right)?, None);
            // Constants of enums belong to nobody.
            left.intersection(&right).all(|&shared| {
                matches!(
                    input.heap.get(Value::Reference(shared)),
                    Some(Object::EnumConstant { .. })
                )
            })
        }
        Assumption::Acyclic(path, field) => {
            let field = field.as_deref();
            let all = reached(&input.heap, place(path)?, field);
            !all.into_iter().any(|object| is_on_cycle(&input.heap, object, field))
        }
        Assumption::Valid(path, name) => match place(path)? {
            Place::Object(object) => is_valid(Value::Reference(object), name.as_deref()),
            Place::Null | Place::Nowhere => true,
        },
    })
}

fn place(path: &AccessPath, input: &Input, parameters: &[String]) -> Result<Place, NoPath> {
    let root = if path.root == "this" {
        input.receiver
    } else {
        let position = parameters.iter().position(|name| *name == path.root);
        position.and_then(|position| input.arguments.get(position).copied())
    };
    let mut value = root.ok_or_else(|| NoPath(path.root.clone()))?;
    for name in &path.fields {
        value = match input.heap.get(value) {
            None => return Ok(Place::Nowhere),
            Some(Object::Instance { fields, .. }) => {
                field(fields, name).ok_or_else(|| NoPath(name.clone()))?
            }
            Some(_) => return Err(NoPath(name.clone())),
        };
    }
    Ok(match value {
        Value::Reference(object) => Place::Object(object),
        _ => Place::Null,
    })
}

/// The field of this name of the lowest class that has one.
fn field(fields: &[FieldValue], name: &str) -> Option<Value> {
    fields.iter().find(|field| &*field.name == name).map(|field| field.value)
}

/// The objects that an object refers to, through the field of this name and elements of arrays alone if one is given.
fn referred(heap: &Heap, object: ObjectId, through: Option<&str>) -> Vec<ObjectId> {
    let values: Vec<Value> = match (heap.get(Value::Reference(object)), through) {
        (Some(object), None) => object.parts().collect(),
        (Some(array @ Object::Array { .. }), Some(_)) => array.parts().collect(),
        (Some(Object::Instance { fields, .. }), Some(name)) => {
            let fields = fields.iter().filter(|field| *field.name == *name);
            fields.map(|field| field.value).collect()
        }
        _ => Vec::new(),
    };
    let objects = values.into_iter().filter_map(|value| match value {
        Value::Reference(object) => Some(object),
        _ => None,
    });
    objects.collect()
}

/// The objects that are reached from a place, its own included.
fn reached(heap: &Heap, from: Place, through: Option<&str>) -> BTreeSet<ObjectId> {
    let mut found = BTreeSet::new();
    let mut open = match from {
        Place::Object(object) => vec![object],
        Place::Null | Place::Nowhere => Vec::new(),
    };
    while let Some(object) = open.pop() {
        // Constants of enums are everybody's.
        let is_constant =
            matches!(heap.get(Value::Reference(object)), Some(Object::EnumConstant { .. }));
        if !is_constant && found.insert(object) {
            open.extend(referred(heap, object, through));
        }
    }
    found
}

fn is_on_cycle(heap: &Heap, object: ObjectId, through: Option<&str>) -> bool {
    referred(heap, object, through)
        .into_iter()
        .any(|next| reached(heap, Place::Object(next), through).contains(&object))
}
