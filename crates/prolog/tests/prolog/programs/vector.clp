% Translated from:
%
%     // The example of "Resource-driven CLP-based Test Case Generation" (Fig. 1, 2 and 4): a growing
%     // array, and a method that collects multiples in it.
%     // The paper's rules: add, if (2), addc, realloc, loop, cond (2), init (2); multiples, mloop, mcond
%     // (2), mif (2).
%     class Vector {
%         int[] elems;
%         int size;
%         int cap;
%     
%         Vector(int icap) throws Exception {
%             if (icap > 0) {
%                 elems = new int[icap];
%                 cap = icap;
%                 size = 0;
%             } else {
%                 throw new Exception();
%             }
%         }
%     
%         void add(int x) {
%             if (size >= cap) {
%                 realloc();
%             }
%             elems[size++] = x;
%         }
%     
%         void realloc() {
%             int ncap = cap * 2;
%             int[] grown = new int[ncap];
%             for (int i = 0; i < cap; i++) {
%                 grown[i] = elems[i];
%             }
%             cap = ncap;
%             elems = grown;
%         }
%     
%         static Vector multiples(int[] ns, int div, int icap) throws Exception {
%             Vector found = new Vector(icap);
%             for (int i = 0; i < ns.length; i++) {
%                 if (ns[i] % div == 0) {
%                     found.add(ns[i]);
%                 }
%             }
%             return found;
%         }
%     }

