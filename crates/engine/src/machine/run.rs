//! The instructions.
//!
//! Decided code stays in one loop: registers are a window of the stack that starts at the frame's
//! base and is as long as a register number can tell, so that no access needs a check. Everything
//! that is rare (values that are not known, calls of methods that were not called before, native
//! methods, exceptions) leaves the loop for a moment.

mod rare;

use petrel_clp::termination::Event;
use petrel_clp::{ArithmeticKind, Comparison, Operation};

use crate::exploration::ReferenceTest;
use crate::machine::calls::Halt;
use crate::machine::code::{NO_REGISTER, NumberTest, Op, Register, Target};
use crate::machine::heap::Body;
use crate::machine::stack::{self, WINDOW};
use crate::machine::stop::{Defect, Outcome};
use crate::machine::types::TypeId;
use crate::machine::value::{Tag, Value};
use crate::machine::{Frame, Machine, SPECIAL, Stop, arithmetic};

fn window(stack: &mut Vec<Value>, base: usize) -> &mut [Value; WINDOW] {
    stack::extend(stack, base + WINDOW);
    // The length is right, so that the conversion succeeds.
    match stack[base..base + WINDOW].first_chunk_mut() {
        Some(window) => window,
        None => unreachable!("the window has the length of a window"),
    }
}

#[inline]
fn both_known(left: Value, right: Value) -> bool {
    left.tag as u8 | right.tag as u8 == Tag::Known as u8
}

