//! Programs in the papers' notation: each is read, found to be well-formed, and printed as it is.

use expect_test::{Expect, expect};

use crate::{parse, print, verify};

fn check(program: Expect) {
    let (procedures, dispatches) = match parse::program(program.data()) {
        Ok(program) => program,
        Err(error) => panic!("{error}"),
    };
    for procedure in &procedures {
        assert_eq!(verify::verify(procedure), [], "{}", procedure.method);
    }
    program.assert_eq(&print::program(
        &procedures.iter().collect::<Vec<_>>(),
        &dispatches.iter().collect::<Vec<_>>(),
    ));
}

/// From the example that most of the papers share.
#[test]
fn greatest_common_divisor() {
    check(expect![[r#"
        % Lcm.gcd(II)I
        :- procedure('Lcm', gcd, '(II)I', static, 'Lcm.java').
        :- callee(abs, 'Lcm', abs, '(I)I').

        :- predicate(gcd, entry, 0).
        gcd([A,B],[R],H,H1,E,gcd(1,[],[T])) :-
            gcd_loop_0([A,B],[R],H,H1,E,T).

        :- predicate(gcd_loop_0, loop, 0).
        %@ 14: 0 iload_1, 1 ifeq; 15: 4 iload_0, 5 iload_1, 6 irem
        gcd_loop_0([A,B],[R],H,H1,E,gcd_loop_0(1,[],[T])) :-
            B #\= 0,
            Res #= A rem B,
            gcd_loop_0([B,Res],[R],H,H1,E,T).
        %@ 19: 16 iload_0, 17 invokestatic
        gcd_loop_0([A,B],[R],H,H2,E,gcd_loop_0(2,[],[T1,T2])) :-
            B #= 0,
            abs([A],[X],H,H1,E1,T1),
            gcd_exit_17([X,exit(E1)],[R],H1,H2,E,T2).

        :- predicate(gcd_exit_17, choice, 17).
        %@ 19: 20 ireturn
        gcd_exit_17([X,exit(E1)],[X],H,H,ok,gcd_exit_17(1,[],[])) :-
            E1 = ok.
        gcd_exit_17([X,exit(E1)],[_],H,H,exc(Y),gcd_exit_17(2,[],[])) :-
            E1 = exc(Y).

        % Lcm.abs(I)I
        :- procedure('Lcm', abs, '(I)I', static, 'Lcm.java').

        :- predicate(abs, entry, 0).
        %@ 0: 0 iload_0, 1 iflt, 4 iload_0, 5 ireturn
        abs([A],[A],H,H,ok,abs(1,[],[])) :-
            A #>= 0.
        %@ 0: 6 iload_0, 7 ineg, 8 ireturn
        abs([A],[Y],H,H,ok,abs(2,[],[])) :-
            A #< 0,
            Y #= -A.
    "#]]);
}

/// "Resource-driven CLP-based test case generation", Fig. 2, with the exceptions that it leaves out.
#[test]
fn vector() {
    check(expect![[r#"
        % Vector.realloc()V
        :- procedure('Vector', realloc, '()V', instance, 'Vector.java').
        :- field(cap, 'Vector', cap, 'I').
        :- field(elems, 'Vector', elems, '[I').

        :- predicate(realloc, entry, 0).
        realloc([r(This)],[],H,H1,E,realloc(1,[],[T])) :-
            get_field(H,This,cap,Cap),
            NCap #= Cap*2,
            realloc_if_6([r(This),NCap],[],H,H1,E,T).

        :- predicate(realloc_if_6, choice, 6).
        realloc_if_6([r(This),NCap],[],H,H2,E,realloc_if_6(1,[NCap],[T])) :-
            NCap #>= 0,
            new_array(H,'[I',NCap,NElems,H1),
            realloc_loop_10([r(This),NCap,r(NElems),0],[],H1,H2,E,T).
        realloc_if_6([r(This),NCap],[],H,H1,exc(X),realloc_if_6(2,[],[])) :-
            NCap #< 0,
            throwable(H,'java/lang/NegativeArraySizeException',size(NCap),X,H1).

        :- predicate(realloc_loop_10, loop, 10).
        realloc_loop_10([r(This),NCap,r(NElems),I],[],H,H1,E,realloc_loop_10(1,[],[T])) :-
            get_field(H,This,cap,Cap),
            realloc_if_14([Cap,I,r(This),NCap,r(NElems)],[],H,H1,E,T).

        :- predicate(realloc_if_14, choice, 14).
        realloc_if_14([Cap,I,r(This),NCap,r(NElems)],[],H,H2,ok,realloc_if_14(1,[],[])) :-
            I #>= Cap,
            set_field(H,This,cap,NCap,H1),
            set_field(H1,This,elems,NElems,H2).
        realloc_if_14([Cap,I,r(This),NCap,r(NElems)],[],H,H1,E,realloc_if_14(2,[],[T])) :-
            I #< Cap,
            get_field(H,This,elems,Es),
            realloc_get_23([ref(Es),I,r(This),NCap,r(NElems)],[],H,H1,E,T).

        :- predicate(realloc_get_23, choice, 23).
        realloc_get_23([ref(Es),I,r(This),NCap,r(NElems)],[],H,H1,exc(X),realloc_get_23(1,[],[])) :-
            Es == null,
            throwable(H,'java/lang/NullPointerException',null_at(23),X,H1).
        realloc_get_23([ref(Es),I,r(This),NCap,r(NElems)],[],H,H1,exc(X),realloc_get_23(2,[],[])) :-
            Es \== null,
            out_of_bounds(H,Es,I),
            throwable(H,'java/lang/ArrayIndexOutOfBoundsException',bounds(Es,I),X,H1).
        realloc_get_23([ref(Es),I,r(This),NCap,r(NElems)],[],H,H1,E,realloc_get_23(3,[],[T])) :-
            Es \== null,
            in_bounds(H,Es,I),
            get_array(H,int,Es,I,X),
            realloc_set_24([X,I,r(This),NCap,r(NElems)],[],H,H1,E,T).

        :- predicate(realloc_set_24, choice, 24).
        realloc_set_24([X,I,r(This),NCap,r(NElems)],[],H,H2,E,realloc_set_24(1,[],[T])) :-
            in_bounds(H,NElems,I),
            set_array(H,int,NElems,I,X,H1),
            NI #= I+1,
            realloc_loop_10([r(This),NCap,r(NElems),NI],[],H1,H2,E,T).
        realloc_set_24([X,I,r(This),NCap,r(NElems)],[],H,H1,exc(Y),realloc_set_24(2,[],[])) :-
            out_of_bounds(H,NElems,I),
            throwable(H,'java/lang/ArrayIndexOutOfBoundsException',bounds(NElems,I),Y,H1).
    "#]]);
}

#[test]
fn one_of_everything() {
    check(expect![[r#"
        % p/Zoo.all(IJFDLjava/lang/Object;)Ljava/lang/Object;
        :- procedure('p/Zoo', all, '(IJFDLjava/lang/Object;)Ljava/lang/Object;', static).
        :- callee('q/Zoo.init', 'q/Zoo', '<init>', '()V').
        :- callee(invokeExact, 'java/lang/invoke/MethodHandle', invokeExact, '(I)V').
        :- callee(size, 'java/util/List', size, '()I').
        :- callee('p/Zoo.init', 'p/Zoo', init, '()V').
        :- callee('Zoo.string', 'p/Zoo', string, '()Ljava/lang/String;').
        :- field('p/Zoo.x', 'p/Zoo', x, 'I').
        :- field('q/Zoo.x', 'q/Zoo', x, 'J').
        :- dynamic_site(0, run, '()Ljava/lang/Runnable;',
            invoke_static('java/lang/invoke/LambdaMetafactory',metafactory,'(I)V'),
            [method_type('()V'), invoke_virtual(a,b,'()V'), 1, -2L, 0.5f, -0.0, double(0x7ff8000000000000), "s\n", class('X'), dynamic(c,'I',get_static(a,b,'I'),[])]).

        :- predicate(all, entry, 0).
        all([A,l(B),f(C),d(D),ref(O)],[R],H,H1,E,all(1,[],[T])) :-
            A in [-5,1,2],
            F #= -B,
            G #= -(-5),
            I #= A- -1,
            J #= A rem 10,
            K #= xor(G,J),
            L #= i2l(K),
            M #= lcmp(L,F),
            N #= fcmpg(C,1.5f),
            P #= dcmpl(D,1e-10),
            Q #= C/float(0x7fc00000),
            S #= I>>>M,
            U #= S/\N,
            V #= U\/P,
            W #= A<<V,
            all_a([W,ref(O),f(Q)],[R],H,H1,E,T).
        all([A,l(B),f(C),d(D),ref(O)],[null],H,H,ok,all(2,[],[])) :-
            A in [3],
            nan_or(C #< 0.0f).
        all([A,l(B),f(C),d(D),ref(O)],[O],H,H,ok,all(3,[],[])) :-
            A in [3],
            C #>= 0.0f.
        all([A,l(B),f(C),d(D),ref(O)],[_],H,H,exc(O),all(4,[],[])) :-
            A not_in [-5,1,2,3],
            instance(H,O,'java/lang/Throwable').
        all([A,l(B),f(C),d(D),ref(O)],[_],H,H1,exc(X),all(5,[],[])) :-
            A not_in [-5,1,2,3],
            not_instance(H,O,'java/lang/Throwable'),
            throwable(H,'java/lang/Error',text("say \"no\""),X,H1).

        :- predicate(all_a, block, 7).
        all_a([A,ref(O),f(Q)],[R],H,H7,E,all_a(1,[A],[T])) :-
            A #>= 0,
            new_object(H,'q/Zoo',X,H1),
            new_array(H1,'[Ljava/lang/Object;',2,Y,H2),
            new_array(H2,'[[I',A,ref(Z),H3),
            new_multi_array(H3,'[[[J',[1,A],W,H4),
            set_array(H4,reference,Y,1,O,H5),
            get_array(H5,reference,Y,0,V),
            array_length(H5,W,N),
            get_static(H5,'p/Zoo.x',F),
            set_static(H5,'q/Zoo.x',5L,H6),
            string("text",S),
            class_object('[I',C),
            method_handle(invoke_static(a,b,'()V'),M),
            method_type("(I)V",D),
            instance_of(H6,V,'java/lang/String',B),
            all_b([r(X),array(Y,'[Ljava/lang/Object;',2),r(M)],[R],H6,H7,E,T).
        all_a([A,ref(O),f(Q)],[_],H,H1,exc(X),all_a(2,[],[])) :-
            A #< 0,
            throwable(H,'java/lang/NegativeArraySizeException',size(A),X,H1).

        :- predicate(all_b, catch, 9).
        all_b([r(X),array(Y,'[Ljava/lang/Object;',2),r(M)],[R],H,H2,E,all_b(1,[],[T1,T2])) :-
            'q/Zoo.init'([r(X)],[],H,H1,E1,T1),
            all_c([r(X),r(M),0,exit(E1)],[R],H1,H2,E,T2).

        :- predicate(all_c, choice, 9).
        all_c([r(X),r(M),A,exit(E1)],[R],H,H2,E,all_c(1,[],[T1,T2])) :-
            E1 = ok,
            A #= 0,
            polymorphic:invokeExact([r(M),7],[],H,H1,E2,T1),
            all_c([r(X),r(M),1,exit(E2)],[R],H1,H2,E,T2).
        all_c([r(X),r(M),A,exit(E1)],[R],H,H2,E,all_c(2,[],[T])) :-
            E1 = ok,
            A #\= 0,
            A #= 1,
            initialise('p/Zoo',H,H1,E2),
            all_c([r(X),r(M),2,exit(E2)],[R],H1,H2,E,T).
        all_c([r(X),r(M),A,exit(E1)],[R],H,H2,E,all_c(3,[],[T1,T2])) :-
            E1 = ok,
            A #\= 0,
            A #\= 1,
            interface:size([r(X)],[N],H,H1,E2,T1),
            all_d([r(X),N,exit(E2)],[R],H1,H2,E,T2).
        all_c([r(X),r(M),A,exit(E1)],[R],H,H2,E,all_c(4,[],[T1,T2])) :-
            E1 = exc(Y),
            instance(H,Y,'java/io/IOException'),
            dynamic(0,[],[Z],H,H1,E2,T1),
            all_d([r(X),A,exit(E2)],[R],H1,H2,E,T2).
        all_c([r(X),r(M),A,exit(E1)],[_],H,H,exc(Y),all_c(5,[],[])) :-
            E1 = exc(Y),
            not_instance(H,Y,'java/io/IOException').

        :- predicate(all_d, choice, 11).
        all_d([r(X),N,exit(E1)],[R],H,H2,E,all_d(1,[],[T1,T2])) :-
            E1 = ok,
            N #> 3,
            virtual:'p/Zoo.init'([r(X)],[],H,H1,E2,T1),
            all_d([r(X),0,exit(E2)],[R],H1,H2,E,T2).
        all_d([r(X),N,exit(E1)],[R],H,H2,E,all_d(2,[],[T1,T2])) :-
            E1 = ok,
            N #=< 3,
            'Zoo.string'([],[_],H,H1,E2,T1),
            all_d([r(X),N,exit(E2)],[R],H1,H2,E,T2).
        all_d([r(X),N,exit(E1)],[_],H,H,exc(Y),all_d(3,[],[])) :-
            E1 = exc(Y).
    "#]]);
}

#[test]
fn virtual_calls_and_names_that_collide() {
    check(expect![[r#"
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
    "#]]);
}
