//! The types of annotations (JVMS 4.7.16): which there are, not what they say.

use crate::error::ClassFileError;
use crate::reader::Reader;

/// Annotations in annotations are as deep at most.
const MOST_DEPTH: u32 = 16;

/// The indices of the type descriptors in a table of annotations. A JVM loads a class whose annotations are malformed, so that they
/// are read as far as that is possible.
pub(crate) fn types(mut contents: Reader<'_>) -> Vec<u16> {
    let mut types = Vec::new();
    let count = contents.u16().unwrap_or(0);
    for _ in 0..count {
        match annotation(&mut contents, 0) {
            Ok(of) => types.push(of),
            Err(_) => break,
        }
    }
    types
}

/// Reads an annotation and gives the index of its type.
fn annotation(contents: &mut Reader<'_>, depth: u32) -> Result<u16, ClassFileError> {
    let of = contents.u16()?;
    let pairs = contents.u16()?;
    for _ in 0..pairs {
        contents.u16()?;
        skip_value(contents, depth + 1)?;
    }
    Ok(of)
}

fn skip_value(contents: &mut Reader<'_>, depth: u32) -> Result<(), ClassFileError> {
    if depth > MOST_DEPTH {
        return Err(contents.error("annotations are too deep"));
    }
    match contents.u8()? {
        b'e' => {
            contents.take(4)?;
        }
        b'@' => {
            annotation(contents, depth)?;
        }
        b'[' => {
            let count = contents.u16()?;
            for _ in 0..count {
                skip_value(contents, depth + 1)?;
            }
        }
        _ => {
            contents.take(2)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read_past_values_of_all_kinds() {
        let bytes = [
            &[0, 2][..],
            // The first has a number, an array of a constant of an enum, and an annotation.
            &[0, 7, 0, 3, 0, 1, b'I', 0, 2],
            &[0, 1, b'[', 0, 1, b'e', 0, 3, 0, 4],
            &[0, 1, b'@', 0, 9, 0, 0],
            &[0, 8, 0, 0],
        ]
        .concat();
        assert_eq!(types(Reader::new(&bytes, 0)), [7, 8]);
    }

    #[test]
    fn what_is_cut_off_is_read_as_far_as_it_goes() {
        assert_eq!(types(Reader::new(&[0, 2, 0, 7, 0, 0, 0], 0)), [7]);
        assert_eq!(types(Reader::new(&[], 0)), [0_u16; 0]);
    }
}
