//! Assertions: what is compared with the outcome of the call.

use petrel_classfile::JavaType;
use petrel_testcase::Observer;
use petrel_value::{Heap, Object, Value};

use crate::JUnit;
use crate::body::{Body, Throws};
use crate::find;
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
        actual: &str,
    ) -> bool {
        let is_primitive = matches!(of, Type::Primitive(_));
        if value == Value::Null {
            let assert = self.assertion("assertNull");
            self.push(format!("{assert}({actual});"));
            return true;
        }
        if let Some(text) = literal(value) {
            // A primitive value where a reference is: the engine keeps answers so.
            return if is_primitive {
                self.assert_primitive(value, &text, actual)
            } else {
                self.assert_boxed(value, actual)
            };
        }
        match heap.get(value) {
            Some(Object::String(text)) => {
                let assert = self.assertion("assertEquals");
                self.push(format!("{assert}({}, {actual});", literal::string(&text.0)));
                true
            }
            Some(Object::Boxed(content)) => self.assert_boxed(*content, actual),
            Some(Object::EnumConstant { class, name }) => {
                let Some(class) = self.imports.class(class) else { return false };
                let assert = self.assertion("assertSame");
                self.push(format!("{assert}({class}.{name}, {actual});"));
                true
            }
            Some(Object::Array { component, elements }) => {
                self.assert_array(heap, component, elements, of, actual)
            }
            _ => false,
        }
    }

    fn assert_primitive(&mut self, value: Value, text: &str, actual: &str) -> bool {
        let line = match (value, self.junit) {
            (Value::Boolean(true), _) => format!("{}({actual});", self.assertion("assertTrue")),
            (Value::Boolean(false), _) => format!("{}({actual});", self.assertion("assertFalse")),
            (Value::Float(bits), JUnit::Four) => {
                self.assert_real(bits == 1 << 31, text, actual, "Float", "0.0f")
            }
            (Value::Double(bits), JUnit::Four) => {
                self.assert_real(bits == 1 << 63, text, actual, "Double", "0.0")
            }
            _ => format!("{}({text}, {actual});", self.assertion("assertEquals")),
        };
        self.push(line);
        true
    }

    /// JUnit 4 compares with a tolerance, within which zero is minus zero.
    fn assert_real(
        &mut self,
        is_minus_zero: bool,
        text: &str,
        actual: &str,
        class: &str,
        delta: &str,
    ) -> String {
        let assert = self.assertion("assertEquals");
        if is_minus_zero {
            return format!("{assert}({class}.valueOf({text}), {class}.valueOf({actual}));");
        }
        format!("{assert}({text}, {actual}, {delta});")
    }

    fn assert_boxed(&mut self, content: Value, actual: &str) -> bool {
        let Some(text) = self.boxed_text(content) else { return false };
        let assert = self.assertion("assertEquals");
        self.push(format!("{assert}({text}, {actual});"));
        true
    }

    /// An expression that is a box, so that javac takes `assertEquals(Object, Object)`.
    fn boxed_text(&mut self, content: Value) -> Option<String> {
        let class = content.box_class()?;
        Some(match content {
            Value::Boolean(true) => "Boolean.TRUE".to_owned(),
            Value::Boolean(false) => "Boolean.FALSE".to_owned(),
            _ => format!("{}.valueOf({})", self.class_text(class), literal(content)?),
        })
    }

    fn assert_array(
        &mut self,
        heap: &Heap,
        component: &JavaType,
        elements: &[Value],
        of: &Type,
        actual: &str,
    ) -> bool {
        let actual = match of {
            Type::Array(_) => actual.to_owned(),
            _ => {
                let Some(component) = Type::of(component).text(&mut self.imports) else {
                    return false;
                };
                format!("({component}[]) {actual}")
            }
        };
        self.is_unchecked |= self.typing.is_raw_type(&Type::of(component));
        if elements.len() > LONGEST_ARRAY {
            let assert = self.assertion("assertEquals");
            self.push(format!("{assert}({}, ({actual}).length);", elements.len()));
            return true;
        }
        let Some(text) = self.array_text(heap, component, elements) else { return false };
        let assert = self.assertion("assertArrayEquals");
        let delta = match (component, self.junit) {
            (JavaType::Float, JUnit::Four) => ", 0.0f",
            (JavaType::Double, JUnit::Four) => ", 0.0",
            _ => "",
        };
        self.push(format!("{assert}({text}, {actual}{delta});"));
        true
    }

    /// An array of values; `None` if there are objects in it that have no literals.
    fn array_text(
        &mut self,
        heap: &Heap,
        component: &JavaType,
        elements: &[Value],
    ) -> Option<String> {
        let texts = self.element_texts(heap, elements)?;
        let component = Type::of(component).text(&mut self.imports)?;
        Some(format!("new {component}[] {{{}}}", texts.join(", ")))
    }

    /// The elements of an array or a list.
    pub(crate) fn element_texts(&mut self, heap: &Heap, elements: &[Value]) -> Option<Vec<String>> {
        elements.iter().map(|&element| self.element_text(heap, element)).collect()
    }

    fn element_text(&mut self, heap: &Heap, element: Value) -> Option<String> {
        match heap.get(element) {
            None if element == Value::Null => Some("null".to_owned()),
            None => literal::element(element),
            Some(Object::String(text)) => Some(literal::string(&text.0)),
            Some(Object::Boxed(content)) => literal(*content),
            Some(Object::EnumConstant { class, name }) => {
                Some(format!("{}.{name}", self.imports.class(class)?))
            }
            Some(Object::Array { component, elements }) if elements.len() <= LONGEST_ARRAY => {
                // An array in itself has no text; no array that is read back is that deep.
                let is_flat = elements
                    .iter()
                    .all(|&element| !matches!(heap.get(element), Some(Object::Array { .. })));
                if is_flat { self.array_text(heap, component, elements) } else { None }
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
        (subject, of): (&str, &Type),
    ) -> bool {
        let visible = self.imports.visible;
        let Some((last, before)) = calls.split_last() else { return false };
        let (mut text, mut of) = (subject.to_owned(), of.erased());
        for call in before {
            let Some(next) = self.observe(call, &text, &of) else { return false };
            (text, of) = next;
        }
        if &*last.name == "toArray"
            && let Type::Class(class, _) = &of
            && let Some(Object::Array { elements, .. }) = heap.get(value)
        {
            let is = |above| visible.program.is_assignable(class, above).unwrap_or(false);
            let expected = if is("java/util/List") {
                self.list_text(heap, elements)
            } else if is("java/util/Set") {
                self.set_text(heap, elements)
            } else {
                None
            };
            if let Some(expected) = expected {
                let assert = self.assertion("assertEquals");
                self.push(format!("{assert}({expected}, {text});"));
                return true;
            }
        }
        let Some((text, of)) = self.observe(last, &text, &of) else { return false };
        self.assert_value(heap, value, &of, &text)
    }

    /// A call that looks at an object, and the type of what it gives.
    fn observe(&mut self, call: &Observer, on: &str, of: &Type) -> Option<(String, Type)> {
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
        let on = if fits {
            on.to_owned()
        } else {
            format!("(({}) {on})", Type::class(&call.class).text(&mut self.imports)?)
        };
        if find::is_checked(visible.program, &method) {
            self.declares(Throws::Exception);
        }
        let result = MethodTypes::erased(&method).result?;
        Some((format!("{on}.{}()", call.name), result))
    }

    fn list_text(&mut self, heap: &Heap, elements: &[Value]) -> Option<String> {
        let is_array = |&element: &Value| matches!(heap.get(element), Some(Object::Array { .. }));
        if elements.len() > LONGEST_ARRAY || elements.iter().any(is_array) {
            return None;
        }
        if elements.is_empty() {
            return Some(format!("{}.emptyList()", self.class_text("java/util/Collections")));
        }
        let texts = self.element_texts(heap, elements)?;
        let arrays = self.class_text("java/util/Arrays");
        // A single `null` would be taken for the array of all elements.
        if texts == ["null"] {
            return Some(format!("{arrays}.asList((Object) null)"));
        }
        Some(format!("{arrays}.asList({})", texts.join(", ")))
    }

    fn set_text(&mut self, heap: &Heap, elements: &[Value]) -> Option<String> {
        if elements.is_empty() {
            return Some(format!("{}.emptySet()", self.class_text("java/util/Collections")));
        }
        let list = self.list_text(heap, elements)?;
        let set = self.class_text("java/util/HashSet");
        if self.java >= 8 {
            return Some(format!("new {set}<>({list})"));
        }
        Some(format!("new {set}<Object>({})", list.replacen(".asList", ".<Object>asList", 1)))
    }
}
