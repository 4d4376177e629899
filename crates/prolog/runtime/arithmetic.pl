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
add(K, X, Y, Z) :-
    V #= X+Y, fit(K, V, Z),
    (   Z \== V -> true
    ;   integer(Y) -> distance_of(X, Y, Z)
    ;   integer(X) -> distance_of(Y, X, Z)
    ;   true
    ).

subtract(K, X, Y, Z) :- integer(X), integer(Y), !, V is X-Y, wrap(K, V, Z).
subtract(K, X, Y, Z) :-
    V #= X-Y, fit(K, V, Z),
    ( Z == V, integer(Y) -> distance_of(Z, Y, X) ; true ).

multiply(K, X, Y, Z) :- integer(X), integer(Y), !, V is X*Y, wrap(K, V, Z).
multiply(K, X, Y, Z) :- V #= X*Y, fit(K, V, Z).

% Only the smallest number divided by -1 leaves the range.
divide(K, X, Y, Z) :- integer(X), integer(Y), !, V is X//Y, wrap(K, V, Z).
divide(K, X, Y, Z) :- division(X, Y, V, _), fit(K, V, Z).

remainder(_, X, Y, Z) :- integer(X), integer(Y), !, Z is X rem Y.
remainder(_, X, Y, Z) :- division(X, Y, _, Z).

% X is P + R and P is Y*Q, where R is smaller than Y and has the sign of X, or is 0: so P is between 0
% and X. The product of library(clpfd) looks further than this one, and takes much longer where
% divisions follow each other.
division(X, Y, Q, R) :-
    no_larger(Q, X), no_larger(P, X),
    X #= P+R,
    constraint(petrel_division(X, Y, Q, P, R)).

clpfd:run_propagator(petrel_division(X, Y, Q, P, R), State) :-
    (   integer(X), integer(Y) -> clpfd:kill(State), Y =\= 0, Q is X//Y, R is X rem Y, P is X-R
    ;   user:division_bounds(X, Y, P, R),
        user:product_bounds(Y, Q, P)
    ).

