//! Petrel's listing of classes against the one that `javap -c -l` prints.
//!
//! `javap` is a reader of class files that was written by others. Where both say the same about
//! every instruction and its operands, every line, every local variable and every exception range
//! of classes that nobody picked, the parser and the decoder are right.
//!
//! The text of `javap` is brought into the form of [`Listing`], which differs in layout: a switch
//! is one line, a comment always names the class of a member, and long strings are cut. `javap`
//! cannot show spaces at the end of a string, nor unpaired surrogates; [`as_javap_can_show`] takes
//! these out.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use petrel_checks::{Amount, Part, sample as sample_of, seed};
use petrel_classfile::writer::{ClassWriter, CodeWriter};
use petrel_classfile::{ClassFile, JavaString, flags, op};
use petrel_classpath::{ClassSource, Jdk};
use petrel_filetests::jvm::Jdks;
use petrel_filetests::sample::sample;
use petrel_filetests::world;
use petrel_program::listing::{self, LONGEST_TEXT, Listing};

const CLASSES_OF_A_JDK: Amount = Amount::new(20, 60, 120);
const CLASSES_OF_A_JAR: Amount = Amount::new(5, 15, 25);
/// Of the fixtures.
const PART: Part = Part::one_of(10, 2);
const JARS: [&str; 5] = [
    "commons-lang3-3.17.0.jar",
    "commons-math3-3.6.1.jar",
    "guava-33.3.1-jre.jar",
    "joda-time-2.12.7.jar",
    "jsoup-1.18.1.jar",
];

#[test]
fn the_listing_agrees_with_javap_on_random_classes_of_the_jdk_and_of_five_libraries() {
    let jdk = world::jdk();
    let mut comparison = Comparison::default();
    let classes_of_the_jdk = CLASSES_OF_A_JDK.drawn("CLASSES", "classes of the JDK");
    compare_jdk(&jdk, classes_of_the_jdk, &mut comparison);
    let classes_of_a_jar = CLASSES_OF_A_JAR.drawn("CLASSES", "classes of each jar");
    for name in JARS {
        // Without an option of its own, javap reads a multi-release jar as Java 8 does.
        let jar = world::jar(name, 8);
        let javap = Javap::of(&jdk).class_path(&world::jar_file(name));
        compare_sample(&javap, &jar, classes_of_a_jar, &mut comparison);
    }
    comparison.finish();
    assert!(comparison.methods >= 3 * comparison.classes, "{comparison:?}");
}

/// Class files of newer versions need a newer `javap`: each JDK lists its own classes.
#[test]
fn the_listing_agrees_with_javap_on_random_classes_of_every_other_jdk() {
    let mut comparison = Comparison::default();
    let others = world::jdks_beside(&world::jdk());
    let n_classes = CLASSES_OF_A_JDK.now();
    sample_of(n_classes, CLASSES_OF_A_JDK.full, &format!("classes of {} other JDKs", others.len()));
    for jdk in &others {
        compare_jdk(jdk, n_classes, &mut comparison);
    }
    comparison.finish();
    assert_eq!(comparison.classes, others.len() * n_classes);
}

#[test]
fn the_listing_agrees_with_javap_on_all_fixtures() {
    let files = world::fixture_files();
    assert!(!files.is_empty(), "`make fixtures` compiles the fixtures");
    let files = PART.of(files, "classes of fixtures");
    // Each by the JDK that compiled it: the javap of JDK 25 breaks off at a `tableswitch` that ends
    // with the largest int.
    let jdks = Jdks::find();
    let mut comparison = Comparison::default();
    for jdk in jdks.iter() {
        let is_its_own = |file: &&PathBuf| {
            let bytes = fs::read(file).expect("the file can be read");
            let class = ClassFile::parse(bytes).expect("javac wrote it");
            let chosen = jdks.for_release(class.major_version - 44);
            chosen.is_some_and(|chosen| std::ptr::eq(chosen, jdk))
        };
        let own: Vec<PathBuf> = files.iter().filter(is_its_own).cloned().collect();
        if !own.is_empty() {
            compare_files(&Javap::of(jdk), &own, &mut comparison);
        }
    }
    comparison.finish();
    assert_eq!(comparison.classes, files.len());
}

#[test]
fn the_listing_agrees_with_javap_on_every_opcode() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("EveryOpcode.class");
    fs::write(&file, class_with_every_opcode()).expect("the folder for tests can be written to");
    let mut comparison = Comparison::default();
    compare_files(&Javap::of(&world::jdk()), &[file], &mut comparison);
    comparison.finish();
    // All opcodes but the prefix `wide`, twelve with it, and both switches three more times, with
    // six times `nop` for their alignment.
    assert_eq!(comparison.instructions, 201 + 12 + 2 * (3 + 6));
}

