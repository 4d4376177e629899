//! Which objects are made for an unknown of a static type, and of which classes.

use std::rc::Rc;
use std::sync::Arc;

use petrel_expression::{Expression, Node};
use petrel_heap::{ClassId, Known};

use super::surroundings::Surroundings;
use crate::exploration::explore::Objects;
use crate::exploration::made::{Made, Origin, Stub, recipes, recipes_of_project, usual_classes};
use crate::machine::{Body, Extent, LeftOut, Reference, TypeId};

/// So many inputs that were made before are tried for another one.
const MOST_SHARED: usize = 16;

/// An object that may be made: its class, and how.
pub(in crate::exploration) type Candidate = (TypeId, Origin);

/// Whether something is an argument, a field or an element of an array.
fn is_plain(name: &Expression) -> bool {
    matches!(name.node(), Node::Name(_) | Node::Member(..) | Node::Element(..))
}

impl Surroundings<'_> {
    /// The objects that an unknown may be: constants of an enum, or objects that are made for it.
    pub(super) fn objects_for(&mut self, static_type: ClassId, name: &Expression) -> Vec<Known> {
        let (erased, arguments) = self.static_types.get(static_type);
        if let Some(constants) = self.classes.constants.get(&erased) {
            return constants.to_vec();
        }
        if erased == TypeId::CLASS {
            let of = arguments.first().map(|&of| self.static_types.get(of).0);
            let is_enum = of.is_some_and(|of| &*self.types.get(of).name == "java/lang/Enum");
            let objects = &self.classes.class_objects;
            if let Some(&known) = of.and_then(|of| objects.of_project.get(&of)) {
                return vec![known];
            }
            if is_enum {
                return objects.enums.clone();
            }
            let mut objects = objects.others.clone();
            let mut shared = self.shared_objects(erased, name);
            shared.retain(|known| !objects.contains(known));
            objects.append(&mut shared);
            return objects;
        }
        let mut objects = Vec::new();
        for constants in self.classes.enums.get(&erased).iter().flat_map(|enums| enums.iter()) {
            objects.extend(self.classes.constants.get(constants).iter().flat_map(|all| all.iter()));
        }
        let is_anything = erased == TypeId::OBJECT && !arguments.is_empty();
        if self.may_be_class_object(erased) {
            objects.extend(self.classes.class_objects.others.iter().copied());
        }
        let mut candidates = self.made_candidates(erased).to_vec();
        if is_anything {
            // Collections of collections without end are nobody's input.
            candidates.retain(
                |(_, origin)| !matches!(origin, Origin::Built(recipe) if recipe.add.is_some()),
            );
            if !candidates.iter().any(|&(class, _)| class == TypeId::STRING) {
                candidates.push((TypeId::STRING, Origin::Text));
            }
        }
        let classes = self.extent_of_classes(erased);
        let instead: Rc<[Reference]> = self.made_before(erased, name).into();
        for (class, origin) in &candidates {
            let object = self.heap.add(*class, Body::Unmade);
            let (name, arguments) = (name.clone(), Rc::clone(&arguments));
            let (origin, classes) = (origin.clone(), classes.clone());
            let contents = match &origin {
                Origin::Built(recipe) => recipe.extent.clone(),
                // What is unknown of them says for itself whether it is all.
                Origin::Text | Origin::Box(_) | Origin::Stub(_) => Extent::All,
            };
            let (of, instead) = (erased, Rc::clone(&instead));
            self.made.add(Made { object, name, origin, of, arguments, classes, contents, instead });
            objects.push(Known(object.0));
        }
        objects.extend(instead.iter().map(|earlier| Known(earlier.0)));
        objects.extend(self.shared_objects(erased, name));
        objects
    }

    /// Whether the code asks of an unknown of a wider static type if it is a `Class`.
    fn may_be_class_object(&mut self, of: TypeId) -> bool {
        let hints = &self.classes.hints;
        hints.checked.iter().any(|checked| **checked == *"java/lang/Class")
            && self.types.is_subtype(self.program, TypeId::CLASS, of)
    }

    /// Objects that the program has already and that an argument, a field or an element of a type may be.
    fn shared_objects(&mut self, of: TypeId, name: &Expression) -> Vec<Known> {
        if !is_plain(name) {
            return Vec::new();
        }
        let (heap, types, program) = (&*self.heap, &mut *self.types, self.program);
        let shared = self.classes.shared.iter().map(|&(object, _)| object);
        let fitting = shared.filter(|&object| types.is_subtype(program, heap.class(object), of));
        fitting.map(|object| Known(object.0)).collect()
    }

    /// Inputs that were made before and that an argument, a field or an element may be, too, if the code asks whether two references are the
    /// same, or changes such objects: the last ones.
    fn made_before(&mut self, of: TypeId, name: &Expression) -> Vec<Reference> {
        if !is_plain(name) {
            return Vec::new();
        }
        // An object that calls build is there after its parts: it is none of them.
        let earlier: Vec<Reference> = self.made.objects_without(name).collect();
        let (heap, types, program) = (&*self.heap, &mut *self.types, self.program);
        let fits =
            earlier.into_iter().filter(|&object| types.is_subtype(program, heap.class(object), of));
        let fitting: Vec<Reference> = fits.take(MOST_SHARED).collect();
        let hints = &self.classes.hints;
        let may_tell = hints.compares_references || !fitting.is_empty() && self.is_changed(of);
        if may_tell { fitting } else { Vec::new() }
    }

    /// Whether the code changes objects that an unknown of a library type may be.
    fn is_changed(&mut self, of: TypeId) -> bool {
        if let Some(&known) = self.classes.changed.get(&of) {
            return known;
        }
        let name = &self.types.get(of).name;
        let is_below = |one: &str, other: &str| self.program.is_assignable(one, other) == Ok(true);
        let is_value = of == TypeId::STRING || petrel_value::unboxed(name).is_some();
        let mut changed = self.classes.hints.changed.iter();
        let is_changed =
            !is_value && changed.any(|class| is_below(class, name) || is_below(name, class));
        self.classes.changed.insert(of, is_changed);
        is_changed
    }

    /// Whether what is made for a static type has all classes that its objects may have.
    fn extent_of_classes(&mut self, of: TypeId) -> Extent {
        if self.is_final(of) {
            return Extent::All;
        }
        let is_of_project = self.program.is_project_class(&self.types.get(of).name);
        Extent::Some(if is_of_project { LeftOut::Classes } else { LeftOut::LibraryClasses })
    }

    /// Whether the project has lambdas of a type of its own that no stub stands for.
    pub(super) fn has_untried_lambdas(&mut self, of: TypeId) -> bool {
        let name = Arc::clone(&self.types.get(of).name);
        let n_lambdas = match self.program.is_project_class(&name) {
            true => self.program.lambda_types(&name).len(),
            false => 0,
        };
        let is_stub = |(_, origin): &&Candidate| matches!(origin, Origin::Stub(_));
        n_lambdas > 0 && self.made_candidates(of).iter().filter(is_stub).count() < n_lambdas
    }

    /// What is made for a static type, the likeliest first.
    pub(super) fn made_candidates(&mut self, of: TypeId) -> Rc<[Candidate]> {
        if let Some(known) = self.classes.made.get(&of) {
            return Rc::clone(known);
        }
        let found: Rc<[Candidate]> = self.find_made(of).into();
        self.classes.made.insert(of, Rc::clone(&found));
        found
    }

    fn find_made(&mut self, of: TypeId) -> Vec<Candidate> {
        if of.is_primitive() || self.types.get(of).component.is_some() {
            return Vec::new();
        }
        if of == TypeId::CLASS {
            return Vec::new();
        }
        let name = Rc::<str>::from(&*self.types.get(of).name);
        let mut found = Vec::new();
        self.add_built(&name, &mut found);
        let n_built = found.len();
        // What the code checks for comes first.
        let hints: Vec<_> = self.classes.hints.checked.clone();
        for hint in hints.iter().filter(|hint| !hint.starts_with('[')) {
            if **hint == *name || self.program.is_assignable(hint, &name) != Ok(true) {
                continue;
            }
            match usual_classes(hint) {
                [] => self.add_made(hint, &mut found),
                usual => usual.iter().for_each(|class| self.add_made(class, &mut found)),
            }
        }
        for class in usual_classes(&name) {
            self.add_made(class, &mut found);
        }
        if usual_classes(&name).is_empty() {
            self.add_made(&name, &mut found);
        }
        if self.program.is_project_class(&name) {
            // What a lambda of the project does, a stub may do.
            for lambda in self.program.lambda_types(&name).iter().take(self.classes.most) {
                self.add_stub(lambda, &mut found);
            }
        }
        found.truncate(self.classes.most.max(n_built));
        found
    }

    /// Objects of the project's classes at or below a type, if calls build them.
    fn add_built(&mut self, name: &str, found: &mut Vec<Candidate>) {
        let Objects::Calls(most) = self.classes.objects else { return };
        let candidates = self.program.candidates(name, &self.classes.hints, self.classes.most);
        for name in candidates.classes {
            let id = self.types.of_name(&name);
            let Ok(class) = self.types.class(self.program, id) else { continue };
            let (package, fields) = (&self.classes.hints.package, &self.classes.fields_read);
            let recipes = recipes_of_project(self.program, &class, package, most, fields);
            found.extend(recipes.into_iter().map(|recipe| (id, Origin::Built(recipe.into()))));
        }
    }

    fn add_made(&mut self, name: &str, found: &mut Vec<Candidate>) {
        let id = self.types.of_name(name);
        if found.iter().any(|&(known, _)| known == id) {
            return;
        }
        if id == TypeId::STRING {
            found.push((id, Origin::Text));
            return;
        }
        if let Some(primitive) = petrel_value::unboxed(name) {
            let primitive = self.types.of_descriptor(&primitive.to_string());
            found.push((id, Origin::Box(primitive)));
            return;
        }
        let Ok(class) = self.types.class(self.program, id) else { return };
        let is_enum = class.lineage().any(|class| class.name() == "java/lang/Enum");
        if is_enum || self.program.is_made_up(&class) {
            // Its constants, or its fields, are the input.
            return;
        }
        let recipes = recipes(self.program, name, &self.classes.hints.package);
        if !recipes.is_empty() {
            found.extend(recipes.into_iter().map(|recipe| (id, Origin::Built(recipe.into()))));
            return;
        }
        if class.is_abstract() && self.is_stubbed(&class) {
            self.add_stub(name, found);
        }
    }

    fn add_stub(&mut self, name: &str, found: &mut Vec<Candidate>) {
        let Some(stub) = petrel_translate::stub::stub(self.program, name) else { return };
        let id = self.types.of_name(stub.class.name());
        if found.iter().any(|&(known, _)| known == id) {
            return;
        }
        let stub = Stub::new(stub);
        found.extend(stub.map(|stub| (id, Origin::Stub(stub.into()))));
    }

    /// Whether an interface or abstract class is implemented by answers: a functional one of the class library
    /// always, as a lambda is; another one if the class path has nothing that implements it.
    fn is_stubbed(&mut self, class: &std::sync::Arc<petrel_program::Class>) -> bool {
        let of_library = !self.program.is_project_class(class.name());
        if of_library && petrel_translate::stub::is_functional(class) {
            return true;
        }
        let candidates = self.program.candidates(class.name(), &self.classes.hints, 1);
        candidates.classes.is_empty()
    }
}
