//! The encoding of terms and constraints into a circuit.

use petrel_budget::Purse;
use petrel_clp::{ArithmeticKind, Comparison, Conversion, Operation};
use rustc_hash::FxHashMap;

use super::circuit::{Bit, Circuit};
use super::divide::Divisions;
use super::real;
use super::survey::Survey;
use super::word::{Word, width_of_range};
use crate::constraint::{Constraint, Membership};
use crate::query::{Unsupported, width};
use crate::term::{Expr, Node, TermId, Terms, UnknownId};

/// Sound bounds of terms, given the constraints.
pub(super) type Intervals<'a> = &'a dyn Fn(TermId) -> (i64, i64);

/// Larger circuits are beyond any budget of conflicts: a gate takes room in the SAT solver, too.
const MOST_GATES: usize = 1 << 20;

/// The words of terms, in a circuit that asserts the constraints.
pub(super) struct Encoding<'a> {
    terms: &'a Terms,
    survey: &'a Survey,
    intervals: Intervals<'a>,
    /// Unknowns are searched in a part of their range with so many bits.
    unknown_bits: u32,
    /// Bounds that constraints set to terms directly.
    bounds: FxHashMap<TermId, (i64, i64)>,
    pub(super) circuit: Circuit,
    divisions: Divisions,
    words: FxHashMap<TermId, Word>,
    /// Whether only a part of the range of an unknown is considered.
    pub(super) is_partial: bool,
    /// The unknowns that the constraints reach, with their words.
    pub(super) unknowns: Vec<(UnknownId, Word)>,
}

