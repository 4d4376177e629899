//! Classes with probes do what they did, and their probes are where the branches are.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use petrel_checks::Part;
use petrel_classfile::writer::ClassWriter;
use petrel_classfile::{ClassFile, Code, Constant, Instruction, Operand, flags, op};
use petrel_classpath::ClassSource;
use petrel_filetests::scratch::Scratch;
use petrel_filetests::world::{fixture_files, jar, jdk};
use petrel_refuter::instrument::{PROBE_CLASS, instrument};
use petrel_refuter::{Effort, Judging, Refuter, RefuterOptions, TargetClass, Wanted};
use petrel_session::Session;
use petrel_testcase::Edge;

/// Of the classes of fixtures and of a library.
const CLASSES: Part = Part::one_of(40, 4);

#[test]
fn without_its_probes_a_class_is_what_it_was() {
    let jar = jar("commons-lang3-3.17.0.jar", jdk().feature_version());
    let files = fixture_files().into_iter().map(|file| std::fs::read(file).expect("it is there"));
    let names = jar.class_names().expect("the jar can be listed");
    let of_jar = names.iter().map(|name| {
        jar.find(name).expect("the jar can be read").expect("the class is listed").bytes
    });
    let all: Vec<Vec<u8>> = files.chain(of_jar).collect();
    let mut n_edges = 0;
    for bytes in CLASSES.of(all, "classes of fixtures and commons-lang3") {
        let bytes: Arc<[u8]> = bytes.into();
        // Numbers that need constants of their own, too.
        for first in [0, 32_700] {
            n_edges += check(&bytes, first);
        }
    }
    assert!(n_edges > 500, "there are {n_edges} branches");
}

/// Compares a class with what it is with probes. How many probes there are.
fn check(bytes: &Arc<[u8]>, first_probe: u32) -> usize {
    let before = ClassFile::parse(Arc::clone(bytes)).expect("it is well formed");
    let made = instrument(bytes, first_probe).expect("it is well formed");
    let after = ClassFile::parse(made.bytes).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(made.left_alone, []);
    assert_eq!(before.methods.len(), after.methods.len());
    let mut n_edges = 0;
    for (old, new) in before.methods.iter().zip(&after.methods) {
        let name = format!("{}{}", before.method_name(old), before.method_descriptor(old));
        let place = format!("{}.{name}", before.name());
        let (old, new) = (before.code(old), after.code(new));
        let (Ok(Some(old)), Ok(Some(new))) = (old, new) else { continue };
        let probed = made.methods.iter().find(|method| method.method == name);
        let edges = probed.map_or(&[][..], |method| &method.edges);
        let first = probed.map_or(0, |method| method.first_probe);
        assert_eq!(edges.to_vec(), edges_of(&old), "{place}");
        Probed { class: &after, code: &new, first }.compare(&old, edges, &place);
        n_edges += edges.len();
    }
    n_edges
}

/// The edges as the class file has them, each once.
fn edges_of(code: &Code) -> Vec<Edge> {
    let mut edges = BTreeSet::new();
    for (number, instruction) in code.instructions.iter().enumerate() {
        let is_jump = is_conditional(instruction);
        let is_switch = matches!(instruction.operand, Operand::Table(_) | Operand::Lookup(_));
        if is_jump || is_switch {
            instruction.for_each_target(|target| {
                edges.insert((instruction.pc, target));
            });
        }
        if is_jump && let Some(next) = code.instructions.get(number + 1) {
            edges.insert((instruction.pc, next.pc));
        }
    }
    edges.into_iter().collect()
}

/// Code with probes.
struct Probed<'a> {
    class: &'a ClassFile,
    code: &'a Code,
    /// Number of its first probe.
    first: u32,
}

/// An instruction as it was and as it is, with the probes behind it: each with the offset where it begins, and where the jump behind
/// it leads, if there is one.
struct Pair<'a> {
    was: &'a Instruction,
    is: &'a Instruction,
    probes: Vec<(u16, Edge, Option<u16>)>,
}

