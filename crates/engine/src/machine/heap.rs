//! The heap: objects and arrays by reference.
//!
//! Arrays of numbers hold bare numbers while all elements are known; an element that is a term turns
//! the array into one of values. An array with an element that the JVM does not fix, or written at
//! an index that it does not fix, is unstable as a whole.
//!
//! While a derivation can go back, changes are noted on a trail. Objects that are younger than the last
//! choice go away with it: what happens to them needs no note.

use std::rc::Rc;

use petrel_clp::ElementKind;

use crate::library::Text;
use crate::machine::types::TypeId;
use crate::machine::value::{Reference, Tag, Value};

/// What an object holds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Body {
    /// The fields of an instance, by slot.
    Fields(Box<[Value]>),
    /// `byte[]` and `boolean[]`.
    Bytes(Box<[i8]>),
    /// `char[]`.
    Chars(Box<[u16]>),
    /// `short[]`.
    Shorts(Box<[i16]>),
    /// `int[]`.
    Ints(Box<[i32]>),
    /// `long[]`.
    Longs(Box<[i64]>),
    /// `float[]`.
    Floats(Box<[f32]>),
    /// `double[]`.
    Doubles(Box<[f64]>),
    /// An array of references.
    References(Box<[Reference]>),
    /// An array with elements that are terms.
    Values(Box<[Value]>),
    /// An array whose length is a term: its elements are known to the heap solver.
    Logged(Rc<LoggedArray>),
    /// An input object that nobody has looked into.
    Unmade,
    /// A string, or a builder of strings, over unknown inputs; and its fields, if they were looked at.
    Text(Rc<Text>, Option<Box<[Value]>>),
}

/// An array without elements in the machine.
#[derive(Debug, PartialEq)]
pub(crate) struct LoggedArray {
    pub(crate) length: Value,
    /// The lengths of the arrays in it and in those, if it was made together with them.
    pub(crate) lengths_inside: Box<[Value]>,
}

/// An object or array.
#[derive(Debug, Clone)]
pub(crate) struct Object {
    /// Its exact class.
    pub(crate) class: TypeId,
    /// Whether its elements depend on what the JVM does not fix.
    pub(crate) unstable: bool,
    /// The choice after which it was made; 0 if it outlives all.
    birth: u32,
    pub(crate) body: Body,
}

/// A change of the heap that can be undone.
#[derive(Debug)]
enum Change {
    Made(Reference),
    Field { object: Reference, slot: u16, old: Value },
    Element { array: Reference, index: u32, old: Value },
    Whole { object: Reference, old: Object },
}

/// All objects. The first is a placeholder for null.
#[derive(Debug)]
pub(crate) struct Heap {
    objects: Vec<Object>,
    /// Places of objects that were freed.
    free: Vec<Reference>,
    /// Roughly how many bytes the objects take.
    pub(super) size: usize,
    /// The size at which garbage is collected.
    pub(super) collect_at: usize,
    /// So many objects from the first on are never freed.
    pub(super) kept: usize,
    /// The last choice that can be gone back to; 0 if there is none.
    choice: u32,
    /// Whether changes are noted.
    is_noting: bool,
    changes: Vec<Change>,
    /// Whether a modelled method read a term.
    pub(super) term_read: std::cell::Cell<bool>,
}

/// A place on the trail of the heap.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HeapMark {
    choice: u32,
    changes: usize,
}

/// What an object takes beside its fields or elements.
pub(super) const HEADER: usize = std::mem::size_of::<Object>();

impl Heap {
    pub(super) fn new() -> Heap {
        let body = Body::Fields([].into());
        let null = Object { class: TypeId::OBJECT, unstable: false, birth: 0, body };
        Heap {
            objects: vec![null],
            free: Vec::new(),
            size: 0,
            collect_at: usize::MAX,
            kept: 1,
            choice: 0,
            is_noting: false,
            changes: Vec::new(),
            term_read: std::cell::Cell::new(false),
        }
    }

    /// A choice that can be gone back to: changes are noted from here on. Choices are numbered by
    /// how many are open.
    pub(crate) fn open_choice(&mut self) -> HeapMark {
        let mark = HeapMark { choice: self.choice, changes: self.changes.len() };
        self.choice += 1;
        self.is_noting = true;
        mark
    }

