% Translated from:
%
%     class Node {
%         Node next;
%         int value;
%         static int length(Node node) {
%             int length = 0;
%             while (node != null) { length++; node = node.next; }
%             return length;
%         }
%         static boolean adjacent(Node a, Node b) { return a == b || a.next == b; }
%         int index(int[] values) { return values[value]; }
%         static boolean less(double x, double y) { return x < y; }
%     }

% Node.<init>()V
:- procedure('Node', '<init>', '()V', instance, 'Node.java').

:- predicate(init, entry, 0).
%@ 1: 0 aload_0, 1 invokespecial, 4 return
init([r(This)],[],H,H,ok,init(1,[],[])).

% Node.length(LNode;)I
:- procedure('Node', length, '(LNode;)I', static, 'Node.java').
:- field(next, 'Node', next, 'LNode;').

:- predicate(length, entry, 0).
%@ 5: 0 iconst_0, 1 istore_1
length([ref(Node)],[R],H,H1,E,length(1,[],[T])) :-
    length_loop_2([ref(Node),0],[R],H,H1,E,T).

:- predicate(length_loop_2, loop, 2).
%@ 6: 2 aload_0, 3 ifnull
length_loop_2([ref(Node),Length],[R],H,H1,E,length_loop_2(1,[],[T])) :-
    length_if_3([ref(Node),Length],[R],H,H1,E,T).

:- predicate(length_if_3, choice, 3).
%@ 7: 17 iload_1, 18 ireturn
length_if_3([ref(Node),Length],[Length],H,H,ok,length_if_3(1,[],[])) :-
    Node == null.
%@ 6: 6 iinc, 9 aload_0, 10 getfield, 13 astore_0, 14 goto
length_if_3([ref(Node),Length],[R],H,H1,E,length_if_3(2,[],[T])) :-
    Node \== null,
    Length1 #= Length+1,
    get_field(H,Node,next,Node1),
    length_loop_2([ref(Node1),Length1],[R],H,H1,E,T).

% Node.adjacent(LNode;LNode;)Z
:- procedure('Node', adjacent, '(LNode;LNode;)Z', static, 'Node.java').
:- field(next, 'Node', next, 'LNode;').

:- predicate(adjacent, entry, 0).
%@ 9: 0 aload_0, 1 aload_1, 2 if_acmpeq
adjacent([ref(A),ref(B)],[R],H,H1,E,adjacent(1,[],[T])) :-
    adjacent_if_2([ref(A),ref(B)],[R],H,H1,E,T).

:- predicate(adjacent_if_2, choice, 2).
adjacent_if_2([ref(A),ref(B)],[R],H,H1,E,adjacent_if_2(1,[],[T])) :-
    A == B,
    adjacent_cont_13([],[R],H,H1,E,T).
%@ 9: 5 aload_0, 6 getfield
adjacent_if_2([ref(A),ref(B)],[R],H,H1,E,adjacent_if_2(2,[],[T])) :-
    A \== B,
    adjacent_null_6([ref(B),ref(A)],[R],H,H1,E,T).

:- predicate(adjacent_null_6, choice, 6).
%@ 9: 9 aload_1, 10 if_acmpne
adjacent_null_6([ref(B),ref(A)],[R],H,H1,E,adjacent_null_6(1,[],[T])) :-
    A \== null,
    get_field(H,A,next,Next),
    adjacent_if_10([ref(B),ref(Next)],[R],H,H1,E,T).
adjacent_null_6([ref(B),ref(A)],[_],H,H1,exc(X),adjacent_null_6(2,[],[])) :-
    A == null,
    throwable(H,'java/lang/NullPointerException',null_at(6),X,H1).

:- predicate(adjacent_if_10, choice, 10).
%@ 9: 17 iconst_0
adjacent_if_10([ref(B),ref(Next)],[R],H,H1,E,adjacent_if_10(1,[],[T])) :-
    Next \== B,
    adjacent_cont_18([0],[R],H,H1,E,T).
adjacent_if_10([ref(B),ref(Next)],[R],H,H1,E,adjacent_if_10(2,[],[T])) :-
    Next == B,
    adjacent_cont_13([],[R],H,H1,E,T).

:- predicate(adjacent_cont_13, block, 13).
%@ 9: 13 iconst_1, 14 goto
adjacent_cont_13([],[R],H,H1,E,adjacent_cont_13(1,[],[T])) :-
    adjacent_cont_18([1],[R],H,H1,E,T).

:- predicate(adjacent_cont_18, block, 18).
%@ 9: 18 ireturn
adjacent_cont_18([C],[C],H,H,ok,adjacent_cont_18(1,[],[])).

% Node.index([I)I
:- procedure('Node', index, '([I)I', instance, 'Node.java').
:- field(value, 'Node', value, 'I').

:- predicate(index, entry, 0).
%@ 10: 0 aload_1, 1 aload_0, 2 getfield, 5 iaload
index([r(This),ref(Values)],[R],H,H1,E,index(1,[],[T])) :-
    get_field(H,This,value,Value),
    index_load_5([ref(Values),Value],[R],H,H1,E,T).

:- predicate(index_load_5, choice, 5).
%@ 10: 6 ireturn
index_load_5([ref(Values),Value],[V],H,H,ok,index_load_5(1,[],[])) :-
    Values \== null,
    in_bounds(H,Values,Value),
    get_array(H,int,Values,Value,V).
index_load_5([ref(Values),Value],[_],H,H1,exc(X),index_load_5(2,[],[])) :-
    Values == null,
    throwable(H,'java/lang/NullPointerException',null_at(5),X,H1).
index_load_5([ref(Values),Value],[_],H,H1,exc(X),index_load_5(3,[],[])) :-
    Values \== null,
    out_of_bounds(H,Values,Value),
    throwable(H,'java/lang/ArrayIndexOutOfBoundsException',bounds(Values,Value),X,H1).

% Node.less(DD)Z
:- procedure('Node', less, '(DD)Z', static, 'Node.java').

:- predicate(less, entry, 0).
%@ 11: 0 dload_0, 1 dload_2, 2 dcmpg, 3 ifge
less([d(X),d(Y)],[R],H,H1,E,less(1,[],[T])) :-
    less_if_3([d(X),d(Y)],[R],H,H1,E,T).

:- predicate(less_if_3, choice, 3).
%@ 11: 10 iconst_0
less_if_3([d(X),d(Y)],[R],H,H1,E,less_if_3(1,[],[T])) :-
    nan_or(X #>= Y),
    less_cont_11([0],[R],H,H1,E,T).
%@ 11: 6 iconst_1, 7 goto
less_if_3([d(X),d(Y)],[R],H,H1,E,less_if_3(2,[],[T])) :-
    X #< Y,
    less_cont_11([1],[R],H,H1,E,T).

:- predicate(less_cont_11, block, 11).
%@ 11: 11 ireturn
less_cont_11([C],[C],H,H,ok,less_cont_11(1,[],[])).
