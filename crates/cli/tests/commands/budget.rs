//! Budgets and time hold, whatever the class does; signals and readers that are gone end a command in order. Times are
//! asserted with room for a busy machine: what took for ever before takes seconds.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use petrel_classfile::writer::{ClassWriter, CodeWriter};
use petrel_classfile::{flags, op};
use petrel_filetests::petrel::{Finished, Petrel};
use petrel_filetests::scratch::Scratch;
use petrel_filetests::world::root;
use serde_json::Value;

const STATIC: u16 = flags::PUBLIC | flags::STATIC;
/// What takes longer than this beyond its time does not end.
const ROOM: Duration = Duration::from_secs(20);

fn petrel(arguments: &[&str]) -> Finished {
    Petrel::new(env!("CARGO_BIN_EXE_petrel")).run(arguments)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A folder with a class.
fn assembled(folder: &Path, name: &str, write: impl FnOnce(&mut ClassWriter)) -> PathBuf {
    let classes = folder.join("classes");
    fs::create_dir_all(&classes).unwrap();
    let access = flags::PUBLIC | flags::SUPER;
    let mut class = ClassWriter::new(access, name, "java/lang/Object", &[]);
    write(&mut class);
    fs::write(classes.join(format!("{name}.class")), class.finish().unwrap()).unwrap();
    classes
}

/// `x > 3 ? 1 : 0`.
fn compare(code: &mut CodeWriter<'_>) {
    let small = code.label();
    code.local(op::ILOAD, 0).int(3).jump(op::IF_ICMPLE, small).int(1).op(op::IRETURN);
    code.place(small).int(0).op(op::IRETURN);
}

/// `static int n; static { while (true) n++; }`.
fn endless(folder: &Path, name: &str) -> PathBuf {
    assembled(folder, name, |class| {
        class.field(flags::STATIC, "n", "I");
        class.method(flags::STATIC, "<clinit>", "()V", 0, |code| {
            let again = code.label();
            code.place(again).field(op::GETSTATIC, name, "n", "I").int(1).op(op::IADD);
            code.field(op::PUTSTATIC, name, "n", "I").jump(op::GOTO, again);
        });
        class.method(STATIC, "positive", "(I)I", 1, compare);
    })
}

/// Thousands of ifs, one behind the other.
fn thousands_of_ifs(folder: &Path) -> PathBuf {
    assembled(folder, "Ifs", |class| {
        class.method(STATIC, "many", "(II)I", 3, |code| {
            code.int(0).local(op::ISTORE, 2);
            for number in 0..3_500 {
                let small = code.label();
                code.local(op::ILOAD, 0).int(number * 3).jump(op::IF_ICMPLE, small);
                code.local(op::ILOAD, 2).local(op::ILOAD, 1).op(op::IADD).local(op::ISTORE, 2);
                code.place(small);
            }
            code.local(op::ILOAD, 2).op(op::IRETURN);
        });
    })
}

/// The account of a run that ends within its time.
#[track_caller]
fn account(folder: &Path, classes: &Path, more: &[&str], time: Duration) -> Value {
    let output = folder.join("out");
    let fixed = ["generate", "--no-run", "--json", "-o", text(&output), text(classes)];
    let started = Instant::now();
    let finished = petrel(&[&fixed[..], more].concat());
    assert!(started.elapsed() < time + ROOM, "{:?}", started.elapsed());
    assert!(matches!(finished.status, Some(0 | 1)), "{finished:?}");
    serde_json::from_str(&finished.stdout).unwrap()
}

/// The limits of each method, and that nothing is proved.
#[track_caller]
fn limits(account: &Value) -> Vec<String> {
    let methods = account["classes"][0]["methods"].as_array().unwrap();
    assert!(!methods.is_empty(), "{account:#}");
    let of_method = |method: &Value| -> Vec<String> {
        assert_eq!(method["branches"]["infeasible"], 0, "{method:#}");
        assert_eq!(method["complete"], false, "{method:#}");
        method["limit"].as_object().unwrap().keys().cloned().collect()
    };
    methods.iter().flat_map(of_method).collect()
}

#[test]
fn an_initialiser_that_never_ends_meets_its_limits() {
    let scratch = Scratch::new();
    let classes = endless(scratch.path(), "Endless");
    let time = Duration::from_secs(2);
    let options = ["--budget", "1s", "--total-time", "2"];
    let found = account(scratch.path(), &classes, &options, time);
    assert!(limits(&found).contains(&"time".to_owned()), "{found:#}");
    let found = account(scratch.path(), &classes, &[], Duration::ZERO);
    assert!(limits(&found).contains(&"budget".to_owned()), "{found:#}");
    let started = Instant::now();
    let target = ["cases", "--json", "--time", "1", "-c", text(&classes), "Endless#positive"];
    let finished = petrel(&target);
    assert!(started.elapsed() < Duration::from_secs(1) + ROOM, "{:?}", started.elapsed());
    assert_eq!(finished.status, Some(1), "{finished:?}");
    let answer: Value = serde_json::from_str(&finished.stdout).unwrap();
    assert_eq!(answer["ends"]["limit"]["time"], 1, "{answer:#}");
    assert_eq!(answer["branches"]["infeasible"], 0, "{answer:#}");
}

#[test]
fn thousands_of_ifs_end_in_time_with_what_was_found() {
    let scratch = Scratch::new();
    let classes = thousands_of_ifs(scratch.path());
    let time = Duration::from_secs(3);
    let found = account(scratch.path(), &classes, &["--budget", "3s"], time);
    assert!(limits(&found).contains(&"time".to_owned()), "{}", found["total"]);
    assert!(found["total"]["tests"].as_u64().unwrap() > 0, "{}", found["total"]);
    let found = account(scratch.path(), &classes, &["--budget", "50"], time);
    assert!(limits(&found).contains(&"budget".to_owned()), "{}", found["total"]);
    let started = Instant::now();
    let options = ["cases", "--json", "--time", "2", "-c", text(&classes), "Ifs#many"];
    let finished = petrel(&options);
    assert!(started.elapsed() < Duration::from_secs(2) + ROOM, "{:?}", started.elapsed());
    assert_eq!(finished.status, Some(1), "{}", finished.stderr);
}

/// All stages of a method together: what is counted is the same on every machine.
#[test]
fn no_method_spends_more_than_its_budget() {
    let scratch = Scratch::new();
    let classes = root().join("build/fixtures/papers");
    for budget in [1_u64, 10] {
        let thousands = budget.to_string();
        let options = ["--budget", &thousands, "--goals", "overflow", "--worst-case", "memory"];
        let one = account(scratch.path(), &classes, &[&options[..], &["-j", "1"]].concat(), ROOM);
        let four = account(scratch.path(), &classes, &[&options[..], &["-j", "4"]].concat(), ROOM);
        let work = |account: &Value| -> Vec<u64> {
            let classes = account["classes"].as_array().unwrap().iter();
            let methods = classes.flat_map(|class| class["methods"].as_array().unwrap());
            methods.map(|method| method["work"].as_u64().unwrap()).collect()
        };
        assert_eq!(work(&one), work(&four));
        let most = *work(&one).iter().max().unwrap();
        // It is looked after so many steps whether something is left, by each machine that is made.
        assert!(most <= budget * 1_100 + 20_000, "{most} of {budget} thousand");
    }
}

/// Starts the binary, with a folder for temporary files of its own.
fn start(arguments: &[&str], temporary: &Path) -> Child {
    fs::create_dir_all(temporary).unwrap();
    Command::new(env!("CARGO_BIN_EXE_petrel"))
        .args(arguments)
        .current_dir(root())
        .env("TMPDIR", temporary)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn finish(mut child: Child) -> Finished {
    let (mut stdout, mut stderr) = (String::new(), String::new());
    if let Some(mut out) = child.stdout.take() {
        out.read_to_string(&mut stdout).unwrap();
    }
    if let Some(mut err) = child.stderr.take() {
        err.read_to_string(&mut stderr).unwrap();
    }
    Finished { status: child.wait().unwrap().code(), stdout, stderr }
}

#[test]
fn a_reader_that_is_gone_has_seen_enough() {
    const PAPERS: &str = "build/fixtures/papers";
    let scratch = Scratch::new();
    let vector = "Vector#multiples";
    let commands: [&[&str]; 6] = [
        &["cases", "-c", PAPERS, "--loop", "8", vector],
        &["cases", "-c", PAPERS, "--loop", "8", "--json", vector],
        &["translate", "-c", PAPERS, "Vector"],
        &["list", "-c", PAPERS, "Vector", "Lcm001"],
        &["worst", "-c", PAPERS, vector],
        &["translate", "--abstract=naive", "-c", PAPERS, vector],
    ];
    for command in commands {
        // After a line, and before anything.
        for n_lines in [1, 0] {
            let mut child = start(command, scratch.path());
            let out = BufReader::new(child.stdout.take().unwrap());
            assert_eq!(out.lines().take(n_lines).count(), n_lines);
            let finished = finish(child);
            assert!(matches!(finished.status, Some(0 | 1)), "{command:?}: {finished:?}");
            assert!(!finished.stderr.contains("panicked"), "{command:?}: {finished:?}");
            assert!(!finished.stderr.contains("error"), "{command:?}: {finished:?}");
        }
    }
    // Nobody reads messages, either.
    let mut child = start(commands[0], scratch.path());
    drop((child.stdout.take(), child.stderr.take()));
    assert!(matches!(finish(child).status, Some(0 | 1)));
}

#[cfg(unix)]
mod signals {
    use super::*;

    fn send(child: &Child, signal: &str) {
        let pid = child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    }

    /// How a command ends after a signal.
    #[track_caller]
    fn ended_by(signal: &str, child: Child) -> Finished {
        send(&child, signal);
        let started = Instant::now();
        let finished = finish(child);
        // It has two seconds; the machine may be busy.
        assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
        finished
    }

    #[track_caller]
    fn check_is_empty(folder: &Path) {
        let left: Vec<_> = fs::read_dir(folder).unwrap().flatten().map(|it| it.path()).collect();
        let left: Vec<_> = left.iter().filter(|path| !text(path).contains("hsperfdata")).collect();
        assert!(left.is_empty(), "{left:?}");
    }

    /// Waits until something is there.
    #[track_caller]
    fn wait_for(what: &str, is_there: impl Fn() -> bool) {
        let started = Instant::now();
        while !is_there() {
            assert!(started.elapsed() < Duration::from_secs(120), "{what} does not come");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    #[test]
    fn what_is_judged_is_kept() {
        for signal in ["-TERM", "-INT"] {
            let scratch = Scratch::new();
            let (output, temporary) = (scratch.path().join("out"), scratch.path().join("tmp"));
            let mut classes = endless(scratch.path(), "Z");
            for name in ["A", "B", "C", "D"] {
                classes = assembled(scratch.path(), name, |class| {
                    class.method(STATIC, "positive", "(I)I", 1, compare);
                });
            }
            // The first batch has four classes if the time is limited.
            let time = ["--budget", "500s", "--total-time", "1000"];
            let fixed = ["generate", "--json", "-o", text(&output), text(&classes)];
            let child = start(&[&fixed[..], &time].concat(), &temporary);
            wait_for("the test class of D", || output.join("DPetrelTest.java").is_file());
            let finished = ended_by(signal, child);
            assert_eq!(finished.status, Some(1), "{finished:?}");
            let account: Value = serde_json::from_str(&finished.stdout).unwrap();
            assert_eq!(account["total"]["stopped"], true, "{account:#}");
            let classes = account["classes"].as_array().unwrap().iter();
            let names: Vec<&str> = classes.map(|class| class["class"].as_str().unwrap()).collect();
            assert_eq!(names, ["A", "B", "C", "D"]);
            assert!(account["total"]["validated"].as_u64().unwrap() >= 8, "{account:#}");
            check_is_empty(&temporary);
        }
    }

    #[test]
    fn no_folder_is_left_when_tests_are_being_judged() {
        let scratch = Scratch::new();
        let (output, temporary) = (scratch.path().join("out"), scratch.path().join("tmp"));
        let classes = assembled(scratch.path(), "A", |class| {
            class.method(STATIC, "positive", "(I)I", 1, compare);
        });
        let arguments = ["generate", "-o", text(&output), text(&classes)];
        let child = start(&arguments, &temporary);
        let is_judged = || fs::read_dir(&temporary).is_ok_and(|mut all| all.next().is_some());
        wait_for("a folder", is_judged);
        let finished = ended_by("-TERM", child);
        // It may have been done just then.
        assert!(matches!(finished.status, Some(0 | 1 | 130)), "{finished:?}");
        check_is_empty(&temporary);
    }

    #[test]
    fn every_command_that_runs_long_ends() {
        let scratch = Scratch::new();
        let classes = endless(scratch.path(), "Endless");
        let classes = text(&classes);
        let commands: [&[&str]; 3] = [
            &["cases", "-c", classes, "Endless#positive"],
            &["worst", "-c", classes, "Endless#positive"],
            &["run", "-c", classes, "Endless#positive", "5"],
        ];
        for command in commands {
            let child = start(command, scratch.path());
            std::thread::sleep(Duration::from_millis(500));
            let finished = ended_by("-TERM", child);
            assert!(matches!(finished.status, Some(1 | 130)), "{command:?}: {finished:?}");
            assert!(finished.stderr.contains("interrupted"), "{command:?}: {finished:?}");
        }
    }
}
