% Translated from:
%
%     // The running example of "Test Data Generation of Bytecode by CLP Partial Evaluation" (Fig. 1 and 2):
%     // a loop, two calls, and two instructions that can divide by zero.
%     // The paper's rules lcm, lcm1c (2), abs, abs9c (2), gcd, gcd4, gcd4c (2), gcd6c (2) are all here.
%     // What differs: a call can end with an exception, so that each is followed by a choice (`_call_`)
%     // with one rule for the normal return and one that passes the exception on.
%     class Lcm003 {
%         static int lcm(int x, int y) {
%             int gcd = gcd(x, y);
%             return abs(x * y / gcd);
%         }
%     
%         static int gcd(int x, int y) {
%             while (y != 0) {
%                 int rest = x % y;
%                 x = y;
%                 y = rest;
%             }
%             return abs(x);
%         }
%     
%         static int abs(int x) {
%             if (x >= 0) {
%                 return x;
%             }
%             return -x;
%         }
%     }

% Lcm003.lcm(II)I
:- procedure('Lcm003', lcm, '(II)I', static, 'Lcm003.java').
:- callee(gcd, 'Lcm003', gcd, '(II)I').
:- callee(abs, 'Lcm003', abs, '(I)I').

:- predicate(lcm, entry, 0).
%@ 8: 0 iload_0, 1 iload_1, 2 invokestatic
lcm([X,Y],[R],H,H2,E_,lcm(1,[],[T1,T2])) :-
    gcd([X,Y],[Gcd],H,H1,E,T1),
    lcm_call_2([X,Y,Gcd,exit(E)],[R],H1,H2,E_,T2).

:- predicate(lcm_call_2, choice, 2).
%@ 8: 5 istore_2; 9: 6 iload_0, 7 iload_1, 8 imul, 9 iload_2, 10 idiv
lcm_call_2([X,Y,Gcd,exit(E)],[R],H,H1,E_,lcm_call_2(1,[],[T])) :-
    E = ok,
    V #= X*Y,
    lcm_div_10([V,Gcd],[R],H,H1,E_,T).
lcm_call_2([X,Y,Gcd,exit(E)],[_],H,H,exc(X1),lcm_call_2(2,[],[])) :-
    E = exc(X1).

:- predicate(lcm_div_10, choice, 10).
%@ 9: 11 invokestatic
lcm_div_10([V,Gcd],[R],H,H2,E_,lcm_div_10(1,[],[T1,T2])) :-
    Gcd #\= 0,
    V1 #= V/Gcd,
    abs([V1],[Abs],H,H1,E,T1),
    lcm_call_11([Abs,exit(E)],[R],H1,H2,E_,T2).
lcm_div_10([V,Gcd],[_],H,H1,exc(X),lcm_div_10(2,[],[])) :-
    Gcd #= 0,
    throwable(H,'java/lang/ArithmeticException',text("/ by zero"),X,H1).

:- predicate(lcm_call_11, choice, 11).
%@ 9: 14 ireturn
lcm_call_11([Abs,exit(E)],[Abs],H,H,ok,lcm_call_11(1,[],[])) :-
    E = ok.
lcm_call_11([Abs,exit(E)],[_],H,H,exc(X),lcm_call_11(2,[],[])) :-
    E = exc(X).

% Lcm003.gcd(II)I
:- procedure('Lcm003', gcd, '(II)I', static, 'Lcm003.java').
:- callee(abs, 'Lcm003', abs, '(I)I').

:- predicate(gcd, entry, 0).
gcd([X,Y],[R],H,H1,E,gcd(1,[],[T])) :-
    gcd_loop_0([X,Y],[R],H,H1,E,T).

:- predicate(gcd_loop_0, loop, 0).
%@ 13: 0 iload_1, 1 ifeq
gcd_loop_0([X,Y],[R],H,H1,E,gcd_loop_0(1,[],[T])) :-
    gcd_if_1([X,Y],[R],H,H1,E,T).

:- predicate(gcd_if_1, choice, 1).
%@ 18: 15 iload_0, 16 invokestatic
gcd_if_1([X,Y],[R],H,H2,E_,gcd_if_1(1,[],[T1,T2])) :-
    Y #= 0,
    abs([X],[Abs],H,H1,E,T1),
    gcd_call_16([Abs,exit(E)],[R],H1,H2,E_,T2).
%@ 14: 4 iload_0, 5 iload_1, 6 irem
gcd_if_1([X,Y],[R],H,H1,E,gcd_if_1(2,[],[T])) :-
    Y #\= 0,
    gcd_rem_6([Y,X],[R],H,H1,E,T).

:- predicate(gcd_rem_6, choice, 6).
%@ 14: 7 istore_2; 15: 8 iload_1, 9 istore_0; 16: 10 iload_2, 11 istore_1; 17: 12 goto
gcd_rem_6([Y,X],[R],H,H1,E,gcd_rem_6(1,[],[T])) :-
    Y #\= 0,
    Rest #= X rem Y,
    gcd_loop_0([Y,Rest],[R],H,H1,E,T).
gcd_rem_6([Y,X],[_],H,H1,exc(X1),gcd_rem_6(2,[],[])) :-
    Y #= 0,
    throwable(H,'java/lang/ArithmeticException',text("/ by zero"),X1,H1).

:- predicate(gcd_call_16, choice, 16).
%@ 18: 19 ireturn
gcd_call_16([Abs,exit(E)],[Abs],H,H,ok,gcd_call_16(1,[],[])) :-
    E = ok.
gcd_call_16([Abs,exit(E)],[_],H,H,exc(X),gcd_call_16(2,[],[])) :-
    E = exc(X).

% Lcm003.abs(I)I
:- procedure('Lcm003', abs, '(I)I', static, 'Lcm003.java').

:- predicate(abs, entry, 0).
%@ 22: 0 iload_0, 1 iflt
abs([X],[R],H,H1,E,abs(1,[],[T])) :-
    abs_if_1([X],[R],H,H1,E,T).

:- predicate(abs_if_1, choice, 1).
%@ 25: 6 iload_0, 7 ineg, 8 ireturn
abs_if_1([X],[V],H,H,ok,abs_if_1(1,[],[])) :-
    X #< 0,
    V #= -X.
%@ 23: 4 iload_0, 5 ireturn
abs_if_1([X],[X],H,H,ok,abs_if_1(2,[],[])) :-
    X #>= 0.
