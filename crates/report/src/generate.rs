//! What `generate` answers: the account of a suite.

use std::io;

use petrel_suite as suite;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::SCHEMA;
use crate::cases::{Branches, OverflowVerdict, Stopped};
use crate::layout::pretty;
use crate::members::Members;
use crate::text::Text;

/// The summary object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "petrel generate --json")]
pub struct GenerateAnswer<'a> {
    /// The version of the format.
    pub schema: u32,
    /// The classes.
    pub classes: Vec<Class<'a>>,
    /// All of them together.
    pub total: Total<'a>,
}

/// All classes together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Total<'a> {
    /// Tests that are kept.
    pub tests: usize,
    /// Methods.
    pub methods: usize,
    /// Their branches.
    pub branches: Branches,
    /// Tests that were run and passed.
    pub validated: usize,
    /// Tests that are not kept.
    pub dropped: Vec<Dropped<'a>>,
    /// Microseconds in all.
    pub elapsed_us: u64,
    /// Files with tests.
    pub files: Vec<Text<'a>>,
    /// Whether it was stopped before all classes were done.
    pub stopped: bool,
}

/// A class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Class<'a> {
    /// Its name with dots.
    pub class: Text<'a>,
    /// Tests that are kept.
    pub tests: usize,
    /// Its methods.
    pub methods: Vec<Method<'a>>,
    /// Its branches, as JaCoCo counts them.
    pub branches: Branches,
    /// Tests that were run and passed.
    pub validated: usize,
    /// Tests that are not kept.
    pub dropped: Vec<Dropped<'a>>,
    /// Microseconds of work, all threads together.
    pub elapsed_us: u64,
    /// Files with its tests.
    pub files: Vec<Text<'a>>,
    /// Why there is no file.
    pub not_written: Option<Text<'a>>,
}

/// A test that is not kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Dropped<'a> {
    /// The class that it tests.
    pub class: Text<'a>,
    /// Its name, or the path condition of a case that no test was written of.
    pub test: Text<'a>,
    /// Why.
    pub reason: Text<'a>,
    /// Whether it was written and given to the compiler.
    pub written: bool,
    /// Whether the outcome was predicted wrongly: that is a defect of Petrel.
    pub wrong_prediction: bool,
}

/// A method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Method<'a> {
    /// Name and descriptor.
    pub method: Text<'a>,
    /// Cases that were found.
    pub cases: usize,
    /// Whether these are all behaviours within the bounds.
    pub complete: bool,
    /// Tests that are kept.
    pub tests: Vec<Test<'a>>,
    /// Exceptions that look like defects.
    pub findings: Vec<Finding<'a>>,
    /// Operations that may overflow, if it was asked which do.
    pub overflow: Vec<Operation<'a>>,
    /// How many branches of each kind there are.
    pub branches: Branches,
    /// All branches.
    pub verdicts: Vec<Branch<'a>>,
    /// What was not supported.
    pub unsupported: Vec<Stopped<'a>>,
    /// Paths that reached a limit, by limit.
    pub limit: Members<'a, u64>,
    /// Why the method could not be looked at.
    pub failure: Option<Text<'a>>,
    /// Work of its explorations.
    pub work: u64,
    /// Bugs of Petrel that ended paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub defects: Vec<Stopped<'a>>,
}

/// A test that is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Test<'a> {
    /// Its name.
    pub name: Text<'a>,
    /// Why its input is built by reflection, if it is.
    pub by_reflection: Option<Text<'a>>,
    /// How many inputs it has: more than one, if it has parameters.
    pub inputs: usize,
}

/// An exception that looks like a defect of the code under test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding<'a> {
    /// The test that shows it.
    pub test: Text<'a>,
    /// The exception.
    pub exception: Text<'a>,
    /// Where: `Bank.java:12`.
    pub place: Text<'a>,
}

/// An operation that may overflow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Operation<'a> {
    /// Offset of the instruction.
    pub pc: u16,
    /// Its source line; 0 if the class file does not say.
    pub line: u16,
    /// `addition`, `subtraction`, `multiplication`, `division` or `negation`.
    pub operation: Text<'a>,
    /// `int` or `long`.
    #[serde(rename = "type")]
    pub type_name: Text<'a>,
    /// What is known.
    pub verdict: OverflowVerdict,
    /// The test that shows it.
    pub test: Option<Text<'a>>,
    /// What happens there.
    pub shown: Option<Text<'a>>,
}

/// A branch, with what is known of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Branch<'a> {
    /// Offset of the jump.
    pub pc: u16,
    /// Offset of the instruction that the branch leads to.
    pub target_pc: u16,
    /// Source line of the jump; 0 if the class file does not say.
    pub line: u16,
    /// What is known of it.
    pub verdict: Verdict,
    /// The test that covers it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<Text<'a>>,
    /// Why its case has no test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Text<'a>>,
}

/// Why a branch is covered or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// A test takes it.
    Covered,
    /// No input takes it.
    Infeasible,
    /// The bound cut the paths that might.
    BeyondBound,
    /// Something unsupported ended them.
    Unsupported,
    /// There is a case, but no test.
    NotConstructible,
    /// The budget was spent, or a limit reached.
    Budget,
    /// The solver gave up.
    Unknown,
}

