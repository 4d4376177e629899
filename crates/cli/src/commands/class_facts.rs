//! What an exported program has to know of classes: everything that its rules name, with supertypes.

use std::collections::BTreeMap;
use std::sync::Arc;

use petrel_classfile::LoadableConstant;
use petrel_program::{Class, Program, ResolvedField};
use petrel_prolog::{ClassFacts, ClassKind, Constant, FieldFacts};
use petrel_translate::reach::Reached;

/// The facts of all classes that the rules name, by name. Classes that cannot be loaded have no
/// instances and no facts.
pub(super) fn collect(program: &Program, reached: &Reached) -> Vec<ClassFacts> {
    let mut classes = BTreeMap::new();
    for procedure in &reached.procedures {
        let tables = &procedure.tables;
        add(program, &mut classes, &procedure.method.class);
        tables.classes.entries().iter().for_each(|class| add(program, &mut classes, class));
        tables.fields.entries().iter().for_each(|field| add(program, &mut classes, &field.class));
        tables.methods.entries().iter().for_each(|m| add(program, &mut classes, &m.class));
    }
    for (receivers, _) in reached.dispatches.iter().flat_map(|dispatch| &dispatch.cases) {
        receivers.iter().for_each(|class| add(program, &mut classes, class));
    }
    classes.values().map(facts).collect()
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
