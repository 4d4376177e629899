//! What the JVM sets up when it starts, made only when it is asked for: system properties and the
//! standard streams. The code for it is a class that is made up here.

use petrel_classfile::writer::ClassWriter;
use petrel_classfile::{JavaString, flags, op};

use super::system::{GET, GET_OR};
use super::{Answer, Entry, argument, give, reference};
use crate::machine::{Defect, Machine, MethodNumber, Platform, Stop, Value};

/// Names that no class file can mention.
pub(super) const BOOT: &str = "petrel/Boot.jvm";
/// What `System.getProperty` with a default does.
pub(super) const PROPERTY_OR: &str = "propertyOr";
/// What `newarray` calls `byte`.
const BYTES: u8 = 8;
const STREAM: &str = "petrel/Stream.jvm";

pub(super) const TABLE: &[Entry] = &[
    (STREAM, "write", "(I)V", write_byte),
    (STREAM, "write", "([BII)V", write_bytes),
    (BOOT, "markInput", "()V", mark_input),
    (BOOT, "checkProperties", "()V", check_properties),
];

/// Properties that are the same everywhere, or that all tests have to assume.
pub(super) const PROPERTIES: &[(&str, &str)] = &[
    ("file.encoding", "UTF-8"),
    ("java.specification.name", "Java Platform API Specification"),
    ("java.specification.vendor", "Oracle Corporation"),
    ("java.vm.specification.name", "Java Virtual Machine Specification"),
    ("java.vm.specification.vendor", "Oracle Corporation"),
    ("jdk.debug", "release"),
    ("line.separator", "\n"),
    ("sun.io.unicode.encoding", "UnicodeLittle"),
    ("user.country", "US"),
    ("user.language", "en"),
];

/// Properties that every machine has, each its own.
pub(super) const MACHINE_PROPERTIES: &[(&str, &str)] = &[
    ("file.separator", "/"),
    ("java.class.path", ""),
    ("java.class.version", ""),
    ("java.home", "/"),
    ("java.io.tmpdir", "/tmp"),
    ("java.library.path", ""),
    ("java.runtime.name", ""),
    ("java.vendor", ""),
    ("java.vendor.url", ""),
    ("java.vendor.url.bug", ""),
    ("java.version.date", ""),
    ("java.vm.info", ""),
    ("java.vm.name", ""),
    ("java.vm.specification.version", ""),
    ("java.vm.vendor", ""),
    ("java.vm.version", ""),
    ("native.encoding", "UTF-8"),
    ("os.arch", "amd64"),
    ("os.name", "Linux"),
    ("os.version", ""),
    ("path.separator", ":"),
    ("stderr.encoding", "UTF-8"),
    ("stdin.encoding", "UTF-8"),
    ("stdout.encoding", "UTF-8"),
    ("sun.jnu.encoding", "UTF-8"),
    ("sun.stderr.encoding", "UTF-8"),
    ("sun.stdout.encoding", "UTF-8"),
    ("sun.arch.data.model", "64"),
    ("sun.boot.library.path", ""),
    ("sun.cpu.endian", "little"),
    ("user.dir", "/"),
    ("user.home", "/"),
    ("user.name", ""),
    ("user.timezone", ""),
];

impl Machine<'_> {
    /// Number of a method of the made-up class.
    pub(super) fn boot_method(
        &mut self,
        name: &str,
        descriptor: &str,
    ) -> Result<MethodNumber, Stop> {
        let broken = |why| Stop::defect(Defect::Synthesised("the boot class".to_owned(), why));
        for bytes in [stream_class(), boot_class()] {
            let bytes = bytes.ok_or_else(|| broken("does not fit".to_owned()))?;
            self.program.define_synthetic(bytes).map_err(|error| broken(error.to_string()))?;
        }
        self.declared(BOOT, name, descriptor)
    }

    /// The method that has to run before a static field of the class library is read.
    pub(crate) fn preparation(
        &mut self,
        class: &str,
        field: &str,
    ) -> Result<Option<MethodNumber>, Stop> {
        match (class, field) {
            ("java/lang/System", "out" | "err") => Ok(Some(self.boot_method("streams", "()V")?)),
            ("java/lang/System", "in") => Ok(Some(self.boot_method("input", "()V")?)),
            ("java/lang/System", "props") => Ok(Some(self.boot_method("properties", "()V")?)),
            _ => Ok(None),
        }
    }
}

/// A stream whose bytes are kept here: `new Stream(1)` for `System.out`, 2 for `System.err`.
fn stream_class() -> Option<Vec<u8>> {
    let above = "java/io/OutputStream";
    let mut class = ClassWriter::new(flags::FINAL, STREAM, above, &[]);
    class.field(flags::FINAL, "number", "I");
    class.method(0, "<init>", "(I)V", 2, |code| {
        code.local(op::ALOAD, 0).invoke(op::INVOKESPECIAL, above, "<init>", "()V", false);
        code.local(op::ALOAD, 0).local(op::ILOAD, 1);
        code.field(op::PUTFIELD, STREAM, "number", "I").op(op::RETURN);
    });
    // The bodies are replaced by the functions below.
    class.method(flags::PUBLIC, "write", "(I)V", 2, |code| {
        code.op(op::RETURN);
    });
    class.method(flags::PUBLIC, "write", "([BII)V", 4, |code| {
        code.op(op::RETURN);
    });
    class.finish()
}

