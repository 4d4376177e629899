//! The text for people.

use expect_test::{Expect, expect};

use super::complete;

#[track_caller]
fn check_text(topic: &str, arguments: &[&str], expected: Expect) {
    expected.assert_eq(&complete(topic, arguments));
}

#[test]
fn cases_are_text_for_people() {
    check_text(
        "control",
        &["Branches#sign"],
        expect![[r#"
        Branches#sign(I)I, loop-2, all paths

        case 1: returns 0
          if      x <= 0, x >= 0
          input   x = 0
          lines   Branches.java:8, 10, 13
          trace   sign(1,[],[sign_if_1(1,[],[sign_if_7(1,[],[])])])

        case 2: returns -1
          if      x <= 0, x < 0
          input   x = -1
          lines   Branches.java:8, 10, 11
          trace   sign(1,[],[sign_if_1(1,[],[sign_if_7(2,[],[])])])

        case 3: returns 1
          if      x > 0
          input   x = 1
          lines   Branches.java:8, 9
          trace   sign(1,[],[sign_if_1(2,[],[])])

        3 cases: 3 return, 0 throw
          branches      4 of 4 covered
          instructions  10 of 10 covered
          paths         0 infeasible, 0 cut by loop-2
          steps         5
    "#]],
    );
    check_text(
        "papers",
        &["--loop", "1", "Lcm003#gcd"],
        expect![[r#"
        Lcm003#gcd(II)I, loop-1, all paths

        case 1: returns 1
          if      y == 0, x < 0
          input   x = -1, y = 0
          result  -x
          lines   Lcm003.java:13, 18, 22, 25
          trace   gcd(1,[],[gcd_loop_0(1,[],[gcd_if_1(1,[],[abs(1,[],[abs_if_1(1,[],[])]),gcd_call_16(1,[],[])])])])

        case 2: returns 0
          if      y == 0, x >= 0
          input   x = 0, y = 0
          result  x
          lines   Lcm003.java:13, 18, 22, 23
          trace   gcd(1,[],[gcd_loop_0(1,[],[gcd_if_1(1,[],[abs(1,[],[abs_if_1(2,[],[])]),gcd_call_16(1,[],[])])])])

        case 3: returns 1
          if      y != 0, x % y == 0, y < 0
          input   x = 0, y = -1
          result  -y
          lines   Lcm003.java:13, 14, 15, 16, 17, 18, 22, 25
          trace   gcd(1,[],[gcd_loop_0(1,[],[gcd_if_1(2,[],[gcd_rem_6(1,[],[gcd_loop_0(1,[],[gcd_if_1(1,[],[abs(1,[],[abs_if_1(1,[],[])]),gcd_call_16(1,[],[])])])])])])])

        case 4: returns 1
          if      y != 0, x % y == 0, y > 0
          input   x = 0, y = 1
          result  y
          lines   Lcm003.java:13, 14, 15, 16, 17, 18, 22, 23
          trace   gcd(1,[],[gcd_loop_0(1,[],[gcd_if_1(2,[],[gcd_rem_6(1,[],[gcd_loop_0(1,[],[gcd_if_1(1,[],[abs(1,[],[abs_if_1(2,[],[])]),gcd_call_16(1,[],[])])])])])])])

        4 cases: 4 return, 0 throw
          branches      2 of 2 covered
          instructions  14 of 14 covered
          paths         0 infeasible, 1 cut by loop-1
          steps         19
    "#]],
    );
}

#[test]
fn values_are_literals_of_their_types() {
    check_text(
        "control",
        &["Branches#grade"],
        expect![[r#"
        Branches#grade(I)C, loop-2, all paths

        case 1: returns 'F'
          if      points < 90, points < 70, points < 50
          input   points = 0
          lines   Branches.java:26, 28, 30, 33, 35
          trace   grade(1,[],[grade_if_3(1,[],[grade_if_15(1,[],[grade_if_27(1,[],[grade_cont_39(1,[],[])])])])])

        case 2: returns 'C'
          if      points < 90, points < 70, points >= 50
          input   points = 50
          lines   Branches.java:26, 28, 30, 31, 35
          trace   grade(1,[],[grade_if_3(1,[],[grade_if_15(1,[],[grade_if_27(2,[],[grade_cont_39(1,[],[])])])])])

        case 3: returns 'B'
          if      points < 90, points >= 70
          input   points = 70
          lines   Branches.java:26, 28, 29, 35
          trace   grade(1,[],[grade_if_3(1,[],[grade_if_15(2,[],[grade_cont_39(1,[],[])])])])

        case 4: returns 'A'
          if      points >= 90
          input   points = 90
          lines   Branches.java:26, 27, 35
          trace   grade(1,[],[grade_if_3(2,[],[grade_cont_39(1,[],[])])])

        4 cases: 4 return, 0 throw
          branches      6 of 6 covered
          instructions  22 of 22 covered
          paths         0 infeasible, 0 cut by loop-2
          steps         11
    "#]],
    );
}

#[test]
fn of_several_inputs_each_says_what_it_gives() {
    check_text(
        "papers",
        &["--solutions", "3", "Lcm003#abs"],
        expect![[r#"
        Lcm003#abs(I)I, loop-2, all paths

        case 1: returns 1
          if      x < 0
          input   x = -1: returns 1
                  x = -2: returns 2
                  x = -3: returns 3
          result  -x
          lines   Lcm003.java:22, 25
          trace   abs(1,[],[abs_if_1(1,[],[])])

        case 2: returns 0
          if      x >= 0
          input   x = 0: returns 0
                  x = 1: returns 1
                  x = 2: returns 2
          result  x
          lines   Lcm003.java:22, 23
          trace   abs(1,[],[abs_if_1(2,[],[])])

        2 cases: 2 return, 0 throw
          branches      2 of 2 covered
          instructions  7 of 7 covered
          paths         0 infeasible, 0 cut by loop-2
          steps         3
    "#]],
    );
}
