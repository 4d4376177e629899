//! Java expressions over the names of a program, as data: what unknown inputs and terms are called, and what a path
//! demands of them.
//!
//! Terms of the solver die with their path and have no names of their own. An [`Expression`] outlives the path: it is
//! shared, not copied, and whoever tells it to people prints it once (`Display`), while whoever reasons about it (which
//! conditions follow from others, what a test is named) looks at its nodes, never at its text.

mod print;
mod seen;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::fmt::{self, Write};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use petrel_clp::{Comparison, Operation};
pub use print::cast;
pub use seen::Seen;

/// A Java expression, or a term of the engine that has none.
#[derive(Debug, Clone)]
pub struct Expression(Arc<Node>);

/// What an expression is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Node {
    /// A parameter, `this`, or a class.
    Name(Box<str>),
    /// A field, or another part that has a name.
    Member(Expression, Box<str>),
    /// An element of an array.
    Element(Expression, Expression),
    /// A call of an instance method.
    Call(Expression, Box<str>, Box<[Expression]>),
    /// A call of a static method: the simple name of the class, and the method.
    StaticCall(Box<str>, Box<str>, Box<[Expression]>),
    /// What is made of several values: the arguments of a constructor, without its name.
    Several(Box<[Expression]>),
    /// Strings behind one another.
    Concatenation(Expression, Expression),
    /// A number.
    Number(Number),
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A character by its code unit.
    Character(u16),
    /// A string by its code units.
    Text(Box<[u16]>),
    /// A class literal, by the name of the class.
    Class(Box<str>),
    /// An operation; the second operand of a unary one is missing.
    Apply(Operation, Expression, Option<Expression>),
    /// `Math.fma`.
    MultiplyAdd([Expression; 3]),
    /// A comparison.
    Compare(Comparison, Expression, Expression),
    /// A negation.
    Not(Expression),
    /// One of several holds.
    Any(Box<[Expression]>),
    /// All of several hold.
    All(Box<[Expression]>),
    /// Whether an object is an instance of a type, by the type's name.
    IsA(Expression, Box<str>),
    /// `condition ? then : otherwise`.
    Choose(Expression, Expression, Expression),
    /// A new object of the path, by its number.
    NewObject(u32),
    /// An object that is none of the inputs.
    SomeNew,
    /// What is said of a value by the engine alone.
    Engine(Engine),
}

/// What has no Java expression.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Engine {
    /// An element of a table of the engine, of which only the first elements may be shown.
    Table {
        /// The elements.
        elements: Box<[Expression]>,
        /// Whether there are more.
        has_more: bool,
        /// The index.
        index: Expression,
    },
    /// 1 if a condition holds, else 0.
    Truth(Expression),
    /// Which of two families an unknown reference belongs to.
    Origin(Expression),
    /// The number of a class of an object.
    ClassOf(Expression),
    /// A value that an assumption speaks of, by its number.
    Ghost(Expression, u32),
    /// What a stub answers: the stub, the method, and the number of the call.
    Answer(Expression, Box<str>, u32),
    /// A value that nothing can be said about.
    Opaque,
    /// A part that is left out, because the whole is too long.
    LeftOut,
}

/// A number, with the kind that decides how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Number {
    /// An `int`, or something narrower.
    Int(i64),
    /// A `long`.
    Long(i64),
    /// A `float`, by its bits.
    Float(u32),
    /// A `double`, by its bits.
    Double(u64),
}

impl Expression {
    /// An expression of a node.
    pub fn new(node: Node) -> Expression {
        Expression(Arc::new(node))
    }

    /// A parameter, `this`, or a class.
    pub fn name(name: &str) -> Expression {
        Expression::new(Node::Name(name.into()))
    }

    /// An `int`.
    pub fn int(value: i64) -> Expression {
        Expression::new(Node::Number(Number::Int(value)))
    }

    /// What it is.
    pub fn node(&self) -> &Node {
        &self.0
    }

    /// Whether it is one and the same as another, not only equal.
    pub fn is_shared_with(&self, other: &Expression) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// A field of it, or another part that has a name.
    pub fn member(&self, name: &str) -> Expression {
        Expression::new(Node::Member(self.clone(), name.into()))
    }

    /// An element of it.
    pub fn element(&self, index: Expression) -> Expression {
        Expression::new(Node::Element(self.clone(), index))
    }

    /// Whether it is another expression, or one of its fields and elements, at any depth.
    pub fn is_within(&self, whole: &Expression) -> bool {
        self == whole
            || match self.node() {
                Node::Member(of, _) | Node::Element(of, _) => of.is_within(whole),
                _ => false,
            }
    }

    /// A call of one of its methods.
    pub fn call(&self, method: &str, arguments: Vec<Expression>) -> Expression {
        Expression::new(Node::Call(self.clone(), method.into(), arguments.into()))
    }

    /// Its negation.
    #[expect(clippy::should_implement_trait, reason = "it is a constructor, as the others are")]
    pub fn not(self) -> Expression {
        Expression::new(Node::Not(self))
    }

    /// A term of the engine.
    pub fn engine(engine: Engine) -> Expression {
        Expression::new(Node::Engine(engine))
    }

