% Petrel's runtime library for SWI-Prolog 9 and library(clpfd); the exported program follows it.
%
% The program is in the notation of the papers ("Resource-driven CLP-based test case generation",
% Def. 1 and 2; "Guided test case generation", Def. 1). A rule is
%
%     m(Args, Result, HeapIn, HeapOut, Exit, m(Rule, TraceParameters, Traces)) :- Guards | Body.
%
% where Args and Result are lists and Exit is `ok` or `exc(Reference)`. Guards of the rules of one
% predicate exclude each other. The bar ends the guards, as in guarded Horn clauses: once they are
% entailed, the other rules are not tried, so that a choice point is left only where the guards are
% undecided. Arithmetic of `int` is written as in the papers, `Z #= X + Y`, and of the other types
% with the type around it, `long(Z #= X + Y)`; how wide an `int` is, set_width/1 says.
%
% When the file is loaded, a rule becomes two clauses (see "Loading"): one of m/6, which is plain
% Prolog and runs the program, and one of m/7, which unfolds it under supervision. Predicates of
% this library have other numbers of arguments than 6 and 7.
%
% What to call, the settings first, since they say what an input is:
%
%     set_width(W)                 `int` has W bits, `long` 2*W, and both wrap; or unbounded
%     set_domain(Lo..Hi)           integral inputs are in Lo..Hi as well as in their type
%     set_exceptions(S)            include or exclude cases that end in an uncaught exception
%     set_answers(S)               searched: inputs are found for each answer; or propagated: propagation does not exclude it
%     set_aliasing(S)              include or exclude that two unknown references are the same
%     set_label(S)                 which inputs come first: first, ff, or readable (see "Inputs of a case")
%     run_concrete(Class, Method, Descriptor, Args, Result, Exit)     runs on concrete arguments
%     unfold(Goal, K)              runs m(Args, Result, H0, H1, Exit, Trace), each predicate at most K
%                                  times among the ancestors
%     solve(Goal)                  the same without a bound
%     answers(Goal, K, N)          N is the number of answers
%     case_goal(M, Args, Goal)     Goal calls predicate M on Args in an initial heap
%     count_cases(M, K, N)         answers on unknown arguments
%     show_cases(M, K)             prints inputs for each answer, and what they give
%     show_paths(M, K)             prints answers with the constraints on their inputs
%     label_case(Goal, Objects)    chooses inputs for an answer, on backtracking others
%     next_case(Case)              of what `petrel more --prolog` prints: a further case, on backtracking all
%     counters(Counters)           of the last unfolding: steps, constraints, cuts, answers, undecided
%     unsupported(What, N)         N paths ended because What is not supported
%     input_array(Class, R, Length, H0, H1), input_object(Class, R, H0, H1)     unknown, not null
%
% References are r(I), and r(0) is null. solve/1 finds one answer after the other and does not end where
% a loop or a recursion has any number of iterations: limit(N, solve(Goal)) of library(solution_sequences)
% takes the first N of them. It also does not end where no further answer exists and nothing says so: a
% loop that ends for no input, or rules whose first one always calls itself, so that the others are never
% tried. unfold/2 ends.
%
% An answer is a derivation for which inputs are found. If the limit on work ends the search for them, it
% is an answer, too, and `undecided` counts it.
%
% Texts of exceptions are those of Throwable: overridden getMessage and toString are not asked when
% the runtime itself makes a text.

:- use_module(library(clpfd)).
:- use_module(library(assoc), [get_assoc/3, put_assoc/4, assoc_to_list/2]).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(error), [must_be/2, existence_error/2, type_error/2]).
:- use_module(library(when), [when/2]).
:- use_module(library(lists), [append/3, member/2, nth0/3]).
:- use_module(library(apply), [foldl/4]).
:- use_module(library(pairs), [pairs_keys/2, group_pairs_by_key/2]).

