//! Texts that name the loader of a class: casts that fail have such messages.

/// Whether texts are alike but for the loader of the classes: in the harness it is its own one,
/// outside of it the one of the class path.
pub(super) fn is_own_loader(ours: &[u16], theirs: &[u16]) -> bool {
    const USUAL: &str = "loader 'app'";
    const OWN: &str = "loader java.net.URLClassLoader @";
    let (ours, theirs) = (String::from_utf16_lossy(ours), String::from_utf16_lossy(theirs));
    let mut theirs = theirs.split(OWN);
    let is_alike = |(number, (ours, theirs)): (usize, (&str, &str))| {
        // The number of the loader comes behind its name.
        let is_number = |c: char| number > 0 && c.is_ascii_hexdigit();
        ours == theirs.trim_start_matches(is_number)
    };
    let mut parts = ours.split(USUAL);
    let pairs: Vec<(&str, &str)> = parts.by_ref().zip(theirs.by_ref()).collect();
    let is_over = parts.next().is_none() && theirs.next().is_none();
    is_over && pairs.len() > 1 && pairs.into_iter().enumerate().all(is_alike)
}

#[cfg(test)]
mod tests {
    use super::is_own_loader;

    fn check(ours: &str, theirs: &str) -> bool {
        let units = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
        is_own_loader(&units(ours), &units(theirs))
    }

    #[test]
    fn only_the_loader_may_differ() {
        let theirs = "A is in loader java.net.URLClassLoader @33af; B in loader 'bootstrap'";
        assert!(check("A is in loader 'app'; B in loader 'bootstrap'", theirs));
        assert!(!check("A is in loader 'app'; C in loader 'bootstrap'", theirs));
        assert!(!check("A is in loader 'bootstrap'; B in loader 'bootstrap'", theirs));
        assert!(!check("A", "B"));
    }

    #[test]
    fn several_loaders_may_differ() {
        let theirs = "loader java.net.URLClassLoader @1, loader java.net.URLClassLoader @2.";
        assert!(check("loader 'app', loader 'app'.", theirs));
        assert!(!check("loader 'app', loader 'app'", theirs));
        assert!(!check("loader 'app', ", theirs));
    }
}
