//! Short names for methods, fields and predicates.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::dispatch::Dispatch;
use crate::notation::RESERVED;
use crate::rule::{FieldRef, MethodRef, PredicateId, Procedure};

/// The names that a program's text uses. They depend only on which procedures and dispatches there
/// are, and no two things of a program share one.
#[derive(Debug, Default)]
pub struct Names<'a> {
    methods: FxHashMap<&'a MethodRef, Box<str>>,
    fields: FxHashMap<&'a FieldRef, Box<str>>,
    /// By procedure, then predicate.
    predicates: Vec<Vec<Box<str>>>,
}

/// What is written for something that has no name here: only a malformed procedure refers to it.
const UNKNOWN: &str = "?";

impl<'a> Names<'a> {
    /// Names for everything that these mention.
    pub fn of(procedures: &[&'a Procedure], dispatches: &[&'a Dispatch]) -> Names<'a> {
        let mut methods: BTreeMap<&str, Vec<&MethodRef>> = BTreeMap::new();
        let mut fields: BTreeMap<&str, Vec<&FieldRef>> = BTreeMap::new();
        let mut add = |method: &'a MethodRef| {
            methods.entry(shown(method)).or_default().push(method);
        };
        for procedure in procedures {
            add(&procedure.method);
            procedure.tables.methods.entries().iter().for_each(&mut add);
            for field in procedure.tables.fields.entries() {
                fields.entry(&field.name).or_default().push(field);
            }
        }
        for dispatch in dispatches {
            add(&dispatch.method);
            dispatch.cases.iter().for_each(|(_, method)| add(method));
        }

        let mut names = Names::default();
        let mut taken = Taken::default();
        for (shown, group) in methods {
            let reserved = RESERVED.contains(&shown);
            names.methods.extend(name_group(group, reserved, method_candidate, &mut taken));
        }
        // Fields are written where no method can be, so that they may have the same names.
        let mut taken_by_fields = Taken::default();
        for group in fields.into_values() {
            let named = name_group(group, false, field_candidate, &mut taken_by_fields);
            names.fields.extend(named);
        }
        names.name_predicates(procedures, &mut taken);
        names
    }

    /// The functor of a method: its simple name if no other method has that, else with its class
    /// (without the package if that is enough), else with its descriptor as well. `<init>` and
    /// `<clinit>` are `init` and `clinit`, unless there are methods of that name.
    pub fn method(&self, method: &MethodRef) -> &str {
        self.methods.get(method).map_or(UNKNOWN, |name| name)
    }

    /// The name of a field, along the same lines.
    pub fn field(&self, field: &FieldRef) -> &str {
        self.fields.get(field).map_or(UNKNOWN, |name| name)
    }

    /// The functor of a predicate of the procedure with this number: for the entry that of the
    /// method, else the predicate's own name if nothing else has that in the program.
    pub fn predicate(&self, procedure: usize, predicate: PredicateId) -> &str {
        self.predicates
            .get(procedure)
            .and_then(|predicates| predicates.get(predicate.index()))
            .map_or(UNKNOWN, |name| name)
    }

    fn name_predicates(&mut self, procedures: &[&'a Procedure], taken: &mut Taken) {
        let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
        for procedure in procedures {
            for predicate in procedure.predicates.iter().skip(1) {
                *counts.entry(&predicate.name).or_default() += 1;
            }
        }
        for procedure in procedures {
            let functor: Box<str> = self.method(&procedure.method).into();
            let mut names = Vec::with_capacity(procedure.predicates.len());
            for predicate in procedure.predicates.iter().skip(1) {
                let unique = counts.get(&*predicate.name) == Some(&1);
                let free = !RESERVED.contains(&&*predicate.name) && !taken.has(&predicate.name);
                names.push(if unique && free {
                    taken.claim(predicate.name.to_string())
                } else {
                    taken.claim(qualified(&functor, &procedure.method, &predicate.name))
                });
            }
            if !procedure.predicates.is_empty() {
                names.insert(0, functor);
            }
            self.predicates.push(names);
        }
    }
}

/// `'Vector.add_loop_0'` for predicate `add_loop_0` of `'Vector.add'`.
fn qualified(functor: &str, method: &MethodRef, predicate: &str) -> String {
    match functor.strip_suffix(shown(method)) {
        Some(class) if !class.is_empty() => format!("{class}{predicate}"),
        _ => format!("{functor}.{predicate}"),
    }
}

/// The method's name without the brackets that it would have to be quoted for.
fn shown(method: &MethodRef) -> &str {
    match &*method.name {
        "<init>" => "init",
        "<clinit>" => "clinit",
        name => name,
    }
}

fn simple(class: &str) -> &str {
    class.rsplit('/').next().unwrap_or(class)
}

