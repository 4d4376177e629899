//! Which local variables may still be read: a block's predicate takes only these as parameters.

use petrel_classfile::{Instruction, op};

use crate::control_flow::{ControlFlow, NodeId, can_throw};

/// For each node, the local variable slots that may be read before they are written again.
#[derive(Debug)]
pub struct Liveness {
    words_per_node: usize,
    words: Vec<u64>,
}

impl Liveness {
    /// Backward data flow over normal and exception edges, to the least fixpoint.
    pub fn of(flow: &ControlFlow<'_>) -> Liveness {
        let words_per_node = usize::from(flow.code().max_locals).div_ceil(64).max(1);
        let mut liveness =
            Liveness { words_per_node, words: vec![0; words_per_node * flow.len()] };
        let mut live = vec![0; words_per_node];
        // Most edges lead forward, so that going backwards nearly settles everything at once.
        let mut changed = true;
        while changed {
            changed = false;
            for node in (0..flow.len() as NodeId).rev() {
                changed |= liveness.update(flow, node, &mut live);
            }
        }
        liveness
    }

    fn update(&mut self, flow: &ControlFlow<'_>, node: NodeId, live: &mut [u64]) -> bool {
        live.fill(0);
        let join = |successor: NodeId, live: &mut [u64]| {
            for (word, other) in live.iter_mut().zip(self.of_node(successor)) {
                *word |= other;
            }
        };
        for successor in flow.next(node).into_iter().chain(flow.targets(node).iter().copied()) {
            join(successor, live);
        }
        let instruction = flow.instruction(node);
        let (reads, writes) = access(instruction);
        if let Some(slot) = writes {
            live[usize::from(slot) / 64] &= !(1 << (slot % 64));
        }
        if let Some(slot) = reads {
            live[usize::from(slot) / 64] |= 1 << (slot % 64);
        }
        if can_throw(instruction.opcode.byte()) {
            for (_, handler) in flow.handlers(node) {
                join(handler, live);
            }
        }
        let start = node as usize * self.words_per_node;
        let mine = &mut self.words[start..start + self.words_per_node];
        let changed = mine != live;
        mine.copy_from_slice(live);
        changed
    }

    fn of_node(&self, node: NodeId) -> &[u64] {
        let start = node as usize * self.words_per_node;
        &self.words[start..start + self.words_per_node]
    }

    /// Whether a slot is live before the node's instruction.
    pub fn is_live(&self, node: NodeId, slot: u16) -> bool {
        self.of_node(node)[usize::from(slot) / 64] >> (slot % 64) & 1 != 0
    }

    /// The slots that are live before the node's instruction, ascending.
    pub fn live_slots(&self, node: NodeId) -> impl Iterator<Item = u16> + '_ {
        self.of_node(node).iter().enumerate().flat_map(|(number, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    (number * 64) as u16 + bit as u16
                })
            })
        })
    }
}

/// The slot that an instruction reads, and the one that it writes.
fn access(instruction: &Instruction) -> (Option<u16>, Option<u16>) {
    let slot = instruction.local().map(|(slot, _)| slot);
    match instruction.opcode.byte() {
        op::IINC => (slot, slot),
        op::ISTORE..=op::ASTORE | op::ISTORE_0..=op::ASTORE_3 => (None, slot),
        // A return address is the control flow's business, not a value.
        op::RET => (None, None),
        _ => (slot, None),
    }
}
