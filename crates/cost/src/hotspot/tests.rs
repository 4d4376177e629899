use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;

const VERSIONS: [u16; 3] = [8, 14, 15];

/// A hierarchy: for each class the descriptors of its fields, `L` for a reference.
fn levels(hierarchy: &[&str]) -> Vec<Level> {
    let level = |fields: &&str| Level {
        fields: fields.split("").filter(|f| !f.is_empty()).map(Field::of_descriptor).collect(),
        ..Level::default()
    };
    hierarchy.iter().map(level).collect()
}

/// Before and since gaps are filled.
fn sizes(hierarchy: &[&str]) -> [i64; 2] {
    [14, 15].map(|version| size_of(&levels(hierarchy), version))
}

#[test]
fn one_class_has_the_same_size_in_all_releases() {
    for (fields, expected) in [
        ("", 16),
        ("B", 16),
        ("I", 16),
        ("L", 16),
        ("J", 24),
        ("JI", 24),
        ("JBBBB", 24),
        ("JBBBBB", 32),
        ("JLB", 32),
        ("JSB", 24),
        ("BL", 24),
        ("ZBCSIJFDL", 48),
        ("BBBBB", 24),
    ] {
        assert_eq!(sizes(&[fields]), [expected; 2], "{fields}");
    }
}

#[test]
fn old_releases_leave_the_gaps_of_superclasses() {
    assert_eq!(sizes(&["B", "B"]), [24, 16]);
    assert_eq!(sizes(&["J", "I"]), [32, 24]);
    assert_eq!(sizes(&["JB", "S"]), [32, 24]);
    assert_eq!(sizes(&["B", "B", "B", "B"]), [32, 16]);
}

#[test]
fn the_smallest_gap_is_filled() {
    // The long of the second class leaves 3 bytes free, of which the short takes 2; that of the fifth
    // leaves 4. The byte takes the single byte, so that the int at the end finds all four.
    assert_eq!(sizes(&["B", "J", "S", "I", "J", "B", "I"]), [48, 40]);
}

#[test]
fn some_old_classes_start_with_references() {
    let mut hierarchy = levels(&["", "LJ"]);
    assert_eq!(size_of(&hierarchy, 8), 24);
    hierarchy[1].has_references_first = true;
    assert_eq!(size_of(&hierarchy, 8), 24);
    hierarchy[1] = Level { has_references_first: true, ..levels(&["LLJ"])[0].clone() };
    assert_eq!(size_of(&hierarchy, 8), 32);
    hierarchy[1] = Level { has_references_first: true, ..levels(&["JI"])[0].clone() };
    assert_eq!((size_of(&hierarchy, 8), size_of(&hierarchy, 17)), (32, 24));
}

#[test]
fn contended_fields_have_space_around_them() {
    let alone = Field { group: Group::Alone, ..Field::of_descriptor("I") };
    let named = Field { group: Group::Named("g"), ..Field::of_descriptor("I") };
    let of = |fields: Vec<Field>| {
        VERSIONS.map(|version| {
            size_of(&[Level { fields: fields.clone(), ..Level::default() }], version)
        })
    };
    assert_eq!(of(vec![alone]), [272; 3]);
    assert_eq!(of(vec![named, named]), [280; 3]);
    assert_eq!(of(vec![alone, alone]), [408; 3], "each has its own space");
    let class = Level { is_contended: true, ..levels(&["I"])[0].clone() };
    assert_eq!(VERSIONS.map(|version| size_of(std::slice::from_ref(&class), version)), [272; 3]);
    let subclass = levels(&["B"])[0].clone();
    let hierarchy = [class, subclass];
    assert_eq!(VERSIONS.map(|version| size_of(&hierarchy, version)), [280; 3]);
}

#[test]
fn array_elements_have_the_size_of_their_type() {
    for (class, element) in [("[Z", 1), ("[C", 2), ("[F", 4), ("[D", 8), ("[[D", 4), ("[La/B;", 4)]
    {
        assert_eq!(array_cost(class).per_element, element, "{class}");
    }
}

fn hierarchies() -> impl Strategy<Value = Vec<String>> {
    let field = select(vec!["Z", "B", "C", "S", "I", "F", "J", "D", "L"]);
    let class = vec(field, 0..7).prop_map(|fields| fields.concat());
    vec(class, 1..6)
}

proptest! {
    #[test]
    fn a_size_is_that_of_header_and_fields_with_little_waste(
        hierarchy in hierarchies(),
        version in select(VERSIONS.to_vec()),
    ) {
        let hierarchy: Vec<&str> = hierarchy.iter().map(String::as_str).collect();
        let levels = levels(&hierarchy);
        let size = size_of(&levels, version);
        let fields: i64 = levels.iter().flat_map(|level| &level.fields).map(|f| f.size).sum();
        prop_assert_eq!(size % 8, 0);
        prop_assert!(size >= HEADER + fields);
        // A class wastes at most 7 bytes before its first long, and 3 before its references.
        let waste = 10 * i64::try_from(levels.len()).unwrap();
        prop_assert!(size <= align_up(HEADER + fields + waste, 8));
    }

    #[test]
    fn the_order_of_fields_plays_no_role(
        hierarchy in hierarchies(),
        version in select(VERSIONS.to_vec()),
    ) {
        let forwards: Vec<&str> = hierarchy.iter().map(String::as_str).collect();
        let reversed: Vec<String> =
            hierarchy.iter().map(|fields| fields.chars().rev().collect()).collect();
        let backwards: Vec<&str> = reversed.iter().map(String::as_str).collect();
        prop_assert_eq!(size_of(&levels(&forwards), version), size_of(&levels(&backwards), version));
    }

    #[test]
    fn a_subclass_is_never_smaller(
        hierarchy in hierarchies(),
        version in select(VERSIONS.to_vec()),
    ) {
        let hierarchy: Vec<&str> = hierarchy.iter().map(String::as_str).collect();
        let levels = levels(&hierarchy);
        let sizes: Vec<i64> =
            (0..=levels.len()).map(|depth| size_of(&levels[..depth], version)).collect();
        prop_assert!(sizes.is_sorted());
    }

    #[test]
    fn filling_gaps_never_needs_more_space(hierarchy in hierarchies()) {
        let hierarchy: Vec<&str> = hierarchy.iter().map(String::as_str).collect();
        let levels = levels(&hierarchy);
        prop_assert!(size_of(&levels, 15) <= size_of(&levels, 14));
    }
}
