% ---------------------------------------------------------------------------------------------
% Unknown references
%
% The number of an unknown reference is a variable whose attribute is the number of its class: 0 if it
% is null, and else one of the candidates for its type, the program's own classes that have instances.
% Types are constraints on this number. Where the program has no candidates, the class is the type,
% and what depends on it is given up.

petrel:attr_unify_hook(C, Other) :-
    (   integer(Other) -> true          % see petrel_reference
    ;   get_attr(Other, petrel, C1) -> C = C1
    ;   put_attr(Other, petrel, C)
    ).
petrel_real:attr_unify_hook(_, _).
petrel_real:attribute_goals(_) --> [].
petrel:attribute_goals(I) --> { get_attr(I, petrel, C) }, [class(I, C)].

%! input_value(+Type, +H, ?V): V is an input of this type.
input_value(length, _, V) :- !, range(int, _, High), V in 0..High.
input_value('Z', _, V) :- !, V in 0..1.
input_value(Type, _, V) :- integral(Type), !,
    type_range(Type, Low, High), V in Low..High, input_domain(Domain), V in Domain.
input_value(Type, _, V) :- real_type(Type), !, ( var(V) -> put_attr(V, petrel_real, Type) ; true ).
input_value(_, _, R) :- nonvar(R), !, R = r(I), ( integer(I) ; get_attr(I, petrel, _) ), !.
input_value(Type, H, r(I)) :-
    (   Type = elements(Array)
    ->  fd_dom(Array, Dom0),
        findall(C, ( domain_member(Dom0, N), N > 0, element_class_of(N, C) ), Declared)
    ;   class_of_type(Type, C0), Declared = [C0]
    ),
    findall(N, ( member(C, Declared), candidates(C, Ns), member(N, Ns) ), Classes0),
    sort(Classes0, Classes),
    findall(Constant, ( member(C, Declared), enum_constants(H, C, Constant) ), Constants0),
    sort(Constants0, Constants),
    pairs_keys(Constants, Numbers),
    reference_domain(Classes, Numbers, Dom),
    I in Dom,
    findall(C, member(_-C, Constants), EnumClasses0),
    sort(EnumClasses0, EnumClasses),
    append([0|Classes], EnumClasses, All),
    union_of(All, ClassDom),
    C in ClassDom,
    ( var(I) -> put_attr(I, petrel, C) ; true ),
    reference(I, C),
    enum_references(Constants, I, C),
    (   EnumClasses == [] -> true
    ;   union_of([0|Classes], Others), I #=< 0 #==> C in Others
    ),
    ( Type = elements(Array) -> element_classes(Array, C, Pairs), tuples_in([[Array, C]], Pairs) ; true ).

reference_domain([], Numbers, Dom) :- !, union_of([0|Numbers], Dom).
reference_domain([_|_], Numbers, Dom) :- foldl(with_number, Numbers, inf..0, Dom).

with_number(N, Dom, Dom \/ N).

enum_references([], _, _).
enum_references([N-C0|Constants], I, C) :-
    equal(B, I, N),
    implies_equal(int, B, C, C0),
    enum_references(Constants, I, C).

%! input_array(+Class, -R, ?Length, +H0, -H1): an unknown array of a class such as '[I'.
input_array(C, R, L, H, H) :- input_object(C, R, H, H), array_length(H, R, L).

%! input_object(+Class, -R, +H0, -H1)
input_object(C, r(I), H, H) :-
    class_number(C, N),
    I in inf..(-1),
    put_attr(I, petrel, N).

%! class_number(?Class, ?Number): numbers of classes start with 1.
:- dynamic class_numbered/2, candidates_of/2.
:- flag(petrel_classes, _, 0).

class_number(C, N) :- nonvar(N), !, class_numbered(C, N), !.
class_number(C, N) :-
    (   class_numbered(C, N0) -> N = N0
    ;   flag(petrel_classes, N0, N0+1), N is N0+1, assertz(class_numbered(C, N))
    ).

%! class_number_of(+H, +I, -C): the number of the class of an object, as a variable if it is not known.
class_number_of(H, I, C) :-
    (   var(I) -> get_attr(I, petrel, C)
    ;   I =:= 0 -> C = 0
    ;   cell(H, I, Cell), cell_class(Cell, Class), ( Class = number(C0) -> C = C0 ; class_number(Class, C) )
    ).

candidates(Declared, Numbers) :- candidates_of(Declared, Numbers0), !, Numbers = Numbers0.
candidates(Declared, Numbers) :-
    candidate_classes(Declared, Classes),
    findall(N, ( member(C, Classes), class_number(C, N) ), Numbers),
    assertz(candidates_of(Declared, Numbers)).

