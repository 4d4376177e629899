//! What code sees of objects after a call: the answers of their own methods.
//!
//! A test cannot look at private fields. What it can do is call methods without arguments (a getter, `size`, `toArray`)
//! on the result, the receiver and the arguments, and compare their answers with those that are derived here.

use std::sync::Arc;

use petrel_budget::Purse;
use petrel_classfile::{JavaType, MethodDescriptor};
use petrel_engine::{Limits, Machine, Outcome, Reason, Termination, Value};
use petrel_program::{Class, Program, ResolvedMethod};
use petrel_translate::cache::Procedures;
use petrel_value::{self as data, Heap, Object};

use crate::case::Solution;
use crate::generate::import_input;

/// What is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// What the call returns; for a constructor, the new object.
    Result,
    /// The receiver.
    Receiver,
    /// An argument, by its position.
    Argument(usize),
}

/// A method without arguments that is called to see something.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Observer {
    /// Internal name of the class or interface that declares it.
    pub class: Arc<str>,
    /// Its name.
    pub name: Arc<str>,
    /// Its descriptor.
    pub descriptor: Arc<str>,
}

/// What is seen of an object after the call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    /// What is looked at.
    pub subject: Subject,
    /// The methods that are called, each on what the one before gives: `keySet()`, then `toArray()`.
    pub calls: Vec<Observer>,
    /// What the last of them gives.
    pub value: data::Value,
}

/// What is seen after the call of one concrete input. Nothing in it depends on what the JVM does not fix.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Observations {
    /// In the order in which tests look: the result, the receiver, the arguments.
    pub seen: Vec<Observation>,
    /// The objects that the values refer to.
    pub heap: Heap,
}

/// So many answers are compared for each object.
const MOST_PER_SUBJECT: usize = 6;
/// So many methods of a class are looked at.
const MOST_OF_CLASS: usize = 256;
/// Static fields whose arrays have more elements are not set.
const MOST_STATIC_ELEMENTS: usize = 8;
/// Rules that an observing method may apply.
const MOST_STEPS: u64 = 100_000;

/// Looks at what calls of one method leave behind.
pub struct Observing<'p> {
    machine: Machine<'p>,
    method: &'p ResolvedMethod,
    program: &'p Program,
    purse: Purse,
    /// Whether nothing can be called.
    is_refused: bool,
}

