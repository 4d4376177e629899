//! Methods that no compiler writes, or none of today: assembled, translated, verified and compared
//! with the expected rules.

use std::sync::Arc;

use expect_test::{Expect, expect};
use petrel_classfile::writer::{ClassWriter, CodeWriter};
use petrel_classfile::{flags, op};
use petrel_classpath::{ClassSource, Jdk};
use petrel_clp::{Procedure, print, verify};
use petrel_program::{ClassBytes, ClassProvider, Origin, Program};
use petrel_translate::{TranslateError, translate};

/// The assembled class, and everything else from the JDK.
struct Provider {
    class: Arc<[u8]>,
    jdk: Jdk,
}

impl ClassProvider for Provider {
    fn find(&self, name: &str) -> Result<Option<ClassBytes>, String> {
        if name == "Assembled" {
            let (bytes, place) = (Arc::clone(&self.class), "assembled".to_owned());
            return Ok(Some(ClassBytes { bytes, place, origin: Origin::Project }));
        }
        let found = self.jdk.find(name).map_err(|error| error.to_string())?;
        Ok(found.map(|found| petrel_session::provided(found, true)))
    }
}

fn attempt(
    descriptor: &str,
    locals: u16,
    build: impl FnOnce(&mut CodeWriter<'_>),
) -> Result<Procedure, TranslateError> {
    let mut class = ClassWriter::new(flags::PUBLIC, "Assembled", "java/lang/Object", &[]);
    class.method(flags::STATIC, "m", descriptor, locals, build);
    let class = class.finish().expect("the class is small").into();
    let jdk = Jdk::locate(None).expect("a JDK is needed; run: make setup");
    let program = Program::new(Box::new(Provider { class, jdk }));
    let class = program.class("Assembled").expect("the class is well-formed");
    translate(&program, &class, 0).map(|procedure| procedure.expect("the method has code"))
}

fn assemble(descriptor: &str, locals: u16, build: impl FnOnce(&mut CodeWriter<'_>)) -> Procedure {
    let procedure = attempt(descriptor, locals, build).expect("the code is verifiable");
    let problems = verify::verify(&procedure);
    assert!(problems.is_empty(), "{problems:?}\n{}", print::procedure(&procedure));
    procedure
}

/// Compares the rules, without directives.
fn check(procedure: &Procedure, expected: Expect) {
    let text = print::procedure(procedure);
    let rules: Vec<&str> =
        text.lines().filter(|line| !line.starts_with(":-") && !line.is_empty()).collect();
    expected.assert_eq(&(rules.join("\n") + "\n"));
}

#[test]
fn a_return_narrows_what_does_not_fit_the_type_of_the_method() {
    let byte = assemble("()B", 0, |code| {
        code.int(300).op(op::IRETURN);
    });
    check(
        &byte,
        expect![[r#"
            % Assembled.m()B
            %@ 0: 0 sipush, 3 ireturn
            m([],[V],H,H,ok,m(1,[],[])) :-
                V #= i2b(300).
        "#]],
    );
    let boolean = assemble("(I)Z", 1, |code| {
        code.local(op::ILOAD, 0).op(op::IRETURN);
    });
    check(
        &boolean,
        expect![[r#"
            % Assembled.m(I)Z
            %@ 0: 0 iload, 2 ireturn
            m([L0],[V],H,H,ok,m(1,[],[])) :-
                V #= L0/\1.
        "#]],
    );
}

#[test]
fn a_subroutine_is_inlined_at_each_call() {
    let procedure = assemble("(I)I", 2, |code| {
        let subroutine = code.label();
        code.jump(op::JSR, subroutine).jump(op::JSR, subroutine);
        code.local(op::ILOAD, 0).op(op::IRETURN);
        code.place(subroutine).local(op::ASTORE, 1);
        code.local(op::ILOAD, 0).int(1).op(op::IADD).local(op::ISTORE, 0).local(op::RET, 1);
    });
    check(
        &procedure,
        expect![[r#"
            % Assembled.m(I)I
            %@ 0: 0 jsr, 9 astore, 11 iload, 13 iconst_1, 14 iadd, 15 istore, 17 ret, 3 jsr, 9 astore, 11 iload
            %@ 0: 13 iconst_1, 14 iadd, 15 istore, 17 ret, 6 iload, 8 ireturn
            m([L0],[L02],H,H,ok,m(1,[],[])) :-
                L01 #= L0+1,
                L02 #= L01+1.
        "#]],
    );
}

#[test]
fn a_return_from_an_outer_subroutine_ends_the_inner_one() {
    // The inner subroutine drops its own return address and returns by the outer one's.
    let procedure = assemble("()I", 1, |code| {
        let (outer, inner) = (code.label(), code.label());
        code.jump(op::JSR, outer).int(1).op(op::IRETURN);
        code.place(outer).local(op::ASTORE, 0).jump(op::JSR, inner).int(2).op(op::IRETURN);
        code.place(inner).op(op::POP).local(op::RET, 0);
    });
    check(
        &procedure,
        expect![[r#"
            % Assembled.m()I
            %@ 0: 0 jsr, 5 astore, 7 jsr, 12 pop, 13 ret, 3 iconst_1, 4 ireturn
            m([],[1],H,H,ok,m(1,[],[])).
        "#]],
    );
}

#[test]
fn a_subroutine_that_a_loop_leaves_by_a_jump_can_be_called_again() {
    let procedure = assemble("(I)I", 2, |code| {
        let (subroutine, again) = (code.label(), code.label());
        code.place(again).jump(op::JSR, subroutine).int(7).op(op::IRETURN);
        code.place(subroutine).local(op::ASTORE, 1);
        code.local(op::ILOAD, 0).int(1).op(op::ISUB).local(op::ISTORE, 0);
        code.local(op::ILOAD, 0).jump(op::IFGT, again).local(op::RET, 1);
    });
    assert!(procedure.predicates.iter().any(|p| p.kind == petrel_clp::PredicateKind::Loop));
}

#[test]
fn an_irreducible_loop_is_translated() {
    // Two ways into the cycle of `first` and `second`.
    let procedure = assemble("(I)I", 1, |code| {
        let (first, second) = (code.label(), code.label());
        code.local(op::ILOAD, 0).jump(op::IFEQ, second);
        code.place(first).local(op::ILOAD, 0).int(1).op(op::IADD).local(op::ISTORE, 0);
        code.place(second).local(op::ILOAD, 0).int(10).jump(op::IF_ICMPLT, first);
        code.local(op::ILOAD, 0).op(op::IRETURN);
    });
    let loops = procedure.loops();
    assert_eq!(loops.loops.len(), 1);
}

#[test]
fn code_that_nothing_leads_to_may_fall_off_the_end() {
    assemble("()I", 0, |code| {
        code.int(1).op(op::IRETURN).op(op::NOP);
    });
    let error = attempt("()V", 0, |code| {
        code.op(op::NOP);
    });
    assert_eq!(
        error.unwrap_err().to_string(),
        "method Assembled.m()V, instruction 0: control falls off the end of the code"
    );
}

#[test]
fn a_value_of_the_wrong_kind_is_refused_with_its_place() {
    let error = attempt("(J)I", 2, |code| {
        code.local(op::LLOAD, 0).op(op::IRETURN);
    });
    assert_eq!(
        error.unwrap_err().to_string(),
        "method Assembled.m(J)I, instruction 2: Long is on the operand stack instead of Int"
    );
}

#[test]
fn sixty_thousand_variables_of_one_name_take_no_quadratic_time() {
    let procedure = assemble("(I)I", 1, |code| {
        code.local(op::ILOAD, 0);
        for _ in 0..60_000 {
            code.op(op::INEG);
        }
        code.op(op::IRETURN);
    });
    assert_eq!(procedure.predicates[0].rules[0].body.len(), 60_000);
}

#[test]
fn ten_thousand_calls_of_a_subroutine_take_no_quadratic_time() {
    let procedure = assemble("(I)I", 2, |code| {
        let subroutine = code.label();
        for _ in 0..10_000 {
            code.jump(op::JSR, subroutine);
        }
        code.local(op::ILOAD, 0).op(op::IRETURN);
        code.place(subroutine).local(op::ASTORE, 1);
        code.int(7).local(op::ILOAD, 0).op(op::IDIV).local(op::ISTORE, 0).local(op::RET, 1);
    });
    assert!(procedure.predicates.len() > 10_000);
}
