//! Specialised predicates: what residual rules go on with.
//!
//! "Test Data Generation of Bytecode by CLP Partial Evaluation", section 6.2 and Ex. 6: an atom that a resultant leaves
//! is unfolded in a tree of its own, whose resultants are the rules of a new version of its predicate. A version
//! belongs to an abstraction of the constraint store at the call: constants among the arguments, and what guards have
//! decided of arguments alone. So rules that the store excludes are not in it, and what it entails is not asked again.
//!
//! *Control.* Within a version all is unfolded but heads of cycles and what follows the first atom that is left. There
//! is one version for each pair of predicate and abstraction. Constants are those of the program, since nothing is
//! computed here, and facts are about arguments: so there are finitely many, and beyond a limit calls are of the
//! predicates of the program, whose rules are there.

use std::collections::{BTreeMap, BTreeSet};

use petrel_clp::{End, Literal, MethodRef, PredicateId, Procedure, Rule};

use crate::bindings::Bindings;
use crate::clause::{Context, RuleWriter};
use crate::names::{fresh, functor, variables};
use crate::resultant::{BodyGoal, GUARD, GoalKind};
use crate::store::{Fact, Store, Verdict};
use crate::term::{Clause, Term};

/// A version does not branch where it would get more rules than these.
const MOST_RULES: usize = 12;

/// How many versions there are.
const MOST_VERSIONS: usize = 60;

/// A predicate of a procedure.
type Place = (usize, PredicateId);

/// The versions that a residual program needs.
pub(crate) struct Specialiser<'a> {
    procedures: &'a [&'a Procedure],
    context: &'a Context<'a>,
    by_method: BTreeMap<&'a MethodRef, usize>,
    /// What only versions of its own unfold.
    kept: BTreeSet<Place>,
    taken: BTreeSet<String>,
    versions: Vec<Version>,
    by_abstraction: BTreeMap<String, usize>,
}

struct Version {
    name: String,
    place: Place,
    /// Arguments, result, heaps and exit.
    head: Vec<Term>,
    store: Store,
}

/// What is to be done next in a derivation.
#[derive(Clone)]
enum Step {
    Guard(Term),
    Goal(BodyGoal),
}

#[derive(Clone)]
struct Derivation {
    bindings: Bindings,
    facts: Vec<Fact>,
    body: Vec<BodyGoal>,
    /// The last one is the next.
    steps: Vec<Step>,
    /// Whether an atom has been left.
    is_stopped: bool,
}

