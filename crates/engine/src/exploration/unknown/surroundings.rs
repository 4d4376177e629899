//! What the heap solver asks of the machine: objects that are known, and classes.

use std::rc::Rc;
use std::sync::Arc;

use petrel_clp::Kind;
use petrel_expression::Expression;
use petrel_heap::{ClassId, ClassSet, FieldId, Known, World};
use petrel_program::Program;
use petrel_solver::{Expr, Store};

use super::{Classes, Fields};
use crate::exploration::choose::{expr_of, value_of};
use crate::exploration::explore::Objects;
use crate::exploration::made::{MadeInputs, StaticTypes, usual_classes};
use crate::exploration::unknown::fields::kind_of;
use crate::machine::{Heap, Reference, TypeId, Types, Value};

/// Classes below a type that the code asks for.
const MOST_BELOW_HINT: usize = 2;

pub(super) struct Surroundings<'a> {
    pub(super) heap: &'a mut Heap,
    pub(super) types: &'a mut Types,
    pub(super) program: &'a Program,
    pub(super) fields: &'a Fields,
    pub(super) classes: &'a mut Classes,
    pub(super) made: &'a mut MadeInputs,
    pub(super) static_types: &'a StaticTypes,
}

fn reference(known: Known) -> Reference {
    Reference(known.0)
}

/// The elements of an array of known length.
pub(super) fn element_exprs(heap: &Heap, array: Reference, kind: Kind) -> Rc<[Expr]> {
    (0..heap.length(array)).map(|at| expr_of(heap.get_element(array, at), kind)).collect()
}

impl Surroundings<'_> {
    fn has_field(&mut self, object: Known, field: FieldId) -> bool {
        let class = self.heap.class(reference(object));
        self.types.is_subtype(self.program, class, self.fields.get(field).class)
    }

    /// What the elements of an array are computed with.
    fn element_kind(&self, array: Known) -> Option<Kind> {
        let class = self.heap.class(reference(array));
        self.types.get(class).component.map(|(component, _)| kind_of(component))
    }
}

impl World for Surroundings<'_> {
    fn field(&mut self, object: Known, field: FieldId) -> Expr {
        if !self.has_field(object, field) {
            return Expr::Constant(0);
        }
        let field = self.fields.get(field);
        expr_of(self.heap.get_field(reference(object), field.slot), kind_of(field.of))
    }

    fn set_field(&mut self, object: Known, field: FieldId, value: Expr) {
        if self.has_field(object, field) {
            let field = self.fields.get(field);
            let value = value_of(value, kind_of(field.of));
            self.heap.set_field(reference(object), field.slot, value);
        }
    }

    fn length(&mut self, array: Known) -> Expr {
        match self.heap.known_length(reference(array)) {
            Ok(length) => Expr::Constant(length as i64),
            Err(length) => expr_of(length, Kind::Int),
        }
    }

    fn element(&mut self, store: &mut Store, array: Known, index: Expr) -> Expr {
        let Some(kind) = self.element_kind(array) else { return Expr::Constant(0) };
        let array = reference(array);
        let length = self.heap.length(array);
        if let Expr::Constant(index) = store.fixed(index) {
            let index = usize::try_from(index).ok().filter(|&index| index < length);
            let element = index.map(|index| expr_of(self.heap.get_element(array, index), kind));
            return element.unwrap_or(Expr::Constant(0));
        }
        store.select(kind, element_exprs(self.heap, array, kind), index)
    }

    fn set_element(
        &mut self,
        store: &mut Store,
        array: Known,
        index: Expr,
        condition: Expr,
        value: Expr,
    ) {
        let Some(kind) = self.element_kind(array) else { return };
        let array = reference(array);
        let length = self.heap.length(array) as i64;
        let (low, high) = store.interval(index);
        for at in low.max(0)..=high.min(length - 1) {
            let here = Expr::Constant(at);
            let is_here =
                petrel_solver::Constraint::int(index, petrel_clp::Comparison::Equal, here);
            let is_here = store.test(&is_here);
            let applies = petrel_heap::both(store, condition, is_here);
            let old = expr_of(self.heap.get_element(array, at as usize), kind);
            let new = store.choose(kind, applies, value, old);
            if new != old {
                self.heap.set_element(array, at as usize, value_of(new, kind));
            }
        }
    }

    fn is_logged(&self, array: Known) -> bool {
        self.heap.known_length(reference(array)).is_err()
    }

    fn new_row(&mut self, array: Known) -> Option<Known> {
        self.heap.add_row(self.types, reference(array)).map(|row| Known(row.0))
    }

    fn class(&self, object: Known) -> ClassId {
        ClassId(self.heap.class(reference(object)).0)
    }

    fn candidates(&mut self, static_type: ClassId) -> ClassSet {
        let (of, arguments) = self.static_types.get(static_type);
        if of == TypeId::OBJECT && !arguments.is_empty() {
            // Whoever fills a collection of anything takes something that tells itself from others.
            return ClassSet::some(self.hinted_candidates());
        }
        let classes = self.classes_of(of);
        if self.has_learned_constants(of) {
            return classes;
        }
        // Asked too early, where constants of enums are not there yet.
        if classes.is_empty() {
            self.classes.opaque.insert(of);
            return ClassSet::some([ClassId(of.0)]);
        }
        ClassSet::some(classes.to_vec())
    }

    fn component(&mut self, class: ClassId) -> Option<ClassId> {
        let (component, _) = self.types.get(TypeId(class.0)).component?;
        (!component.is_primitive()).then_some(ClassId(component.0))
    }

    fn is_subtype(&mut self, class: ClassId, of: ClassId) -> bool {
        let (class, of) = (TypeId(class.0), TypeId(of.0));
        let is_below = self.types.is_subtype(self.program, class, of);
        if !is_below && self.classes.opaque.contains(&class) {
            self.classes.is_opaque_met = true;
        }
        is_below
    }

    fn objects(&mut self, static_type: ClassId, name: &Expression) -> Vec<Known> {
        self.objects_for(static_type, name)
    }

    fn field_name(&self, field: FieldId) -> Rc<str> {
        Rc::clone(&self.fields.get(field).name)
    }
}

