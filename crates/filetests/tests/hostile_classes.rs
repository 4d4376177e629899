//! Class files that are broken, by chance and by hand.
//!
//! Whatever the bytes are, they end in a value or in an error that names the place: never in a
//! panic, and never in time or memory out of proportion to their size.
//!
//! What may run away is tried in a process of its own whose memory is limited, since neither an
//! allocation that fails nor a stack that overflows can be caught. It writes a line to stderr
//! before each case, so that the last ones are known when it dies or hangs. To try one mutation
//! again, without the limit and without catching its panic:
//!
//! ```text
//! PETREL_MUTATION='java/lang/String 17' cargo test --release -p petrel-filetests \
//!     --test hostile_classes mutated_classes -- --nocapture
//! ```
//!
//! `PETREL_MUTATIONS=10000` tries that many mutations of each class.

use std::collections::VecDeque;
use std::fmt::Display;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use expect_test::{Expect, expect};
use petrel_classfile::{ClassFile, flags, op};
use petrel_filetests::sample::{Random, mutated, sample};
use petrel_filetests::world::{self, Platform, Progress};
use petrel_program::{ClassProvider, Program};

// Mutations.

/// One mutation to try: a class and a seed.
const MUTATION: &str = "PETREL_MUTATION";
/// How many mutations of each class are tried, if not [`MUTATIONS_BY_DEFAULT`].
const MUTATIONS: &str = "PETREL_MUTATIONS";
const MUTATIONS_BY_DEFAULT: u64 = 180;
/// How many classes of the fixtures are mutated, as far as they are compiled.
const FIXTURES: usize = 12;

/// Classes of the JDK that differ in what they use; a few are missing in some versions.
const CLASSES: [&str; 16] = [
    "java/lang/Object",
    // Constants of all kinds.
    "java/lang/String",
    "java/lang/Math",
    "java/util/HashMap",
    // Lambdas, dynamic string concatenation, generic signatures.
    "java/lang/invoke/LambdaMetafactory",
    "java/util/stream/Collectors",
    "java/util/Optional",
    // An enum, and switches over numbers, enums and strings.
    "java/util/concurrent/TimeUnit",
    "java/time/Month",
    "java/util/regex/CharPredicates",
    // Nested handlers, `finally` and monitors.
    "java/io/BufferedReader",
    "java/util/concurrent/ThreadPoolExecutor",
    // Records, a sealed interface, an annotation.
    "jdk/internal/misc/ThreadTracker$ThreadRef",
    "sun/security/pkcs/SignerInfo$AlgorithmInfo",
    "java/lang/constant/ConstantDesc",
    "java/lang/FunctionalInterface",
];

#[test]
fn mutated_classes_end_in_a_value_or_an_error() {
    match std::env::var(MUTATION) {
        Ok(case) => {
            let (class, seed) = case.rsplit_once(' ').expect("a case is a class and a seed");
            let seed = seed.parse().expect("the seed is a number");
            let subjects = Subjects::new();
            let class = subjects.number(class).expect("the class is one of those tried");
            world::exercise(&subjects.platform, &subjects.mutation(class, seed));
        }
        Err(_) => limited("mutated_classes_end_in_a_value_or_an_error", try_mutations),
    }
}

/// The classes that are mutated, and where they get all others from.
struct Subjects {
    platform: Arc<Platform>,
    classes: Vec<(String, Arc<[u8]>)>,
}

impl Subjects {
    fn new() -> Subjects {
        let platform = Arc::new(Platform::new(world::jdk()));
        let mut classes = Vec::new();
        for name in CLASSES {
            if let Ok(Some(class)) = platform.find(name) {
                classes.push((name.to_owned(), class.bytes));
            }
        }
        assert!(classes.len() >= 12, "too few classes in this JDK");
        for file in sample(&world::fixture_files(), FIXTURES, 1) {
            let bytes = fs::read(&file).expect("the fixture can be read");
            let class = ClassFile::parse(&*bytes).expect("the fixture is a class");
            classes.push((class.name().to_owned(), bytes.into()));
        }
        Subjects { platform, classes }
    }

    fn number(&self, name: &str) -> Option<usize> {
        self.classes.iter().position(|(class, _)| class == name)
    }

    fn mutation(&self, class: usize, seed: u64) -> Vec<u8> {
        let mut random = Random::new(seed);
        let (_, bytes) = &self.classes[class];
        let (_, other) = &self.classes[random.below(self.classes.len())];
        mutated(bytes, other, &mut random)
    }
}