/// The names that a method can have, the shortest first.
fn method_candidate(method: &MethodRef, level: usize) -> Option<String> {
    let (class, shown, descriptor) = (&method.class, shown(method), &method.descriptor);
    Some(match level {
        0 => shown.to_string(),
        1 => format!("{}.{shown}", simple(class)),
        2 => format!("{class}.{shown}"),
        3 => format!("{}.{shown}{descriptor}", simple(class)),
        4 => format!("{class}.{shown}{descriptor}"),
        5 => method.to_string(),
        _ => return None,
    })
}

/// The names that a field can have, the shortest first.
fn field_candidate(field: &FieldRef, level: usize) -> Option<String> {
    let (class, name) = (&field.class, &field.name);
    Some(match level {
        0 => name.to_string(),
        1 => format!("{}.{name}", simple(class)),
        2 => format!("{class}.{name}"),
        3 => format!("{class}.{name}:{}", field.descriptor),
        _ => return None,
    })
}

/// Gives each member of a group with the same simple name the first candidate that is no other
/// member's candidate of this length.
fn name_group<'a, T: Ord>(
    mut group: Vec<&'a T>,
    reserved: bool,
    candidate: fn(&T, usize) -> Option<String>,
    taken: &mut Taken,
) -> Vec<(&'a T, Box<str>)> {
    group.sort_unstable();
    group.dedup();
    let mut named: Vec<Option<Box<str>>> = vec![None; group.len()];
    let mut level = usize::from(reserved);
    while named.contains(&None) {
        let mut members: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut is_last = false;
        for (index, member) in group.iter().enumerate() {
            is_last = candidate(member, level + 1).is_none();
            let name = candidate(member, level).unwrap_or_default();
            members.entry(name).or_default().push(index);
        }
        for (name, members) in members {
            if members.len() > 1 && !is_last {
                continue;
            }
            for member in members {
                if named[member].is_none() {
                    named[member] = Some(taken.claim(name.clone()));
                }
            }
        }
        level += 1;
    }
    group.into_iter().zip(named.into_iter().flatten()).collect()
}

/// Names in use. Java's own names never collide once they are qualified, but a malformed procedure
/// can hold any text.
#[derive(Default)]
struct Taken(FxHashSet<Box<str>>);

impl Taken {
    fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    /// The name, or the name with the first number that makes it new.
    fn claim(&mut self, name: String) -> Box<str> {
        let name: Box<str> = if self.has(&name) {
            (2..)
                .map(|number| format!("{name}_{number}"))
                .find(|numbered| !self.has(numbered))
                .unwrap_or(name)
                .into()
        } else {
            name.into()
        };
        self.0.insert(name.clone());
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(class: &str, name: &str, descriptor: &str) -> MethodRef {
        MethodRef { class: class.into(), name: name.into(), descriptor: descriptor.into() }
    }

    /// The names of these methods in the presence of each other.
    fn check(methods: &[((&str, &str, &str), &str)]) {
        let references: Vec<MethodRef> = methods
            .iter()
            .map(|((class, name, descriptor), _)| method(class, name, descriptor))
            .collect();
        let dispatches: Vec<Dispatch> = references
            .iter()
            .map(|reference| Dispatch { method: reference.clone(), cases: Vec::new() })
            .collect();
        let names = Names::of(&[], &dispatches.iter().collect::<Vec<_>>());
        for (reference, (_, name)) in references.iter().zip(methods) {
            assert_eq!(names.method(reference), *name);
        }
    }

    #[test]
    fn names_are_as_short_as_they_can_be() {
        check(&[
            (("Lcm", "gcd", "(II)I"), "gcd"),
            (("Vector", "<init>", "()V"), "Vector.init"),
            (("java/lang/Object", "<init>", "()V"), "Object.init"),
            (("Vector", "<clinit>", "()V"), "clinit"),
        ]);
    }

    #[test]
    fn packages_and_descriptors_tell_methods_apart() {
        check(&[
            (("p/A", "f", "()V"), "p/A.f"),
            (("q/A", "f", "()V"), "q/A.f"),
            (("B", "f", "()V"), "B.f"),
            (("C", "f", "(I)V"), "C.f(I)V"),
            (("C", "f", "(J)V"), "C.f(J)V"),
            (("p/D", "f", "(I)V"), "p/D.f(I)V"),
            (("p/D", "f", "(J)V"), "D.f(J)V"),
            (("q/D", "f", "(I)V"), "q/D.f"),
        ]);
    }

    #[test]
    fn a_constructor_differs_from_a_method_of_its_name() {
        check(&[(("A", "<init>", "()V"), "A.<init>()V"), (("A", "init", "()V"), "A.init()V")]);
    }

    #[test]
    fn literals_keep_their_names() {
        check(&[(("A", "string", "()V"), "A.string"), (("A", "rem", "()V"), "rem")]);
    }

    #[test]
    fn texts_that_are_no_java_names_still_differ() {
        check(&[
            (("a", "b.c", "()V"), "b.c"),
            (("b", "c", "()V"), "b.c_2"),
            (("d", "c", "()V"), "d.c"),
        ]);
    }

    #[test]
    fn what_nobody_mentions_has_no_name() {
        assert_eq!(Names::default().method(&method("A", "f", "()V")), "?");
    }
}
