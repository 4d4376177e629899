//! Test methods on hand-made cases of fixtures, as a developer would see them.

mod lookalikes;
pub(crate) mod terms;

use std::path::Path;
use std::sync::Arc;

use expect_test::{Expect, expect};
use petrel_classfile::JavaType;
use petrel_clp::{Comparison, ToldTrace, Trace};
use petrel_expression::{Expression, Node};
use petrel_program::ResolvedMethod;
use petrel_session::Session;
use petrel_testcase::{
    Case, Observation, Observations, Observer, Outcome, Output, Solution, Subject, Symbolic,
};
use petrel_value::{Call, FieldValue, Heap, Object, Value};

use self::terms::{compare, int, name, own};
use crate::{JUnit, Kind, MARK, Test, TestClass, Written, is_ours, write};

/// The folder is what `make fixtures` builds.
pub(crate) fn fixtures(topic: &str) -> Session {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let folder = root.join("build/fixtures").join(topic);
    Session::open(folder.as_os_str(), None).expect("run: make setup fixtures")
}

/// A case of a method, and the version that it is written for.
struct Given {
    topic: &'static str,
    class: &'static str,
    method: &'static str,
    /// Of the methods of that name, the one whose descriptor starts so.
    parameters: &'static str,
    constraints: Vec<Expression>,
    outcome: Outcome,
    solution: Solution,
    observed: Observations,
    /// Further inputs.
    more: Vec<Solution>,
    junit: JUnit,
    java: u16,
}

/// `a >= b`.
fn a_and_b() -> Expression {
    compare(name("a"), Comparison::GreaterOrEqual, name("b"))
}

impl Given {
    fn new(topic: &'static str, class: &'static str, method: &'static str) -> Given {
        Given {
            topic,
            class,
            method,
            parameters: "(",
            constraints: Vec::new(),
            outcome: Outcome::Return,
            solution: Solution {
                receiver: None,
                arguments: Vec::new(),
                statics: Vec::new(),
                answers: Vec::new(),
                heap: Heap::new(),
                output: Output::default(),
            },
            observed: Observations::default(),
            more: Vec::new(),
            junit: JUnit::Five,
            java: 17,
        }
    }

    fn case(&self) -> Case {
        Case {
            outcome: self.outcome.clone(),
            symbolic: Symbolic::default(),
            condition: self.constraints.iter().map(own).collect(),
            wanted_if: Vec::new(),
            solutions: vec![self.solution.clone()],
            trace: ToldTrace::from(&Trace::free()),
            lines: Vec::new(),
            rules: Vec::new(),
            program_rules: Vec::new(),
            steps: 0,
            costs: Vec::new(),
            unstable_decision: None,
            overflows: Vec::new(),
        }
    }

    fn written(&self) -> Written {
        let session = fixtures(self.topic);
        let class = session.program().class(self.class).unwrap();
        let is_meant = |method: &ResolvedMethod| {
            method.name() == self.method && method.descriptor().starts_with(self.parameters)
        };
        let method = class.methods().find(is_meant).unwrap();
        let case = self.case();
        let test = Test {
            method: &method,
            case: &case,
            solution: &case.solutions[0],
            observed: &self.observed,
            kind: Kind::Ordinary,
            notes: Vec::new(),
            more: self.more.iter().map(|solution| (solution, &self.observed)).collect(),
        };
        let (junit, java) = (self.junit, self.java);
        let tests = vec![test.clone(), test];
        let suffix = "PetrelTest";
        write(
            session.program(),
            &TestClass { class: Arc::clone(&class), junit, suffix, java, tests },
        )
    }

    /// Compares the lines of the first test.
    fn check(&self, expected: &Expect) {
        let written = self.written();
        assert!(written.refused.is_empty(), "{:?}", written.refused);
        let lines: Vec<&str> = written.source.lines().collect();
        let range = &written.tests[0].lines;
        let own = &lines[range.start as usize - 1..range.end as usize - 1];
        let own: Vec<&str> = own.iter().map(|line| line.get(4..).unwrap_or_default()).collect();
        expected.assert_eq(&(own.join("\n") + "\n"));
    }
}

