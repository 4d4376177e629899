//! Tests that are written by hand and validated behind the wall.

use std::time::Duration;

use petrel_filetests::generated::binary;
use petrel_filetests::world::jdk;
use petrel_validate::{Options, TestPlace, TestSource, Verdict, Why, validate};
use petrel_wall::Wall;

use super::{Outside, is_complete};

/// The verdicts on tests of JUnit 5, each given as its name and its body.
fn verdicts(tests: &[(&str, String)]) -> Vec<Verdict> {
    let mut text = "import static org.junit.jupiter.api.Assertions.*;\nimport java.io.*;\nimport java.nio.file.*;\nimport org.junit.jupiter.api.Test;\nclass ATest {\n".to_owned();
    let mut places = Vec::new();
    for (name, body) in tests {
        let line = u32::try_from(text.lines().count() + 1).expect("there are not so many");
        text += &format!("@Test void {name}() throws Exception {{ {body} }}\n");
        let name = (*name).to_owned();
        places.push(TestPlace { name, has_parameters: false, lines: line..line + 1 });
    }
    text += "}\n";
    let (class, file) = ("ATest".to_owned(), "ATest.java".into());
    let source = TestSource { class, file, release: None, text, tests: places };
    let petrel = binary::petrel().expect("the program is built");
    let options = Options {
        time_limit: Duration::from_secs(4),
        heap_megabytes: 64,
        wall: Some(Wall::probe(&petrel).expect("the program knows what it can do")),
        ..Options::new(&jdk())
    };
    let found = validate(&options, &[source], &|_, _| {}).unwrap_or_else(|error| panic!("{error}"));
    found.into_iter().flatten().flatten().collect()
}

#[test]
fn what_is_caught_is_found_out() {
    if !is_complete() {
        return;
    }
    let outside = Outside::new();
    let victim = outside.folder().join("victim").display().to_string();
    let made = outside.folder().join("made").display().to_string();
    let tests = [
        ("before", "assertEquals(1, 1);".to_owned()),
        ("fails", format!("new FileOutputStream({made:?});")),
        ("caught", format!("try {{ Files.write(Paths.get({made:?}), new byte[1]); fail(); }} catch (IOException e) {{ }}")),
        ("expected", format!("assertThrows(IOException.class, () -> Files.delete(Paths.get({victim:?})));")),
        ("unseen", format!("assertFalse(new File({victim:?}).delete());")),
        ("unseenAgain", format!("assertFalse(new File({victim:?}).delete());")),
        ("wrapped", format!("try {{ new FileWriter({victim:?}); }} catch (IOException e) {{ throw new RuntimeException(e); }}")),
        ("created", format!("try {{ new File({made:?}).createNewFile(); }} catch (IOException e) {{ }}")),
        ("executed", "try { Runtime.getRuntime().exec(new String[] {\"true\"}); fail(); } catch (IOException e) { }".to_owned()),
        ("listens", "try { new java.net.ServerSocket(0); fail(); } catch (IOException e) { }".to_owned()),
        ("attributes", format!("assertTrue(new File({victim:?}).setReadable(true));")),
        ("linked", format!("try {{ Files.createLink(Paths.get(\"l\"), Paths.get({victim:?})); fail(); }} catch (IOException e) {{ }}")),
        ("touched", format!("Files.setLastModifiedTime(Paths.get({victim:?}), java.nio.file.attribute.FileTime.fromMillis(5));")),
        ("talked", format!("try {{ java.nio.channels.SocketChannel.open(java.net.UnixDomainSocketAddress.of({victim:?})); fail(); }} catch (IOException e) {{ }}")),
        ("after", "assertEquals(1, 1);".to_owned()),
    ];
    let found = verdicts(&tests);
    outside.assert_as_before();
    let why = |name: &str| {
        let index = tests.iter().position(|(test, _)| *test == name).expect("there is such a test");
        match &found[index] {
            Verdict::Dropped(Why::Refused(what)) => what.clone(),
            other => panic!("{name}: {other:?}"),
        }
    };
    assert_eq!((&found[0], &found[tests.len() - 1]), (&Verdict::Kept, &Verdict::Kept), "{found:?}");
    for (name, file) in [("fails", &made), ("wrapped", &victim)] {
        assert_eq!(why(name), format!("tries to write {file}, which the sandbox refuses"));
    }
    // The JVM's log does not know the names of these.
    for name in ["caught", "expected", "created"] {
        let expected = "tries to write, make or remove a file, which the sandbox refuses";
        assert_eq!(why(name), expected, "{name}");
    }
    for name in ["unseen", "unseenAgain"] {
        let expected =
            "tries to delete a file, and whether the sandbox refuses that cannot be seen";
        assert_eq!(why(name), expected);
    }
    assert_eq!(why("executed"), "tries to start the program \"true\", which the sandbox refuses");
    assert_eq!(why("listens"), "tries to use the network, which the sandbox refuses");
    for name in ["attributes", "touched"] {
        assert_eq!(why(name), "changes the attributes of a file", "{name}");
    }
    assert!(why("linked").starts_with("tries to write"), "{}", why("linked"));
    assert_eq!(why("talked"), "talks to a program through a socket of this machine");
}

#[test]
fn what_is_allowed_is_no_refusal() {
    let readable = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let tests = [
        ("reads", format!("assertTrue(Files.size(Paths.get({readable:?})) > 0);")),
        (
            "missing",
            "assertThrows(FileNotFoundException.class, () -> new FileInputStream(\"none\"));"
                .to_owned(),
        ),
        (
            "works",
            "Files.write(Paths.get(\"a\"), new byte[9]); Files.delete(Paths.get(\"a\"));"
                .to_owned(),
        ),
        ("temporary", "assertTrue(File.createTempFile(\"abc\", \"d\").length() == 0);".to_owned()),
        (
            "nowhere",
            "try (OutputStream out = new FileOutputStream(\"/dev/null\")) { out.write(1); }"
                .to_owned(),
        ),
        (
            "own",
            "try { throw new IOException(\"Permission denied\"); } catch (IOException e) { }"
                .to_owned(),
        ),
        ("threads", "Thread t = new Thread(() -> {}); t.start(); t.join();".to_owned()),
    ];
    let found = verdicts(&tests);
    assert_eq!(found, vec![Verdict::Kept; tests.len()]);
}
