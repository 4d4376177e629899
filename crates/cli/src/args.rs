//! What can be typed.

pub(crate) mod generate;
mod numbers;

use std::ffi::{OsStr, OsString};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::error::{ContextValue, Error};
use clap::{Args, Parser, Subcommand, ValueEnum};
pub(crate) use generate::{Demo, Generate};
use petrel_clp::Trace;
use petrel_program::MethodPattern;
use petrel_testcase::{
    Assumption, CostPart, HeapMode, LabelOrder, Objects, Policy, Scope, Selection,
};

/// Automatic unit tests for Java bytecode, by constraint logic programming.
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options of every command.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// Directories and jars with the classes, separated by `:` (`;` on Windows) [default: .]
    #[arg(short, long, global = true, value_name = "PATHS")]
    class_path: Option<OsString>,
    /// The JDK whose class library is used; by default JAVA_HOME, else the java on the path
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) jdk: Option<PathBuf>,
    /// Machine-readable answer on stdout
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Worker threads; by default all cores
    #[arg(short, long, global = true, value_name = "N", value_parser = numbers::jobs)]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Seed of everything random; nothing is random yet
    #[arg(long, global = true, value_name = "N", value_parser = numbers::seed)]
    pub(crate) seed: Option<u64>,
}

impl Common {
    /// Where the classes are.
    pub(crate) fn class_path(&self) -> &OsStr {
        self.class_path.as_deref().unwrap_or(OsStr::new("."))
    }

    /// These options, where they say something, over earlier ones.
    pub(crate) fn over(&self, earlier: Common) -> Common {
        Common {
            class_path: self.class_path.clone().or(earlier.class_path),
            jdk: self.jdk.clone().or(earlier.jdk),
            json: self.json,
            jobs: self.jobs,
            seed: self.seed.or(earlier.seed),
        }
    }
}

/// Where the papers' words are among the options of `cases`, and what to read.
const GUIDES_OF_CASES: &str = "\
What the papers describe:
  termination criteria      --block-count, --loop
  selection, local paths    --select, --strategy
  guided by a trace         --trace, --first
  traces of abstractions    --traces; petrel translate --abstract
  unknown heaps             --heap, --assume, --max-receivers
  costs and policies        --cost, --policy, --oracle, --order-by; petrel worst (also of two methods)
  labelling                 --label, --domain, --solutions
  test-case generators      --save, petrel more; petrel translate --prolog
Guides: docs/cases.md (what is printed, and what is left out), docs/guidance.md, docs/costs.md;
docs/papers.md has a command for each example of the papers.";

/// The same for `worst`.
const GUIDES_OF_WORST: &str = "\
Guides: docs/costs.md (models, profiles, two implementations), docs/guidance.md (policies and oracles);
docs/papers.md has a command for each example of the papers.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Prints the constraint logic program of methods and of what they reach inside the class path
    Translate(Translate),
    /// Runs a static method on concrete arguments and prints its result, or the exception it throws
    Run(Run),
    /// Finds the test cases of a method: paths, inputs that take them, and what they give
    #[command(after_help = GUIDES_OF_CASES)]
    Cases(Cases),
    /// Goes on with what `cases --save` wrote, to a larger bound, without repeating what is finished
    More(More),
    /// Finds the most expensive inputs of a method up to a bound, and how the cost grows with it
    #[command(after_help = GUIDES_OF_WORST)]
    Worst(Worst),
    /// Writes JUnit tests of classes, compiles and runs them, and says why what is left is not covered
    Generate(Box<Generate>),
    /// Shows it all on a small example: writes tests for it, runs them, and shows what was found
    Demo(Demo),
    /// Prints the bytecode of methods with lines and exception handlers
    List(List),
}

/// Options of `translate`.
#[derive(Debug, Args)]
pub(crate) struct Translate {
    /// Print a program that SWI-Prolog loads and runs
    #[arg(long)]
    pub(crate) prolog: bool,
    /// Print the abstraction of the program to its traces, which SWI-Prolog loads: `naive` keeps the control flow, `enhanced`
    /// also the variables that decide it, with their modes, guards and arithmetic
    #[arg(
        long = "abstract",
        value_enum,
        value_name = "PRECISION",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "naive",
        conflicts_with = "prolog"
    )]
    pub(crate) abstraction: Option<Precision>,
    /// Print only what leads along the local paths, or to points, of the abstraction
    #[arg(long, value_name = "local-paths|points:POINT,...", requires = "abstraction")]
    pub(crate) slice: Option<Selection>,
    /// `pkg.Class`, `pkg.Class#method` or `pkg.Class#method(descriptor)`
    #[arg(required = true, value_name = "TARGET")]
    pub(crate) targets: Vec<String>,
}

