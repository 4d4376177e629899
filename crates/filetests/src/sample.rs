//! Chance that can be repeated: samples of names, and class files with something broken in them.
//!
//! Everything follows from a seed, so that a test does the same on every run and on every machine
//! with the same classes, and a failure can be replayed from the seed that it names.

/// A xorshift generator (Marsaglia 2003, with the multiplication of Vigna 2016).
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Random {
        // Zero would stay zero, and neighbouring seeds would start alike.
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            random.number();
        }
        random
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `limit`; 0 if that is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        // The upper bits are the better ones; the bias is far below anything that matters here.
        ((self.number() >> 16) % limit.max(1) as u64) as usize
    }

    /// One of several values.
    pub fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }
}

/// So many of the items, or all if there are fewer, in their own order.
pub fn sample<T: Clone>(items: &[T], count: usize, seed: u64) -> Vec<T> {
    let mut random = Random::new(seed);
    let mut chosen: Vec<usize> = (0..items.len()).collect();
    // The first steps of a Fisher-Yates shuffle.
    let count = count.min(chosen.len());
    for position in 0..count {
        let other = position + random.below(chosen.len() - position);
        chosen.swap(position, other);
    }
    chosen.truncate(count);
    chosen.sort_unstable();
    chosen.into_iter().map(|index| items[index].clone()).collect()
}

/// The class file with one edit or a few, some of them with material of another class file.
pub fn mutated(class: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let layout = Layout::of(class);
    let mut bytes = class.to_vec();
    loop {
        edit(&mut bytes, &layout, other, random);
        if random.below(3) != 0 {
            return bytes;
        }
    }
}

/// Where edits do most: an edit of the constant pool often ends the parser's work at once, and one
/// behind it gets further.
struct Layout {
    constants: u16,
    pool_end: usize,
}

impl Layout {
    /// Of a class file that is well formed as far as its constant pool goes.
    fn of(class: &[u8]) -> Layout {
        let u16_at = |at: usize| match class.get(at..at + 2) {
            Some(&[high, low]) => u16::from_be_bytes([high, low]),
            _ => 0,
        };
        let constants = u16_at(8);
        let mut at = 10;
        let mut index = 1;
        while index < constants {
            let tag = class.get(at).copied().unwrap_or_default();
            at += match tag {
                1 => 3 + usize::from(u16_at(at + 1)),
                5 | 6 => 9,
                7 | 8 | 16 | 19 | 20 => 3,
                15 => 4,
                _ => 5,
            };
            index = index.saturating_add(if matches!(tag, 5 | 6) { 2 } else { 1 });
        }
        let pool_end = at.min(class.len());
        Layout { constants, pool_end }
    }
}

/// The ways to edit, each as often as it is worth: those that move bytes mostly end at the next
/// length field.
#[derive(Debug, Clone, Copy)]
enum Edit {
    Flip,
    Byte,
    Opcode,
    Short,
    Constant,
    Word,
    SwapShorts,
    Overwrite,
    Truncate,
    Remove,
    Insert,
}

const EDITS: [Edit; 24] = {
    use Edit::*;
    [
        Flip, Flip, Flip, Byte, Byte, Opcode, Opcode, Opcode, Opcode, Short, Short, Short, Short,
        Constant, Constant, Constant, Constant, Word, SwapShorts, SwapShorts, Overwrite, Truncate,
        Remove, Insert,
    ]
};

fn edit(bytes: &mut Vec<u8>, layout: &Layout, other: &[u8], random: &mut Random) {
    let behind_pool = random.below(4) != 0;
    let start = if behind_pool { layout.pool_end } else { 0 }.min(bytes.len());
    let at = start + random.below(bytes.len() - start);
    match random.one_of(&EDITS) {
        Edit::Flip => put(bytes, at, |byte| byte ^ (1 << random.below(8))),
        Edit::Byte => {
            let value = random.one_of(&[0, 1, 2, 0x7f, 0x80, 0xfe, 0xff]);
            put(bytes, at, |_| value);
        }
        Edit::Opcode => put(bytes, at, |_| random.below(202) as u8),
        Edit::Short => {
            let value = random.one_of(&[0_u16, 1, 2, 0xff, 0x100, 0x7fff, 0x8000, 0xffff]);
            overwrite(bytes, at, &value.to_be_bytes());
        }
        Edit::Constant => {
            let index = random.below(usize::from(layout.constants)) as u16;
            overwrite(bytes, at, &index.to_be_bytes());
        }
        Edit::Word => {
            let values = [0, 0xffff, 0x1_0000, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
            let value: u32 = random.one_of(&values);
            overwrite(bytes, at, &value.to_be_bytes());
        }
        Edit::SwapShorts => {
            let to = start + random.below(bytes.len() - start);
            for offset in 0..2 {
                if at.max(to) + offset < bytes.len() {
                    bytes.swap(at + offset, to + offset);
                }
            }
        }
        Edit::Overwrite => {
            let chunk = chunk(other, random).to_vec();
            overwrite(bytes, at, &chunk);
        }
        Edit::Truncate => bytes.truncate(at),
        Edit::Remove => {
            let end = (at + 1 + random.below(16)).min(bytes.len());
            bytes.drain(at.min(end)..end);
        }
        Edit::Insert => {
            let chunk = chunk(other, random).to_vec();
            bytes.splice(at..at, chunk);
        }
    }
}

fn put(bytes: &mut [u8], at: usize, value: impl FnOnce(u8) -> u8) {
    if let Some(byte) = bytes.get_mut(at) {
        *byte = value(*byte);
    }
}

fn overwrite(bytes: &mut [u8], at: usize, with: &[u8]) {
    for (byte, &value) in bytes.iter_mut().skip(at).zip(with) {
        *byte = value;
    }
}

/// Up to 64 bytes of a class file.
fn chunk<'a>(of: &'a [u8], random: &mut Random) -> &'a [u8] {
    let start = random.below(of.len());
    let end = (start + 1 + random.below(64)).min(of.len());
    of.get(start..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|number| format!("{number:04}")).collect()
    }

    #[test]
    fn a_sample_has_each_name_once_and_depends_on_the_seed_alone() {
        let all = names(1000);
        let chosen = sample(&all, 100, 1);
        assert_eq!(chosen.len(), 100);
        assert!(chosen.is_sorted_by(|a, b| a < b));
        assert_eq!(chosen, sample(&all, 100, 1));
        assert_ne!(chosen, sample(&all, 100, 2));
    }

    #[test]
    fn a_sample_of_few_names_is_all_of_them() {
        assert_eq!(sample(&names(3), 100, 1), names(3));
        assert_eq!(sample(&names(0), 100, 1), names(0));
    }

    #[test]
    fn a_mutation_can_be_repeated_and_survives_any_input() {
        for class in [&b""[..], b"\xca\xfe\xba\xbe", &[1; 40], &[0xff; 40]] {
            for seed in 0..1000 {
                let mutate = || mutated(class, b"other", &mut Random::new(seed));
                assert_eq!(mutate(), mutate());
            }
        }
    }
}
