//! Values and arithmetic: what stands in the arguments of literals.

use petrel_classfile::JavaType;

/// What a variable ranges over. `boolean`, `byte`, `short` and `char` are `Int`, as on the JVM.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// 32-bit integer.
    Int,
    /// 64-bit integer.
    Long,
    /// IEEE 754 binary32.
    Float,
    /// IEEE 754 binary64.
    Double,
    /// Reference to an object or array, or null.
    Reference,
    /// How a call ended: `ok`, or `exc(R)` with the reference of the exception.
    Exit,
}

impl Kind {
    /// The kind of a field descriptor's values.
    pub fn of_descriptor(descriptor: &str) -> Kind {
        match descriptor.as_bytes().first() {
            Some(b'J') => Kind::Long,
            Some(b'F') => Kind::Float,
            Some(b'D') => Kind::Double,
            Some(b'L' | b'[') => Kind::Reference,
            _ => Kind::Int,
        }
    }

    /// The kind of values of a type.
    pub fn of_type(of: &JavaType) -> Kind {
        match of {
            JavaType::Long => Kind::Long,
            JavaType::Float => Kind::Float,
            JavaType::Double => Kind::Double,
            JavaType::Object(_) | JavaType::Array(_) => Kind::Reference,
            _ => Kind::Int,
        }
    }

    /// The kinds of a method descriptor's parameters, the receiver not among them. It ends early if
    /// the descriptor is malformed.
    pub fn of_parameters(method_descriptor: &str) -> impl Iterator<Item = Kind> {
        let mut rest = method_descriptor.strip_prefix('(').unwrap_or_default();
        std::iter::from_fn(move || {
            let element = rest.trim_start_matches('[');
            let length = match element.as_bytes().first()? {
                b'L' => element.find(';')? + 1,
                b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' => 1,
                _ => return None,
            };
            let kind = Kind::of_descriptor(rest);
            rest = element.get(length..)?;
            Some(kind)
        })
    }

    /// The kind of a method descriptor's result; `None` for `void`.
    pub fn of_result(method_descriptor: &str) -> Option<Kind> {
        // The name of a class may contain a parenthesis.
        if method_descriptor.ends_with(';') {
            return Some(Kind::Reference);
        }
        let result = method_descriptor.rsplit(')').next().unwrap_or_default();
        (result != "V").then(|| Kind::of_descriptor(result))
    }
}

/// A variable of a rule: the first ones are the predicate's parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(pub u32);

/// A variable or a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A variable of the rule.
    Variable(VarId),
    /// An `int`.
    Int(i32),
    /// A `long`.
    Long(i64),
    /// A `float`, by its bits.
    Float(u32),
    /// A `double`, by its bits.
    Double(u64),
    /// The null reference.
    Null,
}

/// The four arithmetic kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names are Java's own")]
pub enum ArithmeticKind {
    Int,
    Long,
    Float,
    Double,
}

impl From<ArithmeticKind> for Kind {
    fn from(kind: ArithmeticKind) -> Kind {
        match kind {
            ArithmeticKind::Int => Kind::Int,
            ArithmeticKind::Long => Kind::Long,
            ArithmeticKind::Float => Kind::Float,
            ArithmeticKind::Double => Kind::Double,
        }
    }
}

impl TryFrom<Kind> for ArithmeticKind {
    type Error = Kind;

    fn try_from(kind: Kind) -> Result<Self, Kind> {
        match kind {
            Kind::Int => Ok(ArithmeticKind::Int),
            Kind::Long => Ok(ArithmeticKind::Long),
            Kind::Float => Ok(ArithmeticKind::Float),
            Kind::Double => Ok(ArithmeticKind::Double),
            other => Err(other),
        }
    }
}

/// A function from values to a value, with Java's meaning (JLS chapter 15). None of them throws:
/// integer division is guarded by the rule that holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// Sum.
    Add(ArithmeticKind),
    /// Difference.
    Subtract(ArithmeticKind),
    /// Product.
    Multiply(ArithmeticKind),
    /// Quotient; an integer divisor is not zero here.
    Divide(ArithmeticKind),
    /// Remainder with the dividend's sign; an integer divisor is not zero here.
    Remainder(ArithmeticKind),
    /// Negation.
    Negate(ArithmeticKind),
    /// Square root of a `Float` or `Double`, correctly rounded. No instruction of the JVM is one, but
    /// `Math.sqrt` is.
    SquareRoot(ArithmeticKind),
    /// Left shift of an `Int` or `Long` by an `int`, masked.
    ShiftLeft(ArithmeticKind),
    /// Arithmetic right shift.
    ShiftRight(ArithmeticKind),
    /// Logical right shift.
    ShiftRightUnsigned(ArithmeticKind),
    /// Bitwise and.
    And(ArithmeticKind),
    /// Bitwise or.
    Or(ArithmeticKind),
    /// Bitwise exclusive or.
    ExclusiveOr(ArithmeticKind),
    /// -1, 0 or 1 as the first is below, equal to or above the second; for floats with the value
    /// that NaN gives (`fcmpl` -1, `fcmpg` 1). `long` has no NaN.
    Compare(ArithmeticKind, i8),
    /// A conversion between kinds, or a narrowing of an `int`.
    Convert(Conversion),
}

/// The JVM's conversion instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names are those of the JVM's instructions")]
pub enum Conversion {
    IntToLong,
    IntToFloat,
    IntToDouble,
    LongToInt,
    LongToFloat,
    LongToDouble,
    FloatToInt,
    FloatToLong,
    FloatToDouble,
    DoubleToInt,
    DoubleToLong,
    DoubleToFloat,
    IntToByte,
    IntToChar,
    IntToShort,
}

