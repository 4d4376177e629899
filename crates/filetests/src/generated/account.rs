//! The account that `petrel generate --json` prints.

use std::time::Duration;

use serde_json::Value;

use crate::documents;

/// The account of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Account {
    /// Its classes.
    pub classes: Vec<ClassAccount>,
    /// How long it took.
    pub elapsed: Duration,
}

/// What it says of a class.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClassAccount {
    /// Its name with dots.
    pub name: String,
    /// Its methods.
    pub methods: Vec<MethodAccount>,
    /// Tests that are not kept.
    pub dropped: Vec<Dropped>,
    /// Files with its tests.
    pub files: Vec<String>,
    /// Why there is no file.
    pub not_written: Option<String>,
    /// Time of all threads together.
    pub elapsed: Duration,
}

/// What it says of a method.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MethodAccount {
    /// Name and descriptor.
    pub name: String,
    /// Its tests.
    pub tests: Vec<TestAccount>,
    /// Its branches.
    pub branches: Vec<BranchAccount>,
    /// What was not supported, and how often.
    pub unsupported: Vec<(String, u64)>,
    /// Limits that were reached, and how often.
    pub limits: Vec<(String, u64)>,
    /// Why the method could not be looked at.
    pub failure: Option<String>,
}

/// A test that is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestAccount {
    /// Its name.
    pub name: String,
    /// Whether its input is built by reflection.
    pub is_by_reflection: bool,
}

/// A test that is not kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Its name, or its path condition.
    pub name: String,
    /// Why.
    pub reason: String,
    /// Whether it was written; if not, it is no test that was built.
    pub is_written: bool,
    /// Whether something else came out than was predicted.
    pub is_wrong_prediction: bool,
}

/// A branch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BranchAccount {
    /// Offset of the jump.
    pub pc: u16,
    /// Its source line; 0 if the class file does not tell.
    pub line: u16,
    /// `covered`, `infeasible`, `beyond_bound` ..
    pub verdict: String,
    /// The test that covers it.
    pub test: Option<String>,
    /// Why its case has no test.
    pub reason: Option<String>,
}

impl BranchAccount {
    /// Whether a test takes it.
    pub fn is_covered(&self) -> bool {
        self.verdict == "covered"
    }

    /// Whether it is proved that no input takes it.
    pub fn is_infeasible(&self) -> bool {
        self.verdict == "infeasible"
    }
}

impl Account {
    /// Reads an account.
    ///
    /// # Errors
    ///
    /// If the text is no JSON, or not as it should be.
    pub fn parse(text: &str) -> Result<Account, String> {
        documents::fits("generate", text)?;
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        Ok(Account { classes: all(&value, "classes", class)?, elapsed: time(&value["total"])? })
    }

    /// All methods.
    pub fn methods(&self) -> impl Iterator<Item = &MethodAccount> {
        self.classes.iter().flat_map(|class| &class.methods)
    }

    /// All tests that are not kept.
    pub fn dropped(&self) -> impl Iterator<Item = &Dropped> {
        self.classes.iter().flat_map(|class| &class.dropped)
    }
}

fn class(value: &Value) -> Result<ClassAccount, String> {
    Ok(ClassAccount {
        name: text(value, "class")?,
        methods: all(value, "methods", method)?,
        dropped: all(value, "dropped", dropped)?,
        files: all(value, "files", |file| {
            file.as_str().map(str::to_owned).ok_or_else(|| format!("{file} is no file"))
        })?,
        not_written: optional(value, "not_written"),
        elapsed: time(value)?,
    })
}

fn method(value: &Value) -> Result<MethodAccount, String> {
    let limits = value["limit"].as_object().ok_or("a method without limits")?;
    Ok(MethodAccount {
        name: text(value, "method")?,
        tests: all(value, "tests", |test| {
            let is_by_reflection = !test["by_reflection"].is_null();
            Ok(TestAccount { name: text(test, "name")?, is_by_reflection })
        })?,
        branches: all(value, "verdicts", branch)?,
        unsupported: all(value, "unsupported", |stop| {
            Ok((text(stop, "what")?, number(stop, "count")?))
        })?,
        limits: limits
            .iter()
            .map(|(limit, count)| (limit.clone(), count.as_u64().unwrap_or_default()))
            .collect(),
        failure: optional(value, "failure"),
    })
}

fn branch(value: &Value) -> Result<BranchAccount, String> {
    let offset = |name| {
        u16::try_from(number(value, name)?).map_err(|_| format!("{value}: {name} is too large"))
    };
    Ok(BranchAccount {
        pc: offset("pc")?,
        line: offset("line")?,
        verdict: text(value, "verdict")?,
        test: optional(value, "test"),
        reason: optional(value, "reason"),
    })
}

fn dropped(value: &Value) -> Result<Dropped, String> {
    let is = |name: &str| value[name].as_bool().ok_or_else(|| missing(value, name));
    Ok(Dropped {
        name: text(value, "test")?,
        reason: text(value, "reason")?,
        is_written: is("written")?,
        is_wrong_prediction: is("wrong_prediction")?,
    })
}

fn all<T>(
    value: &Value,
    name: &str,
    read: impl Fn(&Value) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    value[name].as_array().ok_or_else(|| missing(value, name))?.iter().map(read).collect()
}

fn text(value: &Value, name: &str) -> Result<String, String> {
    optional(value, name).ok_or_else(|| missing(value, name))
}

fn optional(value: &Value, name: &str) -> Option<String> {
    value[name].as_str().map(str::to_owned)
}

fn number(value: &Value, name: &str) -> Result<u64, String> {
    value[name].as_u64().ok_or_else(|| missing(value, name))
}

fn time(value: &Value) -> Result<Duration, String> {
    number(value, "elapsed_us").map(Duration::from_micros)
}

fn missing(value: &Value, name: &str) -> String {
    let mut shown = value.to_string();
    if let Some((end, _)) = shown.char_indices().nth(200) {
        shown.truncate(end);
    }
    format!("the account has no {name} in {shown}")
}
