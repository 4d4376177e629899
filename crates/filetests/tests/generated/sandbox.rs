//! The sandbox: whatever code under test tries, the machine is as before, each test that tried it is told with what it tried,
//! and all others are there.
//!
//! The classes in `java` are harmless for as long as Petrel derives what they do, and do harm in the JVM that judges the
//! tests. Of what Petrel would never write a test of, there are tests by hand.

#![allow(
    clippy::print_stderr,
    reason = "what a system does not offer is of interest even if the test passes"
)]

mod by_hand;

use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::path::{Path, PathBuf};
use std::time::Duration;

use petrel_filetests::generated::account::{Account, ClassAccount};
use petrel_filetests::generated::binary::{self, Ended};
use petrel_filetests::generated::suite::compiled_sources;
use petrel_filetests::scratch::Scratch;
use petrel_wall::Wall;

/// What takes longer hangs.
const MOST_TIME: Duration = Duration::from_secs(120);
const OPTIONS: [&str; 6] = ["--budget", "100", "--test-time", "4", "--test-memory", "64"];
/// What is written in the file that nobody may touch.
const TEXT: &str = "as before";

/// A folder with a file, and sockets that wait: what code under test has no business with.
struct Outside {
    folder: Scratch,
    tcp: TcpListener,
    udp: UdpSocket,
}

impl Outside {
    fn new() -> Outside {
        let folder = Scratch::new();
        fs::write(folder.path().join("victim"), TEXT).expect("the folder can be written to");
        let tcp = TcpListener::bind("127.0.0.1:0").expect("there is a port");
        let port = tcp.local_addr().expect("it is bound").port();
        let udp = UdpSocket::bind(("127.0.0.1", port)).expect("it is free");
        tcp.set_nonblocking(true).expect("it need not wait");
        udp.set_nonblocking(true).expect("it need not wait");
        Outside { folder, tcp, udp }
    }

    fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn port(&self) -> u16 {
        self.tcp.local_addr().expect("it is bound").port()
    }

    /// Nothing was written, removed or sent.
    #[track_caller]
    fn assert_as_before(&self) {
        let entries = fs::read_dir(self.folder()).expect("the folder is there");
        let names: Vec<_> =
            entries.map(|entry| entry.expect("it is readable").file_name()).collect();
        assert_eq!(names, ["victim"]);
        let text = fs::read_to_string(self.folder().join("victim")).expect("it is readable");
        assert_eq!(text, TEXT);
        assert!(self.tcp.accept().is_err(), "there was a connection");
        assert!(self.udp.recv(&mut [0]).is_err(), "there was a packet");
    }
}

/// What the system does not offer.
fn gap() -> Option<String> {
    let petrel = binary::petrel().expect("the program is built");
    Wall::probe(&petrel).expect("the program knows what it can do").gap()
}

/// Whether this system offers all of the sandbox. If not, what is missing has to be told by the program, and the test that
/// asks can check no more.
fn is_complete() -> bool {
    let gap = gap();
    if let Some(gap) = &gap {
        eprintln!("THE SANDBOX IS NOT TESTED: {gap}");
    }
    gap.is_none()
}

fn compiled() -> Scratch {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/generated/sandbox/java");
    compiled_sources(&sources)
}

fn generate(outside: &Outside, classes: &Path, more: &[&str]) -> Ended {
    let output = Scratch::new();
    let arguments = OPTIONS.iter().chain(more);
    let mut command =
        binary::command(output.path(), classes, arguments).expect("there is a program");
    command.env("HOSTILE_FOLDER", outside.folder()).env("HOSTILE_PORT", outside.port().to_string());
    binary::run(&mut command, MOST_TIME).expect("the program starts and ends")
}

fn account(ended: &Ended) -> ClassAccount {
    assert_eq!(ended.status, Some(0), "{}", ended.describe());
    let mut account = Account::parse(&ended.stdout).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(account.classes.len(), 1);
    eprintln!("{} ms", ended.elapsed.as_millis());
    account.classes.remove(0)
}

fn n_tests(class: &ClassAccount, name: &str) -> usize {
    let found = class.methods.iter().find(|method| method.name.split('(').next() == Some(name));
    found.unwrap_or_else(|| panic!("{} has no {name}", class.name)).tests.len()
}

/// Why the tests of a method are dropped, of which there are some.
#[track_caller]
fn reasons<'a>(class: &'a ClassAccount, method: &str) -> Vec<&'a str> {
    let of_method =
        class.dropped.iter().filter(|test| test.name.starts_with(&format!("{method}Returns")));
    let reasons: Vec<&str> = of_method.map(|test| &*test.reason).collect();
    assert!(!reasons.is_empty(), "no test of {method} is dropped: {:?}", class.dropped);
    reasons
}

/// All tests of some methods are dropped, each with what it tried.
#[track_caller]
fn assert_dropped(class: &ClassAccount, expected: &[(&str, &str)]) {
    for &(method, why) in expected {
        for reason in reasons(class, method) {
            assert!(reason.contains(why), "{method}: {reason}");
        }
        assert_eq!(n_tests(class, method), 0, "{method}");
    }
}

