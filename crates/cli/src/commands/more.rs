//! `petrel more`: goes on with a residual generator.

use std::io::Write;

use petrel_budget::Purse;
use petrel_testcase::Termination;
use petrel_translate::cache::Procedures;

use super::cases::{self, Run};
use super::{outside, residual};
use crate::args::{self, Command, Common, More};
use crate::failure::{Failure, Status};
use crate::output::Output;

pub(crate) fn run(common: &Common, more: &More, purse: &Purse) -> Result<Status, Failure> {
    let purse = cases::within(purse, more.time);
    let saved = residual::read(&more.file)?;
    let shown = more.file.display();
    let before = args::parse_again(&saved.arguments)
        .map_err(|error| Failure(format!("{shown}: it is damaged: {error}")))?;
    let Command::Cases(mut asked) = before.command else {
        return Err(Failure(format!("{shown}: it is damaged: the arguments")));
    };
    if more.prolog && common.json {
        return Err(Failure("--prolog prints a program: it does not go with --json".to_owned()));
    }
    let common = common.over(before.common);
    let session = super::open(&common)?;
    residual::check(&saved, &session)?;
    if more.prolog {
        let method = cases::method(session.program(), &asked.target)?;
        let outside = outside::declared(session.program(), &asked.unknown, &asked.assume_by)?;
        let procedures = Procedures::with_outside(session.program(), outside);
        let program = residual::prolog(&saved, &asked, &session, &procedures, &method)?;
        Output::stdout().write_all(program.as_bytes())?;
        return Ok(Status::Complete);
    }
    let termination = bound(more, saved.termination)?;
    (asked.time, asked.save) = (more.time, more.save.clone());
    let mut options = cases::options(&common, &asked, session.jdk().feature_version(), &purse)?;
    options.termination = termination;
    options.parts = saved.residual().parts().collect();
    options.told_paths = saved.told_paths.clone().into();
    let run = Run {
        cases: &asked,
        session: &session,
        options: &options,
        before: Some(&saved),
        arguments: &saved.arguments,
        form: cases::Form::of(&common),
    };
    cases::print(&run, &|_, _, _| Ok(()))
}

/// The bound to go on to. Parts that only time left open can be gone on with to the same bound.
fn bound(more: &More, from: Termination) -> Result<Termination, Failure> {
    let (given, from_bound, option, to): (_, _, _, fn(u32) -> Termination) = match from {
        Termination::Loop(bound) => (more.loops, bound, "--loop", Termination::Loop),
        Termination::BlockCount(bound) => {
            (more.block_count, bound, "--block-count", Termination::BlockCount)
        }
    };
    if given.is_none() && (more.loops.is_some() || more.block_count.is_some()) {
        return Err(Failure(format!("the file was written up to {from}: go on with {option}")));
    }
    let given = given.unwrap_or(from_bound.saturating_add(1));
    if given < from_bound {
        return Err(Failure(format!("the file was written up to {from}, which is further")));
    }
    Ok(to(given))
}
