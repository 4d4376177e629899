//! Where a rule splits: choice predicates, and the exceptional rules that lead to handlers or out
//! of the method.

use petrel_clp::{Guard, Kind, Literal, Message, Operand, PredicateKind, VarId};

use crate::draft::{DraftEnd, DraftPredicate, DraftRule, DraftVariable, NameHint};
use crate::error::Refusal;
use crate::walk::{Step, Walk, describe};

impl Walk<'_> {
    /// Ends the rule under way in a new choice predicate, whose parameters are what is still needed:
    /// the live local variables, the operand stack, and these operands. Afterwards the state and the
    /// operands are in terms of the new predicate's parameters, and its rules are still to come.
    pub(crate) fn split(
        &mut self,
        word: &'static str,
        operands: &mut [Operand],
    ) -> Result<(), Refusal> {
        let old = std::mem::take(&mut self.rule.variables);
        let mut renamed: Vec<Option<VarId>> = vec![None; old.len()];
        let mut parameters: Vec<DraftVariable> = Vec::new();
        let mut arguments = Vec::new();
        let mut keep = |operand: &mut Operand| {
            if let Operand::Variable(variable) = *operand {
                let index = variable.0 as usize;
                let new = *renamed[index].get_or_insert_with(|| {
                    parameters.push(old[index]);
                    arguments.push(*operand);
                    VarId(parameters.len() as u32 - 1)
                });
                *operand = Operand::Variable(new);
            }
        };
        for (index, local) in self.state.locals.iter_mut().enumerate() {
            match local {
                Some(operand) if self.source.liveness.is_live(self.node, index) => {
                    keep(operand);
                }
                dead => *dead = None,
            }
        }
        self.state.stack.iter_mut().for_each(&mut keep);
        operands.iter_mut().for_each(&mut keep);
        self.rule.variables = old;
        self.finish(DraftEnd::Choice(self.predicates.len() as u32, arguments));
        self.predicate = self.predicates.len();
        self.predicates.push(DraftPredicate {
            kind: PredicateKind::Choice,
            word,
            pc: self.instruction().pc,
            parameters,
            rules: Vec::new(),
        });
        self.rule = self.new_rule()?;
        Ok(())
    }

    /// The rule that goes on normally after a split.
    pub(crate) fn resume(&mut self, guards: Vec<Guard>) {
        for guard in &guards {
            if let Guard::NonNull(Operand::Variable(variable)) = guard {
                self.rule.variables[variable.0 as usize].non_null = true;
            }
        }
        self.rule.guards = guards;
    }

    /// Adds the rule in which the JVM throws an exception of its own.
    pub(crate) fn add_exceptional_rule(
        &mut self,
        guards: Vec<Guard>,
        class: &str,
        message: Message,
    ) -> Result<(), Refusal> {
        let mut rule = self.new_rule()?;
        rule.guards = guards;
        rule.end = self.throw_new(&mut rule, class, message)?;
        self.predicates[self.predicate].rules.push(rule);
        Ok(())
    }

    /// Makes an exception and goes where it leads.
    fn throw_new(
        &mut self,
        rule: &mut DraftRule,
        class: &str,
        message: Message,
    ) -> Result<DraftEnd, Refusal> {
        let class_id = self.tables.class(class);
        let target = rule.bind(DraftVariable {
            exact: Some(class_id),
            ..DraftVariable::non_null(NameHint::Word("X"))
        });
        rule.body.push(self.placed(Literal::NewThrowable { target, class: class_id, message }));
        self.throw_exact(rule, class, Operand::Variable(target))
    }

    /// Where an exception of a known class leads.
    pub(crate) fn throw_exact(
        &mut self,
        rule: &DraftRule,
        class: &str,
        exception: Operand,
    ) -> Result<DraftEnd, Refusal> {
        for (catch_type, handler) in self.source.flow.handlers(self.node) {
            let caught = catch_type == 0
                || self.source.linker.is_subclass(class, self.catch_class(catch_type)?)?;
            if caught {
                return self.arrive(rule, handler, &[exception]);
            }
        }
        Ok(DraftEnd::Throw(exception))
    }

    fn catch_class(&self, catch_type: u16) -> Result<&'_ str, Refusal> {
        Ok(self.source.class.constant_pool.class_name(catch_type)?)
    }

    /// Adds the rules for an exception whose class is not known: one for each handler that covers
    /// the instruction, and one for what none of them catches. `first` are guards that all share;
    /// `bind` makes the exception's operand in a rule.
    pub(crate) fn add_handler_rules(
        &mut self,
        first: &[Guard],
        bind: impl Fn(&mut DraftRule) -> Operand,
    ) -> Result<(), Refusal> {
        let handlers: Vec<(u16, u32)> = self.source.flow.handlers(self.node).collect();
        let mut passed: Vec<Guard> = Vec::new();
        for (catch_type, handler) in handlers {
            let mut rule = self.new_rule()?;
            self.charge(passed.len())?;
            let exception = bind(&mut rule);
            rule.guards = [first, &passed].concat();
            let catches_all =
                catch_type == 0 || self.catch_class(catch_type)? == "java/lang/Throwable";
            if !catches_all {
                let class = self.source.class.constant_pool.class_name(catch_type)?;
                let class = self.tables.class(class);
                // A second handler for the same class never runs.
                if passed.contains(&Guard::NotInstance(exception, class)) {
                    continue;
                }
                rule.guards.push(Guard::Instance(exception, class));
                passed.push(Guard::NotInstance(exception, class));
            }
            rule.end = self.arrive(&rule, handler, &[exception])?;
            self.predicates[self.predicate].rules.push(rule);
            if catches_all {
                return Ok(());
            }
        }
        let mut rule = self.new_rule()?;
        let exception = bind(&mut rule);
        rule.guards = [first, &passed].concat();
        rule.end = DraftEnd::Throw(exception);
        self.predicates[self.predicate].rules.push(rule);
        Ok(())
    }

    /// Ends the rule under way with an exception that is certain here, such as a linkage error.
    pub(crate) fn end_with_exception(
        &mut self,
        class: &str,
        message: Message,
    ) -> Result<Step, Refusal> {
        let mut rule = std::mem::replace(&mut self.rule, DraftRule::new(Vec::new()));
        let end = self.throw_new(&mut rule, class, message)?;
        self.rule = rule;
        self.finish(end);
        Ok(Step::Done)
    }

    /// Guards a dereference: after this, the reference is known not to be null. The rule has ended
    /// if it certainly is.
    pub(crate) fn require_non_null(
        &mut self,
        reference: &mut Operand,
        others: &mut [Operand],
    ) -> Result<Step, Refusal> {
        if describe(&self.rule, *reference).non_null {
            return Ok(Step::Next);
        }
        if *reference == Operand::Null {
            let null = self.null_message();
            return self.end_with_exception("java/lang/NullPointerException", null);
        }
        let mut operands = [&[*reference], &*others].concat();
        self.split("null", &mut operands)?;
        *reference = operands[0];
        others.copy_from_slice(&operands[1..]);
        let null = self.null_message();
        self.add_exceptional_rule(
            vec![Guard::IsNull(*reference)],
            "java/lang/NullPointerException",
            null,
        )?;
        self.resume(vec![Guard::NonNull(*reference)]);
        Ok(Step::Next)
    }

    pub(crate) fn null_message(&self) -> Message {
        Message::Null { pc: self.instruction().pc }
    }

    pub(crate) fn text(&mut self, text: &str) -> Message {
        Message::Text(self.tables.string(text.into()))
    }

    /// Ends the rule under way with a call, and goes on in the rule for its normal return. Gives the
    /// result.
    pub(crate) fn call(
        &mut self,
        callee: petrel_clp::Callee,
        arguments: Vec<Operand>,
        result: Option<DraftVariable>,
    ) -> Result<Option<Operand>, Refusal> {
        let result = result.map(|variable| self.rule.bind(variable));
        let exit = self.rule.bind(DraftVariable::new(Kind::Exit, NameHint::Word("E")));
        self.add(Literal::Call(petrel_clp::Call { callee, arguments, result, exit }));
        let mut operands: Vec<Operand> = result.into_iter().map(Operand::Variable).collect();
        operands.push(Operand::Variable(exit));
        let word =
            if matches!(callee, petrel_clp::Callee::Initialise(_)) { "init" } else { "call" };
        self.split(word, &mut operands)?;
        let Some(Operand::Variable(exit)) = operands.pop() else {
            return crate::error::refuse("the exit of a call got lost");
        };
        let exception = VarId(self.rule.variables.len() as u32);
        self.add_handler_rules(&[Guard::Threw(exit, exception)], |rule| {
            Operand::Variable(rule.bind(DraftVariable::non_null(NameHint::Word("X"))))
        })?;
        self.resume(vec![Guard::Returned(exit)]);
        Ok(operands.pop())
    }
}