candidate_classes(Declared, [Declared|Narrower]) :- sub_atom(Declared, 0, 1, _, '['), !,
    findall(C, ( element_class(Declared, E), narrower_element(E, C) ), Narrower).
candidate_classes(Declared, Classes) :-
    findall(C, ( class(C, _, _, class), \+ platform_class(C), \+ is_enum(C), below(C, Declared) ), Own),
    (   Own = [_|_] -> Classes = Own
    ;   is_enum(Declared) -> Classes = []
    ;   class(Declared, _, _, class) -> Classes = [Declared]
    ;   Classes = [unknown(Declared)]
    ).

% Arrays of narrower types: of one dimension, and of the program's own classes.
narrower_element(E, C) :-
    class(B, _, _, _), \+ platform_class(B), B \== E, below(B, E),
    this_type(B, Type),
    atom_concat('[', Type, C).

is_enum(C) :- C \== 'java/lang/Enum', below(C, 'java/lang/Enum').

platform_class(C) :- member(Prefix, ['java/', 'javax/', 'jdk/']), sub_atom(C, 0, _, _, Prefix), !.

% A constant of an enum below a type, as Number-Class.
enum_constants(H, Declared, N-C) :-
    arg(5, H, inputs(All, _)),
    nonvar(All),
    member(N-Class, All), below(Class, Declared), class_number(Class, C).

%! with_constants(+H): the constants of all enums are those that there are now.
with_constants(H) :-
    arg(5, H, inputs(All, _)),
    findall(N-C, ( class(Enum, _, _, _), is_enum(Enum), constant_of(H, Enum, N-C) ), All0),
    sort(All0, All).

constant_of(H, Enum, N-C) :-
    this_type(Enum, Type),
    field(F, Enum:_, Type, static, _),
    global(H, F, r(N)),
    cell(H, N, Cell),
    cell_class(Cell, C).

% ---------------------------------------------------------------------------------------------
% Constraints of our own
%
%     petrel_equal(B, X, Y)          B is 1 if X is Y, and else 0
%     petrel_choice(B, X, Y, Z)      Z is X if B is 1, and else Y
%     petrel_implies(B, X, Y)        X is Y if B is 1
%     petrel_both(B, C, D)           D is 1 if B and C are
%     petrel_reference(I, C)         C is 0 if and only if I is
%
% They look at whole domains, and in all directions: that a choice cannot be X decides its condition
% (section 3.3 of the paper), and what it can be is the union of what is left.

constraint(Constraint) :-
    clpfd:make_propagator(Constraint, Propagator),
    term_variables(Constraint, Variables),
    watch(Variables, Propagator),
    clpfd:trigger_once(Propagator).

%! keep(?X, +Domain): what a propagator says of a domain. Posting a constraint would wake all others again.
keep(X, Domain) :- integer(X), !, in_domain(Domain, X).
keep(X, Domain) :-
    clpfd:fd_get(X, Old, Propagators),
    clpfd:drep_to_domain(Domain, Part),
    clpfd:domains_intersection(Old, Part, New),
    ( New == Old -> true ; clpfd:fd_put(X, New, Propagators) ).

watch([], _).
watch([V|Vs], Propagator) :- clpfd:init_propagator(V, Propagator), watch(Vs, Propagator).

equal(B, X, Y) :-
    (   X == Y -> B = 1
    ;   never_equal(X, Y) -> B = 0
    ;   B in 0..1, constraint(petrel_equal(B, X, Y))
    ).

clpfd:run_propagator(petrel_equal(B, X, Y), State) :-
    (   X == Y -> clpfd:kill(State), B = 1
    ;   B == 1 -> clpfd:kill(State), X = Y
    ;   B == 0 -> clpfd:kill(State), X #\= Y
    ;   user:never_equal(X, Y) -> clpfd:kill(State), B = 0
    ;   true
    ).

both(B, C, D) :-
    (   B == 1 -> D = C
    ;   C == 1 -> D = B
    ;   ( B == 0 ; C == 0 ) -> D = 0
    ;   D in 0..1, constraint(petrel_both(B, C, D))
    ).

clpfd:run_propagator(petrel_both(B, C, D), State) :-
    (   D == 1 -> clpfd:kill(State), B = 1, C = 1
    ;   B == 1 -> clpfd:kill(State), D = C
    ;   C == 1 -> clpfd:kill(State), D = B
    ;   ( B == 0 ; C == 0 ) -> clpfd:kill(State), D = 0
    ;   true
    ).

