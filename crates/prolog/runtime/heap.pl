% ---------------------------------------------------------------------------------------------
% The heap
%
%     heap(Next, Cells, Globals, Writes, inputs(Constants, Known))
%
% A reference is r(I), where I is a constraint variable or a number: 0 for null, a positive number
% for an object that the program has made, a negative one for an object that was there before. Cells
% maps the numbers of objects that the program has made to cells, Next is the next number. Globals
% maps static fields to values, class(C) to the state of its initialisation, and interned(Cell) to the
% one object with this cell. Cells are
%
%     object(Class, Written, Rest)             Written: list of Field-Value
%     array(Class, Length, Layers, Rest)       see "Arrays"
%     string(Text)                             see string_text/2
%     class(Class)
%
% where a class is a name, or number(C) if it is not known, see "Unknown references", and Rest says what
% was not written: `new` for default values, copy(I, Heap) for what object I had
% in that heap.
%
% Objects that were there before are as in "A CLP heap solver for test case generation", section 3.
% Known is an open list of what has been read of the initial heap, Place-Value. It grows while the
% program looks at things, and is the same in all heaps of a derivation. Writes is S of the paper, the
% writes to such objects, the last one first: write(Place, Value, Reads).
%
% What is read behind a write that may be to the same place is a new variable with a constraint,
% petrel_choice(B, Written, Below, Variable), where petrel_equal(B, I, I1) says whether the places are
% the same: the disjunction of the paper. Reads is an open list of what has been read there before.
% A reference that was read so may be to one of several objects, new ones among them: reads and writes
% through it go to all of them, under conditions.
%
% Constants are the constants of enums: what is unknown and of an enum is one of them, or null.

empty_heap(heap(1, t, t, [], inputs(_, _))).

allocate(heap(N, Cells0, Globals, Writes, Inputs), Cell, r(N), heap(N1, Cells, Globals, Writes, Inputs)) :-
    N1 is N+1,
    put_assoc(N, Cells0, Cell, Cells).

cell(heap(_, Cells, _, _, _), N, Cell) :- get_assoc(N, Cells, Cell).

put_cell(heap(Next, Cells0, Globals, Writes, Inputs), N, Cell, heap(Next, Cells, Globals, Writes, Inputs)) :-
    put_assoc(N, Cells0, Cell, Cells).

global(heap(_, _, Globals, _, _), Key, Value) :- get_assoc(Key, Globals, Value).

put_global(heap(N, Cells, Globals0, Writes, Inputs), Key, Value, heap(N, Cells, Globals, Writes, Inputs)) :-
    put_assoc(Key, Globals0, Value, Globals).

% ---------------------------------------------------------------------------------------------
% Reading and writing
%
% A place is place(I, Key, J, Type): the object, a field, `length`, or at(Kind) for the elements of arrays
% of a kind (see "Arrays"), the index, and the type of what is there.

%! read(+H, +Place, -V)
read(H, Place, V) :- Place = place(I, _, _, _), is_new(I), !, new_value(H, I, Place, V).
read(H, Place, V) :-
    Place = place(I, _, _, _),
    new_objects(I, Ns),
    (   fd_inf(I, Low), integer(Low), Low >= 0
    ->  Ns = [N|Rest], new_value(H, N, Place, V0)
    ;   Rest = Ns,
        arg(4, H, Writes),
        read_behind(Writes, H, Place, V0)
    ),
    read_new(Rest, H, Place, V0, V).

is_new(I) :- integer(I), I > 0.

read_new([], _, _, V, V).
read_new([N|Ns], H, Place, V0, V) :-
    Place = place(I, _, _, Type),
    (   new_value(H, N, Place, V1)
    ->  equal(B, I, N), choice(Type-H, B, V1, V0, V2)
    ;   I #\= N, V2 = V0
    ),
    read_new(Ns, H, Place, V2, V).

% The objects made by the program that a reference may be to.
new_objects(I, Ns) :-
    (   integer(I) -> ( I > 0 -> Ns = [I] ; Ns = [] )
    ;   fd_sup(I, High), integer(High), High =< 0 -> Ns = []
    ;   fd_dom(I, Dom), findall(N, ( domain_member(Dom, N), N > 0 ), Ns)
    ).

read_behind([], H, Place, V) :-
    arg(5, H, inputs(_, Known)),
    initial(Known, H, Place, V).
read_behind([write(Place1, V1, Reads)|Below], H, Place, V) :-
    Place1 = place(_, Key1, _, _),
    Place = place(_, Key, _, Type),
    (   Key1 \== Key
    ->  read_behind(Below, H, Place, V)
    ;   remembered(Reads, Place, V0) -> V = V0
    ;   same_place(H, Place, Place1, B),
        (   B == 1 -> V = V1
        ;   B == 0 -> read_behind(Below, H, Place, V)
        ;   read_behind(Below, H, Place, V0),
            choice(Type-H, B, V1, V0, V),
            append_open(Reads, Place-V)
        )
    ).

