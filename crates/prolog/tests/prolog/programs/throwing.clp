% Translated from:
%
%     class Throwing {
%         static String caught(int x) {
%             try {
%                 if (x == 0) throw new IllegalArgumentException("zero");
%                 if (x == 1) throw new IllegalStateException("one");
%                 return String.valueOf(x);
%             } catch (IllegalArgumentException e) {
%                 return e.getMessage();
%             }
%         }
%         static int order() { return Derived.w * 10 + Base.v + 100 * Log.log; }
%         static int bad() { return Bad.v; }
%         static String twice() {
%             try {
%                 return Bad.text();
%             } catch (ExceptionInInitializerError e) {
%                 try {
%                     return Bad.text();
%                 } catch (NoClassDefFoundError f) {
%                     return f.getMessage();
%                 }
%             }
%         }
%         static int recursive(int n) { return n <= 0 ? 0 : 1 + recursive(n - 1); }
%     }
%     class Log { static int log; }
%     class Base {
%         static int v = next(3);
%         static int next(int x) { Log.log = Log.log * 10 + x; return x; }
%     }
%     class Derived extends Base { static int w = next(v + 1); }
%     class Bad {
%         static int v = 1 / zero();
%         static int zero() { return 0; }
%         static String text() { return "fine"; }
%     }

% Throwing.<init>()V
:- procedure('Throwing', '<init>', '()V', instance, 'Throwing.java').

:- predicate('Throwing.init', entry, 0, init).
'Throwing.init'([r(This)],[],H,H,ok,'Throwing.init'(1,[],[])).

% Throwing.caught(I)Ljava/lang/String;
:- procedure('Throwing', caught, '(I)Ljava/lang/String;', static, 'Throwing.java').
:- classes(['java/lang/IllegalArgumentException', 'java/lang/RuntimeException', 'java/lang/Exception', 'java/lang/Throwable', 'java/lang/Object', 'java/lang/IllegalStateException', 'java/lang/String']).
:- callee('IllegalArgumentException.init', 'java/lang/IllegalArgumentException', '<init>', '(Ljava/lang/String;)V').
:- callee('IllegalStateException.init', 'java/lang/IllegalStateException', '<init>', '(Ljava/lang/String;)V').
:- callee(valueOf, 'java/lang/String', valueOf, '(I)Ljava/lang/String;').
:- callee(getMessage, 'java/lang/Throwable', getMessage, '()Ljava/lang/String;').

:- predicate(caught, entry, 0).
caught([X],[R],H,H1,E,caught(1,[],[T])) :-
    caught_if_1([X],[R],H,H1,E,T).

:- predicate(caught_if_1, choice, 1).
caught_if_1([X],[R],H,H1,E,caught_if_1(1,[],[T])) :-
    X #\= 0,
    caught_if_16([X],[R],H,H1,E,T).
caught_if_1([X],[R],H,H2,E_,caught_if_1(2,[],[T])) :-
    X #= 0,
    initialise('java/lang/IllegalArgumentException',H,H1,E),
    caught_init_4([exit(E)],[R],H1,H2,E_,T).

:- predicate(caught_init_4, choice, 4).
caught_init_4([exit(E)],[R],H,H3,E_,caught_init_4(1,[],[T1,T2])) :-
    E = ok,
    new_object(H,'java/lang/IllegalArgumentException',Obj,H1),
    string("zero",S),
    'IllegalArgumentException.init'([r(Obj),ref(S)],[],H1,H2,E1,T1),
    caught_call_10([r(Obj),exit(E1)],[R],H2,H3,E_,T2).
caught_init_4([exit(E)],[R],H,H1,E_,caught_init_4(2,[],[T])) :-
    E = exc(X),
    instance(H,X,'java/lang/IllegalArgumentException'),
    caught_catch_34([r(X)],[R],H,H1,E_,T).
caught_init_4([exit(E)],[_],H,H,exc(X),caught_init_4(3,[],[])) :-
    E = exc(X),
    not_instance(H,X,'java/lang/IllegalArgumentException').

:- predicate(caught_call_10, choice, 10).
caught_call_10([r(Obj),exit(E)],[R],H,H1,E_,caught_call_10(1,[],[T])) :-
    E = ok,
    caught_catch_34([r(Obj)],[R],H,H1,E_,T).
