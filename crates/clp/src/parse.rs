//! parse.
