use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use petrel_classfile::flags;
use petrel_classfile::writer::{ClassWriter, CodeWriter};
use petrel_classpath::{ClassSource, Jdk};
use petrel_clp::Callee;
use petrel_program::{ClassBytes, ClassProvider, Origin, Program};
use petrel_session::Session;

use super::*;
use crate::case::{Cut, Ends, RuleApplied};

/// The folder that `make fixtures` builds.
fn fixtures_folder() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    root.join("build/fixtures")
}

fn fixtures(topic: &str) -> Session {
    let folder = fixtures_folder().join(topic);
    Session::open(folder.as_os_str(), None).expect("run: make setup fixtures")
}

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

fn program(build: impl FnOnce(&mut ClassWriter)) -> Program {
    let mut class = ClassWriter::new(flags::PUBLIC, "Assembled", "java/lang/Object", &[]);
    build(&mut class);
    let class = class.finish().unwrap().into();
    let jdk = Jdk::locate(None).expect("a JDK is needed; run: make setup");
    Program::new(Box::new(Provider { class, jdk }))
}

/// A program with one method `m(I)I`.
fn assembled(build: impl FnOnce(&mut CodeWriter<'_>)) -> Program {
    program(|class| class.method(flags::STATIC, "m", "(I)I", 1, build))
}

fn method(program: &Program, class: &str, name: &str) -> ResolvedMethod {
    let class = program.class(class).unwrap();
    class.methods().find(|method| method.name() == name).unwrap()
}

/// All rules of a method that a filter keeps, as if cases applied them.
fn applied(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    keep: impl Fn(u32, u32, &Rule) -> bool,
) -> Summary {
    let procedure = procedures.get(method).unwrap().unwrap();
    let mut summary = Summary::default();
    for (predicate, rules) in (0..).zip(&procedure.predicates) {
        let kept =
            (0..).zip(&rules.rules).filter(|(rule, content)| keep(predicate, *rule, content));
        summary.rules.extend(kept.map(|(rule, _)| RuleApplied { predicate, rule }));
    }
    summary
}

fn check_sum(coverage: &Coverage) {
    let BranchCount {
        total,
        covered,
        infeasible,
        beyond_bound,
        not_selected,
        unsupported,
        not_constructible,
        budget,
        unknown,
    } = coverage.branches;
    let left_open = unsupported + not_constructible + budget + unknown;
    let uncovered = infeasible + beyond_bound + not_selected + left_open;
    assert_eq!(covered + uncovered, total);
    assert_eq!(uncovered, coverage.uncovered.len() as u32);
}

#[test]
fn the_rules_of_every_method_take_every_branch_that_they_come_to() {
    let mut branches = 0;
    for topic in fs::read_dir(fixtures_folder()).expect("run: make fixtures") {
        let session = fixtures(topic.unwrap().file_name().to_str().unwrap());
        let procedures = Procedures::new(session.program());
        for name in session.class_path().class_names().unwrap() {
            for method in session.program().class(&name).unwrap().methods() {
                branches += check_method(&procedures, &method);
            }
        }
    }
    assert!(branches > 500, "there are only {branches} branches");
}

/// Checks a method whose rules are all applied, and returns how many branches it has.
fn check_method(procedures: &Procedures<'_>, method: &ResolvedMethod) -> u32 {
    let Some(procedure) = procedures.get(method).unwrap() else { return 0 };
    let place = format!("{}", procedure.method);
    let all = applied(procedures, method, |_, _, _| true);
    let coverage = Coverage::of(procedures, &[], method, &all).unwrap();
    check_sum(&coverage);
    let instructions: BTreeSet<u16> =
        procedure.rules().flat_map(|rule| &rule.instructions).map(|i| i.pc).collect();
    assert_eq!(coverage.instructions.covered as usize, instructions.len(), "{place}");
    for branch in &coverage.uncovered {
        assert!(!instructions.contains(&branch.pc), "{place}: {branch:?}");
        assert_eq!(branch.why, Why::Infeasible, "{place}: {branch:?}");
    }
    let nothing = Coverage::of(procedures, &[], method, &Summary::default()).unwrap();
    check_sum(&nothing);
    assert_eq!(nothing.branches.infeasible, coverage.branches.total, "{place}");
    coverage.branches.total
}

/// `if (x == 0) return 2; if (x < 0) return x; return 0`: jumps at 2 (to 12 or on) and 7 (to 14 or on).
fn two_jumps(code: &mut CodeWriter<'_>) {
    let (zero, negative) = (code.label(), code.label());
    code.local(op::ILOAD, 0).jump(op::IFEQ, zero);
    code.local(op::ILOAD, 0).jump(op::IFLT, negative);
    code.int(0).op(op::IRETURN);
    code.place(zero).int(2).op(op::IRETURN);
    code.place(negative).local(op::ILOAD, 0).op(op::IRETURN);
}

fn cut(why: Incomplete, pc: u16) -> Cut {
    Cut { why, pc, in_callee: false }
}

#[track_caller]
fn check_reasons(cuts: &[Cut], excluded: u64, expected: [Why; 4]) {
    let program = assembled(two_jumps);
    let procedures = Procedures::new(&program);
    let ends = Ends { excluded, ..Ends::default() };
    let summary = Summary { cuts: cuts.iter().copied().collect(), ends, ..Summary::default() };
    let coverage =
        Coverage::of(&procedures, &[], &method(&program, "Assembled", "m"), &summary).unwrap();
    check_sum(&coverage);
    assert_eq!(coverage.uncovered.iter().map(|branch| branch.why).collect::<Vec<_>>(), expected);
}

#[test]
fn what_stands_before_a_branch_is_why_it_is_not_taken() {
    use Why::{BeyondBound, Budget, Excluded, Infeasible, Unknown, Unsupported};
    check_reasons(&[], 0, [Infeasible; 4]);
    check_reasons(&[], 1, [Excluded; 4]);
    check_reasons(&[cut(Incomplete::Cut, 0)], 0, [BeyondBound; 4]);
    // Before the second jump: whoever comes here went on at the first.
    let second = |why| cut(why, 5);
    check_reasons(&[second(Incomplete::Limit)], 0, [Budget, Infeasible, Budget, Budget]);
    // Behind the first jump, where no jump is any more.
    let zero = |why| cut(why, 12);
    check_reasons(
        &[zero(Incomplete::Cut), second(Incomplete::Unknown)],
        0,
        [Unknown, BeyondBound, Unknown, Unknown],
    );
    check_reasons(
        &[cut(Incomplete::Unknown, 0), second(Incomplete::Unsupported)],
        0,
        [Unsupported, Unknown, Unsupported, Unsupported],
    );
    check_reasons(&[zero(Incomplete::Cut)], 2, [Excluded, BeyondBound, Excluded, Excluded]);
}

#[test]
fn a_rule_of_a_jump_covers_one_edge() {
    let program = assembled(two_jumps);
    let procedures = Procedures::new(&program);
    let method = method(&program, "Assembled", "m");
    let procedure = procedures.get(&method).unwrap().unwrap();
    // Rule 1 of each jump is the jump itself.
    let is_choice =
        |predicate: u32| procedure.predicates[predicate as usize].kind == PredicateKind::Choice;
    let jumping =
        applied(&procedures, &method, |predicate, rule, _| !is_choice(predicate) || rule == 0);
    let coverage = Coverage::of(&procedures, &[], &method, &jumping).unwrap();
    let uncovered: Vec<Edge> = coverage.uncovered.iter().map(|b| (b.pc, b.target_pc)).collect();
    assert_eq!(uncovered, [(2, 5), (7, 10)]);
    assert_eq!((coverage.branches.total, coverage.branches.covered), (4, 2));
}

#[test]
fn a_jump_to_the_next_instruction_is_one_branch() {
    let program = assembled(|code| {
        let next = code.label();
        code.local(op::ILOAD, 0).jump(op::IFEQ, next).place(next).int(1).op(op::IRETURN);
    });
    let procedures = Procedures::new(&program);
    let method = method(&program, "Assembled", "m");
    assert_eq!(check_method(&procedures, &method), 1);
    let one_rule = applied(&procedures, &method, |_, rule, _| rule == 0);
    let coverage = Coverage::of(&procedures, &[], &method, &one_rule).unwrap();
    assert_eq!(coverage.branches.covered, 1);
}

#[test]
fn a_switch_that_always_leads_to_its_default_is_one_branch() {
    let program = assembled(|code| {
        code.local(op::ILOAD, 0);
        // Offset 2; one byte of padding; default, low, high and one target.
        code.op(op::TABLESWITCH).op(0);
        for number in [18, 1, 1, 18_u32] {
            for byte in number.to_be_bytes() {
                code.op(byte);
            }
        }
        code.int(7).op(op::IRETURN);
    });
    let procedures = Procedures::new(&program);
    assert_eq!(check_method(&procedures, &method(&program, "Assembled", "m")), 1);
}

#[test]
fn code_that_nothing_leads_to_is_infeasible() {
    let program = assembled(|code| {
        let end = code.label();
        code.int(7).op(op::IRETURN);
        code.local(op::ILOAD, 0).jump(op::IFEQ, end).place(end).int(1).op(op::IRETURN);
    });
    let procedures = Procedures::new(&program);
    let method = method(&program, "Assembled", "m");
    let mut summary = applied(&procedures, &method, |_, _, _| true);
    summary.cuts.insert(cut(Incomplete::Cut, 0));
    let coverage = Coverage::of(&procedures, &[], &method, &summary).unwrap();
    assert_eq!((coverage.branches.total, coverage.branches.infeasible), (1, 1));
}

#[test]
fn a_handler_is_behind_what_it_protects() {
    let program = assembled(|code| {
        let [start, end, handler, zero] = [(); 4].map(|()| code.label());
        code.place(start).int(1).local(op::ILOAD, 0).op(op::IDIV).place(end).op(op::IRETURN);
        code.place(handler).op(op::POP).local(op::ILOAD, 0).jump(op::IFEQ, zero);
        code.int(1).op(op::IRETURN).place(zero).int(2).op(op::IRETURN);
        code.handler(start, end, handler, None);
    });
    let procedures = Procedures::new(&program);
    let method = method(&program, "Assembled", "m");
    let behind = |pc| {
        let mut summary = Summary::default();
        summary.cuts.insert(cut(Incomplete::Cut, pc));
        Coverage::of(&procedures, &[], &method, &summary).unwrap().branches.beyond_bound
    };
    // Division and return.
    assert_eq!((behind(3), behind(4)), (2, 0));
}

#[track_caller]
fn check_recursion(topic: &str, class: &str, name: &str, expected: bool) {
    let session = fixtures(topic);
    let procedures = Procedures::new(session.program());
    let project = session.class_path().class_names().unwrap();
    let method = method(session.program(), class, name);
    let found = recursion::may_call_itself(&procedures, &project, &method);
    assert_eq!(found, expected, "{class}.{name}");
}

#[test]
fn recursion_is_found_through_other_methods() {
    check_recursion("calls", "Recursion", "factorial", true);
    check_recursion("calls", "Recursion", "even", true);
    check_recursion("papers", "Lcm003", "lcm", false);
    // It sorts objects that the class library compares by a method of the project.
    check_recursion("bench", "SortObjects", "run", false);
}

/// `m` gives a new object to the class library, which calls its `toString`, which calls `other`.
fn calling_back(other: &str) -> Program {
    const OBJECT_TO_STRING: (&str, &str) = ("valueOf", "(Ljava/lang/Object;)Ljava/lang/String;");
    program(|class| {
        class.method(flags::STATIC, "m", "(I)I", 1, |code| {
            let (name, descriptor) = OBJECT_TO_STRING;
            code.class(op::NEW, "Assembled");
            code.invoke(op::INVOKESTATIC, "java/lang/String", name, descriptor, false);
            code.op(op::POP).int(1).op(op::IRETURN);
        });
        class.method(flags::STATIC, "other", "(I)I", 1, |code| {
            code.int(1).op(op::IRETURN);
        });
        class.method(flags::PUBLIC, "toString", "()Ljava/lang/String;", 1, |code| {
            code.int(1).invoke(op::INVOKESTATIC, "Assembled", other, "(I)I", false);
            code.op(op::POP).op(op::ACONST_NULL).op(op::ARETURN);
        });
    })
}

#[test]
fn the_class_library_may_call_back() {
    for (other, expected) in [("m", true), ("other", false)] {
        let program = calling_back(other);
        let procedures = Procedures::new(&program);
        let method = method(&program, "Assembled", "m");
        assert_eq!(recursion::may_call_itself(&procedures, &[], &method), expected, "{other}");
    }
}

#[test]
fn a_cut_of_a_recursive_method_is_before_all_of_its_branches() {
    let session = fixtures("calls");
    let procedures = Procedures::new(session.program());
    let method = method(session.program(), "Recursion", "factorial");
    let procedure = procedures.get(&method).unwrap().unwrap();
    let is_call =
        |rule: &&Rule| rule.call().is_some_and(|call| matches!(call.callee, Callee::Static(_)));
    let call = procedure.rules().find(is_call).unwrap().instructions.last().unwrap().pc;
    let mut summary = Summary::default();
    summary.cuts.insert(Cut { why: Incomplete::Cut, pc: call, in_callee: true });
    let project = session.class_path().class_names().unwrap();
    let coverage = Coverage::of(&procedures, &project, &method, &summary).unwrap();
    assert_eq!(coverage.branches.beyond_bound, 2);
}
