//! Classes of unknown objects: numbers that terms select by, so that checks and calls are terms too.

use std::rc::Rc;

use petrel_clp::Kind;
use petrel_solver::{Conflict, Expr, Node, Store, Unknown};

use crate::leaves::Leaf;
use crate::solver::{Context, HeapSolver, Undo};
use crate::truth::{FALSE, TRUE};
use crate::world::ClassId;

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

    /// The class of an input, if it is not null: that of an earlier one, if it is the same object.
    pub(crate) fn class_of_input(
        &mut self,
        context: &mut Context<'_>,
        input: usize,
    ) -> Result<Expr, Conflict> {
        if let Some(class) = self.inputs[input].class {
            return Ok(class);
        }
        let Input { reference, name, classes } = self.parts(input);
        let mut class = match *classes {
            [one] => number(one),
            _ => {
                let high = classes.len() as i64 - 1;
                let name = format!("class of {name}").into();
                let unknown = Unknown { name, kind: Kind::Int, low: 0, high, own: 0 };
                let which = context.store.unknown(unknown);
                let table = classes.iter().copied().map(number).collect();
                context.store.select(Kind::Int, table, which)
            }
        };
        if class.constant().is_none() {
            for other in (0..input).rev() {
                let same = self.same_object(context.store, reference, self.inputs[other].reference);
                match same {
                    FALSE => {}
                    TRUE => class = self.class_of_input(context, other)?,
                    same => {
                        let of_other = self.class_of_input(context, other)?;
                        class = context.store.choose(Kind::Int, same, of_other, class);
                    }
                }
            }
        }
        self.inputs[input].class = Some(class);
        self.trail.push(Undo::Class(input));
        Ok(class)
    }

    fn parts(&self, input: usize) -> Input {
        let known = &self.inputs[input];
        let (name, classes) = (Rc::clone(&known.name), Rc::clone(&known.classes));
        Input { reference: known.reference, name, classes }
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
                    match store.fixed(Expr::Term(condition)) {
                        FALSE => open.push(otherwise),
                        Expr::Constant(_) => open.push(then),
                        Expr::Term(_) => open.extend([then, otherwise]),
                    }
                }
                Node::Select(_, table, index) => {
                    let (low, high) = store.interval(Expr::Term(index));
                    let elements = store.terms().table(table);
                    let low = low.clamp(0, elements.len() as i64) as usize;
                    let past = (high + 1).clamp(low as i64, elements.len() as i64) as usize;
                    open.extend_from_slice(&elements[low..past]);
                }
                Node::Apply(operation, inner, Expr::Constant(constant)) => {
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

/// What is taken from an input.
struct Input {
    reference: Expr,
    name: Rc<str>,
    classes: Rc<[ClassId]>,
}

fn number(class: ClassId) -> Expr {
    Expr::Constant(class.0.into())
}
