% ---------------------------------------------------------------------------------------------
% Loading: from rules to clauses
%
% The clause of m/7 supervises the unfolding as unf/4 of "Test data generation of bytecode by CLP
% partial evaluation", section 6.1. Its last argument is the ancestor stack. Only the number of
% occurrences of each predicate is asked of the stack, so it is kept as a term with one number per
% predicate, which is changed destructively and restored on backtracking: `enter` is the check and
% the push, `leave` the '$pop$'. Ancestors pass from a rule to its calls, so both stand around calls.

:- dynamic predicate_index/2, specialised/2.
:- flag(petrel_predicates, _, 0).

expand_rule(Rule, [Plain, Supervised]) :-
    program_rule(Rule, Head, Guards, Body),
    Head =.. [Name|HeadArgs],
    append(HeadArgs, [Stack], SupervisedArgs),
    SupervisedHead =.. [Name|SupervisedArgs],
    predicate_index_of(Name, _),
    arg(3, Head, Heap),
    start_goals(Name, Heap, StartGoals),
    expand_guards(Guards, GuardGoals),
    expand_body(Body, plain, PlainGoals0),
    append(StartGoals, PlainGoals0, PlainGoals),
    expand_body(Body, supervised(Stack), SupervisedGoals),
    count_literals(Guards, Body, Literals),
    append(GuardGoals, PlainGoals, PlainBody),
    append(GuardGoals, [step(Literals)|SupervisedGoals], SupervisedBody),
    conjunction(PlainBody, PlainConjunction),
    conjunction(SupervisedBody, SupervisedConjunction),
    Plain = (Head :- PlainConjunction),
    Supervised = (SupervisedHead :- SupervisedConjunction).
expand_rule((virtual:Head :- class_of(_, _, Classes) | Body), Facts) :-
    Head =.. [Name, _, _, _, _, _, Trace],
    arg(1, Trace, Number),
    ( Body = library(Method, _, _, _, _, _), Method = _:_ -> Target = library(Method)
    ; functor(Body, Target, 6)
    ),
    findall(virtual_case(Name, C, Number, Target), member(C, Classes), Facts).

% A method can be called without a heap.
start_goals(Name, Heap, Goals) :-
    (   method(Class, _, _, Name, _) -> Goals = [( nonvar(Heap) -> true ; initial_heap(Class, Heap) )]
    ;   Goals = []
    ).

% A rule is told from other clauses by its trace term.
program_rule(Rule, Head, Guards, Body) :-
    nonvar(Rule),
    ( Rule = (Head :- Right) -> true ; Head = Rule, Right = true ),
    compound(Head),
    functor(Head, Name, 6),
    arg(6, Head, Trace),
    nonvar(Trace),
    Trace =.. [Name, Number, _, _],
    integer(Number),
    (   nonvar(Right), Right = '|'(GuardPart, BodyPart)
    ->  conjuncts(GuardPart, Guards)
    ;   Guards = [], BodyPart = Right
    ),
    conjuncts(BodyPart, Body).

conjuncts(G, [G]) :- var(G), !.
conjuncts(true, []) :- !.
conjuncts((A, B), Gs) :- !, conjuncts(A, As), conjuncts(B, Bs), append(As, Bs, Gs).
conjuncts(G, [G]).

conjunction([], true).
conjunction([G], G) :- !.
conjunction([G|Gs], (G, C)) :- conjunction(Gs, C).

predicate_index_of(Name, Index) :-
    (   predicate_index(Name, Index0)
    ->  Index = Index0
    ;   specialised(Name, Original)   % the versions of a predicate are counted together
    ->  predicate_index_of(Original, Index),
        assertz(predicate_index(Name, Index))
    ;   flag(petrel_predicates, N, N+1),
        Index is N+1,
        assertz(predicate_index(Name, Index))
    ).

% A guard gets one more argument: `true` if it was entailed, `maybe` if it has been posted.
expand_guards(Guards, Goals) :-
    expand_guards(Guards, Deciding, Decisions),
    (   Deciding == [] -> Goals = []
    ;   Decisions == [] -> append(Deciding, [!], Goals)
    ;   conjunction(Decisions, Entailed),
        append(Deciding, [(Entailed -> ! ; true)], Goals)
    ).

expand_guards([], [], []).
expand_guards([X = Y|Gs], [X = Y|Goals], Decisions) :- !,   % of an exit, which is always known
    expand_guards(Gs, Goals, Decisions).
expand_guards([G|Gs], [Goal|Goals], [D == true|Decisions]) :-
    expand_guard(G, D, Goal),
    expand_guards(Gs, Goals, Decisions).

expand_guard(float(Relation), D, float_compare(X, F, Y, false, D)) :- !, Relation =.. [F, X, Y].
expand_guard(nan_or(Relation), D, float_compare(X, F, Y, true, D)) :- !, Relation =.. [F, X, Y].
expand_guard(G, D, Goal) :-
    G =.. [F|Args0],
    ( comparison_name(F, N) -> Name = N ; Name = F ),
    append(Args0, [D], Args),
    Goal =.. [Name|Args].

