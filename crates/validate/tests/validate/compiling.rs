//! What does not compile costs no more than it must.

use petrel_validate::{Options, TestSource, Verdict, Why};

use crate::support::{jupiter, options, options_of_all, reason, source, verdicts, verdicts_on};

fn only_compiling() -> Options {
    Options { run: false, ..options() }
}

#[test]
fn a_test_that_does_not_compile_is_cut_out() {
    let members = "\
    @Test void one() { assertEquals(2, 1 + 1); }
    @Test
    void two() {
        int x = \"text\";
        nothing();
    }
    @Test void three() { assertTrue(true); }";
    for options in options_of_all() {
        let found = verdicts_on(&options, jupiter("ATest", members));
        assert_eq!((&found[0], &found[2]), (&Verdict::Kept, &Verdict::Kept));
        let expected = "does not compile: incompatible types: String cannot be converted to int";
        assert_eq!(reason(&found[1]), expected);
    }
}

#[test]
fn errors_say_what_is_missing() {
    let found = verdicts_on(&only_compiling(), jupiter("ATest", "@Test void a() { foo(1); }"));
    let expected = "does not compile: cannot find symbol; symbol: method foo(int)";
    assert_eq!(reason(&found[0]), expected);
}

#[test]
fn errors_of_different_phases_take_several_rounds() {
    let members = "\
    @Test void syntax() { int = 5; }
    @Test void type() { int x = \"\"; }
    @Test void flow() { int x; int y = x; }
    @Test void unreachable() { while (true) {} int x; }
    @Test void fine() {}";
    let found = verdicts_on(&only_compiling(), jupiter("ATest", members));
    assert_eq!(found[4], Verdict::Kept, "{found:?}");
    for verdict in &found[..4] {
        assert!(matches!(verdict, Verdict::Dropped(Why::NotCompiled(_))), "{found:?}");
    }
}

#[test]
fn an_error_outside_of_tests_costs_the_class_and_no_other() {
    let broken = source(
        "BTest",
        "import no.such.Type;\nimport org.junit.jupiter.api.Test;\nclass BTest {\n@Test void b() {}\n}\n",
    );
    let fine = "@Test void a() {}\n@Test void b() { assertNull(null); }";
    let sources = [jupiter("ATest", fine), broken, jupiter("CTest", fine)];
    let found = verdicts(&options(), &sources);
    assert_eq!([&found[0], &found[2]], [&vec![Verdict::Kept; 2]; 2]);
    assert_eq!(reason(&found[1][0]), "does not compile: package no.such does not exist");
}

#[test]
fn classes_of_the_same_name_in_different_packages_are_told_apart() {
    let text = |package: &str, value: &str| {
        let members = format!("@Test public void a() {{ int x = {value}; }}");
        let head = format!("package {package};\nimport org.junit.Test;\n");
        format!("{head}public class ATest {{\n{members}\n}}\n")
    };
    let sources = [source("p/ATest", &text("p", "1")), source("q/ATest", &text("q", "\"\""))];
    let found = verdicts(&options(), &sources);
    assert_eq!(found[0], [Verdict::Kept]);
    assert!(reason(&found[1][0]).contains("incompatible types"));
}

#[test]
fn a_class_that_is_too_much_for_the_compiler_costs_no_other() {
    // Deep enough for the compiler's stack, and its complaint has no place.
    let deep =
        format!("@Test void deep() {{ int x = {}1{}; }}", "(".repeat(60_000), ")".repeat(60_000));
    let fine = |name: &str| jupiter(name, "@Test void a() {}");
    let sources = [fine("ATest"), jupiter("BTest", &deep), fine("CTest")];
    let found = verdicts(&only_compiling(), &sources);
    assert_eq!([&found[0], &found[2]], [&vec![Verdict::Kept]; 2]);
    assert!(reason(&found[1][0]).starts_with("does not compile: "), "{found:?}");
}

#[test]
fn a_method_that_is_too_large_is_cut_out() {
    let large = "x += x * 1234567 + 1234567;\n".repeat(10_000);
    let members =
        format!("@Test void fine() {{}}\n@Test\nvoid large() {{\nint x = 1;\n{large}\n}}\n");
    let found = verdicts_on(&options(), jupiter("ATest", &members));
    assert_eq!(found[0], Verdict::Kept);
    assert_eq!(reason(&found[1]), "does not compile: code too large");
}

#[test]
fn sources_for_older_java_get_no_newer_language_or_library() {
    let members = "\
    @Test void old() { java.util.List<String> list = new java.util.ArrayList<String>(); }
    @Test void lambda() { Runnable runnable = () -> {}; }
    @Test void language() { var x = 1; }
    @Test void library() { java.util.List.of(); }";
    let kept = |verdicts: &[Verdict]| -> Vec<bool> {
        verdicts.iter().map(|verdict| *verdict == Verdict::Kept).collect()
    };
    for options in options_of_all().filter(|options| options.feature_version > 9) {
        // All of them at once: each is compiled for its own.
        let releases = [Some(8), None, Some(6), Some(9)];
        let sources = releases.map(|release| {
            let name = format!("For{}Test", release.unwrap_or_default());
            TestSource { release, ..jupiter(&name, members) }
        });
        // The oldest that a compiler knows may have lambdas.
        let old_lambda = options.feature_version >= 20;
        let found = verdicts(&options, &sources);
        assert_eq!(kept(&found[0]), [true, true, false, false], "{found:?}");
        assert_eq!(kept(&found[1]), [true; 4], "{found:?}");
        assert_eq!(kept(&found[2]), [true, old_lambda, false, false], "{found:?}");
        assert_eq!(kept(&found[3]), [true, true, false, true], "{found:?}");
        let missing = "does not compile: cannot find symbol; symbol: method of()";
        assert_eq!(reason(&found[0][3]), missing);
    }
}

#[test]
fn without_running_what_compiles_is_kept() {
    let found = verdicts_on(&only_compiling(), jupiter("ATest", "@Test void a() { fail(); }"));
    assert_eq!(found, [Verdict::Kept]);
}

#[test]
fn nothing_is_nothing() {
    assert_eq!(verdicts(&options(), &[]), Vec::<Vec<Verdict>>::new());
    assert_eq!(verdicts(&options(), &[jupiter("ATest", "")]), [vec![]]);
}
