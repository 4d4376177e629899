//! Who looks at a derivation while it goes on: what it is (`trace`), whether it is wanted (`guide`, `local`), what it
//! costs (`meter`), what may follow (`scout`), and which operations overflow (`overflow`). `boundary` asks a path that has ended for further inputs.
//!
//! An observer is a file with an [`Observer`] and a line in the list below. It is told what happens and may end the
//! path. Each keeps its own marks, one for each choice that is open, so that nobody else knows what it remembers.

mod ahead;
mod boundary;
mod guide;
mod local;
mod meter;
mod overflow;
mod scout;
mod trace;

use crate::machine::{Address, Machine, MethodNumber, Reference, Step, TypeId, Value};

use guide::Guide;
use meter::Meter;
use overflow::OverflowWatch;
use scout::Scout;
use trace::RuleLog;

pub use boundary::Boundary;
pub use local::LocalPaths;
pub use meter::{CostSum, Linear, LinearCost, PathCost, Required};
pub use overflow::{Overflowed, Site, can_overflow};
pub use scout::{AppliedRule, Forecast};

/// Something that happens in a derivation.
#[derive(Debug, Clone, Copy)]
enum Event<'a> {
    /// A rule is applied, by its number among all rules.
    Rule { number: u32, of_library: bool },
    /// A way is taken that no rule shows, by its number.
    Choice(u32),
    /// The rule applied last makes an array of this size, which its trace tells.
    Size(Value),
    /// A method is called by the frame below the one on top.
    Call { method: MethodNumber, is_native: bool },
    /// An array is made by the method under way.
    Array(TypeId, Value),
    /// Arrays of arrays are made by the method under way.
    Arrays(TypeId, &'a [Value]),
    /// An object or array was made by the method under way, with the arrays in it.
    Made(Reference),
    /// An operation that is watched is about to be performed, by its number.
    Operation(u32),
}

/// A way that a choice leaves open.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Ahead {
    /// To code of the program, whose next rule shows that it was taken.
    Code(Address),
    /// One that no rule shows, by its number.
    Choice(u32),
}

/// Looks at a derivation.
trait Observer {
    /// A derivation starts: nothing was seen so far.
    fn start(&mut self);

    /// Something happens. An error ends the path.
    fn see(&mut self, machine: &mut Machine<'_>, event: Event<'_>) -> Step;

    /// Whether a way may lead to something that is wanted.
    fn admits(&mut self, _machine: &Machine<'_>, _way: Ahead) -> bool {
        true
    }

    /// Whether a path that ends here is wanted.
    fn accepts_end(&self) -> bool {
        true
    }

    /// The state here can be gone back to.
    fn open_choice(&mut self);

    /// Goes back to the last choice. `false` if nothing behind it is wanted any more.
    fn go_back(&mut self) -> bool;

    /// The last choice was just gone back to for the last time.
    fn close_choice(&mut self);
}

/// What an observer remembers of each choice that is open.
#[derive(Debug, Clone)]
struct Marks<T>(Vec<T>);

impl<T> Default for Marks<T> {
    fn default() -> Self {
        Marks(Vec::new())
    }
}

impl<T> Marks<T> {
    fn push(&mut self, mark: T) {
        self.0.push(mark);
    }

    fn last(&self) -> Option<&T> {
        self.0.last()
    }

    fn pop(&mut self) {
        self.0.pop();
    }
}

