//! What a test class can name: it is in the package of the class under test, and no more than any other class there.

use std::sync::Arc;

use petrel_classfile::flags;
use petrel_program::{Class, Program, ResolvedField, ResolvedMethod, is_visible};

/// The view from a package.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Visible<'a> {
    pub(crate) program: &'a Program,
    /// In internal form.
    pub(crate) package: &'a str,
}

/// The name of a class in source: the class that is no member of another, and the members that lead from there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SourceName {
    /// Internal name of the outermost class.
    pub(crate) outermost: String,
    /// The member classes, from the outside in.
    pub(crate) members: Vec<String>,
}

impl<'a> Visible<'a> {
    /// The name of a class; `None` if it has none here.
    pub(crate) fn name(&self, internal: &str) -> Option<SourceName> {
        let class = self.program.class(internal).ok()?;
        let package = class.package();
        if is_hidden_package(package) || package.is_empty() && !self.package.is_empty() {
            return None;
        }
        let Some(entry) = class.as_member() else {
            let simple = internal.rsplit('/').next()?;
            let is_open = class.file.has_flags(flags::PUBLIC) || package == self.package;
            let parts_are_names = package.is_empty() || package.split('/').all(is_identifier);
            let is_named = is_open && is_identifier(simple) && parts_are_names;
            return is_named
                .then(|| SourceName { outermost: internal.to_owned(), members: Vec::new() });
        };
        let pool = &class.file.constant_pool;
        let outer = pool.class_name(entry.outer_class).ok()?;
        let simple = pool.utf8(entry.inner_name).ok()?;
        if !is_identifier(simple) || !self.is_open(entry.access_flags, package) {
            return None;
        }
        let mut name = self.name(outer)?;
        name.members.push(simple.to_owned());
        Some(name)
    }

    /// The class itself, or the nearest of its superclasses that has a name here.
    pub(crate) fn nearest(&self, class: &Arc<Class>) -> Arc<str> {
        let named = class.lineage().find(|class| self.name(class.name()).is_some());
        named.map_or_else(|| "java/lang/Object".into(), |class| Arc::clone(class.shared_name()))
    }

    /// Whether code of the test class may call a method by its name.
    pub(crate) fn can_call(&self, method: &ResolvedMethod) -> bool {
        let has_name = method.is_constructor() || is_identifier(method.name());
        has_name
            && !method.has_flags(flags::SYNTHETIC)
            && self.is_open(method.flags(), method.class().package())
    }

    pub(crate) fn can_use_field(&self, field: &ResolvedField) -> bool {
        is_identifier(field.name())
            && !field.has_flags(flags::SYNTHETIC)
            && self.is_open(field.flags(), field.class().package())
    }

    fn is_open(&self, access: u16, package: &str) -> bool {
        is_visible(access, package == self.package)
    }
}

/// Packages that the JDK keeps to itself.
fn is_hidden_package(package: &str) -> bool {
    ["sun/", "jdk/internal", "com/sun/"].iter().any(|hidden| package.starts_with(hidden))
}

const KEYWORDS: [&str; 54] = [
    "_",
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "false",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "true",
    "try",
    "void",
    "volatile",
    "while",
];

/// Whether a text is an identifier that javac takes. Names beyond ASCII would depend on the encoding of the file.
pub(crate) fn is_identifier(text: &str) -> bool {
    let is_start = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '$');
    text.starts_with(is_start)
        && text.chars().all(|c| is_start(c) || c.is_ascii_digit())
        && !KEYWORDS.contains(&text)
}