caught_call_10([r(Obj),exit(E)],[R],H,H1,E_,caught_call_10(2,[],[T])) :-
    E = exc(X),
    instance(H,X,'java/lang/IllegalArgumentException'),
    caught_catch_34([r(X)],[R],H,H1,E_,T).
caught_call_10([r(Obj),exit(E)],[_],H,H,exc(X),caught_call_10(3,[],[])) :-
    E = exc(X),
    not_instance(H,X,'java/lang/IllegalArgumentException').

:- predicate(caught_if_16, choice, 16).
caught_if_16([X],[R],H,H2,E_,caught_if_16(1,[],[T])) :-
    X #\= 1,
    initialise('java/lang/String',H,H1,E),
    caught_init_30([X,exit(E)],[R],H1,H2,E_,T).
caught_if_16([X],[R],H,H2,E_,caught_if_16(2,[],[T])) :-
    X #= 1,
    initialise('java/lang/IllegalStateException',H,H1,E),
    caught_init_19([exit(E)],[R],H1,H2,E_,T).

:- predicate(caught_init_19, choice, 19).
caught_init_19([exit(E)],[R],H,H3,E_,caught_init_19(1,[],[T1,T2])) :-
    E = ok,
    new_object(H,'java/lang/IllegalStateException',Obj,H1),
    string("one",S),
    'IllegalStateException.init'([r(Obj),ref(S)],[],H1,H2,E1,T1),
    caught_call_25([r(Obj),exit(E1)],[R],H2,H3,E_,T2).
caught_init_19([exit(E)],[R],H,H1,E_,caught_init_19(2,[],[T])) :-
    E = exc(X),
    instance(H,X,'java/lang/IllegalArgumentException'),
    caught_catch_34([r(X)],[R],H,H1,E_,T).
caught_init_19([exit(E)],[_],H,H,exc(X),caught_init_19(3,[],[])) :-
    E = exc(X),
    not_instance(H,X,'java/lang/IllegalArgumentException').

:- predicate(caught_call_25, choice, 25).
caught_call_25([r(Obj),exit(E)],[_],H,H,exc(Obj),caught_call_25(1,[],[])) :-
    E = ok.
caught_call_25([r(Obj),exit(E)],[R],H,H1,E_,caught_call_25(2,[],[T])) :-
    E = exc(X),
    instance(H,X,'java/lang/IllegalArgumentException'),
    caught_catch_34([r(X)],[R],H,H1,E_,T).
caught_call_25([r(Obj),exit(E)],[_],H,H,exc(X),caught_call_25(3,[],[])) :-
    E = exc(X),
    not_instance(H,X,'java/lang/IllegalArgumentException').

:- predicate(caught_init_30, choice, 30).
caught_init_30([X,exit(E)],[R],H,H2,E_,caught_init_30(1,[],[T1,T2])) :-
    E = ok,
    valueOf([X],[ValueOf],H,H1,E1,T1),
    caught_call_30([ref(ValueOf),exit(E1)],[R],H1,H2,E_,T2).
caught_init_30([X,exit(E)],[R],H,H1,E_,caught_init_30(2,[],[T])) :-
    E = exc(X1),
    instance(H,X1,'java/lang/IllegalArgumentException'),
    caught_catch_34([r(X1)],[R],H,H1,E_,T).
caught_init_30([X,exit(E)],[_],H,H,exc(X1),caught_init_30(3,[],[])) :-
    E = exc(X1),
    not_instance(H,X1,'java/lang/IllegalArgumentException').

:- predicate(caught_call_30, choice, 30).
caught_call_30([ref(ValueOf),exit(E)],[ValueOf],H,H,ok,caught_call_30(1,[],[])) :-
    E = ok.
caught_call_30([ref(ValueOf),exit(E)],[R],H,H1,E_,caught_call_30(2,[],[T])) :-
    E = exc(X),
    instance(H,X,'java/lang/IllegalArgumentException'),
    caught_catch_34([r(X)],[R],H,H1,E_,T).
caught_call_30([ref(ValueOf),exit(E)],[_],H,H,exc(X),caught_call_30(3,[],[])) :-
    E = exc(X),
    not_instance(H,X,'java/lang/IllegalArgumentException').

