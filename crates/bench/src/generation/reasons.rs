//! Why branches are not covered.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use petrel_filetests::generated::account::{BranchAccount, MethodAccount};

/// Branches by verdict, and those without a test by reason.
#[derive(Debug, Default)]
pub(super) struct Reasons {
    verdicts: BTreeMap<String, usize>,
    reasons: BTreeMap<String, usize>,
    /// Reasons that are something unsupported.
    unsupported: BTreeMap<String, usize>,
}

impl Reasons {
    pub(super) fn add(&mut self, other: Reasons) {
        let sums = [&mut self.verdicts, &mut self.reasons, &mut self.unsupported];
        let more = [other.verdicts, other.reasons, other.unsupported];
        for (sum, more) in sums.into_iter().zip(more) {
            for (name, count) in more {
                *sum.entry(name).or_default() += count;
            }
        }
    }

    /// Counts the branches of a method.
    pub(super) fn count(&mut self, method: &MethodAccount) {
        for branch in &method.branches {
            *self.verdicts.entry(branch.verdict.clone()).or_default() += 1;
            if branch.is_covered() {
                continue;
            }
            let reason = reason(method, branch);
            if branch.verdict == "unsupported" {
                *self.unsupported.entry(reason.clone()).or_default() += 1;
            }
            *self.reasons.entry(reason).or_default() += 1;
        }
    }

    /// All branches, and those of each verdict.
    pub(super) fn verdicts(&self) -> (usize, impl Iterator<Item = (&str, usize)>) {
        let counts = self.verdicts.iter().map(|(verdict, &count)| (&**verdict, count));
        (self.verdicts.values().sum(), counts)
    }

    /// Why branches are not covered, the most frequent reasons first.
    pub(super) fn most_frequent(&self) -> impl Iterator<Item = (&str, usize)> {
        sorted(self.reasons.iter().map(|(reason, &count)| (&**reason, count)))
    }

    /// What is not supported, the most frequent first.
    pub(super) fn unsupported(&self) -> impl Iterator<Item = (&str, usize)> {
        sorted(self.unsupported.iter().map(|(reason, &count)| (&**reason, count)))
    }
}

/// Texts with how often they occur, the most frequent first.
pub(super) fn frequent<'a>(
    texts: impl Iterator<Item = &'a str>,
) -> impl Iterator<Item = (&'a str, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    texts.for_each(|text| *counts.entry(text).or_default() += 1);
    sorted(counts.into_iter())
}

fn sorted<'a>(
    counts: impl Iterator<Item = (&'a str, usize)>,
) -> impl Iterator<Item = (&'a str, usize)> {
    let mut counts: Vec<(&str, usize)> = counts.collect();
    counts.sort_by_key(|&(text, count)| (Reverse(count), text));
    counts.into_iter()
}

/// The account tells of a method what ended its paths, but not which of them would have reached a branch: it is
/// attributed to what ended most.
fn reason(method: &MethodAccount, branch: &BranchAccount) -> String {
    if let Some(failure) = &method.failure {
        return format!("failure: {failure}");
    }
    let most = |counts: &[(String, u64)]| {
        let most = counts.iter().min_by_key(|(what, count)| (Reverse(*count), what.clone()));
        most.map(|(what, _)| what.clone())
    };
    match &*branch.verdict {
        "unsupported" => {
            format!("unsupported: {}", feature(&most(&method.unsupported).unwrap_or_default()))
        }
        "not_constructible" => {
            format!("no test: {}", branch.reason.clone().unwrap_or_default())
        }
        "budget" => format!("limit: {}", most(&method.limits).unwrap_or_default()),
        "beyond_bound" => "beyond the bound".to_owned(),
        other => other.to_owned(),
    }
}

/// What is unsupported, without what of a path it was met on.
fn feature(what: &str) -> &str {
    const FEATURES: [&str; 2] = ["the guard", "a choice by"];
    FEATURES.into_iter().find(|feature| what.starts_with(feature)).unwrap_or(what)
}
