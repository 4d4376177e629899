//! Leaders: the instructions at which a predicate may start, and what is known on arrival there.
//!
//! A leader is the method's entry, a jump target, an exception handler, or what follows a
//! conditional jump. Its predicate takes the live local variables and the operand stack as
//! parameters. What is known of them (kinds, non-null references, classes that are initialised) is
//! the meet over all arrivals: the walk starts from the first arrival and is repeated for the
//! leaders whose knowledge shrank, to the greatest fixpoint.

use petrel_clp::{ClassId, Kind, Operand};
use petrel_program::control_flow::{ControlFlow, NodeId};
use petrel_program::liveness::Liveness;

use crate::draft::{DraftVariable, NarrowTypes};

/// A leader and what is known on arrival.
#[derive(Debug)]
pub(crate) struct Leader {
    pub(crate) node: NodeId,
    pub(crate) is_handler: bool,
    /// Live local variables, by their dense numbers.
    pub(crate) locals: Vec<usize>,
    /// How often the block was walked.
    pub(crate) walks: u32,
    /// `None` until the first arrival.
    pub(crate) entry: Option<Entry>,
}

/// What is known whenever control arrives at a leader.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    /// For each live variable and then each stack entry; `None` for a variable without a usable
    /// value.
    pub(crate) values: Vec<Option<DraftVariable>>,
    /// Classes that are certainly initialised, ascending.
    pub(crate) initialised: Vec<ClassId>,
}

impl Entry {
    /// Meets with another arrival; whether anything was lost. `None`: the stacks do not fit.
    pub(crate) fn meet(&mut self, other: &Entry) -> Option<bool> {
        if self.values.len() != other.values.len() {
            return None;
        }
        let mut changed = false;
        for (mine, theirs) in self.values.iter_mut().zip(&other.values) {
            let Some(value) = mine else { continue };
            let met = match theirs {
                Some(theirs) if theirs.kind == value.kind => Some(DraftVariable {
                    non_null: value.non_null && theirs.non_null,
                    array: value.array.filter(|array| theirs.array == Some(*array)),
                    exact: None,
                    fits: value.fits.and(theirs.fits),
                    ..*value
                }),
                _ => None,
            };
            changed |= met != *mine;
            *mine = met;
        }
        let before = self.initialised.len();
        self.initialised.retain(|class| other.initialised.contains(class));
        Some(changed || before != self.initialised.len())
    }
}

impl Entry {
    /// Gives up all facts at once. Facts are lost one by one otherwise, and each loss walks the block
    /// again.
    pub(crate) fn forget(&mut self) {
        for value in self.values.iter_mut().flatten() {
            value.non_null = false;
            value.array = None;
            value.exact = None;
            value.fits = NarrowTypes::NONE;
        }
        self.initialised.clear();
    }
}

/// The leaders of a method in the order of their nodes.
#[derive(Debug)]
pub(crate) struct Leaders {
    pub(crate) leaders: Vec<Leader>,
    /// For each node, the number of its leader.
    numbers: Vec<u32>,
}

const NOT_A_LEADER: u32 = u32::MAX;

impl Leaders {
    pub(crate) fn of(flow: &ControlFlow<'_>, liveness: &Liveness) -> Leaders {
        let mut is_leader = vec![false; flow.len()];
        let mut is_handler = vec![false; flow.len()];
        is_leader[0] = true;
        for node in 0..flow.len() as NodeId {
            for &target in flow.targets(node) {
                is_leader[target as usize] = true;
            }
            if let Some(next) = flow.next(node).filter(|_| !flow.targets(node).is_empty()) {
                is_leader[next as usize] = true;
            }
            for (_, handler) in flow.handlers(node) {
                is_leader[handler as usize] = true;
                is_handler[handler as usize] = true;
            }
        }
        let mut numbers = vec![NOT_A_LEADER; flow.len()];
        let mut leaders = Vec::new();
        for node in 0..flow.len() as NodeId {
            if is_leader[node as usize] {
                numbers[node as usize] = leaders.len() as u32;
                leaders.push(Leader {
                    node,
                    is_handler: is_handler[node as usize],
                    locals: liveness.live(node).collect(),
                    walks: 0,
                    entry: None,
                });
            }
        }
        Leaders { leaders, numbers }
    }

    pub(crate) fn number(&self, node: NodeId) -> Option<u32> {
        Some(self.numbers[node as usize]).filter(|&number| number != NOT_A_LEADER)
    }
}

/// The kind of a constant operand; `None` for a variable.
pub(crate) fn constant_kind(operand: Operand) -> Option<Kind> {
    Some(match operand {
        Operand::Variable(_) => return None,
        Operand::Int(_) => Kind::Int,
        Operand::Long(_) => Kind::Long,
        Operand::Float(_) => Kind::Float,
        Operand::Double(_) => Kind::Double,
        Operand::Null => Kind::Reference,
    })
}
