//! Texts against strings: whatever the units are, a term is what the operation on them gives.

use petrel_expression::Expression;
use petrel_solver::{Unknown, evaluate};

use super::*;

/// Two unknown texts, and what a term over them is for all texts up to a length over three letters.
struct Trial {
    store: Store,
    texts: [Text; 2],
}

const MOST: usize = 3;
const LETTERS: [u16; 3] = [0x61, 0x62, 0x20];
/// A letter and the two halves of a pair.
const HALVES: [u16; 3] = [0x61, 0xD801, 0xDC02];

impl Trial {
    fn new() -> Trial {
        let mut store = Store::new();
        let mut text = |name: &str| {
            let mut unknown = |name: Expression, high: i64| {
                store.unknown(Unknown { name, kind: Kind::Int, low: 0, high, own: 0 })
            };
            let length = unknown(Expression::name(&format!("{name}.length()")), MOST as i64);
            let units = (0..MOST)
                .map(|at| unknown(Expression::name(&format!("{name}[{at}]")), 0xFFFF))
                .collect();
            Text::new(length, units)
        };
        let texts = [text("s"), text("t")];
        Trial { store, texts }
    }

    fn value(&self, expr: Expr, strings: [&[u16]; 2]) -> i64 {
        let mut assignment = Vec::new();
        for string in strings {
            assignment.push(string.len() as i64);
            // Units behind the end may be anything.
            let units = string.iter().copied().chain(std::iter::repeat(0x61));
            assignment.extend(units.take(MOST).map(i64::from));
        }
        match expr {
            Expr::Constant(number) => number,
            Expr::Term(term) => {
                let terms = self.store.terms();
                evaluate(terms, &assignment, terms.len())[term.index()]
            }
        }
    }

    fn units(&self, text: &Text, strings: [&[u16]; 2]) -> Vec<u16> {
        let length = self.value(text.length, strings) as usize;
        (0..length).map(|at| self.value(text.units[at], strings) as u16).collect()
    }

    /// Compares a term with what it stands for.
    fn check_number(&self, expr: Expr, expected: impl Fn(&[u16], &[u16]) -> i64) {
        for_all_pairs(|s, t| {
            assert_eq!(self.value(expr, [s, t]), expected(s, t), "{s:?} and {t:?}");
        });
    }

    fn check_text(&self, text: &Text, expected: impl Fn(&[u16], &[u16]) -> Vec<u16>) {
        for_all_pairs(|s, t| {
            assert_eq!(self.units(text, [s, t]), expected(s, t), "{s:?} and {t:?}");
        });
    }
}

fn all_strings(letters: [u16; 3]) -> Vec<Vec<u16>> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..MOST {
        let longer = |string: &Vec<u16>| {
            let string = string.clone();
            letters.into_iter().map(move |letter| [&string[..], &[letter]].concat())
        };
        last = last.iter().flat_map(longer).collect();
        all.extend(last.iter().cloned());
    }
    all
}

fn for_all_pairs(mut check: impl FnMut(&[u16], &[u16])) {
    let all = all_strings(LETTERS);
    for s in &all {
        for t in &all {
            check(s, t);
        }
    }
}

fn same(_: &mut Store, unit: Expr) -> Expr {
    unit
}

fn find(s: &[u16], t: &[u16]) -> Option<usize> {
    (0..=s.len()).find(|&at| s[at..].starts_with(t))
}

#[test]
fn comparisons_are_those_of_strings() {
    let mut trial = Trial::new();
    let [s, t] = trial.texts.clone();
    let equal = s.equals(&mut trial.store, &t, same);
    trial.check_number(equal, |s, t| (s == t).into());
    let compared = s.compare(&mut trial.store, &t, same);
    trial.check_number(compared, |s, t| {
        let different = s.iter().zip(t).find(|(a, b)| a != b);
        different.map_or(s.len() as i64 - t.len() as i64, |(&a, &b)| i64::from(a) - i64::from(b))
    });
    let hash = s.hash(&mut trial.store);
    trial.check_number(hash, |s, _| {
        let hash = |sum: i32, &unit: &u16| sum.wrapping_mul(31).wrapping_add(unit.into());
        s.iter().fold(0, hash).into()
    });
}