#[test]
fn a_difference_is_found() {
    let class = class_with_every_opcode();
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("Changed.class");
    fs::write(&file, &class).expect("the folder for tests can be written to");
    let listed = Javap::of(&world::jdk()).list(&[file.display().to_string()]);
    let start = class.windows(2).position(|bytes| bytes == [op::BIPUSH, 0x83]);
    let mut changed = class;
    changed[start.expect("there is a bipush") + 1] = 0x84;
    let mut comparison = Comparison::default();
    comparison.add(&changed, &listed[0]);
    let difference =
        "EveryOpcode.m ()V, instructions:\n  petrel 16: bipush -124\n  javap  16: bipush -125";
    assert_eq!(comparison.differences, [difference]);
}

// What is compared.

fn compare_jdk(jdk: &Jdk, n_classes: usize, comparison: &mut Comparison) {
    compare_sample(&Javap::of(jdk), jdk, n_classes, comparison);
}

fn compare_sample(
    javap: &Javap,
    source: &dyn ClassSource,
    count: usize,
    comparison: &mut Comparison,
) {
    let names = source.class_names().expect("the source can be listed");
    let names = sample(&names, count, seed() + 19);
    let arguments: Vec<String> = names.iter().map(|name| name.replace('/', ".")).collect();
    let listed = javap.list(&arguments);
    assert_eq!(listed.len(), names.len(), "javap left out a class");
    for (name, listed) in names.iter().zip(&listed) {
        let found = source.find(name).expect("the class can be read");
        comparison.add(&found.expect("the class is there").bytes, listed);
    }
}

fn compare_files(javap: &Javap, files: &[PathBuf], comparison: &mut Comparison) {
    let arguments: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let listed = javap.list(&arguments);
    assert_eq!(listed.len(), files.len(), "javap left out a class");
    for (file, listed) in files.iter().zip(&listed) {
        comparison.add(&fs::read(file).expect("the file can be read"), listed);
    }
}

/// What was compared, and what differs.
#[derive(Debug, Default)]
struct Comparison {
    classes: usize,
    methods: usize,
    instructions: usize,
    differences: Vec<String>,
}

impl Comparison {
    fn add(&mut self, bytes: &[u8], javap: &ListedClass) {
        self.classes += 1;
        let class = match ClassFile::parse(bytes) {
            Ok(class) => class,
            Err(error) => return self.differences.push(error.to_string()),
        };
        let ours: Vec<String> = members_of(&class).collect();
        let theirs: Vec<String> = javap.members.iter().map(ListedMember::declared).collect();
        self.compare(class.name(), "name", &[class.name().replace('/', ".")], &[&javap.name]);
        self.compare(class.name(), "members", &ours, &theirs);
        let methods = javap.members.iter().filter(|member| member.is_method());
        for (method, listed) in class.methods.iter().zip(methods) {
            self.methods += 1;
            let place = format!("{}.{}", class.name(), listed.declared());
            match listing::of_method(&class, method) {
                Ok(ours) => self.compare_listings(&place, &ours, &listed.listing(class.name())),
                Err(error) => self.differences.push(error.to_string()),
            }
        }
    }

    fn compare_listings(&mut self, place: &str, ours: &Listing, theirs: &Listing) {
        self.instructions += theirs.instructions.len();
        let instructions = ours.instructions.iter().map(|line| as_javap_can_show(line));
        let instructions: Vec<String> = instructions.collect();
        self.compare(place, "instructions", &instructions, &theirs.instructions);
        self.compare(place, "lines", &ours.lines, &theirs.lines);
        self.compare(place, "variables", &ours.variables, &theirs.variables);
        self.compare(place, "handlers", &ours.handlers, &theirs.handlers);
    }

    fn compare<T: AsRef<str>>(&mut self, place: &str, what: &str, ours: &[String], theirs: &[T]) {
        if ours.len() != theirs.len() {
            let (ours, theirs) = (ours.len(), theirs.len());
            self.differences.push(format!("{place}, {what}: petrel has {ours} and javap {theirs}"));
        }
        for (ours, theirs) in ours.iter().zip(theirs) {
            let theirs = theirs.as_ref();
            if ours != theirs {
                let text = format!("{place}, {what}:\n  petrel {ours}\n  javap  {theirs}");
                self.differences.push(text);
            }
        }
    }