/// Options of `run`.
#[derive(Debug, Args)]
pub(crate) struct Run {
    /// Give up after this many calls and iterations of loops
    #[arg(long, value_name = "N", value_parser = numbers::steps)]
    pub(crate) steps: Option<u64>,
    /// `pkg.Class#method` or `pkg.Class#method(descriptor)`
    #[arg(value_name = "TARGET")]
    pub(crate) target: String,
    /// Java literals such as `-5`, `5L`, `1.5f`, `'c'`, `"s"`, `{1,2}`, `null`, `true`; where the
    /// parameter's type allows it, also `5` for a long or `abc` for a String
    #[arg(value_name = "ARG", value_parser = unprotected)]
    pub(crate) arguments: Vec<String>,
}

/// Options of `cases`.
#[derive(Debug, Clone, Args)]
pub(crate) struct Cases {
    /// A predicate (a block of the code) occurs at most K times on a path
    #[arg(long, value_name = "K", value_parser = numbers::bound, conflicts_with = "loops")]
    pub(crate) block_count: Option<u32>,
    /// Per entry of a loop at most K iterations that make a choice, and at most K recursive calls
    /// [default: 2]
    #[arg(id = "loops", long = "loop", value_name = "K", value_parser = numbers::bound)]
    pub(crate) loops: Option<u32>,
    /// Give up paths with more choices than this
    #[arg(long, value_name = "N", value_parser = numbers::bound)]
    pub(crate) depth: Option<u32>,
    /// Give up paths with more steps (rules applied) than this [default: 1000000]
    #[arg(long, value_name = "N", value_parser = numbers::steps)]
    pub(crate) steps: Option<u64>,
    /// Stop after this many seconds
    #[arg(long, value_name = "S", value_parser = numbers::seconds)]
    pub(crate) time: Option<Duration>,
    /// The longest array of unknown length that is made for an input [default: 10000]
    #[arg(long, value_name = "N", value_parser = numbers::length)]
    pub(crate) max_array: Option<u32>,
    /// The longest string of unknown length that is made for an input [default: 10000]; if it is given, strings of up to N characters are
    /// tried wherever code looks at all of them
    #[arg(long, value_name = "N", value_parser = numbers::length)]
    pub(crate) max_string: Option<u32>,
    /// The largest collection of unknown size that is made for an input [default: 10000]; if it is given, collections of N elements are
    /// tried wherever code looks at elements
    #[arg(long, value_name = "N", value_parser = numbers::length)]
    pub(crate) max_elements: Option<u32>,
    /// All integral inputs (arguments, fields, elements of arrays; not lengths) are within these
    /// bounds, and those of their types
    #[arg(long, value_name = "LO..HI", value_parser = numbers::domain)]
    pub(crate) domain: Option<(i64, i64)>,
    /// How objects and arrays that are not known are handled
    #[arg(long, value_enum, value_name = "MODE", default_value_t = Heap::Solver)]
    pub(crate) heap: Heap,
    /// Where objects of the project's own classes come from: any combination of `fields`, or `calls` of
    /// constructors and factories and then up to N methods that change them (`calls:N`, `calls` is `calls:0`)
    #[arg(long, value_name = "fields|calls|calls:N", default_value = "fields", value_parser = numbers::objects)]
    pub(crate) objects: Objects,
    /// Something that holds for all inputs, such as `acyclic(x)`; can be given several times
    ///
    /// x and y are parameters, `this`, or fields from there on such as `x.next`.
    ///   non-null(x)         x is not null
    ///   non-aliasing(x, y)  x and y are not the same object
    ///   different(x, y)     x != y: they are not both null either
    ///   non-sharing(x, y)   no object is reached from both
    ///   acyclic(x)          no object that is reached from x reaches itself
    ///   acyclic(x, field)   the same, along fields of this name and elements of arrays alone
    ///   valid(x)            x.repOk() or x.isValid() returns true
    ///   valid(x, method)    x.method() returns true
    /// All but non-null allow null. Where a path leads through null, nothing is assumed.
    #[arg(long = "assume", value_name = "A", verbatim_doc_comment)]
    pub(crate) assumptions: Vec<Assumption>,
    /// Methods whose results are inputs of the case, in the order of their calls; their code is not executed:
    /// `pkg.Class#method`, with `*` in names and a descriptor or without; can be given several times
    #[arg(long, value_name = "METHODS")]
    pub(crate) unknown: Vec<MethodPattern>,
    /// Methods with one boolean parameter that say what is assumed: a call with false ends the path without a case
    #[arg(long, value_name = "METHODS")]
    pub(crate) assume_by: Vec<MethodPattern>,
    /// How many classes to try for an object that is not known, the likeliest first
    #[arg(long, value_name = "N", default_value = "8", value_parser = numbers::count)]
    pub(crate) max_receivers: NonZeroUsize,
    /// Take static fields of the target's class that can change as inputs, too; without it they are
    /// as the class is initialised
    #[arg(long)]
    pub(crate) symbolic_statics: bool,
    /// Only paths with this trace, such as those that are printed; `_` or a capitalised name stands
    /// for any part of it
    #[arg(long, value_name = "TERM")]
    pub(crate) trace: Option<Trace>,
    /// Stop at the first case
    #[arg(long)]
    pub(crate) first: bool,
    /// What to measure: `instructions`, `memory` (4 bytes a field or element; other sizes as in
    /// `memory:ref=8:object=16`), `memory:hotspot` (as the JVM lays objects out), `memory:live` (the most in
    /// use at once), `calls`, `calls:METHOD`, or a model of your own in a file `MODEL.toml`; with `@method`,
    /// `@line`, `@class` or `@stack` behind it, split up by these
    #[arg(long = "cost", value_name = "M,...", value_delimiter = ',')]
    pub(crate) costs: Vec<String>,
    /// Whose code counts: that of the target's class, of the class path, or the JDK's, too
    #[arg(long, value_name = "SCOPE", default_value_t = Scope::Project)]
    pub(crate) cost_scope: Scope,
    /// Only cases with such costs: `memory > 48`, `instructions > 10 * memory`, `instructions > 20 * icap` (a
    /// parameter), `worst-case instructions`, `top 3 memory`, several of them with `and`
    #[arg(long = "policy", value_name = "P")]
    pub(crate) policies: Vec<Policy>,
    /// List the cases by this cost, the most expensive first
    #[arg(long, value_name = "M", conflicts_with = "policies")]
    pub(crate) order_by: Option<String>,
    /// Execute `assert` statements of the class path, as `java -ea` does
    #[arg(long)]
    pub(crate) enable_assertions: bool,
    /// Whether paths that end in an uncaught exception become cases
    #[arg(long, value_enum, default_value_t = Exceptions::Include)]
    pub(crate) exceptions: Exceptions,
    /// How many inputs to find for each case
    #[arg(long, value_name = "N", default_value = "1", value_parser = numbers::count)]
    pub(crate) solutions: NonZeroUsize,
    /// Which inputs of a case come first
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = Label::Readable)]
    pub(crate) label: Label,
    /// Find inputs on the edges of each case's conditions, too, and next to them: 11 and 12 where `x > 10`
    #[arg(long)]
    pub(crate) boundary: bool,
    /// What else to look for: `overflow`, inputs that make `int` and `long` operations of the target's own code
    /// overflow, or a proof that there are none
    #[arg(long, value_enum, value_name = "GOAL,...", value_delimiter = ',')]
    pub(crate) goals: Vec<Goal>,
    /// A command that runs an SMT-LIB 2 solver such as `z3 -in`, to decide constraints with it
    #[arg(long, value_name = "CMD")]
    pub(crate) smt: Option<String>,
    /// Which paths become cases: all, one for each path through the target's own code, or enough to
    /// execute each instruction of the target or of the whole program that it reaches, to take each branch of the target, or to
    /// reach points: source lines such as `12` or `Vector.java:12`, offsets in the bytecode such as `@17` or
    /// `pkg.Vector#add@17`, or branches such as `@17-24`
    #[arg(
        long,
        value_name = "all-paths|local-paths|statements|program-statements|branches|points:POINT,...",
        default_value_t = Selection::AllPaths
    )]
    pub(crate) select: Selection,
    /// List the traces that an abstraction of the program generates for the selection, each with whether it has a case, and make no
    /// cases: `naive` keeps the control flow, `enhanced` also the variables that decide it
    #[arg(
        long,
        value_enum,
        value_name = "PRECISION",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "naive",
        conflicts_with_all = [
            "save", "trace", "first", "oracle", "policies", "order_by", "goals", "strategy", "solutions", "boundary"
        ]
    )]
    pub(crate) traces: Option<Precision>,
    /// How the paths of a selection are found: by traces of an abstraction, or among all paths
    #[arg(long, value_enum, default_value_t = Strategy::Auto)]
    pub(crate) strategy: Strategy,
    /// Which abstraction of the program proposes the paths that a policy may want
    #[arg(long, value_enum, default_value_t = Oracle::None)]
    pub(crate) oracle: Oracle,
    /// Write what is left to a file, which `petrel more` goes on with
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
    /// `pkg.Class#method` or `pkg.Class#method(descriptor)`
    #[arg(value_name = "TARGET", value_parser = unprotected)]
    pub(crate) target: String,
}

