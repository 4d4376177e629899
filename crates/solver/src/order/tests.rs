use super::*;
use crate::testing::int;

#[test]
fn every_value_comes_once_the_small_ones_first() {
    for (low, high) in [(-3, 3), (-3, 9), (-9, 3), (0, 5), (-5, 0), (2, 6), (-6, -2), (4, 4)] {
        let mut order = Order::new(&int("x", -100, 100), (low, high));
        let values = order.first(100).to_vec();
        let mut expected: Vec<i64> = (low..=high).collect();
        expected.sort_by_key(|value| (value.abs(), *value < 0));
        assert_eq!(values, expected);
        assert_eq!(order.len(), expected.len() as u64);
    }
}

#[test]
fn ranges_may_be_as_large_as_can_be() {
    let mut order = Order::new(&int("x", i64::MIN, i64::MAX), (i64::MIN, i64::MAX));
    assert_eq!(order.first(5), [0, 1, -1, 2, -2]);
    assert_eq!(order.len(), u64::MAX);
    let mut order = Order::new(&int("x", i64::MIN, i64::MAX), (i64::MIN, 0));
    assert_eq!(order.first(3), [0, -1, -2]);
    let mut order = Order::new(&int("x", 0, i64::MAX), (i64::MAX - 1, i64::MAX));
    assert_eq!(order.first(3), [i64::MAX - 1, i64::MAX]);
}

#[test]
fn every_character_comes_once_the_readable_ones_first() {
    let mut order = Order::new(&int("c", 0, 0xFFFF), (0, 0xFFFF));
    let mut values = order.first(0x10000).to_vec();
    assert_eq!(values[0], i64::from(b'a'));
    assert_eq!(values[26], i64::from(b'A'));
    assert_eq!(values[52], i64::from(b'0'));
    values.sort_unstable();
    assert_eq!(values, (0..0x10000).collect::<Vec<_>>());
    let mut some = Order::new(&int("c", 0, 0xFFFF), (0x3F, 0x62));
    assert_eq!(some.first(4), [0x61, 0x62, 0x41, 0x42]);
}
