//! The same call in the engine and on the JVM: whether both end alike.

mod loader;

use std::collections::BTreeMap;

use petrel_classfile::MethodDescriptor;
use petrel_engine::{Import, Limits, Machine, Outcome, Reason};
use petrel_program::ResolvedMethod;
use petrel_replay::{self as replay, Call};
use petrel_translate::cache::Procedures;
use petrel_value::{FieldValue, Heap, Object, ObjectId, Value, escaped};

/// Less than the JVM has: values that fill it are not worth the time to compare them.
const MOST_HEAP: usize = 64 << 20;

/// How a call ended in the engine.
#[derive(Debug, Clone)]
pub enum Ending {
    /// It returned; nothing for `void`.
    Returned(Option<(Value, Heap)>),
    /// It threw an exception of the class, by its internal name.
    Threw {
        /// The class.
        class: String,
        /// The message, in UTF-16 units; or why it could not be asked for.
        message: Result<Option<Vec<u16>>, String>,
    },
    /// A limit was reached.
    Limit(String),
    /// The engine does not do that.
    Unsupported {
        /// What it does not do.
        reason: String,
        /// Where that was.
        places: Vec<String>,
    },
    /// Anything else, which is never right.
    Broken(String),
}

/// What a call left in the engine.
#[derive(Debug, Clone)]
pub struct Derived {
    /// How it ended.
    pub ending: Ending,
    /// Whether that depends on what the JVM does not fix.
    pub is_unstable: bool,
    /// The arguments afterwards: arrays may have changed.
    pub arguments: Vec<(Value, Heap)>,
    /// What was written to `System.out` and `System.err`.
    pub written: [Vec<u8>; 2],
}

/// What a comparison says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Both end alike.
    Same,
    /// The end depends on what the JVM does not fix.
    Unstable,
    /// One or both ran out of memory, or both out of time or stack.
    Exhausted,
    /// The JVM cannot make such a call.
    NotCallable(String),
    /// The engine gave up.
    Unsupported {
        /// What it does not do.
        reason: String,
        /// Where that was.
        places: Vec<String>,
    },
    /// The engine reached a limit, and the JVM came to an end.
    Limit(String),
    /// A wrong answer.
    Different(String),
}

/// Calls methods in one machine as long as nothing goes wrong there.
pub struct Engine<'p> {
    procedures: &'p Procedures<'p>,
    limits: Limits,
    machine: Machine<'p>,
}

impl<'p> Engine<'p> {
    /// With a number of steps that any call may take.
    pub fn new(procedures: &'p Procedures<'p>, steps: u64) -> Engine<'p> {
        let limits = Limits { steps, heap: MOST_HEAP, ..Limits::default() };
        Engine { procedures, machine: Machine::new(procedures, limits.clone()), limits }
    }

    /// Starts anew: no class is initialised.
    pub fn reset(&mut self) {
        self.machine = Machine::new(self.procedures, self.limits.clone());
    }

    /// Calls a static method.
    pub fn call(&mut self, method: &ResolvedMethod, arguments: &[Value], heap: &Heap) -> Derived {
        // What earlier calls left behind is not freed.
        if self.machine.heap_size() > MOST_HEAP / 2 {
            self.reset();
        }
        let derived = derive(&mut self.machine, method, arguments, heap);
        // A machine that was stopped may have classes that are half initialised, and one that ran
        // out of memory has none left.
        if !matches!(derived.ending, Ending::Returned(_) | Ending::Threw { .. }) {
            self.reset();
        }
        derived
    }
}

fn derive(
    machine: &mut Machine<'_>,
    method: &ResolvedMethod,
    arguments: &[Value],
    heap: &Heap,
) -> Derived {
    let broken = |what: String| Derived {
        ending: Ending::Broken(what),
        is_unstable: false,
        arguments: Vec::new(),
        written: Default::default(),
    };
    let descriptor = match MethodDescriptor::parse(method.descriptor()) {
        Ok(descriptor) => descriptor,
        Err(error) => return broken(error.to_string()),
    };
    let import = match Import::new(machine, heap) {
        Ok(import) => import,
        Err(reason) => return broken(format!("an argument: {reason}")),
    };
    let passed: Vec<_> = arguments.iter().map(|&argument| import.value(argument)).collect();
    let outcome = machine.call(method, &passed);
    let mut is_unstable = machine.unstable_decision().is_some();
    let written = [machine.take_output(), machine.take_errors()];
    let ending = match outcome {
        Outcome::Returned(value) => {
            Ending::Returned(value.zip(descriptor.result.as_ref()).map(|(value, result)| {
                let (value, heap, depends) = machine.export_marked(value, result);
                is_unstable |= depends;
                (value, heap)
            }))
        }
        Outcome::Threw(exception) => {
            let class = machine.class_name(exception).replace('.', "/");
            let message = match machine.exception_message(exception) {
                Ok(shown) => Ok(shown.map(|shown| {
                    is_unstable |= shown.unstable;
                    shown.units
                })),
                Err(reason) => Err(reason.to_string()),
            };
            Ending::Threw { class, message }
        }
        Outcome::Stopped { reason, places } => match reason {
            Reason::Limit(what) => Ending::Limit(what),
            Reason::Unsupported(reason) => Ending::Unsupported {
                reason,
                places: places.iter().take(5).map(ToString::to_string).collect(),
            },
            other => {
                let places: Vec<String> = places.iter().take(5).map(ToString::to_string).collect();
                Ending::Broken(format!("{other} at {}", places.join(", ")))
            }
        },
    };
    let after = passed.iter().zip(&descriptor.parameters);
    let arguments = after
        .map(|(&value, java_type)| {
            let (value, heap, depends) = machine.export_marked(value, java_type);
            is_unstable |= depends;
            (value, heap)
        })
        .collect();
    Derived { ending, is_unstable, arguments, written }
}

