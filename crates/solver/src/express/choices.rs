//! What an unknown stands for that says which of several things something is, in words of Java.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use petrel_clp::Comparison;
use petrel_expression::{Expression, Node as Told};

use crate::term::TermId;

/// What the numbers of an unknown stand for: terms know the numbers alone.
#[derive(Debug, Clone)]
pub struct Choice {
    /// What is the one or the other.
    pub subject: Expression,
    /// What each number from 0 on stands for.
    pub options: Options,
    /// The lowest and the highest number that are possible.
    pub range: (i64, i64),
}

/// What is known of the unknowns and the objects of a constraint that terms know by number alone.
#[derive(Debug, Clone, Default)]
pub struct Choices {
    /// What unknowns choose.
    pub by_unknown: BTreeMap<TermId, Choice>,
    /// What objects are called that exist already.
    pub objects: BTreeMap<i64, Expression>,
}

/// What a constraint has that is known by number alone: see [`Choices`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Numbered {
    /// Unknowns that say which of several things something is.
    pub unknowns: Vec<TermId>,
    /// Objects that are none of the unknowns.
    pub objects: Vec<i64>,
}

impl Numbered {
    /// Whether there is nothing of the kind.
    pub fn is_empty(&self) -> bool {
        self.unknowns.is_empty() && self.objects.is_empty()
    }
}

/// What numbers stand for.
#[derive(Debug, Clone)]
pub enum Options {
    /// Values: `null`, constants of an enum, objects that exist already.
    Values(Vec<Expression>),
    /// Classes of an object: the types that it is an instance of, itself first.
    Classes(Vec<Rc<[Box<str>]>>),
    /// 1 for one of these values, 0 for what is none of them.
    OneOf(Vec<Expression>),
}

impl Choice {
    /// The condition that says that the number is one of those that are allowed: what it is, or what it is not, whichever is shorter.
    pub(super) fn condition(&self, is_allowed: impl Fn(i64) -> bool) -> Expression {
        let n_options = match &self.options {
            Options::Values(values) => values.len(),
            Options::Classes(classes) => classes.len(),
            Options::OneOf(_) => 2,
        };
        let all_options = 0..n_options as i64;
        let (low, high) = self.range;
        let possible = low.max(0)..(high + 1).min(all_options.end);
        let divide = |numbers: Range<i64>| numbers.partition(|&at| is_allowed(at));
        let (mut allowed, mut others): (Vec<i64>, Vec<i64>) = divide(possible);
        if allowed.is_empty() || others.is_empty() {
            // What is not possible is so because of this condition.
            (allowed, others) = divide(all_options);
        }
        let (positive, negative) = (self.tests(&allowed, &others), self.tests(&others, &allowed));
        let is_exact = |test: &&Expression| matches!(test.node(), Told::Compare(_, found, _) if matches!(found.node(), Told::Call(..)));
        let effort = |tests: &[Expression]| (tests.len(), tests.iter().filter(is_exact).count());
        let is_negative_shorter = positive.is_empty() || effort(&negative) < effort(&positive);
        if !negative.is_empty() && is_negative_shorter {
            all(negative.into_iter().map(negated))
        } else {
            any(positive)
        }
    }

    /// One of these holds for the numbers of a set, and none for the others.
    fn tests(&self, set: &[i64], others: &[i64]) -> Vec<Expression> {
        let is = |value: &Expression| {
            let (subject, value) = (self.subject.clone(), value.clone());
            Expression::new(Told::Compare(Comparison::Equal, subject, value))
        };
        match &self.options {
            Options::Values(values) => set.iter().map(|&at| is(&values[at as usize])).collect(),
            Options::OneOf(values) if set.contains(&1) => values.iter().map(is).collect(),
            Options::OneOf(_) if set.is_empty() => Vec::new(),
            Options::OneOf(values) => vec![all(values.iter().map(is).map(negated))],
            Options::Classes(classes) => self.class_tests(classes, set, others),
        }
    }

