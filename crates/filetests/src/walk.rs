//! Walks over all fixtures, or over published classes, on all cores.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use petrel_checks::{filter, number, seed};
use petrel_classpath::Jdk;
use petrel_program::ResolvedMethod;
use petrel_replay::{Replay, ReplayOptions};
use petrel_translate::cache::Procedures;

use crate::fixture::{self, Fixture};
use crate::jvm::Jdks;
use crate::symbolic::{for_each_in_threads, is_callable};
use crate::{derive, sample, world};

/// A call that ends within the steps is done long before, unless the machine is very busy.
const REPLAY_LIMIT: Duration = Duration::from_secs(20);
const REPLAY_MEGABYTES: u32 = 128;

/// A JVM for cases of fixtures.
///
/// # Panics
///
/// If it does not start.
pub fn start_replay(jdk: &Jdk) -> Replay {
    let options = ReplayOptions {
        time_limit: REPLAY_LIMIT,
        heap_megabytes: REPLAY_MEGABYTES,
        ..ReplayOptions::new(jdk)
    };
    Replay::start(options).unwrap_or_else(|error| panic!("{error}"))
}

/// Does something with each fixture whose release a JDK here has, the benchmarks apart. Each thread has a
/// state of its own for each JDK, such as a JVM. `FIXTURE=heap` in the environment leaves only fixtures with
/// that in their path.
pub fn for_each_fixture<S>(
    start: impl Fn(&Jdk) -> S + Sync,
    work: impl Fn(&mut S, &Jdk, &Fixture) + Sync,
) {
    let (fixtures, complaints) = fixture::read_all(&fixture::not_built());
    assert!(complaints.is_empty(), "{complaints:?}");
    let fixtures: Vec<Fixture> =
        fixtures.into_iter().filter(|fixture| fixture.topic != "bench").collect();
    let jdks = Jdks::find();
    for_each_in_threads(&fixtures, BTreeMap::new, |states, fixture| {
        let Some(jdk) = jdks.for_release(fixture.release) else { return };
        let state = states.entry(jdk.feature_version()).or_insert_with(|| start(jdk));
        work(state, jdk, fixture);
    });
}

/// The jar or folder that `CLASSES` in the environment asks to look at instead of fixtures.
pub fn chosen_classes() -> Option<PathBuf> {
    std::env::var_os("CLASSES").map(PathBuf::from)
}

/// Whether a method's name is as `METHOD` in the environment asks.
pub fn is_chosen(method: &ResolvedMethod) -> bool {
    method.name().contains(&filter("METHOD"))
}

/// Does something with each chosen method of a jar or folder that can be called, or with a sample of
/// `METHODS` of them, drawn by `SEED`.
///
/// # Panics
///
/// If the classes cannot be listed.
pub fn for_each_method_of<S>(
    file: &Path,
    start: impl Fn(&Jdk) -> S + Sync,
    work: impl Fn(&mut S, &Jdk, &Procedures<'_>, &ResolvedMethod) + Sync,
) {
    let jdk = world::jdk();
    let procedures = derive::procedures(&jdk, file);
    let classes = procedures.program().project_classes().expect("they can be listed");
    let classes = classes.iter().filter_map(|name| procedures.program().class(name).ok());
    let methods = classes.flat_map(|class| class.methods().collect::<Vec<_>>());
    let methods: Vec<ResolvedMethod> =
        methods.filter(|method| is_callable(method) && is_chosen(method)).collect();
    let methods = sample::sample(&methods, number("METHODS").unwrap_or(usize::MAX), seed());
    for_each_in_threads(
        &methods,
        || start(&jdk),
        |state, method| work(state, &jdk, procedures, method),
    );
}
