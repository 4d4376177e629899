//! The program that is abstracted from: what a target reaches, and where its calls go.

use std::sync::Arc;

use petrel_clp::loops::LoopForest;
use petrel_clp::{Callee, Dispatch, End, Guard, Kind, MethodRef, Operand, Procedure, Rule};
use petrel_program::{Program, ResolvedMethod};
use petrel_translate::cache::Procedures;
use petrel_translate::reach::reach_nearest;
use rustc_hash::FxHashMap;

/// A rule of a program, by its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleName {
    /// The procedure; that of the target is the first.
    pub procedure: u32,
    /// The predicate in the procedure.
    pub predicate: u32,
    /// The rule in the predicate, from 0.
    pub rule: u32,
}

/// What a target reaches inside of the project.
pub struct AbstractProgram<'p> {
    pub(crate) program: &'p Program,
    /// The procedures, that of the target first.
    pub procedures: Vec<AbstractProcedure>,
}

/// A procedure, and what its rules call.
pub struct AbstractProcedure {
    /// The rules.
    pub procedure: Arc<Procedure>,
    /// Its loops.
    pub(crate) loops: LoopForest,
    /// For each predicate and rule, where its call goes.
    pub(crate) targets: Vec<Vec<Target>>,
    /// Whether it may end with an exception.
    pub(crate) may_throw: bool,
}

/// Where the call of a rule goes.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    /// There is none.
    Nowhere,
    /// A class is initialised, which may fail.
    Initialise { may_fail: bool },
    /// Code that traces do not show.
    Outside(Outside),
    /// Procedures of the program: one, or one for each class of the receiver.
    Inside {
        cases: Arc<[Case]>,
        /// If the receiver may have other classes.
        otherwise: Option<Outside>,
    },
}

/// Code that traces do not show.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outside {
    /// Whether it can change objects of the program, or call its methods.
    pub(crate) may_change: bool,
}

/// A procedure that is called for some classes of the receiver.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    /// The classes; none where there is no choice.
    pub(crate) classes: Option<Arc<[Box<str>]>>,
    pub(crate) procedure: u32,
    /// Whether it is the method that the rule names. In traces others have their classes before them.
    pub(crate) is_named: bool,
}

impl<'p> AbstractProgram<'p> {
    /// What a target reaches. `project` are the internal names of the project's classes. `None` if the
    /// target has no rules.
    pub fn of(
        procedures: &Procedures<'p>,
        project: &[String],
        target: &ResolvedMethod,
    ) -> Option<AbstractProgram<'p>> {
        AbstractProgram::nearest(procedures, project, target, usize::MAX)
    }

    /// As [`AbstractProgram::of`], but only so many procedures, the nearest ones: calls of others may do anything.
    pub fn nearest(
        procedures: &Procedures<'p>,
        project: &[String],
        target: &ResolvedMethod,
        most_procedures: usize,
    ) -> Option<AbstractProgram<'p>> {
        let program = procedures.program();
        let target_only = std::slice::from_ref(target);
        let reached = reach_nearest(procedures, project, target_only, most_procedures);
        // The code of synthesised classes is none of the program's.
        let is_shown = |procedure: &&Arc<Procedure>| {
            let class = program.class(&procedure.method.class);
            class.is_ok_and(|class| !class.is_synthesised())
        };
        let shown: Vec<Arc<Procedure>> =
            reached.procedures.iter().filter(is_shown).cloned().collect();
        let numbers: FxHashMap<&MethodRef, u32> =
            shown.iter().zip(0..).map(|(procedure, number)| (&procedure.method, number)).collect();
        let dispatches: FxHashMap<&MethodRef, &Dispatch> =
            reached.dispatches.iter().map(|dispatch| (&dispatch.method, dispatch)).collect();
        let finder = Finder { program, numbers, dispatches };
        let mut procedures: Vec<AbstractProcedure> = shown
            .iter()
            .map(|procedure| AbstractProcedure {
                loops: procedure.loops(),
                targets: procedure
                    .predicates
                    .iter()
                    .map(|of| of.rules.iter().map(|rule| finder.target(procedure, rule)).collect())
                    .collect(),
                may_throw: true,
                procedure: Arc::clone(procedure),
            })
            .collect();
        find_throwing(&mut procedures);
        let first = procedures.first()?;
        let is_target = &*first.procedure.method.name == target.name()
            && &*first.procedure.method.class == target.class().name();
        is_target.then_some(AbstractProgram { program, procedures })
    }

    pub(crate) fn procedure(&self, number: u32) -> &Procedure {
        &self.procedures[number as usize].procedure
    }

    /// A rule.
    pub fn rule(&self, name: RuleName) -> &Rule {
        let procedure = self.procedure(name.procedure);
        &procedure.predicates[name.predicate as usize].rules[name.rule as usize]
    }

    pub(crate) fn target(&self, name: RuleName) -> &Target {
        let procedure = &self.procedures[name.procedure as usize];
        &procedure.targets[name.predicate as usize][name.rule as usize]
    }

    /// Whether the class of a receiver decides which method a rule calls.
    pub(crate) fn is_choice(&self, name: RuleName) -> bool {
        match self.target(name) {
            Target::Inside { cases, otherwise } => cases.len() > 1 || otherwise.is_some(),
            _ => false,
        }
    }

    /// All rules.
    pub fn rules(&self) -> impl Iterator<Item = RuleName> {
        (0..self.procedures.len() as u32).flat_map(|procedure| self.rules_of(procedure))
    }

    /// The rules of a procedure.
    pub fn rules_of(&self, procedure: u32) -> impl Iterator<Item = RuleName> {
        self.procedure(procedure).predicates.iter().zip(0..).flat_map(move |(of, predicate)| {
            (0..of.rules.len() as u32).map(move |rule| RuleName { procedure, predicate, rule })
        })
    }

    /// Whether no derivation of the target comes to a predicate of its own code more than once.
    pub fn comes_once_to(&self, predicate: u32) -> bool {
        let is_in_loop = self.procedures[0].loops.around(predicate as usize).next().is_some();
        !is_in_loop && self.is_called_once()
    }

    /// Whether nothing that the target calls may call it again.
    pub fn is_called_once(&self) -> bool {
        let may_call_back = |target: &Target| match target {
            Target::Nowhere | Target::Initialise { .. } => false,
            Target::Outside(outside) => outside.may_change,
            Target::Inside { cases, otherwise } => {
                otherwise.is_some() || cases.iter().any(|case| case.procedure == 0)
            }
        };
        let mut targets = self.procedures.iter().flat_map(|known| known.targets.iter().flatten());
        !targets.any(may_call_back)
    }

    /// The classes of the program.
    pub fn classes(&self) -> &'p Program {
        self.program
    }
}