% Vector.multiples([III)LVector;
:- procedure('Vector', multiples, '([III)LVector;', static, 'Vector.java').
:- callee('Vector.init', 'Vector', '<init>', '(I)V').
:- callee(add, 'Vector', add, '(I)V').

:- predicate(multiples, entry, 0).
%@ 38: 0 new, 3 dup, 4 iload_2, 5 invokespecial
multiples([ref(Ns),Div,Icap],[R],H,H3,E_,multiples(1,[],[T1,T2])) :-
    new_object(H,'Vector',Obj,H1),
    'Vector.init'([r(Obj),Icap],[],H1,H2,E,T1),
    multiples_call_5([ref(Ns),Div,r(Obj),exit(E)],[R],H2,H3,E_,T2).

:- predicate(multiples_call_5, choice, 5).
%@ 38: 8 astore_3; 39: 9 iconst_0, 10 istore
multiples_call_5([ref(Ns),Div,r(Obj),exit(E)],[R],H,H1,E_,multiples_call_5(1,[],[T])) :-
    E = ok,
    multiples_loop_12([ref(Ns),Div,r(Obj),0],[R],H,H1,E_,T).
multiples_call_5([ref(Ns),Div,r(Obj),exit(E)],[_],H,H,exc(X),multiples_call_5(2,[],[])) :-
    E = exc(X).

:- predicate(multiples_loop_12, loop, 12).
%@ 39: 12 iload, 14 aload_0, 15 arraylength
multiples_loop_12([ref(Ns),Div,r(Found),I],[R],H,H1,E,multiples_loop_12(1,[],[T])) :-
    multiples_null_15([ref(Ns),Div,r(Found),I],[R],H,H1,E,T).

:- predicate(multiples_null_15, choice, 15).
%@ 39: 16 if_icmpge
multiples_null_15([ref(Ns),Div,r(Found),I],[R],H,H1,E,multiples_null_15(1,[],[T])) :-
    Ns \== null,
    array_length(H,Ns,Length),
    multiples_if_16([r(Ns),Div,r(Found),I,Length],[R],H,H1,E,T).
multiples_null_15([ref(Ns),Div,r(Found),I],[_],H,H1,exc(X),multiples_null_15(2,[],[])) :-
    Ns == null,
    throwable(H,'java/lang/NullPointerException',null_at(15),X,H1).

:- predicate(multiples_if_16, choice, 16).
%@ 44: 42 aload_3, 43 areturn
multiples_if_16([r(Ns),Div,r(Found),I,Length],[Found],H,H,ok,multiples_if_16(1,[],[])) :-
    I #>= Length.
%@ 40: 19 aload_0, 20 iload, 22 iaload
multiples_if_16([r(Ns),Div,r(Found),I,Length],[R],H,H1,E,multiples_if_16(2,[],[T])) :-
    I #< Length,
    multiples_load_22([r(Ns),Div,r(Found),I],[R],H,H1,E,T).

:- predicate(multiples_load_22, choice, 22).
%@ 40: 23 iload_1, 24 irem
multiples_load_22([r(Ns),Div,r(Found),I],[R],H,H1,E,multiples_load_22(1,[],[T])) :-
    in_bounds(H,Ns,I),
    get_array(H,int,Ns,I,V),
    multiples_rem_24([r(Ns),Div,r(Found),I,V],[R],H,H1,E,T).
multiples_load_22([r(Ns),Div,r(Found),I],[_],H,H1,exc(X),multiples_load_22(2,[],[])) :-
    out_of_bounds(H,Ns,I),
    throwable(H,'java/lang/ArrayIndexOutOfBoundsException',bounds(Ns,I),X,H1).

:- predicate(multiples_rem_24, choice, 24).
%@ 40: 25 ifne
multiples_rem_24([r(Ns),Div,r(Found),I,V],[R],H,H1,E,multiples_rem_24(1,[],[T])) :-
    Div #\= 0,
    V1 #= V rem Div,
    multiples_if_25([r(Ns),Div,r(Found),I,V1],[R],H,H1,E,T).
multiples_rem_24([r(Ns),Div,r(Found),I,V],[_],H,H1,exc(X),multiples_rem_24(2,[],[])) :-
    Div #= 0,
    throwable(H,'java/lang/ArithmeticException',text("/ by zero"),X,H1).

:- predicate(multiples_if_25, choice, 25).
multiples_if_25([r(Ns),Div,r(Found),I,V],[R],H,H1,E,multiples_if_25(1,[],[T])) :-
    V #\= 0,
    multiples_cont_36([r(Ns),Div,r(Found),I],[R],H,H1,E,T).
%@ 41: 28 aload_3, 29 aload_0, 30 iload, 32 iaload
multiples_if_25([r(Ns),Div,r(Found),I,V],[R],H,H1,E,multiples_if_25(2,[],[T])) :-
    V #= 0,
    multiples_load_32([r(Ns),Div,r(Found),I],[R],H,H1,E,T).

:- predicate(multiples_load_32, choice, 32).
%@ 41: 33 invokevirtual
multiples_load_32([r(Ns),Div,r(Found),I],[R],H,H2,E_,multiples_load_32(1,[],[T1,T2])) :-
    in_bounds(H,Ns,I),
    get_array(H,int,Ns,I,V),
    virtual:add([r(Found),V],[],H,H1,E,T1),
    multiples_call_33([r(Ns),Div,r(Found),I,exit(E)],[R],H1,H2,E_,T2).
multiples_load_32([r(Ns),Div,r(Found),I],[_],H,H1,exc(X),multiples_load_32(2,[],[])) :-
    out_of_bounds(H,Ns,I),
    throwable(H,'java/lang/ArrayIndexOutOfBoundsException',bounds(Ns,I),X,H1).

:- predicate(multiples_call_33, choice, 33).
multiples_call_33([r(Ns),Div,r(Found),I,exit(E)],[R],H,H1,E_,multiples_call_33(1,[],[T])) :-
    E = ok,
    multiples_cont_36([r(Ns),Div,r(Found),I],[R],H,H1,E_,T).
multiples_call_33([r(Ns),Div,r(Found),I,exit(E)],[_],H,H,exc(X),multiples_call_33(2,[],[])) :-
    E = exc(X).

:- predicate(multiples_cont_36, block, 36).
%@ 39: 36 iinc, 39 goto
multiples_cont_36([r(Ns),Div,r(Found),I],[R],H,H1,E,multiples_cont_36(1,[],[T])) :-
    I1 #= I+1,
    multiples_loop_12([ref(Ns),Div,r(Found),I1],[R],H,H1,E,T).

% Vector.<init>(I)V
:- procedure('Vector', '<init>', '(I)V', instance, 'Vector.java').
:- classes(['java/lang/NegativeArraySizeException', '[I', 'java/lang/Exception', 'java/lang/Throwable', 'java/lang/Object']).
:- callee('Exception.init', 'java/lang/Exception', '<init>', '()V').
:- field(elems, 'Vector', elems, '[I').
:- field(cap, 'Vector', cap, 'I').
:- field(size, 'Vector', size, 'I').

:- predicate('Vector.init', entry, 0, init).
%@ 10: 0 aload_0, 1 invokespecial; 11: 4 iload_1, 5 ifle
'Vector.init'([r(This),Icap],[],H,H1,E,'Vector.init'(1,[],[T])) :-
    init_if_5([r(This),Icap],[],H,H1,E,T).

:- predicate(init_if_5, choice, 5).
%@ 16: 28 new
init_if_5([r(This),Icap],[],H,H2,E_,init_if_5(1,[],[T])) :-
    Icap #=< 0,
    initialise('java/lang/Exception',H,H1,E),
    init_init_28([exit(E)],[],H1,H2,E_,T).
%@ 12: 8 aload_0, 9 iload_1, 10 newarray
init_if_5([r(This),Icap],[],H,H1,E,init_if_5(2,[],[T])) :-
    Icap #> 0,
    init_new_10([r(This),Icap],[],H,H1,E,T).

:- predicate(init_new_10, choice, 10).
%@ 12: 12 putfield; 13: 15 aload_0, 16 iload_1, 17 putfield; 14: 20 aload_0, 21 iconst_0
%@ 14: 22 putfield, 25 goto; 18: 36 return
init_new_10([r(This),Icap],[],H,H4,ok,init_new_10(1,[Icap],[])) :-
    Icap #>= 0,
    new_array(H,'[I',Icap,Array,H1),
    set_field(H1,This,elems,Array,H2),
    set_field(H2,This,cap,Icap,H3),
    set_field(H3,This,size,0,H4).
init_new_10([r(This),Icap],[],H,H1,exc(X),init_new_10(2,[],[])) :-
    Icap #< 0,
    throwable(H,'java/lang/NegativeArraySizeException',size(Icap),X,H1).

:- predicate(init_init_28, choice, 28).
%@ 16: 31 dup, 32 invokespecial
init_init_28([exit(E)],[],H,H3,E_,init_init_28(1,[],[T1,T2])) :-
    E = ok,
    new_object(H,'java/lang/Exception',Obj,H1),
    'Exception.init'([r(Obj)],[],H1,H2,E1,T1),
    init_call_32([r(Obj),exit(E1)],[],H2,H3,E_,T2).
init_init_28([exit(E)],[],H,H,exc(X),init_init_28(2,[],[])) :-
    E = exc(X).

:- predicate(init_call_32, choice, 32).
%@ 16: 35 athrow
init_call_32([r(Obj),exit(E)],[],H,H,exc(Obj),init_call_32(1,[],[])) :-
    E = ok.
init_call_32([r(Obj),exit(E)],[],H,H,exc(X),init_call_32(2,[],[])) :-
    E = exc(X).

% Vector.add(I)V
:- procedure('Vector', add, '(I)V', instance, 'Vector.java').
:- callee(realloc, 'Vector', realloc, '()V').
:- field(size, 'Vector', size, 'I').
:- field(cap, 'Vector', cap, 'I').
:- field(elems, 'Vector', elems, '[I').

:- predicate(add, entry, 0).
%@ 21: 0 aload_0, 1 getfield, 4 aload_0, 5 getfield, 8 if_icmplt
add([r(This),X],[],H,H1,E,add(1,[],[T])) :-
    get_field(H,This,size,Size),
    get_field(H,This,cap,Cap),
    add_if_8([r(This),X,Size,Cap],[],H,H1,E,T).

:- predicate(add_if_8, choice, 8).
add_if_8([r(This),X,Size,Cap],[],H,H1,E,add_if_8(1,[],[T])) :-
    Size #< Cap,
    add_cont_15([r(This),X],[],H,H1,E,T).
%@ 22: 11 aload_0, 12 invokevirtual
add_if_8([r(This),X,Size,Cap],[],H,H2,E_,add_if_8(2,[],[T1,T2])) :-
    Size #>= Cap,
    virtual:realloc([r(This)],[],H,H1,E,T1),
    add_call_12([r(This),X,exit(E)],[],H1,H2,E_,T2).

:- predicate(add_call_12, choice, 12).
add_call_12([r(This),X,exit(E)],[],H,H1,E_,add_call_12(1,[],[T])) :-
    E = ok,
    add_cont_15([r(This),X],[],H,H1,E_,T).
add_call_12([r(This),X,exit(E)],[],H,H,exc(X1),add_call_12(2,[],[])) :-
    E = exc(X1).

:- predicate(add_cont_15, block, 15).
%@ 24: 15 aload_0, 16 getfield, 19 aload_0, 20 dup, 21 getfield, 24 dup_x1, 25 iconst_1, 26 iadd
%@ 24: 27 putfield, 30 iload_1, 31 iastore
add_cont_15([r(This),X],[],H,H2,E,add_cont_15(1,[],[T])) :-
    get_field(H,This,elems,Elems),
    get_field(H,This,size,Size),
    V #= Size+1,
    set_field(H,This,size,V,H1),
    add_store_31([ref(Elems),Size,X],[],H1,H2,E,T).

:- predicate(add_store_31, choice, 31).
%@ 25: 32 return
add_store_31([ref(Elems),Size,X],[],H,H1,ok,add_store_31(1,[],[])) :-
    Elems \== null,
    in_bounds(H,Elems,Size),
    set_array(H,int,Elems,Size,X,H1).
add_store_31([ref(Elems),Size,X],[],H,H1,exc(X1),add_store_31(2,[],[])) :-
    Elems == null,
    throwable(H,'java/lang/NullPointerException',null_at(31),X1,H1).
add_store_31([ref(Elems),Size,X],[],H,H1,exc(X1),add_store_31(3,[],[])) :-
    Elems \== null,
    out_of_bounds(H,Elems,Size),
    throwable(H,'java/lang/ArrayIndexOutOfBoundsException',bounds(Elems,Size),X1,H1).

% Vector.realloc()V
:- procedure('Vector', realloc, '()V', instance, 'Vector.java').
:- classes(['java/lang/NegativeArraySizeException', '[I', 'java/lang/NullPointerException', 'java/lang/ArrayIndexOutOfBoundsException']).
:- field(cap, 'Vector', cap, 'I').
:- field(elems, 'Vector', elems, '[I').

:- predicate(realloc, entry, 0).
%@ 28: 0 aload_0, 1 getfield, 4 iconst_2, 5 imul, 6 istore_1; 29: 7 iload_1, 8 newarray
realloc([r(This)],[],H,H1,E,realloc(1,[],[T])) :-
    get_field(H,This,cap,Cap),
    Ncap #= Cap*2,
    realloc_new_8([r(This),Ncap],[],H,H1,E,T).

:- predicate(realloc_new_8, choice, 8).
%@ 29: 10 astore_2; 30: 11 iconst_0, 12 istore_3
realloc_new_8([r(This),Ncap],[],H,H2,E,realloc_new_8(1,[Ncap],[T])) :-
    Ncap #>= 0,
    new_array(H,'[I',Ncap,Grown,H1),
    realloc_loop_13([r(This),Ncap,r(Grown),0],[],H1,H2,E,T).
realloc_new_8([r(This),Ncap],[],H,H1,exc(X),realloc_new_8(2,[],[])) :-
    Ncap #< 0,
    throwable(H,'java/lang/NegativeArraySizeException',size(Ncap),X,H1).

:- predicate(realloc_loop_13, loop, 13).
%@ 30: 13 iload_3, 14 aload_0, 15 getfield, 18 if_icmpge
realloc_loop_13([r(This),Ncap,r(Grown),I],[],H,H1,E,realloc_loop_13(1,[],[T])) :-
    get_field(H,This,cap,Cap),
    realloc_if_18([r(This),Ncap,r(Grown),I,Cap],[],H,H1,E,T).

:- predicate(realloc_if_18, choice, 18).
%@ 33: 36 aload_0, 37 iload_1, 38 putfield; 34: 41 aload_0, 42 aload_2, 43 putfield; 35: 46 return
realloc_if_18([r(This),Ncap,r(Grown),I,Cap],[],H,H2,ok,realloc_if_18(1,[],[])) :-
    I #>= Cap,
    set_field(H,This,cap,Ncap,H1),
    set_field(H1,This,elems,Grown,H2).
%@ 31: 21 aload_2, 22 iload_3, 23 aload_0, 24 getfield, 27 iload_3, 28 iaload
realloc_if_18([r(This),Ncap,r(Grown),I,Cap],[],H,H1,E,realloc_if_18(2,[],[T])) :-
    I #< Cap,
    get_field(H,This,elems,Elems),
    realloc_load_28([r(This),Ncap,r(Grown),I,ref(Elems)],[],H,H1,E,T).

:- predicate(realloc_load_28, choice, 28).
%@ 31: 29 iastore
realloc_load_28([r(This),Ncap,r(Grown),I,ref(Elems)],[],H,H1,E,realloc_load_28(1,[],[T])) :-
    Elems \== null,
    in_bounds(H,Elems,I),
    get_array(H,int,Elems,I,V),
    realloc_store_29([r(This),Ncap,r(Grown),I,V],[],H,H1,E,T).
realloc_load_28([r(This),Ncap,r(Grown),I,ref(Elems)],[],H,H1,exc(X),realloc_load_28(2,[],[])) :-
    Elems == null,
    throwable(H,'java/lang/NullPointerException',null_at(28),X,H1).
realloc_load_28([r(This),Ncap,r(Grown),I,ref(Elems)],[],H,H1,exc(X),realloc_load_28(3,[],[])) :-
    Elems \== null,
    out_of_bounds(H,Elems,I),
    throwable(H,'java/lang/ArrayIndexOutOfBoundsException',bounds(Elems,I),X,H1).

:- predicate(realloc_store_29, choice, 29).
%@ 30: 30 iinc, 33 goto
realloc_store_29([r(This),Ncap,r(Grown),I,V],[],H,H2,E,realloc_store_29(1,[],[T])) :-
    in_bounds(H,Grown,I),
    set_array(H,int,Grown,I,V,H1),
    I1 #= I+1,
    realloc_loop_13([r(This),Ncap,r(Grown),I1],[],H1,H2,E,T).
realloc_store_29([r(This),Ncap,r(Grown),I,V],[],H,H1,exc(X),realloc_store_29(2,[],[])) :-
    out_of_bounds(H,Grown,I),
    throwable(H,'java/lang/ArrayIndexOutOfBoundsException',bounds(Grown,I),X,H1).
