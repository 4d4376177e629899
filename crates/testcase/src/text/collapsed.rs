//! Profiles as flame-graph tools read them: a line for each stack of calls, with its cost (`A.m;B.n 42`).

use std::io::{self, Write};

use crate::case::{Case, Summary};
use crate::coverage::Coverage;
use crate::report::{Report, Teller};

/// The stacks of cases under the first cost model that is split up, and nothing else.
#[derive(Debug)]
pub struct CollapsedReport;

impl Report for CollapsedReport {
    fn opening(&self, _out: &mut Vec<u8>) -> io::Result<()> {
        Ok(())
    }

    fn next_case(&mut self, _out: &mut Vec<u8>) {}

    fn teller(&self) -> Box<dyn Teller> {
        Box::new(CollapsedReport)
    }

    fn closing(&self, _: &Summary, _: &Coverage, _out: &mut Vec<u8>) -> io::Result<()> {
        Ok(())
    }

    fn abandoned(&self, _reason: &str, _out: &mut Vec<u8>) -> io::Result<()> {
        Ok(())
    }
}

impl Teller for CollapsedReport {
    fn tell(&mut self, case: &Case, out: &mut Vec<u8>) -> io::Result<()> {
        let parts = case.costs.iter().find_map(|cost| cost.parts.as_ref());
        parts.into_iter().flatten().try_for_each(|(stack, cost)| writeln!(out, "{stack} {cost}"))
    }
}
