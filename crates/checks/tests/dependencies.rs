//! What `deny.toml` says of licences, sources and versions of dependencies holds, for all platforms. `make test-full`
//! lets cargo-deny say the same, which takes minutes to install.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use petrel_checks::sample;
use serde_json::Value as Json;
use toml::de::DeTable;

const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("a crate is in two folders")
        .to_owned()
}

fn metadata() -> Json {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version=1", "--all-features", "--locked"])
        .current_dir(root())
        .stderr(Stdio::inherit())
        .output()
        .expect("cargo is there");
    assert!(output.status.success(), "cargo metadata fails");
    serde_json::from_slice(&output.stdout).expect("it is JSON")
}

/// The licences that `deny.toml` allows.
fn allowed() -> BTreeSet<String> {
    let text = std::fs::read_to_string(root().join("deny.toml")).expect("it is there");
    let settings = DeTable::parse(&text).expect("it is TOML");
    let licences = settings.get_ref()["licenses"].get_ref();
    let allowed = licences["allow"].get_ref().as_array().expect("a list");
    allowed.iter().map(|name| name.get_ref().as_str().expect("a name").to_owned()).collect()
}

/// Whether an expression of SPDX is satisfied by these licences. `A/B` is an old form of `A OR B`.
fn is_satisfied(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut words = spaced.split_whitespace().peekable();
    let is_satisfied = alternatives(&mut words, allowed);
    is_satisfied && words.peek().is_none()
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn alternatives(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> bool {
    let mut is_satisfied = all_of(words, allowed);
    while words.next_if_eq(&"OR").is_some() {
        is_satisfied |= all_of(words, allowed);
    }
    is_satisfied
}

fn all_of(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> bool {
    let mut is_satisfied = one(words, allowed);
    while words.next_if_eq(&"AND").is_some() {
        is_satisfied &= one(words, allowed);
    }
    is_satisfied
}

fn one(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> bool {
    match words.next() {
        Some("(") => alternatives(words, allowed) & words.next_if_eq(&")").is_some(),
        Some(name) => {
            let mut name = name.to_owned();
            if words.next_if_eq(&"WITH").is_some() {
                name = format!("{name} WITH {}", words.next().unwrap_or_default());
            }
            allowed.contains(&name)
        }
        None => false,
    }
}

#[test]
fn expressions_of_licences_are_read() {
    let allowed = ["MIT", "Zlib", "Apache-2.0"].map(str::to_owned).into();
    for expression in ["MIT", "GPL-3.0 OR MIT", "MIT/GPL-3.0", "(MIT OR GPL-3.0) AND Zlib"] {
        assert!(is_satisfied(expression, &allowed), "{expression}");
    }
    for expression in
        ["GPL-3.0", "MIT AND GPL-3.0", "", "(MIT", "MIT Zlib", "Apache-2.0 WITH LLVM-exception"]
    {
        assert!(!is_satisfied(expression, &allowed), "{expression}");
    }
}

#[test]
fn dependencies_are_as_deny_toml_says() {
    let (metadata, allowed) = (metadata(), allowed());
    let packages = metadata["packages"].as_array().expect("a list");
    let text = |package: &Json, name: &str| package[name].as_str().unwrap_or_default().to_owned();
    let mut problems = Vec::new();
    let mut versions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages {
        let (name, version) = (text(package, "name"), text(package, "version"));
        let is_own = package["source"].is_null();
        if !is_own && package["source"] != CRATES_IO {
            problems.push(format!("{name} {version} is from {}", package["source"]));
        }
        if !is_satisfied(&text(package, "license"), &allowed) {
            let licence = &package["license"];
            problems.push(format!("{name} {version}: deny.toml does not allow {licence}"));
        }
        // Others may depend on what they like.
        let dependencies = package["dependencies"].as_array().filter(|_| is_own);
        for dependency in dependencies.into_iter().flatten() {
            if dependency["req"] == "*" && dependency["path"].is_null() {
                problems.push(format!("{name} depends on any version of {}", dependency["name"]));
            }
        }
        versions.entry(name).or_default().push(version);
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(packages.len() > versions.len() / 2, "there are packages");
    let doubled: Vec<_> = versions.iter().filter(|(_, versions)| versions.len() > 1).collect();
    sample(packages.len(), packages.len(), &format!("packages; in several versions: {doubled:?}"));
}
