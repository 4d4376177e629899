//! The program: classes by name, loaded when they are first asked for.

use std::fmt;
use std::hash::Hasher;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use rustc_hash::{FxHashMap, FxHasher};

use crate::class::Class;
use crate::error::LoadError;
use crate::load;
use crate::subtypes::Subtypes;

/// The bytes of a class file, and where they were found.
#[derive(Debug, Clone)]
pub struct ClassBytes {
    /// The class file, unchecked.
    pub bytes: Arc<[u8]>,
    /// The file, for messages.
    pub place: String,
    /// Whose class it is.
    pub origin: Origin,
}

/// Whose class a class is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The JDK's.
    Jdk {
        /// Its module; before Java 9 there were none.
        module: Option<Arc<str>>,
    },
    /// That of a library: of an archive on the class path.
    Library,
    /// The project's: of a folder on the class path.
    Project,
    /// Petrel's own, synthesised for a dynamic call site, a stub or a model.
    Synthesised,
}

/// Where class bytes come from. Asked for the same class again, it gives the same answer.
pub trait ClassProvider: Send + Sync {
    /// The class with this internal name, or `None` if there is no such class.
    ///
    /// # Errors
    ///
    /// If the class is there but cannot be read; the message names the file.
    fn find(&self, internal_name: &str) -> Result<Option<ClassBytes>, String>;

    /// The internal names of the project's classes, in any order: those of the class path, not of
    /// the JDK. A provider that cannot list them has none.
    ///
    /// # Errors
    ///
    /// If the class path cannot be listed; the message names the place.
    fn project_classes(&self) -> Result<Vec<String>, String> {
        Ok(Vec::new())
    }
}

pub(crate) type Loaded = Result<Arc<Class>, LoadError>;

/// Enough tables that threads seldom want the same one at the same time.
const TABLES: usize = 64;

/// All classes that the code under test can name.
///
/// Any number of threads can use a program at once. Loading holds no lock, so that two threads may
/// read the same class; the first to finish puts its result into the table, and both use that.
pub struct Program {
    provider: Box<dyn ClassProvider>,
    tables: [RwLock<FxHashMap<Arc<str>, Loaded>>; TABLES],
    /// See [`Program::project_classes`].
    project: OnceLock<Result<Box<[Arc<str>]>, String>>,
    subtypes: OnceLock<Subtypes>,
}

impl Program {
    /// A program over these classes; none is loaded yet.
    pub fn new(provider: Box<dyn ClassProvider>) -> Program {
        let tables = std::array::from_fn(|_| RwLock::default());
        Program { provider, tables, project: OnceLock::new(), subtypes: OnceLock::new() }
    }

    /// The class with this internal name, with all its supertypes.
    ///
    /// # Errors
    ///
    /// If the class or one of its supertypes is missing, malformed, or does not fit the others.
    /// The answer for a class never changes.
    pub fn class(&self, name: &str) -> Result<Arc<Class>, LoadError> {
        match self.known(name) {
            Some(loaded) => loaded,
            None => load::load(self, name.into()),
        }
    }

    /// Adds a class that Petrel made up. Doing it again with the same bytes gives the same class.
    ///
    /// The name should be one that nothing refers to before the class is defined.
    ///
    /// # Errors
    ///
    /// As for [`Program::class`], and if there is another class of that name.
    pub fn define_synthetic(&self, bytes: impl Into<Arc<[u8]>>) -> Result<Arc<Class>, LoadError> {
        load::define(self, bytes.into())
    }

    /// The internal names of the project's classes, sorted: those of the class path, not of the JDK.
    /// They are listed once, when they are first asked for.
    ///
    /// # Errors
    ///
    /// If the class path cannot be listed.
    pub fn project_classes(&self) -> Result<&[Arc<str>], &str> {
        let listed = self.project.get_or_init(|| {
            let mut names = self.provider.project_classes()?;
            names.sort_unstable();
            names.dedup();
            Ok(names.into_iter().map(Arc::from).collect())
        });
        listed.as_deref().map_err(String::as_str)
    }

    /// Whether the class with this internal name is one of the project's.
    pub fn is_project_class(&self, name: &str) -> bool {
        let names = self.project_classes().unwrap_or_default();
        names.binary_search_by(|known| (**known).cmp(name)).is_ok()
    }

    /// The hierarchy of the project from above, built when it is first asked for.
    pub(crate) fn subtypes(&self) -> &Subtypes {
        self.subtypes.get_or_init(|| Subtypes::of(self))
    }

    /// What is known of a class without loading it.
    pub(crate) fn known(&self, name: &str) -> Option<Loaded> {
        self.table(name).read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// Enters the outcome of a class, unless another thread was faster. The answer is what counts.
    pub(crate) fn record(&self, name: &Arc<str>, outcome: Loaded) -> Loaded {
        let mut table = self.table(name).write().unwrap_or_else(PoisonError::into_inner);
        table.entry(Arc::clone(name)).or_insert(outcome).clone()
    }

    /// As `record`, but a synthesised class may take a name under which nothing was found before.
    pub(crate) fn record_synthetic(&self, name: &Arc<str>, outcome: Loaded) -> Loaded {
        let mut table = self.table(name).write().unwrap_or_else(PoisonError::into_inner);
        let entry = table.entry(Arc::clone(name)).or_insert_with(|| outcome.clone());
        if matches!(entry, Err(LoadError::NotFound { needed_by: None, .. })) {
            *entry = outcome;
        }
        entry.clone()
    }

    /// The class file with this name, if the provider has it.
    pub(crate) fn provided(&self, name: &Arc<str>) -> Result<Option<ClassBytes>, LoadError> {
        let unreadable = |message| LoadError::Unreadable { name: Arc::clone(name), message };
        self.provider.find(name).map_err(unreadable)
    }

    fn table(&self, name: &str) -> &RwLock<FxHashMap<Arc<str>, Loaded>> {
        let mut hasher = FxHasher::default();
        hasher.write(name.as_bytes());
        &self.tables[hasher.finish() as usize % TABLES]
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program").finish_non_exhaustive()
    }
}
