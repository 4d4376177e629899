//! Class files that are broken by chance.
//!
//! Whatever the bytes are, they end in a value or in an error that names the place: never in a panic, and never in time
//! or memory out of proportion to their size. To try one mutation again, without the limit and without catching its
//! panic:
//!
//! ```text
//! PETREL_MUTATION='java/lang/String 17' cargo test --release -p petrel-filetests \
//!     --test bytes mutated_classes -- --nocapture
//! ```
//!
//! `MUTATIONS=10000` tries that many mutations of each class, and `SEED=2` those from there on.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use petrel_checks::{Amount, seed};
use petrel_classfile::ClassFile;
use petrel_filetests::sample::{Random, mutated, sample};
use petrel_filetests::world::{self, Platform, Progress};
use petrel_program::ClassProvider;

use crate::limited::{TIME_LIMIT, limited, peak_memory, say, try_class};

/// One mutation to try: a class and a seed.
const MUTATION: &str = "PETREL_MUTATION";
/// How many mutations of each class are tried.
const N_MUTATIONS: Amount = Amount::new(10, 60, 180);
/// How many classes of the fixtures are mutated, as far as they are compiled.
const FIXTURES: usize = 12;

/// Classes of the JDK that differ in what they use; a few are missing in some versions.
const CLASSES: [&str; 16] = [
    "java/lang/Object",
    // Constants of all kinds.
    "java/lang/String",
    "java/lang/Math",
    "java/util/HashMap",
    // Lambdas, dynamic string concatenation, generic signatures.
    "java/lang/invoke/LambdaMetafactory",
    "java/util/stream/Collectors",
    "java/util/Optional",
    // An enum, and switches over numbers, enums and strings.
    "java/util/concurrent/TimeUnit",
    "java/time/Month",
    "java/util/regex/CharPredicates",
    // Nested handlers, `finally` and monitors.
    "java/io/BufferedReader",
    "java/util/concurrent/ThreadPoolExecutor",
    // Records, a sealed interface, an annotation.
    "jdk/internal/misc/ThreadTracker$ThreadRef",
    "sun/security/pkcs/SignerInfo$AlgorithmInfo",
    "java/lang/constant/ConstantDesc",
    "java/lang/FunctionalInterface",
];

#[test]
fn mutated_classes_end_in_a_value_or_an_error() {
    match std::env::var(MUTATION) {
        Ok(case) => {
            let (class, seed) = case.rsplit_once(' ').expect("a case is a class and a seed");
            let seed = seed.parse().expect("the seed is a number");
            let subjects = Subjects::new();
            let class = subjects.number(class).expect("the class is one of those tried");
            world::exercise(&subjects.platform, &subjects.mutation(class, seed));
        }
        Err(_) => {
            n_mutations();
            let test = "mutated_classes::mutated_classes_end_in_a_value_or_an_error";
            limited(test, try_mutations);
        }
    }
}

/// Tells how many mutations of each class are tried.
fn n_mutations() -> u64 {
    N_MUTATIONS.drawn("MUTATIONS", "mutations of each class") as u64
}

/// The classes that are mutated, and where they get all others from.
struct Subjects {
    platform: Arc<Platform>,
    classes: Vec<(String, Arc<[u8]>)>,
}

impl Subjects {
    fn new() -> Subjects {
        let platform = Arc::new(Platform::new(world::jdk()));
        let mut classes = Vec::new();
        for name in CLASSES {
            if let Ok(Some(class)) = platform.find(name) {
                classes.push((name.to_owned(), class.bytes));
            }
        }
        assert!(classes.len() >= 12, "too few classes in this JDK");
        for file in sample(&world::fixture_files(), FIXTURES, 1) {
            let bytes = fs::read(&file).expect("the fixture can be read");
            let class = ClassFile::parse(&*bytes).expect("the fixture is a class");
            classes.push((class.name().to_owned(), bytes.into()));
        }
        Subjects { platform, classes }
    }

    fn number(&self, name: &str) -> Option<usize> {
        self.classes.iter().position(|(class, _)| class == name)
    }

    fn mutation(&self, class: usize, seed: u64) -> Vec<u8> {
        let mut random = Random::new(seed);
        let (_, bytes) = &self.classes[class];
        let (_, other) = &self.classes[random.below(self.classes.len())];
        mutated(bytes, other, &mut random)
    }
}

fn try_mutations() {
    let trial = Trial::new();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let trial = &trial;
            scope.spawn(move || trial.work(thread));
        }
    });
    let failures = trial.failures.into_inner().unwrap_or_else(PoisonError::into_inner);
    let progress = trial.progress.into_inner().unwrap_or_else(PoisonError::into_inner);
    say(format_args!("{progress:?}, {}", peak_memory()));
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
    assert!(progress.translated > 0, "no mutation got through");
}

struct Trial {
    subjects: Subjects,
    mutations: u64,
    next: AtomicUsize,
    progress: Mutex<Progress>,
    failures: Mutex<Vec<String>>,
}

impl Trial {
    fn new() -> Trial {
        Trial {
            subjects: Subjects::new(),
            mutations: n_mutations(),
            next: AtomicUsize::new(0),
            progress: Mutex::default(),
            failures: Mutex::default(),
        }
    }

    fn work(&self, thread: usize) {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let count = self.subjects.classes.len();
            let (class, mutation) = (number % count, (number / count) as u64);
            if mutation >= self.mutations {
                return;
            }
            let seed = seed() - 1 + mutation;
            let case = format!("{} {seed}", self.subjects.classes[class].0);
            say(format_args!("thread {thread}: {case}"));
            let bytes = self.subjects.mutation(class, seed);
            match try_class(&self.subjects.platform, &bytes, TIME_LIMIT) {
                Ok(progress) => {
                    *self.progress.lock().unwrap_or_else(PoisonError::into_inner) += progress;
                }
                Err(problem) => {
                    let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
                    failures.push(format!("{case}: {problem}"));
                }
            }
        }
    }
}
