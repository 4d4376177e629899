//! Input objects that are not made of unknown fields: strings, boxes, objects of the class library, stubs.
//!
//! What a JDK keeps in its objects is its own affair, and most combinations of its fields are no object at
//! all. So an unknown of such a type refers to an object that is *made*: there is one from the start, but
//! nothing is in it ([`Body::Unmade`]). When code looks inside, it is opened: a string gets unknown units, a
//! box an unknown number, and anything else is built by its own constructor and calls of `add` or `put` on
//! unknown elements. Whether a reference is null, or which of several made objects it is, are terms as for
//! constants of an enum.

mod boxes;
mod build;
mod data;
mod large;
mod names;
mod opening;
mod recipes;
mod static_types;
mod stubs;
mod texts;

use std::ops::Range;
use std::rc::Rc;

use petrel_expression::Expression;
use petrel_heap::ClassId;
use petrel_solver::Expr;
use smallvec::SmallVec;

use super::unknown::AnswerOrigin;
use crate::library::Text;
use crate::library::natives::Settings;
use crate::machine::{Extent, MethodNumber, Reference, TypeId, Value};

pub(crate) use data::{Argument, FOR_NAME, Outline, primitive_datum};
pub(super) use recipes::{Elements, Recipe, recipes, recipes_of_project, usual_classes};
pub(super) use static_types::StaticTypes;
pub(super) use stubs::Stub;
pub(crate) use texts::Look;

/// An input object that is made, by its number: they are made in the order of the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MadeId(u32);

/// An input object that is made.
#[derive(Debug, Clone)]
pub(super) struct Made {
    pub(super) object: Reference,
    /// The access path that leads to it.
    pub(crate) name: Expression,
    pub(super) origin: Origin,
    /// Its static type, and the type arguments of that.
    pub(super) of: TypeId,
    pub(super) arguments: Rc<[ClassId]>,
    /// Whether objects of its static type have other classes, which are not tried.
    pub(super) classes: Extent,
    /// Whether objects of its class may have other contents.
    pub(super) contents: Extent,
    /// Objects that were made before, and that whoever refers to it may refer to instead.
    pub(super) instead: Rc<[Reference]>,
}

/// How an object is made.
#[derive(Debug, Clone)]
pub(super) enum Origin {
    /// It is a string.
    Text,
    /// It is a box of a primitive type.
    Box(TypeId),
    /// Its class's own code makes it.
    Built(Rc<Recipe>),
    /// It implements an interface or an abstract class by answers.
    Stub(Rc<stubs::Stub>),
}

/// Something that was decided about a made object, in the order of time.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// The object, by its number.
    pub(crate) of: MadeId,
    pub(super) what: PartKind,
}

#[derive(Debug, Clone)]
pub(super) enum PartKind {
    /// The contents of a string.
    Text(Rc<Text>),
    /// What is in a box.
    Number(Expr),
    /// The arguments of the call that makes it, before it is made, and how many constraints there were.
    Prepared(Arguments, usize),
    /// How many elements it has.
    Size(Expr),
    /// How many elements are tried, if all are looked at.
    Sizes(Rc<[u32]>),
    /// It was made, or something was called on it, with these arguments.
    Call(Call, Arguments),
    /// A method of a stub, by its place, returned this.
    Answer(usize, Value),
    /// A comparator gives this rank to an object.
    Rank(Value, Expr),
}

/// A call of a recipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Call {
    Make,
    /// By its place in the recipe.
    Then(usize),
    Add,
}

/// What the world outside answered to a call.
#[derive(Debug, Clone)]
pub(super) struct OutsideAnswer {
    pub(super) method: MethodNumber,
    pub(super) value: Value,
    pub(super) of: TypeId,
    pub(super) origin: AnswerOrigin,
    pub(super) question: Question,
}

/// What the world outside was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Question {
    /// Something that has another answer each time.
    Anew,
    /// What a setting says, by its name.
    Setting(Settings, Box<str>),
    /// The identity hash code of an object.
    IdentityHash(Value),
}

impl Question {
    /// The name of what is asked for, if the method takes it as its argument.
    pub(super) fn key(&self, descriptor: &str) -> Option<&str> {
        match self {
            Question::Setting(_, name) if !descriptor.starts_with("()") => Some(name),
            _ => None,
        }
    }
}

/// What constraints are about that say nothing about the program's own code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aside {
    /// How an input is built.
    Building,
    /// What the class library does inside.
    Library,
    /// Which answers of the machine there are.
    Machine,
}

/// Arguments of a call.
pub(super) type Arguments = SmallVec<[Value; 2]>;

/// All input objects that are made, and what was decided about them.
#[derive(Debug, Default)]
pub(super) struct MadeInputs {
    all: Vec<Made>,
    parts: Vec<Part>,
    /// References to the initial heap and their identity hash codes.
    hashed: Vec<(Expr, i32)>,
    /// What the world outside has answered, in the order of the calls.
    pub(super) answers: Vec<OutsideAnswer>,
    /// What unknown objects of more classes than are tried were checked for, where those that are tried differ.
    pub(super) checked: Vec<(Expr, TypeId)>,
    /// Constraints that are about how objects are built, or what the class library does inside, by their numbers.
    asides: Vec<(Range<usize>, Aside)>,
}

/// A state that can be gone back to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    all: usize,
    parts: usize,
    hashed: usize,
    answers: usize,
    checked: usize,
    asides: usize,
}

impl MadeInputs {
    pub(super) fn add(&mut self, made: Made) {
        self.all.push(made);
    }

