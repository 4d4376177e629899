% ---------------------------------------------------------------------------------------------
% Guards
%
% Each fails if it cannot hold. Otherwise its last argument says whether it was entailed (`true`) or
% is assumed from here on (`maybe`). Entailment is read off the domains, which is cheap.

lt(X, Y, D) :- integer(X), integer(Y), !, X < Y, D = true.
lt(X, Y, D) :-
    fd_sup(X, High), fd_inf(Y, Low),
    ( integer(High), integer(Low), High < Low -> D = true ; X #< Y, D = maybe ).

le(X, Y, D) :- integer(X), integer(Y), !, X =< Y, D = true.
le(X, Y, D) :- X == Y, !, D = true.
le(X, Y, D) :-
    fd_sup(X, High), fd_inf(Y, Low),
    ( integer(High), integer(Low), High =< Low -> D = true ; X #=< Y, D = maybe ).

gt(X, Y, D) :- lt(Y, X, D).

ge(X, Y, D) :- le(Y, X, D).

eq(X, Y, D) :- X == Y, !, D = true.
eq(X, Y, maybe) :- X #= Y.

ne(X, Y, D) :- integer(X), integer(Y), !, X =\= Y, D = true.
ne(X, Y, D) :-
    (   never_equal(X, Y) -> D = true ; X #\= Y, D = maybe ).

never_equal(X, Y) :- integer(X), !, fd_dom(Y, Dom), \+ in_domain(Dom, X).
never_equal(X, Y) :- integer(Y), !, fd_dom(X, Dom), \+ in_domain(Dom, Y).
never_equal(X, Y) :- fd_sup(X, High), fd_inf(Y, Low), integer(High), integer(Low), High < Low, !.
never_equal(X, Y) :- fd_sup(Y, High), fd_inf(X, Low), integer(High), integer(Low), High < Low.

in_domain(A \/ B, N) :- !, ( in_domain(B, N) -> true ; in_domain(A, N) ).
in_domain(Low..High, N) :- !, ( Low == inf -> true ; N >= Low ), ( High == sup -> true ; N =< High ).
in_domain(N, N).

%! one_of(?X, +Values, -Decision): a case of a switch.
one_of(X, Values, D) :- integer(X), !, memberchk(X, Values), D = true.
one_of(X, [V], D) :- !, eq(X, V, D).
one_of(X, Values, maybe) :- union_of(Values, Dom), X in Dom.

none_of(X, Values, D) :- integer(X), !, \+ memberchk(X, Values), D = true.
none_of(X, Values, D) :-
    fd_dom(X, Dom),
    (   member(V, Values), in_domain(Dom, V)
    ->  exclude_all(Values, X), D = maybe
    ;   D = true
    ).

exclude_all([], _).
exclude_all([V|Vs], X) :- X #\= V, exclude_all(Vs, X).

union_of([V], V) :- !.
union_of([V|Vs], V \/ Dom) :- union_of(Vs, Dom).

% References. An unknown one (see "Unknown references") is decided by choosing what it is.

null(R, D) :- nonvar(R), !, R = null, D = true.
null(null, maybe).

nonnull(_, R, D) :- nonvar(R), !, R \== null, D = true.
nonnull(H, R, maybe) :- choose_object(H, R).

same(_, R, S, D) :- R == S, !, D = true.
same(H, R, S, maybe) :-
    \+ ( nonvar(R), nonvar(S) ),
    ( nonvar(S) -> fits(H, R, S) ; nonvar(R) -> fits(H, S, R) ; true ),
    R = S.

% An object has the declared type of a reference that is to be it.
fits(_, _, null) :- !.
fits(H, Unknown, R) :-
    (   get_attr(Unknown, petrel, Type)
    ->  class_of_type(Type, C), has_class(H, R, C, true)
    ;   true
    ).

different(R, S, D) :- nonvar(R), nonvar(S), !, R \== S, D = true.
different(R, S, maybe) :- dif(R, S).

% Makes an unknown reference known.
known(_, R, D) :- nonvar(R), !, D = true.
known(H, R, maybe) :- ( R = null ; choose_object(H, R) ).

instance(H, R, C, D) :- known(H, R, D), R \== null, has_class(H, R, C, true).

not_instance(H, R, C, D) :- known(H, R, D), ( R == null -> true ; has_class(H, R, C, false) ).

castable(H, R, C, D) :- known(H, R, D), ( R == null -> true ; has_class(H, R, C, true) ).

not_castable(H, R, C, D) :- known(H, R, D), R \== null, has_class(H, R, C, false).

has_class(H, R, C, Truth) :- class_of(H, R, B), subtype(B, C, Truth).

storable(H, A, R, D) :- element_type(H, A, C), castable(H, R, C, D).

not_storable(H, A, R, D) :- element_type(H, A, C), not_castable(H, R, C, D).

in_bounds(H, A, I, D) :-
    array_length(H, A, L),
    le(0, I, D1),
    lt(I, L, D2),
    ( D1 == true, D2 == true -> D = true ; D = maybe ).

out_of_bounds(H, A, I, D) :-
    array_length(H, A, L),
    (   non_negative(I) -> le(L, I, D)
    ;   fd_sup(I, High), integer(High), High < 0 -> D = true
    ;   I #< 0 #\/ I #>= L, D = maybe
    ).