    fn class_tests(
        &self,
        classes: &[Rc<[Box<str>]>],
        set: &[i64],
        others: &[i64],
    ) -> Vec<Expression> {
        let is_below = |at: i64, of: &str| classes[at as usize].iter().any(|above| **above == *of);
        let mut rest = set.to_vec();
        let mut tests = Vec::new();
        while let [next, ..] = rest[..] {
            // A type that no other class is below: the one with most classes of the set, the nearest of those. Everything is
            // an `Object`, which is told of none but that class itself.
            let fitting = classes[next as usize].iter().filter(|of| {
                ***of != *"java.lang.Object" && !others.iter().any(|&at| is_below(at, of))
            });
            let n_below = |of: &str| rest.iter().filter(|&&at| is_below(at, of)).count();
            let widest = fitting.rev().max_by_key(|of| n_below(of));
            let subject = self.subject.clone();
            match widest {
                Some(of) => {
                    tests.push(Expression::new(Told::IsA(subject, simple_name(of).into())));
                    rest.retain(|&at| !is_below(at, of));
                }
                None => {
                    let own = simple_name(&classes[next as usize][0]);
                    let class = Expression::new(Told::Class(own.into()));
                    let found =
                        Expression::new(Told::Call(subject, "getClass".into(), Box::new([])));
                    tests.push(Expression::new(Told::Compare(Comparison::Equal, found, class)));
                    rest.remove(0);
                }
            }
        }
        tests
    }
}

/// The opposite of a test: neither compares numbers.
fn negated(test: Expression) -> Expression {
    match test.node() {
        Told::Compare(Comparison::Equal, left, right) => {
            Expression::new(Told::Compare(Comparison::NotEqual, left.clone(), right.clone()))
        }
        _ => test.not(),
    }
}

/// A class without its package and the class around it.
fn simple_name(class: &str) -> &str {
    class.rsplit(['.', '$']).next().unwrap_or(class)
}

/// One of several conditions holds. What is no instance may be null, so that this need not be said.
pub(super) fn any(sides: impl IntoIterator<Item = Expression>) -> Expression {
    let mut flat = Vec::new();
    for side in sides {
        match side.node() {
            Told::Any(inner) => flat.extend(inner.iter().cloned()),
            _ => flat.push(side),
        }
    }
    let denied = |side: &Expression| match side.node() {
        Told::Not(inner) => instance(inner).cloned(),
        _ => None,
    };
    without_nulls(&mut flat, Comparison::Equal, denied);
    single(flat).unwrap_or_else(|sides| Expression::new(Told::Any(sides)))
}

/// All of several conditions hold. An instance is not null, so that this need not be said.
pub(super) fn all(sides: impl IntoIterator<Item = Expression>) -> Expression {
    let mut flat = Vec::new();
    for side in sides {
        match side.node() {
            Told::All(inner) => flat.extend(inner.iter().cloned()),
            _ => flat.push(side),
        }
    }
    without_nulls(&mut flat, Comparison::NotEqual, |side| instance(side).cloned());
    single(flat).unwrap_or_else(|sides| Expression::new(Told::All(sides)))
}

/// What is said to be an instance.
fn instance(test: &Expression) -> Option<&Expression> {
    match test.node() {
        Told::IsA(subject, _) => Some(subject),
        _ => None,
    }
}

fn without_nulls(
    sides: &mut Vec<Expression>,
    comparison: Comparison,
    implied_by: impl Fn(&Expression) -> Option<Expression>,
) {
    let subjects: Vec<Expression> = sides.iter().filter_map(implied_by).collect();
    sides.retain(|side| match side.node() {
        Told::Compare(found, subject, null) if *found == comparison => {
            !matches!(null.node(), Told::Null) || !subjects.contains(subject)
        }
        _ => true,
    });
}

