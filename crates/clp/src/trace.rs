//! Trace terms: which rules a derivation applies ("Resource-driven CLP-based test case generation",
//! Def. 2).
//!
//! `m(k, P, [T1, ..., Tn])` says that rule `k` of predicate `m` was applied. `P` are the sizes of the
//! arrays that it made; `T1` to `Tn` are the traces of what its body does: of the method that it calls, and
//! last of the predicate that it goes on in. A method that another class declares than the one that the
//! rule names is written with its class: `'Circle.area'(1,[],[])`. A choice that no rule shows (inside of
//! the class library, or of an object that an unknown reference may be) is a term `'?'(k,[],[])`, a part of the
//! rule that was applied before. One that decides the first rule is a part of that rule.
//!
//! A *partial* trace has variables: `_`, or a capitalised name, each for one part, whatever is in it; and
//! `*` stands for any number of parts, up to the first that begins like the next one. Where `P` is empty, nothing is said about sizes.
//! A variable may stand for the number of a rule, for all sizes, and for all parts, too: `lcm(_,[],[_])`, `lcm(1,_,_)`.

use std::fmt::{self, Write};
use std::str::FromStr;
use std::sync::Arc;

use crate::parse::{self, ParseError};
use crate::print::push_atom;

/// The name of choices that no rule shows.
pub const HIDDEN_CHOICE: &str = "?";

/// A trace, complete or partial.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Trace {
    root: TracePart,
    /// In the order in which they are applied: a derivation follows a trace from its first node on. Nodes
    /// have numbers because traces are deep: no function of this module calls itself.
    nodes: Vec<TraceNode>,
}

/// A part of a trace.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TracePart {
    /// One part of which nothing is said, under a name that nobody reads.
    Free(Box<str>),
    /// Any number of parts.
    Any,
    /// A node, by its number.
    Node(usize),
}

/// A rule that is applied.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TraceNode {
    /// The name of the predicate, with the class where that is not the one named by the caller.
    pub name: Arc<str>,
    /// The number of the rule, from 1 on, or [`TraceNode::ANY_RULE`].
    pub rule: u32,
    /// The sizes of new arrays.
    pub parameters: Vec<TraceParameter>,
    /// What the body of the rule does.
    pub parts: Vec<TracePart>,
}

impl TraceNode {
    /// Stands for the number of a rule if nothing is said of it.
    pub const ANY_RULE: u32 = 0;

    /// Whether a rule of a predicate is one that it may stand for.
    pub fn is_rule(&self, name: &str, number: u32) -> bool {
        (self.rule == Self::ANY_RULE || self.rule == number) && *self.name == *name
    }
}

/// The size of a new array.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TraceParameter {
    /// It depends on the input.
    Free(Box<str>),
    /// It is known.
    Known(i64),
}

impl Trace {
    /// A trace of which nothing is known.
    pub fn free() -> Trace {
        Trace { root: TracePart::Free("_".into()), nodes: Vec::new() }
    }

    /// A trace of nodes in the order in which they are applied, the first being the outermost.
    pub fn new(root: TracePart, nodes: Vec<TraceNode>) -> Trace {
        Trace { root, nodes }
    }

    /// The outermost part.
    pub fn root(&self) -> &TracePart {
        &self.root
    }

    /// Its nodes in the order in which they are applied.
    pub fn nodes(&self) -> &[TraceNode] {
        &self.nodes
    }

    /// The rules of the target's own code, without those of methods that it calls: names and numbers.
    pub fn local_path(&self) -> Vec<(&str, u32)> {
        let mut path = Vec::new();
        let mut part = Some(&self.root);
        while let Some(TracePart::Node(number)) = part {
            let node = &self.nodes[*number];
            if *node.name == *HIDDEN_CHOICE {
                break;
            }
            path.push((&*node.name, node.rule));
            // What a rule goes on with is its last part.
            part = node.parts.last();
        }
        path
    }