:- predicate(caught_catch_34, catch, 34).
caught_catch_34([r(X)],[R],H,H2,E_,caught_catch_34(1,[],[T1,T2])) :-
    virtual:getMessage([r(X)],[GetMessage],H,H1,E,T1),
    caught_call_36([ref(GetMessage),exit(E)],[R],H1,H2,E_,T2).

:- predicate(caught_call_36, choice, 36).
caught_call_36([ref(GetMessage),exit(E)],[GetMessage],H,H,ok,caught_call_36(1,[],[])) :-
    E = ok.
caught_call_36([ref(GetMessage),exit(E)],[_],H,H,exc(X),caught_call_36(2,[],[])) :-
    E = exc(X).

% Throwing.order()I
:- procedure('Throwing', order, '()I', static, 'Throwing.java').
:- classes(['Derived', 'Base', 'java/lang/Object']).
:- field(w, 'Derived', w, 'I').
:- field('Base.v', 'Base', v, 'I').
:- field(log, 'Log', log, 'I').

:- predicate(order, entry, 0).
order([],[R],H,H2,E_,order(1,[],[T])) :-
    initialise('Derived',H,H1,E),
    order_init_0([exit(E)],[R],H1,H2,E_,T).

:- predicate(order_init_0, choice, 0).
order_init_0([exit(E)],[V4],H,H,ok,order_init_0(1,[],[])) :-
    E = ok,
    get_static(H,w,W),
    V #= W*10,
    get_static(H,'Base.v',V1),
    V2 #= V+V1,
    get_static(H,log,Log),
    V3 #= 100*Log,
    V4 #= V2+V3.
order_init_0([exit(E)],[_],H,H,exc(X),order_init_0(2,[],[])) :-
    E = exc(X).

% Throwing.bad()I
:- procedure('Throwing', bad, '()I', static, 'Throwing.java').
:- classes(['Bad', 'java/lang/Object']).
:- field('Bad.v', 'Bad', v, 'I').

:- predicate(bad, entry, 0).
bad([],[R],H,H2,E_,bad(1,[],[T])) :-
    initialise('Bad',H,H1,E),
    bad_init_0([exit(E)],[R],H1,H2,E_,T).

:- predicate(bad_init_0, choice, 0).
bad_init_0([exit(E)],[V],H,H,ok,bad_init_0(1,[],[])) :-
    E = ok,
    get_static(H,'Bad.v',V).
bad_init_0([exit(E)],[_],H,H,exc(X),bad_init_0(2,[],[])) :-
    E = exc(X).

% Throwing.twice()Ljava/lang/String;
:- procedure('Throwing', twice, '()Ljava/lang/String;', static, 'Throwing.java').
:- classes(['Bad', 'java/lang/ExceptionInInitializerError', 'java/lang/Object', 'java/lang/NoClassDefFoundError']).
:- callee(text, 'Bad', text, '()Ljava/lang/String;').
:- callee(getMessage, 'java/lang/Throwable', getMessage, '()Ljava/lang/String;').

:- predicate(twice, entry, 0).
twice([],[R],H,H2,E_,twice(1,[],[T])) :-
    initialise('Bad',H,H1,E),
    twice_init_0([exit(E)],[R],H1,H2,E_,T).

:- predicate(twice_init_0, choice, 0).
twice_init_0([exit(E)],[R],H,H2,E_,twice_init_0(1,[],[T1,T2])) :-
    E = ok,
    text([],[Text],H,H1,E1,T1),
    twice_call_0([ref(Text),exit(E1)],[R],H1,H2,E_,T2).
twice_init_0([exit(E)],[R],H,H1,E_,twice_init_0(2,[],[T])) :-
    E = exc(X),
    instance(H,X,'java/lang/ExceptionInInitializerError'),
    twice_catch_4([r(X)],[R],H,H1,E_,T).
twice_init_0([exit(E)],[_],H,H,exc(X),twice_init_0(3,[],[])) :-
    E = exc(X),
    not_instance(H,X,'java/lang/ExceptionInInitializerError').

:- predicate(twice_call_0, choice, 0).
twice_call_0([ref(Text),exit(E)],[Text],H,H,ok,twice_call_0(1,[],[])) :-
    E = ok.
twice_call_0([ref(Text),exit(E)],[R],H,H1,E_,twice_call_0(2,[],[T])) :-
    E = exc(X),
    instance(H,X,'java/lang/ExceptionInInitializerError'),
    twice_catch_4([r(X)],[R],H,H1,E_,T).
