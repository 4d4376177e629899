//! `ServiceLoader` without class loaders: the providers that a JDK has for its own services.
//!
//! They are known here by name. What a JDK has none of is found empty; for other services, whose
//! providers may be anywhere, the derivation ends.

use smallvec::smallvec;

use super::{Answer, Entry, Then, argument, give, give_reference, reference, throw_null_pointer};
use crate::machine::{Feature, Machine, Providers, Reference, Stop, Value};

const LOADER: &str = "java/util/ServiceLoader";
const ITERATOR: &str = "java/util/Arrays$ArrayItr";

pub(super) const TABLE: &[Entry] = &[
    (LOADER, "load", "(Ljava/lang/Class;)Ljava/util/ServiceLoader;", load),
    (LOADER, "loadInstalled", "(Ljava/lang/Class;)Ljava/util/ServiceLoader;", load),
    (LOADER, "load", "(Ljava/lang/Class;Ljava/lang/ClassLoader;)Ljava/util/ServiceLoader;", load),
    (
        LOADER,
        "load",
        "(Ljava/lang/Class;Ljava/lang/ClassLoader;Ljava/lang/Module;)Ljava/util/ServiceLoader;",
        load,
    ),
    (
        LOADER,
        "load",
        "(Ljava/lang/ModuleLayer;Ljava/lang/Class;)Ljava/util/ServiceLoader;",
        |machine, arguments| load(machine, &[argument(arguments, 1)]),
    ),
    (LOADER, "iterator", "()Ljava/util/Iterator;", iterator),
    (LOADER, "stream", "()Ljava/util/stream/Stream;", |_, _| Err(unsupported(Providers::Stream))),
    (
        "java/lang/Class",
        "forName",
        "(Ljava/lang/Module;Ljava/lang/String;)Ljava/lang/Class;",
        class_of_module,
    ),
];

/// Services of the module `java.base` and their providers in the module `jdk.localedata`.
const PROVIDERS: &[(&str, &[&str])] = &[
    (
        "sun/util/locale/provider/LocaleDataMetaInfo",
        &[
            "sun/util/resources/cldr/provider/CLDRLocaleDataMetaInfo",
            "sun/util/resources/provider/NonBaseLocaleDataMetaInfo",
        ],
    ),
    (
        "sun/util/resources/LocaleData$CommonResourceBundleProvider",
        &["sun/util/resources/provider/LocaleDataProvider"],
    ),
    (
        "sun/util/resources/LocaleData$SupplementaryResourceBundleProvider",
        &["sun/util/resources/provider/SupplementaryLocaleDataProvider"],
    ),
];

/// Packages of services that applications may provide and no JDK does.
const EMPTY: &[&str] = &["java/text/spi/", "java/util/spi/", "java/time/", "sun/util/"];

fn unsupported(providers: Providers) -> Stop {
    Stop::unsupported(Feature::Services(providers))
}

/// The loader keeps the service; its constructor, which wants class loaders, does not run.
fn load(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    if reference(arguments, 0).is_null() {
        return throw_null_pointer();
    }
    let class = machine.types.of_name(LOADER);
    let loader = machine.new_object(class)?;
    machine.set_named(loader, LOADER, "service", argument(arguments, 0))?;
    give_reference(loader)
}

fn iterator(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let slot = machine.slot_named(LOADER, "service")?;
    let service = machine.heap.field(reference(arguments, 0), slot).as_reference();
    let service = machine.mirrored(service).ok_or_else(|| unsupported(Providers::OfUnknown))?;
    let name = machine.types.get(service).name.to_string();
    let listed = PROVIDERS.iter().find(|(listed, _)| *listed == name);
    let is_known = listed.is_some() || EMPTY.iter().any(|package| name.starts_with(package));
    if !is_known || !machine.is_of_library(service) {
        return Err(unsupported(Providers::Of(name.replace('/', "."))));
    }
    let mut providers = Vec::new();
    for provider in listed.map_or(&[][..], |(_, providers)| providers) {
        // A JDK may be without the module.
        let Ok(loaded) = machine.program.class(provider) else { continue };
        let class = machine.types.of_name(loaded.name());
        if !machine.is_initialised(class)? {
            return Ok(Answer::Initialise(class, Then::Again));
        }
        if let Some(&known) = machine.library.modelled.providers.get(&class) {
            providers.push(known);
            continue;
        }
        let object = machine.new_object(class)?;
        machine.library.modelled.providers.insert(class, object);
        machine.note_provider(class);
        let constructor = machine.declared(provider, "<init>", "()V")?;
        return Ok(Answer::Call(constructor, smallvec![Value::reference(object)], Then::Again));
    }
    give_reference(iterator_over(machine, &providers)?)
}

fn iterator_over(machine: &mut Machine<'_>, objects: &[Reference]) -> Result<Reference, Stop> {
    let array = machine.new_array(crate::machine::TypeId::OBJECTS, objects.len())?;
    for (index, &object) in objects.iter().enumerate() {
        machine.heap.set_element(array, index, Value::reference(object));
    }
    let class = machine.types.of_name(ITERATOR);
    let iterator = machine.new_object(class)?;
    machine.set_named(iterator, ITERATOR, "a", Value::reference(array))?;
    Ok(iterator)
}

/// Null if there is no such class. Modules are not told apart: a name is in one of them only.
fn class_of_module(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let Some(name) = machine.text_of(reference(arguments, 1)) else {
        return throw_null_pointer();
    };
    let name = name.replace('.', "/");
    if machine.program.class(&name).is_err() {
        return give(Value::NULL);
    }
    let class = machine.types.of_name(&name);
    give_reference(machine.mirror(class)?)
}
