//! Access flags (JVMS tables 4.1-B, 4.5-A, 4.6-A), as plain bit masks.

/// `ACC_PUBLIC`.
pub const PUBLIC: u16 = 0x0001;
/// `ACC_PRIVATE`.
pub const PRIVATE: u16 = 0x0002;
/// `ACC_PROTECTED`.
pub const PROTECTED: u16 = 0x0004;
/// `ACC_STATIC`.
pub const STATIC: u16 = 0x0008;
/// `ACC_FINAL`.
pub const FINAL: u16 = 0x0010;
/// `ACC_SUPER` on a class.
pub const SUPER: u16 = 0x0020;
/// `ACC_SYNCHRONIZED` on a method.
pub const SYNCHRONIZED: u16 = 0x0020;
/// `ACC_BRIDGE` on a method.
pub const BRIDGE: u16 = 0x0040;
/// `ACC_VARARGS` on a method.
pub const VARARGS: u16 = 0x0080;
/// `ACC_NATIVE` on a method.
pub const NATIVE: u16 = 0x0100;
/// `ACC_INTERFACE` on a class.
pub const INTERFACE: u16 = 0x0200;
/// `ACC_ABSTRACT`.
pub const ABSTRACT: u16 = 0x0400;
/// `ACC_SYNTHETIC`.
pub const SYNTHETIC: u16 = 0x1000;
/// `ACC_ENUM`.
pub const ENUM: u16 = 0x4000;
/// `ACC_MODULE`: the file describes a module, not a class.
pub const MODULE: u16 = 0x8000;
