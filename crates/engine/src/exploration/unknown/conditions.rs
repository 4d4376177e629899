//! The constraints of a path as conditions on its inputs.

use petrel_clp::{Comparison, Kind};
use petrel_expression::{Engine, Expression, Node as Told, Seen};
use petrel_solver::{Choice, Choices, Constraint, Expr, Node, Numbered, Options, Ranges, TermId};
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
                None => Some(match self.solver.store.condition(number) {
                    (test, numbered) if numbered.is_empty() => test,
                    (_, numbered) => self.condition_on(&numbered, number, constraint),
                }),
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

    /// A constraint as a condition, where some unknowns choose a class of an object, or which of several objects a reference is, or
    /// objects have names.
    fn condition_on(
        &mut self,
        numbered: &Numbered,
        number: usize,
        constraint: &Constraint,
    ) -> Expression {
        let range = |&unknown: &TermId| self.solver.store.interval(Expr::Term(unknown));
        let ranges: Ranges = numbered.unknowns.iter().map(range).collect();
        if let Some(told) = self.solver.store.told_on_choices(number, &ranges) {
            return told;
        }
        let unknowns = numbered.unknowns.iter();
        let by_unknown =
            unknowns.filter_map(|&unknown| Some((unknown, self.choice(unknown)?))).collect();
        let objects = numbered.objects.iter();
        let objects =
            objects.filter_map(|&number| Some((number, self.object_name(number)?))).collect();
        let choices = Choices { by_unknown, objects };
        let store = &mut self.solver.store;
        let told = petrel_solver::condition_on_choices(store.terms(), constraint, &choices);
        store.keep_told_on_choices(number, ranges, &told);
        told
    }

    fn choice(&mut self, unknown: TermId) -> Option<Choice> {
        let range = self.solver.store.interval(Expr::Term(unknown));
        if let Some((subject, classes)) = self.chosen_class(unknown) {
            let options = classes
                .into_iter()
                .map(|class| self.types.supertype_names(self.program, class))
                .collect();
            return Some(Choice { subject, options: Options::Classes(options), range });
        }
        let name = self.unknown_name(unknown)?;
        let heap = &self.exploration.unknown.solver;
        if let Told::Engine(Engine::Origin(subject)) = name.node() {
            let values = self.object_names(&heap.objects_of_origin(unknown)?)?;
            let subject = subject.clone();
            return Some(Choice { subject, options: Options::OneOf(values), range });
        }
        let objects = heap.chosen_objects(unknown)?;
        let objects = self.solver.store.terms().table(objects).to_vec();
        let values = self.object_names(&objects)?;
        Some(Choice { subject: name, options: Options::Values(values), range })
    }

    fn unknown_name(&self, term: TermId) -> Option<Expression> {
        let terms = self.solver.store.terms();
        match terms.node(term) {
            Node::Unknown(unknown) => Some(terms.unknowns()[unknown.index()].name.clone()),
            _ => None,
        }
    }

    /// Objects that exist already, and `null`, by their names.
    fn object_names(&mut self, objects: &[Expr]) -> Option<Vec<Expression>> {
        objects
            .iter()
            .map(|object| match object.constant()? {
                0 => Some(Expression::new(Told::Null)),
                number => self.object_name(number),
            })
            .collect()
    }

    /// An object that exists already by its name.
    fn object_name(&mut self, number: i64) -> Option<Expression> {
        let object = Reference(u32::try_from(number.checked_neg()?).ok()?);
        let shared = self.as_shared(object).map(shared_name);
        if let Some(name) = shared.or_else(|| self.class_literal(object)) {
            return Some(name);
        }
        match crate::machine::enum_constant(self, object)? {
            petrel_value::Object::EnumConstant { name, .. } => Some(Expression::name(&name)),
            _ => None,
        }
    }

    /// A `Class` object by its name.
    fn class_literal(&self, object: Reference) -> Option<Expression> {
        let name = self.types.java_name(self.mirrored(object)?);
        let simple = name.rsplit(['.', '$']).next()?;
        Some(Expression::new(Told::Class(simple.into())))
    }

    /// The object whose class an unknown chooses, and the classes.
    fn chosen_class(&self, which: TermId) -> Option<(Expression, Vec<TypeId>)> {
        let terms = self.solver.store.terms();
        let chooses = |class: Expr| {
            let node = class.term().map(|term| terms.node(term));
            matches!(node, Some(Node::Select(_, _, index)) if index == which)
        };
        let mut inputs = self.exploration.unknown.solver.inputs().iter();
        let input = inputs.find(|input| input.class.is_some_and(chooses))?;
        let classes = input.classes.iter().map(|class| TypeId(class.0)).collect();
        Some((input.name.clone(), classes))
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
