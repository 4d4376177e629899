//! The state of a derivation.

use std::rc::Rc;

use petrel_clp::Kind;
use petrel_clp::termination::Counting;
use petrel_expression::Expression;
use petrel_program::{Program, ResolvedMethod};
use petrel_translate::cache::Procedures;
use rustc_hash::{FxHashMap, FxHashSet};

use petrel_solver::{BitBlaster, Solver, Unknown};

use crate::choose::{Exploring, value_of};
use crate::code::{Code, Op};
use crate::criterion::Criterion;
use crate::guide::Guide;
use crate::heap::Heap;
use crate::link::Methods;
use crate::local::LocalPaths;
use crate::meter::Meter;
use crate::natives::Modelled;
use crate::observe::RuleLog;
use crate::outline::FieldOutline;
use crate::overflow::OverflowWatch;
use crate::spend::Spending;
use crate::stack::{self, WINDOW};
use crate::stop::{Defect, Feature, Limit, Outcome, Place, Reason};
use crate::strings::Strings;
use crate::trail::Trail;
use crate::types::Types;
use crate::unknown::{Inputs, Unknowns};
use crate::unstable::Instability;
use crate::value::Value;

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
    pub(crate) method: u32,
}

/// The site of calls that the machine itself makes: what happens on return is on another stack.
pub(crate) const SPECIAL: u32 = u32::MAX;

/// Executes methods of a program.
pub struct Machine<'p> {
    pub(crate) program: &'p Program,
    pub(crate) procedures: &'p Procedures<'p>,
    pub(crate) limits: Limits,
    pub(crate) types: Types,
    pub(crate) methods: Methods,
    pub(crate) code: Code,
    pub(crate) statics: Vec<Value>,
    pub(crate) heap: Heap,
    pub(crate) strings: Strings,
    pub(crate) stack: Vec<Value>,
    /// Where the window of the deepest frame so far ends.
    pub(crate) reach: usize,
    pub(crate) frames: Vec<Frame>,
    pub(crate) special: Vec<crate::calls::Special>,
    pub(crate) steps: u64,
    /// The number of steps at which the derivation ends, and when it is looked next whether it may go on.
    pub(crate) last_step: u64,
    pub(crate) look_at: u64,
    pub(crate) spending: Spending,
    /// The instruction that comes next.
    pub(crate) pc: u32,
    /// Where the registers of the frame under way start.
    pub(crate) base: usize,
    pub(crate) instability: Instability,
    pub(crate) modelled: Modelled,
    /// Methods that prepare static fields and were called.
    pub(crate) prepared: FxHashSet<u32>,
    /// The type of each `Class` object.
    pub(crate) mirrored: FxHashMap<crate::value::Reference, crate::types::TypeId>,
    /// Terms over unknown inputs, and what is known about them.
    pub(crate) solver: Solver,
    pub(crate) trail: Trail,
    /// What the code counts for a termination criterion, if it does.
    pub(crate) counting: Option<Counting>,
    pub(crate) criterion: Criterion,
    /// Rule applications on the path under way, and those of the program's own rules. How many the class
    /// library takes depends on what it has initialised before.
    pub(crate) applied: u64,
    pub(crate) own_applied: u64,
    /// The number of rule applications from which on each is looked at.
    pub(crate) observe_at: u64,
    /// The most rule applications on a path.
    pub(crate) step_limit: u64,
    pub(crate) log: RuleLog,
    /// Measures what the derivation costs.
    pub(crate) meter: Option<Box<Meter<'p>>>,
    /// Looks for operations that overflow.
    pub(crate) overflows: Option<Box<OverflowWatch>>,
    /// The trace that the derivation follows.
    pub(crate) guide: Option<Guide>,
    /// Local paths that are wanted, if others are not.
    pub(crate) local: Option<LocalPaths>,
    /// The choices that are open, if the derivation makes any.
    pub(crate) exploring: Option<Exploring>,
    pub(crate) unknown: Unknowns,
    pub(crate) inputs: Inputs,
    /// The instance fields of classes that were exchanged with the outside.
    pub(crate) outlines: FxHashMap<crate::types::TypeId, Rc<[FieldOutline]>>,
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
            limits,
            types: Types::new(),
            methods: Methods::default(),
            code,
            statics: Vec::new(),
            heap,
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
            instability: Instability::default(),
            modelled: Modelled::default(),
            prepared: FxHashSet::default(),
            mirrored: FxHashMap::default(),
            solver: Solver::new(Box::new(BitBlaster::default())),
            trail: Trail::default(),
            counting: None,
            criterion: Criterion::default(),
            applied: 0,
            own_applied: 0,
            observe_at: u64::MAX,
            step_limit: u64::MAX,
            log: RuleLog::default(),
            meter: None,
            overflows: None,
            guide: None,
            local: None,
            exploring: None,
            unknown: Unknowns::default(),
            inputs: Inputs::default(),
            outlines: FxHashMap::default(),
        }
    }

    /// Calls a method, the receiver being the first argument. Its class is initialised before if it
    /// is static, as on the JVM.
    pub fn call(&mut self, method: &ResolvedMethod, arguments: &[Value]) -> Outcome {
        self.instability.start();
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
        self.instability.first_decision()
    }

    /// Whether the rules that the last call applied depend on what the JVM does not fix, though what it gives may not.
    pub fn has_unstable_path(&self) -> bool {
        self.instability.first_decision().is_some() || self.instability.has_hidden_decision
    }

    /// A value as text, for messages.
    pub fn text(&self, value: Value, kind: Kind) -> String {
        self.expression(value, kind).to_string()
    }

    /// What was written to `System.out`, and is forgotten with that.
    pub fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.modelled.output)
    }

    /// What was written to `System.err`, and is forgotten with that.
    pub fn take_errors(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.modelled.errors)
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