impl<'p> Observing<'p> {
    /// For calls of a method, with `assert` statements or without. They are paid from a purse; when that is over, there
    /// is nothing to be seen.
    pub fn new(
        procedures: &'p Procedures<'p>,
        method: &'p ResolvedMethod,
        assertions: bool,
        purse: &Purse,
    ) -> Observing<'p> {
        let limits = Limits { steps: MOST_STEPS, assertions, ..Limits::default() };
        let mut machine = Machine::observing(procedures, limits, Termination::Loop(2));
        machine.pay_from(purse);
        let (program, purse) = (procedures.program(), purse.clone());
        Observing { machine, method, program, purse, is_refused: false }
    }

    /// From now on, calls are paid from another purse.
    pub fn pay_from(&mut self, purse: &Purse) {
        self.machine.pay_from(purse);
        self.purse = purse.clone();
    }

    /// Initialises the classes that are initialised before the method runs. What once failed is not tried again: it
    /// has left things half done.
    fn prepare(&mut self) -> Option<()> {
        self.is_refused |= self.machine.prepare_call(self.method).is_err();
        (!self.is_refused).then_some(())
    }

    /// What methods of the result, the receiver and the arguments answer after the call of an input. Of receiver
    /// and arguments it is what they did not answer before. Left out is what they answer otherwise if calls of
    /// other inputs came earlier: tests run in any order.
    pub fn observe(&mut self, solution: &Solution, earlier: &[&Solution]) -> Observations {
        let before = self.look(solution, When::Before, &[]).unwrap_or_default();
        let Some(after) = self.look(solution, When::After, &[]) else {
            return Observations::default();
        };
        let later = self.look(solution, When::After, earlier);
        // Without the last look, nobody knows what is stable.
        if self.purse.is_over() {
            return Observations::default();
        }
        let answers_in = |answers: &[Answer], answer: &Answer| {
            let is_same =
                |old: &&Answer| old.subject == answer.subject && old.calls == answer.calls;
            answers.iter().find(is_same).map(|old| old.seen == answer.seen)
        };
        let is_new = |answer: &Answer| {
            answer.subject == Subject::Result || answers_in(&before, answer) == Some(false)
        };
        let is_stable = |answer: &Answer| {
            later.as_ref().is_none_or(|later| answers_in(later, answer) == Some(true))
        };
        let mut observations = Observations::default();
        for answer in after.into_iter().filter(|answer| is_new(answer) && is_stable(answer)) {
            let Answer { subject, calls, seen: (value, heap) } = answer;
            let value = observations.heap.append(&heap, value);
            observations.seen.push(Observation { subject, calls, value });
        }
        observations
    }

    /// The static fields of the project that the method may use and that can change, with what they hold when their
    /// classes are initialised. Fields are left out that refer to what is not easily written down.
    pub fn statics(&mut self) -> (Vec<data::FieldValue>, Heap) {
        let mut heap = Heap::new();
        let mut found = Vec::new();
        if self.prepare().is_none() {
            return (found, heap);
        }
        for (class, name) in self.program.fields_used(self.method).statics {
            let Ok(declaring) = self.program.class(&class) else { continue };
            let field = declaring.fields().find(|field| field.name() == &*name);
            let Some(field) = field.filter(|field| field.is_static() && !field.is_final()) else {
                continue;
            };
            let Ok(java_type) = JavaType::parse(field.descriptor()) else { continue };
            let Some(value) = self.machine.static_value(&class, &name) else { continue };
            let (value, of_value, is_unstable) = self.machine.export_marked(value, &java_type);
            if is_short(&of_value) && !is_unstable {
                let value = heap.append(&of_value, value);
                found.push(data::FieldValue { class, name, value });
            }
        }
        (found, heap)
    }

    /// Whether a call of an input ends in the same way if calls of other inputs came earlier, static fields being set
    /// each time as the input says. If not, it depends on objects behind static fields, or on whether classes are
    /// initialised, and no test can rely on either.
    pub fn is_independent(&mut self, solution: &Solution, earlier: &[&Solution]) -> bool {
        match (self.ending(solution, &[]), self.ending(solution, earlier)) {
            (Some(alone), Some(later)) => alone == later,
            // Nothing is known.
            _ => true,
        }
    }

    /// How a call ends, as far as tests look at it; `None` if it depends on what the JVM does not fix, or does not end.
    fn ending(&mut self, solution: &Solution, earlier: &[&Solution]) -> Option<Ending> {
        let method = self.method;
        let result = MethodDescriptor::parse(method.descriptor()).ok()?.result;
        self.prepare()?;
        let ending = self.machine.observe_call(
            method,
            MOST_STEPS,
            |machine| {
                call_all(machine, method, earlier)?;
                import_solution(machine, method, solution)
            },
            |machine, _, outcome| match outcome {
                _ if machine.unstable_decision().is_some() => None,
                Outcome::Returned(value) => Ending::of_result(machine, value.zip(result.as_ref())),
                Outcome::Threw(exception) => Some(Ending::Threw(machine.class_name(exception))),
                Outcome::Stopped { .. } => None,
            },
        );
        ending.ok()?
    }

    /// All answers, before the call or after it. Asking may change objects, so that it is done once in a run.
    fn look(
        &mut self,
        solution: &Solution,
        when: When,
        earlier: &[&Solution],
    ) -> Option<Vec<Answer>> {
        let (method, program) = (self.method, self.program);
        let subjects = Subjects::new(method);
        self.prepare()?;
        let mut before = Vec::new();
        let after = self.machine.observe_call(
            method,
            MOST_STEPS,
            |machine| {
                call_all(machine, method, earlier)?;
                let inputs = import_solution(machine, method, solution)?;
                if when == When::Before {
                    before = ask_all(machine, program, method, &subjects.all(&inputs, None));
                }
                Ok(inputs)
            },
            |machine, inputs, outcome| match outcome {
                Outcome::Returned(result) if when == When::After => {
                    ask_all(machine, program, method, &subjects.all(inputs, result))
                }
                _ => Vec::new(),
            },
        );
        let after = after.ok()?;
        Some(if when == When::Before { before } else { after })
    }
}

fn import_solution(
    machine: &mut Machine<'_>,
    method: &ResolvedMethod,
    solution: &Solution,
) -> Result<Vec<Value>, Reason> {
    let Solution { heap, statics, answers, .. } = solution;
    let inputs = solution.receiver.iter().chain(&solution.arguments);
    import_input(machine, method, heap, (statics, answers), inputs)
}

/// Calls a method on several inputs, whatever comes of it.
fn call_all(
    machine: &mut Machine<'_>,
    method: &ResolvedMethod,
    solutions: &[&Solution],
) -> Result<(), Reason> {
    for solution in solutions {
        let inputs = import_solution(machine, method, solution)?;
        if let Outcome::Stopped { reason, .. } = machine.call(method, &inputs) {
            return Err(reason);
        }
    }
    Ok(())
}

