//! "Guided Test Case Generation through Trace Abstraction", Fig. 1.

use super::{Row, check_correspondence};

/// What differs:
/// - The block that compares is a rule of its own, and its two ways are a choice. The paper has two
///   rules that both start with it: here it is listed once.
/// - A call can end with an exception, which is a choice before what follows the call. The call of
///   `abs` is in the protected block, so that it has a way into the handler, too; the handler, with
///   two ways in, is a predicate.
const FIGURE: [Row; 14] = [
    (
        "lcm, first",
        &[
            ("lcm(1)", "lcm_if_2", "iload_0 iload_1 if_icmpge"),
            ("lcm_if_2(1)", "A #>= B, lcm_cont_11", ""),
        ],
    ),
    (
        "lcm, second",
        &[(
            "lcm_if_2(2)",
            "A #< B, lcm_cont_11",
            "iload_0 istore_2 iload_1 istore_0 iload_2 istore_1",
        )],
    ),
    ("cont", &[("lcm_cont_11(1)", "gcd, lcm_call_13", "iload_0 iload_1 invokestatic")]),
    (
        "check, first",
        &[
            (
                "lcm_call_13(1)",
                "E = ok, V #= A*B, abs, lcm_call_20",
                "istore_2 iload_0 iload_1 imul invokestatic",
            ),
            ("lcm_call_20(1)", "E = ok, lcm_div_24", "iload_2 idiv"),
        ],
    ),
    ("check, second", &[("lcm_call_13(2)", "E = exc(X)", "")]),
    ("div, first", &[("lcm_div_24(1)", "D #\\= 0, V #= Abs/D", "ireturn")]),
    (
        "div, second",
        &[
            ("lcm_div_24(2)", "D #= 0, throwable, lcm_catch_26", ""),
            ("lcm_catch_26(1)", "", "astore_3 iconst_m1 ireturn"),
        ],
    ),
    ("gcd", &[("gcd(1)", "gcd_loop_0", "")]),
    (
        "loop, first",
        &[
            ("gcd_loop_0(1)", "gcd_if_1", "iload_1 ifeq"),
            ("gcd_if_1(1)", "B #= 0, abs, gcd_call_16", "iload_0 invokestatic"),
            ("gcd_call_16(1)", "E = ok", "ireturn"),
        ],
    ),
    ("loop, second", &[("gcd_if_1(2)", "B #\\= 0, gcd_rem_6", "iload_0 iload_1 irem")]),
    (
        "body, first",
        &[(
            "gcd_rem_6(1)",
            "B #\\= 0, Rest #= A rem B, gcd_loop_0",
            "istore_2 iload_1 istore_0 iload_2 istore_1 goto",
        )],
    ),
    ("body, second", &[("gcd_rem_6(2)", "B #= 0, throwable", "")]),
    (
        "abs, first",
        &[("abs(1)", "abs_if_1", "iload_0 iflt"), ("abs_if_1(2)", "A #>= 0", "iload_0 ireturn")],
    ),
    ("abs, second", &[("abs_if_1(1)", "A #< 0, V #= -A", "iload_0 ineg ireturn")]),
];

/// The constructor, an exception of `abs` that is caught or passes, and one that `gcd` passes on.
const OTHERS: [&str; 4] = ["init(1)", "lcm_call_20(2)", "lcm_call_20(3)", "gcd_call_16(2)"];

#[test]
fn each_rule_of_lcm_has_its_counterpart() {
    check_correspondence("Lcm001", &FIGURE, &OTHERS);
}
