//! Class files that are broken, by chance and by hand.
//!
//! Whatever the bytes are, they end in a value or in an error that names the place: never in a
//! panic, and never in time or memory out of proportion to their size.
//!
//! The mutated classes are tried in a process of its own whose memory is limited, since neither an
//! allocation that fails nor a stack that overflows can be caught. It writes each case to stderr
//! before it tries it, so that the last ones are known when it dies. To try one case again, with a
//! debugger say, without the limit and without catching its panic:
//!
//! ```text
//! PETREL_MUTATION='java/lang/String 17' cargo test --release -p petrel-filetests \
//!     --test hostile_classes mutated_classes -- --nocapture
//! ```
//!
//! `PETREL_MUTATIONS=10000` tries that many mutations of each class.

use std::fs;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use petrel_classfile::ClassFile;
use petrel_filetests::sample::{Random, mutated};
use petrel_filetests::world::{self, Platform, Progress};
use petrel_program::ClassProvider;

/// What the process that tries mutated classes is to do: `all`, or one case.
const MUTATION: &str = "PETREL_MUTATION";
/// How many mutations of each class are tried, if not [`MUTATIONS_BY_DEFAULT`].
const MUTATIONS: &str = "PETREL_MUTATIONS";
const MUTATIONS_BY_DEFAULT: u64 = 250;
/// Of address space. The process needs a tenth of it.
const MEMORY_LIMIT_KIB: u64 = 1_500_000;
const TIME_LIMIT: Duration = Duration::from_secs(2);
/// After this, a case counts as hanging and the process ends.
const PATIENCE: Duration = Duration::from_secs(60);

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
        Ok(all) if all == "all" => try_all_mutations(),
        Ok(case) => {
            let (class, seed) = case.rsplit_once(' ').expect("a case is a class and a seed");
            let seed = seed.parse().expect("the seed is a number");
            let subjects = Subjects::new();
            let class = subjects
                .number(class)
                .expect("the class is one of those tried");
            world::exercise(&subjects.platform, &subjects.mutation(class, seed));
        }
        Err(_) => run_limited("mutated_classes_end_in_a_value_or_an_error"),
    }
}

/// Runs a test of this file in a process with limited memory.
fn run_limited(test: &str) {
    let this = std::env::current_exe().expect("a test knows where it is");
    let output = Command::new("sh")
        .args(["-c", "ulimit -v \"$0\" && exec \"$@\""])
        .arg(MEMORY_LIMIT_KIB.to_string())
        .arg(this)
        .args(["--exact", test, "--nocapture"])
        .env(MUTATION, "all")
        .output()
        .expect("there is a shell");
    let messages = String::from_utf8_lossy(&output.stderr);
    let last: Vec<&str> = messages.lines().rev().take(60).collect();
    let last: Vec<&str> = last.into_iter().rev().collect();
    let status = output.status;
    assert!(
        status.success(),
        "{status}; the last lines are\n{}",
        last.join("\n")
    );
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
        for file in world::fixture_files() {
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

fn try_all_mutations() {
    let trial = Trial::new();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let trial = &trial;
            scope.spawn(move || trial.work(thread));
        }
    });
    let failures = trial
        .failures
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let progress = trial
        .progress
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let count = trial.next.into_inner();
    say(&format!("{count} cases, {progress:?}, {}", peak_memory()));
    assert!(
        failures.is_empty(),
        "{} failures:\n{}",
        failures.len(),
        failures.join("\n")
    );
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
        let mutations = std::env::var(MUTATIONS).ok();
        let mutations = mutations.map(|text| text.parse().expect("a number of mutations"));
        Trial {
            subjects: Subjects::new(),
            mutations: mutations.unwrap_or(MUTATIONS_BY_DEFAULT),
            next: AtomicUsize::new(0),
            progress: Mutex::default(),
            failures: Mutex::default(),
        }
    }

    fn work(&self, thread: usize) {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let count = self.subjects.classes.len();
            let (class, seed) = (number % count, (number / count) as u64);
            if seed >= self.mutations {
                return;
            }
            let case = format!("{} {seed}", self.subjects.classes[class].0);
            say(&format!("thread {thread}: {case}"));
            if let Err(problem) = self.try_case(class, seed) {
                let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
                failures.push(format!("{case}: {problem}"));
            }
        }
    }

    fn try_case(&self, class: usize, seed: u64) -> Result<(), String> {
        let bytes = self.subjects.mutation(class, seed);
        let mut time = self.time(&bytes)?;
        if time > TIME_LIMIT {
            // Something else may have kept the machine busy.
            time = time.min(self.time(&bytes)?);
        }
        if time > TIME_LIMIT {
            return Err(format!("took {time:?}"));
        }
        Ok(())
    }

    fn time(&self, bytes: &[u8]) -> Result<Duration, String> {
        let platform = &self.subjects.platform;
        let start = Instant::now();
        match catch_unwind(AssertUnwindSafe(|| world::exercise(platform, bytes))) {
            Ok(progress) => {
                *self.progress.lock().unwrap_or_else(PoisonError::into_inner) += progress;
                Ok(start.elapsed())
            }
            Err(payload) => Err(payload.downcast_ref::<String>().map_or_else(
                || {
                    payload
                        .downcast_ref::<&str>()
                        .copied()
                        .unwrap_or("panicked")
                        .to_owned()
                },
                String::clone,
            )),
        }
    }
}

/// Writes to stderr even when the test passes.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

fn peak_memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let lines = status
        .lines()
        .filter(|line| line.starts_with("VmPeak") || line.starts_with("VmHWM"));
    lines.collect::<Vec<_>>().join(" ")
}
