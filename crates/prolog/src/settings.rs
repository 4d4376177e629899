//! What a residual generator was made with, as directives and facts.

use petrel_clp::MethodRef;

use crate::clause::{Context, comment};
use crate::names::functor;
use crate::term::Term;

/// What a generation was called with, as far as the exported program has it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    /// The least and the greatest value of integral inputs.
    pub domain: Option<(i64, i64)>,
    /// Whether cases that end in an uncaught exception are left out.
    pub without_exceptions: bool,
    /// Whether no two references are to the same object.
    pub without_aliasing: bool,
    /// Which inputs of a case come first.
    pub label: Labelling,
    /// What is assumed of the inputs.
    pub assumptions: Vec<Assumption>,
    /// Options that the program does not have.
    pub left_out: Vec<String>,
}

/// Which inputs of a case come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Labelling {
    /// Those that are close to zero.
    #[default]
    Readable,
    /// The smallest value for the first unknown.
    First,
    /// The same, the unknown with the fewest values next.
    FirstFail,
}

/// What is assumed of inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Assumption {
    /// It is not null.
    NonNull(Place),
    /// Both are null, or they are different objects.
    NonAliasing(Place, Place),
    /// They are not the same.
    Different(Place, Place),
    /// No object is reached from both.
    NonSharing(Place, Place),
    /// No object that is reached from it reaches itself, along a field and elements of arrays if one is given.
    Acyclic(Place, Option<String>),
}

/// A place of the initial heap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The number of the parameter; `this` is the first.
    pub parameter: usize,
    /// The fields from there on.
    pub fields: Vec<String>,
}

impl Settings {
    /// The directives, and the assumptions as facts for a predicate.
    pub(crate) fn write(&self, predicate: &str, out: &mut String) {
        for option in &self.left_out {
            out.push_str(&format!(
                "% Without {}, which programs for Prolog do not have.\n",
                comment(option)
            ));
        }
        let mut directive = |text: String| out.push_str(&format!(":- {text}.\n"));
        if let Some((low, high)) = self.domain {
            directive(format!("set_domain(({low}) .. ({high}))"));
        }
        if self.without_exceptions {
            directive("set_exceptions(exclude)".to_owned());
        }
        if self.without_aliasing {
            directive("set_aliasing(exclude)".to_owned());
        }
        let label = match self.label {
            Labelling::Readable => "readable",
            Labelling::First => "first",
            Labelling::FirstFail => "ff",
        };
        directive(format!("set_label({label})"));
        for assumption in &self.assumptions {
            let fact = Term::compound("assumption", [Term::atom(predicate), assumption.term()]);
            out.push_str(&format!("{fact}.\n"));
        }
    }
}

impl Assumption {
    fn term(&self) -> Term {
        match self {
            Assumption::NonNull(place) => Term::compound("non_null", [place.term()]),
            Assumption::NonAliasing(left, right) => {
                Term::compound("non_aliasing", [left.term(), right.term()])
            }
            Assumption::Different(left, right) => {
                Term::compound("different", [left.term(), right.term()])
            }
            Assumption::NonSharing(left, right) => {
                Term::compound("non_sharing", [left.term(), right.term()])
            }
            Assumption::Acyclic(place, None) => Term::compound("acyclic", [place.term()]),
            Assumption::Acyclic(place, Some(field)) => {
                Term::compound("acyclic", [place.term(), Term::atom(&**field)])
            }
        }
    }
}

impl Place {
    fn term(&self) -> Term {
        let fields = self.fields.iter().map(|field| Term::atom(&**field));
        Term::List([Term::Integer(self.parameter as i64)].into_iter().chain(fields).collect())
    }
}

/// A derivation that is finished, with the inputs that were found for it.
#[derive(Debug, Clone, PartialEq)]
pub struct FinishedCase {
    /// The arguments, the receiver first; nothing if no fact can state them.
    pub inputs: Option<Vec<Datum>>,
    /// The objects that they refer to.
    pub objects: Vec<Entity>,
    /// What they give: a value, nothing, or the class of an exception.
    pub outcome: Result<Option<Datum>, String>,
}

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Datum {
    /// No object.
    Null,
    /// An integer.
    Number(i64),
    /// A real number.
    Real(f64),
    /// A string.
    Text(String),
    /// A constant of an enum.
    Constant {
        /// The enum.
        class: String,
        /// Its name.
        name: String,
    },
    /// An object of the list, by its index.
    Object(usize),
    /// Some object of a class.
    Of(String),
}

/// An object.
#[derive(Debug, Clone, PartialEq)]
pub enum Entity {
    /// An array of a class.
    Array(String, Vec<Datum>),
    /// An instance of a class: class and name of each field, and what it holds.
    Instance(String, Vec<(String, String, Datum)>),
}

impl Datum {
    fn term(&self) -> Term {
        match self {
            Datum::Null => Term::atom("null"),
            Datum::Number(value) => Term::Integer(*value),
            Datum::Real(value) => Term::Float(*value),
            Datum::Text(text) => Term::Text(text.as_str().into()),
            Datum::Constant { class, name } => {
                Term::infix(Term::atom(&**class), ":", Term::atom(&**name))
            }
            Datum::Object(number) => object(*number),
            Datum::Of(class) => Term::compound("object", [Term::atom(&**class)]),
        }
    }
}

/// The objects of a heap have negative numbers, as those that the runtime makes up.
fn object(number: usize) -> Term {
    Term::compound("r", [Term::Integer(-1 - number as i64)])
}

impl FinishedCase {
    /// The fact; nothing if there is none.
    pub(crate) fn fact(&self, method: &MethodRef, context: &Context<'_>) -> Option<Term> {
        let inputs = self.inputs.as_ref()?.iter().map(Datum::term).collect();
        let objects = self.objects.iter().enumerate().map(|(number, entity)| {
            let described = match entity {
                Entity::Array(class, elements) => Term::compound(
                    "array",
                    [Term::atom(&**class), Term::List(elements.iter().map(Datum::term).collect())],
                ),
                Entity::Instance(class, fields) if fields.is_empty() => Term::atom(&**class),
                Entity::Instance(class, fields) => {
                    let field = |(class, name, value): &(String, String, Datum)| {
                        Term::infix(Term::atom(context.field_of(class, name)), "=", value.term())
                    };
                    Term::compound(&**class, fields.iter().map(field).collect::<Vec<_>>())
                }
            };
            Term::infix(object(number), "=", described)
        });
        let outcome = match &self.outcome {
            Ok(Some(value)) => value.term(),
            Ok(None) => Term::atom("void"),
            Err(class) => Term::compound("throws", [Term::atom(&**class)]),
        };
        let name = functor(context.names.method(method));
        Some(Term::compound(
            "test_case",
            [Term::atom(name), Term::List(inputs), Term::List(objects.collect()), outcome],
        ))
    }
}