impl<'a> GenerateAnswer<'a> {
    /// The answer for an account.
    pub fn of(account: &'a suite::Account) -> GenerateAnswer<'a> {
        let classes = || account.classes.iter();
        let tests = classes().map(suite::ClassAccount::n_tests).sum();
        let are_validated = classes().all(|class| class.is_validated);
        GenerateAnswer {
            schema: SCHEMA,
            classes: classes().map(Class::of).collect(),
            total: Total {
                tests,
                methods: classes().map(|class| class.methods.len()).sum(),
                branches: Branches::all(&account.counts()),
                validated: if are_validated { tests } else { 0 },
                dropped: classes().flat_map(dropped).collect(),
                elapsed_us: account.elapsed_us,
                files: classes().flat_map(|class| &class.file).map(|it| (&**it).into()).collect(),
                stopped: account.is_stopped,
            },
        }
    }

    /// Writes the document.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(&self, out: impl io::Write) -> io::Result<()> {
        pretty(self, out)
    }
}

impl<'a> Class<'a> {
    fn of(class: &'a suite::ClassAccount) -> Class<'a> {
        let tests = class.n_tests();
        Class {
            class: (&*class.class).into(),
            tests,
            methods: class.methods.iter().map(Method::of).collect(),
            branches: Branches::all(&class.counts()),
            validated: if class.is_validated { tests } else { 0 },
            dropped: dropped(class).collect(),
            elapsed_us: class.elapsed_us,
            files: class.file.iter().map(|file| (&**file).into()).collect(),
            not_written: class.not_written.as_deref().map(Text::from),
        }
    }
}

fn dropped(class: &suite::ClassAccount) -> impl Iterator<Item = Dropped<'_>> {
    class.dropped().map(|dropped| Dropped {
        class: (&*class.class).into(),
        test: Text::shown(&dropped.name),
        reason: Text::shown(&dropped.why),
        written: dropped.was_written,
        wrong_prediction: dropped.prediction == suite::Prediction::Wrong,
    })
}

impl<'a> Method<'a> {
    fn of(method: &'a suite::MethodAccount) -> Method<'a> {
        let tests = method.tests.iter().map(|test| Test {
            name: (&*test.name).into(),
            by_reflection: test.by_reflection.as_ref().map(|why| Text::shown(why)),
            inputs: test.n_inputs,
        });
        let findings = method.findings.iter().map(|finding| Finding {
            test: (&*finding.test).into(),
            exception: (&*finding.exception).into(),
            place: Text::shown(&finding.place),
        });
        let unsupported = method.unsupported.iter();
        let limits = method.limits.iter();
        let defects = method.defects.iter();
        Method {
            method: (&*method.name).into(),
            cases: method.n_cases,
            complete: method.is_complete,
            tests: tests.collect(),
            findings: findings.collect(),
            overflow: method.operations.iter().map(Operation::of).collect(),
            branches: Branches::all(&method.counts),
            verdicts: method.branches.iter().map(Branch::of).collect(),
            unsupported: unsupported
                .map(|(what, place, count)| Stopped::of(what, place.as_ref(), *count))
                .collect(),
            limit: limits.map(|(limit, count)| (Text::shown(limit), *count)).collect(),
            failure: method.failure.as_ref().map(|why| Text::shown(why)),
            work: method.work,
            defects: defects
                .map(|(of, count)| Stopped::of(&of.what, of.place.as_ref(), *count))
                .collect(),
        }
    }
}

impl<'a> Operation<'a> {
    fn of(operation: &'a suite::OperationAccount) -> Operation<'a> {
        let suite::OperationAccount { judged, shown } = operation;
        Operation {
            pc: judged.arithmetic.pc,
            line: judged.arithmetic.line,
            operation: judged.arithmetic.name().into(),
            type_name: judged.arithmetic.type_name().into(),
            verdict: judged.into(),
            test: shown.as_ref().map(|(test, _)| (&**test).into()),
            shown: shown.as_ref().map(|(_, told)| (&**told).into()),
        }
    }
}

impl<'a> Branch<'a> {
    fn of(branch: &'a suite::BranchAccount) -> Branch<'a> {
        let (verdict, test, reason) = match &branch.verdict {
            suite::Verdict::Covered(test) => (Verdict::Covered, Some(Text::shown(test)), None),
            suite::Verdict::Infeasible => (Verdict::Infeasible, None, None),
            suite::Verdict::BeyondBound => (Verdict::BeyondBound, None, None),
            suite::Verdict::Unsupported => (Verdict::Unsupported, None, None),
            suite::Verdict::NotConstructible(reason) => {
                (Verdict::NotConstructible, None, Some(Text::shown(reason)))
            }
            suite::Verdict::Budget => (Verdict::Budget, None, None),
            suite::Verdict::Unknown => (Verdict::Unknown, None, None),
        };
        let &suite::BranchAccount { pc, target_pc, line, .. } = branch;
        Branch { pc, target_pc, line, verdict, test, reason }
    }
}
