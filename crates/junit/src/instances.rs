//! Objects that are described by their fields.

use petrel_classfile::{JavaType, flags};
use petrel_value::{FieldValue, ObjectId};

use crate::body::{Body, Throws, simple_name};
use crate::find;
use crate::java::JavaExpression;
use crate::literal;
use crate::objects::is_zero;
use crate::plain::Plan;
use crate::types::{MethodTypes, Type, class_parameters};

impl Body<'_> {
    /// Makes an object by a constructor that does nothing but fill fields.
    pub(crate) fn make_plain(
        &mut self,
        id: ObjectId,
        plan: Plan,
        of: &Type,
        hint: &str,
    ) -> Result<(), String> {
        let method = &plan.constructor;
        if find::is_checked(self.imports.visible.program, method) {
            self.declares(Throws::Exception);
        }
        let types =
            self.typing.seen_from(method, of).unwrap_or_else(|| MethodTypes::erased(method));
        let arguments = self.arguments(method, &plan.arguments, &types.parameters)?;
        let made = self.new_object(method.class().name(), of, arguments)?;
        if plan.fields.is_empty() && !of.is_generic() {
            return self.place(id, made, of, hint);
        }
        self.declare(id, made, of, hint)?;
        self.fill_instance(id, &plan.fields, false)
    }

    /// Declares an object that has no values in its fields yet, without calling a constructor.
    pub(crate) fn allocate(
        &mut self,
        id: ObjectId,
        class: &str,
        of: &Type,
        hint: &str,
    ) -> Result<(), String> {
        let visible = self.imports.visible;
        let loaded = visible.program.class(class).map_err(|error| error.to_string())?;
        let shown = class.replace('/', ".");
        if class == "java/lang/Object" {
            let made = JavaExpression::new("Object".to_owned(), Vec::new());
            return self.declare(id, made, of, hint);
        }
        if !visible.program.is_project_class(class) {
            return Err(format!("no public code is known that makes this object of {shown}"));
        }
        if loaded.file.super_name() == Some("java/lang/Record") {
            return Err(format!("no call is known that makes this record {shown}"));
        }
        if loaded.file.has_flags(flags::ENUM) {
            return Err(format!("the enum {shown} has no such constant"));
        }
        self.helpers.allocate = true;
        self.declares(Throws::Exception);
        let simple = simple_name(class);
        self.note_reflection(format!("no call is known that gives this state of {simple}"));
        self.is_unchecked |= !class_parameters(&loaded).is_empty();
        let literal = self.class_literal(&JavaType::Object(class.into()));
        let made = JavaExpression::own_call("allocate", vec![literal]);
        let is_known = visible.name(class).is_some() || *of == Type::object();
        let made = if is_known { made } else { self.cast(of, made)? };
        self.declare(id, made, of, hint)
    }

    pub(crate) fn fill_instance(
        &mut self,
        id: ObjectId,
        fields: &[FieldValue],
        by_reflection: bool,
    ) -> Result<(), String> {
        for field in fields {
            if is_zero(&field.value) || !self.is_there(field.value) {
                continue;
            }
            let program = self.imports.visible.program;
            let declared = find::field(program, &field.class, &field.name)
                .ok_or_else(|| format!("there is no field {} in {}", field.name, field.class))?;
            let expected = JavaType::parse(declared.descriptor()).map_err(|e| e.to_string())?;
            let expected = Type::of(&expected).nearest_named(self.imports.visible);
            let value = self.value(field.value, &expected, false, &field.name)?;
            let object = self.made(id)?;
            if by_reflection {
                self.helpers.set_field = true;
                let class = self.class_literal(&JavaType::Object((*field.class).into()));
                let arguments = vec![class, object, literal::name(&field.name), value];
                self.push_call(&JavaExpression::own_call("setField", arguments));
            } else {
                self.push(format!("{} = {value};", object.member(&field.name)));
            }
        }
        Ok(())
    }
}
