//! The table of ARCHITECTURE.md is true: crates depend on those that it says, and touch files, processes,
//! clocks, threads, terminals, the environment and bytecode only where it says so.
//!
//! Nothing is compiled: the manifests and the sources are read as text.

mod source;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use source::Source;
use table::Row;

/// What a crate may do, and what is found in the code of one that does.
const ABILITIES: &[(&str, &[&str])] = &[
    (
        "read files",
        &[
            "fs::read",
            "fs::read_dir",
            "fs::read_to_string",
            "fs::metadata",
            "fs::canonicalize",
            "fs::exists",
            "File::open",
            ".is_dir()",
            ".is_file()",
            ".exists()",
            ".canonicalize()",
            ".read_dir()",
        ],
    ),
    (
        "write files",
        &[
            "fs::write",
            "fs::create_dir",
            "fs::create_dir_all",
            "fs::remove_dir",
            "fs::remove_dir_all",
            "fs::remove_file",
            "fs::rename",
            "fs::copy",
            "fs::hard_link",
            "fs::set_permissions",
            "fs::DirBuilder",
            "DirBuilder",
            "File::create",
            "File::create_new",
            "File::options",
            "OpenOptions",
            "tempfile",
        ],
    ),
    ("processes", &["Command::new", "process::exit", "process::abort", "ctrlc"]),
    ("clocks", &["Instant", "SystemTime"]),
    ("threads", &["thread::spawn", "thread::scope", "thread::Builder"]),
    (
        "terminal",
        &[
            "stdout()",
            "stderr()",
            "stdin()",
            "IsTerminal",
            "print!",
            "println!",
            "eprint!",
            "eprintln!",
            "dbg!",
            "indicatif",
        ],
    ),
    (
        "environment",
        &[
            "env::var",
            "env::var_os",
            "env::vars",
            "env::args",
            "env::args_os",
            "env::current_dir",
            "env::current_exe",
            "env::temp_dir",
            "env::home_dir",
        ],
    ),
    // An `Opcode` is a label of rules; these tell instructions apart, or make them.
    ("bytecode", &["op::", "CodeWriter"]),
];

fn root() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    folder.expect("the crate is two folders below the root").to_owned()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn rows() -> BTreeMap<String, Row> {
    table::read(&read(&root().join("ARCHITECTURE.md"))).unwrap_or_else(|error| panic!("{error}"))
}

/// The folders of the crates, by name.
fn crates() -> BTreeMap<String, PathBuf> {
    let entries = fs::read_dir(root().join("crates")).expect("there are crates");
    let folders = entries.map(|entry| entry.expect("the folder can be read").path());
    let folders = folders.filter(|folder| folder.join("Cargo.toml").is_file());
    folders.map(|folder| (name_of(&folder), folder)).collect()
}

fn name_of(folder: &Path) -> String {
    folder.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned()
}

/// The names in a section of a manifest.
fn dependencies(manifest: &str, section: &str) -> BTreeSet<String> {
    let heading = format!("[{section}]");
    let lines = manifest.lines().skip_while(|line| line.trim() != heading).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| line.split(['.', '=', ' ']).next());
    names.filter(|name| !name.is_empty() && !name.starts_with('#')).map(str::to_owned).collect()
}

/// The lines of code in which something is mentioned as a whole word.
fn mentions<'s>(source: &'s Source, what: &'s str) -> impl Iterator<Item = usize> + 's {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let begins_in_word = is_word(what.chars().next());
    let ends_in_word = is_word(what.chars().next_back());
    let lines = source.code.lines().enumerate().filter(move |(_, line)| {
        line.match_indices(what).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            let after = line[at + what.len()..].chars().next();
            !(begins_in_word && is_word(before) || ends_in_word && is_word(after))
        })
    });
    lines.map(|(number, _)| number + 1)
}

fn assert_none(problems: &str) {
    assert!(problems.is_empty(), "\n{problems}");
}

#[test]
fn every_crate_has_a_row() {
    let mut problems = String::new();
    let (rows, crates) = (rows(), crates());
    for name in crates.keys().filter(|name| !rows.contains_key(*name)) {
        let _ = writeln!(problems, "ARCHITECTURE.md: add a row for crates/{name}");
    }
    for name in rows.keys().filter(|name| !crates.contains_key(*name)) {
        let _ = writeln!(problems, "ARCHITECTURE.md: there is no crates/{name}; remove its row");
    }
    assert_none(&problems);
}

