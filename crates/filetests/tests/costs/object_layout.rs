//! Sizes of objects against what HotSpot allocates, for every JDK of this machine.
//!
//! The JVM is asked how many bytes a thread has allocated before and after it makes instances of a
//! class, which is exact. Classes are those of `fixtures/costs`, random ones with deep hierarchies, and
//! all of the module java.base, where some have fields that no class file shows.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, id};

use petrel_checks::{Amount, Part, seed};
use petrel_classpath::{ClassSource, Jdk};
use petrel_cost::{ArrayCost, Costing, Model, Scope, instance_size};
use petrel_filetests::jvm::Jdks;
use petrel_filetests::{derive, world};
use petrel_session::Session;

const RANDOM_CLASSES: Amount = Amount::new(100, 400, 1000);
/// Of the classes of java.base.
const PART: Part = Part::one_of(20, 8);
const LEAST_CLASSES: usize = 5_000;

/// Prints the bytes of an instance of each class that a file names.
const ORACLE: &str = r#"
import com.sun.management.ThreadMXBean;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Array;
import java.nio.file.Files;
import java.nio.file.Path;
import sun.misc.Unsafe;

public class ObjectSizes {
    static final int ROUNDS = 50;
    static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    static Object latest;

    interface Allocation { Object make() throws Throwable; }

    static long bytes(Allocation allocation) throws Throwable {
        // What the first time allocates besides does not count.
        latest = allocation.make();
        long start = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < ROUNDS; i++) latest = allocation.make();
        long bytes = THREADS.getCurrentThreadAllocatedBytes() - start;
        if (bytes % ROUNDS != 0) throw new AssertionError("something else allocates");
        return bytes / ROUNDS;
    }

    public static void main(String[] arguments) throws Throwable {
        var field = Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        Unsafe unsafe = (Unsafe) field.get(null);
        // Initialisers of classes may do what they like to System.out.
        PrintStream out = new PrintStream(arguments[1]);
        for (String line : Files.readAllLines(Path.of(arguments[0]))) {
            String[] words = line.split(" ");
            try {
                Class<?> type = Class.forName(words[0], false, ObjectSizes.class.getClassLoader());
                if (words.length == 1) {
                    out.println(line + "=" + bytes(() -> unsafe.allocateInstance(type)));
                } else {
                    int length = Integer.parseInt(words[1]);
                    Class<?> element = type.getComponentType();
                    out.println(line + "=" + bytes(() -> Array.newInstance(element, length)));
                }
            } catch (Throwable failure) {
                out.println("failed: " + line + ": " + failure);
            }
        }
        out.close();
        // Initialisers may have started threads.
        Runtime.getRuntime().halt(0);
    }
}
"#;

/// A folder of its own for what a test compiles.
struct Scratch(PathBuf);

