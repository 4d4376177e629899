//! `petrel generate` is killed at random moments: nobody ever sees half of a file, and the next run does all that is left to
//! do.
//!
//! `SEED=2` in the environment takes other moments, `KILLS=500` more of them.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use petrel_checks::{Amount, judges_shares, seed};
use petrel_filetests::generated::account::Account;
use petrel_filetests::generated::binary::{Ended, generate};
use petrel_filetests::generated::suite::files_below;
use petrel_filetests::sample::Random;
use petrel_filetests::scratch::Scratch;
use petrel_filetests::world::root;
use petrel_junit::is_ours;

/// Many classes whose tests are found fast, so that many moments are moments of writing.
const TOPIC: &str = "arithmetic";
const N_KILLS: Amount = Amount::new(3, 4, 50);
const MOST_TIME: Duration = Duration::from_secs(300);
/// The first moment; the last one is when an undisturbed run ends.
const EARLIEST: Duration = Duration::from_millis(20);
/// So often a killed run is followed by one that is not.
const COMPLETED: usize = 10;
/// What an older version of a file has before its end.
const OLD: &str = "// This was here before.\n}\n";

/// Files by their paths below the folder.
type Files = BTreeMap<PathBuf, String>;

fn run(output: &Path, limit: Duration) -> Ended {
    let classes = root().join("build").join("fixtures").join(TOPIC);
    assert!(classes.is_dir(), "{} is missing; `make fixtures` builds it", classes.display());
    // Tests that are not run are written as well, and more moments are those of writing.
    let options = [Path::new("--no-run"), Path::new("--budget"), Path::new("20"), &classes];
    generate(output, &classes, options, limit).expect("the binary starts")
}

fn files(folder: &Path) -> Files {
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("it is text");
        (path.strip_prefix(folder).expect("it is below the folder").to_owned(), text)
    };
    files_below(folder, "java").into_iter().map(read).collect()
}

/// The same file as an earlier version of Petrel might have written it.
fn older(text: &str) -> String {
    format!("{}{OLD}", text.strip_suffix("}\n").expect("a class ends with a brace"))
}

/// Whether nobody takes a file for a source.
fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

fn complete(output: &Path) {
    let ended = run(output, MOST_TIME);
    assert_eq!(ended.status, Some(0), "{}", ended.describe());
    Account::parse(&ended.stdout).expect("there is an account");
}

#[test]
fn killed_runs_leave_whole_files_and_the_next_run_completes() {
    let scratch = Scratch::new();
    let undisturbed = scratch.path().join("undisturbed");
    let started = std::time::Instant::now();
    complete(&undisturbed);
    let time = started.elapsed();
    let expected = files(&undisturbed);
    assert!(expected.len() >= 10, "only {} files", expected.len());
    assert!(expected.values().all(|text| is_ours(text) && text.ends_with("}\n")));
    let mut random = Random::new(seed());
    let (mut n_killed, mut n_found) = (0, 0);
    for kill in 0..N_KILLS.drawn("KILLS", "moments to be killed at") {
        let folder = scratch.path().join(format!("killed-{kill}"));
        // Every other time there is an older version of all files.
        let is_replacing = kill % 2 == 1;
        if is_replacing {
            for (path, text) in &expected {
                let path = folder.join(path);
                fs::create_dir_all(path.parent().expect("it is in a folder"))
                    .expect("the folder can be written to");
                fs::write(path, older(text)).expect("the folder can be written to");
            }
        }
        let most = (time.saturating_sub(EARLIEST)).as_micros() as usize;
        let moment = EARLIEST + Duration::from_micros(random.below(most) as u64);
        let ended = run(&folder, moment);
        n_killed += usize::from(ended.is_late);
        let leftovers = files_below(&folder, "tmp");
        assert!(leftovers.iter().all(|path| is_hidden(path)), "{leftovers:?}");
        for (path, text) in files(&folder) {
            let new = expected.get(&path).unwrap_or_else(|| panic!("{}", path.display()));
            let is_old = is_replacing && text == older(new);
            assert!(text == *new || is_old, "{} after {moment:?}:\n{text}", path.display());
            n_found += usize::from(!is_old);
        }
        if kill % COMPLETED == 0 {
            complete(&folder);
            assert_eq!(files(&folder), expected, "after a run that was killed after {moment:?}");
        }
        fs::remove_dir_all(&folder).unwrap_or_default();
    }
    eprintln!("{n_killed} runs of {} ms were killed, {n_found} files were there", time.as_millis());
    assert!(!judges_shares() || n_killed > 0, "no run was killed");
}
