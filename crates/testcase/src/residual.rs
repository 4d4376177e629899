//! Residual generators: what a generation leaves, so that a larger bound goes on from there.
//!
//! "Test Data Generation of Bytecode by CLP Partial Evaluation", section 6.2: the resultants of finished derivations
//! are test cases, those of unfinished ones lead to further test cases. Here the first are the cases as scripts get
//! them, and the second are the decisions that lead to the end of each derivation, with inputs that take them. What is
//! known of the rest of the tree is kept with them, so that the account of both parts together is that of one
//! generation with the larger bound.

use std::collections::BTreeSet;

use petrel_engine::{Decision, Prefix};
use serde_json::{Map, Value as Json, json};

use crate::case::{Cut, Incomplete, Parametric, RuleApplied, Stopped, Summary, TIME, Unfinished};
use crate::json::{ends, statistics};

/// What a generation leaves.
#[derive(Debug, Clone, Default)]
pub struct Residual {
    /// The finished cases, as the report for scripts writes them.
    pub cases: Vec<Json>,
    /// What is known of the finished part of the tree.
    pub finished: Summary,
    /// The derivations that can be gone on with, in the order of the tree.
    pub unfinished: Vec<Unfinished>,
}

impl Residual {
    /// The residual of a generation that looked at a whole tree, or went on with a residual.
    pub fn new(cases: Vec<Json>, mut summary: Summary) -> Residual {
        summary.ends.cut = 0;
        summary.ends.limits.remove(TIME);
        summary.cuts.retain(|cut| !matches!(cut.why, Incomplete::Cut | Incomplete::Time));
        let unfinished = std::mem::take(&mut summary.unfinished);
        Residual { cases, finished: summary, unfinished }
    }

    /// The parts of the tree that are left.
    pub fn parts(&self) -> impl Iterator<Item = Prefix> {
        self.unfinished.iter().map(|unfinished| unfinished.prefix.clone())
    }

    /// What is known when its parts of the tree have been looked at, too.
    pub fn and(&self, mut rest: Summary) -> Summary {
        rest.add(&self.finished);
        rest
    }

    /// As data.
    pub fn to_json(&self) -> Json {
        let summary = &self.finished;
        let cut = |cut: &Cut| json!([why_name(cut.why), cut.pc, cut.in_callee]);
        let parametric = summary.parametric.iter().map(|(model, parametric)| {
            let Parametric { largest, linear } = parametric;
            (model.clone(), json!({ "largest": largest, "linear": linear }))
        });
        json!({
            "cases": self.cases,
            "unfinished": self.unfinished.iter().map(unfinished).collect::<Vec<_>>(),
            "ends": ends(&summary.ends),
            "cuts": summary.cuts.iter().map(cut).collect::<Vec<_>>(),
            "rules": summary.rules.iter().map(|r| json!([r.predicate, r.rule])).collect::<Vec<_>>(),
            "parametric": parametric.collect::<Map<_, _>>(),
            "stats": statistics(summary),
        })
    }

    /// Reads what [`Residual::to_json`] writes.
    ///
    /// # Errors
    ///
    /// If it is not such data: tells what is missing.
    pub fn from_json(json: &Json) -> Result<Residual, String> {
        let cases = list(json, "cases")?.clone();
        let unfinished = list(json, "unfinished")?.iter().map(read_unfinished);
        let unfinished = unfinished.collect::<Result<_, _>>()?;
        let mut finished = Summary {
            cuts: list(json, "cuts")?.iter().map(read_cut).collect::<Result<_, _>>()?,
            rules: list(json, "rules")?.iter().map(read_rule).collect::<Result<_, _>>()?,
            ..Summary::default()
        };
        read_ends(member(json, "ends")?, &mut finished)?;
        read_parametric(member(json, "parametric")?, &mut finished)?;
        read_statistics(member(json, "stats")?, &mut finished)?;
        Ok(Residual { cases, finished, unfinished })
    }
}