    /// The partial trace that says nothing but which rules of the target's own code are applied.
    pub fn local(&self) -> Trace {
        let path = self.local_path();
        let nodes = path.iter().enumerate().map(|(number, &(name, rule))| {
            let next = (number + 1 < path.len()).then_some(TracePart::Node(number + 1));
            let parts = [TracePart::Any].into_iter().chain(next).collect();
            TraceNode { name: name.into(), rule, parameters: Vec::new(), parts }
        });
        let nodes: Vec<TraceNode> = nodes.collect();
        match nodes.is_empty() {
            true => Trace::free(),
            false => Trace { root: TracePart::Node(0), nodes },
        }
    }

    /// Whether it leaves nothing open but sizes.
    pub fn is_complete(&self) -> bool {
        let is_free = |part: &TracePart| !matches!(part, TracePart::Node(_));
        let is_open =
            |node: &TraceNode| node.rule == TraceNode::ANY_RULE || node.parts.iter().any(is_free);
        !is_free(&self.root) && !self.nodes.iter().any(is_open)
    }
}

impl FromStr for Trace {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Trace, ParseError> {
        parse::trace(text)
    }
}

/// Displays as it is read.
impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut writer = TraceWriter::default();
        // What is left to write: parts, each with whether it closes a term behind it.
        let mut left: Vec<Option<&TracePart>> = vec![Some(&self.root)];
        while let Some(next) = left.pop() {
            match next {
                None => writer.close(),
                Some(TracePart::Free(name)) => writer.free(name),
                Some(TracePart::Any) => writer.free("*"),
                Some(TracePart::Node(number)) => {
                    let node = &self.nodes[*number];
                    let mut sizes = writer.open(&node.name, node.rule);
                    for parameter in &node.parameters {
                        sizes = writer.parameter(parameter, sizes);
                    }
                    left.push(None);
                    left.extend(node.parts.iter().rev().map(Some));
                }
            }
        }
        f.write_str(&writer.written())
    }
}

/// Displays as in a trace.
impl fmt::Display for TraceParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TraceParameter::Free(name) => f.write_str(name),
            TraceParameter::Known(size) => write!(f, "{size}"),
        }
    }
}

/// Makes a trace from the first rule to the last.
#[derive(Debug, Default)]
pub struct TraceBuilder {
    root: Option<TracePart>,
    nodes: Vec<TraceNode>,
    /// The rules that may get more parts, the innermost last.
    open: Vec<usize>,
    /// The choices before the first rule.
    first_choices: Vec<TraceNode>,
}

impl TraceBuilder {
    /// The next part is a rule of a predicate.
    pub fn open(&mut self, name: Arc<str>, rule: u32) {
        let number = self.nodes.len();
        let mut node = TraceNode { name, rule, parameters: Vec::new(), parts: Vec::new() };
        if number == 0 && *node.name == *HIDDEN_CHOICE {
            self.first_choices.push(node);
            return;
        }
        self.add(TracePart::Node(number));
        let choices = std::mem::take(&mut self.first_choices);
        node.parts.extend((1..=choices.len()).map(TracePart::Node));
        self.nodes.push(node);
        self.nodes.extend(choices);
        self.open.push(number);
    }

    /// The rule that was opened last makes an array.
    pub fn parameter(&mut self, size: TraceParameter) {
        if let Some(node) = self.open.last().and_then(|&number| self.nodes.get_mut(number)) {
            node.parameters.push(size);
        }
    }

    /// The next part is left open.
    pub fn free(&mut self, name: &str) {
        self.add(TracePart::Free(name.into()));
    }

    /// The innermost rule that is open has no more parts. A choice before the first rule is never open.
    pub fn close(&mut self) {
        self.open.pop();
    }

    /// The trace; one of which nothing is known, if there was no rule.
    pub fn finish(self) -> Trace {
        match self.root {
            Some(root) => Trace { root, nodes: self.nodes },
            None => Trace::free(),
        }
    }

