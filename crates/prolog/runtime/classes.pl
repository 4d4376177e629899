% ---------------------------------------------------------------------------------------------
% The hierarchy

% 'LC;' names class C; an array type names itself.
class_of_type(Type, C) :-
    (   sub_atom(Type, 0, 1, _, 'L') -> atom_concat('L', C0, Type), atom_concat(C, ';', C0)
    ;   C = Type
    ).

%! subtype(+Class, +Class, -Truth)
%  Gives up where the answer depends on a class that nothing is known of.
subtype(B, C, Truth) :-
    (   below(B, C) -> Truth = true
    ;   unknown_ancestor(B, A) -> give_up(class(A))
    ;   Truth = false
    ).

below(C, C) :- !.
below(_, 'java/lang/Object') :- !.
below(unknown(C), D) :- !, below(C, D).
below(B, C) :- sub_atom(B, 0, 1, _, '['), !, array_below(B, C).
below(B, C) :- supertypes(B, Supers), member(S, Supers), below(S, C), !.

array_below(_, 'java/lang/Cloneable') :- !.
array_below(_, 'java/io/Serializable') :- !.
array_below(B, C) :-
    element_class(B, BE), element_class(C, CE),
    below(BE, CE).

% Fails for arrays of numbers, which have no array types above them.
element_class(A, C) :-
    atom_concat('[', Type, A), \+ integral(Type), \+ real_type(Type),
    class_of_type(Type, C).

unknown_ancestor(B, A) :- element_class(B, C), !, unknown_ancestor(C, A).
unknown_ancestor(B, _) :- sub_atom(B, 0, 1, _, '['), !, fail.
unknown_ancestor(unknown(B), B) :- !.
unknown_ancestor(B, A) :-
    (   supertypes(B, Supers) -> member(S, Supers), unknown_ancestor(S, A)
    ;   A = B
    ).

supertypes(C, Supers) :-
    (   class(C, Super, Interfaces, _)
    ->  ( Super == none -> Supers = Interfaces ; Supers = [Super|Interfaces] )
    ;   library_super(C, Super) -> Supers = [Super]
    ;   C == 'java/lang/Object' -> Supers = []
    ).

% Classes that programs use although they do not declare them.
library_super(C, S) :- nonvar(C), library_class(S0, Cs), memberchk(C, Cs), !, S = S0.

library_class('java/lang/Object', ['java/lang/Throwable', 'java/lang/String', 'java/lang/Class']).
library_class('java/lang/Throwable', ['java/lang/Exception', 'java/lang/Error']).
library_class('java/lang/Exception',
    ['java/lang/RuntimeException', 'java/lang/CloneNotSupportedException',
     'java/lang/InterruptedException', 'java/lang/ReflectiveOperationException',
     'java/io/IOException', 'java/util/concurrent/TimeoutException']).
library_class('java/lang/RuntimeException',
    ['java/lang/ArithmeticException', 'java/lang/ArrayStoreException',
     'java/lang/ClassCastException', 'java/lang/IllegalArgumentException',
     'java/lang/IllegalStateException', 'java/lang/IllegalMonitorStateException',
     'java/lang/IndexOutOfBoundsException', 'java/lang/NegativeArraySizeException',
     'java/lang/NullPointerException', 'java/lang/UnsupportedOperationException',
     'java/util/ConcurrentModificationException', 'java/util/EmptyStackException',
     'java/util/NoSuchElementException']).
library_class('java/lang/IllegalArgumentException', ['java/lang/NumberFormatException']).
library_class('java/lang/IndexOutOfBoundsException',
    ['java/lang/ArrayIndexOutOfBoundsException', 'java/lang/StringIndexOutOfBoundsException']).
library_class('java/util/NoSuchElementException', ['java/util/InputMismatchException']).
library_class('java/lang/Error',
    ['java/lang/AssertionError', 'java/lang/LinkageError', 'java/lang/VirtualMachineError']).
library_class('java/lang/LinkageError',
    ['java/lang/ExceptionInInitializerError', 'java/lang/NoClassDefFoundError',
     'java/lang/IncompatibleClassChangeError']).
library_class('java/lang/IncompatibleClassChangeError', ['java/lang/AbstractMethodError']).
library_class('java/lang/VirtualMachineError',
    ['java/lang/OutOfMemoryError', 'java/lang/StackOverflowError']).

% ---------------------------------------------------------------------------------------------
% Calls that select a method

