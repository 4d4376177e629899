use super::*;

fn path(root: &str, fields: &[&str]) -> AccessPath {
    let fields = fields.iter().map(|field| (*field).to_owned()).collect();
    AccessPath { root: root.to_owned(), fields }
}

#[track_caller]
fn check(text: &str, expected: Assumption, written: &str) {
    let read: Assumption = text.parse().unwrap();
    assert_eq!(read, expected);
    assert_eq!(read.to_string(), written);
}

#[track_caller]
fn check_refused(text: &str, message: &str) {
    let error = text.parse::<Assumption>().unwrap_err();
    assert_eq!(error.to_string(), message);
}

#[test]
fn every_form_is_read_and_written() {
    let (x, y) = (|| path("x", &[]), || path("y", &["left", "next"]));
    let name = |name: &str| Some(name.to_owned());
    check(
        "non-aliasing(x,y.left.next)",
        Assumption::NonAliasing(x(), y()),
        "non-aliasing(x, y.left.next)",
    );
    check(
        " non-sharing ( x , y . left\t.next ) ",
        Assumption::NonSharing(x(), y()),
        "non-sharing(x, y.left.next)",
    );
    check("acyclic(y.left.next)", Assumption::Acyclic(y(), None), "acyclic(y.left.next)");
    check("acyclic(x,next)", Assumption::Acyclic(x(), name("next")), "acyclic(x, next)");
    check("different(x,y.left.next)", Assumption::Different(x(), y()), "different(x, y.left.next)");
    check("non-null(this)", Assumption::NonNull(path("this", &[])), "non-null(this)");
    check("valid(x)", Assumption::Valid(x(), None), "valid(x)");
    check("valid(x, is$Ok_1)", Assumption::Valid(x(), name("is$Ok_1")), "valid(x, is$Ok_1)");
    let foreign = path("größe", &["名"]);
    check("non-null(größe.名)", Assumption::NonNull(foreign), "non-null(größe.名)");
}

#[test]
fn a_path_alone_is_read_and_written() {
    assert_eq!("this . next".parse(), Ok(path("this", &["next"])));
    assert_eq!(path("x", &["a", "b"]).to_string(), "x.a.b");
    let error = "x.next)".parse::<AccessPath>().unwrap_err();
    assert_eq!(error.to_string(), "at character 7: the end is expected, but `)` is there");
}

#[test]
fn an_unknown_assumption_is_told_which_there_are() {
    let all = "there are non-aliasing(x, y), different(x, y), non-sharing(x, y), acyclic(x) or acyclic(x, field), \
               non-null(x), valid(x) or valid(x, method)";
    check_refused(
        "  cyclic(x)",
        &format!("at character 3: there is no assumption `cyclic`; {all}"),
    );
    check_refused("", &format!("at character 1: an assumption is expected; {all}"));
    check_refused("(x)", &format!("at character 1: an assumption is expected; {all}"));
}

#[test]
fn what_is_wrong_is_said_with_the_place() {
    check_refused(
        "non-null",
        "at character 9: `(` is expected, but the text ends; it is written non-null(x)",
    );
    check_refused(
        "non-null()",
        "at character 10: a parameter or `this` is expected, but `)` is there; it is written \
         non-null(x)",
    );
    check_refused(
        "non-sharing(x)",
        "at character 14: `,` is expected, but `)` is there; it is written non-sharing(x, y)",
    );
    check_refused(
        "non-aliasing(x, y, z)",
        "at character 18: `)` is expected, but `,` is there; it is written non-aliasing(x, y)",
    );
    check_refused(
        "acyclic(x, next.left)",
        "at character 16: `)` is expected, but `.` is there; it is written acyclic(x) or \
         acyclic(x, field)",
    );
    check_refused(
        "acyclic(größe.)",
        "at character 15: the name of a field is expected, but `)` is there; it is written \
         acyclic(x) or acyclic(x, field)",
    );
    check_refused(
        "valid(x, )",
        "at character 10: the name of a method is expected, but `)` is there; it is written \
         valid(x) or valid(x, method)",
    );
    check_refused(
        "non-null(1x)",
        "at character 10: a parameter or `this` is expected, but `1` is there; it is written \
         non-null(x)",
    );
    check_refused(
        "non-null(x[0])",
        "at character 11: `)` is expected, but `[` is there; it is written non-null(x)",
    );
    check_refused(
        "non-null(x) y",
        "at character 13: the end is expected, but `y` is there; it is written non-null(x)",
    );
}

/// All texts of up to this many tokens.
fn for_each_text(tokens: &[&str], most: usize, check: &mut impl FnMut(&str)) {
    fn extend(text: &mut String, tokens: &[&str], left: usize, check: &mut impl FnMut(&str)) {
        check(text);
        if left == 0 {
            return;
        }
        for token in tokens {
            let length = text.len();
            text.push_str(token);
            extend(text, tokens, left - 1, check);
            text.truncate(length);
        }
    }
    extend(&mut String::new(), tokens, most, check);
}

/// What is accepted is read again from its own text; the place of an error is in the text.
#[test]
fn any_text_is_refused_or_reads_back() {
    let mut accepted = 0;
    let mut check = |text: &str| match text.parse::<Assumption>() {
        Ok(read) => {
            accepted += 1;
            assert_eq!(read.to_string().parse(), Ok(read), "{text:?}");
        }
        Err(error) => {
            let message = error.to_string();
            let rest = message.strip_prefix("at character ").unwrap();
            let position: usize = rest.split(':').next().unwrap().parse().unwrap();
            assert!((1..=text.chars().count() + 1).contains(&position), "{text:?}: {message}");
        }
    };
    for form in ["acyclic", "non-sharing", "non-null(x", "valid(é,", "non-aliasing(x.é"] {
        let arguments = ["(", ")", ",", ".", " ", "x", "é1"];
        for_each_text(&arguments, 6, &mut |rest| check(&format!("{form}{rest}")));
    }
    let anything = ["non", "-", "null", "(", "this", ")", "7", "\u{0}", "\u{1f600}", "\u{301}"];
    for_each_text(&anything, 5, &mut check);
    assert!(accepted > 100, "{accepted}");
}

/// Every assumption over a few names is read from what is written.
#[test]
fn every_assumption_reads_back() {
    let names = ["this", "x", "$1", "_", "größe"];
    let mut paths = Vec::new();
    for root in names {
        paths.push(path(root, &[]));
        for first in names {
            paths.push(path(root, &[first]));
            paths.extend(names.map(|second| path(root, &[first, second])));
        }
    }
    let check = |assumption: Assumption| {
        let text = assumption.to_string();
        assert_eq!(text.parse(), Ok(assumption), "{text}");
    };
    for one in &paths {
        check(Assumption::NonNull(one.clone()));
        for option in [None].into_iter().chain(names.map(|name| Some(name.to_owned()))) {
            check(Assumption::Acyclic(one.clone(), option.clone()));
            check(Assumption::Valid(one.clone(), option));
        }
        for other in &paths {
            check(Assumption::NonAliasing(one.clone(), other.clone()));
            check(Assumption::Different(one.clone(), other.clone()));
            check(Assumption::NonSharing(one.clone(), other.clone()));
        }
    }
}
