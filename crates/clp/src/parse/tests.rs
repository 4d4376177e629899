use expect_test::{Expect, expect};

use super::*;

fn check(text: &str, error: Expect) {
    match program(text) {
        Ok(_) => error.assert_eq("no error"),
        Err(found) => error.assert_eq(&found.to_string()),
    }
}

const HEADING: &str = "\
:- procedure('A', f, '(I)I', static).
:- callee(g, 'A', g, '(I)V').
:- field(x, 'A', x, 'J').
:- predicate(f, entry, 0).
:- predicate(p, block, 4).
";

/// The error of a rule for `f`, which is the sixth line.
fn check_rule(rule: &str, error: Expect) {
    check(&format!("{HEADING}{rule}"), error);
}

#[test]
fn the_empty_text_is_the_empty_program() {
    assert_eq!(program(" % nothing\n"), Ok((Vec::new(), Vec::new())));
}

#[test]
fn mistakes_in_directives_are_named() {
    check("f.", expect!["1:1: a procedure or dispatch directive comes first"]);
    check(
        ":- procedure('A', f).",
        expect!["1:4: a procedure has a class, a name, a descriptor and static|instance"],
    );
    check(":- procedure('A', f, '()V', none).", expect!["1:29: a procedure is static or instance"]);
    check(
        &format!("{HEADING}:- predicate(p, block, 9)."),
        expect!["6:14: there is another predicate of this name"],
    );
    check(
        &format!("{HEADING}:- predicate(q, block, 65536)."),
        expect!["6:24: the number is out of range"],
    );
    check(
        &format!("{HEADING}:- predicate(q, black, 1)."),
        expect!["6:17: a predicate is entry, block, loop, catch or choice"],
    );
    check(&format!("{HEADING}:- procedures."), expect!["6:4: this directive is not known"]);
    check(
        &format!("{HEADING}%@ 1: 2 iload_0\n:- field(y, 'A', y, 'J')."),
        expect!["7:1: instructions without a rule"],
    );
    check(
        &format!("{HEADING}:- dynamic_site(1, a, b, invoke_static(a, b, c), [])."),
        expect!["6:17: dynamic sites are numbered in order, and differ"],
    );
}

