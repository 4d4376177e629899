% ---------------------------------------------------------------------------------------------
% Arithmetic of float and double
%
% There are no constraints over floats here: operations on unknown numbers wait until these are
% known, and a guard over an unknown number ends the path as unsupported. A number of type `float`
% is held as the double of the same value.

real(K, E, Z) :- ground(E), !, real_value(E, K, Z).
real(K, E, Z) :- when(ground(E), real_value(E, K, Z)).

real_value(X rem Y, _, Z) :- !, real_remainder(X, Y, Z).
real_value(cmpl(X, Y), _, Z) :- !, compare_reals(X, Y, -1, Z).
real_value(cmpg(X, Y), _, Z) :- !, compare_reals(X, Y, 1, Z).
% SWI-Prolog 9.0 forgets the sign of zero here.
real_value(X / Y, _, Z) :- is_infinite(Y), X =:= 0.0, !, Z is copysign(X, copysign(1.0, X)*Y).
real_value(E, K, Z) :- V is E, ( K == float -> single(V, Z) ; Z = V ).

compare_reals(X, Y, NaN, Z) :-
    (   X < Y -> Z = -1
    ;   X =:= Y -> Z = 0
    ;   X > Y -> Z = 1
    ;   Z = NaN
    ).

% C's fmod: exact, with the sign of the dividend, which zero has too.
real_remainder(X, Y, Z) :-
    (   ( is_nan(X) ; is_nan(Y) ; is_infinite(X) ; Y =:= 0.0 ) -> Z is nan
    ;   ( is_infinite(Y) ; X =:= 0.0 ) -> Z = X
    ;   Q is truncate(rational(X) / rational(Y)),
        R is float(rational(X) - Q*rational(Y)),
        Z is copysign(R, X)
    ).

is_nan(X) :- X =\= X.
is_infinite(X) :- abs(X) =:= inf.

% Rounds a double to the nearest float, ties to even. Adding and subtracting a number whose last
% digit has the weight of the float's last digit makes the processor round there. The sum, product,
% quotient and remainder of floats are right after this second rounding, because a double has more
% than twice as many digits.
single(X, Z) :-
    (   ( X =:= 0.0 ; is_nan(X) ) -> Z = X
    ;   abs(X) >= 2.0**128 -> Z is copysign(inf, X)
    ;   R is rational(X),
        Exponent is max(-126, msb(abs(numerator(R))) - msb(denominator(R))),
        Rounder is 1.5 * 2.0**(Exponent+29),
        V is copysign((abs(X)+Rounder)-Rounder, X),
        ( abs(V) >= 2.0**128 -> Z is copysign(inf, X) ; Z = V )
    ).

% Rounding first to double and then to float would be wrong for large numbers. Of those the first
% 52 digits are kept, with the last one set if any digit was lost ("round to odd").
integer_to_single(X, Z) :-
    A is abs(X),
    (   A < 1<<53 -> V = A
    ;   Shift is msb(A)-51,
        Kept is A >> Shift,
        ( Kept << Shift =:= A -> V = A ; V is (Kept \/ 1) << Shift )
    ),
    D is copysign(float(V), X),
    single(D, Z).

% Java's narrowing of a float: towards zero, to the nearest number of the range; 0 for NaN. An
% unbounded integer has the range of Java's own type here.
saturate(K, X, Z) :-
    bits(K, Bits), High is (1 << (Bits-1)) - 1, Low is -High-1,
    (   is_nan(X) -> Z = 0
    ;   X >= High -> Z = High
    ;   X =< Low -> Z = Low
    ;   Z is truncate(X)
    ).

%! float_compare(+X, +Relation, +Y, +NaN, -Decision)
%  A guard; NaN says whether it holds when X or Y is NaN.
float_compare(X, _, Y, _, _) :- ( var(X) ; var(Y) ), !, give_up('symbolic float in a guard').
float_compare(X, Relation, Y, NaN, true) :-
    (   ( is_nan(X) ; is_nan(Y) ) -> NaN == true
    ;   float_relation(Relation, X, Y)
    ).

float_relation(#=, X, Y) :- X =:= Y.
float_relation(#\=, X, Y) :- X =\= Y.
float_relation(#<, X, Y) :- X < Y.
float_relation(#>=, X, Y) :- X >= Y.
float_relation(#>, X, Y) :- X > Y.
float_relation(#=<, X, Y) :- X =< Y.
