//! Rust sources without comments, texts and tests.

use std::path::{Path, PathBuf};

/// A file of a crate: its path from the crate's `src` on, and its code. What is not code, or is only there
/// for tests, is blank; lines stay where they are.
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) code: String,
}

/// The files of a folder whose code is no test.
pub(crate) fn without_tests(folder: &Path) -> Vec<Source> {
    let mut sources = all(folder);
    let mut tests: Vec<PathBuf> = Vec::new();
    for source in &mut sources {
        for module in blank_tests(&mut source.code) {
            let folder = module_folder(&source.path);
            tests.push(folder.join(format!("{module}.rs")));
            tests.push(folder.join(module));
        }
    }
    sources.retain(|source| !tests.iter().any(|test| source.path.starts_with(test)));
    sources
}

/// All files of a folder, in order, tests included.
pub(crate) fn all(folder: &Path) -> Vec<Source> {
    let mut sources = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&next) else { continue };
        for path in entries.map(|entry| entry.expect("the folder can be read").path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("it is text");
                let path = path.strip_prefix(folder).expect("it is inside").to_owned();
                sources.push(Source { path, code: code_of(&text) });
            }
        }
    }
    sources.sort_by(|left, right| left.path.cmp(&right.path));
    sources
}

/// Where the modules are that a file declares.
fn module_folder(file: &Path) -> PathBuf {
    let folder = file.parent().unwrap_or(Path::new(""));
    match file.file_stem().and_then(|stem| stem.to_str()) {
        Some("lib" | "main" | "mod") | None => folder.to_owned(),
        Some(stem) => folder.join(stem),
    }
}

/// Blanks out comments, strings and characters.
fn code_of(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => block_comment(rest),
            '"' => string(rest),
            'r' | 'b' | 'c' if !ends_in_word(&code) => raw_string(rest).unwrap_or(0),
            '\'' => character(rest),
            _ => 0,
        };
        if skipped == 0 {
            code.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            code.extend(rest[..skipped].chars().map(|c| if c == '\n' { c } else { ' ' }));
            rest = &rest[skipped..];
        }
    }
    code
}

fn ends_in_word(code: &str) -> bool {
    code.chars().next_back().is_some_and(|last| last.is_alphanumeric() || last == '_')
}

fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        match &text.as_bytes()[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

fn string(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !is_escaped => return at + 1,
            _ => is_escaped = c == '\\' && !is_escaped,
        }
    }
    text.len()
}

/// `r"..."`, `r#"..."#`, `b"..."` and the like.
fn raw_string(text: &str) -> Option<usize> {
    let prefix = text.find(|c| !matches!(c, 'r' | 'b' | 'c'))?;
    let is_raw = text[..prefix].contains('r');
    let hashes = text[prefix..].find(|c| c != '#')?;
    let quoted = text[prefix + hashes..].strip_prefix('"')?;
    if !is_raw {
        return (hashes == 0).then(|| prefix + string(&text[prefix..]));
    }
    let end = format!("\"{}", "#".repeat(hashes));
    let length = quoted.find(&end)?;
    Some(prefix + hashes + 1 + length + end.len())
}

/// A character, unless it is a lifetime.
fn character(text: &str) -> usize {
    let mut characters = text.char_indices().skip(1);
    match characters.next() {
        Some((_, '\\')) => text[2..].find('\'').map_or(0, |end| {
            // `'\''` ends at the second quote.
            if text[2..].starts_with('\'') { 4 } else { 2 + end + 1 }
        }),
        Some(_) => match characters.next() {
            Some((at, '\'')) => at + 1,
            _ => 0,
        },
        None => 0,
    }
}

const TEST_ATTRIBUTE: &str = "#[cfg(test)]";

/// Blanks out what is only compiled for tests. Returns the modules among it that are files.
fn blank_tests(code: &mut String) -> Vec<String> {
    let mut modules = Vec::new();
    while let Some(start) = code.find(TEST_ATTRIBUTE) {
        let item = &code[start + TEST_ATTRIBUTE.len()..];
        let length = item.find([';', '{']).map_or(item.len(), |at| match item.as_bytes()[at] {
            b'{' => block(item, at),
            _ => {
                let words: Vec<&str> = item[..at].split_whitespace().collect();
                if let Some(at) = words.iter().position(|word| *word == "mod") {
                    modules.extend(words.get(at + 1).map(ToString::to_string));
                }
                at + 1
            }
        });
        let end = start + TEST_ATTRIBUTE.len() + length;
        let blank: String =
            code[start..end].chars().map(|c| if c == '\n' { c } else { ' ' }).collect();
        code.replace_range(start..end, &blank);
    }
    modules
}

/// Where a block ends that begins here.
fn block(text: &str, start: usize) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices().skip_while(|&(at, _)| at < start) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    text.len()
}

#[test]
fn code_is_what_is_no_text_and_no_test() {
    let mut code = code_of(concat!(
        "use a; // comment\n",
        "/* b /* c */ */ let d = \"e \\\" f\";\n",
        "let g = 'h'; let i: &'j str = r#\"k\"#; let l = b'\\''; let m = b\"n\";\n",
        "#[cfg(test)]\nmod o;\n#[cfg(test)]\nmod p { fn q() { } }\nfn r() {}\n",
    ));
    assert_eq!(blank_tests(&mut code), ["o"]);
    let words: Vec<&str> = code
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty() && word.len() == 1)
        .collect();
    assert_eq!(words, ["a", "d", "g", "i", "j", "l", "b", "m", "r"]);
    assert_eq!(code.lines().count(), 8);
}
