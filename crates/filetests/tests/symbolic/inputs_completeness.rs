//! Every small string and every small list takes a path that is a case: nothing that happens is missing, and no
//! path that happens was given up as one that no input takes.
//!
//! The methods are those of `StringSmall` and `ListSmall`. Inputs are null, all strings of up to three out of
//! three letters, one of which the method looks for, and all lists of up to three out of three elements. The
//! concrete derivation of an input takes a trace, which is that of a case.
//!
//! `METHOD=word` looks only at methods with that in their names.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Duration;

use petrel_classfile::{JavaString, JavaType, MethodDescriptor};
use petrel_filetests::heaps::{Ending, Input, Observer, Way};
use petrel_filetests::symbolic::{all_cases, contradictions, for_each_in_threads};
use petrel_filetests::walk::is_chosen;
use petrel_filetests::{derive, world};
use petrel_program::ResolvedMethod;
use petrel_testcase::{Options, Termination};
use petrel_translate::cache::Procedures;
use petrel_value::{Call, Heap, Object, Value};

/// The longest string and the longest list.
const LONGEST: u32 = 3;
/// A loop over one of these ends at its fourth test at the latest, so no path of an input is cut.
const BOUND: Termination = Termination::Loop(4);
/// A method that needs more is left, and told.
const MOST_TIME: Duration = Duration::from_secs(30);
/// Rule applications of a derivation, those of the class library included.
const MOST_STEPS: u64 = 200_000;
/// Of hundred inputs: paths that may be among those that ended at a limit or something unsupported.
const MOST_UNKNOWN: usize = 10;

/// The letter that a method of `StringSmall` looks for, besides `a` and `b`.
const LETTERS: [(&str, char); 18] = [
    ("colon", ':'),
    ("kind", ' '),
    ("palindrome", 'c'),
    ("digits", '7'),
    ("parsed", '-'),
    ("word", 'c'),
    ("parts", ','),
    ("order", 'A'),
    ("caseless", 'A'),
    ("upper", 'A'),
    ("letters", '1'),
    ("hashed", 'c'),
    ("two", 'c'),
    ("last", 'c'),
    ("removed", '-'),
    ("stripped", '\u{2003}'),
    ("open", '('),
    ("replaced", 'c'),
];

/// Letters that take the place of `a` and `b` where these show too little.
const OTHER_LETTERS: [(&str, [char; 2]); 3] =
    [("parsed", ['6', '0']), ("digits", ['0', 'a']), ("open", [')', 'a'])];

/// The methods of `ListSmall` whose lists have strings in them; those of others have numbers.
const LISTS_OF_STRINGS: [&str; 4] = ["find", "blank", "join", "same"];

#[derive(Debug, Default)]
struct Totals {
    methods: usize,
    cases: usize,
    inputs: usize,
    taken: usize,
    /// Inputs whose path may be one that ended at something unsupported or at a limit.
    unknown: usize,
    /// Methods with such paths, and why.
    left: Vec<String>,
    complaints: Vec<String>,
}

#[test]
fn every_small_string_takes_the_path_of_a_case() {
    check("strings", "StringSmall");
}

#[test]
fn every_small_list_takes_the_path_of_a_case() {
    check("collections", "ListSmall");
}

fn check(topic: &str, class: &str) {
    let folder = world::root().join("build").join("fixtures").join(topic);
    let procedures = derive::procedures(&world::jdk(), &folder);
    let class = procedures.program().class(class).unwrap_or_else(|error| panic!("{error}"));
    let methods: Vec<ResolvedMethod> =
        class.methods().filter(|method| method.is_static() && is_chosen(method)).collect();
    let totals = Mutex::new(Totals::default());
    for_each_in_threads(&methods, || (), |(), method| check_method(procedures, method, &totals));
    let totals = totals.into_inner().expect("no thread panics");
    let (methods, complaints, left) = (totals.methods, &totals.complaints, totals.left.join("\n"));
    eprintln!(
        "{methods} methods of {}, {} cases, {} inputs: {} take the path of a case, {} one that is unknown\n{left}",
        class.name(),
        totals.cases,
        totals.inputs,
        totals.taken,
        totals.unknown
    );
    assert!(complaints.is_empty(), "{} failures\n{}", complaints.len(), complaints.join("\n"));
    assert!(totals.unknown * 100 <= totals.inputs * MOST_UNKNOWN, "too many are unknown:\n{left}");
}

fn check_method(procedures: &Procedures<'_>, method: &ResolvedMethod, totals: &Mutex<Totals>) {
    let mut counts = Totals { methods: 1, ..Totals::default() };
    if let Err(why) = compare(procedures, method, &mut counts) {
        counts.left.push(format!("  {method}: {why}"));
    }
    let mut totals = totals.lock().expect("no thread panics");
    totals.methods += counts.methods;
    totals.cases += counts.cases;
    totals.inputs += counts.inputs;
    totals.taken += counts.taken;
    totals.unknown += counts.unknown;
    totals.left.extend(counts.left);
    totals.complaints.extend(counts.complaints);
}

