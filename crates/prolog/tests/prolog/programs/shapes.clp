% Translated from:
%
%     interface Named { default int rank() { return 1; } }
%     abstract class Shape implements Named {
%         static int made;
%         byte tag = (byte) 300;
%         Shape() { made++; }
%         abstract int area();
%     }
%     class Square extends Shape {
%         final int side;
%         Square(int side) { this.side = side; }
%         int area() { return side * side; }
%     }
%     class Rectangle extends Square {
%         final int other;
%         Rectangle(int side, int other) { super(side); this.other = other; }
%         int area() { return side * other; }
%         public int rank() { return 2; }
%     }
%     class Shapes {
%         static int sum(int a, int b) {
%             Shape[] shapes = { new Square(a), new Rectangle(a, b), null };
%             int sum = Shape.made;
%             for (Shape shape : shapes) {
%                 if (shape != null) sum += shape.area() + shape.tag + ((Named) shape).rank();
%             }
%             return sum;
%         }
%         static int area(Shape shape) { return shape instanceof Rectangle ? shape.area() : -1; }
%         static Object store(Object value) {
%             Object[] values = new Square[1];
%             values[0] = value;
%             return values;
%         }
%         static int cast(Shape shape) { return ((Rectangle) shape).other; }
%         static int table(int n, int m) {
%             long[][] table = new long[n][m];
%             table[n - 1][1] = 7L;
%             return (int) table[n - 1][m - 1];
%         }
%     }

% Shapes.<init>()V
:- procedure('Shapes', '<init>', '()V', instance, 'Shapes.java').

:- predicate('Shapes.init', entry, 0, init).
'Shapes.init'([r(This)],[],H,H,ok,'Shapes.init'(1,[],[])).

% Shapes.sum(II)I
:- procedure('Shapes', sum, '(II)I', static, 'Shapes.java').
:- classes(['[LShape;', 'Square', 'java/lang/ArrayStoreException', 'Rectangle', 'java/lang/ArrayIndexOutOfBoundsException']).
:- callee('Square.init', 'Square', '<init>', '(I)V').
:- callee('Rectangle.init', 'Rectangle', '<init>', '(II)V').
:- callee('Shape.area', 'Shape', area, '()I').
:- callee('Named.rank', 'Named', rank, '()I').
:- field(made, 'Shape', made, 'I').
:- field(tag, 'Shape', tag, 'B').

:- predicate(sum, entry, 0).
sum([A,B],[R],H,H4,E_,sum(1,[],[T1,T2])) :-
    new_array(H,'[LShape;',3,Array,H1),
    new_object(H1,'Square',Obj,H2),
    'Square.init'([r(Obj),A],[],H2,H3,E,T1),
    sum_call_11([A,B,array(Array,'[LShape;',3),r(Obj),exit(E)],[R],H3,H4,E_,T2).

:- predicate(sum_call_11, choice, 11).
sum_call_11([A,B,array(Array,'[LShape;',3),r(Obj),exit(E)],[R],H,H1,E_,sum_call_11(1,[],[T])) :-
    E = ok,
    sum_store_14([A,B,array(Array,'[LShape;',3),r(Obj)],[R],H,H1,E_,T).
sum_call_11([A,B,array(Array,'[LShape;',3),r(Obj),exit(E)],[_],H,H,exc(X),sum_call_11(2,[],[])) :-
    E = exc(X).

:- predicate(sum_store_14, choice, 14).
sum_store_14([A,B,array(Array,'[LShape;',3),r(Obj)],[R],H,H4,E_,sum_store_14(1,[],[T1,T2])) :-
    storable(H,Array,Obj),
    set_array(H,reference,Array,0,Obj,H1),
    new_object(H1,'Rectangle',Obj1,H2),
    'Rectangle.init'([r(Obj1),A,B],[],H2,H3,E,T1),
    sum_call_23([array(Array,'[LShape;',3),r(Obj1),exit(E)],[R],H3,H4,E_,T2).
sum_store_14([A,B,array(Array,'[LShape;',3),r(Obj)],[_],H,H1,exc(X),sum_store_14(2,[],[])) :-
    not_storable(H,Array,Obj),
    throwable(H,'java/lang/ArrayStoreException',store(Obj),X,H1).

:- predicate(sum_call_23, choice, 23).
sum_call_23([array(Array,'[LShape;',3),r(Obj),exit(E)],[R],H,H1,E_,sum_call_23(1,[],[T])) :-
    E = ok,
    sum_store_26([array(Array,'[LShape;',3),r(Obj)],[R],H,H1,E_,T).
