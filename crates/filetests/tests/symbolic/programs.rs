//! Cases of random Java methods hold on the JVM, and none is missing.
//!
//! The methods branch on their inputs, loop, switch, throw and catch, write static fields, fields and
//! array elements at places that depend on inputs, call each other, and initialise classes on the way.
//! On the whole range of the inputs, each case ends on the JVM as it says. On a small range, the traces
//! of the cases are those that the concrete derivations of all inputs take.
//!
//! `PETREL_PROGRAMS=500` tries so many, and `SEED=2` those from there on. The files of programs with a
//! finding stay where the report says.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use petrel_checks::{Amount, judges_shares, seed};
use petrel_classfile::{JavaType, MethodDescriptor};
use petrel_classpath::Jdk;
use petrel_filetests::heaps::{Way, ways_of_numbers};
use petrel_filetests::programs::{JavaProgram, compile};
use petrel_filetests::sample::Random;
use petrel_filetests::symbolic::{Prediction, Totals, all_cases, is_target, predictions};
use petrel_filetests::{derive, world};
use petrel_program::ResolvedMethod;
use petrel_replay::{Call, Isolation, Replay, ReplayOptions};
use petrel_testcase::{Options, Termination};
use petrel_translate::cache::Procedures;

const N_PROGRAMS: Amount = Amount::new(3, 15, 50);
const MOST_STEPS: u64 = 20_000;
/// A method that needs more has shown enough.
const MOST_TIME: Duration = Duration::from_secs(2);
const REPLAY_LIMIT: Duration = Duration::from_secs(20);
/// The range that is tried input by input.
const SMALL: (i64, i64) = (-3, 3);
/// No path on the small range has more iterations with a choice.
const NO_BOUND: u32 = 4_096;
/// A method with many cases is replayed by so many of them.
const MOST_REPLAYED: usize = 60;

#[test]
fn cases_of_random_methods_hold_on_the_jvm_and_are_complete() {
    let (count, first) = (N_PROGRAMS.drawn("PETREL_PROGRAMS", "random programs"), seed() as usize);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("symbolic-programs-{first}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be made");
    let jdk = world::jdk();
    let seeds = first..first + count;
    let programs: Vec<JavaProgram> = seeds
        .clone()
        .map(|seed| JavaProgram { class: class_name(seed), source: Writer::program(seed) })
        .collect();
    assert_eq!(compile(&jdk, &folder, &programs).len(), count, "the compiler breaks down");
    let session = derive::open(&jdk, &folder);
    let procedures = Procedures::new(session.program());
    let (mut totals, mut predicted, mut missing) = (Totals::default(), Vec::new(), Vec::new());
    let mut n_complete = 0;
    for seed in seeds {
        let class = session.program().class(&class_name(seed)).expect("it was compiled");
        for method in class.methods().filter(is_target) {
            predicted.extend(cases(&procedures, &method, &mut totals));
            match compare_small(&procedures, &method) {
                Some(Ok(())) => n_complete += 1,
                Some(Err(what)) => missing.push(what),
                None => {}
            }
        }
    }
    replay(&jdk, &folder, &predicted, &mut totals);
    let report = totals.report();
    eprintln!("{n_complete} complete on the small range; {report}");
    assert!(totals.tally.different.is_empty(), "see {}: {report}", folder.display());
    assert!(totals.tally.not_callable.is_empty(), "see {}: {report}", folder.display());
    assert!(totals.contradictions.is_empty(), "see {}: {report}", folder.display());
    assert!(missing.is_empty(), "see {}: {}", folder.display(), missing.join("\n"));
    if judges_shares() {
        assert!(2 * n_complete > totals.methods, "most methods are to be compared: {n_complete}");
        let n_limited = totals.limited_methods;
        assert!(50 * n_limited <= totals.methods, "few methods need much time: {report}");
    }
    fs::remove_dir_all(&folder).expect("the folder can be removed");
}

/// The predictions of the cases on the whole range.
fn cases(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    totals: &mut Totals,
) -> Vec<Prediction> {
    let options = Options { solutions: 2, ..options(Termination::Loop(2)) };
    let (cases, summary) =
        all_cases(procedures, method, &options).unwrap_or_else(|error| panic!("{method}: {error}"));
    totals.add(&method.to_string(), cases.len(), &summary);
    cases.iter().take(MOST_REPLAYED).flat_map(|case| predictions(method, case)).collect()
}

