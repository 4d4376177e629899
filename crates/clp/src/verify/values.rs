//! Variables, operands and ids.

use super::Verifier;
use crate::facts::Facts;
use crate::rule::{ClassId, DynamicId, FieldId, HandleId, MethodId, Rule, StringId};
use crate::term::{Kind, Operand, VarId};

impl Verifier<'_> {
    pub(super) fn bind(&mut self, rule: &Rule, variable: VarId, kind: Kind, certain: Facts) {
        let index = variable.0 as usize;
        let Some(declaration) = rule.variables.get(index) else {
            self.problem(format!("there is no variable {index}"));
            return;
        };
        if index != self.n_bound {
            self.problem(format!("{} is not bound in its turn", declaration.name));
        }
        self.n_bound = self.n_bound.max(index + 1);
        if declaration.kind != kind {
            self.problem(format!(
                "{} is of kind {:?}, and bound to {kind:?}",
                declaration.name, declaration.kind
            ));
        }
        let claimed = Facts::of(declaration);
        if !covers(certain, claimed) {
            self.problem(format!("{} claims more than is certain", declaration.name));
        }
        if let Some(known) = self.known.get_mut(index) {
            *known = certain;
        }
    }

    /// The kind of an operand. `None` is for variables that there are not, which are reported.
    pub(super) fn kind(&mut self, rule: &Rule, operand: Operand) -> Option<Kind> {
        Some(match operand {
            Operand::Variable(variable) => {
                let index = variable.0 as usize;
                match rule.variables.get(index) {
                    Some(declaration) if index < self.n_bound => {
                        if let Some(used) = self.used.get_mut(index) {
                            *used = true;
                        }
                        declaration.kind
                    }
                    Some(declaration) => {
                        self.problem(format!("{} is used before it is bound", declaration.name));
                        return None;
                    }
                    None => {
                        self.problem(format!("there is no variable {index}"));
                        return None;
                    }
                }
            }
            Operand::Int(_) => Kind::Int,
            Operand::Long(_) => Kind::Long,
            Operand::Float(_) => Kind::Float,
            Operand::Double(_) => Kind::Double,
            Operand::Null => Kind::Reference,
        })
    }

    pub(super) fn expect(&mut self, rule: &Rule, operand: Operand, expected: Kind) {
        if let Some(kind) = self.kind(rule, operand)
            && kind != expected
        {
            let name = name(rule, operand);
            self.problem(format!("{name} is of kind {kind:?} where {expected:?} is needed"));
        }
    }

    pub(super) fn facts(&self, operand: Operand) -> Facts {
        match operand {
            Operand::Variable(variable) => {
                self.known.get(variable.0 as usize).copied().unwrap_or(Facts::NOTHING)
            }
            _ => Facts::NOTHING,
        }
    }

    pub(super) fn learn_non_null(&mut self, operand: Operand) {
        if let Operand::Variable(variable) = operand
            && let Some(known) = self.known.get_mut(variable.0 as usize)
        {
            known.non_null = true;
        }
    }

    /// A reference that is dereferenced.
    pub(super) fn expect_non_null(&mut self, rule: &Rule, operand: Operand) {
        self.expect(rule, operand, Kind::Reference);
        if !self.facts(operand).non_null {
            let name = name(rule, operand);
            self.problem(format!("{name} may be null"));
        }
    }

    // Ids.

    /// Whether there is such a class.
    pub(super) fn class(&mut self, class: ClassId) -> bool {
        let len = self.procedure.tables.classes.entries().len();
        self.index("class", class.index(), len)
    }

    pub(super) fn index(&mut self, what: &str, index: usize, len: usize) -> bool {
        if index >= len {
            self.problem(format!("there is no {what} {index}"));
        }
        index < len
    }

    pub(super) fn field(&mut self, field: FieldId) -> bool {
        let len = self.procedure.tables.fields.entries().len();
        self.index("field", field.index(), len)
    }

    pub(super) fn method(&mut self, method: MethodId) -> bool {
        let len = self.procedure.tables.methods.entries().len();
        self.index("method", method.index(), len)
    }

    pub(super) fn string(&mut self, string: StringId) {
        let len = self.procedure.tables.strings.entries().len();
        self.index("string", string.index(), len);
    }

    pub(super) fn handle(&mut self, handle: HandleId) {
        let len = self.procedure.tables.handles.entries().len();
        self.index("method handle", handle.index(), len);
    }

    pub(super) fn dynamic_site(&mut self, site: DynamicId) -> bool {
        let len = self.procedure.tables.dynamics.entries().len();
        self.index("dynamic site", site.index(), len)
    }

    /// A class with at least this many dimensions; exactly none if zero.
    pub(super) fn class_with_dimensions(&mut self, class: ClassId, needed: usize) {
        if !self.class(class) {
            return;
        }
        let name = self.procedure.tables.class_name(class);
        let dimensions = name.len() - name.trim_start_matches('[').len();
        if dimensions < needed || (needed == 0 && dimensions > 0) {
            self.problem(format!("{name} does not have {needed} dimensions"));
        }
    }
}

/// Whether what is certain covers what is claimed.
pub(super) fn covers(certain: Facts, claimed: Facts) -> bool {
    (certain.non_null || !claimed.non_null)
        && (claimed.array.is_none() || certain.array == claimed.array)
}

/// How a message calls an operand.
pub(super) fn name(rule: &Rule, operand: Operand) -> String {
    match operand {
        Operand::Variable(variable) => match rule.variables.get(variable.0 as usize) {
            Some(declaration) => declaration.name.to_string(),
            None => format!("variable {}", variable.0),
        },
        Operand::Int(value) => value.to_string(),
        Operand::Long(value) => value.to_string(),
        Operand::Float(bits) => f32::from_bits(bits).to_string(),
        Operand::Double(bits) => f64::from_bits(bits).to_string(),
        Operand::Null => "null".to_string(),
    }
}