/// Whether the text of such an exception is not compared: the JVM makes it up from the bytecode, or
/// from the modules of the classes.
pub fn has_free_text(class: &str) -> bool {
    matches!(class, "java/lang/NullPointerException" | "java/lang/ClassCastException")
}

/// Whether a class stands for the end of memory or stack.
fn is_exhaustion(class: &str) -> bool {
    matches!(class, "java/lang/OutOfMemoryError" | "java/lang/StackOverflowError")
}

/// Compares how a call ended in the engine with how it ended on the JVM.
pub fn judge(derived: &Derived, outcome: &replay::Outcome) -> Verdict {
    let exhausted = match outcome {
        replay::Outcome::TimedOut => true,
        replay::Outcome::Threw { class, .. } => is_exhaustion(class),
        replay::Outcome::NotCallable(reason) => return Verdict::NotCallable(reason.clone()),
        _ => false,
    };
    let out_of_memory = matches!(outcome, replay::Outcome::Threw { class, .. }
        if class == "java/lang/OutOfMemoryError");
    match &derived.ending {
        Ending::Unsupported { reason, places } => {
            return Verdict::Unsupported { reason: reason.clone(), places: places.clone() };
        }
        // How much memory there is, is a setting.
        Ending::Limit(what) if exhausted || what.contains("heap") => return Verdict::Exhausted,
        Ending::Limit(what) => return Verdict::Limit(what.clone()),
        // That one of the lengths of a new array is negative does not keep HotSpot from this.
        Ending::Returned(_) | Ending::Threw { .. } if out_of_memory => return Verdict::Exhausted,
        _ => {}
    }
    if derived.is_unstable {
        return Verdict::Unstable;
    }
    let difference = match (&derived.ending, outcome) {
        (Ending::Returned(ours), replay::Outcome::Returned { value, after }) => {
            let result = match (ours, value) {
                (None, None) => None,
                (Some((ours, heap)), Some(theirs)) => {
                    difference((heap, *ours), (&after.heap, *theirs))
                        .map(|what| format!("{what}\n      result {}", shown(heap, *ours)))
                }
                _ => Some("a result and none".to_owned()),
            };
            result.or_else(|| side_effects(derived, after))
        }
        (
            Ending::Threw { class, message },
            replay::Outcome::Threw { class: actual, message: text, after },
        ) => {
            if is_exhaustion(class) && class == actual {
                return Verdict::Exhausted;
            }
            let text = text.as_ref().map(|text| text.0.to_vec());
            // The class is what it is, even if making the message takes something unsupported.
            let is_same_text = match message {
                Ok(ours) => *ours == text,
                Err(reason) => reason.starts_with("unsupported"),
            };
            let is_same = class == actual && (has_free_text(class) || is_same_text);
            if is_same { side_effects(derived, after) } else { Some(String::new()) }
        }
        _ => Some(String::new()),
    };
    match difference {
        None => Verdict::Same,
        Some(what) => Verdict::Different(format!(
            "{what}\n      engine: {}\n      JVM:    {}",
            described(&derived.ending),
            described_outcome(outcome)
        )),
    }
}

fn side_effects(derived: &Derived, after: &replay::After) -> Option<String> {
    let arguments = derived.arguments.iter().zip(&after.arguments).enumerate();
    for (number, ((ours, heap), theirs)) in arguments {
        if let Some(what) = difference((heap, *ours), (&after.heap, *theirs)) {
            return Some(format!("argument {number} afterwards: {what}"));
        }
    }
    for (ours, theirs) in derived.written.iter().zip([&after.out, &after.err]) {
        if !theirs.is_cut && *ours != theirs.bytes {
            let ours = String::from_utf8_lossy(ours);
            return Some(format!("written {ours:?} and on the JVM {:?}", theirs.text()));
        }
    }
    None
}

