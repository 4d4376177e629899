% Arithmetic is Java's: what may overflow is any number of its type. References are `null` or ref(Identity, Length); what
% is in fields and elements, and which classes objects have, is not known.
'/body'(E = Exit, _, _) :- !, E = Exit.
'/body'(X #= Expression, _, _) :- '/is_expression'(Expression), !, '/compute'(X, int, Expression).
'/body'(long(X #= Expression), _, _) :- !, '/compute'(X, long, Expression).
'/body'(any(_), _, _) :- !.
'/body'(X #= Y, _, _) :- !, clpfd:(X #= Y).
'/body'(X #\= Y, _, _) :- !, clpfd:(X #\= Y).
'/body'(X #< Y, _, _) :- !, clpfd:(X #< Y).
'/body'(X #> Y, _, _) :- !, clpfd:(X #> Y).
'/body'(X #=< Y, _, _) :- !, clpfd:(X #=< Y).
'/body'(X #>= Y, _, _) :- !, clpfd:(X #>= Y).
'/body'(X in Numbers, _, _) :- !, '/domain'(Numbers, Domain), clpfd:(X in Domain).
'/body'(X not_in Numbers, _, _) :- !, '/domain'(Numbers, Domain), clpfd:(#\ X in Domain).
'/body'(X == Y, _, _) :- !, X = Y.
'/body'(X \== Y, _, _) :- !, '/different'(X, Y).
'/body'(same(X, Y), _, _) :- !, X = Y.
'/body'(different(X, Y), _, _) :- !, '/different'(X, Y).
'/body'(in_bounds(Array, I), _, _) :- !,
    '/array'(Array, Length), clpfd:(I #>= 0), clpfd:(I #< Length).
'/body'(out_of_bounds(Array, I), _, _) :- !,
    '/array'(Array, Length), clpfd:(I #< 0 #\/ I #>= Length).
'/body'(storable(_, _), _, _) :- !.
'/body'(not_storable(_, _), _, _) :- !.
'/body'(instance(X, _), _, _) :- !, X = ref(_, _).
'/body'(not_instance(_, _), _, _) :- !.
'/body'(castable(_, _), _, _) :- !.
'/body'(not_castable(X, _), _, _) :- !, X = ref(_, _).
'/body'(new_object(_, X), _, _) :- !, '/new'(X, _).
'/body'(new_array(_, Length, X), _, _) :- !, '/new'(X, Length).
'/body'(array_length(Array, Length), _, _) :- !, '/array'(Array, Length).
'/body'(get_field(_, _, _), _, _) :- !.
'/body'(set_field(_, _, _), _, _) :- !.
'/body'(instance_of(_, _, V), _, _) :- !, clpfd:(V in 0..1).
