//! Classes of unknown objects: numbers that terms select by, so that checks and calls are terms too.

use std::rc::Rc;

use petrel_clp::{Comparison, Kind};
use petrel_expression::{Engine, Expression};
use petrel_solver::{Conflict, Constraint, Expr, Node, Store, Unknown};
use smallvec::SmallVec;

use crate::inputs::Input;
use crate::leaves::{Leaf, possible_sides};
use crate::log::{Cell, Location, NO_INDEX};
use crate::solver::{Context, HeapSolver, Undo};
use crate::truth::{FALSE, TRUE, both, either, not, truth};
use crate::world::ClassId;

/// Whether something holds for the class of elements.
type OfComponent<'a> =
    dyn FnMut(&mut HeapSolver, &mut Context<'_>, ClassId) -> Result<Expr, Conflict> + 'a;

impl HeapSolver {
    /// The class of an object that is not null, as the number of a class.
    pub fn class(&mut self, context: &mut Context<'_>, object: Expr) -> Result<Expr, Conflict> {
        let class =
            self.for_leaves(context, object, Kind::Int, &mut |solver, context, leaf| match leaf {
                Leaf::Known(known) => Ok(number(context.world.class(known))),
                Leaf::Input(input) => match solver.input_at(context.store, input) {
                    Some(input) => solver.class_of_input(context, input),
                    None => Ok(FALSE),
                },
            })?;
        Ok(class.unwrap_or(FALSE))
    }

    /// The class of an input, if it is not null.
    pub(crate) fn class_of_input(
        &mut self,
        context: &mut Context<'_>,
        input: usize,
    ) -> Result<Expr, Conflict> {
        if let Some(class) = self.inputs[input].class {
            return Ok(class);
        }
        let Input { reference, name, classes, .. } = &self.inputs[input];
        let reference = *reference;
        let class = match **classes {
            [one] => number(one),
            _ => {
                let high = classes.len() as i64 - 1;
                let name = Expression::engine(Engine::ClassOf(name.clone()));
                let unknown = Unknown { name, kind: Kind::Int, low: 0, high, own: 0 };
                let which = context.store.unknown(unknown);
                let table = classes.iter().copied().map(number).collect();
                context.store.select(Kind::Int, table, which)
            }
        };
        self.inputs[input].class = Some(class);
        self.trail.push(Undo::Class(input));
        let cell = Cell { reference, index: NO_INDEX, value: class, own: class };
        self.log_mut(Location::Class).initial.push(cell);
        self.trail.push(Undo::Initial(Location::Class));
        Ok(class)
    }

    /// Whether an object that is not null has a class or one below it, as a truth value.
    pub fn is_instance(
        &mut self,
        context: &mut Context<'_>,
        object: Expr,
        of: ClassId,
    ) -> Result<Expr, Conflict> {
        let class = self.class(context, object)?;
        let Context { store, world } = context;
        Ok(self.map_classes(store, class, &mut |class| world.is_subtype(class, of).into()))
    }

    /// Whether a reference can be put into an array, neither being null, as a truth value.
    pub fn is_storable(
        &mut self,
        context: &mut Context<'_>,
        array: Expr,
        value: Expr,
    ) -> Result<Expr, Conflict> {
        self.for_component(context, array, &mut |solver, context, component| {
            solver.is_instance(context, value, component)
        })
    }

    /// Whether all elements that an array may have can be put into another array of references, neither
    /// being null, as a truth value.
    pub fn is_copyable(
        &mut self,
        context: &mut Context<'_>,
        from: Expr,
        to: Expr,
    ) -> Result<Expr, Conflict> {
        let class = self.class(context, from)?;
        self.for_component(context, to, &mut |solver, context, component| {
            let Context { store, world } = context;
            Ok(solver.map_classes(store, class, &mut |class| {
                let own = world.component(class);
                own.is_some_and(|own| world.is_subtype(own, component)).into()
            }))
        })
    }

    /// Whether something holds for the class of the elements that an array takes, as a truth value; it
    /// does not if the array takes no references.
    fn for_component(
        &mut self,
        context: &mut Context<'_>,
        array: Expr,
        holds: &mut OfComponent<'_>,
    ) -> Result<Expr, Conflict> {
        let class = self.class(context, array)?;
        // The classes that the array may have, each once, and which of them it is.
        let mut classes: SmallVec<[ClassId; 4]> = SmallVec::new();
        let which = self.map_classes(context.store, class, &mut |class| {
            let known = classes.iter().position(|&known| known == class);
            known.unwrap_or_else(|| {
                classes.push(class);
                classes.len() - 1
            }) as i64
        });
        let mut fits = TRUE;
        for (number, class) in classes.into_iter().enumerate() {
            let of_class = match context.world.component(class) {
                Some(component) => holds(self, context, component)?,
                None => FALSE,
            };
            let is_it = Constraint::int(which, Comparison::Equal, Expr::Constant(number as i64));
            let is_it = context.store.test(&is_it);
            let is_other = not(context.store, is_it);
            let holds = either(context.store, is_other, of_class);
            fits = both(context.store, fits, holds);
        }
        Ok(fits)
    }

    /// An element of the initial heap is one that its array can hold.
    pub(crate) fn assume_storable(
        &mut self,
        context: &mut Context<'_>,
        array: Expr,
        element: Expr,
    ) -> Result<(), Conflict> {
        let is_exact = self
            .input_at(context.store, array)
            .is_some_and(|at| self.inputs[at].classes.len() == 1);
        if is_exact {
            // The static type says as much.
            return Ok(());
        }
        let fits = self.is_storable(context, array, element)?;
        let is_null = self.ref_eq(context.store, element, FALSE);
        let holds = either(context.store, is_null, fits);
        self.assume(context.store, truth(holds))
    }

    /// A number for each class that a class term may be, put together as the term is.
    pub fn map_classes(
        &self,
        store: &mut Store,
        class: Expr,
        of_class: &mut dyn FnMut(ClassId) -> i64,
    ) -> Expr {
        let term = match store.fixed(class) {
            Expr::Constant(class) => return Expr::Constant(of_class(ClassId(class as u32))),
            Expr::Term(term) => term,
        };
        match store.terms().node(term) {
            Node::Choose(_, condition, then, otherwise) => {
                let then = self.map_classes(store, then, of_class);
                let otherwise = self.map_classes(store, otherwise, of_class);
                store.choose(Kind::Int, Expr::Term(condition), then, otherwise)
            }
            Node::Select(_, table, index) => {
                let classes = store.terms().table(table).to_vec();
                let mapped: Rc<[Expr]> = classes
                    .into_iter()
                    .map(|class| self.map_classes(store, class, of_class))
                    .collect();
                match *mapped {
                    [first, ref others @ ..] if others.iter().all(|&other| other == first) => first,
                    _ => store.select(Kind::Int, mapped, Expr::Term(index)),
                }
            }
            // Nothing else makes classes.
            _ => class,
        }
    }

    /// The numbers that a term made of constants may be, as far as is known: the domain that the paper
    /// gives a value with an attribute. `None` if it is not made of constants, or of too many.
    pub fn domain(&self, store: &Store, value: Expr) -> Option<Vec<i64>> {
        let mut domain = Vec::new();
        let mut open = vec![value];
        let mut left = 1000;
        while let Some(expr) = open.pop() {
            left -= 1;
            if left == 0 {
                return None;
            }
            let term = match store.fixed(expr) {
                Expr::Constant(number) => {
                    domain.push(number);
                    continue;
                }
                Expr::Term(term) => term,
            };
            match store.terms().node(term) {
                Node::Choose(_, condition, then, otherwise) => {
                    open.extend(possible_sides(store, condition, then, otherwise));
                }
                Node::Select(_, table, index) => {
                    let (low, high) = store.interval(Expr::Term(index));
                    let elements = store.terms().table(table);
                    let end = elements.len() as i64;
                    if low < 0 || high >= end {
                        // What is outside of a table.
                        domain.push(0);
                    }
                    let low = low.clamp(0, end) as usize;
                    let past = (high + 1).clamp(low as i64, end) as usize;
                    open.extend_from_slice(&elements[low..past]);
                }
                Node::Apply(operation, inner, Expr::Constant(constant))
                    if store.terms().is_exact(term) =>
                {
                    for number in self.domain(store, inner)? {
                        domain.push(petrel_solver::apply(operation, number, constant));
                    }
                }
                _ => return None,
            }
        }
        domain.sort_unstable();
        domain.dedup();
        Some(domain)
    }
}

fn number(class: ClassId) -> Expr {
    Expr::Constant(class.0.into())
}
