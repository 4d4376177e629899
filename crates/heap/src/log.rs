//! What was looked at in the initial heap and what was written since: S of the heap ⟨S, N, RC⟩.
//!
//! A read walks back through the writes that may be to the same place, up to one that certainly is (the
//! function ψ of section 3.2): each of them is a rule of the attribute of the value, here a step of an
//! if-then-else term. What no write can have changed is the initial value: one that was looked at
//! before, if the references are known to be the same, else a new unknown, whose relation to the others
//! is left to `congruence`.

use petrel_clp::Kind;
use petrel_expression::{Engine, Expression};
use petrel_solver::{Conflict, Constraint, Expr, Store};
use smallvec::SmallVec;

use crate::copy::Copied;
use crate::leaves::Leaf;
use crate::solver::{Context, HeapSolver, Undo};
use crate::truth::{FALSE, TRUE, both};
use crate::world::{FieldId, Known, Sort};

/// Where a value of the heap is, but for the object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Location {
    /// A field of an object.
    Field(FieldId),
    /// The elements of arrays of a kind: arrays of different kinds are never the same.
    Elements(u32),
    /// The length of an array.
    Length,
    /// The class of an object, by its number.
    Class,
    /// What only an assumption knows of an object.
    Ghost(u32),
}

/// A value of the initial heap that was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The object: an unknown, or its number.
    pub reference: Expr,
    /// The index; 0 for fields.
    pub index: Expr,
    /// The value.
    pub value: Expr,
    /// The value if the object is none of those that were looked at before.
    pub own: Expr,
}

/// A change of the heap.
#[derive(Debug, Clone)]
pub(crate) enum Write {
    /// One field or element.
    One(Cell),
    /// A part of an array.
    Copy(Copied),
}

impl Write {
    pub(crate) fn for_each_value(&self, visit: &mut impl FnMut(Expr)) {
        match self {
            Write::One(Cell { reference, value, .. }) => {
                visit(*reference);
                visit(*value);
            }
            Write::Copy(copied) => copied.for_each_value(visit),
        }
    }
}

/// All that happened at one location.
#[derive(Debug, Default)]
pub(crate) struct Log {
    pub(crate) initial: Vec<Cell>,
    /// Elements of new arrays of unknown length that were new arrays themselves, as far as they were looked at.
    pub(crate) rows: Vec<Cell>,
    pub(crate) writes: Vec<Write>,
}

/// What is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Read {
    pub(crate) location: Location,
    pub(crate) index: Expr,
    pub(crate) sort: Sort,
    /// Writes from this number on have not happened yet.
    pub(crate) before: usize,
}

/// Fields have this index.
pub(crate) const NO_INDEX: Expr = Expr::Constant(0);

impl HeapSolver {
    /// Value of a field of an object that is not null.
    pub fn get_field(
        &mut self,
        context: &mut Context<'_>,
        object: Expr,
        field: FieldId,
        sort: Sort,
    ) -> Result<Expr, Conflict> {
        let location = Location::Field(field);
        let before = self.log(location).writes.len();
        let read = Read { location, index: NO_INDEX, sort, before };
        self.read(context, object, read)
    }

    /// Sets a field of an object that is not null.
    pub fn set_field(
        &mut self,
        context: &mut Context<'_>,
        object: Expr,
        field: FieldId,
        sort: Sort,
        value: Expr,
    ) {
        for known in self.known_leaves(context.store, object) {
            let is_it = self.ref_eq(context.store, object, known.reference());
            let old = context.world.field(known, field);
            let new = context.store.choose(sort.kind(), is_it, value, old);
            context.world.set_field(known, field, new);
        }
        if self.may_be_input(context.store, object) {
            let cell = Cell { reference: object, index: NO_INDEX, value, own: value };
            self.write(Location::Field(field), Write::One(cell));
        }
    }

    /// The length of an array that is not null.
    pub fn length(&mut self, context: &mut Context<'_>, array: Expr) -> Result<Expr, Conflict> {
        let sort = Sort::Number { kind: Kind::Int, low: 0, high: i32::MAX.into() };
        let read = Read { location: Location::Length, index: NO_INDEX, sort, before: 0 };
        self.read(context, array, read)
    }

    /// The element of an array that is not null at an index within its bounds. Elements of one kind
    /// share the number `elements`.
    pub fn get_element(
        &mut self,
        context: &mut Context<'_>,
        array: Expr,
        index: Expr,
        elements: u32,
        sort: Sort,
    ) -> Result<Expr, Conflict> {
        let location = Location::Elements(elements);
        let before = self.log(location).writes.len();
        self.copied_from.clear();
        self.read(context, array, Read { location, index, sort, before })
    }

