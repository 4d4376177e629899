//! print.
