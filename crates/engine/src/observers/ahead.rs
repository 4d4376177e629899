//! What code leads to: the rules that are applied first from an address on.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::machine::{Address, Code, Op};

/// The rules that code leads to, by its address, as far as somebody has asked.
#[derive(Debug, Default)]
pub(super) struct NextRules(FxHashMap<Address, Option<Rc<[u32]>>>);

impl NextRules {
    /// The rules that are applied first from an address on; `None` if they are not found.
    pub(super) fn from(&mut self, code: &Code, address: Address) -> Option<Rc<[u32]>> {
        let found = self.0.entry(address).or_insert_with(|| next_rules(code, address));
        found.clone()
    }
}

/// More code is not looked at.
const MOST_OPS: usize = 256;

fn next_rules(code: &Code, from: Address) -> Option<Rc<[u32]>> {
    let mut rules: SmallVec<[u32; 8]> = SmallVec::new();
    let mut open: SmallVec<[Address; 8]> = SmallVec::from_slice(&[from]);
    let mut looked_at = 0;
    while let Some(address) = open.pop() {
        looked_at += 1;
        if looked_at > MOST_OPS {
            return None;
        }
        match *code.ops.get(address as usize)? {
            Op::Apply(rule) => rules.push(rule),
            Op::ApplyLibrary(_)
            | Op::Call(_)
            | Op::Return { .. }
            | Op::ReturnNothing
            | Op::Throw { .. }
            | Op::Halt => return None,
            Op::Jump(to) | Op::JumpBack(to) => open.push(to),
            Op::Switch { table, .. } => {
                let table = &code.switches[table as usize];
                open.push(table.default);
                open.extend(table.cases.iter().map(|&(_, to)| to));
            }
            mut op => {
                open.extend(op.target_mut().copied());
                open.push(address + 1);
            }
        }
    }
    Some(rules.as_slice().into())
}
