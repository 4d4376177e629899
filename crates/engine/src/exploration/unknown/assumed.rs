//! Assumptions about the initial heap: which constraints they are.

use petrel_clp::Kind;
use petrel_heap::{FieldId, Sort, either, truth};
use petrel_solver::{Expr, Simplified};

use super::start::Named;
use crate::exploration::assume::{AccessPath, Assumption};
use crate::exploration::choose::{expr_of, value_of};
use crate::machine::{Machine, MethodNumber, Stop, TypeId};

/// The methods that say whether an object is as its class wants it, if no other is named.
const INVARIANTS: [&str; 2] = ["repOk", "isValid"];

impl Machine<'_> {
    /// Assumes something of the initial heap. All inputs have been made.
    ///
    /// # Errors
    ///
    /// If it speaks of something that there is not; the text says of what.
    pub fn assume_of_heap(&mut self, assumption: &Assumption) -> Result<(), String> {
        let conflict = |_| "no heap is like this".to_owned();
        match assumption {
            Assumption::NonNull(path) => {
                let (place, parent) = self.place_of(path)?;
                self.assume_different(&[parent], place.0, Expr::Constant(0))
            }
            Assumption::Different(left, right) => {
                let (left, left_parent) = self.place_of(left)?;
                let (right, right_parent) = self.place_of(right)?;
                self.assume_different(&[left_parent, right_parent], left.0, right.0)
            }
            Assumption::NonAliasing(left, right) => {
                let (left, right) = (self.place_of(left)?.0.0, self.place_of(right)?.0.0);
                self.ask_heap(|heap, context| heap.assume_non_aliasing(context, left, right))
                    .map_err(conflict)
            }
            Assumption::NonSharing(left, right) => {
                let (left, right) = (self.place_of(left)?.0.0, self.place_of(right)?.0.0);
                self.ask_heap(|heap, context| heap.assume_non_sharing(context, left, right))
                    .map_err(conflict)
            }
            Assumption::Acyclic(path, field) => {
                let (reference, of) = self.place_of(path)?.0;
                let field = match field {
                    Some(name) => {
                        let mut element = of;
                        while let Some((component, _)) = self.types.get(element).component {
                            element = component;
                        }
                        Some(self.field_below(element, name)?)
                    }
                    None => None,
                };
                self.ask_heap(|heap, context| heap.assume_acyclic(context, reference, field))
                    .map_err(conflict)
            }
            Assumption::Valid(path, name) => {
                let (reference, of) = self.place_of(path)?.0;
                let method = self.invariant(of, name.as_deref())?;
                self.exploration.inputs.valid.push((value_of(reference, Kind::Reference), method));
                Ok(())
            }
        }
    }

    /// Two references are different, or what one of them is a field of is null.
    fn assume_different(
        &mut self,
        parents: &[Option<Expr>],
        left: Expr,
        right: Expr,
    ) -> Result<(), String> {
        let holds = self.ask_heap(|heap, context| {
            let is_same = heap.ref_eq(context.store, left, right);
            let mut holds = petrel_heap::not(context.store, is_same);
            for parent in parents.iter().flatten() {
                let is_nowhere = heap.ref_eq(context.store, *parent, Expr::Constant(0));
                holds = either(context.store, is_nowhere, holds);
            }
            holds
        });
        self.assume_truth(holds)
    }

    fn assume_truth(&mut self, holds: Expr) -> Result<(), String> {
        let conflict = || "no heap is like this".to_owned();
        match self.solver.store.simplify(truth(holds)) {
            Simplified::True => Ok(()),
            Simplified::False => Err(conflict()),
            Simplified::Open(open) => self.solver.store.assume(open).map_err(|_| conflict()),
        }
    }

    /// The method that says whether an object of a type is valid.
    fn invariant(&mut self, of: TypeId, name: Option<&str>) -> Result<MethodNumber, String> {
        let class = self.class(of).map_err(|Stop(reason)| reason.to_string())?;
        let wanted: &[&str] = match &name {
            Some(name) => std::slice::from_ref(name),
            None => &INVARIANTS,
        };
        for name in wanted {
            let found = class.lineage().find_map(|class| class.declared_method(name, "()Z"));
            if let Some(method) = found.filter(|method| !method.is_static()) {
                return Ok(self.method_number(&method));
            }
        }
        let names: Vec<String> = wanted.iter().map(|name| format!("boolean {name}()")).collect();
        Err(format!("{} has no method {}", class.name().replace('/', "."), names.join(" or ")))
    }

    /// The reference at a place of the initial heap with its static type, null if the path leads through
    /// null; and what the last field is of.
    fn place_of(&mut self, path: &AccessPath) -> Result<((Expr, TypeId), Option<Expr>), String> {
        let root = self.exploration.inputs.all.iter().find(|named| *named.name == *path.root);
        let Some(Named { value, of, .. }) = root.cloned() else {
            return Err(format!("there is no parameter {}", path.root));
        };
        if of.is_primitive() {
            return Err(format!("{} is no reference", path.root));
        }
        let mut at = (expr_of(value, Kind::Reference), of);
        let mut parent = None;
        for name in &path.fields {
            let (object, class) = at;
            let field = self.field_below(class, name)?;
            let of = self.exploration.unknown.fields.get(field).of;
            let sort @ Sort::Reference(_) = self.sort(of) else {
                return Err(format!("{name} of {} is no reference", self.types.java_name(class)));
            };
            for &constants in self.enums_of(of).iter() {
                self.prepare_class(constants).map_err(|reason| reason.to_string())?;
                self.learn_constants(constants).map_err(|Stop(reason)| reason.to_string())?;
            }
            let read = self.ask_heap(|heap, context| {
                let value = heap.get_field(context, object, field, sort)?;
                let is_null = heap.ref_eq(context.store, object, Expr::Constant(0));
                Ok(context.store.choose(Kind::Reference, is_null, Expr::Constant(0), value))
            });
            let read =
                read.map_err(|_: petrel_solver::Conflict| "no heap is like this".to_owned())?;
            parent = Some(object);
            at = (read, of);
        }
        Ok((at, parent))
    }

    /// The field of a name that objects of a type have.
    fn field_below(&mut self, class: TypeId, name: &str) -> Result<FieldId, String> {
        let no_field =
            |machine: &Self| format!("{} has no field {name}", machine.types.java_name(class));
        let Ok(loaded) = self.class(class) else { return Err(no_field(self)) };
        for declaring in loaded.lineage() {
            let field = declaring.fields().find(|field| !field.is_static() && field.name() == name);
            if let Some(field) = field {
                let id = self.types.of_name(declaring.name());
                let number =
                    self.instance_field_number(id, &field).map_err(|stop| stop.0.to_string())?;
                return Ok(number);
            }
        }
        Err(no_field(self))
    }
}
