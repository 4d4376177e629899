//! The calls that build an object, as text.

use crate::{Call, Value};

impl Call {
    /// An object that a call makes, and what is called on it then: `new pkg.Class(1) add("a") add(null)`, or
    /// `pkg.Class.of(1)` if a factory makes it.
    pub fn building_text(
        by: &Call,
        calls: &[Call],
        mut argument: impl FnMut(Value) -> String,
    ) -> String {
        let class = by.class.replace('/', ".");
        let mut text = match &*by.name {
            "<init>" => format!("new {class}"),
            name => format!("{class}.{name}"),
        };
        by.push_arguments(&mut text, &mut argument);
        for call in calls {
            text.push(' ');
            text.push_str(&call.name);
            call.push_arguments(&mut text, &mut argument);
        }
        text
    }

    fn push_arguments(&self, text: &mut String, argument: impl FnMut(Value) -> String) {
        let arguments: Vec<String> = self.arguments.iter().copied().map(argument).collect();
        text.push_str(&format!("({})", arguments.join(", ")));
    }
}

#[cfg(test)]
mod tests {
    use crate::{Call, Heap, Value};

    fn call(class: &str, name: &str, arguments: &[Value]) -> Call {
        let (class, name, descriptor) = (class.into(), name.into(), "".into());
        Call { class, name, descriptor, arguments: arguments.to_vec() }
    }

    #[test]
    fn constructors_factories_and_calls_are_told_apart() {
        let mut heap = Heap::new();
        let text = heap.add_string("a");
        let literal = |value| heap.literal(value).unwrap();
        let list = call("java/util/ArrayList", "<init>", &[Value::Int(3)]);
        let add = |value| call("java/util/Collection", "add", &[value]);
        let expected = "new java.util.ArrayList(3) add(\"a\") add(null)";
        assert_eq!(Call::building_text(&list, &[add(text), add(Value::Null)], literal), expected);
        let optional = call("java/util/Optional", "ofNullable", &[text]);
        let expected = "java.util.Optional.ofNullable(\"a\")";
        assert_eq!(Call::building_text(&optional, &[], literal), expected);
        let map = call("java/util/HashMap", "<init>", &[]);
        let put = call("java/util/HashMap", "put", &[text, Value::Null]);
        let expected = "new java.util.HashMap() put(\"a\", null)";
        assert_eq!(Call::building_text(&map, &[put], literal), expected);
    }
}
