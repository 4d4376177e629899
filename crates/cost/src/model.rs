//! One cost model as data: what instructions, allocations and calls cost.

use std::io;
use std::path::Path;

use petrel_classfile::Opcode;

use crate::ModelError;
use crate::allocations::Allocations;
use crate::file::{self, GREATEST};
use crate::method_name::MethodName;
use crate::part::Part;
use crate::sizes::Sizes;

/// A cost model ("Resource-driven CLP-based Test Case Generation", section 3.1).
#[derive(Debug, Clone)]
pub struct Model {
    pub(crate) name: Box<str>,
    pub(crate) unit: Option<Box<str>>,
    pub(crate) instructions: InstructionCosts,
    pub(crate) allocations: Allocations,
    pub(crate) calls: CallCosts,
    pub(crate) counts_calls: bool,
    /// What the cost is split up by.
    part: Option<Part>,
    /// Whether it is the most of what is allocated that is in use at once.
    pub(crate) is_live: bool,
    /// Whether it stands in a file.
    is_of_file: bool,
}

impl Model {
    /// The model that a user asks for: `instructions`, `memory`, `memory:hotspot`, `calls`,
    /// `calls:METHOD`, or a file `FILE.toml`, whose text `read` gives; with a part of the program if costs
    /// are to be split up by it (`instructions@method`).
    ///
    /// # Errors
    ///
    /// If there is no such model, or something is wrong with the method's name or with the file.
    pub fn parse(
        text: &str,
        read: &dyn Fn(&Path) -> io::Result<String>,
    ) -> Result<Model, ModelError> {
        let Some((whole, part)) = Part::split(text) else { return Model::parse_whole(text, read) };
        let Some(part) = Part::named(part) else {
            return Err(ModelError::Part { text: text.to_owned(), part: part.to_owned() });
        };
        Ok(Model::parse_whole(whole, read)?.by(part))
    }

    /// The same model, split up by a part of the program.
    pub fn by(mut self, part: Part) -> Model {
        self.name = format!("{}@{part}", self.whole_name()).into();
        self.part = Some(part);
        self
    }

    fn parse_whole(
        text: &str,
        read: &dyn Fn(&Path) -> io::Result<String>,
    ) -> Result<Model, ModelError> {
        if let Some(model) = Model::built_in(text) {
            return Ok(model);
        }
        if let Some(of_memory) = memory(text)? {
            return Ok(of_memory);
        }
        if let Some(method) = text.strip_prefix("calls:") {
            let named = vec![(method.parse()?, 1)];
            let calls = CallCosts { default: 0, named };
            return Ok(Model { calls, counts_calls: true, ..Model::free(text, Some("calls")) });
        }
        if text.ends_with(".toml") {
            let path = Path::new(text);
            let unreadable = |error| ModelError::Unreadable { file: path.to_owned(), error };
            let parsed = file::parse(path, &read(path).map_err(unreadable)?)?;
            return Ok(Model { is_of_file: true, ..parsed });
        }
        Err(ModelError::Unknown { text: text.to_owned() })
    }

    pub(crate) fn built_in(name: &str) -> Option<Model> {
        Some(match name {
            "instructions" => Model {
                instructions: InstructionCosts::uniform(1),
                ..Model::free(name, Some("instructions"))
            },
            "memory" => Model {
                allocations: Allocations::Sized(Sizes::default()),
                ..Model::free(name, Some("bytes"))
            },
            "calls" => Model {
                calls: CallCosts { default: 1, named: Vec::new() },
                counts_calls: true,
                ..Model::free(name, Some("calls"))
            },
            _ => return None,
        })
    }

    /// The model in which nothing costs anything.
    pub(crate) fn free(name: &str, unit: Option<&str>) -> Model {
        Model {
            name: name.into(),
            unit: unit.map(Into::into),
            instructions: InstructionCosts::uniform(0),
            allocations: Allocations::Free,
            calls: CallCosts::default(),
            counts_calls: false,
            part: None,
            is_live: false,
            is_of_file: false,
        }
    }

    /// Its name: as the user named it, or as its file says.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its name without what it is split up by.
    pub fn whole_name(&self) -> &str {
        match self.part {
            Some(_) => self.name.rsplit_once('@').map_or(&self.name, |(whole, _)| whole),
            None => &self.name,
        }
    }

    /// Whether a name means it: what it is split up by may be left out.
    pub fn is_named(&self, name: &str) -> bool {
        *self.name == *name || self.whole_name() == name
    }

    /// Whether it is not what is allocated in all, but the most of it that is in use at once: what garbage collection would leave
    /// at the peak.
    pub fn is_live(&self) -> bool {
        self.is_live
    }

    /// What its costs are split up by.
    pub fn part(&self) -> Option<Part> {
        self.part
    }

    /// The methods whose calls cost something that are named without a class: their names, and their descriptors if those are
    /// named. Of the others it is known that they are there.
    pub fn called_by_name(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        let named = self.calls.named.iter().filter(|(method, _)| method.class.is_none());
        named.map(|(method, _)| (&*method.name, method.descriptor.as_deref()))
    }

    /// Whether it stands in a file, which may be used for other programs, too.
    pub fn is_of_file(&self) -> bool {
        self.is_of_file
    }

    /// What it counts: `bytes`, `instructions`, `calls`, or what its file says.
    pub fn unit(&self) -> Option<&str> {
        self.unit.as_deref()
    }

