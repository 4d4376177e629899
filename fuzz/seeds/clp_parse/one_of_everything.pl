% p/Zoo.all(IJFDLjava/lang/Object;)Ljava/lang/Object;
:- procedure('p/Zoo', all, '(IJFDLjava/lang/Object;)Ljava/lang/Object;', static).
:- callee('q/Zoo.init', 'q/Zoo', '<init>', '()V').
:- callee(invokeExact, 'java/lang/invoke/MethodHandle', invokeExact, '(I)V').
:- callee(size, 'java/util/List', size, '()I').
:- callee('p/Zoo.init', 'p/Zoo', init, '()V').
:- callee('Zoo.string', 'p/Zoo', string, '()Ljava/lang/String;').
:- field('p/Zoo.x', 'p/Zoo', x, 'I').
:- field('q/Zoo.x', 'q/Zoo', x, 'J').
:- dynamic_site(0, run, '()Ljava/lang/Runnable;',
    invoke_static('java/lang/invoke/LambdaMetafactory',metafactory,'(I)V'),
    [method_type('()V'), invoke_virtual(a,b,'()V'), 1, -2L, 0.5f, -0.0, double(0x7ff8000000000000), "s\n", class('X'), dynamic(c,'I',get_static(a,b,'I'),[])]).

:- predicate(all, entry, 0).
all([A,l(B),f(C),d(D),ref(O)],[R],H,H1,E,all(1,[],[T])) :-
    A in [-5,1,2],
    F #= -B,
    G #= -(-5),
    I #= A- -1,
    J #= A rem 10,
    K #= xor(G,J),
    L #= i2l(K),
    M #= lcmp(L,F),
    N #= fcmpg(C,1.5f),
    P #= dcmpl(D,1e-10),
    Q #= C/float(0x7fc00000),
    S #= I>>>M,
    U #= S/\N,
    V #= U\/P,
    W #= A<<V,
    all_a([W,ref(O),f(Q)],[R],H,H1,E,T).
all([A,l(B),f(C),d(D),ref(O)],[null],H,H,ok,all(2,[],[])) :-
    A in [3],
    nan_or(C #< 0.0f).
all([A,l(B),f(C),d(D),ref(O)],[O],H,H,ok,all(3,[],[])) :-
    A in [3],
    C #>= 0.0f.
all([A,l(B),f(C),d(D),ref(O)],[_],H,H,exc(O),all(4,[],[])) :-
    A not_in [-5,1,2,3],
    instance(H,O,'java/lang/Throwable').
all([A,l(B),f(C),d(D),ref(O)],[_],H,H1,exc(X),all(5,[],[])) :-
    A not_in [-5,1,2,3],
    not_instance(H,O,'java/lang/Throwable'),
    throwable(H,'java/lang/Error',text("say \"no\""),X,H1).

:- predicate(all_a, block, 7).
all_a([A,ref(O),f(Q)],[R],H,H7,E,all_a(1,[A],[T])) :-
    A #>= 0,
    new_object(H,'q/Zoo',X,H1),
    new_array(H1,'[Ljava/lang/Object;',2,Y,H2),
    new_array(H2,'[[I',A,ref(Z),H3),
    new_multi_array(H3,'[[[J',[1,A],W,H4),
    set_array(H4,reference,Y,1,O,H5),
    get_array(H5,reference,Y,0,V),
    array_length(H5,W,N),
    get_static(H5,'p/Zoo.x',F),
    set_static(H5,'q/Zoo.x',5L,H6),
    string("text",S),
    class_object('[I',C),
    method_handle(invoke_static(a,b,'()V'),M),
    method_type("(I)V",D),
    instance_of(H6,V,'java/lang/String',B),
    all_b([r(X),array(Y,'[Ljava/lang/Object;',2),r(M)],[R],H6,H7,E,T).
all_a([A,ref(O),f(Q)],[_],H,H1,exc(X),all_a(2,[],[])) :-
    A #< 0,
    throwable(H,'java/lang/NegativeArraySizeException',size(A),X,H1).

:- predicate(all_b, catch, 9).
all_b([r(X),array(Y,'[Ljava/lang/Object;',2),r(M)],[R],H,H2,E,all_b(1,[],[T1,T2])) :-
    'q/Zoo.init'([r(X)],[],H,H1,E1,T1),
    all_c([r(X),r(M),0,exit(E1)],[R],H1,H2,E,T2).

:- predicate(all_c, choice, 9).
all_c([r(X),r(M),A,exit(E1)],[R],H,H2,E,all_c(1,[],[T1,T2])) :-
    E1 = ok,
    A #= 0,
    polymorphic:invokeExact([r(M),7],[],H,H1,E2,T1),
    all_c([r(X),r(M),1,exit(E2)],[R],H1,H2,E,T2).
all_c([r(X),r(M),A,exit(E1)],[R],H,H2,E,all_c(2,[],[T])) :-
    E1 = ok,
    A #\= 0,
    A #= 1,
    initialise('p/Zoo',H,H1,E2),
    all_c([r(X),r(M),2,exit(E2)],[R],H1,H2,E,T).
all_c([r(X),r(M),A,exit(E1)],[R],H,H2,E,all_c(3,[],[T1,T2])) :-
    E1 = ok,
    A #\= 0,
    A #\= 1,
    interface:size([r(X)],[N],H,H1,E2,T1),
    all_d([r(X),N,exit(E2)],[R],H1,H2,E,T2).
all_c([r(X),r(M),A,exit(E1)],[R],H,H2,E,all_c(4,[],[T1,T2])) :-
    E1 = exc(Y),
    instance(H,Y,'java/io/IOException'),
    dynamic(0,[],[Z],H,H1,E2,T1),
    all_d([r(X),A,exit(E2)],[R],H1,H2,E,T2).
all_c([r(X),r(M),A,exit(E1)],[_],H,H,exc(Y),all_c(5,[],[])) :-
    E1 = exc(Y),
    not_instance(H,Y,'java/io/IOException').

:- predicate(all_d, choice, 11).
all_d([r(X),N,exit(E1)],[R],H,H2,E,all_d(1,[],[T1,T2])) :-
    E1 = ok,
    N #> 3,
    virtual:'p/Zoo.init'([r(X)],[],H,H1,E2,T1),
    all_d([r(X),0,exit(E2)],[R],H1,H2,E,T2).
all_d([r(X),N,exit(E1)],[R],H,H2,E,all_d(2,[],[T1,T2])) :-
    E1 = ok,
    N #=< 3,
    'Zoo.string'([],[_],H,H1,E2,T1),
    all_d([r(X),N,exit(E2)],[R],H1,H2,E,T2).
all_d([r(X),N,exit(E1)],[_],H,H,exc(Y),all_d(3,[],[])) :-
    E1 = exc(Y).
