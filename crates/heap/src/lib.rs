//! The heap solver of "A CLP Heap Solver for Test Case Generation": unknown objects without early
//! aliasing.
//!
//! The heap of a path is ⟨S, N, RC⟩. S are the accesses to objects of the initial heap, N the objects
//! that the path has made itself (whoever uses the solver keeps them: [`World`]), and RC, with all other
//! constraints, is the constraint store. A reference is a number in the term language of the store: 0
//! is null, an object of the initial heap has a positive number, one of N a negative one. That two
//! unknown references may be the same object is an equality of two unknowns, undecided until the
//! program, or propagation, decides it. The attribute that the paper gives the value of a read, a set of
//! rules `R = R1 -> F = F1`, is an if-then-else term over such equalities. Forward propagation (section
//! 3.2) and backward propagation (3.3) are then those of the store on such terms.
//!
//! S is kept in two parts for each field, which say the same as the paper's one list: the values of the
//! initial heap that were looked at (`log`), and the writes since, in the order of time. A value
//! read through a possible alias may be an object of N under one rule and an input under another:
//! reads and writes go to the leaves of the reference, so that both see it.
//!
//! Arrays have indices beside references, lengths and classes are fields that are never written, and
//! assumptions about the initial heap (section 4) are fields that only the solver knows (`assume`).
//!
//! Nothing here knows class files or bytecode: classes and fields are numbers.

mod assume;
mod classes;
mod congruence;
mod copy;
mod inputs;
mod leaves;
mod log;
mod objects;
mod solver;
#[cfg(test)]
mod tests;
mod truth;
mod world;

pub use copy::Part;
pub use inputs::Input;
pub use log::{Cell, Location};
pub use objects::{InputElement, InputObject};
pub use solver::{Context, HeapSolver, Mark};
pub use truth::{both, either, not, truth};
pub use world::{ClassId, ClassSet, FieldId, Known, Sort, World};