fn try_mutations() {
    let trial = Trial::new();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let trial = &trial;
            scope.spawn(move || trial.work(thread));
        }
    });
    let failures = trial.failures.into_inner().unwrap_or_else(PoisonError::into_inner);
    let progress = trial.progress.into_inner().unwrap_or_else(PoisonError::into_inner);
    say(format_args!("{progress:?}, {}", peak_memory()));
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
    assert!(progress.translated > 0, "no mutation got through");
}

struct Trial {
    subjects: Subjects,
    mutations: u64,
    next: AtomicUsize,
    progress: Mutex<Progress>,
    failures: Mutex<Vec<String>>,
}

impl Trial {
    fn new() -> Trial {
        let mutations = std::env::var(MUTATIONS).ok();
        let mutations = mutations.map(|text| text.parse().expect("a number of mutations"));
        Trial {
            subjects: Subjects::new(),
            mutations: mutations.unwrap_or(MUTATIONS_BY_DEFAULT),
            next: AtomicUsize::new(0),
            progress: Mutex::default(),
            failures: Mutex::default(),
        }
    }

    fn work(&self, thread: usize) {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let count = self.subjects.classes.len();
            let (class, seed) = (number % count, (number / count) as u64);
            if seed >= self.mutations {
                return;
            }
            let case = format!("{} {seed}", self.subjects.classes[class].0);
            say(format_args!("thread {thread}: {case}"));
            let bytes = self.subjects.mutation(class, seed);
            match try_class(&self.subjects.platform, &bytes, TIME_LIMIT) {
                Ok(progress) => {
                    *self.progress.lock().unwrap_or_else(PoisonError::into_inner) += progress;
                }
                Err(problem) => {
                    let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
                    failures.push(format!("{case}: {problem}"));
                }
            }
        }
    }
}

// Trying what may run away.

/// Tells a process that it is the limited one.
const LIMITED: &str = "PETREL_LIMITED";
/// Of address space. The process needs a fifth of it.
const MEMORY_LIMIT_KIB: u64 = 1_500_000;
/// For a mutated class, and for one that was made to take long.
const TIME_LIMIT: Duration = Duration::from_secs(2);
const LONG_TIME_LIMIT: Duration = Duration::from_secs(5);
/// A process that says nothing for so long hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// Does something in a process with limited memory that runs just this test.
fn limited(test: &str, work: fn()) {
    if std::env::var_os(LIMITED).is_some() {
        return work();
    }
    let this = std::env::current_exe().expect("a test knows where it is");
    let mut process = Command::new("sh")
        .args(["-c", "ulimit -v \"$0\" && exec \"$@\""])
        .arg(MEMORY_LIMIT_KIB.to_string())
        .arg(this)
        .args(["--exact", test, "--nocapture"])
        .env(LIMITED, "yes")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("there is a shell");
    let messages = BufReader::new(process.stderr.take().expect("stderr is piped"));
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        for line in messages.lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    let mut last = VecDeque::new();
    loop {
        match lines.recv_timeout(PATIENCE) {
            Ok(line) => {
                last.push_back(line);
                if last.len() > 60 {
                    last.pop_front();
                }
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                last.push_back(format!("(silent for {PATIENCE:?}, ended)"));
                let _ = process.kill();
                break;
            }
        }
    }
    let status = process.wait().expect("the process was started");
    let last = Vec::from(last).join("\n");
    assert!(status.success(), "{status}; the last lines are\n{last}");
}

/// Tries a class file; why it failed, if it panicked or took too long.
fn try_class(platform: &Arc<Platform>, bytes: &[u8], limit: Duration) -> Result<Progress, String> {
    let (progress, mut time) = timed(platform, bytes)?;
    if time > limit {
        // Something else may have kept the machine busy.
        time = time.min(timed(platform, bytes)?.1);
    }
    if time > limit {
        return Err(format!("took {time:?}"));
    }
    Ok(progress)
}

fn timed(platform: &Arc<Platform>, bytes: &[u8]) -> Result<(Progress, Duration), String> {
    let start = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(|| world::exercise(platform, bytes)));
    match outcome {
        Ok(progress) => Ok((progress, start.elapsed())),
        Err(payload) => Err(match payload.downcast::<String>() {
            Ok(message) => *message,
            Err(_) => "panicked".to_owned(),
        }),
    }
}

/// Writes to stderr.
fn say(line: impl Display) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

