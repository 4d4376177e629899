//! `petrel list`: the bytecode of methods.

use std::io::{self, Write};

use petrel_program::listing;

use crate::args::{Common, List};
use crate::failure::{Failure, Status};
use crate::target;

pub(crate) fn run(common: &Common, list: &List) -> Result<Status, Failure> {
    let session = super::open(common)?;
    let methods = target::resolve(session.program(), &list.targets)?;
    let mut out = io::stdout().lock();
    let mut status = Status::Complete;
    let mut answers = Vec::new();
    for method in methods {
        let (name, descriptor) = (method.name(), method.descriptor());
        let class = method.class();
        match listing::of_method(&class.file, method.declaration()) {
            Ok(listing) if common.json => answers.push(serde_json::json!({
                "method": format!("{}#{name}{descriptor}", class.name().replace('/', ".")),
                "instructions": listing.instructions,
                "lines": listing.lines,
                "handlers": listing.handlers,
            })),
            Ok(listing) => {
                writeln!(out, "{}.{name}{descriptor}", class.name())?;
                write!(out, "{listing}")?;
                writeln!(out)?;
            }
            Err(error) => {
                eprintln!("error: {}: {error}", class.origin);
                status = Status::Incomplete;
            }
        }
    }
    if common.json {
        writeln!(out, "{:#}", serde_json::json!({ "schema": 1, "methods": answers }))?;
    }
    Ok(status)
}