/// Options of `more`.
#[derive(Debug, Args)]
pub(crate) struct More {
    /// The bound to go on to, if the file was written with `--block-count` [default: one more]
    #[arg(long, value_name = "K", value_parser = numbers::bound, conflicts_with = "loops")]
    pub(crate) block_count: Option<u32>,
    /// The bound to go on to, if the file was written with `--loop` [default: one more]
    #[arg(id = "loops", long = "loop", value_name = "K", value_parser = numbers::bound)]
    pub(crate) loops: Option<u32>,
    /// Stop after this many seconds
    #[arg(long, value_name = "S", value_parser = numbers::seconds)]
    pub(crate) time: Option<Duration>,
    /// Print what is left as a program, from which SWI-Prolog enumerates further cases, and do not go on
    #[arg(long, conflicts_with_all = ["save", "loops", "block_count", "time"])]
    pub(crate) prolog: bool,
    /// Write what is left then to a file, which may be the same
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
    /// What `cases --save` or `more --save` wrote
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

/// Options of `worst`.
#[derive(Debug, Args)]
pub(crate) struct Worst {
    /// How many of the next most expensive cases to show, too
    #[arg(long, value_name = "N", default_value = "2", value_parser = numbers::others)]
    pub(crate) runners_up: u32,
    /// Which parts of the program the first cost model's costs come from, for each case: `method`, `line` or
    /// `class`; or nothing but the stacks of calls of the worst case, as flame-graph tools read them (`collapsed`)
    #[arg(long, value_enum, value_name = "PARTS", num_args = 0..=1, require_equals = true,
          default_missing_value = "method")]
    pub(crate) profile: Option<Profile>,
    #[command(flatten)]
    pub(crate) cases: Cases,
    /// Another implementation of the same, to compare with: what both cost at most within each bound, and from which
    /// bound on one of them is better
    #[arg(value_name = "TARGET2", value_parser = unprotected, conflicts_with_all = ["profile", "trace"])]
    pub(crate) other: Option<String>,
}

