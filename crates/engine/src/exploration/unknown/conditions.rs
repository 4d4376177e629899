//! The constraints of a path as conditions on its inputs.

use petrel_clp::{Comparison, Kind};
use petrel_expression::{Expression, Node as Told, Seen};
use petrel_solver::{Constraint, Expr, Node, TableId, TermId, holds};
use petrel_value::Shared;

use crate::exploration::made::Aside;
use crate::machine::{Machine, Reference, TypeId};

/// Whose code made a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MadeBy {
    /// The program's own.
    Program,
    /// The class library's.
    Library,
    /// Code that builds inputs.
    Building,
}

/// Something that a path demands of its inputs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Condition {
    /// What holds.
    pub test: Expression,
    /// Whose code demands it.
    pub made_by: MadeBy,
}

impl Condition {
    /// Whether it is not only equal, but shared.
    pub fn is_same(&self, other: &Condition) -> bool {
        self.made_by == other.made_by && self.test.is_shared_with(&other.test)
    }
}

impl Machine<'_> {
    /// What the path demands of its inputs, in the order of execution: those constraints that say which inputs take
    /// it, not what inputs there are.
    pub fn conditions(&mut self) -> Vec<Condition> {
        let constraints = self.solver.store.constraints().to_vec();
        let mut all: Vec<Condition> = Vec::with_capacity(constraints.len());
        // What the last path demanded, and where this one is no more like it.
        let mut before = std::mem::take(&mut self.exploration.unknown.demanded);
        let mut n_same = 0;
        let mut is_same = true;
        let mut seen = Seen::default();
        for (number, constraint) in constraints.iter().enumerate() {
            let aside = self.exploration.unknown.made.aside(number);
            if self.exploration.unknown.solver.is_own_constraint(number)
                || self.is_of_its_own(constraint)
                || aside == Some(Aside::Machine)
            {
                continue;
            }
            let test = match self.made_condition(constraint) {
                Some(test) => test,
                None => Some(
                    self.choice_condition(constraint)
                        .unwrap_or_else(|| self.solver.store.condition(number)),
                ),
            };
            let made_by = match aside {
                None => MadeBy::Program,
                Some(Aside::Library | Aside::Machine) => MadeBy::Library,
                Some(Aside::Building) => MadeBy::Building,
            };
            let Some(test) = test else { continue };
            let condition = Condition { test, made_by };
            is_same =
                is_same && before.get(n_same).is_some_and(|(known, _)| condition.is_same(known));
            if !is_same {
                before.truncate(n_same);
                // That something is not null may be said more than once.
                before.push((condition.clone(), seen.is_new(&condition, all.iter())));
            }
            all.extend(Some(condition).filter(|_| before[n_same].1));
            n_same += 1;
        }
        self.exploration.unknown.demanded = before;
        all
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

    /// A constraint that a reference is an object which is made for it says that it is not null; one that was made for
    /// another reference has the name of that, and one that the program has already its own. The inner answer is nothing for a receiver, which never is null. `None` for
    /// other constraints.
    fn made_condition(&mut self, constraint: &Constraint) -> Option<Option<Expression>> {
        let Constraint::Compare {
            comparison: comparison @ (Comparison::Equal | Comparison::NotEqual),
            left: Expr::Term(left),
            right: Expr::Constant(number @ ..0),
            ..
        } = *constraint
        else {
            return None;
        };
        if self.solver.store.terms().kind(left) != Kind::Reference {
            return None;
        }
        let object = Reference(u32::try_from(number.checked_neg()?).ok()?);
        let made_for = self.exploration.unknown.made.name_of(object).cloned();
        let made_for = made_for.or_else(|| self.as_shared(object).map(shared_name));
        let made_for = made_for.or_else(|| self.class_literal(object))?;
        let condition = self.condition(constraint);
        let Told::Compare(_, subject, _) = condition.node() else { return None };
        if *subject != made_for {
            let compared = Told::Compare(comparison, subject.clone(), made_for);
            return Some(Some(Expression::new(compared)));
        }
        if comparison == Comparison::NotEqual {
            return None;
        }
        let is_receiver = matches!(subject.node(), Told::Name(name) if **name == *"this");
        Some((!is_receiver).then(|| {
            let null = Expression::new(Told::Null);
            Expression::new(Told::Compare(Comparison::NotEqual, subject.clone(), null))
        }))
    }

    /// A constraint on which class an object has, or which constant of an enum a reference is.
    fn choice_condition(&mut self, constraint: &Constraint) -> Option<Expression> {
        let mut operands = constraint.operands().filter_map(Expr::term);
        let (term, others) = (operands.next()?, operands.next());
        let Node::Select(kind, table, index) = self.solver.store.terms().node(term) else {
            return None;
        };
        if others.is_some() {
            return None;
        }
        let tests: Vec<Expression> = if kind == Kind::Reference {
            let subject = self.unknown_name(index)?;
            let is = |constant| Told::Compare(Comparison::Equal, subject.clone(), constant);
            let constants = self.constant_names(table)?;
            constants.into_iter().map(|constant| Expression::new(is(constant))).collect()
        } else {
            let (subject, classes) = self.class_names(index)?;
            let is_a = |class: String| Told::IsA(subject.clone(), class.into());
            classes.into_iter().map(|class| Expression::new(is_a(class))).collect()
        };
        let table = self.solver.store.terms().table(table).to_vec();
        let is_allowed = |element: Expr| {
            holds(constraint, |expr| {
                if expr == Expr::Term(term) { element } else { expr }.constant().unwrap_or(0)
            })
        };
        let (low, high) = self.solver.store.interval(Expr::Term(index));
        let whole = (low.max(0) as usize)..(high as usize + 1).min(table.len());
        let allowed = whole.filter(|&at| is_allowed(table[at]));
        let mut sides: Vec<Expression> = allowed.filter_map(|at| tests.get(at).cloned()).collect();
        Some(match sides.len() {
            1 => sides.remove(0),
            _ => Expression::new(Told::Any(sides.into())),
        })
    }

    fn unknown_name(&self, term: TermId) -> Option<Expression> {
        let terms = self.solver.store.terms();
        match terms.node(term) {
            Node::Unknown(unknown) => Some(terms.unknowns()[unknown.index()].name.clone()),
            _ => None,
        }
    }

    /// The constants in a table, by their names.
    fn constant_names(&mut self, table: TableId) -> Option<Vec<Expression>> {
        let elements = self.solver.store.terms().table(table).to_vec();
        elements
            .into_iter()
            .map(|element| match element.constant()? {
                0 => Some(Expression::new(Told::Null)),
                number => {
                    let constant = Reference(u32::try_from(number.checked_neg()?).ok()?);
                    if let Some(literal) = self.class_literal(constant) {
                        return Some(literal);
                    }
                    match crate::machine::enum_constant(self, constant)? {
                        petrel_value::Object::EnumConstant { name, .. } => {
                            Some(Expression::name(&name))
                        }
                        _ => None,
                    }
                }
            })
            .collect()
    }

    /// A `Class` object by its name.
    fn class_literal(&self, object: Reference) -> Option<Expression> {
        let name = self.types.java_name(self.mirrored(object)?);
        let simple = name.rsplit(['.', '$']).next()?;
        Some(Expression::new(Told::Class(simple.into())))
    }

    /// The object whose class an unknown chooses, and the names of the classes.
    fn class_names(&self, which: TermId) -> Option<(Expression, Vec<String>)> {
        let terms = self.solver.store.terms();
        let chooses = |class: Expr| {
            let node = class.term().map(|term| terms.node(term));
            matches!(node, Some(Node::Select(_, _, index)) if index == which)
        };
        let mut inputs = self.exploration.unknown.solver.inputs().iter();
        let input = inputs.find(|input| input.class.is_some_and(chooses))?;
        let name = |class: &petrel_heap::ClassId| self.types.java_name(TypeId(class.0));
        Some((input.name.clone(), input.classes.iter().map(name).collect()))
    }
}

/// `"text"`, `Registry.FIRST`, `Registry.ALL[2]`.
fn shared_name(shared: &Shared) -> Expression {
    match shared {
        Shared::Constant(text) => Expression::new(Told::Text(text.0.clone())),
        Shared::Static { class, field, element } => {
            let class = class.rsplit(['/', '$']).next().unwrap_or_default();
            let held = Expression::name(class).member(field);
            match element {
                Some(element) => held.element(Expression::int((*element).into())),
                None => held,
            }
        }
    }
}
