//! Fields and elements of unknown objects, and elements of arrays of unknown length.

use petrel_clp::{Comparison, Kind};
use petrel_heap::{ClassId, FieldId, Sort};
use petrel_solver::{Constraint, Expr, Node, Simplified};

use crate::exploration::choose::{Way, expr_of, value_of};
use crate::exploration::explore::HeapMode;
use crate::exploration::unknown::fields::kind_of;
use crate::machine::{
    Body, Defect, Feature, Halt, Limit, Machine, Register, Step, Stop, TypeId, Value,
};

/// So many indices of an array are tried where each is a path.
const MOST_INDICES: u32 = 64;

impl Machine<'_> {
    /// Reads a field of an object that is a term.
    #[cold]
    pub(crate) fn get_unknown_field(&mut self, to: Register, object: Value) -> Step {
        let Some((field, sort)) = self.accessed_field(object)? else { return Ok(()) };
        let object = self.reference_expr(object)?;
        let value = self.ask_heap(|heap, context| heap.get_field(context, object, field, sort))?;
        self.set_register(to, value_of(value, sort.kind()));
        Ok(())
    }

    /// Writes a field of an object that is a term.
    #[cold]
    pub(crate) fn set_unknown_field(&mut self, object: Value, value: Value) -> Step {
        let Some((field, sort)) = self.accessed_field(object)? else { return Ok(()) };
        let object = self.reference_expr(object)?;
        let value = expr_of(value, sort.kind());
        self.ask_heap(|heap, context| heap.set_field(context, object, field, sort, value));
        Ok(())
    }

    /// The field that the instruction under way accesses; `None` if it is executed again.
    fn accessed_field(&mut self, object: Value) -> Result<Option<(FieldId, Sort)>, Halt> {
        let number = self.code.field_at(self.address());
        let number = FieldId(number.ok_or_else(|| Stop::defect(Defect::AccessToNoField))?);
        let field = self.exploration.unknown.fields.get(number);
        let (class, of) = (field.class, field.of);
        if !self.is_settled(object)? || !self.is_prepared(of)? {
            return Ok(None);
        }
        self.offer_objects(object);
        let Some(object) = self.settled_made(object)? else { return Ok(None) };
        if !object.is_symbolic() && !self.is_laid_open(object.as_reference())? {
            return Ok(None);
        }
        let expr = self.reference_expr(object)?;
        let is_input = Constraint::int(expr, Comparison::Greater, Expr::Constant(0));
        let is_input = self.solver.store.simplify(is_input);
        let may_be_input = !matches!(is_input, Simplified::False);
        if let Simplified::Open(is_input) = is_input
            && self.is_of_library(class)
            && self.may_be_known(expr)
        {
            // It is decided once: an input would have no such field.
            let again = self.address();
            let is_known = is_input.negated();
            let ways = [Way::literal(is_known, again), Way::literal(is_input, again)];
            self.choose_assuming(ways.into_iter().collect(), true)?;
            return Ok(None);
        }
        if may_be_input && self.is_of_library(class) {
            // What a JDK keeps in its objects is its own affair: no such object is made up.
            let class = self.types.java_name(class);
            let object = self.text(object, Kind::Reference);
            return Err(Stop::unsupported(Feature::Inside { object, class }).into());
        }
        if may_be_input && !self.is_class_ready(class)? {
            return Ok(None);
        }
        let sort = self.sort(of);
        let static_type =
            if matches!(sort, Sort::Reference(_)) { self.static_type_of(number)? } else { None };
        Ok(Some((number, static_type.map_or(sort, Sort::Reference))))
    }

    /// Whether a reference may be an object that is there, and not one of the initial heap.
    fn may_be_known(&self, reference: Expr) -> bool {
        !self.exploration.unknown.solver.known_leaves(&self.solver.store, reference).is_empty()
    }

    /// The static type of a field with its type arguments, if it has some.
    fn static_type_of(&mut self, number: FieldId) -> Result<Option<ClassId>, Halt> {
        if let Some(&known) = self.exploration.unknown.field_types.get(&number) {
            return Ok(known);
        }
        let field = self.exploration.unknown.fields.get(number).clone();
        let class = self.class(field.class)?;
        let descriptor = self.types.descriptor(field.of);
        let declared = class.declared_field(&field.name, &descriptor);
        let signature =
            declared.and_then(|declared| class.file.field_signature(declared.declaration()));
        let of = signature.and_then(|signature| self.field_type(&class, signature));
        self.exploration.unknown.field_types.insert(number, of);
        Ok(of)
    }

    /// Whether an array has elements in the machine, and not only in terms.
    pub(crate) fn is_plain_array(&self, array: Value) -> bool {
        !array.is_symbolic()
            && !matches!(self.heap.object(array.as_reference()).body, Body::Logged(_))
    }

    /// The number of the elements of an array for the heap solver, and their sort.
    pub(crate) fn elements_of(&mut self, array: Value) -> Result<(u32, TypeId, Sort), Halt> {
        let component = self.component_of(array)?;
        let group = if component.is_primitive() { component } else { TypeId::OBJECT };
        Ok((group.0, component, self.sort(component)))
    }

    /// The type of the elements of an array: exact for numbers.
    pub(super) fn component_of(&mut self, array: Value) -> Result<TypeId, Halt> {
        let class = if array.is_symbolic() {
            let array = self.reference_expr(array)?;
            let class = self.ask_heap(|heap, context| heap.class(context, array))?;
            self.some_class(class)
        } else {
            Some(self.heap.class(array.as_reference()))
        };
        let component = class.and_then(|class| self.types.get(class).component);
        component
            .map(|(component, _)| component)
            .ok_or_else(|| Stop::unsupported(Feature::UntypedArray).into())
    }

    /// One of the classes of a term for a class.
    fn some_class(&self, class: Expr) -> Option<TypeId> {
        let terms = self.solver.store.terms();
        let mut open = vec![class];
        while let Some(expr) = open.pop() {
            match self.solver.store.fixed(expr) {
                Expr::Constant(class) => {
                    let class = TypeId(class as u32);
                    if self.types.get(class).component.is_some() {
                        return Some(class);
                    }
                }
                Expr::Term(term) => match terms.node(term) {
                    Node::Choose(_, _, then, otherwise) => open.extend([then, otherwise]),
                    Node::Select(_, table, _) => open.extend(terms.table(table).iter().rev()),
                    _ => {}
                },
            }
        }
        None
    }

    /// Reads an element of an array that is a term or of unknown length.
    pub(crate) fn get_logged_element(&mut self, to: Register, array: Value, index: Value) -> Step {
        if array.is_symbolic() && !self.is_settled(array)? {
            return Ok(());
        }
        let Some(index) = self.simulated_index(index)? else { return Ok(()) };
        let component = self.component_of(array)?;
        if !self.is_prepared(component)? {
            return Ok(());
        }
        let value = self.logged_element(array, index)?;
        self.set_register(to, value);
        Ok(())
    }

    /// Writes an element of an array that is a term or of unknown length.
    pub(crate) fn set_logged_element(&mut self, array: Value, index: Value, value: Value) -> Step {
        if array.is_symbolic() && !self.is_settled(array)? {
            return Ok(());
        }
        let Some(index) = self.simulated_index(index)? else { return Ok(()) };
        let (group, component, _) = self.elements_of(array)?;
        let value = if component.is_primitive() { self.narrowed(component, value) } else { value };
        let (array, index) = (self.reference_expr(array)?, expr_of(index, Kind::Int));
        let value = expr_of(value, kind_of(component));
        self.ask_heap(|heap, context| heap.set_element(context, array, index, group, value));
        Ok(())
    }

    /// An index as it is; with heap simulation, each possible one on a path of its own.
    pub(crate) fn simulated_index(&mut self, index: Value) -> Result<Option<Value>, Halt> {
        if !index.is_symbolic() || self.exploration.unknown.mode != HeapMode::Simulation {
            return Ok(Some(index));
        }
        let expr = expr_of(index, Kind::Int);
        let most = i64::from(MOST_INDICES.min(self.exploration.max_array()));
        let (low, high) = self.solver.store.interval(expr);
        if low > most && low != high {
            return Err(Stop::limit(Limit::ArrayLength(most)).into());
        }
        self.fix(index, self.address())
    }

    /// A new array of unknown length, which is not negative.
    pub(crate) fn new_logged_array(&mut self, class: TypeId, length: Value) -> Value {
        Value::reference(self.heap.add_logged(class, length, &[]))
    }
}
