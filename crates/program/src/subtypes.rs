//! Which classes an object can have whose static type is known.
//!
//! The class path is all there is of the project: classes that it does not have are not thought of.
//! Of the JDK, only a few classes are candidates whose objects have no state but one primitive
//! value; objects of the others cannot be made up field by field.
//!
//! Of the subtypes of a type, those matter most that the code under test casts to or checks for
//! ("Automatic Unit Test Generation", section 4.3.2).

use std::sync::Arc;

use petrel_classfile::flags;
use rustc_hash::FxHashSet;

use crate::class::Class;
use crate::hierarchy::reference;
use crate::members::ResolvedMethod;
use crate::names;
use crate::program::Program;

mod header;
mod hints;
mod index;

pub use hints::{Compared, Hints, checked_types};
use index::ConstantBodies;
pub(crate) use index::Subtypes;

const OBJECT: &str = "java/lang/Object";
const ENUM: &str = "java/lang/Enum";
const RECORD: &str = "java/lang/Record";
const INTEGER: &str = "java/lang/Integer";
/// Classes of the JDK whose objects can be made up: all that they have is an integer.
const BOXES: [&str; 6] = [
    INTEGER,
    "java/lang/Long",
    "java/lang/Short",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Boolean",
];

/// The classes that an object can have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Candidates {
    /// Internal names, or descriptors of array types; the most promising first.
    pub classes: Vec<Arc<str>>,
    /// Whether these are all. Classes that are made at run time, as for lambdas, do not count: see
    /// [`Program::lambda_types`].
    pub is_complete: bool,
}

impl Program {
    /// The classes that an object of static type `declared` can have, at most `most`. Types are
    /// internal names, or descriptors of array types.
    ///
    /// They come in this order: one for each type that the code checks for; the others of abstract
    /// types among these; `declared` itself; the project's classes below it, those of the package of
    /// the hints first, then by their distance from `declared`, then by name; `Integer` for types of
    /// the JDK that it has.
    ///
    /// An enum stands for its constants, whatever classes they have. Left out are classes of the JDK
    /// other than `Object` and boxes of integers, and classes of the project with fields that they
    /// inherit from the JDK (so all exceptions): their objects cannot be made up field by field.
    ///
    /// An array can have any element type below the declared one: of the abstract ones, only those
    /// that are declared or checked for are named.
    pub fn candidates(&self, declared: &str, hints: &Hints, most: usize) -> Candidates {
        let element = declared.trim_start_matches('[');
        let dimensions = &declared[..declared.len() - element.len()];
        let search = |element| Search {
            program: self,
            declared: element,
            package: &hints.package,
            in_array: !dimensions.is_empty(),
            most,
            found: Vec::new(),
            known: FxHashSet::default(),
            left_out: false,
        };
        if dimensions.is_empty() {
            return search(declared).run(hints.checked.iter().map(|hint| &**hint));
        }
        let Some(element) = reference(element) else {
            return Candidates { classes: vec![declared.into()], is_complete: true };
        };
        let checked = hints.checked.iter();
        let elements = checked.filter_map(|hint| reference(hint.strip_prefix(dimensions)?));
        let mut candidates = search(element).run(elements);
        for class in &mut candidates.classes {
            let is_array = class.starts_with('[');
            let (before, behind) = if is_array { ("", "") } else { ("L", ";") };
            *class = format!("{dimensions}{before}{class}{behind}").into();
        }
        candidates
    }

    /// Whether each object of this static type has exactly this class: it is not abstract, and has
    /// no subclass in the project, nor can have any in the JDK.
    pub fn is_leaf(&self, name: &str) -> bool {
        if let Some(component) = name.strip_prefix('[') {
            // Arrays of abstract classes are objects, too.
            return match reference(component) {
                None => true,
                Some(element) if element.starts_with('[') => self.is_leaf(element),
                Some(element) => self.has_no_other_class(element, |_| true),
            };
        }
        self.class(name).is_ok_and(|class| !class.is_abstract())
            && self.has_no_other_class(name, |class| class.has_objects)
    }

