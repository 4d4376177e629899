//! Equal references have equal fields: the facts that assignments have to respect.
//!
//! The paper gives each value of the initial heap a rule for every other that it may be the same as. There
//! are as many as pairs of accesses, and hardly any of them ever matters: references that the program
//! does not compare are different objects in the first model that comes to mind. So a value of the initial
//! heap is a plain unknown here. What two of them have to do with each other is said when a model
//! violates it ([`Theory::lemmas`]), or when the path has decided that their references are equal
//! ([`HeapSolver::propagate_equalities`], the rules (I) and (II) of `propagate`).

use petrel_clp::{Comparison, Kind};
use petrel_solver::{
    Conflict, Constraint, Expr, Node, Simplified, Store, Terms, Theory, evaluate, first_value,
};
use rustc_hash::FxHashMap;

use crate::inputs::Input;
use crate::log::{Cell, Location};
use crate::solver::HeapSolver;
use crate::truth::{FALSE, either, not, truth};

impl Theory for HeapSolver {
    fn extend(&self, terms: &Terms, model: &mut Vec<i64>) {
        let first_new = model.len();
        // The cells whose values are new unknowns, in the order of these.
        let mut new: Vec<(usize, Location, usize)> = Vec::new();
        for &location in &self.locations {
            for (at, cell) in self.log(location).initial.iter().enumerate().skip(1) {
                if let Some(number) = unknown_number(terms, cell.value)
                    && number >= first_new
                {
                    new.push((number, location, at));
                }
            }
        }
        new.sort_unstable();
        let mut new = new.into_iter().peekable();
        for number in first_new..terms.unknowns().len() {
            let mut value = first_value(&terms.unknowns()[number]);
            while let Some((_, location, at)) = new.next_if(|&(cell, ..)| cell == number) {
                let cells = &self.log(location).initial;
                let place = place(terms, model, &cells[at]);
                let same = cells[..at].iter().find(|cell| self::place(terms, model, cell) == place);
                if let (Some(same), Some((1.., _))) = (same, place) {
                    let content = value_of(terms, model, same.value);
                    let known = content.and_then(|it| unknown_for(terms, cells[at].value, it));
                    value = known.unwrap_or(value);
                }
            }
            model.push(value);
        }
    }

    fn lemmas(&mut self, store: &mut Store, values: &[i64]) -> Vec<Constraint> {
        let mut violated: Vec<(Cell, Cell)> = Vec::new();
        let terms = store.terms();
        for &location in &self.locations {
            // The first cell of each place.
            let mut first: FxHashMap<(i64, i64), &Cell> = FxHashMap::default();
            for cell in &self.log(location).initial {
                let Some(place @ (1.., _)) = place(terms, values, cell) else { continue };
                let same = *first.entry(place).or_insert(cell);
                if value_of(terms, values, same.value) != value_of(terms, values, cell.value) {
                    violated.push((*same, *cell));
                }
            }
        }
        let mut lemmas = self.incompatible(terms, values);
        lemmas.extend(violated.iter().map(|(one, other)| self.lemma(store, one, other)));
        lemmas
    }
}

/// The object and index of a cell, under values of the unknowns.
fn place(terms: &Terms, values: &[i64], cell: &Cell) -> Option<(i64, i64)> {
    Some((value_of(terms, values, cell.reference)?, value_of(terms, values, cell.index)?))
}

/// An expression under values of the unknowns, if there are enough of them.
fn value_of(terms: &Terms, values: &[i64], expr: Expr) -> Option<i64> {
    let term = match expr {
        Expr::Constant(number) => return Some(number),
        Expr::Term(term) => term,
    };
    match terms.node(term) {
        Node::Unknown(unknown) => values.get(unknown.index()).copied(),
        _ if values.len() == terms.unknowns().len() => {
            evaluate(terms, values, term.index() + 1).get(term.index()).copied()
        }
        _ => {
            let mut all = values.to_vec();
            all.extend(terms.unknowns()[values.len()..].iter().map(first_value));
            evaluate(terms, &all, term.index() + 1).get(term.index()).copied()
        }
    }
}

