//! Slices: which constraints are connected by unknowns that they share.
//!
//! Constraints of different slices are independent: a question about one slice needs nothing of the
//! others, and values found for slices apart fit together.

use crate::constraint::Constraint;
use crate::query::inputs;
use crate::term::{Expr, Node, TermId, Terms};

/// Constraints that hold together, by number: those of a path, and perhaps one more.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Conjunction<'a> {
    /// The constraints of a path.
    pub(crate) known: &'a [Constraint],
    /// One more; its number is the last.
    pub(crate) more: Option<&'a Constraint>,
}

impl<'a> Conjunction<'a> {
    /// How many constraints there are.
    pub(crate) fn len(self) -> usize {
        self.known.len() + usize::from(self.more.is_some())
    }

    /// A constraint by its number.
    pub(crate) fn get(self, number: usize) -> Option<&'a Constraint> {
        if number == self.known.len() { self.more } else { self.known.get(number) }
    }

    /// All constraints in the order of their numbers.
    pub(crate) fn iter(self) -> impl Iterator<Item = &'a Constraint> {
        self.known.iter().chain(self.more)
    }
}

/// Constraints that are connected, with all their unknowns.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Slice {
    /// The terms of the unknowns, in the order of the numbers of the unknowns.
    pub(crate) unknowns: Vec<TermId>,
    /// The numbers of the constraints, ascending.
    pub(crate) constraints: Vec<usize>,
}

/// Finds slices. All buffers are used again.
#[derive(Debug, Default)]
pub(crate) struct Slicer {
    /// The unknowns, then the constraints: a forest in which the root of a tree is its smallest
    /// number.
    parents: Vec<u32>,
    /// The constraint that reached a term first, with the number of the pass.
    reached: Vec<(u32, u32)>,
    pass: u32,
    /// The terms of the unknowns that were reached, in the order of being reached.
    unknowns: Vec<(u32, TermId)>,
    pending: Vec<TermId>,
}

impl Slicer {
    /// Finds the slice of one of several constraints, given by its number.
    pub(crate) fn slice_of(
        &mut self,
        terms: &Terms,
        constraints: Conjunction<'_>,
        of: usize,
        slice: &mut Slice,
    ) {
        let base = self.connect(terms, constraints);
        let root = self.root(base + of as u32);
        slice.unknowns.clear();
        for index in 0..self.unknowns.len() {
            let (number, term) = self.unknowns[index];
            if self.root(number) == root {
                slice.unknowns.push(term);
            }
        }
        slice.constraints.clear();
        for number in 0..constraints.len() {
            if self.root(base + number as u32) == root {
                slice.constraints.push(number);
            }
        }
    }

    /// All slices, in the order of their first unknowns. Constraints over constants alone, which are
    /// slices of their own, come last.
    pub(crate) fn slices(&mut self, terms: &Terms, constraints: Conjunction<'_>) -> Vec<Slice> {
        let base = self.connect(terms, constraints);
        let mut by_root: Vec<(u32, Slice)> = Vec::new();
        let mut slice_at = vec![usize::MAX; self.parents.len()];
        for index in 0..self.unknowns.len() {
            let (number, term) = self.unknowns[index];
            let root = self.root(number);
            let at = &mut slice_at[root as usize];
            if *at == usize::MAX {
                *at = by_root.len();
                by_root.push((root, Slice::default()));
            }
            by_root[*at].1.unknowns.push(term);
        }
        for number in 0..constraints.len() {
            let root = self.root(base + number as u32);
            let at = &mut slice_at[root as usize];
            if *at == usize::MAX {
                *at = by_root.len();
                by_root.push((root, Slice::default()));
            }
            by_root[*at].1.constraints.push(number);
        }
        by_root.sort_by_key(|&(root, _)| root);
        by_root.into_iter().map(|(_, slice)| slice).collect()
    }

    /// Connects unknowns and constraints, and sorts the unknowns. The result is where the numbers of
    /// the constraints begin.
    fn connect(&mut self, terms: &Terms, constraints: Conjunction<'_>) -> u32 {
        let base = terms.unknowns().len() as u32;
        self.parents.clear();
        self.parents.extend(0..base + constraints.len() as u32);
        self.unknowns.clear();
        self.pass = self.pass.wrapping_add(1);
        if self.pass == 0 {
            self.reached.clear();
            self.pass = 1;
        }
        if self.reached.len() < terms.len() {
            self.reached.resize(terms.len(), (0, 0));
        }
        for (number, constraint) in constraints.iter().enumerate() {
            let number = base + number as u32;
            match constraint {
                Constraint::Compare { left, right, .. } => {
                    self.reach_all(terms, number, *left);
                    self.reach_all(terms, number, *right);
                }
                Constraint::Among(membership) => self.reach_all(terms, number, membership.value),
            }
        }
        self.unknowns.sort_unstable();
        base
    }

    fn reach_all(&mut self, terms: &Terms, constraint: u32, expr: Expr) {
        let mut next = expr.term();
        while let Some(term) = next {
            self.reach(terms, constraint, term);
            next = self.pending.pop();
        }
    }

    #[inline]
    fn reach(&mut self, terms: &Terms, constraint: u32, term: TermId) {
        let (pass, first) = self.reached[term.index()];
        if pass == self.pass {
            if first != constraint {
                self.join(first, constraint);
            }
            return;
        }
        self.reached[term.index()] = (self.pass, constraint);
        if let Node::Unknown(unknown) = terms.node(term) {
            self.unknowns.push((unknown.0, term));
            self.join(unknown.0, constraint);
        } else {
            self.pending.extend(inputs(terms, term));
        }
    }

    fn root(&mut self, mut number: u32) -> u32 {
        while self.parents[number as usize] != number {
            let parent = self.parents[number as usize];
            self.parents[number as usize] = self.parents[parent as usize];
            number = parent;
        }
        number
    }

    fn join(&mut self, first: u32, second: u32) {
        let (first, second) = (self.root(first), self.root(second));
        self.parents[first.max(second) as usize] = first.min(second);
    }
}

#[cfg(test)]
mod tests;
