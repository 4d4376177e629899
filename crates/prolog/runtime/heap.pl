% ---------------------------------------------------------------------------------------------
% The heap
%
%     heap(Next, Cells, Globals, Inputs)
%
% Cells maps reference numbers to cells; Next is the next number. Globals maps static fields to
% values, class(C) to the state of its initialisation, and interned(Cell) to the one object with
% this cell.
% Inputs is an open list of the cells that exist before the method starts: number -1 is its first
% element, -2 its second. It grows while the method looks at them, and is never changed: a changed
% input cell has its new state in Cells. References are r(Number) or null. Cells are
%
%     object(Class, Written, Rest)             Written: list of Field-Value
%     array(Class, Length, Written, Rest)      Written: from index to value
%     string(Text)                             see string_text/2
%     class(Class)
%
% where Rest says what was not written: `new` for default values, open(List) for unknown ones, which
% come into the open list when they are first read.

empty_heap(heap(0, t, t, _)).

allocate(heap(N, Cells0, Globals, Inputs), Cell, r(N), heap(N1, Cells, Globals, Inputs)) :-
    N1 is N+1,
    put_assoc(N, Cells0, Cell, Cells).

cell(heap(_, Cells, _, Inputs), r(N), Cell) :-
    (   get_assoc(N, Cells, Cell0) -> Cell = Cell0
    ;   I is -N, nth1(I, Inputs, Cell0) -> Cell = Cell0
    ).

put_cell(heap(Next, Cells0, Globals, Inputs), r(N), Cell, heap(Next, Cells, Globals, Inputs)) :-
    put_assoc(N, Cells0, Cell, Cells).

global(heap(_, _, Globals, _), Key, Value) :- get_assoc(Key, Globals, Value).

put_global(heap(N, Cells, Globals0, Inputs), Key, Value, heap(N, Cells, Globals, Inputs)) :-
    put_assoc(Key, Globals0, Value, Globals).

% ---------------------------------------------------------------------------------------------
% Objects and static fields

new_object(H, C, R, H1) :- allocate(H, object(C, [], new), R, H1).

get_field(H, R, F, V) :-
    object_cell(H, R, F, object(_, Written, Rest)),
    (   memberchk(F-V0, Written) -> V = V0
    ;   Rest = open(Unknown) -> field_type(F, Type), unknown_field(Unknown, F, Type, V)
    ;   field_type(F, Type), default(Type, V)
    ).

set_field(H, R, F, V0, H1) :-
    field_type(F, Type),
    narrow(Type, V0, V),
    object_cell(H, R, F, object(C, Written0, Rest)),
    write_field(Written0, F, V, Written),
    put_cell(H, R, object(C, Written, Rest), H1).

% Strings and class objects have no fields here.
object_cell(H, R, F, Cell) :-
    cell(H, R, Cell0),
    ( Cell0 = object(_, _, _) -> Cell = Cell0 ; give_up(field(F)) ).

write_field([], F, V, [F-V]).
write_field([F0-V0|Fs0], F, V, Fs) :-
    ( F0 == F -> Fs = [F-V|Fs0] ; Fs = [F0-V0|Fs1], write_field(Fs0, F, V, Fs1) ).

unknown_field(Fs, F, Type, V) :- var(Fs), !, Fs = [F-V|_], input_value(Type, V).
unknown_field([F0-V0|Fs], F, Type, V) :-
    ( F0 == F -> V = V0 ; unknown_field(Fs, F, Type, V) ).

get_static(H, F, V) :-
    (   global(H, F, V0) -> V = V0
    ;   field(F, _, _, static, value(Constant)) -> V = Constant
    ;   field(F, C:_, _, static, _), initialiser_is_missing(C) -> give_up(static(F))
    ;   field_type(F, Type), default(Type, V)
    ).

% A class of the library whose initialiser is not exported: what it puts into its fields is unknown.
initialiser_is_missing(C) :-
    initialisation(C, Classes), memberchk(C, Classes),
    \+ method(C, '<clinit>', '()V', _, _).

set_static(H, F, V0, H1) :- field_type(F, Type), narrow(Type, V0, V), put_global(H, F, V, H1).

field_type(F, Type) :- ( field(F, _, Type0, _, _) -> Type = Type0 ; Type = 'Ljava/lang/Object;' ).

default(Type, V) :-
    (   integral(Type) -> V = 0
    ;   real_type(Type) -> V = 0.0
    ;   V = null
    ).

