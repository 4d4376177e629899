//! The statements that make the objects of an input.
//!
//! Without cycles, an object is made when it is first needed: where it stands if it is short and used once, else
//! in a variable. With cycles, all objects have variables, and are made in the order that the engine follows, too.

use petrel_classfile::JavaType;
use petrel_translate::stub;
use petrel_value::{Call, Object, ObjectId, Shared, Value};

use crate::body::{Body, simple_name};
use crate::cycles::is_cyclic;
use crate::find;
use crate::java::{JavaExpression, TypeArguments};
use crate::literal::{self, literal};
use crate::plain;
use crate::types::{Type, class_parameters, view};

/// An expression that is longer has a variable.
const LONGEST_INLINE: usize = 40;
/// An array that is longer is written by what differs from zero.
const LONGEST_INITIALISER: usize = 32;

impl Body<'_> {
    /// Counts how often objects are used, and makes them all beforehand if there are cycles.
    pub(crate) fn prepare(&mut self, roots: &[Value]) -> Result<(), String> {
        let heap = self.heap;
        let reached = heap.reached(roots.iter().copied());
        let parts = reached.iter().flat_map(|id| heap.objects[id.0 as usize].parts());
        for value in roots.iter().copied().chain(parts) {
            self.note_use(value);
        }
        if is_cyclic(heap, &reached) { self.make_in_order(&reached) } else { Ok(()) }
    }

    /// Notes one more use: an object that is used twice has a variable.
    pub(crate) fn note_use(&mut self, value: Value) {
        if let Value::Reference(id) = value
            && let Some(uses) = self.uses.get_mut(id.0 as usize)
        {
            *uses += 1;
        }
    }

    /// An expression for a value where a type is expected. `is_exact`: its own type has to be that, because
    /// javac chooses an overload by it.
    pub(crate) fn value(
        &mut self,
        value: Value,
        expected: &Type,
        is_exact: bool,
        hint: &str,
    ) -> Result<JavaExpression, String> {
        let Value::Reference(id) = value else {
            return match literal(value) {
                Some(literal) => Ok(literal),
                None if is_exact => self.clear_cast(expected, JavaExpression::Null),
                None => Ok(JavaExpression::Null),
            };
        };
        let index = id.0 as usize;
        let Some(object) = self.heap.objects.get(index) else {
            return Err("a reference to no object".to_owned());
        };
        if let (Object::Boxed(content), None) = (object, &self.made[index])
            && (self.uses[index] <= 1 || is_cached(*content))
        {
            let class = content.box_class().ok_or("a box without a value")?;
            if !is_exact && *expected == Type::class(class) {
                return Ok(literal(*content).ok_or("a box without a value")?);
            }
            let boxed = self.boxed(*content)?;
            if is_exact && expected.erased() != Type::class(class) {
                return self.cast(&expected.erased(), boxed);
            }
            return Ok(boxed);
        }
        if self.made[index].is_none() {
            self.make(id, object, expected, hint)?;
        }
        let made = self.made(id)?;
        let found = self.typing.of(value).cloned().unwrap_or_else(Type::object);
        let program = self.imports.visible.program;
        let fits = match (found.constant_name(), expected.erased().constant_name()) {
            (Some(from), Some(to)) => program.is_assignable(&from, &to).unwrap_or(true),
            _ => true,
        };
        let is_different = is_exact && found.erased() != expected.erased();
        match (fits, is_different) {
            (true, false) => Ok(made),
            (true, true) => self.clear_cast(expected, made),
            (false, _) => self.cast(&expected.erased(), made),
        }
    }

    /// How an object is written that is made.
    pub(crate) fn made(&self, id: ObjectId) -> Result<JavaExpression, String> {
        let made = self.made.get(id.0 as usize).cloned().flatten();
        made.ok_or_else(|| "an object that is used before it is made".to_owned())
    }

    pub(crate) fn cast(
        &mut self,
        to: &Type,
        value: JavaExpression,
    ) -> Result<JavaExpression, String> {
        let (to, is_generic) = (self.type_text(to)?, to.is_generic());
        Ok(JavaExpression::Cast { to, is_generic, value: Box::new(value) })
    }

    /// A cast to a type that something has anyway: with its arguments, so that javac has nothing to warn of.
    fn clear_cast(&mut self, to: &Type, value: JavaExpression) -> Result<JavaExpression, String> {
        let is_clear = !self.typing.is_raw && !to.is_open() && to.is_named(self.imports.visible);
        if is_clear { self.cast(to, value) } else { self.cast(&to.erased(), value) }
    }

    /// `Integer.valueOf(5)`.
    pub(crate) fn boxed(&mut self, content: Value) -> Result<JavaExpression, String> {
        let literal = literal(content).ok_or("a box without a value")?;
        let class = content.box_class().ok_or("a box without a value")?;
        Ok(self.class(class).call("valueOf", vec![literal]))
    }

    /// What a static field refers to, or an element of the array that it refers to.
    fn static_object(
        &mut self,
        class: &str,
        field: &str,
        element: Option<u32>,
    ) -> Result<JavaExpression, String> {
        let visible = self.imports.visible;
        let found = find::field(visible.program, class, field);
        if !found.is_some_and(|found| visible.can_use_field(&found)) {
            let class = class.replace('/', ".");
            return Err(format!("the static field {field} of {class} cannot be named"));
        }
        let held = JavaExpression::Class(self.type_text(&Type::class(class))?).member(field);
        Ok(match element {
            Some(element) => held.element(element),
            None => held,
        })
    }

    /// Makes an object whose parts lead to no cycle.
    fn make(
        &mut self,
        id: ObjectId,
        object: &Object,
        expected: &Type,
        hint: &str,
    ) -> Result<(), String> {
        let found = self.typing.of(Value::Reference(id)).cloned();
        let found = found.unwrap_or_else(|| expected.clone());
        match object {
            Object::String(text) => {
                let literal = literal::string(&text.0);
                if !self.is_fresh[id.0 as usize] {
                    self.set_made(id, literal);
                    return Ok(());
                }
                let class = self.class_text("java/lang/String");
                self.place(id, JavaExpression::new(class, vec![literal]), &found, hint)
            }
            Object::Boxed(content) => {
                let made = self.boxed(*content)?;
                self.declare(id, made, &found, hint)
            }
            Object::EnumConstant { class, name } => {
                let class = JavaExpression::Class(self.type_text(&Type::class(class))?);
                self.set_made(id, class.member(name));
                Ok(())
            }
            Object::Shared(Shared::Constant(text)) => {
                self.set_made(id, literal::string(&text.0));
                Ok(())
            }
            Object::Shared(Shared::Static { class, field, element }) => {
                let made = self.static_object(class, field, *element)?;
                self.declare(id, made, &found, hint)
            }
            Object::Array { component, elements } => {
                self.make_array(id, component, elements, &found, hint)
            }
            Object::Instance { class, fields } => {
                let loaded = self.imports.visible.program.class(class);
                let loaded = loaded.map_err(|error| error.to_string())?;
                let is_project = self.imports.visible.program.is_project_class(class);
                match plain::plan(self.imports.visible, &loaded, fields).filter(|_| is_project) {
                    Some(plan) => self.make_plain(id, plan, &found, hint),
                    None => {
                        self.allocate(id, class, &found, hint)?;
                        self.fill_instance(id, fields, true)
                    }
                }
            }
            Object::Built { by, calls, .. } => {
                let widened = self.widened(id, &found, expected, by, calls);
                let declared = widened.unwrap_or_else(|| found.clone());
                self.make_built(id, by, calls, (&found, &declared), hint)?;
                for call in calls {
                    self.call_on(id, call)?;
                }
                Ok(())
            }
            Object::Opaque { class } => Err(unknown(class)),
        }
    }

    pub(crate) fn set_made(&mut self, id: ObjectId, made: JavaExpression) {
        self.made[id.0 as usize] = Some(made);
    }

    /// Declares a variable for an object.
    pub(crate) fn declare(
        &mut self,
        id: ObjectId,
        made: JavaExpression,
        of: &Type,
        hint: &str,
    ) -> Result<(), String> {
        let name = self.local(hint);
        let of = self.type_text(of)?;
        self.set_made(id, JavaExpression::variable(&name));
        self.push_variable(of, name, made);
        Ok(())
    }

    /// Leaves an expression where it is used, or declares a variable.
    pub(crate) fn place(
        &mut self,
        id: ObjectId,
        made: JavaExpression,
        of: &Type,
        hint: &str,
    ) -> Result<(), String> {
        if self.uses[id.0 as usize] > 1 || made.to_string().len() > LONGEST_INLINE {
            return self.declare(id, made, of, hint);
        }
        self.set_made(id, made);
        Ok(())
    }

    fn make_array(
        &mut self,
        id: ObjectId,
        component: &JavaType,
        elements: &[Value],
        of: &Type,
        hint: &str,
    ) -> Result<(), String> {
        let Type::Array(expected) = of else { return Err("an array of no array type".to_owned()) };
        let is_named = Type::of(component).is_named(self.imports.visible);
        if elements.len() > LONGEST_INITIALISER
            || elements.len() > 4 && elements.iter().all(is_zero)
            || !is_named
        {
            let made = self.empty_array(component, elements.len())?;
            self.declare(id, made, of, hint)?;
            return self.fill_array(id, elements, expected);
        }
        let mut written = Vec::new();
        for &element in elements {
            written.push(match literal::element(element) {
                Some(literal) => literal,
                None => self.value(element, expected, false, hint)?,
            });
        }
        let component = self.type_text(&Type::of(component))?;
        self.place(id, JavaExpression::Array { component, elements: written }, of, hint)
    }

    /// The length stands in the first of the brackets.
    pub(crate) fn empty_array(
        &mut self,
        component: &JavaType,
        length: usize,
    ) -> Result<JavaExpression, String> {
        let of = Type::of(component);
        let visible = self.imports.visible;
        if !of.is_named(visible) {
            let shown = simple_name(&of.constant_name().unwrap_or_default()).replace(';', "");
            self.note_reflection(format!("{shown} is not accessible"));
            let array = self.class("java/lang/reflect/Array");
            let nearest = self.type_text(&Type::Array(Box::new(of.nearest_named(visible))))?;
            let arguments = vec![self.class_literal(component), literal::count(length)];
            return Ok(array.call("newInstance", arguments).cast(&nearest));
        }
        let (mut element, mut n_more) = (&of, 0);
        while let Type::Array(component) = element {
            (element, n_more) = (component, n_more + 1);
        }
        Ok(JavaExpression::EmptyArray { element: self.type_text(element)?, length, n_more })
    }

    pub(crate) fn fill_array(
        &mut self,
        id: ObjectId,
        elements: &[Value],
        expected: &Type,
    ) -> Result<(), String> {
        for (position, &element) in elements.iter().enumerate() {
            if is_zero(&element) || !self.is_there(element) {
                continue;
            }
            let value = match literal::element(element) {
                Some(literal) => literal,
                None => self.value(element, expected, false, "element")?,
            };
            let array = self.made(id)?;
            self.push(format!("{array}[{position}] = {value};"));
        }
        Ok(())
    }

    /// `List<String>` for an `ArrayList<String>` that is used as one.
    fn widened(
        &mut self,
        id: ObjectId,
        found: &Type,
        expected: &Type,
        by: &Call,
        calls: &[Call],
    ) -> Option<Type> {
        let program = self.imports.visible.program;
        let Type::Class(interface, _) = expected else { return None };
        let is_interface = program.class(interface).is_ok_and(|class| class.is_interface());
        let is_collection =
            interface.starts_with("java/util/") && by.class.starts_with("java/util/");
        let has_all = calls
            .iter()
            .all(|call| find::method(program, interface, &call.name, &call.descriptor).is_some());
        if !is_interface || !is_collection || !has_all || &*by.name != "<init>" {
            return None;
        }
        let widened = view(program, found, interface)?;
        self.typing.widen(id, widened.clone());
        Some(widened)
    }

    /// `new Foo(1)` or `new Foo<>(1)`.
    pub(crate) fn new_object(
        &mut self,
        class: &str,
        of: &Type,
        arguments: Vec<JavaExpression>,
    ) -> Result<JavaExpression, String> {
        let name = self.type_text(&Type::class(class))?;
        let program = self.imports.visible.program;
        let parameters = program.class(class).map(|class| class_parameters(&class));
        let is_generic = !self.typing.is_raw && parameters.is_ok_and(|of| !of.is_empty());
        let type_arguments = match of {
            _ if !is_generic => TypeArguments::None,
            _ if self.java >= 7 => TypeArguments::Inferred,
            Type::Class(_, arguments) => {
                let texts: Result<Vec<String>, String> =
                    arguments.iter().map(|argument| self.type_text(argument)).collect();
                TypeArguments::Written(texts?)
            }
            _ => TypeArguments::None,
        };
        Ok(JavaExpression::New { outer: None, class: name, type_arguments, arguments })
    }

    /// The name of a variable for an object that nothing else gives a name: `list` for an `ArrayList`.
    pub(crate) fn hint_of(&self, value: Value) -> String {
        let class = match self.heap.get(value) {
            Some(Object::Built { class, .. } | Object::Instance { class, .. }) => class,
            Some(Object::String(_)) => return "text".to_owned(),
            Some(Object::Boxed(_)) => return "number".to_owned(),
            Some(Object::Array { .. }) => return "array".to_owned(),
            _ => return "value".to_owned(),
        };
        let class = stub::stubbed(class).unwrap_or_else(|| class.to_string());
        let name = simple_name(&class);
        if class.starts_with("java/") {
            let last_word = name.rfind(|c: char| c.is_ascii_uppercase()).unwrap_or(0);
            return name[last_word..].to_owned();
        }
        name.to_owned()
    }
}

/// Whether a variable has this value if nothing was assigned to it.
pub(crate) fn is_zero(value: &Value) -> bool {
    matches!(
        value,
        Value::Null
            | Value::Boolean(false)
            | Value::Byte(0)
            | Value::Short(0)
            | Value::Char(0)
            | Value::Int(0)
            | Value::Long(0)
            | Value::Float(0)
            | Value::Double(0)
    )
}

/// Whether there is one box of this value (JLS 5.1.7).
fn is_cached(content: Value) -> bool {
    match content {
        Value::Boolean(_) | Value::Byte(_) => true,
        Value::Short(value) => (-128..=127).contains(&value),
        Value::Char(unit) => unit <= 127,
        Value::Int(value) => (-128..=127).contains(&value),
        Value::Long(value) => (-128..=127).contains(&value),
        _ => false,
    }
}

fn unknown(class: &str) -> String {
    format!("nothing is known of an object of {} but its class", class.replace('/', "."))
}