impl<'a> Specialiser<'a> {
    pub(crate) fn new(
        procedures: &'a [&'a Procedure],
        context: &'a Context<'a>,
        others: impl IntoIterator<Item = String>,
    ) -> Specialiser<'a> {
        let by_method =
            procedures.iter().enumerate().map(|(number, one)| (&one.method, number)).collect();
        let mut taken: BTreeSet<String> = others.into_iter().collect();
        for (number, procedure) in procedures.iter().enumerate() {
            let predicates = 0..procedure.predicates.len();
            taken.extend(
                predicates.map(|index| {
                    functor(context.names.predicate(number, PredicateId::from(index)))
                }),
            );
        }
        let mut specialiser = Specialiser {
            procedures,
            context,
            by_method,
            kept: BTreeSet::new(),
            taken,
            versions: Vec::new(),
            by_abstraction: BTreeMap::new(),
        };
        specialiser.kept = specialiser.heads_of_cycles();
        specialiser
    }

    /// Where a resultant goes on is a place at which its derivations are counted.
    pub(crate) fn keep(&mut self, body: &[BodyGoal]) {
        self.kept.extend(body.iter().filter_map(|goal| match goal.kind {
            GoalKind::Left(procedure, predicate) => Some((procedure, predicate)),
            GoalKind::Literal | GoalKind::Virtual => None,
        }));
    }

    /// A rule whose body goes on with versions.
    pub(crate) fn clause(
        &mut self,
        name: &str,
        number: usize,
        head: &[Term],
        body: &[BodyGoal],
        known: &Store,
    ) -> Clause {
        let mut store = known.clone();
        let mut terms = Vec::with_capacity(body.len());
        let mut traces = Vec::new();
        for goal in body {
            let term = match goal.kind {
                GoalKind::Left(procedure, predicate) => {
                    self.renamed((procedure, predicate), &goal.term, &store)
                }
                GoalKind::Literal | GoalKind::Virtual => goal.term.clone(),
            };
            match (&term, goal.kind) {
                (Term::Compound(guard, asked), GoalKind::Literal) if guard == GUARD => {
                    let fact = asked.first().and_then(Fact::of_guard);
                    if fact.as_ref().is_some_and(|fact| store.verdict(fact) == Verdict::Holds) {
                        continue;
                    }
                    store.facts.extend(fact);
                }
                (literal, GoalKind::Literal) => store.facts.extend(Fact::of_literal(literal)),
                (Term::Compound(_, arguments), _) => traces.extend(arguments.last().cloned()),
                (Term::Infix(_, _, call), _) => {
                    if let Term::Compound(_, arguments) = &**call {
                        traces.extend(arguments.last().cloned());
                    }
                }
                _ => {}
            }
            terms.push(term);
        }
        let trace = [Term::Integer(number as i64), Term::List(vec![]), Term::List(traces)];
        let mut arguments = head.to_vec();
        arguments.push(Term::compound(name, trace));
        Clause { head: Term::Compound(name.to_owned(), arguments), guards: vec![], body: terms }
    }

    /// The call of the version for an atom under a store.
    fn renamed(&mut self, place: Place, atom: &Term, store: &Store) -> Term {
        let Term::Compound(original, arguments) = atom else { return atom.clone() };
        let Some(version) = self.version(place, original, arguments, store) else {
            return atom.clone();
        };
        Term::Compound(self.versions[version].name.clone(), arguments.clone())
    }

    fn version(
        &mut self,
        place: Place,
        original: &str,
        arguments: &[Term],
        store: &Store,
    ) -> Option<usize> {
        let Some(Term::List(inputs)) = arguments.first() else { return None };
        let predicate = &self.procedures[place.0].predicates[place.1.index()];
        let names = variables(&predicate.parameters);
        let implicit = |name: &str| Term::Variable(fresh(name, &names));
        let general: Vec<Term> = names.iter().map(Term::variable).collect();
        let formal: Vec<Term> = inputs
            .iter()
            .zip(&general)
            .map(|(input, variable)| match (input, variable) {
                (Term::Compound(name, _), Term::Variable(named)) if name == "exc" => {
                    Term::compound("exc", [Term::Variable(format!("{named}_"))])
                }
                _ if input.has_variables() => variable.clone(),
                _ => input.clone(),
            })
            .collect();
        let store = store.of_terms(inputs, &general);
        let abstraction = format!("{place:?} {formal:?} {:?}", store.facts);
        if let Some(&known) = self.by_abstraction.get(&abstraction) {
            return Some(known);
        }
        if self.versions.len() == MOST_VERSIONS {
            return None;
        }
        let output = match arguments.get(1) {
            Some(Term::List(values)) if values.is_empty() => vec![],
            _ => vec![implicit("Result")],
        };
        let head = vec![
            Term::List(formal),
            Term::List(output),
            implicit("HeapIn"),
            implicit("HeapOut"),
            implicit("Exit"),
        ];
        let mut numbers = 1_usize..;
        let names = numbers.by_ref().map(|number| format!("{original}_{number}"));
        let name = names.into_iter().find(|name| !self.taken.contains(name))?;
        self.taken.insert(name.clone());
        self.by_abstraction.insert(abstraction, self.versions.len());
        self.versions.push(Version { name, place, head, store });
        Some(self.versions.len() - 1)
    }

    /// The rules of all versions: name, name of the predicate of the program, rules.
    pub(crate) fn versions(mut self) -> Vec<(String, String, Vec<Clause>)> {
        let mut written = Vec::new();
        while let Some(version) = self.versions.get(written.len()) {
            let (name, (procedure, predicate)) = (version.name.clone(), version.place);
            let derivations = self.unfold(version);
            let clauses = derivations.into_iter().enumerate().map(|(number, derivation)| {
                let (head, body, store) = derivation;
                self.clause(&name, number + 1, &head, &body, &store)
            });
            let clauses = clauses.collect();
            let original = functor(self.context.names.predicate(procedure, predicate));
            written.push((name, original, clauses));
        }
        written
    }

    /// The resultants of a version: head, body, and what was known before.
    fn unfold(&self, version: &Version) -> Vec<(Vec<Term>, Vec<BodyGoal>, Store)> {
        let start = Derivation {
            bindings: Bindings::default(),
            facts: version.store.facts.clone(),
            body: Vec::new(),
            steps: Vec::new(),
            is_stopped: false,
        };
        let mut arguments = version.head.clone();
        arguments.push(Term::Any);
        let root = Term::compound("", arguments);
        let mut open = self.applied(&start, version.place, &root);
        open.reverse();
        let mut finished = Vec::new();
        while let Some(mut derivation) = open.pop() {
            let Some(step) = derivation.steps.pop() else {
                let applied = |term: &Term| derivation.bindings.applied(term);
                let head = version.head.iter().map(applied).collect();
                let goals = derivation.body.iter();
                let body = goals
                    .map(|goal| BodyGoal { term: applied(&goal.term), kind: goal.kind })
                    .collect();
                let facts = version.store.facts.iter().map(|fact| fact.map(&applied)).collect();
                finished.push((head, body, Store { facts }));
                continue;
            };
            match step {
                Step::Guard(guard) => {
                    if derivation.decide(&guard) {
                        open.push(derivation);
                    }
                }
                Step::Goal(BodyGoal { term, kind: GoalKind::Left(procedure, predicate) }) => {
                    let place = (procedure, predicate);
                    let rules = &self.procedures[procedure].predicates[predicate.index()].rules;
                    let is_full = rules.len() > 1 && finished.len() + open.len() >= MOST_RULES;
                    if derivation.is_stopped || is_full || self.kept.contains(&place) {
                        let kind = GoalKind::Left(procedure, predicate);
                        derivation.leave(BodyGoal { term, kind });
                        open.push(derivation);
                    } else {
                        let term = derivation.bindings.applied(&term);
                        let mut branches = self.applied(&derivation, place, &term);
                        branches.reverse();
                        open.append(&mut branches);
                    }
                }
                Step::Goal(goal @ BodyGoal { kind: GoalKind::Virtual, .. }) => {
                    derivation.leave(goal);
                    open.push(derivation);
                }
                Step::Goal(goal) => {
                    derivation.facts.extend(Fact::of_literal(&goal.term));
                    derivation.body.push(goal);
                    open.push(derivation);
                }
            }
        }
        finished
    }

    /// A derivation with each rule applied to an atom that fits.
    fn applied(&self, derivation: &Derivation, place: Place, atom: &Term) -> Vec<Derivation> {
        let (number, predicate) = place;
        let procedure = self.procedures[number];
        let known = &procedure.predicates[predicate.index()];
        let rules = known.rules.iter().filter_map(|rule| {
            let writer = RuleWriter::new(procedure, number, rule, self.context);
            let clause = writer.clause(&known.name, 0, known.parameters.len());
            let mut next = derivation.clone();
            let applied = next.bindings.apply(&clause, atom).ok()?;
            let goals = self.goals(number, rule, applied.body).into_iter().map(Step::Goal);
            let guards = applied.guards.into_iter().map(Step::Guard);
            let steps: Vec<Step> = guards.chain(goals).collect();
            next.steps.extend(steps.into_iter().rev());
            Some(next)
        });
        rules.collect()
    }

    /// The body of a rule.
    fn goals(&self, number: usize, rule: &Rule, body: Vec<Term>) -> Vec<BodyGoal> {
        let mut kinds: Vec<GoalKind> = rule
            .literals()
            .zip(&body)
            .map(|(literal, term)| match (literal, term) {
                (Literal::Call(_), Term::Infix(_, ":", _)) => GoalKind::Virtual,
                (Literal::Call(_), _) => self
                    .callee(number, rule)
                    .map_or(GoalKind::Literal, |callee| GoalKind::Left(callee, PredicateId(0))),
                _ => GoalKind::Literal,
            })
            .collect();
        if let End::Continue(target, _) = &rule.end {
            kinds.push(GoalKind::Left(number, *target));
        }
        body.into_iter().zip(kinds).map(|(term, kind)| BodyGoal { term, kind }).collect()
    }

    /// The procedure that a rule calls by its name.
    fn callee(&self, number: usize, rule: &Rule) -> Option<usize> {
        let callee = rule.call()?.callee;
        let method =
            callee.method().and_then(|method| self.procedures[number].tables.method(method))?;
        let is_direct = self.context.is_direct(callee, method);
        self.by_method.get(method).copied().filter(|_| is_direct)
    }

    /// Where a search in depth through calls and continuations comes back to what it is in.
    fn heads_of_cycles(&self) -> BTreeSet<Place> {
        let (mut heads, mut done) = (BTreeSet::new(), BTreeSet::new());
        for number in 0..self.procedures.len() {
            let mut path: Vec<(Place, Vec<Place>)> = Vec::new();
            let mut inside: BTreeSet<Place> = BTreeSet::new();
            let mut next = Some((number, PredicateId(0)));
            loop {
                if let Some(place) = next.take() {
                    if inside.contains(&place) {
                        heads.insert(place);
                    } else if done.insert(place) {
                        inside.insert(place);
                        path.push((place, self.followers(place)));
                    }
                }
                let Some((place, followers)) = path.last_mut() else { break };
                next = followers.pop();
                if next.is_none() {
                    inside.remove(place);
                    path.pop();
                }
            }
        }
        heads
    }

    fn followers(&self, (number, predicate): Place) -> Vec<Place> {
        let mut places = Vec::new();
        for rule in &self.procedures[number].predicates[predicate.index()].rules {
            places.extend(self.callee(number, rule).map(|callee| (callee, PredicateId(0))));
            if let End::Continue(target, _) = &rule.end {
                places.push((number, *target));
            }
        }
        places.reverse();
        places
    }
}