fn peak_memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let is_peak = |line: &&str| line.starts_with("VmPeak") || line.starts_with("VmHWM");
    status.lines().filter(is_peak).collect::<Vec<_>>().join(" ")
}

// Class files by hand.

const NAME: &str = "a/Hostile";

/// Writes class files that no compiler would.
struct Raw {
    version: u16,
    pool: Vec<u8>,
    constants: u16,
    this_class: u16,
    super_class: u16,
    methods: Vec<Vec<u8>>,
    attributes: Vec<Vec<u8>>,
}

impl Raw {
    fn new(name: &str, super_name: &str) -> Raw {
        let mut raw = Raw {
            version: 52,
            pool: Vec::new(),
            constants: 0,
            this_class: 0,
            super_class: 0,
            methods: Vec::new(),
            attributes: Vec::new(),
        };
        raw.this_class = raw.class(name);
        raw.super_class = raw.class(super_name);
        raw
    }

    /// A class with a method `static void m()`.
    fn with_code(code: &[u8]) -> Vec<u8> {
        let mut raw = Raw::new(NAME, "java/lang/Object");
        raw.method("m", "()V", 10, code);
        raw.bytes()
    }

    fn constant(&mut self, tag: u8, contents: &[u8]) -> u16 {
        self.pool.push(tag);
        self.pool.extend(contents);
        self.constants += 1;
        self.constants
    }

    fn utf8(&mut self, text: &str) -> u16 {
        let length = (text.len() as u16).to_be_bytes();
        self.constant(1, &[&length, text.as_bytes()].concat())
    }

    fn class(&mut self, name: &str) -> u16 {
        let name = self.utf8(name);
        self.constant(7, &name.to_be_bytes())
    }

    /// A constant that consists of two indices.
    fn pair(&mut self, tag: u8, first: u16, second: u16) -> u16 {
        self.constant(tag, &shorts(&[first, second]))
    }

    /// A field (tag 9) or method (10) of a class.
    fn member(&mut self, tag: u8, class: &str, name: &str, descriptor: &str) -> u16 {
        let class = self.class(class);
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        let name_and_type = self.pair(12, name, descriptor);
        self.pair(tag, class, name_and_type)
    }

    fn attribute(&mut self, name: &str, contents: &[u8]) -> Vec<u8> {
        let name = self.utf8(name).to_be_bytes();
        let length = (contents.len() as u32).to_be_bytes();
        [&name, &length[..], contents].concat()
    }

    /// A static method.
    fn method(&mut self, name: &str, descriptor: &str, max_locals: u16, code: &[u8]) {
        self.method_with(name, descriptor, max_locals, code, &[], &[]);
    }

    /// A static method with handlers, which are start, end, target and type, and with attributes
    /// of its code.
    fn method_with(
        &mut self,
        name: &str,
        descriptor: &str,
        max_locals: u16,
        code: &[u8],
        handlers: &[[u16; 4]],
        attributes: &[Vec<u8>],
    ) {
        let contents = [
            &shorts(&[u16::MAX, max_locals])[..],
            &(code.len() as u32).to_be_bytes(),
            code,
            &shorts(&[handlers.len() as u16]),
            &shorts(&handlers.concat()),
            &shorts(&[attributes.len() as u16]),
            &attributes.concat(),
        ];
        let code = self.attribute("Code", &contents.concat());
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        let header = shorts(&[flags::STATIC, name, descriptor, 1]);
        self.methods.push([header, code].concat());
    }

    fn bytes(&self) -> Vec<u8> {
        let count = |list: &[Vec<u8>]| shorts(&[list.len() as u16]);
        [
            &0xcafe_babe_u32.to_be_bytes()[..],
            &shorts(&[0, self.version, self.constants + 1]),
            &self.pool,
            &shorts(&[flags::PUBLIC | flags::SUPER, self.this_class, self.super_class, 0, 0]),
            &count(&self.methods),
            &self.methods.concat(),
            &count(&self.attributes),
            &self.attributes.concat(),
        ]
        .concat()
    }
}

fn shorts(values: &[u16]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_be_bytes()).collect()
}

fn words(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_be_bytes()).collect()
}

/// A program of these classes and the JDK's.
fn program(classes: &[(&str, Vec<u8>)]) -> Program {
    let platform = Arc::new(Platform::new(world::jdk()));
    let classes = classes.iter().map(|(name, bytes)| ((*name).to_owned(), (**bytes).into()));
    world::program_with(&platform, classes)
}