%! choice(+Type-H, +B, +X, +Y, -Z): Z is X if B is 1, and else Y; all of them are of this type.
choice(_, B, X, Y, Z) :- ( B == 1 ; X == Y ), !, Z = X.
choice(_, B, _, Y, Z) :- B == 0, !, Z = Y.
choice(Type-H, B, X, Y, Z) :-
    (   real_type(Type) -> when(nonvar(B), ( B == 1 -> Z = X ; Z = Y ))
    ;   nonvar(X), X = r(I), Y = r(J)
    ->  class_number_of(H, I, C), class_number_of(H, J, D),
        choice_of_numbers(B, C, D, E),
        choice_of_numbers(B, I, J, K),
        (   var(K), \+ get_attr(K, petrel, _) -> put_attr(K, petrel, E), reference(K, E) ; true ),
        Z = r(K)
    ;   choice_of_numbers(B, X, Y, Z)
    ).

choice_of_numbers(B, X, Y, Z) :-
    (   X == Y -> Z = X
    ;   fd_dom(X, DX), fd_dom(Y, DY), Z in DX \/ DY,
        constraint(petrel_choice(B, X, Y, Z))
    ).

clpfd:run_propagator(petrel_choice(B, X, Y, Z), State) :-
    (   ( B == 1 ; X == Y ) -> clpfd:kill(State), Z = X
    ;   B == 0 -> clpfd:kill(State), Z = Y
    ;   Z == X, user:never_equal(X, Y) -> clpfd:kill(State), B = 1
    ;   Z == Y, user:never_equal(X, Y) -> clpfd:kill(State), B = 0
    ;   user:never_equal(Z, X) -> clpfd:kill(State), B = 0, Z = Y
    ;   user:never_equal(Z, Y) -> clpfd:kill(State), B = 1, Z = X
    ;   fd_dom(X, DX), fd_dom(Y, DY), user:keep(Z, DX \/ DY)
    ).

implies_equal(Type, B, X, Y) :-
    (   B == 0 -> true
    ;   B == 1 -> X = Y
    ;   real_type(Type) -> when(nonvar(B), ( B == 1 -> X = Y ; true ))
    ;   nonvar(X), X = r(I), Y = r(J) -> implies_equal(int, B, I, J)
    ;   X == Y -> true
    ;   constraint(petrel_implies(B, X, Y))
    ).

clpfd:run_propagator(petrel_implies(B, X, Y), State) :-
    (   ( X == Y ; B == 0 ) -> clpfd:kill(State)
    ;   B == 1 -> clpfd:kill(State), X = Y
    ;   user:never_equal(X, Y) -> clpfd:kill(State), B = 0
    ;   true
    ).

reference(I, C) :- constraint(petrel_reference(I, C)).

clpfd:run_propagator(petrel_reference(I, C), State) :-
    (   I == 0 -> clpfd:kill(State), C = 0
    ;   C == 0 -> clpfd:kill(State), I = 0
    ;   user:never_equal(I, 0) -> clpfd:kill(State), C #\= 0
    ;   user:never_equal(C, 0) -> clpfd:kill(State), I #\= 0
    ;   true
    ).

%! same_object(+H, +I, +J, -B): of references that are not null.
same_object(H, I, J, B) :-
    (   I == J -> B = 1
    ;   never_equal(I, J) -> B = 0
    ;   class_number_of(H, I, C), class_number_of(H, J, D),
        (   never_equal(C, D) -> B = 0
        ;   aliasing(exclude), fd_sup(I, SI), SI =< 0, fd_sup(J, SJ), SJ =< 0 -> B = 0
        ;   equal(B, I, J),
            ( C == D -> true ; constraint(petrel_implies(B, C, D)) )
        )
    ).

% Whether two numbers are different whatever their variables are.
never_equal(X, Y) :- integer(X), !, ( integer(Y) -> X =\= Y ; fd_dom(Y, Dom), \+ in_domain(Dom, X) ).
never_equal(X, Y) :- integer(Y), !, fd_dom(X, Dom), \+ in_domain(Dom, Y).
never_equal(X, Y) :- fd_dom(X, DX), fd_dom(Y, DY), disjoint_domains(DX, DY).

disjoint_domains(DX, DY) :- \+ ( interval(DX, A, B), interval(DY, C, D), \+ before(B, C), \+ before(D, A) ).

interval(A \/ B, Low, High) :- !, ( interval(A, Low, High) ; interval(B, Low, High) ).
interval(Low..High, Low, High) :- !.
interval(N, N, N).

before(A, B) :- integer(A), integer(B), A < B.

in_domain(A \/ B, N) :- !, ( in_domain(B, N) -> true ; in_domain(A, N) ).
in_domain(Low..High, N) :- !, ( Low == inf -> true ; N >= Low ), ( High == sup -> true ; N =< High ).
in_domain(N, N).

% The members of the bounded parts of a domain.
domain_member(Dom, N) :- interval(Dom, Low, High), integer(Low), integer(High), between(Low, High, N).
domain_member(Dom, N) :- interval(Dom, inf, High), integer(High), High > 0, between(1, High, N).