impl Derivation {
    fn leave(&mut self, goal: BodyGoal) {
        self.body.push(goal);
        self.is_stopped = true;
    }

    /// Adds a guard, unless it holds anyway; whether it can hold.
    fn decide(&mut self, guard: &Term) -> bool {
        let applied = |term: &Term| self.bindings.applied(term);
        let guard = applied(guard);
        let Some(fact) = Fact::of_guard(&guard) else {
            self.body.push(asked(guard));
            return true;
        };
        let facts = self.facts.iter().map(|fact| fact.map(&applied)).collect();
        match (Store { facts }).verdict(&fact) {
            Verdict::Holds => true,
            Verdict::Fails => false,
            Verdict::Open => {
                match fact.constant() {
                    // What literals give is theirs to give.
                    Some((name, constant)) if !self.is_of_literal(name) => {
                        self.bindings.unify(Term::variable(name), constant.clone());
                    }
                    _ => {
                        self.body.push(asked(guard));
                        self.facts.push(fact);
                    }
                }
                true
            }
        }
    }

    fn is_of_literal(&self, name: &str) -> bool {
        let mut literals = self.body.iter().filter(|goal| !goal.is_guard());
        literals.any(|goal| self.bindings.applied(&goal.term).variables().contains(name))
    }
}

fn asked(guard: Term) -> BodyGoal {
    BodyGoal { term: Term::compound(GUARD, [guard]), kind: GoalKind::Literal }
}
