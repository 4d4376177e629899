//! What a system offers to build a wall of.

/// The version of Landlock's interface from which on it knows TCP.
const LANDLOCK_WITH_TCP: u32 = 4;

/// Who has a network of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Namespace {
    /// Nobody: the network is the one of the machine.
    #[default]
    None,
    /// Who may administrate the machine, and so needs nothing else for it.
    Network,
    /// Everybody, as users of a namespace of their own.
    UserAndNetwork,
}

impl Namespace {
    const ALL: [Namespace; 3] = [Namespace::None, Namespace::Network, Namespace::UserAndNetwork];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Namespace::None => "none",
            Namespace::Network => "network",
            Namespace::UserAndNetwork => "user-and-network",
        }
    }

    pub(crate) fn parse(word: &str) -> Option<Namespace> {
        Namespace::ALL.into_iter().find(|namespace| namespace.word() == word)
    }
}

/// What a system offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Protection {
    pub(crate) namespace: Namespace,
    /// The version of Landlock's interface; 0 if there is none.
    pub(crate) landlock: u32,
}

impl Protection {
    /// As the launcher writes and reads it.
    pub(crate) fn words(self) -> [String; 2] {
        [self.namespace.word().to_owned(), self.landlock.to_string()]
    }

    pub(crate) fn parse(text: &str) -> Option<Protection> {
        let (namespace, landlock) = text.split_once(' ')?;
        let (namespace, landlock) = (Namespace::parse(namespace)?, landlock.parse().ok()?);
        Some(Protection { namespace, landlock })
    }

    pub(crate) fn gap(self) -> Option<String> {
        let has_network = self.namespace != Namespace::None;
        let (missing, possible) = match (self.landlock, has_network) {
            (0, false) => (
                "has no Landlock and allows no network namespace",
                "write files, start programs and use the network",
            ),
            (0, true) => ("has no Landlock", "write files and start programs"),
            (1..LANDLOCK_WITH_TCP, false) => ("allows no network namespace", "use the network"),
            (_, false) => ("allows no network namespace", "use the network, though not by TCP"),
            (_, true) => return None,
        };
        Some(format!("this system {missing}: code under test can {possible}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        for namespace in Namespace::ALL {
            for landlock in [0, 7] {
                let offered = Protection { namespace, landlock };
                assert_eq!(Protection::parse(&offered.words().join(" ")), Some(offered));
            }
        }
        for nonsense in ["", "network", "network x", "no 7", "network 7 7"] {
            assert_eq!(Protection::parse(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn what_is_missing_is_told() {
        let gap = |namespace, landlock| Protection { namespace, landlock }.gap();
        for namespace in [Namespace::Network, Namespace::UserAndNetwork] {
            assert_eq!(gap(namespace, 1), None);
            let told = gap(namespace, 0).unwrap();
            assert!(told.contains("no Landlock") && told.contains("write files"), "{told}");
            assert!(!told.contains("network"), "{told}");
        }
        let told = gap(Namespace::None, 3).unwrap();
        assert!(told.ends_with("code under test can use the network"), "{told}");
        assert!(gap(Namespace::None, 4).unwrap().contains("not by TCP"));
        let told = Protection::default().gap().unwrap();
        assert!(told.contains("no Landlock") && told.contains("use the network"), "{told}");
    }
}
