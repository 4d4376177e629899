//! How the budget of a method is dealt out.
//!
//! A stage may go on until a part of the budget is spent, whoever has spent it: what a stage leaves is there for those
//! behind it, and all together never spend more than there is. Each stage has a part that those before it cannot take
//! away, the last one (choosing cases, looking at what their calls leave behind, further inputs) a tenth.

use petrel_budget::Purse;

use crate::SuiteOptions;

/// The budget of a method, by stages.
pub(crate) struct Stages {
    /// For ordinary tests.
    ordinary: Purse,
    /// For everything.
    all: Purse,
    /// Eighths of it up to the end of the search for the worst case.
    worst_case: u32,
}

/// Eighths of the budget for each thing that is wanted besides ordinary tests.
const EXTRA: u32 = 2;

impl Stages {
    pub(crate) fn new(purse: &Purse, options: &SuiteOptions) -> Stages {
        let overflow = if options.overflow { EXTRA } else { 0 };
        let worst_case = 8 - overflow;
        let ordinary = worst_case - if options.worst_case.is_some() { EXTRA } else { 0 };
        Stages { ordinary: purse.up_to(ordinary, 8), all: purse.clone(), worst_case }
    }

    /// All paths over fields.
    pub(crate) fn fields(&self) -> Purse {
        self.ordinary.up_to(3, 10)
    }

    /// Guidance towards branches that are missing.
    pub(crate) fn guided(&self) -> Purse {
        self.ordinary.up_to(5, 10)
    }

    /// Static fields as inputs.
    pub(crate) fn statics(&self) -> Purse {
        self.ordinary.up_to(6, 10)
    }

    /// All paths over objects that can be built.
    pub(crate) fn built(&self) -> Purse {
        self.ordinary.up_to(7, 10)
    }

    /// Objects that can be built, along traces that are known.
    pub(crate) fn goals(&self) -> Purse {
        self.ordinary.up_to(9, 10)
    }

    /// Everything that ordinary tests are left with.
    pub(crate) fn choosing(&self) -> Purse {
        self.ordinary.up_to(1, 1)
    }

    /// The most expensive input.
    pub(crate) fn worst_case(&self) -> Purse {
        self.all.up_to(self.worst_case, 8)
    }

    /// Operations that overflow.
    pub(crate) fn overflow(&self) -> Purse {
        self.all.up_to(1, 1)
    }

    /// What was spent in all.
    pub(crate) fn spent(&self) -> u64 {
        self.all.spent()
    }
}
