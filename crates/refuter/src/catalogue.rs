//! The classes of a class path, as far as it takes to choose among them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use petrel_classfile::{ClassFile, Constant, JavaType, MethodDescriptor, flags};
use petrel_classpath::ClassSource;

use crate::drive::TargetClass;
use crate::error::RefuterError;
use crate::instrument::instrument;

/// So many implementations of a type are enough.
const MOST_SUBTYPES: usize = 10;
/// Helpers take time to be loaded, in each world.
const MOST_HELPERS: usize = 150;

/// What the names of classes start with that do something outside of the JVM, or to all of it.
const OUTSIDE: [&str; 16] = [
    "java/io/File",
    "java/io/RandomAccessFile",
    "java/nio/file/",
    "java/nio/channels/",
    "java/net/",
    "java/lang/Process",
    "java/lang/Runtime",
    "java/lang/Thread",
    "java/lang/reflect/",
    "java/util/concurrent/Executor",
    "java/util/logging/",
    "java/util/prefs/",
    "java/util/zip/Zip",
    "java/util/jar/",
    "java/util/Timer",
    "javax/",
];
/// Names that only look so.
const INSIDE: [&str; 3] =
    ["java/lang/RuntimeException", "java/lang/ThreadLocal", "java/lang/reflect/Array"];

/// The classes of a class path.
#[derive(Debug, Default)]
pub struct Catalogue {
    classes: BTreeMap<String, Listed>,
    /// Classes that cannot be read, and why.
    pub unreadable: Vec<(String, String)>,
}

#[derive(Debug)]
struct Listed {
    bytes: Arc<[u8]>,
    flags: u16,
    above: Vec<String>,
    /// Classes that are mentioned.
    mentions: BTreeSet<String>,
    /// Types of parameters of methods that can be called.
    parameters: BTreeSet<String>,
}

impl Catalogue {
    /// Reads all classes of a class path.
    ///
    /// # Errors
    ///
    /// If the class path cannot be read. Classes that cannot be parsed are listed as such.
    pub fn of(source: &dyn ClassSource) -> Result<Catalogue, RefuterError> {
        let mut catalogue = Catalogue::default();
        for name in source.class_names()? {
            let Some(class) = source.find(&name)? else { continue };
            let bytes: Arc<[u8]> = class.bytes.into();
            match ClassFile::parse(Arc::clone(&bytes)) {
                Ok(class) => {
                    catalogue.classes.insert(name, Listed::new(&class, bytes));
                }
                Err(error) => catalogue.unreadable.push((name, error.to_string())),
            }
        }
        Ok(catalogue)
    }

