//! Creation and loading (JVMS 5.3.5): a class after its supertypes.
//!
//! Supertypes are loaded with an explicit stack, so that a deep hierarchy cannot overflow ours. The
//! outcome of each class is entered into the program's table as soon as it is known. It is the
//! outcome that a search from that class alone would have, so that neither the order of requests
//! nor other threads can change it; for classes on a cycle, [`LoadError::in_subtype`] sees to that.

use std::sync::Arc;

use petrel_classfile::{ClassFile, ClassFileError, flags};
use rustc_hash::FxHashMap;

use crate::class::{Class, ClassParts, MAX_DEPTH};
use crate::error::{LoadError, SupertypeProblem};
use crate::members::{MemberKey, MemberTables};
use crate::names;
use crate::program::{Loaded, Origin, Program};

/// Loads a class that is not in the table yet.
pub(crate) fn load(program: &Program, name: Arc<str>) -> Loaded {
    Loading::new(program).run(Step::Need(name))
}

/// Loads a synthesised class.
pub(crate) fn define(program: &Program, bytes: Arc<[u8]>) -> Loaded {
    let place = "synthesised".to_owned();
    let file = ClassFile::parse_synthesised(Arc::clone(&bytes)).map_err(|error| {
        let name = error.class.as_deref().unwrap_or_default().into();
        LoadError::Malformed { name, origin: place.clone(), error: Box::new(error) }
    })?;
    let name: Arc<str> = file.name().into();
    if let Some(other) = program.provided(&name)? {
        return Err(LoadError::AlreadyDefined { name, origin: other.place });
    }
    let class = match program.known(&name) {
        Some(Ok(class)) => class,
        _ => {
            let source = Some(Arc::clone(&bytes));
            let pending =
                Pending::new(Arc::clone(&name), file, (place, Origin::Synthesised), source)?;
            let mut loading = Loading::new(program);
            let step = loading.advance(pending);
            loading.run(step)?
        }
    };
    if class.synthesised_from() == Some(&*bytes) {
        Ok(class)
    } else {
        Err(LoadError::AlreadyDefined { name, origin: class.place.clone() })
    }
}

/// What is to be done next.
enum Step {
    /// A class is wanted.
    Need(Arc<str>),
    /// The class that was wanted last is settled.
    Have(Loaded),
}

struct Loading<'p> {
    program: &'p Program,
    /// Each class is a direct supertype of the one before it.
    path: Vec<Pending>,
    /// Where in `path` a class is.
    on_path: FxHashMap<Arc<str>, usize>,
}