impl Machine<'_> {
    /// Executes instructions until the derivation ends.
    pub(crate) fn run(&mut self) -> Result<Outcome, Halt> {
        let mut stack = std::mem::take(&mut self.stack);
        let mut pc = self.pc;
        let mut base = self.base;
        let mut registers = window(&mut stack, base);

        // Leaves the loop for an operation on the machine as a whole.
        macro_rules! outside {
            ($operation:expr) => {{
                self.pc = pc;
                self.base = base;
                self.stack = stack;
                $operation?;
                stack = std::mem::take(&mut self.stack);
                pc = self.pc;
                base = self.base;
                registers = window(&mut stack, base);
            }};
        }
        macro_rules! get {
            ($register:expr) => {
                registers[usize::from($register)]
            };
        }
        macro_rules! count {
            ($counter:expr, $event:expr) => {{
                let (counter, is_cut) = self.count(get!($counter), $event);
                get!($counter) = counter;
                if is_cut {
                    outside!(self.cut());
                }
            }};
        }
        macro_rules! int_operation {
            ($to:expr, $left:expr, $right:expr, $operation:expr, $general:expr) => {{
                let (left, right): (Value, Value) = ($left, $right);
                if both_known(left, right) {
                    get!($to) = Value::int($operation(left.as_int(), right.as_int()));
                } else {
                    get!($to) = self.compute($general(ArithmeticKind::Int), left, right);
                }
            }};
        }
        macro_rules! unless {
            ($left:expr, $right:expr, $to:expr, $test:expr, $comparison:expr) => {{
                let (left, right): (Value, Value) = ($left, $right);
                if both_known(left, right) {
                    if !$test(&left.as_int(), &right.as_int()) {
                        pc = $to;
                    }
                } else {
                    let test = NumberTest {
                        kind: ArithmeticKind::Int,
                        comparison: $comparison,
                        nan: false,
                    };
                    outside!(self.test_numbers(test, left, right, $to));
                }
            }};
        }
        // A guard on references.
        macro_rules! unless_reference {
            ($values:expr, $to:expr, $holds:expr, $test:expr, $wanted:expr) => {{
                let to = $to;
                if $values.iter().all(|value| value.is_known()) {
                    if !$holds {
                        pc = to;
                    }
                } else if $values.iter().any(|value| value.is_symbolic()) {
                    outside!(self.choose_by_reference($test, $wanted, to));
                } else {
                    outside!(self.decide_reference(&$values));
                    if !$holds {
                        pc = to;
                    }
                }
            }};
        }

        loop {
            let op = self.code.ops[pc as usize];
            pc += 1;
            match op {
                Op::Nop => {}
                Op::Jump(to) => pc = to,
                Op::JumpBack(to) => {
                    self.steps += 1;
                    if self.steps > self.look_at || self.heap.size > self.heap.collect_at {
                        outside!(self.check_limits(to));
                    } else {
                        pc = to;
                    }
                }
                Op::Move { to, from } => get!(to) = get!(from),
                Op::Int { to, value } => get!(to) = Value::int(value),
                Op::Constant { to, constant } => {
                    get!(to) = self.code.constants[constant as usize];
                }
                Op::AddInt { to, left, right } => {
                    int_operation!(to, get!(left), get!(right), i32::wrapping_add, Operation::Add);
                }
                Op::SubtractInt { to, left, right } => int_operation!(
                    to,
                    get!(left),
                    get!(right),
                    i32::wrapping_sub,
                    Operation::Subtract
                ),
                Op::MultiplyInt { to, left, right } => int_operation!(
                    to,
                    get!(left),
                    get!(right),
                    i32::wrapping_mul,
                    Operation::Multiply
                ),
                Op::AndInt { to, left, right } => {
                    int_operation!(to, get!(left), get!(right), |a, b| a & b, Operation::And);
                }
                Op::AddConstant { to, left, right } => int_operation!(
                    to,
                    get!(left),
                    Value::int(right),
                    i32::wrapping_add,
                    Operation::Add
                ),
                Op::MultiplyConstant { to, left, right } => int_operation!(
                    to,
                    get!(left),
                    Value::int(right),
                    i32::wrapping_mul,
                    Operation::Multiply
                ),
                Op::AndConstant { to, left, right } => {
                    int_operation!(to, get!(left), Value::int(right), |a, b| a & b, Operation::And)
                }
                Op::ShiftLeftConstant { to, left, right } => int_operation!(
                    to,
                    get!(left),
                    Value::int(right),
                    |a: i32, b: i32| a.wrapping_shl(b as u32),
                    Operation::ShiftLeft
                ),
                Op::ShiftRightConstant { to, left, right } => int_operation!(
                    to,
                    get!(left),
                    Value::int(right),
                    |a: i32, b: i32| a.wrapping_shr(b as u32),
                    Operation::ShiftRight
                ),
                Op::ShiftRightUnsignedConstant { to, left, right } => int_operation!(
                    to,
                    get!(left),
                    Value::int(right),
                    |a: i32, b: i32| (a as u32).wrapping_shr(b as u32) as i32,
                    Operation::ShiftRightUnsigned
                ),
                Op::AddLong { to, left, right } => {
                    let (left, right) = (get!(left), get!(right));
                    get!(to) = if both_known(left, right) {
                        Value::long(left.as_long().wrapping_add(right.as_long()))
                    } else {
                        self.compute(Operation::Add(ArithmeticKind::Long), left, right)
                    };
                }
                Op::AddDouble { to, left, right } => {
                    let (left, right) = (get!(left), get!(right));
                    get!(to) = if both_known(left, right) {
                        Value::double(left.as_double() + right.as_double())
                    } else {
                        self.compute(Operation::Add(ArithmeticKind::Double), left, right)
                    };
                }
                Op::MultiplyDouble { to, left, right } => {
                    let (left, right) = (get!(left), get!(right));
                    get!(to) = if both_known(left, right) {
                        Value::double(left.as_double() * right.as_double())
                    } else {
                        self.compute(Operation::Multiply(ArithmeticKind::Double), left, right)
                    };
                }
                Op::IntToLong { to, from } => {
                    let value = get!(from);
                    get!(to) = if value.is_known() {
                        Value::long(value.as_int().into())
                    } else {
                        let convert = Operation::Convert(petrel_clp::Conversion::IntToLong);
                        self.compute(convert, value, Value::NULL)
                    };
                }
                Op::Compute { to, operation, left, right } => {
                    let (left, right) = (get!(left), get!(right));
                    get!(to) = if both_known(left, right) {
                        arithmetic::apply(operation, left, right)
                    } else {
                        self.compute(operation, left, right)
                    };
                }

                Op::UnlessEqual { left, right, to } => {
                    unless!(get!(left), get!(right), to, i32::eq, Comparison::Equal);
                }
                Op::UnlessNotEqual { left, right, to } => {
                    unless!(get!(left), get!(right), to, i32::ne, Comparison::NotEqual);
                }
                Op::UnlessLess { left, right, to } => {
                    unless!(get!(left), get!(right), to, i32::lt, Comparison::Less);
                }
                Op::UnlessGreaterOrEqual { left, right, to } => {
                    unless!(get!(left), get!(right), to, i32::ge, Comparison::GreaterOrEqual);
                }
                Op::UnlessEqualConstant { left, right, to } => {
                    unless!(get!(left), Value::int(right), to, i32::eq, Comparison::Equal);
                }
                Op::UnlessNotEqualConstant { left, right, to } => {
                    unless!(get!(left), Value::int(right), to, i32::ne, Comparison::NotEqual);
                }
                Op::UnlessLessConstant { left, right, to } => {
                    unless!(get!(left), Value::int(right), to, i32::lt, Comparison::Less);
                }
                Op::UnlessGreaterOrEqualConstant { left, right, to } => {
                    unless!(get!(left), Value::int(right), to, i32::ge, Comparison::GreaterOrEqual);
                }
                Op::UnlessGreaterConstant { left, right, to } => {
                    unless!(get!(left), Value::int(right), to, i32::gt, Comparison::Greater);
                }
                Op::UnlessLessOrEqualConstant { left, right, to } => {
                    unless!(get!(left), Value::int(right), to, i32::le, Comparison::LessOrEqual);
                }
                Op::UnlessCompares { test, left, right, to } => {
                    let (left, right) = (get!(left), get!(right));
                    if both_known(left, right) {
                        let NumberTest { kind, comparison, nan } = test;
                        if !arithmetic::compares(kind, comparison, left, right, nan) {
                            pc = to;
                        }
                    } else {
                        outside!(self.test_numbers(test, left, right, to));
                    }
                }
                Op::UnlessNull { object, to } => {
                    let object = get!(object);
                    let test = ReferenceTest::Null(object);
                    unless_reference!([object], to, object.as_reference().is_null(), test, true);
                }
                Op::UnlessNonNull { object, to } => {
                    let object = get!(object);
                    let test = ReferenceTest::Null(object);
                    unless_reference!([object], to, !object.as_reference().is_null(), test, false);
                }
                Op::UnlessSame { left, right, to } => {
                    let (left, right) = (get!(left), get!(right));
                    let test = ReferenceTest::Same(left, right);
                    unless_reference!([left, right], to, left.bits == right.bits, test, true);
                }
                Op::UnlessDifferent { left, right, to } => {
                    let (left, right) = (get!(left), get!(right));
                    let test = ReferenceTest::Same(left, right);
                    unless_reference!([left, right], to, left.bits != right.bits, test, false);
                }
                Op::UnlessInBounds { array, index, to } => {
                    let (array, index) = (get!(array), get!(index));
                    match self.is_in_bounds(array, index) {
                        Some(true) => {}
                        Some(false) => pc = to,
                        None => outside!(self.choose_by_bounds(array, index, pc, to)),
                    }
                }
                Op::UnlessOutOfBounds { array, index, to } => {
                    let (array, index) = (get!(array), get!(index));
                    match self.is_in_bounds(array, index) {
                        Some(true) => pc = to,
                        Some(false) => {}
                        None => outside!(self.choose_by_bounds(array, index, to, pc)),
                    }
                }
                Op::UnlessInstance { object, class, to } => {
                    let object = get!(object);
                    let test = ReferenceTest::Instance(object, class);
                    unless_reference!(
                        [object],
                        to,
                        self.is_known_instance(object, class),
                        test,
                        true
                    );
                }
                Op::UnlessNotInstance { object, class, to } => {
                    let object = get!(object);
                    let test = ReferenceTest::Instance(object, class);
                    unless_reference!(
                        [object],
                        to,
                        !self.is_known_instance(object, class),
                        test,
                        false
                    );
                }
                Op::UnlessCastable { object, class, to } => {
                    let object = get!(object);
                    let test = ReferenceTest::Castable(object, class);
                    unless_reference!(
                        [object],
                        to,
                        object.bits == 0 || self.is_known_instance(object, class),
                        test,
                        true
                    );
                }
                Op::UnlessNotCastable { object, class, to } => {
                    let object = get!(object);
                    let test = ReferenceTest::Castable(object, class);
                    unless_reference!(
                        [object],
                        to,
                        object.bits != 0 && !self.is_known_instance(object, class),
                        test,
                        false
                    );
                }
                Op::UnlessStorable { array, value, to } => {
                    let (array, value) = (get!(array), get!(value));
                    let test = ReferenceTest::Storable(array, value);
                    unless_reference!(
                        [array, value],
                        to,
                        self.is_storable(array, value),
                        test,
                        true
                    );
                }
                Op::UnlessNotStorable { array, value, to } => {
                    let (array, value) = (get!(array), get!(value));
                    let test = ReferenceTest::Storable(array, value);
                    unless_reference!(
                        [array, value],
                        to,
                        !self.is_storable(array, value),
                        test,
                        false
                    );
                }
                Op::Switch { value, table } => {
                    let value = get!(value);
                    if value.is_known() {
                        pc = self.code.switches[table as usize].target(value.as_int());
                    } else {
                        outside!(self.switch(value, table));
                    }
                }

                Op::NewObject { to, class } => match &self.types.get(class).layout {
                    Some(layout) if !self.observers.see_reachable() => {
                        let fields = vec![Value::NULL; usize::from(layout.slots)];
                        let object = self.heap.add(class, Body::Fields(fields.into()));
                        get!(to) = Value::reference(object);
                    }
                    _ => outside!(self.allocate(to, class)),
                },
                Op::NewArray { to, class, length } => {
                    let length = get!(length);
                    outside!(self.allocate_array(to, class, length));
                }
                Op::NewMultiArray { to, class, lengths } => {
                    outside!(self.allocate_multi_array(to, class, lengths));
                }
                Op::ArrayLength { to, array } => {
                    let array = get!(array);
                    if self.is_plain_array(array) {
                        let length = self.heap.length(array.as_reference());
                        get!(to) = Value::int(length as i32).marked(array.is_unstable());
                    } else {
                        outside!(self.get_unknown_length(to, array));
                    }
                }
                Op::GetField { to, object, slot } => {
                    let object = get!(object);
                    if object.is_symbolic() {
                        outside!(self.get_unknown_field(to, object));
                    } else {
                        match self.heap.made_field(object.as_reference(), slot) {
                            Some(value) => get!(to) = value.marked(object.is_unstable()),
                            None => outside!(self.get_made_field(to, object, slot)),
                        }
                    }
                }
                Op::TryGetField { to, object, slot, then } => {
                    let object = get!(object);
                    if object.is_known()
                        && object.bits != 0
                        && let Some(value) = self.heap.made_field(object.as_reference(), slot)
                    {
                        get!(to) = value;
                        pc = then;
                    }
                }
                Op::SetField { object, slot, value } => {
                    let object = get!(object);
                    let value = get!(value);
                    if object.is_symbolic() {
                        outside!(self.set_unknown_field(object, value));
                    } else if self.heap.is_made(object.as_reference()) {
                        self.heap.set_field(object.as_reference(), slot, value);
                    } else {
                        outside!(self.set_made_field(object, slot, value));
                    }
                }
                Op::GetStatic { to, field } => get!(to) = self.statics[field as usize],
                Op::SeeChangingStatic(field) => outside!(self.see_changing_static(field)),
                Op::Prepare(method) => outside!(self.prepare(method)),
                Op::SetStatic { field, value } => {
                    let value = get!(value);
                    self.set_static(field, value);
                    if self.exploration.is_preparing() {
                        outside!(self.see_initialised(field));
                    }
                }
                Op::TryGetArray { to, array, index, then } => {
                    let (array, index) = (get!(array), get!(index));
                    if both_known(array, index) {
                        let object = self.heap.object(array.as_reference());
                        let element = object.body.array_element(index.as_int() as u32 as usize);
                        if let (Some(element), false) = (element, object.unstable) {
                            get!(to) = element;
                            pc = then;
                        }
                    }
                }
                Op::TrySetArray { array, index, value, then } => {
                    let (array, index, value) = (get!(array), get!(index), get!(value));
                    if both_known(array, index)
                        && value.is_known()
                        && self.heap.is_free_to_change(array.as_reference())
                    {
                        let object = self.heap.free_object_mut(array.as_reference());
                        let index = index.as_int() as u32 as usize;
                        let fits = object.class != TypeId::BOOLEANS || value.bits <= 1;
                        if fits && object.body.set_number(index, value) {
                            pc = then;
                        }
                    }
                }
                Op::GetArray { to, array, index } => {
                    let (array, index) = (get!(array), get!(index));
                    if both_known(array, index)
                        && !self.heap.object(array.as_reference()).unstable
                        && self.is_plain_array(array)
                    {
                        let index = index.as_int() as usize;
                        get!(to) = self.heap.get_element(array.as_reference(), index);
                    } else {
                        outside!(self.get_element(to, array, index));
                    }
                }
                Op::SetArray { array, index, value } => {
                    let (array, index, value) = (get!(array), get!(index), get!(value));
                    if both_known(array, index)
                        && value.is_known()
                        && self.heap.is_free_to_change(array.as_reference())
                        && self.is_plain_array(array)
                    {
                        let object = self.heap.free_object_mut(array.as_reference());
                        let value = if object.class == TypeId::BOOLEANS {
                            Value::int(value.as_int() & 1)
                        } else {
                            value
                        };
                        object.body.set_element(index.as_int() as usize, value);
                    } else {
                        outside!(self.set_element(array, index, value));
                    }
                }
                Op::InstanceOf { to, object, class } => {
                    let object = get!(object);
                    if object.is_symbolic() {
                        outside!(self.unknown_instance(to, object, class));
                    } else {
                        let holds = self.is_known_instance(object, class);
                        get!(to) = Value::boolean(holds).marked(object.is_unstable());
                    }
                }
                Op::LoadString { to, string } => {
                    let constant = &self.code.strings[string as usize];
                    let mut reference = constant.reference;
                    if reference.is_null() {
                        let units = constant.units.clone();
                        reference = self.intern(&units.0);
                        if self.heap.is_permanent(reference) {
                            self.code.strings[string as usize].reference = reference;
                        }
                    }
                    get!(to) = Value::reference(reference);
                }
                Op::LoadClass { to, class } => outside!(self.load_class(to, class)),
                Op::NewThrowable { to, throwable } => {
                    outside!(self.make_throwable(to, throwable));
                }
                Op::Unsupported(what) => outside!(self.unsupported(what)),

                Op::Call(number) => {
                    let site = &self.code.sites[number as usize];
                    let method = match &site.target {
                        Target::Method(method) => Some(*method),
                        Target::Selected { last, .. } => {
                            let receiver = get!(site.arguments[0]);
                            let is_last = receiver.is_known()
                                && self.heap.class(receiver.as_reference()) == last.0;
                            is_last.then_some(last.1)
                        }
                        _ => None,
                    };
                    match method.map(|method| (method, self.methods.get(method).fast_entry())) {
                        Some((method, Some((address, frame))))
                            if !self.observers.see_calls()
                                && self.frames.len() < self.limits.frames
                                && self.steps < self.look_at
                                && self.heap.size <= self.heap.collect_at =>
                        {
                            let callee_base = base + usize::from(site.frame);
                            let needed = callee_base + usize::from(frame) + WINDOW;
                            if self.reach < needed {
                                self.reach = needed;
                                stack::extend(&mut stack, needed);
                            }
                            for (offset, &register) in site.arguments.iter().enumerate() {
                                stack[callee_base + offset] = stack[base + usize::from(register)];
                            }
                            self.steps += 1;
                            self.frames.push(Frame {
                                return_to: pc,
                                base: base as u32,
                                site: number,
                                method,
                            });
                            base = callee_base;
                            pc = address;
                            registers = window(&mut stack, base);
                        }
                        _ => outside!(self.call_site(number)),
                    }
                }
                Op::Return { value } => {
                    let value = get!(value);
                    match self.frames.last() {
                        Some(frame)
                            if frame.site != SPECIAL
                                && self.frames.len() > self.trail.old_frames() =>
                        {
                            base = frame.base as usize;
                            pc = frame.return_to;
                            let result: Register = self.code.sites[frame.site as usize].result;
                            self.frames.pop();
                            registers = window(&mut stack, base);
                            if result != NO_REGISTER {
                                get!(result) = value;
                            }
                        }
                        _ => outside!(self.return_value(value)),
                    }
                }
                Op::ReturnNothing => match self.frames.last() {
                    Some(frame)
                        if frame.site != SPECIAL && self.frames.len() > self.trail.old_frames() =>
                    {
                        base = frame.base as usize;
                        pc = frame.return_to;
                        self.frames.pop();
                        registers = window(&mut stack, base);
                    }
                    _ => outside!(self.return_value(Value::NULL)),
                },
                Op::Throw { exception } => {
                    let exception = get!(exception);
                    outside!(self.throw_value(exception));
                }
                Op::Apply(rule) => {
                    self.observation.applied += 1;
                    self.observation.own_applied += 1;
                    if self.observation.applied > self.observation.from {
                        outside!(self.observe_rule(rule, false));
                    }
                }
                Op::ApplyLibrary(rule) => {
                    self.observation.applied += 1;
                    if self.observation.applied > self.observation.from {
                        outside!(self.observe_rule(rule, true));
                    }
                }
                Op::Watch(number) => outside!(self.see_operation(number)),
                Op::Parameter { size } => {
                    let size = get!(size);
                    outside!(self.see_size(size));
                }
                Op::Activate { first, count } => outside!(self.activate(first, count)),
                Op::Occur { counter } => count!(counter, Event::Occur),
                Op::EnterLoop { counter } => count!(counter, Event::Enter),
                Op::Iterate { counter } => count!(counter, Event::Iterate),
                Op::Halt => {
                    let stop = Stop::defect(Defect::CodeEnded);
                    return Err(Halt::Stop(stop));
                }
            }
        }
    }
}