/// How a call ends.
#[derive(Debug, PartialEq, Eq)]
enum Ending {
    /// With a value, or without one.
    Returned(Option<(data::Value, Heap)>),
    /// With an object of which tests see no more than its class here.
    Made(String),
    /// With an exception of this class.
    Threw(String),
}

impl Ending {
    fn of_result(machine: &mut Machine<'_>, result: Option<(Value, &JavaType)>) -> Option<Ending> {
        let Some((value, java_type)) = result else { return Some(Ending::Returned(None)) };
        let (exported, heap, is_unstable) = machine.export_marked(value, java_type);
        if is_unstable {
            return None;
        }
        Some(match heap.objects.iter().all(is_plain_object) {
            true => Ending::Returned(Some((exported, heap))),
            false => Ending::Made(machine.class_name(value.as_reference())),
        })
    }
}

/// Whether an object is a value in itself.
fn is_plain_object(object: &Object) -> bool {
    match object {
        Object::String(_)
        | Object::Boxed(_)
        | Object::EnumConstant { .. }
        | Object::Shared(_)
        | Object::Array { .. } => true,
        Object::Instance { .. } | Object::Built { .. } | Object::Opaque { .. } => false,
    }
}

/// Whether all objects are values in themselves, and few.
fn is_short(heap: &Heap) -> bool {
    let n_elements = heap.objects.iter().map(|object| object.parts().count()).sum::<usize>();
    heap.objects.iter().all(is_plain_object) && n_elements <= MOST_STATIC_ELEMENTS
}

/// When objects are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    Before,
    After,
}

/// What one method of an object answers, or several in a row.
struct Answer {
    subject: Subject,
    calls: Vec<Observer>,
    seen: (data::Value, Heap),
}

/// Which of the values around a call are objects that have methods.
struct Subjects {
    is_constructor: bool,
    has_receiver: bool,
    gives_object: bool,
    are_objects: Vec<bool>,
}

impl Subjects {
    fn new(method: &ResolvedMethod) -> Subjects {
        let is_object = |of: &JavaType| matches!(of, JavaType::Object(_));
        let descriptor = MethodDescriptor::parse(method.descriptor()).ok();
        let parameters = descriptor.as_ref().map_or(&[][..], |descriptor| &descriptor.parameters);
        let result = descriptor.as_ref().and_then(|descriptor| descriptor.result.as_ref());
        Subjects {
            is_constructor: method.is_constructor(),
            has_receiver: !method.is_static(),
            gives_object: result.is_some_and(is_object),
            are_objects: parameters.iter().map(is_object).collect(),
        }
    }

    /// The objects among inputs and result.
    fn all(&self, inputs: &[Value], result: Option<Value>) -> Vec<(Subject, Value)> {
        let (receiver, arguments) =
            inputs.split_at(usize::from(self.has_receiver).min(inputs.len()));
        let receiver = receiver.iter().map(|&value| match self.is_constructor {
            true => (Subject::Result, value),
            false => (Subject::Receiver, value),
        });
        let result = result.filter(|_| self.gives_object).map(|value| (Subject::Result, value));
        let arguments = arguments.iter().zip(&self.are_objects).enumerate();
        let arguments = arguments
            .filter(|(_, (_, is_object))| **is_object)
            .map(|(place, (&value, _))| (Subject::Argument(place), value));
        let all = result.into_iter().chain(receiver).chain(arguments);
        all.filter(|(_, value)| !value.is_symbolic() && !value.as_reference().is_null()).collect()
    }
}

fn ask_all(
    machine: &mut Machine<'_>,
    program: &Program,
    method: &ResolvedMethod,
    subjects: &[(Subject, Value)],
) -> Vec<Answer> {
    let mut answers = Vec::new();
    if machine.unstable_decision().is_some() {
        return answers;
    }
    for &(subject, value) in subjects {
        let class = machine.class_name(value.as_reference()).replace('.', "/");
        let Ok(class) = program.class(&class) else { continue };
        let observers = observers(program, &class, method.class().package());
        for calls in observers.into_iter().take(MOST_PER_SUBJECT) {
            if let Some(seen) = ask(machine, value, &calls) {
                let calls = calls.iter().map(Observer::of).collect();
                answers.push(Answer { subject, calls, seen });
            }
        }
    }
    answers
}