    /// Undoes everything since a choice, which stays open.
    pub(crate) fn undo(&mut self, mark: HeapMark) {
        while self.changes.len() > mark.changes {
            match self.changes.pop() {
                Some(Change::Made(object)) => self.free_object(object),
                Some(Change::Field { object, slot, old }) => {
                    if let Body::Fields(fields) = &mut self.objects[object.index()].body
                        && let Some(field) = fields.get_mut(usize::from(slot))
                    {
                        *field = old;
                    }
                }
                Some(Change::Element { array, index, old }) => {
                    self.objects[array.index()].body.set_element(index as usize, old);
                }
                Some(Change::Whole { object, old }) => {
                    self.size += old.body.size();
                    let new = std::mem::replace(&mut self.objects[object.index()], old);
                    self.size -= new.body.size();
                }
                None => break,
            }
        }
        self.choice = mark.choice + 1;
    }

    /// A choice has no alternative left.
    pub(crate) fn close_choice(&mut self, mark: HeapMark) {
        self.choice = mark.choice;
        self.is_noting = self.choice > 0;
    }

    /// What is made and changed from here on outlives all choices. Gives what it was before.
    pub(super) fn note_changes(&mut self, is_noting: bool) -> bool {
        std::mem::replace(&mut self.is_noting, is_noting && self.choice > 0)
    }

    /// Whether changes are noted: there is a choice to go back to.
    #[inline]
    pub(crate) fn is_noting(&self) -> bool {
        self.is_noting
    }

    /// Whether an object can be changed without a note.
    #[inline]
    pub(super) fn is_free_to_change(&self, object: Reference) -> bool {
        !self.is_noting || self.objects[object.index()].birth == self.choice
    }

    /// Whether an object outlives all choices.
    pub(crate) fn is_permanent(&self, object: Reference) -> bool {
        self.objects[object.index()].birth == 0
    }

    /// The values that undoing would bring back.
    pub(super) fn for_each_noted(&self, mut visit: impl FnMut(Value)) {
        for change in &self.changes {
            match change {
                Change::Made(_) => {}
                Change::Field { old, .. } | Change::Element { old, .. } => visit(*old),
                Change::Whole { old, .. } => old.body.for_each_value(&mut visit),
            }
        }
    }

    /// Notes an object as it is, before it changes as a whole.
    fn note_whole(&mut self, object: Reference) {
        if !self.is_free_to_change(object) {
            let old = self.objects[object.index()].clone();
            self.changes.push(Change::Whole { object, old });
        }
    }

    /// How many places for objects there are.
    pub(super) fn count(&self) -> usize {
        self.objects.len()
    }

    /// All objects, some of which nothing may refer to any more.
    pub(crate) fn objects_in_use(&self) -> impl Iterator<Item = Reference> {
        let all = (0..).zip(&self.objects).skip(1);
        all.filter(|(_, object)| object.class != TypeId::VOID).map(|(number, _)| Reference(number))
    }

    /// Frees the place of an object that nothing refers to, unless it is free.
    pub(super) fn free_object(&mut self, reference: Reference) {
        let object = &mut self.objects[reference.index()];
        if object.class == TypeId::VOID {
            return;
        }
        self.size -= HEADER + object.body.size();
        // No object is of this type: it marks a free place.
        let body = Body::Fields([].into());
        *object = Object { class: TypeId::VOID, unstable: false, birth: 0, body };
        self.free.push(reference);
    }

    /// Adds an object.
    pub(crate) fn add(&mut self, class: TypeId, body: Body) -> Reference {
        self.size += HEADER + body.size();
        let birth = if self.is_noting { self.choice } else { 0 };
        let object = Object { class, unstable: false, birth, body };
        // A place that was freed may be noted as that of an object made since a choice: undoing frees
        // it again, so that nothing permanent may take it.
        let is_reused = self.is_noting || self.choice == 0;
        let reference = match self.free.pop_if(|_| is_reused) {
            Some(reference) => {
                self.objects[reference.index()] = object;
                reference
            }
            None => {
                self.objects.push(object);
                Reference(self.objects.len() as u32 - 1)
            }
        };
        if self.is_noting {
            self.changes.push(Change::Made(reference));
        }
        reference
    }

