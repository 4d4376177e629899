//! The layout before JDK 15: primitive fields from the largest to the smallest, then references. What
//! fits goes into the gap before the first `long` or `double`; gaps of superclasses stay, and each class
//! ends at a multiple of 4.

use super::{Field, HEADER, Level, PADDING, REFERENCE};
use crate::array::align_up;

/// Classes that the virtual machine expects references to come first in.
const REFERENCES_FIRST: [&str; 15] = [
    "java/lang/AssertionStatusDirectives",
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Class",
    "java/lang/ClassLoader",
    "java/lang/Double",
    "java/lang/Float",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Short",
    "java/lang/StackTraceElement",
    "java/lang/String",
    "java/lang/Throwable",
    "java/lang/ref/Reference",
];

/// Whether references come first in a class, and no gap is filled.
pub(super) fn has_references_first(class: &str) -> bool {
    class == "java/lang/ref/SoftReference" || REFERENCES_FIRST.contains(&class)
}

/// The end of the last field, or of the padding behind it.
pub(super) fn end(levels: &[Level]) -> i64 {
    levels.iter().fold(HEADER, |start, level| end_of_level(level, align_up(start, REFERENCE)))
}

fn end_of_level(level: &Level, start: i64) -> i64 {
    let mut counts = Counts::of(level.regular_fields());
    let mut offset = if level.is_contended { start + PADDING } else { start };
    if level.has_references_first {
        offset += counts.references * REFERENCE;
    }
    if counts.primitives[0] > 0 {
        let aligned = align_up(offset, 8);
        if !level.has_references_first {
            counts.fill(aligned - offset);
        }
        offset = aligned;
    }
    for (count, size) in counts.primitives.iter().zip([8, 4, 2, 1]) {
        offset += count * size;
    }
    if !level.has_references_first && counts.references > 0 {
        offset = align_up(offset, REFERENCE) + counts.references * REFERENCE;
    }
    let groups = level.contended_groups();
    if !groups.is_empty() {
        offset += PADDING;
    }
    for field in groups.iter().flat_map(|group| group.iter().map(Some).chain([None])) {
        // Padding follows each group.
        offset = field.map_or(offset + PADDING, |field| align_up(offset, field.size) + field.size);
    }
    if level.is_contended { offset + PADDING } else { offset }
}

/// Numbers of fields that are still to be placed.
struct Counts {
    /// Of 8, 4, 2 and 1 bytes.
    primitives: [i64; 4],
    references: i64,
}

impl Counts {
    fn of(fields: impl Iterator<Item = Field>) -> Counts {
        let mut counts = Counts { primitives: [0; 4], references: 0 };
        for field in fields {
            match (field.is_reference, field.size) {
                (true, _) => counts.references += 1,
                (_, 8) => counts.primitives[0] += 1,
                (_, 4) => counts.primitives[1] += 1,
                (_, 2) => counts.primitives[2] += 1,
                _ => counts.primitives[3] += 1,
            }
        }
        counts
    }

    /// Puts what fits into a gap, the largest first; a reference if nothing else is there.
    fn fill(&mut self, mut gap: i64) {
        let smaller = self.primitives.iter_mut().zip([8, 4, 2, 1]).skip(1);
        for (count, size) in smaller {
            let placed = (gap / size).min(*count);
            *count -= placed;
            gap -= placed * size;
        }
        let placed = (gap / REFERENCE).min(self.references);
        self.references -= placed;
    }
}
