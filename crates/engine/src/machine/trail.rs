//! The trail: what a derivation changes while it can go back to a choice, so that going back costs
//! what changed and no more.
//!
//! Objects and the constraint store have trails of their own; here is the rest. Registers are not
//! noted one by one: a choice keeps those of the frame on top, and a frame further down is noted when
//! the derivation returns to it.

use crate::machine::calls::Special;
use crate::machine::types::{Initialisation, TypeId};
use crate::machine::value::{Reference, Value};
use crate::machine::{Frame, Machine, MethodNumber, SPECIAL};

/// A change that can be undone.
#[derive(Debug)]
enum Change {
    Static {
        field: u32,
        old: Value,
    },
    Initialisation {
        class: TypeId,
        old: Initialisation,
    },
    /// A frame that was left; the registers of its caller are on top of those that are kept.
    Frame {
        frame: Frame,
        registers: u32,
    },
    Special(Special),
    /// Something that modelled methods know about an object.
    Modelled(Reference),
    Interned(Box<[u16]>),
    Provider(TypeId),
    Prepared(MethodNumber),
}

/// Changes since the first choice.
#[derive(Debug, Default)]
pub(super) struct Trail {
    changes: Vec<Change>,
    /// Registers that choices and frames keep.
    registers: Vec<Value>,
    /// Frames from this number on are younger than the last choice.
    frames: usize,
    specials: usize,
}

/// A place on the trail.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TrailMark {
    changes: usize,
    /// Where the registers of the frame on top are kept.
    registers: (usize, usize),
    frames: usize,
    specials: usize,
    /// How many frames, and specials, were older than the mark before.
    older: (usize, usize),
}

impl Trail {
    /// How many frames are older than the last choice.
    #[inline]
    pub(super) fn old_frames(&self) -> usize {
        self.frames
    }

    pub(super) fn noted_specials(&self) -> impl Iterator<Item = &Special> {
        self.changes.iter().filter_map(|change| match change {
            Change::Special(special) => Some(special),
            _ => None,
        })
    }

    /// The values that undoing would bring back.
    pub(super) fn for_each_noted(&self, mut visit: impl FnMut(Value)) {
        self.registers.iter().copied().for_each(&mut visit);
        for change in &self.changes {
            if let Change::Static { old, .. } = change {
                visit(*old);
            }
        }
    }
}

