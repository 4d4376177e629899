//! `petrel generate` seen from outside: the binary is run as a user runs it, its account is read, and the tests that it
//! wrote are compiled, run and measured by others, namely javac, JUnit and JaCoCo.

pub mod account;
pub mod binary;
pub mod coverage;
pub mod suite;
