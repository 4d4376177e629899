//! What an exported program has to know of classes: everything that its rules name, with supertypes; and what its
//! inputs may be: the project's classes below those, and the initialisers of enums, which make their constants.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use petrel_classfile::LoadableConstant;
use petrel_program::{Class, Program, ResolvedField, ResolvedMethod};
use petrel_prolog::{ClassFacts, ClassKind, Constant, FieldFacts};
use petrel_translate::cache::Procedures;
use petrel_translate::reach::{Reached, reach};

/// What targets reach, and the initialisers of the enums that their inputs may be of.
pub(super) fn reach_with_enums(
    procedures: &Procedures<'_>,
    project: &[String],
    targets: &[ResolvedMethod],
) -> Reached {
    let mut targets = targets.to_vec();
    loop {
        let reached = reach(procedures, project, &targets);
        let classes = classes(procedures.program(), project, &reached);
        let known: BTreeSet<&str> = targets.iter().map(|target| target.class().name()).collect();
        let is_new = |class: &&Arc<Class>| is_enum(class) && !known.contains(class.name());
        let is_project = |class: &&Arc<Class>| project.iter().any(|name| name == class.name());
        let enums = classes.values().filter(is_new).filter(is_project);
        let initialisers = |class: &Arc<Class>| class.methods().find(|m| m.name() == "<clinit>");
        let more: Vec<ResolvedMethod> = enums.filter_map(initialisers).collect();
        if more.is_empty() {
            return reached;
        }
        targets.extend(more);
    }
}

fn is_enum(class: &Class) -> bool {
    class.super_class().is_some_and(|parent| parent.name() == "java/lang/Enum")
}

/// The facts of all classes that the rules name, or that inputs may be of, by name. Classes that cannot be loaded have
/// no instances and no facts.
pub(super) fn collect(program: &Program, project: &[String], reached: &Reached) -> Vec<ClassFacts> {
    classes(program, project, reached).values().map(facts).collect()
}

fn classes(
    program: &Program,
    project: &[String],
    reached: &Reached,
) -> BTreeMap<String, Arc<Class>> {
    let mut classes = BTreeMap::new();
    for procedure in &reached.procedures {
        let tables = &procedure.tables;
        add(program, &mut classes, &procedure.method.class);
        add_types(program, &mut classes, &procedure.method.descriptor);
        tables.classes.entries().iter().for_each(|class| add(program, &mut classes, class));
        for field in tables.fields.entries() {
            add(program, &mut classes, &field.class);
            add_types(program, &mut classes, &field.descriptor);
        }
        tables.methods.entries().iter().for_each(|m| add(program, &mut classes, &m.class));
    }
    for (receivers, _) in reached.dispatches.iter().flat_map(|dispatch| &dispatch.cases) {
        receivers.iter().for_each(|class| add(program, &mut classes, class));
    }
    // What is declared to be of a class of the project may be of one below it.
    let own: BTreeSet<&str> = project.iter().map(String::as_str).collect();
    for name in project {
        let Ok(class) = program.class(name) else { continue };
        let mut above = class.lineage().chain(class.all_interfaces()).map(|class| class.name());
        if above.any(|name| own.contains(name) && classes.contains_key(name)) {
            add(program, &mut classes, name);
        }
    }
    classes
}

/// Adds the classes that a descriptor names.
fn add_types(program: &Program, classes: &mut BTreeMap<String, Arc<Class>>, descriptor: &str) {
    let mut rest = descriptor;
    while let Some((_, from)) = rest.split_once('L') {
        let Some((name, after)) = from.split_once(';') else { return };
        add(program, classes, name);
        rest = after;
    }
}

/// Adds a class and its supertypes; of an array type, its element class.
fn add(program: &Program, classes: &mut BTreeMap<String, Arc<Class>>, name: &str) {
    let name = match name.trim_start_matches('[').strip_prefix('L') {
        Some(element) if name.starts_with('[') => element.trim_end_matches(';'),
        _ => name,
    };
    let Ok(class) = program.class(name) else {
        return;
    };
    for class in class.lineage().chain(class.all_interfaces()) {
        classes.entry(class.name().to_owned()).or_insert_with(|| Arc::clone(class));
    }
}

fn facts(class: &Arc<Class>) -> ClassFacts {
    let kind = match (class.is_interface(), class.is_abstract()) {
        (true, _) => ClassKind::Interface,
        (false, true) => ClassKind::Abstract,
        (false, false) => ClassKind::Concrete,
    };
    let initialisation = class.initialisation_chain();
    ClassFacts {
        name: class.name().into(),
        super_name: class.super_class().map(|parent| parent.name().into()),
        interfaces: class.interfaces().iter().map(|interface| interface.name().into()).collect(),
        kind,
        fields: class.fields().map(|field| field_facts(&field)).collect(),
        initialisation: initialisation.iter().map(|class| class.name().into()).collect(),
    }
}

fn field_facts(field: &ResolvedField) -> FieldFacts {
    let pool = &field.class().file.constant_pool;
    let constant = field.declaration().constant_value.filter(|_| field.is_static());
    let constant = constant.and_then(|index| match pool.loadable(index).ok()? {
        LoadableConstant::Integer(value) => Some(Constant::Int(value)),
        LoadableConstant::Long(value) => Some(Constant::Long(value)),
        LoadableConstant::Float(bits) => Some(Constant::Float(bits)),
        LoadableConstant::Double(bits) => Some(Constant::Double(bits)),
        LoadableConstant::String(value) => Some(Constant::String(value)),
        _ => None,
    });
    FieldFacts {
        name: field.name().into(),
        descriptor: field.descriptor().into(),
        is_static: field.is_static(),
        constant,
    }
}