fn call(class: &str, name: &str, descriptor: &str, arguments: &[Value]) -> Call {
    Call {
        class: class.into(),
        name: name.into(),
        descriptor: descriptor.into(),
        arguments: arguments.to_vec(),
    }
}

fn list(elements: &[Value]) -> Object {
    let class = "java/util/ArrayList";
    let add = |&element: &Value| call(class, "add", "(Ljava/lang/Object;)Z", &[element]);
    Object::Built {
        class: class.into(),
        by: call(class, "<init>", "()V", &[]),
        calls: elements.iter().map(add).collect(),
    }
}

fn field(class: &str, name: &str, value: Value) -> FieldValue {
    FieldValue { class: class.into(), name: name.into(), value }
}

fn node(value: i32, next: Value) -> Object {
    let class = "HeapLists$Node";
    let fields = vec![field(class, "value", Value::Int(value)), field(class, "next", next)];
    Object::Instance { class: class.into(), fields }
}

#[test]
fn files_are_known_by_their_first_line() {
    let mut given = Given::new("papers", "Lcm001", "lcm");
    given.solution.arguments = vec![Value::Int(1), Value::Int(0)];
    given.solution.output.value = Some(Value::Int(0));
    let written = given.written();
    assert!(is_ours(&written.source));
    assert!(!is_ours(&written.source.replacen(MARK, "// by hand", 1)));
    assert!(!is_ours(""));
    assert_eq!(written.file, "Lcm001PetrelTest.java");
}

