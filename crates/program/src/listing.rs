//! A method's bytecode as text: instructions, line table and exception table, as `javap -c -l`
//! shows them.

use std::fmt;

use petrel_classfile::{
    ClassFile, ClassFileError, Constant, ConstantPool, Instruction, Method, Operand,
};

/// The listing of one method; all empty for a native or abstract one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// One line for each instruction: offset, mnemonic and operands.
    pub instructions: Vec<String>,
    /// `line N: offset`.
    pub lines: Vec<String>,
    /// `start end target type`.
    pub handlers: Vec<String>,
}

/// Lists a method.
///
/// # Errors
///
/// If its code is malformed.
pub fn of_method(class: &ClassFile, method: &Method) -> Result<Listing, ClassFileError> {
    let Some(code) = class.code(method)? else { return Ok(Listing::default()) };
    let pool = &class.constant_pool;
    let instructions = code.instructions.iter().map(|i| instruction(pool, i)).collect();
    let lines = code.lines.iter().map(|line| format!("line {}: {}", line.line, line.start)).collect();
    let mut handlers = Vec::new();
    for handler in &code.handlers {
        let caught = match handler.catch_type {
            0 => "any".to_owned(),
            class => format!("Class {}", pool.class_name(class)?),
        };
        handlers.push(format!("{} {} {} {caught}", handler.start, handler.end, handler.handler));
    }
    Ok(Listing { instructions, lines, handlers })
}

fn instruction(pool: &ConstantPool, instruction: &Instruction) -> String {
    let wide = if instruction.wide { "_w" } else { "" };
    let start = format!("{}: {}{wide}", instruction.pc, instruction.opcode);
    match &instruction.operand {
        Operand::None => start,
        Operand::Value(value) => format!("{start} {value}"),
        Operand::Local(slot) => format!("{start} {slot}"),
        Operand::Increment(slot, delta) => format!("{start} {slot}, {delta}"),
        Operand::Constant(index) => format!("{start} #{index}{}", constant(pool, *index)),
        Operand::MultiArray(index, dimensions) => {
            format!("{start} #{index}, {dimensions}{}", constant(pool, *index))
        }
        Operand::ArrayType(code) => format!("{start} {}", array_type(*code)),
        Operand::Target(target) => format!("{start} {target}"),
        Operand::Table(table) => {
            let mut text = format!("{start} {{");
            for (number, target) in table.targets.iter().enumerate() {
                text += &format!(" {}: {target}", table.low.wrapping_add(number as i32));
            }
            format!("{text} default: {} }}", table.default)
        }
        Operand::Lookup(lookup) => {
            let mut text = format!("{start} {{");
            for (value, target) in &lookup.cases {
                text += &format!(" {value}: {target}");
            }
            format!("{text} default: {} }}", lookup.default)
        }
    }
}

/// What a constant says to a person, as a comment; nothing if it is broken.
fn constant(pool: &ConstantPool, index: u16) -> String {
    let text = match pool.get(index) {
        Ok(Constant::Class(_)) => pool.class_name(index).map(str::to_owned),
        Ok(Constant::Field(..)) => {
            pool.field(index).map(|f| format!("{}.{}:{}", f.class, f.name, f.descriptor))
        }
        Ok(Constant::Method(..) | Constant::InterfaceMethod(..)) => {
            pool.method(index).map(|m| format!("{}.{}:{}", m.class, m.name, m.descriptor))
        }
        Ok(Constant::InvokeDynamic(..)) => pool
            .invoke_dynamic(index)
            .map(|site| format!("#{}:{}:{}", site.bootstrap, site.name, site.descriptor)),
        Ok(Constant::String(text)) => pool.java_string(text).map(|text| format!("{text:?}")),
        Ok(Constant::Integer(value)) => Ok(value.to_string()),
        Ok(Constant::Long(value)) => Ok(format!("{value}l")),
        Ok(Constant::Float(bits)) => Ok(format!("{}f", f32::from_bits(bits))),
        Ok(Constant::Double(bits)) => Ok(format!("{}d", f64::from_bits(bits))),
        _ => return String::new(),
    };
    text.map_or_else(|_| String::new(), |text| format!(" // {text}"))
}

fn array_type(code: u8) -> &'static str {
    match code {
        4 => "boolean",
        5 => "char",
        6 => "float",
        7 => "double",
        8 => "byte",
        9 => "short",
        10 => "int",
        11 => "long",
        _ => "(unknown)",
    }
}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.instructions {
            writeln!(f, "    {line}")?;
        }
        for (title, entries) in [("lines", &self.lines), ("handlers", &self.handlers)] {
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
