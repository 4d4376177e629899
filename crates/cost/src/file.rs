//! Models in files: TOML with up to four sections, each of them optional.
//!
//! ```toml
//! name = "energy"
//! unit = "nJ"
//!
//! [instructions]
//! default = 1
//! idiv = 12
//! "invoke*" = 5
//!
//! [allocations]
//! "pkg.Vector" = 100
//! "int[]" = { base = 16, element = 4 }
//!
//! [memory]
//! ref = 8
//! object = 16
//!
//! [calls]
//! "java.io.PrintStream#println" = 500
//! ```
//!
//! What is not understood is an error with its line: a cost that is silently ignored is a wrong cost.

#[cfg(test)]
mod tests;

use std::path::Path;

use petrel_classfile::Opcode;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::allocations::{AllocationCost, AllocationTable, Allocations, TypePattern};
use crate::model::{CallCosts, InstructionCosts, Model};
use crate::sizes::Sizes;
use crate::{ModelError, method_name};

/// Greater costs are refused, so that sums stay far from what numbers can hold.
pub(crate) const GREATEST: i64 = i32::MAX as i64;

const DEFAULT: &str = "default";

/// The model that the text of a file describes.
pub(crate) fn parse(file: &Path, text: &str) -> Result<Model, ModelError> {
    let model = DeTable::parse(text).map_err(|error| Problem {
        offset: error.span().map_or(0, |span| span.start),
        message: error.message().to_owned(),
    });
    model.and_then(|table| model_of(file, table.get_ref())).map_err(|problem| {
        let before = text.get(..problem.offset).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        ModelError::File { file: file.to_owned(), line, problem: problem.message }
    })
}

/// What is wrong, and at which byte of the text.
struct Problem {
    offset: usize,
    message: String,
}

type Parsed<T> = Result<T, Problem>;
type Key<'t> = Spanned<std::borrow::Cow<'t, str>>;
type Value<'t> = Spanned<DeValue<'t>>;

fn problem<T, V>(at: &Spanned<V>, message: impl Into<String>) -> Parsed<T> {
    Err(Problem { offset: at.span().start, message: message.into() })
}

fn model_of(file: &Path, table: &DeTable<'_>) -> Parsed<Model> {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let mut model = Model::free(&stem, None);
    let mut is_named = false;
    let mut allocations = AllocationTable::default();
    for (key, value) in table {
        match &**key.get_ref() {
            "name" => {
                model.name = text_of(key, value)?.into();
                check_name(&model.name).or_else(|message| problem(value, message))?;
                is_named = true;
            }
            "unit" => model.unit = Some(text_of(key, value)?.into()),
            "instructions" => model.instructions = instructions(section(key, value)?)?,
            "allocations" => add_allocations(section(key, value)?, &mut allocations)?,
            "memory" => {
                let sizes = memory(section(key, value)?, &mut model.is_live)?;
                allocations.rest = Some(sizes);
            }
            "calls" => model.calls = calls(section(key, value)?)?,
            other => {
                return problem(
                    key,
                    format!(
                        "`{other}` is not known here; there are name and unit, and the sections \
                         [instructions], [allocations], [memory] and [calls]"
                    ),
                );
            }
        }
    }
    if let (Some(_), Some(_), Some((key, _))) =
        (allocations.default, allocations.rest, table.get_key_value("memory"))
    {
        return problem(
            key,
            "[memory] says what allocations cost that have no name, and so does `default` in [allocations]",
        );
    }
    if let Some(key) = table.keys().find(|key| matches!(&**key.get_ref(), "instructions" | "calls"))
        && model.is_live
    {
        let message = "what is in use at once is memory alone: `live` goes with neither [instructions] nor [calls]";
        return problem(key, message);
    }
    model.allocations = Allocations::Listed(allocations);
    if !is_named {
        let message = |message| format!("{message}; the file can say name = \"...\"");
        check_name(&stem).map_err(|problem| Problem { offset: 0, message: message(problem) })?;
    }
    Ok(model)
}

/// Names stand in policies and reports, where they must be one word and mean one thing.
fn check_name(name: &str) -> Result<(), String> {
    let is_word = |name: &str| {
        name.starts_with(char::is_alphabetic)
            && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))
    };
    if Model::built_in(name).is_some() {
        return Err(format!("`{name}` is the name of a model that is there already"));
    }
    if !is_word(name) {
        return Err(format!(
            "`{name}` cannot be the name of a model: a name starts with a letter and has letters, \
             digits, `-`, `_` and `.`"
        ));
    }
    Ok(())
}

fn text_of<'v>(key: &Key<'_>, value: &'v Value<'_>) -> Parsed<&'v str> {
    match value.get_ref() {
        DeValue::String(text) if !text.trim().is_empty() => Ok(text),
        _ => problem(value, format!("`{}` is a text such as \"energy\"", key.get_ref())),
    }
}

fn section<'v, 't>(key: &Key<'_>, value: &'v Value<'t>) -> Parsed<&'v DeTable<'t>> {
    match value.get_ref() {
        DeValue::Table(table) => Ok(table),
        _ => {
            problem(key, format!("`{0}` is a section: it starts with a line [{0}]", key.get_ref()))
        }
    }
}

