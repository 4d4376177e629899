//! Unknown references: what the initial heap refers to.

use std::rc::Rc;

use petrel_clp::Kind;
use petrel_expression::{Engine, Expression};
use petrel_solver::{
    Conflict, Constraint, Expr, Membership, Node, Simplified, Store, TableId, TermId, Unknown,
};

use crate::solver::{Context, HeapSolver, OfSome, Undo};
use crate::world::{ClassId, ClassSet, Known, Sort};

/// An unknown reference to the initial heap.
#[derive(Debug, Clone)]
pub struct Input {
    /// The reference: an unknown, or a constant if only one object is possible.
    pub reference: Expr,
    /// Its name: the access path that leads to it.
    pub name: Expression,
    /// The classes that the object may have.
    pub classes: ClassSet,
    /// The class as a term, once it was needed.
    pub class: Option<Expr>,
}

impl Input {
    /// Whether it may have one of some classes.
    pub(crate) fn shares_a_class(&self, classes: &ClassSet) -> bool {
        self.classes.shares_one(classes)
    }
}

/// With lazy initialisation, references that are looked at late may be objects that were named late:
/// numbers are not bounded by the order in which references come up.
const MOST_OBJECTS: i64 = 1 << 24;

impl HeapSolver {
    /// A new unknown of a sort.
    pub fn unknown(
        &mut self,
        context: &mut Context<'_>,
        name: Expression,
        sort: Sort,
        is_nullable: bool,
    ) -> Result<Expr, Conflict> {
        match sort {
            Sort::Number { kind, low, high } => {
                Ok(context.store.unknown(Unknown { name, kind, low, high, own: 0 }))
            }
            Sort::Reference(static_type) => {
                self.unknown_reference(context, name, static_type, is_nullable)
            }
        }
    }

    fn unknown_reference(
        &mut self,
        context: &mut Context<'_>,
        name: Expression,
        static_type: ClassId,
        is_nullable: bool,
    ) -> Result<Expr, Conflict> {
        let objects = context.world.objects(static_type, &name);
        let classes = context.world.candidates(static_type);
        let is_all = classes.is_all();
        if classes.is_empty() {
            return Ok(self.unknown_of_some(context.store, name, &objects, is_nullable, is_all));
        }
        let of_class = self.unknown_of_classes(context, name.clone(), classes, is_nullable)?;
        if objects.is_empty() {
            return Ok(of_class);
        }
        let object = self.unknown_of_some(context.store, name.clone(), &objects, false, is_all);
        let name = Expression::engine(Engine::Origin(name));
        let origin = Unknown { name, kind: Kind::Int, low: 0, high: 1, own: 0 };
        let is_of_n = context.store.unknown(origin);
        if let Some(is_of_n) = is_of_n.term() {
            let objects = objects.iter().map(|object| object.reference()).collect();
            self.origins.push((is_of_n, objects));
            self.trail.push(Undo::Origin);
        }
        Ok(context.store.choose(Kind::Reference, is_of_n, object, of_class))
    }

    /// A new unknown reference to one of some objects of N, which may be all that it can be.
    pub fn unknown_of_some(
        &mut self,
        store: &mut Store,
        name: Expression,
        objects: &[Known],
        is_nullable: bool,
        is_all: bool,
    ) -> Expr {
        let null = std::iter::once(Expr::Constant(0));
        let table: Rc<[Expr]> =
            null.chain(objects.iter().map(|object| object.reference())).collect();
        let (low, high) = (i64::from(!is_nullable), objects.len() as i64);
        let unknown = Unknown { name, kind: Kind::Int, low, high, own: Unknown::CHOOSES };
        let which = store.unknown(unknown);
        let reference = store.select(Kind::Reference, table, which);
        let node = reference.term().map(|term| store.terms().node(term));
        if let Some(Node::Select(_, objects, which)) = node {
            self.of_some.push(OfSome { which, objects, is_all });
            self.trail.push(Undo::OfSome);
        }
        reference
    }

    /// The objects of N, `null` first, one of which an unknown chooses.
    pub fn chosen_objects(&self, unknown: TermId) -> Option<TableId> {
        self.of_some.iter().find(|one| one.which == unknown).map(|one| one.objects)
    }

    /// The objects of N, if an unknown says whether a reference is one of them.
    pub fn objects_of_origin(&self, unknown: TermId) -> Option<Rc<[Expr]>> {
        let found = self.origins.iter().find(|&&(origin, _)| origin == unknown);
        found.map(|(_, objects)| Rc::clone(objects))
    }

    /// A new unknown element of an array of references; `None` if it can be no such array. Then it is not
    /// what the path takes it for: another alias is.
    pub(crate) fn unknown_element(
        &mut self,
        context: &mut Context<'_>,
        name: Expression,
        array: Expr,
        sort: Sort,
    ) -> Result<Option<Expr>, Conflict> {
        let Some(input) = self.input_at(context.store, array) else {
            return self.unknown(context, name, sort, true).map(Some);
        };
        let world = &mut *context.world;
        let arrays = self.inputs[input].classes.iter();
        let components: Vec<ClassId> = arrays.filter_map(|&class| world.component(class)).collect();
        let widest = components
            .iter()
            .find(|&&of| components.iter().all(|&component| world.is_subtype(component, of)));
        if let Some(&widest) = widest {
            return self.unknown(context, name, Sort::Reference(widest), true).map(Some);
        }
        let mut classes = Vec::new();
        let mut is_all = self.inputs[input].classes.is_all();
        for component in components {
            let candidates = world.candidates(component);
            is_all &= candidates.is_all();
            for &class in candidates.iter() {
                if !classes.contains(&class) {
                    classes.push(class);
                }
            }
        }
        if classes.is_empty() {
            return Ok(None);
        }
        let classes = if is_all { ClassSet::all(classes) } else { ClassSet::some(classes) };
        self.unknown_of_classes(context, name, classes, true).map(Some)
    }