/// The observers of a machine, in the order in which they are told.
macro_rules! observers {
    ($($(#[doc = $doc:literal])* $name:ident: $observer:ty,)*) => {
        /// Who looks at a derivation.
        #[derive(Default)]
        pub(crate) struct Observers<'p> {
            $($(#[doc = $doc])* $name: Option<Box<$observer>>,)*
        }

        impl Observers<'_> {
            /// A derivation starts.
            fn start(&mut self) {
                $(if let Some(observer) = &mut self.$name {
                    observer.start();
                })*
            }

            /// Whether a path that ends here is wanted.
            pub(crate) fn accept_end(&self) -> bool {
                true $(&& self.$name.as_ref().is_none_or(|observer| observer.accepts_end()))*
            }

            /// The state here can be gone back to.
            pub(crate) fn open_choice(&mut self) {
                $(if let Some(observer) = &mut self.$name {
                    observer.open_choice();
                })*
            }

            /// Goes back to the last choice. `false` if nothing behind it is wanted any more.
            pub(crate) fn go_back(&mut self) -> bool {
                let mut is_wanted = true;
                $(if let Some(observer) = &mut self.$name {
                    is_wanted &= observer.go_back();
                })*
                is_wanted
            }

            /// The last choice was just gone back to for the last time.
            pub(crate) fn close_choice(&mut self) {
                $(if let Some(observer) = &mut self.$name {
                    observer.close_choice();
                })*
            }
        }

        impl Machine<'_> {
            /// Tells all observers what happens. Each sees a machine without itself.
            fn tell(&mut self, event: Event<'_>) -> Step {
                $(if let Some(mut observer) = self.observers.$name.take() {
                    let step = observer.see(self, event);
                    self.observers.$name = Some(observer);
                    step?;
                })*
                Ok(())
            }

            /// Whether a way may lead to something that is wanted.
            pub(crate) fn is_way_wanted(&mut self, way: Ahead) -> bool {
                $(if let Some(mut observer) = self.observers.$name.take() {
                    let admits = observer.admits(self, way);
                    self.observers.$name = Some(observer);
                    if !admits {
                        return false;
                    }
                })*
                true
            }
        }
    };
}

observers! {
    /// Keeps the rules applied.
    log: RuleLog,
    /// Lets only instances of a trace go on.
    guide: Guide,
    /// Lets only paths go on that may be new ways through the target's own code.
    local: LocalPaths,
    /// Measures what the derivation costs.
    meter: Meter<'p>,
    /// Asks what may follow; it knows what has been spent.
    scout: Scout<'p>,
    /// Looks for operations that overflow.
    overflows: OverflowWatch,
}

impl Observers<'_> {
    /// Whether calls have to be told.
    #[inline]
    pub(crate) fn see_calls(&self) -> bool {
        self.meter.is_some()
    }

    /// Whether somebody asks what is reachable.
    #[inline]
    pub(crate) fn see_reachable(&self) -> bool {
        self.meter.as_ref().is_some_and(|meter| meter.sees_reachable())
    }

    /// Objects that whoever calls may hold.
    pub(crate) fn hold_objects(&mut self, held: Vec<Reference>) {
        if let Some(meter) = &mut self.meter {
            meter.hold_objects(held);
        }
    }

    /// Objects that are gone.
    pub(crate) fn forget_objects(&mut self, is_gone: impl Fn(Reference) -> bool) {
        if let Some(meter) = &mut self.meter {
            meter.forget_objects(is_gone);
        }
    }

    /// Whether some ways of a choice may not be wanted.
    pub(crate) fn choose_ways(&self) -> bool {
        self.guide.is_some()
    }

    /// Whether ways promise different things.
    pub(crate) fn look_ahead(&self) -> bool {
        self.scout.is_some()
    }
}

impl Machine<'_> {
    /// Starts to look at a derivation, and to keep its rules from the beginning of the call on.
    pub(crate) fn start_observation(&mut self) {
        self.observation.start();
        self.observers.log.get_or_insert_default();
        self.observers.start();
    }

    /// Tells what happens if it is part of the call.
    fn tell_of_call(&mut self, event: Event<'_>) -> Step {
        if self.observation.is_of_call() { self.tell(event) } else { Ok(()) }
    }

    /// A rule is applied.
    pub(crate) fn see_rule(&mut self, number: u32, of_library: bool) -> Step {
        self.tell_of_call(Event::Rule { number, of_library })
    }

    /// A way is taken that no rule shows.
    pub(crate) fn see_choice(&mut self, number: u32) -> Step {
        if !self.observation.has_begun {
            return Ok(());
        }
        self.tell(Event::Choice(number))
    }

    /// The rule that was applied last makes an array of this size.
    pub(crate) fn see_size(&mut self, size: Value) -> Step {
        if !self.observation.has_begun || !self.observation.is_on() {
            return Ok(());
        }
        self.tell(Event::Size(size))
    }

    /// A method is called by the frame below the one on top.
    #[inline]
    pub(crate) fn see_call(&mut self, method: MethodNumber, is_native: bool) -> Step {
        if !self.observers.see_calls() {
            return Ok(());
        }
        self.tell_of_call(Event::Call { method, is_native })
    }

    /// An array is made by the method under way.
    pub(crate) fn see_array(&mut self, class: TypeId, length: Value) -> Step {
        self.tell_of_call(Event::Array(class, length))
    }

    /// Arrays of arrays are made by the method under way.
    pub(crate) fn see_arrays(&mut self, class: TypeId, lengths: &[Value]) -> Step {
        self.tell_of_call(Event::Arrays(class, lengths))
    }

    /// An object or array was made by the method under way.
    pub(crate) fn see_made(&mut self, made: Reference) -> Step {
        if !self.observers.see_reachable() {
            return Ok(());
        }
        self.tell_of_call(Event::Made(made))
    }

    /// An operation that is watched is about to be performed.
    #[cold]
    pub(crate) fn see_operation(&mut self, number: u32) -> Step {
        self.tell_of_call(Event::Operation(number))
    }
}