    fn add(&mut self, part: TracePart) {
        match self.open.last().and_then(|&number| self.nodes.get_mut(number)) {
            Some(node) => node.parts.push(part),
            None => self.root = Some(part),
        }
    }
}

/// The trace of a derivation as it was told: the term as text, and what was done one after the other, of which the term is
/// made when somebody follows it. Traces are told far more often than they are followed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ToldTrace {
    text: Box<str>,
    steps: Box<[TraceStep]>,
}

/// Something that a derivation did.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TraceStep {
    /// So many rules have no more parts before it.
    pub closes: u32,
    /// What it did.
    pub event: TraceEvent,
}

/// What a derivation can do.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TraceEvent {
    /// A rule of a predicate was applied.
    Rule(Arc<str>, u32),
    /// A way was taken that no rule shows, by its number from 1 on.
    Choice(u32),
    /// The rule that was applied last made an array.
    Size(TraceParameter),
    /// Nothing is said of what came then.
    Anything,
}

impl ToldTrace {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The term.
    pub fn term(&self) -> Trace {
        let mut trace = TraceBuilder::default();
        let hidden: Arc<str> = HIDDEN_CHOICE.into();
        for TraceStep { closes, event } in &self.steps {
            (0..*closes).for_each(|_| trace.close());
            match event {
                TraceEvent::Rule(name, rule) => trace.open(Arc::clone(name), *rule),
                TraceEvent::Choice(number) => {
                    trace.open(Arc::clone(&hidden), *number);
                    trace.close();
                }
                TraceEvent::Size(size) => trace.parameter(size.clone()),
                TraceEvent::Anything => trace.free("_"),
            }
        }
        trace.finish()
    }
}

/// A complete trace, as a derivation tells it.
impl From<&Trace> for ToldTrace {
    fn from(trace: &Trace) -> ToldTrace {
        let mut steps = Vec::new();
        let mut closes = 0;
        let mut add = |closes: &mut u32, event| {
            steps.push(TraceStep { closes: std::mem::take(closes), event });
        };
        let mut left: Vec<Option<&TracePart>> = vec![Some(&trace.root)];
        while let Some(next) = left.pop() {
            match next {
                None => closes += 1,
                Some(TracePart::Free(_) | TracePart::Any) => add(&mut closes, TraceEvent::Anything),
                Some(TracePart::Node(number)) => {
                    let node = &trace.nodes[*number];
                    if *node.name == *HIDDEN_CHOICE {
                        add(&mut closes, TraceEvent::Choice(node.rule));
                        continue;
                    }
                    add(&mut closes, TraceEvent::Rule(Arc::clone(&node.name), node.rule));
                    for size in &node.parameters {
                        add(&mut closes, TraceEvent::Size(size.clone()));
                    }
                    left.push(None);
                    left.extend(node.parts.iter().rev().map(Some));
                }
            }
        }
        ToldTrace { text: trace.to_string().into(), steps: steps.into() }
    }
}

/// Displays as the term does.
impl fmt::Display for ToldTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Writes a trace from the first rule to the last. What is written can be gone back to, since traces of neighbours in a
/// tree begin alike.
#[derive(Debug, Default)]
pub struct TraceWriter {
    text: String,
    place: TracePlace,
}

/// A place in a trace that is being written.
#[derive(Debug, Clone, Copy, Default)]
pub struct TracePlace {
    /// Where the outermost term begins: if there are several, the last is the trace.
    start: usize,
    /// Where the text ends.
    end: usize,
    /// Rules that may get more parts.
    n_open: usize,
    /// Whether the sizes of arrays can follow.
    in_parameters: bool,
}

impl TraceWriter {
    /// Where it is.
    pub fn place(&self) -> TracePlace {
        TracePlace { end: self.text.len(), ..self.place }
    }

    /// Goes back to a place; the default one is the beginning.
    pub fn go_back(&mut self, place: TracePlace) {
        self.text.truncate(place.end);
        self.place = place;
    }

