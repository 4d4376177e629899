//! Rules to register code, one procedure at a time, when it is first called.
//!
//! A predicate that one rule leads to is compiled in line, behind that rule: its parameters are the
//! registers of the arguments. One that several rules lead to has registers for its parameters,
//! those of the first rule that leads there, and other rules move their arguments. A variable that
//! is passed on to such a predicate is computed right where it is wanted if that register is free.
//!
//! Everything that a rule needs later is among its variables, so that registers are free as soon as
//! no variable of the rule under way has them.

mod attempts;
mod emit;
mod guards;
mod needed;
mod observe;
mod registers;

use std::rc::Rc;

use petrel_clp::termination::Counting;
use petrel_clp::{
    ClassId, End, FieldId, Literal, MethodId, Operand, Placed, PredicateId, Procedure, StringId,
    VarId,
};
use rustc_hash::FxHashMap;

use self::observe::RegisteredCounters;
use self::registers::Registers;
use crate::machine::code::{Address, Code, Op, Register, SwitchTable};
use crate::machine::link::MethodNumber;
use crate::machine::types::TypeId;

/// Why a procedure could not be compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CompileError(pub(super) String);

/// What the compiler asks for when rules name something.
pub(super) trait Linker {
    fn type_of(&mut self, class: &str) -> Result<TypeId, CompileError>;
    /// Type of a class or primitive type whose `Class` object is wanted.
    fn class_object_type(&mut self, class: &str) -> Result<TypeId, CompileError>;
    /// Slot of an instance field.
    fn instance_field(&mut self, field: &petrel_clp::FieldRef) -> Result<(u16, u32), CompileError>;
    /// Number of a static field.
    fn static_field(&mut self, field: &petrel_clp::FieldRef) -> Result<u32, CompileError>;
    /// Whether a static field may hold something else in other runs of the program.
    fn is_changing(&mut self, field: &petrel_clp::FieldRef) -> Result<bool, CompileError>;
    /// The method that has to be called before a static field is read for the first time.
    fn preparation(
        &mut self,
        field: &petrel_clp::FieldRef,
    ) -> Result<Option<MethodNumber>, CompileError>;
    /// Number of a method.
    fn method(&mut self, method: &petrel_clp::MethodRef) -> Result<MethodNumber, CompileError>;
}

/// Where the value of a variable is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Location {
    Register(Register),
    Constant(Operand),
    /// The exit of the call before: the code knows it by where it is.
    Exit,
}

/// Rules of a predicate that are still possible, and how many of their guards are decided.
struct Open {
    predicate: PredicateId,
    rules: Vec<usize>,
    decided: usize,
    /// Where the predicate's parameters, and what guards bound, are.
    locations: Rc<Vec<Location>>,
    /// What is to jump here.
    from: Vec<Patch>,
}

/// An address in the code that is not known yet.
#[derive(Debug, Clone, Copy)]
enum Patch {
    Op(Address),
    /// The case of a switch, or its default.
    Case(u32, Option<usize>),
    OnThrow(u32),
}

/// A predicate that several rules lead to.
struct Shared {
    parameters: Vec<Register>,
    address: Option<Address>,
    from: Vec<Patch>,
}

/// What the entries of the procedure's tables turned out to be. They are looked up once: names may be
/// long, and mentioned often.
#[derive(Default)]
struct Linked {
    types: FxHashMap<ClassId, TypeId>,
    instance_fields: FxHashMap<FieldId, (u16, u32)>,
    static_fields: FxHashMap<FieldId, u32>,
    methods: FxHashMap<MethodId, MethodNumber>,
    strings: FxHashMap<StringId, u32>,
}

/// The entry of a cache, made if it is not there.
fn cached<K: Copy + Eq + std::hash::Hash, V: Copy>(
    cache: &mut FxHashMap<K, V>,
    key: K,
    make: impl FnOnce() -> Result<V, CompileError>,
) -> Result<V, CompileError> {
    if let Some(&known) = cache.get(&key) {
        return Ok(known);
    }
    let made = make()?;
    cache.insert(key, made);
    Ok(made)
}