impl<'a> Encoding<'a> {
    /// An encoding of nothing yet. Of the range of an unknown, only the `2^unknown_bits` numbers that are closest
    /// to 0 are considered.
    pub(super) fn new(
        terms: &'a Terms,
        survey: &'a Survey,
        intervals: Intervals<'a>,
        unknown_bits: u32,
    ) -> Encoding<'a> {
        Encoding {
            terms,
            survey,
            intervals,
            unknown_bits,
            bounds: FxHashMap::default(),
            circuit: Circuit::default(),
            divisions: Divisions::default(),
            words: FxHashMap::default(),
            is_partial: false,
            unknowns: Vec::new(),
        }
    }

    /// Encodes constraints and the terms that they reach, unless they are too large, for a circuit or for what is left
    /// in a purse.
    pub(super) fn add(
        &mut self,
        constraints: &[Constraint],
        purse: &Purse,
    ) -> Result<(), Unsupported> {
        let most = MOST_GATES.min(usize::try_from(purse.left()).unwrap_or(usize::MAX));
        for constraint in constraints {
            if let Some((term, low, high)) = bound(constraint) {
                let bounds = self.bounds.entry(term).or_insert((i64::MIN, i64::MAX));
                *bounds = (bounds.0.max(low), bounds.1.min(high));
            }
        }
        // What is known of inner terms makes the circuits of outer ones smaller. Guards come before
        // what they guard: a divisor is encoded, and is not 0, before the division.
        let outermost =
            |constraint: &Constraint| constraint.operands().filter_map(Expr::term).max();
        let mut ordered: Vec<&Constraint> = constraints.iter().collect();
        ordered.sort_by_key(|constraint| outermost(constraint));
        let mut open = self.survey.terms.iter().copied().peekable();
        for constraint in ordered {
            while let Some(term) = open.next_if(|&term| Some(term) <= outermost(constraint)) {
                if self.circuit.len() > most || purse.alarm().is_raised() {
                    return Err(Unsupported);
                }
                let word = self.encode(term)?;
                self.words.insert(term, word);
            }
            self.assert(constraint)?;
        }
        Ok(())
    }

    /// The range of a term, as far as it is known.
    fn range(&self, term: TermId) -> (i64, i64) {
        let (low, high) = (self.intervals)(term);
        match self.bounds.get(&term) {
            Some(&(other_low, other_high)) => (low.max(other_low), high.min(other_high)),
            None => (low, high),
        }
    }

    fn range_of(&self, expr: Expr) -> (i64, i64) {
        match expr {
            Expr::Constant(constant) => (constant, constant),
            Expr::Term(term) => self.range(term),
        }
    }

    fn assert(&mut self, constraint: &Constraint) -> Result<(), Unsupported> {
        let holds = match constraint {
            Constraint::Compare { kind, comparison, left, right } => {
                width((*kind).into())?;
                self.test(*comparison, *left, *right)
            }
            Constraint::Among(membership) => self.member(membership),
        };
        self.circuit.assert(holds);
        Ok(())
    }

    /// Whether two numbers compare so.
    fn test(&mut self, comparison: Comparison, left: Expr, right: Expr) -> Bit {
        let is_zero_test = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        let (left, right) = (self.word(left), self.word(right));
        if is_zero_test && right.as_constant() == Some(0) {
            let is_nonzero = self.divisions.is_nonzero(&mut self.circuit, &left);
            return is_nonzero.negated_if(comparison == Comparison::Equal);
        }
        self.circuit.compare(comparison, &left, &right)
    }

    /// Whether a membership holds. Constants that follow each other make one range.
    fn member(&mut self, membership: &Membership) -> Bit {
        let value = self.word(membership.value);
        let mut cases = Vec::new();
        for run in membership.constants.chunk_by(|a, b| a.checked_add(1) == Some(*b)) {
            let [low, high] = [run[0], run[run.len() - 1]].map(|end| Word::constant(end.into()));
            let case = if low == high {
                self.circuit.equal(&value, &low)
            } else {
                let below = self.circuit.less(&value, &low);
                let above = self.circuit.less(&high, &value);
                self.circuit.and(!below, !above)
            };
            cases.push(case);
        }
        self.circuit.any(cases).negated_if(!membership.is_member)
    }

    /// The word of a constant, or of a term that is encoded.
    fn word(&self, expr: Expr) -> Word {
        match expr {
            Expr::Constant(constant) => Word::constant(constant),
            Expr::Term(term) => self.circuit.resolve_word(&self.words[&term]),
        }
    }

    /// The word of a term whose operands are encoded.
    fn encode(&mut self, term: TermId) -> Result<Word, Unsupported> {
        let (low, high) = self.range(term);
        if low > high {
            self.circuit.assert(Bit::FALSE);
            return Ok(Word::constant(0));
        }
        let limit = width(self.terms.kind(term))?;
        let word = match self.terms.node(term) {
            Node::Unknown(unknown) => return Ok(self.unknown(term, unknown, low, high)),
            Node::Apply(operation, left, right) => self.apply(operation, left, right, limit)?,
            Node::Test(kind, comparison, left, right) => {
                width(kind)?;
                Word::truth(self.test(comparison, left, right))
            }
            Node::Choose(_, condition, then, otherwise) => {
                let condition = self.word(Expr::Term(condition));
                let condition = self.divisions.is_nonzero(&mut self.circuit, &condition);
                let (then, otherwise) = (self.word(then), self.word(otherwise));
                self.circuit.choose_word(condition, &then, &otherwise)
            }
            Node::MultiplyAdd(kind, operands) => {
                let operands = operands.map(|operand| self.word(operand));
                self.circuit.multiply_add(kind, &operands)?
            }
            Node::Select(_, table, index) => {
                let elements = self.terms.table(table);
                let elements = elements.iter().map(|&element| self.word(element)).collect();
                let index = self.word(Expr::Term(index));
                self.circuit.select(elements, &index)
            }
            Node::Opaque(..) => return Err(Unsupported),
        };
        let narrowed = self.circuit.narrow(&word, low, high);
        self.divisions.copy_magnitude(&word, &narrowed);
        Ok(narrowed)
    }

    /// A word of free bits in the range of an unknown, and in another one that it is known to be in.
    fn unknown(&mut self, term: TermId, number: UnknownId, low: i64, high: i64) -> Word {
        let unknown = &self.terms.unknowns()[number.index()];
        let (low, high) = (low.max(unknown.low), high.min(unknown.high));
        if low > high {
            self.circuit.assert(Bit::FALSE);
            return Word::constant(0);
        }
        let whole = match self.survey.period(term) {
            Some(period) => one_period(low, high, period),
            None => (low, high),
        };
        let fraction = real::fraction_bits(unknown.kind);
        let (low, high) = match fraction {
            Some(_) => whole,
            None => closest_to_zero(whole, self.unknown_bits),
        };
        self.is_partial |= (low, high) != whole;
        let mut bits: Vec<Bit> = if (low < 0) == (high < 0) {
            // Above the first bit in which both ends of the range differ, all numbers between have
            // the same bits.
            let free = (i64::BITS - (low ^ high).leading_zeros()) as usize;
            let prefix = Word::constant(low);
            let fixed = (free..prefix.width().max(free + 1)).map(|at| prefix.bit(at));
            (0..free).map(|_| self.circuit.input()).chain(fixed).collect()
        } else {
            (0..width_of_range(low, high)).map(|_| self.circuit.input()).collect()
        };
        let omitted = fraction.map_or(0, |fraction| fraction.saturating_sub(self.unknown_bits));
        if let Some(&sign) = bits.last()
            && let Some(lowest) = bits.get_mut(..omitted as usize)
        {
            // Numbers whose significands have few bits: a rank is the complement of that of the opposite.
            self.is_partial |= omitted > 0;
            lowest.fill(sign);
        }
        let word = Word::new(bits);
        self.circuit.assert_range(&word, low, high);
        let word = self.circuit.resolve_word(&word);
        self.unknowns.push((number, word.clone()));
        word
    }

    fn apply(
        &mut self,
        operation: Operation,
        left: Expr,
        right: Expr,
        limit: usize,
    ) -> Result<Word, Unsupported> {
        use ArithmeticKind::{Int, Long};
        let (a, b) = (self.word(left), self.word(right));
        let circuit = &mut self.circuit;
        // Java uses as many bits of the amount as count the bits of the number.
        let amount_bits = limit.trailing_zeros() as usize;
        let amount: Vec<Bit> = (0..amount_bits).map(|at| b.bit(at)).collect();
        Ok(match operation {
            Operation::Add(Int | Long) => circuit.add(&a, &b, Bit::FALSE, limit),
            Operation::Subtract(Int | Long) => circuit.subtract(&a, &b, limit),
            Operation::Multiply(Int | Long) => circuit.multiply(&a, &b, limit),
            Operation::Divide(Int | Long) => self.divisions.quotient(circuit, &a, &b, limit),
            Operation::Remainder(Int | Long) => self.divisions.remainder(circuit, &a, &b, limit),
            Operation::Negate(Int | Long) => circuit.negate_if(Bit::TRUE, &a, limit),
            Operation::ShiftLeft(Int | Long) => circuit.shift_left(&a, &amount, limit),
            Operation::ShiftRight(Int | Long) => circuit.shift_right(&a, &amount),
            Operation::ShiftRightUnsigned(Int | Long) => {
                circuit.shift_right(&a.cut_unsigned(limit), &amount).cut(limit)
            }
            Operation::And(Int | Long) => circuit.bitwise(&a, &b, Circuit::and),
            Operation::Or(Int | Long) => circuit.bitwise(&a, &b, Circuit::or),
            Operation::ExclusiveOr(Int | Long) => circuit.bitwise(&a, &b, Circuit::xor),
            Operation::Compare(Int | Long, _) => {
                let is_less = circuit.less(&a, &b);
                let is_equal = circuit.equal(&a, &b);
                Word::new(vec![!is_equal, is_less])
            }
            Operation::Convert(Conversion::IntToLong) => a,
            Operation::Convert(Conversion::LongToInt) => a.cut(32),
            Operation::Convert(Conversion::IntToByte) => a.cut(8),
            Operation::Convert(Conversion::IntToShort) => a.cut(16),
            Operation::Convert(Conversion::IntToChar) => a.cut_unsigned(16),
            _ => {
                let ranges = [left, right].map(|operand| self.range_of(operand));
                return self.circuit.apply_to_reals(operation, &a, &b, ranges);
            }
        })
    }
}