integral('I'). integral('J'). integral('Z'). integral('B'). integral('S'). integral('C').

real_type('F'). real_type('D').

% ---------------------------------------------------------------------------------------------
% Arrays

new_array(H, C, L, R, H1) :- allocate(H, array(C, L, t, new), R, H1).

% The inner arrays exist one by one, so all lengths but the last have to be numbers.
new_multi_array(H, C, [L], R, H1) :- !, new_array(H, C, L, R, H1).
new_multi_array(H, C, [L|Ls], R, H1) :-
    choose_number(L),
    new_array(H, C, L, R, H2),
    sub_atom(C, 1, _, 0, Inner),
    fill_rows(0-L, R, Inner-Ls, H2, H1).

fill_rows(I-L, _, _, H, H1) :- I >= L, !, H1 = H.
fill_rows(I-L, R, Inner-Ls, H, H1) :-
    new_multi_array(H, Inner, Ls, Element, H2),
    set_array(H2, R, I, Element, H3),
    I1 is I+1,
    fill_rows(I1-L, R, Inner-Ls, H3, H1).

array_length(H, R, L) :- cell(H, R, array(_, L, _, _)).

get_array(H, R, I, V) :-
    choose_number(I),
    cell(H, R, array(C, _, Written, Rest)),
    (   get_assoc(I, Written, V0) -> V = V0
    ;   sub_atom(C, 1, _, 0, Type),
        ( Rest = open(Unknown) -> unknown_element(I, Unknown, Type, V) ; default(Type, V) )
    ).

set_array(H, R, I, V0, H1) :-
    choose_number(I),
    cell(H, R, array(C, L, Written0, Rest)),
    sub_atom(C, 1, _, 0, Type),
    narrow(Type, V0, V),
    put_assoc(I, Written0, V, Written),
    put_cell(H, R, array(C, L, Written, Rest), H1).

% An element comes into being when it is first reached, so that a length needs no upper bound.
unknown_element(I, Es, Type, V) :-
    ( var(Es) -> Es = [E|_], input_value(Type, E) ; true ),
    Es = [E0|Es0],
    ( I =:= 0 -> V = E0 ; I1 is I-1, unknown_element(I1, Es0, Type, V) ).

element_type(H, R, C) :-
    cell(H, R, array(A, _, _, _)),
    sub_atom(A, 1, _, 0, Type),
    class_of_type(Type, C).

% An index that is not known is enumerated: cells are found by number.
choose_number(I) :- integer(I), !.
choose_number(I) :-
    (   fd_inf(I, Low), fd_sup(I, High), integer(Low), integer(High) -> indomain(I)
    ;   give_up('array index or length without bounds')
    ).

% ---------------------------------------------------------------------------------------------
% Strings, classes and exceptions

%! string_constant(+H, +Text, -R, -H1): the interned string.
string_constant(H, Text, R, H1) :- interned(H, string(Text), R, H1).

class_object(H, C, R, H1) :- interned(H, class(C), R, H1).

interned(H, Cell, R, H1) :-
    (   global(H, interned(Cell), R0) -> R = R0, H1 = H
    ;   allocate(H, Cell, R, H2), put_global(H2, interned(Cell), R, H1)
    ).

%! throwable(+H, +Class, +Message, -R, -H1): an exception that the JVM itself makes.
throwable(H, C, none, R, H1) :- !, new_object(H, C, R, H1).
throwable(H, C, Message0, R, H1) :-
    message_text(Message0, H, Message),
    allocate(H, string(Message), S, H2),
    allocate(H2, object(C, ['java/lang/Throwable.detailMessage'-S], new), R, H1).

message_text(bounds(A, I), H, bounds(I, L)) :- !, array_length(H, A, L).
message_text(cast(R, C), H, cast(B, C)) :- !, class_of(H, R, B).
message_text(store(R), H, class(B)) :- !, class_of(H, R, B).
message_text(Message, _, Message).

%! string_text(+Text, -String)
%  What a string cell holds is a string, or says how to make one from values that may be unknown.
string_text(Text, String) :- string(Text), !, String = Text.
string_text(Text, Message) :- inexact(Text), !, Message = null.
string_text(Text, Message) :- \+ ground(Text), !, Message = Text.
string_text(bounds(I, L), String) :-
    format(string(String), "Index ~w out of bounds for length ~w", [I, L]).
string_text(size(N), String) :- format(string(String), "~w", [N]).
string_text(class(C), String) :- external_name(C, String).

