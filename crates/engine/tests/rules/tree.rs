//! Parts of the tree of derivations: those of a trace, and those that prefixes lead to.

use expect_test::expect;
use petrel_engine::{Decision, Prefix};

use crate::harness::{Exploration, paths};

/// Three choices, one after the other.
const BITS: &str = r#"
    :- procedure('T', bits, '(III)I', static).
    :- predicate(bits, entry, 0).
    bits([A,B,C],[R],H,H1,E,bits(1,[],[T])) :- A #> 0, b([B,C,4],[R],H,H1,E,T).
    bits([A,B,C],[R],H,H1,E,bits(2,[],[T])) :- A #=< 0, b([B,C,0],[R],H,H1,E,T).
    :- predicate(b, choice, 2).
    b([B,C,X],[R],H,H1,E,b(1,[],[T])) :- B #> 0, Y #= X+2, c([C,Y],[R],H,H1,E,T).
    b([B,C,X],[R],H,H1,E,b(2,[],[T])) :- B #=< 0, c([C,X],[R],H,H1,E,T).
    :- predicate(c, choice, 3).
    c([C,X],[Y],H,H,ok,c(1,[],[])) :- C #> 0, Y #= X+1.
    c([C,X],[X],H,H,ok,c(2,[],[])) :- C #=< 0.
"#;

fn guided(trace: &'static str) -> String {
    Exploration { trace: Some(trace), ..Exploration::default() }.paths(BITS).0
}

#[test]
fn a_complete_trace_has_one_path() {
    expect![[r#"
        [A > 0, B <= 0, C > 0] returns 5, as (1, 0, 1) -> 5
          bits(1,[],[b(2,[],[c(1,[],[])])])
        [A <= 0] is astray
          bits(2,[],[])
    "#]]
    .assert_eq(&guided("bits(1,[],[b(2,[],[c(1,[],[])])])"));
}

#[test]
fn a_partial_trace_has_all_its_instances() {
    expect![[r#"
        [A > 0] is astray
          bits(1,[],[])
        [A <= 0, B > 0, C > 0] returns 3, as (0, 1, 1) -> 3
          bits(2,[],[b(1,[],[c(1,[],[])])])
        [A <= 0, B > 0, C <= 0] returns 2, as (0, 1, 0) -> 2
          bits(2,[],[b(1,[],[c(2,[],[])])])
        [A <= 0, B <= 0, C > 0] returns 1, as (0, 0, 1) -> 1
          bits(2,[],[b(2,[],[c(1,[],[])])])
        [A <= 0, B <= 0, C <= 0] returns 0, as (0, 0, 0) -> 0
          bits(2,[],[b(2,[],[c(2,[],[])])])
    "#]]
    .assert_eq(&guided("bits(2,[],[Rest])"));
}

#[test]
fn an_open_trace_has_all_that_begins_so() {
    expect![[r#"
        [A > 0, B <= 0, C > 0] returns 5, as (1, 0, 1) -> 5
          bits(1,[],[b(2,[],[c(1,[],[])])])
        [A > 0, B <= 0, C <= 0] returns 4, as (1, 0, 0) -> 4
          bits(1,[],[b(2,[],[c(2,[],[])])])
        [A <= 0] is astray
          bits(2,[],[])
    "#]]
    .assert_eq(&guided("bits(1,[],[b(2,[],[*])])"));
}

#[test]
fn a_trace_of_another_program_leads_nowhere() {
    expect![[r#"
        [A > 0] is astray
          bits(1,[],[])
        [A <= 0] is astray
          bits(2,[],[])
    "#]]
    .assert_eq(&guided("bits(1,[],[c(1,[],[])])"));
}

/// What the machine gives away when it has found some paths is exactly the rest.
#[test]
fn what_is_split_off_is_the_rest_of_the_tree() {
    let all = paths(BITS);
    let whole: Vec<&str> = all.lines().collect();
    assert_eq!(whole.len(), 2 * 8);
    for found_before in 1..=8 {
        let splitting = Exploration { split_after: Some(found_before), ..Exploration::default() };
        let (before, mut split) = splitting.paths(BITS);
        split.reverse();
        let after = Exploration { parts: split, ..Exploration::default() }.paths(BITS).0;
        let both: Vec<&str> = before.lines().chain(after.lines()).collect();
        assert_eq!(both, whole, "split after {found_before}");
    }
}

#[test]
fn the_last_parts_are_given_away_first() {
    let (_, split) = Exploration { split_after: Some(1), ..Exploration::default() }.paths(BITS);
    let alternatives = |prefix: &Prefix| -> Vec<u32> {
        prefix.decisions.iter().map(|decision| decision.alternative).collect()
    };
    let split: Vec<Vec<u32>> = split.iter().map(alternatives).collect();
    expect![[r#"
        [[1], [0, 1], [0, 0, 1]]
    "#]]
    .assert_eq(&format!("{split:?}\n"));
}

#[test]
fn no_part_has_no_paths() {
    let found = Exploration { parts: Vec::new(), ..Exploration::default() }.paths(BITS).0;
    assert_eq!(found, "");
}

/// A part of the tree of `BITS`: the ways that choices take, and inputs.
fn part(ways: &[u32], model: Option<&[i64]>) -> Prefix {
    let decision = |&alternative: &u32| Decision { alternative, is_choice: true };
    let decisions = ways.iter().map(decision).collect();
    Prefix { decisions, model: model.map(<[i64]>::to_vec), counted_steps: 0 }
}

/// How the first path ends below the last of these parts.
fn first_path(parts: &[Prefix]) -> String {
    let found = Exploration { parts: parts.to_vec(), ..Exploration::default() }.paths(BITS).0;
    found.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn a_part_that_the_program_does_not_have_is_told() {
    let shown = |ways: &[u32], model: Option<&[i64]>| first_path(&[part(ways, model)]);
    assert!(shown(&[0, 1], Some(&[1, 0, 0])).contains("returns"));
    assert!(shown(&[0, 1], None).contains("returns"));
    let expected = "is none: decision 2 is 2, and there are only 2 ways to go";
    assert!(shown(&[0, 2], None).contains(expected));
    let expected = "is none: the derivation ends before decision 4";
    assert!(shown(&[0, 1, 0, 0], None).contains(expected));
    assert!(
        shown(&[0, 1], Some(&[1, 1, 0])).contains("is none: its model does not take decision 2")
    );
    assert!(
        shown(&[0, 1], Some(&[0, 0, 0])).contains("is none: its model does not take decision 1")
    );
    assert!(shown(&[0, 1], Some(&[1, 0, 0, 0])).contains("is none: its model is none"));
    assert!(shown(&[0, 1], Some(&[i64::MAX, 0, 0])).contains("is none: its model is none"));
    let mut long = part(&[0, 1], None);
    long.counted_steps = 9;
    assert!(
        first_path(&[long]).contains("is none: it has 9 steps, and the derivation ends behind 3")
    );
}

#[test]
fn a_part_beside_others_that_the_program_does_not_have_is_told() {
    let ends = |parts: &[Prefix]| {
        Exploration { parts: parts.to_vec(), ..Exploration::default() }.paths(BITS).0
    };
    let beside = ends(&[part(&[0, 0], None), part(&[0, 2], None)]);
    assert!(beside.contains("is none: decision 2 is 2"), "{beside}");
    let wrong = ends(&[part(&[0, 0], None), part(&[1], Some(&[5, 0, 0]))]);
    assert!(wrong.contains("is none: its model is none"), "{wrong}");
    assert_eq!(wrong.matches("returns").count(), 2, "{wrong}");
}
