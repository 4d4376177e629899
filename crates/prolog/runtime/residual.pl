% ---------------------------------------------------------------------------------------------
% Generators of further test cases
%
% What `petrel more --prolog` prints has these facts behind the program:
%
%     test_case(Method, Args, Objects, Outcome)     derivations that are finished
%     generator(Residual, Method)                   the predicate for those that are not
%     assumption(Predicate, Assumption)             what is assumed of the inputs of a predicate, with
%                                                   places as lists: number of the parameter, fields
%
% non_null(P), non_aliasing(P, Q) and different(P, Q) are constraints on the inputs. non_sharing(P, Q),
% acyclic(P) and acyclic(P, Field) are about all that is reached: labelling chooses no inputs that violate them.

:- dynamic test_case/4, generator/2, assumption/2.

%! next_case(-Case)
%  A further test case as case(Call, Objects, Outcome), on backtracking all: those with the fewest
%  repetitions first. undecided(Trace) is a derivation for which no inputs were found within the limit on work.
next_case(Case) :-
    generator(Residual, Method),
    next_case(Residual, Method, 1, Case).

next_case(Residual, Method, K, Case) :-
    new_stack(K, Stack),
    (   case_goal(Residual, _, Goal),
        unfold_on(Stack, Goal),
        has_reached(Stack),
        (   labelled(Goal, case(Call0, Objects, Outcome, _))
        ->  Call0 =.. [_|Args], Call =.. [Method|Args],
            Case = case(Call, Objects, Outcome)
        ;   arg(6, Goal, Trace), Case = undecided(Trace)
        )
    ;   was_cut(Stack),
        K1 is K+1,
        next_case(Residual, Method, K1, Case)
    ).

%! assume_inputs(+Goal): posts what is assumed before the derivation starts.
assume_inputs(Goal) :-
    functor(Goal, Name, _),
    forall_assumptions(Name, Assumptions),
    arg(1, Goal, Args), arg(3, Goal, H),
    post_assumptions(Assumptions, Args, H).

forall_assumptions(Name, Assumptions) :- findall(A, assumption(Name, A), Assumptions).

post_assumptions([], _, _).
post_assumptions([A|As], Args, H) :- post_assumption(A, Args, H), post_assumptions(As, Args, H).

post_assumption(non_null(Path), Args, H) :- !,
    place_value(Path, Args, H, I, Above),
    not_null_unless(Above, I).
post_assumption(non_aliasing(P, Q), Args, H) :- !,
    place_value(P, Args, H, I, Above1), place_value(Q, Args, H, J, Above2),
    append(Above1, Above2, Above),
    same_only_if_null(I, J, [I|Above]).
post_assumption(different(P, Q), Args, H) :- !,
    place_value(P, Args, H, I, Above1), place_value(Q, Args, H, J, Above2),
    append(Above1, Above2, Above),
    same_only_if_null(I, J, Above).
post_assumption(_, _, _).

% Two references are different, or one of some references is null.
same_only_if_null(I, J, Above) :- equal(B, I, J), nulls(Above, Nulls), sum_at_least(Nulls, B).

not_null_unless([], I) :- !, I #\= 0.
not_null_unless(Above, I) :-
    equal(B, I, 0),
    nulls(Above, Nulls),
    sum_at_least(Nulls, B).

nulls([], []).
nulls([I|Is], [B|Bs]) :- equal(B, I, 0), nulls(Is, Bs).

sum_at_least(Bs, B) :- sum(Bs, #>=, B).

% The reference at a place of the initial heap, and those that lead there.
place_value([N|Fields], Args, H, I, Above) :- nth0(N, Args, r(I0)), field_value(Fields, H, I0, I-Above).

field_value([], _, I, I-[]).
field_value([Name|Fields], H, I0, I-[I0|Above]) :-
    class_number_of(H, I0, C),
    fd_dom(C, Dom),
    (   domain_member(Dom, N), N > 0, class_number(Class, N),
        field(F, D:Name, Type, instance, _), below(Class, D)
    ->  read(H, place(I0, F, 0, Type), r(I1)),
        field_value(Fields, H, I1, I-Above)
    ;   give_up(assumption(Name))
    ).

%! assumed(+Goal): whether inputs whose references are chosen are as is assumed.
assumed(Goal) :-
    functor(Goal, Name, _),
    forall_assumptions(Name, Assumptions),
    arg(1, Goal, Args), arg(3, Goal, H),
    arg(5, H, inputs(_, Known)),
    holds_all(Assumptions, Args, H, Known).

holds_all([], _, _, _).
holds_all([A|As], Args, H, Known) :- ( holds(A, Args, H, Known) -> holds_all(As, Args, H, Known) ).

holds(non_sharing(P, Q), Args, H, Known) :- !,
    place_value(P, Args, H, I, _), place_value(Q, Args, H, J, _),
    reached([I], any, Known, [], Is), reached([J], any, Known, [], Js),
    \+ ( member(X, Is), memberchk(X, Js) ).
holds(acyclic(P), Args, H, Known) :- !, holds(acyclic(P, any), Args, H, Known).
holds(acyclic(P, Field), Args, H, Known) :- !,
    place_value(P, Args, H, I, _),
    reached([I], Field, Known, [], Is),
    \+ ( member(X, Is), findall(Y, edge(Known, X, Field, Y), Ys), reached(Ys, Field, Known, [], Zs), memberchk(X, Zs) ).
holds(_, _, _, _).

reached([], _, _, Is, Is).
reached([I|Open], Field, Known, Is0, Is) :-
    (   ( I >= 0 ; memberchk(I, Is0) ) -> reached(Open, Field, Known, Is0, Is)
    ;   findall(J, edge(Known, I, Field, J), Js),
        append(Js, Open, Open1),
        reached(Open1, Field, Known, [I|Is0], Is)
    ).

edge(Known, I, Field, J) :-
    known_value(Known, place(I0, Key, _, _), V), I0 == I,
    nonvar(V), V = r(J), integer(J),
    ( Field == any -> true ; Key = at(_) -> true ; field(Key, _:Field, _, _, _) ).