/// How a profile is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Profile {
    /// What each method costs
    Method,
    /// What each source line costs
    Line,
    /// What each class costs
    Class,
    /// What each stack of calls costs, as `A.m;B.n 42`
    Collapsed,
}

impl Profile {
    /// What costs are split up by.
    pub(crate) fn part(self) -> CostPart {
        match self {
            Profile::Method => CostPart::Method,
            Profile::Line => CostPart::Line,
            Profile::Class => CostPart::Class,
            Profile::Collapsed => CostPart::Stack,
        }
    }
}

/// What an abstraction keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Precision {
    /// The control flow alone
    Naive,
    /// With the variables that decide it
    Enhanced,
}

/// How unknown objects and arrays are handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Heap {
    /// Which of them are the same object stays open until the program depends on it
    Solver,
    /// A path for each object that a reference may be when it is first looked at
    Lazy,
    /// As lazy, but no two references are the same object
    LazyNoAlias,
    /// As solver, but with a path for each index of an array at which the program may read or write
    Simulation,
}

impl Heap {
    pub(crate) fn mode(self) -> HeapMode {
        match self {
            Heap::Solver => HeapMode::Solver,
            Heap::Lazy => HeapMode::Lazy,
            Heap::LazyNoAlias => HeapMode::LazyNoAlias,
            Heap::Simulation => HeapMode::Simulation,
        }
    }
}

