//! Exported programs and the runtime library, run by SWI-Prolog.

mod arithmetic;
mod floats;
mod objects;
mod papers;
mod print;
mod support;
