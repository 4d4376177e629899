//! The layout since JDK 15: primitive fields come first, from the largest to the smallest, and then
//! references. Each goes into the smallest gap that it fits into, be it one of a superclass, and else to
//! the end.
//!
//! Since JDK 25 references come first in a class whose superclass ends with one. That moves gaps, but
//! leaves sizes as they are, and is left out here.

use super::{Field, HEADER, Level, PADDING};
use crate::array::align_up;

/// The end of the last field, or of the padding behind it.
pub(super) fn end(levels: &[Level]) -> i64 {
    let mut layout =
        Layout { gaps: Vec::new(), end: HEADER, end_of_fields: HEADER, is_contended: false };
    for level in levels {
        layout.add_level(level);
    }
    layout.end
}

/// Bytes that nothing uses.
#[derive(Debug, Clone, Copy)]
struct Gap {
    offset: i64,
    size: i64,
}

#[derive(Debug)]
struct Layout {
    /// In the order of their offsets.
    gaps: Vec<Gap>,
    end: i64,
    /// The end without padding.
    end_of_fields: i64,
    /// Whether a class so far keeps fields apart.
    is_contended: bool,
}

impl Layout {
    fn add_level(&mut self, level: &Level) {
        // Only gaps behind this offset are filled.
        let mut start = 0;
        if self.is_contended {
            // Nothing of a subclass gets near to the fields that are kept apart.
            self.gaps.clear();
            self.end = self.end_of_fields + PADDING;
            start = self.end;
        }
        if level.is_contended {
            start = self.end;
            self.end += PADDING;
        }
        self.add_fields(level.regular_fields().collect(), start);
        for group in level.contended_groups() {
            self.end += PADDING;
            // No gap is behind this, so that they all go to the end.
            self.add_fields(group, i64::MAX);
        }
        if level.has_padding() {
            self.end += PADDING;
            self.is_contended = true;
        }
    }

    fn add_fields(&mut self, mut fields: Vec<Field>, start: i64) {
        fields.sort_by_key(|field| (field.is_reference, -field.size));
        for field in fields {
            self.add_field(field.size, start);
        }
    }

    fn add_field(&mut self, size: i64, start: i64) {
        let fits = |gap: &Gap| align_up(gap.offset, size) + size <= gap.offset + gap.size;
        let usable =
            self.gaps.iter().enumerate().filter(|(_, gap)| gap.offset > start && fits(gap));
        // Of equal gaps the last one is taken.
        let best = usable.rev().min_by_key(|(_, gap)| gap.size).map(|(index, _)| index);
        let gap = match best {
            Some(index) => self.gaps.remove(index),
            None => Gap { offset: self.end, size: 0 },
        };
        let offset = align_up(gap.offset, size);
        let end = offset + size;
        let rest = [
            Gap { offset: gap.offset, size: offset - gap.offset },
            Gap { offset: end, size: gap.offset + gap.size - end },
        ];
        let at = best.unwrap_or(self.gaps.len());
        self.gaps.splice(at..at, rest.into_iter().filter(|gap| gap.size > 0));
        self.end = self.end.max(end);
        self.end_of_fields = self.end_of_fields.max(end);
    }
}