fn shown(heap: &Heap, value: Value) -> String {
    let mut text = heap.literal(value).unwrap_or_else(|| match heap.get(value) {
        Some(Object::Instance { class, .. } | Object::Opaque { class }) => format!("a {class}"),
        Some(Object::EnumConstant { class, name }) => format!("{class}.{name}"),
        _ => "something without a literal".to_owned(),
    });
    if text.len() > 300 {
        let end = (0..=300).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default();
        text.truncate(end);
        text.push_str("..");
    }
    text
}

/// An ending in a few words.
pub fn described(ending: &Ending) -> String {
    match ending {
        Ending::Returned(None) => "void".to_owned(),
        Ending::Returned(Some((value, heap))) => shown(heap, *value),
        Ending::Threw { class, message } => match message {
            Ok(None) => format!("throws {class}"),
            Ok(Some(message)) => format!("throws {class}: {}", escaped(message)),
            Err(reason) => format!("throws {class}; its message: {reason}"),
        },
        Ending::Limit(what) => format!("limit reached: {what}"),
        Ending::Unsupported { reason, .. } => format!("unsupported: {reason}"),
        Ending::Broken(what) => format!("broken: {what}"),
    }
}

/// An outcome in a few words.
pub fn described_outcome(outcome: &replay::Outcome) -> String {
    match outcome {
        replay::Outcome::Returned { value: None, .. } => "void".to_owned(),
        replay::Outcome::Returned { value: Some(value), after } => shown(&after.heap, *value),
        replay::Outcome::Threw { class, message: None, .. } => format!("throws {class}"),
        replay::Outcome::Threw { class, message: Some(message), .. } => {
            format!("throws {class}: {}", escaped(&message.0))
        }
        other => format!("{other:?}"),
    }
}

/// A call with its arguments, as one would write it.
pub fn described_call(call: &Call) -> String {
    let arguments: Vec<String> =
        call.arguments.iter().map(|&argument| shown(&call.heap, argument)).collect();
    let class = call.class.replace('/', ".");
    format!("{class}.{}{}: ({})", call.method, call.descriptor, arguments.join(", "))
}

/// Where a value of the engine first differs from one of the JVM; objects are compared with all that
/// can be reached from them, as far as the JVM's side describes it.
pub fn difference(ours: (&Heap, Value), theirs: (&Heap, Value)) -> Option<String> {
    let (our_heap, their_heap) = (ours.0, theirs.0);
    let mut pairs: BTreeMap<ObjectId, ObjectId> = BTreeMap::new();
    let mut pending = vec![(ours.1, theirs.1, String::new())];
    while let Some((ours, theirs, path)) = pending.pop() {
        let differs = |what: String| Some(format!("at result{path}: {what}"));
        let (our_id, their_id) = match (ours, theirs) {
            (Value::Reference(our_id), Value::Reference(their_id)) => (our_id, their_id),
            _ if same_primitive(ours, theirs) => continue,
            _ => {
                let (ours, theirs) = (shown(our_heap, ours), shown(their_heap, theirs));
                return differs(format!("{ours} and on the JVM {theirs}"));
            }
        };
        let (Some(our_object), Some(their_object)) = (our_heap.get(ours), their_heap.get(theirs))
        else {
            return differs("a reference to nothing".to_owned());
        };
        // Whether equal strings and boxes are one object is not of interest: caches decide that.
        let has_identity = !matches!(their_object, Object::String(_) | Object::Boxed(_));
        match pairs.insert(our_id, their_id) {
            Some(before) if before == their_id => continue,
            Some(_) if has_identity => return differs("another object".to_owned()),
            _ => {}
        }
        match (our_object, their_object) {
            (Object::String(ours), Object::String(theirs))
                if ours == theirs || loader::is_own_loader(&ours.0, &theirs.0) => {}
            (Object::Boxed(ours), Object::Boxed(theirs)) if same_primitive(*ours, *theirs) => {}
            (
                Object::Array { component, elements },
                Object::Array { component: their_component, elements: their_elements },
            ) if component == their_component && elements.len() == their_elements.len() => {
                for (index, (ours, theirs)) in elements.iter().zip(their_elements).enumerate() {
                    pending.push((*ours, *theirs, format!("{path}[{index}]")));
                }
            }
            (Object::EnumConstant { .. }, Object::EnumConstant { .. })
                if our_object == their_object => {}
            (
                Object::Instance { class, fields },
                Object::Instance { class: their_class, fields: their_fields },
            ) if class == their_class => {
                for theirs in their_fields.iter().filter(|field| !counts_objects(field)) {
                    let ours = fields
                        .iter()
                        .find(|ours| ours.name == theirs.name && ours.class == theirs.class);
                    let path = format!("{path}.{}", theirs.name);
                    match ours {
                        Some(ours) => pending.push((ours.value, theirs.value, path)),
                        None => return Some(format!("at result{path}: there is no such field")),
                    }
                }
            }
            // Nothing is known of one of them.
            (_, Object::Opaque { .. }) | (Object::Opaque { .. }, _) => {}
            _ => {
                let (ours, theirs) = (shown(our_heap, ours), shown(their_heap, theirs));
                return differs(format!("{ours} and on the JVM {theirs}"));
            }
        }
    }
    None
}

