//! The machine: rules as register code, frames, the heap, and the loop that executes them.
//!
//! Its state is private to this room. Others get at it by the doors that are named below, and by the methods that
//! stand in `doors`: where the derivation is, which calls are under way, what static fields hold.

pub(crate) mod arithmetic;
mod calls;
mod code;
mod collect;
mod compile;
mod criterion;
mod doors;
mod exchange;
mod heap;
mod initialise;
mod link;
mod native_calls;
mod nested_arrays;
mod observation;
mod outline;
mod reachable;
mod run;
mod show;
mod spend;
mod stack;
mod stop;
mod strings;
mod throwables;
mod trail;
mod types;
mod value;

use std::rc::Rc;

use petrel_clp::Kind;
use petrel_clp::termination::Counting;
use petrel_expression::Expression;
use petrel_program::{Program, ResolvedMethod, StaticChange};
use petrel_solver::{BitBlaster, Solver, Unknown};
use petrel_translate::cache::Procedures;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::exploration::{Exploration, value_of};
use crate::library::LibraryState;
use crate::observers::Observers;
use calls::Special;
pub(crate) use outline::FieldOutline;
use spend::Spending;
use stack::WINDOW;
use strings::Strings;
use trail::Trail;

pub use exchange::Import;
pub use show::Shown;
pub use spend::ended_by;
pub use stop::{
    Defect, Extent, Feature, LeftOut, Library, Limit, Outcome, Place, Platform, Providers, Reason,
    SourceLine, Undecided,
};
pub use value::{Reference, Value};

pub(crate) use calls::{Arguments, Doing, Halt, Step};
pub(crate) use code::{
    Address, Code, NumberTest, Op, Register, RuleShown, SwitchTable, Watched, WatchedOperand,
};
pub(crate) use criterion::Criterion;
pub(crate) use exchange::enum_constant;
pub(crate) use heap::{Body, Heap, HeapMark};
pub(crate) use link::{Entry, MethodNumber, Methods};
pub(crate) use observation::Observation;
pub(crate) use reachable::ReferenceSlots;
pub(crate) use trail::TrailMark;
pub(crate) use types::{Initialisation, MOST_DIMENSIONS, TypeId, Types, dimensions};

/// What a derivation may use up.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Iterations of loops, and calls.
    pub steps: u64,
    /// Calls inside of one another; beyond it the program gets a `StackOverflowError`.
    pub frames: usize,
    /// Bytes of the heap, roughly.
    pub heap: usize,
    /// Bytes of the heap below which garbage is not collected: it would find little.
    pub garbage: usize,
    /// Whether `assert` statements of the project are executed (`java -ea`).
    pub assertions: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            steps: u64::MAX,
            frames: 16_000,
            heap: 4 << 30,
            garbage: 64 << 20,
            assertions: false,
        }
    }
}

/// Something that ends a derivation; the place is where it happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stop(pub(crate) Reason);

impl Stop {
    pub(crate) fn unsupported(what: impl Into<Feature>) -> Stop {
        Stop(Reason::Unsupported(what.into()))
    }

    pub(crate) fn limit(limit: Limit) -> Stop {
        Stop(Reason::Limit(limit))
    }

    pub(crate) fn defect(defect: Defect) -> Stop {
        Stop(Reason::Defect(defect))
    }

    pub(crate) fn broken(error: impl ToString) -> Stop {
        Stop(Reason::Broken(error.to_string()))
    }
}

/// A call that is under way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    /// Where the caller goes on; the call's own instruction is the one before.
    pub(crate) return_to: u32,
    /// Where the caller's registers start.
    pub(crate) base: u32,
    /// The site of the call, or [`SPECIAL`].
    pub(crate) site: u32,
    /// The method that was called.
    pub(crate) method: MethodNumber,
}

/// The site of calls that the machine itself makes: what happens on return is on another stack.
pub(crate) const SPECIAL: u32 = u32::MAX;

impl Frame {
    /// The method that was called, if it is known by now.
    pub(crate) fn named_method(&self) -> Option<MethodNumber> {
        (self.method != MethodNumber::NONE).then_some(self.method)
    }
}

/// Executes methods of a program.
///
/// What others may see of it are parts with doors of their own: the types, methods and code that were mentioned, the heap,
/// the solver, and the other rooms. Everything else is the machine's.
pub struct Machine<'p> {
    pub(crate) program: &'p Program,
    pub(crate) procedures: &'p Procedures<'p>,
    pub(crate) types: Types,
    pub(crate) methods: Methods,
    pub(crate) code: Code,
    pub(crate) heap: Heap,
    /// Terms over unknown inputs, and what is known about them.
    pub(crate) solver: Solver,
    pub(crate) library: LibraryState,
    pub(crate) exploration: Exploration,
    pub(crate) observers: Observers<'p>,
    /// What of the derivation is looked at.
    pub(crate) observation: Observation,
    /// The termination criterion of the path under way.
    pub(crate) criterion: Criterion,
    limits: Limits,
    statics: Vec<Value>,
    /// The numbers of those that hold references.
    reference_statics: Vec<u32>,
    strings: Strings,
    stack: Vec<Value>,
    /// Where the window of the deepest frame so far ends.
    reach: usize,
    frames: Vec<Frame>,
    special: Vec<Special>,
    steps: u64,
    /// The number of steps at which the derivation ends, and when it is looked next whether it may go on.
    last_step: u64,
    look_at: u64,
    spending: Spending,
    /// The instruction that comes next.
    pc: u32,
    /// Where the registers of the frame under way start.
    base: usize,
    trail: Trail,
    /// Methods that prepare static fields and were called.
    prepared: FxHashSet<MethodNumber>,
    /// The static fields that code reads.
    static_reads: FxHashMap<u32, StaticRead>,
    /// What the code counts for a termination criterion, if it does.
    counting: Option<Counting>,
    /// The instance fields of classes that were exchanged with the outside.
    outlines: FxHashMap<TypeId, Rc<[FieldOutline]>>,
}

