//! Whether exactly one rule of a predicate applies.
//!
//! Rules come from a tree of decisions: the guards of a rule are the answers on the way to its leaf.
//! So there is a question that all rules answer, and those with the same answer are again such a
//! tree once the answer is taken away. If this can be carried on until each set is one rule without
//! guards, and at each question every answer occurs, then the rules are both mutually exclusive and
//! exhaustive. Any question that all rules answer will do: asking it first in a tree that asks it
//! somewhere on every way leaves a tree.

use std::collections::BTreeMap;

use crate::literal::Guard;
use crate::rule::Rule;

/// A rule and the answers that are not taken away yet.
struct Case<'a> {
    rule: usize,
    guards: Vec<&'a Guard>,
}

/// Why it is not so that exactly one rule applies.
pub(super) enum Flaw<'a> {
    /// What is wrong.
    Other(String),
    /// No rule applies where this one does not because of this guard.
    Gap(usize, &'a Guard),
}

/// What is wrong with the guards of a predicate's rules.
pub(super) fn flaw(rules: &[Rule]) -> Option<Flaw<'_>> {
    // Most predicates are one of these.
    match rules {
        [] => return None,
        [rule] if rule.guards.is_empty() => return None,
        [one, other] => {
            if let ([one], [other]) = (one.guards.as_slice(), other.guards.as_slice())
                && complementary(one, other)
            {
                return None;
            }
        }
        _ => {}
    }
    let cases = rules
        .iter()
        .enumerate()
        .map(|(rule, definition)| Case { rule, guards: definition.guards.iter().collect() });
    let mut pending = vec![cases.collect::<Vec<_>>()];
    while let Some(cases) = pending.pop() {
        match cases.as_slice() {
            [] => {}
            [case] if case.guards.is_empty() => {}
            [first, ..] => match common_question(first, &cases) {
                Some(question) => match split(cases, question) {
                    Ok(groups) => pending.extend(groups),
                    Err(flaw) => return Some(flaw),
                },
                None => return Some(Flaw::Other(no_common_question(&cases, rules))),
            },
        }
    }
    None
}

/// A guard of the first case that all others answer too.
fn common_question<'a>(first: &Case<'a>, cases: &[Case<'a>]) -> Option<&'a Guard> {
    first
        .guards
        .iter()
        .copied()
        .find(|guard| cases.iter().all(|case| answer(case, guard).is_some()))
}

/// Where a case answers the question that the guard answers.
fn answer(case: &Case<'_>, question: &Guard) -> Option<usize> {
    case.guards.iter().position(|guard| same_question(guard, question))
}

fn same_question(one: &Guard, other: &Guard) -> bool {
    use Guard::*;
    match (one, other) {
        (OneOf(one, _) | NoneOf(one, _), OneOf(other, _) | NoneOf(other, _)) => one == other,
        (Returned(one) | Threw(one, _), Returned(other) | Threw(other, _)) => one == other,
        _ => same_answer(one, other) || one.negated().as_ref() == Some(other),
    }
}

fn same_answer(one: &Guard, other: &Guard) -> bool {
    match (one, other) {
        (Guard::Threw(one, _), Guard::Threw(other, _)) => one == other,
        _ => one == other,
    }
}

/// Whether the two are all the answers to a question.
fn complementary(one: &Guard, other: &Guard) -> bool {
    match (one, other) {
        (Guard::Returned(_), Guard::Threw(..)) => one.excludes(other),
        _ => one.negated().as_ref() == Some(other),
    }
}

/// The cases by their answer, which is taken away.
fn split<'a>(cases: Vec<Case<'a>>, question: &'a Guard) -> Result<Vec<Vec<Case<'a>>>, Flaw<'a>> {
    let answered = cases.into_iter().filter_map(|mut case| {
        let position = answer(&case, question)?;
        let guard = case.guards.remove(position);
        Some((guard, case))
    });
    if matches!(question, Guard::OneOf(..) | Guard::NoneOf(..)) {
        return split_switch(answered).map_err(|message| Flaw::Other(message.to_string()));
    }
    let mut alike = Vec::new();
    let mut different = Vec::new();
    for (guard, case) in answered {
        if same_answer(guard, question) {
            alike.push(case);
        } else {
            different.push(case);
        }
    }
    match (alike.first(), different.first()) {
        (Some(only), None) | (None, Some(only)) => Err(Flaw::Gap(only.rule, question)),
        _ => Ok(vec![alike, different]),
    }
}

fn split_switch<'a>(
    answered: impl Iterator<Item = (&'a Guard, Case<'a>)>,
) -> Result<Vec<Vec<Case<'a>>>, &'static str> {
    let mut one_of: BTreeMap<&[i32], Vec<Case<'a>>> = BTreeMap::new();
    let mut none_of: BTreeMap<&[i32], Vec<Case<'a>>> = BTreeMap::new();
    for (guard, case) in answered {
        match guard {
            Guard::OneOf(_, values) => one_of.entry(values).or_default().push(case),
            Guard::NoneOf(_, values) => none_of.entry(values).or_default().push(case),
            _ => {}
        }
    }
    let mut covered: Vec<i32> = one_of.keys().copied().flatten().copied().collect();
    covered.sort_unstable();
    if covered.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err("two cases of a switch overlap");
    }
    let mut default = none_of.into_iter();
    match (default.next(), default.next()) {
        (Some((excluded, cases)), None) if excluded == covered => {
            Ok(one_of.into_values().chain([cases]).collect())
        }
        (Some(_), None) => Err("the default of a switch is not what its cases leave"),
        (None, _) => Err("a switch has no default"),
        (Some(_), Some(_)) => Err("a switch has several defaults"),
    }
}

/// There is no tree. Names two rules that can both apply, if that is the reason.
fn no_common_question(cases: &[Case<'_>], rules: &[Rule]) -> String {
    for (index, one) in cases.iter().enumerate() {
        for other in &cases[index + 1..] {
            let guards = |case: &Case<'_>| rules.get(case.rule).map(|rule| rule.guards.as_slice());
            let (Some(left), Some(right)) = (guards(one), guards(other)) else {
                continue;
            };
            let exclusive =
                left.iter().any(|guard| right.iter().any(|other| guard.excludes(other)));
            if !exclusive {
                return format!("rules {} and {} can both apply", one.rule + 1, other.rule + 1);
            }
        }
    }
    "its rules are not the cases of a decision".to_string()
}
