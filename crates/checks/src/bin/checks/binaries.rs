//! The test binaries of the workspace.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value as Json;

/// A test binary.
#[derive(Debug, Clone)]
pub(crate) struct Binary {
    /// The package that it belongs to.
    pub(crate) package: String,
    /// The name of the target: that of the package for tests inside of the crate.
    pub(crate) target: String,
    /// Whether it has the tests inside of the crate.
    pub(crate) is_of_crate: bool,
    /// The file.
    pub(crate) file: PathBuf,
    /// The folder of the package, which tests run in.
    pub(crate) folder: PathBuf,
}

impl Binary {
    /// What to call it.
    pub(crate) fn name(&self) -> String {
        let package = self.package.trim_start_matches("petrel-");
        if self.is_of_crate { package.to_owned() } else { format!("{package}/{}", self.target) }
    }

    /// The options of `cargo test` that choose it.
    pub(crate) fn choice(&self) -> String {
        match self.is_of_crate {
            true => format!("-p {} --lib", self.package),
            false => format!("-p {} --test {}", self.package, self.target),
        }
    }

    /// A command that runs it as `cargo test` does, and prints what comes of each test as JSON.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.file);
        command
            .args(["-Zunstable-options", "--format=json", "--report-time", "--show-output"])
            .args(["--test-threads", "1"])
            // Times of tests are there on stable toolchains, too, but only for those who ask like this.
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_MANIFEST_DIR", &self.folder)
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        command
    }
}

/// Compiles all tests.
pub(crate) fn build(options: &[String]) -> Result<Vec<Binary>, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["test", "--no-run", "--workspace", "--message-format=json-render-diagnostics"])
        .args(options)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo: {error}"))?;
    if !output.status.success() {
        return Err("the tests do not compile".to_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text.lines().filter_map(|line| serde_json::from_str(line).ok());
    let mut binaries: Vec<Binary> = messages.filter_map(|message| binary(&message)).collect();
    binaries.sort_by_key(|binary| (rank(binary), binary.name()));
    if binaries.is_empty() { Err("there are no tests".to_owned()) } else { Ok(binaries) }
}

/// The test binary that a message of Cargo is about.
fn binary(message: &Json) -> Option<Binary> {
    if message["profile"]["test"] != true {
        return None;
    }
    let file = message["executable"].as_str()?;
    let manifest = Path::new(message["manifest_path"].as_str()?);
    let folder = manifest.parent()?;
    let target = &message["target"];
    let is_test = target["kind"].as_array()?.iter().any(|kind| kind == "test");
    // Crates have the names of their folders, with the project's before it.
    let package = format!("petrel-{}", folder.file_name()?.to_str()?);
    Some(Binary {
        package,
        target: target["name"].as_str()?.to_owned(),
        is_of_crate: !is_test,
        file: file.into(),
        folder: folder.to_owned(),
    })
}

/// What takes longest comes first, so that no core is left alone with it in the end.
fn rank(binary: &Binary) -> usize {
    const FIRST: [&str; 8] =
        ["symbolic", "heaps", "costs", "generated", "concrete", "commands", "bytes", "z3"];
    let place = FIRST.iter().position(|name| *name == binary.target && !binary.is_of_crate);
    place.unwrap_or(FIRST.len() + usize::from(binary.is_of_crate))
}