    /// Whether objects of this very class can be made up field by field: their state is in fields of the
    /// project alone.
    pub fn is_made_up(&self, class: &Arc<Class>) -> bool {
        let is_known = |class: &Arc<Class>| {
            matches!(class.name(), OBJECT | ENUM | RECORD)
                || self.is_project_class(class.name())
                || class.fields().all(|field| field.is_static())
        };
        class.name() == OBJECT
            || has_objects(class)
            && self.is_project_class(class.name())
            // Compilers make such classes, and make their objects where nobody else does.
            && !class.file.has_flags(flags::SYNTHETIC)
            && class.lineage().all(is_known)
    }

    /// Whether an object of this static type may be one that the class path has no class for: there is an
    /// interface or abstract class at or below it without a class whose objects can be made up.
    pub fn has_unimplemented(&self, name: &str) -> bool {
        let is_implemented = |name: &str| {
            let mut below = self.subtypes().below(name, ConstantBodies::InEnum);
            below.any(|(_, class)| {
                let is_made_up =
                    || self.class(&class.name).is_ok_and(|class| self.is_made_up(&class));
                class.has_objects && is_made_up()
            })
        };
        let is_abstract = self.class(name).is_ok_and(|class| class.is_abstract());
        let mut below = self.subtypes().below(name, ConstantBodies::InEnum);
        is_abstract
            && (!is_implemented(name)
                || !self.lambda_types(name).is_empty()
                || below.any(|(_, class)| !class.has_objects && !is_implemented(&class.name)))
    }

    /// The types at or below one of which the project has lambdas or method references: the nearest first, then by name.
    pub fn lambda_types(&self, name: &str) -> Vec<Arc<str>> {
        let subtypes = self.subtypes();
        let below = subtypes.below(name, ConstantBodies::InEnum);
        let mut found: Vec<(u32, &Arc<str>)> = below
            .filter(|(_, class)| class.has_lambdas)
            .map(|(steps, class)| (steps, &class.name))
            .collect();
        found.sort();
        let own = subtypes.has_lambdas(name).then(|| name.into());
        own.into_iter().chain(found.into_iter().map(|(_, name)| Arc::clone(name))).collect()
    }

    /// Whether code may call a method: a class of the project mentions one with its name and descriptor, or the class library
    /// knows it by a type above its class.
    pub fn may_be_called(&self, method: &ResolvedMethod) -> bool {
        let (name, descriptor) = (method.name(), method.descriptor());
        let class = method.class();
        // A private method that nobody mentions is there for reflection, as that of serialisation.
        if method.is_private() || !self.is_project_class(class.name()) {
            return true;
        }
        let above = class.lineage().skip(1).chain(class.all_interfaces());
        let mut of_library = above.filter(|above| !self.is_project_class(above.name()));
        let is_inherited = !method.is_static()
            && !method.is_constructor()
            && of_library.any(|above| above.declared_method(name, descriptor).is_some());
        is_inherited || self.subtypes().mentions(name, descriptor)
    }

    /// Whether no class below one is `relevant`, as far as its subclasses are known at all.
    fn has_no_other_class(&self, name: &str, relevant: impl Fn(&index::Type) -> bool) -> bool {
        let Ok(class) = self.class(name) else {
            return false;
        };
        if class.file.has_flags(flags::FINAL) || class.is_synthesised() {
            return true;
        }
        self.is_project_class(name)
            && !self.subtypes().below(name, ConstantBodies::Apart).any(|(_, class)| relevant(class))
    }
}

/// A search for candidates.
struct Search<'a> {
    program: &'a Program,
    declared: &'a str,
    package: &'a str,
    /// The classes are wanted as element types of arrays.
    in_array: bool,
    most: usize,
    found: Vec<Arc<str>>,
    /// What is in `found`.
    known: FxHashSet<Arc<str>>,
    /// Whether objects can have other classes.
    left_out: bool,
}

/// What a class is worth as a candidate.
enum Verdict {
    Candidate,
    /// No object of the declared type has this class.
    Impossible,
    /// There are objects of this class, but they cannot be made up.
    Unsupported,
}

