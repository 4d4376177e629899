//! Two implementations beside each other.

use super::{Pictures, inputs, row, rows};
use crate::versus::{BoundCosts, Versus};

/// A table by bound, the worst inputs, and what is not comparable.
pub fn versus_text(versus: &Versus) -> String {
    let names = short_names(&versus.targets);
    let unit = versus.unit.as_deref().filter(|unit| *unit != versus.model);
    let unit = unit.map_or(String::new(), |unit| format!(" ({unit})"));
    let [left, right] = &versus.targets;
    let mut text = format!("{left} and {right}, worst {}{unit}\n\n", versus.model);
    text += &table(versus, &names);
    text.push('\n');
    if let Some(lasting) = versus.lasting() {
        let (from, to) = (lasting.from, versus.bounds.last().map_or("", |bound| &bound.bound));
        let reach = if from == to { format!("at {to}") } else { format!("from {from} to {to}") };
        text += &match lasting.better {
            Some(better) => format!("{} is better {reach}\n", names[better]),
            None => format!("they cost the same {reach}\n"),
        };
    }
    for (side, worst) in versus.worst.iter().enumerate() {
        let Some(worst) = worst else { continue };
        let (name, other) = (&names[side], &names[1 - side]);
        text += &format!("\nworst input of {name}: costs {}", worst.cost);
        text += &worst.on_other.map_or(String::new(), |cost| format!(", and {other} {cost}"));
        text.push('\n');
        let Some(solution) = worst.case.solutions.first() else { continue };
        let pictures = Pictures::of(solution);
        text += &row("input", &inputs(&worst.case, solution, &pictures));
        text += &rows("where", pictures.before_the_call());
    }
    if !versus.doubts.is_empty() {
        text += "\nnot comparable\n";
        versus.doubts.iter().for_each(|doubt| text += &format!("  {doubt}\n"));
    }
    for (name, open) in names.iter().zip(&versus.left_open).filter(|(_, open)| !open.is_empty()) {
        text += &format!("\n{name} may cost more\n");
        open.iter().for_each(|line| text += &format!("  {line}\n"));
    }
    text
}

fn table(versus: &Versus, names: &[String; 2]) -> String {
    let cell = |cost: Option<i64>| cost.map_or("no case".to_owned(), |cost| cost.to_string());
    let better = |bound: &BoundCosts| match (bound.better(), bound.costs) {
        (Some(better), [Some(left), Some(right)]) => {
            format!("{} by {}", names[better], left.abs_diff(right))
        }
        (None, [Some(_), Some(_)]) => "the same".to_owned(),
        _ => String::new(),
    };
    let [left, right] = names.clone();
    let mut lines = vec![["bound".to_owned(), left, right, "better".to_owned()]];
    lines.extend(versus.bounds.iter().map(|bound| {
        let [left, right] = bound.costs.map(cell);
        [bound.bound.clone(), left, right, better(bound)]
    }));
    let width = |column: usize| {
        lines.iter().map(|line| line[column].chars().count()).max().unwrap_or_default()
    };
    let [bounds, of_left, of_right] = [0, 1, 2].map(width);
    let line = |[bound, left, right, better]: &[String; 4]| {
        let line = format!("  {bound:<bounds$}  {left:>of_left$}  {right:>of_right$}  {better}");
        format!("{}\n", line.trim_end())
    };
    lines.iter().map(line).collect()
}

/// `Sort#insertion`, or all of the names if that is the same for both.
fn short_names(targets: &[String; 2]) -> [String; 2] {
    let short = targets.clone().map(|target| {
        let name = target.split('(').next().unwrap_or_default();
        let at = name.find('#').unwrap_or(name.len());
        let class = name[..at].rsplit('.').next().unwrap_or_default();
        format!("{class}{}", &name[at..])
    });
    if short[0] == short[1] { targets.clone() } else { short }
}
