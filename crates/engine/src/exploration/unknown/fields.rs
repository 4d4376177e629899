//! Fields of instances by number, for the heap solver.

use std::rc::Rc;

use petrel_clp::Kind;
use petrel_heap::{ClassId, FieldId, Sort};
use rustc_hash::FxHashMap;

use crate::machine::TypeId;

/// A field of instances.
#[derive(Debug, Clone)]
pub(crate) struct InstanceField {
    /// The class that declares it.
    pub(crate) class: TypeId,
    pub(crate) slot: u16,
    pub(crate) name: Rc<str>,
    /// Its type.
    pub(crate) of: TypeId,
}

/// All fields that instructions access.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    all: Vec<InstanceField>,
    numbers: FxHashMap<(TypeId, u16), FieldId>,
}

impl Fields {
    pub(crate) fn number(&mut self, field: InstanceField) -> FieldId {
        *self.numbers.entry((field.class, field.slot)).or_insert_with(|| {
            self.all.push(field);
            FieldId(self.all.len() as u32 - 1)
        })
    }

    pub(in crate::exploration) fn get(&self, number: FieldId) -> &InstanceField {
        &self.all[number.0 as usize]
    }
}

/// What values of a type are computed with.
pub(crate) fn kind_of(of: TypeId) -> Kind {
    match of {
        TypeId::LONG => Kind::Long,
        TypeId::FLOAT => Kind::Float,
        TypeId::DOUBLE => Kind::Double,
        _ if of.is_primitive() => Kind::Int,
        _ => Kind::Reference,
    }
}

/// The unknown values of a type, integers within a domain.
pub(super) fn sort(of: TypeId, domain: Option<(i64, i64)>) -> Sort {
    let kind = kind_of(of);
    let (low, high) = match of {
        TypeId::BOOLEAN => return Sort::Number { kind, low: 0, high: 1 },
        TypeId::BYTE => (i8::MIN.into(), i8::MAX.into()),
        TypeId::SHORT => (i16::MIN.into(), i16::MAX.into()),
        TypeId::CHAR => (0, u16::MAX.into()),
        TypeId::INT => (i32::MIN.into(), i32::MAX.into()),
        TypeId::LONG => (i64::MIN, i64::MAX),
        TypeId::FLOAT | TypeId::DOUBLE => return Sort::Number { kind, low: 0, high: 0 },
        _ => return Sort::Reference(ClassId(of.0)),
    };
    let (from, to) = domain.unwrap_or((low, high));
    // A domain without a value of a type leaves the types's own range.
    let clipped = (low.max(from), high.min(to));
    let (low, high) = if clipped.0 <= clipped.1 { clipped } else { (low, high) };
    Sort::Number { kind, low, high }
}
