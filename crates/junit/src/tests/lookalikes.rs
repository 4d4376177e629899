//! Strings of the program under test that look like source, and names that look as if they were made up.

use expect_test::expect;
use petrel_classfile::JavaType;
use petrel_testcase::Outcome;
use petrel_value::{Object, Value};

use super::{Given, call, list, stub};
use crate::JUnit;

fn given(method: &'static str) -> Given {
    Given::new("junit", "LooksLikeSource", method)
}

fn builder(text: Value) -> Object {
    let class = "java/lang/StringBuilder";
    let by = call(class, "<init>", "(Ljava/lang/String;)V", &[text]);
    Object::Built { class: class.into(), by, calls: Vec::new() }
}

#[test]
fn a_parameter_may_be_called_argument() {
    let mut given = given("count");
    let heap = &mut given.solution.heap;
    let text = heap.add_string("a");
    given.solution.arguments = vec![heap.add(list(&[text]))];
    given.solution.output.value = Some(Value::Int(1));
    given.check(&expect![[r#"
        @Test
        void countReturns1() {
            List<String> argument = new ArrayList<>();
            argument.add("a");
            assertEquals(1, LooksLikeSource.count(argument));
        }
    "#]]);
}

#[test]
fn type_arguments_in_a_string_are_none() {
    let mut given = given("length");
    let heap = &mut given.solution.heap;
    let text = heap.add_string("a<b>");
    given.solution.arguments = vec![heap.add(builder(text))];
    given.solution.output.value = Some(Value::Int(4));
    given.check(&expect![[r#"
        @Test
        void lengthReturns4() {
            assertEquals(4, LooksLikeSource.length(new StringBuilder("a<b>")));
        }
    "#]]);
}

#[test]
fn a_diamond_in_a_string_infers_nothing() {
    let mut given = given("find");
    given.solution.arguments = vec![given.solution.heap.add_string("new Foo<>()")];
    given.solution.output.value = Some(Value::Null);
    given.check(&expect![[r#"
        @Test
        void findReturnsNull() {
            assertNull(LooksLikeSource.find("new Foo<>()"));
        }
    "#]]);
}

#[test]
fn parentheses_in_a_string_make_no_cast() {
    let mut given = given("find");
    given.solution.arguments = vec![given.solution.heap.add_string("(Foo) intValue()")];
    given.outcome = Outcome::Throw("java.lang.IllegalStateException".to_owned());
    given.solution.output.message = Some("(".into());
    given.check(&expect![[r#"
        @Test
        void findThrowsIllegalStateException() {
            IllegalStateException thrown = assertThrows(IllegalStateException.class,
                    () -> LooksLikeSource.find("(Foo) intValue()"));
            assertEquals("(", thrown.getMessage());
        }
    "#]]);
}

/// A call before Java 8, with a list, a text, and something that answers.
fn is_next(text: &str, answer: impl FnOnce(&mut Given, Value) -> Value) -> Given {
    let mut given = given("isNext");
    let list = given.solution.heap.add(list(&[]));
    let text = given.solution.heap.add_string(text);
    let text = given.solution.heap.add(builder(text));
    let answer = answer(&mut given, list);
    let source = given.solution.heap.add(stub("LooksLikeSource$Source", &[answer]));
    given.solution.arguments = vec![list, text, source];
    given.solution.output.value = Some(Value::Boolean(true));
    (given.junit, given.java) = (JUnit::Four, 7);
    given
}

#[test]
fn an_assignment_in_a_string_declares_nothing() {
    let given = is_next("somebody said that list = null", |_, list| list);
    given.check(&expect![[r#"
        @Test
        public void isNextReturnsTrue() {
            final List<String> list = new ArrayList<>();
            StringBuilder text = new StringBuilder("somebody said that list = null");
            LooksLikeSource.Source source = new LooksLikeSource.Source() {
                private final Iterator<Object> answers = Arrays.<Object>asList((Object) list).iterator();

                @Override
                public Object next() {
                    return (Object) answers.next();
                }
            };
            assertTrue(LooksLikeSource.isNext(list, text, source));
        }
    "#]]);
}

#[test]
fn variables_within_an_answer_are_final_before_java_8() {
    let given = is_next("", |given, list| {
        let object = JavaType::Object("java/lang/Object".into());
        given.solution.heap.add_array(object, vec![list])
    });
    let written = given.written();
    assert!(written.refused.is_empty(), "{:?}", written.refused);
    let source = &written.source;
    assert!(source.contains("final List<String> list = new ArrayList<>();"), "{source}");
    assert!(source.contains("asList((Object) new Object[] {list})"), "{source}");
}