/// What a comparison with a constant says about the range of a term, if it says nothing else.
pub(super) fn bound(constraint: &Constraint) -> Option<(TermId, i64, i64)> {
    let Constraint::Compare { comparison, left, right, .. } = constraint else { return None };
    let (term, comparison, constant) = match (*left, *right) {
        (Expr::Term(term), Expr::Constant(constant)) => (term, *comparison, constant),
        (Expr::Constant(constant), Expr::Term(term)) => (term, comparison.mirrored(), constant),
        _ => return None,
    };
    let (low, high) = match comparison {
        Comparison::Equal => (constant, constant),
        Comparison::NotEqual => return None,
        Comparison::Less => (i64::MIN, constant.checked_sub(1)?),
        Comparison::LessOrEqual => (i64::MIN, constant),
        Comparison::Greater => (constant.checked_add(1)?, i64::MAX),
        Comparison::GreaterOrEqual => (constant, i64::MAX),
    };
    Some((term, low, high))
}

/// The part of a range with at most `2^bits` numbers that is closest to 0.
fn closest_to_zero((low, high): (i64, i64), bits: u32) -> (i64, i64) {
    let Some(half) = 1i64.checked_shl(bits - 1).filter(|&half| half > 0) else {
        return (low, high);
    };
    let start = (-half).clamp(low, high.saturating_sub(2 * half - 1).max(low));
    (start, high.min(start.saturating_add(2 * half - 1)))
}

/// A part of a range that has the remainders, by divisors of a period, of every number in it: the
/// numbers of each sign that are closest to 0, as many as the period.
fn one_period(low: i64, high: i64, period: i64) -> (i64, i64) {
    let last = period - 1;
    let start = low.max((-last).min(high.saturating_sub(last)));
    let end = high.min(last.max(low.saturating_add(last)));
    (start, end)
}