    /// The parts that it is made of, in the order in which they are written.
    pub fn parts(&self) -> Vec<&Expression> {
        match self.node() {
            Node::Name(_)
            | Node::Number(_)
            | Node::Null
            | Node::Boolean(_)
            | Node::Character(_)
            | Node::Text(_)
            | Node::Class(_)
            | Node::NewObject(_)
            | Node::SomeNew
            | Node::Engine(Engine::Opaque | Engine::LeftOut) => Vec::new(),
            Node::Member(of, _) | Node::Not(of) | Node::IsA(of, _) => vec![of],
            Node::Element(first, second)
            | Node::Concatenation(first, second)
            | Node::Compare(_, first, second)
            | Node::Apply(_, first, Some(second)) => vec![first, second],
            Node::Apply(_, only, None) => vec![only],
            Node::Call(on, _, arguments) => [on].into_iter().chain(arguments).collect(),
            Node::StaticCall(_, _, several)
            | Node::Several(several)
            | Node::Any(several)
            | Node::All(several) => several.iter().collect(),
            Node::MultiplyAdd(operands) => operands.iter().collect(),
            Node::Choose(condition, then, otherwise) => vec![condition, then, otherwise],
            Node::Engine(
                Engine::Truth(of)
                | Engine::Origin(of)
                | Engine::ClassOf(of)
                | Engine::Ghost(of, _)
                | Engine::Answer(of, ..),
            ) => vec![of],
            Node::Engine(Engine::Table { elements, index, .. }) => {
                elements.iter().chain([index]).collect()
            }
        }
    }

    /// Whether it is written with no more than so many characters.
    pub fn fits(&self, most: usize) -> bool {
        struct Room(usize);
        impl Write for Room {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                self.0 = self.0.checked_sub(text.len()).ok_or(fmt::Error)?;
                Ok(())
            }
        }
        write!(Room(most), "{self}").is_ok()
    }

    /// The same expression with other parts in the place of some.
    pub fn replaced(&self, other: &dyn Fn(&Node) -> Option<Expression>) -> Expression {
        if let Some(other) = other(self.node()) {
            return other;
        }
        let one = |of: &Expression| of.replaced(other);
        let all = |all: &[Expression]| -> Box<[Expression]> { all.iter().map(one).collect() };
        let node = match self.node() {
            Node::Member(of, name) => Node::Member(one(of), name.clone()),
            Node::Element(of, index) => Node::Element(one(of), one(index)),
            Node::Call(on, method, passed) => Node::Call(one(on), method.clone(), all(passed)),
            Node::StaticCall(class, method, passed) => {
                Node::StaticCall(class.clone(), method.clone(), all(passed))
            }
            Node::Several(several) => Node::Several(all(several)),
            Node::Concatenation(first, second) => Node::Concatenation(one(first), one(second)),
            Node::Apply(operation, first, second) => {
                Node::Apply(*operation, one(first), second.as_ref().map(one))
            }
            Node::MultiplyAdd([a, b, c]) => Node::MultiplyAdd([one(a), one(b), one(c)]),
            Node::Compare(comparison, left, right) => {
                Node::Compare(*comparison, one(left), one(right))
            }
            Node::Not(of) => Node::Not(one(of)),
            Node::Any(sides) => Node::Any(all(sides)),
            Node::All(sides) => Node::All(all(sides)),
            Node::IsA(of, class) => Node::IsA(one(of), class.clone()),
            Node::Choose(condition, then, otherwise) => {
                Node::Choose(one(condition), one(then), one(otherwise))
            }
            Node::Engine(engine) => Node::Engine(match engine {
                Engine::Table { elements, has_more, index } => {
                    let (elements, index) = (all(elements), one(index));
                    Engine::Table { elements, has_more: *has_more, index }
                }
                Engine::Truth(of) => Engine::Truth(one(of)),
                Engine::Origin(of) => Engine::Origin(one(of)),
                Engine::ClassOf(of) => Engine::ClassOf(one(of)),
                Engine::Ghost(of, number) => Engine::Ghost(one(of), *number),
                Engine::Answer(of, method, number) => {
                    Engine::Answer(one(of), method.clone(), *number)
                }
                Engine::Opaque | Engine::LeftOut => return self.clone(),
            }),
            Node::Name(_)
            | Node::Number(_)
            | Node::Null
            | Node::Boolean(_)
            | Node::Character(_)
            | Node::Text(_)
            | Node::Class(_)
            | Node::NewObject(_)
            | Node::SomeNew => return self.clone(),
        };
        Expression::new(node)
    }

    /// Whether it, or a part of it, is such.
    pub fn has(&self, is_such: &dyn Fn(&Node) -> bool) -> bool {
        let mut left = vec![self];
        while let Some(next) = left.pop() {
            if is_such(next.node()) {
                return true;
            }
            left.extend(next.parts());
        }
        false
    }
}

/// A name.
impl From<&str> for Expression {
    fn from(name: &str) -> Expression {
        Expression::name(name)
    }
}

/// A name.
impl From<String> for Expression {
    fn from(name: String) -> Expression {
        Expression::new(Node::Name(name.into()))
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Expression) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl Eq for Expression {}

impl Hash for Expression {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

/// In the order of what is written.
impl Ord for Expression {
    fn cmp(&self, other: &Expression) -> Ordering {
        self.to_string().cmp(&other.to_string())
    }
}

impl PartialOrd for Expression {
    fn partial_cmp(&self, other: &Expression) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Paths through long lists are long chains: they are taken apart one by one, not by functions that call one another.
impl Drop for Expression {
    fn drop(&mut self) {
        let mut next = take_base(&mut self.0);
        while let Some(mut base) = next {
            next = take_base(&mut base.0);
        }
    }
}

/// The expression that a member or element is a part of, if nobody else holds it.
fn take_base(node: &mut Arc<Node>) -> Option<Expression> {
    match Arc::get_mut(node)? {
        Node::Member(base, _) | Node::Element(base, _) | Node::Call(base, ..) => {
            // Most are shared: then there is nothing to take apart.
            Arc::get_mut(&mut base.0)?;
            Some(std::mem::replace(base, Expression(Arc::new(Node::Null))))
        }
        _ => None,
    }
}
