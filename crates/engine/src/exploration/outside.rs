//! The world outside of the program: methods that the user declares (`petrel_translate::outside`), and the machine.
//!
//! Where inputs are unknown, an answer of the world is one more unknown, made when it is asked for; where they are known, the
//! answers are given beforehand, in the order of the calls. What is assumed is a constraint, as that of an invariant is.

use petrel_clp::{ArithmeticKind, Comparison, Kind, Operation};
use petrel_expression::{Engine, Expression};
use petrel_solver::{Constraint, Expr, Unknown, rank_of_bits};
use petrel_translate::outside::OutsideCall;

use super::choose::value_of;
use super::made::{Aside, OutsideAnswer};
use super::unknown::AnswerOrigin;
use crate::library::natives::MachineAnswer;
use crate::machine::{Defect, Feature, Halt, Machine, MethodNumber, Step, Stop, Value};

impl Machine<'_> {
    /// What the world outside is going to answer in the call that follows.
    pub fn give_answers(&mut self, answers: impl IntoIterator<Item = Value>) {
        self.exploration.answers = answers.into_iter().collect();
    }

    /// Whether a call of a declared method goes to the world outside. The class library has work of its own for what it is
    /// asked, such as the clock when a class is initialised.
    pub(crate) fn is_outside(&self, method: MethodNumber) -> Result<bool, Stop> {
        if self.exploration.target == Some(method) {
            return Ok(false);
        }
        if self.observation.is_of_call() {
            return Ok(true);
        }
        let known = self.methods.get(method);
        if known.of_library {
            return Ok(false);
        }
        let method = known.resolved.to_string().replace('/', ".");
        Err(Stop::unsupported(Feature::AnswerBeside(method)))
    }

    /// A call that the world outside answers, for the frame on top.
    #[cold]
    pub(crate) fn call_outside(
        &mut self,
        call: OutsideCall,
        method: MethodNumber,
        arguments: &[Value],
    ) -> Step {
        match call {
            OutsideCall::Assumption => {
                let assumed = arguments.last().copied().unwrap_or_default();
                if assumed.is_unstable() {
                    self.note_unstable_decision();
                }
                self.require(assumed)?;
                self.see_call(method, true)?;
                self.return_value(Value::NULL)
            }
            OutsideCall::Answer if self.exploration.is_on() => self.answer_anything(method),
            OutsideCall::Answer => {
                self.see_call(method, true)?;
                let resolved = &self.methods.get(method).resolved;
                if resolved.descriptor().ends_with('V') {
                    return self.return_value(Value::NULL);
                }
                let answer = self.exploration.answers.pop_front();
                let answer = answer.ok_or_else(|| Stop::defect(Defect::NoAnswer))?;
                self.return_value(answer)
            }
        }
    }

    /// The result of a call is an unknown input.
    fn answer_anything(&mut self, method: MethodNumber) -> Step {
        let resolved = self.methods.get(method).resolved.clone();
        let Some(of) = self.result_type(&resolved, &[]) else {
            self.see_call(method, true)?;
            return self.return_value(Value::NULL);
        };
        let name = self.name_of_answer(method);
        let Some(value) = self.unknown_result(of, name)? else { return Ok(()) };
        self.see_call(method, true)?;
        let (of, origin) = (self.erased(of), AnswerOrigin::Declared);
        self.exploration.unknown.made.answers.push(OutsideAnswer { method, value, of, origin });
        self.return_value(value)
    }

    /// What the next answer to a call of a method is called.
    fn name_of_answer(&self, method: MethodNumber) -> Expression {
        let answers = &self.exploration.unknown.made.answers;
        let earlier = answers.iter().filter(|answer| answer.method == method).count();
        let resolved = &self.methods.get(method).resolved;
        let class = resolved.class().name().rsplit(['/', '$']).next().unwrap_or_default();
        let of_class = Expression::name(class);
        Expression::engine(Engine::Answer(of_class, resolved.name().into(), earlier as u32 + 1))
    }

    /// A real number has a range by constraints alone.
    fn assume_within(&mut self, real: Expr, low: i64, high: i64) -> Step {
        let kind = ArithmeticKind::Double;
        let before = self.solver.store.constraints().len();
        for (comparison, bound, of_nan) in
            [(Comparison::GreaterOrEqual, low, -1), (Comparison::LessOrEqual, high, 1)]
        {
            let compare = Operation::Compare(kind, of_nan);
            let compared = self.solver.store.apply(compare, real, Expr::Constant(bound));
            let holds = Constraint::int(compared, comparison, Expr::Constant(0));
            self.solver.store.assume(holds)?;
        }
        let end = self.solver.store.constraints().len();
        self.exploration.unknown.made.note_aside(before..end, Aside::Library);
        Ok(())
    }

    /// Whether the machine answers a call, if the program itself asks: by an unknown, or by what is given.
    #[cold]
    pub(crate) fn is_answered_by_machine(
        &mut self,
        method: MethodNumber,
        answer: MachineAnswer,
    ) -> Result<bool, Halt> {
        if !self.observation.is_of_call() || self.is_called_by_library() {
            return Ok(false);
        }
        if !self.exploration.is_on() {
            let Some(given) = self.exploration.answers.pop_front() else { return Ok(false) };
            self.see_call(method, true)?;
            self.return_value(given.marked(true))?;
            return Ok(true);
        }
        let MachineAnswer { kind, first, last } = answer;
        let [low, high] = [first, last].map(|bits| match kind {
            Kind::Float | Kind::Double => rank_of_bits(kind, bits),
            _ => bits as i64,
        });
        let name = self.name_of_answer(method);
        let unknown = self.solver.store.unknown(Unknown { name, kind, low, high, own: 0 });
        if kind == Kind::Double {
            self.assume_within(unknown, low, high)?;
        }
        let value = value_of(unknown, kind);
        let descriptor = self.methods.get(method).resolved.descriptor();
        let result = descriptor.rsplit(')').next().unwrap_or_default().to_owned();
        let of = self.types.of_descriptor(&result);
        let origin = AnswerOrigin::Machine;
        self.exploration.unknown.made.answers.push(OutsideAnswer { method, value, of, origin });
        self.see_call(method, true)?;
        self.return_value(value)?;
        Ok(true)
    }
}
