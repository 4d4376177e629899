//! Choices inside of hash tables that only tell how keys share places.
//!
//! Where a key is in a table, and in which order a table is walked, makes paths by the dozen that no program
//! tells apart. Of such choices one side is taken: an unknown table has each key at a place of its own, a
//! key that is looked for at an occupied place is found, and a table is walked in the order in which its keys may
//! come first. That the others are left out is counted.

use petrel_clp::Comparison;
use petrel_program::ResolvedMethod;
use petrel_solver::Expr;

use crate::machine::{Doing, Machine};

/// What a method of a hash table does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hashing {
    /// Looks a key up.
    Lookup,
    /// Adds a key.
    Insert,
    /// Walks through all places.
    Scan,
}

/// What a method does with a hash table, if it does anything.
pub(crate) fn hashing(method: &ResolvedMethod) -> Option<Hashing> {
    let class = method.class().name();
    if class.starts_with("java/util/HashMap$") && !class.starts_with("java/util/HashMap$TreeNode") {
        return Some(Hashing::Scan);
    }
    if class == petrel_translate::plain_tables::PLAIN {
        return Some(Hashing::Insert);
    }
    if class.starts_with("java/util/concurrent/ConcurrentHashMap$") {
        let is_walk = matches!(method.name(), "advance" | "advanceChain" | "find");
        return is_walk.then_some(Hashing::Scan);
    }
    if !matches!(class, "java/util/HashMap" | "java/util/concurrent/ConcurrentHashMap") {
        return None;
    }
    Some(match method.name() {
        "get" | "replaceNode" if class != "java/util/HashMap" => Hashing::Lookup,
        "getNode" | "removeNode" => Hashing::Lookup,
        "putVal" | "computeIfAbsent" | "computeIfPresent" | "compute" | "merge" => Hashing::Insert,
        "forEach" | "replaceAll" | "containsValue" | "keysToArray" | "valuesToArray" => {
            Hashing::Scan
        }
        _ => return None,
    })
}

impl Machine<'_> {
    fn hashing_here(&self) -> Option<Hashing> {
        self.methods.get(self.method_under_way()?).hashing
    }

    /// Whether an input object is being built.
    fn is_building(&self) -> bool {
        self.specials().iter().any(|special| matches!(special.doing, Doing::Build(..)))
    }

    /// What a test for null is taken to say here, if both are possible.
    pub(crate) fn preferred_null(&self) -> Option<bool> {
        match self.hashing_here()? {
            Hashing::Scan => Some(false),
            Hashing::Insert if self.is_building() => Some(true),
            Hashing::Insert | Hashing::Lookup => None,
        }
    }

    /// What a test for identity is taken to say here, if both are possible.
    pub(crate) fn preferred_same(&self) -> Option<bool> {
        match self.hashing_here()? {
            Hashing::Insert | Hashing::Lookup if !self.is_building() => Some(true),
            _ => None,
        }
    }

    /// Whether a comparison of numbers is taken to hold here, if both are possible: hash codes are equal, and
    /// so are keys.
    pub(crate) fn preferred_comparison(&self, comparison: Comparison, right: Expr) -> Option<bool> {
        match self.hashing_here()? {
            Hashing::Insert | Hashing::Lookup if !self.is_building() => {}
            _ => return None,
        }
        let is_truth_test = right == Expr::Constant(0);
        match comparison {
            Comparison::Equal => Some(!is_truth_test),
            Comparison::NotEqual => Some(is_truth_test),
            _ => None,
        }
    }
}
