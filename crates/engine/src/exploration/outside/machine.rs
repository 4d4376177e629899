//! What the machine answers: by an unknown, or in the second derivation by what is given.
//!
//! The second derivation takes the answers in the order in which the first has asked. Whether it is the machine that answers
//! a call is up to the first: an answer that is given is for the next call of the method that it names.

use petrel_clp::{ArithmeticKind, Comparison, Kind, Operation};
use petrel_expression::{Expression, Node};
use petrel_solver::{Constraint, Expr, Unknown, rank_of_bits};
use petrel_translate::method_ref;

use crate::exploration::choose::{expr_of, value_of};
use crate::exploration::made::{Aside, OutsideAnswer, Question};
use crate::exploration::unknown::{AnswerOrigin, ReferenceTest};
use crate::library::natives::{
    LEAST_HASH, MOST_HASH, MachineAnswer, Range, Settings, is_always_set,
};
use crate::machine::{Halt, LeftOut, Machine, MethodNumber, Step, Value};

impl Machine<'_> {
    /// Whether the machine answers a call: by an unknown, or by what is given. Then the call has returned, or is executed again.
    #[cold]
    pub(crate) fn is_answered_by_machine(
        &mut self,
        method: MethodNumber,
        answer: MachineAnswer,
        arguments: &[Value],
    ) -> Result<bool, Halt> {
        if self.exploration.is_preparing() {
            if self.is_asked(answer.asked, arguments) {
                self.note_left_out(LeftOut::Machine);
            }
            return Ok(false);
        }
        if !self.observation.is_of_call() || !self.is_asked(answer.asked, arguments) {
            return Ok(false);
        }
        let Some(question) = self.question(answer.range, arguments)? else { return Ok(false) };
        let value = if let Some(known) = self.setting_answered(&question) {
            Some(known)
        } else if self.exploration.is_on() {
            if self.is_hash_known_to_library(&question)? {
                return Ok(false);
            }
            match self.has_numbers(answer.range, arguments)? {
                Some(true) => self.unknown_answer(method, answer.range, question, arguments)?,
                Some(false) => return Ok(false),
                None => None,
            }
        } else {
            let Some(given) = self.take_given(method, &question) else { return Ok(false) };
            self.note_answer(method, given, question);
            Some(given)
        };
        if let Some(value) = value {
            self.see_call(method, true)?;
            self.return_value(value)?;
        }
        Ok(true)
    }

    /// What is asked, if that is known.
    fn question(&mut self, range: Range, arguments: &[Value]) -> Result<Option<Question>, Halt> {
        let first = arguments.first().copied().unwrap_or_default();
        let (settings, name) = match range {
            Range::Numbers { .. } | Range::Below(_) => return Ok(Some(Question::Anew)),
            Range::IdentityHash => return Ok(Some(Question::IdentityHash(first))),
            Range::Fixed(settings, name) => (settings, Some(name.to_owned())),
            Range::Setting(settings) => {
                let name = self.resolved_value(first);
                let is_known = !name.is_symbolic() && !name.as_reference().is_null();
                let is_known = is_known && self.heap.is_made(name.as_reference());
                (settings, is_known.then(|| self.text_of(name.as_reference())).flatten())
            }
        };
        // What has all properties at hand answers by itself.
        if settings == Settings::Properties && self.has_property_table()? {
            return Ok(None);
        }
        // A property without a name is refused.
        let name = name.filter(|name| !name.is_empty() || settings == Settings::Environment);
        Ok(name.map(|name| Question::Setting(settings, name.into())))
    }

    /// A setting that was asked for before: it has not changed.
    fn setting_answered(&self, question: &Question) -> Option<Value> {
        let Question::Setting(..) = question else { return None };
        let answers = &self.exploration.unknown.made.answers;
        answers.iter().find(|answer| answer.question == *question).map(|answer| answer.value)
    }

    /// Whether some property was asked for on the path.
    pub(crate) fn has_asked_for_property(&self) -> bool {
        let is_property = |answer: &OutsideAnswer| {
            matches!(answer.question, Question::Setting(Settings::Properties, _))
        };
        self.exploration.unknown.made.answers.iter().any(is_property)
    }

    /// Whether the class library has a known number for the identity hash code that is asked for: it stays the same.
    fn is_hash_known_to_library(&mut self, question: &Question) -> Result<bool, Halt> {
        let Question::IdentityHash(object) = *question else { return Ok(false) };
        let expr = self.reference_expr(object)?;
        let expr = self.solver.store.fixed(expr);
        let known = value_of(expr, Kind::Reference);
        Ok(if known.is_symbolic() {
            self.exploration.unknown.made.is_hashed(expr)
        } else {
            self.has_identity_hash(known.as_reference())
        })
    }

    /// The next answer that is given, if it is for this question.
    fn take_given(&mut self, method: MethodNumber, question: &Question) -> Option<Value> {
        let (next, _) = self.exploration.answers.front()?;
        let resolved = &self.methods.get(method).resolved;
        let is_it = next.origin == AnswerOrigin::Machine
            && next.method == method_ref(resolved)
            && next.key.as_deref() == question.key(resolved.descriptor());
        if !is_it {
            return None;
        }
        let (_, value) = self.exploration.answers.pop_front()?;
        let is_fixed = match question {
            Question::Anew => false,
            Question::IdentityHash(object) => object.as_reference().is_null(),
            Question::Setting(..) => {
                if !value.as_reference().is_null() {
                    self.set_unstable_string(value.as_reference(), true);
                }
                false
            }
        };
        Some(value.marked(!is_fixed))
    }

    fn note_answer(&mut self, method: MethodNumber, value: Value, question: Question) {
        let descriptor = self.methods.get(method).resolved.descriptor();
        let result = descriptor.rsplit(')').next().unwrap_or_default().to_owned();
        let of = self.types.of_descriptor(&result);
        let origin = AnswerOrigin::Machine;
        let answer = OutsideAnswer { method, value, of, origin, question };
        self.exploration.unknown.made.answers.push(answer);
    }

    /// An unknown that the machine answers. `None` if the call is executed again.
    fn unknown_answer(
        &mut self,
        method: MethodNumber,
        range: Range,
        question: Question,
        arguments: &[Value],
    ) -> Result<Option<Value>, Halt> {
        let value = match (range, &question) {
            (Range::Numbers { kind, first, last }, _) => {
                let [low, high] = [first, last].map(|bits| match kind {
                    Kind::Float | Kind::Double => rank_of_bits(kind, bits),
                    _ => bits as i64,
                });
                self.number_between(method, kind, low, high)?
            }
            (Range::Below(kind), _) => self.number_below(method, kind, arguments)?,
            (_, Question::Setting(settings, name)) => {
                match self.unknown_setting(method, *settings, name)? {
                    Some(text) => text,
                    None => return Ok(None),
                }
            }
            (_, &Question::IdentityHash(object)) => self.unknown_hash(method, object)?,
            (_, Question::Anew) => return Ok(None),
        };
        self.note_answer(method, value, question);
        Ok(Some(value))
    }

    /// What a setting says. The JVM itself sets some: those are there, unless somebody has removed them.
    fn unknown_setting(
        &mut self,
        method: MethodNumber,
        settings: Settings,
        name: &str,
    ) -> Result<Option<Value>, Halt> {
        let resolved = self.methods.get(method).resolved.clone();
        let Some(of) = self.result_type(&resolved, &[]) else { return Ok(None) };
        let class = resolved.class().name().rsplit('/').next().unwrap_or_default();
        let is_named = !resolved.descriptor().starts_with("()");
        let passed = is_named.then(|| Expression::new(Node::Text(name.encode_utf16().collect())));
        let called =
            Node::StaticCall(class.into(), resolved.name().into(), passed.into_iter().collect());
        let is_always_there = settings == Settings::Properties && is_always_set(name);
        if is_always_there {
            self.note_left_out(LeftOut::Machine);
        }
        self.unknown_result(of, Expression::new(called), !is_always_there)
    }

    fn number_between(
        &mut self,
        method: MethodNumber,
        kind: Kind,
        low: i64,
        high: i64,
    ) -> Result<Value, Halt> {
        let name = self.name_of_answer(method);
        let unknown = self.solver.store.unknown(Unknown { name, kind, low, high, own: 0 });
        let arithmetic = match kind {
            Kind::Float => ArithmeticKind::Float,
            Kind::Double => ArithmeticKind::Double,
            _ => return Ok(value_of(unknown, kind)),
        };
        // A real number has a range by constraints alone.
        let bounds = [(Comparison::GreaterOrEqual, low, -1), (Comparison::LessOrEqual, high, 1)];
        let bounds = bounds.map(|(comparison, bound, of_nan)| {
            let compare = Operation::Compare(arithmetic, of_nan);
            let compared = self.solver.store.apply(compare, unknown, Expr::Constant(bound));
            Constraint::int(compared, comparison, Expr::Constant(0))
        });
        self.assume_of_machine(bounds)?;
        Ok(value_of(unknown, kind))
    }

    /// Assumes what holds of an answer whatever the program does with it.
    fn assume_of_machine(&mut self, all: impl IntoIterator<Item = Constraint>) -> Step {
        let before = self.solver.store.constraints().len();
        for constraint in all {
            self.require_that(constraint)?;
        }
        let end = self.solver.store.constraints().len();
        self.exploration.unknown.made.note_aside(before..end, Aside::Machine);
        Ok(())
    }

    /// Whether there is a number between the bounds that are arguments; without one, the code of the method refuses them. With
    /// `None` the call is executed again for each.
    fn has_numbers(&mut self, range: Range, arguments: &[Value]) -> Result<Option<bool>, Halt> {
        let Range::Below(kind) = range else { return Ok(Some(true)) };
        let [least, bound] = bounds(kind, arguments);
        let is_less = compared(kind, least, Comparison::Less, bound);
        let is_less = self.solver.store.test(&is_less);
        self.decided_in_call(is_less)
    }

    fn number_below(
        &mut self,
        method: MethodNumber,
        kind: Kind,
        arguments: &[Value],
    ) -> Result<Value, Halt> {
        let [least, bound] = bounds(kind, arguments);
        let store = &self.solver.store;
        let (low, high) = (store.interval(least).0, store.interval(bound).1 - 1);
        let value = self.number_between(method, kind, low, high)?;
        let number = expr_of(value, kind);
        let within = [
            compared(kind, number, Comparison::GreaterOrEqual, least),
            compared(kind, number, Comparison::Less, bound),
        ];
        self.assume_of_machine(within)?;
        Ok(value)
    }

    /// The identity hash code of an object: that of an object which may be the same is the same then, and `null` has 0.
    fn unknown_hash(&mut self, method: MethodNumber, object: Value) -> Result<Value, Halt> {
        let earlier: Vec<(Value, Value)> =
            self.exploration.unknown.made.hashes_answered().collect();
        let mut same_as = Vec::new();
        for (other, hash) in earlier {
            match self.reference_truth(ReferenceTest::Same(object, other))? {
                Expr::Constant(0) => {}
                Expr::Constant(_) => return Ok(hash),
                is_same => same_as.push((is_same, expr_of(hash, Kind::Int))),
            }
        }
        let is_null = self.reference_truth(ReferenceTest::Null(object))?;
        if is_null == Expr::Constant(1) {
            return Ok(Value::int(0));
        }
        let low = if is_null == Expr::Constant(0) { LEAST_HASH } else { 0 };
        let value = self.number_between(method, Kind::Int, low, MOST_HASH)?;
        let hash = expr_of(value, Kind::Int);
        let store = &mut self.solver.store;
        let is_zero = store.test(&Constraint::int(hash, Comparison::Equal, Expr::Constant(0)));
        let mut all = vec![Constraint::int(is_zero, Comparison::Equal, is_null)];
        for (is_same, other) in same_as {
            let is_equal = store.test(&Constraint::int(hash, Comparison::Equal, other));
            all.push(Constraint::int(is_same, Comparison::LessOrEqual, is_equal));
        }
        self.assume_of_machine(all)?;
        Ok(value)
    }
}

/// The least number that may be answered, and the first that may not.
fn bounds(kind: Kind, arguments: &[Value]) -> [Expr; 2] {
    let bound = arguments.last().copied().unwrap_or_default();
    let least = if arguments.len() > 2 { arguments[1] } else { Value::NULL };
    [least, bound].map(|value| expr_of(value, kind))
}

fn compared(kind: Kind, left: Expr, comparison: Comparison, right: Expr) -> Constraint {
    match kind {
        Kind::Long => Constraint::long(left, comparison, right),
        _ => Constraint::int(left, comparison, right),
    }
}
