//! Values that are chosen from others: what these can be.
//!
//! A value that was read through possible aliases is a choice between a few values, which one interval
//! around all of them says little of. So comparisons with constants look at each of them. This is what
//! propagates backward from a value to the aliases that can have it ("A CLP Heap Solver for Test Case
//! Generation", section 3.3).

use petrel_clp::Comparison;

use super::Store;
use crate::constraint::Constraint;
use crate::interval::{Interval, decide, forward};
use crate::term::{Expr, Node};

/// How many values are looked at. What is left out may be anything.
const MOST_LEAVES: u32 = 32;

/// How many operations with constants may be done to a choice.
const MOST_OPERATIONS: usize = 4;

impl Store {
    /// Whether a term is made of constants and a choice.
    pub(super) fn is_chosen(&self, value: Expr) -> bool {
        let mut value = value;
        for _ in 0..MOST_OPERATIONS {
            match self.node(value) {
                Some(Node::Choose(..)) => return true,
                Some(Node::Apply(_, inner, Expr::Constant(_))) => value = inner,
                _ => return false,
            }
        }
        false
    }

    /// Whether a value can compare so with a constant, as far as is known of all that it is chosen from.
    pub(super) fn may_compare(&self, value: Expr, comparison: Comparison, constant: i64) -> bool {
        let constant = Interval::constant(constant);
        self.may_be(value, &|value| decide(comparison, value, constant) != Some(false))
    }

    /// Whether one of the intervals of all that a value is chosen from is possible. A part of an
    /// interval that is not possible is not either.
    pub(super) fn may_be(&self, value: Expr, is_possible: &dyn Fn(Interval) -> bool) -> bool {
        self.may_be_within(value, &mut MOST_LEAVES.clone(), is_possible)
    }

    fn may_be_within(
        &self,
        value: Expr,
        left: &mut u32,
        is_possible: &dyn Fn(Interval) -> bool,
    ) -> bool {
        let known = self.domain(value);
        if !is_possible(known) {
            return false;
        }
        *left = left.saturating_sub(1);
        match self.node(value) {
            Some(Node::Choose(_, condition, then, otherwise)) if *left > 0 => {
                match self.truth_of(condition) {
                    Some(true) => self.may_be_within(then, left, is_possible),
                    Some(false) => self.may_be_within(otherwise, left, is_possible),
                    None => {
                        self.may_be_within(then, left, is_possible)
                            || self.may_be_within(otherwise, left, is_possible)
                    }
                }
            }
            Some(Node::Apply(operation, inner, Expr::Constant(constant))) if *left > 0 => {
                let by = Interval::constant(constant);
                self.may_be_within(inner, left, &|inner| {
                    is_possible(forward(operation, inner, by, constant != 0))
                })
            }
            _ => true,
        }
    }

    /// A choice that compares so with a constant only if it is one of its two values: which of them it
    /// is, and that this one compares so.
    pub(super) fn only_alternative(
        &self,
        comparison: Comparison,
        value: Expr,
        constant: i64,
    ) -> Option<(Constraint, Expr)> {
        let Node::Choose(_, condition, then, otherwise) = self.node(value)? else { return None };
        let (is_taken, alternative) = if !self.may_compare(then, comparison, constant) {
            (Comparison::Equal, otherwise)
        } else if !self.may_compare(otherwise, comparison, constant) {
            (Comparison::NotEqual, then)
        } else {
            return None;
        };
        let is_taken = Constraint::int(Expr::Term(condition), is_taken, Expr::Constant(0));
        Some((is_taken, alternative))
    }
}