/// A static field that code reads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StaticRead {
    pub(crate) class: TypeId,
    /// What of it may change.
    pub(crate) change: StaticChange,
    is_reference: bool,
    /// Whether an initialiser of the project says what it holds, and somebody observes the derivation.
    is_initialised: bool,
}

impl StaticRead {
    /// Whether it matters that the field is read.
    fn is_looked_at(&self) -> bool {
        self.is_initialised || self.change != StaticChange::Nothing
    }
}

/// The address of the instruction that goes on with what the machine is in the middle of.
pub(crate) const RESUME: u32 = 1;

impl<'p> Machine<'p> {
    /// A machine in which nothing was executed yet.
    pub fn new(procedures: &'p Procedures<'p>, limits: Limits) -> Machine<'p> {
        let mut heap = Heap::new();
        heap.collect_at = limits.garbage;
        let mut code = Code::default();
        // The first place in the code is where calls from outside return to.
        code.ops.push(Op::Halt);
        code.origins.push(0);
        // The second is where a choice between two such calls goes on.
        code.ops.push(Op::ReturnNothing);
        code.origins.push(0);
        Machine {
            program: procedures.program(),
            procedures,
            types: Types::new(),
            methods: Methods::default(),
            code,
            heap,
            solver: Solver::new(Box::new(BitBlaster::default())),
            library: LibraryState::default(),
            exploration: Exploration::default(),
            observers: Observers::default(),
            observation: Observation::default(),
            criterion: Criterion::default(),
            limits,
            statics: Vec::new(),
            reference_statics: Vec::new(),
            strings: Strings::default(),
            stack: stack::take(),
            reach: WINDOW,
            frames: Vec::new(),
            special: Vec::new(),
            steps: 0,
            last_step: u64::MAX,
            look_at: 0,
            spending: Spending::default(),
            pc: 0,
            base: 0,
            trail: Trail::default(),
            prepared: FxHashSet::default(),
            static_reads: FxHashMap::default(),
            counting: None,
            outlines: FxHashMap::default(),
        }
    }

    /// Calls a method, the receiver being the first argument. Its class is initialised before if it
    /// is static, as on the JVM.
    pub fn call(&mut self, method: &ResolvedMethod, arguments: &[Value]) -> Outcome {
        self.library.instability.start();
        self.limit_steps(self.steps.saturating_add(self.limits.steps));
        let number = self.method_number(method);
        match self.execute(number, arguments) {
            Outcome::Returned(_) if Kind::of_result(method.descriptor()).is_none() => {
                Outcome::Returned(None)
            }
            outcome => outcome,
        }
    }

    /// An unknown input of a kind, within a range if it is an integer.
    pub fn unknown(&mut self, name: &str, kind: Kind, (low, high): (i64, i64)) -> Value {
        let expr = self.solver.store.unknown(Unknown {
            name: Expression::name(name),
            kind,
            low,
            high,
            own: 0,
        });
        value_of(expr, kind)
    }

    /// Iterations and calls so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Roughly how many bytes the objects on the heap take.
    pub fn heap_size(&self) -> usize {
        self.heap.size
    }

    /// The first decision of the last call that depends on what the JVM does not fix.
    pub fn unstable_decision(&self) -> Option<&Place> {
        self.library.instability.first_decision()
    }

    /// Whether the rules that the last call applied depend on what the JVM does not fix, though what it gives may not.
    pub fn has_unstable_path(&self) -> bool {
        self.library.instability.first_decision().is_some()
            || self.library.instability.has_hidden_decision
    }

    /// A value as text, for messages.
    pub fn text(&self, value: Value, kind: Kind) -> String {
        self.expression(value, kind).to_string()
    }

    /// What was written to `System.out`, and is forgotten with that.
    pub fn take_output(&mut self) -> Vec<u8> {
        self.library.take_output()
    }

    /// What was written to `System.err`, and is forgotten with that.
    pub fn take_errors(&mut self) -> Vec<u8> {
        self.library.take_errors()
    }

    /// The place of an instruction.
    pub(crate) fn place(&self, address: u32) -> Option<Place> {
        let (method, pc) = self.code.origin(address)?;
        let resolved = &self.methods.get(method).resolved;
        let file = &resolved.class().file;
        let line = file.code(resolved.declaration()).ok().flatten().and_then(|c| c.line_at(pc));
        let source = line.zip(file.source_file()).map(|(line, file)| (file.to_owned(), line));
        Some(Place { method: resolved.to_string(), pc: Some(pc), source })
    }

    /// The places of an instruction and of the calls that led to it.
    pub(crate) fn places(&self, address: u32) -> Vec<Place> {
        // A call that did not get as far as its first instruction has its frame already.
        let calls = self.frames.iter().rev().map(|frame| frame.return_to.saturating_sub(1));
        let callers = calls.skip_while(|&call| call == address);
        std::iter::once(address).chain(callers).filter_map(|address| self.place(address)).collect()
    }
}

impl Drop for Machine<'_> {
    fn drop(&mut self) {
        stack::give_back(std::mem::take(&mut self.stack), self.reach);
    }
}