    fn finish(&self) {
        let mut report = String::new();
        for difference in self.differences.iter().take(50) {
            let _ = writeln!(report, "{difference}");
        }
        let Comparison { classes, methods, instructions, .. } = self;
        assert!(
            self.differences.is_empty(),
            "{} differences in {classes} classes, {methods} methods, {instructions} instructions; \
             the first ones are\n{report}",
            self.differences.len()
        );
    }
}

/// Names and descriptors of fields and then methods, as [`ListedMember::declared`] has them.
fn members_of(class: &ClassFile) -> impl Iterator<Item = String> {
    let fields = class.fields.iter().map(|field| {
        let (name, descriptor) = (class.field_name(field), class.field_descriptor(field));
        format!("{name} {descriptor}")
    });
    let methods = class.methods.iter().map(|method| {
        let (name, descriptor) = (class.method_name(method), class.method_descriptor(method));
        format!("{name} {descriptor}")
    });
    fields.chain(methods)
}

// Running javap, and reading what it prints.

struct Javap {
    command: PathBuf,
    options: Vec<String>,
}

impl Javap {
    fn of(jdk: &Jdk) -> Javap {
        // The second line is for speed, the third for the same text everywhere.
        let options = [
            ["-c", "-l", "-p", "-s"].as_slice(),
            &["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"],
            &["-J-Dfile.encoding=UTF-8", "-J-Duser.language=en"],
        ];
        Javap {
            command: world::tool(jdk, "javap"),
            options: options.concat().into_iter().map(str::to_owned).collect(),
        }
    }

    fn class_path(mut self, path: &Path) -> Javap {
        let path = path.display().to_string();
        self.options.extend(["-cp".to_owned(), path]);
        self
    }

    /// Lists classes, given by name or file, in this order.
    fn list(&self, classes: &[String]) -> Vec<ListedClass> {
        let mut command = Command::new(&self.command);
        let output = command.args(&self.options).args(classes).output();
        let output = output.unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command:?} failed:\n{messages}");
        let text = String::from_utf8(output.stdout).expect("javap was told to write UTF-8");
        read_classes(&text)
    }
}

/// A class as `javap` prints it.
#[derive(Debug, Default)]
struct ListedClass {
    /// With dots.
    name: String,
    members: Vec<ListedMember>,
}

/// A field or method.
#[derive(Debug, Default)]
struct ListedMember {
    name: String,
    descriptor: String,
    /// The lines below each heading.
    sections: Vec<(String, Vec<String>)>,
}

/// What stands above the parts of a method.
const HEADINGS: [&str; 4] =
    ["Code:", "Exception table:", "LineNumberTable:", "LocalVariableTable:"];

fn read_classes(text: &str) -> Vec<ListedClass> {
    let mut classes: Vec<ListedClass> = Vec::new();
    for line in text.lines() {
        let indentation = line.len() - line.trim_start().len();
        match (indentation, classes.last_mut()) {
            (0, _) if line.ends_with('{') => {
                classes.push(ListedClass { name: class_name(line), members: Vec::new() })
            }
            // The file that the class was compiled from, blank lines, and the closing brace.
            (0, _) => {}
            (2, Some(class)) => class.members.push(ListedMember {
                name: member_name(line.trim(), &class.name),
                ..ListedMember::default()
            }),
            (_, Some(class)) => {
                let member = class.members.last_mut().expect("a member has begun");
                member.read_line(line.trim_start());
            }
            (_, None) => panic!("javap prints a member outside of a class: {line}"),
        }
    }
    classes
}

/// The name in `public final class a.B<T> extends ... {`.
fn class_name(header: &str) -> String {
    let mut words = header.split([' ', '<']);
    words.find(|word| matches!(*word, "class" | "interface"));
    words.next().unwrap_or_default().to_owned()
}

/// The name in `public static <T> T name(T, int) throws a.B;`, `final int name;` or `static {};`.
fn member_name(header: &str, class: &str) -> String {
    let declared = header.trim_end_matches(';');
    if declared == "static {}" {
        return "<clinit>".to_owned();
    }
    let end = declared.find('(').unwrap_or(declared.len());
    let name = declared[..end].rsplit(' ').next().unwrap_or_default();
    let is_constructor = end < declared.len() && name == class;
    if is_constructor { "<init>" } else { name }.to_owned()
}

impl ListedMember {
    fn read_line(&mut self, line: &str) {
        if let Some(descriptor) = line.strip_prefix("descriptor: ") {
            self.descriptor = descriptor.to_owned();
        } else if HEADINGS.contains(&line) {
            self.sections.push((line.to_owned(), Vec::new()));
        } else {
            let section = self.sections.last_mut();
            let (_, lines) =
                section.unwrap_or_else(|| panic!("javap prints something new: {line}"));
            lines.push(line.to_owned());
        }
    }