impl Probed<'_> {
    fn compare(&self, old: &Code, edges: &[Edge], place: &str) {
        let pairs = self.pairs(old, edges, place);
        let old_of: BTreeMap<u16, u16> =
            pairs.iter().map(|pair| (pair.is.pc, pair.was.pc)).collect();
        let leads_to = |to: u16, target: u16| assert_eq!(old_of.get(&to), Some(&target), "{place}");
        for Pair { was, is, probes } in &pairs {
            match (&was.operand, &is.operand) {
                (Operand::Target(target), Operand::Target(over)) if is_conditional(was) => {
                    let [(_, taken, Some(to)), (behind, falls, None)] = probes[..] else {
                        panic!("{place} {}: {probes:?}", was.pc)
                    };
                    assert_eq!((taken, *over), ((was.pc, *target), behind), "{place}");
                    assert_eq!(falls.0, was.pc, "{place}");
                    leads_to(to, *target);
                    let mnemonics = [was.opcode.mnemonic(), is.opcode.mnemonic()];
                    assert!(
                        INVERSE
                            .iter()
                            .any(|pair| { mnemonics == *pair || mnemonics == [pair[1], pair[0]] })
                    );
                }
                (Operand::Target(target), Operand::Target(to)) => leads_to(*to, *target),
                (Operand::Table(_) | Operand::Lookup(_), _) => {
                    let (mut targets, mut places) = (Vec::new(), Vec::new());
                    was.for_each_target(|target| targets.push(target));
                    is.for_each_target(|target| places.push(target));
                    assert_eq!(targets.len(), places.len(), "{place}");
                    for (target, at) in targets.into_iter().zip(places) {
                        let probe = probes.iter().find(|probe| probe.0 == at);
                        let Some(&(_, edge, Some(to))) = probe else { panic!("{place} {at}") };
                        assert_eq!(edge, (was.pc, target), "{place}");
                        leads_to(to, target);
                    }
                }
                (before, after) => {
                    assert_eq!((was.opcode, before), (is.opcode, after), "{place} {}", was.pc);
                }
            }
        }
        assert_eq!(self.code.handlers.len(), old.handlers.len(), "{place}");
        for (was, is) in old.handlers.iter().zip(&self.code.handlers) {
            leads_to(is.start, was.start);
            leads_to(is.handler, was.handler);
            assert_eq!(is.catch_type, was.catch_type, "{place}");
        }
    }

    fn pairs<'a>(&'a self, old: &'a Code, edges: &[Edge], place: &str) -> Vec<Pair<'a>> {
        let mut at = 0;
        let mut pairs = Vec::new();
        for was in &old.instructions {
            let is = &self.code.instructions[at];
            at += 1;
            let mut probes = Vec::new();
            let n_edges = edges.iter().filter(|edge| edge.0 == was.pc).count();
            // A jump to the next instruction is one edge with two probes.
            let n_probes = if is_conditional(was) { 2 } else { n_edges };
            for number in 0..n_probes {
                let pc = self.code.instructions[at].pc;
                let edge = edges[(self.probe_at(at, place) - self.first) as usize];
                at += 2;
                let mut to = None;
                if !(is_conditional(was) && number == 1) {
                    match self.code.instructions[at].operand {
                        Operand::Target(target) => to = Some(target),
                        _ => panic!("{place}: no jump behind the probe at {pc}"),
                    }
                    at += 1;
                }
                probes.push((pc, edge, to));
            }
            pairs.push(Pair { was, is, probes });
        }
        assert_eq!(at, self.code.instructions.len(), "{place}");
        pairs
    }

    /// The number of the probe that begins with an instruction.
    fn probe_at(&self, number: usize, place: &str) -> u32 {
        let pool = &self.class.constant_pool;
        let [push, call] = &self.code.instructions[number..number + 2] else {
            panic!("{place}: the code ends early")
        };
        let Operand::Constant(method) = call.operand else { panic!("{place}: no call") };
        let method = pool.method(method).expect("it is a method");
        assert_eq!((method.class, method.name), (PROBE_CLASS, "hit"), "{place}");
        let value = match push.operand {
            Operand::Value(value) => i32::from(value),
            Operand::Constant(index) => match pool.get(index) {
                Ok(Constant::Integer(value)) => value,
                other => panic!("{place}: {other:?} is no number"),
            },
            _ => panic!("{place}: no number"),
        };
        u32::try_from(value).expect("numbers start with 0")
    }
}

