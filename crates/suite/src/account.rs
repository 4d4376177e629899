//! What is said when the tests are written.

use petrel_testcase::{
    BranchCount, Defect, Feature, JudgedOperation, Limit, Place, Stopped, UncoveredBranch, Why,
};

/// Why a branch is covered or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// By this test.
    Covered(String),
    /// No input takes it.
    Infeasible,
    /// The bound cut the paths that might.
    BeyondBound,
    /// Something unsupported ended them.
    Unsupported,
    /// There is a case, but no test: its input cannot be built, or the test was dropped.
    NotConstructible(String),
    /// The budget was spent, or a limit reached.
    Budget,
    /// The solver gave up.
    Unknown,
}

impl Verdict {
    pub(crate) fn of(why: Why) -> Verdict {
        match why {
            Why::Infeasible => Verdict::Infeasible,
            Why::BeyondBound | Why::Excluded => Verdict::BeyondBound,
            Why::Unsupported => Verdict::Unsupported,
            Why::Budget | Why::NotSelected => Verdict::Budget,
            Why::Unknown => Verdict::Unknown,
        }
    }

    /// Its name in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Covered(_) => "covered",
            Verdict::Infeasible => "infeasible",
            Verdict::BeyondBound => "beyond_bound",
            Verdict::Unsupported => "unsupported",
            Verdict::NotConstructible(_) => "not_constructible",
            Verdict::Budget => "budget",
            Verdict::Unknown => "unknown",
        }
    }

    pub(crate) fn count(&self, branches: &mut BranchCount) {
        branches.total += 1;
        let counter = match self {
            Verdict::Covered(_) => &mut branches.covered,
            Verdict::Infeasible => &mut branches.infeasible,
            Verdict::BeyondBound => &mut branches.beyond_bound,
            Verdict::Unsupported => &mut branches.unsupported,
            Verdict::NotConstructible(_) => &mut branches.not_constructible,
            Verdict::Budget => &mut branches.budget,
            Verdict::Unknown => &mut branches.unknown,
        };
        *counter += 1;
    }
}

/// A branch, with what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BranchAccount {
    /// Offset of the jump.
    pub pc: u16,
    /// Offset of the instruction that the branch leads to.
    pub target_pc: u16,
    /// Source lines of both; 0 if the class file does not say.
    pub line: u16,
    /// The line that the branch leads to.
    pub target_line: u16,
    /// What is known of it.
    pub verdict: Verdict,
}

impl BranchAccount {
    pub(crate) fn uncovered(branch: &UncoveredBranch, target_line: u16, verdict: Verdict) -> Self {
        let UncoveredBranch { pc, line, target_pc, .. } = *branch;
        BranchAccount { pc, target_pc, line, target_line, verdict }
    }
}

/// A test that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestAccount {
    /// Its name.
    pub name: String,
    /// Why its input is built by reflection, if it is.
    pub by_reflection: Option<String>,
    /// How many inputs it has: more than one, if it has parameters.
    pub n_inputs: usize,
}

/// A test that is not kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dropped {
    /// Its name, or the path condition of a case that no test was written of.
    pub name: String,
    /// Why.
    pub why: String,
    /// What its runs say of the outcome that was predicted.
    pub prediction: Prediction,
    /// Whether it was written and given to the compiler.
    pub was_written: bool,
}

/// What runs of a test say of the outcome that was predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prediction {
    /// Nothing against it.
    Unrefuted,
    /// It is the outcome of some runs.
    Varies,
    /// It is not the outcome: that is a defect of Petrel.
    Wrong,
}

/// An exception that looks like a defect of the code under test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The test that shows it.
    pub test: String,
    /// The exception.
    pub exception: String,
    /// Where: `Bank.java:12`.
    pub place: String,
}

/// An operation that may overflow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperationAccount {
    /// What is known of it.
    pub judged: JudgedOperation,
    /// If it overflows: the test that shows it, and what happens there.
    pub shown: Option<(String, String)>,
}

/// The account of one method.
#[derive(Debug, Clone, Default)]
pub struct MethodAccount {
    /// Name and descriptor.
    pub name: String,
    /// Cases that were found.
    pub n_cases: usize,
    /// Whether these are all behaviours within the bounds.
    pub is_complete: bool,
    /// Tests that are kept.
    pub tests: Vec<TestAccount>,
    /// Tests that are not.
    pub dropped: Vec<Dropped>,
    /// Exceptions that look like defects.
    pub findings: Vec<Finding>,
    /// Operations that may overflow, if it was asked which do.
    pub operations: Vec<OperationAccount>,
    /// All branches.
    pub branches: Vec<BranchAccount>,
    /// How many of each kind.
    pub counts: BranchCount,
    /// What was not supported: what, where, and how often.
    pub unsupported: Vec<(Feature, Option<Place>, u64)>,
    /// Limits that were reached.
    pub limits: Vec<(Limit, u64)>,
    /// Bugs of Petrel that ended paths, and how often.
    pub defects: Vec<(Stopped<Defect>, u64)>,
    /// Why the method could not be looked at.
    pub failure: Option<String>,
    /// Work of its explorations.
    pub work: u64,
}

/// The account of one class.
#[derive(Debug, Clone, Default)]
pub struct ClassAccount {
    /// Its name with dots.
    pub class: String,
    /// The source file that it was compiled from.
    pub source: Option<String>,
    /// Its methods.
    pub methods: Vec<MethodAccount>,
    /// The file with its tests, if there are any.
    pub file: Option<String>,
    /// Why the file was not written.
    pub not_written: Option<String>,
    /// Whether tests were run.
    pub is_validated: bool,
    /// Microseconds of work, all threads together.
    pub elapsed_us: u64,
}

impl ClassAccount {
    /// The branches of all methods.
    pub fn counts(&self) -> BranchCount {
        let mut sum = BranchCount::default();
        self.methods.iter().for_each(|method| sum.add(&method.counts));
        sum
    }

    /// How many tests are kept.
    pub fn n_tests(&self) -> usize {
        self.methods.iter().map(|method| method.tests.len()).sum()
    }

    /// Tests that are not kept.
    pub fn dropped(&self) -> impl Iterator<Item = &Dropped> {
        self.methods.iter().flat_map(|method| &method.dropped)
    }
}

/// The account of a suite.
#[derive(Debug, Clone, Default)]
pub struct Account {
    /// Its classes.
    pub classes: Vec<ClassAccount>,
    /// Whether it was stopped before all classes were done.
    pub is_stopped: bool,
    /// Microseconds in all.
    pub elapsed_us: u64,
}

impl Account {
    /// The branches of all classes.
    pub fn counts(&self) -> BranchCount {
        let mut sum = BranchCount::default();
        self.classes.iter().for_each(|class| sum.add(&class.counts()));
        sum
    }
}
