//! What a method reaches: the procedures of the project (and of classes synthesised for it) that a
//! derivation can call, and the dispatch rules of its virtual calls.
//!
//! Calls that leave the project are not followed. Virtual calls go to every class of the project
//! that could be the receiver's ("class hierarchy analysis"). The result is in a fixed order: methods
//! as they are found from the targets on, cases of a dispatch by class name.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use petrel_clp::{Callee, Dispatch, MethodRef, Procedure};
use petrel_program::{Class, Program, Receiver, ResolvedMethod};

use crate::TranslateError;
use crate::cache::Procedures;
use crate::method_ref;

/// Everything that the targets reach inside the project.
#[derive(Debug, Default)]
pub struct Reached {
    /// The procedures, the targets first.
    pub procedures: Vec<Arc<Procedure>>,
    /// Virtual calls that have more than one way to go, or another than the method they name.
    pub dispatches: Vec<Dispatch>,
    /// Methods that could not be translated.
    pub failures: Vec<TranslateError>,
    /// Methods outside of the project that are called.
    pub outside: BTreeSet<MethodRef>,
}

/// Finds what the targets reach. `project` are the internal names of the project's classes.
pub fn reach(
    procedures: &Procedures<'_>,
    project: &[String],
    targets: &[ResolvedMethod],
) -> Reached {
    reach_until(procedures, project, targets, |_| false)
}

/// As [`reach`], but only so many procedures, the nearest ones. Where their virtual calls go is known nevertheless.
pub fn reach_nearest(
    procedures: &Procedures<'_>,
    project: &[String],
    targets: &[ResolvedMethod],
    most_procedures: usize,
) -> Reached {
    let is_enough = |reached: &Reached| reached.procedures.len() >= most_procedures;
    let mut search = Search::of(procedures, project, targets);
    search.run(&is_enough);
    search.dispatch();
    search.finish()
}

/// As [`reach`], but ends as soon as enough procedures, or methods outside, were found.
pub fn reach_until(
    procedures: &Procedures<'_>,
    project: &[String],
    targets: &[ResolvedMethod],
    is_enough: impl Fn(&Reached) -> bool,
) -> Reached {
    let mut search = Search::of(procedures, project, targets);
    search.run(&is_enough);
    search.finish()
}

struct Search<'a> {
    procedures: &'a Procedures<'a>,
    program: &'a Program,
    names: BTreeSet<&'a str>,
    /// The project's concrete classes, loaded once a virtual call asks for them.
    classes: Option<Vec<Arc<Class>>>,
    /// Classes synthesised for reached call sites: lambdas are receivers too.
    synthesised: BTreeMap<String, Arc<Class>>,
    open: VecDeque<ResolvedMethod>,
    seen: BTreeSet<MethodRef>,
    virtual_calls: BTreeMap<MethodRef, ResolvedMethod>,
    /// Where the virtual calls of earlier rounds go.
    dispatched: BTreeMap<MethodRef, Dispatch>,
    /// How many synthesised classes there were then.
    n_synthesised: usize,
    reached: Reached,
}

