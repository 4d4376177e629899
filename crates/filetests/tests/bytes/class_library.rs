//! All of `java.base`, from the JDK in use: every method translates, verifies, and fits its bytecode.

use std::ffi::OsStr;

use petrel_checks::Part;
use petrel_clp::{parse, print};
use petrel_filetests::library::problems;
use petrel_session::Session;
use petrel_translate::translate;

/// Every so many methods, the text of the rules is read back too.
const ROUND_TRIP_EVERY: usize = 40;
/// Of the classes.
const PART: Part = Part::one_of(25, 4);
const LEAST_METHODS: usize = 50_000;

#[test]
fn every_method_of_java_base_translates_and_verifies() {
    let session = Session::open(OsStr::new("."), None).expect("a JDK is needed; run: make setup");
    let jdk = session.jdk();
    let module = if jdk.feature_version() < 9 { "rt" } else { "java.base" };
    let mut failures = Vec::new();
    let mut methods = 0;
    let names = jdk.class_names_of_module(module).unwrap();
    for name in PART.of(names, &format!("classes of {module}")) {
        let class = session.program().class(&name).unwrap();
        for method in 0..class.file.methods.len() {
            match translate(session.program(), &class, method) {
                Ok(None) => {}
                Ok(Some(procedure)) => {
                    methods += 1;
                    failures.extend(problems(&class.file, method, &procedure));
                    if methods % ROUND_TRIP_EVERY == 0 {
                        let text = print::procedure(&procedure);
                        let read = parse::procedures(&text);
                        if read.as_deref() != Ok(std::slice::from_ref(&procedure)) {
                            failures.push(format!("{}: reads back differently", procedure.method));
                        }
                    }
                }
                Err(error) => failures.push(error.to_string()),
            }
        }
    }
    assert!(methods >= PART.least(LEAST_METHODS), "only {methods} methods were there");
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
