//! Whatever a test does, it is that test's affair.

use std::time::{Duration, Instant};

use petrel_validate::{Options, Verdict, Why};

use crate::support::{failed, jupiter, options, reason, verdicts, verdicts_on};

const KEPT: Verdict = Verdict::Kept;

fn dropped(why: Why) -> Verdict {
    Verdict::Dropped(why)
}

/// The verdict on a test between two that are fine.
#[track_caller]
fn between(options: &Options, members: &str) -> Verdict {
    let members = format!("@Test void before() {{}}\n{members}\n@Test void after() {{}}");
    let mut found = verdicts_on(options, jupiter("ATest", &members));
    assert_eq!((&found[0], &found[2]), (&KEPT, &KEPT), "{found:?}");
    found.swap_remove(1)
}

#[test]
fn a_loop_without_end_is_cut_off() {
    let options = Options { time_limit: Duration::from_millis(1500), ..options() };
    let found = between(&options, "@Test void a() { while (true) {} }");
    assert_eq!(found, dropped(Why::TimedOut));
}

#[test]
fn exits_and_halts_are_told() {
    assert_eq!(between(&options(), "@Test void a() { System.exit(3); }"), dropped(Why::Exited(3)));
    let halt = "@Test void a() { Runtime.getRuntime().halt(0); }";
    assert_eq!(between(&options(), halt), dropped(Why::Exited(0)));
}

#[test]
fn a_static_initialiser_that_exits_costs_its_tests() {
    let exits = "\
    @Test void a() { B.use(); }
    @Test void b() { B.use(); }
    static class B { static { if (true) System.exit(7); } static void use() {} }";
    let fine = jupiter("CTest", "@Test void c() {}");
    let found = verdicts(&options(), &[jupiter("ATest", exits), fine]);
    assert_eq!(found, [vec![dropped(Why::Exited(7)); 2], vec![KEPT]]);
}

#[test]
fn floods_of_output_are_thrown_away() {
    let flood = "\
    @Test void a() {
        char[] line = new char[1023];
        for (int i = 0; i < 102400; i++) System.out.println(line);
    }";
    let options = Options { time_limit: Duration::from_secs(60), ..options() };
    assert_eq!(between(&options, flood), dropped(Why::Flooded));
    let some =
        "@Test void a() { for (int i = 0; i < 1000; i++) System.err.println(\"some text\"); }";
    assert_eq!(between(&options, some), KEPT);
    let below = "\
    @Test void a() throws Exception {
        java.io.OutputStream out = new java.io.FileOutputStream(java.io.FileDescriptor.out);
        java.io.OutputStream err = new java.io.FileOutputStream(java.io.FileDescriptor.err);
        for (int i = 0; i < 1000; i++) { out.write(new byte[10000]); err.write(new byte[10000]); }
    }";
    assert_eq!(between(&options, below), KEPT);
}

#[test]
fn a_thread_that_goes_on_costs_its_test() {
    for daemon in [true, false] {
        let thread = format!(
            "@Test void a() {{ Thread t = new Thread(() -> {{ while (true) {{}} }}, \"mine\"); t.setDaemon({daemon}); t.start(); }}"
        );
        assert_eq!(between(&options(), &thread), dropped(Why::StrayThread("mine".to_owned())));
    }
}

#[test]
fn what_a_thread_does_is_blamed_on_its_test() {
    let exits = "@Test void a() { new Thread(() -> System.exit(9)).start(); }";
    assert_eq!(between(&options(), exits), dropped(Why::Exited(9)));
}

#[test]
fn threads_that_end_or_idle_do_no_harm() {
    let ends = "@Test void a() { new Thread(() -> {}).start(); }";
    assert_eq!(between(&options(), ends), KEPT);
    let sleeps = "\
    @Test void a() {
        new Thread(() -> { try { Thread.sleep(60000); } catch (InterruptedException e) { } }).start();
    }";
    assert_eq!(between(&options(), sleeps), KEPT);
    let pools = "\
    @Test void a() throws Exception {
        java.util.concurrent.Executors.newFixedThreadPool(2).submit(() -> 1).get();
        java.util.concurrent.Executors.newCachedThreadPool().submit(() -> 1).get();
        java.util.concurrent.CompletableFuture.supplyAsync(() -> 1).get();
        assertEquals(9900, java.util.stream.IntStream.range(0, 100).parallel().map(x -> 2 * x).sum());
        new java.util.Timer();
    }";
    assert_eq!(between(&options(), pools), KEPT);
}