sum_call_23([array(Array,'[LShape;',3),r(Obj),exit(E)],[_],H,H,exc(X),sum_call_23(2,[],[])) :-
    E = exc(X).

:- predicate(sum_store_26, choice, 26).
sum_store_26([array(Array,'[LShape;',3),r(Obj)],[R],H,H3,E,sum_store_26(1,[],[T])) :-
    storable(H,Array,Obj),
    set_array(H,reference,Array,1,Obj,H1),
    set_array(H1,reference,Array,2,null,H2),
    get_static(H2,made,Sum),
    array_length(H2,Array,L5),
    sum_loop_47([Sum,array(Array,'[LShape;',3),L5,0],[R],H2,H3,E,T).
sum_store_26([array(Array,'[LShape;',3),r(Obj)],[_],H,H1,exc(X),sum_store_26(2,[],[])) :-
    not_storable(H,Array,Obj),
    throwable(H,'java/lang/ArrayStoreException',store(Obj),X,H1).

:- predicate(sum_loop_47, loop, 47).
sum_loop_47([Sum,array(Shapes,'[LShape;',3),L5,L6],[R],H,H1,E,sum_loop_47(1,[],[T])) :-
    sum_if_51([Sum,array(Shapes,'[LShape;',3),L5,L6],[R],H,H1,E,T).

:- predicate(sum_if_51, choice, 51).
sum_if_51([Sum,array(Shapes,'[LShape;',3),L5,L6],[Sum],H,H,ok,sum_if_51(1,[],[])) :-
    L6 #>= L5.
sum_if_51([Sum,array(Shapes,'[LShape;',3),L5,L6],[R],H,H1,E,sum_if_51(2,[],[T])) :-
    L6 #< L5,
    sum_load_58([Sum,array(Shapes,'[LShape;',3),L5,L6],[R],H,H1,E,T).

:- predicate(sum_load_58, choice, 58).
sum_load_58([Sum,array(Shapes,'[LShape;',3),L5,L6],[R],H,H1,E,sum_load_58(1,[],[T])) :-
    in_bounds(H,Shapes,L6),
    get_array(H,reference,Shapes,L6,Shape),
    sum_if_63([Sum,array(Shapes,'[LShape;',3),L5,L6,ref(Shape)],[R],H,H1,E,T).
sum_load_58([Sum,array(Shapes,'[LShape;',3),L5,L6],[_],H,H1,exc(X),sum_load_58(2,[],[])) :-
    out_of_bounds(H,Shapes,L6),
    throwable(H,'java/lang/ArrayIndexOutOfBoundsException',bounds(Shapes,L6),X,H1).

:- predicate(sum_if_63, choice, 63).
sum_if_63([Sum,array(Shapes,'[LShape;',3),L5,L6,ref(Shape)],[R],H,H1,E,sum_if_63(1,[],[T])) :-
    Shape == null,
    sum_cont_88([Sum,array(Shapes,'[LShape;',3),L5,L6],[R],H,H1,E,T).
sum_if_63([Sum,array(Shapes,'[LShape;',3),L5,L6,ref(Shape)],[R],H,H2,E_,sum_if_63(2,[],[T1,T2])) :-
    Shape \== null,
    virtual:'Shape.area'([r(Shape)],[Area],H,H1,E,T1),
    sum_call_69([array(Shapes,'[LShape;',3),L5,L6,r(Shape),Sum,Area,exit(E)],[R],H1,H2,E_,T2).

:- predicate(sum_call_69, choice, 69).
sum_call_69([array(Shapes,'[LShape;',3),L5,L6,r(Shape),Sum,Area,exit(E)],[R],H,H2,E_,sum_call_69(1,[],[T1,T2])) :-
    E = ok,
    get_field(H,Shape,tag,Tag),
    V #= Area+Tag,
    interface:'Named.rank'([r(Shape)],[Rank],H,H1,E1,T1),
    sum_call_80([array(Shapes,'[LShape;',3),L5,L6,Sum,V,Rank,exit(E1)],[R],H1,H2,E_,T2).
sum_call_69([array(Shapes,'[LShape;',3),L5,L6,r(Shape),Sum,Area,exit(E)],[_],H,H,exc(X),sum_call_69(2,[],[])) :-
    E = exc(X).

:- predicate(sum_call_80, choice, 80).
sum_call_80([array(Shapes,'[LShape;',3),L5,L6,Sum,V,Rank,exit(E)],[R],H,H1,E_,sum_call_80(1,[],[T])) :-
    E = ok,
    V1 #= V+Rank,
    Sum1 #= Sum+V1,
    sum_cont_88([Sum1,array(Shapes,'[LShape;',3),L5,L6],[R],H,H1,E_,T).