remembered(Reads, Place, V) :-
    nonvar(Reads),
    Reads = [Place0-V0|Rest],
    ( Place0 == Place -> V = V0 ; remembered(Rest, Place, V) ).

append_open(List, Element) :- var(List), !, List = [Element|_].
append_open([_|List], Element) :- append_open(List, Element).

% A value of the initial heap: that it is the same in the same place is a constraint for each pair.
initial(Known, H, Place, V) :- var(Known), !,
    Place = place(_, _, _, Type),
    input_value(Type, H, V),
    Known = [Place-V|_].
initial([Place0-V0|Known], H, Place, V) :-
    Place0 = place(_, Key0, _, _),
    Place = place(_, Key, _, Type),
    (   Key0 \== Key
    ->  initial(Known, H, Place, V)
    ;   same_place(H, Place, Place0, B),
        (   B == 1 -> V = V0
        ;   initial(Known, H, Place, V),
            ( B == 0 -> true ; implies_equal(Type, B, V, V0) )
        )
    ).

same_place(H, place(I1, _, J1, _), place(I2, _, J2, _), B) :-
    same_object(H, I1, I2, B1),
    (   B1 == 0 -> B = 0
    ;   equal(B2, J1, J2), both(B1, B2, B)
    ).

%! write(+H, +Place, +V, -H1)
write(H, Place, V, H1) :- Place = place(I, _, _, _), is_new(I), !, put_new_value(H, I, Place, V, H1).
write(H, Place, V, H1) :-
    Place = place(I, _, _, _),
    new_objects(I, Ns),
    write_new(Ns, Place, V, H, H2),
    (   fd_inf(I, Low), integer(Low), Low >= 0 -> H1 = H2
    ;   H2 = heap(Next, Cells, Globals, Writes, Inputs),
        H1 = heap(Next, Cells, Globals, [write(Place, V, _)|Writes], Inputs)
    ).

write_new([], _, _, H, H).
write_new([N|Ns], Place, V, H0, H1) :-
    Place = place(I, _, _, Type),
    (   new_value(H0, N, Place, Old)
    ->  equal(B, I, N),
        choice(Type-H0, B, V, Old, New),
        put_new_value(H0, N, Place, New, H2)
    ;   I #\= N, H2 = H0
    ),
    write_new(Ns, Place, V, H2, H1).

% Objects that the program has made. Fails for those that have no such place.
new_value(H, N, Place, V) :-
    Place = place(_, Key, J, Type),
    cell(H, N, Cell),
    (   Key = length -> Cell = array(_, V, _, _)
    ;   Key = at(_) -> Cell = array(_, _, Layers, Rest), element(Layers, Rest, H, J-Type, V)
    ;   Cell = object(_, Written, Rest),
        (   memberchk(Key-V0, Written) -> V = V0
        ;   Rest = copy(I, H0) -> read(H0, place(I, Key, J, Type), V)
        ;   default(Type, V)
        )
    ).

put_new_value(H, N, place(_, Key, J, _), V, H1) :-
    cell(H, N, Cell0),
    (   Cell0 = array(C, L, Layers0, Rest) -> add_element(Layers0, J, V, Layers), Cell = array(C, L, Layers, Rest)
    ;   Cell0 = object(C, Written0, Rest), write_field(Written0, Key, V, Written), Cell = object(C, Written, Rest)
    ),
    put_cell(H, N, Cell, H1).

write_field([], F, V, [F-V]).
write_field([F0-V0|Fs0], F, V, Fs) :-
    ( F0 == F -> Fs = [F-V|Fs0] ; Fs = [F0-V0|Fs1], write_field(Fs0, F, V, Fs1) ).

% ---------------------------------------------------------------------------------------------
% Objects and static fields

new_object(H, C, R, H1) :- allocate(H, object(C, [], new), R, H1).

get_field(H, r(I), F, V) :-
    field_type(F, Type),
    ( has_no_fields(H, I) -> give_up(field(F)) ; read(H, place(I, F, 0, Type), V) ).

set_field(H, r(I), F, V0, H1) :-
    field_type(F, Type),
    narrow(Type, V0, V),
    ( has_no_fields(H, I) -> give_up(field(F)) ; write(H, place(I, F, 0, Type), V, H1) ).

% Strings and class objects have no fields here.
has_no_fields(H, I) :- is_new(I), \+ cell(H, I, object(_, _, _)).

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
    ;   V = r(0)
    ).

integral('I'). integral('J'). integral('Z'). integral('B'). integral('S'). integral('C').

real_type('F'). real_type('D').