    /// A new unknown reference to an object of one of some classes.
    pub fn unknown_of_classes(
        &mut self,
        context: &mut Context<'_>,
        name: Expression,
        classes: ClassSet,
        is_nullable: bool,
    ) -> Result<Expr, Conflict> {
        let low = i64::from(!is_nullable);
        let own = self.inputs.len() as i64 + 1;
        let high = if self.is_lazy { MOST_OBJECTS } else { own };
        let unknown = Unknown { name: name.clone(), kind: Kind::Reference, low, high, own };
        let reference = context.store.unknown(unknown);
        let reference = context.store.fixed(reference);
        let others: Vec<usize> =
            (0..self.inputs.len()).filter(|&other| self.may_have(other, &classes)).collect();
        self.inputs.push(Input { reference, name, classes, class: None });
        self.trail.push(Undo::Input);
        if !self.is_lazy {
            self.exclude(context.store, reference, own, &others)?;
        }
        for other in others {
            self.look_at_classes(context, other)?;
        }
        Ok(context.store.fixed(reference))
    }

    /// If the new input may be the object of another one that can have other classes, their classes
    /// matter.
    fn look_at_classes(&mut self, context: &mut Context<'_>, other: usize) -> Result<(), Conflict> {
        let new = self.inputs.len() - 1;
        if self.inputs[new].classes != self.inputs[other].classes {
            self.class_of_input(context, other)?;
            self.class_of_input(context, new)?;
        }
        Ok(())
    }

    /// Whether an input and another one with these classes may be the same object.
    fn may_have(&self, input: usize, classes: &ClassSet) -> bool {
        self.inputs[input].shares_a_class(classes)
    }

    /// The numbers of earlier inputs that an unknown cannot be.
    fn exclude(
        &mut self,
        store: &mut Store,
        reference: Expr,
        own: i64,
        possible: &[usize],
    ) -> Result<(), Conflict> {
        if reference.constant().is_some() || possible.len() as i64 == own - 1 {
            return Ok(());
        }
        let is_possible = |number: &i64| !possible.contains(&(*number as usize - 1));
        let constants: Rc<[i32]> =
            (1..own).filter(is_possible).map(|number| number as i32).collect();
        let others =
            Constraint::Among(Membership { value: reference, constants, is_member: false });
        self.assume(store, others)
    }

    /// Adds a constraint of the solver's own.
    pub(crate) fn assume(
        &mut self,
        store: &mut Store,
        constraint: Constraint,
    ) -> Result<(), Conflict> {
        match store.simplify(constraint) {
            Simplified::True => Ok(()),
            Simplified::False => Err(Conflict),
            Simplified::Open(open) => {
                let before = store.constraints().len();
                let result = store.assume(open);
                let after = store.constraints().len();
                self.own_constraints.extend(before..after);
                self.trail.push(Undo::Constraints(after - before));
                result
            }
        }
    }

    /// Whether a constraint of the store, by its number, is one of the solver's own: one that says what
    /// heaps there are, not which of them takes the path.
    pub fn is_own_constraint(&self, number: usize) -> bool {
        self.own_constraints.binary_search(&number).is_ok()
    }

    /// The unknown references, in the order in which they came up.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The input whose own number this is.
    pub(crate) fn input_at(&self, store: &Store, reference: Expr) -> Option<usize> {
        let own = match reference {
            Expr::Constant(number) => number,
            Expr::Term(term) => match store.terms().node(term) {
                petrel_solver::Node::Unknown(unknown) => {
                    store.terms().unknowns()[unknown.index()].own
                }
                _ => return None,
            },
        };
        usize::try_from(own - 1).ok().filter(|&input| input < self.inputs.len())
    }

    /// The objects that lazy initialisation tries for a reference: null, a new one, and, with
    /// aliasing, those that others are.
    pub fn choices(&self, store: &Store, reference: Expr, with_aliasing: bool) -> Vec<i64> {
        let (low, high) = store.interval(reference);
        let Some(input) = self.input_at(store, reference) else { return Vec::new() };
        let own = input as i64 + 1;
        let mut choices = vec![0, own];
        if with_aliasing {
            for (other, Input { reference, .. }) in self.inputs.iter().enumerate() {
                let fixed = store.fixed(*reference).constant().filter(|&number| number > 0);
                if let Some(number) = fixed
                    && other != input
                    && !choices.contains(&number)
                    && self.may_have(other, &self.inputs[input].classes)
                {
                    choices.push(number);
                }
            }
        }
        choices.retain(|number| (low..=high).contains(number));
        choices
    }

    /// Whether two references to the initial heap, neither of which is null, may be the same object by
    /// their classes.
    pub(crate) fn share_a_class(&self, store: &Store, left: Expr, right: Expr) -> bool {
        match (self.input_at(store, left), self.input_at(store, right)) {
            (Some(left), Some(right)) => self.may_have(left, &self.inputs[right].classes),
            _ => false,
        }
    }
}
