//! A method's bytecode as text: instructions, line table, local variables and exception table, as
//! `javap -c -l` shows them.
//!
//! The words and their order are those of `javap`; what differs is layout (a switch is one line,
//! columns are not aligned), that a comment always names the class of a member, and that long texts
//! are cut.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use petrel_classfile::{
    ClassFile, ClassFileError, Code, Constant, ConstantPool, DynamicRef, ExceptionHandler,
    Instruction, JavaString, LoadableConstant, LocalVariable, MemberRef, Method, MethodDescriptor,
    Operand, ReferenceKind, op,
};

/// Names and strings are shown up to this length, in UTF-16 units, and `...` stands for the rest: a
/// class file can have one long text in thousands of instructions.
pub const LONGEST_TEXT: usize = 1000;

/// The listing of one method; all empty for a native or abstract one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// One line for each instruction: offset, mnemonic and operands.
    pub instructions: Vec<String>,
    /// `line N: offset`.
    pub lines: Vec<String>,
    /// `start length slot name descriptor`.
    pub variables: Vec<String>,
    /// `start end target type`.
    pub handlers: Vec<String>,
}

/// Lists a method.
///
/// # Errors
///
/// If its code is malformed.
pub fn of_method(class: &ClassFile, method: &Method) -> Result<Listing, ClassFileError> {
    match class.code(method)? {
        Some(code) => of_code(&class.constant_pool, &code),
        None => Ok(Listing::default()),
    }
}

fn of_code(pool: &ConstantPool, code: &Code) -> Result<Listing, ClassFileError> {
    let mut comments = Comments { pool, known: BTreeMap::new() };
    let instructions = code.instructions.iter();
    let lines = code.lines.iter();
    let variables = code.local_variables.iter();
    let handlers = code.handlers.iter();
    Ok(Listing {
        instructions: instructions.map(|i| instruction(&mut comments, i)).collect(),
        lines: lines.map(|line| format!("line {}: {}", line.line, line.start)).collect(),
        variables: variables.map(|v| variable(pool, v)).collect::<Result<_, _>>()?,
        handlers: handlers.map(|h| handler(pool, h)).collect::<Result<_, _>>()?,
    })
}

fn variable(pool: &ConstantPool, variable: &LocalVariable) -> Result<String, ClassFileError> {
    let LocalVariable { start, length, slot, .. } = variable;
    let name = cut(pool.utf8(variable.name)?);
    let descriptor = cut(pool.utf8(variable.descriptor)?);
    Ok(format!("{start} {length} {slot} {name} {descriptor}"))
}

fn handler(pool: &ConstantPool, handler: &ExceptionHandler) -> Result<String, ClassFileError> {
    let caught = match handler.catch_type {
        0 => "any".to_owned(),
        class => format!("Class {}", cut(pool.class_name(class)?)),
    };
    let ExceptionHandler { start, end, handler, .. } = handler;
    Ok(format!("{start} {end} {handler} {caught}"))
}

fn instruction(comments: &mut Comments<'_>, instruction: &Instruction) -> String {
    let wide = if instruction.wide { "_w" } else { "" };
    let start = format!("{}: {}{wide}", instruction.pc, instruction.opcode);
    match &instruction.operand {
        Operand::None => start,
        Operand::Value(value) => format!("{start} {value}"),
        Operand::Local(slot) => format!("{start} {slot}"),
        Operand::Increment(slot, delta) => format!("{start} {slot}, {delta}"),
        Operand::Constant(index) => {
            let count = count_operand(comments.pool, instruction, *index);
            format!("{start} #{index}{count}{}", comments.of(*index))
        }
        Operand::MultiArray(index, dimensions) => {
            format!("{start} #{index}, {dimensions}{}", comments.of(*index))
        }
        Operand::ArrayType(code) => format!("{start} {}", array_type(*code)),
        Operand::Target(target) => format!("{start} {target}"),
        Operand::Table(table) => {
            let values = (0..).map(|number| table.low.wrapping_add(number));
            switch(&start, values.zip(table.targets.iter().copied()), table.default)
        }
        Operand::Lookup(lookup) => switch(&start, lookup.cases.iter().copied(), lookup.default),
    }
}

/// The second operand of two call instructions, which says again what the constant says: the
/// slots of the arguments, and nothing.
fn count_operand(pool: &ConstantPool, instruction: &Instruction, index: u16) -> String {
    match instruction.opcode.byte() {
        op::INVOKEINTERFACE => pool
            .method(index)
            .and_then(|method| MethodDescriptor::parse(method.descriptor))
            .map_or_else(
                |_| String::new(),
                |descriptor| format!(", {}", descriptor.parameter_slots() + 1),
            ),
        op::INVOKEDYNAMIC => ", 0".to_owned(),
        _ => String::new(),
    }
}