    fn is_method(&self) -> bool {
        self.descriptor.starts_with('(')
    }

    /// Name and descriptor.
    fn declared(&self) -> String {
        format!("{} {}", self.name, self.descriptor)
    }

    /// The method's listing in our form. `class` is the internal name of its class.
    fn listing(&self, class: &str) -> Listing {
        let mut listing = Listing::default();
        for (heading, lines) in &self.sections {
            match &**heading {
                "Code:" => listing.instructions = instructions(lines, class),
                "LineNumberTable:" => listing.lines = lines.iter().map(|l| words(l)).collect(),
                // These two have a line with the names of the columns.
                "LocalVariableTable:" => {
                    listing.variables = lines.iter().skip(1).map(|line| words(line)).collect();
                }
                "Exception table:" => {
                    let rows = lines.iter().skip(1);
                    listing.handlers = rows.map(|row| words(&row.replace('"', ""))).collect();
                }
                other => panic!("{other} is no heading"),
            }
        }
        listing
    }
}

/// With single spaces.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The lines below `Code`. A switch takes several, of which the first ends in a comment and the
/// last is a brace.
fn instructions(lines: &[String], class: &str) -> Vec<String> {
    let mut instructions: Vec<String> = Vec::new();
    let mut in_switch = false;
    for line in lines {
        let (code, comment) = match line.split_once("//") {
            Some((code, comment)) => (words(code), Some(comment.trim_start_matches(' '))),
            None => (words(line), None),
        };
        if in_switch {
            let switch = instructions.last_mut().expect("the switch has begun");
            let _ = write!(switch, " {code}");
            in_switch = code != "}";
        } else if code.ends_with('{') {
            instructions.push(code);
            in_switch = true;
        } else {
            let comment = comment.map(|comment| format!(" // {}", constant(comment, class)));
            instructions.push(code + &comment.unwrap_or_default());
        }
    }
    instructions
}

/// The comment that explains a constant, in our form.
fn constant(comment: &str, class: &str) -> String {
    let (kind, value) = comment.split_once(' ').unwrap_or((comment, ""));
    let value = match kind {
        "String" => string(&unescaped(value)),
        "float" => number::<f32>(value, 'f'),
        "double" => number::<f64>(value, 'd'),
        // Names that are none in the language, such as `<init>`, stand in quotes; members of the
        // class itself stand without the class.
        "Field" | "Method" | "InterfaceMethod" => {
            let value = value.replace('"', "");
            let name = value.split(':').next().unwrap_or_default();
            if name.contains('.') { value } else { format!("{class}.{value}") }
        }
        _ => value.replace('"', ""),
    };
    format!("{kind} {value}").trim_end_matches(' ').to_owned()
}

/// A floating-point number as Rust writes it: Java's notation is another one.
fn number<T: std::str::FromStr + std::fmt::Display>(text: &str, suffix: char) -> String {
    match text.trim_end_matches(suffix).parse::<T>() {
        Ok(number) => format!("{number}{suffix}"),
        Err(_) => format!("{text} is not a number"),
    }
}

/// The text of a string constant, from the escapes that `javap` uses.
fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        out.push(match chars.next() {
            Some('t') => '\t',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('u') => {
                let digits: String = chars.by_ref().take(4).collect();
                let code = u32::from_str_radix(&digits, 16).ok();
                code.and_then(char::from_u32).expect("javap escapes control characters only")
            }
            Some(other @ ('"' | '\'' | '\\')) => other,
            other => panic!("javap uses a new escape: {other:?} in {text}"),
        });
    }
    out
}

/// A string constant in our form.
fn string(text: &str) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    if units.len() <= LONGEST_TEXT {
        return shown(&units);
    }
    shown(&units[..LONGEST_TEXT]) + "..."
}

/// Our line of an instruction without what `javap` cannot show: it cuts spaces off the end of a
/// line, and writes an unpaired surrogate as a question mark.
fn as_javap_can_show(line: &str) -> String {
    const STRING: &str = " // String ";
    let Some((code, text)) = line.split_once(STRING) else {
        return line.to_owned();
    };
    let text = JavaString::from_escaped(text).expect("a listing has valid escapes");
    let line = format!("{code}{STRING}{}", shown(&text.0));
    line.trim_end_matches(' ').to_owned()
}

