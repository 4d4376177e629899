//! What the class library says of each UTF-16 unit, as tables that terms select from.
//!
//! The tables are computed by the class library's own code when they are first needed, so that they are those of
//! the user's JDK. A table of 65,536 entries is kept as pages, of which most are equal.

use std::rc::Rc;

use petrel_clp::{ArithmeticKind, Comparison, Kind, Operation};
use petrel_program::ResolvedMethod;
use petrel_solver::{Expr, Store};
use rustc_hash::FxHashMap;

use super::text::{choose, test};
use super::{Entry, Reply};
use crate::machine::{Halt, Library, Limits, Machine, Outcome, Stop, Value};

const CHARACTER: &str = "java/lang/Character";

pub(super) const TABLE: &[Entry] = &[
    (CHARACTER, "isDigit", "(C)Z", classify),
    (CHARACTER, "isDigit", "(I)Z", classify),
    (CHARACTER, "isLetter", "(C)Z", classify),
    (CHARACTER, "isLetter", "(I)Z", classify),
    (CHARACTER, "isLetterOrDigit", "(C)Z", classify),
    (CHARACTER, "isLetterOrDigit", "(I)Z", classify),
    (CHARACTER, "isAlphabetic", "(I)Z", classify),
    (CHARACTER, "isUpperCase", "(C)Z", classify),
    (CHARACTER, "isUpperCase", "(I)Z", classify),
    (CHARACTER, "isLowerCase", "(C)Z", classify),
    (CHARACTER, "isLowerCase", "(I)Z", classify),
    (CHARACTER, "isTitleCase", "(C)Z", classify),
    (CHARACTER, "isWhitespace", "(C)Z", classify),
    (CHARACTER, "isWhitespace", "(I)Z", classify),
    (CHARACTER, "isSpaceChar", "(C)Z", classify),
    (CHARACTER, "isISOControl", "(C)Z", classify),
    (CHARACTER, "isJavaIdentifierStart", "(C)Z", classify),
    (CHARACTER, "isJavaIdentifierPart", "(C)Z", classify),
    (CHARACTER, "toUpperCase", "(C)C", classify),
    (CHARACTER, "toUpperCase", "(I)I", classify),
    (CHARACTER, "toLowerCase", "(C)C", classify),
    (CHARACTER, "toLowerCase", "(I)I", classify),
    (CHARACTER, "getNumericValue", "(C)I", classify),
    (CHARACTER, "getType", "(C)I", classify),
    (CHARACTER, "digit", "(CI)I", digit),
    (CHARACTER, "digit", "(II)I", digit),
];

/// Tables that models of strings use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::library) enum Table {
    /// `toLowerCase(toUpperCase(unit))`.
    Fold,
    Lower,
    Upper,
    /// Whether a unit by itself is all that its lower or upper case in a string depends on.
    SimpleLower,
    SimpleUpper,
    White,
    /// `digit(unit, 36)`.
    Digit,
}

/// Units of a page.
const PAGE: usize = 64;

/// A function of units.
#[derive(Debug)]
pub(in crate::library) struct UnitTable {
    /// The first units, which are what most texts are made of.
    ascii: Rc<[Expr]>,
    /// Where the page of each unit starts.
    starts: Rc<[Expr]>,
    cells: Rc<[Expr]>,
}

/// The tables that were computed.
#[derive(Debug, Default)]
pub(in crate::library) struct UnitTables {
    named: FxHashMap<Table, Rc<UnitTable>>,
    by_method: FxHashMap<(Box<str>, Box<str>), Rc<UnitTable>>,
}

impl UnitTable {
    fn new(values: &[i32]) -> UnitTable {
        let mut cells: Vec<i32> = Vec::new();
        let mut pages: FxHashMap<&[i32], usize> = FxHashMap::default();
        let mut starts = Vec::new();
        for page in values.chunks(PAGE) {
            let start = *pages.entry(page).or_insert_with(|| {
                cells.extend_from_slice(page);
                cells.len() - page.len()
            });
            starts.push(Expr::Constant(start as i64));
        }
        let constants = |values: &[i32]| -> Rc<[Expr]> {
            values.iter().map(|&value| Expr::Constant(value.into())).collect()
        };
        UnitTable {
            ascii: constants(&values[..128]),
            starts: starts.into(),
            cells: constants(&cells),
        }
    }

    /// What the table says of a unit.
    pub(in crate::library) fn at(&self, store: &mut Store, unit: Expr) -> Expr {
        let within = store.select(Kind::Int, Rc::clone(&self.ascii), unit);
        if unit.constant().is_some_and(|unit| unit < 128) || store.interval(unit).1 < 128 {
            return within;
        }
        let int = |store: &mut Store, operation: fn(ArithmeticKind) -> Operation, left, right| {
            store.apply(operation(ArithmeticKind::Int), left, right)
        };
        let page = int(store, Operation::ShiftRight, unit, Expr::Constant(6));
        let start = store.select(Kind::Int, Rc::clone(&self.starts), page);
        let place = int(store, Operation::And, unit, Expr::Constant(PAGE as i64 - 1));
        let index = int(store, Operation::Add, start, place);
        let beyond = store.select(Kind::Int, Rc::clone(&self.cells), index);
        let is_ascii = test(store, unit, Comparison::Less, Expr::Constant(128));
        choose(store, is_ascii, within, beyond)
    }
}