fn options(termination: Termination) -> Options {
    Options { termination, steps: MOST_STEPS, time: Some(MOST_TIME), ..Options::default() }
}

/// Compares the traces of cases on the small range with those of all its inputs; `None` if paths were
/// left.
fn compare_small(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
) -> Option<Result<(), String>> {
    let options = Options { domain: Some(SMALL), ..options(Termination::Loop(NO_BOUND)) };
    let (cases, summary) =
        all_cases(procedures, method, &options).unwrap_or_else(|error| panic!("{method}: {error}"));
    if !summary.ends.is_complete_at_first() || summary.ends.cut > 0 {
        return None;
    }
    let of_cases: BTreeSet<Way> = cases.iter().map(Way::of).collect();
    let mut taken = BTreeSet::new();
    let inputs = inputs(method);
    let ways = ways_of_numbers(procedures, method, &inputs, options.termination, MOST_STEPS);
    for (input, way) in inputs.iter().zip(ways) {
        if !of_cases.contains(&way) {
            return Some(Err(format!("{method} on {input:?} takes no path of a case: {way:?}")));
        }
        taken.insert(way);
    }
    let surplus = of_cases.difference(&taken).next();
    Some(surplus.map_or(Ok(()), |way| Err(format!("{method}: no input takes {way:?}"))))
}

/// All inputs of the small range.
fn inputs(method: &ResolvedMethod) -> Vec<Vec<i64>> {
    let descriptor = MethodDescriptor::parse(method.descriptor()).expect("it was read before");
    let mut inputs = vec![Vec::new()];
    for java_type in &descriptor.parameters {
        let (low, high) = match java_type {
            JavaType::Boolean => (0, 1),
            JavaType::Char => (0, SMALL.1),
            _ => SMALL,
        };
        let longer = |input: Vec<i64>| (low..=high).map(move |last| [&input[..], &[last]].concat());
        inputs = inputs.into_iter().flat_map(longer).collect();
    }
    inputs
}

fn replay(jdk: &Jdk, folder: &Path, predicted: &[Prediction], totals: &mut Totals) {
    let options = ReplayOptions { time_limit: REPLAY_LIMIT, ..ReplayOptions::new(jdk) };
    let mut replay = Replay::start(options).expect("the JVM starts");
    let calls = predicted.iter().map(|prediction| Call {
        isolation: Isolation::Fresh,
        class_path: Some(vec![folder.to_path_buf()]),
        ..prediction.call.clone()
    });
    let outcomes = replay.call_all(calls).expect("the JVM answers");
    for (prediction, outcome) in predicted.iter().zip(&outcomes) {
        totals.tally.add(&prediction.call, prediction.judge(outcome));
    }
}

fn class_name(seed: usize) -> String {
    format!("S{seed}")
}