twice_call_0([ref(Text),exit(E)],[_],H,H,exc(X),twice_call_0(3,[],[])) :-
    E = exc(X),
    not_instance(H,X,'java/lang/ExceptionInInitializerError').

:- predicate(twice_catch_4, catch, 4).
twice_catch_4([r(X)],[R],H,H2,E_,twice_catch_4(1,[],[T])) :-
    initialise('Bad',H,H1,E),
    twice_init_5([exit(E)],[R],H1,H2,E_,T).

:- predicate(twice_init_5, choice, 5).
twice_init_5([exit(E)],[R],H,H2,E_,twice_init_5(1,[],[T1,T2])) :-
    E = ok,
    text([],[Text],H,H1,E1,T1),
    twice_call_5([ref(Text),exit(E1)],[R],H1,H2,E_,T2).
twice_init_5([exit(E)],[R],H,H1,E_,twice_init_5(2,[],[T])) :-
    E = exc(X),
    instance(H,X,'java/lang/NoClassDefFoundError'),
    twice_catch_9([r(X)],[R],H,H1,E_,T).
twice_init_5([exit(E)],[_],H,H,exc(X),twice_init_5(3,[],[])) :-
    E = exc(X),
    not_instance(H,X,'java/lang/NoClassDefFoundError').

:- predicate(twice_call_5, choice, 5).
twice_call_5([ref(Text),exit(E)],[Text],H,H,ok,twice_call_5(1,[],[])) :-
    E = ok.
twice_call_5([ref(Text),exit(E)],[R],H,H1,E_,twice_call_5(2,[],[T])) :-
    E = exc(X),
    instance(H,X,'java/lang/NoClassDefFoundError'),
    twice_catch_9([r(X)],[R],H,H1,E_,T).
twice_call_5([ref(Text),exit(E)],[_],H,H,exc(X),twice_call_5(3,[],[])) :-
    E = exc(X),
    not_instance(H,X,'java/lang/NoClassDefFoundError').

:- predicate(twice_catch_9, catch, 9).
twice_catch_9([r(X)],[R],H,H2,E_,twice_catch_9(1,[],[T1,T2])) :-
    virtual:getMessage([r(X)],[GetMessage],H,H1,E,T1),
    twice_call_11([ref(GetMessage),exit(E)],[R],H1,H2,E_,T2).

:- predicate(twice_call_11, choice, 11).
twice_call_11([ref(GetMessage),exit(E)],[GetMessage],H,H,ok,twice_call_11(1,[],[])) :-
    E = ok.
twice_call_11([ref(GetMessage),exit(E)],[_],H,H,exc(X),twice_call_11(2,[],[])) :-
    E = exc(X).

% Throwing.recursive(I)I
:- procedure('Throwing', recursive, '(I)I', static, 'Throwing.java').
:- callee(recursive, 'Throwing', recursive, '(I)I').

:- predicate(recursive, entry, 0).
recursive([N],[R],H,H1,E,recursive(1,[],[T])) :-
    recursive_if_1([N],[R],H,H1,E,T).

:- predicate(recursive_if_1, choice, 1).
recursive_if_1([N],[R],H,H2,E_,recursive_if_1(1,[],[T1,T2])) :-
    N #> 0,
    V #= N-1,
    recursive([V],[Recursive],H,H1,E,T1),
    recursive_call_12([Recursive,exit(E)],[R],H1,H2,E_,T2).
recursive_if_1([N],[R],H,H1,E,recursive_if_1(2,[],[T])) :-
    N #=< 0,
    recursive_cont_16([0],[R],H,H1,E,T).

:- predicate(recursive_call_12, choice, 12).
recursive_call_12([Recursive,exit(E)],[R],H,H1,E_,recursive_call_12(1,[],[T])) :-
    E = ok,
    V #= 1+Recursive,
    recursive_cont_16([V],[R],H,H1,E_,T).
recursive_call_12([Recursive,exit(E)],[_],H,H,exc(X),recursive_call_12(2,[],[])) :-
    E = exc(X).

:- predicate(recursive_cont_16, block, 16).
recursive_cont_16([C],[C],H,H,ok,recursive_cont_16(1,[],[])).