fn why_name(why: Incomplete) -> &'static str {
    match why {
        Incomplete::Cut => "cut",
        Incomplete::Limit => "limit",
        Incomplete::Time => TIME,
        Incomplete::Unknown => "unknown",
        Incomplete::Unsupported => "unsupported",
    }
}

/// Decisions are numbers; `+` behind one says that there were others.
fn unfinished(unfinished: &Unfinished) -> Json {
    let Unfinished { prefix, trace } = unfinished;
    let decisions: Vec<String> = prefix
        .decisions
        .iter()
        .map(|decision| {
            format!("{}{}", decision.alternative, if decision.is_choice { "+" } else { "" })
        })
        .collect();
    json!({
        "trace": trace,
        "decisions": decisions.join(" "),
        "model": prefix.model,
        "steps": prefix.counted_steps,
    })
}

fn read_unfinished(json: &Json) -> Result<Unfinished, String> {
    let decision = |text: &str| {
        let number = text.strip_suffix('+');
        let alternative = number.unwrap_or(text).parse().map_err(|_| wrong("decisions"))?;
        Ok(Decision { alternative, is_choice: number.is_some() })
    };
    let decisions = text(json, "decisions")?.split_whitespace().map(decision);
    let model = match member(json, "model")? {
        Json::Null => None,
        Json::Array(values) => {
            let values = values.iter().map(|value| value.as_i64().ok_or_else(|| wrong("model")));
            Some(values.collect::<Result<_, _>>()?)
        }
        _ => return Err(wrong("model")),
    };
    let decisions = decisions.collect::<Result<_, String>>()?;
    let prefix = Prefix { decisions, model, counted_steps: count(json, "steps")? };
    Ok(Unfinished { prefix, trace: text(json, "trace")?.to_owned() })
}

fn read_cut(json: &Json) -> Result<Cut, String> {
    let (Some(why), Some(pc), Some(in_callee)) =
        (json[0].as_str(), json[1].as_u64(), json[2].as_bool())
    else {
        return Err(wrong("cuts"));
    };
    let all = [Incomplete::Limit, Incomplete::Unknown, Incomplete::Unsupported];
    let why = all.into_iter().find(|&known| why_name(known) == why);
    let pc = u16::try_from(pc).ok();
    why.zip(pc).map(|(why, pc)| Cut { why, pc, in_callee }).ok_or_else(|| wrong("cuts"))
}

fn read_rule(json: &Json) -> Result<RuleApplied, String> {
    let number = |at: usize| json[at].as_u64().and_then(|number| u32::try_from(number).ok());
    let rule = number(0).zip(number(1));
    rule.map(|(predicate, rule)| RuleApplied { predicate, rule }).ok_or_else(|| wrong("rules"))
}

fn read_ends(json: &Json, summary: &mut Summary) -> Result<(), String> {
    let ends = &mut summary.ends;
    ends.returned = count(json, "returned")?;
    ends.threw = count(json, "threw")?;
    ends.excluded = count(json, "excluded")?;
    ends.refused = count(json, "refused")?;
    ends.infeasible = count(json, "infeasible")?;
    ends.unknown = count(json, "unknown")?;
    let limits = member(json, "limit")?.as_object().ok_or_else(|| wrong("limit"))?;
    for (limit, count) in limits {
        ends.limits.insert(limit.clone(), count.as_u64().ok_or_else(|| wrong("limit"))?);
    }
    for stopped in list(json, "unsupported")? {
        let (what, place) = (text(stopped, "what")?.to_owned(), text(stopped, "where")?.to_owned());
        ends.unsupported.insert(Stopped { what, place }, count(stopped, "count")?);
    }
    Ok(())
}

fn read_parametric(json: &Json, summary: &mut Summary) -> Result<(), String> {
    for (model, json) in json.as_object().ok_or_else(|| wrong("parametric"))? {
        let linear = |json: &Json| {
            let text = json[2].as_str().map(ToOwned::to_owned);
            let numbers = json[0].as_i64().zip(json[1].as_i64());
            let of_text = numbers.zip(text).map(|((constant, factor), of)| (constant, factor, of));
            of_text.ok_or_else(|| wrong("linear"))
        };
        let all: Result<BTreeSet<_>, _> = list(json, "linear")?.iter().map(linear).collect();
        let largest = member(json, "largest")?.as_i64();
        summary.parametric.insert(model.clone(), Parametric { largest, linear: all? });
    }
    Ok(())
}

