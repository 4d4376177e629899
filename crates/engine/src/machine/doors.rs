//! What other rooms may ask of the machine, and tell it: where the derivation is, the calls under way, static fields.

use petrel_clp::termination::Counting;

use super::calls::Special;
use super::code::Address;
use super::link::{Entry, MethodNumber};
use super::value::{Reference, Value};
use super::{Frame, Limits, Machine, StaticRead};

impl Machine<'_> {
    /// What the machine may use up.
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The instruction that comes next.
    pub(crate) fn next_address(&self) -> Address {
        self.pc
    }

    /// The instruction under way: to go there is to execute it again.
    pub(crate) fn address(&self) -> Address {
        self.pc.saturating_sub(1)
    }

    /// Goes on at an instruction.
    pub(crate) fn go_to(&mut self, address: Address) {
        self.pc = address;
    }

    /// Where the registers of the frame under way start.
    pub(crate) fn base(&self) -> usize {
        self.base
    }

    /// The calls under way, the innermost last.
    pub(crate) fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// How many calls are under way.
    pub(crate) fn depth(&self) -> u32 {
        self.frames.len() as u32
    }

    /// The method under way, if it has a number by now.
    pub(crate) fn method_under_way(&self) -> Option<MethodNumber> {
        self.frames.last().and_then(Frame::named_method)
    }

    /// The registers of the frame under way.
    pub(crate) fn frame_size(&self) -> usize {
        match self.method_under_way().map(|method| self.methods.get(method).entry) {
            Some(Entry::Code { frame, .. }) => usize::from(frame),
            _ => 0,
        }
    }

    /// What the machine is in the middle of, the innermost last.
    pub(crate) fn specials(&self) -> &[Special] {
        &self.special
    }

    /// Nothing is under way.
    pub(crate) fn clear_calls(&mut self) {
        self.frames.clear();
        self.special.clear();
        self.pc = 0;
        self.base = 0;
    }

    /// Goes back to the instruction that made the innermost call, which is the one before the next.
    pub(crate) fn leave_call(&mut self, frame: &Frame) {
        self.pop_frame();
        self.base = frame.base as usize;
        self.pc = frame.return_to;
    }

    /// Is in a call again that was left.
    pub(crate) fn enter_again(&mut self, frame: Frame, base: usize, pc: Address) {
        self.frames.push(frame);
        (self.base, self.pc) = (base, pc);
    }

    /// What a static field holds, by its number.
    pub(crate) fn static_at(&self, field: u32) -> Value {
        self.statics[field as usize]
    }

    /// What all static fields hold.
    pub(crate) fn static_values(&self) -> &[Value] {
        &self.statics
    }

    /// A static field that code reads.
    pub(crate) fn static_read(&self, field: u32) -> Option<StaticRead> {
        self.static_reads.get(&field).copied()
    }

    /// The objects that static fields of the project refer to which code has read so far.
    pub(crate) fn objects_of_statics(&self) -> Vec<Reference> {
        let reads = self.static_reads.iter().filter(|(_, read)| read.is_reference);
        let mut fields: Vec<u32> = reads.map(|(&field, _)| field).collect();
        fields.sort_unstable();
        let values = fields.into_iter().map(|field| self.static_at(field));
        values.filter(|value| value.is_known()).map(Value::as_reference).collect()
    }

    /// The code counts from now on what a termination criterion asks for.
    pub(crate) fn count_for(&mut self, counting: Counting) {
        self.counting = Some(counting);
    }
}
