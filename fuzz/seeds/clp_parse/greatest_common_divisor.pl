% Lcm.gcd(II)I
:- procedure('Lcm', gcd, '(II)I', static, 'Lcm.java').
:- callee(abs, 'Lcm', abs, '(I)I').

:- predicate(gcd, entry, 0).
gcd([A,B],[R],H,H1,E,gcd(1,[],[T])) :-
    gcd_loop_0([A,B],[R],H,H1,E,T).

:- predicate(gcd_loop_0, loop, 0).
%@ 14: 0 iload_1, 1 ifeq; 15: 4 iload_0, 5 iload_1, 6 irem
gcd_loop_0([A,B],[R],H,H1,E,gcd_loop_0(1,[],[T])) :-
    B #\= 0,
    Res #= A rem B,
    gcd_loop_0([B,Res],[R],H,H1,E,T).
%@ 19: 16 iload_0, 17 invokestatic
gcd_loop_0([A,B],[R],H,H2,E,gcd_loop_0(2,[],[T1,T2])) :-
    B #= 0,
    abs([A],[X],H,H1,E1,T1),
    gcd_exit_17([X,exit(E1)],[R],H1,H2,E,T2).

:- predicate(gcd_exit_17, choice, 17).
%@ 19: 20 ireturn
gcd_exit_17([X,exit(E1)],[X],H,H,ok,gcd_exit_17(1,[],[])) :-
    E1 = ok.
gcd_exit_17([X,exit(E1)],[_],H,H,exc(Y),gcd_exit_17(2,[],[])) :-
    E1 = exc(Y).

% Lcm.abs(I)I
:- procedure('Lcm', abs, '(I)I', static, 'Lcm.java').

:- predicate(abs, entry, 0).
%@ 0: 0 iload_0, 1 iflt, 4 iload_0, 5 ireturn
abs([A],[A],H,H,ok,abs(1,[],[])) :-
    A #>= 0.
%@ 0: 6 iload_0, 7 ineg, 8 ireturn
abs([A],[Y],H,H,ok,abs(2,[],[])) :-
    A #< 0,
    Y #= -A.