    /// Whether it is a number of calls, so that reports can list them by method.
    pub fn counts_calls(&self) -> bool {
        self.counts_calls
    }
}

/// `memory:live`, `memory:hotspot:live`, `memory:live:ref=8:object=16`; `None` if it is none of these.
fn memory(text: &str) -> Result<Option<Model>, ModelError> {
    let Some(settings) = text.strip_prefix("memory:") else { return Ok(None) };
    let mut settings: Vec<&str> = settings.split(':').collect();
    let before = settings.len();
    settings.retain(|setting| *setting != "live");
    let is_live = settings.len() + 1 == before;
    let allocations = match settings.as_slice() {
        ["hotspot"] => Allocations::HotSpot,
        [] if is_live => Allocations::Sized(Sizes::default()),
        settings if settings.iter().any(|setting| setting.contains('=')) => {
            Allocations::Sized(sizes(text, settings)?)
        }
        _ => return Ok(None),
    };
    Ok(Some(Model { allocations, is_live, ..Model::free(text, Some("bytes")) }))
}

/// Sizes as in `ref=8`, `object=16`.
fn sizes(text: &str, settings: &[&str]) -> Result<Sizes, ModelError> {
    let error = |problem: String| ModelError::Size { text: text.to_owned(), problem };
    let mut sizes = Sizes::default();
    let mut keys = Vec::new();
    for setting in settings {
        let Some((key, size)) = setting.split_once('=') else {
            return Err(error(format!("`{setting}` is no size such as `ref=8`")));
        };
        let bytes = size.parse::<i64>().ok().filter(|bytes| (0..=GREATEST).contains(bytes));
        let Some(bytes) = bytes else {
            return Err(error(format!("`{size}` is no number of bytes from 0 to {GREATEST}")));
        };
        if keys.contains(&key) {
            return Err(error(format!("`{key}` has two sizes")));
        }
        keys.push(key);
        sizes.set(key, bytes).map_err(error)?;
    }
    Ok(sizes)
}

/// What the instructions cost, by opcode.
#[derive(Debug, Clone)]
pub(crate) struct InstructionCosts(Box<[i64; 256]>);

impl InstructionCosts {
    pub(crate) fn uniform(cost: i64) -> InstructionCosts {
        InstructionCosts(Box::new([cost; 256]))
    }

    pub(crate) fn of(&self, opcode: Opcode) -> i64 {
        self.0[usize::from(opcode.byte())]
    }

    pub(crate) fn set(&mut self, opcode: Opcode, cost: i64) {
        self.0[usize::from(opcode.byte())] = cost;
    }
}

/// What calls cost.
#[derive(Debug, Clone, Default)]
pub(crate) struct CallCosts {
    /// Of a method in scope that nothing else names.
    pub(crate) default: i64,
    pub(crate) named: Vec<(MethodName, i64)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &Path) -> io::Result<String> {
        match path.to_str() {
            Some("models/energy.toml") => Ok("unit = \"nJ\"".to_owned()),
            Some("models/wrong.toml") => Ok("unit =".to_owned()),
            _ => Err(io::Error::from(io::ErrorKind::NotFound)),
        }
    }

    #[test]
    fn models_have_a_name_and_a_unit() {
        for (text, name, unit, counts_calls) in [
            ("instructions", "instructions", "instructions", false),
            ("memory", "memory", "bytes", false),
            ("memory:hotspot", "memory:hotspot", "bytes", false),
            ("calls", "calls", "calls", true),
            ("calls:Vector#realloc", "calls:Vector#realloc", "calls", true),
            ("models/energy.toml", "energy", "nJ", false),
            ("models/energy.toml@line", "energy@line", "nJ", false),
            ("instructions@method", "instructions@method", "instructions", false),
            ("memory:ref=8:object=16", "memory:ref=8:object=16", "bytes", false),
            ("memory:hotspot:live@line", "memory:hotspot:live@line", "bytes", false),
        ] {
            let model = Model::parse(text, &read).unwrap();
            assert_eq!((model.name(), model.unit()), (name, Some(unit)));
            assert_eq!(model.counts_calls(), counts_calls, "{text}");
        }
    }

    #[test]
    fn what_is_no_model_is_refused_with_the_reason() {
        for (text, part) in [
            ("memmory", "there is no cost model `memmory`; there are instructions"),
            ("memory:j9", "there is no cost model `memory:j9`"),
            ("", "there is no cost model ``"),
            ("calls:", "the name is empty"),
            ("calls:a.b", "`a.b` names no method"),
            ("calls@lines", "`calls@lines`: costs are split up by class, method, line or stack"),
            ("memmory@line", "there is no cost model `memmory`"),
            ("memory:ref=8:ref=4", "`ref` has two sizes"),
            ("memory:ref=8:lively", "`lively` is no size such as `ref=8`"),
            ("memory:live:live", "there is no cost model `memory:live:live`"),
            ("memory:ref=-8", "`-8` is no number of bytes"),
            ("memory:refs=8", "`refs` has no size; there are prim, ref"),
            ("memory:align=0", "an alignment is a number from 1"),
            ("models/none.toml", "models/none.toml cannot be read: "),
            ("models/wrong.toml", "models/wrong.toml:1: "),
        ] {
            let problem = Model::parse(text, &read).unwrap_err().to_string();
            assert!(problem.contains(part), "{problem}");
        }
    }
}
