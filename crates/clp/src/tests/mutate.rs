//! Mistakes in well-formed procedures are found.

use proptest::prelude::*;

use super::generate::{self, Choices};
use crate::origin::may_be_of;
use crate::*;

/// A mistake: says whether the procedure had a place for it.
type Mistake = fn(&mut Procedure, &mut Choices<'_>) -> bool;

const MISTAKES: [(&str, Mistake); 23] = [
    ("a rule is missing", |procedure, choices| {
        change_predicate(procedure, choices, |predicate, choices| {
            let n = predicate.rules.len();
            n > 1 && {
                predicate.rules.remove(choices.below(n));
                true
            }
        })
    }),
    ("a rule is there twice", |procedure, choices| {
        change_predicate(procedure, choices, |predicate, choices| {
            let rule = predicate.rules[choices.below(predicate.rules.len())].clone();
            predicate.rules.push(rule);
            true
        })
    }),
    ("a guard is missing", |procedure, choices| {
        change_rule(procedure, choices, |rule, choices| {
            let n = rule.guards.len();
            let at = choices.below(n);
            // Without it, the guard that always holds is the same as none.
            match rule.guards.get(at) {
                None => false,
                Some(Guard::NoneOf(_, values)) if values.is_empty() => false,
                Some(_) => {
                    rule.guards.remove(at);
                    true
                }
            }
        })
    }),
    ("two variables are bound in the wrong order", |procedure, choices| {
        change_rule(procedure, choices, |rule, _| {
            let mut targets: Vec<&mut VarId> =
                rule.body.iter_mut().filter_map(|of| of.literal.target_mut()).collect();
            match targets.as_mut_slice() {
                [one, other, ..] => {
                    std::mem::swap(*one, *other);
                    true
                }
                _ => false,
            }
        })
    }),
    ("an id is not in its table", |procedure, choices| {
        change_rule(procedure, choices, |rule, choices| {
            let n = rule.body.len();
            let at = choices.below(n);
            rule.body.get_mut(at).is_some_and(|placed| wrong_id(&mut placed.literal))
        })
    }),
    ("a variable does not exist", |procedure, choices| {
        change_rule(procedure, choices, |rule, choices| {
            let n = rule.body.len();
            let at = choices.below(n);
            rule.body.get_mut(at).is_some_and(|Placed { literal, .. }| {
                let before = literal.clone();
                substitute::literal(literal, &mut Nowhere);
                *literal != before
            })
        })
    }),
    ("there is no such predicate", |procedure, choices| {
        change_rule(procedure, choices, |rule, _| match &mut rule.end {
            End::Continue(target, _) => {
                *target = PredicateId(99);
                true
            }
            _ => false,
        })
    }),
    ("a variable is of another kind", |procedure, choices| {
        change_rule(procedure, choices, |rule, choices| {
            let n = rule.variables.len();
            let at = choices.below(n);
            rule.variables.get_mut(at).is_some_and(|variable| {
                variable.kind = match variable.kind {
                    Kind::Int => Kind::Long,
                    _ => Kind::Int,
                };
                true
            })
        })
    }),
    ("two variables have one name", |procedure, choices| {
        change_rule(procedure, choices, |rule, _| match rule.variables.as_mut_slice() {
            [first, .., last] => {
                last.name = first.name.clone();
                true
            }
            _ => false,
        })
    }),
    ("a variable is bound by nothing", |procedure, choices| {
        change_rule(procedure, choices, |rule, _| {
            rule.variables.push(Variable {
                name: "Unbound".into(),
                kind: Kind::Int,
                non_null: false,
                array: None,
            });
            true
        })
    }),
    ("an argument is missing", |procedure, choices| {
        change_rule(procedure, choices, |rule, _| match &mut rule.end {
            End::Continue(_, arguments) => arguments.pop().is_some(),
            _ => false,
        })
    }),
    ("a value from the heap is said to be not null", |procedure, choices| {
        change_rule(procedure, choices, |rule, _| {
            let loaded = rule.literals().find_map(|literal| match literal {
                Literal::GetField { target, .. }
                | Literal::GetStatic { target, .. }
                | Literal::GetArray { target, .. } => Some(*target),
                Literal::Call(call) => call.result,
                _ => None,
            });
            loaded.and_then(|target| rule.variables.get_mut(target.0 as usize)).is_some_and(
                |variable| {
                    variable.non_null = true;
                    true
                },
            )
        })
    }),
    ("a call is not last", |procedure, choices| {
        change_rule(procedure, choices, |rule, _| {
            let n = rule.body.len();
            rule.call().is_some() && n > 1 && {
                rule.body.swap(n - 1, n - 2);
                true
            }
        })
    }),
    ("the exit of a call is lost", |procedure, choices| {
        change_rule(procedure, choices, |rule, _| match rule.call() {
            Some(call) => {
                let exit = Operand::Variable(call.exit);
                if let End::Continue(_, arguments) = &mut rule.end {
                    arguments
                        .iter_mut()
                        .filter(|argument| **argument == exit)
                        .for_each(|argument| *argument = Operand::Int(0));
                }
                true
            }
            None => false,
        })
    }),
    ("an instruction is there twice", |procedure, choices| {
        change_rule(procedure, choices, |rule, _| {
            let first = rule.instructions.first().copied();
            rule.instructions.extend(first);
            first.is_some()
        })
    }),
    ("a literal comes from an instruction that is not there", |procedure, choices| {
        change_rule(procedure, choices, |rule, choices| {
            let n = rule.body.len();
            // Those of random procedures are not as high.
            let placed = rule.body.get_mut(choices.below(n));
            placed.map(|placed| placed.pc = u16::MAX).is_some()
        })
    }),
    ("literals come from instructions in another order", |procedure, choices| {
        change_rule(procedure, choices, |rule, choices| {
            let n = rule.body.len();
            let at = choices.below(n);
            match rule.body.get_mut(at..) {
                Some([one, .., other]) if one.pc != other.pc => {
                    std::mem::swap(&mut one.pc, &mut other.pc);
                    true
                }
                _ => false,
            }
        })
    }),
    ("a literal comes from an instruction that does something else", |procedure, choices| {
        change_rule(procedure, choices, |rule, choices| {
            let n = rule.body.len();
            let Some(placed) = rule.body.get_mut(choices.below(n)) else { return false };
            let is_other = |of: &&InstructionRef| !may_be_of(&placed.literal, of.opcode);
            let other = rule.instructions.iter().find(is_other);
            other.map(|other| placed.pc = other.pc).is_some()
        })
    }),
    ("there are two entries", |procedure, _| {
        procedure.predicates.last_mut().is_some_and(|predicate| {
            let changed = predicate.kind != PredicateKind::Entry;
            predicate.kind = PredicateKind::Entry;
            changed
        })
    }),
    ("the result does not fit", |procedure, choices| {
        change_rule(procedure, choices, |rule, _| match &mut rule.end {
            End::Return(result) => {
                *result = match result {
                    None => Some(Operand::Int(0)),
                    Some(_) => None,
                };
                true
            }
            _ => false,
        })
    }),
    ("a predicate is not reachable", |procedure, _| {
        let mut copy = procedure.predicates[0].clone();
        copy.name = "copy".into();
        copy.kind = PredicateKind::Block;
        procedure.predicates.push(copy);
        true
    }),
    ("a predicate has no rules", |procedure, choices| {
        change_predicate(procedure, choices, |predicate, _| {
            predicate.rules.clear();
            true
        })
    }),
    ("two predicates have one name", |procedure, _| {
        procedure.predicates.len() > 1 && {
            procedure.predicates[1].name = procedure.predicates[0].name.clone();
            true
        }
    }),
];

fn change_predicate(
    procedure: &mut Procedure,
    choices: &mut Choices<'_>,
    change: impl Fn(&mut Predicate, &mut Choices<'_>) -> bool,
) -> bool {
    let n = procedure.predicates.len();
    change(&mut procedure.predicates[choices.below(n)], choices)
}

fn change_rule(
    procedure: &mut Procedure,
    choices: &mut Choices<'_>,
    change: impl Fn(&mut Rule, &mut Choices<'_>) -> bool,
) -> bool {
    change_predicate(procedure, choices, |predicate, choices| {
        let n = predicate.rules.len();
        change(&mut predicate.rules[choices.below(n)], choices)
    })
}

fn wrong_id(literal: &mut Literal) -> bool {
    const WRONG: u32 = 999;
    match literal {
        Literal::NewObject { class, .. }
        | Literal::NewArray { class, .. }
        | Literal::NewMultiArray { class, .. }
        | Literal::InstanceOf { class, .. }
        | Literal::LoadClass { class, .. }
        | Literal::NewThrowable { class, .. } => *class = ClassId(WRONG),
        Literal::GetField { field, .. }
        | Literal::SetField { field, .. }
        | Literal::GetStatic { field, .. }
        | Literal::SetStatic { field, .. } => *field = FieldId(WRONG),
        Literal::LoadString { string, .. } | Literal::LoadMethodType { descriptor: string, .. } => {
            *string = StringId(WRONG)
        }
        Literal::LoadMethodHandle { handle, .. } => *handle = HandleId(WRONG),
        Literal::Call(call) => {
            call.callee = match call.callee {
                Callee::Static(_) => Callee::Static(MethodId(WRONG)),
                Callee::Special(_) => Callee::Special(MethodId(WRONG)),
                Callee::Virtual(_) => Callee::Virtual(MethodId(WRONG)),
                Callee::Interface(_) => Callee::Interface(MethodId(WRONG)),
                Callee::Polymorphic(_) => Callee::Polymorphic(MethodId(WRONG)),
                Callee::Dynamic(_) => Callee::Dynamic(DynamicId(WRONG)),
                Callee::DynamicConstant(_) => Callee::DynamicConstant(DynamicId(WRONG)),
                Callee::Initialise(_) => Callee::Initialise(ClassId(WRONG)),
            };
        }
        Literal::Compute { .. }
        | Literal::ArrayLength { .. }
        | Literal::GetArray { .. }
        | Literal::SetArray { .. } => return false,
    }
    true
}

/// Every variable becomes one that does not exist.
struct Nowhere;

impl substitute::Substitution for Nowhere {
    fn operand(&mut self, _: VarId) -> Operand {
        Operand::Variable(VarId(999))
    }

    fn binding(&mut self, _: VarId) -> VarId {
        VarId(u32::MAX)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6000))]

    #[test]
    fn mistakes_are_found_and_can_be_printed(
        bytes in prop::collection::vec(any::<u8>(), 0..400),
        which in 0..MISTAKES.len(),
        place in prop::collection::vec(any::<u8>(), 3),
    ) {
        let mut procedure = generate::procedure(&bytes);
        let (mistake, make) = MISTAKES[which];
        let before = print::procedure(&procedure);
        if make(&mut procedure, &mut Choices::new(&place)) {
            let found = !verify::verify(&procedure).is_empty();
            let after = print::procedure(&procedure);
            prop_assert!(found, "{mistake}, but nothing is found\n{before}\n{after}");
        }
    }

    #[test]
    fn several_mistakes_do_not_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..400),
        which in prop::collection::vec(0..MISTAKES.len(), 2..10),
        place in prop::collection::vec(any::<u8>(), 30),
    ) {
        let mut procedure = generate::procedure(&bytes);
        let mut choices = Choices::new(&place);
        for which in which {
            // Mistakes need a predicate with a rule to be made in.
            if procedure.predicates.iter().all(|predicate| !predicate.rules.is_empty()) {
                MISTAKES[which].1(&mut procedure, &mut choices);
            }
        }
        verify::verify(&procedure);
        procedure.loops();
        let _ = parse::procedures(&print::procedure(&procedure));
    }
}
