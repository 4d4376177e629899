//! However a call ends, it is told, and the next call is not affected.

use std::time::Duration;

use petrel_replay::{Call, Isolation, Outcome, Replay};
use petrel_value::Value;

use crate::support::{call, returned, run, threw, with_each_jdk, with_options};

fn void(method: &str) -> Call {
    Call::new("Endings", method, "()V")
}

/// That the JVM, or its successor, is well.
#[track_caller]
fn check_alive(replay: &mut Replay, starts: usize) {
    let same = call("Values", "same", "(I)I", &[Value::Int(5)]);
    assert_eq!(returned(run(replay, &same)).0, Value::Int(5));
    assert_eq!(replay.starts(), starts);
}

#[test]
fn exceptions_have_a_class_and_perhaps_a_message() {
    with_each_jdk(|replay| {
        let divide = call("Endings", "divide", "(II)I", &[Value::Int(1), Value::Int(0)]);
        let expected = ("java/lang/ArithmeticException".to_owned(), Some("/ by zero".to_owned()));
        assert_eq!(threw(run(replay, &divide)), expected);
        let mut fail = call("Endings", "fail", "(Ljava/lang/String;)V", &[Value::Null]);
        assert_eq!(threw(run(replay, &fail)), ("java/lang/Exception".to_owned(), None));
        fail.arguments = vec![fail.heap.add_string("é: why")];
        assert_eq!(threw(run(replay, &fail)).1.unwrap(), "é: why");
        assert_eq!(threw(run(replay, &void("beRude"))), ("Endings$Rude".to_owned(), None));
        check_alive(replay, 1);
    });
}

#[test]
fn what_was_done_before_an_exception_is_seen() {
    let mut mutate = Call::new("Endings", "mutateAndFail", "([I)I");
    let array = mutate.heap.add_array(petrel_classfile::JavaType::Int, vec![Value::Int(1)]);
    mutate.arguments.push(array);
    with_each_jdk(|replay| {
        let Outcome::Threw { class, after, .. } = run(replay, &mutate) else { panic!() };
        assert_eq!(class, "java/lang/ArrayIndexOutOfBoundsException");
        assert_eq!(after.heap.literal(after.arguments[0]).unwrap(), "{5}");
    });
}

#[test]
fn a_class_that_cannot_be_initialised_throws() {
    with_each_jdk(|replay| {
        let use_broken = Call::new("Endings$Broken", "use", "()V");
        let class = |outcome| threw(outcome).0;
        assert_eq!(class(run(replay, &use_broken)), "java/lang/ExceptionInInitializerError");
        assert_eq!(class(run(replay, &use_broken)), "java/lang/NoClassDefFoundError");
        let fresh = Call { isolation: Isolation::Fresh, ..use_broken };
        assert_eq!(class(run(replay, &fresh)), "java/lang/ExceptionInInitializerError");
    });
}

#[test]
fn endless_loops_time_out() {
    with_options(
        |options| options.time_limit = Duration::from_millis(1500),
        |replay| {
            assert_eq!(run(replay, &void("loop")), Outcome::TimedOut);
            check_alive(replay, 2);
            assert_eq!(run(replay, &void("loopCatchingAll")), Outcome::TimedOut);
            check_alive(replay, 3);
        },
    );
}

#[test]
fn exits_and_halts_are_told_with_their_status() {
    with_each_jdk(|replay| {
        for (n, (method, status)) in (2..).zip([("exit", 3), ("halt", 4), ("exit", 0), ("halt", 0)])
        {
            let end = call("Endings", method, "(I)V", &[Value::Int(status)]);
            assert_eq!(run(replay, &end), Outcome::Exited(status));
            check_alive(replay, n);
        }
    });
}

#[test]
fn calls_that_end_the_process_lose_no_others() {
    let mut calls = Vec::new();
    for n in 0..300 {
        calls.push(call("Values", "same", "(I)I", &[Value::Int(n)]));
        if n % 100 == 50 {
            calls.push(call("Endings", "halt", "(I)V", &[Value::Int(n)]));
        }
        if n % 100 == 70 {
            calls.push(void("loop"));
        }
    }
    with_options(
        |options| options.time_limit = Duration::from_millis(1500),
        |replay| {
            let outcomes = replay.call_all(&calls).unwrap();
            assert_eq!(outcomes.len(), calls.len());
            for (call, outcome) in calls.iter().zip(outcomes) {
                match (&*call.method, &*call.arguments) {
                    ("same", [expected]) => assert_eq!(returned(outcome).0, *expected),
                    ("halt", [Value::Int(n)]) => assert_eq!(outcome, Outcome::Exited(*n & 0xff)),
                    _ => assert_eq!(outcome, Outcome::TimedOut),
                }
            }
            assert_eq!(replay.starts(), 7);
        },
    );
}

#[test]
fn a_call_can_ask_for_a_new_process_after_it() {
    with_each_jdk(|replay| {
        let outcomes = replay.call_all([void("leave"), void("leave")]).unwrap();
        assert!(matches!(&outcomes[..], [Outcome::Returned { .. }, Outcome::Returned { .. }]));
        assert_eq!(replay.starts(), 2);
        check_alive(replay, 3);
    });
}

