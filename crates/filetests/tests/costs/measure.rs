//! What the JVM tells of the costs of calls is what can be counted by hand: instructions in what
//! `javap -c` prints, bytes by the object layout of 64-bit HotSpot. Every test runs on each JDK.

use std::path::PathBuf;
use std::time::Duration;

use petrel_classfile::JavaType;
use petrel_classpath::Jdk;
use petrel_filetests::jvm::Jdks;
use petrel_filetests::jvmti;
use petrel_filetests::world::root;
use petrel_replay::{
    After, Call, Isolation, Measure, Measured, MethodName, Outcome, Replay, ReplayError,
    ReplayOptions,
};
use petrel_value::{FieldValue, Object, Value};

const OBJECT: &str = "Ljava/lang/Object;";

fn class_folder(topic: &str, class: &str) -> PathBuf {
    let folder = root().join("build").join("fixtures").join(topic);
    let is_built = folder.join(format!("{class}.class")).is_file();
    assert!(is_built, "{class} is missing; `make fixtures` builds it");
    folder
}

fn execution(jdk: &Jdk) -> Measure {
    Measure::Execution { agent: jvmti::agent(jdk).unwrap_or_else(|error| panic!("{error}")) }
}

fn allocation(_: &Jdk) -> Measure {
    Measure::Allocation
}

fn options(jdk: &Jdk, measure: Measure) -> ReplayOptions {
    ReplayOptions {
        class_path: vec![class_folder("costs", "Measured")],
        // Less than some calls allocate.
        heap_megabytes: 64,
        time_limit: Duration::from_secs(60),
        measure,
        ..ReplayOptions::new(jdk)
    }
}

fn with_each_jdk(measure: fn(&Jdk) -> Measure, test: impl Fn(&mut Replay)) {
    for jdk in Jdks::find().iter() {
        let replay = Replay::start(options(jdk, measure(jdk)));
        test(&mut replay.unwrap_or_else(|error| panic!("{error}")));
    }
}

/// A call of a static method of the fixture, in a world of its own.
fn call(method: &str, descriptor: &str, arguments: &[i32]) -> Call {
    Call {
        arguments: arguments.iter().map(|argument| Value::Int(*argument)).collect(),
        isolation: Isolation::Fresh,
        ..Call::new("Measured", method, descriptor)
    }
}

/// A call on a new object of a nested class, without fields that matter.
fn call_on(method: &str, parameter: &str, class: &str) -> Call {
    let mut call = call(method, &format!("(LMeasured${parameter};)I"), &[]);
    let object = Object::Instance { class: format!("Measured${class}").into(), fields: Vec::new() };
    call.arguments = vec![call.heap.add(object)];
    call
}

/// A constructor of a nested class.
fn constructor(class: &str, descriptor: &str, arguments: &[i32]) -> Call {
    Call { class: format!("Measured${class}"), ..call("<init>", descriptor, arguments) }
}

