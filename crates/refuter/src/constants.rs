//! The constants of a class's code: values that its branches are likely to be about.

use std::collections::BTreeSet;

use petrel_classfile::{
    ClassFile, ClassFileError, Code, JavaString, LoadableConstant, Operand, op,
};

/// Strings that are longer are of no use as inputs.
const LONGEST_STRING: usize = 400;
/// Tables of data can have many thousands.
const MOST: usize = 2_000;

/// The constants of a class.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Constants {
    /// Of the integral types.
    pub integers: BTreeSet<i64>,
    /// Of the others, as the bits of a `double`.
    pub reals: BTreeSet<u64>,
    /// Strings.
    pub strings: Vec<JavaString>,
}

impl Constants {
    /// The constants of a class's code and fields.
    ///
    /// # Errors
    ///
    /// If the class file is malformed.
    pub fn of(class: &ClassFile) -> Result<Constants, ClassFileError> {
        let mut constants = Constants::default();
        for field in &class.fields {
            if let Some(index) = field.constant_value {
                constants.add(&class.constant_pool.loadable(index)?);
            }
        }
        for method in &class.methods {
            if let Some(code) = class.code(method)? {
                constants.add_code(class, &code)?;
            }
        }
        Ok(constants)
    }

    fn add_code(&mut self, class: &ClassFile, code: &Code) -> Result<(), ClassFileError> {
        for instruction in &code.instructions {
            let byte = instruction.opcode.byte();
            match &instruction.operand {
                Operand::Value(value) => self.integer(i64::from(*value)),
                Operand::Constant(index) if matches!(byte, op::LDC | op::LDC_W | op::LDC2_W) => {
                    self.add(&class.constant_pool.loadable(*index)?);
                }
                Operand::Table(table) => {
                    let last = i64::from(table.low) + table.targets.len() as i64 - 1;
                    [i64::from(table.low), last].into_iter().for_each(|value| self.integer(value));
                }
                Operand::Lookup(lookup) => {
                    lookup.cases.iter().for_each(|case| self.integer(i64::from(case.0)));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn integer(&mut self, value: i64) {
        if self.integers.len() < MOST {
            self.integers.insert(value);
        }
    }

    fn add(&mut self, constant: &LoadableConstant<'_>) {
        match constant {
            LoadableConstant::Integer(value) => self.integer(i64::from(*value)),
            LoadableConstant::Long(value) => self.integer(*value),
            LoadableConstant::Float(bits) => {
                self.real(f64::from(f32::from_bits(*bits)).to_bits());
            }
            LoadableConstant::Double(bits) => self.real(*bits),
            LoadableConstant::String(text) => {
                let fits = text.0.len() <= LONGEST_STRING && self.strings.len() < MOST;
                if fits && !self.strings.contains(text) {
                    self.strings.push(text.clone());
                }
            }
            _ => {}
        }
    }

    fn real(&mut self, bits: u64) {
        if self.reals.len() < MOST {
            self.reals.insert(bits);
        }
    }
}
