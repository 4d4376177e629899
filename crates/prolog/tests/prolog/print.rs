//! The exported text.

use expect_test::{Expect, expect};
use petrel_prolog::{ClassFacts, Constant, FieldFacts};

use crate::support::{Program, class};

/// The text of a program, which has to load.
fn check(text: &str, classes: Vec<ClassFacts>, expected: Expect) {
    let program = Program::new(text, classes);
    expected.assert_eq(&program.export(petrel_prolog::program));
    // SWI-Prolog has nothing to say about it.
    assert_eq!(program.run("true"), "");
}

#[test]
fn a_loop_with_a_call_and_an_exception() {
    check(
        "
:- procedure('Lcm', gcd, '(II)I', static, 'Lcm.java').
:- callee(abs, 'Lcm', abs, '(I)I').
:- predicate(gcd, entry, 0).
gcd([X,Y],[R],H,H1,E,gcd(1,[],[T])) :-
    gcd_if_1([X,Y],[R],H,H1,E,T).
:- predicate(gcd_if_1, choice, 1).
%@ 18: 15 iload_0, 16 invokestatic
gcd_if_1([X,Y],[R],H,H2,E_,gcd_if_1(1,[],[T1,T2])) :-
    Y #= 0,
    abs([X],[Abs],H,H1,E,T1),
    gcd_call_16([Abs,exit(E)],[R],H1,H2,E_,T2).
%@ 14: 4 iload_0, 5 iload_1, 6 irem; 15: 8 iload_1
gcd_if_1([X,Y],[R],H,H1,E,gcd_if_1(2,[],[T])) :-
    Y #\\= 0,
    Rest #= X rem Y,
    gcd([Y,Rest],[R],H,H1,E,T).
:- predicate(gcd_call_16, choice, 16).
gcd_call_16([Abs,exit(E)],[Abs],H,H,ok,gcd_call_16(1,[],[])) :-
    E = ok.
gcd_call_16([Abs,exit(E)],[_],H,H,exc(X),gcd_call_16(2,[],[])) :-
    E = exc(X).
",
        vec![class("Lcm", &[], &[])],
        expect![[r#"
            % The program

            class('Lcm', 'java/lang/Object', [], class).
            initialisation('Lcm', []).
            method('Lcm', gcd, '(II)I', gcd, static).

            % Lcm.gcd(II)I

            gcd([X, Y], [R], H, H1, E, gcd(1, [], [T1])) :-
                gcd_if_1([X, Y], [R], H, H1, E, T1).

            % 18: 15 iload_0, 16 invokestatic
            gcd_if_1([X, Y], [R], H, H2, E_, gcd_if_1(1, [], [T1])) :-
                Y #= 0 |
                library('Lcm':abs:'(I)I', [X], [Abs], H, H1, E),
                gcd_call_16([Abs, E], [R], H1, H2, E_, T1).
            % 14: 4 iload_0, 5 iload_1, 6 irem
            % 15: 8 iload_1
            gcd_if_1([X, Y], [R], H, H1, E, gcd_if_1(2, [], [T1])) :-
                Y #\= 0 |
                Rest #= X rem Y,
                gcd([Y, Rest], [R], H, H1, E, T1).

            gcd_call_16([Abs, E], [Abs], H, H, ok, gcd_call_16(1, [], [])) :-
                E = ok |
                true.
            gcd_call_16([_Abs, E], [_], H, H, exc(X), gcd_call_16(2, [], [])) :-
                E = exc(X) |
                true.
        "#]],
    );
}

#[test]
fn every_guard() {
    check(
        "
:- procedure('G', g, '(IJFDLG;LG;[I)V', static).
:- predicate(g, entry, 0).
g([I,l(J),f(F),d(D),ref(O),r(P),ref(A)],[],H,H,ok,g(1,[],[])) :-
    I #< 5,
    J #>= -1L,
    F #= 1.5f,
    nan_or(D #> 1.0e300).
g([I,l(J),f(F),d(D),ref(O),r(P),ref(A)],[],H,H,ok,g(2,[],[])) :-
    I in [1, 2],
    I not_in [3],
    O == null,
    P \\== null,
    O \\== null,
    O == P,
    O \\== P,
    same(O,null).
g([I,l(J),f(F),d(D),ref(O),r(P),ref(A)],[],H,H,ok,g(3,[],[])) :-
    in_bounds(H,A,I),
    out_of_bounds(H,A,I),
    instance(H,O,'G'),
    not_instance(H,O,'G'),
    castable(H,O,'[I'),
    not_castable(H,O,'[I'),
    storable(H,A,O),
    not_storable(H,A,O).
",
        vec![],
        expect![[r#"
            % The program

            method('G', g, '(IJFDLG;LG;[I)V', g, static).

            % G.g(IJFDLG;LG;[I)V

            g([I, J, F, D, _O, _P, _A], [], H, H, ok, g(1, [], [])) :-
                I #< 5,
                J #>= -1,
                float(F #= 1.5),
                nan_or(D #> 1.0e300) |
                true.
            g([I, _J, _F, _D, O, P, _A], [], H, H, ok, g(2, [], [])) :-
                one_of(I, [1, 2]),
                none_of(I, [3]),
                null(O),
                nonnull(H, O),
                same(H, O, P),
                different(O, P),
                same(H, O, r(0)) |
                true.
            g([I, _J, _F, _D, O, _P, A], [], H, H, ok, g(3, [], [])) :-
                in_bounds(H, A, I),
                out_of_bounds(H, A, I),
                instance(H, O, 'G'),
                not_instance(H, O, 'G'),
                castable(H, O, '[I'),
                not_castable(H, O, '[I'),
                storable(H, A, O),
                not_storable(H, A, O) |
                true.
        "#]],
    );
}

#[test]
fn every_literal() {
    check(
        "
:- procedure('L', l, '(IJFDLL;[I)V', static).
:- field(next, 'L', next, 'LL;').
:- field('L.count', 'L', count, 'I').
:- field('M.count', 'M', count, 'J').
:- predicate(l, entry, 0).
l([I,l(J),f(F),d(D),r(O),r(A)],[],H,H,ok,l(1,[],[])) :-
    I1 #= I+ -1,
    J1 #= J*2L,
    F1 #= F/0.1f,
    D1 #= D rem double(0x7ff0000000000000),
    I2 #= -I,
    J2 #= J>>>I,
    I3 #= xor(I,I1),
    I4 #= lcmp(J,J1),
    I5 #= fcmpl(F,F1),
    I6 #= dcmpg(D,D1),
    I7 #= i2b(I),
    D2 #= l2d(J2).
l([I,l(J),f(F),d(D),r(O),r(A)],[],H,H9,ok,l(2,[I],[])) :-
    new_object(H,'L',N,H1),
    new_array(H1,'[I',I,A1,H2),
    new_multi_array(H2,'[[I',[I,2],A2,H3),
    array_length(H3,A,L),
    get_field(H3,O,next,Next),
    set_field(H3,O,next,N,H4),
    get_static(H4,'L.count',Count),
    set_static(H4,'M.count',J,H5),
    get_array(H5,int,A,I,V),
    set_array(H5,int,A,0,V,H6),
    instance_of(H6,Next,'L',B),
    string(\"a \\\"b\\\"\\n\",S),
    class_object('L',C),
    throwable(H6,'java/lang/Error',none,X1,H7),
    throwable(H7,'java/lang/Error',text(\"t\"),X2,H8),
    throwable(H8,'java/lang/Error',bounds(A,I),X3,H9).
",
        vec![],
        expect![[r#"
            % The program

            field(next, 'L':next, 'LL;', instance, none).
            field('L.count', 'L':count, 'I', static, none).
            field('M.count', 'M':count, 'J', static, none).
            method('L', l, '(IJFDLL;[I)V', l, static).

            % L.l(IJFDLL;[I)V

            l([I, J, F, D, _O, _A], [], H, H, ok, l(1, [], [])) :-
                I1 #= I + -1,
                long(J1 #= J * 2),
                float(F1 #= F / 0.10000000149011612),
                double(D1 #= D rem 1.0Inf),
                _I2 #= -I,
                long(J2 #= J >>> I),
                _I3 #= I xor I1,
                long(_I4 #= cmp(J, J1)),
                float(_I5 #= cmpl(F, F1)),
                double(_I6 #= cmpg(D, D1)),
                _I7 #= i2b(I),
                _D2 #= l2d(J2).
            l([I, J, _F, _D, O, A], [], H, H11, ok, l(2, [I], [])) :-
                new_object(H, 'L', N, H1),
                new_array(H1, '[I', I, _A1, H2),
                new_multi_array(H2, '[[I', [I, 2], _A2, H3),
                array_length(H3, A, _L),
                get_field(H3, O, next, Next),
                set_field(H3, O, next, N, H4),
                get_static(H4, 'L.count', _Count),
                set_static(H4, 'M.count', J, H5),
                get_array(H5, A, I, V),
                set_array(H5, A, 0, V, H6),
                instance_of(H6, Next, 'L', _B),
                string_constant(H6, "a \"b\"\xa\", _S, H7),
                class_object(H7, 'L', _C, H8),
                throwable(H8, 'java/lang/Error', none, _X1, H9),
                throwable(H9, 'java/lang/Error', "t", _X2, H10),
                throwable(H10, 'java/lang/Error', bounds(A, I), _X3, H11).
        "#]],
    );
}

#[test]
fn calls_that_select_that_leave_the_program_and_that_initialise() {
    check(
        "
:- procedure('C', call, '(LC;)V', static).
:- callee(f, 'C', f, '()V').
:- callee(println, 'java/io/PrintStream', println, '(I)V').
:- predicate(call, entry, 0).
call([ref(O)],[],H,H2,E_,call(1,[],[T])) :-
    initialise('C',H,H1,E),
    call_exit_0([ref(O),exit(E)],[],H1,H2,E_,T).
:- predicate(call_exit_0, choice, 0).
call_exit_0([ref(O),exit(E)],[],H,H2,E_,call_exit_0(1,[],[T1,T2])) :-
    E = ok,
    O \\== null,
    virtual:f([r(O)],[],H,H1,E1,T1),
    call_exit_3([ref(O),exit(E1)],[],H1,H2,E_,T2).
call_exit_0([ref(O),exit(E)],[],H,H,exc(X),call_exit_0(2,[],[])) :-
    E = exc(X).
:- predicate(call_exit_3, choice, 3).
call_exit_3([ref(O),exit(E)],[],H,H2,E_,call_exit_3(1,[],[T1,T2])) :-
    E = ok,
    virtual:println([r(O),1],[],H,H1,E1,T1),
    call_exit_0([ref(O),exit(E1)],[],H1,H2,E_,T2).

% C.f()V
:- procedure('C', f, '()V', instance).
:- predicate(f, entry, 0).
f([r(This)],[],H,H,ok,f(1,[],[])).

:- dispatch(f, 'C', f, '()V').
:- callee(f, 'C', f, '()V').
:- callee('D.f', 'D', f, '()V').
virtual:f([r(This)|A],O,H,H1,E,f(1,[],[T])) :-
    class_of(H,This,['C','C2']),
    f([r(This)|A],O,H,H1,E,T).
virtual:f([r(This)|A],O,H,H1,E,f(2,[],[T])) :-
    class_of(H,This,['D']),
    'D.f'([r(This)|A],O,H,H1,E,T).
",
        vec![],
        expect![[r#"
            % The program

            method('C', call, '(LC;)V', 'call()', static).
            method('C', f, '()V', 'C.f', instance).
            virtual('C.f', 'C':f:'()V').
            virtual(println, 'java/io/PrintStream':println:'(I)V').

            % C.call(LC;)V

            'call()'([O], [], H, H2, E_, 'call()'(1, [], [T1])) :-
                initialise('C', H, H1, E),
                call_exit_0([O, E], [], H1, H2, E_, T1).

            call_exit_0([O, E], [], H, H2, E_, call_exit_0(1, [], [T1, T2])) :-
                E = ok,
                nonnull(H, O) |
                virtual:'C.f'([O], [], H, H1, E1, T1),
                call_exit_3([O, E1], [], H1, H2, E_, T2).
            call_exit_0([_O, E], [], H, H, exc(X), call_exit_0(2, [], [])) :-
                E = exc(X) |
                true.

            call_exit_3([O, E], [], H, H2, E_, call_exit_3(1, [], [T1, T2])) :-
                E = ok |
                virtual:println([O, 1], [], H, H1, E1, T1),
                call_exit_0([O, E1], [], H1, H2, E_, T2).

            % C.f()V

            'C.f'([_This], [], H, H, ok, 'C.f'(1, [], [])).

            % dispatch of C.f()V

            virtual:'C.f'([This|A], R, H, H1, E, 'C.f'(1, [], [T1])) :-
                class_of(H, This, ['C', 'C2']) |
                'C.f'([This|A], R, H, H1, E, T1).
            virtual:'C.f'([This|A], R, H, H1, E, 'C.f'(2, [], [])) :-
                class_of(H, This, ['D']) |
                library('D':f:'()V', [This|A], R, H, H1, E).
        "#]],
    );
}

#[test]
fn classes_have_their_fields_and_constants() {
    let mut facts = class("p/C:p/B", &["x I"], &["p/B", "p/C"]);
    let constant = |name: &str, descriptor: &str, constant| FieldFacts {
        name: name.into(),
        descriptor: descriptor.into(),
        is_static: true,
        constant: Some(constant),
    };
    facts.fields.extend([
        constant("MAX", "J", Constant::Long(i64::MAX)),
        constant("NAME", "Ljava/lang/String;", Constant::String("caf\u{e9}".into())),
        constant("NAN", "F", Constant::Float(0x7fc0_0000)),
    ]);
    check(
        "
:- procedure('p/C', f, '()V', static).
:- predicate(f, entry, 0).
f([],[],H,H,ok,f(1,[],[])).
",
        vec![facts],
        expect![[r#"
            % The program

            class('p/C', 'p/B', [], class).
            initialisation('p/C', ['p/B', 'p/C']).
            field('p/C.x', 'p/C':x, 'I', instance, none).
            field('p/C.MAX', 'p/C':'MAX', 'J', static, value(9223372036854775807)).
            field('p/C.NAME', 'p/C':'NAME', 'Ljava/lang/String;', static, value(string("caf\xe9\"))).
            field('p/C.NAN', 'p/C':'NAN', 'F', static, value(1.5NaN)).
            method('p/C', f, '()V', f, static).

            % p/C.f()V

            f([], [], H, H, ok, f(1, [], [])).
        "#]],
    );
}

#[test]
fn names_that_mean_something_to_prolog() {
    check(
        "
:- procedure('O', table, '(I)I', static).
:- callee(multifile, 'O', multifile, '(I)V').
:- field(in, 'O', in, 'I').
:- predicate(table, entry, 0).
table([E],[R],H,H2,E_,table(1,[],[T1,T2])) :-
    get_static(H,in,In),
    multifile([In],[],H,H1,T,T1),
    rem([E,exit(T)],[R],H1,H2,E_,T2).
:- predicate(rem, choice, 0).
rem([E,exit(T)],[E],H,H,ok,rem(1,[],[])) :-
    T = ok.
",
        vec![],
        expect![[r#"
            % The program

            field(in, 'O':in, 'I', static, none).
            method('O', table, '(I)I', table, static).

            % O.table(I)I

            table([E], [R], H, H2, E_, table(1, [], [T_1])) :-
                get_static(H, in, In),
                library('O':(multifile):'(I)V', [In], [], H, H1, T),
                rem([E, T], [R], H1, H2, E_, T_1).

            rem([E, T], [E], H, H, ok, rem(1, [], [])) :-
                T = ok |
                true.
        "#]],
    );
}

/// A method is a predicate with six and one with seven arguments, whatever its name is.
#[test]
fn the_runtime_leaves_the_names_of_methods_free() {
    let goal = "findall(N/A, ( predicate_property(user:P, defined),
                              \\+ predicate_property(user:P, imported_from(_)),
                              functor(P, N, A), memberchk(A, [6, 7]) ), Ps),
        print(Ps)";
    expect!["[run_concrete/6]"].assert_eq(&Program::empty().run(goal));
}