% Messages that say more than the program knows: the names of variables, the modules of classes.
inexact(null_at(_)).
inexact(cast(_, _)).

external_name(C, String) :-
    atomic_list_concat(Parts, /, C),
    atomic_list_concat(Parts, '.', Name),
    atom_string(Name, String).

class_of(H, R, C) :- cell(H, R, Cell), cell_class(Cell, C).

cell_class(object(C, _, _), C).
cell_class(array(C, _, _, _), C).
cell_class(string(_), 'java/lang/String').
cell_class(class(_), 'java/lang/Class').

instance_of(H, R, C, V) :-
    known(H, R, _),
    (   R == null -> V = 0
    ;   has_class(H, R, C, Truth), ( Truth == true -> V = 1 ; V = 0 )
    ).

% ---------------------------------------------------------------------------------------------
% Unknown values
%
% An unknown reference is a variable with its declared type as attribute. When a guard needs to know
% what it is, it is null, an input object that is there, or a new input object ("lazy
% initialisation"): an array of exactly that type, or an object of one of the program's own classes
% below that type, or if there are none, of exactly that type.

% It is never an object that the program has made. Two of them that are the same have the narrower
% of their types, and if neither type is below the other, they are null.
petrel:attr_unify_hook(Type, Other) :-
    (   Other == null -> true
    ;   nonvar(Other) -> Other = r(N), N < 0
    ;   get_attr(Other, petrel, Type2)
    ->  class_of_type(Type, C), class_of_type(Type2, C2),
        ( below(C2, C) -> true ; below(C, C2) -> put_attr(Other, petrel, Type) ; Other = null )
    ;   put_attr(Other, petrel, Type)
    ).
petrel:attribute_goals(R) --> { get_attr(R, petrel, Type) }, [reference(R, Type)].

%! input_value(+Type, ?V): V is an input of this type.
input_value(Type, V) :- integral(Type), !,
    type_range(Type, Low, High), V in Low..High, input_domain(Domain), V in Domain.
input_value(Type, _) :- real_type(Type), !.
input_value(Type, R) :- ( var(R), \+ get_attr(R, petrel, _) -> put_attr(R, petrel, Type) ; true ).

%! input_array(+Class, -R, ?Length, +H0, -H1)
%  An unknown array of a class such as '[I'; its elements are created when they are read.
input_array(C, R, L, H, H) :- length_range(L), new_input(H, array(C, L, t, open(_)), R).

length_range(L) :- range(int, _, High), L in 0..High.

%! input_object(+Class, -R, +H0, -H1)
input_object(C, R, H, H) :- new_input(H, object(C, [], open(_)), R).

new_input(heap(_, _, _, Inputs), Cell, R) :- append_open(Inputs, Cell, 1, I), N is -I, R = r(N).

append_open(Cells, Cell, I, J) :- var(Cells), !, Cells = [Cell|_], J = I.
append_open([_|Cells], Cell, I, J) :- I1 is I+1, append_open(Cells, Cell, I1, J).

input_cells(heap(_, _, _, Inputs), Cells) :- input_cells(Inputs, -1, Cells).

input_cells(Inputs, _, []) :- var(Inputs), !.
input_cells([Cell|Inputs], N, [r(N)=Cell|Cells]) :- N1 is N-1, input_cells(Inputs, N1, Cells).

choose_object(H, R) :-
    (   get_attr(R, petrel, Type) -> true ; give_up('reference of unknown type') ),
    class_of_type(Type, Declared),
    (   aliasing(include), input_cells(H, Cells), member(R0=Cell, Cells),
        cell_class(Cell, C), below(C, Declared),
        R = R0
    ;   unknown_cell(Declared, Cell), new_input(H, Cell, R)
    ).

unknown_cell(Declared, array(Declared, L, t, open(_))) :- sub_atom(Declared, 0, 1, _, '['), !,
    length_range(L).
unknown_cell(Declared, object(C, [], open(_))) :-
    findall(C0, ( class(C0, _, _, class), \+ platform_class(C0), below(C0, Declared) ), Classes),
    (   Classes = [_|_] -> member(C, Classes)
    ;   class(Declared, _, _, class) -> C = Declared
    ;   give_up(unknown(Declared))
    ).

platform_class(C) :- member(Prefix, ['java/', 'javax/', 'jdk/']), sub_atom(C, 0, _, _, Prefix), !.
