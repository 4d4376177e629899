//! Fixtures: Java files whose comments say what their methods do.
//!
//! ```java
//! // release: 21
//! // run: lcm(4, 6) == 12
//! // run: div(1, 0) throws java.lang.ArithmeticException: / by zero
//! // run[jvm]: join("a", 1) == "a1"      // calls into the class library
//! // derive: lcm(?x, 6) => undecided: the guard x #< 0 at Lcm.java:12
//! // cases: lcm width=unbounded domain=-1000..1000 K=1,2 == 3,7
//! // paths: lcm domain=-20..20 loop=2 == 9
//! // paths: merge heap=lazy assume=acyclic(x,next);non-null(y) == 12
//! ```
//!
//! - `run` calls a static method of the file's class in a fresh world: the class is initialised, and
//!   nothing else has happened. Arguments and results are literals (see `petrel_value`), `void`,
//!   or the exception; an exception without a message in the comment may have any. A method that
//!   needs code which the exported Prolog program does not have says so: `run[jvm]`. What derivations
//!   are known to do differently is `run[jvm alone]`, and a comment gives the reason.
//! - `derive` says what a derivation by the engine shows beyond the result: `stable`, `unstable` (the
//!   outcome depends on what the JVM does not fix), or why and where it stops. An argument `?x` is
//!   unknown.
//! - `cases` counts the answers of a method on unknown arguments, as `count_cases/3` of the exported
//!   program does, for several bounds K. Its options are those of the program: `width`, `domain`,
//!   `exceptions` and `aliasing`.
//! - `paths` counts the paths of a method or constructor (by the name of its class, or `<init>`) that
//!   end within a bound, as `petrel cases` lists them: `domain`, `loop`, `block-count`, `exceptions`,
//!   `heap` and `assume` are its options. `docs/testing.md` says what is counted. Where Petrel is known
//!   to make more cases than there are paths, the line says `paths[later]`, and a comment gives the
//!   reason.
//!
//! Such a comment may stand anywhere in the file, alone on its line. A `run` without a result gets
//! the one that the JVM gives when tests run with `BLESS=1`.

mod comments;
mod members;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use petrel_classfile::{ClassFile, JavaType};
use petrel_testcase::{Assumption, HeapMode};
use petrel_value::{Heap, Literals, Value};

use crate::world::root;

pub use comments::{bless, heap_mode};

/// The release that fixtures are compiled for unless they name one, as in `tools/build-fixtures.sh`.
const BASE_RELEASE: u16 = 17;

/// How comments start that look like expectations, and must then be some.
const EXPECTATIONS: [&str; 4] = ["// run", "// case", "// derive", "// path"];

/// A Java file with what is expected of it.
#[derive(Debug)]
pub struct Fixture {
    /// The folder below `fixtures`.
    pub topic: String,
    /// The file, from the folder of the checkout on.
    pub file: PathBuf,
    /// Binary name of the class that is called, as `Class.forName` takes it.
    pub class: String,
    /// The Java release that it is compiled for.
    pub release: u16,
    /// The `run` lines.
    pub runs: Vec<Run>,
    /// The `derive` lines.
    pub derivations: Vec<Derivation>,
    /// The `cases` lines.
    pub cases: Vec<Cases>,
    /// The `paths` lines.
    pub paths: Vec<Paths>,
}

/// A call with its outcome.
#[derive(Debug)]
pub struct Run {
    /// Line in the file.
    pub line: usize,
    /// Whether the exported Prolog program cannot run it.
    pub jvm_only: bool,
    /// Whether derivations are known to differ from the JVM; a comment says why.
    pub jvm_alone: bool,
    /// Name of the method.
    pub method: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Type of its result.
    pub result: Option<JavaType>,
    /// The arguments.
    pub arguments: Vec<Value>,
    /// The objects that they refer to.
    pub heap: Heap,
    /// What is expected; `None` if the line does not say.
    pub expected: Option<Outcome>,
}

/// An argument of a derivation.
#[derive(Debug, Clone)]
pub enum Argument {
    /// A value.
    Known(Value),
    /// An unknown value, by its name.
    Unknown(String),
}

/// A call, and what its derivation shows.
#[derive(Debug)]
pub struct Derivation {
    /// Line in the file.
    pub line: usize,
    /// Name of the method.
    pub method: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Type of its result.
    pub result: Option<JavaType>,
    /// The arguments.
    pub arguments: Vec<Argument>,
    /// The objects that they refer to.
    pub heap: Heap,
    /// What is expected.
    pub expected: String,
}

