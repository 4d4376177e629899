//! Java source as a tree, which is printed once. What has to be known of an expression that is made is asked of its
//! nodes: what stands in its text may be a string of the program under test.
//!
//! There are nodes for what tests write, and no others. Types are text: `types` knows more of them.

use std::fmt::{self, Display, Formatter};

/// An expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum JavaExpression {
    Null,
    /// A primitive value, a string, or a constant such as `Integer.MAX_VALUE`.
    Literal(String),
    /// A local variable or a parameter.
    Variable(String),
    /// A class, in front of its static members.
    Class(String),
    /// `node.next`, `Color.RED`, `Foo.class`.
    Member(Box<JavaExpression>, String),
    /// `ALL[2]`.
    Element(Box<JavaExpression>, u32),
    Cast {
        to: String,
        /// Whether the type is written with type arguments.
        is_generic: bool,
        value: Box<JavaExpression>,
    },
    New {
        /// The object around an object of an inner class.
        outer: Option<Box<JavaExpression>>,
        class: String,
        type_arguments: TypeArguments,
        arguments: Vec<JavaExpression>,
    },
    Call {
        /// `None` for methods of the test class and for assertions.
        on: Option<Box<JavaExpression>>,
        /// The one that is written: `Arrays.<Object>asList(1)`.
        type_argument: Option<String>,
        method: String,
        arguments: Vec<JavaExpression>,
    },
    /// `new int[] {1, 2}`.
    Array {
        component: String,
        elements: Vec<JavaExpression>,
    },
    /// `new int[2][]`.
    EmptyArray {
        /// What has no brackets: `int`.
        element: String,
        length: usize,
        /// How many pairs of brackets there are besides the one of the length.
        n_more: usize,
    },
    /// A lambda or an anonymous class. It is the value of a variable, and nothing is asked of what is in it.
    Function(String),
}

/// The type arguments of a `new`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TypeArguments {
    None,
    /// `<>`.
    Inferred,
    Written(Vec<String>),
}

impl JavaExpression {
    pub(crate) fn variable(name: &str) -> JavaExpression {
        Self::Variable(name.to_owned())
    }

    /// A field, or what is written like one.
    pub(crate) fn member(self, name: &str) -> JavaExpression {
        Self::Member(Box::new(self), name.to_owned())
    }

    /// An element of an array.
    pub(crate) fn element(self, index: u32) -> JavaExpression {
        Self::Element(Box::new(self), index)
    }

    /// Cast to a type without type arguments.
    pub(crate) fn cast(self, to: &str) -> JavaExpression {
        Self::Cast { to: to.to_owned(), is_generic: false, value: Box::new(self) }
    }

    /// A call on an object or a class.
    pub(crate) fn call(self, method: &str, arguments: Vec<JavaExpression>) -> JavaExpression {
        self.generic_call(None, method, arguments)
    }

    /// The same, where a type argument may be written.
    pub(crate) fn generic_call(
        self,
        type_argument: Option<String>,
        method: &str,
        arguments: Vec<JavaExpression>,
    ) -> JavaExpression {
        let (on, method) = (Some(Box::new(self)), method.to_owned());
        Self::Call { on, type_argument, method, arguments }
    }

    /// A call of a method that needs no receiver.
    pub(crate) fn own_call(method: &str, arguments: Vec<JavaExpression>) -> JavaExpression {
        Self::Call { on: None, type_argument: None, method: method.to_owned(), arguments }
    }

    /// A `new` without type arguments.
    pub(crate) fn new(class: String, arguments: Vec<JavaExpression>) -> JavaExpression {
        let type_arguments = TypeArguments::None;
        Self::New { outer: None, class, type_arguments, arguments }
    }

    /// An object of an inner class.
    pub(crate) fn new_inner(self, class: &str, arguments: Vec<JavaExpression>) -> JavaExpression {
        Self::New {
            outer: Some(Box::new(self)),
            class: class.to_owned(),
            type_arguments: TypeArguments::None,
            arguments,
        }
    }

    /// Whether javac has to find type arguments somewhere in it.
    pub(crate) fn infers_type_arguments(&self) -> bool {
        let infers = matches!(self, Self::New { type_arguments: TypeArguments::Inferred, .. });
        infers || self.parts().into_iter().any(JavaExpression::infers_type_arguments)
    }

    /// Whether there are type arguments somewhere in it, be they written or inferred.
    pub(crate) fn has_type_arguments(&self) -> bool {
        let has = match self {
            Self::New { type_arguments, .. } => *type_arguments != TypeArguments::None,
            Self::Cast { is_generic, .. } => *is_generic,
            Self::Call { type_argument, .. } => type_argument.is_some(),
            _ => false,
        };
        has || self.parts().into_iter().any(JavaExpression::has_type_arguments)
    }

    /// The variables in it.
    pub(crate) fn variables(&self) -> Vec<&str> {
        match self {
            Self::Variable(name) => vec![name],
            _ => self.parts().into_iter().flat_map(JavaExpression::variables).collect(),
        }
    }

    /// The expressions that it is made of.
    fn parts(&self) -> Vec<&JavaExpression> {
        match self {
            Self::Null
            | Self::Literal(_)
            | Self::Variable(_)
            | Self::Class(_)
            | Self::EmptyArray { .. }
            | Self::Function(_) => Vec::new(),
            Self::Member(of, _) | Self::Element(of, _) => vec![of],
            Self::Cast { value, .. } => vec![value],
            Self::New { outer: on, arguments, .. } | Self::Call { on, arguments, .. } => {
                on.as_deref().into_iter().chain(arguments).collect()
            }
            Self::Array { elements, .. } => elements.iter().collect(),
        }
    }
}

