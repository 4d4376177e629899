//! What calls and objects cost, against what the JVM spends.

mod calls;
mod measure;
mod object_layout;
