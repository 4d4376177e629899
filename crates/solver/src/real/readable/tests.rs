use super::*;

fn numbers(low: f64, high: f64, count: usize) -> Vec<f64> {
    let ranks = readable(Kind::Double, (low.rank(), high.rank()));
    ranks.into_iter().take(count).map(f64::of_rank).collect()
}

#[test]
fn simple_numbers_come_first() {
    assert_eq!(numbers(f64::NEG_INFINITY, f64::INFINITY, 5), [0.0, 1.0, -1.0, 2.0, -2.0]);
    assert_eq!(numbers(0.3, 0.9, 2), [0.5, 0.75]);
}

#[test]
fn numbers_between_others_have_few_digits() {
    assert_eq!(numbers(18.5f64.next_up(), 25.0, 2), [20.0, 19.0]);
    assert_eq!(numbers(18.5f64.next_up(), 18.9, 1), [18.6]);
    assert_eq!(numbers(-0.0123, -0.0119, 1), [-0.012]);
    let (one, next) = (1.1f64.next_up(), 1.1f64.next_up().next_up());
    assert_eq!(numbers(one, next, 5).len(), 2, "both, and nothing else");
}

#[test]
fn all_are_within_the_interval_and_each_is_there_once() {
    for (low, high) in [(0.0, 0.0), (-0.0, 0.0), (1e300, f64::INFINITY), (-5.5, 1e-310)] {
        let interval = (low.rank(), high.rank());
        let mut ranks = readable(Kind::Double, interval);
        assert!(ranks.iter().all(|rank| (interval.0..=interval.1).contains(rank)));
        let count = ranks.len();
        ranks.sort_unstable();
        ranks.dedup();
        assert_eq!(ranks.len(), count);
    }
}

#[test]
fn what_is_beside_a_number_compares_so() {
    for number in [0.0, -0.0, 18.5, -1e-320, f64::MAX, f64::NEG_INFINITY] {
        for (comparison, expected) in
            [(Comparison::Less, -1), (Comparison::Equal, 0), (Comparison::Greater, 1)]
        {
            for rank in beside(Kind::Double, comparison, number.rank()) {
                let compared = f64::of_rank(rank).partial_cmp(&number).unwrap() as i64;
                assert_eq!(compared, expected, "{comparison:?} {number}");
            }
        }
    }
    assert!(beside(Kind::Double, Comparison::Greater, f64::INFINITY.rank()).is_empty());
    assert!(beside(Kind::Float, Comparison::Equal, f32::RANK_OF_NAN).is_empty());
}