/// Why the class cannot be loaded, or else why its first method that cannot be translated cannot.
fn refusal(program: &Program, name: &str) -> String {
    let class = match program.class(name) {
        Ok(class) => class,
        Err(error) => return error.to_string(),
    };
    let methods = 0..class.file.methods.len();
    let mut errors =
        methods.filter_map(|method| petrel_translate::translate(program, &class, method).err());
    errors.next().map_or_else(|| "accepted".to_owned(), |error| error.to_string())
}

fn check(bytes: Vec<u8>, expected: Expect) {
    expected.assert_eq(&refusal(&program(&[(NAME, bytes)]), NAME));
}

fn check_code(code: &[u8], expected: Expect) {
    check(Raw::with_code(code), expected);
}

#[test]
fn what_is_written_by_hand_is_a_class_as_long_as_nothing_is_wrong_with_it() {
    check_code(&[op::RETURN], expect!["accepted"]);
}

#[test]
fn a_truncated_file_is_refused_where_it_ends() {
    let whole = Raw::with_code(&[op::RETURN]);
    check(
        whole[..2].to_vec(),
        expect![
            "a/Hostile.class: class a/Hostile (byte 0): 4 more bytes are needed but only 2 are left"
        ],
    );
    check(
        whole[..25].to_vec(),
        expect![
            "a/Hostile.class: class a/Hostile, constant pool, constant 3 (byte 25): 1 more bytes are needed but only 0 are left"
        ],
    );
    check(
        whole[..whole.len() - 1].to_vec(),
        expect![
            "a/Hostile.class: class a/Hostile (byte 103): 2 more bytes are needed but only 1 are left"
        ],
    );
    for end in 0..whole.len() {
        let message = refusal(&program(&[(NAME, whole[..end].to_vec())]), NAME);
        assert!(message.contains(NAME) && message.contains("(byte "), "{end}: {message}");
    }
}

#[test]
fn what_follows_the_class_is_refused() {
    let mut bytes = Raw::with_code(&[op::RETURN]);
    bytes.push(0);
    check(bytes, expect!["a/Hostile.class: class a/Hostile (byte 105): 1 bytes follow the class"]);
}

#[test]
fn a_file_of_another_kind_is_refused() {
    check(
        b"PK\x03\x04 this is a zip file".to_vec(),
        expect![
            "a/Hostile.class: class a/Hostile (byte 0): the file does not start with 0xCAFEBABE"
        ],
    );
}

#[test]
fn versions_that_are_too_new_or_too_old_are_refused() {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    raw.version = 70;
    check(
        raw.bytes(),
        expect![
            "a/Hostile.class: class a/Hostile (byte 6): class file version 70 is not supported (45 to 69 are: Java 1.1 to 25)"
        ],
    );
    raw.version = 44;
    check(
        raw.bytes(),
        expect![
            "a/Hostile.class: class a/Hostile (byte 6): class file version 44 is not supported (45 to 69 are: Java 1.1 to 25)"
        ],
    );
}

#[test]
fn constants_out_of_range_are_refused() {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    raw.super_class = 999;
    check(
        raw.bytes(),
        expect![
            "a/Hostile.class: class a/Hostile, super_class: constant 999 lies beyond the pool of 5 entries"
        ],
    );
    check_code(
        &[op::NEW, 3, 231, op::POP, op::RETURN],
        expect![
            "class a/Hostile, method m()V, instruction 0: constant 999 lies beyond the pool of 8 entries"
        ],
    );
    // A constant of the wrong kind, and the unusable one.
    check_code(
        &[op::NEW, 0, 1, op::POP, op::RETURN],
        expect![
            "class a/Hostile, method m()V, instruction 0: constant 1 should be a Class but is Utf8"
        ],
    );
    check_code(
        &[op::LDC, 0, op::POP, op::RETURN],
        expect![
            "class a/Hostile, method m()V, instruction 0: constant 0 should be a loadable constant but is unusable"
        ],
    );
}

#[test]
fn wrong_descriptors_are_refused() {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    raw.method("m", "(V)V", 1, &[op::RETURN]);
    check(
        raw.bytes(),
        expect![[
            r#"a/Hostile.class: class a/Hostile, method m(V)V: "(V)V" is not a method descriptor"#
        ]],
    );
    let mut raw = Raw::new(NAME, "java/lang/Object");
    let method = raw.member(10, NAME, "m", "(Lnot a type").to_be_bytes();
    raw.method("m", "()V", 1, &[&[op::INVOKESTATIC][..], &method, &[op::RETURN]].concat());
    check(
        raw.bytes(),
        expect![[
            r#"class a/Hostile, method m()V, instruction 0: "(Lnot a type" is not a method descriptor"#
        ]],
    );
}