impl<'p> Loading<'p> {
    fn new(program: &'p Program) -> Loading<'p> {
        Loading { program, path: Vec::new(), on_path: FxHashMap::default() }
    }

    fn run(mut self, mut step: Step) -> Loaded {
        loop {
            step = match step {
                Step::Need(name) => self.need(name),
                Step::Have(outcome) => match self.path.pop() {
                    None => return outcome,
                    Some(pending) => self.resume(pending, outcome),
                },
            };
        }
    }

    fn need(&mut self, name: Arc<str>) -> Step {
        if let Some(&start) = self.on_path.get(&name) {
            return self.close_cycle(&name, start);
        }
        if let Some(outcome) = self.program.known(&name) {
            return Step::Have(outcome);
        }
        match self.read(&name) {
            Ok(pending) => self.advance(pending),
            Err(error) => Step::Have(self.program.record(&name, Err(error))),
        }
    }

    fn read(&self, name: &Arc<str>) -> Result<Pending, LoadError> {
        let missing = || LoadError::NotFound { name: Arc::clone(name), needed_by: None };
        let source = self.program.provided(name)?.ok_or_else(missing)?;
        match ClassFile::parse(source.bytes) {
            Ok(file) => Pending::new(Arc::clone(name), file, (source.place, source.origin), None),
            Err(error) => Err(malformed(name, &source.place, error)),
        }
    }

    /// Goes on with the next supertype, or with the class itself after the last one.
    fn advance(&mut self, pending: Pending) -> Step {
        match pending.next_supertype() {
            Some(name) => {
                self.on_path.insert(Arc::clone(&pending.name), self.path.len());
                self.path.push(pending);
                Step::Need(name)
            }
            None => {
                let (name, synthesised) = (Arc::clone(&pending.name), pending.is_synthesised());
                self.settle(&name, synthesised, pending.link().map(Arc::new))
            }
        }
    }

    fn resume(&mut self, mut pending: Pending, supertype: Loaded) -> Step {
        match pending.accept(supertype) {
            Ok(()) => self.advance(pending),
            Err(error) => {
                let synthesised = pending.is_synthesised();
                self.settle(&pending.name, synthesised, Err(error))
            }
        }
    }

    fn settle(&mut self, name: &Arc<str>, synthesised: bool, outcome: Loaded) -> Step {
        self.on_path.remove(name);
        Step::Have(if synthesised {
            self.program.record_synthetic(name, outcome)
        } else {
            self.program.record(name, outcome)
        })
    }

    /// The wanted class is at `start` of the path: it is its own supertype, as are all after it.
    fn close_cycle(&mut self, wanted: &Arc<str>, start: usize) -> Step {
        let mut cycle: Vec<_> = self.path.drain(start..).map(|pending| pending.name).collect();
        let least = cycle.iter().enumerate().min_by_key(|(_, name)| *name);
        let least = least.map_or(0, |(index, _)| index);
        cycle.rotate_left(least);
        let cycle: Arc<[Arc<str>]> = cycle.into();
        let circular = |name| LoadError::Circular { name, cycle: Arc::clone(&cycle) };
        for name in &*cycle {
            self.settle(name, false, Err(circular(Arc::clone(name))));
        }
        self.settle(wanted, false, Err(circular(Arc::clone(wanted))))
    }
}

fn malformed(name: &Arc<str>, origin: &str, error: ClassFileError) -> LoadError {
    let error = Box::new(error.in_class(name));
    LoadError::Malformed { name: Arc::clone(name), origin: origin.to_owned(), error }
}

/// A class whose supertypes are being loaded.
struct Pending {
    name: Arc<str>,
    file: ClassFile,
    tables: MemberTables,
    place: String,
    origin: Origin,
    synthesised_from: Option<Arc<[u8]>>,
    /// The superclass, if there is one, and the direct superinterfaces.
    supertype_names: Vec<Arc<str>>,
    /// Those loaded so far.
    supertypes: Vec<Arc<Class>>,
}

impl Pending {
    /// Checks what can be checked without the supertypes.
    fn new(
        name: Arc<str>,
        file: ClassFile,
        (place, origin): (String, Origin),
        synthesised_from: Option<Arc<[u8]>>,
    ) -> Result<Pending, LoadError> {
        if file.has_flags(flags::MODULE) {
            return Err(LoadError::Module { name: file.name().into(), origin: place });
        }
        if file.name() != &*name {
            let found = file.name().to_owned();
            return Err(LoadError::WrongName { name, found, origin: place });
        }
        let tables = check_interfaces(&file).and_then(|()| MemberTables::new(&file));
        let tables = tables.map_err(|error| malformed(&name, &place, error))?;
        let supertype_names = file.super_name().into_iter().chain(file.interfaces());
        let supertype_names = supertype_names.map(Arc::from).collect();
        let supertypes = Vec::new();
        Ok(Pending {
            name,
            file,
            tables,
            place,
            origin,
            synthesised_from,
            supertype_names,
            supertypes,
        })
    }

    fn is_synthesised(&self) -> bool {
        self.synthesised_from.is_some()
    }

    fn next_supertype(&self) -> Option<Arc<str>> {
        self.supertype_names.get(self.supertypes.len()).cloned()
    }

    /// Takes the supertype that was asked for last.
    fn accept(&mut self, supertype: Loaded) -> Result<(), LoadError> {
        let supertype = supertype.map_err(|error| error.in_subtype(&self.name))?;
        let is_superclass = self.supertypes.is_empty() && self.file.super_name().is_some();
        let problem = if is_superclass {
            self.superclass_problem(&supertype)
        } else {
            self.interface_problem(&supertype)
        };
        if let Some(problem) = problem {
            let (class, supertype) = (Arc::clone(&self.name), Arc::clone(supertype.shared_name()));
            return Err(LoadError::Supertype { class, supertype, problem });
        }
        self.supertypes.push(supertype);
        Ok(())
    }

