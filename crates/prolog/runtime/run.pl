% ---------------------------------------------------------------------------------------------
% Concrete runs and printing

%! run_concrete(+Class, +Method, +Descriptor, +Args, -Result, -Exit)
%  Runs a static method. Arguments and results are numbers, null, strings, and lists for arrays;
%  Exit is `ok` or the text of the exception, as Throwable.toString gives it.
run_concrete(Class, Name, Descriptor, Args, Result, Exit) :-
    (   method(Class, Name, Descriptor, Predicate, static) -> true
    ;   existence_error(method, Class:Name:Descriptor)
    ),
    reset_counters,
    (   run_static(Class, Predicate, Descriptor, Args, H1-Result0-Exit0)
    ->  (   Exit0 = exc(R) -> exception_text(H1, R, Exit)
        ;   Exit = ok, outcome(H1, Result0, ok, Result)
        )
    ;   findall(What, unsupported(What, _), Reasons),
        throw(error(petrel_unsupported(Reasons), Class:Name:Descriptor))
    ).

run_static(Class, Predicate, Descriptor, Args, H1-Result-Exit) :-
    initial_heap(Class, H0),
    parameter_types(Descriptor, Types),
    build_all(Types, Args, Values, H0, H),
    call(Predicate, Values, Result, H, H1, Exit, _).

%! parameter_types(+Descriptor, -Types)
parameter_types(Descriptor, Types) :-
    atom_chars(Descriptor, ['('|Cs]),
    phrase(types(Types), Cs, [')'|_]), !.

types([T|Ts]) --> type(Cs), { atom_chars(T, Cs) }, types(Ts).
types([]) --> [].

type(['['|Cs]) --> ['['], type(Cs).
type(['L'|Cs]) --> ['L'], class_name(Cs).
type([C]) --> [C], { memberchk(C, ['Z', 'B', 'S', 'C', 'I', 'J', 'F', 'D']) }.

class_name([';']) --> [';'], !.
class_name([C|Cs]) --> [C], class_name(Cs).

build_all([], [], [], H, H).
build_all([Type|Types], [Arg|Args], [V|Vs], H0, H1) :-
    build(Type, Arg, V, H0, H2),
    build_all(Types, Args, Vs, H2, H1).

build(_, Arg, Arg, H, H) :- ( number(Arg) ; var(Arg) ; Arg = r(_) ), !.
build(_, null, r(0), H, H) :- !.
build(_, Text, R, H0, H1) :- string(Text), !, allocate(H0, string(Text), R, H1).
build(Type, List, R, H0, H1) :-
    (   is_list(List), atom_concat('[', Inner, Type) -> true
    ;   type_error(Type, List)
    ),
    length(List, L),
    new_array(H0, Type, L, R, H2),
    build_elements(List, 0, Inner-R, H2, H1).

build_elements([], _, _, H, H).
build_elements([E|Es], I, Type-R, H0, H1) :-
    build(Type, E, V, H0, H2),
    set_array(H2, R, I, V, H3),
    I1 is I+1,
    build_elements(Es, I1, Type-R, H3, H1).

%! outcome(+H, +Result, +Exit, -Outcome)
%  Outcome is throws(Class) or throws(Class, Message), `void`, or the result: lists stand for arrays,
%  strings for strings, Class(Field=Value...) for objects.
outcome(H, _, exc(R), Outcome) :- !,
    class_of(H, R, C),
    external_name(C, Name),
    atom_string(Class, Name),
    exception_message(H, R, Message),
    ( Message == null -> Outcome = throws(Class) ; Outcome = throws(Class, Message) ).
outcome(_, [], _, Outcome) :- !, Outcome = void.
outcome(H, [V], _, Outcome) :- shown(V, H, [], Outcome).

% Path guards against cycles: what is being shown already is shown as a reference.
shown(V, _, _, V) :- ( var(V) ; V \= r(_) ), !.
shown(r(I), _, _, Shown) :- I == 0, !, Shown = null.
shown(R, H, Path, Shown) :-
    (   R = r(I), is_new(I), \+ memberchk(R, Path)
    ->  cell(H, I, Cell), shown_cell(Cell, R, H, [R|Path], Shown)
    ;   Shown = R
    ).

shown_cell(string(T), _, _, _, Text) :- string_text(T, Text).
shown_cell(class(C), _, _, _, class(C)).
shown_cell(object(C, Written, Rest), R, H, Path, Shown) :-
    findall(F, ( member(F-_, Written) ; Rest == new, field(F, D:_, _, instance, _), below(C, D) ), Fs0),
    sort(Fs0, Fs),
    shown_fields(Fs, R, H, Path, Args),
    Shown =.. [C|Args].
shown_cell(array(C, L, _, _), R, H, Path, Shown) :-
    (   integer(L) -> shown_elements(0, L, R, H-Path, Shown)
    ;   Shown = array(C, L)
    ).

shown_fields([], _, _, _, []).
shown_fields([F|Fs], R, H, Path, [F=Shown|Rest]) :-
    get_field(H, R, F, V),
    shown(V, H, Path, Shown),
    shown_fields(Fs, R, H, Path, Rest).

shown_elements(I, L, _, _, []) :- I >= L, !.
shown_elements(I, L, R, H-Path, [Shown|Rest]) :-
    get_array(H, R, I, V),
    shown(V, H, Path, Shown),
    I1 is I+1,
    shown_elements(I1, L, R, H-Path, Rest).

show_parts(Name, [Args, Outcome, Trace], Constraints) :-
    numbervars([Args, Outcome, Trace, Constraints], 0, _),
    Call =.. [Name|Args],
    show_line("~W -> ~W~n", [Call, Outcome]),
    ( Constraints == [] -> true ; show_line("    ~W~n", [Constraints]) ),
    show_line("    ~W~n", [Trace]).

show_cells([]).
show_cells([Cell|Cells]) :- show_line("    ~W~n", [Cell]), show_cells(Cells).

show_line(Format, Terms) :-
    Options = [quoted(true), numbervars(true), spacing(next_argument)],
    findall(X, ( member(Term, Terms), member(X, [Term, Options]) ), Args),
    format(Format, Args).

% From here on, rules are loaded.
user:term_expansion(Rule, Clauses) :- expand_rule(Rule, Clauses).

% ---------------------------------------------------------------------------------------------
