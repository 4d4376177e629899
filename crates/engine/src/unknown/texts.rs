//! Constraints of a path as text.

use petrel_clp::{Comparison, Kind};
use petrel_solver::{Constraint, Expr, Node, TableId, TermId, holds};

use crate::machine::Machine;
use crate::made::Aside;
use crate::types::TypeId;
use crate::value::Reference;

impl Machine<'_> {
    /// The constraints of the path in Java's notation: those that say which inputs take it, not what
    /// inputs there are.
    pub fn constraint_texts(&mut self) -> Vec<String> {
        self.texts_of_constraints(|_, _| true)
    }

    /// The constraints of the path that the program's own code makes: not those of code that builds inputs, and
    /// of the class library only if there are no others.
    pub fn condition_texts(&mut self) -> Vec<String> {
        let own = self
            .texts_of_constraints(|machine, number| machine.unknown.made.aside(number).is_none());
        if !own.is_empty() {
            return own;
        }
        let is_wanted =
            |machine: &Self, number| machine.unknown.made.aside(number) != Some(Aside::Building);
        self.texts_of_constraints(is_wanted)
    }

    fn texts_of_constraints(&mut self, is_wanted: impl Fn(&Self, usize) -> bool) -> Vec<String> {
        let constraints = self.solver.store.constraints().to_vec();
        let mut texts = Vec::new();
        for (number, constraint) in constraints.iter().enumerate() {
            let is_own = self.unknown.solver.is_own_constraint(number);
            if is_own || self.is_of_its_own(constraint) || !is_wanted(self, number) {
                continue;
            }
            let text = match self.made_text(constraint) {
                Some(text) => text,
                None => {
                    let text = self.choice_text(constraint);
                    Some(text.unwrap_or_else(|| self.constraint_text(constraint)))
                }
            };
            // That something is not null may be said more than once.
            texts.extend(text.filter(|text| !texts.contains(text)));
        }
        texts
    }

    /// Whether a constraint says that a reference is an object of its own: lazy initialisation decided
    /// that it is none of the others.
    fn is_of_its_own(&self, constraint: &Constraint) -> bool {
        let Constraint::Compare {
            comparison: Comparison::Equal,
            left: Expr::Term(left),
            right: Expr::Constant(number),
            ..
        } = *constraint
        else {
            return false;
        };
        let terms = self.solver.store.terms();
        match terms.node(left) {
            Node::Unknown(unknown) => {
                let unknown = &terms.unknowns()[unknown.index()];
                unknown.kind == Kind::Reference && unknown.own == number
            }
            _ => false,
        }
    }

    /// The text of a constraint that a reference is an object which is made for it: that it is not null. The inner
    /// answer is nothing for a receiver, which never is. `None` for other constraints.
    fn made_text(&mut self, constraint: &Constraint) -> Option<Option<String>> {
        let Constraint::Compare {
            comparison: Comparison::Equal,
            right: Expr::Constant(number @ ..0),
            ..
        } = *constraint
        else {
            return None;
        };
        self.unknown.made.number(Reference(u32::try_from(number.checked_neg()?).ok()?))?;
        let text = self.constraint_text(constraint);
        let (subject, _) = text.rsplit_once(" == ")?;
        Some((subject != "this").then(|| format!("{subject} != null")))
    }

    /// A constraint on which class an object has, or which constant of an enum a reference is.
    fn choice_text(&mut self, constraint: &Constraint) -> Option<String> {
        let mut operands = constraint.operands().filter_map(Expr::term);
        let (term, others) = (operands.next()?, operands.next());
        let Node::Select(kind, table, index) = self.solver.store.terms().node(term) else {
            return None;
        };
        if others.is_some() {
            return None;
        }
        let (subject, names) = if kind == Kind::Reference {
            (self.unknown_name(index)?, self.constant_names(table)?)
        } else {
            self.class_names(index)?
        };
        let table = self.solver.store.terms().table(table).to_vec();
        let is_allowed = |element: Expr| {
            holds(constraint, |expr| {
                if expr == Expr::Term(term) { element } else { expr }.constant().unwrap_or(0)
            })
        };
        let (low, high) = self.solver.store.interval(Expr::Term(index));
        let whole = (low.max(0) as usize)..(high as usize + 1).min(table.len());
        let allowed: Vec<&str> = whole
            .filter(|&at| is_allowed(table[at]))
            .filter_map(|at| names.get(at).map(|name| &**name))
            .collect();
        let verb = if kind == Kind::Reference { "==" } else { "is a" };
        let texts: Vec<String> =
            allowed.iter().map(|name| format!("{subject} {verb} {name}")).collect();
        Some(texts.join(" || "))
    }

    fn unknown_name(&self, term: TermId) -> Option<String> {
        let terms = self.solver.store.terms();
        match terms.node(term) {
            Node::Unknown(unknown) => Some(terms.unknowns()[unknown.index()].name.to_string()),
            _ => None,
        }
    }

    /// The names of the constants in a table.
    fn constant_names(&mut self, table: TableId) -> Option<Vec<String>> {
        let elements = self.solver.store.terms().table(table).to_vec();
        elements
            .into_iter()
            .map(|element| match element.constant()? {
                0 => Some("null".to_owned()),
                number => {
                    let constant = Reference(u32::try_from(number.checked_neg()?).ok()?);
                    match crate::exchange::enum_constant(self, constant)? {
                        petrel_value::Object::EnumConstant { name, .. } => Some(name.to_string()),
                        _ => None,
                    }
                }
            })
            .collect()
    }

    /// The object whose class an unknown chooses, and the names of the classes.
    fn class_names(&self, which: TermId) -> Option<(String, Vec<String>)> {
        let terms = self.solver.store.terms();
        let chooses = |class: Expr| {
            let node = class.term().map(|term| terms.node(term));
            matches!(node, Some(Node::Select(_, _, index)) if index == which)
        };
        let mut inputs = self.unknown.solver.inputs().iter();
        let input = inputs.find(|input| input.class.is_some_and(chooses))?;
        let name = |class: &petrel_heap::ClassId| self.types.java_name(TypeId(class.0));
        Some((input.name.to_string(), input.classes.iter().map(name).collect()))
    }
}