% The called method is selected by the receiver's class. Where the class is known, this is no choice;
% where it is not, the classes with the same method are one path. It is no step either, and does not
% count among the ancestors.
virtual(Name, [This|Args], Result, H0, H1, Exit, Trace, Mode) :-
    This = r(I),
    class_number_of(H0, I, C),
    (   integer(C) -> class_number(Class, C), virtual_target(Name, Class, Number-Target)
    ;   fd_dom(C, Dom),
        findall(Case-N, ( domain_member(Dom, N), N > 0, class_number(Class, N),
                          virtual_target(Name, Class, Case) ), Pairs0),
        keysort(Pairs0, Pairs),
        group_pairs_by_key(Pairs, Groups),
        member((Number-Target)-Ns, Groups),
        union_of(Ns, Part), C in Part
    ),
    Trace =.. [Name, Number, [], Traces],
    (   Target = library(Selected)
    ->  Traces = [], library(Selected, [This|Args], Result, H0, H1-Exit)
    ;   Traces = [T], invoke(Target, [This|Args], Result, H0, H1, Exit, T, Mode)
    ).

virtual_target(Name, Class, Number-Target) :-
    (   virtual_case(Name, Class, Number0, Target0) -> Number = Number0, Target = Target0
    ;   virtual(Name, Method), Number = 0, Target = library(Method)
    ).

%! library(+Method, +Args, -Result, +H0, -H1-Exit)
%  A method that was not exported: one of the few that are built in, or the end of the path.
library(Method, Args, Result, H0, H1-Exit) :-
    (   fallible(Method) -> fallible(Method, Args, Result, H0, H1-Exit)
    ;   built_in(Method, Args, Result, H0, H) -> H1 = H, Exit = ok
    ;   give_up(call(Method))
    ).

% Methods that can throw, or that depend on what an unknown reference is. Compilers call the first
% where the language asks for a check.
fallible('java/util/Objects':requireNonNull:'(Ljava/lang/Object;)Ljava/lang/Object;').
fallible('java/lang/Object':clone:'()Ljava/lang/Object;').
fallible('java/lang/Object':equals:'(Ljava/lang/Object;)Z').

fallible(_:requireNonNull:_, [R], [R], H, H-ok) :- nonnull(H, R, _).
fallible(_:requireNonNull:_, [R], [_], H0, H1-exc(X)) :-
    null(R, _),
    throwable(H0, 'java/lang/NullPointerException', none, X, H1).
fallible(_:clone:_, [This], [R], H0, H1-ok) :-
    instance(H0, This, 'java/lang/Cloneable', _),
    This = r(I),
    copy_object(H0, I, R, H1).
fallible(_:clone:_, [This], [_], H0, H1-exc(X)) :-
    not_instance(H0, This, 'java/lang/Cloneable', _),
    class_of(H0, This, C),
    throwable(H0, 'java/lang/CloneNotSupportedException', class(C), X, H1).
fallible(Method, [This, Other], [V], H, H-ok) :-
    Method = _:equals:_,
    class_of(H, This, C),
    ( compares_by_identity(C) -> true ; give_up(call(Method)) ),
    This = r(I), Other = r(J),
    equal(V, I, J).

% Classes whose superclasses in the class library have no equals of their own.
compares_by_identity(C) :- memberchk(C, ['java/lang/Object', 'java/lang/Enum']), !.
compares_by_identity(C) :- sub_atom(C, 0, 1, _, '['), !.
compares_by_identity(C) :- below(C, 'java/lang/Throwable'), !.
compares_by_identity(C) :- \+ platform_class(C), class(C, Super, _, _), compares_by_identity(Super).

built_in('java/lang/Object':'<init>':'()V', [_], [], H, H).
built_in('java/lang/Object':getClass:'()Ljava/lang/Class;', [This], [R], H0, H1) :-
    class_of(H0, This, C),
    class_object(H0, C, R, H1).
built_in('java/lang/Record':'<init>':'()V', [_], [], H, H).
built_in('java/lang/Enum':'<init>':'(Ljava/lang/String;I)V', [This, Name, Ordinal], [], H0, H1) :-
    set_field(H0, This, 'java/lang/Enum.name', Name, H2),
    set_field(H2, This, 'java/lang/Enum.ordinal', Ordinal, H1).
built_in('java/lang/Enum':name:'()Ljava/lang/String;', [This], [Name], H, H) :-
    get_field(H, This, 'java/lang/Enum.name', Name).