    /// Rules never ask for the object behind null, and references come from here.
    #[inline]
    pub(crate) fn object(&self, reference: Reference) -> &Object {
        &self.objects[reference.index()]
    }

    /// An object that is about to change.
    pub(crate) fn object_mut(&mut self, reference: Reference) -> &mut Object {
        self.note_whole(reference);
        &mut self.objects[reference.index()]
    }

    /// An object that can be changed without a note.
    #[inline]
    pub(super) fn free_object_mut(&mut self, reference: Reference) -> &mut Object {
        &mut self.objects[reference.index()]
    }

    #[inline]
    pub(crate) fn class(&self, reference: Reference) -> TypeId {
        self.object(reference).class
    }

    #[inline]
    pub(crate) fn get_field(&self, object: Reference, slot: u16) -> Value {
        match &self.object(object).body {
            // Only code that the JVM's verifier would refuse asks for a field that is not there.
            Body::Fields(fields) | Body::Text(_, Some(fields)) => {
                fields.get(usize::from(slot)).copied().unwrap_or_default()
            }
            _ => Value::NULL,
        }
    }

    /// A field of an object that has some; `None` of one that is not made yet, or is a text.
    #[inline]
    pub(super) fn made_field(&self, object: Reference, slot: u16) -> Option<Value> {
        match &self.object(object).body {
            Body::Fields(fields) => {
                Some(fields.get(usize::from(slot)).copied().unwrap_or_default())
            }
            Body::Unmade | Body::Text(..) => None,
            _ => Some(Value::NULL),
        }
    }

    /// Whether an object has fields: it is made, and no text.
    #[inline]
    pub(crate) fn is_made(&self, object: Reference) -> bool {
        !matches!(self.object(object).body, Body::Unmade | Body::Text(..))
    }

    /// Gives an object other contents.
    pub(crate) fn replace_body(&mut self, object: Reference, body: Body) {
        self.size += body.size();
        let changed = self.object_mut(object);
        let old = std::mem::replace(&mut changed.body, body);
        self.size -= old.size();
    }

    #[inline]
    pub(crate) fn set_field(&mut self, object: Reference, slot: u16, value: Value) {
        let is_noted = !self.is_free_to_change(object);
        if let Body::Fields(fields) = &mut self.objects[object.index()].body
            && let Some(field) = fields.get_mut(usize::from(slot))
        {
            let old = std::mem::replace(field, value);
            if is_noted {
                self.changes.push(Change::Field { object, slot, old });
            }
        }
    }

    /// Length of an array; zero for what is none. One whose length is a term counts as empty: it is
    /// noted that it was met.
    #[inline]
    pub(crate) fn length(&self, array: Reference) -> usize {
        let body = &self.object(array).body;
        if let Body::Logged(_) = body {
            self.term_read.set(true);
        }
        body.length()
    }

    /// An element. The index is within bounds.
    pub(crate) fn get_element(&self, array: Reference, index: usize) -> Value {
        let object = self.object(array);
        object.body.element(index).marked(object.unstable)
    }

    /// As [`Heap::get_element`], for modelled methods: it is noted if the element is a term.
    pub(crate) fn element(&self, array: Reference, index: usize) -> Value {
        self.read(self.get_element(array, index))
    }

    /// As [`Heap::get_field`], for modelled methods: it is noted if the field is a term.
    pub(crate) fn field(&self, object: Reference, slot: u16) -> Value {
        self.note_terms(&self.object(object).body);
        self.read(self.get_field(object, slot))
    }

    fn read(&self, value: Value) -> Value {
        if value.is_symbolic() {
            self.term_read.set(true);
        }
        value
    }

    /// A modelled method met an array with terms where it wants numbers.
    pub(crate) fn note_terms(&self, body: &Body) {
        if matches!(body, Body::Values(_) | Body::Logged(_) | Body::Unmade | Body::Text(..)) {
            self.term_read.set(true);
        }
    }