#[test]
fn lengths_beyond_the_end_are_refused() {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    let mut attribute = raw.attribute("SourceFile", &[0, 1]);
    attribute[2..6].copy_from_slice(&u32::MAX.to_be_bytes());
    raw.attributes.push(attribute);
    check(
        raw.bytes(),
        expect![
            "a/Hostile.class: class a/Hostile, attribute SourceFile (byte 80): 4294967295 more bytes are needed but only 2 are left"
        ],
    );
    // The length of a method's code.
    let mut bytes = Raw::with_code(&[op::NOP, op::NOP, op::RETURN]);
    let code = bytes.windows(3).position(|code| code == [op::NOP, op::NOP, op::RETURN]);
    let code = code.expect("the code is there");
    bytes[code - 4..code].copy_from_slice(&u32::MAX.to_be_bytes());
    check(
        bytes,
        expect![
            "class a/Hostile, method m()V (byte 98): the code length 4294967295 is not in 1 to 65535"
        ],
    );
}

#[test]
fn a_switch_that_is_larger_than_the_code_is_refused() {
    let start = [op::ICONST_0, op::TABLESWITCH, 0, 0];
    let table = words(&[0, i32::MIN, i32::MAX, 0]);
    check_code(
        &[&start[..], &table].concat(),
        expect![
            "class a/Hostile, method m()V, instruction 1 (byte 114): a table of 4294967296 entries does not fit into the 4 bytes that are left"
        ],
    );
    let start = [op::ICONST_0, op::LOOKUPSWITCH, 0, 0];
    let pairs = words(&[0, i32::MAX, 0, 0]);
    check_code(
        &[&start[..], &pairs].concat(),
        expect![
            "class a/Hostile, method m()V, instruction 1 (byte 110): a table of 2147483647 entries does not fit into the 8 bytes that are left"
        ],
    );
}

#[test]
fn a_jump_to_no_instruction_is_refused() {
    // Into the operand of `sipush`, and out of the code.
    check_code(
        &[op::GOTO, 0, 4, op::SIPUSH, 0, 0, op::POP, op::RETURN],
        expect![
            "class a/Hostile, method m()V, instruction 0: the jump to 4 leads to no instruction"
        ],
    );
    check_code(
        &[op::GOTO, 0x7f, 0xff],
        expect![
            "class a/Hostile, method m()V, instruction 0: the jump to 32767 leads to no instruction"
        ],
    );
    check_code(
        &[op::NOP, op::GOTO, 0xff, 0],
        expect![
            "class a/Hostile, method m()V, instruction 1 (byte 102): the jump by -256 leads out of the code"
        ],
    );
}

#[test]
fn handlers_outside_of_the_code_are_refused() {
    for handler in [[0, 9, 0, 0], [0, 1, 9, 0], [1, 0, 0, 0], [0, 1, 0, 1]] {
        let mut raw = Raw::new(NAME, "java/lang/Object");
        raw.method_with("m", "()V", 1, &[op::NOP, op::RETURN], &[handler], &[]);
        let message = refusal(&program(&[(NAME, raw.bytes())]), NAME);
        let place = "class a/Hostile, method m()V, exception table";
        assert!(message.starts_with(place), "{handler:?}: {message}");
    }
}

#[test]
fn code_that_falls_off_its_end_is_refused() {
    check_code(
        &[op::NOP, op::NOP],
        expect!["method a/Hostile.m()V, instruction 1: control falls off the end of the code"],
    );
    check_code(
        &[op::ICONST_0, op::IFEQ, 0xff, 0xff],
        expect!["method a/Hostile.m()V, instruction 1: control falls off the end of the code"],
    );
}