built_in('java/lang/Enum':ordinal:'()I', [This], [Ordinal], H, H) :-
    get_field(H, This, 'java/lang/Enum.ordinal', Ordinal).
% It keeps the cause and sets no message.
built_in('java/lang/ExceptionInInitializerError':'<init>':'(Ljava/lang/Throwable;)V', [This, Cause], [], H0, H1) :- !,
    set_field(H0, This, 'java/lang/Throwable.cause', Cause, H1).
built_in(C:'<init>':Descriptor, [This|Args], [], H0, H1) :-
    below(C, 'java/lang/Throwable'),
    throwable_constructor(Descriptor, This, Args, H0, H1).
built_in(C:Name:Descriptor, Args, Result, H0, H1) :-
    throwable_method(Name, Descriptor),
    below(C, 'java/lang/Throwable'),
    throwable_result(Name, Args, Result, H0, H1).
built_in('java/lang/Math':Name:Descriptor, Args, [Z], H, H) :-
    math(Name, Descriptor, Args, Z).

throwable_constructor('()V', _, [], H, H).
throwable_constructor('(Ljava/lang/String;)V', This, [Message], H0, H1) :-
    set_field(H0, This, 'java/lang/Throwable.detailMessage', Message, H1).
throwable_constructor('(Ljava/lang/String;Ljava/lang/Throwable;)V', This, [M, Cause], H0, H1) :-
    set_field(H0, This, 'java/lang/Throwable.detailMessage', M, H2),
    set_field(H2, This, 'java/lang/Throwable.cause', Cause, H1).
throwable_constructor('(Ljava/lang/Throwable;)V', This, [Cause], H0, H1) :-
    set_field(H0, This, 'java/lang/Throwable.cause', Cause, H2),
    (   Cause == r(0) -> H1 = H2
    ;   throwable_result(toString, [Cause], [S], H2, H3),
        set_field(H3, This, 'java/lang/Throwable.detailMessage', S, H1)
    ).

% Of AssertionError, whose message is made from any object.
throwable_constructor('(Ljava/lang/Object;)V', This, [Detail], H0, H1) :-
    (   Detail == r(0) -> string_constant(H0, "null", S, H2)
    ;   string_cell(H0, Detail, _), S = Detail, H2 = H0
    ),
    set_field(H2, This, 'java/lang/Throwable.detailMessage', S, H1).

throwable_method(getMessage, '()Ljava/lang/String;').
throwable_method(getLocalizedMessage, '()Ljava/lang/String;').
throwable_method(toString, '()Ljava/lang/String;').
throwable_method(getCause, '()Ljava/lang/Throwable;').

throwable_result(getMessage, [This], [S], H, H) :-
    get_field(H, This, 'java/lang/Throwable.detailMessage', S),
    ( string_cell(H, S, Text), inexact(Text) -> give_up(message(Text)) ; true ).
throwable_result(getLocalizedMessage, Args, Result, H0, H1) :-
    throwable_result(getMessage, Args, Result, H0, H1).
throwable_result(getCause, [This], [Cause], H, H) :-
    get_field(H, This, 'java/lang/Throwable.cause', Cause).
throwable_result(toString, [This], [S], H0, H1) :-
    exception_text(H0, This, Text),
    allocate(H0, string(Text), S, H1).

%! exception_text(+H, +R, -String): as Throwable.toString.
exception_text(H, R, Text) :-
    class_of(H, R, C),
    external_name(C, Name),
    exception_message(H, R, Message),
    ( Message == null -> Text = Name ; format(string(Text), "~w: ~w", [Name, Message]) ).

% The message as a string; as a term if it speaks of unknown values; null if there is none, or none
% that is known.
exception_message(H, R, Message) :-
    get_field(H, R, 'java/lang/Throwable.detailMessage', S),
    (   S == r(0) -> Message = null
    ;   string_cell(H, S, Text), string_text(Text, Message)
    ).

string_cell(H, r(I), Text) :- is_new(I), cell(H, I, string(Text)).