    /// The next part is a rule of a predicate. The result is where the sizes of arrays go that it makes.
    pub fn open(&mut self, name: &str, rule: u32) -> usize {
        self.separate();
        push_atom(&mut self.text, name);
        self.text.push('(');
        push_number(&mut self.text, rule);
        self.text.push_str(",[");
        self.place.in_parameters = true;
        self.place.n_open += 1;
        self.text.len()
    }

    /// A rule that is open makes an array; its sizes go to a place in the text. The result is where the next one goes. If
    /// the rule has parts already, places behind it are none any more.
    pub fn parameter(&mut self, size: &TraceParameter, at: usize) -> usize {
        let comma = if self.text[..at].ends_with('[') { "" } else { "," };
        let before = self.text.len();
        self.text.insert_str(at, &format!("{comma}{size}"));
        at + self.text.len() - before
    }

    /// The next part is left open.
    pub fn free(&mut self, name: &str) {
        self.separate();
        self.text.push_str(name);
    }

    /// The innermost rule that is open has no more parts.
    pub fn close(&mut self) {
        self.end_parameters();
        self.text.push_str("])");
        self.place.n_open -= 1;
    }

    /// The trace so far, as if everything were closed; one of which nothing is known, if there was no rule.
    fn written(&self) -> String {
        let begun = &self.text[self.place.start..];
        if begun.is_empty() {
            return "_".to_owned();
        }
        let between = if self.place.in_parameters { "],[" } else { "" };
        let n_behind = between.len() + 2 * self.place.n_open;
        let mut text = String::with_capacity(begun.len() + n_behind);
        text.push_str(begun);
        text.push_str(between);
        (0..self.place.n_open).for_each(|_| text.push_str("])"));
        text
    }

    /// The trace so far, with what was done for it.
    pub fn told(&self, steps: Box<[TraceStep]>) -> ToldTrace {
        ToldTrace { text: self.written().into(), steps }
    }

    fn end_parameters(&mut self) {
        if std::mem::take(&mut self.place.in_parameters) {
            self.text.push_str("],[");
        }
    }

    fn separate(&mut self) {
        self.end_parameters();
        if self.place.n_open == 0 {
            self.place.start = self.text.len();
        } else if !self.text.ends_with('[') {
            self.text.push(',');
        }
    }
}

