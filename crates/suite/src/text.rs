//! The account as text.

use std::collections::BTreeMap;
use std::fmt::Write;

use petrel_testcase::{BranchCount, Limit, Why};

use crate::account::{
    Account, BranchAccount, ClassAccount, MethodAccount, OperationAccount, Prediction, Verdict,
};

/// More uncovered branches of a class than this are only counted.
const MOST_SHOWN: usize = 12;
/// The most frequent reasons are shown.
const MOST_REASONS: usize = 5;
const MOST_DROPPED: usize = 10;

/// One line of a class: what was written, and how much it covers.
pub fn class_line(class: &ClassAccount) -> String {
    let counts = class.counts();
    let tests = counted(class.n_tests(), "test");
    let mut line =
        format!("{}: {tests} of {}", class.class, counted(class.methods.len(), "method"));
    if counts.total > 0 {
        let _ = write!(line, ", {} of {} branches", counts.covered, counts.total);
    }
    if let Some(why) = &class.not_written {
        let _ = write!(line, "; not written: {why}");
    }
    line
}

/// The account of a suite.
pub fn account_text(account: &Account, bound: &str) -> String {
    let mut text = String::new();
    for class in &account.classes {
        class_text(&mut text, class, bound);
    }
    findings(&mut text, account);
    overflows(&mut text, account);
    dropped(&mut text, account);
    total(&mut text, account);
    text
}

fn class_text(text: &mut String, class: &ClassAccount, bound: &str) {
    let _ = writeln!(text, "{}", class_line(class));
    let complete =
        class.methods.iter().filter(|method| is_all_covered(method) && method.n_cases > 0);
    for method in complete {
        let name = plain_name(method);
        let (n_cases, n_tests) = (counted(method.n_cases, "behaviour"), method.tests.len());
        let n_tests = counted(n_tests, "test");
        let _ = match method.counts.total {
            // Without branches there is nothing that could be covered.
            0 => writeln!(text, "  {name}: {n_cases} up to {bound}, {n_tests}"),
            _ => {
                writeln!(text, "  {name}: {n_cases} up to {bound}, {n_tests}, all branches covered")
            }
        };
    }
    for method in class.methods.iter().filter(|method| method.failure.is_some()) {
        let why = method.failure.as_deref().unwrap_or_default();
        let _ = writeln!(text, "  {}: {why}", plain_name(method));
    }
    let mut n_left = 0;
    let mut n_shown = 0;
    for method in &class.methods {
        for line in untested_lines(class, method, bound) {
            if n_shown < MOST_SHOWN {
                n_shown += 1;
                let _ = writeln!(text, "  {line}");
            } else {
                n_left += 1;
            }
        }
    }
    if n_left > 0 {
        let _ = writeln!(text, "  and {n_left} more");
    }
}

/// Whether every behaviour within the bounds is known, and tests cover all branches that are not proved infeasible: there are tests,
/// and none was dropped.
fn is_all_covered(method: &MethodAccount) -> bool {
    let counts = method.counts;
    let is_kept = method.dropped.is_empty() && !method.tests.is_empty();
    method.is_complete && is_kept && counts.covered + counts.infeasible == counts.total
}

fn plain_name(method: &MethodAccount) -> &str {
    method.name.split('(').next().unwrap_or_default()
}

/// What is not tested of a method: its branches, or all of it where it has none of its own that are not covered.
fn untested_lines(class: &ClassAccount, method: &MethodAccount, bound: &str) -> Vec<String> {
    let lines = uncovered_lines(class, method, bound);
    if !lines.is_empty() || !method.tests.is_empty() || method.failure.is_some() {
        return lines;
    }
    let dropped = method.dropped.iter().find(|dropped| !dropped.was_written);
    let why = match (unsupported(method), dropped) {
        (Some(what), _) => what,
        (None, _) if !method.limits.is_empty() => budget(method),
        (None, Some(dropped)) => format!("no test can be written: {}", dropped.why),
        (None, None) => return lines,
    };
    vec![format!("{}: no test: {why}", plain_name(method))]
}

/// What is not supported that most paths of a method ended at.
fn unsupported(method: &MethodAccount) -> Option<String> {
    let (what, place, _) = method.unsupported.iter().max_by_key(|(_, _, count)| *count)?;
    Some(match place {
        Some(place) => format!("unsupported: {what} at {place}"),
        None => format!("unsupported: {what}"),
    })
}

