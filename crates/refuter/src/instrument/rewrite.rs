//! The class file around the code: constants are added, and `Code` attributes replaced.

use petrel_classfile::{ClassFile, ClassFileError, Code, JavaString};

use super::assemble::{Assembled, MOST_SMALL, ProbeCall, assemble, edges};
use super::{Instrumented, LeftAlone, PROBE_CLASS, ProbedMethod, TooLarge};

/// Entries of a constant pool, the unusable first one included.
const MOST_CONSTANTS: usize = 65_535;

/// Reads a class file that is known to be well formed.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], ClassFileError> {
        let end = self.at.checked_add(length);
        let taken = end.and_then(|end| self.bytes.get(self.at..end));
        let taken = taken.ok_or_else(|| ClassFileError::new("the class file is too short"))?;
        self.at += length;
        Ok(taken)
    }

    fn number(&mut self, length: usize) -> Result<usize, ClassFileError> {
        let bytes = self.take(length)?;
        Ok(bytes.iter().fold(0, |sum, &byte| sum << 8 | usize::from(byte)))
    }

    /// An attribute's name and contents.
    fn attribute(&mut self) -> Result<(u16, &'a [u8]), ClassFileError> {
        let name = self.number(2)? as u16;
        let length = self.number(4)?;
        Ok((name, self.take(length)?))
    }

    fn skip_constants(&mut self, count: usize) -> Result<(), ClassFileError> {
        let mut index = 1;
        while index < count {
            let tag = self.number(1)?;
            let length = match tag {
                1 => self.number(2)?,
                5 | 6 => 8,
                7 | 8 | 16 | 19 | 20 => 2,
                15 => 3,
                _ => 4,
            };
            self.take(length)?;
            index += if matches!(tag, 5 | 6) { 2 } else { 1 };
        }
        Ok(())
    }
}

/// The constants that probes need.
struct Constants {
    bytes: Vec<u8>,
    count: usize,
    hit: u16,
    /// `LineNumberTable`.
    lines: u16,
}

impl Constants {
    fn new(count: usize) -> Constants {
        let mut constants = Constants { bytes: Vec::new(), count, hit: 0, lines: 0 };
        let class = constants.text(PROBE_CLASS);
        let class = constants.entry(7, &class.to_be_bytes());
        let (name, descriptor) = (constants.text("hit"), constants.text("(I)V"));
        let member = constants.entry(12, &pair(name, descriptor));
        constants.hit = constants.entry(10, &pair(class, member));
        constants.lines = constants.text("LineNumberTable");
        constants
    }

    fn entry(&mut self, tag: u8, contents: &[u8]) -> u16 {
        self.bytes.push(tag);
        self.bytes.extend(contents);
        self.count += 1;
        // Whether there were too many is asked in the end.
        (self.count - 1) as u16
    }

    fn text(&mut self, text: &str) -> u16 {
        let text = JavaString::from(text).to_modified_utf8();
        let length = (text.len() as u16).to_be_bytes();
        self.entry(1, &[&length[..], &text].concat())
    }
}

fn pair(first: u16, second: u16) -> [u8; 4] {
    let ([a, b], [c, d]) = (first.to_be_bytes(), second.to_be_bytes());
    [a, b, c, d]
}

/// Puts probes into all methods of a class.
pub(super) fn rewrite(
    class: &ClassFile,
    bytes: &[u8],
    first_probe: u32,
) -> Result<Instrumented, ClassFileError> {
    let mut cursor = Cursor { bytes, at: 0 };
    let head = cursor.take(8)?;
    let count = cursor.number(2)?;
    let pool_start = cursor.at;
    cursor.skip_constants(count)?;
    let pool = bytes.get(pool_start..cursor.at).unwrap_or_default();
    let middle_start = cursor.at;
    cursor.take(6)?;
    let n_interfaces = cursor.number(2)?;
    cursor.take(n_interfaces * 2)?;
    let n_fields = cursor.number(2)?;
    for _ in 0..n_fields {
        cursor.take(6)?;
        let n_attributes = cursor.number(2)?;
        for _ in 0..n_attributes {
            cursor.attribute()?;
        }
    }
    cursor.take(2)?;
    let middle = bytes.get(middle_start..cursor.at).unwrap_or_default();

    let mut rewriter = Rewriter {
        class,
        constants: Constants::new(count),
        next_probe: first_probe,
        methods: Vec::new(),
        left_alone: Vec::new(),
        out: Vec::new(),
    };
    for method in &class.methods {
        let name = format!("{}{}", class.method_name(method), class.method_descriptor(method));
        let code = class.code(method)?;
        rewriter.method(&mut cursor, name, code.as_ref())?;
    }
    let rest = bytes.get(cursor.at..).unwrap_or_default();
    let Rewriter { constants, methods, left_alone, out, .. } = rewriter;
    if constants.count > MOST_CONSTANTS {
        // Not even the call of a probe fits. No method has one then.
        let class = class.name().to_owned();
        return Ok(Instrumented { class, bytes: bytes.to_vec(), methods, left_alone });
    }
    let count = (constants.count as u16).to_be_bytes();
    let parts = [head, &count, pool, &constants.bytes, middle, &out, rest];
    Ok(Instrumented { class: class.name().to_owned(), bytes: parts.concat(), methods, left_alone })
}

