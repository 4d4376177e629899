//! Walks over all fixtures, on all cores.

use std::collections::BTreeMap;

use petrel_classpath::Jdk;

use crate::fixture::{self, Fixture};
use crate::jvm::Jdks;
use crate::symbolic::for_each_in_threads;

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