#[test]
fn what_all_tests_share_has_to_be_put_back() {
    let leaves = [
        (
            "System.setOut(new java.io.PrintStream(new java.io.ByteArrayOutputStream()));",
            "System.out",
        ),
        ("System.setErr(null);", "System.err"),
        ("System.setIn(new java.io.ByteArrayInputStream(new byte[1]));", "System.in"),
        ("java.util.Locale.setDefault(java.util.Locale.KOREA);", "the default locale"),
        (
            "java.util.Locale.setDefault(java.util.Locale.Category.FORMAT, java.util.Locale.KOREA);",
            "the default locale",
        ),
        (
            "java.util.TimeZone.setDefault(java.util.TimeZone.getTimeZone(\"Asia/Seoul\"));",
            "the default time zone",
        ),
        (
            "Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {});",
            "the default handler of uncaught exceptions",
        ),
        ("System.setProperty(\"mine\", \"1\");", "the system property mine"),
        ("System.clearProperty(\"line.separator\");", "the system property line.separator"),
        ("System.setProperties(new java.util.Properties());", "the system properties"),
        (
            "Runtime.getRuntime().addShutdownHook(new Thread(() -> { for (;;) {} }));",
            "what runs when the JVM ends",
        ),
    ];
    let setters: Vec<String> = leaves
        .iter()
        .enumerate()
        .map(|(n, (statement, _))| format!("@Test void a{n}() {{ {statement} }}"))
        .collect();
    let sees_nothing = "\
    @Test void z() throws Exception {
        assertEquals(-1, System.in.read());
        assertNotNull(System.err);
        assertNotEquals(java.util.Locale.KOREA, java.util.Locale.getDefault());
        assertNotEquals(\"Asia/Seoul\", java.util.TimeZone.getDefault().getID());
        assertNull(Thread.getDefaultUncaughtExceptionHandler());
        assertNull(System.getProperty(\"mine\"));
        assertNotNull(System.getProperty(\"line.separator\"));
    }";
    // Failures leave things behind as well, and others are not told of it.
    let fails = "@Test void f() { System.setProperty(\"mine\", \"2\"); fail(\"no\"); }";
    let members = [setters.join("\n"), fails.to_owned(), sees_nothing.to_owned()].join("\n");
    let mut found = verdicts_on(&options(), jupiter("ATest", &members));
    assert_eq!(found.pop(), Some(KEPT), "{found:?}");
    assert_eq!(found.pop(), Some(failed("org.opentest4j.AssertionFailedError", "no")));
    for ((_, what), verdict) in leaves.iter().zip(&found) {
        assert_eq!(reason(verdict), format!("leaves {what} changed"));
    }
}

#[test]
fn what_is_put_back_does_no_harm() {
    let restores = "\
    @Test void a() {
        java.io.PrintStream out = System.out;
        try {
            System.setOut(new java.io.PrintStream(new java.io.ByteArrayOutputStream()));
            System.setProperty(\"mine\", \"1\");
        } finally {
            System.setOut(out);
            System.clearProperty(\"mine\");
        }
    }";
    assert_eq!(between(&options(), restores), KEPT);
}

#[test]
fn errors_of_the_machine_are_failures() {
    let recursion = "int f(int x) { return f(x + 1) + 1; }\n@Test void a() { f(0); }";
    let found = between(&options(), recursion);
    assert_eq!(found, failed("java.lang.StackOverflowError", ""));
    let memory = "\
    static java.util.List<Object> kept = new java.util.ArrayList<>();
    @Test void a() {
        while (true) kept.add(new long[100000]);
    }";
    assert_eq!(between(&options(), memory), dropped(Why::OutOfMemory));
}

#[test]
fn a_jvm_that_breaks_down_is_told() {
    let crash = "\
    @Test void a() throws Exception {
        java.lang.reflect.Field field = sun.misc.Unsafe.class.getDeclaredField(\"theUnsafe\");
        field.setAccessible(true);
        ((sun.misc.Unsafe) field.get(null)).putAddress(0, 0);
    }";
    let found = between(&options(), crash);
    assert!(matches!(found, Verdict::Dropped(Why::Died(_))), "{found:?}");
    assert!(reason(&found).starts_with("breaks the JVM: "));
}

#[test]
fn input_is_empty_and_streams_can_be_closed() {
    let closes = "\
    @Test void a() throws Exception {
        assertEquals(-1, System.in.read());
        System.in.close();
        System.out.close();
        System.err.close();
    }";
    assert_eq!(between(&options(), closes), KEPT);
}

#[test]
fn many_deaths_are_borne() {
    let tests: Vec<String> = (0..20)
        .map(|n| format!("@Test void a{n}() {{ Runtime.getRuntime().halt({n}); }}"))
        .collect();
    let started = Instant::now();
    let found = verdicts_on(&options(), jupiter("ATest", &tests.join("\n")));
    let expected: Vec<Verdict> = (0..20).map(|n| dropped(Why::Exited(n))).collect();
    assert_eq!(found, expected);
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
}