impl Surroundings<'_> {
    /// The classes that objects of a static type may have, constants of enums apart.
    fn classes_of(&mut self, of: TypeId) -> ClassSet {
        if let Some(known) = self.classes.candidates.get(&of) {
            return known.clone();
        }
        let found = self.find_candidates(of);
        self.classes.candidates.insert(of, found.clone());
        found
    }

    /// Whether the constants of enums that an unknown of a static type may be are known.
    fn has_learned_constants(&mut self, of: TypeId) -> bool {
        let enums = self.enums_of(of);
        enums.iter().all(|of| self.classes.constants.contains_key(of))
    }

    fn find_candidates(&mut self, of: TypeId) -> ClassSet {
        if let Some((component, _)) = self.types.get(of).component {
            return self.array_candidates(of, component);
        }
        if self.is_enum(of) {
            return ClassSet::all([]);
        }
        if of == TypeId::CLASS {
            // Its objects are known; there are more than are tried.
            return ClassSet::some([]);
        }
        let name = Rc::<str>::from(&*self.types.get(of).name);
        let found = self.program.candidates(&name, &self.classes.hints, self.classes.most);
        if !found.is_complete || self.has_untried_lambdas(of) {
            self.classes.incomplete.insert(of);
        }
        let is_usual = of == TypeId::OBJECT || !usual_classes(&name).is_empty();
        if of == TypeId::OBJECT {
            // Nobody tries them all.
            self.classes.incomplete.insert(of);
        }
        let mut classes = Vec::new();
        let below_hints = if is_usual { self.below_hints(&name) } else { Vec::new() };
        for name in found.classes.iter().chain(&below_hints) {
            let id = self.types.of_name(name);
            // Of types that everybody knows, the project's own classes are a matter of their own: only those
            // are tried that the code asks for.
            let is_wanted = !is_usual
                || id == TypeId::OBJECT
                || self.classes.hints.checked.contains(name)
                || below_hints.contains(name);
            if classes.contains(&ClassId(id.0)) {
                continue;
            }
            if is_wanted && self.is_made_up(id) && !self.is_built(id) {
                classes.push(ClassId(id.0));
            } else if is_wanted && self.is_enum(id) {
                // Its constants are among the objects.
            } else {
                self.classes.incomplete.insert(of);
            }
        }
        let has_constants = !self.enums_of(of).is_empty();
        let is_all = !self.classes.incomplete.contains(&of) || self.is_final(of);
        if classes.is_empty() && (has_constants || !self.made_candidates(of).is_empty()) {
            return if is_all { ClassSet::all([]) } else { ClassSet::some([]) };
        }
        if classes.is_empty() {
            // It can be referred to; there is nothing else to be done with it.
            self.classes.opaque.insert(of);
            return ClassSet::some([ClassId(of.0)]);
        }
        if is_all { ClassSet::all(classes) } else { ClassSet::some(classes) }
    }

    /// The project's classes below the types that the code under test asks for and that have none of their own: some
    /// of each.
    fn below_hints(&mut self, of: &str) -> Vec<Arc<str>> {
        let hints = &self.classes.hints;
        let of_project = hints.checked.iter().filter(|hint| self.program.is_project_class(hint));
        let below = of_project.filter(|hint| self.program.is_assignable(hint, of) == Ok(true));
        let is_abstract =
            |hint: &&Arc<str>| self.program.class(hint).is_ok_and(|class| class.is_abstract());
        let candidates = below
            .filter(is_abstract)
            .take(self.classes.most)
            .flat_map(|hint| self.program.candidates(hint, hints, MOST_BELOW_HINT).classes);
        candidates.take(self.classes.most).collect()
    }

    /// The project's classes that the code under test asks for.
    fn hinted_candidates(&mut self) -> Vec<ClassId> {
        let hints = self.classes.hints.checked.clone();
        let names = hints.iter().filter(|hint| !hint.starts_with('['));
        let mut found = Vec::new();
        for name in names.take(self.classes.most) {
            let id = self.types.of_name(name);
            let class = self.types.class(self.program, id);
            if class.is_ok_and(|class| self.program.is_made_up(&class)) && self.is_made_up(id) {
                found.push(ClassId(id.0));
            }
        }
        found
    }

    /// Whether calls build the objects of a class.
    fn is_built(&self, id: TypeId) -> bool {
        self.classes.objects != Objects::Fields && self.types.get(id).component.is_none()
    }

    /// Whether objects of a class can be made up from their fields. Constants of enums exist once, and
    /// boxes of small numbers are shared.
    fn is_made_up(&mut self, id: TypeId) -> bool {
        if self.types.get(id).component.is_some() {
            return true;
        }
        petrel_value::unboxed(&self.types.get(id).name).is_none()
            && self.types.class(self.program, id).is_ok()
            && !self.is_enum(id)
    }

    pub(super) fn is_enum(&mut self, id: TypeId) -> bool {
        self.types.is_enum(self.program, id)
    }

    /// Whether a class has none below it.
    pub(super) fn is_final(&mut self, id: TypeId) -> bool {
        let class = self.types.class(self.program, id);
        class.is_ok_and(|class| class.file.has_flags(petrel_classfile::flags::FINAL))
    }

    /// An array has its static type, or elements of one of the classes of its elements.
    fn array_candidates(&mut self, of: TypeId, component: TypeId) -> ClassSet {
        let mut classes = vec![ClassId(of.0)];
        if component.is_primitive() {
            return ClassSet::all(classes);
        }
        if self.is_enum(component) {
            return ClassSet::all(classes);
        }
        let components = self.classes_of(component);
        let mut is_all = components.is_all() && self.made_candidates(component).is_empty();
        // Elements can have types without objects of their own, too.
        let name = Rc::<str>::from(&*self.types.get(of).name);
        is_all &= self.program.candidates(&name, &self.classes.hints, usize::MAX).is_complete;
        let enums = self.enums_of(component);
        let hints = self.classes.hints.checked.clone();
        let hinted = hints.iter().filter(|hint| hint.starts_with('['));
        for hint in hinted.take(self.classes.most) {
            let array = self.types.of_name(hint);
            if self.types.is_subtype(self.program, array, of)
                && !classes.contains(&ClassId(array.0))
            {
                classes.push(ClassId(array.0));
            }
        }
        for class in components.iter().map(|class| TypeId(class.0)).chain(enums.iter().copied()) {
            if self.classes.opaque.contains(&class) {
                is_all = false;
                continue;
            }
            let array = ClassId(self.types.array_of(class).0);
            if classes.contains(&array) {
                continue;
            }
            if classes.len() < self.classes.most {
                classes.push(array);
            } else {
                is_all = false;
            }
        }
        is_all |= self.is_final(component);
        if is_all { ClassSet::all(classes) } else { ClassSet::some(classes) }
    }
}

impl Heap {
    /// The length of an array; what it is as a term, if it is one.
    pub(crate) fn known_length(&self, array: Reference) -> Result<usize, Value> {
        match &self.object(array).body {
            crate::machine::Body::Logged(array) => Err(array.length),
            body => Ok(body.length()),
        }
    }
}
