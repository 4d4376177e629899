//! Openers: code that looks into an object, so that one that is still to be made is made.

use std::sync::Arc;

use petrel_classfile::writer::ClassWriter;
use petrel_classfile::{flags, op};
use petrel_program::{Class, Program, ResolvedMethod};

/// Where openers are.
const PACKAGE: &str = "petrel/open/";
const NAME: &str = "open";

/// A static method that reads a field of the object that it gets; `None` if the class has no fields.
pub fn opener(program: &Program, class: &Arc<Class>) -> Option<ResolvedMethod> {
    let fields = class.lineage().flat_map(|class| class.fields());
    let field = fields.into_iter().find(|field| !field.is_static())?;
    let name = format!("{PACKAGE}{}", class.name());
    let descriptor = format!("(L{};)V", class.name());
    let mut writer = ClassWriter::new(flags::PUBLIC | flags::SUPER, &name, "java/lang/Object", &[]);
    let is_wide = matches!(field.descriptor(), "J" | "D");
    writer.method(flags::PUBLIC | flags::STATIC, NAME, &descriptor, 1, |code| {
        code.local(op::ALOAD, 0);
        code.field(op::GETFIELD, field.class().name(), field.name(), field.descriptor());
        code.op(if is_wide { op::POP2 } else { op::POP }).op(op::RETURN);
    });
    let bytes = writer.finish()?;
    let made = program.define_synthetic(Arc::<[u8]>::from(bytes)).ok()?;
    made.declared_method(NAME, &descriptor)
}
