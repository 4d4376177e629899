//! `petrel demo`: the tour. It compiles a small example with the user's JDK and writes tests for it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Parser;
use petrel_budget::Purse;
use petrel_classpath::Jdk;
use petrel_replay::{jdk_command, jdk_tool, run_to_end};

use super::generate;
use crate::args::generate::Demo;
use crate::args::{Arguments, Command, Common};
use crate::failure::{Failure, Status};
use crate::output::Output;

const SOURCES: [(&str, &str); 4] = [
    ("Account.java", include_str!("../../demo/shop/Account.java")),
    ("Price.java", include_str!("../../demo/shop/Price.java")),
    ("Queue.java", include_str!("../../demo/shop/Queue.java")),
    ("Search.java", include_str!("../../demo/shop/Search.java")),
];

/// The test class that is shown.
const SHOWN: &str = "AccountPetrelTest.java";
const LINES_SHOWN: usize = 60;

pub(crate) fn run(common: &Common, demo: &Demo, purse: &Purse) -> Result<Status, Failure> {
    let kept = demo.output.clone();
    let folder = kept.clone().unwrap_or_else(scratch);
    let outcome = tour(common, demo, &folder, purse);
    if kept.is_none() {
        remove_scratch();
    }
    outcome
}

/// The folder of a tour that is not kept.
fn scratch() -> PathBuf {
    std::env::temp_dir().join(format!("petrel-demo-{}", std::process::id()))
}

/// Removes the folder of a tour that is not kept.
pub(crate) fn remove_scratch() {
    // What is left in the folder for temporary files is not worth a message.
    let _ = fs::remove_dir_all(scratch());
}

fn tour(common: &Common, demo: &Demo, folder: &Path, purse: &Purse) -> Result<Status, Failure> {
    let Some(classes) = compile(common, folder, purse)? else { return Ok(Status::Incomplete) };
    let tests = folder.join("tests");
    let command = ["petrel", "generate", "-o"].map(PathBuf::from);
    let arguments = command.into_iter().chain([tests.clone(), classes]);
    let Ok(Arguments { command: Command::Generate(mut asked), .. }) =
        Arguments::try_parse_from(arguments)
    else {
        return Err(Failure("the demo does not know how to start".to_owned()));
    };
    asked.no_sandbox = demo.no_sandbox;
    if !common.json {
        writeln!(
            Output::stdout(),
            "Four classes of a small shop, and what Petrel finds about them.\n"
        )?;
    }
    let status = generate::run(common, &asked, purse)?;
    if !common.json {
        let shown = fs::read_to_string(tests.join("shop").join(SHOWN)).unwrap_or_default();
        let mut out = Output::stdout();
        writeln!(out, "\nThe beginning of {SHOWN}:\n")?;
        for line in shown.lines().take(LINES_SHOWN) {
            writeln!(out, "    {line}")?;
        }
    }
    Ok(status)
}

/// The folder with the classes of the example; `None` if it is interrupted.
fn compile(common: &Common, folder: &Path, purse: &Purse) -> Result<Option<PathBuf>, Failure> {
    let jdk = Jdk::locate(common.jdk.as_deref())?;
    let sources = folder.join("src").join("shop");
    let classes = folder.join("classes");
    let cannot_write = |error| Failure(format!("cannot write {}: {error}", folder.display()));
    fs::create_dir_all(&sources).map_err(cannot_write)?;
    fs::create_dir_all(&classes).map_err(cannot_write)?;
    let mut files = Vec::new();
    for (name, text) in SOURCES {
        let file = sources.join(name);
        fs::write(&file, text).map_err(cannot_write)?;
        files.push(file);
    }
    let javac = jdk_tool(jdk.home(), "javac").map_err(|error| Failure(error.to_string()))?;
    let mut command = jdk_command(&javac);
    command.args(["-proc:none", "-g", "-d"]).arg(&classes).args(&files);
    match run_to_end(&mut command, purse.alarm()) {
        Ok(_) if purse.alarm().is_raised() => Ok(None),
        Ok(done) if done.status.success() => Ok(Some(classes)),
        Ok(done) => Err(Failure(format!(
            "{} fails: {}",
            javac.display(),
            String::from_utf8_lossy(&done.stderr).trim()
        ))),
        Err(error) => Err(Failure(format!("{} cannot be run: {error}", javac.display()))),
    }
}