#[test]
fn code_that_no_verifier_would_accept_is_refused() {
    // An empty stack, a wrong kind, a variable without a value, stacks that do not meet, and a
    // `char` for an array of `short`.
    check_code(
        &[op::POP, op::RETURN],
        expect!["method a/Hostile.m()V, instruction 0: the operand stack is empty"],
    );
    check_code(
        &[op::LCONST_0, op::INEG, op::RETURN],
        expect![
            "method a/Hostile.m()V, instruction 1: Long is on the operand stack instead of Int"
        ],
    );
    check_code(
        &[op::ILOAD_1, op::RETURN],
        expect!["method a/Hostile.m()V, instruction 0: local variable 1 holds no value"],
    );
    check_code(
        &[op::ICONST_0, op::GOTO, 0xff, 0xff],
        expect![
            "method a/Hostile.m()V, instruction 1: the operand stacks that meet at a jump target do not fit"
        ],
    );
    let array = [op::ICONST_1, op::NEWARRAY, 9];
    let store = [op::ICONST_0, op::ICONST_0, op::CASTORE, op::RETURN];
    check_code(
        &[&array[..], &store].concat(),
        expect!["method a/Hostile.m()V, instruction 5: [S has other elements"],
    );
}

#[test]
fn a_cyclic_hierarchy_is_refused() {
    let program = program(&[
        ("a/A", Raw::new("a/A", "a/B").bytes()),
        ("a/B", Raw::new("a/B", "a/A").bytes()),
        ("a/Own", Raw::new("a/Own", "a/Own").bytes()),
        ("a/Below", Raw::new("a/Below", "a/A").bytes()),
    ]);
    expect!["class a/A is its own superclass or superinterface"]
        .assert_eq(&refusal(&program, "a/A"));
    expect!["class a/B is its own superclass or superinterface"]
        .assert_eq(&refusal(&program, "a/B"));
    expect!["class a/Own is its own superclass or superinterface"]
        .assert_eq(&refusal(&program, "a/Own"));
    expect!["class a/A is its own superclass or superinterface"]
        .assert_eq(&refusal(&program, "a/Below"));
}

#[test]
fn a_file_with_another_class_than_its_name_says_is_refused() {
    check(
        Raw::new("a/Other", "java/lang/Object").bytes(),
        expect!["a/Hostile.class should hold class a/Hostile but holds a/Other"],
    );
}

/// No subroutine of valid code calls itself, so that the first call counts as left by a jump.
#[test]
fn a_subroutine_that_calls_itself_is_a_loop() {
    let code = [op::JSR, 0, 3, op::ASTORE_0, op::JSR, 0xff, 0xff, op::RET, 0];
    check_code(&code, expect!["accepted"]);
}

#[test]
fn a_return_from_no_subroutine_is_refused() {
    check_code(
        &[op::RET, 0],
        expect!["class a/Hostile, method m()V, instruction 0: ret 0 belongs to no subroutine call"],
    );
}

// Small files that ask for much.

/// Each of these has a place where the obvious algorithm takes a square or worse.
macro_rules! end_soon {
    ($($test:ident: $class:expr;)*) => {
        $(
            #[test]
            fn $test() {
                limited(stringify!($test), || {
                    let platform = Arc::new(Platform::new(world::jdk()));
                    let outcome = try_class(&platform, &$class, LONG_TIME_LIMIT);
                    say(format_args!("{outcome:?}, {}", peak_memory()));
                    assert!(outcome.is_ok(), "{outcome:?}");
                });
            }
        )*
    };
}

end_soon! {
    many_calls_of_a_subroutine_end_soon: many_calls_of_a_subroutine();
    subroutines_in_subroutines_end_soon: nested_subroutines();
    many_local_variables_end_soon: many_locals();
    many_handlers_end_soon: many_handlers();
    a_deep_stack_ends_soon: deep_stack();
    a_switch_with_a_deep_stack_ends_soon: switch_with_deep_stack();
    many_variables_of_one_name_end_soon: many_variables();
    many_names_of_one_variable_end_soon: many_local_names();
    a_long_name_in_many_constants_ends_soon: long_name_in_constants();
    a_long_name_in_many_fields_ends_soon: long_name_in_fields();
    a_long_name_in_many_instructions_ends_soon: long_name_in_code();
    a_long_string_in_many_instructions_ends_soon: long_string_in_code();
    a_long_name_in_many_tables_ends_soon: long_name_in_tables();
    dynamic_constants_in_dynamic_constants_end_soon: nested_dynamic_constants();
    call_sites_with_many_arguments_end_soon: many_site_arguments();
}

fn with_method(descriptor: &str, max_locals: u16, code: &[u8]) -> Vec<u8> {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    raw.method("m", descriptor, max_locals, code);
    raw.bytes()
}