struct Rewriter<'a> {
    class: &'a ClassFile,
    constants: Constants,
    next_probe: u32,
    methods: Vec<ProbedMethod>,
    left_alone: Vec<LeftAlone>,
    out: Vec<u8>,
}

impl Rewriter<'_> {
    fn method(
        &mut self,
        cursor: &mut Cursor<'_>,
        method: String,
        code: Option<&Code>,
    ) -> Result<(), ClassFileError> {
        self.out.extend(cursor.take(6)?);
        let n_attributes = cursor.number(2)?;
        self.out.extend((n_attributes as u16).to_be_bytes());
        for _ in 0..n_attributes {
            let (name, contents) = cursor.attribute()?;
            let replaced = match code {
                Some(code) if self.class.constant_pool.utf8(name)? == "Code" => {
                    self.code(&method, code, contents)?
                }
                _ => None,
            };
            let contents = replaced.as_deref().unwrap_or(contents);
            self.out.extend(name.to_be_bytes());
            self.out.extend((contents.len() as u32).to_be_bytes());
            self.out.extend(contents);
        }
        Ok(())
    }

    /// The contents of a `Code` attribute with probes; `None` if it stays as it is.
    fn code(
        &mut self,
        method: &str,
        code: &Code,
        contents: &[u8],
    ) -> Result<Option<Vec<u8>>, ClassFileError> {
        let edges = edges(code);
        if edges.is_empty() {
            return Ok(None);
        }
        let made = self.with_probes(code, contents, edges.len())?;
        let (assembled, contents) = match made {
            Ok(made) => made,
            Err(why) => {
                self.left_alone.push(LeftAlone { method: method.to_owned(), why });
                return Ok(None);
            }
        };
        let probed = ProbedMethod {
            method: method.to_owned(),
            first_probe: self.next_probe,
            edges: assembled.edges,
        };
        self.next_probe += probed.edges.len() as u32;
        self.methods.push(probed);
        Ok(Some(contents))
    }

    fn with_probes(
        &mut self,
        code: &Code,
        contents: &[u8],
        n_probes: usize,
    ) -> Result<Result<(Assembled, Vec<u8>), TooLarge>, ClassFileError> {
        let Some(max_stack) = code.max_stack.checked_add(1) else {
            return Ok(Err(TooLarge::Stack));
        };
        let first = self.next_probe;
        let large = first.max(MOST_SMALL + 1)..(first + n_probes as u32).max(MOST_SMALL + 1);
        if self.constants.count + large.len() > MOST_CONSTANTS {
            return Ok(Err(TooLarge::Constants));
        }
        let probes = ProbeCall {
            method: self.constants.hit,
            first,
            first_constant: self.constants.count as u16,
        };
        // Maximum stack and local variables, and the length.
        let raw = contents.get(8..8 + code.length as usize).unwrap_or_default();
        let assembled = match assemble(code, raw, probes)? {
            Ok(assembled) => assembled,
            Err(why) => return Ok(Err(why)),
        };
        for number in large {
            self.constants.entry(3, &number.to_be_bytes());
        }
        let mut out = pair(max_stack, code.max_locals).to_vec();
        out.extend((assembled.code.len() as u32).to_be_bytes());
        out.extend(&assembled.code);
        out.extend((code.handlers.len() as u16).to_be_bytes());
        for handler in &code.handlers {
            for offset in [handler.start, handler.end, handler.handler] {
                out.extend(assembled.offset(u32::from(offset))?.to_be_bytes());
            }
            out.extend(handler.catch_type.to_be_bytes());
        }
        let n_tables = u16::from(!code.lines.is_empty());
        out.extend(n_tables.to_be_bytes());
        if n_tables > 0 {
            out.extend(self.constants.lines.to_be_bytes());
            out.extend((2 + 4 * code.lines.len() as u32).to_be_bytes());
            out.extend((code.lines.len() as u16).to_be_bytes());
            for line in &code.lines {
                out.extend(pair(assembled.offset(u32::from(line.start))?, line.line));
            }
        }
        Ok(Ok((assembled, out)))
    }
}