#[test]
fn crates_depend_on_those_that_they_may_know() {
    let mut problems = String::new();
    let rows = rows();
    for (name, folder) in crates() {
        let Some(row) = rows.get(&name) else { continue };
        let manifest = read(&folder.join("Cargo.toml"));
        let declared: BTreeSet<String> = dependencies(&manifest, "dependencies")
            .iter()
            .filter_map(|dependency| dependency.strip_prefix("petrel-").map(str::to_owned))
            .collect();
        for other in declared.difference(&row.knows) {
            let _ = writeln!(
                problems,
                "crates/{name}/Cargo.toml: {name} must not know {other}; do without it, or change \
                 what ARCHITECTURE.md says it knows"
            );
        }
        for other in row.knows.difference(&declared) {
            let _ = writeln!(
                problems,
                "ARCHITECTURE.md: {name} does not depend on {other}; remove it from what it knows"
            );
        }
    }
    assert_none(&problems);
}

#[test]
fn no_dependency_is_declared_and_not_used() {
    let mut problems = String::new();
    for (name, folder) in crates() {
        let manifest = read(&folder.join("Cargo.toml"));
        let code = source::without_tests(&folder.join("src"));
        let tests: Vec<Source> = ["src", "tests", "benches"]
            .iter()
            .flat_map(|of| source::all(&folder.join(of)))
            .collect();
        for (section, sources) in [("dependencies", &code), ("dev-dependencies", &tests)] {
            for dependency in dependencies(&manifest, section) {
                let identifier = dependency.replace('-', "_");
                if !sources.iter().any(|source| mentions(source, &identifier).next().is_some()) {
                    let _ = writeln!(
                        problems,
                        "crates/{name}/Cargo.toml: {dependency} of [{section}] is not used; remove \
                         it, or make it a dev-dependency if only tests use it"
                    );
                }
            }
        }
    }
    assert_none(&problems);
}

#[test]
fn crates_do_what_they_may_do() {
    let mut problems = String::new();
    let rows = rows();
    for (name, folder) in crates() {
        let Some(row) = rows.get(&name) else { continue };
        for what in row.may.keys().filter(|what| !ABILITIES.iter().any(|(of, _)| of == what)) {
            let _ = writeln!(problems, "ARCHITECTURE.md: {name} may `{what}`, which means nothing");
        }
        let sources = source::without_tests(&folder.join("src"));
        for (ability, patterns) in ABILITIES {
            check_ability(&name, row, ability, patterns, &sources, &mut problems);
        }
    }
    assert_none(&problems);
}

/// Whether a file is a module, or belongs to one.
fn is_in(path: &Path, module: &str) -> bool {
    path.starts_with(module) || path.with_extension("") == Path::new(module)
}

fn check_ability(
    name: &str,
    row: &Row,
    ability: &str,
    patterns: &[&str],
    sources: &[Source],
    problems: &mut String,
) {
    let allowed = row.may.get(ability);
    let mut used: BTreeSet<&String> = BTreeSet::new();
    let mut is_used = false;
    for source in sources {
        let found = patterns.iter().find_map(|of| Some((of, mentions(source, of).next()?)));
        let Some((pattern, line)) = found else { continue };
        is_used = true;
        let place = allowed.and_then(|places| places.iter().find(|at| is_in(&source.path, at)));
        used.extend(place);
        let is_allowed = allowed.is_some_and(|places| places.is_empty() || place.is_some());
        if !is_allowed {
            let where_else =
                allowed.map_or(String::new(), |of| format!(" outside of {}", of.join(", ")));
            let _ = writeln!(
                problems,
                "crates/{name}/src/{}:{line}: `{pattern}`: {name} must not use {ability}{where_else}; \
                 move this to a crate that may, or add it to what ARCHITECTURE.md says {name} may do",
                source.path.display()
            );
        }
    }
    if allowed.is_some() && !is_used {
        let _ = writeln!(problems, "ARCHITECTURE.md: {name} does not use {ability}; remove it");
    }
    for place in allowed.into_iter().flatten().filter(|place| !used.contains(place)) {
        let _ = writeln!(
            problems,
            "ARCHITECTURE.md: {name} does not use {ability} in {place}; remove the place"
        );
    }
}