impl<'a> Search<'a> {
    fn of(
        procedures: &'a Procedures<'a>,
        project: &'a [String],
        targets: &[ResolvedMethod],
    ) -> Search<'a> {
        let mut search = Search {
            procedures,
            program: procedures.program(),
            names: project.iter().map(String::as_str).collect(),
            classes: None,
            synthesised: BTreeMap::new(),
            open: VecDeque::new(),
            seen: BTreeSet::new(),
            virtual_calls: BTreeMap::new(),
            dispatched: BTreeMap::new(),
            n_synthesised: 0,
            reached: Reached::default(),
        };
        for target in targets {
            // It has code of its own, whatever is declared.
            search.enter(target);
        }
        // The rules of a method need not say that its own class is initialised.
        for target in targets {
            search.follow_initialisation(target.class().name());
        }
        search
    }

    fn run(&mut self, is_enough: &impl Fn(&Reached) -> bool) {
        loop {
            while let Some(method) = self.open.pop_front() {
                match self.procedures.get(&method) {
                    Ok(Some(procedure)) => {
                        self.follow(&procedure);
                        self.reached.procedures.push(procedure);
                        if is_enough(&self.reached) {
                            return;
                        }
                    }
                    Ok(None) => {}
                    Err(error) => self.reached.failures.push(error),
                }
            }
            // New methods may hold new call sites, whose lambdas are receivers of known calls.
            self.dispatch();
            if self.open.is_empty() || is_enough(&self.reached) {
                return;
            }
        }
    }

    fn is_inside(&self, class: &Class) -> bool {
        class.is_synthesised() || self.names.contains(class.name())
    }

    fn add(&mut self, method: &ResolvedMethod) {
        if self.procedures.outside().call(method).is_none() {
            self.enter(method);
        }
    }

    fn enter(&mut self, method: &ResolvedMethod) {
        if self.is_inside(method.class()) && self.seen.insert(method_ref(method)) {
            if method.class().is_synthesised() {
                let class = method.class();
                self.synthesised.insert(class.name().to_owned(), Arc::clone(class));
            }
            self.open.push_back(method.clone());
        }
    }

    fn follow(&mut self, procedure: &Procedure) {
        for rule in procedure.rules() {
            let Some(call) = rule.call() else {
                continue;
            };
            if let Callee::Initialise(class) = call.callee {
                self.follow_initialisation(procedure.tables.class_name(class));
                continue;
            }
            let method = call.callee.method().and_then(|method| procedure.tables.method(method));
            let Some(resolved) = method.and_then(|method| self.find(method)) else {
                continue;
            };
            match call.callee {
                Callee::Virtual(_) | Callee::Interface(_) => {
                    self.virtual_calls.insert(method_ref(&resolved), resolved);
                }
                _ if self.is_inside(resolved.class()) => self.add(&resolved),
                _ => {
                    self.reached.outside.insert(method_ref(&resolved));
                }
            }
        }
    }

    fn follow_initialisation(&mut self, class: &str) {
        let Ok(class) = self.program.class(class) else {
            return;
        };
        for class in class.initialisation_chain() {
            if let Some(initialiser) = class.declared_method("<clinit>", "()V") {
                self.add(&initialiser);
            }
        }
    }

    fn find(&self, method: &MethodRef) -> Option<ResolvedMethod> {
        let class = self.program.class(&method.class).ok()?;
        class.declared_method(&method.name, &method.descriptor)
    }

    /// Finds where the virtual calls so far go.
    fn dispatch(&mut self) {
        if self.virtual_calls.is_empty() {
            return;
        }
        self.load_project();
        let has_new_receivers = self.n_synthesised != self.synthesised.len();
        self.n_synthesised = self.synthesised.len();
        for (name, call) in self.virtual_calls.clone() {
            let is_known = self.dispatched.contains_key(&name);
            if !is_known || (has_new_receivers && self.is_of_lambda(&call)) {
                let dispatch = self.cases(&call);
                for (_, target) in &dispatch.cases {
                    if let Some(target) = self.find(target) {
                        self.add(&target);
                    }
                }
                self.dispatched.insert(name.clone(), dispatch);
            }
            if self.dispatched.get(&name).is_none_or(|dispatch| dispatch.cases.is_empty()) {
                self.reached.outside.insert(name);
            } else {
                self.reached.outside.remove(&name);
            }
        }
    }

    /// What was reached, with the rules of virtual calls that do not go to the method that they name.
    fn finish(mut self) -> Reached {
        let is_shown = |dispatch: &Dispatch| match &*dispatch.cases {
            [] => false,
            [(_, only)] => *only != dispatch.method,
            _ => true,
        };
        self.reached.dispatches = self.dispatched.into_values().filter(is_shown).collect();
        self.reached
    }

    /// Whether an object of a synthesised class may be the receiver.
    fn is_of_lambda(&self, call: &ResolvedMethod) -> bool {
        self.synthesised.values().any(|class| class.is_subclass_of(call.class()))
    }

    /// Classes that cannot be loaded (a dependency is missing, say) are no receivers.
    fn load_project(&mut self) {
        if self.classes.is_none() {
            let loaded = self.names.iter().filter_map(|name| self.program.class(name).ok());
            self.classes = Some(loaded.filter(|class| !class.is_abstract()).collect());
        }
    }

    fn cases(&self, call: &ResolvedMethod) -> Dispatch {
        let mut cases: Vec<(Vec<Box<str>>, MethodRef)> = Vec::new();
        let project = self.classes.iter().flatten();
        for class in project.chain(self.synthesised.values()) {
            if !class.is_subclass_of(call.class()) {
                continue;
            }
            let selected = if call.class().is_interface() {
                call.select_interface(Receiver::Class(class), call.class())
            } else {
                call.select_virtual(Receiver::Class(class))
            };
            let Ok(selected) = selected else { continue };
            let target = method_ref(&selected);
            match cases.iter_mut().find(|(_, known)| *known == target) {
                Some((classes, _)) => classes.push(class.name().into()),
                None => cases.push((vec![class.name().into()], target)),
            }
        }
        Dispatch { method: method_ref(call), cases }
    }
}