#[test]
fn the_working_directory_can_be_chosen() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("work");
    std::fs::create_dir_all(&folder).unwrap();
    with_options(
        |options| options.working_directory = Some(folder.clone()),
        |replay| {
            let call = Call::new("Endings", "folder", "()Ljava/lang/String;");
            let (value, after) = returned(run(replay, &call));
            let expected = format!("{:?}", folder.display().to_string());
            assert_eq!(after.heap.literal(value).unwrap(), expected);
        },
    );
}

#[test]
fn recursion_without_end_is_an_exception() {
    with_each_jdk(|replay| {
        let recurse = call("Endings", "recurse", "(I)I", &[Value::Int(0)]);
        assert_eq!(threw(run(replay, &recurse)), ("java/lang/StackOverflowError".to_owned(), None));
        check_alive(replay, 1);
    });
}

#[test]
fn running_out_of_memory_is_an_exception() {
    with_each_jdk(|replay| {
        let class = |outcome| threw(outcome).0;
        let exhaust = Call::new("Endings", "exhaust", "()I");
        assert_eq!(class(run(replay, &exhaust)), "java/lang/OutOfMemoryError");
        check_alive(replay, 1);
        // What fills the memory for ever costs a restart.
        let exhaust = Call::new("Endings", "exhaustForEver", "()I");
        let outcome = run(replay, &exhaust);
        match &outcome {
            Outcome::Died(reason) => assert!(reason.contains("OutOfMemoryError"), "{reason}"),
            _ => assert_eq!(class(outcome), "java/lang/OutOfMemoryError"),
        }
        check_alive(replay, 2);
    });
}

#[test]
fn what_is_printed_is_captured() {
    with_options(
        |options| options.max_output = 100,
        |replay| {
            let mut print = Call::new("Endings", "print", "(Ljava/lang/String;)I");
            let text = print.heap.add_string("zwölf 😀\n");
            print.arguments.push(text);
            for _ in 0..2 {
                let (value, after) = returned(run(replay, &print));
                assert_eq!(value, Value::Int(0));
                assert_eq!(after.out.text(), "zwölf 😀\n");
                assert_eq!(after.err.text().trim_end(), "to err");
                assert!(!after.out.is_cut);
            }
            let much = call("Endings", "printMuch", "(I)V", &[Value::Int(1000)]);
            let Outcome::Returned { after, .. } = run(replay, &much) else { panic!() };
            assert_eq!(after.out.bytes.len(), 100);
            assert!(after.out.is_cut);
            let quiet = run(replay, &call("Values", "same", "(I)I", &[Value::Int(5)]));
            assert_eq!(returned(quiet).1.out.text(), "");
        },
    );
}

#[test]
fn no_call_gets_at_the_protocol() {
    with_each_jdk(|replay| {
        let closed = run(replay, &Call::new("Endings", "closeStreams", "()I"));
        let (value, after) = returned(closed);
        assert_eq!((value, &*after.out.text()), (Value::Int(-1), "before after"));
        run(replay, &void("replaceStreams"));
        check_alive(replay, 1);
        run(replay, &void("abuseDescriptors"));
        check_alive(replay, 1);
        run(replay, &void("leaveThread"));
        run(replay, &void("interrupt"));
        let interrupted = run(replay, &Call::new("Endings", "isInterrupted", "()Z"));
        assert_eq!(returned(interrupted).0, Value::Boolean(false));
        check_alive(replay, 1);
    });
}

#[test]
fn a_process_that_ends_between_calls_is_replaced() {
    with_each_jdk(|replay| {
        run(replay, &call("Endings", "exitLater", "(I)V", &[Value::Int(3)]));
        std::thread::sleep(Duration::from_secs(1));
        check_alive(replay, 2);
    });
}

#[cfg(unix)]
#[test]
fn a_jvm_that_breaks_down_or_stands_still_is_replaced() {
    let signal = |name: &str| {
        let mut signal = Call::new("Endings", "signal", "(Ljava/lang/String;)V");
        let argument = signal.heap.add_string(name);
        signal.arguments.push(argument);
        signal
    };
    with_options(
        |options| {
            options.time_limit = Duration::from_secs(3);
            options.grace = Duration::from_secs(1);
        },
        |replay| {
            match run(replay, &signal("KILL")) {
                Outcome::Died(reason) => assert!(reason.contains("signal: 9"), "{reason}"),
                other => panic!("{other:?}"),
            }
            check_alive(replay, 2);
            // Now its own watchdog cannot report anything.
            assert_eq!(run(replay, &signal("STOP")), Outcome::TimedOut);
            check_alive(replay, 3);
        },
    );
}

#[test]
fn static_state_is_shared_or_fresh() {
    let shared = Call::new("State", "next", "()I");
    let fresh = Call { isolation: Isolation::Fresh, ..shared.clone() };
    with_each_jdk(|replay| {
        let calls = [&shared, &shared, &fresh, &fresh, &shared];
        let outcomes = replay.call_all(calls).unwrap();
        let values: Vec<Value> = outcomes.into_iter().map(|outcome| returned(outcome).0).collect();
        assert_eq!(values, [1, 2, 1, 1, 3].map(Value::Int));
    });
}

#[test]
fn thousands_of_fresh_worlds_fit_into_memory() {
    let mut fresh = Call::new("State", "next", "()I");
    fresh.isolation = Isolation::Fresh;
    with_each_jdk(|replay| {
        for outcome in replay.call_all(std::iter::repeat_n(&fresh, 3_000)).unwrap() {
            assert_eq!(returned(outcome).0, Value::Int(1));
        }
        assert_eq!(replay.starts(), 1);
    });
}
