//! Where the choices of an enumeration come from.

use crate::sample::Random;

/// Picks one of several, again and again.
#[derive(Debug)]
pub(super) enum Picks {
    /// All sequences of picks, one after the other. Here are the picks of the sequence under way, each with
    /// the number of those that there are to pick from, and how many have been asked for.
    InTurn { picked: Vec<(usize, usize)>, asked: usize },
    /// Any sequences.
    ByChance(Random),
}

impl Picks {
    /// All sequences.
    pub(super) fn in_turn() -> Picks {
        Picks::InTurn { picked: Vec::new(), asked: 0 }
    }

    /// Sequences that follow from a seed.
    pub(super) fn by_chance(seed: u64) -> Picks {
        Picks::ByChance(Random::new(seed))
    }

    /// A number below `count`, which is not 0.
    pub(super) fn pick(&mut self, count: usize) -> usize {
        match self {
            Picks::ByChance(random) => random.below(count),
            Picks::InTurn { picked, asked } => {
                if *asked == picked.len() {
                    picked.push((0, count));
                }
                *asked += 1;
                picked[*asked - 1].0
            }
        }
    }

    /// Goes to the next sequence; `false` if there is none.
    pub(super) fn advance(&mut self) -> bool {
        let Picks::InTurn { picked, asked } = self else { return true };
        *asked = 0;
        while let Some((last, count)) = picked.pop() {
            if last + 1 < count {
                picked.push((last + 1, count));
                return true;
            }
        }
        false
    }
}
