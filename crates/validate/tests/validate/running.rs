//! Which tests are kept.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use petrel_budget::Cause;
use petrel_validate::{Options, TestSource, Verdict, Why, validate};

use crate::support::{
    failed, jupiter, options, options_of_all, reason, source, verdicts, verdicts_on,
};

const FAILED: &str = "org.opentest4j.AssertionFailedError";

#[test]
fn tests_pass_or_fail() {
    let members = "\
    @Test void passes() { assertEquals(2, 1 + 1); }
    @Test void fails() { assertEquals(3, 1 + 1); }
    @Test void throwing() { throw new IllegalStateException(\"why\"); }
    @Test void silent() throws Exception { throw new Exception(); }
    @Test void throwsAsExpected() { assertThrows(ArithmeticException.class, () -> { int x = 1 / 0; }); }";
    for options in options_of_all() {
        let expected = [
            Verdict::Kept,
            failed(FAILED, "expected: <3> but was: <2>"),
            failed("java.lang.IllegalStateException", "why"),
            failed("java.lang.Exception", ""),
            Verdict::Kept,
        ];
        assert_eq!(verdicts_on(&options, jupiter("ATest", members)), expected);
    }
}

#[test]
fn tests_with_parameters_run_with_all_of_their_arguments() {
    let text = "\
import static org.junit.jupiter.api.Assertions.*;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
class ATest {
    static int n = 0;
    @ParameterizedTest @MethodSource(\"all\") @DisplayName(\"x > 10\") void passes(int x, String s) {
        assertTrue(x > 10);
        assertEquals(x == 11 ? null : \"s\", s);
    }
    @ParameterizedTest @MethodSource(\"all\") void failsAtTheSecond(int x, String s) {
        assertEquals(11, x);
    }
    @ParameterizedTest @MethodSource(\"all\") void throwing(int x, String s) {
        s.length();
    }
    @ParameterizedTest @MethodSource(\"all\") void doesNotFit(byte x, String s) {
    }
    @ParameterizedTest @MethodSource(\"none\") void hasNoArguments(int x) {
    }
    @ParameterizedTest @MethodSource(\"all\") void isNotCompiled(int x, String s) {
        return x;
    }
    @ParameterizedTest @MethodSource(\"all\") void comesFirst(int x, String s) {
        assertEquals(0, n);
    }
    @ParameterizedTest @MethodSource(\"all\") void comesLast(int x, String s) {
        n = 1;
    }
    static Stream<Arguments> all() {
        return Stream.of(Arguments.of(11, null), Arguments.of(12, \"s\"));
    }
    static Stream<Arguments> none() {
        return Stream.of();
    }
}
";
    for options in options_of_all() {
        let verdicts = verdicts_on(&options, source("ATest", text));
        assert_eq!(verdicts[0], Verdict::Kept);
        assert_eq!(verdicts[1], failed(FAILED, "expected: <11> but was: <12>"));
        assert!(reason(&verdicts[2]).contains("NullPointerException"), "{:?}", verdicts[2]);
        let unfit = "arguments that do not fit: [11, null]";
        assert_eq!(verdicts[3], failed("java.lang.AssertionError", unfit));
        assert_eq!(verdicts[4], failed("java.lang.AssertionError", "the test has no arguments"));
        assert!(matches!(verdicts[5], Verdict::Dropped(Why::NotCompiled(_))), "{:?}", verdicts[5]);
        assert!(matches!(verdicts[6], Verdict::Dropped(Why::Flickers(_))), "{:?}", verdicts[6]);
        assert_eq!(verdicts[7], Verdict::Kept);
    }
}

#[test]
fn junit_4_knows_expected_exceptions_and_time_limits() {
    let text = "\
import org.junit.Test;
public class ATest {
    @Test public void passes() { org.junit.Assert.assertEquals(1L, 1); }
    @Test(expected = RuntimeException.class) public void expected() { int x = 1 / 0; }
    @Test(expected = RuntimeException.class) public void nothing() {}
    @Test(expected = RuntimeException.class) public void other() throws Exception { throw new Exception(\"x\"); }
    @Test(timeout = 2000) public void inTime() {}
    @Test(timeout = 50) public void late() throws Exception { Thread.sleep(60000); }
}
";
    let expected = [
        Verdict::Kept,
        Verdict::Kept,
        failed("java.lang.AssertionError", "Expected exception: java.lang.RuntimeException"),
        failed("java.lang.Exception", "x"),
        Verdict::Kept,
        failed("java.util.concurrent.TimeoutException", "test timed out after 50 milliseconds"),
    ];
    assert_eq!(verdicts_on(&options(), source("ATest", text)), expected);
}

#[test]
fn tests_of_a_package_see_its_classes() {
    let text = "\
package a.b;
import org.junit.jupiter.api.Test;
class ATest {
    @Test void a() { new Hidden().use(); }
}
class Hidden {
    void use() {}
}
";
    assert_eq!(verdicts_on(&options(), source("a/b/ATest", text)), [Verdict::Kept]);
}

#[test]
fn tests_that_depend_on_others_flicker() {
    let members = "\
    static int count = 0;
    @Test void first() { count++; assertEquals(1, count); }
    @Test void indifferent() {}
    @Test void second() { count++; assertEquals(2, count); }";
    let found = verdicts_on(&options(), jupiter("ATest", members));
    let what =
        "passes in some runs only: fails with org.opentest4j.AssertionFailedError: expected:";
    assert_eq!(reason(&found[0]), format!("{what} <1> but was: <2>"));
    assert_eq!(found[1], Verdict::Kept);
    assert_eq!(reason(&found[2]), format!("{what} <2> but was: <1>"));
}

#[test]
fn tests_that_depend_on_other_classes_flicker() {
    let owner = "static int count = 0;\n@Test void a() { count++; }";
    let user = "@Test void b() { assertEquals(1, ATest.count); }";
    let found = verdicts(&options(), &[jupiter("ATest", owner), jupiter("BTest", user)]);
    assert_eq!(found[0], [Verdict::Kept]);
    assert!(matches!(&found[1][..], [Verdict::Dropped(Why::Flickers(_))]), "{found:?}");
}

/// `Base` needs its subclass, and finds nothing there if that is the one that is initialised first.
const CYCLE: &str = "\
    static class Base { static final Base DEFAULT = Derived.INSTANCE; }
    static class Derived extends Base { static final Derived INSTANCE = new Derived(); }";

#[test]
fn no_test_may_start_initialisers_at_another_end() {
    let tests = "\
    @Test void a() { assertNotNull(Base.DEFAULT); }
    @Test void b() { assertNotNull(Derived.INSTANCE); }
    @Test void c() { assertNotNull(Base.DEFAULT); }
    @Test void d() { assertNotNull(Base.DEFAULT); }";
    let found = verdicts_on(&options(), jupiter("ATest", &format!("{CYCLE}\n{tests}")));
    let why = reason(&found[1]);
    assert!(why.starts_with("leaves classes in a state in which ATest.c fails with"), "{why}");
    assert_eq!([&found[0], &found[2], &found[3]], [&Verdict::Kept; 3]);
}

#[test]
fn a_test_that_needs_others_before_it_is_dropped() {
    let tests = "\
    @Test void a() { assertNotNull(Base.DEFAULT); }
    @Test void b() throws Exception { Class.forName(\"ATest$Derived\"); assertNotNull(Base.DEFAULT); }
    @Test void c() { assertNotNull(Base.DEFAULT); }";
    let found = verdicts_on(&options(), jupiter("ATest", &format!("{CYCLE}\n{tests}")));
    assert!(matches!(found[1], Verdict::Dropped(Why::Disturbs(_))), "{found:?}");
    assert_eq!([&found[0], &found[2]], [&Verdict::Kept; 2]);
}

#[test]
fn what_changes_with_time_is_dropped() {
    let members = "@Test void a() { assertEquals(12345L, System.nanoTime()); }";
    let found = verdicts_on(&options(), jupiter("ATest", members));
    assert!(matches!(&found[..], [Verdict::Dropped(Why::Failed { .. })]), "{found:?}");
}

#[test]
fn assertions_of_the_language_are_enabled() {
    let found =
        verdicts_on(&options(), jupiter("ATest", "@Test void a() { assert 1 > 2 : \"no\"; }"));
    assert_eq!(found, [failed("java.lang.AssertionError", "no")]);
}

#[test]
fn broken_constructors_and_initialisers_are_failures() {
    let constructor =
        jupiter("ATest", "{ if (true) throw new RuntimeException(\"no\"); }\n@Test void a() {}");
    let initialiser = jupiter("BTest", "static int x = 1 / 0;\n@Test void a() {}");
    let found = verdicts(&options(), &[constructor, initialiser]);
    assert_eq!(found[0], [failed("java.lang.RuntimeException", "no")]);
    assert_eq!(found[1], [failed("java.lang.ExceptionInInitializerError", "")]);
}

#[test]
fn the_working_directory_is_scratch_and_goes_away() {
    let folder = tempfile_name("folder");
    let members = format!(
        "\
    static java.nio.file.Path here() {{ return java.nio.file.Paths.get(\"\").toAbsolutePath(); }}
    @Test void isEmptyAtFirst() throws Exception {{
        assertEquals(0, new java.io.File(\".\").list().length);
        java.nio.file.Files.write(java.nio.file.Paths.get({folder:?}), (here() + \"\\n\").getBytes(),
            java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.APPEND);
    }}
    @Test void temporaryFilesToo() throws Exception {{
        assertTrue(java.io.File.createTempFile(\"abc\", \"d\").toPath().startsWith(here().getParent()));
    }}"
    );
    let source = jupiter("ATest", &members);
    assert_eq!(verdicts_on(&options(), source), [Verdict::Kept, Verdict::Kept]);
    let found = std::fs::read_to_string(&folder).unwrap();
    let _ = std::fs::remove_file(&folder);
    let mut folders: Vec<&str> = found.lines().collect();
    folders.sort_unstable();
    folders.dedup();
    assert_eq!(folders.len(), 2);
    assert_ne!(folders[0], folders[1]);
    let here = std::env::current_dir().unwrap();
    for folder in folders {
        assert!(!std::path::Path::new(folder).exists(), "{folder}");
        assert!(!here.starts_with(folder));
    }
}

#[test]
fn tests_that_remove_their_folders_end_nothing() {
    let here = "new java.io.File(System.getProperty(\"user.dir\")).delete();";
    let temporary = "new java.io.File(System.getProperty(\"java.io.tmpdir\")).delete();";
    let removing = jupiter("ATest", &format!("@Test void a() {{ {here} {temporary} }}"));
    let other = jupiter("BTest", "@Test void b() { assertEquals(1, 1); }");
    let found = verdicts(&options(), &[removing, other]);
    assert_eq!(found[1], [Verdict::Kept]);
}

fn tempfile_name(name: &str) -> String {
    let name = format!("validate-test-{name}-{}", std::process::id());
    std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).display().to_string()
}

#[test]
fn classes_under_test_come_from_the_class_path() {
    let options = options();
    let folder = std::path::PathBuf::from(tempfile_name("classes ü"));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("Subject.java");
    std::fs::write(&file, "package p; class Subject { static int answer() { return 42; } }")
        .unwrap();
    let javac = options.java_home.join("bin/javac");
    let made = std::process::Command::new(javac)
        .env("LC_ALL", "C.UTF-8")
        .arg("-d")
        .arg(&folder)
        .arg(&file)
        .status()
        .unwrap();
    assert!(made.success());
    let text = "\
package p;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.Test;
class SubjectTest {
    @Test void answer() { assertEquals(42, Subject.answer()); }
}
";
    let options = Options { class_path: vec![folder.clone()], ..options };
    let found = verdicts_on(&options, source("p/SubjectTest", text));
    let _ = std::fs::remove_dir_all(folder);
    assert_eq!(found, [Verdict::Kept]);
}

/// Classes enough for several batches, with tests of all kinds.
fn many_classes() -> Vec<TestSource> {
    let members = "\
    static int count = 0;
    @Test void a() { count++; }
    @Test void b() { assertEquals(1, count); }
    @Test void c() { fail(\"no\"); }
    @Test void d() { int x = \"\"; }";
    (0..130).map(|n| jupiter(&format!("A{n}Test"), members)).collect()
}

#[test]
fn verdicts_do_not_depend_on_the_number_of_jobs() {
    let sources = many_classes();
    let of_jobs = |jobs| verdicts(&Options { jobs, ..options() }, &sources);
    let found = of_jobs(1);
    assert_eq!(found[0][0], Verdict::Kept);
    assert_eq!(found[129][2], failed(FAILED, "no"));
    assert_eq!(found, of_jobs(3));
}

#[test]
fn progress_counts_to_the_end() {
    let told = Mutex::new(Vec::new());
    let members = "@Test void a() {}\n@Test void b() { x; }\n@Test void c() {}";
    let sources = [jupiter("ATest", members)];
    for run in [true, false] {
        let options = Options { run, ..options() };
        validate(&options, &sources, &|done, all| told.lock().unwrap().push((done, all))).unwrap();
        let told = std::mem::take(&mut *told.lock().unwrap());
        assert_eq!(told.iter().max(), Some(&(3, 3)), "{told:?}");
    }
}

#[test]
fn validation_can_be_stopped() {
    let options = options();
    options.alarm.raise(Cause::Interrupt);
    let sources = [jupiter("ATest", "@Test void a() { while (true) {} }")];
    let found = validate(&options, &sources, &|_, _| {});
    assert!(matches!(found.as_deref(), Ok([None])), "{found:?}");
}

#[test]
fn validation_can_be_stopped_while_tests_run() {
    let options = Options { time_limit: Duration::from_millis(200), ..options() };
    let tests: String =
        (0..200).map(|n| format!("@Test void a{n}() {{ while (true) {{}} }}\n")).collect();
    let stop_soon = |done: usize, _| {
        if done > 0 {
            options.alarm.raise(Cause::Time);
        }
    };
    let started = Instant::now();
    let found = validate(&options, &[jupiter("ATest", &tests)], &stop_soon);
    assert!(matches!(found.as_deref(), Ok([None])), "{found:?}");
    assert!(started.elapsed() < Duration::from_secs(40), "{:?}", started.elapsed());
}
