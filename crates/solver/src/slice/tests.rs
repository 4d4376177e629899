use petrel_clp::Comparison;

use super::*;
use crate::store::Store;
use crate::testing::{ADD, int};

#[test]
fn slices_are_connected_by_shared_unknowns() {
    let mut store = Store::new();
    let x: Vec<Expr> =
        (0..6).map(|number| store.unknown(int(&format!("x{number}"), -6, 6))).collect();
    let sum = store.apply(ADD, x[4], x[1]);
    let less = |left, right| Constraint::int(left, Comparison::Less, right);
    let constraints = [
        less(x[0], x[2]),
        less(sum, Expr::Constant(3)),
        less(x[5], Expr::Constant(2)),
        less(x[2], Expr::Constant(5)),
        less(sum, x[5]),
    ];
    let all = Conjunction { known: &constraints[..4], more: Some(&constraints[4]) };
    let terms = |numbers: &[usize]| numbers.iter().filter_map(|&at| x[at].term()).collect();
    let first = Slice { unknowns: terms(&[0, 2]), constraints: vec![0, 3] };
    let second = Slice { unknowns: terms(&[1, 4, 5]), constraints: vec![1, 2, 4] };
    let mut slicer = Slicer::default();
    let slices = slicer.slices(store.terms(), all);
    assert_eq!(slices, [first.clone(), second.clone()]);
    let mut slice = Slice::default();
    slicer.slice_of(store.terms(), all, 3, &mut slice);
    assert_eq!(slice, first);
    slicer.slice_of(store.terms(), all, 2, &mut slice);
    assert_eq!(slice, second);
    let third = Slice { unknowns: terms(&[5]), constraints: vec![2] };
    let slices = slicer.slices(store.terms(), Conjunction { more: None, ..all });
    assert_eq!(slices.len(), 3);
    assert_eq!(slices[2], third);
}
