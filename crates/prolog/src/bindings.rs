//! What variables are bound to while rules are applied to atoms.

use std::collections::BTreeMap;

use crate::term::{Clause, Term};

/// Arguments, result, heaps and exit: the trace comes behind them.
const FORMAL_ARGUMENTS: usize = 5;

#[derive(Debug, Clone, Default)]
pub(crate) struct Bindings {
    of: BTreeMap<String, Term>,
    n_applied: usize,
}

/// A rule that has been applied to an atom, with variables of its own.
pub(crate) struct Applied {
    /// The guards, those apart that ask how a call ended.
    pub(crate) guards: Vec<Term>,
    pub(crate) body: Vec<Term>,
    /// The sizes of arrays that are a part of the trace.
    pub(crate) sizes: Vec<Term>,
}

impl Bindings {
    /// Applies a rule to an atom, or says what does not fit.
    pub(crate) fn apply(&mut self, clause: &Clause, atom: &Term) -> Result<Applied, &'static str> {
        self.n_applied += 1;
        let suffix = self.n_applied;
        let renamed = |term: &Term| term.renamed(suffix);
        let (Term::Compound(_, formal), Term::Compound(_, actual)) = (&clause.head, atom) else {
            return Err("is no call");
        };
        for (formal, actual) in formal.iter().zip(actual).take(FORMAL_ARGUMENTS) {
            if !self.unify(renamed(formal), actual.clone()) {
                return Err("is called with other arguments");
            }
        }
        let mut guards = Vec::new();
        for guard in &clause.guards {
            match renamed(guard) {
                // How a call ended: it is known where the call is unfolded, and else the call has to end so.
                Term::Infix(exit, "=", expected) => {
                    if !self.unify(*exit, *expected) {
                        return Err("is reached by another exit");
                    }
                }
                other => guards.push(other),
            }
        }
        let sizes = match formal.get(FORMAL_ARGUMENTS) {
            Some(Term::Compound(_, of_trace)) => match of_trace.get(1) {
                Some(Term::List(sizes)) => sizes.iter().map(renamed).collect(),
                _ => vec![],
            },
            _ => vec![],
        };
        Ok(Applied { guards, body: clause.body.iter().map(renamed).collect(), sizes })
    }

    /// Makes two terms the same; whether that can be.
    pub(crate) fn unify(&mut self, left: Term, right: Term) -> bool {
        let (left, right) = (self.resolved(left), self.resolved(right));
        match (left, right) {
            (Term::Variable(left), Term::Variable(right)) if left == right => true,
            (Term::Any, _) | (_, Term::Any) => true,
            (Term::Variable(name), other) | (other, Term::Variable(name)) => {
                self.of.insert(name, other);
                true
            }
            (Term::List(left), Term::List(right)) => self.unify_all(left, right),
            (Term::Compound(name, left), Term::Compound(other, right)) => {
                name == other && self.unify_all(left, right)
            }
            (left, right) => left == right,
        }
    }

    fn unify_all(&mut self, left: Vec<Term>, right: Vec<Term>) -> bool {
        left.len() == right.len()
            && left.into_iter().zip(right).all(|(left, right)| self.unify(left, right))
    }

    /// What a variable is bound to, in the end.
    fn resolved(&self, term: Term) -> Term {
        let mut term = term;
        while let Term::Variable(name) = &term {
            match self.of.get(name) {
                Some(bound) => term = bound.clone(),
                None => break,
            }
        }
        term
    }

    /// A term with all that its variables are bound to.
    pub(crate) fn applied(&self, term: &Term) -> Term {
        term.substituted(&|name| match self.resolved(Term::variable(name)) {
            Term::Variable(last) => Some(Term::Variable(last)),
            bound => Some(self.applied(&bound)),
        })
    }
}
