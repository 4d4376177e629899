//! What is refused, with exit status 2: bad targets, bad options, assumptions that make no sense.

use petrel_filetests::petrel::Finished;

use super::cases;

/// Nothing is printed but one message with all of this in it.
#[track_caller]
fn check_refused(topic: &str, arguments: &[&str], parts: &[&str]) {
    let Finished { status, stdout, stderr } = cases(topic, arguments);
    assert_eq!((status, &*stdout), (Some(2), ""), "{arguments:?}: {stderr}");
    assert!(stderr.starts_with("error: "), "{stderr}");
    for part in parts {
        assert!(stderr.contains(part), "{part:?} is not in {stderr:?}");
    }
    assert!(!stderr.contains('\u{1f}'), "{stderr:?}");
}

#[test]
fn the_target_must_be_one_method_with_code() {
    check_refused("papers", &["Missing#lcm"], &["Missing", "--class-path"]);
    check_refused("papers", &["Lcm003#lxm"], &["lxm", "lcm(II)I", "gcd(II)I"]);
    check_refused("papers", &["Lcm003#lcm(I)I"], &["lcm(I)I", "lcm(II)I"]);
    check_refused("papers", &["Lcm003"], &["one method", "Lcm003#lcm(II)I", "Lcm003#gcd(II)I"]);
    check_refused(
        "papers",
        &["java.lang.Math#abs"],
        &["one method", "java.lang.Math#abs(I)I", "java.lang.Math#abs(J)J"],
    );
    check_refused("papers", &["java.util.List#size"], &["java.util.List#size", "abstract"]);
    check_refused("papers", &["java.lang.Object#hashCode"], &["hashCode", "native"]);
    check_refused("found", &["OwnInitialiser#<clinit>"], &["no method that can be called"]);
    check_refused("papers", &["-5"], &["-5"]);
    check_refused("papers", &[], &["<TARGET>"]);
}

#[test]
fn numbers_must_make_sense() {
    let wrong = [
        (["--block-count", "0"], "at least 1"),
        (["--block-count", "-1"], "negative"),
        (["--loop", "0"], "at least 1"),
        (["--loop", "-3"], "'-3'"),
        (["--loop", "two"], "whole number"),
        (["--loop", "1.5"], "whole number"),
        (["--loop", "4294967296"], "too large"),
        (["--depth", "0"], "at least 1"),
        (["--depth", "-1"], "negative"),
        (["--steps", "0"], "at least 1"),
        (["--steps", "-1"], "negative"),
        (["--time", "0"], "above 0"),
        (["--time", "-1.5"], "'-1.5'"),
        (["--time", "NaN"], "above 0"),
        (["--time", "soon"], "seconds"),
        (["--max-array", "-1"], "negative"),
        (["--solutions", "0"], "at least 1"),
        (["--solutions", "-1"], "negative"),
        (["--jobs", "0"], "at least 1"),
        (["-j", "-1"], "negative"),
        (["--seed", "-1"], "negative"),
        (["--max-receivers", "0"], "at least 1"),
        (["--max-receivers", "-1"], "negative"),
        (["--max-receivers", "many"], "whole number"),
        (["--domain", "5"], ".."),
        (["--domain", "5.."], "whole number"),
        (["--domain", "..5"], "whole number"),
        (["--domain", "a..5"], "`a`"),
        (["--domain", "5..-5"], "5 is above -5"),
        (["--domain", "0..9223372036854775808"], "long"),
    ];
    for ([option, value], part) in wrong {
        check_refused("papers", &[option, value, "Lcm003#lcm"], &[option, part]);
    }
}

#[test]
fn words_must_be_known() {
    let target = "Lcm003#lcm";
    check_refused("papers", &["--exceptions", "maybe", target], &["include", "exclude"]);
    let modes = ["--heap", "solver", "lazy", "lazy-no-alias", "simulation"];
    check_refused("papers", &["--heap", "eager", target], &modes);
    check_refused(
        "papers",
        &["--select", "some", target],
        &["--select", "all-paths", "points:LINE"],
    );
    check_refused("papers", &["--select", "points:x", target], &["--select", "is no point"]);
    check_refused("papers", &["--select", "points:9999", target], &["line 9999", "nowhere"]);
    check_refused("papers", &["--strategy", "lucky", target], &["auto", "guided", "plain"]);
    check_refused("papers", &["--oracle", "delphi", target], &["none", "naive", "enhanced"]);
    check_refused("papers", &["--trace", "lcm(", target], &["--trace", "1:5"]);
    check_refused("papers", &["--cost", "time", target], &["time"]);
    check_refused("papers", &["--policy", "memory", target], &["--policy", "is no policy"]);
    let both = ["--loop", "1", "--block-count", "1", target];
    check_refused("papers", &both, &["--loop", "--block-count"]);
    check_refused("papers", &["--frobnicate", target], &["--frobnicate"]);
}

#[test]
fn an_assumption_that_cannot_be_read_is_refused_with_the_place() {
    let wrong = [
        ("cyclic(x)", "character 1: there is no assumption `cyclic`; there are non-aliasing(x, y)"),
        ("", "--assume"),
        ("-5", "character 1: an assumption is expected"),
        ("acyclic", "character 8: `(` is expected"),
        ("acyclic(x", "character 10: `)` is expected, but the text ends"),
        ("non-sharing(x)", "it is written non-sharing(x, y)"),
        ("non-null(x.)", "character 12: the name of a field is expected, but `)` is there"),
    ];
    for (assumption, part) in wrong {
        let arguments = ["--assume", assumption, "Lcm003#lcm"];
        check_refused("papers", &arguments, &["--assume", part]);
    }
    // One that can be read does not make up for it.
    let both = ["--assume", "acyclic(x)", "--assume", "sorted(x)", "Lcm003#lcm"];
    check_refused("papers", &both, &["sorted"]);
}

#[test]
fn an_assumption_must_make_sense_for_the_target() {
    let target = "PathObjects$Point#isLeftOf";
    let wrong = [
        ("non-null(another)", ["another", "no parameter"]),
        ("acyclic(other.z)", ["PathObjects$Point", "no field z"]),
        ("non-aliasing(this, other.x)", ["PathObjects$Point", "no reference"]),
        ("valid(other)", ["PathObjects$Point", "repOk()"]),
    ];
    for (assumption, parts) in wrong {
        let arguments = ["--assume", assumption, target];
        check_refused("symbolic", &arguments, &[&[target, assumption], &parts[..]].concat());
    }
}

#[test]
fn an_smt_solver_that_is_not_there_is_named() {
    let arguments = ["--smt", "no-such-solver --fast", "Lcm003#lcm"];
    check_refused("papers", &arguments, &["no-such-solver"]);
}

#[test]
fn a_domain_without_a_value_of_a_type_is_refused() {
    let arguments = ["--domain", "200..300", "Families$Narrowing#incrementedByte"];
    check_refused("arithmetic", &arguments, &["200..300", "byte"]);
}
