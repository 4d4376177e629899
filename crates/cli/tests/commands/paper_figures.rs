//! The programs that the papers print, and the ones that Petrel makes of the same Java: each rule of
//! a figure has its counterpart, and whatever else there is has a reason.
//!
//! The numbers of cases are among the comments of `fixtures/papers/*.java`; here are the ones that
//! need more than counting, and the whole text of the programs (`BLESS=1` rewrites it).

mod arraypower;
mod lcm001;
mod lcm003;
mod vector;

use std::collections::BTreeMap;
use std::fs;

use petrel_filetests::petrel::{Finished, Petrel};
use petrel_filetests::{swipl, world};

/// A rule of a figure, and the rules that stand for it: name and number, guards and literals, and
/// instructions.
type Row = (&'static str, &'static [(&'static str, &'static str, &'static str)]);

/// A rule as its text says it.
#[derive(Debug, Clone, Default)]
struct RuleText {
    /// Guards and literals. Constraints are whole, of the others there is the name.
    body: Vec<String>,
    mnemonics: Vec<String>,
}

fn folder() -> std::path::PathBuf {
    world::root().join("build/fixtures/papers")
}

/// The text of a class's program.
fn translated(class: &str) -> String {
    let petrel = Petrel::new(env!("CARGO_BIN_EXE_petrel"));
    let folder = folder();
    assert!(folder.is_dir(), "`make fixtures` builds {}", folder.display());
    let arguments = ["translate".as_ref(), "-c".as_ref(), folder.as_os_str(), class.as_ref()];
    match petrel.run(arguments) {
        Finished { status: Some(0), stdout, stderr } if stderr.is_empty() => stdout,
        failed => panic!("{class}: {failed:?}"),
    }
}

#[test]
fn the_programs_are_as_they_were() {
    let mut different = Vec::new();
    for class in ["ArrayPower", "Lcm001", "Lcm003", "Vector"] {
        let file = world::root().join("fixtures/papers").join(format!("{class}.clp"));
        let found = translated(class);
        if std::env::var_os("BLESS").is_some() {
            fs::write(&file, &found).expect("the expected text can be written");
        }
        if fs::read_to_string(&file).unwrap_or_default() != found {
            different.push(format!("fixtures/papers/{class}.clp"));
        }
    }
    assert!(different.is_empty(), "not as expected (BLESS=1 rewrites): {}", different.join(", "));
}

/// Each rule of a figure is there, and each rule that is there is of a figure or among the others.
fn check_correspondence(class: &str, rows: &[Row], others: &[&str]) {
    let rules = rules(&translated(class));
    let mut wrong = Vec::new();
    let mut named: Vec<&str> = others.to_vec();
    for (paper, counterparts) in rows {
        for (rule, body, mnemonics) in *counterparts {
            named.push(rule);
            let Some(found) = rules.get(*rule) else {
                wrong.push(format!("{paper}: there is no {rule}"));
                continue;
            };
            let (found_body, found_mnemonics) = (found.body.join(", "), found.mnemonics.join(" "));
            if found_body != *body {
                wrong.push(format!("{paper}: {rule} is {found_body}"));
            }
            if found_mnemonics != *mnemonics {
                wrong.push(format!("{paper}: {rule} has {found_mnemonics}"));
            }
        }
    }
    let missing = rules.keys().filter(|rule| !named.contains(&rule.as_str()));
    wrong.extend(missing.map(|rule| format!("{rule} has no place")));
    let unknown = others.iter().filter(|rule| !rules.contains_key(**rule));
    wrong.extend(unknown.map(|rule| format!("there is no {rule}")));
    assert!(wrong.is_empty(), "{class}:\n{}", wrong.join("\n"));
}

/// The rules of a text by `name(number)`.
fn rules(text: &str) -> BTreeMap<String, RuleText> {
    let mut rules = BTreeMap::new();
    let mut rule = RuleText::default();
    let mut name = String::new();
    for line in text.lines() {
        if let Some(instructions) = line.strip_prefix("%@ ") {
            rule.mnemonics.extend(mnemonics(instructions));
            continue;
        }
        if line.is_empty() || line.starts_with('%') || line.starts_with(":-") {
            continue;
        }
        match line.strip_prefix("    ") {
            Some(literal) => rule.body.push(reduced(literal.trim_end_matches(['.', ',']))),
            None => name = rule_name(line),
        }
        if line.ends_with('.') {
            rules.insert(std::mem::take(&mut name), std::mem::take(&mut rule));
        }
    }
    rules
}

/// The mnemonics of `9: 0 iload_0, 1 iconst_1; 10: 2 iadd`.
fn mnemonics(instructions: &str) -> impl Iterator<Item = String> {
    let items = instructions.split([';', ',']);
    items.filter_map(|item| item.split_whitespace().last()).map(str::to_owned)
}

/// A call or a heap operation is reduced to its name.
fn reduced(literal: &str) -> String {
    let is_constraint = literal.contains(" #")
        || literal.contains(" = ")
        || literal.contains(" == ")
        || literal.contains(" \\== ");
    let end = if is_constraint { None } else { literal.find('(') };
    literal[..end.unwrap_or(literal.len())].replace('\'', "")
}

/// `name(2)` of `name([X],[R],H,H1,E,name(2,[],[T])) :-`.
fn rule_name(head: &str) -> String {
    let name = head.split('(').next().unwrap_or_default();
    let number = head.rsplit(&format!("{name}(")).next().and_then(|rest| rest.split(',').next());
    format!("{}({})", name.replace('\'', ""), number.unwrap_or_default())
}

/// Answers of the exported program of a class, to which more clauses can be added.
fn answers(class: &str, clauses: &str, goals: &[&str]) -> Vec<String> {
    let petrel = Petrel::new(env!("CARGO_BIN_EXE_petrel"));
    let program = petrel.prolog(&world::jdk(), folder().as_os_str(), class);
    let program = program.expect("the class is exported") + clauses;
    let goals: Vec<String> = goals.iter().map(|goal| (*goal).to_owned()).collect();
    swipl::answer(&program, &goals).expect("swipl answers")
}