impl Conversion {
    /// All conversions, with the JVM's mnemonic, in the order of their opcodes.
    pub const ALL: [(Conversion, &'static str); 15] = [
        (Conversion::IntToLong, "i2l"),
        (Conversion::IntToFloat, "i2f"),
        (Conversion::IntToDouble, "i2d"),
        (Conversion::LongToInt, "l2i"),
        (Conversion::LongToFloat, "l2f"),
        (Conversion::LongToDouble, "l2d"),
        (Conversion::FloatToInt, "f2i"),
        (Conversion::FloatToLong, "f2l"),
        (Conversion::FloatToDouble, "f2d"),
        (Conversion::DoubleToInt, "d2i"),
        (Conversion::DoubleToLong, "d2l"),
        (Conversion::DoubleToFloat, "d2f"),
        (Conversion::IntToByte, "i2b"),
        (Conversion::IntToChar, "i2c"),
        (Conversion::IntToShort, "i2s"),
    ];

    /// The mnemonic, such as `i2l`.
    pub fn mnemonic(self) -> &'static str {
        Self::ALL.iter().find(|(conversion, _)| *conversion == self).map_or("", |(_, name)| name)
    }

    /// What it converts from and to.
    pub fn kinds(self) -> (Kind, Kind) {
        let kind = |letter| match letter {
            Some(b'l') => Kind::Long,
            Some(b'f') => Kind::Float,
            Some(b'd') => Kind::Double,
            _ => Kind::Int,
        };
        let name = self.mnemonic().as_bytes();
        (kind(name.first().copied()), kind(name.get(2).copied()))
    }
}

impl Operation {
    /// The kind of the result.
    pub fn result_kind(self) -> Kind {
        use Operation::*;
        match self {
            Add(kind)
            | Subtract(kind)
            | Multiply(kind)
            | Divide(kind)
            | Remainder(kind)
            | And(kind)
            | Or(kind)
            | ExclusiveOr(kind)
            | Negate(kind)
            | SquareRoot(kind)
            | ShiftLeft(kind)
            | ShiftRight(kind)
            | ShiftRightUnsigned(kind) => kind.into(),
            Compare(..) => Kind::Int,
            Convert(conversion) => conversion.kinds().1,
        }
    }

    /// Whether it has one operand only.
    pub fn is_unary(self) -> bool {
        matches!(self, Operation::Negate(_) | Operation::SquareRoot(_) | Operation::Convert(_))
    }

    /// Kinds of the operands, and of the result.
    pub fn signature(self) -> (Vec<Kind>, Kind) {
        use Operation::*;
        match self {
            Add(kind) | Subtract(kind) | Multiply(kind) | Divide(kind) | Remainder(kind)
            | And(kind) | Or(kind) | ExclusiveOr(kind) => (vec![kind.into(); 2], kind.into()),
            Negate(kind) | SquareRoot(kind) => (vec![kind.into()], kind.into()),
            ShiftLeft(kind) | ShiftRight(kind) | ShiftRightUnsigned(kind) => {
                (vec![kind.into(), Kind::Int], kind.into())
            }
            Compare(kind, _) => (vec![kind.into(); 2], Kind::Int),
            Convert(conversion) => {
                let (from, to) = conversion.kinds();
                (vec![from], to)
            }
        }
    }
}

/// Order and equality of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    GreaterOrEqual,
    Greater,
    LessOrEqual,
}

impl Comparison {
    /// In the order of the JVM's `if` opcodes.
    pub const ALL: [Comparison; 6] = [
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::GreaterOrEqual,
        Comparison::Greater,
        Comparison::LessOrEqual,
    ];

    /// The comparison that says the same of the operands in the other order.
    #[inline]
    pub fn mirrored(self) -> Comparison {
        match self {
            Comparison::Equal | Comparison::NotEqual => self,
            Comparison::Less => Comparison::Greater,
            Comparison::GreaterOrEqual => Comparison::LessOrEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::LessOrEqual => Comparison::GreaterOrEqual,
        }
    }

    /// What holds of numbers exactly when this does not.
    pub fn negated(self) -> Comparison {
        match self {
            Comparison::Equal => Comparison::NotEqual,
            Comparison::NotEqual => Comparison::Equal,
            Comparison::Less => Comparison::GreaterOrEqual,
            Comparison::GreaterOrEqual => Comparison::Less,
            Comparison::Greater => Comparison::LessOrEqual,
            Comparison::LessOrEqual => Comparison::Greater,
        }
    }

    /// The constraint's name in CLP(FD).
    pub fn symbol(self) -> &'static str {
        match self {
            Comparison::Equal => "#=",
            Comparison::NotEqual => "#\\=",
            Comparison::Less => "#<",
            Comparison::GreaterOrEqual => "#>=",
            Comparison::Greater => "#>",
            Comparison::LessOrEqual => "#=<",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_of_a_result_is_that_behind_the_parameters() {
        for (descriptor, kind) in [
            ("()V", None),
            ("(J)Z", Some(Kind::Int)),
            ("()D", Some(Kind::Double)),
            ("(La)b;)J", Some(Kind::Long)),
            ("()[J", Some(Kind::Reference)),
            ("(I)La/B;", Some(Kind::Reference)),
            ("(I)La)I;", Some(Kind::Reference)),
            ("()[[La)b/C;", Some(Kind::Reference)),
        ] {
            assert_eq!(Kind::of_result(descriptor), kind, "{descriptor}");
        }
    }
}