/// Numbers of cases by bound.
#[derive(Debug)]
pub struct Cases {
    /// Line in the file.
    pub line: usize,
    /// Name of the method.
    pub method: String,
    /// Options, each with its value.
    pub options: Vec<(String, String)>,
    /// The bounds.
    pub bounds: Vec<usize>,
    /// A number of cases for each.
    pub expected: Vec<usize>,
}

/// A number of paths within a bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    /// Line in the file.
    pub line: usize,
    /// Name of the method.
    pub method: String,
    /// Its descriptor, where the line gives it; else the class has one method of the name.
    pub descriptor: Option<String>,
    /// The least and the greatest value of integral inputs; the ranges of their types if not given.
    pub domain: Option<(i64, i64)>,
    /// The bound.
    pub bound: Bound,
    /// Whether paths that end in an uncaught exception count.
    pub exceptions: bool,
    /// How unknown heap is handled.
    pub heap: HeapMode,
    /// What is assumed of the initial heap.
    pub assumptions: Vec<Assumption>,
    /// The number of paths.
    pub expected: usize,
    /// Whether Petrel is known to make more cases than that; a comment says why.
    pub later: bool,
}

/// Where paths are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// A predicate occurs at most so often in an ancestor sequence.
    BlockCount(u32),
    /// At most so many iterations with a choice for each entry of a loop, and likewise so many
    /// recursive calls.
    Loop(u32),
}

/// How a call ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It returns nothing.
    Void,
    /// It returns a value.
    Value {
        /// The value.
        value: Value,
        /// The objects that it refers to.
        heap: Heap,
    },
    /// It throws.
    Thrown {
        /// Name of the exception's class.
        class: String,
        /// Its message, as far as it is known.
        message: Option<String>,
    },
}

impl Outcome {
    /// Reads how a call of a method with this result ends, from the JVM's or Prolog's answer.
    ///
    /// # Errors
    ///
    /// If the text says nothing of that kind.
    pub fn read(text: &str, result: Option<&JavaType>) -> Result<Outcome, String> {
        if let Some(thrown) = text.strip_prefix("throws ") {
            let (class, message) = match thrown.split_once(": ") {
                Some((class, message)) => (class, Some(message.to_owned())),
                None => (thrown, None),
            };
            return Ok(Outcome::Thrown { class: class.to_owned(), message });
        }
        let Some(result) = result else {
            let is_void = text == "void";
            return if is_void { Ok(Outcome::Void) } else { Err(format!("{text:?} is not void")) };
        };
        let mut literals = Literals::new(text);
        let mut heap = Heap::new();
        let value = literals.value(result, &mut heap)?;
        match literals.rest() {
            "" => Ok(Outcome::Value { value, heap }),
            rest => Err(format!("there is {rest:?} behind the value")),
        }
    }

    /// Whether what happened is what is expected here.
    pub fn allows(&self, actual: &Outcome) -> bool {
        match (self, actual) {
            (
                Outcome::Thrown { class, message: None },
                Outcome::Thrown { class: actual, message: _ },
            ) => class == actual,
            _ => self == actual,
        }
    }
}

/// Something that is not as it should be, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// The file, from the folder of the checkout on.
    pub file: PathBuf,
    /// The line; 0 for the file as a whole.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file.display(), self.line, self.message)
    }
}

/// All fixtures that are built, in the order of their names, and complaints about the lines that
/// cannot be read. `not_built` are the lines of `build/fixtures/NOT_BUILT`.
pub fn read_all(not_built: &[String]) -> (Vec<Fixture>, Vec<Complaint>) {
    let mut fixtures = Vec::new();
    let mut complaints = Vec::new();
    for file in java_files() {
        let is_named = |line: &String| line.starts_with(&format!("{}:", file.display()));
        if !not_built.iter().any(is_named) {
            let fixture = Fixture::read(file, &mut complaints);
            fixtures.extend(fixture.filter(Fixture::is_wanted));
        }
    }
    (fixtures, complaints)
}

/// Checks fixtures on all cores; the complaints are in the order of files and lines.
///
/// # Panics
///
/// If the check does.
pub fn check_all(
    fixtures: &[Fixture],
    check: impl Fn(&Fixture) -> Vec<Complaint> + Sync,
) -> Vec<Complaint> {
    let next = AtomicUsize::new(0);
    let complaints = Mutex::new(Vec::new());
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..n_threads {
            scope.spawn(|| {
                while let Some(fixture) = fixtures.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = check(fixture);
                    complaints.lock().unwrap_or_else(PoisonError::into_inner).extend(found);
                }
            });
        }
    });
    let mut complaints = complaints.into_inner().unwrap_or_else(PoisonError::into_inner);
    complaints.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    complaints
}

/// What `tools/build-fixtures.sh` could not build, one line for each file.
pub fn not_built() -> Vec<String> {
    let list = root().join("build").join("fixtures").join("NOT_BUILT");
    let lines = fs::read_to_string(list).unwrap_or_default();
    lines.lines().map(str::to_owned).collect()
}

