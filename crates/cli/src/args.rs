//! What can be typed.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Automatic unit tests for Java bytecode, by constraint logic programming.
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options of every command.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// Directories and jars with the classes, separated by `:` (`;` on Windows)
    #[arg(short, long, global = true, value_name = "PATHS", default_value = ".")]
    pub(crate) class_path: OsString,
    /// The JDK whose class library is used; by default JAVA_HOME, else the java on the path
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) jdk: Option<PathBuf>,
    /// Machine-readable answer on stdout
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Prints the constraint logic program of methods and of what they reach inside the class path
    Translate(Translate),
    /// Runs a static method on concrete arguments and prints its result, or the exception it throws
    Run(Run),
    /// Prints the bytecode of methods with lines and exception handlers
    List(List),
}

/// Options of `translate`.
#[derive(Debug, Args)]
pub(crate) struct Translate {
    /// Print a program that SWI-Prolog loads and runs
    #[arg(long)]
    pub(crate) prolog: bool,
    /// `pkg.Class`, `pkg.Class#method` or `pkg.Class#method(descriptor)`
    #[arg(required = true, value_name = "TARGET")]
    pub(crate) targets: Vec<String>,
}

/// Options of `run`.
#[derive(Debug, Args)]
pub(crate) struct Run {
    /// Give up after this many calls and iterations of loops
    #[arg(long, value_name = "N")]
    pub(crate) steps: Option<u64>,
    /// `pkg.Class#method` or `pkg.Class#method(descriptor)`
    #[arg(value_name = "TARGET")]
    pub(crate) target: String,
    /// Java literals such as `-5`, `5L`, `1.5f`, `'c'`, `"s"`, `{1,2}`, `null`, `true`; where the
    /// parameter's type allows it, also `5` for a long or `abc` for a String
    #[arg(value_name = "ARG", value_parser = unprotected)]
    pub(crate) arguments: Vec<String>,
}

/// What stands before a negative number so that it is not taken for an option; nobody can type it.
const PROTECTION: char = '\u{1f}';

/// The arguments of this process, negative numbers such as `-5L` or `-.5f` protected: options may stand
/// before and behind them.
pub(crate) fn protected_arguments() -> impl Iterator<Item = OsString> {
    std::env::args_os().map(|argument| match argument.to_str() {
        Some(text) if is_negative_number(text) => format!("{PROTECTION}{text}").into(),
        _ => argument,
    })
}

fn is_negative_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or_default();
    digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') || digits.starts_with("Infinity")
}

fn unprotected(text: &str) -> Result<String, std::convert::Infallible> {
    Ok(text.strip_prefix(PROTECTION).unwrap_or(text).to_owned())
}

/// Options of `list`.
#[derive(Debug, Args)]
pub(crate) struct List {
    /// `pkg.Class`, `pkg.Class#method` or `pkg.Class#method(descriptor)`
    #[arg(required = true, value_name = "TARGET")]
    pub(crate) targets: Vec<String>,
}
