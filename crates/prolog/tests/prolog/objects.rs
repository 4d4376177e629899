//! Objects, dispatch, exceptions, class initialisation and unknown heaps.

use expect_test::{Expect, expect};
use petrel_prolog::{ClassFacts, ClassKind};

use crate::support::{Program, class};

fn shapes() -> Program {
    let interface = ClassFacts { kind: ClassKind::Interface, ..class("Named", &[], &[]) };
    let shape = ClassFacts {
        kind: ClassKind::Abstract,
        interfaces: vec!["Named".into()],
        ..class("Shape", &["static made I", "tag B"], &[])
    };
    let classes = vec![
        interface,
        shape,
        class("Square:Shape", &["side I"], &[]),
        class("Rectangle:Square", &["other I"], &[]),
        class("Shapes", &[], &[]),
    ];
    Program::new(include_str!("programs/shapes.clp"), classes)
}

fn throwing() -> Program {
    let classes = vec![
        class("Throwing", &[], &[]),
        class("Log", &["static log I"], &[]),
        class("Base", &["static v I"], &["Base"]),
        class("Derived:Base", &["static w I"], &["Base", "Derived"]),
        class("Bad", &["static v I"], &["Bad"]),
    ];
    Program::new(include_str!("programs/throwing.clp"), classes)
}

fn nodes() -> Program {
    let classes = vec![class("Node", &["next LNode;", "value I"], &[])];
    Program::new(include_str!("programs/node.clp"), classes)
}

/// Prints how calls of static methods end.
const CALL: &str = "
call_method(Class, Name, Descriptor, Args) :-
    catch(( run_concrete(Class, Name, Descriptor, Args, Result, Exit),
            ( Exit == ok -> print(Result) ; print(Exit) ) ),
          error(petrel_unsupported(What), _), print(What)),
    nl.
";

fn check(program: &Program, goal: &str, expected: Expect) {
    expected.assert_eq(&program.run_with(CALL, goal));
}