fn many_calls_of_a_subroutine() -> Vec<u8> {
    const CALLS: usize = 10_000;
    let mut code = Vec::new();
    for call in 0..CALLS {
        let distance = (3 * (CALLS - call) + 1) as u16;
        code.push(op::JSR);
        code.extend(distance.to_be_bytes());
    }
    code.extend([op::RETURN, op::ASTORE_0, op::GOTO, 0, 3, op::RET, 0]);
    with_method("()V", 1, &code)
}

fn nested_subroutines() -> Vec<u8> {
    let mut code = vec![op::JSR, 0, 4, op::RETURN];
    for _ in 0..10_000 {
        code.extend([op::ASTORE_0, op::JSR, 0, 5, op::RET, 0]);
    }
    code.extend([op::ASTORE_0, op::RET, 0]);
    with_method("()V", 1, &code)
}

fn many_locals() -> Vec<u8> {
    let mut code = Vec::new();
    for slot in 0..6500_u16 {
        let [high, low] = (slot * 10).to_be_bytes();
        code.extend([op::ICONST_0, op::WIDE, op::ISTORE, high, low]);
    }
    for slot in 0..6500_u16 {
        let [high, low] = (slot * 10).to_be_bytes();
        code.extend([op::WIDE, op::ILOAD, high, low, op::POP]);
    }
    code.push(op::RETURN);
    with_method("()V", u16::MAX, &code)
}

/// Pushes a value that is not constant.
fn push_unknown(raw: &mut Raw) -> [u8; 3] {
    let [high, low] = raw.member(9, "java/lang/Integer", "TYPE", "Ljava/lang/Class;").to_be_bytes();
    [op::GETSTATIC, high, low]
}

/// Calls the method itself.
fn call(raw: &mut Raw) -> [u8; 3] {
    let [high, low] = raw.member(10, NAME, "m", "()V").to_be_bytes();
    [op::INVOKESTATIC, high, low]
}

fn many_handlers() -> Vec<u8> {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    let mut code = call(&mut raw).repeat(20_000);
    let end = code.len() as u16;
    code.extend([op::RETURN, op::POP, op::RETURN]);
    let types: Vec<u16> = (0..1000).map(|number| raw.class(&format!("a/E{number}"))).collect();
    let handlers: Vec<[u16; 4]> = (0..60_000_u16)
        .map(|number| [3 * (number % 20_000), end, end + 1, types[usize::from(number) % 1000]])
        .collect();
    raw.method_with("m", "()V", 1, &code, &handlers, &[]);
    raw.bytes()
}

fn deep_stack() -> Vec<u8> {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    let mut code = push_unknown(&mut raw).repeat(10_000);
    code.extend(call(&mut raw).repeat(10_000));
    code.push(op::RETURN);
    raw.method("m", "()V", 1, &code);
    raw.bytes()
}

fn switch_with_deep_stack() -> Vec<u8> {
    const CASES: usize = 4000;
    let mut raw = Raw::new(NAME, "java/lang/Object");
    let mut code = push_unknown(&mut raw).repeat(8000);
    code.push(op::ICONST_0);
    let start = code.len();
    code.push(op::LOOKUPSWITCH);
    code.resize(code.len().next_multiple_of(4), 0);
    let first = (code.len() + 8 + 8 * CASES - start) as i32;
    code.extend(words(&[first, CASES as i32]));
    for case in 0..CASES as i32 {
        code.extend(words(&[case, first + case]));
    }
    code.extend([op::RETURN].repeat(CASES));
    raw.method("m", "()V", 1, &code);
    raw.bytes()
}

fn many_variables() -> Vec<u8> {
    let mut code = [op::ILOAD_0, op::ICONST_1, op::IADD, op::POP].repeat(16_000);
    code.push(op::RETURN);
    with_method("(I)V", 1, &code)
}

fn many_local_names() -> Vec<u8> {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    let mut code = [op::ILOAD_0, op::IFEQ, 0, 3].repeat(15_000);
    code.extend((0..200).flat_map(|slot| [op::ILOAD, slot, op::POP]));
    code.push(op::RETURN);
    let (name, descriptor) = (raw.utf8("x"), raw.utf8("I"));
    let mut table = shorts(&[u16::MAX]);
    for _ in 0..u16::MAX {
        table.extend(shorts(&[0, 0, name, descriptor, 0]));
    }
    let table = raw.attribute("LocalVariableTable", &table);
    let descriptor = format!("({})V", "I".repeat(200));
    raw.method_with("m", &descriptor, 200, &code, &[], &[table]);
    raw.bytes()
}

fn long_name() -> String {
    "x".repeat(60_000)
}

