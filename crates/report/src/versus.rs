//! What `worst` answers about two methods.

use std::io;

use petrel_testcase as testcase;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::SCHEMA;
use crate::case::{Input, Outcome, Output, input_and_output};
use crate::layout::pretty;
use crate::text::Text;

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "petrel worst A#m B#n --json")]
pub struct VersusAnswer<'a> {
    /// The version of the format.
    pub schema: u32,
    /// The two methods.
    pub targets: Vec<Text<'a>>,
    /// The cost model.
    pub model: Text<'a>,
    /// What it counts.
    pub unit: Option<Text<'a>>,
    /// The largest costs within each bound.
    pub growth: Vec<VersusBound<'a>>,
    /// From which bound on one of them is better, up to the largest bound.
    pub lasting: Option<VersusLasting<'a>>,
    /// The worst case of each within the largest bound.
    pub worst: Vec<Option<VersusWorst<'a>>>,
    /// What keeps the costs from being comparable.
    pub not_comparable: Vec<Text<'a>>,
    /// What keeps the search for the worst cases of each from being complete.
    pub left_open: Vec<Vec<Text<'a>>>,
}

/// The largest costs within a bound.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VersusBound<'a> {
    /// The bound: `loop-3`.
    pub bound: Text<'a>,
    /// What each costs; `null` without a case.
    pub values: Vec<Option<i64>>,
    /// The method that costs less.
    pub better: Option<Text<'a>>,
}

/// From which bound on one of them is better.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VersusLasting<'a> {
    /// The bound.
    pub from: Text<'a>,
    /// The method; `null` if they cost the same.
    pub better: Option<Text<'a>>,
}

/// The worst case of a method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VersusWorst<'a> {
    /// What it costs.
    pub value: i64,
    /// What its input costs the other method.
    pub on_other: Option<i64>,
    /// How the call ends.
    pub outcome: Outcome<'a>,
    /// The input.
    pub input: Input<'a>,
    /// What it gives.
    pub output: Output<'a>,
}

impl<'a> VersusAnswer<'a> {
    /// Of what two methods cost.
    pub fn of(versus: &'a testcase::Versus) -> VersusAnswer<'a> {
        let name = |side: usize| Text::from(&*versus.targets[side]);
        let texts = |texts: &'a [String]| texts.iter().map(|text| Text::from(&**text)).collect();
        VersusAnswer {
            schema: SCHEMA,
            targets: texts(&versus.targets),
            model: Text::from(&*versus.model),
            unit: versus.unit.as_deref().map(Text::from),
            growth: versus
                .bounds
                .iter()
                .map(|bound| VersusBound {
                    bound: Text::from(&*bound.bound),
                    values: bound.costs.to_vec(),
                    better: bound.better().map(name),
                })
                .collect(),
            lasting: versus.lasting().map(|lasting| VersusLasting {
                from: Text::from(lasting.from),
                better: lasting.better.map(name),
            }),
            worst: versus.worst.iter().map(|worst| worst.as_ref().map(VersusWorst::of)).collect(),
            not_comparable: texts(&versus.doubts),
            left_open: versus.left_open.iter().map(|open| texts(open)).collect(),
        }
    }

    /// Writes the document.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(&self, out: impl io::Write) -> io::Result<()> {
        pretty(self, out)
    }
}

impl<'a> VersusWorst<'a> {
    fn of(worst: &'a testcase::WorstCase) -> VersusWorst<'a> {
        let case = &worst.case;
        let first = case.solutions.first();
        let (input, output) =
            first.map_or_else(Default::default, |first| input_and_output(case, first));
        let outcome = Outcome::of(&case.outcome);
        VersusWorst { value: worst.cost, on_other: worst.on_other, outcome, input, output }
    }
}