/// Whether a field numbers the objects of its class: what ran before in the same JVM counts, too.
fn counts_objects(field: &FieldValue) -> bool {
    &*field.class == "java/lang/ThreadLocal" && &*field.name == "threadLocalHashCode"
}

/// Bit for bit, but a NaN is any NaN: the bits of a NaN are up to the JVM.
fn same_primitive(ours: Value, theirs: Value) -> bool {
    match (ours, theirs) {
        (Value::Float(ours), Value::Float(theirs)) => {
            ours == theirs || f32::from_bits(ours).is_nan() && f32::from_bits(theirs).is_nan()
        }
        (Value::Double(ours), Value::Double(theirs)) => {
            ours == theirs || f64::from_bits(ours).is_nan() && f64::from_bits(theirs).is_nan()
        }
        _ => ours == theirs,
    }
}

/// What comparisons said, counted.
#[derive(Debug, Default)]
pub struct Tally {
    /// Comparisons.
    pub compared: usize,
    /// Calls that end alike.
    pub same: usize,
    /// Calls whose end depends on what the JVM does not fix.
    pub unstable: usize,
    /// Calls that exhaust one or both.
    pub exhausted: usize,
    /// Calls that the JVM cannot make, by reason.
    pub not_callable: BTreeMap<String, usize>,
    /// Calls that reach a limit in the engine alone, each with its text.
    pub limits: Vec<String>,
    /// Calls that the engine gives up on, by reason: how many, and an example.
    pub unsupported: BTreeMap<String, (usize, String)>,
    /// Wrong answers, by method: how many, and the first ones.
    pub different: BTreeMap<String, (usize, Vec<String>)>,
}

/// So many wrong answers of a method are shown.
const MOST_EXAMPLES: usize = 2;

impl Tally {
    /// Adds what was said of a call.
    pub fn add(&mut self, call: &Call, verdict: Verdict) {
        self.compared += 1;
        match verdict {
            Verdict::Same => self.same += 1,
            Verdict::Unstable => self.unstable += 1,
            Verdict::Exhausted => self.exhausted += 1,
            Verdict::NotCallable(reason) => *self.not_callable.entry(reason).or_default() += 1,
            Verdict::Limit(what) => self.limits.push(format!("{}: {what}", described_call(call))),
            Verdict::Unsupported { reason, places } => {
                let example = format!("{} at {}", described_call(call), places.join(", "));
                let entry = self.unsupported.entry(reason).or_insert((0, example));
                entry.0 += 1;
            }
            Verdict::Different(what) => {
                let method = format!("{}.{}{}", call.class, call.method, call.descriptor);
                let (count, examples) = self.different.entry(method).or_default();
                *count += 1;
                if examples.len() < MOST_EXAMPLES {
                    examples.push(format!("{}\n      {what}", described_call(call)));
                }
            }
        }
    }

    /// How many calls the engine gave up on.
    pub fn n_unsupported(&self) -> usize {
        self.unsupported.values().map(|(count, _)| count).sum()
    }

    /// How many answers are wrong.
    pub fn n_different(&self) -> usize {
        self.different.values().map(|(count, _)| count).sum()
    }

    /// All of it as text, most frequent reasons first.
    pub fn report(&self) -> String {
        let mut lines = vec![format!(
            "{} calls: {} same, {} unstable, {} exhausted, {} over a limit, {} unsupported, \
             {} not callable, {} different",
            self.compared,
            self.same,
            self.unstable,
            self.exhausted,
            self.limits.len(),
            self.n_unsupported(),
            self.not_callable.values().sum::<usize>(),
            self.n_different()
        )];
        let mut reasons: Vec<_> = self.unsupported.iter().collect();
        reasons.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        for (reason, (count, example)) in reasons {
            lines.push(format!("  unsupported {count}: {reason}\n    such as {example}"));
        }
        for (reason, count) in &self.not_callable {
            lines.push(format!("  not callable {count}: {reason}"));
        }
        lines.extend(self.limits.iter().map(|what| format!("  limit: {what}")));
        for (method, (count, examples)) in &self.different {
            lines.push(format!("  different {count}: {method}"));
            lines.extend(examples.iter().map(|example| format!("    {example}")));
        }
        lines.join("\n")
    }
}
