//! Guards to jumps.

use std::rc::Rc;

use petrel_clp::{ArithmeticKind, Comparison, Guard, Operand, PredicateId};

use super::{CompileError, Compiler, Linker, Location, Open, Patch, location_of};
use crate::machine::code::{NumberTest, Op, SwitchTable};

impl<L: Linker> Compiler<'_, L> {
    /// Decides the next guard of rules that are still possible: gives those of the first case, and
    /// leaves the others open.
    pub(super) fn split(
        &mut self,
        predicate: PredicateId,
        rules: Vec<usize>,
        decided: usize,
        locations: &mut Rc<Vec<Location>>,
    ) -> Result<Vec<usize>, CompileError> {
        let all = &self.procedure.predicates[predicate.index()].rules;
        let Some(guard) = rules.first().and_then(|&rule| all[rule].guards.get(decided)) else {
            return Err(CompileError("rules that no guard tells apart".to_owned()));
        };
        self.registers.start_all(locations);
        if let Guard::OneOf(value, _) | Guard::NoneOf(value, _) = guard {
            return self.switch(predicate, rules, decided, *value, locations);
        }
        let (here, elsewhere): (Vec<usize>, Vec<usize>) =
            rules.into_iter().partition(|&rule| all[rule].guards.get(decided) == Some(guard));
        let jump = self.guard(guard, locations)?;
        if elsewhere.is_empty() {
            return Err(CompileError("a guard without its negation".to_owned()));
        }
        self.open.push(Open {
            predicate,
            rules: elsewhere,
            decided: decided + 1,
            locations: Rc::clone(locations),
            from: vec![Patch::Op(jump)],
        });
        Ok(here)
    }

    /// A choice by the value of an `int`.
    fn switch(
        &mut self,
        predicate: PredicateId,
        rules: Vec<usize>,
        decided: usize,
        value: Operand,
        locations: &Rc<Vec<Location>>,
    ) -> Result<Vec<usize>, CompileError> {
        let all = &self.procedure.predicates[predicate.index()].rules;
        let number = self.code.switches.len() as u32;
        let mut table = SwitchTable { cases: Vec::new(), default: 0, dense: None };
        let value = self.register_of(value, locations)?;
        let mut groups: Vec<(&Guard, Vec<usize>, Vec<Patch>)> = Vec::new();
        for rule in rules {
            let Some(guard) = all[rule].guards.get(decided) else {
                return Err(CompileError("rules that no guard tells apart".to_owned()));
            };
            if let Some(group) = groups.iter_mut().find(|(other, ..)| *other == guard) {
                group.1.push(rule);
                continue;
            }
            let mut patches = Vec::new();
            match guard {
                Guard::OneOf(_, values) => {
                    for &value in values {
                        patches.push(Patch::Case(number, Some(table.cases.len())));
                        table.cases.push((value, 0));
                    }
                }
                Guard::NoneOf(..) => patches.push(Patch::Case(number, None)),
                _ => return Err(CompileError("a switch with other guards".to_owned())),
            }
            groups.push((guard, vec![rule], patches));
        }
        self.code.switches.push(table);
        self.push(Op::Switch { value, table: number });
        self.registers.release_temporaries();
        let first = groups.remove(0);
        for (_, rules, from) in groups.into_iter().rev() {
            self.open.push(Open {
                predicate,
                rules,
                decided: decided + 1,
                locations: Rc::clone(locations),
                from,
            });
        }
        let here = self.code.next();
        for patch in first.2 {
            self.patch(patch, here);
        }
        Ok(first.1)
    }

    /// A jump that is taken if the guard does not hold; where it is, to be patched.
    fn guard(
        &mut self,
        guard: &Guard,
        locations: &[Location],
    ) -> Result<crate::machine::code::Address, CompileError> {
        let to = 0;
        let op = match guard {
            Guard::Compare { kind, comparison, left, right, nan } => {
                self.comparison(*kind, *comparison, *left, *right, *nan, locations)?
            }
            Guard::IsNull(object) => {
                Op::UnlessNull { object: self.register_of(*object, locations)?, to }
            }
            Guard::NonNull(object) => {
                Op::UnlessNonNull { object: self.register_of(*object, locations)?, to }
            }
            Guard::Same(left, right) => {
                let (left, right) = self.pair(*left, *right, locations)?;
                Op::UnlessSame { left, right, to }
            }
            Guard::Different(left, right) => {
                let (left, right) = self.pair(*left, *right, locations)?;
                Op::UnlessDifferent { left, right, to }
            }
            Guard::InBounds { array, index } => {
                let (array, index) = self.pair(*array, *index, locations)?;
                Op::UnlessInBounds { array, index, to }
            }
            Guard::OutOfBounds { array, index } => {
                let (array, index) = self.pair(*array, *index, locations)?;
                Op::UnlessOutOfBounds { array, index, to }
            }
            Guard::Storable { array, value } => {
                let (array, value) = self.pair(*array, *value, locations)?;
                Op::UnlessStorable { array, value, to }
            }
            Guard::NotStorable { array, value } => {
                let (array, value) = self.pair(*array, *value, locations)?;
                Op::UnlessNotStorable { array, value, to }
            }
            Guard::Instance(object, class)
            | Guard::NotInstance(object, class)
            | Guard::Castable(object, class)
            | Guard::NotCastable(object, class) => {
                let class = self.class(*class)?;
                let object = self.register_of(*object, locations)?;
                match guard {
                    Guard::Instance(..) => Op::UnlessInstance { object, class, to },
                    Guard::NotInstance(..) => Op::UnlessNotInstance { object, class, to },
                    Guard::Castable(..) => Op::UnlessCastable { object, class, to },
                    _ => Op::UnlessNotCastable { object, class, to },
                }
            }
            Guard::OneOf(..) | Guard::NoneOf(..) | Guard::Returned(_) | Guard::Threw(..) => {
                return Err(CompileError("a guard where none of its kind can be".to_owned()));
            }
        };
        let here = self.code.next();
        self.push(op);
        self.registers.release_temporaries();
        Ok(here)
    }

    fn pair(
        &mut self,
        left: Operand,
        right: Operand,
        locations: &[Location],
    ) -> Result<(u16, u16), CompileError> {
        Ok((self.register_of(left, locations)?, self.register_of(right, locations)?))
    }

    fn comparison(
        &mut self,
        kind: ArithmeticKind,
        comparison: Comparison,
        left: Operand,
        right: Operand,
        nan: bool,
        locations: &[Location],
    ) -> Result<Op, CompileError> {
        let to = 0;
        if kind != ArithmeticKind::Int {
            let (left, right) = self.pair(left, right, locations)?;
            let test = NumberTest { kind, comparison, nan };
            return Ok(Op::UnlessCompares { test, left, right, to });
        }
        if let Location::Constant(Operand::Int(right)) = location_of(right, locations)? {
            let left = self.register_of(left, locations)?;
            return Ok(match comparison {
                Comparison::Equal => Op::UnlessEqualConstant { left, right, to },
                Comparison::NotEqual => Op::UnlessNotEqualConstant { left, right, to },
                Comparison::Less => Op::UnlessLessConstant { left, right, to },
                Comparison::GreaterOrEqual => Op::UnlessGreaterOrEqualConstant { left, right, to },
                Comparison::Greater => Op::UnlessGreaterConstant { left, right, to },
                Comparison::LessOrEqual => Op::UnlessLessOrEqualConstant { left, right, to },
            });
        }
        let (left, right) = self.pair(left, right, locations)?;
        Ok(match comparison {
            Comparison::Equal => Op::UnlessEqual { left, right, to },
            Comparison::NotEqual => Op::UnlessNotEqual { left, right, to },
            Comparison::Less => Op::UnlessLess { left, right, to },
            Comparison::GreaterOrEqual => Op::UnlessGreaterOrEqual { left, right, to },
            // Those with the sides exchanged.
            Comparison::Greater => Op::UnlessLess { left: right, right: left, to },
            Comparison::LessOrEqual => Op::UnlessGreaterOrEqual { left: right, right: left, to },
        })
    }
}