#[test]
fn mistakes_in_terms_are_named() {
    check("a", expect![[r#"1:2: ":-" is expected here"#]]);
    check("a :- b", expect![[r#"1:7: "," is expected here"#]]);
    check("a :- .", expect!["1:6: the clause ends too early"]);
    check("a(b", expect![[r#"1:4: "," is expected here"#]]);
    check("a(", expect!["1:3: the text ends within a clause"]);
    check("a :- ?.", expect!["1:6: '?' is not expected here"]);
    check("'a\n'.", expect!["1:1: this name does not end in its line"]);
    check("'\\q'.", expect!["1:2: this escape is not known"]);
    check("'\\xd800\\'.", expect!["1:2: this escape names no character"]);
    check("a(\"\\q\").", expect!["1:3: an escape in this string is wrong"]);
    check("a(\"b).\n", expect!["1:3: this string does not end in its line"]);
    for number in ["2147483648", "9223372036854775808L", "1e999", "1e99f", "1x", "0xg", "1.5L"] {
        let error = program(&format!("a({number}).")).unwrap_err();
        assert_eq!(error.to_string(), format!("1:3: {number} is no number of its kind"));
    }
}

#[test]
fn brackets_do_not_exhaust_the_stack() {
    for opening in ["f(", "[", "- ", "a:", "-(", "[X|"] {
        let error = program(&opening.repeat(100_000)).unwrap_err();
        assert_eq!(error.message, "too many brackets within brackets");
    }
}

#[test]
fn columns_count_characters() {
    check("'é' ?", expect!["1:5: '?' is not expected here"]);
}

#[test]
fn instructions_have_to_be_instructions() {
    check_rule(
        "%@ 1: 2 jump\nf([X],[X],H,H,ok,f(1,[],[])).",
        expect![[r#"6:1: "2 jump" is no instruction"#]],
    );
    check_rule(
        "%@ 2 nop\nf([X],[X],H,H,ok,f(1,[],[])).",
        expect![[r#"6:1: "2 nop" is no instruction"#]],
    );
    check_rule("%@ 1: 2 nop\n", expect!["7:1: instructions without a rule"]);
}

/// The offsets that the literals of all rules come from, as they are read, and again from their own text.
fn offsets(rules: &str) -> Vec<Vec<u16>> {
    let read = |text: &str| match procedures(text) {
        Ok(read) => read,
        Err(error) => panic!("{error}\n{text}"),
    };
    let first = read(&format!("{HEADING}{rules}"));
    let again = read(&crate::print::procedure(&first[0]));
    assert_eq!(again, first);
    first[0].rules().map(|rule| rule.body.iter().map(|placed| placed.pc).collect()).collect()
}

#[test]
fn literals_come_from_the_instructions_that_do_what_they_say() {
    let rule = "f([X],[Z],H,H,ok,f(1,[],[])) :- Y #= X+1, Z #= Y+X.";
    let instructions = "%@ 1: 2 iload_0, 3 iinc, 6 iload_0, 7 imul, 8 iadd, 9 iadd\n";
    assert_eq!(offsets(rule), [[0, 0]], "nothing is said about instructions");
    assert_eq!(offsets(&format!("{instructions}{rule}")), [[3, 8]]);
    assert_eq!(offsets(&format!("{instructions}%@ literals: 1 at 8\n{rule}")), [[8, 9]]);
    assert_eq!(offsets(&format!("{instructions}%@ literals: 2 at 9\n{rule}")), [[3, 9]]);
}

#[test]
fn what_a_decision_leads_to_comes_from_the_instruction_that_decides() {
    let rules = "
        :- predicate(q, choice, 3).
        %@ 1: 1 iload_0, 2 iload_0, 3 idiv
        f([X],[R],H,H1,E,f(1,[],[T])) :- q([X],[R],H,H1,E,T).
        %@ 1: 4 iconst_2, 5 idiv, 6 ireturn
        q([X],[Z],H,H,ok,q(1,[],[])) :- X #\\= 0, Y #= X/X, Z #= Y/2.
        q([X],[_],H,H1,exc(E),q(2,[],[])) :-
            X #= 0, throwable(H,'java/lang/ArithmeticException',text(\"/ by zero\"),E,H1).";
    let expected: [&[u16]; 3] = [&[], &[3, 5], &[3]];
    assert_eq!(offsets(rules), expected);
}

#[test]
fn offsets_of_literals_have_to_be_some() {
    let rule = "f([X],[Y],H,H,ok,f(1,[],[])) :- Y #= X+1.";
    let wrong = |comment: &str, error: Expect| check_rule(&format!("{comment}\n{rule}"), error);
    wrong("%@ literals: 1 at 7", expect!["no error"]);
    wrong("%@ literals: 1", expect![[r#"6:1: "1" is no literal with an offset"#]]);
    wrong(
        "%@ literals: 1 at 65536",
        expect![[r#"6:1: "1 at 65536" is no literal with an offset"#]],
    );
    wrong(
        "%@ literals: 2 at 7",
        expect!["7:1: the literals of this rule are not numbered like that"],
    );
    wrong(
        "%@ literals: 0 at 7",
        expect!["7:1: the literals of this rule are not numbered like that"],
    );
    wrong(
        "%@ literals: 1 at 7, 1 at 7",
        expect!["7:1: the literals of this rule are not numbered like that"],
    );
    check_rule("%@ literals: 1 at 7\n", expect!["7:1: instructions without a rule"]);
    check_rule(
        "%@ literals: 1 at 7\n:- field(y, 'A', y, 'J').",
        expect!["7:1: instructions without a rule"],
    );
}

#[test]
fn what_is_said_twice_has_to_agree() {
    check_rule("f([X],[X],H,H,ok,f(1,[],[])).", expect!["no error"]);
    check_rule("f([X],[X],H,H,ok,f(2,[],[])).", expect!["6:18: the trace of this rule is f(1,..)"]);
    check_rule("f([X],[X],H,H,ok,f(1,[X],[])).", expect!["6:22: [] is expected here"]);
    check_rule(
        "f([X],[R],H,H1,E,f(1,[],[])) :- p([X],[R],H,H1,E,T).",
        expect!["6:25: [T] is expected here"],
    );
    check_rule("f([X],[X],H,H1,ok,f(1,[],[])).", expect!["6:13: the last heap of this rule is H"]);
    check_rule(
        "f([X],[X],H,H2,ok,f(1,[],[])) :- new_object(H1,'A',Y,H2).",
        expect!["6:45: the current heap is H"],
    );
    check_rule(
        "f([X],[R],H,H1,E,f(1,[],[T])) :- p([X],[R],H,H1,E1,T).",
        expect!["6:49: the exit of this rule is E"],
    );
    check_rule(
        "f([X],[R],H,H1,E,f(1,[],[T])) :- p([X],[S],H,H1,E,T).",
        expect!["6:41: the result of this rule is R"],
    );
    check_rule(
        "f([X],[X],H,H,ok,f(1,[],[])).\nf([Y],[Y],H,H,ok,f(2,[],[])).",
        expect!["7:3: the rules of a predicate have the same inputs"],
    );
    check_rule(
        "f([X],[R],H,H1,E,f(1,[],[T])) :- p([l(X)],[R],H,H1,E,T).",
        expect!["6:37: the variable is of another kind"],
    );
    check_rule(
        "f([l(X)],[R],H,H1,E,f(1,[],[T])) :- p([X],[R],H,H1,E,T).",
        expect!["6:40: an input that is no int is wrapped by its kind"],
    );
}

#[test]
fn names_stand_for_one_thing() {
    check_rule(
        "f([X,X],[X],H,H,ok,f(1,[],[])).",
        expect!["6:6: X stands for something else already"],
    );
    check_rule(
        "f([H],[H],H,H,ok,f(1,[],[])).",
        expect!["6:11: H stands for something else already"],
    );
    check_rule("f([X],[Y],H,H,ok,f(1,[],[])).", expect!["6:8: Y is not bound"]);
    check_rule("f([X],[H],H,H,ok,f(1,[],[])).", expect!["6:8: H is no value"]);
    check_rule("f([_],[0],H,H,ok,f(1,[],[])).", expect!["6:4: a variable is expected here"]);
    check_rule("g([],[],H,H,ok,g(1,[],[])).", expect!["6:1: no predicate directive for g"]);
    check_rule(
        "f([X],[R],H,H1,E,f(1,[],[T])) :- g([X],[R],H,H1,E,T).",
        expect!["6:34: a predicate of this procedure is expected here"],
    );
    check_rule(
        "f([X],[0],H,H1,ok,f(1,[],[T])) :- k([X],[],H,H1,E,T).",
        expect!["6:35: no callee directive for k"],
    );
    check_rule(
        "f([X],[0],H,H,ok,f(1,[],[])) :- get_static(H,y,Y).",
        expect!["6:46: no field directive for y"],
    );
}

#[test]
fn mistakes_in_literals_are_named() {
    let check_body = |body: &str, error: Expect| {
        check_rule(&format!("f([X],[0],H,H,ok,f(1,[],[])) :- {body}."), error);
    };
    check_body("Y #= X+1", expect!["no error"]);
    check_body("Y #= X+1, X #= 0", expect!["6:43: a guard is expected before the other literals"]);
    check_body("Y #= 7", expect!["6:33: Y is not bound"]);
    check_body("Y #= foo(X)", expect!["6:38: an operation is expected here"]);
    check_body("Y #= i2l(X,X)", expect!["6:38: an operation is expected here"]);
    check_body("null #< 1", expect!["6:33: a number is expected here"]);
    check_body("X in [1,2L]", expect!["6:41: an int is expected here"]);
    check_body("X = yes", expect!["6:37: ok or exc(X) is expected here"]);
    check_body("nan_or(X)", expect!["6:40: a comparison is expected here"]);
    check_body(
        "new_object(H,'A',Y)",
        expect!["6:33: new_object has 3 arguments here, and should have 4"],
    );
    check_body(
        "get_static(H,x,r(Y))",
        expect!["6:48: only references that are bound here can be wrapped"],
    );
    check_body(
        "g([X,X,X],[],H,H1,E,T)",
        expect!["6:33: g has 1 inputs, or one more with a receiver"],
    );
    check_body(
        "static:g([X],[],H,H1,E,T)",
        expect!["6:33: a call is virtual, interface or polymorphic, or plain"],
    );
    check_body("g([X],[Y],H,H1,E,T)", expect!["6:39: this call has no result"]);
    check_body(
        "dynamic(0,[],[],H,H1,E,T)",
        expect!["6:41: no dynamic_site directive for this number"],
    );
    check_body("float(0x100000000) #< 1.0f", expect!["6:39: a float has 32 bits"]);
    check_body("get_array(H,bit,null,X,Y)", expect!["6:45: this is no kind of array elements"]);
}

#[test]
fn mistakes_in_dispatches_are_named() {
    let check_rule = |rule: &str, error: Expect| {
        let heading = ":- dispatch(f, 'A', f, '()V').\n:- callee(g, 'B', f, '()V').\n";
        check(&format!("{heading}{rule}"), error);
    };
    check_rule(
        "virtual:f([r(This)|A],O,H,H1,E,f(1,[],[T])) :- class_of(H,This,['B']), g([r(This)|A],O,H,H1,E,T).",
        expect!["no error"],
    );
    check_rule(
        "virtual:f([r(This)|A],O,H,H1,E,f(1,[],[T])) :- class_of(H,This,['B']), h([r(This)|A],O,H,H1,E,T).",
        expect!["3:72: no callee directive for this method"],
    );
    check_rule(
        "virtual:f([r(This)|A],O,H,H1,E,f(1,[],[T])) :- class_of(H,This,['B']), g([r(This)|A],O,H,H,E,T).",
        expect!["3:72: a dispatch passes on what it gets"],
    );
    check_rule(
        "virtual:f([r(This)|A],O,H,H1,E,f(2,[],[T])) :- class_of(H,This,['B']), g([r(This)|A],O,H,H1,E,T).",
        expect!["3:32: the trace of this rule is f(1,..)"],
    );
    check_rule(
        "f([r(This)|A],O,H,H1,E,f(1,[],[T])).",
        expect!["3:1: the rules of a dispatch are about virtual:name(..)"],
    );
    check_rule(
        "virtual:f([r(A)|A],O,H,H1,E,f(1,[],[T])) :- class_of(H,A,['B']), g([r(A)|A],O,H,H1,E,T).",
        expect!["3:9: the variables of a dispatch rule are different ones"],
    );
}

#[test]
fn tables_are_in_the_order_of_mention_unless_listed() {
    let rule = "f([X],[0],H,H,ok,f(1,[],[])) :- class_object('B',Y), class_object('A',Z).";
    let read = |directives: &str| {
        let procedures = procedures(&format!("{HEADING}{directives}{rule}")).unwrap();
        let classes = procedures[0].tables.classes.entries();
        classes.iter().map(|class| class.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(read(""), ["B", "A"]);
    assert_eq!(read(":- classes(['A','C']).\n"), ["A", "C", "B"]);
}
