//! What initialisers leave out that run before the paths of a call.
//!
//! The classes that a call needs are initialised once, and what that does is there for every path. What an initialiser asks
//! the machine, which changing state it reads, and in which order initialisers meet, is not the same in every JVM: so whoever
//! reads a static field that depends on it uses a set of alternatives that is some of them, as if it were left out there.
//!
//! A field depends on what is left out while its value is computed, which is between the writing of the field before and that of
//! its own, as long as the initialiser keeps nothing from one field to the next; otherwise all fields of the class do. What another
//! field of the class refers to, and is looked up meanwhile, may have been changed.

use std::collections::BTreeSet;

use petrel_program::writes_one_field_at_a_time;
use rustc_hash::FxHashMap;

use crate::machine::{LeftOut, Machine, Stop, TypeId};

/// What is left out of static fields.
#[derive(Debug, Default)]
pub(in crate::exploration) struct Doubts {
    /// By field, with the classes that declare them.
    fields: FxHashMap<u32, (TypeId, Doubt)>,
    /// Of all fields of a class.
    classes: FxHashMap<TypeId, Doubt>,
    /// Of initialisers that run.
    under_way: FxHashMap<TypeId, UnderWay>,
}

/// What is left out of one or several static fields.
#[derive(Debug, Clone, Default)]
struct Doubt {
    left_out: BTreeSet<LeftOut>,
    /// Whether an initialiser made a decision that another JVM makes otherwise: tests would depend on it.
    is_unstable: bool,
}

/// What an initialiser has done since it wrote to a field last.
#[derive(Debug, Default)]
struct UnderWay {
    doubt: Doubt,
    /// Fields of its class.
    read: Vec<u32>,
}

impl Doubt {
    fn add(&mut self, other: &Doubt) {
        self.left_out.extend(other.left_out.iter().cloned());
        self.is_unstable |= other.is_unstable;
    }

    fn is_none(&self) -> bool {
        self.left_out.is_empty() && !self.is_unstable
    }
}

impl Doubts {
    fn add(&mut self, field: u32, class: TypeId, doubt: &Doubt) {
        if !doubt.is_none() {
            self.fields.entry(field).or_insert_with(|| (class, Doubt::default())).1.add(doubt);
        }
    }

    /// What is left out of a field.
    fn of_field(&self, field: u32, class: TypeId) -> Doubt {
        let mut all = self.classes.get(&class).cloned().unwrap_or_default();
        if let Some((_, doubt)) = self.fields.get(&field) {
            all.add(doubt);
        }
        all
    }

    /// What is left out of some field of a class.
    fn of_class(&self, class: TypeId) -> Doubt {
        let mut all = self.classes.get(&class).cloned().unwrap_or_default();
        // The order makes no difference to what is a set.
        #[allow(clippy::iter_over_hash_type, reason = "a union does not depend on the order")]
        for (of, doubt) in self.fields.values() {
            if *of == class {
                all.add(doubt);
            }
        }
        all
    }
}

impl Machine<'_> {
    /// Something is left out. Whether it was so in an initialiser that runs before the paths.
    pub(in crate::exploration) fn is_doubted(&mut self, what: &LeftOut) -> bool {
        if self.exploration.is_preparing {
            let left_out = BTreeSet::from([what.clone()]);
            self.doubt(&Doubt { left_out, is_unstable: false });
        }
        self.exploration.is_preparing
    }

    /// A decision on an unstable value was made.
    pub(crate) fn doubt_unstable(&mut self) {
        if self.exploration.is_preparing {
            self.doubt(&Doubt { left_out: BTreeSet::from([LeftOut::Machine]), is_unstable: true });
        }
    }

    /// A class is needed that is being initialised, and this is not its own initialiser: if another class had been first, it would
    /// be initialised by now.
    pub(crate) fn doubt_order(&mut self, needed: TypeId) {
        let is_own = self.initialisers_under_way().next() == Some(needed);
        if self.exploration.is_preparing && !is_own {
            self.is_doubted(&LeftOut::Initialisers);
        }
    }

    /// A static field of a class is read.
    pub(in crate::exploration) fn see_doubts_of_field(&mut self, field: u32, class: TypeId) {
        // What another class has, and may change, is noted wherever it is read.
        if self.exploration.is_preparing && self.project_initialisers().contains(&class) {
            let doubts = &mut self.exploration.unknown.doubts;
            doubts.under_way.entry(class).or_default().read.push(field);
        }
        let doubt = self.exploration.unknown.doubts.of_field(field, class);
        self.see(doubt);
    }

    /// An object is at hand that the initialiser of its class has made.
    pub(in crate::exploration) fn see_doubts_of_class(&mut self, class: TypeId) {
        let doubt = self.exploration.unknown.doubts.of_class(class);
        self.see(doubt);
    }

    fn see(&mut self, doubt: Doubt) {
        if doubt.is_unstable {
            self.note_unstable_decision();
        }
        for what in doubt.left_out {
            self.note_left_out(what);
        }
    }

    fn doubt(&mut self, doubt: &Doubt) {
        for of in self.project_initialisers() {
            self.exploration.unknown.doubts.under_way.entry(of).or_default().doubt.add(doubt);
        }
    }

    /// An initialiser that runs before the paths writes to a field of its class, or has come to its end.
    #[cold]
    pub(crate) fn settle_doubts(
        &mut self,
        class: TypeId,
        written: Option<u32>,
    ) -> Result<(), Stop> {
        let Some(since) = self.exploration.unknown.doubts.under_way.remove(&class) else {
            return Ok(());
        };
        let initialiser = self.class(class)?.declared_method("<clinit>", "()V");
        let end = initialiser.and_then(|code| writes_one_field_at_a_time(&code));
        let here = written.and_then(|_| self.code.origin(self.address())).map(|(_, pc)| pc);
        let doubts = &mut self.exploration.unknown.doubts;
        // Behind its last field it is at its end.
        if !since.doubt.is_none() && end.is_some_and(|end| here.is_none_or(|here| here >= end)) {
            doubts.classes.entry(class).or_default().add(&since.doubt);
        }
        for field in since.read.into_iter().chain(written) {
            doubts.add(field, class, &since.doubt);
        }
        Ok(())
    }

    /// The classes of the project whose initialisers run; none if it is the class library that initialises one of its own.
    pub(super) fn project_initialisers(&mut self) -> Vec<TypeId> {
        let mut classes: Vec<TypeId> = self.initialisers_under_way().collect();
        if classes.first().is_none_or(|&innermost| self.is_of_library(innermost)) {
            return Vec::new();
        }
        classes.retain(|&class| !self.is_of_library(class));
        classes.sort_unstable();
        classes.dedup();
        classes
    }
}
