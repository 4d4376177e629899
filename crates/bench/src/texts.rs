//! Paths that need long strings: what they cost, by length.

use petrel_classpath::Jdk;
use petrel_filetests::symbolic::all_cases;
use petrel_testcase::{Coverage, Options};
use petrel_translate::cache::Procedures;

use crate::exploration::Opened;
use crate::{Failure, Findings, measured};

const METHODS: [&str; 7] =
    ["length", "lastCharacter", "suffix", "equalText", "firstIndex", "lastOfArray", "sameText"];
/// Units: twice as many for each.
const LENGTHS: [i64; 5] = [250, 500, 1_000, 2_000, 4_000];
/// How many times the time of a quarter of its length a string may take, beside this much for small times.
const MOST_RATIO: f64 = 4.0;
const NOISE_MS: f64 = 10.0;

pub(crate) fn run(jdk: &Jdk, findings: &mut Findings) -> Result<(), Failure> {
    println!();
    print!("{:<44}", "strings as long as a path needs, ms by units");
    LENGTHS.iter().for_each(|length| print!(" {length:>8}"));
    println!();
    let opened = Opened::new(jdk, "bench")?;
    for name in METHODS {
        let method = opened.method("LongTexts", name)?;
        let procedures = Procedures::new(opened.session.program());
        print!("LongTexts.{name:<34}");
        let mut times = Vec::new();
        for length in LENGTHS {
            let options = Options { domain: Some((length, length)), ..Options::default() };
            let (time, (summary, missing)) = measured(|| {
                let (_, summary) = all_cases(&procedures, &method, &options)?;
                let branches = Coverage::of(&procedures, &[], &method, &summary)?.branches;
                Ok((summary, branches.total - branches.covered))
            })?;
            times.push(time.as_secs_f64() * 1000.0);
            print!(" {:>8.1}", times[times.len() - 1]);
            if missing > 0 || !summary.ends.defects.is_empty() {
                findings.push(format!("LongTexts.{name}: {missing} branches missing at {length}"));
            }
        }
        println!();
        if let [.., quarter, _, whole] = times[..]
            && whole > MOST_RATIO * quarter + NOISE_MS
        {
            findings
                .miss(format!("LongTexts.{name}: more than linear: {quarter:.1} to {whole:.1} ms"));
        }
    }
    Ok(())
}
