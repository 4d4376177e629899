
% ---------------------------------------------------------------------------------------------
% How the rules are run. What Prolog has is called as `system:...` here, since methods may have the same names.

%! traces(?Goal, +K)
%  Goal calls a predicate on unknown arguments; its last one is the trace. No predicate occurs more than K times among
%  its ancestors ("Test Data Generation of Bytecode by CLP Partial Evaluation", Def. 4).
traces(Goal, K) :- '/derive'(Goal, K, []).

'/derive'(Goal, K, Ancestors) :-
    system:functor(Goal, Name, Arity),
    '/count'(Ancestors, Name/Arity, 0, N),
    system:(N < K),
    clause(Goal, Body),
    '/body'(Body, K, [Name/Arity|Ancestors]).

'/count'([], _, N, N).
'/count'([Ancestor|Ancestors], Predicate, N0, N) :-
    ( system:(Ancestor == Predicate) -> system:(N1 is N0+1) ; N1 = N0 ),
    '/count'(Ancestors, Predicate, N1, N).

'/body'(true, _, _) :- !.
'/body'((First, Rest), K, Ancestors) :- !,
    '/body'(First, K, Ancestors),
    '/body'(Rest, K, Ancestors).
% The trace of a method that the caller does not name has its class before it.
'/body'(traced_as(Trace0, Name, Trace), _, _) :- !,
    system:(Trace0 =.. [_|Parts]),
    system:(Trace =.. [Name|Parts]).
