% ---------------------------------------------------------------------------------------------
% Inputs of a case
%
% What a derivation leaves is constraints on its inputs: the arguments, and what has been read of the
% initial heap. Labelling chooses among them. References come first: each is null, a constant of an
% enum, an object of its own, or one of those before it, and of the first class that it can have; then
% numbers, in the order in which the program came across them, and lengths last: hardly anything
% depends on how long an array is beyond its indices.
%
%     first        the smallest value for the first unknown, then for the next
%     ff           the same, for the unknown with the fewest values first
%     readable     the value that is closest to 0, for the first unknown first
%
% Domains are halved, so that values that propagation refutes are refuted many at once; that changes
% no answer.

:- dynamic labelling/1.

%! set_label(+Strategy)
set_label(Strategy) :-
    must_be(oneof([first, ff, readable]), Strategy),
    retractall(labelling(_)), assertz(labelling(Strategy)).

:- set_label(readable).

%! label_case(?Goal, -Objects)
%  Chooses inputs for Goal, on backtracking others. Objects are those of the initial heap that have been
%  looked at, each as r(Number)=Class(Field=Value, ...), or array(Class, Elements); what is not
%  mentioned is 0 or null.
label_case(Goal, Objects) :- labelling(Strategy), label_case(Strategy, Goal, Objects).

label_case(Strategy, Goal, Objects) :-
    arg(1, Goal, Args),
    arg(3, Goal, H0),
    arg(5, H0, inputs(_, Known)),
    values_read(Known, Read, Lengths),
    append(Read, Lengths, ReadAndLengths),
    append(Args, ReadAndLengths, Values),
    references_of(Values, References),
    settle(References, []),
    assumed(Goal),
    settle_classes(References),
    numbers_of(Values, Numbers),
    label_numbers(Strategy, Numbers),
    input_objects(References, H0, Known, Objects).

values_read(Known, [], []) :- var(Known), !.
values_read([place(_, Key, _, _)-V|Known], Values, Lengths) :-
    (   Key == length -> Lengths = [V|Rest], values_read(Known, Values, Rest)
    ;   Values = [V|Rest], values_read(Known, Rest, Lengths)
    ).

references_of([], []).
references_of([V|Vs], References) :-
    (   nonvar(V), V = r(I), \+ integer(I)
    ->  get_attr(I, petrel, C), References = [I-C|Rest]
    ;   References = Rest
    ),
    references_of(Vs, Rest).

settle([], Own) :- numbered(Own, -1).
settle([I-_|References], Own) :-
    (   ( integer(I) ; member_of(I, Own) ) -> settle(References, Own)
    ;   I = 0, settle(References, Own)
    ;   fd_dom(I, Dom), domain_member(Dom, I), I > 0, settle(References, Own)
    ;   I #< 0, different_from_all(Own, I), append(Own, [I], Own1), settle(References, Own1)
    ;   aliasing(include), I #< 0, member(I, Own), settle(References, Own)
    ).

member_of(X, [Y|Ys]) :- ( X == Y -> true ; member_of(X, Ys) ).

different_from_all([], _).
different_from_all([J|Js], I) :- I #\= J, different_from_all(Js, I).

numbered([], _).
numbered([I|Is], N) :- I = N, N1 is N-1, numbered(Is, N1).

settle_classes([]).
settle_classes([_-C|References]) :- indomain(C), settle_classes(References).

input_objects(References, H, Known, Objects) :-
    findall(N-C, ( member(I-C, References), I < 0, N is -I ), Pairs0),
    sort(Pairs0, Pairs),
    findall(r(I)=Object,
            ( member(N-C, Pairs), I is -N, class_number(Class, C), input_object_term(Known, H, I, Class, Object) ),
            Objects).

