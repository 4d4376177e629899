//! "Guided Test Case Generation through Trace Abstraction", Fig. 5. The paper prints the rules of
//! `power` alone.

use super::{Row, check_correspondence};

/// What differs: the blocks that compare are rules of their own, and the method has a receiver, which
/// its rules do not use. Our `power` asks for the negative exponent first.
const FIGURE: [Row; 5] = [
    ("power", &[("power(1)", "power_if_1", "iload_2 ifge")]),
    ("if, first", &[("power_if_1(2)", "E #< 0", "iconst_m1 ireturn")]),
    (
        "if, second",
        &[("power_if_1(1)", "E #>= 0, power_loop_11", "iconst_1 istore_3 iconst_1 istore")],
    ),
    (
        "loop, first",
        &[
            ("power_loop_11(1)", "power_if_14", "iload iload_2 if_icmpgt"),
            ("power_if_14(1)", "I #> E", "iload_3 ireturn"),
        ],
    ),
    (
        "loop, second",
        &[(
            "power_if_14(2)",
            "I #=< E, P1 #= P*B, I1 #= I+1, power_loop_11",
            "iload_3 iload_1 imul istore_3 iinc goto",
        )],
    ),
];

/// The constructor, and `arraypower`.
const OTHERS: [&str; 16] = [
    "init(1)",
    "arraypower(1)",
    "arraypower_null_1(1)",
    "arraypower_null_1(2)",
    "arraypower_loop_6(1)",
    "arraypower_if_9(1)",
    "arraypower_if_9(2)",
    "arraypower_if_16(1)",
    "arraypower_if_16(2)",
    "arraypower_load_26(1)",
    "arraypower_load_26(2)",
    "arraypower_call_28(1)",
    "arraypower_call_28(2)",
    "arraypower_store_31(1)",
    "arraypower_store_31(2)",
    "arraypower_cont_32(1)",
];

#[test]
fn each_rule_of_power_has_its_counterpart() {
    check_correspondence("ArrayPower", &FIGURE, &OTHERS);
}
