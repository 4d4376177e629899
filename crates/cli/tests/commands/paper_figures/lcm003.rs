//! "Test Data Generation of Bytecode by CLP Partial Evaluation", Fig. 2.

use super::{Row, check_correspondence};

/// What differs:
/// - A call can end with an exception. So the block that goes on after it is a rule of a choice, where
///   the paper has one rule for both; it is the second one listed here.
/// - javac jumps on the negated condition: the rules of `abs9c` are in the other order.
const FIGURE: [Row; 12] = [
    (
        "lcm",
        &[
            ("lcm(1)", "gcd, lcm_call_2", "iload_0 iload_1 invokestatic"),
            (
                "lcm_call_2(1)",
                "E = ok, V #= X*Y, lcm_div_10",
                "istore_2 iload_0 iload_1 imul iload_2 idiv",
            ),
        ],
    ),
    (
        "lcm1c, first",
        &[
            ("lcm_div_10(1)", "Gcd #\\= 0, V1 #= V/Gcd, abs, lcm_call_11", "invokestatic"),
            ("lcm_call_11(1)", "E = ok", "ireturn"),
        ],
    ),
    ("lcm1c, second", &[("lcm_div_10(2)", "Gcd #= 0, throwable", "")]),
    ("abs", &[("abs(1)", "abs_if_1", "iload_0 iflt")]),
    ("abs9c, first", &[("abs_if_1(2)", "X #>= 0", "iload_0 ireturn")]),
    ("abs9c, second", &[("abs_if_1(1)", "X #< 0, V #= -X", "iload_0 ineg ireturn")]),
    ("gcd", &[("gcd(1)", "gcd_loop_0", "")]),
    ("gcd4", &[("gcd_loop_0(1)", "gcd_if_1", "iload_1 ifeq")]),
    (
        "gcd4c, first",
        &[
            ("gcd_if_1(1)", "Y #= 0, abs, gcd_call_16", "iload_0 invokestatic"),
            ("gcd_call_16(1)", "E = ok", "ireturn"),
        ],
    ),
    ("gcd4c, second", &[("gcd_if_1(2)", "Y #\\= 0, gcd_rem_6", "iload_0 iload_1 irem")]),
    (
        "gcd6c, first",
        &[(
            "gcd_rem_6(1)",
            "Y #\\= 0, Rest #= X rem Y, gcd_loop_0",
            "istore_2 iload_1 istore_0 iload_2 istore_1 goto",
        )],
    ),
    ("gcd6c, second", &[("gcd_rem_6(2)", "Y #= 0, throwable", "")]),
];

/// The constructor, which the paper's language does not have, and exceptions that calls pass on.
const OTHERS: [&str; 4] = ["init(1)", "lcm_call_2(2)", "lcm_call_11(2)", "gcd_call_16(2)"];

#[test]
fn each_rule_of_lcm_has_its_counterpart() {
    check_correspondence("Lcm003", &FIGURE, &OTHERS);
}
