//! The head of a class file: its name, its flags, its direct supertypes, and what its constants say of lambdas and members.
//!
//! An index over a class path reads thousands of files of which it needs only this. Parsing them
//! whole would take as long as inflating them.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use petrel_classfile::ClassFile;
use rustc_hash::FxHasher;

const MAGIC: u32 = 0xcafe_babe;

/// What a class file says of its class before it comes to the members.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) name: Arc<str>,
    pub(crate) access_flags: u16,
    pub(crate) super_class: Option<Arc<str>>,
    pub(crate) interfaces: Vec<Arc<str>>,
    /// The types of what its dynamic call sites give: of lambdas and method references, their interfaces.
    pub(crate) made_at_call_sites: BTreeSet<Arc<str>>,
    /// The members that it mentions, by [`member_hash`], in any order.
    pub(crate) mentioned: Vec<u64>,
}

/// A number for a name and a descriptor: members with another number have another name or descriptor.
pub(crate) fn member_hash(name: &str, descriptor: &str) -> u64 {
    let mut hasher = FxHasher::default();
    (name, descriptor).hash(&mut hasher);
    hasher.finish()
}

/// The head of a class file, or `None` if it cannot be read. That a head can be read does not mean
/// that the rest is well-formed.
pub(crate) fn read(bytes: &Arc<[u8]>) -> Option<Header> {
    // Names that are not written as in UTF-8 are rare, and left to the parser.
    scan(bytes).or_else(|| parse(bytes))
}

fn parse(bytes: &Arc<[u8]>) -> Option<Header> {
    let file = ClassFile::parse(Arc::clone(bytes)).ok()?;
    let pool = &file.constant_pool;
    let indices = || 1..pool.len() as u16;
    let call_sites = indices().filter_map(|index| pool.invoke_dynamic(index).ok());
    let made = call_sites.filter_map(|call_site| class_returned(call_site.descriptor));
    let members = indices().filter_map(|index| pool.field(index).or(pool.method(index)).ok());
    let members = members.map(|member| member_hash(member.name, member.descriptor));
    let call_sites = indices().filter_map(|index| pool.invoke_dynamic(index).ok());
    let call_sites = call_sites.map(|call_site| member_hash(call_site.name, call_site.descriptor));
    Some(Header {
        name: file.name().into(),
        access_flags: file.access_flags,
        super_class: file.super_name().map(Arc::from),
        interfaces: file.interfaces().map(Arc::from).collect(),
        made_at_call_sites: made.collect(),
        mentioned: members.chain(call_sites).collect(),
    })
}

fn scan(bytes: &[u8]) -> Option<Header> {
    let mut cursor = Cursor(bytes);
    if cursor.u32()? != MAGIC {
        return None;
    }
    let _version = cursor.u32()?;
    let constants = constants(&mut cursor)?;
    let text = |index: u16| match constants.get(usize::from(index)) {
        Some(&Constant::Text(text)) => std::str::from_utf8(text).ok(),
        _ => None,
    };
    let class = |index: u16| match constants.get(usize::from(index)) {
        Some(&Constant::Class(name)) => text(name).map(Arc::from),
        _ => None,
    };
    let mut made_at_call_sites = BTreeSet::new();
    let mut mentioned = Vec::new();
    for constant in &constants {
        match *constant {
            Constant::NameAndType(name, descriptor) => {
                mentioned.push(member_hash(text(name)?, text(descriptor)?));
            }
            Constant::InvokeDynamic(name_and_type) => {
                if let Some(&Constant::NameAndType(_, descriptor)) =
                    constants.get(usize::from(name_and_type))
                {
                    made_at_call_sites.extend(class_returned(text(descriptor)?));
                }
            }
            _ => {}
        }
    }
    let access_flags = cursor.u16()?;
    let name = class(cursor.u16()?)?;
    let super_class = match cursor.u16()? {
        0 => None,
        index => Some(class(index)?),
    };
    let count = cursor.u16()?;
    let interfaces = (0..count).map(|_| class(cursor.u16()?)).collect::<Option<_>>()?;
    Some(Header { name, access_flags, super_class, interfaces, made_at_call_sites, mentioned })
}

/// The class that a method with this descriptor returns, if it returns an object that is no array.
fn class_returned(descriptor: &str) -> Option<Arc<str>> {
    let (_, result) = descriptor.rsplit_once(')')?;
    result.strip_prefix('L')?.strip_suffix(';').map(Arc::from)
}