    /// Sets an element, narrowed to the array's type. The index is within bounds.
    pub(crate) fn set_element(&mut self, array: Reference, index: usize, value: Value) {
        let object = &self.objects[array.index()];
        let changes_body = value.is_symbolic() && !matches!(object.body, Body::Values(_));
        let changes_mark = value.tag == Tag::Unstable && !object.unstable;
        if changes_body || changes_mark {
            self.note_whole(array);
        } else if !self.is_free_to_change(array) {
            let old = object.body.element(index);
            self.changes.push(Change::Element { array, index: index as u32, old });
        }
        let object = &mut self.objects[array.index()];
        if value.is_symbolic() && !matches!(object.body, Body::Values(_)) {
            let length = object.body.length();
            let values = Body::Values((0..length).map(|at| object.body.element(at)).collect());
            self.size = self.size - object.body.size() + values.size();
            object.body = values;
        }
        object.unstable |= value.tag == Tag::Unstable;
        object.body.set_element(index, value);
    }

    /// Copies elements between arrays of the same kind; the ranges are within bounds.
    pub(crate) fn copy_elements(
        &mut self,
        (from, start): (Reference, usize),
        (to, target): (Reference, usize),
        length: usize,
    ) {
        let unstable = self.object(from).unstable;
        self.note_whole(to);
        self.objects[to.index()].unstable |= unstable;
        if from == to {
            self.objects[to.index()].body.copy_within(start, target, length);
            return;
        }
        let low = from.index().min(to.index());
        let (before, after) = self.objects.split_at_mut(low + 1);
        let (first, second) = (&mut before[low], from.index().max(to.index()) - low - 1);
        let (source, goal) = if from.index() == low {
            (&first.body, &mut after[second].body)
        } else {
            (&after[second].body, &mut first.body)
        };
        if !goal.copy_from(target, source, start, length) {
            let elements: Vec<Value> =
                (start..start + length).map(|at| source.element(at)).collect();
            for (offset, value) in elements.into_iter().enumerate() {
                self.set_element(to, target + offset, value);
            }
        }
    }

    /// A copy of an object or array.
    pub(crate) fn copy(&mut self, of: Reference) -> Reference {
        let object = self.object(of).clone();
        let (class, unstable) = (object.class, object.unstable);
        let copy = self.add(class, object.body);
        self.free_object_mut(copy).unstable = unstable;
        copy
    }

    /// The bytes of a `byte[]`.
    pub(crate) fn bytes(&self, array: Reference) -> Option<&[i8]> {
        match &self.object(array).body {
            Body::Bytes(bytes) => Some(bytes),
            other => {
                self.note_terms(other);
                None
            }
        }
    }
}

/// Does the same for arrays of every kind.
macro_rules! each_kind {
    ($body:expr, $elements:ident => $does:expr, $logged:expr) => {
        match $body {
            Body::Logged(_) | Body::Unmade | Body::Text(..) => $logged,
            Body::Fields($elements) | Body::Values($elements) => $does,
            Body::Bytes($elements) => $does,
            Body::Chars($elements) => $does,
            Body::Shorts($elements) => $does,
            Body::Ints($elements) => $does,
            Body::Longs($elements) => $does,
            Body::Floats($elements) => $does,
            Body::Doubles($elements) => $does,
            Body::References($elements) => $does,
        }
    };
}

impl Body {
    /// An array of default elements.
    pub(super) fn array(element: ElementKind, length: usize) -> Body {
        match element {
            ElementKind::Int => Body::Ints(vec![0; length].into()),
            ElementKind::Long => Body::Longs(vec![0; length].into()),
            ElementKind::Float => Body::Floats(vec![0.0; length].into()),
            ElementKind::Double => Body::Doubles(vec![0.0; length].into()),
            ElementKind::Reference => Body::References(vec![Reference::NULL; length].into()),
            ElementKind::ByteOrBoolean => Body::Bytes(vec![0; length].into()),
            ElementKind::Char => Body::Chars(vec![0; length].into()),
            ElementKind::Short => Body::Shorts(vec![0; length].into()),
        }
    }

    /// The values in it that may be references.
    pub(crate) fn for_each_value(&self, mut visit: impl FnMut(Value)) {
        match self {
            Body::Fields(values) | Body::Values(values) => values.iter().copied().for_each(visit),
            Body::References(references) => {
                references.iter().for_each(|&reference| visit(Value::reference(reference)));
            }
            Body::Text(_, Some(fields)) => fields.iter().copied().for_each(visit),
            _ => {}
        }
    }

    fn size(&self) -> usize {
        each_kind!(self, elements => std::mem::size_of_val::<[_]>(elements), 0)
    }