pub(super) struct Compiler<'a, L> {
    procedure: &'a Procedure,
    linker: &'a mut L,
    code: &'a mut Code,
    /// How many rules lead to each predicate.
    arrivals: Vec<u32>,
    shared: FxHashMap<usize, Shared>,
    open: Vec<Open>,
    /// Registers that are in use in the rule under way.
    registers: Registers,
    /// Offset of the bytecode instruction that the code under way comes from.
    origin: u16,
    /// The attempt at an access of an array that precedes its guards: where it is, and the predicate
    /// whose first rule begins with the access.
    attempt: Option<(Address, PredicateId)>,
    linked: Linked,
    /// The predicate whose rule is under way.
    current: PredicateId,
    /// What is counted in registers, if the derivation is observed.
    counters: Option<RegisteredCounters>,
    /// The method's number, for the rules that are observed, and whether it is of the class library.
    method: MethodNumber,
    of_library: bool,
    /// Whether its operations are looked at that may overflow.
    is_watched: bool,
    /// Whether it is kept which references are needed.
    keeps_needed: bool,
    /// Calls of this procedure: the size of its frame is known in the end.
    sites: Vec<u32>,
}

/// Compiles a procedure at the end of the code. Returns the size of its frame.
pub(super) fn compile<L: Linker>(
    procedure: &Procedure,
    (method, of_library): (MethodNumber, bool),
    (counting, is_watched, keeps_needed): (Option<Counting>, bool, bool),
    linker: &mut L,
    code: &mut Code,
) -> Result<u16, CompileError> {
    let first_switch = code.switches.len();
    let mut arrivals = vec![0; procedure.predicates.len()];
    for rule in procedure.rules() {
        if let End::Continue(target, _) = &rule.end {
            arrivals[target.index()] += 1;
        }
    }
    let mut compiler = Compiler {
        procedure,
        linker,
        code,
        arrivals,
        shared: FxHashMap::default(),
        open: Vec::new(),
        registers: Registers::default(),
        origin: 0,
        attempt: None,
        linked: Linked::default(),
        current: PredicateId(0),
        counters: counting.map(|counting| RegisteredCounters::of(procedure, counting)),
        method,
        of_library,
        is_watched,
        keeps_needed,
        sites: Vec::new(),
    };
    compiler.run()?;
    let frame = compiler.registers.frame_size().ok_or_else(too_large)?;
    for site in compiler.sites {
        code.sites[site as usize].frame = frame;
    }
    code.switches[first_switch..].iter_mut().for_each(SwitchTable::seal);
    Ok(frame)
}

fn too_large() -> CompileError {
    CompileError("the method needs too many registers".to_owned())
}