/// What every program has besides its methods.
const MEMBERS: &str = "
    static int si = 3; static long sj = -5; static byte sb = 7; static char sc = 'x';
    static boolean sz;
    static int[] sa = {4, 0, -1, 9}; static byte[] ba = {1, -2, 3}; static long[] ja = {5, -6, 7};
    static char[] ca = {'a', 1, 0xffff}; static boolean[] za = {true, false, true};
    static Box so = new Box(2); static Box[] oa = {new Box(1), null, new Sub(5)};
    static class Box {
        int i; long j = 4; byte b; boolean z;
        Box(int i) { this.i = i; b = (byte) i; }
        int get(int k) { return k > i ? k - i : i; }
    }
    static class Sub extends Box {
        Sub(int i) { super(i + 1); }
        @Override int get(int k) {
            if (k == 2) throw new IllegalStateException(\"k\" + b);
            return sa[k & 1] + i;
        }
    }
    static class Lazy { static int v = si + 1; static { si += 2; } }
    static class Fails { static int v = 1 / (sb - 7); }
";
const TYPES: [&str; 8] = ["int", "int", "int", "long", "byte", "short", "char", "boolean"];
const NAMES: [&str; 3] = ["p", "q", "r"];
const CONSTANTS: [&str; 14] = [
    "0",
    "1",
    "2",
    "3",
    "-1",
    "-3",
    "7",
    "31",
    "64",
    "255",
    "1000003",
    "0x80000000",
    "0x7fffffff",
    "'a'",
];
const CAUGHT: [&str; 5] = [
    "ArithmeticException",
    "ArrayIndexOutOfBoundsException",
    "NullPointerException",
    "RuntimeException",
    "Throwable",
];

/// Writes a random program. Loops have few iterations, and methods call only those before them, so
/// that calls end.
struct Writer {
    random: Random,
    /// Variables of the method with their types.
    variables: Vec<(String, &'static str)>,
    /// Parameters and result of the methods so far.
    methods: Vec<(Vec<&'static str>, &'static str)>,
    n_names: usize,
    /// How many statements the method may still have.
    budget: usize,
}

impl Writer {
    fn program(seed: usize) -> String {
        let random = Random::new(seed as u64);
        let (variables, methods) = (Vec::new(), Vec::new());
        let mut writer = Writer { random, variables, methods, n_names: 0, budget: 0 };
        let methods: String = (0..4).map(|number| writer.method(number)).collect();
        format!("class {} {{{MEMBERS}\n{methods}}}\n", class_name(seed))
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        self.random.one_of(of)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.random.below(limit)
    }

    fn fresh(&mut self) -> String {
        self.n_names += 1;
        format!("v{}", self.n_names)
    }

    fn method(&mut self, number: usize) -> String {
        let count = 1 + self.below(NAMES.len());
        let parameters: Vec<&str> = (0..count).map(|_| self.pick(&TYPES)).collect();
        let result = self.pick(&TYPES);
        let named = NAMES.iter().zip(&parameters);
        self.variables = named.clone().map(|(&name, &of)| (name.to_owned(), of)).collect();
        let declared: Vec<String> = named.map(|(name, of)| format!("{of} {name}")).collect();
        self.budget = 4 + self.below(8);
        let (body, value) = (self.block(6), self.expression(result, 3));
        self.methods.push((parameters, result));
        let declared = declared.join(", ");
        format!("static {result} m{number}({declared}) {{\n{body}return {value};\n}}\n")
    }

    fn block(&mut self, most: usize) -> String {
        let visible = self.variables.len();
        let mut text = String::new();
        for _ in 0..=self.below(most) {
            if self.budget > 0 {
                self.budget -= 1;
                text += &self.statement();
                text.push('\n');
            }
        }
        self.variables.truncate(visible);
        text
    }

    fn statement(&mut self) -> String {
        match self.below(11) {
            0 => {
                let (of, name) = (self.pick(&TYPES), self.fresh());
                let text = format!("{of} {name} = {};", self.expression(of, 3));
                self.variables.push((name, of));
                text
            }
            1 | 2 => {
                let (condition, block) = (self.condition(2), self.block(2));
                format!("if ({condition}) {{\n{block}}} else {{\n{}}}", self.block(2))
            }
            3 => {
                let (name, condition, trips) = (self.fresh(), self.condition(1), 2 + self.below(3));
                let block = self.block(2);
                format!(
                    "for (int {name} = 0; {name} < {trips} && ({condition}); {name}++) {{\n{block}}}"
                )
            }
            4 => {
                let (value, first, second) = (self.integer(2), self.block(2), self.block(2));
                let (third, end) = (self.block(1), self.pick(&["break;", ""]));
                format!(
                    "switch ({value}) {{ case 0: case 7: {{\n{first}}} {end}\ncase -2: {{\n{second}}} \
                     break;\ndefault: {{\n{third}}} }}"
                )
            }
            5 => {
                let (name, caught, first) = (self.fresh(), self.pick(&CAUGHT), self.block(2));
                let (second, third) = (self.block(1), self.block(1));
                format!(
                    "try {{\n{first}}} catch ({caught} {name}) {{\n{second}}} finally {{\n{third}}}"
                )
            }
            6 => format!(
                "if ({}) throw new IllegalArgumentException({}.getClass().getName());",
                self.condition(2),
                self.object()
            ),
            7 => {
                let operator = self.pick(&["+=", "*=", "^=", "<<=", ">>>=", "/="]);
                let place = self.pick(&["si", "sj", "sb", "sc"]);
                format!("{place} {operator} {};", self.integer(2))
            }
            8 => match self.below(4) {
                0 => format!("za[{}] = {};", self.index(), self.condition(1)),
                1 => format!("oa[{}] = {};", self.index(), self.object()),
                _ => {
                    let array = self.pick(&["sa", "ba", "ja", "ca"]);
                    format!("{array}[{}] += {};", self.index(), self.integer(2))
                }
            },
            9 => match self.below(3) {
                0 => format!("so = {};", self.object()),
                1 => format!("{}.b += {};", self.object(), self.integer(2)),
                _ => format!("{}.i = {};", self.object(), self.integer(2)),
            },
            _ => {
                let chosen = self.below(self.variables.len());
                let (name, of) = self.variables[chosen].clone();
                format!("{name} = {};", self.expression(of, 3))
            }
        }
    }

    fn index(&mut self) -> String {
        let index = self.integer(1);
        format!("{index}{}", self.pick(&["", " & 3", " % 3", " ^ 1"]))
    }

    fn object(&mut self) -> String {
        match self.below(4) {
            0 => "so".to_owned(),
            1 => format!("oa[{}]", self.index()),
            2 => "oa[2]".to_owned(),
            _ => format!("new Sub({})", self.integer(1)),
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        let booleans: Vec<String> = self
            .variables
            .iter()
            .filter(|(_, of)| *of == "boolean")
            .map(|(name, _)| name.clone())
            .collect();
        match self.below(if depth == 0 { 5 } else { 7 }) {
            0 if !booleans.is_empty() => booleans[self.below(booleans.len())].clone(),
            0 => format!("{}.z", self.object()),
            1 => format!("za[{}]", self.index()),
            2 => format!("{} instanceof Sub", self.object()),
            5 => format!("({}) && ({})", self.condition(depth - 1), self.condition(depth - 1)),
            6 => format!("!({}) || ({})", self.condition(depth - 1), self.condition(depth - 1)),
            _ => {
                let (of, comparison) =
                    (self.pick(&["int", "long"]), self.pick(&["==", "!=", "<", "<=", ">", ">="]));
                format!(
                    "{} {comparison} {}",
                    self.expression(of, depth),
                    self.expression(of, depth)
                )
            }
        }
    }

    fn integer(&mut self, depth: usize) -> String {
        self.expression("int", depth)
    }

    /// An expression of a type that needs no parentheses around it.
    fn expression(&mut self, of: &str, depth: usize) -> String {
        if of == "boolean" {
            return format!("({})", self.condition(depth.min(2)));
        }
        if depth == 0 || self.below(4) == 0 {
            return format!("(({of}) {})", self.leaf());
        }
        let wide = if of == "long" { "long" } else { "int" };
        let (left, right) = (self.expression(wide, depth - 1), self.expression(wide, depth - 1));
        let value = match self.below(10) {
            0 => format!("{} ? {left} : {right}", self.expression("boolean", depth - 1)),
            1 => format!("{}[{}]", self.pick(&["sa", "ba", "ja", "ca"]), self.index()),
            2 => format!("{}.get((int) {left})", self.object()),
            3 => format!("{}.{}", self.object(), self.pick(&["i", "j", "b"])),
            4 if !self.methods.is_empty() => self.call(depth - 1),
            _ => {
                let operators = ["+", "-", "*", "/", "%", "<<", ">>", ">>>", "&", "|", "^"];
                format!("{left} {} {right}", self.pick(&operators))
            }
        };
        format!("(({of}) ({value}))")
    }

    fn call(&mut self, depth: usize) -> String {
        let number = self.below(self.methods.len());
        let (parameters, result) = self.methods[number].clone();
        let arguments: Vec<String> =
            parameters.iter().map(|of| self.expression(of, depth)).collect();
        let end = if result == "boolean" { " ? 1 : 0" } else { "" };
        format!("m{number}({}){end}", arguments.join(", "))
    }

    /// A number of any type.
    fn leaf(&mut self) -> String {
        let numbers: Vec<String> = self
            .variables
            .iter()
            .filter(|(_, of)| *of != "boolean")
            .map(|(name, _)| name.clone())
            .collect();
        match self.below(6) {
            0 => self.pick(&["si", "sj", "sb", "sc", "Lazy.v", "Fails.v"]).to_owned(),
            1..=3 if !numbers.is_empty() => numbers[self.below(numbers.len())].clone(),
            _ => format!("({})", self.pick(&CONSTANTS)),
        }
    }
}
