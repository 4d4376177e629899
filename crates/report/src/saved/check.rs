//! What can be said of a file without the program that it belongs to.

use std::io;

use crc32fast::Hasher;
use petrel_testcase::Decision;
use serde::Serialize;

use super::{Decisions, Saved, SavedDerivation};

impl Saved {
    /// Puts the checksums in.
    pub(super) fn seal(&mut self) -> io::Result<()> {
        let mut before = 0;
        for derivation in &mut self.unfinished {
            before = derivation.checksum(before)?;
            derivation.checksum = text(before);
        }
        self.checksum = text(self.checksum()?);
        Ok(())
    }

    /// Whether everything is as it was written; if not, tells what is not.
    pub(super) fn check(&self) -> Result<(), String> {
        self.check_order()?;
        self.check_derivations()?;
        self.check_account()?;
        let checksum = self.checksum().map_err(|error| error.to_string())?;
        if self.checksum != text(checksum) {
            return Err("something besides the derivations is not as it was written: \
                        the checksum is another one"
                .to_owned());
        }
        Ok(())
    }

    /// Over everything but itself.
    fn checksum(&self) -> io::Result<u32> {
        let blank = Saved { checksum: String::new(), ..self.clone() };
        hash(&blank, 0)
    }

    /// The derivations are different parts of one tree, in its order.
    fn check_order(&self) -> Result<(), String> {
        for (pair, number) in self.unfinished.windows(2).zip(1..) {
            let [Decisions(one), Decisions(other)] = [&pair[0].decisions, &pair[1].decisions];
            let next = number + 1;
            let ways = |decisions: &[Decision]| -> Vec<u32> {
                decisions.iter().map(|decision| decision.alternative).collect()
            };
            let (of_one, of_other) = (ways(one), ways(other));
            if of_one == of_other {
                return Err(format!("derivation {next} decides the same as derivation {number}"));
            }
            if of_other.starts_with(&of_one) || of_one.starts_with(&of_other) {
                return Err(format!("derivations {number} and {next}: one is a part of the other"));
            }
            if of_one > of_other {
                return Err(format!("derivation {next} belongs before derivation {number}"));
            }
            let common = of_one.iter().zip(&of_other).take_while(|(one, other)| one == other);
            let common = common.count();
            if one[..common] != other[..common] {
                return Err(format!(
                    "derivations {number} and {next} contradict each other: \
                     of one decision, one has a `+` and the other has none"
                ));
            }
            if let Some(decision) = [one[common], other[common]].iter().find(|it| !it.is_choice) {
                return Err(format!(
                    "derivations {number} and {next} part where decision {} has no `+`: \
                     that says that there was no choice",
                    decision.alternative
                ));
            }
        }
        Ok(())
    }

    /// Each derivation is what was written, behind those that were written before it.
    fn check_derivations(&self) -> Result<(), String> {
        let mut before = 0;
        for (derivation, number) in self.unfinished.iter().zip(1..) {
            before = derivation.checksum(before).map_err(|error| error.to_string())?;
            if derivation.checksum != text(before) {
                return Err(format!(
                    "derivation {number} is not as it was written, or not behind those that were before it: \
                     the checksum is another one"
                ));
            }
        }
        Ok(())
    }

    /// The numbers fit, and nothing is there twice.
    fn check_account(&self) -> Result<(), String> {
        let ends = &self.ends;
        let n_cases = self.cases.len() as u64;
        if ends.returned.checked_add(ends.threw) != Some(n_cases) {
            return Err(format!(
                "there are {n_cases} cases, and of so many is told how they end: {} and {}",
                ends.returned, ends.threw
            ));
        }
        let summary = self.summary();
        let is_distinct = summary.cuts.len() == self.cuts.len()
            && summary.left_rules.len() == self.left_rules.len()
            && summary.rules.len() == self.rules.len()
            && summary.ends.limits.len() == ends.limits.len()
            && summary.ends.unsupported.len() == ends.unsupported.len()
            && summary.ends.defects.len() == ends.defects.len();
        if !is_distinct {
            return Err("something is twice in `ends`, `cuts`, `left_rules` or `rules`".to_owned());
        }
        Ok(())
    }
}

impl SavedDerivation {
    /// Over everything but itself, and the derivations before.
    fn checksum(&self, before: u32) -> io::Result<u32> {
        hash(&SavedDerivation { checksum: String::new(), ..self.clone() }, before)
    }
}

/// Over what is written, not over how it is laid out.
fn hash(content: &impl Serialize, before: u32) -> io::Result<u32> {
    let mut hasher = Hasher::new();
    hasher.update(&before.to_le_bytes());
    hasher.update(&serde_json::to_vec(content)?);
    Ok(hasher.finalize())
}

fn text(checksum: u32) -> String {
    format!("{checksum:08x}")
}
