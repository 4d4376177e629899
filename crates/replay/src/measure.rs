//! What calls cost in the JVM: bytes, instructions, calls.
//!
//! Measuring is switched on right before the reflective call, and off right after it: what the harness
//! does to build arguments and to describe results does not count.
//!
//! **Allocated bytes** are those that the JVM itself counts for the thread of the call. The first call
//! of a method also pays for what the JVM makes once and keeps: classes and what their initialisers
//! allocate, string constants, linked call sites. So each call is made twice in its world, on inputs
//! that are built twice, and the second one is measured. The outcome is the one of the first; whether
//! the second one ended in the same way is told too. It need not, where the first call leaves another
//! static state behind than it finds; static fields that the call itself gives are set for both. What
//! the reflective call allocates is known from calls of empty methods, and subtracted. Exceptions get
//! no stack traces in such a JVM, because their size depends on how the harness calls.
//!
//! **Instructions and calls** need no second call: the JVM loads and links by code of the JDK, which does
//! not count, and neither does what class initialisers do. A JVMTI agent is told of each single step.
//!
//! Neither needs `-Xint`, with which the harness would be many times slower. The only compiler of these
//! JVMs is C1, which removes no allocation, and a thread that is observed step by step is interpreted
//! whatever is compiled.

use std::ffi::OsString;
use std::path::PathBuf;

/// What is measured of each call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Measure {
    /// Nothing.
    #[default]
    Nothing,
    /// The bytes that it allocates. Each call is made twice.
    Allocation,
    /// The bytecode instructions that it executes, and the calls that it makes. A second is then enough
    /// for some million instructions only: time limits may have to be longer.
    Execution {
        /// The library of the JVMTI agent that counts.
        agent: PathBuf,
    },
}

impl Measure {
    /// What `java` is told for it, besides the class path and the main class.
    pub(crate) fn jvm_options(&self) -> Vec<OsString> {
        let own: &[&str] = match self {
            Measure::Nothing => return Vec::new(),
            Measure::Allocation => &["-XX:-DoEscapeAnalysis", "-XX:-StackTraceInThrowable"],
            // The JVM must not make one instruction, and so one step, of two.
            Measure::Execution { .. } => &["-XX:-RewriteBytecodes", "-XX:-RewriteFrequentPairs"],
        };
        let common = [
            "-XX:+IgnoreUnrecognizedVMOptions",
            // Reflection by native code, up to JDK 17 and from JDK 18 on: no code is made for it, and it
            // always allocates the same.
            "-Dsun.reflect.inflationThreshold=2147483647",
            "-Djdk.reflect.useNativeAccessorOnly=true",
        ];
        let mut options: Vec<OsString> = common.iter().chain(own).map(OsString::from).collect();
        if let Measure::Execution { agent } = self {
            let mut option = OsString::from("-agentpath:");
            option.push(agent);
            options.push(option);
        }
        options
    }
}

/// A method.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodName {
    /// Internal name of its class.
    pub class: String,
    /// Its name; `<init>` for constructors.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
}

/// What was counted of a method.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct MethodCounts {
    pub(crate) method: MethodName,
    pub(crate) instructions: u64,
    pub(crate) calls: u64,
}

/// What a call has cost.
///
/// Only methods of classes that come from the class path are listed: not those of the JDK, of the
/// harness, and of the classes that the JDK makes for lambdas and proxies. The lists are sorted, have no
/// zeros, and are about the thread of the call alone. They leave out what class initialisers do, and
/// what these call: whose call it is that runs them depends on what was called before.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Measured {
    /// How many bytes the call has allocated, in the JDK too. The object that a constructor is called
    /// on does not count: it is the caller who allocates it.
    pub allocated_bytes: Option<u64>,
    /// Whether the measured call ended as the one that the outcome tells of. If not, the bytes are
    /// those of a call that found another static state.
    pub ended_as_before: bool,
    /// How many instructions of each method were executed; `wide` and what follows it are one.
    pub instructions: Vec<(MethodName, u64)>,
    /// How often each method was called. The call itself counts.
    pub calls: Vec<(MethodName, u64)>,
    /// Internal names of the classes whose initialisers ran during the call, sorted.
    pub initialised: Vec<String>,
}

impl Measured {
    pub(crate) fn new(
        ended_as_before: bool,
        allocated_bytes: Option<u64>,
        mut methods: Vec<MethodCounts>,
    ) -> Measured {
        methods.sort_unstable();
        let mut measured = Measured { allocated_bytes, ended_as_before, ..Measured::default() };
        for MethodCounts { method, instructions, calls } in methods {
            if method.name == "<clinit>" {
                measured.initialised.push(method.class);
                continue;
            }
            if instructions > 0 {
                measured.instructions.push((method.clone(), instructions));
            }
            if calls > 0 {
                measured.calls.push((method, calls));
            }
        }
        measured
    }

    /// How many instructions were executed.
    pub fn n_instructions(&self) -> u64 {
        total(&self.instructions)
    }

    /// How many calls were made, the call itself included.
    pub fn n_calls(&self) -> u64 {
        total(&self.calls)
    }
}

fn total(counts: &[(MethodName, u64)]) -> u64 {
    counts.iter().map(|(_, count)| *count).fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(class: &str, name: &str, instructions: u64, calls: u64) -> MethodCounts {
        let (class, name, descriptor) = (class.to_owned(), name.to_owned(), "()V".to_owned());
        MethodCounts { method: MethodName { class, name, descriptor }, instructions, calls }
    }

    #[test]
    fn counts_are_sorted_and_initialisers_are_set_apart() {
        let methods = vec![
            counts("B", "f", 3, 1),
            counts("B", "<clinit>", 0, 1),
            counts("A", "g", 0, 2),
            counts("A", "<clinit>", 0, 1),
            counts("A", "f", 4, 0),
        ];
        let measured = Measured::new(true, None, methods);
        let names = |counts: &[(MethodName, u64)]| -> Vec<String> {
            let name = |(method, count): &(MethodName, u64)| {
                format!("{}.{} {count}", method.class, method.name)
            };
            counts.iter().map(name).collect()
        };
        assert_eq!(names(&measured.instructions), ["A.f 4", "B.f 3"]);
        assert_eq!(names(&measured.calls), ["A.g 2", "B.f 1"]);
        assert_eq!(measured.initialised, ["A", "B"]);
        assert_eq!((measured.n_instructions(), measured.n_calls()), (7, 3));
    }

    #[test]
    fn nothing_costs_nothing() {
        assert!(Measure::default().jvm_options().is_empty());
    }

    #[test]
    fn the_agent_is_named() {
        let options = Measure::Execution { agent: "a/b.so".into() }.jvm_options();
        assert!(options.contains(&"-agentpath:a/b.so".into()), "{options:?}");
    }
}
