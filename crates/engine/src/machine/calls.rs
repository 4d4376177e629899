//! Calls, returns and exceptions.

use smallvec::SmallVec;

use crate::exploration::{MadeId, Unfollowed};
use crate::library::natives::{Answer, Stability, Then};
use crate::machine::code::{NO_REGISTER, Target};
use crate::machine::link::{AnsweredBy, Entry};
use crate::machine::stack::{self, WINDOW};
use crate::machine::stop::{Defect, LeftOut, Outcome, Reason};
use crate::machine::types::TypeId;
use crate::machine::value::{Reference, Value};
use crate::machine::{Frame, Machine, MethodNumber, Observation, SPECIAL, Stop};

pub(crate) type Arguments = SmallVec<[Value; 8]>;

/// What code that is no part of the program may take, if steps are limited at all.
pub(super) const MOST_STEPS_BESIDE: u64 = 100_000_000;

/// What is left to do when a call that the machine itself made comes back.
#[derive(Debug, Clone)]
pub(crate) enum Doing {
    /// The call came from outside: its outcome is that of the derivation.
    Boundary,
    /// Calls a method, whose result is that of the frame below.
    Call(MethodNumber, Arguments),
    /// Gives this value to the frame below.
    Give(Value),
    /// Keeps the result in a field of an object, too.
    Keep(Reference, u16),
    /// Throws this exception.
    Throw(Reference),
    /// Makes an exception and throws it.
    ThrowNew(TypeId, Option<Box<[u16]>>),
    /// Executes the caller's instruction again.
    Again,
    /// The same, after the initialisation of a class that an object has.
    MakeReady,
    /// Initialises a class.
    InitialiseClass(TypeId),
    /// Goes on with an initialisation.
    Initialise(crate::machine::initialise::Initialising),
    /// Marks the result as something that the JVM does not fix.
    MarkUnstable,
    /// Calls a method on an unknown object, unless it is null: it has to return true.
    CheckInvariant(Value, MethodNumber),
    /// Executes the caller's instruction again, after an input object was built: the rules that were applied
    /// before, and whether they were hidden then, are as they were.
    EndBuilding { before: Observation, constraints: usize },
    /// Goes on with building an input object, by its number.
    Build(MadeId, Reference),
    /// An input object becomes what the call has made.
    TakeShape(Reference),
    /// The result says whether something was added to an input object, by its number: it has to be.
    RequireAdded(MadeId),
    /// The result is how many elements an input object has: as many as were added to it.
    RequireCount(MadeId),
    /// The result has to be true.
    Require,
    /// The call itself follows.
    Begin,
    /// Ends a stretch in which decisions on unstable values do not count.
    Reveal,
}

/// A call that the machine made by itself.
#[derive(Debug, Clone)]
pub(crate) struct Special {
    pub(crate) doing: Doing,
    /// Where the registers of what it calls start.
    pub(super) callee_base: usize,
}

/// Why the instructions cannot simply go on.
#[derive(Debug)]
pub(crate) enum Halt {
    Stop(Stop),
    Done(Outcome),
    /// The termination criterion does not let the derivation go on.
    Cut,
    /// No input takes the path.
    Infeasible,
    /// The trace that is followed does not go on like this.
    Astray,
    /// The path costs more than is wanted.
    TooExpensive,
    /// The decisions that are given are none of the program.
    Unfollowed(Unfollowed),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Halt::Stop(stop)
    }
}

pub(crate) type Step = Result<(), Halt>;

