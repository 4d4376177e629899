//! The state of the heap solver, and going back.

use std::rc::Rc;

use petrel_budget::Purse;
use petrel_solver::{Expr, Store, TableId, TermId};
use rustc_hash::FxHashMap;

use crate::assume::Assumed;
use crate::inputs::Input;
use crate::log::{Location, Log};
use crate::world::World;

/// What an operation needs besides the heap solver: the constraint store, new objects and classes.
pub struct Context<'a> {
    /// The terms and constraints of the path.
    pub store: &'a mut Store,
    /// New objects and classes.
    pub world: &'a mut dyn World,
}

/// What the path knows of the initial heap, and what it has written there.
#[derive(Debug, Default)]
pub struct HeapSolver {
    /// Whether references are decided when they are first looked at.
    pub is_lazy: bool,
    pub(crate) inputs: Vec<Input>,
    /// References to one of some objects of N.
    pub(crate) of_some: Vec<OfSome>,
    /// Where references may be to an object of N or to others: what says which, and the objects of N.
    pub(crate) origins: Vec<(TermId, Rc<[Expr]>)>,
    logs: Vec<Log>,
    /// The log of a location where nothing happened.
    empty: Log,
    /// Where the log of a location is.
    numbers: FxHashMap<Location, usize>,
    pub(crate) locations: Vec<Location>,
    pub(crate) assumptions: Vec<Assumed>,
    pub(crate) ghosts: u32,
    /// The numbers of constraints that say what heaps there are.
    pub(crate) own_constraints: Vec<usize>,
    pub(crate) trail: Vec<Undo>,
    /// What an access under way has read of arrays that were copied: by object, index, and how many writes
    /// had happened. Copies of copies lead to the same places again and again.
    pub(crate) copied_from: FxHashMap<(Expr, Expr, usize), Expr>,
    /// What is looked at whether to go on.
    purse: Purse,
    /// Places that were looked at and are not paid for.
    pub(crate) n_looks: u64,
}

/// A reference to one of some objects of N.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OfSome {
    /// Which of them it is.
    pub(crate) which: TermId,
    /// The objects, `null` first.
    pub(crate) objects: TableId,
    /// Whether there are no others that it may be.
    pub(crate) is_all: bool,
}

/// So many places that are looked at are a unit of work.
const LOOKS_OF_WORK: u64 = 4;

/// A change to take back.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Undo {
    /// A location came up.
    Location,
    /// An input came up.
    Input,
    /// A reference to one of some objects of N came up.
    OfSome,
    /// A reference came up that may be to an object of N or to another one.
    Origin,
    /// The class of an input was looked at.
    Class(usize),
    /// A value of the initial heap was looked at.
    Initial(Location),
    /// A row of a new array was looked at.
    Row(Location),
    /// Something was written.
    Write(Location),
    /// So many constraints were added.
    Constraints(usize),
}

/// A state to go back to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    trail: usize,
    assumptions: usize,
    ghosts: u32,
}

impl HeapSolver {
    /// The present state.
    pub fn mark(&self) -> Mark {
        Mark { trail: self.trail.len(), assumptions: self.assumptions.len(), ghosts: self.ghosts }
    }

    /// Goes back to a state. The constraint store goes back to the same time.
    pub fn undo(&mut self, mark: Mark) {
        while self.trail.len() > mark.trail {
            match self.trail.pop() {
                Some(Undo::Location) => {
                    self.logs.pop();
                    if let Some(location) = self.locations.pop() {
                        self.numbers.remove(&location);
                    }
                }
                Some(Undo::Input) => {
                    self.inputs.pop();
                }
                Some(Undo::OfSome) => {
                    self.of_some.pop();
                }
                Some(Undo::Origin) => {
                    self.origins.pop();
                }
                Some(Undo::Class(input)) => self.inputs[input].class = None,
                Some(Undo::Initial(location)) => {
                    self.log_mut(location).initial.pop();
                }
                Some(Undo::Row(location)) => {
                    self.log_mut(location).rows.pop();
                }
                Some(Undo::Write(location)) => {
                    self.log_mut(location).writes.pop();
                }
                Some(Undo::Constraints(count)) => {
                    let left = self.own_constraints.len() - count;
                    self.own_constraints.truncate(left);
                }
                None => break,
            }
        }
        self.assumptions.truncate(mark.assumptions);
        self.ghosts = mark.ghosts;
    }

    /// Operations are given up when a purse is over. Who asks for them pays: see [`HeapSolver::take_work`].
    pub fn pay_from(&mut self, purse: &Purse) {
        self.purse = purse.clone();
    }

    /// The work that was done since the last time.
    pub fn take_work(&mut self) -> u64 {
        let work = self.n_looks / LOOKS_OF_WORK;
        self.n_looks %= LOOKS_OF_WORK;
        work
    }

    /// Whether operations are given up: what they did is of no use.
    pub fn is_over(&self) -> bool {
        self.purse.alarm().is_raised() || self.purse.left() <= self.n_looks / LOOKS_OF_WORK
    }

    /// Whether anything was written to the initial heap.
    pub fn has_writes(&self) -> bool {
        self.logs.iter().any(|log| !log.writes.is_empty())
    }

    /// What the heap solver holds of values: objects among them are in use.
    pub fn for_each_value(&self, mut visit: impl FnMut(Expr)) {
        for log in &self.logs {
            log.writes.iter().for_each(|write| write.for_each_value(&mut visit));
            for row in &log.rows {
                visit(row.reference);
                visit(row.own);
            }
        }
    }

    pub(crate) fn log(&self, location: Location) -> &Log {
        self.numbers.get(&location).map_or(&self.empty, |&number| &self.logs[number])
    }

    pub(crate) fn log_mut(&mut self, location: Location) -> &mut Log {
        let number = *self.numbers.entry(location).or_insert_with(|| {
            self.logs.push(Log::default());
            self.locations.push(location);
            self.trail.push(Undo::Location);
            self.logs.len() - 1
        });
        &mut self.logs[number]
    }
}