/// A cost. Costs are not negative: the search for the worst case relies on sums that do not go down.
fn cost(key: &Key<'_>, value: &Value<'_>) -> Parsed<i64> {
    let name = key.get_ref();
    let integer = match value.get_ref() {
        DeValue::Integer(integer) => integer,
        DeValue::Table(_) => {
            return problem(
                key,
                format!(
                    "`{name}` has no cost; names with dots stand in quotes, such as \"{name}.X\""
                ),
            );
        }
        DeValue::Float(float) => {
            return problem(
                value,
                format!(
                    "the cost of `{name}` is {}, but costs are whole numbers; a smaller unit helps",
                    float.as_str()
                ),
            );
        }
        _ => return problem(value, format!("the cost of `{name}` is not a whole number")),
    };
    let parsed = i64::from_str_radix(integer.as_str(), integer.radix()).ok();
    match parsed {
        Some(cost) if cost < 0 => {
            problem(value, format!("the cost of `{name}` is {cost}, but costs are never negative"))
        }
        Some(cost) if cost <= GREATEST => Ok(cost),
        _ => problem(
            value,
            format!("the cost of `{name}` is {integer}, but costs are at most {GREATEST}"),
        ),
    }
}

fn instructions(table: &DeTable<'_>) -> Parsed<InstructionCosts> {
    let mut costs = InstructionCosts::uniform(0);
    // From the least to the most specific: later ones replace earlier ones.
    let mut entries = Vec::new();
    for (key, value) in table {
        let name = &**key.get_ref();
        let cost = cost(key, value)?;
        let (specificity, opcodes) = if name == DEFAULT {
            (0, all_opcodes().collect())
        } else if let Some(prefix) = name.strip_suffix('*') {
            let group = all_opcodes().filter(|opcode| opcode.mnemonic().starts_with(prefix));
            (prefix.len() + 1, group.collect::<Vec<_>>())
        } else {
            (usize::MAX, Opcode::from_mnemonic(name).into_iter().collect())
        };
        if opcodes.is_empty() {
            return problem(
                key,
                format!(
                    "the JVM has no instruction `{name}`; its instructions are named as javap prints \
                     them, such as idiv, and groups such as \"invoke*\""
                ),
            );
        }
        entries.push((specificity, opcodes, cost));
    }
    entries.sort_by_key(|(specificity, ..)| *specificity);
    for (_, opcodes, cost) in entries {
        for opcode in opcodes {
            costs.set(opcode, cost);
        }
    }
    Ok(costs)
}

fn all_opcodes() -> impl Iterator<Item = Opcode> {
    (0..=u8::MAX).filter_map(Opcode::from_byte)
}

/// Sizes of primitives, references and headers: what objects and arrays cost that [allocations] does not name.
fn memory(table: &DeTable<'_>, is_live: &mut bool) -> Parsed<Sizes> {
    let mut sizes = Sizes::default();
    for (key, value) in table {
        if &**key.get_ref() == "live" {
            let DeValue::Boolean(value) = value.get_ref() else {
                return problem(value, "`live` is true or false");
            };
            *is_live = *value;
            continue;
        }
        let size = cost(key, value)?;
        sizes.set(key.get_ref(), size).or_else(|message| problem(key, message))?;
    }
    Ok(sizes)
}

fn add_allocations(table: &DeTable<'_>, costs: &mut AllocationTable) -> Parsed<()> {
    for (key, value) in table {
        let name = &**key.get_ref();
        if name == DEFAULT {
            costs.default = Some(cost(key, value)?);
            continue;
        }
        let Some(pattern) = TypePattern::parse(name) else {
            return problem(
                key,
                format!(
                    "`{name}` is not the name of a class or array, such as \"pkg.Vector\", \"pkg.*\", \
                     \"int[]\" or \"*[]\""
                ),
            );
        };
        let cost = allocation_cost(key, value, &pattern)?;
        costs.entries.push((pattern, cost));
    }
    Ok(())
}

/// A number, or for arrays `{ base = 16, element = 4 }`.
fn allocation_cost(
    key: &Key<'_>,
    value: &Value<'_>,
    pattern: &TypePattern,
) -> Parsed<AllocationCost> {
    let parts = match value.get_ref() {
        DeValue::Table(parts) if pattern.is_array => parts,
        _ => return Ok(AllocationCost { base: cost(key, value)?, element: 0 }),
    };
    let mut found = AllocationCost::default();
    for (part, value) in parts {
        match &**part.get_ref() {
            "base" => found.base = cost(part, value)?,
            "element" => found.element = cost(part, value)?,
            other => {
                return problem(
                    part,
                    format!("`{other}` is not known here; an array has base and element"),
                );
            }
        }
    }
    Ok(found)
}

fn calls(table: &DeTable<'_>) -> Parsed<CallCosts> {
    let mut costs = CallCosts::default();
    for (key, value) in table {
        let cost = cost(key, value)?;
        if &**key.get_ref() == DEFAULT {
            costs.default = cost;
            continue;
        }
        match key.get_ref().parse::<method_name::MethodName>() {
            Ok(name) => costs.named.push((name, cost)),
            Err(error) => return problem(key, error.to_string()),
        }
    }
    Ok(costs)
}
