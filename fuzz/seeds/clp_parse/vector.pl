% Vector.realloc()V
:- procedure('Vector', realloc, '()V', instance, 'Vector.java').
:- field(cap, 'Vector', cap, 'I').
:- field(elems, 'Vector', elems, '[I').

:- predicate(realloc, entry, 0).
realloc([r(This)],[],H,H1,E,realloc(1,[],[T])) :-
    get_field(H,This,cap,Cap),
    NCap #= Cap*2,
    realloc_if_6([r(This),NCap],[],H,H1,E,T).

:- predicate(realloc_if_6, choice, 6).
realloc_if_6([r(This),NCap],[],H,H2,E,realloc_if_6(1,[NCap],[T])) :-
    NCap #>= 0,
    new_array(H,'[I',NCap,NElems,H1),
    realloc_loop_10([r(This),NCap,r(NElems),0],[],H1,H2,E,T).
realloc_if_6([r(This),NCap],[],H,H1,exc(X),realloc_if_6(2,[],[])) :-
    NCap #< 0,
    throwable(H,'java/lang/NegativeArraySizeException',size(NCap),X,H1).

:- predicate(realloc_loop_10, loop, 10).
realloc_loop_10([r(This),NCap,r(NElems),I],[],H,H1,E,realloc_loop_10(1,[],[T])) :-
    get_field(H,This,cap,Cap),
    realloc_if_14([Cap,I,r(This),NCap,r(NElems)],[],H,H1,E,T).

:- predicate(realloc_if_14, choice, 14).
realloc_if_14([Cap,I,r(This),NCap,r(NElems)],[],H,H2,ok,realloc_if_14(1,[],[])) :-
    I #>= Cap,
    set_field(H,This,cap,NCap,H1),
    set_field(H1,This,elems,NElems,H2).
realloc_if_14([Cap,I,r(This),NCap,r(NElems)],[],H,H1,E,realloc_if_14(2,[],[T])) :-
    I #< Cap,
    get_field(H,This,elems,Es),
    realloc_get_23([ref(Es),I,r(This),NCap,r(NElems)],[],H,H1,E,T).

:- predicate(realloc_get_23, choice, 23).
realloc_get_23([ref(Es),I,r(This),NCap,r(NElems)],[],H,H1,exc(X),realloc_get_23(1,[],[])) :-
    Es == null,
    throwable(H,'java/lang/NullPointerException',null_at(23),X,H1).
realloc_get_23([ref(Es),I,r(This),NCap,r(NElems)],[],H,H1,exc(X),realloc_get_23(2,[],[])) :-
    Es \== null,
    out_of_bounds(H,Es,I),
    throwable(H,'java/lang/ArrayIndexOutOfBoundsException',bounds(Es,I),X,H1).
realloc_get_23([ref(Es),I,r(This),NCap,r(NElems)],[],H,H1,E,realloc_get_23(3,[],[T])) :-
    Es \== null,
    in_bounds(H,Es,I),
    get_array(H,int,Es,I,X),
    realloc_set_24([X,I,r(This),NCap,r(NElems)],[],H,H1,E,T).

:- predicate(realloc_set_24, choice, 24).
realloc_set_24([X,I,r(This),NCap,r(NElems)],[],H,H2,E,realloc_set_24(1,[],[T])) :-
    in_bounds(H,NElems,I),
    set_array(H,int,NElems,I,X,H1),
    NI #= I+1,
    realloc_loop_10([r(This),NCap,r(NElems),NI],[],H1,H2,E,T).
realloc_set_24([X,I,r(This),NCap,r(NElems)],[],H,H1,exc(Y),realloc_set_24(2,[],[])) :-
    out_of_bounds(H,NElems,I),
    throwable(H,'java/lang/ArrayIndexOutOfBoundsException',bounds(NElems,I),Y,H1).