/// The limits that a method's paths reached.
fn budget(method: &MethodAccount) -> String {
    let limits = &method.limits;
    if limits.is_empty() || limits.iter().any(|(limit, _)| *limit == Limit::Budget) {
        return "the budget was spent; raise --budget".to_owned();
    }
    let limits: Vec<String> = limits.iter().map(|(limit, _)| limit.to_string()).collect();
    format!("a limit was reached: {}", limits.join(", "))
}

/// A line for each source line with branches that are not covered, as compilers show diagnostics.
fn uncovered_lines(class: &ClassAccount, method: &MethodAccount, bound: &str) -> Vec<String> {
    let mut by_line: BTreeMap<(u16, &'static str), Vec<&BranchAccount>> = BTreeMap::new();
    for branch in &method.branches {
        if !matches!(branch.verdict, Verdict::Covered(_)) {
            by_line.entry((branch.line, branch.verdict.name())).or_default().push(branch);
        }
    }
    let source = class.source.as_deref().unwrap_or(&class.class);
    let of_line = |((line, _), branches): ((u16, &'static str), Vec<&BranchAccount>)| {
        let mut targets: Vec<u16> = branches.iter().map(|branch| branch.target_line).collect();
        targets.sort_unstable();
        targets.dedup();
        let n_branches = counted(branches.len(), "branch");
        let what = match (line, targets.as_slice()) {
            (0, _) => n_branches,
            (_, [target]) => format!("{n_branches} to line {target}"),
            (_, targets) => {
                let targets: Vec<String> = targets.iter().map(u16::to_string).collect();
                format!("{n_branches} to lines {}", targets.join(", "))
            }
        };
        let why = why(&branches[0].verdict, method, bound);
        format!("{source}:{line}: {}: {what} not covered: {why}", plain_name(method))
    };
    by_line.into_iter().map(of_line).collect()
}

fn why(verdict: &Verdict, method: &MethodAccount, bound: &str) -> String {
    match verdict {
        Verdict::Covered(test) => format!("covered by {test}"),
        Verdict::Infeasible => {
            "infeasible: no input takes it (static fields being as their classes are initialised)"
                .to_owned()
        }
        Verdict::BeyondBound => format!("beyond the bound {bound}; raise --loop"),
        Verdict::Unsupported => unsupported(method)
            .unwrap_or_else(|| "unsupported: Petrel has a model of it".to_owned()),
        Verdict::NotConstructible(reason) => format!("no test can be written: {reason}"),
        Verdict::Budget => budget(method),
        Verdict::Unknown => match method.defects.first() {
            Some((defect, _)) => format!("unknown: {defect}"),
            None if method
                .dropped
                .iter()
                .any(|dropped| dropped.prediction != Prediction::Unrefuted) =>
            {
                "unknown: a test ended otherwise than predicted".to_owned()
            }
            None if !method.limits.is_empty() => format!("unknown: {}", budget(method)),
            None => "unknown: the solver gave up".to_owned(),
        },
    }
}

fn findings(text: &mut String, account: &Account) {
    let all: Vec<String> = account
        .classes
        .iter()
        .flat_map(|class| class.methods.iter().map(move |method| (class, method)))
        .flat_map(|(class, method)| {
            method.findings.iter().map(move |finding| {
                let (exception, place) = (&finding.exception, &finding.place);
                let name = plain_name(method);
                format!("{place}: {exception} in {}.{name}, shown by {}", class.class, finding.test)
            })
        })
        .collect();
    if !all.is_empty() {
        let _ = writeln!(text, "\nFindings: exceptions that nobody declares or throws on purpose");
        all.iter().for_each(|line| {
            let _ = writeln!(text, "  {line}");
        });
    }
}

fn overflows(text: &mut String, account: &Account) {
    let (mut n_found, mut n_impossible) = (0, 0);
    let mut open: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut lines = Vec::new();
    for class in &account.classes {
        let source = class.source.as_deref().unwrap_or(&class.class);
        for method in &class.methods {
            for OperationAccount { judged, shown } in &method.operations {
                match judged.why_not {
                    None => n_found += 1,
                    Some(Why::Infeasible) => n_impossible += 1,
                    Some(why) => *open.entry(why.name()).or_default() += 1,
                }
                if judged.why_not.is_some() {
                    continue;
                }
                let arithmetic = judged.arithmetic;
                let what = format!("{} {}", arithmetic.type_name(), arithmetic.name());
                let name = plain_name(method);
                let by = match shown {
                    Some((test, told)) => format!("{told}, shown by {test}"),
                    None => "there is no test of it".to_owned(),
                };
                let (line, class) = (arithmetic.line, &class.class);
                lines.push(format!("{source}:{line}: {what} in {class}.{name} overflows: {by}"));
            }
        }
    }
    let n_open: usize = open.values().sum();
    if n_found + n_impossible + n_open == 0 {
        return;
    }
    let operations = counted(n_found + n_impossible + n_open, "operation");
    let _ = write!(text, "\nOverflow: {n_found} of {operations}; {n_impossible} cannot");
    if n_open > 0 {
        let why = |(why, count): (&&str, &usize)| format!("{count} {}", why.replace('_', " "));
        let reasons: Vec<String> = open.iter().map(why).collect();
        let _ = write!(text, ", {n_open} not found ({})", reasons.join(", "));
    }
    let _ = writeln!(text);
    for line in lines {
        let _ = writeln!(text, "  {line}");
    }
}

fn dropped(text: &mut String, account: &Account) {
    let written = || {
        account.classes.iter().flat_map(|class| {
            let dropped = class.dropped().filter(|dropped| dropped.was_written);
            dropped.map(move |dropped| (class, dropped))
        })
    };
    let count = written().count();
    if count == 0 {
        return;
    }
    let _ = writeln!(text, "\nDropped: {}", counted(count, "test"));
    for (class, dropped) in written().take(MOST_DROPPED) {
        let ours =
            if dropped.prediction == Prediction::Wrong { " (a defect of Petrel)" } else { "" };
        let _ = writeln!(text, "  {}.{}: {}{ours}", class.class, dropped.name, dropped.why);
    }
    if count > MOST_DROPPED {
        let _ = writeln!(text, "  and {} more", count - MOST_DROPPED);
    }
}

fn total(text: &mut String, account: &Account) {
    let counts = account.counts();
    let n_tests = account.classes.iter().map(ClassAccount::n_tests).sum();
    let n_methods = account.classes.iter().map(|class| class.methods.len()).sum();
    let seconds = account.elapsed_us as f64 / 1e6;
    let _ = writeln!(
        text,
        "\n{} for {} of {} in {seconds:.1} s",
        counted(n_tests, "test"),
        counted(n_methods, "method"),
        match account.classes.len() {
            1 => "1 class".to_owned(),
            n => format!("{n} classes"),
        },
    );
    if counts.total > 0 {
        let _ = writeln!(text, "{}", branches_line(&counts));
    }
    let methods = || account.classes.iter().flat_map(|class| &class.methods);
    let tests = || methods().flat_map(|method| &method.tests);
    let parameterized = || tests().filter(|test| test.n_inputs > 1);
    if parameterized().count() > 0 {
        let n_inputs: usize = parameterized().map(|test| test.n_inputs).sum();
        let (tests, inputs) =
            (counted(parameterized().count(), "test"), counted(n_inputs, "input"));
        let _ = writeln!(text, "{tests} parameterized, with {inputs}");
    }
    let by_reflection = tests().filter(|test| test.by_reflection.is_some()).count();
    if by_reflection > 0 {
        let _ = writeln!(text, "{} built by reflection", counted(by_reflection, "test"));
    }
    reasons(text, account);
    if account.is_stopped {
        let _ = writeln!(text, "Stopped before everything was done.");
    }
}

fn branches_line(counts: &BranchCount) -> String {
    let percent = 100.0 * f64::from(counts.covered) / f64::from(counts.total.max(1));
    let others = [
        (counts.infeasible, "infeasible"),
        (counts.beyond_bound, "beyond the bound"),
        (counts.unsupported, "unsupported"),
        (counts.not_constructible, "not constructible"),
        (counts.budget, "budget"),
        (counts.unknown, "unknown"),
    ];
    let others = others.into_iter().filter(|(count, _)| *count > 0);
    let others: Vec<String> = others.map(|(count, name)| format!("{count} {name}")).collect();
    let covered =
        format!("branches: {} of {} covered ({percent:.1} %)", counts.covered, counts.total);
    if others.is_empty() { covered } else { format!("{covered}; {}", others.join(", ")) }
}

/// What is unsupported most often.
fn reasons(text: &mut String, account: &Account) {
    let mut by_reason: BTreeMap<String, usize> = BTreeMap::new();
    for method in account.classes.iter().flat_map(|class| &class.methods) {
        for (what, _, _) in &method.unsupported {
            *by_reason.entry(what.to_string()).or_default() += 1;
        }
    }
    let mut all: Vec<(String, usize)> = by_reason.into_iter().collect();
    all.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    for (what, count) in all.into_iter().take(MOST_REASONS) {
        let _ = writeln!(text, "unsupported in {}: {what}", counted(count, "method"));
    }
}

fn counted(count: usize, what: &str) -> String {
    match (count, what) {
        (1, what) => format!("1 {what}"),
        (count, "branch") => format!("{count} branches"),
        (count, what) => format!("{count} {what}s"),
    }
}

#[cfg(test)]
mod tests {
    use petrel_clp::ArithmeticKind::Int;
    use petrel_clp::Operation;
    use petrel_testcase::{Arithmetic, JudgedOperation};

    use super::*;
    use crate::account::{Dropped, TestAccount};

    fn account(covered: u32, is_complete: bool) -> Account {
        let counts = BranchCount { total: 4, covered, infeasible: 1, ..BranchCount::default() };
        let method = MethodAccount {
            name: "parse(I)I".to_owned(),
            n_cases: 3,
            is_complete,
            counts,
            tests: vec![
                TestAccount { name: "parse".to_owned(), by_reflection: None, n_inputs: 1 };
                3
            ],
            ..MethodAccount::default()
        };
        let class = ClassAccount {
            class: "shop.Price".to_owned(),
            methods: vec![method],
            ..ClassAccount::default()
        };
        Account { classes: vec![class], ..Account::default() }
    }

    #[test]
    fn all_behaviours_are_claimed_only_if_all_are_known_and_covered() {
        let sentence = "  parse: 3 behaviours up to loop-2, 3 tests, all branches covered\n";
        let claims = |account: &Account| account_text(account, "loop-2").contains(sentence);
        assert!(claims(&account(3, true)));
        assert!(!claims(&account(2, true)));
        assert!(!claims(&account(3, false)));
        let mut dropped = account(3, true);
        let method = &mut dropped.classes[0].methods[0];
        method.dropped.push(Dropped {
            name: "parse".to_owned(),
            why: "it fails".to_owned(),
            prediction: Prediction::Wrong,
            was_written: true,
        });
        assert!(!claims(&dropped));
    }

    #[test]
    fn operations_are_counted_by_what_is_known_of_them() {
        let operation = |line, why_not, test: Option<&str>| OperationAccount {
            judged: JudgedOperation {
                arithmetic: Arithmetic { pc: line, line, operation: Operation::Add(Int) },
                why_not,
            },
            shown: test.map(|test| (test.to_owned(), "1 + 2147483647".to_owned())),
        };
        let mut account = account(3, true);
        assert!(!account_text(&account, "loop-2").contains("Overflow"));
        account.classes[0].methods[0].operations = vec![
            operation(4, None, Some("parseOverflowsInt")),
            operation(5, None, None),
            operation(6, Some(Why::Infeasible), None),
            operation(7, Some(Why::BeyondBound), None),
        ];
        let expected = "
Overflow: 2 of 4 operations; 1 cannot, 1 not found (1 beyond bound)
  shop.Price:4: int addition in shop.Price.parse overflows: 1 + 2147483647, shown by parseOverflowsInt
  shop.Price:5: int addition in shop.Price.parse overflows: there is no test of it
";
        assert!(account_text(&account, "loop-2").contains(expected));
    }

    #[test]
    fn who_was_stopped_says_so() {
        let told = |is_stopped| account_text(&Account { is_stopped, ..account(3, true) }, "loop-2");
        assert!(told(true).ends_with("Stopped before everything was done.\n"));
        assert!(!told(false).contains("Stopped"));
    }
}
