//! Stubs: objects of interfaces and abstract classes whose answers are part of the input.
//!
//! A method of a stub returns an unknown input, another one for each call. A comparator keeps its contract: it
//! compares unknown ranks that its arguments have.

use std::rc::Rc;

use petrel_clp::{Comparison, Kind};
use petrel_expression::{Engine, Expression};
use petrel_heap::ClassId;
use petrel_program::ResolvedMethod;
use petrel_solver::{Constraint, Expr, Unknown};

use super::{MadeId, Origin, PartKind};
use crate::exploration::choose::value_of;
use crate::machine::{
    Body, Doing, Feature, Halt, LeftOut, Machine, MethodNumber, Reference, Step, Stop, Value,
};

/// A stub of a type.
#[derive(Debug, Clone)]
pub(in crate::exploration) struct Stub {
    /// The abstract methods.
    pub(in crate::exploration) methods: Vec<ResolvedMethod>,
    /// What runs when it is made.
    pub(in crate::exploration) constructor: ResolvedMethod,
    /// What takes an answer.
    pub(in crate::exploration) answer: ResolvedMethod,
}

impl Stub {
    pub(in crate::exploration) fn new(stub: petrel_translate::stub::Stub) -> Option<Stub> {
        let (name, descriptor) = petrel_translate::stub::ANSWER;
        Some(Stub {
            methods: stub.methods,
            constructor: stub.class.declared_method("<init>", "()V")?,
            answer: stub.class.declared_method(name, descriptor)?,
        })
    }
}

/// The ranks that the arguments of a comparator may have.
const MOST_RANK: i64 = 15;

impl Machine<'_> {
    /// Makes a stub: the constructor of an abstract class may do something.
    pub(super) fn build_stub(&mut self, number: MadeId, object: Reference) -> Step {
        let constructor = match &self.exploration.unknown.made.get(number).origin {
            Origin::Stub(stub) => stub.constructor.clone(),
            _ => return Ok(()),
        };
        let callee_base = self.begin_building(self.solver.store.constraints().len());
        let class = self.heap.class(object);
        let slots = usize::from(self.layout(class)?.slots);
        self.heap.replace_body(object, Body::Fields(vec![Value::NULL; slots].into()));
        let method = self.method_number(&constructor);
        self.push_special(Doing::Build(number, object), callee_base);
        self.invoke(method, &[Value::reference(object)], callee_base)
    }

    /// What an abstract method of a stub returns. `None` if the call is executed again.
    pub(crate) fn stub_answer(
        &mut self,
        method: MethodNumber,
        arguments: &[Value],
    ) -> Result<Option<Value>, Halt> {
        let receiver = arguments.first().copied().unwrap_or_default();
        let receiver = if receiver.is_symbolic() {
            match self.asked_in_call(|machine| machine.one_object(receiver))? {
                Some(receiver) => receiver,
                None => return Ok(None),
            }
        } else {
            receiver
        };
        let number = self.exploration.unknown.made.number(receiver.as_reference());
        let (Some(number), false) = (number, receiver.is_symbolic()) else {
            return Err(Stop::unsupported(Feature::StrayStub).into());
        };
        let Origin::Stub(stub) = self.exploration.unknown.made.get(number).origin.clone() else {
            return Err(Stop::unsupported(Feature::StrayStub).into());
        };
        let called = self.methods.get(method).resolved.clone();
        let is_called = |of: &ResolvedMethod| {
            of.name() == called.name() && of.descriptor() == called.descriptor()
        };
        let Some(place) = stub.methods.iter().position(is_called) else {
            return Err(Stop::unsupported(Feature::StubMethod).into());
        };
        let abstract_method = stub.methods[place].clone();
        let type_arguments = Rc::clone(&self.exploration.unknown.made.get(number).arguments);
        // What it is may also throw, or change something.
        self.note_left_out(LeftOut::StubEffects);
        let Some(result) = self.result_type(&abstract_method, &type_arguments) else {
            return Ok(Some(Value::NULL));
        };
        let is_comparison = abstract_method.class().name() == "java/util/Comparator";
        let value = if is_comparison {
            self.compared_by_rank(number, &arguments[1..])?
        } else {
            let count = self
                .exploration
                .unknown
                .made
                .parts(number)
                .filter(|part| matches!(part, PartKind::Answer(..)))
                .count();
            let stub = self.exploration.unknown.made.get(number).name.clone();
            let method = abstract_method.name().into();
            let name = Expression::engine(Engine::Answer(stub, method, count as u32 + 1));
            match self.unknown_result(result, name, true)? {
                Some(value) => value,
                None => return Ok(None),
            }
        };
        self.exploration.unknown.made.note(number, PartKind::Answer(place, value));
        Ok(Some(value))
    }

    /// An unknown that a call returns. `None` if the call is executed again.
    pub(in crate::exploration) fn unknown_result(
        &mut self,
        of: ClassId,
        name: Expression,
        is_nullable: bool,
    ) -> Result<Option<Value>, Halt> {
        let erased = self.erased(of);
        if !self.enums_of(erased).is_empty() {
            let ready =
                self.asked_in_call(|machine| Ok(machine.is_prepared(erased)?.then_some(())))?;
            if ready.is_none() {
                return Ok(None);
            }
        }
        let sort = self.sort_of(of);
        let made = self.ask_heap(|heap, context| heap.unknown(context, name, sort, is_nullable))?;
        Ok(Some(value_of(made, sort.kind())))
    }

    /// What a comparator says of two objects: how their ranks compare. Equal objects have one rank.
    fn compared_by_rank(&mut self, number: MadeId, compared: &[Value]) -> Result<Value, Halt> {
        let [left, right] = *compared else {
            return Err(Stop::unsupported(Feature::ComparatorArguments).into());
        };
        let left = self.rank(number, left);
        let right = self.rank(number, right);
        let store = &mut self.solver.store;
        let is_less = store.test(&Constraint::int(left, Comparison::Less, right));
        let is_greater = store.test(&Constraint::int(left, Comparison::Greater, right));
        Ok(value_of(crate::library::text::subtract(store, is_greater, is_less), Kind::Int))
    }

    fn rank(&mut self, number: MadeId, object: Value) -> Expr {
        let object = self.resolved_value(object);
        let ranks = self.exploration.unknown.made.parts(number).filter_map(|part| match part {
            PartKind::Rank(of, rank) => Some((*of, *rank)),
            _ => None,
        });
        let ranks: Vec<(Value, Expr)> = ranks.collect();
        if let Some(&(_, rank)) = ranks.iter().find(|(of, _)| *of == object) {
            return rank;
        }
        let rank = format!("rank{}", ranks.len() + 1);
        let name = self.exploration.unknown.made.get(number).name.member(&rank);
        let unknown = Unknown { name, kind: Kind::Int, low: 0, high: MOST_RANK, own: 0 };
        let rank = self.solver.store.unknown(unknown);
        self.exploration.unknown.made.note(number, PartKind::Rank(object, rank));
        rank
    }
}