    /// Internal names of all classes.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.classes.keys().map(String::as_str)
    }

    /// A class to be driven.
    pub fn target(&self, name: &str) -> Option<TargetClass> {
        let bytes = Arc::clone(&self.classes.get(name)?.bytes);
        Some(TargetClass { name: name.to_owned(), bytes })
    }

    /// The classes that most others mention, in the order of how many do.
    pub fn most_referenced(&self, count: usize) -> Vec<String> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (name, listed) in &self.classes {
            for mentioned in listed.mentions.iter().filter(|mentioned| *mentioned != name) {
                if self.classes.contains_key(mentioned) {
                    *counts.entry(mentioned).or_default() += 1;
                }
            }
        }
        let mut names: Vec<(&str, usize)> = counts.into_iter().collect();
        names.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
        names.into_iter().take(count).map(|(name, _)| name.to_owned()).collect()
    }

    /// Whether a class mentions files, the network, processes or threads: to drive it may do something to the world outside.
    pub fn touches_outside(&self, name: &str) -> bool {
        let listed = self.classes.get(name);
        listed.is_some_and(|listed| {
            listed.mentions.iter().any(|mentioned| {
                OUTSIDE.iter().any(|start| mentioned.starts_with(start))
                    && !INSIDE.contains(&mentioned.as_str())
            })
        })
    }

    /// Whether a class has any branches.
    pub fn has_branches(&self, name: &str) -> bool {
        let made = self.classes.get(name).map(|listed| instrument(&listed.bytes, 0));
        made.is_some_and(|made| made.is_ok_and(|made| !made.methods.is_empty()))
    }

    /// Classes besides the targets whose objects are of use: types of parameters, and what implements or extends them.
    pub fn helpers(&self, targets: &[String]) -> Vec<TargetClass> {
        let targets: BTreeSet<&str> = targets.iter().map(String::as_str).collect();
        let below = self.below();
        let mut helpers: BTreeSet<&str> = BTreeSet::new();
        let mut wanted: Vec<&str> = Vec::new();
        for name in &targets {
            wanted.push(name);
            wanted.extend(self.parameters(name));
        }
        // Once more for what the constructors of helpers need.
        for _ in 0..2 {
            let mut next = Vec::new();
            for name in std::mem::take(&mut wanted) {
                for helper in self.concrete(name, &below) {
                    if !targets.contains(helper)
                        && helpers.len() < MOST_HELPERS
                        && helpers.insert(helper)
                    {
                        next.extend(self.parameters(helper));
                    }
                }
            }
            wanted = next;
        }
        helpers.into_iter().filter_map(|name| self.target(name)).collect()
    }

    fn parameters<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        let listed = self.classes.get(name);
        listed.into_iter().flat_map(|listed| listed.parameters.iter().map(String::as_str))
    }

    /// For each class, those directly below it.
    fn below(&self) -> BTreeMap<&str, Vec<&str>> {
        let mut below: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (name, listed) in &self.classes {
            for above in &listed.above {
                below.entry(above).or_default().push(name);
            }
        }
        below
    }

    /// Some classes that have objects of a type.
    fn concrete<'a>(
        &'a self,
        of: &'a str,
        below: &BTreeMap<&'a str, Vec<&'a str>>,
    ) -> Vec<&'a str> {
        let mut found = Vec::new();
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut waiting = std::collections::VecDeque::from([of]);
        while let Some(name) = waiting.pop_front() {
            if found.len() >= MOST_SUBTYPES || !seen.insert(name) {
                continue;
            }
            let Some(listed) = self.classes.get(name) else { continue };
            // A class without objects may have factories.
            if listed.flags & flags::SYNTHETIC == 0 {
                found.push(name);
            }
            waiting.extend(below.get(name).into_iter().flatten());
        }
        found
    }
}

impl Listed {
    fn new(class: &ClassFile, bytes: Arc<[u8]>) -> Listed {
        let pool = &class.constant_pool;
        let mut mentions = BTreeSet::new();
        for index in 1..pool.len() as u16 {
            if let (Ok(Constant::Class(_)), Ok(name)) = (pool.get(index), pool.class_name(index)) {
                mentions.insert(element(name).to_owned());
            }
        }
        let mut parameters = BTreeSet::new();
        for method in class.methods.iter().filter(|method| !method.has_flags(flags::PRIVATE)) {
            let Ok(descriptor) = MethodDescriptor::parse(class.method_descriptor(method)) else {
                continue;
            };
            parameters.extend(descriptor.parameters.iter().filter_map(object));
        }
        let above = class.super_name().into_iter().chain(class.interfaces());
        Listed {
            bytes,
            flags: class.access_flags,
            above: above.map(str::to_owned).collect(),
            mentions,
            parameters,
        }
    }
}

/// The class whose objects an array type is made of in the end, or the class itself.
fn element(name: &str) -> &str {
    let inner = name.trim_start_matches('[');
    match inner.strip_prefix('L') {
        Some(object) if inner.len() < name.len() => object.trim_end_matches(';'),
        _ => inner,
    }
}

fn object(java_type: &JavaType) -> Option<String> {
    match java_type {
        JavaType::Object(name) => Some(name.to_string()),
        JavaType::Array(of) => object(of),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::element;

    #[test]
    fn arrays_mention_their_elements() {
        assert_eq!(element("[[La/B;"), "a/B");
        assert_eq!(element("a/B"), "a/B");
        assert_eq!(element("Lib"), "Lib");
    }
}