#[test]
fn searches_find_what_strings_find() {
    let mut trial = Trial::new();
    let [s, t] = trial.texts.clone();
    for from in 0..=4_usize {
        let from_expr = Expr::Constant(from as i64);
        let index = s.index_of(&mut trial.store, &t, from_expr);
        trial.check_number(index, |s, t| {
            let from = from.min(s.len());
            find(&s[from..], t).map_or(-1, |at| (at + from) as i64)
        });
        let last = s.last_index_of(&mut trial.store, &t, from_expr);
        trial.check_number(last, |s, t| {
            let places = (0..=from.min(s.len())).rev();
            let mut found = places.filter(|&at| s[at..].starts_with(t));
            found.next().map_or(-1, |at| at as i64)
        });
        let unit = Expr::Constant(0x62);
        let of_unit = s.index_of_unit(&mut trial.store, unit, from_expr);
        trial.check_number(of_unit, |s, _| {
            let place = (from..s.len()).find(|&at| s[at] == 0x62);
            place.map_or(-1, |at| at as i64)
        });
        let last_unit = s.last_index_of_unit(&mut trial.store, unit, from_expr);
        trial.check_number(last_unit, |s, _| {
            let place = (0..s.len()).rfind(|&at| at <= from && s[at] == 0x62);
            place.map_or(-1, |at| at as i64)
        });
        let starts = s.has_at(&mut trial.store, &t, from_expr);
        trial.check_number(starts, |s, t| {
            s.get(from..).is_some_and(|rest| rest.starts_with(t)).into()
        });
    }
    let ends = s.ends_with(&mut trial.store, &t);
    trial.check_number(ends, |s, t| s.ends_with(t).into());
}

#[test]
fn new_texts_are_made_of_the_right_units() {
    let mut trial = Trial::new();
    let [s, t] = trial.texts.clone();
    let joined = s.followed_by(&mut trial.store, &t);
    trial.check_text(&joined, |s, t| [s, t].concat());
    let thrice = joined.followed_by(&mut trial.store, &s);
    trial.check_text(&thrice, |s, t| [s, t, s].concat());
    let reversed = joined.reversed(&mut trial.store);
    trial.check_text(&reversed, |s, t| [s, t].concat().into_iter().rev().collect());
    let space = Expr::Constant(0x20);
    let (start, end) = s.bounds_without(&mut trial.store, |store, unit| {
        test(store, unit, Comparison::LessOrEqual, space)
    });
    let trimmed = s.part(&mut trial.store, start, end);
    trial.check_text(&trimmed, |s, _| {
        let start = s.iter().position(|&unit| unit > 0x20).unwrap_or(s.len());
        let end = s.iter().rposition(|&unit| unit > 0x20).map_or(start, |at| at + 1);
        s[start..end].to_vec()
    });
    let replaced = s.map(&mut trial.store, |store, unit| {
        let is_it = equal(store, unit, space);
        choose(store, is_it, Expr::Constant(0x5F), unit)
    });
    trial.check_text(&replaced, |s, _| {
        s.iter().map(|&unit| if unit == 0x20 { 0x5F } else { unit }).collect()
    });
}

#[test]
fn pairs_of_surrogates_keep_their_order() {
    let mut trial = Trial::new();
    let [s, t] = trial.texts.clone();
    let joined = s.followed_by(&mut trial.store, &t);
    let reversed = joined.reversed(&mut trial.store);
    let all = all_strings(HALVES);
    for s in &all {
        for t in &all {
            let characters = char::decode_utf16([&s[..], t].concat());
            let mut characters: Vec<Vec<u16>> = characters
                .map(|character| match character {
                    Ok(character) => character.encode_utf16(&mut [0; 2]).to_vec(),
                    Err(half) => vec![half.unpaired_surrogate()],
                })
                .collect();
            characters.reverse();
            let expected = characters.concat();
            assert_eq!(trial.units(&reversed, [s, t]), expected, "{s:x?} and {t:x?}");
        }
    }
}

#[test]
fn a_text_that_is_compared_with_a_constant_is_known() {
    let mut trial = Trial::new();
    let [s, _] = trial.texts.clone();
    let constant = Text::constant(&[0x61, 0x62]);
    let equal = s.equals(&mut trial.store, &constant, same);
    let petrel_solver::Simplified::Open(open) = trial.store.simplify(petrel_heap::truth(equal))
    else {
        panic!("it is open");
    };
    trial.store.assume(open).expect("there is such a text");
    assert_eq!(s.known(&trial.store), Some(vec![0x61, 0x62]));
    let unit = s.unit(&mut trial.store, Expr::Constant(1));
    assert_eq!(unit, Expr::Constant(0x62));
}