% Java's floats do not trap.
:- set_prolog_flag(float_overflow, infinity).
:- set_prolog_flag(float_zero_div, infinity).
:- set_prolog_flag(float_undefined, nan).
% Constraints of our own: see "Constraints of our own".
:- multifile clpfd:run_propagator/2.
% The two clauses of a rule alternate with those of the next one.
:- style_check(-discontiguous).

% What the exported program states.
:- dynamic class/4, initialisation/2, field/5, method/5, virtual/2, virtual_case/4.

:- op(400, yfx, >>>).

% ---------------------------------------------------------------------------------------------
% Options

:- dynamic range/3, input_domain/1, exceptions/1, aliasing/1, answer_setting/1.

%! set_width(+Width)
%  Width is a number of bits of at least 2, or `unbounded` for mathematical integers. Constants of
%  the program are not narrowed, so a small width suits programs with small constants.
set_width(unbounded) :- !, set_ranges(inf, sup, inf, sup).
set_width(W) :-
    must_be(integer, W), must_be(between(2, 1024), W),
    Int is 1 << (W-1), Long is 1 << (2*W-1),
    IntLow is -Int, IntHigh is Int-1, LongLow is -Long, LongHigh is Long-1,
    set_ranges(IntLow, IntHigh, LongLow, LongHigh).

set_ranges(IntLow, IntHigh, LongLow, LongHigh) :-
    retractall(range(_, _, _)),
    assertz(range(int, IntLow, IntHigh)),
    assertz(range(long, LongLow, LongHigh)).

:- set_width(32).

%! set_domain(+Domain)
%  As `--domain`: every integral input is in it, lengths of arrays apart. `inf..sup` by default.
set_domain(Domain) :- retractall(input_domain(_)), assertz(input_domain(Domain)).

:- set_domain(inf..sup).

%! set_exceptions(+Setting)
set_exceptions(Setting) :-
    must_be(oneof([include, exclude]), Setting),
    retractall(exceptions(_)), assertz(exceptions(Setting)).

:- set_exceptions(include).

%! set_answers(+Setting)
set_answers(Setting) :-
    must_be(oneof([searched, propagated]), Setting),
    retractall(answer_setting(_)),
    assertz(answer_setting(Setting)).

:- set_answers(searched).

%! set_aliasing(+Setting)
set_aliasing(Setting) :-
    must_be(oneof([include, exclude]), Setting),
    retractall(aliasing(_)), assertz(aliasing(Setting)).

:- set_aliasing(include).

% ---------------------------------------------------------------------------------------------
% Counters. They survive backtracking: they count the whole derivation tree.

:- dynamic unsupported/2.

reset_counters :-
    nb_setval(petrel_counters, counters(0, 0, 0, 0, 0)),
    retractall(unsupported(_, _)).

:- reset_counters.

%! counters(-Counters)
%  steps are rules applied, constraints the literals of these rules that are no calls, cuts the
%  derivations that the bound stopped.
counters([steps=Steps, constraints=Constraints, cuts=Cuts, answers=Answers, undecided=Undecided]) :-
    nb_getval(petrel_counters, counters(Steps, Constraints, Cuts, Answers, Undecided)).

count(I, N) :-
    nb_getval(petrel_counters, Counters),
    arg(I, Counters, Old),
    New is Old+N,
    nb_setarg(I, Counters, New).

step(Literals) :-
    nb_getval(petrel_counters, Counters),
    Counters = counters(Steps0, Constraints0, _, _, _),
    Steps is Steps0+1, nb_setarg(1, Counters, Steps),
    Constraints is Constraints0+Literals, nb_setarg(2, Counters, Constraints).

%! give_up(+What) is failure.
%  Ends the path because What is not supported, and keeps account of it.
give_up(What) :-
    ( retract(unsupported(What, N0)) -> N is N0+1 ; N = 1 ),
    assertz(unsupported(What, N)),
    fail.