% ---------------------------------------------------------------------------------------------
% Arrays
%
% The elements of a new array are in layers, the last one first: known(Assoc) from index to value, and
% then(J, Value), which was written at an index that is not known.

new_array(H, C, L, R, H1) :- allocate(H, array(C, L, [], new), R, H1).

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

% A number that is not known is enumerated.
choose_number(I) :- integer(I), !.
choose_number(I) :-
    (   fd_size(I, Size), integer(Size), Size =< 1000 -> indomain(I)
    ;   give_up('array of arrays whose length has many values')
    ).

array_length(H, r(I), L) :- read(H, place(I, length, 0, length), L).

get_array(H, r(I), J, V) :-
    class_number_of(H, I, C),
    element_place(C, Type, Key),
    read(H, place(I, Key, J, Type), V).

set_array(H, r(I), J, V0, H1) :-
    class_number_of(H, I, C),
    element_place(C, Type, Key),
    narrow(Type, V0, V),
    write(H, place(I, Key, J, Type), V, H1).

% Arrays of numbers and of references are never the same array. Where an array of references may have
% several classes, what its elements may be depends on its class.
element_place(C, Type, at(Kind)) :-
    (   integer(C) -> class_number(Class, C), sub_atom(Class, 1, _, 0, Type)
    ;   Type = elements(C)
    ),
    ( ( integral(Type) ; real_type(Type) ) -> Kind = Type ; Kind = reference ).

element([], Rest, _, J-Type, V) :-
    (   Rest = copy(I, H0) -> get_array(H0, r(I), J, V)
    ;   default(Type, V)
    ).
element([known(Elements)|Layers], Rest, H, J-Type, V) :-
    (   integer(J)
    ->  ( get_assoc(J, Elements, V0) -> V = V0 ; element(Layers, Rest, H, J-Type, V) )
    ;   element(Layers, Rest, H, J-Type, V0),
        assoc_to_list(Elements, Pairs),
        known_elements(Pairs, Type-H, J, V0, V)
    ).
element([then(J1, V1)|Layers], Rest, H, J-Type, V) :-
    equal(B, J1, J),
    (   B == 1 -> V = V1
    ;   element(Layers, Rest, H, J-Type, V0),
        choice(Type-H, B, V1, V0, V)
    ).

known_elements([], _, _, V, V).
known_elements([J1-V1|Pairs], Type, J, V0, V) :-
    equal(B, J1, J),
    choice(Type, B, V1, V0, V2),
    known_elements(Pairs, Type, J, V2, V).

add_element(Layers0, J, V, Layers) :-
    (   \+ integer(J) -> Layers = [then(J, V)|Layers0]
    ;   Layers0 = [known(Elements0)|Below]
    ->  put_assoc(J, Elements0, V, Elements), Layers = [known(Elements)|Below]
    ;   put_assoc(J, t, V, Elements), Layers = [known(Elements)|Layers0]
    ).

% The class of the elements of an array class.
element_class_of(C, Element) :-
    class_number(Class, C),
    sub_atom(Class, 1, _, 0, Type),
    class_of_type(Type, Element).

% Which classes, null's number included, the elements of an array can have.
element_classes(C, E, Pairs) :-
    fd_dom(C, DomC), fd_dom(E, DomE),
    findall([N, M], ( domain_member(DomC, N), N > 0, element_class_of(N, Element),
                      domain_member(DomE, M), class_fits(M, Element, true-true) ), Pairs).

%! copy_object(+H, +I, -R, -H1): as Object.clone.
copy_object(H, I, R, H1) :-
    class_number_of(H, I, N),
    (   is_new(I) -> cell(H, I, Cell)
    ;   has_length(N) -> array_length(H, r(I), L), Cell = array(number(N), L, [], copy(I, H))
    ;   Cell = object(number(N), [], copy(I, H))
    ),
    allocate(H, Cell, R, H1).

has_length(N) :- fd_dom(N, Dom), domain_member(Dom, M), class_number(C, M), !, sub_atom(C, 0, 1, _, '[').

% ---------------------------------------------------------------------------------------------
% Exceptions, strings and classes

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
message_text(cast(R, C), H, cast(B, C)) :- !, shown_class(H, R, B).
message_text(store(R), H, class(B)) :- !, shown_class(H, R, B).
message_text(Message, _, Message).

% The class of an object, or a variable if there are several.
shown_class(H, r(I), C) :- class_number_of(H, I, N), ( integer(N) -> class_number(C, N) ; true ).

class_of(H, r(I), C) :- class_number_of(H, I, N), indomain(N), N > 0, class_number(C, N).

cell_class(object(C, _, _), C).
cell_class(array(C, _, _, _), C).
cell_class(string(_), 'java/lang/String').
cell_class(class(_), 'java/lang/Class').

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
