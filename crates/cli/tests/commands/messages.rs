//! The command line: exit statuses, what goes to stdout and what to stderr, and that messages name
//! the thing, the place and the remedy.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use std::fs;
use std::path::PathBuf;

use petrel_classfile::writer::ClassWriter;
use petrel_classfile::{flags, op};
use petrel_filetests::petrel::{Finished, Petrel};
use petrel_filetests::world;

const PAPERS: &str = "build/fixtures/papers";

fn petrel(arguments: &[&str]) -> Finished {
    Petrel::new(env!("CARGO_BIN_EXE_petrel")).run(arguments)
}

/// Runs on the class path of the papers.
fn petrel_on_papers(arguments: &[&str]) -> Finished {
    let built = world::root().join(PAPERS);
    assert!(built.is_dir(), "`make fixtures` builds {PAPERS}");
    petrel(&[arguments, &["-c", PAPERS]].concat())
}

/// A failure prints nothing, and one message with all of this in it.
#[track_caller]
fn check_failure(finished: &Finished, parts: &[&str]) {
    let Finished { status, stdout, stderr } = finished;
    assert_eq!((*status, &**stdout), (Some(2), ""), "{stderr}");
    assert!(stderr.starts_with("error: "), "{stderr}");
    for part in parts {
        assert!(stderr.contains(part), "{part:?} is not in {stderr:?}");
    }
}

#[track_caller]
fn check_success(finished: &Finished) -> &str {
    assert_eq!((finished.status, &*finished.stderr), (Some(0), ""));
    &finished.stdout
}

/// A folder of its own for each test, removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("petrel-cli-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn write(&self, file: &str, bytes: &[u8]) {
        fs::write(self.0.join(file), bytes).unwrap();
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn without_a_command_or_a_target_the_usage_is_shown() {
    for arguments in [&[][..], &["translate"], &["list"], &["frobnicate"], &["translate", "--what"]]
    {
        let finished = petrel(arguments);
        assert_eq!((finished.status, &*finished.stdout), (Some(2), ""), "{arguments:?}");
        assert!(finished.stderr.contains("Usage: petrel"), "{arguments:?}: {}", finished.stderr);
    }
}

#[test]
fn help_and_version_are_no_failures() {
    assert!(check_success(&petrel(&["--help"])).contains("translate"));
    assert!(check_success(&petrel(&["--version"])).contains(env!("CARGO_PKG_VERSION")));
}

#[test]
fn an_unknown_class_is_named_with_a_remedy() {
    for command in ["translate", "list"] {
        let finished = petrel_on_papers(&[command, "some.Missing"]);
        check_failure(&finished, &["some.Missing", "--class-path"]);
    }
}

#[test]
fn an_unknown_method_is_named_with_those_that_there_are() {
    let finished = petrel_on_papers(&["translate", "Lcm003#lxm"]);
    check_failure(&finished, &["Lcm003#lxm", "lcm(II)I", "gcd(II)I", "abs(I)I"]);
    let finished = petrel_on_papers(&["list", "Lcm003#lcm(I)I"]);
    check_failure(&finished, &["lcm(I)I", "lcm(II)I"]);
}

#[test]
fn one_unknown_target_of_several_is_a_failure() {
    let finished = petrel_on_papers(&["translate", "Lcm003", "Lcm004"]);
    check_failure(&finished, &["Lcm004"]);
}

#[test]
fn a_missing_entry_of_the_class_path_is_named() {
    let class_path = format!("{PAPERS}:no/such/folder");
    check_failure(&petrel(&["translate", "-c", &class_path, "Lcm003"]), &["no/such/folder"]);
}

#[test]
fn what_is_no_jar_is_named() {
    let folder = Folder::new("jar");
    folder.write("some.jar", b"no jar");
    let jar = format!("{}/some.jar", folder.path());
    check_failure(&petrel(&["translate", "-c", &jar, "A"]), &[&jar, "jar"]);
}

#[test]
fn a_jdk_that_is_not_there_is_named_with_a_remedy() {
    let finished = petrel_on_papers(&["translate", "--jdk", "no/such/jdk", "Lcm003"]);
    check_failure(&finished, &["no/such/jdk", "--jdk", "JAVA_HOME"]);
    let finished = petrel_on_papers(&["translate", "--jdk", "crates", "Lcm003"]);
    check_failure(&finished, &["crates", "--jdk", "JAVA_HOME"]);
}