    /// The objects that were made so far.
    pub(super) fn objects(&self) -> impl DoubleEndedIterator<Item = Reference> {
        self.all.iter().map(|made| made.object)
    }

    /// The objects that were made so far, the last one first, and that something is no part of.
    pub(super) fn objects_without(&self, part: &Expression) -> impl Iterator<Item = Reference> {
        let without = self.all.iter().rev().filter(|made| !part.is_within(&made.name));
        without.map(|made| made.object)
    }

    /// Whether whoever refers to one of two objects may refer to the other instead.
    pub(super) fn are_alternatives(&self, one: Reference, other: Reference) -> bool {
        let has = |object: Reference, other: Reference| {
            let number = self.number(object);
            number.is_some_and(|number| self.get(number).instead.contains(&other))
        };
        has(one, other) || has(other, one)
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            all: self.all.len(),
            parts: self.parts.len(),
            hashed: self.hashed.len(),
            answers: self.answers.len(),
            checked: self.checked.len(),
            asides: self.asides.len(),
        }
    }

    pub(super) fn undo(&mut self, mark: Mark) {
        self.all.truncate(mark.all);
        self.parts.truncate(mark.parts);
        self.hashed.truncate(mark.hashed);
        self.answers.truncate(mark.answers);
        self.checked.truncate(mark.checked);
        self.asides.truncate(mark.asides);
    }

    /// Notes constraints that say nothing about the program's own code.
    pub(super) fn note_aside(&mut self, constraints: Range<usize>, of: Aside) {
        self.asides.push((constraints, of));
    }

    /// Whether a constraint says nothing about the program's own code, and what it is about then.
    pub(super) fn aside(&self, constraint: usize) -> Option<Aside> {
        let of = |(range, _): &&(Range<usize>, Aside)| range.contains(&constraint);
        self.asides.iter().find(of).map(|&(_, aside)| aside)
    }

    /// How many objects of the initial heap were asked for their identity hash codes.
    pub(super) fn n_hashed(&self) -> usize {
        self.hashed.len()
    }

    /// The identity hash code of an object of the initial heap: the one given, if it has none yet.
    pub(super) fn identity_hash(&mut self, object: Expr, next: i32) -> i32 {
        if let Some(&(_, known)) = self.hashed.iter().find(|&&(known, _)| known == object) {
            return known;
        }
        self.hashed.push((object, next));
        next
    }

    /// Whether a reference to the initial heap was asked for its identity hash code by the class library.
    pub(super) fn is_hashed(&self, object: Expr) -> bool {
        self.hashed.iter().any(|&(known, _)| known == object)
    }

    /// The objects whose identity hash codes are answers of the machine, with these.
    pub(super) fn hashes_answered(&self) -> impl Iterator<Item = (Value, Value)> {
        self.answers.iter().filter_map(|answer| match answer.question {
            Question::IdentityHash(object) => Some((object, answer.value)),
            _ => None,
        })
    }

    /// The number of an object, if it is a made input.
    pub(crate) fn number(&self, object: Reference) -> Option<MadeId> {
        // The newest are asked for most.
        let number = self.all.iter().rposition(|made| made.object == object);
        number.map(|number| MadeId(number as u32))
    }

    /// The access path that an object was made for, if it is a made input.
    pub(super) fn name_of(&self, object: Reference) -> Option<&Expression> {
        self.number(object).map(|number| &self.get(number).name)
    }

    fn get(&self, number: MadeId) -> &Made {
        &self.all[number.0 as usize]
    }

    fn note(&mut self, of: MadeId, what: PartKind) {
        self.parts.push(Part { of, what });
    }

    /// What was decided about an object.
    fn parts(&self, of: MadeId) -> impl Iterator<Item = &PartKind> {
        self.parts.iter().filter(move |part| part.of == of).map(|part| &part.what)
    }

    /// The contents of a string, as far as somebody has looked at them.
    fn text_of(&self, of: MadeId) -> Option<&Rc<Text>> {
        let texts = self.parts(of).filter_map(|part| match part {
            PartKind::Text(text) => Some(text),
            _ => None,
        });
        texts.last()
    }

    /// The lengths of strings that are inputs.
    pub(crate) fn text_lengths(&self) -> impl Iterator<Item = Expr> {
        self.parts.iter().filter_map(|part| match &part.what {
            PartKind::Text(text) => Some(text.length),
            _ => None,
        })
    }

    /// The units of strings that are inputs.
    pub(crate) fn units(&self) -> Vec<Expr> {
        let texts = self.parts.iter().filter_map(|part| match &part.what {
            PartKind::Text(text) => Some(&text.units),
            _ => None,
        });
        texts.flat_map(|units| units.iter().copied()).collect()
    }

    /// The values that are kept.
    pub(super) fn for_each_value(&self, mut visit: impl FnMut(Value)) {
        for made in &self.all {
            visit(Value::reference(made.object));
        }
        self.answers.iter().for_each(|answer| visit(answer.value));
        self.hashes_answered().for_each(|(object, _)| visit(object));
        for part in &self.parts {
            match &part.what {
                PartKind::Call(_, arguments) | PartKind::Prepared(arguments, _) => {
                    arguments.iter().copied().for_each(&mut visit)
                }
                PartKind::Answer(_, value) | PartKind::Rank(value, _) => visit(*value),
                PartKind::Text(_)
                | PartKind::Number(_)
                | PartKind::Size(_)
                | PartKind::Sizes(_) => {}
            }
        }
    }
}
