//! Runs goals in SWI-Prolog.

use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use petrel_prolog::Export;

/// What a goal prints on a program; it fails the test if the goal fails, or if loading the program
/// gives any error or warning.
pub fn run(export: &Export<'_>, goal: &str) -> String {
    run_file(&petrel_prolog::export(export), goal)
}

/// The same for a text. More clauses for the goal can follow the program in it.
pub fn run_file(program: &str, goal: &str) -> String {
    let path = write(program);
    let output = Command::new("swipl")
        .args([
            "-q",
            "--on-error=status",
            "--on-warning=status",
            "-t",
            "halt",
            "-g",
            goal,
        ])
        .arg(&path)
        .stdin(Stdio::null())
        .output();
    let output = match output {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            panic!("swipl is not installed; run: make setup")
        }
        output => output.expect("swipl should run"),
    };
    let _ = std::fs::remove_file(path);
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    assert!(
        output.status.success() && stderr.is_empty(),
        "{}\nstdout: {stdout}\nstderr: {stderr}",
        output.status
    );
    stdout
}

/// A file of its own for each call.
fn write(program: &str) -> PathBuf {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("petrel-{}-{number}.pl", std::process::id());
    let path = std::env::temp_dir().join(name);
    let mut file = std::fs::File::create(&path).expect("a temporary file can be made");
    file.write_all(program.as_bytes())
        .expect("a temporary file can be written");
    path
}
