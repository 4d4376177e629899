//! The classes that tests read: where the JDK, the jars and the fixtures are, and programs made
//! from them.
//!
//! What is missing ends in a panic that says which `make` target provides it: nothing is skipped
//! silently.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use petrel_classfile::{ClassFile, Method, MethodDescriptor};
use petrel_classpath::{ClassSource, Jar, Jdk};
use petrel_engine::{Limits, Machine};
use petrel_program::signature::{ClassSignature, MethodSignature, TypeSignature};
use petrel_program::{Class, ClassBytes, ClassProvider, Origin, Program, listing};
use petrel_translate::cache::Procedures;

/// The folder of the checkout.
pub fn root() -> PathBuf {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = crate_folder.ancestors().nth(2).unwrap_or(crate_folder);
    root.to_owned()
}

/// The JDK in use.
///
/// # Panics
///
/// If there is none.
pub fn jdk() -> Jdk {
    Jdk::locate(None).unwrap_or_else(|error| panic!("{error}; `make setup` installs a JDK"))
}

/// The JDKs that are installed beside another one, by folder name.
pub fn jdks_beside(jdk: &Jdk) -> Vec<Jdk> {
    let Ok(home) = fs::canonicalize(jdk.home()) else {
        return Vec::new();
    };
    let entries = home.parent().and_then(|folder| fs::read_dir(folder).ok());
    let entries = entries.into_iter().flatten().flatten();
    // The same JDK may go by several names.
    let mut folders: Vec<PathBuf> = entries
        .filter_map(|entry| fs::canonicalize(entry.path()).ok())
        .filter(|folder| *folder != home)
        .collect();
    folders.sort_unstable();
    folders.dedup();
    let opened = folders.iter().filter_map(|folder| Jdk::open(folder).ok());
    opened.collect()
}

/// A command of a JDK, such as `javap`.
///
/// # Panics
///
/// If the JDK has no such command.
pub fn tool(jdk: &Jdk, name: &str) -> PathBuf {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let path = jdk.home().join("bin").join(file);
    let described = jdk.describe();
    assert!(path.is_file(), "{described} has no {name}; `make setup` installs a JDK that has");
    path
}

/// The file of a jar in `build/jars`.
///
/// # Panics
///
/// If it is not there.
pub fn jar_file(name: &str) -> PathBuf {
    let path = root().join("build").join("jars").join(name);
    let shown = path.display();
    assert!(path.is_file(), "{shown} is missing; `make jars` fetches it");
    path
}

/// A jar in `build/jars`, as a JVM of the given version sees it.
///
/// # Panics
///
/// If it is not there, or damaged.
pub fn jar(name: &str, feature_version: u16) -> Jar {
    Jar::open(&jar_file(name), feature_version).unwrap_or_else(|error| panic!("{error}"))
}

/// The class files below `build/fixtures`, sorted; none if the fixtures are not built.
pub fn fixture_files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root().join("build").join("fixtures")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "class") {
                files.push(path);
            }
        }
    }
    files.sort_unstable();
    files
}

/// The classes of a JDK, each read once however many programs ask for it.
pub struct Platform {
    jdk: Jdk,
    known: Mutex<BTreeMap<String, Option<ClassBytes>>>,
}

impl Platform {
    /// The platform of a JDK.
    pub fn new(jdk: Jdk) -> Platform {
        let known = Mutex::default();
        Platform { jdk, known }
    }

    /// The class file of a class that is there.
    ///
    /// # Panics
    ///
    /// If it is not.
    pub fn bytes(&self, name: &str) -> Arc<[u8]> {
        match self.find(name) {
            Ok(Some(class)) => class.bytes,
            Ok(None) => panic!("{} has no class {name}", self.jdk.describe()),
            Err(error) => panic!("{error}"),
        }
    }
}

impl ClassProvider for Platform {
    fn find(&self, internal_name: &str) -> Result<Option<ClassBytes>, String> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(class) = known().get(internal_name) {
            return Ok(class.clone());
        }
        // What is no name of a class names no class.
        let found = self.jdk.find(internal_name).unwrap_or_default();
        let class = found.map(|class| petrel_session::provided(class, true));
        // Made-up names are many, and looked up once.
        if class.is_some() {
            known().insert(internal_name.to_owned(), class.clone());
        }
        Ok(class)
    }
}

/// Some classes of their own, before those of a platform.
struct Layered {
    own: BTreeMap<String, Arc<[u8]>>,
    platform: Arc<Platform>,
}

