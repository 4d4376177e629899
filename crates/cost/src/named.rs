//! Which methods the names in a cost model mean.
//!
//! A name with a class means the methods that the class declares or inherits, and those that override
//! them. What decides is the method that runs, not the class that the calling code names: a call
//! through an interface counts as a call of the method that it selects.
//!
//! A bridge, which compilers add where a method overrides one with other types, never counts by name:
//! it calls the method that the source shows, which counts.

use petrel_classfile::{MethodDescriptor, flags};
use petrel_clp::MethodRef;
use petrel_program::{Program, ResolvedMethod};

use crate::method_name::MethodName;

/// The methods that a name means.
#[derive(Debug)]
pub(crate) struct NamedMethods {
    name: MethodName,
    /// The methods of the class that the name has; `None` if it has none, and any class is meant.
    roots: Option<Vec<ResolvedMethod>>,
}

/// How well a name fits a method; greater is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fit {
    kind: FitKind,
    has_descriptor: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum FitKind {
    /// By the name alone.
    AnyClass,
    /// It overrides one that is meant.
    Overrides,
    /// It is one that is meant.
    Same,
}

impl NamedMethods {
    pub(crate) fn new(program: &Program, name: &MethodName) -> NamedMethods {
        let roots = name.class.as_deref().map(|class| {
            let mut roots = Vec::new();
            for class in classes_named(program, class) {
                add_roots(program, &class, name, &mut roots);
            }
            roots
        });
        NamedMethods { name: name.clone(), roots }
    }

    /// The name as the user wrote it.
    pub(crate) fn text(&self) -> &str {
        &self.name.text
    }

    /// How well the name fits a method; `None` if it means others.
    pub(crate) fn fit(&self, method: &ResolvedMethod) -> Option<Fit> {
        if method.name() != &*self.name.name || is_bridge(method) || stands_for_site(method) {
            return None;
        }
        let has_descriptor = self.name.descriptor.is_some();
        let Some(roots) = &self.roots else {
            let is_meant =
                self.name.descriptor.as_deref().is_none_or(|wanted| wanted == method.descriptor());
            return is_meant.then_some(Fit { kind: FitKind::AnyClass, has_descriptor });
        };
        let kinds = roots.iter().filter_map(|root| {
            if root == method {
                Some(FitKind::Same)
            } else {
                overrides(method, root).then_some(FitKind::Overrides)
            }
        });
        kinds.max().map(|kind| Fit { kind, has_descriptor })
    }

    /// What is wrong with a name that means no method.
    pub(crate) fn problem(&self, program: &Program) -> Option<String> {
        let roots = self.roots.as_ref()?;
        if !roots.is_empty() {
            return None;
        }
        let class = self.name.class.as_deref()?;
        let shown = class.replace('/', ".");
        let classes = classes_named(program, class);
        let Some(found) = classes.first().and_then(|class| program.class(class).ok()) else {
            return Some(no_such_class(&shown));
        };
        let known: Vec<String> = found
            .methods()
            .map(|method| format!("{}{}", method.name(), method.descriptor()))
            .collect();
        Some(format!("class {shown} has no such method; it has {}", known.join(", ")))
    }
}

/// The message about a class that is not there.
pub(crate) fn no_such_class(name: &str) -> String {
    format!("there is no class {name}; classes of libraries are named with their packages")
}

/// The classes that a name in internal form means: the one with that name, and if it has no package,
/// those of the project with that simple name.
pub(crate) fn classes_named(program: &Program, name: &str) -> Vec<String> {
    let mut classes = Vec::new();
    if program.class(name).is_ok() {
        classes.push(name.to_owned());
    }
    if !name.contains('/') {
        let project = program.project_classes().unwrap_or_default();
        let same_name = project
            .iter()
            .filter(|class| class.rsplit_once('/').is_some_and(|(_, simple)| simple == name));
        classes.extend(same_name.map(|class| class.to_string()));
    }
    classes
}

/// Adds the methods with a name that a class declares or inherits.
fn add_roots(program: &Program, class: &str, name: &MethodName, roots: &mut Vec<ResolvedMethod>) {
    let Ok(class) = program.class(class) else { return };
    let mut seen: Vec<String> = Vec::new();
    for declaring in class.lineage().chain(class.all_interfaces()) {
        let is_own = declaring.name() == class.name();
        for method in declaring.methods() {
            let is_inherited =
                is_overridable(&method) || (method.is_static() && !declaring.is_interface());
            let is_meant = method.name() == &*name.name
                && name.descriptor.as_deref().is_none_or(|wanted| wanted == method.descriptor())
                && !is_bridge(&method)
                && (is_own || (is_inherited && !method.is_private()));
            if is_meant && !seen.iter().any(|descriptor| descriptor == method.descriptor()) {
                seen.push(method.descriptor().to_owned());
                roots.push(method);
            }
        }
    }
}

fn is_bridge(method: &ResolvedMethod) -> bool {
    method.has_flags(flags::BRIDGE)
}

/// Whether the method was made up for a dynamic call site, where the source shows no call.
fn stands_for_site(method: &ResolvedMethod) -> bool {
    method.is_static() && method.class().is_synthesised()
}

fn is_overridable(method: &ResolvedMethod) -> bool {
    !method.is_static() && !method.is_private() && !method.is_constructor()
}

/// Whether a method overrides or implements another one, directly or through a bridge of its class.
fn overrides(method: &ResolvedMethod, root: &ResolvedMethod) -> bool {
    let class = method.class();
    if method.name() != root.name() || !is_overridable(method) || !is_overridable(root) {
        return false;
    }
    if class.name() == root.class().name() || !class.is_subclass_of(root.class()) {
        return false;
    }
    let is_local = !root.has_flags(flags::PUBLIC) && !root.has_flags(flags::PROTECTED);
    if is_local && !class.same_package(root.class()) {
        return false;
    }
    let parameters = |descriptor: &str| {
        MethodDescriptor::parse(descriptor).map(|parsed| parsed.parameters.len()).ok()
    };
    method.descriptor() == root.descriptor()
        || (parameters(method.descriptor()) == parameters(root.descriptor())
            && class
                .declared_method(root.name(), root.descriptor())
                .is_some_and(|bridge| is_bridge(&bridge)))
}

/// The method that a reference means, if its class can be loaded and declares it. References to methods
/// such as `MethodHandle.invoke` have descriptors of their own.
pub(crate) fn resolved(program: &Program, method: &MethodRef) -> Option<ResolvedMethod> {
    let class = program.class(&method.class).ok()?;
    class.declared_method(&method.name, &method.descriptor).or_else(|| {
        class.methods().find(|candidate| {
            candidate.name() == &*method.name && candidate.is_signature_polymorphic()
        })
    })
}