sum_call_80([array(Shapes,'[LShape;',3),L5,L6,Sum,V,Rank,exit(E)],[_],H,H,exc(X),sum_call_80(2,[],[])) :-
    E = exc(X).

:- predicate(sum_cont_88, block, 88).
sum_cont_88([Sum,array(Shapes,'[LShape;',3),L5,L6],[R],H,H1,E,sum_cont_88(1,[],[T])) :-
    L61 #= L6+1,
    sum_loop_47([Sum,array(Shapes,'[LShape;',3),L5,L61],[R],H,H1,E,T).

% Shapes.area(LShape;)I
:- procedure('Shapes', area, '(LShape;)I', static, 'Shapes.java').
:- callee('Shape.area', 'Shape', area, '()I').

:- predicate('Shapes.area', entry, 0, area).
'Shapes.area'([ref(Shape)],[R],H,H1,E,'Shapes.area'(1,[],[T])) :-
    area_if_4([ref(Shape)],[R],H,H1,E,T).

:- predicate(area_if_4, choice, 4).
area_if_4([ref(Shape)],[R],H,H1,E,area_if_4(1,[],[T])) :-
    not_instance(H,Shape,'Rectangle'),
    area_cont_15([-1],[R],H,H1,E,T).
area_if_4([ref(Shape)],[R],H,H2,E_,area_if_4(2,[],[T1,T2])) :-
    instance(H,Shape,'Rectangle'),
    virtual:'Shape.area'([r(Shape)],[Area],H,H1,E,T1),
    area_call_8([Area,exit(E)],[R],H1,H2,E_,T2).

:- predicate(area_call_8, choice, 8).
area_call_8([Area,exit(E)],[R],H,H1,E_,area_call_8(1,[],[T])) :-
    E = ok,
    area_cont_15([Area],[R],H,H1,E_,T).
area_call_8([Area,exit(E)],[_],H,H,exc(X),area_call_8(2,[],[])) :-
    E = exc(X).

:- predicate(area_cont_15, block, 15).
area_cont_15([Area],[Area],H,H,ok,area_cont_15(1,[],[])).

% Shapes.store(Ljava/lang/Object;)Ljava/lang/Object;
:- procedure('Shapes', store, '(Ljava/lang/Object;)Ljava/lang/Object;', static, 'Shapes.java').

:- predicate(store, entry, 0).
store([ref(Value)],[R],H,H2,E,store(1,[],[T])) :-
    new_array(H,'[LSquare;',1,Values,H1),
    store_store_8([array(Values,'[LSquare;',1),ref(Value)],[R],H1,H2,E,T).

:- predicate(store_store_8, choice, 8).
store_store_8([array(Values,'[LSquare;',1),ref(Value)],[Values],H,H1,ok,store_store_8(1,[],[])) :-
    storable(H,Values,Value),
    set_array(H,reference,Values,0,Value,H1).
store_store_8([array(Values,'[LSquare;',1),ref(Value)],[_],H,H1,exc(X),store_store_8(2,[],[])) :-
    not_storable(H,Values,Value),
    throwable(H,'java/lang/ArrayStoreException',store(Value),X,H1).

% Shapes.cast(LShape;)I
:- procedure('Shapes', cast, '(LShape;)I', static, 'Shapes.java').
:- field(other, 'Rectangle', other, 'I').

:- predicate(cast, entry, 0).
cast([ref(Shape)],[R],H,H1,E,cast(1,[],[T])) :-
    cast_cast_1([ref(Shape)],[R],H,H1,E,T).

:- predicate(cast_cast_1, choice, 1).
cast_cast_1([ref(Shape)],[R],H,H1,E,cast_cast_1(1,[],[T])) :-
    castable(H,Shape,'Rectangle'),
    cast_null_4([ref(Shape)],[R],H,H1,E,T).
cast_cast_1([ref(Shape)],[_],H,H1,exc(X),cast_cast_1(2,[],[])) :-
    not_castable(H,Shape,'Rectangle'),
    throwable(H,'java/lang/ClassCastException',cast(Shape,'Rectangle'),X,H1).

:- predicate(cast_null_4, choice, 4).
cast_null_4([ref(Shape)],[Other],H,H,ok,cast_null_4(1,[],[])) :-
    Shape \== null,
    get_field(H,Shape,other,Other).
cast_null_4([ref(Shape)],[_],H,H1,exc(X),cast_null_4(2,[],[])) :-
    Shape == null,
    throwable(H,'java/lang/NullPointerException',null_at(4),X,H1).

