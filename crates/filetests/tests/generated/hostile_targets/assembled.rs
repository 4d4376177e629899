//! Class files that no Java compiler writes.

use petrel_classfile::writer::{ClassWriter, CodeWriter};
use petrel_classfile::{flags, op};

const STATIC: u16 = flags::PUBLIC | flags::STATIC;
const OBJECT: &str = "java/lang/Object";

/// Name and bytes.
pub(crate) type Assembled = (String, Vec<u8>);

fn assembled(name: &str, write: impl FnOnce(&mut ClassWriter)) -> Assembled {
    let mut class = ClassWriter::new(flags::PUBLIC | flags::SUPER, name, OBJECT, &[]);
    write(&mut class);
    (name.to_owned(), class.finish().expect("the class is small enough"))
}

/// `x > limit ? 1 : 0`, in which each method has another limit.
fn compare(code: &mut CodeWriter<'_>, limit: i32) {
    let small = code.label();
    code.local(op::ILOAD, 0).int(limit).jump(op::IF_ICMPLE, small).int(1).op(op::IRETURN);
    code.place(small).int(0).op(op::IRETURN);
}

/// A class with so many methods, each with a branch.
pub(crate) fn many_methods(count: i32) -> Assembled {
    assembled("big/ManyMethods", |class| {
        for number in 0..count {
            class.method(STATIC, &format!("m{number}"), "(I)I", 1, |code| compare(code, number));
        }
    })
}

/// Two methods of nearly 64 KB, one with thousands of branches.
pub(crate) fn long_methods() -> Assembled {
    assembled("big/LongMethods", |class| {
        class.method(STATIC, "straight", "(I)I", 1, |code| {
            for _ in 0..10_000 {
                code.local(op::ILOAD, 0).int(1).op(op::IADD).local(op::ISTORE, 0);
            }
            code.local(op::ILOAD, 0).op(op::IRETURN);
        });
        class.method(STATIC, "branches", "(I)I", 2, |code| {
            code.int(0).local(op::ISTORE, 1);
            for number in 0..4_500 {
                let other = code.label();
                code.local(op::ILOAD, 0).int(1_000 + number).jump(op::IF_ICMPNE, other);
                code.local(op::ILOAD, 1).int(1).op(op::IADD).local(op::ISTORE, 1).place(other);
            }
            code.local(op::ILOAD, 1).op(op::IRETURN);
        });
    })
}

/// Names as obfuscators give them: short, overloaded by nothing but the result, of other scripts, and keywords.
pub(crate) fn obfuscated() -> Vec<Assembled> {
    let usual = |name: &str| {
        assembled(name, |class| {
            class.method(STATIC, "a", "(I)I", 1, |code| compare(code, 3));
        })
    };
    let mixed = assembled("a/aa", |class| {
        for name in ["a", "int", "null", "a b", "\u{202e}", "-"] {
            class.method(STATIC, name, "(I)I", 1, |code| compare(code, 4));
        }
        // Only the results differ: no source can say which one it means.
        for (result, give) in [("J", op::LRETURN), ("D", op::DRETURN)] {
            class.method(STATIC, "b", &format!("(I){result}"), 1, |code| {
                match result {
                    "J" => code.long(1),
                    _ => code.double_bits(0),
                };
                code.op(give);
            });
        }
    });
    let unicode = assembled("a/\u{e4}\u{65e5}", |class| {
        class.method(STATIC, "\u{fc}", "(I)I", 1, |code| compare(code, 5));
    });
    vec![usual("a"), mixed, unicode, usual("a/if"), usual("do/a"), usual("a/b c")]
}