/// Escaped, and without unpaired surrogates.
fn shown(units: &[u16]) -> String {
    let chars = char::decode_utf16(units.iter().copied()).map(|unit| unit.unwrap_or('?'));
    JavaString::from(chars.collect::<String>().as_str()).escaped()
}

// A class that nobody would write.

/// A method with all opcodes in their order, switches at all alignments, and all forms of `wide`.
fn class_with_every_opcode() -> Vec<u8> {
    let mut class = ClassWriter::new(flags::PUBLIC, "EveryOpcode", "java/lang/Object", &[]);
    class.method(flags::STATIC, "m", "()V", u16::MAX, |code| {
        let mut assembler = Assembler { code, position: 0 };
        for opcode in (op::NOP..op::WIDE).chain(op::MULTIANEWARRAY..=op::JSR_W) {
            assembler.instruction(opcode);
        }
        for opcode in [op::TABLESWITCH, op::LOOKUPSWITCH] {
            // A switch ends at a multiple of 4.
            for nops in 1..4 {
                assembler.bytes(&[op::NOP].repeat(nops));
                assembler.switch(opcode);
            }
        }
        for opcode in (op::ILOAD..=op::ALOAD).chain(op::ISTORE..=op::ASTORE) {
            assembler.bytes(&[op::WIDE, opcode, 0xff, 0xfd]);
        }
        assembler.bytes(&[op::WIDE, op::RET, 1, 0]);
        assembler.bytes(&[op::WIDE, op::IINC, 1, 0, 0x80, 0]);
    });
    class.finish().expect("the class is small")
}

/// Writes instructions and knows how many bytes they have.
struct Assembler<'a, 'b> {
    code: &'a mut CodeWriter<'b>,
    position: usize,
}

impl Assembler<'_, '_> {
    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.code.op(byte);
        }
        self.position += bytes.len();
    }

    /// An instruction with some operands; a jump goes to itself.
    fn instruction(&mut self, opcode: u8) {
        match opcode {
            op::BIPUSH | op::ILOAD..=op::ALOAD | op::ISTORE..=op::ASTORE | op::RET => {
                self.bytes(&[opcode, 0x83]);
            }
            op::SIPUSH => self.bytes(&[opcode, 0x80, 1]),
            // Constant 2 is the class. A site that is none is shown as what it is.
            op::LDC => self.bytes(&[opcode, 2]),
            op::LDC_W => self.bytes(&[opcode, 0, 2]),
            op::INVOKEDYNAMIC => self.bytes(&[opcode, 0, 2, 0, 0]),
            op::IINC => self.bytes(&[opcode, 200, 0x80]),
            op::IFEQ..=op::JSR | op::IFNULL | op::IFNONNULL => self.bytes(&[opcode, 0, 0]),
            op::GOTO_W | op::JSR_W => self.bytes(&[opcode, 0, 0, 0, 0]),
            op::NEWARRAY => self.bytes(&[opcode, 8]),
            op::TABLESWITCH | op::LOOKUPSWITCH => self.switch(opcode),
            op::LDC2_W
            | op::GETSTATIC..=op::INVOKEINTERFACE
            | op::NEW
            | op::ANEWARRAY
            | op::CHECKCAST
            | op::INSTANCEOF
            | op::MULTIANEWARRAY => self.with_constant(opcode),
            _ => self.bytes(&[opcode]),
        }
    }

    fn with_constant(&mut self, opcode: u8) {
        let is_interface = opcode == op::INVOKEINTERFACE;
        match opcode {
            op::LDC2_W => self.code.double_bits(f64::MIN_POSITIVE.to_bits()),
            op::GETSTATIC..=op::PUTFIELD => self.code.field(opcode, "a/B", "f", "J"),
            op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => {
                let descriptor = "(JDLa/B;)V";
                self.code.invoke(opcode, "a/B", "m", descriptor, is_interface)
            }
            _ => self.code.class(opcode, "[[[I"),
        };
        self.position += if is_interface { 5 } else { 3 };
        if opcode == op::MULTIANEWARRAY {
            self.bytes(&[2]);
        }
    }

    /// A switch with the extreme values.
    fn switch(&mut self, opcode: u8) {
        let words: &[i32] = match opcode {
            op::TABLESWITCH => &[0, i32::MAX - 1, i32::MAX, 0, 0],
            _ => &[0, 3, i32::MIN, 0, -1, 0, i32::MAX, 0],
        };
        self.bytes(&[opcode]);
        let padding = self.position.next_multiple_of(4) - self.position;
        self.bytes(&[0].repeat(padding));
        for word in words {
            self.bytes(&word.to_be_bytes());
        }
    }
}
