//! Small images for tests.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use super::index::{Order, hash};

/// Puts together an image.
pub(super) struct ImageBuilder {
    order: Order,
    strings: Vec<u8>,
    entries: Vec<Entry>,
}

struct Entry {
    /// Module, package, simple name, extension.
    path: [String; 4],
    stored: Vec<u8>,
    compressed: bool,
    size: u64,
}

impl Entry {
    fn full_path(&self) -> String {
        let [module, parent, base, extension] = &self.path;
        let parent = if parent.is_empty() { String::new() } else { format!("{parent}/") };
        let dot = if extension.is_empty() { "" } else { "." };
        format!("/{module}/{parent}{base}{dot}{extension}")
    }
}

impl ImageBuilder {
    pub(super) fn new(order: Order) -> Self {
        Self { order, strings: vec![0], entries: Vec::new() }
    }

    /// The position of a string in the image, which is added if need be.
    pub(super) fn string(&mut self, text: &str) -> u32 {
        let wanted = [&super::mutf8::encode(text)[..], &[0]].concat();
        let known = self.strings.windows(wanted.len()).position(|known| known == wanted);
        let position = known.unwrap_or_else(|| {
            self.strings.extend(&wanted);
            self.strings.len() - wanted.len()
        });
        position as u32
    }

    /// Adds a class as it is.
    pub(super) fn class(mut self, module: &str, name: &str, content: &[u8]) -> Self {
        let size = content.len() as u64;
        self.add(module, name, "class", content.to_vec(), false, size);
        self
    }

    /// Adds a class whose stored form is the result of [`layer`](Self::layer).
    pub(super) fn compressed(mut self, name: &str, stored: Vec<u8>, size: usize) -> Self {
        self.add("m", name, "class", stored, true, size as u64);
        self
    }

    fn add(&mut self, module: &str, name: &str, ext: &str, stored: Vec<u8>, c: bool, size: u64) {
        let (parent, base) = name.rsplit_once('/').unwrap_or(("", name));
        let path = [module, parent, base, ext].map(str::to_owned);
        self.entries.push(Entry { path, stored, compressed: c, size });
    }

    /// A layer of compression: a header in front of data that stands for `size` bytes.
    pub(super) fn layer(&mut self, compressor: &str, data: &[u8], size: usize) -> Vec<u8> {
        let name = self.string(compressor);
        let mut bytes = self.u32(0xCAFE_FAFA).to_vec();
        bytes.extend(self.u64(data.len() as u64));
        bytes.extend(self.u64(size as u64));
        bytes.extend(self.u32(name));
        bytes.extend(self.u32(u32::MAX));
        bytes.push(1);
        bytes.extend(data);
        bytes
    }

    fn u32(&self, value: u32) -> [u8; 4] {
        match self.order {
            Order::Little => value.to_le_bytes(),
            Order::Big => value.to_be_bytes(),
        }
    }

    fn u64(&self, value: u64) -> [u8; 8] {
        match self.order {
            Order::Little => value.to_le_bytes(),
            Order::Big => value.to_be_bytes(),
        }
    }

    /// Adds the resources that lead from packages to modules.
    fn add_packages(&mut self) {
        let mut packages: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for Entry { path: [module, parent, ..], .. } in &self.entries {
            packages.entry(parent.replace('/', ".")).or_default().insert(module.clone());
        }
        for (package, modules) in packages {
            let mut content = Vec::new();
            for module in modules {
                let name = self.string(&module);
                content.extend(self.u32(0));
                content.extend(self.u32(name));
            }
            let size = content.len() as u64;
            self.add("packages", &package, "", content, false, size);
        }
    }

    /// Distributes the entries over `len` slots of a perfect hash table. Gives the redirects, and
    /// for each slot the number of the entry in it. Gives `None` if there seems to be no way.
    fn hash_table(&self, len: usize) -> Option<(Vec<u32>, Vec<Option<usize>>)> {
        let paths: Vec<_> = self.entries.iter().map(Entry::full_path).collect();
        let slot = |entry: usize, seed: u32| {
            hash(&super::mutf8::encode(&paths[entry]), seed) as usize % len
        };
        let mut buckets = vec![Vec::new(); len];
        for entry in 0..paths.len() {
            buckets[slot(entry, 0x0100_0193)].push(entry);
        }
        let mut order: Vec<usize> = (0..len).collect();
        order.sort_by_key(|bucket| std::cmp::Reverse(buckets[*bucket].len()));
        let (mut redirects, mut slots) = (vec![0; len], vec![None; len]);
        for number in order {
            match buckets[number].as_slice() {
                [] => {}
                [entry] => {
                    let free = slots.iter().position(Option::is_none)?;
                    slots[free] = Some(*entry);
                    redirects[number] = (-1 - free as i32).cast_unsigned();
                }
                several => {
                    let fits = |seed: &u32| {
                        let taken: BTreeSet<_> = several.iter().map(|e| slot(*e, *seed)).collect();
                        taken.len() == several.len() && taken.iter().all(|s| slots[*s].is_none())
                    };
                    let seed = (1..1000).find(fits)?;
                    several.iter().for_each(|entry| slots[slot(*entry, seed)] = Some(*entry));
                    redirects[number] = seed;
                }
            }
        }
        Some((redirects, slots))
    }

    /// The bytes of the image.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.add_packages();
        let count = self.entries.len();
        // Some sets of paths need a few empty slots.
        let (redirects, slots) = (count..).find_map(|len| self.hash_table(len)).unwrap();
        let (mut locations, mut resources) = (vec![0], Vec::new());
        let mut positions = vec![0; self.entries.len()];
        let entries = std::mem::take(&mut self.entries);
        for (number, entry) in entries.iter().enumerate() {
            positions[number] = locations.len() as u32;
            let [module, parent, base, extension] =
                [0, 1, 2, 3].map(|part| u64::from(self.string(&entry.path[part])));
            let compressed = if entry.compressed { entry.stored.len() as u64 } else { 0 };
            let offset = resources.len() as u64;
            let values = [module, parent, base, extension, offset, compressed, entry.size];
            for (kind, value) in (1u8..).zip(values) {
                let bytes = value.to_be_bytes();
                let len = bytes.iter().skip_while(|byte| **byte == 0).count().max(1);
                locations.push(kind << 3 | (len as u8 - 1));
                locations.extend(&bytes[8 - len..]);
            }
            locations.push(0);
            resources.extend(&entry.stored);
        }
        let header = [0xCAFE_DADA, 1 << 16, 0, count as u32, slots.len() as u32];
        let sizes = [locations.len() as u32, self.strings.len() as u32];
        let offsets = slots.into_iter().map(|entry| entry.map_or(0, |entry| positions[entry]));
        let words = header.into_iter().chain(sizes).chain(redirects).chain(offsets);
        let mut bytes: Vec<u8> = words.flat_map(|word| self.u32(word)).collect();
        for part in [&locations, &self.strings, &resources] {
            bytes.extend(part);
        }
        bytes
    }
}

/// The zlib stream of some content.
pub(super) fn deflate(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}
