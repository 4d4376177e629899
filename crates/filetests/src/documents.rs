//! JSON documents against the schemas of their types, which are those in `docs/schema`.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::Value;

/// The commands, and the schemas of what they answer; `worst` has one for one method and one for two.
const COMMANDS: [(&str, &str); 7] = [
    ("cases", "cases"),
    ("more", "cases"),
    ("worst", "worst"),
    ("generate", "generate"),
    ("list", "list"),
    ("run", "run"),
    ("translate", "translate"),
];

/// Complaints are many if a document is quite another one.
const MOST_COMPLAINTS: usize = 5;

static VALIDATORS: LazyLock<BTreeMap<&'static str, Validator>> = LazyLock::new(|| {
    let validator = |published: petrel_report::PublishedSchema| {
        let validator = jsonschema::validator_for(published.schema.as_value());
        (published.name, validator.unwrap_or_else(|error| panic!("{}: {error}", published.name)))
    };
    petrel_report::schemas().into_iter().map(validator).collect()
});

/// Whether a document fits the schema of that name.
///
/// # Errors
///
/// If it does not, is no JSON, or there is no such schema: tells what does not fit.
pub fn fits(schema: &str, text: &str) -> Result<(), String> {
    let document: Value =
        serde_json::from_str(text).map_err(|error| format!("{schema}: {error}\n{text}"))?;
    let validator = VALIDATORS.get(schema).ok_or_else(|| format!("there is no schema {schema}"))?;
    let errors = validator.iter_errors(&document).take(MOST_COMPLAINTS);
    let complaints: Vec<String> =
        errors.map(|error| format!("{}: {error}", error.instance_path())).collect();
    if complaints.is_empty() { Ok(()) } else { Err(format!("{schema}: {}", complaints.join("\n"))) }
}

/// Checks a document against the schema of that name.
///
/// # Panics
///
/// If it does not fit.
#[track_caller]
pub fn check(schema: &str, text: &str) {
    if let Err(why) = fits(schema, text) {
        panic!("{why}");
    }
}

/// The schema of what a command line asks for, if that is JSON.
pub fn asked_for(arguments: &[impl AsRef<OsStr>]) -> Option<&'static str> {
    let mut arguments = arguments.iter().map(AsRef::as_ref);
    let is_json = arguments.clone().any(|argument| argument == "--json");
    let is_target = |argument: &&OsStr| {
        let text = argument.to_str().unwrap_or_default();
        text.contains('#') && !text.contains([' ', ':', '=', '@'])
    };
    let has_two_targets = arguments.clone().filter(is_target).count() == 2;
    let lists_traces =
        |argument: &OsStr| argument.to_str().is_some_and(|text| text.starts_with("--traces"));
    if is_json && arguments.clone().any(lists_traces) {
        return Some("traces");
    }
    let schema = arguments.find_map(|argument| {
        let known = COMMANDS.iter().find(|(command, _)| argument == *command);
        known.map(|(_, schema)| *schema)
    });
    // Of two methods, `worst` tells something else.
    let of_worst = if has_two_targets { "versus" } else { "cases" };
    let schema = schema.map(|schema| if schema == "worst" { of_worst } else { schema });
    schema.filter(|_| is_json)
}

/// The file that a command line writes a residual generator to.
pub fn saved_to<A: AsRef<OsStr>>(arguments: &[A]) -> Option<&OsStr> {
    let position = arguments.iter().position(|argument| argument.as_ref() == "--save")?;
    arguments.get(position + 1).map(AsRef::as_ref)
}
