//! How objects of classes are built through their public methods.
//!
//! The table says which constructor or factory makes an object and which method adds an element. It names
//! nothing that is private. Classes that are not in it are made by their simplest public constructor.

use std::collections::BTreeSet;
use std::sync::Arc;

use petrel_classfile::{MethodDescriptor, flags};
use petrel_program::{Class, Program, ResolvedMethod};

use crate::machine::{Extent, LeftOut};

/// How an object is built.
#[derive(Debug, Clone)]
pub(in crate::exploration) struct Recipe {
    /// A constructor, a static method that returns the object, or an instance method that does: its
    /// receiver is the first argument then.
    pub(in crate::exploration) make: ResolvedMethod,
    /// What is called on it then, once each.
    pub(in crate::exploration) then: Vec<ResolvedMethod>,
    /// What adds an element.
    pub(in crate::exploration) add: Option<ResolvedMethod>,
    /// What it does with them.
    pub(in crate::exploration) elements: Elements,
    /// What makes an object that nobody has looked into, if that is simpler.
    pub(in crate::exploration) simplest: Option<ResolvedMethod>,
    /// Whether these calls make all objects of the class, up to their arguments and how many elements they have.
    pub(in crate::exploration) extent: Extent,
}

/// What a collection does with elements that are added to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::exploration) enum Elements {
    /// It keeps what it gets, as lists do.
    Free,
    /// It takes no null.
    NotNull,
    /// It takes each once, as sets do with elements and maps with keys.
    Distinct,
}

/// What is called on an object when it is there: name and descriptor.
#[derive(Debug, Clone, Copy)]
enum After {
    /// Nothing.
    Nothing,
    /// A method that gives it its contents, once.
    Once(&'static str, &'static str),
    /// A method that adds an element, for each of them.
    Each(&'static str, &'static str),
}

use After::{Each, Nothing, Once};