    #[inline]
    pub(crate) fn length(&self) -> usize {
        each_kind!(self, elements => elements.len(), 0)
    }

    #[inline]
    pub(super) fn element(&self, index: usize) -> Value {
        match self {
            Body::Fields(values) | Body::Values(values) => values[index],
            Body::Bytes(bytes) => Value::int(bytes[index].into()),
            Body::Chars(chars) => Value::int(chars[index].into()),
            Body::Shorts(shorts) => Value::int(shorts[index].into()),
            Body::Ints(ints) => Value::int(ints[index]),
            Body::Longs(longs) => Value::long(longs[index]),
            Body::Floats(floats) => Value::float(floats[index]),
            Body::Doubles(doubles) => Value::double(doubles[index]),
            Body::References(references) => Value::reference(references[index]),
            Body::Logged(_) | Body::Unmade | Body::Text(..) => Value::NULL,
        }
    }

    #[inline]
    pub(super) fn set_element(&mut self, index: usize, value: Value) {
        match self {
            Body::Fields(values) | Body::Values(values) => values[index] = value,
            Body::Bytes(bytes) => bytes[index] = value.as_int() as i8,
            Body::Chars(chars) => chars[index] = value.as_int() as u16,
            Body::Shorts(shorts) => shorts[index] = value.as_int() as i16,
            Body::Ints(ints) => ints[index] = value.as_int(),
            Body::Longs(longs) => longs[index] = value.as_long(),
            Body::Floats(floats) => floats[index] = value.as_float(),
            Body::Doubles(doubles) => doubles[index] = value.as_double(),
            Body::References(references) => references[index] = value.as_reference(),
            Body::Logged(_) | Body::Unmade | Body::Text(..) => {}
        }
    }

    /// An element of an array; `None` if there is none.
    #[inline]
    pub(super) fn array_element(&self, index: usize) -> Option<Value> {
        Some(match self {
            Body::Fields(_) | Body::Logged(_) | Body::Unmade | Body::Text(..) => return None,
            Body::Values(values) => *values.get(index)?,
            Body::Bytes(bytes) => Value::int((*bytes.get(index)?).into()),
            Body::Chars(chars) => Value::int((*chars.get(index)?).into()),
            Body::Shorts(shorts) => Value::int((*shorts.get(index)?).into()),
            Body::Ints(ints) => Value::int(*ints.get(index)?),
            Body::Longs(longs) => Value::long(*longs.get(index)?),
            Body::Floats(floats) => Value::float(*floats.get(index)?),
            Body::Doubles(doubles) => Value::double(*doubles.get(index)?),
            Body::References(references) => Value::reference(*references.get(index)?),
        })
    }

    /// Sets an element of an array of numbers; `false` if there is none.
    #[inline]
    pub(super) fn set_number(&mut self, index: usize, value: Value) -> bool {
        macro_rules! set {
            ($elements:expr, $value:expr) => {
                match $elements.get_mut(index) {
                    Some(element) => {
                        *element = $value;
                        true
                    }
                    None => false,
                }
            };
        }
        match self {
            Body::Bytes(bytes) => set!(bytes, value.as_int() as i8),
            Body::Chars(chars) => set!(chars, value.as_int() as u16),
            Body::Shorts(shorts) => set!(shorts, value.as_int() as i16),
            Body::Ints(ints) => set!(ints, value.as_int()),
            Body::Longs(longs) => set!(longs, value.as_long()),
            Body::Floats(floats) => set!(floats, value.as_float()),
            Body::Doubles(doubles) => set!(doubles, value.as_double()),
            _ => false,
        }
    }

    fn copy_within(&mut self, from: usize, to: usize, length: usize) {
        each_kind!(self, elements => elements.copy_within(from..from + length, to), ());
    }

    /// Copies from an array of the same kind; `false` if it is of another.
    fn copy_from(&mut self, to: usize, source: &Body, from: usize, length: usize) -> bool {
        macro_rules! copy {
            ($($kind:ident),*) => {
                match (self, source) {
                    $((Body::$kind(goal), Body::$kind(source)) => {
                        goal[to..to + length].copy_from_slice(&source[from..from + length]);
                        true
                    })*
                    _ => false,
                }
            };
        }
        copy!(Values, Bytes, Chars, Shorts, Ints, Longs, Floats, Doubles, References)
    }
}