impl Scratch {
    fn new(jdk: &Jdk, topic: &str) -> Scratch {
        let name = format!("petrel-object-layout-{}-{topic}-{}", id(), jdk.feature_version());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("a folder for temporary files");
        Scratch(folder)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What the JVM allocates for each of these lines: a class, or an array class and a length.
fn allocated(jdk: &Jdk, scratch: &Scratch, lines: &[String]) -> BTreeMap<String, i64> {
    let folder = &scratch.0;
    compile(jdk, folder, "ObjectSizes", ORACLE);
    let (names, sizes) = (folder.join("names"), folder.join("sizes"));
    fs::write(&names, lines.join("\n")).expect("a file for the names");
    let output = Command::new(world::tool(jdk, "java"))
        // Compiled code may leave allocations out; and compressed references are what is modelled.
        .args(["-Xint", "-XX:+UseSerialGC", "-Xmx512m", "-cp"])
        .arg(class_path(scratch))
        .arg("ObjectSizes")
        .args([&names, &sizes])
        .output()
        .expect("the command runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answers = fs::read_to_string(&sizes).expect("the sizes");
    let sizes = answers.lines().filter_map(|line| line.split_once('='));
    sizes.filter_map(|(name, size)| Some((name.to_owned(), size.parse().ok()?))).collect()
}

fn compile(jdk: &Jdk, folder: &Path, class: &str, source: &str) {
    let file = folder.join(format!("{class}.java"));
    fs::write(&file, source).expect("a source file");
    let output = Command::new(world::tool(jdk, "javac"))
        .args(["-nowarn", "-XDsuppressNotes", "-proc:none", "-d"])
        .arg(folder)
        .arg(&file)
        .output()
        .expect("the command runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn fixtures() -> PathBuf {
    world::root().join("build/fixtures/costs")
}

fn class_path(scratch: &Scratch) -> OsString {
    std::env::join_paths([&scratch.0, &fixtures()]).expect("names of folders have no separators")
}

/// The classes of `Layouts` and what is nested in it.
fn fixture_classes() -> Vec<String> {
    let names = world::fixture_files().into_iter().filter_map(|file| {
        let name = file.file_stem()?.to_str()?.to_owned();
        (file.parent()? == fixtures() && name.starts_with("Layouts")).then_some(name)
    });
    let names: Vec<String> = names.collect();
    assert!(names.len() >= 40, "`make fixtures` builds fixtures/costs/Layouts.java");
    names
}

/// A source file with classes in hierarchies, and their names.
fn random_classes(seed: u64, count: usize) -> (String, Vec<String>) {
    const TYPES: [&str; 9] =
        ["boolean", "byte", "char", "short", "int", "float", "long", "double", "Object"];
    let mut state = seed;
    let mut below = |limit: usize| {
        // The constants are Knuth's.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % limit
    };
    let mut source = String::from("public class RandomLayouts {\n");
    for number in 0..count {
        // One in four starts a hierarchy; the others mostly go on with a recent class.
        let superclass = match below(4) {
            0 => "Object".to_owned(),
            _ if number == 0 => "Object".to_owned(),
            _ => format!("C{}", number - 1 - below(number.min(5))),
        };
        let _ = write!(source, "  static class C{number} extends {superclass} {{ ");
        for field in 0..below(6) {
            let _ = write!(source, "{} f{field}; ", TYPES[below(TYPES.len())]);
        }
        source.push_str("}\n");
    }
    source.push_str("}\n");
    (source, (0..count).map(|number| format!("RandomLayouts$C{number}")).collect())
}

fn session(jdk: &Jdk, scratch: &Scratch) -> Session {
    let session = Session::open(&class_path(scratch), Some(jdk.home()));
    session.unwrap_or_else(|error| panic!("{error}"))
}

/// Compares the sizes of classes, by binary names. The answer is how many were compared.
fn compare(jdk: &Jdk, scratch: &Scratch, names: &[String]) -> usize {
    let session = session(jdk, scratch);
    let mut differences = Vec::new();
    let concrete: Vec<String> = names
        .iter()
        .filter(|name| {
            let class = session.program().class(&name.replace('.', "/"));
            class.is_ok_and(|class| !class.is_abstract())
        })
        .cloned()
        .collect();
    let sizes = allocated(jdk, scratch, &concrete);
    for (name, &expected) in &sizes {
        let class = session.program().class(&name.replace('.', "/")).expect("it was there before");
        let size = instance_size(&class, jdk.feature_version());
        if size != expected {
            differences.push(format!("{name} has {expected} bytes, not {size}"));
        }
    }
    let described = jdk.describe();
    assert!(differences.is_empty(), "with {described}:\n{}", differences.join("\n"));
    sizes.len()
}

#[test]
fn instances_of_the_fixture_have_the_size_that_the_jvm_allocates() {
    for jdk in Jdks::find().iter() {
        let names = fixture_classes();
        let interfaces = ["Layouts$Marked", "Layouts$MarkedToo"];
        let compared = compare(jdk, &Scratch::new(jdk, "fixture"), &names);
        assert_eq!(compared, names.len() - interfaces.len());
    }
}

#[test]
fn instances_of_random_classes_have_the_size_that_the_jvm_allocates() {
    let count = RANDOM_CLASSES.drawn("CLASSES", "random classes");
    for jdk in Jdks::find().iter() {
        let scratch = Scratch::new(jdk, "random");
        let (source, names) = random_classes(6 + seed(), count);
        compile(jdk, &scratch.0, "RandomLayouts", &source);
        assert_eq!(compare(jdk, &scratch, &names), count);
    }
}

#[test]
fn instances_of_jdk_classes_have_the_size_that_the_jvm_allocates() {
    for jdk in Jdks::find().iter() {
        let names = jdk.class_names_of_module("java.base").unwrap();
        // The flight recorder adds fields to its events when they are loaded.
        let names = names.iter().filter(|name| !name.starts_with("jdk/internal/event/"));
        let names: Vec<String> = names.map(|name| name.replace('/', ".")).collect();
        let names = PART.of(names, "classes of java.base");
        let compared = compare(jdk, &Scratch::new(jdk, "library"), &names);
        assert!(
            compared >= PART.least(LEAST_CLASSES),
            "only {compared} of {} classes",
            names.len()
        );
    }
}

#[test]
fn arrays_have_the_size_that_the_jvm_allocates() {
    let classes = ["[Z", "[B", "[C", "[S", "[I", "[F", "[J", "[D", "[Ljava.lang.String;", "[[J"];
    for jdk in Jdks::find().iter() {
        let scratch = Scratch::new(jdk, "arrays");
        let lengths = (0..20).chain([1000, 65_537]);
        let lines: Vec<String> =
            lengths.flat_map(|length| classes.map(|class| format!("{class} {length}"))).collect();
        let sizes = allocated(jdk, &scratch, &lines);
        assert_eq!(sizes.len(), lines.len());
        let session = derive::open(jdk, &fixtures());
        let model = Model::parse("memory:hotspot", &|_| unreachable!()).unwrap();
        let version = jdk.feature_version();
        let costing = Costing::new(session.program(), vec![model], Scope::All, "Layouts", version);
        let class = session.program().class("Layouts").unwrap();
        let procedure = petrel_translate::translate(session.program(), &class, 0).unwrap().unwrap();
        for (line, expected) in sizes {
            let (class, length) = line.split_once(' ').unwrap();
            let costs = costing.of_array(&procedure, &class.replace('.', "/"));
            let cost: ArrayCost = costs[0].unwrap();
            assert_eq!(cost.of_length(length.parse().unwrap()), expected, "{line}");
        }
    }
}
