//! `petrel`: the command line. It alone knows arguments, exit statuses and where output goes:
//! stdout is data, stderr is messages.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this crate is the output")]

mod args;
mod commands;
mod failure;
mod progress;
mod replace;
mod target;

use std::process::ExitCode;

use crate::args::Command;

fn main() -> ExitCode {
    let arguments = args::parse();
    let outcome = match &arguments.command {
        Command::Translate(translate) => commands::translate::run(&arguments.common, translate),
        Command::Run(run) => commands::run::run(&arguments.common, run),
        Command::Cases(cases) => commands::cases::run(&arguments.common, cases),
        Command::More(more) => commands::more::run(&arguments.common, more),
        Command::Worst(worst) => commands::worst::run(&arguments.common, worst),
        Command::Generate(generate) => commands::generate::run(&arguments.common, generate),
        Command::Demo(demo) => commands::demo::run(&arguments.common, demo),
        Command::List(list) => commands::list::run(&arguments.common, list),
    };
    match outcome {
        Ok(status) => status.into(),
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::from(2)
        }
    }
}
