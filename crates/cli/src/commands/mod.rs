//! One module for each command.

pub(crate) mod cases;
mod class_facts;
pub(crate) mod demo;
pub(crate) mod generate;
pub(crate) mod list;
pub(crate) mod more;
mod outside;
mod proposed;
mod residual;
pub(crate) mod run;
mod traces;
pub(crate) mod translate;
mod versus;
pub(crate) mod worst;

use petrel_session::Session;

use crate::args::Common;
use crate::failure::Failure;

fn open(common: &Common) -> Result<Session, Failure> {
    Ok(Session::open(common.class_path(), common.jdk.as_deref())?)
}
