//! Each test damages a well-formed rule in one way.

use expect_test::{Expect, expect};

use super::*;
use crate::parse;

fn check(text: &str, problems: Expect) {
    let procedures = match parse::procedures(text) {
        Ok(procedures) => procedures,
        Err(error) => panic!("{error}\n{text}"),
    };
    let found: Vec<String> =
        procedures.iter().flat_map(verify).map(|problem| problem.to_string()).collect();
    problems.assert_eq(&found.join("\n"));
}

const DIRECTIVES: &str = "
:- procedure('A', f, '(IJLjava/lang/Object;[I)V', instance).
:- callee(g, 'A', g, '(I)I').
:- callee(h, 'A', h, '()V').
:- field(x, 'A', x, 'I').
:- field(o, 'A', o, 'Ljava/lang/Object;').
:- predicate(f, entry, 0).
";

/// A procedure with one predicate of one rule, which returns after this body. The heap after it is
/// `$`.
fn check_body(body: &str, heap: &str, problems: Expect) {
    let rule = "f([r(This),I,l(L),ref(O),ref(A)],[],H,$,ok,f(1,[],[]))";
    let rule = rule.replace('$', heap);
    let implies = if body.is_empty() { "" } else { " :- " };
    check(&format!("{DIRECTIVES}{rule}{implies}{body}."), problems);
}

/// Rules of the entry which do nothing, by their guards.
fn check_guards(guards: &[&str], problems: Expect) {
    let mut text = DIRECTIVES.to_string();
    for (index, guards) in guards.iter().enumerate() {
        let implies = if guards.is_empty() { "" } else { " :- " };
        let number = index + 1;
        text.push_str(&format!(
            "f([r(This),I,l(L),ref(O),ref(A)],[],H,H,ok,f({number},[],[])){implies}{guards}.\n"
        ));
    }
    check(&text, problems);
}

#[test]
fn literals_are_guarded() {
    check_body("get_field(H,This,x,X), Y #= X+I", "H", expect![""]);
    check_body("get_field(H,O,x,X)", "H", expect!["predicate 0, rule 1: O may be null"]);
    check_body("set_field(H,null,x,1,H1)", "H1", expect!["predicate 0, rule 1: null may be null"]);
    check_body("array_length(H,A,N)", "H", expect!["predicate 0, rule 1: A may be null"]);
    check_body(
        "get_array(H,int,This,0,X)",
        "H",
        expect!["predicate 0, rule 1: 0 may be out of the bounds of This"],
    );
    check_body("new_array(H,'[I',3,X,H1), get_array(H1,int,X,2,Y)", "H1", expect![""]);
    check_body(
        "new_array(H,'[I',3,X,H1), get_array(H1,int,X,3,Y)",
        "H1",
        expect!["predicate 0, rule 1: 3 may be out of the bounds of X"],
    );
    check_body(
        "new_array(H,'[I',3,X,H1), get_array(H1,long,X,0,Y)",
        "H1",
        expect!["predicate 0, rule 1: the elements of X are not of kind Long"],
    );
    check_body(
        "new_array(H,'[I',-1,X,H1)",
        "H1",
        expect!["predicate 0, rule 1: the length -1 may be negative"],
    );
    check_body(
        "new_multi_array(H,'[[I',[1,2,3],X,H1)",
        "H1",
        expect!["predicate 0, rule 1: [[I does not have 3 dimensions"],
    );
    check_body(
        "new_object(H,'[I',X,H1)",
        "H1",
        expect!["predicate 0, rule 1: [I does not have 0 dimensions"],
    );
    check_body("X #= 1/I", "H", expect!["predicate 0, rule 1: the divisor I may be zero"]);
    check_body("X #= L rem L", "H", expect!["predicate 0, rule 1: the divisor L may be zero"]);
    check_body("X #= L rem 0L", "H", expect!["predicate 0, rule 1: the divisor 0 may be zero"]);
    check_body("X #= L rem -3L, Y #= 1.5/0.0", "H", expect![""]);
}

