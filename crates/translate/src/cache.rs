//! Translation on demand: each method once, whoever asks first.

use std::sync::{Arc, PoisonError, RwLock};

use petrel_clp::Procedure;
use petrel_program::{Program, ResolvedMethod};
use rustc_hash::FxHashMap;

use crate::outside::Outside;
use crate::{TranslateError, translate};

type Translated = Result<Option<Arc<Procedure>>, TranslateError>;

/// The procedures of a program, translated when they are first asked for. Any number of threads can
/// share it: two may translate the same method at the same time, the first result stays, and both
/// are equal.
pub struct Procedures<'a> {
    program: &'a Program,
    outside: Outside,
    table: RwLock<FxHashMap<ResolvedMethod, Translated>>,
}

impl<'a> Procedures<'a> {
    /// No method is translated yet.
    pub fn new(program: &'a Program) -> Self {
        Procedures::with_outside(program, Outside::default())
    }

    /// The same of a program some of whose methods stand for the world outside.
    pub fn with_outside(program: &'a Program, outside: Outside) -> Self {
        Procedures { program, outside, table: RwLock::default() }
    }

    /// The methods that stand for the world outside.
    pub fn outside(&self) -> &Outside {
        &self.outside
    }

    /// The program that the methods belong to.
    pub fn program(&self) -> &'a Program {
        self.program
    }

    /// Gives a method rules that are none of its bytecode, unless it was asked for before: for programs
    /// that are written as rules.
    pub fn define(&self, method: ResolvedMethod, procedure: Procedure) {
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        table.entry(method).or_insert_with(|| Ok(Some(Arc::new(procedure))));
    }

    /// The translation of a method; `None` if it is abstract or native.
    ///
    /// # Errors
    ///
    /// As [`translate`].
    pub fn get(&self, method: &ResolvedMethod) -> Translated {
        let known = self.table.read().unwrap_or_else(PoisonError::into_inner).get(method).cloned();
        known.unwrap_or_else(|| {
            let translated = translate(self.program, method.class(), method.index());
            let translated = translated.map(|procedure| procedure.map(Arc::new));
            let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
            table.entry(method.clone()).or_insert(translated).clone()
        })
    }
}
