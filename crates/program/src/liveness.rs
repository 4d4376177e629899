//! Which local variables may still be read: a block's predicate takes only these as parameters.

use petrel_classfile::{Instruction, op};

use crate::control_flow::{ControlFlow, NodeId, can_throw};

/// For each node, the local variables that may be read before they are written again.
///
/// Local variables are numbered densely here: only those that the code touches count, whatever
/// `max_locals` claims.
#[derive(Debug)]
pub struct Liveness {
    /// The local variable slots that are touched, ascending.
    slots: Vec<u16>,
    words_per_node: usize,
    words: Vec<u64>,
}

impl Liveness {
    /// Backward data flow over normal and exception edges, to the least fixpoint. The slots below
    /// `parameter_slots` count as touched.
    pub fn of(flow: &ControlFlow<'_>, parameter_slots: u16) -> Liveness {
        let mut slots: Vec<u16> = (0..parameter_slots).collect();
        slots.extend(flow.code().instructions.iter().filter_map(|i| Some(i.local()?.0)));
        slots.sort_unstable();
        slots.dedup();
        let words_per_node = slots.len().div_ceil(64).max(1);
        let words = vec![0; words_per_node * flow.len()];
        let mut liveness = Liveness { slots, words_per_node, words };
        liveness.solve(flow);
        liveness
    }

    fn solve(&mut self, flow: &ControlFlow<'_>) {
        let predecessors = Predecessors::of(flow);
        let mut live = vec![0; self.words_per_node];
        // Taken from the end: most edges lead forward, so that nearly all is settled at once.
        let mut open: Vec<NodeId> = (0..flow.len() as NodeId).collect();
        let mut is_open = vec![true; flow.len()];
        while let Some(node) = open.pop() {
            is_open[node as usize] = false;
            if !self.update(flow, node, &mut live) {
                continue;
            }
            for &before in predecessors.of_node(node) {
                if !std::mem::replace(&mut is_open[before as usize], true) {
                    open.push(before);
                }
            }
        }
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
        if let Some(index) = writes.and_then(|slot| self.index(slot)) {
            live[index / 64] &= !(1 << (index % 64));
        }
        if let Some(index) = reads.and_then(|slot| self.index(slot)) {
            live[index / 64] |= 1 << (index % 64);
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

    /// The local variable slots that are touched, ascending; their positions are the dense numbers.
    pub fn slots(&self) -> &[u16] {
        &self.slots
    }

    /// The dense number of a slot.
    pub fn index(&self, slot: u16) -> Option<usize> {
        // Most methods touch all slots from 0 on.
        match self.slots.get(usize::from(slot)) {
            Some(&found) if found == slot => Some(usize::from(slot)),
            _ => self.slots.binary_search(&slot).ok(),
        }
    }

    /// Whether a local variable is live before the node's instruction.
    pub fn is_live(&self, node: NodeId, index: usize) -> bool {
        self.of_node(node)[index / 64] >> (index % 64) & 1 != 0
    }

    /// The dense numbers of the variables that are live before the node's instruction, ascending.
    pub fn live(&self, node: NodeId) -> impl Iterator<Item = usize> + '_ {
        self.of_node(node).iter().enumerate().flat_map(|(number, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    number * 64 + bit as usize
                })
            })
        })
    }
}

/// For each node, those whose liveness depends on it.
struct Predecessors {
    starts: Vec<u32>,
    nodes: Vec<NodeId>,
}

impl Predecessors {
    fn of(flow: &ControlFlow<'_>) -> Predecessors {
        let mut starts = vec![0_u32; flow.len() + 1];
        for_each_edge(flow, |_, to| starts[to as usize + 1] += 1);
        for node in 0..flow.len() {
            starts[node + 1] += starts[node];
        }
        let mut nodes = vec![0; starts[flow.len()] as usize];
        let mut next = starts.clone();
        for_each_edge(flow, |from, to| {
            nodes[next[to as usize] as usize] = from;
            next[to as usize] += 1;
        });
        Predecessors { starts, nodes }
    }

    fn of_node(&self, node: NodeId) -> &[NodeId] {
        &self.nodes[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }
}

fn for_each_edge(flow: &ControlFlow<'_>, mut visit: impl FnMut(NodeId, NodeId)) {
    for node in 0..flow.len() as NodeId {
        flow.next(node).into_iter().for_each(|next| visit(node, next));
        flow.targets(node).iter().for_each(|&target| visit(node, target));
        if can_throw(flow.instruction(node).opcode.byte()) {
            flow.handlers(node).for_each(|(_, handler)| visit(node, handler));
        }
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
