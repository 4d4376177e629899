//! The classes that are tested.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use petrel_classfile::flags;
use petrel_classpath::{ClassSource, Jdk};
use petrel_filetests::derive;
use petrel_filetests::sample::sample;
use petrel_program::{Class, Program, ResolvedMethod};
use petrel_session::Session;

use crate::Failure;

/// Classes of a library.
pub(super) struct Targets {
    session: Session,
    /// Their names with dots, in the order of the library.
    pub(super) names: Vec<String>,
    /// The classes by these names.
    pub(super) classes: BTreeMap<String, Arc<Class>>,
}

impl Targets {
    /// So many classes of a jar, by chance: of those that a test can name and that have a public method with code.
    pub(super) fn choose(
        jdk: &Jdk,
        jar: &Path,
        count: usize,
        seed: u64,
    ) -> Result<Targets, Failure> {
        let session = derive::open(jdk, jar);
        let mut names = session.class_path().class_names()?;
        names.sort_unstable();
        let program = session.program();
        let has_tests = |name: &String| {
            // What needs another jar is not there for a user of this one either.
            program.class(name).ok().filter(|class| is_target(program, class))
        };
        let eligible: Vec<Arc<Class>> = names.iter().filter_map(has_tests).collect();
        let chosen = sample(&eligible, count, seed);
        let dotted = |class: &Arc<Class>| class.name().replace('/', ".");
        let names = chosen.iter().map(dotted).collect();
        let classes = chosen.iter().map(|class| (dotted(class), Arc::clone(class))).collect();
        Ok(Targets { session, names, classes })
    }

    /// Writes exactly these classes into a folder, as the JVM loads them.
    pub(super) fn write(&self, folder: &Path) -> Result<(), Failure> {
        for class in self.classes.values() {
            let found = self.session.class_path().find(class.name())?;
            let found = found.ok_or_else(|| format!("{} is gone", class.name()))?;
            let file = folder.join(format!("{}.class", class.name()));
            fs::create_dir_all(file.parent().unwrap_or(folder))?;
            fs::write(file, &found.bytes)?;
        }
        Ok(())
    }
}

fn is_target(program: &Program, class: &Arc<Class>) -> bool {
    let has_code = |method: &ResolvedMethod| {
        method.has_flags(flags::PUBLIC)
            && !method.has_flags(flags::SYNTHETIC)
            && !method.is_abstract()
            && !method.is_native()
    };
    !class.file.has_flags(flags::SYNTHETIC)
        && program.is_nameable(class, class.package())
        && class.methods().any(|method| has_code(&method))
}

/// Whether a method, given by name and descriptor, is public.
pub(super) fn is_public(class: &Arc<Class>, name: &str) -> bool {
    class.methods().any(|method| {
        method.has_flags(flags::PUBLIC)
            && name.strip_prefix(method.name()) == Some(method.descriptor())
    })
}
