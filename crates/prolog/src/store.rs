//! Constraint stores: what guards have decided.
//!
//! What a guard asks holds for ever: of numbers and references, and of what never changes in an object, which are its
//! class and the length of an array. So a store is a list of facts without heaps, and says of another guard that it
//! holds, that it cannot hold, or nothing.

use crate::term::Term;

/// What a store says of a guard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Holds,
    Fails,
    Open,
}

const LESS: u8 = 1;
const EQUAL: u8 = 2;
const GREATER: u8 = 4;
const ALL: u8 = LESS | EQUAL | GREATER;

/// A fact.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Fact {
    /// How two numbers are ordered; of references, whether they are the same.
    Order { left: Term, right: Term, possible: u8 },
    /// Something else that a guard asks, by its name.
    Named { name: String, arguments: Vec<Term> },
}

/// Guards that exclude each other, the arguments being the same.
const OPPOSITES: [(&str, &str); 5] = [
    ("in_bounds", "out_of_bounds"),
    ("instance", "not_instance"),
    ("castable", "not_castable"),
    ("storable", "not_storable"),
    ("one_of", "none_of"),
];

fn null() -> Term {
    Term::compound("r", [Term::Integer(0)])
}

impl Fact {
    /// What a guard asks; nothing if it is none that stores know.
    pub(crate) fn of_guard(guard: &Term) -> Option<Fact> {
        let order = |left: &Term, right: &Term, possible| {
            Some(Fact::Order { left: left.clone(), right: right.clone(), possible })
        };
        match guard {
            Term::Infix(left, operator, right) => {
                let possible = match *operator {
                    "#=" => EQUAL,
                    "#\\=" => LESS | GREATER,
                    "#<" => LESS,
                    "#>=" => EQUAL | GREATER,
                    "#>" => GREATER,
                    "#=<" => LESS | EQUAL,
                    _ => return None,
                };
                order(left, right, possible)
            }
            Term::Compound(name, arguments) => match (&**name, &**arguments) {
                ("null", [of]) => order(of, &null(), EQUAL),
                ("nonnull", [_, of]) => order(of, &null(), LESS | GREATER),
                ("same", [_, left, right]) => order(left, right, EQUAL),
                ("different", [left, right]) => order(left, right, LESS | GREATER),
                ("one_of" | "none_of", [_, _]) => {
                    Some(Fact::Named { name: name.clone(), arguments: arguments.clone() })
                }
                // The first argument is the heap.
                (known, [_, of @ ..]) if opposite(known).is_some() => {
                    Some(Fact::Named { name: name.clone(), arguments: of.to_vec() })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// What a literal says of its results.
    pub(crate) fn of_literal(literal: &Term) -> Option<Fact> {
        let Term::Compound(name, arguments) = literal else { return None };
        let result = match &**name {
            "new_object" | "new_array" | "new_multi_array" | "throwable" | "string_constant"
            | "class_object" => arguments.iter().rev().nth(1)?,
            "array_length" => {
                let (length, zero) = (arguments.last()?.clone(), Term::Integer(0));
                return Some(Fact::Order { left: length, right: zero, possible: EQUAL | GREATER });
            }
            _ => return None,
        };
        Some(Fact::Order { left: result.clone(), right: null(), possible: LESS | GREATER })
    }

    /// The variable and the constant that it says are the same.
    pub(crate) fn constant(&self) -> Option<(&str, &Term)> {
        match self {
            Fact::Order { left, right, possible: EQUAL } => match (left, right) {
                (Term::Variable(name), constant) | (constant, Term::Variable(name)) => {
                    (!constant.has_variables()).then_some((&**name, constant))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The same with other terms.
    pub(crate) fn map(&self, of: &dyn Fn(&Term) -> Term) -> Fact {
        match self {
            Fact::Order { left, right, possible } => {
                Fact::Order { left: of(left), right: of(right), possible: *possible }
            }
            Fact::Named { name, arguments } => {
                Fact::Named { name: name.clone(), arguments: arguments.iter().map(of).collect() }
            }
        }
    }
}

fn opposite(name: &str) -> Option<&'static str> {
    OPPOSITES.iter().find_map(|&(left, right)| {
        (name == left).then_some(right).or((name == right).then_some(left))
    })
}

/// What is known.
#[derive(Debug, Clone, Default)]
pub(crate) struct Store {
    pub(crate) facts: Vec<Fact>,
}

impl Store {
    /// Whether something holds.
    pub(crate) fn verdict(&self, asked: &Fact) -> Verdict {
        match asked {
            Fact::Order { left, right, possible: wanted } => {
                let possible = self.possible(left, right);
                if possible & wanted == 0 {
                    Verdict::Fails
                } else if possible & !wanted == 0 {
                    Verdict::Holds
                } else {
                    Verdict::Open
                }
            }
            Fact::Named { name, arguments } => {
                if let ("one_of" | "none_of", [Term::Integer(value), Term::List(values)]) =
                    (&**name, &**arguments)
                {
                    let is_one = values.contains(&Term::Integer(*value));
                    let holds = is_one == (name == "one_of");
                    return if holds { Verdict::Holds } else { Verdict::Fails };
                }
                let opposite = opposite(name);
                let mut verdicts = self.facts.iter().filter_map(|fact| match fact {
                    Fact::Named { name: known, arguments: of } if of == arguments => {
                        if known == name {
                            Some(Verdict::Holds)
                        } else {
                            (Some(&**known) == opposite).then_some(Verdict::Fails)
                        }
                    }
                    _ => None,
                });
                verdicts.next_back().unwrap_or(Verdict::Open)
            }
        }
    }

    /// How two terms may be ordered.
    fn possible(&self, left: &Term, right: &Term) -> u8 {
        if left == right && *left != Term::Any {
            return EQUAL;
        }
        let mut possible = ALL;
        for fact in &self.facts {
            let Fact::Order { left: first, right: second, possible: known } = fact else {
                continue;
            };
            if first == left && second == right {
                possible &= known;
            } else if first == right && second == left {
                possible &= turned(*known);
            }
        }
        let ((low, high), (other_low, other_high)) = (self.range(left), self.range(right));
        if low >= other_high {
            possible &= !LESS;
        }
        if high <= other_low {
            possible &= !GREATER;
        }
        if high < other_low || low > other_high {
            possible &= !EQUAL;
        }
        possible
    }

    /// The least and the greatest value of a number.
    fn range(&self, term: &Term) -> (i64, i64) {
        if let Term::Integer(value) = term {
            return (*value, *value);
        }
        let (mut low, mut high) = (i64::MIN, i64::MAX);
        for fact in &self.facts {
            let (bound, possible) = match fact {
                Fact::Order { left, right: Term::Integer(bound), possible } if left == term => {
                    (*bound, *possible)
                }
                Fact::Order { left: Term::Integer(bound), right, possible } if right == term => {
                    (*bound, turned(*possible))
                }
                _ => continue,
            };
            let is_equal = i64::from(possible & EQUAL != 0);
            if possible & GREATER == 0 {
                high = high.min(bound.saturating_sub(1 - is_equal));
            }
            if possible & LESS == 0 {
                low = low.max(bound.saturating_add(1 - is_equal));
            }
        }
        (low, high)
    }

    /// What is known of terms, said of others: the abstraction of a store.
    pub(crate) fn of_terms(&self, terms: &[Term], named: &[Term]) -> Store {
        let zeros = [Term::Integer(0), null()];
        let mut facts: Vec<Fact> = Vec::new();
        let mut add = |(left, right): (&Term, &Term), (said_left, said_right): (&Term, &Term)| {
            let possible = self.possible(left, right);
            // What constants say of each other they say where they are known.
            if possible != ALL && said_left != said_right && left.has_variables() {
                let (left, right) = (said_left.clone(), said_right.clone());
                facts.push(Fact::Order { left, right, possible });
            }
        };
        for (index, (left, said)) in terms.iter().zip(named).enumerate() {
            zeros.iter().for_each(|zero| add((left, zero), (said, zero)));
            for (right, said_right) in terms.iter().zip(named).skip(index + 1) {
                if right.has_variables() {
                    add((left, right), (said, said_right));
                }
            }
        }
        for fact in &self.facts {
            let Fact::Named { name, arguments } = fact else { continue };
            let said = |argument: &Term| match terms.iter().position(|term| term == argument) {
                Some(index) => named.get(index).cloned(),
                None => (!argument.has_variables()).then(|| argument.clone()),
            };
            if let Some(arguments) = arguments.iter().map(said).collect::<Option<Vec<Term>>>() {
                let fact = Fact::Named { name: name.clone(), arguments };
                if !facts.contains(&fact) {
                    facts.push(fact);
                }
            }
        }
        Store { facts }
    }
}

fn turned(possible: u8) -> u8 {
    let is = |side| possible & side != 0;
    (possible & EQUAL) | if is(LESS) { GREATER } else { 0 } | if is(GREATER) { LESS } else { 0 }
}