    /// JVMS 5.3.5, step 3.
    fn superclass_problem(&self, class: &Class) -> Option<SupertypeProblem> {
        if class.is_interface() {
            Some(SupertypeProblem::SuperclassIsInterface)
        } else if class.file.has_flags(flags::FINAL) {
            Some(SupertypeProblem::SuperclassIsFinal)
        } else if !self.can_access(class) {
            Some(SupertypeProblem::SuperclassIsInaccessible)
        } else if !self.is_permitted_by(class) {
            Some(SupertypeProblem::SuperclassIsSealed)
        } else {
            None
        }
    }

    /// JVMS 5.3.5, step 4.
    fn interface_problem(&self, class: &Class) -> Option<SupertypeProblem> {
        if !class.is_interface() {
            Some(SupertypeProblem::InterfaceIsClass)
        } else if !self.can_access(class) {
            Some(SupertypeProblem::InterfaceIsInaccessible)
        } else if !self.is_permitted_by(class) {
            Some(SupertypeProblem::InterfaceIsSealed)
        } else {
            None
        }
    }

    /// JVMS 5.4.4, for classes.
    fn can_access(&self, class: &Class) -> bool {
        self.is_synthesised()
            || class.file.has_flags(flags::PUBLIC)
            || names::package(&self.name) == class.package()
    }

    fn is_permitted_by(&self, class: &Class) -> bool {
        let mut permitted = class.file.permitted_subclasses().peekable();
        self.is_synthesised()
            || permitted.peek().is_none()
            || permitted.any(|name| name == &*self.name)
    }

    /// Makes the class once all supertypes are there.
    fn link(self) -> Result<Class, LoadError> {
        let mut supertypes = self.supertypes.into_iter();
        let super_class = self.file.super_name().and_then(|_| supertypes.next());
        let class = Class::new(ClassParts {
            file: self.file,
            tables: self.tables,
            place: self.place,
            origin: self.origin,
            name: self.name,
            super_class,
            interfaces: supertypes.collect(),
            synthesised_from: self.synthesised_from,
        });
        if class.depth() > MAX_DEPTH {
            return Err(LoadError::TooDeep { name: Arc::clone(class.shared_name()) });
        }
        check_final_methods(&class)?;
        Ok(class)
    }
}

/// JVMS 4.1: what the header says about supertypes.
fn check_interfaces(file: &ClassFile) -> Result<(), ClassFileError> {
    if file.has_flags(flags::INTERFACE) && file.super_name() != Some("java/lang/Object") {
        return Err(ClassFileError::new("Interfaces must have java.lang.Object as superclass"));
    }
    let mut names: Vec<_> = file.interfaces().collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair.first() == pair.last()) {
        Some([name, _]) => Err(ClassFileError::new(format!("Duplicate interface name \"{name}\""))),
        _ => Ok(()),
    }
}

/// JVMS 5.3.5, step 3: no instance method overrides a final one of a superclass.
///
/// Nothing overrides a final method on the way, so that overriding is direct here (JVMS 5.4.5).
fn check_final_methods(class: &Class) -> Result<(), LoadError> {
    let unbound = flags::PRIVATE | flags::STATIC;
    for method in &class.file.methods {
        let name = class.file.method_name(method);
        if method.access_flags & unbound != 0 || name.starts_with('<') {
            continue;
        }
        let key = MemberKey::new(name, class.file.method_descriptor(method));
        let above = class.super_class().into_iter().flat_map(|superclass| superclass.lineage());
        let overridden = above.filter_map(|superclass| superclass.method_named(key));
        for other in overridden {
            let visible = other.flags() & (flags::PUBLIC | flags::PROTECTED) != 0
                || other.class().same_package(class);
            if other.is_final() && other.flags() & unbound == 0 && visible {
                return Err(LoadError::OverridesFinal {
                    class: Arc::clone(class.shared_name()),
                    supertype: Arc::clone(other.class().shared_name()),
                    method: format!("{}{}", other.name(), other.descriptor()),
                });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
