//! Calls on unknown receivers: a path for each implementation that differs.

use petrel_clp::{Comparison, Kind};
use petrel_heap::{ClassId, ClassSet, truth};
use petrel_solver::{Constraint, Expr, Simplified};
use smallvec::SmallVec;

use crate::exploration::choose::{Way, expr_of};
use crate::machine::{Feature, Halt, LeftOut, Machine, MethodNumber, Step, Stop, TypeId, Value};

/// What classes of an unknown object are told apart by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Respect {
    value: u64,
    /// Whether the trace shows it anyway.
    is_shown: bool,
}

impl Machine<'_> {
    /// A class of an unknown receiver that selects the method to be called; `None` if the call is
    /// executed again with each of them.
    #[cold]
    pub(crate) fn class_for_call(
        &mut self,
        receiver: Value,
        method: MethodNumber,
    ) -> Result<Option<TypeId>, Halt> {
        let resolved = self.methods.get(method).resolved.clone();
        let what = |machine: &Self| Feature::CallOnInterface {
            method: resolved.to_string(),
            receiver: Some(machine.text(receiver, Kind::Reference)),
        };
        let called_on = self.types.of_name(resolved.class().name());
        let class = self.decided_class(receiver, called_on, what, |machine, class| {
            let selected = machine.select(class, method)?;
            Ok(Respect {
                // What selects nothing is an error, another one for each class.
                value: selected
                    .as_ref()
                    .map_or(u64::MAX - u64::from(class.0), |method| method.number()),
                is_shown: selected.is_ok_and(|method| !machine.methods.get(method).of_library),
            })
        })?;
        let Some(class) = class else { return Ok(None) };
        if let Ok(selected) = self.select(class, method)? {
            let declaring = self.methods.get(selected).resolved.class().shared_name().clone();
            let declaring = self.types.of_name(&declaring);
            if !self.is_class_ready(declaring)? {
                return Ok(None);
            }
        }
        Ok(Some(class))
    }

    /// The class of an unknown object; `None` if the instruction is executed again with each of them.
    pub(super) fn exact_class(&mut self, object: Value) -> Result<Option<TypeId>, Halt> {
        let what =
            |machine: &Self| Feature::ClassOfInterface(machine.text(object, Kind::Reference));
        self.decided_class(object, TypeId::OBJECT, what, |_, class| {
            Ok(Respect { value: class.0.into(), is_shown: false })
        })
    }

    /// One class of those that are the same in some respect, after a choice between the others. `None` if
    /// the instruction under way is executed again with each.
    fn decided_class(
        &mut self,
        object: Value,
        called_on: TypeId,
        what: impl FnOnce(&Self) -> Feature,
        mut respect: impl FnMut(&mut Self, TypeId) -> Result<Respect, Stop>,
    ) -> Result<Option<TypeId>, Halt> {
        if !self.is_settled(object)? {
            return Ok(None);
        }
        self.offer_classes(object);
        let expr = self.reference_expr(object)?;
        let class = self.ask_heap(|heap, context| heap.class(context, expr))?;
        // The classes in the order in which they come up, and those of them that differ.
        let mut classes: SmallVec<[ClassId; 8]> = SmallVec::new();
        self.ask_heap(|heap, context| {
            heap.map_classes(context.store, class, &mut |class| {
                if !classes.contains(&class) {
                    classes.push(class);
                }
                0
            })
        });
        let mut different: SmallVec<[(Respect, TypeId); 8]> = SmallVec::new();
        let mut numbers: SmallVec<[(ClassId, i64); 8]> = SmallVec::new();
        for class in classes {
            let id = TypeId(class.0);
            if self.exploration.unknown.classes.opaque.contains(&id) {
                return Err(Stop::unsupported(what(self)).into());
            }
            let same = respect(self, id)?;
            let number = match different.iter().position(|&(known, _)| known == same) {
                Some(number) => number,
                None => {
                    different.push((same, id));
                    different.len() - 1
                }
            };
            numbers.push((class, number as i64));
        }
        let which = self.ask_heap(|heap, context| {
            heap.map_classes(context.store, class, &mut |class| {
                numbers.iter().find(|&&(known, _)| known == class).map_or(0, |&(_, number)| number)
            })
        });
        let which = self.solver.store.fixed(which);
        if let Expr::Constant(number) = which {
            self.note_incomplete(object, called_on);
            return Ok(different.get(number as usize).map(|&(_, class)| class));
        }
        let again = self.address();
        let ways = different.iter().enumerate().map(|(number, (respect, _))| {
            let number = Expr::Constant(number as i64);
            let is_it = Constraint::int(which, Comparison::Equal, number);
            if respect.is_shown { Way::to_callee(is_it, again) } else { Way::literal(is_it, again) }
        });
        self.choose_assuming(ways.collect(), true)?;
        Ok(None)
    }

    /// Notes that an unknown object may have classes that are not tried. What it is called on was checked
    /// before, if its own type says less.
    fn note_incomplete(&mut self, object: Value, called_on: TypeId) {
        if self.types.get(called_on).component.is_none() {
            self.ask_heap(|_, context| context.world.candidates(ClassId(called_on.0)));
        }
        if !self.exploration.unknown.classes.incomplete.contains(&called_on) {
            return;
        }
        if let Some(tried) = self.incomplete_classes(object) {
            self.note_other_classes(&tried);
        }
    }

    /// An unknown object was checked for a type, with this outcome as a truth value. If all classes that are tried agree, those that
    /// are not may not: that is noted.
    pub(super) fn note_checked(&mut self, object: Value, checked: TypeId, holds: Expr) -> Step {
        let Some(tried) = self.incomplete_classes(object) else { return Ok(()) };
        let reference = expr_of(object, Kind::Reference);
        let is_one_of_others = match self.solver.store.simplify(truth(holds)) {
            Simplified::Open(_) => {
                self.exploration.unknown.made.checked.push((reference, checked));
                return Ok(());
            }
            Simplified::True => !self.is_known_below(reference, checked)?,
            Simplified::False => self.may_be_one_of_others(&tried, checked),
        };
        if is_one_of_others {
            self.note_other_classes(&tried);
        }
        Ok(())
    }

    /// Whether the path knows of an object that it is of a type, by an earlier check for it or for one below it.
    fn is_known_below(&mut self, reference: Expr, of: TypeId) -> Result<bool, Halt> {
        let checks = self.exploration.unknown.made.checked.iter();
        let of_object = checks.filter(|(object, _)| *object == reference);
        let earlier: Vec<TypeId> = of_object.map(|&(_, checked)| checked).collect();
        for checked in earlier {
            if !self.types.is_subtype(self.program, checked, of) {
                continue;
            }
            let held = self.ask_heap(|heap, context| {
                heap.is_instance(context, reference, ClassId(checked.0))
            })?;
            if matches!(self.solver.store.simplify(truth(held)), Simplified::True) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether an object that has none of the classes that are tried may be of a type.
    fn may_be_one_of_others(&mut self, tried: &ClassSet, checked: TypeId) -> bool {
        if checked.is_primitive() {
            return false;
        }
        if self.types.get(checked).component.is_some() {
            return true;
        }
        let possible = self.ask_heap(|_, context| context.world.candidates(ClassId(checked.0)));
        let classes = &self.exploration.unknown.classes;
        let is_one = |class: &ClassId| !classes.opaque.contains(&TypeId(class.0));
        let is_tried = possible.iter().any(|class| tried.contains(class));
        // Of `Class` objects, and of what is only made, there are others than those in the set, which is empty.
        let has_others = possible.is_empty() && !possible.is_all();
        !is_tried
            && (has_others || classes.incomplete.contains(&checked) || possible.iter().any(is_one))
    }

    /// The classes that an unknown object may have, if there are more that are not tried.
    pub(super) fn incomplete_classes(&self, object: Value) -> Option<ClassSet> {
        let expr = expr_of(object, Kind::Reference);
        let inputs = self.exploration.unknown.solver.input_leaves(&self.solver.store, expr);
        let incomplete = inputs.into_iter().find(|input| !input.classes.is_all());
        incomplete.map(|input| input.classes.clone())
    }

    /// Notes that an unknown object may have other classes than those that are tried.
    pub(in crate::exploration) fn note_other_classes(&mut self, tried: &[ClassId]) {
        let most = self.exploration.unknown.classes.most;
        let is_capped = tried.len() >= most;
        self.note_left_out(if is_capped {
            LeftOut::Receivers(most as u64)
        } else {
            LeftOut::Classes
        });
    }
}
