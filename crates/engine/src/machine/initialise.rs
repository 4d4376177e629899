//! Initialisation of classes (JVMS 5.5), in one thread.

use crate::library::{Instability, natives};
use crate::machine::calls::{Doing, Halt, MOST_STEPS_BESIDE, Step};
use crate::machine::types::{Initialisation, TypeId};
use crate::machine::value::{Reference, Value};
use crate::machine::{LeftOut, Machine, MethodNumber, Observation, Stop};

/// An initialisation that is under way.
#[derive(Debug, Clone)]
pub(crate) struct Initialising {
    /// The class that is wanted, and its superclasses that were not initialised before: upwards.
    started: Vec<TypeId>,
    /// Classes whose initialisers are to be run; the next is the last.
    queue: Vec<TypeId>,
    /// The class whose initialiser runs.
    current: TypeId,
    /// The steps, and their limit, before: initialisers are no part of the method.
    steps: (u64, u64),
    /// The rule applications, and when they are looked at, before.
    observation: Observation,
    /// Whether its effects outlive the choice under way: those of the class library do, which does not
    /// depend on what the program did before.
    is_permanent: bool,
    /// Decisions of an initialiser that outlives the path are none of the path: another one would find
    /// the class initialised.
    instability: Option<Instability>,
}

impl Machine<'_> {
    /// Initialises a class for the frame on top, which gets nothing from it.
    pub(crate) fn initialise(&mut self, class: TypeId, callee_base: usize) -> Step {
        match self.types.get(class).initialisation {
            Initialisation::Done => return self.return_value(Value::NULL),
            Initialisation::UnderWay => {
                self.doubt_order(class);
                return self.return_value(Value::NULL);
            }
            Initialisation::Failed => return self.refuse(class, callee_base),
            Initialisation::NotStarted => {}
        }
        let is_permanent = self.heap.is_noting() && self.is_of_library(class);
        if is_permanent {
            self.heap.note_changes(false);
        }
        let loaded = self.class(class)?;
        let mut started = Vec::new();
        for above in loaded.lineage() {
            let id = self.types.of_name(above.name());
            self.layout(id)?;
            match self.types.get(id).initialisation {
                Initialisation::NotStarted => started.push(id),
                // Classes without an initialiser are done as soon as they are known; those above
                // them may not be.
                Initialisation::Done if !above.needs_initialisation() => {}
                Initialisation::Done => break,
                Initialisation::UnderWay => {
                    // Before its superclass, it would be initialised behind it.
                    let has_own = |&id: &TypeId| self.has_initialiser(id);
                    if started.iter().any(has_own) {
                        self.doubt_order(class);
                    }
                    break;
                }
                Initialisation::Failed => {
                    started
                        .iter()
                        .for_each(|&id| self.set_initialisation(id, Initialisation::Failed));
                    self.heap.note_changes(true);
                    return self.refuse(id, callee_base);
                }
            }
        }
        for &id in &started {
            self.set_initialisation(id, Initialisation::UnderWay);
        }
        let chain = loaded.initialisation_chain();
        let mut queue: Vec<TypeId> =
            chain.iter().map(|class| self.types.of_name(class.name())).collect();
        queue.reverse();
        let steps = (self.steps, self.last_step);
        if self.last_step != u64::MAX {
            let most = self.steps.saturating_add(MOST_STEPS_BESIDE);
            self.limit_steps(self.last_step.max(most));
        }
        let observation = self.observation;
        self.observation.end();
        let current = class;
        let instability = is_permanent.then(|| self.library.instability.clone());
        let under_way =
            Initialising { started, queue, current, steps, observation, is_permanent, instability };
        self.next_initialiser(under_way, callee_base)
    }

    fn next_initialiser(&mut self, mut under_way: Initialising, callee_base: usize) -> Step {
        while let Some(class) = under_way.queue.pop() {
            let is_started = under_way.started.contains(&class);
            match self.types.get(class).initialisation {
                Initialisation::NotStarted => {
                    self.set_initialisation(class, Initialisation::UnderWay)
                }
                Initialisation::UnderWay if is_started => {}
                Initialisation::UnderWay | Initialisation::Done => continue,
                Initialisation::Failed => {
                    self.fail(&under_way, class);
                    return self.refuse(class, callee_base);
                }
            }
            let loaded = self.class(class)?;
            let Some(initialiser) = loaded.declared_method("<clinit>", "()V") else { continue };
            let method = self.method_number(&initialiser);
            under_way.current = class;
            self.push_special(Doing::Initialise(under_way), callee_base);
            return self.invoke(method, &[], callee_base);
        }
        for &class in &under_way.started {
            self.set_initialisation(class, Initialisation::Done);
        }
        self.leave_initialisation(&under_way);
        self.return_value(Value::NULL)
    }

    fn has_initialiser(&self, class: TypeId) -> bool {
        let class = self.types.get(class).class.as_ref();
        class.is_some_and(|class| class.declared_method("<clinit>", "()V").is_some())
    }

    /// The classes whose initialisers run, the innermost first.
    pub(crate) fn initialisers_under_way(&self) -> impl Iterator<Item = TypeId> {
        self.special.iter().rev().filter_map(|special| match &special.doing {
            Doing::Initialise(under_way) => Some(under_way.current),
            _ => None,
        })
    }

    /// A static field is written.
    #[cold]
    pub(super) fn see_initialised(&mut self, field: u32) -> Step {
        let Some(class) = self.initialisers_under_way().next() else { return Ok(()) };
        let writing = self.frames.last().and_then(|frame| frame.named_method());
        let is_initialiser = writing.is_some_and(|writing| {
            let method = &self.methods.get(writing).resolved;
            method.name() == "<clinit>"
        });
        if is_initialiser {
            self.settle_doubts(class, Some(field))?;
        }
        Ok(())
    }

    fn leave_initialisation(&mut self, under_way: &Initialising) {
        let (steps, last_step) = under_way.steps;
        self.set_steps(steps);
        self.limit_steps(last_step);
        self.observation = under_way.observation;
        if let Some(before) = &under_way.instability {
            self.library.instability.clone_from(before);
        }
        if under_way.is_permanent {
            self.heap.note_changes(true);
        }
    }

    /// Initialisations that would have outlived the derivation under way, but did not come to their end,
    /// start again when the class is wanted again.
    pub(super) fn forget_unfinished_initialisations(&mut self) {
        let mut is_inside = false;
        let mut unfinished = Vec::new();
        for special in &self.special {
            if let Doing::Initialise(under_way) = &special.doing {
                is_inside |= under_way.is_permanent;
                if is_inside {
                    unfinished.extend_from_slice(&under_way.started);
                    unfinished.push(under_way.current);
                }
            }
        }
        for class in unfinished {
            let known = self.types.get_mut(class);
            if known.initialisation == Initialisation::UnderWay {
                known.initialisation = Initialisation::NotStarted;
            }
        }
        self.heap.note_changes(true);
    }

    /// An initialiser came to its end.
    pub(super) fn initialised(&mut self, under_way: Initialising, callee_base: usize) -> Step {
        let class = under_way.current;
        self.settle_doubts(class, None)?;
        // The class that was asked for is done when all of it is; its superclasses are now.
        self.set_initialisation(class, Initialisation::Done);
        let name = std::sync::Arc::clone(&self.types.get(class).name);
        match natives::after_initialisation(&name) {
            None => self.next_initialiser(under_way, callee_base),
            Some(then) => {
                // As if it were the end of the initialiser.
                let rest = Initialising { current: TypeId::OBJECT, ..under_way };
                self.push_special(Doing::Initialise(rest), callee_base);
                let answer = then(self, &[])?;
                self.answer(answer, MethodNumber::NONE, &[], callee_base)
            }
        }
    }

    /// An initialiser threw: what is thrown further, unless that takes a call first.
    pub(super) fn initialisation_failed(
        &mut self,
        under_way: Initialising,
        exception: Reference,
        callee_base: usize,
    ) -> Result<Option<Reference>, Halt> {
        self.fail(&under_way, under_way.current);
        // The next one to need the class is told otherwise.
        self.note_left_out(LeftOut::Initialisers);
        let error = self.types.of_name("java/lang/Error");
        if self.is_instance(exception, error) {
            return Ok(Some(exception));
        }
        let class = self.types.of_name("java/lang/ExceptionInInitializerError");
        let wrapper = self.new_object(class)?;
        let constructor = self.declared(
            "java/lang/ExceptionInInitializerError",
            "<init>",
            "(Ljava/lang/Throwable;)V",
        )?;
        self.push_special(Doing::Throw(wrapper), callee_base);
        let arguments = [Value::reference(wrapper), Value::reference(exception)];
        self.invoke(constructor, &arguments, callee_base)?;
        Ok(None)
    }

    /// A class or interface failed: with it the classes that were waiting for it. Those above them
    /// are done.
    fn fail(&mut self, under_way: &Initialising, class: TypeId) {
        for &id in &under_way.started {
            if self.types.get(id).initialisation == Initialisation::UnderWay {
                let chain = self.class(id).map(|class| class.initialisation_chain());
                let waits = chain.map_or(true, |chain| {
                    chain.iter().any(|above| self.types.of_name(above.name()) == class)
                });
                let state = if waits { Initialisation::Failed } else { Initialisation::Done };
                self.set_initialisation(id, state);
            }
        }
        self.set_initialisation(class, Initialisation::Failed);
        self.leave_initialisation(under_way);
    }

    fn refuse(&mut self, class: TypeId, callee_base: usize) -> Step {
        let text = format!("Could not initialize class {}", self.types.class_name(class));
        let error = self.types.of_name("java/lang/NoClassDefFoundError");
        self.throw_new(error, Some(text.encode_utf16().collect()), callee_base)
    }

    /// Whether a class is initialised as far as the program can tell.
    pub(crate) fn is_initialised(&mut self, class: TypeId) -> Result<bool, Stop> {
        self.layout(class)?;
        Ok(matches!(
            self.types.get(class).initialisation,
            Initialisation::Done | Initialisation::UnderWay
        ))
    }
}