fn read_statistics(json: &Json, summary: &mut Summary) -> Result<(), String> {
    let of = |name: &str| count(json, name);
    summary.steps = of("steps")?;
    summary.choices = of("choices")?;
    summary.solver_us = of("solver_us")?;
    for (name, counter) in summary.solver.counters() {
        *counter = of(name)?;
    }
    Ok(())
}

fn wrong(name: &str) -> String {
    format!("its member {name:?} is not as it was written")
}

fn member<'j>(json: &'j Json, name: &str) -> Result<&'j Json, String> {
    json.get(name).ok_or_else(|| wrong(name))
}

fn list<'j>(json: &'j Json, name: &str) -> Result<&'j Vec<Json>, String> {
    member(json, name)?.as_array().ok_or_else(|| wrong(name))
}

fn text<'j>(json: &'j Json, name: &str) -> Result<&'j str, String> {
    member(json, name)?.as_str().ok_or_else(|| wrong(name))
}

fn count(json: &Json, name: &str) -> Result<u64, String> {
    member(json, name)?.as_u64().ok_or_else(|| wrong(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn residual() -> Residual {
        let decisions = vec![
            Decision { alternative: 1, is_choice: true },
            Decision { alternative: 0, is_choice: false },
        ];
        let mut summary = Summary::default();
        summary.ends.cut = 3;
        summary.ends.returned = 2;
        summary.ends.limits.insert(TIME.to_owned(), 1);
        summary.ends.limits.insert("5 choices".to_owned(), 4);
        let stopped = Stopped { what: "w".to_owned(), place: "p".to_owned() };
        summary.ends.unsupported.insert(stopped, 6);
        for why in [Incomplete::Cut, Incomplete::Time, Incomplete::Limit, Incomplete::Unsupported] {
            summary.cuts.insert(Cut { why, pc: 7, in_callee: true });
        }
        summary.rules.insert(RuleApplied { predicate: 8, rule: 9 });
        let linear = [(1, 2, "n".to_owned())].into();
        summary.parametric.insert("memory".to_owned(), Parametric { largest: Some(-3), linear });
        summary.steps = 10;
        summary.solver.lemmas = 11;
        let prefix = Prefix { decisions, model: Some(vec![i64::MIN, 5]), counted_steps: 4 };
        summary.unfinished.push(Unfinished { prefix, trace: "m(1,[],[])".to_owned() });
        summary.unfinished.push(Unfinished { prefix: Prefix::default(), trace: String::new() });
        Residual::new(vec![json!({ "id": 1 })], summary)
    }

    #[test]
    fn what_is_written_is_read() {
        let residual = residual();
        let read = Residual::from_json(&residual.to_json()).unwrap();
        assert_eq!(format!("{read:?}"), format!("{residual:?}"));
    }

    #[test]
    fn what_can_be_gone_on_with_does_not_count_twice() {
        let residual = residual();
        assert_eq!(residual.finished.ends.cut, 0);
        assert_eq!(residual.finished.ends.limits.len(), 1);
        assert_eq!(residual.finished.cuts.len(), 2);
        let mut rest = Summary::default();
        rest.ends.cut = 1;
        rest.steps = 5;
        let whole = residual.and(rest);
        assert_eq!((whole.ends.cut, whole.ends.returned, whole.steps), (1, 2, 15));
        assert!(whole.unfinished.is_empty());
    }

    #[test]
    fn what_is_missing_is_told() {
        let mut json = residual().to_json();
        json["unfinished"][0]["decisions"] = json!("x");
        assert!(Residual::from_json(&json).unwrap_err().contains("decisions"));
        json.as_object_mut().unwrap().remove("unfinished");
        assert!(Residual::from_json(&json).unwrap_err().contains("unfinished"));
        assert!(Residual::from_json(&Json::Null).is_err());
    }
}
