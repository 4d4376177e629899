//! What `cases`, `more` and `worst` answer: one document, a line for each case.

mod closing;

use std::io;

use petrel_testcase as testcase;
use petrel_testcase::{Asked, Coverage, Report, Summary, Teller};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use closing::{
    Bound, Branches, Closing, Ends, Instructions, JudgedOperation, MethodOfProgram,
    OverflowVerdict, Parametric, Program, Statistics, Stopped, Uncovered, Unreached, UnreachedWhy,
    Why,
};

use crate::SCHEMA;
use crate::case::{Case, LastTold, NumberedCase};
use crate::layout::in_lines;
use crate::text::Text;

/// The whole document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "petrel cases --json, petrel more --json, petrel worst --json")]
pub struct CasesAnswer<'a> {
    /// What was asked for.
    #[serde(flatten)]
    pub opening: Opening<'a>,
    /// The cases in the order of the tree.
    pub cases: Vec<NumberedCase<'a>>,
    /// What is known at the end.
    #[serde(flatten)]
    pub end: End<'a>,
}

/// What comes before the cases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Opening<'a> {
    /// The version of the format.
    pub schema: u32,
    /// The method: `pkg.Class#method(descriptor)`.
    pub target: Text<'a>,
    /// Which paths become cases.
    pub criterion: Criterion<'a>,
}

/// Which paths become cases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Criterion<'a> {
    /// The termination criterion: `loop-2`.
    pub termination: Text<'a>,
    /// The selection criterion: `all-paths`.
    pub selection: Text<'a>,
    /// How unknown heap is handled: `solver`.
    pub heap: Text<'a>,
    /// What is assumed of the initial heap: `acyclic(x)`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assume: Vec<Text<'a>>,
}

/// What comes behind the cases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum End<'a> {
    /// The paths have been looked at.
    Finished(Box<Closing<'a>>),
    /// They could not be.
    Abandoned(Abandoned<'a>),
}

/// The end of a document whose paths could not be looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Abandoned<'a> {
    /// Why.
    pub error: Text<'a>,
}

impl<'a> Opening<'a> {
    fn of(asked: &'a Asked) -> Opening<'a> {
        let criterion = Criterion::of(asked);
        Opening { schema: SCHEMA, target: Text::from(&*asked.target), criterion }
    }
}

impl<'a> Criterion<'a> {
    pub(crate) fn of(asked: &'a Asked) -> Criterion<'a> {
        let Asked { target: _, termination, selection, heap, assumptions } = asked;
        Criterion {
            termination: Text::from(&**termination),
            selection: Text::from(&**selection),
            heap: Text::from(&**heap),
            assume: assumptions.iter().map(|it| Text::from(&**it)).collect(),
        }
    }
}

/// Somebody who writes cases behind their numbers; with `all_solutions` each lists all of its inputs.
pub fn json_teller(all_solutions: bool) -> Box<dyn Teller> {
    Box::new(JsonTeller { all_solutions, last: LastTold::default() })
}

#[derive(Debug)]
struct JsonTeller {
    /// Whether each case tells all of its solutions, not only the first.
    all_solutions: bool,
    last: LastTold,
}

impl Teller for JsonTeller {
    fn tell(&mut self, case: &testcase::Case, out: &mut Vec<u8>) -> io::Result<()> {
        let start = out.len();
        self.last.go_on_with(case);
        Case::of(case, self.all_solutions, &self.last).write(out)?;
        // The members go on behind the number.
        out[start] = b',';
        Ok(())
    }
}

/// The report for scripts.
#[derive(Debug)]
pub struct JsonReport {
    asked: Asked,
    /// Whether each case tells all of its solutions, not only the first.
    all_solutions: bool,
    cases: u64,
    /// Cases of earlier reports, which the numbers go on from.
    before: u64,
}

impl JsonReport {
    /// A report on what was asked for; with `all_solutions` each case lists all of its inputs.
    pub fn new(asked: Asked, all_solutions: bool) -> JsonReport {
        JsonReport { asked, all_solutions, cases: 0, before: 0 }
    }

    /// A report on further cases: so many came before.
    pub fn after(self, before: u64) -> JsonReport {
        JsonReport { before, ..self }
    }

    /// The end of the array of cases, and the members behind it.
    fn end(members: &End<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        out.extend_from_slice(b"\n]");
        let start = out.len();
        in_lines(members, out)?;
        out.splice(start..=start, *b",\n");
        out.push(b'\n');
        Ok(())
    }
}

impl Report for JsonReport {
    fn opening(&self, out: &mut Vec<u8>) -> io::Result<()> {
        in_lines(&Opening::of(&self.asked), out)?;
        // The object goes on.
        out.pop();
        out.extend_from_slice(b",\n\"cases\":[");
        Ok(())
    }

    fn next_case(&mut self, out: &mut Vec<u8>) {
        self.cases += 1;
        let before = if self.cases == 1 { "\n" } else { ",\n" };
        let id = self.before + self.cases;
        out.extend_from_slice(format!("{before}{{\"id\":{id}").as_bytes());
    }

    fn teller(&self) -> Box<dyn Teller> {
        json_teller(self.all_solutions)
    }

    fn closing(&self, summary: &Summary, coverage: &Coverage, out: &mut Vec<u8>) -> io::Result<()> {
        JsonReport::end(&End::Finished(Box::new(Closing::of(summary, coverage))), out)
    }

    fn abandoned(&self, reason: &str, out: &mut Vec<u8>) -> io::Result<()> {
        JsonReport::end(&End::Abandoned(Abandoned { error: reason.into() }), out)
    }
}
