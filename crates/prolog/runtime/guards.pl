% ---------------------------------------------------------------------------------------------
% Guards
%
% Each fails if it cannot hold. Otherwise its last argument says whether it was entailed (`true`) or
% is assumed from here on (`maybe`). Entailment is read off the domains, which is cheap.

lt(X, Y, D) :- integer(X), integer(Y), !, X < Y, D = true.
lt(X, Y, D) :-
    (   smaller_by(X, 1, Y) -> D = true
    ;   smaller_by(Y, 0, X) -> fail
    ;   fd_sup(X, High), fd_inf(Y, Low), integer(High), integer(Low), High < Low -> D = true
    ;   X #< Y, order(X, 1, Y), D = maybe
    ).

le(X, Y, D) :- integer(X), integer(Y), !, X =< Y, D = true.
le(X, Y, D) :-
    (   smaller_by(X, 0, Y) -> D = true
    ;   smaller_by(Y, 1, X) -> fail
    ;   fd_sup(X, High), fd_inf(Y, Low), integer(High), integer(Low), High =< Low -> D = true
    ;   X #=< Y, order(X, 0, Y), D = maybe
    ).

gt(X, Y, D) :- lt(Y, X, D).

ge(X, Y, D) :- le(Y, X, D).

eq(X, Y, D) :- X == Y, !, D = true.
eq(X, Y, maybe) :- \+ smaller_by(X, 1, Y), \+ smaller_by(Y, 1, X), X #= Y.

ne(X, Y, D) :- integer(X), integer(Y), !, X =\= Y, D = true.
ne(X, Y, D) :-
    X \== Y,
    (   ( never_equal(X, Y) ; smaller_by(X, 1, Y) ; smaller_by(Y, 1, X) ) -> D = true ; X #\= Y, D = maybe ).

% What is known of the order of variables: order(X, N, Y) says that X+N is at most Y. Propagation of
% bounds finds out that X < Y and Y < X exclude each other by going through all numbers; chains of such
% facts say it at once. They are an attribute of X.

petrel_order:attr_unify_hook(Facts, Other) :-
    (   integer(Other) -> true
    ;   get_attr(Other, petrel_order, Facts1) -> append(Facts, Facts1, All), put_attr(Other, petrel_order, All)
    ;   put_attr(Other, petrel_order, Facts)
    ).
petrel_order:attribute_goals(_) --> [].

order(X, N, Y) :-
    (   var(X), var(Y)
    ->  ( get_attr(X, petrel_order, Facts) -> true ; Facts = [] ),
        put_attr(X, petrel_order, [Y-N|Facts])
    ;   true
    ).

% Y is X+N.
distance_of(X, N, Y) :- M is -N, order(X, N, Y), order(Y, M, X).

%! smaller_by(?X, +N, ?Y): X+N is at most Y, as far as the facts say.
smaller_by(X, N, Y) :- X == Y, !, N =< 0.
smaller_by(X, N, Y) :- var(X), var(Y), get_attr(X, petrel_order, _), smaller_by([X-0], N, Y, []).

smaller_by([X-Sum|Open], N, Y, Seen) :-
    (   X == Y, Sum >= N -> true
    ;   ( \+ var(X) ; seen(Seen, X, Sum) ; \+ get_attr(X, petrel_order, _) ) -> smaller_by(Open, N, Y, Seen)
    ;   get_attr(X, petrel_order, Facts),
        further(Facts, Sum, Open, Open1),
        smaller_by(Open1, N, Y, [X-Sum|Seen])
    ).

% A variable is not looked at twice, unless the second way says more; and that not for ever.
seen(Seen, X, Sum) :- length(Seen, Length), ( Length > 8 -> true ; member(Z-Sum0, Seen), Z == X, Sum0 >= Sum -> true ).

further([], _, Open, Open).
further([Y-N|Facts], Sum, Open0, [Y-Sum1|Open]) :- Sum1 is Sum+N, further(Facts, Sum, Open0, Open).

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

% References.

null(r(I), D) :- eq(I, 0, D).

nonnull(_, r(I), D) :- ne(I, 0, D).

same(_, r(I), r(J), D) :- I == J, !, D = true.
same(_, r(I), r(J), maybe) :-
    \+ never_equal(I, J),
    I = J,
    ( var(I), aliasing(exclude) -> I = 0 ; true ).

different(r(I), r(J), D) :- I \== J, ne(I, J, D).

% Types: which classes a reference may have, 0 being that of null, as a part of the domain.

instance(H, R, C, D) :- class_guard(H, R, C, false-true, D).

not_instance(H, R, C, D) :- class_guard(H, R, C, true-false, D).

castable(H, R, C, D) :- class_guard(H, R, C, true-true, D).

not_castable(H, R, C, D) :- class_guard(H, R, C, false-false, D).

class_guard(H, r(I), Class, Wanted, D) :-
    class_number_of(H, I, C),
    (   integer(C) -> class_fits(C, Class, Wanted), D = true
    ;   fd_dom(C, Dom),
        findall(N, ( domain_member(Dom, N), class_fits(N, Class, Wanted) ), Ns),
        Ns = [_|_],
        ( fd_size(C, Size), length(Ns, Size) -> D = true ; union_of(Ns, Part), C in Part, D = maybe )
    ).

class_fits(0, _, OfNull-_) :- !, OfNull == true.
class_fits(N, Class, _-Wanted) :- class_number(B, N), subtype(B, Class, Truth), Truth == Wanted.

instance_of(H, r(I), Class, V) :-
    class_number_of(H, I, C),
    fd_dom(C, Dom),
    findall(N, ( domain_member(Dom, N), class_fits(N, Class, false-true) ), Ns),
    findall(N, ( domain_member(Dom, N), class_fits(N, Class, true-false) ), Others),
    (   Others == [] -> V = 1
    ;   Ns == [] -> V = 0
    ;   append(Ns, Others, All), union_of(All, Known), C in Known,
        union_of(Ns, Part), V in 0..1, V #<==> C in Part
    ).

storable(H, r(A), r(I), D) :-
    class_number_of(H, A, C), class_number_of(H, I, E),
    element_classes(C, E, Pairs),
    one_of_pairs(C, E, Pairs, D).

not_storable(H, r(A), r(I), D) :-
    class_number_of(H, A, C), class_number_of(H, I, E),
    element_classes(C, E, Storable),
    fd_dom(C, DomC), fd_dom(E, DomE),
    findall([N, M], ( domain_member(DomC, N), N > 0, domain_member(DomE, M), \+ memberchk([N, M], Storable) ), Pairs),
    one_of_pairs(C, E, Pairs, D).

one_of_pairs(C, E, Pairs, D) :-
    Pairs = [_|_],
    fd_size(C, SizeC), fd_size(E, SizeE), length(Pairs, Size),
    ( Size =:= SizeC*SizeE -> D = true ; tuples_in([[C, E]], Pairs), D = maybe ).

in_bounds(H, A, I, D) :-
    array_length(H, A, L),
    le(0, I, D1),
    lt(I, L, D2),
    ( D1 == true, D2 == true -> D = true ; D = maybe ).

out_of_bounds(H, A, I, D) :-
    array_length(H, A, L),
    (   ( non_negative(I) ; smaller_by(L, 0, I) ) -> le(L, I, D)
    ;   smaller_by(I, 1, L) -> lt(I, 0, D)
    ;   fd_sup(I, High), integer(High), High < 0 -> D = true
    ;   I #< 0 #\/ I #>= L, D = maybe
    ).
