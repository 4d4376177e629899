//! Numbers the predicates and merges blocks: a block that only one rule leads to becomes part of
//! that rule. What is left is one rule for each basic block, and one for each edge into a block
//! that several lead to.

use petrel_clp::substitute::{self, Substitution};
use petrel_clp::{End, Operand, PredicateId, VarId};

use crate::draft::{DraftEnd, DraftPredicate, DraftRule, NumberedPredicate, NumberedRule};
use crate::error::{Refusal, refuse};
use crate::leaders::Leaders;
use crate::walk::Walked;

/// Predicates in the order of the code, the entry first.
pub(crate) fn merge_blocks(walked: &mut Walked) -> Result<Vec<NumberedPredicate>, Refusal> {
    let mut predicates = number(walked)?;
    let mut callers = vec![0_u32; predicates.len()];
    for predicate in &predicates {
        for target in predicate.rules.iter().filter_map(NumberedRule::continues_in) {
            callers[target.index()] += 1;
        }
    }
    // A cycle has an entry from outside and a way back, hence a predicate with two callers where
    // merging stops.
    for caller in 0..predicates.len() {
        for rule in 0..predicates[caller].rules.len() {
            while let Some(target) = predicates[caller].rules[rule].continues_in() {
                let callee = &predicates[target.index()];
                let mergeable = target.index() != caller
                    && target.index() != 0
                    && callers[target.index()] == 1
                    && callee.rules.len() == 1
                    && callee.rules[0].guards.is_empty();
                if !mergeable {
                    break;
                }
                let Some(callee) = predicates[target.index()].rules.pop() else {
                    break;
                };
                append(&mut predicates[caller].rules[rule], callee);
            }
        }
    }
    Ok(compact(predicates))
}

/// Gives every predicate its number.
fn number(walked: &mut Walked) -> Result<Vec<NumberedPredicate>, Refusal> {
    let mut starts = Vec::with_capacity(walked.blocks.len());
    let mut count = 1;
    for block in &walked.blocks {
        starts.push(count);
        count += block.as_ref().map_or(0, Vec::len);
    }
    let numbering = Numbering { starts, leaders: &walked.leaders };
    let mut predicates = Vec::with_capacity(count);
    let entry = &mut walked.entry;
    let rules = std::mem::take(&mut entry.rules);
    predicates.push(NumberedPredicate {
        kind: entry.kind,
        word: entry.word,
        pc: entry.pc,
        parameters: std::mem::take(&mut entry.parameters),
        rules: numbering.rules(0, rules)?,
    });
    for (block, drafts) in walked.blocks.iter_mut().enumerate() {
        for DraftPredicate { kind, word, pc, parameters, rules } in
            drafts.take().into_iter().flatten()
        {
            let rules = numbering.rules(block, rules)?;
            predicates.push(NumberedPredicate { kind, word, pc, parameters, rules });
        }
    }
    Ok(predicates)
}

struct Numbering<'a> {
    /// Number of the first predicate of each leader's block.
    starts: Vec<usize>,
    leaders: &'a Leaders,
}

impl Numbering<'_> {
    fn rules(&self, block: usize, rules: Vec<DraftRule>) -> Result<Vec<NumberedRule>, Refusal> {
        rules.into_iter().map(|rule| self.rule(block, rule)).collect()
    }

    fn rule(&self, block: usize, rule: DraftRule) -> Result<NumberedRule, Refusal> {
        let end = match rule.end {
            DraftEnd::Open => return refuse("a rule has no end"),
            DraftEnd::Return(operand) => End::Return(operand),
            DraftEnd::Throw(operand) => End::Throw(operand),
            DraftEnd::Choice(number, arguments) => {
                End::Continue((self.starts[block] + number as usize).into(), arguments)
            }
            DraftEnd::Leader(number, arguments) => {
                let Some(entry) = &self.leaders.leaders[number as usize].entry else {
                    return refuse("a rule leads to a block that was not walked");
                };
                // Slots that not every arrival has a value for are no parameters.
                let arguments = arguments
                    .into_iter()
                    .zip(&entry.values)
                    .filter(|(_, value)| value.is_some())
                    .map(|(argument, _)| argument)
                    .collect::<Option<Vec<Operand>>>();
                let Some(arguments) = arguments else {
                    return refuse("an argument is missing");
                };
                End::Continue(self.starts[number as usize].into(), arguments)
            }
        };
        let DraftRule { guards, body, variables, instructions, .. } = rule;
        Ok(NumberedRule { guards, body, end, variables, instructions })
    }
}

/// Appends the only rule of a predicate to the rule that calls it.
fn append(caller: &mut NumberedRule, callee: NumberedRule) {
    let End::Continue(_, arguments) = std::mem::replace(&mut caller.end, End::Return(None)) else {
        return;
    };
    let mut into = Unfolding { arguments, offset: caller.variables.len() as u32 };
    let parameters = into.arguments.len();
    // A variable that has no name of its own takes that of the block's parameter.
    for (argument, parameter) in into.arguments.iter().zip(&callee.variables) {
        if let Operand::Variable(variable) = argument
            && let Some(variable) = caller.variables.get_mut(variable.0 as usize)
            && matches!(variable.hint, crate::draft::NameHint::Word(_))
        {
            variable.hint = parameter.hint;
        }
    }
    caller.variables.extend_from_slice(&callee.variables[parameters..]);
    caller.instructions.extend(callee.instructions);
    for mut placed in callee.body {
        substitute::literal(&mut placed.literal, &mut into);
        caller.body.push(placed);
    }
    let mut end = callee.end;
    substitute::end(&mut end, &mut into);
    caller.end = end;
}

/// Parameters become the arguments; the other variables move behind the caller's.
struct Unfolding {
    arguments: Vec<Operand>,
    offset: u32,
}

impl Substitution for Unfolding {
    fn operand(&mut self, variable: VarId) -> Operand {
        match self.arguments.get(variable.0 as usize) {
            Some(argument) => *argument,
            None => Operand::Variable(self.binding(variable)),
        }
    }

    fn binding(&mut self, variable: VarId) -> VarId {
        VarId(variable.0 - self.arguments.len() as u32 + self.offset)
    }
}

/// Drops the predicates that were merged away.
fn compact(predicates: Vec<NumberedPredicate>) -> Vec<NumberedPredicate> {
    let mut numbers = Vec::with_capacity(predicates.len());
    let mut kept = 0;
    for predicate in &predicates {
        numbers.push(PredicateId(kept));
        kept += u32::from(!predicate.rules.is_empty());
    }
    let mut predicates: Vec<_> = predicates.into_iter().filter(|p| !p.rules.is_empty()).collect();
    for rule in predicates.iter_mut().flat_map(|predicate| &mut predicate.rules) {
        if let End::Continue(target, _) = &mut rule.end {
            *target = numbers[target.index()];
        }
    }
    predicates
}