#[test]
fn virtual_and_interface_calls_select_by_class() {
    check(
        &shapes(),
        "call_method('Shapes', sum, '(II)I', [3, 4])",
        expect![[r#"
            114
        "#]],
    );
}

#[test]
fn an_unknown_receiver_is_of_each_class_that_it_can_be() {
    check(
        &shapes(),
        "case_goal('Shapes.area', [_], G), G =.. [_, [R], V, _, H, E|_],
         forall(unfold(G, 2), ( ( ground(V) -> W = V ; W = unknown ), label_case(G, Os) -> print(R-Os-W-E), nl ))",
        expect![[r#"
            r(0)-[]-[-1]-ok
            r(-1)-[r(-1)='Rectangle'(other=0,side=0)]-unknown-ok
        "#]],
    );
}

#[test]
fn array_stores_and_casts_are_checked() {
    check(
        &shapes(),
        "call_method('Shapes', store, '(Ljava/lang/Object;)Ljava/lang/Object;', [null]),
         call_method('Shapes', store, '(Ljava/lang/Object;)Ljava/lang/Object;', [\"text\"]),
         case_goal(cast, [R], G), arg(3, G, H0), arg(2, G, V), arg(4, G, H), arg(5, G, E),
         input_object('Square', R, H0, H0), unfold(G, 1), outcome(H, V, E, O), print(O)",
        expect![[r#"
            [null]
            "java.lang.ArrayStoreException: java.lang.String"
            throws('java.lang.ClassCastException')"#]],
    );
}

#[test]
fn arrays_of_arrays_have_all_their_elements() {
    check(
        &shapes(),
        "forall(member(N-M, [3-2, 3-3, 1-1, 0-2, 2-(-1)]),
                call_method('Shapes', table, '(II)I', [N, M]))",
        expect![[r#"
            7
            0
            "java.lang.ArrayIndexOutOfBoundsException: Index 1 out of bounds for length 1"
            "java.lang.ArrayIndexOutOfBoundsException: Index -1 out of bounds for length 0"
            "java.lang.NegativeArraySizeException: -1"
        "#]],
    );
}

#[test]
fn exceptions_are_caught_by_class_and_keep_their_message() {
    check(
        &throwing(),
        "forall(member(X, [0, 1, 2]),
                call_method('Throwing', caught, '(I)Ljava/lang/String;', [X]))",
        expect![[r#"
            "zero"
            "java.lang.IllegalStateException: one"
            [call('java/lang/String':valueOf:'(I)Ljava/lang/String;')]
        "#]],
    );
}

#[test]
fn what_is_unsupported_ends_its_path_and_is_counted() {
    check(
        &throwing(),
        "count_cases(caught, 1, N), print(N), nl, forall(unsupported(What, M), ( print(What-M), nl ))",
        expect![[r#"
            2
            call('java/lang/String':valueOf:'(I)Ljava/lang/String;')-1
        "#]],
    );
}

#[test]
fn excluded_exceptions_are_no_answers() {
    check(
        &throwing(),
        "set_exceptions(exclude), count_cases(caught, 1, N), print(N)",
        expect!["1"],
    );
}

#[test]
fn classes_are_initialised_once_superclasses_first() {
    check(
        &throwing(),
        "call_method('Throwing', order, '()I', [])",
        expect![[r#"
            3443
        "#]],
    );
}

#[test]
fn a_failed_initialisation_is_reported_and_remembered() {
    check(
        &throwing(),
        "call_method('Throwing', bad, '()I', []),
         call_method('Throwing', twice, '()Ljava/lang/String;', [])",
        expect![[r#"
            "java.lang.ExceptionInInitializerError"
            "Could not initialize class Bad"
        "#]],
    );
}

#[test]
fn recursion_is_bounded_like_a_loop() {
    check(
        &throwing(),
        "forall(between(1, 3, K), ( count_cases(recursive, K, N), counters(C),
                                    memberchk(cuts=Cuts, C), print(N-Cuts), nl )),
         call_method('Throwing', recursive, '(I)I', [1000])",
        expect![[r#"
            1-1
            2-1
            3-1
            1000
        "#]],
    );
}

#[test]
fn unknown_objects_come_into_being_when_they_are_looked_at() {
    let goal = "forall(member(A, [exclude, include]),
            ( set_aliasing(A), count_cases(length, 3, N), counters(C), memberchk(cuts=Cuts, C),
              print(N-Cuts), nl )),
        forall(( case_goal(length, [_], G), unfold(G, 3), labelled(G, case(Call, Objects, V, _)) ),
               ( print(Call-Objects-V), nl ))";
    // A list that leads back into itself never ends: such derivations are only ever cut.
    check(
        &nodes(),
        goal,
        expect![[r#"
            3-1
            3-1
            length(null)-[]-0
            length(r(-1))-[r(-1)='Node'(next=null)]-1
            length(r(-1))-[r(-1)='Node'(next=r(-2)),r(-2)='Node'(next=null)]-2
        "#]],
    );
}

#[test]
fn unknown_references_are_compared_without_looking() {
    check(
        &nodes(),
        "case_goal(adjacent, [A, B], G), G =.. [_, _, V, _, H, E|_],
         forall(unfold(G, 1), ( outcome(H, V, E, O), ( A = r(I), B = r(J), I == J -> S = same ; S = other ), print(O-S), nl ))",
        expect![[r#"
            1-same
            0-other
            1-other
            throws('java.lang.NullPointerException')-other
        "#]],
    );
}

#[test]
fn the_same_unknown_reference_has_both_types() {
    let types =
        "forall(member(T-U, ['LSquare;'-'LShape;', 'LShape;'-'LSquare;', 'LShapes;'-'LShape;']),
                ( empty_heap(H), input_value(T, H, R), input_value(U, H, S), same(H, R, S, _),
                  R = r(I), class_number_of(H, I, C), fd_dom(C, Dom),
                  findall(B, ( domain_member(Dom, N), N > 0, class_number(B, N) ), Bs), print(Bs), nl ))";
    let objects =
        "empty_heap(H0), new_object(H0, 'Square', New, H), input_object('Square', Old, H, H),
        forall(( member(T, ['LShape;', 'LRectangle;']), member(O, [New, Old, r(0)]) ),
               ( input_value(T, H, R), ( same(H, R, O, D) -> print(T-D), nl ; true ) ))";
    check(
        &shapes(),
        &format!("{types}, {objects}"),
        expect![[r#"
            ['Square','Rectangle']
            ['Square','Rectangle']
            []
            'LShape;'-maybe
            'LShape;'-maybe
            'LRectangle;'-maybe
        "#]],
    );
}

#[test]
fn an_unknown_index_is_one_answer() {
    check(
        &nodes(),
        "set_exceptions(exclude),
         case_goal(index, [_, A], G), arg(3, G, H), input_array('[I', A, 3, H, H),
         answers(G, 1, N), print(N), nl,
         case_goal(index, [_, B], G2), arg(3, G2, H2), set_width(unbounded),
         input_array('[I', B, _, H2, H2), answers(G2, 1, N2), print(N2), nl,
         forall(unsupported(What, M), ( print(What-M), nl ))",
        expect![[r#"
            1
            1
        "#]],
    );
}

#[test]
fn a_guard_over_an_unknown_float_ends_the_path() {
    check(
        &nodes(),
        "count_cases(less, 1, N), print(N), nl, forall(unsupported(What, M), ( print(What-M), nl )),
         X is nan, solve(less([X, 1.0], R, _, _, _, _)), print(R), nl,
         solve(less([-0.0, 1.0], S, _, _, _, _)), print(S), nl",
        expect![[r#"
            0
            'symbolic float in a guard'-2
            [0]
            [1]
        "#]],
    );
}