impl<L: Linker> Compiler<'_, L> {
    fn run(&mut self) -> Result<(), CompileError> {
        let entry = &self.procedure.predicates[0];
        // Arguments come in the first registers.
        let parameters: Vec<Register> = (0..entry.parameters.len() as Register).collect();
        let entry = PredicateId(0);
        self.begin_observation();
        if self.arrivals[0] > 0 {
            self.shared
                .insert(0, Shared { parameters: parameters.clone(), address: None, from: vec![] });
            self.begin_shared(entry);
        } else {
            let locations = parameters.into_iter().map(Location::Register).collect();
            self.open.push(Open {
                predicate: entry,
                rules: self.all_rules(entry),
                decided: 0,
                locations: Rc::new(locations),
                from: vec![],
            });
        }
        while let Some(open) = self.open.pop() {
            let here = self.code.next();
            for patch in &open.from {
                self.patch(*patch, here);
            }
            self.decide(open)?;
        }
        Ok(())
    }

    fn all_rules(&self, predicate: PredicateId) -> Vec<usize> {
        (0..self.procedure.predicates[predicate.index()].rules.len()).collect()
    }

    /// Queues the code of a predicate that several rules lead to.
    fn begin_shared(&mut self, predicate: PredicateId) {
        let Some(shared) = self.shared.get(&predicate.index()) else { return };
        let locations = shared.parameters.iter().copied().map(Location::Register).collect();
        self.open.push(Open {
            predicate,
            rules: self.all_rules(predicate),
            decided: 0,
            locations: Rc::new(locations),
            from: vec![],
        });
    }

    /// Code that tells the rules apart, and then of the first rule; others are left open.
    fn decide(&mut self, open: Open) -> Result<(), CompileError> {
        let predicate = &self.procedure.predicates[open.predicate.index()];
        self.origin = predicate.pc;
        if open.decided == 0
            && let Some(shared) = self.shared.get_mut(&open.predicate.index())
            && shared.address.is_none()
        {
            let here = self.code.next();
            shared.address = Some(here);
            for patch in std::mem::take(&mut shared.from) {
                self.patch(patch, here);
            }
        }
        if open.decided == 0 {
            self.observe_predicate(open.predicate);
            if self.counters.is_none() {
                self.try_access(open.predicate, &open.locations)?;
            }
        }
        let Open { mut rules, mut decided, mut locations, .. } = open;
        loop {
            let Some(&first) = rules.first() else {
                return Err(CompileError("a predicate without rules".to_owned()));
            };
            if decided >= predicate.rules[first].guards.len() {
                return self.rule(open.predicate, first, &locations);
            }
            rules = self.split(open.predicate, rules, decided, &mut locations)?;
            decided += 1;
        }
    }

    /// The body of a rule, and where it goes on.
    fn rule(
        &mut self,
        predicate: PredicateId,
        number: usize,
        parameters: &[Location],
    ) -> Result<(), CompileError> {
        let rule = &self.procedure.predicates[predicate.index()].rules[number];
        let mut locations = parameters.to_vec();
        let last_uses = registers::last_uses(rule);
        self.registers.start(&locations, &last_uses);
        let wanted = self.wanted_registers(rule);
        self.registers.reserve(wanted.iter().flatten().copied());
        self.origin = rule.instructions.first().map_or(self.origin, |first| first.pc);
        self.current = predicate;
        self.observe_rule(predicate, number);
        for (position, Placed { pc, literal }) in rule.body.iter().enumerate() {
            if let Literal::Call(call) = literal {
                self.origin = *pc;
                return self.call(rule, call, position, &locations, &last_uses);
            }
            self.observe_sizes(rule, position, &locations)?;
            self.watch_overflow(literal, (predicate, number, position), &locations)?;
            let operands = self.literal_operands(literal, &locations)?;
            match literal.defines() {
                Some(variable) => {
                    // Instructions read before they write: the result may replace an operand.
                    self.registers.release(&locations, &last_uses, position);
                    let register = self.registers.take(wanted_at(&wanted, variable));
                    set(&mut locations, variable, Location::Register(register));
                    self.literal(literal, Some(register), &operands)?;
                    self.note_needed(rule, literal, position, &locations, &last_uses);
                    if last_uses.get(variable.0 as usize).copied().flatten().is_none() {
                        self.registers.free(register);
                    }
                }
                None => {
                    self.literal(literal, None, &operands)?;
                    self.registers.release(&locations, &last_uses, position);
                }
            }
            self.registers.release_temporaries();
            if position == 0 && number == 0 {
                self.finish_attempt(predicate, literal, &locations);
            }
        }
        self.finish(&rule.end, &locations)
    }

    fn finish(&mut self, end: &End, locations: &[Location]) -> Result<(), CompileError> {
        match end {
            End::Return(None) => self.push(Op::ReturnNothing),
            End::Return(Some(operand)) => {
                let value = self.register_of(*operand, locations)?;
                self.push(Op::Return { value });
            }
            End::Throw(operand) => {
                let exception = self.register_of(*operand, locations)?;
                self.push(Op::Throw { exception });
            }
            End::Continue(target, arguments) => {
                let arguments = arguments
                    .iter()
                    .map(|&argument| location_of(argument, locations))
                    .collect::<Result<Vec<_>, _>>()?;
                return self.go_on(*target, arguments);
            }
        }
        Ok(())
    }

    /// Goes on in another predicate.
    fn go_on(&mut self, target: PredicateId, arguments: Vec<Location>) -> Result<(), CompileError> {
        self.observe_edge(target);
        if self.arrivals[target.index()] == 1 && target.index() != 0 {
            let rules = self.all_rules(target);
            // Popped at once: the code follows directly.
            self.open.push(Open {
                predicate: target,
                rules,
                decided: 0,
                locations: Rc::new(arguments),
                from: vec![],
            });
            return Ok(());
        }
        let is_new = !self.shared.contains_key(&target.index());
        if is_new {
            let parameters = self.registers.for_parameters(&arguments);
            let shared = Shared { parameters, address: None, from: vec![] };
            self.shared.insert(target.index(), shared);
        }
        let Some(shared) = self.shared.get(&target.index()) else {
            return Err(CompileError("a predicate without a place".to_owned()));
        };
        let (parameters, address) = (shared.parameters.clone(), shared.address);
        self.move_all(&arguments, &parameters)?;
        if is_new {
            self.begin_shared(target);
            return Ok(());
        }
        let jump = self.code.next();
        self.push(match address {
            Some(address) => Op::JumpBack(address),
            None => Op::Jump(0),
        });
        if address.is_none()
            && let Some(shared) = self.shared.get_mut(&target.index())
        {
            shared.from.push(Patch::Op(jump));
        }
        Ok(())
    }

    /// Registers in which predicates further on want variables of the rule.
    fn wanted_registers(&self, rule: &petrel_clp::Rule) -> Vec<Option<Register>> {
        let mut wanted = vec![None; rule.variables.len()];
        let End::Continue(target, arguments) = &rule.end else { return wanted };
        for (position, argument) in arguments.iter().enumerate() {
            if let Operand::Variable(variable) = argument
                && let Some(place) = wanted.get_mut(variable.0 as usize)
                && place.is_none()
            {
                *place = self.wanted_parameter(*target, position, 8);
            }
        }
        wanted
    }

    fn wanted_parameter(
        &self,
        predicate: PredicateId,
        position: usize,
        depth: u32,
    ) -> Option<Register> {
        if let Some(shared) = self.shared.get(&predicate.index()) {
            return shared.parameters.get(position).copied();
        }
        if depth == 0 || self.arrivals[predicate.index()] != 1 {
            return None;
        }
        let passed = Operand::Variable(VarId(position as u32));
        self.procedure.predicates[predicate.index()].rules.iter().take(2).find_map(|rule| {
            let End::Continue(target, arguments) = &rule.end else { return None };
            let at = arguments.iter().position(|&argument| argument == passed)?;
            self.wanted_parameter(*target, at, depth - 1)
        })
    }
}

fn wanted_at(wanted: &[Option<Register>], variable: VarId) -> Option<Register> {
    wanted.get(variable.0 as usize).copied().flatten()
}

fn set(locations: &mut Vec<Location>, variable: VarId, location: Location) {
    let index = variable.0 as usize;
    if locations.len() <= index {
        locations.resize(index + 1, Location::Constant(Operand::Null));
    }
    locations[index] = location;
}

fn location_of(operand: Operand, locations: &[Location]) -> Result<Location, CompileError> {
    match operand {
        Operand::Variable(variable) => locations
            .get(variable.0 as usize)
            .copied()
            .ok_or_else(|| CompileError("a variable is used before it is bound".to_owned())),
        constant => Ok(Location::Constant(constant)),
    }
}
