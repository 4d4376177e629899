//! Constructors that put their arguments into fields and do nothing else.
//!
//! An object that is described by its fields can be made by such a constructor: what it leaves behind is known
//! without running it.

use std::sync::Arc;

use petrel_classfile::{JavaType, MethodDescriptor, Operand, op};
use petrel_program::{Class, ResolvedMethod};
use petrel_value::{FieldValue, Value};

use crate::find;
use crate::objects::is_zero;
use crate::visible::Visible;

/// How an object is made without reflection.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) constructor: ResolvedMethod,
    pub(crate) arguments: Vec<Value>,
    /// What is assigned then.
    pub(crate) fields: Vec<FieldValue>,
}

/// A way to make an object with these fields; `None` if there is none that is seen at once. The one with the fewest
/// statements.
pub(crate) fn plan(
    visible: Visible<'_>,
    class: &Arc<Class>,
    fields: &[FieldValue],
) -> Option<Plan> {
    if class.is_abstract() || class.is_inner() || visible.name(class.name()).is_none() {
        return None;
    }
    let constructors = class.methods().filter(|method| method.is_constructor());
    let plans = constructors.filter(|method| visible.can_call(method)).filter_map(|constructor| {
        let set = assigned(&constructor)?;
        let value_of = |name: &String| {
            let is_it =
                |field: &&FieldValue| &*field.class == class.name() && *field.name == **name;
            fields.iter().find(is_it).map(|field| field.value)
        };
        let mut arguments = Vec::new();
        for (name, of) in &set {
            arguments.push(value_of(name).unwrap_or_else(|| zero(of)));
        }
        let is_set = |field: &FieldValue| {
            &*field.class == class.name() && set.iter().any(|(name, _)| **name == *field.name)
        };
        let is_left = |field: &&FieldValue| !is_set(field) && !is_zero(&field.value);
        let left: Vec<FieldValue> = fields.iter().filter(is_left).cloned().collect();
        let can_set = left.iter().all(|field| can_assign(visible, class, field));
        can_set.then_some(Plan { constructor, arguments, fields: left })
    });
    plans.min_by_key(|plan| (plan.fields.len(), plan.arguments.len()))
}

/// Whether code of the test class may assign to a field of an object of a class.
fn can_assign(visible: Visible<'_>, class: &Arc<Class>, value: &FieldValue) -> bool {
    let field = find::field(visible.program, &value.class, &value.name);
    can_read(visible, class, value) && field.is_some_and(|field| !field.is_final())
}

/// Whether code of the test class may read a field of an object of a class: it is accessible, and no other field
/// hides it.
pub(crate) fn can_read(visible: Visible<'_>, class: &Arc<Class>, value: &FieldValue) -> bool {
    let field = find::field(visible.program, &value.class, &value.name);
    let mut below = class.lineage().take_while(|class| *class.name() != *value.class);
    let is_hidden = below.any(|class| class.fields().any(|other| other.name() == &*value.name));
    field.is_some_and(|field| visible.can_use_field(&field)) && !is_hidden
}

/// The field that each parameter is put into, with its type, if the constructor does nothing else.
fn assigned(constructor: &ResolvedMethod) -> Option<Vec<(String, JavaType)>> {
    let class = constructor.class();
    if class.name() == "java/lang/Object" {
        return Some(Vec::new());
    }
    let descriptor = MethodDescriptor::parse(constructor.descriptor()).ok()?;
    let code = class.file.code(constructor.declaration()).ok()??;
    let pool = &class.file.constant_pool;
    let mut rest = code.instructions.iter().map(|of| (of.opcode.byte(), &of.operand));
    let mut slots = Vec::new();
    let mut slot = 1;
    for parameter in &descriptor.parameters {
        slots.push(slot);
        slot += parameter.slots();
    }
    let mut fields: Vec<Option<String>> = vec![None; slots.len()];
    let mut is_super_called = false;
    loop {
        match rest.next()? {
            (op::RETURN, _) => break,
            (op::ALOAD_0, _) => {}
            _ => return None,
        }
        match rest.next()? {
            (op::INVOKESPECIAL, &Operand::Constant(index)) if !is_super_called => {
                let called = pool.method(index).ok()?;
                let above = class.super_class()?;
                let is_super = called.class == above.name() && called.descriptor == "()V";
                let of_super = above.declared_method("<init>", "()V").filter(|_| is_super)?;
                assigned(&of_super)?;
                is_super_called = true;
            }
            (load @ op::ILOAD..=op::ALOAD_3, operand) => {
                let slot = match operand {
                    Operand::Local(slot) => usize::from(*slot),
                    _ => usize::from(load.checked_sub(op::ILOAD_0)? % 4),
                };
                let parameter = slots.iter().position(|&of| of == slot)?;
                let (op::PUTFIELD, &Operand::Constant(index)) = rest.next()? else { return None };
                let field = pool.field(index).ok()?;
                let is_own = field.class == class.name() && fields[parameter].is_none();
                let fits = descriptor.parameters[parameter].to_string() == field.descriptor;
                if !is_own || !fits {
                    return None;
                }
                fields[parameter] = Some(field.name.to_owned());
            }
            _ => return None,
        }
    }
    let fields: Option<Vec<String>> = fields.into_iter().collect();
    is_super_called.then_some(())?;
    Some(fields?.into_iter().zip(descriptor.parameters).collect())
}

/// What a variable holds before anything is assigned to it.
fn zero(of: &JavaType) -> Value {
    match of {
        JavaType::Boolean => Value::Boolean(false),
        JavaType::Byte => Value::Byte(0),
        JavaType::Char => Value::Char(0),
        JavaType::Short => Value::Short(0),
        JavaType::Int => Value::Int(0),
        JavaType::Long => Value::Long(0),
        JavaType::Float => Value::float(0.0),
        JavaType::Double => Value::double(0.0),
        JavaType::Object(_) | JavaType::Array(_) => Value::Null,
    }
}
