//! The table of ARCHITECTURE.md: what each crate knows and may do.

use std::collections::{BTreeMap, BTreeSet};

/// The heading of the section with the table.
pub(crate) const HEADING: &str = "## What each crate knows and may do";

/// A row of the table.
#[derive(Debug, Default)]
pub(crate) struct Row {
    /// The crates of the workspace that it depends on.
    pub(crate) knows: BTreeSet<String>,
    /// What it may do, and the modules in which alone it may; none if it may everywhere.
    pub(crate) may: BTreeMap<String, Vec<String>>,
}

/// The rows of the table, by crates.
pub(crate) fn read(text: &str) -> Result<BTreeMap<String, Row>, String> {
    let section = text.split_once(HEADING).ok_or(format!("there is no `{HEADING}`"))?.1;
    let section = section.split("\n## ").next().unwrap_or(section);
    let lines = section.lines().filter(|line| line.starts_with('|'));
    let mut rows = BTreeMap::new();
    // The first two lines are the heads of the columns.
    for line in lines.skip(2) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [name, knows, may] = cells[..] else {
            return Err(format!("not three cells: {line}"));
        };
        let mut row = Row { knows: items(knows).collect(), ..Row::default() };
        for item in items(may) {
            let (what, places) = match item.split_once('(') {
                Some((what, places)) => {
                    (what.trim(), items(places.trim_end_matches(')')).collect())
                }
                None => (&*item, Vec::new()),
            };
            row.may.insert(what.to_owned(), places);
        }
        if rows.insert(name.trim_matches('`').to_owned(), row).is_some() {
            return Err(format!("two rows of {name}"));
        }
    }
    Ok(rows)
}

/// The items of a list with commas, of which those in parentheses do not count.
fn items(list: &str) -> impl Iterator<Item = String> {
    let mut depth = 0;
    let parts = list.split(move |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    });
    let parts: Vec<String> = parts.map(|part| part.trim().replace('`', "")).collect();
    parts.into_iter().filter(|part| !part.is_empty())
}

#[test]
fn rows_are_lists_with_places() {
    let text = format!(
        "{HEADING}\n\n| crate | knows | may |\n|---|---|---|\n| `a` | b, c | x (`d.rs`, e), y |\n"
    );
    let rows = read(&text).unwrap();
    let row = &rows["a"];
    assert_eq!(row.knows.iter().collect::<Vec<_>>(), ["b", "c"]);
    assert_eq!(row.may["x"], ["d.rs", "e"]);
    assert!(row.may["y"].is_empty());
}
