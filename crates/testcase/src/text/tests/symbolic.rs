//! Results over the names of the source.

use super::*;

#[test]
fn the_symbolic_result_has_what_is_new_or_changed() {
    let mut case = returning(&["x", "a"], vec![solution(&[], None)]);
    case.symbolic.result = Some(term("x.next"));
    case.symbolic.heap_in = vec![
        symbolic("x", "Node", &[("next", "x.next")]),
        symbolic("a", "int[]", &[("i", "a[i]")]),
    ];
    case.symbolic.heap_out = vec![
        symbolic("x", "Node", &[("value", "x.value"), ("next", "o1")]),
        symbolic("x.next", "Node", &[("value", "x.next.value")]),
        symbolic("a", "int[]", &[("i", "0"), ("0", "a[0]")]),
        symbolic("o1", "Node", &[("o2", "x.o1 + 1"), ("next", "x == y ? o2 : x.next")]),
        symbolic("o2", "java.lang.Object", &[]),
        symbolic("o3", "java.lang.Object[]", &[("0", r#""\"o1, ""#), ("1", "o1")]),
        SymbolicObject { length: Some(term("n * 2")), ..symbolic("o4", "int[][]", &[]) },
        SymbolicObject {
            length: Some(term("n")),
            lengths_inside: vec![term("3"), term("m")],
            ..symbolic("o5", "int[][][]", &[])
        },
    ];
    check(
        &case,
        expect![[r#"
            case 1: returns
              result  x.next
                      x: Node { next: new1 }
                      a: int[] { [i]: 0 }
                      new1: Node { o2: x.o1 + 1, next: x == y ? new2 : x.next }
                      new2: java.lang.Object {}
                      new3: java.lang.Object[] {"\"o1, ", new1}
                      new4: int[n * 2][] {}
                      new5: int[n][3][m] {}
              trace   lcm(1,[],[])

        "#]],
    );
}
