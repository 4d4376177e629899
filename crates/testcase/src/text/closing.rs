//! What is said when all cases are told.

use crate::case::{Ends, Summary};
use crate::coverage::{
    Coverage, InstructionCount, JudgedOperation, MethodCoverage, ProgramCoverage, UncoveredBranch,
    Why,
};
use crate::overflow::Arithmetic;
use crate::parametric::Exceeding;
use crate::report::Asked;

/// More uncovered branches than this are only counted.
const MAX_UNCOVERED: usize = 20;

/// Width of the names of rows.
const NAMES: usize = 14;

/// The summary.
pub(super) fn closing(asked: &Asked, summary: &Summary, coverage: &Coverage) -> String {
    let ends = &summary.ends;
    let cases = counted(ends.returned + ends.threw, "case", "cases");
    let mut text = format!("{cases}: {} return, {} throw\n", ends.returned, ends.threw);
    text += &row("branches", &covered(coverage.branches.covered, coverage.branches.total));
    for line in uncovered(&coverage.uncovered) {
        text += &row("", &line);
    }
    let instructions = coverage.instructions;
    text += &row("instructions", &covered(instructions.covered, instructions.total));
    if let Some(is_smallest) = summary.is_smallest {
        let fewest = match is_smallest {
            true => format!("smallest: no fewer cases within {} cover this", asked.termination),
            false => "fewer cases may cover this".to_owned(),
        };
        text += &row("set", &fewest);
    }
    for (number, line) in summary.program.iter().flat_map(program).enumerate() {
        text += &row(if number == 0 { "program" } else { "" }, &line);
    }
    for (model, parametric) in &summary.parametric {
        let largest = parametric.largest.unwrap_or_default();
        for Exceeding { expression, condition } in parametric.exceeds() {
            let condition =
                condition.map_or(String::new(), |condition| format!(", if {condition}"));
            let told =
                format!("{expression} is more than {largest}, the most of the others{condition}");
            text += &row(model, &told);
        }
    }
    // That of one case is told with it.
    let is_sum = ends.returned + ends.threw > 1;
    for (model, profile) in summary.profiles.iter().filter(|_| is_sum) {
        text += &row(model, &format!("{} in all cases together", profile.total()));
        for line in super::profile(&profile.by_cost()) {
            text += &row("", &line);
        }
    }
    for (number, line) in growth(&summary.growth).iter().enumerate() {
        text += &row(if number == 0 { "growth" } else { "" }, line);
    }
    for (number, unreached) in summary.unreached.iter().enumerate() {
        let why = if unreached.is_infeasible {
            "infeasible".to_owned()
        } else {
            format!("not reachable within {}", asked.termination)
        };
        let name = if number == 0 { "not reached" } else { "" };
        text += &row(name, &format!("{}: {why}", unreached.point));
    }
    for (number, judged) in coverage.operations.iter().enumerate() {
        let name = if number == 0 { "overflow" } else { "" };
        text += &row(name, &operation(judged));
    }
    let (proposed, infeasible) = summary.traces;
    if proposed > 0 || summary.is_estimate {
        let how = if summary.is_estimate {
            ", by an estimate of costs: others may cost more"
        } else {
            ""
        };
        let count = format!("{proposed} proposed, {infeasible} without a case{how}");
        text += &row("traces", &count);
    }
    text += &row("paths", &paths(asked, ends));
    for line in left_open(ends) {
        text += &row("", &line);
    }
    text += &row("steps", &summary.steps.to_string());
    text
}

/// What cases cover of the target and of the methods that it reaches, and of which not everything. Where there are no other
/// methods, all is said already.
fn program(coverage: &ProgramCoverage) -> Vec<String> {
    let count = |InstructionCount { total, covered }| format!("{covered} of {total}");
    let methods = &coverage.methods;
    if methods.len() < 2 {
        return Vec::new();
    }
    let all = count(coverage.instructions());
    let mut lines = vec![format!("{all} instructions covered, in {} methods", methods.len())];
    let is_open = |known: &&MethodCoverage| known.instructions.covered < known.instructions.total;
    let open: Vec<&MethodCoverage> = methods.iter().filter(is_open).collect();
    let shown = open.iter().take(MAX_UNCOVERED);
    lines.extend(shown.map(|known| format!("{}: {}", known.method, count(known.instructions))));
    if open.len() > MAX_UNCOVERED {
        lines.push(format!("and {} more", open.len() - MAX_UNCOVERED));
    }
    lines
}