% Sizes and signs: Y is not 0.
product_bounds(Y, Q, P) :-
    smallest_size(Y, LeastY), smallest_size(P, LeastP),
    (   largest_size(P, MostP) -> MostQ is MostP // max(1, LeastY), LowQ is -MostQ, keep(Q, LowQ..MostQ) ; true ),
    (   LeastP > 0
    ->  ( largest_size(Y, MostY) -> LeastQ is max(1, (LeastP+MostY-1) // MostY) ; LeastQ = 1 ),
        away(Q, LeastQ),
        ( largest_size(Q, MostQ1) -> LeastY1 is (LeastP+MostQ1-1) // MostQ1, away(Y, LeastY1) ; true )
    ;   true
    ),
    smallest_size(Q, LeastQ2),
    (   LeastQ2 > 0, LeastP1 is max(1, LeastY)*LeastQ2
    ->  away(P, LeastP1),
        ( largest_size(P, MostP2) -> MostY2 is MostP2 // LeastQ2, LowY2 is -MostY2, keep(Y, LowY2..MostY2) ; true )
    ;   true
    ),
    ( largest_size(Y, MostY3), largest_size(Q, MostQ3) -> MostP3 is MostY3*MostQ3, LowP3 is -MostP3, keep(P, LowP3..MostP3) ; true ),
    signs(Y, Q, P), signs(Q, Y, P),
    (   integer(Y), integer(Q) -> Product is Y*Q, keep(P, Product..Product)
    ;   integer(Y), integer(P) -> P mod Y =:= 0, Quotient is P//Y, keep(Q, Quotient..Quotient)
    ;   integer(Q), integer(P), Q =\= 0 -> P mod Q =:= 0, Quotient is P//Q, keep(Y, Quotient..Quotient)
    ;   true
    ).

away(X, Size) :- ( Size > 0 -> Low is -Size, keep(X, inf..Low \/ Size..sup) ; true ).

% P is A*B: what the sign of A says.
signs(A, B, P) :-
    (   fd_inf(A, LowA), integer(LowA), LowA >= 0 -> same_sign(B, P)
    ;   fd_sup(A, HighA), integer(HighA), HighA =< 0 -> other_sign(B, P)
    ;   true
    ).

same_sign(B, P) :-
    (   fd_inf(B, LowB), integer(LowB), LowB >= 0 -> keep(P, 0..sup)
    ;   fd_sup(B, HighB), integer(HighB), HighB =< 0 -> keep(P, inf..0)
    ;   fd_inf(P, LowP), integer(LowP), LowP > 0 -> keep(B, 1..sup)
    ;   fd_sup(P, HighP), integer(HighP), HighP < 0 -> keep(B, inf..(-1))
    ;   true
    ).

other_sign(B, P) :-
    (   fd_inf(B, LowB), integer(LowB), LowB >= 0 -> keep(P, inf..0)
    ;   fd_sup(B, HighB), integer(HighB), HighB =< 0 -> keep(P, 0..sup)
    ;   fd_inf(P, LowP), integer(LowP), LowP > 0 -> keep(B, inf..(-1))
    ;   fd_sup(P, HighP), integer(HighP), HighP < 0 -> keep(B, 1..sup)
    ;   true
    ).

division_bounds(X, Y, P, R) :-
    fd_inf(X, LowX), fd_sup(X, HighX),
    fd_inf(R, LowR), fd_sup(R, HighR), fd_inf(P, LowP), fd_sup(P, HighP),
    (   integer(LowX), LowX >= 0 -> keep(R, 0..HighX), keep(P, 0..HighX)
    ;   integer(HighX), HighX =< 0 -> keep(R, LowX..0), keep(P, LowX..0)
    ;   integer(LowR), LowR > 0 -> keep(X, LowR..sup)
    ;   integer(HighR), HighR < 0 -> keep(X, inf..HighR)
    ;   integer(LowP), LowP > 0 -> keep(X, LowP..sup)
    ;   integer(HighP), HighP < 0 -> keep(X, inf..HighP)
    ;   true
    ),
    (   largest_size(Y, LargestY) -> Below is LargestY-1, Above is -Below, keep(R, Above..Below) ; true ),
    smallest_size(R, SmallestR),
    More is SmallestR+1, Less is -More,
    keep(Y, inf..Less \/ More..sup),
    (   largest_size(X, LargestX), smallest_size(Y, SmallestY), LargestX < SmallestY -> R = X ; true ).

no_larger(Q, X) :- ( largest_size(X, Size) -> Least is -Size, Q in Least..Size ; true ).

largest_size(X, Size) :- fd_inf(X, Low), fd_sup(X, High), integer(Low), integer(High), Size is max(abs(Low), abs(High)).

% The distance of a domain from 0.
smallest_size(X, Size) :-
    fd_dom(X, Dom),
    findall(S, ( interval(Dom, Low, High), distance(Low, High, S) ), Sizes),
    min_of(Sizes, Size).

distance(Low, High, S) :-
    (   integer(Low), Low > 0 -> S = Low
    ;   integer(High), High < 0 -> S is -High
    ;   S = 0
    ).

min_of([S], S) :- !.
min_of([S|Ss], Min) :- min_of(Ss, M), Min is min(S, M).

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

% Two's complement of any width agrees with that of unlimited integers. A number on which there is a
% bitwise operation has its parts as an attribute, part(Low, Length, Part) from the lowest: with a
% constant it is cut where the constant has ones and where it has zeros, without, into bits. The last
% part goes on for ever and has the sign. What later operations cut, they cut from these parts, so that
% what one of them says of a bit holds for the others.
bit_and(_, X, Y, Z) :- integer(X), integer(Y), !, Z is X /\ Y.
bit_and(K, X, Y, Z) :- bitwise(K, and, X, Y, Z).

bit_or(_, X, Y, Z) :- integer(X), integer(Y), !, Z is X \/ Y.
bit_or(K, X, Y, Z) :- bitwise(K, or, X, Y, Z).

bit_xor(_, X, Y, Z) :- integer(X), integer(Y), !, Z is X xor Y.
bit_xor(K, X, Y, Z) :- bitwise(K, xor, X, Y, Z).

petrel_parts:attr_unify_hook(_, _).
petrel_parts:attribute_goals(_) --> [].

bitwise(K, Operation, X, Y, Z) :- integer(X), !, bitwise(K, Operation, Y, X, Z).
bitwise(_, Operation, X, Y, Z) :- integer(Y), !,
    changes(Y, 0, Points),
    cut(X, Points, Parts),
    with_constant(Parts, Operation, Y, Results),
    composed(Results, Z).
bitwise(K, Operation, X, Y, Z) :-
    (   size_in_bits(X, A), size_in_bits(Y, B) -> N is max(A, B)
    ;   bits(K, Bits), N is Bits-1
    ),
    findall(I, between(1, N, I), Points),
    cut(X, Points, Xs), cut(Y, Points, Ys),
    each_bit(Xs, Ys, Operation, Zs),
    composed(Zs, Z).

%! changes(+Number, +Low, -Points): the bits that are other than the one below.
changes(Number, Low, Points) :-
    Flipped is Number xor -(Number /\ 1),
    (   Flipped =:= 0 -> Points = []
    ;   Length is msb(Flipped /\ -Flipped),
        Rest is Number >> Length,
        Point is Low+Length,
        Points = [Point|More],
        changes(Rest, Point, More)
    ).

%! cut(?X, +Points, -Parts): the parts of X, none of which goes beyond one of the points.
cut(X, Points, Parts) :-
    ( var(X), get_attr(X, petrel_parts, Parts0) -> true ; Parts0 = [part(0, all, X)] ),
    cut_parts(Points, Parts0, Parts),
    ( var(X) -> put_attr(X, petrel_parts, Parts) ; true ).

cut_parts([], Parts, Parts).
cut_parts([Point|Points], [part(Low, Length, X)|Parts0], Parts) :-
    (   Point =< Low -> cut_parts(Points, [part(Low, Length, X)|Parts0], Parts)
    ;   integer(Length), Low+Length =< Point
    ->  Parts = [part(Low, Length, X)|Rest], cut_parts([Point|Points], Parts0, Rest)
    ;   N is Point-Low,
        two_parts(X, N, Length, A, LengthB-B),
        Parts = [part(Low, N, A)|Rest],
        cut_parts(Points, [part(Point, LengthB, B)|Parts0], Rest)
    ).

two_parts(X, N, Length, A, LengthB-B) :-
    ( Length == all -> LengthB = all ; LengthB is Length-N ),
    Size is 1 << N, Ones is Size-1,
    (   integer(X) -> A is X /\ Ones, B is X >> N
    ;   A in 0..Ones,
        fd_inf(X, Low), fd_sup(X, High),
        ( integer(Low), integer(High) -> LowB is Low >> N, HighB is High >> N, B in LowB..HighB ; true ),
        X #= A + Size*B
    ).

with_constant([], _, _, []).
with_constant([part(Low, Length, X)|Parts], Operation, Constant, [part(Low, Length, Z)|Results]) :-
    Bit is (Constant >> Low) /\ 1,
    ( Length == all -> Ones = -1 ; Ones is (1 << Length) - 1 ),
    part_with(Operation, Bit, Ones, X, Z),
    with_constant(Parts, Operation, Constant, Results).

part_with(and, 0, _, _, 0).
part_with(and, 1, _, X, X).
part_with(or, 0, _, X, X).
part_with(or, 1, Ones, _, Ones).
part_with(xor, 0, _, X, X).
part_with(xor, 1, Ones, X, Z) :- Z #= Ones-X.

each_bit([], [], _, []).
each_bit([part(I, Length, X)|Xs], [part(_, _, Y)|Ys], Operation, [part(I, Length, Z)|Zs]) :-
    (   Length == all -> A #= -X, B #= -Y, one_bit(Operation, A, B, C), Z #= -C
    ;   one_bit(Operation, X, Y, Z)
    ),
    each_bit(Xs, Ys, Operation, Zs).

one_bit(and, X, Y, Z) :- both(X, Y, Z).
one_bit(or, X, Y, Z) :- Z #<==> X #\/ Y.
one_bit(xor, X, Y, Z) :- Z #<==> X #\ Y.

composed(Parts, Z) :-
    weights(Parts, Weights, Values),
    scalar_product(Weights, Values, #=, Z),
    ( var(Z) -> put_attr(Z, petrel_parts, Parts) ; true ).

weights([], [], []).
weights([part(Low, _, X)|Parts], [W|Ws], [X|Xs]) :- W is 1 << Low, weights(Parts, Ws, Xs).

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
