//! Names for predicates and variables, from the source where the class file has them.

use petrel_clp::loops::LoopForest;
use petrel_clp::{End, MethodRef, Predicate, PredicateKind, Procedure, Rule, Tables, Variable};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::draft::{DraftVariable, NameHint, NumberedPredicate};
use crate::walk::Source;

/// The finished procedure.
pub(crate) fn name(
    source: &Source<'_>,
    is_static: bool,
    tables: Tables,
    mut numbered: Vec<NumberedPredicate>,
) -> Procedure {
    mark_loops(&mut numbered);
    let mut predicate_names = FxHashSet::default();
    let mut variable_names = VariableNames { source, tables: &tables, texts: FxHashMap::default() };
    let predicates = numbered
        .into_iter()
        .map(|predicate| {
            let name = predicate_name(&source.reference, &predicate, &mut predicate_names);
            let parameters = variable_names.of(&predicate.parameters);
            let rules = predicate
                .rules
                .into_iter()
                .map(|rule| {
                    let mut variables = variable_names.of(&rule.variables);
                    // What a rule's guards add to the knowledge about a parameter is for the guards
                    // to say.
                    for (variable, parameter) in variables.iter_mut().zip(&parameters) {
                        variable.clone_from(parameter);
                    }
                    make_unique(&mut variables);
                    Rule {
                        guards: rule.guards,
                        body: rule.body,
                        end: rule.end,
                        variables,
                        instructions: rule.instructions,
                    }
                })
                .collect();
            Predicate { name, kind: predicate.kind, pc: predicate.pc, parameters, rules }
        })
        .collect();
    Procedure {
        method: source.reference.clone(),
        is_static,
        source_file: source.class.source_file().map(Into::into),
        predicates,
        tables,
    }
}

/// A block that starts a loop is one of kind `Loop`.
fn mark_loops(predicates: &mut [NumberedPredicate]) {
    let successors: Vec<Vec<usize>> = predicates
        .iter()
        .map(|predicate| {
            let ends = predicate.rules.iter().map(|rule| &rule.end);
            ends.filter_map(|end| match end {
                End::Continue(target, _) => Some(target.index()),
                _ => None,
            })
            .collect()
        })
        .collect();
    for looping in &LoopForest::of(&successors).loops {
        let header = &mut predicates[looping.header];
        if header.kind == PredicateKind::Block {
            header.kind = PredicateKind::Loop;
            header.word = "loop";
        }
    }
}

fn predicate_name(
    method: &MethodRef,
    predicate: &NumberedPredicate,
    taken: &mut FxHashSet<String>,
) -> Box<str> {
    let base = match &*method.name {
        "<init>" => "init",
        "<clinit>" => "clinit",
        other => other,
    };
    let name = match predicate.kind {
        PredicateKind::Entry => base.to_owned(),
        _ => format!("{base}_{}_{}", predicate.word, predicate.pc),
    };
    // Only copies of a subroutine's blocks, or two checks of one instruction, meet here.
    let mut unique = name.clone();
    let mut copy = 1;
    while !taken.insert(unique.clone()) {
        copy += 1;
        unique = format!("{name}_{copy}");
    }
    unique.into()
}

struct VariableNames<'a> {
    source: &'a Source<'a>,
    tables: &'a Tables,
    texts: FxHashMap<u16, String>,
}

impl VariableNames<'_> {
    fn of(&mut self, drafts: &[DraftVariable]) -> Vec<Variable> {
        let mut variables: Vec<Variable> = drafts
            .iter()
            .map(|draft| Variable {
                name: self.text(draft.hint).into(),
                kind: draft.kind,
                non_null: draft.non_null,
                array: draft.array,
            })
            .collect();
        make_unique(&mut variables);
        variables
    }

    fn text(&mut self, hint: NameHint) -> String {
        match hint {
            NameHint::This => "This".to_owned(),
            NameHint::Source(index) => {
                let pool = &self.source.class.constant_pool;
                let text = self.texts.entry(index);
                text.or_insert_with(|| capitalised(pool.utf8(index).unwrap_or_default())).clone()
            }
            NameHint::Slot(slot) => format!("L{slot}"),
            NameHint::Field(field) => {
                self.tables.field(field).map_or_else(String::new, |field| capitalised(&field.name))
            }
            NameHint::Result(method) => self
                .tables
                .method(method)
                .map_or_else(String::new, |method| capitalised(&method.name)),
            NameHint::Word(word) => word.to_owned(),
        }
    }
}

/// As the name of a logic variable: starts with a capital letter.
fn capitalised(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            c if out.is_empty() && c.is_ascii_lowercase() => out.push(c.to_ascii_uppercase()),
            c if out.is_empty() && !c.is_ascii_uppercase() => {
                out.push('V');
                out.push(if c.is_ascii_alphanumeric() { c } else { '_' });
            }
            c if c.is_ascii_alphanumeric() || c == '_' => out.push(c),
            _ => out.push('_'),
        }
    }
    if out.is_empty() { "V".to_owned() } else { out }
}

/// Numbers the variables that share a name, from the second on: `I`, `I1`, `I2`.
fn make_unique(variables: &mut [Variable]) {
    let mut taken: FxHashSet<Box<str>> = FxHashSet::default();
    let mut counts: FxHashMap<Box<str>, u32> = FxHashMap::default();
    for variable in variables {
        if taken.insert(variable.name.clone()) {
            continue;
        }
        let count = counts.entry(variable.name.clone()).or_default();
        loop {
            *count += 1;
            let name: Box<str> = format!("{}{count}", variable.name).into();
            if taken.insert(name.clone()) {
                variable.name = name;
                break;
            }
        }
    }
}