#[test]
fn a_malformed_class_file_is_named_with_the_place() {
    let whole = fs::read(world::root().join(PAPERS).join("Lcm003.class")).unwrap();
    let folder = Folder::new("malformed");
    folder.write("Lcm003.class", &whole[..200]);
    folder.write("Other.class", &whole);
    folder.write("Empty.class", b"");
    let translate = |class| petrel(&["translate", "-c", folder.path(), class]);
    check_failure(&translate("Lcm003"), &["Lcm003.class", "constant pool", "byte 199"]);
    check_failure(&translate("Empty"), &["Empty.class", "byte 0"]);
    check_failure(&translate("Other"), &["Other.class", "Lcm003"]);
}

/// A class with a method that is fine, and one that adds what is not on the stack.
fn half_broken() -> Vec<u8> {
    let mut class = ClassWriter::new(flags::PUBLIC, "Half", "java/lang/Object", &[]);
    class.method(flags::STATIC, "fine", "(I)I", 1, |code| {
        code.local(op::ILOAD, 0).op(op::IRETURN);
    });
    class.method(flags::STATIC, "broken", "()I", 0, |code| {
        code.op(op::IADD).op(op::IRETURN);
    });
    class.method(flags::STATIC, "fineToo", "()I", 0, |code| {
        code.int(1).op(op::IRETURN);
    });
    class.finish().unwrap()
}

#[test]
fn a_method_that_cannot_be_translated_does_not_stop_the_others() {
    let folder = Folder::new("half");
    folder.write("Half.class", &half_broken());
    for option in [&[][..], &["--prolog"], &["--json"]] {
        let finished = petrel(&[&["translate", "-c", folder.path(), "Half"], option].concat());
        let Finished { status, stdout, stderr } = &finished;
        assert_eq!(*status, Some(1), "{option:?}: {stderr}");
        for part in ["error: ", "Half.broken()I", "instruction 0", "the operand stack is empty"] {
            assert!(stderr.contains(part), "{option:?}: {part:?} is not in {stderr:?}");
        }
        assert!(stdout.contains("fineToo") && stdout.contains("ireturn"), "{option:?}: {stdout}");
    }
    let finished = petrel(&["translate", "-c", folder.path(), "Half#fine"]);
    assert!(check_success(&finished).contains("fine("));
}

#[test]
fn json_says_what_the_text_says() {
    let finished = petrel_on_papers(&["translate", "--json", "Vector"]);
    let answer: serde_json::Value = serde_json::from_str(check_success(&finished)).unwrap();
    assert_eq!(answer["schema"], 1);
    assert_eq!(answer["targets"], serde_json::json!(["Vector"]));
    assert_eq!(answer["failures"], serde_json::json!([]));
    let outside = answer["outside"].as_array().unwrap();
    assert!(outside.contains(&"java/lang/Exception.<init>()V".into()), "{outside:?}");
    let procedures = answer["procedures"].as_array().unwrap();
    let methods: Vec<&str> = procedures.iter().filter_map(|p| p["method"].as_str()).collect();
    assert_eq!(
        methods,
        ["<init>(I)V", "add(I)V", "realloc()V", "multiples([III)LVector;"]
            .map(|method| format!("Vector#{method}"))
    );
    let rule = &procedures[1]["rules"][0];
    assert_eq!(rule["predicate"], "add");
    assert_eq!(rule["rule"], 1);
    assert_eq!(rule["instructions"][1], "1 getfield");
    assert!(rule["lines"].as_array().is_some_and(|lines| !lines.is_empty()));
    for procedure in procedures {
        let text = procedure["text"].as_str().unwrap();
        assert!(petrel_clp::parse::procedures(text).is_ok(), "{text}");
    }
}

#[test]
fn the_text_of_a_program_parses_back() {
    let finished = petrel_on_papers(&["translate", "Vector", "Lcm001"]);
    let (procedures, _) = petrel_clp::parse::program(check_success(&finished)).unwrap();
    assert_eq!(procedures.len(), 8);
}

