
'/is_expression'(Expression) :- system:compound(Expression).

'/compute'(X, Type, Expression) :-
    clpfd:(Y #= Expression),
    '/range'(Type, Low, High),
    (   system:integer(Y)
    ->  system:(X is (Y - Low) mod (High - Low + 1) + Low)
    ;   clpfd:fd_inf(Y, Least), system:integer(Least), system:(Least >= Low),
        clpfd:fd_sup(Y, Most), system:integer(Most), system:(Most =< High)
    ->  X = Y
    ;   clpfd:(X in Low..High)
    ).

'/range'(int, -2147483648, 2147483647).
'/range'(long, -9223372036854775808, 9223372036854775807).

'/domain'([N], N) :- !.
'/domain'([N|Numbers], N \/ Domain) :- '/domain'(Numbers, Domain).

'/array'(ref(_, Length), Length) :- clpfd:(Length in 0..2147483647).

'/new'(ref(new(N), Length), Length) :- system:flag('/objects', N, N+1).

'/different'(X, Y) :-
    (   system:(Y == null) -> X = ref(_, _)
    ;   system:(X == null) -> Y = ref(_, _)
    ;   system:dif(X, Y)
    ).