fn boot_class() -> Option<Vec<u8>> {
    let (system, print_stream) = ("java/lang/System", "java/io/PrintStream");
    let mut class = ClassWriter::new(flags::FINAL, BOOT, "java/lang/Object", &[]);
    class.method(flags::STATIC, "streams", "()V", 0, |code| {
        for (number, setter) in [(1, "setOut0"), (2, "setErr0")] {
            code.class(op::NEW, print_stream).op(op::DUP);
            code.class(op::NEW, STREAM).op(op::DUP).int(number);
            code.invoke(op::INVOKESPECIAL, STREAM, "<init>", "(I)V", false);
            code.invoke(
                op::INVOKESPECIAL,
                print_stream,
                "<init>",
                "(Ljava/io/OutputStream;)V",
                false,
            );
            code.invoke(op::INVOKESTATIC, system, setter, "(Ljava/io/PrintStream;)V", false);
        }
        code.op(op::RETURN);
    });
    // A stream without bytes, unless the program has set one.
    class.method(flags::STATIC, "input", "()V", 0, |code| {
        let (input, empty) = ("Ljava/io/InputStream;", "java/io/ByteArrayInputStream");
        let is_set = code.label();
        code.field(op::GETSTATIC, system, "in", input).jump(op::IFNONNULL, is_set);
        code.class(op::NEW, empty).op(op::DUP).int(0).op(op::NEWARRAY).op(BYTES);
        code.invoke(op::INVOKESPECIAL, empty, "<init>", "([B)V", false);
        code.invoke(op::INVOKESTATIC, system, "setIn0", "(Ljava/io/InputStream;)V", false);
        code.invoke(op::INVOKESTATIC, BOOT, "markInput", "()V", false);
        code.place(is_set).op(op::RETURN);
    });
    // The bodies are replaced by functions below.
    for replaced in ["markInput", "checkProperties"] {
        class.method(flags::STATIC, replaced, "()V", 0, |code| {
            code.op(op::RETURN);
        });
    }
    class.method(flags::STATIC, PROPERTY_OR, GET_OR, 2, |code| {
        let is_set = code.label();
        code.local(op::ALOAD, 0).invoke(op::INVOKESTATIC, system, "getProperty", GET, false);
        code.op(op::DUP).jump(op::IFNONNULL, is_set).op(op::POP).local(op::ALOAD, 1);
        code.place(is_set).op(op::ARETURN);
    });
    // All properties, unless the program has set them.
    class.method(flags::STATIC, "properties", "()V", 0, |code| {
        let (properties, table) = ("java/util/Properties", "Ljava/util/Properties;");
        let is_set = code.label();
        code.field(op::GETSTATIC, system, "props", table).jump(op::IFNONNULL, is_set);
        code.invoke(op::INVOKESTATIC, BOOT, "checkProperties", "()V", false);
        code.class(op::NEW, properties).op(op::DUP);
        code.invoke(op::INVOKESPECIAL, properties, "<init>", "()V", false);
        let text = |text: &str| JavaString(text.encode_utf16().collect());
        for (key, value) in PROPERTIES.iter().chain(MACHINE_PROPERTIES) {
            code.op(op::DUP).string(&text(key)).string(&text(value));
            let put = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
            code.invoke(op::INVOKEVIRTUAL, properties, "put", put, false).op(op::POP);
        }
        code.field(op::PUTSTATIC, system, "props", table);
        code.place(is_set).op(op::RETURN);
    });
    class.finish()
}

fn stream<'m>(machine: &'m mut Machine<'_>, arguments: &[Value]) -> Result<&'m mut Vec<u8>, Stop> {
    let slot = machine.slot_named(STREAM, "number")?;
    let number = machine.heap.field(reference(arguments, 0), slot).as_int();
    let modelled = &mut machine.library.modelled;
    Ok(if number == 1 { &mut modelled.output } else { &mut modelled.errors })
}

/// What there is to read is not for the program to say.
fn mark_input(machine: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    let number = machine.static_named("java/lang/System", "in")?;
    let value = machine.static_at(number);
    machine.set_static(number, value.marked(true));
    give(Value::NULL)
}

/// What the machine has answered for one property does not stand in the table of all.
fn check_properties(machine: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    if machine.has_asked_for_property() {
        return Err(Stop::unsupported(Platform::Properties));
    }
    give(Value::NULL)
}

fn write_byte(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    stream(machine, arguments)?.push(argument(arguments, 1).as_int() as u8);
    give(Value::NULL)
}

fn write_bytes(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let (start, length) = (argument(arguments, 2).as_int(), argument(arguments, 3).as_int());
    let bytes = machine.heap.bytes(reference(arguments, 1)).unwrap_or_default();
    let range = start as usize..start as usize + length.max(0) as usize;
    let bytes: Vec<u8> = bytes.get(range).unwrap_or_default().iter().map(|&b| b as u8).collect();
    stream(machine, arguments)?.extend(bytes);
    give(Value::NULL)
}
