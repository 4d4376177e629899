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
            names
                .methods
                .extend(name_group(group, reserved, method_candidate, &mut taken));
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

/// Gives each member of a group with the same simple name the first candidate that it shares with
/// no other one.
fn name_group<'a, T: Ord + std::hash::Hash>(
    mut group: Vec<&'a T>,
    reserved: bool,
    candidate: fn(&T, usize) -> Option<String>,
    taken: &mut Taken,
) -> Vec<(&'a T, Box<str>)> {
    group.sort_unstable();
    group.dedup();
    let mut named = Vec::with_capacity(group.len());
    for level in usize::from(reserved).. {
        let mut by_name: BTreeMap<String, Vec<&T>> = BTreeMap::new();
        let mut last_level = false;
        for &member in &group {
            last_level = candidate(member, level + 1).is_none();
            let name = candidate(member, level).unwrap_or_default();
            by_name.entry(name).or_default().push(member);
        }
        // Named members leave the group: those that are left collide with each other only, since
        // a longer name contains the shorter one.
        group.clear();
        for (name, members) in by_name {
            if members.len() == 1 || last_level {
                named.extend(
                    members
                        .into_iter()
                        .map(|member| (member, taken.claim(name.clone()))),
                );
            } else {
                group.extend(members);
            }
        }
        if group.is_empty() {
            break;
        }
    }
    named
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
