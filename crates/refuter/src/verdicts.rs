//! What Petrel says of the branches of classes: as `petrel generate --no-run` does, or `petrel cases` for each method.

use std::collections::BTreeSet;

use petrel_budget::Purse;
use petrel_classpath::ClassSource;
use petrel_program::ResolvedMethod;
use petrel_session::Session;
use petrel_suite::{
    ClassTarget, Judged, Suite, SuiteOptions, Verdict, Visibility, Watch, targets_of,
};
use petrel_testcase::{BranchCount, Coverage, Edge, Options, Why, generate};
use petrel_translate::cache::Procedures;

use crate::drive::Wanted;
use crate::error::RefuterError;

/// What is said of some classes.
#[derive(Debug, Clone, Default)]
pub struct Judgement {
    /// Methods, in the order of the classes.
    pub methods: Vec<JudgedMethod>,
    /// Methods that could not be judged, and why.
    pub failures: Vec<(String, String)>,
}

/// What is said of a method.
#[derive(Debug, Clone)]
pub struct JudgedMethod {
    /// Internal name of its class.
    pub class: String,
    /// Name and descriptor.
    pub method: String,
    /// Its branches; those that a case takes may be missing.
    pub branches: Vec<JudgedBranch>,
    /// How many of each kind.
    pub counts: BranchCount,
}

/// What is said of a branch.
#[derive(Debug, Clone)]
pub struct JudgedBranch {
    /// Offsets of the jump and of where it leads.
    pub edge: Edge,
    /// Source line of the jump; 0 if the class file does not say.
    pub line: u16,
    /// Whether no input is said to take it.
    pub is_infeasible: bool,
}

impl Judgement {
    /// How many branches of each kind there are.
    pub fn counts(&self) -> BranchCount {
        let mut sum = BranchCount::default();
        self.methods.iter().for_each(|method| sum.add(&method.counts));
        sum
    }

    /// The branches that are called infeasible.
    pub fn infeasible(&self) -> Wanted {
        let mut wanted = Wanted::new();
        for method in &self.methods {
            let branches = method.branches.iter();
            let branches = branches.filter(|branch| branch.is_infeasible);
            let edges: BTreeSet<Edge> = branches.map(|branch| branch.edge).collect();
            if !edges.is_empty() {
                wanted.insert((method.class.clone(), method.method.clone()), edges);
            }
        }
        wanted
    }
}

struct Nobody;

impl Watch for Nobody {
    fn started(&self, _: &ResolvedMethod) {}
    fn finished(&self, _: &ResolvedMethod, _: usize) {}
}

/// Whom verdicts come from, and on what.
#[derive(Debug, Clone)]
pub struct Judging {
    /// Which methods are judged.
    pub visibility: Visibility,
    /// Whether each method is judged as `petrel cases` does it, and not as `petrel generate`.
    pub by_cases: bool,
    /// What is wanted of a suite; the budget and the bounds hold for cases, too.
    pub suite: SuiteOptions,
    /// Threads.
    pub jobs: usize,
}

impl Judging {
    /// As `petrel generate` does it if nothing else is said.
    pub fn usual(feature_version: u16) -> Judging {
        let suite = SuiteOptions::usual(feature_version);
        Judging { visibility: Visibility::Package, by_cases: false, suite, jobs: 1 }
    }

    /// What is said of the branches of some classes, by their internal names. No test is compiled or run: that
    /// makes no branch infeasible.
    ///
    /// # Errors
    ///
    /// If a class cannot be loaded, or the class path cannot be read.
    pub fn judge(&self, session: &Session, classes: &[String]) -> Result<Judgement, RefuterError> {
        let program = session.program();
        let mut targets = Vec::new();
        for name in classes {
            let class = program.class(name).map_err(|error| RefuterError::Load {
                class: name.clone(),
                reason: error.to_string(),
            })?;
            targets.push(targets_of(program, &class, self.visibility));
        }
        let procedures = Procedures::new(program);
        let project = session.class_path().class_names()?;
        Ok(if self.by_cases {
            self.judge_cases(&procedures, &project, &targets)
        } else {
            self.judge_suite(&procedures, &project, &targets)
        })
    }

    fn judge_suite(
        &self,
        procedures: &Procedures<'_>,
        project: &[String],
        targets: &[ClassTarget],
    ) -> Judgement {
        let (options, jobs, purse) = (&self.suite, self.jobs, &Purse::unlimited());
        let suite = Suite { procedures, project, options, jobs, purse };
        let mut judgement = Judgement::default();
        for plan in suite.plan(targets, &Nobody) {
            let kept = vec![Judged::Kept; plan.written().tests.len()];
            let (_, account) = plan.finish(procedures, project, options, &kept, false);
            for method in &account.methods {
                let why = method.failure.iter().cloned();
                let name = format!("{}.{}", account.class, method.name);
                judgement.failures.extend(why.map(|why| (name.clone(), why)));
            }
            let class = account.class.replace('.', "/");
            judgement.methods.extend(account.methods.into_iter().map(|method| {
                JudgedMethod {
                    class: class.clone(),
                    method: method.name,
                    counts: method.counts,
                    branches: method
                        .branches
                        .into_iter()
                        .map(|branch| JudgedBranch {
                            edge: (branch.pc, branch.target_pc),
                            line: branch.line,
                            is_infeasible: branch.verdict == Verdict::Infeasible,
                        })
                        .collect(),
                }
            }));
        }
        judgement
    }

    fn judge_cases(
        &self,
        procedures: &Procedures<'_>,
        project: &[String],
        targets: &[ClassTarget],
    ) -> Judgement {
        let mut judgement = Judgement::default();
        for method in targets.iter().flat_map(|target| &target.methods) {
            let purse = Purse::unlimited().with_work(self.suite.budget);
            let options = Options { purse, ..self.suite.cases.clone() };
            let summary = generate(procedures, method, &options, &mut |_| true);
            let coverage = summary.map_err(|error| error.to_string()).and_then(|summary| {
                let coverage = Coverage::of(procedures, project, method, &summary);
                coverage.map_err(|error| error.to_string())
            });
            let coverage = match coverage {
                Ok(coverage) => coverage,
                Err(why) => {
                    let class = method.class().name().replace('/', ".");
                    let name = format!("{class}.{}{}", method.name(), method.descriptor());
                    judgement.failures.push((name, why));
                    continue;
                }
            };
            judgement.methods.push(JudgedMethod {
                class: method.class().name().to_owned(),
                method: format!("{}{}", method.name(), method.descriptor()),
                counts: coverage.branches,
                branches: coverage
                    .uncovered
                    .iter()
                    .map(|branch| JudgedBranch {
                        edge: (branch.pc, branch.target_pc),
                        line: branch.line,
                        is_infeasible: branch.why == Why::Infeasible,
                    })
                    .collect(),
            });
        }
        judgement
    }
}