impl ClassProvider for Layered {
    fn find(&self, internal_name: &str) -> Result<Option<ClassBytes>, String> {
        match self.own.get(internal_name) {
            Some(bytes) => Ok(Some(ClassBytes {
                bytes: Arc::clone(bytes),
                place: format!("{internal_name}.class"),
                origin: Origin::Project,
            })),
            None => self.platform.find(internal_name),
        }
    }
}

/// A program in which these classes, by the names that they are looked up by, come before those of
/// the platform.
pub fn program_with(
    platform: &Arc<Platform>,
    classes: impl IntoIterator<Item = (String, Arc<[u8]>)>,
) -> Program {
    Program::new(Box::new(Layered {
        own: classes.into_iter().collect(),
        platform: Arc::clone(platform),
    }))
}

/// How far a class file got.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// 1 if it was parsed.
    pub parsed: usize,
    /// 1 if it was loaded.
    pub loaded: usize,
    /// Methods that were translated.
    pub translated: usize,
    /// Methods that were refused.
    pub refused: usize,
    /// Methods that were executed, however that ended.
    pub executed: usize,
}

impl std::ops::AddAssign for Progress {
    fn add_assign(&mut self, other: Progress) {
        self.parsed += other.parsed;
        self.loaded += other.loaded;
        self.translated += other.translated;
        self.refused += other.refused;
        self.executed += other.executed;
    }
}

/// Does with a class file all that is done with one anywhere, whatever its bytes are: parses and
/// lists it, and then loads, translates and executes it as a class of the platform.
///
/// # Panics
///
/// If anything does, which is a bug; and if the rules of a translated method are not valid.
pub fn exercise(platform: &Arc<Platform>, bytes: &[u8]) -> Progress {
    let mut progress = Progress::default();
    let bytes: Arc<[u8]> = bytes.into();
    let Ok(class) = ClassFile::parse(Arc::clone(&bytes)) else {
        return progress;
    };
    progress.parsed = 1;
    read(&class);
    let name = class.name().to_owned();
    let program = program_with(platform, [(name.clone(), bytes)]);
    let Ok(class) = program.class(&name) else {
        return progress;
    };
    progress.loaded = 1;
    let mut static_methods = Vec::new();
    for number in 0..class.file.methods.len() {
        match petrel_translate::translate(&program, &class, number) {
            Ok(None) => {}
            Ok(Some(procedure)) => {
                progress.translated += 1;
                static_methods.extend(procedure.is_static.then_some(number));
                let problems = petrel_clp::verify::verify(&procedure);
                assert!(
                    problems.is_empty(),
                    "{} has invalid rules: {problems:?}",
                    procedure.method
                );
            }
            Err(error) => {
                progress.refused += 1;
                // A message is made from what is broken, too.
                let _ = error.to_string();
            }
        }
    }
    static_methods.truncate(MOST_EXECUTED);
    progress.executed = static_methods.len();
    execute(&program, &class, &static_methods);
    progress
}

/// Executing is slow beside all the rest; what is broken shows in few methods of many classes.
const MOST_EXECUTED: usize = 3;

/// Calls static methods on zeros and nulls, for a short time.
fn execute(program: &Program, class: &Arc<Class>, methods: &[usize]) {
    let procedures = Procedures::new(program);
    let limits = Limits { steps: 2_000, heap: 1 << 24, ..Limits::default() };
    let mut machine = Machine::new(&procedures, limits);
    for method in class.methods().filter(|method| methods.contains(&method.index())) {
        let Ok(descriptor) = MethodDescriptor::parse(method.descriptor()) else { continue };
        let arguments = vec![petrel_engine::Value::NULL; descriptor.parameters.len()];
        let _ = machine.call(&method, &arguments);
    }
}

/// Everything that can be read of a class file by itself.
pub fn read(class: &ClassFile) {
    let _ = class.signature().map(str::parse::<ClassSignature>);
    for field in &class.fields {
        let _ = class.field_signature(field).map(str::parse::<TypeSignature>);
    }
    for method in &class.methods {
        let _ = class.method_signature(method).map(str::parse::<MethodSignature>);
        read_method(class, method);
    }
}

fn read_method(class: &ClassFile, method: &Method) {
    match listing::of_method(class, method) {
        Ok(listing) => drop(listing.to_string()),
        Err(error) => drop(error.to_string()),
    }
}
