//! What the call changes in the objects that it is given: elements of arrays, and fields that the test can read.

use petrel_classfile::JavaType;
use petrel_testcase::Subject;
use petrel_value::{FieldValue, Heap, Object, Value};

use crate::call::Writer;
use crate::java::JavaExpression;
use crate::objects::is_zero;
use crate::types::Type;
use crate::{find, plain};

impl Writer<'_, '_> {
    /// The arguments that are arrays whose contents the call changed, with their positions.
    pub(crate) fn changed_arrays(&self) -> Vec<(usize, Value)> {
        let solution = self.test.solution;
        let output = &solution.output;
        let pairs = solution.arguments.iter().zip(&output.arguments).enumerate();
        let changed = pairs.filter(|(_, (before, after))| {
            let (
                Some(Object::Array { elements: old, .. }),
                Some(Object::Array { elements: new, .. }),
            ) = (solution.heap.get(**before), output.heap.get(**after))
            else {
                return false;
            };
            let same = |(&old, &new): (&Value, &Value)| match (
                solution.heap.get(old),
                output.heap.get(new),
            ) {
                (None, None) => old == new,
                (Some(old), Some(new)) => old == new,
                _ => false,
            };
            old.len() != new.len() || !old.iter().zip(new).all(same)
        });
        changed.map(|(at, (_, &after))| (at, after)).collect()
    }

    pub(crate) fn assert_arrays(&mut self) {
        if self.test.solution.output.unstable {
            return;
        }
        let mut is_asserted: Vec<Value> = Vec::new();
        for (at, after) in self.changed_arrays() {
            if is_asserted.contains(&after) {
                continue;
            }
            is_asserted.push(after);
            let Some((name, of)) = self.named(self.test.solution.arguments[at]) else { continue };
            let output = &self.test.solution.output;
            self.body.assert_value(&output.heap, after, &of, name);
        }
    }

    /// The receiver and the arguments of which no method tells what the call changed, before and after it.
    fn silent_inputs(&self) -> Vec<(Value, Value)> {
        let solution = self.test.solution;
        let output = &solution.output;
        let receiver = solution.receiver.zip(output.receiver);
        let receiver = receiver.map(|pair| (Subject::Receiver, pair));
        let arguments = solution.arguments.iter().copied().zip(output.arguments.iter().copied());
        let arguments = arguments.enumerate().map(|(at, pair)| (Subject::Argument(at), pair));
        let all = receiver.into_iter().chain(arguments).filter(|_| !output.unstable);
        all.filter(|(subject, _)| !self.sees(*subject)).map(|(_, pair)| pair).collect()
    }

    /// The inputs with fields that the call changed, and that the test reads.
    pub(crate) fn changed_inputs(&self) -> Vec<Value> {
        let (before, after) = (&self.test.solution.heap, &self.test.solution.output.heap);
        let mut inputs = self.silent_inputs();
        inputs
            .retain(|&(old, new)| !self.told_fields((after, new), Some((before, old))).is_empty());
        inputs.into_iter().map(|(old, _)| old).collect()
    }

    /// Asserts what the call changed in the objects that it was given, where no method tells.
    pub(crate) fn assert_states(&mut self) {
        let (before, after) = (&self.test.solution.heap, &self.test.solution.output.heap);
        for (old, new) in self.silent_inputs() {
            if let Some((name, of)) = self.named(old) {
                self.assert_fields((&name, &of), (after, new), Some((before, old)));
            }
        }
    }

    /// The fields of an object that the test can read, with their types: those that differ from before, or all if
    /// there is no before.
    fn told_fields(
        &self,
        (heap, after): (&Heap, Value),
        before: Option<(&Heap, Value)>,
    ) -> Vec<(FieldValue, Type)> {
        let visible = self.body.imports.visible;
        let Some(Object::Instance { class, fields }) = heap.get(after) else { return Vec::new() };
        let old = match before.map(|(heap, value)| heap.get(value)) {
            None => None,
            Some(Some(Object::Instance { fields, .. })) => Some(fields),
            // What is built by calls is not known by its fields.
            Some(_) => return Vec::new(),
        };
        let Ok(class) = visible.program.class(class) else { return Vec::new() };
        let is_changed = |field: &FieldValue| {
            let Some(old) = old else { return true };
            let mut old = old.iter();
            match old.find(|other| other.class == field.class && other.name == field.name) {
                None => !is_zero(&field.value),
                Some(had) => match (before, heap.get(field.value)) {
                    (Some((heap, _)), Some(now)) => heap.get(had.value) != Some(now),
                    _ => had.value != field.value,
                },
            }
        };
        let told = fields.iter().filter(|&field| is_changed(field));
        let told = told.filter(|field| plain::can_read(visible, &class, field));
        let typed = told.filter_map(|field| {
            let declared = find::field(visible.program, &field.class, &field.name)?;
            let of = JavaType::parse(declared.descriptor()).ok()?;
            Some((field.clone(), Type::of(&of)))
        });
        typed.collect()
    }

    /// Asserts what these fields hold.
    pub(crate) fn assert_fields(
        &mut self,
        (object, of): (&JavaExpression, &Type),
        after: (&Heap, Value),
        before: Option<(&Heap, Value)>,
    ) {
        let program = self.body.imports.visible.program;
        let Some(from) = of.constant_name() else { return };
        for (field, of) in self.told_fields(after, before) {
            if program.is_assignable(&from, &field.class).unwrap_or(false) {
                let actual = object.clone().member(&field.name);
                self.body.assert_value(after.0, field.value, &of, actual);
            }
        }
    }
}