impl Machine<'_> {
    /// The state here can be gone back to. The registers from the base to `top` are in use.
    pub(crate) fn mark_trail(&mut self, top: usize) -> TrailMark {
        let start = self.trail.registers.len();
        self.trail.registers.extend_from_slice(&self.stack[self.base..top]);
        let mark = TrailMark {
            changes: self.trail.changes.len(),
            registers: (start, top - self.base),
            frames: self.frames.len(),
            specials: self.special.len(),
            older: (self.trail.frames, self.trail.specials),
        };
        self.trail.frames = mark.frames;
        self.trail.specials = mark.specials;
        mark
    }

    /// Undoes everything since a mark; `base` is where the registers of the frame on top started.
    pub(crate) fn undo_trail(&mut self, mark: TrailMark, base: usize) {
        self.base = base;
        self.forget_unfinished_initialisations();
        // Nothing below these is new.
        self.frames.truncate(self.trail.frames);
        self.special.truncate(self.trail.specials);
        while self.trail.changes.len() > mark.changes {
            let Some(change) = self.trail.changes.pop() else { break };
            match change {
                Change::Static { field, old } => self.statics[field as usize] = old,
                Change::Initialisation { class, old } => {
                    self.types.get_mut(class).initialisation = old;
                }
                Change::Frame { frame, registers } => {
                    let kept = self.trail.registers.len() - registers as usize;
                    let start = frame.base as usize;
                    self.stack[start..start + registers as usize]
                        .copy_from_slice(&self.trail.registers[kept..]);
                    self.trail.registers.truncate(kept);
                    self.frames.push(frame);
                }
                Change::Special(special) => self.special.push(special),
                Change::Modelled(object) => self.library.forget_object(object),
                Change::Interned(units) => self.strings.forget(&units),
                Change::Provider(class) => self.library.forget_provider(class),
                Change::Prepared(method) => {
                    self.prepared.remove(&method);
                }
            }
        }
        let (start, length) = mark.registers;
        self.stack[base..base + length]
            .copy_from_slice(&self.trail.registers[start..start + length]);
        self.trail.registers.truncate(start + length);
        self.trail.frames = mark.frames;
        self.trail.specials = mark.specials;
    }

    /// Nothing goes back to a mark any more, which is the last and was just gone back to.
    pub(crate) fn forget_mark(&mut self, mark: TrailMark) {
        self.trail.registers.truncate(mark.registers.0);
        (self.trail.frames, self.trail.specials) = mark.older;
    }

    /// Sets a static field.
    pub(crate) fn set_static(&mut self, field: u32, value: Value) {
        let old = std::mem::replace(&mut self.statics[field as usize], value);
        if self.heap.is_noting() {
            self.trail.changes.push(Change::Static { field, old });
        }
    }

    pub(super) fn set_initialisation(&mut self, class: TypeId, state: Initialisation) {
        let known = self.types.get_mut(class);
        let old = std::mem::replace(&mut known.initialisation, state);
        if self.heap.is_noting() {
            self.trail.changes.push(Change::Initialisation { class, old });
        }
    }

    /// Takes the frame on top, to go on in its caller.
    pub(crate) fn pop_frame(&mut self) -> Option<Frame> {
        let frame = self.frames.pop()?;
        if self.frames.len() < self.trail.frames {
            self.trail.frames = self.frames.len();
            let top = if frame.site == SPECIAL {
                self.special.last().map_or(frame.base as usize, |special| special.callee_base)
            } else {
                let size = self.code.sites[frame.site as usize].frame;
                frame.base as usize + usize::from(size)
            };
            let registers = &self.stack[frame.base as usize..top.max(frame.base as usize)];
            self.trail.registers.extend_from_slice(registers);
            let registers = registers.len() as u32;
            self.trail.changes.push(Change::Frame { frame, registers });
        }
        Some(frame)
    }

    /// The innermost frame is that of a call of a method from now on.
    pub(super) fn name_frame(&mut self, method: MethodNumber) {
        if self.frames.len() > self.trail.frames {
            if let Some(frame) = self.frames.last_mut() {
                frame.method = method;
            }
        } else if let Some(frame) = self.pop_frame() {
            // A choice may be gone back to at which it was not.
            self.frames.push(Frame { method, ..frame });
        }
    }

    /// Takes what the machine was in the middle of.
    pub(crate) fn pop_special(&mut self) -> Option<Special> {
        let special = self.special.pop()?;
        if self.special.len() < self.trail.specials {
            self.trail.specials = self.special.len();
            self.trail.changes.push(Change::Special(special.clone()));
        }
        Some(special)
    }

    /// A modelled method knows something about an object from here on.
    pub(crate) fn note_modelled(&mut self, object: Reference) {
        if self.heap.is_noting() {
            self.trail.changes.push(Change::Modelled(object));
        }
    }

    pub(super) fn note_interned(&mut self, units: &[u16]) {
        if self.heap.is_noting() {
            self.trail.changes.push(Change::Interned(units.into()));
        }
    }

    pub(crate) fn note_provider(&mut self, class: TypeId) {
        if self.heap.is_noting() {
            self.trail.changes.push(Change::Provider(class));
        }
    }

    pub(super) fn note_prepared(&mut self, method: MethodNumber) {
        if self.heap.is_noting() {
            self.trail.changes.push(Change::Prepared(method));
        }
    }

    /// Makes something that outlives all choices: constants, and objects that stand for classes.
    pub(crate) fn permanently<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let was_noting = self.heap.note_changes(false);
        let made = make(self);
        self.heap.note_changes(was_noting);
        made
    }
}