% Shapes.table(II)I
:- procedure('Shapes', table, '(II)I', static, 'Shapes.java').
:- classes(['java/lang/NegativeArraySizeException', '[[J', 'java/lang/ArrayIndexOutOfBoundsException', 'java/lang/NullPointerException']).

:- predicate(table, entry, 0).
table([N,M],[R],H,H1,E,table(1,[],[T])) :-
    table_new_2([N,M],[R],H,H1,E,T).

:- predicate(table_new_2, choice, 2).
table_new_2([N,M],[R],H,H2,E,table_new_2(1,[N,M],[T])) :-
    N #>= 0,
    M #>= 0,
    new_multi_array(H,'[[J',[N,M],Table,H1),
    V #= N-1,
    table_load_11([N,M,r(Table),V],[R],H1,H2,E,T).
table_new_2([N,M],[_],H,H1,exc(X),table_new_2(2,[],[])) :-
    N #< 0,
    throwable(H,'java/lang/NegativeArraySizeException',size(N),X,H1).
table_new_2([N,M],[_],H,H1,exc(X),table_new_2(3,[],[])) :-
    N #>= 0,
    M #< 0,
    throwable(H,'java/lang/NegativeArraySizeException',size(M),X,H1).

:- predicate(table_load_11, choice, 11).
table_load_11([N,M,r(Table),V],[R],H,H1,E,table_load_11(1,[],[T])) :-
    in_bounds(H,Table,V),
    get_array(H,reference,Table,V,V1),
    table_store_16([N,M,r(Table),ref(V1)],[R],H,H1,E,T).
table_load_11([N,M,r(Table),V],[_],H,H1,exc(X),table_load_11(2,[],[])) :-
    out_of_bounds(H,Table,V),
    throwable(H,'java/lang/ArrayIndexOutOfBoundsException',bounds(Table,V),X,H1).

:- predicate(table_store_16, choice, 16).
table_store_16([N,M,r(Table),ref(V)],[R],H,H2,E,table_store_16(1,[],[T])) :-
    V \== null,
    in_bounds(H,V,1),
    set_array(H,long,V,1,7L,H1),
    V1 #= N-1,
    table_load_21([M,r(Table),V1],[R],H1,H2,E,T).
table_store_16([N,M,r(Table),ref(V)],[_],H,H1,exc(X),table_store_16(2,[],[])) :-
    V == null,
    throwable(H,'java/lang/NullPointerException',null_at(16),X,H1).
table_store_16([N,M,r(Table),ref(V)],[_],H,H1,exc(X),table_store_16(3,[],[])) :-
    V \== null,
    out_of_bounds(H,V,1),
    throwable(H,'java/lang/ArrayIndexOutOfBoundsException',bounds(V,1),X,H1).

:- predicate(table_load_21, choice, 21).
table_load_21([M,r(Table),V],[R],H,H1,E,table_load_21(1,[],[T])) :-
    in_bounds(H,Table,V),
    get_array(H,reference,Table,V,V1),
    V2 #= M-1,
    table_load_25([ref(V1),V2],[R],H,H1,E,T).
table_load_21([M,r(Table),V],[_],H,H1,exc(X),table_load_21(2,[],[])) :-
    out_of_bounds(H,Table,V),
    throwable(H,'java/lang/ArrayIndexOutOfBoundsException',bounds(Table,V),X,H1).

:- predicate(table_load_25, choice, 25).
table_load_25([ref(V),V1],[V3],H,H,ok,table_load_25(1,[],[])) :-
    V \== null,
    in_bounds(H,V,V1),
    get_array(H,long,V,V1,V2),
    V3 #= l2i(V2).
table_load_25([ref(V),V1],[_],H,H1,exc(X),table_load_25(2,[],[])) :-
    V == null,
    throwable(H,'java/lang/NullPointerException',null_at(25),X,H1).
table_load_25([ref(V),V1],[_],H,H1,exc(X),table_load_25(3,[],[])) :-
    V \== null,
    out_of_bounds(H,V,V1),
    throwable(H,'java/lang/ArrayIndexOutOfBoundsException',bounds(V,V1),X,H1).

% Square.<init>(I)V
:- procedure('Square', '<init>', '(I)V', instance, 'Shapes.java').
:- callee('Shape.init', 'Shape', '<init>', '()V').
:- field(side, 'Square', side, 'I').

:- predicate('Square.init', entry, 0, init).
'Square.init'([r(This),Side],[],H,H2,E_,'Square.init'(1,[],[T1,T2])) :-
    'Shape.init'([r(This)],[],H,H1,E,T1),
    init_call_1([r(This),Side,exit(E)],[],H1,H2,E_,T2).

