% ---------------------------------------------------------------------------------------------
% Arithmetic of int and long
%
% Numbers are computed, with Java's meaning at the chosen width; variables are constrained. A result
% V of unlimited size is brought into the range of its type by V #= Z + N*2^bits, and Z = V where
% the bounds of V show that nothing can wrap. Unbounded integers never wrap; their shifts are masked
% as those of 32 and 64 bits, and a logical shift sees a negative number at this width.

% The goal that a literal Z #= E stands for.
arithmetic(_, E, Z, convert(C, X, Z)) :- compound(E), E =.. [C, X], conversion(C), !.
arithmetic(K, E, Z, Goal) :-
    E =.. [F|Args0],
    operation(F, Args0, Name), !,
    append(Args0, [Z], Args),
    Goal =.. [Name, K|Args].

operation(+, [_, _], add).
operation(-, [_, _], subtract).
operation(*, [_, _], multiply).
operation(//, [_, _], divide).
operation(rem, [_, _], remainder).
operation(-, [_], negate).
operation(<<, [_, _], shift_left).
operation(>>, [_, _], shift_right).
operation(>>>, [_, _], shift_right_unsigned).
operation(/\, [_, _], bit_and).
operation(\/, [_, _], bit_or).
operation(xor, [_, _], bit_xor).
operation(cmp, [_, _], compare_longs).

add(K, X, Y, Z) :- integer(X), integer(Y), !, V is X+Y, wrap(K, V, Z).
add(K, X, Y, Z) :- V #= X+Y, fit(K, V, Z).

subtract(K, X, Y, Z) :- integer(X), integer(Y), !, V is X-Y, wrap(K, V, Z).
subtract(K, X, Y, Z) :- V #= X-Y, fit(K, V, Z).

multiply(K, X, Y, Z) :- integer(X), integer(Y), !, V is X*Y, wrap(K, V, Z).
multiply(K, X, Y, Z) :- V #= X*Y, fit(K, V, Z).

% Only the smallest number divided by -1 leaves the range.
divide(K, X, Y, Z) :- integer(X), integer(Y), !, V is X//Y, wrap(K, V, Z).
divide(K, X, Y, Z) :- V #= X//Y, fit(K, V, Z).

remainder(_, X, Y, Z) :- integer(X), integer(Y), !, Z is X rem Y.
remainder(_, X, Y, Z) :- Z #= X rem Y.

negate(K, X, Z) :- integer(X), !, V is -X, wrap(K, V, Z).
negate(K, X, Z) :- V #= -X, fit(K, V, Z).

shift_left(K, X, S, Z) :- factor(K, S, F), V #= X*F, fit(K, V, Z).

shift_right(K, X, S, Z) :- factor(K, S, F), Z #= X div F.

shift_right_unsigned(K, X, S, Z) :-
    factor(K, S, F),
    (   F == 1 -> Z = X
    ;   non_negative(X) -> Z #= X div F
    ;   bits(K, Bits), Size is 1 << Bits, V #= (X mod Size) div F,
        Low is -(Size//2), High is Size//2 - 1, fit(Low, High, V, Z)
    ).

% 2 to the power of a shift distance, which is taken modulo the number of bits.
factor(K, S, F) :-
    bits(K, Bits),
    ( integer(S) -> M is S mod Bits, F is 1 << M ; M #= S mod Bits, F #= 2^M ).

bits(K, Bits) :-
    range(K, _, High),
    (   integer(High) -> Bits is msb(High+1)+1
    ;   K == int -> Bits = 32
    ;   Bits = 64
    ).

% Two's complement of any width agrees with that of unlimited integers. library(clpfd) computes
% bitwise operations when the arguments are known; what is easy to say before, is said here.
bit_and(_, X, Y, Z) :- integer(X), integer(Y), !, Z is X /\ Y.
bit_and(K, X, Y, Z) :- integer(X), !, bit_and(K, Y, X, Z).
bit_and(_, X, Y, Z) :- integer(Y), Y >= 0, Y /\ (Y+1) =:= 0, !, M is Y+1, Z #= X mod M.
bit_and(K, X, Y, Z) :-
    bit_range(K, X, Y, Z),
    Z #= X /\ Y,
    ( non_negative(X) -> Z #>= 0, Z #=< X ; true ),
    ( non_negative(Y) -> Z #>= 0, Z #=< Y ; true ).

bit_or(_, X, Y, Z) :- integer(X), integer(Y), !, Z is X \/ Y.
bit_or(K, X, Y, Z) :-
    bit_range(K, X, Y, Z),
    Z #= X \/ Y,
    ( non_negative(X), non_negative(Y) -> Z #>= X, Z #>= Y ; true ).

bit_xor(_, X, Y, Z) :- integer(X), integer(Y), !, Z is X xor Y.
bit_xor(K, X, Y, Z) :- integer(X), !, bit_xor(K, Y, X, Z).
bit_xor(_, X, Y, Z) :- Y == -1, !, Z #= -1-X.
bit_xor(K, X, Y, Z) :-
    bit_range(K, X, Y, Z),
    Z #= X xor Y,
    ( non_negative(X), non_negative(Y) -> Z #>= 0 ; true ).

% The result needs no more bits than the larger argument.
bit_range(K, X, Y, Z) :-
    (   size_in_bits(X, A), size_in_bits(Y, B)
    ->  High is (1 << max(A, B)) - 1, Low is -High-1, Z in Low..High
    ;   range(K, Low, High), Z in Low..High
    ).

size_in_bits(X, Bits) :-
    fd_inf(X, Low), fd_sup(X, High), integer(Low), integer(High),
    Largest is max(High, -1-Low),
    ( Largest =< 0 -> Bits = 0 ; Bits is msb(Largest)+1 ).

non_negative(X) :- fd_inf(X, Low), integer(Low), Low >= 0.

compare_longs(_, X, Y, Z) :- integer(X), integer(Y), !, Z is sign(X-Y).
compare_longs(_, X, Y, Z) :- Z in -1..1, X #< Y #<==> Z #< 0, X #> Y #<==> Z #> 0.

% ---------------------------------------------------------------------------------------------
% Ranges

wrap(K, V, Z) :- range(K, Low, High), wrap(Low, High, V, Z).

wrap(Low, High, V, Z) :-
    (   Low == inf -> Z = V
    ;   V >= Low, V =< High -> Z = V
    ;   Z is (V-Low) mod (High-Low+1) + Low
    ).

fit(K, V, Z) :- range(K, Low, High), fit(Low, High, V, Z).

fit(Low, High, V, Z) :- integer(V), !, wrap(Low, High, V, Z).
fit(inf, _, V, Z) :- !, Z = V.
fit(Low, High, V, Z) :-
    fd_inf(V, VLow), fd_sup(V, VHigh),
    Size is High-Low+1,
    (   integer(VLow) -> NLow is (VLow-Low) div Size ; NLow = inf ),
    (   integer(VHigh) -> NHigh is (VHigh-Low) div Size ; NHigh = sup ),
    (   NLow == 0, NHigh == 0 -> Z = V
    ;   Z in Low..High, N in NLow..NHigh, V #= Z + N*Size
    ).

% The range of a field descriptor. Types narrower than `int` have Java's ranges, unless the chosen
% width makes `int` narrower still: then they are as `int`.
type_range('I', Low, High) :- !, range(int, Low, High).
type_range('J', Low, High) :- !, range(long, Low, High).
type_range(Type, Low, High) :-
    narrow_range(Type, Low0, High0),
    range(int, IntLow, IntHigh),
    (   integer(IntHigh), High0 > IntHigh -> Low = IntLow, High = IntHigh
    ;   Low = Low0, High = High0
    ).

narrow_range('Z', 0, 1).
narrow_range('B', -128, 127).
narrow_range('S', -32768, 32767).
narrow_range('C', 0, 65535).

%! narrow(+Descriptor, +V, -Z): the value that a field or element of this type keeps of V.
narrow(Type, V, Z) :-
    (   narrow_range(Type, _, _)
    ->  type_range(Type, Low, High), fit(Low, High, V, Z)
    ;   Z = V
    ).

% ---------------------------------------------------------------------------------------------
% Conversions

conversion(i2l). conversion(i2f). conversion(i2d).
conversion(l2i). conversion(l2f). conversion(l2d).
conversion(f2i). conversion(f2l). conversion(f2d).
conversion(d2i). conversion(d2l). conversion(d2f).
conversion(i2b). conversion(i2c). conversion(i2s).

convert(i2l, X, X) :- !.
convert(f2d, X, X) :- !.
convert(l2i, X, Z) :- !, fit(int, X, Z).
convert(i2b, X, Z) :- !, narrow('B', X, Z).
convert(i2c, X, Z) :- !, narrow('C', X, Z).
convert(i2s, X, Z) :- !, narrow('S', X, Z).
convert(C, X, Z) :- nonvar(X), !, convert_number(C, X, Z).
convert(C, X, Z) :- freeze(X, convert_number(C, X, Z)).

convert_number(i2d, X, Z) :- Z is float(X).
convert_number(l2d, X, Z) :- Z is float(X).
convert_number(i2f, X, Z) :- integer_to_single(X, Z).
convert_number(l2f, X, Z) :- integer_to_single(X, Z).
convert_number(d2f, X, Z) :- single(X, Z).
convert_number(f2i, X, Z) :- saturate(int, X, Z).
convert_number(d2i, X, Z) :- saturate(int, X, Z).
convert_number(f2l, X, Z) :- saturate(long, X, Z).
convert_number(d2l, X, Z) :- saturate(long, X, Z).