% Base.<clinit>()V
:- procedure('Base', '<clinit>', '()V', static, 'Throwing.java').
:- callee(next, 'Base', next, '(I)I').
:- field('Base.v', 'Base', v, 'I').

:- predicate('Base.clinit', entry, 0, clinit).
'Base.clinit'([],[],H,H2,E_,'Base.clinit'(1,[],[T1,T2])) :-
    next([3],[Next],H,H1,E,T1),
    'Base.clinit_call_1'([Next,exit(E)],[],H1,H2,E_,T2).

:- predicate('Base.clinit_call_1', choice, 1, clinit_call_1).
'Base.clinit_call_1'([Next,exit(E)],[],H,H1,ok,'Base.clinit_call_1'(1,[],[])) :-
    E = ok,
    set_static(H,'Base.v',Next,H1).
'Base.clinit_call_1'([Next,exit(E)],[],H,H,exc(X),'Base.clinit_call_1'(2,[],[])) :-
    E = exc(X).

% Derived.<clinit>()V
:- procedure('Derived', '<clinit>', '()V', static, 'Throwing.java').
:- callee(next, 'Base', next, '(I)I').
:- field('Base.v', 'Base', v, 'I').
:- field(w, 'Derived', w, 'I').

:- predicate('Derived.clinit', entry, 0, clinit).
'Derived.clinit'([],[],H,H2,E_,'Derived.clinit'(1,[],[T1,T2])) :-
    get_static(H,'Base.v',V),
    V1 #= V+1,
    next([V1],[Next],H,H1,E,T1),
    clinit_call_5([Next,exit(E)],[],H1,H2,E_,T2).

:- predicate(clinit_call_5, choice, 5).
clinit_call_5([Next,exit(E)],[],H,H1,ok,clinit_call_5(1,[],[])) :-
    E = ok,
    set_static(H,w,Next,H1).
clinit_call_5([Next,exit(E)],[],H,H,exc(X),clinit_call_5(2,[],[])) :-
    E = exc(X).

% Bad.<clinit>()V
:- procedure('Bad', '<clinit>', '()V', static, 'Throwing.java').
:- callee(zero, 'Bad', zero, '()I').
:- field('Bad.v', 'Bad', v, 'I').

:- predicate('Bad.clinit', entry, 0, clinit).
'Bad.clinit'([],[],H,H2,E_,'Bad.clinit'(1,[],[T1,T2])) :-
    zero([],[Zero],H,H1,E,T1),
    'Bad.clinit_call_1'([Zero,exit(E)],[],H1,H2,E_,T2).

:- predicate('Bad.clinit_call_1', choice, 1, clinit_call_1).
'Bad.clinit_call_1'([Zero,exit(E)],[],H,H1,E_,'Bad.clinit_call_1'(1,[],[T])) :-
    E = ok,
    clinit_div_4([Zero],[],H,H1,E_,T).
'Bad.clinit_call_1'([Zero,exit(E)],[],H,H,exc(X),'Bad.clinit_call_1'(2,[],[])) :-
    E = exc(X).

:- predicate(clinit_div_4, choice, 4).
clinit_div_4([Zero],[],H,H1,ok,clinit_div_4(1,[],[])) :-
    Zero #\= 0,
    V #= 1/Zero,
    set_static(H,'Bad.v',V,H1).
clinit_div_4([Zero],[],H,H1,exc(X),clinit_div_4(2,[],[])) :-
    Zero #= 0,
    throwable(H,'java/lang/ArithmeticException',text("/ by zero"),X,H1).

% Bad.text()Ljava/lang/String;
:- procedure('Bad', text, '()Ljava/lang/String;', static, 'Throwing.java').

:- predicate(text, entry, 0).
text([],[S],H,H,ok,text(1,[],[])) :-
    string("fine",S).

% Base.next(I)I
:- procedure('Base', next, '(I)I', static, 'Throwing.java').
:- field(log, 'Log', log, 'I').

:- predicate(next, entry, 0).
next([X],[X],H,H1,ok,next(1,[],[])) :-
    get_static(H,log,Log),
    V #= Log*10,
    V1 #= V+X,
    set_static(H,log,V1,H1).

% Bad.zero()I
:- procedure('Bad', zero, '()I', static, 'Throwing.java').

:- predicate(zero, entry, 0).
zero([],[0],H,H,ok,zero(1,[],[])).
