//! Whole files on hand-made data.

#[test]
fn files_are_known_by_their_first_line() {
    assert!(crate::is_ours(&format!("{}\nclass A {{ }}\n", crate::MARK)));
    assert!(!crate::is_ours("class A { }\n"));
    assert!(!crate::is_ours(""));
}
