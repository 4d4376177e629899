//! Arrays of unknown length, and elements at unknown indices.

use expect_test::expect;
use petrel_engine::{Bounds, HeapMode};

use crate::harness::{Exploration, paths};

const GET: &str = r#"
    :- procedure('T', get, '([II)I', static).
    :- predicate(get, entry, 0).
    get([ref(A),I],[V],H,H,ok,get(1,[],[])) :-
        A \== null, in_bounds(H,A,I), get_array(H,int,A,I,V).
    get([ref(A),I],[_],H,H1,exc(X),get(2,[],[])) :-
        A == null, throwable(H,'java/lang/NullPointerException',null_at(2),X,H1).
    get([ref(A),I],[_],H,H1,exc(X),get(3,[],[])) :-
        A \== null, out_of_bounds(H,A,I),
        throwable(H,'java/lang/ArrayIndexOutOfBoundsException',bounds(A,I),X,H1).
"#;

#[test]
fn an_element_at_an_unknown_index_has_three_ways() {
    expect![[r#"
        [A != null, I >= 0, I < A.length] returns A[I], as (I[]@0{0}, 0) -> 0
          get(1,[],[])
        [A != null, I < 0 || I >= A.length] throws java.lang.ArrayIndexOutOfBoundsException, as (I[]@0{}, 0) -> java.lang.ArrayIndexOutOfBoundsException
          get(3,[],[])
        [A == null] throws java.lang.NullPointerException, as (null, 0) -> java.lang.NullPointerException
          get(2,[],[])
    "#]].assert_eq(&paths(GET));
}

/// Writes at one index, and reads at another.
const WRITE_AND_READ: &str = r#"
    :- procedure('T', put, '([III)I', static).
    :- predicate(put, entry, 0).
    put([ref(A),I,J],[R],H,H2,E,put(1,[],[T])) :-
        A \== null, in_bounds(H,A,I), in_bounds(H,A,J),
        set_array(H,int,A,I,7,H1), get_array(H1,int,A,J,V), read([V],[R],H1,H2,E,T).
    put([ref(A),I,J],[-1],H,H,ok,put(2,[],[])) :- A == null.
    put([ref(A),I,J],[-2],H,H,ok,put(3,[],[])) :- A \== null, out_of_bounds(H,A,I).
    put([ref(A),I,J],[-3],H,H,ok,put(4,[],[])) :-
        A \== null, in_bounds(H,A,I), out_of_bounds(H,A,J).
    :- predicate(read, choice, 4).
    read([V],[1],H,H,ok,read(1,[],[])) :- V #= 7.
    read([V],[2],H,H,ok,read(2,[],[])) :- V #\= 7.
"#;

#[test]
fn a_write_may_be_at_the_index_that_is_read() {
    expect![[r#"
        [A != null, I >= 0, I < A.length, J >= 0, J < A.length, (I == J ? 7 : A[J]) == 7] returns 1, as (I[]@0{0}, 0, 0) -> 1
          put(1,[],[read(1,[],[])])
        [A != null, I >= 0, I < A.length, J >= 0, J < A.length, I != J, A[J] != 7] returns 2, as (I[]@0{0, 0}, 0, 1) -> 2
          put(1,[],[read(2,[],[])])
        [A != null, I >= 0, I < A.length, J < 0 || J >= A.length] returns -3, as (I[]@0{0}, 0, 1) -> -3
          put(4,[],[])
        [A != null, I < 0 || I >= A.length] returns -2, as (I[]@0{}, 0, 0) -> -2
          put(3,[],[])
        [A == null] returns -1, as (null, 0, 0) -> -1
          put(2,[],[])
    "#]].assert_eq(&paths(WRITE_AND_READ));
}

/// In the simulation of a heap, each index is a path.
#[test]
fn simulation_has_a_path_for_each_index() {
    let bounds = Bounds { heap: HeapMode::Simulation, max_array: 1, ..Bounds::default() };
    let found = Exploration { bounds, ..Exploration::default() }.paths(GET).0;
    expect![[r#"
        [A != null, I >= 0, I < A.length, I == 0] returns A[0], as (I[]@0{0}, 0) -> 0
          get(1,[],['?'(1,[],[])])
        [A != null, I >= 0, I < A.length, I != 0, I == 1] returns A[1], but limit reached: arrays of 1 elements (--max-array)
          get(1,[],['?'(2,[],[]),'?'(1,[],[])])
        [A != null, I >= 0, I < A.length, I != 0, I != 1] stops: limit reached: arrays of 1 elements (--max-array)
          get(1,[],['?'(2,[],[]),'?'(2,[],[])])
        [A != null, I < 0 || I >= A.length] throws java.lang.ArrayIndexOutOfBoundsException, as (I[]@0{}, 0) -> java.lang.ArrayIndexOutOfBoundsException
          get(3,[],[])
        [A == null] throws java.lang.NullPointerException, as (null, 0) -> java.lang.NullPointerException
          get(2,[],[])
    "#]].assert_eq(&found);
}

/// The size of a new array is a parameter of the trace.
#[test]
fn the_length_of_a_new_array_may_be_unknown() {
    let program = r#"
        :- procedure('T', make, '(I)I', static).
        :- predicate(make, entry, 0).
        make([N],[R],H,H2,E,make(1,[N],[T])) :-
            N #>= 0, new_array(H,'[I',N,A,H1), array_length(H1,A,L), long([L],[R],H1,H2,E,T).
        make([N],[_],H,H1,exc(X),make(2,[],[])) :-
            N #< 0, throwable(H,'java/lang/NegativeArraySizeException',size(N),X,H1).
        :- predicate(long, choice, 3).
        long([L],[L],H,H,ok,long(1,[],[])) :- L #> 3.
        long([L],[0],H,H,ok,long(2,[],[])) :- L #=< 3.
    "#;
    expect![[r#"
        [N >= 0, N > 3] returns N, as (4) -> 4
          make(1,[N],[long(1,[],[])])
        [N >= 0, N <= 3] returns 0, as (0) -> 0
          make(1,[N],[long(2,[],[])])
        [N < 0] throws java.lang.NegativeArraySizeException, as (-1) -> java.lang.NegativeArraySizeException
          make(2,[],[])
    "#]].assert_eq(&paths(program));
}

#[test]
fn elements_of_a_new_array_are_zero_until_they_are_written() {
    let program = r#"
        :- procedure('T', fill, '(I)I', static).
        :- predicate(fill, entry, 0).
        fill([V],[R],H,H3,E,fill(1,[],[T])) :-
            new_array(H,'[I',2,A,H1), set_array(H1,int,A,0,V,H2),
            get_array(H2,int,A,0,X), get_array(H2,int,A,1,Y), Z #= X-Y, rest([Z],[R],H2,H3,E,T).
        :- predicate(rest, choice, 3).
        rest([Z],[Z],H,H,ok,rest(1,[],[])) :- Z #= 0.
        rest([Z],[Z],H,H,ok,rest(2,[],[])) :- Z #\= 0.
    "#;
    expect![[r#"
        [V == 0] returns V, as (0) -> 0
          fill(1,[],[rest(1,[],[])])
        [V != 0] returns V, as (1) -> 1
          fill(1,[],[rest(2,[],[])])
    "#]]
    .assert_eq(&paths(program));
}

/// Two parameters may be one array.
#[test]
fn arrays_may_be_aliases() {
    let program = r#"
        :- procedure('T', both, '([I[I)I', static).
        :- predicate(both, entry, 0).
        both([ref(A),ref(B)],[R],H,H3,E,both(1,[],[T])) :-
            A \== null, B \== null, in_bounds(H,A,0), in_bounds(H,B,0),
            set_array(H,int,A,0,1,H1), set_array(H1,int,B,0,2,H2),
            get_array(H2,int,A,0,V), read([V],[R],H2,H3,E,T).
        both([ref(A),ref(B)],[-1],H,H,ok,both(2,[],[])) :- A == null.
        both([ref(A),ref(B)],[-2],H,H,ok,both(3,[],[])) :- A \== null, B == null.
        both([ref(A),ref(B)],[-3],H,H,ok,both(4,[],[])) :-
            A \== null, B \== null, out_of_bounds(H,A,0).
        both([ref(A),ref(B)],[-4],H,H,ok,both(5,[],[])) :-
            A \== null, B \== null, in_bounds(H,A,0), out_of_bounds(H,B,0).
        :- predicate(read, choice, 4).
        read([V],[1],H,H,ok,read(1,[],[])) :- V in [1].
        read([V],[2],H,H,ok,read(2,[],[])) :- V in [2].
        read([V],[3],H,H,ok,read(3,[],[])) :- V not_in [1,2].
    "#;
    expect![[r#"
        [A != null, B != null, A.length > 0, B.length > 0, B != A] returns 1, as (I[]@0{0}, I[]@1{0}) -> 1
          both(1,[],[read(1,[],[])])
        [A != null, B != null, A.length > 0, B.length > 0, B == A] returns 2, as (I[]@0{0}, I[]@0{0}) -> 2
          both(1,[],[read(2,[],[])])
        [A != null, B != null, A.length > 0, B.length <= 0] returns -4, as (I[]@0{0}, I[]@1{}) -> -4
          both(5,[],[])
        [A != null, B != null, A.length <= 0] returns -3, as (I[]@0{}, I[]@1{}) -> -3
          both(4,[],[])
        [A != null, B == null] returns -2, as (I[]@0{}, null) -> -2
          both(3,[],[])
        [A == null] returns -1, as (null, null) -> -1
          both(2,[],[])
    "#]]
    .assert_eq(&paths(program));
}
