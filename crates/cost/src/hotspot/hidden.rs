//! What the class files of the JDK do not say about its objects: fields that HotSpot adds to some
//! classes, and fields that `@Contended` keeps apart. Project classes have neither, because HotSpot
//! heeds the annotation in the JDK alone.
//!
//! JDK 17 and 25 agree with what their JVMs allocate, for all of java.base. For the releases between
//! and before them the entries follow HotSpot's sources. A program that makes no threads, class
//! loaders or thread pools seldom meets these classes, strings apart.

use super::Group;

/// From a feature version on, up to and including another one.
type Releases = std::ops::RangeInclusive<u16>;

const NEWEST: u16 = u16::MAX;

/// Classes, releases, and descriptors of the fields that HotSpot adds.
const INJECTED: &[(&str, Releases, &[&str])] = &[
    ("java/lang/ClassLoader", 8..=NEWEST, &["J"]),
    ("java/lang/InternalError", 16..=NEWEST, &["Z"]),
    ("java/lang/Module", 9..=NEWEST, &["J"]),
    ("java/lang/StackFrameInfo", 9..=NEWEST, &["S"]),
    ("java/lang/String", 17..=NEWEST, &["B"]),
    ("java/lang/Thread", 19..=20, &["J", "S"]),
    ("java/lang/Thread", 21..=NEWEST, &["J", "I", "Z", "S"]),
    ("java/lang/VirtualThread", 24..=NEWEST, &["J"]),
    ("java/lang/invoke/CallSite", 25..=NEWEST, &["J", "J"]),
    ("java/lang/invoke/MemberName", 8..=NEWEST, &["J"]),
    ("java/lang/invoke/MethodHandleNatives$CallSiteContext", 9..=24, &["J", "J"]),
    ("java/lang/invoke/ResolvedMethodName", 11..=21, &["L", "J"]),
    ("java/lang/invoke/ResolvedMethodName", 22..=NEWEST, &["J"]),
    ("jdk/internal/vm/StackChunk", 19..=NEWEST, &["L", "B", "J", "I"]),
];

/// Classes and releases in which all of their fields are kept apart.
const CONTENDED: &[(&str, Releases)] = &[
    ("java/util/concurrent/ConcurrentHashMap$CounterCell", 8..=NEWEST),
    ("java/util/concurrent/Exchanger$Node", 8..=21),
    ("java/util/concurrent/Exchanger$Slot", 22..=NEWEST),
    ("java/util/concurrent/SubmissionPublisher$BufferedSubscription", 9..=NEWEST),
    ("java/util/concurrent/atomic/Striped64$Cell", 8..=NEWEST),
];

/// Classes, releases, a group, and the fields that it keeps apart from others.
const GROUPS: &[(&str, Releases, &str, &[&str])] = &[
    (
        "java/lang/Thread",
        8..=18,
        "tlr",
        &["threadLocalRandomSeed", "threadLocalRandomProbe", "threadLocalRandomSecondarySeed"],
    ),
    ("java/util/concurrent/ForkJoinPool", 9..=NEWEST, "fjpctl", &["ctl", "parallelism"]),
    ("java/util/concurrent/ForkJoinPool$WorkQueue", 17..=18, "w", &["top", "source", "nsteals"]),
    (
        "java/util/concurrent/ForkJoinPool$WorkQueue",
        19..=NEWEST,
        "w",
        &["top", "phase", "stackPred", "source", "nsteals", "parking"],
    ),
    (
        "java/util/concurrent/SubmissionPublisher$BufferedSubscription",
        9..=NEWEST,
        "c",
        &["demand", "waiting"],
    ),
];

pub(super) fn is_contended(class: &str, feature_version: u16) -> bool {
    let known = CONTENDED.iter().find(|(name, _)| *name == class);
    known.is_some_and(|(_, releases)| releases.contains(&feature_version))
}

pub(super) fn group(class: &str, field: &str, feature_version: u16) -> Group {
    let known = GROUPS.iter().find(|(name, releases, _, fields)| {
        *name == class && releases.contains(&feature_version) && fields.contains(&field)
    });
    match known {
        None => Group::Regular,
        Some((_, _, "", _)) => Group::Alone,
        Some((_, _, group, _)) => Group::Named(group),
    }
}

pub(super) fn injected_fields(
    class: &str,
    feature_version: u16,
) -> impl Iterator<Item = &'static str> {
    let known = INJECTED
        .iter()
        .filter(move |(name, releases, _)| *name == class && releases.contains(&feature_version));
    known.flat_map(|(_, _, descriptors)| descriptors.iter().copied())
}