/// The longest bar.
const BAR: i64 = 40;

/// A line with a bar for each bound.
fn growth(growth: &[(String, i64)]) -> Vec<String> {
    let largest = growth.iter().map(|(_, cost)| *cost).max().unwrap_or_default().max(1);
    let bounds = growth.iter().map(|(bound, _)| bound.len()).max().unwrap_or_default();
    let digits = largest.to_string().len();
    growth
        .iter()
        .map(|(bound, cost)| {
            let length = (i128::from(*cost) * i128::from(BAR) / i128::from(largest)) as usize;
            let bar = "#".repeat(length.max(usize::from(*cost > 0)));
            format!("{bound:<bounds$}  {cost:>digits$}  {bar}").trim_end().to_owned()
        })
        .collect()
}

fn row(name: &str, content: &str) -> String {
    let gap = if name.chars().count() < NAMES { "" } else { " " };
    format!("  {name:<NAMES$}{gap}{content}\n")
}

fn covered(covered: u32, total: u32) -> String {
    format!("{covered} of {total} covered")
}

/// Everything that keeps the answer from being complete: reasons, places and numbers of paths.
pub fn left_open(ends: &Ends) -> Vec<String> {
    let paths = |count: u64| counted(count, "path", "paths");
    let limits = ends.limits_in_order().into_iter();
    let mut lines: Vec<String> =
        limits.map(|(limit, count)| format!("limit reached: {limit}: {}", paths(count))).collect();
    if ends.unknown > 0 {
        lines.push(format!("undecided constraints: {}", paths(ends.unknown)));
    }
    for (stopped, count) in ends.unsupported_in_order() {
        lines.push(format!("unsupported: {stopped}: {}", paths(count)));
    }
    for (stopped, count) in &ends.defects {
        lines.push(format!("{stopped}: {}", paths(*count)));
    }
    lines
}

fn uncovered(branches: &[UncoveredBranch]) -> Vec<String> {
    let mut lines: Vec<String> =
        branches.iter().take(MAX_UNCOVERED).map(uncovered_branch).collect();
    if branches.len() > MAX_UNCOVERED {
        lines.push(format!("and {} more", branches.len() - MAX_UNCOVERED));
    }
    lines
}

fn uncovered_branch(branch: &UncoveredBranch) -> String {
    let (line, why) = (line(branch.line), place_of(branch.why));
    format!("{line}instruction {} to {}: {why}", branch.pc, branch.target_pc)
}

fn line(line: u16) -> String {
    if line == 0 { String::new() } else { format!("line {line}, ") }
}

/// Where something is that no case does.
fn place_of(why: Why) -> &'static str {
    match why {
        Why::Infeasible => "infeasible",
        Why::BeyondBound => "beyond the bound",
        Why::Excluded => "on no path that returns",
        Why::NotSelected => "on no path that was selected",
        Why::Unsupported => "behind something unsupported",
        Why::Budget => "behind a limit",
        Why::Unknown => "behind undecided constraints",
    }
}

/// `line 4, int addition: overflows`.
fn operation(judged: &JudgedOperation) -> String {
    let Arithmetic { pc, line: number, .. } = judged.arithmetic;
    let place = if number == 0 { format!("instruction {pc}, ") } else { line(number) };
    let verdict = match judged.why_not {
        None => "overflows".to_owned(),
        Some(Why::Infeasible) => "cannot overflow".to_owned(),
        Some(why) => format!("not found to overflow, maybe {}", place_of(why)),
    };
    let (of, name) = (judged.arithmetic.type_name(), judged.arithmetic.name());
    format!("{place}{of} {name}: {verdict}")
}

fn paths(asked: &Asked, ends: &Ends) -> String {
    let mut parts = vec![
        format!("{} infeasible", ends.infeasible),
        format!("{} cut by {}", ends.cut, asked.termination),
    ];
    if ends.excluded > 0 {
        parts.push(format!("{} excluded", ends.excluded));
    }
    if ends.same_path > 0 {
        parts.push(format!("{} on the paths of these cases, valid in other ways", ends.same_path));
    }
    if ends.refused > 0 {
        parts.push(format!("{} left out by the policy", ends.refused));
    }
    parts.join(", ")
}

fn counted(count: u64, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}