/// Processes that were started with this folder in their environment, apart from this one.
fn processes_of(folder: &Path) -> Vec<PathBuf> {
    let wanted = format!("HOSTILE_FOLDER={}", folder.display());
    let has_it = |path: &PathBuf| {
        let environment = fs::read(path.join("environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|entry| entry == wanted.as_bytes())
    };
    let all = fs::read_dir("/proc").expect("there are processes").filter_map(Result::ok);
    all.map(|entry| entry.path()).filter(has_it).collect()
}

#[test]
fn acts_of_all_kinds_are_refused_and_told() {
    if !is_complete() {
        return;
    }
    let (outside, classes) = (Outside::new(), compiled());
    let class = account(&generate(&outside, classes.path(), &["disguised.Acts"]));
    outside.assert_as_before();
    assert_eq!(processes_of(outside.folder()), Vec::<PathBuf>::new());
    let victim = format!("write {}", outside.folder().join("victim").display());
    let some_file = "tries to write, make or remove a file, which the sandbox refuses";
    let expected = [
        ("deletes", "tries to delete a file"),
        ("deletesByPath", some_file),
        ("overwrites", &*victim),
        ("renames", "tries to rename a file"),
        ("makesFolders", "tries to make a folder"),
        ("links", some_file),
        ("executes", "start the program \"touch\", which the sandbox refuses"),
        ("executesOften", "start the program \"sleep\", which the sandbox refuses"),
        ("executesJava", "start the program \""),
        ("connects", "tries to use the network, which the sandbox refuses"),
        ("sends", "tries to use the network, which the sandbox refuses"),
        ("killsItsParent", "tries to end a process"),
        ("halts", "ends the JVM with status 0"),
        ("prints", "prints too much"),
        ("fillsAFile", "tries to write a file that is too large, which the sandbox refuses"),
        ("startsThreads", "tries to start too many threads, which the sandbox refuses"),
        ("allocates", "runs out of memory"),
        ("allocatesOutside", "runs out of memory"),
    ];
    assert_dropped(&class, &expected);
    assert_eq!(n_tests(&class, "harmless"), 2);
}

#[test]
fn initialisers_and_constructors_are_no_way_around() {
    if !is_complete() {
        return;
    }
    let (outside, classes) = (Outside::new(), compiled());
    let class = account(&generate(&outside, classes.path(), &["disguised.Initialises"]));
    outside.assert_as_before();
    assert!(
        reasons(&class, "first").iter().any(|why| why.contains("delete a file")),
        "{:?}",
        class.dropped
    );
    let class = account(&generate(&outside, classes.path(), &["disguised.Constructs"]));
    outside.assert_as_before();
    let of_get = reasons(&class, "get");
    assert!(of_get.iter().all(|why| why.starts_with("tries to write")), "{of_get:?}");
    assert_eq!(n_tests(&class, "harmless"), 2);
}

/// Neither the log nor the folders of a JVM are where a test can change them, and none of them is left.
#[test]
fn what_watches_tests_is_out_of_their_reach() {
    if !is_complete() {
        return;
    }
    let (outside, classes) = (Outside::new(), compiled());
    let class = account(&generate(&outside, classes.path(), &["disguised.Covers"]));
    outside.assert_as_before();
    let expected = [
        ("emptiesTheLog", "changes the log of its JVM"),
        ("replacesTheLog", "ends the JVM with status 0"),
        ("replacesItsFolder", "ends the JVM with status 0"),
    ];
    assert_dropped(&class, &expected);
    assert_eq!(n_tests(&class, "harmless"), 2);
}

/// The compiler is not behind the wall: it must not execute anything of the class path.
#[test]
fn plugins_of_the_compiler_are_not_loaded() {
    let (outside, classes) = (Outside::new(), compiled());
    let services = classes.path().join("META-INF/services");
    fs::create_dir_all(&services).expect("the folder can be written to");
    fs::write(services.join("com.sun.source.util.Plugin"), "disguised.CompilerPlugin\n")
        .expect("the folder can be written to");
    let class = account(&generate(&outside, classes.path(), &["disguised.Acts#harmless"]));
    outside.assert_as_before();
    assert_eq!(n_tests(&class, "harmless"), 2);
}

/// Without the sandbox the same class does what it is made for: it is the sandbox that has kept it from that.
#[test]
fn the_sandbox_can_be_switched_off() {
    let (outside, classes) = (Outside::new(), compiled());
    let ended = generate(&outside, classes.path(), &["--no-sandbox", "disguised.Acts#deletes"]);
    assert_eq!(n_tests(&account(&ended), "deletes"), 1);
    assert!(!outside.folder().join("victim").exists());
    assert!(!ended.stderr.contains("note:"), "{}", ended.stderr);
}

#[test]
fn what_the_system_does_not_offer_is_one_line() {
    let (outside, classes) = (Outside::new(), compiled());
    let ended = generate(&outside, classes.path(), &["disguised.Acts#harmless"]);
    assert_eq!(n_tests(&account(&ended), "harmless"), 2);
    let notes: Vec<&str> = ended.stderr.lines().filter(|line| line.starts_with("note:")).collect();
    let expected: Vec<String> = gap().iter().map(|gap| format!("note: {gap}")).collect();
    assert_eq!(notes, expected);
}