/// Class, name and descriptor of what makes it, what is called then, and whether the rows of the class
/// make objects with all contents that any code can tell apart.
type Row = (&'static str, &'static str, &'static str, After, bool);

/// All contents.
const ALL: bool = true;
/// Some contents: the others differ in capacity, order, comparator, place or size.
const SOME: bool = false;

const ADD: After = Each("add", "(Ljava/lang/Object;)Z");
const PUT: After = Each("put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;");

const ROWS: &[Row] = &[
    ("java/util/ArrayList", "<init>", "()V", ADD, ALL),
    ("java/util/LinkedList", "<init>", "()V", ADD, ALL),
    ("java/util/ArrayDeque", "<init>", "()V", ADD, ALL),
    ("java/util/Vector", "<init>", "()V", ADD, SOME),
    ("java/util/Stack", "<init>", "()V", ADD, SOME),
    ("java/util/PriorityQueue", "<init>", "()V", ADD, SOME),
    ("java/util/HashSet", "<init>", "()V", ADD, SOME),
    ("java/util/LinkedHashSet", "<init>", "()V", ADD, ALL),
    ("java/util/TreeSet", "<init>", "()V", ADD, SOME),
    ("java/util/concurrent/CopyOnWriteArrayList", "<init>", "()V", ADD, ALL),
    ("java/util/HashMap", "<init>", "()V", PUT, SOME),
    ("java/util/LinkedHashMap", "<init>", "()V", PUT, SOME),
    ("java/util/TreeMap", "<init>", "()V", PUT, SOME),
    ("java/util/Hashtable", "<init>", "()V", PUT, SOME),
    ("java/util/concurrent/ConcurrentHashMap", "<init>", "()V", PUT, SOME),
    ("java/util/EnumMap", "<init>", "(Ljava/lang/Class;)V", PUT, ALL),
    ("java/util/EnumSet", "noneOf", "(Ljava/lang/Class;)Ljava/util/EnumSet;", ADD, ALL),
    (
        "java/util/Properties",
        "<init>",
        "()V",
        Each("setProperty", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/Object;"),
        SOME,
    ),
    ("java/util/BitSet", "<init>", "()V", Each("set", "(I)V"), SOME),
    ("java/util/Optional", "ofNullable", "(Ljava/lang/Object;)Ljava/util/Optional;", Nothing, ALL),
    ("java/util/OptionalInt", "of", "(I)Ljava/util/OptionalInt;", Nothing, ALL),
    ("java/util/OptionalInt", "empty", "()Ljava/util/OptionalInt;", Nothing, ALL),
    ("java/util/OptionalLong", "of", "(J)Ljava/util/OptionalLong;", Nothing, ALL),
    ("java/util/OptionalLong", "empty", "()Ljava/util/OptionalLong;", Nothing, ALL),
    ("java/util/OptionalDouble", "of", "(D)Ljava/util/OptionalDouble;", Nothing, ALL),
    ("java/util/OptionalDouble", "empty", "()Ljava/util/OptionalDouble;", Nothing, ALL),
    ("java/util/Iterator", "iterator", "()Ljava/util/Iterator;", Nothing, SOME),
    ("java/util/ListIterator", "listIterator", "()Ljava/util/ListIterator;", Nothing, SOME),
    ("java/math/BigInteger", "valueOf", "(J)Ljava/math/BigInteger;", Nothing, SOME),
    ("java/math/BigDecimal", "valueOf", "(JI)Ljava/math/BigDecimal;", Nothing, SOME),
    ("java/lang/StringBuilder", "<init>", "(Ljava/lang/String;)V", Nothing, SOME),
    ("java/lang/StringBuffer", "<init>", "(Ljava/lang/String;)V", Nothing, SOME),
    ("java/io/StringReader", "<init>", "(Ljava/lang/String;)V", Nothing, SOME),
    ("java/io/ByteArrayInputStream", "<init>", "([B)V", Nothing, SOME),
    ("java/io/StringWriter", "<init>", "()V", Once("write", "(Ljava/lang/String;)V"), SOME),
    ("java/io/ByteArrayOutputStream", "<init>", "()V", Each("write", "(I)V"), SOME),
    (
        "java/util/StringJoiner",
        "<init>",
        "(Ljava/lang/CharSequence;)V",
        Each("add", "(Ljava/lang/CharSequence;)Ljava/util/StringJoiner;"),
        SOME,
    ),
    ("java/util/UUID", "<init>", "(JJ)V", Nothing, ALL),
    ("java/util/Date", "<init>", "(J)V", Nothing, ALL),
    ("java/util/Random", "<init>", "(J)V", Nothing, SOME),
    ("java/util/StringTokenizer", "<init>", "(Ljava/lang/String;)V", Nothing, SOME),
    ("java/time/LocalDate", "ofEpochDay", "(J)Ljava/time/LocalDate;", Nothing, ALL),
    ("java/time/Instant", "ofEpochSecond", "(J)Ljava/time/Instant;", Nothing, SOME),
    ("java/time/Duration", "ofSeconds", "(J)Ljava/time/Duration;", Nothing, SOME),
    ("java/util/concurrent/atomic/AtomicInteger", "<init>", "(I)V", Nothing, ALL),
    ("java/util/concurrent/atomic/AtomicLong", "<init>", "(J)V", Nothing, ALL),
    ("java/util/concurrent/atomic/AtomicBoolean", "<init>", "(Z)V", Nothing, ALL),
    (
        "java/util/concurrent/atomic/AtomicReference",
        "<init>",
        "(Ljava/lang/Object;)V",
        Nothing,
        ALL,
    ),
];

/// What is tried for types of the class library that say little, the likeliest first. Collections that keep
/// their order come before those that do not: tests are easier to read then.
const USUAL: &[(&str, &[&str])] = &[
    ("java/lang/Iterable", &["java/util/ArrayList"]),
    ("java/util/Collection", &["java/util/ArrayList"]),
    ("java/util/SequencedCollection", &["java/util/ArrayList"]),
    ("java/util/AbstractCollection", &["java/util/ArrayList"]),
    ("java/util/List", &["java/util/ArrayList"]),
    ("java/util/AbstractList", &["java/util/ArrayList"]),
    ("java/util/RandomAccess", &["java/util/ArrayList"]),
    ("java/util/Set", &["java/util/LinkedHashSet"]),
    ("java/util/SequencedSet", &["java/util/LinkedHashSet"]),
    ("java/util/AbstractSet", &["java/util/LinkedHashSet"]),
    ("java/util/SortedSet", &["java/util/TreeSet"]),
    ("java/util/NavigableSet", &["java/util/TreeSet"]),
    ("java/util/Queue", &["java/util/LinkedList"]),
    ("java/util/Deque", &["java/util/ArrayDeque"]),
    ("java/util/Map", &["java/util/LinkedHashMap"]),
    ("java/util/SequencedMap", &["java/util/LinkedHashMap"]),
    ("java/util/AbstractMap", &["java/util/LinkedHashMap"]),
    ("java/util/SortedMap", &["java/util/TreeMap"]),
    ("java/util/NavigableMap", &["java/util/TreeMap"]),
    ("java/util/concurrent/ConcurrentMap", &["java/util/concurrent/ConcurrentHashMap"]),
    ("java/util/Iterator", &["java/util/Iterator"]),
    ("java/util/ListIterator", &["java/util/ListIterator"]),
    ("java/lang/CharSequence", &["java/lang/String"]),
    ("java/lang/Comparable", &["java/lang/Integer", "java/lang/String"]),
    ("java/lang/Number", &["java/lang/Integer"]),
    ("java/io/Serializable", &["java/lang/String"]),
    ("java/lang/Appendable", &["java/lang/StringBuilder"]),
    ("java/io/InputStream", &["java/io/ByteArrayInputStream"]),
    ("java/io/OutputStream", &["java/io/ByteArrayOutputStream"]),
    ("java/io/Reader", &["java/io/StringReader"]),
    ("java/io/Writer", &["java/io/StringWriter"]),
];

/// The classes that stand for a type of the class library that is abstract.
pub(in crate::exploration) fn usual_classes(name: &str) -> &'static [&'static str] {
    USUAL.iter().find(|(of, _)| *of == name).map_or(&[], |(_, classes)| classes)
}

/// How code of a package can build objects of a class that are not made field by field; nothing if it cannot.
pub(in crate::exploration) fn recipes(program: &Program, name: &str, package: &str) -> Vec<Recipe> {
    let rows: Vec<Recipe> = ROWS
        .iter()
        .filter(|(class, ..)| *class == name)
        .filter_map(|&row| recipe(program, row))
        .collect();
    if !rows.is_empty() {
        return rows;
    }
    let Ok(class) = program.class(name) else { return Vec::new() };
    let makers = if class.is_abstract() {
        Vec::new()
    } else if program.is_project_class(name) {
        usual_makers(program.makers(&class, package))
    } else {
        simplest_constructor(&class).into_iter().collect()
    };
    makers.into_iter().map(|make| recipe_by(program, &class, make)).collect()
}

/// How a constructor or factory makes an object of a class that has no row.
fn recipe_by(program: &Program, class: &Arc<Class>, make: ResolvedMethod) -> Recipe {
    let name = class.name();
    let extent = if has_state(class) { other_states(name) } else { Extent::All };
    let is_below = |of: &str| program.is_assignable(name, of) == Ok(true);
    let elements = elements(program, name);
    let mut recipe = Recipe { make, then: Vec::new(), add: None, elements, simplest: None, extent };
    if is_below("java/lang/Throwable") {
        let telling = telling_constructor(class).filter(|_| !program.is_project_class(name));
        if let Some(make) = telling {
            recipe.simplest = Some(std::mem::replace(&mut recipe.make, make));
        }
    } else if recipe.make.descriptor() == "()V" {
        let add = ADDING.iter().find(|(of, _)| is_below(of));
        recipe.add = add.and_then(|&(_, after)| recipe_call(class, after));
    }
    recipe
}

/// So many constructors of a class of the project are usual: the simplest, and those with most parameters.
const USUAL_MAKERS: usize = 3;

/// The usual ones of those that make objects of a class, the simplest of which come first; factories if there is no constructor.
fn usual_makers(mut makers: Vec<ResolvedMethod>) -> Vec<ResolvedMethod> {
    if makers.iter().any(ResolvedMethod::is_constructor) {
        makers.retain(ResolvedMethod::is_constructor);
    }
    if makers.len() > USUAL_MAKERS {
        makers.drain(1..=makers.len() - USUAL_MAKERS);
    }
    makers
}

/// What a class does with elements.
fn elements(program: &Program, name: &str) -> Elements {
    let is_below = |of: &str| program.is_assignable(name, of) == Ok(true);
    if is_below("java/util/List") {
        Elements::Free
    } else if is_below("java/util/Queue") {
        Elements::NotNull
    } else if is_below("java/util/Set") || is_below("java/util/Map") {
        Elements::Distinct
    } else {
        Elements::Free
    }
}

/// What adds an element to collections and maps that have no row.
const ADDING: [(&str, After); 2] = [("java/util/Collection", ADD), ("java/util/Map", PUT)];

/// The public constructor of an exception that says most: with message and cause, or with a message.
fn telling_constructor(class: &Arc<Class>) -> Option<ResolvedMethod> {
    ["(Ljava/lang/String;Ljava/lang/Throwable;)V", "(Ljava/lang/String;)V"]
        .into_iter()
        .filter_map(|descriptor| class.declared_method("<init>", descriptor))
        .find(|constructor| constructor.has_flags(flags::PUBLIC))
}

/// A method that is called on an object of a class when it is there.
fn recipe_call(class: &Arc<Class>, after: After) -> Option<ResolvedMethod> {
    let (Once(name, descriptor) | Each(name, descriptor)) = after else { return None };
    // A bridge has no name in Java; what it overrides has.
    let is_named = |method: &ResolvedMethod| !method.has_flags(flags::SYNTHETIC);
    class.lineage().find_map(|class| class.declared_method(name, descriptor).filter(is_named))
}

/// Whether objects of a class differ.
fn has_state(class: &Arc<Class>) -> bool {
    class.lineage().any(|class| class.fields().any(|field| !field.is_static()))
}

/// Objects of a class are left out.
fn other_states(class: &str) -> Extent {
    Extent::Some(LeftOut::States(class.replace('/', ".")))
}

fn recipe(program: &Program, (class, name, descriptor, after, is_all): Row) -> Option<Recipe> {
    // What iterates belongs to what it iterates over.
    let declaring = if class.ends_with("Iterator") { "java/util/ArrayList" } else { class };
    let make = program.class(declaring).ok()?.declared_method(name, descriptor)?;
    let call = match after {
        Nothing => None,
        Once(..) | Each(..) => Some(recipe_call(&program.class(class).ok()?, after)?),
    };
    let (then, add) = match after {
        Once(..) => (call.into_iter().collect(), None),
        Nothing | Each(..) => (Vec::new(), call),
    };
    let extent = if is_all { Extent::All } else { other_states(class) };
    let elements = elements(program, class);
    Some(Recipe { make, then, add, elements, simplest: None, extent })
}

/// So many ways of making an object of one class of the project are tried.
const MOST_WAYS: usize = 24;
/// So many methods that change an object are tried.
const MOST_MUTATORS: usize = 6;

/// How code of a package builds objects of a class of the project: by each constructor and factory, and then up to
/// `most` calls of methods that may change some fields. Fewer calls come first.
pub(in crate::exploration) fn recipes_of_project(
    program: &Program,
    class: &Arc<Class>,
    package: &str,
    most: u8,
    fields: &BTreeSet<(Arc<str>, Arc<str>)>,
) -> Vec<Recipe> {
    let makers = program.makers(class, package);
    let mutators = match most {
        0 => Vec::new(),
        _ => program.mutators(class, package, fields),
    };
    let mutators = &mutators[..mutators.len().min(MOST_MUTATORS)];
    let mut sequences: Vec<Vec<ResolvedMethod>> = vec![Vec::new()];
    let mut longest = sequences.clone();
    for _ in 0..most {
        let longer = longest.iter().flat_map(|before| {
            mutators.iter().map(move |next| before.iter().chain([next]).cloned().collect())
        });
        longest = longer.collect();
        sequences.extend(longest.iter().cloned());
    }
    let extent = other_sequences(class, most);
    let ways = sequences.into_iter().flat_map(|then| {
        makers.iter().map({
            let extent = extent.clone();
            move |make| Recipe {
                make: make.clone(),
                then: then.clone(),
                add: None,
                elements: Elements::Free,
                simplest: None,
                extent: extent.clone(),
            }
        })
    });
    ways.take(MOST_WAYS).collect()
}

/// What a number of calls may not reach: an object without fields has no states.
fn other_sequences(class: &Arc<Class>, most: u8) -> Extent {
    if has_state(class) {
        Extent::Some(LeftOut::Sequences(class.name().replace('/', "."), most.into()))
    } else {
        Extent::All
    }
}

/// The public constructor with the fewest parameters, strings and numbers before others.
fn simplest_constructor(class: &Arc<Class>) -> Option<ResolvedMethod> {
    if !class.file.has_flags(flags::PUBLIC) {
        return None;
    }
    let constructors =
        class.methods().filter(|method| method.is_constructor() && method.has_flags(flags::PUBLIC));
    constructors.min_by_key(|method| {
        let parameters = MethodDescriptor::parse(method.descriptor());
        let parameters = parameters.map_or(Vec::new(), |descriptor| descriptor.parameters);
        let is_simple = |of: &petrel_classfile::JavaType| {
            let text = of.to_string();
            text.len() == 1 || text == "Ljava/lang/String;"
        };
        let n_simple = parameters.iter().filter(|of| is_simple(of)).count();
        (parameters.len(), parameters.len() - n_simple, method.descriptor().to_owned())
    })
}