fn single(sides: Vec<Expression>) -> Result<Expression, Box<[Expression]>> {
    <[Expression; 1]>::try_from(sides).map(|[only]| only).map_err(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(lists: &[&str]) -> Choice {
        let above = |list: &&str| list.split(' ').map(Into::into).collect();
        Choice {
            subject: Expression::name("x"),
            options: Options::Classes(lists.iter().map(above).collect()),
            range: (0, 99),
        }
    }

    fn told(choice: &Choice, allowed: &[i64]) -> String {
        choice.condition(|at| allowed.contains(&at)).to_string()
    }

    #[test]
    fn classes_are_told_by_the_nearest_type_that_has_no_others() {
        let shapes = classes(&[
            "p.Circle p.Shape",
            "p.Box$Square p.Shape",
            "p.Tile p.Box$Square p.Shape",
            "p.Note",
        ]);
        assert_eq!(told(&shapes, &[0]), "x instanceof Circle");
        assert_eq!(told(&shapes, &[1, 2]), "x instanceof Square");
        assert_eq!(told(&shapes, &[1]), "x.getClass() == Square.class");
        assert_eq!(told(&shapes, &[0, 1, 3]), "!(x instanceof Tile)");
        assert_eq!(told(&shapes, &[0, 1, 2]), "x instanceof Shape");
        assert_eq!(told(&shapes, &[1, 2, 3]), "!(x instanceof Circle)");
        assert_eq!(told(&shapes, &[0, 3]), "!(x instanceof Square)");
        assert_eq!(told(&shapes, &[0, 2]), "x instanceof Circle || x instanceof Tile");
        assert_eq!(told(&shapes, &[0, 2, 3]), "x.getClass() != Square.class");
    }

    #[test]
    fn the_class_of_everything_is_told_exactly() {
        let all = classes(&["java.lang.Object", "p.Note[]"]);
        assert_eq!(told(&all, &[0]), "!(x instanceof Note[])");
        let all = classes(&["java.lang.Object", "p.Note[]", "p.Note"]);
        assert_eq!(told(&all, &[0]), "x.getClass() == Object.class");
    }

    #[test]
    fn values_are_told_by_what_they_are_or_are_not() {
        let value = |name: &&str| Expression::name(name);
        let mut colours = Choice {
            subject: Expression::name("x"),
            options: Options::Values(["null", "RED", "GREEN", "BLUE"].iter().map(value).collect()),
            range: (1, 3),
        };
        assert_eq!(told(&colours, &[2]), "x == GREEN");
        assert_eq!(told(&colours, &[1, 3]), "x != GREEN");
        assert_eq!(told(&colours, &[1, 2, 3]), "x != null");
        colours.range = (0, 3);
        assert_eq!(told(&colours, &[1, 3]), "x == RED || x == BLUE");
    }

    #[test]
    fn what_is_decided_already_is_told_as_what_it_says() {
        let values = vec![Expression::name("HEAD")];
        let subject = Expression::name("x");
        for range in [(0, 1), (0, 0), (1, 1)] {
            let options = Options::OneOf(values.clone());
            let origin = Choice { subject: subject.clone(), options, range };
            assert_eq!(told(&origin, &[1]), "x == HEAD");
            assert_eq!(told(&origin, &[0]), "x != HEAD");
        }
    }

    #[test]
    fn what_an_instance_says_of_null_is_not_said_again() {
        let x = || Expression::name("x");
        let null = |comparison| {
            Expression::new(Told::Compare(comparison, x(), Expression::new(Told::Null)))
        };
        let is = || Expression::new(Told::IsA(x(), "A".into()));
        assert_eq!(all([null(Comparison::NotEqual), is()]).to_string(), "x instanceof A");
        assert_eq!(any([null(Comparison::Equal), is()]).to_string(), "x == null || x instanceof A");
        assert_eq!(any([null(Comparison::Equal), is().not()]).to_string(), "!(x instanceof A)");
    }
}