impl Search<'_> {
    fn run<'h>(mut self, hints: impl Iterator<Item = &'h str>) -> Candidates {
        let Ok(class) = self.program.class(self.declared) else {
            return Candidates::default();
        };
        self.left_out = !self.shows_all_subclasses(&class);
        // What the declared type is anyway tells nothing.
        let hints =
            hints.filter(|hint| self.program.is_assignable(self.declared, hint) != Ok(true));
        let mut hinted: Vec<_> = hints.map(|hint| self.classes_of_hint(hint).into_iter()).collect();
        for classes in &mut hinted {
            let _found = classes.any(|class| self.offer(&class));
        }
        for class in hinted.into_iter().flatten() {
            self.offer(&class);
        }
        self.offer(class.shared_name());
        if !class.file.has_flags(flags::FINAL) {
            for class in self.subclasses(self.declared) {
                self.offer(&class);
            }
        }
        Candidates { classes: self.found, is_complete: !self.left_out }
    }

    /// Whether the project has all classes that stand below this one.
    fn shows_all_subclasses(&self, class: &Class) -> bool {
        self.program.is_project_class(class.name())
            || BOXES.contains(&class.name())
            || self.in_array && class.file.has_flags(flags::FINAL)
    }

    /// The classes with which a check for the type succeeds.
    fn classes_of_hint(&mut self, hint: &str) -> Vec<Arc<str>> {
        let is_class = self.in_array
            || hint.starts_with('[')
            || self.program.class(hint).is_ok_and(|class| has_objects(&class));
        if is_class { vec![hint.into()] } else { self.subclasses(hint) }
    }

    /// What stands below a type, the most promising first.
    fn subclasses(&mut self, name: &str) -> Vec<Arc<str>> {
        let mut below: Vec<_> =
            self.program.subtypes().below(name, ConstantBodies::InEnum).collect();
        if self.in_array {
            self.left_out |= below.iter().any(|(_, class)| !class.has_objects);
        }
        below.retain(|(_, class)| class.has_objects);
        below.sort_by_cached_key(|(steps, class)| {
            (names::package(&class.name) != self.package, *steps, &class.name)
        });
        let mut classes: Vec<_> = below.iter().map(|(_, class)| Arc::clone(&class.name)).collect();
        if name != OBJECT && self.program.is_assignable(INTEGER, name) == Ok(true) {
            classes.push(INTEGER.into());
        }
        classes
    }

    /// Takes a class if it is a candidate and there is room; tells whether it is among those found.
    fn offer(&mut self, name: &Arc<str>) -> bool {
        if self.known.contains(name) {
            return true;
        }
        let is_full = self.found.len() >= self.most;
        if is_full && self.left_out {
            // Nothing can change any more, and judging would load the class.
            return false;
        }
        let verdict = self.judge(name);
        let is_taken = matches!(verdict, Verdict::Candidate) && !is_full;
        if is_taken {
            self.found.push(Arc::clone(name));
            self.known.insert(Arc::clone(name));
        } else {
            self.left_out |= !matches!(verdict, Verdict::Impossible);
        }
        is_taken
    }

    fn judge(&self, name: &str) -> Verdict {
        if self.program.is_assignable(name, self.declared) != Ok(true) {
            return Verdict::Impossible;
        }
        // An array has no state but its elements, which have candidates of their own.
        if self.in_array || name.starts_with('[') {
            return Verdict::Candidate;
        }
        match self.program.class(name) {
            Ok(class) if has_objects(&class) && self.can_be_made_up(&class) => Verdict::Candidate,
            Ok(class) if has_objects(&class) => Verdict::Unsupported,
            _ => Verdict::Impossible,
        }
    }

    fn can_be_made_up(&self, class: &Arc<Class>) -> bool {
        BOXES.contains(&class.name()) || self.program.is_made_up(class)
    }
}

/// Whether objects can have this very class; an enum counts for its constants.
fn has_objects(class: &Class) -> bool {
    !class.is_abstract() || class.super_class().is_some_and(|above| above.name() == ENUM)
}

#[cfg(test)]
mod tests;
