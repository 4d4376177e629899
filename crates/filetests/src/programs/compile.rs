//! Random programs to class files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use petrel_classpath::Jdk;

use super::JavaProgram;
use crate::world;

/// The status with which `javac` ends if it breaks down.
const BREAKDOWN: i32 = 4;

/// Writes programs to a folder, and compiles them there. Those at which the compiler itself breaks
/// down are left out.
///
/// # Panics
///
/// If the folder cannot be written to, or the compiler refuses a program.
pub fn compile<'a>(jdk: &Jdk, folder: &Path, programs: &'a [JavaProgram]) -> Vec<&'a JavaProgram> {
    let files = programs.iter().map(|program| {
        let file = folder.join(format!("{}.java", program.class));
        fs::write(&file, &program.source).expect("the file can be written");
        file
    });
    let files: Vec<PathBuf> = files.collect();
    let flags = ["-g", "-encoding", "UTF-8", "-proc:none", "-Xlint:none", "-nowarn"];
    let output = Command::new(world::tool(jdk, "javac"))
        .args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"])
        .args(flags)
        .args(["-XDsuppressNotes", "-d"])
        .arg(folder)
        .args(&files)
        .output()
        .expect("javac can be started");
    match output.status.code() {
        Some(0) => programs.iter().collect(),
        Some(BREAKDOWN) if programs.len() < 2 => Vec::new(),
        Some(BREAKDOWN) => {
            let halves = programs.split_at(programs.len() / 2);
            [halves.0, halves.1].into_iter().flat_map(|half| compile(jdk, folder, half)).collect()
        }
        _ => panic!("javac refuses a program: {}", String::from_utf8_lossy(&output.stderr)),
    }
}