/// What there is after a call, however it ended.
#[track_caller]
fn after(outcome: Outcome) -> After {
    match outcome {
        Outcome::Returned { after, .. } | Outcome::Threw { after, .. } => after,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn measured(replay: &mut Replay, call: &Call) -> Measured {
    let outcome = replay.call(call).unwrap_or_else(|error| panic!("{error}"));
    after(outcome).measured.expect("it is measured")
}

/// A line for each method: its instructions, and its calls.
fn lines(measured: &Measured) -> Vec<String> {
    let count = |counts: &[(MethodName, u64)], method: &MethodName| {
        counts.iter().find(|(other, _)| other == method).map_or(0, |(_, count)| *count)
    };
    let line = |(method, instructions): &(MethodName, u64)| {
        let calls = count(&measured.calls, method);
        let class = method.class.trim_start_matches("Measured$");
        format!("{class}.{}: {instructions} in {calls}", method.name)
    };
    assert_eq!(measured.instructions.len(), measured.calls.len(), "{measured:?}");
    measured.instructions.iter().map(line).collect()
}

#[track_caller]
fn check_execution(replay: &mut Replay, call: &Call, expected: &[&str]) {
    let measured = measured(replay, call);
    assert_eq!(lines(&measured), expected, "{} {:?}", call.method, call.arguments);
    assert_eq!((measured.allocated_bytes, measured.ended_as_before), (None, true));
}

#[track_caller]
fn check_bytes(replay: &mut Replay, call: &Call, expected: u64) {
    let measured = measured(replay, call);
    assert_eq!(measured.allocated_bytes, Some(expected), "{} {:?}", call.method, call.arguments);
    assert!(measured.ended_as_before, "{} {:?}", call.method, call.arguments);
    assert_eq!((measured.n_instructions(), measured.n_calls()), (0, 0));
}

#[test]
fn every_instruction_counts_once() {
    with_each_jdk(execution, |replay| {
        check_execution(replay, &call("nothing", "()V", &[]), &["Measured.nothing: 1 in 1"]);
        // iload_0 iload_1 iadd iload_0 imul iload_1 isub ireturn
        let straight = call("straight", "(II)I", &[5, 3]);
        check_execution(replay, &straight, &["Measured.straight: 8 in 1"]);
        // wide iinc, iload_0 ireturn
        check_execution(replay, &call("farStep", "(I)I", &[1]), &["Measured.farStep: 3 in 1"]);
        // iload_0 lookupswitch bipush ireturn, or iconst_0 ireturn
        for value in [7, 3] {
            let choose = call("choose", "(I)I", &[value]);
            check_execution(replay, &choose, &["Measured.choose: 4 in 1"]);
        }
        // 4 to set the variables; 3 to test and 6 to repeat for each number; 3 to test, iload_1 ireturn
        check_execution(replay, &call("sum", "(I)I", &[0]), &["Measured.sum: 9 in 1"]);
        check_execution(replay, &call("sum", "(I)I", &[4]), &["Measured.sum: 45 in 1"]);
    });
}

#[test]
fn the_same_instruction_in_one_call_after_the_other_counts_each_time() {
    with_each_jdk(execution, |replay| {
        // iload_0 ifgt iload_0 iconst_1 isub invokestatic for 2 and 1, iload_0 ifgt iconst_0 goto for 0,
        // and ireturn for each of them
        let last = Call { class: "Recursions".to_owned(), ..call("last", "(I)I", &[2]) };
        check_execution(replay, &last, &["Recursions.last: 19 in 3"]);
    });
}

#[test]
fn calls_count_for_the_method_that_runs() {
    with_each_jdk(execution, |replay| {
        // 9 + 2 * 9, and 9 + 3 * 9
        let expected = ["Measured.sum: 63 in 2", "Measured.sums: 8 in 1"];
        check_execution(replay, &call("sums", "(I)I", &[2]), &expected);
        // 11 for each of 5, 4, 3, 2; iload_0 iconst_2 if_icmpge lconst_1 goto lreturn for 1
        let factorial = call("factorial", "(I)J", &[5]);
        check_execution(replay, &factorial, &["Measured.factorial: 50 in 5"]);
        // `area` and `twice` have 6 instructions each; `twice` calls `area` two times
        let expected = ["Measured.useShape: 6 in 1", "Shape.twice: 6 in 1", "Square.area: 18 in 3"];
        check_execution(replay, &call_on("useShape", "Shape", "Square"), &expected);
        // iconst_1 ireturn
        let expected = ["Measured.useShape: 6 in 1", "Shape.twice: 6 in 1", "Unit.area: 6 in 3"];
        check_execution(replay, &call_on("useShape", "Shape", "Unit"), &expected);
        let expected = ["Measured.useSquare: 3 in 1", "Unit.area: 2 in 1"];
        check_execution(replay, &call_on("useSquare", "Square", "Unit"), &expected);
        // The class that the JDK makes for the lambda does not count.
        let expected = ["Measured.lambda$useLambda$0: 4 in 1", "Measured.useLambda: 7 in 1"];
        check_execution(replay, &call("useLambda", "(I)I", &[3]), &expected);
        // Neither do those that join strings.
        let greet = call("greet", "(I)Ljava/lang/String;", &[3]);
        check_execution(replay, &greet, &["Measured.greet: 3 in 1"]);
    });
}

#[test]
fn constructors_and_exceptions_count() {
    with_each_jdk(execution, |replay| {
        // new dup iconst_1 invokespecial areturn; aload_0 invokespecial aload_0 iload_1 putfield return
        let expected = ["Measured.newPair: 5 in 1", "Pair.<init>: 6 in 1"];
        check_execution(replay, &call("newPair", &format!("(){OBJECT}"), &[]), &expected);
        let expected = ["Pair.<init>: 6 in 1", "Triple.<init>: 7 in 1"];
        check_execution(replay, &constructor("Triple", "()V", &[]), &expected);
        // The instruction that throws counts: iload_0 iload_1 idiv
        check_execution(replay, &call("divide", "(II)I", &[1, 0]), &["Measured.divide: 3 in 1"]);
        // bipush iload_0 invokestatic, and astore_1 iconst_m1 ireturn
        let expected = ["Measured.caught: 6 in 1", "Measured.divide: 3 in 1"];
        check_execution(replay, &call("caught", "(I)I", &[0]), &expected);
        let expected = ["Measured.caught: 4 in 1", "Measured.divide: 4 in 1"];
        check_execution(replay, &call("caught", "(I)I", &[5]), &expected);
        // new dup invokespecial athrow; aload_0 ldc invokespecial return
        let expected = ["Measured.fail: 4 in 1", "Failure.<init>: 4 in 1"];
        check_execution(replay, &call("fail", "()V", &[]), &expected);
        check_execution(replay, &call("failAgain", "()J", &[]), &["Measured.failAgain: 2 in 1"]);
    });
}

#[test]
fn initialisers_are_told_and_do_not_count() {
    with_each_jdk(execution, |replay| {
        let check = |replay: &mut Replay, call: &Call, expected: &[&str], classes: &[&str]| {
            let measured = measured(replay, call);
            assert_eq!(lines(&measured), expected);
            assert_eq!(measured.initialised, classes);
        };
        let initialised = call("initialised", "(I)I", &[3]);
        let expected = ["Measured.initialised: 4 in 1"];
        check(replay, &initialised, &expected, &["Measured$Table"]);
        let shared = Call { isolation: Isolation::Shared, ..initialised };
        check(replay, &shared, &expected, &["Measured$Table"]);
        check(replay, &shared, &expected, &[]);
        let new = call("newCounted", &format!("(){OBJECT}"), &[]);
        let expected = ["Measured.newCounted: 4 in 1", "Counted.<init>: 10 in 1"];
        check(replay, &new, &expected, &["Measured$Counted", "Measured$Table"]);
        // getstatic astore_0 iconst_m1 ireturn
        let survive = call("surviveBroken", "()I", &[]);
        check(replay, &survive, &["Measured.surviveBroken: 4 in 1"], &["Measured$Broken"]);
    });
}

/// The cases of Fig. 5 of "Resource-driven CLP-based Test Case Generation": four multiples in an array
/// that grows twice, one of two numbers in an array that is large enough, and four multiples in an array
/// that grows once.
#[test]
fn the_example_of_the_paper_has_the_instructions_counted_by_hand() {
    let cases = [
        (&[0, 0, 0, 0][..], 1, 250),
        // multiples: 7, 17 and 12 for the numbers, 4, 2; the constructor: 16; add: 17
        (&[0, 1], 4, 75),
        (&[0, 0, 0, 0], 3, 227),
    ];
    with_each_jdk(execution, |replay| {
        for (numbers, capacity, expected) in cases {
            let mut multiples = call("multiples", "([III)LVector;", &[2, capacity]);
            let numbers = numbers.iter().map(|number| Value::Int(*number)).collect();
            let numbers = multiples.heap.add_array(JavaType::Int, numbers);
            multiples.arguments.insert(0, numbers);
            multiples.class = "Vector".to_owned();
            multiples.class_path = Some(vec![class_folder("papers", "Vector")]);
            assert_eq!(measured(replay, &multiples).n_instructions(), expected);
        }
    });
}

#[test]
fn counting_goes_on_after_an_overflow_of_the_stack() {
    with_each_jdk(execution, |replay| {
        let outcome = replay.call(&call("factorial", "(I)J", &[1_000_000]));
        match outcome.expect("the JVM answers") {
            Outcome::Threw { class, after, .. } => {
                assert_eq!(class, "java/lang/StackOverflowError");
                let calls = after.measured.expect("it is measured").n_calls();
                assert!((100..1_000_000).contains(&calls), "{calls}");
            }
            other => panic!("{other:?}"),
        }
        check_execution(replay, &call("sum", "(I)I", &[4]), &["Measured.sum: 45 in 1"]);
        assert_eq!(replay.starts(), 1);
    });
}

#[test]
fn an_agent_that_is_not_there_is_an_error() {
    let jdk = petrel_filetests::world::jdk();
    let measure = Measure::Execution { agent: root().join("missing.so") };
    match Replay::start(options(&jdk, measure)) {
        Err(ReplayError::Start { message }) => assert!(message.contains("missing.so"), "{message}"),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it starts"),
    }
}

#[test]
fn what_allocates_nothing_has_no_bytes() {
    with_each_jdk(allocation, |replay| {
        check_bytes(replay, &call("nothing", "()V", &[]), 0);
        // Their results are boxes only for the harness.
        check_bytes(replay, &call("straight", "(II)I", &[5000, 3]), 0);
        check_bytes(replay, &call("factorial", "(I)J", &[20]), 0);
        check_bytes(replay, &call("caught", "(I)I", &[1]), 0);
        check_bytes(replay, &call_on("useShape", "Shape", "Square"), 0);
        // What is made once and kept belongs to no call.
        check_bytes(replay, &call("initialised", "(I)I", &[3]), 0);
        check_bytes(replay, &call("constant", "()Ljava/lang/String;", &[]), 0);
        check_bytes(replay, &call("box", "(I)Ljava/lang/Integer;", &[5]), 0);
        check_bytes(replay, &call("failAgain", "()J", &[]), 0);
        // The object that a constructor gets is the caller's.
        check_bytes(replay, &constructor("Triple", "()V", &[]), 0);
    });
}

/// A header has 12 bytes, a reference 4, the start of an array 16; sizes are multiples of 8.
#[test]
fn objects_and_arrays_have_the_bytes_of_their_layout() {
    with_each_jdk(allocation, |replay| {
        let objects = [
            ("newEmpty", 16),  // 12
            ("newPair", 24),   // 12 + 4 + 4
            ("newMixed", 24),  // 12 + 1, and 8 from 16 on
            ("newTriple", 24), // 12 + 4 + 4 + 4
        ];
        for (method, bytes) in objects {
            check_bytes(replay, &call(method, &format!("(){OBJECT}"), &[]), bytes);
        }
        let arrays = [
            ("newInts", "I", 0, 16),
            ("newInts", "I", 1, 24),
            ("newInts", "I", 3, 32),
            ("newBytes", "B", 8, 24),
            ("newBytes", "B", 9, 32),
            ("newLongs", "J", 2, 32),
            ("newObjects", OBJECT, 5, 40), // 16 + 20
            ("newRows", "[[I", 3, 104),    // 16 + 12 is 32, and 3 times 16 + 8
        ];
        for (method, component, length, bytes) in arrays {
            check_bytes(replay, &call(method, &format!("(I)[{component}"), &[length]), bytes);
        }
        // 16 + 8, and 2 times 16 + 12
        check_bytes(replay, &call("newGrid", "(II)[[I", &[2, 3]), 88);
        // 12 + 4, and 16 + 12
        check_bytes(replay, &call("newOwner", &format!("(I){OBJECT}"), &[3]), 48);
        check_bytes(replay, &constructor("Owner", "(I)V", &[3]), 32);
        check_bytes(replay, &call("box", "(I)Ljava/lang/Integer;", &[1000]), 16);
        // 12 + 4 for what the lambda captures
        check_bytes(replay, &call("useLambda", "(I)I", &[3]), 16);
        // A string has 24 bytes and an array: "number 3" 16 + 8
        check_bytes(replay, &call("greet", "(I)Ljava/lang/String;", &[3]), 48);
    });
}

#[test]
fn exceptions_have_the_bytes_of_objects_and_messages() {
    with_each_jdk(allocation, |replay| {
        // A throwable without fields of its own: 12 + 6 * 4
        check_bytes(replay, &call("fail", "()V", &[]), 40);
        // The message "/ by zero": 24, and 16 + 9
        check_bytes(replay, &call("divide", "(II)I", &[1, 0]), 96);
        check_bytes(replay, &call("caught", "(I)I", &[0]), 96);
        // The message "-1": 24, and 16 + 2
        check_bytes(replay, &constructor("Owner", "(I)V", &[-1]), 88);
    });
}

#[test]
fn collections_of_garbage_do_not_matter() {
    with_each_jdk(allocation, |replay| {
        for n in [1, 100_000] {
            check_bytes(replay, &call("churn", "(I)I", &[n]), u64::from(n.unsigned_abs()) * 4016);
        }
    });
}

#[test]
fn both_calls_have_the_same_inputs() {
    let mut complete = call("complete", "(LMeasured$Pair;)V", &[]);
    let pair = Object::Instance { class: "Measured$Pair".into(), fields: Vec::new() };
    complete.arguments = vec![complete.heap.add(pair)];
    let mut next = call("nextArray", "()[I", &[]);
    let field =
        FieldValue { class: "Measured".into(), name: "counter".into(), value: Value::Int(4) };
    next.statics.push(field);
    with_each_jdk(allocation, |replay| {
        check_bytes(replay, &complete, 16);
        // An array of 5: 16 + 20
        check_bytes(replay, &next, 40);
        let without = Call { statics: Vec::new(), ..next.clone() };
        let measured = measured(replay, &without);
        // It is told that the second call made an array of 2, and not of 1, as the first one.
        assert_eq!((measured.allocated_bytes, measured.ended_as_before), (Some(24), false));
        let Ok(Outcome::Returned { value, .. }) = replay.call(&call("next", "()I", &[])) else {
            panic!("it returns");
        };
        assert_eq!(value, Some(Value::Int(1)));
        let said = after(replay.call(&call("say", "()V", &[])).expect("the JVM answers"));
        assert_eq!(said.out.text().trim_end(), "said");
    });
}

#[test]
fn many_calls_cost_the_same() {
    let calls = [
        call("sums", "(I)I", &[2]),
        call("useLambda", "(I)I", &[3]),
        call_on("useShape", "Shape", "Unit"),
        call("caught", "(I)I", &[0]),
        call("newGrid", "(II)[[I", &[2, 3]),
        call("fail", "()V", &[]),
    ];
    let shared = calls.clone().map(|call| Call { isolation: Isolation::Shared, ..call });
    for measure in [execution, allocation] {
        with_each_jdk(measure, |replay| {
            let of_each: Vec<Measured> = calls.iter().map(|call| measured(replay, call)).collect();
            for (calls, rounds) in [(&shared, 1000), (&calls, 50)] {
                let many = std::iter::repeat_n(calls, rounds).flatten();
                let outcomes = replay.call_all(many).expect("the JVM answers");
                for (outcome, expected) in outcomes.into_iter().zip(of_each.iter().cycle()) {
                    assert_eq!(after(outcome).measured.as_ref(), Some(expected));
                }
            }
            assert_eq!(replay.starts(), 1);
        });
    }
}

#[test]
fn nothing_is_measured_unless_it_is_asked_for() {
    with_each_jdk(
        |_| Measure::Nothing,
        |replay| {
            let outcome = replay.call(&call("sum", "(I)I", &[4])).expect("the JVM answers");
            assert_eq!(after(outcome).measured, None);
        },
    );
}