    /// Sets an element of an array that is not null at an index within its bounds.
    pub fn set_element(
        &mut self,
        context: &mut Context<'_>,
        array: Expr,
        index: Expr,
        elements: u32,
        value: Expr,
    ) {
        let mut is_logged = self.may_be_input(context.store, array);
        for known in self.known_leaves(context.store, array) {
            if context.world.is_logged(known) {
                is_logged = true;
                continue;
            }
            let is_it = self.ref_eq(context.store, array, known.reference());
            context.world.set_element(context.store, known, index, is_it, value);
        }
        if is_logged {
            let cell = Cell { reference: array, index, value, own: value };
            self.write(Location::Elements(elements), Write::One(cell));
        }
    }

    /// What is at a place of each object that a reference may be.
    pub(crate) fn read(
        &mut self,
        context: &mut Context<'_>,
        reference: Expr,
        read: Read,
    ) -> Result<Expr, Conflict> {
        let kind = read.sort.kind();
        let value =
            self.for_leaves(context, reference, kind, &mut |solver, context, leaf| match leaf {
                Leaf::Known(known) => solver.read_known(context, known, read),
                Leaf::Input(input) => solver.read_logged(context, input, read),
            })?;
        // Nothing is read through null.
        Ok(value.unwrap_or(Expr::Constant(0)))
    }

    fn read_known(
        &mut self,
        context: &mut Context<'_>,
        known: Known,
        read: Read,
    ) -> Result<Expr, Conflict> {
        Ok(match read.location {
            Location::Field(field) => context.world.field(known, field),
            Location::Length => context.world.length(known),
            Location::Elements(_) if context.world.is_logged(known) => {
                return self.read_logged(context, known.reference(), read);
            }
            Location::Elements(_) => context.world.element(context.store, known, read.index),
            Location::Class | Location::Ghost(_) => Expr::Constant(0),
        })
    }

    /// The value at a place of one object of S, given by an unknown or its number.
    pub(crate) fn read_logged(
        &mut self,
        context: &mut Context<'_>,
        object: Expr,
        read: Read,
    ) -> Result<Expr, Conflict> {
        let mut rules: SmallVec<[(Expr, Expr); 8]> = SmallVec::new();
        let mut value = None;
        for number in (0..read.before).rev() {
            self.n_looks += 1;
            let write = self.log(read.location).writes[number].clone();
            let (applies, written) = match write {
                Write::One(cell) => {
                    (self.is_at(context.store, object, read.index, &cell), Some(cell.value))
                }
                Write::Copy(ref copied) => {
                    (self.is_copied(context.store, object, read.index, copied), None)
                }
            };
            if applies == FALSE {
                continue;
            }
            let written = match (written, &write) {
                (None, Write::Copy(copied)) => {
                    self.read_copied(context, copied, Read { before: number, ..read })?
                }
                (written, _) => written.unwrap_or(FALSE),
            };
            if applies == TRUE {
                value = Some(written);
                break;
            }
            rules.push((applies, written));
        }
        let mut value = match value {
            Some(value) => value,
            None => self.initial(context, object, read)?,
        };
        for (applies, written) in rules.into_iter().rev() {
            value = context.store.choose(read.sort.kind(), applies, written, value);
        }
        Ok(value)
    }

    /// Whether a place is that of a cell.
    fn is_at(&self, store: &mut Store, object: Expr, index: Expr, cell: &Cell) -> Expr {
        let same_index = match (index, cell.index) {
            _ if index == cell.index => TRUE,
            (Expr::Constant(_), Expr::Constant(_)) => FALSE,
            _ => store.test(&Constraint::int(index, petrel_clp::Comparison::Equal, cell.index)),
        };
        if same_index == FALSE {
            return FALSE;
        }
        let same_object = self.same_object(store, object, cell.reference);
        both(store, same_object, same_index)
    }

