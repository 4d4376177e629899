//! A small world: a table of classes, and the dictionary N.

use std::collections::BTreeMap;
use std::rc::Rc;

use petrel_clp::{Comparison, Kind};
use petrel_solver::{Constraint, Expr, Store};

use crate::truth::both;
use crate::world::{ClassId, ClassSet, FieldId, Known, Sort, World};

/// A class or type of arrays.
struct Class {
    /// The class above it.
    above: Option<ClassId>,
    /// What its arrays hold, if it is one of arrays.
    component: Option<Component>,
}

/// What arrays hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Component {
    Ints,
    References(ClassId),
}

pub(super) const OBJECT: ClassId = ClassId(1);
pub(super) const A: ClassId = ClassId(2);
/// Below [`A`].
pub(super) const B: ClassId = ClassId(3);
/// Below [`A`].
pub(super) const C: ClassId = ClassId(4);
/// Apart from [`A`].
pub(super) const D: ClassId = ClassId(5);
pub(super) const INTS: ClassId = ClassId(6);
pub(super) const OBJECTS: ClassId = ClassId(7);
pub(super) const AS: ClassId = ClassId(8);
pub(super) const BS: ClassId = ClassId(9);
/// An enum: its objects are [`CONSTANTS`].
pub(super) const E: ClassId = ClassId(10);

/// All classes that objects can be made of.
pub(super) const CLASSES: [ClassId; 9] = [OBJECT, A, B, C, D, INTS, OBJECTS, AS, BS];

/// The constants of [`E`], which are in N from the beginning.
pub(super) const CONSTANTS: [Known; 2] = [Known(1), Known(2)];

/// The number of elements of arrays of numbers for the heap solver, and that of references.
pub(super) const INT_ELEMENTS: u32 = 0;
pub(super) const REFERENCE_ELEMENTS: u32 = 1;

fn class(id: ClassId) -> Class {
    let below = |above| Class { above: Some(above), component: None };
    let array = |component| Class { above: Some(OBJECT), component: Some(component) };
    match id {
        OBJECT => Class { above: None, component: None },
        A | D | E => below(OBJECT),
        B | C => below(A),
        INTS => array(Component::Ints),
        OBJECTS => array(Component::References(OBJECT)),
        AS => array(Component::References(A)),
        BS => array(Component::References(B)),
        other => panic!("there is no {other:?}"),
    }
}

/// Whether objects of a class are instances of another.
pub(super) fn is_subtype(id: ClassId, of: ClassId) -> bool {
    if id == of {
        return true;
    }
    let component = |id| class(id).component;
    if let (Some(Component::References(inner)), Some(Component::References(of))) =
        (component(id), component(of))
    {
        return is_subtype(inner, of);
    }
    class(id).above.is_some_and(|above| is_subtype(above, of))
}

/// What the elements of an array are; `None` if it is none.
pub(super) fn element_sort(of: ClassId) -> Option<Sort> {
    class(of).component.map(|component| match component {
        Component::Ints => SMALL,
        Component::References(class) => Sort::Reference(class),
    })
}

/// The number of the elements of an array for the heap solver.
pub(super) fn group(of: ClassId) -> u32 {
    if of == INTS { INT_ELEMENTS } else { REFERENCE_ELEMENTS }
}

/// A field of a class.
pub(super) struct Field {
    pub(super) of: ClassId,
    name: &'static str,
    pub(super) sort: Sort,
}

pub(super) const SMALL: Sort = Sort::Number { kind: Kind::Int, low: -3, high: 3 };
const LONG: Sort = Sort::Number { kind: Kind::Long, low: -1 << 40, high: (1 << 40) + 7 };

/// All fields, by number.
pub(super) const FIELDS: [Field; 11] = [
    Field { of: A, name: "i", sort: SMALL },
    Field { of: A, name: "next", sort: Sort::Reference(A) },
    Field { of: A, name: "any", sort: Sort::Reference(OBJECT) },
    Field { of: A, name: "ints", sort: Sort::Reference(INTS) },
    Field { of: A, name: "all", sort: Sort::Reference(AS) },
    Field { of: B, name: "j", sort: SMALL },
    Field { of: B, name: "link", sort: Sort::Reference(B) },
    Field { of: D, name: "i", sort: SMALL },
    Field { of: D, name: "a", sort: Sort::Reference(A) },
    Field { of: D, name: "e", sort: Sort::Reference(E) },
    Field { of: A, name: "l", sort: LONG },
];

pub(super) const A_I: FieldId = FieldId(0);
pub(super) const A_NEXT: FieldId = FieldId(1);
pub(super) const A_ANY: FieldId = FieldId(2);
pub(super) const B_J: FieldId = FieldId(5);
pub(super) const B_LINK: FieldId = FieldId(6);
pub(super) const D_I: FieldId = FieldId(7);
pub(super) const D_E: FieldId = FieldId(9);

pub(super) fn field(id: FieldId) -> &'static Field {
    &FIELDS[id.0 as usize]
}

/// The fields that objects of a class have.
pub(super) fn fields_of(class: ClassId) -> impl Iterator<Item = FieldId> {
    (0..FIELDS.len() as u32).map(FieldId).filter(move |&id| is_subtype(class, field(id).of))
}