fn long_name_in_constants() -> Vec<u8> {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    let name = raw.utf8(&long_name());
    for _ in 0..60_000 {
        raw.constant(7, &name.to_be_bytes());
    }
    raw.bytes()
}

fn long_name_in_fields() -> Vec<u8> {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    let name = raw.utf8(&long_name());
    let descriptor = raw.utf8(&format!("L{};", long_name()));
    let field = shorts(&[flags::STATIC, name, descriptor, 0]);
    let mut bytes = raw.bytes();
    // Behind the interfaces come the fields; here, there is nothing but their count and two others.
    bytes.truncate(bytes.len() - 6);
    bytes.extend(u16::MAX.to_be_bytes());
    bytes.extend(field.repeat(usize::from(u16::MAX)));
    bytes.extend([0; 4]);
    bytes
}

fn long_name_in_code() -> Vec<u8> {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    let [high, low] = raw.class(&long_name()).to_be_bytes();
    let mut code =
        [op::ILOAD_0, op::IFEQ, 0, 8, op::NEW, high, low, op::POP, op::RETURN].repeat(7000);
    code.push(op::RETURN);
    raw.method("m", "(I)V", 1, &code);
    raw.bytes()
}

fn long_string_in_code() -> Vec<u8> {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    let text = raw.utf8(&long_name());
    let [high, low] = raw.constant(8, &text.to_be_bytes()).to_be_bytes();
    let mut code = [op::LDC_W, high, low, op::POP].repeat(16_000);
    code.push(op::RETURN);
    raw.method("m", "()V", 1, &code);
    raw.bytes()
}

/// As the name of local variables and of caught exceptions.
fn long_name_in_tables() -> Vec<u8> {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    let class = raw.class(&long_name());
    let name = class - 1;
    let mut variables = shorts(&[u16::MAX]);
    variables.extend(shorts(&[0, 1, name, name, 0]).repeat(usize::from(u16::MAX)));
    let variables = raw.attribute("LocalVariableTable", &variables);
    let code = [op::NOP, op::RETURN, op::POP, op::RETURN];
    raw.method_with("m", "()V", 1, &code, &[[0, 2, 2, class]].repeat(60_000), &[variables]);
    raw.bytes()
}

/// A handle of a static method that takes anything.
fn bootstrap_handle(raw: &mut Raw) -> u16 {
    let method = raw.member(10, NAME, "bootstrap", "()Ljava/lang/Object;");
    let [high, low] = method.to_be_bytes();
    raw.constant(15, &[6, high, low])
}

/// A tree of 16 levels in which every constant has 40 others as arguments.
fn nested_dynamic_constants() -> Vec<u8> {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    raw.version = 55;
    let handle = bootstrap_handle(&mut raw);
    let (name, descriptor) = (raw.utf8("c"), raw.utf8("Ljava/lang/Object;"));
    let name_and_type = raw.pair(12, name, descriptor);
    let levels: Vec<u16> = (0..16).map(|level| raw.pair(17, level, name_and_type)).collect();
    let mut table = shorts(&[16]);
    for level in 0..16 {
        let arguments = levels.get(level + 1).map(|next| [*next].repeat(40)).unwrap_or_default();
        table.extend(shorts(&[handle, arguments.len() as u16]));
        table.extend(shorts(&arguments));
    }
    let table = raw.attribute("BootstrapMethods", &table);
    raw.attributes.push(table);
    raw.method("m", "()V", 1, &[op::LDC, levels[0] as u8, op::POP, op::RETURN]);
    raw.bytes()
}

fn many_site_arguments() -> Vec<u8> {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    let handle = bootstrap_handle(&mut raw);
    let (name, descriptor) = (raw.utf8("c"), raw.utf8("()V"));
    let name_and_type = raw.pair(12, name, descriptor);
    let text = raw.utf8("an argument");
    let argument = raw.constant(8, &text.to_be_bytes());
    let mut table = shorts(&[1, handle, u16::MAX]);
    table.extend(shorts(&[argument].repeat(usize::from(u16::MAX))));
    let table = raw.attribute("BootstrapMethods", &table);
    raw.attributes.push(table);
    let mut code = Vec::new();
    for _ in 0..10_000 {
        let [high, low] = raw.pair(18, 0, name_and_type).to_be_bytes();
        code.extend([op::INVOKEDYNAMIC, high, low, 0, 0]);
    }
    code.push(op::RETURN);
    raw.method("m", "()V", 1, &code);
    raw.bytes()
}
