//! Internal names of classes as they appear in paths.
//!
//! Names reach this crate from class files and from archives, both of which may be hostile, and
//! end up in paths. The check here is the one place that decides what is a name.

use crate::SourceError;

/// Where everything that is not a class lives in a jar.
pub(crate) const META_INF: &str = "META-INF/";

/// The rule that `name` breaks as an internal name, if any.
///
/// Only what could change the meaning of a path is refused. The letters of the segments are
/// left alone: the JVM allows almost all of them, and a name that no file has is just not found.
pub(crate) fn defect(name: &str) -> Option<&'static str> {
    if name.starts_with('/') {
        return Some("it starts with a slash");
    }
    if name.contains('\\') {
        return Some("it contains a backslash");
    }
    if name.contains('\0') {
        return Some("it contains a zero character");
    }
    name.split('/').find_map(|segment| match segment {
        "" => Some("it has an empty segment"),
        "." | ".." => Some("it has a segment `.` or `..`"),
        _ => None,
    })
}

/// Refuses a name that is not fit for a lookup.
pub(crate) fn check(name: &str) -> Result<(), SourceError> {
    match defect(name) {
        None => Ok(()),
        Some(reason) => {
            Err(SourceError::InvalidName { name: name.escape_debug().to_string(), reason })
        }
    }
}

/// Whether a class of this name belongs in a list of classes.
///
/// Left out are the descriptors of modules and packages, the content of `META-INF`, and paths
/// that cannot be the name of a class because of a character that the JVM reserves.
pub(crate) fn is_listed(name: &str) -> bool {
    let simple = name.rsplit_once('/').map_or(name, |(_, simple)| simple);
    defect(name).is_none()
        && !name.contains(['.', ';', '['])
        && !name.starts_with(META_INF)
        && simple != "module-info"
        && simple != "package-info"
}

/// Brings names into the form in which sources hand them out: sorted, each once.
pub(crate) fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_names_have_no_defect() {
        for name in ["A", "a/B", "java/lang/String", "a/B$1", "a/ß", "a/..b", "a/b-c"] {
            assert_eq!(defect(name), None, "{name}");
        }
    }

    #[test]
    fn names_that_could_leave_the_root_are_refused() {
        for name in
            ["", "/", "/a/B", "a//B", "a/", "..", "../B", "a/../B", "./B", "a/.", "a\\B", "a/B\0"]
        {
            let error = check(name).unwrap_err();
            assert!(matches!(error, SourceError::InvalidName { .. }), "{name:?}: {error}");
        }
    }

    #[test]
    fn descriptors_and_impossible_names_are_not_listed() {
        for name in ["module-info", "a/package-info", "META-INF/versions/9/a/B", "a.b/C", "a/B;"] {
            assert!(!is_listed(name), "{name}");
        }
        assert!(is_listed("a/module"));
    }
}