/// What an object of N holds.
#[derive(Debug, Clone, PartialEq)]
enum Body {
    Fields(BTreeMap<FieldId, Expr>),
    Elements(Vec<Expr>),
    /// The length: the elements are known to the heap solver.
    Logged(Expr),
    /// The length, and that of the arrays of numbers in it.
    Grid(Expr, Expr),
}

#[derive(Debug, Clone, PartialEq)]
struct Object {
    class: ClassId,
    body: Body,
}

/// The dictionary N. A copy of it is a state to go back to.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Dictionary {
    objects: Vec<Object>,
}

impl Dictionary {
    /// Nothing but the constants of the enum.
    pub(super) fn new() -> Dictionary {
        let mut dictionary = Dictionary { objects: Vec::new() };
        for constant in CONSTANTS {
            assert_eq!(dictionary.add(E, Body::Fields(BTreeMap::new())), constant.reference());
        }
        dictionary
    }

    fn add(&mut self, class: ClassId, body: Body) -> Expr {
        self.objects.push(Object { class, body });
        Known(self.objects.len() as u32).reference()
    }

    /// A new object with fields that are 0 or null.
    pub(super) fn new_object(&mut self, class: ClassId) -> Expr {
        let fields = fields_of(class).map(|field| (field, Expr::Constant(0))).collect();
        self.add(class, Body::Fields(fields))
    }

    /// A new array with elements that are 0 or null.
    pub(super) fn new_array(&mut self, class: ClassId, length: Expr) -> Expr {
        let body = match length {
            Expr::Constant(length) => Body::Elements(vec![Expr::Constant(0); length as usize]),
            length => Body::Logged(length),
        };
        self.add(class, body)
    }

    /// A new array of unknown length with new arrays of numbers in it.
    pub(super) fn new_grid(&mut self, length: Expr, length_of_rows: Expr) -> Expr {
        self.add(OBJECTS, Body::Grid(length, length_of_rows))
    }

    fn object(&self, known: Known) -> &Object {
        &self.objects[known.0 as usize - 1]
    }

    fn body(&mut self, known: Known) -> &mut Body {
        &mut self.objects[known.0 as usize - 1].body
    }
}

impl World for Dictionary {
    fn field(&mut self, object: Known, field: FieldId) -> Expr {
        match self.body(object) {
            Body::Fields(fields) => fields.get(&field).copied().unwrap_or(Expr::Constant(0)),
            _ => Expr::Constant(0),
        }
    }

    fn set_field(&mut self, object: Known, field: FieldId, value: Expr) {
        if let Body::Fields(fields) = self.body(object)
            && let Some(content) = fields.get_mut(&field)
        {
            *content = value;
        }
    }

    fn length(&mut self, array: Known) -> Expr {
        match self.body(array) {
            Body::Fields(_) => Expr::Constant(0),
            Body::Elements(elements) => Expr::Constant(elements.len() as i64),
            Body::Logged(length) | Body::Grid(length, _) => *length,
        }
    }

    fn element(&mut self, store: &mut Store, array: Known, index: Expr) -> Expr {
        let sort = element_sort(self.object(array).class);
        match (self.body(array), sort) {
            (Body::Elements(elements), Some(sort)) => {
                store.select(sort.kind(), elements.as_slice().into(), index)
            }
            _ => Expr::Constant(0),
        }
    }

    fn set_element(
        &mut self,
        store: &mut Store,
        array: Known,
        index: Expr,
        condition: Expr,
        value: Expr,
    ) {
        let sort = element_sort(self.object(array).class);
        let (Body::Elements(elements), Some(sort)) = (self.body(array), sort) else { return };
        for (at, element) in elements.iter_mut().enumerate() {
            let here = Constraint::int(index, Comparison::Equal, Expr::Constant(at as i64));
            let is_here = store.test(&here);
            let applies = both(store, condition, is_here);
            *element = store.choose(sort.kind(), applies, value, *element);
        }
    }

    fn is_logged(&self, array: Known) -> bool {
        matches!(self.object(array).body, Body::Logged(_) | Body::Grid(..))
    }

    fn new_row(&mut self, array: Known) -> Option<Known> {
        let Body::Grid(_, length) = self.object(array).body else { return None };
        self.new_array(INTS, length);
        Some(Known(self.objects.len() as u32))
    }

    fn class(&self, object: Known) -> ClassId {
        self.object(object).class
    }

    fn candidates(&mut self, static_type: ClassId) -> ClassSet {
        let below = CLASSES.into_iter().filter(|&class| is_subtype(class, static_type));
        ClassSet::all(below.collect::<Vec<ClassId>>())
    }

    fn component(&mut self, of: ClassId) -> Option<ClassId> {
        match class(of).component? {
            Component::Ints => None,
            Component::References(component) => Some(component),
        }
    }

    fn is_subtype(&mut self, class: ClassId, of: ClassId) -> bool {
        is_subtype(class, of)
    }

    fn objects(&mut self, static_type: ClassId, _: &petrel_expression::Expression) -> Vec<Known> {
        if static_type == E { CONSTANTS.to_vec() } else { Vec::new() }
    }

    fn field_name(&self, id: FieldId) -> Rc<str> {
        field(id).name.into()
    }
}
