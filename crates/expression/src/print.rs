//! Expressions as text, with the parentheses that Java needs.

use std::fmt::{self, Formatter};

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Operation};
use petrel_value::escaped;

use crate::{Engine, Expression, Node, Number};

/// How tightly operators bind; larger numbers bind tighter.
mod binding {
    pub(super) const WHOLE: u32 = 0;
    pub(super) const TERNARY: u32 = 1;
    pub(super) const OR: u32 = 2;
    pub(super) const EXCLUSIVE_OR: u32 = 3;
    pub(super) const AND: u32 = 4;
    pub(super) const EQUALITY: u32 = 5;
    pub(super) const RELATION: u32 = 6;
    pub(super) const SHIFT: u32 = 7;
    pub(super) const SUM: u32 = 8;
    pub(super) const PRODUCT: u32 = 9;
    pub(super) const UNARY: u32 = 10;
}

/// Displays as Java.
impl fmt::Display for Expression {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write(f, self, binding::WHOLE)
    }
}

fn parenthesised(
    f: &mut Formatter<'_>,
    yes: bool,
    inside: impl FnOnce(&mut Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    if !yes {
        return inside(f);
    }
    f.write_str("(")?;
    inside(f)?;
    f.write_str(")")
}

fn separated(f: &mut Formatter<'_>, all: &[Expression], by: &str) -> fmt::Result {
    for (position, one) in all.iter().enumerate() {
        if position > 0 {
            f.write_str(by)?;
        }
        write(f, one, binding::WHOLE)?;
    }
    Ok(())
}

/// Writes an expression that is an operand of something that binds so tightly.
fn write(f: &mut Formatter<'_>, expression: &Expression, around: u32) -> fmt::Result {
    match expression.node() {
        Node::Name(name) => f.write_str(name),
        Node::Member(..) | Node::Element(..) => chain(f, expression),
        Node::Call(on, method, arguments) => {
            let is_sum = matches!(on.node(), Node::Concatenation(..));
            parenthesised(f, is_sum, |f| write(f, on, binding::WHOLE))?;
            write!(f, ".{method}(")?;
            separated(f, arguments, ", ")?;
            f.write_str(")")
        }
        Node::StaticCall(class, method, arguments) => {
            write!(f, "{class}.{method}(")?;
            separated(f, arguments, ", ")?;
            f.write_str(")")
        }
        Node::Several(all) => separated(f, all, ", "),
        Node::Concatenation(first, second) => {
            write(f, first, binding::WHOLE)?;
            f.write_str(" + ")?;
            write(f, second, binding::WHOLE)
        }
        Node::Number(number) => {
            let is_negative = number.is_written_with_minus() && around >= binding::UNARY;
            parenthesised(f, is_negative, |f| write!(f, "{number}"))
        }
        Node::Null => f.write_str("null"),
        Node::Boolean(value) => write!(f, "{value}"),
        Node::Character(unit) => match char::from_u32((*unit).into()) {
            Some(c @ ('\'' | '\\')) => write!(f, "'\\{c}'"),
            Some(c @ ' '..='~') => write!(f, "'{c}'"),
            _ => write!(f, "{unit}"),
        },
        Node::Text(units) => write!(f, "\"{}\"", escaped(units)),
        Node::Class(name) => write!(f, "{name}.class"),
        Node::Apply(operation, first, second) => {
            apply(f, *operation, first, second.as_ref(), around)
        }
        Node::MultiplyAdd(operands) => {
            f.write_str("Math.fma(")?;
            separated(f, operands, ", ")?;
            f.write_str(")")
        }
        Node::Compare(comparison, left, right) => {
            let (symbol, level) = symbol(*comparison);
            write(f, left, level)?;
            write!(f, " {symbol} ")?;
            write(f, right, level + 1)
        }
        Node::Not(of) => {
            f.write_str("!")?;
            let is_compound = matches!(
                of.node(),
                Node::Compare(..) | Node::Any(_) | Node::All(_) | Node::IsA(..)
            );
            parenthesised(f, is_compound, |f| write(f, of, binding::WHOLE))
        }
        Node::Any(all) => connected(f, all, " || ", |node| matches!(node, Node::All(_))),
        Node::All(all) => connected(f, all, " && ", |node| matches!(node, Node::Any(_))),
        Node::IsA(object, class) => {
            write(f, object, binding::WHOLE)?;
            write!(f, " instanceof {class}")
        }
        Node::Choose(condition, then, otherwise) => {
            parenthesised(f, around > binding::TERNARY, |f| {
                write(f, condition, binding::WHOLE)?;
                f.write_str(" ? ")?;
                write(f, then, binding::TERNARY + 1)?;
                f.write_str(" : ")?;
                write(f, otherwise, binding::TERNARY)
            })
        }
        Node::NewObject(number) => write!(f, "o{number}"),
        Node::SomeNew => f.write_str("new"),
        Node::Engine(of) => engine(f, of, around),
    }
}

/// A member of a member of a member: as long as a list is, so that no function calls itself for it.
fn chain(f: &mut Formatter<'_>, expression: &Expression) -> fmt::Result {
    let mut links = Vec::new();
    let mut base = expression;
    while let Node::Member(of, _) | Node::Element(of, _) = base.node() {
        links.push(base);
        base = of;
    }
    write(f, base, binding::WHOLE)?;
    for link in links.into_iter().rev() {
        match link.node() {
            Node::Member(_, name) => write!(f, ".{name}")?,
            Node::Element(_, index) => {
                f.write_str("[")?;
                write(f, index, binding::WHOLE)?;
                f.write_str("]")?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn connected(
    f: &mut Formatter<'_>,
    all: &[Expression],
    by: &str,
    is_nested: impl Fn(&Node) -> bool,
) -> fmt::Result {
    for (position, one) in all.iter().enumerate() {
        if position > 0 {
            f.write_str(by)?;
        }
        parenthesised(f, is_nested(one.node()), |f| write(f, one, binding::WHOLE))?;
    }
    Ok(())
}

fn engine(f: &mut Formatter<'_>, engine: &Engine, around: u32) -> fmt::Result {
    match engine {
        Engine::Table { elements, has_more, index } => {
            f.write_str("{")?;
            separated(f, elements, ", ")?;
            f.write_str(if *has_more { ", ...}[" } else { "}[" })?;
            write(f, index, binding::WHOLE)?;
            f.write_str("]")
        }
        Engine::Truth(condition) => parenthesised(f, around > binding::TERNARY, |f| {
            write(f, condition, binding::WHOLE)?;
            f.write_str(" ? 1 : 0")
        }),
        Engine::Origin(of) => {
            f.write_str("origin of ")?;
            write(f, of, binding::WHOLE)
        }
        Engine::ClassOf(of) => {
            f.write_str("class of ")?;
            write(f, of, binding::WHOLE)
        }
        Engine::Ghost(of, number) => {
            write(f, of, binding::WHOLE)?;
            write!(f, ".?{number}")
        }
        Engine::Answer(stub, method, number) => {
            write(f, stub, binding::WHOLE)?;
            write!(f, ".{method}#{number}")
        }
        Engine::Opaque => f.write_str("?"),
        Engine::LeftOut => f.write_str("..."),
    }
}

fn symbol(comparison: Comparison) -> (&'static str, u32) {
    match comparison {
        Comparison::Equal => ("==", binding::EQUALITY),
        Comparison::NotEqual => ("!=", binding::EQUALITY),
        Comparison::Less => ("<", binding::RELATION),
        Comparison::GreaterOrEqual => (">=", binding::RELATION),
        Comparison::Greater => (">", binding::RELATION),
        Comparison::LessOrEqual => ("<=", binding::RELATION),
    }
}

fn apply(
    f: &mut Formatter<'_>,
    operation: Operation,
    first: &Expression,
    second: Option<&Expression>,
    around: u32,
) -> fmt::Result {
    let (symbol, level) = match operation {
        Operation::Add(_) => ("+", binding::SUM),
        Operation::Subtract(_) => ("-", binding::SUM),
        Operation::Multiply(_) => ("*", binding::PRODUCT),
        Operation::Divide(_) => ("/", binding::PRODUCT),
        Operation::Remainder(_) => ("%", binding::PRODUCT),
        Operation::ShiftLeft(_) => ("<<", binding::SHIFT),
        Operation::ShiftRight(_) => (">>", binding::SHIFT),
        Operation::ShiftRightUnsigned(_) => (">>>", binding::SHIFT),
        Operation::And(_) => ("&", binding::AND),
        Operation::Or(_) => ("|", binding::OR),
        Operation::ExclusiveOr(_) => ("^", binding::EXCLUSIVE_OR),
        Operation::Negate(_) => {
            return parenthesised(f, around > binding::UNARY, |f| {
                f.write_str("-")?;
                write(f, first, binding::UNARY + 1)
            });
        }
        Operation::Convert(conversion) => {
            return parenthesised(f, around > binding::UNARY, |f| {
                write!(f, "({}) ", cast(conversion))?;
                write(f, first, binding::UNARY)
            });
        }
        Operation::SquareRoot(_) => {
            f.write_str("Math.sqrt(")?;
            write(f, first, binding::WHOLE)?;
            return f.write_str(")");
        }
        Operation::Compare(of, _) => {
            write!(f, "{}.compare(", box_of(of))?;
            write(f, first, binding::WHOLE)?;
            f.write_str(", ")?;
            second.map_or(Ok(()), |second| write(f, second, binding::WHOLE))?;
            return f.write_str(")");
        }
    };
    parenthesised(f, around > level, |f| {
        write(f, first, level)?;
        write!(f, " {symbol} ")?;
        second.map_or(Ok(()), |second| write(f, second, level + 1))
    })
}

/// The simple name of the class that has `compare` for a kind.
pub(crate) fn box_of(kind: ArithmeticKind) -> &'static str {
    match kind {
        ArithmeticKind::Int => "Integer",
        ArithmeticKind::Long => "Long",
        ArithmeticKind::Float => "Float",
        ArithmeticKind::Double => "Double",
    }
}

/// The type that a conversion gives.
pub fn cast(conversion: Conversion) -> &'static str {
    match conversion {
        Conversion::IntToLong | Conversion::FloatToLong | Conversion::DoubleToLong => "long",
        Conversion::IntToFloat | Conversion::LongToFloat | Conversion::DoubleToFloat => "float",
        Conversion::IntToDouble | Conversion::LongToDouble | Conversion::FloatToDouble => "double",
        Conversion::LongToInt | Conversion::FloatToInt | Conversion::DoubleToInt => "int",
        Conversion::IntToByte => "byte",
        Conversion::IntToChar => "char",
        Conversion::IntToShort => "short",
    }
}

impl Number {
    fn is_written_with_minus(self) -> bool {
        match self {
            Number::Int(value) | Number::Long(value) => value < 0,
            Number::Float(bits) => is_negative(f32::from_bits(bits).into()),
            Number::Double(bits) => is_negative(f64::from_bits(bits)),
        }
    }
}

fn is_negative(value: f64) -> bool {
    value.is_sign_negative() && !value.is_nan()
}

/// Displays as Java's literals; what is no finite number as Java prints it.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let special = |f: &mut Formatter<'_>, value: f64| {
            f.write_str(match value {
                _ if value.is_nan() => "NaN",
                _ if value > 0.0 => "Infinity",
                _ => "-Infinity",
            })
        };
        match *self {
            Number::Int(value) => write!(f, "{value}"),
            Number::Long(value) => write!(f, "{value}L"),
            Number::Float(bits) => match f32::from_bits(bits) {
                value if value.is_finite() => write!(f, "{value:?}f"),
                value => special(f, value.into()),
            },
            Number::Double(bits) => match f64::from_bits(bits) {
                value if value.is_finite() => write!(f, "{value:?}"),
                value => special(f, value),
            },
        }
    }
}
