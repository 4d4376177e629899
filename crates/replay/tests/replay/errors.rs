//! What is not there, and JVMs that do not work.

use petrel_replay::{Call, Outcome, Replay, ReplayError, measure_throughput};
use petrel_value::Value;

use crate::support::{call, class_folder, options, returned, run, with_each_jdk, with_options};

#[test]
fn what_is_missing_is_named() {
    let check = |replay: &mut Replay, call: &Call, expected: &str| match run(replay, call) {
        Outcome::NotCallable(reason) => assert!(reason.contains(expected), "{reason}"),
        other => panic!("{other:?}"),
    };
    with_each_jdk(|replay| {
        check(replay, &Call::new("a/Missing", "f", "()V"), "there is no class a.Missing");
        check(replay, &Call::new("Values", "missing", "()V"), "Values has no missing()V");
        check(replay, &Call::new("Values", "same", "(I)J"), "Values has no same(I)J");
        check(replay, &Call::new("Values", "same", "nonsense"), "nonsense");
        check(replay, &Call::new("Values", "same", "(La/Missing;)V"), "a.Missing");
        // The harness is not on the class path of calls.
        check(replay, &Call::new("petrel/replay/Calls", "f", "()V"), "there is no class");
        assert_eq!(replay.starts(), 1);
    });
}

#[test]
fn inherited_methods_and_those_of_the_class_library_are_found() {
    with_each_jdk(|replay| {
        let mut sum = Call::new("Shapes$Named", "<init>", "()V");
        let (receiver, after) = returned(run(replay, &sum));
        sum = Call::new("Shapes$Named", "sum", "()I");
        (sum.receiver, sum.heap) = (Some(receiver), after.heap);
        assert_eq!(returned(run(replay, &sum)).0, Value::Int(7));
        let abs = call("java.lang.Math", "abs", "(I)I", &[Value::Int(-3)]);
        assert_eq!(returned(run(replay, &abs)).0, Value::Int(3));
    });
}

#[test]
fn a_call_may_have_a_class_path_of_its_own() {
    let same = call("Values", "same", "(I)I", &[Value::Int(1)]);
    let own = Call { class_path: Some(vec![class_folder().to_owned()]), ..same.clone() };
    with_options(
        |options| options.class_path.clear(),
        |replay| {
            assert!(matches!(run(replay, &same), Outcome::NotCallable(_)));
            assert_eq!(returned(run(replay, &own)).0, Value::Int(1));
        },
    );
}

#[test]
fn a_runtime_is_not_enough() {
    let mut options = options();
    options.java_home = class_folder().to_owned();
    // So that no JDK has compiled the harness for it before.
    options.feature_version = 7;
    let error = Replay::start(options).err().unwrap().to_string();
    assert!(error.contains("has no javac"), "{error}");
}

#[test]
fn a_jvm_that_does_not_start_says_why() {
    let mut options = options();
    options.jvm_options.push("-XX:NoSuchOption=1".into());
    match Replay::start(options) {
        Err(ReplayError::Start { message }) => {
            assert!(message.contains("NoSuchOption"), "{message}")
        }
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it starts"),
    }
}

#[test]
fn throughput_is_measured_on_right_answers() {
    let throughput = measure_throughput(options(), 2_000).unwrap();
    assert_eq!(throughput.right, 2_000);
    assert!(throughput.calls_per_second() > 0.0);
}