impl Display for JavaExpression {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Literal(text)
            | Self::Variable(text)
            | Self::Class(text)
            | Self::Function(text) => f.write_str(text),
            Self::Member(of, name) => write!(f, "{}.{name}", Receiver(of)),
            Self::Element(of, index) => write!(f, "{}[{index}]", Receiver(of)),
            Self::Cast { to, value, .. } => write!(f, "({to}) {value}"),
            Self::New { outer, class, type_arguments, arguments } => {
                if let Some(outer) = outer {
                    write!(f, "{}.", Receiver(outer))?;
                }
                write!(f, "new {class}{type_arguments}({})", joined(arguments))
            }
            Self::Call { on, type_argument, method, arguments } => {
                if let Some(on) = on {
                    write!(f, "{}.", Receiver(on))?;
                }
                if let Some(type_argument) = type_argument {
                    write!(f, "<{type_argument}>")?;
                }
                write!(f, "{method}({})", joined(arguments))
            }
            Self::Array { component, elements } => {
                write!(f, "new {component}[] {{{}}}", joined(elements))
            }
            Self::EmptyArray { element, length, n_more } => {
                write!(f, "new {element}[{length}]{}", "[]".repeat(*n_more))
            }
        }
    }
}

impl Display for TypeArguments {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            TypeArguments::None => Ok(()),
            TypeArguments::Inferred => f.write_str("<>"),
            TypeArguments::Written(arguments) => write!(f, "<{}>", arguments.join(", ")),
        }
    }
}

/// What a dot follows: it binds tighter than a cast.
struct Receiver<'e>(&'e JavaExpression);

impl Display for Receiver<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            cast @ JavaExpression::Cast { .. } => write!(f, "({cast})"),
            other => other.fmt(f),
        }
    }
}

fn joined(expressions: &[JavaExpression]) -> String {
    let texts: Vec<String> = expressions.iter().map(ToString::to_string).collect();
    texts.join(", ")
}

/// A statement of a test method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Statement {
    /// Steps of four columns.
    pub(crate) depth: usize,
    pub(crate) form: Form,
}

/// What is kept of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Form {
    /// Lines that nothing changes any more; they need not be a whole statement, and may be a comment.
    Text(String),
    Declaration(Declaration),
}

/// A local variable with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Declaration {
    pub(crate) is_final: bool,
    pub(crate) of: String,
    pub(crate) name: String,
    pub(crate) value: JavaExpression,
}

impl Statement {
    /// The lines of the source, indented.
    pub(crate) fn lines(&self) -> Vec<String> {
        let text = self.form.to_string();
        let indented = text.lines().map(|line| {
            let indent = if line.is_empty() { 0 } else { 4 * self.depth };
            format!("{:indent$}{line}", "")
        });
        indented.collect()
    }
}

impl Display for Form {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Form::Text(text) => f.write_str(text),
            Form::Declaration(Declaration { is_final, of, name, value }) => {
                let modifier = if *is_final { "final " } else { "" };
                write!(f, "{modifier}{of} {name} = {value};")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> JavaExpression {
        JavaExpression::Literal(format!("\"{text}\""))
    }

    #[test]
    fn only_casts_need_parentheses_in_front_of_a_dot() {
        let cast = || JavaExpression::variable("x").cast("Foo");
        let check = |expression: JavaExpression, expected| {
            assert_eq!(expression.to_string(), expected);
        };
        check(cast(), "(Foo) x");
        check(cast().cast("Object"), "(Object) (Foo) x");
        check(cast().member("size"), "((Foo) x).size");
        check(cast().call("get", vec![cast()]), "((Foo) x).get((Foo) x)");
        check(cast().new_inner("Bar", Vec::new()), "((Foo) x).new Bar()");
        check(text("(").call("length", Vec::new()), "\"(\".length()");
        let new = JavaExpression::new("Foo".to_owned(), vec![JavaExpression::Null]);
        check(new.call("get", Vec::new()), "new Foo(null).get()");
        let matrix = JavaExpression::EmptyArray { element: "int".to_owned(), length: 3, n_more: 1 };
        check(matrix, "new int[3][]");
    }

    #[test]
    fn type_arguments_are_found_in_every_part_and_in_no_text() {
        let new = |type_arguments| JavaExpression::New {
            outer: None,
            class: "List".to_owned(),
            type_arguments,
            arguments: vec![text("<>")],
        };
        let check = |part: JavaExpression, has: bool, infers: bool| {
            let array = JavaExpression::Array { component: "T".to_owned(), elements: vec![part] };
            let call = JavaExpression::variable("x").call("add", vec![text("<"), array]);
            let answers = (call.has_type_arguments(), call.infers_type_arguments());
            assert_eq!(answers, (has, infers), "{call}");
        };
        check(new(TypeArguments::None), false, false);
        check(new(TypeArguments::Inferred), true, true);
        check(new(TypeArguments::Written(vec!["T".to_owned()])), true, false);
        let (to, value) = ("List<T>".to_owned(), Box::new(JavaExpression::Null));
        check(JavaExpression::Cast { to, is_generic: true, value }, true, false);
    }

    #[test]
    fn variables_are_no_classes() {
        let boxed = JavaExpression::Class("Foo".to_owned()).call("of", vec![text("y")]);
        let all = JavaExpression::variable("x").member("next").call("add", vec![boxed]);
        assert_eq!(all.variables(), ["x"]);
    }
}