/// The unknown that a value is, or that it is selected by.
fn unknown_number(terms: &Terms, expr: Expr) -> Option<usize> {
    match terms.node(expr.term()?) {
        Node::Unknown(unknown) => Some(unknown.index()),
        Node::Select(_, _, index) => unknown_number(terms, Expr::Term(index)),
        _ => None,
    }
}

/// What the unknown of a value is when the value is this one.
fn unknown_for(terms: &Terms, expr: Expr, content: i64) -> Option<i64> {
    match terms.node(expr.term()?) {
        Node::Select(_, table, _) => {
            let elements = terms.table(table);
            let at = elements.iter().position(|&element| element == Expr::Constant(content))?;
            Some(at as i64)
        }
        _ => Some(content),
    }
}

/// That two values are the same.
fn same_value(store: &Store, one: Expr, other: Expr) -> Constraint {
    let kind = |expr: Expr| expr.term().map(|term| store.terms().kind(term));
    match kind(one).or(kind(other)) {
        Some(Kind::Long | Kind::Double) => Constraint::long(one, Comparison::Equal, other),
        _ => Constraint::int(one, Comparison::Equal, other),
    }
}

impl HeapSolver {
    /// If two cells are at the same place, they have the same value.
    fn lemma(&self, store: &mut Store, one: &Cell, other: &Cell) -> Constraint {
        // As numbers: references of different classes may have been given the same one.
        let same_object = Constraint::int(one.reference, Comparison::Equal, other.reference);
        let same_object = store.test(&same_object);
        let same_index = Constraint::int(one.index, Comparison::Equal, other.index);
        let same_index = store.test(&same_index);
        let same_value = same_value(store, one.value, other.value);
        let same_value = store.test(&same_value);
        let elsewhere = not(store, same_index);
        let different = not(store, same_object);
        let apart = either(store, different, elsewhere);
        truth(either(store, apart, same_value))
    }

    /// Inputs with no class in common that have been given the same number are different.
    fn incompatible(&self, terms: &Terms, values: &[i64]) -> Vec<Constraint> {
        let number = |input: &Input| value_of(terms, values, input.reference);
        let mut different = Vec::new();
        for (at, input) in self.inputs.iter().enumerate().skip(1) {
            let own = number(input).filter(|&own| own > 0);
            let same = |other: &&Input| own.is_some() && number(other) == own;
            let others = self.inputs[..at].iter().filter(same);
            for other in others.filter(|other| !other.shares_a_class(&input.classes)) {
                let (one, other) = (other.reference, input.reference);
                different.push(Constraint::int(one, Comparison::NotEqual, other));
            }
        }
        different
    }

    /// Whether the path has decided that a cell is at a place.
    pub(crate) fn is_known_at(
        &self,
        store: &mut Store,
        object: Expr,
        index: Expr,
        cell: &Cell,
    ) -> bool {
        is_known_equal(store, index, cell.index) && is_known_equal(store, object, cell.reference)
    }

    /// Draws conclusions from equalities of references that the path has decided.
    pub fn propagate_equalities(&mut self, store: &mut Store) -> Result<(), Conflict> {
        for number in 0..self.locations.len() {
            let location = self.locations[number];
            for at in 1..self.log(location).initial.len() {
                let cell = self.log(location).initial[at];
                self.n_looks += at as u64;
                // Conclusions that are not drawn are drawn by the solver.
                if self.is_over() {
                    return Ok(());
                }
                for before in 0..at {
                    let other = self.log(location).initial[before];
                    if self.is_known_at(store, cell.reference, cell.index, &other) {
                        let equal = same_value(store, other.value, cell.value);
                        let equal = store.test(&equal);
                        // Null has no fields that could differ.
                        let is_null = self.ref_eq(store, cell.reference, FALSE);
                        let holds = either(store, is_null, equal);
                        self.assume(store, truth(holds))?;
                    }
                }
            }
        }
        Ok(())
    }
}

fn is_known_equal(store: &mut Store, one: Expr, other: Expr) -> bool {
    match (one, other) {
        _ if one == other => true,
        (Expr::Constant(_), Expr::Constant(_)) => false,
        _ => {
            let equal = Constraint::int(one, Comparison::Equal, other);
            matches!(store.simplify(equal), Simplified::True)
        }
    }
}
