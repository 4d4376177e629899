//! The places of a concurrent hash table as elements of an array.
//!
//! `ConcurrentHashMap` reads and writes its table through `Unsafe`, at offsets in bytes, because of other threads. There
//! are none here: the same three methods on elements let the place of a key be a term.

use std::sync::Arc;

use petrel_classfile::writer::ClassWriter;
use petrel_classfile::{flags, op};
use petrel_program::{Program, ResolvedMethod};

const TABLE: &str = "java/util/concurrent/ConcurrentHashMap";
/// The class with the methods that run instead.
pub const PLAIN: &str = "petrel/library/PlainTable";

const GET: (&str, &str) = (
    "tabAt",
    "([Ljava/util/concurrent/ConcurrentHashMap$Node;I)Ljava/util/concurrent/ConcurrentHashMap$Node;",
);
const SET: (&str, &str) = (
    "setTabAt",
    "([Ljava/util/concurrent/ConcurrentHashMap$Node;ILjava/util/concurrent/ConcurrentHashMap$Node;)V",
);
const COMPARE_AND_SET: (&str, &str) = (
    "casTabAt",
    "([Ljava/util/concurrent/ConcurrentHashMap$Node;ILjava/util/concurrent/ConcurrentHashMap$Node;\
     Ljava/util/concurrent/ConcurrentHashMap$Node;)Z",
);

/// What runs instead of a method, if it is one of the three.
pub fn plain_table(program: &Program, method: &ResolvedMethod) -> Option<ResolvedMethod> {
    if method.class().name() != TABLE {
        return None;
    }
    let named = (method.name(), method.descriptor());
    if ![GET, SET, COMPARE_AND_SET].contains(&named) {
        return None;
    }
    let class = program.define_synthetic(Arc::<[u8]>::from(class_file()?)).ok()?;
    class.declared_method(method.name(), method.descriptor())
}

fn class_file() -> Option<Vec<u8>> {
    let mut writer = ClassWriter::new(flags::PUBLIC | flags::SUPER, PLAIN, "java/lang/Object", &[]);
    let access = flags::PUBLIC | flags::STATIC;
    writer.method(access, GET.0, GET.1, 2, |code| {
        code.local(op::ALOAD, 0).local(op::ILOAD, 1).op(op::AALOAD).op(op::ARETURN);
    });
    writer.method(access, SET.0, SET.1, 3, |code| {
        code.local(op::ALOAD, 0).local(op::ILOAD, 1).local(op::ALOAD, 2);
        code.op(op::AASTORE).op(op::RETURN);
    });
    writer.method(access, COMPARE_AND_SET.0, COMPARE_AND_SET.1, 4, |code| {
        let is_other = code.label();
        code.local(op::ALOAD, 0).local(op::ILOAD, 1).op(op::AALOAD).local(op::ALOAD, 2);
        code.jump(op::IF_ACMPNE, is_other);
        code.local(op::ALOAD, 0).local(op::ILOAD, 1).local(op::ALOAD, 3).op(op::AASTORE);
        code.int(1).op(op::IRETURN);
        code.place(is_other).int(0).op(op::IRETURN);
    });
    writer.finish()
}