input_object_term(Known, H, I, Class, Object) :-
    (   sub_atom(Class, 0, 1, _, '[')
    ->  ( known_value(Known, place(I0, length, _, _), L), I0 == I -> true ; L = 0 ),
        sub_atom(Class, 1, _, 0, Type), default(Type, Default),
        findall(J-V, ( known_value(Known, place(I1, at(_), J, _), V), I1 == I ), Pairs),
        Last is L-1,
        findall(V, ( between(0, Last, J), ( memberchk(J-V0, Pairs) -> true ; V0 = Default ), input_term(V0, H, V) ),
                Elements),
        Object = array(Class, Elements)
    ;   findall(F=V, ( known_value(Known, place(I1, F, _, _), V0), I1 == I, input_term(V0, H, V) ), Fields0),
        sort(Fields0, Fields),
        ( Class = unknown(C) -> true ; C = Class ),
        Object =.. [C|Fields]
    ).

known_value(Known, Place, V) :- nonvar(Known), Known = [Place0-V0|Rest],
    ( Place = Place0, V = V0 ; known_value(Rest, Place, V) ).

%! input_term(+Value, +H, -Term): null, a number, r(N), or Enum:Name.
input_term(V, H, Term) :-
    (   V = r(0) -> Term = null
    ;   V = r(I), I > 0, cell(H, I, object(C, Fields, _)), memberchk('java/lang/Enum.name'-S, Fields),
        string_cell(H, S, Text), string_text(Text, String)
    ->  atom_string(Name, String), enum_of(C, Enum), Term = Enum:Name
    ;   Term = V
    ).

enum_of(C, Enum) :- ( class(C, 'java/lang/Enum', _, _) -> Enum = C ; class(C, Enum, _, _) ).

% A number that is real is 0.0: no guard has looked at it.
numbers_of([], []).
numbers_of([V|Vs], Numbers) :-
    (   nonvar(V) -> Numbers = Rest
    ;   get_attr(V, petrel_real, _) -> V = 0.0, Numbers = Rest
    ;   Numbers = [V|Rest]
    ),
    numbers_of(Vs, Rest).

label_numbers(first, Numbers) :- label_each(Numbers).
label_numbers(ff, Numbers) :- label_smallest(Numbers).
label_numbers(readable, Numbers) :- label_closest(Numbers).

label_each([]).
label_each([X|Xs]) :- upwards(X), label_each(Xs).

label_smallest(Numbers) :-
    (   smallest_domain(Numbers, X, Rest) -> upwards(X), label_smallest(Rest) ; true ).

smallest_domain([X|Xs], Y, Rest) :-
    (   smallest_domain(Xs, Z, Zs), size_of(Z, SizeZ), size_of(X, SizeX), SizeZ < SizeX
    ->  Y = Z, Rest = [X|Zs]
    ;   Y = X, Rest = Xs
    ).

size_of(X, Size) :- fd_size(X, Size0), ( Size0 == sup -> Size is inf ; Size = Size0 ).

%! upwards(?X): the values of X, the smallest first.
upwards(X) :- integer(X), !.
upwards(X) :-
    fd_inf(X, Low), fd_sup(X, High),
    (   integer(Low), integer(High)
    ->  Middle is (Low+High) div 2,
        ( X #=< Middle ; X #> Middle ),
        upwards(X)
    ;   closest(X)
    ).

label_closest([]).
label_closest([X|Xs]) :- closest(X), label_closest(Xs).

%! closest(?X): the values of X, those close to 0 first.
closest(X) :- integer(X), !.
closest(X) :- closest(X, 0).

closest(X, _) :- integer(X), !.
closest(X, Bound) :-
    fd_inf(X, Low), fd_sup(X, High),
    (   integer(Low), integer(High), Low >= -Bound, High =< Bound
    ->  ( X #>= 0, upwards(X) ; X #< 0, downwards(X) )
    ;   Next is 2*Bound+1,
        Minus is -Bound,
        (   X in Minus..Bound, ( X #>= 0, upwards(X) ; X #< 0, downwards(X) )
        ;   X #> Bound #\/ X #< Minus,
            closest(X, Next)
        )
    ).

downwards(X) :- integer(X), !.
downwards(X) :-
    fd_inf(X, Low), fd_sup(X, High),
    Middle is (Low+High) div 2,
    ( X #> Middle ; X #=< Middle ),
    downwards(X).
