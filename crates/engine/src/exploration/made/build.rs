//! Building objects by their own code: a constructor or factory, then a call for each element.
//!
//! How many elements there are is an unknown, decided before the first call. Arguments are unknown inputs.
//! An object that its own code refuses to build (a null element, two equal keys) is none: the path ends.

use std::rc::Rc;

use petrel_classfile::JavaType;
use petrel_clp::{Comparison, Kind};
use petrel_expression::Expression;
use petrel_heap::{ClassId, Sort};
use petrel_program::{ParameterName, ResolvedMethod};
use petrel_solver::{Constraint, Expr, Membership, Unknown};

use super::large::MORE_ELEMENTS;
use super::{Arguments, Call, Elements, Made, MadeId, Origin, PartKind, Recipe};
use crate::exploration::choose::{Way, expr_of, value_of};
use crate::exploration::unknown::kind_of;
use crate::machine::{
    Body, Doing, Feature, Halt, LeftOut, Machine, Reference, Step, Stop, TypeId, Value,
};

/// All sizes up to this one are tried if the user asks for larger collections.
const MORE_IF_ASKED: i64 = 16;

impl Machine<'_> {
    /// Builds an object; the instruction under way is executed again then.
    pub(super) fn build(&mut self, number: MadeId, object: Reference, recipe: &Rc<Recipe>) -> Step {
        if let Some(add) = &recipe.add {
            let arguments = self.exploration.unknown.made.get(number).arguments.clone();
            let (most, _) = self.most_elements(recipe, add, &arguments);
            let size = self.size_of_made(number, most);
            if !self.is_size_decided(number, size)? {
                return Ok(());
            }
        }
        if !self.are_arguments_settled(number, recipe)? {
            return Ok(());
        }
        let prepared = self.exploration.unknown.made.parts(number).find_map(|part| match part {
            PartKind::Prepared(_, constraints) => Some(*constraints),
            _ => None,
        });
        let constraints = prepared.unwrap_or_else(|| self.solver.store.constraints().len());
        let callee_base = self.begin_building(constraints);
        self.build_on(number, object, callee_base)
    }

    /// An object is going to be built; the instruction under way is executed again then. Where the registers of
    /// what is called start. Constraints from the given number on are about the object.
    pub(super) fn begin_building(&mut self, constraints: usize) -> usize {
        let callee_base = self.callee_base_here();
        self.go_to(self.address());
        let end = Doing::EndBuilding { before: self.observation, constraints };
        self.push_special(end, callee_base);
        self.observation.is_hidden = true;
        callee_base
    }

    /// Makes the arguments of the first call, if they can be made here, and decides which objects they are: a
    /// model cannot choose in a call that no instruction makes. `false` if the instruction under way is
    /// executed again.
    fn are_arguments_settled(&mut self, number: MadeId, recipe: &Rc<Recipe>) -> Result<bool, Halt> {
        let make = self.method_number(&recipe.make);
        if !self.methods.get(make).has_model() {
            return Ok(true);
        }
        let arguments = match self.prepared_arguments(number) {
            Some(known) => known,
            None => {
                let Some(new) =
                    self.new_arguments(number, &recipe.make, &|place, count, name| {
                        argument_name(&recipe.make, place, count, name)
                    })?
                else {
                    return Ok(true);
                };
                let constraints = self.solver.store.constraints().len();
                self.exploration
                    .unknown
                    .made
                    .note(number, PartKind::Prepared(new.clone(), constraints));
                new
            }
        };
        for argument in arguments.into_iter().filter(|argument| argument.is_symbolic()) {
            let expr = expr_of(argument, Kind::Reference);
            let is_reference = expr
                .term()
                .is_some_and(|term| self.solver.store.terms().kind(term) == Kind::Reference);
            if is_reference && self.settled_made(argument)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn prepared_arguments(&self, number: MadeId) -> Option<Arguments> {
        self.exploration.unknown.made.parts(number).find_map(|part| match part {
            PartKind::Prepared(arguments, _) => Some(arguments.clone()),
            _ => None,
        })
    }

    /// How many elements a collection has that nobody has looked into; `None` if it is none.
    pub(crate) fn size_of_unmade(&mut self, object: Reference) -> Result<Option<Expr>, Halt> {
        if object.is_null() || !matches!(self.heap.object(object).body, Body::Unmade) {
            return Ok(None);
        }
        let Some(number) = self.exploration.unknown.made.number(object) else { return Ok(None) };
        let Made { origin, arguments, .. } = self.exploration.unknown.made.get(number).clone();
        let Origin::Built(recipe) = origin else { return Ok(None) };
        let Some(add) = &recipe.add else { return Ok(None) };
        let (most, has_examples) = self.most_elements(&recipe, add, &arguments);
        if !has_examples {
            return Ok(None);
        }
        self.offer_made(number);
        self.note_left_out(LeftOut::Elements(most));
        Ok(Some(self.size_of_made(number, most)))
    }

    /// How many elements a made object has.
    fn size_of_made(&mut self, number: MadeId, most: u64) -> Expr {
        let known = self.exploration.unknown.made.parts(number).find_map(|part| match part {
            PartKind::Size(size) => Some(*size),
            _ => None,
        });
        if let Some(size) = known {
            return size;
        }
        let name = self.exploration.unknown.made.get(number).name.call("size", Vec::new());
        let high = i64::try_from(most).unwrap_or(i64::MAX);
        let unknown = Unknown { name, kind: Kind::Int, low: 0, high, own: 0 };
        let size = self.solver.store.unknown(unknown);
        self.exploration.unknown.made.note(number, PartKind::Size(size));
        size
    }

    /// How many elements a made object has, if that is decided.
    pub(super) fn number_of_elements(&self, number: MadeId) -> Option<i64> {
        self.exploration.unknown.made.parts(number).find_map(|part| match part {
            PartKind::Size(size) => self.solver.store.fixed(*size).constant(),
            _ => None,
        })
    }

    /// Whether it is decided how many elements a made object has. If not, the instruction under way is executed again with each
    /// number that is tried.
    fn is_size_decided(&mut self, number: MadeId, size: Expr) -> Result<bool, Halt> {
        let (low, high) = self.solver.store.interval(size);
        if low == high {
            return Ok(true);
        }
        let again = self.address();
        let known = self.exploration.unknown.made.parts(number).find_map(|part| match part {
            PartKind::Sizes(sizes) => Some(Rc::clone(sizes)),
            _ => None,
        });
        let Some(sizes) = known else {
            let sizes = self.sizes_tried(low, high);
            self.exploration.unknown.made.note(number, PartKind::Sizes(Rc::clone(&sizes)));
            if sizes.len() as i64 <= high - low {
                let most = sizes.last().copied().unwrap_or(0).into();
                let constants = sizes.iter().map(|&size| size as i32).collect();
                let tried = Membership { value: size, constants, is_member: true };
                let is_tried = Constraint::Among(tried);
                let ways = [is_tried.clone(), is_tried.negated()];
                let ways = ways.map(|holds| Way::literal(holds, again).aside());
                self.choose_first(ways.into_iter().collect(), LeftOut::Elements(most))?;
            } else {
                self.go_to(again);
            }
            return Ok(false);
        };
        let mut next = sizes.iter().copied().map(i64::from).skip_while(|&size| size < low);
        let (Some(this), Some(next)) = (next.next(), next.next()) else {
            return Ok(self.fix(value_of(size, Kind::Int), again)?.is_some());
        };
        let is_this = Constraint::int(size, Comparison::Equal, Expr::Constant(this));
        let is_more = Constraint::int(size, Comparison::GreaterOrEqual, Expr::Constant(next));
        let ways = [Way::literal(is_this, again), Way::literal(is_more, again)];
        self.choose_assuming(ways.into_iter().collect(), true)?;
        Ok(false)
    }

    /// How many elements are tried of those that are possible: a few, and numbers that the code asks for and their neighbours; if
    /// the user asks for a number, more of the small ones, and that.
    fn sizes_tried(&self, low: i64, high: i64) -> Rc<[u32]> {
        let asked_for = &self.exploration.unknown.classes.hints.sizes;
        let asked_for = asked_for.iter().flat_map(|&size| size - 2..=size + 1);
        let asked_for = asked_for.map(i64::from);
        let of_user = self.exploration.unknown.elements.asked_for.map(i64::from);
        let few = of_user.map_or(MORE_ELEMENTS.into(), |most| most.min(MORE_IF_ASKED));
        let few = low..=low.saturating_add(few);
        let mut sizes: Vec<u32> = few
            .chain(asked_for)
            .chain(of_user)
            .filter(|size| (low..=high).contains(size))
            .map(|size| size as u32)
            .collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes.into()
    }

    /// Whether the call that makes an object is under way, or was.
    pub(super) fn is_being_made(&self, number: MadeId) -> bool {
        self.exploration.unknown.made.parts(number).any(|part| matches!(part, PartKind::Call(..)))
    }

    /// Goes on with building an object. When it is built, the frame on top goes on.
    pub(crate) fn build_on(
        &mut self,
        number: MadeId,
        object: Reference,
        callee_base: usize,
    ) -> Step {
        let recipe = match &self.exploration.unknown.made.get(number).origin {
            Origin::Built(recipe) => Rc::clone(recipe),
            _ => return self.return_value(Value::NULL),
        };
        let n_calls = self
            .exploration
            .unknown
            .made
            .parts(number)
            .filter(|part| matches!(part, PartKind::Call(..)))
            .count();
        let size = self.number_of_elements(number);
        if n_calls == 0 {
            return self.make(number, object, &recipe, callee_base);
        }
        if let Some(then) = recipe.then.get(n_calls - 1) {
            let names = |place: usize, count: usize, name: &Expression| {
                argument_name(then, place, count, name)
            };
            let call = (Call::Then(n_calls - 1), then);
            return self.call_on_made(number, object, call, &names, callee_base);
        }
        let n_added = n_calls - 1 - recipe.then.len();
        match (&recipe.add, size) {
            (Some(add), Some(size)) if (n_added as i64) < size => {
                let names = |place: usize, count: usize, name: &Expression| match (count, place) {
                    (1, _) => name.element(Expression::int(n_added as i64)),
                    (_, 0) => name.member(&format!("key{n_added}")),
                    _ => name.member(&format!("value{n_added}")),
                };
                self.call_on_made(number, object, (Call::Add, add), &names, callee_base)
            }
            (Some(_), Some(2..)) if recipe.elements == Elements::Distinct => {
                self.count_elements(number, object, callee_base)
            }
            _ => self.return_value(Value::NULL),
        }
    }

    /// Asks a collection that is built how many elements it has: one that was there already is not added, and what `put` returns
    /// does not always tell.
    fn count_elements(&mut self, number: MadeId, object: Reference, callee_base: usize) -> Step {
        let class = self.heap.class(object);
        let size =
            self.class(class)?.lineage().find_map(|class| class.declared_method("size", "()I"));
        let Some(size) = size else { return self.return_value(Value::NULL) };
        let size = self.method_number(&size);
        let Ok(selected) = self.select(class, size)? else { return self.return_value(Value::NULL) };
        self.push_special(Doing::RequireCount(number), callee_base);
        self.invoke(selected, &[Value::reference(object)], callee_base)
    }

    /// A collection has as many elements as were added.
    pub(crate) fn require_count(&mut self, number: MadeId, counted: Value) -> Step {
        let Some(size) = self.number_of_elements(number) else { return Ok(()) };
        let counted = expr_of(counted, Kind::Int);
        let is_it = Constraint::int(counted, Comparison::Equal, Expr::Constant(size));
        let is_it = self.solver.store.test(&is_it);
        self.require(value_of(is_it, Kind::Int))
    }

    /// Calls a method with unknown arguments on an object that is being built, and goes on with building then.
    fn call_on_made(
        &mut self,
        number: MadeId,
        object: Reference,
        (call, called): (Call, &ResolvedMethod),
        names: &dyn Fn(usize, usize, &Expression) -> Expression,
        callee_base: usize,
    ) -> Step {
        let arguments = self.new_arguments(number, called, names)?;
        let Some(arguments) = arguments else {
            return self.prepare_arguments(number, object, called, callee_base);
        };
        self.exploration.unknown.made.note(number, PartKind::Call(call, arguments.clone()));
        self.push_special(Doing::Build(number, object), callee_base);
        if call == Call::Add {
            self.push_special(Doing::RequireAdded(number), callee_base);
        }
        let method = self.method_number(called);
        let mut all: crate::machine::Arguments = smallvec::smallvec![Value::reference(object)];
        all.extend(arguments);
        let class = self.heap.class(object);
        match self.select(class, method)? {
            Ok(selected) => self.invoke(selected, &all, callee_base),
            Err(error) => self.throw_linkage(&error, callee_base),
        }
    }

    /// Calls the constructor or factory.
    fn make(
        &mut self,
        number: MadeId,
        object: Reference,
        recipe: &Rc<Recipe>,
        callee_base: usize,
    ) -> Step {
        let make = recipe.make.clone();
        let class = self.types.of_name(make.class().name());
        if !self.is_initialised(class)? {
            self.push_special(Doing::Build(number, object), callee_base);
            return self.initialise(class, callee_base);
        }
        let is_instance_method = !make.is_constructor() && !make.is_static();
        let arguments = match self.prepared_arguments(number) {
            Some(prepared) => {
                Some(prepared.into_iter().map(|value| self.resolved_value(value)).collect())
            }
            None if is_instance_method => Some(self.unknown_receiver_of(number, &make)?),
            None => self.new_arguments(number, &make, &|place, count, name| {
                argument_name(&make, place, count, name)
            })?,
        };
        let Some(arguments) = arguments else {
            return self.prepare_arguments(number, object, &make, callee_base);
        };
        self.exploration.unknown.made.note(number, PartKind::Call(Call::Make, arguments.clone()));
        let method = self.method_number(&make);
        self.push_special(Doing::Build(number, object), callee_base);
        if make.is_constructor() {
            let class = self.heap.class(object);
            let slots = usize::from(self.layout(class)?.slots);
            self.heap.replace_body(object, Body::Fields(vec![Value::NULL; slots].into()));
            let mut all: crate::machine::Arguments = smallvec::smallvec![Value::reference(object)];
            all.extend(arguments);
            return self.invoke(method, &all, callee_base);
        }
        self.push_special(Doing::TakeShape(object), callee_base);
        self.invoke(method, &arguments, callee_base)
    }

    /// The list that something is taken from: it is not null.
    fn unknown_receiver_of(
        &mut self,
        number: MadeId,
        make: &ResolvedMethod,
    ) -> Result<Arguments, Halt> {
        let name = self.exploration.unknown.made.get(number).name.clone();
        let arguments = Rc::clone(&self.exploration.unknown.made.get(number).arguments);
        let class = self.types.of_name(make.class().name());
        let sort = Sort::Reference(self.exploration.unknown.static_types.number(class, arguments));
        let made = self.ask_heap(|heap, context| heap.unknown(context, name, sort, false))?;
        Ok(smallvec::smallvec![value_of(self.solver.store.fixed(made), Kind::Reference)])
    }

    /// Unknown arguments of a call that builds; `None` if a class has to be initialised before.
    fn new_arguments(
        &mut self,
        number: MadeId,
        method: &ResolvedMethod,
        names: &dyn Fn(usize, usize, &Expression) -> Expression,
    ) -> Result<Option<Arguments>, Halt> {
        let made = self.exploration.unknown.made.get(number);
        let (name, type_arguments) = (made.name.clone(), Rc::clone(&made.arguments));
        let types = self.parameter_types(method, &type_arguments);
        for &of in &types {
            let erased = self.erased(of);
            if self.unprepared_enum(erased)?.is_some() {
                return Ok(None);
            }
        }
        let count = types.len();
        let has_outer = method.is_constructor() && method.class().is_inner();
        let leaves_null_out = self.leaves_null_out(number);
        let mut arguments = Arguments::new();
        for (place, &of) in types.iter().enumerate() {
            let sort = match self.sort_of(of) {
                Sort::Reference(of) if self.erased(of) == TypeId::OBJECT => {
                    Sort::Reference(self.anything())
                }
                sort => sort,
            };
            let name = names(place, count, &name);
            let is_nullable = !(has_outer && place == 0 || leaves_null_out);
            let made =
                self.ask_heap(|heap, context| heap.unknown(context, name, sort, is_nullable))?;
            arguments.push(value_of(made, sort.kind()));
        }
        Ok(Some(arguments))
    }

    /// The static type of what is put into a collection of which nobody knows what it holds.
    fn anything(&mut self) -> ClassId {
        let object = ClassId(TypeId::OBJECT.0);
        self.exploration.unknown.static_types.number(TypeId::OBJECT, Rc::from([object]))
    }

    /// Initialises an enum that an argument is of, and goes on with building.
    fn prepare_arguments(
        &mut self,
        number: MadeId,
        object: Reference,
        method: &ResolvedMethod,
        callee_base: usize,
    ) -> Step {
        let type_arguments = Rc::clone(&self.exploration.unknown.made.get(number).arguments);
        for of in self.parameter_types(method, &type_arguments) {
            let erased = self.erased(of);
            if let Some(constants) = self.unprepared_enum(erased)? {
                self.push_special(Doing::Build(number, object), callee_base);
                return self.initialise(constants, callee_base);
            }
        }
        self.build_on(number, object, callee_base)
    }

    /// What a static type holds.
    pub(in crate::exploration) fn sort_of(&self, of: ClassId) -> Sort {
        let erased = self.erased(of);
        match self.sort(erased) {
            Sort::Reference(_) => Sort::Reference(of),
            number => number,
        }
    }

    /// An object becomes what a factory has made.
    pub(crate) fn take_shape(&mut self, object: Reference, made: Value) -> Result<(), Halt> {
        let made = self.settled_made(made)?.ok_or(Halt::Infeasible)?;
        if made.is_symbolic() {
            return self.take_shape_of_one(object, made);
        }
        let shape = made.as_reference();
        if shape.is_null() {
            return Err(Halt::Infeasible);
        }
        let copy = self.heap.object(shape).clone();
        // A factory that gives what it gets makes nothing.
        if matches!(copy.body, Body::Unmade) {
            return Err(Halt::Infeasible);
        }
        self.heap.replace_body(object, copy.body);
        self.heap.object_mut(object).class = copy.class;
        Ok(())
    }

    /// An object becomes what a factory gives that keeps several: which of them it is stays a term, and so are its fields.
    fn take_shape_of_one(&mut self, object: Reference, made: Value) -> Result<(), Halt> {
        let expr = expr_of(made, Kind::Reference);
        let leaves = self.exploration.unknown.solver.known_leaves(&self.solver.store, expr);
        let Some(first) = leaves.first().map(|leaf| Reference(leaf.0)) else {
            return Err(Stop::unsupported(Feature::Choice).into());
        };
        let class = self.heap.class(first);
        let fields_of = |machine: &Self, object: Reference| match &machine.heap.object(object).body
        {
            Body::Fields(fields) if machine.heap.class(object) == class => Some(fields.clone()),
            _ => None,
        };
        let is_known = self.solver.store.interval(expr).1 <= 0;
        let (Some(mut fields), true) = (fields_of(self, first), is_known) else {
            return Err(Stop::unsupported(Feature::Choice).into());
        };
        for leaf in &leaves[1..] {
            let Some(others) = fields_of(self, Reference(leaf.0)) else {
                return Err(Stop::unsupported(Feature::Choice).into());
            };
            let is_it = Constraint::int(expr, Comparison::Equal, leaf.reference());
            let is_it = self.solver.store.test(&is_it);
            for field in self.field_outlines(class)?.iter() {
                let (at, kind) = (usize::from(field.slot), kind_of(field.of));
                let (then, otherwise) = (expr_of(others[at], kind), expr_of(fields[at], kind));
                let either = self.solver.store.choose(kind, is_it, then, otherwise);
                fields[at] = value_of(either, kind);
            }
        }
        let is_not_null = Constraint::int(expr, Comparison::NotEqual, Expr::Constant(0));
        let is_not_null = self.solver.store.test(&is_not_null);
        self.require(value_of(is_not_null, Kind::Int))?;
        self.heap.replace_body(object, Body::Fields(fields));
        self.heap.object_mut(object).class = class;
        Ok(())
    }

    /// Something was to be added. What the call returned says whether it was: an element that is there
    /// already is not, and a key replaces what it had. What returns the collection itself adds always.
    pub(crate) fn require_added(&mut self, number: MadeId, returned: Value) -> Step {
        let add = match &self.exploration.unknown.made.get(number).origin {
            Origin::Built(recipe) => recipe.add.as_ref(),
            _ => None,
        };
        match add.and_then(ResolvedMethod::result_type) {
            Some(JavaType::Boolean) => self.require(returned),
            Some(JavaType::Object(of)) if add.is_none_or(|add| *of != *add.class().name()) => {
                let returned = expr_of(returned, Kind::Reference);
                let is_null = self.ask_heap(|heap, context| {
                    heap.ref_eq(context.store, returned, Expr::Constant(0))
                });
                self.require(value_of(is_null, Kind::Int))
            }
            _ => Ok(()),
        }
    }
}

/// What an argument of a call that builds an object is called: as the source calls the parameter, if it is the
/// project's. A library object with one argument is what that is.
fn argument_name(
    call: &ResolvedMethod,
    place: usize,
    count: usize,
    name: &Expression,
) -> Expression {
    match call.parameter_names().get(place).and_then(ParameterName::of_source) {
        Some(parameter) => name.member(parameter),
        _ if count == 1 => name.clone(),
        _ => name.member(&place.to_string()),
    }
}
