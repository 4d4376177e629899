//! Bench.
#![allow(clippy::print_stdout, reason = "x")]
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::time::Instant;
use petrel_session::Session;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let jdk = std::path::Path::new(&args[1]);
    let session = Session::open(OsStr::new("."), Some(jdk)).unwrap();
    let t = Instant::now();
    let names = session.jdk().class_names_of_module(&args[2]).unwrap();
    let mut methods = 0;
    let mut rules = 0usize;
    let mut preds = 0usize;
    let mut problems: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let mut load = 0;
    for name in &names {
        let class = match session.program().class(name) { Ok(c) => c, Err(e) => { println!("{e}"); continue } };
        load += 1;
        for m in 0..class.file.methods.len() {
            match petrel_translate::translate(session.program(), &class, m) {
                Ok(None) => {}
                Ok(Some(p)) => {
                    methods += 1; preds += p.predicates.len(); rules += p.rules().count();
                    if args.len() > 3 {
                    for problem in petrel_clp::verify::verify(&p) {
                        let e = problems.entry(format!("{}", problem.message).chars().filter(|c| !c.is_ascii_digit()).collect()).or_insert((0, format!("{} {problem:?}", p.method)));
                        e.0 += 1;
                    }}
                }
                Err(e) => { let e2 = problems.entry("ERR".to_owned() + &format!("{e}").chars().filter(|c| !c.is_ascii_digit()).collect::<String>().split(':').next_back().unwrap().to_owned()).or_insert((0, e.to_string())); e2.0 += 1; }
            }
        }
    }
    println!("{load} classes, {methods} methods, {preds} predicates {rules} rules in {:?}", t.elapsed());
    for (k, (n, ex)) in problems.iter().take(60) { println!("{n:6} {k}\n        e.g. {ex}"); }
}