impl Machine<'_> {
    /// Derives a call from outside that is no part of the program, such as one that makes an argument
    /// or shows a result: the limit of steps is not for it.
    pub(crate) fn execute_beside(&mut self, method: MethodNumber, arguments: &[Value]) -> Outcome {
        self.limit_steps(self.steps.saturating_add(self.limits.steps.max(MOST_STEPS_BESIDE)));
        self.execute(method, arguments)
    }

    /// Derives a call from outside. Whoever calls may hold any object that there is: all are kept.
    pub(crate) fn execute(&mut self, method: MethodNumber, arguments: &[Value]) -> Outcome {
        self.frames.clear();
        self.special.clear();
        self.heap.kept = self.heap.count();
        if self.observers.see_reachable() {
            self.observers.hold_objects(self.heap.objects_in_use().collect());
        }
        self.pc = 0;
        self.base = 0;
        let started = self.start(method, arguments);
        let ended = started.and_then(|()| self.run());
        match ended {
            Ok(outcome) | Err(Halt::Done(outcome)) => outcome,
            Err(Halt::Stop(Stop(reason))) => {
                Outcome::Stopped { reason, places: self.places(self.pc.saturating_sub(1)) }
            }
            Err(
                Halt::Cut
                | Halt::Infeasible
                | Halt::Astray
                | Halt::TooExpensive
                | Halt::Unfollowed(_),
            ) => {
                let reason = Reason::Defect(Defect::CutWithoutChoices);
                Outcome::Stopped { reason, places: Vec::new() }
            }
        }
    }

    pub(crate) fn start(&mut self, method: MethodNumber, arguments: &[Value]) -> Step {
        // What comes first is on top.
        self.push_special(Doing::Boundary, 0);
        self.push_special(Doing::Call(method, arguments.into()), 0);
        self.push_invariants();
        let resolved = &self.methods.get(method).resolved;
        let class = resolved.is_static().then(|| resolved.class().shared_name().clone());
        let class = class.map(|class| self.types.of_name(&class));
        self.initialise_before(class)
    }

    /// Does nothing but initialise a class, and what comes before it.
    pub(crate) fn begin(&mut self, class: Option<TypeId>) -> Step {
        self.frames.clear();
        self.special.clear();
        self.pc = 0;
        self.base = 0;
        self.push_special(Doing::Boundary, 0);
        self.initialise_before(class)
    }

    fn initialise_before(&mut self, class: Option<TypeId>) -> Step {
        self.learn_string_layout()?;
        if let Some(class) = class {
            self.push_special(Doing::InitialiseClass(class), 0);
        }
        // The JVM initialises these before any code runs: their objects come from nowhere, or when there
        // is no room for anything else.
        self.push_special(Doing::InitialiseClass(TypeId::THROWABLE), 0);
        self.push_special(Doing::InitialiseClass(TypeId::CLASS), 0);
        self.initialise(TypeId::STRING, 0)
    }

    pub(crate) fn push_special(&mut self, doing: Doing, callee_base: usize) {
        let frame = Frame {
            return_to: self.pc,
            base: self.base as u32,
            site: SPECIAL,
            method: MethodNumber::NONE,
        };
        self.frames.push(frame);
        self.special.push(Special { doing, callee_base });
    }

    /// A register of the frame under way.
    #[inline]
    pub(crate) fn register(&self, register: u16) -> Value {
        self.stack[self.base + usize::from(register)]
    }

    pub(crate) fn set_register(&mut self, register: u16, value: Value) {
        if register != NO_REGISTER {
            self.stack[self.base + usize::from(register)] = value;
        }
    }

    /// Executes a call, whatever its kind.
    pub(super) fn call_site(&mut self, number: u32) -> Step {
        if self.heap.size > self.heap.collect_at {
            // The frame is that of the caller: its registers hold the arguments.
            self.make_room(self.base + usize::from(self.code.sites[number as usize].frame))?;
        }
        let site = &self.code.sites[number as usize];
        let mut arguments: Arguments = site.arguments.iter().map(|&r| self.register(r)).collect();
        let callee_base = self.base + usize::from(site.frame);
        let (return_to, base) = (self.pc, self.base as u32);
        let frame = |method| Frame { return_to, base, site: number, method };
        match &site.target {
            Target::Method(method) => {
                let method = *method;
                if self.exploration.is_on() && !self.is_receiver_ready(method, &arguments)? {
                    return Ok(());
                }
                self.frames.push(frame(method));
                self.invoke(method, &arguments, callee_base)
            }
            Target::Selected { method, .. } => {
                let method = *method;
                // Calls on terms always come here, so that what others are is no question of what was called
                // before.
                if let Some(receiver) = arguments.first_mut().filter(|value| value.is_symbolic()) {
                    self.offer_classes(*receiver);
                    *receiver = self.resolved(*receiver);
                }
                let receiver = arguments.first().copied().unwrap_or_default();
                if receiver.is_unstable() {
                    self.note_unstable_decision();
                }
                let class = if receiver.is_symbolic() {
                    let Some(class) = self.class_for_call(receiver, method)? else {
                        return Ok(());
                    };
                    class
                } else {
                    if !self.has_class(receiver.as_reference())? {
                        return Ok(());
                    }
                    self.heap.class(receiver.as_reference())
                };
                match self.select(class, method)? {
                    Ok(selected) => {
                        if let Target::Selected { last, .. } =
                            &mut self.code.sites[number as usize].target
                        {
                            *last = (class, selected);
                        }
                        self.frames.push(frame(selected));
                        self.invoke(selected, &arguments, callee_base)
                    }
                    Err(error) => {
                        self.frames.push(frame(method));
                        self.throw_linkage(&error, callee_base)
                    }
                }
            }
            Target::Initialise(class) => {
                let class = *class;
                let done = self.types.get(class).initialisation;
                if done == crate::machine::types::Initialisation::Done {
                    if !self.heap.is_noting() {
                        // It stays so: the call is not needed any more.
                        self.code.ops[self.pc as usize - 1] = crate::machine::code::Op::Nop;
                    }
                    return Ok(());
                }
                self.frames.push(frame(MethodNumber::NONE));
                self.initialise(class, callee_base)
            }
            Target::Polymorphic { name, descriptor } => {
                let (name, descriptor) = (name.clone(), descriptor.clone());
                self.frames.push(frame(MethodNumber::NONE));
                match self.call_polymorphic(&name, &descriptor, &mut arguments, callee_base)? {
                    Some(answer) => {
                        self.answer(answer, MethodNumber::NONE, &arguments, callee_base)
                    }
                    None => Ok(()),
                }
            }
            Target::Unsupported(what) => Err(Stop::unsupported((**what).clone()).into()),
        }
    }

    /// Calls a method for the frame on top.
    pub(crate) fn invoke(
        &mut self,
        method: MethodNumber,
        arguments: &[Value],
        callee_base: usize,
    ) -> Step {
        self.steps += 1;
        self.check_steps()?;
        let answered_by = self.methods.get(method).answered_by;
        match answered_by {
            Some(AnsweredBy::Stub) => {
                return match self.stub_answer(method, arguments)? {
                    Some(answer) => self.return_value(answer),
                    None => Ok(()),
                };
            }
            Some(AnsweredBy::Outside(call)) if self.is_outside(method)? => {
                return self.call_outside(call, method, arguments);
            }
            Some(AnsweredBy::Machine(answer))
                if self.is_answered_by_machine(method, answer, arguments)? =>
            {
                return Ok(());
            }
            _ => {}
        }
        let stability = self.methods.get(method).stability;
        match stability {
            Stability::Stable => {}
            Stability::Unstable => self.push_special(Doing::MarkUnstable, callee_base),
            // The class library makes up for what is gone.
            Stability::Circumstantial if self.is_called_by_library() => {}
            Stability::Circumstantial | Stability::Fading => {
                self.note_left_out(LeftOut::Machine);
            }
            Stability::Hidden | Stability::Traceless if self.library.instability.is_hidden => {}
            hiding => {
                self.push_special(Doing::Reveal, callee_base);
                self.library.instability.is_hidden = true;
                self.library.instability.leaves_no_trace = hiding == Stability::Traceless;
            }
        }
        if let Some(model) = self.methods.get(method).model
            && self.is_modelled_as_text(model, method, arguments, callee_base)?
        {
            return Ok(());
        }
        match self.entry(method)? {
            Entry::Code { address, frame } => {
                if self.frames.len() > self.limits.frames {
                    return self.overflow_stack(callee_base);
                }
                let needed = callee_base + usize::from(frame) + WINDOW;
                if self.reach < needed {
                    self.reach = needed;
                    stack::extend(&mut self.stack, needed);
                }
                self.stack[callee_base..callee_base + arguments.len()].copy_from_slice(arguments);
                self.name_frame(method);
                self.base = callee_base;
                self.pc = address;
                self.see_call(method, false)
            }
            Entry::Native(native) => {
                if !self.is_memory_open(method, arguments)? {
                    return Ok(());
                }
                self.see_call(method, true)?;
                let is_unknown = |argument: &Value| argument.is_symbolic();
                if arguments.iter().any(is_unknown) || self.is_on_logged(method, arguments) {
                    return self.native_on_unknown(native, method, arguments, callee_base);
                }
                let answer = self.call_native(native, method, arguments)?;
                self.answer(answer, method, arguments, callee_base)
            }
            Entry::Abstract | Entry::Unlinked => {
                let text = format!("{}", self.methods.get(method).resolved).replace('/', ".");
                let class = self.types.of_name("java/lang/AbstractMethodError");
                self.throw_new(class, Some(text.encode_utf16().collect()), callee_base)
            }
        }
    }

    /// The error of the JVM when calls are too deep. Another JVM, or the same one on another day, has
    /// another limit.
    fn overflow_stack(&mut self, callee_base: usize) -> Step {
        self.note_unstable_decision();
        let class = self.types.of_name("java/lang/StackOverflowError");
        self.throw_new(class, None, callee_base)
    }

    /// Does what a native method answered.
    pub(super) fn answer(
        &mut self,
        answer: Answer,
        method: MethodNumber,
        arguments: &[Value],
        callee_base: usize,
    ) -> Step {
        match answer {
            Answer::Return(value) => {
                let unstable = arguments.iter().any(|argument| argument.is_unstable());
                self.return_value(value.marked(unstable))
            }
            Answer::Throw(class, message) => {
                let class = self.types.of_name(class);
                let message = message.map(|message| message.encode_utf16().collect());
                self.throw_new(class, message, callee_base)
            }
            Answer::Call(callee, passed, then) => {
                self.push_then(then, method, arguments, callee_base);
                self.invoke(callee, &passed, callee_base)
            }
            Answer::CallVirtual(callee, passed, then) => {
                let receiver = passed.first().copied().unwrap_or_default().as_reference();
                if receiver.is_null() {
                    let class = self.types.of_name("java/lang/NullPointerException");
                    return self.throw_new(class, None, callee_base);
                }
                let class = self.heap.class(receiver);
                match self.select(class, callee)? {
                    Ok(selected) => {
                        self.push_then(then, method, arguments, callee_base);
                        self.invoke(selected, &passed, callee_base)
                    }
                    Err(error) => self.throw_linkage(&error, callee_base),
                }
            }
            Answer::Initialise(class, then) => {
                self.push_then(then, method, arguments, callee_base);
                self.initialise(class, callee_base)
            }
        }
    }

    fn push_then(
        &mut self,
        then: Then,
        method: MethodNumber,
        arguments: &[Value],
        callee_base: usize,
    ) {
        match then {
            Then::Result => {}
            Then::Give(value) => self.push_special(Doing::Give(value), callee_base),
            Then::Keep(object, slot) => self.push_special(Doing::Keep(object, slot), callee_base),
            Then::Unstable => self.push_special(Doing::MarkUnstable, callee_base),
            Then::Again => self.push_special(Doing::Call(method, arguments.into()), callee_base),
        }
    }

    /// Returns a value from the frame on top.
    pub(crate) fn return_value(&mut self, value: Value) -> Step {
        let mut value = value;
        loop {
            let Some(frame) = self.pop_frame() else {
                return Err(Halt::Done(Outcome::Returned(Some(value))));
            };
            self.base = frame.base as usize;
            self.pc = frame.return_to;
            if frame.site != SPECIAL {
                let result = self.code.sites[frame.site as usize].result;
                self.set_register(result, value);
                return Ok(());
            }
            let Some(Special { doing, callee_base }) = self.pop_special() else {
                return Err(Halt::Done(Outcome::Returned(Some(value))));
            };
            match doing {
                Doing::Boundary => return Err(Halt::Done(Outcome::Returned(Some(value)))),
                Doing::Call(method, arguments) => {
                    return self.invoke(method, &arguments, callee_base);
                }
                Doing::Give(other) => value = other,
                Doing::Keep(object, slot) => self.heap.set_field(object, slot, value),
                Doing::Throw(exception) => return self.throw(exception),
                Doing::ThrowNew(class, message) => {
                    return self.throw_new(class, message, callee_base);
                }
                Doing::Again | Doing::MakeReady => return Ok(()),
                Doing::InitialiseClass(class) => return self.initialise(class, callee_base),
                Doing::Initialise(under_way) => {
                    return self.initialised(under_way, callee_base);
                }
                Doing::CheckInvariant(object, method) => {
                    return self.check_invariant(object, method, callee_base);
                }
                Doing::EndBuilding { before, constraints } => {
                    let end = self.solver.store.constraints().len();
                    self.exploration.note_building(constraints..end);
                    self.observation.end_building(&before);
                    return Ok(());
                }
                Doing::Build(number, object) => return self.build_on(number, object, callee_base),
                Doing::TakeShape(object) => self.take_shape(object, value)?,
                Doing::RequireAdded(number) => self.require_added(number, value)?,
                Doing::RequireCount(number) => self.require_count(number, value)?,
                Doing::Require => self.require(value)?,
                Doing::Begin => self.begin_call()?,
                Doing::MarkUnstable => {
                    value = value.marked(!self.library.instability.leaves_no_trace)
                }
                Doing::Reveal => {
                    self.library.instability.reveal();
                    value = if value.is_unstable() { Value::known(value.bits) } else { value };
                }
            }
        }
    }

    /// Throws an exception in the frame on top: it goes to the call that is under way.
    pub(crate) fn throw(&mut self, exception: Reference) -> Step {
        let mut exception = exception;
        loop {
            let Some(frame) = self.pop_frame() else {
                return Err(Halt::Done(Outcome::Threw(exception)));
            };
            self.base = frame.base as usize;
            if frame.site != SPECIAL {
                let site = &self.code.sites[frame.site as usize];
                let (register, on_throw) = (site.exception, site.on_throw);
                self.pc = on_throw;
                self.set_register(register, Value::reference(exception));
                return Ok(());
            }
            self.pc = frame.return_to;
            let Some(Special { doing, callee_base }) = self.pop_special() else {
                return Err(Halt::Done(Outcome::Threw(exception)));
            };
            match doing {
                Doing::Boundary => return Err(Halt::Done(Outcome::Threw(exception))),
                Doing::Initialise(under_way) => {
                    match self.initialisation_failed(under_way, exception, callee_base)? {
                        Some(same) => exception = same,
                        None => return Ok(()),
                    }
                }
                Doing::Reveal => self.library.instability.reveal(),
                // There is no object whose invariant throws, whose class cannot be initialised, or that its
                // own code refuses to build.
                Doing::Require
                | Doing::MakeReady
                | Doing::EndBuilding { .. }
                | Doing::Build(..)
                | Doing::TakeShape(_)
                | Doing::RequireAdded(_)
                | Doing::RequireCount(_) => return Err(Halt::Infeasible),
                Doing::Again
                | Doing::Call(..)
                | Doing::Begin
                | Doing::CheckInvariant(..)
                | Doing::Give(_)
                | Doing::Keep(..)
                | Doing::InitialiseClass(_)
                | Doing::Throw(_)
                | Doing::ThrowNew(..)
                | Doing::MarkUnstable => {}
            }
        }
    }

    /// A decision on an unstable value was made by the instruction under way.
    pub(crate) fn note_unstable_decision(&mut self) {
        let is_open = self.library.instability.is_open();
        if !is_open && !self.exploration.is_preparing() {
            return;
        }
        let address = self.pc.saturating_sub(1);
        if self.library.instability.is_hidden && self.is_of_library_code(address) {
            self.library.instability.has_hidden_decision = true;
            return;
        }
        self.doubt_unstable();
        if !is_open {
            return;
        }
        let place = self.place(self.innermost_of_class_files().unwrap_or(address));
        self.library.instability.decided(place);
        self.note_left_out(LeftOut::Machine);
    }
}
