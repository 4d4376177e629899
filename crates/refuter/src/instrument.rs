//! Class files with a probe on every branch.
//!
//! A branch is an edge of a conditional jump or a switch, as in `petrel_testcase::coverage`: the offsets, in the code as it was,
//! of the jump and of the instruction that it leads to. A probe is a call of [`PROBE_CLASS`]`.hit` with its number:
//!
//! ```text
//!     ifeq T              ifne S              tableswitch T U T       tableswitch t u t
//!  F: ...                 hit 0; goto T    F: ...                  t: hit 0; goto T
//!                      S: hit 1                                    u: hit 1; goto U
//!                      F: ...                                      F: ...
//! ```
//!
//! Everything else stays as it is, but for the tables that the JVM does not need to run the code: of those only line numbers are
//! kept. Stack maps are dropped, so that the classes have to be loaded without verification.

mod assemble;
mod rewrite;

use std::sync::Arc;

use petrel_classfile::{ClassFile, ClassFileError};
use petrel_testcase::Edge;

/// The class that probes call, which has `static void hit(int)`.
pub const PROBE_CLASS: &str = "petrel/refuter/Probe";

/// A class file with probes.
#[derive(Debug, Clone)]
pub struct Instrumented {
    /// Internal name of the class.
    pub class: String,
    /// The class file.
    pub bytes: Vec<u8>,
    /// The methods that have branches, in the order of the class file.
    pub methods: Vec<ProbedMethod>,
    /// The methods that have branches and no probes.
    pub left_alone: Vec<LeftAlone>,
}

/// A method with probes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbedMethod {
    /// Name and descriptor.
    pub method: String,
    /// Number of the first probe; those of the other edges follow.
    pub first_probe: u32,
    /// The edges, in the order of the code.
    pub edges: Vec<Edge>,
}

/// A method that is as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftAlone {
    /// Name and descriptor.
    pub method: String,
    /// Why.
    pub why: TooLarge,
}

/// What does not fit into a class file any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TooLarge {
    /// The code.
    #[error("with probes the code would have more than 65535 bytes")]
    Code,
    /// The operand stack.
    #[error("the operand stack cannot be one slot deeper")]
    Stack,
    /// The constants.
    #[error("there is no room for more constants")]
    Constants,
}

/// A class file with probes, whose numbers start with the given one.
///
/// # Errors
///
/// If the class file is malformed.
pub fn instrument(bytes: &Arc<[u8]>, first_probe: u32) -> Result<Instrumented, ClassFileError> {
    let class = ClassFile::parse(Arc::clone(bytes))?;
    rewrite::rewrite(&class, bytes, first_probe)
}

#[cfg(test)]
mod tests {
    use petrel_classfile::writer::ClassWriter;
    use petrel_classfile::{flags, op};

    use super::*;

    /// A class whose method `m` compares nothing with null, so many times, after so many instructions that do nothing.
    fn class(n_jumps: usize, n_idle: usize, n_constants: usize) -> Arc<[u8]> {
        let mut class = ClassWriter::new(flags::PUBLIC, "a/A", "java/lang/Object", &[]);
        for number in 0..n_constants {
            class.field(flags::STATIC, &format!("field{number}"), "I");
        }
        class.method(flags::STATIC, "m", "()V", 0, |code| {
            let end = code.label();
            for _ in 0..n_idle {
                code.op(op::NOP);
            }
            for _ in 0..n_jumps {
                code.op(op::ACONST_NULL).jump(op::IFNONNULL, end);
            }
            code.place(end).op(op::RETURN);
        });
        class.finish().expect("it fits").into()
    }

    fn left_alone(bytes: &Arc<[u8]>, first_probe: u32) -> Vec<TooLarge> {
        let made = instrument(bytes, first_probe).expect("it is well formed");
        let after = ClassFile::parse(made.bytes).expect("what is made is well formed");
        for method in &after.methods {
            after.code(method).expect("its code is well formed");
        }
        let reasons: Vec<TooLarge> = made.left_alone.iter().map(|method| method.why).collect();
        assert_eq!(made.methods.is_empty(), !reasons.is_empty());
        reasons
    }

    #[test]
    fn edges_are_numbered_in_the_order_of_the_code() {
        let made = instrument(&class(2, 0, 0), 7).expect("it is well formed");
        let [method] = &made.methods[..] else { panic!("{:?}", made.methods) };
        assert_eq!((method.method.as_str(), method.first_probe), ("m()V", 7));
        // The last jump leads to the next instruction: that is one edge.
        assert_eq!(method.edges, [(1, 4), (1, 8), (5, 8)]);
    }

    #[test]
    fn what_does_not_fit_is_left_alone_and_told() {
        assert_eq!(left_alone(&class(3, 0, 0), 0), []);
        assert_eq!(left_alone(&class(3, 32_700, 0), 0), []);
        assert_eq!(left_alone(&class(10, 65_400, 0), 0), [TooLarge::Code]);
        assert_eq!(left_alone(&class(10, 0, 65_500), 0), []);
        assert_eq!(left_alone(&class(40, 0, 65_500), 40_000), [TooLarge::Constants]);
        assert_eq!(left_alone(&class(10, 0, 65_520), 0), [TooLarge::Constants]);
    }
}
