//! `docs/natives.md` lists the methods that are modelled. `BLESS=1` writes it anew.

use std::fmt::Write;
use std::fs;

use petrel_filetests::world::root;

const HEAD: &str = "\
# Modelled methods

Petrel executes the class library of your JDK as bytecode. These methods of it are modelled instead,
because they are native, or because they need a JVM that was booted. Not every JDK has all of them.

";

#[test]
fn the_documentation_lists_the_modelled_methods() {
    let mut text = HEAD.to_owned();
    let mut class = String::new();
    for method in petrel_engine::natives() {
        let (name, signature) = method.split_once('.').expect("a class and a method");
        let is_own = name.starts_with("petrel/");
        if is_own {
            continue;
        }
        if name != class {
            let _ = write!(text, "{}## {name}\n\n", if class.is_empty() { "" } else { "\n" });
            name.clone_into(&mut class);
        }
        let _ = writeln!(text, "- `{signature}`");
    }
    let file = root().join("docs/natives.md");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&file, &text).expect("the documentation can be written");
    }
    let written = fs::read_to_string(&file).unwrap_or_default();
    assert!(written == text, "docs/natives.md is out of date; BLESS=1 writes it anew");
}