/// Fig. 3 and 4 of "A Framework for Guided Test Case Generation in Constraint Logic Programming", with the
/// blocks of this translation.
#[test]
fn slices_of_an_abstraction_leave_out_what_leads_elsewhere() {
    let slice = |of: &str| {
        let arguments = ["translate", "--abstract", "--slice", of, "Lcm001#lcm"];
        check_success(&petrel_on_papers(&arguments)).to_owned()
    };
    let local = slice("local-paths");
    assert!(
        local.contains("lcm_cont_11(lcm_cont_11(1,[],[_,T2])) :- lcm_call_13(T2).\n"),
        "{local}"
    );
    assert!(
        !local.contains("gcd") && local.contains("lcm_div_24(lcm_div_24(1,[],[])).\n"),
        "{local}"
    );
    // To the handler, only what throws leads.
    let handler = slice("points:18");
    assert!(!handler.contains("lcm_div_24(1,"), "{handler}");
    assert!(
        handler.contains("lcm_div_24(lcm_div_24(2,[],[T1])) :- lcm_catch_26(T1).\n"),
        "{handler}"
    );
    let positive = slice("points:33");
    assert!(
        positive.contains("lcm_cont_11(lcm_cont_11(1,[],[T1,T2])) :- gcd(T1), lcm_call_13(T2).\n"),
        "{positive}"
    );
    assert!(!positive.contains("abs_if_1(1,") && positive.contains("abs_if_1(2,"), "{positive}");
    for (slice, message) in [
        ("points:99", "99 is nowhere in the code that Lcm001.lcm(II)I reaches"),
        ("branches", "there is no slice for branches"),
    ] {
        let finished =
            petrel_on_papers(&["translate", "--abstract", "--slice", slice, "Lcm001#lcm"]);
        assert_eq!(finished.status, Some(2));
        assert!(finished.stderr.contains(message), "{}", finished.stderr);
    }
}

#[test]
fn a_listing_has_instructions_and_lines() {
    let finished = petrel_on_papers(&["list", "Lcm003#abs(I)I"]);
    let text = check_success(&finished);
    for part in ["Lcm003.abs(I)I", "1: iflt 6", "line 22: 0"] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    let finished = petrel_on_papers(&["list", "--json", "Lcm003#abs"]);
    let answer: serde_json::Value = serde_json::from_str(check_success(&finished)).unwrap();
    assert_eq!(answer["methods"][0]["method"], "Lcm003#abs(I)I");
    assert_eq!(answer["methods"][0]["instructions"][1], "1: iflt 6");
}

#[test]
fn the_same_command_gives_the_same_bytes() {
    let commands: [&[&str]; 5] = [
        &["translate", "Vector", "ArrayPower"],
        &["translate", "--json", "Vector", "ArrayPower"],
        &["translate", "--prolog", "Vector", "ArrayPower"],
        &["translate", "java.util.ArrayList"],
        &["list", "java.util.ArrayList"],
    ];
    for command in commands {
        let first = petrel_on_papers(command);
        assert_eq!(first.status, Some(0), "{command:?}: {}", first.stderr);
        assert!(first == petrel_on_papers(command), "{command:?}");
    }
}

#[test]
fn a_target_that_is_named_twice_is_translated_once() {
    let once = petrel_on_papers(&["translate", "Lcm003"]);
    let twice = petrel_on_papers(&["translate", "Lcm003", "Lcm003#lcm", "Lcm003"]);
    assert!(once == twice);
}

#[test]
fn a_class_of_the_jdk_is_a_target_too() {
    let finished = petrel_on_papers(&["translate", "java.lang.Math#abs(I)I"]);
    assert!(check_success(&finished).contains("abs("));
}

#[test]
fn a_method_alone_brings_the_initialiser_of_its_class_along() {
    let classes = world::root().join("build/fixtures/found");
    let class_path = classes.to_str().unwrap();
    let finished = petrel(&["translate", "-c", class_path, "OwnInitialiser#lookup"]);
    assert!(
        check_success(&finished)
            .contains(":- procedure('OwnInitialiser', '<clinit>', '()V', static")
    );
}
