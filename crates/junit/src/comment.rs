//! Comments: the path condition, and what else is to be said.

use petrel_expression::{Expression, Node};

/// A line of comment is cut behind this column.
const WIDTH: usize = 110;
/// A path condition has at most so many lines.
const MOST_LINES: usize = 3;
const AND: &str = " && ";
/// Stands for what is left out.
const REST: &str = " ...";

/// A text that is harmless in a comment: javac replaces `\u000a` even there, and a line may not end early.
pub(crate) fn harmless(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut before = ' ';
    for c in text.chars() {
        let hides = before == '\\' && c == 'u' || before == '*' && c == '/';
        if hides {
            safe.push(' ');
        }
        safe.push(if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') || !c.is_ascii() {
            '?'
        } else {
            c
        });
        before = c;
    }
    safe
}

/// One line, cut if it is too long.
pub(crate) fn line(text: &str, indent: usize) -> String {
    let text = harmless(text);
    let room = WIDTH.saturating_sub(indent + 3);
    if text.len() <= room {
        return format!("// {text}");
    }
    let kept: String = text.chars().take(room.saturating_sub(4)).collect();
    // A cut between two conditions is easier to read than one within.
    let whole = kept.rfind(" && ").map(|end| end + 3);
    let kept = whole.filter(|&end| end > room / 2).map_or(&kept[..], |end| &kept[..end]);
    format!("// {} ...", kept.trim_end())
}

/// A part of a condition as it stands between others.
fn bracketed(part: &Expression, told: &[Expression]) -> String {
    let needs_brackets = told.len() > 1 && matches!(part.node(), Node::Any(_));
    if needs_brackets { format!("({part})") } else { part.to_string() }
}

/// The path condition in one line.
pub(crate) fn joined(told: &[Expression]) -> String {
    let parts: Vec<String> = told.iter().map(|part| bracketed(part, told)).collect();
    parts.join(AND)
}

/// The path condition.
pub(crate) fn condition(told: &[Expression], indent: usize) -> Vec<String> {
    let room = WIDTH.saturating_sub(indent + "// ".len() + REST.len());
    let mut lines: Vec<String> = Vec::new();
    for part in told {
        let part = harmless(&bracketed(part, told));
        match lines.last_mut() {
            None => lines.push(part),
            Some(line) if line.len() + AND.len() + part.len() <= room => {
                line.push_str(AND);
                line.push_str(&part);
            }
            Some(line) => {
                *line += AND.trim_end();
                lines.push(part);
            }
        }
    }
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES);
        if let Some(last) = lines.last_mut() {
            *last += REST;
        }
    }
    lines.into_iter().map(|line| format!("// {line}")).collect()
}

#[cfg(test)]
mod tests {
    use petrel_clp::Comparison;

    use super::*;
    use crate::tests::terms::{compare, int, name};

    #[test]
    fn what_javac_would_read_in_a_comment_is_taken_apart() {
        assert_eq!(harmless("a \\u000a */ b\nc"), "a \\ u000a * / b?c");
    }

    fn check(constraints: &[Expression], expected: &[&str]) {
        assert_eq!(condition(constraints, 8), expected);
    }

    #[test]
    fn conditions_are_joined() {
        check(&[], &[]);
        let x = compare(name("x"), Comparison::Greater, int(0));
        let outside = [
            compare(name("y"), Comparison::Less, int(0)),
            compare(name("y"), Comparison::Greater, int(5)),
        ];
        let outside = Expression::new(Node::Any(outside.into()));
        check(&[x, outside.clone()], &["// x > 0 && (y < 0 || y > 5)"]);
        assert_eq!(joined(&[outside]), "y < 0 || y > 5");
    }

    #[test]
    fn long_conditions_have_several_lines_and_an_end() {
        let long = |n| compare(name(&format!("value{n}")), Comparison::Greater, int(0));
        let long: Vec<Expression> = (0..40).map(long).collect();
        let lines = condition(&long, 8);
        assert_eq!(lines.len(), MOST_LINES);
        assert!(lines.iter().all(|line| line.len() <= WIDTH - 8), "{lines:?}");
        assert!(lines[0].ends_with("> 0 &&") && lines[2].ends_with("> 0 && ..."), "{lines:?}");
    }
}