/// Which inputs of a case come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Label {
    /// Small and simple ones
    Readable,
    /// The smallest value for the first unknown, then for the second: `labeling([])` of Prolog systems
    First,
    /// The same, the unknown with the fewest possible values next: `labeling([ff])`
    Ff,
}

impl Label {
    pub(crate) fn order(self) -> LabelOrder {
        match self {
            Label::Readable => LabelOrder::Readable,
            Label::First => LabelOrder::First,
            Label::Ff => LabelOrder::FirstFail,
        }
    }
}

/// What is looked for besides cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Goal {
    /// Operations that overflow
    Overflow,
}

/// What becomes of paths that end in an uncaught exception.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Exceptions {
    /// They are cases
    Include,
    /// They are only counted
    Exclude,
}

/// How the paths of a selection are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Strategy {
    /// As the control flow suggests
    Auto,
    /// By traces of an abstraction of the program
    Guided,
    /// Among all paths
    Plain,
}

impl Strategy {
    pub(crate) fn strategy(self) -> petrel_testcase::Strategy {
        match self {
            Strategy::Auto => petrel_testcase::Strategy::Auto,
            Strategy::Guided => petrel_testcase::Strategy::Guided,
            Strategy::Plain => petrel_testcase::Strategy::Plain,
        }
    }
}

/// Which abstraction proposes paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Oracle {
    /// None: all paths are derived
    None,
    /// The control flow alone
    Naive,
    /// With the variables that decide the control flow
    Enhanced,
    /// By a static estimate of what calls cost: fast, but others may be more expensive
    Estimate,
}

impl Oracle {
    pub(crate) fn oracle(self) -> petrel_testcase::Oracle {
        match self {
            Oracle::None => petrel_testcase::Oracle::None,
            Oracle::Naive => petrel_testcase::Oracle::Naive,
            Oracle::Enhanced => petrel_testcase::Oracle::Enhanced,
            Oracle::Estimate => petrel_testcase::Oracle::Estimate,
        }
    }
}

/// What this process was asked to do. Ends the process with a message if that cannot be understood.
pub(crate) fn parse() -> Arguments {
    Arguments::try_parse_from(protected(std::env::args_os()))
        .unwrap_or_else(|error| without_protection(error).exit())
}

/// What a process was asked to do that was started so.
pub(crate) fn parse_again(arguments: &[String]) -> Result<Arguments, String> {
    let arguments = std::iter::once("petrel").chain(arguments.iter().map(|text| &**text));
    Arguments::try_parse_from(protected(arguments.map(OsString::from)))
        .map_err(|error| without_protection(error).to_string())
}

/// The same error; what it quotes is as it was typed.
fn without_protection(mut error: Error) -> Error {
    let quoted: Vec<_> = error
        .context()
        .filter_map(|(kind, value)| match value {
            ContextValue::String(text) => Some((kind, text.replace(PROTECTION, ""))),
            _ => None,
        })
        .collect();
    for (kind, text) in quoted {
        error.insert(kind, ContextValue::String(text));
    }
    error
}

/// What stands before a negative number so that it is not taken for an option; nobody can type it.
const PROTECTION: char = '\u{1f}';

/// The arguments of a process, negative numbers such as `-5L` or `-.5f` protected: options may stand
/// before and behind them.
fn protected(arguments: impl Iterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    arguments.map(|argument| match argument.to_str() {
        Some(text) if is_negative_number(text) => format!("{PROTECTION}{text}").into(),
        _ => argument,
    })
}

fn is_negative_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or_default();
    digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') || digits.starts_with("Infinity")
}

fn unprotected(text: &str) -> Result<String, std::convert::Infallible> {
    Ok(text.strip_prefix(PROTECTION).unwrap_or(text).to_owned())
}

/// Options of `list`.
#[derive(Debug, Args)]
pub(crate) struct List {
    /// `pkg.Class`, `pkg.Class#method` or `pkg.Class#method(descriptor)`
    #[arg(required = true, value_name = "TARGET")]
    pub(crate) targets: Vec<String>,
}