/// Appends the number of a rule: they are small, and formatting each would take longer than everything else of a trace.
fn push_number(text: &mut String, number: u32) {
    match u8::try_from(number) {
        Ok(0) => text.push('_'),
        Ok(digit @ 0..10) => text.push(char::from(b'0' + digit)),
        _ => {
            let _ = write!(text, "{number}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(text: &str) -> Trace {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn a_trace_reads_back_as_it_is_written() {
        for text in [
            "lcm(1,[],[])",
            "multiples(1,[],[init(1,[ICap],[]),mloop(1,[],[mcond(1,[],[])])])",
            "m(2,[4,_,0],[A1,'Circle.area'(1,[],[]),'?'(3,[],[]),_])",
            "m(1,[],[*,n(1,[],[]),*])",
            "_",
            "Any",
        ] {
            assert_eq!(trace(text).to_string(), text);
        }
    }

    #[test]
    fn a_trace_may_be_written_without_parameters_and_with_space() {
        let short = "lcm(1, [cont(1, [G, check(2, [])])])";
        assert_eq!(trace(short).to_string(), "lcm(1,[],[cont(1,[],[G,check(2,[],[])])])");
    }

    #[test]
    fn variables_stand_for_rules_sizes_and_parts() {
        for (text, read) in [
            ("lcm(_,[],[_])", "lcm(_,[],[_])"),
            ("lcm(K,[],[])", "lcm(_,[],[])"),
            ("lcm(1,_,_)", "lcm(1,[],[*])"),
            ("lcm(1,_,[_])", "lcm(1,[],[_])"),
            ("lcm(1,[4],Calls)", "lcm(1,[4],[*])"),
            ("lcm(1,_)", "lcm(1,[],[*])"),
            ("multiples(1,[*])", "multiples(1,[],[*])"),
            ("a(1,[],[b(_,_,_),c(2,[],[])])", "a(1,[],[b(_,[],[*]),c(2,[],[])])"),
        ] {
            assert_eq!(trace(text).to_string(), read, "{text}");
        }
        assert!(!trace("lcm(_,[],[])").is_complete());
        assert!(trace("lcm(_,[],[])").nodes()[0].is_rule("lcm", 7));
    }

    #[test]
    fn the_nodes_are_in_the_order_of_application() {
        let trace = trace("a(1,[],[b(1,[],[c(1,[],[])]),d(2,[],[])])");
        let names: Vec<&str> = trace.nodes().iter().map(|node| &*node.name).collect();
        assert_eq!(names, ["a", "b", "c", "d"]);
    }

    fn choose(builder: &mut TraceBuilder, number: u32) {
        builder.open(HIDDEN_CHOICE.into(), number);
        builder.close();
    }

    #[test]
    fn choices_that_decide_the_first_rule_are_its_parts() {
        let mut builder = TraceBuilder::default();
        choose(&mut builder, 2);
        choose(&mut builder, 1);
        builder.open("a".into(), 3);
        choose(&mut builder, 4);
        builder.open("b".into(), 1);
        let made = builder.finish();
        let text = "a(3,[],['?'(2,[],[]),'?'(1,[],[]),'?'(4,[],[]),b(1,[],[])])";
        assert_eq!(made.to_string(), text);
        assert_eq!(made, trace(text));
        assert_eq!(made.local_path(), [("a", 3), ("b", 1)]);
    }

    #[test]
    fn what_was_told_makes_the_same_term() {
        for text in ["a(3,[],['?'(2,[],[]),b(1,[4],[c(1,[],[]),d(2,[],[])])])", "_"] {
            let told = ToldTrace::from(&trace(text));
            assert_eq!(told.term(), trace(text));
            assert_eq!(told.to_string(), text);
        }
    }

    #[test]
    fn choices_without_a_rule_make_no_trace() {
        let mut builder = TraceBuilder::default();
        choose(&mut builder, 2);
        assert_eq!(builder.finish(), Trace::free());
    }

    #[test]
    fn completeness_is_about_rules_not_sizes() {
        assert!(trace("a(1,[N],[b(1,[],[])])").is_complete());
        assert!(!trace("a(1,[],[b(1,[],[_])])").is_complete());
        assert!(!Trace::free().is_complete());
    }

    #[test]
    fn what_is_no_trace_is_refused_with_the_place() {
        for (text, message) in [
            ("", "1:1: a trace is expected here"),
            ("lcm(1,[],[]", "1:12: \")\" is expected here"),
            ("lcm(0,[],[])", "1:5: rules are numbered from 1"),
            ("lcm(x,[],[])", "1:5: the number of a rule, or a variable, is expected here"),
            ("lcm(1,[a],[])", "1:8: a size is a number or a variable"),
            ("lcm(1,[],[]) x", "1:14: the trace ends before this"),
            ("lcm(1,[],[4])", "1:11: a trace is expected here"),
            ("lcm(1)", "1:6: \",\" is expected here"),
            ("*", "1:1: a trace is expected here"),
        ] {
            assert_eq!(text.parse::<Trace>().unwrap_err().to_string(), message, "{text}");
        }
    }

    #[test]
    fn a_trace_may_be_as_deep_as_it_likes() {
        let depth = 200_000;
        let text = "a(1,[],[".repeat(depth) + &"])".repeat(depth);
        let deep = trace(&text);
        assert_eq!(deep.nodes().len(), depth);
        assert_eq!(deep.to_string(), text);
    }
}