math(abs, '(I)I', [X], Z) :- V #= abs(X), fit(int, V, Z).
math(abs, '(J)J', [X], Z) :- V #= abs(X), fit(long, V, Z).
math(abs, '(F)F', [X], Z) :- real(float, abs(X), Z).
math(abs, '(D)D', [X], Z) :- real(double, abs(X), Z).
math(Name, Descriptor, [X, Y], Z) :-
    memberchk(Descriptor, ['(II)I', '(JJ)J']),
    ( Name == min -> Z #= min(X, Y) ; Name == max -> Z #= max(X, Y) ).

% ---------------------------------------------------------------------------------------------
% Initialisation of classes (JVMS 5.5)

%! initialise(+Class, +H0, -H1, -Exit, +Mode)
%  Runs the class initialisers that initialisation/2 lists and the program has, superclasses first,
%  each once. As on the JVM, a class and its superclasses count as initialised before the first of
%  their initialisers runs, and an interface from the start of its own, so that a request from inside
%  is none. As in the rule language, this has no trace.
initialise(C, H0, H1, Exit, Mode) :-
    (   global(H0, class(C), State)
    ->  ( State == initialised -> H1 = H0, Exit = ok ; refuse(C, H0, H1-Exit) )
    ;   initialisation(C, Classes)
    ->  starting(C, H0, Started, Above),
        mark(Started, initialised, H0, H2),
        string_constants(Started, H2, H3),
        (   global(H3, class(Above), erroneous)
        ->  refuse(Above, H3, H4-Exit), mark(Started, erroneous, H4, H1)
        ;   initialise_all(Classes, Started, H3, H1-Exit, Mode)
        )
    ;   supertypes(C, _) -> H1 = H0, Exit = ok
    ;   give_up(initialise(C))
    ).

% The class and its superclasses below the one that was started before.
starting(C, H, Started, Above) :-
    (   ( C == none ; global(H, class(C), _) ) -> Started = [], Above = C
    ;   Started = [C|Rest],
        ( class(C, Super, _, _) -> true ; Super = none ),
        starting(Super, H, Rest, Above)
    ).

initialise_all([], _, H, H-ok, _).
initialise_all([B|Bs], Started, H0, H1-Exit, Mode) :-
    (   \+ memberchk(B, Started), global(H0, class(B), State)
    ->  ( State == initialised -> H2 = H0, Exit0 = ok ; refuse(B, H0, H2-Exit0) )
    ;   mark([B], initialised, H0, H3),
        ( memberchk(B, Started) -> H4 = H3 ; string_constants([B], H3, H4) ),
        run_initialiser(B, H4, H5, Exit1, Mode),
        ( Exit1 = exc(X) -> wrap_exception(X, H5, H2, Exit0) ; H2 = H5, Exit0 = ok )
    ),
    (   Exit0 == ok -> initialise_all(Bs, Started, H2, H1-Exit, Mode)
    ;   Exit = Exit0, mark_below([B|Started], B, H2, H1)
    ).

run_initialiser(C, H0, H1, Exit, Mode) :-
    (   method(C, '<clinit>', '()V', Name, _) -> invoke(Name, [], _, H0, H1, Exit, _, Mode)
    ;   H1 = H0, Exit = ok
    ).

% Constant fields with numbers have their values from the start (see get_static/3); a string needs
% its object first.
string_constants(Cs, H0, H1) :-
    findall(F-Text, ( member(C, Cs), field(F, C:_, _, static, value(string(Text))) ), Pairs),
    put_strings(Pairs, H0, H1).

put_strings([], H, H).
put_strings([F-Text|Pairs], H0, H1) :-
    string_constant(H0, Text, R, H2),
    put_global(H2, F, R, H3),
    put_strings(Pairs, H3, H1).

% What is no Error is wrapped.
wrap_exception(X, H0, H1, exc(R)) :-
    class_of(H0, X, C),
    subtype(C, 'java/lang/Error', Truth),
    (   Truth == true -> R = X, H1 = H0
    ;   new_object(H0, 'java/lang/ExceptionInInitializerError', R, H2),
        set_field(H2, R, 'java/lang/Throwable.cause', X, H1)
    ).

refuse(C, H0, H1-exc(R)) :-
    external_name(C, Name),
    string_concat("Could not initialize class ", Name, Message),
    throwable(H0, 'java/lang/NoClassDefFoundError', Message, R, H1).

mark([], _, H, H).
mark([C|Cs], State, H0, H1) :- put_global(H0, class(C), State, H2), mark(Cs, State, H2, H1).

mark_below(Cs, B, H0, H1) :-
    findall(C, ( member(C, Cs), below(C, B) ), Erroneous),
    mark(Erroneous, erroneous, H0, H1).
