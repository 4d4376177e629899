//! Comments: the path condition, and what else is to be said.

/// A line of comment is cut behind this column.
const WIDTH: usize = 110;

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

/// The path condition.
pub(crate) fn condition(constraints: &[String], indent: usize) -> Option<String> {
    if constraints.is_empty() {
        return None;
    }
    let parts: Vec<String> = constraints
        .iter()
        .map(|part| {
            if constraints.len() > 1 && part.contains("||") {
                format!("({part})")
            } else {
                part.clone()
            }
        })
        .collect();
    Some(line(&parts.join(" && "), indent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_javac_would_read_in_a_comment_is_taken_apart() {
        assert_eq!(harmless("a \\u000a */ b\nc"), "a \\ u000a * / b?c");
    }

    #[test]
    fn conditions_are_joined_and_cut() {
        let parts = ["x > 0".to_owned(), "y < 0 || y > 5".to_owned()];
        assert_eq!(condition(&parts, 8).as_deref(), Some("// x > 0 && (y < 0 || y > 5)"));
        let long = vec!["abcdefghij > 0".to_owned(); 20];
        let text = condition(&long, 8).unwrap();
        assert!(text.len() <= WIDTH - 8 && text.ends_with(" ..."), "{text}");
        assert_eq!(condition(&[], 8), None);
    }
}
