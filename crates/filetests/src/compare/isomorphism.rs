//! Whether what a call left in the engine and on the JVM has the same shape.

use std::collections::BTreeMap;

use petrel_value::{FieldValue, Heap, Object, ObjectId, Value};

use super::describe::shown;
use super::loader;

/// Pairs of values that are to have the same shape: objects are compared with all that can be reached
/// from them, as far as the JVM's side describes it, and those that are one object on one side are one
/// on the other.
pub struct Isomorphism<'a> {
    our_heap: &'a Heap,
    their_heap: &'a Heap,
    theirs_of_ours: BTreeMap<ObjectId, ObjectId>,
    ours_of_theirs: BTreeMap<ObjectId, ObjectId>,
    /// What is still to be compared, and the path that leads there.
    pending: Vec<(Value, Value, String)>,
}

impl<'a> Isomorphism<'a> {
    /// Between a heap of the engine and one of the JVM.
    pub fn new(our_heap: &'a Heap, their_heap: &'a Heap) -> Isomorphism<'a> {
        Isomorphism {
            our_heap,
            their_heap,
            theirs_of_ours: BTreeMap::new(),
            ours_of_theirs: BTreeMap::new(),
            pending: Vec::new(),
        }
    }

    /// Compares two values, and all that they refer to, with those compared before in mind. The answer
    /// says where they differ first.
    pub fn difference(&mut self, ours: Value, theirs: Value, name: &str) -> Option<String> {
        self.pending.push((ours, theirs, name.to_owned()));
        while let Some((ours, theirs, path)) = self.pending.pop() {
            if let Err(what) = self.compare(ours, theirs, &path) {
                return Some(format!("at {path}: {what}"));
            }
        }
        None
    }

    fn compare(&mut self, ours: Value, theirs: Value, path: &str) -> Result<(), String> {
        let unlike = || {
            let (ours, theirs) = (shown(self.our_heap, ours), shown(self.their_heap, theirs));
            Err(format!("{ours} and on the JVM {theirs}"))
        };
        let (our_id, their_id) = match (ours, theirs) {
            (Value::Reference(our_id), Value::Reference(their_id)) => (our_id, their_id),
            _ if same_primitive(ours, theirs) => return Ok(()),
            _ => return unlike(),
        };
        let objects = (self.our_heap.get(ours), self.their_heap.get(theirs));
        let (Some(our_object), Some(their_object)) = objects else {
            return Err("a reference to nothing".to_owned());
        };
        // Whether equal strings and boxes are one object is not of interest: caches decide that.
        let has_identity = !matches!(their_object, Object::String(_) | Object::Boxed(_));
        if has_identity {
            let before = (
                self.theirs_of_ours.insert(our_id, their_id),
                self.ours_of_theirs.insert(their_id, our_id),
            );
            match before {
                (None, None) => {}
                (Some(before), _) if before == their_id => return Ok(()),
                (Some(_), _) => return Err("an object that is two on the JVM".to_owned()),
                (None, Some(_)) => return Err("two objects that are one on the JVM".to_owned()),
            }
        }
        match (our_object, their_object) {
            (Object::String(ours), Object::String(theirs))
                if ours == theirs || loader::is_own_loader(&ours.0, &theirs.0) => {}
            (Object::Boxed(ours), Object::Boxed(theirs)) if same_primitive(*ours, *theirs) => {}
            (
                Object::Array { component, elements },
                Object::Array { component: their_component, elements: their_elements },
            ) if component == their_component && elements.len() == their_elements.len() => {
                for (index, (ours, theirs)) in elements.iter().zip(their_elements).enumerate() {
                    self.pending.push((*ours, *theirs, format!("{path}[{index}]")));
                }
            }
            (Object::EnumConstant { .. }, Object::EnumConstant { .. })
                if our_object == their_object => {}
            (
                Object::Instance { class, fields },
                Object::Instance { class: their_class, fields: their_fields },
            ) if class == their_class => {
                for theirs in their_fields.iter().filter(|field| !counts_objects(field)) {
                    let ours = fields
                        .iter()
                        .find(|ours| ours.name == theirs.name && ours.class == theirs.class);
                    let Some(ours) = ours else {
                        return Err(format!("there is no field {}", theirs.name));
                    };
                    let path = format!("{path}.{}", theirs.name);
                    self.pending.push((ours.value, theirs.value, path));
                }
            }
            // Only inputs are such: what a call leaves has fields.
            (Object::Built { .. }, _) | (_, Object::Built { .. }) => return unlike(),
            // Nothing is known of one of them.
            (_, Object::Opaque { .. }) | (Object::Opaque { .. }, _) => {}
            _ => return unlike(),
        }
        Ok(())
    }
}

/// Whether a field numbers the objects of its class: what ran before in the same JVM counts, too.
fn counts_objects(field: &FieldValue) -> bool {
    &*field.class == "java/lang/ThreadLocal" && &*field.name == "threadLocalHashCode"
}

/// Bit for bit, but a NaN is any NaN: the bits of a NaN are up to the JVM.
fn same_primitive(ours: Value, theirs: Value) -> bool {
    match (ours, theirs) {
        (Value::Float(ours), Value::Float(theirs)) => {
            ours == theirs || f32::from_bits(ours).is_nan() && f32::from_bits(theirs).is_nan()
        }
        (Value::Double(ours), Value::Double(theirs)) => {
            ours == theirs || f64::from_bits(ours).is_nan() && f64::from_bits(theirs).is_nan()
        }
        _ => ours == theirs,
    }
}