const INVERSE: [[&str; 2]; 8] = [
    ["ifeq", "ifne"],
    ["iflt", "ifge"],
    ["ifgt", "ifle"],
    ["if_icmpeq", "if_icmpne"],
    ["if_icmplt", "if_icmpge"],
    ["if_icmpgt", "if_icmple"],
    ["if_acmpeq", "if_acmpne"],
    ["ifnull", "ifnonnull"],
];

fn is_conditional(instruction: &Instruction) -> bool {
    let byte = instruction.opcode.byte();
    matches!(byte, op::IFEQ..=op::IF_ACMPNE | op::IFNULL | op::IFNONNULL)
}

/// Each method takes one side of each of its branches, whatever it is called with.
#[test]
fn probes_tell_the_edges_that_are_taken() {
    let mut class = ClassWriter::new(flags::PUBLIC, "Sides", "java/lang/Object", &[]);
    let mut expected: BTreeMap<String, BTreeSet<Edge>> = BTreeMap::new();
    for opcode in op::IFEQ..=op::IFLE {
        for value in -1..=1 {
            let name = format!("compare{opcode}with{}", value + 1);
            class.method(flags::PUBLIC | flags::STATIC, &name, "()V", 0, |code| {
                let end = code.label();
                code.int(value).jump(opcode, end).op(op::NOP).place(end).op(op::RETURN);
            });
            let holds = match opcode {
                op::IFEQ => value == 0,
                op::IFNE => value != 0,
                op::IFLT => value < 0,
                op::IFGE => value >= 0,
                op::IFGT => value > 0,
                _ => value <= 0,
            };
            // A constant of one byte, a jump of three, and an instruction that is jumped over.
            let edge = if holds { (1, 5) } else { (1, 4) };
            expected.insert(format!("{name}()V"), BTreeSet::from([edge]));
        }
    }
    // So long that jumps have to be wide once there are probes.
    class.method(flags::PUBLIC | flags::STATIC, "long", "()V", 0, |code| {
        let end = code.label();
        for _ in 0..2_500 {
            code.op(op::ACONST_NULL).jump(op::IFNONNULL, end);
        }
        code.place(end).op(op::RETURN);
    });
    let falls = (0..2_500).map(|number| (number * 4 + 1, number * 4 + 4));
    expected.insert("long()V".to_owned(), falls.collect());
    let bytes: Arc<[u8]> = class.finish().expect("it fits").into();
    assert_eq!(taken(&bytes), expected);
    assert_eq!(feasible(&bytes), expected);
}

/// What Petrel's own derivations take.
fn feasible(bytes: &[u8]) -> BTreeMap<String, BTreeSet<Edge>> {
    let scratch = Scratch::new();
    std::fs::write(scratch.path().join("Sides.class"), bytes).expect("the folder can be written");
    let session =
        Session::open(scratch.path().as_os_str(), Some(jdk().home())).expect("it is there");
    let judging = Judging::usual(session.jdk().feature_version());
    let judgement =
        judging.judge(&session, &["Sides".to_owned()]).expect("the class can be loaded");
    let methods = judgement.methods.into_iter().map(|method| {
        let branches = method.branches.iter().filter(|branch| !branch.is_infeasible);
        (method.method, branches.map(|branch| branch.edge).collect())
    });
    methods.collect()
}

/// What a class takes when it is driven; all its methods are static and have no parameters.
fn taken(bytes: &Arc<[u8]>) -> BTreeMap<String, BTreeSet<Edge>> {
    let jdk = jdk();
    let refuter = Refuter::start(RefuterOptions::new(&jdk, Vec::new())).expect("there is a JDK");
    let target = TargetClass { name: "Sides".to_owned(), bytes: Arc::clone(bytes) };
    let effort = Effort { seed: 1, calls: 20_000, time: Duration::from_secs(20) };
    let taken = refuter.drive(&[target], &[], &Wanted::new(), effort).expect("the JVM starts");
    assert_eq!(taken.notes, Vec::<String>::new());
    let sides = &taken.classes["Sides"];
    assert_eq!(sides.left_alone, []);
    let methods = sides.methods.iter();
    methods.map(|(name, edges)| (name.clone(), edges.keys().copied().collect())).collect()
}
