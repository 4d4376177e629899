//! `Object` and references.

use petrel_translate::stub::is_stub;

use super::{Answer, Entry, argument, give, give_reference, nothing, reference, throw};
use crate::machine::{LeftOut, Machine, Reference, Stop, TypeId, Value};

const OBJECT: &str = "java/lang/Object";
const REFERENCE: &str = "java/lang/ref/Reference";

pub(super) const TABLE: &[Entry] = &[
    (OBJECT, "getClass", "()Ljava/lang/Class;", get_class),
    (OBJECT, "hashCode", "()I", identity_hash),
    (OBJECT, "clone", "()Ljava/lang/Object;", clone),
    ("java/lang/System", "identityHashCode", "(Ljava/lang/Object;)I", identity_hash),
    // The initialiser starts a thread.
    (REFERENCE, "<clinit>", "()V", nothing),
    (REFERENCE, "get0", "()Ljava/lang/Object;", referent),
    (REFERENCE, "refersTo0", "(Ljava/lang/Object;)Z", refers_to),
    (REFERENCE, "clear0", "()V", clear),
    ("java/lang/ref/PhantomReference", "refersTo0", "(Ljava/lang/Object;)Z", refers_to),
    ("java/lang/ref/PhantomReference", "clear0", "()V", clear),
    ("java/lang/ref/Finalizer", "<clinit>", "()V", nothing),
];

fn get_class(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    machine.offer_classes(argument(arguments, 0));
    let class = machine.heap.class(reference(arguments, 0));
    give(machine.class_object_of(class)?)
}

fn identity_hash(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let hash = machine.identity_hash(reference(arguments, 0));
    give(hash)
}

impl Machine<'_> {
    /// What `getClass` gives for objects of a class. That of a stub is whatever the test makes of it: each stub may have a class of
    /// its own, which is a lambda's or an anonymous one.
    pub(crate) fn class_object_of(&mut self, class: TypeId) -> Result<Value, Stop> {
        let is_of_stub = self.class(class).is_ok_and(|class| is_stub(&class));
        let mirror = Value::reference(self.mirror(class)?);
        Ok(if is_of_stub { mirror.marked(true) } else { mirror })
    }

    /// The JVM's identity hash codes are random; here they count.
    pub(crate) fn identity_hash(&mut self, object: Reference) -> Value {
        if object.is_null() {
            return Value::int(0);
        }
        let next = self.next_identity_hash();
        let hashes = &mut self.library.modelled.identity_hashes;
        let is_new = !hashes.contains_key(&object);
        let hash = *hashes.entry(object).or_insert(next);
        if is_new {
            self.note_modelled(object);
        }
        Value::int(hash).marked(true)
    }

    /// Whether the class library has asked for the identity hash code of an object.
    pub(crate) fn has_identity_hash(&self, object: Reference) -> bool {
        self.library.modelled.identity_hashes.contains_key(&object)
    }

    /// The identity hash code of the next object that is asked for it. They count, so that a second derivation
    /// of the same call gives the same.
    pub(crate) fn next_identity_hash(&self) -> i32 {
        let asked = self.library.modelled.identity_hashes.len() + self.exploration.n_hashed();
        0x1234_5600_i32.wrapping_add(asked as i32 * 0x3779)
    }
}

fn clone(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let object = reference(arguments, 0);
    if !machine.is_instance(object, TypeId::CLONEABLE) {
        let class = machine.heap.class(object);
        let name = machine.types.class_name(class);
        return throw("java/lang/CloneNotSupportedException", name);
    }
    give_reference(machine.heap.copy(object))
}

fn referent(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let slot = machine.slot_named(REFERENCE, "referent")?;
    give(machine.heap.field(reference(arguments, 0), slot))
}

fn refers_to(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let slot = machine.slot_named(REFERENCE, "referent")?;
    let referent = machine.heap.field(reference(arguments, 0), slot);
    give(Value::boolean(referent.as_reference() == reference(arguments, 1)))
}

/// Whether the garbage collector clears a weak reference, and when, is its own affair: from here on nobody knows. Nor is it known
/// which references are in their queues, and whether finalizers have run.
pub(super) fn collect_garbage(machine: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    const QUEUE: &str = "java/lang/ref/ReferenceQueue";
    machine.note_left_out(LeftOut::Machine);
    let slot = machine.slot_named(REFERENCE, "referent")?;
    let (queue_slot, head_slot) =
        (machine.slot_named(REFERENCE, "queue")?, machine.slot_named(QUEUE, "head")?);
    let reference_class = machine.types.of_name(REFERENCE);
    let weak = ["java/lang/ref/WeakReference", "java/lang/ref/SoftReference"];
    let weak = weak.map(|name| machine.types.of_name(name));
    let all: Vec<Reference> = machine.heap.objects_in_use().collect();
    for object in all {
        let is_weak = weak.iter().any(|&class| machine.is_instance(object, class));
        if is_weak && machine.heap.is_made(object) {
            let referent = machine.heap.field(object, slot);
            if !referent.is_symbolic() && !referent.as_reference().is_null() {
                machine.heap.set_field(object, slot, referent.marked(true));
            }
        }
        if machine.is_instance(object, reference_class) && machine.heap.is_made(object) {
            let queue = machine.heap.field(object, queue_slot);
            if !queue.is_symbolic() && !queue.as_reference().is_null() {
                let queue = queue.as_reference();
                let head = machine.heap.field(queue, head_slot);
                machine.heap.set_field(queue, head_slot, head.marked(true));
            }
        }
    }
    give(Value::NULL)
}

fn clear(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    machine.set_named(reference(arguments, 0), REFERENCE, "referent", Value::NULL)?;
    give(Value::NULL)
}
