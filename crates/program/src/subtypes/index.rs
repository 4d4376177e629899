//! The class hierarchy of the project from above: which classes stand directly below a type.
//!
//! The index has every class of the project, and those classes of the JDK that stand above one. It
//! is built from the heads of class files. So it may have classes that cannot be loaded.

use std::collections::VecDeque;
use std::iter;
use std::sync::Arc;

use petrel_classfile::flags;
use rustc_hash::{FxHashMap, FxHashSet};

use super::ENUM;
use super::header::{self, Header};
use crate::program::Program;

/// Types by number, each with its direct subtypes.
#[derive(Debug, Default)]
pub(crate) struct Subtypes {
    types: Vec<Type>,
    numbers: FxHashMap<Arc<str>, usize>,
    /// The members that classes of the project mention, by their hashes.
    mentioned: FxHashSet<u64>,
    /// Whether there are classes that cannot be read.
    has_unknown: bool,
}

/// A class or interface of the index.
#[derive(Debug)]
pub(crate) struct Type {
    pub(crate) name: Arc<str>,
    /// Whether objects can have this very class; an enum counts for its constants. Only known of
    /// classes of the project.
    pub(crate) has_objects: bool,
    is_project: bool,
    is_enum: bool,
    /// Whether the project has lambdas or method references of this type.
    pub(crate) has_lambdas: bool,
    subtypes: Vec<usize>,
}

/// What to do with the classes that an enum's constants have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConstantBodies {
    /// They are classes like others.
    Apart,
    /// The enum stands for them.
    InEnum,
}

impl Subtypes {
    /// The index over the project's classes. Classes that cannot be read are left out.
    pub(crate) fn of(program: &Program) -> Subtypes {
        let mut index = Subtypes::default();
        for name in program.project_classes().unwrap_or_default() {
            let Ok(Some(found)) = program.provided(name) else {
                index.has_unknown = true;
                continue;
            };
            match header::read(&found.bytes).filter(|header| header.name == *name) {
                Some(header) => index.add_project_class(&header),
                None => index.has_unknown = true,
            }
        }
        index.add_platform(program);
        index
    }

    fn add_project_class(&mut self, header: &Header) {
        let number = self.number(&header.name);
        let class = &mut self.types[number];
        let without_objects = flags::ABSTRACT | flags::INTERFACE | flags::MODULE;
        class.is_project = true;
        class.is_enum = header.super_class.as_deref() == Some(ENUM);
        class.has_objects = class.is_enum || header.access_flags & without_objects == 0;
        self.add_below(number, header.super_class.iter().chain(&header.interfaces));
        self.mentioned.extend(&header.mentioned);
        for made in &header.made_at_call_sites {
            let number = self.number(made);
            self.types[number].has_lambdas = true;
        }
    }

    /// Whether a class of the project mentions a member with this name and descriptor, as far as its classes can be read.
    pub(crate) fn mentions(&self, name: &str, descriptor: &str) -> bool {
        self.has_unknown || self.mentioned.contains(&header::member_hash(name, descriptor))
    }

    /// Whether the project has lambdas or method references of this very type.
    pub(crate) fn has_lambdas(&self, name: &str) -> bool {
        self.numbers.get(name).is_some_and(|&number| self.types[number].has_lambdas)
    }

    /// Adds what stands above the types that are mentioned and not of the project.
    fn add_platform(&mut self, program: &Program) {
        let mut number = 0;
        while let Some(mentioned) = self.types.get(number) {
            if !mentioned.is_project
                && let Ok(class) = program.class(&mentioned.name)
            {
                let supertypes = class.super_class().into_iter().chain(class.interfaces());
                self.add_below(number, supertypes.map(|class| class.shared_name()));
            }
            number += 1;
        }
    }

    fn add_below<'a>(&mut self, number: usize, supertypes: impl Iterator<Item = &'a Arc<str>>) {
        for supertype in supertypes {
            let above = self.number(supertype);
            self.types[above].subtypes.push(number);
        }
    }

    fn number(&mut self, name: &Arc<str>) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.types.len();
        self.numbers.insert(Arc::clone(name), number);
        self.types.push(Type {
            name: Arc::clone(name),
            has_objects: false,
            is_project: false,
            is_enum: false,
            has_lambdas: false,
            subtypes: Vec::new(),
        });
        number
    }

    /// The project's classes below a type, each once with the number of steps to it, from the
    /// fewest steps on.
    pub(crate) fn below(
        &self,
        name: &str,
        bodies: ConstantBodies,
    ) -> impl Iterator<Item = (u32, &Type)> {
        let root = self.numbers.get(name).copied();
        // The root, too: class files can claim a circular hierarchy.
        let mut reached: FxHashSet<_> = root.into_iter().collect();
        let mut waiting: VecDeque<_> = root.map(|root| (0, root)).into_iter().collect();
        let types = iter::from_fn(move || {
            let (steps, number) = waiting.pop_front()?;
            let class = &self.types[number];
            if !(class.is_enum && bodies == ConstantBodies::InEnum) {
                let new = class.subtypes.iter().filter(|&&subtype| reached.insert(subtype));
                waiting.extend(new.map(|&subtype| (steps + 1, subtype)));
            }
            Some((steps, class))
        });
        types.skip(1).filter(|(_, class)| class.is_project)
    }
}