#[test]
fn references_are_storable() {
    let store = |class: &str, value: &str| {
        format!("new_array(H,'{class}',1,X,H1), set_array(H1,reference,X,0,{value},H2)")
    };
    check_body(&store("[Ljava/lang/Object;", "O"), "H2", expect![""]);
    check_body(&store("[Ljava/lang/String;", "null"), "H2", expect![""]);
    check_body(
        &store("[Ljava/lang/String;", "O"),
        "H2",
        expect!["predicate 0, rule 1: X may not be able to hold O"],
    );
}

#[test]
fn guards_make_literals_safe() {
    let head = "f([r(This),I,l(L),ref(O),ref(A)],[],H,$,ok,f(#,$P,[]))";
    let check_pair = |guard: &str, other: &str, body: &str, after: &str, parameters: &str| {
        let first = head.replace("$P", parameters).replace('$', after).replace('#', "1");
        let second = head.replace("$P", "[]").replace('$', "H").replace('#', "2");
        check(
            &format!("{DIRECTIVES}{first} :- {guard}, {body}.\n{second} :- {other}."),
            expect![""],
        );
    };
    check_pair("O \\== null", "O == null", "get_field(H,O,x,X)", "H", "[]");
    check_pair("different(O,null)", "same(O,null)", "get_field(H,O,x,X)", "H", "[]");
    check_pair("null \\== O", "null == O", "get_field(H,O,x,X)", "H", "[]");
    check_pair("instance(H,O,'A')", "not_instance(H,O,'A')", "get_field(H,O,x,X)", "H", "[]");
    check_pair("I #\\= 0", "I #= 0", "X #= 7/I", "H", "[]");
    check_pair("L #\\= 0L", "L #= 0L", "X #= L rem L", "H", "[]");
    check_pair("I #>= 0", "I #< 0", "new_array(H,'[I',I,X,H1)", "H1", "[I]");
    check_pair(
        "in_bounds(H,This,I)",
        "out_of_bounds(H,This,I)",
        "get_array(H,char,This,I,X)",
        "H",
        "[]",
    );
    check_pair(
        "not_castable(H,O,'A')",
        "castable(H,O,'A')",
        "throwable(H,'E',cast(O,'A'),X,H1)",
        "H1",
        "[]",
    );
    check_pair(
        "not_storable(H,This,O)",
        "storable(H,This,O)",
        "throwable(H,'E',store(O),X,H1)",
        "H1",
        "[]",
    );
}

