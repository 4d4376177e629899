//! Assertions: what is compared with the outcome of the call.

use petrel_classfile::JavaType;
use petrel_testcase::Observer;
use petrel_value::{Heap, Object, Value};

use crate::JUnit;
use crate::body::{Body, Throws};
use crate::find;
use crate::java::{JavaExpression, TypeArguments};
use crate::literal::{self, literal};
use crate::types::{MethodTypes, Type};

/// Longer arrays are compared by their lengths.
const LONGEST_ARRAY: usize = 64;

impl Body<'_> {
    /// Asserts that an expression of some type has a value; `false` if there is no way to write the value.
    pub(crate) fn assert_value(
        &mut self,
        heap: &Heap,
        value: Value,
        of: &Type,
        actual: JavaExpression,
    ) -> bool {
        let is_primitive = matches!(of, Type::Primitive(_));
        if value == Value::Null {
            self.assert("assertNull", vec![actual]);
            return true;
        }
        if let Some(expected) = literal(value) {
            // A primitive value where a reference is: the engine keeps answers so.
            if !is_primitive {
                return self.assert_boxed(value, actual);
            }
            self.assert_primitive(value, expected, actual);
            return true;
        }
        match heap.get(value) {
            Some(Object::String(text)) => {
                self.assert("assertEquals", vec![literal::string(&text.0), actual]);
                true
            }
            Some(Object::Boxed(content)) => self.assert_boxed(*content, actual),
            Some(Object::EnumConstant { class, name }) => {
                let Some(class) = self.imports.class(class) else { return false };
                let constant = JavaExpression::Class(class).member(name);
                self.assert("assertSame", vec![constant, actual]);
                true
            }
            Some(Object::Array { component, elements }) => {
                self.assert_array(heap, component, elements, of, actual)
            }
            _ => false,
        }
    }

    fn assert_primitive(&mut self, value: Value, expected: JavaExpression, actual: JavaExpression) {
        match (value, self.junit) {
            (Value::Boolean(true), _) => self.assert("assertTrue", vec![actual]),
            (Value::Boolean(false), _) => self.assert("assertFalse", vec![actual]),
            (Value::Float(bits), JUnit::Four) => {
                self.assert_real(bits == 1 << 31, [expected, actual], "Float", Value::float(0.0));
            }
            (Value::Double(bits), JUnit::Four) => {
                self.assert_real(bits == 1 << 63, [expected, actual], "Double", Value::double(0.0));
            }
            _ => self.assert("assertEquals", vec![expected, actual]),
        }
    }

    /// JUnit 4 compares with a tolerance, within which zero is minus zero.
    fn assert_real(
        &mut self,
        is_minus_zero: bool,
        sides: [JavaExpression; 2],
        class: &str,
        delta: Value,
    ) {
        let boxed = |side| JavaExpression::Class(class.to_owned()).call("valueOf", vec![side]);
        let arguments = if is_minus_zero {
            sides.map(boxed).to_vec()
        } else {
            sides.into_iter().chain(literal(delta)).collect()
        };
        self.assert("assertEquals", arguments);
    }

    fn assert_boxed(&mut self, content: Value, actual: JavaExpression) -> bool {
        let Some(expected) = self.expected_box(content) else { return false };
        self.assert("assertEquals", vec![expected, actual]);
        true
    }

    /// An expression that is a box, so that javac takes `assertEquals(Object, Object)`.
    fn expected_box(&mut self, content: Value) -> Option<JavaExpression> {
        let boolean = || JavaExpression::Class("Boolean".to_owned());
        match content {
            Value::Boolean(true) => Some(boolean().member("TRUE")),
            Value::Boolean(false) => Some(boolean().member("FALSE")),
            _ => self.boxed(content).ok(),
        }
    }

    fn assert_array(
        &mut self,
        heap: &Heap,
        component: &JavaType,
        elements: &[Value],
        of: &Type,
        actual: JavaExpression,
    ) -> bool {
        let actual = match of {
            Type::Array(_) => actual,
            _ => {
                let array = Type::Array(Box::new(Type::of(component)));
                let Ok(cast) = self.cast(&array, actual) else { return false };
                cast
            }
        };
        self.is_unchecked |= self.typing.is_raw_type(&Type::of(component));
        if elements.len() > LONGEST_ARRAY {
            let assert = self.assertion("assertEquals");
            self.push(format!("{assert}({}, ({actual}).length);", elements.len()));
            return true;
        }
        let Some(expected) = self.array(heap, component, elements) else { return false };
        let delta = match (component, self.junit) {
            (JavaType::Float, JUnit::Four) => literal(Value::float(0.0)),
            (JavaType::Double, JUnit::Four) => literal(Value::double(0.0)),
            _ => None,
        };
        self.assert("assertArrayEquals", [expected, actual].into_iter().chain(delta).collect());
        true
    }

    /// An array of values; `None` if there are objects in it that have no literals.
    fn array(
        &mut self,
        heap: &Heap,
        component: &JavaType,
        elements: &[Value],
    ) -> Option<JavaExpression> {
        let elements = self.elements(heap, elements)?;
        let component = Type::of(component).text(&mut self.imports)?;
        Some(JavaExpression::Array { component, elements })
    }

    /// The elements of an array or a list.
    pub(crate) fn elements(
        &mut self,
        heap: &Heap,
        elements: &[Value],
    ) -> Option<Vec<JavaExpression>> {
        elements.iter().map(|&element| self.element(heap, element)).collect()
    }

    fn element(&mut self, heap: &Heap, element: Value) -> Option<JavaExpression> {
        match heap.get(element) {
            None if element == Value::Null => Some(JavaExpression::Null),
            None => literal::element(element),
            Some(Object::String(text)) => Some(literal::string(&text.0)),
            Some(Object::Boxed(content)) => literal(*content),
            Some(Object::EnumConstant { class, name }) => {
                Some(JavaExpression::Class(self.imports.class(class)?).member(name))
            }
            Some(Object::Array { component, elements }) if elements.len() <= LONGEST_ARRAY => {
                // An array in itself has no text; no array that is read back is that deep.
                let is_flat = elements
                    .iter()
                    .all(|&element| !matches!(heap.get(element), Some(Object::Array { .. })));
                if is_flat { self.array(heap, component, elements) } else { None }
            }
            _ => None,
        }
    }

    /// Asserts what calls on an object give.
    pub(crate) fn assert_observation(
        &mut self,
        heap: &Heap,
        value: Value,
        calls: &[Observer],
        (subject, of): (&JavaExpression, &Type),
    ) -> bool {
        let visible = self.imports.visible;
        let Some((last, before)) = calls.split_last() else { return false };
        let (mut actual, mut of) = (subject.clone(), of.erased());
        for call in before {
            let Some(next) = self.observe(call, actual, &of) else { return false };
            (actual, of) = next;
        }
        if &*last.name == "toArray"
            && let Type::Class(class, _) = &of
            && let Some(Object::Array { elements, .. }) = heap.get(value)
        {
            let is = |above| visible.program.is_assignable(class, above).unwrap_or(false);
            let expected = if is("java/util/List") {
                self.list(heap, elements, None)
            } else if is("java/util/Set") {
                self.set(heap, elements)
            } else {
                None
            };
            if let Some(expected) = expected {
                self.assert("assertEquals", vec![expected, actual]);
                return true;
            }
        }
        let Some((actual, of)) = self.observe(last, actual, &of) else { return false };
        self.assert_value(heap, value, &of, actual)
    }

    /// A call that looks at an object, and the type of what it gives.
    fn observe(
        &mut self,
        call: &Observer,
        on: JavaExpression,
        of: &Type,
    ) -> Option<(JavaExpression, Type)> {
        let visible = self.imports.visible;
        let method = find::method(visible.program, &call.class, &call.name, &call.descriptor)?;
        if !visible.can_call(&method) {
            return None;
        }
        let from = of.constant_name()?;
        // What is declared above the class of the object may be known by the type of the variable, too.
        let declared = find::method(visible.program, &from, &call.name, &call.descriptor);
        let fits = visible.program.is_assignable(&from, &call.class).unwrap_or(false)
            || declared.is_some_and(|method| visible.can_call(&method));
        let on = if fits { on } else { self.cast(&Type::class(&call.class), on).ok()? };
        if find::is_checked(visible.program, &method) {
            self.declares(Throws::Exception);
        }
        let result = MethodTypes::erased(&method).result?;
        Some((on.call(&call.name, Vec::new()), result))
    }

    /// A list of values, with a type argument where javac would not find the one that is needed.
    fn list(
        &mut self,
        heap: &Heap,
        elements: &[Value],
        type_argument: Option<&str>,
    ) -> Option<JavaExpression> {
        let is_array = |&element: &Value| matches!(heap.get(element), Some(Object::Array { .. }));
        if elements.len() > LONGEST_ARRAY || elements.iter().any(is_array) {
            return None;
        }
        if elements.is_empty() {
            return Some(self.class("java/util/Collections").call("emptyList", Vec::new()));
        }
        let mut written = self.elements(heap, elements)?;
        // A single `null` would be taken for the array of all elements.
        if written == [JavaExpression::Null] {
            written = vec![JavaExpression::Null.cast("Object")];
        }
        let type_argument = type_argument.map(str::to_owned);
        Some(self.class("java/util/Arrays").generic_call(type_argument, "asList", written))
    }

    fn set(&mut self, heap: &Heap, elements: &[Value]) -> Option<JavaExpression> {
        if elements.is_empty() {
            return Some(self.class("java/util/Collections").call("emptySet", Vec::new()));
        }
        // From Java 8 on, javac looks at what is expected of an argument.
        let (type_argument, type_arguments) = match self.java {
            8.. => (None, TypeArguments::Inferred),
            _ => (Some("Object"), TypeArguments::Written(vec!["Object".to_owned()])),
        };
        let arguments = vec![self.list(heap, elements, type_argument)?];
        let class = self.class_text("java/util/HashSet");
        Some(JavaExpression::New { outer: None, class, type_arguments, arguments })
    }
}
