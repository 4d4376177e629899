//! Imports, and the names that classes have because of them.

use std::collections::{BTreeMap, BTreeSet};

use crate::visible::Visible;

/// The imports of a file.
#[derive(Debug, Clone)]
pub(crate) struct Imports<'a> {
    pub(crate) visible: Visible<'a>,
    /// The classes that simple names mean in the file, by internal name.
    meant: BTreeMap<String, String>,
    /// Members that are imported by name: `org.junit.Assert.assertEquals`.
    members: BTreeSet<String>,
}

impl<'a> Imports<'a> {
    /// The names that are given from the start: those of the test class and of the class under test.
    pub(crate) fn new(visible: Visible<'a>, given: &[String]) -> Imports<'a> {
        let simple = |internal: &String| {
            (internal.rsplit('/').next().unwrap_or_default().to_owned(), internal.clone())
        };
        Imports { visible, meant: given.iter().map(simple).collect(), members: BTreeSet::new() }
    }

    /// How the file writes a class; `None` if it cannot.
    pub(crate) fn class(&mut self, internal: &str) -> Option<String> {
        let name = self.visible.name(internal)?;
        let outermost = self.top_level(&name.outermost);
        Some([vec![outermost], name.members].concat().join("."))
    }

    /// The same for a class of JUnit, which need not be on the class path.
    pub(crate) fn junit(&mut self, internal: &str) -> String {
        self.top_level(internal)
    }

    /// A static method of JUnit.
    pub(crate) fn assertion(&mut self, class: &str, method: &str) -> String {
        self.members.insert(format!("{}.{method}", class.replace('/', ".")));
        method.to_owned()
    }

    fn top_level(&mut self, internal: &str) -> String {
        let (package, simple) = internal.rsplit_once('/').unwrap_or(("", internal));
        if let Some(meant) = self.meant.get(simple) {
            return if meant == internal { simple.to_owned() } else { internal.replace('/', ".") };
        }
        // A class of the package hides one of `java.lang`, and is hidden by an import.
        let neighbour = match self.visible.package {
            "" => simple.to_owned(),
            package => format!("{package}/{simple}"),
        };
        if package != self.visible.package && self.visible.program.class(&neighbour).is_ok() {
            return internal.replace('/', ".");
        }
        self.meant.insert(simple.to_owned(), internal.to_owned());
        simple.to_owned()
    }

    /// The lines of the file: static imports first.
    pub(crate) fn lines(&self) -> Vec<String> {
        let is_imported = |internal: &&String| {
            let package = internal.rsplit_once('/').map_or("", |(package, _)| package);
            package != self.visible.package && package != "java/lang" && !package.is_empty()
        };
        let classes: BTreeSet<String> =
            self.meant.values().filter(is_imported).map(|name| name.replace('/', ".")).collect();
        let mut lines: Vec<String> =
            self.members.iter().map(|member| format!("import static {member};")).collect();
        if !lines.is_empty() && !classes.is_empty() {
            lines.push(String::new());
        }
        lines.extend(classes.iter().map(|class| format!("import {class};")));
        lines
    }
}
