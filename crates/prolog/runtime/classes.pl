% ---------------------------------------------------------------------------------------------
% The hierarchy

% 'LC;' names class C; an array type names itself.
class_of_type(Type, C) :- ( sub_atom(Type, 0, 1, _, 'L') -> atom_concat('L', C0, Type),
    atom_concat(C, ';', C0) ; C = Type ).

%! subtype(+Class, +Class)
subtype(C, C) :- !.
subtype(_, 'java/lang/Object') :- !.
subtype(B, C) :- sub_atom(B, 0, 1, _, '['), !, array_subtype(B, C).
subtype(B, C) :- supertypes(B, Supers), member(S, Supers), subtype(S, C), !.

array_subtype(_, 'java/lang/Cloneable') :- !.
array_subtype(_, 'java/io/Serializable') :- !.
array_subtype(B, C) :-
    atom_concat('[', BE, B), atom_concat('[', CE, C),
    \+ integral(BE), \+ real_type(BE), \+ integral(CE), \+ real_type(CE),
    class_of_type(BE, BC), class_of_type(CE, CC),
    subtype(BC, CC).

supertypes(C, Supers) :-
    (   class(C, Super, Interfaces, _)
    ->  ( Super == none -> Supers = Interfaces ; Supers = [Super|Interfaces] )
    ;   library_super(C, Super) -> Supers = [Super]
    ;   C == 'java/lang/Object' -> Supers = []
    ;   give_up(class(C))
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

% The method is Class:Name:Descriptor. Which one is meant follows from the receiver's class, so it
% is neither a step nor part of the trace.
virtual(Method, [This|Args], Result, H0, H1, Exit, Trace, Mode) :-
    class_of(H0, This, C),
    (   virtual(Method, C, Target)
    ->  (   Target = library(Other)
        ->  library(Other, [This|Args], Result, H0, H1-Exit-Trace)
        ;   invoke(Target, [This|Args], Result, H0, H1, Exit, Trace, Mode)
        )
    ;   library(Method, [This|Args], Result, H0, H1-Exit-Trace)
    ).

%! library(+Method, +Args, -Result, +H0, -H1-Exit-Trace)
%  A method that was not exported: the few that are built in, or the end of the path.
library(_:N:_, _, _, _, _-_-Trace) :- Trace = N, fail.
library(M, Args, Result, H0, H1-ok-_) :- built_in(M, Args, Result, H0, H), !, H1 = H.
library(M, _, _, _, _) :- give_up(call(M)).

built_in('java/lang/Object':'<init>':'()V', [_], [], H, H).
built_in(C:'<init>':Descriptor, [This|Args], [], H0, H1) :-
    subtype(C, 'java/lang/Throwable'),
    throwable_constructor(Descriptor, This, Args, H0, H1).
built_in(C:Name:Descriptor, Args, Result, H0, H1) :-
    throwable_method(Name, Descriptor),
    subtype(C, 'java/lang/Throwable'),
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
    (   Cause == null -> H1 = H2
    ;   throwable_result(toString, [Cause], [S], H2, H3),
        set_field(H3, This, 'java/lang/Throwable.detailMessage', S, H1)
    ).

throwable_method(getMessage, '()Ljava/lang/String;').
throwable_method(getLocalizedMessage, '()Ljava/lang/String;').
throwable_method(toString, '()Ljava/lang/String;').
throwable_method(getCause, '()Ljava/lang/Throwable;').

throwable_result(getMessage, [This], [S], H, H) :-
    get_field(H, This, 'java/lang/Throwable.detailMessage', S).
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
    get_field(H, R, 'java/lang/Throwable.detailMessage', S),
    (   S == null -> Text = Name
    ;   cell(H, S, string(T)), string_text(T, Message),
        string_concat(Name, ": ", Prefix), string_concat(Prefix, Message, Text)
    ).

math(abs, '(I)I', [X], Z) :- V #= abs(X), fit(int, V, Z).
math(abs, '(J)J', [X], Z) :- V #= abs(X), fit(long, V, Z).
math(Name, Descriptor, [X, Y], Z) :-
    memberchk(Descriptor, ['(II)I', '(JJ)J']),
    ( Name == min -> Z #= min(X, Y) ; Name == max -> Z #= max(X, Y) ).

% ---------------------------------------------------------------------------------------------
% Initialisation of classes (JVMS 5.5)

%! initialise(+Class, +H0, -H1, -Exit, -Trace-Mode)
%  Runs the class initialisers that initialisation/2 lists and the program has, superclasses first,
%  each once. The state of a class is kept from the start of its initialiser, so that a request from
%  inside of it is none.
initialise(C, H0, H1, Exit, Trace-Mode) :-
    (   global(H0, class(C), State)
    ->  Trace = initialise(C, [], []),
        ( State == initialised -> H1 = H0, Exit = ok ; erroneous(C, H0, H1, Exit) )
    ;   initialisation(C, Classes)
    ->  run_initialisers(Classes, C, H0, H2, Exit, Traces-Mode),
        Trace = initialise(C, [], Traces),
        ( Exit == ok, \+ global(H2, class(C), _) -> mark([C], initialised, H2, H1) ; H1 = H2 )
    ;   supertypes(C, _), Trace = initialise(C, [], []), H1 = H0, Exit = ok
    ).

erroneous(C, H0, H1, exc(R)) :-
    external_name(C, Name),
    string_concat("Could not initialize class ", Name, Message),
    throwable(H0, 'java/lang/NoClassDefFoundError', Message, R, H1).

run_initialisers([], _, H, H, ok, []-_).
