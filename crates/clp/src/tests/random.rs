//! Properties of random procedures.

use proptest::prelude::*;

use super::generate;
use crate::{Procedure, parse, print, verify};

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..400)
}

fn problems(procedure: &Procedure) -> String {
    let problems = verify::verify(procedure);
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

/// What is read is read again from its own text.
fn check_reads_back(text: &str) -> Result<(), TestCaseError> {
    let Ok((procedures, dispatches)) = parse::program(text) else {
        return Ok(());
    };
    let again = print::program(
        &procedures.iter().collect::<Vec<_>>(),
        &dispatches.iter().collect::<Vec<_>>(),
    );
    let read = parse::program(&again);
    prop_assert_eq!(read, Ok((procedures, dispatches)), "{}", again);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn well_formed_procedures_are_accepted(bytes in bytes()) {
        let procedure = generate::procedure(&bytes);
        let found = problems(&procedure);
        prop_assert!(found.is_empty(), "{}\n{}", found, print::procedure(&procedure));
    }

    #[test]
    fn procedures_print_and_read_back(bytes in bytes()) {
        let procedure = generate::procedure(&bytes);
        let text = print::procedure(&procedure);
        match parse::procedures(&text) {
            Ok(read) => prop_assert_eq!(read, vec![procedure], "{}", text),
            Err(error) => prop_assert!(false, "{error}\n{text}"),
        }
    }

    #[test]
    fn programs_print_and_read_back(
        procedures in prop::collection::vec(bytes(), 0..4),
        dispatches in prop::collection::vec(bytes(), 0..3),
    ) {
        let procedures: Vec<_> = procedures.iter().map(|b| generate::procedure(b)).collect();
        let dispatches: Vec<_> = dispatches.iter().map(|b| generate::dispatch(b)).collect();
        let text = print::program(
            &procedures.iter().collect::<Vec<_>>(),
            &dispatches.iter().collect::<Vec<_>>(),
        );
        match parse::program(&text) {
            Ok(read) => prop_assert_eq!(read, (procedures, dispatches), "{}", text),
            Err(error) => prop_assert!(false, "{error}\n{text}"),
        }
    }

    #[test]
    fn damaged_text_is_refused_or_reads_back(
        bytes in bytes(),
        edits in prop::collection::vec((any::<u16>(), any::<u16>(), 0usize..5), 1..4),
    ) {
        let mut text = print::procedure(&generate::procedure(&bytes));
        for (at, from, kind) in edits {
            text = damage(&text, at.into(), from.into(), kind);
        }
        check_reads_back(&text)?;
    }

    #[test]
    fn any_text_is_refused_or_reads_back(text in ".{0,80}") {
        check_reads_back(&text)?;
    }
}

/// Replaces, repeats or removes words or lines.
fn damage(text: &str, at: usize, from: usize, kind: usize) -> String {
    if kind < 2 {
        let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
        let n = lines.len();
        if kind == 0 {
            lines.remove(at % n);
        } else {
            lines.swap(at % n, from % n);
        }
        return lines.concat();
    }
    let mut words: Vec<&str> = Vec::new();
    let mut start = 0;
    for (index, c) in text.char_indices() {
        if !c.is_alphanumeric() && c != '_' {
            words.extend([&text[start..index], &text[index..index + c.len_utf8()]]);
            start = index + c.len_utf8();
        }
    }
    words.push(&text[start..]);
    let n = words.len();
    match kind {
        2 => words[at % n] = words[from % n],
        3 => words.insert(at % n, words[from % n]),
        _ => {
            words.remove(at % n);
        }
    }
    words.concat()
}