/// As much of a constant as names of classes and descriptors of call sites need.
#[derive(Clone, Copy)]
enum Constant<'a> {
    Text(&'a [u8]),
    Class(u16),
    NameAndType(u16, u16),
    /// By its name and type.
    InvokeDynamic(u16),
    Other,
}

fn constants<'a>(cursor: &mut Cursor<'a>) -> Option<Vec<Constant<'a>>> {
    let count = usize::from(cursor.u16()?);
    let mut constants = vec![Constant::Other];
    while constants.len() < count {
        // JVMS table 4.4-A.
        let constant = match cursor.u8()? {
            1 => {
                let length = cursor.u16()?;
                Constant::Text(cursor.take(usize::from(length))?)
            }
            7 => Constant::Class(cursor.u16()?),
            8 | 16 | 19 | 20 => cursor.skip(2)?,
            15 => cursor.skip(3)?,
            12 => Constant::NameAndType(cursor.u16()?, cursor.u16()?),
            18 => {
                cursor.skip(2)?;
                Constant::InvokeDynamic(cursor.u16()?)
            }
            3 | 4 | 9..=11 | 17 => cursor.skip(4)?,
            5 | 6 => {
                constants.push(Constant::Other);
                cursor.skip(8)?
            }
            _ => return None,
        };
        constants.push(constant);
    }
    Some(constants)
}

/// What is left of the file.
struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.first_chunk().copied()
    }

    fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_be_bytes)
    }

    fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_be_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_be_bytes)
    }

    fn skip(&mut self, length: usize) -> Option<Constant<'a>> {
        self.take(length).map(|_| Constant::Other)
    }
}

#[cfg(test)]
mod tests {
    use petrel_classfile::flags;
    use petrel_classfile::writer::ClassWriter;

    use super::*;
    use crate::testing::*;

    fn bytes(spec: &ClassSpec) -> Arc<[u8]> {
        spec.bytes().into()
    }

    #[test]
    fn the_scan_finds_what_the_parser_finds() {
        let mut numbers = ClassWriter::new(flags::FINAL, "a/N", "a/A", &["a/I"]);
        numbers.method(flags::STATIC, "m", "()V", 0, |code| {
            code.long(1 << 40).double_bits(7).int(1 << 20).string(&"text".into());
            code.invoke(petrel_classfile::op::INVOKESTATIC, "a/A", "n", "()V", false);
        });
        for bytes in [
            bytes(&class("a/A")),
            bytes(&class("java/lang/Object")),
            bytes(&interface("a/ß").implements(&["a/I", "b/J"]).flags(PUBLIC | INTERFACE)),
            bytes(&class("a/B").extends("a/A").field(PUBLIC, "f", "I").method(PUBLIC, "m", "()V")),
            numbers.finish().unwrap().into(),
        ] {
            // Several members of one name and descriptor are mentioned once or more often.
            let in_order = |mut header: Header| {
                header.mentioned.sort_unstable();
                header.mentioned.dedup();
                header
            };
            let scanned = scan(&bytes).map(in_order).unwrap();
            assert_eq!(Some(scanned), parse(&bytes).map(in_order));
        }
    }

    #[test]
    fn a_file_that_ends_early_has_no_head() {
        let whole = bytes(&class("a/B").extends("a/A").implements(&["a/I"]));
        let header = scan(&whole).unwrap();
        let (super_class, interfaces) = (header.super_class, header.interfaces);
        assert_eq!((super_class.as_deref(), interfaces.len()), (Some("a/A"), 1));
        // Counts of fields, methods and attributes follow the interfaces.
        let end = whole.len() - 6;
        assert!(scan(&whole[..end]).is_some());
        for length in 0..end {
            assert_eq!(scan(&whole[..length]), None, "{length} bytes");
        }
    }

    #[test]
    fn names_beyond_utf_8_are_left_to_the_parser() {
        let name = "a/\u{1f426}";
        // Modified UTF-8 writes the character as two surrogates of three bytes each.
        let plain = class("a/......").bytes();
        let at = plain.windows(6).position(|window| window == b"......").unwrap();
        let mut bytes = plain.clone();
        bytes[at..at + 6].copy_from_slice(&[0xed, 0xa0, 0xbd, 0xed, 0xb0, 0xa6]);
        assert_eq!(scan(&bytes), None);
        assert_eq!(&*read(&bytes.into()).unwrap().name, name);
        assert_eq!(read(&b"junk"[..].into()), None);
    }
}