fn compare(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    counts: &mut Totals,
) -> Result<(), String> {
    let inputs = inputs(method);
    counts.inputs = inputs.len();
    counts.unknown = inputs.len();
    let options = Options { termination: BOUND, time: Some(MOST_TIME), ..Options::default() };
    let (cases, summary) =
        all_cases(procedures, method, &options).map_err(|error| error.to_string())?;
    counts.cases = cases.len();
    let at = |what: String| format!("{method}: {what}");
    counts.complaints.extend(contradictions(&summary).into_iter().map(at));
    let ways: BTreeSet<Way> = cases.iter().map(Way::of).collect();
    let mut observer = Observer::new(procedures, method, BOUND, MOST_STEPS)
        .map_err(|reason| reason.to_string())?;
    let ends = &summary.ends;
    let mut why = None;
    for input in &inputs {
        match observer.derive(input) {
            Ending::Taken(way, _) if ways.contains(&way) => counts.taken += 1,
            Ending::Taken(way, _) if ends.is_complete() => {
                let input = shown(input);
                counts.complaints.push(at(format!("{input} takes no path of a case: {way:?}")));
                counts.taken += 1;
            }
            Ending::Taken(..) => why = Some(format!("{:?}, {:?}", ends.limits, ends.unsupported)),
            Ending::Limit => why = Some("a derivation without end".to_owned()),
            Ending::Unsupported(reason) => why = Some(reason),
        }
    }
    counts.unknown = inputs.len() - counts.taken;
    why.map_or(Ok(()), |why| Err(format!("{} of {}: {why}", counts.unknown, inputs.len())))
}

/// All combinations of arguments.
fn inputs(method: &ResolvedMethod) -> Vec<Input> {
    let descriptor = MethodDescriptor::parse(method.descriptor()).expect("it was read before");
    let empty = Input { receiver: None, arguments: Vec::new(), heap: Heap::new() };
    descriptor.parameters.iter().fold(vec![empty], |inputs, java_type| {
        let is_list =
            matches!(java_type, JavaType::Object(class) if class.starts_with("java/util/"));
        let with_argument = |input: &Input| -> Vec<Input> {
            if is_list { with_lists(input, method) } else { with_strings(input, method) }
        };
        inputs.iter().flat_map(with_argument).collect()
    })
}

fn with_argument(input: &Input, add: impl FnOnce(&mut Heap) -> Value) -> Input {
    let mut input = input.clone();
    let argument = add(&mut input.heap);
    input.arguments.push(argument);
    input
}

fn with_strings(input: &Input, method: &ResolvedMethod) -> Vec<Input> {
    let of = |name: &str| name == method.name();
    let letter = LETTERS.iter().find(|(name, _)| of(name)).map(|&(_, letter)| letter);
    let letter = letter.unwrap_or_else(|| panic!("{method} has no letter in the table"));
    let others = OTHER_LETTERS.iter().find(|(name, _)| of(name));
    let [first, second] = others.map_or(['a', 'b'], |&(_, letters)| letters);
    let add = |text: &Vec<char>| {
        let text: String = text.iter().collect();
        with_argument(input, |heap| heap.add(Object::String(JavaString::from(text.as_str()))))
    };
    let texts = sequences(&[first, second, letter]);
    texts.iter().map(add).chain([with_argument(input, |_| Value::Null)]).collect()
}

fn with_lists(input: &Input, method: &ResolvedMethod) -> Vec<Input> {
    let of_strings = LISTS_OF_STRINGS.contains(&method.name());
    let element = |heap: &mut Heap, number: &usize| match (*number, of_strings) {
        (0, _) => Value::Null,
        (1, true) => heap.add_string(""),
        (_, true) => heap.add_string("b"),
        (number, false) => heap.add(Object::Boxed(Value::Int(number as i32 - 1))),
    };
    let add = |elements: &Vec<usize>| {
        with_argument(input, |heap| {
            let elements: Vec<Value> =
                elements.iter().map(|number| element(heap, number)).collect();
            heap.add(list(&elements))
        })
    };
    let lists = sequences(&[0, 1, 2]);
    lists.iter().map(add).chain([with_argument(input, |_| Value::Null)]).collect()
}

/// A list as a program makes it.
fn list(elements: &[Value]) -> Object {
    let call = |name: &str, descriptor: &str, arguments: Vec<Value>| Call {
        class: "java/util/ArrayList".into(),
        name: name.into(),
        descriptor: descriptor.into(),
        arguments,
    };
    let add = |&element: &Value| call("add", "(Ljava/lang/Object;)Z", vec![element]);
    Object::Built {
        class: "java/util/ArrayList".into(),
        by: call("<init>", "()V", Vec::new()),
        calls: elements.iter().map(add).collect(),
    }
}

/// All sequences of up to so many of these, the short ones first.
fn sequences<T: Copy>(of: &[T]) -> Vec<Vec<T>> {
    let mut all = vec![Vec::new()];
    let mut longest: Vec<Vec<T>> = all.clone();
    for _ in 0..LONGEST {
        let longer = |sequence: &Vec<T>| {
            let sequence = sequence.clone();
            of.iter().map(move |&last| [&sequence[..], &[last]].concat())
        };
        longest = longest.iter().flat_map(longer).collect();
        all.extend(longest.iter().cloned());
    }
    all
}

/// An input in short.
fn shown(input: &Input) -> String {
    let shown = |&value: &Value| match input.heap.get(value) {
        Some(Object::Built { calls, .. }) => {
            let elements = calls.iter().flat_map(|call| &call.arguments);
            let elements: Vec<String> =
                elements.map(|&element| input.heap.literal(element).unwrap_or_default()).collect();
            format!("[{}]", elements.join(", "))
        }
        _ => input.heap.literal(value).unwrap_or_default(),
    };
    let shown: Vec<String> = input.arguments.iter().map(shown).collect();
    format!("({})", shown.join(", "))
}