#[test]
fn a_name_that_is_taken_gets_a_number() {
    let mut given = Given::new("papers", "Lcm001", "lcm");
    given.constraints = vec![a_and_b(), compare(name("b"), Comparison::Equal, int(0))];
    given.solution.arguments = vec![Value::Int(1), Value::Int(0)];
    given.solution.output.value = Some(Value::Int(0));
    let names: Vec<String> = given.written().tests.iter().map(|test| test.name.clone()).collect();
    let name = "lcmReturns0WhenAIsAtLeastBAndBIs0";
    assert_eq!(names, [name.to_owned(), format!("{name}_2")]);
    given.check(&expect![[r#"
        @Test
        void lcmReturns0WhenAIsAtLeastBAndBIs0() {
            // a >= b && b == 0
            assertEquals(0, Lcm001.lcm(1, 0));
        }
    "#]]);
}

/// An input of `lcm`, with its result.
fn input_of_lcm(given: &Given, a: i32, b: i32, result: i32) -> Solution {
    let mut solution = given.solution.clone();
    solution.arguments = vec![Value::Int(a), Value::Int(b)];
    solution.output.value = Some(Value::Int(result));
    solution
}

#[test]
fn several_inputs_are_rows_of_one_test() {
    let mut given = Given::new("papers", "Lcm001", "lcm");
    let sides = [0, 7].map(|value| compare(name("b"), Comparison::Equal, int(value)));
    given.constraints = vec![a_and_b(), Expression::new(Node::Any(sides.into()))];
    given.more = vec![input_of_lcm(&given, 2, 0, 0), input_of_lcm(&given, i32::MAX, 0, 0)];
    given.solution = input_of_lcm(&given, 1, 0, 0);
    given.check(&expect![[r#"
        @ParameterizedTest
        @MethodSource("lcmReturns0WhenAIsAtLeastBInputs")
        @DisplayName("a >= b && (b == 0 || b == 7)")
        void lcmReturns0WhenAIsAtLeastB(int a, int b) {
            assertEquals(0, Lcm001.lcm(a, b));
        }

        static Stream<Arguments> lcmReturns0WhenAIsAtLeastBInputs() {
            return Stream.of(
                    Arguments.of(1, 0),
                    Arguments.of(2, 0),
                    Arguments.of(Integer.MAX_VALUE, 0));
        }
    "#]]);
    assert_eq!(given.written().tests[0].n_inputs, 3);
    given.more[0].output.value = Some(Value::Int(5));
    given.constraints = Vec::new();
    given.check(&expect![[r#"
        @ParameterizedTest
        @MethodSource("lcmInputs")
        void lcm(int a, int b, int expected) {
            assertEquals(expected, Lcm001.lcm(a, b));
        }

        static Stream<Arguments> lcmInputs() {
            return Stream.of(
                    Arguments.of(1, 0, 0),
                    Arguments.of(2, 0, 5),
                    Arguments.of(Integer.MAX_VALUE, 0, 0));
        }
    "#]]);
    given.junit = JUnit::Four;
    given.check(&expect![[r#"
        @Test
        public void lcmReturns0() {
            assertEquals(0, Lcm001.lcm(1, 0));
        }
    "#]]);
}

#[test]
fn overflows_are_in_names() {
    let given = Given::new("papers", "Lcm001", "lcm");
    let session = fixtures(given.topic);
    let class = session.program().class(given.class).unwrap();
    let method = class.methods().find(|method| method.name() == given.method).unwrap();
    let solution = input_of_lcm(&given, 1, 0, -3);
    let case = Case { solutions: vec![solution.clone()], ..given.case() };
    let test = Test {
        method: &method,
        case: &case,
        solution: &solution,
        observed: &given.observed,
        kind: Kind::Overflow("int"),
        notes: Vec::new(),
        more: Vec::new(),
    };
    assert_eq!(crate::names::name(&test), "lcmOverflowsIntAndReturnsMinus3");
}

#[test]
fn exceptions_are_caught_by_hand_before_there_are_lambdas() {
    let mut given = Given::new("papers", "Vector", "<init>");
    given.constraints = vec![compare(name("icap"), Comparison::LessOrEqual, int(0))];
    given.solution.arguments = vec![Value::Int(0)];
    given.outcome = Outcome::Throw("java.lang.Exception".to_owned());
    given.solution.output.message = Some("no room".into());
    given.check(&expect![[r#"
        @Test
        void newVectorThrowsExceptionWhenIcapIsAtMost0() {
            // icap <= 0
            Exception thrown = assertThrows(Exception.class, () -> new Vector(0));
            assertEquals("no room", thrown.getMessage());
        }
    "#]]);
    (given.junit, given.java) = (JUnit::Four, 5);
    given.check(&expect![[r#"
        @Test
        public void newVectorThrowsExceptionWhenIcapIsAtMost0() throws Exception {
            // icap <= 0
            Exception thrown = null;
            try {
                new Vector(0);
            } catch (Exception caught) {
                thrown = caught;
            }
            assertNotNull(thrown);
            assertEquals("no room", thrown.getMessage());
        }
    "#]]);
}

#[test]
fn collections_have_the_type_arguments_of_the_parameter() {
    let mut given = Given::new("collections", "ListSmall", "drop");
    let heap = &mut given.solution.heap;
    let (zero, one) =
        (heap.add(Object::Boxed(Value::Int(0))), heap.add(Object::Boxed(Value::Int(1))));
    given.solution.arguments = vec![heap.add(list(&[zero, Value::Null, one]))];
    given.solution.output.value = Some(Value::Int(2));
    let object = JavaType::Object("java/lang/Object".into());
    let seen = &mut given.observed.heap;
    let one = seen.add(Object::Boxed(Value::Int(1)));
    let value = seen.add_array(object, vec![Value::Null, one]);
    let to_array = Observer {
        class: "java/util/Collection".into(),
        name: "toArray".into(),
        descriptor: "()[Ljava/lang/Object;".into(),
    };
    let calls = vec![to_array];
    given.observed.seen.push(Observation { subject: Subject::Argument(0), calls, value });
    given.check(&expect![[r#"
        @Test
        void dropReturns2() {
            List<Integer> list = new ArrayList<>();
            list.add(0);
            list.add(null);
            list.add(1);
            assertEquals(2, ListSmall.drop(list));
            assertEquals(Arrays.asList(null, 1), list);
        }
    "#]]);
}

#[test]
fn objects_come_from_constructors_that_fill_their_fields() {
    let mut given = Given::new("heap", "HeapLists", "length");
    let heap = &mut given.solution.heap;
    let last = heap.add(node(-1, Value::Null));
    given.solution.arguments = vec![heap.add(node(3, last))];
    given.solution.output.value = Some(Value::Int(2));
    given.check(&expect![[r#"
        @Test
        void lengthReturns2() {
            HeapLists.Node list = new HeapLists.Node(3, new HeapLists.Node(-1, null));
            assertEquals(2, HeapLists.length(list));
        }
    "#]]);
}

#[test]
fn cycles_are_closed_by_reflection_and_say_so() {
    let mut given = Given::new("heap", "HeapLists", "hasCycle");
    let heap = &mut given.solution.heap;
    let list = heap.add(node(0, Value::Null));
    if let Some(object) = heap.get_mut(list) {
        *object = node(0, list);
    }
    given.solution.arguments = vec![list];
    given.solution.output.value = Some(Value::Boolean(true));
    assert!(given.written().tests[0].by_reflection.is_some());
    given.check(&expect![[r#"
        @Test
        void hasCycleReturnsTrue() throws Exception {
            // By reflection: no call is known that gives this state of Node.
            HeapLists.Node node = allocate(HeapLists.Node.class);
            setField(HeapLists.Node.class, node, "next", node);
            assertTrue(HeapLists.hasCycle(node));
        }
    "#]]);
}

/// The stub of a type of the fixtures, with answers.
fn stub(of: &str, answers: &[Value]) -> Object {
    let class = format!("{of}$PetrelStub");
    let answer = |&value: &Value| call(&class, "answer$", "(Ljava/lang/Object;)V", &[value]);
    Object::Built {
        class: class.as_str().into(),
        by: call(&class, "<init>", "()V", &[]),
        calls: answers.iter().map(answer).collect(),
    }
}

#[test]
fn a_stub_is_a_lambda_or_an_anonymous_class() {
    let mut given = Given::new("stubs", "ProjectInterfaces", "exchange");
    let heap = &mut given.solution.heap;
    let rate = heap.add(stub("ProjectInterfaces$Rate", &[Value::Int(2), Value::Int(1)]));
    let text = heap.add_string("a\n");
    given.solution.arguments = vec![rate, text, Value::Null, Value::Int(5)];
    given.solution.output.value = Some(Value::Int(10));
    given.check(&expect![[r#"
        @Test
        void exchangeReturns10() {
            Iterator<Integer> rateAnswers = Arrays.asList(2, 1).iterator();
            ProjectInterfaces.Rate rate = a -> rateAnswers.next();
            assertEquals(10, ProjectInterfaces.exchange(rate, "a\n", null, 5));
        }
    "#]]);
    let mut given = Given::new("stubs", "ProjectInterfaces", "alarm");
    let sensor = stub("ProjectInterfaces$Sensor", &[Value::Int(60), Value::Int(60)]);
    given.solution.arguments = vec![given.solution.heap.add(sensor)];
    given.solution.output.value = Some(Value::Boolean(true));
    given.check(&expect![[r#"
        @Test
        void alarmReturnsTrue() {
            ProjectInterfaces.Sensor sensor = new ProjectInterfaces.Sensor() {
                private final Iterator<Object> answers = Arrays.<Object>asList(60, 60).iterator();

                @Override
                int measure() {
                    return (Integer) answers.next();
                }
            };
            assertTrue(ProjectInterfaces.alarm(sensor));
        }
    "#]]);
}

#[test]
fn private_methods_are_called_by_reflection() {
    let mut given = Given::new("strings", "StringParsers", "digit");
    given.solution.arguments = vec![Value::Char(b'7'.into())];
    given.solution.output.value = Some(Value::Int(7));
    given.check(&expect![[r#"
        @Test
        void digitReturns7() throws Throwable {
            // By reflection: StringParsers.digit is not accessible.
            assertEquals(7, ((Integer) call(StringParsers.class, "digit", new Class<?>[] {char.class}, null, '7')).intValue());
        }
    "#]]);
}

#[test]
fn statics_are_set_and_restored() {
    let mut given = Given::new("heap", "HeapStatics", "count");
    let statics = field("HeapStatics", "counter", Value::Int(6));
    given.solution.statics.push(statics);
    given.solution.arguments = vec![Value::Null];
    given.outcome = Outcome::Throw("java.lang.NullPointerException".to_owned());
    given.check(&expect![[r#"
        @Test
        void countThrowsNullPointerException() {
            int savedCounter = HeapStatics.counter;
            HeapStatics.counter = 6;
            try {
                assertThrows(NullPointerException.class, () -> HeapStatics.count(null));
            } finally {
                HeapStatics.counter = savedCounter;
            }
        }
    "#]]);
}

#[test]
fn objects_of_the_class_library_are_never_made_by_reflection() {
    let mut given = Given::new("collections", "ListSmall", "size");
    let object = Object::Instance { class: "java/util/ArrayList".into(), fields: Vec::new() };
    given.solution.arguments = vec![given.solution.heap.add(object)];
    given.solution.output.value = Some(Value::Int(0));
    let written = given.written();
    assert!(written.tests.is_empty());
    assert_eq!(written.refused[0].0, 0);
    assert!(written.refused[0].1.contains("java.util.ArrayList"), "{:?}", written.refused);
}

/// An object without values in its fields, or with some.
fn instance(class: &str, fields: &[(&str, Value)]) -> Object {
    let fields = fields.iter().map(|&(name, value)| field(class, name, value)).collect();
    Object::Instance { class: class.into(), fields }
}

#[test]
fn type_arguments_keep_to_bounds_that_speak_of_themselves() {
    let mut given = Given::new("junit", "BoundedTypes$Sum", "add");
    let sum = instance("BoundedTypes$Sum", &[]);
    given.solution.receiver = Some(given.solution.heap.add(sum));
    given.solution.arguments = vec![Value::Null];
    given.solution.output.value = Some(Value::Int(1));
    given.check(&expect![[r#"
        @Test
        void addReturns1() {
            BoundedTypes.Sum<BoundedTypes.Meter> sum = new BoundedTypes.Sum<>();
            assertEquals(1, sum.add(null));
        }
    "#]]);
    let mut given = Given::new("junit", "BoundedTypes$Switches", "isOn");
    let switches = instance("BoundedTypes$Switches", &[]);
    given.solution.receiver = Some(given.solution.heap.add(switches));
    given.solution.output.value = Some(Value::Boolean(false));
    given.check(&expect![[r#"
        @Test
        void isOnReturnsFalse() {
            BoundedTypes.Switches<TimeUnit> switches = new BoundedTypes.Switches<>();
            assertFalse(switches.isOn());
        }
    "#]]);
}

#[test]
fn types_are_raw_where_no_type_argument_fits() {
    let mut given = Given::new("junit", "BoundedTypes$Chain", "isEmpty");
    let chain = instance("BoundedTypes$Chain", &[]);
    given.solution.receiver = Some(given.solution.heap.add(chain));
    given.solution.output.value = Some(Value::Boolean(true));
    given.check(&expect![[r#"
        @Test
        @SuppressWarnings({"unchecked", "rawtypes"})
        void isEmptyReturnsTrue() {
            BoundedTypes.Chain chain = new BoundedTypes.Chain();
            assertTrue(chain.isEmpty());
        }
    "#]]);
}

#[test]
fn objects_that_a_test_cannot_name_are_made_by_name() {
    let mut given = Given::new("junit", "HiddenTypes", "filled");
    let heap = &mut given.solution.heap;
    let slot = heap.add(instance("HiddenTypes$Slot", &[("value", Value::Int(3))]));
    let of_slots = JavaType::Object("HiddenTypes$Slot".into());
    let slots = heap.add_array(of_slots, vec![slot, Value::Null]);
    let more = heap.add(list(&[slot]));
    let fields = [("first", slot), ("slots", slots), ("more", more)];
    let hidden = heap.add(instance("HiddenTypes", &fields));
    given.solution.receiver = Some(hidden);
    given.solution.output.value = Some(Value::Int(1));
    given.check(&expect![[r#"
        @Test
        void filledReturns1() throws Exception {
            // By reflection: no call is known that gives this state of HiddenTypes.
            HiddenTypes hiddenTypes = allocate(HiddenTypes.class);
            Object first = allocate(load("HiddenTypes$Slot"));
            setField(load("HiddenTypes$Slot"), first, "value", 3);
            setField(HiddenTypes.class, hiddenTypes, "first", first);
            Object[] slots = (Object[]) Array.newInstance(load("HiddenTypes$Slot"), 2);
            slots[0] = first;
            setField(HiddenTypes.class, hiddenTypes, "slots", slots);
            List<Object> more = new ArrayList<>();
            more.add(first);
            setField(HiddenTypes.class, hiddenTypes, "more", more);
            assertEquals(1, hiddenTypes.filled());
        }
    "#]]);
}

#[test]
fn arguments_are_cast_where_javac_has_a_choice() {
    let mut given = Given::new("junit", "Overloads", "size");
    given.parameters = "(Ljava/lang/String;Ljava/util/Collection;";
    given.solution.arguments = vec![Value::Null, Value::Null];
    given.solution.output.value = Some(Value::Int(0));
    given.check(&expect![[r#"
        @Test
        void sizeReturns0() {
            assertEquals(0, Overloads.size(null, (Collection<String>) null));
        }
    "#]]);
    let elements = given.solution.heap.add(list(&[]));
    given.solution.arguments = vec![Value::Null, elements];
    given.check(&expect![[r#"
        @Test
        void sizeReturns0() {
            Collection<String> elements = new ArrayList<>();
            assertEquals(0, Overloads.size(null, elements));
        }
    "#]]);
    let mut given = Given::new("junit", "Overloads", "twice");
    given.parameters = "(Ljava/lang/Number;";
    given.solution.arguments = vec![given.solution.heap.add(Object::Boxed(Value::Int(2)))];
    given.solution.output.value = Some(Value::Int(4));
    given.check(&expect![[r#"
        @Test
        void twiceReturns4() {
            assertEquals(4, Overloads.twice(Integer.valueOf(2)));
        }
    "#]]);
}

#[test]
fn a_variable_is_what_its_array_has_and_not_what_is_in_it() {
    let mut given = Given::new("junit", "BoundedTypes", "last");
    let heap = &mut given.solution.heap;
    let flags = heap.add_array(JavaType::Boolean, vec![Value::Boolean(true)]);
    let object = JavaType::Object("java/lang/Object".into());
    given.solution.arguments = vec![heap.add_array(object, vec![flags, Value::Null])];
    given.solution.output.value = Some(Value::Null);
    given.check(&expect![[r#"
        @Test
        void lastReturnsNull() {
            Object[] array = new Object[] {new boolean[] {true}, null};
            assertNull(BoundedTypes.last(array));
        }
    "#]]);
}

#[test]
fn variables_of_anonymous_classes_are_final_before_java_8() {
    let mut given = Given::new("junit", "BoundedTypes", "drain");
    let heap = &mut given.solution.heap;
    let meter = heap.add(instance("BoundedTypes$Meter", &[("length", Value::Int(3))]));
    let source = stub("BoundedTypes$Source", &[Value::Int(2), meter, meter]);
    given.solution.arguments = vec![heap.add(source)];
    given.solution.output.value = Some(Value::Int(6));
    (given.junit, given.java) = (JUnit::Four, 7);
    let written = given.written();
    assert!(written.refused.is_empty(), "{:?}", written.refused);
    let declared = "final BoundedTypes.Meter answer = new BoundedTypes.Meter(3);";
    assert!(written.source.contains(declared), "{}", written.source);
}