/// A method of one unit.
fn classify(
    machine: &mut Machine<'_>,
    method: &ResolvedMethod,
    arguments: &[Value],
) -> Result<Reply, Halt> {
    let unit = machine.int_argument(arguments, 0);
    let (low, high) = machine.solver.store.interval(unit);
    if low < 0 || high > u16::MAX.into() {
        return Ok(Reply::Code);
    }
    let table = machine.table_of(method.name(), method.descriptor())?;
    let value = table.at(&mut machine.solver.store, unit);
    machine.give_int(value)
}

fn digit(
    machine: &mut Machine<'_>,
    _: &ResolvedMethod,
    arguments: &[Value],
) -> Result<Reply, Halt> {
    let unit = machine.int_argument(arguments, 0);
    let (low, high) = machine.solver.store.interval(unit);
    let radix = arguments[1];
    if low < 0
        || high > u16::MAX.into()
        || radix.is_symbolic()
        || !(2..=36).contains(&radix.as_int())
    {
        return Ok(Reply::Code);
    }
    let table = machine.character_table(Table::Digit)?;
    let store = &mut machine.solver.store;
    let value = table.at(store, unit);
    let radix = Expr::Constant(radix.as_int().into());
    let fits = test(store, value, Comparison::Less, radix);
    let value = choose(store, fits, value, Expr::Constant(-1));
    machine.give_int(value)
}

impl Machine<'_> {
    /// A table that models of strings use.
    pub(super) fn character_table(&mut self, wanted: Table) -> Result<Rc<UnitTable>, Stop> {
        if let Some(known) = self.library.unit_tables.named.get(&wanted) {
            return Ok(Rc::clone(known));
        }
        let table = match wanted {
            Table::Lower => self.table_of("toLowerCase", "(C)C")?,
            Table::Upper => self.table_of("toUpperCase", "(C)C")?,
            Table::White => self.table_of("isWhitespace", "(C)Z")?,
            Table::SimpleLower => self.simple_case("toLowerCase")?,
            Table::SimpleUpper => self.simple_case("toUpperCase")?,
            Table::Fold => {
                let values =
                    self.computed(&[("toUpperCase", "(C)C"), ("toLowerCase", "(C)C")], &[])?;
                Rc::new(UnitTable::new(&values))
            }
            Table::Digit => {
                let values = self.computed(&[("digit", "(CI)I")], &[Value::int(36)])?;
                Rc::new(UnitTable::new(&values))
            }
        };
        self.library.unit_tables.named.insert(wanted, Rc::clone(&table));
        Ok(table)
    }

    /// Which units `String` maps as `Character` does, wherever they stand.
    fn simple_case(&mut self, name: &str) -> Result<Rc<UnitTable>, Stop> {
        let mapped = self.computed(&[(name, "(C)C")], &[])?;
        let mut beside = Machine::new(self.procedures, Limits::default());
        let in_string = beside.declared("java/lang/String", name, "()Ljava/lang/String;")?;
        let mut simple = Vec::with_capacity(1 << 16);
        for (unit, &mapped) in mapped.iter().enumerate() {
            let unit = unit as u16;
            // A capital sigma depends on what stands around it, and so do halves of pairs.
            if unit == 0x3A3 || (0xD800..0xE000).contains(&unit) {
                simple.push(0);
                continue;
            }
            let string = beside.new_string(&[unit])?;
            let units = match beside.execute_beside(in_string, &[Value::reference(string)]) {
                Outcome::Returned(Some(string)) => beside.units(string.as_reference()),
                _ => None,
            };
            simple.push(i32::from(units.as_deref() == Some(&[mapped as u16])));
        }
        Ok(Rc::new(UnitTable::new(&simple)))
    }

    fn table_of(&mut self, name: &str, descriptor: &str) -> Result<Rc<UnitTable>, Stop> {
        let key = (Box::from(name), Box::from(descriptor));
        if let Some(known) = self.library.unit_tables.by_method.get(&key) {
            return Ok(Rc::clone(known));
        }
        let values = self.computed(&[(name, descriptor)], &[])?;
        let table = Rc::new(UnitTable::new(&values));
        self.library.unit_tables.by_method.insert(key, Rc::clone(&table));
        Ok(table)
    }

    /// What methods of `Character`, one after the other, make of all units.
    fn computed(&self, methods: &[(&str, &str)], more: &[Value]) -> Result<Vec<i32>, Stop> {
        // The path under way must not notice.
        let mut beside = Machine::new(self.procedures, Limits::default());
        let mut numbers = Vec::new();
        for &(name, descriptor) in methods {
            numbers.push(beside.declared(CHARACTER, name, descriptor)?);
        }
        let mut values = Vec::with_capacity(1 << 16);
        for unit in 0..=u16::MAX {
            let mut value = Value::int(unit.into());
            for &method in &numbers {
                let mut arguments = vec![value];
                arguments.extend_from_slice(more);
                value = match beside.execute_beside(method, &arguments) {
                    Outcome::Returned(Some(value)) => value,
                    _ => return Err(Stop::unsupported(Library::WithoutCharacters)),
                };
            }
            values.push(value.as_int());
        }
        Ok(values)
    }
}
