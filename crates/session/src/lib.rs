//! A class path and a JDK, opened together as a program: what every command starts from.
//!
//! This is the one place where class sources (which do input and output) and the program model
//! (which does not) meet.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use petrel_classpath::{ClassPath, ClassSource, Home, Jdk, SourceError};
use petrel_program::{ClassBytes, ClassProvider, Origin, Program};

/// An opened class path and JDK.
pub struct Session {
    sources: Arc<Sources>,
    program: Program,
}

struct Sources {
    jdk: Jdk,
    class_path: ClassPath,
}

/// What was found by a class path, or by a JDK, as a program takes it.
pub fn provided(class: petrel_classpath::ClassBytes, is_of_jdk: bool) -> ClassBytes {
    let origin = match class.home {
        Home::Module(module) => Origin::Jdk { module: Some(module.into()) },
        _ if is_of_jdk => Origin::Jdk { module: None },
        Home::Archive => Origin::Library,
        Home::Folder => Origin::Project,
    };
    ClassBytes { bytes: class.bytes.into(), place: class.origin, origin }
}

/// The JDK comes first, as on the JVM: no class path can replace a class of the platform.
impl ClassProvider for Sources {
    fn find(&self, internal_name: &str) -> Result<Option<ClassBytes>, String> {
        let (found, is_of_jdk) = match self.jdk.find(internal_name) {
            Ok(None) => (self.class_path.find(internal_name), false),
            other => (other, true),
        };
        match found {
            Ok(class) => Ok(class.map(|class| provided(class, is_of_jdk))),
            // What is no name of a class names no class.
            Err(SourceError::InvalidName { .. }) => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }

    fn project_classes(&self) -> Result<Vec<String>, String> {
        let mut names = self.class_path.class_names().map_err(|error| error.to_string())?;
        // What the JDK has, readable or not, is never taken from the class path.
        names.retain(|name| matches!(self.jdk.find(name), Ok(None)));
        Ok(names)
    }
}

impl Session {
    /// Opens a JDK (an explicit one, or the one that the environment has) and a class path.
    ///
    /// # Errors
    ///
    /// If there is no JDK, or an entry of the class path cannot be opened.
    pub fn open(class_path: &OsStr, jdk: Option<&Path>) -> Result<Session, SourceError> {
        let jdk = Jdk::locate(jdk)?;
        let class_path = ClassPath::parse(class_path, jdk.feature_version())?;
        let sources = Arc::new(Sources { jdk, class_path });
        let program = Program::new(Box::new(Shared(Arc::clone(&sources))));
        Ok(Session { sources, program })
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The JDK.
    pub fn jdk(&self) -> &Jdk {
        &self.sources.jdk
    }

    /// A checksum of each class of the class path, by its internal name: enough to see that one has changed.
    ///
    /// # Errors
    ///
    /// If the class path cannot be read.
    pub fn checksums(&self) -> Result<BTreeMap<String, String>, SourceError> {
        let class_path = &self.sources.class_path;
        let mut checksums = BTreeMap::new();
        for name in class_path.class_names()? {
            if let Some(class) = class_path.find(&name)? {
                let checksum =
                    format!("{:08x}-{}", crc32fast::hash(&class.bytes), class.bytes.len());
                checksums.insert(name, checksum);
            }
        }
        Ok(checksums)
    }

    /// The class path.
    pub fn class_path(&self) -> &ClassPath {
        &self.sources.class_path
    }
}

struct Shared(Arc<Sources>);

impl ClassProvider for Shared {
    fn find(&self, internal_name: &str) -> Result<Option<ClassBytes>, String> {
        self.0.find(internal_name)
    }

    fn project_classes(&self) -> Result<Vec<String>, String> {
        self.0.project_classes()
    }
}