    /// The value that a place of an object had at first.
    pub(crate) fn initial(
        &mut self,
        context: &mut Context<'_>,
        object: Expr,
        read: Read,
    ) -> Result<Expr, Conflict> {
        let Read { location, index, sort, .. } = read;
        if let number @ ..0 = store_constant(context.store, object) {
            return Ok(self.initial_of_new(context, Known(number.unsigned_abs() as u32), read));
        }
        self.n_looks += self.log(location).initial.len() as u64;
        for number in (0..self.log(location).initial.len()).rev() {
            let cell = self.log(location).initial[number];
            if self.is_known_at(context.store, object, index, &cell) {
                return Ok(cell.value);
            }
        }
        let name = self.name_of(context, object, location, index);
        let value = match (location, sort) {
            (Location::Elements(_), Sort::Reference(_)) => {
                match self.unknown_element(context, name, object, sort)? {
                    Some(element) => element,
                    None => return Ok(Expr::Constant(0)),
                }
            }
            _ => self.unknown(context, name, sort, true)?,
        };
        let own = value;
        let value = self.shared(context.store, object, read, own);
        self.log_mut(location).initial.push(Cell { reference: object, index, value, own });
        self.trail.push(Undo::Initial(location));
        if let Sort::Reference(_) = sort {
            if matches!(location, Location::Elements(_)) {
                self.assume_storable(context, object, value)?;
            }
            self.assume_of_edge(context, object, location, value)?;
        }
        Ok(value)
    }

    /// The element that a new array of unknown length had at first: 0 or null, or a row of its own.
    ///
    /// A row is made when it is first looked at, with the index that it is looked at by. What is looked at by another index later
    /// is that row if the indices are equal, so that nothing is decided by it. Rows are asked in the order in which
    /// they were made: if the index is that of two of them, only the first is one of the array.
    fn initial_of_new(&mut self, context: &mut Context<'_>, array: Known, read: Read) -> Expr {
        let Read { location, index, sort: Sort::Reference(_), .. } = read else {
            return Expr::Constant(0);
        };
        let reference = array.reference();
        let mut rules: SmallVec<[(Expr, Expr); 8]> = SmallVec::new();
        let mut row = None;
        for number in 0..self.log(location).rows.len() {
            self.n_looks += 1;
            let cell = self.log(location).rows[number];
            if cell.reference != reference {
                continue;
            }
            if cell.index == index {
                return cell.value;
            }
            match self.is_at(context.store, reference, index, &cell) {
                FALSE => {}
                TRUE => {
                    row = Some(cell.own);
                    break;
                }
                applies => rules.push((applies, cell.own)),
            }
        }
        let is_new = row.is_none();
        let own = match row.or_else(|| context.world.new_row(array).map(Known::reference)) {
            Some(own) => own,
            None => return Expr::Constant(0),
        };
        let mut value = own;
        for (applies, earlier) in rules.into_iter().rev() {
            value = context.store.choose(Kind::Reference, applies, earlier, value);
        }
        if is_new {
            self.log_mut(location).rows.push(Cell { reference, index, value, own });
            self.trail.push(Undo::Row(location));
        }
        value
    }

    /// A value of the initial heap that may be an object of N made for it alone: it is the one of another cell, if that is at the
    /// same place. Unknowns of the initial heap need no such rule: that they are equal is found out when it matters.
    fn shared(&self, store: &mut Store, object: Expr, read: Read, own: Expr) -> Expr {
        if !matches!(read.sort, Sort::Reference(_)) {
            return own;
        }
        let objects = self.known_leaves(store, own);
        if objects.is_empty() {
            return own;
        }
        let mut value = own;
        for number in (0..self.log(read.location).initial.len()).rev() {
            let cell = self.log(read.location).initial[number];
            let others = self.known_leaves(store, cell.own);
            if others.iter().all(|other| objects.contains(other)) {
                continue;
            }
            let is_same = self.is_at(store, object, read.index, &cell);
            value = match is_same {
                FALSE => value,
                TRUE => cell.own,
                _ => store.choose(Kind::Reference, is_same, cell.own, value),
            };
        }
        value
    }

    /// How the initial value at a place is called.
    fn name_of(
        &self,
        context: &Context<'_>,
        object: Expr,
        location: Location,
        index: Expr,
    ) -> Expression {
        let object = match self.input_at(context.store, object) {
            Some(input) => self.inputs[input].name.clone(),
            None => Expression::engine(Engine::Opaque),
        };
        match location {
            Location::Field(field) => object.member(&context.world.field_name(field)),
            Location::Length => object.member("length"),
            Location::Elements(_) => {
                let terms = context.store.terms();
                object.element(petrel_solver::expression(terms, index, Kind::Int))
            }
            Location::Class => Expression::engine(Engine::ClassOf(object)),
            Location::Ghost(number) => Expression::engine(Engine::Ghost(object, number)),
        }
    }

    pub(crate) fn write(&mut self, location: Location, write: Write) {
        self.log_mut(location).writes.push(write);
        self.trail.push(Undo::Write(location));
    }
}

/// The number of an object that is known; 0 for an unknown.
fn store_constant(store: &Store, object: Expr) -> i64 {
    store.fixed(object).constant().unwrap_or(0)
}
