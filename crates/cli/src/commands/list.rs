//! `petrel list`: the bytecode of methods.

use std::io::Write;

use petrel_program::listing;
use petrel_report::{ListAnswer, ListedMethod};

use crate::args::{Common, List};
use crate::failure::{Failure, Status};
use crate::output::{Output, say};
use crate::target;

pub(crate) fn run(common: &Common, list: &List) -> Result<Status, Failure> {
    let session = super::open(common)?;
    let methods = target::resolve(session.program(), &list.targets)?;
    let mut out = Output::stdout();
    let mut status = Status::Complete;
    let mut answers = Vec::new();
    for method in methods {
        let (name, descriptor) = (method.name(), method.descriptor());
        let class = method.class();
        match listing::of_method(&class.file, method.declaration()) {
            Ok(listing) if common.json => answers.push(ListedMethod::new(&method, listing)),
            Ok(listing) => {
                writeln!(out, "{}.{name}{descriptor}", class.name())?;
                write!(out, "{listing}")?;
                writeln!(out)?;
            }
            Err(error) => {
                say!("error: {}: {error}", class.place);
                status = Status::Incomplete;
            }
        }
    }
    if common.json {
        ListAnswer::new(answers).write(&mut out)?;
    }
    Ok(status)
}