fn switch(start: &str, cases: impl Iterator<Item = (i32, u16)>, default: u16) -> String {
    let mut text = format!("{start} {{");
    for (value, target) in cases {
        text += &format!(" {value}: {target}");
    }
    format!("{text} default: {default} }}")
}

/// What constants say to a person.
struct Comments<'a> {
    pool: &'a ConstantPool,
    /// Each is made once: code may name a constant over and over.
    known: BTreeMap<u16, String>,
}

impl Comments<'_> {
    /// The comment for a constant; nothing if it is broken.
    fn of(&mut self, index: u16) -> &str {
        self.known.entry(index).or_insert_with(|| match constant(self.pool, index) {
            Ok(text) => format!(" // {text}"),
            Err(_) => String::new(),
        })
    }
}

/// A constant as an operand: its kind, and its contents with all references followed.
fn constant(pool: &ConstantPool, index: u16) -> Result<String, ClassFileError> {
    Ok(match pool.get(index)? {
        Constant::Field(..) => format!("Field {}", member(pool.field(index)?)),
        Constant::Method(..) => format!("Method {}", member(pool.method(index)?)),
        Constant::InterfaceMethod(..) => {
            format!("InterfaceMethod {}", member(pool.method(index)?))
        }
        Constant::InvokeDynamic(..) => {
            format!("InvokeDynamic {}", site(pool.invoke_dynamic(index)?))
        }
        _ => loadable(pool.loadable(index)?),
    })
}

fn loadable(constant: LoadableConstant<'_>) -> String {
    match constant {
        LoadableConstant::Integer(value) => format!("int {value}"),
        LoadableConstant::Float(bits) => format!("float {}f", f32::from_bits(bits)),
        LoadableConstant::Long(value) => format!("long {value}l"),
        LoadableConstant::Double(bits) => format!("double {}d", f64::from_bits(bits)),
        LoadableConstant::String(text) => format!("String {}", string(&text)),
        LoadableConstant::Class(name) => format!("class {}", cut(name)),
        LoadableConstant::MethodType(descriptor) => format!("MethodType {}", cut(descriptor)),
        LoadableConstant::Dynamic(constant) => format!("Dynamic {}", site(constant)),
        LoadableConstant::MethodHandle(handle) => {
            format!("MethodHandle {} {}", handle_kind(handle.kind), member(handle.member))
        }
    }
}

fn member(member: MemberRef<'_>) -> String {
    let MemberRef { class, name, descriptor, .. } = member;
    format!("{}.{}:{}", cut(class), cut(name), cut(descriptor))
}

fn site(site: DynamicRef<'_>) -> String {
    format!("#{}:{}:{}", site.bootstrap, cut(site.name), cut(site.descriptor))
}

fn string(text: &JavaString) -> String {
    match text.0.get(..LONGEST_TEXT) {
        Some(start) if text.0.len() > LONGEST_TEXT => JavaString(start.into()).escaped() + "...",
        _ => text.escaped(),
    }
}

/// A name or descriptor, at most [`LONGEST_TEXT`] of it.
fn cut(text: &str) -> Cow<'_, str> {
    let mut units = 0;
    let mut chars = text.char_indices();
    let beyond = chars.find(|(_, c)| {
        units += c.len_utf16();
        units > LONGEST_TEXT
    });
    match beyond.and_then(|(end, _)| text.get(..end)) {
        Some(start) => format!("{start}...").into(),
        None => text.into(),
    }
}

/// The names of JVMS table 5.4.3.5-A.
fn handle_kind(kind: ReferenceKind) -> &'static str {
    match kind {
        ReferenceKind::GetField => "REF_getField",
        ReferenceKind::GetStatic => "REF_getStatic",
        ReferenceKind::PutField => "REF_putField",
        ReferenceKind::PutStatic => "REF_putStatic",
        ReferenceKind::InvokeVirtual => "REF_invokeVirtual",
        ReferenceKind::InvokeStatic => "REF_invokeStatic",
        ReferenceKind::InvokeSpecial => "REF_invokeSpecial",
        ReferenceKind::NewInvokeSpecial => "REF_newInvokeSpecial",
        ReferenceKind::InvokeInterface => "REF_invokeInterface",
    }
}

