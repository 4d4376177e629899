//! Each line of `docs/papers.md` is true: the command in a row of its tables prints what the row says.
//!
//! A row is `| what | command | what it prints | difference |`. The command is run by `bash` in the root of the project, with
//! `petrel` on its path; what is between backticks in the third column comes in its output, in that order. A row without a command
//! says in its last column why there is none.

use std::path::Path;
use std::process::{Command, Stdio};

use petrel_checks::{Part, filter};
use petrel_filetests::world::{jdk, root};

/// Of the rows.
const PART: Part = Part::one_of(8, 1);

struct Row {
    /// The paper and what it shows.
    what: String,
    command: Option<String>,
    /// What it prints, in this order.
    printed: Vec<String>,
    difference: String,
}

#[test]
fn each_row_of_the_page_on_the_papers_is_true() {
    let page = std::fs::read_to_string(root().join("docs/papers.md")).expect("docs/papers.md");
    let rows = rows(&page);
    assert!(rows.len() > 40, "{} rows", rows.len());
    let silent = rows.iter().filter(|row| row.command.is_none() && row.difference.is_empty());
    let silent: Vec<&str> = silent.map(|row| row.what.as_str()).collect();
    assert!(silent.is_empty(), "neither a command nor a reason: {}", silent.join("; "));
    let empty = rows.iter().filter(|row| row.command.is_some() && row.printed.is_empty());
    let empty: Vec<&str> = empty.map(|row| row.what.as_str()).collect();
    assert!(empty.is_empty(), "a command of which nothing is said: {}", empty.join("; "));
    let wanted = filter("ROW");
    let runnable = rows.into_iter().filter(|row| row.command.is_some());
    let runnable = runnable.filter(|row| row.what.contains(&wanted)).collect();
    let chosen = PART.of(runnable, "rows of docs/papers.md");
    let wrong: Vec<String> = chosen.iter().filter_map(|row| check(row).err()).collect();
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

/// Whether a command prints what is said of it.
fn check(row: &Row) -> Result<(), String> {
    let Some(command) = &row.command else { return Ok(()) };
    let binary = Path::new(env!("CARGO_BIN_EXE_petrel"));
    let folder = binary.parent().expect("the binary is in a folder");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(folder.to_owned()).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(path).expect("a path");
    let finished = Command::new("bash")
        .args(["-c", command])
        .current_dir(root())
        .env("PATH", path)
        .env("JAVA_HOME", jdk().home())
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("bash: {error}"))?;
    let text = String::from_utf8_lossy(&finished.stdout);
    let errors = String::from_utf8_lossy(&finished.stderr);
    let mut rest = &*text;
    for printed in &row.printed {
        let Some(at) = rest.find(printed.as_str()) else {
            return Err(format!(
                "{}: `{printed}` is not printed (any more) by\n{command}\n{text}{errors}",
                row.what
            ));
        };
        rest = &rest[at + printed.len()..];
    }
    Ok(())
}

/// The rows of the tables with four columns, but for their heads.
fn rows(page: &str) -> Vec<Row> {
    let mut paper = "";
    let mut rows = Vec::new();
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            paper = title;
        }
        let Some(line) = line.strip_prefix("| ").and_then(|line| line.strip_suffix('|')) else {
            continue;
        };
        // A bar inside of a cell is written as in all Markdown tables.
        let line = line.replace("\\|", "\0");
        let cells: Vec<String> =
            line.split('|').map(|cell| cell.trim().replace('\0', "|")).collect();
        let [what, command, printed, difference] = cells.as_slice() else { continue };
        if what == "what" {
            continue;
        }
        rows.push(Row {
            what: format!("{paper}: {what}"),
            command: code(command).into_iter().next(),
            printed: code(printed),
            difference: difference.clone(),
        });
    }
    rows
}

/// What stands between backticks.
fn code(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}