#[test]
fn kinds_agree() {
    check_body(
        "X #= I+L",
        "H",
        expect!["predicate 0, rule 1: L is of kind Long where Int is needed"],
    );
    check_body(
        "X #= L<<I, Y #= L>>L",
        "H",
        expect!["predicate 0, rule 1: L is of kind Long where Int is needed"],
    );
    check_body(
        "X #= i2l(L)",
        "H",
        expect!["predicate 0, rule 1: L is of kind Long where Int is needed"],
    );
    check_body("X #= 1.5/\\2.5", "H", expect!["predicate 0, rule 1: there is no And(Double)"]);
    check_body(
        "set_field(H,This,x,L,H1)",
        "H1",
        expect!["predicate 0, rule 1: L is of kind Long where Int is needed"],
    );
    check_body(
        "set_static(H,o,I,H1)",
        "H1",
        expect!["predicate 0, rule 1: I is of kind Int where Reference is needed"],
    );
    check_body(
        "instance_of(H,I,'A',X)",
        "H",
        expect!["predicate 0, rule 1: I is of kind Int where Reference is needed"],
    );
    check(
        ":- procedure('A', f, '(I)J', static).\n:- predicate(f, entry, 0).\nf([I],[I],H,H,ok,f(1,[],[])).",
        expect!["predicate 0, rule 1: I is of kind Int where Long is needed"],
    );
    check(
        ":- procedure('A', f, '(I)J', static).\n:- predicate(f, entry, 0).\nf([],[],H,H,ok,f(1,[],[])).",
        expect![[r#"
            predicate 0: its parameters are not those of A.f(I)J
            predicate 0, rule 1: the method returns no value"#]],
    );
}

#[test]
fn claims_are_justified() {
    check_body(
        "get_field(H,This,o,r(X))",
        "H",
        expect!["predicate 0, rule 1: X claims more than is certain"],
    );
    check_body(
        "new_array(H,'[I',3,array(X,'[I',4),H1)",
        "H1",
        expect!["predicate 0, rule 1: X claims more than is certain"],
    );
    check_body("new_array(H,'[I',3,ref(X),H1), get_array(H1,int,X,1,Y)", "H1", expect![""]);
    check(
        ":- procedure('A', f, '([I)V', static).
        :- predicate(f, entry, 0).
        f([array(X,'[I',1)],[],H,H,ok,f(1,[],[])).",
        expect!["predicate 0: nothing is known about X on entry"],
    );
    let call = |argument: &str, parameter: &str| {
        format!(
            ":- procedure('A', f, '(Ljava/lang/Object;)V', static).
            :- predicate(f, entry, 0).
            :- predicate(p, block, 0).
            f([ref(X)],[],H,H2,E,f(1,[],[T])) :-
                new_array(H,'[J',2,Y,H1), p([{argument}],[],H1,H2,E,T).
            p([{parameter}],[],H,H,ok,p(1,[],[]))."
        )
    };
    check(&call("ref(X)", "ref(Z)"), expect![""]);
    check(&call("r(Y)", "array(Z,'[J',2)"), expect![""]);
    check(
        &call("r(X)", "r(Z)"),
        expect!["predicate 0, rule 1: X is not known to be what Z of p claims"],
    );
    check(
        &call("null", "r(Z)"),
        expect!["predicate 0, rule 1: null is not known to be what Z of p claims"],
    );
    check(
        &call("r(Y)", "array(Z,'[J',3)"),
        expect!["predicate 0, rule 1: Y is not known to be what Z of p claims"],
    );
    check(
        &call("r(Y)", "array(Z,'J',2)"),
        expect![[r#"
            predicate 0, rule 1: Y is not known to be what Z of p claims
            predicate 1: Z cannot be the array it is said to be"#]],
    );
}

#[test]
fn rules_are_the_cases_of_a_decision() {
    check_guards(&[""], expect![""]);
    check_guards(&["I #< 0", "I #>= 0"], expect![""]);
    check_guards(&["O == null", "O \\== null, I #< 0", "O \\== null, I #>= 0"], expect![""]);
    // The order in which the guards stand does not matter.
    check_guards(&["I #< 0, O == null", "O \\== null, I #< 0", "I #>= 0"], expect![""]);
    check_guards(
        &["I in [1,2]", "I in [0]", "I not_in [0,1,2], O == null", "I not_in [0,1,2], O \\== null"],
        expect![""],
    );
    check_guards(
        &["I #< 0"],
        expect!["predicate 0: no rule applies where rule 1 does not because of I #< 0"],
    );
    check_guards(&["", ""], expect!["predicate 0: rules 1 and 2 can both apply"]);
    check_guards(&["I #< 0", "I #>= 0", ""], expect!["predicate 0: rules 1 and 3 can both apply"]);
    check_guards(
        &["I #< 0", "I #>= 0", "I #>= 0"],
        expect!["predicate 0: rules 2 and 3 can both apply"],
    );
    check_guards(&["I #< 0", "I #> 0"], expect!["predicate 0: rules 1 and 2 can both apply"]);
    check_guards(
        &["O == null, I #< 0", "O \\== null", "I #>= 0"],
        expect!["predicate 0: rules 2 and 3 can both apply"],
    );
    check_guards(
        &["I in [1]", "I in [2]", "I not_in [1,2,3]"],
        expect!["predicate 0: the default of a switch is not what its cases leave"],
    );
    check_guards(
        &["I in [1,2]", "I in [2]", "I not_in [1,2]"],
        expect!["predicate 0: two cases of a switch overlap"],
    );
    check_guards(&["I in [1]", "I in [2]"], expect!["predicate 0: a switch has no default"]);
    check_guards(
        &["I in [2,1]", "I not_in [2,1]"],
        expect![[r#"
            predicate 0, rule 1: the values of a switch are not in ascending order
            predicate 0, rule 2: the values of a switch are not in ascending order"#]],
    );
    // Three decisions, no two rules of which share all: mutually exclusive, but no tree.
    check_guards(
        &[
            "I #< 0, L #< 0L",
            "I #>= 0, O == null",
            "L #>= 0L, O \\== null",
            "I #< 0, L #>= 0L, O == null",
            "I #>= 0, L #< 0L, O \\== null",
        ],
        expect!["predicate 0: its rules are not the cases of a decision"],
    );
}

#[test]
fn nan_is_on_one_side_of_a_comparison() {
    let rules = |one: &str, other: &str| {
        format!(
            ":- procedure('A', f, '(F)V', static).
            :- predicate(f, entry, 0).
            f([f(X)],[],H,H,ok,f(1,[],[])) :- {one}.
            f([f(X)],[],H,H,ok,f(2,[],[])) :- {other}."
        )
    };
    check(&rules("nan_or(X #< 0.0f)", "X #>= 0.0f"), expect![""]);
    check(&rules("X #< 0.0f", "X #>= 0.0f"), expect!["predicate 0: rules 1 and 2 can both apply"]);
}

/// A procedure with a call, its continuation, and what the second rule of that does.
fn with_call(call: &str, arguments: &str, parameters: &str, threw: &str) -> String {
    format!(
        "{DIRECTIVES}
        :- predicate(p, choice, 1).
        :- predicate(q, block, 2).
        f([r(This),I,l(L),ref(O),ref(A)],[],H,H2,E,f(1,[],[T1,T2])) :-
            {call}, p([{arguments}],[],H1,H2,E,T2).
        p([{parameters}],[],H,H,ok,p(1,[],[])) :- E1 = ok.
        p([{parameters}],[],H,{threw}"
    )
}

const THREW: &str = "H,exc(X),p(2,[],[])) :- E1 = exc(X).";

#[test]
fn calls_pass_their_exits_on() {
    let unused = "\n:- predicate(q2, block, 2).\nq2([],[],H,H,ok,q2(1,[],[])).";
    let without_q = |text: String| text.replace(":- predicate(q, block, 2).", "");
    let call = "g([I],[V],H,H1,E1,T1)";
    check(&without_q(with_call(call, "V,exit(E1)", "V,exit(E1)", THREW)), expect![""]);
    check(
        &(without_q(with_call(call, "V,exit(E1)", "V,exit(E1)", THREW)) + unused),
        expect!["predicate 2: it is not reachable from the entry"],
    );
    check(
        &without_q(with_call("h([ref(O)],[],H,H1,E1,T1)", "exit(E1)", "exit(E1)", THREW)),
        expect!["predicate 0, rule 1: O may be null"],
    );
    check(
        &without_q(with_call("g([l(L)],[V],H,H1,E1,T1)", "exit(E1)", "exit(E1)", THREW)),
        expect!["predicate 0, rule 1: L is of kind Long where Int is needed"],
    );
    check(
        &without_q(with_call("virtual:g([I],[],H,H1,E1,T1)", "exit(E1)", "exit(E1)", THREW)),
        expect![[r#"
            predicate 0, rule 1: I is of kind Int where Reference is needed
            predicate 0, rule 1: I may be null
            predicate 0, rule 1: a call has 1 inputs where 2 are needed"#]],
    );
    check(
        &without_q(with_call(call, "exit(E1),exit(E1)", "exit(E1),exit(E2)", THREW)),
        expect![[r#"
            predicate 0, rule 1: it does not pass on the exit of its call
            predicate 1: it has more than one exit among its parameters"#]],
    );
}

#[test]
fn results_are_not_used_after_a_throw() {
    let call = "g([I],[V],H,H1,E1,T1)";
    let threw = "H1,E,p(2,[],[T])) :- E1 = exc(X), q([V],[],H,H1,E,T).
        q([V],[],H,H,ok,q(1,[],[])).";
    check(
        &with_call(call, "V,exit(E1)", "V,exit(E1)", threw),
        expect!["predicate 1, rule 2: parameter 1 is the result of a call that threw"],
    );
    check(&with_call(call, "I,exit(E1)", "V,exit(E1)", threw), expect![""]);
}

#[test]
fn exits_are_told_apart() {
    check(
        &format!(
            "{DIRECTIVES}
            :- predicate(p, choice, 1).
            f([r(This),I,l(L),ref(O),ref(A)],[],H,H2,E,f(1,[],[T])) :-
                initialise('A',H,H1,E1), p([exit(E1)],[],H1,H2,E,T).
            p([exit(E1)],[],H,H1,E,p(1,[],[T])) :- p([exit(E1)],[],H,H1,E,T)."
        ),
        expect![[r#"
            predicate 1, rule 1: it passes on an exit that is not that of its call
            predicate 1, rule 1: it does not tell how the call ended"#]],
    );
    check_body(
        "initialise('A',H,H1,E1), X #= I+1",
        "H1",
        expect![[r#"
        predicate 0, rule 1: it ends with a call whose exit nothing tells
        predicate 0, rule 1: a call is not the last literal"#]],
    );
}

#[test]
fn literals_come_from_instructions_that_do_what_they_say() {
    let rule = "f([r(This),I,l(L),ref(O),ref(A)],[],H,H,ok,f(1,[],[])) :- X #= I+1, Y #= L*L.";
    let check_comments =
        |comments: &str, problems| check(&format!("{DIRECTIVES}{comments}\n{rule}"), problems);
    check_comments("%@ 1: 4 iadd, 5 lmul", expect![""]);
    check_comments("%@ 1: 4 iinc, 5 iadd, 6 lmul\n%@ literals: 1 at 5", expect![""]);
    check_comments(
        "%@ 1: 4 iadd, 5 imul",
        expect!["predicate 0, rule 1: literal 2 does not come from iadd at 4"],
    );
    check_comments(
        "%@ 1: 4 iadd, 5 lmul\n%@ literals: 2 at 6",
        expect!["predicate 0, rule 1: no instruction at 6 can be that of literal 2"],
    );
    check_comments(
        "%@ 1: 4 iadd, 5 lmul\n%@ literals: 1 at 0",
        expect!["predicate 0, rule 1: no instruction at 0 can be that of literal 1"],
    );
    check_comments(
        "%@ 1: 5 lmul, 6 iadd\n%@ literals: 1 at 6, 2 at 5",
        expect!["predicate 0, rule 1: no instruction at 5 can be that of literal 2"],
    );
}

#[test]
fn what_a_decision_leads_to_comes_from_the_instruction_that_decides() {
    let check_offset = |pc: u16, problems| {
        let text = format!(
            "{DIRECTIVES}
            :- predicate(p, choice, 3).
            %@ 1: 1 iload_1, 2 iload_1, 3 idiv
            f([r(This),I,l(L),ref(O),ref(A)],[],H,H1,E,f(1,[],[T])) :- p([I],[],H,H1,E,T).
            %@ 1: 4 return
            %@ literals: 1 at {pc}
            p([I],[],H,H,ok,p(1,[],[])) :- I #\\= 0, X #= I/I.
            p([I],[],H,H,ok,p(2,[],[])) :- I #= 0."
        );
        check(&text, problems);
    };
    check_offset(3, expect![""]);
    check_offset(4, expect!["predicate 1, rule 1: literal 1 does not come from return at 4"]);
    check_offset(2, expect!["predicate 1, rule 1: no instruction at 2 can be that of literal 1"]);
}
