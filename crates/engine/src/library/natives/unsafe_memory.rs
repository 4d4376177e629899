//! `Unsafe` on objects and arrays. Memory outside of the heap is an array of bytes whose addresses are
//! made of its number; only what the class library does with it when it starts is supported.
//!
//! An offset is made of a field's slot or an element's index, in the way of the JVM: a header, and
//! then the elements one after the other. Wide accesses to arrays of narrow elements go byte by
//! byte, least significant first.

use petrel_clp::{ElementKind, Kind};

use super::{Answer, Entry, argument, give, nothing, reference, throw_null_pointer};
use crate::machine::{
    Body, Feature, Machine, Platform, Reason, Reference, Stop, TypeId, Undecided, Value,
};

pub(crate) const UNSAFE: &str = "jdk/internal/misc/Unsafe";

/// So many arguments of a method of `Unsafe`, itself included, say which place is written to.
pub(crate) const PLACE: usize = 3;

const HEADER: i64 = 16;
const SLOT: i64 = 8;
/// How many bits of an address outside of the heap are the offset in the array.
const ADDRESS_BITS: u32 = 16;
/// Offsets from here on are numbers of static fields.
const STATICS: i64 = 1 << 40;

/// Entries for getters and setters of a kind, plain and volatile.
macro_rules! access {
    ($kind:expr, $get:literal, $getv:literal, $gets:literal, $put:literal, $putv:literal, $puts:literal) => {
        [
            (UNSAFE, $get, $gets, |m: &mut Machine<'_>, a: &[Value]| get(m, a, $kind)),
            (UNSAFE, $getv, $gets, |m: &mut Machine<'_>, a: &[Value]| get(m, a, $kind)),
            (UNSAFE, $put, $puts, |m: &mut Machine<'_>, a: &[Value]| put(m, a, $kind)),
            (UNSAFE, $putv, $puts, |m: &mut Machine<'_>, a: &[Value]| put(m, a, $kind)),
        ]
    };
}

const ACCESSES: [[Entry; 4]; 11] = [
    access!(
        ElementKind::Int,
        "getInt",
        "getIntVolatile",
        "(Ljava/lang/Object;J)I",
        "putInt",
        "putIntVolatile",
        "(Ljava/lang/Object;JI)V"
    ),
    access!(
        ElementKind::Long,
        "getLong",
        "getLongVolatile",
        "(Ljava/lang/Object;J)J",
        "putLong",
        "putLongVolatile",
        "(Ljava/lang/Object;JJ)V"
    ),
    access!(
        ElementKind::Float,
        "getFloat",
        "getFloatVolatile",
        "(Ljava/lang/Object;J)F",
        "putFloat",
        "putFloatVolatile",
        "(Ljava/lang/Object;JF)V"
    ),
    access!(
        ElementKind::Double,
        "getDouble",
        "getDoubleVolatile",
        "(Ljava/lang/Object;J)D",
        "putDouble",
        "putDoubleVolatile",
        "(Ljava/lang/Object;JD)V"
    ),
    access!(
        ElementKind::ByteOrBoolean,
        "getByte",
        "getByteVolatile",
        "(Ljava/lang/Object;J)B",
        "putByte",
        "putByteVolatile",
        "(Ljava/lang/Object;JB)V"
    ),
    access!(
        ElementKind::ByteOrBoolean,
        "getBoolean",
        "getBooleanVolatile",
        "(Ljava/lang/Object;J)Z",
        "putBoolean",
        "putBooleanVolatile",
        "(Ljava/lang/Object;JZ)V"
    ),
    access!(
        ElementKind::Short,
        "getShort",
        "getShortVolatile",
        "(Ljava/lang/Object;J)S",
        "putShort",
        "putShortVolatile",
        "(Ljava/lang/Object;JS)V"
    ),
    access!(
        ElementKind::Char,
        "getChar",
        "getCharVolatile",
        "(Ljava/lang/Object;J)C",
        "putChar",
        "putCharVolatile",
        "(Ljava/lang/Object;JC)V"
    ),
    access!(
        ElementKind::Reference,
        "getReference",
        "getReferenceVolatile",
        "(Ljava/lang/Object;J)Ljava/lang/Object;",
        "putReference",
        "putReferenceVolatile",
        "(Ljava/lang/Object;JLjava/lang/Object;)V"
    ),
    access!(
        ElementKind::Reference,
        "getObject",
        "getObjectVolatile",
        "(Ljava/lang/Object;J)Ljava/lang/Object;",
        "putObject",
        "putObjectVolatile",
        "(Ljava/lang/Object;JLjava/lang/Object;)V"
    ),
    access!(
        ElementKind::Reference,
        "getObjectAcquire",
        "getReferenceAcquire",
        "(Ljava/lang/Object;J)Ljava/lang/Object;",
        "putOrderedObject",
        "putReferenceRelease",
        "(Ljava/lang/Object;JLjava/lang/Object;)V"
    ),
];

/// The accesses, one after the other.
const fn flat() -> [Entry; 44] {
    let mut entries = [ACCESSES[0][0]; 44];
    let mut at = 0;
    while at < 44 {
        entries[at] = ACCESSES[at / 4][at % 4];
        at += 1;
    }
    entries
}

pub(super) const ACCESS_TABLE: &[Entry] = &flat();

const CAS_REFERENCE: &str = "(Ljava/lang/Object;JLjava/lang/Object;Ljava/lang/Object;)Z";
const CAE_REFERENCE: &str =
    "(Ljava/lang/Object;JLjava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";

pub(super) const TABLE: &[Entry] = &[
    (UNSAFE, "putOrderedInt", "(Ljava/lang/Object;JI)V", |m, a| put(m, a, ElementKind::Int)),
    (UNSAFE, "putOrderedLong", "(Ljava/lang/Object;JJ)V", |m, a| put(m, a, ElementKind::Long)),
    (UNSAFE, "compareAndSetInt", "(Ljava/lang/Object;JII)Z", |m, a| {
        compare_and(m, a, "compareAndSetInt")
    }),
    (UNSAFE, "compareAndSwapInt", "(Ljava/lang/Object;JII)Z", |m, a| {
        compare_and(m, a, "compareAndSwapInt")
    }),
    (UNSAFE, "compareAndSetLong", "(Ljava/lang/Object;JJJ)Z", |m, a| {
        compare_and(m, a, "compareAndSetLong")
    }),
    (UNSAFE, "compareAndSwapLong", "(Ljava/lang/Object;JJJ)Z", |m, a| {
        compare_and(m, a, "compareAndSwapLong")
    }),
    (UNSAFE, "compareAndSetReference", CAS_REFERENCE, |m, a| {
        compare_and(m, a, "compareAndSetReference")
    }),
    (UNSAFE, "compareAndSetObject", CAS_REFERENCE, |m, a| compare_and(m, a, "compareAndSetObject")),
    (UNSAFE, "compareAndSwapObject", CAS_REFERENCE, |m, a| {
        compare_and(m, a, "compareAndSwapObject")
    }),
    (UNSAFE, "compareAndExchangeInt", "(Ljava/lang/Object;JII)I", |m, a| {
        compare_and(m, a, "compareAndExchangeInt")
    }),
    (UNSAFE, "compareAndExchangeLong", "(Ljava/lang/Object;JJJ)J", |m, a| {
        compare_and(m, a, "compareAndExchangeLong")
    }),
    (UNSAFE, "compareAndExchangeReference", CAE_REFERENCE, |m, a| {
        compare_and(m, a, "compareAndExchangeReference")
    }),
    (UNSAFE, "compareAndExchangeObject", CAE_REFERENCE, |m, a| {
        compare_and(m, a, "compareAndExchangeObject")
    }),
    (UNSAFE, "arrayBaseOffset0", "(Ljava/lang/Class;)I", array_base),
    (UNSAFE, "arrayBaseOffset", "(Ljava/lang/Class;)I", array_base),
    (UNSAFE, "arrayIndexScale0", "(Ljava/lang/Class;)I", array_scale),
    (UNSAFE, "arrayIndexScale", "(Ljava/lang/Class;)I", array_scale),
    (UNSAFE, "objectFieldOffset", "(Ljava/lang/reflect/Field;)J", reflected_offset),
    (UNSAFE, "staticFieldOffset", "(Ljava/lang/reflect/Field;)J", reflected_static_offset),
    (UNSAFE, "staticFieldBase", "(Ljava/lang/reflect/Field;)Ljava/lang/Object;", static_base),
    (UNSAFE, "objectFieldOffset1", "(Ljava/lang/Class;Ljava/lang/String;)J", field_offset),
    (UNSAFE, "allocateMemory", "(J)J", allocate_memory),
    (UNSAFE, "freeMemory", "(J)V", nothing),
    (UNSAFE, "putLong", "(JJ)V", put_long_at),
    (UNSAFE, "getByte", "(J)B", get_byte_at),
    (UNSAFE, "addressSize0", "()I", address_size),
    (UNSAFE, "addressSize", "()I", address_size),
    (UNSAFE, "pageSize", "()I", page_size),
    (UNSAFE, "isBigEndian0", "()Z", nothing),
    (UNSAFE, "unalignedAccess0", "()Z", super::yes),
    (UNSAFE, "fullFence", "()V", nothing),
    (UNSAFE, "loadFence", "()V", nothing),
    (UNSAFE, "storeFence", "()V", nothing),
    (UNSAFE, "park", "(ZJ)V", |_, _| Err(Stop::unsupported(Platform::Threads))),
    (UNSAFE, "unpark", "(Ljava/lang/Object;)V", nothing),
    (UNSAFE, "shouldBeInitialized0", "(Ljava/lang/Class;)Z", nothing),
    (UNSAFE, "ensureClassInitialized0", "(Ljava/lang/Class;)V", ensure_initialised),
    (UNSAFE, "ensureClassInitialized", "(Ljava/lang/Class;)V", ensure_initialised),
    (UNSAFE, "allocateInstance", "(Ljava/lang/Class;)Ljava/lang/Object;", allocate),
    (UNSAFE, "allocateUninitializedArray0", "(Ljava/lang/Class;I)Ljava/lang/Object;", |m, a| {
        super::arrays::new_array(m, &a[1..])
    }),
];

/// Where an access goes.
enum Cell {
    Slot(Reference, u16),
    Static(usize),
    Element(Reference, usize),
    /// An element of another width: the array, and the first byte.
    Bytes(Reference, usize),
}

pub(super) fn width(kind: ElementKind) -> usize {
    match kind {
        ElementKind::ByteOrBoolean => 1,
        ElementKind::Char | ElementKind::Short => 2,
        ElementKind::Int | ElementKind::Float | ElementKind::Reference => 4,
        ElementKind::Long | ElementKind::Double => 8,
    }
}

fn cell(
    machine: &mut Machine<'_>,
    object: Reference,
    offset: i64,
    kind: ElementKind,
) -> Result<Cell, Stop> {
    if object.is_null() {
        return Err(Stop::unsupported(Feature::MemoryOutsideHeap));
    }
    if offset >= STATICS {
        let number = (offset - STATICS) as usize;
        let is_known = number < machine.static_values().len();
        return if is_known { Ok(Cell::Static(number)) } else { Err(outside()) };
    }
    let at = usize::try_from(offset - HEADER).map_err(|_| outside())?;
    let class = machine.heap.class(object);
    let cell = match machine.types.get(class).component {
        None => Cell::Slot(object, (at / SLOT as usize) as u16),
        Some((_, element)) => {
            let size = width(element);
            if element == kind && at % size == 0 || element == ElementKind::Reference {
                Cell::Element(object, at / size)
            } else {
                Cell::Bytes(object, at)
            }
        }
    };
    let is_outside = match cell {
        Cell::Static(_) => false,
        Cell::Element(array, index) => index >= machine.heap.length(array),
        Cell::Slot(object, slot) => usize::from(slot) >= machine.heap.length(object),
        Cell::Bytes(array, at) => {
            let size = machine.types.get(class).component.map_or(1, |(_, kind)| width(kind));
            at + width(kind) > machine.heap.length(array) * size
        }
    };
    if is_outside { Err(outside()) } else { Ok(cell) }
}

fn outside() -> Stop {
    Stop::unsupported(Feature::MemoryOutsideObject)
}

impl Machine<'_> {
    /// Reads memory of an object as `Unsafe` does.
    pub(super) fn read_memory(
        &mut self,
        object: Reference,
        offset: i64,
        kind: ElementKind,
    ) -> Result<Value, Stop> {
        Ok(match cell(self, object, offset, kind)? {
            Cell::Slot(object, slot) => self.heap.field(object, slot),
            Cell::Static(number) => self.static_values()[number],
            Cell::Element(array, index) => self.heap.element(array, index),
            Cell::Bytes(array, at) => {
                // Terms have no bytes.
                self.heap.note_terms(&self.heap.object(array).body);
                let mut bytes = [0; 8];
                for (offset, byte) in bytes[..width(kind)].iter_mut().enumerate() {
                    *byte = raw_byte(&self.heap.object(array).body, at + offset);
                }
                let unstable = self.heap.object(array).unstable;
                from_raw(kind, u64::from_le_bytes(bytes)).marked(unstable)
            }
        })
    }

    /// Writes memory of an object as `Unsafe` does.
    pub(super) fn write_memory(
        &mut self,
        object: Reference,
        offset: i64,
        kind: ElementKind,
        value: Value,
    ) -> Result<(), Stop> {
        match cell(self, object, offset, kind)? {
            Cell::Slot(object, slot) => self.heap.set_field(object, slot, value),
            Cell::Static(number) => self.set_static(number as u32, value),
            Cell::Element(array, index) => {
                let value = self.narrowed(self.heap.class(array), value);
                self.heap.set_element(array, index, value);
            }
            Cell::Bytes(array, at) => {
                if value.is_symbolic() || matches!(self.heap.object(array).body, Body::Values(_)) {
                    return Err(self.undecided(Undecided::Bytes));
                }
                let bytes = value.bits.to_le_bytes();
                let object = self.heap.object_mut(array);
                object.unstable |= value.is_unstable();
                for (offset, &byte) in bytes[..width(kind)].iter().enumerate() {
                    set_raw_byte(&mut object.body, at + offset, byte);
                }
            }
        }
        Ok(())
    }
}

fn raw_byte(body: &Body, at: usize) -> u8 {
    match body {
        Body::Bytes(bytes) => bytes[at] as u8,
        Body::Chars(chars) => chars[at / 2].to_le_bytes()[at % 2],
        Body::Shorts(shorts) => shorts[at / 2].to_le_bytes()[at % 2],
        Body::Ints(ints) => ints[at / 4].to_le_bytes()[at % 4],
        Body::Longs(longs) => longs[at / 8].to_le_bytes()[at % 8],
        Body::Floats(floats) => floats[at / 4].to_le_bytes()[at % 4],
        Body::Doubles(doubles) => doubles[at / 8].to_le_bytes()[at % 8],
        _ => 0,
    }
}

fn set_raw_byte(body: &mut Body, at: usize, byte: u8) {
    macro_rules! set {
        ($elements:expr, $size:literal, $kind:ty) => {{
            let mut bytes = $elements[at / $size].to_le_bytes();
            bytes[at % $size] = byte;
            $elements[at / $size] = <$kind>::from_le_bytes(bytes);
        }};
    }
    match body {
        Body::Bytes(bytes) => bytes[at] = byte as i8,
        Body::Chars(chars) => set!(chars, 2, u16),
        Body::Shorts(shorts) => set!(shorts, 2, i16),
        Body::Ints(ints) => set!(ints, 4, i32),
        Body::Longs(longs) => set!(longs, 8, i64),
        Body::Floats(floats) => set!(floats, 4, f32),
        Body::Doubles(doubles) => set!(doubles, 8, f64),
        _ => {}
    }
}

fn from_raw(kind: ElementKind, bits: u64) -> Value {
    match kind {
        ElementKind::ByteOrBoolean => Value::int((bits as i8).into()),
        ElementKind::Short => Value::int((bits as i16).into()),
        ElementKind::Char => Value::int((bits as u16).into()),
        ElementKind::Int => Value::int(bits as i32),
        ElementKind::Float | ElementKind::Reference => Value::known(bits & 0xffff_ffff),
        ElementKind::Long | ElementKind::Double => Value::known(bits),
    }
}

fn get(machine: &mut Machine<'_>, arguments: &[Value], kind: ElementKind) -> Result<Answer, Stop> {
    let offset = argument(arguments, 2).as_long();
    give(machine.read_memory(reference(arguments, 1), offset, kind)?)
}

fn put(machine: &mut Machine<'_>, arguments: &[Value], kind: ElementKind) -> Result<Answer, Stop> {
    let offset = argument(arguments, 2).as_long();
    let value = argument(arguments, 3).marked(argument(arguments, 2).is_unstable());
    machine.write_memory(reference(arguments, 1), offset, kind, value)?;
    give(Value::NULL)
}

/// A place in memory that is compared with what is expected there.
pub(crate) struct Exchange {
    object: Reference,
    offset: i64,
    kind: ElementKind,
    pub(crate) found: Value,
    pub(crate) expected: Value,
    new: Value,
    gives_found: bool,
}

impl Exchange {
    /// What kind of values are compared.
    pub(crate) fn kind(&self) -> Kind {
        self.kind.kind()
    }
}

impl Machine<'_> {
    /// What a method of `Unsafe` compares, by its name.
    pub(crate) fn exchange(&mut self, name: &str, arguments: &[Value]) -> Result<Exchange, Stop> {
        let kind = match name {
            _ if name.ends_with("Int") => ElementKind::Int,
            _ if name.ends_with("Long") => ElementKind::Long,
            _ => ElementKind::Reference,
        };
        let (object, offset) = (reference(arguments, 1), argument(arguments, 2).as_long());
        let found = self.read_memory(object, offset, kind)?;
        let (expected, new) = (argument(arguments, 3), argument(arguments, 4));
        let gives_found = name.starts_with("compareAndExchange");
        Ok(Exchange { object, offset, kind, found, expected, new, gives_found })
    }

    /// What the method returns, after it has written if what is there is as expected.
    pub(crate) fn exchanged(&mut self, exchange: &Exchange, is_same: bool) -> Result<Value, Stop> {
        let &Exchange { object, offset, kind, found, expected, new, gives_found } = exchange;
        let compared = Compared { found, expected, is_same };
        if let Some(written) = compared.written(new) {
            self.write_memory(object, offset, kind, written)?;
        }
        Ok(compared.result(gives_found))
    }
}

/// What was found at a place, what was expected there, and whether they are the same.
pub(super) struct Compared {
    pub(super) found: Value,
    pub(super) expected: Value,
    pub(super) is_same: bool,
}

impl Compared {
    /// Whether the JVM does not fix how the comparison ends.
    fn is_unstable(&self) -> bool {
        self.found.is_unstable() || self.expected.is_unstable()
    }

    /// What is written to the place. If nobody knows whether something is, what is there is not known, either.
    pub(super) fn written(&self, new: Value) -> Option<Value> {
        let is_unstable = self.is_unstable();
        let there = if self.is_same { new } else { self.found };
        (self.is_same || is_unstable).then(|| there.marked(is_unstable))
    }

    /// What the call returns: what was found, or whether that was as expected.
    pub(super) fn result(&self, gives_found: bool) -> Value {
        let is_same = Value::boolean(self.is_same).marked(self.is_unstable());
        if gives_found { self.found } else { is_same }
    }
}

/// On values that are known; others are compared by the exploration.
fn compare_and(machine: &mut Machine<'_>, arguments: &[Value], name: &str) -> Result<Answer, Stop> {
    let exchange = machine.exchange(name, arguments)?;
    if exchange.found.is_symbolic() || exchange.expected.is_symbolic() {
        return Err(Stop(Reason::Undecided(Undecided::UnsafeComparison)));
    }
    let is_same = exchange.found.bits == exchange.expected.bits;
    give(machine.exchanged(&exchange, is_same)?)
}

fn allocate_memory(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let Ok(size) = u16::try_from(argument(arguments, 1).as_long()) else {
        return Err(Stop::unsupported(Feature::MemoryOutsideHeap));
    };
    let memory = machine.new_array(TypeId::BYTES, size.into())?;
    machine.library.modelled.memory.push(memory);
    // The first has the number one: zero is no address.
    give(Value::long((machine.library.modelled.memory.len() as i64) << ADDRESS_BITS))
}

/// The array behind an address, and the offset in it.
fn at_address(machine: &Machine<'_>, address: i64) -> Result<(Reference, i64), Stop> {
    let number = usize::try_from((address >> ADDRESS_BITS) - 1).ok();
    let memory = number.and_then(|number| machine.library.modelled.memory.get(number)).copied();
    let memory = memory.ok_or_else(|| Stop::unsupported(Feature::MemoryOutsideHeap))?;
    Ok((memory, HEADER + (address & ((1 << ADDRESS_BITS) - 1))))
}

fn put_long_at(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let (memory, offset) = at_address(machine, argument(arguments, 1).as_long())?;
    machine.write_memory(memory, offset, ElementKind::Long, argument(arguments, 2))?;
    give(Value::NULL)
}

fn get_byte_at(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let (memory, offset) = at_address(machine, argument(arguments, 1).as_long())?;
    give(machine.read_memory(memory, offset, ElementKind::ByteOrBoolean)?)
}

fn array_base(_: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    give(Value::int(HEADER as i32))
}

fn array_scale(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let class = machine.mirrored(reference(arguments, 1));
    let kind = class.and_then(|class| machine.types.get(class).component);
    give(Value::int(kind.map_or(0, |(_, kind)| width(kind)) as i32))
}

fn field_offset(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let Some(class) = machine.mirrored(reference(arguments, 1)) else {
        return throw_null_pointer();
    };
    let Some(name) = machine.text_of(reference(arguments, 2)) else {
        return throw_null_pointer();
    };
    let class = machine.types.get(class).name.to_string();
    let slot = machine.slot_named(&class, &name)?;
    give(Value::long(HEADER + SLOT * i64::from(slot)))
}

fn reflected_offset(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    if reference(arguments, 1).is_null() {
        return throw_null_pointer();
    }
    let (_, slot) = machine.place_behind(reference(arguments, 1))?;
    give(Value::long(HEADER + SLOT * i64::from(slot)))
}

fn reflected_static_offset(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    if reference(arguments, 1).is_null() {
        return throw_null_pointer();
    }
    let (_, number) = machine.place_behind(reference(arguments, 1))?;
    give(Value::long(STATICS + i64::from(number)))
}

fn static_base(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    if reference(arguments, 1).is_null() {
        return throw_null_pointer();
    }
    let (class, _) = machine.place_behind(reference(arguments, 1))?;
    super::give_reference(machine.mirror(class)?)
}

fn address_size(_: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    give(Value::int(8))
}

fn page_size(_: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    give(Value::int(4096))
}

fn ensure_initialised(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    match machine.mirrored(reference(arguments, 1)) {
        Some(class) if !class.is_primitive() => {
            Ok(Answer::Initialise(class, super::Then::Give(Value::NULL)))
        }
        _ => throw_null_pointer(),
    }
}

fn allocate(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    match machine.mirrored(reference(arguments, 1)) {
        Some(class) if class != TypeId::CLASS => {
            let object = machine.new_object(class)?;
            super::give_reference(object)
        }
        _ => throw_null_pointer(),
    }
}

/// The offset of an instance field.
pub(super) fn offset_of(slot: u16) -> i64 {
    HEADER + SLOT * i64::from(slot)
}

/// The offset of an element.
pub(super) fn offset_of_element(kind: ElementKind, index: usize) -> i64 {
    HEADER + (width(kind) * index) as i64
}