fn array_type(code: u8) -> String {
    let name = match code {
        4 => "boolean",
        5 => "char",
        6 => "float",
        7 => "double",
        8 => "byte",
        9 => "short",
        10 => "int",
        11 => "long",
        _ => return format!("(unknown {code})"),
    };
    name.to_owned()
}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.instructions {
            writeln!(f, "    {line}")?;
        }
        let tables =
            [("lines", &self.lines), ("variables", &self.variables), ("handlers", &self.handlers)];
        for (title, entries) in tables {
            if !entries.is_empty() {
                writeln!(f, "  {title}:")?;
            }
            for entry in entries {
                writeln!(f, "    {entry}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use petrel_classfile::flags;
    use petrel_classfile::writer::{ClassWriter, CodeWriter};

    use super::*;

    /// The instructions of a method that `build` writes.
    fn listed(build: impl FnOnce(&mut CodeWriter<'_>)) -> Vec<String> {
        let mut class = ClassWriter::new(flags::PUBLIC, "a/A", "java/lang/Object", &[]);
        class.method(flags::STATIC, "m", "()V", 400, build);
        let class = ClassFile::parse(class.finish().unwrap()).unwrap();
        of_method(&class, &class.methods[0]).unwrap().instructions
    }

    #[test]
    fn operands_are_decoded() {
        let lines = listed(|code| {
            let end = code.label();
            code.int(300).local(op::ISTORE, 300).op(op::ALOAD_0);
            code.op(op::IINC).op(7).op(0xff).op(op::NEWARRAY).op(10);
            code.jump(op::GOTO, end).place(end).op(op::RETURN);
        });
        assert_eq!(
            lines,
            [
                "0: sipush 300",
                "3: istore_w 300",
                "7: aload_0",
                "8: iinc 7, -1",
                "11: newarray int",
                "13: goto 16",
                "16: return"
            ]
        );
    }

    #[test]
    fn constants_are_explained() {
        let lines = listed(|code| {
            code.string(&JavaString::from("a\"\n")).int(70000).long(-1);
            code.float_bits(1.5_f32.to_bits()).double_bits(0);
            code.class(op::NEW, "b/B");
            code.field(op::GETSTATIC, "b/B", "f", "I");
            code.invoke(op::INVOKEINTERFACE, "b/I", "m", "(JI)V", true);
            code.invoke(op::INVOKESPECIAL, "b/B", "<init>", "()V", false);
        });
        let comments: Vec<_> = lines.iter().filter_map(|line| line.split_once(" // ")).collect();
        assert_eq!(
            comments.iter().map(|(_, text)| *text).collect::<Vec<_>>(),
            [
                "String a\\\"\\n",
                "int 70000",
                "long -1l",
                "float 1.5f",
                "double 0d",
                "class b/B",
                "Field b/B.f:I",
                "InterfaceMethod b/I.m:(JI)V",
                "Method b/B.<init>:()V"
            ]
        );
        assert!(comments[7].0.ends_with(", 4"), "{}", comments[7].0);
    }

    #[test]
    fn long_texts_are_cut() {
        let lines = listed(|code| {
            code.string(&JavaString::from("ä".repeat(LONGEST_TEXT).as_str()));
            code.string(&JavaString::from("ä".repeat(LONGEST_TEXT + 1).as_str()));
            code.class(op::NEW, &"ä".repeat(LONGEST_TEXT));
            code.class(op::NEW, &"ä".repeat(LONGEST_TEXT + 1));
        });
        let start = "ä".repeat(LONGEST_TEXT);
        assert!(lines[0].ends_with(&format!("String {start}")));
        assert!(lines[1].ends_with(&format!("String {start}...")));
        assert!(lines[2].ends_with(&format!("class {start}")));
        assert!(lines[3].ends_with(&format!("class {start}...")));
    }

    #[test]
    fn a_switch_is_one_line() {
        let lines = listed(|code| {
            code.op(op::ICONST_0).op(op::TABLESWITCH).op(0).op(0);
            for word in [23_i32, -1, 0, 23, 23] {
                word.to_be_bytes().into_iter().for_each(|byte| {
                    code.op(byte);
                });
            }
            code.op(op::RETURN);
        });
        assert_eq!(lines[1], "1: tableswitch { -1: 24 0: 24 default: 24 }");
    }

    #[test]
    fn a_method_without_code_has_an_empty_listing() {
        let listing = Listing::default();
        assert_eq!(listing.to_string(), "");
        let listing = Listing {
            instructions: vec!["0: return".to_owned()],
            lines: vec!["line 1: 0".to_owned()],
            variables: vec!["0 1 0 this La/A;".to_owned()],
            handlers: Vec::new(),
        };
        let text = "    0: return\n  lines:\n    line 1: 0\n  variables:\n    0 1 0 this La/A;\n";
        assert_eq!(listing.to_string(), text);
    }
}
