//! What an exported program uses and the runtime does not have: the top of the file says it.

use std::collections::{BTreeMap, BTreeSet};

use petrel_clp::{ArithmeticKind, Callee, FieldRef, Guard, Literal, MethodRef};

use crate::clause::{Context, comment};
use crate::{ClassFacts, Export};

/// Methods of the class library that the runtime has (`runtime/classes.pl`), those of exceptions apart.
const BUILT_IN: [(&str, &str, &str); 17] = [
    ("java/util/Objects", "requireNonNull", "(Ljava/lang/Object;)Ljava/lang/Object;"),
    ("java/lang/Object", "<init>", "()V"),
    ("java/lang/Object", "clone", "()Ljava/lang/Object;"),
    ("java/lang/Object", "equals", "(Ljava/lang/Object;)Z"),
    ("java/lang/Object", "getClass", "()Ljava/lang/Class;"),
    ("java/lang/Record", "<init>", "()V"),
    ("java/lang/Enum", "<init>", "(Ljava/lang/String;I)V"),
    ("java/lang/Enum", "name", "()Ljava/lang/String;"),
    ("java/lang/Enum", "ordinal", "()I"),
    ("java/lang/Math", "abs", "(I)I"),
    ("java/lang/Math", "abs", "(J)J"),
    ("java/lang/Math", "abs", "(F)F"),
    ("java/lang/Math", "abs", "(D)D"),
    ("java/lang/Math", "min", "(II)I"),
    ("java/lang/Math", "max", "(II)I"),
    ("java/lang/Math", "min", "(JJ)J"),
    ("java/lang/Math", "max", "(JJ)J"),
];

/// What exceptions have.
const OF_EXCEPTIONS: [(&str, &str); 9] = [
    ("<init>", "()V"),
    ("<init>", "(Ljava/lang/String;)V"),
    ("<init>", "(Ljava/lang/String;Ljava/lang/Throwable;)V"),
    ("<init>", "(Ljava/lang/Throwable;)V"),
    ("<init>", "(Ljava/lang/Object;)V"),
    ("getMessage", "()Ljava/lang/String;"),
    ("getLocalizedMessage", "()Ljava/lang/String;"),
    ("toString", "()Ljava/lang/String;"),
    ("getCause", "()Ljava/lang/Throwable;"),
];

/// The lines of the comment.
pub(crate) fn lines(export: &Export<'_>, context: &Context<'_>) -> Vec<String> {
    let found = Found::of(export, context);
    let mut lines = Vec::new();
    let mut say = |what: &str, names: BTreeSet<String>| {
        if !names.is_empty() {
            lines.push(format!("%   {what}:"));
            lines.extend(names.iter().map(|name| format!("%     {}", comment(name))));
        }
    };
    say("calls of these methods", found.methods);
    say("reads of these static fields, whose initialisers are not here", found.fields);
    say("what these have", found.features);
    lines
}

#[derive(Default)]
struct Found {
    methods: BTreeSet<String>,
    fields: BTreeSet<String>,
    features: BTreeSet<String>,
}

impl Found {
    fn of(export: &Export<'_>, context: &Context<'_>) -> Found {
        let classes: BTreeMap<&str, &ClassFacts> =
            export.classes.iter().map(|class| (&*class.name, class)).collect();
        let mut found = Found::default();
        let method_called = |method: &MethodRef, found: &mut Found| {
            if !context.is_exported(method) && !is_built_in(method, &classes) {
                found.methods.insert(method.to_string());
            }
        };
        for procedure in export.procedures {
            let place = &procedure.method;
            let feature = |what: &str, found: &mut Found| {
                found.features.insert(format!("{what} in {place}"));
            };
            for rule in procedure.rules() {
                for guard in &rule.guards {
                    if let Guard::Compare { kind, .. } = guard
                        && matches!(kind, ArithmeticKind::Float | ArithmeticKind::Double)
                    {
                        feature("comparisons of unknown real numbers", &mut found);
                    }
                }
                for literal in rule.literals() {
                    match literal {
                        Literal::LoadMethodHandle { .. } => feature("method handles", &mut found),
                        Literal::LoadMethodType { .. } => feature("method types", &mut found),
                        Literal::GetStatic { field, .. } => {
                            let field = procedure.tables.field(*field);
                            if let Some(field) = field.filter(|f| is_unknown(f, &classes, context))
                            {
                                found.fields.insert(format!("{}.{}", field.class, field.name));
                            }
                        }
                        Literal::NewMultiArray { .. } => {
                            feature("arrays of arrays with more than 1000 lengths", &mut found);
                        }
                        Literal::Call(call) => match call.callee {
                            Callee::Initialise(_) => {}
                            Callee::Polymorphic(_) => {
                                feature("signature-polymorphic calls", &mut found);
                            }
                            callee => {
                                let method = callee.method();
                                match method.and_then(|m| procedure.tables.method(m)) {
                                    None => feature("dynamic call sites", &mut found),
                                    Some(method) if !context.dispatched.contains(method) => {
                                        method_called(method, &mut found);
                                    }
                                    // The rules of the dispatch say where it goes.
                                    Some(_) => {}
                                }
                            }
                        },
                        _ => {}
                    }
                }
            }
        }
        for (_, target) in export.dispatches.iter().flat_map(|dispatch| &dispatch.cases) {
            method_called(target, &mut found);
        }
        found
    }
}

fn is_built_in(method: &MethodRef, classes: &BTreeMap<&str, &ClassFacts>) -> bool {
    let MethodRef { class, name, descriptor } = method;
    let is_listed = BUILT_IN.contains(&(&**class, &**name, &**descriptor));
    let is_of_exceptions = OF_EXCEPTIONS.contains(&(&**name, &**descriptor));
    is_listed || is_of_exceptions && is_throwable(class, classes)
}

/// Whether an initialiser that is not exported may write a static field.
fn is_unknown(
    field: &FieldRef,
    classes: &BTreeMap<&str, &ClassFacts>,
    context: &Context<'_>,
) -> bool {
    let Some(class) = classes.get(&*field.class) else { return false };
    let is_declared =
        class.fields.iter().any(|one| one.name == field.name && one.constant.is_some());
    let initialises = class.initialisation.contains(&field.class);
    let initialiser =
        MethodRef { class: field.class.clone(), name: "<clinit>".into(), descriptor: "()V".into() };
    initialises && !is_declared && !context.is_exported(&initialiser)
}

fn is_throwable(class: &str, classes: &BTreeMap<&str, &ClassFacts>) -> bool {
    let mut class = class;
    while class != "java/lang/Throwable" {
        match classes.get(class).and_then(|facts| facts.super_name.as_deref()) {
            Some(above) => class = above,
            None => return false,
        }
    }
    true
}
