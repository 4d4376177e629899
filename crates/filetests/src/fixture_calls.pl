% Answers the calls of a fixture in an exported program, each with one line: its number, a tab, and
% the value as a literal, `void`, `throws Class: message`, the number of cases, or `error: ...`.
% The other side is swipl.rs. The calls follow as facts fixture_call(Number, Call).

:- dynamic fixture_call/2.

fixture_main :-
    forall(fixture_call(Number, Call),
           ( fixture_answer(Call, Text), format("~w\t~s~n", [Number, Text]) )).

fixture_answer(Call, Text) :-
    catch(fixture_limited(Call, Term), Error, Term = error(Error)),
    phrase(fixture_term(Term), Text).

% A limit on work instead of time gives the same answer on every machine.
fixture_limited(Call, Term) :-
    fixture_limit(Limit),
    (   call_with_inference_limit(once(fixture_run(Call, Term0)), Limit, Result)
    ->  ( Result == inference_limit_exceeded -> Term = error(no_answer_within(Limit)) ; Term = Term0 )
    ;   Term = error(failed)
    ).

fixture_limit(400000000).

fixture_run(run(Class, Name, Descriptor, Args), Term) :-
    run_concrete(Class, Name, Descriptor, Args, Result, Exit),
    ( Exit == ok -> Term = Result ; Term = throws(Exit) ).
fixture_run(cases(Class, Name, Options, K), Term) :-
    set_width(32), set_domain(inf..sup), set_exceptions(include), set_aliasing(include),
    maplist(call, Options),
    method(Class, Name, _, Predicate, _),
    count_cases(Predicate, K, Cases),
    findall(What, unsupported(What, _), Reasons),
    ( Reasons == [] -> Term = Cases ; Term = error(unsupported(Reasons)) ).
% Of a loop bound nothing is known here: the number counts if nothing is cut.
fixture_run(paths(Class, Name, Descriptor, Options, K, IsBound), Term) :-
    set_width(32), set_domain(inf..sup), set_exceptions(include), set_aliasing(include),
    maplist(call, Options),
    method(Class, Name, Descriptor, Predicate, _), !,
    (   IsBound == true -> count_cases(Predicate, K, Cases)
    ;   call_with_inference_limit(count_cases(Predicate, K, Cases), 30000000, _)
    ),
    findall(What, unsupported(What, _), Reasons),
    (   var(Cases) -> Term = cut
    ;   counters(Counters), memberchk(cuts=Cuts, Counters), IsBound == false, Cuts > 0 -> Term = cut
    ;   Reasons \== [] -> Term = error(unsupported(Reasons))
    ;   counters(Counters), memberchk(undecided=Undecided, Counters), Undecided > 0
    ->  Term = error(undecided(Cases))
    ;   Term = Cases
    ).
fixture_run(goal(Goal, Term), Term) :- call(Goal).

fixture_term(error(Error)) --> !, "error: ", { format(codes(Text), "~q", [Error]) }, fixture_escaped(Text).
fixture_term(throws(Text)) --> !, "throws ", { string_codes(Text, Codes) }, fixture_escaped(Codes).
fixture_term(Elements) --> { is_list(Elements) }, !, "{", fixture_elements(Elements), "}".
fixture_term(Text) --> { string(Text) }, !,
    "\"", { string_codes(Text, Codes) }, fixture_escaped(Codes), "\"".
fixture_term(Number) --> { float(Number) }, !, fixture_float(Number).
fixture_term(Other) --> { format(codes(Text), "~q", [Other]) }, fixture_escaped(Text).

fixture_elements([]) --> [].
fixture_elements([Element]) --> !, fixture_term(Element).
fixture_elements([Element|Elements]) --> fixture_term(Element), ", ", fixture_elements(Elements).

fixture_float(Number) --> { Number =\= Number }, !, "NaN".
fixture_float(Number) --> { Number =:= inf }, !, "Infinity".
fixture_float(Number) --> { Number =:= -inf }, !, "-Infinity".
fixture_float(Number) --> { format(codes(Text), "~q", [Number]) }, Text.

fixture_escaped([]) --> [].
fixture_escaped([Code|Codes]) --> fixture_escape(Code), fixture_escaped(Codes).

fixture_escape(Code) --> { memberchk(Code, [0'", 0'\\]) }, !, "\\", [Code].
fixture_escape(10) --> !, "\\n".
fixture_escape(13) --> !, "\\r".
fixture_escape(Code) --> { Code >= 32, Code < 127 }, !, [Code].
% A surrogate without its other half, as the exported program writes it.
fixture_escape(Code) --> { Code >= 0x10d800, Code < 0x10e000 }, !,
    { Unit is Code - 0x100000 },
    fixture_escape(Unit).
fixture_escape(Code) --> { Code > 0xffff }, !,
    { High is 0xd800 + ((Code - 0x10000) >> 10), Low is 0xdc00 + ((Code - 0x10000) /\ 0x3ff) },
    fixture_escape(High), fixture_escape(Low).
fixture_escape(Code) --> { format(codes(Text), "\\u~|~`0t~16r~4+", [Code]) }, Text.
