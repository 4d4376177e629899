//! What a solver answers to `get-value`.

use petrel_clp::Kind;

use super::script::Script;
use crate::term::Terms;

/// Reads `((u0 #x0000002a) (u1 (_ bv7 64)) ...)` into a model; `None` if it is something else, or a
/// value is missing.
pub(super) fn read(reply: &str, script: &Script, terms: &Terms, model: &mut [i64]) -> Option<()> {
    let mut words = reply.split(|c: char| c.is_whitespace() || c == '(' || c == ')');
    let mut words = words.by_ref().filter(|word| !word.is_empty());
    for unknown in &script.unknowns {
        let name = words.next()?.strip_prefix('u')?;
        if name.parse() != Ok(unknown.0) {
            return None;
        }
        let value = match words.next()? {
            "_" => {
                let value = words.next()?.strip_prefix("bv")?.parse().ok()?;
                words.next()?;
                value
            }
            word => match word.split_at_checked(2)? {
                ("#x", digits) => u64::from_str_radix(digits, 16).ok()?,
                ("#b", digits) => u64::from_str_radix(digits, 2).ok()?,
                _ => return None,
            },
        };
        model[unknown.index()] = match terms.unknowns()[unknown.index()].kind {
            Kind::Int | Kind::Float => i64::from(value as u32 as i32),
            _ => value as i64,
        };
    }
    words.next().is_none().then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smt::script::Logic;
    use crate::term::{Unknown, UnknownId};

    fn read_two(reply: &str) -> Option<Vec<i64>> {
        let mut terms = Terms::default();
        for (name, kind) in [("a", Kind::Int), ("b", Kind::Long)] {
            terms.unknown(Unknown {
                name: name.into(),
                kind,
                low: i64::MIN,
                high: i64::MAX,
                own: 0,
            });
        }
        let unknowns = vec![UnknownId(0), UnknownId(1)];
        let script = Script { text: String::new(), logic: Logic::Integers, unknowns };
        let mut model = vec![0, 0];
        read(reply, &script, &terms, &mut model).map(|()| model)
    }

    #[test]
    fn reads_every_notation() {
        assert_eq!(read_two("((u0 #xffffffff) (u1 #x8000000000000000))"), Some(vec![-1, i64::MIN]));
        assert_eq!(read_two("((u0 #b101)\n (u1 (_ bv42 64)))"), Some(vec![5, 42]));
    }

    #[test]
    fn refuses_everything_else() {
        for reply in [
            "",
            "unsat",
            "((u0 #x1))",
            "((u1 #x1) (u0 #x1))",
            "((u0 #x1) (u1 1.5))",
            "((u0 #x1) (u1 é))",
            "((u0 #x1) (u1 #x2) (u2 #x3))",
        ] {
            assert_eq!(read_two(reply), None, "{reply}");
        }
    }
}
