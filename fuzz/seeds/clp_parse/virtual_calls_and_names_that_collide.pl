% Shape.twice()D
:- procedure('Shape', twice, '()D', instance).
:- callee('Shape.area', 'Shape', area, '()D').

:- predicate(twice, entry, 0).
twice([r(This)],[R],H,H2,E,twice(1,[],[T1,T2])) :-
    virtual:'Shape.area'([r(This)],[A],H,H1,E1,T1),
    twice_exit_1([d(A),exit(E1)],[R],H1,H2,E,T2).

:- predicate(twice_exit_1, choice, 1).
twice_exit_1([d(A),exit(E1)],[B],H,H,ok,twice_exit_1(1,[],[])) :-
    E1 = ok,
    B #= A*2.0.
twice_exit_1([d(A),exit(E1)],[_],H,H,exc(X),twice_exit_1(2,[],[])) :-
    E1 = exc(X).

% Circle.area()D
:- procedure('Circle', area, '()D', instance).

:- predicate('Circle.area', entry, 0, area).
'Circle.area'([r(This)],[R],H,H1,E,'Circle.area'(1,[],[T])) :-
    'Circle.area_loop_0'([0],[R],H,H1,E,T).

:- predicate('Circle.area_loop_0', loop, 0, area_loop_0).
'Circle.area_loop_0'([H1],[R],H_,H_1,E,'Circle.area_loop_0'(1,[],[T])) :-
    'Circle.area_loop_0'([H1],[R],H_,H_1,E,T).

% Square.area()D
:- procedure('Square', area, '()D', instance).

:- predicate('Square.area', entry, 0, area).
'Square.area'([r(This)],[R],H,H1,E,'Square.area'(1,[],[T])) :-
    'Square.area_loop_0'([],[R],H,H1,E,T).

:- predicate('Square.area_loop_0', loop, 0, area_loop_0).
'Square.area_loop_0'([],[R],H,H1,E,'Square.area_loop_0'(1,[],[T])) :-
    'Square.area_loop_0'([],[R],H,H1,E,T).

% dispatch of Shape.area()D
:- dispatch('Shape.area', 'Shape', area, '()D').
:- callee('Circle.area', 'Circle', area, '()D').
:- callee('Square.area', 'Square', area, '()D').

virtual:'Shape.area'([r(This)|A],O,H,H1,E,'Shape.area'(1,[],[T])) :-
    class_of(H,This,['Circle','p/Disk']),
    'Circle.area'([r(This)|A],O,H,H1,E,T).
virtual:'Shape.area'([r(This)|A],O,H,H1,E,'Shape.area'(2,[],[T])) :-
    class_of(H,This,['Square']),
    'Square.area'([r(This)|A],O,H,H1,E,T).
