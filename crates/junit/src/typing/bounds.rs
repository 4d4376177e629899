//! Type arguments that keep to the bounds of their variables, as javac demands it: `T extends FieldElement<T>` can be
//! a class that is an element of its own field, and never the raw type.

use petrel_program::Hints;
use petrel_program::signature::TypeParameter;

use super::Typing;
use crate::types::{Bindings, Type, bounds_of, view};

/// Classes of the JDK that are what bounds with a variable in them ask for: comparable with themselves, or enums.
const OF_THEIR_OWN_KIND: [&str; 2] = ["java/lang/String", "java/util/concurrent/TimeUnit"];
/// So many classes of the project are tried.
const MOST_TRIED: usize = 8;

impl Typing<'_> {
    /// What a variable stands for if nothing is known of it; `None` if no class is found that keeps to its bounds.
    pub(super) fn any_within(
        &self,
        parameter: &TypeParameter,
        bindings: &Bindings,
    ) -> Option<Type> {
        let bounds = bounds_of(parameter);
        let Some(first) = bounds.first() else { return Some(Type::object()) };
        let bound = first.with(bindings);
        let named = bound.constant_name()?;
        let of_project = self.program().candidates(&named, &self.hints(), MOST_TRIED).classes;
        let classes = OF_THEIR_OWN_KIND.into_iter().map(Type::class);
        let classes = classes.chain(of_project.iter().map(|class| Type::class(class)));
        // The bound itself says most, unless it speaks of the variable. What is comparable is best known by a text.
        let says_most = !bound.is_open() && named != "java/lang/Comparable";
        let itself = says_most.then_some(bound);
        itself.into_iter().chain(classes).find(|chosen| {
            let mut all = bindings.clone();
            all.insert(parameter.name.clone(), chosen.clone());
            chosen.is_named(self.visible)
                && !self.is_raw_type(chosen)
                && self.keeps_to(parameter, &all)
        })
    }

    /// Whether what variables stand for keeps to their bounds.
    pub(super) fn keep_to_bounds(
        &self,
        parameters: &[&TypeParameter],
        bindings: &Bindings,
    ) -> bool {
        parameters.iter().all(|parameter| self.keeps_to(parameter, bindings))
    }

    fn keeps_to(&self, parameter: &TypeParameter, bindings: &Bindings) -> bool {
        let Some(chosen) = bindings.get(&parameter.name) else { return true };
        bounds_of(parameter).iter().all(|bound| self.is_within(chosen, &bound.with(bindings)))
    }

    /// Whether a type is a subtype of another, without the conversions of raw types that javac makes elsewhere.
    fn is_within(&self, of: &Type, bound: &Type) -> bool {
        match (of, bound) {
            (_, Type::Any | Type::Variable(_)) | (Type::Any | Type::Variable(_), _) => true,
            (of, Type::Extends(bound)) => self.is_within(of, bound),
            (of, Type::Super(bound)) => self.is_within(bound, of),
            (Type::Array(of), Type::Array(bound)) => of == bound || self.is_within(of, bound),
            (Type::Class(..), Type::Class(name, wanted)) => {
                let Some(Type::Class(_, given)) = view(self.program(), of, name) else {
                    return *bound == Type::object();
                };
                wanted.is_empty()
                    || given.len() == wanted.len()
                        && given.iter().zip(wanted).all(|(given, wanted)| match wanted {
                            Type::Any | Type::Extends(_) | Type::Super(_) => {
                                self.is_within(given, wanted)
                            }
                            exact => given == exact,
                        })
            }
            (of, bound) => of == bound || *bound == Type::object(),
        }
    }

    fn hints(&self) -> Hints {
        Hints { package: self.visible.package.into(), ..Hints::default() }
    }
}