:- predicate(init_call_1, choice, 1).
init_call_1([r(This),Side,exit(E)],[],H,H1,ok,init_call_1(1,[],[])) :-
    E = ok,
    set_field(H,This,side,Side,H1).
init_call_1([r(This),Side,exit(E)],[],H,H,exc(X),init_call_1(2,[],[])) :-
    E = exc(X).

% Rectangle.<init>(II)V
:- procedure('Rectangle', '<init>', '(II)V', instance, 'Shapes.java').
:- callee('Square.init', 'Square', '<init>', '(I)V').
:- field(other, 'Rectangle', other, 'I').

:- predicate('Rectangle.init', entry, 0, init).
'Rectangle.init'([r(This),Side,Other],[],H,H2,E_,'Rectangle.init'(1,[],[T1,T2])) :-
    'Square.init'([r(This),Side],[],H,H1,E,T1),
    init_call_2([r(This),Other,exit(E)],[],H1,H2,E_,T2).

:- predicate(init_call_2, choice, 2).
init_call_2([r(This),Other,exit(E)],[],H,H1,ok,init_call_2(1,[],[])) :-
    E = ok,
    set_field(H,This,other,Other,H1).
init_call_2([r(This),Other,exit(E)],[],H,H,exc(X),init_call_2(2,[],[])) :-
    E = exc(X).

% Shape.<init>()V
:- procedure('Shape', '<init>', '()V', instance, 'Shapes.java').
:- field(tag, 'Shape', tag, 'B').
:- field(made, 'Shape', made, 'I').

:- predicate('Shape.init', entry, 0, init).
'Shape.init'([r(This)],[],H,H2,ok,'Shape.init'(1,[],[])) :-
    set_field(H,This,tag,44,H1),
    get_static(H1,made,Made),
    V #= Made+1,
    set_static(H1,made,V,H2).

% Rectangle.rank()I
:- procedure('Rectangle', rank, '()I', instance, 'Shapes.java').

:- predicate('Rectangle.rank', entry, 0, rank).
'Rectangle.rank'([r(This)],[2],H,H,ok,'Rectangle.rank'(1,[],[])).

% Named.rank()I
:- procedure('Named', rank, '()I', instance, 'Shapes.java').

:- predicate('Named.rank', entry, 0, rank).
'Named.rank'([r(This)],[1],H,H,ok,'Named.rank'(1,[],[])).

% Rectangle.area()I
:- procedure('Rectangle', area, '()I', instance, 'Shapes.java').
:- field(side, 'Square', side, 'I').
:- field(other, 'Rectangle', other, 'I').

:- predicate('Rectangle.area', entry, 0, area).
'Rectangle.area'([r(This)],[V],H,H,ok,'Rectangle.area'(1,[],[])) :-
    get_field(H,This,side,Side),
    get_field(H,This,other,Other),
    V #= Side*Other.

% Square.area()I
:- procedure('Square', area, '()I', instance, 'Shapes.java').
:- field(side, 'Square', side, 'I').

:- predicate('Square.area', entry, 0, area).
'Square.area'([r(This)],[V],H,H,ok,'Square.area'(1,[],[])) :-
    get_field(H,This,side,Side),
    get_field(H,This,side,Side1),
    V #= Side*Side1.

% dispatch of Named.rank()I
:- dispatch('Named.rank', 'Named', rank, '()I').
:- callee('Rectangle.rank', 'Rectangle', rank, '()I').
:- callee('Named.rank', 'Named', rank, '()I').

virtual:'Named.rank'([r(This)|A],O,H,H1,E,'Named.rank'(1,[],[T])) :-
    class_of(H,This,['Rectangle']),
    'Rectangle.rank'([r(This)|A],O,H,H1,E,T).
virtual:'Named.rank'([r(This)|A],O,H,H1,E,'Named.rank'(2,[],[T])) :-
    class_of(H,This,['Square']),
    'Named.rank'([r(This)|A],O,H,H1,E,T).

% dispatch of Shape.area()I
:- dispatch('Shape.area', 'Shape', area, '()I').
:- callee('Rectangle.area', 'Rectangle', area, '()I').
:- callee('Square.area', 'Square', area, '()I').

virtual:'Shape.area'([r(This)|A],O,H,H1,E,'Shape.area'(1,[],[T])) :-
    class_of(H,This,['Rectangle']),
    'Rectangle.area'([r(This)|A],O,H,H1,E,T).
virtual:'Shape.area'([r(This)|A],O,H,H1,E,'Shape.area'(2,[],[T])) :-
    class_of(H,This,['Square']),
    'Square.area'([r(This)|A],O,H,H1,E,T).