/// What calls in a row give, if all of them return and nothing depends on what the JVM does not fix.
fn ask(
    machine: &mut Machine<'_>,
    object: Value,
    calls: &[ResolvedMethod],
) -> Option<(data::Value, Heap)> {
    let mut value = object;
    for call in calls {
        if value.as_reference().is_null() {
            return None;
        }
        value = machine.call_on(value, call).ok()?;
    }
    let result = MethodDescriptor::parse(calls.last()?.descriptor()).ok()?.result?;
    let (value, heap, is_unstable) = machine.export_marked(value, &result);
    let is_unstable = is_unstable || machine.unstable_decision().is_some();
    (!is_unstable).then_some((value, heap))
}

impl Observer {
    fn of(method: &ResolvedMethod) -> Observer {
        Observer {
            class: Arc::clone(method.class().shared_name()),
            name: method.name().into(),
            descriptor: method.descriptor().into(),
        }
    }
}

/// What tells most about an object: the contents of collections and maps, what getters of the project give, and else
/// the text of an object that has one.
fn observers(program: &Program, class: &Arc<Class>, package: &str) -> Vec<Vec<ResolvedMethod>> {
    let is_a = |of: &str| program.is_assignable(class.name(), of) == Ok(true);
    if is_a(COLLECTION) {
        return [contents(program)].into_iter().flatten().collect();
    }
    if is_a(MAP) {
        return map_contents(program);
    }
    let text = class
        .lineage()
        .find_map(|class| class.declared_method("toString", "()Ljava/lang/String;"))
        .filter(|method| method.class().name() != "java/lang/Object");
    if !program.is_project_class(class.name()) {
        return text.map(|text| vec![text]).into_iter().collect();
    }
    let mut found: Vec<Vec<ResolvedMethod>> = Vec::new();
    for class in class.lineage().filter(|class| program.is_project_class(class.name())) {
        let methods = class.methods().take(MOST_OF_CLASS);
        for method in methods.filter(|method| is_getter(program, method, package)) {
            if found.iter().any(|known| known[0].name() == method.name()) {
                continue;
            }
            let result = method.descriptor().rsplit(')').next().unwrap_or_default();
            let result_class = result.strip_prefix('L').map(|name| name.trim_end_matches(';'));
            let is_a = |of: &str| {
                result_class.is_some_and(|class| program.is_assignable(class, of) == Ok(true))
            };
            if is_a(COLLECTION) {
                let more = contents(program).into_iter().flatten();
                found.push([method].into_iter().chain(more).collect());
            } else if is_a(MAP) {
                let of_map = map_contents(program).into_iter();
                found.extend(of_map.map(|more| [method.clone()].into_iter().chain(more).collect()));
            } else if is_plain(program, result) {
                found.push(vec![method]);
            }
        }
    }
    // What a text tells that getters do not, is mostly for people.
    if found.is_empty() {
        found.extend(text.filter(|text| program.is_callable(text, package)).map(|text| vec![text]));
    }
    found
}

const COLLECTION: &str = "java/util/Collection";
const MAP: &str = "java/util/Map";

/// `toArray()`.
fn contents(program: &Program) -> Option<Vec<ResolvedMethod>> {
    let class = program.class(COLLECTION).ok()?;
    Some(vec![class.declared_method("toArray", "()[Ljava/lang/Object;")?])
}

/// `keySet().toArray()` and `values().toArray()`.
fn map_contents(program: &Program) -> Vec<Vec<ResolvedMethod>> {
    let Ok(class) = program.class(MAP) else { return Vec::new() };
    let views = [("keySet", "()Ljava/util/Set;"), ("values", "()Ljava/util/Collection;")];
    let views =
        views.into_iter().filter_map(|(name, descriptor)| class.declared_method(name, descriptor));
    views.filter_map(|view| Some([view].into_iter().chain(contents(program)?).collect())).collect()
}

/// Whether a method of the project answers a question and does nothing else.
fn is_getter(program: &Program, method: &ResolvedMethod, package: &str) -> bool {
    let is_question = method.descriptor().starts_with("()")
        && !method.descriptor().ends_with('V')
        && !method.is_static()
        && !method.is_abstract()
        && !method.is_native()
        && !matches!(method.name(), "hashCode" | "toString" | "clone" | "finalize" | "getClass");
    is_question && program.is_callable(method, package) && {
        let used = program.fields_used(method);
        // A constant tells nothing of the object.
        used.written.is_empty() && !used.read.is_empty()
    }
}

/// Whether values of a type can be written down.
fn is_plain(program: &Program, descriptor: &str) -> bool {
    let element = descriptor.trim_start_matches('[');
    match element.strip_prefix('L').map(|name| name.trim_end_matches(';')) {
        None => true,
        Some("java/lang/String") => true,
        Some(name) => {
            data::unboxed(name).is_some()
                || program.class(name).is_ok_and(|class| {
                    class.super_class().is_some_and(|above| above.name() == "java/lang/Enum")
                })
        }
    }
}
