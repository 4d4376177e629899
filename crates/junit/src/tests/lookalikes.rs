//! Strings of the program under test that look like source, and names that look as if they were made up.

use expect_test::expect;

use super::{Given, list};

#[test]
fn a_parameter_may_be_called_argument() {
    let mut given = Given::new("junit", "LooksLikeSource", "count");
    let heap = &mut given.solution.heap;
    let text = heap.add_string("a");
    given.solution.arguments = vec![heap.add(list(&[text]))];
    given.solution.output.value = Some(petrel_value::Value::Int(1));
    given.check(&expect![[r#"
        @Test
        void countReturns1() {
            List<String> argument = new ArrayList<>();
            argument.add("a");
            assertEquals(1, LooksLikeSource.count(argument));
        }
    "#]]);
}
