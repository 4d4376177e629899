//! The world outside of the program: methods that the user declares (`petrel_translate::outside`), and the machine.
//!
//! Where inputs are unknown, an answer of the world is one more unknown, made when it is asked for; where they are known, the
//! answers are given beforehand, in the order of the calls. What is assumed is a constraint, as that of an invariant is.

mod machine;

use petrel_expression::{Engine, Expression};
use petrel_translate::outside::OutsideCall;

use super::made::{OutsideAnswer, Question};
use super::unknown::{AnswerOrigin, InputAnswer};
use crate::machine::{Defect, Feature, Machine, MethodNumber, Step, Stop, Value};

impl Machine<'_> {
    /// What the world outside is going to answer in the call that follows.
    pub fn give_answers(&mut self, answers: impl IntoIterator<Item = (InputAnswer, Value)>) {
        self.exploration.answers = answers.into_iter().collect();
        self.exploration.unknown.made.answers.clear();
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
                let (_, answer) = answer.ok_or_else(|| Stop::defect(Defect::NoAnswer))?;
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
        let Some(value) = self.unknown_result(of, name, true)? else { return Ok(()) };
        self.see_call(method, true)?;
        let (of, origin, question) = (self.erased(of), AnswerOrigin::Declared, Question::Anew);
        let answer = OutsideAnswer { method, value, of, origin, question };
        self.exploration.unknown.made.answers.push(answer);
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
}
