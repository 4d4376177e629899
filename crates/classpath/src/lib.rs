//! Where class bytes come from.
//!
//! A [`ClassSource`] answers one question: given the internal name of a class, such as
//! `java/lang/String`, what are the bytes of its class file? The sources are
//!
//! * [`Directory`]: a folder of class files,
//! * [`Jar`]: a zip file, multi-release jars included,
//! * [`ClassPath`]: several of these in order, from a string as `java -cp` takes it,
//! * [`JImage`]: the file `lib/modules` of a JDK 9 or newer,
//! * [`Jmods`]: a folder of `.jmod` files,
//! * [`Jdk`]: an installed JDK, which is one of the last two or, for a JDK 8, `rt.jar`.
//!
//! This crate reads files and nothing else. Bytes go in and bytes come out: what a class file
//! means is for others to say. All input is taken as hostile. A damaged or malicious archive
//! ends in a [`SourceError`] that names the file, the entry and the defect; it never ends in a
//! panic, a read outside of the source, or an allocation that the input merely claims to need.
//!
//! Every source can be shared between threads. Lookups read with positions of their own, so
//! that threads do not wait for one another.

mod archive;
mod class_path;
mod directory;
mod error;
mod jar;
mod jdk;
mod jimage;
mod jmods;
mod names;
mod store;
#[cfg(test)]
mod testing;

pub use class_path::ClassPath;
pub use directory::Directory;
pub use error::SourceError;
pub use jar::Jar;
pub use jdk::{Environment, Jdk};
pub use jimage::JImage;
pub use jmods::Jmods;

/// The largest class file that is read, in bytes.
///
/// No compiler emits anything near it: the largest classes seen in practice have a few megabytes,
/// and one method has at most 64 KiB of code. The limit keeps an archive entry that claims, or
/// inflates to, gigabytes from taking down the process, also when several threads read at once.
pub const MAX_CLASS_BYTES: u64 = 64 << 20;

/// The bytes of one class file, and where they were found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassBytes {
    /// The content of the class file, unchecked.
    pub bytes: Vec<u8>,
    /// The place the bytes come from, for messages: a path such as `classes/a/B.class`, with
    /// `!/` between an archive and its entry, as in `lib/foo.jar!/a/B.class` and
    /// `lib/modules!/java.base/java/lang/String.class`.
    pub origin: String,
    /// What holds them.
    pub home: Home,
}

/// What holds a class file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Home {
    /// A module of a JDK, by its name.
    Module(String),
    /// An archive.
    Archive,
    /// A folder.
    Folder,
}

/// Something that holds class files and finds them by name.
pub trait ClassSource: Send + Sync {
    /// Finds the class with this internal name (`java/lang/String`), or `None` if this source
    /// has no such class.
    ///
    /// # Errors
    ///
    /// If the name is not an internal name, or if the class is there but cannot be read.
    fn find(&self, internal_name: &str) -> Result<Option<ClassBytes>, SourceError>;

    /// The internal names of all classes of this source, sorted and without duplicates.
    ///
    /// The descriptors `module-info` and `package-info` are not classes in this sense and are
    /// left out, and so is everything below `META-INF`.
    ///
    /// # Errors
    ///
    /// If the source cannot be listed.
    fn class_names(&self) -> Result<Vec<String>, SourceError>;

    /// What this source is, in a few words for messages: `jar lib/foo.jar`.
    fn describe(&self) -> String;
}