comparison_name(#=, eq).
comparison_name(#\=, ne).
comparison_name(#<, lt).
comparison_name(#>=, ge).
comparison_name(#>, gt).
comparison_name(#=<, le).

expand_body([], _, []).
expand_body([L|Ls], Mode, Goals) :-
    expand_literal(L, Mode, Goals0),
    expand_body(Ls, Mode, Goals1),
    append(Goals0, Goals1, Goals).

expand_literal(Z #= E, _, [Goal]) :- !, arithmetic(int, E, Z, Goal).
expand_literal(long(Z #= E), _, [Goal]) :- !, arithmetic(long, E, Z, Goal).
expand_literal(float(Z #= E), _, [real(float, E, Z)]) :- !.
expand_literal(double(Z #= E), _, [real(double, E, Z)]) :- !.
expand_literal(virtual:Call, Mode, [virtual(Name, A, R, H0, H1, E, T, Mode)]) :- !,
    Call =.. [Name, A, R, H0, H1, E, T].
expand_literal(library(C:N, A, R, H0, H1, E), _, [library(C:N, A, R, H0, H1-E)]) :- !.
% Of a resultant: what the guards of the rules ask for that were applied.
expand_literal(guard(G), _, [Goal]) :- !, expand_guard(G, _, Goal).
expand_literal(initialise(C, H0, H1, E), Mode, [initialise(C, H0, H1, E, Mode)]) :- !.
expand_literal(Call, supervised(S), [enter(I, S), Goal, leave(I, S)]) :-
    is_call(Call), !,
    Call =.. [Name|Args0],
    predicate_index_of(Name, I),
    append(Args0, [S], Args),
    Goal =.. [Name|Args].
expand_literal(Goal, _, [Goal]).

is_call(Literal) :- functor(Literal, _, 6).

count_literals(Guards, Body, N) :-
    length(Guards, N0),
    aggregate_all(count, ( member(L, Body), \+ has_exit(L) ), N1),
    N is N0+N1.

has_exit(L) :- ( functor(L, _, 6) ; L = _:_ ; L = initialise(_, _, _, _) ), !.

% ---------------------------------------------------------------------------------------------
% The ancestor stack

new_stack(K, stack(K, Counts, below, 0)) :-
    flag(petrel_predicates, N, N),
    findall(0, between(1, N, _), Zeros),
    Counts =.. [counts|Zeros].

enter(I, Stack) :-
    arg(1, Stack, K), arg(2, Stack, Counts),
    arg(I, Counts, N0),
    (   N0 < K
    ->  N is N0+1, setarg(I, Counts, N),
        ( N =:= K -> setarg(3, Stack, reached) ; true )
    ;   count(3, 1), nb_setarg(4, Stack, 1), fail
    ).

leave(I, Stack) :-
    arg(2, Stack, Counts),
    arg(I, Counts, N0),
    N is N0-1,
    setarg(I, Counts, N).

% Whether a derivation has come to the bound, and whether the bound has ended one.
has_reached(Stack) :- arg(3, Stack, reached).

was_cut(Stack) :- arg(4, Stack, 1).

% A call whose predicate is known only when it runs.
invoke(Name, Args, Result, H0, H1, Exit, Trace, Mode) :-
    (   Mode = supervised(Stack)
    ->  predicate_index(Name, I),
        enter(I, Stack),
        call(Name, Args, Result, H0, H1, Exit, Trace, Stack),
        leave(I, Stack)
    ;   call(Name, Args, Result, H0, H1, Exit, Trace)
    ).

% ---------------------------------------------------------------------------------------------
% Goals

%! solve(?Goal)
%  Runs Goal = m(Args, Result, H0, H1, Exit, Trace) without a bound. An unbound H0 becomes an
%  initial heap, and unbound arguments get the domain of their type.
solve(Goal) :- prepare(Goal), call(Goal), wanted(Goal).

%! unfold(?Goal, +K)
%  The derivations of Goal in which no predicate is more than K times among the ancestors of an
%  atom, the atom included: block-count(K).
unfold(Goal, K) :-
    new_stack(K, Stack),
    unfold_on(Stack, Goal).

unfold_on(Stack, Goal) :-
    reset_counters,
    prepare(Goal),
    Goal =.. [Name|Args0],
    append(Args0, [Stack], Args),
    Supervised =.. [Name|Args],
    predicate_index(Name, I),
    enter(I, Stack),
    call(Supervised),
    wanted(Goal),
    count(4, 1).

wanted(Goal) :-
    ( exceptions(include) -> true ; arg(5, Goal, Exit), Exit == ok ),
    has_inputs(Goal).

%! has_inputs(+Goal)
%  Propagation does not see every contradiction. So a derivation is an answer if inputs are found for
%  it; and if the limit on work ends the search, which the counter `undecided` tells.
has_inputs(_) :- answer_setting(propagated), !.
has_inputs(Goal) :- term_attvars(Goal, []), !.
has_inputs(Goal) :-
    call_with_inference_limit(\+ \+ once(label_case(readable, Goal, _)), 4000000, Result), !,
    ( Result == inference_limit_exceeded -> count(5, 1) ; true ).

prepare(Goal) :-
    Goal =.. [Name, Args, _, H0|_],
    (   method(Class, _, Descriptor, Name, Static)
    ->  ( var(H0) -> initial_heap(Class, H0) ; true ),
        parameter_types(Descriptor, Types0),
        ( Static == static -> Types = Types0 ; this_type(Class, This), Types = [This|Types0] ),
        input_values(Types, H0, Args),
        ( Static == static -> true ; Args = [Receiver|_], nonnull(H0, Receiver, _) ),
        assume_inputs(Goal)
    ;   var(H0) -> empty_heap(H0)
    ;   true
    ).

input_values([], _, []).
input_values([Type|Types], H, [V|Vs]) :-
    ( V == null -> type_error(reference, null) ; input_value(Type, H, V) ),
    input_values(Types, H, Vs).

this_type(Class, Type) :- atomic_list_concat(['L', Class, ';'], Type).

%! initial_heap(+Class, -Heap)
%  The heap in which a method of Class starts: Class is initialised, nothing else exists.
initial_heap(Class, Heap) :-
    empty_heap(H0),
    findall(Enum, ( class(Enum, 'java/lang/Enum', _, _), \+ platform_class(Enum) ), Enums),
    (   initialise_each([Class|Enums], H0, Heap0)
    ->  with_constants(Heap0), Heap = Heap0
    ;   give_up(initialise(Class))
    ).

initialise_each([], H, H).
initialise_each([C|Cs], H0, H1) :- initialise(C, H0, H2, Exit, plain), Exit == ok, initialise_each(Cs, H2, H1).

%! case_goal(+Method, ?Args, -Goal)
case_goal(Name, Args, Goal) :-
    ( method(Class, _, Descriptor, Name, Static) -> true ; existence_error(method, Name) ),
    parameter_types(Descriptor, Types),
    length(Types, N0),
    ( Static == static -> N = N0 ; N is N0+1 ),
    length(Args, N),
    initial_heap(Class, H0),
    Goal =.. [Name, Args, _, H0, _, _, _].

%! answers(?Goal, +K, -N)
answers(Goal, K, N) :- aggregate_all(count, unfold(Goal, K), N).

%! count_cases(+Method, +K, -N)
count_cases(Name, K, N) :- case_goal(Name, _, Goal), answers(Goal, K, N).

%! show_cases(+Method, +K)
%  Prints inputs for each answer, and what they give.
show_cases(Name, K) :- show_all(Name, K, show_case).

%! show_paths(+Method, +K)
%  Prints each answer with the constraints that its inputs are under.
show_paths(Name, K) :- show_all(Name, K, show_answer).

show_all(Name, K, Show) :-
    case_goal(Name, _, Goal),
    forall(unfold(Goal, K), call(Show, Goal)),
    counters(Counters),
    format("% ~w~n", [Counters]),
    forall(unsupported(What, N), format("% unsupported, ~w times: ~q~n", [N, What])).

show_case(Goal) :-
    (   labelled(Goal, Case) -> show_labelled(Case)
    ;   show_answer(Goal),
        show_line("    no inputs found within the limit~n", [])
    ).

show_labelled(case(Call, Objects, Outcome, Trace)) :-
    show_line("~W -> ~W~n", [Call, Outcome]),
    show_cells(Objects),
    show_line("    ~W~n", [Trace]).

%! labelled(+Goal, -Case)
%  The inputs that label_case/2 finds first for an answer, as case(Call, Objects, Outcome, Trace). Fails if
%  the limit on work ends the search.
labelled(Goal, case(Call, Objects, Outcome, Trace)) :-
    Goal =.. [Name, Args, Result, H0, H1, Exit, Trace],
    limited(label_case(Goal, Objects)),
    findall(Term, ( member(Arg, Args), input_term(Arg, H0, Term) ), Terms),
    Call =.. [Name|Terms],
    outcome(H1, Result, Exit, Outcome).

% The first solution of a goal, if it is found within the limit on work.
limited(Goal) :- call_with_inference_limit(once(Goal), 20000000, Result), Result \== inference_limit_exceeded.

%! show_answer(+Goal)
%  Prints an answer with the constraints that its variables are under.
show_answer(Goal) :-
    Goal =.. [Name, Args, Result, _, H1, Exit, Trace],
    outcome(H1, Result, Exit, Outcome),
    copy_term([Args, Outcome, Trace], Parts, Constraints0),
    unqualified(Constraints0, Constraints),
    \+ \+ show_parts(Name, Parts, Constraints).

unqualified([], []).
unqualified([C0|Cs0], [C|Cs]) :- strip_module(C0, _, C), unqualified(Cs0, Cs).
