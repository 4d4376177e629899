//! `petrel worst A#m B#n`: two implementations beside each other.

use std::io::Write;

use petrel_classpath::ClassSource;
use petrel_report::VersusAnswer;
use petrel_session::Session;
use petrel_testcase::{Options, compare, versus_text};
use petrel_translate::cache::Procedures;

use super::{cases, outside, traces, worst};
use crate::args::{Cases, Common};
use crate::failure::{Failure, Status};
use crate::output::Output;

/// Prints what the target and another method cost.
pub(super) fn print(
    common: &Common,
    cases: &Cases,
    session: &Session,
    options: &Options,
    other: &str,
) -> Result<Status, Failure> {
    let program = session.program();
    let targets = [&*cases.target, other];
    let methods = [cases::method(program, targets[0])?, cases::method(program, targets[1])?];
    let outside = outside::declared(program, &cases.unknown, &cases.assume_by)?;
    let procedures = Procedures::with_outside(program, outside);
    let project = session.class_path().class_names()?;
    for (target, method) in targets.iter().zip(&methods) {
        traces::check(&procedures, &project, method, options)
            .map_err(|error| Failure(format!("{target}: {}", error.0)))?;
    }
    let bounds = worst::bounds(options.termination);
    let versus = compare(&procedures, methods.each_ref(), options, bounds, 0)
        .map_err(|(side, error)| Failure(format!("{}: {error}", targets[side])))?;
    let mut out = Output::stdout();
    if common.json {
        VersusAnswer::of(&versus).write(&mut out)?;
    } else {
        out.write_all(versus_text(&versus).as_bytes())?;
    }
    let is_complete = versus.left_open.iter().all(Vec::is_empty);
    Ok(if is_complete { Status::Complete } else { Status::Incomplete })
}
