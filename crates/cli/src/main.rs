//! `petrel`: the command line. It alone knows arguments, exit statuses and where output goes:
//! stdout is data, stderr is messages.

mod args;
mod commands;
mod failure;
mod output;
mod progress;
mod replace;
mod sandbox;
mod signals;
mod target;

use std::process::ExitCode;

use crate::args::Command;
use crate::output::say;

fn main() -> ExitCode {
    // Before there are threads: what a launcher gives up, it gives up for one.
    if let Some(status) = sandbox::launched() {
        return status;
    }
    let arguments = args::parse();
    let purse = signals::purse();
    let outcome = match &arguments.command {
        Command::Translate(translate) => commands::translate::run(&arguments.common, translate),
        Command::Run(run) => commands::run::run(&arguments.common, run, &purse),
        Command::Cases(cases) => commands::cases::run(&arguments.common, cases, &purse),
        Command::More(more) => commands::more::run(&arguments.common, more, &purse),
        Command::Worst(worst) => commands::worst::run(&arguments.common, worst, &purse),
        Command::Generate(generate) => commands::generate::run(&arguments.common, generate, &purse),
        Command::Demo(demo) => commands::demo::run(&arguments.common, demo, &purse),
        Command::List(list) => commands::list::run(&arguments.common, list),
    };
    match outcome {
        Ok(status) => status.into(),
        Err(failure) => {
            say!("error: {failure}");
            ExitCode::from(2)
        }
    }
}