/// The Java files below `fixtures`, from the folder of the checkout on, sorted.
fn java_files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::from("fixtures")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder)).into_iter().flatten().flatten() {
            let path = folder.join(entry.file_name());
            if entry.path().is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "java") {
                files.push(path);
            }
        }
    }
    files.sort_unstable();
    files
}

impl Fixture {
    fn read(file: PathBuf, complaints: &mut Vec<Complaint>) -> Option<Fixture> {
        let mut complain = |line: usize, message: String| {
            complaints.push(Complaint { file: file.clone(), line, message });
        };
        let text = match fs::read_to_string(root().join(&file)) {
            Ok(text) => text,
            Err(error) => {
                complain(0, error.to_string());
                return None;
            }
        };
        let topic = topic_of(&file);
        let class = class_of(&file, &text);
        let path = class_folder(&topic).join(format!("{}.class", class.replace('.', "/")));
        let class_file = match read_class(&path) {
            Ok(class_file) => class_file,
            Err(message) => {
                complain(0, message);
                return None;
            }
        };
        let mut fixture = Fixture {
            topic,
            class,
            release: BASE_RELEASE,
            runs: Vec::new(),
            derivations: Vec::new(),
            cases: Vec::new(),
            paths: Vec::new(),
            file: file.clone(),
        };
        for (index, line) in text.lines().enumerate() {
            if let Err(message) = fixture.read_line(&class_file, index + 1, line.trim()) {
                complain(index + 1, message);
            }
        }
        Some(fixture)
    }

    fn read_line(&mut self, class: &ClassFile, line: usize, text: &str) -> Result<(), String> {
        if let Some(release) = text.strip_prefix("// release:") {
            self.release = release.trim().parse().map_err(|_| "no release".to_owned())?;
        } else if let Some(call) = text.strip_prefix("// run:") {
            self.runs.push(comments::read_run(class, line, false, call)?);
        } else if let Some(call) = text.strip_prefix("// run[jvm]:") {
            self.runs.push(comments::read_run(class, line, true, call)?);
        } else if let Some(call) = text.strip_prefix("// run[jvm alone]:") {
            let run = comments::read_run(class, line, true, call)?;
            self.runs.push(Run { jvm_alone: true, ..run });
        } else if let Some(call) = text.strip_prefix("// derive:") {
            self.derivations.push(comments::read_derivation(class, line, call)?);
        } else if let Some(cases) = text.strip_prefix("// cases:") {
            self.cases.push(comments::read_cases(line, cases)?);
        } else if let Some(paths) = text.strip_prefix("// paths:") {
            self.paths.push(comments::read_paths(class, line, paths)?);
        } else if let Some(paths) = text.strip_prefix("// paths[later]:") {
            let paths = comments::read_paths(class, line, paths)?;
            self.paths.push(Paths { later: true, ..paths });
        } else if EXPECTATIONS.iter().any(|start| text.starts_with(start)) {
            return Err("this is no expectation".to_owned());
        }
        Ok(())
    }

    /// Whether the environment variable `FIXTURE` is part of its path, or not set.
    fn is_wanted(&self) -> bool {
        let wanted = petrel_checks::filter("FIXTURE");
        self.file.to_string_lossy().contains(&wanted)
    }

    /// The folder with its class files.
    pub fn class_folder(&self) -> PathBuf {
        class_folder(&self.topic)
    }

    /// A complaint about one of its lines.
    pub fn complaint(&self, line: usize, message: impl Into<String>) -> Complaint {
        Complaint { file: self.file.clone(), line, message: message.into() }
    }
}

fn class_folder(topic: &str) -> PathBuf {
    root().join("build").join("fixtures").join(topic)
}

fn topic_of(file: &Path) -> String {
    let topic = file.components().nth(1);
    topic.map(|topic| topic.as_os_str().to_string_lossy().into_owned()).unwrap_or_default()
}

fn class_of(file: &Path, text: &str) -> String {
    let simple = file.file_stem().unwrap_or_default().to_string_lossy();
    let package = text.lines().find_map(|line| line.strip_prefix("package ")?.strip_suffix(';'));
    package.map_or_else(|| simple.clone().into_owned(), |package| format!("{package}.{simple}"))
}

fn read_class(path: &Path) -> Result<ClassFile, String> {
    let shown = path.strip_prefix(root()).unwrap_or(path).display();
    let bytes =
        fs::read(path).map_err(|error| format!("{shown}: {error}; `make fixtures` builds it"))?;
    ClassFile::parse(bytes).map_err(|error| format!("{shown}: {error}"))
}
