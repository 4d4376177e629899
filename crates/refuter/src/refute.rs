//! What Petrel says, beside what calls did.

use std::fmt;

use petrel_session::Session;
use petrel_testcase::Edge;

use crate::catalogue::Catalogue;
use crate::drive::{Effort, Refuter};
use crate::error::RefuterError;
use crate::taken::Taken;
use crate::verdicts::{Judgement, Judging};

/// A branch that is called infeasible, and was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refuted {
    /// Internal name of the class.
    pub class: String,
    /// Name and descriptor.
    pub method: String,
    /// Source line of the jump; 0 if the class file does not say.
    pub line: u16,
    /// Offsets of the jump and of where it leads.
    pub edge: Edge,
    /// The first call that took it.
    pub call: String,
}

impl fmt::Display for Refuted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refuted { class, method, line, edge: (pc, target), call } = self;
        let class = class.replace('/', ".");
        write!(f, "{class}.{method} line {line}, {pc} to {target}: {call}")
    }
}

/// Verdicts, calls, and where they contradict each other.
#[derive(Debug)]
pub struct Comparison {
    /// What Petrel says.
    pub judgement: Judgement,
    /// What was taken.
    pub taken: Taken,
    /// The contradictions.
    pub refuted: Vec<Refuted>,
}

/// The verdicts that calls refute.
pub fn refuted(judgement: &Judgement, taken: &Taken) -> Vec<Refuted> {
    let mut refuted = Vec::new();
    for method in &judgement.methods {
        for branch in method.branches.iter().filter(|branch| branch.is_infeasible) {
            if let Some(call) = taken.first_call(&method.class, &method.method, branch.edge) {
                refuted.push(Refuted {
                    class: method.class.clone(),
                    method: method.method.clone(),
                    line: branch.line,
                    edge: branch.edge,
                    call: call.to_owned(),
                });
            }
        }
    }
    refuted
}

/// Judges classes (internal names), drives them, and compares.
///
/// # Errors
///
/// If a class cannot be loaded, or no JVM starts.
pub fn compare(
    session: &Session,
    catalogue: &Catalogue,
    refuter: &Refuter,
    classes: &[String],
    judging: &Judging,
    effort: Effort,
) -> Result<Comparison, RefuterError> {
    let judgement = judging.judge(session, classes)?;
    let targets: Vec<_> = classes.iter().filter_map(|name| catalogue.target(name)).collect();
    let helpers = catalogue.helpers(classes);
    let taken = refuter.drive(&targets, &helpers, &judgement.infeasible(), effort)?;
    let refuted = refuted(&judgement, &taken);
    Ok(Comparison { judgement, taken, refuted })
}