/// Finds the procedures that may end with an exception: they throw one, or what they call does.
fn find_throwing(procedures: &mut [AbstractProcedure]) {
    procedures.iter_mut().for_each(|known| known.may_throw = false);
    loop {
        let throwing: Vec<bool> = procedures.iter().map(|known| known.may_throw).collect();
        for known in procedures.iter_mut() {
            let throws = known.procedure.rules().any(|rule| matches!(rule.end, End::Throw(_)));
            let calls = known.targets.iter().flatten().any(|target| match target {
                Target::Nowhere => false,
                Target::Initialise { may_fail } => *may_fail,
                Target::Outside(_) => true,
                Target::Inside { cases, otherwise } => {
                    otherwise.is_some()
                        || cases.iter().any(|case| throwing[case.procedure as usize])
                }
            });
            // A rule that throws what a call threw is none of its own: the call decides.
            known.may_throw = calls || (throws && throws_itself(&known.procedure));
        }
        if procedures.iter().map(|known| known.may_throw).eq(throwing) {
            return;
        }
    }
}

/// Whether a rule throws an exception that no call threw.
fn throws_itself(procedure: &Procedure) -> bool {
    procedure.rules().any(|rule| {
        let caught = rule.guards.iter().find_map(Guard::defines);
        match rule.end {
            End::Throw(Operand::Variable(thrown)) => caught != Some(thrown),
            End::Throw(_) => true,
            _ => false,
        }
    })
}

struct Finder<'a> {
    program: &'a Program,
    numbers: FxHashMap<&'a MethodRef, u32>,
    dispatches: FxHashMap<&'a MethodRef, &'a Dispatch>,
}

impl Finder<'_> {
    fn target(&self, procedure: &Procedure, rule: &Rule) -> Target {
        let Some(call) = rule.call() else { return Target::Nowhere };
        if let Callee::Initialise(class) = call.callee {
            let class = self.program.class(procedure.tables.class_name(class));
            let may_fail = class.is_ok_and(|class| class.needs_initialisation());
            return Target::Initialise { may_fail };
        }
        let named = call.callee.method().and_then(|method| procedure.tables.method(method));
        let Some(named) = named else { return Target::Outside(Outside { may_change: true }) };
        let outside = Outside { may_change: self.may_change(named, call.arguments.len()) };
        match call.callee {
            Callee::Virtual(_) | Callee::Interface(_) => self.dispatch(named, outside),
            _ => match self.numbers.get(named) {
                Some(&number) => {
                    let only = Case { classes: None, procedure: number, is_named: true };
                    Target::Inside { cases: Arc::new([only]), otherwise: None }
                }
                None => Target::Outside(outside),
            },
        }
    }

    fn dispatch(&self, named: &MethodRef, outside: Outside) -> Target {
        // Classes outside of the project know nothing of it.
        let is_inside = self.program.is_project_class(&named.class);
        let is_final = || self.program.is_leaf(&named.class);
        let cases: Vec<Case> = match (self.dispatches.get(named), self.numbers.get(named)) {
            (Some(dispatch), _) => dispatch
                .cases
                .iter()
                .filter_map(|(classes, method)| {
                    let &procedure = self.numbers.get(method)?;
                    let is_named = method == named;
                    Some(Case { classes: Some(classes.clone().into()), procedure, is_named })
                })
                .collect(),
            (None, Some(&procedure)) => {
                vec![Case { classes: None, procedure, is_named: true }]
            }
            (None, None) => return Target::Outside(outside),
        };
        let is_complete = self.dispatches.get(named).is_none_or(|of| of.cases.len() == cases.len());
        // A stub has no rules.
        let may_be_stub = self.program.has_unimplemented(&named.class);
        let is_open = !(is_inside || is_final()) || !is_complete || may_be_stub;
        let otherwise = is_open.then_some(outside);
        Target::Inside { cases: cases.into(), otherwise }
    }

    /// A static method that gets no objects has none to change.
    fn may_change(&self, method: &MethodRef, arguments: usize) -> bool {
        let kinds: Vec<Kind> = Kind::of_parameters(&method.descriptor).collect();
        let is_static = arguments == kinds.len();
        !is_static || kinds.contains(&Kind::Reference)
    }
}
